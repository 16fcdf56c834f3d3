"""Rolls as people are told them: one word, what it took, and a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapeline.dice import Band, Reading, Roll, passes, said_reading
from tapeline.engine.events import Rolled
from tapeline.play.match import Match, read_log

RECORDINGS = Path(__file__).parents[1] / "replay"
#: Last words of results that come in the first recording of each system.
WORDS = {
    "mordheim": {"Failed"},
    "sovl": {"hits", "saves"},
    "trench-crusade": {"Success", "Failed", "Down"},
    "warmaster": {"Passed", "Failed"},
}

ATTACK = Roll(2, "Dunnock attacks Bailiff: Success Roll", "X", "red", reads="sum")
HITS = Reading((Band("Success", "hits", 7, good=True), Band("Failed", "misses", good=False)))


def told(reading: Reading, roll: Roll, *faces: int) -> tuple[str, str, str]:
    name = "Dunnock"
    return reading.word(roll, faces), reading.needs(roll), reading.sentence(name, roll, faces)


def test_on_the_limit_and_just_below() -> None:
    assert told(HITS, ATTACK, 4, 3) == (
        "Success",
        "7 or more",
        "Dunnock hits: 4 and 3 make 7, needs 7 or more",
    )
    assert told(HITS, ATTACK, 4, 2)[::2] == (
        "Failed",
        "Dunnock misses: 4 and 2 make 6, needs 7 or more",
    )


def test_a_test_at_or_below_a_number() -> None:
    roll = Roll(1, "Ash jumps: Initiative test, 3 or less", "X", "red")
    assert told(passes(3, "passes", "fails"), roll, 3)[0] == "Passed"
    assert told(passes(3, "passes", "fails"), roll, 4) == (
        "Failed",
        "3 or less",
        "Dunnock fails: 4, needs 3 or less",
    )
    assert said_reading(roll) == passes(3, "passes", "fails")
    assert said_reading(ATTACK) is None


def test_dice_left_out_and_what_is_added() -> None:
    best = Roll(3, "hurt", "X", "red", reads="sum", keep=2)
    hurt = Reading((Band("Down", "is Down", 7), Band("Unhurt", "is unhurt")), plus=-1)
    assert told(hurt, best, 1, 4, 4) == (
        "Down",
        "",
        "Dunnock is Down: 4 and 4, less 1 (1 left out) make 7",
    )
    assert hurt.word(best, (1, 3, 4)) == "Unhurt"
    worst = Reading((Band("Out", "is out", 5), Band("Down", "is down")), highest=True)
    assert worst.word(Roll(2, "injuries", "X", "red"), (2, 5)) == "Out"


def test_how_many_succeed() -> None:
    shots = Roll(3, "shots", "X", "red", reads="successes", target=5)
    hits = Reading(each=("hit", "hits"))
    assert told(hits, shots, 5, 6, 4) == (
        "2 hits",
        "5 or more",
        "Dunnock: 2 of 3 hit, needs 5 or more",
    )
    assert hits.word(shots, (1, 6, 2)) == "1 hit"
    assert hits.word(shots, (1, 1, 2)) == "No hits"


@pytest.mark.parametrize(
    "recording", sorted(RECORDINGS.glob("*-1.jsonl")), ids=lambda path: path.stem
)
def test_each_system_reads_its_rolls(recording: Path) -> None:
    """Of a recorded match: the results of its rolls in the words of the system."""
    header, entries = read_log(recording)
    battle = Match.start(header["scene"]).battle
    rolled = [event for entry in entries for event in entry.events if isinstance(event, Rolled)]
    told = set()
    for event in rolled:
        reading = battle.system.reading(battle.state, event.roll)
        if reading is not None and event.faces:
            told.add(reading.word(event.roll, event.faces).split()[-1])
            assert reading.sentence("Ash", event.roll, event.faces).startswith("Ash")
    assert told >= WORDS[recording.stem.removesuffix("-1")]
