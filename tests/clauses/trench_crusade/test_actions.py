"""TC-ACT, TC-DASH, TC-DOWN, TC-KW-1: who may do what, and when."""

from __future__ import annotations

import pytest

from clauses.trench_crusade.tabling import Table, blue, ids, red, to
from tapeline.errors import DocumentError, UnknownIdError


def test_tc_act_1_only_ones_own_models_move() -> None:
    table = Table([red("A", 10, 10), blue("E", 30, 30)])
    assert "TC-ACT-1" in ids(table.do("move", "E", path=to((31, 30))))
    assert table.do("move", path=to((11, 10))).legal


@pytest.mark.parametrize("kind", ["move", "dash"])
def test_tc_act_5_each_type_once(kind: str) -> None:
    table = Table([red("A", 10, 10)], progress={"actor": "A", "taken": [kind]})
    assert ids(table.do(kind, path=to((11, 10)))) == ["TC-ACT-5"]
    table = Table([red("A", 10, 10)])
    assert table.do(kind, path=to((11, 10))).legal


@pytest.mark.parametrize("taken", ["move", "charge", "retreat"])
def test_tc_act_6_one_of_three(taken: str) -> None:
    table = Table([red("A", 10, 10)], progress={"actor": "A", "taken": [taken]})
    verdict = table.do("move")
    assert ids(verdict) == (["TC-ACT-5"] if taken == "move" else ["TC-ACT-6"])
    free = Table([red("A", 10, 10)], progress={"actor": "A", "taken": ["dash", "shoot"]})
    assert free.do("move").legal


@pytest.mark.parametrize(("gap", "barred"), [(0.99, True), (1.0, True), (1.01, False)])
def test_tc_act_8_no_charge_within_1(gap: float, barred: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 10 + 125 / 127 + gap, 10)])
    verdict = table.do("charge", target="E")
    assert ("TC-ACT-8" in ids(verdict)) is barred
    if barred:
        assert verdict.findings[0].measured == pytest.approx(gap, abs=1e-9)


def test_tc_act_9_shoot_and_charge() -> None:
    stats = {"weapons": ["rifle", "assault gun", "blade"]}
    for weapon, barred in (("rifle", True), ("assault gun", False)):
        table = Table([red("A", 10, 10, stats=stats), blue("E", 16, 10)])
        assert table.do("shoot", weapon=weapon).legal
        assert (ids(table.do("charge", target="E")) == ["TC-ACT-9"]) is barred
        table = Table([red("A", 10, 10, stats=stats), blue("E", 16, 10)])
        assert table.do("charge", "A", (1,), target="E").legal
        assert (ids(table.do("shoot", weapon=weapon)) == ["TC-ACT-9"]) is barred


def test_tc_act_9_a_weapon_it_does_not_have() -> None:
    assert ids(Table([red("A", 10, 10)]).do("shoot", weapon="trebuchet")) == ["TC-ACT-9"]


def test_tc_act_10_alternation_and_next_turn() -> None:
    table = Table([red("A", 10, 10), red("F", 5, 5), blue("E", 40, 40)], progress={})
    assert ids(table.do("move")) == ["TC-ACT-10"]
    assert table.do("activate").legal
    assert table.do("end_activation").legal
    assert table.state.turn.active == "blue"
    assert table.do("activate", "E").legal
    assert table.do("end_activation", "E").legal
    assert table.state.turn.active == "red"
    assert ids(table.do("next_turn", None)) == ["TC-ACT-10"]
    assert table.do("activate", "F").legal
    assert table.do("end_activation", "F").legal
    assert ids(table.do("activate", "F")) == ["TC-ACT-10"]
    assert ids(table.do("next_turn", None, initiative="green")) == ["TC-ACT-10"]
    assert table.do("next_turn", None).legal
    assert (table.state.turn.round, table.state.turn.active) == (2, "red")
    assert not table.body("E").has("activated")


def test_unknown_models_are_errors_not_verdicts() -> None:
    table = Table([red("A", 10, 10)])
    with pytest.raises(UnknownIdError):
        table.do("move", "nobody")
    with pytest.raises(UnknownIdError):
        table.do("charge", target="nobody")


def test_a_shot_does_what_the_players_attest() -> None:
    table = Table([red("A", 10, 10), blue("E", 20, 10), blue("E2", 30, 10)])
    assert table.do("shoot", weapon="rifle", target="E", result="down").legal
    assert table.body("E").marks["down"] is True
    assert table.body("E").marks["blood"] == 1


@pytest.mark.parametrize(("faces", "goes"), [((3, 3), False), ((3, 4), True)])
def test_tc_dash_1_and_2_six_fails_seven_succeeds(faces: tuple[int, int], goes: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 40, 40)])
    assert table.do("dash", "A", faces, path=to((16, 10))).legal
    assert table.body().x == (16 if goes else 10)
    assert table.state.progress.get("over") == (None if goes else "dash")
    if not goes:
        assert "TC-DASH-2" in ids(table.do("move", path=to((11, 10))))


def test_tc_dash_2_the_path_is_checked_before_the_roll_when_given() -> None:
    table = Table([red("A", 10, 10)])
    assert ids(table.do("dash", path=to((16.1, 10)))) == ["TC-MOVE-1"]


@pytest.mark.parametrize(("full", "half"), [(6.0, 3.0), (5.0, 2.5)])
def test_tc_down_3_standing_up_halves_movement(full: float, half: float) -> None:
    table = Table([red("A", 10, 10, down=True, stats={"movement": full})], progress={})
    assert table.do("activate").legal
    assert not table.body().has("down")
    assert ids(table.do("move", path=to((10 + half + 0.01, 10)))) == ["TC-MOVE-1"]
    assert table.do("move", path=to((10 + half, 10))).legal


def test_tc_down_3_not_halved_for_a_hound() -> None:
    hound = red("A", 10, 10, 60, down=True, profile="Hound of the Black Grail")
    table = Table([hound], progress={})
    assert table.do("activate").legal
    assert table.do("move", path=to((18, 10))).legal


@pytest.mark.parametrize(("base", "stays"), [(40, True), (50, False)])
def test_tc_kw_3_a_lion_pins_bases_up_to_40_mm(base: float, stays: bool) -> None:
    lion = blue("L", 10 + (25 + base / 2) / 25.4 + 0.5, 10, 50, profile="Lion of Jabir")
    table = Table([red("A", 10, 10, base, down=True), lion], progress={})
    assert table.do("activate").legal
    assert table.body().has("down") is stays
    assert (ids(table.do("move")) == ["TC-DOWN-2"]) is stays


@pytest.mark.parametrize("strong", [False, True])
def test_tc_kw_1_heavy(strong: bool) -> None:
    stats = {
        "keywords": ["HEAVY", "STRONG"] if strong else ["HEAVY"],
        "weapons": ["machine gun", "blade"],
    }
    table = Table([red("A", 10, 10, stats=stats)])
    assert table.do("shoot", weapon="machine gun").legal
    assert (ids(table.do("dash")) == ["TC-KW-1"]) is not strong
    table = Table([red("A", 10, 10, stats=stats), blue("E", 30, 10)])
    assert table.do("dash", "A", (4, 4), path=to((11, 10))).legal
    assert (ids(table.do("shoot", weapon="machine gun")) == ["TC-KW-1"]) is not strong
    table = Table([red("A", 10, 10, stats=stats), blue("E", 20, 10)])
    verdict = table.do("charge", "A", *([(2,)] if strong else []), target="E")
    assert verdict.values["allowance"] == (8.0 if strong else 6.0)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"base": {"rectangle_mm": [30, 60]}}, "models[0].base"),
        ({"state": {"blood": 7}}, "models[0].state.blood"),
        ({"position": [0.4, 10]}, "models[0].position"),
        ({"position": [20.2, 10]}, "models[0].position"),
        ({"profile": {"like": "Azeb", "weapons": ["spoon"]}}, "models[0].profile.weapons"),
        ({"profile": {"like": "Azeb", "armour": 1}}, "models[0].profile.armour"),
        ({"profile": {"like": "Azeb", "melee_dice": 0.5}}, "models[0].profile.melee_dice"),
    ],
)
def test_scenes_that_cannot_be_used(change: dict[str, object], where: str) -> None:
    wall = {"id": "W", "kind": "wall", "shape": {"circle": {"centre": [21, 10], "radius": 0.5}}}
    document = red("A", 10, 10)
    if "base" in change:
        del document["base"]
    with pytest.raises(DocumentError) as caught:
        Table([{**document, **change}], [wall])
    assert [fault.path for fault in caught.value.faults] == [where]


def test_terrain_that_must_be_climbed_is_refused() -> None:
    block = {
        "id": "B",
        "kind": "barricade",
        "height": 1.5,
        "shape": {"circle": {"centre": [20, 20], "radius": 1}},
    }
    with pytest.raises(DocumentError) as caught:
        Table([red("A", 10, 10)], [block])
    assert caught.value.faults[0].path == "terrain[0].height"
    Table([red("A", 10, 10)], [{**block, "height": 1.0}])
