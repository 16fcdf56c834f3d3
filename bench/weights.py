"""Tune the weights of the computer opponent by its own games: `python -m bench.weights SCENE ...`.

Hill climbing: some weights are changed at random, the changed ones play the best so far, and are
kept if they win by more than the luck of so many games would give. At the end the best play what
was there before, with other seeds; only then are they written to `opponent/weights.json`. All
scenes must be of one system.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import tapeline.opponent
from bench.harness import say
from tapeline.opponent.levels import Weights, weights_of
from tapeline.opponent.standings import Standing, pairing

__all__ = ["main"]

FILE = Path(tapeline.opponent.__file__).with_name("weights.json")
#: Weights changed at a time, and by how much, as a standard deviation of the logarithm.
CHANGED, SPREAD = 3, 0.5
#: Those that only say whether something is done at all.
SWITCHES = ("answered", "ways")


def changed(weights: Weights, rng: Random) -> Weights:
    """The weights with some of them multiplied at random."""
    names = rng.sample([name for name in Weights._fields if name not in SWITCHES], CHANGED)
    new = {name: getattr(weights, name) * math.exp(rng.gauss(0.0, SPREAD)) for name in names}
    if "later" in new:
        new["later"] = min(new["later"], 1.0)
    return weights._replace(**{name: round(value, 3) for name, value in new.items()})


def _stand(
    scenes: Sequence[Any], level: str, new: Weights, old: Weights, games: int, seed: int, jobs: int
) -> Standing:
    """How new weights stand against old ones over all scenes."""
    found = Standing()
    for scene in scenes:
        one = pairing(scene, level, level, games, seed, jobs=jobs, weights=(new, old))
        found.wins += one.wins
        found.draws += one.draws
        found.losses += one.losses
    return found


def _beats(found: Standing) -> bool:
    """Whether a share is more than a standard deviation above a half."""
    return found.share > 0.5 + 0.5 / math.sqrt(found.games)


def main(words: Sequence[str] | None = None) -> int:
    """Tune, tell what was tried, and write what is better."""
    parser = argparse.ArgumentParser(prog="python -m bench.weights", description=__doc__)
    parser.add_argument("scenes", nargs="+", type=Path)
    parser.add_argument("--level", default="steady")
    parser.add_argument("--tries", type=int, default=20)
    parser.add_argument("--games", type=int, default=20, help="a try and scene")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args(words)
    scenes = [json.loads(path.read_text(encoding="utf-8")) for path in chosen.scenes]
    system = scenes[0]["system"]
    rng = Random(chosen.seed)
    start = best = weights_of(system, chosen.level)
    for number in range(chosen.tries):
        new = changed(best, rng)
        seed = 1_000 * (chosen.seed + 1) + number
        found = _stand(scenes, chosen.level, new, best, chosen.games, seed, chosen.jobs)
        kept = _beats(found)
        best = new if kept else best
        told = {n: v for n, v in new._asdict().items() if v != getattr(start, n)}
        say(f"{number + 1}: {found.share:.0%} of {found.games}{', kept' if kept else ''} {told}")
    if best == start:
        say("nothing better was found")
        return 1
    seed = 1_000_000 + chosen.seed
    last = _stand(scenes, chosen.level, best, start, 2 * chosen.games, seed, chosen.jobs)
    say(f"against what was there before: {last.share:.0%} of {last.games}")
    if not _beats(last):
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
