"""Where labels go: each takes the first of its places that hits nothing, else the least bad."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import floor
from typing import TypeAlias

__all__ = ["Box", "Crowd", "around", "box"]

#: Left, top, right, bottom, in pixels.
Box: TypeAlias = tuple[float, float, float, float]


#: Pixels: the side of a cell by which is looked up what lies near.
_CELL = 48.0
#: Cells: what lies in more is looked at always.
_MANY = 400


def box(x: float, y: float, width: float, height: float) -> Box:
    """The box centred on x, y."""
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _shared(a: Box, b: Box) -> float:
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    return across * down if across > 0 and down > 0 else 0.0


def _cells_of(what: Box) -> list[tuple[int, int]]:
    """The cells that a box lies in; one more than many if there are more."""
    x0, y0, x1, y1 = (floor(v / _CELL) for v in what)
    cells = product(range(x0, x1 + 1), range(y0, y1 + 1))
    return list(islice(cells, _MANY + 1))


@dataclass
class Crowd:
    """What is drawn already, as boxes with the weight of covering them, inside an area."""

    area: Box
    taken: list[tuple[Box, float]] = field(default_factory=list)
    #: Numbers of what is taken, by cell; of what lies in very many cells.
    _cells: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    _wide: list[int] = field(default_factory=list)

    def take(self, what: Box, weight: float = 1.0) -> None:
        """Something stands there."""
        number = len(self.taken)
        self.taken.append((what, weight))
        cells = _cells_of(what)
        if len(cells) > _MANY:
            self._wide.append(number)
        else:
            for cell in cells:
                self._cells.setdefault(cell, []).append(number)

    def _near(self, what: Box) -> Sequence[int]:
        """Numbers of what may be hit there, in order."""
        cells = _cells_of(what)
        if len(cells) > _MANY:
            return range(len(self.taken))
        return sorted({*self._wide, *(n for cell in cells for n in self._cells.get(cell, ()))})

    def cost(self, what: Box) -> float:
        """How bad it is to put something there; 0 if it hits nothing."""
        left, top, right, bottom = self.area
        size = (what[2] - what[0]) * (what[3] - what[1])
        inside = _shared(what, (left, top, right, bottom))
        total = 8.0 * (size - inside)
        x0, y0, x1, y1 = what
        for number in self._near(what):
            other, weight = self.taken[number]
            if other[0] < x1 and x0 < other[2] and other[1] < y1 and y0 < other[3]:
                total += weight * _shared(what, other)
        return total

    def inside(self, place: Box) -> bool:
        """Whether the middle of a place lies on what is shown."""
        x, y = 0.5 * (place[0] + place[2]), 0.5 * (place[1] + place[3])
        left, top, right, bottom = self.area
        return left <= x <= right and top <= y <= bottom

    def put(self, places: Sequence[Box], weight: float, penalty: float = 0.0) -> tuple[int, Box]:
        """Take the `best` place: its index, and itself."""
        index, place = self.best(places, penalty)
        self.take(place, weight)
        return index, place

    def best(self, places: Sequence[Box], penalty: float = 0.0) -> tuple[int, Box]:
        """Index of the best place, and itself; later places cost `penalty` more each."""
        found, least = 0, float("inf")
        for index, place in enumerate(places):
            cost = self.cost(place) + index * penalty
            if cost < least - 1e-9:
                found, least = index, cost
                if cost <= index * penalty and penalty == 0.0:
                    break
        return found, places[found]


def around(
    x: float, y: float, reach_x: float, reach_y: float, width: float, height: float
) -> list[Box]:
    """Places for a label about something: below, above, right, left, corners, then farther off."""
    places: list[Box] = []
    for step in (0.0, 9.0, 20.0):
        down, across = reach_y + height / 2 + 1 + step, reach_x + width / 2 + 3 + step
        beside = reach_x + 0.25 * width + step
        spots: Iterable[tuple[float, float]] = (
            (x, y + down),
            (x, y - down),
            (x + across, y),
            (x - across, y),
            (x + beside, y + down),
            (x - beside, y + down),
            (x + beside, y - down),
            (x - beside, y - down),
        )
        places.extend(box(px, py, width, height) for px, py in spots)
    return places
