"""Kernels: shortest paths of a disc on true arcs, by a lazy search over tangents.

The centre of the disc moves as a point among circles: about the ends and convex corners of edges,
about discs, each grown by the disc's radius. A shortest path is made of common tangents of these
circles and of their free arcs. The search takes up states (arc, sense, angle) by length so far and
a lower bound to go; the straight leg to a state is tested only when the state is taken up.

Method: the tangent graph of discs and polygons (Liu and Arimoto 1992), made as far as A* (Hart,
Nilsson and Raphael 1968) asks for it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.discs.board import Circles, FreeSpace
from tapeline.geometry.discs.clearance_grid import leg_clear
from tapeline.geometry.discs.free_border import free_arcs
from tapeline.geometry.discs.priority_queue import INDEX, pop, push

__all__ = [
    "LINK",
    "LOOK",
    "NODE",
    "TIE",
    "TURN",
    "WEDGE",
    "Goals",
    "Search",
    "SearchSpace",
    "bound",
    "last_leg",
    "search",
    "tangent_cost",
]

_TAU = 2.0 * math.pi
#: Angle, radians: what two computations of the same tangent may differ by.
TURN = 1e-9
#: Length, table units: routes closer than this tie.
TIE = 1e-9
#: Arrivals of equal length kept on one arc in one sense: ties beyond are not told.
_EQUAL = 3
#: Floats of a node: length, angle, leg px, py, qx, qy, angle left at, place on the arc. One more
#: each holds the queue.
NODE = 8
#: Whole numbers of a node: circle, sense, slot, parent, goal, next. One more each holds the queue.
LINK = 6
#: Floats of a circle near by, in scratch.
LOOK = 3
#: Floats of what is kept of a free arc, in scratch: from, to; middle as a unit vector; cosine of
#: half of it.
WEDGE = 5
#: Length, and angle: how much farther off than a fan of rays a circle is that they cannot meet.
_WIDE = 1e-6
#: Angle: how much wider than a free arc its wedge is at least, for a slack below 1e-8.
_SLIP = 2e-5
#: A tangent this short beside the distance of the circles' centres is taken by its angle.
_SHORT = 1e-3


class Goals(NamedTuple):
    """What a search leads to; empty for all states within its limit."""

    #: 6 floats each: kind (0 a point, 1 a circle from outside, 2 from inside), x, y, radius, and
    #: first and last of the intervals of `shut` that are its own.
    rows: list[float]
    #: Angles from, to, between which a circle may not be met.
    shut: Floats
    #: How many rows, the first ones, bound the way to any goal.
    first: int


class Search(NamedTuple):
    """A search: the ground, the circles that the disc may run round, what is sought, its arrays."""

    free: FreeSpace
    circles: Circles
    goals: Goals
    space: SearchSpace


class SearchSpace(NamedTuple):
    """Arrays that a search writes to; from one to the next only wedges stay, which are checked."""

    #: Number of each circle near by.
    candidates: list[int]
    #: Last node on each arc in each sense: 2 * room a circle near by.
    heads: list[int]
    #: Scratch, one a circle near by.
    some: list[int]
    #: LOOK floats a circle near by; from the end on WEDGE floats an arc of any circle.
    looks: list[float]
    #: NODE floats a node, then the queue's estimates.
    nodes: list[float]
    #: LINK whole numbers a node, then the queue's nodes.
    links: list[int]
    #: The nodes that reached a goal (without goals: all taken up).
    found: list[int]
    #: 0 found, 1 whether the limit cut anything off, 2 nodes made, 3 nodes taken up, 4 segments
    #: tested, 5 circles looked at.
    told: list[int]
    #: Scratch for what meets one circle.
    spans: list[float]


@kernel
def _open(angle: float, U: Floats, lo: int, hi: int) -> bool:
    """Whether an angle is in none of the shut intervals U[2 * lo:2 * hi]; their ends are open."""
    for i in range(lo, hi):
        t = (angle - U[2 * i]) % _TAU
        if TURN < t < U[2 * i + 1] - U[2 * i] - TURN:
            return False
    return True


@kernel
def bound(G: Floats, first: int, x: float, y: float) -> float:
    """Least straight way from a point to any of the first goals."""
    best = math.inf
    for i in range(first):
        dx, dy = G[6 * i + 1] - x, G[6 * i + 2] - y
        d = math.sqrt(dx * dx + dy * dy)
        if G[6 * i] == 1.0:
            d -= G[6 * i + 3]
        elif G[6 * i] == 2.0:
            d = G[6 * i + 3] - d
        if d < best:
            best = d
    return best if best > 0.0 else 0.0


@kernel
def last_leg(
    cx: float,
    cy: float,
    radius: float,
    sense: int,
    start: bool,
    G: Floats,
    i: int,
    U: Floats,
    slack: float = 0.0,
) -> tuple[bool, float, float, float]:
    """The way from a circle, run round in a sense, straight to goal i.

    Gives whether there is one, the angle at which the circle is left, and where the goal is met.
    A start is a circle of radius 0.
    """
    kind, gx, gy, gr = G[6 * i], G[6 * i + 1], G[6 * i + 2], G[6 * i + 3]
    lo, hi = int(G[6 * i + 4]), int(G[6 * i + 5])
    dx, dy = gx - cx, gy - cy
    d = math.sqrt(dx * dx + dy * dy)
    towards = math.atan2(dy, dx)
    point = start or radius == 0.0
    if not point and d < radius - TURN - 2.0 * slack:
        return False, 0.0, 0.0, 0.0
    # Outward the last leg runs along a line through the goal's centre, away from it.
    leave, turn = (towards + math.pi, sense) if kind == 2.0 else (towards, -sense)
    if not point:
        leave = towards + turn * math.acos(min(1.0, radius / d))
    if kind == 0.0:
        return True, leave, gx, gy
    px, py = cx, cy
    if not point:
        px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
    elif kind == 1.0 and d <= gr + TIE:
        return _open(towards + math.pi, U, lo, hi), towards, cx, cy
    if kind == 1.0:
        ux, uy = gx - px, gy - py
        length = math.sqrt(ux * ux + uy * uy)
        if length < gr - TIE or length == 0.0 or not _open(math.atan2(-uy, -ux), U, lo, hi):
            return False, 0.0, 0.0, 0.0
        k = max(0.0, length - gr) / length
        return True, leave, px + k * ux, py + k * uy
    ux, uy = px - gx, py - gy
    length = math.sqrt(ux * ux + uy * uy)
    if length > gr + TIE:
        return False, 0.0, 0.0, 0.0
    if length < 1e-12:
        if point:
            # From the centre every way out is as long: the first open angle.
            leave = 0.0
            if not _open(leave, U, lo, hi):
                leave = U[2 * lo]
                for k in range(lo, hi):
                    if _open(U[2 * k], U, lo, hi):
                        leave = U[2 * k]
                        break
            ux, uy = math.cos(leave), math.sin(leave)
        else:
            ux, uy = -sense * math.sin(leave), sense * math.cos(leave)
        length = 1.0
    if not _open(math.atan2(uy, ux), U, lo, hi):
        return False, 0.0, 0.0, 0.0
    k = gr / length
    return True, leave, gx + k * ux, gy + k * uy


@kernel
def _turn(t: float) -> float:
    """t % tau, without a remainder where t is less than a turn off."""
    if t < 0.0:
        t += _TAU
        if t >= 0.0:
            return t
    elif t < _TAU:
        return t
    return t % _TAU


@kernel
def _round(sense: int, leave: float, angle: float, radius: float, ahead: float) -> float:
    """Angle to turn from where a circle is met to where it is left; -1 past the end of the arc."""
    t = _turn(sense * (leave - angle))
    if t > _TAU - TURN:
        return 0.0
    if radius == 0.0:
        return 0.0 if t <= math.pi + TURN else -1.0
    return t if t <= ahead + TURN else -1.0


@kernel
def _wedge(begin: float, end: float, X: list[float], w: int) -> None:
    """Write a free arc to X[w:]: from, to; its middle, and the cosine of half of it."""
    half = 0.5 * (end - begin) + _SLIP
    X[w], X[w + 1] = begin, end
    X[w + 2], X[w + 3] = math.cos(0.5 * (begin + end)), math.sin(0.5 * (begin + end))
    X[w + 4] = math.cos(half) if half < math.pi else -2.0


@kernel
def search(sx: float, sy: float, limit: float, asked: Search) -> int:
    """All shortest routes to the goals not longer than limit; without goals, all states within it.

    (sx, sy): the start, where the disc may stand. Unknown arcs of circles are filled in. Gives 0,
    or what ran out: 1 nodes, 2 arcs of a circle, 3 scratch.
    """
    free, slack = asked.free, asked.free.slack
    C, N, A, room = asked.circles
    G, U, first = asked.goals
    cand, head, some, X, F, K, found, told, L = asked.space
    goals = len(G) // 6
    room_nodes = len(K) // (LINK + 1)
    told[0] = told[1] = told[2] = told[3] = told[4] = 0
    near = 0
    # All within the limit lies in a square about the start; for one point, about the middle.
    mx, my, half = sx, sy, limit + TIE
    if goals == 1 and G[0] == 0.0:
        mx, my, half = 0.5 * (sx + G[1]), 0.5 * (sy + G[2]), 0.5 * half
    for i in range(len(N)):
        if N[i] == 0:
            continue
        x, y, g = C[3 * i], C[3 * i + 1], C[3 * i + 2]
        if abs(x - mx) > half + g or abs(y - my) > half + g:
            told[1] = 1
            continue
        dx, dy = x - sx, y - sy
        # No point of the circle is nearer to the start, or to a goal, than its centre less g.
        low = math.sqrt(dx * dx + dy * dy) - g
        if low < 0.0:
            low = 0.0
        if goals:
            b = bound(G, first, x, y) - g
            if b > 0.0:
                low += b
        if low <= limit + TIE:
            cand[near] = i
            X[3 * near], X[3 * near + 1], X[3 * near + 2] = x, y, g
            near += 1
        else:
            told[1] = 1
    told[5] = near
    # Wedges lie at the end of X, the last circle's first: each stays in its place whatever else is
    # asked, and is good as long as it is of the arc that it is asked for.
    arcs, ends = room & INDEX, len(X)
    exact = slack < 1e-8
    for i in range(near * 2 * room):
        head[i] = -1
    F[0] = F[1] = 0.0
    F[2] = F[4] = sx
    F[3] = F[5] = sy
    F[6] = F[7] = 0.0
    K[0] = K[1] = K[2] = K[3] = K[4] = K[5] = -1
    made = 1
    told[2] = 1
    # The queue lies behind the nodes.
    queue, order = NODE * (room_nodes & INDEX), LINK * (room_nodes & INDEX)
    size = push(F, K, queue, order, 0, 0.0, 0)
    best = limit
    while size > 0:
        estimate, node = F[queue], K[order] & INDEX
        if estimate > best + TIE:
            break
        size = pop(F, K, queue, order, size)
        f = NODE * node
        px, py, qx, qy = F[f + 2], F[f + 3], F[f + 4], F[f + 5]
        if node > 0:
            told[4] += 1
            if not leg_clear(px, py, qx, qy, 0.0, free):
                continue
        cost = F[f]
        if K[6 * node + 4] >= 0:
            if cost < best:
                best = cost
            if told[0] < len(found):
                found[told[0]] = node
                told[0] += 1
            continue
        here = K[6 * node]
        sense = K[6 * node + 1]
        start = here < 0
        cx, cy, radius, angle, ahead = sx, sy, 0.0, 0.0, _TAU
        ax, ay = 1.0, 0.0
        if not start:
            here &= INDEX
            slot = K[6 * node + 2] & INDEX
            i = cand[here] & INDEX
            cx, cy, radius, angle = C[3 * i], C[3 * i + 1], C[3 * i + 2], F[f + 1]
            begin, end = A[2 * (arcs * i + (slot >> 1))], A[2 * (arcs * i + (slot >> 1)) + 1]
            whole = end - begin >= _TAU - TURN
            place = F[f + 7]
            # Is there an earlier arrival that leads here at no more cost?
            equal = 0
            worse = False
            last = 2 * arcs * here + slot
            other = head[last]
            while other >= 0:
                other &= INDEX
                turned = place - F[NODE * other + 7]
                if whole and turned < -TURN:
                    turned += _TAU
                if radius == 0.0:
                    # A corner: what counts is the way it was met, so only repeats are dropped.
                    turned = (sense * (angle - F[NODE * other + 1])) % _TAU
                    turned = 0.0 if turned < TURN or turned > _TAU - TURN else -1.0
                if turned >= -TURN:
                    there = F[NODE * other] + radius * max(0.0, turned)
                    if there < cost - TIE:
                        worse = True
                        break
                    if there <= cost + TIE:
                        equal += 1
                other = K[6 * other + 5]
            if worse or equal >= _EQUAL:
                continue
            K[6 * node + 5] = head[last]
            head[last] = node
            if not whole:
                ahead = max(0.0, end - begin - place)
            if radius > _SHORT:
                ax, ay = (qx - cx) / radius, (qy - cy) / radius
            else:
                ax, ay = math.cos(angle), math.sin(angle)
        told[3] += 1
        if not goals and told[0] < len(found):
            found[told[0]] = node
            told[0] += 1
        for g in range(goals):
            ok, leave, qx, qy = last_leg(cx, cy, radius, sense, start, G, g, U, slack)
            if not ok:
                continue
            turned = 0.0
            if not start:
                # A corner is left in a direction, a circle at an angle.
                around = leave if radius > 0.0 else leave - 0.5 * math.pi * sense
                turned = _round(sense, around, angle, radius, ahead)
            if turned < 0.0:
                continue
            px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
            dx, dy = qx - px, qy - py
            c = cost + radius * turned + math.sqrt(dx * dx + dy * dy)
            if c > best + TIE:
                if c > limit + TIE:
                    told[1] = 1
                continue
            if made == room_nodes:
                return 1
            f = NODE * made
            F[f], F[f + 1], F[f + 2], F[f + 3] = c, 0.0, px, py
            F[f + 4], F[f + 5], F[f + 6], F[f + 7] = qx, qy, leave, 0.0
            k = 6 * made
            K[k], K[k + 1], K[k + 2], K[k + 3], K[k + 4], K[k + 5] = -2, 0, -1, node, g, -1
            size = push(F, K, queue, order, size, c, made)
            made += 1
            told[2] = made
        # All rays from the arc are on the inner side of the first, and of the last as far as it is
        # turned: circles elsewhere need no closer look.
        most = math.pi if radius == 0.0 else ahead
        if goals == 0 and radius * most > limit - cost:
            most = (limit - cost) / radius
        fan = not start and most <= math.pi
        around = float(sense)
        bx, by, inner = 1.0, 0.0, 0.0
        if fan:
            bx, by = math.cos(most), around * math.sin(most)
            inner = radius * bx - _WIDE - 4.0 * slack
            bx, by = ax * bx - ay * by, ay * bx + ax * by
        outer = radius + _WIDE + 4.0 * slack
        behind = -_WIDE if most <= 0.5 * math.pi else -math.inf
        beyond = -_WIDE if fan else -math.inf
        # First without a branch: what is within reach, and of that what the fan meets.
        left = best + TIE - cost + radius
        looked = 0
        for j in range(near):
            dx, dy, r2 = X[3 * j] - cx, X[3 * j + 1] - cy, X[3 * j + 2]
            reach = left + r2
            some[looked] = j
            looked += 1 if dx * dx + dy * dy <= reach * reach else 0
        if looked < near:
            told[1] = 1
        if fan:
            kept = 0
            for k in range(looked):
                j = some[k] & INDEX
                dx, dy, r2 = X[3 * j] - cx, X[3 * j + 1] - cy, X[3 * j + 2]
                beside = (
                    (dx * ax + dy * ay - r2 > outer)
                    | (dx * bx + dy * by + r2 < inner)
                    | (around * (dy * ax - dx * ay) + r2 < behind)
                )
                some[kept] = j
                kept += 0 if beside else 1
            looked = kept
        for at in range(looked):
            j = some[at] & INDEX
            if j == here:
                continue
            i = cand[j] & INDEX
            x2, y2, r2 = X[3 * j], X[3 * j + 1], X[3 * j + 2]
            dx, dy = x2 - cx, y2 - cy
            d2 = dx * dx + dy * dy
            if d2 == 0.0:
                continue
            d = math.sqrt(d2)
            # Whatever the turn, a tangent and the straight way on from its circle take that much:
            # too long needs no angles. Only once it is known that something was cut off, as that
            # is told of tangents alone that are there.
            known = told[1] == 1
            allowed = best - cost + _WIDE if known else math.inf
            if goals and known:
                b = bound(G, first, x2, y2) - r2
                if b > 0.0:
                    allowed -= b
            # Nor does one that ends off the free arcs of its circle, once these are known.
            known_arcs = N[i]
            skim = exact and known_arcs >= 0 and (goals == 0 or known)
            w = (ends - WEDGE * arcs * (i + 1)) & INDEX
            if skim:
                for a in range(known_arcs):
                    k = 2 * (arcs * i + a)
                    if X[w + WEDGE * a] != A[k] or X[w + WEDGE * a + 1] != A[k + 1]:
                        _wedge(A[k], A[k + 1], X, w + WEDGE * a)
            towards = math.inf
            for turning in range(2):
                # The sense on this circle (a start has both), and on the next.
                s1, s2 = sense, -sense if turning else sense
                if start:
                    s1 = s2 = 1 - 2 * turning
                side = 1.0 if s1 == s2 else -1.0
                q = radius - side * r2
                if d < abs(q) - TURN - 2.0 * slack:
                    continue
                v = (d - q) * (d + q)
                straight = math.sqrt(v) if v > 0.0 else 0.0
                if straight > _SHORT * d:
                    # The tangent's direction, times d2: most need no angle to be ruled out, as they
                    # begin off this arc or end off the free arcs of the other.
                    f1 = float(s1)
                    ux, uy = q * dx + f1 * straight * dy, q * dy - f1 * straight * dx
                    if exact:
                        out = (
                            (straight > allowed)
                            | (f1 * (ax * uy - ay * ux) < beyond * d2)
                            | (f1 * (ux * by - uy * bx) < beyond * d2)
                        )
                        if skim:
                            met_free = False
                            for a in range(known_arcs):
                                k = w + WEDGE * a
                                met_free = met_free | (
                                    side * (ux * X[k + 2] + uy * X[k + 3]) >= X[k + 4] * d2
                                )
                            out = out | (not met_free)
                        if out:
                            continue
                    leave = math.atan2(uy, ux)
                    ux, uy = ux / d2, uy / d2
                else:
                    if towards == math.inf:
                        towards = math.atan2(dy, dx)
                    leave = towards - s1 * math.acos(max(-1.0, min(1.0, q / d)))
                    ux, uy = math.cos(leave), math.sin(leave)
                turned = 0.0 if start else _round(s1, leave, angle, radius, ahead)
                if turned < 0.0:
                    continue
                c = cost + radius * turned + straight
                if c > best + TIE:
                    told[1] = 1
                    continue
                met = leave if s1 == s2 else leave + math.pi
                qx, qy = x2 + side * r2 * ux, y2 + side * r2 * uy
                estimate = c
                if goals:
                    estimate += bound(G, first, qx, qy)
                    if estimate > best + TIE:
                        told[1] = 1
                        continue
                if N[i] < 0:
                    n = free_arcs(x2, y2, r2, A, 2 * room * i, room, L, free)
                    if n < 0:
                        return 2 if n == -1 else 3
                    N[i] = n
                slip = TURN + slack / max(r2, 1e-3)
                for a in range(N[i]):
                    begin = A[2 * (arcs * i + a)]
                    width = A[2 * (arcs * i + a) + 1] - begin
                    t = _turn(met - begin)
                    if t > width:
                        if t >= _TAU - slip:
                            t = 0.0
                        elif t <= width + slip:
                            t = width
                        else:
                            continue
                    place = t if s2 > 0 else width - t
                    slot = 2 * a + (1 if s2 > 0 else 0)
                    whole = width >= _TAU - TURN
                    worse = False
                    other = head[2 * arcs * j + slot]
                    while other >= 0 and r2 > 0.0:
                        other &= INDEX
                        turned = place - F[NODE * other + 7]
                        if whole and turned < -TURN:
                            turned += _TAU
                        if turned >= -TURN and F[NODE * other] + r2 * max(0.0, turned) < c - TIE:
                            worse = True
                            break
                        other = K[6 * other + 5]
                    if not worse:
                        if made == room_nodes:
                            return 1
                        f = NODE * made
                        F[f], F[f + 1] = c, _turn(met)
                        F[f + 2], F[f + 3] = cx + radius * ux, cy + radius * uy
                        F[f + 4], F[f + 5], F[f + 6], F[f + 7] = qx, qy, leave, place
                        n = 6 * made
                        K[n], K[n + 1], K[n + 2] = j, s2, slot
                        K[n + 3], K[n + 4], K[n + 5] = node, -1, -1
                        size = push(F, K, queue, order, size, estimate, made)
                        made += 1
                        told[2] = made
                    break
    return 0


@entry()
def tangent_cost(
    x: float,
    y: float,
    cx: float,
    cy: float,
    radius: float,
    sense: int,
    angle: float,
    ahead: float,
    cost: float,
    slack: float = 0.0,
) -> float:
    """Length to a point by way of an arc taken up at an angle; infinity if no tangent leads there.

    sense 0: the start, where radius is 0.
    """
    dx, dy = x - cx, y - cy
    d2 = dx * dx + dy * dy
    d = math.sqrt(d2)
    if sense == 0:
        return cost + d
    if d < radius - TURN - 2.0 * slack:
        return math.inf
    towards = math.atan2(dy, dx)
    q = 0.0 if radius == 0.0 else math.acos(min(1.0, radius / d))
    leave = towards - sense * (q if radius > 0.0 else 0.5 * math.pi)
    turned = _round(sense, leave, angle, radius, ahead)
    if turned < 0.0:
        return math.inf
    v = (d - radius) * (d + radius)
    return cost + radius * turned + (math.sqrt(v) if v > 0.0 else 0.0)
