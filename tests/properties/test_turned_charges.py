"""Charges over storeys are as long on a table turned by any angle."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.moving import moved_scene, turned
from support.scenarios import ROOT
from tapeline.engine.state import State
from tapeline.play.battle import Battle, load
from tapeline.play.cities import make_city
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
    # A climb as short as a way over a gap: the jump aslant over that gap was not looked at.
    Pair("city", "red-2", (13.9616, 24.2218, 3), "blue-2", (18.3537, 17.0728, 6), 290.3355),
    # Off the side of stairs near their head: the head itself was taken, which is a place of it.
    Pair("city", "red-6", (37.7513, 9.3706, 3), "blue-6", (36.6836, 5.9463, 6), 86.5777),
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
    if pair.scene == "city":
        plan = approach(state, mover, target)
        assert plan is not None
        return plan.track.length
    return route_to_contact(state, mover, (target.id,)).length


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.mover} {pair.angle:g}")
def test_a_charge_is_as_long_however_the_table_is_turned(pair: Pair) -> None:
    system: Any = TRENCH if pair.scene == "city" else MORDHEIM
    example = ROOT / "examples" / f"{pair.scene}.json"
    state = load(make_city(TRENCH, 3) if pair.scene == "city" else example).state
    for name, (x, y, z) in ((pair.mover, pair.start), (pair.target, pair.place)):
        state = state.with_body(state.body(name).at(x, y, z))
    scene = Battle(system, state).scene()
    here, there = (
        load(moved_scene(scene, turned(angle, 200.0))).state for angle in (0.0, pair.angle)
    )
    assert _length(there, pair) == pytest.approx(_length(here, pair), abs=2e-6)
