"""Least-cost routes of a disc among obstacles over ground of several factors, bracketed.

    ground = Ground([SlowRing((8, 0, 16, 0, 16, 9, 8, 9), 2.0), SlowDisc(20, 5, 2.5, 4.0)])
    slow = SlowRouter(field, r, ground)
    route = slow.cheapest((3, 4), [PointGoal(30, 6)])
    route.lower <= least cost <= route.upper, route.upper - route.lower <= 0.001

The upper bound is the cost of `route.path`, free of obstacles and costed by `Ground.ledger`.

Why the lower bound is one. Cost is at least length, so the shortest route is a first bound, and
ground where that route costs its length needs no more. Otherwise a path is cut where it meets a
curve at which its direction may change: a border between factors, an arc round an obstacle, the
goal. Between two such places it runs straight over one factor, or along one curve. `slow.search`
bounds the cost of every such chain from below by affine functions of the places on short pieces of
the curves, hence by a shortest path among the pieces' ends. A piece is dropped when all chains
through it cost at least the upper bound less eps, by the sum of the bounds from both sides; so is
one where the straight ways to the start and from it to the goal say so. The others are halved. When
none leads to the goal below the upper bound less eps, that is the lower bound. Bounds fall short by
the square of the pieces' lengths, so few pieces are left in every round.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import gears
from tapeline.geometry.discs.field import SLACK, Circle, Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.plane.distance import point_segment
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.slow import search as slow_search
from tapeline.geometry.slow.borders import Curve, Obstacles, arcs_of, borders_of, cut_at
from tapeline.geometry.slow.ground import CostedLeg, Ground, SlowDisc, SlowRing
from tapeline.geometry.slow.net import Net
from tapeline.geometry.slow.reach import SlowReach
from tapeline.geometry.slow.search import ARC, BORDER, GOAL, POINT, ROUND

__all__ = ["EPS", "SlowRoute", "SlowRouter"]

#: Cost: how far the bounds of an answer may lie apart unless said otherwise.
EPS = 0.001
#: Rounds of halving before the search gives up; 60 would halve a table to nothing.
_ROUNDS = 60
#: Angle, radians: pieces of arcs to begin with.
_FIRST_ARC = math.pi / 3.0
#: Cost: rounding of a few hundred additions, taken off lower bounds.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SlowRoute:
    """A route and the bracket of the least cost: lower <= least cost <= upper, the route's cost.

    ledger: the path cut where its factor changes. goal: index of the goal it reaches.
    """

    lower: float
    upper: float
    path: Path
    ledger: tuple[CostedLeg, ...]
    goal: int = 0

    @property
    def length(self) -> float:
        """Length of the path, table units."""
        return self.path.length


@dataclass(frozen=True, slots=True)
class _Piece:
    """A short piece of a curve between two lengths along it; a point has curve -1."""

    curve: int
    begin: float
    end: float
    before: float = 0.0  # what a path costs at least up to here, and from here
    after: float = 0.0


class SlowRouter:
    """Routes of a disc of radius r on a field, over ground with factors; ask as often as you like.

    zones: discs (x, y, radius) that the disc's centre keeps out of. slack: how deep in an obstacle
    still counts as clear of it (length). Of a `route.Router` give its `field` and r = 0.
    Raises ShapeError for a radius that will not do.
    """

    def __init__(
        self,
        field: Field,
        r: float,
        ground: Ground,
        zones: Iterable[Circle] = (),
        slack: float = SLACK,
    ) -> None:
        self.obstacles = Obstacles(field, r, zones, slack)
        self.ground = ground
        self._changes = borders_of(ground, self.obstacles) if ground.areas else []
        self.borders: list[Curve] = [curve for curve in self._changes if curve.free]
        self._arcs: dict[int, list[Curve]] = {}
        factors = {1.0}
        for curve in self._changes:
            factors |= {curve.left, curve.right}
        factors |= {area.factor for area in ground.areas}
        self.factors = sorted(factors)
        self._bit = {f: k for k, f in enumerate(self.factors)}
        self._world_cache: dict[bool, tuple[Any, ...]] = {}
        self._net: Net | None = None

    @property
    def net(self) -> Net:
        """The nodes and arcs over which costs spread, made once."""
        if self._net is None:
            self._net = Net(self.ground, self.obstacles, self.borders, self._arcs_of)
        return self._net

    def cheapest(
        self,
        start: tuple[float, float],
        goals: Sequence[Goal],
        eps: float = EPS,
        limit: float = math.inf,
        work: int = 400_000,
    ) -> SlowRoute | None:
        """The least-cost route to the cheapest of the goals, None if none costs `limit` or less.

        A route whose bracket holds `limit` is given. work: legs looked at before WorkLimitError.
        Raises ShapeError for numbers that are nan, and for an eps that is not above 0.
        """
        if not (eps > 0.0 and math.isfinite(eps)):
            raise ShapeError("eps is above 0")
        if math.isnan(limit) or not all(math.isfinite(v) for v in start):
            raise ShapeError("the start needs finite coordinates and the limit a number")
        start = (float(start[0]), float(start[1]))
        lower = math.inf
        best: SlowRoute | None = None
        for number, goal in enumerate(goals):
            numbers = [goal.x, goal.y]
            if isinstance(goal, CircleGoal):
                numbers.append(goal.radius)
            if not all(math.isfinite(v) for v in numbers):
                raise ShapeError("a goal needs finite coordinates")
            if isinstance(goal, PointGoal):
                goal = PointGoal(float(goal.x), float(goal.y))
            cap = limit if best is None else min(limit, best.upper)
            found = _Query(self, start, goal, eps, work).run(cap)
            if found is None:
                lower = min(lower, cap)
                continue
            lower = min(lower, found.lower)
            if best is None or found.upper < best.upper:
                best = SlowRoute(found.lower, found.upper, found.path, found.ledger, number)
        if best is None or best.lower > limit:
            return None
        return SlowRoute(min(lower, best.lower), best.upper, best.path, best.ledger, best.goal)

    def reach(self, start: tuple[float, float], budget: float, eps: float = EPS) -> SlowReach:
        """All places that cost `budget` or less from a start."""
        if math.isnan(budget) or not all(math.isfinite(v) for v in start):
            raise ShapeError("the start needs finite coordinates and the budget a number")
        return SlowReach(self, start, budget, eps)

    def _arcs_of(self, index: int) -> list[Curve]:
        found = self._arcs.get(index)
        if found is None:
            found = arcs_of(self.obstacles, index, self.ground, self.borders)
            self._arcs[index] = found
        return found

    def _bits(self, factors: Sequence[float]) -> int:
        bits = 0
        for f in factors:
            bits |= 1 << self._bit[f]
        return bits

    def _world(self, compiled: bool) -> tuple[Any, ...]:
        """Everything that does not change from query to query, from WT on."""
        found = self._world_cache.get(compiled)
        if found is not None:
            return found
        lines: list[float] = []
        for curve in self._changes:
            leg = curve.leg
            if isinstance(leg, Line):
                lines += [leg.ax, leg.ay, leg.bx, leg.by, 0.0]
                continue
            n = max(1, math.ceil(abs(leg.sweep) / (math.pi / 8.0)))
            for k in range(n):
                a = leg.at(leg.length * k / n)
                b = leg.at(leg.length * (k + 1) / n)
                lines += [*a, *b, leg.radius * (leg.sweep / n) ** 2 / 8.0]
        edges = [v for edge in self.obstacles.edges for v in edge]
        discs = [v for disc in self.obstacles.discs for v in disc]
        barred: list[float] = []
        where = [0]
        for ring in self.obstacles.grounds:
            barred += ring
            where.append(len(barred))
            for i in range(0, len(ring), 2):
                edges += [ring[i - 2], ring[i - 1], ring[i], ring[i + 1], 0.0]
        rings: list[float] = []
        begins = [0]
        factors: list[int] = []
        circles: list[float] = []
        for area in self.ground.areas:
            if isinstance(area, SlowRing):
                rings += area.ring
                begins.append(len(rings))
                factors.append(self._bit[area.factor])
            elif isinstance(area, SlowDisc):
                circles += [area.x, area.y, area.radius, self._bit[area.factor]]
        floats, ints = gears.floats, gears.ints
        found = (
            floats(self.factors, compiled),
            floats(lines, compiled),
            floats(edges, compiled),
            floats(discs, compiled),
            floats(barred, compiled),
            ints(where, compiled),
            floats(rings, compiled),
            ints(begins, compiled),
            ints(factors, compiled),
            floats(circles, compiled),
        )
        self._world_cache[compiled] = found
        return found


class _Query:
    """One search from a start to one goal."""

    def __init__(
        self, slow: SlowRouter, start: tuple[float, float], goal: Goal, eps: float, work: int
    ) -> None:
        self.slow = slow
        self.obstacles = slow.obstacles
        self.start = start
        self.goal = goal
        self.eps = eps
        self.work = work
        self.curves: list[Curve] = []
        self.kinds: list[int] = []
        self.bent: dict[tuple[float, float, float, float], tuple[Leg, ...] | None] = {}

    def run(self, limit: float) -> SlowRoute | None:
        """The bracketed route, None if the least cost is surely more than the limit."""
        direct = self.obstacles.shortest(self.start, [self.goal], limit)
        if direct is None:
            return None
        path = direct.path
        upper = self.slow.ground.cost(path)
        lower = direct.length
        if upper - lower <= _ROUNDING:
            upper = lower
        elif upper - lower > self.eps and lower <= limit:
            lower, upper, path = self._search(limit, lower, upper, path)
        if lower > limit:
            return None
        ledger = tuple(self.slow.ground.ledger(path))
        return SlowRoute(min(lower, upper), upper, path, ledger)

    # Pieces

    def _straight(
        self, x0: float, y0: float, x1: float, y1: float, sag: float
    ) -> tuple[float, float]:
        """Lower bounds of the length from the start to a piece, and from it to the goal."""
        a = point_segment(*self.start, x0, y0, x1, y1)[0] - sag
        goal = self.goal
        b = point_segment(goal.x, goal.y, x0, y0, x1, y1)[0] - sag
        if isinstance(goal, CircleGoal):
            if goal.outward:
                far = max(
                    math.hypot(goal.x - x0, goal.y - y0), math.hypot(goal.x - x1, goal.y - y1)
                )
                b = goal.radius - far - sag
            else:
                b -= goal.radius
        return max(0.0, a), max(0.0, b)

    def _begin(self, top: float) -> list[_Piece]:
        """The first, long pieces of all curves that a path cheaper than `top` may touch."""
        slow = self.slow
        pieces = [_Piece(-1, 0.0, 0.0)]
        goal = self.goal
        if isinstance(goal, PointGoal):
            pieces.append(_Piece(-2, 0.0, 0.0))
        else:
            for arc in _goal_arcs(goal, self.obstacles):
                cuts = cut_at(arc, slow.borders)
                for a, b in pairwise(cuts):
                    leg = arc.part(a, b)
                    x, y = leg.at(0.5 * leg.length)
                    angle = leg.angle(0.5 * leg.length) + 0.5 * math.pi
                    left, right = slow.ground.beside(x, y, angle)
                    self._add(pieces, Curve(leg, left, right), GOAL, top)
        for curve in slow.borders:
            self._add(pieces, curve, ROUND if isinstance(curve.leg, Arc) else BORDER, top)
        for index, (x, y, radius) in enumerate(self.obstacles.circles):
            a, b = self._straight(x, y, x, y, radius)
            if a + b < top:
                if radius == 0.0:
                    if self.obstacles.free(x, y):
                        spot = Curve(Line(x, y, x, y), 1.0, 1.0)
                        self.curves.append(spot)
                        self.kinds.append(POINT)
                        pieces.append(_Piece(len(self.curves) - 1, 0.0, 0.0, a, b))
                    continue
                for curve in slow._arcs_of(index):
                    self._add(pieces, curve, ARC, top)
        return pieces

    def _add(self, pieces: list[_Piece], curve: Curve, kind: int, top: float) -> None:
        leg = curve.leg
        number = len(self.curves)
        cuts = [0.0, leg.length]
        spots = [self.start]
        if isinstance(self.goal, PointGoal):
            spots.append((self.goal.x, self.goal.y))
        for spot in spots:
            near = nearest_to_point(leg, *spot)
            if near.distance < 1e-6:
                cuts.append(near.travelled)
        if isinstance(leg, Arc):
            n = max(3 if curve.closed else 1, math.ceil(abs(leg.sweep) / _FIRST_ARC - 1e-9))
            cuts += [leg.length * k / n for k in range(1, n)]
        found = []
        for a, b in pairwise(sorted(cuts)):
            if b - a <= 1e-9:
                continue
            piece = self._bounded(_Piece(number, a, b), leg)
            if piece.before + piece.after < top:
                found.append(piece)
        if found:
            self.curves.append(curve)
            self.kinds.append(kind)
            pieces += found

    def _bounded(self, piece: _Piece, leg: Leg) -> _Piece:
        p, q = leg.at(piece.begin), leg.at(piece.end)
        sag = _sagitta(leg, piece.begin, piece.end)
        a, b = self._straight(*p, *q, sag)
        return _Piece(
            piece.curve, piece.begin, piece.end, max(a, piece.before), max(b, piece.after)
        )

    def _arrays(self, pieces: list[_Piece], compiled: bool) -> tuple[Any, Any, Any]:
        slow = self.slow
        floats: list[float] = []
        ints: list[int] = []
        for piece in pieces:
            if piece.curve < 0 or self.kinds[piece.curve] == POINT:
                if piece.curve >= 0:
                    x, y = self.curves[piece.curve].leg.start
                elif piece.curve == -1:
                    x, y = self.start
                else:
                    x, y = self.goal.x, self.goal.y
                bits = slow._bits(slow.ground.around(x, y))
                floats += [x, y, x, y, 0.0, 0.0, 0.0, 0.0]
                ints += [POINT, -1, -1, bits, bits]
                continue
            curve = self.curves[piece.curve]
            kind = self.kinds[piece.curve]
            leg = curve.leg
            ax, ay = leg.at(piece.begin)
            bx, by = leg.at(piece.end)
            sag = _sagitta(leg, piece.begin, piece.end)
            half = 0.5 * math.hypot(bx - ax, by - ay) + sag
            floats += [ax, ay, bx, by, sag, half, piece.begin, piece.end]
            left, right = slow._bits([curve.left]), slow._bits([curve.right])
            if kind == ARC:
                left = right
            elif kind == GOAL:
                left = right = left | right
            number = -1 if kind == GOAL else piece.curve
            ints += [kind, number, -1 if kind == GOAL else curve.circle, left, right]
        shapes: list[float] = []
        for curve, kind in zip(self.curves, self.kinds, strict=True):
            leg = curve.leg
            radius = leg.radius if isinstance(leg, Arc) else 0.0
            period = leg.length if curve.closed else 0.0
            shapes += [curve.along, period, radius, curve.left if kind == ROUND else 0.0]
        return (
            gears.floats(floats, compiled),
            gears.ints(ints, compiled),
            gears.floats(shapes, compiled),
        )

    # The rounds

    def _search(
        self, limit: float, lower: float, upper: float, path: Path
    ) -> tuple[float, float, Path]:
        compiled = gears.chosen() and hasattr(gears.functions(True), "explore")
        explore = gears.functions(True).explore if compiled else slow_search.explore
        world = self.slow._world(compiled)
        nothing = gears.floats([], compiled)
        pieces = self._begin(min(upper - self.eps, limit + self.eps))
        old: Any = None
        parents: list[int] = []
        spent = 0
        for _ in range(_ROUNDS):
            # Nothing above this needs to be told from anything else above it.
            top = min(upper - self.eps + _ROUNDING, limit + self.eps)
            n = len(pieces)
            if n * n > 60 * self.work:
                break
            arrays = self._arrays(pieces, compiled)
            status = _status(n, old, parents, compiled)
            ends = [k for k in range(n) if self._is_goal(pieces[k])]
            dist = gears.floats([0.0] * (2 * n), compiled)
            back = gears.floats([0.0] * (2 * n), compiled)
            plain = gears.floats([0.0] * (2 * n), compiled)
            back_plain = gears.floats([0.0] * (2 * n), compiled)
            parent = gears.ints([0] * (2 * n), compiled)
            low = gears.floats([piece.after for piece in pieces], compiled)
            tests = explore(
                gears.ints([0], compiled), top, low, nothing, self.work - spent,
                dist, plain, parent, status, *arrays, *world,
            )  # fmt: skip
            if tests < 0:
                break
            spent += tests
            at = min((2 * k + a for k in ends for a in range(2)), key=dist.__getitem__, default=-1)
            if at < 0 or dist[at] >= top:
                return max(lower, top - _ROUNDING), upper, path
            lower = max(lower, float(dist[at]) - _ROUNDING)
            better = self._realise(pieces, parent, status, at)
            if better is not None and better[0] < upper:
                upper, path = better
            if upper - lower <= self.eps or lower > limit:
                return lower, upper, path
            top = min(upper - self.eps + _ROUNDING, limit + self.eps)
            low = gears.floats([piece.before for piece in pieces], compiled)
            tests = explore(
                gears.ints(ends, compiled), top, low, dist, self.work - spent,
                back, back_plain, parent, status, *arrays, *world,
            )  # fmt: skip
            if tests < 0:
                break
            spent += tests
            pieces, parents = self._refine(pieces, (dist, plain), (back, back_plain), top)
            old = status
        raise WorkLimitError(
            f"the least cost lies from {lower:.6g} to {upper:.6g} after {spent} legs looked at; "
            "raise work or eps"
        )

    def _is_goal(self, piece: _Piece) -> bool:
        return piece.curve == -2 or (piece.curve >= 0 and self.kinds[piece.curve] == GOAL)

    def _refine(
        self, pieces: list[_Piece], forth: tuple[Any, Any], home: tuple[Any, Any], top: float
    ) -> tuple[list[_Piece], list[int]]:
        """The pieces that a path cheaper than `top` may touch, the longest of them halved.

        A run along a curve is one leg, so pieces that it merely passes are not needed: a piece is
        where a straight leg begins or ends.
        """
        dist, plain = forth
        back, back_plain = home
        kept: list[tuple[int, _Piece, float]] = []
        for k, piece in enumerate(pieces):
            through = min(
                min(plain[a] + back[a], dist[a] + back_plain[a]) for a in (2 * k, 2 * k + 1)
            )
            if through >= top and piece.curve not in (-1, -2):
                continue
            size = 0.0
            if piece.end > piece.begin:
                size = self._loss(piece)
            # Bounds of both ends bound what lies between; one alone says nothing of the rest.
            before, after = piece.before, piece.after
            if max(dist[2 * k], dist[2 * k + 1]) < math.inf:
                before = max(before, min(dist[2 * k], dist[2 * k + 1]))
            if max(back[2 * k], back[2 * k + 1]) < math.inf:
                after = max(after, min(back[2 * k], back[2 * k + 1]))
            kept.append((k, _Piece(piece.curve, piece.begin, piece.end, before, after), size))
        largest = max(size for _, _, size in kept)
        found: list[_Piece] = []
        parents: list[int] = []
        for k, piece, size in kept:
            if size == 0.0 or size < largest / 6.0:
                found.append(piece)
                parents.append(k)
                continue
            leg = self.curves[piece.curve].leg
            middle = 0.5 * (piece.begin + piece.end)
            for a, b in ((piece.begin, middle), (middle, piece.end)):
                half_piece = self._bounded(
                    _Piece(piece.curve, a, b, piece.before, piece.after), leg
                )
                if half_piece.before + half_piece.after < top:
                    found.append(half_piece)
                    parents.append(k)
        return found, parents

    def _loss(self, piece: _Piece) -> float:
        """About what the bounds lose by the length of a piece: a guess that steers the halving.

        Legs lose half the square of a piece's half over their length; near the end of a curve, the
        start or the goal they are as short as the way there.
        """
        curve = self.curves[piece.curve]
        leg = curve.leg
        half = 0.5 * (piece.end - piece.begin)
        short = 8.0
        if not curve.closed:
            short = min(short, piece.begin + half, leg.length - piece.begin - half)
        x, y = _place(leg, piece.begin + half)
        short = min(short, math.dist(self.start, (x, y)))
        if isinstance(self.goal, PointGoal):
            short = min(short, math.hypot(self.goal.x - x, self.goal.y - y))
        weight = max(curve.left, curve.right)
        return weight * (
            _sagitta(leg, piece.begin, piece.end) + half * half / (2.0 * max(short, half))
        )

    # A path for a chain of pieces

    def _realise(
        self, pieces: list[_Piece], parent: Any, status: Any, at: int
    ) -> tuple[float, Path] | None:
        n = len(pieces)
        chain = []
        node = at
        while node >= 0:
            chain.append(node)
            node = int(parent[node])
        chain.reverse()
        spots: list[_Spot] = []
        for node in chain:
            piece = pieces[node // 2]
            number = node // 2
            if piece.curve < 0:
                x, y = self.start if piece.curve == -1 else (self.goal.x, self.goal.y)
                spots.append(_Spot(-1, POINT, None, 0.0, 0.0, 0.0, x, y, number))
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
            x, y = _place(leg, middle)
            spots.append(_Spot(piece.curve, kind, leg, lo, hi, middle, x, y, number))
        # Of a run along one curve the ends; round an obstacle, the middle.
        merged: list[_Spot] = []
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
                x, y = _place(spot.leg, 0.5 * (t + u))
                merged[-1] = _Spot(
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
                factors.append(self.slow.factors[st - 2] if st >= 2 else 1.0)
        best: tuple[float, Path] | None = None
        without = [s for s in merged if s.kind != ARC]
        for trial in (merged, without):
            if trial is without and len(without) == len(merged):
                break
            line = [s.copy() for s in trial]
            weights = factors
            if trial is without:
                weights = []
                for k, spot in enumerate(merged):
                    if spot.kind != ARC and k + 1 < len(merged):
                        weights.append(factors[k])
            _settle(line, weights)
            cost = math.inf
            for _ in range(6):
                built = self._build(line)
                if built is None:
                    break
                hops, bent = built
                path = Path(tuple(leg for hop in hops for leg in hop))
                now = self.slow.ground.cost(path)
                if best is None or now < best[0]:
                    best = now, path
                if not bent or now > cost - 1e-7:
                    break
                cost = now
                _settle(line, weights, hops)
        return best

    def _build(self, line: list[_Spot]) -> tuple[list[tuple[Leg, ...]], bool] | None:
        """Legs from spot to spot, round obstacles where need be; whether any goes round."""
        hops: list[tuple[Leg, ...]] = []
        bent = False
        for a, b in pairwise(line):
            if math.hypot(b.x - a.x, b.y - a.y) < 1e-11:
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


@dataclass(slots=True)
class _Spot:
    """A place of a path that may slide along its curve, from lo to hi; it is now at t."""

    curve: int
    kind: int
    leg: Leg | None
    lo: float
    hi: float
    t: float
    x: float
    y: float
    number: int

    def copy(self) -> _Spot:
        return _Spot(
            self.curve, self.kind, self.leg, self.lo, self.hi, self.t, self.x, self.y, self.number
        )


def _place(leg: Leg, t: float) -> tuple[float, float]:
    """As leg.at, beyond the ends of an arc too."""
    if isinstance(leg, Line):
        return leg.at(t)
    angle = leg.begin + math.copysign(1.0, leg.sweep) * t / leg.radius
    return leg.cx + leg.radius * math.cos(angle), leg.cy + leg.radius * math.sin(angle)


def _settle(
    line: list[_Spot], factors: list[float], hops: list[tuple[Leg, ...]] | None = None
) -> None:
    """Slide the places of a path until none gains, taking hops as straight, or as they bend."""
    for _ in range(30 if hops is None else 1):
        moved = 0.0
        for k in range(1, len(line)):
            spot = line[k]
            if spot.leg is None or spot.kind in (POINT, ARC):
                continue
            px, py = line[k - 1].x, line[k - 1].y
            w1 = factors[k - 1]
            if hops is not None and hops[k - 1] and line[k - 1].curve != spot.curve:
                last = hops[k - 1][-1]
                if isinstance(last, Line):
                    px, py = last.start
            if k + 1 < len(line):
                qx, qy, w2 = line[k + 1].x, line[k + 1].y, factors[k]
                if hops is not None and hops[k] and line[k + 1].curve != spot.curve:
                    first = hops[k][0]
                    if isinstance(first, Line):
                        qx, qy = first.end
            else:
                qx, qy, w2 = px, py, 0.0
            t = _least(spot, px, py, w1, qx, qy, w2)
            moved = max(moved, abs(t - spot.t))
            spot.t = t
            spot.x, spot.y = _place(spot.leg, t)
        if moved < 1e-9:
            break


def _least(spot: _Spot, px: float, py: float, w1: float, qx: float, qy: float, w2: float) -> float:
    """Where on its curve a place is cheapest between two fixed points."""
    leg = spot.leg
    assert leg is not None
    lo, hi = spot.lo, spot.hi
    if isinstance(leg, Line):
        length = leg.length
        ux, uy = (leg.bx - leg.ax) / length, (leg.by - leg.ay) / length
        p = (px - leg.ax) * ux + (py - leg.ay) * uy
        q = (qx - leg.ax) * ux + (qy - leg.ay) * uy
        a2 = ((px - leg.ax) * uy - (py - leg.ay) * ux) ** 2
        b2 = ((qx - leg.ax) * uy - (qy - leg.ay) * ux) ** 2
        lo, hi = max(lo, min(p, q)), min(hi, max(p, q))
        if lo >= hi:
            return (
                min(max(lo, spot.lo), spot.hi) if lo > spot.hi else max(spot.lo, min(hi, spot.hi))
            )
        t = min(max(spot.t, lo), hi)
        for _ in range(60):
            d1, d2 = math.sqrt(a2 + (t - p) ** 2), math.sqrt(b2 + (t - q) ** 2)
            slope = (w1 * (t - p) / d1 if d1 else 0.0) + (w2 * (t - q) / d2 if d2 else 0.0)
            if slope > 0.0:
                hi = t
            else:
                lo = t
            bend = (w1 * a2 / d1**3 if d1 else 0.0) + (w2 * b2 / d2**3 if d2 else 0.0)
            new = t - slope / bend if bend > 0.0 else 0.5 * (lo + hi)
            if not lo < new < hi:
                new = 0.5 * (lo + hi)
            if abs(new - t) < 1e-12 or hi - lo < 1e-12:
                return new
            t = new
        return t

    def cost(t: float) -> float:
        x, y = _place(leg, t)
        return w1 * math.hypot(x - px, y - py) + w2 * math.hypot(x - qx, y - qy)

    golden = 0.5 * (math.sqrt(5.0) - 1.0)
    a, b = hi - golden * (hi - lo), lo + golden * (hi - lo)
    fa, fb = cost(a), cost(b)
    while hi - lo > 1e-9:
        if fa <= fb:
            hi, b, fb = b, a, fa
            a = hi - golden * (hi - lo)
            fa = cost(a)
        else:
            lo, a, fa = a, b, fb
            b = lo + golden * (hi - lo)
            fb = cost(b)
    return 0.5 * (lo + hi)


def _sagitta(leg: Leg, begin: float, end: float) -> float:
    """No place of the piece is farther than this from the same fraction of its chord."""
    if isinstance(leg, Line):
        return 0.0
    return (end - begin) ** 2 / (8.0 * leg.radius)


def _goal_arcs(goal: CircleGoal, obstacles: Obstacles) -> list[Arc]:
    """The free and open arcs of a goal circle."""
    found = []
    shut = sorted({a for pair in goal.shut for a in pair})
    for begin, end in obstacles.arcs(goal.x, goal.y, goal.radius) if goal.radius > 0.0 else []:
        marks = sorted({begin, end, *(begin + (a - begin) % math.tau for a in shut)})
        for a, b in pairwise(m for m in marks if m <= end):
            if b - a > 0.0 and goal.open_at(0.5 * (a + b)):
                found.append(Arc(goal.x, goal.y, goal.radius, a, b - a))
    return found


def _status(n: int, old: Any, parents: list[int], compiled: bool) -> Any:
    """One byte a pair: barred for halves of pieces that were, else not yet looked at."""
    if compiled:
        import numpy as np

        if old is None:
            return np.zeros(n * n, dtype=np.uint8)
        m = math.isqrt(len(old))
        kept = np.asarray(parents, dtype=np.int64)
        return np.ascontiguousarray(
            (old.reshape(m, m)[np.ix_(kept, kept)] == 1).astype(np.uint8).reshape(-1)
        )
    found = bytearray(n * n)
    if old is not None:
        m = math.isqrt(len(old))
        for i, p in enumerate(parents):
            row = old[p * m : (p + 1) * m]
            for j, q in enumerate(parents):
                if row[q] == 1:
                    found[i * n + j] = 1
    return found
