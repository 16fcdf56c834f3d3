"""A roll that the rules ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

__all__ = ["MOST_DICE", "MOST_SIDES", "Roll", "check_faces"]

#: More than any rule asks for, and little enough to be thrown at once.
MOST_DICE, MOST_SIDES = 10_000, 1_000


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
