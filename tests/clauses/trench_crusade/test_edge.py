"""TC-MOVE-6, G-10: the edge of the table; where a legal move leads is a scene that loads."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red, to
from tapeline.errors import DocumentError
from tapeline.play.battle import Battle, load
from tapeline.rules.trench_crusade import SYSTEM

Doc = dict[str, Any]
BLOCK = box("block", 2, 5, 4, 8, height=2.0)
HERALD = {"profile": "Herald of Beelzebub", "base": 40}
FAR = blue("E", 40, 40)


def loads(table: Table) -> bool:
    """Whether the scene of a table loads again as the same state."""
    battle = Battle(SYSTEM, table.state)
    return load(battle.scene()).hash == battle.hash


@pytest.mark.parametrize("built", [False, True])
@pytest.mark.parametrize(
    ("x", "y", "overhang", "free", "fault"),
    [
        (0.48, 10.0, "none", False, "0.01213 over the edge"),
        (0.48, 10.0, "under_half", False, ""),
        (0.0, 10.0, "under_half", False, ""),
        (-7e-7, 10.0, "under_half", False, ""),
        (-1e-4, 10.0, "under_half", False, "50.01 % of the base of 'A' is off the table"),
        (-0.1, 10.0, "under_half", False, "62.85 % of the base"),
        (0.02, 0.02, "under_half", False, "72.36 % of the base"),
        (48.0, 0.5, "under_half", False, ""),
        (0.48, 10.0, "none", True, ""),
        (-3.0, 52.0, "none", True, ""),
        (0.02, 0.02, "under_half", True, ""),
    ],
)
def test_how_a_base_may_lie_to_the_edge(
    x: float, y: float, overhang: str, free: bool, fault: str, built: bool
) -> None:
    terrain = [BLOCK] if built else []
    mark = {"may_leave_table": True} if free else {}
    models = [red("A", x, y, **mark), FAR]
    if fault:
        with pytest.raises(DocumentError, match=fault):
            Table(models, terrain, edge_overhang=overhang)
        return
    table = Table(models, terrain, edge_overhang=overhang)
    assert loads(table)
    verdict = table.do("move", path=to((x, y + 2)))
    assert verdict.legal
    assert verdict.value("moved") == pytest.approx(2.0)
    assert table.body().centre == (x, y + 2)
    assert loads(table)


def test_who_is_off_the_table_stands_on_level_ground() -> None:
    with pytest.raises(DocumentError, match=r"nothing to stand on at .* is 1 high; there is 0"):
        Table([red("A", -2, 10, z=1.0, may_leave_table=True), FAR])


@pytest.mark.parametrize("built", [False, True])
def test_off_the_table_and_back_up_a_block(built: bool) -> None:
    terrain = [BLOCK] if built else []
    table = Table([red("A", 1, 10, may_leave_table=True), FAR], terrain)
    verdict = table.do("move", path=to((-2, 10), (-1, 10)))
    assert verdict.legal
    assert (table.body().centre, verdict.value("moved")) == ((-1.0, 10.0), pytest.approx(4.0))
    table = Table([red("A", -1, 6, may_leave_table=True), FAR], terrain)
    verdict = table.do("move", path=to((3, 6)))
    assert ids(verdict) == (["TC-TER-7"] if built else [])


def test_a_flyer_ends_on_the_ground_beyond_the_edge_too() -> None:
    table = Table([red("A", 2, 10, may_leave_table=True, **HERALD), FAR])
    air = [{"to": [-2.0, 10.0], "z": 3.0}]
    verdict = table.do("move", path=air)
    assert ids(verdict) == ["TC-FLY-1"]
    assert verdict.findings[0].measured == pytest.approx(3.0)
    assert table.do("move", path=[*air, {"to": [-2.0, 10.0], "z": 0.0}]).legal
    assert loads(table)


def test_what_a_legal_move_by_the_edge_leads_to_is_a_sound_scene(
    budget: Callable[[int, int], int],
) -> None:
    gone, hung, off = 0, 0, 0
    for seed in range(budget(250, 20_000)):
        rng = Random(seed)
        overhang, free = rng.choice([("none", False), ("under_half", False), ("none", True)])
        marks = {"may_leave_table": True} if free else {}
        flying = rng.random() < 0.25
        size = rng.choice([25, 40, 120]) / 25.4
        kind: Doc = {"profile": "Herald of Beelzebub"} if flying else {}
        x, y = 0.5 * size + rng.uniform(0, 0.3), 0.5 * size + rng.choice([0.01, 0.4, 9.0])
        terrain = [] if rng.random() < 0.5 else [box("block", 20, 24, 20, 24)]
        table = Table(
            [red("A", x, y, size * 25.4, **marks, **kind), FAR], terrain, edge_overhang=overhang
        )
        for _ in range(3):
            body = table.body()
            least = 0.5 * size if overhang == "none" else 0.0
            least = rng.uniform(-2.0, 0.5) if free else least
            limit = least + rng.choice([0.0, 9e-7, -9e-7, -1.1e-6, 2e-6, -2e-6, 0.05])
            end = (
                limit if rng.random() < 0.7 else body.x - rng.uniform(0, 1),
                limit if rng.random() < 0.3 else body.y + rng.uniform(-1, 1),
            )
            legs: list[Doc] = to(end)
            if rng.random() < 0.3:
                middle = (body.x + rng.uniform(-0.5, 0.5), body.y + rng.uniform(-0.5, 0.5))
                legs = to(middle, end)
            elif rng.random() < 0.3:
                centre = [body.x, body.y + rng.choice([0.5, 1.0])]
                legs = [{"centre": centre, "by": rng.choice([-90, -37.5, 60, 90, 200])}]
            if flying:
                legs = [
                    {**leg, "z": rng.choice([0.0, 1.5])} if "to" in leg else leg for leg in legs
                ]
            verdict = table.do("move", path=legs)
            if not verdict.legal:
                continue
            body = table.body()
            if verdict.value("moved") > 0:
                gone += 1
            hung += min(body.x, body.y) < 0.5 * size - 1e-3
            off += min(body.x, body.y) < -1e-3
            assert loads(table), seed
            break
    assert min(gone, hung, off) > 20
