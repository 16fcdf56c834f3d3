"""What Mordheim remembers of a model and of the sequence, typed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from tapeline.engine.allowed import Mark
from tapeline.engine.events import Marked, Progressed
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Part, Rect
from tapeline.rules.mordheim.figures import (
    CRAWL_IN,
    HEAVY_LOAD_IN,
    LARGE_HEIGHT_IN,
    MAN_HEIGHT_IN,
    RUN_FACTOR,
    SPRINT_FACTOR,
    STOOD_UP_FACTOR,
)
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.marks import Marks

__all__ = [
    "CHARGING",
    "COMPULSORY",
    "DECLARING",
    "HAND_TO_HAND",
    "MARKS",
    "MOVEMENT",
    "OF_TURN",
    "PHASES",
    "PROGRESS",
    "RECOVERY",
    "REMAINING",
    "SHOOTING",
    "ahead",
    "allowance",
    "base_part",
    "charge_result",
    "charging_allowance",
    "condition",
    "counts",
    "engage",
    "engaged_with",
    "footprint",
    "has_skill",
    "height",
    "initiative",
    "is_engaged",
    "is_fleeing",
    "is_forced",
    "is_hidden",
    "is_standing",
    "may_climb",
    "movement",
    "must_move",
    "next_step",
    "of_side",
    "radius",
    "release",
    "shots_barred",
    "state_permissions",
    "step",
    "targets_of",
    "to_charge",
    "touching_at_start",
    "wounds_left",
]


RECOVERY, MOVEMENT, SHOOTING, HAND_TO_HAND = "recovery", "movement", "shooting", "hand-to-hand"
#: The movement phase first, as most scenes begin there; a turn begins with recovery.
PHASES = (MOVEMENT, SHOOTING, HAND_TO_HAND, RECOVERY)


DECLARING, CHARGING, COMPULSORY, REMAINING = "declarations", "charges", "compulsory", "remaining"
#: Steps of the movement phase, in order.
STEPS = (DECLARING, CHARGING, COMPULSORY, REMAINING)


Condition: TypeAlias = Literal["standing", "knocked_down", "stunned"]
CONDITIONS: tuple[Condition, ...] = ("standing", "knocked_down", "stunned")
#: What became of a charge this turn.
CHARGES = ("declared", "success", "failed", "blocked", "unnoticed")


#: Marks that last for one turn, cleared at its end.
OF_TURN = {
    "touching": Mark(
        tuple, "ids of the climbable features it touched as the movement phase began", ids="terrain"
    ),
    "run_ok": Mark(bool, "no counting enemy was within 8 inches when declarations closed"),
    "targets": Mark(
        tuple,
        "ids of the enemies it declared a charge on, the one that matters most first",
        ids="enemy",
    ),
    "dive": Mark(bool, "the charge was declared as a diving charge"),
    "charge": Mark(str, "what became of its charge this turn", words=CHARGES),
    "ran": Mark(bool, "ran this turn"),
    "climbed": Mark(bool, "climbed this turn"),
    "climb_failed": Mark(bool, "failed to climb this turn"),
    "gap_jumped": Mark(bool, "jumped a gap this turn"),
    "fled": Mark(bool, "fled this turn"),
    "fallen": Mark(bool, "fell this turn"),
    "rallied": Mark(bool, "rallied this turn"),
    "rally_failed": Mark(bool, "tried to rally this turn and failed"),
    "stood_up": Mark(bool, "stood up this turn"),
    "was_stunned": Mark(bool, "was stunned as the turn began, or has been since"),
    "moved": Mark(bool, "its move of the turn is made"),
    "spent": Mark(float, "what of its allowance it has spent, inches", least=0, most=1000),
    "stumbles": Mark(bool, "stupid, and must stumble on"),
    "stands_still": Mark(bool, "stupid, and stands still"),
    "shot": Mark(bool, "shot this turn"),
    "struck": Mark(bool, "struck this turn"),
}


#: Marks a scene may set on a model.
MARKS = {
    "condition": Mark(str, "whether it stands; absent: standing", words=CONDITIONS),
    "wounds_lost": Mark(int, "wounds taken so far", least=0),
    "fleeing": Mark(bool, "is in flight"),
    "hidden": Mark(bool, "has its Hidden counter on"),
    "engaged": Mark(tuple, "ids of the enemies it fights", ids="enemy"),
    "strikes_first": Mark(bool, "strikes first in the next hand-to-hand phase"),
    "dive_bonus": Mark(bool, "has the bonus of a diving charge in the next hand-to-hand phase"),
    **OF_TURN,
}


#: Entries of the progress.
PROGRESS = {
    "step": Mark(str, "the step of the movement phase; absent: the first", words=STEPS),
    "begun": Mark(bool, "the phase has been set up"),
    "last": Mark(
        str, "id of who moved last in the remaining moves, and so may still hide", ids="body"
    ),
    "watched": Mark(bool, "hidden models have been looked for since the phase began"),
}


def step(state: State) -> str:
    """The step of the movement phase; "" in other phases."""
    if state.turn.phase != MOVEMENT:
        return ""
    value = state.progress.get("step", DECLARING)
    return value if isinstance(value, str) else DECLARING


def of_side(state: State, side: str) -> list[Body]:
    """Models of a side on the table, in scene order."""
    return [body for body in state.bodies.values() if body.side == side]


def condition(body: Body) -> Condition:
    """Whether the model stands, is knocked down or stunned."""
    match body.marks.get("condition"):
        case "knocked_down":
            return "knocked_down"
        case "stunned":
            return "stunned"
        case _:
            return "standing"


def is_standing(body: Body) -> bool:
    """Whether the model is neither knocked down nor stunned."""
    return condition(body) == "standing"


def is_fleeing(body: Body) -> bool:
    """Whether the model is in flight."""
    return body.has("fleeing")


def is_hidden(body: Body) -> bool:
    """Whether the Hidden counter is on."""
    return body.has("hidden")


def counts(body: Body) -> bool:
    """Whether the model is none of stunned, knocked down, fleeing, hidden (MH-RUN-4)."""
    return is_standing(body) and not is_fleeing(body) and not is_hidden(body)


def engaged_with(body: Body) -> tuple[str, ...]:
    """Ids of the enemies the model fights."""
    return body.marks.texts("engaged")


def is_engaged(body: Body) -> bool:
    """Whether the model fights somebody."""
    return bool(body.marks.get("engaged"))


def targets_of(body: Body) -> tuple[str, ...]:
    """Ids of the enemies it has declared a charge on, the first named first."""
    return body.marks.texts("targets")


def charge_result(body: Body) -> str:
    """What became of its charge this turn: one of `CHARGES`, "" if it declared none."""
    value = body.marks.get("charge", "")
    return value if isinstance(value, str) else ""


def touching_at_start(body: Body) -> tuple[str, ...]:
    """Ids of the climbable features it touched as the movement phase began (MH-CLIMB-2)."""
    return body.marks.texts("touching")


def has_skill(body: Body, name: str) -> bool:
    """Whether the model has a skill (MH-SKILL-1)."""
    return name in body.stats.texts("skills")


def radius(body: Body) -> float:
    """Radius of a round base; half the short side of a rectangle. Inches."""
    base = body.base
    return base.radius if isinstance(base, Round) else 0.5 * min(base.width, base.depth)


def footprint(body: Body) -> Rect:
    """The rectangle of a rectangular base."""
    base = body.base
    assert isinstance(base, Rectangle)
    return Rect.of_degrees(body.x, body.y, body.facing, base.width, base.depth)


def base_part(body: Body) -> Part:
    """The plan of a base: a disc or a rectangle."""
    base = body.base
    if isinstance(base, Round):
        return Part((body.x, body.y), base.radius)
    return Part(footprint(body).loop)


def height(body: Body) -> float:
    """Height of the model for sight, inches."""
    given = body.stat("height")
    if given > 0.0:
        return given
    return LARGE_HEIGHT_IN if body.stats.get("large") else MAN_HEIGHT_IN


def initiative(body: Body) -> int:
    """Initiative: the value tested and the inches within which hidden enemies are found."""
    return int(body.stat("initiative"))


def movement(body: Body) -> float:
    """M after standing modifiers, inches (MH-ARM-1)."""
    full = body.stat("movement")
    if body.stats.get("heavy_armour") and body.stats.get("shield"):
        full -= HEAVY_LOAD_IN
    return max(0.0, full)


def may_climb(body: Body) -> bool:
    """Whether a model climbs at all: it is no animal, and on its feet (MH-CLIMB-1)."""
    return not body.stats.get("animal") and is_standing(body)


def allowance(body: Body, *, run: bool = False) -> float:
    """What the model may spend in its move now, inches: M, a run, half after standing up, 2 on the
    ground (3.2)."""
    if not is_standing(body):
        return CRAWL_IN
    if body.has("stood_up"):
        return movement(body) * STOOD_UP_FACTOR
    return charging_allowance(body) if run else movement(body)


def charging_allowance(body: Body) -> float:
    """What the model may spend running or charging, inches (MH-RUN-1, MH-SKILL-1)."""
    return movement(body) * (SPRINT_FACTOR if has_skill(body, "Sprint") else RUN_FACTOR)


def wounds_left(body: Body) -> int:
    """Wounds the model has left, 0 or more."""
    return max(0, int(body.stat("wounds", 1.0)) - body.marks.whole("wounds_lost"))


def ahead(body: Body) -> tuple[float, float]:
    """The unit vector a model faces."""
    angle = math.radians(body.facing)
    return math.cos(angle), math.sin(angle)


# The steps of the movement phase.


def to_charge(state: State) -> list[Body]:
    """Models of the active side whose declared charge is still to be moved, in scene order."""
    return [b for b in of_side(state, state.turn.active) if charge_result(b) == "declared"]


def is_forced(body: Body) -> bool:
    """Whether the model has a compulsory move to make: it flees, or stumbles and fights nobody."""
    forced = is_fleeing(body) or (body.has("stumbles") and not is_engaged(body))
    return forced and is_standing(body) and not body.has("moved")


def must_move(state: State) -> list[Body]:
    """Models of the active side whose compulsory move is still to be made, in scene order."""
    return [body for body in of_side(state, state.turn.active) if is_forced(body)]


def next_step(run: Run) -> None:
    """Go on to the step of the movement phase that has something to do."""
    state = run.state
    if to_charge(state):
        following = CHARGING
    elif must_move(state):
        following = COMPULSORY
    else:
        following = REMAINING
    if step(state) != following:
        run.emit(Progressed(Marks({"step": following}), "MH-PHASE-1"))


# Who fights whom (MH-ENG): set and taken away on both sides at once.


def _set_engaged(run: Run, body_id: str, ids: Iterable[str], clause: str) -> None:
    body = run.state.bodies.get(body_id)
    wanted = tuple(ids)
    if body is not None and engaged_with(body) != wanted:
        run.emit(Marked(body_id, Marks({"engaged": wanted or None}), clause))


def engage(run: Run, body_id: str, enemy_id: str, clause: str) -> None:
    """Two models fight each other from now on."""
    for one, other in ((body_id, enemy_id), (enemy_id, body_id)):
        now = engaged_with(run.state.body(one))
        if other not in now:
            _set_engaged(run, one, (*now, other), clause)


def release(run: Run, body_id: str, clause: str, *, keep: Iterable[str] = ()) -> None:
    """A model no longer fights anybody but those in `keep`; nor they it."""
    kept = set(keep)
    body = run.state.bodies.get(body_id) or run.state.gone.get(body_id)
    assert body is not None
    ids = engaged_with(body)
    if body_id in run.state.bodies:
        _set_engaged(run, body_id, (e for e in ids if e in kept), clause)
    for enemy_id in ids:
        enemy = run.state.bodies.get(enemy_id)
        if enemy is not None and enemy_id not in kept:
            _set_engaged(run, enemy_id, (e for e in engaged_with(enemy) if e != body_id), clause)


# What a model may still do this turn.


def shots_barred(body: Body) -> Iterator[str]:
    """What keeps a model from shooting, in words (MH-SHOOT-1, section 4)."""
    if not is_standing(body):
        yield "is stunned" if condition(body) == "stunned" else "is knocked down"
    if is_engaged(body):
        yield "is engaged"
    if is_fleeing(body):
        yield "is fleeing"
    if body.has("ran"):
        yield "ran this turn"
    if charge_result(body) == "failed":
        yield "failed its charge"
    if body.has("rallied"):
        yield "rallied this turn"


def may_shoot(body: Body) -> bool:
    """Whether what it did this turn leaves the model its shot (section 4)."""
    return next(shots_barred(body), None) is None


def may_cast(body: Body) -> bool:
    """Whether the model may cast: it stands."""
    return is_standing(body)


def may_hide(body: Body) -> bool:
    """Whether what it did this turn lets the model hide, place apart (MH-HIDE-3, MH-FALL-4)."""
    barred = any(body.has(mark) for mark in ("ran", "fled", "fallen", "was_stunned"))
    charged = charge_result(body) in ("success", "failed")
    return not (barred or charged or body.marks.get("condition") == "stunned")


def _taken_away(body: Body) -> Iterator[str]:
    """Clauses by which what it did this turn keeps a model from shooting or hiding."""
    if body.has("ran"):
        yield from ("MH-RUN-7", "MH-HIDE-3")
    if charge_result(body) in ("success", "failed") or body.has("fled") or body.has("was_stunned"):
        yield "MH-HIDE-3"
    if charge_result(body) == "failed":
        yield "MH-CHG-12"
    if body.has("rallied"):
        yield "MH-REC-1"
    if body.has("fallen"):
        yield "MH-FALL-4"


def state_permissions(run: Run, body_id: str) -> None:
    """Put into the verdict what a model may still do this turn."""
    body = run.state.body(body_id)
    run.cite(*_taken_away(body))
    run.value(may_shoot=may_shoot(body), may_cast=may_cast(body), may_hide=may_hide(body))
