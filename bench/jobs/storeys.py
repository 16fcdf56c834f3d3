"""Shortest routes of a point over floors joined by ramps, against an exact search on their mesh and
against a navigation mesh, which games use."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import median

from bench.harness import DisagreementError, Figure, Setting, compare, say, time_each
from bench.peers import navigation_mesh
from bench.peers.geodesic import Point3, Surface
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.geometry.surfaces.level import Level, Slope
from tapeline.geometry.surfaces.links import Portal
from tapeline.geometry.surfaces.model import Levels

__all__ = ["Terraces", "storeys"]

#: Inches: a floor's length and depth, and the run of a ramp to the next floor.
LONG, DEEP, RUN = 6.0, 9.0, 4.0


@dataclass(frozen=True, slots=True)
class Terraces:
    """Floors in a row, two ramps from each to the next. heights: of the floors; widths: from where
    to where along a side each ramp goes."""

    heights: tuple[float, ...]
    widths: tuple[tuple[tuple[float, float], tuple[float, float]], ...]

    @classmethod
    def drawn(cls, seed: int, count: int) -> Terraces:
        """So many floors at random."""
        rng = random.Random(seed)
        middle = 0.5 * DEEP
        pairs = []
        for _ in range(count - 1):
            low, high = rng.uniform(0.0, 0.3 * middle), rng.uniform(0.5 * middle, 0.9 * middle)
            pairs.append(((low, high), (middle + low, middle + high)))
        return cls(tuple(rng.uniform(0.0, 4.0) for _ in range(count)), tuple(pairs))

    def levels(self) -> Levels:
        """As our searches take them."""
        levels, portals = [], []
        for k, z in enumerate(self.heights):
            x = (LONG + RUN) * k
            levels.append(Level(f"floor {k}", Field.of(box=(x, 0.0, x + LONG, DEEP)), z))
        for k, pair in enumerate(self.widths):
            x = (LONG + RUN) * k + LONG
            slope = Slope.rising(0.0, self.heights[k + 1] - self.heights[k], RUN, x, 0.0)
            for n, (low, high) in enumerate(pair):
                name = f"ramp {k}.{n}"
                box = (*slope.point(x, low), *slope.point(x + RUN, high))
                levels.append(Level(name, Field.of(box=box), self.heights[k], slope))
                for floor, at in ((k, x), (k + 1, x + RUN)):
                    side = (at, low, at, high)
                    portals.append(
                        Portal(
                            f"{name} {floor}", "stairs", (f"floor {floor}", *side), (name, *side)
                        )
                    )
        return Levels(levels, (), portals)

    def place(self, floor: int, x: float, y: float) -> Point3:
        """A place of a floor in space."""
        return (LONG + RUN) * floor + x, y, self.heights[floor]

    def surface(self, start: Point3, goal: Point3) -> Surface:
        """The same as a mesh, with two places on different floors among its corners."""
        facets: list[tuple[list[Point3], Point3]] = []
        for k, z in enumerate(self.heights):
            west, east = (LONG + RUN) * k, (LONG + RUN) * k + LONG
            right = [y for pair in self.widths[k : k + 1] for side in pair for y in side]
            left = (
                [y for pair in self.widths[k - 1 : k] for side in pair for y in side] if k else []
            )
            ys = (sorted({0.0, DEEP, *right}), sorted({0.0, DEEP, *left}, reverse=True))
            ring = [(x, y, z) for x, side in zip((east, west), ys, strict=True) for y in side]
            inside = [at for at in (start, goal) if west < at[0] < east]
            facets.append((ring, inside[0] if inside else (0.5 * (west + east), 0.5 * DEEP, z)))
        for k, pair in enumerate(self.widths):
            x, z, top = (LONG + RUN) * k + LONG, self.heights[k], self.heights[k + 1]
            for low, high in pair:
                end = x + RUN
                ring = [(x, low, z), (end, low, top), (end, high, top), (x, high, z)]
                facets.append((ring, (0.5 * (x + end), 0.5 * (low + high), 0.5 * (z + top))))
        return Surface(facets)

    def pairs(self, seed: int, count: int) -> list[tuple[Point3, Point3]]:
        """Places on different floors."""
        rng, found = random.Random(seed), []
        for _ in range(count):
            floors = rng.sample(range(len(self.heights)), 2)
            one, two = (
                self.place(k, rng.uniform(0.1, LONG - 0.1), rng.uniform(0.1, DEEP - 0.1))
                for k in floors
            )
            found.append((one, two))
        return found

    def floor(self, at: Point3) -> str:
        """The name of the floor that a place is on."""
        return f"floor {int(at[0] // (LONG + RUN))}"

    def length(self, levels: Levels, start: Point3, goal: Point3) -> float:
        """Our length of the shortest way between two places, for a point."""
        goals = [(self.floor(goal), PointGoal(*goal[:2]))]
        found = levels.route((self.floor(start), *start[:2]), goals, 0.0).route
        return math.inf if found is None else found.cost

    def laid(self, path: Sequence[Point3]) -> float:
        """The length of a way that is given by its plan, on the floors and ramps themselves."""
        return math.fsum(
            math.dist(self._on(a), self._on(b))
            for one, two in pairwise(path)
            for a, b in pairwise(self._cut(one, two))
        )

    def _cut(self, one: Point3, two: Point3) -> list[Point3]:
        """A straight piece of a plan, cut where floors and ramps meet."""
        sides = [(LONG + RUN) * k + x for k in range(len(self.heights)) for x in (0.0, LONG)]
        across = two[0] - one[0]
        shares = sorted((x - one[0]) / across for x in sides) if across else []
        found = [t for t in shares if 0.0 < t < 1.0]
        return [
            (one[0] + t * across, one[1] + t * (two[1] - one[1]), 0.0) for t in (0.0, *found, 1.0)
        ]

    def _on(self, at: Point3) -> Point3:
        """A place as high as what is there."""
        k = min(max(0, int(at[0] // (LONG + RUN))), len(self.heights) - 1)
        up = min(1.0, max(0.0, at[0] - (LONG + RUN) * k - LONG) / RUN)
        top = self.heights[min(k + 1, len(self.heights) - 1)]
        return at[0], at[1], (1.0 - up) * self.heights[k] + up * top


def _against_mesh(
    terraces: Terraces,
    pairs: Sequence[tuple[Point3, Point3]],
    lengths: Sequence[float],
    ours: float,
) -> Figure:
    """Ways on a navigation mesh: its time a query, and how far off their lengths are: borders of
    the mesh lie up to a cell beside those of the floors, and its ways are not the shortest."""
    name = f"{len(terraces.heights)} floors, {2 * (len(terraces.heights) - 1)} ramps"
    answers = navigation_mesh.ways(terraces.surface(*pairs[0]), pairs, 20)
    off = [
        100.0 * (terraces.laid([start, *path, goal]) / length - 1.0)
        for (start, goal), path, length in zip(pairs, answers.paths, lengths, strict=True)
        if path is not None
    ]
    if not off or median(map(abs, off)) > 5.0:
        raise DisagreementError(f"{name}: ways on the navigation mesh are off by {off} %")
    note = f"lengths off by {min(off):+.1f} to {max(off):+.1f} %, {median(map(abs, off)):.2f} % at "
    note += f"the median; {len(pairs) - len(off)} ways not found; a mesh of cells of 0.1 in"
    peer = median(answers.times)
    return compare("route over storeys, a point", name, ours, peer, "Recast and Detour", note=note)


def storeys(setting: Setting) -> list[Figure]:
    """A query on ready levels: ours by windows on levels, the peer by windows on triangles."""
    figures = []
    for count in (2, 4, 8):
        say(f"    {count} floors")
        terraces = Terraces.drawn(count, count)
        levels = terraces.levels()
        ours, theirs, lengths, worst = [], [], list[float](), 0.0
        pairs = terraces.pairs(count, setting.count(60, 15))
        for start, goal in pairs:
            surface = terraces.surface(start, goal)
            mine, peer = terraces.length(levels, start, goal), surface.length(start, goal)
            if not abs(mine - peer) <= 1e-9:
                raise DisagreementError(f"{count} floors: {start} to {goal}: {mine!r}, {peer!r}")
            worst = max(worst, abs(mine - peer))
            lengths.append(mine)
            ours.append(partial(terraces.length, levels, start, goal))
            theirs.append(partial(surface.length, start, goal))
        timing, peer_time = time_each(ours), time_each(theirs).median
        note = f"{timing.calls} routes, lengths within {worst:.0e} of each other"
        name = f"{count} floors, {2 * (count - 1)} ramps"
        figures.append(
            compare("route over storeys, a point", name, timing.median, peer_time, "MMP", note=note)
        )
        if navigation_mesh.installed():
            figures.append(_against_mesh(terraces, pairs, lengths, timing.median))
    return figures
