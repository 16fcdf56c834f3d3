"""Sessions and judging, with the toy system: what is asked, refused, undone and resumed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import toy
from support.scenes import disc, toy_scene
from tapeline.dice import Roll, ScriptedDice
from tapeline.engine.asks import Answer, Choice
from tapeline.engine.digest import digest
from tapeline.engine.events import Answered, Rolled
from tapeline.engine.fold import fold_all
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Session, judge
from tapeline.engine.state import State
from tapeline.engine.verdicts import Kind
from tapeline.errors import AnswerError, UnknownIdError
from tapeline.play.battle import load
from tapeline.table.marks import Marks, freeze


def state(*models: dict[str, Any], **more: Any) -> State:
    return load(toy_scene(*models, **more), system=toy.SYSTEM).state


def move(actor: str, *to: tuple[float, float]) -> toy.Move:
    return toy.Move(actor=actor, path=tuple(Leg(to=p) for p in to))


SHOVE = toy.Shove(actor="R1", target="B1")


# --- verdicts


def test_legal_move_with_ledger_and_values() -> None:
    s = state()
    v = judge(toy.SYSTEM, s, move("R1", (5, 3), (3, 3)))
    assert v.kind is Kind.LEGAL
    assert v.legal
    assert v.cost == pytest.approx(4.0)
    assert [(line.clause, line.cost, line.factor) for line in v.ledger] == [("TY-MOV-6", 4.0, 1.0)]
    assert v.value("left") == pytest.approx(1.0)
    with pytest.raises(KeyError):
        v.value("right")
    (moved,) = v.moved
    assert (moved.body, moved.start, moved.end) == ("R1", (5.0, 5.0, 0.0), (3.0, 3.0, 0.0))
    assert v.cites == ("TY-MOV-6", "TY-ACT-2")
    assert set(v.checked) == {f"TY-MOV-{n}" for n in range(1, 6)} | {"TY-ACT-1", "TY-ACT-2"}
    assert v.ask is None
    assert v.findings == ()


def test_every_broken_clause_is_found_at_once() -> None:
    v = judge(toy.SYSTEM, state(), move("B1", (8, 5), (-1, 5)))
    assert v.kind is Kind.ILLEGAL
    assert not v.legal
    assert {f.clause for f in v.findings} == {
        "TY-ACT-1", "TY-MOV-2", "TY-MOV-3", "TY-MOV-5",
    }  # fmt: skip
    across = next(f for f in v.findings if f.clause == "TY-MOV-3")
    assert across.about == "R1"
    assert across.measured == pytest.approx(0.0)
    assert across.limit == pytest.approx(2.0)
    assert across.place == (5.0, 5.0)
    assert v.moved == ()
    assert v.ledger == ()


@pytest.mark.parametrize(
    ("far", "kind"),
    [(4.999999, "LEGAL"), (5.0, "LEGAL"), (5.0000009, "LEGAL"), (5.00001, "ILLEGAL")],
)
def test_the_limit_is_the_limit(far: float, kind: str) -> None:
    lone = state(disc("R1", "red", 5, 12), disc("B1", "blue", 20, 20))
    assert judge(toy.SYSTEM, lone, move("R1", (5 + far, 12))).kind == kind


def test_an_exception_lifts_for_flyers_only_and_only_its_clause() -> None:
    over = state(
        disc("R1", "red", 5, 5),
        disc("F", "red", 5, 5, z=3, profile="flyer"),
        disc("B1", "blue", 8, 5),
    )
    assert judge(toy.SYSTEM, over, move("F", (11.5, 5))).kind is Kind.LEGAL
    v = judge(toy.SYSTEM, over, move("F", (8.5, 5)))
    assert [f.clause for f in v.findings] == ["TY-MOV-4"]
    assert "TY-FLY-1" in v.checked


def test_stopped_says_on_what() -> None:
    s = state(disc("R1", "red", 12, 5), disc("B1", "blue", 2, 20))
    v = judge(toy.SYSTEM, s, move("R1", (16, 5)))
    assert v.kind is Kind.STOPPED
    assert v.legal
    (finding,) = v.findings
    assert (finding.clause, finding.about) == ("TY-MUD-1", "T1")
    assert finding.place == pytest.approx((14.0, 5.0))
    assert finding.travelled == pytest.approx(2.0)
    assert v.moved[0].end == pytest.approx((14.0, 5.0, 0.0))
    assert v.cost == pytest.approx(2.0)


def test_forced() -> None:
    v = judge(toy.SYSTEM, state(), toy.Glide(actor="B1"))
    assert v.kind is Kind.FORCED
    assert v.moved[0].end == pytest.approx((7.0, 5.0, 0.0))


def test_nearest_is_given_when_asked_and_is_legal() -> None:
    s = state(disc("R1", "red", 5, 12), disc("B1", "blue", 20, 20))
    v = judge(toy.SYSTEM, s, move("R1", (9, 12), (9, 16)))
    assert v.nearest is not None
    assert v.nearest.how == "prefix"
    assert v.nearest.short_by == pytest.approx(3.0)
    again = load(toy_scene(*[]), system=toy.SYSTEM).action(v.nearest.action)
    assert judge(toy.SYSTEM, s, again).kind is Kind.LEGAL
    assert judge(toy.SYSTEM, s, move("R1", (9, 12), (9, 16)), nearest=False).nearest is None


def test_judging_leaves_the_state_as_it_was() -> None:
    s = state()
    before, bodies = digest(s), dict(s.bodies)
    for action in (
        move("R1", (5, 3)),
        move("R1", (50, 3)),
        SHOVE,
        toy.Done(),
        toy.Glide(actor="B1"),
    ):
        judge(toy.SYSTEM, s, action, [Answer(faces=(6,)), Answer(value="spin"), Answer(value=2)])
    assert digest(s) == before
    assert s.bodies == bodies
    assert s == state()


def test_unknown_actor_is_misuse_not_a_verdict() -> None:
    with pytest.raises(UnknownIdError, match="actor: nothing on the table has the id 'R9'"):
        judge(toy.SYSTEM, state(), move("R9", (1, 1)))


# --- asking


def session(**more: Any) -> Session:
    return Session(toy.SYSTEM, state(**more), SHOVE)


def test_a_roll_is_pending_before_the_dice() -> None:
    s = session()
    assert isinstance(s.ask, Roll)
    assert (s.ask.count, s.ask.sides, s.ask.by, s.ask.about) == (1, 6, "red", "B1")
    assert not s.done
    assert s.verdict.kind is Kind.LEGAL
    assert s.verdict.ask == s.ask
    assert s.events == ()


def snapshot(s: Session) -> tuple[Any, ...]:
    return (digest(s.state), s.ask, s.events, tuple(s.answers), s.done)


@pytest.mark.parametrize(
    "faces", [(), (3, 3), (0,), (7,), (-1,), (True,), (2.0,), ("4",), (None,)], ids=repr
)
def test_wrong_dice_leave_everything_as_it_was(faces: tuple[Any, ...]) -> None:
    s = session()
    before = snapshot(s)
    assert not s.send(Answer(faces=faces))
    assert s.verdict.kind is Kind.ILLEGAL
    assert s.verdict.findings[0].clause == "TY-SHV-3"
    assert snapshot(s) == before
    assert s.send(Answer(faces=(6,)))
    assert s.verdict.kind is Kind.CHOICE


def test_a_choice_where_dice_are_due_and_the_other_way_round() -> None:
    s = session()
    assert not s.send(Answer(value="spin"))
    assert "dice are needed" in s.verdict.findings[0].text
    assert s.send(Answer(faces=(5,)))
    assert not s.send(Answer(faces=(5,)))
    assert "a choice is needed" in s.verdict.findings[0].text


@pytest.mark.parametrize("value", ["fly", None, True, 1, (), Marks({"a": 1}), "Spin"], ids=repr)
def test_values_that_are_no_option(value: Any) -> None:
    s = session()
    s.send(Answer(faces=(5,)))
    before = snapshot(s)
    assert not s.send(Answer(value=value))
    assert "'push', 'spin'" in s.verdict.findings[0].text
    assert snapshot(s) == before


@pytest.mark.parametrize(
    "value",
    [0, 4, 1.5, True, "1", None, (1,), float("inf"), float("nan"), -(10**400), 1e300],
    ids=repr,
)
def test_values_that_are_no_such_number(value: Any) -> None:
    s = session()
    s.send(Answer(faces=(5,)))
    s.send(Answer(value="spin"))
    before = snapshot(s)
    assert not s.send(Answer(value=value))
    assert s.verdict.findings[0].clause == "TY-SHV-4"
    assert snapshot(s) == before


@pytest.mark.parametrize("value", [1, 2, 3, 2.0], ids=repr)
def test_numbers_that_are(value: float) -> None:
    s = session()
    for answer in (Answer(faces=(5,)), Answer(value="spin"), Answer(value=value)):
        assert s.send(answer)
    assert s.done
    assert s.state.bodies["B1"].facing == (180 + 90 * value) % 360


def to_path(*points: Any, **more: Any) -> Answer:
    return Answer(value=freeze([{"to": list(p), **more} for p in points]))


def test_a_path_that_a_rule_forbids_is_undone_and_may_be_given_again() -> None:
    s = session()
    s.send(Answer(faces=(5,)))
    s.send(Answer(value="push"))
    before = snapshot(s)
    assert not s.send(to_path((20, 5)))
    assert s.verdict.kind is Kind.ILLEGAL
    assert {f.clause for f in s.verdict.findings} == {"TY-SHV-5"}
    assert snapshot(s) == before
    assert s.send(to_path((10, 5)))
    assert s.done
    assert s.verdict.kind is Kind.LEGAL
    assert s.state.bodies["B1"].x == 10
    assert s.state.bodies["B1"].marks["shoved"] == 1
    assert s.state.units["U1"].marks["shaken"] is True
    assert [type(e) for e in s.events[:2]] == [Rolled, Answered]
    assert len([e for e in s.events if isinstance(e, Answered)]) == 2, "the refused one is not kept"
    assert s.verdict.cites.count("TY-SHV-5") == 1


@pytest.mark.parametrize(
    "value",
    [
        [3], ["x"], [{}], [{"to": [1]}], [{"to": [1, "y"]}], [{"to": [1, True]}], [{"to": 3}],
        [{"to": [1, 2], "by": 3}], [{"centre": [1, 2]}], [{"to": [1, 2], "from": 1}],
        [{"to": [1, 2], "how": 3}], [{"to": [1e9, 2]}], [{"by": "x"}], [{"by": 3, "z": 1}],
    ],
    ids=repr,
)  # fmt: skip
def test_a_path_that_cannot_be_read_leaves_the_question_open(value: Any) -> None:
    s = session()
    s.send(Answer(faces=(5,)))
    s.send(Answer(value="push"))
    before = snapshot(s)
    with pytest.raises(AnswerError, match=r"path\[0\]"):
        s.send(Answer(value=freeze(value)))
    assert snapshot(s) == before
    assert s.send(to_path((10, 5)))


def test_a_path_that_is_no_list() -> None:
    s = session()
    s.send(Answer(faces=(5,)))
    s.send(Answer(value="push"))
    assert not s.send(Answer(value="east"))
    assert "a path is a list of legs" in s.verdict.findings[0].text


def test_an_option_changes_the_roll() -> None:
    assert session(options={"shove.die": "5+"}).ask.target == 5  # type: ignore[union-attr]
    assert session().ask.target == 4  # type: ignore[union-attr]


def test_judge_with_answers_stops_at_a_refused_one() -> None:
    v = judge(toy.SYSTEM, state(), SHOVE, [Answer(faces=(9,)), Answer(faces=(6,))])
    assert v.kind is Kind.ILLEGAL
    v = judge(
        toy.SYSTEM, state(), SHOVE, [Answer(faces=(6,)), Answer(value="spin"), Answer(value=1)]
    )
    assert v.kind is Kind.LEGAL
    assert v.value("shown") == 6
    v = judge(toy.SYSTEM, state(), SHOVE, [Answer(faces=(2,)), Answer(value="spin")])
    assert v.kind is Kind.LEGAL, "answers beyond the last question are not looked at"


def test_illegal_before_any_question() -> None:
    s = Session(toy.SYSTEM, state(), toy.Shove(actor="R1", target="B2"))
    assert s.done
    assert s.events == ()
    assert s.state is s.start
    assert [f.clause for f in s.verdict.findings] == ["TY-SHV-1"]


def test_pushed_off_the_table_is_gone_and_known_to_be() -> None:
    s = Session(
        toy.SYSTEM,
        state(disc("R1", "red", 20.5, 5), disc("B1", "blue", 22.6, 5)),
        toy.Shove(actor="R1", target="B1"),
    )
    for answer in (Answer(faces=(6,)), Answer(value="push"), to_path((25, 5))):
        assert s.send(answer)
    assert "B1" not in s.state.bodies
    assert s.state.gone["B1"].marks["gone"] == "off the table"
    with pytest.raises(UnknownIdError, match="it has left the table"):
        s.state.body("B1")
    assert s.verdict.moved[0].end == (25.0, 5.0, 0.0)


answers = st.lists(
    st.one_of(
        st.builds(lambda f: Answer(faces=(f,)), st.integers(0, 7)),
        st.builds(lambda v: Answer(value=v), st.sampled_from(["push", "spin", "x", 0, 1, 3, 9])),
        st.builds(
            lambda x, y: to_path((x, y)),
            st.floats(0, 24, allow_nan=False),
            st.floats(0, 24, allow_nan=False),
        ),
    ),
    max_size=8,
)


@given(answers)
def test_resuming_gives_the_same_and_events_fold_to_the_state(sent: list[Answer]) -> None:
    s = session()
    for answer in sent:
        if s.done:
            break
        before = snapshot(s)
        if not s.send(answer):
            assert snapshot(s) == before
            assert s.verdict.kind is Kind.ILLEGAL
            assert s.verdict.findings
            assert all(f.clause in toy.BOOK for f in s.verdict.findings)
    again = session()
    for answer in s.answers:
        assert again.send(answer)
    assert snapshot(again) == snapshot(s)
    assert fold_all(s.start, s.events) == s.state
    if s.answers:
        accepted = judge(toy.SYSTEM, s.start, SHOVE, s.answers)
        assert accepted == again.verdict


def test_scripted_dice_drive_the_same_procedure() -> None:
    battle = load(toy_scene(), system=toy.SYSTEM)
    after, events = battle.play(SHOVE, dice=ScriptedDice([[6]]), answers=["spin", 2])
    assert after.pending is None
    assert after.state == fold_all(battle.state, events)
    assert isinstance(events[1], Answered)
    assert isinstance(events[1].choice, Choice)
