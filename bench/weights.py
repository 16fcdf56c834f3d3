"""Tune the weights of the computer opponent by its own games: `python -m bench.weights SCENE ...`.

By simultaneous perturbation (SPSA, Spall 1992), as chess programs are tuned: in each pair of games
all weights are multiplied at random for one player and divided by the same for the other. By least
squares over the games of a round each weight's share in winning is told from luck, and the weights
go that way, by up to one standard deviation of what they were changed by. At the end they play what
was there before, with other seeds; only if they win by more than the luck of so many games would
give are they written to `opponent/weights.json`. All scenes must be of one system.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import tapeline.opponent
from bench.harness import say
from tapeline.opponent.levels import Weights, weights_of
from tapeline.opponent.standings import Tally, Task, pairing, play_all

__all__ = ["main"]

FILE = Path(tapeline.opponent.__file__).with_name("weights.json")
#: What weights are changed by, as a standard deviation of their logarithm.
SPREAD = 0.5
#: Those that only say whether something is done at all, and the unit of all others.
FIXED = ("answered", "exact", "ways", "score")


def changed(weights: Weights, names: Sequence[str], by: Sequence[float]) -> Weights:
    """Weights multiplied by the exponential of something each."""
    new = {n: round(getattr(weights, n) * math.exp(x), 3) for n, x in zip(names, by, strict=True)}
    if "later" in new:
        new["later"] = min(new["later"], 1.0)
    return weights._replace(**new)


def tuned(weights: Weights) -> list[str]:
    """Names of the weights that count for something."""
    idle = (*FIXED, *(() if weights.ways else ("sure", "detour")))
    return [name for name in Weights._fields if name not in idle and getattr(weights, name)]


def slopes(by: Sequence[Sequence[float]], results: Sequence[float]) -> tuple[Any, Any]:
    """What each weight brings and its standard error, by least squares.

    by: for each game, the logarithms by which the weights of the first player were multiplied.
    results: 1 for a game won by it, 0 drawn, -1 lost.
    """
    table, won = np.array(by), np.array(results)
    squares = np.linalg.inv(table.T @ table)
    found = squares @ table.T @ won
    left = won - table @ found
    variance = left @ left / max(1, len(won) - len(found))
    return found, np.sqrt(np.diag(squares) * variance)


def one_round(
    scenes: Sequence[Any], level: str, best: Weights, games: int, seed: int, jobs: int
) -> Weights:
    """Weights a step on, after games of both sides changed at random."""
    rng = Random(seed)
    names = tuned(best)
    tasks, by = [], []
    for number in range(games // 2):
        changes = [rng.gauss(0.0, SPREAD) for _ in names]
        both = changed(best, names, changes), changed(best, names, [-x for x in changes])
        scene = scenes[number % len(scenes)]
        for place in (0, 1):
            tasks.append(Task(scene, (level, level), f"{seed}:{number}", place, both))
            by.append(changes)
    results = []
    for task, played in zip(tasks, play_all(tasks, jobs), strict=True):
        results.append(0 if played.winner is None else 1 if played.winner == task.place else -1)
        if len(results) % 20 == 0:
            say(f"  games: {len(results)} of {len(tasks)}")
    found, errors = slopes(by, results)
    steps = np.clip(found / errors / 2, -1, 1) * SPREAD
    for name, slope, error, step in zip(names, found, errors, steps, strict=True):
        say(f"  {name}: {slope:+.3f} ± {error:.3f}, times {math.exp(step):.2f}")
    return changed(best, names, steps)


def _stand(
    scenes: Sequence[Any], level: str, new: Weights, old: Weights, games: int, seed: int, jobs: int
) -> Tally:
    """How new weights stand against old ones over all scenes."""
    found = Tally()
    for scene in scenes:
        one = pairing(scene, level, level, games, seed, jobs=jobs, weights=(new, old))
        found.wins += one.wins
        found.draws += one.draws
        found.losses += one.losses
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Tune, tell what was tried, and write what is better."""
    parser = argparse.ArgumentParser(prog="python -m bench.weights", description=__doc__)
    parser.add_argument("scenes", nargs="+", type=Path)
    parser.add_argument("--level", default="steady")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--games", type=int, default=400, help="a round")
    parser.add_argument("--last", type=int, default=100, help="games against the old, a scene")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args(words)
    scenes = [json.loads(path.read_text(encoding="utf-8")) for path in chosen.scenes]
    system = scenes[0]["system"]
    start = best = weights_of(system, chosen.level)
    least = 8 * len(tuned(start))  # two pairs of games for each weight
    if chosen.games < least:
        parser.error(f"--games: so many weights need at least {least}; got {chosen.games}")
    for number in range(chosen.rounds):
        seed = 1_000 * (chosen.seed + 1) + number
        best = one_round(scenes, chosen.level, best, chosen.games, seed, chosen.jobs)
        say(f"{number + 1}: {best._asdict()}")
    last = _stand(
        scenes, chosen.level, best, start, chosen.last, 1_000_000 + chosen.seed, chosen.jobs
    )
    low, high = last.interval
    say(
        f"against what was there before: {last.share:.0%} of {last.games} ({low:.0%} to {high:.0%})"
    )
    if last.share <= 0.5 + 0.5 / math.sqrt(last.games):
        say("not kept")
        return 1
    known = json.loads(FILE.read_text(encoding="utf-8"))
    name, below = system, Weights()._asdict()
    if chosen.level == "sharp":  # it alone has weights of its own
        name, below = f"{system} sharp", weights_of(system)._asdict()
    known[name] = {n: v for n, v in best._asdict().items() if v != below[n]}
    FILE.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    say(f"written to {FILE.name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
