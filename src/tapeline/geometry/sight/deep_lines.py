"""Lines of sight that run no deeper into deep features than they may.

Turned about a spot that it keeps to, a line has least of a feature square to a side, at another
spot, or somewhere in between: what it has there is a sum of differences, neither convex nor
concave. Between two neighbouring directions in which other spots lie it meets the same borders, so
that each term has a second derivative with a bound, and a branch and bound tells for certain
whether any line between them has little enough.

Shifted, it has more or less of a feature at an even rate as long as it meets the same borders; so
of lines that have little enough of one feature some keep to a spot. Of two, if it begins in one and
ends in the other, it may have more of the one as it has less of the other, and the lines that have
little enough of both keep to no spot; then they lie between directions in which some has just so
much of both, the roots of a polynomial.

Source of the bound: Androulakis, Maranas, Floudas, alphaBB, 1995.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.polynomial import Polynomial

from tapeline.geometry.plane.distance import point_segment, segment_segment
from tapeline.geometry.plane.intersections import both_circles

__all__ = ["PartOf", "least_inside", "lines_little_inside", "sides_of"]

#: A convex part of a deep feature: its corners, flat, its radius, the number of the feature.
PartOf: TypeAlias = tuple[Sequence[float], float, int]
#: A place that lines keep to, and how far off it they stay.
_Spot: TypeAlias = tuple[float, float, float]
#: A line from where to where.
_Line: TypeAlias = tuple[float, float, float, float]

#: Radians: directions no farther apart have nothing between them.
_SAME = 1e-9
#: Share: how much a root that is real but for rounding may be off.
_REAL = 1e-6
#: Length: how far beside the border of a feature a line is tried, and how near to one it is at it.
_ASIDE, _AT = 2e-6, 1e-9


def sides_of(loop: Sequence[float]) -> Iterator[_Line]:
    """The sides of a flat loop of corners, each from where to where."""
    for i in range(0, len(loop), 2):
        j = (i + 2) % len(loop)
        yield loop[i], loop[i + 1], loop[j], loop[j + 1]


def least_inside(
    loop: Sequence[float], hull: Sequence[float], parts: Sequence[tuple[Sequence[float], float]]
) -> float:
    """What a line from a segment or convex area in a feature to a place outside it has of the
    feature at least; 0 where no single part holds all of the area.

    loop: corners of the area, flat. hull: what lines keep to. parts: of the feature, each its
    corners and its radius.
    """
    if not any(_holds(ring, radius, loop) for ring, radius in parts):
        return 0.0
    # Whoever leaves the feature does so at the border of a part.
    return min((far for part in parts for far in _to_border(loop, hull, *part)), default=math.inf)


def lines_little_inside(
    edge: Sequence[float],
    ahead: Sequence[float],
    hull: Sequence[float],
    spots: Sequence[_Spot],
    parts: Sequence[PartOf],
    depths: Sequence[float],
) -> Iterator[_Line]:
    """Lines from an edge to a convex area that have no more than they may of the deep features in
    which they begin or end; what else is in the way is not looked at.

    edge: its ends and the unit vector ahead. hull: corners of edge and area, counter-clockwise.
    """
    # Where edge or area come out of a feature, lines cease to begin or end in it.
    spots = [*spots, *_crossings([*edge[:4]], parts), *_crossings([*ahead, *ahead[:2]], parts)]
    for number, (loop, radius, owner) in enumerate(parts):
        if not radius:
            spots += [(loop[i], loop[i + 1], 0.0) for i in range(0, len(loop), 2)]
        # At a waist, where two parts overlap, a line has least of both.
        for other in parts[:number]:
            if other[2] == owner:
                spots += _waist((loop, radius), other[:2])
    spots = _within(hull, dict.fromkeys(spots))
    look = _Look(edge, ahead, spots, parts, depths)
    for x, y, r in spots:
        for side in (1.0, -1.0) if r else (1.0,):
            for low, high in look.between((x, y, side * r)):
                yield from look.little((x, y, side * r), low, high)
    for met in look.met:
        yield from look.little_of_all(met)


@dataclass(frozen=True, slots=True)
class _Straight:
    """How far ahead of a spot a line by it meets a straight border, by the direction of the line.

    off: how far the border is from the spot, along `square`, the direction square to it. aside: how
    far off the spot the line stays. ends: two points of the border.
    """

    off: float
    square: float
    aside: float
    ends: _Line

    def at(self, turned: float) -> float:
        """How far ahead it is."""
        tau = turned - self.square
        return (self.off - self.aside * math.sin(tau)) / math.cos(tau)

    def bend(self, low: float, high: float) -> float:
        """A bound of the second derivative."""
        least = min(abs(math.cos(low - self.square)), abs(math.cos(high - self.square)))
        return 2.0 * (abs(self.off) + abs(self.aside)) / least**3 if least > 0.0 else math.inf


@dataclass(frozen=True, slots=True)
class _Round:
    """How far ahead of a spot a line by it meets a circle, at its near side or its far one.

    off, toward: how far its centre is from the spot, in what direction. sign: -1 near, 1 far.
    """

    off: float
    toward: float
    radius: float
    aside: float
    sign: float

    def _by(self, turned: float) -> float:
        return self.aside - self.off * math.sin(turned - self.toward)

    def at(self, turned: float) -> float:
        """How far ahead it is."""
        half = self.radius**2 - self._by(turned) ** 2
        return self.off * math.cos(turned - self.toward) + self.sign * math.sqrt(max(0.0, half))

    def bend(self, low: float, high: float) -> float:
        """A bound of the second derivative."""
        middle = 0.5 * (low + high)
        by = abs(self._by(middle)) + 0.5 * self.off * (high - low)
        if by >= self.radius:
            return math.inf
        half = math.sqrt(self.radius**2 - by * by)
        grows = by * self.off
        return self.off + (self.off**2 + grows) / half + grows**2 / half**3


_Border: TypeAlias = _Straight | _Round
#: A stretch of a line in a feature: from where to where, and the borders at its ends.
_Stretch: TypeAlias = tuple[float, float, _Border, _Border]
#: Of several features the number, and the straight borders at the ends of what a line has of it.
_Met: TypeAlias = tuple[tuple[int, tuple[tuple[_Line, _Line], ...]], ...]


class _Look:
    """An edge, an area, spots that lines keep to, and the deep features about them."""

    def __init__(
        self,
        edge: Sequence[float],
        ahead: Sequence[float],
        spots: Sequence[_Spot],
        parts: Sequence[PartOf],
        depths: Sequence[float],
    ) -> None:
        self.edge, self.ahead, self.parts, self.depths = edge, ahead, parts, depths
        self.square = math.atan2(edge[5], edge[4])
        self.spots = np.array([(x, y, r) for x, y, off in spots for r in {off, -off}])
        self.loops = [np.array(loop).reshape(-1, 2) for loop in (edge[:4], ahead)]
        #: What the lines looked at meet, of those that begin in one feature and end in another.
        self.met: dict[_Met, None] = {}

    def between(self, spot: _Spot) -> Iterator[tuple[float, float]]:
        """The directions, from that square to the edge, of lines by a spot and a further one, each
        with the next, of those between which lines lead from the edge to the area."""
        x, y, r = spot
        dx, dy, more = (self.spots - (x, y, 0.0)).T
        far = np.hypot(dx, dy)
        apart = far > abs(more - r)
        dx, dy, far, more = dx[apart], dy[apart], far[apart], more[apart]
        turned = np.arctan2(dy, dx) - np.arcsin((more - r) / far) - self.square
        turns = np.unique(np.remainder(turned + 0.5 * np.pi, np.pi) - 0.5 * np.pi)
        turns = turns[abs(turns) < 0.5 * np.pi - _SAME]
        low, high = turns[:-1], turns[1:]
        middle = self.square + 0.5 * (low + high)
        ux, uy = np.cos(middle)[:, None], np.sin(middle)[:, None]
        leads = high - low > _SAME
        for loop in self.loops:
            aside = ux * (loop[:, 1] - y) - uy * (loop[:, 0] - x) + r
            leads &= (aside.min(axis=1) <= _AT) & (aside.max(axis=1) >= -_AT)
        yield from zip(low[leads].tolist(), high[leads].tolist(), strict=True)

    def little(self, spot: _Spot, low: float, high: float) -> Iterator[_Line]:
        """A line by a spot, between two directions, that has no more than it may of what it begins
        or ends in, if there is one."""
        waiting = [(low, high)]
        while waiting:
            low, high = waiting.pop()
            middle = 0.5 * (low + high)
            found = self._stretches(spot, middle)
            # Of what meets nothing, or what it neither begins nor ends in, nothing is to be had.
            if found is None:
                return
            line, inside = found
            if len(inside) > 1:
                self.met |= dict.fromkeys(_straight_borders(inside))
            if all(_length(own) <= self.depths[owner] for owner, own in inside.items()):
                yield line
                return
            if high - low > _SAME and all(
                _least(own, low, high) <= self.depths[owner] for owner, own in inside.items()
            ):
                waiting += [(low, middle), (middle, high)]

    def little_of_all(self, met: _Met) -> Iterator[_Line]:
        """Lines that meet straight borders of several features and have no more than they may of
        each, if those of that kind keep to no spot.

        A line begins s along the edge and leans t = tan(turned); a border is where p x + q y = c, x
        along the edge and y ahead, and is met at y = (c - p s) / (p t + q). So a line has little
        enough of a feature if n(t) + m(t) s <= depth d(t) / sqrt(1 + t^2), n, m and d polynomials.
        """
        ax, ay, bx, by, nx, ny = self.edge[:6]
        size = math.hypot(bx - ax, by - ay)
        ex, ey = (bx - ax) / size, (by - ay) / size

        def met_at(ends: _Line) -> tuple[float, float, float]:
            dx, dy = ends[2] - ends[0], ends[3] - ends[1]
            far = math.hypot(dx, dy)
            px, py = dy / far, -dx / far
            c = px * (ends[0] - ax) + py * (ends[1] - ay)
            return px * ex + py * ey, px * nx + py * ny, c

        limits = []
        for owner, stretches in met:
            lines = [(met_at(a), -1) for a, _ in stretches]
            lines += [(met_at(b), 1) for _, b in stretches]
            d, n, m = Polynomial([1.0]), Polynomial([0.0]), Polynomial([0.0])
            for (p, q, c), sign in lines:
                here = Polynomial([q, p])
                n, m, d = n * here + sign * c * d, m * here - sign * p * d, d * here
            limits.append((self.depths[owner], d, n, m))
        turns = [turn for *_, m in limits for turn in _roots(m)]
        for (depth, d, n, m), (other, e, k, j) in itertools.combinations(limits, 2):
            # Where the lines that have just so much of the one have just so much of the other.
            root, rest = depth * d * j - other * e * m, n * j - k * m
            turns += _roots(root**2 - rest**2 * Polynomial([1.0, 0.0, 1.0]))
        for low, high in pairwise(sorted(turns)):
            t = 0.5 * (low + high)
            first, last = 0.0, size
            for depth, d, n, m in limits:
                side = math.copysign(1.0, d(t))
                rate, room = side * m(t), side * (depth * d(t) / math.hypot(1.0, t) - n(t))
                if rate > 0.0:
                    last = min(last, room / rate)
                elif rate < 0.0:
                    first = max(first, room / rate)
            s = 0.5 * (first + last)
            found = self._stretches((ax + s * ex, ay + s * ey, 0.0), math.atan(t))
            if first <= last and found is not None:
                line, inside = found
                if all(_length(own) <= self.depths[owner] for owner, own in inside.items()):
                    yield line

    def _stretches(
        self, spot: _Spot, turned: float
    ) -> tuple[_Line, dict[int, list[_Stretch]]] | None:
        """The line by a spot in a direction, between edge and area, and what it has of each feature
        in which it begins or ends; None if it misses one of them, or meets another feature."""
        ax, ay, bx, by, nx, ny = self.edge[:6]
        ux, uy = math.cos(self.square + turned), math.sin(self.square + turned)
        px, py = spot[0] + spot[2] * uy, spot[1] - spot[2] * ux
        back = ((ax - px) * nx + (ay - py) * ny) / (ux * nx + uy * ny)
        x, y = px + back * ux, py + back * uy
        along = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
        if not 0.0 <= along <= (bx - ax) ** 2 + (by - ay) ** 2:
            return None
        # A touch of a corner counts.
        met = _chord(self.ahead, 0.0, x, y, ux, uy, _AT)
        if met is None:
            return None
        size = met[0]
        if size <= _AT:
            return None
        start = self._straight(spot, ax, ay, bx, by)
        end = self._side(spot, self.ahead, met[2])
        within: dict[int, list[_Stretch]] = {}
        for loop, radius, owner in self.parts:
            met = _chord(loop, radius, x, y, ux, uy)
            if met is None or max(met[0], 0.0) >= min(met[1], size):
                continue
            sides: tuple[_Border, _Border]
            if radius:
                sides = (
                    self._circle(spot, loop, radius, -1.0),
                    self._circle(spot, loop, radius, 1.0),
                )
            else:
                sides = self._side(spot, loop, met[2]), self._side(spot, loop, met[3])
            enters = (met[0], sides[0]) if met[0] > 0.0 else (0.0, start)
            leaves = (met[1], sides[1]) if met[1] < size else (size, end)
            within.setdefault(owner, []).append((enters[0], leaves[0], enters[1], leaves[1]))
        for owner, stretches in within.items():
            within[owner] = joined = _joined(stretches)
            if joined[0][0] > _AT and joined[-1][1] < size - _AT:
                return None
        return ((x, y, x + size * ux, y + size * uy), within) if within else None

    def _straight(self, spot: _Spot, ax: float, ay: float, bx: float, by: float) -> _Straight:
        size = math.hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / size, (ax - bx) / size
        off = (ax - spot[0]) * nx + (ay - spot[1]) * ny
        return _Straight(off, math.atan2(ny, nx) - self.square, spot[2], (ax, ay, bx, by))

    def _side(self, spot: _Spot, loop: Sequence[float], i: int) -> _Straight:
        j = (i + 2) % len(loop)
        return self._straight(spot, loop[i], loop[i + 1], loop[j], loop[j + 1])

    def _circle(self, spot: _Spot, centre: Sequence[float], radius: float, sign: float) -> _Round:
        dx, dy = centre[0] - spot[0], centre[1] - spot[1]
        toward = math.atan2(dy, dx) - self.square
        return _Round(math.hypot(dx, dy), toward, radius, spot[2], sign)


def _straight_borders(inside: dict[int, list[_Stretch]]) -> Iterator[_Met]:
    """The borders that a line meets of each feature, if all are straight."""
    found = []
    for owner, stretches in sorted(inside.items()):
        lines = []
        for _, _, enters, leaves in stretches:
            if isinstance(enters, _Round) or isinstance(leaves, _Round):
                return
            lines.append((enters.ends, leaves.ends))
        found.append((owner, tuple(lines)))
    yield tuple(found)


def _roots(polynomial: Polynomial) -> list[float]:
    """The real roots of a polynomial, those that are real but for rounding among them."""
    size = float(np.abs(polynomial.coef).max())
    if size == 0.0:
        return []
    roots = map(complex, (polynomial / size).trim(1e-14).roots())
    return [root.real for root in roots if abs(root.imag) <= _REAL * (1.0 + abs(root))]


def _joined(stretches: list[_Stretch]) -> list[_Stretch]:
    """Stretches of a line as such that do not overlap, in order."""
    stretches.sort(key=lambda stretch: stretch[:2])
    found = stretches[:1]
    for stretch in stretches[1:]:
        low, high, enters, _ = found[-1]
        if stretch[0] > high:
            found.append(stretch)
        elif stretch[1] > high:
            found[-1] = low, stretch[1], enters, stretch[3]
    return found


def _length(stretches: Sequence[_Stretch]) -> float:
    return sum(high - low for low, high, *_ in stretches)


def _least(stretches: Sequence[_Stretch], low: float, high: float) -> float:
    """What a line that meets these borders has between them at least, in any direction between
    two: no less than along the chord, by as much as the second derivative lets it hang down."""
    bend = at_low = at_high = 0.0
    for _, _, enters, leaves in stretches:
        bend += enters.bend(low, high) + leaves.bend(low, high)
        at_low += leaves.at(low) - enters.at(low)
        at_high += leaves.at(high) - enters.at(high)
    least = min(at_low, at_high) - 0.125 * bend * (high - low) ** 2
    return least if math.isfinite(least) else -math.inf


def _within(hull: Sequence[float], spots: Iterable[_Spot]) -> list[_Spot]:
    """Those of some spots that a line between edge and area may touch."""
    each, corners = list(spots), np.array(hull).reshape(-1, 2)
    along = np.roll(corners, -1, axis=0) - corners
    x, y, r = np.array(each).T[:, :, None]
    inside = along[:, 0] * (y - corners[:, 1]) - along[:, 1] * (x - corners[:, 0])
    near = (inside >= -(r + _ASIDE) * np.hypot(along[:, 0], along[:, 1])).all(axis=1)
    return [spot for spot, is_near in zip(each, near.tolist(), strict=True) if is_near]


def _crossings(line: Sequence[float], parts: Sequence[PartOf]) -> Iterator[_Spot]:
    """The places where a broken line comes into a part or out of it, and just to either side."""
    for i in range(0, len(line) - 2, 2):
        x, y, dx, dy = line[i], line[i + 1], line[i + 2] - line[i], line[i + 3] - line[i + 1]
        size = math.hypot(dx, dy)
        if size <= 0.0:
            continue
        for loop, radius, _ in parts:
            for at in (_chord(loop, radius, x, y, dx / size, dy / size) or ())[:2]:
                for far in (at - _ASIDE, at, at + _ASIDE):
                    if 0.0 <= far <= size:
                        yield x + far * dx / size, y + far * dy / size, 0.0


def _holds(ring: Sequence[float], radius: float, loop: Sequence[float]) -> bool:
    """Whether a part holds all corners of a loop."""
    if radius:
        return _farthest(loop, ring) <= radius
    return all(
        (cx - ax) * (loop[i + 1] - ay) >= (cy - ay) * (loop[i] - ax)
        for ax, ay, cx, cy in sides_of(ring)
        for i in range(0, len(loop), 2)
    )


def _farthest(loop: Sequence[float], centre: Sequence[float]) -> float:
    """How far from a place the farthest corner is."""
    return max(
        math.hypot(loop[i] - centre[0], loop[i + 1] - centre[1]) for i in range(0, len(loop), 2)
    )


def _to_border(
    loop: Sequence[float], hull: Sequence[float], ring: Sequence[float], radius: float
) -> Iterator[float]:
    """How far each side of a loop is from each border of a part that lies in a hull, or nearer."""
    if radius:
        yield max(
            radius - _farthest(loop, ring),
            min(point_segment(ring[0], ring[1], *side)[0] for side in sides_of(loop)) - radius,
            0.0,
        )
        return
    for ax, ay, bx, by in sides_of(ring):
        low, high = 0.0, 1.0
        for px, py, qx, qy in sides_of(hull):
            ex, ey = qx - px, qy - py
            left = ex * (ay - py) - ey * (ax - px) + _AT * math.hypot(ex, ey)
            grows = ex * (by - ay) - ey * (bx - ax)
            if grows > 0.0:
                low = max(low, -left / grows)
            elif grows < 0.0:
                high = min(high, -left / grows)
            elif left < 0.0:
                high = -1.0
        if low <= high:
            x, y, dx, dy = ax, ay, bx - ax, by - ay
            cut = x + low * dx, y + low * dy, x + high * dx, y + high * dy
            yield from (segment_segment(*cut, *side)[0] for side in sides_of(loop))


def _waist(
    one: tuple[Sequence[float], float], other: tuple[Sequence[float], float]
) -> Iterator[_Spot]:
    """Where the borders of two parts cross."""
    (loop, radius), (ring, more) = one, other
    if radius and more:
        for x, y in both_circles((loop[0], loop[1], radius), (ring[0], ring[1], more)):
            yield x, y, 0.0
        return
    if radius:
        loop, radius, ring, more = ring, more, loop, radius
    for x, y, bx, by in sides_of(loop):
        dx, dy = bx - x, by - y
        size = math.hypot(dx, dy)
        # At a corner of either they merely meet.
        for at in (_chord(ring, more, x, y, dx / size, dy / size) or ())[:2]:
            if _AT < at < size - _AT:
                yield x + at * dx / size, y + at * dy / size, 0.0


def _chord(
    loop: Sequence[float],
    radius: float,
    x: float,
    y: float,
    ux: float,
    uy: float,
    touch: float = 0.0,
) -> tuple[float, float, int, int] | None:
    """From where to where a line lies in a convex loop, or in a disc, and where in the loop the
    sides begin by which it comes in and goes out; None if in none of it, or no nearer than a touch
    allows for rounding."""
    if radius:
        along = (loop[0] - x) * ux + (loop[1] - y) * uy
        aside = (loop[1] - y) * ux - (loop[0] - x) * uy
        half = radius * radius - aside * aside
        if half <= 0.0:
            return None
        return along - math.sqrt(half), along + math.sqrt(half), 0, 0
    low, high, first, last = -math.inf, math.inf, 0, 0
    for i in range(0, len(loop), 2):
        px, py = loop[i], loop[i + 1]
        ex, ey = loop[(i + 2) % len(loop)] - px, loop[(i + 3) % len(loop)] - py
        left = ex * (y - py) - ey * (x - px)
        grows = ex * uy - ey * ux
        if grows > 0.0:
            if -left / grows > low:
                low, first = -left / grows, i
        elif grows < 0.0:
            if -left / grows < high:
                high, last = -left / grows, i
        elif left < 0.0:
            return None
    return (low, high, first, last) if low < high + touch else None
