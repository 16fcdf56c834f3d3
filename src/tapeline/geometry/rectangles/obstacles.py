"""First contact of rectangles with many obstacles at once, from flat arrays.

`Obstacles` packs the convex parts of regions into a few arrays. One slide, turn or free leg is a
batch of one: both go through the same kernel, so their answers are the same bit for bit. The
backend (plain Python or compiled) is the one `backends` chooses when the call is made.

A contact counts when the motion goes on to overlap by more than the tolerance (`depth`); the number
given is where the shapes themselves meet, as in `slide`, `turn` and `free_leg`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.backends import chosen, floats, functions, ints
from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.plane.checks import checked, checked_turn
from tapeline.geometry.rectangles.impact_batch import first_frees, first_slides
from tapeline.geometry.rectangles.rectangle import Part, Point, Rect, Region
from tapeline.geometry.rectangles.turn_batch import TURNING, first_turns

__all__ = ["Obstacles", "first_frees", "first_slides", "first_turns"]


def _blank(count: int, compiled: bool) -> Any:
    """Room for so many numbers, as that backend wants it."""
    if not compiled:
        return [0.0] * count
    import numpy as np

    return np.zeros(count)


def _answers(count: int, compiled: bool) -> tuple[Any, Any]:
    """Room for so many lengths or angles, and for the parts met."""
    if not compiled:
        return [0.0] * count, [0] * count
    import numpy as np

    return np.zeros(count), np.zeros(count, np.int64)


def _box_of(part: Part) -> tuple[float, float, float, float]:
    xs, ys, r = part.loop[::2], part.loop[1::2], part.radius
    return (min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r)


def _normals_of(loop: Sequence[float]) -> list[float]:
    """Outward normal and offset of each side; a side of no length bounds nothing."""
    found: list[float] = []
    for i in range(0, len(loop), 2):
        j = (i + 2) % len(loop)
        ex, ey = loop[j] - loop[i], loop[j + 1] - loop[i + 1]
        length = math.sqrt(ex * ex + ey * ey)
        if length == 0.0:
            found.extend((0.0, 0.0, math.inf))
        else:
            nx, ny = ey / length, -ex / length
            found.extend(
                (nx, ny, max(nx * loop[i] + ny * loop[i + 1], nx * loop[j] + ny * loop[j + 1]))
            )
    return found


class Obstacles:
    """The convex parts of many regions as flat arrays, with first contacts of rectangles.

    Parts are kept from left to right. Arrays: `corners` (x0, y0, ...), `starts` (first number of
    each part, and the end), `radii`, `boxes` (middle and half lengths), `normals` (outward, and the
    offset of that side), `rights` (the farthest right of any part so far). `owners[k]` is the
    region part k belongs to.
    Answers: (how far until the contact, index of the region, -1 for none).

    >>> from tapeline.geometry.rectangles.rectangle import region_of_circle
    >>> walls = Obstacles([region_of_circle(18, 19, 3), region_of_circle(18, 21, 3)])
    >>> walls.slide(Rect(10, 18, 0, 4, 2), (1, 0), 8)
    (4.0, 0)
    """

    def __init__(self, regions: Sequence[Region]) -> None:
        parts = [
            (_box_of(part), index, part)
            for index, region in enumerate(regions)
            for part in region.parts
        ]
        parts.sort(key=lambda entry: entry[0][0])
        corners: list[float] = []
        starts = [0]
        boxes: list[float] = []
        normals: list[float] = []
        for (left, bottom, right, top), _, part in parts:
            corners.extend(part.loop)
            starts.append(len(corners))
            boxes.extend((0.5 * (left + right), 0.5 * (bottom + top)))
            # Half lengths, rounded up.
            boxes.extend((0.5 * (right - left) + ROUNDING, 0.5 * (top - bottom) + ROUNDING))
            normals.extend(_normals_of(part.loop))
        self.owners = tuple(index for _, index, _ in parts)
        radii = [part.radius for _, _, part in parts]
        rights = list(itertools.accumulate((box[2] + ROUNDING for box, _, _ in parts), max))
        self._plain = (corners, starts, radii, boxes, normals, rights)
        self._packed: Any = None
        most = max((b - a for a, b in itertools.pairwise(starts)), default=2) // 2
        self._room = TURNING + 8 * (12 * most + 4)

    def _arrays(self, compiled: bool) -> Any:
        if not compiled:
            return self._plain
        if self._packed is None:
            corners, starts, *rest = self._plain
            self._packed = (
                floats(corners, True),
                ints(starts, True),
                *(floats(values, True) for values in rest),
            )
        return self._packed

    def slides(
        self, loops: Any, directions: Any, distances: Any, depth: float = LENGTH
    ) -> tuple[Any, Any]:
        """Slides of n rectangles: flat corners (8 n), unit directions (2 n), distances (n).

        Sequences of floats in plain Python, float64 arrays when compiled; out come the lengths
        until first contact (the distance where there is none) and the parts met (-1 for none).
        """
        backend = chosen()
        n = len(distances)
        at, part = _answers(n, backend)
        scratch = _blank(12, backend)
        run = functions(backend).first_slides
        run(loops, directions, distances, depth, *self._arrays(backend), scratch, at, part)
        return at, part

    def turns(self, loops: Any, pivots: Any, angles: Any, depth: float = LENGTH) -> tuple[Any, Any]:
        """Turns of n rectangles: flat corners (8 n), pivots (2 n), signed angles (n, <= 2 pi)."""
        backend = chosen()
        at, part = _answers(len(angles), backend)
        scratch = _blank(self._room, backend)
        run = functions(backend).first_turns
        run(loops, pivots, angles, depth, *self._arrays(backend), scratch, at, part)
        return at, part

    def frees(self, loops: Any, centres: Any, legs: Any, depth: float = LENGTH) -> tuple[Any, Any]:
        """Free legs of n rectangles: flat corners (8 n), centres (2 n), (dx, dy, angle) (3 n).

        Out come fractions of the legs. Raises WorkLimitError if a leg winds so often that it has
        more than 65536 critical places.
        """
        backend = chosen()
        n = len(centres) // 2
        at, part = _answers(n, backend)
        run = functions(backend).first_frees
        size = 512
        while size <= 1 << 16:
            scratch = _blank(219 + size, backend)
            row = run(loops, centres, legs, depth, *self._arrays(backend), scratch, at, part)
            if row < 0:
                return at, part
            size *= 8
        raise WorkLimitError(f"free leg {row}: too many critical places; split the leg")

    def _owner(self, part: int) -> int:
        return self.owners[part] if part >= 0 else -1

    def slide(
        self, rect: Rect, direction: Point, distance: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Length slid until the first contact, and the region met."""
        checked((*direction, distance), "slide")
        length = math.hypot(*direction)
        if not length or distance < 0.0:
            raise ShapeError(f"slide: direction {direction!r}, distance {distance!r}")
        backend = chosen()
        u = floats([direction[0] / length, direction[1] / length], backend)
        at, part = self.slides(floats(rect.loop, backend), u, floats([distance], backend), depth)
        return float(at[0]), self._owner(int(part[0]))

    def turn(
        self, rect: Rect, pivot: Point, angle: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Angle turned (not signed) until the first contact, and the region met."""
        checked((*pivot, angle), "turn")
        if abs(angle) > 2.0 * math.pi:
            raise ShapeError(f"turn: pivot {pivot!r}, angle {angle!r} (at most a whole turn)")
        backend = chosen()
        at, part = self.turns(
            floats(rect.loop, backend), floats(pivot, backend), floats([angle], backend), depth
        )
        return float(at[0]), self._owner(int(part[0]))

    def free(
        self, rect: Rect, shift: Point, angle: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Fraction of a free leg until the first contact, and the region met."""
        checked_turn(shift, angle, "free leg")
        backend = chosen()
        at, part = self.frees(
            floats(rect.loop, backend),
            floats([rect.x, rect.y], backend),
            floats([*shift, angle], backend),
            depth,
        )
        return float(at[0]), self._owner(int(part[0]))
