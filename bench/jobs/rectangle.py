"""First contact of a regiment's rectangle, 5 x 2 in: an 8 in slide, a quarter turn on a corner."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import shapely
from shapely import Polygon
from shapely.affinity import rotate
from shapely.geometry.base import BaseGeometry

from bench.harness import DisagreementError, Figure, Setting, compare, time_each
from bench.peers.bisection import placed, slide_contact, turn_contact
from bench.tables import Table, groups
from tapeline.geometry.rectangle import Rect, Region, region_of_circle, region_of_polygon
from tapeline.geometry.sliding import first_slide_contact
from tapeline.geometry.turning import first_turn_contact

__all__ = ["rectangle"]

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


def _slide(features: list[Region], case: _Case) -> float:
    return first_slide_contact(case.rect, features, case.direction, _SLIDE)[0]


def _turn(features: list[Region], case: _Case) -> float:
    angle = math.radians(case.degrees)
    return math.degrees(first_turn_contact(case.rect, features, case.pivot, angle)[0])


def _peer_slide(ground: BaseGeometry, case: _Case) -> float:
    dx, dy = _SLIDE * case.direction[0], _SLIDE * case.direction[1]
    return slide_contact(ground, case.shape, dx, dy)


def _peer_turn(ground: BaseGeometry, case: _Case) -> float:
    return turn_contact(ground, case.shape, case.pivot, case.degrees)


def _check(table: Table, features: list[Region], ground: BaseGeometry, cases: list[_Case]) -> int:
    """Contacts agree to what bisection resolves. Gives how many grazes the peer's steps missed."""
    missed = 0
    for case in cases:
        # The peer's arcs are chords, up to 0.003 in too small; a grazing course stretches that.
        mine, theirs = _slide(features, case), _peer_slide(ground, case)
        if abs(mine - theirs) > 0.05:
            raise DisagreementError(f"{table.name}: {case}: slide {mine:.6f}, peer {theirs:.6f}")
        mine, theirs = _turn(features, case), _peer_turn(ground, case)
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
        slides: list[Callable[[], float]] = []
        turns: list[Callable[[], float]] = []
        peer_slides: list[Callable[[], float]] = []
        peer_turns: list[Callable[[], float]] = []
        missed = 0
        for table in group.tables:
            rings = table.shapes
            features = [region_of_polygon(list(s.exterior.coords)[:-1]) for s in rings]
            features += [region_of_circle(*disc) for disc in table.discs]
            bases = [shapely.Point(x, y).buffer(r, quad_segs=64) for x, y, r in table.discs]
            ground = shapely.union_all([*rings, *bases])
            shapely.prepare(ground)
            cases = _cases(table, ground, count)
            missed += _check(table, features, ground, cases)
            for case in cases:
                slides.append(partial(_slide, features, case))
                turns.append(partial(_turn, features, case))
            for case in cases[: max(2, 40 // len(group.tables))]:
                peer_slides.append(partial(_peer_slide, ground, case))
                peer_turns.append(partial(_peer_turn, ground, case))
        for job, ours, theirs, note in (
            ("rectangle, 8 in slide", slides, peer_slides, ""),
            ("rectangle, quarter turn", turns, peer_turns, f"peer missed {missed} grazes"),
        ):
            figures.append(
                compare(
                    job,
                    group.name,
                    time_each(ours, 3).median,
                    time_each(theirs, 1).median,
                    "shapely, bisection",
                    300.0,
                    f"{len(ours)} contacts checked" + (f"; {note}" if note else ""),
                )
            )
    return figures
