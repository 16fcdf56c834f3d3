"""What a base may climb, and what it may jump to."""

from __future__ import annotations

import math
from collections.abc import Callable, Container
from itertools import pairwise

from tapeline.engine.limits import TOLERANCE, more_than, same
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Leg, Line
from tapeline.geometry.plane.sweeps import without
from tapeline.table.sheer import Sheer, run_over
from tapeline.table.solids import Solid, box_of
from tapeline.table.storeys import Edge, Surface
from tapeline.travel.terrain import Terrain

__all__ = [
    "along_seam",
    "climbable_parts",
    "comes_over",
    "end_of_top",
    "face_ahead",
    "faces_under",
    "far_side",
    "flush",
    "tops_along",
]

#: Length beyond an edge at which is looked for the other side.
_BEYOND = 2e-6


def face_ahead(
    terrain: Terrain, line: Line, r: float, z: float, leads: Callable[[Sheer], bool] | None = None
) -> tuple[float, Sheer] | None:
    """The first sheer surface that a line of a base of radius r at a height crosses, and where.

    It rises by more than a step above the base, and begins no more than one above it. leads:
    whether it is one that leads to where the base climbs.
    """
    found = [
        (crossed, face)
        for face in terrain.features(box_of(line, r))
        if not terrain.low(face.top - z)
        and terrain.low(face.bottom - z)
        and (leads is None or leads(face))
        and (crossed := face.crossing(line, TOLERANCE)) is not None
    ]
    first = min((crossed for crossed, _ in found), default=0.0)
    # Of what it crosses at once the highest: the sill of a door high up is part of the wall beside.
    there = [pair for pair in found if pair[0] <= first + TOLERANCE]
    return max(there, key=lambda pair: pair[1].top, default=None)


def end_of_top(terrain: Terrain, feature: Sheer, line: Line) -> float:
    """How far along a line from its edge the top of a climbed solid goes on, with what stands flush
    with it and is as high."""
    return tops_along(terrain, feature, line)[0]


def tops_along(terrain: Terrain, feature: Sheer, line: Line) -> tuple[float, list[Sheer]]:
    """How far along a line from its edge the top of a climbed solid goes on, and the solids whose
    tops it leads over: what stands flush with it and is as high."""
    tops = (
        face
        for face in terrain.features(box_of(line, 0.0), climbable=False)
        if face.plan is not None and same(face.top, feature.top)
    )
    end, faces = run_over(tops, line, TOLERANCE)
    return end, [feature, *faces]


def flush(one: Solid, other: Solid) -> bool:
    """Whether two solids are alike, as high, and stand side to side: as one that is cut in two."""
    kind, like = ((s.traits, s.see_through, s.walk_through) for s in (one, other))
    if kind != like or not (same(one.top, other.top) and same(one.bottom, other.bottom)):
        return False
    shared = [
        (x, y)
        for this, that in ((one.ground, other.ground), (other.ground, one.ground))
        for x, y in zip((this.ring or ())[::2], (this.ring or ())[1::2], strict=True)
        if abs(that.depth(x, y)) <= TOLERANCE
    ]
    return any(more_than(math.dist(shared[0], at), 0.0) for at in shared[1:])


def along_seam(leg: Leg, one: Solid, other: Solid) -> bool:
    """Whether a leg goes between two solids that stand flush: inside what they are together."""
    if not flush(one, other):
        return False
    marks = one.ground.marks(leg, TOLERANCE) | other.ground.marks(leg, TOLERANCE)
    return any(
        more_than(b - a, 0.0)
        and all(s.ground.depth(*leg.at(0.5 * (a + b))) >= -TOLERANCE for s in (one, other))
        for a, b in pairwise(sorted(marks))
    )


def faces_under(
    terrain: Terrain, x: float, y: float, level: float, foot: float, *, climbable: bool = True
) -> list[Sheer]:
    """Sheer surfaces at a place of an edge: their tops within a step of it, and of what leads
    down to the foot so that no step to it is left."""
    found = _leading(terrain, box_of(Line(x, y, x, y), TOLERANCE), level, foot, climbable=climbable)
    return [face for face in found if face.distance(x, y) <= TOLERANCE]


def climbable_parts(
    terrain: Terrain,
    edge: Edge,
    part: tuple[float, float],
    foot: float,
    entries: Container[str] | None = None,
) -> list[tuple[float, float]]:
    """Between which shares of a part of an edge there are such surfaces under it that can be
    climbed, and are more than a step high. entries: only those of these."""
    line = Line(*edge.at(part[0]), *edge.at(part[1]))
    whole = [(0.0, line.length)]
    near = [
        span
        for face in _leading(terrain, box_of(line, TOLERANCE), edge.surface.z, foot)
        if (entries is None or face.entry in entries) and not terrain.low(face.top - foot)
        for span in face.spans_near(line, TOLERANCE)
    ]
    found = []
    for begin, end in without(whole, without(whole, near)):
        # Not beyond the ends of the surfaces.
        begin = begin + TOLERANCE if begin > 0.0 else 0.0
        end = end - TOLERANCE if end < line.length else end
        if end - begin > TOLERANCE:
            found.append((part[0] + begin / edge.length, part[0] + end / edge.length))
    return found


def _leading(
    terrain: Terrain, box: Box, level: float, foot: float, *, climbable: bool = True
) -> list[Sheer]:
    return [
        face
        for face in terrain.features(box, climbable=climbable)
        if terrain.low(abs(face.top - level)) and terrain.low(face.bottom - foot)
    ]


def far_side(
    terrain: Terrain, jump: Line, able: Callable[[float], bool]
) -> tuple[float, Surface] | None:
    """What a jump from an edge to a place leads to: the length at which it comes over it, and the
    highest surface at its end that begins beyond the edge and whose height is able."""
    if jump.length <= _BEYOND:
        return None
    for surface in terrain.storeys.over(*jump.end, TOLERANCE):
        if able(surface.height(*jump.end)):
            crossed = comes_over(surface, jump)
            if crossed is not None:
                return crossed, surface
    return None


def comes_over(surface: Surface, jump: Line) -> float | None:
    """The length at which a jump from an edge first comes over a surface; None if over none, or at
    once."""
    off = _BEYOND  # farther aslant off an edge of the same surface
    while 2.0 * off < jump.length and surface.depth(*jump.at(off), TOLERANCE) >= -TOLERANCE:
        off *= 2.0
    crossed = surface.enters(jump.part(off, jump.length), TOLERANCE)
    return off + crossed if crossed is not None and crossed > TOLERANCE else None
