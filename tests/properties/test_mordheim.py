"""What must hold in every state and verdict of Mordheim that random play comes to."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

import tapeline as tl
from support.playing import random_match
from support.scenarios import EXAMPLES, golden_cases, scene_of, scenes_of
from tapeline.dice import ScriptedDice
from tapeline.engine.paths import Leg
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.errors import MeasuringError
from tapeline.play.cases import read_cases, run_case
from tapeline.play.match import Match, rereferee
from tapeline.rules.mordheim import SYSTEM
from tapeline.rules.mordheim.contact import fights_from
from tapeline.rules.mordheim.sight import detects, sees
from tapeline.rules.mordheim.state import charge_result, condition, is_hidden
from tapeline.rules.mordheim.walker import walk
from tapeline.table.scene import parse_scene

pytestmark = pytest.mark.compiled


@cache
def _matches(count: int, steps: int) -> tuple[Match, ...]:
    scenes = list(scenes_of("mordheim").values())
    return tuple(random_match(scenes[k % len(scenes)], 40 + k, steps) for k in range(count))


def _entries(match: Match) -> Iterator[tuple[dict[str, Any], tl.Battle, tl.Battle]]:
    """Actions of a match with the battle before and after each."""
    for number, entry in enumerate(match.entries):
        if entry.action is not None:
            yield entry.action, match.battles[number], match.battles[number + 1]


def test_a_hidden_model_is_never_seen(budget: Callable[[int, int], int]) -> None:
    hidden = 0
    for match in _matches(budget(4, 60), 40):
        for battle in match.battles:
            if battle.pending is not None:
                continue
            state = battle.state
            for body in state.bodies.values():
                if not is_hidden(body):
                    continue
                hidden += 1
                for enemy in state.enemies(body):
                    if condition(enemy) == "stunned":
                        continue
                    assert not detects(state, enemy, body), (enemy.id, body.id)
                    assert not sees(state, enemy, body), (enemy.id, body.id)
    assert hidden > 20


def test_a_failed_charge_never_ends_in_contact(budget: Callable[[int, int], int]) -> None:
    failed = 0
    for match in _matches(budget(4, 60), 40):
        for action, before, after in _entries(match):
            if action["kind"] != "charge" or after.pending is not None:
                continue
            body = after.state.bodies.get(action["actor"])
            if body is None or charge_result(body) != "failed":
                continue
            failed += 1
            was = {e.id for e in fights_from(before.state, before.state.body(body.id))}
            assert not [e.id for e in fights_from(after.state, body) if e.id not in was]
            assert not body.marks.get("engaged")
    assert failed > 0


def _with_worse_ground() -> Iterator[tuple[str, State, State]]:
    """Tables with one piece of slow ground, and with that piece slower still."""
    for scene in scenes_of("mordheim").values():
        for index, piece in enumerate(scene["terrain"]):
            if piece.get("kind") not in ("rubble", "bushes", "slope"):
                continue
            copy = json.loads(json.dumps({**scene, "models": scene["models"][:1]}))
            plain = state_from_scene(parse_scene(copy), SYSTEM)
            copy["terrain"][index]["kind"] = "crawlhole"
            yield piece["id"], plain, state_from_scene(parse_scene(copy), SYSTEM)


def test_cost_never_falls_when_a_factor_rises(budget: Callable[[int, int], int]) -> None:
    rng = Random(5)
    pairs = list(_with_worse_ground())
    dearer = 0
    for case in range(budget(200, 5_000)):
        piece, plain, worse = rng.choice(pairs)
        outlines = plain.table.piece(piece).outlines
        middle = getattr(outlines[0], "corners", ((20.0, 20.0),))[0]
        body = next(iter(plain.bodies.values())).at(
            middle[0] + rng.uniform(-3, 3), middle[1] + rng.uniform(-3, 3), 0.0
        )
        legs = []
        x, y = body.x, body.y
        for _ in range(rng.randint(1, 3)):
            angle, far = rng.uniform(0, math.tau), rng.uniform(0.5, 4)
            x, y = x + far * math.cos(angle), y + far * math.sin(angle)
            legs.append(Leg(to=(x, y)))
        one = walk(plain, body, tuple(legs))
        two = walk(worse, body, tuple(legs))
        assert math.isclose(one.length, two.length, abs_tol=1e-9), case
        assert two.cost >= one.cost - 1e-9, case
        assert one.cost >= one.length - 1e-9, case
        dearer += two.cost > one.cost + 1e-6
    assert dearer > 20


def test_odds_sum_to_one(budget: Callable[[int, int], int]) -> None:
    """Of every first action with dice in the golden cases."""
    told = 0
    cases = [
        case
        for _, case in golden_cases()
        if case["scene"]["system"] == "mordheim" and case["steps"][0].get("dice")
    ]
    for case in cases[:: budget(6, 1)]:
        battle = tl.load(scene_of(case))
        try:
            found = battle.odds(case["steps"][0]["action"], guard=400, samples=50)
        except MeasuringError:
            continue
        if found.exact:
            parts = [outcome.exact for outcome in found.outcomes]
            assert None not in parts
            assert sum(part for part in parts if part is not None) == Fraction(1), case["id"]
        # Where the rare results were left out, what is left bounds every chance.
        open_yet = sum(o.error for o in found.outcomes) if found.rest else 0.0
        total = sum(o.chance for o in found.outcomes)
        assert math.isclose(total, 1.0, abs_tol=open_yet + 1e-9), case["id"]
        told += len(found.outcomes) > 1
    assert told > 5


def test_a_scripted_phase_is_replayed_and_judged_again() -> None:
    """A movement phase with eight models a side on every example table, from its judged script."""
    kinds: set[str] = set()
    hows: set[str] = set()
    judged = EXAMPLES / "mordheim-judged.json"
    for case in read_cases(judged):
        assert [step.wrong for step in run_case(case, judged).steps if step.wrong] == []
    for case in json.loads(judged.read_text(encoding="utf-8")):
        match = Match.start(EXAMPLES / case["scene"])
        sides = [body.side for body in match.battle.state.bodies.values()]
        assert (sides.count("red"), sides.count("blue")) == (8, 8)
        for step in case["steps"]:
            match.do(step["action"], dice=ScriptedDice(step.get("dice", [])))
            assert match.battle.last is not None
            assert match.battle.last.kind.value == step["expect"]["verdict"]
            kinds.add(step["action"]["kind"])
            hows |= {leg.get("how", "walk") for leg in step["action"].get("path", [])}
        assert match.battle.state.turn.phase == "shooting"
        lines = list(match.lines())
        assert Match.replay(lines).battle.hash == match.battle.hash
        assert rereferee(lines)[1] is None
    assert {"declare_charge", "charge", "compulsory", "move", "crawl", "end_phase"} <= kinds
    assert hows == {"walk", "climb", "jump", "drop"}
