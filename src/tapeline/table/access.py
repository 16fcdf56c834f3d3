"""Is a table of several storeys sound? Ways that end in the air, floors nobody can reach."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.errors import Fault
from tapeline.geometry.plane.distance import point_ring, segment_segment
from tapeline.geometry.plane.grid import Box, Grid
from tapeline.table.storeys import TABLE, UNCLIMBABLE, Storeys, Surface
from tapeline.table.terrain import Ladder, Polygon, Ramp
from tapeline.work import count_work

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

    def beside(box: Box, z: float) -> list[int]:
        return [
            number[surface.id]
            for surface in storeys.near(_wider(box, _NEAR))
            if surface.ramp is None and abs(surface.z - z) <= _NEAR
        ]

    def climb(box: Box, bottom: float, top: float) -> None:
        """Whoever stands beside a face may come to what its top carries or touches."""
        low, high = beside(box, bottom), beside(box, top)
        if low and high:
            # All come to all, some by way of others.
            for i in {*low, *high}:
                join(i, low[0])
                join(i, high[0])

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
        if UNCLIMBABLE not in solid.traits:
            climb(solid.ground.box, solid.bottom, solid.top)
    for face in storeys.table.faces:
        if not face.has(UNCLIMBABLE):
            (ax, ay), (bx, by) = face.start, face.end
            climb((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)), face.bottom, face.top)
    for i, surface in enumerate(surfaces):
        for edge in storeys.edges(surface):
            if edge.beyond is None:
                continue
            fall = edge.drop(*edge.at(0.5))
            if fall <= drop:
                join(i, number[edge.beyond.id], both=fall < step)
    borders: dict[str, _Border] = {}
    seen = {number[TABLE]}
    todo = [number[TABLE]]

    def come_to(j: int) -> None:
        if j not in seen:
            seen.add(j)
            todo.append(j)

    while todo:
        i = todo.pop()
        for j in ways[i]:
            come_to(j)
        surface = surfaces[i]
        for other in storeys.near(_wider(surface.outer.box, gap)):
            j = number[other.id]
            low = j not in seen and other.z < surface.z + step
            if low and _within(surface, other, gap, borders):
                come_to(j)
    return tuple(surface for i, surface in enumerate(surfaces) if i not in seen)


def _wider(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


class _Border:
    """The straight border of a surface by place."""

    def __init__(self, surface: Surface) -> None:
        self.sides = [side[:4] for side in surface.borders()]
        boxes = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in self.sides]
        self.boxes = boxes
        self.grid = Grid(boxes)


def _within(a: Surface, b: Surface, gap: float, borders: dict[str, _Border]) -> bool:
    """Whether two surfaces are within a distance on the plan, or a lies in b."""
    for surface in (a, b):
        if surface.id not in borders:
            borders[surface.id] = _Border(surface)
    one, other = borders[a.id], borders[b.id]
    if len(one.sides) > len(other.sides):
        one, other = other, one
    for side, box in zip(one.sides, one.boxes, strict=True):
        near = other.grid.near(_wider(box, gap))
        count_work(1 + len(near), "ways between surfaces")
        if any(segment_segment(*side, *other.sides[k])[0] <= gap for k in near):
            return True
    # Their borders keep apart: each ring of a is in b as a whole or not at all.
    corners = (plan.ring[:2] for plan in a.plans if plan.ring is not None)
    return any(b.depth(x, y) >= 0.0 for x, y in corners)
