"""TC-RET, TC-MEL, TC-INJ, TC-ROLL: attacks, injuries, ways out, markers."""

from __future__ import annotations

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red, to

R = 125 / 127


@pytest.mark.parametrize(("gap", "legal"), [(0.9999, True), (1.0, True), (1.0001, False)])
def test_tc_ret_1_needs_an_enemy_within_1(gap: float, legal: bool) -> None:
    verdict = Table([red("A", 10, 10), blue("E", 10 + R + gap, 10)]).do("retreat")
    assert verdict.legal is legal
    assert legal or ids(verdict) == ["TC-RET-1"]


@pytest.mark.parametrize(("gap", "legal"), [(0.9999, False), (1.0, False), (1.0001, True)])
def test_tc_ret_5_end_clear(gap: float, legal: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 11.2, 10)])
    verdict = table.do("retreat", path=to((11.2 - R - gap, 10)))
    assert verdict.legal is legal
    assert legal or ids(verdict) == ["TC-RET-5"]


def test_tc_ret_5_the_nearest_clear_end_lies_farther_on() -> None:
    table = Table([red("A", 10, 10), blue("E", 11.2, 10)])
    verdict = table.do("retreat", path=to((9.5, 10)))
    assert verdict.nearest is not None
    assert verdict.nearest.short_by == pytest.approx(9.5 - (11.2 - R - 1), abs=1e-4)
    assert table.follow(verdict).legal


@pytest.mark.parametrize(("x", "legal"), [(4.0001, True), (4.0, True), (3.9999, False)])
def test_tc_ret_9_allowance(x: float, legal: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 11.2, 10)])
    assert (ids(table.do("retreat", path=to((x, 10)))) == ["TC-RET-9"]) is not legal


def test_tc_ret_2_unarmed_or_blind_enemies_do_not_attack() -> None:
    gun = {"weapons": ["rifle"]}
    table = Table([red("A", 10, 10), blue("E", 11.2, 10, stats=gun)])
    assert table.do("retreat", path=to((5, 10))).ask is None
    wall = box("wall", 10.55, 10.65, 5, 15, height=4)
    table = Table([red("A", 10, 10), blue("E", 11.2, 10)], [wall], los_mode="attested")
    assert table.do("retreat").ask is not None


@pytest.mark.parametrize(
    ("faces", "blood", "down", "moves"),
    [((1, 1), 1, False, True), ((1, 5), 1, False, True), ((1, 6), 1, True, False)],
)
def test_tc_inj_1_results(faces: tuple[int, int], blood: int, down: bool, moves: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 11.2, 10)])
    table.do("retreat", "A", "E", (4, 4), faces, path=to((5, 10)))
    marks = table.body().marks
    assert (marks.get("blood"), marks.get("down", False)) == (blood, down)
    assert table.body().x == (5 if moves else 10)


def test_tc_inj_1_armour_can_turn_it_to_nothing() -> None:
    table = Table([red("A", 10, 10, stats={"armour": -1}), blue("E", 11.2, 10)])
    table.do("retreat", "A", "E", (4, 4), (1, 1), path=to((5, 10)))
    assert table.body().marks.get("blood") is None


def test_tc_inj_1_blood_stops_at_six() -> None:
    table = Table([red("A", 10, 10, blood=6), blue("E", 11.2, 10)])
    table.do("retreat", "A", "E", (4, 4), False, 0, (2, 2), path=to((5, 10)))
    assert table.body().marks["blood"] == 6


def test_tc_inj_2_blessings_take_dice_away() -> None:
    table = Table([red("A", 10, 10, blessing=1), blue("E", 11.2, 10)])
    table.do("retreat", "A", "E", (4, 4), 1, (6, 6, 1), path=to((5, 10)))
    assert table.body().marks.get("blessing") is None
    assert table.body().marks.get("down") is True  # the two lowest: 6 + 1 = 7


def test_tc_inj_3_three_markers_if_down() -> None:
    models = [red("A", 10, 10, blood=3, down=True), blue("E", 11.2, 10)]
    table = Table(models, progress={"actor": "E"}, turn={"active": "blue"})
    verdict = table.do("forced_retreat", "A", "E", (4, 4), True, (1, 1, 1, 1))
    assert "TC-INJ-3" in verdict.cites
    assert verdict.values["injury"] == 3  # 3D6 and one more die: the three highest


@pytest.mark.parametrize(("blood", "dice", "keep"), [(0, 2, 0), (1, 3, -2), (4, 6, -2)])
def test_tc_roll_2_and_3_pools(blood: int, dice: int, keep: int) -> None:
    table = Table([red("A", 10, 10, blood=4)])
    verdict = table.do("dash", "A", blood)
    assert (verdict.ask.count, verdict.ask.keep, verdict.ask.reads) == (dice, keep, "sum")


def test_tc_roll_3_nobody_is_asked_without_markers() -> None:
    assert Table([red("A", 10, 10)]).do("dash").ask.count == 2


@pytest.mark.parametrize("first", ["red", "blue"])
def test_tc_roll_4_the_initiative_sets_the_order(first: str) -> None:
    table = Table([red("A", 10, 10, blood=1, blessing=1)], turn={"initiative": "blue"})
    assert table.do("dash").ask.by == "blue"
    assert table.do("dash", "A", first).ask.by == first


@pytest.mark.parametrize(("gap", "legal"), [(0.9999, True), (1.0, True), (1.0001, False)])
def test_tc_mel_1_reach(gap: float, legal: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 10 + R + gap, 10)])
    assert table.do("fight", target="E").legal is legal


@pytest.mark.parametrize(
    ("low", "high", "covered"),
    [(10.7, 10.9, True), (10.7, 13, True), (9, 13, False), (9, 11, False)],
)
def test_tc_mel_1_cover_between(low: float, high: float, covered: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 11.6, 10)], [box("trench", low, high, 8, 12)])
    assert table.do("fight", target="E").ask.count == (3 if covered else 2)


def test_tc_mel_1_friends_are_not_fought() -> None:
    table = Table([red("A", 10, 10), red("F", 11.5, 10)])
    assert ids(table.do("fight", target="F")) == ["TC-MEL-1"]


@pytest.mark.parametrize(("movement", "out"), [(2.8790, False), (2.8792, True)])
def test_tc_ret_6_exactly_enough_is_not_enough(movement: float, out: bool) -> None:
    models = [
        red("A", 0.5, 0.5, stats={"movement": movement}),
        blue("E1", 2.1, 0.6),
        blue("E2", 0.6, 2.1),
    ]
    verdict = Table(models).do("retreat", "A", "pass")
    assert (verdict.ask is not None) is out
    assert ("TC-RET-6" in verdict.cites) is not out


def test_tc_ret_6_round_a_wall_no_straight_way() -> None:
    """A hook-shaped pocket: out only by bending round the end of a wall."""
    walls = [
        box("wall", 8, 9.2, 8, 12, id="W1"),
        box("wall", 8, 12.3, 10.8, 12, id="W2"),
        box("wall", 8, 10.2, 8, 9.2, id="W3"),
    ]
    table = Table([red("A", 9.8, 10), blue("E", 11.55, 10)], walls)
    assert table.do("retreat", "A", "pass").ask is not None
    slow = [red("A", 9.8, 10, stats={"movement": 1.0}), blue("E", 11.55, 10)]
    assert "TC-RET-6" in Table(slow, walls).do("retreat", "A", "pass").cites


def test_g_30_foreign_zones_stay_closed() -> None:
    table = Table([red("A", 10, 10), blue("E", 11.2, 10), blue("E2", 7, 11)])
    assert "TC-MOVE-7" in ids(table.do("retreat", path=to((4, 10))))


def test_tc_ret_4_out_of_action_stops_the_attacks() -> None:
    models = [red("A", 10, 10), blue("E1", 11.2, 10), blue("E2", 10, 11.2), blue("E3", 30, 30)]
    table = Table(models)
    assert table.do("retreat", "A", "E1", (6, 6), (6, 6, 1)).ask is None
    assert "A" in table.state.gone
    assert table.state.turn.active == "blue"
