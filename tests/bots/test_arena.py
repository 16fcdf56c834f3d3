"""The arena: who plays whom, what is counted, and how strong that makes them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tapeline.bots.arena import Bout, fixtures, play_arena, ratings, records
from tapeline.cli.app import app
from tapeline.play.match import Match

ROOT = Path(__file__).parents[2]
MILL = ROOT / "examples" / "sovl-mill.json"


@pytest.fixture
def scenes() -> dict[str, Any]:
    return {"mill": json.loads(MILL.read_bytes())}


def bout(one: str, two: str, winner: str | None) -> Bout:
    return Bout("s", {"west": one, "east": two}, "0", winner, {}, 1)


def test_everybody_plays_everybody_with_sides_changed(
    scenes: dict[str, Any], tmp_path: Path
) -> None:
    players = {"a": "random", "b": "random", "gone": f"{sys.executable} -c pass"}
    bouts = list(play_arena(fixtures(scenes, players, 2, logs=tmp_path)))
    assert [tuple(one.players.values()) for one in bouts] == [
        ("a", "b"), ("b", "a"), ("a", "gone"), ("gone", "a"), ("b", "gone"), ("gone", "b"),
    ]  # fmt: skip
    first, second = bouts[:2]
    assert first.seed == second.seed
    assert first.entries > 20
    assert first.log is not None
    match = Match.replay(Path(first.log).read_text().splitlines())
    assert len(match.entries) == first.entries
    again = next(play_arena(fixtures(scenes, players, 2)))
    assert (again.winner, again.points, again.entries) == (
        first.winner, first.points, first.entries,
    )  # fmt: skip
    for one in bouts[2:]:
        assert one.winner != "gone", "who does not begin has lost"
        assert one.faults == {"gone": {"gone": 1}}


def test_records_and_ratings() -> None:
    bouts = [bout("a", "b", "a"), bout("b", "a", "a"), bout("b", "c", "b"), bout("c", "b", None)]
    found = records(bouts)
    alone = found["b", None]
    assert (alone.wins, alone.draws, alone.losses, alone.share) == (1, 1, 2, 0.375)
    assert found["b", "a"].share == 0.0
    assert found["a", None].interval[1] == pytest.approx(1.0)
    strengths = ratings(bouts)
    assert sum(strengths.values()) / 3 == pytest.approx(1500.0)
    assert strengths["a"] > strengths["b"] > strengths["c"]
    even = ratings([bout("a", "b", "a"), bout("a", "b", "b")])
    assert even["a"] == pytest.approx(even["b"])


def test_ten_to_one_is_four_hundred() -> None:
    bouts = [bout("a", "b", "b" if n % 11 == 0 else "a") for n in range(1100)]
    strengths = ratings(bouts)
    assert strengths["a"] - strengths["b"] == pytest.approx(400.0, abs=3.0)


def test_by_command(tmp_path: Path) -> None:
    run = CliRunner()
    told = ["--player", "one=random", "--player", "random", "--games", "2"]
    done = run.invoke(app, ["arena", str(MILL), *told, "--logs", str(tmp_path / "logs"), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [one["games"] for one in found["players"] if one["against"] is None] == [2, 2]
    assert len(found["games"]) == len(list((tmp_path / "logs").glob("*.log"))) == 2
    again = run.invoke(app, ["arena", str(MILL), *told, "--logs", str(tmp_path / "logs")])
    assert again.exit_code == 2
    assert "holds logs already" in again.output
    alone = run.invoke(app, ["arena", str(MILL), "--player", "novice"])
    assert alone.exit_code == 2
    assert "two players" in alone.output
