"""One turn of a program that is held to limits: what fails is told, and nothing stays behind."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path

import pytest

from tapeline.bots.process import Limits
from tapeline.bots.program import Played, turn_of
from tapeline.play.match import Match

ROOT = Path(__file__).parents[2]
MILL = ROOT / "examples" / "sovl-mill.json"
SIMPLE = ROOT / "examples" / "bots" / "simple.py"

HELLO = """
import json, os, subprocess, sys, time

def say(what, **line):
    print(json.dumps({"say": what, **line}), flush=True)

def ask():
    say("ask", questions=[{"what": "offers"}] * 20)
    sys.stdin.readline()

say("hello", protocol="tapeline-bot/1", name="t")
"""
TURN = f"""{HELLO}
for line in sys.stdin:
    line = json.loads(line)
    if line["say"] == "turn":
        turn = line["turn"]
        """
THEIRS = "{'kind': 'activate', 'actor': 'east-1'}"


#: Seconds for what is over soon; and for what is waited out, beginning a Python among it.
AMPLE, SHORT = 20.0, 1.5


def turn(code: str, *words: str, seconds: float = AMPLE, memory: int = 512 << 20) -> Played:
    command = [sys.executable, "-c", code, *words]
    return turn_of(Match.start(MILL), "west", command, seconds, Limits(1.0, memory))


@pytest.mark.parametrize(
    ("code", "says"),
    [
        pytest.param(f"{TURN}time.sleep(60)", "did nothing within 1.5 s", id="hangs"),
        pytest.param(f"{HELLO}time.sleep(60)", "did not read|did nothing", id="never reads"),
        pytest.param(f"{TURN}sys.exit(3)", "it ended with status 3", id="dies"),
        pytest.param(
            f"{TURN}[say('play', turn=turn, action={THEIRS}) for _ in range(3)]",
            "refused: this is for east to do",
            id="plays for the other side",
        ),
        pytest.param(
            f"{TURN}[say('play', turn=turn, action={{'kind': 'fly'}}) for _ in range(3)]",
            "refused: .*fly",
            id="plays illegally",
        ),
        pytest.param(f"{TURN}while True: ask()", "did nothing within", id="asks for ever"),
        pytest.param(f"{TURN}while True: print('x' * 500_000)", "was refused", id="floods"),
        pytest.param(f"{TURN}held = bytearray(1 << 30)", "status 1", id="takes all memory"),
        pytest.param("pass", "it ended", id="says nothing"),
        pytest.param("", "hello", id="is no program of ours"),
    ],
)
def test_a_program_that_fails_is_told_of_in_words(code: str, says: str) -> None:
    seconds = SHORT if "did nothing" in says else AMPLE
    found = turn(code or "print('hi', flush=True); input()", seconds=seconds)
    assert re.search(says, found.failed), found
    assert (found.action, found.resigns) == (None, False)


def test_a_program_that_plays_gets_the_whole_log() -> None:
    match = Match.start(MILL)
    match.do({"kind": "activate", "actor": "west-1"})
    found = turn_of(match, "west", [sys.executable, str(SIMPLE)], AMPLE, Limits(5.0, 512 << 20))
    assert found.action is not None
    assert match.battle.judge(found.action).legal
    counts = f"{HELLO}said = [sys.stdin.readline() for _ in range(4)]\nif 'told' in said[2]: "
    told = turn_of(
        match,
        "west",
        [sys.executable, "-c", f"{counts}say('resign')"],
        AMPLE,
        Limits(5.0, 512 << 20),
    )
    assert told.resigns


def test_it_knows_no_secret_and_what_it_began_ends_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPELINE_DATABASE", "postgresql://me:secret@localhost/tapeline")
    told = tmp_path / "told"
    code = (
        f"{TURN}child = subprocess.Popen(['sleep', '60'])\n"
        "        json.dump([child.pid, dict(os.environ)], open(sys.argv[1], 'w'))\n"
        "        say('resign')"
    )
    assert turn(code, str(told)).resigns
    child, environment = json.loads(told.read_text())
    assert "PATH" in environment
    assert "secret" not in str(environment)
    until = time.monotonic() + 5.0
    while _runs(child):
        assert time.monotonic() < until, "what it began goes on"
        time.sleep(0.01)


def _runs(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_nobody_waits_for_what_has_got_away_from_it() -> None:
    begun = time.monotonic()
    away = "subprocess.Popen(['sleep', '12'], start_new_session=True); sys.exit()"
    assert "did nothing" in turn(f"{TURN}{away}", seconds=SHORT).failed
    assert time.monotonic() - begun < 10.0


@pytest.mark.skipif(not hasattr(os, "nice"), reason="no limits of processor time there")
def test_who_uses_up_the_processor_is_ended() -> None:
    # A whole second: the limit of the system knows no parts of one.
    assert "its time of the processor" in turn(f"{TURN}while True: pass").failed
