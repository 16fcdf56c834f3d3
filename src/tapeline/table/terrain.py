"""Terrain: what stands on a table and what it is built of.

Pieces are ground or blocks with an outline, a height and traits; what a trait does is each
system's rule. Floors, walls, ramps, ladders and faces build houses of several storeys; what follows
from them (surfaces, edges, solids, ways up) is worked out in `table.storeys`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Point
from tapeline.wording import counted

__all__ = [
    "Battlefield",
    "Circle",
    "Entry",
    "Face",
    "Floor",
    "Ladder",
    "Opening",
    "Outline",
    "Piece",
    "Polygon",
    "Ramp",
    "Wall",
    "Zone",
    "box_about",
    "gaps_between",
]

#: x, y and height, table units.
Place3: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A simple polygon, concave allowed; corners counter-clockwise, table units."""

    corners: tuple[tuple[float, float], ...]

    @property
    def ring(self) -> tuple[float, ...]:
        """Its corners as kernels take them: x, y, x, y and so on."""
        return tuple(value for corner in self.corners for value in corner)

    @property
    def box(self) -> Box:
        """Least x, least y, greatest x, greatest y."""
        xs, ys = zip(*self.corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle, table units."""

    x: float
    y: float
    radius: float

    @property
    def box(self) -> Box:
        """Least x, least y, greatest x, greatest y."""
        x, y, r = self.x, self.y, self.radius
        return x - r, y - r, x + r, y + r


Outline: TypeAlias = Polygon | Circle


def box_about(outlines: Iterable[Outline]) -> Box:
    """The least box that holds them all; ValueError if there are none.

    >>> box_about([Circle(0.0, 0.0, 1.0), Polygon(((0.0, 0.0), (3.0, 0.0), (3.0, 2.0)))])
    (-1.0, -1.0, 3.0, 2.0)
    """
    west, south, east, north = zip(*(outline.box for outline in outlines), strict=True)
    return min(west), min(south), max(east), max(north)


class _Traited:
    """What all terrain is. traits: what the rules ask of it."""

    __slots__ = ()
    traits: frozenset[str]

    def has(self, trait: str) -> bool:
        """Whether it has the trait."""
        return trait in self.traits


@dataclass(frozen=True, slots=True)
class Piece(_Traited):
    """One piece of terrain; its ground is the union of its outlines.

    bottom, top: heights above the table of its underside and its upper side, table units.
    traits: what the rules ask of it, such as "difficult", "impassable" or "opaque".
    """

    id: str
    kind: str
    name: str
    outlines: tuple[Outline, ...]
    bottom: float = 0.0
    top: float = 0.0
    traits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Floor(_Traited):
    """A level surface at height z, the union of its outlines without its holes.

    kind: as of the document, such as "roof". Its underside is at z - thickness. hatches: parts that
    carry who stands on them and let ladders and stairs through. Outlines are polygons; table units.
    """

    id: str
    kind: str
    name: str
    outlines: tuple[Polygon, ...]
    z: float
    thickness: float = 0.1
    holes: tuple[Polygon, ...] = ()
    hatches: tuple[Polygon, ...] = ()
    traits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening in a wall, from `start` to `end` along its line, bottom to top above the table.

    A door is passed and seen through (seen through not if `shut`), a window only seen through; a
    gap is a piece of wall that is not there.
    """

    id: str
    kind: str
    start: float
    end: float
    bottom: float
    top: float
    shut: bool = False


@dataclass(frozen=True, slots=True)
class Wall(_Traited):
    """An upright wall along a line of corners, half its thickness to each side; table units.

    closed: whether its last corner joins its first. Openings are in order along the line.
    """

    id: str
    name: str
    line: tuple[tuple[float, float], ...]
    thickness: float
    bottom: float
    top: float
    closed: bool = False
    openings: tuple[Opening, ...] = ()
    traits: frozenset[str] = frozenset()

    def straights(self) -> Iterator[tuple[Point, Point, float, float]]:
        """Its straight parts: from, to, and the lengths along the line where they lie."""
        line = (*self.line, self.line[0]) if self.closed else self.line
        at = 0.0
        for start, end in pairwise(line):
            length = math.dist(start, end)
            yield start, end, at, at + length
            at += length

    @property
    def length(self) -> float:
        """Along its line, table units."""
        return max(end for _, _, _, end in self.straights())


@dataclass(frozen=True, slots=True)
class Ramp(_Traited):
    """A sloped rectangle from the middle of its foot to the middle of its head.

    kind: "ramp" or "stairs". foot, head: x, y and height, table units; width across.
    """

    id: str
    kind: str
    name: str
    foot: Place3
    head: Place3
    width: float
    traits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ladder(_Traited):
    """A way straight up from its foot to its head; kind "ladder" or "rope"; table units.

    Foot and head may lie apart on the plan: a ladder that leans, or one that stands before a wall
    and leads on to its top.
    """

    id: str
    kind: str
    name: str
    foot: Place3
    head: Place3
    traits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Face(_Traited):
    """A face that can be climbed, upright over the segment from `start` to `end`, by heights.

    Sides of blocks and walls are such faces without being named; this is one of its own, as of a
    cliff that is no block.
    """

    id: str
    name: str
    start: tuple[float, float]
    end: tuple[float, float]
    bottom: float
    top: float
    traits: frozenset[str] = frozenset()


#: Any entry of the terrain of a table.
Entry: TypeAlias = Piece | Floor | Wall | Ramp | Ladder | Face


@dataclass(frozen=True, slots=True)
class Zone:
    """A named part of the plan that no rule heeds. side: whose models are set up in it, "" none's.

    The outline is in table units.
    """

    id: str
    name: str
    side: str
    outline: Outline


@dataclass(frozen=True, slots=True)
class Battlefield:
    """The table and its terrain; never changes during a game.

    width along x, depth along y, origin at a corner; unit "in" or "cm".
    order: ids of all terrain as the scene lists it; left out, pieces come first, then floors,
    walls, ramps, ladders and faces. zones: no ruling depends on them.
    `prepared` keeps what a system derives from the terrain once, such as its kernel arrays.
    """

    width: float
    depth: float
    unit: str
    pieces: tuple[Piece, ...] = ()
    floors: tuple[Floor, ...] = ()
    walls: tuple[Wall, ...] = ()
    ramps: tuple[Ramp, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    faces: tuple[Face, ...] = ()
    order: tuple[str, ...] = field(default=(), compare=False)
    zones: tuple[Zone, ...] = ()
    prepared: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    @property
    def structures(self) -> tuple[Entry, ...]:
        """Floors, walls, ramps, ladders and faces: what makes a table more than flat."""
        return (*self.floors, *self.walls, *self.ramps, *self.ladders, *self.faces)

    @property
    def inventory(self) -> str:
        """How much terrain there is, for people."""
        kinds: tuple[tuple[Sequence[Entry], str, str], ...] = (
            (self.pieces, "piece of terrain", "pieces of terrain"),
            (self.floors, "floor", "floors"),
            (self.walls, "wall", "walls"),
            (self.ramps, "ramp or stairs", "ramps and stairs"),
            (self.ladders, "ladder", "ladders"),
            (self.faces, "face", "faces"),
        )
        told = [counted(len(these), one, many) for these, one, many in kinds if these]
        return ", ".join(told) or "0 pieces of terrain"

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All terrain in the order of the scene."""
        found = {entry.id: entry for entry in (*self.pieces, *self.structures)}
        return tuple(found[entry] for entry in self.order) if self.order else tuple(found.values())

    def where(self, entry_id: str) -> str:
        """The path of a terrain entry in the scene document; KeyError if there is none."""
        for index, entry in enumerate(self.entries):
            if entry.id == entry_id:
                return f"terrain[{index}]"
        raise KeyError(entry_id)

    def piece(self, piece_id: str) -> Piece:
        """The piece of that id; KeyError if there is none."""
        for piece in self.pieces:
            if piece.id == piece_id:
                return piece
        raise KeyError(piece_id)


def gaps_between(
    parts: Iterable[tuple[float, float]], low: float, high: float
) -> Iterator[tuple[float, float]]:
    """What is left of the range from `low` to `high` without some parts of it, in order."""
    for start, end in sorted(parts):
        if start > low:
            yield low, start
        low = max(low, end)
    if high > low:
        yield low, high
