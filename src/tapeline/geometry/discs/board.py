"""What stands on a table, as searches over it see it."""

from __future__ import annotations

from typing import Any, Protocol

from tapeline.geometry.discs.many_goals import Asking
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.updates import Circles

__all__ = ["SLACK", "WORK", "Board"]

#: Rounding that a disc may stand inside an obstacle and still count as clear of it; length.
SLACK = 1e-9
#: States a search may make before it gives up, unless told otherwise.
WORK = 1_000_000


class Board(Protocol):
    """The arrays of a table and what is kept for a radius. `Field` is one.

    D: discs, x, y, radius each. compiled: whether its arrays are for compiled kernels.
    """

    D: Any
    compiled: bool

    @property
    def kernels(self) -> Any:
        """The kernels that go with its arrays."""

    @property
    def board(self) -> tuple[Any, ...]:
        """The arrays in the order in which kernels take them."""

    @property
    def bodies(self) -> dict[str, Circle]:
        """Bodies by id: x, y, radius."""

    def board_for(self, r: float) -> tuple[Any, ...]:
        """The arrays for one radius."""

    def solids_for(self, r: float) -> tuple[Any, Any]:
        """Rings that a disc may not be inside of, and where each begins."""

    def circles(self, r: float) -> Circles:
        """The circles that a disc may run round."""

    def sides(self, r: float) -> list[float]:
        """The straight parts of the border of where a disc may be."""

    def cells_for(self, r: float, slack: float) -> tuple[Any, Any, Any]:
        """Fine cells prepared for a radius, or empty ones."""

    def asking(self, r: float, slack: float = SLACK) -> Asking:
        """What routes of one disc to points take."""
