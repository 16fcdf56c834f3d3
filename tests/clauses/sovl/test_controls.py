"""What a player can ask for: each unit, each phase, in the order in which it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tapeline as tl
from support.controlling import play_with_controls
from support.counting import calls
from support.scenarios import scenes_of
from tapeline.engine.controls import Control
from tapeline.errors import UnknownIdError
from tapeline.rules.sovl import SYSTEM

BOW = {"like": "Infantry", "weapon": "Longbow"}
CANNON = {"like": "War Machine", "weapon": "Cannon", "abilities": ["Reposition"]}


def of(game: Any, who: str | None = "A1") -> dict[str, Control]:
    """Controls of a unit by label, in order."""
    found = list(SYSTEM.controls(game.state, who))
    assert len({control.label for control in found}) == len(found)
    return {control.label: control for control in found}


def why(control: Control) -> list[str]:
    """Clauses that bar a control."""
    return [finding.clause for finding in control.why_not]


def test_an_active_unit(play, inf):
    game = play([inf("A1", 10, 10), inf("B1", 40, 10)])
    assert list(of(game))[0:2] == ["Activate", "Manoeuvre"]
    assert why(of(game)["Activate"]) == []
    assert why(of(game)["Advance"]) == ["SV-ACT-1"]
    game.do("activate", "A1")
    found = of(game)
    assert list(found) == ["Manoeuvre", "Advance", "Pivot", "End activation"]
    assert not any(control.why_not for control in found.values())
    advance, pivot = found["Advance"], found["Pivot"]
    assert (advance.gesture, advance.slot, advance.low, advance.high) == (
        "distance",
        "distance",
        0.0,
        8.0,
    )
    assert (advance.spent, advance.allowance) == (0.0, 8.0)
    assert (pivot.gesture, pivot.slot, pivot.low, pivot.high) == ("turn", "by", -180.0, 180.0)
    pose = found["Manoeuvre"]
    assert (pose.gesture, pose.slot, pose.turn_slot, pose.turns) == (
        "pose",
        "to",
        "facing",
        "facing",
    )
    assert found["End activation"].group == "step"


def test_handles_go_as_far_as_the_rules_let_them(play, inf):
    game = play([inf("A1", 10, 10), inf("B1", 17, 10)])
    game.do("activate", "A1")
    assert of(game)["Advance"].high == pytest.approx(5.0), "up to contact"
    game.do("advance", "A1", distance=3.0)
    game.do("pivot", "A1", by=5.0)
    found = of(game)
    assert (found["Advance"].spent, found["Advance"].allowance) == (4.0, 8.0)
    assert found["Pivot"].high == 180.0
    game = play([inf("A1", 10, 10), inf("B1", 40, 10)])
    game.do("activate", "A1")
    game.do("advance", "A1", distance=6.5)
    assert (of(game)["Pivot"].low, of(game)["Pivot"].high) == (-45.0, 45.0)
    game.do("advance", "A1", distance=1.0)
    found = of(game)
    assert why(found["Pivot"]) == ["SV-SEQ-2"]
    assert why(found["Advance"]) == why(found["Manoeuvre"]) == []
    game.do("advance", "A1", distance=0.5)
    found = of(game)
    assert why(found["Advance"]) == ["SV-SEQ-2"]
    assert found["Advance"].high == 0.0
    assert set(why(found["Manoeuvre"])) == {"SV-SEQ-2"}


def test_against_something_no_advance_leads_anywhere(play, inf, piece):
    game = play([inf("A1", 10, 10), inf("B1", 12, 10)])
    game.do("activate", "A1")
    advance = of(game)["Advance"]
    assert why(advance) == ["SV-ADV-2"]
    assert advance.why_not[0].about == "B1"
    assert why(of(game)["Pivot"]) == why(of(game)["Manoeuvre"]) == []
    game = play([inf("A1", 47, 10), inf("B1", 12, 10)])
    game.do("activate", "A1")
    assert why(of(game)["Advance"]) == ["SV-ADV-4"]
    marsh = [piece("swamp", 11, 20, 0, 30)]
    game = play([inf("A1", 10, 10), inf("B1", 40, 10)], marsh, turn=_acting(1.5))
    assert why(of(game)["Advance"]) == ["SV-TER-4"]


def _acting(allowance: float, **more: Any) -> dict[str, Any]:
    return {"progress": {"unit": "A1", "allowance": allowance, **more}}


def test_ground_takes_from_the_allowance_before_the_activation_too(play, inf, piece):
    game = play([inf("A1", 10, 10), inf("B1", 40, 10)], [piece("forest", 8, 12, 8, 12)])
    waiting = of(game)["Advance"]
    assert (waiting.spent, waiting.allowance, waiting.high) == (2.0, 8.0, 6.0)
    game.do("activate", "A1")
    assert (of(game)["Advance"].spent, of(game)["Advance"].allowance) == (2.0, 8.0)


def test_a_shooter_is_shown_its_targets_nearest_first(play, inf):
    units = [inf("A1", 10, 10, profile=BOW), inf("B1", 30, 10), inf("B2", 20, 10)]
    game = play(units)
    game.do("activate", "A1")
    shoot = of(game)["Shoot"]
    assert (shoot.gesture, shoot.candidates, shoot.rings) == ("pick", ("B2", "B1"), ())
    assert "Shoot" not in of(game, "B1"), "it has nothing to shoot with"
    game.do("shoot", "A1", [1] * 10, target="B2")
    assert why(of(game)["Shoot"]) == ["SV-SHOOT-2"]
    measured = play(units, range__measure="edge_to_edge")
    rings = of(measured)["Shoot"].rings
    assert [(ring.about, ring.distance) for ring in rings] == [("A1", 15.0), ("A1", 30.0)]


def test_abilities_by_name_and_slot(play, inf):
    def gun(**more: Any) -> Any:
        return inf("A1", 10, 10, profile={**CANNON, **more}, models=1, files=1, size=None)

    game = play([gun(), inf("B1", 40, 10)])
    game.do("activate", "A1")
    found = of(game)
    assert why(found["Advance"]) == ["SV-SEQ-2"], "it has no allowance yet"
    reposition = found["Reposition"]
    assert (reposition.action["name"], reposition.extras, why(reposition)) == ("Reposition", (), [])
    game.do("ability", "A1", name="Reposition")
    game.do("advance", "A1", distance=2.0)
    found = of(game)
    assert (found["Advance"].spent, found["Advance"].allowance) == (2.0, 6.0)
    assert why(found["Reposition"]) == ["SV-ABL-1"]
    led = play([gun(keywords=["Commander"]), inf("B1", 40, 10)])
    led.do("activate", "A1")
    assert [extra.name for extra in of(led)["Reposition"].extras] == ["commander"]
    led.do("ability", "A1", name="Reposition")
    second = of(led)["Reposition"]
    assert (second.action["commander"], second.extras, why(second)) == (True, (), [])


def test_who_flees_rallies_and_flies(play, inf):
    game = play([inf("A1", 10, 10, state={"fleeing": True}), inf("B1", 40, 10)])
    assert list(of(game)) == ["Activate", "Rally"]
    assert "Rally" not in of(game, "B1"), "it does not flee"
    game.do("activate", "A1")
    assert list(of(game)) == ["Rally", "End activation"]
    assert why(of(game)["Rally"]) == []
    away = play(
        [inf("A1", 10, 10, state={"fleeing": True}), inf("B1", 40, 10)], turn={"phase": "flights"}
    )
    assert list(of(away)) == ["Flight Move"]
    assert why(of(away)["Flight Move"]) == []
    assert list(of(away, "B1")) == ["Activate"]
    assert why(of(away, "B1")["Activate"]) == ["SV-ACT-7"]


def test_who_is_through_or_engaged_has_nothing_more(play, inf):
    units = [
        inf("A1", 10, 10, state={"activated": True}),
        inf("A2", 10, 20, state={"engaged": True}),
        inf("B1", 40, 10),
    ]
    game = play(units)
    assert list(of(game, "A1")) == list(of(game, "A2")) == ["Activate"]
    assert why(of(game, "A1")["Activate"]) == ["SV-ACT-5"]
    assert why(of(game, "A2")["Activate"]) == ["SV-ACT-9"]


@pytest.mark.parametrize(
    ("phase", "steps"),
    [
        ("roll_off", {"Roll off": []}),
        ("strategic", {"Pass": [], "Next turn": ["SV-ACT-7"]}),
        ("flights", {"Next turn": ["SV-FLEE-1"]}),
        ("done", {"Next turn": []}),
    ],
)
def test_steps_of_each_phase(play, inf, phase, steps):
    units = [inf("A1", 10, 10, state={"fleeing": True}), inf("B1", 40, 10)]
    game = play(units, turn={"phase": phase})
    found = of(game, None)
    assert {label: why(control) for label, control in found.items()} == steps
    assert {control.group for control in found.values()} == {"step"}


def test_nobody_passes_in_the_middle_of_an_activation(play, inf):
    game = play([inf("A1", 10, 10), inf("B1", 40, 10)])
    game.do("activate", "A1")
    assert why(of(game, None)["Pass"]) == ["SV-ACT-1"]


def test_an_unknown_id_is_an_error(play, inf):
    with pytest.raises(UnknownIdError):
        of(play([inf("A1", 10, 10), inf("B1", 40, 10)]), "nobody")


def test_random_play_is_reached_by_controls(budget: Callable[[int, int], int]) -> None:
    reached = play_with_controls(
        scenes_of("sovl").values(), budget(1, 5), budget(90, 900), budget(3, 1)
    )
    kinds = {"activate", "advance", "pivot", "shoot", "end_activation", "pass", "next_turn"}
    assert kinds <= set(reached)


def test_controls_come_at_once() -> None:
    """In 5 ms for a unit on the largest example, at a microsecond for each call that it takes."""
    battle = tl.load(scenes_of("sovl")["sovl-salt-pans"])
    body = str(battle.state.progress["unit"])
    assert calls(lambda: list(SYSTEM.controls(battle.state, body))) < 5_000
