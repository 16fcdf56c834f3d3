"""Figures and sentences for people: in pictures and on the command line alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapeline.dice import Roll
from tapeline.engine.actions import Action
from tapeline.engine.asks import Ask
from tapeline.engine.codec import action_document
from tapeline.engine.score import score_words
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.engine.verdicts import Finding
from tapeline.wording import figure, figures, spaced

__all__ = [
    "action_words",
    "ask_words",
    "document_words",
    "measure_words",
    "turn_words",
    "value_words",
]


def measure_words(finding: Finding) -> str:
    """What was measured and the limit, "" if nothing was."""
    measured, limit = finding.measured, finding.limit
    if measured is not None and limit is not None:
        pair = figures(round(measured, 9), round(limit, 9))  # the rest is rounding
        return f"measured {pair[0]}, limit {pair[1]}"
    if measured is not None:
        return f"measured {figure(measured)}"
    return "" if limit is None else f"limit {figure(limit)}"


def value_words(value: object) -> str:
    """A plain value for people."""
    if isinstance(value, float):
        return figure(value, 3)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "[" + ", ".join(value_words(item) for item in value) + "]"
    if isinstance(value, dict):
        return " ".join(
            value_words(item)
            if key in {"to", "centre"} and len(value) == 1
            else f"{key} {value_words(item)}"
            for key, item in value.items()
        )
    return str(value)


def action_words(action: Action) -> str:
    """An action in one line, much as it is typed: `advance A1 distance=5`."""
    return document_words(action_document(action))


def document_words(document: Mapping[str, Any]) -> str:
    """The same of the document of an action."""
    rest = dict(document)
    words = [rest.pop("kind"), rest.pop("actor", None)]
    words += [f"{key}={value_words(value)}" for key, value in rest.items()]
    return " ".join(str(word) for word in words if word)


def ask_words(ask: Ask) -> str:
    """What is asked of whom."""
    if isinstance(ask, Roll):
        return f"{ask.by} rolls {ask.count}D{ask.sides}: {ask.purpose} ({ask.clause})"
    if ask.form == "one":
        among = "; ".join(f"{option.value!r} {option.text}".strip() for option in ask.options)
        return f"{ask.by} chooses: {ask.purpose} ({ask.clause}): {among}"
    if ask.form == "number":
        among = f"from {figure(ask.low)} to {figure(ask.high)}"
        return f"{ask.by} chooses a number {among}: {ask.purpose} ({ask.clause})"
    return f"{ask.by} gives a path: {ask.purpose} ({ask.clause})"


def turn_words(state: State) -> str:
    """Round, phase and who is to act, in one line."""
    turn = state.turn
    name = next((side.name for side in state.sides if side.id == turn.active), turn.active)
    parts = [f"Round {turn.round}"]
    if turn.phase:
        parts.append(spaced(turn.phase))
    if name:
        parts.append(f"{name} to act")
    return " · ".join(parts)


def status_lines(state: State, system: System) -> list[str]:
    """Where the game is, in the words of the system, or the turn line if it has none; the score."""
    score = score_words(state)
    return [*(system.status(state) or [turn_words(state)]), *([score] if score else [])]
