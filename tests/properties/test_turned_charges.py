"""Charges over storeys are as long on a table turned by any angle."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.moving import moved_scene, turned
from support.scenarios import ROOT
from tapeline.engine.state import State
from tapeline.play.battle import Battle, load
from tapeline.rules.mordheim import SYSTEM as MORDHEIM
from tapeline.rules.mordheim.route import route_to_contact
from tapeline.rules.trench_crusade import SYSTEM as TRENCH
from tapeline.rules.trench_crusade.approach import approach

pytestmark = pytest.mark.compiled


class Pair(NamedTuple):
    """Who charges whom, from where and where, and how far the table is turned, degrees."""

    scene: str
    mover: str
    start: tuple[float, float, float]
    target: str
    place: tuple[float, float, float]
    angle: float


PAIRS = [
    # A jump aslant, which costs less than it is planned to, was not looked for.
    Pair("trench-storeys", "r-3", (20.838, 25.5665, 3), "b-heap", (15.4461, 22.1669, 0), 284.7927),
    Pair("trench-storeys", "r-lion", (20.6892, 26.2906, 3), "b-2", (12.1467, 21.0063, 0), 63.0682),
    # Round a corner right after a jump: the straight line to where it lands touches that by a hair.
    Pair("trench-storeys", "r-1", (36.1294, 20.7475, 3), "b-1", (27.8071, 26.0396, 3), 213.5025),
    # Sought twice over the same edges, it broke off: what was put on them was put there twice.
    Pair(
        "mordheim-roofs",
        "r-captain",
        (20.7038, 21.6836, 3),
        "b-below",
        (23.9136, 15.1386, 0),
        111.79191696740128,
    ),
]


def _length(state: State, pair: Pair) -> float:
    mover, target = state.body(pair.mover), state.body(pair.target)
    if pair.scene.startswith("trench"):
        plan = approach(state, mover, target)
        assert plan is not None
        return plan.track.length
    return route_to_contact(state, mover, (target.id,)).length


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.mover} {pair.angle:g}")
def test_a_charge_is_as_long_however_the_table_is_turned(pair: Pair) -> None:
    state = load(ROOT / "examples" / f"{pair.scene}.json").state
    for name, (x, y, z) in ((pair.mover, pair.start), (pair.target, pair.place)):
        state = state.with_body(state.body(name).at(x, y, z))
    system: Any = TRENCH if pair.scene.startswith("trench") else MORDHEIM
    scene = Battle(system, state).scene()
    here, there = (
        load(moved_scene(scene, turned(angle, 200.0))).state for angle in (0.0, pair.angle)
    )
    assert _length(there, pair) == pytest.approx(_length(here, pair), abs=2e-6)
