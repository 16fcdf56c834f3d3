"""What the state remembers, as clauses are given it, and what marks and figures are called."""

from __future__ import annotations

from typing import Any, TypeVar

from tapeline.engine import context
from tapeline.engine.allowed import Mark
from tapeline.engine.names import Names
from tapeline.engine.state import State
from tapeline.engine.system import Looks
from tapeline.engine.verdicts import Finding
from tapeline.rules.sovl.figures import BOOK
from tapeline.rules.sovl.profiles import KEYWORDS, TYPES, WEAPONS
from tapeline.table.bodies import Body

__all__ = [
    "BADGES",
    "DONE",
    "FLIGHTS",
    "MARKS",
    "NAMES",
    "OF_ACTIVATION",
    "PHASES",
    "PROGRESS",
    "ROLL_OFF",
    "STRATEGIC",
    "OrderContext",
    "active_unit",
    "allowance",
    "findings",
    "flown",
    "is_engaged",
    "is_fleeing",
    "is_legal",
    "may_be_activated",
    "passed",
    "pending_flights",
    "slots_used",
    "spent",
    "tried_to_rally",
]


STRATEGIC, FLIGHTS, DONE, ROLL_OFF = "strategic", "flights", "done", "roll_off"
PHASES = (STRATEGIC, FLIGHTS, DONE, ROLL_OFF)

#: Marks a scene may set on a unit.
MARKS = {
    "fleeing": Mark(bool, "flees"),
    "engaged": Mark(bool, "is in combat"),
    "activated": Mark(bool, "has had its activation this turn"),
    "charged": Mark(bool, "declared a charge this turn"),
    "fled": Mark(bool, "fled from a charge this turn"),
    "rallied": Mark(bool, "its Rally of this turn is over"),
    "wounds": Mark(int, "wounds carried that have not yet cost a model", least=0),
}

#: What had its activation of this turn how, by its marks (SV-ACT-5).
_SPENT_BY = {
    "fled": "fled from a charge",
    "charged": "declared a charge",
    "activated": "was activated",
}
#: Entries of progress that last for one activation.
OF_ACTIVATION = ("unit", "allowance", "lost", "orders", "shot", "slots")
#: All entries of progress.
PROGRESS = {
    "unit": Mark(str, "id of the active unit; absent between activations", ids="body"),
    "allowance": Mark(
        float, "what the active unit has left of its allowance, inches", least=0, most=1000
    ),
    "lost": Mark(
        float, "what Difficult Terrain took of it in this activation, inches", least=0, most=1000
    ),
    "orders": Mark(int, "movement orders carried out in this activation", least=0, most=1000),
    "shot": Mark(bool, "the active unit has made its ranged attack"),
    "slots": Mark(
        tuple,
        "slots for an ability or a ranged attack used in this activation",
        words=("unit", "commander"),
    ),
    "passed": Mark(tuple, "ids of the sides whose pass holds", ids="side"),
    "contacts": Mark(tuple, "pairs of ids of units brought into contact by Advances of this phase"),
    "flown": Mark(tuple, "ids of the units that have made their Flight Move", ids="body"),
    "zone": Mark(str, "id of the side that has the choice of zone", ids="side"),
}


def is_fleeing(body: Body) -> bool:
    """Whether a unit flees."""
    return body.marks.get("fleeing") is True


def is_engaged(body: Body) -> bool:
    """Whether a unit is in combat."""
    return body.marks.get("engaged") is True


def spent(body: Body) -> str:
    """How a unit has had its activation of this turn; empty if it has not."""
    marks = body.marks
    for mark, how in _SPENT_BY.items():
        if marks.get(mark):
            return how
    return ""


def may_be_activated(body: Body) -> bool:
    """Whether a unit is left to activate in this phase."""
    return not spent(body) and not is_engaged(body)


def tried_to_rally(body: Body) -> bool:
    """Whether a unit made its Rally this turn."""
    return body.marks.get("rallied") is True


def active_unit(state: State) -> str | None:
    """The id of the unit that is active, if any."""
    value = state.progress.get("unit")
    return value if isinstance(value, str) else None


def allowance(state: State) -> float:
    """Allowance left in the activation, inches."""
    return state.progress.number("allowance")


def slots_used(state: State) -> tuple[str, ...]:
    """Slots for an ability or a ranged attack used in this activation."""
    return state.progress.texts("slots")


def passed(state: State) -> tuple[str, ...]:
    """Sides whose pass holds."""
    return state.progress.texts("passed")


def flown(state: State) -> tuple[str, ...]:
    """Units that made their Flight Move at the end of this phase."""
    return state.progress.texts("flown")


def pending_flights(state: State, side: str | None = None) -> list[Body]:
    """Units that still have to make a Flight Move, of one side or of all."""
    done = flown(state)
    return [
        body
        for body in state.bodies.values()
        if is_fleeing(body) and body.id not in done and (side is None or body.side == side)
    ]


SubjectT = TypeVar("SubjectT")


class OrderContext(context.Context[SubjectT]):
    """One action looked at in one state."""

    #: Whether findings are told with their places; an offer asks only whether there are any.
    told: bool = True

    @property
    def actor_is_active(self) -> bool:
        """Whether the activation going on is the actor's."""
        return active_unit(self.state) == self.mover.id


def findings(state: State, action: Any) -> list[Finding]:
    """What all clauses have against an action."""
    return BOOK.check(type(action), OrderContext(state, action, None))[0]


def is_legal(state: State, action: Any) -> bool:
    """Whether no clause refuses the action."""
    ask = OrderContext(state, action, None)
    ask.told = False
    return BOOK.allows(type(action), ask)


#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "fleeing": ("F", "fleeing"),
    "engaged": ("E", "in combat"),
    "activated": ("A", "activated"),
    "charged": ("C", "charged"),
    "fled": ("X", "fled from a charge"),
    "rallied": ("L", "tried to rally"),
    "wounds": ("W", "wounds"),
}


NAMES = Names(
    values={
        "allowance_left": "what is left of the allowance, inches",
        "cost": "what the order cost of it, inches",
        "moved": "length really moved, inches",
        "pivots": "how many Pivots the turn counts as",
        "turn": "the number of the turn that begins",
        "distance": "the range of a shot, or the length of a Flight Move that was rolled, inches",
        "hits": "hits of the ranged attack",
        "wounds": "hits that were not saved",
        "long": "whether the range is long",
        "to_hit": "what a die must show to hit",
        "save": "what a die must show to save",
        "casualties": "models lost",
        "models_left": "models left",
        "wounds_carried": "wounds left over that have not yet cost a model",
        "edge": "the edge of the table that a Flight Move makes for",
        "offset": "how far a Flight Move is turned from the straight way to the edge, degrees",
        "limit": "what the Discipline Test must not exceed",
        "rank_bonus": "what ranks add to Discipline",
        "total": "what the Discipline Test came to",
        "rallied": "whether the unit rallied",
    },
    figures={
        "type": "the unit type, which gives base, allowance, cost of a Pivot and files",
        "skill": "Skill",
        "power": "Power",
        "defense": "Defense",
        "attacks": "Attacks",
        "wounds": "Wounds of a model",
        "discipline": "Discipline",
        "move": "allowance, inches; follows from type and properties",
        "keywords": "its properties",
        "abilities": "its abilities",
        "weapon": "its ranged weapon, empty for none",
        "files": "files of a block that says none",
        "size": "models, least and most",
    },
    traits={
        "difficult": "Difficult Terrain",
        "impassable": "nobody may enter it",
        "opaque": "cannot be seen through",
    },
    words={"type": tuple(TYPES), "weapon": tuple(WEAPONS), "keywords": tuple(KEYWORDS)},
)
