"""What clauses are given: the state, what is judged, and measures worked out once for all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.table.bodies import Body

__all__ = ["Context"]

SubjectT = TypeVar("SubjectT")
MeasureT = TypeVar("MeasureT")


class Context(Generic[SubjectT]):
    """One subject of the clauses, an action or a part of one, in one state.

    run: None where clauses are asked without carrying anything out. A system adds its own lazy
    measures. mover and target raise UnknownIdError when nothing on the table has the id.
    """

    def __init__(self, state: State, subject: SubjectT, run: Run | None) -> None:
        self.state = state
        self.subject = subject
        self.run = run
        self._memo: dict[Any, Any] = {} if run is None else run.memo
        self._measures: dict[Any, Any] = {}

    def cite(self, *clauses: str) -> None:
        """Say that clauses bore on the action and were met."""
        if self.run is not None:
            self.run.cite(*clauses)

    def name(self, body_id: str) -> str:
        """Name of a body, on the table or gone."""
        body = self.state.bodies.get(body_id) or self.state.gone.get(body_id)
        return body.name if body is not None else body_id

    def side_name(self, side_id: str) -> str:
        """Name of a side."""
        return next((s.name for s in self.state.sides if s.id == side_id), side_id)

    @property
    def tried(self) -> bool:
        """Whether the subject is only tried out, or offered, and not done."""
        return self.run is None or self.run.tried

    @cached_property
    def mover(self) -> Body:
        """The body that acts."""
        subject: Any = self.subject
        return self.state.body(subject.actor)

    @cached_property
    def target(self) -> Body:
        """The body that is acted upon."""
        subject: Any = self.subject
        return self.state.body(subject.target)

    def once(self, key: Any, work: Callable[[], MeasureT]) -> MeasureT:
        """What `work` gives, worked out once: for all clauses of a run and the procedure."""
        if key not in self._memo:
            self._memo[key] = work()
        found: MeasureT = self._memo[key]
        return found

    def measure(self, of: Callable[[State, SubjectT], MeasureT]) -> MeasureT:
        """What `of` works out from the state and the subject, worked out once."""
        # By what is measured first: subjects are large, and each clause asks.
        if of not in self._measures:
            # Events alone change the state: so many of them stand for it.
            run = self.run
            so_far = 0 if run is None or self.state is run.start else len(run.events)
            key = (of, so_far, self.subject)
            self._measures[of] = self.once(key, lambda: of(self.state, self.subject))
        found: MeasureT = self._measures[of]
        return found
