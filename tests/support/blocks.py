"""Blocks: regiments of rectangular stands, a sketch of a rule system that stands on `ranks`.

A unit marches straight ahead, wheels about a front corner, or forms a line or a column where its
first stand is. Nothing of it runs into others, into what is solid or over the edge. It looses at
what is before it. Sides take turns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from tapeline.dice import Roll
from tapeline.engine.actions import Action, ActorAction
from tapeline.engine.allowed import Mark
from tapeline.engine.clauses import Moment, RuleBook
from tapeline.engine.codec import action_marks
from tapeline.engine.context import Context
from tapeline.engine.events import Moved, Progressed, Removed, TurnChanged
from tapeline.engine.faults import at_body
from tapeline.engine.limits import TOLERANCE, affords, overlaps, within
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.system import Profile, System, TerrainKind
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.errors import Fault, UnknownIdError
from tapeline.geometry.rectangles.rectangle import Rect, Region, separation
from tapeline.geometry.rectangles.slide import slide, slide_to_border
from tapeline.geometry.rectangles.turn import turn, turn_to_border
from tapeline.ranks.bases import rect_of, unit_gap
from tapeline.ranks.blocks import as_column, as_line, pivot_of, shared_out, wheeled
from tapeline.ranks.edges import zones
from tapeline.table.bodies import Body, Rectangle, Unit
from tapeline.table.marks import Marks
from tapeline.table.solids import region_of

RANGE_CM, WHEEL_MOST_DEGREES, HIT_ON = 30.0, 90.0, 5

BOOK = RuleBook("BK")


@dataclass(frozen=True, slots=True, kw_only=True)
class March(ActorAction):
    """Go straight ahead. distance: cm."""

    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel(ActorAction):
    """Wheel forward about a front corner. by: degrees; about the left one if more than 0."""

    by: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Form(ActorAction):
    """Form where the first stand is: a line with it in the middle, or a column behind it."""

    into: Literal["line", "column"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose(ActorAction):
    """Loose at an enemy unit, a die for each stand."""

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTurn(Action):
    """The turn goes to the other side."""


def stands_of(state: State, unit_id: str) -> tuple[Body, ...]:
    """The stands of a unit that are left. Raises UnknownIdError where there are none."""
    unit = state.units.get(unit_id)
    stands = [state.bodies[one] for one in unit.members if one in state.bodies] if unit else []
    if not stands:
        fault = Fault("actor", f"no unit has the id {unit_id!r}")
        raise UnknownIdError("no such unit", [fault])
    return tuple(stands)


class UnitContext(Context[Any]):
    """What clauses are given: the unit that acts, where it is to stand, what it meets first."""

    @cached_property
    def unit(self) -> Unit:
        stands_of(self.state, self.subject.actor)
        return self.state.units[self.subject.actor]

    @cached_property
    def stands(self) -> tuple[Body, ...]:
        return stands_of(self.state, self.subject.actor)

    @cached_property
    def rects(self) -> list[Rect]:
        return [rect_of(stand) for stand in self.stands]

    @cached_property
    def shapes(self) -> list[tuple[str, Rect | Region]]:
        """What bars the way: all other stands, and solid terrain."""
        others = [one for one in self.state.bodies.values() if one.id not in self.unit.members]
        solid = [piece for piece in self.state.table.pieces if piece.has("solid")]
        return [
            *((body.id, rect_of(body)) for body in others),
            *((piece.id, region_of(piece)) for piece in solid),
        ]

    @cached_property
    def pivot(self) -> tuple[float, float]:
        return pivot_of(self.rects, "left" if self.subject.by > 0.0 else "right")

    @property
    def angle(self) -> float:
        """Of a wheel, radians, counter-clockwise."""
        return math.radians(self.subject.by)

    @cached_property
    def ends(self) -> list[Rect]:
        """Where the stands are to be, in their order."""
        ask, rects = self.subject, self.rects
        if isinstance(ask, March):
            return [r.moved(ask.distance * rects[0].ux, ask.distance * rects[0].uy) for r in rects]
        if isinstance(ask, Wheel):
            return wheeled(rects, self.pivot, ask.by)
        first, count = rects[0], len(rects)
        half = 0.5 * (count - 1) * first.width
        left = first.moved(-half * first.uy, half * first.ux)
        line = ask.into == "line"
        return shared_out(rects, as_line(left, count, 0) if line else as_column(first, count))

    @cached_property
    def cost(self) -> float:
        """The way of the stand, or the corner, that goes farthest."""
        if isinstance(self.subject, Wheel):
            corners = [corner for rect in self.rects for corner in rect.corners]
            return abs(self.angle) * max(math.dist(self.pivot, corner) for corner in corners)
        pairs = zip(self.rects, self.ends, strict=True)
        return max(math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairs)

    @cached_property
    def met(self) -> tuple[float, tuple[float, float], str] | None:
        """How far the unit marches or wheels until it runs into something; where, and what."""
        table, found = self.state.table, []
        size, rects, u = (
            (table.width, table.depth),
            self.rects,
            (self.rects[0].ux, self.rects[0].uy),
        )
        for name, shape in self.shapes:
            if isinstance(self.subject, March):
                contact = slide(rects, shape, u, max(0.0, self.asked), TOLERANCE).contact
            else:
                contact = turn(rects, shape, self.pivot, self.angle, TOLERANCE).contact
            if contact is not None:
                found.append((contact.at, contact.point, name))
        if isinstance(self.subject, March):
            edge = slide_to_border(rects, u, *size)
        else:
            edge = turn_to_border(rects, self.pivot, self.angle, *size, TOLERANCE)
        if edge is not None:
            found.append((edge.at, edge.point, f"the {edge.side} edge"))
        first = min(found, default=None)
        return None if first is None or within(self.asked, max(0.0, first[0])) else first

    @property
    def asked(self) -> float:
        """How far the unit is to march, cm, or to wheel, radians."""
        return self.subject.distance if isinstance(self.subject, March) else abs(self.angle)


@BOOK.clause("BK-ACT-1", src="pick", bars=(March, Wheel, Form, Loose), at=Moment.DECLARE)
def only_the_active_side_acts(ask: UnitContext) -> Iterator[Finding]:
    """Only units of the active side act."""
    if ask.unit.side != ask.state.turn.active:
        yield Finding(f"It is the turn of {ask.side_name(ask.state.turn.active)}.")


@BOOK.clause("BK-ACT-2", src="pick", bars=(March, Wheel, Form, Loose), at=Moment.DECLARE)
def one_thing_a_turn(ask: UnitContext) -> Iterator[Finding]:
    """A unit does one thing a turn."""
    if ask.unit.id in acted(ask.state):
        yield Finding("It has acted already.", about=ask.unit.id)


@BOOK.clause("BK-MOV-1", src="pick", bars=(March, Wheel, Form), at=Moment.PATH)
def not_farther_than_its_pace(ask: UnitContext) -> Iterator[Finding]:
    """No stand goes farther than the pace of its unit, and no corner in a wheel."""
    pace = ask.stands[0].stat("pace")
    if not affords(ask.cost, pace):
        yield Finding(f"{ask.cost:.3f} cm is more than {pace:g} cm.", ask.cost, pace)


@BOOK.clause("BK-MOV-2", src="pick", bars=(March, Wheel), at=Moment.PATH)
def runs_into_nothing(ask: UnitContext) -> Iterator[Finding]:
    """Nothing of a unit runs into others, into what is solid or over the edge."""
    if ask.met is not None:
        at, place, name = ask.met
        yield Finding(f"Runs into {name}.", max(0.0, at), ask.asked, place, name)


@BOOK.clause("BK-MOV-3", src="pick", bars=(March, Wheel), at=Moment.DECLARE)
def forward_only(ask: UnitContext) -> Iterator[Finding]:
    """A unit goes forward by more than nothing, and wheels by no more than a quarter turn."""
    far = ask.subject.distance if isinstance(ask.subject, March) else abs(ask.subject.by)
    if not far > 0.0:
        yield Finding(f"It goes forward by more than nothing; got {far:g}.", far, 0.0)
    elif isinstance(ask.subject, Wheel) and not within(far, WHEEL_MOST_DEGREES):
        yield Finding(f"{far:g} degrees is more than a quarter turn.", far, WHEEL_MOST_DEGREES)


@BOOK.clause("BK-FRM-1", src="pick", bars=Form, at=Moment.END)
def forms_where_there_is_room(ask: UnitContext) -> Iterator[Finding]:
    """Stands form where there is room for each, on the table."""
    for end in ask.ends:
        for name, shape in ask.shapes:
            depth = separation(end, shape).depth
            if overlaps(depth):
                yield Finding(f"No room for {name}.", depth, 0.0, (end.x, end.y), name)
        over = beyond(ask.state, end)
        if not within(over, 0.0):
            yield Finding("Over the edge.", over, 0.0, (end.x, end.y))


@BOOK.clause("BK-LOO-1", src="pick", bars=Loose, at=Moment.DECLARE)
def at_an_enemy_in_range(ask: UnitContext) -> Iterator[Finding]:
    """The target is an enemy within 30 cm."""
    foes = stands_of(ask.state, ask.subject.target)
    if foes[0].side == ask.unit.side:
        yield Finding(f"{ask.subject.target} is a friend.", about=ask.subject.target)
    gap = unit_gap(ask.stands, foes)
    if not within(gap, RANGE_CM):
        yield Finding(f"{gap:.3f} cm away.", gap, RANGE_CM, about=ask.subject.target)


@BOOK.clause("BK-LOO-2", src="pick", bars=Loose, at=Moment.DECLARE)
def before_a_stand(ask: UnitContext) -> Iterator[Finding]:
    """Some of the target lies in the quarter before one of its stands."""
    foes = [rect_of(foe) for foe in stands_of(ask.state, ask.subject.target)]
    if not any(zones(rect, foes, math.pi / 4)["front"] > 0.0 for rect in ask.rects):
        yield Finding("It is not before any stand.", about=ask.subject.target)


BOOK.resolves_each("""
BK-MOV-4 (pick) A march costs its length, a wheel the way of the outer corner.
BK-LOO-3 (pick) A D6 a stand: each 5 or more takes a stand away, the last first.
BK-TRN-1 (pick) Turns alternate.
""")
BOOK.registers("BK-DEF-1", src="pick", says="A stand is a rectangle.", reason="a definition")


def beyond(state: State, rect: Rect) -> float:
    """How far a stand is over the edge of the table; not above 0 where it is not."""
    xs, ys = rect.loop[0::2], rect.loop[1::2]
    return max(-min(xs), -min(ys), max(xs) - state.table.width, max(ys) - state.table.depth)


def acted(state: State) -> tuple[str, ...]:
    found: Any = state.progress.get("acted", ())
    return found


def has_acted(run: Run, unit_id: str) -> None:
    run.emit(Progressed(Marks({"acted": (*acted(run.state), unit_id)}), "BK-ACT-2"))


def move(run: Run, action: March | Wheel | Form) -> None:
    """Put the stands where they end, along the way that they take."""
    ask = UnitContext(run.state, action, run)
    for stand, end in zip(ask.stands, ask.ends, strict=True):
        facing = math.degrees(end.facing) % 360.0
        path = (Leg(to=(end.x, end.y)),)
        if isinstance(action, Wheel):
            path = (Leg(centre=ask.pivot, by=action.by),)
        run.emit(Moved(stand.id, end.x, end.y, stand.z, facing, path, "BK-MOV-4"))
    run.pay(action.kind, ask.cost, 1.0, ask.cost, "BK-MOV-4")
    has_acted(run, action.actor)


def loose(run: Run, action: Loose) -> Procedure:
    shooters, foes = stands_of(run.state, action.actor), stands_of(run.state, action.target)
    side = shooters[0].side
    roll = Roll(len(shooters), "loose", "BK-LOO-3", side, reads="successes", target=HIT_ON)
    faces = yield from run.roll(roll)
    hits = roll.successes(faces)
    for foe in foes[len(foes) - min(hits, len(foes)) :]:
        run.emit(Removed(foe.id, "hit", "BK-LOO-3"))
    run.happened("hits", f"{hits} hits.", "BK-LOO-3", about=action.target, outcome=True, count=hits)
    has_acted(run, action.actor)


def end_turn(run: Run, action: EndTurn) -> None:
    turn, after = run.state.turn, run.state.other_side(run.state.turn.active)
    later = turn.round + 1 if after == run.state.sides[0].id else None
    run.emit(Progressed(Marks({"acted": ()}), "BK-TRN-1"))
    run.emit(TurnChanged(round=later, active=after, clause="BK-TRN-1"))


def nearest(state: State, action: Action, findings: Sequence[Finding]) -> Nearest | None:
    """A march or a wheel as far as pace and room allow, if nothing else bars it."""
    if {found.clause for found in findings} - {"BK-MOV-1", "BK-MOV-2"}:
        return None
    if not isinstance(action, March | Wheel):
        return None
    ask = UnitContext(state, action, None)
    share = min(1.0, ask.stands[0].stat("pace") / ask.cost)
    if ask.met is not None:
        share = min(share, max(0.0, ask.met[0]) / ask.asked)
    if share <= 0.0:
        return None
    if isinstance(action, March):
        far, shorter = action.distance, replace(action, distance=share * action.distance)
        return Nearest(action_marks(shorter), "distance", "As far as it can.", (1.0 - share) * far)
    less = replace(action, by=share * action.by)
    return Nearest(action_marks(less), "turn", "As far as it can.", (1.0 - share) * abs(action.by))


def faults(state: State) -> list[Fault]:
    inside = {one for unit in state.units.values() for one in unit.members}
    return [
        Fault(at_body(body), "must be a rectangular stand of a unit")
        for body in state.bodies.values()
        if not isinstance(body.base, Rectangle) or body.id not in inside
    ]


SYSTEM = System(
    name="blocks",
    title="Blocks",
    unit="cm",
    book=BOOK,
    options=(),
    procedures={March: move, Wheel: move, Form: move, Loose: loose, EndTurn: end_turn},
    context=UnitContext,
    profiles={"bows": Profile("bows", (40.0, 20.0), Marks({"pace": 20}))},
    terrain_kinds={"rock": TerrainKind("rock", frozenset({"solid"}), 5.0)},
    phases=("play",),
    marks={},
    progress={"acted": Mark(tuple, "ids of units that have acted", ids="unit")},
    nearest=nearest,
    faults=faults,
)
