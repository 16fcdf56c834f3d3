"""Reach over storeys and the referee agree: what is in reach judges legal."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import shapely

from clauses.mordheim.staging import Doc, Table, block, blue, red, strip
from support.scenarios import example_scenes
from tapeline.analysis.reach import leeway_of, reach_of
from tapeline.analysis.storeys import StoreyReach
from tapeline.engine.codec import parse_action, plain
from tapeline.engine.referee import Session
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.errors import DocumentError, ShapeError
from tapeline.rules.mordheim import SYSTEM
from tapeline.table.scene import parse_scene
from tapeline.table.storeys import storeys_of

pytestmark = pytest.mark.compiled

EXAMPLES = [
    path
    for path in sorted((Path(__file__).parents[2] / "examples").glob("mordheim-*.json"))
    if path.stem in example_scenes()
]


def state_of(path: Path, side: str) -> State:
    """An example in the remaining moves of a side, everybody allowed to run."""
    document: dict[str, Any] = json.loads(path.read_text())
    document["turn"] = {"phase": "movement", "active": side, "progress": {"step": "remaining"}}
    for model in document["models"]:
        model["state"] = {**model.get("state", {}), "run_ok": True}
    return state_from_scene(parse_scene(document), SYSTEM)


def judged(state: State, actor: str, kind: str, legs: Any) -> Any:
    path = [{k: v for k, v in plain(leg).items() if v is not None} for leg in legs]
    document = {"kind": "move", "actor": actor, "path": path, "run": kind == "run"}
    return Session(SYSTEM, state, parse_action(SYSTEM, document)).verdict


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_what_is_in_reach_judges_legal(path: Path, budget: Callable[[int, int], int]) -> None:
    rng = Random(path.stem)
    inside = outside = upstairs = 0
    for side in ("red", "blue"):
        state = state_of(path, _side(path, side))
        storeys = storeys_of(state.table)
        bodies = [b for b in state.bodies.values() if b.side == state.turn.active]
        for body in rng.sample(bodies, budget(2, len(bodies))):
            kind = "run" if not body.stats.get("no_run") and rng.random() < 0.5 else "move"
            reach = _reach(state, body.id, kind)
            if reach is None or reach.findings:
                continue
            for _ in range(budget(50, 200)):
                far = (reach.leeway.allowance + 0.5) * math.sqrt(rng.random())
                angle = rng.uniform(0, math.tau)
                x, y = body.x + far * math.cos(angle), body.y + far * math.sin(angle)
                for surface in storeys.over(x, y, 0.0):
                    place = (x, y, surface.height(x, y))
                    way = reach.route(place)
                    if way is None:
                        outside += 1
                        continue
                    inside += 1
                    upstairs += abs(place[2] - body.z) > 0.5
                    verdict = judged(state, body.id, kind, way.legs)
                    assert verdict.legal, (body.id, place, verdict.findings)
                    assert verdict.cost == pytest.approx(way.cost, abs=1e-6)
                    end = verdict.moved[-1].end if verdict.moved else (body.x, body.y, body.z)
                    assert end == pytest.approx(place, abs=1e-6)
    assert inside > 20
    assert outside > 5


def _side(path: Path, colour: str) -> str:
    sides = json.loads(path.read_text())["sides"]
    return str(sides[0 if colour == "red" else 1]["id"])


def _reach(state: State, body: str, kind: str) -> StoreyReach | None:
    try:
        return StoreyReach(leeway_of(SYSTEM, state, body, kind))
    except DocumentError:
        return None  # a rectangular base


STAIRS: Doc = {"id": "s", "stairs": {"foot": [13, 10, 0], "head": [15, 10, 1.5], "width": 1.2}}
FLOOR: Doc = {
    "id": "f",
    "floor": {"polygon": [[15, 6], [22, 6], [22, 14], [15, 14]]},
    "z": 1.5,
}


def test_stairs_too_far_off_leave_nothing_untold() -> None:
    # Their nearest side begins at (13, 10.6), dist((8.7, 10), (13, 10.6)) = 4.34.
    for x, complete in ((8.7, True), (9.1, False)):
        table = Table([red(x, 10), blue(40, 40)], [FLOOR, STAIRS])
        assert StoreyReach(leeway_of(SYSTEM, table.state, "A")).complete is complete


def test_up_the_stairs_to_the_last_tenth() -> None:
    table = Table([red(12.5, 10), blue(40, 40)], [FLOOR, STAIRS])
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    assert not reach.complete  # over the sides of stairs not every place is tried
    assert reach.surfaces == {"table": (0, 0), "f": (1.5, 1.5), "s": (0, 1.5)}
    # 0.5 to the foot, 2.5 up, 1 beyond.
    assert reach.cost((16, 10, 1.5)) == pytest.approx(4)
    assert reach.contains((16, 10, 1.5))
    assert not reach.contains((16.001, 10, 1.5))
    assert not reach.contains((16, 10, 1.4))
    assert reach.contains((14, 10, 0.75))
    assert reach.cost((40, 10, 0)) == math.inf
    with pytest.raises(ShapeError):
        reach.contains((math.nan, 10, 0))


def test_up_a_ladder_and_not_into_an_enemy() -> None:
    terrain = [
        block("B", 14, 20, 6, 14, 1.5),
        {"id": "l", "ladder": {"foot": [14, 10, 0], "head": [14, 10, 1.5]}},
    ]
    table = Table([red(13, 10), blue(16, 10, 1.5)], terrain)
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    assert reach.cost((14.5, 10, 1.5)) == pytest.approx(0.5 + 1.5 + 0.5)
    assert reach.contains((14.99, 10, 1.5))
    assert not reach.contains((15, 10, 1.5))


def test_slow_ground_leaves_no_place_out() -> None:
    table = Table([red(12.5, 10), blue(40, 40)], [FLOOR, STAIRS, strip(11, 12)])
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    assert not reach.complete  # over the sides of stairs not every place is tried
    assert reach.cost((10, 10, 0)) == pytest.approx(3.5)
    assert not reach.contains((9.4, 10, 0))


def test_slow_ground_on_the_own_storey_is_gone_round() -> None:
    rubble = strip(10, 12)
    rubble["shape"] = {"polygon": [[10, 9.4], [12, 9.4], [12, 10.4], [10, 10.4]]}
    table = Table([red(13, 10), blue(40, 40)], [FLOOR, STAIRS, rubble])
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    way = reach.route((9.4, 10.0, 0.0))
    assert way is not None
    # Past two corners of the rubble; straight through it is 2 dearer.
    round_it = math.hypot(1.0, 0.4) + 2.0 + math.hypot(0.6, 0.4)
    assert way.cost == pytest.approx(round_it, abs=1e-6)
    assert way.lower <= round_it
    verdict = judged(table.state, "A", "move", way.legs)
    assert verdict.legal
    assert verdict.cost == pytest.approx(way.cost, abs=1e-9)
    assert reach.contains((9.2, 10.0, 0.0))
    assert not reach.contains((9.15, 10.0, 0.0))
    (border,) = reach.bands("table", [4.0], 1e-3, resolution=0.25)
    region = shapely.union_all([shapely.Polygon(ring) for ring in border.rings])
    assert region.contains(shapely.Point(9.3, 10.0))
    assert not reach.complete  # over the sides of stairs not every place is tried


def test_one_floor_by_the_plain_reach() -> None:
    """On the storey a model stands on, reach with outlines works as on a flat table."""
    table = Table([red(18, 10, 1.5), blue(40, 40)], [FLOOR, STAIRS])
    reach = reach_of(SYSTEM, table.state, "A")
    assert reach.contains((21.99, 10))
    assert not reach.contains((22.01, 10))  # beyond the floor
    assert reach.contains((18, 6))
    assert not reach.contains((15.5, 13.9))


def test_a_move_on_one_storey_is_told() -> None:
    table = Table([red(18, 10), blue(40, 40)])
    leeway = StoreyReach(leeway_of(SYSTEM, table.state, "A")).leeway
    with pytest.raises(DocumentError, match="one storey"):
        StoreyReach(replace(leeway, storeys=None))


def test_borders_on_other_floors_lie_where_the_allowance_ends() -> None:
    table = Table([red(12.5, 10), blue(40, 40)], [FLOOR, STAIRS])
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    near, far = reach.bands("f", [3.5, 4.0], 1e-4, resolution=0.1)
    assert 0.0 < near.area < far.area
    assert far.resolution == 0.1
    corners = [corner for ring in far.rings for corner in ring]
    assert len(corners) > 20
    for x, y in corners:
        cost = reach.cost((x, y, 1.5))
        assert cost <= 4.0 + 1e-6, (x, y)
        # At the allowance, or at the edge of the floor, where the base may stand but not beyond.
        on_edge = abs(x - 15.0) <= 1e-3
        assert on_edge or cost >= 4.0 - 1e-3, (x, y, cost)
    assert reach.bands("nowhere", [4.0])[0].rings == ()


@pytest.mark.parametrize("path", EXAMPLES[:1], ids=lambda p: p.stem)
def test_borders_agree_with_membership(path: Path) -> None:
    state = state_of(path, _side(path, "red"))
    rng = Random(3)
    told = {True: 0, False: 0}
    for body in [b for b in state.bodies.values() if b.side == state.turn.active][:3]:
        reach = _reach(state, body.id, "move")
        if reach is None:
            continue
        for surface in reach.surfaces:
            (border,) = reach.bands(surface, [reach.leeway.allowance])
            if not border.rings:
                continue
            region = shapely.union_all([shapely.Polygon(ring) for ring in border.rings[:1]])
            for hole in border.rings[1:]:
                region = region.symmetric_difference(shapely.Polygon(hole))
            for _ in range(60):
                x, y = body.x + rng.uniform(-5, 5), body.y + rng.uniform(-5, 5)
                place = shapely.Point(x, y)
                if region.boundary.distance(place) < 0.3:
                    continue
                height = reach._storeys.levels.level(surface).height_at(x, y)
                within = reach.cost((x, y, height)) <= reach.leeway.allowance + 1e-6
                if reach.surface_at((x, y, height)) not in (None, surface):
                    continue
                assert within == region.contains(place), (body.id, surface, x, y)
                told[within] += 1
    assert told[True] > 10
    assert told[False] > 10


def _least(f: Callable[[float], float], lo: float, hi: float) -> float:
    for _ in range(100):
        a, b = lo + 0.382 * (hi - lo), lo + 0.618 * (hi - lo)
        if f(a) < f(b):
            hi = b
        else:
            lo = a
    return f(lo)


def test_to_another_floor_slow_ground_before_the_stairs_is_gone_round() -> None:
    rubble = strip(11.6, 12.4)
    rubble["shape"] = {"polygon": [[11.6, 9.4], [12.4, 9.4], [12.4, 10.4], [11.6, 10.4]]}
    table = Table([red(11, 10), blue(40, 40)], [FLOOR, STAIRS, rubble])
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    assert not reach.complete  # over the sides of stairs not every place is tried
    # Past two corners of the rubble, on at the foot of the stairs, which rise 1.5 over 2.
    before = math.hypot(0.6, 0.4) + 0.8
    true = before + _least(
        lambda y: math.hypot(0.6, y - 10.4) + math.hypot(1.25, y - 10.0), 10.0, 10.4
    )
    way = reach.route((14.0, 10.0, 0.75))
    assert way is not None
    assert way.cost == pytest.approx(true, abs=2e-4)
    assert way.lower <= true + 1e-9
    assert way.gap <= 0.0011
    verdict = judged(table.state, "A", "move", way.legs)
    assert verdict.legal
    assert verdict.cost == pytest.approx(way.cost, abs=1e-9)
    # Straight through the rubble it would be out of reach.
    assert reach.leeway.allowance < 3.0 + 0.8 + 0.25
    assert reach.contains((14.15, 10.0, 1.5 * 1.15 / 2.0))


def test_a_floor_that_is_slow_itself() -> None:
    slow = {**FLOOR, "traits": ["difficult"]}
    table = Table([red(13, 10), blue(40, 40)], [slow, STAIRS])
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    assert not reach.complete  # over the sides of stairs not every place is tried
    assert reach.cost((15.5, 10, 1.5)) == pytest.approx(3.5, abs=1e-6)
    way = reach.route((15.4, 10.4, 1.5))
    assert way is not None
    true = _least(lambda y: math.hypot(2.5, y - 10) + 2 * math.hypot(0.4, 10.4 - y), 10.0, 10.4)
    assert way.lower - 1e-9 <= true <= way.cost + 1e-9
    assert way.cost == pytest.approx(true, abs=1e-4)
    assert judged(table.state, "A", "move", way.legs).legal
    assert reach.contains((15.749, 10, 1.5))
    assert not reach.contains((15.751, 10, 1.5))


def test_a_gap_beside_a_round_roof_is_not_jumped() -> None:
    tower = {
        "id": "T",
        "kind": "building",
        "shape": {"circle": {"centre": [27, 24], "radius": 3}},
        "height": 3,
    }
    table = Table([red(25, 24, 3), blue(40, 40)], [tower, block("G", 14, 22, 18, 30, 3)])
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    assert reach.contains((26, 24, 3))
    assert not reach.contains((21.5, 24, 3)), "that needs a roll"


@pytest.mark.parametrize("upstairs", [False, True])
def test_who_may_leave_a_fight_has_a_reach(upstairs: bool) -> None:
    """MH-ENG-1: stunned opponents are left, standing ones hold."""
    deck: list[Doc] = [
        {"id": "f", "floor": {"polygon": [[4, 4], [16, 4], [16, 16], [4, 16]]}, "z": 3},
        {"id": "l", "ladder": {"foot": [16, 6, 0], "head": [16, 6, 3]}},
    ]
    for lies, there in (("stunned", True), ("standing", False)):
        enemy = blue(11, 10, 3.0 if upstairs else 0.0, state={"condition": lies})
        table = Table([red(10, 10, 3.0 if upstairs else 0.0), enemy], deck if upstairs else [])
        reach = reach_of(SYSTEM, table.state, "A", "move")
        assert reach.contains((8.0, 10.0)) == there
        assert reach.excludes((8.0, 10.0)) != there
        if upstairs:
            floors = _reach(table.state, "A", "move")
            assert floors is not None
            assert floors.contains((8.0, 10.0, 3.0)) == there
