"""Many games between programs and levels of the built-in opponent: who is stronger."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from tapeline.bots.program import GoneError, Program
from tapeline.errors import TapelineError
from tapeline.opponent.games import Game, Player, play_game, player_of
from tapeline.opponent.levels import LEVELS
from tapeline.opponent.standings import wilson
from tapeline.play.match import Match

__all__ = ["Bout", "Record", "play_arena", "ratings", "records"]


@dataclass(frozen=True, slots=True)
class Bout:
    """A game of the arena. players: by side; winner: the name of a player, None for a draw.

    faults: of each program, as `Program` counts them. why: how the game came to its end, where it
    was not played to its last round. log: its file, None where no logs are kept.
    """

    scene: str
    players: Mapping[str, str]
    seed: str
    winner: str | None
    points: Mapping[str, int]
    entries: int
    why: str = ""
    faults: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    log: str | None = None


def play_arena(
    scenes: Mapping[str, Any],
    players: Mapping[str, str],
    games: int,
    seed: int = 0,
    *,
    seconds: float = 5.0,
    logs: Path | None = None,
) -> Iterator[Bout]:
    """Games of each player against each other on each scene of two sides with goals.

    players: by name a level of the opponent, "random", or a command. games: of each pairing on each
    scene; each seed is played twice, with sides changed. seconds: for each turn of a program. logs:
    a folder to write the log of every game to. A program that does not begin has lost. The same
    seed gives the same games, as far as programs do the same.
    """
    for (name, scene), (one, two) in (
        (item, pair) for item in scenes.items() for pair in combinations(players, 2)
    ):
        first, second = (side["id"] for side in scene["sides"][:2])
        for number in range(games):
            pair = (one, two) if number % 2 == 0 else (two, one)
            sides = dict(zip((first, second), pair, strict=True))
            key = f"{seed}:{number // 2}"
            log = None if logs is None else logs / f"{name}-{one}-{two}-{number + 1}.log"
            yield _bout(name, scene, sides, players, key, seconds, log)


def _bout(
    name: str,
    scene: Any,
    sides: Mapping[str, str],
    players: Mapping[str, str],
    seed: str,
    seconds: float,
    log: Path | None,
) -> Bout:
    playing: dict[str, Player] = {}
    programs: dict[str, Program] = {}
    with ExitStack() as stack:
        for side, who in sides.items():
            if players[who] in (*LEVELS, "random"):
                playing[side] = player_of(players[who], f"{seed}:{side}")
                continue
            try:
                program = Program(shlex.split(players[who]), seconds, f"{seed}:{side}")
            except GoneError as error:
                other = next(one for one in sides.values() if one != who)
                return Bout(name, sides, seed, other, {}, 0, str(error), {who: {"gone": 1}})
            playing[side] = programs[side] = stack.enter_context(program)

        def begun(match: Match) -> None:
            for side, program in programs.items():
                program.begin(match, [side], game=seed)

        game: Game = play_game(scene, playing, seed, begun)
        for program in programs.values():
            program.end(game)
        faults = {sides[side]: dict(one.faults) for side, one in programs.items() if one.faults}
    if log is not None:
        game.match.save(log)
    winner = None if game.winner is None else sides[game.winner]
    return Bout(
        name, sides, seed, winner, game.points, len(game.match.entries), game.why, faults,
        None if log is None else str(log),
    )  # fmt: skip


@dataclass
class Record:
    """How a player did, in all or against one other. A draw counts half."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """How many were played."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Of the games, won."""
        return (self.won + 0.5 * self.drawn) / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The share's 95 % interval."""
        return wilson(self.share, max(1, self.games))


def records(bouts: Sequence[Bout]) -> dict[tuple[str, str | None], Record]:
    """By player and other, the other None for all of them together."""
    found: dict[tuple[str, str | None], Record] = {}
    for bout in bouts:
        for who in bout.players.values():
            other = next(one for one in bout.players.values() if one != who)
            for against in (None, other):
                record = found.setdefault((who, against), Record())
                record.drawn += bout.winner is None
                record.won += bout.winner == who
                record.lost += bout.winner == other
                record.faults.update(bout.faults.get(who, {}))
    return found


def ratings(bouts: Sequence[Bout]) -> dict[str, float]:
    """Strengths on the scale of Elo, 1500 in the mean: 400 more wins ten games for one lost.

    The model is that of Bradley and Terry (1952), fitted by `choix` with a little regularisation,
    so that who has won every game has a rating too. A draw is half a win for each. Raises
    TapelineError where the library (extra `lab`) is missing.
    """
    try:
        import choix
    except ImportError:
        raise TapelineError("ratings want the extra `lab`: pip install 'tapeline[lab]'") from None
    import numpy as np

    names = list(dict.fromkeys(who for bout in bouts for who in bout.players.values()))
    number = {name: index for index, name in enumerate(names)}
    won: list[tuple[int, int]] = []
    for bout in bouts:
        one, two = (number[who] for who in bout.players.values())
        if bout.winner is None:
            won += [(one, two), (two, one)]
        else:
            best = number[bout.winner]
            won += [(best, one + two - best)] * 2
    strengths = choix.opt_pairwise(len(names), won, alpha=0.1)
    found = 1500.0 + 400.0 / np.log(10.0) * (strengths - strengths.mean())
    return {name: float(found[number[name]]) for name in names}
