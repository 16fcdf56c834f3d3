"""A second opinion on a route over levels: what is wrong with it, told by places along it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tapeline.geometry.discs.field import Circle, Field
from tapeline.geometry.surfaces.links import Place, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute

#: Places looked at on each leg.
_PLACES = 60
#: Length: how far places that must be one may differ.
_SAME = 1e-6


def faults(
    levels: Levels,
    start: Place,
    route: LevelRoute,
    r: float,
    zones: Mapping[str, Sequence[Circle]] | None = None,
) -> Iterator[str]:
    """Whether each step begins where the last ended, costs what it must, and keeps clear of all
    that stands on its level; and whether each link is taken from its one side to the other."""
    ways = {way.id: way for way in (*levels.links, *levels.portals)}
    level = start[0]
    here = complex(*levels.level(level).own(*start[1:]))
    for step in route.steps:
        if step.link:
            way = ways[step.link]
            a, b, c, d = levels.sides(way)
            there = complex(*step.at)
            turned = way.start[0] != level or way.end[0] != step.level
            for back in (False, True) if way.start[0] == way.end[0] else (turned,):
                if back:
                    a, b, c, d = c, d, a, b
                share = 0.0 if not isinstance(way, Portal) else ((here - a) / (b - a)).real
                entered, left = a + share * (b - a), c + share * (d - c)
                if max(abs(here - entered), abs(there - left)) < _SAME and (way.both or not back):
                    break
            else:
                yield f"{step.link} is not taken from side to side"
            if not -_SAME <= share <= 1.0 + _SAME or step.cost != way.cost:
                yield f"{step.link} is taken beyond its ends, or not charged"
            level, here = step.level, there
            continue
        if step.level != level:
            yield f"walked on {step.level}, not on {level}"
        field, around = levels.level(level).field, (zones or {}).get(level, ())
        for leg in step.path.legs:
            if abs(complex(*leg.start) - here) > _SAME:
                yield f"a leg on {level} begins elsewhere"
            places = np.array([leg.at(leg.length * k / _PLACES) for k in range(_PLACES + 1)])
            if clearance(field, places, r, around) < -_SAME:
                yield f"a leg on {level} meets something"
            here = complex(*leg.end)
        if abs(step.cost - step.path.length) > _SAME:
            yield "a path does not cost its length"
    if not math.isclose(sum(step.cost for step in route.steps), route.cost, abs_tol=1e-7):
        yield "the steps do not add up"


def clearance(field: Field, places: np.ndarray, r: float, zones: Sequence[Circle] = ()) -> float:
    """How far a disc at the places keeps from all at least; less than 0 where it overlaps."""
    x, y = places[:, 0], places[:, 1]
    x0, y0, x1, y1 = field.table
    least = min((x - x0).min(), (y - y0).min(), (x1 - x).min(), (y1 - y).min()) - r
    for kind, _, figures, thickness in field.things:
        if kind in ("post", "body"):
            far = np.hypot(x - figures[0], y - figures[1]) - figures[2] - r
        else:
            ring = [*figures, *figures[:2]] if kind != "wall" else figures
            off, inside = np.full(len(x), math.inf), np.zeros(len(x), bool)
            for k in range(0, len(ring) - 2, 2):
                ax, ay, bx, by = ring[k : k + 4]
                square = (bx - ax) ** 2 + (by - ay) ** 2
                t = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / (square or 1.0)
                t = np.clip(t, 0.0, 1.0)
                off = np.minimum(off, np.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)))
                if ay != by:
                    beside = (ay > y) != (by > y)
                    inside ^= beside & (x < ax + (y - ay) * (bx - ax) / (by - ay))
            if kind != "wall":
                off = np.where(inside, -off, off)
            far = off - (0.0 if kind == "ground" else r + thickness)
        least = min(least, far.min())
    for zx, zy, radius in zones:
        least = min(least, (np.hypot(x - zx, y - zy) - radius).min())
    return float(least)
