"""The opponent sets its side up: soundly, and without a look at what others hide."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.scenarios import EXAMPLES
from tapeline.opponent import LEVELS, Opponent
from tapeline.play.battle import load


@pytest.mark.parametrize(
    "path", sorted((EXAMPLES / "set-ups").glob("*.json")), ids=lambda p: p.stem
)
def test_both_sides_are_set_up_to_the_end(path: Path) -> None:
    battle = load(path)
    player = Opponent(LEVELS["steady"], 5)
    while battle.state.deployment is not None:
        found = player.choose(battle)
        assert found is not None
        battle, _ = battle.play(found.action)
        assert battle.last is not None
        assert battle.last.legal
    assert not battle.state.gone
    assert next(battle.offers(1), None) is not None


def test_what_the_others_have_set_up_changes_nothing() -> None:
    alone = load(EXAMPLES / "set-ups" / "trench-pump-house.json")
    other, _ = alone.play({"kind": "set_up", "actor": "blue-1", "at": [18, 33]})
    assert other.state.bodies
    first, second = (Opponent(LEVELS["sharp"], 2).choose(one, "red") for one in (alone, other))
    assert first == second
