"""A depth asked for near a border only is the true one there, and beyond that on the same side."""

from __future__ import annotations

import math
from random import Random

import pytest

from tapeline.table.solids import Ground, ground_of

PLANS = {
    "a rectangle along the table's sides": ground_of(
        ((1.0, 1.0), (5.0, 1.0), (5.0, 3.0), (1.0, 3.0))
    ),
    "a turned rectangle": ground_of(((3.0, 0.0), (5.0, 2.0), (3.0, 4.0), (1.0, 2.0))),
    "a quarter of one": ground_of(((1.0, 1.0), (5.0, 1.0), (1.0, 3.0), (0.5, 2.0))),
    "a circle": Ground.of_circle((3.0, 2.0, 1.5)),
}


@pytest.mark.parametrize("name", PLANS)
def test_it_is_told_to_the_letter_near_the_border_and_by_its_side_elsewhere(name: str) -> None:
    plan, rng, near = PLANS[name], Random(3), 0
    for _ in range(2_000):
        x, y, most = rng.uniform(-1.0, 7.0), rng.uniform(-2.0, 6.0), rng.uniform(0.0, 1.0)
        true, told = plan.depth(x, y), plan.depth(x, y, most)
        if abs(true) <= most:
            near += 1
            assert told == true
        else:
            assert math.copysign(1.0, told) == math.copysign(1.0, true)
            assert abs(told) > most
    assert near > 200


def test_only_what_fills_its_box_is_one() -> None:
    assert [name for name, plan in PLANS.items() if plan.is_box] == [*PLANS][:1]
