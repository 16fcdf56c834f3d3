"""Logs that nobody has played: a clear error at once that names the entry and the field."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tapeline.cli.app import app
from tapeline.errors import DocumentError, LogError
from tapeline.play.fairness import Chain
from tapeline.play.match import Match, rereferee
from tapeline.web.work.worker import Desk

RECORDED = Path(__file__).parent / "mordheim-1.jsonl"
#: Seconds of a processor that a refusal may take; it takes hundredths.
AT_ONCE_S = 1.0

Entry = dict[str, Any]

#: Stands for lists within lists, more than Python could write as JSON.
DEEP = "lists within lists"


def _log(change: Callable[[Entry], object]) -> list[str]:
    """The first entry of a recorded match, changed; with dice whose key the log tells."""
    header, entry = map(json.loads, RECORDED.read_text().splitlines()[:2])
    chain = Chain("secret", "salt")
    header["dice"] = {
        "commitment": chain.commitment,
        "salt": "salt",
        "typed": True,
        "after": 0,
        "key": chain.key(1),
        "told": 1,
    }
    change(entry)
    nested = "[" * 4_000 + "]" * 4_000
    return [json.dumps(header), json.dumps(entry).replace(json.dumps(DEEP), nested)]


def _rolled(entry: Entry) -> Entry:
    event: Entry = next(event for event in entry["events"] if event["event"] == "rolled")
    return event


def _set(holder: Entry, **values: Any) -> None:
    holder.update(values)


CRAFTED: dict[str, tuple[Callable[[Entry], object], str]] = {
    "a roll of many dice": (lambda e: _set(_rolled(e)["roll"], count=30_000_000), "roll: count"),
    "a roll of no dice": (lambda e: _set(_rolled(e)["roll"], count=-1), "roll: count"),
    "dice without a side": (lambda e: _set(_rolled(e)["roll"], sides=0), "roll: sides"),
    "dice with too many sides": (lambda e: _set(_rolled(e)["roll"], sides=2**65), "roll"),
    "dice with many sides": (lambda e: _set(_rolled(e)["roll"], sides=2**60), "roll: sides"),
    "faces that are none": (lambda e: _set(_rolled(e), faces=[7, 1]), "faces: "),
    "too few faces": (lambda e: _set(_rolled(e), faces=[1]), "faces: "),
    "an action without kind": (lambda e: e["action"].pop("kind"), "action.kind: "),
    "a kind that is none": (lambda e: _set(e["action"], kind=["move"]), "action.kind: "),
    "no action": (lambda e: e.pop("action"), "action: "),
    "a number beyond all": (lambda e: _set(e, n=2**65), "n: "),
    "an undo of many": (lambda e: (e.pop("action"), _set(e, what="undo", to=2**65)), "undoes to"),
    "half a character": (lambda e: _set(e["action"], actor="\ud800"), "action.actor: holds half"),
    "a body with half a name": (lambda e: _set(e["events"][0], about="\udfff"), "events[0].about"),
    "a name that is half": (lambda e: _set(e["action"], **{"\ud800": 1}), r"action.\ud800: has a"),
    "a deep action": (lambda e: _set(e["action"], path=DEEP), "nested too deeply"),
    "a deep event": (lambda e: _set(e["events"][0], about=DEEP), "nested too deeply"),
    "an infinite place": (lambda e: _set(e["action"], x=float("inf")), "Infinity"),
    "a list of all": (lambda e: _set(e, answers={}), "answers: must be a list"),
}


def _judged(lines: list[str]) -> None:
    _, mismatch = rereferee(lines)
    assert mismatch is not None
    raise LogError(mismatch.message)


@pytest.mark.parametrize("name", CRAFTED)
def test_a_crafted_log_is_a_clear_error_at_once(name: str, tmp_path: Path) -> None:
    change, says = CRAFTED[name]
    lines = _log(change)
    began = time.process_time()
    for read in (Match.replay, _judged):
        with pytest.raises((DocumentError, LogError)) as error:
            read(lines)
        assert says in str(error.value)
    path = tmp_path / "game.log"
    path.write_text("\n".join(lines))
    for words in (["replay"], ["replay", "--json"], ["replay", "--referee"], ["check"]):
        done = CliRunner().invoke(app, [*words, str(path)], catch_exceptions=False)
        assert done.exit_code in (1, 2)
        assert says in done.output.replace("\\\\", "\\"), done.output
    letter, told = Desk().answer(
        {"what": "begin", "said": {"id": "", "seed": "", "most": {"entries": 9}, "folder": None}},
        json.dumps({"log": "\n".join(lines)}).encode(),
    )
    assert letter == b"E", "the server begins no match with it"
    assert says in json.loads(told).get("message", "") + "".join(
        f"{path}: {message}" for path, message in json.loads(told).get("faults", [])
    )
    assert time.process_time() - began < AT_ONCE_S


def test_what_is_not_changed_replays(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.write_text("\n".join(_log(lambda entry: None)))
    done = CliRunner().invoke(app, ["replay", str(path)], catch_exceptions=False)
    assert done.exit_code == 3, "dice that were typed in prove nothing"
    assert "every hash agrees" in done.output


def test_an_altered_action_is_named_by_the_second_referee_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.write_text("\n".join(_log(lambda entry: entry["action"].update(actor="r-2"))))
    replayed = CliRunner().invoke(app, ["replay", str(path)], catch_exceptions=False)
    assert "actions are not judged again without --referee" in replayed.output
    judged = CliRunner().invoke(app, ["replay", str(path), "--referee"], catch_exceptions=False)
    assert judged.exit_code == 1
    assert "changed: entry 1: " in judged.output


def test_many_rolls_of_no_dice_are_checked_at_once() -> None:
    """Each could be where the dice of the server begin."""

    def change(entry: Entry) -> None:
        roll = _rolled(entry)
        none = {**roll, "roll": {**roll["roll"], "count": 0}, "faces": []}
        entry["events"] = [none] * 6_000 + entry["events"]

    from tapeline.play.fairness import check

    match = Match.replay(_log(change))
    assert match.dice is not None
    began = time.process_time()
    assert check(match.dice, match.entries).others == (1,)
    assert time.process_time() - began < AT_ONCE_S
