"""G-8, TC-TER-3: who fails a roll on top of friends goes back to the last free point of a path."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, red, to
from tapeline.engine.paths import Leg
from tapeline.rules.trench_crusade import SYSTEM
from tapeline.rules.trench_crusade.walker import last_stop
from tapeline.travel.route import Route

R = 125 / 127
Doc = dict[str, Any]


def corridor(*more: Doc) -> list[Doc]:
    """Friends in a row from x = 12 to 15, each just too near the next for a base between them."""
    return [red("A", 9, 10, stats={"movement": 12}), *(red(f"F{k}", 12 + k, 10) for k in range(4))]


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
@pytest.mark.parametrize("roof", [False, True])
def test_weaving_over_friends_ends_before_the_first(turns: int, roof: bool) -> None:
    # Over all four friends and back, some times, and into the mines beyond them.
    z = 2.0 if roof else 0.0
    mines = box("minefield", 13.2, 14, 10.3, 12, id="mines", base_height=z)
    models = [{**model, "z": z} for model in corridor()]
    models[0]["profile"]["movement"] = 40
    terrain = [mines, *([box("block", 4, 30, 4, 20, height=2.0, id="roof")] if roof else [])]
    table = Table(models, terrain)
    path = [*to((14.6, 10), (12.2, 10)) * turns, *to((13.6, 10), (13.6, 11.5))]
    verdict = table.do("move", "A", (1, 2), (1, 1), path=path)
    assert {"TC-TER-3", "TC-MOVE-5"} <= set(verdict.cites)
    assert table.body().centre == pytest.approx((12 - R, 10), abs=1e-5)
    assert list(SYSTEM.faults(table.state)) == []


def test_a_free_place_between_friends_is_the_last_one() -> None:
    # F0 and F1 stand 2.2 apart: from 11 + R to 13.2 - R it is free.
    models = [red("A", 9, 10, stats={"movement": 12}), red("F0", 11, 10), red("F1", 13.2, 10)]
    table = Table(models, [box("minefield", 13, 14, 10.2, 12, id="mines")])
    path = to((13.5, 10), (11.5, 10), (13.5, 10), (13.5, 11.8))
    table.do("move", "A", (1, 2), (1, 1), path=path)
    assert table.body().centre == pytest.approx((13.2 - R, 10), abs=1e-5)


def test_a_base_that_just_fits_between_two_friends_is_free() -> None:
    # Rounded to six decimals, each friend is 4.8e-7 in too near: by the tolerance it still fits.
    models = [
        red("A", 9, 10, stats={"movement": 12}),
        red("F0", 11, 10),
        red("F1", 12.968503, 10),
    ]
    table = Table(models, [box("minefield", 12.5, 14, 9, 12, id="mines")])
    path = to(
        (13, 10),
    )
    verdict = table.do("move", "A", (1, 2), (1, 1), path=[*path, *to((16, 10))])
    assert verdict.legal
    assert table.body().x == pytest.approx(11 + R, abs=2e-6)


def test_a_charger_caught_on_friends_goes_back_too() -> None:
    friends = [red(f"F{k}", 12 + 0.985 * k, 10.1) for k in range(4)]
    table = Table(
        [red("A", 9, 10), *friends, blue("T", 19, 10)], [box("wire", 14.5, 16, 4, 20, id="wire")]
    )
    verdict = table.do("charge", "A", (6,), (1, 2), (1, 1), target="T")
    assert "TC-TER-3" in verdict.cites
    assert table.body().x == pytest.approx(12 - math.sqrt(R * R - 0.01), abs=1e-5)
    assert table.state.progress["over"] == "danger"


def test_a_failed_climb_among_friends_goes_back_past_all_of_them() -> None:
    # At the wall it stands on F3, which touches F2, and so on to F0.
    friends = [red(f"F{k}", 8.5 + 0.985 * k, 10) for k in range(4)]
    table = Table(
        [red("A", 7, 10, stats={"movement": 14}), *friends],
        [box("block", 12, 20, 4, 20, height=1.4, id="b")],
    )
    path = [*to((10.4, 10), (9, 10)), {"to": [13, 10], "z": 1.4, "how": "climb"}]
    verdict = table.do("move", "A", (1, 2), path=path)
    assert "TC-CLM-2" in verdict.cites
    assert table.body().centre == pytest.approx((8.5 - R, 10), abs=1e-5)


def test_the_last_free_point_against_dense_sampling(budget: Callable[[int, int], int]) -> None:
    rng, moved = Random(17), 0
    for _ in range(budget(80, 4000)):
        friends: list[Doc] = []
        for k in range(rng.randint(1, 12)):
            x, y = rng.uniform(9, 15), rng.uniform(9, 13)
            if (
                all(math.dist((x, y), f["position"]) > R for f in friends)
                and math.dist((x, y), (8, 10)) > R
            ):
                friends.append(red(f"F{k}", x, y))
        table = Table([red("A", 8, 10), *friends])
        body, state = table.body(), table.state
        points = [(rng.uniform(9, 15), rng.uniform(9, 13)) for _ in range(rng.randint(1, 6))]
        track = Route.read(body, tuple(Leg(to=p) for p in points))
        s = last_stop(state, body, track, track.length)

        def free(s: float, track: Route = track, friends: list[Doc] = friends) -> bool:
            return all(math.dist(track.place(s).xy, f["position"]) >= R - 1e-6 for f in friends)

        assert free(s)
        moved += 0.0 < s < track.length
        count = int(400 * (track.length - s)) + 1
        run_on = [s + (track.length - s) * k / count for k in range(1, count + 1)]
        assert not [t for t in run_on if t > s + 1e-5 and free(t)]
    assert moved > 10
