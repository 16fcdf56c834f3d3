"""What the rules read from dice, as people say it: one word, and a sentence of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tapeline.dice.rolls import Roll
from tapeline.wording import listed

__all__ = ["Band", "Reading", "passes", "said_reading"]

#: How a purpose names the most that passes: "Leadership test, 7 or less".
_OR_LESS = re.compile(r"\b(\d+) or less\b")


@dataclass(frozen=True, slots=True)
class Band:
    """A result: totals from `least` to `most`, None without end.

    word: what it is called, in one or two words. says: the same of whom the roll is about, as
    "misses" or "is out of action". good: whether that is what the roll is for; None for neither.
    """

    word: str
    says: str
    least: int | None = None
    most: int | None = None
    good: bool | None = None

    def holds(self, total: int) -> bool:
        """Whether a total lies in it."""
        above = self.least is None or total >= self.least
        return above and (self.most is None or total <= self.most)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a roll is read: by the result that its total lies in, or by how many dice succeed.

    bands: the results. plus: what the rules add to the dice. highest: whether the highest die
    alone counts, not the sum of those kept. each: what the dice that show the target do, as "hit"
    and "hits": the verb of several, and their name in one word.
    """

    bands: tuple[Band, ...] = ()
    plus: int = 0
    highest: bool = False
    each: tuple[str, str] | None = None

    def needs(self, roll: Roll) -> str:
        """What must be thrown, as "7 or more"; nothing where no result is the good one."""
        if roll.target is not None:
            return f"{roll.target} or more"
        good = [band for band in self.bands if band.good]
        if not good:
            return ""
        low = [band.least for band in good if band.least is not None]
        if len(low) == len(good):
            return f"{min(low) - self.plus} or more"
        return f"{max(band.most or 0 for band in good) - self.plus} or less"

    def total(self, roll: Roll, faces: Sequence[int]) -> int:
        """What the rules read: successes, the highest die or the sum, with what they add."""
        if roll.target is not None:
            return roll.successes(faces)
        return (max(faces, default=0) if self.highest else roll.total(faces)) + self.plus

    def result(self, roll: Roll, faces: Sequence[int]) -> Band | None:
        """The result of faces; None where the rules read a number."""
        total = self.total(roll, faces)
        return next((band for band in self.bands if band.holds(total)), None)

    def word(self, roll: Roll, faces: Sequence[int]) -> str:
        """The result in a word: "Passed", "4 hits"."""
        band = self.result(roll, faces)
        if band is not None:
            return band.word
        number = self.total(roll, faces)
        if self.each is None:
            return ""
        name = self.each[1]
        return f"{number or 'No'} {name.removesuffix('s') if number == 1 else name}"

    def sentence(self, name: str, roll: Roll, faces: Sequence[int]) -> str:
        """The result in a sentence about whom it is about: "Dunnock misses: 4 and 2 make 6, needs
        7 or more"; nothing where the rules read a number."""
        band = self.result(roll, faces)
        needs = self.needs(roll)
        if band is None:
            if self.each is None:
                return ""
            return f"{name}: {roll.successes(faces)} of {len(faces)} {self.each[0]}, needs {needs}"
        return f"{name} {band.says}: {self._sum(roll, faces)}" + (
            f", needs {needs}" if needs else ""
        )

    def _sum(self, roll: Roll, faces: Sequence[int]) -> str:
        kept = roll.kept(faces)
        words = listed([str(face) for face in kept])
        if self.plus:
            words += f", {'plus' if self.plus > 0 else 'less'} {abs(self.plus)}"
        added = not self.highest and (len(kept) > 1 or self.plus)
        left_out = len(faces) - len(kept)
        beside = f" ({left_out} left out)" if left_out else ""
        return f"{words}{beside} make {self.total(roll, faces)}" if added else words + beside


def passes(most: int, passed: str, failed: str) -> Reading:
    """A test that is passed at or below a number, with the verbs of both results."""
    return Reading(
        (Band("Passed", passed, most=most, good=True), Band("Failed", failed, most + 1, good=False))
    )


def said_reading(roll: Roll, passed: str = "passes", failed: str = "fails") -> Reading | None:
    """A reading of what the purpose says itself: "7 or less"; None if it names no limit.

    >>> roll = Roll(2, "Ash is stupid: Leadership test, 7 or less", "X", "red", reads="sum")
    >>> said_reading(roll).sentence("Ash", roll, (6, 5))
    'Ash fails: 6 and 5 make 11, needs 7 or less'
    """
    found = _OR_LESS.search(roll.purpose)
    return passes(int(found[1]), passed, failed) if found else None
