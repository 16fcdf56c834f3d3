"""Whether a control leads to an action, and what it makes of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

import tapeline as tl
from support.playing import RandomChooser, one_step, varied
from tapeline.dice import SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.codec import action_document
from tapeline.engine.controls import Control, Extra
from tapeline.play.match import Match
from tapeline.table.marks import thaw


def everyone(battle: tl.Battle) -> list[str | None]:
    """Whom controls may be asked of: the sides, every unit and every body."""
    return [None, *battle.state.units, *battle.state.bodies]


def controls_of(battle: tl.Battle) -> Iterator[Control]:
    """All controls of everyone."""
    for of in everyone(battle):
        yield from battle.system.controls(battle.state, of)


def leads_to(battle: tl.Battle, control: Control, document: Mapping[str, Any]) -> bool:
    """Whether a player who uses the control can ask for just this action."""
    settled = thaw(control.action)
    extras = {extra.name: extra for extra in control.extras}
    for key, value in settled.items():
        if key not in extras and key in document and document[key] != value:
            return False
        if key not in document and not _left_out(battle, document, key, value):
            return False
    for key, value in document.items():
        if key in extras:
            if not _set_by(extras[key], value):
                return False
        elif key == control.slot:
            if not _filled_by(control, value):
                return False
        elif key not in settled and key != control.turn_slot:
            return False
    if not control.slot or control.slot in document or control.optional:
        return True
    return _left_out(battle, document, control.slot, [])


def completed(control: Control, document: Mapping[str, Any]) -> dict[str, Any]:
    """The action of a control, with the keys it leaves open taken from another action."""
    names = {control.slot, control.turn_slot, *(extra.name for extra in control.extras)}
    return {**thaw(control.action), **{k: v for k, v in document.items() if k in names}}


def _left_out(battle: tl.Battle, document: Mapping[str, Any], key: str, value: Any) -> bool:
    """Whether the action is the same with that key said."""
    return battle.action({**document, key: value}) == battle.action(dict(document))


def _set_by(extra: Extra, value: Any) -> bool:
    allowed = [option for option, _ in extra.options]
    if extra.form == "flag":
        return isinstance(value, bool)
    if extra.form == "number":
        return isinstance(value, int | float)
    if extra.form == "some":
        return all(one in allowed for one in value)
    return value in allowed


def _filled_by(control: Control, value: Any) -> bool:
    if control.gesture == "pick":
        return value in control.candidates
    if control.gesture == "pick_many":
        return all(one in control.candidates for one in value)
    if control.gesture == "path":
        known = {"walk", *(manner.how for manner in control.manners)}
        return all(leg.get("how", "walk") in known for leg in value)
    if control.gesture in ("distance", "turn"):
        low = -1e9 if control.low is None else control.low
        high = 1e9 if control.high is None else control.high
        return low - 1e-6 <= value <= high + 1e-6
    return control.gesture != "press"


def faults_of_controls(
    battle: tl.Battle, offers: Iterable[Action], *, plain: bool = False
) -> list[str]:
    """What is wrong with the controls in a state whose offers are known; nothing if all is well.

    Every offer is reached by a control that nothing bars, a control to press may be done just
    where nothing bars it, each says what it does and by which rule (but for plain ones), and every
    clause named is one.
    """
    found: list[str] = []
    controls = list(controls_of(battle))
    book = battle.system.book
    for control in controls:
        name = f"{control.label} {thaw(control.action)}"
        if control.gesture == "press" and not control.extras:
            verdict = battle.judge(thaw(control.action), nearest=False)
            if verdict.legal == bool(control.why_not):
                found.append(f"{name}: barred by {control.why_not}, judged {verdict.kind}")
        if not control.label or not (plain or (control.says.endswith(".") and control.clause)):
            found.append(f"{name}: does not say what it does, or by which rule")
        named = [f.clause for f in control.why_not] + [ring.clause for ring in control.rings]
        found += [
            f"{name}: no clause {c!r}" for c in (control.clause, *named) if c and c not in book
        ]
        if bool(control.slot) == (control.gesture == "press"):
            found.append(f"{name}: {control.gesture} into {control.slot!r}")
    for offer in offers:
        document = action_document(offer)
        ways = [control for control in controls if leads_to(battle, control, document)]
        if all(control.why_not for control in ways):
            found.append(f"no way to {document}: {[way.why_not for way in ways]}")
    return found


def play_with_controls(
    scenes: Iterable[dict[str, Any]], seed: int, steps: int, every: int, *, plain: bool = False
) -> Counter[str]:
    """Random play of scenes, controls looked at now and then; how many offers of each kind."""
    reached: Counter[str] = Counter()
    for scene in scenes:
        match, rng = Match.start(scene), Random(seed)
        dice, chooser = SeededDice(seed), RandomChooser(rng)
        for number in range(steps):
            offers = list(match.battle.offers(rng))
            if not offers:
                break
            if number % every == seed % every:
                before = match.battle.hash
                assert faults_of_controls(match.battle, offers, plain=plain) == []
                assert match.battle.hash == before, "asking changes nothing"
                reached.update(action.kind for action in offers)
            one_step(match, varied(offers, rng), dice, chooser)
    return reached
