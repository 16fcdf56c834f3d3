"""On level ground a path is laid in parts of one sort of ground and written in its own legs."""

from __future__ import annotations

import math
from random import Random

import pytest

from clauses.trench_crusade.tabling import Table, box, red
from tapeline.engine.paths import Leg, LegPath
from tapeline.rules.trench_crusade.walker import enters_danger, lay

MUD = box("mud", 10, 13, 8, 12, id="mud")
WIRE = box("wire", 11, 17, 9, 11, id="wire")
PATH: LegPath = (
    Leg(to=(12.0, 10.0)),
    Leg(by=90.0),
    Leg(centre=(12.0, 12.0), by=100.0),
    Leg(to=(20.0, 10.5)),
)


@pytest.fixture
def table() -> Table:
    return Table([red("A", 8, 10)], [MUD, WIRE])


def test_parts_are_written_as_the_legs_they_came_from(table: Table) -> None:
    way = lay(table.state, table.body(), PATH)
    assert len(way.parts) > len(PATH)
    assert way.legs == PATH


def test_a_way_cut_short_ends_in_a_leg_cut_short(table: Table) -> None:
    way, rng = lay(table.state, table.body(), PATH), Random(5)
    for s in [rng.uniform(0.0, way.length) for _ in range(50)]:
        short = way.upto(s)
        again = lay(table.state, table.body(), short.legs)
        assert len(short.legs) <= len(PATH)
        assert math.dist(again.end, way.place(s)) < 1e-9
        assert again.length == pytest.approx(s, abs=1e-9)
        assert again.cost == pytest.approx(short.cost, abs=1e-9)


def test_difficult_ground_counts_twice_and_danger_is_entered_once(table: Table) -> None:
    way = lay(table.state, table.body(), (Leg(to=(20.0, 10.0)),))
    assert way.cost == pytest.approx(12.0 + 3.0)
    assert enters_danger(table.state, table.body(), way) == (pytest.approx(3.0), "wire")


def test_a_way_goes_on_beyond_the_edge_of_the_table(table: Table) -> None:
    way = lay(table.state, table.body(), (Leg(to=(-5.0, 10.0)),))
    assert way.level
    assert way.end.xy == (-5.0, 10.0)
