"""Faults of bodies: a system names the body, whoever holds the document says where that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tapeline.errors import Fault
from tapeline.table.bodies import Body

__all__ = ["at_body", "located"]

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
