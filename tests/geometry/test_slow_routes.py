"""Least-cost routes over slow ground: brackets, symmetry, edges, budgets, bad input."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from support.kernels import warm
from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, PointGoal
from tapeline.geometry.plane.legs import Arc, Line, Path
from tapeline.geometry.weighted.regions import (
    WeightedArea,
    WeightedDisc,
    WeightedGround,
    WeightedRing,
)
from tapeline.geometry.weighted.route import WeightedRoute, WeightedRouter

Turn = Callable[[float, float], tuple[float, float]]


def box(x: float, y: float, w: float, h: float, factor: float) -> WeightedRing:
    return WeightedRing((x, y, x + w, y, x + w, y + h, x, y + h), factor)


#: A bog, a pond and a wood that overlaps the bog, among a wall, a house and a post.
AREAS: tuple[WeightedArea, ...] = (
    box(0.0, 0.0, 5.0, 5.0, 2.0),
    WeightedDisc(9.0, 3.0, 2.0, 4.0),
    WeightedRing((4.0, 4.0, 12.0, 4.0, 9.0, 6.0, 12.0, 9.0, 4.0, 9.0), 3.0),
)
SOLIDS = ([6.0, 0.0, 7.0, 0.0, 7.0, 3.0, 6.0, 3.0],)
POSTS = ((3.0, 8.0, 1.0),)
WALLS = ((1.0, 6.0, 2.0, 6.5),)


def scene(turn: Turn = lambda x, y: (x, y), scale: float = 1.0) -> tuple[Field, WeightedGround]:
    def ring(flat: tuple[float, ...] | list[float]) -> tuple[float, ...]:
        return tuple(v for i in range(0, len(flat), 2) for v in turn(flat[i], flat[i + 1]))

    areas: list[WeightedArea] = []
    for area in AREAS:
        factor = 1.0 + scale * (area.factor - 1.0)
        if isinstance(area, WeightedDisc):
            areas.append(WeightedDisc(*turn(area.x, area.y), area.radius, factor))
        else:
            areas.append(WeightedRing(ring(area.ring), factor))
    field = Field.of(
        solids=[ring(s) for s in SOLIDS],
        posts=[(*turn(x, y), r) for x, y, r in POSTS],
        walls=[(*turn(a, b), *turn(c, d)) for a, b, c, d in WALLS],
        box=(-60.0, -60.0, 60.0, 60.0),
    )
    return field, WeightedGround(areas)


def sound(
    route: WeightedRoute | None, field: Field, ground: WeightedGround, r: float, eps: float = 0.001
) -> WeightedRoute:
    """The answer, after all that must be true of any answer."""
    assert route is not None
    assert route.lower <= route.upper <= route.lower + eps + 1e-9
    assert field.follows(route.path, r)
    assert math.fsum(line.cost for line in route.ledger) == pytest.approx(route.upper, abs=1e-9)
    assert math.fsum(line.leg.length for line in route.ledger) == pytest.approx(
        route.length, abs=1e-9
    )
    for a, b in pairwise(route.path.legs):
        assert math.dist(a.end, b.start) < 1e-8
    assert ground.cost(route.path) == pytest.approx(route.upper, abs=1e-9)
    return route


PAIRS = [((-1.0, 1.0), (13.0, 5.0)), ((2.0, 2.0), (9.0, 2.0))]
#: A gap that plain Python closes soon on that scene.
WIDE = 0.05


@pytest.mark.parametrize(("start", "goal"), PAIRS)
def test_quarter_turns_and_mirrors_change_nothing(
    start: tuple[float, float], goal: tuple[float, float]
) -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    plain = sound(slow.cheapest(start, [PointGoal(*goal)], WIDE), field, ground, 0.5, WIDE)
    turns: list[Turn] = [lambda x, y: (-y, x), lambda x, y: (-x, y)]
    for turn in turns:
        field, ground = scene(turn)
        slow = WeightedRouter(field, 0.5, ground)
        found = slow.cheapest(turn(*start), [PointGoal(*turn(*goal))], WIDE)
        other = sound(found, field, ground, 0.5, WIDE)
        assert other.lower <= plain.upper + 1e-9
        assert plain.lower <= other.upper + 1e-9


@pytest.mark.parametrize(("start", "goal"), PAIRS)
def test_there_and_back_cost_the_same(
    start: tuple[float, float], goal: tuple[float, float]
) -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    there = sound(slow.cheapest(start, [PointGoal(*goal)], WIDE), field, ground, 0.5, WIDE)
    back = sound(slow.cheapest(goal, [PointGoal(*start)], WIDE), field, ground, 0.5, WIDE)
    assert there.lower <= back.upper + 1e-9
    assert back.lower <= there.upper + 1e-9


def test_a_rise_of_the_factors_never_lowers_the_cost() -> None:
    last = 0.0
    for scale in (0.0, 0.5, 1.0):
        field, ground = scene(scale=scale)
        slow = WeightedRouter(field, 0.5, ground)
        found = slow.cheapest((-1.0, 1.0), [PointGoal(13.0, 5.0)], WIDE)
        route = sound(found, field, ground, 0.5, WIDE)
        assert route.upper >= last - 1e-9
        last = route.lower


def test_without_slow_ground_it_is_the_shortest_route() -> None:
    field, _ = scene()
    rng = random.Random(2)
    for areas in ([], [box(0.0, 0.0, 9.0, 9.0, 1.0)]):
        slow = WeightedRouter(field, 0.5, WeightedGround(areas))
        for _ in range(10):
            a = (rng.uniform(-2.0, 14.0), rng.uniform(-2.0, 11.0))
            b = (rng.uniform(-2.0, 14.0), rng.uniform(-2.0, 11.0))
            for goal in (PointGoal(*b), CircleGoal(*b, 1.0)):
                plain = field.route(a, [goal], 0.5).route
                route = slow.cheapest(a, [goal])
                if plain is None:
                    assert route is None
                    continue
                assert route is not None
                assert route.lower == route.upper == pytest.approx(plain.length, abs=1e-9)


def test_a_field_of_things_grown_beforehand() -> None:
    field = Field.of(solids=[list(SOLIDS[0])], thickness=0.5, posts=[(3.0, 8.0, 1.5)])
    ground = WeightedGround(AREAS)
    slow = WeightedRouter(field, 0.0, ground)
    route = slow.cheapest((-1.0, 1.0), [PointGoal(7.5, 5.0)], WIDE)
    assert route is not None
    assert route.upper - route.lower <= WIDE + 1e-9
    assert field.follows(route.path, 0.0)


def test_round_a_patch_where_round_is_cheaper() -> None:
    ground = WeightedGround([box(0.0, -1.0, 4.0, 2.0, 4.0)])
    slow = WeightedRouter(Field.of(), 0.5, ground)
    route = slow.cheapest((-2.0, 0.0), [PointGoal(6.0, 0.0)])
    assert route is not None
    truth = 4.0 + 2.0 * math.hypot(2.0, 1.0)
    assert route.lower <= truth + 1e-9
    assert route.upper == pytest.approx(truth, abs=1e-6)
    assert all(line.factor == 1.0 for line in route.ledger)


def test_a_wall_leaves_only_the_slow_gap() -> None:
    # Solid above and below; between them slow ground from wall to wall, wider than they are.
    solids = [
        [0.0, 1.0, 2.0, 1.0, 2.0, 30.0, 0.0, 30.0],
        [0.0, -30.0, 2.0, -30.0, 2.0, -1.0, 0.0, -1.0],
    ]
    field = Field.of(solids=solids, box=(-30.0, -30.0, 30.0, 30.0))
    ground = WeightedGround([box(-1.0, -2.0, 4.0, 4.0, 3.0)])
    slow = WeightedRouter(field, 0.5, ground)
    route = sound(slow.cheapest((-5.0, 0.0), [PointGoal(7.0, 0.0)]), field, ground, 0.5)
    assert route.upper == pytest.approx(8.0 + 3.0 * 4.0, abs=1e-6)
    round_it = slow.cheapest((-5.0, 8.0), [PointGoal(7.0, 8.0)], WIDE)
    sound(round_it, field, ground, 0.5, WIDE)
    assert slow.cheapest((-5.0, 0.0), [PointGoal(1.0, 5.0)]) is None


@pytest.mark.parametrize(
    ("start", "goal", "cost"),
    [
        ((0.0, 1.0), (0.0, 4.0), 3.0),  # along an edge from edge to edge
        ((0.0, 0.0), (5.0, 0.0), 5.0),  # from corner to corner along the edge
        ((0.0, 2.0), (2.0, 2.0), 4.0),  # from the edge straight in
        ((1.0, 2.5), (4.0, 2.5), 6.0),  # inside, too far from any edge to be worth it
        ((2.5, 2.5), (2.5, 2.5), 0.0),
        ((0.0, 0.0), (0.0, 0.0), 0.0),
        ((5.0, 2.0), (7.0, 2.0), 4.0),  # neighbours share the edge x = 5
        ((5.0, 1.0), (5.0, 4.0), 6.0),  # no cheap crack along the shared edge
        ((7.0, 6.0), (7.0, 8.0), 2.0),
    ],
)
def test_starts_and_goals_on_edges(
    start: tuple[float, float], goal: tuple[float, float], cost: float
) -> None:
    field = Field.of()
    ground = WeightedGround([box(0.0, 0.0, 5.0, 5.0, 2.0), box(5.0, 0.0, 4.0, 5.0, 2.0)])
    slow = WeightedRouter(field, 0.5, ground)
    route = sound(slow.cheapest(start, [PointGoal(*goal)]), field, ground, 0.5)
    assert route.lower <= cost + 1e-9
    assert route.upper <= cost + 0.001
    assert route.upper >= cost - 1e-9


def test_overlap_takes_the_greater_factor_and_edges_the_cheaper_side() -> None:
    ground = WeightedGround([box(0.0, 0.0, 4.0, 4.0, 2.0), box(2.0, 0.0, 4.0, 4.0, 3.0)])
    assert [ground.factor(x, 2.0) for x in (-1.0, 0.0, 1.0, 2.0, 3.0, 5.0, 6.0)] == [
        1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 1.0,
    ]  # fmt: skip
    assert ground.factor(4.0, 2.0) == 3.0  # the first area ends inside the second
    across = Path((Line(-1.0, 2.0, 7.0, 2.0),))
    assert [(line.factor, line.leg.length) for line in ground.ledger(across)] == [
        (1.0, 1.0), (2.0, 2.0), (3.0, 4.0), (1.0, 1.0),
    ]  # fmt: skip
    assert ground.cost(Path((Line(0.0, 0.0, 6.0, 0.0),))) == 6.0
    assert ground.cost(Path((Line(2.0, 0.0, 2.0, 4.0),))) == 8.0
    half = WeightedGround([WeightedDisc(0.0, 0.0, 1.0, 2.0)])
    assert half.cost(Path((Arc(0.0, 0.0, 1.0, 0.0, math.pi),))) == pytest.approx(math.pi)
    assert half.cost(Path((Arc(0.0, 0.0, 0.5, 0.0, math.pi),))) == pytest.approx(math.pi)


def test_a_clockwise_area_is_the_same_ground() -> None:
    ring = (0.0, 0.0, 5.0, 0.0, 5.0, 5.0, 0.0, 5.0)
    back = tuple(v for i in range(len(ring), 0, -2) for v in ring[i - 2 : i])
    for flat in (ring, back):
        slow = WeightedRouter(Field.of(), 0.0, WeightedGround([WeightedRing(flat, 2.0)]))
        route = slow.cheapest((-3.0, 1.0), [PointGoal(3.0, 2.0)])
        assert route is not None
        assert route.upper == pytest.approx(9.101, abs=0.2)


def test_contact_from_outside_and_from_inside() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    start = (-1.0, 1.0)
    goal = CircleGoal(7.0, 7.0, 1.5)
    route = sound(slow.cheapest(start, [goal], WIDE), field, ground, 0.5, WIDE)
    assert math.dist(route.path.end, (7.0, 7.0)) == pytest.approx(1.5, abs=1e-8)
    point = slow.cheapest(start, [PointGoal(7.0, 7.0)], WIDE)
    assert point is not None
    assert route.lower <= point.upper
    around = CircleGoal(2.0, 2.0, 3.5, True)
    out = sound(slow.cheapest((2.0, 2.0), [around], WIDE), field, ground, 0.5, WIDE)
    assert math.dist(out.path.end, (2.0, 2.0)) == pytest.approx(3.5, abs=1e-8)
    shut = CircleGoal(7.0, 7.0, 1.5, shut=((math.pi - 0.5, math.pi + 2.0),))
    barred = sound(slow.cheapest(start, [shut], WIDE), field, ground, 0.5, WIDE)
    assert barred.upper >= route.lower - 1e-9
    x, y = barred.path.end
    assert shut.open_at(math.atan2(y - 7.0, x - 7.0))


def test_the_cheapest_of_several_goals() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    goals = [PointGoal(2.0, 3.0), PointGoal(-3.0, 4.0), PointGoal(3.0, -3.0)]
    best = sound(slow.cheapest((-1.0, 1.0), goals), field, ground, 0.5)
    assert best.goal == 1
    assert best.upper == pytest.approx(math.hypot(2.0, 3.0), abs=1e-9)


def test_reach_within_a_budget() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    start, place = (-1.0, 1.0), (3.0, 3.0)
    route = slow.cheapest(start, [PointGoal(*place)])
    assert route is not None
    for budget, held in (
        (route.upper + 1e-6, True),
        (route.lower - 0.01, False),
        (1e6, True),
        (0.0, False),
    ):
        reach = slow.reach(start, budget)
        assert reach.contains(*place) is held
        assert reach.excludes(*place) is not held
        found = reach.route(*place)
        assert (found is not None and found.upper <= budget) is held
    nothing = slow.reach(start, 0.0)
    assert nothing.contains(*start)
    assert not nothing.contains(-1.0, 1.1)
    assert not slow.reach(start, -1.0).contains(*start)
    assert not slow.reach(start, 100.0).contains(6.5, 1.0)  # in the house


def test_a_smaller_gap_lies_within_the_larger() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    goal = [PointGoal(4.5, 6.5)]
    wide = slow.cheapest((-1.0, 1.0), goal, eps=0.05)
    fine = slow.cheapest((-1.0, 1.0), goal, eps=1e-4)
    assert wide is not None
    assert fine is not None
    assert fine.upper - fine.lower <= 1e-4 + 1e-9
    assert wide.upper - wide.lower <= 0.05 + 1e-9
    assert wide.lower <= fine.upper
    assert fine.lower <= wide.upper


@pytest.mark.parametrize("depth", [0.008, 0.03])
def test_a_leg_that_just_meets_a_slow_circle_goes_round_it(depth: float) -> None:
    # Straight on it would run through less ground than the circle's first chords lie off it.
    radius, far = 2.0, 3.0
    slow = WeightedRouter(Field.of(), 0.5, WeightedGround([WeightedDisc(0.0, 0.0, radius, 2.0)]))
    off = math.hypot(far, radius - depth)
    turn = 2.0 * (math.atan2(far, radius - depth) - math.acos(radius / off))
    truth = 2.0 * math.sqrt(off * off - radius * radius) + radius * turn
    assert truth > 2.0 * far + 1e-5
    route = slow.cheapest((-far, radius - depth), [PointGoal(far, radius - depth)], eps=1e-5)
    assert route is not None
    assert route.upper - route.lower <= 1e-5 + 1e-9
    assert route.lower - 1e-9 <= truth <= route.upper + 1e-9


def closes(
    slow: WeightedRouter, start: tuple[float, float], end: tuple[float, float], work: int
) -> None:
    """The bracket is 0.001 wide within so much work, and no cost of a reach says otherwise."""
    route = slow.cheapest(start, [PointGoal(*end)], work=work)
    assert route is not None
    assert route.upper - route.lower <= 0.001 + 1e-9
    shown = slow.reach(start, route.upper + 0.1).cost(*end)
    assert route.lower - 1e-9 <= shown <= route.upper + 1e-3


def test_a_side_that_is_cheaper_at_one_end_than_at_the_other() -> None:
    # A notch of open ground in ground of factor 4, half of it filled with ground of factor 2: a leg
    # along its upper side would be one of factor 1 and of factor 2.
    notched = (1.98, 1.53, 4.38, 1.53, 2.94, 3.5, 4.38, 5.48, 1.98, 5.48)
    ground = WeightedGround([box(3.67, 0.7, 4.22, 4.59, 2.0), WeightedRing(notched, 4.0)])
    slow = WeightedRouter(Field.of(width=12.0, depth=12.0), 0.4, ground)
    closes(slow, (3.73, 1.02), (5.18, 5.42), 20_000)


def test_a_slow_side_and_a_slow_circle_that_close_in_on_one_another() -> None:
    # Between them lies open ground that comes to a point: no way goes to and fro there.
    corners = (4.6, 7.88, 8.08, 7.88, 5.99, 10.07, 8.08, 12.26, 4.6, 12.26)
    ground = WeightedGround([WeightedDisc(8.26, 9.93, 1.75, 1.5), WeightedRing(corners, 1.5)])
    slow = WeightedRouter(Field.of(width=12.0, depth=12.0), 0.4, ground)
    closes(slow, (4.88, 9.13), (10.7, 11.35), 40_000)


def test_between_two_circles_that_nearly_touch_ways_leave_these_by_tangents_only() -> None:
    field = Field.of(posts=[(0.0, 0.0, 0.6), (2.002, 0.0, 0.6)], box=(-20.0, -20.0, 20.0, 20.0))
    slow = WeightedRouter(field, 0.4, WeightedGround([box(-10.0, 1.5, 20.0, 1.0, 2.0)]))
    closes(slow, (0.9, -2.5), (1.1, 3.0), 8_000)


def test_work_runs_out_with_words() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    with pytest.raises(WorkLimitError, match="raise work or eps"):
        slow.cheapest((-1.0, 1.0), [PointGoal(13.0, 5.0)], work=10)


@pytest.mark.parametrize(
    "area",
    [
        WeightedDisc(0.0, 0.0, 1.0, 0.5),
        WeightedDisc(0.0, 0.0, 0.0, 2.0),
        WeightedDisc(math.nan, 0.0, 1.0, 2.0),
        WeightedDisc(0.0, 0.0, 1.0, math.inf),
        WeightedDisc(0.0, 0.0, 1.0, math.nan),
        WeightedRing((0.0, 0.0, 1.0, 1.0), 2.0),
        WeightedRing((0.0, 0.0, 1.0, 1.0, 2.0, 2.0), 2.0),
        WeightedRing((0.0, 0.0, 1.0, 0.0, 1.0, math.nan), 2.0),
        WeightedRing((0.0, 0.0, 2.0, 2.0, 2.0, 0.0, 0.0, 2.0), 2.0),
        WeightedRing((0.0, 0.0, 2.0, 0.0, 2.0, 2.0, 0.0), 2.0),
    ],
)
def test_areas_that_will_not_do(area: WeightedArea) -> None:
    with pytest.raises(ShapeError):
        WeightedGround([area])


def test_numbers_that_will_not_do() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    nan = math.nan
    with pytest.raises(ShapeError):
        slow.cheapest((nan, 0.0), [PointGoal(1.0, 1.0)])
    with pytest.raises(ShapeError):
        slow.cheapest((0.0, 0.0), [PointGoal(nan, 1.0)])
    with pytest.raises(ShapeError):
        slow.cheapest((0.0, 0.0), [CircleGoal(1.0, 1.0, nan)])
    with pytest.raises(ShapeError):
        slow.cheapest((0.0, 0.0), [PointGoal(1.0, 1.0)], eps=0.0)
    with pytest.raises(ShapeError):
        slow.cheapest((0.0, 0.0), [PointGoal(1.0, 1.0)], limit=nan)
    with pytest.raises(ShapeError):
        slow.reach((0.0, 0.0), nan)
    with pytest.raises(ShapeError):
        WeightedRouter(field, nan, ground)


def test_a_known_way_is_the_upper_bound_to_begin_with() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    start, goal = PAIRS[0]
    shown = slow.reach(start, 30.0).known(*goal)
    assert shown is not None
    # So wide a gap that nothing is searched: the shortest route, or the known one.
    shortest = slow.cheapest(start, [PointGoal(*goal)], 50.0)
    known = slow.cheapest(start, [PointGoal(*goal)], 50.0, known=[shown])
    assert shortest is not None
    assert known is not None
    assert known.upper == shown[0] < shortest.upper
    assert known.path == shown[1]
    assert slow.cheapest(start, [PointGoal(*goal)], 50.0, known=[None]) == shortest


@pytest.mark.long
def test_both_gears_give_the_same_bracket() -> None:
    warm()
    field, ground = scene()
    answers = []
    try:
        for backend in ("plain", "compiled"):
            backends.use(backend)
            slow = WeightedRouter(field.on_backend(backend == "compiled"), 0.5, ground)
            found = [slow.cheapest(a, [PointGoal(*b)], WIDE) for a, b in PAIRS]
            answers.append([(route.lower, route.upper) for route in found if route])
    finally:
        backends.use("auto")
    for plain, compiled in zip(*answers, strict=True):
        assert plain == pytest.approx(compiled, abs=1e-9)


def test_the_way_along_a_whole_edge_is_not_forgotten() -> None:
    # Met at one corner and left at the next, an edge is one piece to begin with.
    corners = [
        (13.670299303579892, 6.428895146423061), (12.880023045864714, 7.421311165277596),
        (10.844717503842267, 8.515819775463426), (8.338605099887124, 8.78920405863738),
        (7.933756184730585, 7.964851512579057), (8.397502949456296, 7.088321948356453),
        (10.151161470677499, 5.92550264324895), (12.717303992276292, 5.857323558492446),
    ]  # fmt: skip
    solid = [10.0, 2.0, 11.0, 2.0, 11.0, 6.3, 10.0, 6.3]
    field = Field.of(solids=[solid], box=(0.0, 0.0, 30.0, 20.0))
    slow = WeightedRouter(
        field, 0.5, WeightedGround([WeightedRing(tuple(v for c in corners for v in c), 2.0)])
    )
    start, goal = (16.28, 7.03), (7.8, 7.85)
    route = slow.cheapest(start, [PointGoal(*goal)], WIDE)
    assert route is not None
    by_the_edge = [start, corners[2], corners[3], goal]
    assert field.follows(by_the_edge, 0.5)
    length = math.fsum(math.dist(a, b) for a, b in pairwise(by_the_edge))
    assert route.lower <= length + 1e-9
    assert route.upper <= length + WIDE + 1e-9


def test_a_bound_for_one_end_of_a_piece_is_none_for_its_inside() -> None:
    # Straight past the pond to the wood's edge, and in: short of the pond by 0.05.
    wood = (5.055681855376519, 4.771340819638611, 6.52029763955204, 6.371726762144424)
    x0, y0, x1, y1 = wood
    pond = WeightedDisc(7.601205984620422, 5.399212063263156, 1.7034403721045368, 2.0)
    ground = WeightedGround([pond, WeightedRing((x0, y0, x1, y0, x1, y1, x0, y1), 2.0)])
    start, goal = (10.143521361423083, 1.466364919189351), (5.377021038642014, 4.911051629488988)
    edge = (5.43966067534065, y0)
    known = ground.cost(Path((Line(*start, *edge), Line(*edge, *goal))))
    assert known == pytest.approx(math.dist(start, edge) + 2.0 * math.dist(edge, goal), abs=1e-9)
    route = WeightedRouter(Field.of(), 0.4, ground).cheapest(start, [PointGoal(*goal)], 0.0005)
    assert route is not None
    assert route.lower <= known + 1e-9
    assert route.upper - route.lower <= 0.0005 + 1e-9


# Everywhere from one search.


def places(seed: int, count: int) -> list[tuple[float, float]]:
    rng = random.Random(seed)
    return [(rng.uniform(-3.0, 13.0), rng.uniform(-3.0, 11.0)) for _ in range(count)]


def test_reach_over_even_ground_is_the_plain_reach() -> None:
    field, _ = scene()
    start = (-1.0, 1.0)
    plain = field.reach(start, 0.5, 12.0)
    for areas in ([], [box(0.0, 0.0, 9.0, 9.0, 1.0)]):
        reach = WeightedRouter(field, 0.5, WeightedGround(areas)).reach(start, 12.0)
        found = 0
        for place in places(3, 60):
            assert reach.contains(*place) == plain.contains(*place)
            if plain.contains(*place):
                assert reach.cost(*place) == pytest.approx(plain.cost(*place), abs=1e-9)
                found += 1
        assert found > 20


def test_costs_of_a_reach_lie_in_the_brackets_proven_for_them() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    reach = slow.reach((-1.0, 1.0), 12.0)
    assert reach.cost(-1.0, 1.0) == 0.0
    # In the bog, behind it, in the wood, across the pond, at a corner, on an edge.
    for place in [(3.0, 3.0), (6.0, 4.5), (5.0, 6.0), (9.2, 0.6), (5.0, 5.0), (2.5, 5.0)]:
        route = sound(
            slow.cheapest(reach.start, [PointGoal(*place)], WIDE), field, ground, 0.5, WIDE
        )
        cost = reach.cost(*place)
        if route.lower > 12.0:
            assert cost == math.inf
            continue
        assert route.lower - 1e-9 <= cost <= route.upper + 0.001


def test_every_place_in_reach_has_a_way_to_show() -> None:
    field, ground = scene()
    reach = WeightedRouter(field, 0.5, ground).reach((-1.0, 1.0), 12.0)
    bent = 0
    for place in places(5, 60):
        shown = reach.witness(*place)
        assert (shown is not None) == reach.contains(*place)
        if shown is None:
            continue
        cost, path = shown
        assert field.follows(path, 0.5, slack=1e-7)
        assert path.end == pytest.approx(place, abs=1e-9)
        assert cost == pytest.approx(reach.cost(*place), abs=1e-7)
        assert cost == pytest.approx(ground.cost(path), abs=1e-9)
        bent += len(path.legs) > 1
    assert bent > 10


def test_costs_of_a_reach_never_fall_when_factors_rise() -> None:
    last = dict.fromkeys(places(7, 40), 0.0)
    for scale in (0.0, 0.5, 1.0):
        field, ground = scene(scale=scale)
        reach = WeightedRouter(field, 0.5, ground).reach((-1.0, 1.0), 12.0)
        for place, before in last.items():
            cost = reach.cost(*place)
            assert cost >= before - 0.001
            last[place] = cost


def test_the_outline_of_a_reach_is_where_its_costs_end() -> None:
    field, ground = scene()
    reach = WeightedRouter(field, 0.5, ground).reach((2.0, 2.0), 4.0)
    corners = [corner for ring in reach.outline(resolution=0.4).rings for corner in ring]
    assert len(corners) > 20
    for x, y in corners:
        assert reach.contains(x, y)
        # Beyond the border is what costs more, or an obstacle.
        beyond = [(x + 0.4 * math.cos(t), y + 0.4 * math.sin(t)) for t in range(7)]
        assert not all(reach.contains(*place) for place in beyond)


def test_the_area_of_an_empty_half_plane_and_of_a_slow_one() -> None:
    plain = WeightedRouter(Field.of(), 0.5, WeightedGround([])).reach((0.0, 0.0), 3.0)
    (ring,) = plain.outline(resolution=0.1).rings
    assert plain.outline(resolution=0.1).area == pytest.approx(9.0 * math.pi, abs=0.02)
    for x, y in ring:
        assert 3.0 - 0.001 <= math.hypot(x, y) <= 3.0 + 1e-9
    # From a place in slow ground, too far from its edge for it to matter.
    slow = WeightedRouter(Field.of(), 0.5, WeightedGround([box(-20.0, -20.0, 40.0, 40.0, 4.0)]))
    assert slow.reach((0.0, 0.0), 3.0).outline(resolution=0.05).area == pytest.approx(
        0.75 * 0.75 * math.pi, abs=0.01
    )


def test_reaches_that_hold_nothing() -> None:
    field, ground = scene()
    slow = WeightedRouter(field, 0.5, ground)
    shut = slow.reach((6.5, 1.0), 6.0)  # in the house
    assert shut.outline().rings == ()
    assert not shut.contains(6.5, 1.0)
    assert shut.witness(6.5, 1.0) is None
    assert slow.reach((-1.0, 1.0), 0.0).outline().rings == ()
    assert slow.reach((-1.0, 1.0), -1.0).cost(-1.0, 1.0) == math.inf
    reach = slow.reach((-1.0, 1.0), 3.0)
    with pytest.raises(ShapeError):
        reach.cost(math.nan, 0.0)
    with pytest.raises(ShapeError):
        reach.outline(0.0)
    with pytest.raises(ShapeError):
        reach.outline(resolution=math.nan)
    with pytest.raises(ShapeError):
        slow.reach((-1.0, 1.0), 1e6).outline()


def test_a_reach_round_a_slow_circle_and_in_is_as_cheap_as_the_proven_way() -> None:
    # Along the rim and in at the critical angle: both ends of the run lie between nodes.
    slow = WeightedRouter(Field.of(), 0.4, WeightedGround([WeightedDisc(6.225, 6.51, 1.8285, 4.0)]))
    start, goal = (2.6217, 9.9546), (7.2382, 8.0131)
    route = slow.cheapest(start, [PointGoal(*goal)], 0.002)
    assert route is not None
    assert route.lower - 1e-9 <= slow.reach(start, 8.0).cost(*goal) <= route.upper + 1e-6


def test_a_reach_from_close_to_a_border_is_as_cheap_as_the_proven_way() -> None:
    pond = WeightedDisc(5.74834422817571, 4.773308784462224, 1.4584316413975935, 2.0)
    field = Field.of(solids=[[3.2, 5.1276, 5.6229, 5.1276, 5.6229, 5.9541, 3.2, 5.9541]])
    slow = WeightedRouter(field, 0.4, WeightedGround([pond]))
    start, goal = (6.003833834827665, 6.210645538040057), (5.194088240844619, 3.7617351056256347)
    route = slow.cheapest(start, [PointGoal(*goal)], 0.002)
    assert route is not None
    assert route.lower - 1e-9 <= slow.reach(start, 8.0).cost(*goal) <= route.upper + 1e-6


@pytest.mark.long
def test_both_gears_give_the_same_reach() -> None:
    warm()
    answers = []
    for compiled in (False, True):
        field, ground = scene()
        reach = WeightedRouter(field.on_backend(compiled), 0.5, ground).reach((-1.0, 1.0), 12.0)
        answers.append([reach.cost(*place) for place in places(9, 200)])
        answers[-1].append(reach.outline(resolution=0.4).area)
    assert answers[0] == pytest.approx(answers[1], abs=1e-12)


def test_a_side_shared_by_two_slow_areas_is_not_run_along_for_nothing() -> None:
    """Between parts of one side that lie on open ground a leg must pay for the slow part."""
    left = WeightedRing((3.6, 1.9, 6.1, 1.9, 6.1, 3.5, 3.6, 3.5), 2.0)
    right = WeightedRing((5.0, 1.4, 7.2, 1.4, 5.9, 2.5, 7.2, 3.6, 5.0, 3.6), 4.0)
    slow = WeightedRouter(Field.of(width=12.0, depth=12.0), 0.4, WeightedGround([left, right]))
    route = slow.cheapest((5.67, 0.51), [PointGoal(1.44, 10.75)], 0.001, work=30_000)
    assert route is not None
    assert route.upper - route.lower <= 0.001 + 1e-9
    assert route.upper == pytest.approx(slow.reach((5.67, 0.51), 13.0).cost(1.44, 10.75), abs=0.002)
