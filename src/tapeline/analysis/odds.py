"""Odds of an action: every result of its dice, exactly, by running the same procedure.

Results that the rules cannot tell apart are taken together: by what the roll says (`dice.classes`),
so that ten shooting dice are eleven branches, and by what the procedure says (`Run.roll`), so that
a test has two. A branch that leads back to a roll further up, as a tie does that is rolled off
again, is not followed: what comes of that roll comes of it over and over, a geometric series whose
sum is exact. Runs of one action share what dice do not change (`SharedRun`). Likely branches come
first; where the work runs out, the rest bounds every chance. Where the branches exceed the guard,
seeded sampling takes over. Either way the answer states its error.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from math import prod, sqrt
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


class _Again:
    """The rolls of one branch that may be asked anew, each by the faces rolled before it."""

    def __init__(self, question: _Question) -> None:
        # Other labels may look at every event.
        self.counts = question.label in (None, outcome_label)
        self.asked: dict[Rolled, tuple[Roll, State]] = {}

    def back(self, roll: Roll | None, session: Session, rolled: Rolled) -> Rolled | None:
        """The place of an earlier roll that all is as at now; None if it is at none."""
        if roll is None or not session.anew or not self.counts:
            return None
        for place, (other, state) in self.asked.items():
            if roll == other and session.state == state:
                return place
        self.asked[rolled] = roll, session.state
        return None


class _Tree:
    """The branches of an action's dice. ends: where they end, if there are no labels, and the
    chances of coming there."""

    def __init__(self, question: _Question) -> None:
        self.question = question
        self.shared = SharedRun(_DEEP)
        self.branches = 0
        self._ends: list[tuple[Fraction, tuple[Rolled, ...], Session]] = []
        # By label, and by what rolls that may be asked anew were on the way to it.
        self._chances: dict[tuple[tuple[Rolled, ...], str], Fraction] = {}
        # Of rolls that may be asked anew: the chance of coming there at first, and of coming back,
        # each with what other such rolls were on the way.
        self._first: dict[Rolled, Fraction] = {}
        self._back: dict[Rolled, list[tuple[Fraction, tuple[Rolled, ...]]]] = {}

    @property
    def chances(self) -> dict[str, Fraction]:
        """Of the results come to so far, by label."""
        found: dict[str, Fraction] = {}
        often = self._often()
        for (places, name), chance in self._chances.items():
            found[name] = found.get(name, Fraction(0)) + chance * _product(often, places)
        return found

    @property
    def ends(self) -> list[tuple[Fraction, Session]]:
        often = self._often()
        return [(chance * _product(often, places), end) for chance, places, end in self._ends]

    def _often(self) -> dict[Rolled, Fraction]:
        """How often each roll that may be asked anew is come to, once it is: with the chance q of
        coming back, 1 + q + q^2 + ... = 1 / (1 - q) times. The farthest first, as who comes back
        may have come to others over and over."""
        often: dict[Rolled, Fraction] = {}
        for place in sorted(self._first, key=len, reverse=True):
            came = self._back.get(place, ())
            again = sum((chance * _product(often, on) for chance, on in came), Fraction(0))
            often[place] = 1 / (1 - again / self._first[place])
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
            session, again = question.session(self.shared), _Again(question)
            roll = question.advance(session)
            rolled: Rolled = ()
            back = again.back(roll, session, rolled)
            for faces in whole:
                session.send(Answer(faces=faces))
                roll, rolled = question.advance(session), (*rolled, faces)
                back = again.back(roll, session, rolled)
            while roll is not None and back is None:
                if rolled in again.asked:
                    self._first[rolled] = -chance
                if number_of_classes(roll) > guard:
                    raise _too_many(guard)
                *others, result = question.results(roll, session)
                if 1 + len(others) + len(heap) + self.branches > guard:
                    raise _too_many(guard)
                for other in others:
                    heappush(heap, (chance * other.chance, next(order), (*rolled, other.faces)))
                # This session goes on with the most likely one.
                rolled, chance = (*rolled, result.faces), chance * result.chance
                session.send(Answer(faces=result.faces))
                roll = question.advance(session)
                back = again.back(roll, session, rolled)
            self.branches += 1
            question.progress(self.branches)
            places = tuple(again.asked)
            if back is not None:
                nearer = tuple(place for place in places if len(place) > len(back))
                self._back.setdefault(back, []).append((-chance, nearer))
                continue
            if question.label is None:
                self._ends.append((-chance, places, session))
            else:
                key = places, question.label(session.events)
                self._chances[key] = self._chances.get(key, Fraction(0)) - chance
            yield -chance, session


def _too_many(guard: int) -> WorkLimitError:
    return WorkLimitError(f"more than {guard} results of the dice: too many to look at each")


def _product(often: Mapping[Rolled, Fraction], places: Iterable[Rolled]) -> Fraction:
    """How often all of some rolls are come to."""
    return prod((often[place] for place in places), start=Fraction(1))


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
    return _tree(system, state, action, chooser).growing(guard)


def _tree(
    system: System, state: State, action: Action, chooser: Callable[[Choice], Value] | None
) -> _Tree:
    choose = chooser or take_default
    return _Tree(_Question(system, state, action, choose, None, lambda number: None))


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
    system.permit(state, Question("odds", getattr(action, "actor", None), "", action))

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
    system.permit(state, Question("odds", getattr(action, "actor", None), "", action))
    question = _Question(system, state, action, take_default, outcome_label, lambda number: None)
    if question.session(SharedRun(_SHALLOW)).verdict.kind is Kind.ILLEGAL:
        return {}
    counts: dict[str, int] = {}
    _sample(question, samples, seed, counts)
    return dict(sorted(counts.items()))


def _enumerated(tree: _Tree, verdict: Verdict) -> Odds:
    """What a tree tells: the chances, or between which they lie where it has not grown whole."""
    rest = tree.rest
    half = float(rest / 2)
    outcomes = [
        Outcome(name, float(chance + rest / 2), half, None if rest else chance)
        for name, chance in tree.chances.items()
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
