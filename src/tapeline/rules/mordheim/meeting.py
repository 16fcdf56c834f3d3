"""Where a charge ends: the places at which a base touches its targets, or meets them across a low
barrier (3.6.3, 3.6.7, 3.6.8).

For one target they are the border of a Minkowski sum, for several what such borders have in common:
points, and pieces of lines where squares stand side by side. Of these only what leaves the base
room to stand is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, within
from tapeline.engine.state import State
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.rectangles.contact import (
    border_of,
    distance_to,
    extreme_corners,
    overlap_part,
)
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.rules.mordheim.contact import (
    about_centre,
    across_barrier,
    barriers_touched,
    clear_spans,
    stand_height,
    stands_on,
)
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.state import base_part, radius
from tapeline.rules.mordheim.terrain import free_at, terrain_of
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import Solid
from tapeline.table.storeys import Surface
from tapeline.travel.terrain import Terrain

__all__ = ["Segment", "meeting_places"]

Point: TypeAlias = tuple[float, float]
#: The id of a surface and the ends of a piece of line on it.
Segment: TypeAlias = tuple[str, Point, Point]


def meeting_places(
    state: State, body: Body, aims: list[Body], surfaces: list[Surface], shape: Part | None = None
) -> tuple[list[tuple[str, Goal]], list[Segment]]:
    """Goals on level surfaces, and segments anywhere on which is one, for a base that faces as
    given.

    shape: what touches, about the centre, if that is not the base itself.
    """
    part = about_centre(body) if shape is None else shape
    if shape is not None:
        # It may turn as it likes: room for half its short side is all that is sure to be needed.
        body = replace(body, base=Round(radius(body)), _digest=[])
    sums = [overlap_part(base_part(aim), part) for aim in aims]
    goals: list[tuple[str, Goal]] = []
    lines: list[Segment] = []
    for surface in surfaces:
        if not all(closer_than(abs(surface.z - aim.z), CONTACT_RISE_IN) for aim in aims):
            continue
        for piece in _touching(sums):
            if isinstance(piece, Arc):
                goal = _circle(state, body, piece, surface)
                if goal is not None:
                    goals.append((surface.id, goal))
            else:
                found, straight = _line(state, body, piece, surface)
                goals += ((surface.id, point) for point in found)
                lines += straight
        if len(aims) == 1:
            goals += ((surface.id, goal) for goal in _across(state, body, aims[0], surface))
    return goals, lines


def _circle(state: State, body: Body, arc: Arc, surface: Surface) -> CircleGoal | None:
    """An arc as a goal, shut where the base has no room to stand; None if that is everywhere."""
    spans = clear_spans(state, body, arc, surface)
    if not spans:
        return None
    whole = arc.sweep >= math.tau
    shut = []
    for k, (_, end) in enumerate(spans):
        last = k + 1 == len(spans)
        following = spans[0][0] + math.tau * arc.radius if last else spans[k + 1][0]
        if following - end > TOLERANCE * TOLERANCE or not whole:
            shut.append((arc.begin + end / arc.radius, arc.begin + following / arc.radius))
    return CircleGoal(arc.cx, arc.cy, arc.radius, shut=tuple(shut))


def _line(
    state: State, body: Body, line: Line, surface: Surface
) -> tuple[list[PointGoal], list[Segment]]:
    if line.length <= TOLERANCE:
        x, y = line.start
        return ([PointGoal(x, y)] if _fits(state, body, x, y, surface) else []), []
    spans = clear_spans(state, body, line, surface)
    points = [PointGoal(*line.at(begin)) for begin, end in spans if end - begin <= TOLERANCE]
    pieces = [(line.at(begin), line.at(end)) for begin, end in spans if end - begin > TOLERANCE]
    return points, [(surface.id, *piece) for piece in pieces]


def _fits(state: State, body: Body, x: float, y: float, surface: Surface) -> bool:
    if surface.depth(x, y) < -TOLERANCE:
        return False
    ground = terrain_of(state)
    return free_at(state, ground, body, x, y, stand_height(ground, surface, x, y))


# Several targets: what the borders have in common.


def _touching(sums: list[Part]) -> list[Line | Arc]:
    """The border of one sum, or what those of several have in common; points as lines without
    length."""
    first, *more = sums
    found: list[Line | Arc] = border_of(first)
    for part in more:
        pieces = border_of(part)
        found = [common for one in found for two in pieces for common in _common(one, two)]
    if not more:
        return found
    ends: dict[Line | Arc, None] = {}
    for piece in found:
        on_all = all(
            within(abs(distance_to(part, *place)[0]), 0.0)
            for part in sums
            for place in (piece.start, piece.at(0.5 * piece.length), piece.end)
        )
        if on_all:
            ends[piece] = None
    return list(ends)


def _common(one: Line | Arc, two: Line | Arc) -> Iterator[Line]:
    """Points, or the piece of line, that two pieces of border share."""
    if isinstance(one, Line) and isinstance(two, Line):
        yield from _lines_common(one, two)
        return
    if isinstance(one, Line) or isinstance(two, Line):
        line, arc = (one, two) if isinstance(one, Line) else (two, one)
        assert isinstance(line, Line)
        assert isinstance(arc, Arc)
        places = _line_circle(line, arc)
    else:
        places = _circles(one, two)
    for x, y in places:
        yield Line(x, y, x, y)


def _lines_common(one: Line, two: Line) -> Iterator[Line]:
    if min(one.length, two.length) <= TOLERANCE:
        point, other = (one, two) if one.length <= two.length else (two, one)
        if within(math.dist(_foot(other, point.start), point.start), 0.0):
            yield point
        return
    ux, uy = (one.bx - one.ax) / one.length, (one.by - one.ay) / one.length
    along = [(x - one.ax) * ux + (y - one.ay) * uy for x, y in (two.start, two.end)]
    off = [(x - one.ax) * uy - (y - one.ay) * ux for x, y in (two.start, two.end)]
    if max(map(abs, off)) <= TOLERANCE:
        low, high = max(0.0, min(along)), min(one.length, max(along))
        if low <= high + TOLERANCE:
            yield one.part(low, max(low, high))
        return
    if off[0] * off[1] > 0.0 and min(map(abs, off)) > TOLERANCE:
        return
    if off[0] == off[1]:
        return
    t = min(1.0, max(0.0, off[0] / (off[0] - off[1])))
    s = along[0] + t * (along[1] - along[0])
    if -TOLERANCE <= s <= one.length + TOLERANCE:
        x, y = one.at(s)
        yield Line(x, y, x, y)


def _foot(line: Line, place: Point) -> Point:
    """The point of a line nearest to a place."""
    length = line.length
    if length == 0.0:
        return line.start
    dx, dy = (line.bx - line.ax) / length, (line.by - line.ay) / length
    return line.at((place[0] - line.ax) * dx + (place[1] - line.ay) * dy)


def _line_circle(line: Line, arc: Arc) -> Iterator[Point]:
    length = line.length
    if length <= TOLERANCE:
        if within(abs(math.dist(line.start, (arc.cx, arc.cy)) - arc.radius), 0.0):
            yield line.start
        return
    ux, uy = (line.bx - line.ax) / length, (line.by - line.ay) / length
    middle = (arc.cx - line.ax) * ux + (arc.cy - line.ay) * uy
    off = (arc.cx - line.ax) * uy - (arc.cy - line.ay) * ux
    if more_than(abs(off), arc.radius):
        return
    half = math.sqrt(max(0.0, (arc.radius - off) * (arc.radius + off)))
    for s in dict.fromkeys((middle - half, middle + half)):
        if -TOLERANCE <= s <= length + TOLERANCE:
            yield line.ax + s * ux, line.ay + s * uy


def _circles(one: Arc, two: Arc) -> Iterator[Point]:
    dx, dy = two.cx - one.cx, two.cy - one.cy
    d = math.hypot(dx, dy)
    r, q = one.radius, two.radius
    if d == 0.0 or more_than(d, r + q) or more_than(abs(r - q), d):
        return
    along = (d * d + r * r - q * q) / (2.0 * d)
    off = math.sqrt(max(0.0, (r - along) * (r + along)))
    ux, uy = dx / d, dy / d
    for side in dict.fromkeys((off, -off)):
        yield one.cx + along * ux - side * uy, one.cy + along * uy + side * ux


# Across a low barrier.


def _across(state: State, body: Body, target: Body, surface: Surface) -> Iterator[Goal]:
    """Places on a surface from which a target is met across a low barrier."""
    ground = terrain_of(state)
    for solid in _barriers_of(ground, target):
        for x, y in _beyond(solid, body, target):
            if surface.depth(x, y) < -TOLERANCE:
                continue
            there = body.at(x, y, stand_height(ground, surface, x, y))
            if free_at(state, ground, body, *there.centre, there.z) and across_barrier(
                state, there, target
            ):
                yield PointGoal(x, y)


def _barriers_of(ground: Terrain, target: Body) -> Iterator[Solid]:
    """Low barriers that a target touches, and those it stands on."""
    yield from barriers_touched(ground, target)
    r = target.base.reach
    box = (target.x - r, target.y - r, target.x + r, target.y + r)
    yield from (solid for solid in ground.storeys.solids_near(box) if stands_on(solid, target))


def _beyond(solid: Solid, body: Body, target: Body) -> Iterator[Point]:
    """Places of a base against a barrier whose nearest point of the target lies straight through:
    square to a side of it, through a corner, or along a radius of a round one."""
    plan, shape, own = solid.ground, about_centre(body), base_part(target)
    if plan.circle is not None:
        cx, cy, rc = plan.circle
        d = math.hypot(target.x - cx, target.y - cy)
        ux, uy = (target.x - cx, target.y - cy) if d > TOLERANCE else (body.x - cx, body.y - cy)
        d = math.hypot(ux, uy)
        for n in ((ux / d, uy / d), (-ux / d, -uy / d)) if d > 0.0 else ():
            yield from _off(shape, (cx + rc * n[0], cy + rc * n[1]), n)
        return
    assert plan.ring is not None
    ring = list(zip(plan.ring[0::2], plan.ring[1::2], strict=True))
    for (ax, ay), (bx, by) in zip(ring[-1:] + ring[:-1], ring, strict=True):
        d = math.hypot(bx - ax, by - ay)
        n = ((by - ay) / d, -(bx - ax) / d)
        face = Line(ax, ay, bx, by)
        for e in extreme_corners(own, *n, TOLERANCE):
            yield from _off(shape, _foot(face, e), n)
        # Where the base goes straight, if the faces are flush.
        yield from _off(shape, _foot(face, body.centre), n)
    for x, y in ring:
        d = math.hypot(x - target.x, y - target.y)
        if d > TOLERANCE:
            yield from _off(shape, (x, y), ((x - target.x) / d, (y - target.y) / d))


def _off(shape: Part, at: Point, n: Point) -> Iterator[Point]:
    """Centres of a shape that touches a place from the side of a unit normal."""
    near = extreme_corners(shape, -n[0], -n[1], TOLERANCE)
    for x, y in near:
        yield at[0] - x, at[1] - y
    if len(near) > 1:
        yield (
            at[0] - sum(x for x, _ in near) / len(near),
            at[1] - sum(y for _, y in near) / len(near),
        )
