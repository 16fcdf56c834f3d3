"""Warmaster: a block move planned and judged, and a whole Command phase of random play."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from functools import partial
from random import Random

from bench.harness import DisagreementError, Figure, Setting, time_each
from bench.scenes import warmaster_scene
from tapeline.dice import SeededDice
from tapeline.engine.asks import take_default
from tapeline.errors import AnswerError
from tapeline.play.battle import Battle, load
from tapeline.rules.warmaster.actions import Block

__all__ = ["block_moves", "command_phase"]

BLOCK_S, PHASE_S = 0.050, 3.0


def _ordered(units: int) -> Iterator[tuple[Battle, Block]]:
    """Battles in which a unit of three stands has its order, with a block move for it."""
    rng = Random(7)
    scene = warmaster_scene(units)
    for number, unit in enumerate(scene["units"]):
        if unit["side"] != "red" or len(unit["members"]) != 3:
            continue
        units_now = [
            {**u, "state": {"may_move": "order"}} if k == number else u
            for k, u in enumerate(scene["units"])
        ]
        battle = load({**scene, "units": units_now, "turn": {"phase": "orders", "active": "red"}})
        stands = [m["position"] for m in scene["models"] if m["id"] in unit["members"]]
        x, y = sum(p[0] for p in stands) / 3, sum(p[1] for p in stands) / 3
        for _ in range(6):
            to = (x + rng.uniform(-8.0, 8.0), y + rng.uniform(-4.0, 15.0))
            by = rng.choice((0.0, rng.uniform(-30.0, 30.0)))
            yield battle, Block(actor=unit["id"], to=to, by=by)


def block_moves(setting: Setting) -> list[Figure]:
    """A block move of a unit of three stands among 20 units, planned and judged."""
    tried = [(battle, action, battle.judge(action)) for battle, action in _ordered(20)]
    legal = [(b, a) for b, a, verdict in tried if verdict.legal]
    if 2 * len(legal) < len(tried):
        raise DisagreementError(f"{len(legal)} of {len(tried)} block moves are legal")
    figures = []
    barred = [(b, a) for b, a, verdict in tried if not verdict.legal]
    for name, moves, goal in (("legal", legal, True), ("refused", barred, False)):
        count = setting.count(len(moves), 20)
        timing = time_each([partial(b.judge, a) for b, a in moves[:count]])
        figures.append(
            Figure(
                f"warmaster: block move, {name}",
                "20 units",
                f"{timing.median * 1e3:.1f} ms",
                goal="<= 50 ms" if goal else "",
                met=timing.high <= BLOCK_S if goal else None,
                note=f"5 %..95 %: {timing.low * 1e3:.1f}..{timing.high * 1e3:.1f} ms",
            )
        )
    return figures


def _phase(battle: Battle, seed: int) -> tuple[Battle, int]:
    """One side's Command phase at random, offers and all; and how many actions it took."""
    rng, dice = Random(seed), SeededDice(seed)
    done = 0
    while battle.state.turn.phase != "end":
        offers = list(battle.offers(rng))
        others = [offer for offer in offers if offer.kind != "end_step"]
        action = rng.choice(others) if others and rng.random() < 0.95 else offers[-1]
        try:
            battle, _ = battle.play(action, dice=dice, chooser=take_default)
        except AnswerError as error:  # an offer must be playable
            raise DisagreementError(f"{action} could not be played: {error}") from error
        done += 1
    return battle, done


def command_phase(setting: Setting) -> list[Figure]:
    """A whole random Command phase of 30 units, from the first offer to the end of the phase."""
    scene = warmaster_scene(30)
    spent, actions = [], 0
    for seed in range(setting.count(12, 4)):
        battle = load(scene)
        begun = time.perf_counter()
        _, done = _phase(battle, seed)
        spent.append(time.perf_counter() - begun)
        actions += done
    median = statistics.median(spent)
    return [
        Figure(
            "warmaster: Command phase at random",
            "30 units",
            f"{median:.2f} s",
            goal="<= 3 s",
            met=max(spent) <= PHASE_S,
            note=f"{min(spent):.2f}..{max(spent):.2f} s, {actions / len(spent):.0f} actions each",
        )
    ]
