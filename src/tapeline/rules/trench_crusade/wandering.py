"""Paths worth offering over storeys: ladders, climbs, jumps down and over, flights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Line
from tapeline.rules.trench_crusade.figures import LOW_OBSTACLE_IN
from tapeline.rules.trench_crusade.policy import built, terrain_of
from tapeline.rules.trench_crusade.state import flies, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import box_of
from tapeline.table.storeys import TABLE, Surface
from tapeline.travel.terrain import Terrain

__all__ = ["ways_up_and_down"]

#: Inches between places at which the far side of a gap is looked for.
_STRIDE = 0.25


def ways_up_and_down(state: State, body: Body, allowance: float, rng: Random) -> list[LegPath]:
    """Paths that leave the level a model is on, in random order; not all of them are legal."""
    found: list[LegPath] = []
    if flies(body):
        found += _flights(state, body, allowance, rng)
    elif built(state.table):
        heights = terrain_of(state)
        surface = heights.storeys.support(body.x, body.y, body.z, TOLERANCE)
        if surface is not None:
            found += _ladders(heights, body, allowance)
            for end in _ahead(heights, surface, body, allowance, rng):
                found += _straight_on(heights, surface, body, end)
    rng.shuffle(found)
    return found


def _flights(state: State, body: Body, allowance: float, rng: Random) -> Iterator[LegPath]:
    heights = terrain_of(state)
    for _ in range(3):
        angle, far = rng.uniform(0.0, math.tau), allowance * math.sqrt(rng.random())
        x, y = body.x + far * math.cos(angle), body.y + far * math.sin(angle)
        for surface in heights.storeys.over(x, y, TOLERANCE)[:1]:
            z = surface.height(x, y)
            yield (Leg(to=(x, y), z=z, how="fly"),)
            top = max(z, body.z) + 1.0
            mid = (0.5 * (x + body.x), 0.5 * (y + body.y))
            yield (Leg(to=mid, z=top, how="fly"), Leg(to=(x, y), z=z, how="fly"))


def _ladders(heights: Terrain, body: Body, allowance: float) -> Iterator[LegPath]:
    for ladder in heights.table.ladders:
        for here, there in ((ladder.foot, ladder.head), (ladder.head, ladder.foot)):
            near = math.dist(here[:2], body.centre) <= allowance
            if near and not more_than(abs(here[2] - body.z), 0.0):
                yield Leg(to=here[:2]), Leg(to=there[:2], z=there[2])


def _ahead(
    heights: Terrain, surface: Surface, body: Body, allowance: float, rng: Random
) -> Iterator[tuple[float, float]]:
    """Ends of straight lines worth trying: over edges of its surface, on to other ones."""
    r = radius(body)
    if surface.id != TABLE:
        edges = [e for e in heights.storeys.edges(surface) if e.beyond is not None]
        for edge in rng.sample(edges, min(2, len(edges))):
            x, y = edge.at(rng.random())
            yield x + 1.5 * r * edge.nx, y + 1.5 * r * edge.ny
    reach = allowance + r
    box = (body.x - reach, body.y - reach, body.x + reach, body.y + reach)
    others = [s for s in heights.storeys.near(box) if s.id not in (TABLE, surface.id)]
    for other in rng.sample(others, min(2, len(others))):
        x, y = other.outer.nearest(body.x, body.y)
        d = math.dist((x, y), body.centre)
        if 0.0 < d <= allowance:
            k = (d + 1.5 * r) / d
            yield body.x + k * (x - body.x), body.y + k * (y - body.y)


def _straight_on(
    heights: Terrain, surface: Surface, body: Body, end: tuple[float, float]
) -> Iterator[LegPath]:
    line, r = Line(*body.centre, *end), radius(body)
    if line.length <= TOLERANCE:
        return
    yield (Leg(to=end),)
    for other in heights.storeys.over(*end, TOLERANCE):
        if more_than(abs(other.height(*end) - body.z), LOW_OBSTACLE_IN):
            yield (Leg(to=end, z=other.height(*end), how="climb"),)
    off = surface.leaves(line, TOLERANCE)
    if off is not None:
        yield (Leg(to=end, how="drop"),)
        ux, uy = (end[0] - body.x) / line.length, (end[1] - body.y) / line.length
        s = off + _STRIDE
        while s < off + 0.5 * body.stat("movement"):
            x, y = body.x + s * ux, body.y + s * uy
            for far in heights.storeys.over(x, y, TOLERANCE):
                if far is not surface and far.id != TABLE:
                    landing = (x + (r + _STRIDE) * ux, y + (r + _STRIDE) * uy)
                    yield (Leg(to=landing, how="jump"),)
                    return
            s += _STRIDE
    elif any(o.ground.spans(line) for o in heights.near(box_of(line, 0.0))):
        yield (Leg(to=end, z=body.z, how="climb"),)
