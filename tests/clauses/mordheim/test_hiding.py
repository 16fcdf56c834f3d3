"""MH-HIDE, MH-LOS: who sees whom, where a model may hide, and where it is found."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from clauses.mordheim.staging import Table, block, blue, ids, red
from tapeline.rules.mordheim.actions import Hide
from tapeline.rules.mordheim.hide import exposed_now
from tapeline.rules.mordheim.offers import offers
from tapeline.rules.mordheim.sight import sees

LOW = {"id": "low", "wall": [[20.6, 8], [20.6, 12]], "thickness": 0.2, "height": 0.75}
HIGH = {"id": "high", "wall": [[20.6, 4], [20.6, 16]], "thickness": 0.2, "height": 5}


def hidden(x: float, y: float, z: float = 0.0, **more: Any) -> dict[str, Any]:
    return red(x, y, z, state={"hidden": True}, **more)


def place_of(table: Table, body: str = "A") -> tuple[float, float, float]:
    assert table.session is not None
    told = table.session.verdict.value("revealed")
    x, y, z = told[body]["place"]  # type: ignore[index]
    return x, y, z


# MH-HIDE-1


@pytest.mark.parametrize(("x", "refused"), [(19.01, False), (19.0, False), (18.999, True)])
def test_mh_hide_1_within_an_inch_of_a_feature(x: float, refused: bool) -> None:
    table = Table([red(x, 10), blue(40, 10)], [HIGH])
    assert ids(table.do("hide")) == ({"MH-HIDE-1"} if refused else set())


@pytest.mark.parametrize(
    ("kind", "height"), [("column", 3), ("hedge", 0.75), ("crate", 0.8), ("fence", 2)]
)
def test_mh_hide_1_kinds_of_features(kind: str, height: float) -> None:
    ring = [[20.5, 9], [21, 9], [21, 11], [20.5, 11]]
    piece = {"id": "it", "kind": kind, "shape": {"polygon": ring}, "height": height}
    table = Table([red(20, 10), blue(40, 10)], [piece])
    assert table.do("hide").legal
    assert table.mark("hidden") is True


def test_mh_hide_1_a_floor_or_slow_ground_is_no_feature() -> None:
    bushes = {"id": "b", "kind": "bushes", "shape": {"circle": {"centre": [20, 10], "radius": 2}}}
    table = Table([red(20, 10), blue(40, 10)], [bushes])
    assert ids(table.do("hide")) == {"MH-HIDE-1"}


def test_mh_hide_1_a_wall_of_the_storey_below_is_no_feature() -> None:
    roof = block("R", 10, 20, 5, 15, 4)
    table = Table([red(15, 10, 4), blue(40, 10)], [roof])
    assert ids(table.do("hide")) == {"MH-HIDE-1"}


# The crouched body is seen over a wall h high, 0.5 before its rim, by an enemy on the level if
# 0.625 + 0.625 / 10 > h.
@pytest.mark.parametrize(("high", "refused"), [(0.6876, False), (0.6874, True)])
def test_mh_hide_1_height_of_the_wall(high: float, refused: bool) -> None:
    wall = {**LOW, "wall": [[20.6, -20], [20.6, 40]], "height": high}
    table = Table([red(20, 10), blue(30, 10)], [{**wall, "wall": [[20.6, 0.2], [20.6, 20]]}])
    assert ids(table.do("hide")) == ({"MH-HIDE-1"} if refused else set())


def test_mh_hide_1_seen_from_behind() -> None:
    table = Table([red(20, 10), blue(30, 10), blue(10, 10, body_id="E2")], [LOW])
    verdict = table.do("hide")
    assert [f.about for f in verdict.findings] == ["E2"]


def test_mh_hide_1_other_models_hide_nobody_unless_they_do() -> None:
    wide = {"base": {"round": 1.2}}
    models = [red(20, 10), red(18, 10, body_id="F", **wide), blue(12, 10)]
    assert ids(Table(models, [LOW]).do("hide")) == {"MH-HIDE-1"}
    assert Table(models, [LOW], models_block_sight="yes").do("hide").legal


@pytest.mark.parametrize(("x", "refused"), [(20.0, False), (19.9, True)])
def test_mh_hide_1_touching_cover(x: float, refused: bool) -> None:
    """By the other reading the base touches the feature, and who sees it does not matter."""
    table = Table([red(x, 10), blue(10, 10)], [LOW], hide_cover="touching_cover")
    assert ids(table.do("hide")) == ({"MH-HIDE-1"} if refused else set())


# MH-HIDE-3


@pytest.mark.parametrize(
    "done",
    [{"ran": True}, {"fled": True}, {"was_stunned": True}, {"charge": "failed"}],
)
def test_mh_hide_3_not_after_haste(done: dict[str, Any]) -> None:
    table = Table([red(20, 10, state=done), blue(40, 10)], [HIGH])
    assert "MH-HIDE-3" in ids(table.do("hide"))


def test_mh_hide_3_a_blocked_or_unnoticed_charge_bars_nothing() -> None:
    for result in ("blocked", "unnoticed"):
        table = Table([red(20, 10, state={"charge": result}), blue(40, 10)], [HIGH])
        assert table.do("hide").legal


def test_mh_hide_3_a_knocked_down_model_may_hide() -> None:
    table = Table([red(20, 10, state={"condition": "knocked_down"}), blue(40, 10)], [HIGH])
    assert Hide(actor="A") in offers(table.state, Random(1))
    assert table.do("hide").legal


# MH-HIDE-5, -6, -9: found along the way


def test_mh_hide_9_where_it_comes_into_view() -> None:
    table = Table([hidden(20, 10), blue(30, 10)], [LOW])
    assert table.go((20, 12.2)).legal
    assert table.mark("hidden") is None
    assert place_of(table) == pytest.approx((20, 11.606013818, 0), abs=1e-6)


def test_mh_hide_9_is_lost_even_if_it_ends_covered() -> None:
    """Across a gap in its cover and on: the counter is gone all the same."""
    two = [
        {**LOW, "wall": [[20.6, 8], [20.6, 12]]},
        {**LOW, "id": "other", "wall": [[20.6, 13], [20.6, 16]]},
    ]
    table = Table([hidden(20, 11), blue(30, 12)], two)
    assert table.go((20, 14.5)).legal
    assert table.mark("hidden") is None


def test_mh_hide_5_cited_while_it_stays_hidden() -> None:
    table = Table([hidden(20, 10), blue(30, 10)], [LOW])
    verdict = table.go((20, 11.5))
    assert "MH-HIDE-5" in verdict.cites
    assert table.mark("hidden") is True


def test_mh_hide_6_the_enemy_goes_on() -> None:
    wall = {**HIGH, "wall": [[20.6, 4], [20.6, 11]]}
    table = Table([red(30, 16), blue(20, 10, state={"hidden": True})], [wall])
    verdict = table.go((30, 19))
    assert "MH-HIDE-6" in verdict.cites
    assert verdict.value("spent") == pytest.approx(3)
    assert place_of(table, "E") == pytest.approx((30, 17.5, 0), abs=1e-6)


@pytest.mark.compiled
def test_mh_hide_6_up_stairs() -> None:
    """From the hider's far rim over a wall 0.85 high, 1 in on, sight rises by 0.225 an inch; the
    enemy's near rim meets it at 0.225 (x - 20) + 0.625 = 0.75 (32 - x) + 1.25."""
    wall = {**HIGH, "height": 0.85, "wall": [[20.6, 0.2], [20.6, 20]]}
    stairs = {"id": "st", "stairs": {"foot": [32, 10, 0], "head": [28, 10, 3], "width": 1.5}}
    floor = {"rectangle": {"centre": [26.5, 10], "width": 3, "depth": 3}}
    top = {"id": "top", "floor": floor, "z": 3, "kind": "platform"}
    table = Table([red(32, 10), blue(20, 10, state={"hidden": True})], [wall, stairs, top])
    assert table.go({"to": [28.9, 10], "z": 2.325}).legal
    x = 29.125 / 0.975
    assert place_of(table, "E") == pytest.approx((x, 10, 0.75 * (32 - x)), abs=1e-6)


def test_mh_hide_9_on_an_arc() -> None:
    """Round the end of the wall on an arc, found within the tolerance."""
    table = Table([hidden(20, 10), blue(30, 10)], [LOW])
    assert table.do("move", path=[{"centre": [20, 11.1], "by": -180}]).legal
    x, y, _ = place_of(table)
    assert math.hypot(x - 20, y - 11.1) == pytest.approx(1.1, abs=1e-9)
    still = Table([hidden(20, 10), blue(30, 10)], [LOW])
    enemy, hider = still.body("E"), still.body()
    angle = math.atan2(y - 11.1, x - 20)
    for off, seen in ((1e-5, False), (-1e-5, True)):
        x, y = 20 + 1.1 * math.cos(angle + off), 11.1 + 1.1 * math.sin(angle + off)
        assert sees(still.state, enemy, hider.at(x, y)) == seen


# MH-HIDE-10, -11: within Initiative


@pytest.mark.parametrize(("x", "refused"), [(23.999, True), (24.0, True), (24.001, False)])
def test_mh_hide_10_within_initiative(x: float, refused: bool) -> None:
    table = Table([red(20, 10), blue(x, 10)], [HIGH])
    verdict = table.do("hide")
    assert ids(verdict) == ({"MH-HIDE-10"} if refused else set())
    if refused:
        assert verdict.findings[0].measured == pytest.approx(x - 21)


def test_mh_hide_10_counts_the_height_between() -> None:
    """2 on the plan and 2.5 up are 3.2 in; on the plan alone they are within 3."""
    models = [red(20, 10), blue(23, 10, 2.5)]
    house = [HIGH, block("R", 22, 30, 5, 15, 2.5)]
    assert Table(models, house).do("hide").legal
    assert ids(Table(models, house, distance_mode="plan2d").do("hide")) == {"MH-HIDE-10"}


@pytest.mark.parametrize("condition", ["stunned", "knocked_down"])
def test_mh_hide_11_all_but_stunned_enemies_find(condition: str) -> None:
    table = Table([hidden(20, 10), blue(22.5, 10, state={"condition": condition})], [HIGH])
    assert table.go((20, 10.5)).legal
    assert (table.mark("hidden") is None) == (condition != "stunned")


def test_mh_hide_11_first_point_within_reach() -> None:
    """Slanting past: sqrt(dx^2 + dy^2) - 1 = 3 first at y = 10 + sqrt(16 - 9) north of the foe."""
    table = Table([hidden(20, 15), blue(23, 10)], [HIGH])
    assert table.go((20, 11.5)).legal
    assert place_of(table) == pytest.approx((20, 10 + math.sqrt(7), 0), abs=1e-6)
    assert "MH-HIDE-11" in table.session.verdict.cites  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("x", "condition", "found"),
    [(24.0, "standing", True), (24.001, "standing", False), (23.0, "stunned", False)],
)
@pytest.mark.parametrize("act", ["declare_charge", "shoot"])
def test_mh_hide_11_found_by_any_enemy_found_for_all(
    act: str, x: float, condition: str, found: bool
) -> None:
    """A friend beyond a tall wall finds it; the one who charges or shoots stands 10 in away."""
    friend = red(x, 10, body_id="A2", state={"condition": condition})
    models = [red(9, 10), friend, blue(20, 10, state={"hidden": True})]
    low = {**LOW, "wall": [[19.4, 8], [19.4, 12]]}
    where = {"step": "declarations"} if act == "declare_charge" else {"phase": "shooting"}
    table = Table(models, [low, {**HIGH, "wall": [[20.7, 4], [20.7, 16]]}], **where)
    whom = {"targets": ["E"]} if act == "declare_charge" else {"target": "E"}
    verdict = table.do(act, "A", **whom)
    assert ("MH-HIDE-7" in ids(verdict)) == (not found)
    assert verdict.legal == found
    assert table.mark("hidden", "E") is (None if found else True)
    if found:
        assert "MH-HIDE-11" in verdict.cites


def test_mh_hide_11_found_but_out_of_sight_beyond_4_inches() -> None:
    models = [red(9, 10), red(23, 10, body_id="A2"), blue(20, 10, state={"hidden": True})]
    table = Table(models, [{**HIGH, "wall": [[19.4, 8], [19.4, 12]]}], step="declarations")
    assert ids(table.do("declare_charge", targets=["E"])) == {"MH-CHG-4"}


# MH-HIDE-4, -7, -8, MH-LOS-1


def test_mh_hide_4_at_rest() -> None:
    table = Table([hidden(10, 10), blue(30, 10)], [LOW])
    (found,) = exposed_now(table.state)
    assert (found.body, found.by, found.clause) == ("A", "E", "MH-HIDE-4")
    other = Table([hidden(10, 10), blue(30, 10)], [LOW], hide_cover="touching_cover")
    assert exposed_now(other.state) == [], "only when somebody moves"


def test_mh_hide_7_no_target() -> None:
    table = Table([hidden(20, 10), blue(30, 10)], [LOW], phase="shooting", active="blue")
    assert "MH-HIDE-7" in ids(table.do("shoot", "E", target="A"))
    charging = Table([hidden(20, 10), blue(30, 10)], [LOW], step="declarations", active="blue")
    assert ids(charging.do("declare_charge", "E", targets=["A"])) == {"MH-HIDE-7"}


def test_mh_los_1_sight_from_any_point_of_the_body() -> None:
    """A wall between the middles hides nobody whose rims look past its end."""
    wall = {**HIGH, "wall": [[20.6, 4], [20.6, 10.3]]}
    table = Table([red(18, 10), blue(23, 10)], [wall], phase="shooting")
    assert table.do("shoot", target="E").legal
    closed = Table([red(18, 10), blue(23, 10)], [HIGH], phase="shooting")
    assert ids(closed.do("shoot", target="E")) == {"MH-LOS-1"}


def test_mh_los_1_windows_and_shut_doors() -> None:
    def through(opening: dict[str, Any]) -> bool:
        wall = {**HIGH, "openings": [{"id": "o", "from": 5.4, "to": 6.6, **opening}]}
        table = Table([red(18, 10), blue(23, 10)], [wall], phase="shooting")
        return table.do("shoot", target="E").legal

    assert through({"kind": "window", "sill": 1, "head": 2})
    assert not through({"kind": "window", "sill": 1.3, "head": 2})
    assert through({"kind": "door", "head": 2})
    assert not through({"kind": "door", "head": 2, "shut": True})
    assert through({"kind": "gap"})
