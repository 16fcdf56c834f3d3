"""What a disc on its way comes up against: every contact, in the order of the way.

The yes or no of a path is `Field.follows`, by kernels. This is the long answer, for findings and
pictures: each thing with gap, place and stretch, in closed form leg by leg.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

from tapeline.errors import ShapeError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle, Thing, with_boxes
from tapeline.geometry.plane.checks import oriented
from tapeline.geometry.plane.distance import Ring
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Arc, Leg, Path, box_of
from tapeline.geometry.plane.sweeps import (
    Approach,
    Span,
    joined,
    nearest_to_circle,
    nearest_to_ring,
    nearest_to_segment,
    spans_near_point,
    spans_near_ring,
    spans_near_segment,
)

__all__ = ["Contact", "Things", "contacts"]


class Things(NamedTuple):
    """What stands on a table for `contacts` alone, for which nothing is prepared as in a field."""

    table: Box
    boxed: list[Thing]

    @classmethod
    def of(
        cls, width: float, depth: float, solids: Sequence[Ring], posts: Sequence[Circle]
    ) -> Things:
        """As `Field.of`."""
        rings = (("solid", i, (*oriented(ring, "solid"),), 0.0) for i, ring in enumerate(solids))
        rounds = (("post", i, post, 0.0) for i, post in enumerate(posts))
        return cls((0.0, 0.0, width, depth), [*with_boxes(rings), *with_boxes(rounds)])


@dataclass(frozen=True, slots=True)
class Contact:
    """One thing that a disc comes near on its way.

    kind, which: as in `Field.things`; "edge" is a side of the table (left, bottom, right, top).
    gap: least distance left between the disc and it, negative when they overlap; of grounds, of
    the centre. travelled: length of the path there; at, to: the centre there, the thing's nearest
    point. spans: stretches of the path (lengths) that are too near; empty for a mere touch.
    """

    kind: str
    which: str | int
    gap: float
    travelled: float
    at: tuple[float, float]
    to: tuple[float, float]
    spans: tuple[Span, ...]

    @property
    def first(self) -> float:
        """Length of the path up to where it is first too near; infinity if it never is."""
        return self.spans[0][0] if self.spans else math.inf


def _measure(
    leg: Leg, kind: str, figures: tuple[float, ...], keep: float
) -> tuple[Approach, list[Span]]:
    """The leg's nearest approach of its centre to a thing, and where it is nearer than keep."""
    if kind in ("post", "body"):
        x, y, radius = figures
        near = nearest_to_circle(leg, x, y, radius)
        return near, spans_near_point(leg, x, y, radius + keep)
    if kind == "wall":
        ax, ay, bx, by = figures
        return nearest_to_segment(leg, ax, ay, bx, by), spans_near_segment(
            leg, ax, ay, bx, by, keep
        )
    return nearest_to_ring(leg, figures), spans_near_ring(leg, figures, max(0.0, keep))


def _sides(
    leg: Leg, table: tuple[float, float, float, float], r: float, slack: float
) -> Iterator[tuple[str, Approach, list[Span]]]:
    """Sides of the table that a leg's centre comes as near to as r, how near (negative beyond it),
    and where it is nearer than r less slack, or beyond."""
    keep = r - slack
    far = 4.0 * (sum(abs(v) for v in (*box_of(leg), *table) if math.isfinite(v)) + keep + 1.0)
    for axis, side, name in (
        (0, -1.0, "left"),
        (1, -1.0, "bottom"),
        (0, 1.0, "right"),
        (1, 1.0, "top"),
    ):
        rim = table[axis] if side < 0.0 else table[axis + 2]
        if math.isinf(rim):
            continue
        places = [0.0, leg.length]
        if isinstance(leg, Arc):
            out = leg.travelled_to(
                axis * 0.5 * math.pi if side > 0.0 else math.pi * (1 + 0.5 * axis)
            )
            if out is not None:
                places.append(out)
        along = max(places, key=lambda s: side * leg.at(s)[axis])
        at = leg.at(along)
        gap = side * (rim - at[axis])
        if gap > r:
            continue
        to = (rim, at[1]) if axis == 0 else (at[0], rim)
        # The strip beyond, as a ring too long for any leg to leave at its ends.
        low, high = sorted((rim - side * keep, side * far))
        x0, y0, x1, y1 = (low, -far, high, far) if axis == 0 else (-far, low, far, high)
        beyond = spans_near_ring(leg, (x0, y0, x1, y0, x1, y1, x0, y1), 0.0)
        yield name, Approach(gap, along, at, to), beyond


def contacts(field: Field | Things, path: Path, r: float, slack: float = 1e-9) -> list[Contact]:
    """Everything that a disc of radius r overlaps, or leaves the table by, along a path.

    In the order of first contact; overlaps up to slack (length) do not count. Raises ShapeError for
    a radius that will not do.
    """
    if not (math.isfinite(r) and r >= 0.0):
        raise ShapeError(f"a disc's radius must be 0 or more and finite, not {r}")
    starts = [0.0, *accumulate(leg.length for leg in path.legs)]
    found: dict[tuple[str, str | int], Contact] = {}

    def note(
        kind: str, which: str | int, gap: float, near: Approach, spans: list[Span], begin: float
    ) -> None:
        shifted = [(a + begin, b + begin) for a, b in spans]
        had = found.get((kind, which))
        if had is not None:
            shifted = joined([*had.spans, *shifted], 1e-9)
            if had.gap <= gap:
                found[kind, which] = replace(had, spans=tuple(shifted))
                return
        found[kind, which] = Contact(
            kind, which, gap, begin + near.travelled, near.at, near.to, tuple(shifted)
        )

    for leg, begin in zip(path.legs, starts, strict=False):
        x0, y0, x1, y1 = box_of(leg)
        for kind, which, figures, thickness, box in field.boxed:
            own = 0.0 if kind == "ground" else r + thickness
            if box[0] > x1 + own or box[2] < x0 - own or box[1] > y1 + own or box[3] < y0 - own:
                continue
            near, spans = _measure(leg, kind, figures, own - slack)
            if near.distance - own <= 0.0:
                note(kind, which, near.distance - own, near, spans, begin)
        for name, near, spans in _sides(leg, field.table, r, slack):
            note("edge", name, near.distance - r, near, spans, begin)
    deep = (one for one in found.values() if one.gap < -slack)
    return sorted(deep, key=lambda one: (one.first, one.gap))
