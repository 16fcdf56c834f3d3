"""Trench Crusade: reach over storeys and the referee agree."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Doc, Table, blue, box, red
from tapeline.analysis.reach import leeway_of, reach_of
from tapeline.analysis.storeys import StoreyReach, StoreyWay
from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Choice
from tapeline.engine.codec import parse_action, plain
from tapeline.engine.referee import Session
from tapeline.engine.setup import state_from_scene
from tapeline.engine.state import State
from tapeline.engine.verdicts import Verdict
from tapeline.rules.trench_crusade import SYSTEM
from tapeline.table.scene import parse_scene
from tapeline.table.storeys import storeys_of

pytestmark = pytest.mark.compiled

SCENE = Path(__file__).parents[2] / "examples" / "trench-storeys.json"
#: Models that walk, those first that another has room beside.
WALKERS = ("r-3", "b-2", "r-captain", "r-ox", "r-4", "b-wolf", "r-2", "r-1", "r-knife", "b-3")
#: Radius of a base of 25 mm, inches.
R = 125 / 254


def state_of(actor: str, *, beside: bool = False, **options: str) -> State:
    """The example in the Activation of a model. beside: with an enemy within 1 inch of it."""
    document: Doc = json.loads(SCENE.read_text())
    models = {model["id"]: model for model in document["models"]}
    mover = models[actor]
    if beside:
        other = models["b-1" if mover["side"] == "red" else "r-1"]
        x, y = mover["position"]
        other |= {"position": [x + 1.9, y], "z": mover.get("z", 0)}
    document["options"] = options
    document["turn"] |= {"active": mover["side"], "progress": {"actor": actor}}
    return state_from_scene(parse_scene(document), SYSTEM)


def judged(state: State, reach: StoreyReach, way: StoreyWay) -> Verdict:
    """The verdict on a way when all rolls succeed and nobody attacks."""
    path = [{k: v for k, v in plain(leg).items() if v is not None} for leg in way.legs]
    document = {"kind": reach.leeway.kind, "actor": reach.leeway.body, "path": path}
    session = Session(SYSTEM, state, parse_action(SYSTEM, document))
    while session.ask is not None:
        ask: Any = session.ask
        if isinstance(ask, Roll):
            assert ask.about == reach.leeway.body, "only a Dash is rolled for"
            assert ask.clause == "TC-DASH-1"
            assert session.send(Answer(faces=(6,) * ask.count))
        else:
            assert isinstance(ask, Choice)
            assert session.send(Answer(value="pass"))
    return session.verdict


def places_about(
    state: State, reach: StoreyReach, rng: Random, count: int
) -> Iterator[tuple[float, float, float]]:
    """Places on surfaces near a model, as many tried on each."""
    (x, y), far = reach.leeway.start, reach.leeway.allowance + 0.5
    surfaces = storeys_of(state.table).near((x - far, y - far, x + far, y + far))
    for _ in range(count):
        surface = rng.choice(surfaces)
        x0, y0, x1, y1 = surface.outer.box
        px = rng.uniform(max(x0, x - far), min(x1, x + far))
        py = rng.uniform(max(y0, y - far), min(y1, y + far))
        if surface.depth(px, py) >= 0.0:
            yield px, py, surface.height(px, py)


@pytest.mark.parametrize("terrain_in", ["centre", "half_area"])
@pytest.mark.parametrize("kind", ["move", "dash", "retreat"])
def test_what_is_in_reach_judges_legal(
    kind: str, terrain_in: str, budget: Callable[[int, int], int]
) -> None:
    rng = Random(f"{kind} {terrain_in}")
    inside = elsewhere = beyond = 0
    able = WALKERS[2:6] if kind == "retreat" else WALKERS[2:]
    for actor in (*WALKERS[:2], *rng.sample(able, budget(3, len(able)))):
        state = state_of(actor, beside=kind == "retreat", terrain_in=terrain_in)
        reach = StoreyReach(leeway_of(SYSTEM, state, actor, kind))
        assert not reach.findings
        wide = StoreyReach(replace(reach.leeway, allowance=reach.leeway.allowance + 1.0))
        assert reach.leeway.storeys is not None
        body, start = state.body(actor), reach.leeway.storeys.start
        for place in places_about(state, reach, rng, budget(40, 400)):
            way = reach.route(place)
            if way is None:
                farther = wide.route(place)
                if farther is not None:
                    assert not judged(state, reach, farther).legal, (actor, place)
                    beyond += 1
                continue
            inside += 1
            elsewhere += reach.surface_at(place) != start
            verdict = judged(state, reach, way)
            assert verdict.legal, (actor, place, verdict.findings)
            assert verdict.cost == pytest.approx(way.cost, abs=1e-6)
            end = verdict.moved[-1].end if verdict.moved else (body.x, body.y, body.z)
            assert end == pytest.approx(place, abs=1e-6)
    assert inside > 20
    assert elsewhere > 0
    assert beyond > 3


RAMP: Doc = {"id": "s", "ramp": {"foot": [13, 10, 0], "head": [15.4, 10, 1.8], "width": 1.4}}
FLOOR: Doc = {
    "id": "f",
    "floor": {"polygon": [[15.4, 6], [22, 6], [22, 14], [15.4, 14]]},
    "z": 1.8,
}


def ladder(name: str, y: float, top: float = 2) -> Doc:
    return {"id": name, "ladder": {"foot": [14, y, 0], "head": [14, y, top]}}


def test_up_a_ramp_to_the_last_thousandth() -> None:
    table = Table([red("A", 12, 10), blue("E", 40, 40)], [FLOOR, RAMP])
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    assert reach.surfaces == {"table": (0, 0), "f": (1.8, 1.8), "s": (0, 1.8)}
    # 1 to the foot, 3 up, 2 beyond.
    way = reach.route((17.4, 10, 1.8))
    assert way is not None
    assert way.cost == pytest.approx(6)
    assert judged(table.state, reach, way).legal
    assert not reach.contains((17.401, 10, 1.8))
    assert reach.cost((14.2, 10, 0.9)) == pytest.approx(2.5)
    assert not reach.contains((17.4, 10, 1.7)), "no surface is there"
    assert not reach.complete, "the side of the ramp may be stepped on"


def test_up_a_ladder_and_not_near_an_enemy() -> None:
    terrain = [box("block", 14, 20, 6, 14, id="B", height=2), ladder("l", 10)]
    far = Table([red("A", 12, 10), blue("E", 40, 40)], terrain)
    reach = StoreyReach(leeway_of(SYSTEM, far.state, "A"))
    assert reach.complete
    # To one base radius off the block, 2 up, and on from its edge.
    assert reach.cost((15, 10, 2)) == pytest.approx(2 - R + 2 + 1)
    last = 14 + 6 - (2 - R + 2)
    assert reach.contains((last, 10, 2))
    assert not reach.contains((last + 0.001, 10, 2))
    near = Table([red("A", 12, 10), blue("E", 18, 10, z=2)], terrain)
    guarded = StoreyReach(leeway_of(SYSTEM, near.state, "A"))
    limit = 18 - 1 - 2 * R
    assert guarded.contains((limit - 1e-4, 10, 2))
    assert not guarded.contains((limit, 10, 2))
    floor = {"id": "f", "floor": {"polygon": [[14, 6], [22, 6], [22, 14], [14, 14]]}, "z": 2}
    runner = red("A", 12, 10, stats={"movement": 12})
    wide = box("block", 14, 24, 6, 14, id="B", height=2)
    past = Table([runner, blue("E", 18, 10, z=2)], [wide, ladder("l", 10)])
    behind = StoreyReach(leeway_of(SYSTEM, past.state, "A")).cost((21, 10, 2))
    assert 2 - R + 2 + 7 + 0.5 < behind < 12, "round the enemy"
    aslant = {"id": "l", "ladder": {"foot": [13, 10, 0], "head": [14, 10, 2]}}
    below = Table([red("A", 12, 10), blue("E", 18, 10)], [floor, aslant])
    assert StoreyReach(leeway_of(SYSTEM, below.state, "A")).contains((limit, 10, 2)), (
        "2 in above it"
    )


def test_a_ladder_that_leads_past_an_enemy_is_left_for_another() -> None:
    """The enemy stands on a ledge halfway up, more than 1 inch from both ends."""
    ledge = {"id": "ledge", "floor": {"polygon": [[12, 8], [13.2, 8], [13.2, 9.2], [12, 9.2]]}}
    up = {"id": "up", "ladder": {"foot": [12.1, 8, 0], "head": [12.1, 8.1, 2]}}
    block = box("block", 14, 20, 6, 14, id="B", height=4)
    terrain = [block, {**ledge, "z": 2}, up, ladder("l", 10, 4), ladder("m", 13, 4)]
    model = red("A", 12.5, 11.5, stats={"movement": 10})
    place = (15, 10, 4)
    free = Table([model, blue("E", 40, 40)], terrain)
    near = StoreyReach(leeway_of(SYSTEM, free.state, "A"))
    watched = Table([model, blue("E", 13, 8.6, z=2)], terrain)
    round_it = StoreyReach(leeway_of(SYSTEM, watched.state, "A"))
    way = round_it.route(place)
    assert way is not None
    assert judged(watched.state, round_it, way).legal
    assert way.cost > near.cost(place) + 1.0
    straight = near.route(place)
    assert straight is not None
    assert not judged(watched.state, round_it, straight).legal


def test_more_than_half_of_the_base_stands() -> None:
    """On a floor, by the plain reach, in its outline too."""
    table = Table([red("A", 20, 12, z=1.8), blue("E", 40, 40)], [FLOOR, RAMP])
    reach = reach_of(SYSTEM, table.state, "A")
    assert reach.contains((21.99, 11))
    assert not reach.contains((22.01, 11)), "beyond the floor"
    assert not reach.contains((21.95, 13.95)), "the corner carries a quarter"
    border = reach.outline(resolution=0.3)
    assert border.resolution is not None
    corners = [corner for ring in border.rings for corner in ring]
    assert len(corners) > 20
    assert min(math.dist(corner, (22, 14)) for corner in corners) > 0.05
    assert all(reach.contains(corner) for corner in corners)


def test_level_ground_far_from_what_is_built_keeps_its_exact_outline() -> None:
    table = Table([red("A", 40, 40), blue("E", 10, 40)], [FLOOR, RAMP])
    assert reach_of(SYSTEM, table.state, "A").outline(0.01).resolution is None


def test_what_stands_on_its_own_level_is_gone_round() -> None:
    table = Table([red("A", 12, 10), blue("E", 40, 40)], [box("block", 13, 14, 8, 11, height=2)])
    reach = reach_of(SYSTEM, table.state, "A")
    way = reach.route((15, 10))
    assert way is not None
    assert 3.5 < way.cost < 5.0
    assert reach.excludes((13.5, 10)), "that is a climb"
    assert way.cost == pytest.approx(way.length)


def test_dangerous_ground_is_gone_round_over_storeys() -> None:
    """A roll is due there; the plain reach crosses it and names it."""
    wire = box("wire", 12.6, 12.9, 9.4, 10.6)
    table = Table([red("A", 12, 10), blue("E", 40, 40)], [FLOOR, RAMP, wire])
    assert 2.6 < StoreyReach(leeway_of(SYSTEM, table.state, "A")).cost((14.2, 10, 0.9)) < 3.5
    way = reach_of(SYSTEM, table.state, "A").route((12.95, 10))
    assert way is not None
    assert way.hazards == ("P1",)
    within = Table([red("A", 12.75, 10), blue("E", 40, 40)], [FLOOR, RAMP, wire])
    assert StoreyReach(leeway_of(SYSTEM, within.state, "A")).contains((14.2, 10, 0.9)), (
        "begins in it"
    )


def test_who_may_not_move_now_has_a_reach_all_the_same() -> None:
    models = [red("A", 12, 10, down=True), red("B", 30, 30), blue("E", 40, 40)]
    table = Table(models, [FLOOR, RAMP], progress={"actor": "B"})
    reach = StoreyReach(leeway_of(SYSTEM, table.state, "A"))
    assert reach.findings
    assert reach.leeway.allowance == 3.0
    assert reach.contains((14.2, 10, 0.9))
    assert not reach.contains((16, 10, 1.8))


def test_on_a_round_top_and_down_from_it() -> None:
    tower = {
        "id": "T",
        "kind": "block",
        "shape": {"circle": {"centre": [20, 20], "radius": 2}},
        "height": 2,
    }
    rope = {"id": "r", "rope": {"foot": [20, 17.9, 0], "head": [20, 18, 2]}}
    table = Table([red("A", 20, 20, z=2), blue("E", 40, 40)], [tower, rope])
    reach = reach_of(SYSTEM, table.state, "A")
    assert reach.contains((21.5, 20))
    assert not reach.contains((22.1, 20))
    assert reach.excludes((21.6, 21.6))
    over = StoreyReach(reach.leeway)
    assert over.contains((21.5, 20, 2))
    assert not over.contains((22.1, 20, 2))
    down = over.route((20, 16.4, 0))
    assert down is not None
    assert judged(table.state, over, down).legal
    assert not over.contains((22.7, 20, 0)), "jumps down are left out"


def test_beneath_a_floor_within_a_step_both_reaches_end_on_the_table() -> None:
    # Coll stands on the fire step, 1.5 in over the table; nobody stands beneath.
    state = state_of("r-captain")
    flat = reach_of(SYSTEM, state, "r-captain", "dash")
    over = StoreyReach(flat.leeway)
    for x, y in ((8.0, 9.0), (8.5, 8.5), (6.5, 9.0), (10.0, 9.0), (10.0, 11.0)):
        way, up = flat.route((x, y)), over.route((x, y, 0.0))
        assert way is not None
        assert up is not None
        assert way.legs[-1].z == up.legs[-1].z == 0.0
        assert way.cost == pytest.approx(up.cost)
        assert judged(state, over, up).legal
