"""MH-TER and MH-MOVE-5: slow ground, doors, barriers, ladders, stairs, and where a base may be."""

from __future__ import annotations

import math

import pytest

from clauses.mordheim.staging import Doc, Table, block, blue, ids, red, strip
from tapeline.errors import DocumentError

FAR = blue(44, 44)


def rect(x0: float, x1: float, y0: float, y1: float) -> Doc:
    return {"polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}


def wall(height: float, **more: object) -> Doc:
    return {"id": "wall", "wall": [[12, 4], [12, 16]], "height": height, **more}


def floor(z: float, x0: float, x1: float, y0: float = 4, y1: float = 16, **more: object) -> Doc:
    return {"id": f"floor-{z:g}", "floor": rect(x0, x1, y0, y1), "z": z, **more}


STAIRS: Doc = {"id": "stairs", "stairs": {"foot": [11, 10, 0], "head": [15, 10, 3], "width": 1}}


# MH-TER-1, -2.


def test_mh_ter_1_a_ladder_costs_its_height() -> None:
    terrain = [
        floor(3, 11, 16),
        {"id": "ladder", "ladder": {"foot": [11, 10, 0], "head": [11, 10, 3]}},
    ]
    table = Table([red(10, 10), FAR], terrain)
    verdict = table.go((11, 10), {"to": [11, 10], "z": 3})
    assert verdict.legal
    assert verdict.cost == pytest.approx(4, abs=1e-9)
    assert table.body().z == 3
    assert [line.what for line in verdict.ledger] == ["open ground", "ladder"]


def test_mh_ter_1_a_rope_may_be_halted_on_and_left_again() -> None:
    terrain = [floor(6, 11, 16), {"id": "rope", "rope": {"foot": [11, 10, 0], "head": [11, 10, 6]}}]
    table = Table([red(11, 10), FAR], terrain)
    assert table.go({"to": [11, 10], "z": 4}).legal
    assert table.body().z == 4
    assert table.do("end_phase", None).legal
    # Nothing carries it sideways.
    above = Table([red(11, 10, 4), FAR], terrain)
    assert ids(above.go((12, 10))) == {"MH-MOVE-5"}
    assert above.go({"to": [11, 10], "z": 6}, (13, 10)).legal
    assert above.body().z == 6


def test_mh_ter_1_a_ladder_before_a_wall_is_taken_from_its_foot() -> None:
    terrain = [
        block("B", 10, 16, 4, 16, 3),
        {"id": "ladder", "ladder": {"foot": [10, 10, 0], "head": [10, 10, 3]}},
    ]
    table = Table([red(9.5, 10), FAR], terrain)
    verdict = table.go({"to": [10, 10], "z": 3}, (11, 10))
    assert verdict.legal
    assert verdict.cost == pytest.approx(4, abs=1e-9)
    assert ids(Table([red(9.4, 10), FAR], terrain).go({"to": [10, 10], "z": 3})) != set()


def test_mh_ter_1_stairs_cost_their_true_length() -> None:
    table = Table([red(11, 10, profile="Verminkin"), FAR], [floor(3, 15, 20), STAIRS])
    verdict = table.go((15, 10))
    assert verdict.legal
    assert verdict.cost == pytest.approx(5, abs=1e-9)
    assert table.body().z == pytest.approx(3)
    assert ids(
        Table([red(10.9, 10, profile="Verminkin"), FAR], [floor(3, 15, 20), STAIRS]).go((15, 10))
    )


def test_mh_ter_1_halfway_up_stairs_and_on() -> None:
    table = Table([red(11, 10), FAR], [floor(3, 15, 20), STAIRS])
    assert table.go((13, 10)).legal
    assert table.body().z == pytest.approx(1.5)
    again = Table([red(13, 10, 1.5), FAR], [floor(3, 15, 20), STAIRS])
    verdict = again.go((16, 10))
    assert verdict.cost == pytest.approx(3.5, abs=1e-9)
    assert again.body().z == 3


def test_mh_ter_6_the_low_end_of_stairs_is_crossed_or_stepped_on() -> None:
    """A leg that says its height keeps to the surface it is on if that leads there."""
    terrain = [floor(3, 15, 20), STAIRS]
    level = Table([red(12, 8.5), FAR], terrain).go({"to": [11, 11.5], "z": 0})
    assert level.cost == pytest.approx(math.hypot(1, 3), abs=1e-9)
    over = Table([red(12, 8.5), FAR], terrain).go((11, 11.5))
    assert over.cost > level.cost


def test_mh_move_5_stairs_stand_in_the_way_beside_them() -> None:
    terrain = [floor(3, 15, 20), STAIRS]
    # 3 / 4 of an inch up for an inch along: 1 inch high at x 12.333.
    assert ids(Table([red(14, 8), FAR], terrain).go((14, 12))) == {"MH-TER-6"}
    assert Table([red(11.7, 8), FAR], terrain).go((11.7, 12)).legal


@pytest.mark.parametrize("shut", [False, True])
def test_mh_ter_2_doors_do_not_slow(shut: bool) -> None:
    door: Doc = {"id": "door", "kind": "door", "from": 5, "to": 7, "head": 2, "shut": shut}
    table = Table([red(10, 10), FAR], [wall(5, openings=[door])])
    verdict = table.go((14, 10))
    assert verdict.legal
    assert verdict.cost == pytest.approx(4, abs=1e-9)
    assert "MH-TER-2" in verdict.cites
    assert ids(Table([red(10, 6), FAR], [wall(5, openings=[door])]).go((14, 6))) == {"MH-TER-6"}


def test_mh_ter_2_a_door_narrower_than_the_base_is_none() -> None:
    door: Doc = {"id": "door", "kind": "door", "from": 5.51, "to": 6.49, "head": 2}
    assert ids(Table([red(10, 10), FAR], [wall(5, openings=[door])]).go((14, 10))) == {"MH-MOVE-5"}


def test_mh_ter_2_a_window_is_not_passed() -> None:
    window: Doc = {"id": "w", "kind": "window", "from": 5, "to": 7, "sill": 1, "head": 2}
    assert ids(Table([red(10, 10), FAR], [wall(5, openings=[window])]).go((14, 10))) == {"MH-TER-6"}


def test_mh_ter_2_hatches_do_not_slow() -> None:
    terrain = [
        floor(3, 4, 16, hatches=[rect(9, 11, 9, 11)]),
        {"id": "ladder", "ladder": {"foot": [10, 10, 0], "head": [10, 10, 3]}},
    ]
    table = Table([red(10, 10), FAR], terrain)
    verdict = table.go({"to": [10, 10], "z": 3}, (11, 10))
    assert verdict.legal
    assert verdict.cost == pytest.approx(4, abs=1e-9)
    assert "MH-TER-2" in verdict.cites


# MH-TER-3, -4.


@pytest.mark.parametrize(("far", "legal"), [(2.99, True), (3.0, True), (3.00001, False)])
def test_mh_ter_3_half_speed(far: float, legal: bool) -> None:
    verdict = Table([red(10, 10), FAR], [strip(12, 14)]).go((10 + far, 10))
    assert verdict.legal == legal
    assert ids(verdict) == (set() if legal else {"MH-TER-3"})


@pytest.mark.parametrize(("far", "legal"), [(0.99, True), (1.0, True), (1.00001, False)])
def test_mh_ter_4_quarter_speed(far: float, legal: bool) -> None:
    verdict = Table([red(10, 10), FAR], [strip(8, 14, "crawlhole")]).go((10 + far, 10))
    assert verdict.legal == legal
    assert ids(verdict) == (set() if legal else {"MH-TER-4"})


def test_mh_ter_4_the_largest_factor_where_areas_overlap() -> None:
    terrain = [strip(10, 14), strip(10.5, 11, "crawlhole")]
    verdict = Table([red(10, 10), FAR], terrain).go((11, 10))
    assert verdict.cost == pytest.approx(0.5 * 2 + 0.5 * 4, abs=1e-9)


def test_mh_ter_3_whole_move_counts_the_worst_ground_for_all() -> None:
    table = Table([red(10, 10), FAR], [strip(11, 11.5)], difficult_mode="whole_move")
    verdict = table.go((12, 10))
    assert verdict.legal
    assert verdict.cost == pytest.approx(4, abs=1e-9)
    slower = Table([red(10, 10), FAR], [strip(11, 11.5)], difficult_mode="whole_move")
    assert ids(slower.go((12.1, 10))) == {"MH-TER-3"}


def test_mh_ter_3_a_steep_roof_is_slow_and_longer() -> None:
    roof: Doc = {
        "id": "roof",
        "ramp": {"foot": [10, 10, 0], "head": [14, 10, 3], "width": 4},
        "traits": ["difficult"],
    }
    verdict = Table([red(10, 10), FAR], [roof, floor(3, 14, 18)]).go((11.6, 10))
    assert verdict.legal
    assert verdict.cost == pytest.approx(2 * 1.6 * 1.25, abs=1e-9)


def test_mh_ter_3_rubble_on_the_table_does_not_slow_upstairs() -> None:
    terrain = [strip(11, 15), block("B", 8, 20, 4, 16, 3)]
    assert Table([red(10, 10, 3), FAR], terrain).go((14, 10)).cost == pytest.approx(4)


def test_mh_ter_3_rubble_under_stairs_does_not_slow_on_them() -> None:
    terrain = [floor(3, 15, 20), STAIRS, strip(12, 14)]
    verdict = Table([red(11, 10), FAR], terrain).go((14, 10))
    assert verdict.cost == pytest.approx(3.75, abs=1e-9)


def test_mh_ter_3_along_the_border_is_outside() -> None:
    assert Table([red(12, 10), FAR], [strip(12, 14)]).go((12, 14)).cost == pytest.approx(4)


# MH-TER-5, -6.


@pytest.mark.parametrize(
    ("height", "option", "legal"),
    [
        (0.99, "lt", True),
        (1.0, "lt", False),
        (1.0, "le", True),
        (1.00001, "le", False),
    ],
)
def test_mh_ter_6_barriers_below_an_inch(height: float, option: str, legal: bool) -> None:
    table = Table([red(10, 10), FAR], [wall(height)], low_limit=option)
    verdict = table.go((14, 10))
    assert ids(verdict) == (set() if legal else {"MH-TER-6"})
    if legal:
        assert verdict.cost == pytest.approx(4, abs=1e-9)
        assert "MH-TER-5" in verdict.cites


def test_mh_ter_6_nobody_stands_across_a_barrier() -> None:
    assert ids(Table([red(10, 10), FAR], [wall(0.75)]).go((12.3, 10))) == {"MH-MOVE-5"}
    assert Table([red(10, 10), FAR], [wall(0.75)]).go((12.6, 10)).legal


def test_mh_ter_6_a_low_box_is_stood_on() -> None:
    box: Doc = {"id": "box", "kind": "crate", "shape": rect(12, 14, 9, 11)}
    table = Table([red(10, 10), FAR], [box])
    verdict = table.go((13, 10))
    assert verdict.legal
    assert verdict.cost == pytest.approx(3, abs=1e-9)
    assert table.body().z == pytest.approx(0.8)
    assert Table([red(13, 10, 0.8), FAR], [box]).go((16, 10)).legal


def test_mh_ter_6_parapets_count_from_the_floor_they_stand_on() -> None:
    parapet: Doc = {"id": "p", "wall": [[12, 4], [12, 16]], "height": 0.9, "base_height": 4}
    terrain = [block("B", 8, 20, 4, 16, 4), parapet]
    assert Table([red(10, 10, 4), FAR], terrain).go((14, 10)).legal
    high = {**parapet, "height": 1.0}
    assert ids(Table([red(10, 10, 4), FAR], [terrain[0], high]).go((14, 10))) == {"MH-TER-6"}


# MH-MOVE-5.


def test_mh_move_5_over_an_edge() -> None:
    table = Table([red(9, 10, 4), FAR], [block("B", 4, 10, 4, 16, 4)])
    verdict = table.go((11, 10))
    assert ids(verdict) == {"MH-MOVE-5"}
    (finding,) = verdict.findings
    assert finding.measured == pytest.approx(4)
    assert finding.place == pytest.approx((10, 10))
    assert table.go((10, 10)).legal  # the centre may be on the edge


def test_mh_move_5_along_an_edge() -> None:
    assert Table([red(10, 8, 4), FAR], [block("B", 4, 10, 4, 16, 4)]).go((10, 12)).legal


def test_mh_move_5_along_an_edge_and_past_its_corner() -> None:
    verdict = Table([red(10, 14, 4), FAR], [block("B", 4, 10, 4, 16, 4)]).go((10, 17))
    assert ids(verdict) == {"MH-MOVE-5"}
    assert verdict.findings[0].place == pytest.approx((10, 16))


def test_mh_move_5_the_table_bounds_the_centre() -> None:
    assert Table([red(2, 10), FAR]).go((0, 10)).legal
    assert ids(Table([red(2, 10), FAR]).go((-0.1, 10))) == {"MH-MOVE-5"}


def test_mh_move_5_into_a_solid() -> None:
    terrain = [block("B", 12, 16, 4, 16, 4)]
    assert Table([red(10, 10), FAR], terrain).go((11.5, 10)).legal
    verdict = Table([red(10, 10), FAR], terrain).go((11.6, 10))
    assert ids(verdict) == {"MH-MOVE-5"}
    assert verdict.findings[0].measured == pytest.approx(0.1)


def test_mh_move_5_round_things() -> None:
    column: Doc = {
        "id": "c",
        "kind": "column",
        "shape": {"circle": {"centre": [12, 10], "radius": 1}},
    }
    assert ids(Table([red(12, 7), FAR], [column]).go((12, 8.6))) == {"MH-MOVE-5"}
    # Along the tangent at 45 degrees.
    far = 1.5 * math.sqrt(2)
    table = Table([red(12 - far, 10), FAR], [column])
    assert table.go((12, 10 + far)).legal
    table = Table([red(12 - far + 1e-5, 10), FAR], [column])
    assert ids(table.go((12, 10 + far - 1e-5))) == {"MH-MOVE-5"}


def test_mh_move_5_nobody_begins_inside_a_wall() -> None:
    with pytest.raises(DocumentError, match=r"stands 0\.3 in inside 'wall'"):
        Table([red(11.7, 10), FAR], [wall(2)])
    assert Table([red(11.4, 10), FAR], [wall(2)]).go((11, 10)).legal
    assert Table([red(11.7, 10), FAR], [wall(0.9)]).go((11, 10)).legal


def test_mh_move_5_bridges_are_walked_under_and_over() -> None:
    bridge = floor(3, 11, 13, 8, 12, kind="bridge")
    terrain = [block("B", 4, 11, 4, 16, 3), block("C", 13, 20, 4, 16, 3), bridge]
    assert Table([red(10, 10, 3), FAR], terrain).go((14, 10)).legal
    under = [floor(3, 8, 16, 8, 12, kind="bridge"), block("B", 16, 20, 8, 12, 3)]
    assert Table([red(12, 6), FAR], under).go((12, 10)).legal
    low = [floor(1.2, 8, 16, 8, 12), STAIRS]
    assert not Table([red(12, 6), FAR], [low[0], block("B", 16, 20, 8, 12, 1.2)]).go((12, 10)).legal


def test_mh_move_5_holes_carry_nobody() -> None:
    terrain = [
        floor(3, 4, 16, holes=[rect(9, 11, 9, 11)]),
        block("B", 16, 20, 4, 16, 3),
    ]
    assert ids(Table([red(8, 10, 3), FAR], terrain).go((10, 10))) == {"MH-MOVE-5"}
    assert Table([red(8, 10, 3), FAR], terrain).go((8, 12)).legal


def test_a_move_to_a_height_that_is_not_there_is_refused() -> None:
    verdict = Table([red(10, 10), FAR]).go({"to": [12, 10], "z": 2})
    assert ids(verdict) == {"MH-MOVE-5"}


def test_unknown_manners_of_going_are_refused() -> None:
    assert ids(Table([red(10, 10), FAR]).go({"to": [12, 10], "how": "fly"})) == {"MH-MOVE-5"}


def test_arcs_are_walked_by_their_length() -> None:
    table = Table([red(10, 10), FAR], [strip(10, 20)])
    verdict = table.go({"centre": [10, 11], "by": 180.0})
    assert not verdict.legal
    verdict = Table([red(10, 10), FAR]).go({"centre": [10, 11], "by": 180.0})
    assert verdict.cost == pytest.approx(math.pi, abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "opening", "clause", "said"),
    [
        (
            "window",
            {"sill": 0.5, "head": 2.4},
            "MH-TER-6",
            "wall has a window there, which lets nobody through.",
        ),
        (
            "door",
            {"head": 1.0},
            "MH-MOVE-5",
            "wall leaves 1 in of height; A needs 1.25 in.",
        ),
        (
            "window",
            {"sill": 1.5, "head": 2.4},
            "MH-TER-6",
            "wall rises 1.5 in; only what is lower than 1 in",
        ),
    ],
)
def test_mh_move_5_and_ter_6_say_what_an_opening_lacks(
    kind: str, opening: Doc, clause: str, said: str
) -> None:
    gap = {"id": "o", "kind": kind, "from": 5, "to": 7, **opening}
    wall = {"id": "wall", "wall": [[15, 4], [15, 16]], "thickness": 0.2, "height": 3}
    verdict = Table([red(14.2, 10)], [{**wall, "openings": [gap]}]).go((16, 10))
    assert ids(verdict) == {clause}
    assert verdict.findings[0].text.startswith(said)


@pytest.mark.parametrize("foot", [9.0, 10.0])
def test_mh_move_5_nobody_climbs_a_ladder_through_a_friend_on_it(foot: float) -> None:
    corners = [[10, 8], [16, 8], [16, 12], [10, 12]]
    deck: Doc = {"id": "deck", "kind": "platform", "z": 6, "floor": {"polygon": corners}}
    ladder: Doc = {"id": "l", "ladder": {"foot": [foot, 10, 0], "head": [10, 10, 6]}}
    runner = red(foot, 10, profile="Night Runner")
    friend = red(0.5 * (foot + 10), 10, 3, body_id="A2")
    up = {"to": [10, 10], "z": 6}
    for option, legal in (("none", False), ("friends", True)):
        table = Table([runner, friend, blue(40, 40)], [deck, ladder], pass_through=option)
        verdict = table.go(up)
        assert verdict.legal is legal
        if not legal:
            (finding,) = verdict.findings
            assert (finding.clause, finding.about) == ("MH-MOVE-5", "A2")
            assert finding.travelled == pytest.approx(2.0, abs=1e-5)
            assert table.go({"to": [foot + (10 - foot) / 3, 10], "z": 2}).legal


@pytest.mark.parametrize(
    ("y", "clause", "measured"), [(10.0, "MH-TER-6", 2.0), (12.3, "MH-MOVE-5", 0.2)]
)
@pytest.mark.parametrize(("slit", "told"), [(0.0, ["front"]), (0.01, ["front", "back"])])
def test_a_block_cut_in_two_is_told_once(
    y: float, clause: str, measured: float, slit: float, told: list[str]
) -> None:
    parts = [block("back", 13 + slit, 15, 8, 12, 2), block("front", 11, 13, 8, 12, 2)]
    verdict = Table([red(10, y), FAR], parts).go((14, y))
    assert sorted((f.about or "" for f in verdict.findings), reverse=True) == told
    for finding in verdict.findings:
        assert finding.clause == clause
        assert finding.measured == pytest.approx(measured)
