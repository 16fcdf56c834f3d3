"""Terrain as plan shapes: outlines with what of the piece they are, worked out once for a table."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Literal

from tapeline.engine.system import System
from tapeline.geometry.plane.grid import Box
from tapeline.picture.storeys import Storey, heights_of
from tapeline.picture.structures import height_of, label_of, slab, strip
from tapeline.table import terrain
from tapeline.web.documents.base import Point
from tapeline.web.documents.board import Ground, Shape
from tapeline.wording import figure

__all__ = ["between", "ground_of", "outline_shape"]

_NEAR = 1e-6
#: How a ladder looks on a plan: half its width, the least length, table units (inches).
_LADDER_HALF, _LADDER_LONG = 0.2, 0.7
#: Steps of stairs on a plan are about so far apart, table units (inches).
_STEP = 0.5


def ground_of(
    table: terrain.Battlefield, system: System, storeys: Sequence[Storey]
) -> list[Ground]:
    """Every entry of terrain as the page draws it, in the order of the scene."""
    found = table.prepared.get("web ground")
    if not isinstance(found, list):
        found = [_ground(entry, table, system, storeys) for entry in table.entries]
        table.prepared["web ground"] = found
    return found


def _ground(
    entry: terrain.Entry, table: terrain.Battlefield, system: System, storeys: Sequence[Storey]
) -> Ground:
    low, high = heights_of(entry)
    kind = getattr(entry, "kind", type(entry).__name__.lower())
    pattern, form = ("solid" if isinstance(entry, terrain.Wall) else "plain"), ""
    if isinstance(entry, terrain.Piece) and entry.kind in system.terrain_kinds:
        known = system.terrain_kinds[entry.kind]
        pattern, form = known.pattern, known.form
    return Ground(
        id=entry.id,
        type=_TYPES[type(entry)],
        kind=kind,
        name=entry.name or entry.id,
        label=_label(entry, table.unit),
        shapes=list(_shapes(entry, 2.54 if table.unit == "cm" else 1.0)),
        bottom=low,
        top=high,
        traits=sorted(entry.traits),
        pattern=pattern,
        storeys=[s.index for s in storeys if len(storeys) == 1 or s.shows(entry)],
        says=_says(entry, kind, table.unit),
        foot=entry.foot if isinstance(entry, terrain.Ramp | terrain.Ladder) else None,
        head=entry.head if isinstance(entry, terrain.Ramp | terrain.Ladder) else None,
        form=form,
    )


_TYPES: dict[type[terrain.Entry], Literal["piece", "floor", "wall", "ramp", "ladder", "face"]] = {
    terrain.Piece: "piece",
    terrain.Floor: "floor",
    terrain.Wall: "wall",
    terrain.Ramp: "ramp",
    terrain.Ladder: "ladder",
    terrain.Face: "face",
}


def _label(entry: terrain.Entry, unit: str) -> str:
    """What is written on it: its name and height; nothing on unnamed walls and faces."""
    if not isinstance(entry, terrain.Piece):
        return label_of(entry, unit)
    name = entry.name or entry.id
    return name if entry.top <= 0.0 else f"{name}, {height_of(entry.bottom, entry.top)}"


def _says(entry: terrain.Entry, kind: str, unit: str) -> str:
    """An entry in one line, for who does not see the board."""
    low, high = heights_of(entry)
    words = [entry.name or entry.id]
    kind = kind.replace("_", " ")
    if kind not in words[0].lower():
        words.append(kind)
    if high > low + _NEAR:
        words.append(f"from {figure(low)} to {figure(high)} {unit}")
    elif high > _NEAR:
        words.append(f"{figure(low)} {unit} up")
    words += [trait.replace("_", " ") for trait in sorted(entry.traits)]
    if isinstance(entry, terrain.Ramp | terrain.Ladder):
        words.append(f"foot at {figure(entry.foot[0], 1)}, {figure(entry.foot[1], 1)}")
        words.append(f"head at {figure(entry.head[0], 1)}, {figure(entry.head[1], 1)}")
    else:
        points = [p for shape in _shapes(entry, 1.0) for p in _points(shape)]
        xs, ys = zip(*points, strict=True)
        words.append(between((min(xs), min(ys), max(xs), max(ys))))
    return ", ".join(words)


def between(box: Box) -> str:
    """A box in words, for who does not see the board."""
    west, south, east, north = (figure(edge, 1) for edge in box)
    return f"between {west}, {south} and {east}, {north}"


def _points(shape: Shape) -> list[Point]:
    if shape.circle is not None:
        x, y, r = shape.circle
        return [(x - r, y - r), (x + r, y + r)]
    return shape.corners


def _shapes(entry: terrain.Entry, inch: float) -> Iterator[Shape]:
    match entry:
        case terrain.Piece():
            yield from (outline_shape(outline) for outline in entry.outlines)
        case terrain.Floor():
            holes = [list(hole.corners) for hole in entry.holes]
            for outline in entry.outlines:
                yield Shape(corners=list(outline.corners), holes=holes, part="floor")
            for hole in entry.holes:
                yield Shape(corners=list(hole.corners), part="hole")
            for hatch in entry.hatches:
                yield Shape(corners=list(hatch.corners), part="hatch")
        case terrain.Wall():
            yield from _wall(entry)
        case terrain.Ramp():
            yield from _ramp(entry, inch)
        case terrain.Ladder():
            yield from _ladder(entry, inch)
        case terrain.Face():
            yield Shape(corners=[entry.start, entry.end], part="edge")


def outline_shape(outline: terrain.Outline, part: str = "ground") -> Shape:
    """An outline as the page draws it. part: what of its entry it is, see `Shape`."""
    if isinstance(outline, terrain.Circle):
        return Shape(part=part, circle=(outline.x, outline.y, outline.radius))
    return Shape(part=part, corners=list(outline.corners))


# Walls


def _wall(wall: terrain.Wall) -> Iterator[Shape]:
    """A wall cut at its openings; where one is, the part of the wall above or below it too."""
    total = wall.length
    marks = sorted({0.0, total, *(o.start for o in wall.openings), *(o.end for o in wall.openings)})
    for start, end in itertools.pairwise(m for m in marks if -_NEAR <= m <= total + _NEAR):
        if end <= start + _NEAR:
            continue
        middle = 0.5 * (start + end)
        here = [(o.bottom, o.top) for o in wall.openings if o.start < middle < o.end]
        for low, high in terrain.gaps_between(here, wall.bottom, wall.top):
            for corners in _slab(wall, start, end):
                yield Shape(part="wall", corners=corners, bottom=low, top=high)
    for opening in wall.openings:
        for corners in _slab(wall, opening.start, opening.end):
            yield _opening(opening, corners)


def _opening(opening: terrain.Opening, corners: list[Point]) -> Shape:
    words = f"shut {opening.kind}" if opening.shut else opening.kind
    says = f"{words} from {figure(opening.bottom)} to {figure(opening.top)}"
    return Shape.of(opening, part=opening.kind, corners=corners, says=says)


def _slab(wall: terrain.Wall, start: float, end: float) -> Iterator[list[Point]]:
    """The rectangles of a wall between two lengths along its line."""
    return map(_turned, slab(wall, start, end, wall.thickness))


def _turned(corners: Sequence[Point]) -> list[Point]:
    """Corners of a strip the other way round: its two at the start come first."""
    a, b, c, d = corners
    return [a, d, c, b]


# Ways up


def _rungs(corners: Sequence[Point], count: int) -> Iterator[Shape]:
    """Lines across a strip at even distances."""
    a, b, c, d = corners
    for step in range(1, count):
        t = step / count
        left = (a[0] + (d[0] - a[0]) * t, a[1] + (d[1] - a[1]) * t)
        right = (b[0] + (c[0] - b[0]) * t, b[1] + (c[1] - b[1]) * t)
        yield Shape(part="step", corners=[left, right])


def _ramp(ramp: terrain.Ramp, inch: float) -> Iterator[Shape]:
    corners = _turned(strip(ramp.foot[:2], ramp.head[:2], 0.5 * ramp.width))
    yield Shape(corners=corners)
    if ramp.kind == "stairs":
        yield from _rungs(corners, round(math.dist(ramp.foot[:2], ramp.head[:2]) / (_STEP * inch)))


def _ladder(ladder: terrain.Ladder, inch: float) -> Iterator[Shape]:
    (x0, y0), (x1, y1) = ladder.foot[:2], ladder.head[:2]
    length = math.hypot(x1 - x0, y1 - y0)
    ux, uy = ((x1 - x0) / length, (y1 - y0) / length) if length > _NEAR else (0.0, 1.0)
    half = 0.5 * max(length, _LADDER_LONG * inch)
    cx, cy = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    start, end = (cx - half * ux, cy - half * uy), (cx + half * ux, cy + half * uy)
    corners = _turned(strip(start, end, _LADDER_HALF * inch))
    yield Shape(corners=corners)
    yield from _rungs(corners, 5)
