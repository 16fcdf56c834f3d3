"""Verdict latency, random legal play, import and cold start: the whole engine from outside."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from bench.harness import DisagreementError, Figure, Setting, time_each, time_whole
from bench.scenes import sovl_scene, trench_scene
from tapeline.cli.files import kind_of_file
from tapeline.dice import SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.asks import take_default
from tapeline.errors import AnswerError
from tapeline.play.battle import Battle, load

__all__ = ["cold", "play", "verdicts"]

SCENES: dict[str, Callable[[int], dict[str, Any]]] = {
    "sovl": sovl_scene,
    "trench-crusade": trench_scene,
}
SIZES = (20, 60, 200)
#: Systems measured on their example tables, whose storeys or stands no random table has.
EXAMPLES = ("mordheim", "warmaster")


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


def verdicts(setting: Setting) -> list[Figure]:
    """Median verdict through the public API, and its growth from 20 to 200 pieces."""
    figures = []
    count = setting.count(300, 60)
    for name, make in SCENES.items():
        medians = {}
        for pieces in SIZES:
            positions = _positions(make(pieces), count)
            for battle, action in positions:  # the answer first: everything offered is legal
                if not battle.judge(action).legal:
                    raise DisagreementError(f"{name}: {action} was offered, yet is not legal")
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
                    goal=goal,
                    met=met,
                    note=f"5 %..95 %: {timing.low * 1e3:.3f}..{timing.high * 1e3:.3f} ms",
                )
            )
        growth = medians[200] / medians[20]
        figures.append(
            Figure(
                f"{name}: verdict growth",
                "20 to 200",
                f"{growth:.2f}",
                goal="<= 1.5",
                met=growth <= 1.5,
            )
        )
    return [*figures, *_on_examples(count)]


def _on_examples(count: int) -> list[Figure]:
    """Median verdict on each example table of the systems that have no random ones."""
    figures = []
    for path in sorted(Path("examples").glob("*.json")):
        name = path.stem.split("-")[0]
        if name not in EXAMPLES or kind_of_file(path) != "scene":
            continue
        positions = _positions(json.loads(path.read_text(encoding="utf-8")), count)
        for battle, action in positions:
            if not battle.judge(action).legal:
                raise DisagreementError(f"{path.stem}: {action} was offered, yet is not legal")
        timing = time_each([partial(b.judge, a) for b, a in positions])
        kinds: dict[str, list[float]] = {}
        for battle, action in positions:
            one = time_each([partial(battle.judge, action)]).median
            kinds.setdefault(action.kind, []).append(one)
        slow, times = max(kinds.items(), key=lambda item: median(item[1]))
        figures.append(
            Figure(
                f"{name}: verdict",
                path.stem,
                f"{timing.median * 1e3:.3f} ms",
                goal="<= 1 ms",
                met=timing.median <= 1e-3,
                note=f"5 %..95 %: {timing.low * 1e3:.3f}..{timing.high * 1e3:.3f} ms; slowest: "
                f"{slow}, median {median(times) * 1e3:.3g} ms",
            )
        )
    return figures


def play(setting: Setting) -> list[Figure]:
    """Random legal play: judged and folded actions a second, offers not counted."""
    figures = []
    actions = setting.count(2_000, 300)
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
                raise DisagreementError(f"{name}: {action} could not be played: {error}") from error
            spent += time.perf_counter() - begun
            done += 1
        whole = time.perf_counter() - whole
        rate = done / spent
        figures.append(
            Figure(
                f"{name}: random legal play",
                "60 pieces",
                f"{rate:,.0f} actions/s",
                goal=">= 1,000",
                met=rate >= 1_000,
                note=f"{done / whole:,.0f}/s with choosing what to do",
            )
        )
    return figures


def _cold(code: str, times: int) -> float:
    timing = time_whole(
        lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True), times
    )
    return timing.median


def cold(setting: Setting) -> list[Figure]:
    """Import, and the first verdict of a cold process, the interpreter's own start taken off."""
    times = setting.count(11, 5)
    bare = _cold("pass", times)
    imported = _cold("import tapeline", times) - bare
    scene = Path("examples/trench-two-lines.json")
    verdict = (
        _cold(
            f"import tapeline as tl; b = tl.load({str(scene)!r});"
            "a = next(b.offers(1)); assert b.judge(a).legal",
            times,
        )
        - bare
    )
    return [
        Figure("import tapeline", "", f"{imported:.3f} s", goal="<= 0.3 s", met=imported <= 0.3),
        Figure("first verdict, cold", "", f"{verdict:.3f} s", goal="<= 1 s", met=verdict <= 1.0),
    ]
