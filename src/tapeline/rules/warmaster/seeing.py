"""Sight between two units told to whoever asks, a stand of each being named."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.seeing import Seen
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.rules.warmaster.sight import line_of_sight
from tapeline.rules.warmaster.stands import rect_of
from tapeline.rules.warmaster.state import stands_of, unit_of_stand, units_on_table
from tapeline.table.between import entries_between
from tapeline.table.bodies import Body, Unit
from tapeline.table.solids import Solid, ground_of
from tapeline.table.terrain import Polygon

__all__ = ["seen"]


def seen(state: State, a: Body, b: Body) -> Seen:
    """Whether the unit of one stand sees the unit of another (WM-VIS-1)."""
    unit, other = unit_of_stand(state, a.id), unit_of_stand(state, b.id)
    if unit is None or other is None:
        who = a.name if unit is None else b.name
        words = f"{who} is a character: sight is a matter of units, and characters block none."
        return Seen(None, words, "WM-VIS-4")
    if unit.id == other.id:
        return Seen(None, f"Both are stands of {unit.name}.", "WM-VIS-1")
    line = line_of_sight(state, unit, other)
    if line is not None:
        return Seen(True, f"{unit.name} sees {other.name}.", "WM-VIS-1", (line,))
    blocks = tuple(_between(state, unit, other))
    return Seen(False, f"{unit.name} cannot see {other.name}.", "WM-VIS-1", (), blocks)


def _between(state: State, unit: Unit, other: Unit) -> Iterator[str]:
    """Stands and terrain that the line between the two nearest stands runs into."""
    pairs = [
        (rect_of(one), rect_of(two))
        for one in stands_of(state, unit)
        for two in stands_of(state, other)
    ]
    start, end = min(pairs, key=lambda pair: Line(*_spot(pair[0]), *_spot(pair[1])).length)
    mine = {*unit.members, *other.members}
    solids = [
        Solid(body.id, ground_of(Polygon(rect_of(body).corners)), 0.0, 1.0)
        for third in units_on_table(state)
        for body in stands_of(state, third)
        if body.id not in mine
    ]
    solids += [
        Solid(piece.id, ground_of(outline), 0.0, 1.0)
        for piece in state.table.pieces
        if not piece.has("low") and (piece.has("opaque") or piece.has("deep"))
        for outline in piece.outlines
    ]
    yield from entries_between(solids, (*_spot(start), 0.5), (*_spot(end), 0.5))


def _spot(rect: Rect) -> tuple[float, float]:
    return rect.x, rect.y
