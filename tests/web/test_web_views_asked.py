"""What is asked besides actions: reach, routes, odds, tape, sight; and what stays secret."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations
from random import Random

import pytest
from shapely import Point, Polygon

import tapeline as tl
from support.scenarios import example_scenes, golden_cases
from tapeline.errors import DocumentError, MeasuringError, UnknownIdError
from tapeline.play.battle import Battle, load
from tapeline.table.bodies import Body, Round
from tapeline.web.documents.asked import Measure, Odds, Reach, Sight
from tapeline.web.views.asked import odds_view, reach_view, route_view, sight_view, tape_view

EXAMPLES = example_scenes()
FLAT = [name for name in EXAMPLES if name.startswith("trench") and "storeys" not in name]


@cache
def told(name: str) -> Battle:
    """A Mordheim example whose charges have been declared, so that distances are told."""
    battle, _ = load(EXAMPLES[name]).play(
        {"kind": "close_declarations"}, dice=tl.Dice(seed=1), chooser=tl.take_default
    )
    assert battle.pending is None
    return battle


# Reach and routes.


@pytest.mark.parametrize("name", FLAT)
def test_what_is_inside_the_bands_can_be_come_to(name: str) -> None:
    battle = load(EXAMPLES[name])
    rng = Random(name)
    free = [
        b
        for b in battle.state.bodies.values()
        if not b.has("down") and not battle.reach(b.id, "move").leeway.keep_in
    ]
    body = rng.choice(free)
    view = reach_view(battle, body.id, "move")
    assert Reach.model_validate_json(view.model_dump_json()) == view
    reach = battle.reach(body.id, "move")
    assert (view.storey, view.kind, view.allowance) == (0, "move", reach.allowance)
    (band,) = view.bands
    rings = [Polygon(ring) for ring in band.rings]
    slack = 0.02 + band.eps + (reach.allowance / 12 if reach.leeway.slow else 0.0)
    inside = outside = 0
    for _ in range(60):
        angle, far = rng.uniform(0.0, math.tau), reach.allowance * 1.2 * math.sqrt(rng.random())
        p = Point(body.x + far * math.cos(angle), body.y + far * math.sin(angle))
        if min(ring.exterior.distance(p) for ring in rings) <= slack:
            continue
        # Holes are rings of their own: inside is in an odd number of rings.
        drawn = sum(ring.contains(p) for ring in rings) % 2 == 1
        assert reach.contains((p.x, p.y)) == drawn, p
        inside += drawn
        outside += not drawn
    assert inside
    assert outside


def test_zones_of_enemies_are_rings_with_their_clause() -> None:
    view = reach_view(load(EXAMPLES["trench-two-lines"]), "r-captain", "move")
    enemies = [b for b in load(EXAMPLES["trench-two-lines"]).state.bodies if b.startswith("b")]
    assert {ring.about for ring in view.rings} == set(enemies)
    assert {(ring.distance, ring.clause) for ring in view.rings} == {(1.0, "TC-MOVE-7")}


def test_a_route_is_an_action_that_judges_legal_at_its_cost() -> None:
    battle, _ = load(EXAMPLES["trench-ruined-square"]).play(tl.Activate("b-1"))
    body = battle.state.bodies["b-1"]
    rng, found = Random(3), 0
    for _ in range(12):
        to = (body.x + rng.uniform(-6, 6), body.y + rng.uniform(-6, 6))
        route = route_view(battle, body.id, "move", to)
        if route is None:
            assert battle.reach(body.id, "move").route(to) is None
            continue
        verdict = battle.judge({"kind": "move", "actor": body.id, "path": route.path})
        assert verdict.legal
        assert verdict.cost == pytest.approx(route.cost, abs=1e-6)
        assert verdict.moved[-1].end[:2] == pytest.approx(to, abs=1e-6)
        assert route.trace.end[:2] == pytest.approx(to, abs=1e-6)
        assert route.length <= route.cost + 1e-6
        found += 1
    assert found > 3


def test_reach_goes_over_storeys() -> None:
    battle = told("mordheim-market")
    body = battle.state.bodies["r-3"]
    assert body.z == 3.0
    own = reach_view(battle, "r-3", "run")
    assert own.storey == 1
    assert own.bands
    below = reach_view(battle, "r-3", "run", 0)
    assert below.storey == 0
    assert len(below.bands) > 1, "the table, and the stairs that lead there"
    rng, met = Random(1), 0
    table = max(
        (Polygon(ring) for band in below.bands for ring in band.rings), key=lambda p: p.area
    )
    x0, y0, x1, y1 = table.buffer(-0.6).bounds
    while met < 3:
        p = Point(rng.uniform(x0, x1), rng.uniform(y0, y1))
        if not table.buffer(-0.6).contains(p):
            continue
        route = route_view(battle, "r-3", "run", (p.x, p.y, 0.0))
        assert route is not None
        assert route.trace.end == pytest.approx((p.x, p.y, 0.0), abs=1e-6)
        assert route.cost <= own.allowance + 1e-6
        met += 1
    assert reach_view(battle, "r-3", "move", 2).bands == []
    with pytest.raises(DocumentError, match="must be from 0 to 2"):
        reach_view(battle, "r-3", "run", 3)


@pytest.mark.parametrize("name", ["sovl-ford", "warmaster-dale"])
def test_a_system_without_reach_says_why(name: str) -> None:
    battle = load(EXAMPLES[name])
    body = next(iter(battle.state.bodies))
    with pytest.raises(DocumentError, match="reach"):
        reach_view(battle, body)


def test_a_border_that_takes_seconds_is_not_drawn_and_that_is_said() -> None:
    view = reach_view(load(EXAMPLES["trench-mire"]), "r-2", "retreat")
    assert view.bands == []
    assert view.notes


# Odds.


def test_counts_stand_in_order_with_the_chance_of_as_many_or_more() -> None:
    battle = load(EXAMPLES["sovl-salt-pans"])
    shot = {"kind": "shoot", "actor": "S5", "target": "R3"}
    told = odds_view(battle, battle.action(shot)).outcomes
    assert [one.text for one in told][:3] == ["no casualties", "1 casualty", "2 casualties"]
    more = [one.at_least or 0.0 for one in told]
    assert more[0] == pytest.approx(1.0)
    assert more == sorted(more, reverse=True)
    for one, here, after in zip(told, more, [*more[1:], 0.0], strict=True):
        assert here - after == pytest.approx(one.chance)


def test_odds_add_up_and_are_those_of_the_analysis() -> None:
    legal = refused = 0
    for path, case in golden_cases():
        action = case["steps"][0].get("action") or {}
        if path.parent.name != "trench_crusade" or action.get("kind") != "charge" or legal > 12:
            continue
        battle = load({**case["scene"], "options": case["scene"].get("options", {})})
        view = odds_view(battle, battle.action(action))
        assert Odds.model_validate_json(view.model_dump_json()) == view
        if view.outcomes:
            assert sum(o.chance for o in view.outcomes) == pytest.approx(1.0)
            found = battle.odds(action, chooser=tl.take_default)
            assert [(o.text, o.chance) for o in view.outcomes] == [
                (o.label, o.chance) for o in found.outcomes
            ]
            legal += 1
        else:
            verdict = battle.judge(action, nearest=False)
            assert not verdict.legal
            assert len(view.notes) == len(verdict.findings) > 0
            refused += 1
    assert min(legal, refused) > 0


# Tape.


def shape(body: Body) -> object:
    if isinstance(body.base, Round):
        return Point(body.x, body.y).buffer(body.base.radius, quad_segs=256)
    c, s = math.cos(math.radians(body.facing)), math.sin(math.radians(body.facing))
    d, w = 0.5 * body.base.depth, 0.5 * body.base.width
    corners = [(d, w), (-d, w), (-d, -w), (d, -w)]
    return Polygon([(body.x + c * x - s * y, body.y + s * x + c * y) for x, y in corners])


@pytest.mark.parametrize("name", ["sovl-ford", "warmaster-bridge", "trench-storeys"])
def test_the_tape_measures_as_shapely_does(name: str) -> None:
    battle = load(EXAMPLES[name])
    bodies = list(battle.state.bodies.values())[::5]
    for a, b in combinations(bodies, 2):
        view = tape_view(battle, a.id, b.id)
        assert Measure.model_validate_json(view.model_dump_json()) == view
        rise = b.z - a.z
        flat = shape(a).distance(shape(b))  # type: ignore[attr-defined]
        assert view.rise == rise
        assert view.bases == pytest.approx(math.hypot(flat, rise), abs=2e-4)
        centres = math.dist((a.x, a.y, a.z), (b.x, b.y, b.z))
        assert view.centres == pytest.approx(centres, abs=1e-9)
        if flat > 0.0:
            assert math.dist(view.start, view.end) == pytest.approx(flat, abs=2e-4)
        there = tape_view(battle, a.id, (b.x, b.y, b.z))
        to_place = shape(a).distance(Point(b.x, b.y))  # type: ignore[attr-defined]
        assert there.bases == pytest.approx(math.hypot(to_place, rise), abs=2e-4)
        assert tape_view(battle, (b.x, b.y, b.z), a.id).bases == pytest.approx(there.bases)


def test_the_tape_between_places() -> None:
    battle = load(EXAMPLES["trench-mire"])
    view = tape_view(battle, (1.0, 1.0), (4.0, 5.0, 12.0))
    assert (view.centres, view.bases, view.rise) == (13.0, None, 12.0)
    assert view.words == "13 in from (1, 1) to (4, 5, 12 up); 5 in on the plan, 12 in up."
    for bad in ((math.nan, 1.0), (1.0, math.inf), (1e9, 0.0)):
        with pytest.raises(DocumentError, match="finite"):
            tape_view(battle, (1.0, 1.0), bad)
    with pytest.raises(UnknownIdError):
        tape_view(battle, "r-2", "nobody")


def test_nothing_is_measured_before_charges_are_declared() -> None:
    battle = load(EXAMPLES["mordheim-market"])
    one, *_, other = battle.state.bodies
    asks = [
        lambda: tape_view(battle, one, other),
        lambda: tape_view(battle, one, (1.0, 1.0)),
        lambda: tape_view(battle, (1.0, 1.0), (2.0, 1.0)),
        lambda: reach_view(battle, one, "move"),
        lambda: reach_view(battle, one, "run", 1),
        lambda: route_view(battle, one, "move", (1.0, 1.0)),
    ]
    for ask in asks:
        with pytest.raises(MeasuringError, match="MH-"):
            ask()
    after = told("mordheim-market")
    assert tape_view(after, one, other).bases is not None
    assert tape_view(after, (1.0, 1.0), (2.0, 1.0)).centres == 1.0


def test_no_tape_is_laid_over_a_gap() -> None:
    battle = told("mordheim-roofs")
    floors = {floor.id: floor for floor in battle.state.table.floors}
    roof = floors["tan-roof"]
    xs, ys = zip(*roof.outlines[0].corners, strict=True)
    inside = (0.5 * (min(xs) + max(xs)), 0.5 * (min(ys) + max(ys)), roof.z)
    near = (inside[0] + 1.0, inside[1], roof.z)
    assert tape_view(battle, inside, near).centres == pytest.approx(1.0)
    with pytest.raises(MeasuringError, match="MH-GAP-3"):
        tape_view(battle, inside, (max(xs) + 3.0, inside[1], roof.z))


# Sight.


@pytest.mark.parametrize("name", EXAMPLES)
def test_sight_is_told_with_a_line_or_with_what_is_in_the_way(name: str) -> None:
    battle = load(EXAMPLES[name])
    sides = [side.id for side in battle.state.sides]
    rng = Random(name)
    mine, theirs = ([b for b in battle.state.bodies.values() if b.side == s] for s in sides)
    known = {*battle.state.bodies, *(entry.id for entry in battle.state.table.entries)}
    for _ in range(8):
        a, b = rng.choice(mine), rng.choice(theirs)
        view = sight_view(battle, a.id, b.id)
        assert Sight.model_validate_json(view.model_dump_json()) == view
        assert view.words.endswith(".")
        assert set(view.blocks) <= known
        assert view.clause in {clause.id for clause in battle.system.book}
        if view.sees:
            assert view.lines
            assert not view.blocks
        else:
            assert not view.lines


def test_sight_is_that_of_the_referee() -> None:
    battle = load(EXAMPLES["sovl-broad-field"])
    clauses = {False: 0, True: 0}
    for a in battle.state.bodies.values():
        for b in battle.state.enemies(a):
            verdict = battle.judge(tl.Shoot(a.id, target=b.id), nearest=False)
            refused = {f.clause for f in verdict.findings} & {"SV-LOS-1", "SV-LOS-2"}
            view = sight_view(battle, a.id, b.id)
            assert view.sees == (not refused)
            if refused:
                assert view.clause in refused
                blocked = {f.about for f in verdict.findings if f.clause == "SV-LOS-2"}
                assert set(view.blocks) == blocked
            clauses[bool(view.sees)] += 1
    assert min(clauses.values()) > 3


def test_where_players_settle_sight_it_is_not_told() -> None:
    scene = {**EXAMPLES["trench-mire"], "options": {"los_mode": "attested"}}
    view = sight_view(load(scene), "r-1", "b-1")
    assert view.sees is None
    assert "players" in view.words
    with pytest.raises(DocumentError, match="another body"):
        sight_view(load(scene), "r-1", "r-1")


def test_reach_where_something_is_built_is_what_the_referee_allows() -> None:
    scene = EXAMPLES["trench-storeys"]
    battle = load(scene)
    body = next(b for b in battle.state.bodies.values() if b.side == battle.state.turn.active)
    battle, _ = battle.play(tl.Activate(body.id))
    view = reach_view(battle, body.id, "move")
    shaded = [Polygon(ring) for band in view.bands for ring in band.rings]
    rng, legal = Random(2), 0
    for _ in range(40):
        angle, far = rng.uniform(0.0, math.tau), view.allowance * math.sqrt(rng.random())
        p = (body.x + far * math.cos(angle), body.y + far * math.sin(angle))
        deep = min(ring.exterior.distance(Point(p)) for ring in shaded) > 0.7
        inside = sum(ring.contains(Point(p)) for ring in shaded) % 2 == 1
        if not (deep and inside):
            continue
        route = route_view(battle, body.id, "move", p)
        assert route is not None
        verdict = battle.judge({"kind": "move", "actor": body.id, "path": route.path})
        assert verdict.legal
        legal += 1
    assert legal > 3
