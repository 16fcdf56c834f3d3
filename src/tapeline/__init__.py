"""Tapeline: the referee with the tape measure for miniatures wargames on an open table.

>>> import tapeline as tl
>>> battle = tl.load("examples/sovl-crossroads.json")        # doctest: +SKIP
>>> verdict = battle.judge(tl.Advance("A1", distance=5))     # doctest: +SKIP
>>> verdict.legal, verdict.findings, verdict.nearest         # doctest: +SKIP

Actions are written as `tl.Charge("red-1", target="blue-2")` for every system; the battle's own
system checks them. Everything else is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tapeline import requests
from tapeline.errors import (
    AnswerError,
    DeadlineError,
    DiceError,
    DocumentError,
    LogError,
    MeasuringError,
    ShapeError,
    TapelineError,
    UnknownIdError,
    UnknownSystemError,
    WorkLimitError,
)
from tapeline.requests import *  # noqa: F403

if TYPE_CHECKING:
    from tapeline.dice import ScriptedDice, SeededDice
    from tapeline.engine.asks import take_default
    from tapeline.engine.verdicts import Finding, Kind, Verdict
    from tapeline.play.battle import Battle, load
    from tapeline.play.match import Match, rereferee
    from tapeline.play.systems import load_system, system_names
    from tapeline.work import work_limit

__version__ = "0.1.0"

_WHERE = {
    "Battle": "tapeline.play.battle",
    "Finding": "tapeline.engine.verdicts",
    "Kind": "tapeline.engine.verdicts",
    "Match": "tapeline.play.match",
    "ScriptedDice": "tapeline.dice",
    "SeededDice": "tapeline.dice",
    "Verdict": "tapeline.engine.verdicts",
    "load": "tapeline.play.battle",
    "load_system": "tapeline.play.systems",
    "rereferee": "tapeline.play.match",
    "system_names": "tapeline.play.systems",
    "take_default": "tapeline.engine.asks",
    "work_limit": "tapeline.work",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'tapeline' has no attribute {name!r}")
    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def Dice(*rolls: list[int] | tuple[int, ...], seed: int | str | None = None) -> Any:
    """Dice from a seed (`tl.Dice(seed=7)`) or written down (`tl.Dice([3, 4], [6])`).

    Raises DiceError if both or neither are given.
    """
    from tapeline.dice import ScriptedDice, SeededDice

    if (seed is None) == (not rolls):
        raise DiceError("give either rolls or a seed")
    return SeededDice(seed) if seed is not None else ScriptedDice(rolls)


__all__ = [
    "AnswerError",
    "Battle",
    "DeadlineError",
    "Dice",
    "DiceError",
    "DocumentError",
    "Finding",
    "Kind",
    "LogError",
    "Match",
    "MeasuringError",
    "ScriptedDice",
    "SeededDice",
    "ShapeError",
    "TapelineError",
    "UnknownIdError",
    "UnknownSystemError",
    "Verdict",
    "WorkLimitError",
    "load",
    "load_system",
    "rereferee",
    "system_names",
    "take_default",
    "work_limit",
]
__all__ += requests.__all__
