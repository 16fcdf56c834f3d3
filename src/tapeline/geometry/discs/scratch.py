"""Arrays that kernels of searches write to: one set a thread and backend."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tapeline.errors import WorkLimitError
from tapeline.geometry.backends import blank, blank_ints
from tapeline.geometry.discs.dominance import GENERATOR
from tapeline.geometry.discs.many_routes import ANSWER, LEG, Questions
from tapeline.geometry.discs.tangent_graph import LINK, LOOK, NODE, WEDGE, Goals, SearchSpace

__all__ = ["SCRATCH", "Space", "listed", "rows_of"]

#: Scratch for the blocked intervals of one circle: pairs of floats.
_INTERVALS = 2048
#: Nodes there is room for at first.
_NODES = 2048
#: Nodes that may reach a goal at the least length, or be taken up in a reach.
_FOUND = 256
#: Rows of routes to one point there is room for at first.
_ROWS = 64


class Space:
    """Arrays that a search writes to, in one backend; they only grow."""

    __slots__ = (
        "compiled", "floats", "generators", "goal", "ints", "none", "question", "search", "version",
    )  # fmt: skip

    def __init__(self, compiled: bool) -> None:
        self.compiled = compiled
        #: Goes up whenever an array makes way for a larger one.
        self.version = 0
        #: New numbers, and new whole numbers, all 0.
        self.floats = f = partial(blank, compiled=compiled)
        self.ints = i = partial(blank_ints, compiled=compiled)
        self.search = SearchSpace(
            i(0), i(0), i(0), f(0),
            f((NODE + 1) * _NODES), i((LINK + 1) * _NODES), i(_FOUND), i(8), f(_INTERVALS),
        )  # fmt: skip
        self.generators = f(GENERATOR * _FOUND)
        self.none, self.goal = Goals(f(0), f(0), 0), Goals(f(6), f(0), 1)
        # One question to `ways` and its answer.
        self.question = Questions(f(4), f(1), i(2 * ANSWER), f(LEG * _ROWS))

    @property
    def nodes(self) -> int:
        """How many nodes there is room for."""
        return len(self.search.links) // (LINK + 1)

    def _grown(self, **arrays: Any) -> None:
        self.search = self.search._replace(**arrays)
        self.version += 1

    def grow_nodes(self, nodes: int) -> None:
        """Make room for that many nodes and their queue."""
        self._grown(nodes=self.floats((NODE + 1) * nodes), links=self.ints((LINK + 1) * nodes))

    def grow_found(self) -> None:
        """Double the room for nodes found."""
        found = 2 * len(self.search.found)
        self.generators = self.floats(GENERATOR * found)
        self._grown(found=self.ints(found))

    def grow_circles(self, count: int, room: int) -> None:
        """Make room for that many circles with `room` arcs each, where there is less."""
        search = self.search
        if len(search.candidates) < count or len(search.heads) < 2 * room * count:
            self._grown(
                candidates=self.ints(count),
                heads=self.ints(2 * room * count),
                some=self.ints(count),
                looks=self.floats((LOOK + WEDGE * room) * count),
            )

    def grow_spans(self) -> None:
        """Double the room for what meets one circle. WorkLimitError beyond a million."""
        size = 2 * len(self.search.spans)
        if size > 1 << 22:
            raise WorkLimitError("more than a million obstacles meet one circle")
        self._grown(spans=self.floats(size))

    def grow_rows(self) -> None:
        """Double the room for the rows of one answer."""
        rows = self.floats(2 * len(self.question.rows))
        self.question = self.question._replace(rows=rows)


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
        return self._kept(name, size, compiled, self.space(compiled).floats)

    def ints(self, name: str, size: int, compiled: bool) -> Any:
        """Whole numbers by name, at least that many."""
        return self._kept(name, size, compiled, self.space(compiled).ints)

    def _kept(self, name: str, size: int, compiled: bool, made: Callable[[int], Any]) -> Any:
        had = self.kept.get((name, compiled))
        if had is None or len(had) < size:
            had = self.kept[name, compiled] = made(size)
        return had


SCRATCH = _Scratch()


def rows_of(values: Any, size: int) -> Iterator[tuple[Any, ...]]:
    """One of a backend's arrays as rows of so many Python numbers."""
    return zip(*[iter(listed(values))] * size, strict=True)


def listed(values: Any) -> list[Any]:
    """A slice of one of a backend's arrays as a list of Python numbers."""
    return values if type(values) is list else values.tolist()
