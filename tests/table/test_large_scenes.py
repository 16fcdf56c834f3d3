"""Tables with very much on them: what is found by place is what all pairs give, and costs less."""

from __future__ import annotations

import math
from random import Random

import pytest

from tapeline.geometry.plane.distance import segment_segment
from tapeline.table.access import _within, out_of_reach
from tapeline.table.storeys import Storeys, Surface
from tapeline.table.terrain import Battlefield, Floor, Polygon
from tapeline.work import work_limit


def table(*floors: tuple[float, list[tuple[float, float]]]) -> Storeys:
    made = tuple(
        Floor(f"f{k}", "floor", "", (Polygon(tuple(corners)),), z)
        for k, (z, corners) in enumerate(floors)
    )
    return Storeys(Battlefield(48.0, 48.0, "in", floors=made))


def star(x: float, y: float, r: float, corners: int) -> list[tuple[float, float]]:
    turns = [(math.tau * k / corners, r * (1.1 if k % 2 else 1.0)) for k in range(corners)]
    return [(x + far * math.cos(t), y + far * math.sin(t)) for t, far in turns]


def square(x: float, y: float, side: float) -> list[tuple[float, float]]:
    return [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]


def apart(a: Surface, b: Surface) -> float:
    """The distance by every pair of sides."""
    best = math.inf
    for one in a.borders():
        if b.depth(one[0], one[1]) >= 0.0:
            return 0.0
        for other in b.borders():
            best = min(best, segment_segment(*one[:4], *other[:4])[0])
    return best


@pytest.mark.parametrize("seed", range(20))
def test_surfaces_within_a_distance_are_those_of_all_pairs(seed: int) -> None:
    rng = Random(seed)
    storeys = table(
        *(
            (3.0 * k, star(rng.uniform(8, 40), rng.uniform(8, 40), rng.uniform(0.5, 7), 2 * n))
            for k, n in enumerate([3, 4, 7, 12], 1)
        )
    )
    for a in storeys.surfaces:
        for b in storeys.surfaces:
            for gap in (0.5, 3.0, 8.0):
                assert _within(a, b, gap, {}) == (apart(a, b) <= gap)


def test_many_floors_cost_their_number() -> None:
    done = []
    for side in (8, 16):
        step = 46.0 / 16
        floors = [
            (0.5 if i == 0 else 3.0, square(1 + step * i, 1 + step * j, 0.6 * step))
            for i in range(side)
            for j in range(side)
        ]
        with work_limit(math.inf) as work:
            out_of_reach(table(*floors), step=1.0, drop=6.0, gap=3.0)
        done.append(work.done)
    assert done[1] < 6 * done[0]


@pytest.mark.parametrize("seed", range(6))
def test_edges_of_floors_of_many_corners_are_those_seen_side_by_side(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(seed)
    floors = [
        (3.0 * k, star(rng.uniform(18, 30), rng.uniform(18, 30), rng.uniform(4, 9), 2 * n))
        for k, n in enumerate([40, 61, 90], 1)
    ]
    by_place = table(*floors)
    monkeypatch.setattr("tapeline.table.solids._MANY", math.inf)
    by_side = table(*floors)
    assert any(s.outer.rim for s in by_place.surfaces)
    assert not any(s.outer.rim for s in by_side.surfaces)
    for one, other in zip(by_place.surfaces, by_side.surfaces, strict=True):
        seen = [(e.ax, e.ay, e.bx, e.by, e.beyond and e.beyond.id) for e in by_place.edges(one)]
        assert seen == [
            (e.ax, e.ay, e.bx, e.by, e.beyond and e.beyond.id) for e in by_side.edges(other)
        ]


def test_edges_of_floors_cost_their_corners() -> None:
    done = []
    for corners in (200, 800):
        storeys = table((3.0, star(20, 24, 8, corners)), (6.0, star(28, 24, 8, corners)))
        with work_limit(math.inf) as work:
            for surface in storeys.surfaces:
                storeys.edges(surface)
        done.append(work.done)
    assert done[1] < 6 * done[0]
