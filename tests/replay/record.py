"""Records the matches that test_replay.py plays again.

    python tests/replay/record.py

A recording is evidence of how a version ruled. Record anew only when rulings are meant to
change, and say in the commit which and why.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.playing import RandomChooser, one_step, varied
from support.scenarios import scenes_of
from tapeline.dice import SeededDice
from tapeline.engine.events import Moved
from tapeline.play.match import Match

FOLDER = Path(__file__).parent
SYSTEMS = ("sovl", "trench-crusade")
ROUNDS = 5


def recorded(system: str, number: int) -> Match:
    """A whole random match of some rounds, with an undo and an override on the way."""
    scene = list(scenes_of(system).values())[number]
    match, rng = Match.start(scene), Random(f"{system} {number}")
    dice, chooser = SeededDice(f"{system} {number}"), RandomChooser(rng)
    last = match.battle.state.turn.round + ROUNDS
    for step in range(400):
        offers = list(match.battle.offers(rng))
        if not offers or match.battle.state.turn.round >= last:
            break
        one_step(match, varied(offers, rng), dice, chooser)
        if step == 20:
            match.undo(3, by=match.battle.state.sides[0].id)
        if step == 40:
            body = next(iter(match.battle.state.bodies.values()))
            event = Moved(body.id, body.x, body.y, body.z, (body.facing + 1.5) % 360.0)
            match.override([event], by=body.side, reason="knocked with a sleeve")
    return match


if __name__ == "__main__":
    for system in SYSTEMS:
        for number in range(len(scenes_of(system))):
            match = recorded(system, number)
            path = FOLDER / f"{system}-{number + 1}.jsonl"
            match.save(path)
            print(path.name, len(match.entries), match.battle.hash)
