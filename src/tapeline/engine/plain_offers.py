"""Offers of a system that says none of its own: what its controls lead to, filled in at random."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.controls import Control, Extra
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.plain_controls import plain_controls
from tapeline.engine.prefix import shortened
from tapeline.engine.referee import Rules, judge
from tapeline.engine.state import State
from tapeline.errors import UnknownIdError
from tapeline.table.bodies import Body, Unit

__all__ = ["plain_offers", "wander"]

#: Fillings tried of what is drawn at random.
_TRIES = 3
#: The longest path drawn at random, as a share of the shorter side of the table.
_FAR = 0.25


def wander(start: tuple[float, float], far: float, rng: Random) -> LegPath:
    """One or two straight legs at random, no longer than `far` in all."""
    (x, y), left = start, far * math.sqrt(rng.random())
    legs = []
    for share in (0.6, 0.4) if rng.random() < 0.5 else (1.0,):
        angle = rng.uniform(0.0, math.tau)
        x, y = x + share * left * math.cos(angle), y + share * left * math.sin(angle)
        legs.append(Leg(to=(x, y)))
    return tuple(legs)


def plain_offers(system: Rules, state: State, rng: Random) -> Iterator[Action]:
    """Legal actions of the side to act, or of all: by its bodies and units, then by nobody."""
    everybody: list[Body | Unit] = [*state.units.values(), *state.bodies.values()]
    acting = [one for one in everybody if state.turn.active in ("", one.side)]
    rng.shuffle(acting)
    for actor in (*acting, None):
        of = None if actor is None else actor.id
        for control in plain_controls(system, state, of):
            if control.action.get("actor") != of:
                continue  # of the unit that the body is in
            for action in _filled(system, state, control, actor, rng):
                found = _legal(system, state, action)
                if found is not None:
                    yield found


def _legal(system: Rules, state: State, action: Action) -> Action | None:
    """The action if it is legal, or what of its path is."""
    try:
        legal = judge(system, state, action, nearest=False).legal
        return action if legal else shortened(system, state, action)
    except UnknownIdError:  # of a unit where a body is meant, or the other way round
        return None


def _filled(
    system: Rules, state: State, control: Control, actor: Body | Unit | None, rng: Random
) -> Iterator[Action]:
    """Actions that the control may lead to; none where each stand of a unit needs its own way."""
    settled = {name: value for name, value in control.action.items() if name != "kind"}
    kind: Any = system.actions[str(control.action["kind"])]
    table = state.table
    far = _FAR * min(table.width, table.depth)
    start = actor.centre if isinstance(actor, Body) else (table.width / 2, table.depth / 2)
    gesture = control.gesture
    if gesture == "stands":
        return
    count = {"press": 1, "pick": len(control.candidates)}.get(gesture, _TRIES)
    for turn in range(count):
        fields: dict[str, Any] = dict(settled)
        fields |= {extra.name: _drawn(extra, rng) for extra in control.extras}
        if gesture == "path":
            fields[control.slot] = wander(start, far, rng)
        elif gesture == "pick":
            fields[control.slot] = control.candidates[turn]
        elif gesture == "pick_many":
            some = rng.randint(1, max(1, len(control.candidates)))
            fields[control.slot] = tuple(rng.sample(control.candidates, some))
        elif gesture in ("place", "pose"):
            fields[control.slot] = wander(start, far, rng)[-1].to
        elif gesture in ("turn", "distance"):
            least, most = (-180.0, 180.0) if gesture == "turn" else (0.0, far)
            low = least if control.low is None else control.low
            fields[control.slot] = rng.uniform(low, most if control.high is None else control.high)
        if control.turn_slot:
            fields[control.turn_slot] = rng.uniform(0.0, 360.0)
        yield kind(**fields)


def _drawn(extra: Extra, rng: Random) -> Any:
    if extra.form == "flag":
        return rng.random() < 0.5
    if extra.form == "one":
        return rng.choice(extra.options)[0]
    return extra.default
