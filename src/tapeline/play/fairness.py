"""Dice of a server that were fixed before the match, and can be checked while it goes on.

The dice of every entry come from a key of its own. The keys are a chain: each is the SHA-256 of
the one after it, and what comes before the first is the commitment, which everybody is shown at
the start. Whoever has the key of an entry can work out all earlier ones, down to the commitment,
but none of those to come. So a log may tell the key of its last entry at any time: its past dice
can be checked, its future ones not be known.

Whoever runs the server knows its chain to the end. So between two players each side has a chain of
its own, made by its page alone. An entry that leaves a roll open names the commitments of the sides
that are there; only when they have seen it do they reveal their keys of the next entry, and the
roll comes from the key of the server and theirs together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any

from pydantic import Field

from tapeline.dice import Roll, SeededDice
from tapeline.engine.events import Rolled
from tapeline.errors import DocumentError, Fault, LogError
from tapeline.play.entries import Entry, Key
from tapeline.table.json_documents import validate
from tapeline.table.terrain_documents import StrictDoc

__all__ = [
    "LONGEST",
    "Chain",
    "Checked",
    "FixedDice",
    "check",
    "check_dice",
    "leads",
    "shared_key",
]

#: Entries that have a key: more than a match on the browser table may have.
LONGEST = 1 << 15

#: Steps back along chains in one log: sides begin a new one now and then, and each is gone back
#: to its beginning. More than this, some seconds of work, no match of people needs.
MOST_STEPS = 1 << 23

#: Goes before what is hashed, so that a key is good for nothing else.
_WHAT = b"tapeline-dice/1:"


def _before(key: bytes) -> bytes:
    return sha256(_WHAT + key).digest()


def leads(key: str, steps: int, before: str) -> bool:
    """Whether a key of a chain leads to the one so many steps before it."""
    found = bytes.fromhex(key)
    for _ in range(steps):
        found = _before(found)
    return found.hex() == before


def shared_key(key: str, reveals: Mapping[str, str]) -> str:
    """What dice come from: the key of the server, and those that sides have revealed, if any."""
    if not reveals:
        return key
    text = json.dumps([key, *sorted(reveals.items())], separators=(",", ":"))
    return sha256(b"tapeline-dice/2:" + text.encode()).hexdigest()


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

    def dice(self, number: int, reveals: Mapping[str, str] | None = None) -> FixedDice:
        """The dice of entry `number`; nothing is worked out before they roll.

        reveals: the keys of sides that have a share in them.
        """
        return FixedDice(self, number, reveals or {})


class FixedDice:
    """The dice of an entry. key: what they come from on the part of the server, "" if none fell."""

    def __init__(self, chain: Chain, number: int, reveals: Mapping[str, str]) -> None:
        self._chain = chain
        self._number = number
        self.reveals = reveals
        self.key = ""
        self._dice = SeededDice()

    def roll(self, roll: Roll) -> tuple[int, ...]:
        """Throw the dice."""
        if not self.key:
            self.key = self._chain.key(self._number)
            self._dice = SeededDice(shared_key(self.key, self.reveals))
        return self._dice.roll(roll)


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking the dice of a log; entries are told by number.

    fixed: rolls that were fixed at the start; shared: those of them in which sides have a share.
    others: entries with faces that were not: typed in, or thrown elsewhere. unchecked: entries with
    rolls that no key is told of, or from before the match began here; stripped: those of them that
    must have had a key. lacking: entries whose dice lack the share of a side that was there.
    free: rolls of a log that speaks of no dice fixed beforehand. commitments: those of the sides.
    """

    fixed: int = 0
    others: tuple[int, ...] = ()
    unchecked: tuple[int, ...] = ()
    shared: int = 0
    stripped: tuple[int, ...] = ()
    lacking: tuple[int, ...] = ()
    free: int = 0
    commitments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def unproven(self) -> tuple[str, ...]:
        """Why dice are not proven: "stripped", "typed" and "partial", as far as they hold."""
        partial = self.lacking or set(self.unchecked) - set(self.stripped)
        reasons = {"stripped": self.stripped, "typed": self.others, "partial": partial}
        return tuple(word for word, found in reasons.items() if found)


def check(
    said: Mapping[str, Any] | None, entries: Sequence[Entry], given: Sequence[str] = ()
) -> Checked:
    """Check the dice of a log against what its header says of them.

    given: commitments that somebody saw while the match was played. Raises LogError if they are
    not those of the log, if a key does not lead to its commitment, or if faces are not those fixed
    although nobody may have typed any.
    """
    sides: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        for side, commitment in entry.commitments.items():
            sides[side] = tuple(dict.fromkeys((*sides.get(side, ()), commitment)))
    if said is None:
        return _without(entries, bool(given), sides)
    _as_given(said["commitment"], sides, given)
    checking = _Checking(said, entries)
    for number, entry in enumerate(entries, 1):
        checking.look(number, entry)
    return checking.found(sides)


def _rolls(entry: Entry) -> list[Rolled]:
    return [event for event in entry.events if isinstance(event, Rolled) and event.faces]


def _without(
    entries: Sequence[Entry], given: bool, sides: Mapping[str, tuple[str, ...]]
) -> Checked:
    """Of a log whose header does not speak of dice: whether it once did."""
    rolled = tuple(number for number, entry in enumerate(entries, 1) if _rolls(entry))
    traces = tuple(n for n, entry in enumerate(entries, 1) if entry.key or entry.commitments)
    if given or traces:
        numbers = rolled or traces
        return Checked(unchecked=numbers, stripped=numbers or (0,), commitments=sides)
    return Checked(free=sum(len(_rolls(entry)) for entry in entries))


def _as_given(commitment: str, sides: Mapping[str, tuple[str, ...]], given: Sequence[str]) -> None:
    """Raises LogError if the commitments that somebody saw are not those of the log."""
    if given and commitment not in given:
        raise LogError(f"the commitment is {commitment}, which is none of those given")
    known = {commitment, *(one for side in sides.values() for one in side)}
    for one in given:
        if one not in known:
            raise LogError(f"nobody made the commitment {one} in this log")


class _Checking:
    """The entries looked at one after the other, so that no chain is gone back twice."""

    def __init__(self, said: Mapping[str, Any], entries: Sequence[Entry]) -> None:
        self._typed: bool = said["typed"]
        self._after = int(said.get("after", 0))
        self._entries = entries
        #: The last key known of each chain, by its commitment.
        self._known: dict[str, tuple[int, str]] = {}
        self._host: str = said["commitment"]
        self._keys = _told(said)
        self._fixed = self._shared = self._steps = 0
        self._others: list[int] = []
        self._unchecked: list[int] = []
        self._stripped: list[int] = []
        self._lacking: list[int] = []

    def look(self, number: int, entry: Entry) -> None:
        """Take in the next entry. Raises LogError."""
        rolls = _rolls(entry)
        if not rolls and not entry.key:
            return
        if number <= self._after:
            self._unchecked.append(number)
            return
        key = entry.key or self._keys.get(number, "")
        if not key:
            self._unchecked.append(number)
            self._stripped.append(number)
            return
        self._leads(self._host, number, key, "the server")
        self._reveals(number, entry)
        # Faces typed in come first; what the server rolled after them, it rolled in order.
        tail = _fixed(rolls, shared_key(key, entry.reveals))
        self._fixed += tail
        self._shared += tail if entry.reveals else 0
        if tail < len(rolls):
            if not self._typed:
                message = f"entry {number}: its dice are not those fixed at the start"
                raise LogError(message, number)
            self._others.append(number)

    def _reveals(self, number: int, entry: Entry) -> None:
        """Whether sides have revealed what they had committed to when the roll was left open."""
        bound = self._entries[number - 2].commitments if number > 1 else {}
        for side, key in entry.reveals.items():
            if side not in bound:
                message = f"entry {number}: {side} reveals a key, but made no commitment before it"
                raise LogError(message, number)
            self._leads(bound[side], number, key, side)
        if set(bound) - set(entry.reveals):
            self._lacking.append(number)

    def _leads(self, commitment: str, number: int, key: str, whose: str) -> None:
        last, before = self._known.get(commitment, (0, commitment))
        self._steps += number - last
        if self._steps > MOST_STEPS:
            raise LogError(f"entry {number}: more chains of keys than can be followed", number)
        if not leads(key, number - last, before):
            message = (
                f"entry {number}: the key of {whose} does not lead to the commitment: these dice "
                "were not fixed at the start"
            )
            raise LogError(message, number)
        self._known[commitment] = (number, key)

    def found(self, sides: Mapping[str, tuple[str, ...]]) -> Checked:
        """What came of it."""
        others, unchecked = tuple(self._others), tuple(self._unchecked)
        lost = tuple(self._stripped), tuple(self._lacking)
        return Checked(self._fixed, others, unchecked, self._shared, *lost, commitments=sides)


def _told(said: Mapping[str, Any]) -> dict[int, str]:
    """The keys that follow from the one that a header tells. Raises LogError."""
    keys: dict[int, str] = {}
    if told := int(said.get("told", 0)):
        key = bytes.fromhex(said["key"])
        for number in range(told, 0, -1):
            keys[number] = key.hex()
            key = _before(key)
        if key.hex() != said["commitment"]:
            message = (
                "the key does not lead to the commitment: the dice were not fixed at the start"
            )
            raise LogError(message)
    return keys


def _fixed(rolls: Sequence[Rolled], key: str) -> int:
    """How many rolls at the end of an entry are those of its key."""
    for first in range(len(rolls)):
        dice = SeededDice(key)
        if all(dice.roll(event.roll) == event.faces for event in rolls[first:]):
            return len(rolls) - first
    return 0


_Number = Annotated[int, Field(ge=0, le=LONGEST)]


class _DiceDoc(StrictDoc):
    commitment: Key
    salt: str
    typed: bool
    after: _Number = 0
    key: Key | None = None
    told: _Number = 0


def check_dice(data: object) -> None:
    """Raise DocumentError unless this is what the header of a log says of its dice.

    commitment; salt: of the match; typed: whether players may type faces in; after: the last entry
    from before the match began here; key: of entry number `told`.
    """
    told: _DiceDoc = validate(_DiceDoc, data, "dice")
    if told.key is None and told.told:
        raise DocumentError("dice", [Fault("key", "is missing: it is that of the entry `told`")])
