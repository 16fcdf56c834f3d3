"""MH-CHG-10, -15: enemies beside the route of a charge, by every reading."""

from __future__ import annotations

import math
from typing import Any

import pytest

from clauses.mordheim.staging import Table, block, blue, ids, red
from tapeline.engine.paths import Place
from tapeline.engine.verdicts import Kind
from tapeline.rules.mordheim.corridor import distance_to_route, interceptors
from tapeline.travel.route import Route, Stretch


def charged(*models: dict[str, Any], **options: str) -> Table:
    """A at (10, 10) charges E at (18, 10): its route is y = 10 up to x = 17."""
    table = Table([red(10, 10), blue(18, 10), *models], step="declarations", **options)
    table.charge("E")
    return table


def blocked(table: Table) -> bool:
    assert table.session is not None
    verdict = table.session.verdict
    if verdict.kind is Kind.STOPPED:
        assert ids(verdict) == {"MH-CHG-10"}
        assert table.mark("charge") == "blocked"
        return True
    assert table.mark("charge") == "success"
    return False


@pytest.mark.parametrize(("y", "bars"), [(12.499, True), (12.5, True), (12.501, False)])
def test_mh_chg_10_two_inches_beside(y: float, bars: bool) -> None:
    assert blocked(charged(blue(14, y, body_id="E2"))) == bars
    assert blocked(charged(blue(14, 20 - y, body_id="E2"))) == bars


@pytest.mark.parametrize(("y", "bars"), [(12.999, True), (13.0, True), (13.001, False)])
def test_mh_chg_10_from_the_base(y: float, bars: bool) -> None:
    """Half an inch more where it is measured from the base of the charger."""
    table = charged(blue(14, y, body_id="E2"), intercept_from="swept_base")
    assert blocked(table) == bars


@pytest.mark.parametrize(("x", "bars"), [(17.499, True), (17.5, True), (17.501, False)])
def test_mh_chg_10_flat_ends(x: float, bars: bool) -> None:
    """The corridor ends at x 17: a base half an inch in radius reaches it from x 17.5."""
    assert blocked(charged(blue(x, 11.9, body_id="E2"))) == bars


@pytest.mark.parametrize(("off", "bars"), [(-1e-3, True), (0.0, True), (1e-3, False)])
def test_mh_chg_10_round_ends(off: float, bars: bool) -> None:
    """Behind the charger too: a base that ends 2 inches from where it starts."""
    x = 10 - (2.5 + off) * math.cos(0.3)
    y = 10 + (2.5 + off) * math.sin(0.3)
    assert blocked(charged(blue(x, y, body_id="E2"), intercept_caps="round")) == bars
    assert not blocked(charged(blue(x, y, body_id="E2"))), "flat ends"


@pytest.mark.parametrize(
    "state", [{"condition": "stunned"}, {"condition": "knocked_down"}, {"fleeing": True}]
)
def test_mh_chg_10_who_does_not_intercept(state: dict[str, Any]) -> None:
    near = blue(14, 12, body_id="E2", state=state)
    assert not blocked(charged(near))
    assert blocked(charged(near, intercept_exclude="none"))


def test_mh_chg_10_hidden_ones() -> None:
    wall = {"id": "w", "wall": [[4, 14.6], [40, 14.6]], "thickness": 0.2, "height": 0.75}
    near = blue(14, 14.0 - 1.5, body_id="E2", state={"hidden": True})
    models = [red(10, 10, 0), blue(18, 10), near]
    table = Table(models, [wall], step="declarations")
    assert table.charge("E").legal
    assert blocked(table), "within the Initiative of the charger it is found and counts"


def test_mh_chg_10_a_friend_or_a_target_never_intercepts() -> None:
    assert not blocked(charged(red(14, 11.5, body_id="F")))
    table = Table([red(10, 10), blue(18, 9.4), blue(18, 10.6, body_id="E2")], step="declarations")
    assert table.charge("E", "E2").kind is not Kind.STOPPED


def test_mh_chg_10_walls_between_do_not_matter() -> None:
    wall = {"id": "w", "wall": [[11, 11], [17, 11]], "thickness": 0.2, "height": 5}
    table = Table(
        [red(10, 10), blue(18, 10), blue(14, 12.4, body_id="E2")], [wall], step="declarations"
    )
    table.charge("E")
    assert blocked(table)


@pytest.mark.parametrize(("z", "bars"), [(1.1, True), (1.2, False)])
def test_mh_chg_10_height(z: float, bars: bool) -> None:
    """1.65 in beside the line and z up: sqrt(1.65^2 + z^2) is 2 at z = 1.13; on the plan always."""
    house = block("R", 12, 16, 11, 15, z)
    models = [red(10, 10), blue(18, 10), blue(14, 12.15, z, body_id="E2")]
    table = Table(models, [house], step="declarations")
    table.charge("E")
    assert blocked(table) == bars
    flat = Table(models, [house], step="declarations", distance_mode="plan2d")
    flat.charge("E")
    assert blocked(flat)


def _on(track: Route, enemy: dict[str, Any], **options: str) -> bool:
    table = Table([red(10, 10), blue(40, 40), enemy], **options)
    return bool(interceptors(table.state, table.body(), track, ("E",)))


def test_mh_chg_10_discs_at_corners() -> None:
    """Outside a right angle the corner itself counts: a base 2 inches off it on the diagonal."""
    a, b, c = Place(10, 10, 0), Place(14, 10, 0), Place(14, 14, 0)
    track = Route(a, (Stretch(a, b), Stretch(b, c)))
    side = math.sqrt(0.5)
    for far, bars in ((2.499, True), (2.501, False)):
        assert _on(track, blue(14 + far * side, 10 - far * side, body_id="E2")) == bars
    ahead = Route(a, (Stretch(a, b),))
    assert not _on(ahead, blue(14 + 2 * side, 10 - 2 * side, body_id="E2"))


def test_mh_chg_10_beside_an_arc() -> None:
    """Round a corner on an arc of radius 1: the outer side reaches to 3 from its centre."""
    start = Place(10, 10, 0)
    bent = Stretch(start, start, arc=(10.0, 11.0, math.pi / 2))
    bent = Stretch(start, Place(*bent.leg.end, 0), arc=bent.arc)
    side = math.sqrt(0.5)
    for far, bars in ((3.499, True), (3.501, False)):
        enemy = blue(10 + far * side, 11 - far * side, body_id="E2")
        assert _on(Route(start, (bent,)), enemy) == bars


def test_mh_chg_10_a_rectangle_is_measured_to_its_side() -> None:
    base = {"base": {"rectangle": [1.0, 2.0]}}
    track = Route(Place(10, 10, 0), (Stretch(Place(10, 10, 0), Place(17, 10, 0)),))
    table = Table([red(10, 10), blue(40, 40), blue(14, 13, body_id="E2", **base)])
    distance, place = distance_to_route(table.state, track, table.body("E2"))
    assert distance == pytest.approx(2.5)
    assert place.y == 10
    turned = Table([red(10, 10), blue(40, 40), blue(14, 13, body_id="E2", facing=90, **base)])
    assert distance_to_route(turned.state, track, turned.body("E2"))[0] == pytest.approx(2.0)
    assert bool(interceptors(turned.state, turned.body(), track, ("E",)))
    assert not interceptors(table.state, table.body(), track, ("E",))


# MH-CHG-15


def met(*models: dict[str, Any], answer: str | None, **more: Any) -> Table:
    table = Table(
        [red(10, 10), blue(18, 10), *models],
        step="declarations",
        intercept_mode="opponent_choice",
        **more,
    )
    table.charge("E", dice=[answer])
    return table


def test_mh_chg_15_set_in_the_way() -> None:
    table = met(blue(14, 12.3, body_id="E2"), answer="E2")
    assert table.body("E2").centre == pytest.approx((14, 10))
    assert table.body().centre == pytest.approx((13, 10))
    assert table.mark("engaged") == ["E2"]
    assert table.mark("engaged", "E") is None


def test_mh_chg_15_the_charge_goes_on() -> None:
    table = met(blue(14, 12.3, body_id="E2"), answer=None)
    assert table.body("E2").centre == (14, 12.3)
    assert table.mark("engaged") == ["E"]


def test_mh_chg_15_the_nearest_place_where_its_base_fits() -> None:
    """Behind the target the line ends, before it is the target: 1 inch clear of it on the line."""
    table = met(blue(17.2, 12.2, body_id="E2"), answer="E2")
    assert table.body("E2").centre == pytest.approx((17, 10), abs=1e-5)
    assert sorted(table.mark("engaged")) == ["E2"]


def test_mh_chg_15_beyond_the_allowance_the_charge_fails() -> None:
    """E2 is set 7.6 along the line over slow ground: 6.6 and 2 more for the rubble are above 8."""
    table = Table(
        [red(10, 10), blue(19.9, 10), blue(17.9, 12.3, body_id="E2")],
        [
            {
                "id": "s",
                "kind": "rubble",
                "shape": {"polygon": [[11, 0], [13, 0], [13, 20], [11, 20]]},
            }
        ],
        step="declarations",
        intercept_mode="opponent_choice",
    )
    table.charge("E", dice=["E2"])
    assert table.body("E2").centre == pytest.approx((17.9, 10))
    assert table.mark("charge") == "failed"
    assert table.mark("engaged") is None


@pytest.mark.parametrize(
    ("x", "stands", "charger", "fights"),
    [
        (14.5, 14.3, 13.3, ["E2"]),
        (14.7, 14.3, 13.3, ["E2"]),
        (15.05, 15.5, 14.3, ["E2"]),
        (15.6, 15.6, 14.0, None),
    ],
)
def test_mh_chg_15_not_astride_a_low_wall(
    x: float, stands: float, charger: float, fights: list[str] | None
) -> None:
    """A wall over 14.8 to 15: clear of it are 14.3 and 15.5, where it is met across the wall; at
    15.6 it does not touch that, and there is no room to touch it: the charge fails."""
    low = {"id": "w", "wall": [[14.9, 9], [14.9, 11]], "thickness": 0.2, "height": 0.6}
    table = Table(
        [red(10, 10), blue(20, 10), blue(x, 12.3, body_id="E2")],
        [low],
        step="declarations",
        intercept_mode="opponent_choice",
    )
    table.charge("E", dice=["E2"])
    assert table.body("E2").centre == pytest.approx((stands, 10), abs=1e-6)
    assert table.body().centre == pytest.approx((charger, 10), abs=1e-6)
    assert table.mark("engaged") == fights


def test_mh_chg_15_a_square_fits_in_its_true_shape() -> None:
    """Side on between two walls 1 inch apart there is room for a square of 0.96."""
    walls = [
        {"id": w, "wall": [[x, 8], [x, 12]], "thickness": 0.2, "height": 0.6}
        for w, x in (("w", 13.4), ("v", 14.6))
    ]
    square = blue(14, 12.3, body_id="E2", base={"rectangle": [0.96, 0.96]}, facing=90)
    table = Table(
        [red(10, 10), blue(20, 10), square],
        walls,
        step="declarations",
        intercept_mode="opponent_choice",
    )
    table.charge("E", dice=["E2"])
    assert table.body("E2").centre == pytest.approx((14, 10), abs=1e-6)
