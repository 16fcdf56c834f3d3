"""What a search leaves in its scratch never changes the next one: other fields, radii, rooms."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable
from functools import partial

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal

from .test_field_discs import random_field


def _fresh(call: Callable[[], object]) -> object:
    """What a call gives in a thread of its own, where all scratch is new."""
    got: list[object] = []
    thread = threading.Thread(target=lambda: got.append(call()))
    thread.start()
    thread.join()
    return got[0]


def _asked(
    field: Field, start: tuple[float, float], goal: tuple[float, float], r: float
) -> tuple[object, ...]:
    zone = field.reach(start, r, 8.0)
    route = field.route(start, [PointGoal(*goal)], r, limit=20.0)
    return zone.generators, zone.cost(*goal), route


def test_answers_are_those_of_a_thread_that_was_asked_nothing_before() -> None:
    rng = random.Random("scratch")
    fields = [random_field(rng) for _ in range(6)]
    # One with a circle of more free arcs than there is room for at first.
    ring = [
        (6 + 2.5 * math.cos(a * math.tau / 14), 6 + 2.5 * math.sin(a * math.tau / 14), 0.35)
        for a in range(14)
    ]
    fields.append(Field.of(width=12, depth=12, posts=[(6.0, 6.0, 2.0), *ring]))
    found = 0
    for turn in range(60):
        field = fields[turn % len(fields)]
        r = rng.choice((0.15, 0.3, 0.5))
        side = 12.0 if field is fields[-1] else 30.0
        start = (rng.uniform(1, side - 1), rng.uniform(1, side - 1))
        goal = (start[0] + rng.uniform(-5, 5), start[1] + rng.uniform(-5, 5))
        here = _asked(field, start, goal, r)
        again = _fresh(partial(_asked, field, start, goal, r))
        assert here == again
        found += math.isfinite(float(here[1]))  # type: ignore[arg-type]
    assert found > 20


def test_wedges_left_by_other_arcs_of_the_same_circle_are_not_used() -> None:
    # The circle of the post in the middle is free to the right, then to the left.
    open_right = Field.of(
        width=12, depth=12, posts=[(6.0, 6.0, 1.0)], bodies={"a": (4.6, 6.0, 0.4)}
    )
    open_left = open_right.moved("a", 7.4, 6.0)
    for field, x in ((open_right, 8.0), (open_left, 4.0), (open_right, 8.0)):
        zone = field.reach((6.0 + 0.3 * (x - 6.0), 2.0), 0.3, 12.0)
        mirrored = {
            (round(12.0 - g.x, 9), round(g.y, 9), -g.sense, round(g.cost, 9))
            for g in (open_left if field is open_right else open_right)
            .reach((6.0 - 0.3 * (x - 6.0), 2.0), 0.3, 12.0)
            .generators
        }
        assert mirrored == {
            (round(g.x, 9), round(g.y, 9), g.sense, round(g.cost, 9)) for g in zone.generators
        }
        assert len(mirrored) > 4
