"""The rule book, every number with its unit and its clause, and troop types as data."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from tapeline.engine.clauses import RuleBook
from tapeline.engine.system import Profile
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks, Value

__all__ = [
    "ADVANCE_CM",
    "BLIND_CM",
    "BOOK",
    "BRIGADE_MOST",
    "CHARACTER_SHIFT_CM",
    "COLUMN_BEND_DEG",
    "COMMAND_BAND_CM",
    "COMMAND_NEAR_CM",
    "EVADE_CLEAR_CM",
    "EVADE_LEAST_CM",
    "FALL_BACK_DICE",
    "FIRST_CONTACT_CM",
    "FLYER_CHARGE_CM",
    "FLYER_ORDER_CM",
    "HALT_SHORT_CM",
    "HOME_BACK_CM",
    "INITIATIVE_CM",
    "KEYWORDS",
    "ORDERS_MOST",
    "POLICIES",
    "PROFILES",
    "RANKS",
    "RETURN_ACTS",
    "RETURN_BACK",
    "TURN_MOST_DEG",
    "TYPES",
    "ZONE_DEG",
    "command_of",
    "derive",
    "flies",
    "full_pace",
    "is_character",
    "mask_of",
    "policy_of",
    "rank_of",
    "type_of",
]


#: Closest enemy that initiative answers to (WM-INIT-1), cm.
INITIATIVE_CM: Final = 20.0
#: An evade goes at least this far (WM-EVADE-2), and ends this far from enemies and fights
#: (WM-EVADE-10), cm.
EVADE_LEAST_CM: Final = 1.0
EVADE_CLEAR_CM: Final = 5.0
#: The sharpest bend of a column (WM-FORM-3), degrees.
COLUMN_BEND_DEG: Final = 90.0
#: A turn is by at most this (WM-STAND-1): beyond it the straight measure shrinks while the sweep
#: grows, degrees.
TURN_MOST_DEG: Final = 180.0
#: How far sight reaches into woods and villages (WM-VIS-8), cm.
BLIND_CM: Final = 2.0
#: Move of a character that flies (WM-CHAR-4), cm.
CHARACTER_FLYING_CM: Final = 100.0
#: A lone character touched by enemies must reach a friendly unit this near (WM-CHAR-10), cm.
CHARACTER_SHIFT_CM: Final = 30.0
#: Each band of distance between character and unit costs 1 Command (WM-CMD-3), cm.
COMMAND_BAND_CM: Final = 20.0
#: An enemy this near costs 1 Command (WM-CMD-3), cm.
COMMAND_NEAR_CM: Final = 20.0
#: Orders a unit may get in a turn (WM-CMD-4); units in a brigade (WM-CMD-8).
ORDERS_MOST: Final = 3
BRIGADE_MOST: Final = 4
#: Flyers (WM-PACE-2, WM-FLY-2, -3, WM-CMD-6), cm.
FLYER_PACE_CM: Final = 100.0
FLYER_CHARGE_CM: Final = 60.0
FLYER_ORDER_CM: Final = 20.0
HOME_BACK_CM: Final = 20.0
#: Free edge of the target that the first stand of a charge needs (WM-CHG-3), cm.
FIRST_CONTACT_CM: Final = 1.0
#: The zones about a target stand open outward at this angle (WM-CHG-2), degrees.
ZONE_DEG: Final = 45.0
#: Forced moves stop this short of enemies and fights (WM-CONF-2), cm.
HALT_SHORT_CM: Final = 1.0
#: A fall back goes up to this many dice (WM-FB-1); an advance this far (WM-ADV-1), cm.
FALL_BACK_DICE: Final = 3
ADVANCE_CM: Final = 20.0
#: Results of the roll for leaving the table (WM-OFF-5..8): this much or more is back, and acts.
RETURN_BACK: Final = 3
RETURN_ACTS: Final = 5


BOOK = RuleBook("WM")


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
    role = row.get("role", _DATA["types"][troop.name]["role"])
    return Profile(name, tuple(float(side) for side in base), Marks(stats), role)


_CHARACTER_ROLES = {"general": "leader", "hero": "hero", "wizard": "magic"}


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
    return Profile(name, (_CHARACTER_MM,), Marks(stats), _CHARACTER_ROLES[row["rank"]])


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


def type_of(body: Body) -> str:
    """The troop type of a stand, or "character"."""
    return body.stats.text("type")


def is_character(body: Body) -> bool:
    """Whether a body is a General, a Hero or a Wizard, not a stand of a unit."""
    return body.stats.get("type") == "character"


def rank_of(body: Body) -> str:
    """general, hero or wizard."""
    return body.stats.text("rank")


def flies(bodies: Iterable[Body]) -> bool:
    """Whether all of some bodies are flyers."""
    return all(body.keyword("flyer") for body in bodies)


#: Mounts that make of their rider what they are; on any other it stays infantry (WM-CHAR-6).
_CARRYING = ("monster", "chariot")


def mask_of(body: Body) -> str:
    """The letter by which access masks of terrain know a body (WM-TER, WM-CHAR-6)."""
    kind = type_of(body)
    if kind != "character":
        return TYPES[kind].mask
    mount = body.stats.text("mount")
    return TYPES[mount if mount in _CARRYING else "infantry"].mask


def full_pace(body: Body) -> float:
    """Full pace, cm (WM-PACE-2)."""
    return body.stat("full")


def policy_of(body: Body) -> str:
    """What the unit must or may not do on initiative (WM-INIT-2)."""
    return body.stats.text("policy")


def command_of(body: Body) -> int:
    """Command of a character; of a unit what it adds to that of who orders it."""
    return int(body.stat("command"))
