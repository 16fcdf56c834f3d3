"""What Trench Crusade makes of the ground for a search: where a charge may run.

Ladders and ropes are charged their length. Over a ledge leads a strip one base radius wide, over a
gap a level between its lips; a Climb is a portal charged its height. Prepared once for each table,
size and reading.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Line
from tapeline.rules.trench_crusade.figures import JUMP_SHARE, LOW_OBSTACLE_IN
from tapeline.rules.trench_crusade.policy import terrain_of
from tapeline.rules.trench_crusade.state import height, may_leave_table, movement, radius
from tapeline.table.bodies import Body
from tapeline.table.storeys import UNCLIMBABLE, Edge, Surface
from tapeline.table.terrain import Wall
from tapeline.travel.chart import SPECK, Chart, Draft, inside
from tapeline.travel.crossings import faces_under
from tapeline.travel.terrain import Terrain

__all__ = ["chart_of"]

Point: TypeAlias = tuple[float, float]


def chart_of(state: State, body: Body, forbid: frozenset[str]) -> Chart:
    """The chart for a model that will not do some things: climb, jump, jump_down, dangerous."""
    heights = terrain_of(state)
    widest = JUMP_SHARE * movement(state, body)
    free = may_leave_table(body)
    hang = state.option("edge_overhang") == "under_half"
    key = ("chart", radius(body), height(body), widest, free, hang, forbid)
    found = heights.kept.get(key)
    if not isinstance(found, Chart):
        draft = Draft(
            heights,
            radius(body),
            height(body),
            overhang=math.inf if free else radius(body) if hang else 0.0,
            under_floors=False,
            round_hazards="dangerous" in forbid,
        )
        found = heights.kept[key] = _drawn(draft, widest, forbid)
    return found


def _drawn(draft: Draft, widest: float, forbid: frozenset[str]) -> Chart:
    draft.over_edges(lambda draft, edge: _over_ledge(draft, forbid, edge))
    for ladder in draft.terrain.table.ladders:
        draft.ladder(ladder, math.dist(ladder.foot, ladder.head))
    if "climb" not in forbid:
        for wall in draft.terrain.table.walls:
            _over_wall(draft, wall)
    if "jump" not in forbid:
        draft.over_gaps(
            widest,
            lambda here, there: (max(here.z, there.z), max(0.0, there.z - here.z)),
            draft.r,
        )
    return draft.chart()


# Jumps down and climbs.


def _over_ledge(draft: Draft, forbid: frozenset[str], edge: Edge) -> None:
    surface, a, b = edge.surface, edge.at(0.0), edge.at(1.0)
    line, parts = draft.strip(edge, draft.r + _ledge_beyond(draft.terrain, edge))
    ledge = ""
    for begin, end, below in parts:
        drop = surface.z - below.z
        if draft.terrain.low(drop, surface, below):
            continue
        lower = (below.id, line.at(begin), line.at(end))
        if "jump_down" not in forbid:
            if not ledge:
                ring = [*a, *b, line.bx, line.by, line.ax, line.ay]
                ledge = draft.in_the_air("ledge", _positive(ring), surface.z)
                draft.portal("ledge", (surface.id, a, b), (ledge, a, b))
            draft.portal("drop", (ledge, line.at(begin), line.at(end)), lower)
        if "climb" not in forbid:
            t, u = begin / line.length, end / line.length
            if faces_under(draft.terrain, *edge.at(0.5 * (t + u)), surface.z, below.z):
                upper = (surface.id, inside(edge, t, draft.r), inside(edge, u, draft.r))
                draft.portal("climb", lower, upper, drop, both=True)


def _ledge_beyond(terrain: Terrain, edge: Edge) -> float:
    """How far what carries a floor stands out beyond its edge."""
    x, y = edge.at(0.5)
    far = 0.0
    ahead = Line(x, y, x + 2.0 * edge.nx, y + 2.0 * edge.ny)
    for o in terrain.near((x, y, x, y)):
        carries = not more_than(abs(o.top - edge.surface.z), LOW_OBSTACLE_IN)  # else a step below
        spans = o.ground.spans(ahead) if carries else []
        if spans and spans[0][0] <= TOLERANCE and not terrain.is_barred(o):
            far = max(far, spans[0][1])
    return far


def _over_wall(draft: Draft, wall: Wall) -> None:
    """Climbs over a wall that stands free, where it is whole."""
    if UNCLIMBABLE in wall.traits or "impassable" in wall.traits:
        return
    off = draft.r + 0.5 * wall.thickness
    for (ax, ay), (bx, by), gone, till in wall.straights():
        d = till - gone
        ux, uy = (bx - ax) / d, (by - ay) / d
        cuts = {0.0, d}
        for o in wall.openings:
            cuts |= {min(d, max(0.0, s - gone)) for s in (o.start, o.end)}
        for begin, end in pairwise(sorted(cuts)):
            middle = gone + 0.5 * (begin + end)
            whole = not any(o.start < middle < o.end for o in wall.openings)
            if whole and end - begin > SPECK:
                sides = [
                    tuple(
                        (ax + s * ux - k * off * uy, ay + s * uy + k * off * ux)
                        for s in (begin, end)
                    )
                    for k in (1.0, -1.0)
                ]
                _over_part(draft, wall, sides[0], sides[1])


def _over_part(draft: Draft, wall: Wall, left: tuple[Point, ...], right: tuple[Point, ...]) -> None:
    def on(side: tuple[Point, ...]) -> Surface | None:
        x, y = 0.5 * (side[0][0] + side[1][0]), 0.5 * (side[0][1] + side[1][1])
        found = draft.at_height(x, y, wall.bottom)
        return found[0] if found and found[0].ramp is None else None

    one, two = on(left), on(right)
    rise = wall.top - wall.bottom
    if one is None or one is not two:
        return
    if not draft.terrain.low(rise, one) and "trench" not in wall.traits:
        start, end = (one.id, left[0], left[1]), (two.id, right[0], right[1])
        draft.portal("climb", start, end, 2.0 * rise, both=True)


def _positive(ring: list[float]) -> list[float]:
    """A ring counter-clockwise."""
    area = sum(ring[i - 2] * ring[i + 1] - ring[i] * ring[i - 1] for i in range(0, len(ring), 2))
    if area > 0.0:
        return ring
    return [v for i in range(len(ring) - 2, -1, -2) for v in (ring[i], ring[i + 1])]
