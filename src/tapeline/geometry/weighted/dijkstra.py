"""Kernels: what it costs from one start to everywhere within a limit, over ground of factors.

Dijkstra's search (1959). Nodes lie close together on all borders between factors; obstacles' arcs
are kept whole. A state is an arc taken up at an angle in a sense. Nodes and states are taken up by
cost; straight legs over one factor lead from one to another, links along a border from node to
node. A border is crossed where it is by Snell's law, so of the legs from a node only those are
tried that keep to it but for the distance between nodes. Each cost is that of a way that can be
gone; it is too dear by the square of that distance.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from tapeline.geometry.backends import entry, kernel
from tapeline.geometry.weighted.arrays import (
    ARC,
    BEND,
    LEFT,
    LOW,
    NODE,
    RIGHT,
    STATE,
    TAU,
    UX,
    UY,
    Areas,
    Clearance,
    Costs,
    Graph,
    clear_leg,
)
from tapeline.geometry.weighted.node_legs import (
    NEAR,
    SLIP,
    TIE,
    even_leg,
    faces_border,
    leaves,
    leg_over,
    met_at,
    turned_to,
)

__all__ = ["DijkstraSearch", "Near", "spread"]

#: Of a state on an arc: cost; place; where the leg to it came from (x, y), the angle it met at.
State: TypeAlias = tuple[float, float, float, float, float]


class Near(NamedTuple):
    """Nodes and arcs that may lie within the limit, and what goes to the queue; scratch.

    counts: how many nodes; how many arcs; how many nodes, the first ones, may still be come to more
    cheaply; how many states were made, -1 for no more room; how many go to the queue. costs,
    items: these, a state counted on from the nodes.
    """

    nodes: list[int]
    arcs: list[int]
    counts: list[int]
    costs: list[float]
    items: list[int]


class DijkstraSearch(NamedTuple):
    """A search: up to which cost, over what, what it has found, and its scratch."""

    limit: float
    graph: Graph
    costs: Costs
    near: Near
    areas: Areas
    clear: Clearance


@kernel
def _beaten(a: int, sense: int, place: float, cost: float, graph: Graph, costs: Costs) -> bool:
    """Whether an earlier arrival on an arc in a sense is here at no more cost."""
    states, arrivals, closed = costs.states, costs.arrivals, graph.ends[3 * a + 2]
    price = graph.arcs[ARC * a + 5] * graph.arcs[ARC * a + 2]
    other = costs.last[2 * a + (sense > 0)]
    while other >= 0:
        turned = place - states[STATE * other + 1]
        if closed and turned < -1e-9:
            turned += TAU
        if turned >= -1e-9 and states[STATE * other] + price * max(0.0, turned) < cost + TIE:
            return True
        other = arrivals[4 * other + 3]
    return False


@kernel
def _slope(j: int, dx: float, dy: float, dist: float, w: float, search: DijkstraSearch) -> None:
    """Note how fast cost grows along the border where a leg met it, and how that bends."""
    f, nodes, slopes = NODE * j, search.graph.nodes, search.costs.slopes
    slopes[2 * j] = w * (dx * nodes[f + UX] + dy * nodes[f + UY]) / dist
    slopes[2 * j + 1] = w / dist


@kernel
def _kind(before: int, what: int) -> int:
    """The kind of way that one of a kind becomes by meeting something; few share a number."""
    return (1_000_003 * before + what) % 2_147_483_647


@kernel
def _kind_at(i: int, graph: Graph, costs: Costs) -> int:
    """The kind of the way to node i."""
    came, curves, slopes, kinds = costs.came, graph.curves, costs.slopes, costs.kinds
    count = len(curves)
    p = came[i]
    if p < 0:
        return 1
    if curves[i] < -1:
        return _kind(kinds[p], 4 * (count - curves[i]) + 3)
    if curves[i] < 0:
        return _kind(kinds[p], 4 * i + 3)
    if p >= count or slopes[2 * i + 1] != 0.0:
        return _kind(kinds[p], 4 * curves[i] + 1)
    if curves[p] == curves[i] and 0 <= came[p] < count and slopes[2 * p + 1] == 0.0:
        return kinds[p]
    return _kind(kinds[p], 4 * curves[i] + 2)


@kernel
def _queue(c: float, item: int, near: Near) -> None:
    """Note what is to go to the queue."""
    n = near.counts[4]
    near.costs[n], near.items[n] = c, item
    near.counts[4] = n + 1


@kernel
def _meet(a: int, sense: int, c: float, met: float, graph: Graph, costs: Costs) -> float:
    """How far along arc a, in a sense, a leg that cost c meets it at an angle.

    -1 if it does not, or one that came before is there at no more cost.
    """
    arcs, f = graph.arcs, ARC * a
    t = met_at(met, arcs[f + 3], arcs[f + 4], graph.ends[3 * a + 2])
    if t < 0.0:
        return -1.0
    place = t if sense > 0 else arcs[f + 4] - t
    return -1.0 if _beaten(a, sense, place, c, graph, costs) else place


@kernel
def _take_up(a: int, sense: int, source: int, state: State, search: DijkstraSearch) -> None:
    """Make the state of arc a that a leg met, as `_meet` has it."""
    graph, near, arrivals = search.graph, search.near, search.costs.arrivals
    s = near.counts[3]
    if s < 0 or 4 * s == len(arrivals):
        near.counts[3] = -1
        return
    for k in range(5):
        search.costs.states[STATE * s + k] = state[k]
    left = TAU if graph.ends[3 * a + 2] else graph.arcs[ARC * a + 4] - state[1]
    search.costs.states[STATE * s + 5] = left
    g = 4 * s
    arrivals[g], arrivals[g + 1], arrivals[g + 2], arrivals[g + 3] = a, sense, source, -2
    _queue(state[0], len(graph.curves) + s, near)
    near.counts[3] = s + 1


@kernel
def _drop(m: int, near: Near) -> None:
    """Put the node at `m` of those near behind the ones that may still be come to more cheaply."""
    near.counts[2] -= 1
    live = near.counts[2]
    near.nodes[m], near.nodes[live] = near.nodes[live], near.nodes[m]


@kernel
def _links(i: int, d: float, search: DijkstraSearch) -> None:
    """Go on from node i, had at cost d, along its links."""
    limit, graph, costs, near, _, _ = search
    nodes, curves, slopes = graph.nodes, graph.curves, costs.slopes
    f = NODE * i
    for k in range(graph.begins[i], graph.begins[i + 1]):
        j = graph.others[k]
        c = d + graph.costs[k]
        if c < costs.cost[j] - TIE and c <= limit:
            costs.cost[j], costs.came[j] = c, i
            _queue(c, j, near)
            if curves[i] < -1 and curves[j] == curves[i]:
                # Behind a portal the way goes on as it came.
                slopes[2 * j], slopes[2 * j + 1] = slopes[2 * i], slopes[2 * i + 1]
                continue
            dx, dy = nodes[NODE * j] - nodes[f], nodes[NODE * j + 1] - nodes[f + 1]
            dist = math.sqrt(dx * dx + dy * dy)
            if dist > 0.0:
                _slope(j, dx, dy, dist, graph.costs[k] / dist, search)
            slopes[2 * j + 1] = 0.0


@kernel
def _from_node(i: int, d: float, search: DijkstraSearch) -> None:
    """Go on from node i, had at cost d, by straight legs to nodes and to arcs."""
    limit, graph, costs, near, areas, clear = search
    nodes, arcs, cost, slopes = graph.nodes, graph.arcs, costs.cost, costs.slopes
    f = NODE * i
    x, y = nodes[f], nodes[f + 1]
    curve = graph.curves[i]
    free = i == len(graph.curves) - 1 or (nodes[f + UX] == 0.0 and nodes[f + UY] == 0.0)
    m = 0
    while m < near.counts[2]:
        j = near.nodes[m]
        if cost[j] <= d:
            _drop(m, near)
            continue
        m += 1
        g = NODE * j
        dx, dy = nodes[g] - x, nodes[g + 1] - y
        low = nodes[g + LOW]
        far = (min(cost[j], limit + 1e-9) - d) / low
        if dx * dx + dy * dy >= far * far or (
            curve >= 0 and curve == graph.curves[j] and nodes[g + BEND] == 0.0
        ):
            continue
        dist = math.sqrt(dx * dx + dy * dy)
        if d + low * dist >= cost[j] - TIE or d + low * dist > limit or dist < NEAR:
            continue
        if not free:
            low = leaves(i, dx, dy, dist, nodes, slopes)
            if low < 0.0 or not faces_border(j, dx, dy, low, nodes):
                continue
            if d + low * dist >= cost[j] - TIE:
                continue
        # Obstacles first: they are on a grid, borders are not. But where the factor is not known
        # yet, it may well be too dear.
        if not free and not clear_leg(x, y, nodes[g], nodes[g + 1], clear):
            continue
        w = leg_over(x, y, nodes[g], nodes[g + 1], areas)
        c = d + w * dist
        if w < 0.0 or c >= cost[j] - TIE or c > limit:
            continue
        if free and not clear_leg(x, y, nodes[g], nodes[g + 1], clear):
            continue
        cost[j], costs.came[j] = c, i
        _slope(j, dx, dy, dist, w, search)
        _queue(c, j, near)
    for m in range(near.counts[1]):
        a = near.arcs[m]
        g = ARC * a
        cx, cy, radius, w = arcs[g], arcs[g + 1], arcs[g + 2], arcs[g + 5]
        dx, dy = cx - x, cy - y
        d2 = dx * dx + dy * dy
        v = d2 - radius * radius
        if v < -1e-7 * radius:
            continue
        tangent = math.sqrt(v) if v > 0.0 else 0.0
        c = d + w * tangent
        if c > limit:
            continue
        dist = math.sqrt(d2)
        co, si = tangent / dist, min(1.0, radius / dist)
        for sense in (1, -1):
            # The centre of the circle lies on the left of a way that goes on to the left.
            ux, uy = (co * dx + sense * si * dy) / dist, (co * dy - sense * si * dx) / dist
            if (
                not free
                and tangent > 1e-6
                and leaves(i, ux * tangent, uy * tangent, tangent, nodes, slopes) != w
            ):
                continue
            qx, qy = x + tangent * ux, y + tangent * uy
            met = math.atan2(qy - cy, qx - cx)
            place = _meet(a, sense, c, met, graph, costs)
            if place >= 0.0 and (tangent <= NEAR or even_leg(x, y, qx, qy, w, areas, clear)):
                _take_up(a, sense, i, (c, place, x, y, met), search)


@kernel
def _from_arc(s: int, d: float, search: DijkstraSearch) -> None:
    """Go on from state s, had at cost d, round its arc and by tangents to nodes and to arcs."""
    limit, graph, costs, near, areas, clear = search
    nodes, arcs, cost = graph.nodes, graph.arcs, costs.cost
    at = len(graph.curves) + s
    a, sense = costs.arrivals[4 * s], costs.arrivals[4 * s + 1]
    g = STATE * s
    place, angle, ahead = costs.states[g + 1], costs.states[g + 4], costs.states[g + 5]
    f = ARC * a
    cx, cy, radius, w = arcs[f], arcs[f + 1], arcs[f + 2], arcs[f + 5]
    k = 2 * a + (sense > 0)
    if _beaten(a, sense, place, d, graph, costs):
        return
    costs.arrivals[4 * s + 3] = costs.last[k]
    costs.last[k] = s
    costs.kinds[at] = _kind(costs.kinds[costs.arrivals[4 * s + 2]], 4 * k)
    j = graph.ends[3 * a + 1] if sense > 0 else graph.ends[3 * a]
    if j >= 0:
        c = d + w * radius * ahead
        if c < cost[j] - TIE and c <= limit:
            cost[j], costs.came[j] = c, at
            costs.slopes[2 * j] = costs.slopes[2 * j + 1] = 0.0
            _queue(c, j, near)
    m = 0
    while m < near.counts[2]:
        j = near.nodes[m]
        if cost[j] <= d:
            _drop(m, near)
            continue
        m += 1
        g = NODE * j
        dx, dy = nodes[g] - cx, nodes[g + 1] - cy
        d2 = dx * dx + dy * dy
        v = d2 - radius * radius
        far = (min(cost[j], limit + 1e-9) - d) / w
        if v < 0.0 or v >= far * far:
            continue
        tangent = math.sqrt(v)
        if d + w * tangent >= cost[j] - TIE or d + w * tangent > limit:
            continue
        leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
        turned = turned_to(sense, leave, angle)
        if turned > ahead + SLIP:
            continue
        c = d + w * (radius * turned + tangent)
        if c >= cost[j] - TIE or c > limit:
            continue
        px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
        dx, dy = nodes[g] - px, nodes[g + 1] - py
        if not faces_border(j, dx, dy, w, nodes):
            continue
        if tangent > NEAR:
            if not even_leg(px, py, nodes[g], nodes[g + 1], w, areas, clear):
                continue
            _slope(j, dx, dy, tangent, w, search)
        cost[j], costs.came[j] = c, at
        _queue(c, j, near)
    for m in range(near.counts[1]):
        b = near.arcs[m]
        g = ARC * b
        if arcs[g + 5] != w:
            continue
        x2, y2, r2 = arcs[g], arcs[g + 1], arcs[g + 2]
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
            turned = turned_to(sense, leave, angle)
            if turned > ahead + SLIP:
                continue
            v = (dist - q) * (dist + q)
            length = math.sqrt(v) if v > 0.0 else 0.0
            c = d + w * (radius * turned + length)
            if c > limit:
                continue
            met = leave if option == 0 else leave + math.pi
            place = _meet(b, s2, c, met, graph, costs)
            if place < 0.0:
                continue
            px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
            qx, qy = x2 + r2 * math.cos(met), y2 + r2 * math.sin(met)
            if length <= NEAR or even_leg(px, py, qx, qy, w, areas, clear):
                _take_up(b, s2, at, (c, place, px, py, met), search)


@entry()
def spread(sx: float, sy: float, wide: float, search: DijkstraSearch) -> int:
    """Costs to all nodes and arcs that cost `limit` or less; gives how many states, -1: no room.

    sx, sy: the start; it is written in as the last node. wide: how far off it, as coordinates have
    it, nodes and arcs are looked at.
    """
    _, graph, costs, near, areas, _ = search
    nodes, cost = graph.nodes, costs.cost
    count = len(graph.curves)
    n = count - 1
    f = NODE * n
    for c in range(NODE):
        nodes[f + c] = 0.0
    nodes[f], nodes[f + 1] = sx, sy
    nodes[f + LEFT] = nodes[f + RIGHT] = nodes[f + LOW] = areas.factors[0]
    counts = near.counts
    for k in range(5):
        counts[k] = 0
    for j in range(count):
        cost[j] = math.inf
        costs.came[j] = -1
        dx, dy = nodes[NODE * j] - sx, nodes[NODE * j + 1] - sy
        if j < n and dx * dx + dy * dy <= wide * wide:
            near.nodes[counts[0]] = j
            counts[0] += 1
    for a in range(len(graph.ends) // 3):
        costs.last[2 * a] = costs.last[2 * a + 1] = -1
        dx, dy = graph.arcs[ARC * a] - sx, graph.arcs[ARC * a + 1] - sy
        if math.sqrt(dx * dx + dy * dy) - graph.arcs[ARC * a + 2] <= wide:
            near.arcs[counts[1]] = a
            counts[1] += 1
    counts[2] = counts[0]
    cost[n] = 0.0
    heap = [(0.0, n)]
    while len(heap) > 0:
        d, at = heappop(heap)
        counts[4] = 0
        if at >= count:
            _from_arc(at - count, d, search)
        elif d <= cost[at]:
            costs.kinds[at] = _kind_at(at, graph, costs)
            _links(at, d, search)
            _from_node(at, d, search)
        if counts[3] < 0:
            break
        for k in range(counts[4]):
            heappush(heap, (near.costs[k], near.items[k]))
    return counts[3]
