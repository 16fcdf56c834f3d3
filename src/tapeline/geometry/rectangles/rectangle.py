"""Rectangles at any facing, and the ground they meet: convex parts, discs, and unions of both.

A `Region` is one feature: the union of its parts. A part is a convex loop grown by a radius,
so one form covers points, discs (one corner), segments (two), convex polygons and rectangles.
A concave polygon is cut into convex parts along diagonals (`convex_decomposition`), which adds no
corner and so loses nothing.

Overlap depth of two convex parts is the least translation that separates them; of a union, the
deepest of its parts. Lengths in table units, angles in radians, counter-clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from tapeline.errors import ShapeError
from tapeline.geometry.backends import blank, chosen, floats, functions
from tapeline.geometry.plane.checks import LARGEST, checked, smallest
from tapeline.geometry.plane.legs import Point
from tapeline.geometry.rectangles.convex_decomposition import convex_parts
from tapeline.geometry.rectangles.separating_axis import (
    depth_of_parts,
    distance_of_loops,
    nearest_on_loop,
    rectangle_loop,
    unit_vector,
)
from tapeline.geometry.rectangles.slide_impact import box_overlap
from tapeline.work import count_work

__all__ = [
    "Overshoot",
    "Part",
    "Point",
    "Rect",
    "Region",
    "Separation",
    "Shape",
    "contact_ends",
    "corners_by_side",
    "farthest_pair",
    "nearest_point",
    "overlaps",
    "overshoots",
    "parts_of",
    "region_of_circle",
    "region_of_polygon",
    "region_of_rect",
    "region_of_segment",
    "separation",
    "table_sides",
    "union_of",
]


@dataclass(frozen=True, slots=True)
class Part:
    """A convex loop grown by a radius; corners flat (x0, y0, x1, y1, ...), counter-clockwise."""

    loop: tuple[float, ...]
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Region:
    """One feature: the union of its parts. `bounds` is (left, bottom, right, top)."""

    parts: tuple[Part, ...]
    bounds: tuple[float, float, float, float]
    outlines: tuple[tuple[float, ...], ...] = ()


#: Length of a side that is long enough anywhere.
_SMALL = smallest(LARGEST, LARGEST)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle: centre, facing (radians), `width` across and `depth` along the facing.

    The facing direction is exact at quarter turns: within 1e-12 rad of a multiple of 90 degrees
    its components are exactly 0 and +-1. loop: corners flat, counter-clockwise: front right, front
    left, rear left, rear right. reach: distance from the centre to a corner.
    Raises ShapeError on numbers that are not finite or beyond LARGEST, and on sides so short that
    two corners would be one point (`smallest`).

    >>> Rect(10, 10, math.pi / 2, 4, 2).corners
    ((12.0, 11.0), (8.0, 11.0), (8.0, 9.0), (12.0, 9.0))
    """

    x: float
    y: float
    facing: float
    width: float
    depth: float
    ux: float = math.nan
    uy: float = math.nan
    loop: tuple[float, ...] = field(init=False, compare=False, repr=False)
    reach: float = field(init=False, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __hash__(self) -> int:
        # Worked out once: what is known of rectangles is found by them.
        return self._hash

    def __post_init__(self) -> None:
        # Looked at one by one only where not all are plainly good: many are made.
        if not (
            -LARGEST <= self.x <= LARGEST
            and -LARGEST <= self.y <= LARGEST
            and -LARGEST <= self.facing <= LARGEST
            and _SMALL < self.width <= LARGEST
            and _SMALL < self.depth <= LARGEST
        ):
            given = (self.x, self.y, self.facing, self.width, self.depth)
            checked(given, "rectangle")
            least = smallest(self.x, self.y)
            if self.width < least or self.depth < least:
                sides = f"{self.width} and {self.depth}"
                text = f"rectangle: sides {sides} must be positive, {least:g} or more here"
                raise ShapeError(text)
        if not math.isfinite(self.ux):
            ux, uy = unit_vector(self.facing)
            object.__setattr__(self, "ux", ux)
            object.__setattr__(self, "uy", uy)
        place = (self.x, self.y, self.ux, self.uy)
        object.__setattr__(self, "loop", rectangle_loop(*place, self.width, self.depth))
        object.__setattr__(self, "reach", 0.5 * math.hypot(self.width, self.depth))
        known_by = (self.x, self.y, self.facing, self.width, self.depth, self.ux, self.uy)
        object.__setattr__(self, "_hash", hash(known_by))

    @classmethod
    def of_degrees(cls, x: float, y: float, degrees: float, width: float, depth: float) -> Rect:
        """The same with the facing in degrees; turning by 90 degrees turns it exactly."""
        checked((degrees,), "rectangle")
        turns = math.floor(degrees / 90.0 + 0.5)
        ux, uy = unit_vector(math.radians(degrees - 90.0 * turns))
        for _ in range(turns % 4):
            ux, uy = -uy, ux
        return cls(x, y, math.radians(degrees), width, depth, ux, uy)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Front right, front left, rear left, rear right."""
        c = self.loop
        return ((c[0], c[1]), (c[2], c[3]), (c[4], c[5]), (c[6], c[7]))

    @property
    def centre(self) -> Point:
        """Its middle."""
        return (self.x, self.y)

    @property
    def front(self) -> Point:
        """Middle of the front side."""
        return (self.x + 0.5 * self.depth * self.ux, self.y + 0.5 * self.depth * self.uy)

    def local(self, point: Point) -> Point:
        """(forward, left) of a point, measured from the centre."""
        dx, dy = point[0] - self.x, point[1] - self.y
        return (dx * self.ux + dy * self.uy, dy * self.ux - dx * self.uy)

    def world(self, forward: float, left: float) -> Point:
        """The point that lies `forward` and `left` of the centre."""
        return (
            self.x + forward * self.ux - left * self.uy,
            self.y + forward * self.uy + left * self.ux,
        )

    def moved(self, dx: float, dy: float) -> Rect:
        """Shifted; the facing stays."""
        return Rect(self.x + dx, self.y + dy, self.facing, self.width, self.depth, self.ux, self.uy)

    def turned(self, angle: float, about: Point | None = None) -> Rect:
        """Turned by a signed angle about a point, its own centre unless given."""
        c, s = unit_vector(angle)
        x, y = self.x, self.y
        if about is not None:
            px, py = about
            x, y = px + c * (x - px) - s * (y - py), py + s * (x - px) + c * (y - py)
        if s == 0.0 or c == 0.0:
            # The kept direction turns exactly by quarter turns.
            ux, uy = c * self.ux - s * self.uy, s * self.ux + c * self.uy
            return Rect(x, y, self.facing + angle, self.width, self.depth, ux, uy)
        return Rect(x, y, self.facing + angle, self.width, self.depth)


Shape: TypeAlias = Rect | Region | Sequence[Rect]


@dataclass(frozen=True, slots=True)
class Separation:
    """How two shapes lie to each other.

    gap: distance between the closed shapes, 0 when they meet.
    depth: least translation that separates the deepest pair of parts, 0 when they do not overlap.
    on_a, on_b: nearest points; while overlapping, the two ends of that translation.
    part_a, part_b: indices of the pair of parts.
    """

    gap: float
    depth: float
    on_a: Point
    on_b: Point
    part_a: int
    part_b: int


class Overshoot(NamedTuple):
    """How far a corner lies beyond a border of the table (negative: inside by that much)."""

    rect: int
    corner: int
    side: str
    amount: float
    at: Point


def _bounds(parts: Iterable[Part]) -> tuple[float, float, float, float]:
    left = bottom = math.inf
    right = top = -math.inf
    for part in parts:
        xs, ys = part.loop[::2], part.loop[1::2]
        left, right = min(left, min(xs) - part.radius), max(right, max(xs) + part.radius)
        bottom, top = min(bottom, min(ys) - part.radius), max(top, max(ys) + part.radius)
    return (left, bottom, right, top)


def region_of_polygon(corners: Sequence[Point]) -> Region:
    """A simple polygon, concave allowed, either orientation; cut into convex parts.

    Raises ShapeError on numbers that are not finite or beyond LARGEST, fewer than three distinct
    corners, no area or borders that cross.

    >>> len(region_of_polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]).parts)
    2
    """
    flat = [float(v) for corner in corners for v in corner]
    checked(flat, "polygon")
    outline, loops = convex_parts(flat)
    parts = tuple(Part(loop) for loop in loops)
    return Region(parts, _bounds(parts), (outline,))


def region_of_circle(x: float, y: float, radius: float) -> Region:
    """A disc. Raises ShapeError unless the radius is positive, all finite and up to LARGEST."""
    checked((x, y, radius), "circle")
    if radius < smallest(x, y):
        least = smallest(x, y)
        raise ShapeError(f"circle: radius {radius} must be positive, {least:g} or more here")
    parts = (Part((float(x), float(y)), float(radius)),)
    return Region(parts, _bounds(parts))


def region_of_rect(rect: Rect) -> Region:
    """A rectangle as a region."""
    parts = (Part(rect.loop),)
    return Region(parts, _bounds(parts), (rect.loop,))


def region_of_segment(a: Point, b: Point) -> Region:
    """A segment: no area of its own, but it is overlapped by whatever it runs through."""
    checked((*a, *b), "segment")
    if math.hypot(b[0] - a[0], b[1] - a[1]) < smallest(*a):
        raise ShapeError(f"segment: its ends {a!r} and {b!r} coincide")
    parts = (Part((float(a[0]), float(a[1]), float(b[0]), float(b[1]))),)
    return Region(parts, _bounds(parts))


def union_of(regions: Iterable[Region]) -> Region:
    """Several regions as one feature."""
    regions = tuple(regions)
    parts = tuple(part for region in regions for part in region.parts)
    if not parts:
        raise ShapeError("a union needs at least one region")
    return Region(parts, _bounds(parts), tuple(o for r in regions for o in r.outlines))


def parts_of(shape: Shape) -> tuple[Part, ...]:
    """The convex parts of a shape."""
    if isinstance(shape, Rect):
        return _parts_of_rect(shape)
    if isinstance(shape, Region):
        return shape.parts
    return tuple(Part(rect.loop) for rect in shape)


@lru_cache(maxsize=1 << 12)
def _parts_of_rect(rect: Rect) -> tuple[Part, ...]:
    return (Part(rect.loop),)


#: Corners as kernels take them, of shapes that are asked for again and again.
_as_given = lru_cache(maxsize=1 << 12)(floats)


def separation(a: Shape, b: Shape) -> Separation:
    """Gap or depth of two shapes with witness points. Error <= 1e-9.

    >>> s = separation(Rect(0, 0, 0, 4, 2), Rect(5, 0, 0, 4, 2))
    >>> s.gap, s.on_a, s.on_b
    (3.0, (1.0, 0.0), (4.0, 0.0))
    """
    best = None
    backend = chosen()
    lie, room = functions(backend).lie_of_loops, blank(4, backend)
    ones, others = parts_of(a), [(pb, _as_given(pb.loop, backend)) for pb in parts_of(b)]
    count_work(5 * len(ones) * len(others), "a gap")
    for i, pa in enumerate(ones):
        loop = _as_given(pa.loop, backend)
        for j, (pb, other) in enumerate(others):
            core = lie(loop, other, room)
            out = room.tolist() if backend else room
            if core > 0.0:
                depth = core + pa.radius + pb.radius
                nx, ny = out[0], out[1]
                if best is None or depth > best.depth:
                    # `out` holds the direction to push b and the deepest point of b.
                    x, y = out[2] - nx * pb.radius, out[3] - ny * pb.radius
                    tip = (x + nx * depth, y + ny * depth)
                    best = Separation(0.0, depth, tip, (x, y), i, j)
                continue
            distance = -core
            gap = distance - pa.radius - pb.radius
            if best is not None and (best.depth > 0.0 and -gap <= best.depth):
                continue
            if best is not None and best.depth == 0.0 and gap >= best.gap:
                continue
            if distance > 0.0:
                nx, ny = (out[2] - out[0]) / distance, (out[3] - out[1]) / distance
            else:
                nx = ny = 0.0
            on_a = (out[0] + nx * pa.radius, out[1] + ny * pa.radius)
            on_b = (out[2] - nx * pb.radius, out[3] - ny * pb.radius)
            best = Separation(max(gap, 0.0), max(-gap, 0.0), on_a, on_b, i, j)
    if best is None:
        raise ShapeError("a shape needs at least one part")
    return best


def _apart(rect: Rect, bounds: tuple[float, float, float, float]) -> bool:
    """Whether a rectangle is clear of a box."""
    ux, uy = abs(rect.ux), abs(rect.uy)
    half_x = 0.5 * (rect.depth * ux + rect.width * uy)
    half_y = 0.5 * (rect.depth * uy + rect.width * ux)
    left, bottom, right, top = bounds
    return (
        rect.x + half_x < left
        or rect.x - half_x > right
        or rect.y + half_y < bottom
        or rect.y - half_y > top
    )


def overlaps(a: Shape, b: Shape, deeper_than: float = 0.0) -> bool:
    """Whether the shapes overlap by more than a depth.

    >>> overlaps(Rect(0, 0, 0, 4, 2), Rect(2, 0, 0, 4, 2))
    False
    """
    if isinstance(a, Rect) and isinstance(b, Region) and deeper_than >= 0.0 and _apart(a, b.bounds):
        return False
    if isinstance(a, Rect) and deeper_than >= 0.0:
        frame = (a.x, a.y, a.ux, a.uy, 0.5 * a.depth, 0.5 * a.width)
        parts = parts_of(b)
        if all(part.radius == 0.0 or len(part.loop) == 2 for part in parts):
            return any(box_overlap(frame, part.loop, part.radius, deeper_than) for part in parts)
    out = [0.0] * 4
    for pa in parts_of(a):
        for pb in parts_of(b):
            if depth_of_parts(pa.loop, pb.loop, pa.radius + pb.radius, out) > deeper_than:
                return True
    return False


def nearest_point(shape: Shape, point: Point) -> tuple[float, Point]:
    """Distance from a point to a shape (0 inside) and the nearest point of the shape.

    >>> nearest_point(Rect(15, 18, 0, 4, 2), (6, 10))
    (10.0, (14.0, 16.0))
    """
    best, at = math.inf, point
    out = [0.0] * 2
    for part in parts_of(shape):
        core = nearest_on_loop(part.loop, point[0], point[1], out)
        distance = max(core - part.radius, 0.0)
        if distance < best:
            best = distance
            if distance == 0.0:
                at = point
            else:
                f = part.radius / core
                at = (out[0] + f * (point[0] - out[0]), out[1] + f * (point[1] - out[1]))
    return best, at


@lru_cache(maxsize=64)
def table_sides(width: float, depth: float) -> tuple[tuple[str, float, float, float], ...]:
    """The sides of the table 0..width x 0..depth: name, outward normal (x, y) and its offset."""
    return (
        ("left", -1.0, 0.0, 0.0),
        ("right", 1.0, 0.0, width),
        ("bottom", 0.0, -1.0, 0.0),
        ("top", 0.0, 1.0, depth),
    )


def corners_by_side(
    shape: Rect | Sequence[Rect], width: float, depth: float
) -> Iterator[tuple[tuple[str, float, float, float], int, int, Point]]:
    """For each side of the table (`table_sides`) each corner of a rectangle or of several: which
    rectangle, which corner, where."""
    rects = (shape,) if isinstance(shape, Rect) else shape
    places = [(i, k, at) for i, rect in enumerate(rects) for k, at in enumerate(rect.corners)]
    for side in table_sides(width, depth):
        for i, k, at in places:
            yield side, i, k, at


def overshoots(shape: Rect | Sequence[Rect], width: float, depth: float) -> tuple[Overshoot, ...]:
    """For each side of the table (0..width x 0..depth) the corner that lies farthest out.

    Sides "left", "right", "bottom", "top" in that order; a negative amount lies inside.
    """
    found: dict[str, Overshoot] = {}
    for (side, nx, ny, h), rect, corner, (x, y) in corners_by_side(shape, width, depth):
        amount = nx * x + ny * y - h
        if side not in found or amount > found[side].amount:
            found[side] = Overshoot(rect, corner, side, amount, (x, y))
    if not found:
        raise ShapeError("a shape needs at least one part")
    return tuple(found.values())


def contact_ends(a: Part, b: Part, slack: float = 1e-7) -> tuple[Point, Point]:
    """The two ends of the contact between parts that touch; equal for contact in one point.

    Every corner of one that lies within `slack` of the other counts as contact.
    """
    out = [0.0] * 4
    points: list[Point] = []
    for p, q in ((a, b), (b, a)):
        for i in range(0, len(p.loop), 2):
            x, y = p.loop[i], p.loop[i + 1]
            if p.radius > 0.0:
                continue
            if nearest_on_loop(q.loop, x, y, out) <= q.radius + slack:
                points.append((x, y))
    if not points:
        distance = distance_of_loops(a.loop, b.loop, out)
        f = a.radius / distance if distance > 0.0 else 0.0
        x, y = out[0] + f * (out[2] - out[0]), out[1] + f * (out[3] - out[1])
        return (x, y), (x, y)
    return farthest_pair(points, 2.0 * slack)


def farthest_pair(points: Sequence[Point], least: float = 0.0) -> tuple[Point, Point]:
    """The first two of some points that are farthest apart; the first one twice if none are farther
    apart than `least`."""
    best = (points[0], points[0])
    far = least
    for p, q in combinations(points, 2):
        length = math.hypot(q[0] - p[0], q[1] - p[1])
        if length > far:
            far, best = length, (p, q)
    return best
