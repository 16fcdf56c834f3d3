"""Rectangular bases on their way: pivoting is free (3.2), so they go as narrow as they are and are
held to their true shape where they end.

On the way a base counts as a disc of half its short side, as `walker` has it: it turns its short
side ahead. It ends facing as it stood, or turned to where it gets farther.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from tapeline.engine.bases import base_overlap
from tapeline.engine.events import Moved
from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps, same, within
from tapeline.engine.paths import Leg, Place
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import Span
from tapeline.geometry.rectangles.contact import spans_inside
from tapeline.rules.mordheim.contacts import across_barrier, first_contact
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.measures import touching
from tapeline.rules.mordheim.policy import terrain_of
from tapeline.rules.mordheim.standing import meeting_part, spans_over
from tapeline.rules.mordheim.state import height
from tapeline.rules.mordheim.walker import stands, step_on_edge, walker_of
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import box_of
from tapeline.table.storeys import storeys_of
from tapeline.travel.route import Hit, Route, Stretch

__all__ = ["ends_in_contact", "facings_along", "hits_at", "pivot", "where_it_fits"]


def hits_at(state: State, body: Body, place: Place) -> tuple[Hit, ...]:
    """What a base, facing as given, would overlap at a place."""
    walker = walker_of(state, state.body(body.id))
    walker.body = body
    walker.surface = storeys_of(state.table).support(place.x, place.y, place.z, 2.0 * TOLERANCE)
    stands(walker, place)
    return tuple(walker.hits)


def facings_along(body: Body, track: Route) -> Iterator[float]:
    """Facings to end a way in: as it stands, along its last piece, square to both, degrees."""
    yield body.facing
    if isinstance(body.base, Round):
        return
    yield body.facing + 90.0
    for part in reversed(track.parts):
        dx, dy = part.end.x - part.start.x, part.end.y - part.start.y
        if math.hypot(dx, dy) > TOLERANCE:
            along = math.degrees(math.atan2(dy, dx))
            yield along
            yield along + 90.0
            return


def ends_in_contact(state: State, body: Body, track: Route, targets: Collection[str]) -> bool:
    """Whether a base, facing as given, stands at the end of a way with room and in contact with all
    targets, or across a low barrier from them."""
    hits = hits_at(state, body, track.end)
    if hits and not (_rises(track) and {hit.about for hit in hits} <= set(targets)):
        return False
    end = body.at(*track.end)
    aims = [state.body(target) for target in targets]
    return all(touching(end, aim) or across_barrier(state, end, aim) for aim in aims)


def _rises(track: Route) -> bool:
    """Whether a way ends going up a ladder or stairs, where a base is met from below."""
    last = track.parts[-1] if track.parts else None
    return isinstance(last, Stretch) and last.end.z > last.start.z


def where_it_fits(state: State, body: Body, track: Route) -> tuple[Route, float]:
    """A way shortened until the base stands clear in its true shape, against what it would have
    stood across or in, and how it faces then.

    Friends that are passed (`pass_through`) are not stood on. On the very edge of what is a step
    higher it stands on that.
    """
    track = _on_edge(state, body, _off_friends(state, body, track))
    best: tuple[Route, float] | None = None
    for facing in facings_along(body, track):
        kept = _clear_beginning(state, body.at(body.x, body.y, facing=facing), track)
        if best is None or more_than(kept.length, best[0].length):
            best = (kept, facing)
    assert best is not None
    return best


def _on_edge(state: State, body: Body, track: Route) -> Route:
    """A way that, if it ends exactly on the edge of a surface a step higher, goes up on it."""
    if not track.parts or not isinstance(track.parts[-1], Stretch):
        return track
    walker = walker_of(state, body)
    walker.place = track.end
    walker.surface = walker.storeys.support(*track.end, 2.0 * TOLERANCE)
    step_on_edge(walker)
    return Route(track.start, (*track.parts, *walker.parts), track.hits)


def _clear_beginning(state: State, body: Body, track: Route) -> Route:
    """The longest beginning of a way at whose end a base, facing as given, stands clear."""
    while track.parts:
        hits = hits_at(state, body, track.end)
        if not hits:
            break
        *before, last = track.parts
        if isinstance(last, Stretch) and last.leg.length > 0.0:
            end = last.leg.length
            begins = [
                begin
                for hit in hits
                for begin, stop in _spans_in(state, body.at(*track.end), hit.about, last.leg)
                if within(end, stop)
            ]
            share = min(begins, default=0.0) / end
            if share > 0.0:
                before.append(last.upto(share))
        track = Route(track.start, tuple(before))
    return track


def _spans_in(state: State, body: Body, thing: str | None, leg: Line | Arc) -> Iterator[Span]:
    """Lengths of a leg between which a base would overlap a model or a piece of terrain."""
    other = state.bodies.get(thing or "")
    if other is not None:
        yield from spans_inside(meeting_part(body, other), leg)
        return
    ground, tall = terrain_of(state), height(body)
    for solid in ground.beside(box_of(leg, body.base.reach), body.z, tall):
        if solid.entry == thing and ground.takes_room(solid, body.z, tall):
            yield from spans_over(body, solid.ground, leg)


def _off_friends(state: State, body: Body, track: Route) -> Route:
    """A way that ends where it came to the first of the friends it would end on."""
    if state.option("pass_through") != "friends":
        return track
    friends = list(state.friends(body))
    while track.parts:
        end = body.at(*track.end)
        under = [f for f in friends if _stands_on(end, f)]
        lengths = [met[0] for f in under if (met := first_contact(body, f, track)) is not None]
        if not lengths:
            break
        track = track.upto(min(lengths))
    return track


def _stands_on(body: Body, other: Body) -> bool:
    near = closer_than(abs(other.z - body.z), CONTACT_RISE_IN)
    return near and overlaps(base_overlap(body, other))


def pivot(run: Run, body_id: str, facing: float, clause: str) -> None:
    """Turn a model on the spot; it costs nothing."""
    body = run.state.body(body_id)
    turn = math.remainder(facing - body.facing, 360.0)
    if not same(turn, 0.0):
        path = (Leg(by=turn),)
        run.emit(Moved(body_id, body.x, body.y, body.z, body.facing + turn, path, clause))
