"""Plans for a stand that may slide anywhere, turn about any point and do both at once.

What counts is the way of the farthest corner, summed over the legs, straight or as followed. On
open ground one leg does it; where that is barred, plans are chained from poses beside the
obstacles: for each facing that matters the corners of what the obstacles take up of the places of
the centre, which are the bends of the shortest slides. Every leg of an answer has passed the
kernels. The chain found is then pulled tight by moving its bends.

`bound` of an answer is the farthest corner's straight way from start to goal, which no list of legs
undercuts. A plan may be missed, or be longer than it must; one that meets the bound is the best.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tapeline.errors import ShapeError
from tapeline.geometry.backends import chosen, floats, functions, ints
from tapeline.geometry.epsilons import ANGLE, LENGTH
from tapeline.geometry.rectangles.corner_paths import (
    FreeLeg,
    Leg,
    SlideLeg,
    TurnLeg,
    after,
    travel_between,
)
from tapeline.geometry.rectangles.motion_legs import (
    COST,
    NEXT,
    SLIDE,
    TURN,
    WAY,
    MotionLimits,
    MotionRoom,
    MotionSpace,
)
from tapeline.geometry.rectangles.obstacles import Obstacles, room_of
from tapeline.geometry.rectangles.rectangle import Rect, Region
from tapeline.work import count_work

__all__ = ["FreeSpace", "MotionPlan", "first_clear_way", "plan_stand", "way_is_clear"]

#: Critical places of a free leg and a part that are looked at before it counts as barred.
_CRITICAL = 4096
#: Steps of work of one leg against what is near.
_LEG = 20


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """The table 0..width x 0..depth less its obstacles, which a motion must keep clear of.

    slack: overlap, and way beyond the border, that is still a touch.
    """

    obstacles: tuple[Region, ...]
    width: float
    depth: float
    slack: float = LENGTH
    _packed: list[Obstacles] = field(init=False, repr=False, compare=False, default_factory=list)
    _spaces: dict[tuple[bool, bool], MotionSpace] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    @property
    def packed(self) -> Obstacles:
        """The obstacles as flat arrays, made when they are first asked for."""
        if not self._packed:
            self._packed.append(Obstacles(self.obstacles))
        return self._packed[0]

    def space(self, compiled: bool, searched: bool) -> MotionSpace:
        """The same for the kernels of a backend; what only a search needs is left out of others."""
        if (compiled, searched) not in self._spaces:
            serials, regions = self.packed.serials, self.obstacles if searched else ()
            order = sorted(range(len(serials)), key=serials.__getitem__) if searched else ()
            firsts = itertools.accumulate((len(r.parts) for r in regions), initial=0)
            self._spaces[compiled, searched] = MotionSpace(
                self.packed.parts(compiled),
                ints(order, compiled),
                ints(list(firsts), compiled),
                floats([v for region in regions for v in region.bounds], compiled),
                self.width,
                self.depth,
                self.slack,
            )
        return self._spaces[compiled, searched]

    def may_stand(self, rect: Rect) -> bool:
        """Whether a pose is on the table and overlaps nothing: a turn by nothing that is clear."""
        return first_clear_way(rect, rect, ((),), self) == 0


@dataclass(frozen=True, slots=True)
class MotionPlan:
    """The legs of a plan, what they cost, a lower bound of any plan's cost, and the end pose.

    legs: None when no plan was found within the limit.
    """

    legs: tuple[Leg, ...] | None
    cost: float
    bound: float
    end: Rect | None


def _found(
    start: Rect, goal: Rect | None, given: Sequence[float], limits: MotionLimits, space: FreeSpace
) -> tuple[int, MotionRoom]:
    """What `find_way` gives, and the room that it left its answer in."""
    compiled = chosen()
    rows = limits.most + 3
    room = room_of(compiled, space.packed.most, _CRITICAL, rows, 2 * (rows * rows + limits.work))
    room.numbers[0], room.numbers[1], room.numbers[2] = start.width, start.depth, start.reach
    room.whole[0] = room.whole[1] = 0
    ends = [
        floats(() if p is None else (p.x, p.y, p.facing, p.ux, p.uy), compiled)
        for p in (start, goal)
    ]
    leg, run = room.leg, functions(compiled).motions
    ground, legs = space.space(compiled, not given), floats(given, compiled)
    found = run(WAY, *ends, legs, limits, ground, room, leg.four, leg.part)
    count_work(int(_LEG * room.whole[0] + room.whole[1]), "a plan of motions")
    return found, room


#: Before the legs of each way given.
_NEXT = (NEXT, 0.0, 0.0, 0.0)


def first_clear_way(
    rect: Rect,
    goal: Rect | None,
    ways: Iterable[Sequence[float]],
    space: FreeSpace,
    limit: float = math.inf,
    *,
    followed: bool = False,
) -> int:
    """Which of several ways, legs of four numbers as in `motion_legs`, is the first that keeps to
    the table and enters no obstacle by more than the space's slack, and on which no corner goes
    farther than the limit; how many ways there are if none does.

    goal: where all of them end, if there may be no room; -1 where there is none.

    >>> ways = [(FREE, 6.0, 0.0, 1.0), (SLIDE, 6.0, 0.0, 0.0)]
    >>> first_clear_way(Rect(5, 2, 0, 4, 2), Rect(11, 2, 0, 4, 2), ways, FreeSpace((), 48, 36))
    1
    """
    given = [number for way in ways for number in (*_NEXT, *way)]
    return _found(rect, goal, given, MotionLimits(limit, followed, 0, 0, 0), space)[0]


def way_is_clear(rect: Rect, legs: Sequence[float], space: FreeSpace) -> bool:
    """Whether legs keep to the table and enter no obstacle by more than the space's slack."""
    return first_clear_way(rect, None, (legs,), space) == 0


def plan_stand(
    rect: Rect,
    goal: Rect,
    space: FreeSpace,
    limit: float,
    *,
    followed: bool = False,
    work: int = 400,
    most: int = 80,
    tries: int = 150,
) -> MotionPlan:
    """Slides, turns and free legs from a pose to a pose of the same base.

    followed: whether the way of a corner is measured along what it follows on a leg, and not
    straight. limit: greatest cost of interest. work: how many legs the search may try; most: how
    many poses beside obstacles it may use; tries: how often bends may be moved to pull it tight.
    Turns are clear all the way. The start is not looked at.
    Raises ShapeError if the sizes differ or the limit is not a number >= 0.

    >>> plan = plan_stand(Rect(10, 10, 0, 4, 2), Rect(16, 10, 0, 4, 2), FreeSpace((), 48, 36), 20)
    >>> plan.cost, plan.bound, plan.legs
    (6.0, 6.0, (SlideLeg(dx=6, dy=0),))
    """
    if not math.isfinite(limit) or limit < 0.0:
        raise ShapeError(f"plan: limit {limit} must be finite and >= 0")
    if abs(rect.width - goal.width) > LENGTH or abs(rect.depth - goal.depth) > LENGTH:
        raise ShapeError("plan: start and goal must be of one size")
    angle = math.remainder(goal.facing - rect.facing, 2.0 * math.pi)
    bound = travel_between(rect, goal, angle)[0]
    if bound > limit + LENGTH:
        return MotionPlan(None, math.inf, bound, None)
    limits = MotionLimits(limit, followed, work, most, tries)
    count, room = _found(rect, goal, (), limits, space)
    if count < 0:
        return MotionPlan(None, math.inf, bound, None)
    legs: list[Leg] = []
    end = rect
    for k in range(count):
        kind, a, b, by = (float(v) for v in room.legs[4 * k : 4 * k + 4])
        if kind == SLIDE:
            legs.append(SlideLeg(a, b))
        else:
            legs.append(TurnLeg(a, b, by) if kind == TURN else FreeLeg(a, b, by))
        end = after(end, legs[-1])
    assert abs(math.remainder(end.facing - goal.facing, 2.0 * math.pi)) < 10 * ANGLE
    return MotionPlan(tuple(legs), float(room.numbers[COST]), bound, end)
