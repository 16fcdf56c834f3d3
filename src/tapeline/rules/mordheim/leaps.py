"""Gaps crossed within what may be jumped, where the straightest way over would be too wide (3.11).

The search takes a gap for level ground and does not bind how long it is crossed. Where a way
crosses one by more than may be jumped, the gap is replaced: by strips, each from a short piece of
the edge jumped from to all that lies near enough to all of that piece; and between parallel edges
by crossings of exactly the greatest width, aslant to either side. What falls between two strips is
found by cutting finer about the best way so far, until that leaves out less than rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.geometry.levels.levels import Level, LevelRoute, Levels, Portal
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.geometry.rectangles.contact import overlap_part, spans_inside
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.rules.mordheim.charts import Gap
from tapeline.rules.mordheim.figures import GAP_IN
from tapeline.table.solids import Ground

__all__ = ["LEAP", "Strip", "narrowed", "strips_about"]

Point: TypeAlias = tuple[float, float]

#: The kind of a crossing of exactly the greatest width.
LEAP = "leap"
#: Inches: length of a strip's edge at first, how much finer each time, and the finest.
_FIRST, _FINER, _FINEST = 0.5, 8.0, 1e-7
#: Length: what is nearer to the end of a strip is at it.
_AT = 1e-9
#: Sine of the angle between edges that are parallel.
_PARALLEL = 1e-9


@dataclass(frozen=True, slots=True)
class Strip:
    """A piece of a gap: lengths along the edge jumped from, and along the one landed on; step: how
    long the first is. name: of its level; of: of the gap's."""

    name: str
    of: str
    gap: Gap
    begin: float
    end: float
    low: float
    high: float
    step: float

    def bound_by(self, route: LevelRoute) -> float | None:
        """Where a route that crosses it jumps, along the edge, if the strip's end keeps it from
        landing farther on; else None."""
        for number, step in enumerate(route.steps):
            if step.level == self.name and not step.link and number:
                landed = math.dist(self.gap.far.start, step.at)
                jumped = math.dist(self.gap.near.start, route.steps[number - 1].at)
                for bound, edge in ((self.low, 0.0), (self.high, self.gap.far.length)):
                    if abs(landed - bound) <= _AT < abs(bound - edge):
                        return jumped
        return None


def narrowed(
    levels: Levels, name: str, gap: Gap, solids: list[Ground], r: float
) -> tuple[Levels, list[Strip]]:
    """The levels with a gap replaced by what may be jumped of it.

    solids: what stands in the way of a base of radius r over it.
    """
    air = levels.level(name)
    levels = levels.keeping(lambda way: name not in (way.start[0], way.end[0]))
    levels = levels.with_more(portals=_slanting(name, gap, solids, r))
    return _with_strips(levels, air, _strips(name, gap, 0.0, gap.near.length, _FIRST))


def strips_about(levels: Levels, strip: Strip, at: float) -> tuple[Levels, list[Strip]] | None:
    """The levels with finer strips about a place of the edge, instead of the one there; None once
    they are as fine as they need to be."""
    if strip.step <= _FINEST:
        return None
    step = strip.step / _FINER
    begin = max(0.0, at - strip.step)
    end = min(strip.gap.near.length, at + strip.step)
    air = levels.level(strip.name)
    return _with_strips(levels, air, _strips(strip.of, strip.gap, begin, end, step))


def _with_strips(levels: Levels, air: Level, strips: Iterator[Strip]) -> tuple[Levels, list[Strip]]:
    found = list(strips)
    portals = []
    for strip in found:
        near, far = strip.gap.near, strip.gap.far
        for kind, here, there, piece in (
            ("take off", strip.gap.start, strip.name, near.part(strip.begin, strip.end)),
            ("land", strip.name, strip.gap.end, far.part(strip.low, strip.high)),
        ):
            side = (*piece.start, *piece.end)
            portals.append(
                Portal(f"{kind} {strip.name}", kind, (here, *side), (there, *side), 0.0, False)
            )
    extra = [replace(air, id=strip.name) for strip in found]
    return levels.with_more(extra, portals=portals), found


def _strips(name: str, gap: Gap, begin: float, end: float, step: float) -> Iterator[Strip]:
    count = max(1, math.ceil((end - begin) / step))
    width = (end - begin) / count
    for k in range(count):
        a, b = begin + k * width, begin + (k + 1) * width
        # Within reach of both ends is within reach of all between.
        spans = [spans_near_point(gap.far, *gap.near.at(t), GAP_IN) for t in (a, b)]
        if all(spans):
            low = max(span[0][0] for span in spans)
            high = min(span[0][1] for span in spans)
            if high - low > _AT and b - a > _AT:
                yield Strip(f"{name}/{step:.3g}/{a!r}", name, gap, a, b, low, high, step)


def _slanting(name: str, gap: Gap, solids: list[Ground], r: float) -> Iterator[Portal]:
    """Between parallel edges: crossings of exactly the greatest width, one to either side."""
    near, far = gap.near, gap.far
    ux, uy = (near.bx - near.ax) / near.length, (near.by - near.ay) / near.length
    vx, vy = (far.bx - far.ax) / far.length, (far.by - far.ay) / far.length
    if abs(ux * vy - uy * vx) > _PARALLEL:
        return
    dx, dy = far.ax - near.ax, far.ay - near.ay
    along = dx * ux + dy * uy
    sx, sy = dx - along * ux, dy - along * uy
    width = math.hypot(sx, sy)
    if more_than(width, GAP_IN):
        return
    aside = math.sqrt(max(0.0, (GAP_IN - width) * (GAP_IN + width)))
    last = along + (far.bx - far.ax) * ux + (far.by - far.ay) * uy
    for shift in dict.fromkeys((aside, -aside)):
        low, high = max(0.0, min(along, last) - shift), min(near.length, max(along, last) - shift)
        over = (sx + shift * ux, sy + shift * uy)
        for number, (a, b) in enumerate(_free(near, low, high, over, solids, r)):
            piece = near.part(a, b)
            start = (gap.start, *piece.start, *piece.end)
            end = (
                gap.end,
                piece.ax + over[0],
                piece.ay + over[1],
                piece.bx + over[0],
                piece.by + over[1],
            )
            label = f"{LEAP} {name} {shift!r} {number}"
            yield Portal(label, LEAP, start, end, math.hypot(*over), False)


def _free(
    near: Line, low: float, high: float, over: Point, solids: list[Ground], r: float
) -> Iterator[tuple[float, float]]:
    """Lengths of an edge between which nothing is in the way of a base that jumps so far over."""
    gone: list[tuple[float, float]] = []
    swept = Part((0.0, 0.0, *over), r - TOLERANCE)
    for solid in solids:
        for part in solid.region.parts:
            gone += spans_inside(overlap_part(part, swept), near)
    at = low
    for begin, end in [*sorted(gone), (high, high)]:
        if min(begin, high) - at > TOLERANCE:
            yield at, min(begin, high)
        at = max(at, end)
