"""A legal verdict cites every clause that bore on it, and none that did not, or that would tell
what may not be measured yet."""

from __future__ import annotations

import math

import pytest

from clauses.mordheim.staging import Doc, Table, block, blue, red, strip

LOW: Doc = {"id": "low", "wall": [[12, 8], [12, 12]], "thickness": 0.2, "height": 0.7}
TALL: Doc = {"id": "tall", "wall": [[12, 4], [12, 16]], "thickness": 0.2, "height": 5}
ROOF = block("roof", 4, 10, 4, 16, 3)


def bore(table: Table, *path: tuple[float, float], **more: object) -> set[str]:
    verdict = table.go(*path, **more)
    assert verdict.legal, verdict.findings
    return set(verdict.cites)


def test_mh_move_3_bears_where_less_than_the_allowance_is_spent() -> None:
    assert "MH-MOVE-3" in bore(Table([red(10, 10)]), (13, 10))
    assert "MH-MOVE-3" not in bore(Table([red(10, 10)]), (14, 10))
    assert "MH-MOVE-3" in bore(Table([red(10, 10)]))


@pytest.mark.parametrize(("y", "bears"), [(11.25, True), (11.6, False)])
def test_mh_move_5_bears_where_something_is_beside_the_path(y: float, bears: bool) -> None:
    """The base passes 0.10 or 0.45 from the other, 0.08 or 0.42 from the wall."""
    cited = bore(Table([red(8, 10), red(8.8, y, body_id="A2")]), (11, 10.5))
    assert ("MH-MOVE-5" in cited) is bears
    wall: Doc = {"id": "w", "wall": [[6, y - 0.4], [9, y - 0.4]], "thickness": 0.2, "height": 3}
    assert ("MH-MOVE-5" in bore(Table([red(8, 10)], [wall]), (11, 10.5))) is bears


@pytest.mark.parametrize(("aside", "bears"), [(0.9, True), (1.2, False)])
@pytest.mark.parametrize("turned", [0, 30, 45, 100, 217])
def test_mh_move_5_bears_however_the_table_lies(turned: int, aside: float, bears: bool) -> None:
    """A pillar of radius 0.2, this far beside the middle of a way of 4; a friend as far off."""
    turn = math.radians(turned)
    x, y = math.cos(turn), math.sin(turn)
    at = [20 + 2 * x - aside * y, 20 + 2 * y + aside * x]
    way = (20 + 4 * x, 20 + 4 * y)
    pillar: Doc = {"id": "p", "kind": "column", "shape": {"circle": {"centre": at, "radius": 0.2}}}
    assert ("MH-MOVE-5" in bore(Table([red(20, 20)], [pillar]), way)) is bears
    friend = red(at[0] - 0.3 * y, at[1] + 0.3 * x, body_id="A2")
    assert ("MH-MOVE-5" in bore(Table([red(20, 20), friend]), way)) is bears


def test_mh_move_2_and_ter_5_bear_on_what_is_leapt_or_climbed_by_stairs() -> None:
    over = bore(Table([red(11, 10)], [LOW]), (13, 10))
    assert {"MH-MOVE-2", "MH-TER-5", "MH-TER-6"} <= over
    assert not {"MH-MOVE-2", "MH-TER-5"} & bore(Table([red(10, 30)], [LOW]), (13, 30))
    charged = Table([red(10, 10), blue(15, 10)], [LOW], step="declarations").charge("E")
    assert {"MH-MOVE-2", "MH-TER-5"} <= set(charged.cites)


def test_mh_ter_3_bears_on_slow_ground_only_where_it_is_crossed() -> None:
    assert "MH-TER-3" in bore(Table([red(10, 10)], [strip(12, 13)]), (12.5, 10))
    assert "MH-TER-3" not in bore(Table([red(10, 10)], [strip(12, 13)]), (11.9, 10))


@pytest.mark.parametrize(("x", "bears"), [(14.9, True), (15.1, False)])
def test_mh_chg_13_bears_if_the_path_could_have_met_the_enemy(x: float, bears: bool) -> None:
    """The gap at the start is 3.9 or 4.1; the path is 4 long, the other way."""
    cited = bore(Table([red(10, 10), blue(x, 10)]), (6, 10))
    assert ("MH-CHG-13" in cited) is bears


def test_mh_eng_1_bears_on_who_leaves_one_that_lies() -> None:
    models = [red(10, 10), blue(11, 10, state={"condition": "stunned"})]
    assert "MH-ENG-1" in bore(Table(models), (8, 10))
    assert "MH-ENG-1" not in bore(Table([red(10, 10), blue(20, 10)]), (8, 10))


def test_mh_kd_2_bears_on_the_halved_move() -> None:
    assert "MH-KD-2" in bore(Table([red(10, 10, state={"stood_up": True})]), (11.5, 10))
    assert "MH-KD-2" not in bore(Table([red(10, 10)]), (11.5, 10))


def run_past(enemy: Doc, *path: tuple[float, float]) -> set[str]:
    table = Table([red(10, 10), enemy], step="declarations")
    assert table.do("close_declarations", None).legal
    return bore(table, *path, run=True)


def test_mh_run_bears_on_runs() -> None:
    near = run_past(blue(19.5, 10), (14, 10))
    assert {"MH-RUN-1", "MH-RUN-3", "MH-RUN-6", "MH-RUN-7", "MH-RUN-8", "MH-HIDE-3"} <= near
    away = run_past(blue(19.5, 10), (6, 10))
    assert not {"MH-RUN-4", "MH-RUN-6"} & away
    lying = run_past(blue(13, 10, state={"condition": "stunned"}), (6, 10))
    assert "MH-RUN-4" in lying


def test_mh_chg_declarations_cite_what_let_them() -> None:
    seen = Table([red(10, 10), blue(17, 10)], step="declarations")
    cited = seen.do("declare_charge", targets=["E"]).cites
    assert {"MH-CHG-1", "MH-CHG-3", "MH-PHASE-2"} <= set(cited)
    wall = {**LOW, "height": 0.75}
    hidden = Table(
        [red(11.4, 10, state={"hidden": True}), blue(21.4, 10)], [wall], step="declarations"
    )
    assert "MH-HIDE-8" in hidden.do("declare_charge", targets=["E"]).cites
    frenzied = {"like": "Mercenary Warrior", "frenzy": True}
    mad = Table([red(10, 10, profile=frenzied), blue(17, 10)], step="declarations")
    assert "MH-PSY-2" in mad.do("declare_charge", targets=["E"]).cites


@pytest.mark.parametrize("drop", [0.0, 3.0])
def test_mh_chg_2_a_declaration_says_no_more_of_a_near_enemy_than_of_a_far_one(
    drop: float,
) -> None:
    """What is cited, found and valued is the same however far one that is seen stands."""
    told = set()
    for x in (12.1, 13.9, 17.9, 18.1, 19.1, 30.0):
        terrain = [block("roof", 4, 10.6, 4, 16, drop)] if drop else []
        table = Table([red(10.1, 10, drop), blue(x, 10)], terrain, step="declarations")
        verdict = table.do("declare_charge", targets=["E"])
        assert verdict.legal
        told.add((verdict.cites, verdict.findings, str(verdict.values), verdict.ask))
    assert len(told) == 1


def test_mh_gap_3_the_question_before_the_jump_does_not_tell_how_wide_it_is() -> None:
    told = set()
    for width in (1.5, 2.2, 2.9):
        far = block("far", 10 + width, 20, 4, 16, 3)
        models = [red(9.9, 10, 3), blue(16, 15, 3), blue(30, 30, body_id="E2")]
        table = Table(models, [ROOF, far], step="remaining")
        verdict = table.go({"to": [10 + width + 0.2, 10], "z": 3, "how": "jump"})
        assert verdict.ask is not None
        told.add((tuple(sorted(verdict.cites)), verdict.findings, verdict.ledger))
    assert len(told) == 1


def test_mh_chg_charges_cite_what_bore_on_them() -> None:
    table = Table([red(10, 10), blue(16, 9.4), blue(16, 10.6, body_id="E2")], step="declarations")
    both = set(table.charge("E", "E2").cites)
    assert {"MH-CHG-6", "MH-CHG-7", "MH-CHG-9", "MH-CHG-14", "MH-CHG-16", "MH-HIDE-3"} <= both
    assert "MH-CHG-10" not in both
    models = [red(10, 10), blue(16, 10), blue(10, 16.5, body_id="E2")]
    beside = Table(models, step="declarations").charge("E")
    assert "MH-CHG-10" in beside.cites, "5.5 off, within 5 + 2"
    failed = Table([red(10, 10), blue(25, 10)], step="declarations").charge("E")
    assert {"MH-CHG-11", "MH-CHG-12", "MH-HIDE-3"} <= set(failed.cites)
    dead = red(10, 10, profile="Zombie")
    assert "MH-RUN-10" in Table([dead, blue(16, 10)], step="declarations").charge("E").cites


def test_mh_hide_cites_what_let_it_hide() -> None:
    wall = {**LOW, "wall": [[12, 4], [12, 16]]}
    far = Table([red(11.4, 10), blue(30, 10)], [wall])
    cited = set(far.do("hide").cites)
    assert {"MH-HIDE-1", "MH-HIDE-2"} <= cited
    assert "MH-HIDE-10" not in cited
    near = Table([red(11.4, 10), blue(16.4, 10)], [TALL])
    assert "MH-HIDE-10" in near.do("hide").cites


@pytest.mark.parametrize("dice", [[[3]], [[4], [1], [1]]])
@pytest.mark.parametrize(("run", "clause"), [(True, "MH-GAP-7"), (False, "MH-GAP-6")])
def test_mh_gap_6_and_7_bear_on_a_jump_whether_it_is_made_or_not(
    run: bool, clause: str, dice: list[list[int]]
) -> None:
    far = block("far", 12, 16, 4, 16, 3)
    table = Table([red(9.5, 10, 3)], [ROOF, far])
    legs = [{"to": [10, 10], "z": 3}, {"to": [12, 10], "z": 3, "how": "jump"}]
    verdict = table.do("move", "A", *dice, path=legs, run=run)
    assert {"MH-GAP-6", "MH-GAP-7"} & set(verdict.cites) == {clause}


def test_mh_climb_cites_what_bears_on_a_climb() -> None:
    table = Table([red(3.5, 10)], [ROOF], step="declarations")
    table.state = table.state.with_body(table.body().marked(touching=("roof",)))
    assert table.do("close_declarations", None).legal
    verdict = table.do("move", "A", [3], path=[{"to": [4.5, 10], "z": 3, "how": "climb"}])
    wanted = {f"MH-CLIMB-{number}" for number in (1, 2, 3, 4, 5, 6, 7)}
    assert wanted <= set(verdict.cites)


def test_mh_jump_2_bears_on_a_drop_too_low_for_a_test() -> None:
    low = block("low", 4, 10, 4, 16, 1.5)
    verdict = Table([red(9, 10, 1.5)], [low]).go({"to": [10.5, 10], "z": 0, "how": "drop"})
    assert {"MH-JUMP-1", "MH-JUMP-2", "MH-JUMP-4", "MH-JUMP-5"} <= set(verdict.cites)


def test_mh_los_1_bears_on_a_shot() -> None:
    table = Table([red(10, 10), blue(20, 10)], phase="shooting")
    assert {"MH-LOS-1", "MH-SHOOT-1"} <= set(table.do("shoot", target="E").cites)


def test_mh_flee_1_bears_where_a_friend_spares_the_test() -> None:
    models = [
        red(20, 20),
        blue(19, 20, body_id="E1"),
        blue(20, 19, body_id="E2"),
        red(20, 24, body_id="A2"),
    ]
    verdict = Table(models, phase="hand-to-hand").do("end_phase", None)
    assert "MH-FLEE-1" in verdict.cites
    assert verdict.ask is None


def test_mh_hide_11_bears_on_a_declaration_only_while_somebody_hides() -> None:
    wall: Doc = {"id": "w", "wall": [[29, 20], [29, 24]], "thickness": 0.2, "height": 0.75}
    for hides in (False, True):
        hidden = blue(30, 22, body_id="H", state={"hidden": True} if hides else {})
        table = Table([red(10, 10), blue(16, 10), hidden], [wall], step="declarations")
        assert ("MH-HIDE-11" in table.do("declare_charge", targets=["E"]).cites) is hides
