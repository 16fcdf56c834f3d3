"""Typed views of what the state remembers: marks of a unit and the progress of the phase."""

from __future__ import annotations

from tapeline.engine.marking import Allowed
from tapeline.engine.state import State
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = [
    "ALLOWED",
    "ALLOWED_PROGRESS",
    "DONE",
    "FLIGHTS",
    "OF_ACTIVATION",
    "PHASES",
    "PROGRESS",
    "ROLL_OFF",
    "STATE_MARKS",
    "STRATEGIC",
    "active_unit",
    "allowance",
    "contacts",
    "flown",
    "is_engaged",
    "is_fleeing",
    "lost",
    "may_be_activated",
    "orders_given",
    "passed",
    "pending_flights",
    "slots_used",
    "spent",
    "tried_to_rally",
    "wounds_carried",
]

STRATEGIC, FLIGHTS, DONE, ROLL_OFF = "strategic", "flights", "done", "roll_off"
PHASES = (STRATEGIC, FLIGHTS, DONE, ROLL_OFF)

#: Marks a scene may set on a unit. charged, fled: declared a charge, fled from one, this turn.
#: rallied: its Rally of this turn is over. wounds: carried short of a casualty.
STATE_MARKS: dict[str, type] = {
    "fleeing": bool,
    "engaged": bool,
    "activated": bool,
    "charged": bool,
    "fled": bool,
    "rallied": bool,
    "wounds": int,
}

#: Entries of progress that last for one activation: the active unit, its allowance left, what
#: Difficult Terrain took, the orders given, whether it shot, the ability slots used.
OF_ACTIVATION = ("unit", "allowance", "lost", "orders", "shot", "slots")
#: All entries of progress with their types.
PROGRESS: dict[str, type] = {
    "unit": str,
    "allowance": float,
    "lost": float,
    "orders": int,
    "shot": bool,
    "slots": tuple,
    "passed": tuple,
    "contacts": tuple,
    "flown": tuple,
    "zone": str,
}


#: What marks and entries of progress may be beyond their type.
ALLOWED = {"wounds": Allowed(least=0)}
ALLOWED_PROGRESS = {
    "unit": Allowed(ids="body"),
    "allowance": Allowed(least=0, most=1000),
    "lost": Allowed(least=0, most=1000),
    "orders": Allowed(least=0, most=1000),
    "slots": Allowed(words=("unit", "commander")),
    "passed": Allowed(ids="side"),
    "flown": Allowed(ids="body"),
    "zone": Allowed(ids="side"),
}


def is_fleeing(body: Body) -> bool:
    """Whether a unit flees."""
    return body.marks.get("fleeing") is True


def is_engaged(body: Body) -> bool:
    """Whether a unit is in combat."""
    return body.marks.get("engaged") is True


def spent(body: Body) -> bool:
    """Whether a unit has had its activation of this turn."""
    marks = body.marks
    return bool(marks.get("activated") or marks.get("charged") or marks.get("fled"))


def may_be_activated(body: Body) -> bool:
    """Whether a unit is left to activate in this phase."""
    return not spent(body) and not is_engaged(body)


def tried_to_rally(body: Body) -> bool:
    """Whether a unit made its Rally this turn."""
    return body.marks.get("rallied") is True


def wounds_carried(body: Body) -> int:
    """Wounds on a unit that have not yet cost a model."""
    value = body.marks.get("wounds", 0)
    assert isinstance(value, int)
    return value


def active_unit(state: State) -> str | None:
    """The id of the unit that is active, if any."""
    value = state.progress.get("unit")
    return value if isinstance(value, str) else None


def _number(progress: Marks, name: str) -> float:
    value = progress.get(name, 0.0)
    assert isinstance(value, int | float)
    return float(value)


def _words(progress: Marks, name: str) -> tuple[str, ...]:
    value = progress.get(name, ())
    assert isinstance(value, tuple)
    return tuple(str(word) for word in value)


def allowance(state: State) -> float:
    """Allowance left in the activation, inches."""
    return _number(state.progress, "allowance")


def lost(state: State) -> float:
    """What Difficult Terrain has taken in this activation, inches."""
    return _number(state.progress, "lost")


def orders_given(state: State) -> int:
    """Movement orders carried out in this activation."""
    return int(_number(state.progress, "orders"))


def slots_used(state: State) -> tuple[str, ...]:
    """Slots for an ability or a ranged attack used in this activation."""
    return _words(state.progress, "slots")


def passed(state: State) -> tuple[str, ...]:
    """Sides whose pass holds."""
    return _words(state.progress, "passed")


def flown(state: State) -> tuple[str, ...]:
    """Units that made their Flight Move at the end of this phase."""
    return _words(state.progress, "flown")


def contacts(state: State) -> tuple[tuple[str, str], ...]:
    """Pairs of units brought into contact by Advances of this phase."""
    value = state.progress.get("contacts", ())
    assert isinstance(value, tuple)
    return tuple((str(pair[0]), str(pair[1])) for pair in value if isinstance(pair, tuple))


def pending_flights(state: State, side: str | None = None) -> list[Body]:
    """Units that still have to make a Flight Move, of one side or of all."""
    done = flown(state)
    return [
        body
        for body in state.bodies.values()
        if is_fleeing(body) and body.id not in done and (side is None or body.side == side)
    ]
