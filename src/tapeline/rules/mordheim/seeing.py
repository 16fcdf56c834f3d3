"""Sight between two models told to whoever asks: the line, or what stands in the way."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.sight import Seen
from tapeline.engine.state import State
from tapeline.rules.mordheim.charts import discs_of
from tapeline.rules.mordheim.sight import sight_line, tall
from tapeline.rules.mordheim.state import is_hidden, is_standing
from tapeline.table.between import Place3, entries_between
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid, ground_of
from tapeline.table.storeys import storeys_of
from tapeline.table.terrain import Circle

__all__ = ["seen"]


def seen(state: State, a: Body, b: Body) -> Seen:
    """Whether one model sees another to shoot or charge it (MH-LOS-1, MH-HIDE-8); each sees all
    round."""
    a = a.marked(hidden=None)
    found = sight_line(state, a, b)
    if not found.visible:
        words = f"{a.name} cannot see {b.name}."
        if not found.certain:
            words += " There is so much in the way that the search was given up."
        return Seen(False, words, "MH-LOS-1", (), tuple(_between(state, a, b)))
    words = f"{a.name} sees {b.name}."
    if is_hidden(b) and a.side != b.side:
        words = f"A line runs from {a.name} to {b.name}, who is hidden."
    lines = () if found.line is None else ((found.line[0][:2], found.line[1][:2]),)
    return Seen(True, words, "MH-LOS-1", lines)


def _middle(body: Body) -> Place3:
    return body.x, body.y, body.z + 0.5 * tall(body)


def _between(state: State, a: Body, b: Body) -> Iterator[str]:
    """What the line between the middles of two models runs into."""
    storeys = storeys_of(state.table)
    solids = [s for s in (*storeys.solids, *storeys.plates) if not s.see_through]
    if state.option("models_block_sight") != "no":
        for other in state.bodies.values():
            if other.id not in (a.id, b.id) and is_standing(other):
                top = other.z + tall(other)
                solids += [
                    Solid(other.id, ground_of(Circle(*disc)), other.z, top)
                    for disc in discs_of(other)
                ]
    yield from entries_between(solids, _middle(a), _middle(b))
