"""Actions as people write them, for every system: `Charge("red-1", target="blue-2")`.

Each is a `Request`: kind and parameters as in a document. The system of the battle checks it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeline.engine.actions import Request

__all__ = [
    "Action",
    "Activate",
    "Advance",
    "Cast",
    "Charge",
    "CloseDeclarations",
    "Compulsory",
    "Crawl",
    "Dash",
    "DeclareCharge",
    "EndActivation",
    "EndPhase",
    "Fight",
    "Flight",
    "Hide",
    "Measure",
    "Move",
    "NextTurn",
    "Pass",
    "Pivot",
    "Rally",
    "Retreat",
    "Shoot",
    "StandUp",
    "Strike",
]


def Action(kind: str, actor: str | None = None, **parameters: Any) -> Request:
    """An action of any kind, also of kinds without a name here.

    >>> Action("pivot", "A1", angle=45).document()
    {'kind': 'pivot', 'actor': 'A1', 'angle': 45}
    """
    if actor is not None:
        parameters = {"actor": actor, **parameters}
    return Request(kind, parameters)


def _named(kind: str) -> Callable[..., Request]:
    def make(actor: str | None = None, **parameters: Any) -> Request:
        return Action(kind, actor, **parameters)

    make.__doc__ = f'An action of kind "{kind}"; parameters as in its document.'
    make.__name__ = make.__qualname__ = kind.title().replace("_", "")
    return make


Activate = _named("activate")
Advance = _named("advance")
Cast = _named("cast")
Charge = _named("charge")
CloseDeclarations = _named("close_declarations")
Compulsory = _named("compulsory")
Crawl = _named("crawl")
Dash = _named("dash")
DeclareCharge = _named("declare_charge")
EndActivation = _named("end_activation")
EndPhase = _named("end_phase")
Fight = _named("fight")
Flight = _named("flight")
Hide = _named("hide")
Measure = _named("measure")
Move = _named("move")
NextTurn = _named("next_turn")
Pass = _named("pass")
Pivot = _named("pivot")
Rally = _named("rally")
Retreat = _named("retreat")
Shoot = _named("shoot")
StandUp = _named("stand_up")
Strike = _named("strike")
