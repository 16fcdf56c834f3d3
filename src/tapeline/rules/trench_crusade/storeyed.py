"""What a model may do in one move on a table with storeys, for reach and routes.

Ways are sought on the chart that charges use, without what needs a roll: climbs, jumps, Dangerous
ground. Each is then checked by the clauses of a move, so that what is told judges legal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.move_limits import SurfaceLimits, Toll
from tapeline.engine.paths import Leg, LegPath, Place
from tapeline.engine.paths import legs_of as plan_legs
from tapeline.engine.state import State
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Path
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.trench_crusade.actions import Walk
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.closeness import least
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.figures import NEAR_IN
from tapeline.rules.trench_crusade.heights import heights_of
from tapeline.rules.trench_crusade.measures import level_with, reach_of
from tapeline.rules.trench_crusade.route import chart_of
from tapeline.rules.trench_crusade.state import radius
from tapeline.table.bodies import Body
from tapeline.table.storeys import TABLE, Surface
from tapeline.travel.chart import Chart
from tapeline.travel.route import Route, Stretch
from tapeline.travel.search import legs_of
from tapeline.travel.terrain import Patch, Terrain

__all__ = ["Footing", "footing", "toll_over"]

Manner = Literal["move", "dash", "retreat"]
#: What the referee makes of legs; None where a clause forbids them.
Judge = Callable[[LegPath], Route | None]

#: What needs a roll on any ground.
_ROLLED = frozenset({"climb", "jump", "jump_down"})
#: How far outside a zone that may not be entered a way keeps, inches: more than the tolerance that
#: the zone's edge counts as inside, plus what a way may be inside an obstacle.
_OFF_IN = 3 * TOLERANCE


@dataclass(frozen=True, slots=True)
class Footing:
    """What a model stands on, and where it may go from there.

    obstacles: of that surface, for its centre. round: the round top it stands on, which its centre
    may not leave. difficult: outlines of Difficult ground on that surface. uneven: whether the
    rules know more of that surface than the obstacles tell: edges on which no base may stop, low
    tops and sides of ramps that a base steps on. storeys: the same over all storeys, None on a
    round top.
    """

    surface: Surface
    obstacles: Field
    round: tuple[float, float, float] | None
    difficult: tuple[Patch, ...]
    uneven: bool
    storeys: SurfaceLimits | None


def footing(
    state: State, body: Body, manner: Manner, held: tuple[Body, ...], allowance: float
) -> Footing | None:
    """Where a model that walks may go; None if nothing carries it. held: enemies within 1 inch."""
    heights = heights_of(state)
    surface = heights.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if surface is None:
        return None
    chart = chart_of(state, body, _ROLLED)
    far = allowance + radius(body)
    box = (body.x - far, body.y - far, body.x + far, body.y + far)
    uneven = _uneven(state, heights, surface, box)
    storeys = None
    if surface.id in chart.surfaces:
        storeys = _storeyed(state, body, manner, held, surface, box)
    return Footing(
        surface,
        chart.own_field(surface, radius(body)),
        surface.outer.circle,
        tuple(p for p in heights.patches if p.factor > 1.0 and p.lies(surface, body.z)),
        uneven,
        storeys,
    )


def toll_over(
    state: State,
    body: Body,
    manner: Manner,
    held: tuple[Body, ...],
    height: float | None,
) -> Callable[[Path], Toll]:
    """What the referee takes for a path on the plan, and the Dangerous ground on it; height: what
    it ends at, if it must say so."""
    judge = _judge(state, body, manner, held)

    def toll(path: Path) -> Toll:
        way = judge(plan_legs(path.legs, height))
        if way is None:
            return Toll(math.inf)
        dangers = [part.danger for part in way.parts if part.danger is not None]
        return Toll(way.cost, tuple(dict.fromkeys(dangers)))

    return toll


def _judge(state: State, body: Body, manner: Manner, held: tuple[Body, ...]) -> Judge:
    ids = tuple(enemy.id for enemy in held)

    def judge(path: LegPath) -> Route | None:
        context = Context(state, Walk(body.id, path, math.inf, manner, ids), None)
        return None if BOOK.check(Walk, context)[0] else context.way

    return judge


# The surface it stands on.


def _uneven(state: State, heights: Terrain, surface: Surface, box: Box) -> bool:
    if surface.id != TABLE:
        return True
    table = heights.table
    if state.option("edge_overhang") == "under_half":
        across = box[0] < 0.0 or box[2] > table.width
        if across and (box[1] < 0.0 or box[3] > table.depth):
            return True
    return any(
        other is not surface and not more_than(other.z - surface.z, heights.step(surface, other))
        for other in heights.storeys.near(box)
    )


# All storeys.


def _storeyed(
    state: State, body: Body, manner: Manner, held: tuple[Body, ...], start: Surface, box: Box
) -> SurfaceLimits:
    heights = heights_of(state)
    in_danger = bool(heights.danger_at(start, body.x, body.y, body.z, radius(body)))
    risky = any(patch.hazard for patch in heights.patches)
    chart = chart_of(state, body, _ROLLED | ({"dangerous"} if risky and not in_danger else set()))
    levels = _without_guarded(state, body, held, chart.levels)
    judge = _judge(state, body, manner, held)

    def legs(route: LevelRoute) -> LegPath:
        return _legs(levels, route)

    def toll(path: LegPath) -> float:
        way = judge(path)
        return math.inf if way is None or _rolls(way, in_danger) else way.cost

    patches = heights.patches_near(box)
    half = state.option("terrain_in") == "half_area"
    ramps = any(surface.ramp is not None for surface in heights.storeys.near(box))
    return SurfaceLimits(
        levels=levels,
        start=start.id,
        heights={name: (s.z, s.top) for name, s in chart.surfaces.items()},
        keep_out=_keep_out(state, body, held, chart, start),
        forbid=(),
        legs=legs,
        toll=toll,
        partial=ramps or bool(held) or (half and any(p.factor > 1.0 for p in patches)),
    )


def _rolls(way: Route, in_danger: bool) -> bool:
    """Whether a way enters Dangerous ground. in_danger: whether it begins there."""
    for part in way.parts:
        if part.danger is not None and not in_danger:
            return True
        in_danger = part.danger is not None
    return False


def _keep_out(
    state: State, body: Body, held: tuple[Body, ...], chart: Chart, start: Surface
) -> dict[str, tuple[Circle, ...]]:
    """By surface, the 1-inch zones of enemies, and of those that hold it their bases."""
    ids = {enemy.id for enemy in held}
    found: dict[str, list[Circle]] = {}
    for name, surface in chart.surfaces.items():
        level = chart.levels.level(name)
        for enemy in state.enemies(body):
            there = body.at(enemy.x, enemy.y, surface.height(enemy.x, enemy.y))
            reach: float | None
            if enemy.id in ids:
                reach = radius(body) + radius(enemy) if level_with(there, enemy) else None
            else:
                reach = reach_of(there, enemy, NEAR_IN + _OFF_IN)
            if reach is None or surface.depth(enemy.x, enemy.y) < -reach:
                continue
            x, y = level.own(enemy.x, enemy.y)
            if level.slope is not None:
                reach *= level.slope.factor
            if surface is start:
                # It may begin on the very edge.
                reach = min(reach, math.dist(level.own(*body.centre), (x, y)))
            found.setdefault(name, []).append((x, y, reach))
    return {name: tuple(circles) for name, circles in found.items()}


def _without_guarded(state: State, body: Body, held: tuple[Body, ...], levels: Levels) -> Levels:
    """The levels without the ladders and ropes that lead past an enemy within 1 inch."""
    ids = {enemy.id for enemy in held}
    enemies = [enemy for enemy in state.enemies(body) if enemy.id not in ids]

    def guarded(link: Link) -> bool:
        ends = []
        for name, x, y in (link.start, link.end):
            ends.append(Place(x, y, levels.level(name).height_at(x, y)))
        way = Route(ends[0], (Stretch(ends[0], ends[1], 1.0, link.kind, counted=link.cost),))
        gaps = (least(way, body, enemy, NEAR_IN) for enemy in enemies)
        return any(near is not None and within(near.gap, NEAR_IN) for near in gaps)

    kept = [link for link in levels.links if not guarded(link)]
    if len(kept) == len(levels.links):
        return levels
    return Levels(levels.levels, kept, levels.portals)


def _legs(levels: Levels, route: LevelRoute) -> LegPath:
    """The legs of a route; the last one says the height at which it ends."""
    found = list(_walked(levels, route))
    if found:
        step = route.steps[-1]
        level = levels.level(step.level)
        end = level.plan(*step.at)
        z = level.height_at(*end)
        if found[-1].to is None:
            found.append(Leg(to=end, z=z))
        else:
            found[-1] = replace(found[-1], z=z)
    return tuple(found)


def _walked(levels: Levels, route: LevelRoute) -> Iterator[Leg]:
    for step in route.steps:
        yield from legs_of(step, levels.level(step.level), heights=False)
