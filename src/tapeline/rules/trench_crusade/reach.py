"""What a model may do in one move, dash or retreat, for reach and routes.

The limits are those of the clauses in `moves`, `terrain` and `retreat`, taken from the same
helpers; `tests/analysis` holds both together on random points. Over storeys ways are sought on the
chart that charges use, without what needs a roll: climbs, jumps, Dangerous ground. Each is then
checked by the clauses of a move, so that what is told judges legal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from tapeline.engine.actions import Action
from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.move_limits import BodyCircle, MoveLimits, Slow, SurfaceLimits, Toll
from tapeline.engine.paths import Leg, LegPath, Place, legs_of
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.errors import DocumentError, Fault
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.plane.areas import half_in_circle, half_in_convex, half_out_corners
from tapeline.geometry.plane.grid import Box, box_about
from tapeline.geometry.plane.legs import Path
from tapeline.geometry.rectangles.convex_decomposition import convex_parts
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.trench_crusade.actions import Dash, Move, Retreat, Walk
from tapeline.rules.trench_crusade.book import BOOK, DIFFICULT_FACTOR, NEAR_IN
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.ground import built, chart_of, level_routes, terrain_of
from tapeline.rules.trench_crusade.measures import (
    away_from,
    beside,
    holding,
    ignored_by,
    level_with,
    reach_of,
)
from tapeline.rules.trench_crusade.state import (
    flies,
    height,
    may_leave_table,
    movement_to_come,
    radius,
)
from tapeline.rules.trench_crusade.walker import enters_danger, first_danger, lay
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid
from tapeline.table.storeys import TABLE, Surface
from tapeline.travel.chart import Chart
from tapeline.travel.nearness import least
from tapeline.travel.ramp_sides import SIDE
from tapeline.travel.route import Route, Stretch
from tapeline.travel.search import legs_of_step
from tapeline.travel.terrain import Patch, Terrain

__all__ = ["REACHING"]

Manner = Literal["move", "dash", "retreat"]
#: What the referee makes of legs; None where a clause forbids them.
Judge = Callable[[LegPath], Route | None]

#: What no way told does: what needs a roll on any ground, and walking beside ramps to spare slopes.
_NOT_DONE = frozenset({"climb", "jump", "jump_down", "beside"})
#: How far outside a zone that may not be entered a way keeps, inches: more than the tolerance that
#: the zone's edge counts as inside, plus what a way may be inside an obstacle.
_OFF_IN = 3 * TOLERANCE
_CLAUSES = ("TC-MOVE-1", "TC-MOVE-5", "TC-MOVE-6", "TC-MOVE-7", "TC-MOVE-10", "TC-TER-5")


#: What a model may do in one move, by kind.
REACHING: dict[str, Callable[[State, Body], MoveLimits]] = {
    "move": lambda state, body: _limits(state, body, "move", Move(actor=body.id)),
    "dash": lambda state, body: _limits(state, body, "dash", Dash(actor=body.id)),
    "retreat": lambda state, body: _limits(state, body, "retreat", Retreat(actor=body.id)),
}


def _limits(state: State, body: Body, manner: Manner, action: Action) -> MoveLimits:
    over = built(state.table)
    if over and flies(body):
        why = f"{body.name} flies; over storeys its reach is not told"
        raise DocumentError("reach", [Fault("body", f"{why}; judge a move instead")])
    context = Context(state, action, None)
    findings = list(BOOK.check(type(action), context)[0])
    held = holding(state, body)
    held_back = bool(held) and not all(ignored_by(body, enemy) for enemy in held)
    leaving = manner == "retreat" or (bool(held) and not held_back)
    keep_in: tuple[BodyCircle, ...] = ()
    no_return: tuple[BodyCircle, ...] = ()
    no_end = list(_friends(state, body))
    clauses = list(_CLAUSES)
    heading = None
    if leaving:
        no_return = tuple(_near(body, held, _OFF_IN, "TC-MOVE-7"))
    else:
        keep_in = tuple(_near(body, held, 0.0, "TC-MOVE-8"))
        clauses += ["TC-MOVE-8"] if held else []
    if manner == "retreat":
        clauses = ["TC-RET-5", "TC-RET-9", *clauses[1:]]
        no_end += _near(body, held, _OFF_IN, "TC-RET-5")
        if state.option("retreat_direction") == "directly_away":
            heading = away_from(body, held)
            if heading is None and held:
                text = "The enemies are on opposite sides: no way leads directly away."
                findings.append(Finding(text, about=body.id, clause="TC-RET-5"))
    allowance = movement_to_come(state, body)
    nowhere = manner == "retreat" and heading is None and bool(findings) and bool(held)
    footed = footing(state, body, manner, tuple(held), allowance) if over else None
    if footed is None and (over or more_than(abs(body.z), 0.0)):
        text = f"{body.name} stands {body.z:g} in above the table, on nothing."
        findings.append(Finding(text, body.z, 0.0, body.centre, body.id, 0.0, "TC-TER-7"))
        allowance = 0.0
    elif nowhere and state.option("retreat_direction") == "directly_away":
        allowance = 0.0
    if footed is not None and footed.round is not None:
        keep_in += (BodyCircle(*footed.round, footed.surface.entries[0], "TC-TER-7"),)
    slow = () if flies(body) else tuple(_slow(terrain_of(state), body, footed))
    storeys = None if footed is None else footed.storeys
    if storeys is not None:
        storeys = replace(storeys, grounds=_grounds(state, body, storeys, allowance))
    # Where low tops and floors lie over the ground a way ends on it, not on them.
    level = footed is not None and footed.uneven and footed.surface.ramp is None
    height = body.z if level else None
    judge: Judge = partial(lay, state, body)
    if over:
        judge = _judge(state, body, manner, tuple(held))
    return MoveLimits(
        body=body.id,
        kind=manner,
        start=body.centre,
        radius=radius(body),
        allowance=allowance,
        obstacles=_obstacles(state, body) if footed is None else footed.obstacles,
        toll=_toll(state, body, judge, height),
        keep_out=(*_enemies(state, body, held), *_bases(body, held)),
        keep_in=keep_in,
        no_end=tuple(no_end),
        crossed=tuple(_crossed(state, body, allowance)) if flies(body) else (),
        no_return=no_return,
        heading=heading,
        slow=slow,
        clauses=(*clauses, "TC-TER-2") if slow else tuple(clauses),
        findings=tuple(findings),
        storeys=storeys,
        height=height,
        uneven=footed is not None and footed.uneven,
    )


def _toll(state: State, body: Body, judge: Judge, height: float | None) -> Callable[[Path], Toll]:
    """What the referee takes for a path on the plan, and the Dangerous ground on it; height: what
    it ends at, if it must say so."""

    def toll(path: Path) -> Toll:
        way = judge(legs_of(path.legs, height))
        if way is None:
            return Toll(math.inf)
        if way.level:
            entry = enters_danger(state, body, way)
            return Toll(way.cost, () if entry is None else entry[1:])
        dangers = [part.danger for part in way.parts if part.danger is not None]
        return Toll(way.cost, tuple(dict.fromkeys(dangers)))

    return toll


# Other models.


def _near(mover: Body, enemies: list[Body], more: float, clause: str) -> Iterator[BodyCircle]:
    """The 1-inch zones of enemies that the mover stands in."""
    for enemy in enemies:
        reach = reach_of(mover, enemy, NEAR_IN + more)
        if reach is not None:
            far = max(reach, math.dist(mover.centre, enemy.centre))
            yield BodyCircle(enemy.x, enemy.y, far, enemy.id, clause, NEAR_IN)


def _enemies(state: State, mover: Body, held: list[Body]) -> Iterator[BodyCircle]:
    """The 1-inch zones of the other enemies; it may begin on their very edge."""
    ids = {enemy.id for enemy in held}
    for enemy in state.enemies(mover):
        reach = reach_of(mover, enemy, NEAR_IN + _OFF_IN)
        if enemy.id not in ids and reach is not None:
            near = min(reach, math.dist(mover.centre, enemy.centre))
            yield BodyCircle(enemy.x, enemy.y, near, enemy.id, "TC-MOVE-7", NEAR_IN)


def _bases(mover: Body, held: list[Body]) -> Iterator[BodyCircle]:
    for enemy in held:
        if level_with(mover, enemy):
            room = min(radius(mover) + radius(enemy), math.dist(mover.centre, enemy.centre))
            yield BodyCircle(enemy.x, enemy.y, room, enemy.id, "TC-MOVE-10")


def _friends(state: State, mover: Body) -> Iterator[BodyCircle]:
    for friend in state.friends(mover):
        if level_with(mover, friend):
            room = radius(mover) + radius(friend)
            yield BodyCircle(friend.x, friend.y, room, friend.id, "TC-MOVE-5")


# Terrain.


def _is_below(body: Body, solid: Solid) -> bool:
    """Whether a flyer crosses what is impassable, such as deep water; it does not end on it."""
    return flies(body) and not more_than(solid.top, body.z)


def _crossed(state: State, body: Body, allowance: float) -> Iterator[Plan]:
    box = box_about(*body.centre, allowance + radius(body))
    bars = level_routes(state, body).bars(body, box)
    return (solid.ground for solid in bars if _is_below(body, solid))


def _obstacles(state: State, body: Body) -> Field:
    r, routes = radius(body), level_routes(state, body)
    free, half = may_leave_table(body), state.options.get("edge_overhang") == "under_half"
    like = (half, free, r if half else 0.0, body.z, height(body), flies(body))
    key = f"trench-crusade field {like}"
    found = state.table.prepared.get(key)
    if isinstance(found, Field):
        return found
    table, everywhere = state.table, (-math.inf, -math.inf, math.inf, math.inf)
    box = (0.0, 0.0, table.width, table.depth)
    if free:
        box = everywhere
    elif half:
        # The centre stays on the table; the base may hang over, but for the corners.
        box = (-r, -r, table.width + r, table.depth + r)
    plans = [o.ground for o in routes.bars(body, everywhere) if not _is_below(body, o)]
    found = Field.of(
        box=box,
        solids=[plan.ring for plan in plans if plan.ring is not None],
        posts=[plan.circle for plan in plans if plan.circle is not None],
        grounds=list(half_out_corners(table.width, table.depth, r)) if half and not free else (),
    )
    state.table.prepared[key] = found
    return found


def _slow(terrain: Terrain, body: Body, footed: Footing | None) -> Iterator[Slow]:
    """Difficult ground as it counts for the mover's centre, on the surface that it stands on."""
    if body.keyword("NEGATE DIFFICULT TERRAIN"):
        return
    r, half = radius(body), terrain.policy.half_area
    where, patches = "", [p for p in terrain.patches if p.factor > 1.0 and not p.surface]
    if footed is not None:
        where, patches = f"{footed.surface.id} {body.z}", list(footed.difficult)
    key = f"trench-crusade slow {half} {r if half else 0.0} {where}"
    found = terrain.table.prepared.get(key)
    if not isinstance(found, tuple):
        found = terrain.table.prepared[key] = tuple(_slow_for(terrain, patches, r))
    yield from found


def _grounds(
    state: State, body: Body, storeys: SurfaceLimits, allowance: float
) -> dict[str, tuple[Slow, ...]]:
    """Difficult ground as it counts for the mover's centre, by surface."""
    if body.keyword("NEGATE DIFFICULT TERRAIN"):
        return {}
    heights, r = terrain_of(state), radius(body)
    box = box_about(*body.centre, allowance + r)
    zones = [zone for zone in heights.patches_near(box) if zone.factor > 1.0]
    found: dict[str, tuple[Slow, ...]] = {}
    for surface in heights.storeys.surfaces if zones else ():
        if surface.id not in storeys.heights:
            continue
        # On a ramp only what covers all its heights: no way is told to be dearer than it is.
        here = [
            zone for zone in zones if all(zone.lies(surface, z) for z in (surface.z, surface.top))
        ]
        slow = tuple(_slow_for(heights, here, r))
        if slow:
            found[surface.id] = slow
    return found


def _slow_for(terrain: Terrain, patches: Iterable[Patch], r: float) -> Iterator[Slow]:
    for patch in patches:
        piece, plan = patch.entry, patch.plan
        if not terrain.policy.half_area:
            yield Slow(piece, DIFFICULT_FACTOR, "TC-TER-2", plan.ring, plan.circle)
        elif plan.circle is not None:
            near = half_in_circle(r, plan.circle[2])
            if near > 0.0:
                circle = (plan.circle[0], plan.circle[1], near)
                yield Slow(piece, DIFFICULT_FACTOR, "TC-TER-2", None, circle)
        elif plan.ring is not None:
            for part in convex_parts(plan.ring)[1]:
                ring = half_in_convex(r, part)
                if ring is not None:
                    yield Slow(piece, DIFFICULT_FACTOR, "TC-TER-2", ring)


# The surface it stands on, and all storeys.


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
    heights = terrain_of(state)
    surface = heights.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if surface is None:
        return None
    chart = chart_of(state, body, _NOT_DONE)
    box = box_about(*body.centre, allowance + radius(body))
    uneven = _uneven(state, heights, surface, box)
    storeys = None
    if surface.id in chart.surfaces:
        storeys = _storeyed(state, body, manner, held, heights.goes_from(body) or surface, box)
    return Footing(
        surface,
        chart.own_field(surface, radius(body)),
        surface.outer.circle,
        tuple(p for p in heights.patches if p.factor > 1.0 and p.lies(surface, body.z)),
        uneven,
        storeys,
    )


def _judge(state: State, body: Body, manner: Manner, held: tuple[Body, ...]) -> Judge:
    ids = tuple(enemy.id for enemy in held)

    def judge(path: LegPath) -> Route | None:
        context = Context(state, Walk(body.id, path, math.inf, manner, ids), None)
        return None if BOOK.check(Walk, context)[0] else context.way

    return judge


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


def _storeyed(
    state: State, body: Body, manner: Manner, held: tuple[Body, ...], start: Surface, box: Box
) -> SurfaceLimits:
    heights = terrain_of(state)
    in_danger = bool(heights.danger_at(start, body.x, body.y, body.z, radius(body)))
    risky = any(patch.hazard for patch in heights.patches)
    chart = chart_of(state, body, _NOT_DONE | ({"dangerous"} if risky and not in_danger else set()))
    levels = _without_guarded(state, body, held, chart.levels)
    judge = _judge(state, body, manner, held)

    def legs(route: LevelRoute) -> LegPath:
        return _legs(levels, route, chart.air)

    def toll(path: LegPath) -> float:
        way = judge(path)
        return math.inf if way is None or first_danger(way, in_danger) else way.cost

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
        # On to a ramp and off it.
        dearer=2.0 * max((link.cost for link in levels.links if link.kind == SIDE), default=0.0),
    )


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
        gaps = (least(way, beside(body, enemy), NEAR_IN) for enemy in enemies)
        return any(near is not None and within(near.gap, NEAR_IN) for near in gaps)

    kept = [link for link in levels.links if not guarded(link)]
    if len(kept) == len(levels.links):
        return levels
    return Levels(levels.levels, kept, levels.portals)


def _legs(levels: Levels, route: LevelRoute, air: frozenset[str]) -> LegPath:
    """The legs of a route; the last one says the height at which it ends. air: levels over which
    one leg leads, with the landing."""
    found = [
        leg
        for step in route.steps
        if step.level not in air
        for leg in legs_of_step(step, levels.level(step.level), heights=False)
    ]
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
