"""Where dice come from: a seed, a script, or a person at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Protocol

from tapeline.dice.rolls import Roll, check_faces
from tapeline.errors import DiceError, DiceExhaustedError

__all__ = ["DiceSource", "ScriptedDice", "SeededDice", "TypedDice"]


_FACE = re.compile("-?[0-9]{1,9}")


class DiceSource(Protocol):
    """Anything that answers a roll with faces."""

    def roll(self, roll: Roll) -> tuple[int, ...]:
        """Faces in the order thrown; their count and range are checked by the referee."""
        ...


class SeededDice:
    """Dice from a seed: the same seed gives the same faces on every machine and version.

    Faces come from BLAKE2b of the seed and a counter, with the biased tail thrown away.

    >>> one, two = SeededDice(7), SeededDice(7)
    >>> roll = Roll(5, "x", "X", "red")
    >>> one.roll(roll) == two.roll(roll)
    True
    """

    def __init__(self, seed: int | str = 0, thrown: int = 0) -> None:
        self.seed = str(seed)
        self.thrown = thrown

    def _face(self, sides: int) -> int:
        limit = (1 << 64) - (1 << 64) % sides
        while True:
            text = f"{self.seed}:{self.thrown}".encode()
            number = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
            self.thrown += 1
            if number < limit:
                return number % sides + 1

    def roll(self, roll: Roll) -> tuple[int, ...]:
        """Throw the dice."""
        return tuple(self._face(roll.sides) for _ in range(roll.count))


class ScriptedDice:
    """Dice written down beforehand, one list of faces for each roll in the order asked.

    Raises DiceExhaustedError when more rolls are asked than were written down.
    """

    def __init__(self, rolls: Iterable[Sequence[int]]) -> None:
        self._rolls = [tuple(faces) for faces in rolls]
        self._next = 0

    @property
    def left(self) -> int:
        """How many written rolls have not been asked for."""
        return len(self._rolls) - self._next

    def roll(self, roll: Roll) -> tuple[int, ...]:
        """The next written faces, as they were written; the referee checks that they fit."""
        if self._next >= len(self._rolls):
            raise DiceExhaustedError(
                f"no dice left for: {roll.purpose} ({roll.count}D{roll.sides}, {roll.clause})"
            )
        faces = self._rolls[self._next]
        self._next += 1
        return faces


class TypedDice:
    """Dice that a person rolls and types in; asks again until they fit."""

    def __init__(self, ask: Callable[[str], str], tell: Callable[[str], None]) -> None:
        self._ask = ask
        self._tell = tell

    def roll(self, roll: Roll) -> tuple[int, ...]:
        """Prompt until the typed faces fit the roll. Raises DiceError at the end of input."""
        prompt = f"{roll.by}: {roll.purpose} ({roll.clause}), roll {roll.count}D{roll.sides}: "
        while True:
            try:
                text = self._ask(prompt)
            except EOFError:
                raise DiceError(f"input ended before the dice for: {roll.purpose}") from None
            words = text.replace(",", " ").split()
            if all(_FACE.fullmatch(word) for word in words):
                faces = tuple(int(word) for word in words)
                fault = check_faces(roll, faces)
                if fault is None:
                    return faces
                self._tell(fault)
            else:
                self._tell("type the faces as numbers, for example: 4 2 6")
