"""Zones on a board: hatched in the colour of their side, with a dashed edge and a name."""

from __future__ import annotations

from tapeline.engine.score import shown_zones
from tapeline.picture import letters, svg
from tapeline.picture.board import NAME, BoardDrawing
from tapeline.picture.labels import box
from tapeline.picture.svg import element, group, number
from tapeline.table.terrain import Zone

__all__ = ["draw_zones", "label_zones"]

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
