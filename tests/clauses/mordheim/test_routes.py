"""MH-CHG-6 over storeys: the most direct route, against sums by hand and a graph of grid points."""

from __future__ import annotations

import heapq
import json
import math
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tapeline as tl
from clauses.mordheim.staging import Doc, Table, block, blue, red
from support.scenarios import ROOT
from tapeline.analysis.storeys import StoreyReach
from tapeline.engine.limits import TOLERANCE
from tapeline.play.battle import Battle, load
from tapeline.rules.mordheim import SYSTEM
from tapeline.rules.mordheim.contact import across_barrier, touching
from tapeline.rules.mordheim.psychology import escapes
from tapeline.rules.mordheim.route import route_to_contact, straight_towards
from tapeline.rules.mordheim.terrain import free_at, terrain_of
from tapeline.rules.mordheim.walker import walk
from tapeline.table.terrain import Place3
from tapeline.travel.route import Route

pytestmark = pytest.mark.compiled

EXAMPLE = json.loads((Path(__file__).parents[3] / "examples" / "mordheim-roofs.json").read_text())

R4 = block("R4", 4, 10, 4, 16, 4)


def rect(x0: float, x1: float, y0: float, y1: float) -> Doc:
    return {"polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}


def route(*models: Doc, terrain: list[Doc] | None = None, **more: Any) -> Route | None:
    table = Table(models, terrain or [], step="declarations")
    return route_to_contact(table.state, table.body(), ["E"], **more)


def sure(*models: Doc, terrain: list[Doc] | None = None, **more: Any) -> Route:
    track = route(*models, terrain=terrain, **more)
    assert track is not None
    assert not track.hits
    return track


FLOOR = {"id": "f", "floor": rect(15, 22, 6, 14), "z": 3}
STAIRS: Doc = {"id": "s", "stairs": {"foot": [11, 10, 0], "head": [15, 10, 3], "width": 1.2}}


def test_up_the_stairs() -> None:
    track = sure(red(9, 10), blue(18, 10, 3), terrain=[FLOOR, STAIRS])
    assert track.cost == pytest.approx(2 + 5 + 2)
    assert track.end == pytest.approx((17, 10, 3))
    down = sure(red(18, 10, 3), blue(9, 10), terrain=[FLOOR, STAIRS])
    # Jumping down beside the stairs is shorter than walking down: it costs nothing.
    assert down.cost < 9
    assert [h.kind for h in down.crossings] == ["jump down"]


def test_up_a_ladder() -> None:
    terrain = [
        {"id": "f", "floor": rect(11, 18, 6, 14), "z": 3},
        {"id": "l", "ladder": {"foot": [11, 10, 0], "head": [11, 10, 3]}},
    ]
    track = sure(red(10, 10), blue(14, 10, 3), terrain=terrain)
    assert track.cost == pytest.approx(1 + 3 + 2)
    assert track.crossings == ()


def test_up_a_ladder_against_a_wall() -> None:
    terrain = [
        block("B", 11, 18, 6, 14, 3),
        {"id": "l", "ladder": {"foot": [11, 10, 0], "head": [11, 10, 3]}},
    ]
    track = sure(red(9, 10), blue(14, 10, 3), terrain=terrain)
    assert track.cost == pytest.approx(1.5 + 3 + 2)


def test_an_enemy_at_the_head_of_a_ladder_or_of_stairs_is_met_below_it() -> None:
    ladder: Doc = {"id": "l", "ladder": {"foot": [11, 10, 0], "head": [11, 10, 3]}}
    track = sure(red(9, 10), blue(11.5, 10, 3), terrain=[block("B", 11, 18, 6, 14, 3), ladder])
    assert track.cost == pytest.approx(1.5 + 2, abs=1e-5)
    assert track.end == pytest.approx((11, 10, 2), abs=1e-5)
    track = sure(red(9, 10), blue(15.4, 10, 3), terrain=[FLOOR, STAIRS])
    # On the stairs less than an inch below it, where the bases overlap on the plan at once.
    along = (15.4 - 1 - 11) * 0.75
    assert track.end.z == pytest.approx(max(2, along), abs=1e-5)


def test_down_over_the_edge() -> None:
    track = sure(red(8, 10, 4), blue(13, 10), terrain=[R4])
    assert track.cost == pytest.approx(2 + 1.5)
    assert track.end == pytest.approx((12, 10, 0))
    (jump,) = track.crossings
    assert (jump.rise, jump.end) == (4, pytest.approx((10.5, 10, 0)))


def test_over_a_gap_rather_than_round() -> None:
    far = block("G", 12.5, 19, 4, 16, 4)
    track = sure(red(8, 10, 4), blue(16, 10, 4), terrain=[R4, far])
    assert track.cost == pytest.approx(7)
    assert [h.kind for h in track.crossings] == ["gap"]
    # Beyond 3 inches there is no way that anybody may take.
    wide = block("G", 13.1, 19, 4, 16, 4)
    assert route(red(8, 10, 4), blue(16, 10, 4), terrain=[R4, wide]) is None


def test_slantwise_over_a_gap() -> None:
    far = block("G", 12, 19, 4, 16, 4)
    track = sure(red(9, 8, 4), blue(14, 10, 4), terrain=[R4, far])
    assert track.cost == pytest.approx(math.hypot(5, 2) - 1)
    (gap,) = track.crossings
    assert gap.width == pytest.approx(2 * math.hypot(5, 2) / 5)


def test_across_a_low_wall() -> None:
    wall: Doc = {"id": "w", "wall": [[15, 6], [15, 14]], "height": 0.8}
    track = sure(red(10, 10), blue(15.6, 10), terrain=[wall])
    assert track.cost == pytest.approx(4.4)
    assert track.end == pytest.approx((14.4, 10, 0))
    table = Table([red(14.4, 10), blue(15.6, 10)], [wall])
    assert across_barrier(table.state, table.body(), table.body("E"))
    table = Table([red(14.4, 10.1), blue(15.6, 10)], [wall])
    assert not across_barrier(table.state, table.body(), table.body("E"))
    table = Table([red(14.4, 10), blue(15.6, 10)], [{**wall, "height": 1.0}])
    assert not across_barrier(table.state, table.body(), table.body("E"))
    # From aslant it is nearer to touch it on its own side of the wall.
    track = sure(red(14, 12), blue(15.6, 10), terrain=[wall])
    assert track.cost == pytest.approx(math.hypot(1.6, 1), abs=1e-5)


def test_to_the_side_and_to_the_corner_of_a_rectangle() -> None:
    ogre = {"base": {"rectangle": [2, 1]}}
    track = sure(red(10, 10), blue(14, 10, **ogre))
    assert track.cost == pytest.approx(3)
    track = sure(red(10, 10.7), blue(14, 10, **ogre))
    assert track.cost == pytest.approx(3)
    track = sure(red(10, 13), blue(14, 10, **ogre))
    assert track.cost == pytest.approx(math.hypot(3.5, 2) - 0.5)
    turned = sure(red(10, 10), blue(14, 10, facing=90, **ogre))
    assert turned.cost == pytest.approx(2.5)


def test_no_way_is_told_and_the_straight_way_ends_where_it_is_blocked() -> None:
    yard: Doc = {
        "id": "y",
        "wall": [[12, 6], [20, 6], [20, 14], [12, 14]],
        "closed": True,
        "height": 3,
    }
    table = Table([red(9, 10), blue(16, 10)], [yard], step="declarations")
    assert route_to_contact(table.state, table.body(), ["E"]) is None
    track = straight_towards(table.state, table.body(), table.body("E"))
    assert track.cost == pytest.approx(11.9 - 9.5)
    assert not track.hits


def test_a_charge_jumps_a_gap_where_it_turns_a_corner_too() -> None:
    """The jump that the way with no corner takes is looked at again with one; a jump that would
    come over the same floor before it lands is none."""
    state = tl.load(EXAMPLE).state
    state = state.with_body(state.body("b-rat").at(11.012532, 19.46248, 3.0))
    state = state.with_body(state.body("r-hider").at(19.41011, 11.719661, 3.0))
    track = route_to_contact(state, state.body("b-rat"), ["r-hider"])
    assert track is not None
    assert not track.hits
    assert track.length <= 10.79177


def test_climbs_only_where_they_were_touched() -> None:
    house = block("B", 10, 16, 4, 16, 3)
    assert route(red(9.5, 10), blue(12, 10, 3), terrain=[house], climb=False) is None
    track = sure(red(9.5, 10), blue(12, 10, 3), terrain=[house], climb=True)
    assert track.cost == pytest.approx(4)
    assert route(red(9.4, 10), blue(12, 10, 3), terrain=[house], climb=True) is None


def test_other_bases_are_gone_round() -> None:
    track = sure(red(10, 10), red(13, 10, body_id="A2"), blue(16, 10))
    chord = math.sqrt(3**2 - 1)
    first, last = math.acos(1 / 3), math.acos(1 / 3)
    arc = math.pi - first - last
    # Tangent, arc, tangent to the centre, less the contact radius: the last piece aims at it.
    assert track.cost == pytest.approx(2 * chord + arc - 1, abs=1e-9)


def test_flight_to_the_edge_goes_round_what_is_in_the_way() -> None:
    table = Table([red(24, 6), blue(24, 40)], [block("B", 22, 26, 2, 4, 3)])
    (way,) = escapes(table.state, table.body())
    assert way.edge == "south"
    assert way.leaves
    assert way.track.end.y == pytest.approx(0.5)
    assert way.track.cost > 5.5
    upstairs = Table([red(24, 6, 3), blue(24, 40)], [block("B", 22, 26, 4, 8, 3)])
    (way,) = escapes(upstairs.state, upstairs.body())
    assert not way.leaves
    assert way.track.end == pytest.approx((24, 4, 3))


# Against a graph of grid points, made without any of the search.

STEP = 0.25


def _house(random: Random, number: int, x: float, y: float) -> list[Doc]:
    w, d, z = random.uniform(4, 6), random.uniform(4, 6), random.choice([1.5, 3.0, 3.0, 4.0])
    name = f"H{number}"
    terrain: list[Doc] = [block(name, x, x + w, y, y + d, z)]
    if random.random() < 0.6:
        foot = [x - 4.0, y + 0.5 * d, 0]
        head = [x, y + 0.5 * d, z]
        terrain.append({"id": f"S{number}", "stairs": {"foot": foot, "head": head, "width": 1.2}})
    else:
        at = [x + 0.5 * w, y]
        terrain.append({"id": f"L{number}", "ladder": {"foot": [*at, 0], "head": [*at, z]}})
    return terrain


def _scene(seed: int) -> Table | None:
    random = Random(seed)
    terrain: list[Doc] = []
    for number, (x, y) in enumerate(((8.0, 4.0), (16.5, 4.5), (8.5, 12.5), (17.0, 13.0))):
        if random.random() < 0.8:
            terrain += _house(
                random, number, x + random.uniform(-1, 1), y + random.uniform(-0.5, 0.5)
            )
    for k in range(2):
        x, y = random.uniform(4, 24), random.uniform(3, 20)
        terrain.append({"id": f"w{k}", "wall": [[x, y], [x + 3, y + 1]], "height": 2})
    places = []
    for _ in range(40):
        x, y = random.uniform(3, 25), random.uniform(3, 21)
        places.append((x, y))
    for a, b in zip(places[::2], places[1::2], strict=True):
        models = []
        for name, side, (x, y) in (("A", "red", a), ("E", "blue", b)):
            z = 0.0
            for piece in terrain:
                if "kind" in piece:
                    (x0, y0), _, (x1, y1), _ = piece["shape"]["polygon"]
                    if x0 <= x <= x1 and y0 <= y <= y1:
                        z = piece["height"]
            models.append((red if side == "red" else blue)(x, y, z, body_id=name))
        if math.dist(a, b) < 4:
            continue
        try:
            table = Table(models, terrain, step="declarations")
        except Exception:
            continue
        ground = terrain_of(table.state)
        if all(
            free_at(
                table.state,
                ground,
                table.body(m),
                table.body(m).x,
                table.body(m).y,
                table.body(m).z,
            )
            for m in ("A", "E")
        ):
            return table
    return None


def _graph_cost(table: Table) -> float:
    """The cheapest way along a grid: never cheaper than the best of all ways."""
    state, body, target = table.state, table.body(), table.body("E")
    ground = terrain_of(state)
    storeys = ground.storeys
    nodes: dict[tuple[str, int, int], Place3] = {}
    for surface in storeys.surfaces:
        if surface.ramp is not None:
            continue
        x0, y0, x1, y1 = surface.outer.box
        for i in range(math.ceil(max(x0, 1) / STEP), math.floor(min(x1, 27) / STEP) + 1):
            for j in range(math.ceil(max(y0, 1) / STEP), math.floor(min(y1, 23) / STEP) + 1):
                x, y = i * STEP, j * STEP
                z = surface.z
                if surface.depth(x, y) < 0 or not _stands(table, x, y, z):
                    continue
                nodes[surface.id, i, j] = (x, y, z)
    start = (body.x, body.y, body.z)
    ladders = [(ladder.foot, ladder.head) for ladder in state.table.ladders]
    heap = [(0.0, "start", start)]
    best: dict[object, float] = {"start": 0.0}
    goal = body.base.reach + target.base.reach
    while heap:
        cost, key, place = heapq.heappop(heap)
        if cost > best[key]:
            continue
        x, y, z = place
        d = math.hypot(x - target.x, y - target.y)
        if abs(z - target.z) < 1 and d <= goal + 2 * STEP:
            t = max(0.0, d - goal - 1e-9) / d
            end = (x + t * (target.x - x), y + t * (target.y - y), z)
            if _open(table, place, end):
                return cost + max(0.0, d - goal)
        found: list[tuple[float, object, Place3]] = []
        i0, j0 = round(x / STEP), round(y / STEP)
        for surface in storeys.surfaces:
            for di in range(-3, 4):
                for dj in range(-3, 4):
                    other = (surface.id, i0 + di, j0 + dj)
                    if other in nodes and abs(nodes[other][2] - z) < 1e-9:
                        ox, oy, _ = nodes[other]
                        found.append((math.hypot(ox - x, oy - y), other, nodes[other]))
        for foot, head in ladders:
            for a, b in ((foot, head), (head, foot)):
                if abs(a[2] - z) < 1e-9 and math.hypot(a[0] - x, a[1] - y) <= 0.5 + STEP:
                    rise = abs(a[2] - b[2])
                    for other, (ox, oy, oz) in nodes.items():
                        if abs(oz - b[2]) < 1e-9 and math.hypot(ox - b[0], oy - b[1]) <= 0.8:
                            more = 2.0
                            found.append((rise + more, other, (ox, oy, oz)))
        for step, other, there in found:
            total = cost + step
            if total < best.get(other, math.inf) and _open(table, place, there):
                best[other] = total
                heapq.heappush(heap, (total, other, there))
    return math.inf


def _stands(table: Table, x: float, y: float, z: float) -> bool:
    state, body = table.state, table.body()
    return free_at(state, terrain_of(state), body, x, y, z)


def _crowded(table: Table) -> bool:
    """Whether a wall stands so near a ladder that the base must come to it from aside."""
    ground = terrain_of(table.state)
    return any(
        solid.entry.startswith("w") and solid.ground.depth(x, y) > -1.0
        for ladder in table.state.table.ladders
        for x, y, _ in (ladder.foot, ladder.head)
        for solid in ground.storeys.solids
    )


def _open(table: Table, a: Place3, b: Place3) -> bool:
    if abs(a[2] - b[2]) > 1e-9:
        return True
    count = 12
    return all(
        _stands(table, a[0] + k / count * (b[0] - a[0]), a[1] + k / count * (b[1] - a[1]), a[2])
        for k in range(1, count)
    )


def test_routes_against_a_graph(budget: Any) -> None:
    """A route ends in contact, has nothing wrong with it, and no way along a grid is cheaper."""
    checked = found = over = 0
    for seed in range(budget(2, 200)):
        table = _scene(seed)
        if table is None:
            continue
        checked += 1
        state, body, target = table.state, table.body(), table.body("E")
        track = route_to_contact(state, body, ["E"])
        if track is None:
            assert _graph_cost(table) == math.inf or _crowded(table), seed
            continue
        found += 1
        over += bool(track.crossings) or track.end.z != body.z
        assert not track.hits, (seed, track.hits)
        end = body.at(*track.end)
        assert touching(end, target) or across_barrier(state, end, target)
        again = walk(state, body, track.legs)
        assert again.cost == pytest.approx(track.cost, abs=TOLERANCE), seed
        straight = math.hypot(body.x - target.x, body.y - target.y) - 1
        assert track.cost >= straight - 2 * 0.5 - TOLERANCE
        # Twelve samples a step let the graph cut corners by a little.
        assert track.cost <= _graph_cost(table) + 0.01, seed
    assert found > 0.7 * checked
    assert over > 0


# From where a charge or a flight begins on a ladder: it gets off at one of its ends.


def _on_a_ladder(z: float, *, block_: bool = False, **more: Any) -> tuple[Doc, list[Doc]]:
    deck: Doc = {"id": "deck", "kind": "platform", "z": 6}
    deck["floor"] = {"polygon": [[10, 8], [16, 8], [16, 12], [10, 12]]}
    ground = [block("B", 10, 16, 8, 12, 6)] if block_ else [deck]
    ladder: Doc = {"id": "l", "ladder": {"foot": [10, 10, 0], "head": [10, 10, 6]}}
    return red(10, 10, z, **more), [*ground, ladder]


@pytest.mark.parametrize(
    ("z", "target", "block_", "end", "cost"),
    [
        (3.0, (5.0, 10.0, 0.0), False, (6.0, 10.0, 0.0), 7.0),
        (3.0, (5.0, 10.0, 0.0), True, (6.0, 10.0, 0.0), 6.5),
        (5.0, (13.0, 10.0, 6.0), False, (12.0, 10.0, 6.0), 3.0),
        # It touches the line of the ladder: contact where it is less than 1 lower (3.1), 2 down and
        # twice the tolerance beyond that open limit.
        (3.0, (11.0, 10.0, 0.0), False, (10.0, 10.0, 1.0 - 2e-6), 2.0 + 2e-6),
    ],
)
def test_mh_chg_6_charge_from_a_ladder(
    z: float,
    target: Place3,
    block_: bool,
    end: Place3,
    cost: float,
) -> None:
    model, ground = _on_a_ladder(z, block_=block_)
    table = Table([model, blue(*target)], ground, step="declarations")
    assert table.charge("E").legal
    assert table.mark("engaged") == ["E"]
    body = table.body()
    assert (body.x, body.y, body.z) == pytest.approx(end)
    assert table.mark("spent") == pytest.approx(cost)


def test_mh_chg_11_charge_from_a_ladder_that_falls_short_goes_down_it() -> None:
    model, ground = _on_a_ladder(5.0)
    table = Table([model, blue(2, 10)], ground, step="declarations")
    assert table.charge("E").legal
    assert table.mark("charge") == "failed"
    assert table.body().z == pytest.approx(1.0)


@pytest.mark.parametrize(("block_", "x"), [(False, 7.0), (True, 6.5)])
def test_mh_flee_2_flight_from_a_ladder(block_: bool, x: float) -> None:
    model, ground = _on_a_ladder(3.0, block_=block_, state={"fleeing": True})
    table = Table([model, blue(40, 40)], ground, step="compulsory")
    assert table.do("compulsory", "A", "west", [3, 3]).legal
    assert (table.body().x, table.body().z) == pytest.approx((x, 0.0))


def test_mh_move_2_reach_leads_over_rims_and_sides_of_stairs() -> None:
    """Off a round crate 4 inches straight on; off the low end of stairs 1 to the side, 3 on."""
    crate = {"id": "c", "kind": "crate", "shape": {"circle": {"centre": [20, 10], "radius": 3}}}
    stairs = {"id": "s", "stairs": {"foot": [20, 20, 0], "head": [20, 26, 3], "width": 2}}
    house = block("H", 17, 23, 26, 30, 3)
    for start, end, terrain in (
        (red(20, 10, 0.8), (24.0, 10.0, 0.0), [crate]),
        (red(20, 21, 0.5), (24.0, 21.0, 0.0), [stairs, house]),
    ):
        table = Table([start, blue(44, 44)], terrain)
        found = StoreyReach(Battle(SYSTEM, table.state).reach("A").leeway)
        way = found.route(end)
        assert way is not None
        assert math.isclose(way.cost, 4.0, abs_tol=1e-6)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("scene", "charger", "start", "target", "stands", "most"),
    [
        # Without it goes round by the stairs: 21.3027.
        ("roofs", "r-hider", (6.292, 9.5846, 6.0), "b-ogre", (9.8831, 17.2437, 3.0), 7.5231),
        # Without it goes down first: 6.3280.
        ("market", "r-5", (30.2081, 15.7614, 3.0), "b-coward", (24.3054, 11.4456, 0.0), 6.1586),
    ],
)
def test_over_an_inner_corner_that_the_way_without_does_not_turn_at(
    scene: str,
    charger: str,
    start: Place3,
    target: str,
    stands: Place3,
    most: float,
) -> None:
    state = load(ROOT / "examples" / f"mordheim-{scene}.json").state
    body = state.body(charger).at(*start)
    state = state.with_body(body).with_body(state.body(target).at(*stands))
    track = route_to_contact(state, body, (target,))
    assert track is not None
    assert track.length <= most
    assert not track.hits
    assert any(crossing.kind == "gap" for crossing in track.crossings)


def test_mh_chg_6_no_jump_from_the_head_of_stairs_past_the_floor_they_lead_to() -> None:
    """Off the open end of the floor beside the upper wall, round the corner of the house: from the
    head of the stairs, as high as the floor, nobody goes down past that."""
    state = load(ROOT / "examples" / "mordheim-market.json").state
    body = state.body("r-1").at(30.2572, 9.9824, 3.0)
    state = state.with_body(body).with_body(state.body("b-1").at(36.3309, 10.9731, 0.0))
    track = route_to_contact(state, body, ("b-1",))
    assert track is not None
    assert not track.hits
    r = 12.5 / 25.4
    edge = 35.9 - math.sqrt(r * r - 0.01)
    aside = 36.1 + r - 36.3309
    down = 12.1 - (10.9731 + math.sqrt(4.0 * r * r - aside * aside))
    walked = math.dist(body.centre, (edge, 12.1)) + (36.1 - edge) + 0.5 * math.pi * r + down
    assert math.isclose(track.length, walked, abs_tol=1e-6)


@pytest.mark.parametrize(
    ("scene", "charger", "start", "target", "stands"),
    [
        ("market", "r-young", (30.6263, 33.5641, 3.0), "b-4", (28.8629, 28.0498, 0.0)),
        ("market", "r-4", (34.2393, 31.2938, 6.0), "b-2", (31.5732, 27.9064, 0.0)),
        ("roofs", "r-captain", (14.7516, 20.1294, 3.0), "b-ogre", (18.686, 20.3729, 3.0)),
        ("roofs", "r-floored", (21.2479, 8.6755, 3.0), "b-ogre", (18.8609, 7.0727, 0.0)),
    ],
)
def test_mh_chg_6_no_planned_charge_is_refused(
    scene: str, charger: str, start: Place3, target: str, stands: Place3
) -> None:
    state = load(ROOT / "examples" / f"mordheim-{scene}.json").state
    both = state.body(charger).at(*start), state.body(target).at(*stands)
    state = replace(state, bodies={body.id: body for body in both})
    track = route_to_contact(state, both[0], (target,))
    assert track is not None
    assert not track.hits
