"""What clauses are given: the state, the action and measures worked out once for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.rules.warmaster.state import stands_of, unit_of
from tapeline.table.bodies import Body, Unit

__all__ = ["Context"]

ActionT = TypeVar("ActionT")
MeasureT = TypeVar("MeasureT")


class Context(Generic[ActionT]):
    """One action looked at in one state.

    unit and actor raise UnknownIdError when there is nothing of the id.
    """

    __slots__ = ("_memo", "action", "run", "state")

    def __init__(self, state: State, action: ActionT, run: Run | None) -> None:
        self.state = state
        self.action = action
        self.run = run
        self._memo: dict[Any, Any] = {} if run is None else run.memo

    @property
    def unit(self) -> Unit:
        """The unit that acts."""
        action: Any = self.action
        return unit_of(self.state, action.actor if hasattr(action, "actor") else action.unit)

    @property
    def stands(self) -> tuple[Body, ...]:
        """The stands of the unit that acts."""
        return stands_of(self.state, self.unit)

    @property
    def actor(self) -> Body:
        """The character that acts."""
        action: Any = self.action
        return self.state.body(action.actor)

    def measure(self, of: Callable[[State, ActionT], MeasureT]) -> MeasureT:
        """What `of` works out from the state and the action; once for all clauses."""
        key = (of, self.action)
        if key not in self._memo:
            self._memo[key] = of(self.state, self.action)
        found: MeasureT = self._memo[key]
        return found
