"""Everything that is written as a document comes back as it was, and strangers are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import toy
from tapeline.dice import Roll
from tapeline.engine.actions import Request
from tapeline.engine.asks import Answer, Choice, Option
from tapeline.engine.codec import (
    action_document,
    answer_document,
    answer_from,
    event_document,
    event_from,
    parse_action,
    plain,
)
from tapeline.engine.events import (
    EVENTS,
    Answered,
    Deployed,
    Happened,
    Marked,
    Moved,
    Progressed,
    Removed,
    Resized,
    Returned,
    Rolled,
    TurnChanged,
    UnitMarked,
)
from tapeline.engine.paths import Leg
from tapeline.errors import DocumentError
from tapeline.table.bodies import Rectangle, Round
from tapeline.table.marks import Marks, freeze, thaw

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
floats = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)
wholes = st.integers(-(10**15) + 1, 10**15 - 1)
values = st.recursive(
    st.none() | st.booleans() | wholes | floats | texts,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(texts, inner, max_size=3).map(Marks)
    ),
    max_leaves=6,
)
marks = st.dictionaries(texts, values, max_size=3).map(Marks)
points = st.tuples(floats, floats)
legs = st.one_of(
    st.builds(Leg, to=points, z=st.none() | floats, how=texts),
    st.builds(Leg, by=floats, centre=st.none() | points),
)
paths = st.lists(legs, max_size=3).map(tuple)
maybe = st.none() | texts
rolls = st.builds(
    Roll,
    st.integers(0, 40), texts, texts, texts, sides=st.integers(2, 20), about=maybe,
    reads=st.sampled_from(["faces", "sum", "successes"]), keep=st.integers(-3, 3),
    target=st.none() | st.integers(1, 7),
)  # fmt: skip
choices = st.builds(
    Choice,
    texts, texts, texts, form=st.sampled_from(["one", "number", "path"]),
    options=st.lists(st.builds(Option, values, texts), max_size=3).map(tuple),
    low=floats, high=floats, whole=st.booleans(), default=values, about=maybe,
)  # fmt: skip
bases = st.builds(Round, floats) | st.builds(Rectangle, floats, floats)
BUILT = {
    Moved: st.builds(Moved, texts, floats, floats, floats, floats, paths, texts),
    Marked: st.builds(Marked, texts, marks, texts),
    UnitMarked: st.builds(UnitMarked, texts, marks, texts),
    Resized: st.builds(Resized, texts, bases, floats, floats, texts),
    Removed: st.builds(Removed, texts, texts, texts),
    Returned: st.builds(Returned, texts, floats, floats, floats, floats, texts),
    Rolled: rolls.flatmap(
        lambda roll: st.builds(
            Rolled,
            st.just(roll),
            st.tuples(*[st.integers(1, roll.sides)] * roll.count),
            texts,
        )
    ),
    Answered: st.builds(Answered, choices, values, texts),
    Progressed: st.builds(Progressed, marks, texts),
    TurnChanged: st.builds(TurnChanged, st.none() | st.integers(1, 99), maybe, maybe, maybe, texts),
    Deployed: st.builds(
        Deployed, maybe, st.none() | st.lists(texts, max_size=3).map(tuple), st.booleans(), texts
    ),
    Happened: st.builds(Happened, texts, texts, maybe, marks, st.booleans(), texts),
}


def through_json(document: Any) -> Any:
    return json.loads(json.dumps(document, allow_nan=False))


def exactly(a: Any, b: Any) -> bool:
    """Equal, and of the same types all the way down."""
    return bool(a == b) and repr(a) == repr(b)


def test_every_event_is_tried() -> None:
    assert set(BUILT) == set(EVENTS.values())


@given(st.one_of(*BUILT.values()))
def test_events_come_back(event: Any) -> None:
    assert exactly(event_from(through_json(event_document(event))), event)


@given(
    st.builds(Answer, faces=st.lists(wholes, max_size=4).map(tuple))
    | st.builds(Answer, value=values)
)
def test_answers_come_back(answer: Answer) -> None:
    assert exactly(answer_from(through_json(answer_document(answer))), answer)


@given(
    st.one_of(
        st.builds(toy.Move, actor=texts, path=paths),
        st.builds(toy.Shove, actor=texts, target=texts),
        st.builds(toy.Glide, actor=texts),
        st.builds(toy.Done),
    )
)
def test_actions_come_back(action: Any) -> None:
    assert exactly(parse_action(toy.SYSTEM, through_json(action_document(action))), action)


@given(marks)
def test_marks_thaw_and_freeze(value: Marks) -> None:
    assert exactly(freeze(through_json(thaw(value))), value)
    assert hash(freeze(thaw(value))) == hash(value)


def test_actions_may_be_given_in_four_forms() -> None:
    glide = toy.Glide(actor="R1")
    for given_as in (
        glide,
        Request("glide", {"actor": "R1"}),
        {"kind": "glide", "actor": "R1"},
        Marks({"kind": "glide", "actor": "R1"}),
    ):
        assert parse_action(toy.SYSTEM, given_as) == glide


def test_fields_at_their_default_are_left_out() -> None:
    assert event_document(Moved("a", 1.0, 2.0, 0.0, 0.0)) == {
        "event": "moved", "body": "a", "x": 1.0, "y": 2.0, "z": 0.0, "facing": 0.0,
    }  # fmt: skip
    assert plain(Leg(to=(1.0, 2.0))) == {"to": [1.0, 2.0]}


def test_what_is_no_json() -> None:
    with pytest.raises(TypeError, match="cannot write a set"):
        plain({1, 2})


GOOD = {"event": "moved", "body": "a", "x": 1.0, "y": 2.0, "z": 0.0, "facing": 0.0}
BAD_EVENTS: list[tuple[Any, str]] = [
    (3, "must be one of moved, marked"),
    ({}, "must be one of moved"),
    ({"event": "teleported"}, "must be one of moved"),
    ({"event": ["moved"]}, "must be one of moved"),
    ({"event": "moved"}, "body: is missing"),
    ({**GOOD, "x": "1"}, "x: must be a number; got '1'"),
    ({**GOOD, "x": True}, "x: must be a number; got True"),
    ({**GOOD, "speed": 3}, "speed: is not a known key"),
    ({**GOOD, "body": "\ud800"}, "body: holds half a character"),
    ({**GOOD, "path": [{"\udfff": 1}]}, r"path[0].\udfff: has a name with half a character"),
    ({**GOOD, "x": float("nan")}, "x: must be a finite number"),
    ({**GOOD, "x": 10**400}, "x: must be a"),
    ({**GOOD, "path": [{"to": [1, 2], "by": 3}]}, "not both"),
    ({**GOOD, "path": [{"to": [1, 2, 3]}]}, "path[0].to"),
    ({**GOOD, "path": [{"to": [1, 2], "via": 3}]}, "path[0].via: is not a known key"),
    ({"event": "marked", "body": "a", "changes": 3}, "changes: must be an object"),
    ({"event": "marked", "body": "a", "changes": {"a": 10**30}}, "at most 15 digits"),
    ({"event": "resized", "body": "a", "base": {"radius": 1, "width": 2}, "x": 1, "y": 1}, "base"),
    ({"event": "rolled", "roll": {}, "faces": []}, "roll.count: is missing"),
    ({"event": "rolled", "roll": {}, "faces": [1.5]}, "faces[0]: must be a whole number"),
]


@pytest.mark.parametrize(("document", "words"), BAD_EVENTS, ids=range(len(BAD_EVENTS)))
def test_bad_events(document: Any, words: str) -> None:
    with pytest.raises(DocumentError) as raised:
        event_from(document)
    assert words in str(raised.value)


BAD_ANSWERS: list[tuple[Any, str]] = [
    (None, 'must be {"roll": [faces]} or {"choose": value}'),
    ({}, "must be"),
    ({"roll": [1], "choose": 2}, "must be"),
    ({"roll": "6"}, "roll: must be a list of faces"),
    ({"roll": [1.0]}, "roll: must be a list of faces"),
    ({"roll": [True]}, "roll: must be a list of faces"),
    ({"choose": float("nan")}, "choose: nan is not a finite number"),
    ({"choose": {1}}, "choose: cannot keep a set"),
]


@pytest.mark.parametrize(("document", "words"), BAD_ANSWERS, ids=range(len(BAD_ANSWERS)))
def test_bad_answers(document: Any, words: str) -> None:
    with pytest.raises(DocumentError) as raised:
        answer_from(document)
    assert words in str(raised.value)


def test_an_action_of_another_system() -> None:
    from dataclasses import dataclass
    from typing import ClassVar

    from tapeline.engine.actions import Action

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Fly(Action):
        kind: ClassVar[str] = "fly"

    with pytest.raises(DocumentError, match="Discs has no action 'fly'"):
        parse_action(toy.SYSTEM, Fly())
