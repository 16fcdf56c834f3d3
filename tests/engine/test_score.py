"""Goals of a game: what counts, when, and for whom; folded from events, whatever the system."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

import tapeline as tl
from tapeline.engine.events import Event, Marked, Moved, Progressed, Removed, TurnChanged
from tapeline.engine.fold import fold
from tapeline.engine.score import marker, points_of, score_words
from tapeline.engine.state import State
from tapeline.errors import DocumentError
from tapeline.table.marks import Marks

WELL: dict[str, Any] = {"id": "well", "shape": {"circle": {"centre": [10, 10], "radius": 3}}}
SCENE: dict[str, Any] = {
    "format": "tapeline-scene/1",
    "system": "trench-crusade",
    "table": {"width": 20, "depth": 20, "unit": "in"},
    "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    "models": [
        {"id": "r1", "side": "red", "profile": "Azeb", "position": [4, 4]},
        {"id": "r2", "side": "red", "profile": "Azeb", "position": [6, 4]},
        {"id": "b1", "side": "blue", "profile": "Heretic Trooper", "position": [4, 16]},
    ],
    "zones": [WELL],
}


def game(*goals: dict[str, Any], rounds: int = 3, **more: Any) -> State:
    scene = copy.deepcopy(SCENE)
    scene["game"] = {
        "rounds": rounds,
        "goals": [{"id": f"g{n}", **goal} for n, goal in enumerate(goals)],
        **more,
    }
    return tl.load(scene).state


def after(state: State, *events: Event) -> State:
    for event in events:
        state = fold(state, event)
    return state


def to(body: str, x: float, y: float) -> Moved:
    return Moved(body, x, y, 0.0, 0.0)


def points(state: State) -> tuple[int, int]:
    found = points_of(state)
    return found["red"], found["blue"]


def rounds(first: int, last: int) -> list[TurnChanged]:
    return [TurnChanged(round=n + 1) for n in range(first, last + 1)]


def test_a_zone_counts_at_each_end_of_a_round_for_who_has_more_able_bodies_in_it() -> None:
    state = game({"kind": "hold", "zone": "well", "points": 2})
    # On the border of the zone counts; as many as the other side does not.
    state = after(state, to("r1", 7, 10), *rounds(1, 1))
    assert points(state) == (2, 0)
    state = after(state, to("b1", 10, 12), *rounds(2, 2))
    assert points(state) == (2, 0)
    state = after(state, Marked("r1", Marks({"down": True})), *rounds(3, 3))
    assert points(state) == (2, 2)
    assert score_words(state) == "The game is over, a draw: Red 2, Blue 2"
    assert points(after(state, *rounds(4, 4))) == (2, 2)


def test_reaching_and_leaving_count_once_for_each_body_of_the_side() -> None:
    state = game(
        {"kind": "reach", "side": "red", "zone": "well", "who": ["r1"]},
        {"kind": "leave", "side": "blue", "edge": "south", "within": 1.0, "points": 5},
    )
    state = after(state, to("r1", 9, 9), to("r2", 10, 10), to("r1", 9, 10), to("b1", 4, 1.01))
    assert points(state) == (1, 0)
    assert points(after(state, to("b1", 4, 1.0), to("b1", 5, 1.0))) == (1, 5)


def test_a_marker_is_taken_dropped_by_the_fallen_and_brought_home() -> None:
    carry = {"kind": "carry", "at": [4, 10], "zone": "well", "points": 3}
    state = after(game(carry), to("r1", 4.2, 10))
    goal: Any = state.game.goals[0]  # type: ignore[union-attr]
    assert marker(state, goal) == ((4.2, 10.0), "r1")
    state = after(state, to("r1", 6, 10), Marked("r1", Marks({"down": True})))
    assert marker(state, goal) == ((6.0, 10.0), "")
    assert points(after(state, to("b1", 6, 10.2), to("b1", 9, 10), to("b1", 4, 4))) == (0, 3)
    # One who leaves the table drops it where it stood.
    state = after(state, to("b1", 6, 10.2), Removed("b1", "out"))
    assert marker(state, goal) == ((6.0, 10.2), "")


def test_striking_lasting_and_the_end_when_one_side_alone_is_left() -> None:
    state = game(
        {"kind": "strike", "side": "blue", "points": 2},
        {"kind": "last", "side": "red", "round": 2, "least": 2, "points": 7},
        {"kind": "hold", "zone": "well"},
        rounds=4,
    )
    assert points(after(state, *rounds(1, 2))) == (7, 0)
    state = after(state, Removed("r2", "out"), *rounds(1, 2), to("b1", 10, 10))
    assert points(state) == (0, 2)
    # Rounds 3 and 4 count as things stand.
    state = after(state, Removed("r1", "out"))
    assert points(state) == (0, 6)
    assert score_words(state).startswith("The game is over, Blue won")


def test_the_score_is_kept_by_scenes_and_changes_the_hash_where_there_is_a_game_alone() -> None:
    plain = tl.load(SCENE)
    state = after(game({"kind": "hold", "zone": "well"}), to("r1", 10, 10), *rounds(1, 1))
    battle = tl.load(plain.scene())
    assert battle.hash == plain.hash
    played = type(plain)(plain.system, state)
    assert tl.load(played.scene()).hash == played.hash != plain.hash
    assert points(tl.load(played.scene()).state) == (1, 0)


@pytest.mark.parametrize(
    ("goal", "path", "text"),
    [
        ({"kind": "hold", "zone": "wel"}, "goals[0].zone", "no zone 'wel'; zones are well"),
        ({"kind": "hold"}, "goals[0].zone", "is missing"),
        ({"kind": "strike", "side": "red", "targets": ["r1"]}, "goals[0].targets[0]", "belongs"),
        ({"kind": "reach", "side": "red", "zone": "well", "who": ["b1"]}, "goals[0].who", "belong"),
        ({"kind": "last", "side": "red", "round": 4}, "goals[0].round", "over after 3 rounds"),
        ({"kind": "win", "side": "red"}, "goals[0]", "tag"),
    ],
)
def test_faults_say_where_and_what(goal: dict[str, Any], path: str, text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        game(goal)
    assert any(f.path.startswith(f"game.{path}") and text in f.message for f in caught.value.faults)


def test_a_game_ends_when_an_army_is_beaten_and_the_beaten_hold_nothing() -> None:
    held = {"kind": "hold", "zone": "well", "points": 2, "each": "round"}
    beaten = Progressed(Marks({"routed": "blue"}))
    on_well = after(game(held), to("b1", 10, 10), to("r1", 8, 10))
    assert not after(on_well, beaten).game.over  # type: ignore[union-attr]
    knows = replace(on_well, game=replace(on_well.game, beaten="routed"))  # type: ignore[type-var]
    found = after(knows, beaten)
    assert found.game is not None
    assert found.game.over
    assert points(found) == (6, 0)


def test_an_army_that_withdraws_ends_a_game_of_warmaster() -> None:
    battle = tl.load("examples/warmaster-hill.json")
    found = after(battle.state, Progressed(Marks({"over": "blue"})))
    assert found.game is not None
    assert found.game.over


def test_a_game_of_warmaster_goes_on_while_the_last_unit_of_a_side_may_come_back() -> None:
    zone = {"id": "well", "shape": {"circle": {"centre": [60, 60], "radius": 30}}}
    scene: dict[str, Any] = {
        **SCENE,
        "system": "warmaster",
        "table": {"width": 120, "depth": 120, "unit": "cm"},
        "models": [
            {"id": f"{name}-1", "side": side, "profile": "Infantry", "position": at, "facing": 90}
            for name, side, at in (("r", "red", [60, 3]), ("b", "blue", [60, 40]))
        ],
        "units": [
            {"id": name, "side": side, "profile": "Infantry", "members": [f"{name}-1"]}
            for name, side in (("r", "red"), ("b", "blue"))
        ],
        "zones": [zone],
        "game": {"rounds": 4, "goals": [{"id": "g", "kind": "hold", "zone": "well"}]},
        "turn": {"round": 1, "phase": "other", "active": "blue"},
    }

    def driven(*faces: list[int]) -> tl.Battle:
        drive = {"kind": "drive_back", "actor": "r", "hits": len(faces[0]), "shooter": "b-1"}
        return tl.load(scene).play(drive, dice=tl.ScriptedDice(faces))[0]

    off = driven([3, 2], [2])
    assert off.state.units["r"].has("off")
    assert not off.state.game.over  # type: ignore[union-attr]
    back, _ = off.play({"kind": "end_step"}, dice=tl.ScriptedDice([[4]]))
    assert "r-1" in back.state.bodies
    assert points(back.state) == (0, 1)
    # Beyond its full pace it is destroyed, and blue holds the well for all four rounds.
    lost = driven([6, 6, 6, 6]).state
    assert lost.game is not None
    assert lost.game.over
    assert points(lost) == (0, 4)
