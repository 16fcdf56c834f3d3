"""MH-MOVE, MH-RUN, MH-ENG, MH-KD, and bases that meet along a way."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from clauses.mordheim.staging import Table, block, blue, ids, red
from tapeline.engine.paths import Leg, Place
from tapeline.rules.mordheim import context
from tapeline.rules.mordheim.actions import Move
from tapeline.rules.mordheim.contact import first_contact, flat_gap
from tapeline.table.bodies import Base, Body, Rectangle, Round
from tapeline.travel.route import Route, Stretch

FAR = blue(40, 40)


@pytest.mark.parametrize(("far", "legal"), [(3.99, True), (4.0, True), (4.00001, False)])
def test_mh_move_1_up_to_the_movement(far: float, legal: bool) -> None:
    verdict = Table([red(10, 10), FAR]).go((10 + far, 10))
    assert verdict.legal == legal
    assert ids(verdict) == (set() if legal else {"MH-MOVE-1"})


@pytest.mark.parametrize(("far", "legal"), [(7.99, True), (8.0, True), (8.00001, False)])
def test_mh_run_1_up_to_twice_the_movement(far: float, legal: bool) -> None:
    verdict = Table([red(10, 10), FAR]).go((10 + far, 10), run=True)
    assert verdict.legal == legal
    assert ids(verdict) == (set() if legal else {"MH-RUN-1"})


@pytest.mark.parametrize(("gap", "may"), [(7.99, False), (8.0, False), (8.00001, True)])
def test_mh_run_3_gap_exactly_8_refuses(gap: float, may: bool) -> None:
    table = Table([red(10, 10), blue(11 + gap, 10)], step="declarations")
    assert table.do("close_declarations", None).legal
    assert bool(table.mark("run_ok")) == may
    assert ids(table.go((5, 10), run=True)) == (set() if may else {"MH-RUN-3"})


@pytest.mark.parametrize(
    "state", [{"condition": "stunned"}, {"condition": "knocked_down"}, {"fleeing": True}]
)
def test_mh_run_4_does_not_count(state: dict[str, object]) -> None:
    table = Table([red(10, 10), blue(13, 10, state=state)], step="declarations")
    assert "MH-RUN-4" in table.do("close_declarations", None).cites
    assert table.go((5, 10), run=True).legal


def test_mh_run_5_the_check_is_a_snapshot() -> None:
    """An enemy that comes near, or goes, after the check changes nothing."""
    table = Table(
        [red(10, 10), red(24, 13, body_id="A2"), blue(20, 10), blue(24, 5, body_id="E2")],
        step="declarations",
    )
    assert table.do("close_declarations", None).legal
    assert table.mark("run_ok") is True
    assert table.mark("run_ok", "A2") is None
    assert table.go((18, 10), run=True).legal
    assert ids(table.go((32, 13), actor="A2", run=True)) == {"MH-RUN-3"}


def test_mh_run_10_a_zombie_charges_at_double_movement() -> None:
    table = Table([red(10, 10, profile="Zombie"), blue(19, 10)], step="declarations")
    verdict = table.charge("E")
    assert verdict.value("spent") == pytest.approx(8.0)
    assert table.mark("charge") == "success"


@pytest.mark.parametrize(("x", "legal"), [(11.99, True), (12.0, False), (12.5, False)])
def test_mh_chg_13_contact_is_for_charges(x: float, legal: bool) -> None:
    verdict = Table([red(10, 10), blue(13, 10)]).go((x, 10))
    assert verdict.legal == legal
    # Deeper than a touch the base of the enemy is in the way as well.
    assert "MH-CHG-13" in ids(verdict) or legal


def test_mh_chg_13_contact_in_passing() -> None:
    verdict = Table([red(10, 10), blue(12, 11)]).go((14, 10))
    assert ids(verdict) == {"MH-CHG-13"}
    assert verdict.findings[0].travelled == pytest.approx(2.0, abs=2e-3)


def test_mh_chg_13_an_enemy_above_is_not_met() -> None:
    table = Table([red(10, 10), blue(15, 10, 1.0)], [block("B", 14, 18, 8, 12, 1.0)])
    assert table.go((13.4, 10)).legal


@pytest.mark.parametrize("condition", ["knocked_down", "stunned"])
def test_mh_eng_1_may_leave_those_that_are_down(condition: str) -> None:
    down = blue(11, 10, state={"condition": condition})
    table = Table([red(10, 10), down, FAR | {"id": "E2"}])
    assert table.mark("engaged") == ["E"]
    assert table.go((10, 12)).legal
    assert table.mark("engaged") is None
    assert table.mark("engaged", "E") is None


def test_mh_eng_1_not_while_one_stands() -> None:
    models = [red(10, 10), blue(11, 10, state={"condition": "stunned"})]
    table = Table([*models, blue(9, 10, body_id="E2")])
    verdict = table.go((10, 12))
    assert ids(verdict) == {"MH-ENG-1"}
    assert verdict.findings[0].about == "E2"
    assert table.go().legal, "staying is no leaving"


@pytest.mark.parametrize(("far", "legal"), [(2.0, True), (2.00001, False)])
def test_mh_kd_1_crawls_2_inches(far: float, legal: bool) -> None:
    table = Table([red(10, 10, state={"condition": "knocked_down"}), FAR])
    assert ids(table.go((11, 10))) == {"MH-KD-1"}
    verdict = table.do("crawl", path=[{"to": [10, 10 + far]}])
    assert ids(verdict) == (set() if legal else {"MH-KD-1"})


@pytest.mark.parametrize(("far", "legal"), [(2.0, True), (2.00001, False)])
def test_mh_kd_2_half_rate_after_standing_up(far: float, legal: bool) -> None:
    verdict = Table([red(10, 10, state={"stood_up": True}), FAR]).go((10 + far, 10))
    assert ids(verdict) == (set() if legal else {"MH-KD-2"})


def test_the_nearest_legal_move_is_the_longest_beginning() -> None:
    table = Table([red(10, 10), blue(13, 10)])
    verdict = table.go((14, 10))
    assert verdict.nearest is not None
    path = verdict.nearest.action["path"]
    assert path[0]["to"][0] == pytest.approx(12.0, abs=1e-4)  # type: ignore[index, call-overload]
    assert table.do(**{**_document(verdict.nearest.action), "actor": "A"}).legal


def _document(action: object) -> dict[str, object]:
    from tapeline.table.marks import thaw

    return dict(thaw(action))  # type: ignore[arg-type]


def _body(body_id: str, base: Base, x: float, y: float, z: float, facing: float) -> Body:
    return Body(body_id, body_id, body_id, base, x, y, z, facing)


def test_first_contact_against_dense_sampling(budget: Callable[[int, int], int]) -> None:
    """Discs and rectangles, straight pieces, slopes and arcs: no contact missed, none made up."""
    rng = Random("contact")
    for trial in range(budget(60, 1_500)):
        bases: list[Base] = [
            Round(rng.uniform(0.3, 1.0))
            if rng.random() < 0.5
            else Rectangle(0.8, rng.uniform(1, 2))
            for _ in range(2)
        ]
        body = _body("a", bases[0], 0.0, 0.0, 0.0, rng.uniform(0, 360))
        enemy = _body(
            "b", bases[1], rng.uniform(-4, 4), rng.uniform(-4, 4), rng.choice([0.0, 0.0, 1.5]), 30.0
        )
        start, length = Place(0.0, 0.0, 0.0), rng.uniform(0.5, 6.0)
        if trial % 3 == 2:
            radius = rng.uniform(1.0, 3.0)
            sweep = length / radius
            end = Place(radius * math.sin(sweep), radius - radius * math.cos(sweep), 0.0)
            part = Stretch(start, end, arc=(0.0, radius, sweep))
        else:
            angle = rng.uniform(0, math.tau)
            rise = rng.choice([0.0, 2.0])
            end = Place(length * math.cos(angle), length * math.sin(angle), rise)
            part = Stretch(start, end)
        sampled, reach = None, body.base.reach + enemy.base.reach + 1e-6
        for step in range(2001):
            at = part.at(step / 2000)
            there = body.at(*at)
            near = math.hypot(at.x - enemy.x, at.y - enemy.y) <= reach
            if near and abs(at.z - enemy.z) < 1.0 and flat_gap(there, enemy) <= 0.0:
                sampled = step / 2000 * part.length
                break
        found = first_contact(body, enemy, Route(start, (part,)))
        if sampled is None:
            if found is not None:
                there = body.at(*found[1])
                assert flat_gap(there, enemy) <= 1.1e-6
                assert abs(found[1].z - enemy.z) < 1.0
        else:
            assert found is not None, (trial, sampled)
            assert found[0] <= sampled + 1e-6
            assert found[0] >= sampled - part.length / 2000 - 1e-3


@pytest.mark.parametrize(("x", "legal"), [(0.0, True), (-9e-7, True), (-0.001, False)])
def test_mh_move_5_the_table_edge_bounds_the_centre(x: float, legal: bool) -> None:
    """A base may hang over the edge, and a scene of such a model loads again."""
    from tapeline.play.battle import Battle, load
    from tapeline.rules.mordheim import SYSTEM

    table = Table([red(2, 10), FAR])
    verdict = table.go((x, 10))
    assert ids(verdict) == (set() if legal else {"MH-MOVE-5"})
    battle = Battle(SYSTEM, table.state)
    assert load(battle.scene()).hash == battle.hash


DOG = {"profile": "Warhound", "base": {"rectangle": [1, 2]}}


def test_pivoting_is_free_and_counts() -> None:
    """A base of 1 by 2 faces east, 2 long in x; turned it is 2 long in y."""
    table = Table([red(10, 10, **DOG), red(10, 11.4, body_id="A2"), FAR])
    verdict = table.go({"by": 90})
    assert ids(verdict) == {"MH-MOVE-5"}
    assert verdict.findings[0].about == "A2"
    verdict = table.go({"by": 90}, (14, 10))
    assert verdict.legal
    assert verdict.value("spent") == pytest.approx(4.0)
    assert table.body().facing == pytest.approx(90.0)


def test_pivoting_into_contact_is_for_charges() -> None:
    table = Table([red(10, 10, **DOG), blue(10, 11.5)])
    assert ids(table.go({"by": 90})) == {"MH-CHG-13"}
    assert table.go({"by": 10}).legal


def test_the_nearest_of_a_run_that_is_barred_is_a_normal_move() -> None:
    table = Table([red(10, 10), blue(15, 10)], step="declarations")
    table.do("close_declarations", None)
    verdict = table.go((10, 17), run=True)
    assert ids(verdict) == {"MH-RUN-3"}
    assert verdict.nearest is not None
    assert "Without running" in verdict.nearest.text
    assert "run" not in verdict.nearest.action
    assert verdict.nearest.short_by == pytest.approx(3.0, abs=1e-5)


def test_a_path_over_an_edge_is_cut_there_in_few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing carries it beyond, however far it was to go."""
    table = Table([red(10, 10, 3), FAR], [block("house", 8, 11, 8, 12, 3.0)])
    walks = 0

    def counted(*given: Any, **more: Any) -> Route:
        nonlocal walks
        walks += 1
        return walk(*given, **more)

    walk = context.walk
    monkeypatch.setattr(context, "walk", counted)
    found = context.longest_beginning(table.state, Move(actor="A", path=(Leg(to=(13.5, 10.0)),)))
    assert found is not None
    assert found[-1].to == pytest.approx((11.0, 10.0), abs=2e-6)
    assert found[-1].to[0] <= 11.0 + 1e-6  # type: ignore[index]
    assert walks <= 11
