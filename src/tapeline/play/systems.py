"""Rule systems by name, found through the entry point group `tapeline.systems`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from tapeline.engine.system import System
from tapeline.errors import RuleBookError, UnknownSystemError

__all__ = ["load_system", "look_again", "system_names"]

GROUP = "tapeline.systems"


@cache
def _found() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def system_names() -> tuple[str, ...]:
    """Names of the installed systems, sorted."""
    return tuple(sorted(_found()))


@cache
def load_system(name: str) -> System:
    """The system of that name.

    Raises UnknownSystemError with the names there are, RuleBookError for one that does not load.
    """
    entry = _found().get(name)
    if entry is None:
        known = ", ".join(system_names()) or "none"
        raise UnknownSystemError(f"no rule system {name!r} is installed; there are: {known}")
    try:
        system = entry.load()
    except (ImportError, AttributeError) as error:
        raise RuleBookError(f"the rule system {name!r} cannot be loaded: {error}") from error
    if not isinstance(system, System):
        raise RuleBookError(f"the entry point {name!r} is not a System")
    return system


def look_again() -> None:
    """Forget which systems are installed; they are looked for when one is asked for."""
    _found.cache_clear()
    load_system.cache_clear()
