"""What a model may do in one move, dash or retreat, for reach and routes.

The limits are those of the clauses in `moves`, `terrain` and `retreat`, taken from the same
helpers; `tests/analysis` holds both together on random points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Literal

from tapeline.engine.actions import Action
from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.move_limits import MoveLimits, Slow, SurfaceLimits, Toll, Zone
from tapeline.engine.paths import legs_of
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.errors import DocumentError, Fault
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.areas import half_in_circle, half_in_convex, half_out_corners
from tapeline.geometry.plane.legs import Path
from tapeline.geometry.rectangles.convex_decomposition import convex_parts
from tapeline.rules.trench_crusade.actions import Dash, Move, Retreat
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.costs import cost_of
from tapeline.rules.trench_crusade.figures import DIFFICULT_FACTOR, NEAR_IN, STOOD_UP_FACTOR
from tapeline.rules.trench_crusade.going import lay
from tapeline.rules.trench_crusade.ground import Ground, ground_of
from tapeline.rules.trench_crusade.heights import built, heights_of, in_space
from tapeline.rules.trench_crusade.measures import (
    away_from,
    holding,
    ignored_by,
    level_with,
    reach_of,
)
from tapeline.rules.trench_crusade.state import (
    activation,
    flies,
    height,
    is_down,
    may_leave_table,
    movement,
    radius,
)
from tapeline.rules.trench_crusade.storeyed import Footing, footing, toll_over
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground as Plan
from tapeline.table.storeys import Surface
from tapeline.travel.route import Route

__all__ = ["REACHING"]

Manner = Literal["move", "dash", "retreat"]

#: How far outside a zone that may not be entered a way keeps, inches: more than the tolerance that
#: the zone's edge counts as inside, plus what a way may be inside an obstacle.
_OFF_IN = 3 * TOLERANCE
_CLAUSES = ("TC-MOVE-1", "TC-MOVE-5", "TC-MOVE-6", "TC-MOVE-7", "TC-MOVE-10", "TC-TER-5")


def _move(state: State, body: Body) -> MoveLimits:
    return _leeway(state, body, "move", Move(actor=body.id))


def _dash(state: State, body: Body) -> MoveLimits:
    return _leeway(state, body, "dash", Dash(actor=body.id))


def _retreat(state: State, body: Body) -> MoveLimits:
    return _leeway(state, body, "retreat", Retreat(actor=body.id))


#: What a model may do in one move, by kind.
REACHING: dict[str, Callable[[State, Body], MoveLimits]] = {
    "move": _move,
    "dash": _dash,
    "retreat": _retreat,
}


def _leeway(state: State, body: Body, manner: Manner, action: Action) -> MoveLimits:
    over = built(state.table)
    if over and flies(body):
        why = f"{body.name} flies; over storeys its reach is not told"
        raise DocumentError("reach", [Fault("body", f"{why}; judge a move instead")])
    context = Context(state, action, None)
    findings = list(BOOK.check(type(action), context)[0])
    ground = ground_of(state)
    held = holding(state, body)
    held_back = bool(held) and not all(ignored_by(body, enemy) for enemy in held)
    leaving = manner == "retreat" or (bool(held) and not held_back)
    keep_in: tuple[Zone, ...] = ()
    no_return: tuple[Zone, ...] = ()
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
    allowance = _allowance(state, body)
    nowhere = manner == "retreat" and heading is None and bool(findings) and bool(held)
    footed = footing(state, body, manner, tuple(held), allowance) if over else None
    if footed is None and (over or more_than(abs(body.z), 0.0)):
        text = f"{body.name} stands {body.z:g} in above the table, on nothing."
        findings.append(Finding(text, body.z, 0.0, body.centre, body.id, 0.0, "TC-TER-7"))
        allowance = 0.0
    elif nowhere and state.option("retreat_direction") == "directly_away":
        allowance = 0.0
    if footed is not None and footed.round is not None:
        keep_in += (Zone(*footed.round, footed.surface.entries[0], "TC-TER-7"),)
    slow = () if flies(body) else tuple(_slow(ground, body, footed))
    storeys = None if footed is None else footed.storeys
    if storeys is not None:
        storeys = replace(storeys, grounds=_grounds(state, ground, body, storeys, allowance))
    # Where low tops and floors lie over the ground a way ends on it, not on them.
    level = footed is not None and footed.uneven and footed.surface.ramp is None
    height = body.z if level else None
    return MoveLimits(
        body=body.id,
        kind=manner,
        start=body.centre,
        radius=radius(body),
        allowance=allowance,
        obstacles=_obstacles(state, ground, body) if footed is None else footed.obstacles,
        toll=toll_over(state, body, manner, tuple(held), height)
        if over
        else _toll(state, ground, body),
        keep_out=(*_enemies(state, body, held), *_bases(body, held)),
        keep_in=keep_in,
        no_end=tuple(no_end),
        no_return=no_return,
        heading=heading,
        slow=slow,
        clauses=(*clauses, "TC-TER-2") if slow else tuple(clauses),
        findings=tuple(findings),
        storeys=storeys,
        height=height,
        uneven=footed is not None and footed.uneven,
    )


def _allowance(state: State, body: Body) -> float:
    """Movement now; of a Down model, what it will have once it has stood up."""
    full = movement(state, body)
    current = activation(state)
    active = current is not None and current.actor == body.id
    return full * STOOD_UP_FACTOR if is_down(body) and not active else full


def _toll(state: State, ground: Ground, body: Body) -> Callable[[Path], Toll]:
    def toll(path: Path) -> Toll:
        legs = legs_of(path.legs)
        if in_space(state, body, legs):
            way = lay(state, body, legs)
            dangers = [part.danger for part in way.parts if part.danger is not None]
            return Toll(way.cost, tuple(dict.fromkeys(dangers)))
        track = Route.read(body, legs)
        cost = cost_of(track, ground.difficult_stretches(track, body))
        entry = ground.first_entry(track, body, "dangerous")
        return Toll(cost, () if entry is None else (entry.name,))

    return toll


# Other models.


def _near(mover: Body, enemies: list[Body], more: float, clause: str) -> Iterator[Zone]:
    """The 1-inch zones of enemies that the mover stands in."""
    for enemy in enemies:
        reach = reach_of(mover, enemy, NEAR_IN + more)
        if reach is not None:
            far = max(reach, math.dist(mover.centre, enemy.centre))
            yield Zone(enemy.x, enemy.y, far, enemy.id, clause, NEAR_IN)


def _enemies(state: State, mover: Body, held: list[Body]) -> Iterator[Zone]:
    """The 1-inch zones of the other enemies; it may begin on their very edge."""
    ids = {enemy.id for enemy in held}
    for enemy in state.enemies(mover):
        reach = reach_of(mover, enemy, NEAR_IN + _OFF_IN)
        if enemy.id not in ids and reach is not None:
            near = min(reach, math.dist(mover.centre, enemy.centre))
            yield Zone(enemy.x, enemy.y, near, enemy.id, "TC-MOVE-7", NEAR_IN)


def _bases(mover: Body, held: list[Body]) -> Iterator[Zone]:
    for enemy in held:
        if level_with(mover, enemy):
            room = min(radius(mover) + radius(enemy), math.dist(mover.centre, enemy.centre))
            yield Zone(enemy.x, enemy.y, room, enemy.id, "TC-MOVE-10")


def _friends(state: State, mover: Body) -> Iterator[Zone]:
    for friend in state.friends(mover):
        if level_with(mover, friend):
            room = radius(mover) + radius(friend)
            yield Zone(friend.x, friend.y, room, friend.id, "TC-MOVE-5")


# Terrain.


def _obstacles(state: State, ground: Ground, body: Body) -> Field:
    r = radius(body)
    free, half = may_leave_table(body), ground.under_half
    key = f"trench-crusade field {half} {free} {r if half else 0.0} {body.z} {height(body)}"
    found = state.table.prepared.get(key)
    if isinstance(found, Field):
        return found
    table = state.table
    box = (0.0, 0.0, table.width, table.depth)
    if free:
        box = (-math.inf, -math.inf, math.inf, math.inf)
    elif half:
        # The centre stays on the table; the base may hang over, but for the corners.
        box = (-r, -r, table.width + r, table.depth + r)
    shapes = ground.obstacles(body)
    found = Field.of(
        box=box,
        solids=[s.plan.ring for s in shapes if s.plan.ring is not None],
        posts=[s.plan.circle for s in shapes if s.plan.circle is not None],
        grounds=list(half_out_corners(table.width, table.depth, r)) if half and not free else (),
    )
    state.table.prepared[key] = found
    return found


def _slow(ground: Ground, body: Body, footed: Footing | None) -> Iterator[Slow]:
    """Difficult ground as it counts for the mover's centre, on the surface that it stands on."""
    if body.keyword("NEGATE DIFFICULT TERRAIN"):
        return
    r = radius(body)
    if footed is None:
        where = ""
        plans = [(shape.piece.id, shape.plan) for shape in ground.layer("difficult")]
    else:
        where = f"{footed.surface.id} {body.z}"
        plans = [(patch.entry, patch.plan) for patch in footed.difficult]
    key = f"trench-crusade slow {ground.half_area} {r if ground.half_area else 0.0} {where}"
    found = ground.table.prepared.get(key)
    if not isinstance(found, tuple):
        found = ground.table.prepared[key] = tuple(_slow_for(ground, plans, r))
    yield from found


def _grounds(
    state: State, ground: Ground, body: Body, storeys: SurfaceLimits, allowance: float
) -> dict[str, tuple[Slow, ...]]:
    """Difficult ground as it counts for the mover's centre, by surface."""
    if body.keyword("NEGATE DIFFICULT TERRAIN"):
        return {}
    heights, r = heights_of(state), radius(body)
    far = allowance + r
    box = (body.x - far, body.y - far, body.x + far, body.y + far)
    zones = [zone for zone in heights.patches_near(box) if zone.factor > 1.0]
    found: dict[str, tuple[Slow, ...]] = {}
    for surface in heights.storeys.surfaces if zones else ():
        if surface.id not in storeys.heights:
            continue
        # On a ramp only what covers all its heights: no way is told to be dearer than it is.
        here = [zone for zone in zones if all(zone.lies(surface, z) for z in _ends(surface))]
        slow = tuple(_slow_for(ground, ((p.entry, p.plan) for p in here), r))
        if slow:
            found[surface.id] = slow
    return found


def _ends(surface: Surface) -> tuple[float, float]:
    return surface.z, surface.top


def _slow_for(ground: Ground, plans: Iterable[tuple[str, Plan]], r: float) -> Iterator[Slow]:
    for piece, plan in plans:
        if not ground.half_area:
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
