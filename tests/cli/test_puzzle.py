"""`tapeline puzzle`: a sound one, a log on the way, a log that solves it, one that is not sound."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]
FOLDER = Path(__file__).parents[2] / "examples" / "puzzles"
PUZZLE = str(FOLDER / "mordheim-charge-two.json")


def test_a_log_is_told_how_far_it_has_come(run: Run, tmp_path: Path) -> None:
    log = str(tmp_path / "mine.log")
    assert run("puzzle", PUZZLE).output == "sound: its solution solves it with 1 move\n"
    declare = "declare_charge otto targets=gnaw,squeal"
    run("do", PUZZLE, "-a", declare, "-a", "close_declarations", "-o", log)
    early = run("puzzle", PUZZLE, "--solve", log)
    assert (early.exit_code, early.output.splitlines()[0]) == (1, "not yet solved, after 0 moves")
    run("do", log, "-a", "charge otto")
    done = run("puzzle", PUZZLE, "--solve", log, "--json")
    assert (done.exit_code, json.loads(done.output)["solved"]) == (0, True)


def test_one_that_is_not_sound_says_why(run: Run, tmp_path: Path) -> None:
    scene = json.loads(Path(PUZZLE).read_bytes())
    del scene["puzzle"]["solution"][2]
    path = tmp_path / "open.json"
    path.write_text(json.dumps(scene))
    found = run("puzzle", str(path))
    assert found.exit_code == 1
    assert (
        "puzzle.solution: does not solve it: Otto: in contact with Gnaw and Squeal" in found.output
    )
    other = run("puzzle", str(FOLDER / "mordheim-hide.json"), "--solve", PUZZLE)
    assert other.exit_code == 2
    assert "is a scene; a log is needed" in other.stderr
