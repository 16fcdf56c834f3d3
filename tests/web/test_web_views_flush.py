"""A stand pushed against another lies edge to edge with it, as the referee measures it."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest

from support.scenarios import example_scenes
from tapeline.engine.bases import base_shape
from tapeline.errors import UnknownIdError
from tapeline.geometry.rectangles.rectangle import separation
from tapeline.play.battle import load
from tapeline.table.bodies import Round
from tapeline.web.documents.asked import Laid, Push, Stood
from tapeline.web.views.asked import flush_view

STATE = load(example_scenes()["warmaster-dale"]).state
UNIT = next(unit for unit in STATE.units.values() if len(unit.members) >= 3)
ONE, TWO, THREE = UNIT.members[:3]
WIDTH, DEPTH = STATE.body(ONE).base.width, STATE.body(ONE).base.depth  # type: ignore[union-attr]


def pushed(x: float, y: float, facing: float = 90.0, near: float = 1.0, *others: Stood) -> Laid:
    others = others or (Stood(body=TWO, x=0, y=0, facing=90),)
    stand = Stood(body=ONE, x=x, y=y, facing=facing)
    return flush_view(STATE, Push(stand=stand, others=list(others), near=near))


def test_beside_behind_and_along_an_edge() -> None:
    beside = pushed(WIDTH + 0.3, 0.2)
    assert (beside.x, beside.y) == pytest.approx((WIDTH, 0.0))
    assert beside.against == TWO
    behind = pushed(0.1, -DEPTH - 0.2)
    assert (behind.x, behind.y) == pytest.approx((0.0, -DEPTH))
    # Too far from being lined up: only pushed against the edge.
    along = pushed(1.5, -DEPTH - 0.2)
    assert (along.x, along.y) == pytest.approx((1.5, -DEPTH))
    turned = pushed(WIDTH + 0.3, 0.2, facing=-90)
    assert turned.against == TWO


def test_far_off_turned_or_round_it_stays() -> None:
    for laid in (
        pushed(WIDTH + 1.5, 0.0),
        pushed(WIDTH + 0.3, 0.2, facing=60),
        pushed(1, 1, 90, 0),
    ):
        assert laid.against is None
    assert pushed(WIDTH + 0.3, 0.2, facing=60) == Laid(x=WIDTH + 0.3, y=0.2)
    round_one = next(b.id for b in STATE.bodies.values() if isinstance(b.base, Round))
    stand = Stood(body=round_one, x=WIDTH, y=0.1, facing=90)
    push = Push(stand=stand, others=[Stood(body=TWO, x=0, y=0, facing=90)], near=1)
    assert flush_view(STATE, push).against is None
    with pytest.raises(UnknownIdError):
        flush_view(STATE, push.model_copy(update={"stand": stand.model_copy(update={"body": "?"})}))


def test_what_is_laid_flush_touches_and_does_not_overlap() -> None:
    random, met = Random(7), 0
    for _ in range(400):
        facing = random.uniform(0, 360)
        others = [
            Stood(
                body=body,
                x=random.uniform(0, 180),
                y=random.uniform(0, 120),
                facing=facing + random.choice((0, 180)),
            )
            for body in (TWO, THREE)
        ]
        goal = random.choice(others)
        x, y = goal.x + random.uniform(-5, 5), goal.y + random.uniform(-5, 5)
        stand, near = Stood(body=ONE, x=x, y=y, facing=facing), random.uniform(0.2, 2)
        laid = flush_view(STATE, Push(stand=stand, others=others, near=near))
        assert math.hypot(laid.x - x, laid.y - y) <= near
        if laid.against is None:
            assert (laid.x, laid.y) == (x, y)
            continue
        met += 1
        by = next(other for other in others if other.body == laid.against)
        body = replace(STATE.body(ONE), x=laid.x, y=laid.y, facing=facing)
        other = replace(STATE.body(by.body), x=by.x, y=by.y, facing=by.facing)
        apart = separation(base_shape(body), base_shape(other))
        assert apart.gap == pytest.approx(0, abs=1e-9)
        assert apart.depth == pytest.approx(0, abs=1e-9)
    assert met > 50
