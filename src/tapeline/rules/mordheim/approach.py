"""The most direct way into contact over all storeys; straight ways; ways off the table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Leg, Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.rectangles.contact import distance_to, overlap_part
from tapeline.geometry.rectangles.rectangle import Part as Shape
from tapeline.rules.mordheim.charts import gone_round
from tapeline.rules.mordheim.contact import about_centre, across_barrier, touching
from tapeline.rules.mordheim.search import searched, until
from tapeline.rules.mordheim.state import base_part, radius
from tapeline.rules.mordheim.terrain import terrain_of
from tapeline.rules.mordheim.walker import at_place, route_of, walk, walker_of
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid
from tapeline.travel.route import Route, Stretch

__all__ = ["away", "ladder_ends", "route_to_contact", "straight_towards"]


Point: TypeAlias = tuple[float, float]


def route_to_contact(
    state: State,
    body: Body,
    targets: Sequence[str],
    *,
    climb: bool = False,
    shape: Shape | None = None,
    near: bool = False,
) -> Route | None:
    """The shortest way into contact with all targets, the base facing as it does at its end; None
    if there is none.

    Stairs, ladders, jumps down and over gaps are on the way; climbs only with `climb`. Other bases
    and solids of 1 inch or more are gone round. shape: what touches, about the centre, if not the
    base. near: only what a charge may cost is looked at.
    """
    aims = [state.body(target) for target in targets]
    if all(touching(body, aim) or across_barrier(state, body, aim) for aim in aims):
        return Route(Place(body.x, body.y, body.z))
    if len(aims) == 1:
        track = _straight(state, body, aims[0], shape)
        if track is not None:
            return track
    how = _How(climb, shape, near)
    ends = list(ladder_ends(state, body))
    if ends:
        ways = (_by_ladder(state, body, aims, end, how) for end in ends)
        found = [way for way in ways if way is not None]
        # Nobody goes up to jump down again: of the two ends, drops count by their height.
        return min(
            found, key=lambda way: way.length + sum(h.rise for h in way.crossings), default=None
        )
    others = gone_round(state, body)
    track = searched(state, body, aims, others, **how._asdict())
    friends = {friend.id for friend in state.friends(body) if friend not in others}
    if track is not None and any(hit.about in friends for hit in track.hits):
        # It jumps down or over onto one of those that it may walk past: round them all.
        everyone = list(state.others(body))
        track = searched(state, body, aims, everyone, **how._asdict())
    return track


class _How(NamedTuple):
    """What `route_to_contact` is asked besides from where to whom."""

    climb: bool
    shape: Shape | None
    near: bool


def ladder_ends(state: State, body: Body) -> Iterator[Place]:
    """Where a model that hangs on a ladder or rope gets off, its foot first; none for others."""
    ground = terrain_of(state)
    if ground.storeys.support(body.x, body.y, body.z, TOLERANCE) is not None:
        return
    ladder = ground.storeys.ladder_at(body.x, body.y, body.z, TOLERANCE)
    if ladder is None:
        return
    for end in (Place(*ladder.foot), Place(*ladder.head)):
        found = ground.overlapped(at_place(body, end))
        if found is None:
            yield end
        else:
            yield from _beside(state, body, end, found[1])


def _beside(state: State, body: Body, end: Place, solid: Solid) -> Iterator[Place]:
    """The place square off a side of a solid that leaves no room at the very end of a ladder."""
    r, ring = radius(body), solid.ground.ring or ()
    for k in range(0, len(ring), 2):
        ax, ay, bx, by = ring[k - 2], ring[k - 1], ring[k], ring[k + 1]
        d = math.hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / d, -(bx - ax) / d
        off = r - (end.x - ax) * nx - (end.y - ay) * ny
        there = Place(end.x + off * nx, end.y + off * ny, end.z)
        if (
            0.0 < off <= r + TOLERANCE
            and terrain_of(state).overlapped(at_place(body, there)) is None
        ):
            yield there
            return


def _by_ladder(state: State, body: Body, aims: list[Body], end: Place, how: _How) -> Route | None:
    """The way into contact from a ladder by one of its ends, or to a target met on it."""
    off = Leg(to=(end.x, end.y), z=end.z)
    track = walk(state, body, (off,), manner="charge")
    first = min(track.hits, key=lambda hit: hit.travelled, default=None)
    if first is not None:
        cut = until(track, first.travelled)
        met = len(aims) == 1 and first.about == aims[0].id
        return cut if met and touching(at_place(body, cut.end), aims[0]) else None
    there = at_place(body, end)
    ids = [aim.id for aim in aims]
    onward = route_to_contact(state.with_body(there), there, ids, **how._asdict())
    if onward is None:
        return None
    track = walk(state, body, (off, *onward.legs), manner="charge")
    return track if not track.hits else None


def _straight(state: State, body: Body, target: Body, shape: Shape | None) -> Route | None:
    """The straight way to a target on the same surface, if nothing is in it."""
    if abs(target.z - body.z) > TOLERANCE:
        return None
    part = overlap_part(base_part(target), about_centre(body) if shape is None else shape)
    distance, end = distance_to(part, body.x, body.y)
    if distance <= 0.0:
        return None
    track = walk(state, body, (Leg(to=end),), manner="charge")
    flat = all(isinstance(p, Stretch) and p.start.z == p.end.z == body.z for p in track.parts)
    return track if flat and not track.hits else None


def straight_towards(state: State, body: Body, target: Body) -> Route:
    """Straight towards a target as far as nothing blocks: a solid, a base, an edge."""
    dx, dy = target.x - body.x, target.y - body.y
    d = math.hypot(dx, dy)
    if d <= TOLERANCE:
        return Route(Place(body.x, body.y, body.z))
    return away(state, body, (dx / d, dy / d), d)


def away(state: State, body: Body, direction: tuple[float, float], distance: float) -> Route:
    """Straight along a unit vector for a length on the plan, as far as nothing blocks."""
    end = (body.x + direction[0] * distance, body.y + direction[1] * distance)
    walker = walker_of(state, body)
    walker.walk(Line(body.x, body.y, *end))
    track = route_of(walker)
    if not track.hits:
        return track
    return until(track, min(hit.travelled for hit in track.hits))
