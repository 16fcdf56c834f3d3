"""Whole matches recorded earlier: folded again and refereed again to the same hashes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import tapeline as tl
from tapeline.engine.codec import event_document
from tapeline.engine.fold import fold_all
from tapeline.errors import LogError
from tapeline.play.match import Match, read_log, rereferee

pytestmark = pytest.mark.compiled

FOLDER = Path(__file__).parent
RECORDINGS = sorted(path.name for path in FOLDER.glob("*.jsonl"))


def test_every_system_has_a_recording() -> None:
    recorded = {name.rsplit("-", 1)[0] for name in RECORDINGS}
    assert recorded >= {"mordheim", "sovl", "trench-crusade", "warmaster"}
    for system in recorded:
        texts = [(FOLDER / n).read_text() for n in RECORDINGS if n.startswith(system)]
        assert any('"roll":[' in text for text in texts), "dice are in it"


@pytest.mark.parametrize("name", RECORDINGS)
def test_replayed(name: str) -> None:
    match = Match.replay(FOLDER / name)
    written = [json.loads(line)["hash"] for line in (FOLDER / name).read_text().splitlines()]
    assert [battle.hash for battle in match.battles] == written
    what = Counter(entry.what for entry in match.entries)
    assert what["action"] > 25
    assert what["undo"] == what["override"] == 1


@pytest.mark.parametrize("name", RECORDINGS)
def test_refereed_again(name: str) -> None:
    match, mismatch = rereferee(FOLDER / name)
    assert mismatch is None, mismatch
    assert match.battle.hash == Match.replay(FOLDER / name).battle.hash


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[] if n.endswith("-1.jsonl") else pytest.mark.long) for n in RECORDINGS],
)
def test_dice_and_answers_make_the_same_events(name: str) -> None:
    """Each action that ended at once, played again with the dice and answers written down.

    In one recording of each system, in all with --long; all are refereed again above.
    """
    match = Match.replay(FOLDER / name)
    played = 0
    for before, entry in zip(match.battles, match.entries, strict=False):
        if entry.what != "action" or entry.ask is not None:
            continue
        dice = tl.Dice(*[a.faces for a in entry.answers if a.faces is not None] or [[]])
        answers = [answer.value for answer in entry.answers if answer.faces is None]
        after, events = before.play(dict(entry.action or {}), dice=dice, answers=answers)
        # Their sentences may have been worded better since.
        ours, theirs = (
            [{**event_document(e), "text": ""} for e in es] for es in (events, entry.events)
        )
        assert ours == theirs
        assert after.hash == entry.hash
        assert fold_all(before.state, events) == after.state
        played += 1
    assert played > 20


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_die_changed_on_the_way_is_found(name: str, budget: Callable[[int, int], int]) -> None:
    """One roll of the recording after another is written with another face."""
    rows = [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]
    rolled = [
        (number, place)
        for number, row in enumerate(rows)
        for place, answer in enumerate(row.get("answers", []))
        if answer.get("roll")
    ]
    if not rolled:
        pytest.skip("a match without a roll")
    for number, place in rolled[:: -(-len(rolled) // budget(2, 40))]:
        faces = list(rows[number]["answers"][place]["roll"])
        changed = [faces[0] % 6 + 1, *faces[1:]]
        answers = list(rows[number]["answers"])
        answers[place] = {"roll": changed}
        forged = [*rows[:number], {**rows[number], "answers": answers}, *rows[number + 1 :]]
        _, mismatch = rereferee([json.dumps(row) for row in forged])
        assert mismatch is not None
        assert mismatch.entry == number


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_body_moved_on_the_way_is_found(name: str) -> None:
    header, entries = read_log(FOLDER / name)
    assert header["hash"]
    rows = [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]
    number = next(
        n
        for n, row in enumerate(rows)
        if n > len(entries) // 2 and any(e["event"] == "moved" for e in row.get("events", []))
    )
    # The last one: an earlier one of a body may be overtaken within the entry.
    event = [e for e in rows[number]["events"] if e["event"] == "moved"][-1]
    event["x"] += 0.001
    with pytest.raises(LogError) as raised:
        Match.replay([json.dumps(row) for row in rows])
    assert raised.value.entry == number
