"""The log in words, and what is taken away from a match: every recording, every kind of entry."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import tapeline as tl
from support.scenarios import example_scenes
from tapeline.cli.app import app
from tapeline.engine.codec import event_document
from tapeline.engine.events import Marked, Moved, TurnChanged
from tapeline.errors import DocumentError
from tapeline.picture import png
from tapeline.play.cases import CaseDoc, run_case
from tapeline.play.match import Match
from tapeline.table.json_documents import validate
from tapeline.table.marks import Marks
from tapeline.web.documents.match import LogLine
from tapeline.web.views.exports import case_of, picture_of
from tapeline.web.views.log import action_title, log_lines

FOLDER = Path(__file__).parents[1] / "replay"
RECORDINGS = sorted(path.name for path in FOLDER.glob("*.jsonl"))
EXAMPLES = example_scenes()


@cache
def recording(name: str) -> Match:
    return Match.replay(FOLDER / name)


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_recording_is_told_line_by_line(name: str) -> None:
    match = recording(name)
    system = match.battle.system
    known = {clause.id for clause in system.book}
    lines = log_lines(match)
    assert [line.n for line in lines] == list(range(1, len(match.entries) + 1))
    for line, entry in zip(lines, match.entries, strict=True):
        assert LogLine.model_validate_json(line.model_dump_json()) == line
        assert line.what == entry.what
        assert line.title
        assert not line.title.endswith(" ")
        assert set(line.clauses) <= known
        assert {told.clause for told in line.happenings} <= known | {""}
        assert all(told.text.strip() for told in line.happenings)
        assert line.dice == bool(entry.answers)
        happened = [e for e in map(event_document, entry.events) if e["event"] == "happened"]
        told = [t.text for t in line.happenings if t.event == "happened"]
        assert told == [e["text"] for e in happened]
        rolled = [e for e in map(event_document, entry.events) if e["event"] == "rolled"]
        assert len(rolled) == sum(t.event == "rolled" for t in line.happenings)


@pytest.mark.parametrize("name", RECORDINGS)
def test_ways_in_the_log_end_where_the_bodies_stand(name: str) -> None:
    match = recording(name)
    ways = 0
    for line, entry in zip(log_lines(match), match.entries, strict=True):
        after = match.battles[line.n].state
        moves = [event for event in entry.events if isinstance(event, Moved)]
        assert len(line.traces) == len(moves)
        changed = {e.body for e in entry.events if type(e).__name__ in ("Returned", "Resized")}
        last = {}
        for trace in line.traces:
            if trace.body in last and trace.body not in changed:
                assert trace.start == last[trace.body].end
            last[trace.body] = trace
        for body, trace in last.items():
            if body in after.bodies and body not in changed:
                there = after.bodies[body]
                assert trace.end == pytest.approx((there.x, there.y, there.z))
                assert trace.facing == pytest.approx(there.facing % 360.0, abs=1e-9)
                ways += 1
    assert ways >= 8


@pytest.mark.parametrize("name", RECORDINGS)
def test_what_was_taken_back_does_not_count(name: str) -> None:
    match = recording(name)
    lines = log_lines(match)
    assert [line.n for line in lines if line.counts] == match.counting()
    undo = next(line for line in lines if line.what == "undo")
    assert not undo.counts
    assert undo.title.startswith("Take back ")
    back = int(undo.title.split()[2])
    before = match.upto(undo.n - 1).counting()
    assert [line.n for line in lines[: undo.n] if not line.counts][:-1] == before[-back:]
    assert log_lines(match, undo.n) == lines[undo.n :]


def test_what_leads_the_game_on_is_told_as_its_button_says_and_what_is_open_then() -> None:
    match = Match.start(EXAMPLES["warmaster-hill"])
    told = [match.battle.system.status(match.battle.state)[1]]
    for _ in range(4):
        match.do({"kind": "end_step"}, by="red")
        told.append(match.battle.system.status(match.battle.state)[1])
    assert [line.title for line in log_lines(match)] == [
        "End initiative",
        "End the flights home",
        "End orders",
        "End the characters' moves",
    ]
    assert told == [
        "Nobody is near enough to an enemy to act on initiative: give orders.",
        "There are no flyers to go home: give orders.",
        "Characters give orders, and who has one moves; then End orders.",
        "Each character may move; then the Command phase ends.",
        "Go on to shooting and combat.",
    ]


def test_a_move_is_told_with_its_length_and_a_turn_with_its_angle() -> None:
    match = Match.start(EXAMPLES["trench-mire"])
    match.do({"kind": "move", "actor": "r-2", "path": [{"to": [21.1, 21.4]}]}, by="red")
    (line,) = log_lines(match)
    assert line.title == "Move Private Dunnock 0.5 in"
    assert line.action == {"kind": "move", "actor": "r-2", "path": [{"to": [21.1, 21.4]}]}
    assert line.by == "red"
    assert line.traces[0].end == pytest.approx((21.1, 21.4, 0.0))
    street = Match.start(EXAMPLES["mordheim-fountain"])
    street.do({"kind": "close_declarations"})
    x, y = (street.battle.state.bodies["red-1"].x, street.battle.state.bodies["red-1"].y)
    street.do({"kind": "move", "actor": "red-1", "path": [{"to": [x, y + 5]}], "run": True})
    assert log_lines(street)[-1].title == "Move Anselm 5 in, run"
    for red in ("red-2", "red-3"):
        body = street.battle.state.bodies[red]
        street.do({"kind": "move", "actor": red, "path": [{"to": [body.x, body.y + 1]}]})
    for _ in range(3):
        street.do({"kind": "end_phase"})
    assert [told.text for told in log_lines(street)[-1].happenings] == [
        'Anselm: no longer marked "ran" and "has moved"',
        'Bertha and Dieter: no longer marked "has moved"',
        "Recovery, Nightwatch to act",
    ]
    field = Match.start(EXAMPLES["sovl-ford"])
    field.do(tl.Activate("W1"))
    body = field.battle.state.bodies["W1"]
    field.do(tl.Pivot("W1", by=45))
    assert log_lines(field, 1)[0].title == f"Pivot {body.name} by 45 degrees"
    assert log_lines(field, 1)[0].happenings[0].text == f"{body.name} faces 45 degrees"


def test_what_has_a_name_of_its_own_is_told_by_it() -> None:
    hill = Match.start(EXAMPLES["warmaster-hill"])
    controls = hill.battle.system.controls(hill.battle.state, "red-foot")
    (block,) = (dict(one.action) for one in controls if one.label == "Move")
    assert block["kind"] == "block"
    assert action_title(hill.battle, block, []) == "Move Southern foot"


def test_what_a_side_does_reads_right_whatever_its_name() -> None:
    mill = Match.start(EXAMPLES["sovl-mill"])
    first = "Next to activate: Westers, 4 units left."
    assert mill.battle.system.status(mill.battle.state)[1] == first
    mill.do({"kind": "activate", "actor": "west-1"})
    active = "Active for Westers: west-1, 6.000 in of allowance left."
    assert mill.battle.system.status(mill.battle.state)[1] == active
    well = Match.start(EXAMPLES["trench-well"]).battle
    first = "Next to activate: Sultanate, 5 models left."
    assert well.system.status(well.state)[1] == first


def test_steps_are_told_in_words() -> None:
    match = Match.start(EXAMPLES["warmaster-bridge"])
    match.do({"kind": "initiative_charge", "actor": "penitents", "target": "night"})
    match.do({"kind": "end_step"})
    match.do({"kind": "end_step"})
    told = [one for line in log_lines(match) for one in line.happenings]
    steps = [one.text for one in told if one.event == "turn_changed"]
    assert steps == ["Flyers go home", "Orders"]


def test_an_override_says_what_it_changed_and_why() -> None:
    match = Match.start(EXAMPLES["trench-mire"])
    marks = Marks({"down": True, "blood": None})
    events = [Marked("r-1", marks), TurnChanged(round=4, initiative="red")]
    match.override(events, by="red", reason="we forgot a hit")
    (line,) = log_lines(match)
    assert (line.title, line.reason) == ("Changed by agreement", "we forgot a hit")
    name = match.battle.state.bodies["r-1"].name
    side = next(side.name for side in match.battle.state.sides if side.id == "red")
    assert [told.text for told in line.happenings] == [
        f'{name}: Down, no longer marked "blood"',
        f"Turn 4, the initiative is with {side}",
    ]


@pytest.mark.parametrize("name", RECORDINGS)
def test_the_case_of_an_entry_is_judged_as_it_was(
    name: str, budget: Callable[[int, int], int]
) -> None:
    match = recording(name)
    ruled = [n for n, e in enumerate(match.entries, 1) if e.what in ("action", "answer")]
    asked = [n for n in ruled if match.entries[n - 1].what == "answer"]
    for n in [*ruled[:: budget(37, 1)], *asked[:2]]:
        document = json.loads(json.dumps(case_of(match, n)))
        result = run_case(validate(CaseDoc, document, "case"))
        assert result.passed, [step.wrong for step in result.steps]
        assert result.steps[-1].expected
    for n, entry in enumerate(match.entries, 1):
        if entry.what in ("undo", "override"):
            with pytest.raises(DocumentError, match=entry.what):
                case_of(match, n)


def test_a_case_that_was_tampered_with_does_not_pass() -> None:
    match = Match.start(EXAMPLES["trench-mire"])
    match.do({"kind": "move", "actor": "r-2", "path": [{"to": [21.1, 21.4]}]})
    case = case_of(match, 1)
    case["steps"][-1]["expect"]["bodies"]["r-2"]["position"][1] += 0.001
    result = run_case(validate(CaseDoc, case, "case"))
    assert not result.passed


def test_a_case_passes_the_command(tmp_path: Path) -> None:
    match = recording("trench-crusade-1.jsonl")
    for n in (6, 10):
        (tmp_path / f"{n}.json").write_text(json.dumps(case_of(match, n)))
    done = CliRunner().invoke(app, ["judge", str(tmp_path)])
    assert done.exit_code == 0, done.output


def test_pictures_of_entries() -> None:
    match = recording("warmaster-1.jsonl")
    start, first = picture_of(match, 0), picture_of(match, 1)
    assert start.startswith(b"<svg")
    assert b'class="way moved"' in first
    assert b'class="way moved"' not in start
    assert picture_of(match, 1, "png") == png(first.decode())
    for n in (-1, len(match.entries) + 1):
        with pytest.raises(DocumentError, match="must be from"):
            picture_of(match, n)
        with pytest.raises(DocumentError, match="must be from"):
            case_of(match, n)


def test_a_body_that_moves_twice_goes_on_from_where_it_came_to() -> None:
    match = Match.start(EXAMPLES["trench-mire"])
    body = match.battle.state.bodies["r-1"]
    first = Moved(body.id, body.x + 0.25, body.y, 0.0, 90.0)
    second = Moved(body.id, body.x, body.y + 0.5, 0.0, 90.0)
    match.override([first, second], by="red", reason="both nudges")
    (line,) = log_lines(match)
    one, other = line.traces
    assert one.end == other.start == (body.x + 0.25, body.y, 0.0)
    assert other.stretches[0].line == [(body.x + 0.25, body.y), (body.x, body.y + 0.5)]
