"""Sight between bodies against very many segments tried: what is said to be seen has a free
segment, and where nothing is said to be seen every segment tried is blocked."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.sight.bodies import Solid, Solids, sight_between_bodies

from .oracle_beams import Block, a_free_segment, enters

pytestmark = pytest.mark.compiled


def box(x: float, y: float, w: float, d: float, turn: float) -> tuple[tuple[float, float], ...]:
    c, s = math.cos(turn), math.sin(turn)
    return tuple(
        (x + 0.5 * (i * w * c - j * d * s), y + 0.5 * (i * w * s + j * d * c))
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )


def as_solid(block: Block) -> Solid:
    flat = tuple(v for corner in block.corners for v in corner)
    return Solid(Part(flat, block.radius), block.bottom, block.top)


def ruins(rng: random.Random) -> list[Block]:
    found = []
    for _ in range(rng.randint(1, 12)):
        bottom = rng.choice([0.0, 0.0, 0.0, 1.0, 2.0, 3.0, rng.uniform(0, 4)])
        top = bottom + rng.choice([0.75, 1.0, 2.0, 3.0, rng.uniform(0.1, 3)])
        x, y = rng.uniform(2, 10), rng.uniform(-3, 3)
        if rng.random() < 0.25:
            found.append(Block(((x, y),), rng.uniform(0.2, 1.2), bottom, top))
        else:
            turn = rng.choice([0.0, 0.0, rng.uniform(0, 3)])
            corners = box(x, y, rng.uniform(0.1, 5), rng.uniform(0.1, 3), turn)
            found.append(Block(corners, 0.0, bottom, top))
    return found


def model(rng: random.Random, x: float, y: float) -> Block:
    z = rng.choice([0.0, 0.0, 1.0, 3.0, rng.uniform(0, 4)])
    top = z + rng.choice([0.625, 1.25, 2.0])
    shape = rng.random()
    if shape < 0.6:
        return Block(((x, y),), rng.choice([0.4, 0.5, 0.8]), z, top)
    if shape < 0.8:
        return Block(box(x, y, 1.0, 2.0, rng.uniform(0, 3)), 0.0, z, top)
    swept = ((x, y), (x + rng.uniform(-1, 1), y + rng.uniform(0.1, 1)))
    return Block(swept, 0.5, z, top)


def clear_of(solid: Block, body: Block) -> bool:
    """Whether a solid surely stays out of a body."""
    if solid.top <= body.bottom or solid.bottom >= body.top:
        return True
    from shapely import Point, Polygon
    from shapely.geometry import MultiPoint

    ground = MultiPoint(body.corners).convex_hull.buffer(body.radius + 0.01, 64)
    if solid.radius > 0.0:
        return bool(ground.disjoint(Point(solid.corners[0]).buffer(solid.radius + 0.01, 64)))
    return bool(ground.disjoint(Polygon(solid.corners)))


def test_sight_between_bodies_against_segments(budget: Callable[[int, int], int]) -> None:
    seen = hidden = 0
    for case in range(budget(500, 10_000)):
        rng, many = random.Random(case), np.random.default_rng(case)
        one = model(rng, 0.0, 0.0)
        other = model(rng, rng.choice([12.0, 12.0, 5.0]), rng.uniform(-2, 2))
        solids = [s for s in ruins(rng) if clear_of(s, one) and clear_of(s, other)]
        if not solids:
            continue
        sight = sight_between_bodies(
            as_solid(one), as_solid(other), Solids([as_solid(s) for s in solids])
        )
        assert sight.certain, case
        if sight.visible:
            seen += 1
            assert sight.line is not None
            start, end = (np.array([point]) for point in sight.line)
            for solid in solids:
                assert not enters(start, end, solid, 1e-6)[0], case
        else:
            hidden += 1
            assert a_free_segment(many, one, other, solids, 15_000) is None, case
    assert seen > 100
    assert hidden > 40


def test_one_over_the_other(budget: Callable[[int, int], int]) -> None:
    """Models on two floors of a house: plans that overlap, seen through holes and over ledges."""
    seen = hidden = 0
    for case in range(budget(150, 3_000)):
        rng, many = random.Random(case), np.random.default_rng(case)
        one = Block(((0.0, 0.0),), 0.5, 0.0, 1.25)
        at = (rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5))
        other = Block((at,), 0.5, 3.0, 3.0 + rng.choice([0.625, 1.25]))
        solids = []
        for _ in range(rng.randint(1, 4)):
            x, y = rng.uniform(-2, 2), rng.uniform(-2, 2)
            low = rng.choice([1.5, 2.0, 2.9])
            ground = box(x, y, rng.uniform(1, 6), rng.uniform(1, 6), rng.choice([0.0, 0.5]))
            solids.append(Block(ground, 0.0, low, low + 0.1))
        sight = sight_between_bodies(
            as_solid(one), as_solid(other), Solids([as_solid(s) for s in solids])
        )
        assert sight.certain
        if sight.visible:
            seen += 1
            assert sight.line is not None
            start, end = (np.array([point]) for point in sight.line)
            assert not any(enters(start, end, solid, 1e-6)[0] for solid in solids), case
        else:
            hidden += 1
            assert a_free_segment(many, one, other, solids, 15_000) is None, case
    assert seen > 20
    assert hidden > 20
