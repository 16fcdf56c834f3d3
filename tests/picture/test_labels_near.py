"""What a label hits is found by place: the same cost as looking at everything."""

from __future__ import annotations

from random import Random

import pytest

from tapeline.picture.labels import Crowd, _shared, box


@pytest.mark.parametrize("seed", range(5))
def test_costs_are_those_of_looking_at_everything(seed: int) -> None:
    rng = Random(seed)
    crowd = Crowd((0.0, 0.0, 900.0, 700.0))

    def anywhere(largest: float) -> tuple[float, float, float, float]:
        x, y = rng.uniform(-50, 950), rng.uniform(-50, 750)
        return box(x, y, rng.uniform(0.1, largest), rng.uniform(0.1, largest))

    for size in (30.0, 30.0, 200.0, 3_000.0):
        for _ in range(40):
            crowd.take(anywhere(size), rng.uniform(0.1, 5.0))
    for size in (30.0, 200.0, 5_000.0):
        for _ in range(40):
            what = anywhere(size)
            area = (what[2] - what[0]) * (what[3] - what[1])
            total = 8.0 * (area - _shared(what, crowd.area))
            for other, weight in crowd.taken:
                if _shared(what, other):
                    total += weight * _shared(what, other)
            assert crowd.cost(what) == total
