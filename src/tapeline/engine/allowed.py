"""What marks of bodies and units, and entries of the progress, may hold; checked for all systems.

A system says of each its type, what it means, and what it may be beyond that: which words, which
numbers, the ids of what, and whether models or units have it. Whatever a rule would not understand
is a fault.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tapeline.engine.limits import more_than
from tapeline.engine.state import State
from tapeline.table.marks import Value

if TYPE_CHECKING:
    from tapeline.table.bodies import Body, Unit

__all__ = ["KIND_NAMES", "Holder", "Mark", "close_to", "id_faults", "mark_fault", "value_fault"]

#: Who has a mark.
Holder = Literal["model", "unit"]
#: What values of a type are called.
KIND_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    tuple: "a list",
}
_NAMES = {"terrain": "piece of terrain", "friend": "model of its side", "body": "model or unit"}
_HOLDERS = {"model": "models", "unit": "units"}


@dataclass(frozen=True, slots=True)
class Mark:
    """What a mark, or an entry of the progress, is and may be.

    kind: its type. says: what it means, in a few words. words: the texts it may be, or hold if it
    is a list; any if empty. ids: of what it is the id, or holds the ids: a side, a unit, a piece of
    terrain, a body, a body or unit of the holder's side ("friend", "friendly unit"), a body of
    another ("enemy"). least, most: of a number. on: whose mark it is.
    """

    kind: type
    says: str = ""
    words: tuple[str, ...] = ()
    ids: Literal["", "side", "unit", "terrain", "body", "friend", "friendly unit", "enemy"] = ""
    least: float | None = None
    most: float | None = None
    on: Holder | None = None


def close_to(word: object, known: Iterable[str]) -> str:
    """A suggestion to end a message with: the known words that are like one; empty if none is.

    >>> close_to("hlaf", ["half", "order"])
    '; did you mean half?'
    """
    near = difflib.get_close_matches(word, list(known), 3) if isinstance(word, str) else []
    return f"; did you mean {' or '.join(near)}?" if near else ""


def mark_fault(
    name: str, value: Value, known: Mapping[str, Mark], holder: Holder | None, title: str
) -> str | None:
    """What is wrong with a mark as it stands in a document; None if nothing is.

    known: all marks there are. holder: who has it, None where that is not known.
    """
    if name not in known:
        names = ", ".join(sorted(known)) or "none"
        return f"is not a state of {title}; it has {names}{close_to(name, known)}"
    rule = known[name]
    if holder is not None and rule.on not in (None, holder):
        return f"is a state of {_HOLDERS[rule.on or holder]}, not of {_HOLDERS[holder]}"
    return value_fault(value, rule)


def value_fault(value: Value, rule: Mark) -> str | None:
    """What is wrong with a value: its type, a word that is not known, a number out of range."""
    if not _is_of(value, rule.kind):
        return f"must be {KIND_NAMES.get(rule.kind, rule.kind.__name__)}; got {value!r}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = -math.inf if rule.least is None else rule.least
        high = math.inf if rule.most is None else rule.most
        if more_than(low, value) or more_than(value, high):
            span = f"{low:g} or more" if high == math.inf else f"from {low:g} to {high:g}"
            span = f"{high:g} or less" if low == -math.inf else span
            return f"must be {span}; got {value!r}"
    for item in value if isinstance(value, tuple) else (value,):
        if rule.words and isinstance(value, str | tuple) and item not in rule.words:
            which = "among" if isinstance(value, tuple) else "one of"
            suggested = close_to(item, rule.words)
            return f"must be {which} {', '.join(filter(None, rule.words))}; got {item!r}{suggested}"
    return None


def _is_of(value: Value, kind: type) -> bool:
    if kind is bool:
        return isinstance(value, bool)
    whole_too = (int, float) if kind is float else kind
    return isinstance(value, whole_too) and not isinstance(value, bool)


def id_faults(value: Value, rule: Mark, state: State, holder: Body | Unit | None) -> Iterator[str]:
    """What is wrong with the ids that a mark or an entry of the progress holds. What has left the
    table still has its id."""
    if not rule.ids:
        return
    known = set(_ids(rule, state, holder))
    for item in value if isinstance(value, tuple) else (value,):
        if item not in known:
            of = _NAMES.get(rule.ids, rule.ids)
            yield f"no {of} has the id {item!r}{close_to(item, known)}"


def _ids(rule: Mark, state: State, holder: Body | Unit | None) -> Iterator[str]:
    if rule.ids == "side":
        yield from (side.id for side in state.sides)
        return
    if rule.ids == "terrain":
        yield from state.table.order
        return
    everything: Iterable[Body | Unit] = state.units.values()
    if rule.ids in ("body", "friend", "enemy"):
        everything = (*state.bodies.values(), *state.gone.values())
    for each in everything:
        theirs = holder is not None and each.side != holder.side
        if (rule.ids.startswith("friend") and theirs) or (rule.ids == "enemy" and not theirs):
            continue
        yield each.id
