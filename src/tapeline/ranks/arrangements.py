"""Rectangles arranged edge to edge about the first, and places for them, the best first."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.ranks.bases import Point

__all__ = ["Aim", "Ranked", "Slot", "slots_about"]


#: Rectangles of which all arrangements are tried; of more only lines, columns and the present one.
_ARRANGED = 4
#: A place beside the first: how far ahead and to the left, table units, and how it is turned.
Slot = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Aim:
    """Where all of them may end: places for all, the first's first, that they are shifted from by
    so far along u. worth: the farther and the more in order, the more."""

    worth: float
    places: tuple[tuple[str, Rect], ...]
    u: Point
    far: float

    @property
    def ends(self) -> Iterator[tuple[str, Rect]]:
        """The pose that each is to end in."""
        shift = (self.far * self.u[0], self.far * self.u[1])
        return ((name, place.moved(*shift)) for name, place in self.places)


class Ranked:
    """Aims of several arrangements, those worth most first, worked out as far as asked for.

    Each arrangement comes with what none of its aims is worth more than. Of equals the first.
    """

    def __init__(self, arrangements: Iterable[tuple[float, Callable[[], Iterable[Aim]]]]) -> None:
        self._found: list[Aim] = []
        self._open: list[tuple[float, int, int, Any]] = [
            (-most, number, -1, aims) for number, (most, aims) in enumerate(arrangements)
        ]
        heapq.heapify(self._open)

    def first(self, count: float) -> Iterator[Aim]:
        """So many of them, or all if there are fewer."""
        number = 0
        while number < count:
            while number == len(self._found):
                if not self._open:
                    return
                _, arrangement, place, what = heapq.heappop(self._open)
                if place >= 0:
                    self._found.append(what)
                    continue
                for at, aim in enumerate(what()):
                    heapq.heappush(self._open, (-aim.worth, arrangement, at, aim))
            yield self._found[number]
            number += 1


@cache
def _cells(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Arrangements of rectangles edge to edge about one at (0, 0): steps to the left and ahead."""
    if count > _ARRANGED:
        rows = [tuple((i - k, 0) for i in range(count)) for k in range(count)]
        return (*rows, *(tuple((0, i) for i, _ in row) for row in rows))
    found = {frozenset({(0, 0)})}
    for _ in range(count - 1):
        found = {
            cells | {(i + di, j + dj)}
            for cells in found
            for i, j in cells
            for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if (i + di, j + dj) not in cells
        }
    return tuple(sorted(tuple(sorted(cells)) for cells in found))


def slots_about(first: Rect, others: Sequence[Rect]) -> Iterator[tuple[tuple[Slot, ...], bool]]:
    """Places of the others about the first, and whether they make a line or a column: as they
    stand, then all arrangements edge to edge."""
    now = []
    for rect in others:
        ahead, left = first.local((rect.x, rect.y))
        now.append((ahead, left, rect.facing - first.facing))
    yield tuple(now), True
    for cells in _cells(len(others) + 1):
        straight = len({i for i, _ in cells}) == 1 or len({j for _, j in cells}) == 1
        yield (
            tuple((j * first.depth, i * first.width, 0.0) for i, j in cells if (i, j) != (0, 0)),
            straight,
        )
