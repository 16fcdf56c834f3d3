"""Where the rules put a model down: clear of walls and bases, on its floor, at its worst places."""

from __future__ import annotations

import math
from typing import Any

import pytest

from clauses.mordheim.staging import Doc, Table, block, blue, ids, red, strip
from tapeline.engine.limits import within
from tapeline.errors import DocumentError
from tapeline.rules.mordheim.route import planned
from tapeline.rules.mordheim.terrain import edges_near, terrain_of

AFAR = blue(40, 40, body_id="F")
#: Two inches long the way it faces, one wide.
HOUND: Doc = {"profile": "Warhound", "base": {"rectangle": [1, 2]}}


def wall(*points: list[float], height: float = 3.0, **more: Any) -> Doc:
    return {"id": "w", "wall": list(points), "thickness": 0.2, "height": height, **more}


# MH-MOVE-5: a base overlaps no solid (3.3), whatever its shape.


def test_nobody_fights_one_who_is_far_away() -> None:
    with pytest.raises(DocumentError, match=r"'E' is 9 in away"):
        Table([red(10, 10, state={"engaged": ["E"]}), blue(20, 10)])


def test_mh_move_5_rectangle_does_not_end_in_a_wall() -> None:
    table = Table([red(10, 10, facing=0, **HOUND), AFAR], [wall([13, 5], [13, 15])])
    verdict = table.go((12.3, 10))
    assert ids(verdict) == {"MH-MOVE-5"}
    assert verdict.findings[0].measured == pytest.approx(0.4)
    assert table.go((11.9, 10)).legal
    assert table.body().x == 11.9


def test_mh_move_5_rectangle_turns_alongside_a_wall() -> None:
    table = Table([red(10, 10, facing=0, **HOUND), AFAR], [wall([13, 5], [13, 15])])
    turned = table.do("move", "A", path=[{"to": [12.4, 10]}, {"by": 90}])
    assert turned.legal
    assert table.body().facing == 90.0


def test_scene_with_a_rectangle_in_a_wall_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"stands 0.4 in inside 'w'"):
        Table([red(12.3, 10, facing=0, **HOUND), AFAR], [wall([13, 5], [13, 15])])


def test_mh_fall_1_rectangle_falls_clear_of_a_wall_at_the_foot() -> None:
    ground = [block("R", 4, 10, 4, 16, 4), wall([11.6, 4], [11.6, 16])]
    model = red(8.9, 10, 4, facing=0, **HOUND)
    table = Table([model, AFAR], ground, phase="shooting", active="blue")
    shot = table.do("shoot", "F", [6], [1], [1], target="A", result="knocked_down")
    assert shot.legal
    x, y = table.body().centre
    assert table.body().z == 0.0
    assert table.body().facing == 0.0
    # Two inches long do not lie across an alley of one and a half.
    assert not (9.0 < x < 12.7 and 3.5 < y < 16.5)


# 3.3: who passes friends ends clear of them, however the move came about.


@pytest.mark.parametrize(("friend", "end"), [(14.0, 13.0), (14.6, 13.6), (15.0, 14.0)])
def test_mh_chg_11_failed_charge_through_a_friend_ends_before_it(friend: float, end: float) -> None:
    models = [red(10, 10), red(friend, 10, body_id="A2"), blue(22, 10)]
    table = Table(models, step="declarations", pass_through="friends")
    assert table.charge("E").legal
    assert table.mark("charge") == "failed"
    assert table.body().x == pytest.approx(end)


@pytest.mark.parametrize(("option", "spent"), [("friends", 7.529515), ("none", 7.569413)])
def test_mh_chg_6_the_most_direct_route_leads_over_friends(option: str, spent: float) -> None:
    """The friend takes the straight place: 120 degrees round the target is (17.5, 10.866025).

    Round the friend: the tangent to its circle, sqrt(49.04 - 1), and 0.638324 along that."""
    models = [red(10, 10.2), red(17, 10, body_id="A2"), blue(18, 10)]
    table = Table(models, step="declarations", pass_through=option)
    verdict = table.charge("E")
    assert table.mark("charge") == "success"
    assert table.body().centre == pytest.approx((17.5, 10 + 0.5 * math.sqrt(3)), abs=1e-6)
    assert verdict.value("spent") == pytest.approx(spent, abs=1e-6)


def test_mh_chg_6_a_jump_down_does_not_land_on_a_friend_that_is_passed() -> None:
    models = [red(8, 10, 3), red(10.5, 10, body_id="A2"), blue(14, 10)]
    house = block("B", 4, 10, 4, 16, 3)
    table = Table(models, [house], step="declarations", pass_through="friends")
    assert table.do("declare_charge", targets=["E"]).legal
    plan = planned(table.state, table.body())
    assert plan is not None
    assert plan.feasible
    assert not plan.track.hits
    (jump,) = plan.track.crossings
    assert math.dist(jump.end[:2], (10.5, 10)) >= 1 - 1e-6


def test_mh_flee_2_bent_round_a_house_and_through_a_friend() -> None:
    """Round the corner at (20, 8) the shortest way is taken by a friend, who is passed."""
    house = block("H", 20, 40, 8, 9, 5)
    models = [red(21, 11, state={"fleeing": True}), red(19.4, 8.6, body_id="A2"), AFAR]
    ends = []
    for option, friend in (("friends", True), ("none", False)):
        table = Table(
            [m for m in models if friend or m["id"] != "A2"],
            [house],
            step="compulsory",
            pass_through=option,
        )
        assert table.do("compulsory", "A", [5, 4]).legal
        ends.append(table.body().centre)
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)
    assert ends[0][1] < 8, "round the house"


def test_mh_flee_2_flight_through_a_friend_ends_before_it() -> None:
    models = [red(24, 12, state={"fleeing": True}), red(24, 5, body_id="A2"), AFAR]
    table = Table(models, step="compulsory", pass_through="friends")
    assert table.do("compulsory", "A", [4, 3]).legal
    assert table.body().y == pytest.approx(6.0)


def test_mh_flee_2_flight_past_a_friend_goes_its_whole_way() -> None:
    models = [red(24, 14, state={"fleeing": True}), red(24, 9, body_id="A2"), AFAR]
    table = Table(models, step="compulsory", pass_through="friends")
    assert table.do("compulsory", "A", [4, 3]).legal
    assert table.body().y == pytest.approx(7.0)


# 3.14 and MH-PSY-3: forced moves pay for the ground like any other.


def test_mh_flee_1_breaking_model_pays_for_slow_ground() -> None:
    models = [red(20, 20), blue(19, 20, body_id="E1"), blue(20, 19, body_id="E2")]
    heap: Doc = {"id": "heap", "kind": "rubble", "shape": {"rectangle": {"centre": [24, 24]}}}
    heap["shape"]["rectangle"] |= {"width": 12, "depth": 12}
    table = Table(models, [heap], phase="hand-to-hand")
    assert table.do("end_phase", None, [6, 6], "nothing", "nothing", [2, 4]).legal
    assert table.body().x == pytest.approx(20 + 3 / 2**0.5)
    assert table.body().y == pytest.approx(20 + 3 / 2**0.5)


def test_mh_psy_3_stumbling_model_pays_for_slow_ground() -> None:
    model = red(10, 10, facing=0, state={"stumbles": True})
    table = Table([model, AFAR], [strip(11, 14)], step="compulsory")
    assert table.do("compulsory").legal
    assert table.body().x == pytest.approx(11.5)


def test_mh_psy_3_stumbling_model_goes_over_the_edge_ahead_of_it() -> None:
    model = red(9.7, 8.7, 4, facing=90, state={"stumbles": True})
    table = Table([model, AFAR], [block("R4", 4, 10, 4, 10, 4)], step="compulsory")
    assert table.do("compulsory", "A", [1], [1]).legal
    assert table.body().centre == pytest.approx((9.7, 10.5))


def test_mh_psy_3_stumbling_model_stopped_beside_an_edge_stays_up() -> None:
    model = red(9.7, 8.4, 4, facing=90, state={"stumbles": True})
    ground = [block("R4", 4, 10, 4, 12, 4), wall([4, 9.5], [10, 9.5], base_height=4)]
    table = Table([model, AFAR], ground, step="compulsory")
    assert table.do("compulsory").legal
    assert (table.body().y, table.body().z) == pytest.approx((8.9, 4.0))


# `difficult_mode` whole_move: the worst ground met slows the move; what is not met does not.


@pytest.mark.parametrize(
    ("begin", "end", "x"),
    [(16, 17, 14.0), (13, 14, 13.0), (11, 12, 12.0), (11.5, 12, 12.0), (9, 10.5, 12.0)],
)
def test_mh_chg_11_failed_charge_is_slowed_by_what_it_meets(
    begin: float, end: float, x: float
) -> None:
    table = Table(
        [red(10, 10), blue(21, 10)],
        [strip(begin, end)],
        step="declarations",
        difficult_mode="whole_move",
    )
    assert table.charge("E").legal
    assert table.mark("charge") == "failed"
    assert table.body().x == pytest.approx(x)
    assert table.mark("spent") == pytest.approx((x - 10) * (2 if begin < x else 1))


def test_mh_flee_2_flight_is_slowed_by_what_it_meets() -> None:
    moor: Doc = {"id": "moor", "kind": "rubble"}
    moor["shape"] = {"polygon": [[0, 0], [48, 0], [48, 2], [0, 2]]}
    table = Table(
        [red(24, 20, state={"fleeing": True}), AFAR],
        [moor],
        step="compulsory",
        difficult_mode="whole_move",
    )
    assert table.do("compulsory", "A", [4, 3]).legal
    assert table.body().y == pytest.approx(13.0)


# MH-CHG-15: an interceptor is set where its base fits, and so is the charger that meets it.


def test_mh_chg_15_interceptor_is_not_set_into_the_side_of_stairs() -> None:
    deck: Doc = {"id": "deck", "kind": "platform", "z": 3}
    deck["floor"] = {"polygon": [[16, 11], [22, 11], [22, 16], [16, 16]]}
    stairs: Doc = {
        "id": "s",
        "stairs": {"foot": [10, 11.3, 0], "head": [16, 11.3, 3], "width": 1.2},
    }
    ogre = blue(13, 8.2, body_id="E2", profile="Rat Ogre", base={"rectangle": [1.57, 1.57]})
    table = Table(
        [red(8, 10), blue(16, 10), ogre],
        [deck, stairs],
        step="declarations",
        intercept_mode="opponent_choice",
    )
    assert table.charge("E", dice=["E2"]).legal
    assert table.mark("engaged") == ["E2"]
    ground = terrain_of(table.state)
    assert ground.overlapped(table.body("E2")) is None
    assert ground.overlapped(table.body("A")) is None


def test_mh_chg_15_charger_met_on_a_friend_stops_short_of_it() -> None:
    friend = red(13.2, 10, body_id="A2")
    table = Table(
        [red(10, 10), friend, blue(18, 10), blue(14.6, 12, body_id="E2")],
        step="declarations",
        intercept_mode="opponent_choice",
        pass_through="friends",
    )
    assert table.charge("E", dice=["E2"]).legal
    assert table.mark("charge") == "failed"
    assert table.body().x == pytest.approx(12.2)
    assert table.mark("engaged") is None


@pytest.mark.parametrize("x", [9.2, 9.7])
@pytest.mark.parametrize(("y", "facing"), [(10.0, 0.0), (7.3, 90.0), (12.9, 180.0)])
def test_mh_edge_2_a_square_slips_straight_out(x: float, y: float, facing: float) -> None:
    """Side on, from the middle of its side, overhanging or not; half its side off the edge."""
    square = red(x, y, 2.5, facing=facing, base={"rectangle": [0.8, 0.8]})
    roof = block("B", 0, 10, 4, 16, 2.5)
    table = Table([square, AFAR], [roof], phase="shooting", active="blue")
    assert table.do("shoot", "F", [4], [1], [1], target="A", result="stunned").legal
    body = table.body()
    assert (*body.centre, body.z) == pytest.approx((10.4, y, 0), abs=1e-6)


@pytest.mark.parametrize(("x", "near"), [(13.6, True), (13.599, False)])
def test_mh_edge_1_a_square_beside_the_edge_of_a_round_top(x: float, near: bool) -> None:
    """A top of radius 5 about (10, 10): the farther corners of a square of 0.8 are 4 from its
    middle at x = 10 + sqrt(16 - 0.16) - 0.4."""
    tower: Doc = {"id": "T", "kind": "building", "height": 3}
    tower["shape"] = {"circle": {"centre": [10, 10], "radius": 5}}
    at = x - 13.6 + 10 + math.sqrt(16 - 0.16) - 0.4
    square = red(at, 10, 3, facing=0, base={"rectangle": [0.8, 0.8]})
    table = Table([square, AFAR], [tower])
    (edge,) = edges_near(table.state, table.body(), 5.0)
    assert within(edge.distance, 1.0) == near
    assert edge.distance == pytest.approx(1.0 if near else 1.000996, abs=1e-5)
    assert edge.point == pytest.approx((15, 10), abs=1e-9)


def test_mh_edge_2_no_room_on_the_stairs_below_is_no_reason_to_stay_up() -> None:
    deck: Doc = {"id": "deck", "kind": "platform", "z": 3}
    deck["floor"] = {"polygon": [[10, 6], [16, 6], [16, 10], [10, 10]]}
    stairs: Doc = {"id": "s", "stairs": {"foot": [18, 8, 0], "head": [16, 8, 3], "width": 1.2}}
    hound = red(15.4, 7.6, 3, facing=0, profile="Warhound", base={"rectangle": [0.98, 1.97]})
    table = Table([hound, AFAR], [deck, stairs], phase="shooting", active="blue")
    verdict = table.do("shoot", "F", [6], [1], [1], target="A", result="knocked_down")
    assert verdict.legal
    assert table.mark("fallen")
    assert table.body().z == 0.0
    assert terrain_of(table.state).overlapped(table.body()) is None


def test_scene_with_a_model_under_a_floor_too_low_is_refused() -> None:
    ground: list[Doc] = [
        {"id": "f", "floor": {"polygon": [[8, 8], [14, 8], [14, 12], [8, 12]]}, "z": 1},
        {"id": "l", "ladder": {"foot": [14, 10, 0], "head": [14, 10, 1]}},
    ]
    with pytest.raises(DocumentError, match=r"'f' leaves 0\.9 in of height; 'A' needs 1\.25 in"):
        Table([red(10, 10), AFAR], ground)
