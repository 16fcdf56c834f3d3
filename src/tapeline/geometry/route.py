"""Shortest paths of a disc among solids, walls and discs: straight tangents and true arcs.

The centre of the disc moves as a point among obstacles grown by its radius. A shortest path is
made of common tangents of the circles about convex corners and discs, and of arcs of those
circles. The search goes from circle to circle (Dijkstra with a lower bound to the goal); a tangent
is tested only when it is taken up, and the free arcs of a circle are worked out when it is first
reached.

Source: the tangent-graph view of shortest paths among discs and polygons, as in de Berg et al.,
Computational Geometry, chapter 15, with arcs in the place of corners.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeAlias

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.distance import (
    Ring,
    point_in_ring,
    point_ring,
    point_segment,
    segment_segment,
)
from tapeline.geometry.grid import Box, Grid
from tapeline.geometry.legs import Arc, Leg, Line, Path

__all__ = ["CircleGoal", "Goal", "PointGoal", "Route", "Router", "Wall"]

#: ax, ay, bx, by, growth: the centre keeps `growth` away from the segment.
Wall: TypeAlias = tuple[float, float, float, float, float]
#: x, y, radius: the centre stays out of it.
Disc: TypeAlias = tuple[float, float, float]

_TAU = math.tau
#: Angles closer than this are one; a length of 1e-12 at radius 1.
_SAME_ANGLE = 1e-12
#: Arrivals on one arc in one sense that may tie before further ones are dropped.
_TIES = 4


@dataclass(frozen=True, slots=True)
class PointGoal:
    """Reach a point."""

    x: float
    y: float

    def bound(self, x: float, y: float) -> float:
        """A lower bound of the way still to go."""
        return math.hypot(self.x - x, self.y - y)


@dataclass(frozen=True, slots=True)
class CircleGoal:
    """Reach a circle, from outside (outward False) or from inside (outward True).

    shut: angular intervals (from, to), radians counter-clockwise, where it may not be reached;
    their ends may.
    """

    x: float
    y: float
    radius: float
    outward: bool = False
    shut: tuple[tuple[float, float], ...] = ()

    def bound(self, x: float, y: float) -> float:
        """A lower bound of the way still to go."""
        d = math.hypot(self.x - x, self.y - y)
        return max(0.0, self.radius - d if self.outward else d - self.radius)

    def open_at(self, angle: float) -> bool:
        """Whether the circle may be reached at that angle."""
        for begin, end in self.shut:
            t = (angle - begin) % _TAU
            width = end - begin
            if 1e-12 < t < width - 1e-12:
                return False
        return True

    def ends(self) -> list[PointGoal]:
        """The ends of the shut intervals that are themselves open, as points."""
        return [
            PointGoal(self.x + self.radius * math.cos(a), self.y + self.radius * math.sin(a))
            for pair in self.shut
            for a in pair
            if self.open_at(a)
        ]


Goal: TypeAlias = PointGoal | CircleGoal


@dataclass(frozen=True, slots=True)
class Route:
    """A shortest path: its length and legs; goal is the index of the goal it reaches.

    ties: other paths of the same length within 1e-9.
    """

    length: float
    path: Path
    goal: int = 0
    ties: tuple[Route, ...] = ()


@dataclass(slots=True)
class _Node:
    circle: int  # -1: the start
    sense: int
    arc: tuple[float, float] | None
    angle: float  # where it was reached
    cost: float
    leg_from: tuple[float, float]
    leg_to: tuple[float, float]
    leave: float  # angle at which the parent's circle was left
    parent: _Node | None
    goal: int = -1


class Router:
    """Obstacles for discs of one size; ask it for as many routes as you like.

    rings: solid polygons and how far the centre keeps from each (the disc's radius, or 0 for
    ground that only the centre may not enter). walls: segments likewise. discs: round obstacles by
    the radius that the centre keeps from them. border: the box that the centre stays in.
    slack: how deep the centre may be inside an obstacle, to absorb rounding (length).
    Raises ShapeError for nan, infinity or a negative radius.
    """

    def __init__(
        self,
        rings: Iterable[tuple[Ring, float]] = (),
        discs: Iterable[Disc] = (),
        walls: Iterable[Wall] = (),
        border: Box | None = None,
        slack: float = 1e-9,
    ) -> None:
        self.border = border
        self.slack = slack
        self.edges: list[Wall] = list(walls)
        self.grounds: list[Ring] = []
        self.solids: list[tuple[Ring, float]] = []
        self.discs: list[Disc] = []
        circles: dict[tuple[float, float, float], None] = {}
        for ax, ay, bx, by, growth in self.edges:
            circles[(ax, ay, growth)] = None
            circles[(bx, by, growth)] = None
        for ring, growth in rings:
            n = len(ring)
            for i in range(0, n, 2):
                ax, ay = ring[i - 2], ring[i - 1]
                bx, by = ring[i], ring[i + 1]
                cx, cy = ring[(i + 2) % n], ring[(i + 3) % n]
                if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0.0:
                    circles[(bx, by, growth)] = None
                if growth > 0.0:
                    self.edges.append((ax, ay, bx, by, growth))
            if growth > 0.0:
                self.solids.append((ring, growth))
            else:
                self.grounds.append(ring)
        for x, y, radius in discs:
            self.discs.append((x, y, radius))
            if radius > 0.0:
                circles[(x, y, radius)] = None
        self.circles: list[tuple[float, float, float]] = list(circles)
        numbers = [v for edge in self.edges for v in edge] + [v for c in self.circles for v in c]
        numbers += [v for ring in self.grounds for v in ring]
        if not all(math.isfinite(v) for v in numbers) or any(c[2] < 0.0 for c in self.circles):
            raise ShapeError("obstacles need finite coordinates and radii of 0 or more")
        self._edge_grid = Grid([_edge_box(edge) for edge in self.edges])
        self._disc_grid = Grid([(x - r, y - r, x + r, y + r) for x, y, r in self.discs])
        self._ground_grid = Grid([_ring_box(ring, 0.0) for ring in self.grounds])
        self._solid_grid = Grid([_ring_box(ring, g) for ring, g in self.solids])
        self._arcs: dict[int, list[tuple[float, float]]] = {}

    # Is a place, a segment, an arc free?

    def free(self, x: float, y: float) -> bool:
        """Whether the centre may be at a point."""
        slack = self.slack
        box = self.border
        if box is not None and not (
            box[0] - slack <= x <= box[2] + slack and box[1] - slack <= y <= box[3] + slack
        ):
            return False
        here = (x, y, x, y)
        for i in self._edge_grid.near(here):
            ax, ay, bx, by, growth = self.edges[i]
            if point_segment(x, y, ax, ay, bx, by)[0] < growth - slack:
                return False
        for i in self._disc_grid.near(here):
            cx, cy, r = self.discs[i]
            if math.hypot(x - cx, y - cy) < r - slack:
                return False
        for i in self._solid_grid.near(here):
            if point_in_ring(x, y, self.solids[i][0]):
                return False
        return all(
            point_ring(x, y, self.grounds[i])[0] >= -slack for i in self._ground_grid.near(here)
        )

    def segment_free(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """Whether the centre may go straight from one free point to another."""
        slack = self.slack
        box = (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        border = self.border
        if border is not None and not (
            border[0] - slack <= box[0]
            and box[2] <= border[2] + slack
            and border[1] - slack <= box[1]
            and box[3] <= border[3] + slack
        ):
            return False
        for i in self._disc_grid.near(box):
            cx, cy, r = self.discs[i]
            if point_segment(cx, cy, ax, ay, bx, by)[0] < r - slack:
                return False
        for i in self._edge_grid.near(box):
            px, py, qx, qy, growth = self.edges[i]
            if segment_segment(ax, ay, bx, by, px, py, qx, qy)[0] < growth - slack:
                return False
        return all(
            not _enters(self.grounds[i], ax, ay, bx, by, slack) for i in self._ground_grid.near(box)
        )

    def _free_arcs(self, index: int) -> list[tuple[float, float]]:
        """Maximal free arcs of a circle as (from, to); (0, tau) if all of it is free."""
        found = self._arcs.get(index)
        if found is not None:
            return found
        cx, cy, radius = self.circles[index]
        if radius == 0.0:
            found = [(0.0, _TAU)] if self.free(cx, cy) else []
            self._arcs[index] = found
            return found
        box = (cx - radius, cy - radius, cx + radius, cy + radius)
        cuts: list[float] = []
        for i in self._disc_grid.near(box):
            x, y, r = self.discs[i]
            cuts += _circle_circle(cx, cy, radius, x, y, r)
        for i in self._edge_grid.near(box):
            ax, ay, bx, by, growth = self.edges[i]
            cuts += _circle_circle(cx, cy, radius, ax, ay, growth)
            cuts += _circle_circle(cx, cy, radius, bx, by, growth)
            dx, dy = bx - ax, by - ay
            length = math.hypot(dx, dy)
            if length > 0.0:
                nx, ny = -dy / length * growth, dx / length * growth
                cuts += _circle_line(cx, cy, radius, ax + nx, ay + ny, dx, dy)
                cuts += _circle_line(cx, cy, radius, ax - nx, ay - ny, dx, dy)
                # Where an end of the edge takes over from its side: a circle about a corner
                # touches the grown side there without crossing it.
                cuts += _circle_line(cx, cy, radius, ax, ay, nx, ny)
                cuts += _circle_line(cx, cy, radius, bx, by, nx, ny)
        for i in self._ground_grid.near(box):
            ring = self.grounds[i]
            for j in range(0, len(ring), 2):
                ax, ay, bx, by = ring[j - 2], ring[j - 1], ring[j], ring[j + 1]
                cuts += _circle_line(cx, cy, radius, ax, ay, bx - ax, by - ay)
        if self.border is not None:
            x0, y0, x1, y1 = self.border
            for px, py, ux, uy in ((x0, y0, 1, 0), (x0, y1, 1, 0), (x0, y0, 0, 1), (x1, y0, 0, 1)):
                cuts += _circle_line(cx, cy, radius, px, py, float(ux), float(uy))
        if not cuts:
            found = [(0.0, _TAU)] if self.free(cx + radius, cy) else []
            self._arcs[index] = found
            return found
        angles = sorted(a % _TAU for a in cuts)
        found = []
        for i, begin in enumerate(angles):
            end = angles[i + 1] if i + 1 < len(angles) else angles[0] + _TAU
            if end - begin < _SAME_ANGLE:
                continue
            middle = 0.5 * (begin + end)
            if self.free(cx + radius * math.cos(middle), cy + radius * math.sin(middle)):
                if found and begin - found[-1][1] < _SAME_ANGLE:
                    found[-1] = (found[-1][0], end)
                else:
                    found.append((begin, end))
        if len(found) > 1 and abs(found[-1][1] - _TAU - found[0][0]) < _SAME_ANGLE:
            found[0] = (found.pop()[0] - _TAU, found[0][1])
        self._arcs[index] = found
        return found

    def _arc_at(self, index: int, angle: float) -> tuple[float, float] | None:
        slip = 1e-9 + self.slack / max(self.circles[index][2], 1e-3)
        for begin, end in self._free_arcs(index):
            t = (angle - begin) % _TAU
            if t <= end - begin + slip or t >= _TAU - slip:
                return begin, end
        return None

    # The search

    def shortest(
        self,
        start: tuple[float, float],
        goals: Sequence[Goal],
        limit: float = math.inf,
        work: int = 200_000,
    ) -> Route | None:
        """The shortest route from a point to the nearest of the goals, None if there is none.

        limit: routes longer than this are not looked for. work: states made before WorkLimitError.
        Raises ShapeError for coordinates that are not finite.
        """
        sx, sy = start
        if not (math.isfinite(sx) and math.isfinite(sy)):
            raise ShapeError("the start needs finite coordinates")
        if not self.free(sx, sy):
            return None
        targets: list[tuple[Goal, int]] = []
        for number, goal in enumerate(goals):
            targets.append((goal, number))
            if isinstance(goal, CircleGoal):
                targets += [(end, number) for end in goal.ends()]
        arrived: list[_Node] = []
        best = limit
        first = _Node(-1, 0, None, 0.0, 0.0, start, start, 0.0, None)
        heap: list[tuple[float, int, _Node]] = [(0.0, 0, first)]
        made = 0
        reached: dict[tuple[int, int, tuple[float, float]], list[tuple[float, float]]] = {}

        def push(node: _Node, estimate: float) -> None:
            nonlocal made
            made += 1
            if made > work:
                raise WorkLimitError(
                    f"the route search made {work} states without an answer; "
                    "shorten limit or raise work"
                )
            heappush(heap, (estimate, made, node))

        while heap:
            estimate, _, node = heappop(heap)
            if estimate > best + 1e-9:
                break
            if node.parent is not None and not self.segment_free(*node.leg_from, *node.leg_to):
                continue
            if node.goal >= 0:
                best = min(best, node.cost)
                arrived.append(node)
                continue
            if node.circle >= 0 and not self._take(node, reached):
                continue
            self._expand(node, targets, best, push)
        if not arrived:
            return None
        least = min(node.cost for node in arrived)
        routes = _distinct([self._route(node) for node in arrived if node.cost <= least + 1e-9])
        main = routes[0]
        return Route(main.length, main.path, main.goal, tuple(routes[1:]))

    def _take(
        self,
        node: _Node,
        reached: dict[tuple[int, int, tuple[float, float]], list[tuple[float, float]]],
    ) -> bool:
        """Keep a state unless an earlier one on the same arc leads there at no more cost."""
        assert node.arc is not None
        key = (node.circle, node.sense, node.arc)
        radius = self.circles[node.circle][2]
        begin, end = node.arc
        whole = end - begin >= _TAU - 1e-9
        place = _along(node.angle, begin, end, node.sense)
        arrivals = reached.setdefault(key, [])
        equal = 0
        for other, cost in arrivals:
            turned = place - other
            if whole and turned < -1e-9:
                turned += _TAU
            if turned >= -1e-9:
                there = cost + radius * max(0.0, turned)
                if there < node.cost - 1e-9:
                    return False
                if there <= node.cost + 1e-9:
                    equal += 1
        if equal >= _TIES:
            return False
        arrivals.append((place, node.cost))
        return True

    def _expand(
        self,
        node: _Node,
        targets: list[tuple[Goal, int]],
        best: float,
        push: Callable[[_Node, float], None],
    ) -> None:
        if node.circle >= 0:
            cx, cy, radius = self.circles[node.circle]
            assert node.arc is not None
            begin, end = node.arc
            if end - begin >= _TAU - 1e-9:
                ahead = _TAU
            else:
                ahead = (end - node.angle) % _TAU if node.sense > 0 else (node.angle - begin) % _TAU
                if ahead > _TAU - 1e-9:
                    ahead = 0.0
            senses: tuple[int, ...] = (node.sense,)
        else:
            (cx, cy), radius, ahead, senses = node.leg_to, 0.0, 0.0, (1, -1)
        slip = 1e-9 + self.slack / max(radius, 1e-3)

        def turn(leave: float) -> float | None:
            """Angle to go round to where the circle is left, None if the arc ends before."""
            if node.circle < 0:
                return 0.0
            t = (node.sense * (leave - node.angle)) % _TAU
            if t > _TAU - 1e-9:
                t = 0.0
            if radius == 0.0:
                return 0.0
            return t if t <= ahead + slip else None

        for goal, number in targets:
            for leave, qx, qy in _last_legs(cx, cy, radius, node.sense, goal, node.circle < 0):
                t = turn(leave)
                if t is None:
                    continue
                px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
                cost = node.cost + radius * t + math.hypot(qx - px, qy - py)
                if cost <= best + 1e-9:
                    push(
                        _Node(-2, 0, None, 0.0, cost, (px, py), (qx, qy), leave, node, number), cost
                    )
        for index, (x2, y2, r2) in enumerate(self.circles):
            if index == node.circle:
                continue
            dx, dy = x2 - cx, y2 - cy
            d = math.hypot(dx, dy)
            if node.cost + d - radius - r2 > best + 1e-9:
                continue
            towards = math.atan2(dy, dx)
            for sense in senses:
                for sense2 in (sense, -sense) if node.circle >= 0 else (sense,):
                    q = radius - r2 if sense == sense2 else radius + r2
                    if d < abs(q) - max(1e-9, 2.0 * self.slack) or d == 0.0:
                        continue
                    leave = towards - sense * math.acos(max(-1.0, min(1.0, q / d)))
                    t = turn(leave)
                    if t is None:
                        continue
                    length = math.sqrt(max(0.0, (d - q) * (d + q)))
                    cost = node.cost + radius * t + length
                    angle = leave if sense == sense2 else leave + math.pi
                    qx, qy = x2 + r2 * math.cos(angle), y2 + r2 * math.sin(angle)
                    estimate = cost + min(goal.bound(qx, qy) for goal, _ in targets)
                    if estimate > best + 1e-9:
                        continue
                    arc = self._arc_at(index, angle)
                    if arc is None:
                        continue
                    px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
                    push(
                        _Node(
                            index, sense2, arc, angle % _TAU, cost, (px, py), (qx, qy), leave, node
                        ),
                        estimate,
                    )

    def _route(self, node: _Node) -> Route:
        legs: list[Leg] = []
        goal, length = node.goal, node.cost
        here: _Node | None = node
        while here is not None and here.parent is not None:
            parent = here.parent
            if math.dist(here.leg_from, here.leg_to) > 0.0:
                legs.append(Line(*here.leg_from, *here.leg_to))
            if parent.circle >= 0:
                cx, cy, radius = self.circles[parent.circle]
                turned = (parent.sense * (here.leave - parent.angle)) % _TAU
                if turned > _TAU - 1e-9:
                    turned = 0.0
                if radius > 0.0 and turned * radius > 0.0:
                    legs.append(Arc(cx, cy, radius, parent.angle, parent.sense * turned))
            here = parent
        legs.reverse()
        return Route(length, Path(tuple(legs)), goal)


def _along(angle: float, begin: float, end: float, sense: int) -> float:
    """How far into an arc, in the sense it is run through, an angle lies; radians."""
    t = (angle - begin) % _TAU if sense > 0 else (end - angle) % _TAU
    return 0.0 if t > _TAU - 1e-6 and t > end - begin else t


def _last_legs(
    cx: float, cy: float, radius: float, sense: int, goal: Goal, start: bool
) -> list[tuple[float, float, float]]:
    """Ways from a circle (or the start, radius 0) straight to a goal: angle of leaving, end."""
    dx, dy = goal.x - cx, goal.y - cy
    d = math.hypot(dx, dy)
    towards = math.atan2(dy, dx)
    if isinstance(goal, PointGoal):
        if start or radius == 0.0:
            return [(towards, goal.x, goal.y)]
        if d < radius - 1e-9:
            return []
        leave = towards - sense * math.acos(min(1.0, radius / d))
        return [(leave, goal.x, goal.y)]
    if not goal.outward:
        if d < goal.radius + 1e-12 and start:
            inside = d <= goal.radius + 1e-9 and goal.open_at(towards + math.pi)
            return [(towards, cx, cy)] if inside else []
        if start or radius == 0.0:
            leave, ux, uy = towards, dx, dy
            px, py = cx, cy
        else:
            if d < radius - 1e-9:
                return []
            leave = towards - sense * math.acos(min(1.0, radius / d))
            px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
            ux, uy = goal.x - px, goal.y - py
        length = math.hypot(ux, uy)
        if length < goal.radius - 1e-9 or length == 0.0:
            return []
        if not goal.open_at(math.atan2(-uy, -ux)):
            return []
        k = max(0.0, length - goal.radius) / length
        return [(leave, px + k * ux, py + k * uy)]
    # Outward: the last leg runs away from the goal's centre, along a line through it.
    if start or radius == 0.0:
        if d > goal.radius + 1e-9:
            return []
        if d == 0.0:
            angles = [a for pair in goal.shut for a in pair] or [0.0]
            angles = [a for a in angles if goal.open_at(a)]
            return [
                (a, goal.x + goal.radius * math.cos(a), goal.y + goal.radius * math.sin(a))
                for a in angles[:1]
            ]
        if not goal.open_at(towards + math.pi):
            return []
        k = goal.radius / d
        return [(towards + math.pi, goal.x - k * dx, goal.y - k * dy)]
    if d < radius - 1e-9:
        return []
    leave = towards + sense * math.acos(min(1.0, radius / d))
    px, py = cx + radius * math.cos(leave), cy + radius * math.sin(leave)
    ux, uy = px - goal.x, py - goal.y
    length = math.hypot(ux, uy)
    if length > goal.radius + 1e-9 or not goal.open_at(math.atan2(uy, ux)):
        return []
    if length == 0.0:
        ux, uy = -sense * math.sin(leave), sense * math.cos(leave)
        return [(leave, goal.x + goal.radius * ux, goal.y + goal.radius * uy)]
    k = goal.radius / length
    return [(leave, goal.x + k * ux, goal.y + k * uy)]


def _distinct(routes: list[Route]) -> list[Route]:
    """Routes that run differently: compared at quarters of their length."""
    kept: list[tuple[Route, list[tuple[float, float]]]] = []
    for route in sorted(routes, key=lambda r: (r.length, r.goal)):
        if not route.path.legs:
            marks = []
        else:
            marks = [route.path.at(route.length * k / 8) for k in range(1, 9)]
        if not any(
            all(math.dist(a, b) < 1e-6 for a, b in zip(marks, other, strict=False))
            for _, other in kept
        ):
            kept.append((route, marks))
    return [route for route, _ in kept]


def _edge_box(edge: Wall) -> Box:
    ax, ay, bx, by, g = edge
    return min(ax, bx) - g, min(ay, by) - g, max(ax, bx) + g, max(ay, by) + g


def _ring_box(ring: Ring, growth: float) -> Box:
    xs, ys = ring[0::2], ring[1::2]
    return min(xs) - growth, min(ys) - growth, max(xs) + growth, max(ys) + growth


def _enters(ring: Ring, ax: float, ay: float, bx: float, by: float, slack: float) -> bool:
    """Whether a segment goes deeper than slack into a polygon."""
    dx, dy = bx - ax, by - ay
    cuts = [0.0, 1.0]
    n = len(ring)
    px, py = ring[n - 2], ring[n - 1]
    for i in range(0, n, 2):
        qx, qy = ring[i], ring[i + 1]
        ux, uy = qx - px, qy - py
        den = dx * uy - dy * ux
        if den != 0.0:
            t = ((px - ax) * uy - (py - ay) * ux) / den
            if 0.0 < t < 1.0:
                cuts.append(t)
        px, py = qx, qy
    cuts.sort()
    for begin, end in pairwise(cuts):
        t = 0.5 * (begin + end)
        if point_ring(ax + t * dx, ay + t * dy, ring)[0] < -slack:
            return True
    return False


def _circle_circle(
    cx: float, cy: float, radius: float, x: float, y: float, r: float
) -> list[float]:
    dx, dy = x - cx, y - cy
    d = math.hypot(dx, dy)
    if d == 0.0 or d > radius + r or d < abs(radius - r):
        return []
    half = math.acos(max(-1.0, min(1.0, (radius * radius + d * d - r * r) / (2.0 * radius * d))))
    towards = math.atan2(dy, dx)
    return [towards - half, towards + half]


def _circle_line(
    cx: float, cy: float, radius: float, px: float, py: float, ux: float, uy: float
) -> list[float]:
    length = math.hypot(ux, uy)
    if length == 0.0:
        return []
    h = ((px - cx) * uy - (py - cy) * ux) / length
    if abs(h) > radius:
        return []
    normal = math.atan2(-ux, uy)
    half = math.acos(max(-1.0, min(1.0, h / radius)))
    return [normal - half, normal + half]
