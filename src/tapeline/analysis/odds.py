"""Odds of an action: every result of its dice, exactly, by running the same procedure.

Rolls are split into classes that the rules cannot tell apart (`dice.classes`), so ten shooting
dice are eleven branches. Where the branches exceed the guard, seeded sampling takes over and the
answer states its error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from tapeline.dice import Roll, SeededDice, classes_of_roll, number_of_classes
from tapeline.engine.actions import Action
from tapeline.engine.asks import Answer, Choice
from tapeline.engine.events import Event, Happened
from tapeline.engine.referee import Session
from tapeline.engine.state import State
from tapeline.engine.system import Question, System
from tapeline.engine.verdicts import Kind, Verdict
from tapeline.errors import AnswerError
from tapeline.table.marks import Value

__all__ = ["Odds", "Outcome", "odds", "outcome_label"]

#: Branches enumerated before sampling takes over.
GUARD = 20_000
#: Games sampled when it does.
SAMPLES = 20_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """One result told apart, its chance, and the half-width of its 95 % interval (0 if exact)."""

    label: str
    chance: float
    error: float
    exact: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Odds:
    """The results of an action, most likely first.

    exact: whether every branch was enumerated. branches: how many runs it took. verdict: the
    ruling before any dice; if it is ILLEGAL there are no outcomes.
    """

    outcomes: tuple[Outcome, ...]
    exact: bool
    branches: int
    verdict: Verdict

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


def odds(
    system: System,
    state: State,
    action: Action,
    *,
    chooser: Callable[[Choice], Value] | None = None,
    label: Callable[[tuple[Event, ...]], str] = outcome_label,
    guard: int = GUARD,
    samples: int = SAMPLES,
    seed: int | str = 0,
    progress: Callable[[int], None] | None = None,
) -> Odds:
    """Odds of what an action leads to.

    chooser: answers the choices on the way (by default each choice's default is taken; a choice
    without default raises AnswerError). guard: branches to enumerate at most before sampling
    `samples` runs from `seed`. progress: called with the number of runs so far.
    Raises MeasuringError where the rules do not let anybody know yet.
    """
    system.permit(state, Question("odds", getattr(action, "actor", None), "", action))
    choose = chooser or _default
    first = Session(system, state, action, nearest=False)
    if first.verdict.kind is Kind.ILLEGAL:
        return Odds((), True, 1, first.verdict)
    exact = _enumerate(system, state, action, choose, label, guard, progress)
    if exact is None:
        return _sample(system, state, action, choose, label, samples, seed, first.verdict, progress)
    chances, branches = exact
    outcomes = [Outcome(name, float(chance), 0.0, chance) for name, chance in chances.items()]
    outcomes.sort(key=lambda outcome: (-outcome.chance, outcome.label))
    return Odds(tuple(outcomes), True, branches, first.verdict)


def _default(choice: Choice) -> Value:
    if choice.default is None and choice.fault(None) is not None:
        raise AnswerError(f"{choice.by} must choose: {choice.purpose}; say how with a chooser")
    return choice.default


def _advance(session: Session, choose: Callable[[Choice], Value]) -> Roll | None:
    """Answer choices until dice are needed; None when the action is over."""
    while isinstance(session.ask, Choice):
        choice = session.ask
        if not session.send(Answer(value=choose(choice))):
            why = "; ".join(finding.text for finding in session.verdict.findings)
            raise AnswerError(f"{choice.purpose}: the chooser's answer is refused: {why}")
    return session.ask


def _enumerate(
    system: System,
    state: State,
    action: Action,
    choose: Callable[[Choice], Value],
    label: Callable[[tuple[Event, ...]], str],
    guard: int,
    progress: Callable[[int], None] | None,
) -> tuple[dict[str, Fraction], int] | None:
    chances: dict[str, Fraction] = {}
    branches = 0
    # Each entry: the faces of every roll so far, and the chance of coming here.
    stack: list[tuple[tuple[tuple[int, ...], ...], Fraction]] = [((), Fraction(1))]
    while stack:
        rolled, chance = stack.pop()
        session = Session(system, state, action, nearest=False)
        roll = _advance(session, choose)
        for faces in rolled:
            session.send(Answer(faces=faces))
            roll = _advance(session, choose)
        if roll is None:
            branches += 1
            if progress is not None and branches % 500 == 0:
                progress(branches)
            name = label(session.events)
            chances[name] = chances.get(name, Fraction(0)) + chance
            continue
        if number_of_classes(roll) + len(stack) + branches > guard:
            return None
        stack.extend(
            ((*rolled, result.faces), chance * result.chance) for result in classes_of_roll(roll)
        )
    return chances, branches


def _sample(
    system: System,
    state: State,
    action: Action,
    choose: Callable[[Choice], Value],
    label: Callable[[tuple[Event, ...]], str],
    samples: int,
    seed: int | str,
    verdict: Verdict,
    progress: Callable[[int], None] | None,
) -> Odds:
    dice = SeededDice(seed)
    counts: dict[str, int] = {}
    for number in range(samples):
        session = Session(system, state, action, nearest=False)
        while (roll := _advance(session, choose)) is not None:
            session.send(Answer(faces=dice.roll(roll)))
        name = label(session.events)
        counts[name] = counts.get(name, 0) + 1
        if progress is not None and number % 500 == 499:
            progress(number + 1)
    outcomes = []
    for name, count in counts.items():
        p = count / samples
        # Half-width of the Wilson interval at 95 %: never zero, also for rare results.
        z = 1.96
        width = z * sqrt(p * (1 - p) / samples + z * z / (4 * samples**2)) / (1 + z * z / samples)
        outcomes.append(Outcome(name, p, width))
    outcomes.sort(key=lambda outcome: (-outcome.chance, outcome.label))
    return Odds(tuple(outcomes), False, samples, verdict)
