"""Kernels: legs of a rectangle among parts, whether they are clear and how far corners go.

A leg is four numbers: its kind, then `(dx, dy, angle)` of a slide or a free leg, `(x, y, angle)` of
a turn. A pose is POSE numbers: x, y, facing, the unit vector along it, four corners.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.epsilons import ROUNDING, STRETCH
from tapeline.geometry.rectangles.corner_paths import free_length
from tapeline.geometry.rectangles.free_leg import free_roots
from tapeline.geometry.rectangles.impact_batch import (
    Contacts,
    Motions,
    comes_within,
    first_frees,
    first_slides,
)
from tapeline.geometry.rectangles.separating_axis import rectangle_loop, unit_vector
from tapeline.geometry.rectangles.slide_impact import PackedParts
from tapeline.geometry.rectangles.turn import sort_up
from tapeline.geometry.rectangles.turn_batch import first_turns

__all__ = [
    "ADDED",
    "COST",
    "FREE",
    "NEXT",
    "NODE",
    "NODES",
    "OTHER",
    "POSE",
    "ROW",
    "ROWS",
    "SLIDE",
    "START",
    "TURN",
    "TURNS",
    "UNSEEN",
    "WALK",
    "WAY",
    "LegRoom",
    "MotionLimits",
    "MotionRoom",
    "MotionSpace",
    "add_straight",
    "add_way",
    "contacts",
    "copy_poses",
    "disc_inside",
    "lay_moved",
    "lay_pose",
    "lay_sums",
    "length_of",
    "may_stand",
    "most_of",
    "put_leg",
    "turn_between",
    "way_clear",
]

#: Kinds of legs. UNSEEN: a turn that is taken to be clear.
SLIDE, TURN, FREE, UNSEEN = 0, 1, 2, 3
#: Asks `motions` for a way. NEXT: a row before the legs of each way that is given.
WAY, NEXT = 4, 5
#: Numbers of a pose.
POSE = 13
#: Length: what comes nearer by more than this plainly does.
_PLAIN = 1e-6
#: Rows of poses: of the one that walks, of one more, of the first of the search.
WALK, OTHER, START = 0, 1, 2
#: Places in `MotionRoom.numbers`: size of the rectangle (width, depth, reach), sums of four
#: corners, turns to facings, costs of direct ways (the answer's first), rows of the poses; and
#: their length.
ADDED, TURNS, COST, ROWS, ROW = 4, 8, 16, 40, 9
#: Places in `MotionRoom.whole`: rows of the poses, and their length.
NODES, NODE = 4, 3


#: A pose as it is given: x, y, facing, the unit vector along it.
Pose: TypeAlias = tuple[float, float, float, float, float]


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

    scratch: list[float]
    critical: list[float]
    loop: list[float]
    where: list[float]
    one: list[float]
    three: list[float]
    four: list[float]
    part: list[int]


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
def lay_pose(poses: list[float], i: int, pose: Pose, size: Floats) -> None:
    """Lay a pose at row i."""
    x, y, _, ux, uy = pose
    loop = rectangle_loop(x, y, ux, uy, size[0], size[1])
    for k in range(5):
        poses[POSE * i + k] = pose[k]
    for k in range(8):
        poses[POSE * i + 5 + k] = loop[k]


@kernel
def copy_poses(poses: list[float], i: int, j: int, count: int) -> None:
    """Copy rows from i on to row j on, the first first."""
    for k in range(POSE * count):
        poses[POSE * j + k] = poses[POSE * i + k]


@kernel
def length_of(x: float, y: float) -> float:
    """Length of a vector."""
    return math.sqrt(x * x + y * y)


@kernel
def turn_between(a: float, b: float) -> float:
    """The smaller signed angle from a facing to another."""
    by = b - a
    by -= 2.0 * math.pi * round(by / (2.0 * math.pi))
    return 0.0 if abs(by) <= ROUNDING else by


@kernel
def lay_moved(
    poses: list[float], i: int, dx: float, dy: float, by: float, j: int, size: Floats
) -> None:
    """Lay at row j the pose of row i, turned on the spot and shifted."""
    k = POSE * i
    facing, ux, uy = poses[k + 2], poses[k + 3], poses[k + 4]
    if by != 0.0:
        c, s = unit_vector(by)
        if s == 0.0 or c == 0.0:
            ux, uy = c * ux - s * uy, s * ux + c * uy
        else:
            ux, uy = unit_vector(facing + by)
    lay_pose(poses, j, (poses[k] + dx, poses[k + 1] + dy, facing + by, ux, uy), size)


@kernel
def _step(poses: list[float], legs: Floats, at: int, size: Floats) -> None:
    """Take the pose that walks along a leg."""
    kind = int(legs[at])
    dx, dy, by = legs[at + 1], legs[at + 2], legs[at + 3]
    if kind in (TURN, UNSEEN):
        c, s = unit_vector(by)
        x, y = poses[0] - dx, poses[1] - dy
        dx, dy = dx + c * x - s * y - poses[0], dy + s * x + c * y - poses[1]
    lay_moved(poses, WALK, dx, dy, 0.0 if kind == SLIDE else by, WALK, size)


@kernel
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
def _turns_off(walk: Floats, x: float, y: float, by: float, space: MotionSpace) -> bool:
    sense = 1.0 if by >= 0.0 else -1.0
    for side in range(4):
        nx, ny, far = _side(side, space)
        h = far - nx * x - ny * y + space.slack
        for k in range(5, POSE, 2):
            rx, ry = walk[k] - x, walk[k + 1] - y
            rho = length_of(rx, ry)
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
def _frees_off(
    walk: Floats, dx: float, dy: float, by: float, space: MotionSpace, scratch: list[float]
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
def disc_inside(x: float, y: float, reach: float, space: MotionSpace) -> bool:
    """Whether a disc is on the table."""
    return reach <= x <= space.width - reach and reach <= y <= space.depth - reach


@kernel
def _meets(
    walk: Floats, kind: int, a: float, b: float, by: float, space: MotionSpace, leg: LegRoom
) -> bool:
    """Whether the walking pose enters a part along a leg, which has a length."""
    where, one, three, part = leg.where, leg.one, leg.three, leg.part
    for k in range(8):
        leg.loop[k] = walk[5 + k]
    where[0], where[1], one[0] = a, b, by
    if kind == SLIDE:
        one[0] = length_of(a, b)
        where[0], where[1] = a / one[0], b / one[0]
    elif kind == FREE:
        where[0], where[1] = walk[0], walk[1]
        three[0], three[1], three[2] = a, b, by
    amounts = three if kind == FREE else one
    scratch = leg.critical if kind == FREE else leg.scratch
    asked = Motions(leg.loop, where, amounts, space.slack)
    full = contacts(kind, asked, space.parts, Contacts(scratch, leg.four, part))
    # So near along a side that it cannot be told in time: a plan goes another way.
    return full >= 0 or part[0] >= 0


@kernel
def contacts(kind: int, asked: Motions, parts: PackedParts, found: Contacts) -> int:
    """First contacts of n motions of a kind: `first_slides`, `first_turns` or `first_frees`."""
    if kind == SLIDE:
        return first_slides(asked, parts, found)
    if kind == TURN:
        return first_turns(asked, parts, found)
    return first_frees(asked, parts, found)


@kernel
def _leg_clear(
    walk: Floats, size: Floats, legs: Floats, at: int, space: MotionSpace, leg: LegRoom
) -> bool:
    """Whether the walking pose keeps to the table and off the parts along a leg."""
    kind = int(legs[at])
    a, b, by = legs[at + 1], legs[at + 2], legs[at + 3]
    x, y, reach = walk[0], walk[1], size[2]
    length = length_of(a, b)
    if kind == UNSEEN or (kind == SLIDE and length == 0.0):
        return True
    if kind == TURN:
        off = not disc_inside(a, b, length_of(x - a, y - b) + reach, space)
        off = off and _turns_off(walk, a, b, by, space)
    else:
        off = not disc_inside(x, y, reach, space) or not disc_inside(x + a, y + b, reach, space)
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
def way_clear(
    i: int, legs: Floats, first: int, count: int, space: MotionSpace, room: MotionRoom
) -> bool:
    """Whether legs from the pose of row i are clear, one after the other."""
    poses, size = room.poses, room.numbers
    copy_poses(poses, i, WALK, 1)
    for k in range(first, first + count):
        room.whole[0] += 1
        if not _leg_clear(poses, size, legs, 4 * k, space, room.leg):
            return False
        _step(poses, legs, 4 * k, size)
    return True


@kernel
def add_straight(poses: Floats, i: int, j: int, numbers: list[float], at: int) -> None:
    """Add to four sums how far each corner is from one pose to another."""
    for c in range(4):
        p, q = POSE * i + 5 + 2 * c, POSE * j + 5 + 2 * c
        numbers[at + c] += length_of(poses[q] - poses[p], poses[q + 1] - poses[p + 1])


@kernel
def add_way(i: int, legs: Floats, first: int, count: int, followed: bool, room: MotionRoom) -> None:
    """Add to the sums how far each corner goes along legs from the pose of row i."""
    poses, numbers = room.poses, room.numbers
    copy_poses(poses, i, WALK, 1)
    for k in range(first, first + count):
        kind = int(legs[4 * k])
        a, b, by = legs[4 * k + 1], legs[4 * k + 2], legs[4 * k + 3]
        copy_poses(poses, WALK, OTHER, 1)
        _step(poses, legs, 4 * k, numbers)
        if not followed:
            add_straight(poses, OTHER, WALK, numbers, ADDED)
            continue
        for c in range(4):
            x, y = poses[POSE + 5 + 2 * c], poses[POSE + 6 + 2 * c]
            if kind == SLIDE:
                numbers[ADDED + c] += length_of(a, b)
            elif kind == FREE:
                numbers[ADDED + c] += free_length(a, b, by, x - poses[POSE], y - poses[POSE + 1])
            else:
                numbers[ADDED + c] += abs(by) * length_of(x - a, y - b)


@kernel
def lay_sums(numbers: list[float], at: int, source: int) -> None:
    """Lay four sums at a place: those of another, nothing where that is below 0."""
    for c in range(4):
        numbers[at + c] = numbers[source + c] if source >= 0 else 0.0


@kernel
def most_of(numbers: Floats) -> float:
    """The greatest of the sums."""
    k = ADDED
    return max(max(numbers[k], numbers[k + 1]), max(numbers[k + 2], numbers[k + 3]))


@kernel
def may_stand(i: int, space: MotionSpace, room: MotionRoom) -> bool:
    """Whether the pose of row i is on the table and overlaps nothing: a clear turn by nothing."""
    k = POSE * i
    x, y = room.poses[k], room.poses[k + 1]
    ux, uy = abs(room.poses[k + 3]), abs(room.poses[k + 4])
    half_x = 0.5 * (room.numbers[1] * ux + room.numbers[0] * uy) - space.slack
    half_y = 0.5 * (room.numbers[1] * uy + room.numbers[0] * ux) - space.slack
    if not (half_x <= x <= space.width - half_x and half_y <= y <= space.depth - half_y):
        return False
    put_leg(room.legs, 0, TURN, x, y, 0.0)
    return way_clear(i, room.legs, 0, 1, space, room)


@kernel
def put_leg(legs: list[float], k: int, kind: int, a: float, b: float, by: float) -> None:
    """Lay a leg at row k."""
    legs[4 * k], legs[4 * k + 1], legs[4 * k + 2], legs[4 * k + 3] = float(kind), a, b, by
