"""MH-FALL, MH-EDGE, MH-WND, MH-INJ, MH-REC, MH-FLEE, MH-PSY-3: what happens to models."""

from __future__ import annotations

import math

import pytest

from clauses.mordheim.staging import Table, block, blue, ids, red
from tapeline.engine.events import Happened
from tapeline.rules.mordheim.climb import fall_strength
from tapeline.rules.mordheim.reach import REACHING
from tapeline.rules.mordheim.wounds import needed_to_wound

ROOF = block("R", 4, 10, 4, 16, 4)


def _shot(table: Table, *dice: list[int], result: str = "knocked_down") -> None:
    verdict = table.do("shoot", "E", *dice, target="A", result=result)
    assert verdict.legal
    assert verdict.ask is None, verdict.ask


def _on_roof(x: float, **more: object) -> Table:
    return Table([red(x, 10, 4, **more), blue(30, 10)], [ROOF], phase="shooting", active="blue")


@pytest.mark.parametrize(
    ("difference", "needs"),
    [(5, 2), (2, 2), (1, 3), (0, 4), (-1, 5), (-2, 6), (-3, 6), (-4, None), (-7, None)],
)
def test_mh_wnd_1(difference: int, needs: int | None) -> None:
    assert needed_to_wound(3 + difference, 3) == needs


@pytest.mark.parametrize(("height", "strength"), [(0.99, 0), (1.0, 1), (3.9999999, 4), (12.5, 10)])
def test_mh_fall_1_strength(height: float, strength: int) -> None:
    assert fall_strength(height) == strength


@pytest.mark.parametrize(("x", "tested"), [(8.5, True), (8.4999, False), (9.9, True)])
def test_mh_edge_1_within_an_inch(x: float, tested: bool) -> None:
    verdict = _on_roof(x).do("shoot", "E", target="A", result="knocked_down")
    assert (verdict.ask is not None) == tested


def test_mh_edge_1_counts_for_new_results_only() -> None:
    """A model that comes round from stunned is not put down anew."""
    table = Table(
        [red(8.5, 10, 4, state={"condition": "stunned"}), blue(30, 10)], [ROOF], phase="recovery"
    )
    assert table.do("end_phase", None).ask is None
    assert table.mark("condition") == "knocked_down"


@pytest.mark.parametrize(
    ("before", "said"), [("stunned", "stays stunned"), ("standing", "is knocked down")]
)
def test_mh_stun_1_stays_what_is_worse(before: str, said: str) -> None:
    """Who lies stunned stays so when knocked down, and nothing else is said."""
    table = Table(
        [red(20, 10, state={"condition": before}), blue(30, 10)], phase="shooting", active="blue"
    )
    _shot(table)
    assert table.session is not None
    told = [event.text for event in table.session.events if isinstance(event, Happened)]
    assert told[-1].endswith(said)


def test_mh_edge_2_lands_below_and_falls() -> None:
    table = _on_roof(8.5)
    _shot(table, [4], [3], [1, 2])
    body = table.body()
    assert (body.x, body.y, body.z) == (10.5, 10.0, 0.0)
    assert table.mark("fallen") is True
    assert table.mark("condition") == "knocked_down"


@pytest.mark.parametrize(
    ("wounds_lost", "injuries", "condition", "lost"),
    [(0, None, "knocked_down", 1), (1, [4], "stunned", 2), (2, [2, 4], "stunned", 2)],
)
def test_mh_inj_1_wounds_before_injuries(
    wounds_lost: int, injuries: list[int] | None, condition: str, lost: int
) -> None:
    """A model of two wounds: the first is only taken, the second and each after it rolled for."""
    profile = {"like": "Mercenary Warrior", "wounds": 2}
    table = _on_roof(8.5, profile=profile, state={"wounds_lost": wounds_lost})
    hits = [3, 1, 1] if injuries is None else [3, 3, 1] if len(injuries) == 2 else [3, 1, 1]
    dice = [[4], [5], hits] + ([injuries] if injuries else [])
    _shot(table, *dice)
    assert table.mark("condition") == condition
    assert table.mark("wounds_lost") == lost


def test_mh_out_1_nobody_fights_the_one_that_is_gone() -> None:
    table = Table([red(10, 10), blue(11, 10)], phase="hand-to-hand")
    assert table.mark("engaged", "E") == ["A"]
    assert table.do("strike", "E", target="A", result="out").legal
    assert "A" not in table.state.bodies
    assert table.mark("engaged", "E") is None


def test_mh_stun_1_and_kd_2_standing_up_takes_two_turns() -> None:
    table = Table([red(10, 10, state={"condition": "stunned"}), blue(40, 40)], phase="recovery")
    assert "MH-STUN-1" in ids(table.do("stand_up"))
    assert table.do("end_phase", None).legal
    assert table.do("close_declarations", None).legal
    assert ids(table.go((11, 10))) == {"MH-KD-1"}


@pytest.mark.parametrize(("dice", "rallies"), [([3, 4], True), ([4, 4], False)])
def test_mh_rec_1(dice: list[int], rallies: bool) -> None:
    friend = red(12, 10, body_id="A2")
    table = Table([red(10, 10, state={"fleeing": True}), friend, blue(40, 40)], phase="recovery")
    assert table.do("rally", "A", dice).legal
    assert (table.mark("fleeing") is None) == rallies
    assert bool(table.mark("rallied")) == rallies
    table.do("end_phase", None)
    table.do("close_declarations", None)
    assert table.state.progress["step"] == ("remaining" if rallies else "compulsory")


@pytest.mark.parametrize(
    ("mark", "clause"), [("rallied", "MH-REC-1"), ("stands_still", "MH-PSY-3")]
)
def test_reach_tells_what_bars_all_but_staying(mark: str, clause: str) -> None:
    table = Table([red(20, 20, state={mark: True}), blue(40, 40)])
    found = REACHING["move"](table.state, table.state.body("A")).findings
    assert [finding.clause for finding in found] == [clause]
    assert table.do("move").legal


@pytest.mark.parametrize(("friend", "may"), [(19.9, True), (20.0, True), (20.1, False)])
def test_mh_rec_2_the_closest_model(friend: float, may: bool) -> None:
    models = [red(10, 10, state={"fleeing": True}), red(friend, 10, body_id="A2"), blue(10, 20)]
    verdict = Table(models, phase="recovery").do("rally")
    assert ids(verdict) == (set() if may else {"MH-REC-2"})


@pytest.mark.parametrize(
    ("friend", "state", "breaks"),
    [(27.0, {}, False), (27.01, {}, True), (24.0, {"condition": "stunned"}, True)],
)
def test_mh_flee_1_alone(friend: float, state: dict[str, object], breaks: bool) -> None:
    models = [red(20, 20), blue(19, 20, body_id="E1"), blue(20, 19, body_id="E2")]
    table = Table([*models, red(friend, 20, body_id="A2", state=state)], phase="hand-to-hand")
    assert (table.do("end_phase", None).ask is not None) == breaks


def test_mh_flee_1_a_hit_may_take_it_down_first() -> None:
    models = [red(20, 20), blue(19, 20, body_id="E1"), blue(20, 19, body_id="E2")]
    table = Table(models, phase="hand-to-hand")
    assert table.do("end_phase", None, [6, 6], "stunned", "nothing").legal
    assert table.body().centre == (20.0, 20.0)
    assert table.mark("condition") == "stunned"


def test_mh_flee_2_to_the_nearest_edge() -> None:
    table = Table([red(24, 12, state={"fleeing": True}), blue(40, 40)], step="declarations")
    table.do("close_declarations", None)
    verdict = table.do("compulsory", "A", [4, 3])
    assert verdict.kind.value == "FORCED"
    assert table.body().centre == pytest.approx((24.0, 5.0))


@pytest.mark.parametrize(("y", "gone"), [(7.5, True), (7.501, False)])
def test_mh_flee_2_removed_at_the_edge(y: float, gone: bool) -> None:
    table = Table([red(24, y, state={"fleeing": True}), blue(40, 40)], step="declarations")
    table.do("close_declarations", None)
    assert table.do("compulsory", "A", [4, 3]).legal
    assert ("A" in table.state.gone) == gone


def test_mh_flee_3_runs_on_when_charged() -> None:
    table = Table([red(24, 16), blue(24, 10, state={"fleeing": True})], step="declarations")
    verdict = table.charge("E", dice=[[1, 2]])
    assert "MH-FLEE-3" in verdict.cites
    assert table.body().centre == pytest.approx((24.0, 11.0))
    assert table.body("E").centre == pytest.approx((24.0, 7.0))
    assert table.mark("engaged") is None


@pytest.mark.parametrize(("enemy", "x"), [(40.0, 13.0), (14.5, 12.5), (13.0, 11.0), (11.5, 10.0)])
def test_mh_psy_3_stumbles_ahead_and_stops_an_inch_from_enemies(enemy: float, x: float) -> None:
    table = Table(
        [
            red(10, 10, profile={"like": "Mercenary Warrior", "movement": 6, "stupid": True}),
            blue(enemy, 10),
        ],
        phase="recovery",
    )
    assert table.do("end_phase", None, [6, 6], [3]).legal
    assert "MH-PSY-3" in ids(table.do("declare_charge", targets=["E"]))
    assert table.do("close_declarations", None).legal
    assert table.do("compulsory").kind.value == "FORCED"
    assert table.body().x == pytest.approx(x, abs=1e-6)


def test_mh_psy_3_stops_where_a_way_past_an_enemy_grazes_its_inch() -> None:
    table = Table(
        [red(10, 10, facing=0, state={"stumbles": True}), blue(11.13, 11.999)], step="declarations"
    )
    assert table.do("close_declarations", None).legal
    assert table.do("compulsory").legal
    x, y = table.body().centre
    assert (x, y) == pytest.approx((11.13 - math.sqrt(2.0**2 - 1.999**2), 10.0), abs=1e-6)


def test_mh_psy_3_over_an_edge() -> None:
    stupid = {"like": "Mercenary Warrior", "stupid": True}
    table = Table([red(9, 10, 4, profile=stupid), blue(40, 40)], [ROOF], phase="recovery")
    assert table.do("end_phase", None, [6, 6], [3]).legal
    assert table.do("close_declarations", None).legal
    assert table.do("compulsory", "A", [1], [1]).legal
    assert table.body().z == 0.0
    assert table.mark("fallen") is True


def test_directions_of_flight_away_from_all() -> None:
    models = [red(20, 20)]
    models += [
        blue(20 + math.cos(a), 20 + math.sin(a), body_id=f"E{i}")
        for i, a in enumerate((math.radians(60), math.radians(-60)))
    ]
    table = Table(models, phase="hand-to-hand")
    assert table.do("end_phase", None, [6, 6], "nothing", "nothing", [1, 1]).legal
    assert table.body().centre == pytest.approx((18.0, 20.0))
    assert table.mark("engaged") is None


@pytest.mark.parametrize("die", [1, 2])
def test_mh_edge_2_of_two_edges_as_near_the_die_chooses(die: int) -> None:
    table = Table([red(9, 15, 4), blue(30, 10)], [ROOF], phase="shooting", active="blue")
    verdict = table.do("shoot", "E", [4], [die], [1], [1], target="A", result="knocked_down")
    assert verdict.legal
    landings = {(10.5, 15.0), (9.0, 16.5)}
    assert table.body().centre in landings
    other = Table([red(9, 15, 4), blue(30, 10)], [ROOF], phase="shooting", active="blue")
    other.do("shoot", "E", [4], [3 - die], [1], [1], target="A", result="knocked_down")
    assert {table.body().centre, other.body().centre} == landings


@pytest.mark.parametrize(
    ("friend", "tested"),
    [("Mercenary Captain", False), ("Mercenary Warrior", True), (None, True)],
)
def test_mh_psy_3_a_hero_within_6_inches(friend: str | None, tested: bool) -> None:
    models = [red(10, 10, profile="Rat Ogre"), blue(40, 40)]
    if friend is not None:
        models.append(red(17, 10, body_id="A2", profile=friend))
    verdict = Table(models, phase="recovery").do("end_phase", None)
    assert (verdict.ask is not None) == tested


def test_mh_flee_3_one_that_lies_is_fought() -> None:
    down = blue(24, 10, state={"fleeing": True, "condition": "knocked_down"})
    table = Table([red(24, 16), down], step="declarations")
    assert table.charge("E").legal
    assert table.mark("engaged") == ["E"]


def test_a_fall_beside_an_enemy_brings_no_combat() -> None:
    """The foot is taken, the nearest free place would touch the enemy; combat is for charges."""
    table = Table(
        [red(8.5, 10, 4), blue(30, 10), blue(10.6, 10, body_id="E2")],
        [ROOF],
        phase="shooting",
        active="blue",
    )
    _shot(table, [4], [1], [1])
    from tapeline.rules.mordheim.contact import flat_gap, touching

    body, enemy = table.body(), table.body("E2")
    assert body.z == 0.0
    assert not touching(body, enemy)
    assert flat_gap(body, enemy) < 0.01
    assert table.mark("engaged") is None
