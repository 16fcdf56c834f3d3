"""Controls of a system held against its rules in random legal play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import tapeline as tl
from support.playing import RandomChooser, one_step, varied
from tapeline.dice import SeededDice
from tapeline.engine.codec import action_document
from tapeline.engine.controls import Control
from tapeline.play.match import Match
from tapeline.table.marks import thaw

__all__ = ["amiss", "battles"]


def battles(scene: dict[str, Any], seed: int, steps: int) -> Iterator[tl.Battle]:
    """The battles of a random match, in none of which a question is open."""
    match, rng = Match.start(scene), Random(seed)
    dice, chooser = SeededDice(seed), RandomChooser(rng)
    for _ in range(steps):
        yield match.battle
        offers = list(match.battle.offers(rng))
        if not offers:
            break
        one_step(match, varied(offers, rng), dice, chooser)


def amiss(battle: tl.Battle, rng: Random) -> list[str]:
    """What is wrong with the controls of everybody in a state.

    An offered action to which no control of its actor leads, a control that need only be pressed
    whose action is refused, and what no control may be whatever the rules say.
    """
    everybody = (None, *battle.state.bodies, *battle.state.units)
    controls = {of: list(battle.system.controls(battle.state, of)) for of in everybody}
    found = []
    for action in battle.offers(rng):
        document = action_document(action)
        if not any(_leads_to(control, document) for control in controls[document.get("actor")]):
            found.append(f"no control leads to {document}")
    for control in dict.fromkeys(c for each in controls.values() for c in each):
        found += _faults(battle, control)
        if control.gesture == "press" and not control.why_not:
            verdict = battle.judge(thaw(control.action), nearest=False)
            if not verdict.legal:
                found.append(f"pressed, {control.label} is refused: {verdict.findings}")
    return found


def _leads_to(control: Control, document: dict[str, Any]) -> bool:
    """Whether the control, with nothing against it, can be completed to the action."""
    settled = thaw(control.action)
    extras = {extra.name: extra for extra in control.extras}
    by_hand = {control.slot, control.turn_slot} - {""}
    if control.why_not or not (control.optional or control.slot in ("", *document)):
        return False
    if any(document.get(key) != settled[key] for key in settled if key not in extras):
        return False
    for key in set(document) - set(settled) - by_hand:
        if key not in extras:
            return False
        allowed = [thaw(value) for value, _ in extras[key].options]
        chosen = document[key] if extras[key].form == "some" else [document[key]]
        if allowed and not all(value in allowed for value in chosen):
            return False
    given = document.get(control.slot)
    if control.gesture in ("pick", "pick_many") and given is not None:
        return ({given} if isinstance(given, str) else set(given)) <= set(control.candidates)
    if control.gesture == "path":
        manners = {"walk", *(manner.how for manner in control.manners)}
        return {leg.get("how", "walk") for leg in given or ()} <= manners
    return True


def _faults(battle: tl.Battle, control: Control) -> Iterator[str]:
    system, state = battle.system, battle.state
    where = f"{control.label} {thaw(control.action)}:"
    keys = {*control.action, control.slot, control.turn_slot, *(e.name for e in control.extras)}
    kind = system.actions[str(control.action["kind"])]
    unknown = keys - {"kind", ""} - set(kind.__dataclass_fields__)
    if unknown:
        yield f"{where} {kind.kind} has no {unknown}"
    if (control.gesture == "press") == bool(control.slot):
        yield f"{where} a slot goes with a gesture"
    picks = control.gesture in ("pick", "pick_many")
    if picks and not (control.candidates or control.why_not or control.optional):
        yield f"{where} nobody to pick, and no reason why"
    if not set(control.candidates) <= {*state.bodies, *state.units}:
        yield f"{where} candidates that are not on the table"
    if control.reach and control.reach not in system.reaching:
        yield f"{where} no reach {control.reach!r}"
    if not (control.label and control.says.endswith(".")):
        yield f"{where} says nothing"
    if any(ring.about not in state.bodies or ring.distance <= 0.0 for ring in control.rings):
        yield f"{where} a ring about nobody"
    clauses = {control.clause, *(f.clause for f in control.why_not)}
    clauses |= {ring.clause for ring in control.rings}
    if not clauses <= {clause.id for clause in system.book}:
        yield f"{where} clauses {clauses} are not all in the book"
