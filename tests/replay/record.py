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
#: Rounds and steps recorded of each system; those whose moves take long to judge are kept short.
SYSTEMS = {
    "sovl": (5, 400),
    "trench-crusade": (5, 400),
    "mordheim": (3, 70),
    "warmaster": (2, 45),
}


def recorded(system: str, number: int) -> Match:
    """A whole random match of some rounds, with an undo and an override on the way."""
    scene = list(scenes_of(system).values())[number]
    match, rng = Match.start(scene), Random(f"{system} {number}")
    dice, chooser = SeededDice(f"{system} {number}"), RandomChooser(rng)
    rounds, steps = SYSTEMS[system]
    last = match.battle.state.turn.round + rounds
    for step in range(steps):
        offers = list(match.battle.offers(rng))
        if not offers or match.battle.state.turn.round >= last:
            break
        one_step(match, varied(offers, rng), dice, chooser)
        if step == 20:
            match.undo(3, by=match.battle.state.sides[0].id)
        if step == min(40, steps - 5):
            state = match.battle.state
            inside = {name for unit in state.units.values() for name in unit.members}
            body = next(body for body in state.bodies.values() if body.id not in inside)
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
