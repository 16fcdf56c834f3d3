"""Setting up before a game: trays, zones, turns, and the same referee as ever after."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from support.scenarios import EXAMPLES
from tapeline.errors import DocumentError
from tapeline.play.battle import Battle, load
from tapeline.play.match import Match, rereferee

#: Examples with zones, and a way to set up for each.
WAYS: list[tuple[str, dict[str, Any]]] = [
    ("trench-two-lines", {"order": "together", "hidden": True}),
    ("mordheim-fountain", {"order": "sides", "next": "blue"}),
    ("warmaster-hill", {"order": "alternate"}),
    ("sovl-mill", {"order": "alternate", "next": "east"}),
]
STRIPS = [
    {
        "id": f"{side}-edge",
        "side": side,
        "shape": {"polygon": [[0, y], [24, y], [24, y + 6], [0, y + 6]]},
    }
    for side, y in (("red", 0), ("blue", 18))
]
SHARED = {**STRIPS[0], "id": "shared", "side": "blue"}
#: Discs of 2 in, so that limits are round numbers.
MODELS = [
    {
        "id": f"{side}-{n}",
        "side": side,
        "profile": "Azeb",
        "base": {"round": 2},
        "position": [4 * n, 12],
    }
    for side in ("red", "blue")
    for n in (1, 2)
]


def example(name: str, deployment: dict[str, Any]) -> dict[str, Any]:
    scene: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    return {**scene, "deployment": deployment}


def small(**deployment: Any) -> dict[str, Any]:
    return {
        "format": "tapeline-scene/1",
        "system": "trench-crusade",
        "table": {"width": 24, "depth": 24, "unit": "in"},
        "terrain": [
            {
                "id": "block",
                "kind": "ruin",
                "traits": ["impassable"],
                "shape": {"rectangle": {"centre": [20, 3], "width": 2, "depth": 2}},
            }
        ],
        "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
        "zones": STRIPS,
        "models": MODELS,
        "deployment": deployment,
    }


def place(actor: str, x: float, y: float) -> dict[str, Any]:
    return {"kind": "set_up", "actor": actor, "at": [x, y]}


def broken(battle: Battle, action: dict[str, Any]) -> list[str]:
    return [finding.clause for finding in battle.judge(action).findings]


def played(battle: Battle, *actions: dict[str, Any]) -> Battle:
    for action in actions:
        battle, _ = battle.play(action)
        assert battle.last is not None
        assert battle.last.legal, battle.last.findings
    return battle


@pytest.mark.parametrize(("name", "deployment"), WAYS, ids=[name for name, _ in WAYS])
def test_a_whole_set_up_ends_in_the_state_of_the_scene_it_makes(
    name: str, deployment: dict[str, Any]
) -> None:
    rng = Random(3)
    match = Match.start(example(name, deployment))
    assert match.battle.state.bodies == {}
    while match.battle.state.deployment is not None:
        before = match.battle
        offers = [*before.offers(rng)]
        assert {before.side_of(offer) for offer in offers} <= {*before.acting}
        match.do(rng.choice(offers))
        now = match.battle
        if len(match.entries) % 5 == 0:
            assert load(now.scene()).hash == now.hash
    done = match.battle
    assert "deployment" not in done.scene()
    assert load(done.scene()).hash == done.hash
    assert [*done.offers(1)] == [*load(done.scene()).offers(1)]
    again, mismatch = rereferee(match.lines())
    assert mismatch is None
    assert again.battle.hash == Match.replay(match.lines()).battle.hash == done.hash
    match.undo(1)
    assert match.battle.state.deployment is not None


@pytest.mark.parametrize(
    ("at", "clauses"),
    [
        ((4, 5.0), []),
        ((4, 5.000002), ["SET-4"]),
        ((1, 1), []),
        ((0.999998, 1), ["SET-4", "SET-6"]),
        ((18, 3), []),
        ((18.000002, 3), ["SET-6"]),
        ((10, 3), []),
        ((9.999998, 3), ["SET-5"]),
        ((20, 12), ["SET-4"]),
    ],
)
def test_the_whole_base_lies_in_the_zone_on_free_ground(
    at: tuple[float, float], clauses: list[str]
) -> None:
    battle = played(load(small()), place("red-2", 8, 3))
    verdict = battle.judge(place("red-1", *at))
    assert [finding.clause for finding in verdict.findings] == clauses
    assert all(finding.place == at for finding in verdict.findings)
    if clauses:
        assert verdict.nearest is not None
        assert battle.judge(verdict.nearest.action).legal
        assert verdict.nearest.short_by < 7.01


def test_nothing_else_is_done_before_all_are_ready() -> None:
    battle = played(load(small()), place("red-1", 4, 3), place("blue-1", 4, 21))
    assert broken(battle, {"kind": "activate", "actor": "red-1"}) == ["SET-1"]
    assert broken(battle, {"kind": "ready", "side": "red"}) == ["SET-7"]
    battle = played(battle, place("red-2", 8, 3), {"kind": "ready", "side": "red"})
    assert broken(battle, place("red-2", 9, 3)) == ["SET-2"]
    assert battle.acting == ("blue",)
    battle = played(battle, place("blue-2", 8, 21), {"kind": "ready", "side": "blue"})
    assert battle.judge({"kind": "activate", "actor": "red-1"}).legal
    assert broken(battle, place("red-1", 5, 3)) == ["SET-2"]


def test_what_is_set_up_can_be_set_up_elsewhere_or_taken_back_but_not_in_turns() -> None:
    battle = played(load(small()), place("red-1", 4, 3), place("red-1", 5, 3))
    battle = played(battle, {"kind": "pick_up", "actor": "red-1"})
    assert broken(battle, {"kind": "pick_up", "actor": "red-1"}) == ["SET-3"]
    assert battle.state.bodies == {}
    turns = played(load(small(order="alternate", next="blue")), place("blue-1", 4, 21))
    assert broken(turns, place("blue-2", 8, 21)) == ["SET-2"]
    turns = played(turns, place("red-1", 4, 3))
    # Who is to set up reads first how many of theirs still wait.
    assert turns.system.status(turns.state)[1:] == ["Blue: 1 in the tray.", "Red: 1 in the tray."]
    assert broken(turns, place("blue-1", 5, 21)) == ["SET-3"]


def test_what_the_others_hide_is_measured_by_nobody() -> None:
    """A verdict on one's own set-up is the same wherever the others stand."""
    battle = played(load(small(hidden=True)), place("blue-1", 4, 21))
    alone = load(small(hidden=True))
    for action in (place("red-1", 4, 20), place("red-1", 4, 3), place("red-1", 4, 5.5)):
        assert battle.judge(action) == alone.judge(action)


def test_a_unit_is_set_up_as_a_whole_in_formation() -> None:
    battle = load(example("warmaster-hill", {}))
    unit = battle.state.units["red-foot"]
    in_line = played(battle, {**place("red-foot-2", 60, 10), "facing": 90})
    assert {*unit.members} <= {*in_line.state.bodies}
    ranked = played(battle, {**place("red-foot", 60, 10), "facing": 90, "files": 2})
    stands = [ranked.state.bodies[name] for name in unit.members]
    assert len({round(body.y, 6) for body in stands}) == 2
    assert sum(body.x for body in stands) / 3 == pytest.approx(60)
    outside = battle.judge({**place("red-foot", 60, 19.5), "facing": 90})
    assert {finding.about for finding in outside.findings} == {*unit.members}


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"zones": []}, "deployment"),
        ({"deployment": {"next": "red"}}, "deployment.next"),
        ({"deployment": {"order": "sides", "hidden": True}}, "deployment.hidden"),
        ({"deployment": {"waiting": ["green-1"]}}, "deployment.waiting[0]"),
        ({"deployment": {"ready": ["red", "blue"]}}, "deployment.ready"),
        (
            {
                "deployment": {"hidden": True},
                "zones": [*STRIPS, SHARED],
            },
            "deployment.hidden",
        ),
    ],
)
def test_a_deployment_that_cannot_be_is_refused(change: dict[str, Any], path: str) -> None:
    with pytest.raises(DocumentError) as error:
        load({**small(), **change})
    assert path in [fault.path for fault in error.value.faults]


def test_models_already_on_the_table_stay_there() -> None:
    scene = small(waiting=["red-1", "blue-1"])
    scene["models"][1] = {**scene["models"][1], "position": [8, 3]}
    scene["models"] = [
        {**m, "position": [m["position"][0], 21]} if m["id"] == "blue-2" else m
        for m in scene["models"]
    ]
    battle = load(scene)
    assert [*battle.state.bodies] == ["red-2", "blue-2"]
    assert broken(battle, place("red-1", 9, 3)) == ["SET-5"]
