"""WM-DB, WM-RET, WM-FB, WM-TER, WM-OFF, WM-CMD-7: moves that units are forced to make."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from clauses.warmaster.tabling import OVER, U0, UNDER, Doc, Game, box, character, line, slides, unit

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
