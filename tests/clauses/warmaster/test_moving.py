"""WM-PACE, WM-FORM, WM-STAND, WM-GAP: each limit just inside, on and outside."""

from __future__ import annotations

import math
from typing import Any

import pytest

from clauses.warmaster.tabling import OVER, U0, UNDER, Game, Pose, box, ids, line, slides, to, unit
from clauses.warmaster.tabling import way as go
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.rules.warmaster.formation import Formation, formation_of, is_column


def ordered(poses: list[Pose] = U0, profile: str = "Infantry"):
    return unit("U", poses, profile, may_move="order")


@pytest.mark.parametrize("metric", ["straight", "arc"])
@pytest.mark.parametrize(
    ("far", "legal"), [(20 - 1e-3, True), (20, True), (20 + UNDER, True), (20 + OVER, False)]
)
def test_wm_stand_6_up_to_the_allowance(far: float, legal: bool, metric: str) -> None:
    game = Game([ordered()], dist_metric=metric)
    assert ids(game.move(*slides("U", U0, 0, far))) == (set() if legal else {"WM-STAND-6"})


@pytest.mark.parametrize(("metric", "most"), [("straight", 110.5700), ("arc", 94.1937)])
def test_wm_stand_6_the_longest_wheel(metric: str, most: float) -> None:
    for angle, legal in ((most - 1e-3, True), (most + 1e-3, False)):
        wheel = [go(f"U-{k}", {"centre": [54, 41], "by": angle}) for k in (3, 2, 1)]
        verdict = Game([ordered()], dist_metric=metric).move(*wheel)
        assert ids(verdict) == (set() if legal else {"WM-STAND-6"})


def test_wm_stand_6_corners_are_added_up_before_the_largest_is_taken() -> None:
    """To and fro by a turn: other corners lead in each leg, and none of them in both."""
    one = [(60.0, 40.0, 90.0)]
    game = Game([ordered(one)])
    # About the left front corner the rear right one leads, about the right the rear left.
    verdict = game.move(
        go("U-1", {"centre": [58, 41], "by": 60}, {"centre": [58, 41], "by": -60}, to(60, 41))
    )
    radius = math.hypot(4, 2)
    assert verdict.value("distance") == pytest.approx(2 * radius + 1, abs=1e-9)
    turned = Game([ordered(one)]).move(
        go("U-1", {"centre": [58, 41], "by": 60}, {"centre": [62, 41], "by": 60})
    )
    # The largest of each leg added up would be 4.4721 and the farther way of the second turn.
    assert turned.value("distance") < radius + _chord_of_second()


def _chord_of_second() -> float:
    """The largest chord of a turn by 60 about (62,41) after one about (58,41)."""
    corners = [(58, 41), (62, 41), (58, 39), (62, 39)]
    turn = math.radians(60)
    placed = [
        (
            58 + (x - 58) * math.cos(turn) - (y - 41) * math.sin(turn),
            41 + (x - 58) * math.sin(turn) + (y - 41) * math.cos(turn),
        )
        for x, y in corners
    ]
    return max(math.dist(p, (62, 41)) for p in placed)


@pytest.mark.parametrize("allowed", ["order", "half", "evade"])
def test_wm_pace_9_10_irregular_units(allowed: str) -> None:
    stag = [(56.0, 40.0, 90.0), (60.0, 40.5, 90.0), (64.0, 40.0, 90.0)]
    if allowed == "evade":
        game = Game([unit("U", stag), unit("E", [(60, 55, 270)])], phase="initiative")
        verdict = game.move(*slides("U", stag, 0, -20, "213"), kind="evade", target="E")
        assert verdict.legal
        return
    for far, legal in ((10, True), (10 + OVER, False)):
        verdict = Game([unit("U", stag, may_move=allowed)]).move(*slides("U", stag, 0, far))
        assert verdict.legal == legal


def rects(poses: list[Pose], width: float = 4.0, depth: float = 2.0) -> list[Rect]:
    return [Rect.of_degrees(*pose, width, depth) for pose in poses]


@pytest.mark.parametrize(
    ("gap", "formation"),
    [
        (0.0, Formation.LINE),
        (UNDER, Formation.LINE),
        (OVER, Formation.BROKEN),
        (-UNDER, Formation.LINE),
        (-OVER, Formation.BROKEN),
    ],
)
def test_wm_form_1_contact_within_the_tolerance(gap: float, formation: Formation) -> None:
    assert formation_of(rects([(56, 40, 90), (60 + gap, 40, 90)]), "strict") is formation


@pytest.mark.parametrize(
    ("off", "formation"), [(UNDER, Formation.LINE), (OVER, Formation.IRREGULAR)]
)
def test_wm_form_4_flush_within_the_tolerance(off: float, formation: Formation) -> None:
    assert formation_of(rects([(56, 40, 90), (60, 40 + off, 90)]), "strict") is formation


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    ("bend", "column"), [(45, True), (90, True), (90.00001, True), (91, False)]
)
def test_wm_form_3_bends_up_to_a_right_angle(bend: float, column: bool, side: str) -> None:
    lead = Rect.of_degrees(60, 40, 90, 4.0, 2.0)
    sign = -1.0 if side == "left" else 1.0
    corner = (58.0, 39.0) if side == "left" else (62.0, 39.0)
    facing = math.radians(90 + sign * bend)
    # The front corner of the follower on that side lies on the rear corner of the leader.
    along = (math.cos(facing), math.sin(facing))
    left = (-along[1], along[0])
    aside = 2.0 if side == "left" else -2.0
    x = corner[0] - along[0] - aside * left[0]
    y = corner[1] - along[1] - aside * left[1]
    follower = Rect.of_degrees(x, y, math.degrees(facing), 4.0, 2.0)
    assert is_column([lead, follower], "strict") == column
    assert is_column([follower, lead], "strict") == column


def test_wm_form_3_corners_of_different_sides_do_not_join() -> None:
    assert not is_column(rects([(60, 40, 90), (64, 38, 90)]), "strict")
    assert is_column(rects([(60, 40, 90), (64, 38, 90)]), "any_point")


@pytest.mark.parametrize(("count", "regular"), [(1, True), (2, True), (5, True)])
def test_wm_form_units_of_any_number(count: int, regular: bool) -> None:
    verdict = Game([ordered(line(40, 40, count))]).move()
    assert verdict.value("formation") == "line"
    assert verdict.value("allowance") == 20


def test_wm_form_1_stands_that_each_touch_one_but_not_all() -> None:
    four = line(56, 40, 4)
    verdict = Game([ordered(four)]).move(
        go("U-1"), go("U-2"), go("U-4", to(70.5, 40)), go("U-3", to(66.5, 40))
    )
    assert ids(verdict) == {"WM-FORM-1", "WM-STAND-2"}


def test_wm_stand_4_a_stand_too_far_and_in_the_way_is_told_both_at_once() -> None:
    friend = unit("V", [(60, 55, 90)])
    verdict = Game([ordered(), friend]).move(*slides("U", U0, 0, 25))
    assert ids(verdict) == {"WM-STAND-6", "WM-STAND-7"}
    over = next(f for f in verdict.findings if f.clause == "WM-STAND-7")
    assert over.about == "V-1"
    assert "U-2" in over.text
    assert over.place is not None
    assert over.place[1] == pytest.approx(54, abs=1e-6)


@pytest.mark.parametrize(("deep", "legal"), [(0, True), (UNDER, True), (OVER, False)])
def test_wm_stand_7_touching_is_no_passing_over(deep: float, legal: bool) -> None:
    one = [(60.0, 40.0, 90.0)]
    game = Game([ordered(one), unit("V", [(64 - deep, 50, 90)])])
    assert ids(game.move(go("U-1", to(60, 60)))) == (set() if legal else {"WM-STAND-7"})


@pytest.mark.parametrize(("off", "legal"), [(0.0, False), (UNDER, False), (OVER, True)])
def test_wm_stand_13_clear_of_the_enemy(off: float, legal: bool) -> None:
    one = [(60.0, 40.0, 90.0)]
    game = Game([ordered(one, "Cavalry"), unit("E", [(63 + off, 50, 90)])])
    verdict = game.move(go("U-1", to(60, 60)))
    assert ids(verdict) == (set() if legal else {"WM-STAND-13"})


@pytest.mark.parametrize(("beyond", "legal"), [(0.0, True), (UNDER, True), (OVER, False)])
def test_wm_stand_12_up_to_the_edge(beyond: float, legal: bool) -> None:
    low = line(56, 5)
    verdict = Game([ordered(low)]).move(*slides("U", low, 0, -4 - beyond))
    assert ids(verdict) == (set() if legal else {"WM-STAND-12"})


def test_wm_stand_12_a_corner_over_the_edge_on_the_way() -> None:
    one = [(60.0, 1.5, 90.0)]
    verdict = Game([ordered(one)]).move(go("U-1", {"by": 179}))
    assert ids(verdict) == {"WM-STAND-12"}


def test_wm_stand_14_front_and_rear_change_places_without_room() -> None:
    """Neither the edge of the table nor a gap beside the enemy stops it: its own base is all that
    it sweeps."""
    corner = Game([ordered([(2.0, 1.0, 90.0)])])
    assert corner.move(go("U-1", {"by": 180})).legal
    gap = [unit("E", [(60, 44.2, 270)]), unit("F", [(67.5, 44.2, 270)])]
    assert Game([ordered([(63.5, 41.5, 90)]), *gap]).move(go("U-1", {"by": 180})).legal
    almost = Game([ordered([(63.5, 41.5, 90)]), *gap]).move(go("U-1", {"by": 179}))
    assert ids(almost) == {"WM-GAP-2"}


@pytest.mark.parametrize("listed", [(), (1,), (3,), (2, 1)])
def test_wm_pace_3_stands_that_stay_need_no_order(listed: tuple[int, ...]) -> None:
    """Members named left, right, middle: left out, they count as placed as they hang together."""
    poses = [(56.0, 40.0, 90.0), (64.0, 40.0, 90.0), (60.0, 40.0, 90.0)]
    verdict = Game([ordered(poses)]).move(*(go(f"U-{k}") for k in listed))
    # Left and right do not touch: who lists them so is held to it.
    assert ids(verdict) == ({"WM-STAND-2"} if listed == (2, 1) else set())


ROAD = [box("wood", 50, 70, 45, 65), box("road", 59, 61, 20, 80)]
FILE = [(60.0, 40.0, 90.0), (60.0, 36.0, 90.0)]


@pytest.mark.parametrize(
    ("poses", "legal"),
    [
        (FILE[:1], True),
        (FILE, True),
        ([(60.1, 40.0, 90.0)], False),
        ([(60.0, 40.0, 90.0), (62.0, 40.0, 90.0)], False),
    ],
)
def test_wm_ter_14_a_road_carries_columns_and_single_stands(poses: list[Pose], legal: bool) -> None:
    game = Game([ordered(poses, "Wolf Chariots")], ROAD)
    assert ids(game.move(*slides("U", poses, 0, 20))) == (set() if legal else {"WM-TER-3"})


@pytest.mark.parametrize(
    ("width", "legal"), [(2 - 1e-5, False), (2 - UNDER, True), (2, True), (2.5, True)]
)
def test_wm_gap_1_the_shortest_edge(width: float, legal: bool) -> None:
    walls = [
        box("impassable", 40, 51 - width / 2, 50, 54, "A"),
        box("impassable", 51 + width / 2, 62, 50, 54, "B"),
    ]
    verdict = Game([ordered([(51, 45, 0)])], walls).move(go("U-1", to(51, 59)))
    assert verdict.legal == legal
    if not legal:
        assert "WM-GAP-1" in ids(verdict)


@pytest.mark.parametrize(("more", "legal"), [(0.0, False), (UNDER, False), (OVER, True)])
def test_wm_gap_2_wider_than_the_front(more: float, legal: bool) -> None:
    foes = [unit("D", [(48, 60, 270)]), unit("E", [(56 + more, 60, 270)])]
    # End-on, clear of both sides by 1: only the front counts.
    verdict = Game([ordered([(52, 54, 0)]), *foes]).move(go("U-1", to(52, 66)))
    assert ids(verdict) == (set() if legal else {"WM-GAP-2"})


@pytest.mark.parametrize("x", [51.05, 51.5, 52.0, 52.85])
def test_wm_gap_2_a_side_of_the_gap_that_is_not_in_the_way(x: float) -> None:
    """Whichever side of a gap the stand keeps to, the river on the other bounds it."""
    foe, river = unit("E", [(48, 60, 270)]), box("river", 53.9, 80, 40, 80)
    verdict = Game([ordered([(x, 54, 0)]), foe], [river]).move(go("U-1", to(x, 66)))
    assert ids(verdict) == {"WM-GAP-2"}


@pytest.mark.parametrize(("profile", "legal"), [("Pikemen", True), ("Infantry", False)])
def test_wm_gap_2_pikemen_have_a_front_of_2(profile: str, legal: bool) -> None:
    foes = [unit("D", [(48, 60, 270)]), unit("E", [(56, 60, 270)])]
    facing = 90.0 if profile == "Pikemen" else 0.0
    verdict = Game([ordered([(52, 54, facing)], profile), *foes]).move(go("U-1", to(52, 66)))
    assert ids(verdict) == (set() if legal else {"WM-GAP-2"})


def test_wm_gap_2_flyers_do_not_heed_gaps() -> None:
    foes = [unit("D", [(46, 60, 270)]), unit("E", [(54, 60, 270)])]
    game = Game([ordered([(50, 54, 90)], "Harpies"), *foes])
    assert game.move(go("U-1", to(50, 70))).legal


def test_wm_gap_2_a_zone_left_and_entered_again() -> None:
    """A stand that starts between enemies may leave; coming back is going in."""
    foes = [unit("D", [(48, 60, 270)]), unit("E", [(56, 60, 270)])]
    inside = [(52.0, 60.0, 0.0)]
    assert Game([ordered(inside), *foes]).move(go("U-1", to(52, 66))).legal
    back = Game([ordered(inside), *foes]).move(go("U-1", to(52, 66), to(52, 60)))
    assert ids(back) == {"WM-GAP-2"}


@pytest.mark.parametrize(("end", "crossed"), [(58.5, False), (60.0, False), (60.5, True)])
def test_wm_gap_2_beside_a_stand_of_the_own_unit(end: float, crossed: bool) -> None:
    """An own stand bars a gap once it has moved, and only to who goes through."""
    foe = unit("E", [(56, 60, 270)])
    poses = [(48.0, 60.0, 90.0), (48.0, 58.0, 90.0)]
    moved = Game([ordered(poses), foe]).move(go("U-1"), go("U-2", to(52, 57), to(52, end)))
    assert ("WM-GAP-2" in ids(moved)) == crossed
    before = Game([ordered(poses), foe]).move(go("U-2", to(51, 58)), go("U-1"))
    assert "WM-GAP-2" not in ids(before)


@pytest.mark.parametrize("gap", [1.0, 2.0, 3.0, 3.9])
@pytest.mark.parametrize("aside", [-4.0, -2.5, -1.0, 0.0, 1.0, 3.0])
@pytest.mark.parametrize("order", ["123", "321", "213"])
def test_wm_gap_2_a_line_goes_straight_up_to_a_line(gap: float, aside: float, order: str) -> None:
    """No stand goes through anything: those beside it that have moved are no side of a gap."""
    foes = unit("E", line(56 + aside, 52, facing=270))
    verdict = Game([ordered(), foes]).move(*slides("U", U0, 0, 10 - gap, order))
    assert not ids(verdict)


@pytest.mark.parametrize("gap", [1.0, 2.0, 3.0])
def test_wm_gap_2_a_planned_line_goes_straight_up_to_a_line(gap: float) -> None:
    foes = unit("E", line(54, 52, facing=270))
    verdict = Game([ordered(), foes]).do("block", actor="U", to=[60, 50 - gap])
    assert verdict.legal
    assert verdict.value("distance") == pytest.approx(10 - gap)


@pytest.mark.parametrize("how", ["walk", "free"])
def test_wm_stand_1_a_stand_that_spins_is_refused_at_once(how: str) -> None:
    """A million degrees are more than the kernels of a turn have room for, or get through."""
    turn: dict[str, Any] = {"by": -1e6}
    leg = turn if how == "walk" else {**turn, "to": [56, 51], "how": "free"}
    game = Game([unit("U", U0, may_move="order")])
    assert "WM-STAND-1" in ids(game.move(go("U-2", to(60, 50)), go("U-1", to(56, 50), leg)))
