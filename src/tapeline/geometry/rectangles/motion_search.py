"""Kernels: ways of a rectangle among parts, tried as given or searched best-first (A*).

A leg is four numbers: its kind, then `(dx, dy, angle)` of a slide or a free leg, `(x, y, angle)` of
a turn. A pose is POSE numbers: x, y, facing, the unit vector along it, four corners.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence
from typing import NamedTuple

from tapeline.geometry.backends import Floats, Ints, entry, kernel, no_refcount
from tapeline.geometry.discs.priority_queue import pop, push
from tapeline.geometry.epsilons import LENGTH, ROUNDING, STRETCH
from tapeline.geometry.rectangles.corner_paths import free_length
from tapeline.geometry.rectangles.free_leg import free_roots
from tapeline.geometry.rectangles.impact_batch import (
    PackedParts,
    comes_within,
    first_frees,
    first_slides,
)
from tapeline.geometry.rectangles.separating_axis import unit_vector
from tapeline.geometry.rectangles.turn import sort_up
from tapeline.geometry.rectangles.turn_batch import first_turns

__all__ = [
    "COST",
    "FREE",
    "NODE",
    "NODES",
    "POSE",
    "ROW",
    "ROWS",
    "SLIDE",
    "START",
    "TURN",
    "UNSEEN",
    "WAY",
    "LegRoom",
    "MotionLimits",
    "MotionRoom",
    "MotionSpace",
    "motions",
]

#: Kinds of legs. UNSEEN: a turn that is taken to be clear.
SLIDE, TURN, FREE, UNSEEN = 0, 1, 2, 3
#: Asks `motions` for a way.
WAY = 4
#: Numbers of a pose.
POSE = 13
#: Length: what comes nearer by more than this plainly does.
_PLAIN = 1e-6
#: Angle: facings nearer to each other are one to the search.
_ALIKE = 1e-3
#: Facings looked at beside one region.
_FACINGS = 5
#: Ways from a pose to a pose that are looked at before any detour.
_DIRECT = 16
#: Rows of poses: of the one that walks, of one more, of the first of the search.
_WALK, _OTHER, START = 0, 1, 2
#: Places in `MotionRoom.numbers`: size of the rectangle (width, depth, reach), sums of four
#: corners, turns to facings, costs of direct ways (the answer's first), rows of the poses; and
#: their length.
_ADDED, _TURNS, COST, ROWS, ROW = 4, 8, 16, 40, 9
#: Places in `MotionRoom.whole`: rows of the poses, and their length.
NODES, NODE = 4, 3


class MotionSpace(NamedTuple):
    """The table 0..width x 0..depth less parts, which may be entered by up to the slack.

    order: the parts region by region; firsts: where each region begins there, and the end; bounds:
    four a region.
    """

    parts: PackedParts
    order: Ints
    firsts: Ints
    bounds: Floats
    width: float
    depth: float
    slack: float


class MotionLimits(NamedTuple):
    """cost: greatest of interest; followed: whether a corner's way is measured along what it
    follows. work: legs that the search may try; most: poses beside obstacles; tries: how often
    bends may be moved."""

    cost: float
    followed: bool
    work: int
    most: int
    tries: int


class LegRoom(NamedTuple):
    """Scratch for a leg, or for a batch of motions: of turns and slides, of critical places; then
    the arguments and the answer of one motion, and four numbers."""

    scratch: MutableSequence[float]
    critical: MutableSequence[float]
    loop: MutableSequence[float]
    where: MutableSequence[float]
    one: MutableSequence[float]
    three: MutableSequence[float]
    four: MutableSequence[float]
    part: MutableSequence[int]


class MotionRoom(NamedTuple):
    """Scratch for ways. poses: the one that walks and one more, those of the search (start first,
    goal last), of the bends, of the bends tried. numbers: see below, then ROW a pose of the search:
    sums of its corners, what they have left, length of the way by it. legs; hull: corners and their
    convex hull. estimates, queue, entries: of the search. whole: how many motions were held against
    the parts, how many poses looked at, which direct way, entries; then three a pose of the
    search: from where, by which way, and what is known of it.
    """

    leg: LegRoom
    poses: list[float]
    numbers: list[float]
    legs: list[float]
    hull: list[float]
    estimates: list[float]
    whole: list[int]
    queue: list[int]
    entries: list[int]


@kernel
@no_refcount
def _pose(
    poses: list[float],
    i: int,
    x: float,
    y: float,
    facing: float,
    u: tuple[float, float],
    size: Floats,
) -> None:
    """Lay a pose at row i."""
    ux, uy = u
    fx, fy = 0.5 * size[1] * ux, 0.5 * size[1] * uy
    sx, sy = -0.5 * size[0] * uy, 0.5 * size[0] * ux
    k = POSE * i
    poses[k], poses[k + 1], poses[k + 2], poses[k + 3], poses[k + 4] = x, y, facing, ux, uy
    poses[k + 5], poses[k + 6] = x + fx - sx, y + fy - sy
    poses[k + 7], poses[k + 8] = x + fx + sx, y + fy + sy
    poses[k + 9], poses[k + 10] = x - fx + sx, y - fy + sy
    poses[k + 11], poses[k + 12] = x - fx - sx, y - fy - sy


@kernel
@no_refcount
def _copied(poses: list[float], i: int, j: int, count: int) -> None:
    """Copy rows from i on to row j on, the first first."""
    for k in range(POSE * count):
        poses[POSE * j + k] = poses[POSE * i + k]


@kernel
@no_refcount
def _length(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y)


@kernel
@no_refcount
def _between(a: float, b: float) -> float:
    """The smaller signed angle from a facing to another."""
    by = b - a
    by -= 2.0 * math.pi * round(by / (2.0 * math.pi))
    return 0.0 if abs(by) <= ROUNDING else by


@kernel
@no_refcount
def _moved(
    poses: list[float], i: int, dx: float, dy: float, by: float, j: int, size: Floats
) -> None:
    """Lay at row j the pose of row i, turned on the spot and shifted."""
    k = POSE * i
    facing, u = poses[k + 2], (poses[k + 3], poses[k + 4])
    if by != 0.0:
        c, s = unit_vector(by)
        if s == 0.0 or c == 0.0:
            u = (c * u[0] - s * u[1], s * u[0] + c * u[1])
        else:
            u = unit_vector(facing + by)
    _pose(poses, j, poses[k] + dx, poses[k + 1] + dy, facing + by, u, size)


@kernel
@no_refcount
def _step(poses: list[float], legs: Floats, at: int, size: Floats) -> None:
    """Take the pose that walks along a leg."""
    kind = int(legs[at])
    dx, dy, by = legs[at + 1], legs[at + 2], legs[at + 3]
    if kind in (TURN, UNSEEN):
        c, s = unit_vector(by)
        x, y = poses[0] - dx, poses[1] - dy
        dx, dy = dx + c * x - s * y - poses[0], dy + s * x + c * y - poses[1]
    _moved(poses, _WALK, dx, dy, 0.0 if kind == SLIDE else by, _WALK, size)


@kernel
@no_refcount
def _side(k: int, space: MotionSpace) -> tuple[float, float, float]:
    """Outward normal of a side of the table, and its offset."""
    if k == 0:
        return -1.0, 0.0, 0.0
    if k == 1:
        return 1.0, 0.0, space.width
    if k == 2:
        return 0.0, -1.0, 0.0
    return 0.0, 1.0, space.depth


@kernel
@no_refcount
def _slides_off(walk: Floats, ux: float, uy: float, length: float, space: MotionSpace) -> bool:
    for side in range(4):
        nx, ny, far = _side(side, space)
        speed = nx * ux + ny * uy
        if speed <= ROUNDING:
            continue
        for k in range(5, POSE, 2):
            if max(0.0, (far - nx * walk[k] - ny * walk[k + 1]) / speed) < length - space.slack:
                return True
    return False


@kernel
@no_refcount
def _turns_off(walk: Floats, x: float, y: float, by: float, space: MotionSpace) -> bool:
    sense = 1.0 if by >= 0.0 else -1.0
    for side in range(4):
        nx, ny, far = _side(side, space)
        h = far - nx * x - ny * y + space.slack
        for k in range(5, POSE, 2):
            rx, ry = walk[k] - x, walk[k + 1] - y
            rho = _length(rx, ry)
            if nx * rx + ny * ry > h:
                if by != 0.0:
                    return True
            elif rho > 0.0 and h / rho < 1.0:
                start = sense * (math.atan2(ny, nx) - math.atan2(ry, rx))
                enter = start - math.acos(max(-1.0, h / rho))
                enter -= 2.0 * math.pi * math.floor(enter / (2.0 * math.pi))
                if enter < abs(by):
                    return True
    return False


@kernel
@no_refcount
def _frees_off(
    walk: Floats,
    dx: float,
    dy: float,
    by: float,
    space: MotionSpace,
    scratch: MutableSequence[float],
) -> bool:
    f, stack, out = scratch[0:7], scratch[7:207], scratch[207:271]
    for side in range(4):
        nx, ny, far = _side(side, space)
        base = nx * walk[0] + ny * walk[1] - far - space.slack
        along = nx * dx + ny * dy
        for k in range(5, POSE, 2):
            x, y = walk[k] - walk[0], walk[k + 1] - walk[1]
            q, s = nx * x + ny * y, ny * x - nx * y
            f[0], f[1], f[2], f[3], f[4], f[5], f[6] = base, along, 0.0, q, 0.0, s, 0.0
            count = free_roots(f, by, stack, 0, out)
            if count < 0:
                return True
            sort_up(out, count)
            before = 0.0
            for i in range(count + 1):
                after = out[i] if i < count else 1.0
                t = 0.5 * (before + after)
                value = base + along * t + q * math.cos(by * t) + s * math.sin(by * t)
                if after - before > STRETCH and value > 0.0:
                    return True
                before = after
    return False


@kernel
@no_refcount
def _inside(x: float, y: float, reach: float, space: MotionSpace) -> bool:
    """Whether a disc is on the table."""
    return reach <= x <= space.width - reach and reach <= y <= space.depth - reach


@kernel
@no_refcount
def _meets(
    walk: Floats, kind: int, a: float, b: float, by: float, space: MotionSpace, leg: LegRoom
) -> bool:
    """Whether the walking pose enters a part along a leg, which has a length."""
    where, one, three, part = leg.where, leg.one, leg.three, leg.part
    for k in range(8):
        leg.loop[k] = walk[5 + k]
    where[0], where[1], one[0] = a, b, by
    if kind == SLIDE:
        one[0] = _length(a, b)
        where[0], where[1] = a / one[0], b / one[0]
    elif kind == FREE:
        where[0], where[1] = walk[0], walk[1]
        three[0], three[1], three[2] = a, b, by
    amounts = three if kind == FREE else one
    scratch = leg.critical if kind == FREE else leg.scratch
    full = contacts(
        kind, leg.loop, where, amounts, space.slack, space.parts, scratch, leg.four, part
    )
    # So near along a side that it cannot be told in time: a plan goes another way.
    return full >= 0 or part[0] >= 0


@kernel
@no_refcount
def contacts(
    kind: int,
    loops: Floats,
    where: Floats,
    amounts: Floats,
    need: float,
    parts: PackedParts,
    scratch: MutableSequence[float],
    at: MutableSequence[float],
    part: MutableSequence[int],
) -> int:
    """First contacts of n motions of a kind: `first_slides`, `first_turns` or `first_frees`."""
    if kind == SLIDE:
        return first_slides(loops, where, amounts, need, parts, scratch, at, part)
    if kind == TURN:
        return first_turns(loops, where, amounts, need, parts, scratch, at, part)
    return first_frees(loops, where, amounts, need, parts, scratch, at, part)


@kernel
@no_refcount
def _leg_clear(
    walk: Floats, size: Floats, legs: Floats, at: int, space: MotionSpace, leg: LegRoom
) -> bool:
    """Whether the walking pose keeps to the table and off the parts along a leg."""
    kind = int(legs[at])
    a, b, by = legs[at + 1], legs[at + 2], legs[at + 3]
    x, y, reach = walk[0], walk[1], size[2]
    length = _length(a, b)
    if kind == UNSEEN or (kind == SLIDE and length == 0.0):
        return True
    if kind == TURN:
        off = not _inside(a, b, _length(x - a, y - b) + reach, space)
        off = off and _turns_off(walk, a, b, by, space)
    else:
        off = not _inside(x, y, reach, space) or not _inside(x + a, y + b, reach, space)
        if off and kind == SLIDE:
            off = _slides_off(walk, a / length, b / length, length, space)
        elif off:
            off = _frees_off(walk, a, b, by, space, leg.critical)
    # However it turns, the disc in its middle goes along a segment.
    keep = 0.5 * min(size[0], size[1]) - space.slack - _PLAIN
    if not off and kind == FREE and keep > 0.0:
        line = leg.four
        line[0], line[1], line[2], line[3] = x, y, x + a, y + b
        off = comes_within(line, keep, space.parts, leg.loop)
    return not off and not _meets(walk, kind, a, b, by, space, leg)


@kernel
@no_refcount
def _way_clear(
    i: int, legs: Floats, first: int, count: int, space: MotionSpace, room: MotionRoom
) -> bool:
    """Whether legs from the pose of row i are clear, one after the other."""
    poses, size = room.poses, room.numbers
    _copied(poses, i, _WALK, 1)
    for k in range(first, first + count):
        room.whole[0] += 1
        if not _leg_clear(poses, size, legs, 4 * k, space, room.leg):
            return False
        _step(poses, legs, 4 * k, size)
    return True


@kernel
@no_refcount
def _straight(poses: Floats, i: int, j: int, numbers: list[float], at: int) -> None:
    """Add to four sums how far each corner is from one pose to another."""
    for c in range(4):
        p, q = POSE * i + 5 + 2 * c, POSE * j + 5 + 2 * c
        numbers[at + c] += _length(poses[q] - poses[p], poses[q + 1] - poses[p + 1])


@kernel
@no_refcount
def _measure(
    poses: list[float],
    i: int,
    legs: Floats,
    first: int,
    count: int,
    followed: bool,
    numbers: list[float],
) -> None:
    """Add to the sums how far each corner goes along legs from the pose of row i."""
    _copied(poses, i, _WALK, 1)
    for k in range(first, first + count):
        kind = int(legs[4 * k])
        a, b, by = legs[4 * k + 1], legs[4 * k + 2], legs[4 * k + 3]
        _copied(poses, _WALK, _OTHER, 1)
        _step(poses, legs, 4 * k, numbers)
        if not followed:
            _straight(poses, _OTHER, _WALK, numbers, _ADDED)
            continue
        for c in range(4):
            x, y = poses[POSE + 5 + 2 * c], poses[POSE + 6 + 2 * c]
            if kind == SLIDE:
                numbers[_ADDED + c] += _length(a, b)
            elif kind == FREE:
                numbers[_ADDED + c] += free_length(a, b, by, x - poses[POSE], y - poses[POSE + 1])
            else:
                numbers[_ADDED + c] += abs(by) * _length(x - a, y - b)


@kernel
@no_refcount
def _laid(numbers: list[float], at: int, source: int) -> None:
    """Lay four sums at a place: those of another, nothing where that is below 0."""
    for c in range(4):
        numbers[at + c] = numbers[source + c] if source >= 0 else 0.0


@kernel
@no_refcount
def _most(numbers: Floats) -> float:
    """The greatest of the sums."""
    k = _ADDED
    return max(max(numbers[k], numbers[k + 1]), max(numbers[k + 2], numbers[k + 3]))


@kernel
@no_refcount
def _may_stand(i: int, space: MotionSpace, room: MotionRoom) -> bool:
    """Whether the pose of row i is on the table and overlaps nothing: a clear turn by nothing."""
    k = POSE * i
    x, y = room.poses[k], room.poses[k + 1]
    ux, uy = abs(room.poses[k + 3]), abs(room.poses[k + 4])
    half_x = 0.5 * (room.numbers[1] * ux + room.numbers[0] * uy) - space.slack
    half_y = 0.5 * (room.numbers[1] * uy + room.numbers[0] * ux) - space.slack
    if not (half_x <= x <= space.width - half_x and half_y <= y <= space.depth - half_y):
        return False
    _put(room.legs, 0, TURN, x, y, 0.0)
    return _way_clear(i, room.legs, 0, 1, space, room)


@kernel
@no_refcount
def _put(legs: MutableSequence[float], k: int, kind: int, a: float, b: float, by: float) -> None:
    legs[4 * k], legs[4 * k + 1], legs[4 * k + 2], legs[4 * k + 3] = float(kind), a, b, by


@kernel
@no_refcount
def _way(poses: Floats, i: int, j: int, option: int, legs: list[float], k: int) -> int:
    """Lay at row k the legs of a way from a pose to a pose, those likely to be cheap first.

    Gives how many, -1 where there are no more ways. Options 0 to 2 turn by the smaller angle.
    """
    p, q = POSE * i, POSE * j
    dx, dy = poses[q] - poses[p], poses[q + 1] - poses[p + 1]
    by = _between(poses[p + 2], poses[q + 2])
    still = _length(dx, dy) <= ROUNDING
    if by == 0.0:
        if option > 0:
            return -1
        _put(legs, k, SLIDE, dx, dy, 0.0)
        return 0 if still else 1
    per = 1 if still else 3
    if option < 2 * per:
        by -= 0.0 if option < per else math.copysign(2.0 * math.pi, by)
        if still or option % 3 == 1:
            _put(legs, k, TURN, poses[p], poses[p + 1], by)
            _put(legs, k + 1, SLIDE, dx, dy, 0.0)
            return 1 if still else 2
        if option % 3 == 0:
            _put(legs, k, FREE, dx, dy, by)
            return 1
        _put(legs, k, SLIDE, dx, dy, 0.0)
        _put(legs, k + 1, TURN, poses[q], poses[q + 1], by)
        return 2
    option -= 2 * per
    half = 0.5 * by
    if not still and option == 0:
        _put(legs, k, TURN, poses[p], poses[p + 1], half)
        _put(legs, k + 1, SLIDE, dx, dy, 0.0)
        _put(legs, k + 2, TURN, poses[q], poses[q + 1], half)
        return 3
    if not still and option == 1:
        # One turn does it about the point that both poses see alike.
        f = 0.5 / math.tan(half)
        _put(legs, k, TURN, poses[p] + 0.5 * dx - f * dy, poses[p + 1] + 0.5 * dy + f * dx, by)
        return 1
    option -= 0 if still else 2
    if option >= 8:
        return -1
    c = 5 + 2 * (option // 2)
    turn = option % 2
    px, py, qx, qy = poses[p + c], poses[p + c + 1], poses[q + c], poses[q + c + 1]
    _put(legs, k + turn, TURN, px if turn == 0 else qx, py if turn == 0 else qy, by)
    _put(legs, k + 1 - turn, SLIDE, qx - px, qy - py, 0.0)
    return 2


@kernel
@no_refcount
def _narrow(poses: Floats, i: int, j: int, option: int) -> bool:
    """Whether the search looks at a way between poses: those that turn by the smaller angle."""
    p, q = POSE * i, POSE * j
    still = _length(poses[q] - poses[p], poses[q + 1] - poses[p + 1]) <= ROUNDING
    return option < (1 if still else 3)


@kernel
@no_refcount
def _direct(goal: int, limits: MotionLimits, space: MotionSpace, room: MotionRoom) -> float:
    """The cheapest direct way that is clear, at the front of `room.legs`; what the cheapest of all
    costs at COST, which way it is in `whole[2]`. Gives its cost, infinite if there is none."""
    poses, numbers, legs = room.poses, room.numbers, room.legs
    room.whole[2] = ways = 0
    for option in range(_DIRECT):
        count = _way(poses, START, goal, option, legs, 0)
        if count < 0:
            break
        _laid(numbers, _ADDED, -1)
        _measure(poses, START, legs, 0, count, limits.followed, numbers)
        numbers[COST + 1 + ways] = _most(numbers)
        ways += 1
        # Straight, none can be cheaper than the first.
        if option == 0 and not limits.followed:
            numbers[COST] = numbers[COST + 1]
            if _way_clear(START, legs, 0, count, space, room):
                return numbers[COST]
    numbers[COST] = math.inf
    for _ in range(ways):
        best = 0
        for k in range(1, ways):
            if numbers[COST + 1 + k] < numbers[COST + 1 + best]:
                best = k
        cost = numbers[COST + 1 + best]
        numbers[COST] = min(numbers[COST], cost)
        numbers[COST + 1 + best] = math.inf
        if cost > limits.cost + LENGTH:
            break
        count = _way(poses, START, goal, best, legs, 0)
        if _way_clear(START, legs, 0, count, space, room):
            room.whole[2] = best
            return cost
    return math.inf


@kernel
@no_refcount
def _facings(
    region: int, goal: int, space: MotionSpace, poses: Floats, numbers: list[float]
) -> int:
    """The two facings given, and those with the narrow side across a side of a region: how to turn
    the start to each, at _TURNS; gives how many."""
    corners, starts = space.parts.corners, space.parts.starts
    facing = poses[POSE * START + 2]
    across = 0.0 if numbers[0] <= numbers[1] else 0.5 * math.pi
    numbers[_TURNS], numbers[_TURNS + 1] = 0.0, _between(facing, poses[POSE * goal + 2])
    count = 2
    for m in range(space.firsts[region], space.firsts[region + 1]):
        part = space.order[m]
        first, last = starts[part], starts[part + 1]
        for i in range(first, last if last - first > 2 else first, 2):
            j = i + 2 if i + 2 < last else first
            by = math.atan2(corners[j + 1] - corners[i + 1], corners[j] - corners[i])
            by += across - facing
            by -= math.pi * round(by / math.pi)
            known = count == _FACINGS
            for k in range(count):
                known = known or abs(_between(by, numbers[_TURNS + k])) <= _ALIKE
            if not known:
                numbers[_TURNS + count] = by
                count += 1
    return count


@kernel
@no_refcount
def _put_in(points: list[float], count: int, x: float, y: float) -> int:
    """Put a point among so many that are in order, by x and then by y, unless it is there already;
    gives how many there are then."""
    k = count
    while k > 0 and (points[2 * k - 2] > x or (points[2 * k - 2] == x and points[2 * k - 1] > y)):
        k -= 1
    if k > 0 and points[2 * k - 2] == x and points[2 * k - 1] == y:
        return count
    for m in range(count, k, -1):
        points[2 * m], points[2 * m + 1] = points[2 * m - 2], points[2 * m - 1]
    points[2 * k], points[2 * k + 1] = x, y
    return count + 1


@kernel
@no_refcount
def _touching(part: int, parts: PackedParts, poses: Floats, points: list[float]) -> int:
    """Places of the centre at which the rectangle of the other row, only shifted, touches a part:
    differences of their corners; round ones have eight. Gives how many, in order."""
    radius = parts.radii[part]
    out = radius / math.cos(math.pi / 8.0)
    count = 0
    for i in range(parts.starts[part], parts.starts[part + 1], 2):
        for eighth in range(8 if radius > 0.0 else 1):
            cx, cy = parts.corners[i], parts.corners[i + 1]
            if radius > 0.0:
                cx += out * math.cos(eighth * math.pi / 4.0)
                cy += out * math.sin(eighth * math.pi / 4.0)
            for c in range(POSE + 5, 2 * POSE, 2):
                x, y = cx - (poses[c] - poses[POSE]), cy - (poses[c + 1] - poses[POSE + 1])
                count = _put_in(points, count, x, y)
    return count


@kernel
@no_refcount
def _hull(points: list[float], count: int) -> int:
    """The convex hull of points in order (monotone chain), laid behind them; gives its corners."""
    last = count
    for half in range(2):
        bottom = last
        for m in range(count):
            k = m if half == 0 else count - 1 - m
            x, y = points[2 * k], points[2 * k + 1]
            while last - bottom > 1:
                ax, ay = points[2 * last - 4], points[2 * last - 3]
                bx, by = points[2 * last - 2], points[2 * last - 1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > LENGTH:
                    break
                last -= 1
            points[2 * last], points[2 * last + 1] = x, y
            last += 1
        last -= 1
    return last - count


@kernel
@no_refcount
def _kept(
    x: float, y: float, goal: int, found: int, bar: float, space: MotionSpace, room: MotionRoom
) -> int:
    """Keep the pose of the other row, shifted to a place, among those found, in the order of the
    ways by them, if it is one of the best; gives how many are then kept."""
    poses, numbers = room.poses, room.numbers
    s, g = POSE * START, POSE * goal
    way = _length(x - poses[s], y - poses[s + 1]) + _length(poses[g] - x, poses[g + 1] - y)
    inset = 0.5 * min(numbers[0], numbers[1])
    if way > bar or not _inside(x, y, inset, space):
        return found
    row, most = found, goal - START - 1
    while row > 0 and numbers[ROWS + ROW * row + 8] > way:
        row -= 1
    if row == most:
        return found
    found = min(found + 1, most)
    for n in range(found, row + 1, -1):
        numbers[ROWS + ROW * n + 8] = numbers[ROWS + ROW * (n - 1) + 8]
        _copied(poses, START + n - 1, START + n, 1)
    numbers[ROWS + ROW * (row + 1) + 8] = way
    dx, dy = x - poses[POSE], y - poses[POSE + 1]
    _moved(poses, _OTHER, dx, dy, 0.0, START + row + 1, numbers)
    return found


@kernel
@no_refcount
def _beside(goal: int, bar: float, space: MotionSpace, room: MotionRoom) -> int:
    """Poses beside obstacles in the rows after the start, those on the shortest ways first; gives
    how many."""
    poses, numbers = room.poses, room.numbers
    s, g, reach = POSE * START, POSE * goal, numbers[2]
    mx, my = 0.5 * (poses[s] + poses[g]), 0.5 * (poses[s + 1] + poses[g + 1])
    found = 0
    for region in range(len(space.firsts) - 1):
        box = 4 * region
        # A place nearer than this to both ends cannot be had beside it.
        x = min(max(mx, space.bounds[box] - reach), space.bounds[box + 2] + reach)
        y = min(max(my, space.bounds[box + 1] - reach), space.bounds[box + 3] + reach)
        if _length(x - mx, y - my) > 0.5 * bar:
            continue
        for f in range(_facings(region, goal, space, poses, numbers)):
            _moved(poses, START, 0.0, 0.0, numbers[_TURNS + f], _OTHER, numbers)
            for m in range(space.firsts[region], space.firsts[region + 1]):
                points = _touching(space.order[m], space.parts, poses, room.hull)
                for k in range(points, points + _hull(room.hull, points)):
                    x, y = room.hull[2 * k], room.hull[2 * k + 1]
                    found = _kept(x, y, goal, found, bar, space, room)
    return found


@kernel
@no_refcount
def _spread(at: int, goal: int, size: int, bar: float, room: MotionRoom) -> int:
    """Queue the ways from a row to all that are not reached yet; gives how many are queued.

    Straight ways from here are the least that any legs measure.
    """
    numbers = room.numbers
    for k in range(1, goal + 1):
        if room.whole[NODES + NODE * k + 2] == 3:
            continue
        _laid(numbers, _ADDED, ROWS + ROW * at)
        _straight(room.poses, START + at, START + k, numbers, _ADDED)
        for c in range(4):
            numbers[_ADDED + c] += numbers[ROWS + ROW * k + 4 + c]
        if _most(numbers) <= bar + LENGTH:
            size = _queued((at * (goal + 1) + k) * 4, _most(numbers), size, room)
    return size


@kernel
@no_refcount
def _queued(entry: int, estimate: float, size: int, room: MotionRoom) -> int:
    number = room.whole[3]
    room.entries[number] = entry
    room.whole[3] = number + 1
    return push(room.estimates, room.queue, 0, 0, size, estimate, number)


@kernel
@no_refcount
def _search(
    goal: int, bar: float, limits: MotionLimits, space: MotionSpace, room: MotionRoom
) -> float:
    """Best-first over the start and so many poses after it; a way is tried only when it is taken
    up. What is known of a pose: 1: may stand there, 2: may not, 3: reached.

    Gives the cost, infinite if none is found.
    """
    whole, numbers, legs, poses = room.whole, room.numbers, room.legs, room.poses
    for k in range(goal + 1):
        whole[NODES + NODE * k + 2] = 1 if k == goal else 0
        _laid(numbers, ROWS + ROW * k, -1)
        _laid(numbers, ROWS + ROW * k + 4, -1)
        _straight(poses, START + k, START + goal, numbers, ROWS + ROW * k + 4)
    whole[3] = 0
    size = _spread(0, goal, 0, bar, room)
    work = limits.work
    while size > 0 and work > 0:
        estimate, entry = room.estimates[0], room.entries[room.queue[0]]
        size = pop(room.estimates, room.queue, 0, 0, size)
        whole[1] += goal
        option = entry % 4
        to = (entry // 4) % (goal + 1)
        at = entry // (4 * (goal + 1))
        node = NODES + NODE * to
        if whole[node + 2] == 0:
            whole[node + 2] = 1 if _may_stand(START + to, space, room) else 2
        if whole[node + 2] != 1 or not _narrow(poses, START + at, START + to, option):
            continue
        count = _way(poses, START + at, START + to, option, legs, 0)
        if count < 0:
            continue
        _laid(numbers, _ADDED, ROWS + ROW * at)
        _measure(poses, START + at, legs, 0, count, limits.followed, numbers)
        least = -math.inf
        for c in range(4):
            least = max(least, numbers[_ADDED + c] + numbers[ROWS + ROW * to + 4 + c])
        if least > bar + LENGTH:
            continue
        if least > estimate + LENGTH:
            size = _queued(entry, least, size, room)
            continue
        work -= 1
        if not _way_clear(START + at, legs, 0, count, space, room):
            size = _queued(entry + 1, estimate, size, room)
            continue
        whole[node], whole[node + 1], whole[node + 2] = at, option, 3
        _laid(numbers, ROWS + ROW * to, _ADDED)
        if to == goal:
            return _most(numbers)
        size = _spread(to, goal, size, bar, room)
    return math.inf


@kernel
@no_refcount
def _laid_out(goal: int, bends: int, room: MotionRoom) -> int:
    """Lay the poses of the chain found in rows from `bends` on, and by which way each is reached;
    gives how many there are after the start."""
    last, k = 0, goal
    while k > 0:
        last += 1
        k = room.whole[NODES + NODE * k]
    row, k = last, goal
    while row > 0:
        _copied(room.poses, START + k, bends + row, 1)
        room.numbers[ROWS + ROW * row + 8] = float(room.whole[NODES + NODE * k + 1])
        row, k = row - 1, room.whole[NODES + NODE * k]
    _copied(room.poses, START, bends, 1)
    return last


@kernel
@no_refcount
def _through(
    first: int, last: int, followed: bool, below: float, space: MotionSpace, room: MotionRoom
) -> float:
    """Cost of the way through the poses from row to row, free where they turn; infinite unless it
    is clear and cheaper than `below`."""
    poses, legs, numbers = room.poses, room.legs, room.numbers
    _laid(numbers, _ADDED, -1)
    for k in range(first, last):
        count = _way(poses, k, k + 1, 0, legs, 0)
        _measure(poses, k, legs, 0, count, followed, numbers)
    cost = _most(numbers)
    if cost >= below:
        return math.inf
    for k in range(first, last):
        count = _way(poses, k, k + 1, 0, legs, 0)
        if not _way_clear(k, legs, 0, count, space, room):
            return math.inf
    return cost


@kernel
@no_refcount
def _tried(
    bends: int, tried: int, last: int, trial: int, step: float, poses: list[float], size: Floats
) -> int:
    """Lay the bends in other rows, one of them left out, turned (two ways) or moved (eight); gives
    how many rows there are after the first."""
    k = 1 + trial // 11
    trial %= 11
    _copied(poses, bends, tried, k)
    if trial == 0:
        _copied(poses, bends + k + 1, tried + k, last - k)
        return last - 1
    _copied(poses, bends + k, tried + k, last - k + 1)
    by, dx, dy = 0.0, 0.0, 0.0
    if trial < 3:
        by = step / size[2] if trial == 1 else -step / size[2]
    else:
        angle = (trial - 3) * math.pi / 4.0
        dx, dy = step * math.cos(angle), step * math.sin(angle)
    _moved(poses, bends + k, dx, dy, by, tried + k, size)
    return last


@kernel
@no_refcount
def _tighten(
    cost: float, bends: int, last: int, limits: MotionLimits, space: MotionSpace, room: MotionRoom
) -> int:
    """Pull a chain of poses tight by moving its bends; leaves its cost at COST.

    Gives how many poses there are after the first.
    """
    poses, numbers = room.poses, room.numbers
    tried = bends + limits.most + 3
    step, tries = 1.0, limits.tries
    while step > 1e-3 and last > 1 and tries > 0:
        better = False
        for trial in range(11 * (last - 1)):
            tries -= 1
            rows = _tried(bends, tried, last, trial, step, poses, numbers)
            less = _through(tried, tried + rows, limits.followed, cost - LENGTH, space, room)
            if less < math.inf:
                cost, last, better = less, rows, True
                _copied(poses, tried, bends, last + 1)
                for k in range(1, last + 1):
                    numbers[ROWS + ROW * k + 8] = 0.0
                break
        if not better:
            step *= 0.5
    numbers[COST] = cost
    return last


@kernel
@no_refcount
def _found_round(
    goal: int, cost: float, limits: MotionLimits, space: MotionSpace, room: MotionRoom
) -> int:
    """Legs of a way round things that is cheaper than that; how many, -1 if none is found."""
    poses, numbers, legs = room.poses, room.numbers, room.legs
    bar = min(limits.cost, cost - LENGTH)
    last = 1 + _beside(goal, bar, space, room)
    _copied(poses, goal, START + last, 1)
    found = _search(last, bar, limits, space, room)
    if found >= cost:
        return -1
    bends = START + limits.most + 3
    rows = _tighten(found, bends, _laid_out(last, bends, room), limits, space, room)
    count = 0
    for k in range(rows):
        option = int(numbers[ROWS + ROW * (k + 1) + 8])
        count += _way(poses, bends + k, bends + k + 1, option, legs, count)
    return count


@kernel
@no_refcount
def find_way(
    start: Floats,
    goal: Floats,
    given: Floats,
    limits: MotionLimits,
    space: MotionSpace,
    room: MotionRoom,
) -> int:
    """Legs from a pose to a pose: x, y, facing and the unit vector along it.

    given: legs that are only tried; without any they are searched for. Gives 1 if those given are
    clear and cost no more than the limit, else 0; or how many were found and lie in `room.legs`,
    their cost at COST; -1 for none.
    """
    poses, numbers = room.poses, room.numbers
    _pose(poses, START, start[0], start[1], start[2], (start[3], start[4]), numbers)
    count = len(given) // 4
    if count > 0:
        _laid(numbers, _ADDED, -1)
        _measure(poses, START, given, 0, count, limits.followed, numbers)
        far = _most(numbers) > limits.cost
        return 0 if far or not _way_clear(START, given, 0, count, space, room) else 1
    last = START + limits.most + 1
    _pose(poses, last, goal[0], goal[1], goal[2], (goal[3], goal[4]), numbers)
    if not _may_stand(last, space, room):
        return -1
    cost = _direct(last, limits, space, room)
    # A free leg followed is at best the least there is; the rest is to be had round things.
    if cost > numbers[COST] + LENGTH:
        count = _found_round(last, cost, limits, space, room)
        if count >= 0:
            return count
    numbers[COST] = cost
    return _way(poses, START, last, room.whole[2], room.legs, 0) if cost < math.inf else -1


@entry()
@no_refcount
def motions(
    kind: int,
    loops: Floats,
    where: Floats,
    amounts: Floats,
    limits: MotionLimits,
    space: MotionSpace,
    room: MotionRoom,
    at: MutableSequence[float],
    part: MutableSequence[int],
) -> int:
    """`contacts` of n motions of a kind, or `find_way` from a pose to a pose by legs given (WAY).

    One entry for both: who calls these kernels takes in all their code.
    """
    if kind == WAY:
        return find_way(loops, where, amounts, limits, space, room)
    leg = room.leg
    scratch = leg.critical if kind == FREE else leg.scratch
    return contacts(kind, loops, where, amounts, space.slack, space.parts, scratch, at, part)
