"""Everywhere a disc can get to within an allowance: membership, length, a way there, border.

Every place within reach lies on a straight last leg of a generator: the start, or an arc that the
search took up. A `DiscReach` keeps the generators; asked about a place, it tries their last legs.
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
from tapeline.geometry.discs.board import SLACK, WORK
from tapeline.geometry.discs.boundary import GENERATOR, FreeGround, Room
from tapeline.geometry.discs.boundary_cells import PART, TABLE, TIP, Parts
from tapeline.geometry.discs.confined import holds
from tapeline.geometry.discs.goals import ShortestPath
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.occlusion import THING, Things
from tapeline.geometry.discs.scratch import SCRATCH, listed
from tapeline.geometry.discs.shortest_path import Query, SearchField
from tapeline.geometry.discs.wavefront_pieces import Pieces
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.work import count_work

__all__ = ["DiscReach", "Generator", "Outline", "inside_rings", "reach"]

#: Length: with less slack, rounding decides whether things that touch leave a way between them.
_LEAST_SLACK = 1e-10
_TAU = math.tau


@dataclass(frozen=True, slots=True)
class Generator:
    """A source of straight last legs: the start (sense 0), or an arc taken up at an angle.

    cost: length of the way to there. ahead: how far the arc runs on, radians, in its sense.
    """

    x: float
    y: float
    radius: float
    sense: int
    angle: float
    ahead: float
    cost: float


def inside_rings(rings: Sequence[Sequence[tuple[float, float]]], x: float, y: float) -> bool:
    """Whether a point is inside rings of corners, holes among them, by crossings of a ray."""
    inside = False
    for ring in rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
            ax, ay = bx, by
    return inside


class Outline:
    """The border of a reach as rings of corners, the reach on their left: holes run clockwise.

    Corners lie on the border and chords keep within eps of it. area: of the rings, square units.
    flat: corners x, y of all rings, as the backend has them (list or float64 array); starts: where
    each ring begins in it, in corners, and the end.
    """

    __slots__ = ("_rings", "area", "eps", "flat", "starts")

    def __init__(self, flat: Any, starts: tuple[int, ...], eps: float, area: float) -> None:
        self.flat, self.starts, self.eps, self.area = flat, starts, eps, area
        self._rings: tuple[tuple[tuple[float, float], ...], ...] | None = None

    @property
    def rings(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Corners (x, y) of each ring; made when they are first asked for."""
        if self._rings is None:
            numbers = iter(listed(self.flat))
            corners = tuple(zip(numbers, numbers, strict=True))
            self._rings = tuple(corners[a:b] for a, b in pairwise(self.starts))
        return self._rings

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outline):
            return NotImplemented
        return (self.rings, self.eps, self.area) == (other.rings, other.eps, other.area)

    def __hash__(self) -> int:
        return hash((self.rings, self.eps, self.area))

    def __repr__(self) -> str:
        return f"Outline(rings={self.rings!r}, eps={self.eps!r}, area={self.area!r})"

    def contains(self, x: float, y: float) -> bool:
        """Whether a place is inside the rings; within eps of the border either answer may come."""
        return inside_rings(self.rings, x, y)


class DiscReach:
    """Everywhere a disc can get to from a start within an allowance. Made by `Field.reach`."""

    __slots__ = ("_F", "_K", "_V", "_cand", "_count", "_ends", "_query", "allowance", "start")

    def __init__(
        self,
        query: Query,
        start: tuple[float, float],
        allowance: float,
        ends: tuple[Circle, ...],
        found: tuple[Any, int, Any, Any, Any] | None,
    ) -> None:
        self._query, self.start, self.allowance = query, start, allowance
        self._ends = ends
        self._count = 0
        if found is None:
            return
        self._V, self._count, self._F, self._K, self._cand = found

    @property
    def generators(self) -> tuple[Generator, ...]:
        """Sources of last legs, the start first; empty if the disc may not stand at the start."""
        rows = []
        for i in range(self._count):
            v = self._row(i)
            rows.append(Generator(v[0], v[1], v[2], int(v[3]), v[4], v[5], v[6]))
        return tuple(rows)

    def _best(self, x: float, y: float) -> int:
        checked((x, y), "place")
        query = self._query
        if not self._count or not query.keeps(x, y) or not query.standable(x, y):
            return -1
        return int(query.kernels.cheapest(x, y, self.allowance, self._V, self._count, query.free))

    def _row(self, i: int) -> list[float]:
        return listed(self._V[GENERATOR * i : GENERATOR * (i + 1)])

    def cost(self, x: float, y: float) -> float:
        """Length of the shortest way to a place; infinity if it is not within the allowance."""
        i = self._best(x, y)
        if i < 0:
            return math.inf
        v = self._row(i)
        return float(
            self._query.kernels.tangent_cost(
                x, y, v[0], v[1], v[2], int(v[3]), v[4], v[5], v[6], self._query.slack
            )
        )

    def contains(self, x: float, y: float) -> bool:
        """Whether the disc can get to a place and may end there."""
        if any(math.hypot(x - ex, y - ey) < er - self._query.slack for ex, ey, er in self._ends):
            return False
        return self._best(x, y) >= 0

    def route(self, x: float, y: float) -> ShortestPath | None:
        """A shortest way to a place, None if it is not within the allowance."""
        i = self._best(x, y)
        if i < 0:
            return None
        gx, gy, radius, sense, angle, _, _, _, _, node = self._row(i)[:10]
        legs: list[Leg] = self._query.legs(self._F, self._K, self._cand, int(node))
        px, py = gx, gy
        if sense and radius > 0.0:
            d = math.hypot(x - gx, y - gy)
            leave = math.atan2(y - gy, x - gx) - sense * math.acos(min(1.0, radius / d))
            px, py = gx + radius * math.cos(leave), gy + radius * math.sin(leave)
            turned = (sense * (leave - angle)) % _TAU
            if turned > _TAU - 1e-9:
                turned = 0.0
            if radius * turned > 0.0:
                legs.append(Arc(gx, gy, radius, angle, sense * turned))
        if math.hypot(x - px, y - py) > 0.0:
            legs.append(Line(px, py, x, y))
        return ShortestPath(self.cost(x, y), Path(tuple(legs)))

    def outline(self, eps: float = 0.001) -> Outline:
        """The border as rings, chords within eps (length, above 1e-6) of it.

        Places that may be crossed but not stopped in are not cut out. Raises ShapeError for an eps
        that will not do or a reach with a slack below 1e-10, WorkLimitError if the border needs
        more than four million corners.
        """
        if not 1e-6 <= eps < math.inf:
            raise ShapeError(f"eps must be between 1e-6 and infinity, not {eps}")
        if self._query.slack < _LEAST_SLACK:
            raise ShapeError(f"an outline needs a slack of {_LEAST_SLACK}, not {self._query.slack}")
        if not self._count or self.allowance == 0.0:
            return Outline([], (0,), eps, 0.0)
        return self._outline(eps)

    def bracket(self, eps: float = 0.001) -> tuple[Outline, Outline]:
        """An outline that is inside the reach for certain, and one that has all of it inside.

        The inner is that of a disc eps / 2 larger with eps / 2 less to go, the outer of one smaller
        with more, their chords within eps / 2: whatever is left of a gap or of the allowance covers
        the chord. A gap less than eps wider than the disc is shut in the inner, and one less than
        eps narrower is open in the outer. ShapeError if eps is not less than the disc's radius.
        """
        query, d = self._query, 0.5 * eps
        if not 1e-6 <= eps < query.r:
            raise ShapeError(f"eps must be between 1e-6 and the disc's radius, not {eps}")
        if not self._count:
            return Outline([], (0,), d, 0.0), Outline([], (0,), d, 0.0)
        found = []
        for grow in (d, -d):
            zones = [(x, y, max(0.0, radius + grow)) for x, y, radius in query.zones]
            zone = reach(
                query.field,
                self.start,
                query.r + grow,
                max(0.0, self.allowance - grow),
                zones=zones,
                slack=query.slack,
            )
            found.append(zone.outline(max(d, 1e-6)))
        return found[0], found[1]

    def _outline(self, eps: float) -> Outline:
        query = self._query
        keep = backends.floats(query.kept_arcs(), query.compiled)
        size = 1 << 13
        while size <= 1 << 22:
            count_work(size + self._count, "the border of a reach")
            sides = query.sides()
            room = _room(size, len(query.circles.counts) + len(sides.counts), self._count, query)
            ground = FreeGround(query.free, query.circles, sides, keep)
            n = query.kernels.outline(self.allowance, eps, self._V, self._count, ground, room)
            if n >= 0:
                break
            if n == -1:
                size *= 4
            else:
                query.more(int(n))
        else:
            raise WorkLimitError("the border needs more than four million corners; raise eps")
        starts = tuple(listed(room.rings[: n + 1]))
        flat: Any = room.corners[: 2 * starts[n]]
        return Outline(flat.copy(), starts, eps, math.fsum(room.areas[:n]))


def _room(size: int, things: int, generators: int, query: Query) -> Room:
    """Scratch for an outline of about that many corners."""
    floats = partial(SCRATCH.floats, compiled=query.compiled)
    ints = partial(SCRATCH.ints, compiled=query.compiled)
    order = ints("order", max(things, size // 2, generators))
    return Room(
        ints("dead", generators),
        floats("live", GENERATOR * generators),
        Things(floats("things", THING * things), 0, 0, order, floats("keys", things)),
        ints("near", things),
        SCRATCH.space(query.compiled).search.spans,
        Pieces(floats("points", 2 * size), ints("starts", size // 4), ints("turned", size // 4)),
        floats("ends", 2 * size),
        Parts(
            ints("parts", PART * size // 4),
            floats("spans", size // 2),
            floats("tips", size),
            ints("joints", TABLE + TIP * size // 2),
        ),
        floats("corners", 2 * size),
        ints("rings", size // 4),
        floats("areas", size // 4),
    )


def reach(
    field: SearchField,
    start: tuple[float, float],
    r: float,
    allowance: float,
    *,
    zones: Iterable[Circle] = (),
    no_end: Iterable[Circle] = (),
    keep: Iterable[Circle] = (),
    slack: float = SLACK,
    work: int = WORK,
) -> DiscReach:
    """Where a disc of radius r can get to within an allowance; complete, with a way to each place.

    zones: discs that the centre keeps out of. no_end: discs that it may cross but not stop in
    (by centre). keep: discs that it stays in, all of them. Membership and lengths are good to 1e-9.
    Raises as `shortest`, and ShapeError for a start outside the discs to stay in.
    """
    checked((*start, allowance), "reach")
    if allowance < 0.0:
        raise ShapeError(f"an allowance must be 0 or more, not {allowance}")
    discs = tuple(keep)
    if not holds(discs, *start, slack):
        raise ShapeError("the start lies outside a disc that is to be stayed in")
    query = Query(field, r, tuple(zones), slack, discs)
    ends = tuple(no_end)
    return DiscReach(query, start, allowance, ends, query.sources(start, allowance, work))
