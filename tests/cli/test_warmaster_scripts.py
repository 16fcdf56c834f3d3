"""A Command phase of each Warmaster example, played from the command line as its script says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.scenarios import EXAMPLES

SCRIPTS: list[dict[str, Any]] = json.loads(
    (EXAMPLES / "warmaster-judged.json").read_text(encoding="utf-8")
)
#: What every script shows.
SHOWN = {
    "initiative_charge", "evade", "home_back", "order", "brigade", "block", "wheel", "about_face",
    "form_column", "charge", "move_character", "end_step",
}  # fmt: skip


@pytest.mark.parametrize("case", SCRIPTS, ids=lambda case: str(case["id"]))
def test_a_script_is_played_replayed_and_drawn(case: dict[str, Any], run: Any) -> None:
    steps = case["steps"]
    assert {step["action"]["kind"] for step in steps} >= SHOWN
    needed = [step["expect"]["values"] for step in steps if step["action"]["kind"] == "order"]
    assert any(order["rolled"] > order["needed"] for order in needed), "an order fails"
    start = ["do", str(EXAMPLES / case["scene"])]
    for step in steps:
        start += ["-a", json.dumps(step["action"])]
    rolls = [" ".join(map(str, faces)) for step in steps for faces in step.get("dice", [])]
    played = run(*start, "--dice", ",".join(rolls), "-o", "game.log")
    assert played.exit_code == 0, played.output
    assert len(Path("game.log").read_text(encoding="utf-8").splitlines()) > len(steps)
    for how in ([], ["--referee"]):
        again = run("replay", "game.log", *how)
        assert again.exit_code == 0, again.output
    for entry, words in (("2", "confused"), (str(len(steps)), "column")):
        drawn = run("draw", "game.log", "--step", entry, "-o", "turn.svg")
        assert drawn.exit_code == 0, drawn.output
        assert words in Path("turn.svg").read_text(encoding="utf-8")
