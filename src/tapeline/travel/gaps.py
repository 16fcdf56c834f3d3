"""Gaps crossed by one straight jump, no wider than may be jumped.

The search takes a gap for level ground and does not bind how it is crossed. Where a way crosses
one by more than may be jumped, or round something that stands in it, straight jumps stand for the
gap, closer and closer about the best of them, as they do from the first at the rims of round
surfaces (`rims.py`), and so they do where it is crossed aslant by who is set down beyond the edge
along the line of the jump. A relaxation that is made tighter where it was used (cutting planes:
Dantzig, Fulkerson and Johnson 1954). Lengths in table units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.geometry.surfaces.links import Link, Place
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute, Step
from tapeline.table.solids import box_of
from tapeline.travel.chart import Chart, Gap
from tapeline.travel.rim_search import Spot, Spots
from tapeline.travel.rims import LEAP, Passage, Shore

__all__ = [
    "Jumper",
    "crossed_straight",
    "from_lips",
    "leads_over_gaps",
    "leap_over",
    "leaps",
    "without_gaps",
]


class Jumper(NamedTuple):
    """Who looks for a way over gaps: the chart, its radius and height, the widest gap it jumps.

    inset: how far in from the edges it takes off and lands. rise: what a length up costs. start:
    where it comes from. clear: a level, and a disc on it that it does not land beyond. made: jumps
    over gaps that were made before. aslant: whether a gap that is crossed aslant costs less than it
    seems, as what is free beyond its edges lies along the line of the jump.
    """

    chart: Chart
    radius: float
    tall: float
    widest: float
    inset: float = 0.0
    rise: float = 0.0
    start: Place = ("", 0.0, 0.0)
    clear: tuple[str, float, float, float] = ("", 0.0, 0.0, 0.0)
    made: dict[str, dict[Link, Spot]] | None = None
    aslant: bool = False


def crossed_straight(
    jumper: Jumper,
    levels: Levels,
    spots: Spots,
    find: Callable[[Levels, Spots], LevelRoute | None],
    crooked: list[str] | None = None,
    sooner: Callable[[Levels, float], LevelRoute | None] | None = None,
) -> tuple[LevelRoute | None, Levels, Spots]:
    """What `find` finds on some levels with spots, with straight jumps for all gaps that it would
    cross otherwise; these levels and spots too.

    crooked: gaps that were crossed otherwise before; more are put in. sooner: finds the same if it
    is hardly longer than what was found before that crossed such gaps.
    """
    gaps, known = jumper.chart.gaps, [] if crooked is None else crooked
    names, route = list(known), None
    while True:
        if names:
            on = {level.id for level in levels.levels}
            there = (name for name in names if {gaps[name].start, gaps[name].end} <= on)
            found = {link: spot for name in there for link, spot in _leaps(jumper, name).items()}
            levels = without_gaps(levels, names)
            had = {link.id for link in levels.links}  # as of a way that jumps there already
            levels = levels.with_more(links=(link for link in found if link.id not in had))
            spots = {**spots, **{link.id: spot for link, spot in found.items()}}
        route = sooner(levels, route.cost) if route and sooner else None
        route = route or find(levels, spots)
        steps = () if route is None else route.steps
        names = [s.level for s in steps if s.level in gaps and not _is_jump(jumper, s)]
        if not names:
            return route, levels, spots
        known += names


def _is_jump(jumper: Jumper, step: Step) -> bool:
    """Whether a step over a gap is one straight jump that may be made and costs what it seems to,
    if it is walked at all."""
    legs, gap = step.path.legs, jumper.chart.gaps[step.level]
    if not legs:
        return True
    start, end = legs[0].start, legs[-1].end
    if more_than(step.path.length, min(jumper.widest, math.dist(start, end))):
        return False
    dx, dy = end[0] - start[0], end[1] - start[1]
    return not jumper.aslant or all(
        abs(dx * (edge.bx - edge.ax) + dy * (edge.by - edge.ay)) <= TOLERANCE * edge.length
        for edge in (gap.near, gap.far)
    )


def from_lips(levels: Levels, start: Place, r: float) -> Iterator[Link]:
    """Ways off to gaps, and climbs, from where a base stands that is nearer to the edge than they
    begin, as it need not go back from there."""
    name, x, y = start
    for portal in levels.portals:
        if portal.kind not in ("take off", "climb"):
            continue
        for here, beyond in ((portal.start, portal.end), (portal.end, portal.start)):
            if here[0] != name or (beyond is portal.start and not portal.both):
                continue
            _, ax, ay, bx, by = here
            there, cx, cy, dx, dy = beyond
            ux, uy, nx, ny = bx - ax, by - ay, cx - ax, cy - ay
            t = ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy)
            deep = ((x - ax) * nx + (y - ay) * ny) / math.hypot(nx, ny) if nx or ny else 0.0
            if 0.0 <= t <= 1.0 and TOLERANCE < deep <= r + TOLERANCE:
                to = there, cx + t * (dx - cx), cy + t * (dy - cy)
                yield Link(f"{portal.id}@{here[1:]}", portal.kind, start, to, portal.cost, False)


def _leaps(jumper: Jumper, name: str) -> dict[Link, Spot]:
    """Straight jumps over a gap."""
    gap, surfaces = jumper.chart.gaps[name], jumper.chart.surfaces
    rise = max(0.0, surfaces[gap.end].z - surfaces[gap.start].z)
    return leaps(jumper, name, gap, jumper.rise * rise)


def leaps(jumper: Jumper, name: str, gap: Gap, cost: float) -> dict[Link, Spot]:
    """Straight jumps from one side of a gap of a name to the other, the same ones each time.

    cost: besides the width."""
    made = {} if jumper.made is None else jumper.made
    if name in made:
        return made[name]
    ground, r, inset, widest = jumper.chart.terrain, jumper.radius, jumper.inset, jumper.widest
    surfaces = jumper.chart.surfaces
    near = Shore(surfaces[gap.start], gap.near, gap.off)
    far = Shore(surfaces[gap.end], gap.far, gap.back)
    z = max(near.surface.z, far.surface.z)
    solids = [
        solid.ground
        for solid in ground.with_plates(box_of(near.edge, widest + r))
        if ground.stops(solid, z, z, jumper.tall)
    ]
    (on, *stand), (onto, *disc) = jumper.start, jumper.clear
    way = Passage(
        f"{LEAP} {name}",
        ground,
        near,
        far,
        widest,
        cost,
        r,
        solids,
        inset,
        along=inset > 0.0,
        start=(stand[0], stand[1]) if on == near.surface.id else None,
        clear=(disc[0], disc[1], disc[2]) if onto == far.surface.id else None,
    )
    made[name] = way.spots()
    return made[name]


def leap_over(link: str) -> str:
    """The name of the level over the gap that a link leads over by a straight jump, if it does."""
    return link.removeprefix(f"{LEAP} ").rsplit(" ", 2)[0]


def without_gaps(levels: Levels, gone: Collection[str]) -> Levels:
    """The levels without ways to and from some of them."""
    return levels.keeping(lambda way: way.start[0] not in gone and way.end[0] not in gone)


def leads_over_gaps(chart: Chart, levels: Levels) -> bool:
    """Whether a way on some levels of a chart may lead over a gap."""
    leaps = any(link.kind == LEAP for link in levels.links)
    return leaps or any(level.id in chart.gaps for level in levels.levels)
