"""What a system declares in `System.names` is what its code uses, no more and no less."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import tapeline as tl
from support.scenarios import scenes_of
from tapeline.engine.paths import Leg
from tapeline.engine.system import System
from tapeline.errors import DocumentError
from tapeline.play.systems import load_system

SHIPPED = ("mordheim", "sovl", "trench-crusade", "warmaster")


def _package(system: System) -> Path:
    module = importlib.import_module(next(iter(system.procedures)).__module__)
    assert module.__file__ is not None
    return Path(module.__file__).parent


def _values_given(folder: Path) -> set[str]:
    """Names of the keywords of every call `....value(name=...)` in a folder of code; what is given
    as `**earlier` was named where it came from, and contract tests see it in play."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "value":
                found.update(word.arg for word in node.keywords if word.arg is not None)
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_values_are_those_that_the_code_gives(name: str) -> None:
    system = load_system(name)
    given = _values_given(_package(system))
    assert given, "no value is found in the code: the search is broken"
    assert set(system.names.values) == given


@pytest.mark.parametrize("name", SHIPPED)
def test_marks_figures_and_traits_are_those_of_the_system(name: str) -> None:
    system = load_system(name)
    names = system.names
    assert set(names.figures) == {key for p in system.profiles.values() for key in p.stats}
    brought = {trait for kind in system.terrain_kinds.values() for trait in kind.traits}
    assert set(names.traits) == brought | system.traits
    assert set(names.words) <= set(names.figures)


def _progress_faults(name: str, key: str) -> list[str]:
    scene = next(iter(scenes_of(name).values()))
    turn = {**scene.get("turn", {}), "progress": {key: {}}}
    try:
        tl.load({**scene, "turn": turn})
    except DocumentError as error:
        return [f.message for f in error.faults if f.path == f"turn.progress.{key}"]
    return []


@pytest.mark.parametrize("name", SHIPPED)
def test_progress_is_what_a_scene_may_say(name: str) -> None:
    """Each entry is known to the scene's check, which lists no other."""
    system = load_system(name)
    for key in system.progress or ():
        assert not any("is not known" in text for text in _progress_faults(name, key)), key
    (told,) = _progress_faults(name, "no_such_entry")
    listed = told.replace("progress has", ":").rpartition(":")[2]
    assert {word.strip() for word in listed.split(",")} == set(system.progress or ())


@pytest.mark.parametrize("name", SHIPPED)
def test_legs_are_those_that_the_rules_know(name: str) -> None:
    """A manner that is not declared is refused by the rules with what there is."""
    system = load_system(name)
    package = _package(system)
    known: set[str] = set()
    for path in package.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Compare) and getattr(node.left, "attr", "") == "how":
                for word in ast.walk(node.comparators[0]):
                    if isinstance(word, ast.Constant) and isinstance(word.value, str):
                        known.add(word.value)
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_CROSSINGS":
                assert isinstance(node.value, ast.Dict)
                known.update(str(getattr(key, "value", "")) for key in node.value.keys)
    assert set(system.names.legs) == known
    assert not known or Leg(to=(0.0, 0.0)).how in known


@pytest.mark.parametrize("name", SHIPPED)
def test_every_name_has_its_meaning(name: str) -> None:
    system = load_system(name)
    names = system.names
    known = [says for table in (names.values, names.figures, names.traits, names.legs)
             for says in table.values()]  # fmt: skip
    known += [mark.says for mark in (*system.marks.values(), *(system.progress or {}).values())]
    assert all(says.strip() and not says.endswith(".") for says in known)
    assert all(words for words in names.words.values())
