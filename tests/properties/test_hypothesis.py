"""The same properties with states, actions and motions drawn, so that failures shrink."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tapeline as tl
from support.installing import toy_installed
from support.moving import HALF, MIRROR, QUARTER, moved_action, moved_scene
from support.playing import battles_along
from support.scenarios import systems
from tapeline.engine.codec import action_document
from tapeline.engine.verdicts import Verdict
from tapeline.errors import DocumentError

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True, scope="module")
def _toy() -> Iterator[None]:
    with toy_installed():
        yield


@cache
def _tables(name: str, every: int) -> list[tuple[tl.Battle, list[dict[str, Any]]]]:
    """States of the system, each with the documents of what is offered there."""
    found = []
    for number, battle in enumerate(battles_along(name)[::every]):
        offers = [action_document(a) for a in battle.offers(Random(number))]
        if offers:
            found.append((battle, json.loads(json.dumps(offers))))
    return found


#: Factors and steps for figures: on the limit, just off it, and far off.
nudges = st.one_of(
    st.just((1.0, 0.0)),
    st.tuples(st.just(1.0), st.sampled_from([1e-7, -1e-7, 1e-5, -1e-5, 1.0, -1.0])),
    st.tuples(st.floats(0.1, 3.0), st.floats(-4.0, 4.0)),
)


def _nudged(node: Any, draw: Callable[[Any], Any], key: str = "") -> Any:
    if isinstance(node, bool) or key == "kind":
        return node
    if isinstance(node, int | float):
        factor, step = draw(nudges)
        return node * factor + step
    if isinstance(node, list):
        return [_nudged(item, draw) for item in node]
    if isinstance(node, dict):
        return {name: _nudged(item, draw, name) for name, item in node.items()}
    return node


def _drawn(data: st.DataObject, name: str, every: int) -> tuple[tl.Battle, dict[str, Any]]:
    tables = _tables(name, every)
    if not tables:
        pytest.skip(f"{name} has no example scene")
    battle, offers = tables[data.draw(st.integers(0, len(tables) - 1), "state")]
    offer = offers[data.draw(st.integers(0, len(offers) - 1), "offer")]
    return battle, _nudged(offer, data.draw)


def _judged(battle: tl.Battle, document: dict[str, Any]) -> Verdict:
    try:
        return battle.judge(document)
    except DocumentError:
        assume(False)
        raise


def _outcome(verdict: Verdict) -> Any:
    return verdict.kind, sorted({finding.clause for finding in verdict.findings})


def _far_from_limits(verdict: Verdict) -> bool:
    """No finding within the float error of the motion: a quarter turn rounds coordinates."""
    return all(
        f.measured is None or f.limit is None or abs(abs(f.measured - f.limit) - 1e-6) > 1e-8
        for f in verdict.findings
    )


@pytest.mark.parametrize("name", systems())
def test_motions_leave_the_verdict_alone(name: str, budget: Callable[[int, int], int]) -> None:
    @settings(max_examples=budget(12, 3_000))
    @given(st.data(), st.sampled_from([QUARTER, HALF, MIRROR]))
    def check(data: st.DataObject, motion: Any) -> None:
        battle, document = _drawn(data, name, budget(7, 2))
        verdict = _judged(battle, document)
        assume(_far_from_limits(verdict))
        scene = battle.scene()
        other = tl.load(moved_scene(scene, motion))
        again = _judged(other, moved_action(document, motion, scene["table"]))
        assert _outcome(verdict) == _outcome(again)
        assert verdict.cost == pytest.approx(again.cost, abs=1e-6)

    check()


@pytest.mark.parametrize("name", systems())
def test_judging_is_pure_and_refusals_are_helpful(
    name: str, budget: Callable[[int, int], int]
) -> None:
    @settings(max_examples=budget(50, 4_000))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        battle, document = _drawn(data, name, budget(7, 2))
        before = battle.hash
        verdict = _judged(battle, document)
        assert battle.judge(document) == verdict
        assert battle.hash == before
        after, events = battle.play(document)
        assert battle.hash == before
        if verdict.legal:
            return
        assert verdict.findings
        assert events == ()
        assert after.state == battle.state
        for finding in verdict.findings:
            assert finding.clause in battle.system.book
        if verdict.nearest is not None:
            nearest = battle.judge(verdict.nearest.action)
            assert nearest.legal, nearest.findings
            assert nearest.nearest is None

    check()


@pytest.mark.parametrize("name", systems())
def test_saving_changes_no_verdict(name: str, budget: Callable[[int, int], int]) -> None:
    @settings(max_examples=budget(10, 2_000))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        battle, document = _drawn(data, name, budget(7, 2))
        again = tl.load(json.loads(json.dumps(battle.scene())))
        assert again.hash == battle.hash
        assert _outcome(_judged(battle, document)) == _outcome(_judged(again, document))

    check()
