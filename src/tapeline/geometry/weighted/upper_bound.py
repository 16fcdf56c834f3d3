"""Paths that can be gone, for the chains of pieces that a lower bound of the cost comes upon."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tapeline.geometry.discs.goals import Goal, PointGoal
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.weighted.curves import Curve
from tapeline.geometry.weighted.leg_cost import ARC, POINT, UNSURE
from tapeline.geometry.weighted.prepared import Prepared
from tapeline.geometry.weighted.relaxation import Spot, place_on, settle

__all__ = ["Piece", "Problem", "realise"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A short piece of a curve between two lengths along it; a point has curve -1."""

    curve: int
    begin: float
    end: float
    before: float = 0.0  # what a path costs at least up to here, and from here
    after: float = 0.0


@dataclass(slots=True, eq=False)
class Problem:
    """One search from a start to one goal: the curves it goes by, and what it has found.

    straight: lower bounds of the cost from the start to a segment and from it to the goal, less how
    far the piece bulges from it. kinds: of curves, as `leg_cost` has them. portals: curves that lie
    on one: the curve behind it, what it charges to there and from there. even: those of them where
    ground is even on both sides. bent: the legs round obstacles between places, None for no way.
    jumps: lines of paths that are none but ways through portals: the curve left, how far along it.
    proven, shown: the bounds of a search that gave up, the upper one with its path.
    """

    slow: Prepared
    start: tuple[float, float]
    goal: Goal
    straight: Callable[[float, float, float, float, float], tuple[float, float]]
    eps: float
    work: int
    curves: list[Curve] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    portals: dict[int, tuple[int, float, float]] = field(default_factory=dict)
    even: set[int] = field(default_factory=set)
    bent: dict[tuple[float, float, float, float], tuple[Leg, ...] | None] = field(
        default_factory=dict
    )
    jumps: dict[tuple[float, float, float, float], tuple[int, float]] = field(default_factory=dict)
    proven: float = 0.0
    shown: tuple[float, Path] = (math.inf, Path(()))


def realise(
    problem: Problem, pieces: list[Piece], parent: Any, status: Any, at: int
) -> tuple[float, Path] | None:
    """The cheapest way that can be gone among those of a chain of pieces, and what it costs.

    parent, status: as `lower_bound.explore` left them. at: the end of a piece where the chain ends.
    """
    n = len(pieces)
    chain = []
    node = at
    while node >= 0:
        chain.append(node % (2 * n))
        node = int(parent[node])
    chain.reverse()
    spots: list[Spot] = []
    for node in chain:
        piece = pieces[node // 2]
        number = node // 2
        if piece.curve < 0:
            x, y = problem.start if piece.curve == -1 else (problem.goal.x, problem.goal.y)
            spots.append(Spot(-1, POINT, None, 0.0, 0.0, 0.0, x, y, number))
            continue
        curve = problem.curves[piece.curve]
        kind = problem.kinds[piece.curve]
        leg = curve.leg
        middle = 0.5 * (piece.begin + piece.end)
        reach = piece.end - piece.begin
        if isinstance(leg, Line):
            lo, hi = 0.0, leg.length
        else:
            lo, hi = middle - reach, middle + reach
            if not curve.closed:
                lo, hi = max(0.0, lo), min(leg.length, hi)
        x, y = place_on(leg, middle)
        came = spots[-1].curve if spots else -1
        behind = came in problem.portals and problem.portals[came][0] == piece.curve
        spots.append(Spot(piece.curve, kind, leg, lo, hi, middle, x, y, number, behind))
    # Of a run along one curve the ends; round an obstacle, the middle.
    merged: list[Spot] = []
    for k, spot in enumerate(spots):
        same_before = k > 0 and spots[k - 1].curve == spot.curve >= 0
        same_after = k + 1 < len(spots) and spots[k + 1].curve == spot.curve >= 0
        if same_before and same_after:
            continue
        if spot.kind == ARC and same_before and merged and merged[-1].curve == spot.curve:
            last = merged[-1]
            assert spot.leg is not None
            t, u = last.t, spot.t
            if problem.curves[spot.curve].closed and abs(u - t) > 0.5 * spot.leg.length:
                u -= math.copysign(spot.leg.length, u - t)
            x, y = place_on(spot.leg, 0.5 * (t + u))
            merged[-1] = Spot(spot.curve, ARC, spot.leg, 0.0, 0.0, 0.5 * (t + u), x, y, spot.number)
            continue
        merged.append(spot)
    factors: list[float] = []
    for a, b in pairwise(merged):
        if a.curve == b.curve >= 0:
            factors.append(problem.curves[a.curve].along)
        else:
            st = status[a.number * n + b.number]
            factors.append(problem.slow.factors[(st - 2) % UNSURE] if st >= 2 else 1.0)
    # As the pieces say, and without places round obstacles: a way may keep clear of them.
    trials = [(merged, factors)]
    without = [s for s in merged if s.kind != ARC]
    if len(without) < len(merged):
        weights = [w for s, w in zip(merged, factors, strict=False) if s.kind != ARC]
        trials.append((without, weights))
    best: tuple[float, Path] | None = None
    for trial, weights in trials:
        for settled in (True, False):
            line = [s.copy() for s in trial]
            if settled:
                settle(line, weights)
            cost, round_it = math.inf, False
            for _ in range(6):
                built = _build(problem, line)
                if built is None:
                    break
                hops, bent = built
                round_it |= bent
                path = Path(tuple(leg for hop in hops for leg in hop))
                now = _cost(problem, path)
                if best is None or now < best[0]:
                    best = now, path
                if not bent or now > cost - 1e-7:
                    break
                cost = now
                settle(line, weights, hops)
            # Places slid as if nothing stood in the way may end where little leads them back.
            if not round_it:
                break
    return best


def _cost(problem: Problem, path: Path) -> float:
    """What a path costs, ways through portals at what they charge."""
    if not problem.portals:
        return problem.slow.ground.cost(path)
    walked, charged = [], []
    for leg in path.legs:
        jump = isinstance(leg, Line) and problem.jumps.get((leg.ax, leg.ay, leg.bx, leg.by))
        if jump:
            charged.append(problem.portals[jump[0]][1])
        else:
            walked.append(problem.slow.ground.cost(Path((leg,))))
    return math.fsum(walked + charged)


def _build(problem: Problem, line: list[Spot]) -> tuple[list[tuple[Leg, ...]], bool] | None:
    """Legs from spot to spot, round obstacles where need be; whether any goes round."""
    hops: list[tuple[Leg, ...]] = []
    bent = False
    for a, b in pairwise(line):
        if b.behind:
            jump = Line(a.x, a.y, b.x, b.y)
            problem.jumps[jump.ax, jump.ay, jump.bx, jump.by] = a.curve, a.t
            hops.append((jump,))
        elif math.hypot(b.x - a.x, b.y - a.y) < 1e-11:
            hops.append(())
        elif a.curve == b.curve >= 0 and isinstance(a.leg, Arc):
            radius = a.leg.radius
            angle = a.leg.begin + math.copysign(a.t / radius, a.leg.sweep)
            sweep = math.copysign(1.0, a.leg.sweep) * (b.t - a.t) / radius
            if problem.curves[a.curve].closed:
                sweep = math.remainder(sweep, math.tau)
            hops.append((Arc(a.leg.cx, a.leg.cy, radius, angle, sweep),))
        elif problem.slow.obstacles.straight(a.x, a.y, b.x, b.y) and problem.slow.obstacles.free(
            b.x, b.y
        ):
            hops.append((Line(a.x, a.y, b.x, b.y),))
        else:
            bent = True
            key = (a.x, a.y, b.x, b.y)
            if key not in problem.bent:
                route = problem.slow.obstacles.shortest((a.x, a.y), [PointGoal(b.x, b.y)])
                problem.bent[key] = None if route is None else route.path.legs
            legs = problem.bent[key]
            if legs is None:
                return None
            hops.append(legs)
    return hops, bent
