"""Reach by closed forms, on tables made for it; borders against membership; errors."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tapeline as tl
from tapeline.analysis.contours import contours, cut, disc, rings_area
from tapeline.analysis.reach import Reach
from tapeline.geometry.discs.reach import inside_rings
from tapeline.play.battle import Battle

EXAMPLES = Path(__file__).parents[2] / "examples"
#: Radius of a 25 mm base, inches.
R = 12.5 / 25.4


def battle(
    *models: tuple[str, str, float, float],
    terrain: tuple[dict[str, Any], ...] = (),
    profile: str = "Azeb",
    **options: str,
) -> Battle:
    return tl.load(
        {
            "format": "tapeline-scene/1",
            "system": "trench-crusade",
            "options": options,
            "table": {"width": 40, "depth": 40, "unit": "in"},
            "terrain": list(terrain),
            "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
            "models": [
                {"id": i, "side": side, "position": [x, y], "profile": profile, "facing": 0}
                for i, side, x, y in models
            ],
            "turn": {"round": 1, "active": "red", "progress": {"actor": models[0][0]}},
        }
    )


def polygon(name: str, kind: str, *corners: tuple[float, float]) -> dict[str, Any]:
    return {"id": name, "kind": kind, "shape": {"polygon": [list(c) for c in corners]}}


A = ("a", "red", 20.0, 20.0)


def test_open_ground_is_a_disc() -> None:
    reach = battle(A).reach("a")
    assert reach.findings == ()
    assert reach.allowance == 6.0
    assert reach.contains((26.0, 20.0))
    assert reach.contains((26.0 + 5e-7, 20.0))
    assert not reach.contains((26.00001, 20.0))
    assert reach.cost((23.0, 24.0)) == pytest.approx(5.0, abs=1e-9)
    assert reach.outline(1e-4).area == pytest.approx(math.pi * 36.0, rel=1e-4)
    assert reach.area == pytest.approx(math.pi * 36.0, rel=1e-3)


def test_the_way_round_a_wall_is_two_tangents_and_an_arc() -> None:
    wall = polygon("w", "wall", (22, 15), (23, 15), (23, 20), (22, 20))
    reach = battle(A, terrain=(wall,)).reach("a")
    # Round the corners (22, 20) and (23, 20), each grown by the radius.
    d = 2.0
    tangent, turn = math.sqrt(d * d - R * R), math.asin(R / d)
    expected = 2 * tangent + 2 * R * turn + 1.0
    assert reach.cost((25.0, 20.0)) == pytest.approx(expected, abs=1e-9)


def test_a_friend_may_be_crossed_but_not_stopped_on() -> None:
    reach = battle(A, ("f", "red", 23.0, 20.0)).reach("a")
    assert not reach.contains((23.0, 20.0))
    assert reach.cost((23.0, 20.0)) == pytest.approx(3.0)
    assert reach.excludes((23.0, 20.9))
    assert reach.cost((25.9, 20.0)) == pytest.approx(5.9, abs=1e-9)
    whole = math.pi * 36.0 - math.pi * (2 * R) ** 2
    assert reach.outline(1e-4).area == pytest.approx(whole, rel=1e-3)


def test_the_zone_of_an_enemy_is_gone_round() -> None:
    reach = battle(A, ("e", "blue", 24.0, 20.0)).reach("a")
    zone = 2 * R + 1.0
    assert not reach.contains((24.0 - zone + 1e-4, 20.0))
    assert reach.contains((24.0 - zone - 1e-4, 20.0))
    assert reach.cost((20.0, 25.0)) == pytest.approx(5.0)
    assert not reach.contains((26.0, 20.0))


def test_held_by_an_enemy_it_stays_near() -> None:
    fight = battle(A, ("e", "blue", 21.5, 20.0))
    zone = 2 * R + 1.0
    reach = fight.reach("a")
    assert reach.contains((21.5 - zone + 1e-6, 20.0))
    assert not reach.contains((21.5 - zone - 1e-4, 20.0))
    area = math.pi * (zone**2 - (2 * R) ** 2)
    assert reach.outline(1e-4).area == pytest.approx(area, rel=2e-3)
    away = fight.reach("a", "retreat")
    assert not away.contains((19.6, 20.0))
    assert away.contains((15.0, 20.0))


def test_a_retreat_straight_away_is_a_line() -> None:
    fight = battle(A, ("e", "blue", 21.5, 20.0), retreat_direction="directly_away")
    reach = fight.reach("a", "retreat")
    assert reach.contains((15.0, 20.0))
    assert not reach.contains((15.0, 20.1))
    assert reach.outline().rings == ()


def test_slow_ground_costs_as_snell_says() -> None:
    slow = polygon("m", "mud", (21, 5), (39, 5), (39, 35), (21, 35))
    reach = battle(A, terrain=(slow,)).reach("a")
    way = reach.route((22.0, 23.0))
    assert way is not None
    least = min(
        math.hypot(1.0, t) + 2.0 * math.hypot(1.0, 3.0 - t) for t in (k / 1e4 for k in range(30001))
    )
    assert way.lower - 1e-9 <= least <= way.cost + 1e-9
    assert way.gap <= 0.001 + 1e-9
    assert reach.cost((23.5, 20.0)) == pytest.approx(6.0, abs=1e-6)
    assert not reach.contains((23.51, 20.0))


def test_hazards_are_named() -> None:
    wire = polygon("w", "wire", (21, 5), (22, 5), (22, 35), (21, 35))
    way = battle(A, terrain=(wire,)).reach("a").route((24.0, 20.0))
    assert way is not None
    assert way.hazards == ("w",)


@pytest.mark.parametrize("slow", [False, True])
def test_borders_and_membership_agree(slow: bool) -> None:
    terrain = [polygon("w", "wall", (22, 15), (23, 15), (23, 22), (22, 22))]
    if slow:
        terrain.append(polygon("m", "mud", (16, 21), (19, 21), (19, 24), (16, 24)))
    reach = battle(
        A, ("f", "red", 19.0, 18.0), ("e", "blue", 17.0, 28.0), terrain=tuple(terrain)
    ).reach("a")
    border = reach.outline(0.001)
    assert (border.resolution is not None) == slow
    assert border.area == pytest.approx(rings_area(border.rings))
    rng = Random(5)
    count = wrong = 0
    for _ in range(300):
        p = (rng.uniform(13.5, 26.5), rng.uniform(13.5, 26.5))
        count += 1
        wrong += inside_rings(border.rings, *p) != reach.contains(p)
    assert wrong <= (count // 50 if slow else 0)


def test_a_dearer_band_holds_the_cheaper_ones() -> None:
    reach = battle(A, ("f", "red", 19.0, 18.0)).reach("a")
    areas = [band.area for band in reach.bands((2.0, 4.0, 6.0))]
    assert areas == sorted(areas)
    assert areas[0] > 0.0


def test_routes_may_take_several_moves_and_lead_to_bodies() -> None:
    table = battle(A, ("e", "blue", 35.0, 20.0), ("f", "red", 20.0, 30.0))
    way = table.route("a", "e")
    assert way is not None
    assert way.cost == pytest.approx(15.0 - 2 * R - 1.0, abs=1e-5)
    way = table.route("a", "f")
    assert way is not None
    assert way.cost == pytest.approx(10.0 - 2 * R, abs=1e-5)
    far = table.route("a", (20.0, 5.0))
    assert far is not None
    assert far.cost == pytest.approx(15.0)
    assert table.route("a", (20.0, 5.0), limit=6.0) is None
    assert table.route("a", (35.0, 20.0)) is None


def test_errors_say_what_is_wrong() -> None:
    table = battle(A)
    with pytest.raises(tl.UnknownIdError):
        table.reach("nobody")
    with pytest.raises(tl.DocumentError, match="move, dash, retreat"):
        table.reach("a", "fly")
    reach = table.reach("a")
    with pytest.raises(tl.ShapeError):
        reach.contains((math.nan, 0.0))
    with pytest.raises(tl.ShapeError):
        reach.outline(0.0)
    regiments = tl.load(EXAMPLES / "sovl-ford.json")
    with pytest.raises(tl.DocumentError, match="advance and pivot"):
        regiments.reach(next(iter(regiments.state.bodies)))


def test_contours_of_a_ring_and_of_two_discs() -> None:
    box = (-3.0, -3.0, 3.0, 3.0)
    (rings,) = contours(lambda x, y: abs(math.hypot(x, y) - 1.5), box, 0.1, [0.5], 1e-6)
    assert len(rings) == 2
    assert rings_area(rings) == pytest.approx(3.0 * math.pi, rel=1e-3)

    def nearer(x: float, y: float) -> float:
        return min(math.hypot(x - 1, y - 1), math.hypot(x + 1, y + 1))

    apart, joined = contours(nearer, box, 0.3, [1.40, 1.43], 1e-6)
    assert (len(apart), len(joined)) == (2, 1)


def test_a_flyer_crosses_deep_water_and_does_not_end_on_it() -> None:
    r = 20 / 25.4
    water = polygon("p", "deep water", (22, 10), (25, 10), (25, 30), (22, 30))
    table = battle(A, terrain=(water,), profile="Herald of Beelzebub")
    reach = table.reach("a")
    for x, ends in ((22 - r, True), (22 - r + 1e-4, False), (25 + r - 1e-4, False), (25 + r, True)):
        assert reach.contains((x, 20.0)) is ends
        assert reach.excludes((x, 20.0)) is not ends
        action = {"kind": "move", "actor": "a", "path": [{"to": [x, 20.0]}]}
        assert table.judge(action).legal is ends

    def left_of(x: float) -> float:  # area of the disc of 10 in between its middle and a chord
        return x * math.sqrt(100 - x * x) + 100 * math.asin(x / 10)

    lost = left_of(5 + r) - left_of(2 - r)
    outline = reach.outline(1e-4)
    assert outline.area == pytest.approx(100 * math.pi - lost, abs=60 * outline.eps)


def test_cutting_a_disc_from_a_square() -> None:
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    for x, y, share in ((0.0, 0.0, 0.25), (2.0, 0.0, 0.5), (2.0, 2.0, 1.0)):
        out = cut([square], disc(x, y, 1.0, 1e-6), keep=False)
        kept = cut([square], disc(x, y, 1.0, 1e-6), keep=True)
        assert rings_area(out) == pytest.approx(16.0 - share * math.pi, abs=1e-4)
        assert rings_area(kept) == pytest.approx(share * math.pi, abs=1e-4)
    assert cut([square], disc(9.0, 9.0, 1.0, 1e-6), keep=True) == []
    (left,) = cut([square], disc(9.0, 9.0, 1.0, 1e-6), keep=False)
    assert sorted(left) == sorted(square)


def test_an_unready_body_has_a_reach_and_the_reason() -> None:
    table = battle(A, ("b", "red", 10.0, 10.0))
    reach: Reach = table.reach("b")
    assert [finding.clause for finding in reach.findings] == ["TC-ACT-10"]
    assert reach.contains((13.0, 10.0))
