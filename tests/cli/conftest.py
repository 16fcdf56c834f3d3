from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from support.installing import toy_installed
from support.scenes import disc, toy_scene
from tapeline.cli.app import app


@pytest.fixture(autouse=True, scope="module")
def _toy() -> Iterator[None]:
    with toy_installed():
        yield


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty folder; anything but an exit code is a failure of the test."""
    monkeypatch.chdir(tmp_path)

    def go(*words: str, typed: str | None = None) -> Result:
        result = CliRunner().invoke(app, list(words), input=typed, catch_exceptions=False)
        assert "Traceback" not in result.output
        return result

    return go


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], str]:
    def put(name: str, document: Any) -> str:
        text = document if isinstance(document, str) else json.dumps(document)
        (tmp_path / name).write_text(text)
        return name

    return put


@pytest.fixture
def scene(write: Callable[[str, Any], str]) -> str:
    return write(
        "scene.json",
        toy_scene(disc("R1", "red", 5, 5), disc("B1", "blue", 7.5, 5), disc("B2", "blue", 20, 20)),
    )


@pytest.fixture
def cases(write: Callable[[str, Any], str], scene: str) -> str:
    """Three cases on the scene: as expected, wrong, and without expectation."""

    def case(case_id: str, *steps: dict[str, Any]) -> dict[str, Any]:
        return {
            "format": "tapeline-case/1",
            "id": case_id,
            "title": f"about {case_id}",
            "scene": scene,
            "steps": list(steps),
        }

    far = {"kind": "move", "actor": "R1", "path": [{"to": [5, 15]}]}
    near = {"kind": "move", "actor": "R1", "path": [{"to": [5, 8]}]}
    return write(
        "cases.json",
        [
            case("good", {"action": far, "expect": {"verdict": "ILLEGAL"}}),
            case("wrong", {"action": near}, {"action": far, "expect": {"verdict": "LEGAL"}}),
            case("plain", {"action": near}),
        ],
    )
