"""Random legal play of any system: what bots do, with random answers to what is asked."""

from __future__ import annotations

import math
from functools import cache
from random import Random
from typing import Any

import tapeline as tl
from support.scenarios import ROOT, scenes_of
from tapeline.dice import SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.asks import Choice
from tapeline.engine.state import State
from tapeline.play.match import Match
from tapeline.table.marks import Value, freeze

#: Whole random matches, one in each example scene.
RECORDINGS = ROOT / "tests" / "replay"


class RandomChooser:
    """Answers choices at random, paths by a random straight leg from where the body stands."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.state: State | None = None

    def __call__(self, choice: Choice) -> Value:
        rng = self.rng
        if choice.form == "one":
            return rng.choice(choice.options).value
        if choice.form == "number":
            if choice.whole:
                return rng.randint(math.ceil(choice.low), math.floor(choice.high))
            return rng.uniform(choice.low, choice.high)
        body = self.state.bodies.get(choice.about or "") if self.state else None
        if body is None or rng.random() < 0.3:
            return tl.take_default(choice)
        far, angle = rng.uniform(0, 5), rng.uniform(0, 2 * math.pi)
        to = [round(body.x + far * math.cos(angle), 6), round(body.y + far * math.sin(angle), 6)]
        return freeze([{"to": to}])


#: Kinds of action that end things; chosen seldom while there is something else to do.
_ENDING = frozenset(
    {"done", "end_activation", "end_step", "next_turn", "pass", "close_declarations", "end_phase"}
    | {"end_turn"}
)


def varied(offers: list[Action], rng: Random) -> Action:
    """One of the offers, each kind as likely as the others, so that rare ones are played too."""
    kinds = sorted({action.kind for action in offers})
    weights = [0.3 if kind in _ENDING else 1.0 for kind in kinds]
    kind = rng.choices(kinds, weights)[0]
    return rng.choice([action for action in offers if action.kind == kind])


def finish(match: Match, dice: Any, chooser: RandomChooser) -> None:
    """Answer what is open, at random at first, then as a player who does not care."""
    tries = 0
    while match.battle.pending is not None:
        tries += 1
        assert tries < 60, f"never ends: {match.battle.pending}"
        how = chooser if tries <= 4 else tl.take_default
        before = match.battle
        after = match.answer(dice=dice, chooser=how)
        if after.pending == before.pending and tries > 4:
            why = after.last.findings if after.last else ()
            raise AssertionError(f"the default is refused: {before.pending.ask} {why}")


def one_step(match: Match, action: Action, dice: Any, chooser: RandomChooser) -> tl.Battle:
    """Do one action to its end; gives the battle as `Match.do` left it."""
    chooser.state = match.battle.state
    after = match.do(action, dice=dice, chooser=chooser)
    finish(match, dice, chooser)
    return after


def random_match(scene: dict[str, Any], seed: int, steps: int) -> Match:
    """A match of random legal actions."""
    match, rng = Match.start(scene), Random(seed)
    dice, chooser = SeededDice(seed), RandomChooser(rng)
    for _ in range(steps):
        offers = list(match.battle.offers(rng))
        if not offers:
            break
        one_step(match, varied(offers, rng), dice, chooser)
    return match


@cache
def battles_along(system: str) -> tuple[tl.Battle, ...]:
    """Some twenty battles along a random match in each scene of a system.

    The matches are those recorded in `replay/`, which are folded again far sooner than played;
    where there is none, they are played.
    """
    recorded = sorted(RECORDINGS.glob(f"{system}-*.jsonl"))
    matches = [Match.replay(path) for path in recorded] or [
        random_match(scene, 100 + number, 60)
        for number, scene in enumerate(scenes_of(system).values())
    ]
    found: list[tl.Battle] = []
    for match in matches:
        calm = [battle for battle in match.battles if battle.pending is None]
        found += calm[:: max(1, len(calm) // 20)]
    return tuple(found)
