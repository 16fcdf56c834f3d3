"""Damaged documents through the commands and the server: an exit code that is right, a sentence,
nothing raw for a terminal, never a traceback."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from documents.mutating import damaged
from support.scenarios import ROOT, example_scenes, golden_cases, golden_scenes
from tapeline.cli.app import app
from tapeline.play.systems import system_names
from tapeline.web.work.kinds import Holder
from tapeline.web.work.worker import Desk

#: What `mutating` has not: texts that terminals obey, numbers beyond all, other files.
JUNK: list[Any] = [
    *("\x1b[2J\x07", "\u202eabc\u2066", "\r\nLEGAL", "\x9b1m", "\ud800", "../x", "/dev/zero"),
    *(2**65, -(10**18), 30_000_000, 1e308, json.loads("[" * 60 + "]" * 60)),
]

#: What must not come out.
RAW = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

MOST = {"pieces": 600, "corners": 8_000, "bodies": 1_200, "entries": 100}


def _run(words: list[str], count: Counter[str]) -> None:
    done = CliRunner().invoke(app, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise AssertionError(f"{words}: {done.exception!r}") from done.exception
    assert done.exit_code in (0, 1, 2), words
    assert not RAW.search(done.output), words
    assert done.exit_code == 0 or done.output.strip(), "why is said"
    count[f"{words[0]} {done.exit_code}"] += 1


def _named(document: Any, key: str, rng: Random) -> Any:
    """The document, or the one with a name in it that terminals would obey."""
    if isinstance(document, dict) and rng.random() < 0.3:
        return {**document, key: "A\x1b[2J\x07\u202e\x9b1m\r\nLEGAL"}
    return document


def _put(path: Path, *rows: Any) -> str:
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return str(path)


def _scenes() -> list[dict[str, Any]]:
    return [*example_scenes().values(), *(s for n in system_names() for s in golden_scenes(n)[::9])]


def test_damaged_scenes(tmp_path: Path, budget: Callable[[int, int], int]) -> None:
    rng, count, scenes = Random("scenes"), Counter[str](), _scenes()
    for number in range(budget(60, 10_000)):
        scene = rng.choice(scenes)
        scene = {**scene, "sides": [_named(side, "name", rng) for side in scene["sides"]]}
        whole = number % 12 == 0
        path = _put(tmp_path / "scene.json", scene if whole else damaged(scene, rng, JUNK))
        _run(["check", path], count)
        _run(["draw", path, "-o", str(tmp_path / "table.svg")], count)
    assert {"check 0", "check 2", "draw 0", "draw 2"} == {*count}, count


def test_damaged_cases(tmp_path: Path, budget: Callable[[int, int], int]) -> None:
    rng, count = Random("cases"), Counter[str]()
    cases = [case for _, case in golden_cases()]
    _run(["judge", _put(tmp_path / "case.json", rng.choice(cases))], count)
    for _ in range(budget(60, 10_000)):
        case = _named(rng.choice(cases), "title", rng)
        whole = damaged(case, rng, JUNK)
        steps = {**case, "steps": damaged(case["steps"], rng, JUNK)}
        path = _put(tmp_path / "case.json", whole if rng.random() < 0.3 else steps)
        _run(["check", path], count)
        _run(["judge", path, *rng.choice([[], ["--json"]])], count)
    assert {"check 0", "check 2", "judge 0", "judge 1", "judge 2"} == {*count}, count


def _logs() -> list[list[Any]]:
    paths = sorted((ROOT / "tests" / "replay").glob("*.jsonl"))
    return [[json.loads(row) for row in path.read_text().splitlines()[:7]] for path in paths]


def _damaged_logs(name: str, times: int) -> Iterator[list[Any]]:
    rng, logs = Random(name), _logs()
    for _ in range(times):
        rows = rng.choice(logs)
        at = 0 if rng.random() < 0.1 else rng.randrange(1, len(rows))
        changed = damaged(rows[at], rng, JUNK)
        yield [*rows[:at], _named(changed, "by", rng) if at else changed, *rows[at + 1 :]]


def test_damaged_logs(tmp_path: Path, budget: Callable[[int, int], int]) -> None:
    count = Counter[str]()
    for number, rows in enumerate(_damaged_logs("logs", budget(60, 10_000))):
        path = _put(tmp_path / "game.log", *rows)
        _run(["replay", path, *(["--json"] if number % 2 else [])], count)
        _run(["check", path], count)
    assert {"replay 0", "replay 1", "replay 2", "check 0", "check 2"} == {*count}, count


def _told(desk: Desk, what: str, said: dict[str, Any], match: str | None = "m") -> bytes:
    asked = {"what": what, "said": {**said, "mode": "hotseat", "seen_by": []}}
    letter, told = desk.answer(asked if match is None else {**asked, "match": match}, b"")
    assert letter in (b"A", b"E"), (what, told)
    return letter


@pytest.mark.parametrize("what", ["scene", "log"])
def test_what_the_server_takes_it_can_show(what: str, budget: Callable[[int, int], int]) -> None:
    """A match that is begun is followed, shown, drawn and exported; else it is not begun."""
    rng, count, desk, scenes = Random(what), Counter[str](), Desk(), _scenes()
    times = budget(50, 10_000)
    logs = _damaged_logs("server", times)
    for number in range(times):
        if what == "scene":
            scene, whole = rng.choice(scenes), number % 12 == 0
            document: Any = {"scene": scene if whole else damaged(scene, rng, JUNK)}
        else:
            document = {"log": "\n".join(json.dumps(row) for row in next(logs))}
        said = {"id": "m", "seed": "s", "most": MOST, "folder": None}
        letter, told = desk.answer(
            {"what": "begin", "said": said}, json.dumps(document).encode("utf-8", "surrogatepass")
        )
        assert letter in (b"A", b"E"), told
        count[letter.decode()] += 1
        if letter == b"E":
            assert told.decode().strip()
            continue
        log = told.partition(b"\n")[2]
        followed = desk.answer({"what": "follow", "match": "m", "said": {"anew": True}}, log)
        assert followed == (b"A", b"")
        both = Holder("both", ()).said()
        for question, more in (("show", {"since": 0, "by": both}), ("log", {"seed": "s"})):
            assert _told(desk, question, more) == b"A", document
        _told(desk, "controls", {"of": None})
        _told(desk, "scene", {"n": None})
        if rng.random() < 0.2:
            assert _told(desk, "picture", {"n": None, "form": "svg"}) == b"A"
    assert {"A", "E"} == {*count}, count
