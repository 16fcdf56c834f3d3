"""Where the stands of a unit are to end: blocks moved or wheeled, lines and columns formed,
rectangles arranged edge to edge about the first."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from tapeline.engine.limits import closer_than, more_than
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.ranks.bases import Point

__all__ = [
    "Aim",
    "Ranked",
    "Slot",
    "arm_of",
    "as_block",
    "as_column",
    "as_line",
    "in_slot",
    "middle",
    "pivot_of",
    "shared_out",
    "slots_about",
    "wheeled",
]


#: Rectangles of which all arrangements are tried; of more only lines, columns and the present one.
_ARRANGED = 4
#: Rectangles in places beside the first that are remembered.
_REMEMBERED = 1 << 12
#: A place beside the first: how far ahead and to the left, table units, and how it is turned.
Slot = tuple[float, float, float]


def middle(rects: Sequence[Rect]) -> Point:
    """The middle of a unit: the mean of its stands' centres."""
    count = len(rects)
    return sum(r.x for r in rects) / count, sum(r.y for r in rects) / count


def as_block(rects: Sequence[Rect], to: Point, by: float) -> list[Rect]:
    """The stands moved as one: turned about their middle by degrees, the middle shifted to `to`."""
    centre = middle(rects)
    dx, dy = to[0] - centre[0], to[1] - centre[1]
    return [rect.turned(math.radians(by), centre).moved(dx, dy) for rect in rects]


def pivot_of(rects: Sequence[Rect], side: str) -> Point:
    """The front corner at one end of a unit as its first stand faces; side "left" or "right"."""
    corners = [rect.corners[1 if side == "left" else 0] for rect in rects]
    places = [rects[0].local(corner) for corner in corners]
    outward = [left if side == "left" else -left for _, left in places]
    # Of stands in file, whose corners are as far out but for rounding, the foremost.
    ends = [i for i, out in enumerate(outward) if not more_than(max(outward), out)]
    return corners[max(ends, key=lambda i: places[i][0])]


def arm_of(rects: Sequence[Rect], pivot: Point) -> float:
    """How far off a point the corner of the stands is that goes farthest as they turn about it."""
    return max(math.dist(pivot, corner) for rect in rects for corner in rect.corners)


def wheeled(rects: Sequence[Rect], pivot: Point, by: float) -> list[Rect]:
    """The stands turned about one point by degrees."""
    return [rect.turned(math.radians(by), pivot) for rect in rects]


def as_line(lead: Rect, count: int, place: int) -> list[Rect]:
    """The places of a line of stands, from left to right; the given one is `lead`'s, from 0."""
    return [in_slot(lead, (0.0, (place - index) * lead.width, 0.0)) for index in range(count)]


def as_column(lead: Rect, count: int) -> list[Rect]:
    """The places of a column of stands, `lead`'s first."""
    return [in_slot(lead, (-index * lead.depth, 0.0, 0.0)) for index in range(count)]


def shared_out(rects: Sequence[Rect], places: Sequence[Rect]) -> list[Rect]:
    """For each stand a place of its own, so that the farthest goes as short a way as can be."""
    best: tuple[float, tuple[Rect, ...]] = (math.inf, tuple(places))
    for order in itertools.permutations(places):
        ways = [math.hypot(p.x - r.x, p.y - r.y) for r, p in zip(rects, order, strict=True)]
        cost = max(ways, default=0.0) + 1e-3 * sum(ways)
        if closer_than(cost, best[0]):
            best = (cost, order)
    return list(best[1])


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


@lru_cache(maxsize=_REMEMBERED)
def in_slot(first: Rect, slot: Slot) -> Rect:
    """A rectangle of the size of the first in a place beside it."""
    ahead, left, turned = slot
    x, y = first.world(ahead, left)
    way = () if turned else (first.ux, first.uy)
    return Rect(x, y, first.facing + turned, first.width, first.depth, *way)


def slots_about(first: Rect, others: Sequence[Rect]) -> Iterator[tuple[tuple[Slot, ...], bool]]:
    """Places of the others about the first, and whether they make a line or a column: as they
    stand, then all arrangements edge to edge."""
    now = []
    for rect in others:
        ahead, left = first.local(rect.centre)
        now.append((ahead, left, rect.facing - first.facing))
    yield tuple(now), True
    for cells in _cells(len(others) + 1):
        straight = len({i for i, _ in cells}) == 1 or len({j for _, j in cells}) == 1
        yield (
            tuple((j * first.depth, i * first.width, 0.0) for i, j in cells if (i, j) != (0, 0)),
            straight,
        )
