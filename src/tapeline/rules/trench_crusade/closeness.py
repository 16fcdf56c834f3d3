"""How near a way in three dimensions comes to other models, and what a base stands on or over."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.paths import Place
from tapeline.geometry.plane.sweeps import farthest_from_point, nearest_to_point, spans_near_point
from tapeline.rules.trench_crusade.measures import level_with
from tapeline.rules.trench_crusade.state import flies, height, radius
from tapeline.table.bodies import Body
from tapeline.travel.route import Route, Stretch

__all__ = [
    "Near",
    "comes_onto",
    "deepest",
    "first_near",
    "gap_there",
    "least",
    "leaves",
    "most",
    "overlap",
    "samples",
]

#: Halvings that find a place on a leg.
_HALVINGS = 90
_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


class Near(NamedTuple):
    """A gap somewhere on a way: how wide, after what length, and where; inches."""

    gap: float
    travelled: float
    place: Place


def gap_there(mover: Body, other: Body, place: Place) -> float:
    """The gap between a mover that stands, or flies, at a place and another base, G-2.

    Beside a flyer another model is as tall as its body (reading fly_clearance, volume).
    """
    flat = math.hypot(place.x - other.x, place.y - other.y) - radius(mover) - radius(other)
    rise = other.z - place.z
    if rise < 0.0 and flies(mover):
        rise = min(0.0, rise + height(other))
    if flat <= 0.0:
        return abs(rise)
    return flat if rise == 0.0 else math.hypot(flat, rise)


def _lowest(f: Callable[[float], float]) -> float:
    """Where a convex function of 0 to 1 is least."""
    low, high = 0.0, 1.0
    a, b = 1.0 - _GOLDEN, _GOLDEN
    fa, fb = f(a), f(b)
    for _ in range(_HALVINGS):
        if fa <= fb:
            high, b, fb = b, a, fa
            a = high - _GOLDEN * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + _GOLDEN * (high - low)
            fb = f(b)
    middle = 0.5 * (low + high)
    return min((0.0, middle, 1.0), key=f)


class _Piece(NamedTuple):
    """A straight piece in space, or an arc, and the lengths of the way at its ends."""

    at: Callable[[float], Place]
    begin: float
    end: float
    arc: Stretch | None


def _pieces(way: Route) -> Iterator[_Piece]:
    for before, part in way.marked:
        if isinstance(part, Stretch):
            yield _Piece(
                part.at, before, before + part.length, part if part.arc is not None else None
            )
            continue
        traces = part.trace
        whole = sum(math.dist(a, b) for a, b in traces) or 1.0
        gone = 0.0
        for a, b in traces:
            d = math.dist(a, b)
            begin, end = (before + part.length * s / whole for s in (gone, gone + d))
            yield _Piece(_between(a, b), begin, end, None)
            gone += d


def _between(a: Place, b: Place) -> Callable[[float], Place]:
    return lambda t: Place(*(p + t * (q - p) for p, q in zip(a, b, strict=True)))


def _far_off(piece: _Piece, mover: Body, other: Body, limit: float) -> bool:
    a = piece.at(0.0)
    span = limit + radius(mover) + radius(other) + math.dist(a, piece.at(1.0))
    if piece.arc is not None:
        span += 2.0 * piece.arc.length
    return math.hypot(a.x - other.x, a.y - other.y) > span + 1e-3


def _least_of(piece: _Piece, mover: Body, other: Body) -> float:
    """The share of a piece at which the gap is least."""
    if piece.arc is not None:
        leg = piece.arc.leg
        return nearest_to_point(leg, other.x, other.y).travelled / leg.length
    a, b = piece.at(0.0), piece.at(1.0)
    if a.z == b.z:
        dx, dy = b.x - a.x, b.y - a.y
        square = dx * dx + dy * dy
        if square == 0.0:
            return 0.0
        return min(1.0, max(0.0, ((other.x - a.x) * dx + (other.y - a.y) * dy) / square))
    return _lowest(lambda t: gap_there(mover, other, piece.at(t)))


def least(way: Route, mover: Body, other: Body, limit: float) -> Near | None:
    """The least gap on a way, the first such place; None if it is surely more than a limit."""
    best: Near | None = None
    here = gap_there(mover, other, way.start)
    if within(here, limit):
        best = Near(here, 0.0, way.start)
    for piece in _pieces(way):
        if _far_off(piece, mover, other, limit):
            continue
        t = _least_of(piece, mover, other)
        place = piece.at(t)
        measured = gap_there(mover, other, place)
        if best is None or measured < best.gap - 1e-12:
            best = Near(measured, piece.begin + t * (piece.end - piece.begin), place)
    return best


def first_near(way: Route, mover: Body, other: Body, limit: float) -> Near | None:
    """The first place on a way with a gap of a limit or less; a tangent counts, at its place."""
    here = gap_there(mover, other, way.start)
    if here <= limit:
        return Near(here, 0.0, way.start)
    for piece in _pieces(way):
        if _far_off(piece, mover, other, limit):
            continue
        t = _least_of(piece, mover, other)
        place = piece.at(t)
        measured = gap_there(mover, other, place)
        if not within(measured, limit):
            continue
        if measured < limit:
            low, high = 0.0, t
            if piece.arc is not None:
                leg = piece.arc.leg
                reach = radius(mover) + radius(other) + limit
                spans = spans_near_point(leg, other.x, other.y, reach)
                if spans and level_with(mover.at(place.x, place.y, place.z), other):
                    low = high = spans[0][0] / leg.length
                else:
                    low = 0.0
            for _ in range(_HALVINGS if high > low else 0):
                middle = 0.5 * (low + high)
                if gap_there(mover, other, piece.at(middle)) <= limit:
                    high = middle
                else:
                    low = middle
            t = high
            place = piece.at(t)
            measured = gap_there(mover, other, place)
        return Near(measured, piece.begin + t * (piece.end - piece.begin), place)
    return None


def most(way: Route, mover: Body, other: Body) -> Near:
    """The greatest gap on a way, the first such place."""
    best = Near(gap_there(mover, other, way.start), 0.0, way.start)
    for piece in _pieces(way):
        shares = [0.0, 1.0]
        if piece.arc is not None:
            leg = piece.arc.leg
            shares.append(farthest_from_point(leg, other.x, other.y).travelled / leg.length)
        for t in shares:
            place = piece.at(t)
            measured = gap_there(mover, other, place)
            if measured > best.gap + 1e-12:
                best = Near(measured, piece.begin + t * (piece.end - piece.begin), place)
    return best


def leaves(way: Route, mover: Body, other: Body, limit: float) -> float:
    """The first length at which the gap is more than a limit; the whole length if it never is."""
    if more_than(gap_there(mover, other, way.start), limit):
        return 0.0
    for piece in _pieces(way):
        marks = [0.0, 1.0]
        if piece.arc is not None:
            leg = piece.arc.leg
            marks.insert(1, farthest_from_point(leg, other.x, other.y).travelled / leg.length)
        for one, two in pairwise(marks):
            if not more_than(gap_there(mover, other, piece.at(two)), limit):
                continue
            low, high = one, two
            for _ in range(_HALVINGS):
                middle = 0.5 * (low + high)
                if gap_there(mover, other, piece.at(middle)) > limit:
                    high = middle
                else:
                    low = middle
            return piece.begin + high * (piece.end - piece.begin)
    return way.length


def samples(way: Route, mover: Body, other: Body) -> Iterator[Near]:
    """Places of a way between which its gap to a model only grows or only falls, in order."""
    yield Near(gap_there(mover, other, way.start), 0.0, way.start)
    for piece in _pieces(way):
        shares = {0.0, 1.0, _least_of(piece, mover, other)}
        if piece.arc is not None:
            leg = piece.arc.leg
            shares.add(farthest_from_point(leg, other.x, other.y).travelled / leg.length)
        for t in sorted(shares):
            place = piece.at(t)
            s = piece.begin + t * (piece.end - piece.begin)
            yield Near(gap_there(mover, other, place), s, place)


def overlap(mover: Body, other: Body, place: Place) -> float:
    """How deep two bases are in each other if the mover stands at a place; 0 at other heights."""
    if abs(place.z - other.z) > TOLERANCE:
        return 0.0
    apart = math.hypot(place.x - other.x, place.y - other.y)
    return max(0.0, radius(mover) + radius(other) - apart)


def deepest(way: Route, mover: Body, other: Body) -> Near:
    """Where two bases are deepest in each other on a way: how deep, in place of a gap."""
    best = Near(0.0, 0.0, way.start)
    for before, part in way.marked:
        places = [(before + part.length, part.end)]
        if isinstance(part, Stretch) and part.length > 0.0:
            leg = part.leg
            near = nearest_to_point(leg, other.x, other.y)
            t = near.travelled / leg.length if leg.length else 0.0
            places.insert(0, (before + t * part.length, part.at(t)))
        for s, place in places:
            depth = overlap(mover, other, place)
            if depth > best.gap:
                best = Near(depth, s, place)
    return best


def comes_onto(way: Route, mover: Body, other: Body) -> float:
    """The length at which the base first comes onto another; the whole length if it never does."""
    room = radius(mover) + radius(other)
    for before, part in way.marked:
        if not isinstance(part, Stretch):
            if overlap(mover, other, part.end) > TOLERANCE:
                return before
            continue
        leg = part.leg
        for begin, _ in spans_near_point(leg, other.x, other.y, room) if leg.length else []:
            t = begin / leg.length
            if abs(part.at(t).z - other.z) <= TOLERANCE:
                return before + t * part.length
    return way.length
