"""Kernels: ways of a rectangle among parts, tried as given or searched best-first (A*).

Shapes of legs, poses and room: `motion_legs.py`.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.discs.priority_queue import pop, push
from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.rectangles.impact_batch import Contacts, Motions
from tapeline.geometry.rectangles.motion_candidates import poses_beside
from tapeline.geometry.rectangles.motion_legs import (
    ADDED,
    COST,
    FREE,
    NEXT,
    NODE,
    NODES,
    OTHER,
    POSE,
    ROW,
    ROWS,
    SLIDE,
    START,
    TURN,
    WAY,
    MotionLimits,
    MotionRoom,
    MotionSpace,
    add_straight,
    add_way,
    contacts,
    copy_poses,
    lay_moved,
    lay_pose,
    lay_sums,
    length_of,
    may_stand,
    most_of,
    put_leg,
    turn_between,
    way_clear,
)

__all__ = ["motions"]

#: Ways from a pose to a pose that are looked at before any detour.
_DIRECT = 16


@kernel
def _way(poses: Floats, i: int, j: int, option: int, legs: list[float], k: int) -> int:
    """Lay at row k the legs of a way from a pose to a pose, those likely to be cheap first.

    Gives how many, -1 where there are no more ways. Options 0 to 2 turn by the smaller angle.
    """
    p, q = POSE * i, POSE * j
    dx, dy = poses[q] - poses[p], poses[q + 1] - poses[p + 1]
    by = turn_between(poses[p + 2], poses[q + 2])
    still = length_of(dx, dy) <= ROUNDING
    if by == 0.0:
        if option > 0:
            return -1
        put_leg(legs, k, SLIDE, dx, dy, 0.0)
        return 0 if still else 1
    per = 1 if still else 3
    if option < 2 * per:
        by -= 0.0 if option < per else math.copysign(2.0 * math.pi, by)
        if still or option % 3 == 1:
            put_leg(legs, k, TURN, poses[p], poses[p + 1], by)
            put_leg(legs, k + 1, SLIDE, dx, dy, 0.0)
            return 1 if still else 2
        if option % 3 == 0:
            put_leg(legs, k, FREE, dx, dy, by)
            return 1
        put_leg(legs, k, SLIDE, dx, dy, 0.0)
        put_leg(legs, k + 1, TURN, poses[q], poses[q + 1], by)
        return 2
    option -= 2 * per
    half = 0.5 * by
    if not still and option == 0:
        put_leg(legs, k, TURN, poses[p], poses[p + 1], half)
        put_leg(legs, k + 1, SLIDE, dx, dy, 0.0)
        put_leg(legs, k + 2, TURN, poses[q], poses[q + 1], half)
        return 3
    if not still and option == 1:
        # One turn does it about the point that both poses see alike.
        f = 0.5 / math.tan(half)
        put_leg(legs, k, TURN, poses[p] + 0.5 * dx - f * dy, poses[p + 1] + 0.5 * dy + f * dx, by)
        return 1
    option -= 0 if still else 2
    if option >= 8:
        return -1
    c = 5 + 2 * (option // 2)
    turn = option % 2
    px, py, qx, qy = poses[p + c], poses[p + c + 1], poses[q + c], poses[q + c + 1]
    put_leg(legs, k + turn, TURN, px if turn == 0 else qx, py if turn == 0 else qy, by)
    put_leg(legs, k + 1 - turn, SLIDE, qx - px, qy - py, 0.0)
    return 2


@kernel
def _narrow(poses: Floats, i: int, j: int, option: int) -> bool:
    """Whether the search looks at a way between poses: those that turn by the smaller angle."""
    p, q = POSE * i, POSE * j
    still = length_of(poses[q] - poses[p], poses[q + 1] - poses[p + 1]) <= ROUNDING
    return option < (1 if still else 3)


@kernel
def _direct(goal: int, limits: MotionLimits, space: MotionSpace, room: MotionRoom) -> float:
    """The cheapest direct way that is clear, at the front of `room.legs`; what the cheapest of all
    costs at COST, which way it is in `whole[2]`. Gives its cost, infinite if there is none."""
    poses, numbers, legs = room.poses, room.numbers, room.legs
    room.whole[2] = ways = 0
    for option in range(_DIRECT):
        count = _way(poses, START, goal, option, legs, 0)
        if count < 0:
            break
        lay_sums(numbers, ADDED, -1)
        add_way(START, legs, 0, count, limits.followed, room)
        numbers[COST + 1 + ways] = most_of(numbers)
        ways += 1
        # Straight, none can be cheaper than the first.
        if option == 0 and not limits.followed:
            numbers[COST] = numbers[COST + 1]
            if way_clear(START, legs, 0, count, space, room):
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
        if way_clear(START, legs, 0, count, space, room):
            room.whole[2] = best
            return cost
    return math.inf


@kernel
def _spread(at: int, goal: int, size: int, bar: float, room: MotionRoom) -> int:
    """Queue the ways from a row to all that are not reached yet; gives how many are queued.

    Straight ways from here are the least that any legs measure.
    """
    numbers = room.numbers
    for k in range(1, goal + 1):
        if room.whole[NODES + NODE * k + 2] == 3:
            continue
        lay_sums(numbers, ADDED, ROWS + ROW * at)
        add_straight(room.poses, START + at, START + k, numbers, ADDED)
        for c in range(4):
            numbers[ADDED + c] += numbers[ROWS + ROW * k + 4 + c]
        if most_of(numbers) <= bar + LENGTH:
            size = _queued((at * (goal + 1) + k) * 4, most_of(numbers), size, room)
    return size


@kernel
def _queued(entry: int, estimate: float, size: int, room: MotionRoom) -> int:
    number = room.whole[3]
    room.entries[number] = entry
    room.whole[3] = number + 1
    return push(room.estimates, room.queue, 0, 0, size, estimate, number)


@kernel
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
        lay_sums(numbers, ROWS + ROW * k, -1)
        lay_sums(numbers, ROWS + ROW * k + 4, -1)
        add_straight(poses, START + k, START + goal, numbers, ROWS + ROW * k + 4)
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
            whole[node + 2] = 1 if may_stand(START + to, space, room) else 2
        if whole[node + 2] != 1 or not _narrow(poses, START + at, START + to, option):
            continue
        count = _way(poses, START + at, START + to, option, legs, 0)
        if count < 0:
            continue
        lay_sums(numbers, ADDED, ROWS + ROW * at)
        add_way(START + at, legs, 0, count, limits.followed, room)
        least = -math.inf
        for c in range(4):
            least = max(least, numbers[ADDED + c] + numbers[ROWS + ROW * to + 4 + c])
        if least > bar + LENGTH:
            continue
        if least > estimate + LENGTH:
            size = _queued(entry, least, size, room)
            continue
        work -= 1
        if not way_clear(START + at, legs, 0, count, space, room):
            size = _queued(entry + 1, estimate, size, room)
            continue
        whole[node], whole[node + 1], whole[node + 2] = at, option, 3
        lay_sums(numbers, ROWS + ROW * to, ADDED)
        if to == goal:
            return most_of(numbers)
        size = _spread(to, goal, size, bar, room)
    return math.inf


@kernel
def _laid_out(goal: int, bends: int, room: MotionRoom) -> int:
    """Lay the poses of the chain found in rows from `bends` on, and by which way each is reached;
    gives how many there are after the start."""
    last, k = 0, goal
    while k > 0:
        last += 1
        k = room.whole[NODES + NODE * k]
    row, k = last, goal
    while row > 0:
        copy_poses(room.poses, START + k, bends + row, 1)
        room.numbers[ROWS + ROW * row + 8] = float(room.whole[NODES + NODE * k + 1])
        row, k = row - 1, room.whole[NODES + NODE * k]
    copy_poses(room.poses, START, bends, 1)
    return last


@kernel
def _through(
    first: int, last: int, followed: bool, below: float, space: MotionSpace, room: MotionRoom
) -> float:
    """Cost of the way through the poses from row to row, free where they turn; infinite unless it
    is clear and cheaper than `below`."""
    poses, legs, numbers = room.poses, room.legs, room.numbers
    lay_sums(numbers, ADDED, -1)
    for k in range(first, last):
        count = _way(poses, k, k + 1, 0, legs, 0)
        add_way(k, legs, 0, count, followed, room)
    cost = most_of(numbers)
    if cost >= below:
        return math.inf
    for k in range(first, last):
        count = _way(poses, k, k + 1, 0, legs, 0)
        if not way_clear(k, legs, 0, count, space, room):
            return math.inf
    return cost


@kernel
def _tried(
    bends: int, tried: int, last: int, trial: int, step: float, poses: list[float], size: Floats
) -> int:
    """Lay the bends in other rows, one of them left out, turned (two ways) or moved (eight); gives
    how many rows there are after the first."""
    k = 1 + trial // 11
    trial %= 11
    copy_poses(poses, bends, tried, k)
    if trial == 0:
        copy_poses(poses, bends + k + 1, tried + k, last - k)
        return last - 1
    copy_poses(poses, bends + k, tried + k, last - k + 1)
    by, dx, dy = 0.0, 0.0, 0.0
    if trial < 3:
        by = step / size[2] if trial == 1 else -step / size[2]
    else:
        angle = (trial - 3) * math.pi / 4.0
        dx, dy = step * math.cos(angle), step * math.sin(angle)
    lay_moved(poses, bends + k, dx, dy, by, tried + k, size)
    return last


@kernel
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
                copy_poses(poses, tried, bends, last + 1)
                for k in range(1, last + 1):
                    numbers[ROWS + ROW * k + 8] = 0.0
                break
        if not better:
            step *= 0.5
    numbers[COST] = cost
    return last


@kernel
def _found_round(
    goal: int, cost: float, limits: MotionLimits, space: MotionSpace, room: MotionRoom
) -> int:
    """Legs of a way round things that is cheaper than that; how many, -1 if none is found."""
    poses, numbers, legs = room.poses, room.numbers, room.legs
    bar = min(limits.cost, cost - LENGTH)
    last = 1 + poses_beside(goal, bar, space, room)
    copy_poses(poses, goal, START + last, 1)
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
def _first_clear(
    goal: Floats, given: Floats, limits: MotionLimits, space: MotionSpace, room: MotionRoom
) -> int:
    """Which of the ways given is the first that is clear and costs no more than the limit; how many
    there are if none is, -1 if there is no room at the goal."""
    poses, numbers, count = room.poses, room.numbers, len(given) // 4
    if len(goal) > 0:
        lay_pose(poses, OTHER, (goal[0], goal[1], goal[2], goal[3], goal[4]), numbers)
        if not may_stand(OTHER, space, room):
            return -1
    way, k = 0, 0
    while k < count:
        first = k = k + 1
        while k < count and int(given[4 * k]) != NEXT:
            k += 1
        lay_sums(numbers, ADDED, -1)
        add_way(START, given, first, k - first, limits.followed, room)
        far = most_of(numbers) > limits.cost
        if not far and way_clear(START, given, first, k - first, space, room):
            return way
        way += 1
    return way


@kernel
def find_way(
    start: Floats,
    goal: Floats,
    given: Floats,
    limits: MotionLimits,
    space: MotionSpace,
    room: MotionRoom,
) -> int:
    """Legs from a pose to a pose: x, y, facing and the unit vector along it.

    given: ways that are only tried, see `_first_clear`; then the goal may be left out. Without any
    legs are searched for. Gives how many were found and lie in `room.legs`, their cost at COST; -1
    for none.
    """
    poses, numbers = room.poses, room.numbers
    lay_pose(poses, START, (start[0], start[1], start[2], start[3], start[4]), numbers)
    if len(given) > 0:
        return _first_clear(goal, given, limits, space, room)
    last = START + limits.most + 1
    lay_pose(poses, last, (goal[0], goal[1], goal[2], goal[3], goal[4]), numbers)
    if not may_stand(last, space, room):
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
def motions(
    kind: int,
    loops: Floats,
    where: Floats,
    amounts: Floats,
    limits: MotionLimits,
    space: MotionSpace,
    room: MotionRoom,
    at: list[float],
    part: list[int],
) -> int:
    """`contacts` of n motions of a kind, or `find_way` from a pose to a pose by ways given (WAY).

    One entry for both: who calls these kernels takes in all their code.
    """
    if kind == WAY:
        return find_way(loops, where, amounts, limits, space, room)
    leg = room.leg
    scratch = leg.critical if kind == FREE else leg.scratch
    asked = Motions(loops, where, amounts, space.slack)
    return contacts(kind, asked, space.parts, Contacts(scratch, at, part))
