"""Is a table the same from both sides: each piece is held against its counterpart.

A table is turned by half round its middle, or mirrored, and every piece goes with the one it then
lies nearest to. How far apart two outlines lie is how far a corner of one is from the border of the
other at most, both ways: 0 for the same outline, however its corners are counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.geometry.plane.distance import point_segment
from tapeline.geometry.plane.legs import Point
from tapeline.table.terrain import (
    Battlefield,
    Circle,
    Entry,
    Face,
    Floor,
    Ladder,
    Outline,
    Piece,
    Wall,
    Zone,
)

__all__ = ["MIRRORS", "Counterpart", "Symmetry", "symmetry_of"]

#: Which way a table is turned over: whether x, and whether y, runs the other way.
MIRRORS = {"point": (True, True), "mirror-x": (True, False), "mirror-y": (False, True)}
_NO_PARTNER = math.inf

_Turn: TypeAlias = Callable[[Point], Point]


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A piece or zone, the one it goes with ("" if there is none of its kind), and how far the two
    lie apart when the table is turned, table units."""

    id: str
    other: str
    apart: float


@dataclass(frozen=True, slots=True)
class Symmetry:
    """kind: of MIRRORS. terrain, zones: what goes with what, farthest apart first."""

    kind: str
    terrain: tuple[Counterpart, ...]
    zones: tuple[Counterpart, ...]

    @property
    def apart(self) -> float:
        """How far the worst of all lies from its counterpart."""
        return max((one.apart for one in (*self.terrain, *self.zones)), default=0.0)

    def off(self, tolerance: float) -> tuple[Counterpart, ...]:
        """What is farther from its counterpart than that."""
        return tuple(one for one in (*self.zones, *self.terrain) if one.apart > tolerance)


def symmetry_of(table: Battlefield, sides: tuple[str, str], kind: str) -> Symmetry:
    """How nearly a table is the same from both sides, turned as `kind` says.

    sides: whose zones are to change places. KeyError for another kind.
    """
    x, y = MIRRORS[kind]

    def turn(p: Point) -> Point:
        return table.width - p[0] if x else p[0], table.depth - p[1] if y else p[1]

    terrain = [(entry.id, _words(entry), [*_shapes(entry)]) for entry in table.entries]
    zones = [_zone(zone, zone.side) for zone in table.zones if zone.side in sides]
    swapped = [
        _zone(zone, sides[zone.side == sides[0]]) for zone in table.zones if zone.side in sides
    ]
    return Symmetry(kind, _paired(terrain, terrain, turn), _paired(zones, swapped, turn))


_Thing: TypeAlias = tuple[str, tuple[object, ...], list[Outline]]


def _zone(zone: Zone, side: str) -> _Thing:
    return zone.id, (side,), [zone.outline]


def _paired(
    ones: Sequence[_Thing], others: Sequence[_Thing], turn: _Turn
) -> tuple[Counterpart, ...]:
    found = []
    for name, words, shapes in ones:
        turned = [_turned(shape, turn) for shape in shapes]
        near = [(_apart(turned, to), other) for other, said, to in others if said == words]
        apart, other = min(near, default=(_NO_PARTNER, ""))
        found.append(Counterpart(name, other, apart))
    return tuple(sorted(found, key=lambda one: -one.apart))


def _words(entry: Entry) -> tuple[object, ...]:
    """What must be the same of two counterparts beside where they lie."""
    same: tuple[object, ...] = (type(entry).__name__, tuple(sorted(entry.traits)))
    if isinstance(entry, Piece):
        return (*same, entry.kind, entry.bottom, entry.top)
    if isinstance(entry, Floor):
        return (*same, entry.kind, entry.z, entry.thickness)
    if isinstance(entry, Wall):
        return (*same, entry.thickness, entry.bottom, entry.top, len(entry.openings))
    if isinstance(entry, Face):
        return (*same, entry.bottom, entry.top)
    return (*same, entry.kind, entry.foot[2], entry.head[2])


def _shapes(entry: Entry) -> Iterator[Outline]:
    from tapeline.table.terrain import Polygon

    if isinstance(entry, Piece):
        yield from entry.outlines
    elif isinstance(entry, Floor):
        yield from (*entry.outlines, *entry.holes, *entry.hatches)
    elif isinstance(entry, Wall):
        yield Polygon(entry.line)
        for a, b, begin, end in entry.straights():
            for one in entry.openings:
                if begin <= one.start and one.end <= end and end > begin:
                    ux, uy = (b[0] - a[0]) / (end - begin), (b[1] - a[1]) / (end - begin)
                    ends = [
                        (a[0] + ux * (s - begin), a[1] + uy * (s - begin))
                        for s in (one.start, one.end)
                    ]
                    yield Polygon(tuple(ends))
    elif isinstance(entry, Face):
        yield Polygon((entry.start, entry.end))
    else:
        # Foot and head each by itself: a ladder that leans the other way is another ladder.
        wide = 0.0 if isinstance(entry, Ladder) else entry.width
        yield Circle(*entry.foot[:2], wide)
        yield Circle(*entry.head[:2], wide)


def _turned(shape: Outline, turn: _Turn) -> Outline:
    if isinstance(shape, Circle):
        return Circle(*turn((shape.x, shape.y)), shape.radius)
    return type(shape)(tuple(turn(corner) for corner in shape.corners))


def _apart(ones: Sequence[Outline], others: Sequence[Outline]) -> float:
    """How far some outlines lie from others, each from the one it is nearest to, both ways."""
    if len(ones) != len(others):
        return _NO_PARTNER
    return max(
        max(min(_distance(one, other) for other in others) for one in ones),
        max(min(_distance(one, other) for one in ones) for other in others),
    )


def _distance(one: Outline, other: Outline) -> float:
    if isinstance(one, Circle) or isinstance(other, Circle):
        if not (isinstance(one, Circle) and isinstance(other, Circle)):
            return _NO_PARTNER
        return math.hypot(one.x - other.x, one.y - other.y) + abs(one.radius - other.radius)
    return max(_farthest(one.corners, other.corners), _farthest(other.corners, one.corners))


def _farthest(corners: Sequence[Point], border: Sequence[Point]) -> float:
    return max(
        min(point_segment(*corner, *border[i - 1], *border[i])[0] for i in range(len(border)))
        for corner in corners
    )
