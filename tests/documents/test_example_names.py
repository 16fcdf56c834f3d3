"""Sentences and lists name what stands on a table, so all of the shipped examples has a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

EXAMPLES = sorted(Path("examples").glob("*.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_piece_of_an_example_has_a_plain_name(path: Path) -> None:
    scene = json.loads(path.read_text(encoding="utf-8"))
    assert scene["terrain"]
    assert [piece["id"] for piece in scene["terrain"] if not piece.get("name", "").strip()] == []
