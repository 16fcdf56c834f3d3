"""Routes of a point against the published lengths of two navigation meshes.

The meshes are not part of the project: TAPELINE_DATA names the folder that holds `polyanya/`, by
default shared/data beside the checkout. Without it the tests are skipped.

A point slips along walls without thickness, so it is given a radius of GROWTH; a route grows by at
most GROWTH times its turning, which is far below the tolerance.
"""

from __future__ import annotations

import heapq
import math
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import shapely

from support.kernels import warm
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal

GROWTH = 2e-8
TOLERANCE = 1e-6
DATA = Path(os.environ.get("TAPELINE_DATA") or Path(__file__).parents[3] / "shared" / "data")
FOLDER = DATA / "polyanya"

pytestmark = pytest.mark.skipif(
    not (FOLDER / "scene_mp_2p_01.mesh").is_file(),
    reason=f"no mesh data in {FOLDER}; TAPELINE_DATA names another folder",
)

Point = tuple[float, float]
Query = tuple[Point, Point, float]


def read_mesh(path: Path) -> tuple[list[Point], list[tuple[bool, list[int]]]]:
    """Corners, and faces as (may be walked on, corners)."""
    words = iter(path.read_text().split())
    assert next(words) == "mesh"
    version, corners, faces = int(next(words)), int(next(words)), int(next(words))
    points = []
    for _ in range(corners):
        points.append((float(next(words)), float(next(words))))
        if version == 2:
            for _ in range(int(next(words))):
                next(words)
    found = []
    for _ in range(faces):
        open_ = version == 2 or next(words) == "1"
        count = int(next(words))
        ids = [int(next(words)) - (version == 3) for _ in range(count)]
        for _ in range(count):
            next(words)
        found.append((open_, ids))
    assert next(words, None) is None
    return points, found


def borders(path: Path) -> Iterator[tuple[float, float, float, float]]:
    """Edges with open ground on one side only."""
    points, faces = read_mesh(path)
    sides: dict[tuple[int, int], int] = {}
    for open_, ids in faces:
        for a, b in zip(ids, ids[1:] + ids[:1], strict=True):
            key = (min(a, b), max(a, b))
            sides[key] = sides.get(key, 0) + open_
    for (a, b), open_sides in sides.items():
        assert open_sides <= 2
        if open_sides == 1:
            yield (*points[a], *points[b])


def read_queries(path: Path) -> list[Query]:
    lines = path.read_text().splitlines()
    assert lines[0] == "version 1"
    found = []
    for line in lines[1:]:
        sx, sy, gx, gy, length = (float(word) for word in line.split()[4:9])
        found.append(((sx, sy), (gx, gy), length))
    return found


def length_of(field: Field, start: Point, goal: Point, limit: float = math.inf) -> float:
    found = field.route(start, [PointGoal(*goal)], GROWTH, limit=limit).route
    if found is None:
        return math.inf
    assert math.isclose(found.path.length, found.length, abs_tol=1e-9)
    assert field.follows(found.path, GROWTH, slack=0.1 * GROWTH)
    return found.length


@pytest.fixture(scope="module")
def compiled() -> bool:
    warm()
    return True


def test_lengths_on_a_large_mesh_are_the_published_ones(
    compiled: bool, budget: Callable[[int, int], int]
) -> None:
    field = Field.of(walls=borders(FOLDER / "scene_mp_2p_01.mesh"), compiled=compiled)
    queries = read_queries(FOLDER / "scene_mp_2p_01.mesh.scen")
    assert len(queries) == 2000
    chosen = random.Random(1).sample(queries, budget(20, len(queries)))
    wrong = []
    for start, goal, length in chosen:
        found = length_of(field, start, goal, length + 0.01)
        if not abs(found - length) <= TOLERANCE:
            wrong.append((start, goal, length, found))
    assert not wrong


def true_length(
    free: shapely.Geometry, corners: npt.NDArray[np.float64], start: Point, goal: Point
) -> float:
    """Shortest path in polygonal ground by A* over lines of sight; independent of the project."""
    points = np.vstack([[start, goal], corners])
    left = np.hypot(*(points - points[1]).T)
    cost = {0: 0.0}
    heap = [(float(left[0]), 0)]
    done: set[int] = set()
    while heap:
        _, i = heapq.heappop(heap)
        if i == 1:
            return cost[1]
        if i in done:
            continue
        done.add(i)
        lines = np.stack([np.broadcast_to(points[i], points.shape), points], axis=1)
        steps = np.hypot(*(points - points[i]).T)
        for j in np.nonzero(shapely.covers(free, shapely.linestrings(lines)))[0]:
            if cost[i] + steps[j] < cost.get(int(j), math.inf):
                cost[int(j)] = float(cost[i] + steps[j])
                heapq.heappush(heap, (cost[int(j)] + float(left[j]), int(j)))
    return math.inf


def test_lengths_on_the_arena(compiled: bool, budget: Callable[[int, int], int]) -> None:
    """Its listed costs are walks on a grid: lengths are worked out anew, and are no longer."""
    points, faces = read_mesh(FOLDER / "arena.mesh")
    free = shapely.union_all([shapely.Polygon([points[i] for i in ids]) for _, ids in faces])
    free = free.buffer(1e-9, join_style="mitre")
    shapely.prepare(free)
    fields = [
        Field.of(walls=borders(FOLDER / "arena.mesh"), compiled=backend)
        for backend in (False, compiled)
    ]
    queries = read_queries(FOLDER / "arena.scen")
    assert len(queries) == 160
    for (sx, sy), (gx, gy), listed in queries[:: budget(4, 1)]:
        start, goal = (sx + 0.5, sy + 0.5), (gx + 0.5, gy + 0.5)  # the middles of the cells
        length = true_length(free, np.array(points), start, goal)
        assert length <= listed + 1e-4
        for field in fields:
            assert abs(length_of(field, start, goal) - length) <= TOLERANCE
