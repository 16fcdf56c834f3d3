"""Slow ground over levels: closed forms, one plane cut in two, factors that rise, bad input."""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from support.kernels import warm
from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.surfaces.level import Level, Slope, fence
from tapeline.geometry.surfaces.links import Link, Place, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.geometry.surfaces.weighted import WeightedLevelRoute, WeightedLevels
from tapeline.geometry.weighted.regions import (
    WeightedArea,
    WeightedDisc,
    WeightedGround,
    WeightedRing,
)
from tapeline.geometry.weighted.route import WeightedRouter

R = 0.4
EVERYWHERE = WeightedRing((-50.0, -50.0, 50.0, -50.0, 50.0, 50.0, -50.0, 50.0), 2.0)


def rect(x0: float, y0: float, x1: float, y1: float) -> tuple[float, ...]:
    return (x0, y0, x1, y0, x1, y1, x0, y1)


def least(f: Callable[[float], float], lo: float, hi: float) -> float:
    """The least of a convex function."""
    for _ in range(200):
        a, b = lo + 0.382 * (hi - lo), lo + 0.618 * (hi - lo)
        if f(a) < f(b):
            hi = b
        else:
            lo = a
    return f(lo)


def sound(slow: WeightedLevels, found: WeightedLevelRoute | None, start: Place, end: Place) -> None:
    """What must be true of any answer: bracket, steps that hang together, legs that are free."""
    assert found is not None
    assert found.lower <= found.upper <= found.lower + 0.001 + 1e-9
    route: LevelRoute = found.route
    assert route.cost == found.upper == pytest.approx(slow.cost(route), abs=1e-9)
    assert math.fsum(step.cost for step in route.steps) == pytest.approx(route.cost, abs=1e-9)
    level, at = start[0], slow.levels.level(start[0]).own(*start[1:])
    for step in route.steps:
        if step.link:
            ways: list[Link | Portal] = [*slow.levels.links, *slow.levels.portals]
            way = next(way for way in ways if way.id == step.link)
            ends = {way.start[0]: 0, way.end[0]: 1}
            a, b, c, d = slow.levels.sides(way)
            here, there = ((a, b), (c, d))[:: 1 if ends[level] == 0 else -1]
            t = abs(complex(*at) - here[0]) / max(abs(b - a), 1e-300)
            assert here[0] + t * (here[1] - here[0]) == pytest.approx(complex(*at), abs=1e-7)
            assert there[0] + t * (there[1] - there[0]) == pytest.approx(
                complex(*step.at), abs=1e-7
            )
            level = step.level
        else:
            assert step.level == level
            assert math.dist(step.path.legs[0].start, at) < 1e-7
            for one, two in pairwise(step.path.legs):
                assert math.dist(one.end, two.start) < 1e-7
            assert slow.levels.level(level).field.follows(step.path, slow.r, slack=1e-7)
        at = step.at
    assert level == end[0]
    assert math.dist(slow.levels.level(level).plan(*at), end[1:]) < 1e-7


def two_floors(compiled: bool | None = None) -> Levels:
    """WeightedGround, a floor, and a ladder 3 long."""
    ground = Field.of(width=20.0, depth=20.0, compiled=compiled)
    floor = Field.of(box=(0.0, 0.0, 20.0, 20.0), compiled=compiled)
    ladder = Link("l", "ladder", ("g", 5.0, 5.0), ("f", 5.0, 6.0), cost=3.0)
    return Levels([Level("g", ground), Level("f", floor, height=3.0)], [ladder])


@pytest.fixture(params=["plain", "compiled"])
def compiled(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Both backends."""
    if request.param == "compiled":
        warm()
    backends.use("auto" if request.param == "compiled" else "plain")
    yield request.param == "compiled"
    backends.use("auto")


def test_a_ladder_and_then_slow_ground_by_snells_law(compiled: bool) -> None:
    """2 in of floor from the head of the ladder on, then ground of factor 2."""
    slow = WeightedLevels(two_floors(compiled), R, {"f": [WeightedRing(rect(0, 8, 20, 20), 2.0)]})
    start: Place = ("g", 3.0, 4.0)
    reach = slow.reach(start, 16.0)
    up = math.hypot(2.0, 1.0) + 3.0
    assert reach.cost(("f", 5.0, 7.0)) == pytest.approx(up + 1.0, abs=1e-9)
    place: Place = ("f", 9.0, 10.0)
    true = up + least(lambda x: math.hypot(x - 5, 2) + 2 * math.hypot(9 - x, 2), 5, 9)
    assert reach.cost(place) == pytest.approx(true, abs=1e-7)
    found = reach.route(place)
    sound(slow, found, start, place)
    assert found is not None
    assert found.lower <= true + 1e-9
    assert found.route.links == ("l",)
    assert slow.reach(start, true + 1e-6).contains(place)
    assert slow.reach(start, true - 0.002).excludes(place)
    outside = reach.outline("f")
    assert len(outside.rings) == 1
    for corner in outside.rings[0][::7]:
        cost = reach.cost(("f", *corner))
        edge = not slow.levels.level("f").field.standable(*corner, R + 0.002)
        assert edge or cost == pytest.approx(16.0, abs=0.002)
    assert reach.outline("g").area == pytest.approx(
        WeightedRouter(two_floors(compiled).level("g").field, R, WeightedGround())
        .reach((3.0, 4.0), 16.0)
        .outline()
        .area,
        rel=1e-3,
    )


def test_up_a_ramp_that_is_slow_itself() -> None:
    """A slope of 3 in 4: 5 in of ramp at factor 2, got on and off where that is cheapest."""
    slope = Slope.rising(0.0, 3.0, 4.0, 10.0, 0.0)
    width, run = 6.0, 4.0
    ramp = Field.of(grounds=fence(slope.ring(rect(10.0, 0.0, 10.0 + run, width))))
    ground = Field.of(box=(-R, -R, 10.0 + R, width + R))
    floor = Field.of(box=(14.0 - R, -R, 24.0 + R, width + R))
    levels = Levels(
        [Level("g", ground), Level("r", ramp, slope=slope), Level("f", floor, height=3.0)],
        [],
        [
            Portal("on", "stairs", ("g", 10, 0, 10, width), ("r", 10, 0, 10, width)),
            Portal("off", "stairs", ("r", 14, 0, 14, width), ("f", 14, 0, 14, width)),
        ],
    )
    slow = WeightedLevels(levels, R, {"r": [EVERYWHERE]})
    start: Place = ("g", 8.0, 1.0)

    def along(y: float) -> float:
        return math.hypot(2.0, y - 1.0) + least(
            lambda z: 2.0 * math.hypot(5.0, z - y) + math.hypot(1.0, 5.0 - z), 1.0, 5.0
        )

    true = least(along, 1.0, 5.0)
    place: Place = ("f", 15.0, 5.0)
    reach = slow.reach(start, true + 1.0)
    found = reach.route(place)
    sound(slow, found, start, place)
    assert found is not None
    assert found.lower <= true + 1e-9
    assert found.upper == pytest.approx(true, abs=2e-4)
    assert found.route.links == ("on", "off")
    on_it = reach.route(("r", 12.0, 1.0))
    assert on_it is not None
    assert on_it.upper == pytest.approx(2.0 + 2.0 * 2.5, abs=1e-4), "straight up the slope"


def test_both_gears_agree() -> None:
    warm()
    costs = []
    try:
        for mode in ("plain", "auto"):
            backends.use(mode)
            seam = Seam(random.Random(23), compiled=mode == "auto")
            at = seam.spot(8.0)
            reach = seam.slow.reach(("a", *at), 7.0)
            places = [seam.place(*seam.spot(16.0)) for _ in range(12)]
            costs.append([reach.cost(place) for place in places])
            near = min(places, key=reach.cost)
            costs[-1].append(reach.outline("a", resolution=0.5).area)
            found = reach.route(near)
            assert found is not None
            costs[-1] += [found.lower, found.upper]
    finally:
        backends.use("auto")
    assert costs[0] == costs[1]
    assert sum(map(math.isfinite, costs[0])) > 5


def test_ways_one_way_and_forbidden_kinds() -> None:
    base = two_floors()
    down = Levels(
        base.levels,
        [
            Link("down", "drop", ("f", 5.0, 6.0), ("g", 5.0, 5.0), cost=1.0, both=False),
            Link("up", "ladder", ("g", 15.0, 5.0), ("f", 15.0, 5.0), cost=3.0),
        ],
    )
    slow = WeightedLevels(down, R, {"f": [EVERYWHERE]})
    reach = slow.reach(("g", 5.0, 4.0), 40.0)
    assert reach.cost(("f", 5.0, 6.0)) == pytest.approx(
        math.hypot(10, 1) + 3 + 2 * math.hypot(10, 1), abs=1e-6
    )
    back = slow.reach(("f", 5.0, 8.0), 40.0)
    assert back.cost(("g", 5.0, 4.0)) == pytest.approx(4.0 + 1.0 + 1.0, abs=1e-6)
    barred = WeightedLevels(down, R, {"f": [EVERYWHERE]}, forbid=("ladder",))
    assert not barred.reach(("g", 5.0, 4.0), 40.0).contains(("f", 5.0, 6.0))


def test_a_start_on_the_foot_of_a_ladder_and_a_place_on_its_head() -> None:
    slow = WeightedLevels(two_floors(), R, {"f": [EVERYWHERE], "g": [EVERYWHERE]})
    reach = slow.reach(("g", 5.0, 5.0), 12.0)
    assert reach.cost(("f", 5.0, 6.0)) == pytest.approx(3.0, abs=1e-9)
    assert reach.cost(("f", 7.0, 6.0)) == pytest.approx(7.0, abs=1e-9)
    assert slow.reach(("g", 4.0, 5.0), 12.0).cost(("f", 5.0, 6.0)) == pytest.approx(5.0, abs=1e-9)


class Seam:
    """A plane with obstacles and slow ground, and the same cut in two levels along x = 8.

    The level behind the cut lies turned, shifted, and perhaps mirrored.
    """

    def __init__(self, rng: random.Random, scale: float = 1.0, compiled: bool = False) -> None:
        solids = [self._box(rng, 0.3, 2.0) for _ in range(rng.randint(0, 4))]
        areas = [(self._box(rng, 1.0, 4.0), rng.choice([1.5, 2, 4])) for _ in range(3)]
        posts = [
            (rng.uniform(1, 15), rng.uniform(1, 9), rng.uniform(0.2, 0.8))
            for _ in range(rng.randint(0, 2))
        ]
        self.turn = cmath.rect(1.0, rng.uniform(0.0, 6.0))
        self.mirror = rng.random() < 0.5
        self.shift = complex(rng.uniform(-5, 5), rng.uniform(-5, 5))
        factors = [1.0 + scale * (f - 1.0) for _, f in areas]
        self.one = Field.of(
            box=(-R, -R, 16 + R, 10 + R), solids=solids, posts=posts, compiled=compiled
        )
        pond = (rng.uniform(6, 10), rng.uniform(3, 7), rng.uniform(0.5, 1.5))
        whole: list[WeightedArea] = [WeightedDisc(*pond, 1.0 + 2.0 * scale)]
        whole += [WeightedRing(ring, f) for (ring, _), f in zip(areas, factors, strict=True)]
        behind: list[WeightedArea] = [
            WeightedDisc(*self.laid(*pond[:2]), pond[2], 1.0 + 2.0 * scale)
        ]
        behind += [
            WeightedRing(self._ring(a.ring), a.factor) for a in whole if isinstance(a, WeightedRing)
        ]
        left = Field.of(
            box=(-R, -R, 8 + R, 10 + R),
            solids=[s for s in solids if s[0] < 8 + R],
            posts=[p for p in posts if p[0] - p[2] < 8 + R],
            compiled=compiled,
        )
        right = Field.of(
            grounds=fence(self._ring(rect(8, 0, 16, 10))),
            solids=[self._ring(s) for s in solids if s[2] > 8 - R],
            posts=[(*self.laid(*p[:2]), p[2]) for p in posts if p[0] + p[2] > 8 - R],
            compiled=compiled,
        )
        side = (*self.laid(8, 0), *self.laid(8, 10))
        levels = Levels(
            [Level("a", left), Level("b", right)],
            [],
            [Portal("p", "seam", ("a", 8, 0, 8, 10), ("b", *side))],
        )
        self.slow = WeightedLevels(levels, R, {"a": whole, "b": behind})
        self.router = WeightedRouter(self.one, R, WeightedGround(whole))
        self.rng = rng

    @staticmethod
    def _box(rng: random.Random, least: float, most: float) -> tuple[float, ...]:
        x, y = rng.uniform(1, 12), rng.uniform(1, 7)
        return rect(x, y, x + rng.uniform(least, most), y + rng.uniform(least, most))

    def laid(self, x: float, y: float) -> tuple[float, float]:
        z = complex(x, -y if self.mirror else y) * self.turn + self.shift
        return z.real, z.imag

    def _ring(self, ring: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(v for i in range(0, len(ring), 2) for v in self.laid(*ring[i : i + 2]))

    def spot(self, most: float) -> tuple[float, float]:
        while True:
            x, y = self.rng.uniform(0, most), self.rng.uniform(0, 10)
            if self.one.standable(x, y, R):
                return x, y

    def place(self, x: float, y: float) -> Place:
        return ("a", x, y) if x <= 8.0 else ("b", *self.laid(x, y))


def test_two_levels_cost_what_the_plane_costs_that_they_were_cut_from(
    budget: Callable[[int, int], int],
) -> None:
    rng = random.Random(7)
    met = 0
    for _ in range(budget(1, 400)):
        seam = Seam(rng)
        at = seam.spot(8.0)
        start: Place = ("a", *at)
        reach = seam.slow.reach(start, 10.0)
        for _ in range(6):
            spot = seam.spot(16.0)
            whole = seam.router.cheapest(at, [PointGoal(*spot)], limit=10.0)
            cut = reach.route(seam.place(*spot))
            if whole is None or cut is None:
                known = whole or cut
                if known is not None:
                    assert known.upper > 9.998
                continue
            met += 1
            sound(seam.slow, cut, start, seam.place(*spot))
            assert cut.lower <= whole.upper + 1e-7
            assert whole.lower <= cut.upper + 1e-7
    assert met > 2


def test_a_bracket_is_closed_by_a_way_that_its_own_search_comes_upon() -> None:
    """A place to which the way of the reach costs 0.0010782 more than the lower bound."""
    rng = random.Random(7)
    for _ in range(40):
        seam = Seam(rng)
        at = seam.spot(8.0)
        spots = [seam.spot(16.0) for _ in range(6)]
    reach = seam.slow.reach(("a", *at), 10.0)
    place = seam.place(*spots[0])
    found = reach.route(place)
    sound(seam.slow, found, ("a", *at), place)
    assert found is not None
    assert found.upper < reach.cost(place) - 1e-4


def test_no_bound_runs_to_and_fro_between_a_portal_and_a_side_beside_it() -> None:
    """A slow side runs 0.00054 beside the portal, over 3 in: legs between cost next to nothing."""
    rng = random.Random(8)
    for _ in range(30):
        seam = Seam(rng)
        at = seam.spot(8.0)
        spots = [seam.spot(16.0) for _ in range(6)]
    start, place = ("a", *at), seam.place(*spots[0])
    found = seam.slow.reach(start, 10.0).route(place)
    sound(seam.slow, found, start, place)
    assert found is not None
    assert found.upper == pytest.approx(9.484624, abs=1e-5)


def test_a_far_place_as_work_runs_out_and_by_ways_through_places_all_along_the_portal(
    budget: Callable[[int, int], int],
) -> None:
    """The answer is as wide as it says; no way of two halves, each its own least-cost route, is
    cheaper than its lower bound."""
    seam = Seam(random.Random(19))
    at = seam.spot(5.0)
    far = (13.0, 5.0)
    place = seam.place(*far)
    assert seam.one.standable(*far, R)
    reach = seam.slow.reach(("a", *at), 16.0)
    closed = reach.route(place)
    sound(seam.slow, closed, ("a", *at), place)
    assert closed is not None
    first = seam.router.reach(at, closed.upper)
    second = seam.router.reach(far, closed.upper)
    most = budget(25, 100)
    dense = min(
        first.cost(8.0, y) + second.cost(8.0, y)
        for y in (10.0 * k / most for k in range(most + 1))
        if seam.one.standable(8.0, y, R)
    )
    assert closed.lower <= dense + 1e-9
    assert closed.upper <= dense + 1e-6
    for work in (1, 30):
        wide = reach.route(place, work=work)
        assert wide is not None
        assert wide.upper - wide.lower > 0.001
        assert wide.lower <= closed.upper
        assert closed.lower <= wide.upper
        assert wide.route.cost == wide.upper == pytest.approx(seam.slow.cost(wide.route), abs=1e-9)


def test_with_factors_of_one_the_plain_search_is_met() -> None:
    """The search over slow ground itself, as factors come down to 1."""
    rng = random.Random(3)
    seam = Seam(rng, scale=1e-7)
    at = seam.spot(8.0)
    start: Place = ("a", *at)
    reach = seam.slow.reach(start, 10.0)
    for _ in range(8):
        place = seam.place(*seam.spot(16.0))
        plain = reach.shortest.cost(place)
        if plain > 9.99:
            continue
        atlas = reach.atlas
        z = complex(*place[1:]) + atlas.sheets[seam.slow.levels.number(place[0])].shift
        spread = reach._search.cost(z.real, z.imag)
        assert plain - 1e-8 <= spread <= plain + 0.02
        assert plain - 1e-8 <= reach.cost(place) <= plain + 1e-5


def test_a_rise_of_the_factors_never_lowers_the_cost() -> None:
    last: dict[int, float] = {}
    for scale in (0.0, 0.4, 1.0):
        rng = random.Random(12)
        seam = Seam(rng, scale)
        at = seam.spot(8.0)
        for k in range(2):
            place = seam.place(*seam.spot(12.0))
            found = seam.slow.reach(("a", *at), 25.0).route(place)
            assert found is not None
            assert found.upper >= last.get(k, 0.0) - 1e-9
            last[k] = found.lower


def test_bad_input() -> None:
    levels = two_floors()
    with pytest.raises(ShapeError, match="no level"):
        WeightedLevels(levels, R, {"cellar": [EVERYWHERE]})
    with pytest.raises(ShapeError, match="factor"):
        WeightedLevels(levels, R, {"g": [WeightedDisc(1, 1, 1, 0.5)]})
    slow = WeightedLevels(levels, R, {"f": [EVERYWHERE]})
    for budget in (-1.0, math.nan, math.inf):
        with pytest.raises(ShapeError, match="budget"):
            slow.reach(("g", 3.0, 4.0), budget)
    reach = slow.reach(("g", 3.0, 4.0), 9.0)
    with pytest.raises(ShapeError, match="finite"):
        reach.cost(("f", math.nan, 1.0))
    with pytest.raises(ShapeError, match="eps"):
        reach.route(("f", 5.0, 6.0), eps=0.0)
    with pytest.raises(ShapeError, match="resolution"):
        reach.outline("f", resolution=0.0)
    nothing = slow.reach(("g", 3.0, 4.0), 0.0)
    assert nothing.cost(("g", 3.0, 4.0)) == 0.0
    assert nothing.outline("g").rings == ()
    inside = slow.reach(("g", 0.1, 4.0), 5.0)
    assert not inside.contains(("g", 3.0, 4.0))
    assert inside.route(("g", 3.0, 4.0)) is None
