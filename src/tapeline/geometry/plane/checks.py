"""Which numbers shapes may be made of."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tapeline.errors import ShapeError
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.distance import Ring, ring_area

__all__ = ["LARGEST", "checked", "checked_turn", "oriented", "smallest"]

#: Largest coordinate, table units: beyond it a double holds less than a millionth.
LARGEST = 1e10

#: Farthest that one motion may turn, radians: each time round has its own contacts.
_WINDS = 2000.0 * math.pi

#: Share of a coordinate that a side must have for its two ends to be different doubles.
_SHARE = 1e-15


def checked(values: Iterable[float], what: str) -> None:
    """Raise ShapeError unless all numbers are finite and at most LARGEST from 0."""
    for v in values:
        if not -LARGEST <= v <= LARGEST:
            raise ShapeError(
                f"{what}: coordinates and lengths must be numbers from -1e10 to 1e10, not {v!r}"
            )


def checked_turn(values: Iterable[float], angle: float, what: str) -> None:
    """`checked`, and ShapeError for an angle (radians) of more than 1000 times round."""
    checked((*values, angle), what)
    if abs(angle) > _WINDS:
        raise ShapeError(f"{what}: it turns by {angle}, more than 1000 times round; split it")


def smallest(x: float, y: float) -> float:
    """The shortest side that a shape at (x, y) can have: LENGTH, and more far from (0, 0).

    >>> smallest(48.0, 30.0), smallest(1e9, 0.0)
    (1e-09, 1e-06)
    """
    return max(LENGTH, _SHARE * max(abs(x), abs(y)))


def oriented(ring: Ring, what: str) -> list[float]:
    """Corners of a ring counter-clockwise without repeats. ShapeError if there is no area."""
    flat = [float(v) for v in ring]
    checked(flat, what)
    if len(flat) % 2 or len(flat) < 6:
        raise ShapeError(f"{what}: a ring needs 3 corners or more, flat x, y")
    corners: list[float] = []
    for i in range(0, len(flat), 2):
        if flat[i : i + 2] != flat[i - 2 : i] if i else flat[0:2] != flat[-2:]:
            corners += flat[i : i + 2]
    area = ring_area(corners) if len(corners) >= 6 else 0.0
    if area == 0.0:
        raise ShapeError(f"{what}: the ring has no area")
    if area < 0.0:
        corners = [v for i in range(len(corners) - 2, -1, -2) for v in corners[i : i + 2]]
    return corners
