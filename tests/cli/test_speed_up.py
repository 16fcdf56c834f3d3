"""Commands that take long load the compiled kernels where that pays, and only from the cache."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import Result

from support.scenarios import ROOT
from tapeline.cli.files import position, speed_up
from tapeline.geometry import backends

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("scene", "whole_game", "cached", "loaded"),
    [
        ("trench-storeys", False, True, True),
        ("trench-storeys", False, False, False),
        ("trench-yard", False, True, False),
        ("trench-yard", True, True, True),
    ],
)
def test_over_storeys_and_for_whole_games(
    monkeypatch: pytest.MonkeyPatch, scene: str, whole_game: bool, cached: bool, loaded: bool
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(backends, "in_cache", lambda: cached)
    monkeypatch.setattr(backends, "warmup", lambda: asked.append(True))
    _, state = position(ROOT / "examples" / f"{scene}.json")
    speed_up(state, whole_game)
    assert bool(asked) is loaded


def test_for_many_cases(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(backends, "in_cache", lambda: True)
    monkeypatch.setattr(backends, "warmup", lambda: asked.append(True))
    four = str(ROOT / "examples" / "trench-judged.json")
    for many, loaded in ((5, []), (4, [True])):
        monkeypatch.setattr("tapeline.cli.judge._MANY", many)
        run("judge", four)
        assert asked == loaded
