"""Who fights, found for all units at once: as each by itself would be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

from support.scenarios import golden_scenes, scenes_of
from tapeline.engine.state import State
from tapeline.play.battle import load
from tapeline.ranks.bases import in_contact, rect_of
from tapeline.rules.warmaster.formation import engaged_stands, engaged_units
from tapeline.rules.warmaster.state import stands_of, units_on_table
from tapeline.table.bodies import Rectangle, Unit


def touching(state: State, unit: Unit, others: Iterable[Unit]) -> set[str]:
    """Ids of the stands of others that touch a stand of a unit."""
    mine = [rect_of(body) for body in stands_of(state, unit)]
    return {
        body.id
        for other in others
        for body in stands_of(state, other)
        if any(in_contact(rect_of(body), rect) for rect in mine)
    }


def one_by_one(state: State) -> frozenset[str]:
    """Who touches an enemy, or a friend that does so with the very stand touched."""
    found, units = set(), list(units_on_table(state))
    for unit in units:
        foes = [other for other in units if other.side != unit.side]
        friends = [other for other in units if other.side == unit.side and other.id != unit.id]
        fights = {name for foe in foes for name in touching(state, foe, friends)}
        if touching(state, unit, foes) or touching(state, unit, friends) & fights:
            found.add(unit.id)
    return frozenset(found)


def test_who_fights_in_every_scene(budget: Callable[[int, int], int]) -> None:
    """In those of some 600 golden cases, of all with --long."""
    fighting, golden = 0, golden_scenes("warmaster")
    some = golden[:: budget(len(golden) // 600, 1)]
    for scene in (*scenes_of("warmaster").values(), *some):
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
        fights = engaged_stands(crowd)
        supporting += sum(u.id in found and fights.isdisjoint(u.members) for u in units)
        quiet += sum(unit.id not in found for unit in units)
    assert supporting > 0
    assert quiet > 0
