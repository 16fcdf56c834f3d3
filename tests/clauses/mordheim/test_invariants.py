"""What must hold at every state of any play, on the example tables."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import tapeline as tl
from support.playing import RandomChooser, one_step, varied
from support.scenarios import example_scenes
from tapeline.dice import SeededDice
from tapeline.engine.bases import base_overlap
from tapeline.engine.events import Happened
from tapeline.engine.limits import closer_than, sunk
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.play.match import Match
from tapeline.rules.mordheim.contact import fights_from, in_contact
from tapeline.rules.mordheim.hide import exposed_now
from tapeline.rules.mordheim.route import away
from tapeline.rules.mordheim.state import engaged_with, is_fleeing
from tapeline.rules.mordheim.terrain import terrain_of
from tapeline.rules.mordheim.walker import hits_at, where_it_fits
from tapeline.table.bodies import Body
from tapeline.table.storeys import storeys_of

pytestmark = pytest.mark.compiled

EXAMPLES = [
    path
    for path in sorted((Path(__file__).parents[3] / "examples").glob("mordheim-*.json"))
    if path.stem in example_scenes()
]
#: Here warbands begin too far apart to charge in so few actions.
FAR_APART = {"mordheim-fountain", "mordheim-gates"}


def _check_body(state: State, body: Body) -> None:
    table, storeys = state.table, storeys_of(state.table)
    assert 0.0 <= body.x <= table.width
    assert 0.0 <= body.y <= table.depth
    place = (body.x, body.y, body.z)
    assert storeys.support(*place, 1e-6) or storeys.ladder_at(*place, 1e-6), "stands on something"
    for other in state.bodies.values():
        if other.id > body.id and closer_than(abs(other.z - body.z), 1.0):
            assert base_overlap(body, other) <= 2e-6
    met = fights_from(state, body)
    for enemy in engaged_with(body):
        assert body.id in engaged_with(state.body(enemy)), "both fight"
        assert state.body(enemy) in met, "who fights is in contact"
    for enemy in in_contact(state, body):
        fight = enemy.id in engaged_with(body)
        assert fight or is_fleeing(body) or is_fleeing(enemy), "contact is combat"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_holds_in_any_play(path: Path, budget: Callable[[int, int], int]) -> None:
    scene = json.loads(path.read_text())
    seen = set()
    for seed in range(budget(1, 60)):
        match = Match.start(scene)
        rng, dice = Random(f"invariants {seed}"), SeededDice(seed)
        chooser = RandomChooser(rng)
        for step in range(80):
            if step >= budget(30, 60) and seen:
                break
            offers = list(match.battle.offers(rng))
            count, before = len(match.entries), match.battle.state
            one_step(match, varied(offers, rng), dice, chooser)
            state = match.battle.state
            for body in state.bodies.values():
                _check_body(state, body)
            if match.battle.pending is None:
                # Base in a wall, in the air or over another: a scene with that does not load.
                tl.load(match.battle.scene())
            assert exposed_now(state) == [], "nobody hidden is seen or detected"
            for event in (e for entry in match.entries[count:] for e in entry.events):
                if isinstance(event, Happened) and event.name == "charge failed":
                    body = state.bodies.get(event.about or "")
                    # It may have gone for another from who lies stunned beside it (MH-ENG-1).
                    beside = set(engaged_with(before.body(event.about or "")))
                    assert body is None or set(engaged_with(body)) <= beside
                    seen.add("failed")
                if isinstance(event, Happened) and event.name == "charge succeeds":
                    seen.add("succeeded")
    assert seen or path.stem in FAR_APART


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_who_is_driven_straight_on_stops_where_the_base_fits(
    path: Path, budget: Callable[[int, int], int]
) -> None:
    start = tl.load(json.loads(path.read_text())).state
    rng, stopped = Random(f"straight {path.stem}"), 0
    for _ in range(budget(300, 5000)):
        mover = rng.choice(list(start.bodies.values()))
        mover = mover.at(
            rng.uniform(0.5, start.table.width - 0.5),
            rng.uniform(0.5, start.table.depth - 0.5),
            rng.choice([0.0, 0.0, mover.z]),
        )
        state = replace(start, bodies={mover.id: mover})
        if storeys_of(state.table).support(mover.x, mover.y, mover.z, 1e-6) is None:
            continue
        if hits_at(state, mover, Place(mover.x, mover.y, mover.z)):
            continue
        angle = rng.uniform(0.0, math.tau)
        track = away(state, mover, (math.cos(angle), math.sin(angle)), 7.0)
        track, facing = where_it_fits(state, mover, track)
        there = replace(mover, facing=facing).at(*track.end)
        carrier = storeys_of(state.table).support(*track.end, 2e-6)
        on = None if carrier is None else carrier.ramp
        inside = terrain_of(state).overlapped(there, on=on, barriers=False)
        assert inside is None or not sunk(inside[0]), (mover, angle, inside)
        stopped += closer_than(track.length, 7.0)
    assert stopped > 50
