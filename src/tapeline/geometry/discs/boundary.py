"""Kernels: the border of a reach, from its fronts and the border of free ground.

The border is made of two kinds of pieces. Fronts: where last legs end because the allowance does
(`wavefront_pieces.py`), where no other generator gets there sooner. And pieces of the border of
free ground, free arcs and sides, that are within reach. Along these the cost runs on without a
jump, so a piece changes from in reach to out of reach only where a front meets it: the fronts are
worked out first, free arcs and sides are cut where fronts end (`boundary_cells.py`), and each part
is in or out as the fronts at its ends say, or else as its middle is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import Floats, entry, kernel
from tapeline.geometry.discs.board import Circles, Clearance, FreeSpace, Sides
from tapeline.geometry.discs.boundary_cells import (
    ALONE,
    IN,
    OUT,
    PART,
    TABLE,
    UNTOLD,
    FrontEnds,
    Parts,
    chain_of,
    chains,
    cut,
    front_ends,
    told,
)
from tapeline.geometry.discs.dominance import GENERATOR, Place, Reaching, bury, spread_out, within
from tapeline.geometry.discs.free_border import free_spans
from tapeline.geometry.discs.occlusion import SAME, Things, laid_out, leave_twins, near_by, sort
from tapeline.geometry.discs.offset_sides import SIDE
from tapeline.geometry.discs.spans import Curve
from tapeline.geometry.discs.wavefront_pieces import Pieces, fronts, put_place
from tapeline.geometry.plane.searches import first_from

__all__ = ["GENERATOR", "FreeGround", "Room", "chained", "outline"]

_TAU = 2.0 * math.pi
#: Length: with less or more slack than this each part is asked alone.
_LEAST, _MOST = 1e-10, 1e-8


class Room(NamedTuple):
    """Arrays that `outline` writes to."""

    #: An int a generator.
    dead: list[int]
    #: GENERATOR floats a generator.
    live: list[float]
    #: Without sizes. One a circle or side in each, in `order` one a generator too.
    things: Things
    #: Where circles are near the start, then where sides are; one each.
    near: list[int]
    #: Scratch for spans of one curve or fan.
    spans: list[float]
    pieces: Pieces
    #: `FrontEnds.places`.
    ends: list[float]
    parts: Parts
    #: Corners of the rings x, y; where each begins, and the end; area of each.
    corners: list[float]
    rings: list[int]
    areas: list[float]


@kernel
def _round_arc(
    circle: Curve, begin: float, end: float, eps: float, P: list[float], points: int
) -> int:
    """Add the corners of an arc, its chords within eps."""
    cx, cy, radius = circle.x, circle.y, circle.radius
    count = int((end - begin) / min(0.8, math.sqrt(7.9 * eps / radius))) + 1
    step = (end - begin) / count
    turn_x, turn_y = math.cos(step), math.sin(step)
    x, y = radius * math.cos(begin), radius * math.sin(begin)
    for _ in range(count):
        points = put_place(P, points, cx + x, cy + y)
        x, y = x * turn_x - y * turn_y, x * turn_y + y * turn_x
    return put_place(P, points, cx + radius * math.cos(end), cy + radius * math.sin(end))


@kernel
def _leads(curve: Curve, inward: bool, begin: float, end: float, hint: int, reach: Reaching) -> int:
    """A generator that reaches the middle of a part, -1 if there is none.

    inward: whether the reach is inside the circle that the part is of.
    """
    middle = 0.5 * (begin + end)
    if curve.radius == 0.0:
        x, y, keep = curve.x + middle * curve.vx, curve.y + middle * curve.vy, reach.keep
        for k in range(0, len(keep), 5):
            dx, dy = x - keep[k], y - keep[k + 1]
            if dx * dx + dy * dy > keep[k + 2] * keep[k + 2]:
                return -1
        place = Place(x, y, 0.0, 0.0, 0.0, curve.vy, -curve.vx)
    else:
        mx, my = math.cos(middle), math.sin(middle)
        x, y = curve.x + curve.radius * mx, curve.y + curve.radius * my
        if inward:
            place = Place(x, y, curve.x, curve.y, 0.0, 0.0, 0.0)
        else:
            place = Place(x, y, curve.x, curve.y, curve.radius, mx, my)
    return within(place, hint, reach)


@kernel
def _added(
    curve: Curve, inward: bool, begin: float, end: float, eps: float, made: Pieces, pieces: int
) -> int:
    """Add a part to the pieces. Gives their count, -1 if arrays are too short."""
    P, starts, turned = made
    x, y, vx, vy, _, radius = curve
    points = starts[1 + pieces]
    if radius == 0.0:
        points = put_place(P, points, x + end * vx, y + end * vy)
        points = put_place(P, points, x + begin * vx, y + begin * vy)
    else:
        points = _round_arc(curve, begin, end, eps, P, points)
    if points < 0 or pieces + 4 > len(starts) or pieces >= len(turned):
        return -1
    turned[pieces] = 1 if radius > 0.0 and not inward else 0
    pieces += 1
    starts[1 + pieces] = points
    return pieces


class FreeGround(NamedTuple):
    """Where a disc may be, and the curves whose free parts are the border of that."""

    free: FreeSpace
    circles: Circles
    sides: Sides
    #: Free arcs of discs to stay in: x, y, radius, from, to.
    keep: list[float]


class BoundaryCurves(NamedTuple):
    """The curves whose free parts may be border of a reach, by number."""

    ground: FreeGround
    #: Where `rounds` circles are, then where sides are, `size` in all; -1 for none.
    near: list[int]
    rounds: int
    size: int


@kernel
def _curve(border: BoundaryCurves, number: int, inward: bool) -> Curve:
    """A circle or side, or (inward) the circle of an arc of discs to stay in."""
    if inward:
        U = border.ground.keep
        k = 5 * number
        return Curve(U[k], U[k + 1], 0.0, 0.0, _TAU, U[k + 2])
    h = border.near[number]
    if number < border.rounds:
        C = border.ground.circles.discs
        return Curve(C[h], C[h + 1], 0.0, 0.0, _TAU, C[h + 2])
    H = border.ground.sides.figures
    ax, ay = H[h], H[h + 1]
    vx, vy = H[h + 2] - ax, H[h + 3] - ay
    length = math.sqrt(vx * vx + vy * vy)
    return Curve(ax, ay, vx / length, vy / length, length, 0.0)


@kernel
def _all_cut(border: BoundaryCurves, inward: bool, ends: FrontEnds, parts: Parts) -> int:
    """Cut all free spans where fronts end: of circles and sides, or of discs to stay in (inward).

    Gives the count of parts or what is short, as `outline`.
    """
    n = 0
    free, circles, sides, keep = border.ground
    for at in range(len(keep) // 5 if inward else border.size):
        if not inward and border.near[at] < 0:
            continue
        curve = _curve(border, at, inward)
        if inward:
            spans = keep
            first, last = 5 * at + 3, 5 * at + 5
            if spans[first + 1] <= spans[first]:
                continue
        else:
            h = border.near[at]
            if at < border.rounds:
                i = h // 3
                _, counts, spans, room = circles
            else:
                i = h // SIDE
                _, counts, spans, room = sides
            first = 2 * room * i
            if counts[i] < 0:
                clear = Clearance(free.r, free.slack, free.board)
                k = free_spans(curve, spans, first, room, ends.cuts, clear)
                if k == -1:
                    return -2 if at < border.rounds else -4
                if k < 0:
                    return -3
                counts[i] = k
            last = first + 2 * counts[i]
        for a in range(first, last, 2):
            n = cut(curve, spans[a], spans[a + 1], at, ends, parts, n)
            if n < 0:
                return n
    return n


@kernel
def _cleared(joints: list[int]) -> None:
    """Forget all tips."""
    for i in range(TABLE):
        joints[i] = -1
    joints[TABLE] = 0


@entry()
def outline(
    allowance: float, eps: float, V: Floats, count: int, ground: FreeGround, room: Room
) -> int:
    """The border of a reach as rings with the reach on their left.

    V: `count` generators, the start first. Free arcs of circles and free pieces of sides are filled
    in. Gives how many rings, or what is too short: -1 arrays of `room`, -2 arcs of circles, -3
    spans, -4 pieces of sides.
    """
    sx, sy, (free, circles, sides, keep) = V[0], V[1], ground
    made, parts, near, X = room.pieces, room.parts, room.near, room.live
    slack, C, H = free.slack, circles.discs, sides.figures
    bury(V, count, room.dead)
    live = spread_out(V, count, room.dead, X)
    rounds, straight = near_by(sx, sy, allowance, C, H, near)
    things = laid_out(C, H, near, rounds, straight, slack, room.things)
    leave_twins(C, near, rounds, slack, things)
    reach = Reaching(allowance, free, X, live, things.order, keep)
    pieces = fronts(eps, reach, things, room.spans, made, room.ends)
    if pieces < 0:
        return pieces
    border = BoundaryCurves(ground, near, rounds, rounds + straight)
    size = front_ends(made, pieces, room.ends)
    hint = 0
    # First the circles to stay in: arcs and sides end where fronts do, and where those do.
    for stage in range(0 if len(keep) > 0 else 1, 2):
        inward = stage == 0
        if 2 * pieces + made.starts[0] > size:
            size = front_ends(made, pieces, room.ends)
        ends = FrontEnds(room.ends, size, sx, sy, allowance, slack, room.spans)
        _cleared(parts.joints)
        n = _all_cut(border, inward, ends, parts)
        if n < 0:
            return n
        alone = len(keep) > 0 or not _LEAST <= slack <= _MOST
        if not alone:
            chains(parts, n)
        for one in range(n):
            own = one if alone else chain_of(parts.rows, one)
            known = ALONE if alone else parts.rows[PART * own + 5]
            if known == OUT:
                continue
            curve = _curve(border, parts.rows[PART * one], inward)
            a, b = parts.spans[2 * one], parts.spans[2 * one + 1]
            if known != IN:
                found = _leads(curve, inward, a, b, hint, reach)
                if known == UNTOLD:
                    told(parts.rows, own, found >= 0)
                if found < 0:
                    continue
                hint = found
            pieces = _added(curve, inward, a, b, eps, made, pieces)
            if pieces < 0:
                return pieces
    return chained(pieces, eps, room)


@kernel
def chained(pieces: int, eps: float, room: Room) -> int:
    """Put pieces together to rings, each going on where the one before ends, as near as there is.

    Spoils `turned`. Gives the count of rings, -1 if corners or rings are too short.
    """
    (P, starts, turned), order, Y = room.pieces, room.things.order, room.ends
    out, rings, areas = room.corners, room.rings, room.areas
    found = 0
    rings[0] = 0
    # Beginnings in the order of x; y is infinite once a piece is taken.
    for j in range(pieces):
        c = 2 * (starts[1 + j] if turned[j] == 0 else starts[2 + j] - 1)
        order[j], Y[j] = j, P[c]
    sort(order, Y, pieces)
    for k in range(pieces):
        j = order[k]
        c = 2 * (starts[1 + j] if turned[j] == 0 else starts[2 + j] - 1)
        Y[pieces + k] = P[c + 1]
        order[pieces + j] = k
    for one in range(pieces):
        if turned[one] < 0:
            continue
        at = rings[found]
        o = at
        i = one
        while i >= 0:
            lo, hi = starts[1 + i], starts[2 + i]
            backwards = turned[i] == 1
            turned[i] = -1
            Y[pieces + order[pieces + i]] = math.inf
            if 2 * (o + hi - lo) > len(out):
                return -1
            for k in range(lo, hi):
                c = 2 * (lo + hi - 1 - k if backwards else k)
                x, y = P[c], P[c + 1]
                if o > at:
                    dx, dy = x - out[2 * o - 2], y - out[2 * o - 1]
                    if dx * dx + dy * dy < SAME * SAME:
                        continue
                out[2 * o], out[2 * o + 1] = x, y
                o += 1
            x, y = out[2 * o - 2], out[2 * o - 1]
            # A stray sliver ends by its own beginning, not at another one far away.
            dx, dy = out[2 * at] - x, out[2 * at + 1] - y
            best = dx * dx + dy * dy
            i = -1
            lo = first_from(Y, 1, 0, 0, pieces, x)
            for up in range(2):
                k = lo if up else lo - 1
                while 0 <= k < pieces:
                    dx, dy = Y[k] - x, Y[pieces + k] - y
                    if dx * dx > best:
                        break
                    d2 = dx * dx + dy * dy
                    # Of two as near the first; none is as near as the ring's own beginning.
                    if d2 < best or (d2 == best and 0 <= order[k] < i):
                        best, i = d2, order[k]
                    k += 1 if up else -1
        dx, dy = out[2 * at] - out[2 * o - 2], out[2 * at + 1] - out[2 * o - 1]
        if o - at > 1 and dx * dx + dy * dy < SAME * SAME:
            o -= 1
        # A ring thinner than eps is border on both sides: none of it is farther off than eps.
        area = around = 0.0
        px, py = out[2 * o - 2], out[2 * o - 1]
        for k in range(at, o):
            x, y = out[2 * k], out[2 * k + 1]
            area += px * y - x * py
            dx, dy = x - px, y - py
            around += math.sqrt(dx * dx + dy * dy)
            px, py = x, y
        if o - at > 2 and abs(area) > eps * around:
            if found + 2 > len(rings):
                return -1
            areas[found] = 0.5 * area
            found += 1
            rings[found] = o
    return found
