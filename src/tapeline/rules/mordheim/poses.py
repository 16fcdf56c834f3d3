"""Rectangular bases on their way: pivoting is free (3.2), so they go as narrow as they are and are
held to their true shape where they end.

On the way a base counts as a disc of half its short side, as `walker` has it: it turns its short
side ahead. It ends facing along the last piece of its way, or as it stood.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from tapeline.engine.events import Moved
from tapeline.engine.limits import TOLERANCE, closer_than, overlaps, same
from tapeline.engine.paths import Leg
from tapeline.engine.placing import base_overlap
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.rules.mordheim.barriers import across_barrier
from tapeline.rules.mordheim.contacts import first_contact
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.measures import touching
from tapeline.rules.mordheim.track import Hit, Place, Stretch, Track
from tapeline.rules.mordheim.walker import Walker
from tapeline.table.bodies import Body, Round
from tapeline.table.storeys import storeys_of

__all__ = ["fits_at", "hits_at", "into_contact", "pivot", "where_it_fits"]

#: Inches. Steps back along a way in which a place is looked for where a base fits.
_STEP_IN = 0.1


def hits_at(state: State, body: Body, place: Place) -> tuple[Hit, ...]:
    """What a base, facing as given, would overlap at a place."""
    walker = Walker(state, state.body(body.id))
    walker.body = body
    walker.surface = storeys_of(state.table).support(place.x, place.y, place.z, 2.0 * TOLERANCE)
    walker.fits(place)
    return tuple(walker.hits)


def fits_at(state: State, body: Body, place: Place) -> bool:
    """Whether a base, facing as given, stands at a place clear of solids and other bases."""
    return not hits_at(state, body, place)


def _facings(body: Body, track: Track) -> Iterator[float]:
    """Facings to end a way in, the likeliest first, degrees."""
    for part in reversed(track.parts):
        dx, dy = part.end.x - part.start.x, part.end.y - part.start.y
        if math.hypot(dx, dy) > TOLERANCE:
            yield math.degrees(math.atan2(dy, dx))
            break
    yield body.facing
    yield body.facing + 90.0


def into_contact(
    state: State, body: Body, track: Track, targets: Collection[str]
) -> tuple[Track, float] | None:
    """A way to contact as far as the true shape goes, and how the base faces then.

    None if it fits nowhere on it in contact with a target.
    """
    if isinstance(body.base, Round):
        hits = hits_at(state, body, track.end)
        if not hits or (_rises(track) and {hit.about for hit in hits} <= set(targets)):
            return (track, body.facing) if _meets(state, body, track, targets) else None
    aims = [state.body(target) for target in targets]
    for facing in _facings(body, track):
        turned = body.at(body.x, body.y, facing=facing)
        met = [first_contact(turned, aim, track) for aim in aims]
        lengths = [found[0] for found in met if found is not None]
        if not lengths:
            continue
        cut = track.upto_length(min(lengths))
        if fits_at(state, turned, cut.end):
            return cut, facing
    return None


def _meets(state: State, body: Body, track: Track, targets: Collection[str]) -> bool:
    """Whether a way ends in contact with all targets, or across a low barrier from them."""
    end = body.at(*track.end)
    aims = [state.body(target) for target in targets]
    return all(touching(end, aim) or across_barrier(state, end, aim) for aim in aims)


def _rises(track: Track) -> bool:
    """Whether a way ends going up a ladder or stairs, where a base is met from below."""
    last = track.parts[-1] if track.parts else None
    return isinstance(last, Stretch) and last.end.z > last.start.z


def where_it_fits(state: State, body: Body, track: Track) -> tuple[Track, float]:
    """A way shortened until the base stands clear in its true shape, and how it faces then.

    Friends that are passed (`pass_through`) are not stood on.
    """
    track = _off_friends(state, body, track)
    if isinstance(body.base, Round) or not track.parts:
        return track, body.facing
    length = track.length
    while length > 0.0:
        cut = track.upto_length(length)
        for facing in _facings(body, cut):
            if fits_at(state, body.at(body.x, body.y, facing=facing), cut.end):
                return cut, facing
        length -= _STEP_IN
    return Track(track.start), body.facing


def _off_friends(state: State, body: Body, track: Track) -> Track:
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
        track = track.upto_length(min(lengths))
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
