"""MH-CLIMB, MH-JUMP, MH-GAP, MH-EDGE: climbs, jumps, gaps, edges, and where falls land."""

from __future__ import annotations

import math
from random import Random

import pytest

from clauses.mordheim.staging import Doc, Table, block, blue, ids, red
from tapeline.engine.bases import base_overlap
from tapeline.geometry.plane.legs import Line
from tapeline.rules.mordheim.route import planned
from tapeline.rules.mordheim.terrain import (
    edges_near,
    fall_over,
    free_at,
    nearest_edges,
    terrain_of,
    touching_features,
)

FAR = blue(44, 44)
B3 = block("B", 10, 16, 4, 16, 3)


def climb(x: float, y: float, z: float) -> Doc:
    return {"to": [x, y], "z": z, "how": "climb"}


def drop(x: float, y: float, z: float) -> Doc:
    return {"to": [x, y], "z": z, "how": "drop"}


def jump(x: float, y: float, z: float) -> Doc:
    return {"to": [x, y], "z": z, "how": "jump"}


# MH-CLIMB.


@pytest.mark.parametrize(("off", "touches"), [(0.0, True), (5e-7, True), (1e-5, False)])
def test_mh_climb_2_touching_means_contact(off: float, touches: bool) -> None:
    table = Table([red(9.5 - off, 10), FAR], [B3])
    assert touching_features(table.state, table.body()) == (("B",) if touches else ())


def test_mh_climb_2_from_above_by_overhanging_the_edge() -> None:
    for x, touches in ((10.0, True), (10.5, True), (10.51, False)):
        table = Table([red(x, 10, 3), FAR], [B3])
        assert touching_features(table.state, table.body()) == (("B",) if touches else ())


def test_mh_climb_2_along_the_wall_first() -> None:
    table = Table([red(9.5, 9), FAR], [B3])
    assert table.do("move", "A", [1], path=[{"to": [9.5, 10]}, climb(10, 10, 3)]).legal
    assert table.body().z == 3
    assert table.mark("spent") == pytest.approx(4)


def test_mh_climb_2_another_wall_was_not_touched() -> None:
    terrain = [B3, block("C", 10, 16, 16.5, 30, 2)]
    table = Table([red(9.5, 15.5), FAR], terrain)
    verdict = table.go({"to": [9.5, 17.0]}, climb(10, 17, 2))
    assert ids(verdict) == {"MH-CLIMB-2"}
    assert verdict.findings[0].about == "C"


@pytest.mark.parametrize(("height", "legal"), [(3.99, True), (4.0, True), (4.00001, False)])
def test_mh_climb_6_up_to_the_movement(height: float, legal: bool) -> None:
    table = Table([red(9.5, 10), FAR], [block("B", 10, 16, 4, 16, height)])
    verdict = table.go(climb(10, 10, height))
    assert verdict.legal == legal
    assert ("MH-CLIMB-6" in ids(verdict)) == (not legal)
    assert (verdict.ask is not None) == legal


def test_mh_climb_7_a_thick_wall_with_a_floor_behind_it() -> None:
    wall: Doc = {"id": "w", "wall": [[10.2, 4], [10.2, 16]], "thickness": 0.4, "height": 3}
    floor: Doc = {
        "id": "f",
        "floor": {"polygon": [[10.4, 4], [16, 4], [16, 16], [10.4, 16]]},
        "z": 3,
    }
    table = Table([red(9.5, 10), FAR], [wall, floor])
    verdict = table.do("move", "A", [2], path=[climb(10.8, 10, 3)])
    assert verdict.legal, verdict.findings
    assert table.body().z == 3
    assert verdict.cost == pytest.approx(3 + 0.4 + 0.4)
    down = Table([red(10.8, 10, 3), FAR], [wall, floor])
    assert touching_features(down.state, down.body()) == ("w",)
    assert down.do("move", "A", [2], path=[climb(9.5, 10, 0)]).legal
    assert down.mark("spent") == pytest.approx(0.4 + 0.4 + 3)


FENCE: Doc = {
    "id": "fence",
    "kind": "fence",
    "shape": {"polygon": [[10, 4], [10.2, 4], [10.2, 16], [10, 16]]},
    "height": 1.8,
}


def test_mh_climb_over_a_fence_leg_by_leg() -> None:
    legs = [climb(10, 10, 1.8), climb(10.2, 10, 1.8), climb(10.7, 10, 0)]
    for path in (legs, [legs[2]], [legs[1], legs[2]]):
        table = Table([red(9.5, 10), FAR], [FENCE])
        verdict = table.do("move", "A", [1], [1], path=path)
        assert verdict.legal, verdict.findings
        assert verdict.cost == pytest.approx(3.8)
        assert (table.body().x, table.body().z) == (10.7, 0)


def test_mh_climb_nobody_stays_on_top_of_a_fence() -> None:
    table = Table([red(9.5, 10), FAR], [FENCE])
    assert ids(table.go(climb(10.1, 10, 1.8))) == {"MH-CLIMB-1"}
    assert ids(table.go(climb(10, 10, 1.8))) == {"MH-CLIMB-1"}


def test_mh_climb_8_up_failed_ends_the_move() -> None:
    table = Table([red(9.5, 10), FAR], [B3])
    verdict = table.do("move", "A", [5], path=[climb(10, 10, 3)])
    assert verdict.legal
    assert "MH-CLIMB-8" in verdict.cites
    assert (table.body().x, table.body().z) == (9.5, 0)
    assert ids(table.go((9, 10))) == {"MH-PHASE-4"}


def test_mh_climb_down_where_nothing_leads_down() -> None:
    balcony: Doc = {
        "id": "balcony",
        "floor": {"polygon": [[8, 8], [10, 8], [10, 12], [8, 12]]},
        "z": 3,
    }
    table = Table([red(8.4, 10, 3), FAR], [B3, balcony])
    assert ids(table.go(climb(7.5, 10, 0))) == {"MH-CLIMB-1"}


def test_mh_climb_upper_storey_from_a_ledge() -> None:
    """What is climbed begins at the floor one stands on."""
    terrain = [B3, block("T", 12, 16, 4, 16, 5)]
    table = Table([red(11.5, 10, 3), FAR], terrain)
    assert "T" in touching_features(table.state, table.body())
    assert table.do("move", "A", [1], path=[climb(12, 10, 5)]).legal
    assert table.mark("spent") == pytest.approx(2)


def test_mh_climb_more_than_a_radius_sideways_is_no_climb() -> None:
    table = Table([red(9.5, 9), FAR], [B3])
    assert ids(table.go(climb(10.2, 11, 3))) == {"MH-CLIMB-1"}


# MH-JUMP, MH-GAP.


def test_mh_jump_1_parapets_of_an_inch_bar_the_jump() -> None:
    low: Doc = {"id": "p", "wall": [[10.1, 4], [10.1, 16]], "height": 0.5, "base_height": 3}
    assert Table([red(11, 10, 3), FAR], [B3, low]).go(drop(9.5, 10, 0)).legal
    high = {**low, "height": 1.0}
    assert not Table([red(11, 10, 3), FAR], [B3, high]).go(drop(9.5, 10, 0)).legal


def test_mh_jump_through_a_hole() -> None:
    hole = {"polygon": [[9, 9], [11, 9], [11, 11], [9, 11]]}
    floor: Doc = {
        "id": "f",
        "floor": {"polygon": [[4, 4], [16, 4], [16, 16], [4, 16]]},
        "z": 3,
        "holes": [hole],
    }
    table = Table([red(8, 10, 3), FAR], [floor, block("B", 16, 20, 4, 16, 3)])
    assert table.do("move", "A", [1], path=[drop(9.5, 10, 0), {"to": [12, 10]}]).legal
    assert (table.body().x, table.body().z) == (12, 0)


def test_mh_jump_needs_feet() -> None:
    table = Table([red(10.4, 10, 3, state={"condition": "knocked_down"}), FAR], [B3])
    assert ids(table.do("crawl", "A", path=[drop(9.5, 10, 0)])) == {"MH-JUMP-1"}
    assert "MH-CLIMB-1" in ids(table.do("crawl", "A", path=[climb(9.5, 10, 0)]))


@pytest.mark.parametrize(("width", "dice"), [(2.99, 1), (3.0, 1), (3.00001, 2)])
def test_mh_gap_1_up_to_three(width: float, dice: int) -> None:
    """A wider one is no test but a fall: a D3 and its wound rolls."""
    far = block("G", 10 + width, 19, 4, 16, 4)
    table = Table([red(10, 10, 4), FAR], [block("R", 4, 10, 4, 16, 4), far])
    answers = [[1]] if dice == 1 else [[1], [1]]
    verdict = table.do("move", "A", *answers, path=[jump(10 + width, 10, 4)])
    assert verdict.legal
    assert table.body().z == (4 if dice == 1 else 0)


def test_mh_gap_slanting_jumps_are_measured_slanting() -> None:
    far = block("G", 12.4, 19, 4, 16, 4)
    table = Table([red(10, 9, 4), FAR], [block("R", 4, 10, 4, 16, 4), far])
    verdict = table.do("move", "A", [1], path=[jump(12.4, 10.8, 4)])
    assert verdict.values["gap"] == pytest.approx(3.0)
    assert table.body().y == pytest.approx(10.8)


@pytest.mark.parametrize(
    ("faces", "spent", "place"),
    [
        ([[2], [2]], 3.1, (12.1, 10, 2)),
        ([[2], [4], [1], [1]], 3.1, (12.1, 10, 2)),
        ([[4], [1], [1]], 1.0, (10.5, 10, 0)),
    ],
)
def test_mh_gap_2_paid_once_the_gap_is_behind(
    faces: list[list[int]], spent: float, place: tuple[float, float, float]
) -> None:
    """2.1 over to a roof 2 lower: who slips on the far side has paid the width; who falls in the
    gap has not."""
    roofs = [block("R", 4, 10, 4, 16, 4), block("G", 12.1, 18, 4, 16, 2)]
    table = Table([red(9, 10, 4), blue(40, 40)], roofs)
    leg = {"to": [12.1, 10], "z": 2, "how": "jump"}
    verdict = table.do("move", "A", *faces, path=[leg])
    assert verdict.value("spent") == pytest.approx(spent, abs=1e-9)
    assert verdict.value("spent") == pytest.approx(verdict.cost, abs=1e-9)
    assert verdict.value("allowance_left") == pytest.approx(4 - spent, abs=1e-9)
    body = table.body()
    assert (*body.centre, body.z) == pytest.approx(place, abs=1e-6)


def test_mh_gap_over_a_street_between_arms_of_one_roof() -> None:
    arms: Doc = {
        "id": "U",
        "kind": "building",
        "height": 4,
        "shape": {
            "polygon": [[4, 4], [16, 4], [16, 16], [12, 16], [12, 8], [9, 8], [9, 16], [4, 16]]
        },
    }
    table = Table([red(8.5, 12, 4), FAR], [arms])
    assert table.do("move", "A", [1], path=[jump(12.5, 12, 4)]).legal
    assert table.mark("spent") == pytest.approx(4)


# MH-EDGE and landings.


@pytest.mark.parametrize(("off", "near"), [(0.99, True), (1.0, True), (1.00001, False)])
def test_mh_edge_1_from_the_base(off: float, near: bool) -> None:
    table = Table([red(10.5 + off, 10, 3), FAR], [B3])
    assert bool(nearest_edges(table.state, table.body())) == near


@pytest.mark.parametrize(("height", "edge"), [(0.99, False), (1.0, True)])
def test_mh_edge_1_a_drop_of_an_inch(height: float, edge: bool) -> None:
    table = Table([red(10.6, 10, height), FAR], [block("B", 10, 16, 4, 16, height)])
    assert bool(nearest_edges(table.state, table.body())) == edge


def test_mh_edge_1_walls_and_neighbouring_roofs_are_no_edges() -> None:
    wall: Doc = {"id": "w", "wall": [[10.1, 4], [10.1, 16]], "height": 5}
    table = Table([red(11, 10, 3), FAR], [B3, wall])
    assert nearest_edges(table.state, table.body()) == []
    table = Table([red(11, 10, 3), FAR], [B3, block("C", 4, 10, 4, 16, 3)])
    assert nearest_edges(table.state, table.body()) == []
    table = Table([red(11, 10, 3), FAR], [B3, block("C", 4, 10, 4, 16, 1)])
    ((distance, fall),) = nearest_edges(table.state, table.body())
    assert distance == pytest.approx(0.5)
    assert fall.drop == pytest.approx(2)
    assert fall.place == pytest.approx((9.5, 10, 1))


@pytest.mark.parametrize(
    ("tops", "found"),
    [
        ([(9.6, 10.0, 2.9)], 0.8),  # a coping a little lower
        ([(9.6, 10.0, 3.3)], 0.8),  # a kerb
        ([(9.8, 10.0, 2.4), (9.6, 9.8, 1.8)], 0.8),  # two steps, together more than an inch
        ([(9.2, 10.0, 2.9)], None),  # a wide one
        ([(9.6, 10.0, 2.0)], 0.4),  # an inch lower: its border is the edge
        ([(9.6, 9.9, 3.0)], 0.4),  # across a crack is another roof
    ],
)
def test_mh_edge_1_low_steps_are_no_edges_and_hide_none(
    tops: list[tuple[float, float, float]], found: float | None
) -> None:
    """The roof begins at x = 10, the base ends 0.4 from it; blocks of other heights lie beyond."""
    blocks = [block(f"S{k}", a, b, 4, 16, z) for k, (a, b, z) in enumerate(tops)]
    table = Table([red(10.9, 10, 3), FAR], [B3, *blocks])
    near = nearest_edges(table.state, table.body())
    assert [distance for distance, _ in near] == ([] if found is None else [pytest.approx(found)])
    if found == 0.8:
        assert near[0][1].place == pytest.approx((9.1, 10, 0))
        assert near[0][1].drop == pytest.approx(3)


def test_mh_edge_1_a_crack_under_the_base_is_one_edge() -> None:
    table = Table([red(10.4, 10, 3), FAR], [B3, block("S", 6, 9.9, 4, 16, 3)])
    assert len(nearest_edges(table.state, table.body())) == 1


def test_mh_edge_1_ties_are_told() -> None:
    table = Table([red(10.8, 4.8, 3), FAR], [B3])
    assert len(nearest_edges(table.state, table.body())) == 2
    assert len(edges_near(table.state, table.body(), 1.0)) == 2


def test_mh_edge_1_round_towers() -> None:
    tower: Doc = {
        "id": "T",
        "kind": "building",
        "height": 4,
        "shape": {"circle": {"centre": [12, 12], "radius": 3}},
    }
    inside = Table([red(13.4, 12, 4), FAR], [tower])
    assert nearest_edges(inside.state, inside.body()) == []
    table = Table([red(13.6, 12, 4), FAR], [tower])
    ((distance, fall),) = nearest_edges(table.state, table.body())
    assert distance == pytest.approx(0.9)
    assert fall.place == pytest.approx((15.5, 12, 0))
    assert fall.drop == pytest.approx(4)


def test_a_fall_goes_to_the_nearest_free_place() -> None:
    table = Table([red(10.4, 10, 3), blue(9.3, 10.1)], [B3])
    body = table.body()
    fall = fall_over(table.state, body, (10, 10), (-1, 0), 3)
    assert fall is not None
    # Beside the wall and touching the enemy, on the nearer side of it.
    x, y, z = fall.place
    assert (x, z) == (pytest.approx(9.5), 0)
    assert y == pytest.approx(10.1 - math.sqrt(1 - 0.2**2), abs=1e-9)


def test_a_fall_lands_free_and_no_free_place_is_nearer() -> None:
    """Against sampling round the foot, on random crowds."""
    random, pushed = Random(6), 0
    for _ in range(25):
        crowd = []
        while len(crowd) < 6:
            x, y = random.uniform(7.5, 9.4), random.uniform(8, 12)
            if all(math.dist((x, y), (c["position"][0], c["position"][1])) > 1 for c in crowd):
                crowd.append(blue(x, y, body_id=f"E{len(crowd)}"))
        table = Table([red(10.4, 10, 3), *crowd], [B3])
        state, body = table.state, table.body()
        fall = fall_over(state, body, (10, 10), (-1, 0), 3)
        assert fall is not None
        ground = terrain_of(state)
        assert free_at(state, ground, body, *fall.place)
        far = math.dist(fall.place[:2], (9.5, 10))
        pushed += far > 0.0
        for _ in range(400 if far > 0.0 else 0):
            r, t = far * math.sqrt(random.random()) * 0.999, random.uniform(0, math.tau)
            assert not free_at(state, ground, body, 9.5 + r * math.cos(t), 10 + r * math.sin(t), 0)
        landed = body.at(*fall.place)
        assert all(base_overlap(landed, other) < 1e-6 for other in state.others(body))
    assert pushed > 10


# Nothing juts into a climb or a jump: the base enters no solid on its way either (MH-MOVE-5).


def _balcony(x0: float, z: float) -> Doc:
    corners = [[x0, 8], [10, 8], [10, 12], [x0, 12]]
    return {"id": "balcony", "kind": "platform", "z": z, "floor": {"polygon": corners}}


def _rope(x: float, y: float, z: float) -> Doc:
    return {"id": "rope", "rope": {"foot": [x, y, 0], "head": [x, y, z]}}


@pytest.mark.parametrize(("x0", "z", "free"), [(8, 2, False), (9.4, 2, False), (9.6, 4, True)])
def test_mh_climb_1_nobody_climbs_through_a_balcony(x0: float, z: float, free: bool) -> None:
    ground = [block("B4", 10, 16, 4, 16, 4), _balcony(x0, z)]
    if z < 4:
        ground.append(_rope(x0, 9, z))
    up = climb(11, 10, 4)
    model = red(9.5, 10, profile="Verminkin")
    table = Table([model, FAR], ground)
    verdict = table.go(up)
    assert verdict.legal is free
    if not free:
        (found,) = verdict.findings
        assert (found.about, found.limit) == ("balcony", 0.0)
        assert f"juts {found.measured:.4g} in into the way" in found.text
    if not free:
        above = Table([red(10.4, 10, 4, profile="Verminkin"), FAR], ground)
        assert {f.about for f in above.go(climb(9.5, 10, 0)).findings} == {"balcony"}
    beside = Table([red(9.5, 14, profile="Verminkin"), FAR], ground)
    assert beside.go(climb(11, 14, 4)).legal


def test_mh_climb_1_nobody_climbs_through_a_ceiling() -> None:
    house: Doc = {"id": "house", "wall": [[8, 8], [16, 8], [16, 16], [8, 16]], "closed": True}
    house |= {"thickness": 0.2, "height": 3}
    corners = [[7.9, 7.9], [16.1, 7.9], [16.1, 16.1], [7.9, 16.1]]
    floor: Doc = {"id": "floor", "kind": "floor", "z": 3, "floor": {"polygon": corners}}
    inside = Table([red(8.6, 12), FAR], [house, floor])
    verdict = inside.go(climb(8, 12, 3))
    assert {f.about for f in verdict.findings} == {"floor"}
    outside = Table([red(7.4, 12), FAR], [house, floor])
    assert outside.go(climb(8, 12, 3)).legal


@pytest.mark.parametrize(("y", "free"), [(10.2, False), (10.59, False), (10.6, True)])
def test_mh_gap_1_the_base_passes_a_pillar_in_the_gap(y: float, free: bool) -> None:
    pillar: Doc = {"id": "pillar", "wall": [[10.9, y], [11.1, y]], "thickness": 0.2, "height": 8}
    ground = [block("R4", 4, 10, 4, 16, 4), block("G", 12, 19, 4, 16, 4), pillar]
    table = Table([red(9, 10, 4), FAR], ground)
    verdict = table.go(jump(12.5, 10, 4))
    assert verdict.legal is free
    assert free or ids(verdict) == {"MH-MOVE-5"}


@pytest.mark.parametrize(("z", "free"), [(5.2, False), (5.4, True)])
def test_mh_gap_1_the_base_passes_under_a_floor_over_the_gap(z: float, free: bool) -> None:
    corners = [[10.9, 4], [11.1, 4], [11.1, 16], [10.9, 16]]
    beam: Doc = {"id": "beam", "kind": "platform", "z": z, "floor": {"polygon": corners}}
    ground = [block("R4", 4, 10, 4, 16, 4), block("G", 12, 19, 4, 16, 4), beam, _rope(11, 5, z)]
    table = Table([red(9, 10, 4), FAR], ground)
    assert table.go(jump(12.5, 10, 4)).legal is free


@pytest.mark.parametrize(("z", "jumps"), [(5.2, False), (5.4, True)])
def test_mh_gap_7_no_charge_over_a_gap_under_a_floor_too_low(z: float, jumps: bool) -> None:
    corners = [[10.9, 3], [11.1, 3], [11.1, 17], [10.9, 17]]
    beam: Doc = {"id": "beam", "kind": "platform", "z": z, "floor": {"polygon": corners}}
    ground = [block("R4", 4, 10, 4, 16, 4), block("G", 12, 19, 4, 16, 4), beam, _rope(11, 5, z)]
    table = Table([red(8, 10, 4), blue(15, 10, 4)], ground, step="declarations")
    plan = planned(table.state, table.body().marked(targets=("E",), charge="declared"))
    assert plan is not None
    from_roof = [h for h in plan.track.crossings if h.kind == "gap" and h.start.z == 4.0]
    assert plan.feasible
    assert bool(from_roof) is jumps
    assert not plan.track.hits


def _parapet(y0: float, y1: float, body_id: str, height: float = 1.5) -> Doc:
    ends = [[9.9, y0], [9.9, y1]]
    return {"id": body_id, "wall": ends, "thickness": 0.2, "base_height": 4, "height": height}


@pytest.mark.parametrize(
    ("y", "distance"),
    [
        (10.0, 0.5),
        (9.5, 0.5),
        (9.0, math.hypot(1.0, 0.5 / 0.8) - 0.5),
        (8.65, math.hypot(1.0, 0.85 / 0.8) - 0.5),
        (8.6, None),
        (8.0, None),
    ],
)
def test_mh_edge_1_beside_an_opening_of_a_parapet(y: float, distance: float | None) -> None:
    """The corner of the parapet at (9.8, 9.5) ends what it hides of the edge at x 10."""
    walls = [_parapet(4, 9.5, "south"), _parapet(10.5, 16, "north")]
    table = Table([red(9, y, 4), FAR], [block("R4", 4, 10, 4, 16, 4), *walls])
    near = edges_near(table.state, table.body(), 1.0)
    if distance is None:
        assert near == []
    else:
        assert near[0].distance == pytest.approx(distance)
        assert near[0].point[1] >= min(y, 9.5) - 1e-9
        falls = nearest_edges(table.state, table.body())
        assert falls[0][1].place.z == 0.0


def test_mh_edge_1_what_a_parapet_leaves_open_is_the_nearest_place_in_the_open() -> None:
    """Against sampling: the nearest place of the edge to which a line passes no wall."""
    rng = Random("parapets")
    found = 0
    for _ in range(16):
        gap = rng.uniform(6, 14)
        walls = [_parapet(4, gap, "south"), _parapet(gap + rng.uniform(0.1, 1.5), 16, "north")]
        post: Doc = {"id": "post", "kind": "column", "base_height": 4, "height": 2}
        post["shape"] = {"circle": {"centre": [9.5, gap - 0.3], "radius": 0.15}}
        x, y = rng.uniform(8.3, 8.8), gap + rng.uniform(-1.2, 1.2)
        scene = [block("R4", 4, 10, 4, 16, 4), *walls, post]
        table = Table([red(x, y, 4), FAR], scene)
        ground, body = terrain_of(table.state), table.body()
        solids = [s for s in ground.storeys.solids if s.entry in ("south", "north", "post")]
        best = math.inf
        for k in range(1501):
            at = (10.0, y - 1.5 + k * 2e-3)
            line = Line(x, y, *at)
            if all(sum(b - a for a, b in s.ground.spans(line)) <= 1e-9 for s in solids):
                best = min(best, math.dist(at, (x, y)) - 0.5)
        near = [e for e in edges_near(table.state, body, 1.0) if e.normal[0] > 0.5]
        if near:
            assert near[0].distance == pytest.approx(best, abs=4e-3)
            found += 1
        else:
            assert best > 1.0 - 4e-3
    assert found > 4
