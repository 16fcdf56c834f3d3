"""Routes over levels against a dense graph: visibility among polygonised offsets on each level,
portals as rows of places. Obstacles a hair too large and only those places: no route is longer.
Obstacles a hair too small: none is shorter by more than what the nearest place costs. Uses shapely
only."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from shapely import Polygon
from shapely.affinity import rotate, translate
from shapely.geometry import box

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels

pytestmark = pytest.mark.compiled

TABLE = 14.0
STEP = 0.25
SEGMENTS = 4
OUTSIDE = 1.0 / math.cos(math.pi / (4 * SEGMENTS))

Floor = list[Polygon]


def free_space(solids: Floor, r: float, k: float) -> shapely.Geometry:
    grown = [s.buffer(r * k, quad_segs=SEGMENTS) for s in solids]
    return box(r, r, TABLE - r, TABLE - r).difference(shapely.union_all(grown)).buffer(1e-9)


class Building:
    """Three floors, ladders and drops as links, doorways as portals; all drawn at random."""

    def __init__(self, rng: random.Random) -> None:
        self.r = rng.choice([0.3, 0.5])
        self.floors: list[Floor] = []
        for _ in range(3):
            solids: Floor = []
            for _ in range(rng.randint(1, 4)):
                shape = box(0, 0, rng.uniform(1, 6), rng.uniform(0.5, 2))
                shape = rotate(shape, rng.uniform(0, 360))
                shape = translate(shape, rng.uniform(1, 11), rng.uniform(1, 11))
                if all(not shape.intersects(other) for other in solids):
                    solids.append(shape)
            self.floors.append(solids)
        self.tight = [free_space(f, self.r, OUTSIDE) for f in self.floors]
        self.wide = [free_space(f, self.r, 1.0) for f in self.floors]
        self.links = []
        for n in range(rng.randint(0, 3)):
            i, j = rng.sample(range(3), 2)
            p, q = self.spot(rng, i), self.spot(rng, j)
            self.links.append((n, i, p, j, q, rng.choice([0.0, 1.0, 3.0]), rng.random() < 0.6))
        self.portals = []
        for n in range(rng.randint(1, 3)):
            i, j = rng.sample(range(3), 2)
            length = rng.uniform(0.5, 3.0)
            a, b = self.side(rng, i, length), self.side(rng, j, length)
            if a and b:
                cost, both = rng.choice([0.0, 0.5]), rng.random() < 0.7
                self.portals.append((n, i, a, j, b, cost, both))

    def spot(self, rng: random.Random, floor: int) -> tuple[float, float]:
        while True:
            x, y = rng.uniform(0, TABLE), rng.uniform(0, TABLE)
            if self.tight[floor].covers(shapely.Point(x, y)):
                return x, y

    def side(
        self, rng: random.Random, floor: int, length: float
    ) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """A segment that keeps clear of everything, so that all of it is free in every model."""
        for _ in range(60):
            x, y = self.spot(rng, floor)
            angle = rng.uniform(0, math.tau)
            end = (x + length * math.cos(angle), y + length * math.sin(angle))
            if self.tight[floor].covers(shapely.LineString([(x, y), end])):
                return (x, y), end
        return None

    def levels(self) -> Levels:
        levels = [
            Level(
                f"L{i}",
                Field.of(
                    width=TABLE,
                    depth=TABLE,
                    solids=[
                        [
                            v
                            for c in shapely.geometry.polygon.orient(s).exterior.coords[:-1]
                            for v in c
                        ]
                        for s in floor
                    ],
                ),
                3.0 * i,
            )
            for i, floor in enumerate(self.floors)
        ]
        links = [
            Link(f"l{n}", "ladder", (f"L{i}", *p), (f"L{j}", *q), cost, both)
            for n, i, p, j, q, cost, both in self.links
        ]
        portals = [
            Portal(f"p{n}", "door", (f"L{i}", *a[0], *a[1]), (f"L{j}", *b[0], *b[1]), cost, both)
            for n, i, a, j, b, cost, both in self.portals
        ]
        return Levels(levels, links, portals)

    def dense(
        self,
        spaces: list[shapely.Geometry],
        start: tuple[int, float, float],
        goal: tuple[int, float, float],
    ) -> tuple[float, int]:
        """Least cost in the dense graph, and how many portals that way crosses."""
        points: list[list[tuple[float, float]]] = [[], [], []]
        jumps: dict[tuple[int, int], list[tuple[int, int, float, int]]] = {}

        def put(floor: int, x: float, y: float) -> tuple[int, int]:
            points[floor].append((x, y))
            return floor, len(points[floor]) - 1

        def join(p: tuple[int, int], q: tuple[int, int], cost: float, both: bool, n: int) -> None:
            jumps.setdefault(p, []).append((*q, cost, n))
            if both:
                jumps.setdefault(q, []).append((*p, cost, n))

        first, last = put(*start), put(*goal)
        for floor, space in enumerate(spaces):
            for part in shapely.get_parts(space):
                for ring in (part.exterior, *part.interiors):
                    for x, y in list(ring.coords)[:-1]:
                        put(floor, x, y)
        for _, i, p, j, q, cost, both in self.links:
            join(put(i, *p), put(j, *q), cost, both, 0)
        for _, i, a, j, b, cost, both in self.portals:
            count = math.ceil(math.dist(*a) / STEP)
            for k in range(count + 1):
                t = k / count
                here = (a[0][0] + t * (a[1][0] - a[0][0]), a[0][1] + t * (a[1][1] - a[0][1]))
                there = (b[0][0] + t * (b[1][0] - b[0][0]), b[0][1] + t * (b[1][1] - b[0][1]))
                join(put(i, *here), put(j, *there), cost, both, 1)
        arrays = [np.array(p) for p in points]
        cost = {first: (0.0, 0)}
        heap = [(0.0, 0, first)]
        done: set[tuple[int, int]] = set()
        while heap:
            d, crossed, at = heapq.heappop(heap)
            if at in done:
                continue
            if at == last:
                return d, crossed
            done.add(at)
            floor, i = at
            here = arrays[floor]
            lines = np.stack([np.broadcast_to(here[i], here.shape), here], axis=1)
            seen = shapely.covers(spaces[floor], shapely.linestrings(lines))
            step = np.hypot(*(here - here[i]).T)
            onward = [(floor, int(j), float(step[j]), 0) for j in np.nonzero(seen)[0]]
            for f, j, more, n in (*onward, *jumps.get(at, ())):
                if (f, j) not in done and d + more < cost.get((f, j), (math.inf, 0))[0]:
                    cost[f, j] = (d + more, crossed + n)
                    heapq.heappush(heap, (d + more, crossed + n, (f, j)))
        return math.inf, 0


def test_route_lies_between_dense_graphs(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(21)
    crossed = 0
    for _ in range(budget(6, 400)):
        house = Building(rng)
        levels = house.levels()
        for space in (*house.tight, *house.wide):
            shapely.prepare(space)
        i, j = rng.randrange(3), rng.randrange(3)
        a, b = house.spot(rng, i), house.spot(rng, j)
        answer = levels.route((f"L{i}", *a), [(f"L{j}", PointGoal(*b))], house.r, limit=60.0)
        high, _ = house.dense(house.tight, (i, *a), (j, *b))
        low, _ = house.dense(house.wide, (i, *a), (j, *b))
        if answer.route is None:
            assert high > 60.0
            continue
        route = answer.route
        portals = sum(1 for link in route.links if link.startswith("p"))
        crossed += portals
        # To the nearest place of a portal and back costs half a step on either side of it.
        assert low - STEP * portals - 1e-6 <= route.cost <= high + 1e-6
        assert route.cost == pytest.approx(sum(s.cost for s in route.steps), abs=1e-9)
        for step in route.steps:
            if not step.path.legs:
                continue
            floor = int(step.level[1])
            marks = [step.path.at(step.path.length * k / 200) for k in range(201)]
            solids = shapely.union_all(house.floors[floor])
            assert min(shapely.distance(shapely.points(marks), solids)) >= house.r - 1e-6

    assert crossed > 3
