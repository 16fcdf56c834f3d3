"""The README and the pages of docs/ run: Python blocks in order, JSON blocks are documents."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from generate.commands import with_outputs

from tapeline.play.battle import load
from tapeline.play.cases import BodyExpectDoc, CaseDoc, ExpectDoc, run_case
from tapeline.table.json_documents import parse_json, validate

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text()) if kind == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_json_blocks_are_documents(page: Path) -> None:
    for block in blocks(page, "json"):
        data = parse_json(block, page.name)
        if isinstance(data, dict) and str(data.get("format", "")).startswith("tapeline-scene/"):
            load(data)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    broken = [
        target
        for target in LINK.findall(page.read_text())
        if not os.path.exists(page.parent / target.strip())
    ]
    assert broken == []


def test_readme_has_its_ten_lines_of_python() -> None:
    assert blocks(ROOT / "README.md", "python"), "the README shows the library at work"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_commands_print_is_fresh(page: Path) -> None:
    text = page.read_text("utf-8")
    assert with_outputs(text, ROOT / "examples") == text, "run: make docs"


def _cases(page: Path) -> list[CaseDoc]:
    found = (parse_json(block, page.name) for block in blocks(page, "json"))
    return [
        validate(CaseDoc, data, page.name)
        for data in found
        if isinstance(data, dict) and data.get("format") == "tapeline-case/1"
    ]


@pytest.mark.parametrize("case", _cases(ROOT / "docs" / "cases.md"), ids=lambda case: case.id)
def test_cases_of_the_page_on_cases_are_as_expected(case: CaseDoc) -> None:
    result = run_case(case)
    assert [step.wrong for step in result.steps] == [()] * len(case.steps)
    assert result.passed


def test_the_page_on_cases_shows_every_system_every_key_and_every_form() -> None:
    page = ROOT / "docs" / "cases.md"
    cases = _cases(page)
    scenes = [case.scene for case in cases if isinstance(case.scene, dict)]
    assert {scene["system"] for scene in scenes} == {
        "mordheim", "sovl", "trench-crusade", "warmaster",
    }  # fmt: skip
    said = {key for c in cases for s in c.steps if s.expect for key in s.expect.model_fields_set}
    assert said == set(ExpectDoc.model_fields)
    answers = [answer for case in cases for step in case.steps for answer in step.answers]
    assert {type(answer) for answer in answers} == {str, int, list}
    text = page.read_text("utf-8")
    missing = [key for key in ExpectDoc.model_fields if f"| `{key}` |" not in text]
    assert missing == []
    named = {*CaseDoc.model_fields, *BodyExpectDoc.model_fields, "dice", "answers"} - {
        "format", "id", "title", "steps",
    }  # fmt: skip
    assert [key for key in named if f"`{key}`" not in text] == []


def test_the_page_on_verdicts_prints_a_refusal_and_a_reason_as_json() -> None:
    """The example is the real thing, and holds what the page speaks of."""
    page = (ROOT / "docs" / "verdicts.md").read_text("utf-8")
    shown = [found.split("\n", 1) for kind, found in BLOCK.findall(page) if kind == "console"]
    printed = [parse_json(text, "verdicts.md") for command, text in shown if "--json" in command]
    assert [data["format"] for data in printed] == ["tapeline-judged/1"] * 2
    (refused,) = printed[0]["actions"]
    assert set(refused) == {"action", "verdict", "why"}
    assert refused["verdict"]["findings"][0]["clause"] in refused["verdict"]["cites"]
    assert printed[1]["unusable"] == 1
    assert printed[1]["cases"][0]["steps"][0]["wrong"]
    for key in (*printed[0], *printed[1], *refused):
        if key != "format":
            assert f"`{key}`" in page, key
