"""Troop types, example units and characters as data, and what follows from them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from tapeline.engine.system import Profile
from tapeline.rules.warmaster.figures import CHARACTER_FLYING_CM, FLYER_PACE_CM
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks, Value

__all__ = [
    "KEYWORDS",
    "POLICIES",
    "PROFILES",
    "RANKS",
    "TYPES",
    "TroopType",
    "command_of",
    "derive",
    "flies",
    "full_pace",
    "half_pace",
    "is_character",
    "mask_of",
    "policy_of",
    "rank_of",
    "type_of",
]

#: Everything that sets a unit apart and that a rule asks for.
KEYWORDS = (
    "flyer",
    "all_round",
    "never_evades",
    "never_driven_back",
    "not_confused",
    "no_near_penalty",
    "no_character",
    "no_brigade",
)
#: What a unit must or may not do on initiative.
POLICIES = ("", "must_charge", "no_charge", "never")
RANKS = ("general", "hero", "wizard")
#: Base of a character and its move, mm and cm (WM-PACE-2).
_CHARACTER_MM, _CHARACTER_CM = 25.0, 60.0


@dataclass(frozen=True, slots=True)
class TroopType:
    """A row of the table of types. base_mm: front, depth. full, half: cm. mask: a letter."""

    name: str
    base_mm: tuple[float, float]
    full: float
    half: float
    mask: str


_DATA: dict[str, Any] = tomllib.loads(
    files("tapeline.rules.warmaster").joinpath("profiles.toml").read_text("utf-8")
)

TYPES = MappingProxyType(
    {
        name: TroopType(
            name, (row["base_mm"][0], row["base_mm"][1]), row["full"], row["half"], row["mask"]
        )
        for name, row in _DATA["types"].items()
    }
)


def _unit(name: str, row: dict[str, Any]) -> Profile:
    troop = TYPES[row["type"]]
    base = row.get("base_mm", troop.base_mm)
    flyer = "flyer" in row.get("keywords", ())
    stats = {
        "type": troop.name,
        "full": float(FLYER_PACE_CM if flyer else row.get("full", troop.full)),
        "half": float(row.get("half", troop.half)),
        "stands": row["stands"],
        "policy": row.get("policy", ""),
        "command": row.get("command", 0),
        "keywords": tuple(row.get("keywords", ())),
    }
    return Profile(name, tuple(float(side) for side in base), Marks(stats))


def _character(name: str, row: dict[str, Any]) -> Profile:
    keywords = tuple(row.get("keywords", ()))
    full = CHARACTER_FLYING_CM if "flyer" in keywords else _CHARACTER_CM
    stats = {
        "type": "character",
        "rank": row["rank"],
        "command": row["command"],
        "mount": row.get("mount", "infantry"),
        "full": full,
        "half": full,
        "keywords": keywords,
    }
    return Profile(name, (_CHARACTER_MM,), Marks(stats))


PROFILES = MappingProxyType(
    {
        **{name: _unit(name, row) for name, row in _DATA["units"].items()},
        **{name: _character(name, row) for name, row in _DATA["characters"].items()},
    }
)


def derive(profile: Profile, given: frozenset[str]) -> Profile:
    """An inline profile with the paces and the base that its type and keywords give.

    A figure that is given stays, and so does a pace that no keyword given touches.
    """
    stats = profile.stats
    kind, words = stats.get("type"), stats.get("keywords", ())
    flyer = isinstance(words, tuple) and "flyer" in words
    found: dict[str, Value] = {}
    if kind == "character" and given & {"type", "keywords"}:
        found["full"] = found["half"] = CHARACTER_FLYING_CM if flyer else _CHARACTER_CM
    elif isinstance(kind, str) and kind in TYPES:
        troop = TYPES[kind]
        if "type" in given:
            profile = replace(profile, base_mm=troop.base_mm)
            found = {"full": troop.full, "half": troop.half}
        if flyer and given & {"type", "keywords"}:
            found["full"] = FLYER_PACE_CM
        elif "keywords" in given and stats.get("full") == FLYER_PACE_CM:
            found["full"] = troop.full
    derived = {name: value for name, value in found.items() if name not in given}
    return replace(profile, stats=stats.update(derived))


def _word(body: Body, name: str) -> str:
    value = body.stats.get(name, "")
    return value if isinstance(value, str) else ""


def type_of(body: Body) -> str:
    """The troop type of a stand, or "character"."""
    return _word(body, "type")


def is_character(body: Body) -> bool:
    """Whether a body is a General, a Hero or a Wizard, not a stand of a unit."""
    return type_of(body) == "character"


def rank_of(body: Body) -> str:
    """general, hero or wizard."""
    return _word(body, "rank")


def flies(bodies: Iterable[Body]) -> bool:
    """Whether all of some bodies are flyers."""
    return all(body.keyword("flyer") for body in bodies)


#: Mounts that make of their rider what they are; on any other it stays infantry (WM-CHAR-6).
_CARRYING = ("monster", "chariot")


def mask_of(body: Body) -> str:
    """The letter by which access masks of terrain know a body (WM-TER, WM-CHAR-6)."""
    if not is_character(body):
        return TYPES[type_of(body)].mask
    mount = _word(body, "mount")
    return TYPES[mount if mount in _CARRYING else "infantry"].mask


def full_pace(body: Body) -> float:
    """Full pace, cm (WM-PACE-2)."""
    return body.stat("full")


def half_pace(body: Body) -> float:
    """Half pace, cm (WM-PACE-2)."""
    return body.stat("half")


def policy_of(body: Body) -> str:
    """What the unit must or may not do on initiative (WM-INIT-2)."""
    return _word(body, "policy")


def command_of(body: Body) -> int:
    """Command of a character; of a unit what it adds to that of who orders it."""
    return int(body.stat("command"))
