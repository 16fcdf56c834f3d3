"""The pages of the systems are fresh, and name all that a system has."""

from __future__ import annotations

from pathlib import Path

import pytest
from generate.systems import page

from tapeline.engine.setup import BLOCK_MARKS
from tapeline.play.systems import load_system

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "systems"
SHIPPED = ("mordheim", "sovl", "trench-crusade", "warmaster")


@pytest.mark.parametrize("name", SHIPPED)
def test_the_page_of_a_system_is_fresh(name: str) -> None:
    kept = (PAGES / f"{name}.md").read_text("utf-8")
    assert kept == page(load_system(name)), "run: make docs"


def test_there_is_a_page_for_every_system_and_no_other() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_page_names_all_there_is(name: str) -> None:
    system, text = load_system(name), page(load_system(name))
    marks = {*system.marks, "gone"}
    if name == "sovl":
        marks |= set(BLOCK_MARKS)
    for heading, names in {
        "Profiles": {*system.profiles, *system.names.figures},
        "Terrain": {*system.terrain_kinds, *system.names.traits},
        "Marks": marks,
        "Phases and progress": {*system.phases, *(system.progress or ())},
        "Actions": {*system.actions, *system.names.legs},
        "Values": set(system.names.values),
        "Options": {spec.name for spec in system.options},
    }.items():
        part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        missing = {known for known in names if f"`{known}`" not in part}
        assert not missing, heading
    for rule in (*system.marks.values(), *(system.progress or {}).values()):
        assert all(f"`{word}`" in text for word in rule.words if word)
    mounts = system.names.words.get("mount", ())
    assert all(f"`{mount}`" in text for mount in mounts)
    for kind in system.terrain_kinds.values():
        assert f"| `{kind.name}` | {kind.height:g} {system.unit} |" in text
