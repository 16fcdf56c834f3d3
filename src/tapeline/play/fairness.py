"""Dice of a server that were fixed before the match, and can be checked while it goes on.

The dice of every entry come from a key of its own. The keys are a chain: each is the SHA-256 of
the one after it, and what comes before the first is the commitment, which everybody is shown at
the start. Whoever has the key of an entry can work out all earlier ones, down to the commitment,
but none of those to come. So a log may tell the key of its last entry at any time: its past dice
can be checked, its future ones not be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from tapeline.dice import DiceSource, Roll, SeededDice
from tapeline.engine.events import Rolled
from tapeline.errors import DocumentError, Fault, LogError
from tapeline.play.entries import Entry

__all__ = ["LONGEST", "Chain", "Checked", "check", "dice_document"]

#: Entries that have a key: more than a match on the browser table may have.
LONGEST = 1 << 15

#: Goes before what is hashed, so that a key is good for nothing else.
_WHAT = b"tapeline-dice/1:"


def _before(key: bytes) -> bytes:
    return sha256(_WHAT + key).digest()


#: Keys so far apart are remembered of the matches played last, so that none takes long.
_APART = 1 << 10


@lru_cache(maxsize=256)
def _milestones(secret: str, salt: str) -> tuple[bytes, ...]:
    """Every so many a key, the commitment first, the last of the chain at the end."""
    key = _before(f"{salt}:{secret}".encode())
    found = [key]
    for number in range(LONGEST - 1, -1, -1):
        key = _before(key)
        if number % _APART == 0:
            found.append(key)
    return tuple(reversed(found))


class Chain:
    """The keys of a match. secret: nobody else may know it; salt: of this match alone."""

    def __init__(self, secret: str, salt: str) -> None:
        self._milestones = _milestones(secret, salt)

    def key(self, number: int) -> str:
        """The key of entry `number`, from 1, hexadecimal; of 0: the commitment.

        Raises DocumentError beyond `LONGEST`.
        """
        if not 0 <= number <= LONGEST:
            message = f"must be from 0 to {LONGEST}; got {number}"
            raise DocumentError("dice", [Fault("entry", message)])
        above = -(-number // _APART)
        key = self._milestones[above]
        for _ in range(above * _APART - number):
            key = _before(key)
        return key.hex()

    @property
    def commitment(self) -> str:
        """What is shown at the start."""
        return self.key(0)

    def dice(self, number: int) -> DiceSource:
        """The dice of entry `number`; nothing is worked out before they roll."""
        return _Dice(self, number)


class _Dice:
    def __init__(self, chain: Chain, number: int) -> None:
        self._chain = chain
        self._number = number
        self._dice: SeededDice | None = None

    def roll(self, roll: Roll) -> tuple[int, ...]:
        """Throw the dice."""
        if self._dice is None:
            self._dice = SeededDice(self._chain.key(self._number))
        return self._dice.roll(roll)


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking the dice of a log.

    fixed: rolls that were fixed at the start; others: entries, by number, with faces that were
    not: typed in, or thrown elsewhere. unchecked: entries with rolls that no key is told of, or
    from before the match began here.
    """

    fixed: int
    others: tuple[int, ...]
    unchecked: tuple[int, ...]


def check(said: Mapping[str, Any], entries: Sequence[Entry]) -> Checked:
    """Check the dice of a log against what its header says of them.

    Raises LogError if its key does not lead to its commitment, or if faces are not those fixed
    although nobody may have typed any.
    """
    told, after = int(said.get("told", 0)), int(said.get("after", 0))
    keys: dict[int, str] = {}
    if told:
        key = bytes.fromhex(said["key"])
        for number in range(told, 0, -1):
            keys[number] = key.hex()
            key = _before(key)
        if key.hex() != said["commitment"]:
            message = (
                "the key does not lead to the commitment: the dice were not fixed at the start"
            )
            raise LogError(message)
    fixed, others, unchecked = 0, [], []
    for number, entry in enumerate(entries, 1):
        rolls = [event for event in entry.events if isinstance(event, Rolled) and event.faces]
        if not rolls:
            continue
        if number <= after or number > told:
            unchecked.append(number)
            continue
        # Faces typed in come first; what the server rolled after them, it rolled in order.
        tail = _fixed(rolls, keys[number])
        fixed += tail
        if tail < len(rolls):
            if not said["typed"]:
                message = f"entry {number}: its dice are not those fixed at the start"
                raise LogError(message, number)
            others.append(number)
    return Checked(fixed, tuple(others), tuple(unchecked))


def _fixed(rolls: Sequence[Rolled], key: str) -> int:
    """How many rolls at the end of an entry are those of its key."""
    for first in range(len(rolls)):
        dice = SeededDice(key)
        if all(dice.roll(event.roll) == event.faces for event in rolls[first:]):
            return len(rolls) - first
    return 0


_KEYS = ("commitment", "salt", "typed", "after", "key", "told")
_HEX = frozenset("0123456789abcdef")


def dice_document(data: object) -> dict[str, Any]:
    """What the header of a log says of the dice, checked.

    commitment; salt: of the match; typed: whether players may type faces in; after: the last entry
    from before the match began here; key: of entry number `told`. Raises DocumentError.
    """

    def faults() -> Iterator[Fault]:
        if not isinstance(data, dict):
            yield Fault("", "must be an object")
            return
        for name in sorted(set(data) - {*_KEYS}):
            yield Fault(name, "is not a known key")
        for name in ("commitment", "key"):
            value = data.get(name)
            if name == "key" and value is None and "told" not in data:
                continue
            if not (isinstance(value, str) and len(value) == 64 and set(value) <= _HEX):
                yield Fault(name, "must be 64 hexadecimal digits, in lower case")
        if not isinstance(data.get("salt"), str):
            yield Fault("salt", "must be a text")
        if not isinstance(data.get("typed"), bool):
            yield Fault("typed", "must be true or false")
        for name in ("after", "told"):
            value = data.get(name, 0)
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LONGEST:
                yield Fault(name, f"must be a whole number from 0 to {LONGEST}")

    found = [*faults()]
    if found:
        raise DocumentError("dice", found)
    assert isinstance(data, dict)
    return data
