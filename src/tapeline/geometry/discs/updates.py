"""What a `Field` keeps up as bodies move: the grid of bodies, and what is known of each radius."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tapeline.geometry import backends
from tapeline.geometry.backends import entry, no_refcount
from tapeline.geometry.discs.obstacles import Ground
from tapeline.geometry.discs.offset_arcs import ARCS
from tapeline.geometry.discs.spans import cell_at

__all__ = ["Circles", "Sides", "circles_of", "forget_near", "keep", "put_body"]

#: Radii for which a field stays prepared; more push out the oldest.
_PREPARED = 8


@entry("boolean(int64[::1], int64, float64, float64, float64, float64[::1], int64, boolean)")
@no_refcount
def put_body(
    B: list[int],
    index: int,
    x: float,
    y: float,
    radius: float,
    W: Sequence[float],
    room: int,
    take: bool,
) -> bool:
    """Put disc `index` into the grid of bodies, or take it out. False if a cell has no room."""
    nx, ny = int(W[3]), int(W[4])
    i0 = cell_at((x - radius - W[0]) / W[2], nx)
    i1 = cell_at((x + radius - W[0]) / W[2], nx)
    j0 = cell_at((y - radius - W[1]) / W[2], ny)
    j1 = cell_at((y + radius - W[1]) / W[2], ny)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            at = (j * nx + i) * room
            last = at + room
            s = at
            while s < last and B[s] >= 0 and B[s] != index:
                s += 1
            if take:
                while s + 1 < last and B[s] >= 0:
                    B[s] = B[s + 1]
                    s += 1
                if s < last:
                    B[s] = -1
            elif s == last:
                return False
            else:
                B[s] = index
    return True


@entry("void(float64[::1], int64[::1], float64, float64, float64)")
@no_refcount
def forget_near(C: Sequence[float], N: list[int], x: float, y: float, reach: float) -> None:
    """Forget the free arcs of circles that come within `reach` of a point."""
    for i in range(len(N)):
        dx, dy = C[3 * i] - x, C[3 * i + 1] - y
        far = reach + C[3 * i + 2]
        if dx * dx + dy * dy <= far * far:
            N[i] = -1


@dataclass(slots=True)
class Circles:
    """For one radius: circles (x, y, radius), how many free arcs each has (-1 unknown), those."""

    C: Any
    N: Any
    A: Any
    room: int
    first: int  # the first body's
    sides: Sides | None = None

    def copy(self) -> Circles:
        """Its own counts, arcs and pieces."""
        sides = None if self.sides is None else self.sides.copy()
        return Circles(self.C.copy(), self.N.copy(), self.A.copy(), self.room, self.first, sides)


@dataclass(slots=True)
class Sides:
    """For one radius: sides (`sides.SIDE`), counts of free pieces (-1 unknown), those."""

    H: Any
    M: Any
    Z: Any
    room: int

    def copy(self) -> Sides:
        """Its own counts and pieces; the sides are shared."""
        return Sides(self.H, self.M.copy(), self.Z.copy(), self.room)


def circles_of(ground: Ground, discs: Any, r: float, compiled: bool) -> Circles:
    """The circles that a disc of radius r may run round: of corners, posts and bodies (`discs`)."""
    flat: list[float] = []
    for x, y, thickness in ground.corners:
        flat += [x, y, 0.0 if thickness < 0.0 else thickness + r]
    first = len(flat) // 3 + ground.posts
    radii = [float(discs[3 * k + 2]) for k in range(len(discs) // 3)]
    for k, radius in enumerate(radii):
        flat += [float(discs[3 * k]), float(discs[3 * k + 1]), max(0.0, radius + r)]
    count = len(flat) // 3
    found = Circles(
        backends.floats(flat, compiled),
        backends.ints([-1] * count, compiled),
        backends.floats([0.0] * (2 * ARCS * count), compiled),
        ARCS,
        first,
    )
    for k in range(ground.posts, len(radii)):
        if radii[k] < 0.0:
            found.N[first + k - ground.posts] = 0
    return found


def keep(kept: dict[Any, Any], key: object, value: object) -> None:
    """Keep a thing by radius; the oldest goes when there are too many."""
    while len(kept) >= _PREPARED:
        kept.pop(next(iter(kept)), None)
    kept[key] = value
