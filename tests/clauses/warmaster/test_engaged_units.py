"""Who fights, found for all units at once: as asked of each by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from support.scenarios import golden_scenes, scenes_of
from tapeline.engine.state import State
from tapeline.play.battle import load
from tapeline.rules.warmaster.formation import engaged_stands, engaged_units, is_engaged
from tapeline.rules.warmaster.state import units_on_table
from tapeline.table.bodies import Rectangle


def one_by_one(state: State) -> frozenset[str]:
    return frozenset(unit.id for unit in units_on_table(state) if is_engaged(state, unit))


def test_who_fights_in_every_scene() -> None:
    fighting = 0
    for scene in (*scenes_of("warmaster").values(), *golden_scenes("warmaster")):
        state = load(scene).state
        found = engaged_units(state)
        assert found == one_by_one(state)
        fighting += len(found)
    assert fighting > 0


def crowded(state: State, rng: Random) -> State:
    """The stands thrown onto squares of 4 cm, so that many touch and some overlap."""
    stands = [body for body in state.bodies.values() if isinstance(body.base, Rectangle)]
    bodies = {
        body.id: body.at(4.0 * rng.randint(5, 16), 4.0 * rng.randint(5, 16), 0.0, 90.0)
        for body in stands
    }
    return replace(state, bodies={**state.bodies, **bodies})


def test_who_fights_in_a_crowd(budget: Callable[[int, int], int]) -> None:
    state = load(scenes_of("warmaster")["warmaster-dale"]).state
    rng = Random(6)
    supporting = quiet = 0
    for _ in range(budget(8, 200)):
        crowd = crowded(state, rng)
        found = engaged_units(crowd)
        assert found == one_by_one(crowd)
        units = list(units_on_table(crowd))
        supporting += sum(u.id in found and not engaged_stands(crowd, u) for u in units)
        quiet += sum(unit.id not in found for unit in units)
    assert supporting > 0
    assert quiet > 0
