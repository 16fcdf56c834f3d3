"""Games to be played, and those that were, kept in a file: a long comparison may go on later."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from tapeline.errors import DocumentError, Fault
from tapeline.opponent.levels import Weights, weights_of

__all__ = ["Kept", "Played", "Task"]

#: Decimals of seconds that are kept.
_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Task:
    """One game to be played: a scene of two sides, two levels, a seed.

    place: of the side that the first level plays. weights: of the first and of the second level;
    those of the system where None.
    """

    scene: Any
    levels: tuple[str, str]
    seed: str
    place: int = 0
    weights: tuple[Weights | None, Weights | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a game. winner: 0 or 1, the place of a side in the scene; None for a draw.

    seconds: of processor time for each move of the first and of the second side.
    """

    winner: int | None
    seconds: tuple[list[float], list[float]]


@dataclass
class Kept:
    """A file of games, a line of JSON each; made with the first game that is added.

    A game is known again by its scene, levels, weights, seed and place. Nothing tells how the
    opponent played when it was written: after a change of it another file is wanted.
    """

    path: Path
    _known: dict[str, Played] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.path.exists():
            return
        lines = self.path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            try:
                told = json.loads(line)
                first, second = told["seconds"]
                self._known[str(told["game"])] = Played(told["winner"], (first, second))
            except (ValueError, TypeError, KeyError):
                if number < len(lines):
                    fault = Fault(f"line {number}", "is no game that was kept")
                    raise DocumentError(str(self.path), [fault]) from None
                # What was being written when it was stopped.
                whole = "".join(f"{one}\n" for one in lines[:-1])
                self.path.write_text(whole, encoding="utf-8")

    def find(self, task: Task) -> Played | None:
        """What came of a game; None if it has not been played."""
        return self._known.get(_name(task))

    def add(self, task: Task, played: Played) -> None:
        """Keep a game."""
        seconds = [[round(one, _DECIMALS) for one in of] for of in played.seconds]
        name = _name(task)
        told = {"game": name, "winner": played.winner, "seconds": seconds}
        self._known[name] = played
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")


def _name(task: Task) -> str:
    """A game by its scene, levels, weights, seed and place."""
    system = task.scene["system"]
    weights = [
        one or weights_of(system, level)
        for one, level in zip(task.weights, task.levels, strict=True)
    ]
    told = json.dumps([task.scene, weights], sort_keys=True)
    mark = sha256(told.encode()).hexdigest()[:12]
    return " ".join([mark, *task.levels, task.seed, str(task.place)])
