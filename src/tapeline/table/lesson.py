"""The lesson in a scene document: steps, each with words and what must have been done.

Shape and ids are checked here; how far a match has come with it is worked out in `play.lessons`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tapeline.errors import Fault
from tapeline.table.puzzle import ConditionDoc, PuzzleStepDoc, unknown_ids
from tapeline.table.terrain_documents import Id

__all__ = ["LessonDoc", "LessonStepDoc", "lesson_faults"]


class _Doc(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class LessonStepDoc(_Doc):
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


class LessonDoc(_Doc):
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
