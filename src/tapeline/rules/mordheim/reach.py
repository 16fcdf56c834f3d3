"""What a model surely gets to in one move or run, over all storeys, and what may be asked when.

Ways that need a roll (climbs, jumps) are left out of reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Literal

from tapeline.engine.clauses import DECLARED, Moment
from tapeline.engine.limits import TOLERANCE, closer_than, within
from tapeline.engine.move_limits import BodyCircle, MoveLimits, Slow, SurfaceLimits, Toll
from tapeline.engine.paths import Leg, LegPath, legs_of
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.system import Question
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.rules.mordheim.actions import Charge, Crawl, EndPhase, Measure, Move
from tapeline.rules.mordheim.chart import chart_of, gone_round, peopled
from tapeline.rules.mordheim.contact import discs_of, gap, in_contact
from tapeline.rules.mordheim.context import Context, findings_of
from tapeline.rules.mordheim.figures import BOOK, CONTACT_RISE_IN, RUN_BAN_IN
from tapeline.rules.mordheim.route import over_a_gap, planned
from tapeline.rules.mordheim.state import (
    allowance,
    counts,
    engaged_with,
    is_hidden,
    radius,
    targets_of,
)
from tapeline.rules.mordheim.terrain import terrain_of
from tapeline.rules.mordheim.walker import walk
from tapeline.table.bodies import Body
from tapeline.table.storeys import Surface
from tapeline.travel.chart import Chart
from tapeline.travel.ramp_sides import APART, SIDE, sides_near
from tapeline.travel.rims import LEAP
from tapeline.travel.search import legs_of_step
from tapeline.travel.terrain import Patch, Terrain

__all__ = ["REACHING", "may_measure", "measure"]


#: How far outside contact with an enemy a way keeps, inches: more than the tolerance of contact,
#: plus what a way may be inside an obstacle.
_OFF_IN = 3 * TOLERANCE
#: Ways between levels that need a roll, or lead only down a drop that does.
_ROLLED = ("drop", "take off", "land", LEAP, "climb")
_CLAUSES = ("MH-MOVE-1", "MH-MOVE-5", "MH-TER-1", "MH-TER-6", "MH-CHG-13")


def _limits(state: State, body: Body, action: Move | Crawl) -> MoveLimits:
    manner = Context(state, action, None).manner
    # Why it may not go anywhere, where it may stay (MH-ENG-1, MH-REC-1, MH-PSY-3), is told too.
    barred = findings_of(state, _off(body, action), DECLARED)
    findings = tuple(dict.fromkeys((*findings_of(state, action), *barred)))
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
    z, round_top = surface.height(body.x, body.y), surface.outer.circle
    slow = tuple(_slow(_near(ground, body, amount), surface, z))
    left = _left(state, body, action)
    return MoveLimits(
        body=body.id,
        kind=manner,
        start=body.centre,
        radius=radius(body),
        allowance=amount,
        obstacles=chart.own_field(surface, radius(body)),
        toll=lambda path: Toll(_cost(state, body, legs_of(path.legs))),
        keep_out=tuple(_zones(state, body, surface, left)),
        # The round top that a model stands on, which its centre may not leave.
        keep_in=(BodyCircle(*round_top, surface.id, "MH-MOVE-5"),) if round_top else (),
        slow=slow,
        clauses=(*_CLAUSES, *sorted({area.clause for area in slow})),
        findings=findings,
        storeys=_storeyed(state, body, chart, surface, amount, left)
        if surface.id in chart.surfaces
        else None,
    )


#: What a model may do in one move, by kind.
REACHING: dict[str, Callable[[State, Body], MoveLimits]] = {
    "move": lambda state, body: _limits(state, body, Move(actor=body.id)),
    "run": lambda state, body: _limits(state, body, Move(actor=body.id, run=True)),
    "crawl": lambda state, body: _limits(state, body, Crawl(actor=body.id)),
}


def _cost(state: State, body: Body, legs: LegPath) -> float:
    """What the referee takes for legs; infinity where he refuses them."""
    track = walk(state, body, legs)
    return math.inf if track.hits else track.cost


def _off(body: Body, action: Move | Crawl) -> Move | Crawl:
    """A move that goes, though only to where the body stands: what bars all but staying bars it."""
    return replace(action, path=(Leg(to=body.centre),))


def _left(state: State, body: Body, action: Move | Crawl) -> set[str]:
    """Enemies that it touches as it starts and may leave, so that contact with them is nothing new
    (MH-CHG-13); none if any of them holds it (MH-ENG-1, MH-KD-1, MH-KD-2)."""
    fought = {*engaged_with(body), *(enemy.id for enemy in in_contact(state, body))}
    found = findings_of(state, _off(body, action), DECLARED) if fought else ()
    return set() if any(finding.about in fought for finding in found) else fought


def _zones(
    state: State, body: Body, surface: Surface, left: Collection[str]
) -> Iterator[BodyCircle]:
    """Bases on a surface that the centre keeps off: contact with enemies, overlap with friends and
    with whom it leaves."""
    friends_pass = state.option("pass_through") == "friends"
    for other in state.others(body):
        z = surface.height(other.x, other.y)
        if not closer_than(abs(z - other.z), CONTACT_RISE_IN):
            continue
        if other.side == body.side and friends_pass:
            continue
        enemy = other.side != body.side and other.id not in left
        off, clause = (_OFF_IN, "MH-CHG-13") if enemy else (0.0, "MH-MOVE-5")
        limit = 0.0 if enemy else None
        for x, y, r in discs_of(other):
            yield BodyCircle(x, y, radius(body) + r + off, other.id, clause, limit)


def _near(terrain: Terrain, body: Body, amount: float) -> list[Patch]:
    """Slow ground that may be come to."""
    r = amount + radius(body)
    return terrain.patches_near(box_about(body.x, body.y, r))


def _slow(areas: Iterable[Patch], surface: Surface, z: float) -> Iterator[Slow]:
    """Slow ground on a surface at a height."""
    for area in areas:
        if area.lies(surface, z):
            yield Slow(area.entry, area.factor, area.clause, area.plan.ring, area.plan.circle)


def _storeyed(
    state: State,
    body: Body,
    chart: Chart,
    surface: Surface,
    amount: float,
    left: Collection[str],
) -> SurfaceLimits:
    solid = [o for o in gone_round(state, body) if o.side == body.side or o.id in left]
    levels = peopled(chart, radius(body), solid)
    keep_out: dict[str, tuple[tuple[float, float, float], ...]] = {}
    for name, here in chart.surfaces.items():
        circles = [
            (*levels.level(name).own(zone.x, zone.y), zone.radius)
            for zone in _zones(state, body, here, left)
            if zone.clause == "MH-CHG-13"
        ]
        if circles:
            keep_out[name] = tuple(circles)
    heights = {name: (here.z, here.top) for name, here in chart.surfaces.items()}

    def legs(route: LevelRoute) -> LegPath:
        steps = (legs_of_step(s, levels.level(s.level), heights=True) for s in route.steps)
        return tuple(chain.from_iterable(steps))

    grounds, told = _grounds(chart, body, amount)
    # Where the side of a ramp is gone over is sought at places along it; of one that is farther off
    # than the move goes nothing can be missed.
    sides = sides_near(levels, chart.spots, body.centre, amount + 0.5 * APART)
    told = told and all(link.kind != SIDE for link in sides.links)
    whole = bool(grounds) and state.option("difficult_mode") == "whole_move"
    return SurfaceLimits(
        levels,
        terrain_of(state).off_rim(surface, body.x, body.y).id,
        heights,
        keep_out,
        _ROLLED,
        legs,
        partial(_cost, state, body),
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


# Questions: nothing tells a distance before it may be measured.


@BOOK.clause("MH-GAP-3", src="seed", bars=Measure, at=Moment.DECLARE)
def gaps_are_not_measured(ask: Context[Measure]) -> Iterator[Finding]:
    """The width of a gap is not measured before jumping."""
    if ask.subject.what == "gap":
        yield Finding("The width of a gap is not told before the jump.", about=ask.mover.id)


@BOOK.clause("MH-CHG-2", src="seed", bars=Measure, at=Moment.DECLARE)
def declared_without_measuring(ask: Context[Measure]) -> Iterator[Finding]:
    """Charges are declared without measuring: no distance is told before declarations close."""
    if ask.subject.what == "distance" and not ask.declarations_closed:
        yield Finding("No distance is told before the charges of the turn have been declared.")


def may_measure(state: State, question: Question) -> list[Finding]:
    """Why a question to the referee is not answered now; empty if it is.

    A tape between two places is refused while none may be laid between models, and across a gap at
    any time. What ends a phase measures only whether the hidden are found and the stupid spared.
    """
    action = question.action
    hushed = (is_hidden(body) or body.stats.get("stupid") for body in state.bodies.values())
    if isinstance(action, EndPhase) and not any(hushed):
        return []
    who = question.body
    if who is None:
        # Between places, or of an action of nobody: as for anybody.
        who = next(iter(state.bodies), None)
    if who is None:
        return []
    what: Literal["distance", "run", "gap"] = "distance"
    if isinstance(action, Move) and any(leg.how == "jump" for leg in action.path):
        what = "gap"
    elif question.move == "run":
        what = "run"
    found = _told(state, who, what)
    if not found and isinstance(action, Charge) and _leads_over_a_gap(state, action):
        return _told(state, who, "gap")
    if not found and len(question.ends) == 2 and over_a_gap(state, *question.ends):
        return _told(state, who, "gap")
    return found


def _told(state: State, who: str, what: Literal["distance", "run", "gap"]) -> list[Finding]:
    return list(findings_of(state, Measure(actor=who, what=what)))


def _leads_over_a_gap(state: State, action: Charge) -> bool:
    """Whether the route of a declared charge jumps a gap, or would if that were narrow enough."""
    body = state.body(action.actor)
    foes = [state.body(target) for target in targets_of(body) if target in state.bodies]
    if any(over_a_gap(state, (body.x, body.y, body.z), (foe.x, foe.y, foe.z)) for foe in foes):
        return True
    plan = planned(state, body)
    return plan is not None and plan.over_a_gap


#: Whose turn and step it is: what has nothing to do with whether a model may run.
_NOT_NOW = {"MH-PHASE-1", "MH-PHASE-3", "MH-PHASE-5"}


def _may_run(state: State, body: Body) -> bool:
    """Whether a model may run, by all that bars a run; the 8-inch check of one whose turn it is
    not is that of this moment."""
    barred = findings_of(state, _off(body, Move(actor=body.id, run=True)), DECLARED)
    clauses = {finding.clause for finding in barred} - _NOT_NOW
    if body.side != state.turn.active:
        clauses.discard("MH-RUN-3")
        near = [gap(state, body, e) for e in state.enemies(body) if counts(e)]
        if any(within(measured, RUN_BAN_IN) for measured in near):
            return False
    return not clauses


def measure(run: Run, action: Measure) -> None:
    """Tell a distance, or whether a model may run."""
    state = run.state
    body = state.body(action.actor)
    if action.what == "run":
        if action.target is not None:
            text = "Whether a model may run is not asked of a target: leave target out."
            run.refuse([Finding(text, about=action.target, clause="MH-RUN-5")])
        may = _may_run(state, body)
        run.value(run_ok=may)
        text = f"{body.name} {'may' if may else 'may not'} run"
        run.happened("measured", text, "MH-RUN-5", about=body.id)
        return
    if action.target is None:
        run.refuse([Finding("Name the model to measure to.", about=body.id, clause="MH-CHG-2")])
        return
    target = state.body(action.target)
    measured = gap(state, body, target)
    run.value(gap=measured)
    text = f"{target.name} is {measured:.2f} in from {body.name}"
    run.happened("measured", text, "MH-CHG-2", about=body.id)
