"""Terrain on a board: pieces, structures, and the labels that go on them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.engine.score import shown_zones
from tapeline.geometry.plane.distance import point_in_ring
from tapeline.picture import letters, svg
from tapeline.picture.board import NAME, SMALL, BoardDrawing, halo_lines
from tapeline.picture.features import FILLED, Border, feature
from tapeline.picture.labels import Box, around, box
from tapeline.picture.look import LOOK
from tapeline.picture.rings import FLAT_IN, HIGHEST_IN, Ring, ring_of, shadow, shadows, turned
from tapeline.picture.storeys import heights_of
from tapeline.picture.structures import (
    height_of,
    label_of,
    middle,
    middle_of,
    size_of,
    slabs_of,
    structure,
)
from tapeline.picture.svg import element, group, number
from tapeline.table.terrain import (
    Circle,
    Entry,
    Floor,
    Ladder,
    Outline,
    Piece,
    Ramp,
    Wall,
    Zone,
    box_about,
)

__all__ = ["draw_terrain", "draw_zones", "label_terrain", "label_zones"]


def draw_terrain(board: BoardDrawing) -> None:
    """Every piece and structure: of other storeys, flat, shadows, standing."""
    table = board.state.table
    bottom = board.storey.bottom if board.storey is not None else 0.0
    faint, flat, standing, swept = [], [], [], []
    for entry in sorted([*table.pieces, *table.structures], key=_depth):
        shown = board.storey is None or board.storey.shows(entry)
        drawn = _piece(board, entry, shown) if isinstance(entry, Piece) else None
        drawn = drawn or structure(entry, board.frame, board.theme, board.storey)
        high = (heights_of(entry)[1] - bottom) * board.frame.scale
        if not shown:
            faint.append(drawn)
        elif high <= FLAT_IN * board.inch:
            flat.append(drawn)
        else:
            standing.append(drawn)
            high = min(high, HIGHEST_IN * board.inch)
            swept += [shadow(ring, high) for ring in _solids(board, entry)]
    board.under += [*faint, *flat, shadows(board.theme, swept), *standing]


def _solids(board: BoardDrawing, entry: Entry) -> list[Ring]:
    """What of an entry casts a shadow."""
    if isinstance(entry, Piece | Floor):
        return [ring_of(outline, board.frame) for outline in entry.outlines]
    if isinstance(entry, Wall):
        return [turned([board.frame.at(at) for at in slab]) for slab in slabs_of(entry)]
    return []


def _piece(board: BoardDrawing, piece: Piece, shown: bool) -> str:
    name, fill, ink = board.tiles[piece.kind]
    tall = f", {height_of(piece.bottom, piece.top)}" if piece.top > 0 else ""
    title = svg.title(f"{piece.name}: {piece.kind}{tall}")
    several = len(piece.outlines) > 1
    if not shown:
        faint = {"fill": "none", "edge": board.theme.faint}
        outlines = [board.frame.outline(o, **faint) for o in piece.outlines]
        return group([title, *outlines], class_="terrain faint", data_piece=piece.id)
    kind = board.system.terrain_kinds[piece.kind]
    fill = board.theme[kind.form] if kind.form in FILLED else fill
    laid = kind.pattern in LOOK.tiles and kind.form not in FILLED
    style: dict[str, object] = {
        "fill": f"url(#{name})" if laid else fill,
        "stroke_linejoin": "round",
    }
    dash = {"shallows": "4 3", "roofs": "5 3", "marked": "7 3"}.get(kind.form)
    edge = {"edge": (ink, 2.2 if several else 1.3, dash)}
    shapes = [title, *(board.frame.outline(o, **style, **edge) for o in piece.outlines)]
    if several:
        # The piece is their union: the ground again covers the edges inside it.
        shapes.extend(board.frame.outline(o, **style) for o in piece.outlines)
    high = (piece.top - piece.bottom) * board.frame.scale
    for outline in piece.outlines:
        border = Border(ring_of(outline, board.frame), high, board.inch, piece.id, fill, ink)
        shapes += feature(border, board.theme, kind.form, kind.pattern)
    return group(shapes, class_="terrain", data_piece=piece.id, data_kind=piece.kind)


def label_terrain(board: BoardDrawing) -> None:
    """Name and height of every piece shown in full, inside it where there is room."""
    theme = board.theme
    _structure_labels(board)
    for piece in sorted(board.state.table.pieces, key=_size, reverse=True):
        if board.storey is not None and not board.storey.shows(piece):
            continue
        lines = [(piece.name, NAME - 0.5, False, theme["ink"])]
        if piece.top > 0:
            lines.append((height_of(piece.bottom, piece.top), SMALL, False, theme["ink"]))
        wide = max(letters.width(text, size, bold) for text, size, bold, _ in lines)
        high = sum(size + 2 for _, size, _, _ in lines)
        places, inside = _inside(board, piece.outlines, wide, high)
        index, place = board.crowd.best(places, penalty=1.5)
        if not board.crowd.inside(place):
            continue
        board.crowd.take(place, 2.0)
        halo = board.tiles[piece.kind][1] if index in inside else theme["table"]
        parts = halo_lines(place, lines, halo, 2.0, kind="piece-name", outline=4.4)
        board.over.append(group(parts, data_label=piece.id))


def _structure_labels(board: BoardDrawing) -> None:
    """Names and heights of floors, ramps and ladders; walls only where they have names."""
    theme, unit = board.theme, board.state.table.unit
    for entry in sorted(board.state.table.structures, key=size_of, reverse=True):
        if board.storey is not None and not board.storey.shows(entry):
            continue
        words = label_of(entry, unit)
        if not words:
            continue
        wide = letters.width(words, SMALL) + 2
        x, y = board.frame.at(middle_of(entry))
        places = [box(x, y, wide, SMALL + 3), *around(x, y, 8, 8, wide, SMALL + 3)]
        if isinstance(entry, Floor):
            places = _inside(board, entry.outlines, wide, SMALL + 3)[0]
        _, place = board.crowd.best(places, penalty=1.5)
        if not board.crowd.inside(place):
            continue
        board.crowd.take(place, 1.5)
        text = board.label(place, 3.5, words, SMALL, theme["ink"], kind="structure-name")
        board.over.append(group([text], data_label=entry.id))


def _inside(
    board: BoardDrawing, outlines: Sequence[Outline], wide: float, high: float
) -> tuple[list[Box], range]:
    """Places for a label, and which of them lie on the piece: over its middle first, then
    elsewhere on it, then just outside; the other way round where it is too thin."""
    spots: list[tuple[float, float, float]] = []
    low_x, low_y, high_x, high_y = box_about(outlines)
    for outline in outlines:
        x0, y0, x1, y1 = outline.box
        cx, cy = middle(outline)
        for i in range(1, 10):
            for j in range(1, 10):
                x, y = x0 + (x1 - x0) * i / 10, y0 + (y1 - y0) * j / 10
                if _holds(outline, x, y):
                    spots.append((math.hypot(x - cx, y - cy), x, y))
    spots.sort()
    chosen = [spot for index, spot in enumerate(spots) if index % 3 == 0][:24]
    places = [box(*board.frame.at((x, y)), wide, high) for _, x, y in chosen]
    x, y = board.frame.at((0.5 * (low_x + high_x), 0.5 * (low_y + high_y)))
    reach_x = 0.5 * (high_x - low_x) * board.frame.scale
    reach_y = 0.5 * (high_y - low_y) * board.frame.scale
    beside = around(x, y, reach_x, reach_y, wide, high)[:8]
    if 2 * min(reach_x, reach_y) < high:
        return [*beside, *places], range(len(beside), len(beside) + len(places))
    return [*places, *beside], range(len(places))


def _depth(entry: Entry) -> tuple[float, float]:
    """The order of drawing: by the height that hides what is below, ladders over all."""
    low, high = heights_of(entry)
    if isinstance(entry, Ladder):
        return math.inf, high
    return (high if isinstance(entry, Floor | Ramp) else low), high


def _size(piece: Piece) -> float:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in (o.box for o in piece.outlines))


def _holds(outline: Outline, x: float, y: float) -> bool:
    if isinstance(outline, Circle):
        return math.hypot(x - outline.x, y - outline.y) <= outline.radius
    return point_in_ring(x, y, outline.ring, 0, len(outline.ring))


#: Between the lines of a hatch, pixels; each zone's lean by so many degrees more than the last's.
_HATCH, _LEAN = 12.0, 50.0


def _colour(board: BoardDrawing, zone: Zone) -> str:
    look = board.looks.get(zone.side)
    return board.theme["muted"] if look is None else look.colour


def draw_zones(board: BoardDrawing) -> None:
    """Every zone, under all terrain; on plans of storeys only where the table itself is shown."""
    if not board.on(0.0):
        return
    plan = "" if board.storey is None else f"-{board.storey.index}"
    for index, zone in enumerate(shown_zones(board.state)):
        colour, name = _colour(board, zone), f"zone-{index}{plan}"
        lines = svg.path(f"M0 0V{number(_HATCH)}", None, edge=(colour, 1.6), opacity=0.45)
        lean = f"rotate({number((45.0 + _LEAN * index) % 180.0)})"
        tile = svg.pattern(name, _HATCH, lines, patternTransform=lean)
        style = {"fill": f"url(#{name})", "edge": (colour, 1.6, "9 5")}
        shape = board.frame.outline(zone.outline, **style)
        title = svg.title(f"Zone: {zone.name}")
        board.under.append(
            group([title, element("defs", tile), shape], class_="zone", data_zone=zone.id)
        )


def label_zones(board: BoardDrawing) -> None:
    """The name of every zone, where there is room: near its corners first, out of the way."""
    if not board.on(0.0):
        return
    for zone in shown_zones(board.state):
        wide, high = letters.width(zone.name, NAME, True) + 4, NAME + 4
        x0, y0, x1, y1 = zone.outline.box
        west, north = board.frame.at((x0, y1))
        east, south = board.frame.at((x1, y0))
        ends = (west + 0.5 * wide + 4, 0.5 * (west + east), east - 0.5 * wide - 4)
        rows = (north + 0.5 * high + 3, south - 0.5 * high - 3, 0.5 * (north + south))
        places = [box(x, y, wide, high) for y in rows for x in ends]
        _, place = board.crowd.best(places, penalty=1.5)
        if not board.crowd.inside(place):
            continue
        board.crowd.take(place, 1.5)
        text = board.label(
            place, 4.5, zone.name, NAME, _colour(board, zone), bold=True, kind="zone-name"
        )
        board.over.append(group([text], data_label=zone.id))
