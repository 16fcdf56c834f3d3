"""A roll that the rules ask for, and its exact odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, ClassVar, Literal

__all__ = [
    "MOST_DICE",
    "MOST_SIDES",
    "Roll",
    "RollClass",
    "check_faces",
    "classes_of_roll",
    "number_of_classes",
]

#: More than any rule asks for, and little enough to be thrown at once.
MOST_DICE, MOST_SIDES = 10_000, 1_000
#: What is read of rolls whose dice are summed.
_SUMS = ("sum", "sum_highest")


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that the rules ask for: how many, of what kind, what for, by which clause.

    reads says what the rules will look at, so that odds need not tell apart what they do not:
    "faces" every die in its place, "sum" the sum of the kept dice, "sum_highest" that and the
    highest die, "successes" only how many dice show `target` or more.
    keep: 0 all dice, +n the n highest, -n the n lowest (not with "faces" and "successes").
    by: the side that rolls; about: the body rolled for, if any.
    """

    count: int
    purpose: str
    clause: str
    by: str
    sides: int = 6
    about: str | None = None
    reads: Literal["faces", "sum", "sum_highest", "successes"] = "faces"
    keep: int = 0
    target: int | None = None

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}

    def __post_init__(self) -> None:
        """Raises ValueError for dice that nobody can throw."""
        if not 0 <= self.count <= MOST_DICE:
            raise ValueError(f"count must be from 0 to {MOST_DICE}; got {self.count}")
        if not 2 <= self.sides <= MOST_SIDES:
            raise ValueError(f"sides must be from 2 to {MOST_SIDES}; got {self.sides}")

    def kept(self, faces: Sequence[int]) -> tuple[int, ...]:
        """The dice that count, highest first when some are dropped.

        >>> Roll(3, "dash", "X", "red", keep=2).kept((1, 6, 4))
        (6, 4)
        >>> Roll(3, "dash", "X", "red", keep=-2).kept((1, 6, 4))
        (1, 4)
        """
        if self.keep > 0:
            return tuple(sorted(faces, reverse=True)[: self.keep])
        if self.keep < 0:
            return tuple(sorted(faces)[: -self.keep])
        return tuple(faces)

    def counts(self, faces: Sequence[int]) -> tuple[bool, ...]:
        """For each die whether it counts: it shows the target or more, or it is kept.

        >>> Roll(3, "dash", "X", "red", keep=2).counts((1, 6, 4))
        (False, True, True)
        """
        if self.target is not None:
            return tuple(face >= self.target for face in faces)
        left = list(self.kept(faces))
        found = []
        for face in faces:
            found.append(face in left)
            if face in left:
                left.remove(face)
        return tuple(found)

    def total(self, faces: Sequence[int]) -> int:
        """Sum of the kept dice."""
        return sum(self.kept(faces))

    def successes(self, faces: Sequence[int]) -> int:
        """How many dice show the target or more."""
        if self.target is None:
            raise ValueError("this roll has no target number")
        return sum(face >= self.target for face in faces)


def check_faces(roll: Roll, faces: Sequence[int]) -> str | None:
    """None if the dice fit the roll, else a sentence that says how they do not."""
    if len(faces) != roll.count:
        dice = "die" if roll.count == 1 else "dice"
        return f"{roll.purpose}: needs {roll.count} {dice}, got {len(faces)}"
    for face in faces:
        if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= roll.sides:
            return f"{roll.purpose}: a D{roll.sides} has no face {face!r}"
    return None


@dataclass(frozen=True, slots=True)
class RollClass:
    """Results alike for the rules: one of them, and the exact chance of any of them."""

    faces: tuple[int, ...]
    chance: Fraction


def number_of_classes(roll: Roll) -> int:
    """How many classes the roll has at most; cheap, for deciding whether to enumerate."""
    if roll.reads == "successes":
        return roll.count + 1
    if roll.reads in _SUMS:
        kept = abs(roll.keep) or roll.count
        return (kept * (roll.sides - 1) + 1) * (roll.sides if roll.reads == "sum_highest" else 1)
    return int(roll.sides**roll.count)


def _sums(roll: Roll) -> dict[tuple[int, int], tuple[int, tuple[int, ...]]]:
    """For each sum of the kept dice, and the highest die where it counts, else 0: in how many ways
    it comes, and one of them."""
    n = roll.count
    kept = min(n, abs(roll.keep)) if roll.keep else n
    order = range(1, roll.sides + 1) if roll.keep < 0 else range(roll.sides, 0, -1)
    # Face by face, those first that are kept first: dice used so far and their sum.
    highest = roll.reads == "sum_highest"
    states: dict[tuple[int, int, int], tuple[int, tuple[int, ...]]] = {(0, 0, 0): (1, ())}
    for face in order:
        following: dict[tuple[int, int, int], tuple[int, tuple[int, ...]]] = {}
        for (used, total, most), (ways, faces) in states.items():
            for more in range(n - used + 1):
                counted = min(more, max(0, kept - used))
                top = max(most, face) if highest and more else most
                key = (used + more, total + counted * face, top)
                ways_here = ways * comb(n - used, more)
                before = following.get(key)
                following[key] = (
                    (ways_here, (*faces, *(face,) * more))
                    if before is None
                    else (before[0] + ways_here, before[1])
                )
        states = following
    return {
        (total, most): (ways, tuple(sorted(faces)))
        for (used, total, most), (ways, faces) in states.items()
        if used == n
    }


def classes_of_roll(roll: Roll) -> tuple[RollClass, ...]:
    """The classes of a roll with exact chances that sum to 1, in a fixed order.

    >>> [(c.faces, str(c.chance)) for c in
    ...  classes_of_roll(Roll(2, "hit", "X", "red", reads="successes", target=5))]
    [((1, 1), '4/9'), ((1, 6), '4/9'), ((6, 6), '1/9')]
    >>> len(classes_of_roll(Roll(2, "test", "X", "red", reads="sum")))
    11
    """
    n, sides = roll.count, roll.sides
    if n == 0:
        return (RollClass((), Fraction(1)),)
    whole = sides**n
    if roll.reads == "successes":
        target = roll.target if roll.target is not None else 1
        good = min(sides, max(0, sides - target + 1))
        bad = sides - good
        found = []
        for hits in range(n + 1):
            ways = comb(n, hits) * good**hits * bad ** (n - hits)
            if ways:
                faces = (1,) * (n - hits) + (sides,) * hits
                if good == sides:
                    faces = (sides,) * n
                elif bad == sides:
                    faces = (1,) * n
                found.append(RollClass(faces, Fraction(ways, whole)))
        return tuple(found)
    if roll.reads in _SUMS:
        sums = _sums(roll)
        return tuple(RollClass(sums[key][1], Fraction(sums[key][0], whole)) for key in sorted(sums))
    every: list[tuple[int, ...]] = [()]
    for _ in range(n):
        every = [(*faces, face) for faces in every for face in range(1, sides + 1)]
    return tuple(RollClass(faces, Fraction(1, whole)) for faces in every)
