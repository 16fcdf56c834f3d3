"""WM-OFF-9, WM-EVADE-11, WM-CHG-3, WM-FLY-2: places that are exactly as wide as who goes there."""

from __future__ import annotations

import pytest

from clauses.warmaster.tabling import OVER, UNDER, Game, Pose, character, ids, scene, unit
from clauses.warmaster.test_flush import ANGLES, Turned
from tapeline.engine.setup import state_from_scene
from tapeline.rules.warmaster import SYSTEM
from tapeline.table.scene import parse_scene

#: How much a place is too wide or too narrow, and whether it is wide enough.
FITS = [(1e-3, True), (UNDER, True), (0.0, True), (-1e-9, True), (-4e-7, True), (-5e-6, False)]


def gone(x: float, y: float, facing: float) -> list[Pose]:
    """Three stands that left at the left or the lower edge."""
    return [(x, y + 4 * k, facing) if facing == 180 else (x + 4 * k, y, facing) for k in range(3)]


@pytest.mark.parametrize(("more", "fits"), FITS)
@pytest.mark.parametrize("facing", [180.0, 270.0])
def test_wm_off_9_back_between_two_friends(facing: float, more: float, fits: bool) -> None:
    """It left from 48 to 60; a friend stands from 59.2 on and one up to 47.2: back by 0.8."""
    upright = facing == 180
    spots = [(1.0, 61.2), (1.0, 45.2 - more)] if upright else [(61.2, 1.0), (45.2 - more, 1.0)]
    friends = [unit(f"W{k}", [(*spot, facing)]) for k, spot in enumerate(spots)]
    out = unit("U", gone(1, 50, facing) if upright else gone(50, 1, facing), off=True)
    document = scene([out, *friends], phase="other", active="blue")
    for model in document["models"]:
        if model["id"].startswith("U"):
            model["state"] = {"gone": "left the table"}
    game = Game(friends)
    game.state = state_from_scene(parse_scene(document), SYSTEM)
    assert game.do("end_step", (5,)).legal
    at = [game.state.bodies[f"U-{k}"] for k in (1, 2, 3)]
    places = [body.y if upright else body.x for body in at]
    if fits:
        assert places == pytest.approx([49.2, 53.2, 57.2], abs=1e-6)
    else:
        # Beyond the friend below, whose lower end is at 43.2: 16.8 down; above, 15.2 up.
        assert places == pytest.approx([65.2, 69.2, 73.2], abs=1e-5)


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize(("more", "fits"), FITS)
@pytest.mark.parametrize("count", [1, 3])
def test_wm_evade_11_room_for_exactly_1_cm(
    count: int, more: float, fits: bool, angle: float
) -> None:
    """The enemy is 4 cm ahead of the front, a lake 1 cm behind the rear."""
    t = Turned(angle)
    poses = [t.pose(4.0 * k, 0) for k in range(count)]
    parts = [unit("U", poses), unit("E", [t.pose(0, 6, 270)])]
    game = Game(parts, [t.box("lake", -40, 40, -12, -2 - more)], phase="initiative")
    verdict = game.do("evade", actor="U", target="E")
    assert ids(verdict) == (set() if fits else {"WM-EVADE-11"})
    if fits:
        body = game.state.bodies["U-1"]
        assert [body.x, body.y] == pytest.approx(t.at(0, -1), abs=1.1e-3)


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize(("more", "fits"), FITS)
def test_wm_chg_3_a_place_between_two_lakes(more: float, fits: bool, angle: float) -> None:
    t = Turned(angle)
    ground = [t.box("lake", -20, -0.9, 5, 14.5), t.box("lake", 3.1 + more, 20, 5, 14.5)]
    ground[1]["id"] = "pond"
    parts = [unit("U", [t.pose(0, 0)]), unit("E", [t.pose(1.1, 16, 270)])]
    game = Game(parts, ground, phase="initiative")
    verdict = game.do("initiative_charge", actor="U", target="E")
    assert verdict.legal == fits
    if fits:
        body = game.state.bodies["U-1"]
        assert [body.x, body.y] == pytest.approx(t.at(1.1, 14), abs=1.1e-3)


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("over", [0.0, UNDER, OVER])
def test_wm_chg_3_straight_ahead_at_the_full_pace(over: float, angle: float) -> None:
    t = Turned(angle)
    parts = [unit("U", [t.pose(0, 0)]), unit("E", [t.pose(0, 22 + over, 270)])]
    parts[0]["state"]["may_move"] = "order"
    game = Game(parts)
    assert game.do("charge", actor="U", target="E").legal == (over < 1e-6)


@pytest.mark.parametrize(("more", "fits"), FITS)
def test_wm_fly_2_home_to_a_place_between_two_friends(more: float, fits: bool) -> None:
    """Eagles fly to the right and come to where two friends stand 4 cm apart, or do not fit."""
    parts = [
        unit("U", [(20, 60, 0)], "Giant Eagles"),
        unit("V", [(55 - more, 60, 90)]),
        unit("W", [(63, 60, 90)]),
        character("H", 100, 60),
    ]
    game = Game(parts, phase="initiative")
    game.do("home_back", (4,), actor="U", character="H", most=39.0)
    x = game.state.bodies["U-1"].x
    assert x == pytest.approx(59 if fits else 51, abs=1.1e-3)
