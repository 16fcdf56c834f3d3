"""Numbers and shapes that will not do: a clear error at the door or a right answer, nothing else.

Every entry of the measuring is asked at random with infinities, NaN, negative, huge and vanishing
numbers, and with rings that cross, touch or repeat themselves.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.rectangles.corner_paths import FreeLeg, SlideLeg, TurnLeg, travel_of
from tapeline.geometry.rectangles.free_leg import free_leg, free_leg_to_border
from tapeline.geometry.rectangles.gaps import narrow_zone
from tapeline.geometry.rectangles.motion_plan import FreeSpace, plan_stand
from tapeline.geometry.rectangles.obstacles import Obstacles
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    region_of_circle,
    region_of_polygon,
    region_of_rect,
    region_of_segment,
    separation,
)
from tapeline.geometry.rectangles.slide import slide
from tapeline.geometry.rectangles.turn import turn
from tapeline.geometry.sight.lines import sight_to_region
from tapeline.geometry.sight.visible_region import Blockers
from tapeline.geometry.surfaces.level import Level, Slope
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.weighted import WeightedLevels
from tapeline.geometry.weighted.regions import WeightedDisc, WeightedGround, WeightedRing
from tapeline.geometry.weighted.route import WeightedRouter

pytestmark = pytest.mark.compiled

NUMBERS = (0.0, -0.0, -1.0, math.nan, math.inf, -math.inf, 1e9, -1e9, 1e300, 5e-324, 1e-12, 1e6)
RINGS = (
    (2.0, 2.0, 6.0, 6.0, 6.0, 2.0, 2.0, 6.0),  # crosses itself
    (2.0, 2.0, 2.0, 2.0, 6.0, 2.0, 6.0, 6.0),  # a corner twice
    (2.0, 2.0, 10.0, 2.0, 2.0, 2.0 + 1e-12),  # a needle
    (3.0, 3.0, 9.0, 3.0, 9.0, 9.0, 6.0, 3.0, 3.0, 9.0),  # touches itself
    (1e9, 1e9, 1e9 + 1.0, 1e9, 1e9 + 1.0, 1e9 + 1.0),  # far away
    (2.0, 2.0, 4.0, 2.0, 6.0, 2.0),  # no area
)


class Chance:
    """Numbers and shapes at random, some of them bad."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.bad = self.rng.choice((0.02, 0.1, 0.3))

    def number(self) -> float:
        return self.rng.choice(NUMBERS) if self.rng.random() < self.bad else self.rng.uniform(0, 20)

    def point(self) -> tuple[float, float]:
        return self.number(), self.number()

    def size(self) -> float:
        return self.rng.choice((0.5, 1.0, self.number()))

    def disc(self) -> tuple[float, float, float]:
        return self.number(), self.number(), self.size()

    def ring(self) -> list[float]:
        if self.rng.random() < self.bad:
            return list(self.rng.choice(RINGS))
        if self.rng.random() < self.bad:
            return [self.number() for _ in range(self.rng.randrange(12))]
        x, y = self.rng.uniform(0, 15), self.rng.uniform(0, 15)
        w, h = self.rng.uniform(0.1, 4), self.rng.uniform(0.1, 4)
        return [x, y, x + w, y, x + w, y + h, x, y + h]

    def goal(self) -> Goal:
        if self.rng.random() < 0.5:
            return PointGoal(*self.point())
        return CircleGoal(*self.disc(), self.rng.random() < 0.5)

    def limit(self) -> float:
        return self.rng.choice((12.0, 0.0, 1e6, self.number()))

    def field(self) -> Field:
        some = self.rng.randrange
        return Field.of(
            width=self.rng.choice((20.0, 20.0, math.inf, self.number())),
            depth=20.0,
            solids=[self.ring() for _ in range(some(4))],
            walls=[[self.number() for _ in range(4)] for _ in range(some(2))],
            posts=[self.disc() for _ in range(some(2))],
            grounds=[self.ring() for _ in range(some(2))],
            bodies={str(i): self.disc() for i in range(some(3))},
        )

    def plain_field(self) -> Field:
        """One that is sound: what is asked of it is bad, or nothing."""
        bodies = {"0": (8.0, 12.0, 0.6), "1": (8.0, 12.0, 0.6)}  # two in one place
        solids = [[4, 4, 6, 4, 6, 6, 4, 6], [10, 2, 14, 2, 14, 9, 10, 9]]
        return Field.of(width=20.0, depth=20.0, solids=solids, bodies=bodies)

    def levels(self) -> Levels:
        slope = Slope.rising(self.number(), self.number(), self.number())
        low = Level("a", self.plain_field(), 0.0, slope if self.rng.random() < 0.3 else None)
        high = Level("b", Field.of(width=20.0, depth=20.0), self.number())
        link = Link("l", "ladder", ("a", *self.point()), ("b", *self.point()), self.number())
        side = (*self.point(), *self.point())
        portal = Portal("p", "stair", ("a", *side), ("b", *side))
        return Levels([low, high], [link], [portal] if self.rng.random() < 0.5 else [])

    def ground(self) -> WeightedGround:
        ring = WeightedRing(tuple(self.ring()), self.rng.choice((2.0, 4.0, self.number())))
        disc = WeightedDisc(*self.disc(), self.rng.choice((2.0, self.number())))
        areas: list[WeightedRing | WeightedDisc] = [ring, disc]
        return WeightedGround(areas[: self.rng.randrange(3)])

    def rect(self) -> Rect:
        angle = self.rng.choice((0.0, 90.0, self.number()))
        return Rect.of_degrees(*self.point(), angle, self.size(), self.size())

    def region(self) -> Region:
        kind = self.rng.randrange(4)
        if kind == 0:
            return region_of_circle(*self.disc())
        if kind == 1:
            return region_of_rect(self.rect())
        if kind == 2:
            return region_of_segment(self.point(), self.point())
        ring = self.ring()
        return region_of_polygon(list(zip(ring[::2], ring[1::2], strict=False)))


def _discs(c: Chance) -> list[Any]:
    field = c.field() if c.rng.random() < 0.5 else c.plain_field()
    r, flat = c.size(), [c.number() for _ in range(8)]
    return [
        _asked(lambda: field.added("z", *c.disc()).bodies["z"]),
        _asked(lambda: field.moved("0", *c.point()).bodies["0"]),
        _asked(lambda: field.standable(*c.point(), r)),
        _asked(lambda: field.straight(*c.point(), *c.point(), r)),
        _asked(lambda: field.follows([c.point() for _ in range(c.rng.randrange(5))], r)),
        _asked(lambda: list(field.follows_many(flat, [0, 2, 4], r))),
    ]


def _routes(c: Chance) -> list[Any]:
    field = c.field() if c.rng.random() < 0.5 else c.plain_field()
    r, limit, zones = c.size(), c.limit(), [c.disc()] if c.rng.random() < 0.3 else []
    goals = [c.goal() for _ in range(c.rng.randrange(3))]
    one = _asked(lambda: field.route(c.point(), goals, r, limit=limit, zones=zones))
    many = _asked(lambda: field.routes([c.point()], [c.point(), c.point()], r, limit=limit))
    reach = _asked(lambda: field.reach(c.point(), r, limit, zones=zones, no_end=zones))
    found = [one, many, reach]
    if not isinstance(reach, str) and limit < 100:
        found.append(_asked(lambda: reach.cost(*c.point())))
        found.append(_asked(lambda: reach.contains(*c.point())))
        found.append(_asked(lambda: reach.outline().area))
    return found


def _floors(c: Chance) -> list[Any]:
    levels, r, limit = c.levels(), c.size(), c.limit()
    slow = WeightedLevels(levels, r, {"a": [WeightedRing((2, 2, 8, 2, 8, 8, 2, 8), c.number())]})
    reach = _asked(lambda: slow.reach(("a", *c.point()), min(limit, 20.0)))
    found = [
        _asked(lambda: levels.route(("a", *c.point()), [("b", c.goal())], r, limit=limit)),
        _asked(lambda: levels.reach(("a", *c.point()), r, min(limit, 20.0))),
        reach,
    ]
    if not isinstance(reach, str):
        found.append(_asked(lambda: reach.route(("b", *c.point()), work=2_000)))
    return found


def _slow_ground(c: Chance) -> list[Any]:
    router, limit = WeightedRouter(c.plain_field(), c.size(), c.ground()), c.limit()
    reach = _asked(lambda: router.reach(c.point(), min(limit, 8.0)))
    cheapest = _asked(lambda: router.cheapest(c.point(), [c.goal()], limit=limit, work=2_000))
    found = [cheapest, reach]
    if not isinstance(reach, str):
        found.append(_asked(lambda: reach.cost(*c.point())))
        found.append(_asked(lambda: reach.outline(resolution=1.0).area))
    return found


def _rectangles(c: Chance) -> list[Any]:
    rect, regions = c.rect(), [c.region() for _ in range(3)]
    obstacles, region = Obstacles(regions), regions[0]
    space = FreeSpace(tuple(regions[:2]), 20.0, 20.0)
    legs: list[SlideLeg | TurnLeg | FreeLeg] = [
        SlideLeg(*c.point()),
        TurnLeg(*c.point(), c.number()),
        FreeLeg(*c.point(), c.number()),
    ]
    return [
        _asked(lambda: separation(rect, region).gap),
        _asked(lambda: obstacles.slide(rect, c.point(), c.number())),
        _asked(lambda: obstacles.turn(rect, c.point(), c.number())),
        _asked(lambda: obstacles.free(rect, c.point(), c.number())),
        _asked(lambda: slide(rect, region, c.point(), c.number())),
        _asked(lambda: turn(rect, region, c.point(), c.number())),
        _asked(lambda: free_leg(rect, region, c.point(), c.point(), c.number())),
        _asked(lambda: free_leg_to_border(rect, c.point(), c.point(), c.number(), 20.0, 20.0)),
        _asked(lambda: travel_of(rect, legs).farthest_followed),
        _asked(lambda: separation(region, regions[1]).gap),
        _asked(lambda: narrow_zone(region, regions[1], c.number())),
        _asked(lambda: plan_stand(rect, c.rect(), space, c.limit(), work=40, tries=10).cost),
    ]


def _sight(c: Chance) -> list[Any]:
    regions = [c.region() for _ in range(3)]
    blockers = Blockers(regions, 20.0, 20.0)
    return [
        _asked(lambda: blockers.seen_from(c.point()).area),
        _asked(lambda: sight_to_region(c.point(), c.region(), regions).visible),
    ]


def _asked(ask: Callable[[], Any]) -> Any:
    """The answer, or the error's name; any other error goes through."""
    try:
        return ask()
    except (ShapeError, WorkLimitError) as error:
        return type(error).__name__ if str(error).strip() else "no word"


@pytest.mark.parametrize("job", [_discs, _routes, _floors, _slow_ground, _rectangles, _sight])
def test_bad_input_gets_an_error_that_says_so_or_a_number(
    job: Callable[[Chance], list[Any]], budget: Callable[[int, int], int]
) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(budget(80, 5000)):
        found = _asked(lambda seed=seed: job(Chance(seed)))  # type: ignore[misc]
        for answer in [found] if isinstance(found, str) else found:
            kinds[answer if isinstance(answer, str) else "answer"] += 1
            if isinstance(answer, float):
                assert not math.isnan(answer), seed
    assert min(kinds["answer"], kinds["ShapeError"]) > 10, kinds
    assert not kinds["no word"]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Rect(0.0, 0.0, 0.0, 5e-324, 1.0), "sides 5e-324 and 1.0"),
        (lambda: Rect(1e9, 0.0, 0.0, 1e-9, 1.0), "1e-06 or more here"),
        (lambda: Rect(1e300, 0.0, 0.0, 1.0, 1.0), "1e10, not 1e+300"),
        (lambda: region_of_circle(0.0, 0.0, 1e-12), "radius 1e-12"),
        (lambda: region_of_segment((1.0, 1.0), (1.0, 1.0 + 1e-12)), "coincide"),
        (lambda: region_of_polygon([(0, 0), (0, 5e-324), (1, 0)]), "2 distinct corners"),
        (lambda: travel_of(Rect(0, 0, 0, 2, 1), [TurnLeg(0, 0, math.inf)]), "not inf"),
        (lambda: travel_of(Rect(0, 0, 0, 2, 1), [FreeLeg(0, 0, math.nan)]), "not nan"),
        (
            lambda: free_leg(Rect(0, 0, 0, 2, 1), Rect(9, 0, 0, 2, 1), (0, 0), (1, 0), 1e4),
            "more than 1000 times round",
        ),
    ],
)
def test_shapes_too_small_or_too_large_to_measure_are_refused(
    make: Callable[[], Any], says: str
) -> None:
    with pytest.raises(ShapeError) as caught:
        make()
    assert says in str(caught.value)
