"""Stands as rectangles: distances between units, contact, who is engaged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, overlaps, within
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    Separation,
    region_of_circle,
    separation,
)
from tapeline.rules.warmaster.state import enemy_units, kept_for, stands_of, units_on_table
from tapeline.table.bodies import Body, Rectangle, Round, Unit

__all__ = [
    "Nearest",
    "Point",
    "alike",
    "apart",
    "apart_at_least",
    "engaged_stands",
    "engaged_units",
    "gap_of",
    "in_contact",
    "is_engaged",
    "nearest_pairs",
    "rect_of",
    "shape_of",
    "touch",
    "unit_gap",
]

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Nearest:
    """A pair of stands as near to each other as two units come, with their nearest points."""

    own: Body
    other: Body
    gap: float
    on_own: Point
    on_other: Point


#: Bases and distances remembered: those of some hundred stands, asked for again and again.
_REMEMBERED = 1 << 14
_rect = lru_cache(maxsize=_REMEMBERED)(Rect.of_degrees)


@lru_cache(maxsize=_REMEMBERED)
def apart(a: Rect, b: Rect) -> Separation:
    """How two stands lie to each other."""
    return separation(a, b)


def rect_of(body: Body) -> Rect:
    """The base of a stand as a rectangle; its width is the front edge, cm."""
    base = body.base
    assert isinstance(base, Rectangle)
    return _rect(body.x, body.y, body.facing, base.width, base.depth)


def shape_of(body: Body) -> Rect | Region:
    """The base of a stand or of a character."""
    if isinstance(body.base, Round):
        return region_of_circle(body.x, body.y, body.base.radius)
    return rect_of(body)


def gap_of(a: Body, b: Body) -> Separation:
    """How two bases lie to each other."""
    return separation(shape_of(a), shape_of(b))


def apart_at_least(a: Rect, b: Rect) -> float:
    """A length that two rectangles are surely apart; not above 0 where they might meet."""
    return math.hypot(a.x - b.x, a.y - b.y) - a.reach - b.reach


def touch(a: Rect, b: Rect) -> bool:
    """Whether two stands are in contact: no gap and no overlap (WM-FORM-2)."""
    if apart_at_least(a, b) > TOLERANCE:
        return False
    lie = apart(a, b)
    return within(lie.gap, 0.0) and not overlaps(lie.depth)


def in_contact(a: Rect, b: Rect) -> bool:
    """Whether two bases have no gap between them."""
    return apart_at_least(a, b) <= TOLERANCE and within(apart(a, b).gap, 0.0)


def unit_gap(one: Iterable[Body], other: Sequence[Body]) -> float:
    """The least distance between stands of two units, cm; infinite if one has none."""
    least = math.inf
    rects = [rect_of(body) for body in other]
    for body in one:
        a = rect_of(body)
        for b in rects:
            if apart_at_least(a, b) < least:
                least = min(least, apart(a, b).gap)
    return least


def nearest_pairs(one: Sequence[Body], other: Sequence[Body]) -> list[Nearest]:
    """All pairs of stands at the least distance between two units, within the tolerance."""
    found: list[Nearest] = []
    least = math.inf
    rects = [(body, rect_of(body)) for body in other]
    for own in one:
        a = rect_of(own)
        for body, b in rects:
            if apart_at_least(a, b) > least + TOLERANCE:
                continue
            lie = apart(a, b)
            least = min(least, lie.gap)
            found.append(Nearest(own, body, lie.gap, lie.on_a, lie.on_b))
    return [pair for pair in found if within(pair.gap, least)]


def engaged_stands(state: State, unit: Unit) -> frozenset[str]:
    """Ids of the unit's stands that touch an enemy stand."""
    known: dict[str, frozenset[str]] = kept_for(state, "warmaster:engaged stands")
    if unit.id not in known:
        known[unit.id] = _engaged_stands(state, unit)
    return known[unit.id]


def _engaged_stands(state: State, unit: Unit) -> frozenset[str]:
    enemies = [
        rect_of(body) for other in enemy_units(state, unit.side) for body in stands_of(state, other)
    ]
    found = set()
    for body in stands_of(state, unit):
        rect = rect_of(body)
        if any(in_contact(rect, enemy) for enemy in enemies):
            found.add(body.id)
    return frozenset(found)


def is_engaged(state: State, unit: Unit) -> bool:
    """Whether a unit fights: a stand of it touches an enemy stand, or it supports one that does.

    A unit supports a friendly unit when a stand of it touches one that is itself in a fight.
    """
    known: dict[str, bool] = kept_for(state, "warmaster:engaged")
    if unit.id not in known:
        known[unit.id] = _fights(state, unit)
    return known[unit.id]


def _fights(state: State, unit: Unit) -> bool:
    if engaged_stands(state, unit):
        return True
    mine = [rect_of(body) for body in stands_of(state, unit)]
    for friend in units_on_table(state):
        if friend.side != unit.side or friend.id == unit.id:
            continue
        touching = [
            body.id
            for body in stands_of(state, friend)
            if any(in_contact(rect_of(body), rect) for rect in mine)
        ]
        if touching and not engaged_stands(state, friend).isdisjoint(touching):
            return True
    return False


def engaged_units(state: State) -> frozenset[str]:
    """Ids of all units that fight, as `is_engaged` tells of one."""
    stands = [
        (rect_of(body), body.id, unit)
        for unit in units_on_table(state)
        for body in stands_of(state, unit)
    ]
    stands.sort(key=lambda stand: stand[0].x - stand[0].reach)
    fighting: set[str] = set()
    found: set[str] = set()
    friends: list[tuple[str, str, str, str]] = []
    for index, (a, stand, unit) in enumerate(stands):
        far = a.x + a.reach + TOLERANCE
        for b, other, its in stands[index + 1 :]:
            if b.x - b.reach > far:
                break
            if its.id == unit.id or not in_contact(a, b):
                continue
            if its.side != unit.side:
                fighting.update((stand, other))
                found.update((unit.id, its.id))
            else:
                friends.append((stand, unit.id, other, its.id))
    for stand, unit_id, other, its_id in friends:
        if other in fighting:
            found.add(unit_id)
        if stand in fighting:
            found.add(its_id)
    return frozenset(found)


def alike(a: Rect, b: Rect) -> bool:
    """Whether two stands face the same way: turning one so moves no corner by more than the
    tolerance."""
    cross = a.ux * b.uy - a.uy * b.ux
    dot = a.ux * b.ux + a.uy * b.uy
    return abs(math.atan2(cross, dot)) * max(a.reach, b.reach) <= TOLERANCE
