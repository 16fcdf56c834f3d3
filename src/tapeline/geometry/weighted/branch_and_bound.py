"""The two-sided bracket of the least cost from a start to one goal.

Why the lower bound is one. Cost is at least length, so the shortest route is a first bound, and
ground where that route costs its length needs no more. Otherwise a path is cut where it meets a
curve at which its direction may change: a border between factors, an arc round an obstacle, the
goal. Between two such places it runs straight over one factor, or along one curve.
`weighted.lower_bound` bounds the cost of every such chain from below by affine functions of the
places on short pieces of the curves, hence by a shortest path among the pieces' ends. A piece is
dropped when all chains through it cost at least the upper bound less eps, by the sum of the bounds
from both sides; so is one where the straight ways to the start and from it to the goal say so. The
others are halved. When none leads to the goal below the upper bound less eps, that is the lower
bound. Bounds fall short by the square of the pieces' lengths, so few pieces are left in every
round.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.plane.distance import point_segment
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.geometry.weighted.cost_search import RESOLUTION, CostSearch
from tapeline.geometry.weighted.curves import Curve, GrownObstacles, cut_at
from tapeline.geometry.weighted.leg_cost import (
    ARC,
    BEND,
    BORDER,
    GATE,
    GOAL,
    INNER,
    POINT,
    PORTAL,
    ROUND,
    Pieces,
)
from tapeline.geometry.weighted.lower_bound import Bounds
from tapeline.geometry.weighted.prepared import Prepared
from tapeline.geometry.weighted.regions import CostedLeg
from tapeline.geometry.weighted.relaxation import place_on
from tapeline.geometry.weighted.upper_bound import Piece, Problem, realise
from tapeline.work import count_work

__all__ = ["EPS", "WeightedRoute", "bounded", "cheapest", "first_pieces", "goal_arcs", "search"]

#: Cost: how far the bounds of an answer may lie apart unless said otherwise.
EPS = 0.001

#: Rounds of halving before the search gives up; 60 would halve a table to nothing.
_ROUNDS = 60
#: Angle, radians: pieces of arcs to begin with.
_FIRST_ARC = math.pi / 3.0
#: Cost: rounding of a few hundred additions, taken off lower bounds.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class WeightedRoute:
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


def straight_bounds(
    start: tuple[float, float], goal: Goal, x0: float, y0: float, x1: float, y1: float, sag: float
) -> tuple[float, float]:
    """Lower bounds of the length from the start to a piece, and from it to the goal."""
    a = point_segment(*start, x0, y0, x1, y1)[0] - sag
    b = point_segment(goal.x, goal.y, x0, y0, x1, y1)[0] - sag
    if isinstance(goal, CircleGoal):
        if goal.outward:
            far = max(math.hypot(goal.x - x0, goal.y - y0), math.hypot(goal.x - x1, goal.y - y1))
            b = goal.radius - far - sag
        else:
            b -= goal.radius
    return max(0.0, a), max(0.0, b)


def first_pieces(problem: Problem, arcs: Iterable[Arc], top: float) -> list[Piece]:
    """The first, long pieces of all curves that a path cheaper than `top` may touch.

    arcs: of a goal circle, where it is free and open.
    """
    slow = problem.slow
    pieces = [Piece(-1, 0.0, 0.0)]
    goal = problem.goal
    if isinstance(goal, PointGoal):
        pieces.append(Piece(-2, 0.0, 0.0))
    else:
        for arc in arcs:
            cuts = cut_at(arc, slow.borders)
            for a, b in pairwise(cuts):
                leg = arc.part(a, b)
                x, y = leg.at(0.5 * leg.length)
                angle = leg.angle(0.5 * leg.length) + 0.5 * math.pi
                left, right = slow.ground.beside(x, y, angle)
                _add(problem, pieces, Curve(leg, left, right), GOAL, top)
    for curve in slow.borders:
        _add(problem, pieces, curve, ROUND if isinstance(curve.leg, Arc) else BORDER, top)
    for index, (x, y, radius) in enumerate(slow.obstacles.circles):
        a, b = problem.straight(x, y, x, y, radius)
        if a + b < top:
            if radius == 0.0:
                if slow.obstacles.free(x, y):
                    spot = Curve(Line(x, y, x, y), 1.0, 1.0)
                    problem.curves.append(spot)
                    problem.kinds.append(POINT)
                    pieces.append(Piece(len(problem.curves) - 1, 0.0, 0.0, a, b))
                continue
            for curve in slow.arcs_of_circle(index):
                _add(problem, pieces, curve, ARC, top)
    return pieces


def _add(problem: Problem, pieces: list[Piece], curve: Curve, kind: int, top: float) -> None:
    leg = curve.leg
    number = len(problem.curves)
    cuts = [0.0, leg.length]
    spots = [problem.start]
    if isinstance(problem.goal, PointGoal):
        spots.append((problem.goal.x, problem.goal.y))
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
        piece = bounded(problem, Piece(number, a, b), leg)
        if piece.before + piece.after < top:
            found.append(piece)
    if found:
        problem.curves.append(curve)
        problem.kinds.append(kind)
        pieces += found


def bounded(problem: Problem, piece: Piece, leg: Leg) -> Piece:
    """The piece, its bounds no worse than straight ways say."""
    p, q = leg.at(piece.begin), leg.at(piece.end)
    sag = _sagitta(leg, piece.begin, piece.end)
    a, b = problem.straight(*p, *q, sag)
    return Piece(piece.curve, piece.begin, piece.end, max(a, piece.before), max(b, piece.after))


def _arrays(problem: Problem, pieces: list[Piece], status: Any, compiled: bool) -> Any:
    """Pieces as kernels take them, all but `twins` and `charges`."""
    slow = problem.slow
    floats: list[float] = []
    ints: list[int] = []
    for piece in pieces:
        if piece.curve < 0 or problem.kinds[piece.curve] == POINT:
            if piece.curve >= 0:
                x, y = problem.curves[piece.curve].leg.start
            elif piece.curve == -1:
                x, y = problem.start
            else:
                x, y = problem.goal.x, problem.goal.y
            bits = slow.bits(slow.ground.around(x, y))
            floats += [x, y, x, y, 0.0, 0.0, 0.0, 0.0]
            ints += [POINT, -1, -1, bits, bits]
            continue
        curve = problem.curves[piece.curve]
        kind = problem.kinds[piece.curve]
        leg = curve.leg
        ax, ay = leg.at(piece.begin)
        bx, by = leg.at(piece.end)
        sag = _sagitta(leg, piece.begin, piece.end)
        half = 0.5 * math.hypot(bx - ax, by - ay) + sag
        floats += [ax, ay, bx, by, sag, half, piece.begin, piece.end]
        left, right = slow.bits([curve.left]), slow.bits([curve.right])
        if kind == ARC:
            left = right
        elif kind == GOAL:
            left = right = left | right
        if piece.curve in problem.portals:
            kind = GATE if piece.curve in problem.even else PORTAL
        elif curve.closed or (piece.begin > 0.0 and piece.end < leg.length):
            kind = INNER if kind == BORDER else BEND if kind == ARC else kind
        number = -1 if kind == GOAL else piece.curve
        ints += [kind, number, -1 if kind == GOAL else curve.circle, left, right]
    shapes: list[float] = []
    for curve, kind in zip(problem.curves, problem.kinds, strict=True):
        leg = curve.leg
        radius = leg.radius if isinstance(leg, Arc) else 0.0
        period = leg.length if curve.closed else 0.0
        shapes += [curve.along, period, radius, curve.left if kind == ROUND else 0.0]
    ends, curves = (backends.floats(values, compiled) for values in (floats, shapes))
    return ends, backends.ints(ints, compiled), curves, status, *slow.whole(compiled)


def _portals(problem: Problem, pieces: list[Piece], back: bool, compiled: bool) -> tuple[Any, Any]:
    """`twins` and `charges` of pieces, of the ways through portals, or of those the other way."""
    through = {
        curve: (other, *((there, here) if back else (here, there)))
        for curve, (other, here, there) in problem.portals.items()
    }
    at = {(piece.curve, piece.begin, piece.end): k for k, piece in enumerate(pieces)}
    twins, charges = [], []
    for piece in pieces if through else ():
        other, charge, _ = through.get(piece.curve, (-1, math.inf, math.inf))
        twin = at.get((other, piece.begin, piece.end), -1) if charge < math.inf else -1
        twins.append(twin)
        charges.append(charge if twin >= 0 else 0.0)
    return backends.ints(twins, compiled), backends.floats(charges, compiled)


def _explored(
    problem: Problem, pieces: list[Piece], arrays: Any, sources: list[int],
    other: Bounds, top: float, work: int,
) -> tuple[Bounds, int]:  # fmt: skip
    """Bounds from sources on, and how many legs were tried, -1 when more than `work`.

    other: bounds from the start, for those from the goal; else empty.
    """
    compiled, n, back = backends.chosen(), len(pieces), len(other.dist) > 0
    found = backends.room(compiled, Bounds, 2 * n, 2 * n, 4 * n)
    low = backends.floats([p.before if back else p.after for p in pieces], compiled)
    every = Pieces(*(*arrays, *_portals(problem, pieces, back, compiled)))
    starts = backends.ints(sources, compiled)
    tests = backends.functions(compiled).explore(starts, top, low, other, work, found, every)
    if tests >= 0:
        count_work(n + tests, "a route over slow ground")
    return found, tests


def search(
    problem: Problem, pieces: list[Piece], limit: float, lower: float, upper: float, path: Path
) -> tuple[float, float, Path]:
    """Halve pieces until the bounds are within eps, or the lower is over the limit: these, a path.

    lower, upper: bounds known, the upper one of the path. Raises WorkLimitError if work runs out;
    `proven` and `shown` of the problem then tell how far it came.
    """
    compiled = backends.chosen()
    nothing = backends.room(compiled, Bounds, 0, 0, 0)
    old: Any = None
    parents: list[int] = []
    spent = 0
    for _ in range(_ROUNDS):
        # Nothing above this needs to be told from anything else above it.
        top = min(upper - problem.eps + _ROUNDING, limit + problem.eps)
        n = len(pieces)
        if n * n > 60 * problem.work:
            break
        status = _status(n, old, parents, compiled)
        arrays = _arrays(problem, pieces, status, compiled)
        ends = [k for k in range(n) if _is_goal(problem, pieces[k])]
        forth, tests = _explored(problem, pieces, arrays, [0], nothing, top, problem.work - spent)
        if tests < 0:
            break
        spent += tests
        at = min(
            (2 * k + a for k in ends for a in range(2)), key=forth.dist.__getitem__, default=-1
        )
        if at < 0 or forth.dist[at] >= top:
            return max(lower, top - _ROUNDING), upper, path
        lower = max(lower, float(forth.dist[at]) - _ROUNDING)
        better = realise(problem, pieces, forth.parent, status, at)
        if better is not None and better[0] < upper:
            upper, path = better
        if upper - lower <= problem.eps or lower > limit:
            return lower, upper, path
        top = min(upper - problem.eps + _ROUNDING, limit + problem.eps)
        back, tests = _explored(problem, pieces, arrays, ends, forth, top, problem.work - spent)
        if tests < 0:
            break
        spent += tests
        pieces, parents = _refine(problem, pieces, forth, back, top)
        old = status
    problem.proven, problem.shown = lower, (upper, path)
    raise WorkLimitError(
        f"the least cost lies from {lower:.6g} to {upper:.6g} after {spent} legs looked at; "
        "raise work or eps"
    )


def _is_goal(problem: Problem, piece: Piece) -> bool:
    return piece.curve == -2 or (piece.curve >= 0 and problem.kinds[piece.curve] == GOAL)


def _refine(
    problem: Problem, pieces: list[Piece], forth: Bounds, home: Bounds, top: float
) -> tuple[list[Piece], list[int]]:
    """The pieces that a path cheaper than `top` may touch, the longest of them halved.

    A run along a curve is one leg, so pieces that it merely passes are not needed: a piece is
    where a straight leg begins or ends.
    """
    dist, plain, _ = forth
    back, back_plain, _ = home
    kept: list[tuple[int, Piece, float]] = []
    for k, piece in enumerate(pieces):
        through = min(min(plain[a] + back[a], dist[a] + back_plain[a]) for a in (2 * k, 2 * k + 1))
        if through >= top and piece.curve not in (-1, -2):
            continue
        size = 0.0
        if piece.end > piece.begin:
            size = _loss(problem, piece)
        # Bounds of both ends bound what lies between; one alone says nothing of the rest.
        before, after = piece.before, piece.after
        gate = piece.curve in problem.even
        before = max(before, _between(k, dist, plain if gate else None))
        after = max(after, _between(k, back, back_plain if gate else None))
        kept.append((k, Piece(piece.curve, piece.begin, piece.end, before, after), size))
    if problem.portals:
        # Both sides of a portal stay cut alike.
        sizes = {(p.curve, p.begin, p.end): size for _, p, size in kept}
        for k, (number, piece, size) in enumerate(kept):
            other = problem.portals.get(piece.curve)
            if other is not None:
                size = max(size, sizes.get((other[0], piece.begin, piece.end), 0.0))
                kept[k] = (number, piece, size)
    largest = max(size for _, _, size in kept)
    found: list[Piece] = []
    parents: list[int] = []
    for k, piece, size in kept:
        if size == 0.0 or size < largest / 6.0:
            found.append(piece)
            parents.append(k)
            continue
        leg = problem.curves[piece.curve].leg
        middle = 0.5 * (piece.begin + piece.end)
        for a, b in ((piece.begin, middle), (middle, piece.end)):
            half_piece = bounded(problem, Piece(piece.curve, a, b, piece.before, piece.after), leg)
            if half_piece.before + half_piece.after < top:
                found.append(half_piece)
                parents.append(k)
    return found, parents


def _loss(problem: Problem, piece: Piece) -> float:
    """About what the bounds lose by the length of a piece: a guess that steers the halving.

    Legs lose half the square of a piece's half over their length; near the end of a curve, the
    start or the goal they are as short as the way there.
    """
    curve = problem.curves[piece.curve]
    leg = curve.leg
    half = 0.5 * (piece.end - piece.begin)
    short = 8.0
    if not curve.closed:
        short = min(short, piece.begin + half, leg.length - piece.begin - half)
    x, y = place_on(leg, piece.begin + half)
    short = min(short, math.dist(problem.start, (x, y)))
    if isinstance(problem.goal, PointGoal):
        short = min(short, math.hypot(problem.goal.x - x, problem.goal.y - y))
    weight = max(curve.left, curve.right)
    return weight * (_sagitta(leg, piece.begin, piece.end) + half * half / (2.0 * max(short, half)))


def _between(k: int, dist: Any, plain: Any) -> float:
    """What bounds of both ends of a piece say of the places between; 0 for nothing.

    plain: what bounds other chains to it, in gates; where both ends say that no chain leads there,
    none does.
    """
    least = math.inf
    for bounds in (dist, plain):
        if bounds is None:
            continue
        a, b = float(bounds[2 * k]), float(bounds[2 * k + 1])
        if min(a, b) < math.inf == max(a, b):
            return 0.0
        least = min(least, a, b)
    return least if least < math.inf else 0.0


def _sagitta(leg: Leg, begin: float, end: float) -> float:
    """No place of the piece is farther than this from the same fraction of its chord."""
    if isinstance(leg, Line):
        return 0.0
    return (end - begin) ** 2 / (8.0 * leg.radius)


def goal_arcs(goal: CircleGoal, obstacles: GrownObstacles) -> list[Arc]:
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
    import numpy as np

    found = np.zeros(n * n, dtype=np.uint8)
    if old is not None:
        m = math.isqrt(len(old))
        barred = np.frombuffer(old, np.uint8).reshape(m, m)[np.ix_(parents, parents)] == 1
        found = np.ascontiguousarray(barred.astype(np.uint8).reshape(-1))
    return found if compiled else bytearray(found.tobytes())


def cheapest(
    slow: Prepared,
    start: tuple[float, float],
    goals: Sequence[Goal],
    eps: float = EPS,
    limit: float = math.inf,
    work: int = 400_000,
    known: Sequence[tuple[float, Path] | None] = (),
) -> WeightedRoute | None:
    """The least-cost route to the cheapest of the goals, None if none costs `limit` or less.

    A route whose bracket holds `limit` is given. work: legs looked at before WorkLimitError. known:
    for each goal a way that can be gone and its cost; without, one is looked for where the bounds
    do not close. Raises ShapeError for numbers that are nan, and for an eps that is not above 0.
    """
    if not (eps > 0.0 and math.isfinite(eps)):
        raise ShapeError("eps is above 0")
    if math.isnan(limit) or not all(math.isfinite(v) for v in start):
        raise ShapeError("the start needs finite coordinates and the limit a number")
    start = (float(start[0]), float(start[1]))
    lower = math.inf
    best: WeightedRoute | None = None
    for number, goal in enumerate(goals):
        numbers = [goal.x, goal.y]
        if isinstance(goal, CircleGoal):
            numbers.append(goal.radius)
        if not all(math.isfinite(v) for v in numbers):
            raise ShapeError("a goal needs finite coordinates")
        if isinstance(goal, PointGoal):
            goal = PointGoal(float(goal.x), float(goal.y))
        cap = limit if best is None else min(limit, best.upper)
        found = _bracketed(slow, start, goal, eps, work, cap, dict(enumerate(known)).get(number))
        if found is None:
            lower = min(lower, cap)
            continue
        lower = min(lower, found.lower)
        if best is None or found.upper < best.upper:
            best = WeightedRoute(found.lower, found.upper, found.path, found.ledger, number)
    if best is None or best.lower > limit:
        return None
    return WeightedRoute(min(lower, best.lower), best.upper, best.path, best.ledger, best.goal)


def _bracketed(
    slow: Prepared,
    start: tuple[float, float],
    goal: Goal,
    eps: float,
    work: int,
    limit: float,
    known: tuple[float, Path] | None,
) -> WeightedRoute | None:
    """The bracketed route to one goal, None if the least cost is surely more than the limit.

    known: a way that can be gone and what it costs.
    """
    direct = slow.obstacles.shortest(start, [goal], limit)
    if direct is None:
        return None
    upper, path, lower = slow.ground.cost(direct.path), direct.path, direct.length
    far = min(limit, upper) + 2.0 * RESOLUTION
    if known is not None and known[0] < upper:
        upper, path = known
    if upper - lower <= _ROUNDING:
        upper = lower
    elif upper - lower > eps and lower <= limit:
        problem = Problem(slow, start, goal, partial(straight_bounds, start, goal), eps, work)
        arcs = goal_arcs(goal, slow.obstacles) if isinstance(goal, CircleGoal) else []
        pieces = first_pieces(problem, arcs, min(upper - eps, limit + eps))
        try:
            lower, upper, path = search(problem, pieces, limit, lower, upper, path)
        except WorkLimitError:
            if known is not None or not isinstance(goal, PointGoal):
                raise
            # A search of another kind may know a cheaper way than this one came upon.
            known = CostSearch(slow, start, far).known(goal.x, goal.y)
            if known is None:
                raise
            return _bracketed(slow, start, goal, eps, work, limit, known)
    if lower > limit:
        return None
    return WeightedRoute(min(lower, upper), upper, path, tuple(slow.ground.ledger(path)))
