"""A battle: a state under a system, to judge actions on and to play on. Never changed in place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tapeline.dice import DiceSource, Roll
from tapeline.engine.actions import Action
from tapeline.engine.allowed import mark_fault
from tapeline.engine.asks import Answer, Ask, Choice
from tapeline.engine.codec import parse_action
from tapeline.engine.deployment_system import deploying
from tapeline.engine.digest import digest
from tapeline.engine.events import Event, Marked, Moved, Resized, Returned, TurnChanged, UnitMarked
from tapeline.engine.faults import located
from tapeline.engine.fold import fold
from tapeline.engine.referee import Session, judge
from tapeline.engine.scene_document import scene_document
from tapeline.engine.setup import (
    BLOCK_MARKS,
    GONE_MARK,
    memory_faults,
    scene_faults,
    state_from_scene,
)
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.engine.verdicts import Verdict
from tapeline.errors import AnswerError, DocumentError, Fault, UnknownSystemError
from tapeline.play.systems import load_system
from tapeline.table.marks import Value, freeze
from tapeline.table.zones import outsiders
from tapeline.wording import listed

__all__ = ["Battle", "Chooser", "Pending", "load", "zone_notes"]

if TYPE_CHECKING:
    from tapeline.analysis.compare import Comparison
    from tapeline.analysis.reach import Reach
    from tapeline.analysis.sight import Sight
    from tapeline.analysis.threat import Threat
    from tapeline.analysis.ways import Way
    from tapeline.table.scene import SceneDoc


#: Stands for an answer that was not given, since None may be one.
UNSAID: Any = object()

#: Answers a choice; raises AnswerError if it cannot.
Chooser = Callable[[Choice], Value]


@dataclass(frozen=True, slots=True)
class Pending:
    """An action that waits for an answer: where it began, and the answers so far."""

    start: State
    action: Action
    answers: tuple[Answer, ...]
    ask: Ask


@dataclass(frozen=True)
class Battle:
    """A state under a system. Judging and playing leave it as it is and give new ones.

    >>> import tapeline as tl
    >>> battle = tl.load("examples/sovl-crossroads.json")  # doctest: +SKIP
    >>> battle.judge(tl.Activate("A1")).legal              # doctest: +SKIP
    True
    """

    system: System
    state: State
    pending: Pending | None = None
    last: Verdict | None = field(default=None, compare=False)

    @property
    def hash(self) -> str:
        """The hash of the state."""
        return digest(self.state)

    @property
    def acting(self) -> tuple[str, ...]:
        """The sides that may act: who must answer, else whom the rules let act."""
        if self.pending is not None:
            return (self.pending.ask.by,)
        return self.system.acting(self.state)

    @property
    def next_to_act(self) -> tuple[str, ...]:
        """Of the sides that may act the one whose turn it is, if it is among them."""
        acting, active = self.acting, self.state.turn.active
        return (active,) if active in acting else acting

    def side_name(self, side: str) -> str:
        """What a side is called; its id where it has no name."""
        return next((s.name or s.id for s in self.state.sides if s.id == side), side)

    def action(self, request: Any) -> Action:
        """An action of this system from a request, a document or an action."""
        return parse_action(self.system, request)

    def side_of(self, action: Action) -> str | None:
        """The side whose model, unit or turn it is that the action is about; None if any side's."""
        named: Any = getattr(action, "actor", None)
        if named is None:
            units = getattr(action, "units", None)
            named = units[0] if units else None
        known = self.state.side_of(named) if isinstance(named, str) else None
        if known is not None:
            return known
        side = getattr(action, "side", None)
        return side if isinstance(side, str) else None

    def judge(self, request: Any, *, nearest: bool = True) -> Verdict:
        """The verdict on an action. Changes nothing, rolls nothing.

        Raises DocumentError for an action the system does not know, UnknownIdError for a body
        that is not on the table, AnswerError while a question is open.
        """
        self._nothing_open()
        return judge(self.system, self.state, self.action(request), nearest=nearest)

    def play(
        self,
        request: Any,
        *,
        dice: DiceSource | None = None,
        answers: Iterable[Any] = (),
        chooser: Chooser | None = None,
        nearest: bool = True,
    ) -> tuple[Battle, tuple[Event, ...]]:
        """Do an action: the battle after it and what happened.

        dice: where rolls come from; without them the battle stops at the first roll. answers:
        values for the choices, in order; then `chooser`; without one the battle stops at the
        choice, to be continued by `answer`. An illegal action gives the battle unchanged and no
        events; `last` is its verdict, which names the nearest legal one unless told not to.
        """
        self._nothing_open()
        session = Session(self.system, self.state, self.action(request), nearest=nearest)
        return self._drive(session, 0, dice, answers, chooser)

    def answer(
        self,
        value: Any = UNSAID,
        *,
        dice: DiceSource | None = None,
        answers: Iterable[Any] = (),
        chooser: Chooser | None = None,
    ) -> tuple[Battle, tuple[Event, ...]]:
        """Go on with the open question, then as in `play`.

        value: the value chosen, or a list of faces when dice are asked for, or an `Answer`; left
        out, the answer comes from `dice`, `answers` or `chooser`. Raises AnswerError when no
        question is open, or when the value is of a kind that cannot answer it.
        """
        pending = self.pending
        if pending is None:
            raise AnswerError("no question is open")
        session = resume(self.system, pending)
        before = len(session.events)
        if value is not UNSAID and not session.send(_answer_to(pending.ask, value)):
            return Battle(self.system, self.state, pending, session.verdict), ()
        return self._drive(session, before, dice, answers, chooser)

    def _drive(
        self,
        session: Session,
        before: int,
        dice: DiceSource | None,
        answers: Iterable[Any],
        chooser: Chooser | None,
    ) -> tuple[Battle, tuple[Event, ...]]:
        queue = iter(answers)
        accepted = True
        while session.ask is not None and accepted:
            ask = session.ask
            if isinstance(ask, Roll):
                if dice is None:
                    break
                accepted = session.send(Answer(faces=dice.roll(ask)))
            elif (value := next(queue, UNSAID)) is not UNSAID:
                accepted = session.send(Answer(value=_frozen(value)))
            elif chooser is not None:
                accepted = session.send(Answer(value=chooser(ask)))
            else:
                break
        pending = None
        if session.ask is not None:
            pending = Pending(session.start, session.action, tuple(session.answers), session.ask)
        battle = Battle(self.system, session.state, pending, session.verdict)
        return battle, session.events[before:]

    def override(self, events: Iterable[Event]) -> Battle:
        """The battle after events that the players agreed on, whatever the rules say.

        Raises DocumentError for events that name what is not there or leave no sound state.
        """
        self._nothing_open()
        state, faults = self.state, []
        for index, event in enumerate(events):
            try:
                state = fold(state, event)
            except KeyError as error:
                where = f"[{index}].{'unit' if isinstance(event, UnitMarked) else 'body'}"
                message = f"{error.args[0]!r} cannot be changed by this event where it is now"
                faults.append(Fault(where, message))
            else:
                faults.extend(self._override_faults(event, f"[{index}]"))
        if not faults:
            faults.extend(located(memory_faults(state, self.system), {}))
            faults.extend(located(self.system.faults(state), {}))
        if faults:
            raise DocumentError("override", faults)
        return Battle(self.system, state)

    def _override_faults(self, event: Event, where: str) -> Iterator[Fault]:
        system = self.system
        if isinstance(event, Marked | UnitMarked):
            known = {**system.marks, **GONE_MARK, **BLOCK_MARKS}
            unit = isinstance(event, UnitMarked)
            for name, value in event.changes.items():
                if value is None and name in known:
                    continue
                text = mark_fault(name, value, known, "unit" if unit else "model", system.title)
                if text is not None:
                    yield Fault(f"{where}.changes.{name}", text)
        elif isinstance(event, TurnChanged):
            sides = [side.id for side in self.state.sides]
            for name in ("active", "initiative"):
                side = getattr(event, name)
                if side is not None and side not in sides:
                    yield Fault(
                        f"{where}.{name}", f"no side {side!r}; sides are {', '.join(sides)}"
                    )
            if event.phase is not None and event.phase not in system.phases:
                allowed = ", ".join(system.phases)
                yield Fault(f"{where}.phase", f"must be one of {allowed}; got {event.phase!r}")
            if event.round is not None and event.round < 1:
                yield Fault(f"{where}.round", f"must be at least 1; got {event.round}")
        elif isinstance(event, Moved | Returned | Resized):
            for name in ("x", "y", "z", "facing"):
                figure = getattr(event, name, 0.0)
                if not abs(figure) <= 10_000.0:
                    yield Fault(f"{where}.{name}", f"must be a number up to 10000; got {figure!r}")

    def offers(self, seed: int | Random = 0) -> Iterator[Action]:
        """Legal actions for whoever must act; the same seed gives the same ones."""
        self._nothing_open()
        rng = seed if isinstance(seed, Random) else Random(seed)
        return self.system.offers(self.state, rng)

    def odds(self, request: Any, **keywords: Any) -> Any:
        """Exact odds of what an action leads to; see `tapeline.analysis.odds.odds`."""
        from tapeline.analysis.odds import odds

        self._nothing_open()
        return odds(self.system, self.state, self.action(request), **keywords)

    def reach(self, body: str, kind: str | None = None, *, gap: float = 0.001) -> Reach:
        """Where a body can get to in one move of a kind, the system's usual kind unless said.

        Given also when the move may not be made now; `findings` of the reach says why. gap: how
        far apart the bounds of a way over slow ground may lie. Raises UnknownIdError, and
        DocumentError for a kind or a system that has no reach.
        """
        from tapeline.analysis.reach import reach_of

        self._nothing_open()
        return reach_of(self.system, self.state, body, kind, gap=gap)

    def route(
        self,
        body: str,
        to: tuple[float, float] | str,
        kind: str | None = None,
        *,
        limit: float = math.inf,
        gap: float = 0.001,
    ) -> Way | None:
        """A cheapest way of a body to a place, or as near to another body as the move may bring it.

        It may take several moves unless `limit` says what it may cost; None if there is no way.
        Raises as `reach`.
        """
        from tapeline.analysis.reach import route_of

        self._nothing_open()
        return route_of(self.system, self.state, body, to, kind, limit=limit, gap=gap)

    def threat(self, by: str, on: str | None = None) -> Threat:
        """What a side, or one model or unit, could strike when it acts next; see `Threat`.

        by: the id of the side, model or unit that would strike. on: of whom it would strike, the
        first enemy unless given. Raises MeasuringError where the rules let nobody measure now,
        UnknownIdError.
        """
        from tapeline.analysis.threat import threat_of

        self._nothing_open()
        return threat_of(self.system, self.state, by, on)

    def compare(
        self,
        option: str,
        values: Sequence[str] = (),
        *,
        action: Any = None,
        reach: tuple[str, str | None] | None = None,
        threat: tuple[str, str | None] | None = None,
    ) -> Comparison:
        """The position under values of an option, all it has unless given, side by side.

        action: to be judged under each. reach: (body, kind of move) and threat: (by, on) to be
        worked out. Raises as `tapeline.analysis.compare.compare`.
        """
        from tapeline.analysis.compare import compare

        self._nothing_open()
        asked = None if action is None else self.action(action)
        return compare(
            self.system, self.state, option, values, action=asked, reach=reach, threat=threat
        )

    def sight(self, by: str) -> Sight:
        """What a body sees, or all of a unit or a side; see `Sight`. Raises UnknownIdError."""
        from tapeline.analysis.sight import sight_of

        return sight_of(self.system, self.state, by)

    def scene(self) -> dict[str, Any]:
        """The scene document of the state."""
        return scene_document(self.state, self.system)

    def _nothing_open(self) -> None:
        if self.pending is not None:
            ask = self.pending.ask
            what = "dice" if isinstance(ask, Roll) else "a choice"
            raise AnswerError(f"{ask.by} must first give {what}: {ask.purpose} ({ask.clause})")


def _answer_to(ask: Ask, value: Any) -> Answer:
    if isinstance(value, Answer):
        return value
    if isinstance(ask, Choice):
        return Answer(value=_frozen(value))
    if isinstance(value, list | tuple):
        return Answer(faces=tuple(value))
    raise AnswerError(f"{ask.purpose}: give a list of faces; got {value!r}")


def _frozen(value: Any) -> Value:
    try:
        return freeze(value)
    except TypeError as error:
        raise AnswerError(str(error)) from None


def resume(system: System, pending: Pending) -> Session:
    """The session of a pending action, as it stood when the question was asked."""
    session = Session(system, pending.start, pending.action)
    for answer in pending.answers:
        if session.done or not session.send(answer):
            raise AnswerError("the pending action does not run as it did")
    return session


def load(source: str | Path | dict[str, Any], *, system: System | None = None) -> Battle:
    """A battle from a scene: a file name, or the document itself.

    Raises DocumentError with every fault, UnknownSystemError, OSError.
    """
    from tapeline.table.json_documents import read_json
    from tapeline.table.scene import parse_scene

    if isinstance(source, str | Path):
        what, data = str(source), read_json(source)
    else:
        what, data = "scene", source

    def further(scene: SceneDoc) -> list[Fault]:
        try:
            return scene_faults(scene, system or load_system(scene.system))
        except UnknownSystemError as error:
            return [Fault("system", str(error))]

    scene = parse_scene(data, what, further)
    if system is None:
        system = load_system(scene.system)
    if scene.deployment is not None:
        system = deploying(system)
    return Battle(system, state_from_scene(scene, system))


def zone_notes(state: State) -> Iterator[str]:
    """Which models stand outside the zones of their side, a sentence each."""
    zones = state.table.zones
    sides = {side.id: side.name for side in state.sides}
    for body in outsiders(zones, state.bodies.values()):
        where = listed([zone.name for zone in zones if zone.side == body.side])
        name = body.name if body.name == body.id else f"{body.name} ({body.id})"
        yield f"{name} stands outside {where}, where {sides[body.side]} sets up"
