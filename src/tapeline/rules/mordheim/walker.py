"""How the models of Mordheim walk: what stops them, slow ground, leaps, ladders, other bases."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations, pairwise

from tapeline.engine.events import Moved
from tapeline.engine.limits import TOLERANCE, more_than, overlaps, same, within
from tapeline.engine.paths import Leg, LegPath, Place
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import (
    Span,
    nearest_to_point,
    nearest_to_ring,
    spans_near_point,
    spans_near_ring,
)
from tapeline.geometry.rectangles.contact import spans_inside
from tapeline.rules.mordheim import crossings
from tapeline.rules.mordheim.contact import (
    across_barrier,
    first_contact,
    meeting_part,
    near_level,
    spans_over,
    touching,
)
from tapeline.rules.mordheim.figures import BARRIER_IN, BESIDE_IN
from tapeline.rules.mordheim.state import footprint, height, radius
from tapeline.rules.mordheim.terrain import depth_on, terrain_of
from tapeline.table.bodies import Body, Rectangle, Round
from tapeline.table.solids import Ground, Solid, box_of
from tapeline.table.solids import ground_of as plan_of
from tapeline.table.storeys import Surface, storeys_of
from tapeline.table.terrain import Ladder
from tapeline.travel.crossings import along_seam, flush
from tapeline.travel.route import Hit, Route, Stretch, steepness
from tapeline.travel.walker import SPECK, MoverPolicy, Sort, Walker
from tapeline.wording import told_apart

__all__ = [
    "clear_beginning",
    "ends_in_contact",
    "facings_along",
    "hits_at",
    "pivot",
    "route_of",
    "walk",
    "walker_of",
    "where_it_fits",
]


def walk(state: State, body: Body, path: LegPath) -> Route:
    """The way a path makes over the ground, as far as anything carries the base."""
    walker = walker_of(state, body)
    walker.follow(path)
    if path and path[-1].how == "walk" and path[-1].z is None and walker.parts:
        step_on_edge(walker)
    if walker.top is not None and not walker.lost:
        name = walker.terrain.name(walker.top.entry)
        walker.hit("MH-CLIMB-1", f"{body.name} must not stop on top of {name}.")
    elif walker.parts and not walker.lost:
        stands(walker, walker.place)
    return route_of(walker)


def walker_of(state: State, body: Body) -> Walker:
    """A model about to walk. Bases that it shares its place with at the start let it go, however it
    has turned there."""
    narrow = body.based(Round(radius(body)))
    others = [
        other
        for other in state.others(body)
        if more_than(abs(other.z - body.z), 0.0) or not overlaps(depth_on(narrow, other))
    ]
    friends = state.option("pass_through") == "friends"
    passed = {f.id for f in state.friends(body)} if friends else set()
    bars = [other for other in others if other.id not in passed]
    return Walker(
        state, body, terrain_of(state), _POLICY, radius=radius(body), bars=bars, bars_end=others
    )


def route_of(walker: Walker) -> Route:
    """The way so far. What must be climbed is told once, where the base first meets it; under
    `whole_move` the worst ground met counts for the whole way."""
    met: dict[tuple[str, str | None], Hit] = {}
    wholes = _wholes(walker)
    for hit in walker.hits:
        key = hit.clause, wholes.get(hit.about, hit.about)
        if key not in met or hit.travelled < met[key].travelled:
            met[key] = hit
    hits = []
    for (clause, thing), hit in met.items():
        if clause == "MH-MOVE-5" and thing is not None and ("MH-TER-6", thing) in met:
            continue
        first = met.get(("MH-MOVE-5", thing)) if clause == "MH-TER-6" else None
        if first is not None and first.travelled < hit.travelled:
            hit = hit._replace(place=first.place, travelled=first.travelled)
        hits.append(hit)
    parts = tuple(walker.parts)
    walked = [part for part in parts if isinstance(part, Stretch)]
    worst = max(walked, key=lambda part: part.factor, default=None)
    whole = walker.state.option("difficult_mode") == "whole_move"
    if whole and worst is not None and worst.factor > 1.0:
        factor, clause = worst.factor, worst.clause
        parts = tuple(
            replace(p, factor=factor, clause=clause, alone=p.own) if isinstance(p, Stretch) else p
            for p in parts
        )
    return Route(walker.start, parts, tuple(hits), walker.beside)


def _wholes(walker: Walker) -> dict[str | None, str]:
    """What of the things met stands flush with others is met as one: each by the name of one."""
    things = {hit.about for hit in walker.hits}
    if len(things) < 2:
        return {}
    whole: dict[str | None, str] = {}
    solids = [solid for solid in walker.storeys.solids if solid.entry in things]
    for one, other in combinations(solids, 2):
        if one.entry != other.entry and flush(one, other):
            name, gone = whole.get(one.entry, one.entry), whole.get(other.entry, other.entry)
            whole.update({thing: name for thing in things if whole.get(thing, thing) == gone})
    return whole


def step_on_edge(walker: Walker) -> None:
    """Step up where the base has come exactly to the edge of a surface a step higher."""
    if walker.surface is None or walker.surface.ramp is not None or walker.lost:
        return
    x, y, z = walker.place
    for higher in walker.storeys.over(x, y, TOLERANCE):
        rise = higher.height(x, y) - z
        if higher.ramp is None and more_than(rise, 0.0) and walker.terrain.low(rise):
            walker.step(higher)
            return


def _falls_off(walker: Walker, leg: Line | Arc) -> None:
    ahead, name = leg.at(min(1e-3, leg.length)), walker.body.name
    if walker.surface is not None and walker.off_table(*ahead):
        walker.refuse("MH-MOVE-5", f"{name} would leave the table.")
        return
    z, surface = walker.place.z, walker.surface
    box = (*ahead, *ahead)
    beyond = () if surface is None else walker.terrain.in_way(box, surface, z, z, walker.tall)
    for solid in beyond:
        if not more_than(solid.bottom, z) and overlaps(solid.ground.depth(*ahead)):
            # No edge: what it would walk on from stands against something higher.
            met = [hit.travelled for hit in walker.hits if hit.about == solid.entry]
            walker.hits = [hit for hit in walker.hits if hit.about != solid.entry]
            measured, text = _rises(walker, solid, z)
            walker.hit(
                "MH-TER-6",
                text,
                about=solid.entry,
                measured=measured,
                limit=BARRIER_IN,
                travelled=min(met, default=walker.length),
            )
            walker.lost = True
            return
    below = walker.storeys.below(*ahead, walker.place.z)
    if below is None:
        walker.refuse("MH-MOVE-5", f"Nothing carries {name} there.")
        return
    drop = walker.place.z - below.height(*ahead)
    text = f"The path goes over an edge {drop:.4g} in high: jump down, climb or go round."
    walker.refuse("MH-MOVE-5", text, measured=drop, limit=BARRIER_IN)


def _rises(walker: Walker, solid: Solid, low: float) -> tuple[float, str]:
    """How far a thing in the way rises above a height, and what is said of it."""
    name, measured = walker.terrain.name(solid.entry), solid.top - low
    if solid.see_through:
        return measured, f"{name} has a window there, which lets nobody through."
    text = f"{name} rises {measured:.4g} in; only what is lower than {BARRIER_IN:g} in is leapt."
    return measured, text


def _sorts(
    walker: Walker, leg: Line | Arc, surface: Surface, start_z: float, end_z: float
) -> Iterator[Sort]:
    """A leg in pieces of one sort of ground, the worst where several lie on each other."""
    ramp, covers = surface.ramp, list(_covers(walker, leg, surface, start_z, end_z))
    plain = Sort(0.0, leg.length, 1.0, "open ground", "MH-TER-1", None)
    if ramp is not None:
        plain = plain._replace(what=ramp.kind, piece=ramp.id)
    if not covers:
        yield plain
        return
    marks = {0.0, leg.length, *(c.begin for c in covers), *(c.end for c in covers)}
    run: Sort | None = None
    for begin, end in pairwise(sorted(m for m in marks if 0.0 <= m <= leg.length)):
        if end - begin <= SPECK:
            continue
        half = 0.5 * (begin + end)
        here = [c for c in covers if c.begin <= half <= c.end]
        worst = max(here, key=lambda c: (c.factor, c.clause), default=plain)
        if run is not None and run[2:] == worst[2:]:
            run = run._replace(end=end)
            continue
        if run is not None:
            yield run
        run = worst._replace(begin=begin, end=end)
    if run is not None:
        yield run._replace(end=leg.length)


def _covers(
    walker: Walker, leg: Line | Arc, surface: Surface, start_z: float, end_z: float
) -> Iterator[Sort]:
    """Slow ground, low things that are leapt, doors and gaps on a leg."""
    box, terrain = box_of(leg, 0.0), walker.terrain
    low, high = min(start_z, end_z), max(start_z, end_z)
    for area in terrain.patches_near(box):
        there = area.lies_along(surface, leg.length, start_z, end_z)
        if there is None:
            continue
        for inner, outer in area.plan.spans(leg):
            begin, end = max(inner, there[0]), min(outer, there[1])
            if end - begin > SPECK and overlaps(area.plan.depth(*leg.at(0.5 * (begin + end)))):
                yield Sort(begin, end, area.factor, area.name, area.clause, area.entry)
    for solid in walker.storeys.solids_near(box):
        top = solid.top - low
        if solid.walk_through or not more_than(top, 0.0) or not terrain.low(top):
            continue
        if not more_than(solid.bottom, high + walker.tall):
            what = f"over {terrain.name(solid.entry)}"
            for span in solid.ground.spans(leg):
                yield Sort(*span, 1.0, what, "MH-TER-6", solid.entry)
    for door in terrain.doors_near(box):
        o = door.opening
        if o.bottom - BARRIER_IN < low < o.top:
            what, clause = "through a gap", "MH-TER-1"
            if o.kind == "door":
                what, clause = "through a door", "MH-TER-2"
            for span in door.plan.spans(leg):
                yield Sort(*span, 1.0, what, clause, o.id)


# What is in the way.
def _in_way(
    walker: Walker, leg: Line | Arc, surface: Surface, start_z: float, end_z: float
) -> None:
    r, terrain, tall = walker.radius, walker.terrain, walker.tall
    low, high = min(start_z, end_z), max(start_z, end_z)
    solids = terrain.in_way(box_of(leg, r), surface, low, high, tall)
    if not walker.beside:
        wide = r + BESIDE_IN
        about = terrain.in_way(box_of(leg, wide), surface, low, high, tall)
        walker.beside = any(terrain.run_into(about, leg, wide, start_z, end_z, tall))
    met = [*terrain.run_into(solids, leg, r, start_z, end_z, tall)]
    grazed = [solid for solid, *_, near in met if near.distance <= TOLERANCE]
    for solid, part, before, near in met:
        depth = r - near.distance
        start = r + solid.ground.depth(*part.start)
        if overlaps(start) and not more_than(depth, start) and walker.length == 0.0:
            continue  # it stands in it and only leaves it
        along = before + _goes_in(solid.ground, part, r)
        true = along * steepness(leg, end_z - start_z)
        name, clause, place = terrain.name(solid.entry), "MH-MOVE-5", Place(*leg.at(along), low)
        room = terrain.headroom(solid, high)
        if room is not None:
            measured, limit, text = room, tall, crossings.too_low(walker, name, room)
        elif near.distance < -TOLERANCE or any(
            near.distance <= TOLERANCE and along_seam(part, solid, other)
            for other in grazed
            if other is not solid
        ):
            clause, limit = "MH-TER-6", BARRIER_IN
            measured, text = _rises(walker, solid, low)
        else:
            measured, limit, place = depth, 0.0, Place(*near.at, low)
            text = f"The base goes {told_apart(depth, 0.0)} in into {name}."
        gone = walker.length + true
        walker.hit(
            clause, text, place, about=solid.entry, measured=measured, limit=limit, travelled=gone
        )
    _bases_in_way(walker, leg, start_z, end_z)


def _goes_in(plan: Ground, leg: Line | Arc, r: float) -> float:
    """Length of a leg at which a base that comes into a solid touches it; where it went along its
    side before, at which it is in it by the tolerance."""
    sunk = plan.first_near(leg, r - TOLERANCE) or 0.0
    touched = max((a for a, _ in plan.spans_near(leg, r) if a <= sunk), default=sunk)
    halfway = r + plan.depth(*leg.at(0.5 * (touched + sunk)))
    return touched if halfway > 0.25 * TOLERANCE else sunk


def _bases_in_way(walker: Walker, leg: Line | Arc, start_z: float, end_z: float) -> None:
    x0, y0, x1, y1 = box_of(leg, walker.radius + BESIDE_IN)
    for other in walker.bars_end:
        far = other.base.reach
        if other.x + far < x0 or other.x - far > x1 or other.y + far < y0 or other.y - far > y1:
            continue
        span = near_level(other.z, start_z, end_z)
        if span is None:
            continue
        begin, end = (share * leg.length for share in span)
        part = leg if span == (0.0, 1.0) else leg.part(begin, end)
        depth, begins = _depth_on(walker, part, other)
        walker.beside = walker.beside or overlaps(depth + BESIDE_IN)
        if overlaps(depth):
            along = begin + begins
            share, rise = along / leg.length, end_z - start_z
            place = Place(*leg.at(along), start_z + share * rise)
            _goes_through(walker, other, depth, place, share * math.hypot(leg.length, rise))


def _goes_through(walker: Walker, other: Body, depth: float, place: Place, along: float) -> None:
    walker.beside = True
    if not any(other is bar for bar in walker.bars):
        return  # a friend who may be passed
    text, gone = f"The path goes through the base of {other.name}.", walker.length + along
    walker.hit("MH-MOVE-5", text, place, about=other.id, measured=depth, limit=0.0, travelled=gone)


def _depth_on(walker: Walker, part: Line | Arc, other: Body) -> tuple[float, float]:
    """How deep the base comes into another along a leg, and where it begins to touch it."""
    r, base = walker.radius, other.base
    if isinstance(base, Rectangle):
        loop = footprint(other).loop
        near = nearest_to_ring(part, loop)
        depth, spans = r - near.distance, spans_near_ring(part, loop, r)
    else:
        near = nearest_to_point(part, other.x, other.y)
        limit = r + base.radius
        depth, spans = limit - near.distance, spans_near_point(part, other.x, other.y, limit)
    return depth, spans[0][0] if spans else near.travelled


def _lands(walker: Walker, place: Place) -> None:
    """Note what the base would overlap where it lands on its way, as narrow as it can turn."""
    stands(walker, place, walker.body.based(Round(walker.radius)))


def stands(walker: Walker, place: Place, base: Body | None = None) -> None:
    """Note what the base, or the one given, would overlap at a place where it comes to stand."""
    body = (base or walker.body).at(*place)
    if walker.surface is not None:
        found = walker.terrain.overlapped(body, on=walker.surface.ramp)
        if found is not None:
            depth, solid = found
            name, measured, limit = walker.terrain.name(solid.entry), depth, 0.0
            room = walker.terrain.headroom(solid, place.z)
            if room is not None:
                measured, limit, text = room, walker.tall, crossings.too_low(walker, name, room)
            else:
                text = f"{body.name} would stand {told_apart(depth, 0.0)} in inside {name}."
            walker.hit("MH-MOVE-5", text, place, about=solid.entry, measured=measured, limit=limit)
    for other in walker.bars_end:
        depth = depth_on(body, other)
        if overlaps(depth):
            text = f"{body.name} would stand on the base of {other.name}."
            walker.hit("MH-MOVE-5", text, place, about=other.id, measured=depth, limit=0.0)


# Ladders.
def _take_ladder(walker: Walker, ladder: Ladder, end: Place) -> None:
    """Go up or down a ladder or rope, by its height."""
    low, high = sorted((walker.place.z, end.z))
    ends = (ladder.foot[:2], ladder.head[:2])
    hatch = any(
        low - TOLERANCE <= floor.z <= high + TOLERANCE
        and any(
            plan_of(h.corners).depth(x, y) >= -TOLERANCE for h in floor.hatches for x, y in ends
        )
        for floor in walker.terrain.table.floors
    )
    clause, what = "MH-TER-1", ladder.kind
    if hatch:
        clause, what = "MH-TER-2", f"{what} through a hatch"
    _bases_on_ladder(walker, end)
    here, counted = walker.place, high - low
    walker.add(Stretch(here, end, 1.0, what, clause, piece=ladder.id, counted=counted))
    walker.surface = walker.storeys.support(*end, TOLERANCE)


def _bases_on_ladder(walker: Walker, end: Place) -> None:
    """Note the bases that are passed through on a ladder from here to its place at the end."""
    start = walker.place
    leg, rise = Line(start.x, start.y, end.x, end.y), end.z - start.z
    upright = leg.length <= SPECK
    for other in walker.bars_end:
        span = near_level(other.z, start.z, end.z)
        if span is None:
            continue
        part = leg if upright else leg.part(span[0] * leg.length, span[1] * leg.length)
        depth, along = _depth_on(walker, part, other)
        if overlaps(depth):
            share = span[0] + (0.0 if upright else along / leg.length)
            place = Place(*leg.at(share * leg.length), start.z + share * rise)
            _goes_through(walker, other, depth, place, share * abs(rise))


_CROSSINGS = {"climb": crossings.climb, "drop": crossings.jump_down, "jump": crossings.jump_gap}
_POLICY = MoverPolicy(
    clause="MH-MOVE-5",
    step_clause="MH-TER-1",
    unknown="Nobody moves by {how!r}; legs are {known}.",
    blames_mover=False,
    heeds_z=True,
    crossings=_CROSSINGS,
    in_way=_in_way,
    sorts=_sorts,
    falls_off=_falls_off,
    stands=_lands,
    # Only where it cannot come to the very foot or head its radius reaches there.
    reaches=lambda walker, place: walker.terrain.overlapped(walker.body.at(*place)) is not None,
    take_ladder=_take_ladder,
)


# Rectangular bases: pivoting is free (3.2), so they go as narrow as they are, as a disc of half
# their short side, and are held to their true shape where they end, facing as they stood or
# turned to where they get farther.


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
    last = track.parts[-1] if track.parts else None
    # On a ladder or stairs a base is met from below or above.
    steep = isinstance(last, Stretch) and last.end.z != last.start.z
    if hits and not (steep and {hit.about for hit in hits} <= set(targets)):
        return False
    end = body.at(*track.end)
    aims = [state.body(target) for target in targets]
    return all(touching(end, aim) or across_barrier(state, end, aim) for aim in aims)


def where_it_fits(state: State, body: Body, track: Route) -> tuple[Route, float]:
    """A way shortened until the base stands clear in its true shape, against what it would have
    stood across or in, and how it faces then.

    Friends that are passed (`pass_through`) are not stood on. On the very edge of what is a step
    higher it stands on that.
    """
    track = _on_edge(state, body, _off_friends(state, body, track))
    best: tuple[Route, float] | None = None
    for facing in facings_along(body, track):
        kept = clear_beginning(state, body.at(body.x, body.y, facing=facing), track)
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


def clear_beginning(state: State, body: Body, track: Route) -> Route:
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
        under = [f for f in friends if overlaps(depth_on(end, f))]
        lengths = [met[0] for f in under if (met := first_contact(body, f, track)) is not None]
        if not lengths:
            break
        track = track.upto(min(lengths))
    return track


def pivot(run: Run, body_id: str, facing: float, clause: str) -> None:
    """Turn a model on the spot; it costs nothing."""
    body = run.state.body(body_id)
    turn = math.remainder(facing - body.facing, 360.0)
    if not same(turn, 0.0):
        path = (Leg(by=turn),)
        run.emit(Moved(body_id, body.x, body.y, body.z, body.facing + turn, path, clause))
