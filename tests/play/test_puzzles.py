"""Puzzles that ship are solved by their own solution and not by doing nothing; others are told."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tapeline as tl
from tapeline.engine.codec import event_from
from tapeline.play.match import Match
from tapeline.play.puzzles import EvenDice, outcome, solve, unsolved

FOLDER = Path(__file__).parents[2] / "examples" / "puzzles"
FILES = sorted(FOLDER.glob("*.json"))


def read(name: str) -> dict[str, Any]:
    scene: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_bytes())
    return scene


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_puzzle_is_solved_by_its_solution_alone(path: Path) -> None:
    scene = json.loads(path.read_bytes())
    assert unsolved(scene) == []
    assert scene["puzzle"]["hint"]


def test_every_system_has_six() -> None:
    counts = Counter(json.loads(path.read_bytes())["system"] for path in FILES)
    assert set(counts) == {"trench-crusade", "mordheim", "warmaster", "sovl"}
    assert min(counts.values()) >= 6


def test_a_step_too_many_loses_and_an_undo_wins_again() -> None:
    scene = read("trench-unseen")
    scene["puzzle"]["die"] = 4
    match = Match.start(scene)
    match.do({"kind": "activate", "actor": "ash"})
    match.do({"kind": "move", "actor": "ash", "path": [{"to": [6, 6]}]})
    first = outcome(match)
    assert (first.solved, first.lost, first.moves) == (False, "", 1)
    assert [part.met for part in first.parts] == [False, True]
    assert first.parts[0].why.startswith("Ash and Crow are 11.99 in apart")
    match.do({"kind": "dash", "actor": "ash", "path": [{"to": [6, 7]}]}, dice=EvenDice(4))
    assert outcome(match).lost == "That was move 2, and there may be 1."
    match.undo()
    match.do({"kind": "dash", "actor": "ash", "path": [{"to": [6, 7]}]}, dice=tl.Dice([5, 4]))
    assert outcome(match).lost == "Dice were thrown; here every die shows 4."
    match.undo(2)
    match.do(scene["puzzle"]["solution"][1]["action"])
    assert outcome(match).solved


def test_nobody_helps_by_hand_or_by_the_other_side() -> None:
    match = Match.start(read("trench-gap"))
    there = event_from(
        {"event": "moved", "body": "ash", "x": 12.0, "y": 14.0, "z": 0.0, "facing": 0.0}
    )
    match.override([there], by="red", reason="it would be quicker")
    assert outcome(match).lost == "The table was changed by hand."
    match.undo()
    match.do({"kind": "activate", "actor": "ash"})
    match.do({"kind": "shoot", "actor": "ash", "weapon": "rifle", "target": "c4", "result": "out"})
    assert outcome(match).lost == "A result was told that nobody rolled for."


def test_what_must_hold_all_the_time_is_looked_at_after_every_deed() -> None:
    scene = read("trench-unseen")
    scene["puzzle"]["always"] = [{"kind": "beyond", "who": ["ash"], "of": ["crow"], "distance": 9}]
    done = outcome(solve(scene))
    assert not done.solved
    assert done.lost.startswith("Ash: more than 9 in from Crow: Ash and Crow are ")


def test_where_measuring_is_forbidden_no_distance_is_told() -> None:
    scene = read("mordheim-hide")
    (part,) = [p for p in outcome(Match.start(scene)).parts if "within" in p.words]
    assert part.why == "Otto and Gnaw are too far apart"


def test_a_puzzle_that_says_what_is_not_there_is_refused() -> None:
    scene = read("trench-gap")
    scene["puzzle"]["goals"] = [
        {"kind": "inside", "who": ["nobody"], "zone": "moon"},
        {"kind": "state", "who": ["ash"], "state": {"asleep": True}},
        {"kind": "within", "who": ["ash"], "of": ["c1"]},
    ]
    with pytest.raises(tl.DocumentError) as caught:
        tl.load(scene)
    paths = [fault.path for fault in caught.value.faults]
    assert paths == ["puzzle.goals[2].distance"]
    del scene["puzzle"]["goals"][2]
    with pytest.raises(tl.DocumentError) as caught:
        tl.load(scene)
    assert [fault.path for fault in caught.value.faults] == [
        "puzzle.goals[0].who[0]",
        "puzzle.goals[0].zone",
        "puzzle.goals[1].state.asleep",
    ]
    with pytest.raises(tl.DocumentError, match="is no puzzle"):
        outcome(Match.start({k: v for k, v in read("trench-gap").items() if k != "puzzle"}))


def test_a_solution_that_does_not_do_it_is_told() -> None:
    scene = read("trench-gap")
    del scene["puzzle"]["solution"][-1]
    (fault,) = unsolved(scene)
    assert fault.path == "puzzle.solution"
    scene["puzzle"]["solution"][0] = {"action": {"kind": "activate", "actor": "c1"}}
    assert [f.path for f in unsolved(scene)] == ["puzzle.solution[0]"]
