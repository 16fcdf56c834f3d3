"""Sight of bodies and sides: regions agree with the rule of sight of each system."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import tapeline as tl
from tapeline.analysis.contours import Point, Ring
from tapeline.analysis.sight import watchers

pytestmark = pytest.mark.compiled

EXAMPLES = Path(__file__).parents[2] / "examples"
SCENES = ("trench-ruined-square", "mordheim-market", "sovl-ford", "warmaster-dale")


def inside(ring: Ring, p: Point) -> bool:
    """Whether a place lies in a ring: crossings of a line to the east are odd."""
    found = False
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > p[1]) != (by > p[1]) and p[0] < ax + (p[1] - ay) * (bx - ax) / (by - ay):
            found = not found
    return found


@pytest.mark.parametrize("stem", SCENES)
def test_who_stands_in_the_region_is_seen(stem: str) -> None:
    battle = tl.load(EXAMPLES / f"{stem}.json")
    state, rng = battle.state, Random(5)
    one, other = state.sides[0].id, state.sides[1].id
    sight = battle.sight(one)
    views = [view for view in sight.views if len(view.ring) > 2]
    targets = [b for b in state.bodies.values() if b.side == other and b.z == 0.0]
    answers = []
    for _ in range(60):
        view = rng.choice(views)
        target = rng.choice(targets)
        place = (rng.uniform(0, state.table.width), rng.uniform(0, state.table.depth))
        ((_, seen),) = battle.sight(view.body).sees(target.id, place)
        answers.append(seen.sees)
        if inside(view.ring, place) and state.body(view.body).z == 0.0 and seen.sees is not None:
            assert seen.sees, (view.body, target.id, place)
    assert {True, False} <= set(answers)


def test_a_region_names_what_closes_it_and_cover_is_told() -> None:
    battle = tl.load(EXAMPLES / "trench-ruined-square.json")
    (view,) = battle.sight("r-3").views
    assert {"well", "hall"} <= {*view.blocks}
    assert 100.0 < view.area < 48.0 * 48.0
    told = {seen.cover for _, seen in battle.sight("red").sees("b-8")}
    assert told & {"", "Cur Eight has cover from Brother Vole."}
    watching = dict(watchers(battle.system, battle.state, "r-3", (24.0, 40.0)))
    assert {name for name, seen in watching.items() if seen.sees}
    with pytest.raises(tl.UnknownIdError):
        next(battle.sight("r-3").sees("r-3"))
