"""What is printed shows the texts of documents, and none of them is obeyed by a terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from support.scenes import disc, toy_scene
from tapeline.cli import app
from tapeline.play.match import Match

Run = Callable[..., Result]
Write = Callable[[str, Any], str]

#: Clears the screen, writes a title, rings, turns the order of letters round, begins a line.
EVIL = "A\x1b[2J\x1b]0;x\x07\u202e\u2066\x9b1m\x7f\r\nLEGAL"
OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
MOVE = {"kind": "move", "actor": "R1", "path": [{"to": [5, 8]}]}
FAR = {"kind": "move", "actor": "R1", "path": [{"to": [5, 18]}]}


def _scene() -> dict[str, Any]:
    red = disc("R1", "red", 5, 5, name=EVIL)
    scene = toy_scene(red, disc("B1", "blue", 7.5, 5, name=EVIL), name=EVIL)
    for side in scene["sides"]:
        side["name"] = EVIL
    return scene


@pytest.fixture
def documents(write: Write, tmp_path: Path) -> None:
    """A scene, cases and a log whose every free text is evil, and documents with faults."""
    scene = _scene()
    write("scene.json", scene)
    case = {"format": "tapeline-case/1", "id": EVIL, "title": EVIL, "scene": scene}
    expect = {"verdict": "ILLEGAL"}
    write("cases.json", [{**case, "steps": [{"action": MOVE, "expect": expect}]}])
    write("bad.json", {**scene, EVIL: EVIL, "models": [disc(EVIL, EVIL, 5, 5, state={EVIL: 1})]})
    write("bad-cases.json", [{**case, EVIL: 1, "steps": [{"action": {"kind": EVIL}}]}])
    write("no.json", '{"format": "tapeline-scene/1", ' + json.dumps(EVIL) + ": 1, }")
    match = Match.start(scene)
    match.do(MOVE, by="red")
    match.save(tmp_path / "game.log")
    header, line = match.lines()
    forged = {**json.loads(line), "by": EVIL, "action": {**MOVE, "note": EVIL}}
    write("forged.log", f"{header}\n{json.dumps(forged)}\n")


@pytest.mark.parametrize(
    "words",
    [
        "check scene.json",
        "check cases.json game.log bad.json bad-cases.json no.json",
        "judge cases.json",
        "judge bad-cases.json",
        "judge scene.json -a FAR",
        "judge scene.json -a MOVE",
        "do scene.json --log new.log -a MOVE",
        "offers scene.json",
        "odds scene.json MOVE",
        "replay game.log",
        "replay forged.log",
        "replay forged.log --referee",
        "draw bad.json -o x.svg",
        "gallery bad",
        "rules EVIL",
        "judge EVIL",
        "EVIL",
    ],
)
@pytest.mark.parametrize("form", ["", "--json"])
@pytest.mark.usefixtures("documents")
def test_no_text_is_obeyed(run: Run, write: Write, words: str, form: str) -> None:
    said = {"EVIL": EVIL.replace("\n", ""), "FAR": json.dumps(FAR), "MOVE": json.dumps(MOVE)}
    done = run(*(said.get(word, word) for word in words.split()), *form.split())
    assert done.exit_code in (0, 1, 2)
    assert not OBEYED.findall(done.output), done.output
    assert "LEGAL" not in done.output.split("\n"), "no name is a line of its own"


@pytest.mark.usefixtures("documents")
def test_json_says_the_same_text(run: Run) -> None:
    told = json.loads(run("judge", "cases.json", "--json").stdout)
    assert told["cases"][0]["id"] == EVIL


def test_there_is_one_way_to_print() -> None:
    folder = Path(app.__file__).parent
    others = [
        path.name
        for path in folder.rglob("*.py")
        if path.name != "output.py"
        and re.search(
            r"click\.(echo|secho|print)|[^.\w]print\(|std(out|err)\.write", path.read_text()
        )
    ]
    assert not others
