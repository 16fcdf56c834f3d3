"""Every switch has a golden case for each of its values, and the page of readings is fresh."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from generate.readings import page

from tapeline.play.cases import case_files, read_cases
from tapeline.play.systems import load_system

ROOT = Path(__file__).parents[2]
OURS = ("mordheim", "sovl", "trench-crusade", "warmaster")


@pytest.mark.parametrize("name", OURS)
def test_each_value_of_each_switch_has_a_case(name: str) -> None:
    system = load_system(name)
    used: set[tuple[str, str]] = set()
    for path in case_files([ROOT / "tests" / "golden" / name.replace("-", "_")]):
        for case in read_cases(path):
            scene = case.scene
            if isinstance(scene, str):
                scene = json.loads((path.parent / scene).read_text())
            used |= set({**scene.get("options", {}), **case.options}.items())
    lacking = [
        (spec.name, value)
        for spec in system.options
        for value in spec.values
        if value != spec.default and (spec.name, value) not in used
    ]
    assert lacking == []


def test_the_page_of_readings_is_up_to_date() -> None:
    """If this fails: make docs"""
    text = (ROOT / "docs" / "reference" / "readings.md").read_text(encoding="utf-8")
    assert text == page(load_system(name) for name in OURS)
