"""The two-sided bracket of the least cost over levels where ground is slow.

As `weighted.branch_and_bound` has it, in the atlas: a path is cut besides where it takes a portal
or a link. Both sides of a portal are cut into pieces alike, and a place on one is a place on the
other, so a sum of affine bounds along a chain stays affine in it: the graph of the pieces' ends has
an edge from each end of a piece to the same end of the piece behind it, at what the portal charges.
A chain is bounded by straight ways, too, from the start through portals to a piece, and on to the
goal.
"""

from __future__ import annotations

import math
from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise

from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.plane.legs import Arc, Line, Path
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.surfaces.layout import Atlas, Crossing
from tapeline.geometry.surfaces.links import Gate
from tapeline.geometry.weighted.branch_and_bound import Bracketing, Piece
from tapeline.geometry.weighted.curves import Curve, cut_at
from tapeline.geometry.weighted.leg_cost import BORDER, POINT

__all__ = ["LevelBracketing"]

#: Cost: rounding of a few hundred additions, taken off lower bounds.
_ROUNDING = 1e-9
#: Length: the start or the goal this near to a portal cuts it.
_ON = 1e-6

#: A segment of a level, in the atlas, and what a path costs at least up to it, or from it.
_Stage = tuple[float, float, float, float, float]


class LevelBracketing(Bracketing):
    """One search from the start of an atlas to one goal, on a level and in its own plane."""

    def __init__(self, atlas: Atlas, level: int, goal: Goal, eps: float, work: int) -> None:
        z = atlas.start + atlas.sheets[atlas.first].shift
        w = atlas.sheets[level].shift
        goal = replace(goal, x=goal.x + w.real, y=goal.y + w.imag)
        super().__init__(atlas.prepared, (z.real, z.imag), goal, eps, work)
        self.atlas, self.last = atlas, level
        self._before: dict[int, list[_Stage]] = {}
        self._after: dict[int, list[_Stage]] = {}
        # By curve on a portal: the crossing, and which of its ways leads on from there.
        self._crossed: dict[int, tuple[Crossing, int]] = {}
        self._stages()

    def bracket(
        self, limit: float, lower: float, known: tuple[float, Path]
    ) -> tuple[float, float, Path] | None:
        """Bounds of the least cost, a way that costs the upper; None if surely over the limit.

        lower: a bound that is known. known: a way that can be gone, in the atlas, and its cost.
        """
        upper, path = known
        if upper - lower <= _ROUNDING:
            lower = upper
        elif upper - lower > self.eps and lower <= limit:
            lower, upper, path = self._search(limit, lower, upper, path)
        return None if lower > limit else (min(lower, upper), upper, path)

    # What lies before a place and after it, by straight ways.

    def _stages(self) -> None:
        atlas, goal, last = self.atlas, self.goal, self.last
        self._before[atlas.first] = [(*self.start, *self.start, 0.0)]
        taken = list(atlas.gates())
        for gate, cost in taken:
            self._before.setdefault(gate.end, []).append((*self._seg(gate, True), cost))
        onward = [math.inf] * len(taken)
        heap: list[tuple[float, int]] = []
        end = (goal.x, goal.y, goal.x, goal.y)
        # A circle is so much nearer than its middle; from inside it may be anywhere.
        nearer = 0.0
        if isinstance(goal, CircleGoal):
            nearer = math.inf if goal.outward else goal.radius
        for k, (gate, _) in enumerate(taken):
            if gate.end == last:
                onward[k] = max(0.0, _apart(self._seg(gate, True), end) - nearer)
                heappush(heap, (onward[k], k))
        while heap:
            cost, k = heappop(heap)
            if cost > onward[k]:
                continue
            gate = taken[k][0]
            entered = self._seg(gate, False)
            for j, (other, _) in enumerate(taken):
                if other.end == gate.start:
                    v = cost + gate.link.cost + _apart(self._seg(other, True), entered)
                    if v < onward[j]:
                        onward[j] = v
                        heappush(heap, (v, j))
        self._after[last] = [(*end, -nearer)]
        for k, (gate, _) in enumerate(taken):
            if onward[k] < math.inf:
                entry = (*self._seg(gate, False), gate.link.cost + onward[k])
                self._after.setdefault(gate.start, []).append(entry)

    def _seg(self, gate: Gate, left: bool) -> tuple[float, float, float, float]:
        """Where a gate is left, or entered, in the atlas."""
        shift = self.atlas.sheets[gate.end if left else gate.start].shift
        a, b = (gate.c, gate.d) if left else (gate.a, gate.b)
        a, b = a + shift, b + shift
        return a.real, a.imag, b.real, b.imag

    def _straight(
        self, x0: float, y0: float, x1: float, y1: float, sag: float
    ) -> tuple[float, float]:
        level = self.atlas.level_at(x0, y0)
        piece = (x0, y0, x1, y1)
        found = []
        for stages in (self._before, self._after):
            least = math.inf
            for *segment, cost in stages.get(level, ()):
                if cost < least:
                    far = cost + max(0.0, _apart(tuple(segment), piece) - sag)
                    least = max(0.0, min(least, far))
            found.append(least)
        return found[0], found[1]

    # Pieces.

    def _begin(self, top: float) -> list[Piece]:
        pieces = super()._begin(top)
        for crossing in self.atlas.crossings:
            self._cross(pieces, crossing, top)
        return pieces

    def _goal_arcs(self, goal: CircleGoal) -> list[Arc]:
        """As ever, what lies on the goal's own level: its circle may run over others' places."""
        sheet = self.atlas.sheets[self.last]
        z, h = sheet.middle + sheet.shift, sheet.half
        corners = [z + complex(x, y) for x, y in ((-h, -h), (h, -h), (h, h), (-h, h))]
        sides = [
            Curve(Line(a.real, a.imag, b.real, b.imag), 1.0, 1.0)
            for a, b in pairwise([*corners, corners[0]])
        ]
        found = []
        for arc in super()._goal_arcs(goal):
            for a, b in pairwise(cut_at(arc, sides)):
                x, y = arc.at(0.5 * (a + b))
                if max(abs(x - z.real), abs(y - z.imag)) <= h:
                    found.append(arc.part(a, b))
        return found

    def _cross(self, pieces: list[Piece], crossing: Crossing, top: float) -> None:
        """The pieces of both sides of a portal, cut alike."""
        sides = (crossing.here, crossing.there)
        length = crossing.here.leg.length
        point = length == 0.0
        first = len(self.curves)
        cuts = {0.0, length}
        if not point:
            for side in sides:
                for spot in (self.start, (self.goal.x, self.goal.y)):
                    near = nearest_to_point(side.leg, *spot)
                    if near.distance < _ON:
                        cuts.add(min(near.travelled, length))
        order = sorted(cuts)
        spans = [(0.0, 0.0)] if point else [(a, b) for a, b in pairwise(order) if b - a > 1e-9]
        found: list[Piece] = []
        for a, b in spans:
            pair = [self._bounded(Piece(first + k, a, b), side.leg) for k, side in enumerate(sides)]
            if all(piece.before + piece.after < top for piece in pair):
                found += pair
        if not found:
            return
        there, back = crossing.costs
        self.curves += [Curve(side.leg, side.left, side.right) for side in sides]
        self.kinds += [POINT if point else BORDER] * 2
        self.portals[first] = (first + 1, there, back)
        self.portals[first + 1] = (first, back, there)
        if not point and all(side.left == side.right for side in sides):
            self.even |= {first, first + 1}
        self._crossed[first], self._crossed[first + 1] = (crossing, 0), (crossing, 1)
        pieces += found

    def taken(self) -> dict[tuple[float, float, float, float], tuple[Gate, float]]:
        """Lines of paths that were found and are gates: how far along each it is taken."""
        found = {}
        for line, (curve, along) in self.jumps.items():
            crossing, way = self._crossed[curve]
            gate = crossing.ways[way]
            assert gate is not None
            found[line] = gate, crossing.begin + along
        return found


def _apart(one: tuple[float, ...], two: tuple[float, ...]) -> float:
    ax, ay, bx, by = one
    cx, cy, dx, dy = two
    return float(segment_segment(ax, ay, bx, by, cx, cy, dx, dy)[0])
