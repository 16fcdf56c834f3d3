"""Plans for a stand: legs clear by the single-feature functions and shapely, never too cheap."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from shapely import Polygon, box

from tapeline.errors import ShapeError
from tapeline.geometry.rectangles.corner_paths import FreeLeg, SlideLeg, TurnLeg, after, travel_of
from tapeline.geometry.rectangles.free_leg import free_leg
from tapeline.geometry.rectangles.motion_legs import FREE, SLIDE, TURN, UNSEEN
from tapeline.geometry.rectangles.motion_plan import (
    FreeSpace,
    MotionPlan,
    first_clear_way,
    plan_stand,
    way_is_clear,
)
from tapeline.geometry.rectangles.rectangle import Rect, Region, region_of_circle, region_of_polygon
from tapeline.geometry.rectangles.slide import slide
from tapeline.geometry.rectangles.turn import turn

W, D, T = 48.0, 36.0, 1e-6


def wall(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def check(start: Rect, goal: Rect, plan: MotionPlan, regions: list[Region], followed: bool) -> None:
    """Legs clear one by one, the cost as the corners measure it, the end where it should be."""
    assert plan.legs is not None
    pose = start
    table = box(-1e-5, -1e-5, W + 1e-5, D + 1e-5)
    for leg in plan.legs:
        for region in regions:
            if isinstance(leg, SlideLeg):
                length = math.hypot(leg.dx, leg.dy)
                assert slide(pose, region, (leg.dx, leg.dy), length, T).contact is None
            elif isinstance(leg, TurnLeg):
                assert turn(pose, region, (leg.x, leg.y), leg.angle, T).contact is None
            else:
                assert isinstance(leg, FreeLeg)
                met = free_leg(pose, region, (pose.x, pose.y), (leg.dx, leg.dy), leg.angle, T)
                assert met.contact is None
        for k in range(21):
            if isinstance(leg, SlideLeg):
                look = pose.moved(leg.dx * k / 20, leg.dy * k / 20)
            elif isinstance(leg, TurnLeg):
                look = pose.turned(leg.angle * k / 20, (leg.x, leg.y))
            else:
                look = pose.turned(leg.angle * k / 20).moved(leg.dx * k / 20, leg.dy * k / 20)
            assert table.contains(Polygon(look.corners))
            for region in regions:
                for part in region.parts:
                    if part.radius == 0.0:
                        solid = Polygon(list(zip(part.loop[::2], part.loop[1::2], strict=True)))
                        assert Polygon(look.corners).intersection(solid).area < 1e-5
        pose = after(pose, leg)
    travel = travel_of(start, plan.legs)
    cost = travel.farthest_followed if followed else travel.farthest_straight
    assert plan.cost == pytest.approx(cost, abs=1e-9)
    assert plan.cost >= plan.bound - 1e-9
    assert (pose.x, pose.y) == pytest.approx((goal.x, goal.y), abs=1e-8)
    assert math.remainder(pose.facing - goal.facing, 2 * math.pi) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("facing", [0.0, 1.0, -2.5, math.pi])
def test_open_ground_takes_one_leg_and_meets_the_bound(facing: float) -> None:
    me, goal = Rect(20, 16, 0, 4, 2), Rect(26, 18, facing, 4, 2)
    plan = plan_stand(me, goal, FreeSpace((), W, D, T), 30)
    check(me, goal, plan, [], False)
    assert plan.legs is not None
    assert len(plan.legs) == 1
    assert plan.cost == pytest.approx(plan.bound, abs=1e-12)
    ways = plan_stand(me, goal, FreeSpace((), W, D, T), 30, followed=True)
    check(me, goal, ways, [], True)
    # A turn about the centre and a slide can always be had there.
    assert ways.cost <= math.hypot(6, 2) + me.reach * abs(facing) + 1e-9


def test_round_a_wall_by_slides_is_as_short_as_can_be() -> None:
    """Facing kept, the centre runs round the wall grown by the base: two bends, by hand."""
    regions = [region_of_polygon(wall(14, 4, 15, 16))]
    me, goal = Rect(10, 12, 0, 4, 2), Rect(20, 12, 0, 4, 2)
    plan = plan_stand(me, goal, FreeSpace(tuple(regions), W, D, T), 40)
    check(me, goal, plan, regions, False)
    slides = math.hypot(13 - 10, 18 - 12) + 3 + math.hypot(20 - 16, 18 - 12)
    assert plan.cost <= slides + 1e-9
    # The inscribed disc of radius 1 has to go round the wall's corners too.
    assert plan.cost >= 2 * math.hypot(4, 4) - 1e-9


def test_mirrored_and_turned_tables_cost_the_same() -> None:
    regions = [wall(14, 8, 15, 22), wall(20, 14, 23, 30)]
    me, goal = Rect(9, 14, 0.3, 4, 2), Rect(28, 20, -1.2, 4, 2)

    def cost(turns: int) -> float:
        def placed(p: tuple[float, float]) -> tuple[float, float]:
            x, y = p
            for _ in range(turns):
                x, y = 36 - y, x
            return x, y

        solids = tuple(region_of_polygon([placed(p) for p in r]) for r in regions)
        ends = [Rect(*placed((r.x, r.y)), r.facing + turns * math.pi / 2, 4, 2) for r in (me, goal)]
        return plan_stand(ends[0], ends[1], FreeSpace(solids, 36, 36, T), 60).cost

    assert math.isfinite(cost(0))
    for turns in (1, 2, 3):
        assert cost(turns) == pytest.approx(cost(0), rel=0.02)


def test_no_way_too_little_and_bad_input() -> None:
    me, goal = Rect(10, 10, 0, 4, 2), Rect(20, 10, 0, 4, 2)
    short = plan_stand(me, goal, FreeSpace((), W, D), 9.9)
    assert short.legs is None
    assert short.bound == 10
    shut = FreeSpace((region_of_polygon(wall(14, -1, 15, 37)),), W, D)
    assert plan_stand(me, goal, shut, 99).legs is None
    on_it = FreeSpace((region_of_polygon(wall(20, 9, 21, 11)),), W, D)
    assert plan_stand(me, goal, on_it, 99).legs is None
    assert plan_stand(me, me, FreeSpace((), W, D), 9).cost == 0
    with pytest.raises(ShapeError):
        plan_stand(me, goal, FreeSpace((), W, D), math.inf)
    with pytest.raises(ShapeError):
        plan_stand(me, Rect(20, 10, 0, 4, 3), FreeSpace((), W, D), 30)


def test_legs_that_leave_the_table_are_not_clear() -> None:
    me, space = Rect(2, 10, 0, 4, 2), FreeSpace((), W, D, T)
    assert way_is_clear(me, (SLIDE, -1, 0, 0), space)
    assert not way_is_clear(me, (SLIDE, -1.1, 0, 0), space)
    assert way_is_clear(me, (TURN, 2, 10, 0.2), space)
    assert not way_is_clear(me, (TURN, 2, 10, math.pi / 2), space)
    assert way_is_clear(me, (FREE, 9, 0, 0.2), space)
    assert not way_is_clear(me, (FREE, -0.8, 0, 0.8), space)


def test_legs_given_are_tried_in_turn_and_measured() -> None:
    """Two slides of 3 round the corner of a wall: clear, 6 long; the straight one is not."""
    space = FreeSpace((region_of_polygon(wall(14, 10, 20, 16)),), W, D, T)
    me = Rect(12.5, 8.5, 0, 2, 2)
    round_it = (SLIDE, 0, 3, 0, SLIDE, -3, 0, 0)
    assert way_is_clear(me, round_it, space)
    assert first_clear_way(me, None, [round_it], space, 6.0) == 0
    assert first_clear_way(me, None, [round_it], space, 5.9) == 1
    assert first_clear_way(me, None, [(SLIDE, 3, 3, 0), (), round_it], space) == 1
    assert first_clear_way(me, Rect(15, 11, 0, 2, 2), [round_it], space) == -1
    assert not way_is_clear(me, (SLIDE, 3, 3, 0), space)
    assert not way_is_clear(me, (*round_it, SLIDE, 6, 0, 0), space)
    assert not way_is_clear(me, (TURN, 12.5, 12.5, math.pi / 2), space)
    assert way_is_clear(me, (UNSEEN, 12.5, 12.5, math.pi / 2), space)


def test_random_plans_are_clear(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(61)
    made = bent = 0
    for k in range(budget(16, 400)):
        regions = []
        for _ in range(4):
            x, y = rng.uniform(10, 24), rng.uniform(6, 24)
            if rng.random() < 0.3:
                regions.append(region_of_circle(x, y, rng.uniform(0.5, 2)))
            else:
                corners = wall(x, y, x + rng.uniform(0.5, 4), y + rng.uniform(0.5, 6))
                regions.append(region_of_polygon(corners))
        space = FreeSpace(tuple(regions), W, D, T)
        me = Rect(rng.uniform(3, 6), rng.uniform(6, 24), rng.uniform(-3, 3), 4, 2)
        goal = Rect(rng.uniform(28, 34), rng.uniform(6, 24), rng.uniform(-3, 3), 4, 2)
        if not (space.may_stand(me) and space.may_stand(goal)):
            continue
        plan = plan_stand(me, goal, space, 60, followed=k % 2 == 1, work=120, tries=20)
        if plan.legs is None:
            continue
        made += 1
        bent += plan.cost > plan.bound + 1e-6
        check(me, goal, plan, regions, k % 2 == 1)
    assert made > 5
    assert bent > 2


@pytest.mark.parametrize("x", [5.0, 6.5])
def test_no_stand_has_room_on_a_disc(x: float) -> None:
    space = FreeSpace((region_of_circle(x, 5.0, 1.0),), W, D, T)
    assert not space.may_stand(Rect(5.0, 5.0, 0.0, 2.0, 2.0))
    assert space.may_stand(Rect(x - 2.0, 5.0, 0.0, 2.0, 2.0))
