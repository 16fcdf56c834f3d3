"""Blocks, the sketch of a system of regiments: what it says by hand, with nothing but the kit."""

from __future__ import annotations

import math

import pytest

import tapeline as tl
from support.scenes import blocks_scene, regiment


def judged(kind: str, actor: str = "A", **more: object) -> tl.Verdict:
    return tl.load(blocks_scene()).judge(tl.Action(kind, actor, **more))


def test_a_march_goes_as_far_as_its_pace() -> None:
    assert judged("march", distance=20).legal
    refused = judged("march", distance=20.01)
    assert [finding.clause for finding in refused.findings] == ["BK-MOV-1"]
    assert refused.nearest is not None
    assert refused.nearest.action["distance"] == pytest.approx(20.0)


def test_a_march_ends_where_it_meets_another() -> None:
    scene = blocks_scene(regiment("A", "red", 10, 30), regiment("C", "blue", 25, 26, 180))
    battle = tl.load(scene)
    assert battle.judge(tl.Action("march", "A", distance=13)).legal, "front on front"
    refused = battle.judge(tl.Action("march", "A", distance=14))
    (finding,) = refused.findings
    assert (finding.clause, finding.measured) == ("BK-MOV-2", pytest.approx(13.0))
    assert finding.place is not None
    assert finding.place[0] == pytest.approx(24.0)
    assert refused.nearest is not None
    assert refused.nearest.short_by == pytest.approx(1.0)


def test_a_wheel_costs_the_way_of_the_outer_corner() -> None:
    wheel = judged("wheel", by=60)
    assert wheel.cost == pytest.approx(math.radians(60) * math.hypot(12, 2))
    assert [f.clause for f in judged("wheel", by=91).findings] == ["BK-MOV-3"]


def test_a_column_forms_behind_the_first() -> None:
    after, _ = tl.load(blocks_scene()).play(tl.Action("form", "A", into="column"))
    stands = sorted(
        (after.state.bodies[f"A.{n}"].x, after.state.bodies[f"A.{n}"].y) for n in (1, 2, 3)
    )
    assert stands == [pytest.approx((x, 30.0)) for x in (6.0, 8.0, 10.0)]


@pytest.mark.parametrize(
    ("target", "clauses"), [("C", []), ("D", ["BK-LOO-1"]), ("B", ["BK-LOO-1", "BK-LOO-2"])]
)
def test_loosing_at_what_is_before_it(target: str, clauses: list[str]) -> None:
    assert [finding.clause for finding in judged("loose", target=target).findings] == clauses


def test_an_id_that_is_no_unit_is_a_fault() -> None:
    with pytest.raises(tl.UnknownIdError, match="Z"):
        judged("march", "Z", distance=1)
