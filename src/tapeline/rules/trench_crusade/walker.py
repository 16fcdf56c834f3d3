"""How the models of Trench Crusade go: on foot or through the air, and where they can stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.engine.paths import LegPath, Place, Point
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Leg, Line
from tapeline.geometry.plane.sweeps import deepest_in_rings
from tapeline.rules.trench_crusade import crossings
from tapeline.rules.trench_crusade.ground import beneath, in_space, on_table, terrain_of
from tapeline.rules.trench_crusade.measures import base_of
from tapeline.rules.trench_crusade.state import flies, height, may_leave_table, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid, box_of
from tapeline.table.storeys import TABLE, UNCLIMBABLE, Surface
from tapeline.table.terrain import Ladder, Ramp
from tapeline.travel import stops
from tapeline.travel.crossings import faces_under
from tapeline.travel.nearness import lowest
from tapeline.travel.route import Hit, Route, Stretch, just_before, shares_between, steepness
from tapeline.travel.table_edge import leaves_table
from tapeline.travel.terrain import Patch, Terrain, spans_in
from tapeline.travel.walker import SPECK, MoverPolicy, Sort, Walker
from tapeline.wording import told_apart

__all__ = [
    "barred_hits",
    "enters_danger",
    "first_danger",
    "fly",
    "is_held",
    "keeps_to_table",
    "last_stop",
    "lay",
    "lay_level",
    "over_ground",
    "route_of",
    "settle",
    "walker_of",
]


def walker_of(state: State, body: Body) -> Walker:
    """A model about to walk."""
    return Walker(
        state,
        body,
        terrain_of(state),
        _POLICY,
        radius=radius(body),
        may_leave=True,  # TC-MOVE-6 says whether it may; what else is wrong beyond is told too
        slowed=not body.keyword("NEGATE DIFFICULT TERRAIN"),
    )


def route_of(walker: Walker) -> Route:
    """The way so far."""
    return Route(walker.start, tuple(walker.parts), tuple(walker.hits))


def settle(walker: Walker) -> None:
    """The end of the way: more than half of the base is carried, TC-MOVE-11, and it stands clear of
    what it has stepped off or down beside."""
    surface, terrain = walker.surface, walker.terrain
    if walker.lost or surface is None or not walker.parts:
        return
    if not walker.hits:
        _stands(walker, walker.place)
    x, y, _ = walker.place
    if on_table(surface):
        return
    if walker.off_table(x, y) and not may_leave_table(walker.body):
        return  # TC-MOVE-6 says so
    share = terrain.support(surface, x, y, walker.radius)
    if share <= 0.5 + TOLERANCE:
        entry = beneath(terrain.table, surface, x, y)
        text = f"Only {100.0 * share:.0f} % of the base would stand on {terrain.name(entry)}, "
        text += "must be more than half."
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
    climbed = faces_under(walker.terrain, *leg.at(0.0), walker.place.z, walker.place.z - drop)
    ways = "climb, jump down or go round" if climbed else "jump down or go round"
    limit = walker.terrain.step(below)
    text = f"The path goes over a ledge {told_apart(drop, limit)} in high: {ways}."
    walker.refuse("TC-TER-7", text, measured=drop, limit=limit)


def _sorts(
    walker: Walker, leg: Leg, surface: Surface, start_z: float, end_z: float
) -> Iterable[Sort]:
    """A leg in pieces of one sort of ground, Difficult and Dangerous."""
    plain = Sort(0.0, leg.length, 1.0, "", "TC-MOVE-4", None)
    if surface.ramp is not None:
        plain = plain._replace(what=surface.ramp.kind, clause="TC-TER-7", piece=surface.ramp.id)
    return _ground_on(
        walker.terrain,
        leg,
        walker.radius,
        plain,
        lies=lambda patch: patch.lies_along(surface, leg.length, start_z, end_z),
        slowed=walker.slowed,
    )


def _ground_on(
    terrain: Terrain,
    leg: Leg,
    r: float,
    plain: Sort,
    *,
    lies: Callable[[Patch], tuple[float, float] | None],
    slowed: bool,
) -> list[Sort]:
    """A leg in pieces, plain but for the patches that lie on its ground.

    lies: from which length to which a patch does. slowed: by Difficult.
    """
    half = r if terrain.policy.half_area else None
    slow: list[Sort] = []
    risky: list[tuple[float, float, str]] = []
    for patch in terrain.patches_near(box_of(leg, half or 0.0)):
        there = lies(patch)
        if there is None:
            continue
        for inner, outer in spans_in(patch.plan, leg, half):
            span = max(inner, there[0]), min(outer, there[1])
            if span[1] - span[0] <= SPECK:
                continue
            if patch.factor > 1.0:
                factor = patch.factor if slowed else 1.0
                slow.append(Sort(*span, factor, patch.name, patch.clause, patch.entry))
            if patch.hazard:
                risky.append((*span, patch.name))
    if not slow and not risky:
        return [plain]
    sorts = []
    marks = {0.0, leg.length, *(m for s in slow for m in s[:2]), *(m for s in risky for m in s[:2])}
    for begin, end in pairwise(sorted(m for m in marks if 0.0 <= m <= leg.length)):
        if end - begin <= SPECK:
            continue
        half_way = 0.5 * (begin + end)
        danger = next((s[2] for s in risky if s[0] <= half_way <= s[1]), None)
        found = next((s for s in slow if s.begin <= half_way <= s.end), plain)
        sorts.append(found._replace(begin=begin, end=end, danger=danger))
    return sorts


def _in_way(walker: Walker, leg: Leg, surface: Surface, start_z: float, end_z: float) -> None:
    r, tall, terrain = walker.radius, walker.tall, walker.terrain
    low, high = min(start_z, end_z), max(start_z, end_z)
    solids = terrain.in_way(box_of(leg, r), surface, low, high, tall, r)
    for o, part, before, near in terrain.run_into(solids, leg, r, start_z, end_z, tall):
        depth = r - near.distance
        start = r + o.ground.depth(*leg.start)
        if overlaps(start) and not more_than(depth, start):
            continue
        first = o.ground.first_near(part, r) or 0.0
        if first == before == 0.0 and not overlaps(start):  # it begins touching
            first = o.ground.first_near(part, r - TOLERANCE) or 0.0
        at = walker.length + (before + first) * steepness(leg, end_z - start_z)
        _bump(walker, o, depth, Place(*near.to, low), at)


def _bump(walker: Walker, o: Solid, depth: float, place: Place, at: float) -> None:
    terrain, low = walker.terrain, place.z
    rise, room = terrain.climbed_to(o, place.x, place.y) - low, terrain.headroom(o, low)
    name, clause, measured, limit = terrain.name(o.entry), "TC-TER-7", rise, terrain.step_over(o)
    deep, high = told_apart(depth, 0.0, ".2f"), told_apart(rise, limit)
    ways = "which nobody climbs" if UNCLIMBABLE in o.traits else "to be climbed"
    text = f"The base runs {deep} in into {name}, {high} in high, {ways}."
    if terrain.is_barred(o):
        text = f"The base runs {deep} in into {name}, which is impassable."
        clause, measured, limit = "TC-TER-5", depth, 0.0
    elif room is not None:
        text = f"{name} is too low to go under: {told_apart(room, walker.tall)} in."
        measured, limit = room, walker.tall
    walker.hit(clause, text, place, about=o.entry, measured=measured, limit=limit, travelled=at)


def _stands(walker: Walker, place: Place) -> None:
    """Note what the base would stand in at a place."""
    ramp = None if walker.surface is None else walker.surface.ramp
    found = walker.terrain.overlapped(walker.body.at(*place), on=ramp)
    if found is not None:
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


_CROSSINGS = {"climb": crossings.climb, "drop": crossings.jump_down, "jump": crossings.jump_gap}
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


def fly(state: State, body: Body, path: LegPath) -> Route:
    """The way of a flyer along a path."""
    walker = walker_of(state, body)
    for leg in path:
        if leg.is_turn:
            continue
        if leg.how not in ("walk", "fly"):
            text = f"{body.name} flies; it does not {leg.how}: give its legs heights."
            walker.refuse("TC-FLY-1", text)
            break
        at = walker.place
        end_z = at.z if leg.z is None else leg.z
        shape = leg.shape(at.x, at.y)
        assert shape is not None
        if end_z < -TOLERANCE:
            walker.refuse("TC-FLY-1", f"{body.name} cannot fly below the table.")
            break
        end, arc = Place(*shape.end, end_z), shape.turn if isinstance(shape, Arc) else None
        part = Stretch(at, end, 1.0, "flight", "TC-FLY-1", "fly", arc=arc)
        _obstacles(walker, shape, part)
        walker.add(part)
    _ends(walker)
    return route_of(walker)


def _obstacles(walker: Walker, shape: Leg, part: Stretch) -> None:
    """Solids, floors and impassable pieces that the base would pass through: of what is built in
    parts how deep it comes into any, and where it meets the first."""
    heights, r, tall = walker.terrain, walker.radius, height(walker.body)
    box, met = box_of(shape, r), dict[tuple[str, float], tuple[float, Point, float, bool]]()
    low, high = min(part.start.z, part.end.z), max(part.start.z, part.end.z)
    for o in heights.beside(box, low, tall):
        if not more_than(o.top, low) or not more_than(high + tall, o.bottom):
            continue
        span = _beside(o, part.start.z, part.end.z, tall)
        if span is None:
            continue
        length, ramp = shape.length, heights.entries.get(o.entry)
        if isinstance(ramp, Ramp) and isinstance(shape, Line) and length > 0.0 and low < high:
            depth, along = _past_ramp(ramp, shape, part, r, heights.policy.step)
            place = shape.at(along * length)
        elif length <= 0.0:
            depth, place, along = r + o.ground.depth(*shape.start), shape.start, 0.0
            depth, _ = _in_whole(heights, o, shape, r, (depth, place))
        else:
            depth, place, along = _past(o, shape, r, span)
            if overlaps(depth):  # it meets it where it really is as high
                really = _beside(o, part.start.z, part.end.z, tall, 0.0) or span
                if really != span:
                    span = really
                    depth, place, along = _past(o, shape, r, span)
                sub = shape.part(span[0] * length, span[1] * length)
                depth, place = _in_whole(heights, o, sub, r, (depth, place))
        if not overlaps(depth):
            continue
        barred, known = heights.is_barred(o), met.get((o.entry, o.top))
        if known is not None:
            (depth, place), along = max((depth, place), known[:2]), min(along, known[2])
        met[o.entry, o.top] = depth, place, along, barred
    for (entry, top), (depth, place, along, barred) in met.items():
        walker.hit(
            "TC-TER-5" if barred else "TC-FLY-1",
            f"The base flies {told_apart(depth, 0.0, '.2f')} in into {heights.name(entry)}, "
            f"{top:.4g} in high.",
            Place(*place, part.at(along).z),
            about=entry,
            measured=depth,
            limit=0.0,
            travelled=walker.length + along * part.length,
        )


def _past(o: Solid, shape: Leg, r: float, span: tuple[float, float]) -> tuple[float, Point, float]:
    """How deep a base comes into an obstacle between two shares of a leg, where, and at which share
    it meets it first."""
    sub = shape.part(span[0] * shape.length, span[1] * shape.length)
    if o.ground.clear_of(sub, r):
        return 0.0, sub.start, span[0]
    near = o.ground.nearest_to(sub)
    depth, first = r - near.distance, 0.0
    if overlaps(depth):
        first = o.ground.first_near(sub, r) or 0.0
    return depth, near.to, span[0] + first / shape.length


def _in_whole(
    heights: Terrain, o: Solid, leg: Leg, r: float, known: tuple[float, Point]
) -> tuple[float, Point]:
    """How deep a base comes into all of what a solid was cut from, and where, once its middle is
    in it: where a part ends on another is no edge."""
    if known[0] <= r:
        return known
    whole = heights.storeys.parts.get((o.entry, o.bottom, o.top), [])
    near = deepest_in_rings(leg, whole) if len(whole) > 1 else None
    return (r - near.distance, near.to) if near else known


def _past_ramp(
    ramp: Ramp, shape: Line, part: Stretch, r: float, step: float
) -> tuple[float, float]:
    """How deep a base that rises or sinks on its way comes into what of a ramp is more than a step
    above it, and at which share of the leg it meets that first."""
    (ax, ay, az), (bx, by, bz) = ramp.foot, ramp.head
    run = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / run, (by - ay) / run

    def off(t: float) -> float:
        (x, y), z = shape.at(t * shape.length), part.at(t).z
        along, across = (x - ax) * ux + (y - ay) * uy, (y - ay) * ux - (x - ax) * uy
        above = max(0.0, (z + step - az) / (bz - az) * run)
        beyond = max(0.0, above - along, along - run)
        return math.hypot(beyond, max(0.0, abs(across) - 0.5 * ramp.width))

    # Where any of it is as high: there the distance to it is convex along the leg.
    top = (bz - step - part.start.z) / (part.end.z - part.start.z)
    rises = part.end.z > part.start.z
    begin, end = (0.0, min(1.0, top)) if rises else (max(0.0, top), 1.0)
    if end <= begin:
        return 0.0, 0.0
    least = begin + (end - begin) * lowest(lambda t: off(begin + t * (end - begin)))
    depth, first = r - off(least), begin
    if off(begin) > r:
        while least - first > 1e-12:
            half = 0.5 * (first + least)
            first, least = (half, least) if off(half) > r else (first, half)
    return depth, first


def _beside(
    o: Solid, start_z: float, end_z: float, tall: float, slack: float = TOLERANCE
) -> tuple[float, float] | None:
    """Shares of a leg between which an obstacle is at the height of the body, by more than that."""
    low, high = o.bottom - tall + slack, o.top - slack
    if abs(start_z - end_z) <= TOLERANCE:
        return (0.0, 1.0) if low < start_z < high else None
    return shares_between(start_z, end_z, low, high)


def _ends(walker: Walker) -> None:
    """It ends on the table or on terrain, and not on what is impassable."""
    if not walker.parts or walker.lost:
        return
    x, y, z = walker.place
    body, r = walker.body, radius(walker.body)
    o = barred_under(walker.terrain, walker.place, r)
    if o is not None:
        text = f"{body.name} would end on {walker.terrain.name(o.entry)}, which is impassable."
        depth = r + o.ground.depth(x, y)
        walker.hit("TC-FLY-1", text, about=o.entry, measured=depth, limit=0.0)
        return
    surface = walker.storeys.support(x, y, z, TOLERANCE)
    if surface is None:
        w, d = walker.terrain.table.width, walker.terrain.table.depth
        if not (0.0 <= x <= w and 0.0 <= y <= d) and not more_than(z, 0.0):
            return  # on level ground; TC-MOVE-6 says whether it may be there
        below = walker.storeys.below(x, y, z)
        over = z - (below.height(x, y) if below is not None else 0.0)
        text = f"{body.name} would end {over:.4g} in up in the air."
        walker.hit("TC-FLY-1", text, about=body.id, measured=over, limit=0.0)
        return
    walker.surface = surface
    inside = walker.terrain.overlapped(body.at(x, y, z), on=surface.ramp)
    if inside is not None:
        depth, o = inside
        deep = told_apart(depth, 0.0)
        text = f"{body.name} would end {deep} in inside {walker.terrain.name(o.entry)}."
        walker.hit("TC-FLY-1", text, about=o.entry, measured=depth, limit=0.0)
        return
    if surface.id != TABLE:
        settle(walker)
    last = walker.parts[-1]
    if isinstance(last, Stretch):
        danger = walker.terrain.danger_at(surface, x, y, z, r)
        if danger:
            walker.parts[-1] = replace(last, danger=danger)


def lay(state: State, body: Body, path: LegPath) -> Route:
    """The way a path makes, as far as anything carries the base; FLYING models fly it."""
    if flies(body):
        return fly(state, body, path)
    if not in_space(state, body, path):
        return lay_level(state, body, path)
    walker = walker_of(state, body)
    walker.follow(path)
    settle(walker)
    return route_of(walker)


def lay_level(state: State, body: Body, path: LegPath) -> Route:
    """The way of a path where no height matters: it goes on beyond the edge of the table, and what
    is Impassable is among its `barred_hits`."""
    return over_ground(state, body, Route.read(body, path))


def over_ground(state: State, body: Body, route: Route) -> Route:
    """A route on level ground in parts of one sort of ground."""
    terrain, r = terrain_of(state), radius(body)
    if not terrain.patches_near(route.box(r)):
        return route
    slowed = not body.keyword("NEGATE DIFFICULT TERRAIN")
    parts = [piece for _, part in route.stretches for piece in _split(terrain, part, r, slowed)]
    return Route(route.start, tuple(parts), level=True)


def _split(terrain: Terrain, part: Stretch, r: float, slowed: bool) -> list[Stretch]:
    """A leg on level ground in pieces of one sort of ground."""
    leg = part.leg
    plain = Sort(0.0, leg.length, 1.0, "", "TC-MOVE-4", None)
    sorts = (
        _ground_on(
            terrain,
            leg,
            r,
            plain,
            lies=lambda patch: None if patch.surface else (0.0, leg.length),
            slowed=slowed,
        )
        if leg.length > 0.0
        else [plain]
    )
    if sorts == [plain]:
        return [part]
    pieces: list[Stretch] = []
    begin = 0.0
    for sort, end in zip(sorts, (*(s.begin for s in sorts[1:]), leg.length), strict=True):
        piece = leg.part(begin, end)
        arc = piece.turn if isinstance(piece, Arc) else None
        first = pieces[-1].end if pieces else part.start
        last = part.end if end == leg.length else Place(*piece.end, part.end.z)
        _, _, factor, what, clause, about, danger = sort
        pieces.append(
            Stretch(
                first, last, factor, what, clause,
                piece=about, arc=arc, danger=danger, given=part.given,
            )
        )  # fmt: skip
        begin = end
    return pieces


def enters_danger(state: State, body: Body, way: Route) -> tuple[float, str] | None:
    """Where a way first goes into Dangerous ground, and the name of that; being in it is no
    entry."""
    if not any(part.danger is not None for part in way.parts):
        return None
    terrain, (x, y, _) = terrain_of(state), way.start
    if way.level:
        return first_danger(way, bool(terrain.danger_at(None, x, y, 0.0, radius(body))))
    return first_danger(way, bool(terrain.danger_under(body.at(*way.start))))


def first_danger(way: Route, inside: bool) -> tuple[float, str] | None:
    """Where a way first goes into Dangerous ground, and the name of that. inside: whether it begins
    in some."""
    for before, part in way.marked:
        if part.danger is not None and not inside:
            return before, part.danger
        inside = part.danger is not None
    return None


def barred_hits(state: State, body: Body, route: Route) -> Iterator[Hit]:
    """What a base is driven into on level ground: of each piece how deep at worst, and first."""
    terrain, r, tall = terrain_of(state), radius(body), height(body)
    found: dict[str, tuple[float, float, Point]] = {}
    for solid in terrain.near(route.box(r)) if route.length > 0.0 else ():
        if not terrain.stops(solid, 0.0, 0.0, tall):
            continue
        for before, part in route.stretches:
            near = solid.ground.nearest_to(part.leg)
            depth = r - near.distance
            if not overlaps(depth):
                continue
            first = solid.ground.first_near(part.leg, r)
            if first == 0.0 and not overlaps(r + solid.ground.depth(*part.leg.start)):
                first = solid.ground.first_near(part.leg, r - TOLERANCE)
            s = before + (near.travelled if first is None else first)
            worst, least, _ = found.get(solid.entry, (0.0, math.inf, near.to))
            if depth > worst or s < least:
                found[solid.entry] = max(depth, worst), min(s, least), near.to
    for entry, (depth, s, place) in found.items():
        deep = told_apart(depth, 0.0, ".2f")
        text = f"The base runs {deep} in into {terrain.name(entry)}, which is impassable."
        yield Hit("TC-TER-5", text, Place(*place, 0.0), s, entry, depth, 0.0)


def last_stop(state: State, mover: Body, way: Route, s: float) -> float:
    """The last length up to s at which the base can stop: more than half carried, on no friend, in
    nothing that it stepped down beside, and a flyer on nothing Impassable; 0 where it began."""
    friends = [base_of(state, mover, friend) for friend in state.friends(mover)]
    terrain, r = terrain_of(state), radius(mover)
    while True:
        s = stops.last_stop(terrain, way, s, r, friends)
        onto = (
            _came_over(terrain, way, s, r) if flies(mover) else _came_into(terrain, mover, way, s)
        )
        if onto is None:
            return s
        s = onto


def keeps_to_table(state: State, mover: Body, way: Route) -> bool:
    """Whether a way stays on the table, or the model may leave it."""
    half = state.option("edge_overhang") == "under_half"
    return may_leave_table(mover) or leaves_table(state.table, way, radius(mover), half) is None


def barred_under(terrain: Terrain, place: Place, r: float) -> Solid | None:
    """What is Impassable and has its top where a base is, under it."""
    x, y, z = place
    for o in terrain.near((x - r, y - r, x + r, y + r)):
        level = abs(z - o.top) <= TOLERANCE
        if level and terrain.is_barred(o) and overlaps(r + o.ground.depth(x, y)):
            return o
    return None


def _came_over(terrain: Terrain, way: Route, s: float, r: float) -> float | None:
    """Where a flyer came over what is Impassable that it is on at s; None if it is on none."""
    o = barred_under(terrain, way.place(s), r) if s > 0.0 else None
    if o is None:
        return None
    before, part = [(b, p) for b, p in way.marked if b < s][-1]
    if not isinstance(part, Stretch) or part.leg.length <= 0.0:
        return before
    whole, here = part.leg.length, (s - before) / part.length
    begins = [a / whole for a, _ in o.ground.spans_near(part.leg, r) if a / whole < here]
    return before + part.length * max(begins, default=0.0)


def _came_into(terrain: Terrain, mover: Body, way: Route, s: float) -> float | None:
    """Just before a model stepped down to where it is in something at s; None if in nothing."""
    place = way.place(s)
    here = terrain.storeys.support(*place, TOLERANCE) if s > 0.0 and not way.level else None
    if here is None or terrain.overlapped(mover.at(*place), on=here.ramp) is None:
        return None
    return just_before(max(before for before, _ in way.marked if before < s))


def is_held(state: State, mover: Body, place: Place) -> bool:
    """Whether more than half of the base is carried at a place."""
    return stops.is_held(terrain_of(state), place, radius(mover))
