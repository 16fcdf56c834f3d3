"""How the models of Trench Crusade walk over storeys: what stops them, slow ground, ladders."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Leg
from tapeline.rules.trench_crusade import crossings
from tapeline.rules.trench_crusade.policy import on_table, terrain_of
from tapeline.rules.trench_crusade.state import may_leave_table, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid, box_of
from tapeline.table.storeys import Surface
from tapeline.table.terrain import Ladder
from tapeline.travel.route import Route, Stretch
from tapeline.travel.terrain import carries_head, spans_in
from tapeline.travel.walker import SPECK, MoverPolicy, Sort, Walker

__all__ = ["route_of", "settle", "walker_of"]


def walker_of(state: State, body: Body) -> Walker:
    """A model about to walk."""
    return Walker(
        state,
        body,
        terrain_of(state),
        _POLICY,
        radius=radius(body),
        may_leave=may_leave_table(body),
        slowed=not body.keyword("NEGATE DIFFICULT TERRAIN"),
    )


def route_of(walker: Walker) -> Route:
    """The way so far."""
    return Route(walker.start, tuple(walker.parts), tuple(walker.hits))


def settle(walker: Walker) -> None:
    """The end of the way: more than half of the base is carried, TC-MOVE-11."""
    surface, terrain = walker.surface, walker.terrain
    if walker.lost or surface is None or not walker.parts or on_table(surface):
        return
    share = terrain.support(surface, walker.place.x, walker.place.y, walker.radius)
    if share <= 0.5 + TOLERANCE:
        entry = surface.entries[0]
        text = f"Only {100.0 * share:.0f} % of the base would stand on {terrain.name(entry)}: "
        text += "more than half."
        walker.hit("TC-MOVE-11", text, about=entry, measured=share, limit=0.5)


def _falls_off(walker: Walker, leg: Leg) -> None:
    ahead = leg.at(min(1e-3, leg.length))
    if walker.off_table(*ahead):
        walker.lost = True  # TC-MOVE-6 says so
        return
    below = walker.storeys.below(*ahead, walker.place.z)
    if below is None or walker.surface is None:
        walker.refuse("TC-TER-7", f"Nothing carries {walker.body.name} there.")
        return
    drop = walker.place.z - below.height(*ahead)
    text = f"The path goes over a ledge {drop:.4g} in high: climb, jump down or go round."
    walker.refuse("TC-TER-7", text, measured=drop, limit=walker.terrain.step(below))


def _sorts(
    walker: Walker, leg: Leg, surface: Surface, start_z: float, end_z: float
) -> Iterator[Sort]:
    """A leg in pieces of one sort of ground, Difficult and Dangerous."""
    r = walker.radius if walker.terrain.policy.half_area else None
    slow: list[Sort] = []
    risky: list[tuple[float, float, str]] = []
    for patch in walker.terrain.patches_near(box_of(leg, r or 0.0)):
        if not patch.lies(surface, start_z):
            continue
        factor = patch.factor if walker.slowed else 1.0
        for span in spans_in(patch.plan, leg, r):
            if patch.factor > 1.0:
                slow.append(Sort(*span, factor, patch.name, patch.clause, patch.entry))
            if patch.hazard:
                risky.append((*span, patch.name))
    plain = Sort(0.0, leg.length, 1.0, "", "TC-MOVE-4", None)
    if surface.ramp is not None:
        plain = plain._replace(what=surface.ramp.kind, clause="TC-TER-7", piece=surface.ramp.id)
    if not slow and not risky:
        yield plain
        return
    marks = {0.0, leg.length, *(m for s in slow for m in s[:2]), *(m for s in risky for m in s[:2])}
    for begin, end in pairwise(sorted(m for m in marks if 0.0 <= m <= leg.length)):
        if end - begin <= SPECK:
            continue
        half = 0.5 * (begin + end)
        danger = next((s[2] for s in risky if s[0] <= half <= s[1]), None)
        found = next((s for s in slow if s.begin <= half <= s.end), plain)
        yield found._replace(begin=begin, end=end, danger=danger)


def _in_way(walker: Walker, leg: Leg, surface: Surface, start_z: float, end_z: float) -> None:
    r, low = walker.radius, min(start_z, end_z)
    run_into = walker.terrain.run_into(leg, r, surface, start_z, end_z, walker.tall)
    for o, part, before, near in run_into:
        depth = r - near.distance
        start = r + o.ground.depth(*leg.start)
        if overlaps(start) and not more_than(depth, start):
            continue
        along = before + (o.ground.first_near(part, r - TOLERANCE) or 0.0)
        _bump(walker, o, depth, Place(*near.to, low), walker.length + along)


def _bump(walker: Walker, o: Solid, depth: float, place: Place, at: float) -> None:
    terrain, low, rise = walker.terrain, place.z, o.top - place.z
    name, clause, measured, limit = terrain.name(o.entry), "TC-TER-7", rise, terrain.step_over(o)
    text = f"The base runs {depth:.2f} in into {name}, {rise:.4g} in high, to be climbed."
    if terrain.is_barred(o):
        text = f"The base runs {depth:.2f} in into {name}, which is impassable."
        clause, measured, limit = "TC-TER-5", depth, 0.0
    elif o.bottom > low + TOLERANCE:
        text = f"{name} is too low to go under: {o.bottom - low:.4g} in."
    walker.hit(clause, text, place, about=o.entry, measured=measured, limit=limit, travelled=at)


def _stands(walker: Walker, place: Place) -> None:
    """Note what the base would stand in at a place."""
    ramp = None if walker.surface is None else walker.surface.ramp
    found = walker.terrain.overlapped(walker.body.at(*place), on_ramp=ramp is not None)
    if found is not None and (ramp is None or not carries_head(found[1], ramp)):
        _bump(walker, found[1], found[0], place, walker.length)


def _take_ladder(walker: Walker, ladder: Ladder, end: Place) -> None:
    """Go up or down a ladder or rope, by its true length."""
    share = abs(end.z - walker.place.z) / (ladder.head[2] - ladder.foot[2])
    length = share * math.dist(ladder.foot, ladder.head)
    kind, here = ladder.kind, walker.place
    walker.add(Stretch(here, end, 1.0, kind, "TC-TER-7", piece=ladder.id, counted=length))
    walker.surface = walker.storeys.support(*end, TOLERANCE)
    if walker.surface is None:
        text = f"{walker.body.name} may not stop on a {kind} there."
        walker.refuse("TC-TER-7", text)
    else:
        _stands(walker, end)


_CROSSINGS = {
    "climb": crossings.climb,
    "drop": crossings.jump_down,
    "jump": crossings.jump_gap,
}
_POLICY = MoverPolicy(
    clause="TC-TER-7",
    step_clause="TC-TER-7",
    unknown="{name} does not move by {how!r}; legs are {known}.",
    blames_mover=True,
    heeds_z=False,
    crossings=_CROSSINGS,
    in_way=_in_way,
    sorts=_sorts,
    falls_off=_falls_off,
    stands=_stands,
    reaches=lambda walker, place: True,  # it need not stand on the very foot or head
    take_ladder=_take_ladder,
)
