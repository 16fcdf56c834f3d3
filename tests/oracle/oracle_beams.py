"""Sight by trying very many segments: slow, plain, and with nothing of the library in it.

A solid is a convex prism (corners, 0, bottom, top) or a cylinder ([centre], radius, bottom, top). A
body may be a convex loop grown by a radius.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


class Block(NamedTuple):
    corners: tuple[tuple[float, float], ...]
    radius: float
    bottom: float
    top: float


def spots(rng: np.random.Generator, body: Block, count: int) -> Points:
    """Random points of a body, most of them on its rims."""
    corners = np.array(body.corners)
    weights = rng.dirichlet(np.full(len(corners), 0.4), count)
    plan = weights @ corners
    angle = rng.uniform(0.0, 2.0 * math.pi, count)
    out = body.radius * np.where(rng.random(count) < 0.7, 1.0, np.sqrt(rng.random(count)))
    plan = plan + np.stack([out * np.cos(angle), out * np.sin(angle)], 1)
    at_rim = np.where(rng.random(count) < 0.6, body.top, body.bottom)
    height = np.where(rng.random(count) < 0.7, at_rim, rng.uniform(body.bottom, body.top, count))
    return np.column_stack([plan, height])


def enters(start: Points, end: Points, solid: Block, slack: float) -> NDArray[np.bool_]:
    """Whether segments run through the inside of a solid, deeper than slack."""
    low = np.zeros(len(start))
    high = np.ones(len(start))
    way = end - start

    def keep(value: Points, slope: Points) -> None:
        # The part of each segment where value + t slope > 0.
        nonlocal low, high
        with np.errstate(divide="ignore", invalid="ignore"):
            at = -value / slope
        low = np.where(slope > 0.0, np.maximum(low, at), low)
        high = np.where(slope < 0.0, np.minimum(high, at), high)
        high = np.where((slope == 0.0) & (value <= 0.0), -1.0, high)

    keep(start[:, 2] - solid.bottom - slack, way[:, 2])
    keep(solid.top - slack - start[:, 2], -way[:, 2])
    if solid.radius > 0.0:
        cx, cy = solid.corners[0]
        ex, ey = start[:, 0] - cx, start[:, 1] - cy
        a = way[:, 0] ** 2 + way[:, 1] ** 2
        b = ex * way[:, 0] + ey * way[:, 1]
        c = ex * ex + ey * ey - (solid.radius - slack) ** 2
        under = b * b - a * c
        ok = (under > 0.0) & (a > 0.0)
        root = np.sqrt(np.where(ok, under, 0.0))
        a = np.where(a > 0.0, a, 1.0)
        low = np.maximum(low, np.where(ok, (-b - root) / a, 2.0))
        high = np.minimum(high, np.where(ok, (-b + root) / a, -1.0))
    else:
        corners = solid.corners
        for k, (ax, ay) in enumerate(corners):
            bx, by = corners[(k + 1) % len(corners)]
            d = math.hypot(bx - ax, by - ay)
            ux, uy = (bx - ax) / d, (by - ay) / d
            keep(
                ux * (start[:, 1] - ay) - uy * (start[:, 0] - ax) - slack,
                ux * way[:, 1] - uy * way[:, 0],
            )
    return high - low > 1e-9


def a_free_segment(
    rng: np.random.Generator,
    one: Block,
    other: Block,
    solids: list[Block],
    count: int,
    slack: float = 1e-9,
) -> tuple[Points, Points] | None:
    """Some segment between two bodies that enters no solid, of so many tried; None if none."""
    start, end = spots(rng, one, count), spots(rng, other, count)
    free = np.ones(count, dtype=bool)
    floor = min(one.bottom, other.bottom)
    for solid in solids:
        # Nothing is seen from under a solid that stands as low as both bodies.
        sunk = solid if solid.bottom > floor else solid._replace(bottom=-math.inf)
        free &= ~enters(start, end, sunk, slack)
    found = np.flatnonzero(free)
    if len(found) == 0:
        return None
    return start[found[0]], end[found[0]]
