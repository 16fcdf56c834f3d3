"""Marks: places of gates, a piece of a window apart, and what they are known to cost at most.

An image that comes to a window dearer than walking along it from a mark is given up: the filter of
windows by distances known at vertices, with marks for vertices (Xin and Wang, "Improving Chen and
Han's algorithm on the discrete geodesic problem", 2009).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.geometry.discs.tangent_graph import TIE
from tapeline.geometry.surfaces.images import Image, Plane, Source, apart, cells
from tapeline.geometry.surfaces.links import Gate
from tapeline.geometry.surfaces.unfolding import least, turn_to

__all__ = ["CLEAR", "Marks"]

#: Cost: what is had cheaper by walking along a gate is given up only if that saves more, as two
#: computations of a leg that barely leaves a circle differ; by much less.
CLEAR = 1e-7


class Marks:
    """What each mark of each gate costs at most where the gate is left, and where it is entered:
    that is where its twin is left."""

    def __init__(self, gates: Sequence[Gate], planes: Sequence[Plane]) -> None:
        self.gates, self.planes = gates, planes
        self.left = [[math.inf] * (cells(gate) + 1) for gate in gates]
        self.entered = [
            [math.inf] * (cells(gate) + 1) if gate.twin < 0 else self.left[gate.twin]
            for gate in gates
        ]
        self._left_to_go: dict[int, list[float]] = {}

    def note(self, number: int, mark: int, cost: float) -> None:
        """A mark of a gate can be entered at a cost, so it and the others by walking along."""
        gate = self.gates[number]
        for known, here in (
            (self.entered[number], cost),
            (self.left[number], cost + gate.link.cost),
        ):
            step = gate.length / max(1, len(known) - 1)
            for k in range(len(known)):
                known[k] = min(known[k], here + abs(k - mark) * step)

    def trim(self, image: Image, radius: float) -> bool:
        """Leave out ends of the last window that are had cheaper along it; False if all is.

        radius: of the source.
        """
        known = self.left[image.gate]
        n, (c, d) = len(known) - 1, image.windows[-2:]
        step = abs(d - c) / n
        first, last = 1.0, 0.0
        for k in range(int(image.begin * n), n):
            begin, end = max(image.begin, k / n), min(image.end, (k + 1) / n)
            if begin > image.end:
                break
            # What walking along the window from the mark on either side of it costs at most.
            x, y = (begin * n - k) * step, (end * n - k) * step
            most = max(min(known[k] + v, known[k + 1] + step - v) for v in (x, y))
            if known[k + 1] < math.inf and x < 0.5 * (known[k + 1] + step - known[k]) < y:
                most = 0.5 * (known[k] + known[k + 1] + step)
            if (
                image.low <= most + CLEAR
                and least(image, radius, c + begin * (d - c), c + end * (d - c)) <= most + CLEAR
            ):
                first, last = min(first, begin), max(last, end)
        if first > last:
            return False
        if first > image.begin or last < image.end:
            image.begin, image.end = first, last
            image.low = least(image, radius, *image.seen)
            turns = [turn_to(image, radius, place)[0] for place in image.seen]
            image.first, image.last = max(image.first, min(turns)), min(image.last, max(turns))
        return True

    def lives(self, image: Image, source: Source, estimate: float) -> bool:
        """Whether some leg of an image may yet be free up to its last window.

        If one is, the marks beside it cost hardly more, and they come up in order of their
        estimates: once those are past, a mark that was not had so cheap says that none is.
        """
        gate, known = self.gates[image.gate], self.left[image.gate]
        n, z = len(known) - 1, complex(image.x, image.y)
        step = gate.length / n
        around = source.radius * source.ahead + source.radius
        togo = self._to_go(image.gate)
        for k in range(int(image.begin * n), n):
            if k / n > image.end:
                break
            ends = [gate.c + t / n * (gate.d - gate.c) for t in (k, k + 1)]
            most = image.cost + around + max(abs(end - z) for end in ends) + step + TIE
            if known[k] <= most or estimate <= most - gate.link.cost + togo[k] + TIE:
                return True
        return False

    def _to_go(self, number: int) -> list[float]:
        """What is left at least from each mark of a gate, before it is entered."""
        found = self._left_to_go.get(number)
        if found is None:
            gate, n = self.gates[number], len(self.left[number]) - 1
            plane = self.planes[gate.start]
            found = []
            for k in range(n + 1):
                z = gate.a + k / n * (gate.b - gate.a)
                left = 0.0
                if len(plane.bounds):
                    rows = [float(v) for v in plane.bounds]
                    left = max(
                        0.0,
                        min(apart(z, z, rows, i) + rows[i + 4] for i in range(0, len(rows), 5)),
                    )
                found.append(left)
            self._left_to_go[number] = found
        return found
