"""SV-FLEE: each limit just inside, on and outside."""

from __future__ import annotations

import pytest

RUNS = {"phase": "flights"}


def runner(play, inf, x, y, terrain=(), others=(), **more):
    """A fleeing INF that has to make its Flight Move."""
    size = more.pop("size", (4, 2))
    profile = more.pop("profile", "Infantry")
    models = more.pop("models", 10)
    files = min(5, models)
    state = {"fleeing": True}
    unit = inf("A1", x, y, 45, state=state, size=size, profile=profile, models=models, files=files)
    return play([unit, *others], terrain, turn=RUNS, **more)


def test_sv_flee_1_steady_units_and_other_phases_refuse(play, inf, clauses):
    game = runner(play, inf, 10, 12, others=[inf("A2", 30, 20)])
    assert clauses(game.do("flight", "A2")) == ["SV-FLEE-1"]
    assert clauses(game.do("next_turn")) == ["SV-FLEE-1"]
    game = play([inf("A1", 10, 10, state={"fleeing": True})])
    assert clauses(game.do("flight", "A1")) == ["SV-FLEE-1"]


def test_sv_flee_1_sides_in_turn_each_once(play, inf, clauses):
    others = [inf("B1", 36, 16, state={"fleeing": True}), inf("A2", 10, 24)]
    game = runner(play, inf, 10, 12, others=others)
    assert clauses(game.do("flight", "B1")) == ["SV-FLEE-1"]
    assert game.do("flight", "A1", [1, 1]).kind == "FORCED"
    assert clauses(game.do("flight", "A1")) == ["SV-FLEE-1"]
    assert game.do("flight", "B1", [1, 1]).kind == "FORCED"
    assert game.state.turn.phase == "done"


@pytest.mark.parametrize(
    ("x", "y", "edge"),
    [(10, 12, "left"), (38, 12, "right"), (20, 10, "bottom"), (20, 27, "top")],
)
def test_sv_flee_2_nearest_edge(play, inf, x, y, edge):
    assert runner(play, inf, x, y).do("flight", "A1", [1, 2]).value("edge") == edge


@pytest.mark.parametrize(("y", "tied"), [(10, True), (10 + 5e-7, True), (10.001, False)])
def test_sv_flee_2_ties_are_the_owners(play, inf, y, tied):
    verdict = runner(play, inf, 10, y).do("flight", "A1")
    assert verdict.kind == ("CHOICE" if tied else "FORCED")
    if tied:
        assert verdict.ask.by == "A"
        assert [option.value for option in verdict.ask.options] == ["left", "bottom"]


@pytest.mark.parametrize(
    ("profile", "dice"),
    [
        ("Infantry", 2),
        ("Cavalry", 4),
        ("Trolls", 3),
        ("Giant Eagle", 3),
        ("Dwarf Crossbows", 2),
        ("Imperial Knights", 4),
    ],
)
def test_sv_flee_3_dice_by_type(play, inf, profile, dice):
    verdict = runner(play, inf, 10, 12, profile=profile).do("flight", "A1")
    assert verdict.ask.count == dice


def test_sv_flee_3_no_dice_no_move(play, inf):
    game = runner(play, inf, 10, 12, profile="War Machine")
    assert game.do("flight", "A1").kind == "FORCED"
    assert (game.body("A1").x, game.body("A1").facing) == (10, 45)


@pytest.mark.parametrize(("right", "offset"), [(22, 0), (22.5, 5), (22.26, 3)])
def test_sv_flee_3_bends_no_more_than_needed(play, inf, piece, right, offset):
    # a wall whose right end reaches in to x = right; the unit is x 22..26 and runs down
    game = runner(play, inf, 24, 12, [piece("building", 10, right, 3, 6)])
    verdict = game.do("flight", "A1", [3, 4])
    assert verdict.value("offset") == offset


@pytest.mark.parametrize(("reading", "moved"), [("detour", 7), ("stop", 5)])
def test_sv_flee_3_readings(play, inf, piece, reading, moved):
    wall = [piece("building", 10, 22.5, 3, 6)]
    game = runner(play, inf, 24, 12, wall, flight__avoid=reading)
    assert game.do("flight", "A1", [3, 4]).value("moved") == moved


def test_sv_flee_3_both_ways_round_are_a_choice(play, inf, piece):
    game = runner(play, inf, 24, 10, [piece("building", 22, 26, 3, 6)])
    verdict = game.do("flight", "A1", [2, 4])
    assert [option.value for option in verdict.ask.options] == [54, -54]
    assert verdict.ask.default == 54
    assert game.do("flight", "A1", [2, 4], -54).kind == "FORCED"
    assert game.body("A1").facing == 216


def test_sv_flee_3_a_unit_that_cannot_turn_stays(play, inf):
    # flush neighbours ahead and behind bar every turn of a 4 x 2 block facing sideways
    others = [
        inf("A2", 24, 14.05, 0, size=(2, 8)),
        inf("A3", 24, 9.95, 0, size=(2, 8)),
    ]
    unit = inf("A1", 24, 12, 90, size=(8, 2), state={"fleeing": True})
    game = play([unit, *others], turn=RUNS, flight__avoid="stop")
    verdict = game.do("flight", "A1", [6, 6])
    assert verdict.kind == "FORCED"
    assert game.body("A1").x == 24


@pytest.mark.parametrize(("faces", "gone"), [([1, 2], False), ([1, 3], True), ([6, 6], True)])
def test_sv_flee_4_reaching_the_edge(play, inf, faces, gone):
    game = runner(play, inf, 20, 5)  # front at 4 from the edge
    game.do("flight", "A1", faces)
    assert ("A1" in game.state.gone) is gone


@pytest.mark.parametrize(("faces", "gone"), [([1, 1], False), ([1, 2], True)])
def test_sv_flee_4_an_edge_slid_along_is_not_reached(play, inf, faces, gone):
    # x 0..8 along the left edge, the front 2.5 from the bottom edge
    unit = inf("A1", 4, 3.5, 270, size=(8, 2), state={"fleeing": True})
    game = play([unit], turn=RUNS)
    assert game.do("flight", "A1", faces).value("edge") == "bottom"
    assert ("A1" in game.state.gone) is gone


@pytest.mark.parametrize(
    ("low", "high", "moved"),
    [
        (3, 5, 6),  # the front ends on its border
        (3, 5 + 5e-7, 6),
        (3, 5.001, 5.999),
        (7, 9, 6),  # flown over: the rear ends on its border
        (7 - 5e-7, 9, 6),
        (6.999, 9, 2),
    ],
)
def test_sv_prop_3_a_fleeing_flyer_goes_over_ground_and_ends_before_it(
    play, inf, piece, low, high, moved
):
    lake = [piece("lake", 26.9, 34, low, high)]
    game = runner(play, inf, 28, 12, lake, profile="Giant Eagle", size=(2, 2), models=1)
    verdict = game.do("flight", "A1", [1, 2, 3])
    assert verdict.kind == "FORCED"
    assert "SV-PROP-3" in verdict.cites
    assert verdict.value("moved") == pytest.approx(moved)
    assert game.body("A1").facing == 270


@pytest.mark.parametrize(("corner", "moved"), [(28.999, 0), (29, 0.42)])
def test_sv_prop_3_a_fleeing_flyer_without_a_place_to_end_stays(play, inf, piece, corner, moved):
    """Facing 270 it covers x 27..29, y 11..13: the corner of F2, or nothing of it."""
    ground = [piece("lake", 20, 36, 3, 10.58), piece("cliff", corner, 31, 12.5, 14, "F2")]
    game = runner(play, inf, 28, 12, ground, profile="Giant Eagle", size=(2, 2), models=1)
    verdict = game.do("flight", "A1", [1, 2, 3])
    assert verdict.value("moved") == pytest.approx(moved)
    assert game.body("A1").facing == (270 if moved else 45)


def test_sv_prop_3_a_fleeing_flyer_leaves_over_ground(play, inf, piece):
    wall = [piece("building", 20, 34, 0, 3)]
    game = runner(play, inf, 28, 6, wall, profile="Giant Eagle", size=(2, 2), models=1)
    verdict = game.do("flight", "A1", [1, 2, 2])
    assert "SV-FLEE-4" in verdict.cites
    assert "A1" in game.state.gone


@pytest.mark.parametrize(("avoid", "moved", "offset"), [("detour", 6, -22), ("stop", 3, 0)])
def test_sv_prop_3_units_are_no_ground(play, inf, piece, avoid, moved, offset):
    ground = [piece("cliff", 20, 36, 10, 10.5)]
    other = inf("B1", 28.5, 7, size=(2, 2), models=1, files=1)
    game = runner(
        play,
        inf,
        28,
        12,
        ground,
        [other],
        profile="Giant Eagle",
        size=(2, 2),
        models=1,
        flight__avoid=avoid,
    )
    verdict = game.do("flight", "A1", [2, 2, 2])
    assert (verdict.value("moved"), verdict.value("offset")) == (pytest.approx(moved), offset)
