"""Whole games of opponents against each other, and what many of them tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from tapeline.dice import Roll, SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.score import leader, points_of
from tapeline.errors import TapelineError
from tapeline.opponent.levels import LEVELS, Weights
from tapeline.opponent.player import Opponent, usual_answer
from tapeline.play.battle import Battle
from tapeline.play.match import Match
from tapeline.table.marks import Value

__all__ = [
    "Game",
    "Player",
    "RandomPlayer",
    "ResignsError",
    "Standing",
    "ThinkingPlayer",
    "pairing",
    "play_game",
    "player_of",
    "wilson",
]

#: Entries of a log after which a game is given up as endless.
_MOST = 5_000


class Player(Protocol):
    """Whoever can move a side."""

    def act(self, battle: Battle, side: str) -> Action | None:
        """What to do; None if nothing can be done."""
        ...

    def reply(self, battle: Battle) -> Value:
        """What to answer."""
        ...


@dataclass
class RandomPlayer:
    """Does any of what the rules offer."""

    seed: int | str = 0

    def act(self, battle: Battle, side: str) -> Action | None:
        """Any of the offers."""
        rng = Random(f"{self.seed}:{battle.hash}")
        offers = list(battle.offers(rng))
        return rng.choice(offers) if offers else None

    def reply(self, battle: Battle) -> Value:
        """The usual answer."""
        assert battle.pending is not None
        assert not isinstance(battle.pending.ask, Roll)
        return usual_answer(battle, battle.pending.ask, Random(f"{self.seed}:{battle.hash}"))


@dataclass
class ThinkingPlayer:
    """An opponent of some level."""

    opponent: Opponent

    def act(self, battle: Battle, side: str) -> Action | None:
        """The best action."""
        found = self.opponent.choose(battle, side)
        return None if found is None else found.action

    def reply(self, battle: Battle) -> Value:
        """The best answer."""
        return self.opponent.answer(battle)


def player_of(level: str, seed: int | str, weights: Weights | None = None) -> Player:
    """A player by the name of its level; "random" does anything. KeyError for another name."""
    if level == "random":
        return RandomPlayer(seed)
    return ThinkingPlayer(Opponent(LEVELS[level], seed, weights))


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played: its log, the winner (None for a draw), points, why it stopped."""

    match: Match
    winner: str | None
    points: Mapping[str, int]
    over: bool
    why: str = ""


class ResignsError(Exception):
    """Raised by a player that gives a game up."""


def play_game(
    scene: Any,
    players: Mapping[str, Player],
    seed: int | str = 0,
    begun: Callable[[Match], object] | None = None,
) -> Game:
    """Play a scene with goals to the end, every entry by the referee. players: by side.

    The same seed and players give the same log. begun: told of the match before its first entry.
    Raises DocumentError, KeyError for a side without a player.
    """
    match = Match.start(scene)
    if begun is not None:
        begun(match)
    dice = SeededDice(f"game:{seed}")
    why = ""
    while len(match.entries) < _MOST:
        battle = match.battle
        game = battle.state.game
        if battle.pending is None and (game is None or game.over):
            break
        side = battle.next_to_act[0]
        before = len(match.entries)
        if battle.pending is not None:
            ask = battle.pending.ask
            if isinstance(ask, Roll):
                match.answer(dice=dice, by=side)
            else:
                match.answer(players[side].reply(battle), dice=dice, by=side)
        else:
            try:
                action = players[side].act(battle, side)
            except ResignsError:
                others = [one.id for one in battle.state.sides if one.id != side]
                winner = others[0] if len(others) == 1 else None
                return Game(match, winner, points_of(battle.state), True, f"{side} resigns")
            if action is None:
                why = f"{side} has nothing to do"
                break
            match.do(action, dice=dice, by=side)
        if len(match.entries) == before:
            why = f"{side} does what is refused: {battle.pending or action}"
            break
    state = match.battle.state
    over = bool(state.game and state.game.over)
    return Game(match, leader(state), points_of(state), over, "" if over else why or "endless")


@dataclass(frozen=True, slots=True)
class Standing:
    """Wins, draws and losses of the first against the second. A draw counts half."""

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


def pairing(
    scene: Any,
    first: str,
    second: str,
    games: int,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> tuple[Standing, dict[str, int]]:
    """Games of two levels on a scene of two sides, who plays which changing after each.

    Gives how the first level stands against the second, and the games won by side, "" for draws.
    progress: called with the number of games played. Raises as `play_game`, and TapelineError for
    a game that does not come to an end.
    """
    sides = [side["id"] for side in scene["sides"]]
    results = {"won": 0, "drawn": 0, "lost": 0}
    by_side = dict.fromkeys((*sides, ""), 0)
    for number in range(games):
        mine, theirs = sides[:2] if number % 2 == 0 else sides[1::-1]
        key = f"{seed}:{number // 2}"
        players = {mine: player_of(first, f"{key}:1"), theirs: player_of(second, f"{key}:2")}
        game = play_game(scene, players, key)
        if not game.over:
            raise TapelineError(f"game {number + 1} does not end: {game.why}")
        results["won" if game.winner == mine else "lost" if game.winner else "drawn"] += 1
        by_side[game.winner or ""] += 1
        if progress is not None:
            progress(number + 1)
    return Standing(results["won"], results["drawn"], results["lost"]), by_side


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of games (Wilson 1927).

    >>> [round(x, 3) for x in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    return middle - half, middle + half
