"""Profiles and weapons, read from profiles.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from tapeline.engine.system import Profile
from tapeline.table.marks import Marks, freeze

__all__ = ["Weapon", "derive", "profiles", "weapons"]


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon: whether it is for melee, and its keywords."""

    name: str
    melee: bool
    keywords: frozenset[str]


@cache
def _document() -> dict[str, Any]:
    text = files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def profiles() -> dict[str, Profile]:
    """All profiles by name."""
    document = _document()
    found = {}
    for name, entry in document["profiles"].items():
        stats = {**document["defaults"], **entry}
        base_mm = tuple(float(size) for size in stats.pop("base_mm"))
        frozen = freeze(stats)
        assert isinstance(frozen, Marks)
        found[name] = Profile(name, base_mm, frozen)
    return found


def derive(profile: Profile, given: frozenset[str]) -> Profile:
    """An inline profile that flies if its keywords say so and it says nothing else itself."""
    words = profile.stats.get("keywords")
    if "keywords" not in given or "flying" in given or not isinstance(words, tuple):
        return profile
    return replace(profile, stats=profile.stats.set(flying="FLYING" in words))


@cache
def weapons() -> dict[str, Weapon]:
    """All weapons by name."""
    return {
        name: Weapon(name, entry["melee"], frozenset(entry["keywords"]))
        for name, entry in _document()["weapons"].items()
    }
