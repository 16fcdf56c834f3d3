"""What clauses are given: the state, the action and measures worked out once for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.rules.sovl.state import active_unit
from tapeline.table.bodies import Body

__all__ = ["Context"]

ActionT = TypeVar("ActionT")
MeasureT = TypeVar("MeasureT")


class Context(Generic[ActionT]):
    """One action looked at in one state.

    actor raises UnknownIdError when nothing on the table has the id.
    """

    __slots__ = ("_actor", "_memo", "action", "run", "state")

    def __init__(self, state: State, action: ActionT, run: Run | None) -> None:
        self.state = state
        self.action = action
        self.run = run
        self._actor: Body | None = None
        self._memo: dict[Any, Any] = {} if run is None else run.memo

    def cite(self, *clauses: str) -> None:
        """Say that clauses bore on the action and were met."""
        if self.run is not None:
            self.run.cite(*clauses)

    @property
    def actor(self) -> Body:
        """The unit that acts."""
        if self._actor is None:
            actor: Any = self.action
            self._actor = self.state.body(actor.actor)
        return self._actor

    @property
    def actor_is_active(self) -> bool:
        """Whether the activation going on is the actor's."""
        return active_unit(self.state) == self.actor.id

    def side_name(self, side_id: str) -> str:
        """Name of a side."""
        return next((s.name for s in self.state.sides if s.id == side_id), side_id)

    def measure(self, of: Callable[[State, ActionT], MeasureT]) -> MeasureT:
        """What `of` works out from the state and the action; once for all clauses."""
        key = (of, self.action)
        if key not in self._memo:
            self._memo[key] = of(self.state, self.action)
        found: MeasureT = self._memo[key]
        return found
