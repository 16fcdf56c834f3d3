"""What a model may do in one move or run, for reach and routes: on its own floor, and over all.

Ways that need a roll (climbs, jumps) are left out: what is told is what a model surely gets to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from tapeline.engine.actions import Action
from tapeline.engine.limits import TOLERANCE, closer_than
from tapeline.engine.move_limits import BodyCircle, MoveLimits, Slow, SurfaceLimits, Toll
from tapeline.engine.paths import LegPath, legs_of
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.legs import Path
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.mordheim.actions import Crawl, Move
from tapeline.rules.mordheim.book import BOOK
from tapeline.rules.mordheim.charts import chart_of, discs_of, gone_round, peopled
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.policy import terrain_of
from tapeline.rules.mordheim.state import allowance, radius
from tapeline.rules.mordheim.walker import Manner, walk
from tapeline.table.bodies import Body
from tapeline.table.storeys import Surface
from tapeline.travel.chart import Chart
from tapeline.travel.search import legs_of_step
from tapeline.travel.terrain import Patch, Terrain

__all__ = ["REACHING"]

#: How far outside contact with an enemy a way keeps, inches: more than the tolerance of contact,
#: plus what a way may be inside an obstacle.
_OFF_IN = 3 * TOLERANCE
#: Ways between levels that need a roll, or lead only down a drop that does.
_ROLLED = ("drop", "take off", "land", "climb")
_CLAUSES = ("MH-MOVE-1", "MH-MOVE-5", "MH-TER-1", "MH-TER-6", "MH-CHG-13")


def _move(state: State, body: Body) -> MoveLimits:
    return _leeway(state, body, "move", Move(actor=body.id))


def _run(state: State, body: Body) -> MoveLimits:
    return _leeway(state, body, "run", Move(actor=body.id, run=True))


def _crawl(state: State, body: Body) -> MoveLimits:
    return _leeway(state, body, "crawl", Crawl(actor=body.id))


#: What a model may do in one move, by kind.
REACHING: dict[str, Callable[[State, Body], MoveLimits]] = {
    "move": _move,
    "run": _run,
    "crawl": _crawl,
}


def _leeway(state: State, body: Body, manner: Manner, action: Action) -> MoveLimits:
    findings: tuple[Finding, ...] = tuple(BOOK.check(type(action), Context(state, action, None))[0])
    ground = terrain_of(state)
    surface = ground.storeys.support(body.x, body.y, body.z, TOLERANCE)
    if surface is None:
        text = f"{body.name} is on a ladder; its reach is told from a floor."
        findings += (Finding(text, body.z, None, body.centre, body.id, 0.0, "MH-TER-1"),)
        surface = ground.storeys.ground
        amount = 0.0
    else:
        amount = allowance(body, run=manner == "run")
    chart = chart_of(state, body)
    z = surface.height(body.x, body.y)
    slow = tuple(_slow(_near(ground, body, amount), surface, z))
    return MoveLimits(
        body=body.id,
        kind=manner,
        start=body.centre,
        radius=radius(body),
        allowance=amount,
        obstacles=chart.own_field(surface, radius(body)),
        toll=_toll(state, body, manner),
        keep_out=tuple(_zones(state, body, surface)),
        keep_in=_kept(surface),
        slow=slow,
        clauses=(*_CLAUSES, *sorted({area.clause for area in slow})),
        findings=findings,
        storeys=_storeyed(state, body, manner, chart, surface, amount)
        if surface.id in chart.surfaces
        else None,
    )


def _kept(surface: Surface) -> tuple[BodyCircle, ...]:
    """The round top that a model stands on, which its centre may not leave."""
    if surface.outer.circle is None:
        return ()
    return (BodyCircle(*surface.outer.circle, surface.id, "MH-MOVE-5"),)


def _toll(state: State, body: Body, manner: Manner) -> Callable[[Path], Toll]:
    def toll(path: Path) -> Toll:
        return Toll(_cost(state, body, legs_of(path.legs), manner))

    return toll


def _cost(state: State, body: Body, legs: LegPath, manner: Manner) -> float:
    """What the referee takes for legs; infinity where he refuses them."""
    track = walk(state, body, legs, manner=manner)
    return math.inf if track.hits else track.cost


def _zones(state: State, body: Body, surface: Surface) -> Iterator[BodyCircle]:
    """Bases on a surface that the centre keeps off: contact with enemies, overlap with friends."""
    friends_pass = state.option("pass_through") == "friends"
    for other in state.others(body):
        z = surface.height(other.x, other.y)
        if not closer_than(abs(z - other.z), CONTACT_RISE_IN):
            continue
        enemy = other.side != body.side
        if not enemy and friends_pass:
            continue
        off, clause = (_OFF_IN, "MH-CHG-13") if enemy else (0.0, "MH-MOVE-5")
        limit = 0.0 if enemy else None
        for x, y, r in discs_of(other):
            yield BodyCircle(x, y, radius(body) + r + off, other.id, clause, limit)


def _near(terrain: Terrain, body: Body, amount: float) -> list[Patch]:
    """Slow ground that may be come to."""
    r = amount + radius(body)
    return terrain.patches_near((body.x - r, body.y - r, body.x + r, body.y + r))


def _slow(areas: Iterable[Patch], surface: Surface, z: float) -> Iterator[Slow]:
    """Slow ground on a surface at a height."""
    for area in areas:
        if area.lies(surface, z):
            yield Slow(area.entry, area.factor, area.clause, area.plan.ring, area.plan.circle)


def _storeyed(
    state: State, body: Body, manner: Manner, chart: Chart, surface: Surface, amount: float
) -> SurfaceLimits:
    friends = [other for other in gone_round(state, body) if other.side == body.side]
    levels = peopled(chart, radius(body), friends)
    keep_out: dict[str, tuple[tuple[float, float, float], ...]] = {}
    for name, here in chart.surfaces.items():
        circles = [
            (*levels.level(name).own(zone.x, zone.y), zone.radius)
            for zone in _zones(state, body, here)
            if zone.clause == "MH-CHG-13"
        ]
        if circles:
            keep_out[name] = tuple(circles)
    heights = {name: (here.z, here.top) for name, here in chart.surfaces.items()}

    def legs(route: LevelRoute) -> LegPath:
        steps = (legs_of_step(s, levels.level(s.level), heights=True) for s in route.steps)
        return tuple(chain.from_iterable(steps))

    def toll(path: LegPath) -> float:
        return _cost(state, body, path, manner)

    grounds, told = _grounds(chart, body, amount)
    whole = bool(grounds) and state.option("difficult_mode") == "whole_move"
    return SurfaceLimits(
        levels,
        surface.id,
        heights,
        keep_out,
        _ROLLED,
        legs,
        toll,
        grounds,
        whole or not told,
    )


def _grounds(chart: Chart, body: Body, amount: float) -> tuple[dict[str, tuple[Slow, ...]], bool]:
    """Slow ground by surface, and whether that is all of it: not where it ends half-way up a ramp.

    It is told for all that may be come to.
    """
    areas = _near(chart.terrain, body, amount)
    found: dict[str, tuple[Slow, ...]] = {}
    told = True
    for name, surface in chart.surfaces.items() if areas else ():
        here = [area for area in areas if area.plan.meets(surface.outer.box)]
        if surface.ramp is not None:
            partly = [area for area in here if not area.surface and _beside(area, surface)]
            told = told and not partly
            here = [area for area in here if area not in partly]
        slow = tuple(_slow(here, surface, surface.z))
        if slow:
            found[name] = slow
    return found, told


def _beside(area: Patch, ramp: Surface) -> bool:
    """Whether an area covers some of the heights of a ramp and not all."""
    some = area.bottom < ramp.top - TOLERANCE and area.top > ramp.z + TOLERANCE
    whole = area.bottom <= ramp.z + TOLERANCE and area.top >= ramp.top - TOLERANCE
    return some and not whole
