"""Ways of bodies to zones: how many moves they take, and who leaves none.

A way is what a base sweeps that goes straight to a place (a rectangle with its front ahead); others
stand in it with the largest circles within their bases.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Point
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.solids import ground_of
from tapeline.table.terrain import Outline

__all__ = ["moves_into"]

#: Places looked at across a zone, either way.
_ACROSS = 5
#: Share of the way from its border to its middle that is well within a zone.
_WITHIN = 0.05


def moves_into(
    moves_to: Callable[[State, Body, Point], float],
    state: State,
    body: Body,
    ground: Outline,
    detour: float,
) -> float:
    """The usual moves that take a body into a zone, straight to the nearest place to which nobody
    stands in the way; so many more where there is none.

    moves_to: the moves to a place, were nobody in the way (`System.moves_to`).
    """
    west, south, east, north = ground.box
    x, y = ground_of(ground).nearest(body.x, body.y)
    border = (
        x + _WITHIN * (0.5 * (west + east) - x),
        y + _WITHIN * (0.5 * (south + north) - y),
    )
    wide, ahead = body.base.reach, body.base.reach
    if isinstance(body.base, Rectangle):
        wide, ahead = 0.5 * body.base.width, 0.5 * body.base.depth
    others = [
        (other.x - body.x, other.y - body.y, wide + other.base.inner, ahead + other.base.inner)
        for other in state.bodies.values()
        if other.id != body.id
    ]
    if _is_clear(body, border, others):
        return moves_to(state, body, border)
    for spot in sorted(_spots(ground), key=lambda one: math.dist(one, body.centre)):
        if _is_clear(body, spot, others):
            return moves_to(state, body, spot)
    return moves_to(state, body, border) + detour


def _is_clear(body: Body, to: Point, others: list[tuple[float, float, float, float]]) -> bool:
    """Whether a body that goes straight to a place comes upon nobody. others: where they are from
    it, how far beside its way and how far beyond its end their middles are clear of it."""
    dx, dy = to[0] - body.x, to[1] - body.y
    d = math.hypot(dx, dy)
    if d <= 0.0:
        return True
    ux, uy = dx / d, dy / d
    for x, y, beside, beyond in others:
        if 0.0 < x * ux + y * uy < d + beyond and -beside < x * uy - y * ux < beside:
            return False
    return True


@lru_cache(maxsize=256)
def _spots(ground: Outline) -> tuple[Point, ...]:
    """Places spread over a zone."""
    west, south, east, north = ground.box
    shares = [(n + 0.5) / _ACROSS for n in range(_ACROSS)]
    spots = [
        (west + (east - west) * i, south + (north - south) * j) for i in shares for j in shares
    ]
    shape = ground_of(ground)
    return tuple(spot for spot in spots if shape.depth(*spot) >= 0.0)
