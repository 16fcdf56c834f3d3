"""What a `Field` keeps up as bodies move: the grid of bodies, and what is known of each radius."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tapeline.geometry import backends
from tapeline.geometry.backends import entry
from tapeline.geometry.discs.board import Board, Circles, Sides
from tapeline.geometry.discs.free_border import ARCS
from tapeline.geometry.discs.obstacles import StaticBoard
from tapeline.geometry.discs.scratch import rows_of
from tapeline.geometry.discs.spans import cells_of

__all__ = ["FreeBorder", "border_of", "keep", "more_circles", "put_body"]

#: Radii for which a field stays prepared; more push out the oldest.
_PREPARED = 8


@entry()
def put_body(board: Board, index: int, take: bool) -> bool:
    """Put a disc into the grid of bodies, or take it out. False if a cell has no room."""
    grid, slots, room = board.grid, board.slots, board.counts[3]
    x, y, radius = board.discs[3 * index], board.discs[3 * index + 1], board.discs[3 * index + 2]
    nx = int(grid[3])
    i0, i1, j0, j1 = cells_of(x - radius, y - radius, x + radius, y + radius, grid)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            at = (j * nx + i) * room
            last = at + room
            s = at
            while s < last and slots[s] >= 0 and slots[s] != index:
                s += 1
            if take:
                while s + 1 < last and slots[s] >= 0:
                    slots[s] = slots[s + 1]
                    s += 1
                if s < last:
                    slots[s] = -1
            elif s == last:
                return False
            else:
                slots[s] = index
    return True


@entry()
def forget_near(circles: Circles, x: float, y: float, reach: float) -> None:
    """Forget the free arcs of circles that come within `reach` of a point."""
    discs, counts = circles.discs, circles.counts
    for i in range(len(counts)):
        dx, dy = discs[3 * i] - x, discs[3 * i + 1] - y
        far = reach + discs[3 * i + 2]
        if dx * dx + dy * dy <= far * far:
            counts[i] = -1


@dataclass(slots=True)
class FreeBorder:
    """What is known of the border of free ground for one radius; sides once they are asked for."""

    circles: Circles
    sides: Sides | None = None

    def copy(self) -> FreeBorder:
        """Its own circles, counts, arcs and pieces; the sides themselves are shared."""
        discs, counts, arcs, room = self.circles
        circles = Circles(discs.copy(), counts.copy(), arcs.copy(), room)
        if self.sides is None:
            return FreeBorder(circles)
        figures, counts, pieces, room = self.sides
        return FreeBorder(circles, Sides(figures, counts.copy(), pieces.copy(), room))

    def forget(self, kernels: Any, x: float, y: float, reach: float) -> None:
        """Forget what is free within `reach` of a point."""
        kernels.forget_near(self.circles, x, y, reach)
        if self.sides is not None:
            kernels.forget_sides(self.sides, x, y, reach)


def border_of(ground: StaticBoard, discs: Any, r: float, compiled: bool) -> FreeBorder:
    """The circles that a disc of radius r may run round: of corners, posts and bodies (`discs`)."""
    flat: list[float] = []
    for x, y, thickness in ground.corners:
        flat += [x, y, 0.0 if thickness < 0.0 else thickness + r]
    counts = [-1] * (len(flat) // 3)
    for k, (x, y, radius) in enumerate(rows_of(discs, 3)):
        flat += [x, y, max(0.0, radius + r)]
        counts.append(0 if radius < 0.0 and k >= len(ground.posts) else -1)
    circles = Circles(flat, counts, [0.0] * (2 * ARCS * len(counts)), ARCS)
    return FreeBorder(backends.converted(circles, compiled))


def more_circles(circles: Circles, flat: list[float], known: int) -> Circles:
    """With more circles (x, y, radius), each with that count of free arcs: -1 unknown."""
    more = len(flat) // 3
    return Circles(
        backends.joined(circles.discs, flat),
        backends.joined(circles.counts, [known] * more),
        backends.joined(circles.arcs, [0.0] * (2 * circles.room * more)),
        circles.room,
    )


def keep(kept: dict[Any, Any], key: object, value: object) -> None:
    """Keep a thing by radius; the oldest goes when there are too many."""
    while len(kept) >= _PREPARED:
        kept.pop(next(iter(kept)), None)
    kept[key] = value
