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
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeAlias

from tapeline.errors import WorkLimitError
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.plane.legs import Path
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.surfaces.layout import Atlas, Crossing
from tapeline.geometry.surfaces.links import Gate
from tapeline.geometry.weighted.branch_and_bound import bounded, first_pieces, search
from tapeline.geometry.weighted.leg_cost import BORDER, POINT
from tapeline.geometry.weighted.upper_bound import Piece, Problem

__all__ = ["Taken", "bracket"]

#: Lines of the atlas that are gates: the gate, and how far along it that is taken.
Taken: TypeAlias = dict[tuple[float, float, float, float], tuple[Gate, float]]
#: Length: the start or the goal this near to a portal cuts it.
_ON = 1e-6

#: A segment of a level, in the atlas, and what a path costs at least up to it, or from it.
_Stage: TypeAlias = tuple[float, float, float, float, float]


class _Stages:
    """Least costs by straight ways: from the start through gates to segments, and from them on.

    before, after: by level, where gates are left and what a path costs at least up to there, where
    gates are entered and what it costs at least from there.
    """

    def __init__(self, atlas: Atlas, start: complex, goal: complex, last: int) -> None:
        """goal: in the atlas, on level `last`."""
        self.atlas = atlas
        self.before = {atlas.first: [(start.real, start.imag, start.real, start.imag, 0.0)]}
        self.after: dict[int, list[_Stage]] = {}
        taken = list(atlas.gates())
        for gate, cost in taken:
            self.before.setdefault(gate.end, []).append((*_seg(atlas, gate, True), cost))
        onward = [math.inf] * len(taken)
        heap: list[tuple[float, int]] = []
        end = (goal.real, goal.imag, goal.real, goal.imag)
        for k, (gate, _) in enumerate(taken):
            if gate.end == last:
                onward[k] = _apart(_seg(atlas, gate, True), end)
                heappush(heap, (onward[k], k))
        while heap:
            cost, k = heappop(heap)
            if cost > onward[k]:
                continue
            gate = taken[k][0]
            entered = _seg(atlas, gate, False)
            for j, (other, _) in enumerate(taken):
                if other.end == gate.start:
                    v = cost + gate.link.cost + _apart(_seg(atlas, other, True), entered)
                    if v < onward[j]:
                        onward[j] = v
                        heappush(heap, (v, j))
        self.after[last] = [(*end, 0.0)]
        for k, (gate, _) in enumerate(taken):
            if onward[k] < math.inf:
                entry = (*_seg(atlas, gate, False), gate.link.cost + onward[k])
                self.after.setdefault(gate.start, []).append(entry)

    def bounds(self, x0: float, y0: float, x1: float, y1: float, sag: float) -> tuple[float, float]:
        """Least costs from the start to a segment and from it on, less what bulges from it."""
        level = self.atlas.level_at(x0, y0)
        piece = (x0, y0, x1, y1)
        found = []
        for stages in (self.before, self.after):
            least = math.inf
            for *segment, cost in stages.get(level, ()):
                if cost < least:
                    least = min(least, cost + max(0.0, _apart(tuple(segment), piece) - sag))
            found.append(least)
        return found[0], found[1]


def bracket(
    atlas: Atlas,
    level: int,
    goal: complex,
    eps: float,
    work: int,
    limit: float,
    lower: float,
    cost: float,
) -> tuple[float, Path, Taken] | None:
    """A lower bound of the least cost to a place, on a level and in its own plane, and a way there.

    The way is in the atlas, empty if none was found that is cheaper than `cost`, which one is known
    to be; with it the lines of it that are gates. lower: a bound that is known. None if the least
    cost is surely over the limit. After `work` legs looked at the bound is as far as that came.
    """
    z = atlas.start + atlas.sheets[atlas.first].shift
    w = goal + atlas.sheets[level].shift
    straight = _Stages(atlas, z, w, level).bounds
    end = PointGoal(w.real, w.imag)
    problem = Problem(atlas.prepared, (z.real, z.imag), end, straight, eps, work)
    crossed: dict[int, tuple[Crossing, int]] = {}
    path = Path(())
    if cost - lower > eps and lower <= limit:
        top = min(cost - eps, limit + eps)
        pieces = first_pieces(problem, [], top)
        for crossing in atlas.crossings:
            _cross(problem, pieces, crossing, crossed, top)
        try:
            lower, _, path = search(problem, pieces, limit, lower, cost, path)
        except WorkLimitError:
            lower, path = max(lower, problem.proven), problem.shown[1]
    if lower > limit:
        return None
    taken = {}
    for line, (curve, along) in problem.jumps.items():
        crossing, way = crossed[curve]
        gate = crossing.ways[way]
        assert gate is not None
        taken[line] = gate, crossing.begin + along
    return lower, path, taken


def _seg(atlas: Atlas, gate: Gate, left: bool) -> tuple[float, float, float, float]:
    """Where a gate is left, or entered, in the atlas."""
    shift = atlas.sheets[gate.end if left else gate.start].shift
    a, b = (gate.c, gate.d) if left else (gate.a, gate.b)
    a, b = a + shift, b + shift
    return a.real, a.imag, b.real, b.imag


def _cross(
    problem: Problem,
    pieces: list[Piece],
    crossing: Crossing,
    crossed: dict[int, tuple[Crossing, int]],
    top: float,
) -> None:
    """Add the pieces of both sides of a portal, cut alike.

    crossed: by curve on a portal, the crossing, and which of its ways leads on from there.
    """
    sides = (crossing.here, crossing.there)
    length = crossing.here.leg.length
    point = length == 0.0
    first = len(problem.curves)
    cuts = {0.0, length}
    if not point:
        for side in sides:
            for spot in (problem.start, (problem.goal.x, problem.goal.y)):
                near = nearest_to_point(side.leg, *spot)
                if near.distance < _ON:
                    cuts.add(min(near.travelled, length))
    spans = [(a, b) for a, b in pairwise(sorted(cuts)) if b - a > 1e-9]
    found: list[Piece] = []
    for a, b in [(0.0, 0.0)] if point else spans:
        pair = [bounded(problem, Piece(first + k, a, b), side.leg) for k, side in enumerate(sides)]
        if all(piece.before + piece.after < top for piece in pair):
            found += pair
    if not found:
        return
    there, back = crossing.costs
    problem.curves += sides
    problem.kinds += [POINT if point else BORDER] * 2
    problem.portals[first] = (first + 1, there, back)
    problem.portals[first + 1] = (first, back, there)
    if not point and all(side.left == side.right for side in sides):
        problem.even |= {first, first + 1}
    crossed[first], crossed[first + 1] = (crossing, 0), (crossing, 1)
    pieces += found


def _apart(one: tuple[float, ...], two: tuple[float, ...]) -> float:
    ax, ay, bx, by = one
    cx, cy, dx, dy = two
    return float(segment_segment(ax, ay, bx, by, cx, cy, dx, dy)[0])
