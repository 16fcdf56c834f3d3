"""TC-MOVE-1, TC-RET-9, TC-TER-2, TC-CHG-5: whatever a way leads over, the allowance pays for it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Literal, NamedTuple

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red
from tapeline.dice import Roll, SeededDice
from tapeline.engine.asks import Answer
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.referee import Session
from tapeline.rules.trench_crusade import SYSTEM
from tapeline.rules.trench_crusade.actions import Charge, Walk
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.measures import holding
from tapeline.rules.trench_crusade.walker import lay

R = 125 / 254
Doc = dict[str, Any]
#: What may refuse a way only because the allowance does not reach.
PAYING = {"TC-MOVE-1", "TC-RET-9", "TC-TER-2", "TC-CLM-1", "TC-JMP-1", "TC-JMP-4"}


def leg(x: float, y: float, z: float | None = None, how: str = "walk") -> Doc:
    """One leg of a path."""
    found: Doc = {"to": [x, y], "how": how}
    return found if z is None else {**found, "z": z}


def shelf(mud: float, **more: Any) -> list[Doc]:
    """A ledge 2.4 inches high that ends at x = 14, muddy from x = 8 to `mud`."""
    return [
        box("block", 0, 14, 0, 48, height=2.4, id="ledge"),
        box("mud", 8, mud, 0, 48, id="mud", base_height=2.4),
    ]


# From x = 14 - s to mud's end at 13.8 costs double, 0.2 of ledge and R to land count once.
@pytest.mark.parametrize(("more", "legal"), [(-1e-4, True), (0.0, True), (1e-4, False)])
@pytest.mark.parametrize("manner", ["move", "dash", "retreat", "stood up"])
def test_tc_ter_2_a_jump_down_after_mud_is_paid_for(manner: str, more: float, legal: bool) -> None:
    allowance = 3.0 if manner == "stood up" else 6.0
    # 2 a + 0.2 + R = allowance
    a = 0.5 * (allowance - 0.2 - R) + 0.5 * more
    x = 13.8 - a
    models = [red("A", x, 10, z=2.4)]
    path = [leg(14 + R, 10, 0, "drop")]
    progress = {"actor": "A", **({"stood_up": True} if manner == "stood up" else {})}
    kind = "move" if manner == "stood up" else manner
    if manner == "retreat":
        models.append(blue("E", x - 1.3, 10, z=2.4))
    table = Table(models, shelf(13.8), progress)
    verdict = table.do(kind, path=path)
    assert verdict.legal is legal
    if not legal:
        assert ids(verdict) == ["TC-TER-2"]
        finding = verdict.findings[0]
        assert finding.measured == pytest.approx(allowance + more)
        assert finding.limit == allowance
        # The way is legal as far as the lip, where the Jump Down no longer fits.
        assert finding.travelled == pytest.approx(a + 0.2)


def test_tc_ter_2_what_follows_the_jump_down_is_paid_for_too() -> None:
    table = Table([red("A", 11.8, 10, z=2.4)], shelf(13.8))
    # 2 in of mud cost 4, 0.2 and R to land, and then 1.4 are left for 2.0.
    verdict = table.do("move", path=[leg(16 + R, 10, 0, "drop")])
    assert ids(verdict) == ["TC-TER-2"]
    assert verdict.findings[0].measured == pytest.approx(4.2 + R + 2.0)
    assert table.follow(verdict).legal
    assert table.body().x == pytest.approx(14 + 6 - 4.2, abs=1e-4)


def test_tc_move_1_and_tc_ter_2_are_both_named() -> None:
    table = Table([red("A", 9, 10, z=2.4)], shelf(13.8))
    verdict = table.do("move", path=[leg(16, 10, 0, "drop")])  # 7 in long, 11.8 in to pay
    assert ids(verdict) == ["TC-MOVE-1", "TC-TER-2"]


@pytest.mark.parametrize(("face", "lands"), [(1, False), (2, True)])
def test_tc_chg_5_a_charge_does_not_jump_down_what_it_cannot_pay(face: int, lands: bool) -> None:
    # 3.5 in of mud cost 7, 0.2 and R more: 7.692126 to land at (14 + R, 10); 7 or 8 to spend.
    models = [red("A", 10.3, 10, z=2.4), blue("T", 17.5, 10)]
    table = Table(models, shelf(13.8), los_mode="attested")
    verdict = table.do("charge", "A", (face,), target="T")
    assert verdict.legal
    assert verdict.cost <= 6 + face + 1e-6
    assert (table.body().z == 0) is lands


# Random ways.


class Ledge(NamedTuple):
    """A block that ends at an edge, a gap, another block; mud above and below."""

    table: Table
    edge: float
    far: float
    high: float
    other: float


def _random_scene(rng: Random) -> Ledge:
    edge, high, other = rng.uniform(12, 14), rng.choice([1.5, 2.5]), rng.choice([1.5, 2.5, 3.2])
    far = edge + rng.uniform(1.2, 3.2)
    terrain = [
        box("block", 4, edge, 4, 20, height=high, id="b1"),
        box("block", far, 24, 4, 20, height=other, id="b2"),
        {"id": "l", "ladder": {"foot": [edge + 0.1, 10, 0], "head": [edge - 0.1, 10, high]}},
    ]
    for k, at in enumerate((high, high, 0.0, other)):
        x = rng.uniform(9, edge + 2) if at != other or at == high else far
        y = rng.uniform(6, 10)
        more = box("mud", x, x + rng.uniform(0.3, 3), y, y + rng.uniform(1, 6), id=f"m{k}")
        terrain.append({**more, "base_height": at})
    up = rng.random() < 0.8
    # On the ground there is room at the foot of a Climb between the blocks only now and then.
    x, z = (edge - rng.uniform(0.1, 2.5), high) if up else (0.5 * (edge + far), 0.0)
    models = [red("A", x, 10, z=z), blue("T", edge - 3.5, 16, z=high)]
    if rng.random() < 0.15:
        models.append(blue("E", x, 10 - rng.uniform(1, 1.9), z=z))
    return Ledge(Table(models, terrain, los_mode="attested"), edge, far, high, other)


def _random_path(ledge: Ledge, rng: Random) -> LegPath:
    """Along the ledge, over it or up to it, and on."""
    body, y = ledge.table.body(), rng.uniform(8.5, 11.5)
    path = [Leg(to=(body.x + rng.uniform(-0.5, 0.5), y))] if rng.random() < 0.5 else []
    below, beyond = ledge.edge + R + rng.uniform(0, 0.4), ledge.far + R + rng.uniform(0, 1)
    foot, head = Leg(to=(ledge.edge + 0.1, 10), z=0.0), Leg(to=(ledge.edge - 0.1, 10), z=ledge.high)
    down = [
        [Leg(to=(below, y), how="drop")],
        [Leg(to=(below, y), z=0.0, how="climb")],
        [Leg(to=(beyond, y), how="jump")],
        [head, foot],
    ]
    up = [
        [Leg(to=(ledge.edge - R - rng.random(), y), z=ledge.high, how="climb")],
        [Leg(to=(beyond, y), z=ledge.other, how="climb")],
        [foot, head],
    ]
    path += rng.choice(down if body.z else up)
    for _ in range(rng.randint(0, 2)):
        x, y = path[-1].to or body.centre
        path.append(Leg(to=(x + rng.uniform(-0.3, 0.6), y + rng.uniform(-2, 2))))
    return tuple(path)


def test_a_legal_way_never_costs_more_than_the_allowance(budget: Callable[[int, int], int]) -> None:
    """Over storeys, mud, ladders, climbs, jumps and ledges, in every kind of move."""
    rng, legal, barred = Random(13), 0, 0
    manners: list[Literal["move", "dash", "retreat", "evade"]]
    manners = ["move", "dash", "retreat", "evade"]
    for _ in range(budget(40, 3000)):
        ledge = _random_scene(rng)
        state, body = ledge.table.state, ledge.table.body()
        held = tuple(enemy.id for enemy in holding(state, body))
        for _ in range(8):
            path, manner = _random_path(ledge, rng), rng.choice(manners)
            way = lay(state, body, path)
            # Mostly where the way is no longer than the allowance, or costs just as much.
            allowance = rng.choice([6.0, way.cost, way.cost - 1e-5, way.length, way.length])
            walk = Walk("A", path, max(0.0, allowance), manner, held)
            findings = BOOK.check(Walk, Context(state, walk, None))[0]
            if not findings:
                assert way.cost <= walk.allowance + 1e-6, (path, walk)
                legal += bool(way.crossings)
            elif {finding.clause for finding in findings} <= PAYING and not way.hits:
                assert way.cost > walk.allowance + 1e-6, (path, walk)
                barred += way.cost > way.length + 1e-6 and bool(way.crossings)
    assert legal > 30
    assert barred > 30


def test_a_charge_never_costs_more_than_its_allowance(budget: Callable[[int, int], int]) -> None:
    rng, crossed = Random(14), 0
    for seed in range(budget(30, 1500)):
        table = _random_scene(rng).table
        if holding(table.state, table.body()):
            continue
        dice = SeededDice(seed)
        session = Session(SYSTEM, table.state, Charge(actor="A", target="T"))
        while session.ask is not None:
            ask = session.ask
            faces = isinstance(ask, Roll)
            answer = Answer(faces=dice.roll(ask)) if faces else Answer(value=ask.default)
            assert session.send(answer)
        verdict = session.verdict
        if verdict.legal and "allowance" in verdict.values:
            assert verdict.cost <= float(verdict.values["allowance"]) + 1e-6
            crossed += any(line.factor > 1 for line in verdict.ledger)
    assert crossed > 2
