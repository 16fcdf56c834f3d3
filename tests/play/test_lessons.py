"""Lessons that ship: each step is over by what does it, and not before; broken ones are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tapeline as tl
from tapeline.play.match import Match
from tapeline.play.puzzles import EvenDice, lesson_of, play_steps, steps_done

FILES = sorted((Path(__file__).parents[2] / "examples" / "lessons").glob("*.json"))


def untaught(scene: dict[str, Any]) -> list[str]:
    """Where a lesson is none: steps that are over too soon, or not by what does them."""
    match, lesson = Match.start(scene), lesson_of(scene)
    assert lesson is not None
    for index, step in enumerate(lesson.steps):
        where = f"lesson.steps[{index}]"
        try:
            play_steps(match, step.solution, EvenDice(lesson.die), f"{where}.solution")
        except tl.DocumentError as error:
            return [fault.path for fault in error.faults]
        if steps_done(match) != index + 1:
            return [where]
    return []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_step_of_a_lesson_is_over_by_its_solution(path: Path) -> None:
    assert untaught(json.loads(path.read_bytes())) == []


def test_every_system_has_one() -> None:
    systems = [json.loads(path.read_bytes())["system"] for path in FILES]
    assert sorted(systems) == ["mordheim", "sovl", "trench-crusade", "warmaster"]


def test_steps_come_one_after_the_other_and_an_undo_takes_them_back() -> None:
    scene = json.loads(FILES[1].read_bytes())
    match = Match.start(scene)
    match.do(tl.Activate("bows"))
    assert steps_done(match) == 0, "the Spears were to be activated"
    match.undo()
    match.do(tl.Activate("spears"))
    match.do(tl.Pivot("spears", by=-45))
    assert steps_done(match) == 1, "a later step does not count before its turn"
    match.undo(2)
    assert steps_done(match) == 0


def test_a_step_that_is_over_by_nothing_is_told() -> None:
    scene = json.loads(FILES[1].read_bytes())
    scene["lesson"]["steps"][1]["done"] = ""
    scene["lesson"]["steps"][1]["until"] = []
    scene["lesson"]["steps"][2]["point"] = ["nobody"]
    scene["lesson"]["steps"][3]["done"] = "fly"
    with pytest.raises(tl.DocumentError) as caught:
        tl.load(scene)
    paths = [fault.path for fault in caught.value.faults]
    assert {"lesson.steps[1].until", "lesson.steps[2].point[0]", "lesson.steps[3].done"} >= {*paths}
    scene = json.loads(FILES[1].read_bytes())
    first, second, *_ = scene["lesson"]["steps"]
    second["solution"] = first["solution"]
    assert untaught(scene) == ["lesson.steps[1].solution[0]"]
