"""A chart of a part of a city has every way within a length that the chart of the whole has."""

from __future__ import annotations

from typing import Any

import pytest

from tapeline.geometry.discs.goals import CircleGoal, Goal, PointGoal
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.play.battle import load
from tapeline.play.cities import make_city
from tapeline.play.systems import load_system
from tapeline.rules.mordheim.chart import chart_of
from tapeline.travel.chart import Chart

pytestmark = pytest.mark.compiled

FAR = 8.0


def ways(chart: Chart, levels: Levels) -> list[Any]:
    """Links and portals as they lie, whatever the levels over gaps are called."""

    def placed(end: Any) -> Any:
        name, *numbers = end
        return (name.partition(" ")[0] if name in chart.air else name, *numbers)

    found: list[Link | Portal] = [*levels.links, *levels.portals]
    return [(way.kind, placed(way.start), placed(way.end), way.cost, way.both) for way in found]


def test_a_part_holds_all_ways_within_a_length() -> None:
    city = make_city(load_system("mordheim"), 4)
    in_parts, as_a_whole, parts, many = load(city).state, load(city).state, 0, 0
    for body in in_parts.bodies.values():
        part = chart_of(in_parts, body, far=FAR)
        whole = chart_of(as_a_whole, body)
        here = part.terrain.under(body)
        if here is None or len(part.surfaces) == len(whole.surfaces):
            continue
        parts += 1
        start = (here.id, *body.centre)
        goals: list[tuple[str, Goal]] = [
            (surface.id, PointGoal(body.x + x, body.y + y))
            for surface in part.terrain.storeys.near((body.x, body.y, body.x, body.y))
            for x, y in ((3.0, 4.0), (-2.0, 5.0))
        ]
        near, all_near = (chart.levels.within(start, goals, FAR) for chart in (part, whole))
        found = ways(part, near)
        assert found == ways(whole, all_near)
        many += len(found)
        for name, goal in goals:
            end = (goal.x, goal.y, 0.5)
            between = chart_of(in_parts, body, far=FAR, to=end)
            known = {repr(way) for way in ways(between, between.levels)}
            those = whole.levels.within(start, [(name, CircleGoal(*end))], FAR)
            assert known.issuperset(map(repr, ways(whole, those)))
    assert parts > 5
    assert many > 100
