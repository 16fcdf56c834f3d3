"""Routes and reach over levels against sums done by hand, and against one level cut into cells."""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Callable, Sequence

import pytest

from support.kernels import warm
from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, PointGoal
from tapeline.geometry.surfaces.level import Level, Slope, fence
from tapeline.geometry.surfaces.links import Link, Place, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute

R = 0.5


def plain(**more: object) -> Field:
    return Field.of(width=24.0, depth=24.0, **more)  # type: ignore[arg-type]


def house(links: Sequence[Link] = (), portals: Sequence[Portal] = ()) -> Levels:
    return Levels([Level("g", plain()), Level("f", plain(), 3.0)], links, portals)


LADDER = Link("ladder", "ladder", ("g", 5, 5), ("f", 5, 6), 3.0)
DOOR = Portal("door", "door", ("g", 2, 12, 20, 12), ("f", 2, 12, 20, 12))


def best(levels: Levels, start: Place, name: str, x: float, y: float, **more: object) -> LevelRoute:
    answer = levels.route(start, [(name, PointGoal(x, y))], R, **more)  # type: ignore[arg-type]
    assert answer.route is not None, answer.reason
    assert math.isclose(sum(s.cost for s in answer.route.steps), answer.route.cost, abs_tol=1e-9)
    return answer.route


def test_one_ladder() -> None:
    got = best(house([LADDER]), ("g", 1, 1), "f", 8, 8)
    assert got.cost == pytest.approx(math.hypot(4, 4) + 3.0 + math.hypot(3, 2), abs=1e-9)
    assert got.links == ("ladder",)
    assert got.length == pytest.approx(got.cost - 3.0, abs=1e-9)
    assert [s.level for s in got.steps] == ["g", "f", "f"]


def test_dearer_ladder_wins_when_it_is_nearer_and_ties_are_told() -> None:
    far = Link("far", "ladder", ("g", 20, 12), ("f", 20, 12), 1.0)
    levels = house([LADDER, far])
    near = best(levels, ("g", 4, 5), "f", 5, 7)
    assert near.links == ("ladder",)
    assert best(levels, ("g", 18, 12), "f", 19, 13).links == ("far",)
    twins = house(
        [
            Link("a", "ladder", ("g", 8, 10), ("f", 8, 10), 2.0),
            Link("b", "ladder", ("g", 12, 10), ("f", 12, 10), 2.0),
        ]
    )
    got = best(twins, ("g", 10, 5), "f", 10, 15)
    assert got.cost == pytest.approx(2 * math.hypot(2, 5) + 2.0, abs=1e-9)
    assert {got.links, *(tie.links for tie in got.ties)} == {("a",), ("b",)}


def test_forbidden_kinds_and_one_way_drops() -> None:
    drop = Link("drop", "drop", ("f", 10, 10), ("g", 10, 11), 0.0, both=False)
    levels = house([LADDER, drop])
    assert best(levels, ("f", 9, 10), "g", 10, 12).cost == pytest.approx(2.0, abs=1e-9)
    assert best(levels, ("g", 10, 12), "f", 9, 10).links == ("ladder",)
    shut = levels.route(("g", 10, 12), [("f", PointGoal(9, 10))], R, forbid=["ladder"])
    assert (shut.route, shut.reason) == (None, "cut off")
    assert levels.reach(("g", 10, 12), R, 30.0, forbid=["ladder"]).levels == ("g",)
    gates = house([LADDER], [DOOR])
    assert best(gates, ("g", 5, 10), "f", 5, 14).links == ("door",)
    assert best(gates, ("g", 5, 10), "f", 5, 14, forbid=["door"]).links == ("ladder",)


def test_limit_and_work() -> None:
    levels = house([LADDER])
    want = math.hypot(4, 4) + 3.0 + math.hypot(3, 2)
    goal = [("f", PointGoal(8, 8))]
    assert levels.route(("g", 1, 1), goal, R, limit=want).route is not None
    short = levels.route(("g", 1, 1), goal, R, limit=want - 1e-6)
    assert (short.route, short.reason) == (None, "limit")
    with pytest.raises(WorkLimitError):
        levels.route(("g", 1, 1), goal, R, work=1)


def test_stairs_have_their_true_length() -> None:
    slope = Slope.rising(0.0, 6, 6, x=6)
    box = (*slope.point(6, 4), *slope.point(12, 8))
    levels = Levels(
        [
            Level("g", plain()),
            Level("stairs", Field.of(box=box), 0.0, slope),
            Level("f", plain(), 6.0),
        ],
        [],
        [
            Portal("foot", "step", ("g", 6.4, 4.5, 6.4, 7.5), ("stairs", 6.4, 4.5, 6.4, 7.5)),
            Portal("head", "step", ("stairs", 11.6, 4.5, 11.6, 7.5), ("f", 11.6, 4.5, 11.6, 7.5)),
        ],
    )
    got = best(levels, ("g", 2, 5), "f", 15, 7)
    # Straight once all is laid flat: 4.4 + 5.2 * sqrt 2 + 3.4 one way, 2 the other.
    want = math.hypot(4.4 + 5.2 * math.sqrt(2.0) + 3.4, 2.0)
    assert got.cost == pytest.approx(want, abs=1e-9)
    stairs = levels.level("stairs")
    assert stairs.height_at(12, 5) == pytest.approx(6.0)
    up = next(s for s in got.steps if s.level == "stairs" and s.path.legs)
    ends = [stairs.plan(*p) for p in (up.path.legs[0].start, up.path.end)]
    rise = stairs.height_at(*ends[1]) - stairs.height_at(*ends[0])
    assert up.cost == pytest.approx(math.hypot(math.dist(*ends), rise), abs=1e-9)
    within = levels.reach(("g", 2, 5), R, want)
    assert within.levels == ("g", "stairs", "f")
    assert within.cost(("f", 15, 7)) == pytest.approx(want, abs=1e-9)
    assert not levels.reach(("g", 2, 5), R, want - 1e-6).contains(("f", 15, 7))


def test_portal_is_crossed_at_its_best_place() -> None:
    levels = house([], [DOOR])
    want = math.dist((3, 3), (10, 20))
    assert best(levels, ("g", 3, 3), "f", 10, 20).cost == pytest.approx(want, abs=1e-9)
    # Back to the same side: the mirror image.
    assert best(levels, ("g", 3, 3), "f", 10, 4).cost == pytest.approx(want, abs=1e-9)
    # At an end of it.
    got = best(levels, ("g", 21, 2), "f", 23, 22)
    assert got.cost == pytest.approx(math.dist((21, 2), (20, 12)) + math.dist((20, 12), (23, 22)))
    # To within 4 of a place, from outside, and of a place in the doorway itself.
    for y, want in ((20.0, math.dist((3, 3), (10, 20)) - 4.0), (12.0, math.dist((3, 3), (6, 12)))):
        answer = levels.route(("g", 3, 3), [("f", CircleGoal(10, y, 4))], R)
        assert answer.route is not None
        assert answer.route.cost == pytest.approx(want, abs=1e-9)
    answer = levels.route(("g", 9, 3), [("f", CircleGoal(10, 12, 4))], R)
    assert answer.route is not None
    assert answer.route.cost == pytest.approx(9.0, abs=1e-9)


def test_start_in_a_doorway_and_a_body_that_shuts_it() -> None:
    levels = house([], [DOOR])
    assert best(levels, ("g", 7, 12), "f", 10, 20).cost == pytest.approx(math.hypot(3, 8))
    field = plain().added("b", 6.7, 12.0, 0.5)
    stood = levels.with_field("f", field)
    got = best(stood, ("g", 3, 3), "f", 10, 20)
    assert got.cost == pytest.approx(math.hypot(4.7, 9) + math.hypot(2.3, 8), abs=1e-8)
    for step in got.steps:
        if step.path.legs:
            assert stood.level(step.level).field.follows(step.path, R)
    # Where the body stands the portal is shut, and nowhere else.
    gates = [g for g in stood.gates(R) if g.start == 0]
    assert [(round(g.a.real, 9), round(g.b.real, 9)) for g in gates] == [(2, 5.7), (7.7, 20)]


def test_fence_keeps_a_centre_in() -> None:
    ell = [2, 2, 10, 2, 10, 6, 6, 6, 6, 10, 2, 10]
    field = Field.of(grounds=fence(ell))
    assert field.standable(2, 2, R)
    assert not field.standable(1.99, 5, R)
    assert not field.standable(6.01, 6.01, R)
    answer = field.route((9, 5), [PointGoal(5, 9)], R)
    assert answer.route is not None
    assert answer.route.length == pytest.approx(2 * math.hypot(3, 1), abs=1e-9)
    for at in ((2.0, 2.0), (6.0, 10.0), (2.0, 10.0)):
        out = field.route(at, [PointGoal(-1, 20)], R)
        assert out.route is None


@pytest.mark.parametrize(
    ("links", "portals"),
    [
        ([Link("x", "k", ("g", 1, 1), ("cellar", 1, 1), 1.0)], []),
        ([Link("x", "k", ("g", math.nan, 1), ("f", 1, 1), 1.0)], []),
        ([Link("x", "k", ("g", 1, 1), ("f", 1, 1), -1.0)], []),
        ([Link("x", "k", ("g", 1, 1), ("f", 1, 1), math.inf)], []),
        ([], [Portal("x", "k", ("g", 1, 1, 1, 1), ("f", 1, 1, 1, 1))]),
        ([], [Portal("x", "k", ("g", 1, 1, 3, 1), ("f", 1, 1, 4, 1))]),
    ],
)
def test_bad_links_are_named(links: list[Link], portals: list[Portal]) -> None:
    with pytest.raises(ShapeError, match="'x'"):
        house(links, portals)


def test_a_circle_of_which_all_that_is_open_is_barred_is_no_goal() -> None:
    walled = Level("g", plain(solids=[[13.5, 8.0, 14.5, 8.0, 14.5, 16.0, 13.5, 16.0]]))
    for turn, reason in ((0.5, "goal"), (2.0, "")):
        circle = CircleGoal(12.0, 12.0, 2.0, shut=((turn, math.tau - turn),))
        answer = Levels([walled]).route(("g", 4.0, 12.0), [("g", circle)], R)
        assert answer.reason == reason


def test_ends_that_cannot_be_stood_at() -> None:
    for end in (("f", 0.2, 5.0), ("f", 40.0, 5.0)):
        levels = house([Link("x", "k", ("g", 5, 5), end, 1.0)])
        with pytest.raises(ShapeError, match="'x'"):
            levels.route(("g", 1, 1), [("g", PointGoal(3, 3))], R)
        lenient = levels.route(("g", 1, 1), [("f", PointGoal(3, 3))], R, strict=False)
        assert lenient.reason == "cut off"
    # A body there closes the link for as long as it stands there.
    busy = house([LADDER]).with_field("f", plain().added("b", 5, 6.5, 0.5))
    assert busy.route(("g", 1, 1), [("f", PointGoal(9, 9))], R).reason == "cut off"
    with pytest.raises(ShapeError):
        house([LADDER]).route(("cellar", 1, 1), [("f", PointGoal(9, 9))], R)


def box(x0: float, y0: float, x1: float, y1: float) -> list[complex]:
    return [complex(x0, y0), complex(x1, y0), complex(x1, y1), complex(x0, y1)]


def flat(points: Sequence[complex]) -> list[float]:
    return [v for z in points for v in (z.real, z.imag)]


class Cut:
    """One table, and the same table cut into cells, each a level with coordinates of its own."""

    def __init__(self, rng: random.Random, compiled: bool) -> None:
        self.r = rng.choice([0.3, 0.5, 0.98])
        solids = []
        for _ in range(rng.randint(0, 7)):
            turn, at = (
                cmath.rect(1, rng.uniform(0, math.tau)),
                complex(*rng.choices(range(2, 23), k=2)),
            )
            w, h = rng.uniform(0.5, 3), rng.uniform(0.2, 1.5)
            solids.append([z * turn + at for z in box(-w, -h, w, h)])
        posts = [
            (complex(rng.uniform(1, 23), rng.uniform(1, 23)), rng.uniform(0.3, 1.5))
            for _ in range(rng.randint(0, 4))
        ]
        self.one = Field.of(
            width=24,
            depth=24,
            solids=[flat(s) for s in solids],
            posts=[(z.real, z.imag, q) for z, q in posts],
            compiled=compiled,
        )
        self.xs = [-3.0, *sorted(rng.uniform(4, 20) for _ in range(rng.choice([0, 1, 2]))), 27.0]
        self.ys = [-3.0, *sorted(rng.uniform(4, 20) for _ in range(rng.choice([0, 1]))), 27.0]
        self.maps: dict[tuple[int, int], Callable[[complex], complex]] = {}
        cells = [(i, j) for i in range(len(self.xs) - 1) for j in range(len(self.ys) - 1)]
        levels = []
        for i, j in cells:
            u, v = cmath.rect(1, rng.uniform(0, math.tau)), complex(rng.uniform(-9, 9), 3.0)
            mirror = rng.random() < 0.5

            def moved(z: complex, u: complex = u, v: complex = v, mirror: bool = mirror) -> complex:
                return u * (z.conjugate() if mirror else z) + v

            self.maps[i, j] = moved
            x0, x1, y0, y1 = self.xs[i], self.xs[i + 1], self.ys[j], self.ys[j + 1]
            far = 60.0
            off = [
                box(-far, -far, x0, far),
                box(x1, -far, far, far),
                box(-far, -far, far, y0),
                box(-far, y1, far, far),
            ]
            rim = [
                box(-far, -far, 0, far),
                box(24, -far, far, far),
                box(-far, -far, far, 0),
                box(-far, 24, far, far),
            ]
            level = Field.of(
                solids=[flat([moved(z) for z in s]) for s in (*solids, *rim)],
                posts=[(moved(z).real, moved(z).imag, q) for z, q in posts],
                grounds=[flat([moved(z) for z in s]) for s in off],
                compiled=compiled,
            )
            levels.append(Level(f"{i}{j}", level))
        portals = []
        for i, j in cells:
            lo, hi = max(self.ys[j], self.r), min(self.ys[j + 1], 24 - self.r)
            if (i + 1, j) in self.maps:
                a, b = complex(self.xs[i + 1], lo), complex(self.xs[i + 1], hi)
                portals.append(self._portal((i, j), (i + 1, j), a, b))
            lo, hi = max(self.xs[i], self.r), min(self.xs[i + 1], 24 - self.r)
            if (i, j + 1) in self.maps:
                a, b = complex(lo, self.ys[j + 1]), complex(hi, self.ys[j + 1])
                portals.append(self._portal((i, j), (i, j + 1), a, b))
        self.levels = Levels(levels, [], portals)

    def _portal(self, p: tuple[int, int], q: tuple[int, int], a: complex, b: complex) -> Portal:
        f, g = self.maps[p], self.maps[q]
        return Portal(
            f"{p}{q}",
            "cut",
            (f"{p[0]}{p[1]}", f(a).real, f(a).imag, f(b).real, f(b).imag),
            (f"{q[0]}{q[1]}", g(a).real, g(a).imag, g(b).real, g(b).imag),
        )

    def place(self, z: complex) -> Place:
        i = max(k for k in range(len(self.xs) - 1) if self.xs[k] <= z.real)
        j = max(k for k in range(len(self.ys) - 1) if self.ys[k] <= z.imag)
        w = self.maps[i, j](z)
        return f"{i}{j}", w.real, w.imag


def test_where_two_portals_cross_a_way_goes_through_both_and_turns() -> None:
    levels = Levels(
        [Level(name, plain()) for name in ("a", "b", "c")],
        portals=[
            Portal("p", "door", ("a", 2, 12, 12, 12), ("b", 2, 12, 12, 12)),
            Portal("q", "door", ("b", 7, 7, 7, 17), ("c", 17, 7, 17, 17)),
        ],
    )
    got = best(levels, ("a", 4, 9), "c", 20, 14)
    assert got.cost == pytest.approx(math.hypot(3, 3) + math.hypot(3, 2), abs=1e-9)
    assert got.links == ("p", "q")

    def by_way_of(x: float, y: float) -> float:
        return math.hypot(x - 4, 3) + math.hypot(x - 7, y - 12) + math.hypot(3, y - 14)

    places = [(2 + 0.05 * i, 7 + 0.05 * j) for i in range(201) for j in range(201)]
    assert got.cost <= min(by_way_of(x, y) for x, y in places) + 1e-9


@pytest.mark.parametrize("compiled", [False, True])
def test_a_table_cut_into_cells_is_the_table(
    compiled: bool, budget: Callable[[int, int], int]
) -> None:
    if compiled:
        warm()
    rng = random.Random(5)
    met = 0
    for _ in range(budget(12, 600)):
        cut = Cut(rng, compiled)
        for _ in range(3):
            a, b = (
                complex(rng.uniform(cut.r, 24 - cut.r), rng.uniform(cut.r, 24 - cut.r))
                for _ in range(2)
            )
            whole = cut.one.route((a.real, a.imag), [PointGoal(b.real, b.imag)], cut.r, limit=30.0)
            name, x, y = cut.place(b)
            got = cut.levels.route(
                cut.place(a), [(name, PointGoal(x, y))], cut.r, strict=False, limit=30.0
            )
            if whole.route is None:
                assert got.route is None
                continue
            assert got.route is not None, (whole.route, got.reason)
            assert got.route.cost == pytest.approx(whole.route.length, abs=1e-8)
            met += 1
            for step in got.route.steps:
                if step.path.legs:
                    field = cut.levels.level(step.level).field
                    assert field.follows(step.path, cut.r, 1e-7)
    assert met > 10


def test_reach_over_cells_is_the_reach(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(8)
    inside = 0
    for _ in range(budget(6, 200)):
        cut = Cut(rng, False)
        a = complex(rng.uniform(1, 23), rng.uniform(1, 23))
        whole = cut.one.reach((a.real, a.imag), cut.r, 9.0)
        got = cut.levels.reach(cut.place(a), cut.r, 9.0, strict=False)
        for _ in range(20):
            b = a + cmath.rect(9.5 * rng.random(), rng.uniform(0, math.tau))
            if not (0 < b.real < 24 and 0 < b.imag < 24):
                continue
            want, have = whole.cost(b.real, b.imag), got.cost(cut.place(b))
            assert have == pytest.approx(want, abs=1e-8)
            route = got.route(cut.place(b))
            assert (route is None) == math.isinf(want)
            if route is not None:
                inside += 1
                assert sum(s.cost for s in route.steps) == pytest.approx(want, abs=1e-8)
    assert inside > 10


def test_back_over_a_wall() -> None:
    """A portal from foot to foot of a wall, its sides nearer to each other than they are long."""
    field = plain(solids=[[11.9, 4.0, 12.1, 4.0, 12.1, 20.0, 11.9, 20.0]])
    sides = ("g", 11.9 - R, 4, 11.9 - R, 20), ("g", 12.1 + R, 4, 12.1 + R, 20)
    levels = Levels([Level("g", field)], [], [Portal("over", "climb", *sides, cost=2.0)])
    there, back = best(levels, ("g", 8, 12), "g", 16, 12), best(levels, ("g", 16, 12), "g", 8, 12)
    assert there.cost == back.cost == pytest.approx(8.0 - 0.2 - 2.0 * R + 2.0, abs=1e-9)


@pytest.mark.parametrize("quarter", [1j, -1 + 0j, -1j])
def test_quarter_turns(quarter: complex) -> None:
    """Turned by quarters about the table's middle, ladders and doors cost the same."""
    rng = random.Random(4)

    def turned(x: float, y: float) -> tuple[float, float]:
        z = (complex(x, y) - (12 + 12j)) * quarter + (12 + 12j)
        return z.real, z.imag

    def made(turn: Callable[[float, float], tuple[float, float]]) -> Levels:
        posts = [(7.0, 9.0, 1.0), (11.0, 10.5, 0.75), (14.0, 13.0, 1.25)]
        wall = [4.0, 14.0, 9.0, 14.0, 9.0, 15.0, 4.0, 15.0]
        ring = [v for k in range(0, 8, 2) for v in turn(wall[k], wall[k + 1])]
        field = plain(solids=[ring], posts=[(*turn(x, y), q) for x, y, q in posts])
        return Levels(
            [Level("g", field), Level("f", field)],
            [Link("l", "k", ("g", *turn(17, 4)), ("f", *turn(18, 20)), 0.25, both=False)],
            [
                Portal(
                    "p", "k", ("g", *turn(2, 12), *turn(6, 12)), ("f", *turn(2, 11), *turn(6, 11))
                )
            ],
        )

    first, second = made(lambda x, y: (x, y)), made(turned)
    for _ in range(25):
        a, b = ((rng.uniform(1, 23), rng.uniform(1, 23)) for _ in range(2))
        one = first.route(("g", *a), [("f", PointGoal(*b))], R)
        two = second.route(("g", *turned(*a)), [("f", PointGoal(*turned(*b)))], R)
        assert one.reason == two.reason
        if one.route is not None and two.route is not None:
            assert one.route.cost == pytest.approx(two.route.cost, abs=1e-9)


def test_both_gears_agree() -> None:
    warm()
    rng = random.Random(12)
    for _ in range(4):
        cut = Cut(rng, False)
        other = cut.levels.on_backend(True)
        a, b = (cut.place(complex(rng.uniform(1, 23), rng.uniform(1, 23))) for _ in range(2))
        goals = [(b[0], PointGoal(b[1], b[2]))]
        one = cut.levels.route(a, goals, cut.r, strict=False, limit=30.0)
        two = other.route(a, goals, cut.r, strict=False, limit=30.0)
        assert one.reason == two.reason
        if one.route is not None and two.route is not None:
            assert one.route.cost == pytest.approx(two.route.cost, abs=1e-12)
            assert one.route.links == two.route.links


def test_places_to_cross_but_not_to_stop_in() -> None:
    levels = house([Link("l", "ladder", ("g", 5, 5), ("f", 5, 5), cost=1.0)])
    start = ("g", 2.0, 5.0)
    free = levels.reach(start, 0.5, 8.0)
    barred = levels.reach(start, 0.5, 8.0, no_end={"f": [(5.0, 5.0, 1.0)]})
    for place in (("f", 5.5, 5.0), ("f", 5.0, 5.0)):
        assert free.contains(place)
        assert not barred.contains(place)
        assert barred.cost(place) == free.cost(place)
    # On its rim it may stop, beyond it, and on the other level.
    assert barred.contains(("f", 6.0, 5.0))
    assert barred.contains(("f", 7.0, 5.0))
    assert barred.contains(("g", 5.5, 5.0))
    with pytest.raises(ShapeError):
        levels.reach(start, 0.5, 8.0, no_end={"cellar": []})
