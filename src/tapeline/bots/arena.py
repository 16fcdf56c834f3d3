"""Many games between programs and levels of the built-in opponent: who is stronger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from tapeline.bots.program import GoneError, play_programs
from tapeline.errors import TapelineError
from tapeline.opponent.standings import Tally, in_processes

__all__ = [
    "Bout",
    "Fixture",
    "Record",
    "fixtures",
    "play_arena",
    "play_fixture",
    "ratings",
    "records",
]


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game of the arena that is to be played.

    sides: who plays each, by name; players: by name, what each is. seconds: for each turn of a
    program. log: the file to write its log to, None for none.
    """

    scene: str
    document: Any
    sides: Mapping[str, str]
    players: Mapping[str, str]
    seed: str
    seconds: float = 5.0
    log: Path | None = None


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


def fixtures(
    scenes: Mapping[str, Any],
    players: Mapping[str, str],
    games: int,
    seed: int = 0,
    *,
    seconds: float = 5.0,
    logs: Path | None = None,
) -> Iterator[Fixture]:
    """The games of each player against each other on each scene of two sides with goals.

    players: by name a level of the opponent, "random", or a command. games: of each pairing on each
    scene; each seed is played twice, with sides changed. seconds: for each turn of a program. logs:
    a folder to write the log of every game to.
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
            yield Fixture(name, scene, sides, dict(players), key, seconds, log)


def play_arena(games: Iterable[Fixture], jobs: int = 1) -> Iterator[Bout]:
    """Play games in their order, by so many processes at a time; raises as `play_fixture`."""
    yield from in_processes(play_fixture, games, jobs)


def play_fixture(fixture: Fixture) -> Bout:
    """Play one. A program that does not begin has lost.

    The same seed gives the same game, as far as programs do the same. Raises as `play_game`.
    """
    name, sides, seed, log = fixture.scene, fixture.sides, fixture.seed, fixture.log
    try:
        players = {side: fixture.players[who] for side, who in sides.items()}
        game, programs = play_programs(fixture.document, players, seed, fixture.seconds)
    except GoneError as error:
        other = next(one for side, one in sides.items() if side != error.side)
        return Bout(name, sides, seed, other, {}, 0, str(error), {sides[error.side]: {"gone": 1}})
    faults = {sides[side]: dict(one.faults) for side, one in programs.items() if one.faults}
    if log is not None:
        game.match.save(log)
    winner = None if game.winner is None else sides[game.winner]
    return Bout(
        name, sides, seed, winner, game.points, len(game.match.entries), game.why, faults,
        None if log is None else str(log),
    )  # fmt: skip


@dataclass
class Record(Tally):
    """How a player did, in all or against one other. faults: of its program."""

    faults: Counter[str] = field(default_factory=Counter)


def records(bouts: Sequence[Bout]) -> dict[tuple[str, str | None], Record]:
    """By player and other, the other None for all of them together."""
    found: dict[tuple[str, str | None], Record] = {}
    for bout in bouts:
        for who in bout.players.values():
            other = next(one for one in bout.players.values() if one != who)
            for against in (None, other):
                record = found.setdefault((who, against), Record())
                record.draws += bout.winner is None
                record.wins += bout.winner == who
                record.losses += bout.winner == other
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
