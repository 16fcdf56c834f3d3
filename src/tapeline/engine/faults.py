"""Faults of bodies: a system names the body, whoever holds the document says where that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from tapeline.engine.state import State
from tapeline.errors import Fault
from tapeline.table.bodies import Body

__all__ = ["at_body", "located", "model_faults"]

#: Begins a path that is about a body, and parts its id from the rest; no id holds them.
_MARK, _END = "@", "/"


def at_body(body: Body) -> str:
    """The beginning of the path of a fault of a body; `located` makes it one of the document."""
    return f"{_MARK}{body.id}{_END}"


def located(faults: Iterable[Fault], paths: Mapping[str, str]) -> list[Fault]:
    """Faults with the paths of the document. paths: of bodies, by id; others go by their id."""
    found = []
    for fault in faults:
        if fault.path.startswith(_MARK):
            body, _, rest = fault.path[1:].partition(_END)
            where = paths.get(body, body)
            fault = replace(fault, path=where + rest)
        found.append(fault)
    return found


def model_faults(
    state: State, title: str, of_body: Callable[[State, Body, str], Iterable[Fault]]
) -> Iterator[Fault]:
    """What a scene has that a game of single models between two sides has not.

    title: of the game. of_body: what else is wrong with a body, given the path of its faults.
    """
    if len(state.sides) != 2:
        yield Fault("sides", f"{title} is for two sides; got {len(state.sides)}")
    if state.units:
        yield Fault("units", "models act one by one here; there are no units")
    for body in state.bodies.values():
        where = at_body(body)
        if "files" in body.marks:
            yield Fault(where, "models act one by one; there are no regiments")
        else:
            yield from of_body(state, body, where)
