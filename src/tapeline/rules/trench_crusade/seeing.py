"""Sight between two models told to whoever asks: the line, or what stands in the way."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.sight import Seen
from tapeline.engine.state import State
from tapeline.rules.trench_crusade.sight import is_attested, models_block, sight_line
from tapeline.rules.trench_crusade.state import height, radius
from tapeline.table.between import Place3, entries_between
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid, ground_of
from tapeline.table.storeys import storeys_of
from tapeline.table.terrain import Circle

__all__ = ["seen"]

#: The clause that asks for sight.
_CLAUSE = "TC-CHG-2"


def seen(state: State, a: Body, b: Body) -> Seen:
    """Whether one model sees another, as a charge asks (TC-CHG-2)."""
    if is_attested(state):
        return Seen(None, "The players settle who sees whom (los_mode attested).", _CLAUSE)
    found = sight_line(state, a, b)
    if not found.visible:
        blocks = tuple(_between(state, a, b))
        return Seen(False, f"{a.name} cannot see {b.name}.", _CLAUSE, (), blocks)
    lines = () if found.line is None else ((found.line[0][:2], found.line[1][:2]),)
    return Seen(True, f"{a.name} sees {b.name}.", _CLAUSE, lines)


def _middle(body: Body) -> Place3:
    return body.x, body.y, body.z + 0.5 * height(body)


def _between(state: State, a: Body, b: Body) -> Iterator[str]:
    """What the line between the middles of two models runs into."""
    storeys = storeys_of(state.table)
    walls = {wall.id for wall in state.table.walls}
    solids = [
        Solid(piece.id, ground_of(outline), piece.bottom, piece.top)
        for piece in state.table.pieces
        if piece.has("opaque")
        for outline in piece.outlines
    ]
    solids += [s for s in storeys.solids if s.entry in walls and not s.see_through]
    solids += storeys.plates
    if models_block(state):
        solids += [
            Solid(
                other.id,
                ground_of(Circle(other.x, other.y, radius(other))),
                other.z,
                other.z + height(other),
            )
            for other in state.bodies.values()
            if other.id not in (a.id, b.id)
        ]
    yield from entries_between(solids, _middle(a), _middle(b))
