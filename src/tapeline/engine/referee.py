"""The referee: one way from an action to a verdict, for preview, play, bots, replay and odds.

A procedure is a generator that yields what it needs next (a roll or a choice) and is sent the
answer. `Session` drives it; whoever drives, the same clauses and the same procedure decide.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Protocol, TypeAlias, TypeVar

from tapeline.dice import Roll, check_faces
from tapeline.engine.actions import Action
from tapeline.engine.asks import Answer, Ask, AttestedChoice, Choice, Option
from tapeline.engine.clauses import Moment, RuleBook
from tapeline.engine.events import Answered, Event, Happened, Moved, Returned, Rolled
from tapeline.engine.fold import fold
from tapeline.engine.paths import LegPath, legs_from_value
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Kind, LedgerLine, Movement, Nearest, Verdict
from tapeline.errors import AnswerError, UnknownIdError
from tapeline.table.marks import EMPTY, Marks, Value, halves
from tapeline.work import count_work

__all__ = ["Procedure", "Refused", "Rules", "Run", "Session", "SharedRun", "Untold", "judge"]

MeasureT = TypeVar("MeasureT")

#: Steps of work that each part of an action between two answers counts as, apart from checks.
_STEP = 20

#: What carries an action out: yields what it needs, is sent the answer.
Procedure: TypeAlias = Generator[Ask, Answer, None]


class Rules(Protocol):
    """What the referee asks of a rule system. `System` is one."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def book(self) -> RuleBook:
        """Its clauses."""

    @property
    def actions(self) -> Mapping[str, type[Action]]:
        """Its kinds of action, by name."""

    @property
    def procedures(self) -> Mapping[type, Callable[[Run, Any], Procedure | None]]:
        """What carries out each kind of action."""

    @property
    def context(self) -> Callable[[State, Any, Run | None], Any]:
        """What its clauses are given."""

    @property
    def nearest(self) -> Callable[[State, Action, list[Finding]], Nearest | None]:
        """A legal move near a refused one."""


class Refused(Exception):
    """Raised by `Run.refuse`: the action, or the answer just given, is illegal."""

    def __init__(self, findings: Sequence[Finding], nearest: Nearest | None = None) -> None:
        self.findings = tuple(findings)
        self.nearest = nearest
        super().__init__(", ".join(finding.clause for finding in findings))


class Untold(Exception):
    """Raised by `Run.untold`: what is only tried out ends here."""


class SharedRun:
    """What runs of one action have in common between one answer and the next.

    Runs that were answered alike do the same, so that what the first of them has worked out serves
    the others: results of checks and states after events, in order, and what it remembered. deep:
    after how many more answers that is still kept.
    """

    __slots__ = ("checks", "deep", "memo", "states", "then")

    def __init__(self, deep: int) -> None:
        self.deep = deep
        self.then: dict[tuple[tuple[int, ...] | None, str], SharedRun] = {}
        self.memo: dict[Any, Any] | None = None
        self.checks: dict[int, tuple[list[Finding], list[str], list[str], int]] = {}
        self.states: list[State] = []


class Run:
    """One action being carried out: what a procedure sees and writes.

    start: the state before the action; state: the state now. memo: measures that clauses and
    the procedure share, kept for this run only. alike: what of the faces of the roll asked for
    counts, None where the roll itself says it. anew: whether all that follows the roll asked for
    is as it was when this was asked first. settled: whether nothing rolled before counts any more.
    tried: whether it is only tried out.
    """

    def __init__(
        self,
        system: Rules,
        state: State,
        action: Action,
        shared: SharedRun | None = None,
        tried: bool = False,
    ) -> None:
        self.system = system
        self.start = state
        self.state = state
        self.action = action
        self.tried = tried
        self.kind = Kind.LEGAL
        self.events: list[Event] = []
        self.findings: list[Finding] = []
        self.ledger: list[LedgerLine] = []
        self.values: dict[str, Value] = {}
        self.memo: dict[Any, Any] = {}
        self.alike: Callable[[Sequence[int]], Hashable] | None = None
        self.anew = self.settled = False
        self._shared = shared
        self._enter()
        self._cites: dict[str, None] = {}
        self._checked: dict[str, None] = {}

    def emit(self, *events: Event) -> None:
        """Fold events into the state and write them down."""
        for event in events:
            self.state = self._folded(event)
            self.events.append(event)
            if event.clause:
                self._cites[event.clause] = None

    def _folded(self, event: Event) -> State:
        if self._shared is None:
            return fold(self.state, event)
        states, number = self._shared.states, self._folds
        self._folds += 1
        if number == len(states):
            states.append(fold(self.state, event))
        return states[number]

    def _enter(self) -> None:
        """Begin with an answer: take over what an earlier run has worked out after it."""
        self._folds = self._looks = 0
        if self._shared is not None:
            if self._shared.memo is None:
                # Nobody has come to its end; what was worked out begins anew.
                self._shared.checks.clear()
                self._shared.states.clear()
            else:
                self.memo.update(self._shared.memo)

    def answered(self, answer: Answer) -> None:
        """Go on to what runs share after an answer."""
        shared = self._shared
        if shared is not None:
            key = (answer.faces, repr(answer.value))
            if key not in shared.then and shared.deep:
                shared.then[key] = SharedRun(shared.deep - 1)
            self._shared = shared.then.get(key)
            self._enter()

    def pauses(self, asks: bool) -> None:
        """Leave for others what has been worked out up to the question now asked; at the end of
        the action nobody comes by here again."""
        if self._shared is not None and self._shared.memo is None:
            if asks:
                self._shared.memo = dict(self.memo)
            else:
                self._shared.checks.clear()
                self._shared.states.clear()

    def happened(
        self,
        name: str,
        text: str,
        clause: str,
        *,
        about: str | None = None,
        outcome: bool = False,
        **data: Value,
    ) -> None:
        """Write down something worth knowing; `outcome` makes odds tell results apart by it."""
        self.emit(Happened(name, text, about, Marks(data), outcome, clause))

    def pay(
        self,
        what: str,
        distance: float,
        factor: float,
        cost: float,
        clause: str,
        *,
        payer: str | None = None,
        allowance: float | None = None,
    ) -> None:
        """Enter a line in the ledger; payer and allowance as of `LedgerLine`."""
        self.ledger.append(LedgerLine(what, distance, factor, cost, clause, payer, allowance))
        self._cites[clause] = None

    def cite(self, *clauses: str) -> None:
        """Say that a clause bore on the action; see `Verdict.cites`."""
        for clause in clauses:
            self._cites[clause] = None

    def value(self, **values: Value) -> None:
        """Figures of the outcome for the verdict; a later one of the same name replaces it."""
        self.values.update(values)

    def forced(self) -> None:
        """The action was not optional."""
        self.kind = Kind.FORCED

    def stopped(self, finding: Finding) -> None:
        """The move is legal but ended early; the finding says on what."""
        self.kind = Kind.STOPPED
        self.findings.append(finding)
        self._cites[finding.clause] = None

    def untold(self, finding: Finding | None = None) -> None:
        """End a trial here: what follows may not be known before it is done. The finding, if
        there is one, says so."""
        if self.tried:
            if finding is not None:
                self.stopped(finding)
            raise Untold

    def refuse(self, findings: Iterable[Finding], nearest: Nearest | None = None) -> None:
        """End here as illegal if there are findings: what was just asked or answered is undone."""
        found = list(findings)
        if found:
            raise Refused(found, nearest)

    def check(self, subject: Any, at: frozenset[Moment] | None = None) -> list[Finding]:
        """Findings of all clauses that bar the subject in the state now (an action or a part)."""
        known = {} if self._shared is None else self._shared.checks
        number, self._looks = self._looks, self._looks + 1
        if number not in known:
            before = len(self._cites)
            context = self.system.context(self.state, subject, self)
            findings, looked = self.system.book.check(type(subject), context, at)
            # A clause may have things checked in turn: they are passed over with it.
            known[number] = (findings, looked, [*self._cites][before:], self._looks)
        findings, looked, cites, self._looks = known[number]
        self._checked.update(dict.fromkeys(looked))
        self._cites.update(dict.fromkeys(cites))
        return findings

    def measure(self, of: Callable[..., MeasureT], *about: Hashable) -> MeasureT:
        """What `of` works out from the state now and what it is about, once for all runs of the
        action that have come here alike."""
        # Events alone change the state: so many of them stand for it.
        key = (of, len(self.events), *about)
        if key not in self.memo:
            self.memo[key] = of(self.state, *about)
        found: MeasureT = self.memo[key]
        return found

    def roll(
        self,
        roll: Roll,
        alike: Callable[[Sequence[int]], Hashable] | None = None,
        *,
        anew: bool = False,
        settled: bool = False,
    ) -> Generator[Ask, Answer, tuple[int, ...]]:
        """Ask for dice: `faces = yield from run.roll(Roll(...))`.

        alike: what of the faces counts for all that follows but figures, where the roll says more;
        odds take results together for which it gives the same. anew: that it may be asked again and
        again, in the same state, and nothing that was rolled since it was asked first counts for
        what follows but figures: odds then go on from there. settled: that nothing rolled before it
        counts for what follows but figures, save by the state and by the outcomes that happened:
        odds then go on from the first such roll only.
        """
        self.alike, self.anew, self.settled = alike, anew, settled
        answer = yield roll
        self.alike, self.anew, self.settled = None, False, False
        assert answer.faces is not None
        return answer.faces

    def choose(self, choice: Choice) -> Generator[Ask, Answer, Value]:
        """Ask a side to choose: `value = yield from run.choose(Choice(...))`."""
        answer = yield choice
        return answer.value

    def pick(
        self,
        by: str,
        purpose: str,
        clause: str,
        options: Mapping[Any, str],
        *,
        default: Value = None,
        about: str | None = None,
        attests: bool = False,
    ) -> Generator[Ask, Answer, Value]:
        """Ask a side to choose one of several values, each with what it means.

        attests: whether it tells by it what was settled on the real table.
        """
        kind = AttestedChoice if attests else Choice
        listed = tuple(Option(value, text) for value, text in options.items())
        return self.choose(kind(by, purpose, clause, "one", listed, default=default, about=about))

    def path(
        self, by: str, purpose: str, clause: str, about: str
    ) -> Generator[Ask, Answer, LegPath]:
        """Ask a side along which path a body goes; it stays unless one is given."""
        choice = Choice(by, purpose, clause, "path", default=(), about=about)
        return legs_from_value((yield from self.choose(choice)))

    def verdict(self, ask: Ask | None) -> Verdict:
        """The verdict on what has been done so far."""
        kind = self.kind
        if isinstance(ask, Choice):
            kind = Kind.CHOICE
        moved = []
        at = {body.id: body for body in self.start.bodies.values()}
        for event in self.events:
            if isinstance(event, Moved):
                body = at[event.body]
                end = (event.x, event.y, event.z)
                moved.append(
                    Movement(body.id, (body.x, body.y, body.z), event.path, end, event.facing)
                )
                at[body.id] = body.at(*end, event.facing)
            elif isinstance(event, Returned) and event.clause.startswith("SET-"):
                # It stands where it is set up, and came from nowhere.
                end = (event.x, event.y, event.z)
                moved.append(Movement(event.body, end, (), end, event.facing))
        return Verdict(
            kind,
            tuple(self.findings),
            tuple(moved),
            tuple(self.ledger),
            float(sum(line.cost for line in self.ledger)),
            None,
            ask,
            Marks(self.values) if self.values else EMPTY,
            tuple(self._cites),
            tuple(self._checked),
        )

    def refusal(self, refused: Refused) -> Verdict:
        """The verdict when the action or an answer was refused."""
        self._cites.update(dict.fromkeys(finding.clause for finding in refused.findings))
        return Verdict(
            Kind.ILLEGAL,
            refused.findings,
            nearest=refused.nearest,
            values=Marks(self.values) if self.values else EMPTY,
            cites=tuple(self._cites),
            checked=tuple(self._checked),
        )


class Session:
    """An action being judged or played, one answer after another.

    verdict: on what is known so far. ask: what is needed next, None when done or illegal.
    state, events: what has come about. After a refused answer `verdict` is ILLEGAL with the
    reasons, everything else is as before the answer, and another answer may be sent. shared: for
    sessions of one action in one state that work out together what they have in common. tried:
    whether the action is only tried out, so that it ends at what may not be known before.
    """

    def __init__(
        self,
        system: Rules,
        state: State,
        action: Action,
        *,
        nearest: bool = True,
        shared: SharedRun | None = None,
        tried: bool = False,
    ) -> None:
        self.system = system
        self.start = state
        self.action = action
        self.answers: list[Answer] = []
        self.ask: Ask | None = None
        self.events: tuple[Event, ...] = ()
        self._nearest = nearest
        self._shared = shared
        self._tried = tried
        self._open()

    def _open(self) -> None:
        count_work(_STEP, "an action")
        self._run = run = Run(self.system, self.start, self.action, self._shared, self._tried)
        self._steps: Procedure | None = None
        self.ask = None
        self.events = ()
        try:
            run.refuse(run.check(self.action))
            steps = self.system.procedures[type(self.action)](run, self.action)
            if steps is not None:
                self._steps = steps
                self.ask = next(steps, None)
        except Refused as refused:
            offer = refused.nearest
            if offer is None and self._nearest:
                offer = self.system.nearest(self.start, self.action, list(refused.findings))
            self.state = self.start
            self.verdict = run.refusal(Refused(refused.findings, offer))
            return
        except Untold:
            pass
        except UnknownIdError as error:
            named = {field.name: getattr(self.action, field.name) for field in fields(self.action)}
            raise error.in_field(named) from None
        self._settle()

    def _settle(self) -> None:
        run = self._run
        run.pauses(self.ask is not None)
        self.state = run.state
        self.events = tuple(run.events)
        self.verdict = run.verdict(self.ask)

    @property
    def alike(self) -> Callable[[Sequence[int]], Hashable] | None:
        """What of the faces of the roll asked for counts; see `Run.roll`."""
        return self._run.alike

    @property
    def anew(self) -> bool:
        """Whether all is as it was when the roll asked for was asked first; see `Run.roll`."""
        return self._run.anew

    @property
    def settled(self) -> bool:
        """Whether nothing rolled before the roll asked for counts any more; see `Run.roll`."""
        return self._run.settled

    @property
    def done(self) -> bool:
        """Whether nothing more is needed."""
        return self.ask is None

    def send(self, answer: Answer) -> bool:
        """Answer what is asked. False if the answer is refused; `verdict` then says why.

        Raises AnswerError for an answer that cannot be read, such as a path of bad legs. Either
        way the question stays open and nothing has changed.
        """
        ask, run = self.ask, self._run
        assert ask is not None, "nothing is asked"
        assert self._steps is not None
        unwritable = [*halves(answer.value, "answer")]
        if unwritable:
            raise AnswerError("; ".join(map(str, unwritable)))
        fault = _fault(ask, answer)
        if fault is not None:
            self.verdict = run.refusal(Refused([fault]))
            return False
        count_work(_STEP, "an action")
        run.answered(answer)
        try:
            if isinstance(ask, Roll):
                run.emit(Rolled(ask, answer.faces or (), ask.clause))
            else:
                run.emit(Answered(ask, answer.value, ask.clause))
            try:
                self.ask = self._steps.send(answer)
            except (StopIteration, Untold):
                self.ask = None
        except Refused as refused:
            verdict = run.refusal(refused)
            self._rewind()
            self.verdict = verdict
            return False
        except AnswerError:
            self._rewind()
            raise
        self.answers.append(answer)
        self._settle()
        return True

    def _rewind(self) -> None:
        answers, self.answers = self.answers, []
        self._open()
        for answer in answers:
            self.send(answer)


def _fault(ask: Ask, answer: Answer) -> Finding | None:
    if isinstance(ask, Roll):
        if answer.faces is None:
            return Finding(f"{ask.purpose}: dice are needed, not a choice", clause=ask.clause)
        text = check_faces(ask, answer.faces)
        if text is None:
            return None
        given = len(answer.faces)
        if given == ask.count:  # the wrong face, not the wrong number of dice
            return Finding(text, clause=ask.clause)
        return Finding(text, float(given), float(ask.count), clause=ask.clause)
    if answer.faces is not None:
        return Finding(f"{ask.purpose}: a choice is needed, not dice", clause=ask.clause)
    text = ask.fault(answer.value)
    return None if text is None else Finding(text, clause=ask.clause)


def judge(
    system: Rules,
    state: State,
    action: Action,
    answers: Sequence[Answer] = (),
    *,
    nearest: bool = True,
) -> Verdict:
    """The verdict on an action that is tried out, given the answers known so far. Changes nothing.

    What the rules let nobody know before it is done is left out (`Run.untold`). An answer that is
    refused ends the judging with the verdict ILLEGAL.
    """
    session = Session(system, state, action, nearest=nearest, tried=True)
    for answer in answers:
        if session.done or not session.send(answer):
            break
    return session.verdict
