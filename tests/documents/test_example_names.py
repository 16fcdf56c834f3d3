"""Sentences and lists name what stands on a table, so all of the shipped examples has a name."""

from __future__ import annotations

import pytest

from support.scenarios import example_scenes


@pytest.mark.parametrize("name", example_scenes())
def test_every_piece_of_an_example_has_a_plain_name(name: str) -> None:
    scene = example_scenes()[name]
    assert scene["terrain"]
    assert [piece["id"] for piece in scene["terrain"] if not piece.get("name", "").strip()] == []
