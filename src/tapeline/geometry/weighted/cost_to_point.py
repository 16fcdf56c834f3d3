"""Kernels: what it costs to get to a place, once costs have spread to nodes and arcs.

`place_cost` gives the cheapest of the ways whose last leg comes from a node or an arc as they
stand. Nodes lie apart, so it may take the wrong one of two ways of nearly the same cost: a leg from
between two nodes is cheaper than from either, and much so where the place lies nearer to the border
than nodes to each other. `least_cost` therefore slides the ways of every kind that may be the
cheapest, by what their last leg costs from the best place next to its node.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import entry, kernel
from tapeline.geometry.discs.clearance import leg_free, near_point
from tapeline.geometry.weighted.arrays import (
    AHEAD,
    ARC,
    BEHIND,
    GAP,
    LOW,
    NODE,
    STATE,
    UX,
    UY,
    Areas,
    Spread,
    clear_leg,
    clear_place,
    factor_at,
)
from tapeline.geometry.weighted.node_legs import (
    NEAR,
    SLIP,
    TIE,
    borders_met,
    leaves,
    leg_over,
    turned_to,
)
from tapeline.geometry.weighted.snell import place_along, polish

__all__ = ["About", "Known", "least_cost", "leg_turn", "place_cost", "price_from", "price_place"]

#: Cost: what a way by the nodes may be too dear by, whose last leg comes from the best place.
_UNSURE = 0.004


class About(NamedTuple):
    """A circle in which a place lies, for which is kept what is seen of it; radius 0: none."""

    x: float
    y: float
    radius: float


class Known(NamedTuple):
    """What is known of a place beforehand.

    free: that it is. factor: the one there, if no border is near, else 0. about: a circle that it
    lies in, for which `seen` of the sources is kept, 0 each at first.
    """

    free: bool
    factor: float
    about: About


@kernel
def _on_border(x: float, y: float, areas: Areas) -> bool:
    """Whether a point is on a border, as near as can be told."""
    borders, circles = areas.borders, areas.circles
    for k in range(0, len(borders), 5):
        if borders[k + 4] == 0.0 and (
            near_point(x, y, borders[k], borders[k + 1], borders[k + 2], borders[k + 3])
            <= NEAR * NEAR
        ):
            return True
    for k in range(0, len(circles), 4):
        ux, uy = x - circles[k], y - circles[k + 1]
        if abs(math.sqrt(ux * ux + uy * uy) - circles[k + 2]) <= NEAR:
            return True
    return False


@kernel
def _factor(x: float, y: float, known: float, areas: Areas) -> float:
    """The factor at a point, -1 on a border. known: what it is, 0 for not known."""
    if known != 0.0:
        return known
    return -1.0 if _on_border(x, y, areas) else factor_at(x, y, areas)


@kernel
def _leaving(i: int, dx: float, dy: float, dist: float, here: float, spread: Spread) -> float:
    """The factor of a last leg from node i to a place dx, dy away; -1 if there can be none."""
    f, nodes = NODE * i, spread.graph.nodes
    w = max(here, nodes[f + LOW])
    beside = dist <= NEAR or (here < 0.0 and dist <= nodes[f + GAP])
    if not beside and (nodes[f + UX] != 0.0 or nodes[f + UY] != 0.0):
        w = leaves(i, dx, dy, dist, nodes, spread.costs.slopes)
        if here > 0.0 and w != here:
            return -1.0
    return w


@kernel
def _off_arc(s: int, x: float, y: float, here: float, limit: float, spread: Spread) -> float:
    """What a way costs whose last leg leaves the arc of state s; infinity if there can be none."""
    arcs, states, arrivals = spread.graph.arcs, spread.costs.states, spread.costs.arrivals
    a, sense, g = ARC * arrivals[4 * s], arrivals[4 * s + 1], STATE * s
    w = arcs[a + 5]
    if here > 0.0 and w != here:
        return math.inf
    radius = arcs[a + 2]
    dx, dy = x - arcs[a], y - arcs[a + 1]
    v = dx * dx + dy * dy - radius * radius
    if v < -1e-7 * radius:
        return math.inf
    tangent = math.sqrt(v) if v > 0.0 else 0.0
    c = states[g] + w * tangent
    if c > limit:
        return math.inf
    leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
    turned = turned_to(sense, leave, states[g + 4])
    return c + w * radius * turned if turned <= states[g + 5] + SLIP else math.inf


@kernel
def _from(s: int, x: float, y: float, spread: Spread) -> tuple[float, float]:
    """Where the last leg to a place begins, from a node or from a state counted on from them."""
    graph, costs = spread.graph, spread.costs
    count = len(graph.curves)
    if s < count:
        return graph.nodes[NODE * s], graph.nodes[NODE * s + 1]
    s -= count
    a, sense = ARC * costs.arrivals[4 * s], costs.arrivals[4 * s + 1]
    cx, cy, radius = graph.arcs[a], graph.arcs[a + 1], graph.arcs[a + 2]
    dx, dy = x - cx, y - cy
    v = dx * dx + dy * dy - radius * radius
    tangent = math.sqrt(v) if v > 0.0 else 0.0
    leave = math.atan2(dy, dx) - sense * math.atan2(tangent, radius)
    return cx + radius * math.cos(leave), cy + radius * math.sin(leave)


@kernel
def _paid(
    s: int, px: float, py: float, x: float, y: float, here: float, told: float, spread: Spread
) -> float:
    """What a way costs with a free last leg from p, of s, to a place of factor `here`.

    told: what one from an arc does. Infinity if the leg crosses a border.
    """
    met = borders_met(px, py, x, y, spread.areas)
    if met < 0:
        return math.inf
    w = here if met == 0 and here > 0.0 else leg_over(px, py, x, y, spread.areas)
    if w < 0.0:
        return math.inf
    dist = math.sqrt((x - px) * (x - px) + (y - py) * (y - py))
    count = len(spread.graph.curves)
    if s < count:
        return spread.costs.cost[s] + w * dist
    arc = spread.costs.arrivals[4 * (s - count)]
    return told if w == spread.graph.arcs[ARC * arc + 5] or dist <= NEAR else math.inf


@kernel
def leg_turn(far: float, radius: float, rho: float) -> float:
    """By how much tangents from a circle to places of another turn from that to its middle at most.

    far: the distance of their middles, radius and rho theirs. -1 if no such thing can be said.
    """
    v = (far - rho) ** 2 - radius * radius
    if far <= rho or v <= 0.0:
        return -1.0
    return math.asin(rho / far) + rho * radius / ((far - rho) * math.sqrt(v))


@kernel
def _seen(s: int, about: About, spread: Spread) -> int:
    """Whether last legs from a node or an arc to places of a circle are free.

    1 none is, 2 all are, 3 not told. No place of such a leg is farther than `off` from the same
    fraction of the leg to the middle, so obstacles grown by as much less, or more, tell.
    """
    graph, (mx, my, off) = spread.graph, about
    count = len(graph.curves)
    if s >= count:
        a = ARC * spread.costs.arrivals[4 * (s - count)]
        radius = graph.arcs[a + 2]
        far = math.sqrt((mx - graph.arcs[a]) ** 2 + (my - graph.arcs[a + 1]) ** 2)
        turned = leg_turn(far, radius, off)
        if turned < 0.0:
            return 3
        off = max(off, radius * turned)
    px, py = _from(s, mx, my, spread)
    r, slack, board = spread.clear
    if off < r and not leg_free(px, py, mx, my, r - off, slack, board):
        return 1
    # An arc touches its own obstacle.
    if s < count and leg_free(px, py, mx, my, r + off, slack, board):
        return 2
    return 3


@kernel
def place_cost(x: float, y: float, limit: float, known: Known, spread: Spread) -> float:
    """What it costs to get to a place, infinity if more than the limit or not free.

    Notes where the last leg comes from, -1 for nowhere.
    """
    graph, costs, sources, tried = spread.graph, spread.costs, spread.sources, spread.tried
    seen, found, about = spread.seen, spread.way.found, known.about
    nodes, states = sources.counts[0], sources.counts[1]
    found[0] = -1
    if not known.free and not clear_place(x, y, spread.clear):
        return math.inf
    count = len(graph.curves)
    here = _factor(x, y, known.factor, spread.areas)
    best, at = math.inf, -1
    for k in range(nodes):
        tried[k] = math.inf
        i = sources.nodes[k]
        d = costs.cost[i]
        if d > limit or (about.radius > 0.0 and seen[k] == 1):
            continue
        dx, dy = x - graph.nodes[NODE * i], y - graph.nodes[NODE * i + 1]
        dist = math.sqrt(dx * dx + dy * dy)
        if d + max(here, graph.nodes[NODE * i + LOW]) * dist > limit:
            continue
        w = _leaving(i, dx, dy, dist, here, spread)
        if w < 0.0:
            continue
        c = d + w * dist
        tried[k] = c
        if c < best:
            best, at = c, k
    for k in range(nodes, nodes + states):
        tried[k] = math.inf
        if about.radius > 0.0 and seen[k] == 1:
            continue
        c = _off_arc(sources.states[k - nodes], x, y, here, limit, spread)
        if c > limit:
            continue
        tried[k] = c
        if c < best:
            best, at = c, k
    while best <= limit:
        s = sources.nodes[at] if at < nodes else count + sources.states[at - nodes]
        # Obstacles first: they are on a grid, borders are not.
        tried[at] = math.inf
        sight = 3
        if about.radius > 0.0:
            if seen[at] == 0:
                seen[at] = _seen(s, about, spread)
            sight = seen[at]
        px, py = _from(s, x, y, spread)
        if sight == 2 or (sight == 3 and clear_leg(px, py, x, y, spread.clear)):
            c = _paid(s, px, py, x, y, here, best, spread)
            if c <= best + TIE:
                found[0] = s
                return best
            tried[at] = c
        best, at = math.inf, -1
        for k in range(nodes + states):
            if tried[k] < best:
                best, at = tried[k], k
    return math.inf


@kernel
def price_from(s: int, x: float, y: float, limit: float, known: float, spread: Spread) -> float:
    """What it costs to get to a free place from one node, or state counted on from the nodes.

    Infinity if there is no such way. known: the factor there, 0 for not known.
    """
    graph, costs = spread.graph, spread.costs
    count = len(graph.curves)
    here = _factor(x, y, known, spread.areas)
    if s < count:
        dx, dy = x - graph.nodes[NODE * s], y - graph.nodes[NODE * s + 1]
        dist = math.sqrt(dx * dx + dy * dy)
        w = _leaving(s, dx, dy, dist, here, spread)
        c = costs.cost[s] + w * dist if w > 0.0 else math.inf
    else:
        c = _off_arc(s - count, x, y, here, limit, spread)
    if c > limit:
        return math.inf
    px, py = _from(s, x, y, spread)
    if not clear_leg(px, py, x, y, spread.clear):
        return math.inf
    return _paid(s, px, py, x, y, here, c, spread)


@kernel
def _slid(i: int, x: float, y: float, w: float, spread: Spread) -> float:
    """What a way costs whose last leg comes from the best place of its border next to node i.

    w: the factor of that leg. As cost grows at the node, so not too much: it grows faster on both
    sides.
    """
    f, nodes, cost = NODE * i, spread.graph.nodes, spread.costs.cost
    ux, uy = nodes[f + UX], nodes[f + UY]
    dx, dy = x - nodes[f], y - nodes[f + 1]
    c = cost[i] + w * math.sqrt(dx * dx + dy * dy)
    if ux == 0.0 and uy == 0.0:
        return c
    slope, far = spread.costs.slopes[2 * i], nodes[f + GAP]
    t = -far if slope > 0.0 else far
    if abs(slope) < w:
        t = ux * dx + uy * dy - abs(ux * dy - uy * dx) * slope / math.sqrt(w * w - slope * slope)
        t = min(max(t, -far), far)
    t = min(max(t, -nodes[f + BEHIND]), nodes[f + AHEAD])
    px, py = place_along(i, t, nodes)
    return min(c, cost[i] + slope * t + w * math.sqrt((x - px) ** 2 + (y - py) ** 2))


@kernel
def least_cost(
    x: float, y: float, known: float, rough: float, enough: float, spread: Spread
) -> float:
    """What it costs to get to a place by the cheapest way, all that may be it slid.

    rough: as `place_cost` has just found it; known: the factor given to that. enough: no more
    is looked for below this. The way is that of the last one slid, which is the cheapest unless
    what is given is no more than `enough`.
    """
    graph, costs, sources = spread.graph, spread.costs, spread.sources
    kinds, tried, found = costs.kinds, spread.tried, spread.way.found
    nodes, states = sources.counts[0], sources.counts[1]
    count = len(graph.curves)
    here = _factor(x, y, known, spread.areas)
    first = last = found[0]
    price = rough
    best = polish(x, y, rough, first, spread)
    if best <= enough:
        return best
    others = 0
    for k in range(nodes):
        tried[k] = math.inf
        i = sources.nodes[k]
        f = NODE * i
        dx, dy = x - graph.nodes[f], y - graph.nodes[f + 1]
        dist = math.sqrt(dx * dx + dy * dy)
        low = max(here, graph.nodes[f + LOW])
        if kinds[i] == kinds[first] or (
            costs.cost[i] + low * (dist - graph.nodes[f + GAP]) > best + _UNSURE
        ):
            continue
        w = _leaving(i, dx, dy, dist, here, spread)
        if w < 0.0:
            continue
        c = _slid(i, x, y, w, spread)
        if c <= best + _UNSURE:
            tried[k] = c
            others += 1
    for k in range(nodes, nodes + states):
        tried[k] = math.inf
        s = sources.states[k - nodes]
        if kinds[count + s] == kinds[first] or costs.states[STATE * s] > best + _UNSURE:
            continue
        c = _off_arc(s, x, y, here, best + _UNSURE, spread)
        if c <= best + _UNSURE:
            tried[k] = c
            others += 1
    while others > 0:
        c, at = math.inf, -1
        for k in range(nodes + states):
            if tried[k] < c:
                c, at = tried[k], k
        if c > best + _UNSURE:
            break
        tried[at] = math.inf
        others -= 1
        s = sources.nodes[at] if at < nodes else count + sources.states[at - nodes]
        px, py = _from(s, x, y, spread)
        if not clear_leg(px, py, x, y, spread.clear):
            continue
        paid = _paid(s, px, py, x, y, here, c, spread)
        if paid == math.inf:
            continue
        for k in range(nodes + states):
            if tried[k] < math.inf:
                other = sources.nodes[k] if k < nodes else count + sources.states[k - nodes]
                if kinds[other] == kinds[s]:
                    tried[k] = math.inf
                    others -= 1
        c = polish(x, y, paid, s, spread)
        last = s
        if c < best:
            best, first, price = c, s, paid
            found[0] = s
            if best <= enough:
                return best
    if last != first:
        best = polish(x, y, price, first, spread)
    return best


@entry()
def price_place(x: float, y: float, limit: float, spread: Spread) -> float:
    """What it costs to get to a place, infinity if more than the limit; notes the way there."""
    if not clear_place(x, y, spread.clear):
        return math.inf
    rough = place_cost(x, y, limit, Known(True, 0.0, About(x, y, 0.0)), spread)
    return least_cost(x, y, 0.0, rough, 0.0, spread) if rough <= limit else math.inf
