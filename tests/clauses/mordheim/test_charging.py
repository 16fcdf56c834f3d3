"""MH-CHG, MH-DIVE: declarations, charges that get there, fall short, or never begin."""

from __future__ import annotations

import math

import pytest

from clauses.mordheim.staging import Doc, Table, block, blue, ids, red, strip
from tapeline.rules.mordheim import SYSTEM

TALL = {"id": "tall", "wall": [[12, 10], [12, 14]], "thickness": 0.2, "height": 5}


@pytest.mark.parametrize(
    ("gap", "result"), [(7.99, "success"), (8.0, "success"), (8.001, "failed")]
)
def test_mh_chg_6_range(gap: float, result: str) -> None:
    table = Table([red(10, 10), blue(11 + gap, 10)], step="declarations")
    verdict = table.charge("E")
    assert table.mark("charge") == result
    spent = gap if result == "success" else 4.0
    assert verdict.value("spent") == pytest.approx(spent, abs=1e-6)
    assert table.body().x == pytest.approx(10 + spent, abs=1e-6)
    assert (table.mark("engaged") == ["E"]) == (result == "success")


def test_mh_chg_11_is_not_optional() -> None:
    table = Table([red(10, 10), blue(30, 10)], step="declarations")
    assert table.do("declare_charge", targets=["E"]).legal
    assert table.do("close_declarations", None).legal
    assert ids(table.do("end_phase", None)) == {"MH-PHASE-1", "MH-MOVE-3"}
    assert ids(table.go((10, 11))) == {"MH-PHASE-1"}
    assert table.do("charge").legal
    assert ids(table.go((15, 10))) == {"MH-PHASE-4"}


def test_mh_chg_1_declares_once() -> None:
    table = Table([red(10, 10), blue(15, 10), blue(10, 15, body_id="E2")], step="declarations")
    assert table.do("declare_charge", targets=["E"]).legal
    assert ids(table.do("declare_charge", targets=["E2"])) == {"MH-CHG-1"}


@pytest.mark.parametrize(("x", "refused"), [(15.99, False), (16.0, False), (16.001, True)])
def test_mh_chg_4_within_4_inches(x: float, refused: bool) -> None:
    table = Table([red(11, 11), blue(x, 11)], [TALL], step="declarations")
    verdict = table.do("declare_charge", targets=["E"])
    assert ids(verdict) == ({"MH-CHG-4"} if refused else set())
    assert refused == (verdict.ask is None)
    for finding in verdict.findings:
        assert finding.measured is None, "the distance is not told"


@pytest.mark.parametrize(("face", "noticed"), [(3, True), (4, False)])
def test_mh_chg_4_and_5_the_test(face: int, noticed: bool) -> None:
    table = Table([red(11, 11), blue(13, 11)], [TALL], step="declarations")
    assert table.do("declare_charge", "A", [face], targets=["E"]).legal
    assert table.mark("charge") == ("declared" if noticed else "unnoticed")
    if noticed:
        return
    assert ids(table.do("declare_charge", targets=["E"])) == {"MH-CHG-5"}
    assert table.do("close_declarations", None).legal
    assert "MH-CHG-5" in ids(table.go((6, 11), run=True))
    assert table.go((7, 11)).legal
    assert table.do("end_phase", None).legal
    assert table.do("shoot").legal


def test_mh_chg_12_and_16() -> None:
    table = Table([red(10, 10), blue(30, 10)], step="declarations")
    table.charge("E")
    table.do("end_phase", None)
    assert ids(table.do("shoot")) == {"MH-CHG-12", "MH-SHOOT-1"}
    assert table.do("cast").legal
    table = Table([red(10, 10), blue(15, 10)], step="declarations")
    table.charge("E")
    assert table.mark("strikes_first") is True


def test_mh_chg_14_an_undeclared_enemy_that_is_touched_is_fought() -> None:
    stunned = blue(15, 11, body_id="E2", state={"condition": "stunned"})
    table = Table([red(10, 10), blue(16, 10), stunned], step="declarations")
    table.charge("E")
    assert table.body().centre == pytest.approx((15.0, 10.0))
    assert table.mark("engaged") == ["E", "E2"]


def test_a_failed_charge_never_ends_in_contact() -> None:
    """The way towards the target passes a stunned enemy; it stops short of it."""
    stunned = blue(15, 10, body_id="E2", state={"condition": "stunned"})
    table = Table([red(10, 10), stunned, blue(24, 10)], step="declarations")
    table.charge("E")
    assert table.mark("charge") == "failed"
    assert table.mark("engaged") is None


def test_mh_dive_bonus_needs_a_landing_close_by() -> None:
    for x, bonus in ((12.0, True), (13.5, True), (13.51, False)):
        table = Table(
            [red(9, 10, 4), blue(x, 10)], [block("R", 4, 10, 4, 16, 4)], step="declarations"
        )
        assert table.do("declare_charge", targets=["E"], dive=True).legal
        assert table.do("close_declarations", None).legal
        assert table.do("charge", "A", [1], [1]).legal
        assert table.mark("charge") == "success"
        assert bool(table.mark("dive_bonus")) == bonus


def test_mh_dive_needs_two_inches() -> None:
    table = Table(
        [red(9, 10, 1.5), blue(12, 10)], [block("R", 4, 10, 4, 16, 1.5)], step="declarations"
    )
    assert table.do("declare_charge", targets=["E"], dive=True).legal
    assert table.do("close_declarations", None).legal
    assert table.do("charge").legal
    assert table.mark("charge") == "success"
    assert table.mark("dive_bonus") is None


def test_mh_dive_4_a_fallen_diver_does_not_charge() -> None:
    table = Table([red(9, 10, 4), blue(12, 10)], [block("R", 4, 10, 4, 16, 4)], step="declarations")
    assert table.do("declare_charge", targets=["E"], dive=True).legal
    assert table.do("close_declarations", None).legal
    verdict = table.do("charge", "A", [4], [1], [1])
    assert "MH-DIVE-4" in verdict.cites
    assert table.mark("charge") == "failed"
    assert table.mark("engaged") is None
    assert table.body().z == 0.0


def test_mh_dive_4_who_falls_in_an_ordinary_charge_has_not_dived() -> None:
    roofs = [block("R", 4, 10, 4, 16, 4), block("G", 13, 19, 4, 16, 4)]
    for enemy, terrain in ((blue(16, 10, 4), roofs), (blue(13, 14), roofs[:1])):
        table = Table([red(9, 10, 4), enemy], terrain, step="declarations")
        verdict = table.charge("E", dice=([4], [1], [1]))
        assert table.mark("fallen")
        assert table.mark("charge") == "failed"
        assert "MH-DIVE-4" not in verdict.cites


def test_mh_chg_6_slow_ground_counts() -> None:
    table = Table([red(10, 10), blue(18, 10)], [strip(13, 14.1)], step="declarations")
    table.charge("E")
    assert table.mark("charge") == "failed"
    assert table.body().x == pytest.approx(13.5, abs=1e-6)


def test_mh_psy_1_fear() -> None:
    for dice, result in (([3, 4], "declared"), ([4, 4], "failed")):
        table = Table([red(10, 10), blue(15, 10, profile="Zombie")], step="declarations")
        assert table.do("declare_charge", "A", dice, targets=["E"]).legal
        assert table.mark("charge") == result
    table = Table(
        [red(10, 10, profile="Ghoul"), blue(15, 10, profile="Zombie")], step="declarations"
    )
    assert table.do("declare_charge", targets=["E"]).ask is None


def test_mh_psy_2_frenzy_charges_what_is_in_range() -> None:
    frenzied = {"like": "Mercenary Warrior", "frenzy": True}
    for x, result in ((18.9, "declared"), (19.1, None)):
        table = Table([red(10, 10, profile=frenzied), blue(x, 10)], step="declarations")
        assert table.do("close_declarations", None).legal
        assert table.mark("charge") == result


def test_the_nearest_charge_is_the_most_direct_one() -> None:
    table = Table([red(10, 10), blue(18, 10)], step="declarations")
    assert table.do("declare_charge", targets=["E"]).legal
    assert table.do("close_declarations", None).legal
    verdict = table.do("charge", path=[{"to": [14, 8]}, {"to": [17, 10]}])
    assert ids(verdict) == {"MH-CHG-6"}
    assert verdict.nearest is not None
    assert dict(verdict.nearest.action) == {"kind": "charge", "actor": "A"}
    assert table.do("charge").legal


@pytest.mark.parametrize("angle", [0, 20, 45, 90, 133])
def test_mh_chg_6_a_long_base_takes_the_shorter_of_two_facings(angle: float) -> None:
    """As it stands, or a quarter turn from it: the way is the gap that is left."""
    turn = math.radians(angle)
    dx, dy = 7 * math.cos(turn), 7 * math.sin(turn)
    dog = red(10, 20, profile="Warhound", base={"rectangle": [1, 2]})
    table = Table([dog, blue(10 + dx, 20 + dy)], step="declarations")
    verdict = table.charge("E")
    assert table.mark("engaged") == ["E"]
    gaps = {
        facing: math.hypot(max(0.0, abs(dx) - a), max(0.0, abs(dy) - b)) - 0.5
        for facing, a, b in ((0, 1.0, 0.5), (90, 0.5, 1.0))
    }
    facing = min(gaps, key=lambda f: gaps[f])
    assert verdict.value("spent") == pytest.approx(gaps[facing])
    assert math.remainder(table.body().facing - facing, 180) == pytest.approx(0.0, abs=1e-6)


def test_a_declared_target_never_intercepts() -> None:
    """E2 stands beside the route, out of touch at its end; undeclared it would bar the way."""
    models = [red(10, 10), blue(18, 10), blue(14, 12, body_id="E2")]
    table = Table(models, step="declarations")
    assert table.charge("E", "E2").legal
    assert table.mark("charge") == "success"
    table = Table(models, step="declarations")
    verdict = table.charge("E")
    assert ids(verdict) == {"MH-CHG-10"}
    assert table.mark("charge") == "blocked"
    assert table.go((12, 10)).legal, "it never took place"


@pytest.mark.parametrize(
    ("x", "end"),
    [
        (10.5, (9.5 + 0.5 * 2 / 3, 2)),  # overhead: met where less than 1 inch of height is left
        (10.95, (9.95, 2.7)),  # beside the ladder farther up
        (11.0, (10.0, 3)),  # at its head
        (11.2, (10.2, 3)),
    ],
)
def test_mh_chg_6_an_enemy_that_bars_the_head_of_a_ladder_is_charged_from_it(
    x: float, end: tuple[float, float]
) -> None:
    ladder = {"id": "l", "ladder": {"foot": [9.5, 10, 0], "head": [10, 10, 3]}}
    terrain = [block("B", 10, 20, 4, 16, 3), ladder]
    table = Table([red(6, 10), blue(x, 10, 3)], terrain, step="declarations")
    assert table.charge("E").legal
    assert table.mark("charge") == "success"
    assert table.mark("engaged") == ["E"]
    assert (table.body().x, table.body().z) == pytest.approx(end, abs=1e-5)
    # Only the stretch of ladder climbed is paid.
    assert table.session is not None
    assert table.session.verdict.cost == pytest.approx(3.5 + end[1] + max(0, end[0] - 10), abs=1e-5)
    assert list(SYSTEM.faults(table.state)) == []


def test_mh_chg_6_no_way_in_leaves_no_choice_of_path() -> None:
    pen: Doc = {"id": "pen", "wall": [[18, 8], [22, 8], [22, 12], [18, 12]], "closed": True}
    pen |= {"thickness": 0.2, "height": 1.2}
    table = Table([red(10, 10), blue(20, 10)], [pen], step="declarations")
    assert table.do("declare_charge", targets=["E"]).legal
    assert table.do("close_declarations", None).legal
    for path in ([], [{"to": [7, 10]}], [{"to": [14, 10]}]):
        assert ids(table.do("charge", path=path)) == {"MH-CHG-6"}
    assert table.do("charge").legal
    assert table.body().centre == pytest.approx((14, 10))


def _up_to_the_roof(climb: str) -> Table:
    ladder: Doc = {"id": "l", "ladder": {"foot": [9.5, 15, 0], "head": [10, 15, 3]}}
    ground = [block("B3", 10, 16, 4, 16, 3), ladder]
    models = [red(9.5, 10), blue(12, 10, 3)]
    table = Table(models, ground, step="declarations", climb_in_charge=climb)
    assert table.do("declare_charge", "A", [3], targets=["E"]).legal
    assert table.do("close_declarations", None).legal
    return table


@pytest.mark.parametrize(
    ("profile", "high", "climbs"),
    [
        ("Mercenary Warrior", 4.0, True),
        ("Mercenary Warrior", 4.001, False),
        ("Warhound", 3.0, False),
        ({"like": "Mercenary Warrior", "heavy_armour": True, "shield": True}, 3.0, True),
        ({"like": "Mercenary Warrior", "heavy_armour": True, "shield": True}, 3.001, False),
    ],
)
def test_mh_climb_1_and_6_hold_in_a_charge(profile: object, high: float, climbs: bool) -> None:
    """Who does not climb fails the charge at the foot of the wall, and rolls no die for it."""
    models = [red(9.5, 10, profile=profile), blue(11.8, 10, high)]
    options = {"climb_in_charge": "yes", "distance_mode": "plan2d"}
    table = Table(models, [block("B", 10, 16, 4, 16, high)], step="declarations", **options)
    assert table.do("declare_charge", "A", [3], targets=["E"]).legal
    assert table.do("close_declarations", None).legal
    assert table.do("charge", "A", *([[2]] if climbs else [])).legal
    assert table.session is not None
    assert table.session.ask is None
    assert table.mark("charge") == ("success" if climbs else "failed")
    there = (10.8, 10, high) if climbs else (9.5, 10, 0)
    assert (*table.body().centre, table.body().z) == pytest.approx(there, abs=1e-6)


def test_mh_climb_1_an_animal_goes_round_by_the_stairs() -> None:
    stairs: Doc = {"id": "s", "stairs": {"foot": [8, 12, 0], "head": [10, 12, 2], "width": 1.2}}
    models = [red(9.5, 10, profile="Warhound"), blue(12, 10, 2)]
    ground = [block("B", 10, 16, 4, 16, 2), stairs]
    table = Table(models, ground, step="declarations", climb_in_charge="yes")
    assert table.charge("E").legal
    assert table.mark("charge") == "success"


def test_mh_chg_6_nobody_climbs_in_a_charge_by_a_path_of_its_own() -> None:
    climb = [{"to": [11, 10], "z": 3, "how": "climb"}]
    assert ids(_up_to_the_roof("no").do("charge", path=climb)) == {"MH-CHG-6"}
    table = _up_to_the_roof("yes")
    assert table.do("charge", "A", [2], path=climb).legal
    assert table.mark("engaged") == ["E"]


@pytest.mark.parametrize("facing", [0.0, 11.0, 30.0, 45.0, 77.0])
@pytest.mark.parametrize("far", [9.1, 12.0, 25.0])
@pytest.mark.parametrize("foe", [{"round": 1}, {"rectangle": [0.8, 0.8]}])
def test_mh_chg_11_a_square_falls_short_straight_towards_its_target(
    facing: float, far: float, foe: Doc
) -> None:
    """Corner first it reaches farthest and goes along the line of centres, however it stands.

    The corners of the square target point at it too: 9.1 - 0.5657 - 0.5 (0.5657) are above 8."""
    square = {"rectangle": [0.8, 0.8]}
    angle = math.radians(20)
    x, y = 24 + far * math.cos(angle), 20 + far * math.sin(angle)
    far_off = x > 47
    models = [
        red(24 - 20 * far_off, 20, base=square, facing=facing),
        blue(x - 20 * far_off, y, base=foe, **({"facing": 65.0} if "rectangle" in foe else {})),
    ]
    table = Table(models, step="declarations")
    table.charge("E")
    if far == 9.1 and "rectangle" in foe:
        assert table.mark("charge") == "success", "9.1 - 2 * 0.5657 = 7.9686"
        return
    assert table.mark("charge") == "failed"
    start = 24 - 20 * far_off
    there = (start + 4 * math.cos(angle), 20 + 4 * math.sin(angle))
    assert table.body().centre == pytest.approx(there, abs=1e-6)


def test_mh_chg_14_a_square_falls_short_of_the_first_named() -> None:
    square = {"rectangle": [0.8, 0.8]}
    models = [red(4, 20, base=square, facing=15), blue(30, 20), blue(30, 30, body_id="E2")]
    table = Table(models, step="declarations")
    table.charge("E", "E2")
    assert table.mark("charge") == "failed"
    assert table.body().centre == pytest.approx((8, 20), abs=1e-6)
