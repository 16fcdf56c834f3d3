"""Kernels: poses that a way of a rectangle may lead through, beside what is in its way."""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, kernel
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.rectangles.motion_legs import (
    OTHER,
    POSE,
    ROW,
    ROWS,
    START,
    TURNS,
    MotionRoom,
    MotionSpace,
    copy_poses,
    disc_inside,
    lay_moved,
    length_of,
    turn_between,
)
from tapeline.geometry.rectangles.slide_impact import PackedParts

__all__ = ["poses_beside"]


#: Angle: facings nearer to each other are one to the search.
ALIKE = 1e-3
#: Facings looked at beside one region.
_FACINGS = 5


@kernel
def _facings(
    region: int, goal: int, space: MotionSpace, poses: Floats, numbers: list[float]
) -> int:
    """The two facings given, and those with the narrow side across a side of a region: how to turn
    the start to each, at TURNS; gives how many."""
    corners, starts = space.parts.corners, space.parts.starts
    facing = poses[POSE * START + 2]
    across = 0.0 if numbers[0] <= numbers[1] else 0.5 * math.pi
    numbers[TURNS], numbers[TURNS + 1] = 0.0, turn_between(facing, poses[POSE * goal + 2])
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
                known = known or abs(turn_between(by, numbers[TURNS + k])) <= ALIKE
            if not known:
                numbers[TURNS + count] = by
                count += 1
    return count


@kernel
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
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > LENGTH * LENGTH:
                    break
                last -= 1
            points[2 * last], points[2 * last + 1] = x, y
            last += 1
        last -= 1
    return last - count


@kernel
def _kept(
    x: float, y: float, goal: int, found: int, bar: float, space: MotionSpace, room: MotionRoom
) -> int:
    """Keep the pose of the other row, shifted to a place, among those found, in the order of the
    ways by them, if it is one of the best; gives how many are then kept."""
    poses, numbers = room.poses, room.numbers
    s, g = POSE * START, POSE * goal
    way = length_of(x - poses[s], y - poses[s + 1]) + length_of(poses[g] - x, poses[g + 1] - y)
    inset = 0.5 * min(numbers[0], numbers[1])
    if way > bar or not disc_inside(x, y, inset, space):
        return found
    row, most = found, goal - START - 1
    while row > 0 and numbers[ROWS + ROW * row + 8] > way:
        row -= 1
    if row == most:
        return found
    found = min(found + 1, most)
    for n in range(found, row + 1, -1):
        numbers[ROWS + ROW * n + 8] = numbers[ROWS + ROW * (n - 1) + 8]
        copy_poses(poses, START + n - 1, START + n, 1)
    numbers[ROWS + ROW * (row + 1) + 8] = way
    dx, dy = x - poses[POSE], y - poses[POSE + 1]
    lay_moved(poses, OTHER, dx, dy, 0.0, START + row + 1, numbers)
    return found


@kernel
def poses_beside(goal: int, bar: float, space: MotionSpace, room: MotionRoom) -> int:
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
        if length_of(x - mx, y - my) > 0.5 * bar:
            continue
        for f in range(_facings(region, goal, space, poses, numbers)):
            lay_moved(poses, START, 0.0, 0.0, numbers[TURNS + f], OTHER, numbers)
            for m in range(space.firsts[region], space.firsts[region + 1]):
                points = _touching(space.order[m], space.parts, poses, room.hull)
                for k in range(points, points + _hull(room.hull, points)):
                    x, y = room.hull[2 * k], room.hull[2 * k + 1]
                    found = _kept(x, y, goal, found, bar, space, room)
    return found
