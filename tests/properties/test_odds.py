"""Odds against every branch run by itself, with nothing shared and no results taken together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import tapeline as tl
from support.scenarios import golden_cases, scene_of
from tapeline.analysis.odds import outcome_label
from tapeline.dice import Roll, classes_of_roll, number_of_classes
from tapeline.engine.asks import Answer, Choice
from tapeline.engine.referee import Session
from tapeline.errors import MeasuringError, TapelineError

pytestmark = pytest.mark.compiled

#: Runs that one truth may take.
MOST = 700


def steady(choice: Choice) -> Any:
    try:
        return tl.take_default(choice)
    except TapelineError:
        return choice.options[0].value if choice.options else None


class TooMany(Exception):
    pass


def truth(battle: tl.Battle, request: Any) -> dict[str, Fraction]:
    """Chances by label, from all classes of all rolls."""
    action = battle.action(request)
    chances: dict[str, Fraction] = {}
    runs = 0

    def session(rolled: tuple[tuple[int, ...], ...]) -> Session:
        found, ahead = Session(battle.system, battle.state, action, nearest=False), list(rolled)
        while found.ask is not None:
            if isinstance(found.ask, Choice):
                assert found.send(Answer(value=steady(found.ask)))
            elif ahead:
                found.send(Answer(faces=ahead.pop(0)))
            else:
                break
        return found

    todo: list[tuple[tuple[tuple[int, ...], ...], Fraction]] = [((), Fraction(1))]
    while todo:
        rolled, chance = todo.pop()
        runs += 1
        now = session(rolled)
        if isinstance(now.ask, Roll):
            if number_of_classes(now.ask) + len(todo) + runs > MOST:
                raise TooMany
            todo += [((*rolled, c.faces), chance * c.chance) for c in classes_of_roll(now.ask)]
        else:
            label = outcome_label(now.events)
            chances[label] = chances.get(label, Fraction(0)) + chance
    return chances


def dicey(system: str, every: int) -> Iterator[tuple[str, tl.Battle, Any]]:
    """Every so many of the golden cases that begin with dice."""
    of = [case for _, case in golden_cases() if case["scene"]["system"] == system]
    for case in [case for case in of if case["steps"][0].get("dice")][::every]:
        yield case["id"], tl.load(scene_of(case)), case["steps"][0]["action"]


@pytest.mark.parametrize("system", ["mordheim", "trench-crusade", "warmaster", "sovl"])
def test_odds_are_those_of_all_branches(system: str, budget: Callable[[int, int], int]) -> None:
    told = rolled = 0
    for name, battle, action in dicey(system, budget(28, 1)):
        try:
            found = battle.odds(action, chooser=steady)
            expected = truth(battle, action)
        except (MeasuringError, TooMany):
            continue
        if not found.verdict.legal:
            continue
        assert found.exact, name
        assert {one.label: one.exact for one in found.outcomes} == expected, name
        told += 1
        rolled += len(expected) > 1
    assert told > 1
    assert rolled
