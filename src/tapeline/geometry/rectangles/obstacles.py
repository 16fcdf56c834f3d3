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
import threading
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.backends import blank, blank_ints, chosen, floats, functions, ints, room
from tapeline.geometry.epsilons import LENGTH, ROUNDING
from tapeline.geometry.plane.checks import checked, checked_turn
from tapeline.geometry.rectangles.motion_legs import (
    FREE,
    NODE,
    NODES,
    POSE,
    ROW,
    ROWS,
    SLIDE,
    START,
    TURN,
    LegRoom,
    MotionLimits,
    MotionRoom,
    MotionSpace,
)
from tapeline.geometry.rectangles.motion_search import motions
from tapeline.geometry.rectangles.rectangle import Part, Point, Rect, Region
from tapeline.geometry.rectangles.slide import entered_spans
from tapeline.geometry.rectangles.slide_impact import PackedParts, Sliding
from tapeline.geometry.rectangles.turn_batch import TURNING
from tapeline.work import count_work

__all__ = ["Obstacles", "motions", "room_of"]


def _given(values: Any, compiled: bool) -> Any:
    """Numbers given as that backend wants them; an array of float64 in one piece as it is."""
    if not compiled:
        return values
    import numpy as np

    return np.ascontiguousarray(values, np.float64)


class _Packed(NamedTuple):
    """A part with its ends from left to right, its corners, the middle and half lengths of its box
    (rounded up), and the outward normal and offset of each side; a side of no length bounds
    nothing. Lists of numbers as bytes, which are joined far faster."""

    left: float
    right: float
    size: int
    loop: bytes
    radius: float
    box: bytes
    normals: bytes


#: Regions with their parts packed, by identity: far cheaper to look up than by value.
_REGIONS: dict[int, tuple[Region, tuple[_Packed, ...]]] = {}
_REMEMBERED = 1 << 13


def _packed_parts(region: Region) -> tuple[_Packed, ...]:
    """The parts of a region, packed once."""
    known = _REGIONS.get(id(region))
    if known is None or known[0] is not region:
        if len(_REGIONS) >= _REMEMBERED:
            _REGIONS.clear()
        known = _REGIONS[id(region)] = (region, tuple(map(_packed, region.parts)))
    return known[1]


def _packed(part: Part) -> _Packed:
    loop, r = part.loop, part.radius
    left, right = min(loop[::2]) - r, max(loop[::2]) + r
    low, high = min(loop[1::2]) - r, max(loop[1::2]) + r
    box = (0.5 * (left + right), 0.5 * (low + high))
    half = (0.5 * (right - left) + ROUNDING, 0.5 * (high - low) + ROUNDING)
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
    return _Packed(left, right, len(loop), _bytes(loop), r, _bytes((*box, *half)), _bytes(found))


def _bytes(values: Sequence[float]) -> bytes:
    return array("d", values).tobytes()


def _joined(pieces: Iterable[bytes], compiled: bool) -> Any:
    """The numbers of several pieces, as that backend wants them."""
    whole = bytearray().join(pieces)
    if not compiled:
        return memoryview(whole).cast("d").tolist()
    import numpy as np

    return np.frombuffer(whole, np.float64)


#: Limits of motions that are no search.
_UNLIMITED = MotionLimits(math.inf, False, 0, 0, 0)
#: Room for the corners of a part grows by so many.
_CORNERS = 16


class _Rooms(threading.local):
    """Scratch kept for a thread, by backend and sizes."""

    def __init__(self) -> None:
        self.kept: dict[tuple[bool, int, int, int, int], MotionRoom] = {}


_ROOMS = _Rooms()


def room_of(compiled: bool, corners: int, critical: int, rows: int, entries: int) -> MotionRoom:
    """Scratch of `motions` for parts of so many corners, critical places of a free leg, poses of a
    search and entries of its queue; the same for a thread each time."""
    corners += _CORNERS - corners % _CORNERS
    key = (compiled, corners, critical, rows, entries)
    if key not in _ROOMS.kept:
        scratch = TURNING + 8 * (12 * corners + 4)
        leg = room(compiled, LegRoom, scratch, 219 + critical, 8, 2, 1, 3, 4, 1)
        poses, numbers, nodes = POSE * (START + 3 * rows), ROWS + ROW * rows, NODES + NODE * rows
        sizes = (poses, numbers, 12 * rows, 128 * corners + 16, entries, nodes, entries, entries)
        _ROOMS.kept[key] = room(compiled, MotionRoom, leg, *sizes)
    return _ROOMS.kept[key]


class Obstacles:
    """The convex parts of many regions as flat arrays, with first contacts of rectangles.

    Parts are kept from left to right (`PackedParts`). `owners[k]` is the region part k belongs to,
    `serials[k]` its number in the order of the regions; `most`: the corners of the largest part.
    Answers: (how far until the contact, index of the region, -1 for none).

    >>> from tapeline.geometry.rectangles.rectangle import region_of_circle
    >>> walls = Obstacles([region_of_circle(18, 19, 3), region_of_circle(18, 21, 3)])
    >>> walls.slide(Rect(10, 18, 0, 4, 2), (1, 0), 8)
    (4.0, 0)
    """

    def __init__(self, regions: Sequence[Region]) -> None:
        parts: list[_Packed] = []
        owners: list[int] = []
        for index, region in enumerate(regions):
            packed = _packed_parts(region)
            parts += packed
            owners += [index] * len(packed)
        lefts = [part.left for part in parts]
        self.serials = sorted(range(len(parts)), key=lefts.__getitem__)
        self._sorted = [parts[k] for k in self.serials]
        self.owners = tuple([owners[k] for k in self.serials])
        self._packed: dict[bool, PackedParts] = {}
        self.most = max([part.size for part in parts], default=2) // 2

    def parts(self, compiled: bool) -> PackedParts:
        """The parts as a backend takes them."""
        if compiled not in self._packed:
            parts = self._sorted
            starts = list(itertools.accumulate([part.size for part in parts], initial=0))
            rights = list(itertools.accumulate([part.right + ROUNDING for part in parts], max))
            self._packed[compiled] = PackedParts(
                _joined([part.loop for part in parts], compiled),
                ints(starts, compiled),
                floats([part.radius for part in parts], compiled),
                _joined([part.box for part in parts], compiled),
                _joined([part.normals for part in parts], compiled),
                floats(rights, compiled),
            )
        return self._packed[compiled]

    def _first(
        self, kind: int, given: tuple[Any, Any, Any], depth: float, critical: int = 64
    ) -> tuple[Any, Any, int]:
        """How far each of the motions goes, the part it meets, and the motion that lacked room."""
        backend = chosen()
        loops, where, amounts = (_given(values, backend) for values in given)
        n = len(loops) // 8
        # Far fewer parts are looked at than there are.
        count_work(10 * (1 + n), "the motion of a base")
        at, part = blank(n, backend), blank_ints(n, backend)
        none = ints([], backend)
        space = MotionSpace(
            self.parts(backend), none, none, blank(0, backend), 0.0, 0.0, float(depth)
        )
        scratch = room_of(backend, self.most, critical, 0, 0)
        row = functions(backend).motions(
            kind, loops, where, amounts, _UNLIMITED, space, scratch, at, part
        )
        return at, part, row

    def slides(
        self, loops: Any, directions: Any, distances: Any, depth: float = LENGTH
    ) -> tuple[Any, Any]:
        """Slides of n rectangles: flat corners (8 n), unit directions (2 n), distances (n).

        Sequences of floats in plain Python, float64 arrays when compiled; out come the lengths
        until first contact (the distance where there is none) and the parts met (-1 for none).
        """
        return self._first(SLIDE, (loops, directions, distances), depth)[:2]

    def turns(self, loops: Any, pivots: Any, angles: Any, depth: float = LENGTH) -> tuple[Any, Any]:
        """Turns of n rectangles: flat corners (8 n), pivots (2 n), signed angles (n, <= 2 pi)."""
        return self._first(TURN, (loops, pivots, angles), depth)[:2]

    def frees(self, loops: Any, centres: Any, legs: Any, depth: float = LENGTH) -> tuple[Any, Any]:
        """Free legs of n rectangles: flat corners (8 n), centres (2 n), (dx, dy, angle) (3 n).

        Out come fractions of the legs. Raises WorkLimitError if a leg winds so often that it has
        more than 65536 critical places.
        """
        size = 512
        while size <= 1 << 16:
            at, part, row = self._first(FREE, (loops, centres, legs), depth, size)
            if row < 0:
                return at, part
            size *= 8
        raise WorkLimitError(f"free leg {row}: too many critical places; split the leg")

    def slide(
        self, rect: Rect, direction: Point, distance: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Length slid until the first contact, and the region met."""
        checked((*direction, distance), "slide")
        length = math.hypot(*direction)
        if not length or distance < 0.0:
            raise ShapeError(f"slide: direction {direction!r}, distance {distance!r}")
        u = (direction[0] / length, direction[1] / length)
        return self._one(self.slides(rect.loop, u, (distance,), depth))

    def spans(
        self, rect: Rect, direction: Point, distance: float, depth: float = LENGTH
    ) -> list[tuple[float, float]]:
        """Where a slide along a unit vector overlaps regions, each for itself, from start to stop;
        those that it overlaps by more than the depth within the distance.

        >>> from tapeline.geometry.rectangles.rectangle import region_of_rect
        >>> walls = Obstacles([region_of_rect(Rect(x, 5, 0, 4, 2)) for x in (9, 20)])
        >>> walls.spans(Rect(4, 5, 0, 4, 2), (1.0, 0.0), 10.0)
        [(3.0, 7.0)]
        """
        checked((*direction, distance), "slide")
        count_work(20, "the motion of a base")
        backend = chosen()
        found = blank(4 * len(self.owners) + 4, backend)
        met = blank_ints(len(self.owners), backend)
        loop, slide = floats(rect.loop, backend), Sliding(*direction, distance, depth)
        count = functions(backend).slide_overlaps(loop, slide, self.parts(backend), found, met)
        flat = found[: 4 * count] if not backend else found[: 4 * count].tolist()
        by_region: dict[int, list[tuple[float, float, float, float]]] = {}
        for k in range(count):
            a, b, c, d = flat[4 * k : 4 * k + 4]
            by_region.setdefault(self.owners[int(met[k])], []).append((a, b, c, d))
        return [
            (span.start, span.stop)
            for overlaps in by_region.values()
            for span in entered_spans(overlaps, distance)
        ]

    def turn(
        self, rect: Rect, pivot: Point, angle: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Angle turned (not signed) until the first contact, and the region met."""
        checked((*pivot, angle), "turn")
        if abs(angle) > 2.0 * math.pi:
            raise ShapeError(f"turn: pivot {pivot!r}, angle {angle!r} (at most a whole turn)")
        return self._one(self.turns(rect.loop, pivot, (angle,), depth))

    def free(
        self, rect: Rect, shift: Point, angle: float, depth: float = LENGTH
    ) -> tuple[float, int]:
        """Fraction of a free leg until the first contact, and the region met."""
        checked_turn(shift, angle, "free leg")
        return self._one(self.frees(rect.loop, (rect.x, rect.y), (*shift, angle), depth))

    def _one(self, found: tuple[Any, Any]) -> tuple[float, int]:
        at, part = float(found[0][0]), int(found[1][0])
        return at, self.owners[part] if part >= 0 else -1
