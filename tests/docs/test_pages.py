"""The README and the pages of docs/ run: Python blocks in order, JSON blocks are documents."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tapeline.play.battle import load
from tapeline.table.scene import parse_json

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
