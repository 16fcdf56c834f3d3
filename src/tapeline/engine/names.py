"""The names that documents of a system use, with what each means: for cases and for pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tapeline.engine.allowed import close_to

__all__ = ["Names", "did_you_mean"]


@dataclass(frozen=True, slots=True)
class Names:
    """What each name means, in a few words.

    values: figures of a verdict's outcome. figures: of a profile. traits: of terrain, those that
    kinds bring as well as those a scene may add. legs: the manners (`how`) of a leg. words: what a
    figure of a profile may be, or hold if it is a list, where that is one of several words. Marks
    and entries of the progress say it themselves (`Mark`).
    """

    values: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    traits: Mapping[str, str] = field(default_factory=dict)
    legs: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What to say after "is not known": the nearest names, else all that there are.

    >>> did_you_mean("allowence", ["moved", "cost", "allowance"])
    '; did you mean allowance?'
    >>> did_you_mean("x", ["moved", "cost"])
    '; there are moved, cost'
    >>> did_you_mean("x", [])
    '; there are none'
    """
    names = list(known)
    return close_to(name, names) or f"; there are {', '.join(names) or 'none'}"
