"""What a scene says of marks and progress is understood by its system, or is a fault of it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import tapeline as tl
from support.scenarios import ROOT
from tapeline.engine.allowed import Mark, value_fault
from tapeline.play.systems import load_system, system_names

SCENES = {
    "trench-crusade": "trench-two-lines",
    "mordheim": "mordheim-market",
    "sovl": "sovl-ford",
    "warmaster": "warmaster-dale",
}


def scene(system: str) -> dict[str, Any]:
    document = json.loads((ROOT / "examples" / f"{SCENES[system]}.json").read_text("utf-8"))
    return copy.deepcopy(document.get("scene", document))


def first_unit(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["units"][0]
    return found


def first_character(document: dict[str, Any]) -> dict[str, Any]:
    members = {name for unit in document["units"] for name in unit["members"]}
    return next(model for model in document["models"] if model["id"] not in members)


def faults(document: dict[str, Any]) -> list[str]:
    try:
        tl.load(document)
    except tl.DocumentError as error:
        return [f"{fault.path}: {fault.message}" for fault in error.faults]
    return []


#: On a model or unit: the mark, what it is given, the words of the fault.
MARKS: list[tuple[str, str, str, Any, str]] = [
    ("warmaster", "unit", "may_move", "ordr", "must be one of order, half, rush, fall_back; got"),
    ("warmaster", "unit", "may_move", "ordr", "did you mean order?"),
    ("warmaster", "unit", "fortifed", True, "did you mean fortified?"),
    ("warmaster", "unit", "orders", 4, "must be from 0 to 3; got 4"),
    ("warmaster", "unit", "lost", -1, "must be 0 or more; got -1"),
    ("warmaster", "unit", "ordered_by", "nobody", "no model of its side has the id 'nobody'"),
    ("warmaster", "unit", "joined", "nobody", "is a state of models, not of units"),
    ("warmaster", "unit", "allowance", 9, "goes with may_move 'fall_back'"),
    ("warmaster", "unit", "off", True, "is on the table"),
    ("warmaster", "character", "confused", True, "is a state of units, not of models"),
    ("warmaster", "character", "joined", "nobody", "no friendly unit has the id 'nobody'"),
    ("warmaster", "character", "slain", True, "is on the table"),
    ("warmaster", "character", "command", 1, "must be 0 or less; got 1"),
    ("warmaster", "model", "moved", True, "not of a stand"),
    ("mordheim", "model", "condition", "stuned", "did you mean stunned?"),
    ("mordheim", "model", "charge", "faild", "did you mean failed?"),
    ("mordheim", "model", "engaged", ["nobody"], "no enemy has the id 'nobody'"),
    ("mordheim", "model", "touching", ["nothing"], "no piece of terrain has the id 'nothing'"),
    ("mordheim", "model", "spent", -1.0, "must be from 0 to 1000"),
    ("trench-crusade", "model", "blood", 7, "must be from 0 to 6; got 7"),
    ("trench-crusade", "model", "activatd", True, "did you mean activated?"),
    ("sovl", "unit", "wounds", -1, "must be 0 or more"),
    ("sovl", "unit", "fleing", True, "did you mean fleeing"),
]


@pytest.mark.parametrize(("system", "holder", "mark", "value", "words"), MARKS)
def test_a_mark_that_no_rule_would_understand(
    system: str, holder: str, mark: str, value: Any, words: str
) -> None:
    document = scene(system)
    entry = {
        "unit": first_unit,
        "character": first_character,
        "model": lambda document: document["models"][0],
    }[holder](document)
    assert faults(document) == []
    entry["state"] = {**entry.get("state", {}), mark: value}
    found = faults(document)
    assert any(f"state.{mark}" in text and words in text for text in found), found


#: Entries of the progress: what is given, the words of the fault.
PROGRESS: list[tuple[str, str, Any, str]] = [
    ("warmaster", "comander", "K", "did you mean commander?"),
    ("warmaster", "commander", "nobody", "has the id 'nobody'"),
    ("warmaster", "commander", "gules-1", "is no character of the side whose turn it is"),
    ("warmaster", "group", ["nobody"], "no unit has the id 'nobody'"),
    ("warmaster", "group", ["oath"], "'oath' is no unit of the side whose turn it is"),
    ("warmaster", "home", ["oath"], "'oath' is no unit of the side whose turn it is"),
    ("warmaster", "over", "green", "no side has the id 'green'"),
    ("warmaster", "closed", 1, "must be true or false; got 1"),
    ("mordheim", "step", "chargs", "did you mean charges?"),
    ("mordheim", "begon", True, "did you mean begun?"),
    ("trench-crusade", "taken", ["mov"], "did you mean move?"),
    ("trench-crusade", "actr", "x", "did you mean actor?"),
    ("trench-crusade", "over", "tired", "must be one of ended, dash"),
    ("sovl", "slots", ["unt"], "did you mean unit?"),
    ("sovl", "passd", ["x"], "did you mean passed?"),
]


@pytest.mark.parametrize(("system", "name", "value", "words"), PROGRESS)
def test_progress_that_no_rule_would_understand(
    system: str, name: str, value: Any, words: str
) -> None:
    document = scene(system)
    turn = document.setdefault("turn", {})
    turn["progress"] = {**turn.get("progress", {}), name: value}
    found = faults(document)
    assert any(f"turn.progress.{name}" in text and words in text for text in found), found


@pytest.mark.parametrize("name", system_names())
def test_words_are_allowed_of_texts_and_bounds_of_numbers(name: str) -> None:
    system = load_system(name)
    assert system.progress is not None
    for known in (system.marks, system.progress):
        for mark, rule in known.items():
            assert not rule.words or rule.kind in (str, tuple), mark
            assert (rule.least, rule.most) == (None, None) or rule.kind in (int, float), mark


@pytest.mark.parametrize(
    ("value", "rule", "fits"),
    [
        (0, Mark(int, least=0), True),
        (-1, Mark(int, least=0), False),
        (True, Mark(int), False),
        (3, Mark(float, most=3), True),
        (3.0000005, Mark(float, most=3), True),
        (3.00001, Mark(float, most=3), False),
        (("a", "b"), Mark(tuple, words=("a", "b")), True),
        (("a", "c"), Mark(tuple, words=("a", "b")), False),
        ("", Mark(str, words=("a",)), False),
    ],
)
def test_values(value: Any, rule: Mark, fits: bool) -> None:
    assert (value_fault(value, rule) is None) is fits
