"""Discs: a complete small rule system. It stands outside the package and edits nothing in it.

Discs move in straight legs, shove each other with a die, are carried on by ice whether they
like it or not, and stop in mud. Flyers pass over others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from tapeline.dice import Roll
from tapeline.engine.actions import Action
from tapeline.engine.asks import Choice, Option
from tapeline.engine.clauses import Moment, RuleBook
from tapeline.engine.events import Marked, Moved, Progressed, Removed, TurnChanged, UnitMarked
from tapeline.engine.limits import affords, closer_than, within
from tapeline.engine.names import Names
from tapeline.engine.paths import Leg, LegPath, legs_from_value
from tapeline.engine.referee import Procedure, Run, judge
from tapeline.engine.state import State
from tapeline.engine.system import OptionSpec, Profile, System, TerrainKind
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.errors import Fault
from tapeline.table.bodies import Body, Round
from tapeline.table.marks import Marks, freeze
from tapeline.table.terrain import Circle

SHOVE_REACH_IN = 1.0
SHOVE_PATH_IN = 3.0
GLIDE_IN = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Action):
    kind: ClassVar[str] = "move"
    actor: str
    path: LegPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Shove(Action):
    kind: ClassVar[str] = "shove"
    actor: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Glide(Action):
    """The ice carries a disc on along its facing."""

    kind: ClassVar[str] = "glide"
    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Action):
    kind: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class ShovedPath:
    """The way a shoved disc takes, as its shover gives it."""

    actor: str
    path: LegPath


@dataclass(frozen=True, slots=True)
class Context:
    state: State
    subject: Any
    run: Run | None

    @property
    def mover(self) -> Body:
        return self.state.body(self.subject.actor)


BOOK = RuleBook("TY")


def points(body: Body, path: LegPath) -> list[tuple[float, float]]:
    return [body.centre, *(leg.to for leg in path if leg.to is not None)]


def length(body: Body, path: LegPath) -> float:
    corners = points(body, path)
    return sum(math.dist(a, b) for a, b in pairwise(corners))


def near_segment(
    p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]
) -> tuple[float, tuple[float, float]]:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square
    t = max(0.0, min(1.0, t))
    q = (a[0] + t * dx, a[1] + t * dy)
    return math.dist(p, q), q


def radius(body: Body) -> float:
    assert isinstance(body.base, Round)
    return body.base.radius


@BOOK.clause("TY-ACT-1", src="pick", bars=(Move, Shove), at=Moment.DECLARE)
def only_the_active_side_acts(ask: Context) -> Iterator[Finding]:
    """Only discs of the active side act."""
    if ask.mover.side != ask.state.turn.active:
        yield Finding(f"It is the turn of {ask.state.turn.active}.", about=ask.mover.id)


@BOOK.clause("TY-ACT-2", src="pick", bars=Move, at=Moment.DECLARE)
def one_move_a_turn(ask: Context) -> Iterator[Finding]:
    """A disc moves once a turn."""
    moved = ask.state.progress.get("moved", ())
    if isinstance(moved, tuple) and ask.mover.id in moved:
        yield Finding("It has moved already.", about=ask.mover.id)


@BOOK.clause("TY-MOV-1", src="pick", bars=(Move, ShovedPath), at=Moment.PATH)
def straight_legs(ask: Context) -> Iterator[Finding]:
    """Paths are straight legs on the level."""
    for index, leg in enumerate(ask.subject.path):
        if leg.to is None or leg.z is not None:
            yield Finding(f"Leg {index + 1} is not a straight leg on the level.")


@BOOK.clause("TY-MOV-2", src="pick", bars=Move, at=Moment.PATH)
def not_farther_than_speed(ask: Context) -> Iterator[Finding]:
    """A move is at most the speed of the disc."""
    far, speed = length(ask.mover, ask.subject.path), ask.mover.stat("speed")
    if not affords(far, speed):
        yield Finding(f"{far:.3f} in is more than {speed:g} in.", far, speed)


@BOOK.clause("TY-MOV-3", src="pick", bars=(Move, ShovedPath), at=Moment.PATH)
def not_across_others(ask: Context) -> Iterator[Finding]:
    """No disc passes across another."""
    corners = points(ask.mover, ask.subject.path)
    for other in ask.state.others(ask.mover):
        need = radius(ask.mover) + radius(other)
        for a, b in pairwise(corners):
            gap, place = near_segment(other.centre, a, b)
            if closer_than(gap, need):
                yield Finding(f"Runs across {other.id}.", gap, need, place, other.id)
                break


@BOOK.clause("TY-MOV-4", src="pick", bars=(Move, ShovedPath), at=Moment.END)
def not_onto_others(ask: Context) -> Iterator[Finding]:
    """No disc ends on another."""
    end = points(ask.mover, ask.subject.path)[-1]
    for other in ask.state.others(ask.mover):
        need, gap = radius(ask.mover) + radius(other), math.dist(end, other.centre)
        if closer_than(gap, need):
            yield Finding(f"Ends on {other.id}.", gap, need, end, other.id)


@BOOK.clause("TY-MOV-5", src="pick", bars=Move, at=Moment.PATH)
def stays_on_the_table(ask: Context) -> Iterator[Finding]:
    """No disc leaves the table of its own will."""
    r, table = radius(ask.mover), ask.state.table
    for x, y in points(ask.mover, ask.subject.path)[1:]:
        over = max(r - x, x + r - table.width, r - y, y + r - table.depth)
        if not within(over, 0.0):
            yield Finding("Leaves the table.", over, 0.0, (x, y))


@BOOK.exception("TY-FLY-1", src="pick", lifts="TY-MOV-3")
def flyers_pass_over(ask: Context, finding: Finding) -> bool:
    """A flyer passes over others."""
    return ask.mover.keyword("flyer") or ask.mover.has("flying")


@BOOK.clause("TY-SHV-1", src="pick", bars=Shove, at=Moment.DECLARE)
def within_reach(ask: Context) -> Iterator[Finding]:
    """The shoved disc is within 1 in."""
    target = ask.state.body(ask.subject.target)
    gap = math.dist(ask.mover.centre, target.centre) - radius(ask.mover) - radius(target)
    if not within(gap, SHOVE_REACH_IN):
        yield Finding(f"{target.id} is {gap:.3f} in away.", gap, SHOVE_REACH_IN, about=target.id)


@BOOK.clause("TY-SHV-2", src="pick", bars=Shove, at=Moment.DECLARE)
def only_enemies(ask: Context) -> Iterator[Finding]:
    """Only enemies are shoved."""
    target = ask.state.body(ask.subject.target)
    if target.side == ask.mover.side:
        yield Finding(f"{target.id} is a friend.", about=target.id)


@BOOK.clause("TY-SHV-5", src="pick", bars=ShovedPath, at=Moment.ANSWER)
def shoved_not_farther(ask: Context) -> Iterator[Finding]:
    """A shoved disc goes at most 3 in."""
    far = length(ask.mover, ask.subject.path)
    if not affords(far, SHOVE_PATH_IN):
        yield Finding(f"{far:.3f} in is more than 3 in.", far, SHOVE_PATH_IN, about=ask.mover.id)


BOOK.resolves("TY-MOV-6", src="pick", says="A move costs its length.")
BOOK.resolves("TY-MUD-1", src="pick", says="A disc that enters mud stops there.")
BOOK.resolves("TY-SHV-3", src="pick", says="A D6 decides a shove.")
BOOK.resolves("TY-SHV-4", src="pick", says="The shover chooses what to do.")
BOOK.resolves("TY-SHV-6", src="pick", says="Off the table is out.")
BOOK.resolves("TY-ICE-1", src="pick", says="Ice carries a disc 1 in on.")
BOOK.resolves("TY-TRN-1", src="pick", says="Turns alternate.")
BOOK.registers("TY-DEF-1", src="pick", says="A disc is round.", reason="a definition")


def moving(run: Run, action: Move) -> None:
    body = run.state.body(action.actor)
    corners = points(body, action.path)
    path = action.path
    flies = body.keyword("flyer")
    for piece in run.state.table.pieces:
        for outline in piece.outlines:
            if not (isinstance(outline, Circle) and piece.has("mud")) or flies:
                continue
            for index, (a, b) in enumerate(pairwise(corners)):
                hit = _enters(a, b, outline)
                if hit is None:
                    continue
                place = (a[0] + hit * (b[0] - a[0]), a[1] + hit * (b[1] - a[1]))
                corners = [*corners[: index + 1], place]
                path = (*path[:index], Leg(to=place))
                far = length(body, path)
                run.stopped(
                    Finding("Sinks in.", None, None, place, piece.id, far, clause="TY-MUD-1")
                )
                break
    x, y = corners[-1]
    run.emit(Moved(body.id, x, y, body.z, body.facing, path, "TY-MOV-6"))
    far = length(body, path)
    run.pay("move", far, 1.0, far, "TY-MOV-6")
    moved = run.state.progress.get("moved", ())
    assert isinstance(moved, tuple)
    run.emit(Progressed(Marks({"moved": (*moved, body.id)}), "TY-ACT-2"))
    run.value(left=body.stat("speed") - far)


def _enters(a: tuple[float, float], b: tuple[float, float], ring: Circle) -> float | None:
    """Fraction of the leg at which the centre comes into the circle from outside."""
    dx, dy, fx, fy = b[0] - a[0], b[1] - a[1], a[0] - ring.x, a[1] - ring.y
    qa, qb, qc = (
        dx * dx + dy * dy,
        2 * (fx * dx + fy * dy),
        fx * fx + fy * fy - ring.radius**2,
    )
    if qa == 0 or qc <= 1e-9:
        return None
    root = qb * qb - 4 * qa * qc
    if root <= 0:
        return None
    t = (-qb - math.sqrt(root)) / (2 * qa)
    return t if 0 <= t <= 1 else None


def shoving(run: Run, action: Shove) -> Procedure:
    actor, target = run.state.body(action.actor), run.state.body(action.target)
    need = 4 if run.state.option("shove.die") == "4+" else 5
    roll = Roll(1, "shove", "TY-SHV-3", actor.side, about=target.id, reads="successes", target=need)
    faces = yield from run.roll(roll)
    run.value(shown=faces[0])
    if not roll.successes(faces):
        run.happened("held", f"{target.id} holds.", "TY-SHV-3", about=target.id, outcome=True)
        return
    how = yield from run.choose(
        Choice(
            actor.side,
            "what to do with it",
            "TY-SHV-4",
            options=(Option("push", "push it away"), Option("spin", "spin it where it stands")),
            default="spin",
            about=target.id,
        )
    )
    if how == "spin":
        turns = yield from run.choose(
            Choice(actor.side, "quarter turns", "TY-SHV-4", form="number", low=1, high=3, default=1)
        )
        assert isinstance(turns, int | float)
        facing = (target.facing + 90.0 * turns) % 360.0
        run.emit(Moved(target.id, target.x, target.y, target.z, facing, (), "TY-SHV-4"))
        run.happened("spun", f"{target.id} spins.", "TY-SHV-4", outcome=True, count=int(turns))
        return
    answer = yield from run.choose(
        Choice(actor.side, "which way it goes", "TY-SHV-5", form="path", about=target.id)
    )
    path = legs_from_value(answer)
    run.refuse(run.check(ShovedPath(target.id, path)))
    x, y = points(target, path)[-1]
    run.emit(Moved(target.id, x, y, target.z, target.facing, path, "TY-SHV-5"))
    shoves = target.marks.get("shoved", 0)
    assert isinstance(shoves, int)
    run.emit(Marked(target.id, Marks({"shoved": shoves + 1}), "TY-SHV-4"))
    for unit in run.state.units.values():
        if target.id in unit.members:
            run.emit(UnitMarked(unit.id, Marks({"shaken": True}), "TY-SHV-4"))
    table = run.state.table
    r = radius(target)
    if not within(max(r - x, x + r - table.width, r - y, y + r - table.depth), 0.0):
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
    state = run.state
    after = state.other_side(state.turn.active)
    first = state.sides[0].id
    run.emit(
        Progressed(Marks({"moved": ()}), "TY-TRN-1"),
        TurnChanged(
            round=state.turn.round + 1 if after == first else None,
            active=after,
            clause="TY-TRN-1",
        ),
    )


def offers(state: State, rng: Random) -> Iterator[Action]:
    mine = [body for body in state.bodies.values() if body.side == state.turn.active]
    for body in mine:
        for _ in range(3):
            angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, body.stat("speed"))
            x = round(body.x + far * math.cos(angle), 6)
            y = round(body.y + far * math.sin(angle), 6)
            move = Move(actor=body.id, path=(Leg(to=(x, y)),))
            if judge(SYSTEM, state, move, nearest=False).legal:
                yield move
        for other in state.enemies(body):
            shove = Shove(actor=body.id, target=other.id)
            if judge(SYSTEM, state, shove, nearest=False).legal:
                yield shove
    yield Done()


def nearest(state: State, action: Action, findings: list[Finding]) -> Nearest | None:
    """The longest prefix of a path that is too long."""
    if not isinstance(action, Move) or {f.clause for f in findings} != {"TY-MOV-2"}:
        return None
    body = state.body(action.actor)
    corners = points(body, action.path)
    left, legs = body.stat("speed"), []
    for a, b in pairwise(corners):
        step = math.dist(a, b)
        if step >= left:
            t = left / step
            legs.append(Leg(to=(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))))
            break
        legs.append(Leg(to=b))
        left -= step
    shorter = replace(action, path=tuple(legs))
    if not judge(SYSTEM, state, shorter, nearest=False).legal:
        return None
    document = freeze(
        {
            "kind": "move",
            "actor": action.actor,
            "path": [{"to": list(leg.to or ())} for leg in legs],
        }
    )
    assert isinstance(document, Marks)
    end = legs[-1].to
    assert end is not None
    return Nearest(document, "prefix", "as far as its speed goes", math.dist(end, corners[-1]))


def finish(state: State) -> State:
    """The sequence begins with nobody moved."""
    if "moved" in state.progress:
        return state
    return replace(state, progress=state.progress.set(moved=()))


def faults(state: State) -> list[Fault]:
    found = []
    moved = state.progress.get("moved", ())
    if not isinstance(moved, tuple) or not all(isinstance(item, str) for item in moved):
        found.append(Fault("turn.progress.moved", f"must be a list of ids; got {moved!r}"))
    found.extend(
        Fault("", f"{body.id!r} is not a disc")
        for body in state.bodies.values()
        if not isinstance(body.base, Round)
    )
    return found


SYSTEM = System(
    name="toy",
    title="Discs",
    unit="in",
    book=BOOK,
    options=(
        OptionSpec(
            "shove.die", "What shoves?", {"4+": "four or more", "5+": "five or more"}, ("TY-SHV-3",)
        ),
    ),
    actions={"move": Move, "shove": Shove, "glide": Glide, "done": Done},
    procedures={Move: moving, Shove: shoving, Glide: gliding, Done: ending},
    context=Context,
    profiles={
        "disc": Profile("disc", (50.8,), Marks({"speed": 5, "keywords": ()})),
        "flyer": Profile("flyer", (50.8,), Marks({"speed": 8, "keywords": ("flyer",)})),
    },
    terrain_kinds={
        "bog": TerrainKind("bog", frozenset({"mud"})),
        "wall": TerrainKind("wall", frozenset({"solid"}), 2.0),
    },
    phases=("play", "over"),
    state_marks={
        "flying": bool,
        "shaken": bool,
        "shoved": int,
        "weight": float,
        "note": str,
        "tags": tuple,
    },
    names=Names(
        values={"left": "inches left", "right": "inches right", "shown": "the face rolled"},
        progress={"moved": "ids of who has moved", "other": "ids of others"},
    ),
    offers=offers,
    nearest=nearest,
    finish=finish,
    faults=faults,
    status=lambda state: [f"{state.turn.active} is to move"],
    traits=frozenset({"slippery"}),
)
