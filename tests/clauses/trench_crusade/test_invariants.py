"""Section 6.9 of the note: what must hold in any play."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, ids, red
from support.scenarios import example_scenes
from tapeline.dice import Roll, SeededDice
from tapeline.engine.asks import Answer
from tapeline.engine.events import Happened
from tapeline.engine.referee import Session
from tapeline.engine.state import State
from tapeline.play.battle import load
from tapeline.rules.trench_crusade import SYSTEM
from tapeline.rules.trench_crusade.ground import in_space
from tapeline.rules.trench_crusade.measures import gap, holding
from tapeline.rules.trench_crusade.state import activation
from tapeline.rules.trench_crusade.walker import lay
from tapeline.table.bodies import Body
from tapeline.travel.route import Route

pytestmark = pytest.mark.compiled

EXAMPLES = [
    path
    for path in sorted((Path(__file__).parents[3] / "examples").glob("trench-*.json"))
    if path.stem in example_scenes()
]


def _answer(session: Session, dice: SeededDice, rng: Random) -> Answer:
    ask = session.ask
    assert ask is not None
    if isinstance(ask, Roll):
        return Answer(faces=dice.roll(ask))
    if ask.form == "one":
        return Answer(value=rng.choice(ask.options).value)
    if ask.form == "number":
        return Answer(value=rng.randint(int(ask.low), int(ask.high)))
    return Answer(value=ask.default)


def _gap_at(state: State, body: Body, p: tuple[float, float], enemy: Body) -> float:
    return gap(body.at(*p), enemy)


def _check(before: State, session: Session) -> None:
    after, action = session.state, session.action
    actor = getattr(action, "actor", None)
    body, now = before.bodies.get(actor or ""), after.bodies.get(actor or "")
    for one in after.bodies.values():
        r = one.base.reach
        assert r - 1e-6 <= one.x <= before.table.width - r + 1e-6
        assert r - 1e-6 <= one.y <= before.table.depth - r + 1e-6
        for other in after.bodies.values():
            if other.id > one.id and abs(other.z - one.z) <= 1e-6:
                assert math.dist(one.centre, other.centre) >= r + other.base.reach - 2e-6
    current = activation(after)
    if current is not None:
        assert sum(kind in ("move", "charge", "retreat") for kind in current.taken) <= 1
        assert len(set(current.taken)) == len(current.taken)
    if body is None or now is None:
        return
    moves = [m for m in session.verdict.moved if m.body == actor]
    if action.kind in ("move", "dash") and moves and not holding(before, body):
        walk = in_space(before, body)
        track = Route.read(body, moves[0].path)
        way = lay(before, body, action.path) if walk else None
        for k in range(41 if way is not None else 0):
            assert way is not None
            here = body.at(*way.place(way.length * k / 40))
            assert all(gap(here, e) > 1 for e in before.enemies(body))
        for k in range(41 if way is None else 0):
            p = track.place(track.length * k / 40)
            assert all(_gap_at(before, body, p, e) > 1 for e in before.enemies(body))
    events = [e.name for e in session.events if isinstance(e, Happened)]
    if action.kind == "retreat":
        if moves and "dangerous ground" not in events:
            assert all(gap(now, e) > 1 for e in after.enemies(now))
        elif not moves:
            assert now.centre == body.centre
    if "charge failed" in events and "dangerous ground" not in events:
        assert all(gap(now, e) > 1 for e in after.enemies(now))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_random_play_keeps_the_invariants(path: Path, budget: Callable[[int, int], int]) -> None:
    for seed in range(budget(1, 40)):
        state, rng, dice = load(path).state, Random(seed), SeededDice(seed)
        for _ in range(80 if path.stem == "trench-storeys" else 250):
            offered = list(SYSTEM.offers(state, rng))
            if not offered:
                break
            session = Session(SYSTEM, state, rng.choice(offered))
            assert session.verdict.legal, session.verdict.findings
            while session.ask is not None:
                assert session.send(_answer(session, dice, rng)), session.verdict.findings
            _check(state, session)
            state = session.state


def _turned(x: float, y: float, how: int) -> tuple[float, float]:
    for _ in range(how % 4):
        x, y = 48 - y, x
    return (48 - x, y) if how >= 4 else (x, y)


def _scene(rng: Random) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[Any]]:
    while True:
        spots = [(rng.uniform(8, 26), rng.uniform(8, 26)) for _ in range(7)]
        if all(math.dist(a, b) > 1.05 for i, a in enumerate(spots) for b in spots[:i]):
            break
    kinds = ["mud", "wall", "wire", "crater", "wall"]
    pieces = []
    for k, kind in enumerate(kinds):
        x, y = rng.uniform(8, 26), rng.uniform(8, 26)
        if kind == "wall" and any(math.dist((x, y), s) < 3.2 for s in spots):
            continue
        pieces.append((kind, x, y, rng.uniform(0.4, 2), rng.uniform(0.4, 2), k))
    path = [(rng.uniform(5, 29), rng.uniform(5, 29)) for _ in range(2)]
    x, y = spots[0]
    path = [(x + (p - x) * 0.35, y + (q - y) * 0.35) for p, q in path]
    return spots, pieces, path


def test_turning_and_mirroring_changes_no_verdict(budget: Callable[[int, int], int]) -> None:
    for seed in range(budget(24, 600)):
        rng = Random(seed)
        spots, pieces, path = _scene(rng)
        found = []
        for how in range(8):
            makers = [red, red, red, blue, blue, blue, blue]
            names = ["A", "F1", "F2", "E1", "E2", "E3", "E4"]
            models = [
                make(name, *_turned(*spot, how))
                for make, name, spot in zip(makers, names, spots, strict=True)
            ]
            terrain = []
            for kind, x, y, w, d, k in pieces:
                (x0, y0), (x1, y1) = _turned(x - w, y - d, how), _turned(x + w, y + d, how)
                terrain.append(
                    box(kind, min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1), id=f"P{k}")
                )
            table = Table(models, terrain)
            legs = [{"to": list(_turned(*p, how))} for p in path]
            verdicts = [
                table.do("move", path=legs) if seed % 2 else table.do("dash", path=legs),
                *(Table(models, terrain).do("charge", target=e) for e in names[3:]),
                Table(models, terrain).do("retreat"),
            ]
            found.append([(v.kind, ids(v), round(v.cost, 6)) for v in verdicts])
        assert all(entry == found[0] for entry in found), seed


def test_a_higher_bonus_never_turns_success_into_failure(
    budget: Callable[[int, int], int],
) -> None:
    for seed in range(budget(40, 1000)):
        rng = Random(seed)
        spots, pieces, _ = _scene(rng)
        models = [red("A", *spots[0])] + [blue(f"E{i}", *s) for i, s in enumerate(spots[3:])]
        terrain = [
            box(kind, x - w, x + w, y - d, y + d, id=f"P{k}")
            for kind, x, y, w, d, k in pieces
            if kind != "wire"
        ]
        for i in range(4):
            won = []
            for die in range(1, 7):
                table = Table(models, terrain)
                verdict = table.do("charge", target=f"E{i}")
                if not verdict.legal:
                    break
                session = Session(SYSTEM, table.state, table.session.action)  # type: ignore[union-attr]
                while session.ask is not None:
                    ask = session.ask
                    answer = (
                        Answer(faces=(die,)) if isinstance(ask, Roll) else Answer(value=ask.default)
                    )
                    assert session.send(answer)
                won.append("TC-CHG-12" in session.verdict.cites)
            assert won == sorted(won), (seed, i, won)
