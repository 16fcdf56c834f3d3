"""A hash of a state, alike on every machine, so that two tables can tell that they agree."""

from __future__ import annotations

import json
from hashlib import sha256

from tapeline.engine.state import State
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.marks import thaw

__all__ = ["digest"]

#: Decimals of a length or angle that take part: finer than any rule, coarser than libm.
_DECIMALS = 8


def _number(value: float) -> float:
    return round(value, _DECIMALS) + 0.0


def _rounded(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, float | list | dict):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return {key: _rounded(item) for key, item in value.items()}


def _text(value: object) -> str:
    return json.dumps(_rounded(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _body(body: Body) -> str:
    cached = body._digest
    if not cached:
        base = body.base
        size = [base.width, base.depth] if isinstance(base, Rectangle) else [base.radius]
        text = _text(
            [
                body.id,
                body.side,
                size,
                [body.x, body.y, body.z, body.facing],
                body.profile,
                thaw(body.stats),
                thaw(body.marks),
            ]
        )
        cached.append(sha256(text.encode()).hexdigest())
    return cached[0]


def digest(state: State) -> str:
    """32 hexadecimal characters over everything in the state that can change during a game."""
    turn = state.turn
    rest = _text(
        [
            state.system,
            [turn.round, turn.phase, turn.active, turn.initiative],
            thaw(state.options),
            thaw(state.progress),
            [[unit.id, list(unit.members), thaw(unit.marks)] for unit in state.units.values()],
        ]
    )
    whole = sha256(rest.encode())
    for body in state.bodies.values():
        whole.update(_body(body).encode())
    whole.update(b"|")
    for body in state.gone.values():
        whole.update(_body(body).encode())
    return whole.hexdigest()[:32]
