"""The edge of the table under a round base that moves, and how far it comes off."""

from __future__ import annotations

import math
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, overlaps
from tapeline.geometry.plane.areas import disc_ring_area, spans_half_in_ring
from tapeline.geometry.plane.legs import Arc
from tapeline.geometry.plane.sweeps import spans_near_segment
from tapeline.table.terrain import Battlefield
from tapeline.travel.route import Measured, Route

__all__ = ["edges_of", "leaves_table", "past_half", "ring_of"]

Segment: TypeAlias = tuple[float, float, float, float]

#: Length: the lines of the edges go on so far beyond the table.
_FAR = 1e4


def ring_of(table: Battlefield) -> tuple[float, ...]:
    """The corners of the table."""
    return (0.0, 0.0, table.width, 0.0, table.width, table.depth, 0.0, table.depth)


def edges_of(table: Battlefield) -> tuple[Segment, ...]:
    """The lines of the four edges, left, right, near and far."""
    w, d = table.width, table.depth
    return (
        (0.0, -_FAR, 0.0, _FAR),
        (w, -_FAR, w, _FAR),
        (-_FAR, 0.0, _FAR, 0.0),
        (-_FAR, d, _FAR, d),
    )


def past_half(table: Battlefield, x: float, y: float, r: float) -> float:
    """How much more of a base than half is off the table: that share of its width, table units."""
    return 2.0 * r * (0.5 - disc_ring_area(x, y, r, ring_of(table)) / (math.pi * r * r))


def leaves_table(table: Battlefield, track: Route, r: float, under_half: bool) -> Measured | None:
    """Where a base first leaves the table along a track; its distance is how far it gets off."""
    width, depth = table.width, table.depth
    x0, y0, x1, y1 = track.box(0.0)
    if r <= x0 and x1 <= width - r and r <= y0 and y1 <= depth - r:
        return None
    if under_half:
        return _half_off(table, track, r)
    worst: Measured | None = None
    normals = ((1.0, 0.0, 0.0), (-1.0, 0.0, -width), (0.0, 1.0, 0.0), (0.0, -1.0, -depth))
    for segment, (nx, ny, offset) in zip(edges_of(table), normals, strict=True):
        out, first, place = 0.0, math.inf, track.start.xy
        for before, part in track.stretches:
            points = [0.0, part.length]
            if isinstance(part.leg, Arc):
                turn = part.leg.travelled_to(math.atan2(-ny, -nx))
                points += [turn] if turn is not None else []
            for s in points:
                p = part.leg.at(s)
                off = r - (nx * p[0] + ny * p[1] - offset)
                if off > out:
                    out, place = off, p
            at = part.leg.start
            deep = overlaps(r - (nx * at[0] + ny * at[1] - offset))
            spans = spans_near_segment(part.leg, *segment, r if deep else r - TOLERANCE)
            if spans:
                first = min(first, before + spans[0][0])
        if overlaps(out):
            first = 0.0 if first is math.inf else first
            far = Measured(out, first, place)
            if worst is not None:
                far = max(far, worst, key=lambda edge: edge.distance)
                far = far._replace(travelled=min(first, worst.travelled))
            worst = far
    return worst


def _half_off(table: Battlefield, track: Route, r: float) -> Measured | None:
    for before, part in track.stretches:
        done = 0.0
        spans = spans_half_in_ring(part.leg, r, ring_of(table))
        for begin, end in [*spans, (part.length, part.length)]:
            if begin > done or not spans:
                marks = (done, 0.5 * (done + begin), begin)
                off = max(past_half(table, *part.leg.at(s), r) for s in marks)
                if overlaps(off):
                    return Measured(off, before + done, part.leg.at(done))
            done = end
    return None
