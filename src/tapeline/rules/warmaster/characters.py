"""WM-CHAR: Generals, Heroes and Wizards; how they move, join, give way and are caught."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved, Removed
from tapeline.engine.limits import TOLERANCE, affords, more_than, overlaps, within
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.discs.contacts import Contact, Things, contacts
from tapeline.geometry.plane.distance import Ring, sides_of
from tapeline.geometry.plane.grid import Box, boxes_meet
from tapeline.geometry.plane.legs import Arc, Line, Path
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Rect,
    Region,
    nearest_point,
    region_of_circle,
    separation,
)
from tapeline.ranks.bases import Point, box_about, rect_of, shape_of
from tapeline.rules.warmaster.actions import MoveCharacter
from tapeline.rules.warmaster.figures import (
    BOOK,
    CHARACTER_SHIFT_CM,
    flies,
    full_pace,
    is_character,
    mask_of,
)
from tapeline.rules.warmaster.state import (
    CHARACTERS,
    UnitContext,
    called,
    characters,
    cm,
    company_of,
    distance_to,
    enemy_units,
    kept_of_places,
    on_the_table,
    rects_of,
    stands_of,
    stands_on_table,
    unit_joined,
    unit_of,
    units_on_table,
)
from tapeline.rules.warmaster.table_edge import general_lost
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks
from tapeline.travel.landing import Borders

__all__ = ["do_move_character", "end_of", "go_along", "make_way", "off_stands", "settled"]

Move = UnitContext[MoveCharacter]


def _path(body: Body, legs: Iterable[Leg]) -> tuple[Path, Point]:
    """The path of a character's centre, and where it ends."""
    at, shapes = body.centre, list[Line | Arc]()
    for leg in legs:
        shape = leg.shape(*at)
        if shape is not None:
            shapes.append(shape)
            at = shape.end
    return Path(tuple(shapes)), at


@dataclass(frozen=True, slots=True)
class CharacterMove:
    """A character's move: the path of its centre, where it ends, what it runs into: id, name,
    where it first meets it and how far along the path."""

    path: Path
    end: Point
    length: float
    stopped: tuple[tuple[str, str, Point, float], ...]


def _way(state: State, action: MoveCharacter) -> CharacterMove:
    body = state.body(action.actor)
    path, end = _path(body, action.path)
    things, solids, posts = _things(state, body)
    found = []
    reach = body.base.reach
    barring = contacts(things, path, reach, TOLERANCE) if path.legs else []
    touching = {(c.kind, c.which): c for c in contacts(things, path, reach)} if barring else {}
    for contact in barring:
        gone = _met(contact, touching.get((contact.kind, contact.which)))
        x, y = path.at(gone)
        if contact.kind == "edge":
            place = (contact.to[0], y) if contact.which in ("left", "right") else (x, contact.to[1])
            found.append(("", f"the {contact.which} edge", place, gone))
        elif isinstance(contact.which, int):
            met = (posts if contact.kind == "post" else solids)[contact.which]
            place = nearest_point(met.shape, (x, y))[1]
            found.append((met.id, met.name, place, gone))
    return CharacterMove(path, end, path.length, tuple(found))


#: From touching a thing to being as deep in it as bars takes no more of a path than this, cm, but
#: where the base slides along it: at most the square root of 8 r t, r the radii together.
_INTO = 0.01


def _met(barring: Contact, touching: Contact | None) -> float:
    """How far along a path a base comes to what bars it. touching: the same without tolerance."""
    deep = barring.first
    starts = (a for a, b in touching.spans if a <= deep <= b) if touching is not None else ()
    return next((a for a in starts if deep - a <= _INTO), deep)


def end_of(state: State, action: MoveCharacter) -> Point:
    """Where a character's move ends."""
    return _path(state.body(action.actor), action.path)[1]


class _Bar(NamedTuple):
    """What bars a character."""

    id: str
    name: str
    shape: Rect | Region


#: What bars a character: all of it, each solid, each post.
_Barring = tuple[Things, list[_Bar], list[_Bar]]


def _things(state: State, body: Body) -> _Barring:
    """What bars a character; the same for all of a side that go over the same ground."""
    enemies = () if flies([body]) else enemy_units(state, body.side)
    return _laid(state, "" if flies([body]) else mask_of(body), *enemies)


@kept_of_places
def _laid(state: State, mask: str, *enemies: Unit) -> _Barring:
    barred = ground_of(state).barred(mask) if mask else []
    rings, solids = list[Ring](), list[_Bar]()
    rounds, posts = list[tuple[float, float, float]](), list[_Bar]()
    for feature in barred:
        bar = _Bar(feature.id, feature.name, feature.region)
        rings += feature.region.outlines
        solids += [bar] * len(feature.region.outlines)
        for part in feature.region.parts:
            if len(part.loop) == 2:
                rounds.append((part.loop[0], part.loop[1], part.radius))
                posts.append(bar)
    for unit in enemies:
        for stand in stands_of(state, unit):
            rings.append(rect_of(stand).loop)
            solids.append(_Bar(stand.id, called(state, stand.id), rect_of(stand)))
    return Things.of(state.table.width, state.table.depth, rings, rounds), solids, posts


@BOOK.clause("WM-CHAR-1", src="seed", bars=MoveCharacter, at=Moment.DECLARE)
def in_their_own_step(ask: Move) -> Iterator[Finding]:
    """Characters move in the last step of the Command phase, once units have moved."""
    actor, state = ask.mover, ask.state
    if not is_character(actor):
        yield Finding(f"{actor.name} is no character.", about=actor.id)
    if actor.side != state.turn.active:
        yield Finding(f"{actor.name} is not of the side whose turn it is.", about=actor.id)
    if state.turn.phase != CHARACTERS:
        yield Finding(f"Characters move later: it is {state.turn.phase}.", about=actor.id)


@BOOK.clause("WM-CHAR-4", src="seed", bars=MoveCharacter, at=Moment.PATH)
def one_move_of_full_pace(ask: Move) -> Iterator[Finding]:
    """A character makes one move of up to 60 cm, 100 if it flies."""
    actor = ask.mover
    # What bars one that came back is WM-OFF-7.
    if actor.has("moved") and not actor.has("no_move"):
        yield Finding(f"{actor.name} has no move left this turn.", about=actor.id)
    for number, leg in enumerate(ask.subject.path, 1):
        if not on_the_table(leg):
            text = f"Leg {number} of {actor.name} is no way on the table."
            yield Finding(text, about=actor.id)
    length, limit = ask.measure(_way).length, full_pace(actor)
    if not affords(length, limit):
        text = f"The path is {cm(length, limit)} long; {limit:g} are allowed."
        yield Finding(text, length, limit, about=actor.id)


@BOOK.clause("WM-CHAR-6", src="seed", bars=MoveCharacter, at=Moment.PATH)
def over_ground_as_infantry(ask: Move) -> Iterator[Finding]:
    """A character goes over terrain as infantry, unless its mount says otherwise or it flies."""
    pieces = {piece.id for piece in ask.state.table.pieces}
    for name, words, place, gone in ask.measure(_way).stopped:
        if name in pieces:
            text = f"{words} is barred to {ask.mover.name}."
            yield Finding(text, place=place, about=name, travelled=gone)
        elif not name:
            yield Finding(f"{ask.mover.name} goes over {words}.", place=place, travelled=gone)


@BOOK.clause("WM-CHAR-8", src="seed", bars=MoveCharacter, at=Moment.PATH)
def through_friends_not_enemies(ask: Move) -> Iterator[Finding]:
    """Characters pass through units of their side; enemy stands stop them."""
    way = ask.measure(_way)
    for name, words, place, gone in way.stopped:
        if name in ask.state.bodies:
            text = f"{words} of the enemy is in the way."
            yield Finding(text, place=place, about=name, travelled=gone)
    actor = ask.mover
    if flies([actor]):
        shape = shape_of(actor.at(*way.end))
        for unit in enemy_units(ask.state, actor.side):
            for stand in stands_of(ask.state, unit):
                depth = separation(shape, rect_of(stand)).depth
                if overlaps(depth):
                    over = called(ask.state, stand.id)
                    text = f"{actor.name} ends {cm(depth)} over {over} of the enemy."
                    yield Finding(text, depth, 0.0, way.end, stand.id)


@BOOK.clause("WM-CHAR-10", src="public", bars=MoveCharacter, at=Moment.END)
def joining_needs_a_touch(ask: Move) -> Iterator[Finding]:
    """A character joins a unit of its side by touching it at the end of its own move; one in the
    way of a unit gives way, one that enemies touch must reach friends within 30 cm or is slain."""
    name = ask.subject.join
    if name is None:
        return
    unit = unit_of(ask.state, name)
    if unit.side != ask.mover.side or not stands_of(ask.state, unit):
        yield Finding(f"{unit.name} is no unit of this side on the table.", about=name)
        return
    if stands_of(ask.state, unit)[0].keyword("no_character"):
        yield Finding(f"{unit.name} takes no characters.", about=name)
    gap = distance_to(ask.state, ask.mover.at(*ask.measure(_way).end), unit)
    if more_than(gap, 0.0):
        yield Finding(f"{ask.mover.name} ends {cm(gap)} from {unit.name}.", gap, 0.0, about=name)


BOOK.resolves_each("""
WM-CHAR-2 (seed) Characters never move along with a unit in the Command phase.
WM-CHAR-3 (seed) When units are moved in other phases, characters that have joined go with them.
WM-CHAR-5 (seed) A character moves at full pace.
WM-CHAR-7 (seed) A character needs no test in order to move.
WM-CHAR-9 (seed) Both sides see past characters.
""")


def _passed(state: State, body: Body, way: CharacterMove) -> Iterator[str]:
    """Clauses about what a character went over, or might have in a move of that length."""
    if flies([body]):
        yield "WM-FLY-4"
    shape, far = shape_of(body), way.length
    ground = ground_of(state).near(box_about(shape, far + TOLERANCE))
    if any(within(separation(shape, feature.region).gap, far) for feature in ground):
        yield "WM-CHAR-6"
    for unit in units_on_table(state):
        if within(distance_to(state, body, unit), far):
            yield "WM-CHAR-8"


def do_move_character(run: Run, action: MoveCharacter) -> None:
    """Move a character, and let it join a unit."""
    body = run.state.body(action.actor)
    way: CharacterMove = UnitContext(run.state, action, run).measure(_way)
    run.cite("WM-CHAR-1", "WM-CHAR-4", "WM-CHAR-5", "WM-CHAR-7", *_passed(run.state, body, way))
    if action.path:
        run.emit(Moved(body.id, *way.end, body.z, body.facing, action.path, "WM-CHAR-4"))
    run.pay("path", way.length, 1.0, way.length, "WM-CHAR-4")
    run.emit(Marked(body.id, Marks({"moved": True, "joined": action.join}), "WM-CHAR-10"))


# Giving way


def make_way(run: Run, unit: Unit, over: Callable[[Region], bool] | None = None) -> Procedure:
    """After a unit has moved: its side's characters that it stands on are shifted by the least
    distance; lone enemy characters that it touches, or has touched on its way, flee to friends
    within 30 cm or are slain.

    over: whether its stands have passed over some ground; none if it flew.
    """
    rects = rects_of(run.state, unit)
    for body in list(characters(run.state)):
        shape = shape_of(body)
        if body.side == unit.side:
            if any(overlaps(separation(shape, rect).depth) for rect in rects):
                yield from off_stands(run, body)
        elif unit_joined(run.state, body) is None and (
            any(within(separation(shape, rect).gap, 0.0) for rect in rects)
            or (over is not None and over(_reached(body)))
        ):
            yield from _caught(run, body)


def off_stands(
    run: Run, body: Body, wanted: Point | None = None, clause: str = "WM-CHAR-10"
) -> Procedure:
    """Shift a character to the free place nearest to one that is wanted, to where it stands unless
    that is said: off the stands that it is on, if it is on any."""
    to = yield from settled(run, body, wanted or body.centre)
    if math.dist(to, body.centre) > TOLERANCE:
        run.emit(Moved(body.id, *to, body.z, body.facing, (Leg(to=to),), clause))


def _reached(body: Body) -> Region:
    """The ground that a stand gets deeper into than the tolerance when it touches a character."""
    return region_of_circle(body.x, body.y, body.base.reach + 2.0 * TOLERANCE)


def go_along(run: Run, unit: str) -> Procedure:
    """Characters that have joined a unit go with it: each keeps its place beside the stand that it
    was nearest to as the action began, or the nearest free place."""
    before = unit_of(run.start, unit)
    for body in company_of(run.state, before):
        stand = min(
            stands_of(run.start, before), key=lambda s: nearest_point(rect_of(s), body.centre)[0]
        )
        ahead, left = rect_of(stand).local(body.centre)
        wanted = rect_of(run.state.bodies[stand.id]).world(ahead, left)
        yield from off_stands(run, body, wanted, "WM-CHAR-3")


def _caught(run: Run, body: Body) -> Procedure:
    gaps = {
        unit.id: distance_to(run.state, body, unit)
        for unit in units_on_table(run.state)
        if unit.side == body.side and not stands_of(run.state, unit)[0].keyword("no_character")
    }
    least = min(gaps.values(), default=math.inf)
    if not within(least, CHARACTER_SHIFT_CM):
        run.emit(Marked(body.id, Marks({"slain": True}), "WM-CHAR-10"))
        run.emit(Removed(body.id, "slain", "WM-CHAR-10"))
        run.happened("slain", f"{body.name} is slain.", "WM-CHAR-10", about=body.id, outcome=True)
        general_lost(run, body)
        return
    nearest = [unit_of(run.state, name) for name, gap in gaps.items() if within(gap, least)]
    unit = nearest[0]
    if len(nearest) > 1:
        options = {each.id: each.name for each in nearest}
        unit = unit_of(run.state, (yield from _owner(run, body, "to which unit?", options)))
    to = yield from settled(run, body, body.centre, unit)
    run.emit(Moved(body.id, *to, body.z, body.facing, (Leg(to=to),), "WM-CHAR-10"))
    run.emit(Marked(body.id, Marks({"joined": unit.id}), "WM-CHAR-10"))


def settled(
    run: Run, body: Body, wanted: Point, beside: Unit | None = None
) -> Generator[Ask, Answer, Point]:
    """The free place for a character nearest to the one wanted, beside a unit if one is named; of
    several its owner chooses (WM-CHAR-10). Those are named by where they lie from the place
    wanted."""
    places = nearest_free(run.state, body, wanted, beside)
    if len(places) == 1:
        return places[0]
    named: dict[str, Point] = {}
    for x, y in places:
        name = _COMPASS[round(math.atan2(y - wanted[1], x - wanted[0]) / (0.25 * math.pi)) % 8]
        while name in named:
            name += "+"
        named[name] = (x, y)
    options = {name: f"{name}, to ({x:.4g}, {y:.4g})" for name, (x, y) in named.items()}
    return named[(yield from _owner(run, body, "which way does it give?", options))]


#: Names of directions on the table, from east by eighths of a turn.
_COMPASS = ("right", "up-right", "up", "up-left", "left", "down-left", "down", "down-right")


def _owner(
    run: Run, body: Body, what: str, options: Mapping[str, str]
) -> Generator[Ask, Answer, str]:
    """What the owner of a character chooses."""
    asked, first = f"{body.name} gives way: {what}", next(iter(options))
    chosen = yield from run.pick(
        body.side, asked, "WM-CHAR-10", options, default=first, about=body.id
    )
    return str(chosen)


def nearest_free(
    state: State, body: Body, wanted: Point, beside: Unit | None = None
) -> list[Point]:
    """The places nearest to a wanted one where a character stands on no stand, on the table and on
    no ground that is barred to it, beside a unit if one is named and has room; the wanted one, on
    the table, if there are none.

    Places beside one thing, or between two, the edge of the table among them: the least distance
    is at one of them.
    """
    r = body.base.reach
    width, depth = state.table.width, state.table.depth
    table = (0.0, 0.0, width, depth)
    friends = [
        (Part(rect.loop), box_about(rect)) for rect in (rects_of(state, beside) if beside else ())
    ]
    things = [(Part(rect.loop), box_about(rect)) for _, rect in stands_on_table(state)]
    for feature in ground_of(state).closed_to(body):
        things += [(part, box_about(feature.region)) for part in feature.region.parts]

    def off(thing: Part, x: float, y: float) -> float:
        return nearest_point(Region((thing,), table), (x, y))[0]

    def near(some: Iterable[tuple[Part, Box]], x: float, y: float) -> Iterator[float]:
        """How far off things are that may be as near to a place as the base reaches."""
        at = x, y, x, y
        return (off(thing, x, y) for thing, box in some if boxes_meet(at, box, r + TOLERANCE))

    def free(x: float, y: float) -> bool:
        if not (r - TOLERANCE <= x <= width - r + TOLERANCE):
            return False
        if not (r - TOLERANCE <= y <= depth - r + TOLERANCE):
            return False
        if friends and min(near(friends, x, y), default=math.inf) > r + 0.5 * TOLERANCE:
            return False
        return all(gap >= r - 0.5 * TOLERANCE for gap in near(things, x, y))

    x, y = wanted
    if free(x, y):
        return [wanted]
    # Who touches a friend and something besides touches what is no farther from it than a base.
    beside_it = [box for _, box in friends]
    bounding = [
        thing
        for thing, box in things
        if not friends or any(boxes_meet(box, it, 2.0 * r + TOLERANCE) for it in beside_it)
    ]
    bounding.sort(key=lambda thing: off(thing, x, y))
    borders = Borders(r)
    around = Rect(0.5 * width, 0.5 * depth, 0.0, depth - 2.0 * r, width - 2.0 * r)
    borders.segments += sides_of(around.loop)
    for thing in (*(friend for friend, _ in friends), *bounding):
        # The side after its first corner comes first, of places as near too.
        borders.add_ring((*thing.loop[2:], *thing.loop[:2]), r + thing.radius)

    def by_distance(places: Iterable[Point]) -> list[tuple[float, int, Point]]:
        return sorted((math.dist(p, (x, y)), i, p) for i, p in enumerate(places))

    # Borders that come no nearer than a place that is free need not be looked at.
    alone = (far for far, _, place in by_distance(borders.alone(x, y)) if free(*place))
    room, least = next(alone, 4.0 * r) + TOLERANCE, math.inf
    found: list[tuple[float, int, Point]] = []
    while not found and room <= 2.0 * (width + depth):
        for far, number, place in by_distance(borders.near(x, y, room).places(x, y)):
            # The nearest first: beyond one that is free nobody need be asked about room.
            if not within(far, min(least, room)):
                break
            if free(*place):
                found.append((far, number, place))
                least = min(least, far)
        room *= 2.0
    if beside is not None and not found:
        return nearest_free(state, body, wanted)
    # Of places so close together that the tolerance cannot tell which is nearer the nearest counts.
    close = TOLERANCE + 2.0 * math.sqrt(2.0 * TOLERANCE * min(least, width + depth))
    kept: list[Point] = []
    for far, _, place in sorted(found, key=lambda one: (one[0], one[2])):
        if within(far, least) and all(math.dist(place, known) > close for known in kept):
            kept.append(place)
    found.sort(key=lambda one: one[1])
    free_places = [place for place in dict.fromkeys(place for *_, place in found) if place in kept]
    on_table = min(max(x, r), width - r), min(max(y, r), depth - r)
    return free_places or [on_table]
