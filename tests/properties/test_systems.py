"""Properties that every rule system has, tried on states that random play comes to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any, TypeAlias

import pytest

import tapeline as tl
from support.installing import toy_installed
from support.moving import (
    HALF,
    MIRROR,
    QUARTER,
    Motion,
    moved_action,
    moved_scene,
    perturbed,
    shift,
    turned,
)
from support.playing import battles_along
from support.scenarios import systems
from tapeline.engine.codec import action_document
from tapeline.engine.referee import Run, judge
from tapeline.engine.verdicts import Finding, Kind, Verdict
from tapeline.errors import DocumentError

pytestmark = pytest.mark.compiled

#: Actions with the verdict on each; None where it cannot be read.
Judged: TypeAlias = tuple[tuple[dict[str, Any], Verdict | None], ...]


@pytest.fixture(autouse=True, scope="module")
def _toy() -> Iterator[None]:
    with toy_installed():
        yield


def _battles(name: str) -> tuple[tl.Battle, ...]:
    found = battles_along(name)
    if not found:
        pytest.skip(f"{name} has no example scene")
    return found


def _wanted(battle: tl.Battle, rng: Random, count: int) -> Iterator[dict[str, Any]]:
    """Action documents, legal and not."""
    offers = list(battle.offers(rng))
    for action in rng.sample(offers, min(count, len(offers))):
        document = json.loads(json.dumps(action_document(action)))
        yield document
        for _ in range(2):
            yield perturbed(document, rng, list(battle.state.bodies))


def _judged(battle: tl.Battle, document: dict[str, Any]) -> Verdict | None:
    try:
        return battle.judge(document, nearest=False)
    except DocumentError:
        return None


def _outcome(verdict: Verdict | None, battle: tl.Battle) -> Any:
    """Kind and findings; what is about an edge of the table turns with it and is not compared."""
    if verdict is None:
        return None
    known = {*battle.state.bodies, *(piece.id for piece in battle.state.table.pieces)}
    found = {(f.clause, f.about if f.about in known else "") for f in verdict.findings}
    return verdict.kind, sorted(found)


@cache
def _samples(name: str, count: int) -> tuple[tuple[tl.Battle, Judged], ...]:
    """States, each with actions and what is ruled on them there; worked out once for all tests."""
    battles, rng = _battles(name), Random(f"samples {name}")
    return tuple(
        (battle, tuple((d, _judged(battle, d)) for d in _wanted(battle, rng, 5)))
        for battle in (rng.choice(battles) for _ in range(count))
    )


@pytest.fixture
def samples(name: str, budget: Callable[[int, int], int]) -> tuple[tuple[tl.Battle, Judged], ...]:
    return _samples(name, budget(10, 700))


MOTIONS = [QUARTER, HALF, MIRROR]


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda m: m.name)
@pytest.mark.parametrize("name", systems())
def test_turned_and_mirrored_scenes_are_judged_alike(
    name: str, motion: Motion, samples: tuple[tuple[tl.Battle, Judged], ...]
) -> None:
    compared = illegal = 0
    for battle, judged in samples:
        scene = battle.scene()
        other = tl.load(moved_scene(scene, motion))
        for document, verdict in judged:
            moved = moved_action(document, motion, scene["table"])
            again = _judged(other, moved)
            assert _outcome(verdict, battle) == _outcome(again, other), (document, moved)
            if verdict is not None and again is not None:
                assert again.cost == pytest.approx(verdict.cost, abs=1e-6)
                compared += 1
                illegal += not verdict.legal
    assert compared > 50
    assert illegal > 10


@pytest.mark.parametrize("name", systems())
def test_shifted_scenes_are_judged_alike(
    name: str, samples: tuple[tuple[tl.Battle, Judged], ...]
) -> None:
    rng, compared = Random(f"shift {name}"), 0
    for battle, judged in samples:
        scene = battle.scene()
        motions = [
            shift(round(rng.uniform(150, 250), 3), round(rng.uniform(150, 250), 3))
            for _ in range(2)
        ]
        one, two = (tl.load(moved_scene(scene, motion)) for motion in motions)
        for document, _ in judged:
            verdicts = [
                _judged(table, moved_action(document, motion, scene["table"]))
                for table, motion in zip((one, two), motions, strict=True)
            ]
            assert _outcome(verdicts[0], one) == _outcome(verdicts[1], two), (document, motions)
            compared += verdicts[0] is not None
    assert compared > 50


@pytest.mark.parametrize("name", systems())
def test_scenes_turned_by_any_angle_are_judged_alike(
    name: str,
    samples: tuple[tuple[tl.Battle, Judged], ...],
    budget: Callable[[int, int], int],
) -> None:
    rng, compared = Random(f"turn {name}"), 0
    for battle, judged in samples[: budget(5, 700)]:
        scene = battle.scene()
        motions = [turned(0.0), turned(rng.uniform(0.0, 360.0))]
        tables = [tl.load(moved_scene(scene, motion)) for motion in motions]
        for document, _ in judged:
            one, two = (
                _judged(table, moved_action(document, motion, scene["table"]))
                for table, motion in zip(tables, motions, strict=True)
            )
            # Which of several gaps of one width is named may hang on last bits.
            assert _clauses(one) == _clauses(two), (document, motions)
            if one is not None and two is not None:
                assert two.cost == pytest.approx(one.cost, abs=2e-6)
                compared += 1
    assert compared > 30


def _clauses(verdict: Verdict | None) -> Any:
    return verdict and (verdict.kind, {finding.clause for finding in verdict.findings})


@pytest.mark.parametrize("name", systems())
def test_judging_changes_nothing_and_repeats(
    name: str, samples: tuple[tuple[tl.Battle, Judged], ...]
) -> None:
    for battle, judged in samples:
        before, state = battle.hash, replace(battle.state)
        for document, verdict in judged:
            assert _judged(battle, document) == verdict
        assert battle.state == state
        assert tl.load(battle.scene()).hash == before


@pytest.mark.parametrize("name", systems())
def test_the_nearest_legal_move_is_legal(name: str, budget: Callable[[int, int], int]) -> None:
    battles, rng = _battles(name), Random(f"nearest {name}")
    offered = 0
    for _ in range(budget(50, 1_500)):
        if offered > budget(10, 100_000):
            break
        battle = rng.choice(battles)
        for document in _wanted(battle, rng, 6):
            try:
                verdict = battle.judge(document)
            except DocumentError:
                continue
            if verdict.nearest is None:
                continue
            offered += 1
            assert not verdict.legal
            assert verdict.nearest.text.strip()
            assert verdict.nearest.short_by >= -1e-9
            again = battle.judge(verdict.nearest.action)
            assert again.legal, (document, verdict.nearest, again.findings)
    assert offered > 5


@pytest.mark.parametrize("name", systems())
def test_offers_are_legal(name: str, budget: Callable[[int, int], int]) -> None:
    battles, rng = _battles(name), Random(f"offers {name}")
    for _ in range(budget(8, 1_500)):
        battle = rng.choice(battles)
        for action in battle.offers(rng):
            verdict = judge(battle.system, battle.state, action, nearest=False)
            assert verdict.legal, (action, verdict.findings)


@pytest.mark.parametrize("name", systems())
def test_a_saved_scene_gives_the_same_verdicts(
    name: str, samples: tuple[tuple[tl.Battle, Judged], ...]
) -> None:
    for battle, judged in samples:
        again = tl.load(json.loads(json.dumps(battle.scene())))
        assert again.hash == battle.hash
        assert again.scene() == battle.scene()
        for document, verdict in judged:
            assert _outcome(verdict, battle) == _outcome(_judged(again, document), again)


@pytest.mark.parametrize("name", systems())
def test_a_further_leg_never_lowers_the_cost(name: str, budget: Callable[[int, int], int]) -> None:
    battles, rng = _battles(name), Random(f"legs {name}")
    system = battles[0].system
    if not any("path" in {f.name for f in fields(kind)} for kind in system.actions.values()):
        pytest.skip(f"{name} has no action with a path")
    compared = 0
    for _ in range(budget(150, 5_000)):
        if compared > budget(15, 100_000):
            break
        battle = rng.choice(battles)
        for action in battle.offers(rng):
            path = getattr(action, "path", None)
            if not path:
                continue
            document = action_document(action)
            legs = document["path"]
            end = legs[-1].get("to")
            if end is None:
                continue
            to = [end[0] + rng.uniform(-2, 2), end[1] + rng.uniform(-2, 2)]
            longer = {**document, "path": [*legs, {"to": to}]}
            one, two = _judged(battle, document), _judged(battle, longer)
            if one is None or two is None or not (one.legal and two.legal):
                continue
            if one.kind is Kind.STOPPED or one.ask is not None:
                continue
            assert two.cost >= one.cost - 1e-9, (document, longer)
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("name", systems())
def test_the_order_of_clauses_does_not_matter(name: str, budget: Callable[[int, int], int]) -> None:
    battles, rng = _battles(name), Random(f"order {name}")
    broken = 0
    for _ in range(budget(25, 2_000)):
        battle = rng.choice(battles)
        system, book = battle.system, battle.system.book
        for document in _wanted(battle, rng, 2):
            try:
                action = battle.action(document)
                run = Run(system, battle.state, action)
                usual = run.check(action)
                found: list[Finding] = []
                for clause in reversed(book.barring(type(action))):
                    assert clause.check is not None
                    # A context of its own for each clause: none counts on another's work.
                    fresh = system.context(battle.state, action, Run(system, battle.state, action))
                    for finding in clause.check(fresh):
                        stamped = replace(finding, clause=clause.id)
                        lifters = [c for c in book if clause.id in c.lifts and c.lift is not None]
                        if not any(c.lift(fresh, stamped) for c in lifters):  # type: ignore[misc]
                            found.append(stamped)
            except DocumentError:
                continue
            assert sorted(map(repr, found)) == sorted(map(repr, usual))
            broken += bool(found)
    assert broken > 10
