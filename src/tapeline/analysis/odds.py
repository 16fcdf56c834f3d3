"""Odds of an action: every result of its dice, exactly, by running the same procedure.

Results that the rules cannot tell apart are taken together: by what the roll says (`dice.classes`),
so that ten shooting dice are eleven branches, and by what the procedure says (`Run.roll`), so that
a test has two. Branches that come to one roll from which all go on alike are one from there on. One
that leads back to a roll further up, as a tie does that is rolled off again, is not followed: what
comes of that roll comes of it over and over, a geometric series whose sum is exact. Runs of one
action share what dice do not change (`SharedRun`). Likely branches come first; where the work runs
out, the rest bounds every chance. Where the branches exceed the guard, seeded sampling takes over.
Either way the answer states its error.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from math import sqrt
from typing import Any, TypeAlias

from tapeline.dice import Roll, RollClass, SeededDice, classes_of_roll, number_of_classes
from tapeline.engine.actions import Action
from tapeline.engine.asks import Answer, Choice, take_default
from tapeline.engine.codec import verdict_document
from tapeline.engine.events import Event, Happened
from tapeline.engine.referee import Session, SharedRun
from tapeline.engine.state import State
from tapeline.engine.system import Question, System
from tapeline.engine.verdicts import Kind, Verdict
from tapeline.errors import AnswerError, DeadlineError, WorkLimitError
from tapeline.table.marks import Value
from tapeline.work import count_work, work_limit

__all__ = [
    "Odds",
    "Outcome",
    "ends_in_turn",
    "ends_of",
    "odds",
    "outcome_label",
    "sampled",
]

#: Branches enumerated before sampling takes over.
GUARD = 20_000
#: Games sampled when it does.
SAMPLES = 20_000
#: Steps of work after which the odds are given as they are.
WORK = 5_000_000
#: The chance of branches left out, below which what is known is closer than a sample.
CLOSE = Fraction(1, 200)
#: Answers after which runs share no more: in enumerating all do, in sampling few meet.
_DEEP, _SHALLOW = 1_000, 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """One result told apart, its chance, and how far that may be off, 0 if exact.

    error: the half-width of the 95 % interval of a sample, or of a certain one; see `Odds.rest`.
    """

    label: str
    chance: float
    error: float
    exact: Fraction | None = None

    def document(self) -> dict[str, Any]:
        """As JSON: what comes of it, its chance, and the fraction or how far it may be off."""
        document: dict[str, Any] = {"outcome": self.label, "chance": self.chance}
        if self.exact is not None:
            document["fraction"] = [self.exact.numerator, self.exact.denominator]
        else:
            document["error"] = self.error
        return document


@dataclass(frozen=True, slots=True)
class Odds:
    """The results of an action, most likely first.

    exact: whether every branch was enumerated. branches: how many runs it took. verdict: the
    ruling before any dice; if it is ILLEGAL there are no outcomes. rest: the chance of branches
    that were not come to when the work ran out, 0 if exact or sampled; every chance lies within
    its error for certain then, and what is not among the outcomes has no more than the rest.
    """

    outcomes: tuple[Outcome, ...]
    exact: bool
    branches: int
    verdict: Verdict
    rest: float = 0.0

    def document(self) -> dict[str, Any]:
        """As JSON: whether exact, how many runs, the rest, the outcomes, the verdict."""
        return {
            "exact": self.exact,
            "runs": self.branches,
            "rest": self.rest,
            "outcomes": [outcome.document() for outcome in self.outcomes],
            "verdict": verdict_document(self.verdict),
        }

    def chance(self, label: str) -> float:
        """Total chance of the outcomes whose label contains the text."""
        return sum(outcome.chance for outcome in self.outcomes if label in outcome.label)


def outcome_label(events: tuple[Event, ...]) -> str:
    """What odds tell apart: the texts of everything that happened as an outcome, in order."""
    names = [
        f"{event.name} {event.data['count']}" if "count" in event.data else event.name
        for event in events
        if isinstance(event, Happened) and event.outcome
    ]
    return ", ".join(names) if names else "done"


@dataclass(frozen=True, slots=True)
class _Question:
    """What odds are asked of, as `odds` is given it."""

    system: System
    state: State
    action: Action
    choose: Callable[[Choice], Value]
    label: Callable[[tuple[Event, ...]], str] | None
    progress: Callable[[int], None]

    def session(self, shared: SharedRun) -> Session:
        return Session(self.system, self.state, self.action, nearest=False, shared=shared)

    def advance(self, session: Session) -> Roll | None:
        """Answer choices until dice are needed; None when the action is over."""
        while isinstance(session.ask, Choice):
            choice = session.ask
            if not session.send(Answer(value=self.choose(choice))):
                why = "; ".join(finding.text for finding in session.verdict.findings)
                raise AnswerError(f"{choice.purpose}: the chooser's answer is refused: {why}")
        return session.ask

    def results(self, roll: Roll, session: Session) -> list[RollClass]:
        """The results of a roll that are told apart, the most likely last."""
        classes: Sequence[RollClass] = classes_of_roll(roll)
        alike = session.alike
        # Other labels may look at every face.
        if alike is not None and self.label in (None, outcome_label):
            together: dict[Hashable, list[RollClass]] = {}
            for one in classes:
                together.setdefault(alike(one.faces), []).append(one)
            classes = [
                RollClass(some[0].faces, sum((one.chance for one in some), Fraction(0)))
                for some in together.values()
            ]
        return sorted(classes, key=lambda one: one.chance)


#: The faces of every roll so far.
Rolled: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class _Joint:
    """Where branches come together: a roll from which all go on alike.

    chance: of coming here as the first branch did. before: of coming here, by whichever way, from
    other joints once they are come to, by their numbers. Joint 0 is the start.
    """

    number: int
    chance: Fraction
    before: dict[int, Fraction]


class _Branch:
    """One branch. rolled: the faces so far; roll: what is asked for, None at its end and where all
    that follows is another branch's or was on this one (joined); last: the last joint it came to.
    """

    def __init__(self, tree: _Tree) -> None:
        self.tree = tree
        self.session = tree.question.session(tree.shared)
        self.rolled: Rolled = ()
        self.last = tree.start
        self.joined = False
        # Of rolls that may be asked anew: where they were asked.
        self._asked: list[tuple[Roll, State, Rolled]] = []

    def advance(self, chance: Fraction, *faces: tuple[int, ...]) -> None:
        """Go on to the next roll, with the faces of the one asked for. chance: of coming there."""
        for one in faces:
            self.session.send(Answer(faces=one))
            self.rolled = (*self.rolled, one)
        self.roll = self.tree.question.advance(self.session)
        if self.roll is not None and self._joins(self.roll, chance):
            self.roll, self.joined = None, True

    def _joins(self, roll: Roll, chance: Fraction) -> bool:
        session, joints = self.session, self.tree.joints
        settled = session.settled and self.tree.joins
        if not self.tree.counts or not (session.anew or settled):
            return False
        place = self.rolled
        if place in joints:  # This branch begins beyond it.
            if session.anew:
                self._asked.append((roll, session.state, place))
        else:
            known = self._asked
            if settled:
                known = self.tree.settled.setdefault(outcome_label(session.events), [])
            alike = (at for *one, at in known if one == [roll, session.state])
            place = next(alike, place)
            if place not in joints:
                joints[place] = _Joint(1 + len(joints), chance, {})
                known.append((roll, session.state, place))
            before, share = joints[place].before, chance / self.last.chance
            before[self.last.number] = before.get(self.last.number, Fraction(0)) + share
        self.last = joints[place]
        return place != self.rolled


class _Tree:
    """The branches of an action's dice. joins: whether different ones that go on alike are followed
    once. counts: whether those are that come back to where they were; other labels may look at
    every event."""

    def __init__(self, question: _Question, joins: bool = True) -> None:
        self.question = question
        self.counts = question.label in (None, outcome_label)
        self.joins = joins
        self.shared = SharedRun(_DEEP)
        self.branches = 0
        self.start = _Joint(0, Fraction(1), {})
        self.joints: dict[Rolled, _Joint] = {}
        #: Rolls before which nothing rolled counts but by the state and by what has come of it.
        self.settled: dict[str, list[tuple[Roll, State, Rolled]]] = {}
        # Where branches end, if there are no labels, or else their chances by label: from the last
        # joint on the way, by its number.
        self._ends: list[tuple[int, Fraction, Session]] = []
        self._chances: dict[tuple[int, str], Fraction] = {}

    @property
    def chances(self) -> dict[str, Fraction]:
        """Of the results come to so far, by label."""
        often = self._often()
        found: dict[str, Fraction] = {}
        for (number, name), chance in self._chances.items():
            found[name] = found.get(name, Fraction(0)) + chance * often[number]
        return found

    @property
    def ends(self) -> list[tuple[Fraction, Session]]:
        often = self._often()
        return [(chance * often[number], end) for number, chance, end in self._ends]

    def _often(self) -> list[Fraction]:
        """How often each joint is come to: a set of linear equations, solved by elimination.

        With the chance q of coming back to a joint it is 1 + q + q^2 + ... = 1 / (1 - q) times.
        """
        before = [dict(joint.before) for joint in (self.start, *self.joints.values())]
        # Of each joint the earlier ones that are come to from it: few are.
        back: list[set[int]] = [set() for _ in before]
        for number, row in enumerate(before):
            for other in row:
                back[other].add(number)
        for number in range(len(before) - 1, 0, -1):
            row = before[number]
            once = 1 / (1 - row.pop(number, Fraction(0)))
            for other in row:
                row[other] *= once
            for earlier in sorted(to for to in back[number] if to < number):
                share = before[earlier].pop(number)
                for other, chance in row.items():
                    before[earlier][other] = (
                        before[earlier].get(other, Fraction(0)) + share * chance
                    )
                    back[other].add(earlier)
        often = [Fraction(1)]
        for row in before[1:]:
            often.append(sum((share * often[other] for other, share in row.items()), Fraction(0)))
        return often

    @property
    def rest(self) -> Fraction:
        """The chance of what was not come to."""
        return 1 - sum(self.chances.values(), Fraction(0))

    def grow(self, guard: int) -> bool:
        """Come to all results, the likely ones first. False if they are more than the guard."""
        try:
            for _ in self.growing(guard):
                pass
        except WorkLimitError:
            return False
        return True

    def growing(self, guard: int) -> Iterator[tuple[Fraction, Session]]:
        """Each result as it is come to, with its chance: the whole of it but where rolls may be
        asked anew. Raises WorkLimitError where they are more than the guard."""
        question, order = self.question, count()
        # Each entry: the chance of coming here, negative, and the faces of every roll so far.
        heap: list[tuple[Fraction, int, Rolled]] = [(Fraction(-1), 0, ())]
        while heap:
            chance, _, whole = heappop(heap)
            branch = _Branch(self)
            branch.advance(-chance)
            for faces in whole:
                branch.advance(-chance, faces)
            while branch.roll is not None:
                if number_of_classes(branch.roll) > guard:
                    raise _too_many(guard)
                *others, result = question.results(branch.roll, branch.session)
                if 1 + len(others) + len(heap) + self.branches > guard:
                    raise _too_many(guard)
                for other in others:
                    further = (*branch.rolled, other.faces)
                    heappush(heap, (chance * other.chance, next(order), further))
                # This branch goes on with the most likely one.
                chance *= result.chance
                branch.advance(-chance, result.faces)
            self.branches += 1
            question.progress(self.branches)
            if branch.joined:
                continue
            number, share = branch.last.number, -chance / branch.last.chance
            if question.label is None:
                self._ends.append((number, share, branch.session))
            else:
                key = number, question.label(branch.session.events)
                self._chances[key] = self._chances.get(key, Fraction(0)) + share
            yield -chance, branch.session


def _too_many(guard: int) -> WorkLimitError:
    return WorkLimitError(f"more than {guard} results of the dice: too many to look at each")


def ends_of(
    system: System,
    state: State,
    action: Action,
    chooser: Callable[[Choice], Value] | None = None,
    guard: int = GUARD,
) -> list[tuple[Fraction, Session]]:
    """Where an action leads to, the dice told apart as far as they count, each with its chance.

    Empty if it is illegal. Raises WorkLimitError beyond `guard` branches. Nothing is asked of
    `System.may_measure`: whoever shows what follows from it must.
    """
    tree = _tree(system, state, action, chooser)
    for _ in tree.growing(guard):
        pass
    return [end for end in tree.ends if end[1].verdict.kind is not Kind.ILLEGAL]


def ends_in_turn(
    system: System,
    state: State,
    action: Action,
    chooser: Callable[[Choice], Value] | None = None,
    guard: int = GUARD,
) -> Iterator[tuple[Fraction, Session]]:
    """The same one by one, the likely ones first, for who need not see them all; of an illegal one
    that it is. A chance is what is known by then: less than the whole only where a roll may be
    asked anew."""
    return _tree(system, state, action, chooser, joins=False).growing(guard)


def _tree(
    system: System,
    state: State,
    action: Action,
    chooser: Callable[[Choice], Value] | None,
    joins: bool = True,
) -> _Tree:
    choose = chooser or take_default
    return _Tree(_Question(system, state, action, choose, None, lambda number: None), joins)


def odds(
    system: System,
    state: State,
    action: Action,
    *,
    chooser: Callable[[Choice], Value] | None = None,
    label: Callable[[tuple[Event, ...]], str] = outcome_label,
    guard: int = GUARD,
    samples: int = SAMPLES,
    work: int = WORK,
    seed: int | str = 0,
    progress: Callable[[int], None] | None = None,
) -> Odds:
    """Odds of what an action leads to.

    chooser: answers the choices on the way (by default each choice's default is taken; a choice
    without default raises AnswerError). guard: branches to enumerate at most before sampling
    `samples` runs from `seed`, where more than CLOSE is left out. work: steps after which the odds
    are given as far as they are known (`tapeline.work`). progress: called with the number of runs
    so far, now and then.
    Raises MeasuringError where the rules do not let anybody know yet, DeadlineError if the work
    does not do for a single run.
    """
    system.permit(state, Question.odds(action))

    def told(number: int) -> None:
        if progress is not None and number % 500 == 0:
            progress(number)

    question = _Question(system, state, action, chooser or take_default, label, told)
    tree = _Tree(question)
    verdict = question.session(tree.shared).verdict
    if verdict.kind is Kind.ILLEGAL:
        return Odds((), True, 1, verdict)
    counts: dict[str, int] = {}
    whole = True
    try:
        with work_limit(work):
            whole = tree.grow(guard) or tree.rest <= CLOSE
            if not whole:
                _sample(question, samples, seed, counts)
    except DeadlineError:
        # A limit around this one may have run out too.
        count_work(0, "odds")
        if not (counts or (whole and tree.chances)):
            raise
    if whole:
        return _enumerated(tree, verdict)
    number = sum(counts.values())
    # Half-width of the Wilson interval at 95 %: never zero, also for rare results.
    z = 1.96
    outcomes = []
    for name, times in counts.items():
        p = times / number
        width = z * sqrt(p * (1 - p) / number + z * z / (4 * number**2)) / (1 + z * z / number)
        outcomes.append(Outcome(name, p, width))
    return Odds(_likely_first(outcomes), False, number, verdict)


def sampled(
    system: System, state: State, action: Action, samples: int, seed: int | str = 0
) -> dict[str, int]:
    """How often each outcome comes of an action in so many runs, with dice from a seed.

    By label as of `outcome_label`, in the order of the alphabet; choices take their default. Empty
    for an action that is illegal. Raises as `odds`.
    """
    system.permit(state, Question.odds(action))
    question = _Question(system, state, action, take_default, outcome_label, lambda number: None)
    if question.session(SharedRun(_SHALLOW)).verdict.kind is Kind.ILLEGAL:
        return {}
    counts: dict[str, int] = {}
    _sample(question, samples, seed, counts)
    return dict(sorted(counts.items()))


def _enumerated(tree: _Tree, verdict: Verdict) -> Odds:
    """What a tree tells: the chances, or between which they lie where it has not grown whole."""
    chances = tree.chances
    rest = 1 - sum(chances.values(), Fraction(0))
    half = float(rest / 2)
    outcomes = [
        Outcome(name, float(chance + rest / 2), half, None if rest else chance)
        for name, chance in chances.items()
    ]
    return Odds(_likely_first(outcomes), not rest, tree.branches, verdict, float(rest))


def _likely_first(outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    return tuple(sorted(outcomes, key=lambda outcome: (-outcome.chance, outcome.label)))


def _sample(question: _Question, samples: int, seed: int | str, counts: dict[str, int]) -> None:
    """Run an action so often with dice from a seed, and count the results by label."""
    dice, shared = SeededDice(seed), SharedRun(_SHALLOW)
    for number in range(samples):
        session = question.session(shared)
        while (roll := question.advance(session)) is not None:
            session.send(Answer(faces=dice.roll(roll)))
        assert question.label is not None
        name = question.label(session.events)
        counts[name] = counts.get(name, 0) + 1
        question.progress(number + 1)
