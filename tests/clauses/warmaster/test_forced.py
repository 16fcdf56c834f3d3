"""WM-DB, WM-RET, WM-FB, WM-TER, WM-OFF, WM-CMD-7: moves that units are forced to make."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import pytest

from clauses.warmaster.tabling import OVER, U0, UNDER, Doc, Game, box, character, line, slides, unit
from tapeline.analysis.odds import odds
from tapeline.engine.codec import parse_action
from tapeline.rules.warmaster import SYSTEM

LAKE = box("lake", 40, 80, 20, 36)
SHOOTER = unit("E", [(60, 60, 270)])
ROW = line(20, 10)


def shot(game: Game, *dice: tuple[int, ...], hits: int = 2):  # type: ignore[no-untyped-def]
    return game.do("drive_back", *dice, actor="U", hits=hits, shooter="E-1")


def other(*parts: Doc, terrain: tuple[Doc, ...] = (), active: str = "blue", **more: str) -> Game:
    return Game(parts, terrain, phase="other", active=active, **more)


@pytest.mark.parametrize("hits", [1, 2, 3])
def test_wm_db_1_a_die_for_each_hit(hits: int) -> None:
    game = other(unit("U", U0), SHOOTER)
    faces = tuple(range(1, hits + 1))
    verdict = shot(game, faces, hits=hits)
    assert verdict.value("moved") == sum(faces)
    assert game.state.bodies["U-2"].y == pytest.approx(40 - sum(faces))


@pytest.mark.parametrize(("total", "gone"), [(20, False), (21, True)])
def test_wm_db_1_more_than_a_full_pace_is_a_rout(total: int, gone: bool) -> None:
    game = other(unit("U", U0), SHOOTER)
    faces = (5, 5, 5, total - 15) if total < 21 else (5, 5, 5, 6)
    shot(game, faces, hits=4)
    assert ("U-1" in game.state.gone) == gone


def test_wm_db_1_away_along_the_nearest_points() -> None:
    one = [(60.0, 60.0, 90.0)]
    game = other(unit("U", one), unit("E", [(69, 67, 270)]))
    # From (67,66) to (62,61): along (-1,-1).
    shot(game, (4, 3))
    body = game.state.bodies["U-1"]
    assert (body.x, body.y) == pytest.approx((60 - 7 / math.sqrt(2), 60 - 7 / math.sqrt(2)))


@pytest.mark.parametrize(("x", "y"), [(68, 40), (68.5, 40), (69, 41.3), (56, 42), (60, 42.5)])
def test_wm_conf_2_a_friend_beside_does_not_halt_it(x: float, y: float) -> None:
    """Stands that the unit slides past, or away from, are no nearer for it."""
    game = other(unit("U", U0), unit("V", line(x, y)), SHOOTER)
    assert shot(game, (2, 3)).value("moved") == pytest.approx(5)
    assert game.mark("U", "confused") is None


@pytest.mark.parametrize(("gap", "moved"), [(0.0, 0.0), (0.4, 0.0), (1.0, 0.0), (3.0, 2.0)])
def test_wm_conf_2_a_friend_behind_halts_it_1_cm_off(gap: float, moved: float) -> None:
    game = other(unit("U", U0), unit("V", line(56, 38 - gap)), SHOOTER)
    assert shot(game, (2, 3)).value("moved") == pytest.approx(moved, abs=1e-6)
    assert game.mark("U", "confused") is True


def test_wm_ter_14_a_column_is_driven_back_along_a_road() -> None:
    poses = [(60.0, 60.0, 90.0), (60.0, 56.0, 90.0)]
    ground = (box("wood", 50, 70, 30, 65), box("road", 59, 61, 20, 80))
    game = other(unit("U", poses, "Knights"), unit("E", [(60, 75, 270)]), terrain=ground)
    assert shot(game, (5, 5)).value("moved") == 10


@pytest.mark.parametrize(
    ("where", "end"),
    [((60, 33.5), (60, 31.75)), ((60, 36.5), (60, 36.5)), ((66.5, 34), (67.25, 34))],
)
def test_wm_char_10_characters_make_way_for_units_driven_back(
    where: tuple[float, float], end: tuple[float, float]
) -> None:
    """To y 33 to 35: a character of the same side that is in the way is shifted."""
    game = other(unit("U", U0), SHOOTER, character("H", *where))
    shot(game, (2, 4))
    assert game.state.bodies["H"].centre == pytest.approx(end)


def test_wm_char_10_characters_make_way_in_a_retreat_and_a_blunder() -> None:
    game = other(unit("U", U0), character("H", 60, 33.5), active="red")
    game.do("retreat", actor="U", points=6, direction=270)
    assert game.state.bodies["H"].centre == pytest.approx((60, 31.75))
    parts = [unit("U", U0), unit("E", [(60, 55, 270)]), character("H", 60, 25)]
    game = Game([*parts, character("K", 60, 32.5)])
    game.do("order", (6, 6), (2,), actor="H", units=["U"])
    assert game.state.bodies["K"].centre == pytest.approx((60, 33 - 1 - 1.25), abs=1e-4)


def test_wm_char_10_enemies_passed_over_are_caught() -> None:
    """Blue is driven back over a lone red character, and beyond it."""
    game = other(unit("E", U0), unit("U", [(60, 60, 270)]), character("H", 60, 36), active="red")
    game.do("drive_back", (5, 5), actor="E", hits=2, shooter="U-1")
    assert game.state.bodies["E-1"].y == pytest.approx(30)
    assert game.state.bodies["H"].marks.get("joined") == "U"


def test_wm_char_3_nobody_is_pushed_off_the_table() -> None:
    """Behind a unit that is driven back to the edge a character has no room."""
    poses = line(20, 10)
    game = other(unit("U", poses), unit("E", [(24, 30, 270)]), character("H", 24, 7.75, joined="U"))
    shot(game, (4, 4))
    x, y = game.state.bodies["H"].centre
    assert y >= 1.25 - 1e-6
    assert max(abs(x - 24) - 6, abs(y - 2) - 1) >= 1.25 - 1e-6


def test_wm_off_3_a_stand_that_is_stopped_does_not_leave() -> None:
    """Three in echelon: the lowest would leave but for a lake before the edge; it is lost, the
    others stay."""
    poses = [(10.0, 6.0, 90.0), (14.0, 8.0, 90.0), (18.0, 10.0, 90.0)]
    for lake, kept in ((box("lake", 4, 11.9, 0.5, 3), {"U-2", "U-3"}), (None, set())):
        game = other(unit("U", poses), terrain=(lake,) if lake else (), active="red")
        game.do("retreat", actor="U", points=6, direction=270)
        assert {name for name in game.state.bodies if name.startswith("U")} == kept


def test_wm_ret_1_no_points_below_none() -> None:
    game = other(unit("U", U0), active="red")
    verdict = game.do("retreat", actor="U", points=-5, direction=270)
    assert {finding.clause for finding in verdict.findings} == {"WM-RET-1"}
    assert game.state.bodies["U-1"].y == 40


@pytest.mark.parametrize("target", ["D", "E"])
def test_wm_adv_1_of_two_equally_close_the_player_chooses(target: str) -> None:
    parts = [unit("U", U0), unit("D", [(52, 52, 270)]), unit("E", [(68, 52, 270)])]
    assert other(*parts, active="red").do("advance", actor="U", target=target).legal


@pytest.mark.parametrize("lake", [True, False])
def test_wm_adv_1_the_closest_that_can_be_reached(lake: bool) -> None:
    parts = [unit("U", [(50, 40, 90)]), unit("D", [(44, 46, 270)]), unit("E", [(56, 50, 270)])]
    terrain = (box("lake", 0, 47.9, 42, 44),) if lake else ()
    game = other(*parts, terrain=terrain, active="red")
    verdict = game.do("advance", actor="U", target="E")
    assert {finding.clause for finding in verdict.findings} == (set() if lake else {"WM-ADV-1"})


def test_wm_fb_1_a_fall_back_is_no_charge() -> None:
    game = other(unit("U", U0), unit("E", [(60, 50, 270)]), active="red")
    game.do("fall_back", (3, 3, 3), actor="U")
    refused = game.do("charge", actor="U", target="E")
    assert {finding.clause for finding in refused.findings} == {"WM-MOVE-1"}


def test_wm_pace_10_irregular_units_fall_back_by_the_dice() -> None:
    poses = [(56.0, 40.0, 90.0), (60.0, 40.5, 90.0), (64.0, 40.0, 90.0)]
    for far, clauses in ((15, set()), (15 + OVER, {"WM-FB-1", "WM-STAND-6"})):
        game = other(unit("U", poses), active="red")
        game.do("fall_back", (5, 5, 5), actor="U")
        verdict = game.move(*slides("U", poses, 0, -far))
        assert {finding.clause for finding in verdict.findings} == clauses
        assert "WM-PACE-9" not in verdict.cites


@pytest.mark.parametrize("face", range(1, 7))
def test_wm_ter_10_confused_on_a_six_at_the_edge(face: int) -> None:
    game = other(unit("U", U0), SHOOTER, terrain=(LAKE,))
    verdict = shot(game, (5, 4), (face,))
    assert {"WM-TER-9", "WM-TER-10"} <= set(verdict.cites)
    assert game.state.bodies["U-1"].y == pytest.approx(37)
    assert (game.mark("U", "confused") is True) == (face == 6)


def test_wm_ter_9_infantry_goes_on_into_a_wood() -> None:
    game = other(unit("U", U0), SHOOTER, terrain=(box("wood", 40, 80, 20, 36),))
    assert shot(game, (5, 4)).value("moved") == 9


@pytest.mark.parametrize(("points", "lost"), [(2, 0), (3, 0), (4, 1)])
def test_wm_ter_11_stands_that_would_enter_are_destroyed(points: int, lost: int) -> None:
    lake = box("lake", 50, 57, 20, 36)
    game = other(unit("U", U0), terrain=(lake,), active="red")
    game.do("retreat", actor="U", points=points, direction=270)
    assert (game.mark("U", "lost") or 0) == lost
    assert ("U-1" in game.state.gone) == bool(lost)
    assert game.state.bodies["U-3"].y == pytest.approx(40 - points)


@pytest.mark.parametrize(("gap", "confused"), [(1, False), (1 - UNDER, False), (1 - OVER, True)])
def test_wm_fb_1_within_1_cm_of_the_enemy(gap: float, confused: bool) -> None:
    game = other(unit("U", U0), unit("E", [(60, 42, 270)]), active="red")
    game.do("fall_back", (1, 1, 2), actor="U")
    assert game.move(*slides("U", U0, 0, -gap)).legal
    assert (game.mark("U", "confused") is True) == confused


@pytest.mark.parametrize(("y", "off"), [(13, False), (13 - UNDER, False), (13 - OVER, True)])
def test_wm_off_2_over_the_edge(y: float, off: bool) -> None:
    """Driven back 12: the rear edges come to 0 from 13, beyond it from less."""
    poses = line(20, y)
    game = other(unit("U", poses), unit("E", [(24, y + 7, 270)]))
    verdict = shot(game, (5, 4, 3), *([(5,)] if off else []), hits=3)
    assert ("WM-OFF-4" in verdict.cites) == off


@pytest.mark.parametrize(("lost", "face"), list(itertools.product(range(3), range(1, 7))))
def test_wm_off_4_8_by_the_chart(lost: int, face: int) -> None:
    poses = ROW[: 3 - lost] if lost < 2 else ROW[1:2]
    game = other(unit("U", poses, lost=lost), unit("E", [(24, 17, 270)]))
    shot(game, (5, 4, 3), (face,), hits=3)
    result = face - lost
    assert ("U-1" in game.state.bodies) == (result >= 3)
    assert (game.mark("U", "off") is True) == (1 <= result <= 2)
    assert (game.mark("U", "no_move") is True) == (3 <= result <= 4)


def step(game: Game, *dice: tuple[int, ...]):  # type: ignore[no-untyped-def]
    return game.do("end_step", *dice)


def test_wm_off_7_no_move_ends_with_the_turn() -> None:
    """Back at once in the enemy's turn, the unit acts in its own."""
    game = other(unit("U", ROW), unit("E", [(24, 17, 270)]))
    shot(game, (5, 4, 3), (3,), hits=3)
    assert game.mark("U", "no_move") is True
    step(game)
    assert game.state.turn.active == "red"
    assert game.mark("U", "no_move") is None


def test_wm_off_6_8_rolls_once_a_turn_of_its_side() -> None:
    game = other(unit("U", ROW), unit("E", [(24, 17, 270)]))
    shot(game, (5, 4, 3), (1,), hits=3)
    step(game, (2,))
    for _ in range(5):
        step(game)
    assert (game.state.turn.active, game.state.turn.phase) == ("red", "other")
    # The enemy's turn begins without a roll.
    for _ in range(6):
        step(game)
    assert (game.state.turn.active, game.state.turn.phase) == ("blue", "other")
    step(game, (4,))
    assert game.mark("U", "no_move") is True
    assert [game.state.bodies[f"U-{k}"].centre for k in (1, 2, 3)] == [(20, 1), (24, 1), (28, 1)]


def test_wm_off_9_lost_stands_do_not_come_back() -> None:
    lake = box("lake", 17, 21, 0, 4)
    game = other(unit("U", line(20, 6)), unit("E", [(28, 17, 270)]), terrain=(lake,), active="red")
    game.do("retreat", actor="U", points=2, direction=270)
    assert "U-1" in game.state.gone
    # The drive back that takes the rest off the table.
    shot(game, (5,), (2,), hits=1)
    assert game.mark("U", "off") is True
    for _ in range(6):
        step(game)
    step(game)
    while game.state.turn.active != "blue" or game.state.turn.phase != "other":
        step(game)
    step(game, (6,))
    assert "U-1" in game.state.gone
    assert {"U-2", "U-3"} <= set(game.state.bodies)


def test_wm_off_9_where_it_left_is_taken_on_one_side() -> None:
    """The least shift along the edge that clears friends and enemies."""
    parts = [
        unit("U", line(20, 10)),
        unit("E", [(24, 17, 270)]),
        unit("V", [(15, 1, 90)]),
        unit("F", [(33, 1, 90)]),
    ]
    game = other(*parts)
    shot(game, (5, 4, 3), (2,), hits=3)
    # V comes to stand where the left end was. To the right of V there is no room before F:
    # left of V by 14.5, right of F by 17.
    game.state = _shifted(game.state, "V-1", 2.5)
    step(game, (5,))
    assert [game.state.bodies[f"U-{k}"].x for k in (1, 2, 3)] == pytest.approx([5.5, 9.5, 13.5])


def _shifted(state, name: str, dx: float):  # type: ignore[no-untyped-def]
    body = state.bodies[name]
    return replace(state, bodies={**state.bodies, name: body.at(body.x + dx, body.y)})


@pytest.mark.parametrize(
    ("kind", "more", "clause"),
    [
        ("evade", {"target": "E"}, "WM-INIT-14"),
        ("initiative_charge", {"target": "E"}, "WM-INIT-14"),
        ("charge", {"target": "E"}, "WM-MOVE-1"),
        ("move", {}, "WM-MOVE-1"),
        ("block", {"to": [30, 30]}, "WM-MOVE-1"),
        ("wheel", {"by": 30}, "WM-MOVE-1"),
        ("about_face", {}, "WM-MOVE-1"),
        ("form_line", {}, "WM-MOVE-1"),
        ("form_column", {}, "WM-MOVE-1"),
    ],
)
def test_wm_off_6_nothing_is_done_by_who_is_off(kind: str, more: Doc, clause: str) -> None:
    game = other(unit("U", ROW), unit("E", [(24, 17, 270)]), unit("W", line(80, 80)))
    shot(game, (5, 4, 3), (1,), hits=3)
    step(game, (1,))
    assert game.mark("U", "off") is True
    assert clause in {finding.clause for finding in game.do(kind, actor="U", **more).findings}
    moved = game.do("brigade", units=["W", "U"], to=[80, 70])
    assert "WM-MOVE-1" in {finding.clause for finding in moved.findings}


def test_wm_off_9_characters_make_way_for_those_who_come_back() -> None:
    game = other(unit("U", ROW), unit("E", [(24, 17, 270)]), character("H", 60, 60))
    shot(game, (5, 4, 3), (1,), hits=3)
    stander = game.state.bodies["H"].at(24.0, 2.0)
    game.state = replace(game.state, bodies={**game.state.bodies, "H": stander})
    step(game, (5,))
    assert game.state.bodies["U-2"].centre == pytest.approx((24, 1))
    assert game.state.bodies["H"].centre == pytest.approx((24, 3.25))


def test_wm_off_9_nobody_comes_back_into_a_lake() -> None:
    """Where it left is taken, and on one side a lake is at the edge."""
    lake = box("lake", 26.5, 60, 0, 10)
    game = other(unit("U", line(14, 10)), unit("E", [(18, 17, 270)]), terrain=(lake,))
    shot(game, (5, 4, 3), (1,), hits=3)
    assert game.mark("U", "off") is True
    blocker = game.state.bodies["E-1"].at(16.0, 1.0)
    game.state = replace(game.state, bodies={**game.state.bodies, "E-1": blocker})
    step(game, (5,))
    # 6 to the right is nearer, 10 to the left is dry.
    assert [game.state.bodies[f"U-{k}"].x for k in (1, 2, 3)] == pytest.approx([4, 8, 12])


@pytest.mark.parametrize(("face", "over"), [(2, True), (3, False)])
def test_wm_off_12_the_general(face: int, over: bool) -> None:
    general = character("G", 24, 12.25, "Empire General", joined="U")
    game = other(unit("U", ROW), unit("E", [(24, 17, 270)]), general)
    shot(game, (5, 4, 3), (face,), hits=3)
    assert (game.state.progress.get("over") == "red") == over


@pytest.mark.parametrize("face", range(1, 7))
def test_wm_cmd_7_every_face(face: int) -> None:
    parts = [unit("U", U0), unit("E", [(60, 55, 270)]), character("H", 60, 25)]
    game = Game(parts)
    verdict = game.do("order", (6, 6), (face,), actor="H", units=["U"])
    assert "WM-CMD-7" in verdict.cites
    y = game.state.bodies["U-2"].y
    hero = game.state.bodies["H"]
    assert (hero.marks.get("command") == -1) == (face == 1)
    # 13 apart: 7 more, and a hair, to be farther than 20.
    assert y == pytest.approx(33 if face in (2, 3) else 40, abs=1e-4)
    if face in (2, 3):
        assert y < 33
    assert game.mark("U", "may_move") == ("rush" if face == 6 else None)


def test_wm_cmd_7_away_from_the_nearest_stops_clear_of_all() -> None:
    parts = [unit("U", U0), unit("E", [(60, 50, 270)]), unit("F", [(60, 10, 90)])]
    game = Game([*parts, character("H", 90, 40)])
    game.do("order", (6, 6), (2,), actor="H", units=["U"])
    # F stands in the way: 39 - 11 - 1 = 27 at most; away from E 20 needs 12 more, from F never.
    assert game.state.bodies["U-2"].y == pytest.approx(13, abs=1e-6)


def chances(game: Game, kind: str, **more: object) -> dict[str, Fraction | None]:
    action = parse_action(SYSTEM, {"kind": kind, **more})
    return {one.label: one.exact for one in odds(SYSTEM, game.state, action).outcomes}


@pytest.mark.parametrize(("hits", "confused"), [(1, 1), (2, 11), (3, 91)])
def test_wm_conf_2_odds_count_a_six_among_the_dice_whatever_they_sum_to(
    hits: int, confused: int
) -> None:
    """One of one, two, three dice shows a 6 in 1/6, 11/36, 91/216."""
    game = other(unit("U", U0), SHOOTER)
    found = chances(game, "drive_back", actor="U", hits=hits, shooter="E-1")
    chance = Fraction(confused, 6**hits)
    assert found == {"confused": chance, "done": 1 - chance}


def test_wm_ter_10_odds_of_a_halt_at_water() -> None:
    """The lake 3 behind: a 6 among two dice, 11/36; else, more than 3 without one in 22 ways of 36,
    a 6 on the die after, 22/216."""
    game = other(unit("U", U0), SHOOTER, terrain=(LAKE,))
    found = chances(game, "drive_back", actor="U", hits=2, shooter="E-1")
    assert found["confused"] == Fraction(66 + 22, 216)


def test_wm_cmd_7_odds_tell_a_blunder_from_a_failure() -> None:
    game = Game([unit("U", U0), character("H", 60, 30)])
    found = chances(game, "order", actor="H", units=["U"])
    assert found == {
        "ordered": Fraction(26, 36),
        "failed": Fraction(9, 36),
        "blundered": Fraction(1, 36),
    }
