"""What stands in the way on a table: upright solids, walls with their openings cut out of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise

from tapeline.geometry.plane.areas import (
    disc_disc_area,
    disc_ring_area,
    spans_half_in_circle,
    spans_half_in_ring,
)
from tapeline.geometry.plane.distance import Rim, point_ring, segment_segment, sides_of
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Leg, Line, Point, box_of
from tapeline.geometry.plane.sweeps import (
    Approach,
    nearest_to_circle,
    nearest_to_point,
    nearest_to_ring,
    spans_inside_ring,
    spans_near_point,
    spans_near_ring,
    spans_near_segment,
)
from tapeline.geometry.rectangles.rectangle import (
    Region,
    region_of_circle,
    region_of_polygon,
    union_of,
)
from tapeline.table.outlines import cut_out, lapped, without_holes
from tapeline.table.terrain import Circle, Outline, Piece, Place3, Polygon, Wall, gaps_between

__all__ = [
    "Ground",
    "Solid",
    "box_of",
    "entries_between",
    "ground_of",
    "grounds_of",
    "region_of",
    "ring_sides",
    "wall_solids",
    "wall_stretch",
]

#: Length by which parts of a wall run into each other, so that no line slips between them.
_LAP = 0.05
#: Corners of a polygon in place of a circle.
_ROUND = 48
#: Rings of more corners are looked at by place.
_MANY = 64
#: Rings cut into convex parts that are remembered.
_REGIONS = 4096
#: How far off a side of a border a point is still on it, lengths.
_OFF = 1e-6


@lru_cache(maxsize=_REGIONS)
def _region_of_ring(ring: tuple[float, ...]) -> Region:
    return region_of_polygon(list(zip(ring[0::2], ring[1::2], strict=True)))


@dataclass(frozen=True, slots=True)
class Ground:
    """The plan of something: a ring of corners, counter-clockwise, or a circle (x, y, radius).

    rim: a ring of many corners by place. is_box: whether it is all of its box.
    """

    ring: tuple[float, ...] | None
    circle: tuple[float, float, float] | None
    box: Box
    rim: Rim | None = field(default=None, compare=False, repr=False)
    is_box: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        left, low, right, high = self.box
        ring = self.ring or ()
        corners = set(zip(ring[0::2], ring[1::2], strict=True)) if len(ring) == 8 else set()
        whole = {(left, low), (right, low), (right, high), (left, high)}
        object.__setattr__(self, "is_box", corners == whole)

    def depth(self, x: float, y: float, most: float = math.inf) -> float:
        """How deep a point is inside; negative outside. Where the border is farther than `most` it
        may be told as any depth beyond that."""
        if self.rim is not None and most < math.inf:
            return self.rim.depth(x, y, most)
        if most < math.inf:
            left, low, right, high = self.box
            inside = min(x - left, right - x, y - low, high - y)
            if inside < -most or (self.is_box and inside > most):
                return inside
        if self.ring is not None:
            return -point_ring(x, y, self.ring)[0]
        assert self.circle is not None
        return self.circle[2] - math.hypot(x - self.circle[0], y - self.circle[1])

    def apart(self, other: Ground) -> float:
        """How far another outline is; 0 where they meet."""
        for one, two in ((self, other), (other, self)):
            if one.circle is not None:
                x, y, r = one.circle
                return max(0.0, -two.depth(x, y) - r)
        assert self.ring is not None
        assert other.ring is not None
        if self.depth(*other.ring[:2]) >= 0.0 or other.depth(*self.ring[:2]) >= 0.0:
            return 0.0
        theirs = [*sides_of(other.ring)]
        return min(segment_segment(*a, *b)[0] for a in sides_of(self.ring) for b in theirs)

    @property
    def region(self) -> Region:
        """The same as a region of convex parts."""
        if self.ring is not None:
            return _region_of_ring(self.ring)
        assert self.circle is not None
        return region_of_circle(*self.circle)

    def nearest(self, x: float, y: float) -> Point:
        """The nearest point of the border."""
        if self.ring is not None:
            return point_ring(x, y, self.ring)[1:]
        assert self.circle is not None
        cx, cy, r = self.circle
        d = math.hypot(x - cx, y - cy)
        if d == 0.0:
            return cx + r, cy
        return cx + (x - cx) * r / d, cy + (y - cy) * r / d

    def clear_of(self, leg: Leg, far: float) -> bool:
        """Whether its box is farther from a leg than a length, as told at once."""
        if not self.meets(box_of(leg, far)):
            return True
        if not isinstance(leg, Line):
            return False
        # Across the line of the leg.
        left, low, right, high = self.box
        dx, dy, length = leg.bx - leg.ax, leg.by - leg.ay, leg.length
        off = abs((left + right - 2.0 * leg.ax) * dy - (low + high - 2.0 * leg.ay) * dx)
        wide = (right - left) * abs(dy) + (high - low) * abs(dx)
        return 0.5 * (off - wide) > (far + _OFF) * length

    def spans(self, leg: Leg) -> list[tuple[float, float]]:
        """Lengths of a leg between which its point is inside."""
        if self.clear_of(leg, 0.0):
            return []
        if self.ring is not None:
            return spans_inside_ring(leg, self.ring, self.rim)
        assert self.circle is not None
        return spans_near_point(leg, *self.circle)

    def marks(self, leg: Leg, slack: float) -> set[float]:
        """Lengths of a leg between which it is inside or outside; its ends among them.

        slack: corners as near as that to the leg count as on it.
        """
        found = {0.0, leg.length, *(s for span in self.spans(leg) for s in span)}
        ring = self.ring or ()
        x0, y0, x1, y1 = box_of(leg, 2.0 * slack)
        for k in range(0, len(ring), 2):
            x, y = ring[k], ring[k + 1]
            if x0 <= x <= x1 and y0 <= y <= y1:
                near = nearest_to_point(leg, x, y)
                if near.distance <= slack:
                    found.add(near.travelled)
        return found

    def holds(self, leg: Leg, slack: float) -> bool:
        """Whether a leg leaves the plan by no more than slack."""
        marks = sorted(self.marks(leg, slack))
        marks += [0.5 * (a + b) for a, b in pairwise(marks)]
        return all(self.depth(*leg.at(s)) >= -slack for s in marks)

    def share(self, x: float, y: float, r: float) -> float:
        """The share of a disc that is inside, 0 to 1."""
        if self.ring is not None:
            return disc_ring_area(x, y, r, self.ring) / (math.pi * r * r)
        assert self.circle is not None
        d = math.hypot(x - self.circle[0], y - self.circle[1])
        return disc_disc_area(d, r, self.circle[2]) / (math.pi * r * r)

    def spans_half(self, leg: Leg, r: float) -> list[tuple[float, float]]:
        """Lengths of a leg between which more than half of a disc about its point is inside."""
        if self.ring is not None:
            return spans_half_in_ring(leg, r, self.ring)
        assert self.circle is not None
        return spans_half_in_circle(leg, r, *self.circle)

    def nearest_to(self, leg: Leg) -> Approach:
        """Where a leg comes nearest; a negative distance is how deep it goes inside."""
        if self.ring is not None:
            return nearest_to_ring(leg, self.ring)
        assert self.circle is not None
        return nearest_to_circle(leg, *self.circle)

    def spans_near(self, leg: Leg, limit: float) -> list[tuple[float, float]]:
        """Lengths of a leg between which its point is closer than a limit, or inside."""
        if self.clear_of(leg, max(0.0, limit)):
            return []
        if self.ring is not None:
            return spans_near_ring(leg, self.ring, limit)
        assert self.circle is not None
        x, y, r = self.circle
        return spans_near_point(leg, x, y, r + limit)

    def first_near(self, leg: Leg, limit: float) -> float | None:
        """The first length at which a leg is closer than a limit; None if it never is."""
        spans = self.spans_near(leg, limit)
        return spans[0][0] if spans else None

    def marks_near(self, leg: Leg, limit: float) -> list[float]:
        """Lengths at which a leg comes to be closer to the border than a limit, or farther."""
        if self.ring is not None:
            spans = []
            for side in sides_of(self.ring):
                spans += spans_near_segment(leg, *side, limit)
        else:
            assert self.circle is not None
            x, y, r = self.circle
            spans = [
                *spans_near_point(leg, x, y, r + limit),
                *spans_near_point(leg, x, y, r - limit),
            ]
        return [s for span in spans for s in span]

    def faces(self, x: float, y: float) -> Iterator[tuple[float, float, float]]:
        """The unit normal of each side, and how far beyond its line a point is; of a circle those
        towards the point."""
        if self.circle is not None:
            cx, cy, r = self.circle
            d = math.hypot(x - cx, y - cy)
            yield ((x - cx) / d, (y - cy) / d, d - r) if d > 0.0 else (1.0, 0.0, -r)
        ring = self.ring or ()
        for k in range(0, len(ring), 2):
            ax, ay, bx, by = ring[k - 2], ring[k - 1], ring[k], ring[k + 1]
            d = math.hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / d, (ax - bx) / d
            yield nx, ny, (x - ax) * nx + (y - ay) * ny

    def outward(self, x: float, y: float) -> Point:
        """The unit normal of the border at a point of it; at a corner half way between those of
        its sides."""
        there = zip(self.faces(x, y), self._away(x, y), strict=True)
        units = [face[:2] for face, away in there if away <= _OFF]
        ux, uy = sum(u for u, _ in units), sum(v for _, v in units)
        length = math.hypot(ux, uy)
        return (ux / length, uy / length) if length > _OFF else (1.0, 0.0)

    def _away(self, x: float, y: float) -> list[float]:
        """How far a point is from each side; of a circle from its border."""
        if self.ring is None:
            return [abs(self.depth(x, y))]
        return [nearest_to_point(side, x, y).distance for side in ring_sides(self.ring)]

    def turned(self, more: float) -> list[float]:
        """A polygon round the circle, so much wider. For circles only."""
        assert self.circle is not None
        x, y, r = self.circle
        far = (r + more) / math.cos(math.pi / _ROUND)
        turns = [math.tau * (k + 0.5) / _ROUND for k in range(_ROUND)]
        return [v for t in turns for v in (x + far * math.cos(t), y + far * math.sin(t))]

    @classmethod
    def of_circle(cls, circle: tuple[float, float, float]) -> Ground:
        """The ground of a circle: x, y, radius."""
        x, y, r = circle
        return cls(None, circle, (x - r, y - r, x + r, y + r))

    def meets(self, box: Box) -> bool:
        """Whether its box meets another; touching counts."""
        a, b = self.box, box
        return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def ground_of(outline: Outline | Sequence[Point]) -> Ground:
    """The ground of an outline of terrain, or of corners counter-clockwise."""
    if isinstance(outline, Circle):
        return Ground.of_circle((outline.x, outline.y, outline.radius))
    polygon = Polygon(tuple(outline)) if isinstance(outline, Sequence) else outline
    rim = Rim(polygon.ring) if len(polygon.corners) > _MANY else None
    return Ground(polygon.ring, None, polygon.box, rim)


def ring_sides(ring: Sequence[float]) -> list[Line]:
    """The sides of a ring of coordinates, the one that closes it first."""
    return [Line(*side) for side in sides_of(ring)]


def grounds_of(outlines: Sequence[Outline], beyond: Sequence[Polygon] = ()) -> list[Ground]:
    """The grounds of the outlines of one piece: those that meet are one, so that no line slips
    between, and where they share a border with one beyond the piece they run into it."""
    own = [o for o in outlines if isinstance(o, Polygon)]
    rings = [o.corners for o in own]
    if any(_beside(a.box, b.box) for a, b in combinations(own, 2)):
        rings = [ring for area in cut_out(rings, ()) for ring in without_holes(area)]
    found = [ground_of(o) for o in outlines if isinstance(o, Circle)]
    for ring in rings:
        box = Polygon(ring).box if beyond else None
        near = [o.corners for o in beyond if box and _beside(o.box, box)]
        found += map(ground_of, lapped(ring, near) if near else [ring])
    return found


def _beside(a: Box, b: Box) -> bool:
    near = b[0] - _OFF <= a[2] and a[0] <= b[2] + _OFF
    return near and b[1] - _OFF <= a[3] and a[1] <= b[3] + _OFF


def region_of(piece: Piece) -> Region:
    """The ground of a piece of terrain: the union of its outlines, as convex parts."""
    return union_of(ground_of(outline).region for outline in piece.outlines)


@dataclass(frozen=True, slots=True)
class Solid:
    """An upright solid from bottom to top, table units. entry: id of what it is a part of.

    see_through: a part that stops bases and no sight (a window), or the other way round for
    `walk_through` (a shut door).
    """

    entry: str
    ground: Ground
    bottom: float
    top: float
    traits: frozenset[str] = frozenset()
    see_through: bool = False
    walk_through: bool = False


class _Line:
    """The line of a wall, by length along it."""

    def __init__(self, wall: Wall) -> None:
        corners = list(wall.line)
        self.closed = wall.closed
        if wall.closed:
            corners.append(corners[0])
        self.corners = corners
        self.half = 0.5 * wall.thickness
        self.units: list[Point] = []
        self.at = [0.0]
        for (ax, ay), (bx, by) in pairwise(corners):
            d = math.hypot(bx - ax, by - ay)
            self.units.append(((bx - ax) / d, (by - ay) / d))
            self.at.append(self.at[-1] + d)
        self.length = self.at[-1]

    def ring(self, begin: float, end: float) -> list[Point]:
        """Corners of the stretch between two lengths, counter-clockwise; flat ends, mitred joints.

        A closed line may be run beyond its length.
        """
        left: list[Point] = []
        right: list[Point] = []

        def add(x: float, y: float, nx: float, ny: float) -> None:
            left.append((x + nx, y + ny))
            right.append((x - nx, y - ny))

        count = len(self.units)
        h = self.half
        laps = [0.0, self.length] if self.closed else [0.0]
        ux, uy = self._unit(begin, True)
        add(*self.point(begin), -uy * h, ux * h)
        for lap in laps:
            for k in range(count):
                s = lap + self.at[k]
                before = self.units[k - 1]
                if not begin < s < end:
                    continue
                after = self.units[k]
                x, y = self.corners[k]
                # The joint lies on the line halfway between both sides.
                nx, ny = -before[1] - after[1], before[0] + after[0]
                scale = 2.0 * h / (nx * nx + ny * ny)
                add(x, y, nx * scale, ny * scale)
        ux, uy = self._unit(end, False)
        add(*self.point(end), -uy * h, ux * h)
        return right + left[::-1]

    def _part(self, s: float, onward: bool) -> tuple[int, float]:
        """Number of the side at a length, and the length within one lap."""
        if s > self.length or (self.closed and onward and s == self.length):
            s -= self.length
        last = len(self.units) - 1
        for k in range(last + 1):
            if s < self.at[k + 1] or (not onward and s == self.at[k + 1]) or k == last:
                return k, s
        raise AssertionError("a wall has a side")

    def _unit(self, s: float, onward: bool) -> Point:
        return self.units[self._part(s, onward)[0]]

    def point(self, s: float) -> Point:
        """The point of the line at a length."""
        k, s = self._part(s, True)
        (x, y), (ux, uy) = self.corners[k], self.units[k]
        return x + ux * (s - self.at[k]), y + uy * (s - self.at[k])


def wall_stretch(wall: Wall, begin: float, end: float) -> tuple[Point, ...]:
    """Corners, counter-clockwise, of a wall between two lengths along its line."""
    return tuple(_Line(wall).ring(begin, end))


def _holds(intervals: Iterable[tuple[float, float]], low: float, high: float) -> bool:
    return any(a <= low and high <= b for a, b in intervals)


def wall_solids(wall: Wall) -> list[Solid]:
    """A wall as solids: what is left of it round its openings, and what fills those.

    A window is filled by a solid that stops bases only, a shut door by one that stops sight only.
    Neighbouring parts overlap, so that nothing passes along a seam.
    """
    line = _Line(wall)
    cuts = {0.0, line.length}
    for opening in wall.openings:
        cuts |= {min(opening.start, line.length), min(opening.end, line.length)}
    at = sorted(cuts)
    pieces = list(pairwise(at))
    solid = []
    for begin, end in pieces:
        middle = 0.5 * (begin + end)
        gone = [(o.bottom, o.top) for o in wall.openings if o.start < middle < o.end]
        solid.append([*gaps_between(gone, wall.bottom, wall.top)])
    found: dict[tuple[float, float, float, float], None] = {}
    for k, intervals in enumerate(solid):
        for low, high in intervals:
            first = last = k
            while first > 0 and _holds(solid[first - 1], low, high):
                first -= 1
            while last + 1 < len(pieces) and _holds(solid[last + 1], low, high):
                last += 1
            found[pieces[first][0], pieces[last][1], low, high] = None
    solids: list[Solid] = []
    for begin, end, low, high in found:
        solids += [
            Solid(wall.id, ground_of(ring), low, high, wall.traits)
            for ring in _rings(line, begin, end)
        ]
    for o in wall.openings:
        if o.kind == "gap" or (o.kind == "door" and not o.shut):
            continue
        window = o.kind == "window"
        ground = ground_of(line.ring(o.start, min(o.end, line.length)))
        fill = (wall.id, ground, o.bottom, o.top, wall.traits)
        solids.append(Solid(*fill, see_through=window, walk_through=not window))
    return solids


def _rings(line: _Line, begin: float, end: float) -> list[list[Point]]:
    """A stretch as simple rings: all the way round takes two that overlap."""
    if line.closed and begin <= 0.0 and end >= line.length:
        half = 0.5 * line.length
        lap = min(_LAP, 0.25 * line.length)
        return [line.ring(0.0, half + lap), line.ring(half, line.length + lap)]
    if line.closed and (begin <= 0.0 or end >= line.length):
        # The ends of a closed line touch at its first corner: let them run into each other.
        lap = min(_LAP, 0.25 * (end - begin))
        if end >= line.length:
            return [line.ring(begin, line.length + lap)]
    half = 0.5 * (begin + end)
    if len(line.corners) > 2 and math.dist(line.point(begin), line.point(end)) < 2.0 * line.half:
        # Its ends lie in each other.
        return [line.ring(begin, half + min(_LAP, 0.25 * (end - begin))), line.ring(half, end)]
    return [line.ring(begin, end)]


#: Length: a line inside a solid for less only touches it.
_TOUCH = 1e-6


def entries_between(solids: Iterable[Solid], start: Place3, end: Place3) -> Iterator[str]:
    """Ids of what the solids are parts of, of those that a segment goes through, each once."""
    line = Line(start[0], start[1], end[0], end[1])
    seen: set[str] = set()
    for solid in solids:
        if solid.entry not in seen and _through(solid, line, start[2], end[2]):
            seen.add(solid.entry)
            yield solid.entry


def _through(solid: Solid, line: Line, low: float, high: float) -> bool:
    if line.length <= _TOUCH:
        upright = solid.bottom < max(low, high) and solid.top > min(low, high)
        return upright and solid.ground.depth(line.ax, line.ay) > 0.0
    for a, b in solid.ground.spans(line):
        if b - a <= _TOUCH:
            continue
        heights = [low + (high - low) * at / line.length for at in (a, b)]
        if max(heights) > solid.bottom and min(heights) < solid.top:
            return True
    return False
