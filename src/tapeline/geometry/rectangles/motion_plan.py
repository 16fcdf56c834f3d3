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

import heapq
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.epsilons import ANGLE, LENGTH, ROUNDING
from tapeline.geometry.rectangles.corner_paths import (
    Corners,
    FreeLeg,
    Leg,
    SlideLeg,
    TurnLeg,
    added_straight,
    after,
    travel_between,
    travel_of,
)
from tapeline.geometry.rectangles.free_leg import free_leg_to_border
from tapeline.geometry.rectangles.obstacles import Obstacles
from tapeline.geometry.rectangles.rectangle import Part, Point, Rect, Region
from tapeline.geometry.rectangles.slide import slide_to_border
from tapeline.geometry.rectangles.turn import turn_to_border
from tapeline.work import count_work

__all__ = ["FreeSpace", "MotionPlan", "leg_is_clear", "plan_stand"]

_NONE: Corners = (0.0, 0.0, 0.0, 0.0)


#: Length: what comes nearer by more than this plainly does.
_PLAIN = 1e-6


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """The table 0..width x 0..depth less its obstacles, which a motion must keep clear of.

    slack: overlap, and way beyond the border, that is still a touch. packed: the obstacles as flat
    arrays.
    """

    obstacles: tuple[Region, ...]
    width: float
    depth: float
    slack: float = LENGTH
    packed: Obstacles = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "packed", Obstacles(self.obstacles))

    def holds(self, rect: Rect) -> bool:
        """Whether a pose is plainly on the table: the circle about it is."""
        r = rect.reach
        return r <= rect.x <= self.width - r and r <= rect.y <= self.depth - r

    def may_stand(self, rect: Rect) -> bool:
        """Whether a pose is on the table and overlaps nothing: a turn by nothing that is clear."""
        ux, uy = abs(rect.ux), abs(rect.uy)
        half_x = 0.5 * (rect.depth * ux + rect.width * uy) - self.slack
        half_y = 0.5 * (rect.depth * uy + rect.width * ux) - self.slack
        return (
            half_x <= rect.x <= self.width - half_x
            and half_y <= rect.y <= self.depth - half_y
            and self.packed.turn(rect, (rect.x, rect.y), 0.0, self.slack)[1] < 0
        )


@dataclass(frozen=True, slots=True)
class MotionPlan:
    """The legs of a plan, what they cost, a lower bound of any plan's cost, and the end pose.

    legs: None when no plan was found within the limit.
    """

    legs: tuple[Leg, ...] | None
    cost: float
    bound: float
    end: Rect | None


def leg_is_clear(rect: Rect, leg: Leg, space: FreeSpace) -> bool:
    """Whether a leg keeps to the table and enters no obstacle by more than the space's slack."""
    packed, slack, width, depth = space.packed, space.slack, space.width, space.depth
    if isinstance(leg, SlideLeg):
        length = math.hypot(leg.dx, leg.dy)
        if length == 0.0:
            return True
        u = (leg.dx / length, leg.dy / length)
        if not (space.holds(rect) and space.holds(rect.moved(leg.dx, leg.dy))):
            edge = slide_to_border(rect, u, width, depth)
            if edge is not None and edge.at < length - slack:
                return False
        return packed.slide(rect, u, length, slack)[1] < 0
    if isinstance(leg, TurnLeg):
        centre = (leg.x, leg.y)
        far = math.hypot(rect.x - leg.x, rect.y - leg.y) + rect.reach
        inside = far <= min(leg.x, leg.y, width - leg.x, depth - leg.y)
        if not inside and turn_to_border(rect, centre, leg.angle, width, depth, slack) is not None:
            return False
        return packed.turn(rect, centre, leg.angle, slack)[1] < 0
    centre, shift, r = (rect.x, rect.y), (leg.dx, leg.dy), rect.reach
    inside = (
        min(rect.x, rect.x + leg.dx) >= r
        and max(rect.x, rect.x + leg.dx) <= width - r
        and min(rect.y, rect.y + leg.dy) >= r
        and max(rect.y, rect.y + leg.dy) <= depth - r
    )
    # However it turns, the disc in its middle goes along a segment.
    keep = 0.5 * min(rect.width, rect.depth) - slack - _PLAIN
    if keep > 0.0 and packed.near(centre, (rect.x + leg.dx, rect.y + leg.dy), keep):
        return False
    if not inside and free_leg_to_border(rect, centre, shift, leg.angle, width, depth, slack):
        return False
    try:
        return packed.free(rect, shift, leg.angle, slack)[1] < 0
    except WorkLimitError:
        # So near along a side that it cannot be told in time; a plan goes another way.
        return False


def _turn_between(a: float, b: float) -> float:
    angle = math.remainder(b - a, 2.0 * math.pi)
    return 0.0 if abs(angle) <= ROUNDING else angle


def _ways(start: Rect, end: Rect, wide: bool) -> Iterator[list[Leg]]:
    """Lists of legs from a pose to a pose, those likely to be cheap first.

    wide: also turns about corners, turns in two halves, and the longer way round.
    """
    dx, dy = end.x - start.x, end.y - start.y
    angle = _turn_between(start.facing, end.facing)
    still = math.hypot(dx, dy) <= ROUNDING
    if angle == 0.0:
        yield [] if still else [SlideLeg(dx, dy)]
        return
    turns = [angle, angle - math.copysign(2.0 * math.pi, angle)] if wide else [angle]
    for by in turns:
        if still:
            yield [TurnLeg(start.x, start.y, by)]
            continue
        yield [FreeLeg(dx, dy, by)]
        yield [TurnLeg(start.x, start.y, by), SlideLeg(dx, dy)]
        yield [SlideLeg(dx, dy), TurnLeg(end.x, end.y, by)]
    if not wide:
        return
    if not still:
        half = 0.5 * angle
        yield [TurnLeg(start.x, start.y, half), SlideLeg(dx, dy), TurnLeg(end.x, end.y, half)]
        # One turn does it about the point that both poses see alike.
        k = 0.5 / math.tan(half)
        yield [TurnLeg(start.x + 0.5 * dx - k * dy, start.y + 0.5 * dy + k * dx, angle)]
    for (px, py), (qx, qy) in zip(start.corners, end.corners, strict=True):
        yield [TurnLeg(px, py, angle), SlideLeg(qx - px, qy - py)]
        yield [SlideLeg(qx - px, qy - py), TurnLeg(qx, qy, angle)]


def _added(sums: Corners, start: Rect, legs: Sequence[Leg], followed: bool) -> Corners:
    if not followed and len(legs) == 1:
        return added_straight(sums, start.loop, after(start, legs[0]).loop)
    travel = travel_of(start, legs)
    more = travel.followed if followed else travel.straight
    return (sums[0] + more[0], sums[1] + more[1], sums[2] + more[2], sums[3] + more[3])


def _clear(start: Rect, legs: Sequence[Leg], space: FreeSpace) -> bool:
    pose = start
    for leg in legs:
        if not leg_is_clear(pose, leg, space):
            return False
        pose = after(pose, leg)
    return True


def _hull(points: list[Point]) -> list[Point]:
    """Corners of the convex hull."""
    points = sorted(set(points))
    halves: list[list[Point]] = []
    for order in (points, points[::-1]):
        half: list[Point] = []
        for x, y in order:
            while len(half) > 1:
                (ax, ay), (bx, by) = half[-2], half[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > LENGTH:
                    break
                half.pop()
            half.append((x, y))
        halves.append(half[:-1])
    return halves[0] + halves[1]


@lru_cache(maxsize=1 << 12)
def _touching(part: Part, base: Rect) -> list[Point]:
    """Corners of the places of the centre at which a rectangle, shifted, overlaps a part; round
    ones have eight."""
    offsets = [(cx - base.x, cy - base.y) for cx, cy in base.corners]
    corners = [(part.loop[i], part.loop[i + 1]) for i in range(0, len(part.loop), 2)]
    if part.radius > 0.0:
        out = part.radius / math.cos(math.pi / 8)
        corners = [
            (cx + out * math.cos(a), cy + out * math.sin(a))
            for cx, cy in corners
            for a in (k * math.pi / 4 for k in range(8))
        ]
    return _hull([(cx - ox, cy - oy) for cx, cy in corners for ox, oy in offsets])


def _facings(start: Rect, goal: Rect, region: Region) -> list[float]:
    """The two facings given, and those with the narrow side across a side of the region."""
    found = [start.facing, goal.facing]
    across = 0.0 if start.width <= start.depth else 0.5 * math.pi
    for part in region.parts:
        loop = part.loop
        for i in range(0, len(loop) if len(loop) > 2 else 0, 2):
            j = (i + 2) % len(loop)
            along = math.atan2(loop[j + 1] - loop[i + 1], loop[j] - loop[i]) + across
            by = math.remainder(along - start.facing, math.pi)
            if all(abs(_turn_between(start.facing + by, f)) > 1e-3 for f in found):
                found.append(start.facing + by)
    return found[:5]


def _beside(start: Rect, goal: Rect, space: FreeSpace, limit: float, most: int) -> list[Rect]:
    """Poses beside obstacles, those on the shortest ways first."""
    found: list[tuple[float, Rect]] = []
    for region in space.obstacles:
        left, bottom, right, top = region.bounds
        r = start.reach
        # A place nearer than this to both ends cannot be had beside it.
        x = min(max(0.5 * (start.x + goal.x), left - r), right + r)
        y = min(max(0.5 * (start.y + goal.y), bottom - r), top + r)
        if math.hypot(x - 0.5 * (start.x + goal.x), y - 0.5 * (start.y + goal.y)) > 0.5 * limit:
            continue
        for facing in _facings(start, goal, region):
            base = start.turned(_turn_between(start.facing, facing))
            for part in region.parts:
                for cx, cy in _touching(part, base):
                    way = math.hypot(cx - start.x, cy - start.y)
                    way += math.hypot(goal.x - cx, goal.y - cy)
                    inset = 0.5 * min(start.width, start.depth)
                    if (
                        way <= limit
                        and inset <= cx <= space.width - inset
                        and inset <= cy <= space.depth - inset
                    ):
                        found.append((way, base.moved(cx - base.x, cy - base.y)))
    found.sort(key=lambda entry: entry[0])
    return [pose for _, pose in found[:most]]


def _search(
    start: Rect,
    goal: Rect,
    beside: Sequence[Rect],
    space: FreeSpace,
    followed: bool,
    limit: float,
    work: int,
) -> tuple[float, list[Rect], list[Leg]] | None:
    """Best-first over poses; a leg is tried only when it is taken up. Gives cost, bends, legs."""
    nodes = [*beside, goal]
    last = len(nodes) - 1
    loops = [node.loop for node in nodes]
    rest = [added_straight(_NONE, loop, loops[last]) for loop in loops]
    serial = itertools.count()
    heap: list[tuple[float, int, Corners, Rect, list[Rect], list[Leg], int, int]] = []
    taken: set[int] = set()
    stands: dict[int, bool] = {last: True}

    def spread(sums: Corners, pose: Rect, bends: list[Rect], legs: list[Leg]) -> None:
        # Straight ways from here are the least that any legs measure.
        here = pose.loop
        for k in range(len(nodes)):
            if k not in taken:
                then, more = added_straight(sums, here, loops[k]), rest[k]
                least = max(
                    then[0] + more[0], then[1] + more[1], then[2] + more[2], then[3] + more[3]
                )
                if least <= limit + LENGTH:
                    heapq.heappush(heap, (least, next(serial), sums, pose, bends, legs, k, 0))

    spread(_NONE, start, [], [])
    while heap and work > 0:
        estimate, _, sums, pose, bends, legs, to, option = heapq.heappop(heap)
        count_work(len(nodes), "a plan of motions")
        if to in taken:
            continue
        if to not in stands:
            stands[to] = space.may_stand(nodes[to])
        if not stands[to]:
            continue
        way = next(itertools.islice(_ways(pose, nodes[to], False), option, None), None)
        if way is None:
            continue
        then, more = _added(sums, pose, way, followed), rest[to]
        least = max(then[0] + more[0], then[1] + more[1], then[2] + more[2], then[3] + more[3])
        if least > limit + LENGTH:
            continue
        if least > estimate + LENGTH:
            entry = (least, next(serial), sums, pose, bends, legs, to, option)
            heapq.heappush(heap, entry)
            continue
        work -= 1
        if not _clear(pose, way, space):
            entry = (estimate, next(serial), sums, pose, bends, legs, to, option + 1)
            heapq.heappush(heap, entry)
            continue
        taken.add(to)
        if to == last:
            return max(then), bends, legs + way
        spread(then, nodes[to], [*bends, nodes[to]], legs + way)
    return None


def _through(
    start: Rect, bends: Sequence[Rect], goal: Rect, space: FreeSpace, followed: bool, below: float
) -> tuple[float, list[Leg]] | None:
    """The legs through given poses, free where they turn, if clear and cheaper than `below`."""
    poses = [start, *bends, goal]
    sums = _NONE
    chain: list[tuple[Rect, list[Leg]]] = []
    for a, b in itertools.pairwise(poses):
        way = next(_ways(a, b, False))
        sums = _added(sums, a, way, followed)
        chain.append((a, way))
    if max(sums) >= below or not all(_clear(a, way, space) for a, way in chain):
        return None
    return max(sums), [leg for _, way in chain for leg in way]


def _tighten(
    start: Rect,
    goal: Rect,
    found: tuple[float, list[Rect], list[Leg]],
    space: FreeSpace,
    followed: bool,
    tries: int,
) -> tuple[float, list[Leg]]:
    cost, bends, legs = found
    size = 1.0
    while size > 1e-3 and bends and tries > 0:
        better = False
        for k in range(len(bends)):
            trials = [[*bends[:k], *bends[k + 1 :]]]
            trials.extend(
                [*bends[:k], bends[k].turned(by), *bends[k + 1 :]]
                for by in (size / start.reach, -size / start.reach)
            )
            for turn_by in range(8):
                a = turn_by * math.pi / 4
                moved = bends[k].moved(size * math.cos(a), size * math.sin(a))
                trials.append([*bends[:k], moved, *bends[k + 1 :]])
            for trial in trials:
                tries -= 1
                made = _through(start, trial, goal, space, followed, cost - LENGTH)
                if made is not None:
                    cost, legs = made
                    bends, better = trial, True
                    break
            if better:
                break
        if not better:
            size *= 0.5
    return cost, legs


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
    angle = _turn_between(rect.facing, goal.facing)
    bound = travel_between(rect, goal, angle)[0]
    if bound > limit + LENGTH or not space.may_stand(goal):
        return MotionPlan(None, math.inf, bound, None)
    first = next(_ways(rect, goal, True))
    if not followed and _clear(rect, first, space):
        return MotionPlan(tuple(first), max(_added(_NONE, rect, first, False)), bound, goal)
    ways = [
        (max(_added(_NONE, rect, legs, followed)), k, legs)
        for k, legs in enumerate(_ways(rect, goal, True))
    ]
    best: tuple[float, list[Leg]] | None = None
    for cost, _, legs in sorted(ways, key=lambda entry: entry[:2]):
        if cost <= limit + LENGTH and _clear(rect, legs, space):
            best = (cost, legs)
            break
    # A free leg followed is at best the least there is; what remains is to be had round things.
    cheapest = min(cost for cost, _, _ in ways)
    if best is None or best[0] > cheapest + LENGTH:
        bar = limit if best is None else best[0] - LENGTH
        beside = _beside(rect, goal, space, bar, most)
        found = _search(rect, goal, beside, space, followed, bar, work)
        if found is not None and (best is None or found[0] < best[0]):
            best = _tighten(rect, goal, found, space, followed, tries)
    if best is None:
        return MotionPlan(None, math.inf, bound, None)
    end = rect
    for leg in best[1]:
        end = after(end, leg)
    assert abs(_turn_between(end.facing, goal.facing)) < 10 * ANGLE
    return MotionPlan(tuple(best[1]), best[0], bound, end)
