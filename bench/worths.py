"""What parts of a position turned out to be worth, in points: `python -m bench.worths SCENE ...`.

The computer plays against itself, and each position is held against the points that were scored
from there to the end. Weighted least squares over all of them tell how many points each part of the
opponent's evaluation stands for; the errors come of leaving out each game in turn (jackknife), as
positions of one game have one end. All scenes must be of one system.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import say
from tapeline.engine.actions import Action
from tapeline.engine.score import points_of
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.opponent.games import Player, play_game, player_of
from tapeline.opponent.levels import Weights, weights_of
from tapeline.opponent.ranges import ranges
from tapeline.opponent.standings import in_processes
from tapeline.opponent.worth import worth
from tapeline.play.battle import Battle
from tapeline.play.surveys import compile_kernels
from tapeline.table.marks import Value

__all__ = ["main"]

#: The parts that are told, by the weight that each has. idle: what is lost by it; the last two are
#: for the value of a figure each.
PARTS = ("hold", "carry", "figure", "lasting", "idle", "contact", "risk", "chance")
#: How much more is left to luck for each round that is still to come.
LUCK = 1.2


@dataclass
class _Watched:
    """A player whose positions are kept before it acts."""

    player: Player
    seen: list[State]

    def act(self, battle: Battle, side: str) -> Action | None:
        self.seen.append(battle.state)
        return self.player.act(battle, side)

    def reply(self, battle: Battle) -> Value:
        return self.player.reply(battle)


def lead(points: Mapping[str, int], side: str) -> int:
    """By how many points a side is ahead of the best other."""
    return points[side] - max(n for other, n in points.items() if other != side)


def parts(state: State, side: str, weights: Weights, system: System) -> list[float]:
    """The parts of what a position is worth to a side, each with the weight 1."""
    none = weights._replace(**dict.fromkeys((*PARTS, "prize", "leader", "fire"), 0.0))
    far = ranges(system, state)

    def only(**some: float) -> float:
        found = worth(state, side, far, none._replace(**some), system).parts
        return sum(value for name, value in found.items() if name != "points")

    whole = only(figure=1.0)
    alone = [only(**{name: 1.0}) for name in PARTS[:4]]
    return [*alone, *(only(figure=1.0, **{name: 1.0}) - whole for name in PARTS[4:])]


def positions(scene: Any, level: str, seed: int) -> list[tuple[list[float], float, float]]:
    """Of each position of a game: its parts for the first side, the points that this side gained on
    the other from there, and the rounds that were still to come."""
    compile_kernels()
    first, *others = [side["id"] for side in scene["sides"]]
    seen: list[State] = []
    players = {
        side: _Watched(player_of(level, f"{seed}:{side}"), seen) for side in (first, *others)
    }
    game = play_game(scene, players, seed)
    system = game.match.battle.system
    weights, end = weights_of(system.name, level), lead(game.points, first)
    found = []
    for state in seen:
        assert state.game is not None
        gained = float(end - lead(points_of(state), first))
        to_come = float(max(0, state.game.rounds - state.turn.round))
        found.append((parts(state, first, weights, system), gained, to_come))
    return found


def fitted(games: Sequence[Sequence[tuple[list[float], float, float]]]) -> tuple[Any, Any]:
    """What a part is worth and its standard error, for all of `PARTS`."""

    def fit(some: Sequence[Sequence[tuple[list[float], float, float]]]) -> Any:
        rows = [row for game in some for row in game]
        sure = np.array([1.0 / (1.0 + LUCK * to_come) for *_, to_come in rows])
        table = np.array([[*told, 1.0] for told, *_ in rows]) * sure[:, None]
        gained = np.array([gain for _, gain, _ in rows]) * sure
        return np.linalg.lstsq(table, gained, rcond=None)[0][:-1]

    without = np.array([fit([*games[:k], *games[k + 1 :]]) for k in range(len(games))])
    count = len(games)
    return fit(games), np.sqrt((count - 1) * without.var(axis=0))


def main(words: Sequence[str] | None = None) -> int:
    """Play, and tell what each part was worth."""
    parser = argparse.ArgumentParser(prog="python -m bench.worths", description=__doc__)
    parser.add_argument("scenes", nargs="+", type=Path)
    parser.add_argument("--level", default="steady")
    parser.add_argument("--games", type=int, default=40, help="a scene")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args(words)
    games = []
    for path in chosen.scenes:
        scene = json.loads(path.read_text(encoding="utf-8"))
        play = partial(positions, scene, chosen.level)
        for told in in_processes(play, range(chosen.games), chosen.jobs):
            games.append(told)
            if len(games) % 10 == 0:
                say(f"  games: {len(games)} of {len(chosen.scenes) * chosen.games}")
    for name, value, error in zip(PARTS, *fitted(games), strict=True):
        say(f"  {name}: {value:+.2f} ± {error:.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
