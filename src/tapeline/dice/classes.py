"""Exact odds of one roll: its results grouped into classes that the rules cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from tapeline.dice.rolls import Roll

__all__ = ["RollClass", "classes_of_roll", "number_of_classes"]


@dataclass(frozen=True, slots=True)
class RollClass:
    """Results alike for the rules: one of them, and the exact chance of any of them."""

    faces: tuple[int, ...]
    chance: Fraction


def number_of_classes(roll: Roll) -> int:
    """How many classes the roll has at most; cheap, for deciding whether to enumerate."""
    if roll.reads == "successes":
        return roll.count + 1
    if roll.reads == "sum":
        kept = abs(roll.keep) or roll.count
        return kept * (roll.sides - 1) + 1
    return int(roll.sides**roll.count)


def _multisets(count: int, sides: int) -> Iterator[tuple[tuple[int, ...], int]]:
    for faces in combinations_with_replacement(range(1, sides + 1), count):
        runs = [faces.count(face) for face in set(faces)]
        yield faces, factorial(count) // prod(factorial(run) for run in runs)


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
    if roll.reads == "sum":
        weights: dict[int, int] = {}
        example: dict[int, tuple[int, ...]] = {}
        for faces, ways in _multisets(n, sides):
            total = roll.total(faces)
            weights[total] = weights.get(total, 0) + ways
            example.setdefault(total, faces)
        return tuple(
            RollClass(example[total], Fraction(weights[total], whole)) for total in sorted(weights)
        )
    every: list[tuple[int, ...]] = [()]
    for _ in range(n):
        every = [(*faces, face) for faces in every for face in range(1, sides + 1)]
    return tuple(RollClass(faces, Fraction(1, whole)) for faces in every)
