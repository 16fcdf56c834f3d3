"""WM-CMD, WM-CHAR, WM-FLY: orders and their penalties, characters, flyers."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest

from clauses.warmaster.tabling import (
    OVER,
    U0,
    UNDER,
    Doc,
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
from tapeline.errors import TapelineError, UnknownIdError


def order(game: Game, *units: str, dice: tuple[int, int] = (1, 1), actor: str = "H"):  # type: ignore[no-untyped-def]
    return game.do("order", dice, actor=actor, units=list(units or ("U",)))


def hero(gap: float, profile: str = "Empire Hero", **state: object) -> Doc:
    """A character so far to the left of the left end of U0, which is at x = 54."""
    return character("H", 54 - 1.25 - gap, 40, profile, **state)


@pytest.mark.parametrize(
    ("gap", "penalty"),
    [(0.5, 0), (20, 0), (20 + UNDER, 0), (20 + OVER, 1), (40, 1), (40 + OVER, 2), (51, 2)],
)
def test_wm_cmd_3_bands_of_20(gap: float, penalty: int) -> None:
    verdict = order(Game([unit("U", U0), hero(gap)]))
    assert verdict.value("needed") == 8 - penalty


@pytest.mark.parametrize(("gap", "penalty"), [(20, 1), (20 + UNDER, 1), (20 + OVER, 0)])
def test_wm_cmd_3_an_enemy_within_20_seen_or_not(gap: float, penalty: int) -> None:
    behind = unit("E", [(60, 38 - gap, 270)])
    assert order(Game([unit("U", U0), hero(5), behind])).value("needed") == 8 - penalty
    skeletons = unit("U", U0, "Skeletons")
    assert order(Game([skeletons, hero(5), behind])).value("needed") == 8


def test_wm_cmd_3_everything_adds_up() -> None:
    two = line(56, 40, 2)
    parts = [unit("U", two, "Peasants", lost=1), hero(25, command=-1), unit("E", [(60, 55, 270)])]
    verdict = order(Game(parts, [box("wood", 50, 55, 38, 42)]))
    # 25 away, a stand lost, an enemy near, a wood, peasants, a blunder.
    assert verdict.value("needed") == 8 - 6


@pytest.mark.parametrize(("dice", "given"), [((3, 5), True), ((4, 5), False)])
def test_wm_cmd_2_at_most_command(dice: tuple[int, int], given: bool) -> None:
    game = Game([unit("U", U0), hero(5)])
    order(game, dice=dice)
    assert game.mark("U", "may_move") == ("order" if given else "half")


def test_wm_cmd_4_three_orders_each_harder() -> None:
    game = Game([unit("U", U0), hero(5)])
    needed = [order(game).value("needed") for _ in range(3)]
    assert needed == [8, 7, 6]
    assert ids(order_refused(game)) == {"WM-CMD-4"}


def order_refused(game: Game, *units: str, actor: str = "H"):  # type: ignore[no-untyped-def]
    return game.do("order", actor=actor, units=list(units or ("U",)))


@pytest.mark.parametrize(("count", "legal"), [(4, True), (5, False)])
def test_wm_cmd_8_up_to_four_units(count: int, legal: bool) -> None:
    units = [unit(f"U{k}", [(30 + 4 * k, 40, 90)]) for k in range(count)]
    game = Game([*units, character("H", 40, 30)])
    names = [f"U{k}" for k in range(count)]
    if legal:
        assert order(game, *names).legal
        assert all(game.mark(name, "may_move") == "order" for name in names)
    else:
        assert ids(order_refused(game, *names)) == {"WM-CMD-8"}


def test_wm_cmd_8_one_that_charges_need_not_end_with_the_others() -> None:
    parts = [
        unit("U", [(56, 40, 90)]),
        unit("V", [(60, 40, 90)]),
        unit("W", [(64, 40, 90)]),
        unit("E", [(56, 57, 270)]),
        character("H", 60, 30),
    ]
    game = Game(parts)
    assert order(game, "U", "V", "W").legal
    charge = game.move(way("U-1", to(56, 55)), kind="charge", target="E")
    assert charge.legal
    assert game.move(way("V-1", to(60, 45)), actor="V").legal
    apart = game.move(way("W-1", to(65, 45)), actor="W")
    assert ids(apart) == {"WM-CMD-8"}
    assert game.move(way("W-1", to(64, 45)), actor="W").legal
    assert ids(order_refused(game, "U")) >= {"WM-CMD-8"}
    assert order(game, "V", "W").value("needed") == 8 - 1 - 1


@pytest.mark.parametrize(
    ("profile", "gap", "legal"),
    [
        ("Empire Hero", 51, True),
        ("Empire Wizard", 20, True),
        ("Empire Wizard", 20 + UNDER, True),
        ("Empire Wizard", 20 + OVER, False),
        ("Empire General", 51, True),
    ],
)
def test_wm_cmd_6_how_far_orders_reach(profile: str, gap: float, legal: bool) -> None:
    game = Game([unit("U", U0), hero(gap, profile)])
    verdict = order(game) if legal else order_refused(game)
    assert ids(verdict) == (set() if legal else {"WM-CMD-6"})


def test_wm_init_3_4_initiative_and_orders_exclude_each_other() -> None:
    parts = [unit("U", U0), unit("V", line(76, 40)), unit("E", [(60, 55, 270)]), hero(5)]
    game = Game([*parts, unit("F", [(80, 55, 270)])], phase="initiative")
    assert game.move(*slides("U", U0, 0, -5, "213"), kind="evade", target="E").legal
    assert ids(order_refused(game)) == {"WM-INIT-4"}
    assert order(game, "V").legal
    late = game.move(*slides("V", line(76, 40), 0, -5, "213"), kind="evade", actor="V", target="F")
    assert "WM-INIT-3" in ids(late)


def test_wm_cmd_8_a_brigade_is_as_it_stood_when_orders_began() -> None:
    """A unit that has moved up to another is no part of a brigade with it."""
    parts = [unit("U", U0), unit("V", line(68, 50)), character("H", 60, 35)]
    game = Game(parts)
    assert order(game).legal
    assert game.move(*slides("U", U0, 0, 10)).legal
    assert ids(order_refused(game, "U", "V")) == {"WM-CMD-8"}
    # Ordered but not moved, it may still be.
    game = Game([unit("U", U0), unit("V", line(68, 40)), character("H", 60, 35)])
    assert order(game).legal
    assert order(game, "U", "V").legal


def test_wm_cmd_7_a_charge_that_is_due_comes_before_orders() -> None:
    parts = [unit("U", U0, may_move="rush"), unit("E", [(60, 55, 270)]), unit("W", line(100, 20))]
    game = Game([*parts, character("H", 100, 30)])
    assert ids(order_refused(game, "W")) == {"WM-CMD-7"}
    assert game.do("charge", actor="U", target="E").legal
    assert order(game, "W").legal


def test_wm_cmd_7_a_brigade_that_blunders_apart_goes_on() -> None:
    parts = [unit("U", U0), unit("V", line(68, 40)), unit("E", [(60, 55, 270)])]
    game = Game([*parts, character("H", 60, 25)])
    game.do("order", (6, 6), (2,), actor="H", units=["U", "V"])
    assert game.state.bodies["U-3"].y != pytest.approx(game.state.bodies["V-1"].y, abs=0.1)
    assert game.do("end_step").legal


# Characters


@pytest.mark.parametrize(
    ("far", "legal"), [(60, True), (60 + UNDER, True), (60 + OVER, False), (0, True)]
)
def test_wm_char_4_up_to_60(far: float, legal: bool) -> None:
    game = Game([unit("U", U0), character("H", 100, 20)], phase="characters")
    verdict = game.do("move_character", actor="H", path=[{"to": [100, 20 + far]}])
    assert ids(verdict) == (set() if legal else {"WM-CHAR-4"})


@pytest.mark.parametrize(("gap", "legal"), [(0, True), (UNDER, True), (OVER, False)])
def test_wm_char_10_joining_needs_a_touch(gap: float, legal: bool) -> None:
    game = Game([unit("U", U0), character("H", 60, 20)], phase="characters")
    path = [{"to": [60, 37.75 - gap]}]
    verdict = game.do("move_character", actor="H", path=path, join="U")
    assert ids(verdict) == (set() if legal else {"WM-CHAR-10"})


def test_wm_char_10_gives_way_by_the_least_distance() -> None:
    """Held against a fine grid of places about the unit."""
    rng = Random("make way")
    across, up = np.meshgrid(_steps(50, 70), _steps(55, 68))
    for _ in range(12):
        x, y = 60 + rng.uniform(-5, 5), 60 + rng.uniform(-0.9, 0.9)
        parts = [unit("U", U0, may_move="order"), character("H", round(x, 3), round(y, 3))]
        game = Game([*parts, unit("V", [(60, 63.5, 90)])])
        start = game.state.bodies["H"].centre
        assert game.move(*slides("U", U0, 0, 20)).legal
        end = game.state.bodies["H"].centre
        stands = [(56, 60), (60, 60), (64, 60), (60, 63.5)]
        assert _gap(end, stands) >= 1.25 - 1e-6
        free = _gap((across, up), stands) >= 1.25
        least = float(np.hypot(across - start[0], up - start[1])[free].min())
        assert math.dist(start, end) <= least + 1e-6
        assert math.dist(start, end) >= least - 0.08


def _steps(low: float, high: float) -> Any:
    return low + 0.05 * np.arange(round((high - low) / 0.05) + 1)


def _gap(point: tuple[Any, Any], stands: list[tuple[int, float]]) -> Any:
    """From a point, or from many at once, to the nearest of some stands that face up the table."""
    gaps = [
        np.hypot(np.maximum(0.0, abs(point[0] - x) - 2), np.maximum(0.0, abs(point[1] - y) - 1))
        for x, y in stands
    ]
    return np.minimum.reduce(gaps)


@pytest.mark.parametrize(("gap", "slain"), [(30, False), (30 + UNDER, False), (30 + OVER, True)])
def test_wm_char_10_a_refuge_within_30(gap: float, slain: bool) -> None:
    """The red character is touched by the blue unit; its own unit is so far to the right."""
    parts = [unit("E", U0, may_move="order"), character("H", 60, 52.25)]
    game = Game([*parts, unit("U", [(60 + 1.25 + gap + 2, 52.25, 90)])], active="blue")
    assert game.move(*slides("E", U0, 0, 10), actor="E").legal
    assert ("H" in game.state.gone) == slain
    if not slain:
        assert game.state.bodies["H"].marks.get("joined") == "U"


@pytest.mark.parametrize(
    ("profile", "aside", "slain"),
    [
        ("Infantry", 0, True),
        ("Infantry", 7.25, True),
        ("Infantry", 7.25 + UNDER, True),
        ("Infantry", 7.25 + OVER, False),
        ("Giant Eagles", 0, False),
    ],
)
def test_wm_char_10_touched_on_the_way(profile: str, aside: float, slain: bool) -> None:
    """Blue goes over the red character, or along it, and ends beyond; flyers touch nobody."""
    poses = U0 if profile == "Infantry" else [(60.0, 40.0, 90.0)]
    game = Game(
        [unit("E", poses, profile, may_move="order"), character("H", 60 + aside, 48)], active="blue"
    )
    assert game.move(*slides("E", poses, 0, 20), actor="E").legal
    assert ("H" in game.state.gone) == slain


@pytest.mark.parametrize(("phase", "along"), [("orders", False), ("other", True)])
def test_wm_char_2_3_with_the_unit_only_in_other_phases(phase: str, along: bool) -> None:
    joined = character("H", 56, 37.75, joined="U")
    game = Game([unit("U", U0, may_move="order"), unit("E", [(60, 57, 270)]), joined], phase=phase)
    kind = "advance" if along else "charge"
    ways = slides("U", U0, 0, 15, "213")
    verdict = game.move(*ways, kind=kind, target="E")
    assert verdict.legal
    assert game.state.bodies["H"].centre == pytest.approx((56, 52.75 if along else 37.75))
    assert ("WM-CHAR-3" if along else "WM-CHAR-2") in verdict.cites


# Flyers

EAGLES = [(60.0, 20.0, 90.0), (62.0, 20.0, 90.0)]


@pytest.mark.parametrize("face", range(1, 7))
def test_wm_fly_2_ten_centimetres_a_point(face: int) -> None:
    parts = [unit("U", EAGLES, "Giant Eagles"), character("H", 61, 110)]
    game = Game(parts, phase="initiative")
    game.do("home_back", (face,), actor="U", character="H")
    assert game.state.bodies["U-1"].y == pytest.approx(20 + 10 * face)
    assert game.state.turn.phase == "home"


@pytest.mark.parametrize(("gap", "legal"), [(20, False), (20 + UNDER, False), (20 + OVER, True)])
def test_wm_fly_2_more_than_20_away(gap: float, legal: bool) -> None:
    game = Game(
        [unit("U", EAGLES, "Giant Eagles"), character("H", 61, 22 + gap + 1.25)], phase="initiative"
    )
    verdict = game.do("home_back", *([(1,)] if legal else []), actor="U", character="H")
    assert ids(verdict) == (set() if legal else {"WM-FLY-2"})


@pytest.mark.parametrize(("most", "moved"), [(0, 0), (12.5, 12.5), (45, 30), (None, 30)])
def test_wm_fly_2_no_farther_than_wanted(most: float | None, moved: float) -> None:
    parts = [unit("U", EAGLES, "Giant Eagles"), character("H", 61, 110)]
    game = Game(parts, phase="initiative")
    game.do("home_back", (3,), actor="U", character="H", most=most)
    assert game.state.bodies["U-1"].y == pytest.approx(20 + moved)
    less = Game(parts, phase="initiative").do("home_back", actor="U", character="H", most=-1)
    assert ids(less) == {"WM-FLY-2"}


def test_wm_fly_4_flyers_blunder_over_everything() -> None:
    """A lake and a unit lie in the way of their flight; where a unit is at the end of it they land
    short."""
    parts = [unit("U", [(30, 60, 180)], "Giant Eagles"), unit("E", [(15, 60, 0)])]
    lake, passed = box("lake", 60, 70, 40, 80), unit("V", [(100, 60, 90)])
    for more, x in (((), 118), ((unit("W", [(118, 60, 90)]),), 114)):
        game = Game([*parts, passed, *more, character("H", 30, 66)], [lake])
        game.do("order", (6, 6), (2,), actor="H", units=["U"])
        # More than 100 from the enemy, whose edge is at 16.
        assert game.state.bodies["U-1"].x == pytest.approx(x, abs=0.01)


def test_wm_fly_2_characters_give_way_where_it_lands() -> None:
    parts = [unit("U", EAGLES, "Giant Eagles"), character("H", 61, 110), character("K", 61, 51)]
    game = Game(parts, phase="initiative")
    game.do("home_back", (3,), actor="U", character="H")
    assert game.state.bodies["K"].centre == pytest.approx((61, 53.25)) or game.state.bodies[
        "K"
    ].centre == pytest.approx((63.25, 51))


def test_wm_fly_2_never_lands_on_stands() -> None:
    parts = [unit("U", EAGLES, "Giant Eagles"), unit("V", [(61, 41, 90)]), character("H", 61, 110)]
    game = Game(parts, phase="initiative")
    verdict = game.do("home_back", (2,), actor="U", character="H")
    # 20 would end over y 40 to 42: it lands short, touching at 40.
    assert verdict.value("moved") == pytest.approx(18)


@pytest.mark.parametrize(("far", "legal"), [(100, True), (100 + UNDER, True), (100 + OVER, False)])
def test_wm_fly_3_up_to_100_by_order(far: float, legal: bool) -> None:
    low = [(60.0, 10.0, 90.0), (62.0, 10.0, 90.0)]
    game = Game([unit("U", low, "Giant Eagles", may_move="order")])
    assert ids(game.move(*slides("U", low, 0, far))) == (
        set() if legal else {"WM-FLY-3", "WM-STAND-6"}
    )


def test_wm_cmd_8_a_brigade_is_made_of_different_units() -> None:
    game = Game([unit("U", U0, may_move="order")])
    for units in ([], ["U", "U"]):
        refused = game.do("brigade", units=units, to=[60, 45])
        assert ids(refused) == {"WM-CMD-8"}
    assert game.do("brigade", units=["U"], to=[60, 45]).legal
    with pytest.raises(UnknownIdError):
        game.do("brigade", units=["nobody", "nobody"])


@pytest.mark.parametrize("actor", ["", "nobody"])
@pytest.mark.parametrize(
    "document",
    [
        {"kind": "home_back", "character": "H"},
        {"kind": "block", "to": [60, 45]},
        {"kind": "move", "stands": []},
        {"kind": "charge", "target": "E"},
        {"kind": "initiative_charge", "target": "E"},
        {"kind": "evade", "target": "E"},
        {"kind": "about_face"},
        {"kind": "move_character", "path": []},
    ],
    ids=lambda document: document["kind"],
)
def test_an_action_of_nobody_is_an_unknown_id(document: Doc, actor: str) -> None:
    """An empty id is an id that nothing has."""
    game = Game([unit("U", U0), unit("E", line(56, 60, 3, 270)), character("H", 60, 30)])
    asked = {**document, "actor": actor}
    with pytest.raises(UnknownIdError):
        game.do(asked.pop("kind"), **asked)


@pytest.mark.parametrize("kind", ["initiative_charge", "evade"])
def test_wm_init_5_a_character_is_no_unit_that_answers(kind: str) -> None:
    """Nor is what is named as the enemy one: the id of the actor is told first."""
    game = Game([unit("U", U0), unit("E", line(56, 60, 3, 270)), character("H", 60, 30)])
    with pytest.raises(UnknownIdError):
        game.do(kind, actor="H", target="H")


@pytest.mark.parametrize(
    ("who", "kind"),
    [
        (character("K", 60, 30), "lake"),
        (character("K", 60, 30, "General on Griffon"), "wood"),
        (unit("U", [(60, 30, 90)], "Giant Eagles"), "wood"),
        (unit("U", [(60, 30, 90)], "Giant Eagles"), "lake"),
    ],
)
def test_nobody_begins_where_it_may_not_stand(who: Doc, kind: str) -> None:
    foe = unit("E", [(120, 60, 270)])
    Game([who, foe], [box(kind, 62, 80, 20, 40)])
    with pytest.raises(TapelineError, match=f"inside '{kind}'"):
        Game([who, foe], [box(kind, 50, 80, 20, 40)])
