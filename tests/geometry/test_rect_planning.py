"""Plans of advances and turns: legal by sampling with shapely, never cheaper than the bound."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from shapely import Polygon, box

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.corner_paths import FreeLeg, SlideLeg, TurnLeg, after
from tapeline.geometry.rectangles.free_space import Ground, Plan, plan_to_contact, plan_to_pose
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    region_of_circle,
    region_of_polygon,
    region_of_rect,
    separation,
)

W, D = 48.0, 36.0


def steps_of_45(angle: float) -> float:
    return math.ceil(angle / (math.pi / 4) - 1e-9)


def wall(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def cost_if_legal(
    start: Rect, plan: Plan, walls: list[Polygon], swept: bool = False
) -> tuple[float, Rect]:
    """Add the plan up and look at it closely, in the words of the rule and nothing else."""
    assert plan.legs is not None
    pose, cost = start, 0.0
    table = box(-1e-7, -1e-7, W + 1e-7, D + 1e-7)
    for leg in plan.legs:
        assert not isinstance(leg, FreeLeg)
        if isinstance(leg, TurnLeg):
            assert (leg.x, leg.y) == pytest.approx((pose.x, pose.y), abs=1e-9)
            cost += steps_of_45(abs(leg.angle))
            looks = [pose.turned(leg.angle * k / 20) for k in range(21)] if swept else []
        else:
            assert isinstance(leg, SlideLeg)
            assert leg.dx * pose.uy - leg.dy * pose.ux == pytest.approx(0, abs=1e-9)
            assert leg.dx * pose.ux + leg.dy * pose.uy > 0
            cost += math.hypot(leg.dx, leg.dy)
            looks = [pose.moved(leg.dx * k / 60, leg.dy * k / 60) for k in range(61)]
        pose = after(pose, leg)
        for look in [*looks, pose]:
            shape = Polygon(look.corners)
            assert table.contains(shape)
            for solid in walls:
                assert shape.intersection(solid).area < 1e-5
    assert cost == pytest.approx(plan.cost, abs=1e-9)
    assert plan.cost >= plan.bound - 1e-9
    return cost, pose


def test_open_ground_needs_one_bend_at_most() -> None:
    me = Rect(10, 10, 0, 4, 2)
    straight = plan_to_pose(me, Rect(20, 10, 0, 4, 2), Ground((), W, D), steps_of_45, 20)
    assert (straight.cost, straight.bound) == (10, 10)
    # Two turns of 45 either side of the diagonal, or one of 90 at a bend: the diagonal is shorter.
    plan = plan_to_pose(me, Rect(16, 16, math.pi / 2, 4, 2), Ground((), W, D), steps_of_45, 20)
    assert plan.cost == pytest.approx(6 * math.sqrt(2) + 2)
    behind = plan_to_pose(me, Rect(5, 10, 0, 4, 2), Ground((), W, D), steps_of_45, 20)
    assert behind.cost == pytest.approx(5 + 8)


def test_bend_where_it_saves_a_turn() -> None:
    """A goal a little to the side: straight there costs two turns, and so does any way round; with
    turns priced by the half circle the cheapest way has them as small as they can be."""
    me, goal = Rect(10, 10, 0, 4, 2), Rect(20, 11, math.pi / 4, 4, 2)
    plan = plan_to_pose(me, goal, Ground((), W, D), steps_of_45, 20)
    # Ahead 9, turn 45 once, ahead sqrt 2: one turn; straight would take two.
    assert plan.cost == pytest.approx(9 + 1 + math.sqrt(2), abs=1e-9)
    cost_if_legal(me, plan, [])


def test_round_a_wall_to_a_pose_and_swept() -> None:
    corners = wall(14, 4, 15, 16)
    for swept in (False, True):
        ground = Ground((region_of_polygon(corners),), W, D, 1e-6, swept)
        me = Rect(10, 12, 0, 4, 2)
        goal = Rect(20, 12, 0, 4, 2)
        plan = plan_to_pose(me, goal, ground, steps_of_45, 30)
        _, end = cost_if_legal(me, plan, [Polygon(corners)], swept)
        assert (end.x, end.y) == pytest.approx((20, 12), abs=1e-9)
        assert math.remainder(end.facing, 2 * math.pi) == pytest.approx(0, abs=1e-9)
        assert plan.bound == pytest.approx(10)
        assert plan.cost < 26


def test_contact_behind_a_wall() -> None:
    corners = wall(14, 4, 15, 16)
    target = Rect(20, 12, 0, 4, 2)
    ground = Ground((region_of_polygon(corners),), W, D, 1e-6)
    me = Rect(10, 12, 0, 4, 2)
    plan = plan_to_contact(me, region_of_rect(target), ground, steps_of_45, 30)
    _, end = cost_if_legal(me, plan, [Polygon(corners), Polygon(target.corners)])
    s = separation(end, target)
    assert s.gap < 1e-8
    assert s.depth < 1e-6
    assert plan.bound <= 8
    open_plan = plan_to_contact(me, region_of_rect(target), Ground((), W, D), steps_of_45, 30)
    assert open_plan.cost == 8


def test_limits_and_poses_that_cannot_be() -> None:
    me, goal = Rect(10, 10, 0, 4, 2), Rect(20, 10, 0, 4, 2)
    short = plan_to_pose(me, goal, Ground((), W, D), steps_of_45, 9.9)
    assert short.legs is None
    assert short.bound == 10
    on_it = Ground((region_of_polygon(wall(20, 9, 21, 11)),), W, D)
    assert plan_to_pose(me, goal, on_it, steps_of_45, 99).legs is None
    assert plan_to_pose(me, me, Ground((), W, D), steps_of_45, 9).cost == 0
    with pytest.raises(ShapeError):
        plan_to_pose(me, goal, Ground((), W, D), steps_of_45, math.nan)
    with pytest.raises(ShapeError):
        plan_to_contact(me, region_of_rect(goal), Ground((), W, D), steps_of_45, 9, step=0)


def test_random_plans_are_legal(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(51)
    made = 0
    for _ in range(budget(14, 300)):
        outlines = [
            wall(x, y, x + rng.uniform(0.5, 4), y + rng.uniform(0.5, 4))
            for x, y in [(rng.uniform(8, 24), rng.uniform(4, 20)) for _ in range(2)]
        ]
        walls = [Polygon(o) for o in outlines]
        ground = Ground(tuple(region_of_polygon(o) for o in outlines), W, D, 1e-6)
        me = Rect(rng.uniform(4, 6), rng.uniform(4, 20), rng.uniform(-1, 1), 4, 2)
        goal = Rect(rng.uniform(26, 30), rng.uniform(4, 20), rng.uniform(-3, 3), 4, 2)
        if not (ground.may_stand(me) and ground.may_stand(goal)):
            continue
        plan = plan_to_pose(me, goal, ground, steps_of_45, 45, work=15)
        if plan.legs is None:
            continue
        made += 1
        _, end = cost_if_legal(me, plan, walls)
        assert (end.x, end.y) == pytest.approx((goal.x, goal.y), abs=1e-8)
    assert made > 5


def test_an_advance_looks_at_the_pose_it_begins_in() -> None:
    """Plans leave the pose after a turn to the advance that follows: it must refuse alike."""
    rng = random.Random(8)
    barred = 0
    for _ in range(400):
        x, y = rng.uniform(6, 14), rng.uniform(6, 14)
        shape = region_of_polygon(wall(x, y, x + rng.uniform(0.1, 3), y + rng.uniform(0.1, 3)))
        if rng.random() < 0.3:
            shape = region_of_circle(x, y, rng.uniform(0.1, 2))
        ground = Ground((shape,), W, D)
        pose = Rect(10, 10, rng.uniform(0, 7), rng.uniform(1, 6), rng.uniform(1, 4))
        for length in (1e-6, 3.0):
            if not ground.may_stand(pose):
                barred += 1
                assert not ground.may_advance(pose, length)
    assert barred > 100
    assert not Ground((), W, D).may_advance(Rect(1, 10, 0, 4, 2.5), 3)
    assert Ground((), W, D).may_advance(Rect(1.25, 10, 0, 4, 2.5), 3)
