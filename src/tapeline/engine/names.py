"""The names that documents of a system use, with what each means: for cases and for pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

__all__ = ["Names", "did_you_mean"]


@dataclass(frozen=True, slots=True)
class Names:
    """What each name means, in a few words.

    marks: of a body or unit, those of `System.state_marks`. progress: entries of what the system
    remembers of the sequence. values: figures of a verdict's outcome. figures: of a profile.
    traits: of terrain, those that kinds bring as well as those a scene may add. legs: the manners
    (`how`) of a leg. words: what a mark, an entry, a figure or a list of them may hold, where it
    is one of several words.
    """

    marks: Mapping[str, str] = field(default_factory=dict)
    progress: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    traits: Mapping[str, str] = field(default_factory=dict)
    legs: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What to say after "is not known": the nearest names, else all that there are.

    >>> did_you_mean("allowence", ["moved", "cost", "allowance"])
    "; did you mean 'allowance'?"
    >>> did_you_mean("x", ["moved", "cost"])
    '; there are moved, cost'
    >>> did_you_mean("x", [])
    '; there are none'
    """
    names = list(known)
    near = get_close_matches(name, names, 3) or [n for n in names if n.lower() == name.lower()]
    if near:
        return f"; did you mean {' or '.join(map(repr, near))}?"
    return f"; there are {', '.join(names) or 'none'}"
