"""Unit types, weapons and example units as data, and the allowance worked out from them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from tapeline.engine.system import Profile
from tapeline.rules.sovl.figures import FLYING_MOVE_IN, MOVE_CHANGE_IN, SHIELD_DEFENSE
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks, Value

__all__ = [
    "KEYWORDS",
    "PROFILES",
    "TYPES",
    "WEAPONS",
    "Weapon",
    "defense_of",
    "derive",
    "flies",
    "models_of",
    "move_of_type",
    "type_of",
    "weapon_of",
]

#: Every property that a rule asks for.
KEYWORDS = (*MOVE_CHANGE_IN, "Scout", "Flying", "Demonic", "Fearless", "Shield", "Commander")


@dataclass(frozen=True, slots=True)
class UnitType:
    """A row of the type table. base_mm: width, depth. move, pivot_cost: inches."""

    name: str
    base_mm: tuple[float, float]
    move: float
    pivot_cost: float
    files: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """A ranged weapon. reach: inches. A die for each model, or `shots` dice, or `hits` outright.

    hits: number of D3 and what is added to their sum.
    """

    name: str
    reach: float
    power: int
    shots: int = 0
    hits: tuple[int, int] | None = None


def _hits(text: str) -> tuple[int, int]:
    dice, _, plus = text.partition("+")
    return int(dice.removesuffix("D3") or 1), int(plus or 0)


_DATA: dict[str, Any] = tomllib.loads(
    files("tapeline.rules.sovl").joinpath("profiles.toml").read_text("utf-8")
)

TYPES = MappingProxyType(
    {
        name: UnitType(
            name,
            (float(row["base_mm"][0]), float(row["base_mm"][1])),
            float(row["move"]),
            float(row["pivot_cost"]),
            row["files"],
        )
        for name, row in _DATA["types"].items()
    }
)

WEAPONS = MappingProxyType(
    {
        name: Weapon(
            name,
            float(row["range"]),
            row["power"],
            row.get("shots", 0),
            _hits(row["hits"]) if "hits" in row else None,
        )
        for name, row in _DATA["weapons"].items()
    }
)


def move_of_type(kind: UnitType, keywords: Iterable[str]) -> float:
    """The allowance of a unit of that type with those properties, inches (SV-PROP-1, -3).

    >>> move_of_type(TYPES["Infantry"], ["Sturdy", "Heavy Armor"])
    7.0
    """
    held = set(keywords)
    if "Flying" in held:
        return FLYING_MOVE_IN
    if "Sturdy" in held:
        held.discard("Heavy Armor")
    return max(0.0, kind.move + sum(MOVE_CHANGE_IN.get(word, 0.0) for word in held))


def derive(profile: Profile, given: frozenset[str]) -> Profile:
    """An inline profile with the figures that its type and properties give.

    The allowance follows from both, base and files from the type; a figure that is given stays.
    """
    kind = TYPES.get(str(profile.stats.get("type")))
    if kind is None or not given & {"type", "keywords"}:
        return profile
    words = profile.stats.get("keywords", ())
    found: dict[str, Value] = {}
    if isinstance(words, tuple):
        found["move"] = move_of_type(kind, map(str, words))
    if "type" in given:
        found["files"] = kind.files
        profile = replace(profile, base_mm=kind.base_mm)
    derived = {name: value for name, value in found.items() if name not in given}
    return replace(profile, stats=profile.stats.update(derived))


def _profile(name: str, row: dict[str, Any]) -> Profile:
    kind = TYPES[row["type"]]
    keywords = tuple(row.get("keywords", ()))
    line = dict(
        zip(
            ("skill", "power", "defense", "attacks", "wounds", "discipline"),
            row["line"],
            strict=True,
        )
    )
    stats = Marks(
        {
            "type": kind.name,
            "move": move_of_type(kind, keywords),
            **line,
            "files": kind.files,
            "size": tuple(row["size"]),
            "weapon": row.get("weapon", ""),
            "keywords": keywords,
            "abilities": tuple(row.get("abilities", ())),
        }
    )
    role = row.get("role", _DATA["types"][kind.name]["role"])
    return Profile(name, kind.base_mm, stats, role)


PROFILES = MappingProxyType({name: _profile(name, row) for name, row in _DATA["units"].items()})


def type_of(body: Body) -> UnitType:
    """The row of the type table for a body whose type was checked at set-up (SV-ACT-4)."""
    return TYPES[str(body.stats["type"])]


def weapon_of(body: Body) -> Weapon | None:
    """What a body shoots with, or None."""
    name = body.stats.get("weapon")
    return WEAPONS[str(name)] if name else None


def models_of(body: Body) -> int:
    """How many models stand in a body."""
    return body.marks.whole("models") or 1


def flies(body: Body) -> bool:
    """Whether terrain is ignored when it moves (SV-PROP-3)."""
    return body.keyword("Flying")


def defense_of(body: Body) -> int:
    """Defense with equipment."""
    return int(body.stat("defense")) + (SHIELD_DEFENSE if body.keyword("Shield") else 0)
