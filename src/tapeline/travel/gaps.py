"""Gaps crossed by one straight jump, no wider than may be jumped.

The search takes a gap for level ground and does not bind how it is crossed. Where a way crosses
one by more than may be jumped, or round something that stands in it, straight jumps stand for the
gap, closer and closer about the best of them, as they do from the first at the rims of round
surfaces (`rims.py`). Lengths in table units.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from tapeline.engine.limits import more_than
from tapeline.engine.paths import Point
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute, Step
from tapeline.table.solids import box_of
from tapeline.travel.chart import Chart
from tapeline.travel.rim_search import Descent, Found, Spot, over_rims, within
from tapeline.travel.rims import LEAP, Passage, Shore
from tapeline.travel.search import Seeker

__all__ = ["Jumper", "is_jump", "leads_over_gaps", "leaps", "shortest", "without_gaps"]


class Jumper(NamedTuple):
    """Who looks for a way over gaps: the chart, its radius and height, the widest gap it jumps.

    inset: how far in from the edges it takes off and lands. rise: what a length up costs.
    """

    chart: Chart
    radius: float
    tall: float
    widest: float
    inset: float = 0.0
    rise: float = 0.0


def shortest(
    jumper: Jumper,
    seeker: Seeker,
    levels: Levels,
    goals: Sequence[tuple[str, Goal]],
    limit: float,
    *,
    rough: bool = False,
    cut: bool = False,
    too_wide: list[str] | None = None,
) -> LevelRoute | None:
    """The shortest route that crosses gaps straight and none by more than may be jumped; rough:
    nearly. cut: the levels are cut down to the limit already, as those of a rough one.

    too_wide: gaps that are not so crossed within a shorter limit; more are put in.
    """
    gaps, spots = jumper.chart.gaps, {} if rough else dict(jumper.chart.spots)
    if not cut and not rough:
        levels = within(levels, seeker.start, goals, limit, spots)
    wide = [] if too_wide is None else too_wide
    met: list[str] = []

    def descend(levels: Levels, descent: Descent) -> Found | None:
        while (route := seeker.route(levels, goals, descent.limit)) is not None:
            bad = (s.level for s in route.steps if s.level in gaps and not is_jump(jumper, s))
            if (name := next(bad, None)) is not None:
                met.append(name)
                return None
            if not descent.take(route) or (closer := descent.closer(levels, route)) is None:
                break
            levels = closer
        return descent.best

    while True:
        for name in met or wide:
            links = leaps(jumper, name)
            levels = without_gaps(levels, [name]).with_more(links=links)
            spots |= {} if rough else {link.id: spot for link, spot in links.items()}
        wide += met
        met.clear()
        route = over_rims(levels, spots, limit, descend)
        if not met:
            return route


def is_jump(jumper: Jumper, step: Step) -> bool:
    """Whether a step over a gap is one straight jump that may be made, if it is walked at all."""
    legs = step.path.legs
    straight = math.dist(legs[0].start, legs[-1].end) if legs else 0.0
    return not more_than(step.path.length, min(jumper.widest, straight))


def leaps(jumper: Jumper, name: str) -> dict[Link, Spot]:
    """Straight jumps over a gap."""
    chart, r, tall, widest, inset, rise = jumper
    gap, ground = chart.gaps[name], chart.terrain
    start, end = chart.surfaces[gap.start], chart.surfaces[gap.end]
    z, cost = max(start.z, end.z), rise * max(0.0, end.z - start.z)
    solids = [
        solid.ground
        for solid in ground.with_plates(box_of(gap.near, widest + r))
        if ground.stops(solid, z, z, tall)
    ]
    sides = Shore(start, gap.near, _off(gap.near)), Shore(end, gap.far, _off(gap.far))
    return Passage(f"{LEAP} {name}", ground, *sides, widest, cost, r, solids, inset).spots()


def without_gaps(levels: Levels, gone: Collection[str]) -> Levels:
    """The levels without ways to and from some of them."""
    return levels.keeping(lambda way: way.start[0] not in gone and way.end[0] not in gone)


def _off(edge: Line) -> Point:
    """The unit normal that leads off an edge."""
    return (edge.by - edge.ay) / edge.length, (edge.ax - edge.bx) / edge.length


def leads_over_gaps(chart: Chart, levels: Levels) -> bool:
    """Whether a way on some levels of a chart may lead over a gap."""
    leaps = any(link.kind == LEAP for link in levels.links)
    return leaps or any(level.id in chart.gaps for level in levels.levels)
