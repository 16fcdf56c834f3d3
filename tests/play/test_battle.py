"""Battles: playing, stopping at a question, answering, overriding; never changed in place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tapeline as tl
from support.scenes import disc, toy_scene
from tapeline.dice import Roll, ScriptedDice, SeededDice
from tapeline.engine.asks import Answer, Choice
from tapeline.engine.events import (
    Happened,
    Marked,
    Moved,
    Progressed,
    Removed,
    Returned,
    TurnChanged,
    UnitMarked,
)
from tapeline.engine.fold import fold_all
from tapeline.errors import (
    AnswerError,
    DiceExhaustedError,
    DocumentError,
    UnknownIdError,
    UnknownSystemError,
)
from tapeline.play.match import Match
from tapeline.table.marks import Marks

SHOVE = tl.Action("shove", "R1", target="B1")


@pytest.fixture
def battle() -> tl.Battle:
    return tl.load(toy_scene())


def test_the_toy_is_found_by_its_entry_point(battle: tl.Battle) -> None:
    assert battle.system.title == "Discs"
    assert "toy" in tl.system_names()
    assert tl.load_system("toy") is battle.system


def test_an_unknown_system_says_which_there_are() -> None:
    with pytest.raises(UnknownSystemError, match=r"'chess' is installed; there are: .*toy"):
        tl.load(toy_scene(system="chess"))


def test_judging_and_playing_leave_the_battle_alone(battle: tl.Battle) -> None:
    before = battle.hash
    battle.judge(tl.Move("R1", path=[{"to": [5, 3]}]))
    after, events = battle.play(tl.Move("R1", path=[{"to": [5, 3]}]))
    assert battle.hash == before
    assert battle.last is None
    assert after.hash != before
    assert after.last is not None
    assert after.state == fold_all(battle.state, events)


def test_an_illegal_action_changes_nothing_and_says_why(battle: tl.Battle) -> None:
    after, events = battle.play(tl.Move("R1", path=[{"to": [5, 23]}]))
    assert events == ()
    assert after.state == battle.state
    assert after.last is not None
    assert not after.last.legal


def test_play_stops_at_the_roll_without_dice(battle: tl.Battle) -> None:
    waiting, events = battle.play(SHOVE)
    assert events == ()
    assert waiting.pending is not None
    assert isinstance(waiting.pending.ask, Roll)
    for call in (
        lambda: waiting.judge(SHOVE),
        lambda: waiting.play(SHOVE),
        lambda: waiting.offers(),
        lambda: waiting.odds(SHOVE),
        lambda: waiting.override([]),
    ):
        with pytest.raises(AnswerError, match=r"red must first give dice: shove \(TY-SHV-3\)"):
            call()


def test_step_by_step_is_the_same_as_at_once(battle: tl.Battle) -> None:
    at_once, all_events = battle.play(SHOVE, dice=ScriptedDice([[5]]), answers=["spin", 3])
    waiting, events = battle.play(SHOVE)
    collected = list(events)
    for value in ([5], "spin", 3):
        waiting, events = waiting.answer(value)
        collected += events
    assert waiting.pending is None
    assert tuple(collected) == all_events
    assert waiting == at_once


def test_answers_go_on_from_a_list(battle: tl.Battle) -> None:
    waiting, _ = battle.play(SHOVE, dice=ScriptedDice([[5]]))
    done, _ = waiting.answer(answers=["spin", 2])
    assert done.pending is None
    done, _ = waiting.answer("spin", answers=[2])
    assert done.pending is None
    done, _ = waiting.answer(chooser=tl.take_default)
    assert done.pending is None
    same, events = waiting.answer()
    assert events == ()
    assert same.pending == waiting.pending


def test_faces_may_be_given_as_a_list_or_an_answer(battle: tl.Battle) -> None:
    waiting, _ = battle.play(SHOVE)
    assert waiting.answer([2])[0] == waiting.answer(Answer(faces=(2,)))[0]
    with pytest.raises(AnswerError, match="give a list of faces; got 'six'"):
        waiting.answer("six")


def test_a_refused_answer_leaves_the_question_open(battle: tl.Battle) -> None:
    waiting, _ = battle.play(SHOVE)
    for bad in ([7], [1, 2], Answer(value="spin"), Answer(faces=(0,))):
        same, events = waiting.answer(bad)
        assert events == ()
        assert same.pending == waiting.pending
        assert same.hash == waiting.hash
        assert same.last is not None
        assert not same.last.legal
    waiting, _ = waiting.answer([6])
    same, events = waiting.answer(None)
    assert events == ()
    assert same.pending == waiting.pending
    assert "None is not among" in same.last.findings[0].text  # type: ignore[union-attr]


def test_a_refusal_in_the_middle_keeps_what_went_before(battle: tl.Battle) -> None:
    waiting, events = battle.play(SHOVE, dice=ScriptedDice([[6]]), answers=["jump", "spin"])
    assert len(events) == 1
    assert waiting.pending is not None
    assert isinstance(waiting.pending.ask, Choice)
    assert waiting.last is not None
    assert not waiting.last.legal


def test_values_that_no_document_can_hold(battle: tl.Battle) -> None:
    waiting, _ = battle.play(SHOVE, dice=ScriptedDice([[6]]))
    for bad in ({1, 2}, float("nan"), object(), 10**40):
        with pytest.raises(AnswerError):
            waiting.answer(bad)


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("\ud800", "answer"),
        ([{"to": [1, 2]}, {"to": [3, 4], "how": "\udcff"}], r"answer\[1\].how"),
        ({"\ud800": 1}, r"answer.\\ud800"),
    ],
)
def test_an_answer_with_half_a_character_names_the_field(
    battle: tl.Battle, value: Any, field: str
) -> None:
    """No log that holds one can be read again."""
    waiting, _ = battle.play(SHOVE, dice=ScriptedDice([[6]]))
    asked = waiting.pending
    with pytest.raises(AnswerError, match=f"^{field}: (holds|has a name with) half a character"):
        waiting.answer(value)
    with pytest.raises(AnswerError, match=f"^{field}: "):
        battle.play(SHOVE, dice=ScriptedDice([[6]]), answers=[value])
    assert waiting.pending == asked


def test_nothing_to_answer(battle: tl.Battle) -> None:
    with pytest.raises(AnswerError, match="no question is open"):
        battle.answer("spin")


def test_dice_that_run_out(battle: tl.Battle) -> None:
    with pytest.raises(DiceExhaustedError, match="shove"):
        battle.play(SHOVE, dice=ScriptedDice([]))


def test_take_default(battle: tl.Battle) -> None:
    after, events = battle.play(SHOVE, dice=ScriptedDice([[6]]), chooser=tl.take_default)
    assert after.pending is None
    assert any(isinstance(e, Happened) and e.name == "spun" for e in events)
    with pytest.raises(AnswerError, match="red must choose, there is no default"):
        tl.take_default(Choice("red", "x", "X", form="number", high=2))
    assert tl.take_default(Choice("red", "x", "X", form="path")) == ()


def test_same_seed_same_story(battle: tl.Battle) -> None:
    one = battle.play(SHOVE, dice=SeededDice(4), chooser=tl.take_default)
    two = battle.play(SHOVE, dice=tl.Dice(seed=4), chooser=tl.take_default)
    assert one == two


def test_dice_are_given_in_one_way() -> None:
    assert tl.Dice([3, 4]).left == 1
    for call in (lambda: tl.Dice(), lambda: tl.Dice([1], seed=2)):
        with pytest.raises(tl.DiceError, match="either rolls or a seed"):
            call()


def test_actions_that_are_none(battle: tl.Battle) -> None:
    with pytest.raises(DocumentError, match="Discs has no action 'charge'; it has move, shove"):
        battle.judge(tl.Charge("R1", target="B1"))
    with pytest.raises(DocumentError, match="must be an object"):
        battle.judge("move")
    with pytest.raises(UnknownIdError):
        battle.judge(tl.Action("glide", "R9"))


def test_offers_are_legal_and_alike_for_a_seed(battle: tl.Battle) -> None:
    one, two = list(battle.offers(3)), list(battle.offers(3))
    assert one == two
    assert one != list(battle.offers(4))
    assert all(battle.judge(action).legal for action in one)


def test_scene_round_trip(battle: tl.Battle) -> None:
    assert tl.load(battle.scene()).hash == battle.hash


def test_a_file_is_read_as_well(battle: tl.Battle, tmp_path: Any) -> None:
    import json

    path = tmp_path / "scene.json"
    path.write_text(json.dumps(toy_scene()))
    assert tl.load(path).hash == tl.load(str(path)).hash == battle.hash
    with pytest.raises(OSError):
        tl.load(tmp_path / "none.json")


@pytest.mark.parametrize("name", ["\ud800", "a\x00b"])
@pytest.mark.parametrize("read", [tl.load, Match.start, Match.replay])
def test_what_no_file_can_be_called(name: str, read: Callable[[Any], object]) -> None:
    for path in (name, Path(name)):
        with pytest.raises(
            DocumentError, match=r"name: (holds half a character|is none of a file)"
        ):
            read(path)


# --- overrides


def test_an_override_is_folded_as_it_is(battle: tl.Battle) -> None:
    after = battle.override([Moved("B1", 20.0, 20.0, 0.0, 90.0), Removed("R2", "conceded")])
    assert after.state.bodies["B1"].x == 20.0
    assert "R2" in after.state.gone
    back = after.override([Returned("R2", 5.0, 9.0, 0.0, 90.0), Marked("B2", Marks({"shoved": 9}))])
    assert back.state.bodies["B2"].marks["shoved"] == 9


BAD_OVERRIDES: list[tuple[Any, str, str]] = [
    (Moved("Z9", 1, 1, 0, 0), "[0].body", "'Z9' cannot be changed"),
    (Returned("R1", 1, 1, 0, 0), "[0].body", "'R1' cannot be changed"),
    (UnitMarked("U9", Marks({})), "[0].unit", "'U9' cannot be changed"),
    (Moved("R1", float("nan"), 1, 0, 0), "[0].x", "must be a number up to 10000"),
    (Moved("R1", 1, 1e12, 0, 0), "[0].y", "must be a number up to 10000"),
    (Marked("R1", Marks({"asleep": True})), "[0].changes.asleep", "is not a state of Discs"),
    (Marked("R1", Marks({"shoved": "x"})), "[0].changes.shoved", "must be a whole number; got 'x'"),
    (TurnChanged(active="green"), "[0].active", "no side 'green'; sides are red, blue"),
    (TurnChanged(initiative="x"), "[0].initiative", "no side 'x'"),
    (TurnChanged(phase="lunch"), "[0].phase", "must be one of play, over; got 'lunch'"),
    (TurnChanged(round=0), "[0].round", "must be at least 1"),
    (Progressed(Marks({"moved": 3})), "turn.progress.moved", "must be a list; got 3"),
]


@pytest.mark.parametrize(("event", "path", "words"), BAD_OVERRIDES, ids=lambda v: str(v)[:40])
def test_an_override_that_leaves_no_sound_state(
    battle: tl.Battle, event: Any, path: str, words: str
) -> None:
    with pytest.raises(DocumentError) as raised:
        battle.override([event])
    assert [fault.path for fault in raised.value.faults] == [path]
    assert words in raised.value.faults[0].message


def test_every_fault_of_an_override_is_told(battle: tl.Battle) -> None:
    with pytest.raises(DocumentError) as raised:
        battle.override([event for event, _, _ in BAD_OVERRIDES[:4]])
    assert [f.path for f in raised.value.faults] == ["[0].body", "[1].body", "[2].unit", "[3].x"]


def test_two_on_one_spot_may_be_agreed_on(battle: tl.Battle) -> None:
    after = battle.override([Moved("B1", 5.0, 5.0, 0.0, 0.0)])
    assert after.state.bodies["B1"].centre == after.state.bodies["R1"].centre


def test_the_gone_are_not_in_the_way() -> None:
    battle = tl.load(
        toy_scene(
            disc("R1", "red", 5, 5), disc("B1", "blue", 5, 5, state={"gone": "fled"}),
            disc("B2", "blue", 50, 50, state={"gone": "fled"}),
        )
    )  # fmt: skip
    assert set(battle.state.gone) == {"B1", "B2"}
    assert battle.judge(tl.Move("R1", path=[{"to": [6, 5]}])).legal
