"""Discs: a complete small rule system. It stands outside the package and edits nothing in it.

Discs move in straight legs, shove each other with a die, are carried on by ice whether they
like it or not, and stop in mud. Flyers pass over others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from tapeline.dice import Roll
from tapeline.engine.actions import Action, ActorAction
from tapeline.engine.allowed import Mark
from tapeline.engine.asks import Choice
from tapeline.engine.bases import base_overlap, over_edge
from tapeline.engine.clauses import Moment, RuleBook
from tapeline.engine.context import Context
from tapeline.engine.events import Marked, Moved, Progressed, Removed, TurnChanged, UnitMarked
from tapeline.engine.limits import affords, closer_than, within
from tapeline.engine.names import Names
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.plain_offers import plain_offers
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.system import OptionSpec, Profile, System, TerrainKind
from tapeline.engine.verdicts import Finding
from tapeline.errors import Fault
from tapeline.geometry.plane.sweeps import spans_near_point
from tapeline.table.bodies import Round
from tapeline.table.marks import Marks
from tapeline.travel.route import Route

SHOVE_REACH_IN, SHOVE_PATH_IN, GLIDE_IN = 1.0, 3.0, 1.0
BOOK = RuleBook("TY")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(ActorAction):
    path: LegPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Shove(ActorAction):
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Glide(ActorAction):
    """The ice carries a disc on along its facing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Action):
    """The turn is over."""


@dataclass(frozen=True, slots=True)
class ShovedPath:
    """The way a shoved disc takes, as its shover gives it."""

    actor: str
    path: LegPath


class Ask(Context[Any]):
    @cached_property
    def route(self) -> Route:
        return Route.read(self.mover, self.subject.path)


@BOOK.clause("TY-ACT-1", src="pick", bars=(Move, Shove), at=Moment.DECLARE)
def only_the_active_side_acts(ask: Ask) -> Iterator[Finding]:
    """Only discs of the active side act."""
    if ask.mover.side != ask.state.turn.active:
        yield Finding(f"It is the turn of {ask.state.turn.active}.", about=ask.mover.id)


@BOOK.clause("TY-ACT-2", src="pick", bars=Move, at=Moment.DECLARE)
def one_move_a_turn(ask: Ask) -> Iterator[Finding]:
    """A disc moves once a turn."""
    if ask.mover.id in ask.state.progress.texts("moved"):
        yield Finding("It has moved already.", about=ask.mover.id)


@BOOK.clause("TY-MOV-1", src="pick", bars=(Move, ShovedPath), at=Moment.PATH)
def straight_legs(ask: Ask) -> Iterator[Finding]:
    """Paths are straight legs on the level."""
    for index, leg in enumerate(ask.subject.path, 1):
        if leg.to is None or leg.z is not None:
            yield Finding(f"Leg {index} is not a straight leg on the level.")


@BOOK.clause("TY-MOV-2", src="pick", bars=Move, at=Moment.PATH)
def not_farther_than_speed(ask: Ask) -> Iterator[Finding]:
    """A move is at most the speed of the disc."""
    far, speed = ask.route.length, ask.mover.stat("speed")
    if not affords(far, speed):
        yield Finding(f"{far:.3f} in is more than {speed:g} in.", far, speed)


@BOOK.clause("TY-MOV-3", src="pick", bars=(Move, ShovedPath), at=Moment.PATH)
def not_across_others(ask: Ask) -> Iterator[Finding]:
    """No disc passes across another."""
    for other in ask.state.others(ask.mover) if ask.subject.path else ():
        need, near = ask.mover.base.reach + other.base.reach, ask.route.nearest(other.centre)
        if closer_than(near.distance, need):
            yield Finding(f"Runs across {other.id}.", near.distance, need, near.place, other.id)


@BOOK.clause("TY-MOV-4", src="pick", bars=(Move, ShovedPath), at=Moment.END)
def not_onto_others(ask: Ask) -> Iterator[Finding]:
    """No disc ends on another."""
    end = ask.mover.at(*ask.route.end)
    for other in ask.state.others(end):
        need, gap = end.base.reach + other.base.reach, math.dist(end.centre, other.centre)
        if closer_than(gap, need):
            yield Finding(f"Ends on {other.id}.", gap, need, end.centre, other.id)


@BOOK.clause("TY-MOV-5", src="pick", bars=Move, at=Moment.PATH)
def stays_on_the_table(ask: Ask) -> Iterator[Finding]:
    """No disc leaves the table of its own will."""
    for part in ask.route.parts:
        over = over_edge(ask.state.table, ask.mover.at(*part.end))
        if not within(over, 0.0):
            yield Finding("Leaves the table.", over, 0.0, part.end.xy)


@BOOK.exception("TY-FLY-1", src="pick", lifts="TY-MOV-3")
def flyers_pass_over(ask: Ask, finding: Finding) -> bool:
    """A flyer passes over others."""
    return ask.mover.keyword("flyer") or ask.mover.has("flying")


@BOOK.clause("TY-SHV-1", src="pick", bars=Shove, at=Moment.DECLARE)
def within_reach(ask: Ask) -> Iterator[Finding]:
    """The shoved disc is within 1 in."""
    target, gap = ask.target, -base_overlap(ask.mover, ask.target)
    if not within(gap, SHOVE_REACH_IN):
        yield Finding(f"{target.id} is {gap:.3f} in away.", gap, SHOVE_REACH_IN, about=target.id)


@BOOK.clause("TY-SHV-2", src="pick", bars=Shove, at=Moment.DECLARE)
def only_enemies(ask: Ask) -> Iterator[Finding]:
    """Only enemies are shoved."""
    if ask.target.side == ask.mover.side:
        yield Finding(f"{ask.target.id} is a friend.", about=ask.target.id)


@BOOK.clause("TY-SHV-5", src="pick", bars=ShovedPath, at=Moment.ANSWER)
def shoved_not_farther(ask: Ask) -> Iterator[Finding]:
    """A shoved disc goes at most 3 in."""
    far = ask.route.length
    if not affords(far, SHOVE_PATH_IN):
        yield Finding(f"{far:.3f} in is more than 3 in.", far, SHOVE_PATH_IN, about=ask.mover.id)


BOOK.resolves_each("""
TY-MOV-6 (pick) A move costs its length.
TY-MUD-1 (pick) A disc that enters mud stops there.
TY-SHV-3 (pick) A D6 decides a shove.
TY-SHV-4 (pick) The shover chooses what to do.
TY-SHV-6 (pick) Off the table is out.
TY-ICE-1 (pick) Ice carries a disc 1 in on.
TY-TRN-1 (pick) Turns alternate.
""")
BOOK.registers("TY-DEF-1", src="pick", says="A disc is round.", reason="a definition")


def moving(run: Run, action: Move) -> None:
    body = run.state.body(action.actor)
    route = Route.read(body, action.path)
    entered = [
        (before + begin, piece.id)
        for piece in run.state.table.pieces
        for ring in (piece.outlines if piece.has("mud") and not body.keyword("flyer") else ())
        for before, part in route.stretches
        for begin, _ in spans_near_point(part.leg, ring.x, ring.y, ring.radius)
        if before + begin > 1e-9
    ]
    if entered:
        into, about = min(entered)
        route = route.upto(into)
        run.stopped(Finding("Sinks in.", None, None, route.end.xy, about, into, clause="TY-MUD-1"))
    far = route.length
    run.emit(Moved(body.id, *route.end, body.facing, route.legs, "TY-MOV-6"))
    run.pay("move", far, 1.0, far, "TY-MOV-6")
    moved = (*run.state.progress.texts("moved"), body.id)
    run.emit(Progressed(Marks({"moved": moved}), "TY-ACT-2"))
    run.value(left=body.stat("speed") - far)


def shoving(run: Run, action: Shove) -> Procedure:
    actor, target = run.state.body(action.actor), run.state.body(action.target)
    need = 4 if run.state.option("shove.die") == "4+" else 5
    roll = Roll(1, "shove", "TY-SHV-3", actor.side, about=target.id, reads="successes", target=need)
    faces = yield from run.roll(roll)
    run.value(shown=faces[0])
    if not roll.successes(faces):
        run.happened("held", f"{target.id} holds.", "TY-SHV-3", about=target.id, outcome=True)
        return
    ways = {"push": "push it away", "spin": "spin it where it stands"}
    how = yield from run.pick(
        actor.side, "what to do with it", "TY-SHV-4", ways, default="spin", about=target.id
    )
    if how == "spin":
        turns: Any = yield from run.choose(
            Choice(actor.side, "quarter turns", "TY-SHV-4", form="number", low=1, high=3, default=1)
        )
        facing = (target.facing + 90.0 * turns) % 360.0
        run.emit(Moved(target.id, target.x, target.y, target.z, facing, (), "TY-SHV-4"))
        run.happened("spun", f"{target.id} spins.", "TY-SHV-4", outcome=True, count=int(turns))
        return
    path = yield from run.path(actor.side, "which way it goes", "TY-SHV-5", target.id)
    run.refuse(run.check(ShovedPath(target.id, path)))
    end = target.at(*Route.read(target, path).end)
    run.emit(Moved(target.id, end.x, end.y, end.z, end.facing, path, "TY-SHV-5"))
    shoves = target.marks.whole("shoved") + 1
    run.emit(Marked(target.id, Marks({"shoved": shoves}), "TY-SHV-4"))
    for unit in run.state.units.values():
        if target.id in unit.members:
            run.emit(UnitMarked(unit.id, Marks({"shaken": True}), "TY-SHV-4"))
    if not within(over_edge(run.state.table, end), 0.0):
        run.emit(Removed(target.id, "off the table", "TY-SHV-6"))
        run.happened("out", f"{target.id} is out.", "TY-SHV-6", about=target.id, outcome=True)
    else:
        run.happened("pushed", f"{target.id} is pushed.", "TY-SHV-4", outcome=True)


def gliding(run: Run, action: Glide) -> None:
    body = run.state.body(action.actor)
    run.forced()
    angle = math.radians(body.facing)
    x, y = body.x + GLIDE_IN * math.cos(angle), body.y + GLIDE_IN * math.sin(angle)
    run.emit(Moved(body.id, x, y, body.z, body.facing, (Leg(to=(x, y)),), "TY-ICE-1"))


def ending(run: Run, action: Done) -> None:
    turn, after = run.state.turn, run.state.other_side(run.state.turn.active)
    later = turn.round + 1 if after == run.state.sides[0].id else None
    run.emit(Progressed(Marks({"moved": ()}), "TY-TRN-1"))
    run.emit(TurnChanged(round=later, active=after, clause="TY-TRN-1"))


def faults(state: State) -> list[Fault]:
    others = [body for body in state.bodies.values() if not isinstance(body.base, Round)]
    return [Fault("", f"{body.id!r} is not a disc") for body in others]


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Nobody asks the ice."""
    return (one for one in plain_offers(SYSTEM, state, rng) if not isinstance(one, Glide))


SHOVES = {"4+": "four or more", "5+": "five or more"}
SYSTEM = System(
    name="toy",
    title="Discs",
    unit="in",
    book=BOOK,
    options=(OptionSpec("shove.die", "What shoves?", SHOVES, ("TY-SHV-3",)),),
    procedures={Move: moving, Shove: shoving, Glide: gliding, Done: ending},
    context=Ask,
    profiles={
        "disc": Profile("disc", (50.8,), Marks({"speed": 5, "keywords": ()})),
        "flyer": Profile("flyer", (50.8,), Marks({"speed": 8, "keywords": ("flyer",)})),
    },
    terrain_kinds={
        "bog": TerrainKind("bog", frozenset({"mud"})),
        "wall": TerrainKind("wall", frozenset({"solid"}), 2.0),
    },
    phases=("play", "over"),
    marks={"flying": Mark(bool), "shaken": Mark(bool), "shoved": Mark(int), "weight": Mark(float)}
    | {"note": Mark(str), "tags": Mark(tuple)},
    names=Names({"left": "inches left", "right": "inches right", "shown": "the face rolled"}),
    offers=offers,
    progress={"moved": Mark(tuple, ids="body"), "other": Mark(tuple)},
    faults=faults,
    status=lambda state: [f"{state.turn.active} is to move"],
    traits=frozenset({"slippery"}),
)
