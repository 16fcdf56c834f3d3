"""TC-MOVE-11, G-8: where a base stops when a roll fails or a charge falls short over storeys."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, box, red, to
from tapeline.engine.paths import Leg
from tapeline.rules.trench_crusade import SYSTEM
from tapeline.rules.trench_crusade.ground import terrain_of
from tapeline.rules.trench_crusade.walker import is_held, last_stop, lay

R = 125 / 254
Doc = dict[str, Any]


def leg(x: float, y: float, z: float | None = None, how: str = "walk") -> Doc:
    """One leg of a path."""
    found: Doc = {"to": [x, y], "how": how}
    return found if z is None else {**found, "z": z}


def carried(table: Table) -> float:
    """The share of A's base that is carried."""
    heights, body = terrain_of(table.state), table.body()
    surface = heights.storeys.support(body.x, body.y, body.z, 1e-6)
    assert surface is not None
    return heights.support(surface, body.x, body.y, body.base.reach)


CORNER = box("block", 4, 13, 4, 12.6, height=2, id="b")


def test_caught_at_a_corner_it_goes_back_to_where_it_stands() -> None:
    mines = box("minefield", 12.85, 13, 12.3, 12.6, id="m", base_height=2)
    table = Table([red("A", 10, 12.5, z=2)], [CORNER, mines])
    verdict = table.do("move", "A", (1, 2), (1, 1), path=to((12.95, 12.55), (12, 11.5)))
    assert "TC-MOVE-11" in verdict.cites
    assert carried(table) == pytest.approx(0.5, abs=1e-5)
    assert 12.4 < table.body().x < 12.85  # no farther back than it must
    assert list(SYSTEM.faults(table.state)) == []


def test_who_does_not_dare_to_climb_down_at_a_corner_stands_where_it_can() -> None:
    table = Table([red("A", 10, 12.5, z=2)], [CORNER])
    path = [leg(12.95, 12.55), leg(13.6, 12.56, 0, "climb")]
    verdict = table.do("move", "A", (1, 2), path=path)
    assert "TC-MOVE-11" in verdict.cites
    assert carried(table) == pytest.approx(0.5, abs=1e-5)
    assert list(SYSTEM.faults(table.state)) == []


def test_caught_at_the_head_of_a_ladder_it_stands_beside_it() -> None:
    roof = {
        "id": "f",
        "floor": {"rectangle": {"centre": [16, 10], "width": 8, "depth": 8}},
        "z": 3,
        "traits": ["dangerous"],
    }
    ladder = {"id": "l", "ladder": {"foot": [12, 10, 0], "head": [12, 10, 3]}}
    table = Table([red("A", 11, 10)], [roof, ladder])
    path = [leg(12, 10), leg(12, 10, 3), leg(13, 10)]
    table.do("move", "A", (1, 2), (1, 1), path=path)
    assert table.body().z == 3
    assert table.body().centre == pytest.approx((12, 10), abs=1e-4)
    assert list(SYSTEM.faults(table.state)) == []


def test_caught_on_a_friend_after_a_drop_it_lies_beside_it() -> None:
    # Down 2.9 inches onto F without harm, then into mines still above F: the last clear place is
    # on the ledge, to which no way leads back.
    block = box("block", 4, 12, 0, 48, height=2.9, id="b")
    mines = box("minefield", 12.6, 20, 0, 48, id="m")
    models = [red("A", 11, 10, z=2.9), red("F", 12.8, 10.5)]
    table = Table(models, [block, mines])
    path = [leg(12 + R, 10, 0, "drop"), leg(14.5, 10)]
    verdict = table.do("move", "A", (1, 2), (1, 1), path=path)
    assert "TC-TER-3" in verdict.cites
    body, friend = table.body(), table.body("F")
    assert body.z == 0
    assert math.dist(body.centre, friend.centre) == pytest.approx(2 * R, abs=1e-6)
    assert math.dist(body.centre, (12.6, 10)) < 0.6
    assert list(SYSTEM.faults(table.state)) == []


def test_caught_on_a_friend_after_a_walk_it_goes_back_along_it() -> None:
    block = box("block", 4, 12, 0, 48, height=2.9, id="b")
    mines = box("minefield", 14.2, 20, 0, 48, id="m")
    models = [red("A", 11, 10, z=2.9), red("F", 14.4, 10.5)]
    table = Table(models, [block, mines])
    path = [leg(12 + R, 10, 0, "drop"), leg(15.8, 10)]
    verdict = table.do("move", "A", (1, 2), (1, 1), path=path)
    assert "TC-MOVE-5" in verdict.cites
    back = 14.4 - math.sqrt(4 * R * R - 0.25)
    assert table.body().centre == pytest.approx((back, 10), abs=1e-5)


def test_the_last_stop_against_dense_sampling(budget: Callable[[int, int], int]) -> None:
    """It can be stopped at, and nowhere farther on but for stays shorter than 0.001 inch."""
    rng, moved, stuck = Random(11), 0, 0
    for _ in range(budget(25, 1500)):
        terrain = [box("block", 4, 16, 4, 16, height=2, id="base")]
        for k in range(rng.randint(0, 2)):
            x, y = rng.uniform(14, 17), rng.uniform(4, 15)
            more = box("block", x, x + rng.uniform(0.5, 2), y, y + 2, height=2.5, id=f"b{k}")
            terrain.append(more)
        friends = [red(f"F{k}", rng.uniform(9, 15), rng.uniform(9, 15), z=2) for k in range(2)]
        try:
            table = Table([red("A", 7, 7, z=2), *friends], terrain)
        except Exception:  # friends in one another, or in a block
            continue
        state, mover = table.state, table.body()
        points = [(rng.uniform(8, 15.9), rng.uniform(8, 15.9)) for _ in range(rng.randint(0, 2))]
        corner = (rng.uniform(15.4, 15.999), rng.uniform(15.4, 15.999))
        friend = rng.choice(friends)["position"]
        points.append(rng.choice([corner, (friend[0] + 0.3, friend[1]), (15.999, 12)]))
        way = lay(state, mover, tuple(Leg(to=p) for p in points))
        s = last_stop(state, mover, way, way.length)

        def able(s: float, state: Any = state, mover: Any = mover, way: Any = way) -> bool:
            place = way.place(s)
            level = [f for f in state.friends(mover) if abs(f.z - place.z) <= 1e-6]
            clear = all(math.dist(place[:2], f.centre) >= 2 * R - 1e-6 for f in level)
            return clear and is_held(state, mover, place)

        assert s == 0.0 or able(s)
        moved += s == way.length
        stuck += 0.0 < s < way.length
        count = 400
        run = [s + (way.length - s) * k / count for k in range(1, count + 1)]
        assert not [t for t in run if t > s + 1e-5 and able(t)]
    assert moved
    assert stuck
