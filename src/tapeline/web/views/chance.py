"""What a system leaves to the players (a shot, a blow), drawn by its table of chances for who has
no dice at hand: among the results stands one more, "By chance".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from tapeline.dice import Roll
from tapeline.engine.asks import Ask, AttestedChoice
from tapeline.engine.attested import Chances
from tapeline.engine.system import System
from tapeline.table.marks import Value, thaw
from tapeline.web.documents.verdict import Option

__all__ = [
    "BY_CHANCE",
    "action_with",
    "answer_with",
    "chances_of",
    "chances_of_answer",
    "left_to_chance",
    "options_of",
]

#: What is given in place of a result.
BY_CHANCE = "by chance"


def chances_of(system: System, kind: Any, slot: str) -> Chances | None:
    """The chances of what goes into a field of a kind of action, where somebody chooses that."""
    chances = system.attested.get(kind) if slot and isinstance(kind, str) else None
    return chances if chances and chances.slot == slot and chances.befalls is None else None


def chances_of_answer(system: System, ask: Ask) -> Chances | None:
    """The chances of the answers to a question."""
    return system.attested.get(ask.clause) if isinstance(ask, AttestedChoice) else None


def answer_with(system: System, ask: Ask, value: Any, rng: Random | None) -> Any:
    """The answer to a question, drawn if it is left to chance; its default, which tells nothing, if
    there is nothing to draw with."""
    chances = chances_of_answer(system, ask)
    if chances is None or value != BY_CHANCE or isinstance(ask, Roll):
        return value
    return thaw(ask.default if rng is None else chances.draw(rng))


def options_of(known: Iterable[tuple[Value, str]], chances: Chances | None) -> list[Option]:
    """What may be chosen, as it travels: with chances, to let these decide, too."""
    options = [Option(value=thaw(value), text=text) for value, text in known]
    return options if chances is None else [*options, Option(value=BY_CHANCE, text="By chance")]


def left_to_chance(system: System, document: Mapping[str, Any]) -> tuple[str, Chances] | None:
    """The field of an action that is left to chance, with its chances; None if none is."""
    for slot, value in document.items():
        chances = chances_of(system, document.get("kind"), slot)
        if value == BY_CHANCE and chances is not None:
            return slot, chances
    return None


def action_with(
    system: System, document: Mapping[str, Any], rng: Random | None = None
) -> Mapping[str, Any]:
    """The document of an action with its result drawn, if that is left to chance; without it, as
    where nothing is told, if there is nothing to draw with."""
    left = left_to_chance(system, document)
    if left is None:
        return document
    slot, chances = left
    rest = {name: value for name, value in document.items() if name != slot}
    return rest if rng is None else {**rest, slot: chances.draw(rng)}
