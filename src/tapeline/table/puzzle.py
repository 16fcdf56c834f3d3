"""The puzzle or the lesson in a scene document: what must be reached or done, and a way there.

Its shape and ids are checked here; what it comes to in a match is worked out in `play.puzzles`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from tapeline.errors import Fault
from tapeline.table.terrain_documents import Id, StrictDoc, kinds_of

__all__ = [
    "CONDITION_KINDS",
    "ApartDoc",
    "ConditionDoc",
    "GoneDoc",
    "InsideDoc",
    "LessonDoc",
    "LessonStepDoc",
    "PuzzleDoc",
    "PuzzleStepDoc",
    "SafeDoc",
    "SightDoc",
    "StateDoc",
    "TouchDoc",
    "lesson_faults",
    "puzzle_faults",
    "unknown_ids",
]


Ids = Annotated[list[Id], Field(min_length=1, max_length=50)]
_Distance = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]
_Words = Annotated[str, Field(max_length=400)]


class ApartDoc(StrictDoc):
    """Every one of `who` is within a distance of every one of `of`, or beyond it: base to base."""

    kind: Literal["within", "beyond"]
    who: Ids
    of: Ids
    distance: _Distance


class TouchDoc(StrictDoc):
    """Bases touch: each of `who` that of each of `of`."""

    kind: Literal["contact"]
    who: Ids
    of: Ids


class InsideDoc(StrictDoc):
    """The bases of `who` lie wholly within a zone of the scene, no lower than `height`."""

    kind: Literal["inside"]
    who: Ids
    zone: Id
    height: _Distance = 0.0


class SightDoc(StrictDoc):
    """Each of `who` is seen by each of `by`, or by none of them."""

    kind: Literal["seen", "unseen"]
    who: Ids
    by: Ids


class SafeDoc(StrictDoc):
    """None of `by` could strike any of `who` when it acts next, whatever its dice show, in any of
    the ways that `analysis.threat` weighs."""

    kind: Literal["safe"]
    who: Ids
    by: Ids


class StateDoc(StrictDoc):
    """Each of `who` has these states of its system; null: has it not."""

    kind: Literal["state"]
    who: Ids
    state: Annotated[dict[str, Any], Field(min_length=1)]


class GoneDoc(StrictDoc):
    """Each of `who` has left the table."""

    kind: Literal["gone"]
    who: Ids


ConditionDoc: TypeAlias = Annotated[
    ApartDoc | TouchDoc | InsideDoc | SightDoc | SafeDoc | StateDoc | GoneDoc,
    Field(discriminator="kind"),
]
#: What a condition may ask for.
CONDITION_KINDS = kinds_of(ConditionDoc)


class PuzzleStepDoc(StrictDoc):
    """A step of a solution: an action with the choices made on its way."""

    action: dict[str, Any]
    answers: list[Any] = []


class PuzzleDoc(StrictDoc):
    """A task for one side, on the scene that it stands in.

    task: in the author's words. goals: all must hold at once, after some deed. always: must hold
    after every deed. moves: most deeds in which models of the side move. turn: whether it is over
    as soon as the round or the side to act changes. die: what every die shows. hint: for who is
    stuck. level: 1 easy to 3 hard. solution: steps that solve it.
    """

    format: Literal["tapeline-puzzle/1"]
    side: Id
    task: Annotated[str, Field(min_length=1, max_length=400)]
    goals: Annotated[list[ConditionDoc], Field(min_length=1, max_length=20)]
    always: Annotated[list[ConditionDoc], Field(max_length=20)] = []
    moves: Annotated[int, Field(ge=1, le=50)] | None = None
    turn: bool = False
    die: Annotated[int, Field(ge=1, le=6)] = 3
    hint: _Words = ""
    level: Annotated[int, Field(ge=1, le=3)] = 1
    solution: Annotated[list[PuzzleStepDoc], Field(max_length=100)] = []


def puzzle_faults(
    puzzle: PuzzleDoc, sides: Sequence[str], owners: Mapping[str, str], zones: Collection[str]
) -> Iterator[Fault]:
    """Ids in a puzzle that stand for nothing in its scene. owners: sides of models and units."""
    if puzzle.side not in sides:
        message = f"no side {puzzle.side!r}; sides are {', '.join(sides)}"
        yield Fault("puzzle.side", message)
    yield from unknown_ids(owners, zones, puzzle.goals, "puzzle.goals")
    yield from unknown_ids(owners, zones, puzzle.always, "puzzle.always")


def unknown_ids(
    bodies: Mapping[str, str],
    zones: Collection[str],
    conditions: Sequence[ConditionDoc],
    where: str,
) -> Iterator[Fault]:
    """Ids in conditions that stand for nothing. bodies: their sides. where: of the list."""
    for index, condition in enumerate(conditions):
        yield from _unknown(condition, bodies, zones, f"{where}[{index}]")
        if isinstance(condition, SafeDoc):
            sides = {bodies.get(one) for one in condition.who}
            for place, one in enumerate(condition.by):
                if bodies.get(one) in sides:
                    yield Fault(f"{where}[{index}].by[{place}]", f"{one!r} is no enemy of who")


def _unknown(
    condition: ConditionDoc, bodies: Mapping[str, str], zones: Collection[str], where: str
) -> Iterator[Fault]:
    for key in ("who", "of", "by"):
        named: Sequence[str] = getattr(condition, key, ())
        for place, one in enumerate(named):
            if one not in bodies:
                yield Fault(f"{where}.{key}[{place}]", f"no model or unit has the id {one!r}")
    if isinstance(condition, InsideDoc) and condition.zone not in zones:
        yield Fault(f"{where}.zone", f"no zone has the id {condition.zone!r}")


class LessonStepDoc(StrictDoc):
    """A step: it is over once an action of the kind `done` was done and all of `until` holds.

    who: whose action it must be; anybody's, if left out. point: ids of models, units, terrain or
    zones that the page points at. solution: what does it.
    """

    words: Annotated[str, Field(min_length=1, max_length=600)]
    point: Annotated[list[Id], Field(max_length=20)] = []
    done: str = ""
    who: Annotated[list[Id], Field(max_length=50)] = []
    until: Annotated[list[ConditionDoc], Field(max_length=10)] = []
    solution: Annotated[list[PuzzleStepDoc], Field(min_length=1, max_length=20)]


class LessonDoc(StrictDoc):
    """A first lesson in a game. die: what every die shows. end: what is said when it is over."""

    format: Literal["tapeline-lesson/1"]
    steps: Annotated[list[LessonStepDoc], Field(min_length=1, max_length=10)]
    end: Annotated[str, Field(max_length=600)] = ""
    die: Annotated[int, Field(ge=1, le=6)] = 3


def lesson_faults(
    lesson: LessonDoc, owners: Mapping[str, str], zones: Collection[str], terrain: Collection[str]
) -> Iterator[Fault]:
    """What a lesson speaks of that is not in its scene. owners: sides of models and units."""
    known = {*owners, *zones, *terrain}
    for index, step in enumerate(lesson.steps):
        where = f"lesson.steps[{index}]"
        for key, named in (("point", step.point), ("who", step.who)):
            for place, one in enumerate(named):
                if one not in known:
                    yield Fault(f"{where}.{key}[{place}]", f"nothing has the id {one!r}")
        if not step.done and not step.until:
            yield Fault(f"{where}.until", "is empty, and so is done: the step would never be seen")
        yield from unknown_ids(owners, zones, step.until, f"{where}.until")
