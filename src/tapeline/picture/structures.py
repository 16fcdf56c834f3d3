"""Floors, walls with their openings, ramps, ladders and faces on a board, as a plan shows them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.geometry.plane.legs import Point
from tapeline.picture import svg
from tapeline.picture.frame import Frame
from tapeline.picture.look import Theme, mixed
from tapeline.picture.rings import closed
from tapeline.picture.storeys import CUT, Storey, heights_of
from tapeline.picture.svg import group, number
from tapeline.table.terrain import (
    Entry,
    Face,
    Floor,
    Ladder,
    Opening,
    Outline,
    Ramp,
    Wall,
    gaps_between,
)
from tapeline.wording import figure

__all__ = [
    "height_of",
    "label_of",
    "middle",
    "middle_of",
    "size_of",
    "slab",
    "slabs_of",
    "strip",
    "structure",
]


_NEAR = 1e-6
#: Openings narrower on the picture than this are not told apart, pixels.
_THIN = 2.0


def structure(entry: Entry, frame: Frame, theme: Theme, storey: Storey | None) -> str:
    """One entry as markup: in full, or as a faint outline where the storey only passes it by.

    storey: the plan drawn; None is the table seen from above.
    """
    full = storey is None or storey.shows(entry)
    parts = [svg.title(_title_of(entry))]
    if isinstance(entry, Floor):
        parts += _floor(entry, frame, theme, full, storey is None)
    elif isinstance(entry, Wall):
        parts += _wall(entry, frame, theme, storey) if full else _faint_wall(entry, frame, theme)
    elif isinstance(entry, Ramp):
        parts += _ramp(entry, frame, theme, full)
    elif isinstance(entry, Ladder):
        parts += _ladder(entry, frame, theme) if full else []
    elif isinstance(entry, Face):
        parts += _face(entry, frame, theme, full)
    return group(parts, class_="structure" if full else "structure faint", data_piece=entry.id)


def _title_of(entry: Entry) -> str:
    """An entry in words, for pointers and screen readers."""
    low, high = heights_of(entry)
    kind = getattr(entry, "kind", type(entry).__name__.lower())
    at = f"at {figure(low)}" if high <= low + _NEAR else f"from {figure(low)} to {figure(high)}"
    return f"{entry.name or entry.id}: {kind} {at}"


def label_of(entry: Entry, unit: str) -> str:
    """What is written on a structure: its name and heights; nothing on unnamed walls and faces."""
    low, high = heights_of(entry)
    name = entry.name or entry.id
    if isinstance(entry, Floor):
        return f"{name}: {figure(low)} {unit} up"
    if isinstance(entry, Ramp | Ladder):
        return f"{figure(low)} to {figure(high)}"
    return f"{name}, {figure(low)} to {figure(high)}" if entry.name not in ("", entry.id) else ""


def height_of(low: float, high: float) -> str:
    """From where to where a thing goes, in words."""
    return f"height {figure(low)} to {figure(high)}" if low > 0.0 else f"height {figure(high)}"


def size_of(entry: Entry) -> float:
    """How much room its box takes, square table units; larger things are labelled first."""
    xs, ys = zip(*_outline_points(entry), strict=True)
    return float((max(xs) - min(xs)) * (max(ys) - min(ys)))


def middle(outline: Outline) -> tuple[float, float]:
    """The middle of the box about an outline."""
    x0, y0, x1, y1 = outline.box
    return (0.5 * (x0 + x1), 0.5 * (y0 + y1))


def middle_of(entry: Entry) -> Point:
    """The middle of the box about an entry, table units."""
    xs, ys = zip(*_outline_points(entry), strict=True)
    return 0.5 * (min(xs) + max(xs)), 0.5 * (min(ys) + max(ys))


def _outline_points(entry: Entry) -> list[Point]:
    if isinstance(entry, Floor):
        return [corner for outline in entry.outlines for corner in outline.corners]
    if isinstance(entry, Wall):
        return list(entry.line)
    if isinstance(entry, Ramp):
        return _ramp_corners(entry)
    if isinstance(entry, Ladder):
        return [entry.foot[:2], entry.head[:2]]
    assert isinstance(entry, Face)
    return [entry.start, entry.end]


# Floors


def _floor(floor: Floor, frame: Frame, theme: Theme, full: bool, above: bool) -> list[str]:
    ink = mixed(theme["ink"], theme["table"], 0.35)
    holes = "".join(closed(map(frame.at, hole.corners)) for hole in floor.holes)
    parts = []
    for outline in floor.outlines:
        d = closed(map(frame.at, outline.corners))
        if not full:
            parts.append(svg.path(d, edge=theme.faint))
            continue
        style = {"fill_opacity": 0.62 if above else 0.95, "fill_rule": "evenodd"}
        line = {"edge": (ink, 1.8), "stroke_linejoin": "round"}
        parts.append(svg.path(d + holes, theme["floor"], **style, **line))
    if full:
        for opening in (*floor.holes, *floor.hatches):
            dash, kind = (None, "hole") if opening in floor.holes else ("4 2", "hatch")
            d = closed(map(frame.at, opening.corners))
            parts.append(svg.path(d, edge=(ink, 1.4, dash), class_=kind))
    return parts


# Walls


def slab(wall: Wall, start: float, end: float, wide: float) -> Iterator[list[Point]]:
    """The rectangles of a wall between two lengths along its line, `wide` across."""
    total = wall.length
    for a, b, low, high in wall.straights():
        first, last = max(start, low), min(end, high)
        if last <= first + _NEAR or high <= low:
            continue
        ux, uy = (b[0] - a[0]) / (high - low), (b[1] - a[1]) / (high - low)
        # Corners are filled: a part that reaches the end of its leg goes on by half its width.
        joined = [wall.closed or _NEAR < at < total - _NEAR for at in (low, high)]
        lead = 0.5 * wide if abs(first - low) <= _NEAR and joined[0] else 0.0
        tail = 0.5 * wide if abs(last - high) <= _NEAR and joined[1] else 0.0
        x0, y0 = a[0] + ux * (first - low - lead), a[1] + uy * (first - low - lead)
        x1, y1 = a[0] + ux * (last - low + tail), a[1] + uy * (last - low + tail)
        nx, ny = -0.5 * wide * uy, 0.5 * wide * ux
        yield [(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny)]


def slabs_of(wall: Wall) -> Iterator[list[Point]]:
    """The rectangles of a whole wall, without the openings in it."""
    return slab(wall, 0.0, wall.length, wall.thickness)


def _wall(wall: Wall, frame: Frame, theme: Theme, storey: Storey | None) -> list[str]:
    cut = None if storey is None else max(storey.bottom, wall.bottom) + CUT
    low = storey is not None and wall.top <= storey.bottom + 1.0 + _NEAR
    fill = mixed(theme["table"], theme["wall"], 0.45) if low else theme["wall"]
    shown = [o for o in wall.openings if storey is None or _in_band(o, storey)]
    wide = max(wall.thickness, 2.2 / frame.scale)
    style = {"fill": fill, "stroke": theme["ink"], "stroke_width": 0.7, "stroke_linejoin": "round"}
    parts = [
        svg.polygon(map(frame.at, corners), **style)
        for start, end in gaps_between(((o.start, o.end) for o in shown), 0.0, wall.length)
        for corners in slab(wall, start, end, wide)
    ]
    for opening in shown:
        parts += _opening(wall, opening, wide, frame, theme, cut)
    return parts


def _in_band(opening: Opening, storey: Storey) -> bool:
    return opening.bottom < storey.top - _NEAR and opening.top > storey.bottom + _NEAR


def _opening(
    wall: Wall, opening: Opening, wide: float, frame: Frame, theme: Theme, cut: float | None
) -> list[str]:
    if opening.kind == "gap":
        return []
    title = svg.title(
        f"{opening.id}: {'shut ' if opening.shut else ''}{opening.kind} from "
        f"{figure(opening.bottom)} to {figure(opening.top)}"
    )
    parts = []
    for corners in slab(wall, opening.start, opening.end, wide):
        a, b, c, d = map(frame.at, corners)
        m0, m1 = _half_way(a, d), _half_way(b, c)
        if opening.kind == "window":
            # Two thin lines with one between: the sign of a window on a plan.
            style = {"fill": theme["window"], "stroke": theme["ink"], "stroke_width": 0.9}
            parts.append(svg.polygon([a, b, c, d], **style))
            parts.append(svg.line(m0, m1, theme["ink"], 0.9))
        else:
            # A leaf that stands open, and its swing; a shut one lies in the wall.
            parts += [svg.line(a, d, theme["ink"], 1.2), svg.line(b, c, theme["ink"], 1.2)]
            if opening.shut:
                parts.append(svg.line(m0, m1, theme["ink"], 2.0))
                continue
            reach = math.dist(m0, m1)
            if reach < _THIN:
                continue
            leaf = (m0[0] - (m1[1] - m0[1]), m0[1] + (m1[0] - m0[0]))
            parts.append(svg.line(m0, leaf, theme["ink"], 1.4))
            arc = (
                f"M{number(leaf[0])} {number(leaf[1])}A{number(reach)} {number(reach)} 0 0 0 "
                f"{number(m1[0])} {number(m1[1])}"
            )
            parts.append(svg.path(arc, edge=(theme["ink"], 0.7, "2 2")))
    through = cut is None or opening.bottom - _NEAR <= cut <= opening.top + _NEAR
    opacity = None if through else 0.55
    return [group([title, *parts], class_=f"opening {opening.kind}", opacity=opacity)]


def _faint_wall(wall: Wall, frame: Frame, theme: Theme) -> list[str]:
    return [svg.line(frame.at(a), frame.at(b), *theme.faint) for a, b, _, _ in wall.straights()]


# Ways up


def strip(start: Point, end: Point, half: float) -> list[Point]:
    """The rectangle about a line, `half` to each side: along the left of it, back on its right."""
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    nx, ny = -half * (y1 - y0) / length, half * (x1 - x0) / length
    return [(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny)]


def _ramp_corners(ramp: Ramp) -> list[Point]:
    return strip(ramp.foot[:2], ramp.head[:2], 0.5 * ramp.width)


def _half_way(a: Point, b: Point) -> Point:
    return (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))


def _ramp(ramp: Ramp, frame: Frame, theme: Theme, full: bool) -> list[str]:
    corners = list(map(frame.at, _ramp_corners(ramp)))
    if not full:
        return [svg.polygon(corners, fill="none", edge=theme.faint)]
    a, b, c, d = corners
    parts = [svg.polygon((corners), fill=theme["floor"], edge=(theme["wall"], 1.2))]
    length = math.dist(a, b)
    steps = int(length / 6.0) if ramp.kind == "stairs" else 0
    for step in range(1, steps):
        share = step / steps
        one = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        two = (d[0] + (c[0] - d[0]) * share, d[1] + (c[1] - d[1]) * share)
        parts.append(svg.line(one, two, theme["ink"], 0.7))
    return [*parts, *_arrow(_half_way(a, d), _half_way(b, c), theme["ink"])]


def _arrow(foot: Point, head: Point, colour: str) -> list[str]:
    """An arrow from the foot to the head: on plans it points up."""
    length = math.dist(foot, head)
    if length < 8.0:
        return []
    ux, uy = (head[0] - foot[0]) / length, (head[1] - foot[1]) / length
    tip = (head[0] - 2.0 * ux, head[1] - 2.0 * uy)
    left = (tip[0] - 6.0 * ux - 3.5 * uy, tip[1] - 6.0 * uy + 3.5 * ux)
    right = (tip[0] - 6.0 * ux + 3.5 * uy, tip[1] - 6.0 * uy - 3.5 * ux)
    return [svg.line(foot, tip, colour, 1.3), svg.polygon([tip, left, right], fill=colour)]


def _ladder(ladder: Ladder, frame: Frame, theme: Theme) -> list[str]:
    (x0, y0), (x1, y1) = frame.at(ladder.foot[:2]), frame.at(ladder.head[:2])
    length = math.hypot(x1 - x0, y1 - y0)
    ux, uy = ((x1 - x0) / length, (y1 - y0) / length) if length > 1e-6 else (0.0, -1.0)
    half = max(4.0, 0.18 * frame.scale)
    reach = max(length, 3.2 * half)
    cx, cy = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    if ladder.kind == "rope":
        knots = [
            svg.circle(cx + ux * reach * t, cy + uy * reach * t, 1.7, fill=theme["ink"])
            for t in (-0.4, -0.2, 0.0, 0.2, 0.4)
        ]
        ends = [(cx + ux * reach * t, cy + uy * reach * t) for t in (-0.5, 0.5)]
        return [svg.line(ends[0], ends[1], theme["ink"], 1.3), *knots]
    rails = []
    for side in (-half, half):
        a = (cx - 0.5 * reach * ux - side * uy, cy - 0.5 * reach * uy + side * ux)
        b = (cx + 0.5 * reach * ux - side * uy, cy + 0.5 * reach * uy + side * ux)
        rails.append((a, b))
    parts = [
        svg.polygon(
            ([rails[0][0], rails[0][1], rails[1][1], rails[1][0]]),
            fill=theme["paper"],
            fill_opacity=0.75,
        ),
        *(svg.line(a, b, theme["ink"], 1.4) for a, b in rails),
    ]
    for step in range(5):
        t = (step + 0.5) / 5
        one = tuple(rails[0][0][i] + (rails[0][1][i] - rails[0][0][i]) * t for i in (0, 1))
        two = tuple(rails[1][0][i] + (rails[1][1][i] - rails[1][0][i]) * t for i in (0, 1))
        parts.append(svg.line((one[0], one[1]), (two[0], two[1]), theme["ink"], 1.1))
    return parts


def _face(face: Face, frame: Frame, theme: Theme, full: bool) -> list[str]:
    a, b = frame.at(face.start), frame.at(face.end)
    if not full:
        return [svg.line(a, b, *theme.faint)]
    length = math.dist(a, b) or 1.0
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    feet = (
        (a[0] + ux * t, a[1] + uy * t) for t in (6.0 * k + 3.0 for k in range(int(length / 6.0)))
    )
    ticks = [svg.line((x, y), (x - 5 * uy, y + 5 * ux), theme["ink"], 0.9) for x, y in feet]
    return [svg.line(a, b, theme["ink"], 1.6), *ticks]
