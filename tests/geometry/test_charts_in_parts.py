"""A chart of a part of a city has every route within a length that the chart of the whole has; one
without sides far off has all others; and of where a jump may land no place is passed over."""

from __future__ import annotations

import math
import random

import pytest

from tapeline.geometry.discs.goals import CircleGoal
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.surfaces import model
from tapeline.geometry.surfaces.links import Place
from tapeline.geometry.surfaces.model import Levels
from tapeline.play.battle import load
from tapeline.play.cities import make_city
from tapeline.play.systems import load_system
from tapeline.rules.mordheim.chart import _stops, chart_of
from tapeline.table.solids import Ground, Solid, ground_of
from tapeline.travel.chart import Chart
from tapeline.travel.ramp_sides import sides_near

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


def test_without_sides_far_off_all_others_are_there() -> None:
    far, city, less = 4.0, make_city(load_system("mordheim"), 1), 0
    whole = load(city).state  # Of bases of one size it draws the chart of all sides once.
    for name in [*whole.bodies][:4]:
        state = whole if less == 0 else load(city).state
        body = state.bodies[name]

        def near(chart: Chart, centre: tuple[float, float] = body.centre) -> set[object]:
            levels = sides_near(chart.levels, chart.spots, centre, far)
            # On to ledges only sides lead.
            return {*levels.links, *(p for p in levels.portals if "ledge" not in p.start[0])}

        few, all_sides = chart_of(state, body, sided=far), chart_of(whole, whole.bodies[name])
        assert near(few) == near(all_sides)
        less += len(few.spots) < len(all_sides.spots)
    assert less == 4


def test_stages_hang_not_on_how_far_is_looked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    state, rng, several = load(make_city(load_system("mordheim"), 1)).state, random.Random(2), 0
    for body in [*state.bodies.values()][:2]:
        chart, r = chart_of(state, body), body.base.reach
        start = (chart.terrain.storeys.over(*body.centre, 1e-6)[0].id, *body.centre)
        for far in (3.0, 8.0):
            place = body.x + far, body.y + rng.uniform(-2.0, 2.0), 1.0
            near = chart.terrain.storeys.near((place[0], place[1], place[0], place[1]))
            goals = [(surface.id, CircleGoal(*place)) for surface in near]
            told = []
            for first in (model._NEARBY, math.inf):
                monkeypatch.setattr(model, "_NEARBY", first)
                stages = chart.levels.nearest_first(start, goals, 14.0, r)
                told.append([(few.links, few.portals, most) for few, most in stages])
            monkeypatch.undo()
            assert told[0] == told[1]
            several += len(told[0]) > 1
    assert several


def drawn_plan(rng: random.Random) -> Ground:
    """A box, a circle, or a box turned."""
    x, y, wide, deep = (rng.uniform(-1.0, 1.0) for _ in range(4))
    if rng.random() < 0.3:
        return Ground.of_circle((x, y, 0.05 + abs(wide)))
    turn = rng.choice((0.0, 0.0, rng.uniform(0.0, math.pi)))
    c, s, corners = math.cos(turn), math.sin(turn), ((-1, -1), (1, -1), (1, 1), (-1, 1))
    sides = [(i * (0.02 + abs(wide)), j * (0.02 + abs(deep))) for i, j in corners]
    return ground_of([(x + c * u - s * v, y + s * u + c * v) for u, v in sides])


def test_where_a_jump_may_land_no_place_is_passed_over() -> None:
    rng, r, between = random.Random(5), 0.5, 0
    for _ in range(400):
        plans = [drawn_plan(rng) for _ in range(rng.randint(0, 4))]
        angle = rng.choice((0.0, 0.5 * math.pi, rng.uniform(0.0, math.tau)))
        way = Line(0.0, 0.0, r * math.cos(angle), r * math.sin(angle))
        ends = {end for plan in plans for _, end in plan.spans_near(way, r)}
        whole = {0.0, r, *(end for end in ends if end < min(r, way.length))}
        stops = [*_stops([Solid("", plan, 0.0, 1.0) for plan in plans], way, r)]
        assert stops == sorted(whole)
        between += len(stops) - 2
    assert between > 100
