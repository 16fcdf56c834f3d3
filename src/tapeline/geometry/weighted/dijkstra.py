"""Kernels: what it costs from one start to everywhere within a limit, over ground of factors.

Nodes lie close together on all borders between factors; obstacles' arcs are kept whole. A state is
a node that was got to, or an arc taken up at an angle in a sense. States are taken up by cost;
straight legs over one factor lead from state to state, links along a border from node to node. A
border is crossed where it is by Snell's law, so of the legs from a node only those are tried that
keep to it but for the distance between nodes. Each cost is that of a way that can be gone; it is
too dear by the square of that distance.

    NF  floats  nodes, 11 each: x, y, along the border ux, uy (0, 0 at its ends), factor to its left
                and right, the least around, distance to the next node, bend of the border (above 0
                to the left), how far the border goes on behind and ahead
    NI  ints    nodes: curve; -1 where curves end; below that, a portal, alike on both its sides
    LI, LN, LC  links: where each node's begin (and the end), to which node, at what cost
    AP  floats  arcs, 6 each: x, y, radius, begin, sweep (> 0), factor
    AI  ints    arcs, 3 each: node at the begin, node at the end (-1 none), whether closed
    XL, AR, AQ, AF, AC, WT  as in `leg_cost`
"""

from __future__ import annotations

import math
from heapq import heappop, heappush

from tapeline.geometry.backends import entry, kernel, no_refcount
from tapeline.geometry.discs.clearance import (
    BOARD,
    Floats,
    Ints,
    segment_free,
)
from tapeline.geometry.weighted.leg_cost import _in_ring

__all__ = [
    "GROUND",
    "NEAR",
    "NET",
    "NODE",
    "SLIP",
    "SPREAD",
    "STATE",
    "TAU",
    "TIE",
    "borders_met",
    "ground_at",
    "leaves",
    "leg_over",
    "met_at",
    "spread",
]

TAU = 2.0 * math.pi
#: Floats of a node, of a state (cost, place on the arc, leg from px, py, met at angle, ahead).
NODE, STATE = 11, 6
#: Cost: gains smaller than this are rounding.
TIE = 1e-11
#: Length: crossings nearer to an end of a leg than this are none.
NEAR = 1e-9
#: Angle, radians: arcs met this near to their ends are met.
SLIP = 1e-7
#: How many distances between nodes a leg may be off Snell's law.
_OFF = 1.5

GROUND = (
    "float64[::1], float64[::1], int64[::1], int64[::1], float64[::1], float64[::1], "
    f"float64, float64, {BOARD}"
)
SPREAD = (
    "int64[::1], float64[::1], float64[::1], float64[::1], int64[::1], int64[::1], int64[::1], "
)
NET = "float64[::1], int64[::1], int64[::1], int64[::1], float64[::1], float64[::1], int64[::1], "


@kernel
@no_refcount
def ground_at(x: float, y: float, AR: Floats, AQ: Ints, AF: Ints, AC: Floats, WT: Floats) -> float:
    """The greatest factor of the areas round a point."""
    here = 0
    for k in range(len(AF)):
        if AF[k] > here and _in_ring(x, y, AR, AQ[k], AQ[k + 1]):
            here = AF[k]
    for k in range(0, len(AC), 4):
        ux, uy = x - AC[k], y - AC[k + 1]
        if AC[k + 3] > here and ux * ux + uy * uy < AC[k + 2] * AC[k + 2]:
            here = int(AC[k + 3])
    return WT[here]


@kernel
@no_refcount
def borders_met(
    px: float,
    py: float,
    qx: float,
    qy: float,
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
) -> int:
    """-1 if a leg crosses a border or passes a corner, 1 if it runs along a border, else 0."""
    along_border = False
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < NEAR:
        return 0
    ux, uy = dx / length, dy / length
    x0, x1 = (px, qx) if px < qx else (qx, px)
    y0, y1 = (py, qy) if py < qy else (qy, py)
    for k in range(0, len(XL), 5):
        if XL[k + 4] > 0.0:
            continue
        ax, ay, bx, by = XL[k], XL[k + 1], XL[k + 2], XL[k + 3]
        if max(ax, bx) < x0 - NEAR or min(ax, bx) > x1 + NEAR:
            continue
        if max(ay, by) < y0 - NEAR or min(ay, by) > y1 + NEAR:
            continue
        c1 = ux * (ay - py) - uy * (ax - px)
        c2 = ux * (by - py) - uy * (bx - px)
        if (c1 > NEAR and c2 > NEAR) or (c1 < -NEAR and c2 < -NEAR):
            continue
        vx, vy = bx - ax, by - ay
        e = math.sqrt(vx * vx + vy * vy)
        d1 = (vx * (py - ay) - vy * (px - ax)) / e
        d2 = (vx * (qy - ay) - vy * (qx - ax)) / e
        if (d1 > NEAR and d2 < -NEAR) or (d1 < -NEAR and d2 > NEAR):
            return -1
        if abs(d1) <= NEAR and abs(d2) <= NEAR:
            along_border = True
    for k in range(0, len(AC), 4):
        cx, cy, radius = AC[k] - px, AC[k + 1] - py, AC[k + 2]
        off = ux * cy - uy * cx
        v = (radius - off) * (radius + off)
        if v <= 0.0:
            continue
        along = ux * cx + uy * cy
        half = math.sqrt(v)
        if half < 1e-7:
            continue
        for side in range(2):
            t = along - half if side == 0 else along + half
            if t < 1e-8 or t > length - 1e-8:
                continue
            step = min(1e-6, 0.5 * t, 0.5 * (length - t))
            a = ground_at(px + (t - step) * ux, py + (t - step) * uy, AR, AQ, AF, AC, WT)
            b = ground_at(px + (t + step) * ux, py + (t + step) * uy, AR, AQ, AF, AC, WT)
            # Along a border one point does not tell what lies on both sides; links do.
            if a != b or along_border:
                return -1
    return 1 if along_border else 0


@kernel
@no_refcount
def leg_over(
    px: float,
    py: float,
    qx: float,
    qy: float,
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
) -> float:
    """The factor of a leg that crosses no border, -1 for one that does or passes a corner.

    Along a border the cheaper side counts.
    """
    met = borders_met(px, py, qx, qy, XL, AR, AQ, AF, AC, WT)
    if met < 0:
        return -1.0
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    if length < NEAR:
        return WT[0]
    x, y = 0.5 * (px + qx), 0.5 * (py + qy)
    if met == 1:
        ux, uy = dx / length, dy / length
        a = ground_at(x - 1e-6 * uy, y + 1e-6 * ux, AR, AQ, AF, AC, WT)
        return min(a, ground_at(x + 1e-6 * uy, y - 1e-6 * ux, AR, AQ, AF, AC, WT))
    return ground_at(x, y, AR, AQ, AF, AC, WT)


@kernel
@no_refcount
def leaves(i: int, dx: float, dy: float, dist: float, NF: Floats, SL: Floats) -> float:
    """The factor at which a leg may leave node i for what is dx, dy away; -1 if Snell forbids."""
    f = NODE * i
    ux, uy = NF[f + 2], NF[f + 3]
    if ux == 0.0 and uy == 0.0:
        return NF[f + 6]
    w = NF[f + 4] if ux * dy - uy * dx > 0.0 else NF[f + 5]
    off = abs(w * (ux * dx + uy * dy) / dist - SL[2 * i])
    wide = _OFF * NF[f + 7] * (SL[2 * i + 1] + w / dist + w * abs(NF[f + 8]))
    return w if off <= wide + 1e-9 else -1.0


@kernel
@no_refcount
def _faces(j: int, dx: float, dy: float, w: float, NF: Floats) -> bool:
    """Whether a leg with direction dx, dy over factor w may come to node j."""
    f = NODE * j
    ux, uy = NF[f + 2], NF[f + 3]
    if ux == 0.0 and uy == 0.0:
        return True
    return (NF[f + 5] if ux * dy - uy * dx > 0.0 else NF[f + 4]) == w


@kernel
@no_refcount
def met_at(met: float, begin: float, sweep: float, closed: int) -> float:
    """How far along an arc, counter-clockwise from its begin, an angle is; -1 if not on it."""
    t = (met - begin) % TAU
    if closed or t <= sweep:
        return t
    if t >= TAU - SLIP:
        return 0.0
    return sweep if t <= sweep + SLIP else -1.0


@kernel
@no_refcount
def _beaten(
    k: int, place: float, cost: float, price: float, closed: int, head: Ints, SF: Floats, SI: Ints
) -> bool:
    """Whether an earlier arrival on an arc in a sense is here at no more cost."""
    other = head[k]
    while other >= 0:
        turned = place - SF[STATE * other + 1]
        if closed and turned < -1e-9:
            turned += TAU
        if turned >= -1e-9 and SF[STATE * other] + price * max(0.0, turned) < cost + TIE:
            return True
        other = SI[4 * other + 3]
    return False


@kernel
@no_refcount
def _arrive(
    j: int, dx: float, dy: float, dist: float, w: float, NF: Floats, SL: list[float]
) -> None:
    """Note how fast cost grows along the border where a leg met it, and how that bends."""
    f = NODE * j
    SL[2 * j] = w * (dx * NF[f + 2] + dy * NF[f + 3]) / dist
    SL[2 * j + 1] = w / dist


@kernel
@no_refcount
def _kind(before: int, what: int) -> int:
    """The kind of way that one of a kind becomes by meeting something; few share a number."""
    return (1_000_003 * before + what) % 2_147_483_647


@kernel
@no_refcount
def _kind_at(i: int, count: int, came: Ints, NI: Ints, SL: Floats, kin: Ints) -> int:
    """The kind of the way to node i."""
    p = came[i]
    if p < 0:
        return 1
    if NI[i] < -1:
        return _kind(kin[p], 4 * (count - NI[i]) + 3)
    if NI[i] < 0:
        return _kind(kin[p], 4 * i + 3)
    if p >= count or SL[2 * i + 1] != 0.0:
        return _kind(kin[p], 4 * NI[i] + 1)
    if NI[p] == NI[i] and 0 <= came[p] < count and SL[2 * p + 1] == 0.0:
        return kin[p]
    return _kind(kin[p], 4 * NI[i] + 2)


@entry(
    "int64(float64, float64, float64, float64, "
    f"{NET}int64[::1], int64[::1], float64[::1], int64[::1], float64[::1], "
    "float64[::1], int64[::1], int64[::1], int64[::1], int64[::1], "
    f"{GROUND})"
)
def spread(
    sx: float,
    sy: float,
    limit: float,
    wide: float,
    NF: list[float],
    NI: Ints,
    LI: Ints,
    LN: Ints,
    LC: Floats,
    AP: Floats,
    AI: Ints,
    near: list[int],
    around: list[int],
    cost: list[float],
    came: list[int],
    SL: list[float],
    SF: list[float],
    SI: list[int],
    head: list[int],
    kin: list[int],
    told: list[int],
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> int:
    """Costs to all nodes and arcs that cost `limit` or less; gives the states on arcs, -1: no room.

    The last node is the start, written in here. near, around: scratch, the nodes and the arcs
    within the limit. cost, came: of each node (infinity: not within the limit), and from which
    node, or from which state counted on from the nodes; -1 none. wide: how far off the start, as
    coordinates have it, nodes and arcs are looked at. SL: two floats a node, how cost
    grows along its border and how that bends. SF, SI: states on arcs, STATE floats and 4 ints (arc,
    sense, from, next) each; head: two ints an arc. kin: of each node, then of each state, the kind
    of the way to it: those that meet the same borders and arcs in order. told: 0 nodes near, 1 arcs
    near, 2 legs tested.
    """
    count = len(NI)
    n = count - 1
    f = NODE * n
    NF[f], NF[f + 1], NF[f + 2], NF[f + 3] = sx, sy, 0.0, 0.0
    NF[f + 4] = NF[f + 5] = NF[f + 6] = WT[0]
    NF[f + 7] = NF[f + 8] = NF[f + 9] = NF[f + 10] = 0.0
    nodes = arcs = tests = states = 0
    for j in range(count):
        cost[j] = math.inf
        came[j] = -1
        dx, dy = NF[NODE * j] - sx, NF[NODE * j + 1] - sy
        if j < n and dx * dx + dy * dy <= wide * wide:
            near[nodes] = j
            nodes += 1
    for a in range(len(AI) // 3):
        head[2 * a] = head[2 * a + 1] = -1
        dx, dy = AP[6 * a] - sx, AP[6 * a + 1] - sy
        if math.sqrt(dx * dx + dy * dy) - AP[6 * a + 2] <= wide:
            around[arcs] = a
            arcs += 1
    # Nodes that may still be got to more cheaply come first in `near`.
    live = nodes
    room = len(SI) // 4
    cost[n] = 0.0
    heap = [(0.0, n)]
    while len(heap) > 0:
        d, at = heappop(heap)
        if at < count:
            i = at
            if d > cost[i]:
                continue
            kin[i] = _kind_at(i, count, came, NI, SL, kin)
            f = NODE * i
            x, y = NF[f], NF[f + 1]
            curve = NI[i]
            free = i == n or (NF[f + 2] == 0.0 and NF[f + 3] == 0.0)
            for k in range(LI[i], LI[i + 1]):
                j = LN[k]
                c = d + LC[k]
                if c < cost[j] - TIE and c <= limit:
                    cost[j], came[j] = c, i
                    if curve < -1 and NI[j] == curve:
                        # Behind a portal the way goes on as it came.
                        SL[2 * j], SL[2 * j + 1] = SL[2 * i], SL[2 * i + 1]
                        heappush(heap, (c, j))
                        continue
                    dx, dy = NF[NODE * j] - x, NF[NODE * j + 1] - y
                    dist = math.sqrt(dx * dx + dy * dy)
                    if dist > 0.0:
                        _arrive(j, dx, dy, dist, LC[k] / dist, NF, SL)
                    SL[2 * j + 1] = 0.0
                    heappush(heap, (c, j))
            m = 0
            while m < live:
                j = near[m]
                if cost[j] <= d:
                    # Nothing more can be gained there.
                    live -= 1
                    near[m], near[live] = near[live], j
                    continue
                m += 1
                g = NODE * j
                dx, dy = NF[g] - x, NF[g + 1] - y
                low = NF[g + 6]
                far = (min(cost[j], limit + 1e-9) - d) / low
                if dx * dx + dy * dy >= far * far or (
                    curve >= 0 and curve == NI[j] and NF[f + 8] == 0.0
                ):
                    continue
                dist = math.sqrt(dx * dx + dy * dy)
                if d + low * dist >= cost[j] - TIE or d + low * dist > limit or dist < NEAR:
                    continue
                if not free:
                    low = leaves(i, dx, dy, dist, NF, SL)
                    if low < 0.0 or not _faces(j, dx, dy, low, NF):
                        continue
                    if d + low * dist >= cost[j] - TIE:
                        continue
                tests += 1
                # Obstacles first: they are on a grid, borders are not. But where the factor is not
                # known yet, it may well be too dear.
                if not free and not segment_free(
                    x, y, NF[g], NF[g + 1], r, slack, W, J, E, D, S, T, B, R, Q
                ):
                    continue
                w = leg_over(x, y, NF[g], NF[g + 1], XL, AR, AQ, AF, AC, WT)
                c = d + w * dist
                if w < 0.0 or c >= cost[j] - TIE or c > limit:
                    continue
                if free and not segment_free(
                    x, y, NF[g], NF[g + 1], r, slack, W, J, E, D, S, T, B, R, Q
                ):
                    continue
                cost[j], came[j] = c, i
                _arrive(j, dx, dy, dist, w, NF, SL)
                heappush(heap, (c, j))
            for m in range(arcs):
                a = around[m]
                cx, cy, radius = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2]
                w = AP[6 * a + 5]
                dx, dy = cx - x, cy - y
                d2 = dx * dx + dy * dy
                v = d2 - radius * radius
                if v < -1e-7 * radius:
                    continue
                tangent = math.sqrt(v) if v > 0.0 else 0.0
                if d + w * tangent > limit:
                    continue
                dist = math.sqrt(d2)
                co, si = tangent / dist, min(1.0, radius / dist)
                for sense in (1, -1):
                    # The centre of the circle lies on the left of a way that goes on to the left.
                    ux, uy = (co * dx + sense * si * dy) / dist, (co * dy - sense * si * dx) / dist
                    if (
                        not free
                        and tangent > 1e-6
                        and leaves(i, ux * tangent, uy * tangent, tangent, NF, SL) != w
                    ):
                        continue
                    qx, qy = x + tangent * ux, y + tangent * uy
                    met = math.atan2(qy - cy, qx - cx)
                    t = met_at(met, AP[6 * a + 3], AP[6 * a + 4], AI[3 * a + 2])
                    if t < 0.0:
                        continue
                    place = t if sense > 0 else AP[6 * a + 4] - t
                    c = d + w * tangent
                    k = 2 * a + (1 if sense > 0 else 0)
                    if _beaten(k, place, c, w * radius, AI[3 * a + 2], head, SF, SI):
                        continue
                    tests += 1
                    if tangent > NEAR:
                        if not segment_free(x, y, qx, qy, r, slack, W, J, E, D, S, T, B, R, Q):
                            continue
                        if leg_over(x, y, qx, qy, XL, AR, AQ, AF, AC, WT) != w:
                            continue
                    if states == room:
                        return -1
                    g = STATE * states
                    SF[g], SF[g + 1], SF[g + 2], SF[g + 3] = c, place, x, y
                    SF[g + 4] = met
                    SF[g + 5] = TAU if AI[3 * a + 2] else AP[6 * a + 4] - place
                    g = 4 * states
                    SI[g], SI[g + 1], SI[g + 2], SI[g + 3] = a, sense, i, -2
                    heappush(heap, (c, count + states))
                    states += 1
            continue
        s = at - count
        a, sense = SI[4 * s], SI[4 * s + 1]
        g = STATE * s
        place, angle, ahead = SF[g + 1], SF[g + 4], SF[g + 5]
        cx, cy, radius, w = AP[6 * a], AP[6 * a + 1], AP[6 * a + 2], AP[6 * a + 5]
        k = 2 * a + (1 if sense > 0 else 0)
        if _beaten(k, place, d, w * radius, AI[3 * a + 2], head, SF, SI):
            continue
        SI[4 * s + 3] = head[k]
        head[k] = s
        kin[at] = _kind(kin[SI[4 * s + 2]], 4 * k)
        j = AI[3 * a + 1] if sense > 0 else AI[3 * a]
        if j >= 0:
            c = d + w * radius * ahead
            if c < cost[j] - TIE and c <= limit:
                cost[j], came[j] = c, at
                SL[2 * j] = SL[2 * j + 1] = 0.0
                heappush(heap, (c, j))
        m = 0
        while m < live:
            j = near[m]
            if cost[j] <= d:
                live -= 1
                near[m], near[live] = near[live], j
                continue
            m += 1
            g = NODE * j
            dx, dy = NF[g] - cx, NF[g + 1] - cy
            d2 = dx * dx + dy * dy
            v = d2 - radius * radius
            far = (min(cost[j], limit + 1e-9) - d) / w
            if v < 0.0 or v >= far * far:
                continue
            tangent = math.sqrt(v)
            if d + w * tangent >= cost[j] - TIE or d + w * tangent > limit:
                continue
            leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
            turned = (sense * (leave - angle)) % TAU
            if turned > TAU - SLIP:
                turned = 0.0
            if turned > ahead + SLIP:
                continue
            c = d + w * (radius * turned + tangent)
            if c >= cost[j] - TIE or c > limit:
                continue
            px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
            dx, dy = NF[g] - px, NF[g + 1] - py
            if not _faces(j, dx, dy, w, NF):
                continue
            tests += 1
            if tangent > NEAR:
                if not segment_free(px, py, NF[g], NF[g + 1], r, slack, W, J, E, D, S, T, B, R, Q):
                    continue
                if leg_over(px, py, NF[g], NF[g + 1], XL, AR, AQ, AF, AC, WT) != w:
                    continue
                _arrive(j, dx, dy, tangent, w, NF, SL)
            cost[j], came[j] = c, at
            heappush(heap, (c, j))
        for m in range(arcs):
            b = around[m]
            if AP[6 * b + 5] != w:
                continue
            x2, y2, r2 = AP[6 * b], AP[6 * b + 1], AP[6 * b + 2]
            dx, dy = x2 - cx, y2 - cy
            d2 = dx * dx + dy * dy
            far = (limit - d) / w + radius + r2
            if d2 > far * far or d2 < 1e-18:
                continue
            dist = math.sqrt(d2)
            towards = math.atan2(dy, dx)
            for option in range(2):
                s2 = sense if option == 0 else -sense
                q = radius - r2 if option == 0 else radius + r2
                if dist < abs(q) - 1e-9:
                    continue
                leave = towards - sense * math.acos(max(-1.0, min(1.0, q / dist)))
                turned = (sense * (leave - angle)) % TAU
                if turned > TAU - SLIP:
                    turned = 0.0
                if turned > ahead + SLIP:
                    continue
                v = (dist - q) * (dist + q)
                length = math.sqrt(v) if v > 0.0 else 0.0
                c = d + w * (radius * turned + length)
                if c > limit:
                    continue
                met = leave if option == 0 else leave + math.pi
                t = met_at(met, AP[6 * b + 3], AP[6 * b + 4], AI[3 * b + 2])
                if t < 0.0:
                    continue
                place = t if s2 > 0 else AP[6 * b + 4] - t
                k = 2 * b + (1 if s2 > 0 else 0)
                if _beaten(k, place, c, w * r2, AI[3 * b + 2], head, SF, SI):
                    continue
                px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
                qx, qy = x2 + r2 * math.cos(met), y2 + r2 * math.sin(met)
                tests += 1
                if length > NEAR:
                    if not segment_free(px, py, qx, qy, r, slack, W, J, E, D, S, T, B, R, Q):
                        continue
                    if leg_over(px, py, qx, qy, XL, AR, AQ, AF, AC, WT) != w:
                        continue
                if states == room:
                    return -1
                g = STATE * states
                SF[g], SF[g + 1], SF[g + 2], SF[g + 3] = c, place, px, py
                SF[g + 4] = met
                SF[g + 5] = TAU if AI[3 * b + 2] else AP[6 * b + 4] - place
                g = 4 * states
                SI[g], SI[g + 1], SI[g + 2], SI[g + 3] = b, s2, at, -2
                heappush(heap, (c, count + states))
                states += 1
    told[0], told[1], told[2] = nodes, arcs, tests
    return states
