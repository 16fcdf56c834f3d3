"""Badges: what has happened to a body or unit, as a letter on the board and words beside it.

One source for pictures and pages. A system says in `System.badges` which marks show and how; of a
system that says nothing every mark that is set does, by the first letters of its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tapeline.engine.state import State
from tapeline.engine.system import Looks, System
from tapeline.table.marks import Marks, Value
from tapeline.wording import listed, spaced

__all__ = ["Badge", "badges_of", "looks_of"]

#: Marks that describe a base and are drawn as such, or say why a body is gone.
_OF_THE_BASE = frozenset({"models", "files", "file_width", "rank_depth", "gone"})


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge of a body or unit: its letter, with the number there is of it, and words.

    what: the words without number and names, for legends.
    """

    letter: str
    words: str
    what: str


def looks_of(system: System, state: State) -> Looks:
    """The looks of the marks of a system; made up from their names where it gives none."""
    if system.badges:
        return system.badges
    names: dict[str, None] = dict.fromkeys(system.marks)
    for body in state.bodies.values():
        names.update(dict.fromkeys(body.marks))
    made: dict[str, tuple[str, str]] = {}
    for name in names:
        if name in _OF_THE_BASE:
            continue
        words = spaced(name)
        first = words.title().replace(" ", "") or "?"
        taken = {letter for letter, _ in made.values()}
        size = 1
        while first[:size] in taken and size < len(first):
            size += 1
        made[name] = (first[:size], words)
    return made


def badges_of(marks: Marks, looks: Looks, name: Callable[[str], str] = str) -> Iterator[Badge]:
    """The badges of marks, in their order. name: of an id."""
    for mark, value in marks.items():
        look = looks.get(f"{mark}={value}") if isinstance(value, str) else None
        look = look or looks.get(mark)
        if look is None or not _is_set(value):
            continue
        letter, words = look
        what = words.replace(" {}", "").replace("{}", "")
        if value is True:
            yield Badge(letter, what, what)
        elif isinstance(value, int | float):
            shown = f"{value:g}"
            full = words.replace("{}", shown) if "{}" in words else f"{words} {shown}"
            yield Badge(f"{letter}{shown}", full, what)
        elif "{}" in words or f"{mark}={value}" in looks:
            yield Badge(letter, words.replace("{}", _names(value, name)), what)


def _is_set(value: Value) -> bool:
    if isinstance(value, bool | int | float):
        return value > 0
    return bool(value)


def _names(value: Value, name: Callable[[str], str]) -> str:
    if isinstance(value, tuple):
        return listed([_names(item, name) for item in value])
    return name(value) if isinstance(value, str) else str(value)
