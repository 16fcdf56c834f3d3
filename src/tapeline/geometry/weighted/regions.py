"""Ground areas with a cost factor: what a length of path costs, and where the factor changes.

A path costs the sum of factor times length of the centre. Where areas overlap the greatest factor
counts; outside all areas it is 1. On a border, and so along it, the cheaper of both sides counts:
two areas that share an edge leave no cheap crack between them, and the edge of a lone area is as
cheap as the ground outside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tapeline.errors import ShapeError
from tapeline.geometry.plane.checks import checked, oriented
from tapeline.geometry.plane.distance import point_in_ring, point_segment, sides_of
from tapeline.geometry.plane.grid import Box, boxes_meet
from tapeline.geometry.plane.legs import Leg, Line, Path, box_of
from tapeline.geometry.plane.sweeps import _crossings_circle, _crossings_line, nearest_to_point

__all__ = [
    "CostedLeg",
    "WeightedArea",
    "WeightedDisc",
    "WeightedGround",
    "WeightedRing",
    "meets_circle",
    "meets_line",
    "meets_point",
]

#: Length: a point this near a border is on it.
_ON = 1e-9
#: Length: how far beside a border its two sides are looked at.
_BESIDE = 1e-6


@dataclass(frozen=True, slots=True)
class WeightedRing:
    """A simple polygon (either way round) whose ground costs `factor` (>= 1) times its length."""

    ring: tuple[float, ...]
    factor: float


@dataclass(frozen=True, slots=True)
class WeightedDisc:
    """A circle whose ground costs `factor` (>= 1) times its length."""

    x: float
    y: float
    radius: float
    factor: float


WeightedArea: TypeAlias = WeightedRing | WeightedDisc


@dataclass(frozen=True, slots=True)
class CostedLeg:
    """A line of the ledger: a leg on ground of one factor, and its cost."""

    leg: Leg
    factor: float

    @property
    def cost(self) -> float:
        """Factor times length."""
        return self.factor * self.leg.length


class WeightedGround:
    """Areas by cost factor.

    Raises ShapeError for a factor below 1, nan or infinity, a radius that is not positive, fewer
    than three corners, no area, or edges that cross.
    """

    def __init__(self, areas: Iterable[WeightedArea] = ()) -> None:
        self.areas: list[WeightedArea] = []
        self.boxes: list[Box] = []
        for area in areas:
            if not (math.isfinite(area.factor) and area.factor >= 1.0):
                text = f"a cost factor is a finite number of 1 or more, not {area.factor}"
                raise ShapeError(text)
            if isinstance(area, WeightedDisc):
                x, y, r = area.x, area.y, area.radius
                checked((x, y, r), "slow circle")
                if r <= 0.0:
                    raise ShapeError("a slow circle needs a radius above 0")
                box = (x - r, y - r, x + r, y + r)
            else:
                ring = tuple(oriented(area.ring, "slow area"))
                if _crosses_itself(ring):
                    raise ShapeError("the edges of a slow area must not cross")
                area = WeightedRing(ring, area.factor)
                xs, ys = ring[0::2], ring[1::2]
                box = (min(xs), min(ys), max(xs), max(ys))
            if area.factor > 1.0:
                self.areas.append(area)
                self.boxes.append(box)

    def factor(self, x: float, y: float) -> float:
        """The factor at a point; within 1e-9 of a border that of the cheapest side."""
        return min(self.around(x, y))

    def around(self, x: float, y: float) -> list[float]:
        """The factors of all ground that meets a point, ascending; one inside an area."""
        near = self._near(x, y)
        directions = [a for i in near for a in _directions(self.areas[i], x, y)]
        if not directions:
            return [self._open(x, y, near)]
        directions = sorted(a % math.tau for a in directions)
        directions.append(directions[0] + math.tau)
        found: set[float] = set()
        for a, b in pairwise(directions):
            if b - a > 1e-7:
                t = 0.5 * (a + b)
                found.add(self._open(x + _BESIDE * math.cos(t), y + _BESIDE * math.sin(t), near))
        return sorted(found)

    def beside(
        self, x: float, y: float, angle: float, step: float = _BESIDE
    ) -> tuple[float, float]:
        """The factors just left and just right of a point for one who looks along an angle."""
        nx, ny = -step * math.sin(angle), step * math.cos(angle)
        near = self._near(x, y)
        return self._open(x + nx, y + ny, near), self._open(x - nx, y - ny, near)

    def _near(self, x: float, y: float) -> list[int]:
        """Indices of the areas whose box a point is in, or beside."""
        m = 2.0 * _BESIDE
        return [
            i
            for i, (x0, y0, x1, y1) in enumerate(self.boxes)
            if x0 - m <= x <= x1 + m and y0 - m <= y <= y1 + m
        ]

    def _open(self, x: float, y: float, near: Sequence[int]) -> float:
        """The factor at a point on no border."""
        greatest = 1.0
        for i in near:
            area = self.areas[i]
            if area.factor <= greatest:
                continue
            if isinstance(area, WeightedDisc):
                inside = math.hypot(x - area.x, y - area.y) < area.radius
            else:
                inside = point_in_ring(x, y, area.ring, 0, len(area.ring))
            if inside:
                greatest = area.factor
        return greatest

    def ledger(self, path: Path) -> list[CostedLeg]:
        """The path cut where its factor changes, each piece with its factor; in order."""
        lines: list[CostedLeg] = []
        for leg in path.legs:
            length = leg.length
            if length == 0.0:
                continue
            cuts = {0.0, length}
            box = box_of(leg, _ON)
            for area, other in zip(self.areas, self.boxes, strict=True):
                if boxes_meet(box, other):
                    cuts.update(_cuts(leg, area))
            begin = 0.0
            factor = 0.0
            for a, b in pairwise(sorted(cuts)):
                if b - a <= 1e-10:
                    continue
                f = self._along(leg, 0.5 * (a + b))
                if f != factor:
                    if factor and a > begin:
                        lines.append(CostedLeg(leg.part(begin, a), factor))
                    if factor:
                        begin = a
                    factor = f
            lines.append(CostedLeg(leg if begin == 0.0 else leg.part(begin, length), factor or 1.0))
        return lines

    def _along(self, leg: Leg, travelled: float) -> float:
        x, y = leg.at(travelled)
        near = self._near(x, y)
        if not any(_directions(self.areas[i], x, y) for i in near):
            return self._open(x, y, near)
        if isinstance(leg, Line):
            angle = math.atan2(leg.by - leg.ay, leg.bx - leg.ax)
        else:
            angle = leg.angle(travelled) + 0.5 * math.pi
        return min(self.beside(x, y, angle))

    def cost(self, path: Path) -> float:
        """What a path costs."""
        return math.fsum(line.cost for line in self.ledger(path))


def _crosses_itself(ring: Sequence[float]) -> bool:
    corners = list(zip(ring[0::2], ring[1::2], strict=True))
    edges = [(*a, *b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    n = len(edges)
    return any(
        (i or j < n - 1) and _cross(edges[i], edges[j]) for i in range(n) for j in range(i + 2, n)
    )


def _cross(e: tuple[float, float, float, float], f: tuple[float, float, float, float]) -> bool:
    def side(s: tuple[float, float, float, float], x: float, y: float) -> float:
        return (s[2] - s[0]) * (y - s[1]) - (s[3] - s[1]) * (x - s[0])

    a, b = side(e, f[0], f[1]), side(e, f[2], f[3])
    c, d = side(f, e[0], e[1]), side(f, e[2], e[3])
    return a * b < 0.0 and c * d < 0.0


def _directions(area: WeightedArea, x: float, y: float) -> list[float]:
    """The directions in which the border of an area leaves a point on it; none off it."""
    found: list[float] = []
    if isinstance(area, WeightedDisc):
        dx, dy = x - area.x, y - area.y
        if abs(math.hypot(dx, dy) - area.radius) <= _ON:
            t = math.atan2(dy, dx) + 0.5 * math.pi
            found += [t, t + math.pi]
        return found
    for ax, ay, bx, by in sides_of(area.ring):
        if (
            min(ax, bx) - _ON <= x <= max(ax, bx) + _ON
            and min(ay, by) - _ON <= y <= max(ay, by) + _ON
            and point_segment(x, y, ax, ay, bx, by)[0] <= _ON
        ):
            t = math.atan2(by - ay, bx - ax)
            if math.hypot(bx - x, by - y) > _BESIDE:
                found.append(t)
            if math.hypot(ax - x, ay - y) > _BESIDE:
                found.append(t + math.pi)
    return found


def meets_line(leg: Leg, ax: float, ay: float, bx: float, by: float) -> list[float]:
    """Lengths along a leg at which it crosses a segment."""
    return [
        s
        for s in _crossings_line(leg, ax, ay, bx - ax, by - ay)
        if point_segment(*leg.at(s), ax, ay, bx, by)[0] <= 2.0 * _ON
    ]


def meets_point(leg: Leg, x: float, y: float, radius: float = 0.0) -> list[float]:
    """The length along a leg at which it comes closest to a point, if it touches a circle there."""
    near = nearest_to_point(leg, x, y)
    return [near.travelled] if abs(near.distance - radius) <= 2.0 * _ON else []


def meets_circle(leg: Leg, x: float, y: float, radius: float) -> list[float]:
    """Lengths along a leg at which it crosses a circle or touches it."""
    return [*_crossings_circle(leg, x, y, radius), *meets_point(leg, x, y, radius)]


def _cuts(leg: Leg, area: WeightedArea) -> list[float]:
    """Lengths along a leg at which it meets the border of an area."""
    if isinstance(area, WeightedDisc):
        return meets_circle(leg, area.x, area.y, area.radius)
    cuts = []
    for ax, ay, bx, by in sides_of(area.ring):
        cuts += meets_line(leg, ax, ay, bx, by)
        cuts += meets_point(leg, bx, by)
    return cuts
