"""What the clauses of Mordheim are given: the state, what is judged, and lazy measures."""

from __future__ import annotations

from functools import cached_property
from typing import Generic, TypeVar

from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.table.bodies import Body

__all__ = ["Context"]

SubjectT = TypeVar("SubjectT")


class Context(Generic[SubjectT]):
    """One subject of the clauses in one state. mover: the model that acts."""

    def __init__(self, state: State, subject: SubjectT, run: Run | None) -> None:
        self.state = state
        self.subject = subject
        self.run = run

    def cite(self, clause: str) -> None:
        """Say that a clause was applied."""
        if self.run is not None:
            self.run.cite(clause)

    def name(self, body_id: str) -> str:
        """Name of a model, on the table or gone."""
        body = self.state.bodies.get(body_id) or self.state.gone.get(body_id)
        return body.name if body is not None else body_id

    def side_name(self, side_id: str) -> str:
        """Name of a side."""
        return next((s.name for s in self.state.sides if s.id == side_id), side_id)

    @cached_property
    def mover(self) -> Body:
        """The model that acts."""
        return self.state.body(self.subject.actor)  # type: ignore[attr-defined]
