"""Kernels: the places of a way to a point, as the search found it."""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, Ints, kernel
from tapeline.geometry.weighted.arrays import (
    ARC,
    BEND,
    LEFT,
    MARK,
    NODE,
    PLACE,
    RIGHT,
    STATE,
    UX,
    UY,
    Spread,
    WayPlaces,
)

__all__ = ["AGAINST", "ALONG", "STRAIGHT", "lay_way", "touch"]

#: What leads on from a place: a straight leg, a run along a bent border or against it.
STRAIGHT, ALONG, AGAINST = -1, -2, -3
#: Length: runs along a bent border are told from chords by this.
_RUN = 1e-9


@kernel
def _runs(i: int, ax: float, ay: float, bx: float, by: float, gain: float, nodes: Floats) -> float:
    """How long a run from a to b along the bent border of node i is; 0 if the gain is not its."""
    f = NODE * i
    bend = nodes[f + BEND]
    radius = 1.0 / abs(bend)
    cx, cy = nodes[f] - nodes[f + UY] / bend, nodes[f + 1] + nodes[f + UX] / bend
    if (
        abs(math.sqrt((ax - cx) ** 2 + (ay - cy) ** 2) - radius) > _RUN
        or abs(math.sqrt((bx - cx) ** 2 + (by - cy) ** 2) - radius) > _RUN
    ):
        return 0.0
    half = 0.5 * math.sqrt((bx - ax) ** 2 + (by - ay) ** 2) / radius
    length = 2.0 * radius * math.asin(min(1.0, half))
    return length if abs(min(nodes[f + LEFT], nodes[f + RIGHT]) * length - gain) <= _RUN else 0.0


@kernel
def touch(
    x: float, y: float, cx: float, cy: float, radius: float, turn: float
) -> tuple[float, float]:
    """Where a straight leg from x, y touches a circle that it then goes round in a sense."""
    dx, dy = x - cx, y - cy
    d = math.sqrt(dx * dx + dy * dy)
    angle = math.atan2(dy, dx)
    if d > radius:
        angle += turn * math.acos(radius / d)
    return cx + radius * math.cos(angle), cy + radius * math.sin(angle)


@kernel
def _put(m: int, x: float, y: float, w: float, node: int, leads: int, way: WayPlaces) -> None:
    """Write place m of a way: where it is, the factor to the next, what slides, what leads on."""
    g = PLACE * m
    way.places[g], way.places[g + 1], way.places[g + 2], way.places[g + 3] = x, y, w, 0.0
    g = MARK * m
    way.marks[g], way.marks[g + 1], way.marks[g + 2] = node, leads, -1


@kernel
def lay_way(x: float, y: float, price: float, at: int, spread: Spread) -> int:
    """The places of the way to a point, as the search found it; how many, 0 if there is no room."""
    graph, costs, way, least = spread.graph, spread.costs, spread.way, spread.areas.factors[0]
    nodes, curves, arcs = graph.nodes, graph.curves, graph.arcs
    states, arrivals, places, marks = costs.states, costs.arrivals, way.places, way.marks
    count = len(curves)
    room = len(marks) // MARK - 4
    # Forward from the start: the chain is read backwards into marks, then turned round.
    n = 0
    here = at
    while here >= 0:
        if n >= room // 2:
            return 0
        marks[n] = here
        n += 1
        here = costs.came[here] if here < count else arrivals[4 * (here - count) + 2]
    # The chain lies at the far end of places until it has been read.
    base = len(places) - n
    for k in range(n):
        places[base + k] = float(marks[n - 1 - k])
    m = 0
    arc = -1
    ax, ay = 0.0, 0.0
    before = -1
    for k in range(n + 1):
        last = k == n
        item = -1 if last else int(places[base + k])
        if PLACE * (m + 3) > base or m + 3 > room:
            return 0
        if last or item < count:
            tx, ty, f = x, y, NODE * item
            if not last:
                tx, ty = nodes[f], nodes[f + 1]
            if arc >= 0:
                a, sense = ARC * arrivals[4 * arc], arrivals[4 * arc + 1]
                px, py = touch(tx, ty, arcs[a], arcs[a + 1], arcs[a + 2], -float(sense))
                _put(m, px, py, arcs[a + 5], -1, STRAIGHT, way)
                m += 1
            elif before >= 0:
                dist = math.sqrt((tx - ax) ** 2 + (ty - ay) ** 2)
                gain = (price if last else costs.cost[item]) - costs.cost[before]
                run, border = 0.0, -1
                if nodes[NODE * before + BEND] != 0.0:
                    border = before
                elif not last and nodes[f + BEND] != 0.0:
                    border = item
                if border >= 0:
                    run = _runs(border, ax, ay, tx, ty, gain, nodes)
                g = PLACE * (m - 1)
                if run > 0.0:
                    f = NODE * border
                    ahead = nodes[f + UX] * (tx - ax) + nodes[f + UY] * (ty - ay) > 0.0
                    places[g + 2], places[g + 4] = min(nodes[f + LEFT], nodes[f + RIGHT]), run
                    marks[MARK * m - 2] = ALONG if ahead else AGAINST
                    marks[MARK * m - 1] = border
                else:
                    places[g + 2] = gain / dist if dist > 1e-12 else least
            f = NODE * item
            slides = not last and curves[item] >= 0 and (nodes[f + UX], nodes[f + UY]) != (0.0, 0.0)
            _put(m, tx, ty, least, item if slides else -1, STRAIGHT, way)
            m += 1
            arc, before = -1, item
            ax, ay = tx, ty
            continue
        s = item - count
        a, g = ARC * arrivals[4 * s], STATE * s
        if arc >= 0:
            _put(m, states[g + 2], states[g + 3], arcs[a + 5], -1, STRAIGHT, way)
            m += 1
        else:
            places[PLACE * (m - 1) + 2] = arcs[a + 5]
        met, radius = states[g + 4], arcs[a + 2]
        px, py = arcs[a] + radius * math.cos(met), arcs[a + 1] + radius * math.sin(met)
        _put(m, px, py, arcs[a + 5], -1, s, way)
        m += 1
        arc, before = s, -1
    return _merged(m, nodes, curves, places, marks)


@kernel
def _merged(m: int, nodes: Floats, curves: Ints, places: list[float], marks: list[int]) -> int:
    """Of a run along one border the first and the last place; how many are left."""
    kept = 0
    for k in range(m):
        i, kind = marks[MARK * k], marks[MARK * k + 1]
        if 0 < k < m - 1 and i >= 0:
            g = PLACE * (kept - 1)
            before = marks[MARK * kept - 2]
            if kind <= ALONG:
                if (
                    before == kind
                    and curves[marks[MARK * kept - 1]] == curves[marks[MARK * k + 2]] == curves[i]
                ):
                    places[g + 4] += places[PLACE * k + 4]
                    continue
            elif kind == STRAIGHT and before == STRAIGHT and nodes[NODE * i + BEND] == 0.0:
                last_on, next_on = marks[MARK * (kept - 1)], marks[MARK * (k + 1)]
                if (
                    last_on >= 0
                    and next_on >= 0
                    and curves[last_on] == curves[i] == curves[next_on]
                    and abs(places[g + 2] - places[PLACE * k + 2]) < 1e-6
                ):
                    continue
        for c in range(PLACE):
            places[PLACE * kept + c] = places[PLACE * k + c]
        for c in range(MARK):
            marks[MARK * kept + c] = marks[MARK * k + c]
        kept += 1
    return kept
