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


def test_how_deep_it_flies_into_a_floor_does_not_tell_how_the_floor_is_cut_up_round_a_hole() -> (
    None
):
    measured = []
    for turned in (False, True):
        outline, hatch, hole, way = (
            [[y, x] if turned else [x, y] for x, y in points]
            for points in (
                [(10, 10), (22, 10), (22, 18), (10, 18)],
                [(15, 16), (17, 16), (17, 17), (15, 17)],
                [(12, 14), (14, 14), (14, 15), (12, 15)],
                [(8, 10.5), (24, 12.5)],
            )
        )
        floor = {"id": "P1", "floor": {"polygon": outline}, "z": 2.0}
        floor |= {"hatches": [{"polygon": hatch}], "holes": [{"polygon": hole}]}
        middle = [16.5, 16] if turned else [16, 16.5]
        ladder = {"id": "P2", "ladder": {"foot": [*middle, 0], "head": [*middle, 2]}}
        table = Table([red("A", *way[0], **HERALD), blue("E", 40, 40)], [floor, ladder])
        verdict = table.do("move", path=_way((*way[0], 1.95), (*way[1], 1.95)))
        measured += [f.measured for f in verdict.findings if f.about == "P1"]
    # Deepest at (20, 12), 2 from the sides at y = 10 and at x = 22.
    assert measured == pytest.approx([R + 2] * 2, abs=1e-6)
