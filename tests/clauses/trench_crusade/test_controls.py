"""What a player can ask for: each model, each step, in the order in which it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import tapeline as tl
from clauses.trench_crusade.tabling import Doc, Table, blue, box, ids, red, to
from support.controlling import play_with_controls
from support.counting import calls
from support.scenarios import scenes_of
from tapeline.engine.controls import Control
from tapeline.engine.plain_controls import plain_controls
from tapeline.errors import UnknownIdError
from tapeline.rules.trench_crusade import SYSTEM

RIFLE = {"weapons": ["rifle", "assault gun", "blade"]}


def of(table: Table, who: str | None = "A") -> dict[str, Control]:
    """Controls of a model by label, in order."""
    found = list(SYSTEM.controls(table.state, who))
    assert len({control.label for control in found}) == len(found)
    return {control.label: control for control in found}


def why(control: Control) -> list[str]:
    """Clauses that bar a control."""
    return [finding.clause for finding in control.why_not]


def test_an_active_model_in_the_open() -> None:
    table = Table([red("A", 10, 10, stats={"weapons": ["blade"]}), blue("E", 20, 10)])
    found = of(table)
    assert list(found) == ["Move", "Charge", "Dash", "End activation"]
    assert not any(control.why_not for control in found.values())
    move = found["Move"]
    assert (move.gesture, move.slot, move.reach, move.manners) == ("path", "path", "move", ())
    assert (move.spent, move.allowance) == (0.0, 6.0)
    assert not move.optional
    assert found["Dash"].optional, "the path may come after the roll"
    assert [(r.about, r.distance, r.clause) for r in move.rings] == [("E", 1.0, "TC-MOVE-7")]
    assert ("A", 12.0) in [(r.about, r.distance) for r in found["Charge"].rings]
    assert found["End activation"].group == "step"


def test_a_model_held_by_an_enemy_fights_or_retreats_first() -> None:
    table = Table([red("A", 10, 10), blue("E", 11.5, 10), blue("F", 30, 10)])
    found = of(table)
    assert list(found)[:3] == ["Fight", "Retreat", "Move"]
    assert found["Fight"].candidates == ("E",), "only whom it can reach"
    assert why(found["Charge"]) == ["TC-ACT-8"]
    assert found["Charge"].candidates == ("E", "F"), "nearest first"
    forced = found["Forced retreat"]
    assert (forced.group, why(forced)) == ("attest", [])
    assert "Forced retreat" in of(table, "E"), "a rule may make anybody retreat at any time"
    far = of(Table([red("A", 10, 10), blue("E", 30, 10)]))
    assert not {"Fight", "Retreat", "Forced retreat"} & set(far), "no sense with nobody near"


def test_what_was_taken_bars_what_it_bars() -> None:
    table = Table([red("A", 10, 10), blue("E", 20, 10)])
    assert table.do("move", path=to((12, 10))).legal
    found = of(table)
    assert why(found["Move"]) == ["TC-ACT-5"]
    assert found["Move"].allowance is None, "there is nothing left of it"
    assert why(found["Charge"]) == ["TC-ACT-6"]
    assert why(found["Dash"]) == []


def test_who_waits_is_shown_what_comes_after_its_activation() -> None:
    table = Table([red("A", 10, 10), red("B", 10, 20, down=True), blue("E", 20, 10)], progress={})
    found = of(table, "B")
    assert next(iter(found)) == "Activate"
    assert not found["Activate"].why_not
    assert why(found["Move"]) == ["TC-ACT-10", "TC-DOWN-2"]
    assert found["Move"].allowance == 3.0, "it will have stood up"
    assert table.do("activate", "A").legal
    assert why(of(table, "B")["Activate"]) == ["TC-ACT-10"]
    assert of(table, "A")["Move"].allowance == 6.0
    assert why(of(table, "E")["Activate"]) == ["TC-ACT-10", "TC-ACT-10"]


def test_who_has_been_activated_has_nothing_more() -> None:
    table = Table([red("A", 10, 10, activated=True), blue("E", 20, 10)], progress={})
    found = of(table)
    assert list(found) == ["Activate"]
    assert why(found["Activate"]) == ["TC-ACT-10"]


def test_standing_up_halves_what_is_shown() -> None:
    table = Table([red("A", 10, 10, down=True), blue("E", 20, 10)], progress={})
    assert table.do("activate").legal
    assert of(table)["Move"].allowance == 3.0
    lion = {"stats": {"stands_unhindered": True}}
    table = Table([red("A", 10, 10, down=True, **lion), blue("E", 20, 10)], progress={})
    assert of(table)["Move"].allowance == 6.0
    assert SYSTEM.reaching["move"](table.state, table.state.body("A")).allowance == 6.0


def test_a_model_kept_down_has_all_of_its_movement_to_retreat_with() -> None:
    lion = blue("E", 11.9, 10, 50, stats={"pins_base_mm": 40.0})
    table = Table([red("A", 10, 10, down=True), lion], progress={})
    assert of(table)["Retreat"].allowance == 3.0
    assert table.do("activate").legal
    assert of(table)["Retreat"].allowance == 6.0
    assert why(of(table)["Move"]) == ["TC-DOWN-2"]


def test_what_is_wrong_with_staying_does_not_bar_moving() -> None:
    table = Table([red("A", 10, 10), red("B", 20, 20), blue("E", 20, 10)])
    onto = table.body("B").at(10.5, 10.0)
    table.state = replace(table.state, bodies={**table.state.bodies, "B": onto})
    assert "TC-MOVE-5" in ids(table.do("move"))
    assert why(of(table)["Move"]) == []


def test_nobody_to_charge_within_range() -> None:
    table = Table([red("A", 10, 10), red("B", 10, 20), blue("E", 30, 10), blue("F", 40, 10)])
    charge = of(table)["Charge"]
    assert why(charge) == ["TC-CHG-2"]
    assert (charge.why_not[0].about, charge.candidates) == ("E", ("E", "F"))
    assert why(of(table, "B")["Charge"]) == ["TC-ACT-10"]
    exactly = Table([red("A", 10, 10), blue("E", 10 + 12 + 250 / 254, 10)])
    assert why(of(exactly)["Charge"]) == []


def test_one_enemy_that_can_be_fought_is_enough() -> None:
    wall = box("wall", 11.1, 11.3, 8, 12)
    models = [red("A", 10, 10), blue("E", 11.9, 10), blue("F", 10, 11.5)]
    assert ids(Table(models, [wall]).do("fight", target="E")) == ["TC-MEL-1"]
    for order in (models, [models[0], models[2], models[1]]):
        assert why(of(Table(order, [wall]))["Fight"]) == []
    assert why(of(Table(models[:2], [wall]))["Fight"]) == ["TC-MEL-1"]


def test_a_plain_control_is_not_barred_by_one_of_several_weapons() -> None:
    guns = {"weapons": ["machine gun", "assault gun"]}
    table = Table([red("A", 10, 10, stats=guns), blue("E", 20, 10)])
    assert table.do("move", path=to((12, 10))).legal
    plain = {c.label: c for c in plain_controls(SYSTEM, table.state, "A")}
    assert why(plain["Shoot"]) == []
    assert why(of(table)["Shoot: machine gun"]) == ["TC-KW-1"]
    assert why(of(table)["Shoot: assault gun"]) == []


def test_a_control_for_every_weapon_that_shoots() -> None:
    table = Table([red("A", 10, 10, stats=RIFLE), blue("E", 20, 10), blue("F", 15, 10)])
    found = of(table)
    shots = [label for label in found if label.startswith("Shoot")]
    assert shots == ["Shoot: rifle", "Shoot: assault gun"]
    rifle = found["Shoot: rifle"]
    assert (rifle.action["weapon"], rifle.group, rifle.optional) == ("rifle", "act", True)
    assert rifle.candidates == ("F", "E")
    (result,) = rifle.extras
    assert [value for value, _ in result.options] == ["miss", "minor", "down", "out"]
    assert table.do("charge", "A", (6,), target="F").legal
    assert why(of(table)["Shoot: rifle"]) == ["TC-ACT-9"]
    assert why(of(table)["Shoot: assault gun"]) == []


def test_legs_are_gone_in_manners_where_something_is_built() -> None:
    block = box("block", 20, 24, 20, 24)
    models = [red("A", 10, 10), blue("E", 15, 10)]
    move = of(Table(models, [block]))["Move"]
    assert [manner.how for manner in move.manners] == ["walk", "climb", "jump", "drop"]
    assert move.reach == "move"
    flyer = red("A", 10, 10, stats={"flying": True, "keywords": ["FLYING"]})
    assert [m.how for m in of(Table([flyer, models[1]]))["Move"].manners] == ["fly"]
    assert of(Table([flyer, models[1]]))["Move"].reach == "move"
    over = of(Table([flyer, models[1]], [block]))["Move"]
    assert over.reach == "", "no reach of flyers is told where something is built"


@pytest.mark.parametrize(
    ("terrain", "hazards"),
    [
        ([], []),
        ([box("wire", 20, 24, 20, 24)], ["dangerous"]),
        ([box("block", 20, 24, 20, 24)], ["climb", "jump", "jump_down"]),
    ],
)
def test_a_charge_goes_round_only_what_there_is(terrain: list[Doc], hazards: list[str]) -> None:
    table = Table([red("A", 10, 10), blue("E", 15, 10)], terrain)
    (charge,) = (c for c in SYSTEM.controls(table.state, "A") if c.label == "Charge")
    found = [value for extra in charge.extras for value, _ in extra.options]
    assert found == hazards


def test_readings_that_ask_more_of_the_players() -> None:
    models = [red("A", 10, 10), blue("E", 15, 10)]
    assert "visible" not in [e.name for e in of(Table(models))["Charge"].extras]
    attested = of(Table(models, los_mode="attested"))
    assert "visible" in [extra.name for extra in attested["Charge"].extras]
    assert "Charge up to a point" not in attested
    stop = of(Table(models, charge_extent="upto"))["Charge up to a point"]
    assert (stop.gesture, stop.slot, stop.action["target"]) == ("place", "stop", "E")
    table = Table(models, charge_extent="upto")
    assert table.do(**{**stop.action, "stop": [12, 10]}).legal


def test_the_next_turn_waits_for_everybody() -> None:
    table = Table([red("A", 10, 10), blue("E", 15, 10)], progress={})
    (turn,) = SYSTEM.controls(table.state, None)
    assert (turn.label, turn.group, why(turn)) == ("Next Turn", "step", ["TC-ACT-10"])
    over = [red("A", 10, 10, activated=True), blue("E", 15, 10, activated=True)]
    (turn,) = SYSTEM.controls(Table(over, progress={}).state, None)
    assert why(turn) == []
    assert turn.extras[0].options == (
        (None, "red keeps it"),
        ("red", "red has it"),
        ("blue", "blue has it"),
    )


def test_an_unknown_id_is_an_error() -> None:
    with pytest.raises(UnknownIdError):
        of(Table([red("A", 10, 10), blue("E", 15, 10)]), "nobody")


@pytest.mark.compiled
def test_random_play_is_reached_by_controls(budget: Callable[[int, int], int]) -> None:
    reached = play_with_controls(
        scenes_of("trench-crusade").values(), budget(1, 5), budget(24, 400), budget(3, 1)
    )
    kinds = {"activate", "move", "dash", "charge", "retreat", "fight", "shoot", "end_activation"}
    assert kinds <= set(reached)


def test_controls_come_at_once() -> None:
    """In 5 ms for a model on the largest example, at a microsecond for each call that it takes."""
    battle = tl.load(scenes_of("trench-crusade")["trench-two-lines"])
    body = next(b.id for b in battle.state.bodies.values() if b.side == battle.state.turn.active)
    assert calls(lambda: list(SYSTEM.controls(battle.state, body))) < 5_000
