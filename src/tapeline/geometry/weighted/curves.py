"""The curves a least-cost path may touch: borders between factors, and free arcs round obstacles.

Every border of an area is cut where it meets another border, an obstacle grown by the disc, or the
table's border; kept are the stretches whose two sides differ in factor. Free arcs of the
obstacles' circles are cut where they meet a border, so that each runs over one factor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tapeline.geometry.discs.board import SLACK
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import Goal, ShortestPath
from tapeline.geometry.discs.obstacles import Circle, Wall
from tapeline.geometry.discs.scratch import listed, rows_of
from tapeline.geometry.discs.shortest_path import Query, shortest
from tapeline.geometry.plane.distance import sides_of
from tapeline.geometry.plane.grid import Box, boxes_meet
from tapeline.geometry.plane.legs import Arc, Leg, Line, box_of
from tapeline.geometry.weighted.regions import (
    WeightedDisc,
    WeightedGround,
    meets_circle,
    meets_line,
    meets_point,
)

__all__ = ["Curve", "GrownObstacles", "arcs_of", "borders_of", "cut_at"]

#: Length: stretches shorter than this are none.
_SHORT = 1e-9
#: Length: what is no farther apart may meet.
_NEAR = 1e-8


class GrownObstacles:
    """The obstacles of a field, and of zones, as grown for a disc of one radius.

    edges: ax, ay, bx, by and how far the centre keeps from them. discs: likewise grown. grounds:
    rings that the centre keeps out of. box: where it may be. circles: those it may run round.
    """

    def __init__(
        self, field: Field, r: float, zones: Iterable[Circle] = (), slack: float = SLACK
    ) -> None:
        self.field, self.r, self.zones, self.slack = field, r, tuple(zones), slack
        self.query = query = Query(field, r, self.zones, slack)
        W, J, E, D, _, _, _, R, Q = query.board
        self.edges: list[Wall] = [(ax, ay, bx, by, g + r) for ax, ay, bx, by, g in rows_of(E, 5)]
        self.discs: list[Circle] = [(x, y, g + r) for x, y, g in rows_of(D, 3) if g + r > 0.0]
        self.grounds: list[list[float]] = [listed(R[Q[i] + 4 : Q[i + 1]]) for i in range(int(J[4]))]
        self.box: Box = (
            float(W[5]) + r, float(W[6]) + r, float(W[7]) - r, float(W[8]) - r,
        )  # fmt: skip
        rows = zip(rows_of(query.circles.discs, 3), query.circles.counts, strict=True)
        self.circles: list[Circle] = [(x, y, g) for (x, y, g), count in rows if count != 0]

    def free(self, x: float, y: float) -> bool:
        """Whether the centre may be at a point."""
        return bool(self.query.standable(x, y))

    def straight(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """Whether the centre may go straight from one free point to another."""
        query = self.query
        return bool(query.kernels.leg_free(ax, ay, bx, by, self.r, self.slack, query.board))

    def shortest(
        self, start: tuple[float, float], goals: Sequence[Goal], limit: float = math.inf
    ) -> ShortestPath | None:
        """The shortest route, whatever the ground."""
        found = shortest(
            self.field, start, goals, self.r, limit=limit, zones=self.zones, slack=self.slack
        )
        return found.route

    def arcs(self, x: float, y: float, radius: float) -> list[tuple[float, float]]:
        """The free arcs of a circle, as angles from and to."""
        return self.query.arcs(x, y, radius, self.slack)


@dataclass(frozen=True, slots=True)
class Curve:
    """A stretch with one factor on each side, for one who runs along it.

    circle: which obstacle's circle (>= 0) or area's circle (< -1) it lies on, -1 for none. closed:
    a whole circle. free: the disc's centre may be there.
    """

    leg: Leg
    left: float
    right: float
    circle: int = -1
    closed: bool = False
    free: bool = True

    @property
    def along(self) -> float:
        """The factor of a path along it."""
        return min(self.left, self.right)


def _meets(leg: Leg, other: Leg) -> list[float]:
    """Lengths along a leg where it meets, or begins or ceases to run along, another."""
    if isinstance(other, Line):
        return _meets_segment(leg, other.ax, other.ay, other.bx, other.by)
    return meets_circle(leg, other.cx, other.cy, other.radius)


def _meets_segment(leg: Leg, ax: float, ay: float, bx: float, by: float) -> list[float]:
    found = meets_line(leg, ax, ay, bx, by)
    return [*found, *meets_point(leg, ax, ay), *meets_point(leg, bx, by)]


def _outlines(ground: WeightedGround) -> list[tuple[Leg, int]]:
    """Edges and circles of all areas, each once, with the number of its circle."""
    found: dict[tuple[float, ...], tuple[Leg, int]] = {}
    for number, area in enumerate(ground.areas):
        if isinstance(area, WeightedDisc):
            found.setdefault(
                (area.x, area.y, area.radius),
                (Arc(area.x, area.y, area.radius, 0.0, math.tau), -2 - number),
            )
            continue
        for ax, ay, bx, by in sides_of(area.ring):
            key = (ax, ay, bx, by) if (ax, ay) < (bx, by) else (bx, by, ax, ay)
            found.setdefault(key, (Line(ax, ay, bx, by), -1))
    return list(found.values())


def borders_of(ground: WeightedGround, obstacles: GrownObstacles) -> list[Curve]:
    """The stretches of border whose sides differ in factor, free ones and others."""
    outlines = _outlines(ground)
    boxes = [box_of(leg) for leg, _ in outlines]
    curves: list[Curve] = []
    for number, (leg, circle) in enumerate(outlines):
        box = boxes[number]
        length = leg.length
        cuts = [0.0, length, *_obstacle_cuts(leg, box, obstacles)]
        for k, (other, _) in enumerate(outlines):
            if k != number and boxes_meet(boxes[k], box, _NEAR):
                cuts += _meets(leg, other)
        found: list[tuple[float, float, float, float, bool]] = []
        for begin, end in pairwise(sorted(cuts)):
            if end - begin <= _SHORT:
                continue
            middle = 0.5 * (begin + end)
            x, y = leg.at(middle)
            left, right = ground.beside(x, y, _heading(leg, middle))
            if left == right:
                continue
            free = obstacles.free(x, y)
            last = found[-1] if found else None
            if last and begin - last[1] <= _SHORT and last[2:] == (left, right, free):
                found[-1] = (last[0], end, left, right, free)
            else:
                found.append((begin, end, left, right, free))
        if isinstance(leg, Arc) and found:
            first, last = found[0], found[-1]
            if len(found) == 1 and first[1] - first[0] >= length - _SHORT:
                curves.append(Curve(leg, *first[2:4], circle, True, first[4]))
                continue
            if first[0] == 0.0 and last[1] == length and first[2:] == last[2:] and len(found) > 1:
                found[0] = (last[0] - length, first[1], *first[2:])
                found.pop()
            for begin, end, left, right, free in found:
                arc = Arc(
                    leg.cx, leg.cy, leg.radius, begin / leg.radius, (end - begin) / leg.radius
                )
                curves.append(Curve(arc, left, right, circle, False, free))
            continue
        curves += [Curve(leg.part(a, b), f, g, -1, False, free) for a, b, f, g, free in found]
    return curves


def _heading(leg: Leg, travelled: float) -> float:
    if isinstance(leg, Line):
        return math.atan2(leg.by - leg.ay, leg.bx - leg.ax)
    return leg.angle(travelled) + math.copysign(0.5 * math.pi, leg.sweep)


def _obstacle_cuts(leg: Leg, box: Box, obstacles: GrownObstacles) -> list[float]:
    """Lengths along a leg where it meets the border of a grown obstacle or of the table."""
    cuts: list[float] = []
    for ax, ay, bx, by, g in obstacles.edges:
        near = (min(ax, bx) - g, min(ay, by) - g, max(ax, bx) + g, max(ay, by) + g)
        if not boxes_meet(near, box, _NEAR):
            continue
        d = math.hypot(bx - ax, by - ay)
        if d > 0.0:
            nx, ny = (ay - by) / d * g, (bx - ax) / d * g
            cuts += _meets_segment(leg, ax + nx, ay + ny, bx + nx, by + ny)
            cuts += _meets_segment(leg, ax - nx, ay - ny, bx - nx, by - ny)
        if g > 0.0:
            cuts += meets_circle(leg, ax, ay, g)
            cuts += meets_circle(leg, bx, by, g)
    for x, y, r in obstacles.discs:
        if boxes_meet((x - r, y - r, x + r, y + r), box, _NEAR):
            cuts += meets_circle(leg, x, y, r)
    for ring in obstacles.grounds:
        for side in sides_of(ring):
            cuts += _meets_segment(leg, *side)
    # A line across the leg's box stands for each side of the table.
    wide = (box[0] - 1.0, box[1] - 1.0, box[2] + 1.0, box[3] + 1.0)
    for x in (obstacles.box[0], obstacles.box[2]):
        if wide[0] < x < wide[2]:
            cuts += _meets_segment(leg, x, wide[1], x, wide[3])
    for y in (obstacles.box[1], obstacles.box[3]):
        if wide[1] < y < wide[3]:
            cuts += _meets_segment(leg, wide[0], y, wide[2], y)
    return cuts


def cut_at(leg: Leg, borders: list[Curve]) -> list[float]:
    """Lengths, ascending, at which a leg meets borders; its ends included."""
    box = box_of(leg)
    cuts = [0.0, leg.length]
    for curve in borders:
        if boxes_meet(box_of(curve.leg), box, _NEAR):
            cuts += _meets(leg, curve.leg)
    kept: list[float] = []
    for s in sorted(cuts):
        if not kept or s - kept[-1] > _SHORT:
            kept.append(s)
    return kept


def arcs_of(
    obstacles: GrownObstacles, index: int, ground: WeightedGround, borders: list[Curve]
) -> list[Curve]:
    """The free arcs of an obstacle's circle, each over ground of one factor."""
    cx, cy, radius = obstacles.circles[index]
    found = []
    for begin, end in obstacles.arcs(cx, cy, radius):
        whole = end - begin >= math.tau - 1e-9
        arc = Arc(cx, cy, radius, begin, min(end - begin, math.tau))
        cuts = cut_at(arc, borders)
        if whole and len(cuts) > 2:
            # Begin at a border, so that no two arcs meet elsewhere.
            arc = Arc(cx, cy, radius, begin + cuts[1] / radius, math.tau)
            cuts = cut_at(arc, borders)
            whole = False
        for a, b in pairwise(cuts):
            piece = arc.part(a, b)
            middle = 0.5 * piece.length
            x, y = piece.at(middle)
            inner, outer = ground.beside(x, y, _heading(piece, middle))
            found.append(Curve(piece, inner, outer, index, whole))
    return found
