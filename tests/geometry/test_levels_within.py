"""What searches over levels leave out, and what they remember, changes no answer.

The oracle is the search over all links and portals, on levels made afresh.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from support.walks import faults
from tapeline.errors import ShapeError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.surfaces import model
from tapeline.geometry.surfaces.level import Level, Slope
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.pruning import leads_aside

SIZE = 20.0


class Storeys:
    """A few levels of blocks and posts, one of them sloping, with ways drawn at random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.r = rng.choice([0.3, 0.5])
        levels = []
        for k in range(rng.randint(2, 5)):
            solids = []
            for _ in range(rng.randint(0, 4)):
                x, y = rng.uniform(1, 17), rng.uniform(1, 17)
                w, d = rng.uniform(0.3, 4), rng.uniform(0.3, 2)
                solids.append([x, y, x + w, y, x + w, y + d, x, y + d])
            posts = [(*self.spot(), rng.uniform(0.2, 1.0)) for _ in range(rng.randint(0, 2))]
            field = Field.of(box=(0, 0, SIZE, SIZE), solids=solids, posts=posts)
            slope = Slope.rising(rng.uniform(0, 6), 1.0, 2.0, 9.0, 9.0) if k == 1 else None
            levels.append(Level(f"l{k}", field, 3.0 * k, slope))
        names = [level.id for level in levels]
        links, portals = [], []
        for k in range(rng.randint(0, 8)):
            one, two = rng.choice(names), rng.choice(names)
            cost, both = rng.choice([0.0, 3.0]), rng.random() < 0.6
            there, here = (one, *self.spot()), (two, *self.spot())
            links.append(Link(f"k{k}", "ladder", there, here, cost, both))
        flat = [name for name in names if name != "l1"]
        for k in range(rng.randint(1, 10)):
            one, two = rng.choice(flat), rng.choice(flat)
            if one != two:
                cost, both = rng.choice([0.0, 1.0]), rng.random() < 0.6
                p, q, u, v = self.segments(rng.uniform(0.5, 5.0))
                portals.append(Portal(f"p{k}", "edge", (one, *p, *q), (two, *u, *v), cost, both))
        self.levels = Levels(levels, links, portals)

    def spot(self) -> tuple[float, float]:
        return self.rng.uniform(0.6, SIZE - 0.6), self.rng.uniform(0.6, SIZE - 0.6)

    def segments(self, length: float) -> list[tuple[float, float]]:
        found = []
        for _ in range(2):
            (x, y), turn = self.spot(), self.rng.uniform(0, math.tau)
            found += [(x, y), (x + length * math.cos(turn), y + length * math.sin(turn))]
        return found

    def peopled(self, levels: Levels) -> Levels:
        """The levels with other bodies on them."""
        for level in levels.levels:
            field = level.field
            for k in range(self.rng.randint(0, 4)):
                field = field.added(f"b{k}", *self.spot(), self.rng.uniform(0.3, 1.5))
            levels = levels.with_field(level.id, field)
        return levels


def goals_on(house: Storeys) -> list[tuple[str, Goal]]:
    found: list[tuple[str, Goal]] = []
    for _ in range(house.rng.randint(1, 3)):
        name = house.rng.choice(house.levels.levels).id
        x, y = house.spot()
        goal: Goal = PointGoal(x, y)
        if house.rng.random() < 0.6:
            goal = CircleGoal(x, y, house.rng.uniform(0.5, 2.0), house.rng.random() < 0.2)
        found.append((name, goal))
    return found


def test_what_no_route_within_a_limit_can_take_is_left_out_and_nothing_changes(
    budget: Callable[[int, int], int],
) -> None:
    rng = random.Random(11)
    met = left_out = beyond = 0
    for _ in range(budget(60, 6_000)):
        house = Storeys(rng)
        levels = house.peopled(house.levels)
        start = (rng.choice(levels.levels).id, *house.spot())
        goals = goals_on(house)
        limit = rng.uniform(2.0, 30.0)
        trimmed = levels.within(start, goals, limit)
        left_out += len(levels.links) + len(levels.portals)
        left_out -= len(trimmed.links) + len(trimmed.portals)
        want = levels.route(start, goals, house.r, limit=limit, strict=False)
        got = trimmed.route(start, goals, house.r, limit=limit, strict=False)
        assert got.route == want.route
        if want.route is None:
            beyond += 1
            continue
        met += 1
        # At the very cost of the route nothing that it takes may go.
        close = levels.within(start, goals, want.route.cost)
        again = close.route(start, goals, house.r, limit=want.route.cost, strict=False)
        # Stages are others then, so the last digit of a place may be another.
        assert again.route is not None
        assert again.route.cost == pytest.approx(want.route.cost, abs=1e-12)
        assert again.route.links == want.route.links
        for one, other in zip(again.route.steps, want.route.steps, strict=True):
            assert one.at == pytest.approx(other.at, abs=1e-12)
    assert met > 20
    assert beyond > 5
    assert left_out > 60


def test_stages_without_ways_that_a_disc_cannot_use_find_the_same(
    budget: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "_FEW", 1)
    rng = random.Random(13)
    met = none = left_out = 0
    for _ in range(budget(60, 6_000)):
        house = Storeys(rng)
        levels = house.peopled(house.levels)
        start, goals, limit = (levels.levels[0].id, *house.spot()), goals_on(house), 30.0
        want = levels.route(start, goals, house.r, limit=limit, strict=False).route
        within = levels.within(start, goals, limit)
        got = None
        for stage, most in levels.nearest_first(start, goals, limit, house.r):
            got = stage.route(start, goals, house.r, limit=most, strict=False).route
            if got is not None and (most == limit or got.cost < most - 1e-6):
                break
        if want is None:
            none += 1
            assert got is None
            continue
        met += 1
        left_out += len(within.links) + len(within.portals)
        left_out -= len(stage.links) + len(stage.portals)
        assert got is not None
        assert got.cost == pytest.approx(want.cost, abs=1e-9)
        assert got.links == want.links
    assert min(met, none, left_out) > 5


def test_what_a_disc_can_use_is_found_out_once_and_anew_where_somebody_came(
    budget: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "_FEW", 1)
    asked: list[int] = []
    usable = Levels._usable

    def counted(levels: Levels, some: Any, r: float, slack: float) -> Any:
        asked.append(len(some))
        return usable(levels, some, r, slack)

    monkeypatch.setattr(Levels, "_usable", counted)
    rng = random.Random(14)
    first = again = other = 0

    def stages(levels: Levels) -> list[tuple[set[str], float]]:
        asked.clear()
        found = levels.nearest_first(start, goals, 30.0, house.r)
        return [
            ({link.id for link in some.links} | {portal.id for portal in some.portals}, most)
            for some, most in found
        ]

    for _ in range(budget(40, 2_000)):
        house = Storeys(rng)
        start, goals = (house.levels.levels[0].id, *house.spot()), goals_on(house)
        stages(house.levels)
        first += sum(asked)
        stages(house.levels)
        again += sum(asked)
        peopled = house.peopled(house.levels)
        fresh = Levels(peopled.levels, peopled.links, peopled.portals)
        got, want = stages(peopled)[-1:], stages(fresh)[-1:]
        assert [ways for ways, _ in got] == [ways for ways, _ in want]
        other += got != stages(house.levels)[-1:]
    assert first > 40
    assert again == 0
    assert other > 1


def _off(one: tuple[complex, complex], two: tuple[complex, complex]) -> float:
    """How far the boxes of two segments are from each other."""
    gaps = []
    for part in ("real", "imag"):
        (a, b), (c, d) = (sorted(getattr(z, part) for z in pair) for pair in (one, two))
        gaps.append(max(0.0, c - b, a - d))
    return math.hypot(*gaps)


def test_a_way_is_left_out_just_when_straight_distances_say_so() -> None:
    rng = random.Random(12)
    seen = set()
    for _ in range(25):
        levels = Storeys(rng).levels
        (x, y), (u, v) = (rng.uniform(1.0, 19.0), 3.0), (rng.uniform(1.0, 19.0), 17.0)
        start, end, limit = ("l0", x, y), levels.levels[-1].id, rng.uniform(8.0, 40.0)
        # Each way there and back: the level and segment it is entered on, then left to; its cost.
        legs = []
        ways: list[Link | Portal] = [*levels.links, *levels.portals]
        for way in ways:
            a, b, c, d = levels.sides(way)
            into, out = (way.start[0], (a, b)), (way.end[0], (c, d))
            legs.append((way.id, into, out, way.cost))
            legs += [(way.id, out, into, way.cost)] if way.both else []
        z, w = complex(*levels.level("l0").own(x, y)), complex(*levels.level(end).own(u, v))
        begun = [_off(i[1], (z, z)) + k if i[0] == "l0" else math.inf for _, i, _, k in legs]
        onward = [_off(o[1], (w, w)) if o[0] == end else math.inf for _, _, o, _ in legs]
        for _ in legs:  # Bellman and Ford
            for p, (_, _, out, _) in enumerate(legs):
                for q, (_, into, _, cost) in enumerate(legs):
                    if out[0] == into[0]:
                        far = _off(out[1], into[1]) + cost
                        begun[q] = min(begun[q], begun[p] + far)
                        onward[p] = min(onward[p], far + onward[q])
        want = {leg[0] for leg, s, t in zip(legs, begun, onward, strict=True) if s + t <= limit}
        kept = levels.within(start, [(end, PointGoal(u, v))], limit)
        assert {*(k.id for k in kept.links), *(p.id for p in kept.portals)} == want
        seen.add((bool(want), len(want) < len(levels.links) + len(levels.portals)))
    assert seen >= {(True, True), (False, True)}


def test_free_pieces_are_those_of_levels_made_afresh(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(12)
    count = 0
    for _ in range(budget(12, 600)):
        house = Storeys(rng)
        for _ in range(6):
            levels = house.peopled(house.levels)
            fresh = Levels(levels.levels, levels.links, levels.portals)
            zones = {}
            if rng.random() < 0.4:
                zones = {levels.levels[0].id: [(*house.spot(), rng.uniform(0.5, 3.0))]}
            for r in (house.r, 0.4):
                assert levels.gates(r, zones) == fresh.gates(r, zones)
                count += len(levels.gates(r, zones))
    assert count > 200


def test_without_a_limit_what_leads_to_no_goal_goes() -> None:
    field = Field.of(box=(0, 0, SIZE, SIZE))
    there = Link("there", "ladder", ("a", 1, 1), ("b", 2, 2), 1.0)
    apart = Link("apart", "ladder", ("c", 1, 1), ("d", 2, 2), 1.0)
    levels = Levels([Level(name, field, 0.0) for name in "abcd"], [there, apart])
    made = levels.within(("a", 1.0, 1.0), [("b", PointGoal(2, 2))], math.inf)
    assert made.links == (there,)
    assert [level.id for level in made.levels] == ["a", "b"]


def test_more_ways_are_checked_as_at_first() -> None:
    levels = Storeys(random.Random(3)).levels
    there = Link("x", "ladder", ("l0", 1, 1), ("l0", 2, 2), 1.0)
    more = levels.with_more(links=[there])
    assert more.links[-1] is there
    with pytest.raises(ShapeError, match="two links 'x'"):
        more.with_more(links=[there])
    with pytest.raises(ShapeError, match="no level 'q'"):
        levels.with_more(links=[Link("y", "ladder", ("q", 1, 1), ("l0", 2, 2), 1.0)])
    with pytest.raises(ShapeError, match="two levels"):
        levels.with_more([levels.levels[0]])
    assert more.keeping(lambda way: way.id != "x").links == levels.links


@pytest.mark.compiled
def test_more_levels_come_into_the_backend_of_the_others() -> None:
    """A chart may have been drawn before kernels were ready."""
    levels = Storeys(random.Random(3)).levels.on_backend(False)
    over = Level("over", Field.of(box=(0, 0, SIZE, SIZE), compiled=True), 9.0)
    more = levels.with_more([over])
    assert not more.levels[-1].compiled
    assert not more.levels[-1].field.compiled


def test_a_way_put_in_by_the_name_of_one_left_out_is_that_way() -> None:
    """What is remembered of links and portals is of those themselves, not of their names."""
    there = [Level(name, Field.of(box=(0, 0, SIZE, SIZE))) for name in ("a", "b")]
    door = Portal("door", "door", ("a", 2, 18, 4, 18), ("b", 2, 18, 4, 18))

    def lift(x: float) -> Link:
        return Link("lift", "lift", ("a", x, 2.0), ("b", x, 2.0), 1.0)

    def cost(levels: Levels, x: float) -> float | None:
        goals: list[tuple[str, Goal]] = [("b", PointGoal(x, 2.0))]
        start = ("a", x, 2.0)
        answer = levels.within(start, goals, 6.0).route(start, goals, 0.3, limit=6.0)
        return None if answer.route is None else answer.route.cost

    base = Levels(there, portals=[door])
    first = base.with_more(links=[lift(3.0)])
    assert cost(first, 3.0) == pytest.approx(1.0)
    bare = first.keeping(lambda way: way.id != "lift")
    assert cost(bare, 3.0) is None
    second = bare.with_more(links=[lift(9.0)])
    assert cost(second, 9.0) == pytest.approx(1.0)
    assert cost(second, 3.0) is None
    assert cost(first, 3.0) == pytest.approx(1.0)


def terraces(count: int, wide: float, down: float) -> Levels:
    """Terraces one below another; each drop leads a little off the edge for nothing."""
    levels = [
        Level(f"t{k}", Field.of(box=(0, 0, SIZE, SIZE)), down * (count - k)) for k in range(count)
    ]
    portals = [
        Portal(
            f"d{k}",
            "drop",
            (f"t{k}", 1.0 + k * (wide + 0.5) + wide, 0, 1.0 + k * (wide + 0.5) + wide, 9),
            (f"t{k + 1}", 1.0 + (k + 1) * (wide + 0.5), 0, 1.0 + (k + 1) * (wide + 0.5), 9),
            both=False,
        )
        for k in range(count - 1)
    ]
    return Levels(levels, portals=portals)


@pytest.mark.parametrize(
    ("limit", "most", "may"),
    [(4.0, 1.9, True), (4.0, 2.1, False), (2.0, 0.9, True), (2.0, 1.1, False), (0.9, 0.1, False)],
)
def test_drops_lead_farther_than_they_cost(limit: float, most: float, may: bool) -> None:
    """After each inch of a terrace half an inch more, from the first as back from the last."""
    levels = terraces(9, 1.0, 2.0)
    assert leads_aside(levels, [("t0", 1.0, 4.0)], limit, most) is may
    assert leads_aside(levels, [("t8", 14.0, 4.0)], limit, most, back=True) is may
    assert leads_aside(levels, [("t8", 14.5, 4.0)], limit, most, off=0.5, back=True) is may


def test_a_shorter_way_by_three_portals() -> None:
    """A search that took arcs for discs which see everything missed it: it found 7.2053."""
    house = Storeys(random.Random(1264))
    levels = house.peopled(house.levels)
    start, goal = (
        ("l4", 7.190554734940867, 15.600937254493997),
        (11.689660241469863, 1.8783378777877284),
    )
    route = levels.route(start, [("l3", PointGoal(*goal))], house.r, strict=False).route
    assert route is not None
    assert route.cost == pytest.approx(5.915293087801943, abs=1e-9)
    assert route.links == ("p7", "p6", "p4")
    assert not list(faults(levels, start, route, house.r))
