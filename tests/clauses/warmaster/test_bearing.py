"""Why a move is legal: what a verdict cites; and what a refusal of a planned move says."""

from __future__ import annotations

import cmath
import math
from typing import Any

import pytest

from clauses.warmaster.tabling import (
    OVER,
    U0,
    UNDER,
    Game,
    box,
    character,
    ids,
    line,
    slides,
    to,
    unit,
    way,
)

ORDERED: dict[str, Any] = {"may_move": "order"}


def cites(game: Game, kind: str, *dice: list[int], **more: Any) -> set[str]:
    verdict = game.do(kind, *dice, **more)
    assert verdict.legal, [finding.text for finding in verdict.findings]
    return set(verdict.cites)


def test_wm_stand_6_bears_on_every_move_and_wm_stand_7_on_none_in_the_open() -> None:
    game = Game([unit("U", U0, **ORDERED), unit("E", [(150, 100, 270)])])
    found = cites(game, "move", actor="U", stands=slides("U", U0, 0, 20))
    assert {"WM-MOVE-1", "WM-STAND-1", "WM-STAND-2", "WM-STAND-6", "WM-FORM-1"} <= found
    assert found.isdisjoint({"WM-STAND-7", "WM-STAND-13", "WM-GAP-2", "WM-PACE-3"})


@pytest.mark.parametrize(("gap", "bears"), [(6.0, True), (15.0, False)])
def test_wm_stand_13_bears_where_the_enemy_could_have_been_touched(gap: float, bears: bool) -> None:
    game = Game([unit("U", U0, **ORDERED), unit("E", [(60, 42 + gap, 270)])])
    found = cites(game, "move", actor="U", stands=slides("U", U0, 0, -5))
    assert ("WM-STAND-13" in found) is bears
    assert ("WM-STAND-7" in found) is bears


def test_wm_pace_3_bears_on_less_than_the_allowance() -> None:
    game = Game([unit("U", U0, **ORDERED)])
    assert "WM-PACE-3" in cites(game, "move", actor="U", stands=slides("U", U0, 0, 19.9))


def test_wm_stand_9_bears_between_stands_of_the_unit() -> None:
    game = Game([unit("U", U0, **ORDERED)])
    assert "WM-STAND-9" in cites(game, "move", actor="U", stands=slides("U", U0, 0, 3))


@pytest.mark.parametrize(("at", "bears"), [(52.5, True), (70.0, False)])
def test_wm_gap_2_bears_beside_an_enemy(at: float, bears: bool) -> None:
    parts = [unit("U", [(60, 40, 90)], **ORDERED), unit("E", [(56, 50, 270)]), unit("V", [])]
    parts[2] = unit("V", [(at + 13, 50, 90)])
    game = Game(parts)
    found = cites(game, "move", actor="U", stands=[way("U-1", to(60, 46))])
    assert ("WM-GAP-2" in found) is bears


def test_wm_ter_2_bears_before_a_wood_and_wm_ter_14_in_fields() -> None:
    wood, fields = box("wood", 50, 58, 50, 60), box("fields", 58, 70, 44, 50)
    game = Game([unit("U", [(60, 40, 90)], "Cavalry", **ORDERED)], [wood, fields])
    found = cites(game, "move", actor="U", stands=[way("U-1", to(60, 50))])
    assert {"WM-TER-2", "WM-TER-14", "WM-STAND-4"} <= found


def test_wm_stand_12_bears_near_the_edge() -> None:
    game = Game([unit("U", [(60, 5, 90)], **ORDERED)])
    assert "WM-STAND-12" in cites(game, "move", actor="U", stands=[way("U-1", to(60, 1.2))])


def test_wm_cmd_6_bears_on_orders_of_a_hero_not_of_a_general() -> None:
    for profile, bears in (("Empire Hero", True), ("Empire General", False)):
        game = Game([unit("U", U0), character("K", 50, 36, profile)])
        found = cites(game, "order", [1, 2], actor="K", units=["U"])
        assert {"WM-CMD-1", "WM-CMD-2", "WM-CMD-3", "WM-CMD-4"} <= found
        assert ("WM-CMD-6" in found) is bears


def test_wm_init_1_bears_on_an_evade_with_all_that_it_keeps_to() -> None:
    game = Game([unit("U", line(56, 60)), unit("E", [(60, 70, 270)])], phase="initiative")
    found = cites(game, "evade", actor="U", target="E")
    assert {f"WM-EVADE-{k}" for k in (1, 2, 3, 5, 6, 8, 10)} <= found
    assert {"WM-INIT-1", "WM-INIT-2", "WM-INIT-3", "WM-INIT-5"} <= found
    assert "WM-EVADE-12" not in found


def test_wm_init_10_bears_on_an_evade_of_artillery() -> None:
    guns = unit("U", [(60, 60, 90)], "Cannon")
    game = Game([guns, unit("E", [(60, 72, 270)])], phase="initiative")
    assert "WM-INIT-10" in cites(game, "evade", actor="U", target="E")


def test_wm_vis_6_bears_on_a_charge_of_all_round_troops() -> None:
    game = Game(
        [unit("U", [(60, 40, 90)], "Pistoliers", **ORDERED), unit("E", [(60, 60, 270)])],
    )
    found = cites(game, "charge", actor="U", target="E")
    assert {"WM-VIS-6", "WM-CHG-1", "WM-CHG-2", "WM-CHG-3", "WM-CHG-4", "WM-MOVE-1"} <= found


def test_wm_char_8_bears_where_a_character_passes_its_own() -> None:
    for x, bears in ((60.0, True), (120.0, False)):
        game = Game([unit("U", U0), character("K", x, 30)], phase="characters")
        found = cites(game, "move_character", actor="K", path=[to(x, 60)])
        assert {"WM-CHAR-1", "WM-CHAR-4"} <= found
        assert ("WM-CHAR-8" in found) is bears


@pytest.mark.parametrize(
    ("left", "bears"), [(53.75, True), (54.5, True), (90.0, True), (125, False)]
)
def test_wm_char_6_bears_where_a_piece_was_in_reach(left: float, bears: bool) -> None:
    """A Hero in a chariot goes 60 up past a wood: touching it, beside it, or out of reach of it."""
    hero = character("H", 52.5, 20, {"like": "Orc Hero", "mount": "chariot"})  # type: ignore[arg-type]
    game = Game([hero], [box("wood", left, left + 10, 40, 50)], phase="characters")
    found = cites(game, "move_character", actor="H", path=[to(52.5, 80)])
    assert ("WM-CHAR-6" in found) is bears


@pytest.mark.parametrize("angle", [0.0, 30.0, 45.0])
def test_what_bears_does_not_hang_on_how_the_table_lies(angle: float) -> None:
    """V stands 12 cm beside the way, which is 8; it and the Hero are beside the lines of sight."""

    def turned(x: float, y: float, facing: float = 90.0) -> tuple[float, float, float]:
        at = complex(x - 60, y - 40) * cmath.rect(1.0, math.radians(angle))
        return 60 + at.real, 40 + at.imag, facing + angle

    parts = [
        unit("U", [turned(60, 40)], **ORDERED),
        unit("V", [turned(74, 40)]),
        unit("E", [turned(60, 62, 270)]),
        character("K", *turned(66, 48)[:2]),
    ]
    moved = cites(Game(parts), "move", actor="U", stands=[way("U-1", to(*turned(60, 48)[:2]))])
    assert moved.isdisjoint({"WM-STAND-7", "WM-STAND-4", "WM-STAND-13"})
    charged = cites(Game(parts), "charge", actor="U", target="E")
    assert "WM-VIS-1" in charged
    assert charged.isdisjoint({"WM-VIS-2", "WM-VIS-4", "WM-CHAR-9"})


def test_wm_fly_4_and_no_clause_of_the_ground_bears_on_what_flies() -> None:
    lake, hero = box("lake", 50, 70, 45, 50), character("K", 60, 43.5)
    parts = [unit("U", [(60, 40, 90)], "Giant Eagles", **ORDERED), unit("E", line(56, 61, 3, 270))]
    found = cites(Game([*parts, hero], [lake]), "charge", actor="U", target="E")
    assert {"WM-FLY-3", "WM-FLY-4"} <= found
    assert found.isdisjoint({"WM-TER-2", "WM-TER-14", "WM-GAP-2", "WM-GAP-3", "WM-STAND-11"})


def test_wm_fly_3_does_not_bear_on_flyers_at_half_pace() -> None:
    eagles, ragged = [(60.0, 40.0, 90.0)], [(60.0, 40.0, 90.0), (62.0, 41.0, 90.0)]
    failed = Game([unit("U", eagles, "Giant Eagles", may_move="half")])
    bears = cites(failed, "block", actor="U", to=[60, 45])
    irregular = Game([unit("U", ragged, "Giant Eagles", **ORDERED), unit("E", [(62, 52, 270)])])
    charged = cites(irregular, "charge", actor="U", target="E")
    assert {"WM-PACE-11", "WM-FLY-4"} <= bears
    assert {"WM-FLY-5", "WM-FLY-4"} <= charged
    assert "WM-FLY-3" not in bears | charged


def test_wm_init_13_does_not_bear_on_a_charge() -> None:
    """The enemy stands half in a wood; its front is in the open."""
    parts = [unit("U", [(60, 40, 90)], "Knights"), unit("E", [(60, 55, 270)])]
    game = Game(parts, [box("wood", 40, 80, 55, 60)], phase="initiative")
    assert "WM-INIT-13" not in cites(game, "initiative_charge", actor="U", target="E")


@pytest.mark.parametrize("join", [None, "U"])
def test_wm_char_10_tells_whom_a_character_joins_be_it_nobody(join: str | None) -> None:
    game = Game([unit("U", U0), character("K", 60, 30)], phase="characters")
    found = cites(game, "move_character", actor="K", path=[to(60, 37.75)], join=join)
    assert {"WM-CHAR-4", "WM-CHAR-10"} <= found


# What is said of plans that come to nothing


def refused(game: Game, kind: str, **more: Any) -> tuple[set[str], str]:
    verdict = game.do(kind, **more)
    assert not verdict.legal
    return ids(verdict), verdict.findings[0].text


@pytest.mark.parametrize("beyond", [-UNDER, 0.0, UNDER, OVER])
def test_wm_chg_1_says_how_far_away_before_anything_else(beyond: float) -> None:
    game = Game([unit("U", U0, **ORDERED), unit("E", [(60, 62 + beyond, 270)])])
    verdict = game.do("charge", actor="U", target="E")
    if beyond < OVER:
        assert verdict.legal
    else:
        assert ids(verdict) == {"WM-CHG-1"}
        assert verdict.findings[0].text.startswith("20.000002 cm away, pace 20: ")


def test_wm_chg_3_says_what_was_tried() -> None:
    wall = box("wall", 0, 180, 50, 51)
    gate = box("gateway", 59.5, 60.5, 50, 51)
    game = Game([unit("U", U0, **ORDERED), unit("E", [(60, 56, 270)])], [wall, gate])
    found, text = refused(game, "charge", actor="U", target="E")
    assert found == {"WM-CHG-3"}
    assert "No way was found" in text
    assert "U-2" in text


def test_wm_stand_4_says_that_no_ways_were_found() -> None:
    game = Game([unit("U", U0, **ORDERED)], [box("wall", 0, 180, 48, 49)])
    found, text = refused(game, "block", actor="U", to=[60, 55])
    assert found == {"WM-STAND-4"}
    assert "No clear ways were found for U" in text
    assert "orders of its stands" in text


def test_what_is_wrong_with_the_place_asked_for_is_said_of_the_place() -> None:
    game = Game(
        [unit("U", U0, **ORDERED), unit("V", [(60, 55, 90)])], [box("lake", 62, 70, 50, 60)]
    )
    found, text = refused(game, "block", actor="U", to=[60, 55])
    assert found == {"WM-STAND-7", "WM-STAND-12", "WM-TER-8"}
    assert "leg" not in text


@pytest.mark.parametrize("by", [110.5699, 110.5701])
def test_wm_stand_6_wheel_by_its_end(by: float) -> None:
    game = Game([unit("U", U0, **ORDERED)])
    verdict = game.do("wheel", actor="U", by=by, about="left")
    assert verdict.legal is (by < 110.57)
    assert ids(verdict) == (set() if verdict.legal else {"WM-STAND-6"})


# Charges that bring as many stands into contact as they can


@pytest.mark.parametrize("beyond", [-UNDER, 0.0, UNDER, OVER])
def test_wm_chg_4_who_can_reach_a_corner_must(beyond: float) -> None:
    """U-2 is 1 cm behind beside U-1: 20 from its place beside the target's corner."""
    parts = [
        unit("U", [(60, 40, 90), (56, 38, 90)], **ORDERED),
        unit("E", [(60, 60 + beyond, 270)]),
    ]
    game = Game(parts)
    stands = [way("U-1", to(60, 58 + beyond)), way("U-2", to(60, 56 + beyond))]
    verdict = game.move(*stands, kind="charge", target="E")
    assert ids(verdict) == ({"WM-CHG-4"} if beyond < OVER else set())
    assert game.do("charge", actor="U", target="E").legal or game.mark("U", "charged")


def test_wm_chg_4_a_recess_is_gone_into() -> None:
    """The second enemy stand is 1.5 back: who is beside the first goes on to it."""
    foes = unit("E", [(60, 60, 270), (64, 61.5, 270)])
    game = Game([unit("U", [(60, 44, 90), (64, 44, 90)], **ORDERED), foes])
    held = [way("U-1", to(60, 58)), way("U-2", to(64, 58))]
    verdict = game.move(*held, kind="charge", target="E")
    assert verdict.legal, "U-2 touches the corner of E-1 at (62, 59)"
    wide = unit("E", [(58, 60, 270), (62, 61.5, 270), (66, 61.5, 270)])
    game = Game([unit("U", [(58, 44, 90), (62, 44, 90), (66, 44, 90)], **ORDERED), wide])
    held = [way(f"U-{k}", to(54 + 4 * k, 58)) for k in (1, 2, 3)]
    assert ids(game.move(*held, kind="charge", target="E")) == {"WM-CHG-4"}
    assert game.do("charge", actor="U", target="E").legal


@pytest.mark.parametrize("die", [1, 3, 4, 6])
def test_wm_chg_2_a_plan_goes_to_the_edge_that_the_die_says(die: int) -> None:
    """U lies on the ray between two zones of E, the same on both sides of it."""
    game = Game([unit("U", [(70, 51, 135)], **ORDERED), unit("E", [(60, 60, 270)])])
    verdict = game.do("charge", [die], actor="U", target="E")
    assert verdict.legal, [finding.text for finding in verdict.findings]
    stand = game.state.body("U-1")
    ends = {(60.0, 58.0), (63.0, 60.0)}
    assert any(stand.centre == pytest.approx(end) for end in ends), stand.centre
    other = Game([unit("U", [(70, 51, 135)], **ORDERED), unit("E", [(60, 60, 270)])])
    other.do("charge", [7 - die], actor="U", target="E")
    assert other.state.body("U-1").centre != pytest.approx(stand.centre)


@pytest.mark.parametrize(("x", "bears"), [(-4.0, False), (0.0, True)])
def test_wm_init_8_bears_among_equally_close_enemies_alone(x: float, bears: bool) -> None:
    """Guns in an earthwork are left out of account, and are equal to who is as near alone."""
    guns = unit("G", [(40, 56 + x, 270)], "Cannon", fortified=True)
    parts = [unit("U", [(40, 40, 90), (44, 40, 90)]), guns, unit("E", [(45, 55, 270)])]
    found = cites(Game(parts, phase="initiative"), "initiative_charge", actor="U", target="E")
    assert ("WM-INIT-8" in found) is bears
