"""Kernels: where the disc may stand on a side of a mesh, and whether a way may pass between.

Free parts of a side are 2 floats each, in order: from where to where, of the side's length as 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tapeline.geometry.backends import kernel
from tapeline.geometry.discs.board import Clearance
from tapeline.geometry.discs.free_border import free_spans
from tapeline.geometry.discs.spans import Curve

__all__ = ["CLOSE", "SideRoom", "free_parts", "passable"]

#: Part of a side: ends of free parts that are nearer to its own ends than this are these.
CLOSE = 1e-7


class SideRoom(NamedTuple):
    """Room for the free parts of a side, and scratch for what bars it."""

    free: list[float]
    barred: list[float]


@kernel
def free_parts(ax: float, ay: float, bx: float, by: float, room: SideRoom, clear: Clearance) -> int:
    """The parts of a side from a to b where the disc may stand; how many, below 0 without room."""
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    side = Curve(ax, ay, dx / length, dy / length, length, 0.0)
    n = free_spans(side, room.free, 0, len(room.free) // 2, room.barred, clear)
    for k in range(2 * n):
        room.free[k] /= length
    return n


@kernel
def passable(n: int, a_free: bool, b_free: bool, even: bool, room: SideRoom) -> bool:
    """Whether a way may pass a side from whose ends none leads on that is cheap enough.

    even: all within a side's length of it is ground of one factor. A way through a free part that
    begins at an end does not get farther than one through that end does, if it goes on for a
    side's length or more; so only parts between two that are barred count.
    """
    if n <= 0:
        return n < 0
    from_a, to_b = room.free[0] < CLOSE, room.free[2 * n - 1] > 1.0 - CLOSE
    if (from_a and not a_free) or (to_b and not b_free):
        return True
    if n == 1 and from_a and to_b:
        return not even
    return n > from_a + to_b or (not even and (from_a or to_b))
