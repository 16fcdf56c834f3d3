"""Verdict latency, random legal play, import and cold start: the whole engine from outside."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.harness import Figure, time_each, time_whole
from bench.scenes import sovl_scene, trench_scene
from tapeline.dice import SeededDice
from tapeline.engine.actions import Action
from tapeline.errors import AnswerError
from tapeline.play.battle import Battle, load, take_default

__all__ = ["cold_figures", "play_figures", "verdict_figures"]

SCENES: dict[str, Callable[[int], dict[str, Any]]] = {
    "sovl": sovl_scene,
    "trench-crusade": trench_scene,
}
SIZES = (20, 60, 200)


def _positions(scene: dict[str, Any], count: int) -> list[tuple[Battle, Action]]:
    """Positions with an action to judge in each, gathered by random play."""
    rng, dice = Random(5), SeededDice(5)
    battle = load(scene)
    found: list[tuple[Battle, Action]] = []
    while len(found) < count:
        offers = list(battle.offers(rng))
        if not offers:
            battle = load(scene)
            continue
        found.extend((battle, offer) for offer in offers[:3])
        battle, _ = battle.play(rng.choice(offers), dice=dice, chooser=take_default)
    return found[:count]


def verdict_figures(count: int = 300) -> list[Figure]:
    """Median verdict through the public API, and its growth from 20 to 200 pieces."""
    figures = []
    for name, make in SCENES.items():
        medians = {}
        for pieces in SIZES:
            positions = _positions(make(pieces), count)
            for battle, action in positions:  # the answer first: everything offered is legal
                assert battle.judge(action).legal, action
            timing = time_each([partial(b.judge, a) for b, a in positions])
            medians[pieces] = timing.median
            goal, met = "", None
            if pieces == 60:
                goal, met = "<= 1 ms", timing.median <= 1e-3
            figures.append(
                Figure(
                    f"{name}: verdict",
                    f"{pieces} pieces",
                    f"{timing.median * 1e3:.3f} ms",
                    goal,
                    met,
                    f"5 %..95 %: {timing.low * 1e3:.3f}..{timing.high * 1e3:.3f} ms",
                )
            )
        growth = medians[200] / medians[20]
        figures.append(
            Figure(f"{name}: verdict growth", "20 to 200", f"{growth:.2f}", "<= 1.5", growth <= 1.5)
        )
    return figures


def play_figures(actions: int = 2_000) -> list[Figure]:
    """Random legal play: judged and folded actions a second, offers not counted."""
    figures = []
    for name, make in SCENES.items():
        scene = make(60)
        rng, dice = Random(9), SeededDice(9)
        battle = load(scene)
        spent, done = 0.0, 0
        whole = time.perf_counter()
        while done < actions:
            offers = list(battle.offers(rng))
            if not offers:
                battle = load(scene)
                continue
            action = rng.choice(offers)
            begun = time.perf_counter()
            try:
                battle, _ = battle.play(action, dice=dice, chooser=take_default)
            except AnswerError as error:  # an offer must be playable
                raise AssertionError(f"{name}: {action} could not be played: {error}") from error
            spent += time.perf_counter() - begun
            done += 1
        whole = time.perf_counter() - whole
        rate = done / spent
        figures.append(
            Figure(
                f"{name}: random legal play",
                "60 pieces",
                f"{rate:,.0f} actions/s",
                ">= 1,000",
                rate >= 1_000,
                f"{done / whole:,.0f}/s with choosing what to do",
            )
        )
    return figures


def _cold(code: str) -> float:
    timing = time_whole(
        lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True), 7
    )
    return timing.median


def cold_figures() -> list[Figure]:
    """Import, and the first verdict of a cold process, the interpreter's own start taken off."""
    bare = _cold("pass")
    imported = _cold("import tapeline") - bare
    scene = sorted(Path("examples").glob("*.json"))[-1]
    verdict = (
        _cold(
            f"import tapeline as tl; b = tl.load({str(scene)!r});"
            "a = next(b.offers(1)); assert b.judge(a).legal"
        )
        - bare
    )
    return [
        Figure("import tapeline", "", f"{imported:.3f} s", "<= 0.3 s", imported <= 0.3),
        Figure("first verdict, cold", "", f"{verdict:.3f} s", "<= 1 s", verdict <= 1.0),
    ]
