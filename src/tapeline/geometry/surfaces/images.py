"""What a search over levels works with: sources, their images behind portals, and the levels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.geometry import backends
from tapeline.geometry.discs.shortest_path import Query
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.links import Gate

__all__ = [
    "SEEN",
    "Image",
    "Part",
    "Plane",
    "Source",
    "apart",
    "cells",
    "ends_on",
    "goal_bound",
]

#: Length: rounding of places on windows, and between places that are one.
SEEN = 1e-9
#: Most marks on a window: places whose cost is noted so that dearer images are not taken up.
_MARKS = 32
#: What is left from a goal that a bound cannot tell.
_NOTHING_LEFT = -1e18


@dataclass(slots=True)
class Source:
    """A point (radius 0, sense 1) or an arc taken up at an angle, and how it was reached.

    Its legs leave it at turns from `angle` on in its sense, up to `ahead`.
    """

    level: int
    x: float
    y: float
    radius: float
    sense: int
    angle: float
    ahead: float
    cost: float
    circle: int
    parent: int
    turned: float  # round the parent, before `parts`
    parts: tuple[Part, ...]


@dataclass(slots=True)
class Image:
    """A source as seen in the plane of a level, through windows in order; without any: itself.

    first, last: the turns between which its legs leave. side: to which side of the last window they
    go, 1 left of it, -1 right. begin, end: what part of the last window they cross. low: what
    crossing that costs at least.
    """

    source: int
    level: int
    x: float
    y: float
    sense: int
    angle: float
    cost: float
    low: float
    first: float
    last: float
    side: int = 0
    gate: int = -1
    before: Image | None = None
    windows: tuple[complex, ...] = ()
    begin: float = 0.0
    end: float = 1.0

    @property
    def seen(self) -> tuple[complex, complex]:
        """The part of the last window that its legs cross, from and to."""
        c, d = self.windows[-2:]
        return c + self.begin * (d - c), c + self.end * (d - c)


#: A straight part of a way: level and leg; or a gate and where it is left.
Part: TypeAlias = tuple[int, Line] | tuple[Gate, complex]


class Plane:
    """A level in one search: circles, places where gates are entered, goals, bounds."""

    def __init__(self, query: Query, gates: Sequence[Gate], number: int) -> None:
        self.query = query
        self.gates = [i for i, gate in enumerate(gates) if gate.start == number]
        # Where gates are entered: gate, which mark along it, place here, place behind.
        self.doors: list[tuple[int, int, complex, complex]] = []
        for i in self.gates:
            gate, n = gates[i], cells(gates[i])
            for k in range(n + 1):
                t = k / max(1, n)
                z, out = gate.a + t * (gate.b - gate.a), gate.c + t * (gate.d - gate.c)
                self.doors.append((i, k, z, out))
        c = query.circles
        self.circles = len(c.counts)
        flat = [float(v) for v in c.discs]
        for i in range(self.circles):
            if int(c.counts[i]) == 0:
                flat[3 * i + 2] = -1.0
        for _, _, z, _ in self.doors:
            flat += (z.real, z.imag, 0.0)
        self.targets = backends.floats(flat, query.compiled)
        self.count = len(flat) // 3
        # What is known of a target by: a level's point; a gate's end; minus a mark between ends.
        self.keys: list[tuple[int, int, int] | None] = [
            (number, j, 0) if flat[3 * j + 2] == 0.0 else None for j in range(self.circles)
        ]
        for i, k, _, _ in self.doors:
            self.keys.append((-1, i, -k if 0 < k < cells(gates[i]) else k))
        self.goals: list[float] = []
        self.owners: list[int] = []
        self.shut: list[float] = []
        self.bounds = backends.floats([], query.compiled)


def ends_on(link: tuple[Source, float, Sequence[Part]]) -> int:
    """The level on which a last piece of way ends."""
    source, _, parts = link
    for what, _ in reversed(parts):
        return what if isinstance(what, int) else what.end
    return source.level


def cells(gate: Gate) -> int:
    """Into how many pieces marks divide a window; 0 for a point. As many for a gate's twin."""
    length = max(abs(gate.b - gate.a), abs(gate.d - gate.c))
    return 0 if gate.length == 0.0 else max(1, min(_MARKS, math.ceil(length)))


def goal_bound(row: Sequence[float]) -> list[float]:
    """A goal as the bound of what is left needs it: a segment, and what may be taken off."""
    less = 0.0 if row[0] == 0.0 else (-row[3] if row[0] == 1.0 else _NOTHING_LEFT)
    return [row[1], row[2], row[1], row[2], less]


def apart(a: complex, b: complex, rows: Sequence[float], k: int) -> float:
    """Distance between segments."""
    return float(
        segment_segment(
            a.real, a.imag, b.real, b.imag, rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        )[0]
    )
