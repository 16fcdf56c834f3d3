"""TC-CHG, TC-KW-2: targets, routes, interposing enemies, contact, result."""

from __future__ import annotations

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red, to
from tapeline.engine.events import Happened

R = 125 / 127
Z = R + 1


@pytest.mark.parametrize(("gap", "legal"), [(11.9999, True), (12.0, True), (12.0001, False)])
def test_tc_chg_2_range(gap: float, legal: bool) -> None:
    verdict = Table([red("A", 10, 10), blue("T", 10 + R + gap, 10)]).do("charge", target="T")
    assert verdict.legal is legal
    assert legal or ids(verdict) == ["TC-CHG-2"]


def test_tc_chg_2_friends_and_oneself_are_no_targets() -> None:
    table = Table([red("A", 10, 10), red("F", 14, 10)])
    assert ids(table.do("charge", target="F")) == ["TC-CHG-2"]
    assert ids(table.do("charge", target="A")) == ["TC-CHG-2"]


@pytest.mark.parametrize(("height", "seen"), [(1.4, True), (1.5, True), (1.6, False)])
def test_tc_chg_2_walls_as_high_as_both_models_hide(height: float, seen: bool) -> None:
    wall = box("wall", 14.5, 15.5, 4, 16, height=height)
    verdict = Table([red("A", 10, 10), blue("T", 20, 10)], [wall]).do("charge", target="T")
    assert ("TC-CHG-2" in ids(verdict)) is not seen


@pytest.mark.parametrize(("off", "allowed"), [(Z - 1e-4, False), (Z, False), (Z + 1e-4, True)])
def test_tc_chg_3_tangent_counts(off: float, allowed: bool) -> None:
    table = Table([red("A", 10, 10), blue("T", 20, 10), blue("E2", 15, 10 + off)])
    verdict = table.do("charge", target="T")
    assert verdict.legal is allowed
    if not allowed:
        assert ids(verdict) == ["TC-CHG-3"]
        assert verdict.findings[0].about == "E2"
        assert table.follow(verdict).legal


@pytest.mark.parametrize("off", [1e-4, 0.0, -1e-4])
def test_tc_chg_3_at_the_same_time_is_not_before(off: float) -> None:
    at = 20 - Z
    other = blue("E2", at - off, 10 + Z)  # its zone is touched at x = at - off
    verdict = Table([red("A", 10, 10), blue("T", 20, 10), other]).do("charge", target="T")
    assert verdict.legal is (off <= 0.0)


def test_tc_chg_4_no_charge_at_all() -> None:
    table = Table(
        [red("A", 10, 10), blue("T", 20, 10), blue("E2", 15, 11.5)],
        [box("wall", 13.2, 13.6, 10.6, 12.9, height=4)],
    )
    assert ids(table.do("charge", target="T")) == ["TC-CHG-3", "TC-CHG-4"]


@pytest.mark.parametrize(("die", "moved"), [(1, 7.0), (3, 9.0), (6, 10.0)])
def test_tc_chg_5_bonus(die: int, moved: float) -> None:
    table = Table([red("A", 10, 10), blue("T", 20 + R, 10)])
    verdict = table.do("charge", "A", (die,), target="T")
    assert verdict.values["moved"] == pytest.approx(moved)
    assert verdict.values["charge_bonus"] == die


def test_tc_kw_3_best_of_two_dice() -> None:
    table = Table([red("A", 10, 10, stats={"charge_dice": 2}), blue("T", 21.9, 10)])
    assert table.do("charge", "A", (2, 5), target="T").values["allowance"] == 11.0


@pytest.mark.parametrize(("gap", "won"), [(9.9999, True), (10.0, True), (10.0001, False)])
def test_tc_chg_12_and_13_within_1_at_the_end(gap: float, won: bool) -> None:
    table = Table([red("A", 10, 10), blue("T", 10 + R + gap, 10)])
    verdict = table.do("charge", "A", (3,), target="T")
    assert ("TC-CHG-12" in verdict.cites) is won
    assert ("TC-CHG-13" in verdict.cites) is not won


def test_tc_chg_8_no_route() -> None:
    walls = [
        box("wall", 18, 22, 8, 8.5, id="W1", height=0.5),
        box("wall", 18, 22, 11.5, 12, id="W2", height=0.5),
        box("wall", 18, 18.5, 8, 12, id="W3", height=0.5),
        box("wall", 21.5, 22, 8, 12, id="W4", height=0.5),
    ]
    verdict = Table([red("A", 10, 10), blue("T", 20, 10)], walls).do("charge", target="T")
    assert ids(verdict) == ["TC-CHG-8"]


def test_tc_chg_8_within_1_inch_through_a_hole_too_narrow() -> None:
    """Contact cannot be had, but the gap to the target can be 1 inch (G-20)."""
    walls = [
        box("wall", 18.9, 19.3, 0, 9.6, id="W1", height=0.5),
        box("wall", 18.9, 19.3, 10.4, 48, id="W2", height=0.5),
    ]
    table = Table([red("A", 10, 10), blue("T", 20.0, 10)], walls)
    verdict = table.do("charge", "A", (6,), target="T")
    assert "TC-CHG-12" in verdict.cites
    assert verdict.values["gap"] == pytest.approx(1.0)


def test_tc_chg_8_the_nearest_charge_is_the_straight_one() -> None:
    table = Table([red("A", 10, 10), blue("T", 20, 10)])
    verdict = table.do("charge", target="T", path=to((14, 12)))
    assert ids(verdict) == ["TC-CHG-8"]
    assert table.follow(verdict).ask is not None
    stopped = table.do("charge", target="T", stop=[15, 10])
    assert ids(stopped) == ["TC-CHG-7"]
    assert table.follow(stopped).ask is not None


def test_tc_chg_10_stops_on_contact() -> None:
    table = Table([red("A", 10, 10), blue("T", 14, 10)])
    assert table.do("charge", "A", (6,), target="T").ask is None
    assert table.body().x == pytest.approx(14 - R)


@pytest.mark.parametrize(
    ("slide", "clauses"),
    [
        ([{"centre": [16, 10], "by": 30}], []),
        ([{"centre": [16, 10], "by": 5}], ["TC-CHG-11"]),
        ([{"centre": [16, 10], "by": -20}], ["TC-CHG-11"]),
        (to((15.0, 9.6)), ["TC-CHG-10"]),
        ([{"centre": [16, 10], "by": 350}], ["TC-CHG-10"]),
    ],
)
def test_tc_chg_11_slide(slide: list[dict[str, object]], clauses: list[str]) -> None:
    table = Table([red("A", 10, 10), blue("T", 16, 10), blue("E2", 15.7, 7.75)])
    verdict = table.do("charge", "A", (4,), slide, target="T")
    assert sorted({*ids(verdict)} - ({"TC-CHG-11"} if clauses == ["TC-CHG-10"] else set())) == (
        clauses
    )


def test_tc_chg_11_a_slide_into_danger_rolls() -> None:
    table = Table(
        [red("A", 10, 10), blue("T", 16, 10), blue("E2", 15.7, 7.75)],
        [box("wire", 14.5, 17, 8, 9.9)],
    )
    slide = [{"centre": [16, 10], "by": 30}]
    table.do("charge", "A", (4,), slide, (1, 2), (1, 1), target="T")
    assert table.body().y == pytest.approx(9.9)
    assert table.state.progress["over"] == "danger"


def test_tc_kw_2_only_when_free_and_standing() -> None:
    her = "Herald of Beelzebub"
    free = Table([red("A", 10, 10), blue("T", 20, 10, 40, profile=her)])
    assert free.do("charge", target="T").ask.purpose.endswith("does it evade?")
    near = Table([red("A", 10, 10), blue("T", 20, 10, 40, profile=her), red("F", 21.5, 11)])
    assert near.do("charge", target="T").ask.clause == "TC-CHG-5"
    down = Table([red("A", 10, 10), blue("T", 20, 10, 40, profile=her, down=True)])
    assert down.do("charge", target="T").ask.clause == "TC-CHG-5"


@pytest.mark.parametrize(("face", "reach"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_tc_roll_6_d3(face: int, reach: int) -> None:
    her = blue("T", 20, 10, 40, profile="Herald of Beelzebub")
    table = Table([red("A", 10, 10), her])
    far = table.do("charge", "A", True, (face,), to((20, 10 + reach + 0.01)), target="T")
    assert ids(far) == ["TC-MOVE-1"]
    assert table.do("charge", "A", True, (face,), to((20, 10 + reach)), target="T").legal


def test_the_ledger_says_who_pays_an_evasion() -> None:
    her = blue("T", 20, 10, 40, profile="Herald of Beelzebub")
    table = Table([red("A", 10, 10), her])
    verdict = table.do("charge", "A", True, (3,), to((20, 12)), (1,), target="T")
    assert [(line.payer, line.cost, line.allowance) for line in verdict.ledger] == [
        ("T", pytest.approx(2.0), 2.0),
        ("A", pytest.approx(7.0), 7.0),
    ]


def test_interpose_route_avoid_needs_a_way() -> None:
    """A corridor as wide as the straight way needs leaves none round the zone."""
    walls = [
        box("wall", 12, 18, 7, 9.1, id="W1", height=0.5),
        box("wall", 12, 18, 13, 14, id="W2", height=0.5),
        box("wall", 12, 18, 0, 7, id="W3", height=0.5),
        box("wall", 12, 18, 14, 48, id="W4", height=0.5),
    ]
    models = [red("A", 10, 10), blue("T", 20, 10), blue("E2", 15, 11.5)]
    verdict = Table(models, walls, interpose_route="avoid").do("charge", target="T")
    assert ids(verdict) == ["TC-CHG-3"]


def test_no_route_is_sought_to_a_target_out_of_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over storeys a route takes long to find, and none makes a target of what is too far."""
    sought = []
    monkeypatch.setattr(
        "tapeline.rules.trench_crusade.context.approach", lambda *given: sought.append(given)
    )
    models = [red("A", 10, 10), blue("E", 10 + 12.01 + R, 10), blue("F", 16, 10)]
    assert ids(Table(models).do("charge", target="E")) == ["TC-CHG-2"]
    assert not sought
    assert ids(Table(models).do("charge", target="F")) == ["TC-CHG-8"]
    assert sought, "what is in range is sought"


def test_what_is_off_by_a_hair_is_told_so() -> None:
    """A charge that fails by three millionths, and a drop that is no Fall by as much."""
    models = [red("A", 10, 10), blue("T", 18 + R + 3e-6, 10)]
    table = Table(models, (), {"actor": "A"}, {"active": "red"})
    table.do("charge", "A", (1,), target="T")
    told = [e.text for e in table.session.events if isinstance(e, Happened)]
    assert told[-1] == "A is 1.000003 in from T: the charge fails"
    high = [red("A", 10, 10, z=2.999997), blue("T", 30, 10)]
    on = [box("block", 4, 12, 4, 16, height=2.999997)]
    table = Table(high, on, {"actor": "A"}, {"active": "red"})
    table.do("move", "A", path=[{"to": [13, 10], "z": 0, "how": "drop"}])
    told = [e.text for e in table.session.events if isinstance(e, Happened)]
    assert "A jumps down 2.999997 in" in told
