"""Whole games of opponents against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from tapeline.dice import Roll, SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.score import leader, points_of
from tapeline.opponent.levels import LEVELS, Weights
from tapeline.opponent.outcomes import settled
from tapeline.opponent.player import Opponent, refusal, usual_answer
from tapeline.play.battle import Battle
from tapeline.play.match import Match
from tapeline.table.marks import Value

__all__ = [
    "Game",
    "Player",
    "RandomPlayer",
    "ResignsError",
    "ThinkingPlayer",
    "play_game",
    "player_of",
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
        """Any of the offers that is not refused, with a result drawn for what it attests."""
        seed = f"{self.seed}:{battle.hash}"
        rng = Random(seed)
        offers = list(battle.offers(rng))
        rng.shuffle(offers)
        done = filter(None, (settled(battle, one, seed) for one in offers))
        return next((one for one in done if refusal(battle, one) is None), None)

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
    """A game that was played: its log, the winner (None for a draw), points, why it stopped.

    over: it came to its end.
    """

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
                return Game(match, winner, points_of(battle.state), True, f"{side} resigned")
            if action is None:
                why = f"{side} had nothing to do"
                break
            match.do(action, dice=dice, by=side)
        if len(match.entries) == before:
            why = f"{side} did what is refused: {battle.pending or action}"
            break
    state = match.battle.state
    over = bool(state.game and state.game.over)
    return Game(match, leader(state), points_of(state), over, "" if over else why or "endless")
