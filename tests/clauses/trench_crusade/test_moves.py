"""TC-MOVE and TC-TER: each limit just inside, on it, just outside."""

from __future__ import annotations

import math

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red, to
from tapeline.errors import DocumentError

R = 125 / 127  # contact distance of two 25 mm bases, inches
EPS = [(-1e-4, True), (0.0, True), (1e-4, False)]


@pytest.mark.parametrize(("more", "legal"), EPS)
def test_tc_move_1_length_of_the_path(more: float, legal: bool) -> None:
    table = Table([red("A", 10, 10)])
    verdict = table.do("move", path=to((13, 10), (13, 13 + more)))
    assert verdict.legal is legal
    if not legal:
        finding = verdict.findings[0]
        assert (finding.clause, finding.limit) == ("TC-MOVE-1", 6.0)
        assert finding.measured == pytest.approx(6.0001)
        assert finding.travelled == pytest.approx(6.0)
        assert verdict.nearest is not None
        assert verdict.nearest.short_by == pytest.approx(1e-4, abs=1e-5)


@pytest.mark.parametrize(("off", "offered"), [(0.0, False), (1e-5, False), (1e-3, True)])
def test_tc_ter_5_nothing_is_offered_to_who_stands_against_what_stops_it(
    off: float, offered: bool
) -> None:
    table = Table([red("A", 12 - R / 2 - off, 10)], [box("deep water", 12, 14, 8, 12)])
    verdict = table.do("move", path=to((13, 10)))
    assert ids(verdict) == ["TC-TER-5"]
    assert (verdict.nearest is not None) is offered


def test_tc_move_1_zero_is_legal_anywhere() -> None:
    crowd = [red("A", 10, 10), red("F", 10 + R, 10), blue("E", 10 - R, 10)]
    assert Table(crowd).do("move").legal
    assert Table(crowd).do("move", path=to((10, 10))).legal


def test_tc_move_4_there_and_back_counts() -> None:
    table = Table([red("A", 10, 10)])
    assert ids(table.do("move", path=to((14, 10), (10, 10)))) == ["TC-MOVE-1"]


@pytest.mark.parametrize(("x", "legal"), [(13 + R - 1e-4, False), (13 + R, True), (13.99, True)])
def test_tc_move_5_clear_of_friends_at_the_end(x: float, legal: bool) -> None:
    table = Table([red("A", 10, 10), red("F", 13, 10)])
    verdict = table.do("move", path=to((x, 10)))
    assert verdict.legal is legal
    assert legal or ids(verdict) == ["TC-MOVE-5"]
    if not legal:
        assert table.follow(verdict).legal
        assert table.body().x == pytest.approx(13 - R, abs=1e-4)


@pytest.mark.parametrize(("x", "legal"), [(0.4920, False), (125 / 254, True), (0.4922, True)])
def test_tc_move_6_the_edge(x: float, legal: bool) -> None:
    verdict = Table([red("A", 2, 10)]).do("move", path=to((x, 10)))
    assert verdict.legal is legal
    assert legal or ids(verdict) == ["TC-MOVE-6"]


@pytest.mark.parametrize(("point", "legal"), [((0.01, 3), True), ((0.0, 0.0), False)])
def test_tc_move_6_under_half(point: tuple[float, float], legal: bool) -> None:
    table = Table([red("A", 3, 3)], edge_overhang="under_half")
    assert table.do("move", path=to(point)).legal is legal


def test_tc_move_6_arcs_over_the_edge() -> None:
    table = Table([red("A", 1.0, 10)])
    arc = [{"centre": [1.0, 11.0], "by": -180}]
    verdict = table.do("move", path=arc)
    assert ids(verdict) == ["TC-MOVE-6"]
    assert verdict.findings[0].measured == pytest.approx(125 / 254)


@pytest.mark.parametrize(("gap", "legal"), [(0.9999, False), (1.0, False), (1.0001, True)])
def test_tc_move_7_one_inch_is_too_near(gap: float, legal: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 14 + gap + R, 10)])
    verdict = table.do("move", path=to((14, 10)))
    assert verdict.legal is legal
    if not legal:
        assert ids(verdict) == ["TC-MOVE-7"]
        assert verdict.findings[0].measured == pytest.approx(gap, abs=1e-9)
        assert "must be more than 1 in" in verdict.findings[0].text


@pytest.mark.parametrize(("gap", "legal"), [(0.9999, False), (1.0, False), (1.0001, True)])
def test_tc_move_7_in_passing(gap: float, legal: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 13, 10 + R + gap)])
    assert table.do("move", path=to((16, 10))).legal is legal


def test_tc_move_7_an_arc_can_come_near_between_its_ends() -> None:
    table = Table([red("A", 10, 10), blue("E", 11.5, 13.4)])
    verdict = table.do("move", path=[{"centre": [11.5, 10], "by": -180}])
    assert ids(verdict) == ["TC-MOVE-7"]
    assert verdict.findings[0].place == pytest.approx((11.5, 11.5))
    assert verdict.findings[0].measured == pytest.approx(1.9 - R)


@pytest.mark.parametrize(("gap", "legal"), [(0.9999, True), (1.0, True), (1.0001, False)])
def test_tc_move_8_hold_the_enemy(gap: float, legal: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 10 + R + 0.5, 10)])
    verdict = table.do("move", path=to((10.5 - gap, 10)))
    assert verdict.legal is legal
    assert legal or ids(verdict) == ["TC-MOVE-8"]


def test_tc_move_8_away_and_back_is_illegal() -> None:
    table = Table([red("A", 10, 10), blue("E", 11.5, 10)])
    assert ids(table.do("move", path=to((9, 10), (10, 10)))) == ["TC-MOVE-8"]


def test_tc_move_7_protects_enemies_outside_s() -> None:
    table = Table([red("A", 10, 10), blue("E", 11.5, 10), blue("E2", 10, 12.05)])
    assert ids(table.do("move", path=to((10, 10.1)))) == ["TC-MOVE-7"]


@pytest.mark.parametrize(("more", "legal"), [(-1e-4, True), (0.0, True), (1e-4, False)])
def test_tc_move_10_touching_an_enemy_base_is_no_overlap(more: float, legal: bool) -> None:
    table = Table([red("A", 10, 10), blue("E", 10.5 + R, 10)])
    verdict = table.do("move", path=to((10.5 + more, 10)))
    assert verdict.legal is legal
    assert legal or ids(verdict) == ["TC-MOVE-10"]


@pytest.mark.parametrize(("width", "legal"), [(0.98, False), (R, True), (1.0, True)])
def test_tc_move_12_openings_as_wide_as_the_base(width: float, legal: bool) -> None:
    walls = [
        box("wall", 12, 13, 0, 10 - width / 2, id="W1"),
        box("wall", 12, 13, 10 + width / 2, 48, id="W2"),
    ]
    verdict = Table([red("A", 10, 10)], walls).do("move", path=to((15, 10)))
    assert verdict.legal is legal
    if not legal:
        assert ids(verdict) == ["TC-TER-5"]
        assert len(verdict.findings) == 2


@pytest.mark.parametrize(("more", "legal"), EPS)
def test_tc_ter_2_difficult_doubles(more: float, legal: bool) -> None:
    table = Table([red("A", 10, 10)], [box("mud", 12, 14, 0, 48)])
    verdict = table.do("move", path=to((14 + more, 10)))
    assert verdict.legal is legal
    if legal:
        assert verdict.cost == pytest.approx(6 + 2 * more if more < 0 else 6)
        factors = [(line.factor, line.clause) for line in verdict.ledger]
        assert factors == [(1.0, "TC-MOVE-4"), (2.0, "TC-TER-2")]
    else:
        assert ids(verdict) == ["TC-TER-2"]


def test_tc_ter_2_overlapping_pieces_double_once() -> None:
    mud = [box("mud", 12, 13, 0, 48, id="M1"), box("crater", 12.5, 13.5, 0, 48, id="M2")]
    verdict = Table([red("A", 10, 10)], mud).do("move", path=to((14.5, 10)))
    assert verdict.legal
    assert verdict.cost == pytest.approx(4.5 + 1.5)


def test_tc_ter_2_half_area_enters_later_at_a_corner() -> None:
    mud = {"id": "M", "kind": "mud", "shape": {"polygon": [[12, 10], [20, 10], [20, 18], [12, 18]]}}
    ends = to((12.05, 10.05))
    assert Table([red("A", 11, 9)], [mud]).do("move", path=ends).cost > math.hypot(1.05, 1.05)
    half = Table([red("A", 11, 9)], [mud], terrain_in="half_area").do("move", path=ends)
    assert half.cost == pytest.approx(math.hypot(1.05, 1.05))


@pytest.mark.parametrize(("faces", "x"), [((3, 4), 16.0), ((2, 4), 12.0)])
def test_tc_ter_3_roll_at_the_first_entry(faces: tuple[int, int], x: float) -> None:
    pieces = [box("wire", 12, 13, 0, 48, id="D1"), box("minefield", 14, 15, 0, 48, id="D2")]
    table = Table([red("A", 10, 10), blue("E", 40, 40)], pieces)
    answers = [faces] if x == 16.0 else [faces, (1, 1)]
    assert table.do("move", "A", *answers, path=to((16, 10))).legal
    assert table.body().x == pytest.approx(x)
    assert (table.state.progress.get("over") == "danger") is (x == 12.0)


def test_tc_ter_3_set_back_from_a_friend_at_the_entry() -> None:
    table = Table([red("A", 10, 10), red("F", 12.2, 10)], [box("wire", 12, 13, 0, 48)])
    assert table.do("move", "A", (1, 1), (1, 1), path=to((16, 10))).legal
    assert table.body().x == pytest.approx(12.2 - R)


def test_tc_ter_3_from_the_border_inward_rolls_and_outward_does_not() -> None:
    wire = box("wire", 12, 13, 0, 48)
    inward = Table([red("A", 12, 10)], [wire]).do("move", path=to((12.5, 10)))
    assert inward.ask is not None
    assert Table([red("A", 12, 10)], [wire]).do("move", path=to((11, 10))).ask is None


@pytest.mark.parametrize(("x", "rolls"), [(12.0, False), (12.001, True), (12.5, True)])
def test_tc_ter_4_activated_in_danger(x: float, rolls: bool) -> None:
    table = Table([red("A", x, 10)], [box("wire", 12, 13, 0, 48)], progress={})
    assert (table.do("activate").ask is not None) is rolls


def test_tc_ter_5_the_middle_of_a_piece() -> None:
    table = Table([red("A", 10, 10)], [box("bunker", 12, 14, 8, 12)])
    verdict = table.do("move", path=to((16, 10)))
    assert ids(verdict) == ["TC-TER-5"]
    assert verdict.findings[0].travelled == pytest.approx(2 - 125 / 254)
    assert table.follow(verdict).legal
    assert table.body().x == pytest.approx(12 - 125 / 254, abs=1e-4)


def test_tc_ter_5_nobody_stands_on_impassable_ground() -> None:
    with pytest.raises(DocumentError, match="nothing to stand on"):
        Table([red("A", 10, 10, z=3)], [box("bunker", 9, 14, 8, 12, height=3)])


def test_every_finding_comes_back() -> None:
    table = Table(
        [red("A", 10, 10), red("F", 16.5, 10), blue("E", 13, 10.5)],
        [box("wall", 14, 15, 9, 12)],
    )
    verdict = table.do("move", path=to((16.5, 10)))
    assert ids(verdict) == ["TC-MOVE-1", "TC-MOVE-10", "TC-MOVE-5", "TC-MOVE-7", "TC-TER-5"]
