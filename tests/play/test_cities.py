"""Ruined cities: as large as said, sound, and the same from the same seed."""

from __future__ import annotations

import pytest

import tapeline as tl
from tapeline.errors import DocumentError
from tapeline.play.cities import make_city
from tapeline.table.storeys import storeys_of


@pytest.mark.parametrize("system", ["mordheim", "trench-crusade"])
@pytest.mark.parametrize("seed", range(3))
def test_a_city_is_sound_and_has_models_upstairs(system: str, seed: int) -> None:
    rules = tl.load_system(system)
    scene = make_city(rules, seed)
    assert scene == make_city(rules, str(seed))
    state = tl.load(scene).state
    houses = [wall for wall in state.table.walls if wall.closed]
    floors = [len([f for f in state.table.floors if f.id.startswith(w.id[:-5])]) for w in houses]
    assert 10 <= len(houses) <= 40
    assert set(floors) <= {1, 2, 3}
    assert 12 <= len(state.bodies) <= 40
    assert {body.side for body in state.bodies.values()} == {"red", "blue"}
    assert any(body.z > 2.0 for body in state.bodies.values())
    storeys = storeys_of(state.table)
    for body in state.bodies.values():
        assert storeys.support(body.x, body.y, body.z, 1e-6) is not None


def test_seeds_give_other_cities() -> None:
    rules = tl.load_system("mordheim")
    assert make_city(rules, 1)["terrain"] != make_city(rules, 2)["terrain"]


@pytest.mark.parametrize("system", ["sovl", "warmaster"])
def test_a_system_without_storeys_has_no_cities(system: str) -> None:
    with pytest.raises(DocumentError, match="has no storeys") as found:
        make_city(tl.load_system(system), 1)
    assert len(found.value.faults) == 1
