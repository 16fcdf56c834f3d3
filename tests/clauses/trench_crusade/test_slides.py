"""TC-CHG-10, -11, G-23: a slide answers to the clauses of every move, each by its own name."""

from __future__ import annotations

import math
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red, to

R = 125 / 127
r = 125 / 254
Doc = dict[str, Any]
#: A charger that touches T at (16 - R, 10) with 4 in left, and E2 to slide to, below.
MODELS = [red("A", 11, 10), blue("T", 16, 10), blue("E2", 16, 7.75)]


def slid(by: float, models: list[Doc], terrain: tuple[Doc, ...] = (), face: int = 2) -> Any:
    """The verdict on a slide of so many degrees about T, after a charge with that bonus."""
    table = Table(models, terrain)
    arc = [{"centre": [16, 10], "by": by}]
    return table.do("charge", "A", (face,), arc, target="T")


def angle(height: float) -> float:
    """Degrees about T, from its west, down to where a centre is that much lower than T's."""
    return math.degrees(math.asin(height / R))


def test_a_slide_that_breaks_nothing_cites_what_bore_on_it() -> None:
    verdict = slid(45, MODELS)
    assert verdict.legal
    assert {"TC-CHG-10", "TC-CHG-11", "TC-MOVE-10"} <= set(verdict.cites)
    assert verdict.values["slid"] == pytest.approx(R * math.pi / 4)
    assert verdict.values["moved"] == pytest.approx(5 - R)  # of the charge, the slide apart


@pytest.mark.parametrize(("more", "clauses"), [(-1e-4, []), (0.0, []), (1e-4, ["TC-MOVE-6"])])
def test_tc_move_6_off_the_table(more: float, clauses: list[str]) -> None:
    # T stands 0.7 above the edge: the rim is on it where the centre is 0.7 - r lower.
    models = [red("A", 11, 0.7), blue("T", 16, 0.7), blue("E2", 16, 2.2)]
    table = Table(models)
    arc = [{"centre": [16, 0.7], "by": angle(0.7 - r + more)}]
    verdict = table.do("charge", "A", (2,), arc, target="T")
    assert ids(verdict) == clauses


def test_tc_move_6_unless_it_may_leave() -> None:
    models = [red("A", 11, 0.7, may_leave_table=True), blue("T", 16, 0.7), blue("E2", 16, 2.2)]
    arc = [{"centre": [16, 0.7], "by": 13}]
    assert Table(models).do("charge", "A", (2,), arc, target="T").legal


@pytest.mark.parametrize(("more", "clauses"), [(-1e-4, []), (0.0, []), (1e-4, ["TC-TER-5"])])
def test_tc_ter_5_into_a_wall(more: float, clauses: list[str]) -> None:
    # The top of the wall is 0.5 + r lower than T's centre.
    wall = box("wall", 12, 15.4, 4, 9.5 - r, id="W", height=0.5)
    verdict = slid(angle(0.5 + more), MODELS, (wall,))
    assert ids(verdict) == clauses
    assert clauses or "TC-TER-5" in verdict.cites


@pytest.mark.parametrize(("more", "clauses"), [(-1e-3, []), (1e-3, ["TC-MOVE-10"])])
def test_tc_move_10_onto_another_enemy(more: float, clauses: list[str]) -> None:
    # E2 in contact with T at its south: bases meet 60 degrees from there, 30 from the west.
    models = [*MODELS[:2], blue("E2", 16, 10 - R)]
    verdict = slid(30 + math.degrees(more), models)
    assert ids(verdict) == clauses


@pytest.mark.parametrize(
    ("turn", "clauses"), [(35, ["TC-MOVE-5"]), (119.9, ["TC-MOVE-5"]), (120.1, [])]
)
def test_tc_move_5_a_friend_is_crossed_and_not_ended_on(turn: float, clauses: list[str]) -> None:
    # F touches T at its west: the charge ends 60 degrees round T from there, and the slide leads
    # back over F to 60 degrees on its other side.
    models = [red("A", 11, 10), blue("T", 16, 10), blue("E2", 16, 8), blue("E3", 16, 12)]
    table = Table([*models, red("F", 16 - R, 10)])
    table.do("charge", "A", (6,), target="T")
    assert table.session is not None
    north = table.session.state.body("A").y > 10
    arc = [{"centre": [16, 10], "by": turn if north else -turn}]
    verdict = table.do("charge", "A", (6,), arc, target="T")
    assert ids(verdict) == clauses
    assert "TC-MOVE-5" in verdict.cites


@pytest.mark.parametrize(("more", "clauses"), [(-1e-4, []), (0.0, []), (1e-4, ["TC-CHG-10"])])
@pytest.mark.parametrize("mud", [False, True])
def test_tc_chg_10_no_farther_than_the_allowance(
    mud: bool, more: float, clauses: list[str]
) -> None:
    # Movement 6 and 1: from 7.4 in off with 1.584252 left to E2; in mud half as far.
    left = 0.6
    models = [red("A", 16 - R - 7 + left, 10), blue("T", 16, 10), blue("E2", 16, 8.2)]
    ground = (box("mud", 14, 18, 4, 10, id="m"),) if mud else ()
    by = math.degrees((left + more) / R * (0.5 if mud else 1.0))
    verdict = slid(by, models, ground, face=1)
    assert ids(verdict) == clauses
    assert not mud or clauses or "TC-TER-2" in verdict.cites


def test_each_clause_that_a_slide_breaks_is_named() -> None:
    wall = box("wall", 12, 15.4, 4, 9.45, id="W", height=0.5)
    models = [*MODELS[:2], blue("E2", 16, 10 - R)]
    table = Table(models, [wall])
    verdict = table.do("charge", "A", (2,), to((15, 9), (15, 8.5)), target="T")
    assert {"TC-CHG-10", "TC-TER-5"} <= set(ids(verdict))
    verdict = slid(50, models, (wall,))
    assert {"TC-MOVE-10", "TC-TER-5"} == set(ids(verdict))


def test_over_storeys_the_same_clauses() -> None:
    roof = box("block", 8, 15.6, 4, 20, height=2.0, id="roof")
    up = [{**m, "z": 2.0} for m in [red("A", 9, 10), blue("T", 14, 10), blue("E2", 14, 7.6)]]
    post = box("block", 12, 14, 4, 8.9, height=4.0, id="post")

    def slide(by: float, *more: Doc, models: list[Doc] = up) -> list[str]:
        arc = [{"centre": [14, 10], "by": by}]
        table = Table(models, [roof, *more], los_mode="attested")
        return ids(table.do("charge", "A", (2,), arc, target="T"))

    assert slide(60) == []
    assert slide(
        60, {**post, "shape": {"polygon": [[11, 4], [13.3, 4], [13.3, 8.9], [11, 8.9]]}}
    ) == ["TC-TER-7"]
    friend = red("F", 14 - R * math.cos(math.radians(75)), 10 - R * math.sin(math.radians(75)))
    assert slide(60, models=[*up, {**friend, "z": 2.0}]) == ["TC-MOVE-5"]
    # Round to the east, where nothing carries the centre: TC-TER-7.
    east = [{**m, "z": 2.0} for m in [red("A", 9, 10), blue("T", 15.1, 10), blue("E2", 15.0, 7.6)]]
    arc = [{"centre": [15.1, 10], "by": 140}]
    table = Table(east, [roof], los_mode="attested")
    verdict = table.do("charge", "A", (2,), arc, target="T")
    assert "TC-TER-7" in ids(verdict)
    assert "TC-MOVE-6" not in ids(verdict)


def test_a_slide_does_not_step_down_from_its_target() -> None:
    # T stands on crates 1 inch high: round it, partly beside them, contact is lost by the height.
    crates = box("crates", 8, 15.2, 4, 20, height=1.0, id="c")
    models = [
        {**m, "z": 1.0} for m in [red("A", 9, 10), blue("T", 14.5, 10), blue("E2", 14.5, 7.6)]
    ]
    arc = [{"centre": [14.5, 10], "by": 150}]
    table = Table(models, [crates], los_mode="attested")
    assert "TC-CHG-10" in ids(table.do("charge", "A", (2,), arc, target="T"))
