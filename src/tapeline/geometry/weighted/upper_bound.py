"""Paths that can be gone, for the chains of pieces that a lower bound of the cost comes upon."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tapeline.geometry.discs.goals import Goal, PointGoal
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.weighted.curves import Curve, Obstacles
from tapeline.geometry.weighted.leg_cost import ARC, POINT, UNSURE
from tapeline.geometry.weighted.prepared import Prepared
from tapeline.geometry.weighted.relaxation import Spot, place_on, settle

__all__ = ["Piece", "Showing"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A short piece of a curve between two lengths along it; a point has curve -1."""

    curve: int
    begin: float
    end: float
    before: float = 0.0  # what a path costs at least up to here, and from here
    after: float = 0.0


class Showing:
    """The curves that one search from a start to one goal goes by, and paths along them."""

    def __init__(self, slow: Prepared, start: tuple[float, float], goal: Goal) -> None:
        self.slow = slow
        self.obstacles: Obstacles = slow.obstacles
        self.start = start
        self.goal = goal
        self.curves: list[Curve] = []
        self.kinds: list[int] = []
        # Curves that lie on a portal: the one behind it, what it charges to there and from there.
        self.portals: dict[int, tuple[int, float, float]] = {}
        # Those of them where ground is even on both sides of the portal.
        self.even: set[int] = set()
        self.bent: dict[tuple[float, float, float, float], tuple[Leg, ...] | None] = {}
        # Lines of paths that are none but ways through portals: the curve left, how far along it.
        self.jumps: dict[tuple[float, float, float, float], tuple[int, float]] = {}

    def _realise(
        self, pieces: list[Piece], parent: Any, status: Any, at: int
    ) -> tuple[float, Path] | None:
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
                x, y = self.start if piece.curve == -1 else (self.goal.x, self.goal.y)
                spots.append(Spot(-1, POINT, None, 0.0, 0.0, 0.0, x, y, number))
                continue
            curve = self.curves[piece.curve]
            kind = self.kinds[piece.curve]
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
            behind = came in self.portals and self.portals[came][0] == piece.curve
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
                if self.curves[spot.curve].closed and abs(u - t) > 0.5 * spot.leg.length:
                    u -= math.copysign(spot.leg.length, u - t)
                x, y = place_on(spot.leg, 0.5 * (t + u))
                merged[-1] = Spot(
                    spot.curve, ARC, spot.leg, 0.0, 0.0, 0.5 * (t + u), x, y, spot.number
                )
                continue
            merged.append(spot)
        factors: list[float] = []
        for a, b in pairwise(merged):
            if a.curve == b.curve >= 0:
                factors.append(self.curves[a.curve].along)
            else:
                st = status[a.number * n + b.number]
                factors.append(self.slow.factors[(st - 2) % UNSURE] if st >= 2 else 1.0)
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
                    built = self._build(line)
                    if built is None:
                        break
                    hops, bent = built
                    round_it |= bent
                    path = Path(tuple(leg for hop in hops for leg in hop))
                    now = self._cost(path)
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

    def _cost(self, path: Path) -> float:
        """What a path costs, ways through portals at what they charge."""
        if not self.portals:
            return self.slow.ground.cost(path)
        walked, charged = [], []
        for leg in path.legs:
            jump = isinstance(leg, Line) and self.jumps.get((leg.ax, leg.ay, leg.bx, leg.by))
            if jump:
                charged.append(self.portals[jump[0]][1])
            else:
                walked.append(self.slow.ground.cost(Path((leg,))))
        return math.fsum(walked + charged)

    def _build(self, line: list[Spot]) -> tuple[list[tuple[Leg, ...]], bool] | None:
        """Legs from spot to spot, round obstacles where need be; whether any goes round."""
        hops: list[tuple[Leg, ...]] = []
        bent = False
        for a, b in pairwise(line):
            if b.behind:
                jump = Line(a.x, a.y, b.x, b.y)
                self.jumps[jump.ax, jump.ay, jump.bx, jump.by] = a.curve, a.t
                hops.append((jump,))
            elif math.hypot(b.x - a.x, b.y - a.y) < 1e-11:
                hops.append(())
            elif a.curve == b.curve >= 0 and isinstance(a.leg, Arc):
                radius = a.leg.radius
                angle = a.leg.begin + math.copysign(a.t / radius, a.leg.sweep)
                sweep = math.copysign(1.0, a.leg.sweep) * (b.t - a.t) / radius
                if self.curves[a.curve].closed:
                    sweep = math.remainder(sweep, math.tau)
                hops.append((Arc(a.leg.cx, a.leg.cy, radius, angle, sweep),))
            elif self.obstacles.straight(a.x, a.y, b.x, b.y) and self.obstacles.free(b.x, b.y):
                hops.append((Line(a.x, a.y, b.x, b.y),))
            else:
                bent = True
                key = (a.x, a.y, b.x, b.y)
                if key not in self.bent:
                    route = self.obstacles.shortest((a.x, a.y), [PointGoal(b.x, b.y)])
                    self.bent[key] = None if route is None else route.path.legs
                legs = self.bent[key]
                if legs is None:
                    return None
                hops.append(legs)
        return hops, bent
