"""Matches: the log is the only truth; a second referee names the first entry that differs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tapeline as tl
from support.scenes import toy_scene
from tapeline.dice import ScriptedDice, SeededDice
from tapeline.engine.events import Marked, Moved
from tapeline.errors import AnswerError, DocumentError, LogError
from tapeline.play.match import Match, read_log, rereferee
from tapeline.table.marks import Marks

SHOVE = tl.Action("shove", "R1", target="B1")


def step(*to: float) -> Any:
    return tl.Move("R1", path=[{"to": list(to)}])


def played() -> Match:
    """Nine entries: a move, an action in three pieces, an undo, an override, and more."""
    match = Match.start(toy_scene())
    match.do(SHOVE, by="red")  # 1, open
    match.answer([6], by="red")  # 2, open
    match.answer("spin", answers=[1], by="red")  # 3
    match.do(step(5, 3))  # 4
    match.undo(by="blue")  # 5
    match.do(step(4, 4))  # 6
    match.override([Moved("B2", 2.0, 19.0, 0.0, 0.0)], by="blue", reason="bumped")  # 7
    match.do(tl.Action("done"))  # 8
    match.do(tl.Action("shove", "B1", target="R1"), dice=SeededDice(1), chooser=tl.take_default)
    match.do(tl.Action("glide", "B1"))  # 9
    return match


def lines(match: Match) -> list[dict[str, Any]]:
    return [json.loads(line) for line in match.lines()]


def text(rows: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(row) for row in rows]


def test_the_shove_back_was_too_far_and_is_not_in_the_log() -> None:
    assert [e.what for e in played().entries] == [
        "action", "answer", "answer", "action", "undo", "action", "override", "action", "action",
    ]  # fmt: skip


def test_saved_and_replayed(tmp_path: Path) -> None:
    match = played()
    path = tmp_path / "match.jsonl"
    match.save(path)
    again = Match.replay(path)
    assert again.entries == match.entries
    assert [b.hash for b in again.battles] == [b.hash for b in match.battles]
    assert [b.pending for b in again.battles] == [b.pending for b in match.battles]
    assert lines(again) == lines(match)
    assert not list(tmp_path.glob("*.part"))
    second, mismatch = rereferee(path)
    assert mismatch is None
    assert second.battle.state == match.battle.state


def test_progress_of_rerefereeing_is_told() -> None:
    seen: list[int] = []
    rereferee(played().lines(), progress=seen.append)
    assert seen == list(range(1, 10))


@pytest.mark.parametrize("cut", range(10))
def test_a_match_goes_on_from_its_log_at_any_entry(cut: int) -> None:
    match = played()
    rows = list(match.lines())[: cut + 1]
    again = Match.replay(rows)
    assert again.battle.hash == match.battles[cut].hash
    assert again.battle.pending == match.battles[cut].pending
    if again.battle.pending is not None:
        again.answer([6] if cut == 1 else "spin", answers=["spin", 1] if cut == 1 else [1])
    again.do(tl.Action("glide", "B2"))
    assert rereferee(again.lines())[1] is None


def test_an_open_question_bars_other_actions_after_loading() -> None:
    match = Match.start(toy_scene())
    match.do(SHOVE)
    again = Match.replay(match.lines())
    with pytest.raises(AnswerError, match="red must first give dice"):
        again.do(step(5, 3))


def test_illegal_and_refused_are_not_written() -> None:
    match = Match.start(toy_scene())
    refused = match.do(step(5, 23))
    assert refused.last is not None
    assert not refused.last.legal
    assert match.entries == []
    match.do(SHOVE)
    match.answer([9])
    assert len(match.entries) == 1
    match.answer([6])
    match.answer("jump")
    assert len(match.entries) == 2
    assert match.battle.pending is not None


def test_a_refusal_half_way_keeps_the_first_half() -> None:
    match = Match.start(toy_scene())
    match.do(SHOVE, dice=ScriptedDice([[6]]), answers=["jump"])
    assert len(match.entries) == 1
    assert rereferee(match.lines())[1] is None
    assert Match.replay(match.lines()).battle.pending == match.battle.pending


# --- undo


def test_undo_is_an_earlier_state_and_stays_in_the_log() -> None:
    match = Match.start(toy_scene())
    start = match.battle.hash
    match.do(step(5, 3))
    match.do(tl.Action("done"))
    after = match.battle.hash
    match.undo(2)
    assert match.battle.hash == start
    assert len(match.entries) == 3
    match.do(step(5, 3))
    match.do(tl.Action("done"))
    assert match.battle.hash == after
    match.undo()
    match.undo()
    assert match.battle.hash == start
    again = Match.replay(match.lines())
    assert again.battle.hash == start
    assert rereferee(match.lines())[1] is None


def test_undo_of_an_answer_opens_the_question_again() -> None:
    match = Match.start(toy_scene())
    match.do(SHOVE)
    match.answer([6])
    match.undo()
    assert match.battle.pending is not None
    match.answer([2])
    assert match.battle.pending is None
    assert Match.replay(match.lines()).battle.hash == match.battle.hash
    assert rereferee(match.lines())[1] is None


@pytest.mark.parametrize("entries", [0, -1, 3])
def test_undo_of_more_than_there_is(entries: int) -> None:
    match = Match.start(toy_scene())
    match.do(step(5, 3))
    match.do(tl.Action("done"))
    with pytest.raises(DocumentError, match="there are 2 entries to undo"):
        match.undo(entries)


def test_a_name_with_half_a_character_is_not_written() -> None:
    """No log that holds one can be read again."""
    match = Match.start(toy_scene())
    bumped = [Moved("B2", 2.0, 19.0, 0.0, 0.0)]
    match.do(step(5, 3))
    before = list(match.lines())
    deeds: list[tuple[str, Callable[[], object]]] = [
        ("by", lambda: match.do(tl.Action("done"), by="\udcff")),
        ("by", lambda: match.undo(by="\ud800")),
        ("reason", lambda: match.override(bumped, by="red", reason="\ud800")),
    ]
    for field, deed in deeds:
        with pytest.raises(DocumentError, match=f"{field}: holds half a character"):
            deed()
        assert list(match.lines()) == before
    assert list(Match.replay(before).lines()) == before


# --- overrides


def test_an_override_needs_a_reason() -> None:
    match = Match.start(toy_scene())
    with pytest.raises(DocumentError, match="reason: must say why"):
        match.override([Moved("B2", 2.0, 19.0, 0.0, 0.0)], by="red", reason=" ")
    assert match.entries == []


def test_an_override_is_seen_in_the_log() -> None:
    row = lines(played())[7]
    assert (row["what"], row["by"], row["reason"]) == ("override", "blue", "bumped")


# --- tampering

Change = Callable[[list[dict[str, Any]]], None]


def setter(entry: int, *keys: Any) -> Callable[[Any], Change]:
    def to(value: Any) -> Change:
        def change(rows: list[dict[str, Any]]) -> None:
            at: Any = rows[entry]
            for key in keys[:-1]:
                at = at[key]
            at[keys[-1]] = value

        return change

    return to


# name: (change, entry that a second referee names, entry that a replay names or None)
TAMPERED: dict[str, tuple[Change, int, int | None]] = {
    "header hash": (setter(0, "hash")("0" * 32), 0, 0),
    "a model moved in the header": (setter(0, "scene", "models", 0, "position")([5, 5.5]), 0, 0),
    "the bog moved": (
        setter(0, "scene", "terrain", 0, "shape")({"circle": {"centre": [16, 6], "radius": 2}}),
        0,
        0,
    ),
    "an option": (setter(0, "scene", "options")({"shove.die": "5+"}), 0, 0),
    "faces in the event": (setter(2, "events", 0, "faces")([5]), 2, None),
    "faces in the answer": (setter(2, "answers", 0)({"roll": [5]}), 2, None),
    "a failure written as a success": (setter(2, "answers", 0)({"roll": [1]}), 2, 2),
    "faces that no die has": (setter(2, "answers", 0)({"roll": [7]}), 2, 2),
    "a choice": (setter(3, "answers", 1)({"choose": 2}), 3, None),
    "an answer left out": (setter(3, "answers")([{"choose": "spin"}]), 3, None),
    "an answer too many": (
        setter(3, "answers")([{"choose": "spin"}, {"choose": 1}, {"choose": 1}]),
        3,
        None,
    ),
    "where it went": (setter(4, "events", 0, "x")(5.5), 4, 4),
    "which way it went": (setter(4, "events", 0, "path")([{"to": [4.0, 3.0]}]), 4, None),
    "the action": (setter(4, "action", "path")([{"to": [5, 3.5]}]), 4, None),
    "the action made illegal": (setter(4, "action", "path")([{"to": [5, 23]}]), 4, None),
    "the action of another kind": (setter(4, "action")({"kind": "done"}), 4, None),
    "an action of no kind": (setter(4, "action")({"kind": "charge"}), 4, None),
    "an actor that is not there": (setter(4, "action", "actor")("Z9"), 4, None),
    "an event left out": (lambda rows: rows[4]["events"].pop(), 4, 4),
    "an event about nobody": (setter(4, "events", 0, "body")("Z9"), 4, 4),
    "the hash after": (setter(4, "hash")("f" * 32), 4, 4),
    "undone to elsewhere": (setter(5, "to")(2), 5, 5),
    "undone to nowhere": (setter(5, "to")(-1), 5, 5),
    "undone to the future": (setter(5, "to")(40), 5, 5),
    "where it was bumped to": (setter(7, "events", 0, "x")(3.0), 7, 7),
    "bumped to nan's neighbour": (setter(7, "events", 0, "x")(1e300), 7, 7),
    "the question": (setter(1, "ask", "target")(2), 1, None),
    "no question": (lambda rows: rows[1].pop("ask"), 1, 2),
    "a question that was not asked": (
        setter(4, "ask")({"ask": "roll"}),
        4,
        4,
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_named_by_its_entry(name: str) -> None:
    change, named, replayed = TAMPERED[name]
    rows = lines(played())
    change(rows)
    _, mismatch = rereferee(text(rows))
    assert mismatch is not None
    assert mismatch.entry == named, mismatch.message
    assert mismatch.message
    if replayed is None:
        Match.replay(text(rows))
    else:
        with pytest.raises((LogError, DocumentError)) as raised:
            Match.replay(text(rows))
        if isinstance(raised.value, LogError) and name != "no question":
            assert raised.value.entry == replayed


def test_a_changed_action_with_all_its_consequences_is_illegal_in_the_end() -> None:
    """A forger who folds his own events and hashes still cannot move too far."""
    match = Match.start(toy_scene())
    match.do(step(5, 3))
    rows = lines(match)
    forged = Match.start(toy_scene())
    forged.override(
        [Moved("R1", 5.0, 14.0, 0.0, 0.0), Marked("R1", Marks({}))], by="x", reason="forged"
    )
    rows[1]["action"] = {"kind": "move", "actor": "R1", "path": [{"to": [5.0, 14.0]}]}
    rows[1]["events"] = lines(forged)[1]["events"]
    rows[1]["hash"] = forged.battle.hash
    Match.replay(text(rows))
    _, mismatch = rereferee(text(rows))
    assert mismatch is not None
    assert mismatch.entry == 1
    assert "is illegal" in mismatch.message
    assert "TY-MOV-2" in mismatch.message


# --- malformed logs

HEADER = json.dumps({"format": "tapeline-log/1", "scene": toy_scene(), "hash": "x"})
ENTRY = {"n": 1, "what": "action", "action": {"kind": "done"}, "hash": "y"}
BAD_LOGS: dict[str, tuple[list[str], str]] = {
    "empty": ([], "is empty"),
    "blank": (["", "  "], "is empty"),
    "no JSON": (["{"], "is not JSON"),
    "a list": (["[]"], "line 1.format: must be 'tapeline-log/1'"),
    "no format": (['{"scene": {}, "hash": ""}'], "line 1.format: must be 'tapeline-log/1'"),
    "a later format": (
        ['{"format": "tapeline-log/9"}'],
        "line 1.format: must be 'tapeline-log/1'; got 'tapeline-log/9'",
    ),
    "no scene": (['{"format": "tapeline-log/1", "hash": ""}'], "needs scene and hash"),
    "no hash": (['{"format": "tapeline-log/1", "scene": {}}'], "needs scene and hash"),
    "strange key in the header": (
        [json.dumps({**json.loads(HEADER), "seed": 3})],
        "line 1.seed: is not a known key",
    ),
    "entry no object": ([HEADER, "3"], "line 2: must be an object"),
    "entry no JSON": ([HEADER, "{]", json.dumps({**ENTRY, "n": 2})], "line 2: is not JSON"),
    "cut off": ([HEADER, json.dumps(ENTRY), '{"n": 2, "wh'], "perhaps the file was cut off"),
    "nan": ([HEADER, '{"n": NaN}'], "line 2.n: NaN is not a number that JSON knows"),
    "key twice": ([HEADER, '{"n": 1, "n": 1}'], "line 2: the key 'n' stands twice"),
    "strange key": ([HEADER, json.dumps({**ENTRY, "z": 1})], "line 2.z: is not a known key"),
    "wrong number": ([HEADER, json.dumps({**ENTRY, "n": 2})], "line 2.n: must be 1"),
    "number true": ([HEADER, json.dumps({**ENTRY, "n": True})], "line 2.n: must be a whole"),
    "no kind": ([HEADER, json.dumps({**ENTRY, "what": "move"})], "line 2.what: must be 'action'"),
    "kind a list": ([HEADER, json.dumps({**ENTRY, "what": []})], "line 2.what: must be 'action'"),
    "hash missing": ([HEADER, json.dumps({"n": 1, "what": "undo", "to": 0})], "line 2.hash"),
    "action missing": ([HEADER, json.dumps({"n": 1, "what": "action", "hash": "y"})], "2.action"),
    "action where none belongs": (
        [HEADER, json.dumps({**ENTRY, "what": "answer"})],
        "line 2.action: belongs to an entry of kind action",
    ),
    "to missing": ([HEADER, json.dumps({"n": 1, "what": "undo", "hash": "y"})], "line 2.to"),
    "to a text": (
        [HEADER, json.dumps({"n": 1, "what": "undo", "to": "0", "hash": "y"})],
        "line 2.to",
    ),
    "answers no list": ([HEADER, json.dumps({**ENTRY, "answers": 3})], "line 2.answers: must be"),
    "a bad answer": (
        [HEADER, json.dumps({**ENTRY, "answers": [{"roll": ["x"]}]})],
        "line 2.answers[0].roll: must be a list of faces",
    ),
    "a bad event": (
        [HEADER, json.dumps({**ENTRY, "events": [{"event": "removed", "body": "x"}]})],
        "line 2.events[0].reason: is missing",
    ),
    "by a number": ([HEADER, json.dumps({**ENTRY, "by": 3})], "line 2.by: must be a text"),
    "ask a list": ([HEADER, json.dumps({**ENTRY, "ask": []})], "line 2.ask: must be an object"),
}


def test_a_gap_in_a_log_is_one_fault() -> None:
    rows = [
        HEADER,
        *(json.dumps({**ENTRY, "n": n}) for n in (1, 2, 4, 5)),
        "{",
        json.dumps({**ENTRY, "n": 7}),
    ]
    with pytest.raises(DocumentError) as caught:
        read_log(rows)
    assert [fault.path for fault in caught.value.faults] == ["line 4.n", "line 6"]


@pytest.mark.parametrize("name", BAD_LOGS)
def test_malformed_logs(name: str) -> None:
    rows, words = BAD_LOGS[name]
    for read in (read_log, Match.replay, rereferee):
        with pytest.raises(DocumentError) as raised:
            read(rows)
        assert words in str(raised.value)


def test_every_bad_line_is_told() -> None:
    with pytest.raises(DocumentError) as raised:
        read_log([HEADER, "3", json.dumps({**ENTRY, "n": 2}), "{"])
    assert [f.path for f in raised.value.faults] == ["line 2", "line 4"]


def test_a_log_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(HEADER.encode() + b'\n{"what": "\xff"}\n')
    with pytest.raises(DocumentError, match="line 2: is not UTF-8"):
        Match.replay(path)


def test_line_ends_of_any_kind_and_odd_separators(tmp_path: Path) -> None:
    scene = toy_scene(name="a\u2028b\x85c")
    match = Match.start(scene)
    match.do(tl.Action("done"))
    rows = [json.dumps(json.loads(line), ensure_ascii=False) for line in match.lines()]
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(rows).encode())
    assert Match.replay(path).battle.hash == match.battle.hash
    assert Match.replay(path).battle.state.name == "a\u2028b\x85c"


def test_entries_dropped_from_the_middle() -> None:
    rows = lines(played())
    for gone in range(1, 9):
        kept = rows[:gone] + rows[gone + 1 :]
        with pytest.raises(DocumentError, match=f"line {gone + 1}.n: must be {gone}"):
            read_log(text(kept))
