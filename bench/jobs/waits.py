"""What a user waits for: offers, actions and odds in random legal play, surveys of cities."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import TypeVar

from bench.harness import DisagreementError, Figure, Setting
from tapeline.cli.files import kind_of_file
from tapeline.dice import SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.asks import Choice, take_default
from tapeline.errors import AnswerError, MeasuringError
from tapeline.play.battle import Battle, load
from tapeline.play.cities import make_city
from tapeline.play.surveys import compile_kernels, survey
from tapeline.play.systems import load_system
from tapeline.table.marks import Value

__all__ = ["odds", "surveys", "waits"]

EXAMPLES = Path(__file__).parents[2] / "examples"
#: Systems whose tables have storeys, and seeds of their cities.
CITIES, SEEDS = ("mordheim", "trench-crusade"), (1, 2)
#: Offers looked at in each state, goals: steps a second, and seconds.
OFFERS = 12
STEPS = {"sovl": 3_000, "trench-crusade": 600, "mordheim": 600, "warmaster": 250}
WORST_ACTION_S, WORST_OFFERS_S, FIRST_OFFER_S, ODDS_S = 0.15, 0.1, 0.01, 0.5
SURVEY_S = 120.0

ResultT = TypeVar("ResultT")


def _scenes(setting: Setting) -> Iterator[tuple[str, Battle]]:
    for path in sorted(EXAMPLES.glob("*.json")):
        if kind_of_file(path) == "scene":
            yield path.stem, load(path)
    for system in CITIES:
        for seed in SEEDS[: setting.count(2, 1)]:
            yield f"city {seed}, {system}", load(make_city(load_system(system), seed))


def _timed(call: Callable[[], ResultT]) -> tuple[ResultT, float]:
    """What a call gives and the processor time it takes, seconds."""
    begun = time.process_time()
    found = call()
    return found, time.process_time() - begun


def _some(offers: Iterator[Action], count: int) -> list[Action]:
    return list(islice(offers, count))


def _chosen(rng: Random) -> Callable[[Choice], Value]:
    def choose(choice: Choice) -> Value:
        try:
            return take_default(choice)
        except AnswerError:
            return rng.choice(choice.options).value

    return choose


def _steps(battle: Battle, count: int) -> Iterator[tuple[Battle, list[Action], list[float]]]:
    """Battles of seeded play, what is offered in each, and the times of the first offer, of all of
    them and of the action then done."""
    start, rng, dice = battle, Random(7), SeededDice(7)
    for _ in range(count):
        offers = battle.offers(rng)
        first, soon = _timed(partial(_some, offers, 1))
        more, later = _timed(partial(_some, offers, OFFERS - 1))
        if not first:
            battle = start
            continue
        action = rng.choice(first + more)
        try:
            doing = partial(battle.play, action, dice=dice, chooser=_chosen(rng))
            (after, _), acting = _timed(doing)
        except AnswerError as error:
            raise DisagreementError(f"{action} could not be played: {error}") from error
        yield battle, first + more, [soon, soon + later, acting]
        battle = after


def waits(setting: Setting) -> list[Figure]:
    """Steps a second with offers; the worst first offer, offers and action of seeded play."""
    figures = []
    for name, battle in _scenes(setting):
        times = [spent for *_, spent in _steps(battle, setting.count(400, 25))]
        whole = sum(offers + acting for _, offers, acting in times)
        rate, goal = len(times) / whole, STEPS[battle.system.name]
        figures.append(
            Figure(name, "steps", f"{rate:,.0f}/s", goal=f">= {goal:,}", met=rate >= goal)
        )
        limits = (FIRST_OFFER_S, WORST_OFFERS_S, WORST_ACTION_S)
        for what, limit, found in zip(
            ("first offer", "offers", "action"), limits, zip(*times, strict=True), strict=True
        ):
            worst, usual = max(found), sorted(found)[int(0.99 * len(found))]
            figures.append(
                Figure(
                    name,
                    f"worst {what}",
                    f"{1e3 * worst:.1f} ms",
                    goal=f"<= {1e3 * limit:g} ms",
                    met=worst <= limit,
                    note=f"99 %: {1e3 * usual:.1f} ms",
                )
            )
    return figures


def odds(setting: Setting) -> list[Figure]:
    """The worst odds of what is offered in seeded play, and how many of them are exact."""
    figures = []
    for name, battle in _scenes(setting):
        spent, exact, bad = 0.0, 0, 0
        choose = _chosen(Random(1))
        for now, offers, _ in _steps(battle, setting.count(60, 12)):
            for action in offers[:4]:
                try:
                    found, took = _timed(partial(now.odds, action, chooser=choose))
                except MeasuringError:
                    continue
                spent, exact, bad = max(spent, took), exact + found.exact, bad + (not found.exact)
        figures.append(
            Figure(
                name,
                "worst odds",
                f"{1e3 * spent:.1f} ms",
                goal=f"<= {1e3 * ODDS_S:g} ms",
                met=spent <= ODDS_S and not bad,
                note=f"{exact} exact, {bad} not",
            )
        )
    return figures


def surveys(setting: Setting) -> list[Figure]:
    """A whole survey of a city at its usual step."""
    compile_kernels()
    figures = []
    for system in CITIES[: setting.count(2, 1)]:
        _, spent = _timed(partial(survey, make_city(load_system(system), 1)))
        goal, met = f"<= {SURVEY_S:g} s", spent <= SURVEY_S
        figures.append(Figure(f"city 1, {system}", "survey", f"{spent:.1f} s", goal=goal, met=met))
    return figures
