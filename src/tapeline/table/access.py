"""Is a table of several storeys sound? Ways that end in the air, floors nobody can reach."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.errors import Fault
from tapeline.geometry.plane.distance import point_ring, segment_segment
from tapeline.table.storeys import TABLE, UNCLIMBABLE, Storeys, Surface
from tapeline.table.terrain import Ladder, Polygon, Ramp

__all__ = ["out_of_reach", "way_faults"]

#: Length: how far an end of a way may lie from the surface it leads to.
_NEAR = 1e-6


def way_faults(storeys: Storeys) -> Iterator[Fault]:
    """Ramps, stairs, ladders and ropes that end in the air or go through a floor."""
    table = storeys.table
    ways: tuple[Ramp | Ladder, ...] = (*table.ramps, *table.ladders)
    for way in ways:
        where = f"{table.where(way.id)}.{way.kind}"
        sound = True
        for name, (x, y, z) in (("foot", way.foot), ("head", way.head)):
            if not _ends_on(storeys, way, x, y, z):
                message = f"no surface lies {z:g} high at ({x:g}, {y:g}); the {way.kind} ends"
                yield Fault(f"{where}.{name}", f"{message} in the air")
                sound = False
        (ax, ay, az), (bx, by, bz) = way.foot, way.head
        for floor in table.floors if sound else ():
            if not az + _NEAR < floor.z < bz - _NEAR:
                continue
            t = (floor.z - az) / (bz - az)
            x, y = ax + t * (bx - ax), ay + t * (by - ay)
            if not any(_depth(o, x, y) > _NEAR for o in floor.outlines):
                continue
            if not any(_depth(o, x, y) > -_NEAR for o in (*floor.holes, *floor.hatches)):
                message = f"the {way.kind} goes through {floor.id!r}; give that a hole or a hatch"
                yield Fault(f"{where}.head", message)


def _depth(polygon: Polygon, x: float, y: float) -> float:
    return -point_ring(x, y, polygon.ring)[0]


def _ends_on(storeys: Storeys, way: Ramp | Ladder, x: float, y: float, z: float) -> bool:
    return any(
        way.id not in surface.entries and abs(surface.height(x, y) - z) <= _NEAR
        for surface in storeys.over(x, y, _NEAR)
    )


def out_of_reach(storeys: Storeys, *, step: float, drop: float, gap: float) -> tuple[Surface, ...]:
    """Surfaces that nobody can come to from the table, whoever it is.

    Ways counted: ramps, stairs, ladders, ropes; faces of solids and faces of their own, unless
    they are "unclimbable"; steps up to `step`; drops of at most `drop` from the side; other
    surfaces at most `gap` away on the plan and at most `step` lower. Table units.
    """
    surfaces = storeys.surfaces
    number = {surface.id: i for i, surface in enumerate(surfaces)}
    ways: list[list[int]] = [[] for _ in surfaces]

    def join(a: int, b: int, both: bool = True) -> None:
        ways[a].append(b)
        if both:
            ways[b].append(a)

    def at(x: float, y: float, z: float) -> list[int]:
        return [number[s.id] for s in storeys.over(x, y, _NEAR) if abs(s.height(x, y) - z) <= _NEAR]

    for ladder in storeys.table.ladders:
        for a in at(*ladder.foot):
            for b in at(*ladder.head):
                join(a, b)
    for i, surface in enumerate(surfaces):
        if surface.ramp is not None:
            for x, y, z in (surface.ramp.foot, surface.ramp.head):
                for j in at(x, y, z):
                    if j != i:
                        join(i, j)
    for solid in storeys.solids:
        if UNCLIMBABLE in solid.traits:
            continue
        # Whoever stands beside it may come to what its top carries or touches.
        low = [i for i, s in enumerate(surfaces) if _beside(s, solid.ground.box, solid.bottom)]
        high = [i for i, s in enumerate(surfaces) if _beside(s, solid.ground.box, solid.top)]
        for a in low:
            for b in high:
                join(a, b)
    for face in storeys.table.faces:
        if face.has(UNCLIMBABLE):
            continue
        (ax, ay), (bx, by) = face.start, face.end
        box = (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        for a, low_surface in enumerate(surfaces):
            for b, high_surface in enumerate(surfaces):
                if _beside(low_surface, box, face.bottom) and _beside(high_surface, box, face.top):
                    join(a, b)
    for i, surface in enumerate(surfaces):
        for edge in storeys.edges(surface):
            if edge.beyond is None:
                continue
            fall = edge.drop(*edge.at(0.5))
            if fall <= drop:
                join(i, number[edge.beyond.id], both=fall < step)
        for j, other in enumerate(surfaces):
            if j != i and other.z < surface.z + step and _apart(surface, other) <= gap:
                join(i, j, both=False)
    seen = {number[TABLE]}
    todo = [number[TABLE]]
    while todo:
        for j in ways[todo.pop()]:
            if j not in seen:
                seen.add(j)
                todo.append(j)
    return tuple(surface for i, surface in enumerate(surfaces) if i not in seen)


def _beside(surface: Surface, box: tuple[float, float, float, float], z: float) -> bool:
    if surface.ramp is not None or abs(surface.z - z) > _NEAR:
        return False
    near = (box[0] - _NEAR, box[1] - _NEAR, box[2] + _NEAR, box[3] + _NEAR)
    return surface.outer.meets(near)


def _apart(a: Surface, b: Surface) -> float:
    """Distance of two surfaces on the plan; 0 where they meet."""
    best = math.inf
    for ax, ay, bx, by, _, _ in a.borders():
        if b.depth(ax, ay) >= 0.0:
            return 0.0
        for cx, cy, dx, dy, _, _ in b.borders():
            best = min(best, segment_segment(ax, ay, bx, by, cx, cy, dx, dy)[0])
    return best
