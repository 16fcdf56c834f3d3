"""WM-INIT, WM-VIS, WM-EVADE, WM-CHG: sight, answers to enemies, where evades and charges end."""

from __future__ import annotations

import math

import pytest

from clauses.warmaster.tabling import (
    OVER,
    U0,
    UNDER,
    Doc,
    Game,
    box,
    character,
    ids,
    line,
    slides,
    to,
    unit,
    way,
)
from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Choice
from tapeline.engine.codec import parse_action
from tapeline.engine.events import Rolled
from tapeline.engine.referee import Session
from tapeline.rules.warmaster import SYSTEM
from tapeline.rules.warmaster.initiative import candidates, targets_of
from tapeline.rules.warmaster.lineup import attacked_edges
from tapeline.rules.warmaster.sight import line_of_sight
from tapeline.table.marks import Marks


def game(*parts: Doc, terrain: tuple[Doc, ...] = (), **more: str) -> Game:
    return Game([unit("U", U0), *parts], terrain, phase="initiative", **more)


def targets(table: Game) -> set[str]:
    return {c.unit.id for c in targets_of(table.state, table.state.units["U"])}


def sees(table: Game, other: str) -> bool:
    units = table.state.units
    return line_of_sight(table.state, units["U"], units[other]) is not None


@pytest.mark.parametrize("profile", ["Cavalry", "Giant Eagles"])
@pytest.mark.parametrize("flies", ["U", "E", ""])
def test_wm_init_12_nothing_divides_flyers(profile: str, flies: str) -> None:
    kind = {"U": "Cavalry", "E": "Cavalry"} | ({flies: profile} if flies else {})
    parts = [unit("U", [(60, 40, 90)], kind["U"]), unit("E", [(60, 57, 270)], kind["E"])]
    table = Game(parts, [box("river", 0, 180, 47, 50)], phase="initiative")
    (found,) = candidates(table.state, table.state.units["U"])
    assert found.divided == ("Giant Eagles" not in kind.values())


@pytest.mark.parametrize(
    ("far", "seen"), [(20 - 1e-3, True), (20, True), (20 + UNDER, True), (20 + OVER, False)]
)
def test_wm_init_1_within_20(far: float, seen: bool) -> None:
    assert targets(game(unit("E", [(60, 42 + far, 270)]))) == ({"E"} if seen else set())


@pytest.mark.parametrize(("more", "tied"), [(0.0, True), (UNDER, True), (OVER, False)])
def test_wm_init_8_equally_close_within_the_tolerance(more: float, tied: bool) -> None:
    near, far = unit("D", [(56, 52, 270)]), unit("E", [(64, 52 + more, 270)])
    assert targets(game(near, far)) == ({"D", "E"} if tied else {"D"})


def test_wm_init_11_12_both_reasons_at_once() -> None:
    """The closest of all, of those not fortified, of those not divided, of those neither."""
    works = box("earthwork", 50, 70, 46, 50)
    river = box("river", 0, 180, 54, 55)
    parts = (
        unit("D", [(56, 48, 270)]),  # fortified, 6 off
        unit("E", [(60, 57, 270)], "Artillery"),  # beyond the river, 13 off
        unit("F", [(79.5, 50, 270)], "Cavalry"),  # neither, farther off
    )
    table = game(*parts, terrain=(works, river))
    found = {c.unit.id: (c.placed, c.divided) for c in candidates(table.state, _u(table))}
    assert found == {"D": (True, False), "E": (False, True), "F": (False, False)}
    gaps = {c.unit.id: c.distance for c in candidates(table.state, _u(table))}
    assert gaps["D"] < gaps["E"] < gaps["F"]
    assert targets(table) == {"D", "E", "F"}
    near = game(parts[0], parts[1], unit("F", [(75.5, 50, 270)], "Cavalry"), terrain=(works, river))
    # What is farther than one that nothing leaves out of account is no candidate.
    assert {c.unit.id for c in candidates(near.state, _u(near))} == {"D", "F"} == targets(near)


def _u(table: Game):  # type: ignore[no-untyped-def]
    return table.state.units["U"]


def test_wm_init_12_the_enemy_may_come_round_though_the_unit_may_not() -> None:
    """Divided only if neither gets round: cavalry goes 30 where infantry goes 20."""
    river = box("river", 40, 100, 44, 46)
    left = math.dist((54, 41), (40, 44)) + 2 + math.dist((40, 46), (52, 52))
    assert 20 < left < 30
    slow = game(unit("D", [(54, 53, 270)]), terrain=(river,))
    fast = game(unit("D", [(53, 54, 270)], "Cavalry"), terrain=(river,))
    assert [c.divided for c in candidates(slow.state, _u(slow))] == [True]
    assert [c.divided for c in candidates(fast.state, _u(fast))] == [False]


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("river", True),
        ("low obstacle", True),
        ("marsh", True),
        ("fields", True),
        ("bridge", True),
        ("hill", False),
        ("wood", False),
        ("village", False),
        ("high obstacle", False),
        ("building", False),
    ],
)
def test_wm_vis_3_what_blocks_sight(kind: str, seen: bool) -> None:
    table = game(unit("E", [(60, 57, 270)]), terrain=(box(kind, 40, 80, 45, 50),))
    assert sees(table, "E") == seen


@pytest.mark.parametrize(("deep", "seen"), [(2.0, True), (2 + UNDER, True), (2.001, False)])
def test_wm_vis_8_two_centimetres_into_a_wood(deep: float, seen: bool) -> None:
    wood = box("wood", 40, 80, 50, 70)
    assert sees(game(unit("E", [(60, 51 + deep, 270)]), terrain=(wood,)), "E") == seen


def test_wm_vis_8_out_of_a_wood_and_within_one() -> None:
    wood = box("wood", 40, 80, 30, 43)
    assert sees(game(unit("E", [(60, 55, 270)]), terrain=(wood,)), "E")
    deeper = box("wood", 40, 80, 30, 43.1)
    assert not sees(game(unit("E", [(60, 55, 270)]), terrain=(deeper,)), "E")
    inside = box("wood", 40, 80, 30, 70)
    assert sees(game(unit("E", [(60, 44, 270)]), terrain=(inside,)), "E")
    assert not sees(game(unit("E", [(60, 44.1, 270)]), terrain=(inside,)), "E")


def test_wm_vis_4_characters_in_any_number_do_not_block() -> None:
    crowd = [character(f"K{k}", 50 + 2.5 * k, 48) for k in range(9)]
    assert sees(game(unit("E", [(60, 57, 270)]), *crowd), "E")


def test_wm_vis_6_all_round_troops_charge_only_what_is_in_front() -> None:
    riders = [(60.0, 40.0, 90.0), (62.0, 40.0, 90.0)]
    parts = [unit("U", riders, "Wolf Riders"), unit("E", [(70, 40, 180)])]
    table = Game(parts, phase="initiative")
    verdict = table.do("initiative_charge", actor="U", target="E")
    assert ids(verdict) == {"WM-VIS-6"}
    assert table.move(*slides("U", riders, -5, 0, "21"), kind="evade", target="E").legal is False


E62 = unit("E", [(60, 70, 270)])
V0 = line(56, 60)


def evading(*parts: Doc, **more: str) -> Game:
    return Game([unit("U", V0), *parts], phase="initiative", **more)


def down(far: float, order: str = "213") -> list[Doc]:
    return slides("U", V0, 0, -far, order)


@pytest.mark.parametrize(
    ("far", "found"),
    [(1 - OVER, "WM-EVADE-2"), (1 - UNDER, ""), (1, ""), (20, ""), (20 + OVER, "WM-STAND-6")],
)
def test_wm_evade_2_from_1_to_a_full_pace(far: float, found: str) -> None:
    verdict = evading(E62).move(*down(far), kind="evade", target="E")
    assert ids(verdict) == ({found} if found else set())


@pytest.mark.parametrize(("aside", "legal"), [(0.0, True), (UNDER, True), (OVER, False)])
def test_wm_evade_1_along_the_line(aside: float, legal: bool) -> None:
    ways = slides("U", V0, aside, -10, "213")
    verdict = evading(E62).move(*ways, kind="evade", target="E")
    assert ids(verdict) == (set() if legal else {"WM-EVADE-1"})


@pytest.mark.parametrize(("stray", "legal"), [(UNDER, True), (1e-3, False)])
def test_wm_evade_6_every_leg_on_the_line(stray: float, legal: bool) -> None:
    ways = down(10)
    ways[0] = way("U-2", to(60 + stray, 55), to(60, 50))
    verdict = evading(E62).move(*ways, kind="evade", target="E")
    assert ids(verdict) == (set() if legal else {"WM-EVADE-6"})


def test_wm_evade_6_not_back_again() -> None:
    ways = down(10)
    ways[0] = way("U-2", to(60, 48), to(60, 50))
    assert ids(evading(E62).move(*ways, kind="evade", target="E")) == {"WM-EVADE-6"}


@pytest.mark.parametrize(
    ("gap", "legal"), [(5, True), (5 - UNDER, True), (5 - OVER, False), (6, True)]
)
def test_wm_evade_10_five_from_every_enemy(gap: float, legal: bool) -> None:
    other = unit("F", [(60, 48 - gap, 90)])
    verdict = evading(E62, other).move(*down(10), kind="evade", target="E")
    assert ids(verdict) == (set() if legal else {"WM-EVADE-10"})


@pytest.mark.parametrize(("low", "high", "ends"), [(59.05, 62, "left"), (54, 56.95, "right")])
def test_wm_evade_4_a_planned_evade_tries_every_nearest_pair(
    low: float, high: float, ends: str
) -> None:
    """Two enemy stands are equally near, one to either side; one of the two ways off is barred."""
    foe = unit("E", [(54, 60, 270), (58, 62, 270), (62, 60, 270)])
    rock = box("impassable", low, high, 38, 53)
    table = Game([unit("U", [(58, 50, 90)], "Knights"), foe], [rock], phase="initiative")
    verdict = table.do("evade", actor="U", target="E")
    assert verdict.legal
    assert "WM-EVADE-4" in verdict.cites
    assert (table.state.bodies["U-1"].x < 58) == (ends == "left")


def test_wm_evade_13_only_units_gone_over_are_confused() -> None:
    friends = [unit("V", line(56, 52)), unit("W", [(90, 52, 90)])]
    table = evading(E62, *friends)
    verdict = table.move(*down(20), kind="evade", target="E", burst=["V", "W"])
    assert verdict.legal
    assert table.mark("V", "confused") is True
    assert table.mark("W", "confused") is None


def test_wm_evade_9_no_burst_through_enemies() -> None:
    table = evading(E62, unit("F", [(100, 100, 90)]))
    verdict = table.move(*down(10), kind="evade", target="E", burst=["F"])
    assert "WM-EVADE-9" in ids(verdict)


@pytest.mark.parametrize(
    ("x", "y", "facing", "edges"),
    [
        (60, 40, 90, ["front"]),
        (60, 80, 270, ["rear"]),
        (90, 60, 180, ["left"]),
        (30, 60, 0, ["right"]),
        # On the line at 45 degrees from a corner of the target, evenly: two zones.
        (62 + 10, 59 - 10, 135, ["front", "left"]),
    ],
)
def test_wm_chg_2_zones(x: float, y: float, facing: float, edges: list[str]) -> None:
    """The target faces 270, so that its left is to the right of the table."""
    table = Game([unit("U", [(x, y, facing)]), unit("E", [(60, 60, 270)])])
    body = table.state.bodies["E-1"]
    assert attacked_edges(table.state, _u(table), body) == edges


#: U lies evenly about the line at 45 degrees from a corner of E; where it ends at either edge.
TIED = [unit("U", [(72, 49, 135)], may_move="order"), unit("E", [(60, 60, 270)])]
AT_EDGE = {"front": {"to": [60, 58], "by": -45}, "left": {"to": [63, 60], "by": 45}}
BY_FACE = {1: "front", 3: "front", 4: "left", 6: "left"}


def tied(*more: Doc, terrain: tuple[Doc, ...] = ()) -> Game:
    return Game([*TIED, *more], terrain)


def charging(table: Game, edge: str | None, face: int) -> Session:
    """A charge given for an edge, or planned, for which the die has fallen."""
    stands = [] if edge is None else [way("U-1", {**AT_EDGE[edge], "how": "free"})]
    action = {"kind": "charge", "actor": "U", "target": "E", "stands": stands}
    session = Session(SYSTEM, table.state, parse_action(SYSTEM, action))
    assert isinstance(session.ask, Roll)
    session.send(Answer(faces=(face,)))
    return session


def answered(session: Session, *legs: Doc) -> bool:
    return session.send(Answer(value=tuple(Marks({**leg, "to": tuple(leg["to"])}) for leg in legs)))


@pytest.mark.parametrize("face", BY_FACE)
def test_wm_chg_2_a_planned_charge_goes_to_the_edge_that_the_die_names(face: int) -> None:
    session = charging(tied(), None, face)
    assert session.done
    assert session.verdict.legal
    assert "WM-CHG-2" in session.verdict.cites
    body = session.state.bodies["U-1"]
    assert body.centre == pytest.approx(AT_EDGE[BY_FACE[face]]["to"])


@pytest.mark.parametrize("face", BY_FACE)
@pytest.mark.parametrize("edge", AT_EDGE)
def test_wm_chg_2_a_tie_is_rolled_for_once(edge: str, face: int) -> None:
    """1 to 3 the front of the target, 4 to 6 its left; who set out for the other is asked again,
    and the die stands whatever is answered."""
    named = BY_FACE[face]
    session = charging(tied(), edge, face)
    assert session.done == (edge == named)
    if not session.done:
        assert not answered(session, {**AT_EDGE[edge], "how": "free"})
        assert "WM-CHG-3" in ids(session.verdict)
        assert isinstance(session.ask, Choice)
        assert session.ask.form == "path"
        assert named in session.ask.purpose
        assert answered(session, {**AT_EDGE[named], "how": "free"})
    assert session.done
    assert session.verdict.legal
    assert session.state.bodies["U-1"].centre == pytest.approx(AT_EDGE[named]["to"])
    assert sum(isinstance(event, Rolled) for event in session.events) == 1


def test_wm_chg_2_who_has_no_other_way_in_mind_goes_as_planned() -> None:
    session = charging(tied(), "front", 5)
    assert answered(session)
    assert session.verdict.legal
    assert session.state.bodies["U-1"].centre == pytest.approx((63, 60))


def test_wm_chg_2_no_way_to_the_edge_that_the_die_names() -> None:
    """A pond lies along the left of the target: the charge comes to nothing, and is spent."""
    table = tied(terrain=(box("lake", 62.5, 65, 59.2, 60.8),))
    for edge in ("front", None):
        session = charging(table, edge, 2)
        assert session.done
        assert session.verdict.legal
        session = charging(table, edge, 5)
        assert not session.done
        assert not answered(session, {**AT_EDGE["left"], "how": "free"})
        assert answered(session)
        assert session.done
        assert session.verdict.legal
        assert session.state.bodies["U-1"].centre == (72, 49)
        marks = session.state.units["U"].marks
        assert "may_move" not in marks
        assert "charged" not in marks


def test_wm_chg_2_a_way_to_neither_edge_is_refused_before_the_die() -> None:
    stands = [way("U-1", {"to": [66, 55]})]
    verdict = tied().do("charge", actor="U", target="E", stands=stands)
    assert not verdict.legal
    assert verdict.ask is None


def test_wm_chg_a_single_stand_is_planned() -> None:
    parts = [unit("U", [(60, 40, 90)], "Giant", may_move="order"), unit("E", [(60, 57, 270)])]
    table = Game(parts)
    assert table.do("charge", actor="U", target="E").legal
    assert table.state.bodies["U-1"].centre == pytest.approx((60, 54))


@pytest.mark.parametrize(("aside", "found"), [(0, set()), (OVER, {"WM-CHG-3"}), (1, {"WM-CHG-3"})])
def test_wm_chg_3_centre_to_centre(aside: float, found: set[str]) -> None:
    one = [(60.0, 40.0, 90.0)]
    table = Game([unit("U", one, may_move="order"), unit("E", [(60, 60, 270)])])
    verdict = table.move(way("U-1", to(60 + aside, 58)), kind="charge", target="E")
    assert ids(verdict) == found


@pytest.mark.parametrize(("free", "legal"), [(1.5, True), (1, True), (0.9, False)])
def test_wm_chg_3_at_least_1_of_the_edge(free: float, legal: bool) -> None:
    """A friend beside takes all but a part of the edge."""
    one = [(60.0, 45.0, 90.0)]
    friend = unit("V", [(60 - free, 58, 90)])
    table = Game([unit("U", one, may_move="order"), friend, unit("E", [(60, 60, 270)])])
    place = (64 - free, 58)
    verdict = table.move(way("U-1", to(64 - free, 45), to(*place)), kind="charge", target="E")
    assert verdict.legal == legal
    if not legal:
        assert "WM-CHG-3" in ids(verdict)


FOES = unit("E", line(56, 60, facing=270))


def test_wm_chg_3_the_next_closest_where_the_closest_cannot_be_met() -> None:
    """Friends leave a slot through which the left stand is seen, too narrow for the charger."""
    one, slot = [(55.6, 46.0, 90.0)], [unit("V", [(57.4, 57, 0)]), unit("W", [(53, 57, 90)])]
    shut = Game([unit("U", one), FOES, *slot], phase="initiative")
    assert shut.do("initiative_charge", actor="U", target="E").legal
    # Against the middle stand, as near to centre to centre as the friend allows.
    assert shut.state.bodies["U-1"].centre == pytest.approx((60.4, 58))
    free = Game([unit("U", one), FOES], phase="initiative")
    refused = free.move(way("U-1", to(60, 58)), kind="initiative_charge", target="E")
    assert ids(refused) == {"WM-CHG-3"}


def test_wm_chg_3_a_planned_charge_leaves_room_for_a_rock() -> None:
    rock = box("impassable", 61, 64, 55, 58.5)
    parts = [unit("U", [(58, 45, 90)]), unit("E", [(60, 60, 270)])]
    table = Game(parts, [rock], phase="initiative")
    assert table.do("initiative_charge", actor="U", target="E").legal
    assert table.state.bodies["U-1"].centre == pytest.approx((59, 58), abs=1e-5)


def test_wm_init_14_no_initiative_after_the_half_move_of_a_failed_order() -> None:
    parts = [unit("E", [(60, 55, 270)]), character("H", 60, 25)]
    table = game(*parts, init_close="first_success")
    table.do("order", (5, 5), actor="H", units=["U"])
    evade = {"kind": "evade", "target": "E"}
    assert table.move(*slides("U", U0, 0, -5)).legal
    there = line(56, 35)
    assert ids(table.move(*slides("U", there, 0, -5, "213"), **evade)) == {"WM-INIT-14"}
    table = game(*parts, init_close="first_success")
    table.do("order", (5, 5), actor="H", units=["U"])
    assert table.move(*slides("U", U0, 0, -5, "213"), **evade).legal
