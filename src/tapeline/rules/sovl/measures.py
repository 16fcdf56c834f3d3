"""What an Advance or a Pivot would do and what ground takes, worked out once for all clauses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, within
from tapeline.engine.state import State
from tapeline.ranks.bases import Point
from tapeline.rules.sovl.actions import Advance, Pivot
from tapeline.rules.sovl.figures import DIFFICULT_LOSS_IN, PIVOT_DEG, PIVOT_ORDER_MOST_DEG
from tapeline.rules.sovl.footprint import (
    Footprint,
    Span,
    Thing,
    beyond_border,
    clash_turning,
    contact_ahead,
    difficult_ground,
    facing_vector,
    footprint_of,
    impassable_ground,
    is_over,
    overlap,
    place_of_contact,
    runs_to_borders,
    spans_ahead,
    spans_turning,
    swing_over_border,
    turned,
    units_near,
)
from tapeline.rules.sovl.profiles import flies, type_of
from tapeline.rules.sovl.state import allowance
from tapeline.table.bodies import Body

__all__ = [
    "AdvanceMeasure",
    "PivotMeasure",
    "Stop",
    "Toll",
    "advance_measure",
    "may_be_ordered",
    "measure_advance",
    "measure_pivot",
    "off_course",
    "order_measure",
    "pivot_measure",
    "pivots_in",
    "start_loss",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry into Difficult Terrain: where on the way, and the allowance left there.

    at: inches or degrees along the order.
    """

    thing: Thing
    at: float
    left: float


@dataclass(frozen=True, slots=True)
class Toll:
    """What the ground takes on one order. loss: inches. free: a Scout pays nothing."""

    entries: tuple[Entry, ...] = ()
    banned: tuple[Entry, ...] = ()
    loss: float = 0.0
    free: bool = False

    @property
    def bars(self) -> tuple[Entry, ...]:
        """The entries that may not be made: to a Scout all are open."""
        return () if self.free else self.banned


NO_TOLL = Toll()


def untaxed(body: Body) -> bool:
    """Whether Difficult Terrain takes nothing from it (SV-PROP-2, SV-PROP-3)."""
    return body.keyword("Scout") or flies(body)


def start_loss(state: State, body: Body) -> tuple[float, Thing | None]:
    """What starting where it stands costs, inches, and the ground it starts in (SV-TER-2)."""
    if flies(body):
        return 0.0, None
    block = footprint_of(body)
    for thing in difficult_ground(state.table, block, 0.0):
        if is_over(block, thing):
            return (0.0 if untaxed(body) else DIFFICULT_LOSS_IN), thing
    return 0.0, None


def toll_of(
    state: State,
    body: Body,
    spans: Sequence[tuple[Thing, Sequence[Span]]],
    end: float,
    left_at: Callable[[float], float],
) -> Toll:
    """What the entries of one order take, in the order they come (SV-TER-3, SV-TER-4).

    spans: for each Difficult piece the parts of the order, from -inf where the unit stands in it
    just before, on which the unit overlaps it. end: how far the order goes. left_at: allowance
    left there but for what the entries of this order took.
    """
    if not spans:
        return NO_TOLL
    free = untaxed(body)
    coming = sorted(
        (
            (max(0.0, span[0]), index, thing)
            for index, (thing, parts) in enumerate(spans)
            for span in parts
            if span[0] > -math.inf and more_than(end, span[0])
        ),
        key=lambda item: item[:2],
    )
    reading = state.option("terrain.penalty")
    paid = "lost" in state.progress
    loss = 0.0
    entries: list[Entry] = []
    banned: list[Entry] = []
    for at, _, thing in coming:
        if reading == "once" and (paid or entries):
            continue
        if reading == "out_to_in" and _inside(spans, entries, at):
            continue
        left = left_at(at) - loss
        if more_than(0.0, left):
            break
        entry = Entry(thing, at, left)
        if closer_than(left, DIFFICULT_LOSS_IN):
            banned.append(entry)
            if not free:
                continue
        entries.append(entry)
        if not free:
            loss += DIFFICULT_LOSS_IN
    return Toll(tuple(entries), tuple(banned), loss, free)


def _inside(
    spans: Iterable[tuple[Thing, Sequence[Span]]], entries: Sequence[Entry], at: float
) -> bool:
    """Whether the unit stands in Difficult Terrain just before a point of its way.

    What it leaves at that very point it has left: there it is clear, if only for an instant.
    """
    if entries and not more_than(at, entries[-1].at):
        return True
    return any(
        more_than(at, start) and more_than(stop, at) for _, parts in spans for start, stop in parts
    )


@dataclass(frozen=True, slots=True)
class Stop:
    """What an Advance runs into: a unit, impassable ground, or a border of the table.

    at: inches from the start. edge: the border, where it is one.
    """

    at: float
    place: Point
    thing: Thing | None = None
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Clash:
    """What a pose overlaps, how deep (inches) and where.

    turned: of a turn, for depth, after how many degrees it comes over it.
    """

    thing: Thing
    depth: float
    place: Point
    turned: float | None = None

    def figures(self, by: float) -> tuple[float, float]:
        """Measured and limit: inches within it, or degrees ordered and those up to it."""
        return (self.depth, 0.0) if self.turned is None else (abs(by), self.turned)


@dataclass(frozen=True, slots=True)
class AdvanceMeasure:
    """An Advance as far as it would really go.

    moved: inches. block: inches to the first stop, inf if there is none. stops: what is met
    there. near: all that might have been met. landing: impassable ground under a flyer's end pose.
    left: allowance before the order.
    """

    start: Footprint
    moved: float
    block: float
    stops: tuple[Stop, ...]
    near: tuple[Thing, ...]
    toll: Toll
    landing: tuple[Clash, ...]
    spans: tuple[tuple[Thing, tuple[Span, ...]], ...]
    left: float

    @property
    def cost(self) -> float:
        """Inches of allowance, ground included."""
        return self.moved + self.toll.loss

    def place_at(self, at: float) -> Point:
        """Where the front centre is after that many inches."""
        return self.start.front_after(at)


@dataclass(frozen=True, slots=True)
class PivotMeasure:
    """A Pivot order. pivots: how many; price: inches. clashes: what it may not overlap.

    beyond: borders left, with inches and place. landing: as for an Advance.
    swept: whether every pose of the turn counts, not the end pose alone.
    """

    start: Footprint
    end: Footprint
    by: float
    swept: bool
    pivots: int
    price: float
    clashes: tuple[Clash, ...]
    beyond: tuple[tuple[str, float, Point], ...]
    toll: Toll
    landing: tuple[Clash, ...]
    left: float

    @property
    def cost(self) -> float:
        """Inches of allowance, ground included."""
        return self.price + self.toll.loss

    def place_at(self, at: float) -> Point:
        """Where the front centre is after that many degrees."""
        return turned(self.start, math.copysign(at, self.by)).front_after(0.0)


def advance_measure(state: State, action: Advance) -> AdvanceMeasure | None:
    """The measure of an Advance, whichever way it is ordered; None without one (SV-ADV-1)."""
    body = state.body(action.actor)
    off = off_course(body, action)
    if not action.distance > 0.0 or off == math.inf:
        return None
    aside = None if within(off, 0.0) else action.direction
    return measure_advance(state, body, action.distance, aside)


def off_course(body: Body, action: Advance) -> float:
    """By how many degrees the direction ordered differs from the facing."""
    if action.direction is None:
        return 0.0
    if not math.isfinite(action.direction):
        return math.inf
    return abs(math.remainder(action.direction - body.facing, 360.0))


def measure_advance(
    state: State, body: Body, distance: float, direction: float | None = None
) -> AdvanceMeasure:
    """How far an Advance of that many inches goes, and what it meets and pays.

    direction: degrees, where it is not the facing.
    """
    block = footprint_of(body)
    if direction is not None:
        block = replace(block, course=facing_vector(direction))
    graze = state.option("contact.graze") == "stop"
    flying = flies(body)
    things: list[tuple[float, Thing]] = []
    borders = runs_to_borders(block, state.table)
    nearest = min((at for _, at, _ in borders), default=math.inf)
    look = min(distance, nearest)
    ahead = units_near(state, body.id, block, look)
    if not flying:
        ahead.extend(impassable_ground(state.table, block, look))
    for thing in ahead:
        at = contact_ahead(block, thing, look, graze)
        if at is not None and at <= nearest + TOLERANCE:
            things.append((at, thing))
            nearest = min(nearest, at)
            look = min(look, nearest)
    moved = min(distance, nearest)
    stops = [
        Stop(at, place_of_contact(block, thing, at, graze), thing)
        for at, thing in things
        if within(at, moved) and at <= nearest + TOLERANCE
    ]
    stops.extend(
        Stop(at, place, edge=edge)
        for edge, at, place in borders
        if within(at, moved) and at <= nearest + TOLERANCE
    )
    left = allowance(state)
    spans: tuple[tuple[Thing, tuple[Span, ...]], ...] = ()
    toll = NO_TOLL
    landing: tuple[Clash, ...] = ()
    if flying:
        landing = _landing(state, block.ahead(moved))
    else:
        spans = tuple(
            (thing, parts)
            for thing in difficult_ground(state.table, block, moved)
            if (parts := spans_ahead(block, thing, moved))
        )
        toll = toll_of(state, body, spans, moved, lambda at: left - at)
    near = tuple(ahead)
    return AdvanceMeasure(block, moved, nearest, tuple(stops), near, toll, landing, spans, left)


def _landing(state: State, end: Footprint) -> tuple[Clash, ...]:
    return tuple(
        Clash(thing, *found)
        for thing in impassable_ground(state.table, end, 0.0)
        if (found := overlap(end, thing)) is not None
    )


def pivots_in(by: float) -> int:
    """How many pivots an order of that many degrees is worth (SV-PIV-2).

    >>> [pivots_in(by) for by in (10, 45, 45.0000005, 45.1, -180)]
    [1, 1, 1, 2, 4]
    """
    return max(1, math.ceil((abs(by) - TOLERANCE) / PIVOT_DEG))


def pivot_measure(state: State, action: Pivot) -> PivotMeasure | None:
    """The measure of a turn, whatever point it is ordered about; None if it is no order
    (SV-PIV-1, SV-PIV-2)."""
    body, about = state.body(action.actor), action.about
    if not may_be_ordered(action.by) or not (about is None or all(map(math.isfinite, about))):
        return None
    aside = about is not None and not within(math.dist(about, body.centre), 0.0)
    return measure_pivot(state, body, action.by, about if aside else None)


def may_be_ordered(by: float) -> bool:
    """Whether a Pivot order may turn by that many degrees (SV-PIV-2)."""
    return 0.0 < abs(by) <= PIVOT_ORDER_MOST_DEG + TOLERANCE


def measure_pivot(state: State, body: Body, by: float, about: Point | None = None) -> PivotMeasure:
    """What a turn of that many degrees overlaps and pays. about: where it is not the centre."""
    start = footprint_of(body)
    if about is not None:
        start = replace(start, hub=about)
    end = turned(start, by)
    swept = state.option("pivot.check") == "swept"
    flying = flies(body)
    price = pivots_in(by) * type_of(body).pivot_cost
    near = units_near(state, body.id, end, 0.0, all_round=swept)
    near.extend(impassable_ground(state.table, end, 0.0, all_round=swept))
    clashes: list[Clash] = []
    for thing in near:
        if swept and not (flying and not thing.is_unit):
            met = clash_turning(start, by, thing)
            if met is not None:
                clashes.append(Clash(thing, 0.0, met[1], met[0]))
        elif (found := overlap(end, thing)) is not None:
            clashes.append(Clash(thing, *found))
    beyond = tuple(
        swing_over_border(start, by, state.table) if swept else beyond_border(end, state.table)
    )
    left = allowance(state)
    toll = NO_TOLL
    landing = tuple(c for c in clashes if not c.thing.is_unit) if flying else ()
    if not flying:
        # Only one reading asks in what else the unit stood before the turn.
        around = swept or state.option("terrain.penalty") == "out_to_in"
        spans = [
            (thing, parts)
            for thing in difficult_ground(state.table, end, 0.0, all_round=around)
            if (parts := _spans_of_turn(start, end, by, thing, swept))
        ]
        toll = toll_of(state, body, spans, math.inf, lambda at: left - price)
    return PivotMeasure(
        start,
        end,
        by,
        swept,
        pivots_in(by),
        price,
        tuple(clashes),
        beyond,
        toll,
        landing,
        left,
    )


def _spans_of_turn(
    start: Footprint, end: Footprint, by: float, thing: Thing, swept: bool
) -> tuple[Span, ...]:
    """The overlaps of a Pivot: of every pose, or of the old pose and the end pose alone."""
    if swept:
        return spans_turning(start, by, thing)
    if is_over(start, thing):
        return ((-math.inf, math.inf),)
    return ((abs(by), math.inf),) if is_over(end, thing) else ()


def order_measure(state: State, action: Advance | Pivot) -> AdvanceMeasure | PivotMeasure | None:
    """The measure of either manoeuvre."""
    if isinstance(action, Advance):
        return advance_measure(state, action)
    return pivot_measure(state, action)
