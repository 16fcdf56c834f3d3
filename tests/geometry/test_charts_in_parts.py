"""A chart of a part of a city has every route within a length that the chart of the whole has."""

from __future__ import annotations

import math

import pytest

from tapeline.geometry.discs.goals import CircleGoal
from tapeline.geometry.surfaces.links import Place
from tapeline.geometry.surfaces.model import Levels
from tapeline.play.battle import load
from tapeline.play.cities import make_city
from tapeline.play.systems import load_system
from tapeline.rules.mordheim.chart import chart_of

pytestmark = pytest.mark.compiled

FAR = 8.0


def cost(levels: Levels, r: float, start: Place, goal: tuple[str, CircleGoal]) -> float:
    """What the shortest route of a base to a goal costs; infinity beyond FAR."""
    few = levels.within(start, [goal], FAR)
    found = few.route(start, [goal], r, strict=False, limit=FAR).route
    return math.inf if found is None else found.cost


def test_a_part_holds_all_routes_within_a_length() -> None:
    city = make_city(load_system("mordheim"), 4)
    in_parts, as_a_whole = load(city).state, load(city).state
    parts = routes = 0
    for body in in_parts.bodies.values():
        part, whole, r = (
            chart_of(in_parts, body, far=FAR),
            chart_of(as_a_whole, body),
            body.base.reach,
        )
        here = part.terrain.under(body)
        if here is None or len(part.surfaces) == len(whole.surfaces):
            continue
        parts += 1
        start = (here.id, *body.centre)
        for surface in part.terrain.storeys.near((body.x, body.y, body.x, body.y)):
            for x, y in ((3.0, 4.0), (-2.0, 5.0)):
                end = (body.x + x, body.y + y, 0.5)
                goal, between = (
                    (surface.id, CircleGoal(*end)),
                    chart_of(in_parts, body, far=FAR, to=end),
                )
                least = cost(whole.levels, r, start, goal)
                for chart in (part, between):
                    assert cost(chart.levels, r, start, goal) == pytest.approx(least, abs=1e-9)
                routes += math.isfinite(least)
    assert parts > 5
    assert routes > 20
