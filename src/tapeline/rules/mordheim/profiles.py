"""Profiles of Mordheim, read from profiles.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from tapeline.engine.system import Profile
from tapeline.table.marks import Marks, freeze

__all__ = ["profiles"]


@cache
def profiles() -> dict[str, Profile]:
    """All profiles by name."""
    text = files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text)
    found = {}
    for name, entry in document["profiles"].items():
        stats = {**document["defaults"], **entry}
        base_mm = tuple(float(size) for size in stats.pop("base_mm"))
        frozen = freeze(stats)
        assert isinstance(frozen, Marks)
        found[name] = Profile(name, base_mm, frozen)
    return found
