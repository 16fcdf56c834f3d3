"""Kernels: a way made as cheap as ways of its kind are, by sliding where it meets borders.

Where a cheapest way crosses a border it bends by Snell's law; where it goes round an arc, or runs
along a bent border, it takes up and leaves that by a tangent or at the critical angle.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.weighted.arrays import (
    AHEAD,
    ARC,
    BEHIND,
    BEND,
    GAP,
    MARK,
    NODE,
    PLACE,
    TAU,
    UX,
    UY,
    Spread,
    WayPlaces,
    clear_leg,
)
from tapeline.geometry.weighted.backtrack import ALONG, STRAIGHT, lay_way, touch
from tapeline.geometry.weighted.node_legs import TIE, leg_over, met_at

__all__ = ["cheapest_crossing", "place_along", "polish"]

#: Length: how close the end of a run along a bent border is to where it gains most.
_CLOSE = 1e-7
#: Length: how far short of the tangent a leg comes to a circle, for it must not cut it.
_SHY = 1e-6
#: Rounds of sliding before it is left at that; how often places are slid on together.
_ROUNDS, _PUSH = 60, 4
#: How often the stretch is halved in which a way may slide and still be gone.
_HALVINGS = 8

#: Where a straight leg begins or ends: x, y, and the factor over which it runs.
LegEnd: TypeAlias = tuple[float, float, float]


@kernel
def place_along(i: int, t: float, nodes: Floats) -> tuple[float, float]:
    """The place t farther along the border of node i."""
    f = NODE * i
    x, y, ux, uy, bend = nodes[f], nodes[f + 1], nodes[f + UX], nodes[f + UY], nodes[f + BEND]
    if bend == 0.0:
        return x + t * ux, y + t * uy
    c, s = math.cos(bend * t), math.sin(bend * t)
    return x + (s * ux - (1.0 - c) * uy) / bend, y + (s * uy + (1.0 - c) * ux) / bend


@kernel
def cheapest_crossing(
    p: float, a2: float, v: float, q: float, b2: float, w: float, t: float, lo: float, hi: float
) -> float:
    """Where on a straight border, from lo to hi, a way over v and then w is cheapest (Newton).

    p, q: how far along the border its ends lie; a2, b2: squares of how far off it. t: first guess.
    """
    for _ in range(60):
        d1, d2 = math.sqrt(a2 + (t - p) ** 2), math.sqrt(b2 + (t - q) ** 2)
        slope = (v * (t - p) / d1 if d1 > 0.0 else 0.0) + (w * (t - q) / d2 if d2 > 0.0 else 0.0)
        if slope > 0.0:
            hi = t
        else:
            lo = t
        bend = v * a2 / (d1 * d1 * d1) if d1 > 0.0 else 0.0
        bend += w * b2 / (d2 * d2 * d2) if d2 > 0.0 else 0.0
        new = t - slope / bend if bend > 0.0 else 0.5 * (lo + hi)
        if not lo < new < hi:
            new = 0.5 * (lo + hi)
        if abs(new - t) < 1e-11 or hi - lo < 1e-11:
            return new
        t = new
    return t


@kernel
def _slid(i: int, t: float, p: LegEnd, q: LegEnd, most: float, nodes: Floats) -> float:
    """Where along the border of node i, near t, a way from p to q is cheapest.

    most: how far from the node at most.
    """
    f, (px, py, v), (qx, qy, w) = NODE * i, p, q
    reach = 2.0 * nodes[f + GAP] + 0.05
    first, last = max(-nodes[f + BEHIND], -most), min(nodes[f + AHEAD], most)
    lo, hi = max(first, t - reach), min(last, t + reach)
    if nodes[f + BEND] != 0.0:
        golden = 0.6180339887498949
        while hi - lo > 1e-8:
            a, b = hi - golden * (hi - lo), lo + golden * (hi - lo)
            ax, ay = place_along(i, a, nodes)
            bx, by = place_along(i, b, nodes)
            ca = v * math.sqrt((ax - px) ** 2 + (ay - py) ** 2)
            ca += w * math.sqrt((ax - qx) ** 2 + (ay - qy) ** 2)
            cb = v * math.sqrt((bx - px) ** 2 + (by - py) ** 2)
            if ca <= cb + w * math.sqrt((bx - qx) ** 2 + (by - qy) ** 2):
                hi = b
            else:
                lo = a
        return 0.5 * (lo + hi)
    ux, uy = nodes[f + UX], nodes[f + UY]
    one = (px - nodes[f]) * ux + (py - nodes[f + 1]) * uy
    two = (qx - nodes[f]) * ux + (qy - nodes[f + 1]) * uy
    a2 = ((px - nodes[f]) * uy - (py - nodes[f + 1]) * ux) ** 2
    b2 = ((qx - nodes[f]) * uy - (qy - nodes[f + 1]) * ux) ** 2
    lo, hi = max(lo, min(one, two)), min(hi, max(one, two))
    if lo >= hi:
        return max(first, min(last, lo if lo > t else hi))
    return cheapest_crossing(one, a2, v, two, b2, w, min(max(t, lo), hi), lo, hi)


@kernel
def _run_end(
    i: int, t: float, p: LegEnd, w: float, sense: float, length: float, most: float, nodes: Floats
) -> float:
    """Where, near t, a run along the bent border of node i is cheapest begun from p.

    w: factor of the run, which goes on in `sense` for `length` from t. A run is ended as one in the
    other sense is begun.
    """
    f, (x, y, v) = NODE * i, p
    bend = nodes[f + BEND]
    reach = 2.0 * nodes[f + GAP] + 0.05
    lo, hi = max(-nodes[f + BEHIND], -most, t - reach), min(nodes[f + AHEAD], most, t + reach)
    if sense > 0.0:
        hi = min(hi, t + length)
    else:
        lo = max(lo, t - length)
    radius = 1.0 / abs(bend)
    cx, cy = nodes[f] - nodes[f + UY] / bend, nodes[f + 1] + nodes[f + UX] / bend
    dx, dy = x - cx, y - cy
    d = math.sqrt(dx * dx + dy * dy)
    if d > radius + 1e-9:
        # From outside no place beyond the tangent is seen.
        turn = sense if bend > 0.0 else -sense
        angle = math.atan2(dy, dx) + turn * math.acos(radius / d)
        bx, by = place_along(i, t, nodes)
        off = (angle - math.atan2(by - cy, bx - cx)) % TAU
        if off > math.pi:
            off -= TAU
        last = t + off / bend
        if sense > 0.0:
            hi = min(hi, last - _SHY)
        else:
            lo = max(lo, last + _SHY)
    if lo >= hi:
        return lo if sense < 0.0 else hi
    golden = 0.6180339887498949
    a, b = hi - golden * (hi - lo), lo + golden * (hi - lo)
    ax, ay = place_along(i, a, nodes)
    bx, by = place_along(i, b, nodes)
    ca = v * math.sqrt((ax - x) ** 2 + (ay - y) ** 2) - w * sense * a
    cb = v * math.sqrt((bx - x) ** 2 + (by - y) ** 2) - w * sense * b
    while hi - lo > _CLOSE:
        if ca <= cb:
            hi, b, cb = b, a, ca
            a = hi - golden * (hi - lo)
            ax, ay = place_along(i, a, nodes)
            ca = v * math.sqrt((ax - x) ** 2 + (ay - y) ** 2) - w * sense * a
        else:
            lo, a, ca = a, b, cb
            b = lo + golden * (hi - lo)
            bx, by = place_along(i, b, nodes)
            cb = v * math.sqrt((bx - x) ** 2 + (by - y) ** 2) - w * sense * b
    return 0.5 * (lo + hi)


@kernel
def _slides(k: int, marks: Ints) -> bool:
    """Whether place k is where two straight legs meet on a border."""
    return (
        marks[MARK * k] >= 0 and marks[MARK * k + 1] == STRAIGHT and marks[MARK * k - 2] == STRAIGHT
    )


@kernel
def _farther(k: int, scale: float, most: float, nodes: Floats, way: WayPlaces) -> float:
    """Where along its border place k is if it slides on by `scale` times what it last did."""
    i, g, places = way.marks[MARK * k], PLACE * k, way.places
    t = places[g + 3] + scale * (places[g + 3] - places[g + 5])
    return min(max(t, -nodes[NODE * i + BEHIND], -most), nodes[NODE * i + AHEAD], most)


@kernel
def _stretched(m: int, scale: float, most: float, nodes: Floats, way: WayPlaces) -> float:
    """The cost of the straight legs if each place slid on by `scale` times what it last did."""
    places, marks = way.places, way.marks
    total = 0.0
    px, py = places[0], places[1]
    for k in range(1, m):
        g = PLACE * k
        x, y = places[g], places[g + 1]
        if k < m - 1 and _slides(k, marks) and places[g + 3] != places[g + 5]:
            x, y = place_along(marks[MARK * k], _farther(k, scale, most, nodes, way), nodes)
        if marks[MARK * k - 2] == STRAIGHT:
            total += places[g - PLACE + 2] * math.sqrt((x - px) ** 2 + (y - py) ** 2)
        px, py = x, y
    return total


@kernel
def _pushed(m: int, most: float, nodes: Floats, way: WayPlaces) -> None:
    """Slide all places on together for as long as that gains.

    One by one they come to rest slowly where two borders meet at a small angle.
    """
    places, marks = way.places, way.marks
    scale, best = 0.0, _stretched(m, 0.0, most, nodes, way)
    more = 1.0
    while more < 5000.0:
        cost = _stretched(m, more, most, nodes, way)
        if cost >= best - 1e-13:
            break
        scale, best = more, cost
        more *= 2.0
    if scale == 0.0:
        return
    for k in range(1, m - 1):
        g = PLACE * k
        if _slides(k, marks) and places[g + 3] != places[g + 5]:
            t = _farther(k, scale, most, nodes, way)
            places[g], places[g + 1] = place_along(marks[MARK * k], t, nodes)
            places[g + 3] = t


@kernel
def _settled(m: int, most: float, spread: Spread) -> int:
    """Slide the places of a way until none gains, by `most` at most; how many are left."""
    nodes, arcs, arrivals = spread.graph.nodes, spread.graph.arcs, spread.costs.arrivals
    way = spread.way
    places, marks = way.places, way.marks
    for turn in range(_ROUNDS):
        moved = 0.0
        for k in range(m):
            places[PLACE * k + 5] = places[PLACE * k + 3]
        k = 1
        while k < m - 1:
            g = PLACE * k
            i, kind, came = marks[MARK * k], marks[MARK * k + 1], marks[MARK * k - 2]
            px, py, v = places[g - PLACE], places[g - PLACE + 1], places[g - PLACE + 2]
            qx, qy, w = places[g + PLACE], places[g + PLACE + 1], places[g + 2]
            ox, oy, t0 = places[g], places[g + 1], places[g + 3]
            if kind >= 0:
                a, sense = arrivals[4 * kind], float(arrivals[4 * kind + 1])
                cx, cy, radius = arcs[ARC * a], arcs[ARC * a + 1], arcs[ARC * a + 2]
                first = came == STRAIGHT and (k == 1 or marks[MARK * k - 5] < 0)
                last = k + 2 < m and marks[MARK * k + 4] == STRAIGHT and marks[MARK * k + 7] < 0
                if first:
                    places[g], places[g + 1] = touch(px, py, cx, cy, radius, sense)
                if last:
                    qx, qy = places[g + 2 * PLACE], places[g + 2 * PLACE + 1]
                    ex, ey = places[g + PLACE], places[g + PLACE + 1]
                    ex, ey = touch(qx, qy, cx, cy, radius, -sense)
                    off = abs(ex - places[g + PLACE]) + abs(ey - places[g + PLACE + 1])
                    places[g + PLACE], places[g + PLACE + 1] = ex, ey
                    if off > 1e-12:
                        places[g + PLACE + 3] = 1.0
                        moved = max(moved, off)
                off = abs(places[g] - ox) + abs(places[g + 1] - oy)
                if off > 1e-12:
                    places[g + 3] = 1.0
                    moved = max(moved, off)
                begin = math.atan2(places[g + 1] - cy, places[g] - cx)
                end = math.atan2(places[g + PLACE + 1] - cy, places[g + PLACE] - cx)
                turned = (sense * (end - begin)) % TAU
                if first and last and TAU - 1.0 < turned < TAU - 1e-9:
                    # Nothing is left of the arc: straight past it.
                    for h in range(k, m - 2):
                        for c in range(PLACE):
                            places[PLACE * h + c] = places[PLACE * (h + 2) + c]
                        for c in range(MARK):
                            marks[MARK * h + c] = marks[MARK * (h + 2) + c]
                    m -= 2
                    places[g - PLACE + 3] = (
                        places[g - PLACE + 3] if places[g - PLACE + 3] != 0.0 else 1e-300
                    )
                    moved = 1.0
                    continue
                k += 2
                continue
            k += 1
            if i < 0 or (came <= ALONG and kind <= ALONG):
                continue
            if kind <= ALONG:
                sense = 1.0 if kind == ALONG else -1.0
                t = _run_end(i, t0, (px, py, v), w, sense, places[g + 4], most, nodes)
            elif came <= ALONG:
                sense = -1.0 if came == ALONG else 1.0
                t = _run_end(i, t0, (qx, qy, w), v, sense, places[g - PLACE + 4], most, nodes)
            else:
                t = _slid(i, t0, (px, py, v), (qx, qy, w), most, nodes)
            bx, by = place_along(i, t, nodes)
            if came == STRAIGHT and kind == STRAIGHT:
                gain = v * math.sqrt((ox - px) ** 2 + (oy - py) ** 2)
                gain += w * math.sqrt((ox - qx) ** 2 + (oy - qy) ** 2)
                gain -= v * math.sqrt((bx - px) ** 2 + (by - py) ** 2)
                gain -= w * math.sqrt((bx - qx) ** 2 + (by - qy) ** 2)
                if gain <= 1e-13:
                    continue
            elif abs(t - t0) <= 2.0 * _CLOSE:
                # Else it moves, gain or not: beyond the tangent a leg cannot be gone.
                continue
            moved = max(moved, abs(t - t0))
            places[g], places[g + 1], places[g + 3] = bx, by, t
            if kind <= ALONG:
                places[g + 4] -= sense * (t - t0)
            elif came <= ALONG:
                places[g - PLACE + 4] -= sense * (t - t0)
        if moved < 1e-9:
            break
        if turn % _PUSH == _PUSH - 1:
            _pushed(m, most, nodes, way)
    return m


@kernel
def _total(m: int, spread: Spread) -> float:
    """What a way costs whose places were slid; infinity if it can no longer be gone."""
    nodes, curves, arcs, ends = (
        spread.graph.nodes, spread.graph.curves, spread.graph.arcs, spread.graph.ends
    )  # fmt: skip
    arrivals, places, marks = spread.costs.arrivals, spread.way.places, spread.way.marks
    total = 0.0
    for k in range(m - 1):
        g = PLACE * k
        px, py, qx, qy = places[g], places[g + 1], places[g + PLACE], places[g + PLACE + 1]
        kind = marks[MARK * k + 1]
        if kind >= 0:
            a = arrivals[4 * kind]
            cx, cy, radius = arcs[ARC * a], arcs[ARC * a + 1], arcs[ARC * a + 2]
            begin = math.atan2(py - cy, px - cx)
            end = math.atan2(qy - cy, qx - cx)
            turned = (arrivals[4 * kind + 1] * (end - begin)) % TAU
            if turned > TAU - 1e-6:
                turned = 0.0
            total += places[g + 2] * radius * turned
            if (places[g + 3] != 0.0 or places[g + PLACE + 3] != 0.0) and (
                turned > 6.0
                or met_at(begin, arcs[ARC * a + 3], arcs[ARC * a + 4], ends[3 * a + 2]) < 0.0
                or met_at(end, arcs[ARC * a + 3], arcs[ARC * a + 4], ends[3 * a + 2]) < 0.0
            ):
                return math.inf
            continue
        if kind <= ALONG:
            total += places[g + 2] * places[g + 4]
            continue
        dist = math.sqrt((px - qx) ** 2 + (py - qy) ** 2)
        total += places[g + 2] * dist
        if dist < 1e-8 or (places[g + 3] == 0.0 and places[g + PLACE + 3] == 0.0):
            continue
        i, j = marks[MARK * k], marks[MARK * (k + 1)]
        if not (i >= 0 and j >= 0 and curves[i] == curves[j] and nodes[NODE * i + BEND] == 0.0):
            w = leg_over(px, py, qx, qy, spread.areas)
            if w < 0.0 or w > places[g + 2] + 1e-6:
                return math.inf
        if not clear_leg(px, py, qx, qy, spread.clear):
            return math.inf
    return total


@kernel
def polish(x: float, y: float, price: float, at: int, spread: Spread) -> float:
    """The cost of the way to a place after where it meets borders was slid to where that gains.

    price, at: what it costs as it stands, and the node or state that its last leg comes from. The
    way is filled in.
    """
    way = spread.way
    m = lay_way(x, y, price, at, spread)
    way.found[1] = m
    if m == 0:
        return price
    m = _settled(m, math.inf, spread)
    total = _total(m, spread)
    way.found[1] = m
    if total <= price + TIE:
        return min(total, price)
    # It slid over a corner or into something; as far as it can be gone it gains all the same.
    hi = 0.0
    for k in range(1, m - 1):
        if way.marks[MARK * k] >= 0:
            hi = max(hi, abs(way.places[PLACE * k + 3]))
    lo = good = 0.0
    for turn in range(_HALVINGS + 1):
        far = 0.5 * (lo + hi) if turn < _HALVINGS else good
        m = lay_way(x, y, price, at, spread)
        if far == 0.0:
            way.found[1] = m
            return price
        m = _settled(m, far, spread)
        total = _total(m, spread)
        if total <= price + TIE:
            lo = good = far
        else:
            hi = far
    way.found[1] = m
    return min(total, price)
