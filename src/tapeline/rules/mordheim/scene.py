"""What is wrong with a scene of Mordheim, how a fresh one begins, and where a game is, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tapeline.engine.faults import at_body
from tapeline.engine.limits import sunk, within
from tapeline.engine.state import State
from tapeline.errors import Fault
from tapeline.rules.mordheim.edges import touching_features
from tapeline.rules.mordheim.figures import RUN_BAN_IN
from tapeline.rules.mordheim.footing import standing_faults
from tapeline.rules.mordheim.measures import gap, touching
from tapeline.rules.mordheim.state import (
    DECLARING,
    HAND_TO_HAND,
    MOVEMENT,
    REMAINING,
    charge_result,
    condition,
    counts,
    engaged_with,
    is_fleeing,
    is_hidden,
    number,
    of_side,
    step,
    targets_of,
    texts,
)
from tapeline.rules.mordheim.steps import must_move, to_charge
from tapeline.rules.mordheim.terrain import terrain_faults
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks

__all__ = ["acting", "faults", "finish", "status"]

#: Skills that are ruled.
SKILLS = ("Jump Up", "Sprint")


def faults(state: State) -> list[Fault]:
    """Everything in a scene that these rules cannot use."""
    found = [*terrain_faults(state), *standing_faults(state)]
    if len(state.sides) != 2:
        found.append(Fault("sides", f"Mordheim is for two sides; got {len(state.sides)}"))
    if state.units:
        found.append(Fault("units", "models act one by one here; there are no units"))
    for body in state.bodies.values():
        if "files" in body.marks:
            found.append(Fault(at_body(body), "models act one by one; there are no regiments"))
            continue
        found.extend(_body_faults(state, body, at_body(body)))
    found.extend(_progress_faults(state))
    return found


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
    for skill in texts(body.stats.get("skills")):
        if skill not in SKILLS:
            known = ", ".join(SKILLS)
            yield Fault(f"{where}.profile.skills", f"knows no {skill!r}; known: {known}")
    yield from _mark_faults(body, where)
    off = max(-body.x, -body.y, body.x - state.table.width, body.y - state.table.depth)
    if sunk(off):
        yield Fault(f"{where}.position", f"the centre is {off:.4g} in over the table's edge")


def _mark_faults(body: Body, where: str) -> Iterator[Fault]:
    lost = number(body.marks, "wounds_lost")
    if lost > body.stat("wounds", 1.0):
        yield Fault(f"{where}.state.wounds_lost", f"must be from 0 to the wounds; got {lost}")
    if charge_result(body) == "declared" and not targets_of(body):
        yield Fault(f"{where}.state.targets", "is missing for a declared charge")


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
            fighting = touching(one, other) and not (is_fleeing(one) or is_fleeing(other))
            now = texts(marks[one.id].get("engaged"))
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


def status(state: State) -> list[str]:
    """Where the game is and who must act."""
    names = {side.id: side.name for side in state.sides}
    turn = state.turn
    lines = [f"Turn {turn.round}, {names.get(turn.active, turn.active)}: {turn.phase} phase."]
    now = step(state)
    if now == DECLARING:
        lines.append("Charges are declared; no distance is told before that is closed.")
    elif to_charge(state):
        listed = ", ".join(body.name for body in to_charge(state))
        lines.append(f"Declared charges to move: {listed}.")
    elif now and must_move(state):
        listed = ", ".join(body.name for body in must_move(state))
        lines.append(f"Compulsory moves to make: {listed}.")
    elif now == REMAINING:
        left = [b for b in of_side(state, turn.active) if not b.has("moved")]
        lines.append(f"Remaining moves: {len(left)} models have not moved.")
    for body in state.bodies.values():
        words = [] if condition(body) == "standing" else [condition(body).replace("_", " ")]
        words += ["fleeing"] if is_fleeing(body) else []
        words += ["hidden"] if is_hidden(body) else []
        if engaged_with(body):
            words.append("fights " + ", ".join(state.bodies[e].name for e in engaged_with(body)))
        if words:
            lines.append(f"{body.name}: {'; '.join(words)}.")
    return lines
