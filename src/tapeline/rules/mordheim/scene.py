"""Scenes: profiles, faults, how a fresh one begins, where a game is, what its words mean."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files

from tapeline.engine.faults import at_body, model_faults
from tapeline.engine.limits import TOLERANCE, more_than, sunk, within
from tapeline.engine.names import Names
from tapeline.engine.state import State
from tapeline.engine.system import Activity, Looks, profiles_of
from tapeline.errors import Fault
from tapeline.rules.mordheim.contact import across_barrier, flat_gap, gap, touching
from tapeline.rules.mordheim.figures import BARRIER_IN, GAP_IN, JUMP_DOWN_IN, RUN_BAN_IN
from tapeline.rules.mordheim.state import (
    DECLARING,
    HAND_TO_HAND,
    MOVEMENT,
    RECOVERY,
    REMAINING,
    SHOOTING,
    charge_result,
    condition,
    counts,
    engaged_with,
    is_fleeing,
    is_hidden,
    must_move,
    of_side,
    step,
    targets_of,
    to_charge,
)
from tapeline.rules.mordheim.terrain import terrain_of, touching_features
from tapeline.table.access import out_of_reach
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.table.storeys import storeys_of
from tapeline.wording import counted

__all__ = ["BADGES", "NAMES", "PROFILES", "acting", "activity", "faults", "finish", "status"]


_DATA = files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8")
#: All profiles by name.
PROFILES = profiles_of(tomllib.loads(_DATA))


#: Inches: nobody fights one who is farther away, unless across a barrier.
_FIGHTS_IN = 1.0
#: Skills that are ruled.
SKILLS = ("Jump Up", "Sprint")


def faults(state: State) -> list[Fault]:
    """Everything in a scene that these rules cannot use."""
    return [
        *terrain_faults(state),
        *standing_faults(state),
        *model_faults(state, "Mordheim", _body_faults),
        *_progress_faults(state),
    ]


def _body_faults(state: State, body: Body, where: str) -> Iterator[Fault]:
    for name, low, high in (
        ("movement", 0.0, 20.0),
        ("initiative", 0.0, 10.0),
        ("strength", 1.0, 10.0),
        ("toughness", 1.0, 10.0),
        ("wounds", 1.0, 10.0),
        ("leadership", 0.0, 12.0),
    ):
        if name not in body.stats:
            yield Fault(f"{where}.profile.{name}", "is missing")
            continue
        value = body.stat(name)
        if not low <= value <= high:
            yield Fault(f"{where}.profile.{name}", f"must be from {low:g} to {high:g}")
        elif name != "movement" and value != int(value):
            yield Fault(f"{where}.profile.{name}", "must be a whole number")
    for name in ("height", "stupid_hero_in"):
        if not 0.0 <= body.stat(name) <= 50.0:
            yield Fault(f"{where}.profile.{name}", "must be from 0 to 50")
    for skill in body.stats.texts("skills"):
        if skill not in SKILLS:
            known = ", ".join(SKILLS)
            yield Fault(f"{where}.profile.skills", f"knows no {skill!r}; known: {known}")
    yield from _mark_faults(state, body, where)
    off = max(-body.x, -body.y, body.x - state.table.width, body.y - state.table.depth)
    if sunk(off):
        yield Fault(f"{where}.position", f"the centre is {off:.4g} in over the table's edge")


def _mark_faults(state: State, body: Body, where: str) -> Iterator[Fault]:
    lost = body.marks.whole("wounds_lost")
    if lost > body.stat("wounds", 1.0):
        yield Fault(f"{where}.state.wounds_lost", f"must be from 0 to the wounds; got {lost}")
    if charge_result(body) == "declared" and not targets_of(body):
        yield Fault(f"{where}.state.targets", "is missing for a declared charge")
    for enemy in (state.bodies[e] for e in engaged_with(body) if e in state.bodies):
        apart = flat_gap(body, enemy)
        if more_than(apart, _FIGHTS_IN) and not across_barrier(state, body, enemy):
            yield Fault(f"{where}.state.engaged", f"{enemy.id!r} is {apart:.4g} in away")


def _progress_faults(state: State) -> Iterator[Fault]:
    if "step" in state.progress and state.turn.phase != MOVEMENT:
        yield Fault("turn.progress.step", f"there are no steps in the {state.turn.phase} phase")


def finish(state: State) -> State:
    """A fresh scene is set up: who fights whom, what is touched, the 8-inch check if it is made."""
    if state.progress.get("begun"):
        return state
    marks = {body.id: dict(body.marks) for body in state.bodies.values()}
    for one in state.bodies.values():
        for other in state.enemies(one):
            listed = other.id in engaged_with(one) or one.id in engaged_with(other)
            meet = touching(one, other) or across_barrier(state, one, other)
            fighting = meet and not (is_fleeing(one) or is_fleeing(other))
            now = Marks(marks[one.id]).texts("engaged")
            if (listed or fighting) and other.id not in now:
                marks[one.id]["engaged"] = (*now, other.id)
    if state.turn.phase == MOVEMENT:
        for body in of_side(state, state.turn.active):
            touched = touching_features(state, body)
            if touched and "touching" not in marks[body.id]:
                marks[body.id]["touching"] = touched
            near = (gap(state, body, enemy) for enemy in state.enemies(body) if counts(enemy))
            if step(state) != DECLARING and "run_ok" not in marks[body.id]:
                marks[body.id]["run_ok"] = not any(within(g, RUN_BAN_IN) for g in near)
    bodies = {
        body.id: replace(body, marks=Marks(marks[body.id]), _digest=[])
        for body in state.bodies.values()
    }
    progress = state.progress.set(begun=True)
    if state.turn.phase == MOVEMENT:
        progress = progress.set(step=step(state))
    return replace(state, bodies=bodies, progress=progress)


def acting(state: State) -> tuple[str, ...]:
    """The sides that may act: both fight in the hand-to-hand phase (MH-PHASE-5)."""
    if state.turn.phase == HAND_TO_HAND:
        return tuple(side.id for side in state.sides)
    return (state.turn.active,)


def activity(state: State) -> Activity:
    """Whose charge or compulsory move is to be made, or who may still make a remaining move."""
    if step(state) == REMAINING:
        models = of_side(state, state.turn.active)
        still = (b for b in models if not b.has("moved") and not engaged_with(b))
        return Activity(waiting=tuple(b.id for b in still if condition(b) != "stunned"))
    charging = to_charge(state)
    active = tuple(body.id for body in charging or must_move(state))
    return Activity(active, meant={body.id: targets_of(body) for body in charging})


#: What may be done in a phase without steps, and what leads on.
_OPEN = {
    RECOVERY: "Who flees tests whether to rally; then End recovery.",
    SHOOTING: "Shoot or cast with whoever may; then End shooting.",
    HAND_TO_HAND: "Fights are fought on the real table and told here; then End the turn.",
}


def status(state: State) -> list[str]:
    """Where the game is and who must act."""
    names = {side.id: side.name for side in state.sides}
    turn = state.turn
    lines = [f"Turn {turn.round}, {names.get(turn.active, turn.active)}: {turn.phase} phase."]
    now = step(state)
    if now == DECLARING:
        lines.append(
            "Declare charges, or close declarations to move. Until then no distance is told."
        )
    elif to_charge(state):
        listed = ", ".join(body.name for body in to_charge(state))
        lines.append(f"Declared charges to move: {listed}.")
    elif now and must_move(state):
        listed = ", ".join(body.name for body in must_move(state))
        lines.append(f"Compulsory moves to make: {listed}.")
    elif now == REMAINING:
        left = [b for b in of_side(state, turn.active) if not b.has("moved")]
        many = counted(len(left), "model has", "models have")
        still = f"Remaining moves: {many} not moved."
        lines.append(still if left else "All models have moved; then End movement.")
    elif turn.phase in _OPEN:
        lines.append(_OPEN[turn.phase])
    for body in state.bodies.values():
        words = [] if condition(body) == "standing" else [condition(body).replace("_", " ")]
        words += ["fleeing"] if is_fleeing(body) else []
        words += ["hidden"] if is_hidden(body) else []
        if engaged_with(body):
            words.append("fights " + ", ".join(state.bodies[e].name for e in engaged_with(body)))
        if words:
            lines.append(f"{body.name}: {'; '.join(words)}.")
    return lines


def terrain_faults(state: State) -> Iterator[Fault]:
    """Surfaces of a scene that no model could ever come to, traits that nothing comes of."""
    table = state.table
    yield from terrain_of(state).idle_faults()
    storeys = storeys_of(table)
    for surface in out_of_reach(storeys, step=BARRIER_IN, drop=JUMP_DOWN_IN, gap=GAP_IN):
        for entry in surface.entries[:1]:
            text = (
                f"nobody can reach {surface.id!r}: no stairs, ladder, rope or face leads to it, "
                f"and nothing within {GAP_IN:g} in to jump from"
            )
            yield Fault(table.where(entry), text)


def standing_faults(state: State) -> Iterator[Fault]:
    """Models of a scene that stand inside something; low barriers count only while models are set
    up, since games of earlier versions may have left one across them."""
    ground, barriers = terrain_of(state), state.deployment is not None
    for body in state.bodies.values():
        surface = ground.storeys.support(body.x, body.y, body.z, TOLERANCE)
        if surface is None:
            continue
        found = ground.overlapped(body, on=surface.ramp, barriers=barriers)
        if found is None:
            continue
        depth, solid = found
        if not sunk(depth):
            continue
        text = f"{body.id!r} stands {depth:.4g} in inside {solid.entry!r}"
        room, tall = ground.headroom(solid, body.z), ground.policy.height(body)
        if room is not None:
            text = (
                f"{solid.entry!r} leaves {room:.4g} in of height; {body.id!r} needs {tall:.4g} in"
            )
        yield Fault(f"{at_body(body)}.position", text)


# Names.


NAMES = Names(
    values={
        "run_ok": "whether the model may run",
        "gap": "the distance or the width of the gap asked for or jumped, inches",
        "fallen": "height fallen, inches",
        "engaged": "ids of the enemies that the charger fights at the end",
        "spent": "what the move took of the allowance, inches",
        "allowance_left": "what is left of the allowance, inches",
        "revealed": "hidden models found, by id: `by` whom, and `place`, where whoever moved was",
        "hits": "hits taken",
        "wounds": "wounds that these made",
        "may_shoot": "whether the model may still shoot this turn",
        "may_cast": "whether it may still cast this turn",
        "may_hide": "whether it may still hide this turn",
        "fled": "the distance that the flight may go, inches",
    },
    figures={
        "movement": "Movement, inches",
        "initiative": "Initiative",
        "strength": "Strength",
        "toughness": "Toughness",
        "wounds": "Wounds",
        "leadership": "Leadership",
        "height": "height for sight, inches; 0: man-sized, or that of a large model",
        "animal": "does not climb",
        "no_run": "never runs, may charge",
        "large": "a large model",
        "heavy_armour": "wears heavy armour; with a shield Movement is 1 less",
        "shield": "carries a shield",
        "fear": "who charges it tests Leadership",
        "frenzy": "must charge",
        "stupid": "tests Leadership each turn",
        "stupid_hero_in": "a friendly hero this near spares it the test, inches; 0: none does",
        "hero": "a hero",
        "unshaken": "takes no test of fear and never breaks",
        "skills": "its skills, those that movement knows",
    },
    traits={
        "solid": "stands in the way up to its height",
        "standable": "its top is stood on",
        "unclimbable": "its sides cannot be climbed",
        "difficult": "halves the rate",
        "very_difficult": "quarters the rate",
        "low": "a barrier across which models fight whatever its height",
    },
    legs={
        "walk": "on whatever carries the base, stairs, ladders and ropes included",
        "climb": "up or down a sheer surface, to its end",
        "drop": "jumping down",
        "jump": "over a gap",
    },
    words={"skills": SKILLS},
)


#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "condition=knocked_down": ("D", "knocked down"),
    "condition=stunned": ("S", "stunned"),
    "fleeing": ("F", "fleeing"),
    "hidden": ("H", "hidden"),
    "engaged": ("E", "fights {}"),
    "wounds_lost": ("W", "wounds lost"),
    "charge=declared": ("C", "charge declared"),
    "charge=success": ("C", "charged"),
    "charge=failed": ("C", "charge failed"),
    "charge=blocked": ("C", "charge blocked"),
    "charge=unnoticed": ("C", "charge given up"),
    "moved": ("M", "has moved"),
    "ran": ("R", "ran"),
    "stood_up": ("U", "stood up"),
    "rallied": ("L", "rallied"),
    "shot": ("T", "has shot"),
    "stumbles": ("B", "stumbles on"),
    "stands_still": ("I", "stands still"),
}
