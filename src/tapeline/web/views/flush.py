"""Where a stand comes to lie when it is pushed against others of its unit, as fingers do it.

A help for the hand: it is told nothing but where the bases are held, and the referee rules the
move that comes of it like any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tapeline.engine.state import State
from tapeline.table.bodies import Round
from tapeline.web.documents import asked as documents

__all__ = ["flush_view"]

#: Facings nearer than this, degrees, are one for a hand.
_ALIKE = 1e-6


@dataclass(frozen=True, slots=True)
class _Held:
    """A rectangular base as the hand holds it."""

    at: documents.Stood
    width: float
    depth: float


def flush_view(state: State, asked: documents.Push) -> documents.Laid:
    """The place of a stand, shifted by less than `near` to lie edge to edge with another one.

    Of all places the nearest. Lined up with the other stand comes before pushed up against it
    somewhere along its edge, by half of `near`. Stands that look another way are left alone, and
    what fits nowhere stays where it is held. Raises UnknownIdError.
    """
    stand = _held(state, asked.stand)
    best, against, least = (asked.stand.x, asked.stand.y), None, asked.near
    if stand is not None:
        for other in _alike(state, stand, asked.others):
            for way, spot in _spots(stand, other, asked.near):
                if way < least:
                    best, against, least = spot, other.at.body, way
    return documents.Laid(x=best[0], y=best[1], against=against)


def _held(state: State, at: documents.Stood) -> _Held | None:
    """The base of a body as it is held; None for round ones, which have no edge."""
    base = state.body(at.body).base
    return None if isinstance(base, Round) else _Held(at, base.width, base.depth)


def _alike(state: State, stand: _Held, others: Iterable[documents.Stood]) -> Iterable[_Held]:
    """The others whose edges are parallel to the same edges of the stand."""
    for at in others:
        held = _held(state, at)
        between = (stand.at.facing - at.facing) % 180.0
        if held is not None and min(between, 180.0 - between) < _ALIKE:
            yield held


def _spots(stand: _Held, other: _Held, near: float) -> Iterable[tuple[float, tuple[float, float]]]:
    """Places of the stand along the edges of another, and how far each is, as a hand weighs it."""
    turn = math.radians(other.at.facing)
    c, s = math.cos(turn), math.sin(turn)
    dx, dy = stand.at.x - other.at.x, stand.at.y - other.at.y
    ahead, left = dx * c + dy * s, dy * c - dx * s
    deep, wide = (stand.depth + other.depth) / 2.0, (stand.width + other.width) / 2.0
    aside, along = math.copysign(wide, left), math.copysign(deep, ahead)
    wanted = [(0.0, aside, 0.0), (along, 0.0, 0.0)]
    if abs(ahead) < deep:
        wanted.append((ahead, aside, near / 2.0))
    if abs(left) < wide:
        wanted.append((along, left, near / 2.0))
    for a, b, more in wanted:
        place = (other.at.x + a * c - b * s, other.at.y + a * s + b * c)
        yield math.hypot(a - ahead, b - left) + more, place
