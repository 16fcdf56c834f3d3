"""Plans for a rectangle that may only advance along its facing and turn about its centre.

A plan is a chain of straight advances with turns between. Bends are looked for where they can pay:
where lines through the start and the goal at the headings that matter cross (the facings themselves
and multiples of `step` from them), and at points round the obstacles far enough out to turn freely.
A best-first search with an admissible bound joins them; every leg of the answer has passed the same
tests a referee makes. The best chain is then pulled tight by moving its bends.

The cost found is an upper bound of the least cost; `bound` is a lower one that holds on open ground
and so everywhere. A plan is found in most cases that have one, but not finding one proves nothing
unless the bound exceeds the limit.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tapeline.errors import ShapeError
from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.rectangles.corner_paths import Leg, SlideLeg, TurnLeg, after
from tapeline.geometry.rectangles.obstacles import Obstacles
from tapeline.geometry.rectangles.rectangle import (
    Point,
    Rect,
    Region,
    nearest_point,
)
from tapeline.geometry.rectangles.turn import turn_to_border

__all__ = ["Ground", "Plan", "plan_to_contact", "plan_to_pose"]

TurnCost = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Ground:
    """What a plan must keep clear of: obstacles and the border of the table 0..width x 0..depth.

    slack: overlap that is still a touch. swept: whether turns must be clear all the way, or only
    in the pose they end in. packed: the obstacles as flat arrays.
    """

    obstacles: tuple[Region, ...]
    width: float
    depth: float
    slack: float = LENGTH
    swept: bool = False
    packed: Obstacles = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "packed", Obstacles(self.obstacles))

    def may_stand(self, rect: Rect) -> bool:
        """Whether a pose is on the table and overlaps nothing: a turn by nothing that is clear."""
        if not self._on_table(rect):
            return False
        return self.packed.turn(rect, (rect.x, rect.y), 0.0, self.slack)[1] < 0

    def may_turn(self, rect: Rect, angle: float) -> bool:
        """Whether a turn about the centre is clear."""
        if abs(angle) <= ROUNDING:
            return True
        if not self.swept:
            return self.may_stand(rect.turned(angle))
        centre = (rect.x, rect.y)
        edge = turn_to_border(rect, centre, angle, self.width, self.depth, self.slack)
        return edge is None and self.packed.turn(rect, centre, angle, self.slack)[1] < 0

    def may_advance(self, rect: Rect, distance: float) -> bool:
        """Whether an advance along the facing is clear."""
        # The table is convex: a slide between poses on it stays there.
        if not (self._on_table(rect) and self._on_table(rect, distance)):
            return False
        return self.packed.slide(rect, (rect.ux, rect.uy), distance, self.slack)[1] < 0

    def _on_table(self, rect: Rect, ahead: float = 0.0) -> bool:
        """Whether a pose, or one so far ahead of it, is on the table."""
        ux, uy = abs(rect.ux), abs(rect.uy)
        half_x = 0.5 * (rect.depth * ux + rect.width * uy) - self.slack
        half_y = 0.5 * (rect.depth * uy + rect.width * ux) - self.slack
        x, y = rect.x + ahead * rect.ux, rect.y + ahead * rect.uy
        return half_x <= x <= self.width - half_x and half_y <= y <= self.depth - half_y


@dataclass(frozen=True, slots=True)
class Plan:
    """The legs of a plan, what they cost, a lower bound of any plan's cost, and the end pose.

    legs: None when no plan was found within the limit.
    """

    legs: tuple[Leg, ...] | None
    cost: float
    bound: float
    end: Rect | None


def _difference(a: float, b: float) -> float:
    """The signed angle from a to b, at most a half turn."""
    return math.remainder(b - a, 2.0 * math.pi)


def _bends(
    rect: Rect, goals: Sequence[tuple[Point, float | None]], ground: Ground, step: float
) -> tuple[list[Point], list[Point]]:
    """Places where a bend can pay: round the obstacles, and where headings that matter cross."""
    found: list[Point] = []
    around: list[Point] = []
    count = max(1, round(2.0 * math.pi / step))
    for (gx, gy), facing in goals:
        for i in range(count):
            a = rect.facing + i * step
            ux, uy = math.cos(a), math.sin(a)
            for j in range(count):
                b = (facing if facing is not None else a + 0.5 * math.pi) + j * step
                vx, vy = math.cos(b), math.sin(b)
                den = ux * vy - uy * vx
                if abs(den) < LENGTH:
                    continue
                dx, dy = gx - rect.x, gy - rect.y
                s, t = (dx * vy - dy * vx) / den, (dx * uy - dy * ux) / den
                # Ahead of the start, and the goal ahead of the bend.
                if s > LENGTH and t < -LENGTH:
                    found.append((rect.x + s * ux, rect.y + s * uy))
    # Round every corner, as far out as half the width (to pass) and as the corners (to turn).
    narrow = 0.5 * rect.width + ground.slack
    for region in ground.obstacles:
        for part in region.parts:
            for k in range(0, len(part.loop), 2):
                for reach in (narrow, rect.reach):
                    out = (part.radius + reach) / math.cos(math.pi / 8)
                    around.extend(
                        (
                            part.loop[k] + out * math.cos(turn_by * math.pi / 4),
                            part.loop[k + 1] + out * math.sin(turn_by * math.pi / 4),
                        )
                        for turn_by in range(8)
                    )
    room = 0.5 * min(rect.width, rect.depth)
    around = [p for p in around if all(nearest_point(r, p)[0] >= room for r in ground.obstacles)]
    inset = 0.5 * min(rect.width, rect.depth)

    def inside(p: Point) -> bool:
        return inset <= p[0] <= ground.width - inset and inset <= p[1] <= ground.depth - inset

    return [p for p in dict.fromkeys(around) if inside(p)], [
        p for p in dict.fromkeys(found) if inside(p)
    ]


_End = Callable[[Rect], "tuple[float, list[Leg]] | None"]


def _search(
    rect: Rect,
    bends: Sequence[Point],
    ground: Ground,
    turn_cost: TurnCost,
    limit: float,
    rest: Callable[[float, float, float], float],
    finish: _End,
    work: int,
    known: _Known,
) -> tuple[float, list[Leg]] | None:
    """Best-first over bends. finish: what it takes from a pose to the goal, if it can be had."""
    serial = itertools.count()
    best: tuple[float, list[Leg]] | None = None
    # An entry is a pose, and the turn and advance to take from there, not tried until it comes up.
    heap: list[tuple[float, int, float, Rect, list[Leg], float, float]] = []
    first = rest(rect.x, rect.y, rect.facing)
    heapq.heappush(heap, (first, next(serial), 0.0, rect, [], 0.0, 0.0))
    taken: dict[tuple[float, float], list[tuple[float, float]]] = {}
    tries = 20 * work
    while heap and work > 0 and tries > 0:
        estimate, _, cost, pose, legs, angle, length = heapq.heappop(heap)
        bar = limit if best is None else min(limit, best[0])
        if estimate > bar + LENGTH:
            break
        heading = pose.facing + angle
        place = (
            round(pose.x + length * math.cos(heading), 7),
            round(pose.y + length * math.sin(heading), 7),
        )
        # A pose is no use where another came cheaper and a turn on the spot makes the two alike
        # (in swept search that turn may be barred: then only the same facing counts).
        here = taken.setdefault(place, [])
        if any(
            before + turn_cost(abs(apart)) <= cost
            for facing, before in here
            for apart in (_difference(facing, heading),)
            if not ground.swept or abs(apart) <= LENGTH
        ):
            continue
        tries -= 1
        turned, more = _go_again(pose, angle, length, ground, known)
        if turned is None:
            continue
        pose, legs = turned, legs + more
        here.append((pose.facing, cost))
        work -= 1
        end = finish(pose)
        if end is not None and cost + end[0] <= limit + LENGTH:
            total = cost + end[0]
            if best is None or total < best[0] - ROUNDING:
                best = (total, legs + end[1])
        bar = limit if best is None else min(limit, best[0])
        for x, y in bends:
            dx, dy = x - pose.x, y - pose.y
            length = math.hypot(dx, dy)
            if length <= LENGTH:
                continue
            heading = math.atan2(dy, dx)
            angle = _difference(pose.facing, heading)
            then = cost + turn_cost(abs(angle)) + length
            ahead = then + rest(x, y, heading)
            if ahead <= bar + LENGTH:
                heapq.heappush(heap, (ahead, next(serial), then, pose, legs, angle, length))
    return best


_Gone = tuple["Rect | None", list[Leg]]
_Known = dict[tuple[float, ...], _Gone]


def _go(pose: Rect, angle: float, length: float, ground: Ground) -> _Gone:
    """Turn, then advance; None if either is not clear."""
    legs: list[Leg] = []
    if abs(angle) > ROUNDING:
        # An advance looks at the pose it begins in as well: unless turns are swept, that is all.
        if (ground.swept or length <= 0.0) and not ground.may_turn(pose, angle):
            return None, legs
        legs.append(TurnLeg(pose.x, pose.y, angle))
        pose = pose.turned(angle)
    if length > 0.0:
        if not ground.may_advance(pose, length):
            return None, legs
        legs.append(SlideLeg(length * pose.ux, length * pose.uy))
        pose = pose.advanced(length)
    return pose, legs


def _go_again(pose: Rect, angle: float, length: float, ground: Ground, known: _Known) -> _Gone:
    """The same, looked up where it has been asked before."""
    key = (pose.x, pose.y, pose.ux, pose.uy, angle, length)
    gone = known.get(key)
    if gone is None:
        gone = known[key] = _go(pose, angle, length, ground)
    return gone


def _tighten(
    rect: Rect,
    found: tuple[float, list[Leg]],
    again: Callable[[list[Point], float], tuple[float, list[Leg]] | None],
) -> tuple[float, list[Leg]]:
    """Drop and move the bends of a chain while that makes it cheaper."""
    best = found
    bends: list[Point] = []
    pose = rect
    for leg in best[1]:
        pose = after(pose, leg)
        if isinstance(leg, SlideLeg):
            bends.append((pose.x, pose.y))
    bends = bends[:-1]
    size = 1.0
    while size > 1e-3 and bends:
        better = False
        for k in range(len(bends)):
            trial = bends[:k] + bends[k + 1 :]
            made = again(trial, best[0] - LENGTH)
            if made is not None and made[0] < best[0] - LENGTH:
                best, bends, better = made, trial, True
                break
        for k in range(len(bends)):
            for turn_by in range(8):
                a = turn_by * math.pi / 4
                x, y = bends[k]
                trial = list(bends)
                trial[k] = (x + size * math.cos(a), y + size * math.sin(a))
                made = again(trial, best[0] - LENGTH)
                if made is not None and made[0] < best[0] - LENGTH:
                    best, bends, better = made, trial, True
        if not better:
            size *= 0.5
    return best


def _chain(
    rect: Rect,
    bends: Sequence[Point],
    ground: Ground,
    turn_cost: TurnCost,
    rest: Callable[[float, float, float], float],
    finish: _End,
    below: float,
    known: _Known,
) -> tuple[float, list[Leg]] | None:
    """The plan through given bends in order, if it is clear and can cost less than `below`."""
    x0, y0, facing, least = rect.x, rect.y, rect.facing, 0.0
    for x, y in bends:
        heading = math.atan2(y - y0, x - x0)
        least += turn_cost(abs(_difference(facing, heading))) + math.hypot(x - x0, y - y0)
        x0, y0, facing = x, y, heading
    if least + rest(x0, y0, facing) >= below:
        return None
    pose, cost = rect, 0.0
    legs: list[Leg] = []
    for x, y in bends:
        dx, dy = x - pose.x, y - pose.y
        length = math.hypot(dx, dy)
        if length <= LENGTH:
            continue
        angle = _difference(pose.facing, math.atan2(dy, dx))
        gone, more = _go_again(pose, angle, length, ground, known)
        if gone is None:
            return None
        cost += turn_cost(abs(angle)) + length
        legs += more
        pose = gone
    end = finish(pose)
    return None if end is None else (cost + end[0], legs + end[1])


def _check(rect: Rect, ground: Ground, limit: float, step: float) -> None:
    if not math.isfinite(limit) or limit < 0.0 or not 0.0 < step <= math.pi:
        raise ShapeError(f"plan: limit {limit} must be finite and >= 0, step {step} in (0, pi]")


def plan_to_pose(
    rect: Rect,
    goal: Rect,
    ground: Ground,
    turn_cost: TurnCost,
    limit: float,
    *,
    step: float = math.pi / 4,
    work: int = 200,
) -> Plan:
    """A chain of advances and turns from a pose to a pose.

    turn_cost: price of a turn of so many radians (>= 0); it must not fall, and two turns must cost
    at least as much as one by their sum. An advance costs its length. limit: greatest cost of
    interest. work: how many poses the search may take up.

    >>> plan = plan_to_pose(Rect(10, 10, 0, 4, 2), Rect(16, 10, math.pi / 2, 4, 2),
    ...     Ground((), 48, 36), lambda a: math.ceil(a / (math.pi / 4) - 1e-9), 20)
    >>> plan.cost, plan.bound, len(plan.legs)
    (8.0, 8.0, 2)
    """
    _check(rect, ground, limit, step)

    def rest(x: float, y: float, facing: float) -> float:
        return math.hypot(goal.x - x, goal.y - y) + turn_cost(abs(_difference(facing, goal.facing)))

    def finish(pose: Rect) -> tuple[float, list[Leg]] | None:
        dx, dy = goal.x - pose.x, goal.y - pose.y
        length = math.hypot(dx, dy)
        cost = 0.0
        legs: list[Leg] = []
        if length > LENGTH:
            angle = _difference(pose.facing, math.atan2(dy, dx))
            gone, legs = _go(pose, angle, length, ground)
            if gone is None:
                return None
            pose, cost = gone, turn_cost(abs(angle)) + length
        angle = _difference(pose.facing, goal.facing)
        gone, more = _go(pose, angle, 0.0, ground)
        return None if gone is None else (cost + turn_cost(abs(angle)), legs + more)

    bound = rest(rect.x, rect.y, rect.facing)
    if bound > limit + LENGTH or not ground.may_stand(goal):
        return Plan(None, math.inf, bound, None)
    bends = _bends(rect, [((goal.x, goal.y), goal.facing)], ground, step)
    return _finished(rect, ground, turn_cost, limit, bends, rest, finish, work, bound)


def plan_to_contact(
    rect: Rect,
    target: Region,
    ground: Ground,
    turn_cost: TurnCost,
    limit: float,
    *,
    step: float = math.pi / 4,
    work: int = 200,
) -> Plan:
    """A chain of advances and turns that ends when the last advance meets the target.

    The target is not among `ground.obstacles`; no leg but the last may enter it. Otherwise as
    `plan_to_pose`.

    >>> from tapeline.geometry.rectangles.rectangle import region_of_rect
    >>> plan = plan_to_contact(Rect(10, 18, 0, 4, 2), region_of_rect(Rect(18, 18, 0, 4, 2)),
    ...     Ground((), 48, 36), lambda a: math.ceil(a / (math.pi / 4) - 1e-9), 20)
    >>> plan.cost
    6.0
    """
    _check(rect, ground, limit, step)
    blocked = Ground(
        (*ground.obstacles, target), ground.width, ground.depth, ground.slack, ground.swept
    )

    far: dict[Point, float] = {}

    def rest(x: float, y: float, facing: float) -> float:
        least = far.get((x, y))
        if least is None:
            least = max(0.0, nearest_point(target, (x, y))[0] - rect.reach)
            far[x, y] = least
        return least

    alone = Obstacles([target])
    aims = [nearest_point(target, (rect.x, rect.y))[1]]
    for part in target.parts:
        n = len(part.loop) // 2
        aims.append((sum(part.loop[::2]) / n, sum(part.loop[1::2]) / n))
        aims.extend((part.loop[2 * i], part.loop[2 * i + 1]) for i in range(n))

    def finish(pose: Rect) -> tuple[float, list[Leg]] | None:
        best: tuple[float, list[Leg]] | None = None
        near = nearest_point(target, (pose.x, pose.y))[1]
        tries: list[tuple[float, Rect]] = []
        for x, y in [(pose.x + pose.ux, pose.y + pose.uy), near, *aims]:
            if math.hypot(x - pose.x, y - pose.y) <= LENGTH:
                continue
            angle = _difference(pose.facing, math.atan2(y - pose.y, x - pose.x))
            tries.append((angle, pose.turned(angle) if abs(angle) > ROUNDING else pose))
        for (angle, turned), (at, met) in zip(
            tries, alone.advances([way for _, way in tries], limit + 1.0, ground.slack), strict=True
        ):
            if met < 0:
                continue
            price = turn_cost(abs(angle)) + at
            if best is not None and price >= best[0]:
                continue
            legs: list[Leg] = []
            if turned is not pose:
                if not blocked.may_turn(pose, angle):
                    continue
                legs.append(TurnLeg(pose.x, pose.y, angle))
            if ground.may_advance(turned, at):
                legs.append(SlideLeg(at * turned.ux, at * turned.uy))
                best = (price, legs)
        return best

    bound = rest(rect.x, rect.y, rect.facing)
    if bound > limit + LENGTH:
        return Plan(None, math.inf, bound, None)
    bends = _bends(rect, [(aims[0], None)], blocked, step)
    return _finished(rect, blocked, turn_cost, limit, bends, rest, finish, work, bound)


def _finished(
    rect: Rect,
    ground: Ground,
    turn_cost: TurnCost,
    limit: float,
    bends: tuple[list[Point], list[Point]],
    rest: Callable[[float, float, float], float],
    finish: _End,
    work: int,
    bound: float,
) -> Plan:
    # Few bends first, for a plan that keeps the search among all of them short.
    known: _Known = {}
    ends: dict[tuple[float, ...], tuple[float, list[Leg]] | None] = {}

    def end_of(pose: Rect) -> tuple[float, list[Leg]] | None:
        key = (pose.x, pose.y, pose.ux, pose.uy)
        if key not in ends:
            ends[key] = finish(pose)
        return ends[key]

    found = _search(rect, bends[0], ground, turn_cost, limit, rest, end_of, work, known)
    if found is None or found[0] > bound + LENGTH:
        bar = limit if found is None else found[0]
        every = bends[0] + bends[1]
        wider = _search(rect, every, ground, turn_cost, bar, rest, end_of, work, known)
        if wider is not None and (found is None or wider[0] < found[0]):
            found = wider
    if found is None:
        return Plan(None, math.inf, bound, None)
    if found[0] > bound + LENGTH:
        found = _tighten(
            rect,
            found,
            lambda trial, below: _chain(rect, trial, ground, turn_cost, rest, end_of, below, known),
        )
    end = rect
    for leg in found[1]:
        end = after(end, leg)
    return Plan(tuple(found[1]), found[0], bound, end)
