"""Every step of the golden cases can be drawn, and says what the verdict says."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

from tapeline.cli.draw import picture_of_case
from tapeline.play.cases import case_files, read_cases

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = [path for path in case_files([GOLDEN]) if "tapeline-case/" in path.read_text()]

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_cases_can_be_drawn(path: Path, budget: Callable[[int, int], int]) -> None:
    cases = read_cases(path)
    every = max(1, len(cases) // budget(2, len(cases)))
    for case in cases[::every]:
        for step in range(len(case.steps)):
            svg, verdict = picture_of_case(case, path, step)
            root = ElementTree.fromstring(svg)
            shown = " ".join(item.text or "" for item in root.iter())
            kinds = [
                item.get("data-kind") for item in root.iter() if item.get("class") == "verdict"
            ]
            assert kinds == [str(verdict.kind)]
            pins = [item for item in root.iter() if item.get("class") == "pin"]
            ways = [item for item in root.iter() if "nearest" in item.get("class", "").split()]
            if verdict.nearest is not None and "path" in verdict.nearest.action:
                assert ways
            placed = [finding for finding in verdict.findings if finding.place is not None]
            assert len(pins) >= len(placed)
            assert all(finding.clause in shown for finding in verdict.findings)
