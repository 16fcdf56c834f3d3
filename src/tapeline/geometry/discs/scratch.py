"""Arrays that kernels of searches write to: one set a thread and backend."""

from __future__ import annotations

import threading
from typing import Any

from tapeline.errors import WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.dominance import GENERATOR
from tapeline.geometry.discs.many_routes import ANSWER, LEG
from tapeline.geometry.discs.tangent_graph import LINK, LOOK, NODE, WEDGE

__all__ = ["SCRATCH", "Space", "listed"]

#: Scratch for the blocked intervals of one circle: pairs of floats.
INTERVALS = 2048
#: Nodes there is room for at first.
_NODES = 2048
#: Nodes that may reach a goal at the least length, or be taken up in a reach.
_FOUND = 256
#: Rows of routes to one point there is room for at first.
_ROWS = 64


class Space:
    """Arrays that a search writes to, in one backend; they only grow."""

    __slots__ = (
        "F",
        "K",
        "L",
        "O",
        "P",
        "V",
        "Z",
        "cand",
        "compiled",
        "found",
        "head",
        "lengths",
        "near",
        "none",
        "row",
        "some",
        "told",
        "version",
    )

    def __init__(self, compiled: bool) -> None:
        self.compiled = compiled
        #: Goes up whenever an array makes way for a larger one.
        self.version = 0
        self.cand = self.head = self.some = self.ints(0)
        self.near = self.floats(0)
        self.grow_nodes(_NODES)
        self.found, self.told = self.ints(_FOUND), self.ints(8)
        self.V = self.floats(GENERATOR * _FOUND)
        self.L, self.row, self.none = self.floats(INTERVALS), self.floats(6), self.floats(0)
        # One question to `ways` and its answer.
        self.P, self.lengths = self.floats(4), self.floats(1)
        self.O, self.Z = self.ints(2 * ANSWER), self.floats(LEG * _ROWS)

    @property
    def nodes(self) -> int:
        """How many nodes there is room for."""
        return len(self.K) // (LINK + 1)

    def grow_nodes(self, nodes: int) -> None:
        """Make room for that many nodes and their queue."""
        self.F, self.K = self.floats((NODE + 1) * nodes), self.ints((LINK + 1) * nodes)
        self.version += 1

    def grow_found(self) -> None:
        """Double the room for nodes found."""
        self.found = self.ints(2 * len(self.found))
        self.V = self.floats(GENERATOR * len(self.found))
        self.version += 1

    def grow_circles(self, count: int, room: int) -> None:
        """Make room for that many circles with `room` arcs each, where there is less."""
        if len(self.cand) < count or len(self.head) < 2 * room * count:
            self.cand, self.head = self.ints(count), self.ints(2 * room * count)
            self.some, self.near = self.ints(count), self.floats((LOOK + WEDGE * room) * count)
            self.version += 1

    def grow_scratch(self) -> None:
        """Double the room for what meets one circle. WorkLimitError beyond a million."""
        size = 2 * len(self.L)
        if size > 1 << 22:
            raise WorkLimitError("more than a million obstacles meet one circle")
        self.L = self.floats(size)
        self.version += 1

    def floats(self, size: int) -> Any:
        """New floats, all 0."""
        if not self.compiled:
            return [0.0] * size
        import numpy as np

        return np.zeros(size)

    def ints(self, size: int) -> Any:
        """New whole numbers, all 0."""
        if not self.compiled:
            return [0] * size
        import numpy as np

        return np.zeros(size, dtype=np.int64)


class _Scratch(threading.local):
    """Arrays that kernels write to; one set a thread and backend."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, bool], Any] = {}
        self.spaces: tuple[Space, Space | None] = (Space(False), None)

    def space(self, compiled: bool) -> Space:
        """What searches write to."""
        found = self.spaces[compiled]
        if found is None:
            found = Space(True)
            self.spaces = (self.spaces[0], found)
        return found

    def floats(self, name: str, size: int, compiled: bool) -> Any:
        """Floats by name, at least that many."""
        had = self.kept.get((name, compiled))
        if had is None or len(had) < size:
            had = backends.floats([0.0] * size, compiled)
            self.kept[name, compiled] = had
        return had

    def ints(self, name: str, size: int, compiled: bool) -> Any:
        """Whole numbers by name, at least that many."""
        had = self.kept.get((name, compiled))
        if had is None or len(had) < size:
            had = backends.ints([0] * size, compiled)
            self.kept[name, compiled] = had
        return had


SCRATCH = _Scratch()


def listed(values: Any) -> list[Any]:
    """A slice of one of a backend's arrays as a list of Python numbers."""
    return values if type(values) is list else values.tolist()
