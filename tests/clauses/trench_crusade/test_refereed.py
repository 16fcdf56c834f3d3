"""Positions a sceptical referee would try, by clause: storeys, held chargers, falls in between."""

from __future__ import annotations

import math
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red, to

R = 125 / 254
Doc = dict[str, Any]

ROOF: Doc = {
    "id": "roof",
    "floor": {"rectangle": {"centre": [16, 10], "width": 8, "depth": 8}},
    "z": 3,
}
LADDER: Doc = {"id": "ladder", "ladder": {"foot": [12, 10, 0], "head": [12, 10, 3]}}


def block(name: str, left: float, right: float, top: float) -> Doc:
    """A block right across the table."""
    found: Doc = box("block", left, right, 0, 48, height=top, id=name)
    return found


def asked(table: Table) -> str:
    """What is asked next; "" when nothing is."""
    assert table.session is not None
    ask: Any = table.session.ask
    return "" if ask is None else str(getattr(ask, "purpose", "") or ask.question)


# Dangerous ground.


@pytest.mark.parametrize(
    ("z", "terrain", "rolls"),
    [
        (3, [ROOF, LADDER, box("minefield", 13, 19, 7, 13, id="mines")], False),
        (0, [ROOF, LADDER, box("minefield", 13, 19, 7, 13, id="mines")], True),
        (3, [{**ROOF, "traits": ["dangerous"]}, LADDER], True),
        (0, [{**ROOF, "traits": ["dangerous"]}, LADDER], False),
        (3, [ROOF, LADDER, box("gas", 13, 19, 7, 13, id="gas", base_height=3)], True),
    ],
    ids=["above mines", "in mines", "on a bad floor", "under a bad floor", "gas upstairs"],
)
def test_tc_ter_4_danger_counts_at_its_height(z: float, terrain: list[Doc], rolls: bool) -> None:
    table = Table([red("A", 16, 10, z=z)], terrain, progress={})
    verdict = table.do("activate")
    assert verdict.legal
    assert ("Risky Success Roll" in asked(table)) is rolls


# Charges from within 1 inch (`charge_from_within_1` allow).


@pytest.mark.parametrize("terrain", [[], [box("block", 40, 44, 40, 44, height=3)]])
@pytest.mark.parametrize(("turn", "stays"), [(75.0, False), (-5.0, True)])
def test_tc_move_8_binds_a_slide(turn: float, stays: bool, terrain: list[Doc]) -> None:
    models = [red("A", 10, 10), blue("T", 11.5, 10), blue("E", 9.2, 11.4), blue("G", 12.4, 8.4)]
    if stays:  # a little way toward E
        models[3] = blue("G", 11.0, 12.3)
    table = Table(models, terrain, charge_from_within_1="allow")
    slide = [{"centre": [11.5, 10], "by": turn}]
    verdict = table.do("charge", "A", (6,), slide, target="T")
    assert ids(verdict) == ([] if stays else ["TC-MOVE-8"])
    if not stays:
        assert verdict.findings[0].about == "E"


@pytest.mark.parametrize("terrain", [[], [box("block", 40, 44, 40, 44, height=3)]])
def test_tc_move_8_binds_the_way_round_a_friend(terrain: list[Doc]) -> None:
    # The nearest free place at T is out of E's reach: back along the way instead, beside F.
    models = [red("A", 10, 10), blue("T", 10.9 + 2 * R, 10), blue("E", 10.3, 11.87)]
    models.append(red("F", 10.95, 10.75))
    table = Table(models, terrain, charge_from_within_1="allow")
    verdict = table.do("charge", "A", (6,), target="T")
    assert verdict.legal
    a, e, f = (table.body(name).centre for name in "AEF")
    assert math.dist(a, e) - 2 * R <= 1 + 1e-6
    assert math.dist(a, f) == pytest.approx(2 * R, abs=1e-6)


# Routes as short.


@pytest.mark.parametrize("terrain", [[], [box("block", 40, 44, 40, 44, height=3, id="far")]])
@pytest.mark.parametrize("side", [1, -1])
def test_tc_chg_3_one_clear_route_of_two_is_enough(side: int, terrain: list[Doc]) -> None:
    trap = box("tank trap", 14.5, 15.5, 9, 11, id="trap")
    models = [red("A", 10, 10), blue("T", 20, 10), blue("E", 15, 10 + side * 2.9)]
    table = Table(models, [trap, *terrain])
    verdict = table.do("charge", "A", (6,), target="T")
    assert verdict.legal
    assert table.body().y * side < 10 * side  # it has gone by the other side


@pytest.mark.parametrize("wide", [2.0, 4.0])
def test_tc_chg_8_down_a_terrace_by_its_nearest_step(wide: float) -> None:
    # What lies lower than the ledge is a step to land on, not part of what carries the ledge.
    terrain = [block("high", 4, 12, 5), block("step", 12, 12 + wide, 2)]
    models = [red("A", 11, 10, z=5), blue("T", 12.8, 11.3, z=2)]
    table = Table(models, terrain, los_mode="attested")
    verdict = table.do("charge", "A", (6,), (6, 6), target="T")
    assert verdict.legal
    body = table.body()
    assert body.z == 2
    assert body.x == pytest.approx(12 + R, abs=1e-6)
    assert verdict.values["moved"] == pytest.approx(math.dist((11, 10), body.centre), abs=1e-5)


@pytest.mark.parametrize("traits", [[], ["unclimbable"]])
def test_tc_jmp_5_down_off_a_wall_that_cannot_be_climbed(traits: list[str]) -> None:
    floor = {
        "id": "f",
        "floor": {"rectangle": {"centre": [16, 10], "width": 8, "depth": 8}},
        "z": 3,
    }
    wall = {"id": "w", "wall": [[12, 6], [12, 14]], "height": 3, "thickness": 0.6, "traits": traits}
    ladder = {"id": "l", "ladder": {"foot": [20, 10, 0], "head": [20, 10, 3]}}
    down = [{"to": [11, 10], "z": 0, "how": "drop"}]
    table = Table([red("A", 13.5, 10, z=3)], [floor, wall, ladder])
    assert table.do("move", "A", (1, 1, 1), path=down).legal
    assert table.body().z == 0
    table = Table([red("A", 13.5, 10, z=3), blue("T", 9, 10)], [floor, wall, ladder])
    verdict = table.do("charge", "A", (2,), (1, 1, 1), target="T")
    assert verdict.values["moved"] == pytest.approx(4.5 - 2 * R, abs=1e-6)  # straight on


# Climbs.


@pytest.mark.parametrize(
    ("start", "z", "end", "top"),
    [((11.4, 10), 0.0, (12.6, 10), 3.0), ((11.4, 10), 0.0, (12.6, 11), 3.0),
     ((12.6, 10), 3.0, (11.4, 11), 0.0)],
    ids=["straight up", "up and along", "down and along"],
)  # fmt: skip
def test_tc_clm_1_only_the_step_across_is_free(
    start: tuple[float, float], z: float, end: tuple[float, float], top: float
) -> None:
    table = Table([red("A", *start, z=z)], [block("b", 12, 24, 3)])
    verdict = table.do("move", "A", (4, 4), path=[{"to": list(end), "z": top, "how": "climb"}])
    assert verdict.legal
    assert table.body().centre == pytest.approx(end)
    # The step is the part of the line from where the base is at the edge to where it is clear of
    # it: across by 2 R, and by as much more along it as the line leads aside.
    whole = math.dist(start, end)
    step = 2 * R * whole / 1.2 if top else R + R * whole / 1.2
    along = step * abs(end[1] - start[1]) / whole
    assert verdict.values["cost"] == pytest.approx(3.0 + (whole - step) + along, abs=1e-6)


def test_tc_clm_1_no_nine_inches_along_a_wall_for_the_climb() -> None:
    for start, z, end, top in (
        ((11.4, 10), 0, (12.6, 19), 3),
        ((12.6, 10), 3, (11.4, 19), 0),
        ((12.6, 10), 3, (11.4, 16), 0),
    ):
        table = Table([red("A", *start, z=z)], [block("b", 12, 24, 3)])
        path = [{"to": list(end), "z": top, "how": "climb"}]
        assert ids(table.do("move", "A", path=path)) == ["TC-CLM-1"]
    wall = {"id": "w", "wall": [[12, 0], [12, 40]], "height": 1.5}
    path = [{"to": [12.7, 19], "z": 0, "how": "climb"}]
    assert ids(Table([red("A", 11.4, 10)], [wall]).do("move", "A", path=path)) == ["TC-CLM-1"]


def test_tc_clm_1_leads_to_what_begins_there() -> None:
    blocks = [block("b", 12, 13, 3), block("c", 17, 24, 3)]
    path = [{"to": [17.5, 10], "z": 3, "how": "climb"}]
    table = Table([red("A", 11, 10)], blocks)
    assert ids(table.do("move", "A", path=path)) == ["TC-CLM-1"]  # not across the gap too
    crates = box("crates", 12, 14, 6, 14, height=1.5, id="crates")
    table = Table([red("A", 11, 10)], [crates, {**ROOF, "z": 4}, {**LADDER, "ladder": UP_TO_4}])
    path = [{"to": [12.6, 10], "z": 4, "how": "climb"}]
    assert ids(table.do("move", "A", path=path)) == ["TC-CLM-1"]  # nothing leads on up


def test_tc_clm_1_nobody_climbs_across_a_roof_at_once() -> None:
    wide = block("b", 12, 18, 2)
    path = [{"to": [18.6, 10], "z": 0, "how": "climb"}]
    assert ids(Table([red("A", 11.4, 10)], [wide]).do("move", "A", path=path)) == ["TC-CLM-1"]
    low = {**ROOF, "floor": {"rectangle": {"centre": [22, 10], "width": 8, "depth": 8}}, "z": 1.0}
    path = [{"to": [18.6, 10], "z": 1, "how": "climb"}]
    table = Table([red("A", 11.4, 10)], [block("b", 12, 18, 2), low])
    assert ids(table.do("move", "A", path=path)) == ["TC-CLM-1"]
    wall = {"id": "w", "wall": [[12.1, 0], [12.1, 40]], "height": 1.5}
    path = [{"to": [13, 10], "z": 0, "how": "climb"}]
    assert Table([red("A", 11.4, 10)], [wall]).do("move", "A", (4, 4), path=path).legal


UP_TO_4 = {"foot": [20, 10, 0], "head": [20, 10, 4]}


def test_tc_clm_1_over_a_parapet_down_to_the_floor_behind_it() -> None:
    parapet = {"id": "w", "wall": [[12, 6], [12, 14]], "height": 4}
    stair = {"id": "l", "ladder": {"foot": [20, 10, 0], "head": [20, 10, 2.5]}}
    table = Table([red("A", 11.2, 10)], [parapet, {**ROOF, "z": 2.5}, stair])
    path = [{"to": [12.7, 10], "z": 2.5, "how": "climb"}]
    verdict = table.do("move", "A", (4, 4), path=path)
    assert verdict.legal
    # 4 up, 1.5 down; the base is set down clear of the parapet, not of the floor's edge alone.
    assert verdict.values["cost"] == pytest.approx(5.5 + 1.5 - 2 * R - 0.2, abs=1e-6)


@pytest.mark.parametrize("terrain", [[], [box("block", 40, 44, 40, 44, height=3)]])
@pytest.mark.parametrize(
    ("die", "end", "moved"),
    [(4, (19.507874, 10.852387), 9.546006), (3, (18.031496, 10.0), 8.031496)],
)
def test_tc_move_5_a_charge_crosses_the_friend_it_ends_beside(
    die: int, end: tuple[float, float], moved: float, terrain: list[Doc]
) -> None:
    # Case C63, with and without a block far off.
    models = [red("A", 10, 10), blue("T", 20, 10), red("F", 20 - 2 * R, 10)]
    table = Table(models, terrain)
    verdict = table.do("charge", "A", (die,), target="T")
    assert verdict.values["moved"] == pytest.approx(moved, abs=2e-6)
    x, y = table.body().centre
    assert (x, 10 + abs(y - 10)) == pytest.approx(end, abs=1e-5)


# Diving charges.


@pytest.mark.parametrize(("drop", "dives"), [(3.0, True), (2.99, False)])
def test_tc_fall_2_a_jump_that_lands_lower_is_a_dive_too(drop: float, dives: bool) -> None:
    terrain = [block("high", 4, 11, 4 + drop), block("low", 13.5, 24, 4)]
    models = [red("A", 10, 10, z=4 + drop), blue("T", 15.9, 10, z=4)]
    table = Table(models, terrain, los_mode="attested")
    table.do("charge", "A", (6,), (4, 4), target="T")
    assert ("dives" in asked(table)) is dives
    if dives:
        verdict = table.do("charge", "A", (6,), (4, 4), (4, 4), target="T")
        assert {"TC-JMP-4", "TC-FALL-2", "TC-CHG-12"} <= set(verdict.cites)
        assert table.state.progress["dived"] is True


def test_tc_fall_2_a_jump_far_from_the_target_is_a_fall() -> None:
    terrain = [block("high", 4, 11, 7), block("low", 13.5, 24, 4)]
    table = Table([red("A", 10, 10, z=7), blue("T", 19, 10, z=4)], terrain, los_mode="attested")
    table.do("charge", "A", (6,), (4, 4), target="T")
    assert "falls 3 in" in asked(table)


@pytest.mark.parametrize(("roll", "z"), [((1, 2), 0.0), ((4, 4), 2.0)])
def test_tc_down_4_asks_who_dives_badly_onto_a_ledge(roll: tuple[int, int], z: float) -> None:
    # It lands 0.9 in from the edge of a step 2 inches high and is about to be Down there.
    terrain = [block("high", 4, 12, 5), block("step", 12, 13.9, 2)]
    models = [red("A", 11, 10, z=5), blue("T", 12 + R, 10 + 2 * R + 0.5, z=2)]
    table = Table(models, terrain, los_mode="attested")
    verdict = table.do("charge", "A", (6,), (1, 2), roll, (1, 1, 1), target="T")
    assert verdict.legal
    assert "TC-DOWN-4" in verdict.cites
    assert table.body().marks["down"] is True
    assert table.body().z == z


# Retreats.


def test_tc_ret_2_who_has_fallen_out_of_reach_is_not_attacked() -> None:
    terrain = [block("roof", 12, 24, 4)]
    models = [red("A", 13, 10, z=4), blue("E", 14.2, 10, z=4), blue("G", 13, 11.2, z=4)]
    table = Table(models, terrain)
    # E hits, A is about to be Down and goes over the ledge, 4 inches down: G cannot reach it.
    verdict = table.do("retreat", "A", "E", (4, 4), (4, 3), (1, 1), (1, 1, 1))
    assert table.body().z == 0
    assert asked(table) == ""
    assert "TC-DOWN-4" in verdict.cites
    # Had it stayed, G could attack.
    table = Table(models, terrain)
    table.do("retreat", "A", "E", (4, 4), (4, 3), (4, 4))
    assert "attack with whom" in asked(table)


@pytest.mark.parametrize(
    ("path", "legal"),
    [
        (to((6, 10)), True),
        (to((8, 10), (6, 10)), True),
        (to((6, 10), (7, 10)), False),
    ],
)
def test_tc_ret_5_directly_away_does_not_turn_back(path: list[Doc], legal: bool) -> None:
    models = [red("A", 10, 10), blue("E", 11.2, 10)]
    table = Table(models, retreat_direction="directly_away")
    verdict = table.do("retreat", "A", path=path)
    assert ids(verdict) == ([] if legal else ["TC-RET-5"])


@pytest.mark.parametrize("direction", ["any", "directly_away"])
@pytest.mark.parametrize(("till", "free"), [(6.5, True), (7.4, False)])
def test_tc_ret_6_a_friend_in_the_way_leaves_what_lies_behind_it(
    direction: str, till: float, free: bool
) -> None:
    # Straight back stands F, then a wall: between them there is room, or there is not.
    models = [red("A", 10, 10), blue("E", 11.2, 10), red("F", 8.75, 10.2)]
    wall = box("wall", 4, till, 5, 15, height=4)
    table = Table(models, [wall], retreat_direction=direction)
    table.do("retreat", "A", "pass")
    possible = free or direction == "any"
    assert ("along which path" in asked(table)) is possible
    if free:
        table.do("retreat", "A", "pass", path=to((7.5, 10)))
        assert table.body().centre == (7.5, 10)


# Melee.


@pytest.mark.parametrize(("base_height", "dice"), [(0.0, 2), (3.0, 3)])
def test_tc_mel_1_cover_counts_at_its_height(base_height: float, dice: int) -> None:
    terrain = [ROOF, LADDER, box("barricade", 15.9, 16.1, 7, 13, id="bar", base_height=base_height)]
    table = Table([red("A", 15.3, 10, z=3), blue("E", 16.7, 10, z=3)], terrain)
    table.do("fight", "A", target="E")
    assert table.session is not None
    assert getattr(table.session.ask, "count", 0) == dice


def test_tc_jmp_5_lands_where_the_base_just_fits() -> None:
    # A shaft 0.02 in wider than the base, in a roof: it is clear of the ledge for 0.02 in only.
    shaft = [[6, 6], [20, 6], [20, 14], [12.02 + 2 * R, 14], [12.02 + 2 * R, 8]]
    roof = {"id": "roof", "floor": {"polygon": [*shaft, [12, 8], [12, 14], [6, 14]]}, "z": 3}
    ladder = {"id": "ladder", "ladder": {"foot": [6, 10, 0], "head": [6, 10, 3]}}
    path = [{"to": [12.02 + 2 * R - 0.3, 11], "z": 0, "how": "drop"}]
    table = Table([red("A", 11.5, 11, z=3)], [roof, ladder])
    assert table.do("move", "A", (1, 1, 1), path=path).legal
    assert (table.body().x, table.body().z) == (pytest.approx(11.72 + 2 * R), 0.0)
