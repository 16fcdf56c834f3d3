"""Ways that leave a level and come back to it, as over a gap: through the air they are straight.

The floor is cut by strips that nobody can walk on, the air over it has none, and portals lead from
one to the other along both sides of each strip. Posts and zones are the same on both. So floor and
air together are the table without strips, and one search on that is the oracle.
"""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import tapeline as tl
from support.walks import faults
from tapeline.geometry.discs.field import Circle, Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.surfaces.level import Level, Slope
from tapeline.geometry.surfaces.links import Link, Place, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.window_search import Search
from tapeline.rules.mordheim.chart import chart_of

pytestmark = pytest.mark.compiled

EXAMPLES = Path(__file__).parents[2] / "examples"
R = 0.1
#: Strips run this far across the table, and portals along drawn ones so far that no way ends them.
FAR, ALONG = 20.0, 9.0


class Motion:
    """A plane moved: turned, shifted, mirrored."""

    def __init__(self, turn: float = 0.0, shift: complex = 0j, mirrored: bool = False) -> None:
        self.u, self.v, self.mirrored = cmath.rect(1.0, turn), shift, mirrored

    def __call__(self, z: complex) -> complex:
        return self.u * (z.conjugate() if self.mirrored else z) + self.v

    def flat(self, *points: complex) -> list[float]:
        return [v for z in points for v in (self(z).real, self(z).imag)]

    @classmethod
    def drawn(cls, rng: random.Random) -> Motion:
        shift = complex(rng.uniform(-9, 9), rng.uniform(-9, 9))
        return cls(rng.uniform(0.0, math.tau), shift, rng.random() < 0.5)


STAYS = Motion()


class Strips:
    """A floor with strips across it, from x to x, and the air over it.

    posts: x, y, radius, on both. ways: from y to y, of the portals along the strips; the strips
    themselves run beyond the table. cost: of each portal.
    """

    def __init__(
        self,
        strips: Sequence[tuple[float, float]],
        posts: Sequence[Circle] = (),
        ways: Sequence[tuple[float, float]] = ((0.0, 4.0),),
        floor: Motion = STAYS,
        air: Motion = STAYS,
        cost: float = 0.0,
        r: float = R,
    ) -> None:
        self.motions, self.strips, self.r = {"floor": floor, "air": air}, strips, r
        levels, portals = [], []
        for name, moved in self.motions.items():
            solids = [
                moved.flat(
                    complex(x0 + r, -FAR), complex(x1 - r, -FAR),
                    complex(x1 - r, FAR), complex(x0 + r, FAR),
                )
                for x0, x1 in strips
            ]  # fmt: skip
            there = [(moved(complex(x, y)), radius) for x, y, radius in posts]
            field = Field.of(
                solids=solids if name == "floor" else [],
                posts=[(z.real, z.imag, radius) for z, radius in there],
            )
            levels.append(Level(name, field))
        for k, x in enumerate(x for strip in strips for x in strip):
            for begin, end in ways:
                a, b = complex(x, begin), complex(x, end)
                sides = [(name, *moved.flat(a, b)) for name, moved in self.motions.items()]
                portals.append(Portal(f"p{k} {begin}", "gap", sides[0], sides[1], cost))  # type: ignore[arg-type]
        self.levels = Levels(levels, portals=portals)

    def place(self, name: str, z: complex) -> Place:
        return name, self.motions[name](z).real, self.motions[name](z).imag

    def cost(self, a: complex, goal: complex, near: float = 0.0, **more: object) -> float:
        name, x, y = self.place("floor", goal)
        sought: Goal = CircleGoal(x, y, near) if near else PointGoal(x, y)
        answer = self.levels.route(
            self.place("floor", a), [(name, sought)], self.r, strict=False, **more  # type: ignore[arg-type]
        )  # fmt: skip
        if answer.route is None:
            return math.inf
        for route in (answer.route, *answer.route.ties):
            zones: Any = more.get("zones")
            assert not list(faults(self.levels, self.place("floor", a), route, self.r, zones))
        return answer.route.cost


@pytest.mark.parametrize(
    ("a", "b"), [(2 + 1j, 9 + 3j), (2 + 2j, 9 + 2j), (9 + 3j, 2 + 1j), (4.9 + 0.5j, 6.1 + 3.5j)]
)
@pytest.mark.parametrize("air", [STAYS, Motion(0.7, 3 - 2j), Motion(2.1, 1j, True)])
@pytest.mark.parametrize("floor", [STAYS, Motion(-1.3, 5j), Motion(0.4, 1 + 1j, True)])
def test_over_a_gap_the_way_is_straight(a: complex, b: complex, floor: Motion, air: Motion) -> None:
    table = Strips([(5.0, 6.0)], floor=floor, air=air)
    assert table.cost(a, b) == pytest.approx(abs(b - a), abs=1e-9)


def test_the_smallest_case() -> None:
    table = Strips([(5.0, 6.0)])
    assert table.cost(2 + 1j, 9 + 3j) == pytest.approx(math.hypot(7.0, 2.0), abs=1e-9)
    assert table.cost(2 + 2j, 9 + 2j) == pytest.approx(7.0, abs=1e-9)
    reach = table.levels.reach(("floor", 2.0, 1.0), R, 7.3)
    assert reach.cost(("floor", 9.0, 3.0)) == pytest.approx(math.hypot(7.0, 2.0), abs=1e-9)
    short = table.levels.reach(("floor", 2.0, 1.0), R, 7.28)
    assert not short.contains(("floor", 9.0, 3.0))


def test_over_several_gaps_in_a_row() -> None:
    table = Strips([(3.0, 4.0), (5.0, 5.5), (7.0, 8.5)])
    assert table.cost(1 + 1j, 10 + 3j) == pytest.approx(math.hypot(9.0, 2.0), abs=1e-9)
    # Two charged crossings do: between the gaps it stays in the air.
    dear = Strips([(3.0, 4.0), (5.0, 5.5), (7.0, 8.5)], cost=0.25)
    assert dear.cost(1 + 1j, 10 + 3j) == pytest.approx(math.hypot(9.0, 2.0) + 0.5, abs=1e-9)


def test_past_the_ends_of_portals() -> None:
    table = Strips([(5.0, 6.0)])
    want = math.hypot(3.0, 2.0) + 1.0 + math.hypot(3.0, 2.0)
    assert table.cost(2 - 2j, 9 - 2j) == pytest.approx(want, abs=1e-9)


def test_to_the_nearest_of_a_circle_beyond_a_gap() -> None:
    table = Strips([(5.0, 6.0)])
    assert table.cost(2 + 1j, 9 + 3j, near=1.5) == pytest.approx(math.hypot(7, 2) - 1.5, abs=1e-9)


def test_round_a_post_before_a_gap_and_one_over_it() -> None:
    posts = [(4.0, 2.0, 0.5), (5.5, 1.2, 0.3)]
    table = Strips([(5.0, 6.0)], posts)
    open_table = Field.of(posts=posts).route((2.0, 2.0), [PointGoal(9.0, 2.0)], R)
    assert open_table.route is not None
    assert open_table.route.length > 7.01
    assert table.cost(2 + 2j, 9 + 2j) == pytest.approx(open_table.route.length, abs=1e-9)


def test_between_two_storeys_with_a_gap_on_each() -> None:
    """Over a gap, up a doorway to the floor above, which stands turned, and over one there."""
    up = Motion(1.1, 4 - 3j, True)
    lower, upper = Strips([(3.0, 4.0)]), Strips([(7.0, 8.0)], floor=up, air=Motion(0.3))
    named = {"floor": "upper", "air": "sky"}
    levels = [*lower.levels.levels]
    levels += [Level(named[v.id], v.field, 3.0) for v in upper.levels.levels]
    portals = [*lower.levels.portals]
    for p in upper.levels.portals:
        one, two = (named[p.start[0]], *p.start[1:]), (named[p.end[0]], *p.end[1:])
        portals.append(Portal(f"up {p.id}", "gap", one, two))
    door = [("floor", 5.5, 0.0, 5.5, 4.0), ("upper", *up.flat(5.5 + 0j, 5.5 + 4j))]
    portals.append(Portal("door", "door", *door))  # type: ignore[arg-type]
    house = Levels(levels, portals=portals)
    z = up(10 + 3j)
    answer = house.route(("floor", 1.0, 1.0), [("upper", PointGoal(z.real, z.imag))], R)
    assert answer.route is not None
    assert answer.route.cost == pytest.approx(math.hypot(9.0, 2.0), abs=1e-9)
    assert len(answer.route.links) == 5


def test_a_gap_in_the_air_itself() -> None:
    """Out into the air, from there higher still where the air has a strip of its own, and back."""
    wall = [6.1, -FAR, 6.9, -FAR, 6.9, FAR, 6.1, FAR]
    floor = [5.1, -FAR, 7.9, -FAR, 7.9, FAR, 5.1, FAR]
    levels = Levels(
        [
            Level("floor", Field.of(solids=[floor])),
            Level("air", Field.of(solids=[wall])),
            Level("sky", Field.of()),
        ],
        portals=[
            Portal(f"{a}{x}", "gap", (a, x, 0, x, 4), (b, x, 0, x, 4))
            for a, b, xs in (("floor", "air", (5.0, 8.0)), ("air", "sky", (6.0, 7.0)))
            for x in xs
        ],
    )
    answer = levels.route(("floor", 2.0, 1.0), [("floor", PointGoal(10.0, 3.0))], R)
    assert answer.route is not None
    assert answer.route.cost == pytest.approx(math.hypot(8.0, 2.0), abs=1e-9)


def test_over_a_gap_in_a_ramp() -> None:
    """A ramp with a gap: straight in its own plane, and longer than in plan."""
    slope = Slope.rising(0.3, 3.0, 4.0)
    solid = slope.ring([5.2, -FAR, 5.8, -FAR, 5.8, FAR, 5.2, FAR])
    levels = Levels(
        [
            Level("ramp", Field.of(solids=[solid]), slope=slope),
            Level("air", Field.of(), slope=slope),
        ],
        portals=[
            Portal(f"p{x}", "gap", ("ramp", x, 0, x, 4), ("air", x, 0, x, 4)) for x in (5.0, 6.0)
        ],
    )
    answer = levels.route(("ramp", 2.0, 1.0), [("ramp", PointGoal(9.0, 3.0))], R)
    assert answer.route is not None
    straight = math.dist(slope.point(2.0, 1.0), slope.point(9.0, 3.0))
    assert answer.route.cost == pytest.approx(straight, abs=1e-9)


def test_drawn_tables(budget: Callable[[int, int], int]) -> None:
    """With posts and zones, the planes moved anyhow, and portals in one or two pieces."""
    rng = random.Random(31)
    met = bent = zoned = 0
    for _ in range(budget(9, 2_000)):
        r = rng.choice((0.1, 0.4))
        xs = [3.0]
        for _ in range(rng.choice((2, 2, 4, 6))):
            xs.append(xs[-1] + rng.uniform(2.0 * r + 0.1, 2.0))
        strips = list(zip(xs[1::2], xs[2::2], strict=True))
        posts = [
            (rng.uniform(1.0, xs[-1] + 3.0), rng.uniform(-6.0, 6.0), rng.uniform(0.2, 1.0))
            for _ in range(rng.randint(0, 5))
        ]
        ways = [(-ALONG, ALONG)] if rng.random() < 0.5 else [(-ALONG, 0.5), (0.5, ALONG)]
        cost = rng.choice((0.0, 0.0, 0.4))
        motions = [Motion.drawn(rng) for _ in range(2)]
        table = Strips(strips, posts, ways, *motions, cost, r)
        free = Field.of(posts=posts)
        for _ in range(3):
            a = complex(rng.uniform(0.0, xs[1] - 0.01), rng.uniform(-6.0, 6.0))
            b = complex(rng.uniform(xs[-1] + 0.01, xs[-1] + 5.0), rng.uniform(-6.0, 6.0))
            near = rng.choice((0.0, 0.7))
            zones = [(rng.uniform(1.0, xs[-1]), rng.uniform(-3, 3), 1.2)] * (rng.random() < 0.3)
            goal = CircleGoal(b.real, b.imag, near) if near else PointGoal(b.real, b.imag)
            whole = free.route((a.real, a.imag), [goal], r, limit=25.0, zones=zones)
            moved = {
                name: [(m(complex(x, y)).real, m(complex(x, y)).imag, q) for x, y, q in zones]
                for name, m in table.motions.items()
            }
            got = table.cost(a, b, near, limit=25.0 + 2.0 * cost, zones=moved)
            if whole.route is None:
                assert got == math.inf
                continue
            if near and (abs(a - b) <= near or b.real - near <= xs[-1]):
                continue
            assert got == pytest.approx(whole.route.length + 2.0 * cost, abs=1e-8)
            met += 1
            bent += len(whole.route.path.legs) > 1
            zoned += bool(zones)
    assert met > 12
    assert bent > 4
    assert zoned > 1


@pytest.mark.parametrize(
    ("scene", "level", "a", "b", "near"),
    [
        # Over the hole of the stairs in the guildhall's floor; it was 5.4226 round its corner.
        ("mordheim-market", "guild-floor", (8.4921, 10.2248), (6.8762, 5.2111), 0.0),
        # Over the inn's stairwell, lengthwise: 6.9686; and over a corner of it: 4.2598.
        ("mordheim-street-block", "inn-floor", (10.1442, 15.9563), (10.7234, 9.6934), 0.0),
        ("mordheim-street-block", "inn-floor", (10.4924, 24.6663), (11.7251, 26.5437), 0.0),
        # From roof to roof to the nearest of a circle: 5.8653 by the end of a rim.
        ("mordheim-roofs", "wea-floor", (11.4841, 16.4915), (9.8609, 22.6462), 0.5),
    ],
)
def test_straight_over_gaps_in_scenes_that_ship(
    scene: str, level: str, a: tuple[float, float], b: tuple[float, float], near: float
) -> None:
    levels, r = chart(scene)
    goal = CircleGoal(*b, near) if near else PointGoal(*b)
    answer = levels.route((level, *a), [(level, goal)], r, limit=9.0, strict=False)
    assert answer.route is not None
    assert answer.route.cost == pytest.approx(math.dist(a, b) - near, abs=1e-9)
    assert not list(faults(levels, (level, *a), answer.route, r))


def test_round_a_circle_and_over_a_gap_in_a_scene_that_ships() -> None:
    """Round a corner of the inn, over its stairwell, up a ladder, and off the mill's roof."""
    levels, r = chart("mordheim-street-block")
    start, goal = ("inn-floor", 23.2323, 22.4035), ("gap 23", CircleGoal(23.9705, 22.8379, 2.0659))
    answer = levels.route(start, [goal], r, limit=11.0, strict=False)
    assert answer.route is not None
    assert answer.route.cost < 9.70  # it was 9.72
    assert "ladder mill-ladder" in answer.route.links
    assert not list(faults(levels, start, answer.route, r))


def chart(scene: str) -> tuple[Levels, float]:
    """The levels of a scene without its models, for a disc as large as the first of them."""
    state = tl.load(EXAMPLES / f"{scene}.json").state
    body = next(iter(state.bodies.values()))
    return chart_of(state, body).levels, body.base.radius


# Sides without room.


def rim(foot: float = 2.0) -> Levels:
    """A roof up to x = 2, the ground from a wall's foot on, and the air beside the roof: where the
    wall goes straight down, one line for all."""
    over = [-30.0, -FAR, 2.0, -FAR, 2.0, FAR, -30.0, FAR]
    roof = [2.0, -FAR, 30.0, -FAR, 30.0, FAR, 2.0, FAR]
    wall = [-30.0, -FAR, foot - R, -FAR, foot - R, FAR, -30.0, FAR]
    return Levels(
        [
            Level("roof", Field.of(grounds=[roof]), 3.0),
            Level("air", Field.of(grounds=[over]), 3.0),
            Level("ground", Field.of(solids=[wall])),
        ],
        portals=[
            Portal("off", "drop", ("roof", 2, 0, 2, 4), ("air", 2, 0, 2, 4)),
            Portal("down", "drop", ("air", foot, 0, foot, 4), ("ground", foot, 0, foot, 4), 3.0),
        ],
    )


def test_from_a_rim_straight_down_a_wall_through_two_portals_at_once() -> None:
    levels = rim()
    answer = levels.route(("roof", 0.0, 1.0), [("ground", PointGoal(5.0, 3.0))], R)
    assert answer.route is not None
    assert answer.route.cost == pytest.approx(math.hypot(5.0, 2.0) + 3.0, abs=1e-9)
    assert answer.route.links == ("off", "down")


def test_through_two_portals_farther_off_each_other_than_the_slack() -> None:
    """A strip of air so narrow that beside one portal lies the other: and one a little wider."""
    for gap in (1e-7, 3e-7, 1e-6, 3.7e-6, 1e-5):
        answer = rim(2.0 + gap).route(
            ("roof", 0.0, 1.0), [("ground", PointGoal(5.0, 3.0))], R, slack=9e-7, strict=False
        )
        assert answer.route is not None
        assert answer.route.cost == pytest.approx(math.hypot(5.0, 2.0) + 3.0, abs=1e-8)


def test_a_ledge_as_wide_as_the_disc() -> None:
    """Neither side of the portal has room: legs end on it, at a goal and at a ladder's foot."""
    walls = [[1.0, -FAR, 2.0 - R, -FAR, 2.0 - R, FAR, 1.0, FAR]]
    walls += [[2.0 + R, -FAR, 3.0, -FAR, 3.0, FAR, 2.0 + R, FAR]]
    levels = Levels(
        [
            Level("air", Field.of(), 3.0),
            Level("ledge", Field.of(solids=walls), 2.0),
            Level("loft", Field.of(), 5.0),
        ],
        [Link("up", "ladder", ("ledge", 2.0, 3.0), ("loft", 2.0, 3.0), 3.0)],
        [Portal("down", "drop", ("air", 2, 0, 2, 4), ("ledge", 2, 0, 2, 4), 1.0)],
    )
    got = levels.route(("air", 0.0, 1.0), [("ledge", PointGoal(2.0, 3.5))], R)
    assert got.route is not None
    assert got.route.cost == pytest.approx(math.hypot(2.0, 2.5) + 1.0, abs=1e-9)
    got = levels.route(("air", 0.0, 1.0), [("loft", PointGoal(3.0, 3.0))], R)
    assert got.route is not None
    assert got.route.cost == pytest.approx(math.hypot(2.0, 2.0) + 1.0 + 3.0 + 1.0, abs=1e-9)


def test_sides_that_are_shut_are_not_taken() -> None:
    """At the foot of a wall no leg leads into it, and the search makes no image there."""
    levels = rim()
    search = Search(levels, ("roof", 0.0, 1.0), R, (), 12.0, None, 1e-9, 10_000, True, ties=True)
    able, _ = search.aim([("ground", PointGoal(5.0, 3.0))])
    search.run()
    assert able
    assert search.found
    for k, gate in enumerate(search.gates):
        if gate.link.id == "down" and gate.start == 1:
            # Left of a line that runs up the table lies the wall, right of it the open ground.
            assert not search._open(k, True, 1)
            assert search._open(k, True, -1)
            # Above, the roof's rim lies along it.
            assert search._open(k, False, 1)


# Ties.


def test_ways_as_short_round_either_side_are_both_told() -> None:
    posts = [(4.0, 2.0, 0.5), (5.5, 2.0, 0.25)]
    table = Strips([(5.0, 6.0)], posts)
    answer = table.levels.route(("floor", 2.0, 2.0), [("floor", PointGoal(9.0, 2.0))], R)
    assert answer.route is not None
    sides = set()
    for route in (answer.route, *answer.route.ties):
        assert route.cost == pytest.approx(answer.route.cost, abs=1e-9)
        assert not list(faults(table.levels, ("floor", 2.0, 2.0), route, R))
        ys = [leg.end[1] > 2.0 for step in route.steps for leg in step.path.legs][:-1]
        sides.add(tuple(sorted(set(ys))))
    assert sides == {(False,), (True,)}


@pytest.mark.parametrize(
    ("a", "b", "want"),
    [
        (2 + 1j, 9 + 3j, math.hypot(7.0, 2.0)),
        # Past the ends, where ways turn.
        (2 - 2j, 9 - 2j, 1.0 + 2.0 * math.hypot(3.0, 2.0)),
    ],
)
def test_portals_in_one_place_tie_and_no_way_goes_to_and_fro(
    a: complex, b: complex, want: float
) -> None:
    table = Strips([(5.0, 6.0)])
    twins = [Portal(f"{p.id}'", p.kind, p.start, p.end, p.cost) for p in table.levels.portals]
    levels = table.levels.with_more(portals=twins)
    goal = PointGoal(b.real, b.imag)
    answer = levels.route(("floor", a.real, a.imag), [("floor", goal)], R)
    assert answer.route is not None
    assert answer.route.cost == pytest.approx(want, abs=1e-9)
    told = [route.links for route in (answer.route, *answer.route.ties)]
    here, there = (table.levels.portals[k].id for k in (0, 1))
    marks = ("", "'")
    assert sorted(told) == sorted((here + u, there + v) for u in marks for v in marks)
