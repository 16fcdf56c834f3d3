"""Profiles of Trench Crusade, and what it remembers of a model and of the activation, typed."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from tapeline.engine.allowed import Mark
from tapeline.engine.state import State
from tapeline.engine.system import Profile, profiles_of
from tapeline.rules.trench_crusade.book import (
    LARGE_HEIGHT_IN,
    MARKERS_MAX,
    SMALL_BASE_MM,
    SMALL_HEIGHT_IN,
    STOOD_UP_FACTOR,
)
from tapeline.table.bodies import MM_PER_UNIT, Body, Round
from tapeline.table.marks import Marks

__all__ = [
    "MARKS",
    "MOVES",
    "NO_ACTIVATION",
    "PROGRESS",
    "Activation",
    "Weapon",
    "activation",
    "base_mm",
    "carries",
    "derive",
    "flies",
    "height",
    "is_down",
    "is_halved",
    "may_leave_table",
    "melee_armed",
    "movement",
    "movement_to_come",
    "negates_heavy",
    "next_side",
    "profiles",
    "radius",
    "unactivated",
    "weapons",
]


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
    return profiles_of(_document())


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


#: Marks a scene may set on a model.
MARKS = {
    "activated": Mark(bool, "has been activated this turn"),
    "blessing": Mark(int, "BLESSING MARKERs on it, 0 to 6", least=0, most=MARKERS_MAX),
    "blood": Mark(int, "BLOOD MARKERs on it, 0 to 6", least=0, most=MARKERS_MAX),
    "down": Mark(bool, "is Down"),
    "may_leave_table": Mark(bool, "a rule lets it move off the table"),
    "tough_used": Mark(bool, "has used up TOUGH in this battle"),
}

#: Entries of the progress, those of the Activation under way.
PROGRESS = {
    "actor": Mark(str, "id of the model whose Activation goes on, or was the last", ids="body"),
    "taken": Mark(
        tuple,
        "types of ACTION it has taken, in order",
        words=("move", "dash", "charge", "retreat", "fight", "shoot"),
    ),
    "over": Mark(
        str,
        "why its Activation ended; absent while it goes on",
        words=("", "ended", "dash", "danger", "down", "out"),
    ),
    "stood_up": Mark(bool, "it began Down: its Movement is halved"),
    "shot": Mark(tuple, "keywords of the weapon it shot with"),
    "dived": Mark(bool, "its next Melee Attack has the +1 DICE of a diving charge"),
}

#: The three types of which only one may be taken in an Activation, TC-ACT-6.
MOVES = frozenset({"move", "charge", "retreat"})


@dataclass(frozen=True, slots=True)
class Activation:
    """The Activation under way: what `PROGRESS` holds; over is "" while it goes on."""

    actor: str
    taken: tuple[str, ...] = ()
    over: str = ""
    stood_up: bool = False
    shot: tuple[str, ...] = ()
    dived: bool = False


#: Changes that clear the Activation out of the progress.
NO_ACTIVATION = Marks(dict.fromkeys(PROGRESS))


def activation(state: State) -> Activation | None:
    """The Activation that goes on or was the last one of the turn; None before the first."""
    return _activation(state.progress)


@lru_cache(maxsize=256)
def _activation(progress: Marks) -> Activation | None:
    actor = progress.get("actor")
    if not isinstance(actor, str):
        return None
    return Activation(
        actor,
        progress.texts("taken"),
        progress.text("over"),
        bool(progress.get("stood_up")),
        progress.texts("shot"),
        bool(progress.get("dived")),
    )


def is_down(body: Body) -> bool:
    """Whether the model is Down."""
    return bool(body.marks.get("down"))


def may_leave_table(body: Body) -> bool:
    """Whether a rule lets the model move off the Battlefield."""
    return bool(body.marks.get("may_leave_table"))


def radius(body: Body) -> float:
    """Radius of the base, inches."""
    base = body.base
    return base.radius if isinstance(base, Round) else base.reach


def base_mm(body: Body) -> float:
    """Diameter of the base, millimetres."""
    return 2.0 * radius(body) * MM_PER_UNIT["in"]


def flies(body: Body) -> bool:
    """Whether the model moves through the air, TC-FLY-1."""
    return bool(body.stats.get("flying")) or body.keyword("FLYING")


def height(body: Body) -> float:
    """Height of the model for sight, inches."""
    given = body.stat("height")
    if given > 0:
        return given
    return SMALL_HEIGHT_IN if base_mm(body) < SMALL_BASE_MM + 1e-3 else LARGE_HEIGHT_IN


def negates_heavy(body: Body) -> bool:
    """Whether HEAVY equipment is nothing to the model, TC-KW-1: STRONG carries NEGATE HEAVY."""
    return body.keyword("STRONG") or body.keyword("NEGATE HEAVY")


def carries(body: Body) -> tuple[Weapon, ...]:
    """The weapons of the model."""
    known = weapons()
    names = body.stats.texts("weapons")
    return tuple(known[name] for name in names if name in known)


def melee_armed(body: Body) -> bool:
    """Whether the model has a Melee Weapon; one with no weapons listed has a plain one."""
    armed = carries(body)
    return not armed or any(weapon.melee for weapon in armed)


def movement(state: State, body: Body) -> float:
    """The Movement Characteristic now, inches: halved in an Activation that began Down."""
    return body.stat("movement") * (STOOD_UP_FACTOR if is_halved(state, body) else 1.0)


def movement_to_come(state: State, body: Body) -> float:
    """Movement now; of a Down model, what it will have once it has stood up."""
    current = activation(state)
    waits = current is None or current.actor != body.id
    halved = waits and is_down(body) and not body.stats.get("stands_unhindered")
    return movement(state, body) * (STOOD_UP_FACTOR if halved else 1.0)


def is_halved(state: State, body: Body) -> bool:
    """Whether the model began the Activation under way Down, TC-DOWN-3."""
    current = activation(state)
    if current is None or current.actor != body.id:
        return False
    return current.stood_up and not current.over


def unactivated(state: State, side: str) -> list[Body]:
    """Models of a side that have not been activated this turn, in scene order."""
    return [b for b in state.bodies.values() if b.side == side and not b.marks.get("activated")]


def next_side(state: State, after: str) -> str:
    """The side that activates next: the other one while it has a model left to activate."""
    other = state.other_side(after)
    if unactivated(state, other):
        return other
    return after
