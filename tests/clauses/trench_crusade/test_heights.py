"""Storeys, climbs, jumps, falls and flight: what the golden cases leave open."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red, to
from tapeline.engine.paths import Leg, Place, legs_from_value
from tapeline.engine.state import State
from tapeline.errors import DocumentError
from tapeline.play.battle import load
from tapeline.play.cities import make_city
from tapeline.rules.trench_crusade import SYSTEM
from tapeline.rules.trench_crusade.actions import Dash, Move
from tapeline.rules.trench_crusade.approach import approach
from tapeline.rules.trench_crusade.ground import terrain_of
from tapeline.rules.trench_crusade.measures import beside
from tapeline.rules.trench_crusade.sight import visible
from tapeline.rules.trench_crusade.state import NO_ACTIVATION, flies
from tapeline.rules.trench_crusade.walker import lay
from tapeline.table.marks import Marks
from tapeline.travel.nearness import first_near, least
from tapeline.travel.route import Route, Stretch

R = 125 / 254
EXAMPLE = Path(__file__).parents[3] / "examples" / "trench-storeys.json"
HERALD = {"profile": "Herald of Beelzebub", "base": 40}
Doc = dict[str, Any]


def leg(x: float, y: float, z: float | None = None, how: str = "walk") -> Doc:
    """One leg of a path."""
    found: Doc = {"to": [x, y], "how": how}
    if z is not None:
        found["z"] = z
    return found


def block(left: float, right: float, top: float, **more: Any) -> Doc:
    """A block right across the table."""
    found: Doc = box("block", left, right, 0, 48, height=top, **more)
    return found


def test_a_failed_climb_sets_the_model_back_off_a_friend() -> None:
    table = Table([red("A", 8, 10), red("F", 11.4, 10)], [block(12, 20, 1.5)])
    verdict = table.do("move", "A", (1, 2), path=[leg(13, 10, 1.5, "climb")])
    assert verdict.legal
    # At the wall it would stand on F: back to where it touches F.
    assert table.body().centre == pytest.approx((11.4 - 2 * R, 10))
    assert "TC-MOVE-5" in verdict.cites


def test_a_climb_with_help() -> None:
    lion = {"profile": "Lion of Jabir", "base": 50}
    table = Table([red("A", 8, 10, **lion)], [block(12, 20, 2)])
    r = 125 / 127
    verdict = table.do("move", "A", (1, 3, 4), path=[leg(12 + r, 10, 2, "climb")])
    assert table.body().z == 2
    assert "TC-KW-3" in verdict.cites


def test_climbs_need_something_to_climb() -> None:
    floor = {"id": "f", "floor": {"rectangle": {"centre": [16, 10], "width": 8, "depth": 8}}}
    rope = {"id": "r", "rope": {"foot": [14, 16, 0], "head": [14, 14, 3]}}
    table = Table([red("A", 10, 10)], [{**floor, "z": 3}, rope])
    verdict = table.do("move", "A", path=[leg(14, 10, 3, "climb")])
    assert ids(verdict) == ["TC-CLM-1"]
    face = {"id": "c", "face": {"from": [12, 6], "to": [12, 14], "bottom": 0, "top": 3}}
    table = Table([red("A", 10, 10)], [{**floor, "z": 3}, rope, face])
    assert table.do("move", "A", (4, 4), path=[leg(12 + R, 10, 3, "climb")]).legal
    assert table.body().z == 3
    bare = Table([red("A", 10, 10)], [block(12, 20, 3, traits=["unclimbable"]), rope_up()])
    assert ids(bare.do("move", "A", path=[leg(13, 10, 3, "climb")])) == ["TC-CLM-1"]


def test_no_climb_where_the_walk_has_led_up() -> None:
    stairs = {"id": "s", "stairs": {"foot": [8, 10, 0], "head": [12, 10, 3], "width": 2}}
    table = Table([red("A", 7, 10)], [block(12, 20, 3), stairs])
    assert ids(table.do("move", "A", path=[leg(13, 10, 3, "climb")])) == ["TC-CLM-1"]


def rope_up() -> Doc:
    """A rope to the top of a block of 3 inches from 12 on."""
    return {"id": "up", "rope": {"foot": [11.9, 40, 0], "head": [12, 40, 3]}}


def test_a_flyer_is_not_hurt_by_a_fall() -> None:
    table = Table([red("A", 5, 10), blue("E", 13.2, 10, z=4, **HERALD)], [block(12, 20, 4)])
    verdict = table.do("shoot", "A", (1, 2), weapon="rifle", target="E", result="down")
    fallen = table.body("E")
    assert fallen.z == 0
    assert fallen.marks["down"] is True
    assert fallen.marks["blood"] == 1  # of being taken Down alone
    assert "TC-FLY-1" in verdict.cites


def test_a_fall_lands_beside_what_is_in_the_way() -> None:
    terrain = [block(12, 20, 4)]
    table = Table([red("A", 5, 10), blue("E", 13, 10, z=4), red("F", 11.4, 10)], terrain)
    table.do("shoot", "A", (1, 2), (1, 1, 1), weapon="rifle", target="E", result="down")
    e, f = table.body("E"), table.body("F")
    assert e.z == 0
    assert math.dist(e.centre, f.centre) == pytest.approx(2 * R)
    assert e.x <= 12 - R + 1e-6


def test_a_prefix_keeps_climbs() -> None:
    table = Table([red("A", 10, 10)], [block(12, 20, 2)])
    refused = table.do("move", "A", path=[leg(18, 10, 2, "climb")])
    assert ids(refused) == ["TC-MOVE-1"]
    assert refused.nearest is not None
    state = table.state
    found = lay(state, state.body("A"), legs_from_value(refused.nearest.action["path"]))
    assert [h.kind for h in found.crossings] == ["climb"]
    assert found.cost == pytest.approx(6, abs=1e-4)


def test_a_charger_stops_early_over_storeys_where_it_may() -> None:
    table = Table(
        [red("A", 10, 10), blue("T", 16, 10, z=3)],
        [block(12, 24, 3)],
        los_mode="attested",
        charge_extent="upto",
    )
    verdict = table.do("charge", "A", (5,), (4, 4), target="T", stop=[13, 10])
    assert verdict.legal
    assert table.body().centre == pytest.approx((13, 10))
    assert table.body().z == 3


def test_a_charge_goes_round_zones_over_storeys() -> None:
    models = [red("A", 10, 10, z=2), blue("T", 20, 10, z=2), blue("E", 15, 11.5, z=2)]
    terrain = [block(4, 30, 2)]
    assert ids(Table(models, terrain).do("charge", "A", target="T")) == ["TC-CHG-3"]
    table = Table(models, terrain, interpose_route="avoid")
    verdict = table.do("charge", "A", (4,), target="T")
    assert verdict.legal
    # The same as on level ground, case C51.
    assert table.body().centre == pytest.approx((19.020515, 9.903245), abs=1e-4)


def test_a_charge_ends_beside_a_friend_over_storeys() -> None:
    models = [red("A", 10, 10, z=2), blue("T", 20, 10, z=2), red("F", 20 - 2 * R, 10, z=2)]
    table = Table(models, [block(4, 30, 2)])
    table.do("charge", "A", (4,), target="T")
    a, t, f = (table.body(i).centre for i in "ATF")
    assert math.dist(a, t) == pytest.approx(2 * R, abs=1e-5)
    assert math.dist(a, f) == pytest.approx(2 * R, abs=1e-4)


def test_a_charge_that_ends_at_a_ledge_stands_on_it() -> None:
    table = Table(
        [red("A", 16, 10, z=3), blue("T", 27, 10)], [block(12, 24, 3)], los_mode="attested"
    )
    verdict = table.do("charge", "A", (2,), target="T")
    assert verdict.legal
    # All 8 inches lead to the ledge and none is left to go down: half the base may not hang.
    assert table.body().z == 3
    assert table.body().x == pytest.approx(24, abs=1e-4)
    assert table.body().x < 24 - 1e-6
    assert list(SYSTEM.faults(table.state)) == []


@pytest.mark.parametrize(
    ("apart", "diving", "dice"),
    [
        (3.0, "risky_v102", ((1,), (2, 3, 5))),
        (0.8, "risky_v102", ((1,), (1, 2), (2, 3, 5))),
        (0.8, "injury_v101", ((1,), (2, 3, 5))),
    ],
    ids=["a fall", "a failed dive", "a dive, hurt"],
)
def test_who_comes_down_on_a_friend_and_stays_there_lies_beside_it(
    apart: float, diving: str, dice: tuple[tuple[int, ...], ...]
) -> None:
    x = 20 + R
    models = [red("A", 18, 10, z=3), red("F", x, 10.6), blue("T", x + 2 * R + apart, 10)]
    table = Table(models, [block(12, 20, 3)], los_mode="attested", diving_charge=diving)
    verdict = table.do("charge", "A", *dice, target="T")
    assert verdict.legal
    body, friend = table.body(), table.state.bodies["F"]
    assert body.z == 0
    assert body.marks.get("down")
    assert math.dist(body.centre, friend.centre) >= 2 * R - 1e-6
    assert body.y == pytest.approx(10, abs=0.5)
    assert body.x == pytest.approx(x, abs=0.5)
    assert "TC-FALL-1" in verdict.cites
    assert list(SYSTEM.faults(table.state)) == []


def test_a_wanted_way_over_storeys_is_the_shortest_or_refused() -> None:
    models = [red("A", 10, 10, z=2), blue("T", 18, 10, z=2)]
    table = Table(models, [block(4, 30, 2)])
    assert ids(table.do("charge", "A", target="T", path=to((13, 12)))) == ["TC-CHG-8"]
    assert table.do("charge", "A", target="T", path=to((13, 10))).legal


def _way(state: State, charger: str, start: Place, target: str, stands: Place) -> Route:
    """The way of a charge between two that are put elsewhere."""
    mover, foe = state.body(charger).at(*start), state.body(target).at(*stands)
    plan = approach(state.with_body(mover).with_body(foe), mover, foe)
    assert plan is not None
    return plan.track


@pytest.mark.parametrize(
    ("charger", "start", "target", "stands", "most"),
    [
        # Up a face and over a hole, a hair beside the very end of each: 12.0898 and 13.6486.
        ("r-knife", (15.9539, 15.7708, 0.0), "b-wing-2", (19.9, 25.1357, 3.0), 11.5523),
        ("r-knife", (15.9539, 15.7708, 0.0), "b-wing-2", (19.9, 26.8603, 3.0), 13.0292),
        ("r-4", (27.0, 17.0, 0.0), "b-1", (27.5, 26.5, 6.0), 13.3821),
    ],
)
def test_a_charge_crosses_gaps_that_may_be_jumped_or_goes_round_them(
    charger: str, start: Place, target: str, stands: Place, most: float
) -> None:
    assert _way(load(EXAMPLE).state, charger, start, target, stands).length <= most


@pytest.mark.compiled
def test_a_charge_jumps_from_where_it_stands_on_the_lip() -> None:
    """Over to the crates and off them again; straight down and on it is 10.514."""
    state = load(EXAMPLE).state
    way = _way(state, "r-3", (19.9, 24.4669, 3.0), "b-wing-2", (11.0, 30.0, 2.0))
    assert way.length <= 10.1096
    assert "jump" in [leg.how for leg in way.legs]


@cache
def _city() -> State:
    return load(make_city(SYSTEM, 1)).state


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("charger", "start", "target", "stands", "most"),
    [
        # A climb at a corner and a jump aslant past a wall.
        ("red-7", (25.8327, 22.4969, 0.0), "blue-5", (26.1258, 28.4454, 2.49315), 8.5732),
        # As wide as may be jumped over the hole of a floor.
        ("red-1", (23.514323, 46.615791, 3.0), "blue-14", (29.917979, 44.777412, 3.0), 4.2584),
        # Round one corner on two levels.
        ("red-7", (68.986275, 39.868441, 6.0), "blue-17", (67.938845, 38.56063, 0.0), 1.4846),
    ],
)
def test_charges_in_a_city_are_no_longer_than_that(
    charger: str, start: Place, target: str, stands: Place, most: float
) -> None:
    assert _way(_city(), charger, start, target, stands).length <= most


@pytest.mark.compiled
def test_a_charge_crosses_an_edge_a_hair_beside_its_end_who_turns_a_corner_there() -> None:
    start, stands = (65.130686, 16.298227, 2.565514407), (69.634244, 17.71766, 0.0)
    way = _way(_city(), "red-4", start, "blue-8", stands)
    assert way.length <= 10.9039
    assert not way.hits


def test_walls_and_windows_and_sight() -> None:
    wall = {"id": "w", "wall": [[15, 5], [15, 15]], "height": 3}
    models = [red("A", 12, 10), blue("T", 18, 10)]
    table = Table(models, [wall])
    assert not visible(table.state, table.body("A"), table.body("T"))
    window = {"id": "o", "kind": "window", "from": 4.5, "to": 5.5, "sill": 0.5, "head": 2}
    table = Table(models, [{**wall, "openings": [window]}])
    assert visible(table.state, table.body("A"), table.body("T"))
    # Seen through, not gone through.
    assert ids(table.do("move", "A", path=to((16, 10)))) == ["TC-TER-7"]
    door = {"id": "o", "kind": "door", "from": 4.4, "to": 5.6, "head": 2}
    table = Table([red("A", 12, 10)], [{**wall, "openings": [door]}])
    assert table.do("move", "A", path=to((16, 10))).legal


def test_a_door_narrower_than_the_base() -> None:
    door = {"id": "o", "kind": "door", "from": 4.52, "to": 5.48, "head": 2}
    wall = {"id": "w", "wall": [[15, 5], [15, 15]], "height": 3, "openings": [door]}
    table = Table([red("A", 12, 10)], [wall])
    assert ids(table.do("move", "A", path=to((16, 10)))) == ["TC-TER-7"]


def test_danger_on_a_floor_counts_there_alone() -> None:
    floor = {
        "id": "f",
        "floor": {"rectangle": {"centre": [16, 10], "width": 8, "depth": 8}},
        "z": 3,
        "traits": ["dangerous"],
    }
    ladder = {"id": "l", "ladder": {"foot": [12, 10, 0], "head": [12, 10, 3]}}
    table = Table([red("A", 11, 10)], [floor, ladder])
    assert table.do("move", "A", path=to((16, 10))).legal
    table = Table([red("A", 11, 10)], [floor, ladder])
    path = [leg(12, 10), leg(12, 10, 3), leg(13, 10)]
    verdict = table.do("move", "A", (1, 2), (1, 1), path=path)
    assert "TC-TER-3" in verdict.cites
    assert table.body().z == 3
    assert table.state.progress["over"] == "danger"


def test_scenes_with_models_in_walls_or_over_ledges() -> None:
    with pytest.raises(DocumentError, match="inside 'P1'"):
        Table([red("A", 12, 10)], [block(12, 20, 3)])
    with pytest.raises(DocumentError, match="25 % of the base stands"):
        Table([red("A", 12, 12, z=3)], [box("block", 12, 20, 12, 20, height=3)])
    with pytest.raises(DocumentError, match="nothing to stand on"):
        Table([red("A", 8, 10, z=1)], [block(12, 20, 3)])
    floor = {"id": "f", "floor": {"rectangle": {"centre": [16, 10], "width": 8, "depth": 8}}}
    with pytest.raises(DocumentError, match="nobody on foot can reach 'f'"):
        Table([red("A", 8, 10)], [{**floor, "z": 5}])


def test_a_ladder_with_a_trait_of_ground_is_refused() -> None:
    """Nothing would come of it: it is not dropped unsaid."""
    floor = {"id": "f", "floor": {"polygon": [[12, 4], [20, 4], [20, 16], [12, 16]]}, "z": 3}
    ladder = {"id": "l", "ladder": {"foot": [12, 10, 0], "head": [12, 10, 3]}}
    Table([red("A", 8, 10)], [floor, ladder])
    for trait in ("difficult", "dangerous", "impassable"):
        with pytest.raises(DocumentError, match=f"'{trait}' is a trait of ground; a ladder"):
            Table([red("A", 8, 10)], [floor, {**ladder, "traits": [trait]}])


def test_fault_of_a_base_over_a_ledge_names_the_part_beneath_it() -> None:
    ladder = {"id": "l", "ladder": {"foot": [12, 10, 0], "head": [12, 10, 3]}}
    far, near = (
        {"floor": {"polygon": [[x, 6], [x + 6, 6], [x + 6, 14], [x, 14]]}} for x in (11, 17)
    )
    floors = [{"id": "far", "z": 3, **far}, {"id": "near", "z": 3, **near}, ladder]
    with pytest.raises(DocumentError, match="50 % of the base stands on 'near'"):
        Table([red("A", 23, 10, z=3)], floors)
    with pytest.raises(DocumentError, match="50 % of the base stands on 'far'"):
        Table([red("A", 11, 10, z=3)], floors)


def test_scenes_with_bases_on_each_other_on_a_slope() -> None:
    floor = {"id": "f", "floor": {"polygon": [[18, 6], [24, 6], [24, 14], [18, 14]]}, "z": 4}
    ramp = {"id": "s", "ramp": {"foot": [10, 10, 0], "head": [18, 10, 4], "width": 2}}
    with pytest.raises(DocumentError, match=r"'B' overlaps that of 'A' by 0\.1843"):
        Table([red("A", 14, 10, z=2), blue("B", 14.8, 10, z=2.4)], [floor, ramp])
    with pytest.raises(DocumentError, match=r"'B' overlaps that of 'A' by 0\.1843"):
        Table([red("A", 9.8, 10), red("B", 10.6, 10, z=0.3)], [floor, ramp])
    Table([red("A", 14, 10, z=2), blue("B", 14.8, 10.6, z=2.4)], [floor, ramp])
    Table([red("A", 14, 10, z=2), blue("B", 14, 11.5)], [floor, ramp])  # on the ground beside it


def test_flights_and_the_body_of_an_enemy() -> None:
    table = Table([red("A", 10, 10, **HERALD), blue("E", 15, 10)])
    a, e = table.body("A"), table.body("E")
    way = lay(table.state, a, (Leg(to=(12, 10), z=3.0), Leg(to=(18, 10), z=3.0)))
    near = least(way, beside(a, e), 2.0)
    assert near is not None
    assert near.gap == pytest.approx(1.5)  # 3 up, and E is 1.5 tall
    # Sampled densely, nothing is nearer.
    seen = min(beside(a, e).gap(way.place(way.length * k / 4000)) for k in range(4001))
    assert seen == pytest.approx(near.gap, abs=1e-6)
    assert first_near(way, beside(a, e), 1.0) is None


def _supported(table: Any, way: Route) -> bool:
    storeys = terrain_of(table).storeys
    for part in way.parts:
        if isinstance(part, Stretch) and part.what not in ("ladder", "rope", "a step"):
            for k in range(11):
                x, y, z = part.at(k / 10)
                if storeys.support(x, y, z, 1e-6) is None:
                    return False
    return True


@pytest.mark.compiled
def test_offered_ways_are_carried_everywhere(budget: Any) -> None:
    """Wherever an offered way walks, something carries its centre at its height, and its cost is
    no less than the way on the plan without what is free."""
    state = load(EXAMPLE).state
    rng, kinds = Random(5), set()
    for _ in range(budget(8, 200)):
        for body in list(state.bodies.values()):
            mine = state_of(state, body.id)
            for action in SYSTEM.offers(mine, rng):
                if not isinstance(action, Move | Dash) or not action.path:
                    continue
                way = lay(mine, body, action.path)
                assert not way.hits
                kinds |= {h.kind for h in way.crossings} | {
                    p.how for p in way.parts if isinstance(p, Stretch)
                }
                if not flies(body):
                    assert _supported(mine, way)
                free = 2 * body.base.reach * len(way.crossings)
                assert way.cost >= math.dist(way.start.xy, way.end.xy) - free - 1e-6
                break
    assert {"walk", "fly"} <= kinds
    assert kinds & {"climb", "drop", "jump"}


def state_of(state: Any, body_id: str) -> Any:
    """The state with a model being activated."""
    body = state.bodies[body_id]
    turn = replace(state.turn, active=body.side)
    return replace(
        state, turn=turn, progress=NO_ACTIVATION.update({}).update(Marks({"actor": body_id}))
    )


def test_routes_over_storeys_are_no_shorter_than_the_gap(budget: Any) -> None:
    """A charge's way is at least as long as the gap on the plan, ends at the target or within 1
    inch of it, and breaks nothing."""
    state = load(EXAMPLE).state
    found = 0
    models = list(state.bodies.values())
    for mover in models[:: budget(3, 1)]:
        for target in state.enemies(mover):
            if math.dist(mover.centre, target.centre) > 11:
                continue
            plan = approach(state, mover, target)
            if plan is None:
                continue
            found += 1
            way = plan.track
            assert isinstance(way, Route)
            assert not [h for h in way.hits if h.clause != "TC-MOVE-11"]
            end = beside(mover, target).gap(way.end)
            assert end <= 1 + 1e-6
            reach = mover.base.reach + target.base.reach
            free = 2 * mover.base.reach * len(way.crossings)
            assert way.length >= math.dist(mover.centre, target.centre) - reach - 1 - free
    assert found
