"""First contact of a regiment's rectangle, 5 x 2 in: an 8 in slide, a quarter turn on a corner."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import shapely
from shapely import Polygon
from shapely.affinity import rotate
from shapely.geometry.base import BaseGeometry

from bench.harness import DisagreementError, Figure, Setting, compare, time_each, time_whole
from bench.peers.bisection import placed, slide_contact, turn_contact
from bench.tables import Table, groups
from tapeline.geometry import backends
from tapeline.geometry.rectangles.obstacles import Obstacles
from tapeline.geometry.rectangles.rectangle import Rect, region_of_circle, region_of_polygon

__all__ = ["rectangle"]

Call: TypeAlias = Callable[[], float]

_WIDTH, _DEPTH, _SLIDE = 5.0, 2.0, 8.0


@dataclass(frozen=True)
class _Case:
    rect: Rect
    shape: Polygon
    direction: tuple[float, float]
    pivot: tuple[float, float]
    degrees: float


def _cases(table: Table, ground: BaseGeometry, count: int) -> list[_Case]:
    rng = random.Random(f"rectangle-{table.name}")
    found: list[_Case] = []
    for _ in range(200_000):
        if len(found) == count:
            return found
        x, y = rng.uniform(3, table.width - 3), rng.uniform(3, table.depth - 3)
        facing, way = rng.uniform(0, 360), rng.uniform(0, math.tau)
        shape = placed(_WIDTH, _DEPTH, x, y, facing)
        if ground.intersects(shape):
            continue
        rect = Rect(x, y, math.radians(facing), _WIDTH, _DEPTH)
        pivot = rect.corners[rng.randrange(4)]
        direction = (math.cos(way), math.sin(way))
        found.append(_Case(rect, shape, direction, pivot, rng.choice((90.0, -90.0))))
    raise RuntimeError(f"{table.name}: no room for {count} rectangles")


def _slide(obstacles: Obstacles, case: _Case) -> float:
    return obstacles.slide(case.rect, case.direction, _SLIDE)[0]


def _turn(obstacles: Obstacles, case: _Case) -> float:
    return math.degrees(obstacles.turn(case.rect, case.pivot, math.radians(case.degrees))[0])


def _rows(cases: list[_Case]) -> tuple[Any, Any, Any, Any, Any]:
    """Corners, directions, distances, pivots and angles of many cases, flat."""
    return (
        backends.floats([v for case in cases for v in case.rect.loop], True),
        backends.floats(
            [v / math.hypot(*case.direction) for case in cases for v in case.direction], True
        ),
        backends.floats([_SLIDE] * len(cases), True),
        backends.floats([v for case in cases for v in case.pivot], True),
        backends.floats([math.radians(case.degrees) for case in cases], True),
    )


def _peer_slide(ground: BaseGeometry, case: _Case) -> float:
    dx, dy = _SLIDE * case.direction[0], _SLIDE * case.direction[1]
    return slide_contact(ground, case.shape, dx, dy)


def _peer_turn(ground: BaseGeometry, case: _Case) -> float:
    return turn_contact(ground, case.shape, case.pivot, case.degrees)


def _check(table: Table, obstacles: Obstacles, ground: BaseGeometry, cases: list[_Case]) -> int:
    """Contacts agree to what bisection resolves. Gives how many grazes the peer's steps missed."""
    loops, directions, distances, pivots, angles = _rows(cases)
    slid, _ = obstacles.slides(loops, directions, distances)
    turned, _ = obstacles.turns(loops, pivots, angles)
    for i, case in enumerate(cases):
        one, other = _slide(obstacles, case), _turn(obstacles, case)
        if float(slid[i]) != one or math.degrees(float(turned[i])) != other:
            raise DisagreementError(f"{table.name}: {case}: batch and single calls differ")
    backends.use("plain")
    for i, case in enumerate(cases[:10]):
        one, other = _slide(obstacles, case), _turn(obstacles, case)
        if abs(float(slid[i]) - one) > 1e-9 or abs(math.degrees(turned[i]) - other) > 1e-9:
            raise DisagreementError(f"{table.name}: {case}: the two backends differ")
    backends.use("compiled")
    missed = 0
    for case in cases:
        # The peer's arcs are chords, up to 0.003 in too small; a grazing course stretches that.
        mine, theirs = _slide(obstacles, case), _peer_slide(ground, case)
        if abs(mine - theirs) > 0.05:
            raise DisagreementError(f"{table.name}: {case}: slide {mine:.6f}, peer {theirs:.6f}")
        mine, theirs = _turn(obstacles, case), _peer_turn(ground, case)
        if mine > theirs + 0.5:
            raise DisagreementError(f"{table.name}: {case}: turn {mine:.6f}, peer {theirs:.6f}")
        if mine < theirs - 0.5:
            sense = math.copysign(1.0, case.degrees)
            deep = max(
                float(
                    rotate(case.shape, sense * (mine + k), origin=case.pivot)
                    .intersection(ground)
                    .area
                )
                for k in (1e-4, 1e-3, 1e-2, 0.1, 0.2, 0.3)
            )
            if deep <= 0.0:
                raise DisagreementError(
                    f"{table.name}: {case}: turn {mine:.6f}, where shapely finds no overlap"
                )
            missed += 1
    return missed


def rectangle(setting: Setting) -> list[Figure]:
    """Slide and turn in closed form against bisection."""
    figures = []
    for group in groups(setting, ((20, 40), (60, 40), (200, 40))):
        count = max(4, setting.count(120, 40) // len(group.tables))
        slides: list[Call] = []
        turns: list[Call] = []
        peer_slides: list[Call] = []
        peer_turns: list[Call] = []
        batch_slides = batch_turns = 0.0
        missed = total = 0
        for table in group.tables:
            regions = [region_of_polygon(list(s.exterior.coords)[:-1]) for s in table.shapes]
            regions += [region_of_circle(*disc) for disc in table.discs]
            obstacles = Obstacles(regions)
            bases = [shapely.Point(x, y).buffer(r, quad_segs=64) for x, y, r in table.discs]
            ground = shapely.union_all([*table.shapes, *bases])
            shapely.prepare(ground)
            cases = _cases(table, ground, count)
            missed += _check(table, obstacles, ground, cases)
            slides += [partial(_slide, obstacles, case) for case in cases]
            turns += [partial(_turn, obstacles, case) for case in cases]
            few = cases[: max(2, 40 // len(group.tables))]
            peer_slides += [partial(_peer_slide, ground, case) for case in few]
            peer_turns += [partial(_peer_turn, ground, case) for case in few]
            total += len(cases)
            loops, directions, distances, pivots, angles = _rows(cases)
            slid = time_whole(partial(obstacles.slides, loops, directions, distances))
            turned = time_whole(partial(obstacles.turns, loops, pivots, angles))
            batch_slides += slid.low
            batch_turns += turned.low
        for job, ours, theirs, batch, note in (
            ("rectangle, 8 in slide", slides, peer_slides, batch_slides / total, ""),
            (
                "rectangle, quarter turn",
                turns,
                peer_turns,
                batch_turns / total,
                f"; peer missed {missed} grazes",
            ),
        ):
            peer, name = time_each(theirs, 1).median, "shapely, bisection"
            note = f"{total} contacts agree{note}"
            call = time_each(ours, 3).median
            backends.use("plain")
            plain = time_each(ours[:40], 2).median
            backends.use("compiled")
            figures.append(compare(f"{job}, batch", group.name, batch, peer, name, 300.0, note))
            figures.append(compare(f"{job}, a call", group.name, call, peer, name))
            figures.append(compare(f"{job}, plain backend", group.name, plain, peer, name))
    return figures
