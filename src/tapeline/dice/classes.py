"""Exact odds of one roll: its results grouped into classes that the rules cannot tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from tapeline.dice.rolls import Roll

__all__ = ["RollClass", "classes_of_roll", "number_of_classes"]


#: What is read of rolls whose dice are summed.
_SUMS = ("sum", "sum_highest")


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
