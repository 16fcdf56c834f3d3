"""MH-CHG-6, -8, -11, -14: where a charge may end, crates included, and where a failed one does."""

from __future__ import annotations

import math

import pytest

from clauses.mordheim.staging import Doc, Table, blue, ids, red


def crate(x: float, y: float, wide: float, deep: float, turn: float = 0.0) -> Doc:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    halves = [(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)]
    ring = [[x + 0.5 * (c * a - s * b), y + 0.5 * (s * a + c * b)] for a, b in halves]
    return {"id": "box", "kind": "crate", "height": 0.8, "shape": {"polygon": ring}}


@pytest.mark.parametrize("turn", [0, 15, 40])
@pytest.mark.parametrize(("wide", "top"), [(2.3, True), (1.2, False)])
def test_mh_chg_8_an_enemy_on_a_crate(turn: float, wide: float, top: bool) -> None:
    """On top where there is room; else across it, square to a side or through a corner."""
    models = [red(10, 10), blue(15, 10, 0.8)]
    table = Table(models, [crate(15, 10, wide, wide, turn)], step="declarations")
    verdict = table.charge("E")
    assert table.mark("engaged") == ["E"]
    assert table.body().z == (0.8 if top else 0.0)
    off = 0.5 * wide
    places = [
        (15 + far * math.cos(angle), 10 + far * math.sin(angle))
        for far, first in ((off + 0.5, turn), (off * math.sqrt(2.0) + 0.5, turn + 45))
        for angle in (math.radians(first + 90 * k) for k in range(4))
    ]
    across = min(math.dist(place, (10, 10)) for place in places)
    assert verdict.value("spent") == pytest.approx(4.0 if top else across)


@pytest.mark.parametrize(
    ("edge", "x", "z"), [(14.1, 13.6, 0.0), (14.0, 14.0, 0.8), (13.9, 14.0, 0.8)]
)
def test_mh_chg_11_ends_against_a_crate_or_on_its_edge(edge: float, x: float, z: float) -> None:
    """4 inches lead to 14: short of the edge, on it, or beyond."""
    table = Table(
        [red(10, 10), blue(30, 10)], [crate(edge + 1.0, 10, 2.0, 2.0)], step="declarations"
    )
    table.charge("E")
    assert (table.body().x, table.body().z) == pytest.approx((x, z))


@pytest.mark.parametrize("height", [0.5, 0.999])
@pytest.mark.parametrize("base", [{"round": 1}, {"rectangle": [1, 1]}, {"rectangle": [0.8, 1.6]}])
def test_mh_chg_11_ends_against_a_low_wall(height: float, base: Doc) -> None:
    wall: Doc = {"id": "w", "wall": [[14, 8], [14, 12]], "thickness": 0.2, "height": height}
    models = [red(10, 10, base=base), blue(30, 10)]
    table = Table(models, [wall], step="declarations")
    verdict = table.charge("E")
    ahead = 0.5 * base["rectangle"][1] if "rectangle" in base else 0.5
    if base.get("rectangle") == [0.8, 1.6]:
        ahead = 0.4  # a quarter turn gets it nearer
    assert verdict.value("spent") == pytest.approx(3.9 - ahead)


def test_mh_chg_13_nobody_else_ends_where_a_crate_keeps_the_bases_apart() -> None:
    small, large = crate(15, 10, 1.2, 1.2), crate(15, 10, 2.4, 2.4)
    path = (13.9, 10)
    assert ids(Table([red(11, 10), blue(15, 10, 0.8)], [small]).go(path)) == {"MH-CHG-13"}
    beside = Table([red(11, 10), blue(15, 10, 0.8)], [large]).go((13.3, 10))
    assert beside.legal, "there is room on top: against the crate it is not in contact"


@pytest.mark.parametrize("named", [["E1", "E2", "E3"], ["E2", "E1", "E3"], ["E3", "E2", "E1"]])
def test_mh_chg_14_the_one_named_first_goes_before_more_of_them(named: list[str]) -> None:
    """E1 and E2 can be touched together, E3 only alone."""
    models = [
        red(10, 10),
        blue(15, 9.4, body_id="E1"),
        blue(15, 10.6, body_id="E2"),
        blue(10, 14, body_id="E3"),
    ]
    table = Table(models, step="declarations")
    table.charge(*named)
    wanted = ["E3"] if named[0] == "E3" else ["E1", "E2"]
    assert sorted(table.mark("engaged")) == wanted


@pytest.mark.parametrize(("gap", "success"), [(7.999, True), (8.0, True), (8.001, False)])
def test_mh_chg_6_squares_corner_to_corner(gap: float, success: bool) -> None:
    square = {"rectangle": [1, 1]}
    off = 1.0 + gap / math.sqrt(2.0)
    models = [red(10, 10, base=square), blue(10 + off, 10 + off, base=square)]
    table = Table(models, step="declarations")
    verdict = table.charge("E")
    assert (table.mark("charge") == "success") is success
    assert verdict.value("spent") == pytest.approx(gap if success else 4.0)


@pytest.mark.parametrize(("x", "room"), [(12.4999985, True), (12.499, False)])
def test_mh_move_5_a_path_ends_exactly_on_an_edge(x: float, room: bool) -> None:
    """Within the tolerance of the edge at 12.4999990 it is on it."""
    terrain = [crate(13.499999, 10, 2.0, 2.0)]
    for z in (None, 0.8):
        leg: Doc = {"to": [x, 10]} if z is None else {"to": [x, 10], "z": z}
        table = Table([red(10, 10)], terrain)
        verdict = table.go(leg)
        assert verdict.legal is room
        assert table.body().z == (0.8 if room else 0.0)


@pytest.mark.parametrize(("over", "deep"), [(0.0, 0.5), (0.2, 0.3), (0.5, 0.0), (0.8, 0.0)])
def test_mh_jump_a_charge_lands_at_the_least_distance(over: float, deep: float) -> None:
    """The floor reaches so far over the wall below; the landing is as far off as the wall asks."""
    terrain: list[Doc] = [
        {
            "id": "f",
            "floor": {"polygon": [[4, 4], [10, 4], [10, 16], [4, 16]]},
            "z": 3,
            "thickness": 0.1,
        },
        {
            "id": "wall",
            "wall": [[9.9 - over, 4], [9.9 - over, 16]],
            "thickness": 0.2,
            "height": 2.9,
        },
        {"id": "l", "ladder": {"foot": [3.7, 5, 0], "head": [4.3, 5, 3]}},
    ]
    table = Table([red(9, 10, 3), blue(14, 10)], terrain, step="declarations")
    verdict = table.charge("E", dice=[[1]])
    assert table.mark("engaged") == ["E"]
    assert verdict.value("spent") == pytest.approx(1.0 + 3.0 - deep)
