"""How levels stand against each other in many seeded games, and how fair a scene is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import get_context
from statistics import median
from typing import Any, TypeVar

from tapeline.engine.actions import Action
from tapeline.errors import TapelineError
from tapeline.opponent.games import Player, play_game, player_of
from tapeline.opponent.kept import Kept, Played, Task
from tapeline.opponent.levels import Weights
from tapeline.play.battle import Battle
from tapeline.play.surveys import compile_kernels
from tapeline.table.marks import Value

__all__ = ["Played", "Standing", "Tally", "Task", "in_processes", "pairing", "play_all", "wilson"]

#: Games from which on compiling kernels pays; they are the same ones.
_MANY = 20

T = TypeVar("T")
R = TypeVar("R")


@dataclass
class _Timed:
    """A player, with the time that each move takes it."""

    player: Player
    seconds: list[float] = field(default_factory=list)

    def act(self, battle: Battle, side: str) -> Action | None:
        start = time.process_time()
        action = self.player.act(battle, side)
        self.seconds.append(time.process_time() - start)
        return action

    def reply(self, battle: Battle) -> Value:
        return self.player.reply(battle)


def _play(task: Task) -> Played:
    sides = [side["id"] for side in task.scene["sides"][:2]]
    players = {}
    for number in (0, 1):
        level, weights = task.levels[number], task.weights[number]
        player = player_of(level, f"{task.seed}:{number + 1}", weights)
        players[sides[task.place ^ number]] = _Timed(player)
    game = play_game(task.scene, players, task.seed)
    if not game.over:
        raise TapelineError(f"the game of seed {task.seed} does not end: {game.why}")
    winner = None if game.winner is None else sides.index(game.winner)
    return Played(winner, (players[sides[0]].seconds, players[sides[1]].seconds))


def _play_compiled(task: Task) -> Played:
    compile_kernels()
    return _play(task)


def in_processes(do: Callable[[T], R], tasks: Iterable[T], jobs: int = 1) -> Iterator[R]:
    """What comes of each task, in their order, by so many processes at a time.

    do: a function of a module, since other processes have to find it. One process is this one.
    """
    with ExitStack() as stack:
        if jobs == 1:
            yield from map(do, tasks)
            return
        pool = stack.enter_context(ProcessPoolExecutor(jobs, get_context("spawn")))
        stack.callback(pool.shutdown, wait=False, cancel_futures=True)
        yield from pool.map(do, tasks)


def play_all(tasks: Iterable[Task], jobs: int = 1) -> Iterator[Played]:
    """Play games, in their order, by so many processes at a time.

    Raises as `play_game`, and TapelineError for a game that does not come to an end.
    """
    wanted = [*tasks]
    if len(wanted) < _MANY:
        yield from in_processes(_play, wanted, jobs)
        return
    # Once, before the others: else each compiles the same for itself.
    compile_kernels()
    yield from in_processes(_play_compiled, wanted, jobs)


@dataclass
class Tally:
    """Wins, draws and losses of somebody against others. A draw counts half."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Of the games, won."""
        return (self.wins + 0.5 * self.draws) / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The share's 95 % interval."""
        return wilson(self.share, max(1, self.games))


@dataclass
class Standing(Tally):
    """How the first level did against the second.

    by_side: games won by the side at each place of the scene. seconds: of processor time for each
    move of the first and of the second level.
    """

    by_side: list[int] = field(default_factory=lambda: [0, 0])
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    @property
    def first_side(self) -> float:
        """Of the games, won by the first side of the scene."""
        return (self.by_side[0] + 0.5 * self.draws) / max(1, self.games)

    @property
    def move_seconds(self) -> tuple[float, float]:
        """The median of processor time for a move of each level."""
        first, second = self.seconds
        return median(first or [0.0]), median(second or [0.0])

    def add(self, played: Played, first: int) -> None:
        """Count a game in which the first level had the side at a place."""
        if played.winner is None:
            self.draws += 1
        else:
            self.by_side[played.winner] += 1
            if played.winner == first:
                self.wins += 1
            else:
                self.losses += 1
        for level, place in enumerate((first, 1 - first)):
            self.seconds[level].extend(played.seconds[place])


def pairing(
    scene: Any,
    first: str,
    second: str,
    games: int,
    seed: int = 0,
    *,
    jobs: int = 1,
    weights: tuple[Weights | None, Weights | None] = (None, None),
    progress: Callable[[int], None] | None = None,
    kept: Kept | None = None,
    only_kept: bool = False,
) -> Standing:
    """Games of two levels on a scene of two sides, each seed played twice with sides changed.

    weights: of the first and the second level. progress: called with the number of games played.
    kept: where games that were played before are found, and others are put. only_kept: none is
    played, and those found are counted. Raises as `play_all`.
    """
    tasks = [
        Task(scene, (first, second), f"{seed}:{number // 2}", number % 2, weights)
        for number in range(games)
    ]
    known = [kept.find(task) if kept else None for task in tasks]
    wanted = [task for task, one in zip(tasks, known, strict=True) if one is None]
    others = play_all([] if only_kept else wanted, jobs)
    found = Standing()
    for number, (task, one) in enumerate(zip(tasks, known, strict=True)):
        played = one or next(others, None)
        if played is None:
            continue
        if kept is not None and one is None:
            kept.add(task, played)
        found.add(played, number % 2)
        if progress is not None:
            progress(number + 1)
    return found


def wilson(share: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share of games (Wilson 1927); of 95 % unless `z` says otherwise.

    >>> [round(x, 3) for x in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    return middle - half, middle + half
