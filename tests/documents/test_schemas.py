"""The published schemas: up to date, sound, and of one mind with what is loaded and written."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import jsonschema
import pytest
from generate.schemas import schemas

import tapeline as tl
from documents.mutating import damaged
from support.scenarios import ROOT, example_scenes, golden_cases, scenes_of
from support.scenes import toy_scene
from tapeline.dice import SeededDice
from tapeline.engine.codec import action_document, plain
from tapeline.errors import TapelineError
from tapeline.play.match import Match

pytestmark = pytest.mark.compiled

PUBLISHED = ROOT / "docs" / "reference" / "schema"
OURS = ("mordheim", "sovl", "trench-crusade", "warmaster")


@cache
def ours() -> dict[str, Any]:
    return schemas(OURS)


def validator(name: str, documents: dict[str, Any] | None = None) -> Any:
    found = (documents or ours())[f"{name}.schema.json"]
    return jsonschema.Draft202012Validator(found)


def test_the_published_schemas_are_up_to_date() -> None:
    """If this fails: make docs"""
    current = ours()
    assert {path.name for path in PUBLISHED.glob("*.json")} == set(current)
    for name, document in current.items():
        text = (PUBLISHED / name).read_text(encoding="utf-8")
        assert text == json.dumps(document, indent=2) + "\n", name


@pytest.mark.parametrize("name", sorted(ours()))
def test_every_schema_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(ours()[name])


def test_scenes_fit() -> None:
    check = validator("scene")
    for name, scene in {"toy": toy_scene(), **example_scenes()}.items():
        assert not list(check.iter_errors(scene)), name
        saved = json.loads(json.dumps(tl.load(scene).scene()))
        assert not list(check.iter_errors(saved)), name


def test_golden_cases_fit(budget: Callable[[int, int], int]) -> None:
    check = validator("case")
    actions = {name: validator(f"action-{name}") for name in OURS}
    cases = golden_cases()
    for path, case in cases[:: budget(len(cases) // 300, 1)]:
        assert not list(check.iter_errors(case)), (path, case["id"])
        for step in case["steps"]:
            if step.get("action") is not None:
                system = case["scene"]["system"]
                assert not list(actions[system].iter_errors(step["action"])), (path, case["id"])


#: Actions tried in each scene, fewer where choosing one takes long.
_STEPS = {"mordheim": 12, "warmaster": 5}


@pytest.mark.parametrize("name", ["toy", *OURS])
def test_actions_verdicts_and_logs_fit(name: str) -> None:
    current = schemas([name])
    action_check = validator(f"action-{name}", current)
    verdict_check, line_check = validator("verdict", current), validator("log-line", current)
    for scene in scenes_of(name).values():
        match, rng = Match.start(scene), Random(2)
        for number in range(_STEPS.get(name, 25)):
            offers = list(match.battle.offers(rng))
            if not offers:
                break
            action = rng.choice(offers)
            document = json.loads(json.dumps(action_document(action)))
            action_check.validate(document)
            verdict_check.validate(json.loads(json.dumps(plain(match.battle.judge(action)))))
            match.do(action, dice=SeededDice(number), chooser=_some)
            if match.battle.pending is not None:
                match.undo()
        if match.entries:
            match.undo()
        for line in match.lines():
            line_check.validate(json.loads(line))


def _some(choice: Any) -> Any:
    if choice.form == "path":
        return choice.default or ()
    return choice.default if choice.default is not None else choice.options[0].value


def test_an_override_and_an_open_question_fit() -> None:
    from tapeline.engine.events import Moved

    match = Match.start(toy_scene())
    match.do(tl.Action("shove", "R1", target="B1"))
    match.answer([6])
    match.undo(2)
    match.override([Moved("B1", 20.0, 20.0, 0.0, 0.0)], by="red", reason="agreed")
    check = validator("log-line", schemas(["toy"]))
    for line in match.lines():
        check.validate(json.loads(line))


def test_what_is_loaded_fits_the_schema(budget: Callable[[int, int], int]) -> None:
    """No schema is stricter than the loader: what loads, fits."""
    check, rng = validator("scene"), Random(9)
    scenes = [toy_scene(), *example_scenes().values()]
    loaded = refused = 0
    for _ in range(budget(300, 5_000)):
        if loaded > budget(10, 5_000) and refused > 20:
            break
        scene = damaged(rng.choice(scenes), rng)
        try:
            tl.load(scene)
        except TapelineError:
            refused += not check.is_valid(scene)
            continue
        loaded += 1
        assert not list(check.iter_errors(scene)), scene
    assert loaded > 10
    assert refused > 20, "and the schema alone finds faults"


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("scene", {**toy_scene(), "weather": 1}),
        ("scene", {**toy_scene(), "sides": [{"id": "red"}]}),
        ("scene", {**toy_scene(), "table": {"width": 24, "depth": 24, "unit": "ft"}}),
        ("case", {"format": "tapeline-case/1", "id": "x", "scene": toy_scene(), "steps": []}),
        ("case", {"format": "tapeline-case/1", "id": "x", "scene": {}, "steps": [{}]}),
        ("action-sovl", {"kind": "fly"}),
        ("action-sovl", {"kind": "activate"}),
        ("verdict", {"kind": "MAYBE"}),
        ("verdict", {"kind": "LEGAL", "mood": "good"}),
        ("log-line", {"n": 1, "what": "undo", "hash": "x"}),
        ("log-line", {"n": 0, "what": "undo", "to": 0, "hash": "x"}),
        ("log-line", {"n": 1, "what": "override", "events": [{"event": "flew"}], "hash": "x"}),
    ],
)
def test_what_no_schema_takes(name: str, document: Any) -> None:
    assert list(validator(name).iter_errors(document))
