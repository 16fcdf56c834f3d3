"""Sight: what a body, or a whole side, sees of the table, past what, and who sees a place.

Whether one sees another is the system's own answer (`System.sees`), also for one that is thought of
as standing elsewhere. The region seen is drawn on the plan, from one eye a body, past what the
system says is not seen past (`System.looks`): the kernel of visible regions works out those of a
whole side together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from tapeline.analysis.contours import Point, Ring, rings_area
from tapeline.engine.sight import Look, Seen
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.errors import DocumentError, Fault, UnknownIdError
from tapeline.geometry.rectangles.clip import HalfPlane
from tapeline.geometry.sight.visible_region import Blockers, VisibleRegion
from tapeline.table.bodies import Body

__all__ = ["Sight", "View", "sight_of", "watchers"]

#: Length: how far a chord lies off the round border that it stands for, table units.
EPS = 0.001

#: x and y, and the height if it is known.
Place: TypeAlias = Sequence[float]


@dataclass(frozen=True, slots=True)
class View:
    """What one body sees from its eye. ring: the border, the region on its left, within EPS.

    blocks: ids of what closes the view somewhere. words: what the region shows, and what not.
    """

    body: str
    eye: Point
    ring: Ring
    area: float
    blocks: tuple[str, ...]
    words: str


class Sight:
    """What some bodies see. by: their ids."""

    def __init__(self, system: System, state: State, by: tuple[str, ...]) -> None:
        self.system, self.state, self.by = system, state, by

    @cached_property
    def views(self) -> tuple[View, ...]:
        """The region that each sees, in their order; none of those the system draws none for."""
        looks = self.system.looks
        if looks is None:
            return ()
        table = self.state.table
        seen: dict[str, View] = {}
        together: dict[tuple[str, ...], list[tuple[str, Look]]] = {}
        for name in self.by:
            look = looks(self.state, self.state.body(name))
            if look is None:
                continue
            together.setdefault(tuple(block for block, _ in look.blocks), []).append((name, look))
        for some in together.values():
            blocks = some[0][1].blocks
            blockers = Blockers([region for _, region in blocks], table.width, table.depth)
            eyes = [_within(look.eye, table.width, table.depth) for _, look in some]
            for (name, look), region in zip(some, blockers.views(eyes), strict=True):
                seen[name] = _view(name, look, region)
        return tuple(seen[name] for name in self.by if name in seen)

    def sees(self, target: str, at: Place | None = None) -> Iterator[tuple[str, Seen]]:
        """Of each body whether it sees a target, where that stands or as if it stood at a place.

        target: id of a body, or of a unit, which is moved as one with its middle to the place.

        Raises UnknownIdError, DocumentError where the system has no rule of sight.
        """
        state, found = _placed(self.system, self.state, target, at)
        return ((name, _asked(self.system, state, state.body(name), found)) for name in self.by)


def watchers(
    system: System, state: State, target: str, at: Place | None = None
) -> Iterator[tuple[str, Seen]]:
    """Of each enemy whether it sees a body, where that stands or as if it stood at a place."""
    foes = tuple(body.id for body in state.enemies(state.body(target)))
    return Sight(system, state, foes).sees(target, at)


def sight_of(system: System, state: State, by: str) -> Sight:
    """What a body sees, or those of a unit or a side. Raises UnknownIdError."""
    if by in state.units:
        return Sight(system, state, tuple(body.id for body in state.bodies_of(by)))
    if any(side.id == by for side in state.sides):
        mine = tuple(body.id for body in state.bodies.values() if body.side == by)
        return Sight(system, state, mine)
    return Sight(system, state, (state.body(by).id,))


def _placed(system: System, state: State, target: str, at: Place | None) -> tuple[State, Body]:
    if target in state.units and system.attacking is not None:
        bodies = system.attacking.bodies(state, target)
        if at is not None:
            place = (at[0], at[1], at[2] if len(at) > 2 else bodies[0].z)
            state = system.attacking.placed(state, target, place, None)
        return state, state.body(bodies[0].id)
    body = state.body(target)
    if at is None:
        return state, body
    moved = body.at(*at)
    return state.with_body(moved), moved


def _asked(system: System, state: State, one: Body, other: Body) -> Seen:
    if system.sees is None:
        raise DocumentError("sight", [Fault("", f"{system.title} has no rule of sight for moves")])
    if one.id == other.id:
        raise UnknownIdError("sight", [Fault("on", "must be another body")])
    return system.sees(state, one, other)


def _within(eye: Point, width: float, depth: float) -> Point:
    """The eye of a base that reaches over the edge is drawn from the edge."""
    return min(max(eye[0], 0.0), width), min(max(eye[1], 0.0), depth)


def _view(name: str, look: Look, region: VisibleRegion) -> View:
    ring: list[Point] = []
    closing: dict[str, None] = {}
    for stretch in region.outline:
        if stretch.region >= 0:
            closing[look.blocks[stretch.region][0]] = None
        ring += _chords(stretch.a, stretch.b, stretch.centre, stretch.radius)
    for plane in look.before:
        ring = _cut(ring, plane)
    whole = tuple(ring)
    area = rings_area([whole]) if len(whole) > 2 else 0.0
    return View(name, region.eye, whole, area, tuple(closing), look.words)


def _chords(a: Point, b: Point, centre: Point, radius: float) -> list[Point]:
    """A stretch as chords: its ends, and between them places on its circle."""
    if radius <= 0.0:
        return [a, b]
    begin = math.atan2(a[1] - centre[1], a[0] - centre[0])
    turn = math.remainder(math.atan2(b[1] - centre[1], b[0] - centre[0]) - begin, math.tau)
    most = 2.0 * math.acos(max(0.0, 1.0 - EPS / radius))
    count = max(1, math.ceil(abs(turn) / most))
    angles = [begin + turn * k / count for k in range(1, count)]
    between = [(centre[0] + radius * math.cos(t), centre[1] + radius * math.sin(t)) for t in angles]
    return [a, *between, b]


def _cut(ring: list[Point], plane: HalfPlane) -> list[Point]:
    """What of a region lies in a half-plane. Where that parts it, its parts hang together by
    lines of no width. Source: Sutherland and Hodgman, Communications of the ACM 1974."""
    nx, ny, h = plane
    kept: list[Point] = []
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], *ring[:1]], strict=True):
        a, b = nx * ax + ny * ay - h, nx * bx + ny * by - h
        if a <= 0.0:
            kept.append((ax, ay))
        if (a < 0.0 < b) or (b < 0.0 < a):
            t = a / (a - b)
            kept.append((ax + t * (bx - ax), ay + t * (by - ay)))
    return kept
