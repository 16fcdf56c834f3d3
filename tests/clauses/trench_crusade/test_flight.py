"""TC-FLY-1, TC-TER-5: a flyer comes down beside what it was above, not into it or through it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red

HERALD = {"profile": "Herald of Beelzebub", "base": 40}
R = 20 / 25.4


def _way(*places: tuple[float, float, float]) -> list[dict[str, Any]]:
    return [{"to": [x, y], "z": z} for x, y, z in places]


def _table(terrain: list[dict[str, Any]], z: float = 0.0) -> Table:
    return Table([red("A", 10, 10, z=z, **HERALD), blue("E", 40, 40)], terrain)


@pytest.mark.parametrize(
    ("into", "clauses"), [(1e-7, []), (0.002, ["TC-FLY-1", "TC-TER-5"]), (R, None)]
)
def test_a_descent_beside_impassable_ground_does_not_enter_it(
    into: float, clauses: list[str] | None
) -> None:
    trap = {**box("tank trap", 11.5, 13, 8, 12), "height": 1.5}
    x = 13 + R - into
    verdict = _table([trap]).do("move", path=_way((10, 10, 1.5), (x, 10, 1.5), (x, 10, 0)))
    assert ids(verdict) == (["TC-FLY-1", "TC-TER-5"] if clauses is None else clauses)
    for finding in verdict.findings:
        assert finding.measured == pytest.approx(into)
        assert finding.about == "P1"


@pytest.mark.parametrize(("end", "legal"), [((14, 10, 0), False), ((14, 10, 2), True)])
def test_no_dive_leads_through_the_block_it_starts_from(
    end: tuple[float, float, float], legal: bool
) -> None:
    block = box("block", 8, 12, 8, 12, height=2.0)
    far = box("block", 13, 16, 8, 12, height=2.0, id="P2")
    verdict = _table([block, far] if legal else [block], z=2.0).do("move", path=_way(end))
    assert ids(verdict) == ([] if legal else ["TC-FLY-1"])
    if not legal:
        # Out to the edge first, then down: the rim is clear of the block.
        down = _way((12 + R, 10, 2), (14, 10, 0))
        assert _table([block], z=2.0).do("move", path=down).legal


def test_a_charge_in_flight_goes_out_over_the_edge_and_then_down() -> None:
    block = box("block", 8, 12, 8, 12, height=2.0)
    table = Table([red("A", 10, 10, z=2.0, **HERALD), blue("E", 15, 10)], [block])
    verdict = table.do("charge", "A", (6,), target="E")
    touch = 15 - R - 12.5 / 25.4
    down = math.hypot(touch - 12 - R, 2)
    assert verdict.value("moved") == pytest.approx(2 + R + down)
