"""What a worker can be asked, by whom, and how much of a processor an answer may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = ["KINDS", "Holder", "Kind"]


class Kind(NamedTuple):
    """seconds: of a processor, for one answer. quick: asked while somebody drags or waits for the
    page; tried first among the quick ones, where it may take no more than they do. waits: for a
    program of somebody else's; answered by workers of its own, so that nobody waits behind it."""

    seconds: float
    quick: bool = False
    waits: bool = False


#: By name, as in `questions.ABOUT_A_MATCH` and `questions.OF_ITSELF`.
KINDS: dict[str, Kind] = {
    # A stretch of a log that a worker does not know yet.
    "follow": Kind(10.0, quick=True),
    "ready": Kind(3.0, quick=True),
    # The page and what follows its pointer.
    "sides": Kind(5.0, quick=True),
    "show": Kind(5.0, quick=True),
    "acting": Kind(5.0, quick=True),
    "controls": Kind(5.0, quick=True),
    "opening": Kind(5.0, quick=True),
    "try": Kind(5.0, quick=True),
    "try answer": Kind(5.0, quick=True),
    "demo try": Kind(5.0, quick=True),
    "reach": Kind(8.0, quick=True),
    "tape": Kind(2.0, quick=True),
    "sight": Kind(5.0, quick=True),
    "view": Kind(5.0, quick=True),
    "flush": Kind(5.0, quick=True),
    "at": Kind(5.0, quick=True),
    # Deeds.
    "act": Kind(8.0, quick=True),
    "answer": Kind(8.0, quick=True),
    "draw": Kind(8.0, quick=True),
    "undo": Kind(5.0, quick=True),
    "may hint": Kind(2.0, quick=True),
    "override": Kind(5.0, quick=True),
    "end": Kind(5.0, quick=True),
    "carry out": Kind(5.0, quick=True),
    # What may take long.
    "think": Kind(30.0),
    "hints": Kind(30.0),
    "program": Kind(30.0, waits=True),
    "route": Kind(8.0),
    "odds": Kind(10.0),
    "threat": Kind(10.0),
    "again": Kind(8.0),
    "solution": Kind(2.0),
    "scene": Kind(5.0),
    "case": Kind(5.0),
    "picture": Kind(10.0),
    "log": Kind(10.0),
    "copy": Kind(10.0),
    "rematch": Kind(10.0),
    "begin": Kind(10.0),
    "check": Kind(5.0),
    "systems": Kind(10.0),
    "system": Kind(10.0),
    "clause": Kind(10.0),
    "roster": Kind(5.0),
    "examples": Kind(10.0),
    "example": Kind(5.0),
    "demo": Kind(10.0),
}


@dataclass(frozen=True, slots=True)
class Holder:
    """The role of a link, the sides it moves, a key that is no secret, and who uses it whence."""

    role: str
    sides: tuple[str, ...]
    key: str = ""
    address: str = ""

    def said(self) -> dict[str, Any]:
        """What a question says of the holder."""
        return {"role": self.role, "sides": list(self.sides)}

    @classmethod
    def of(cls, said: dict[str, Any]) -> Holder:
        """The holder of whom a question speaks."""
        return cls(said["role"], tuple(said["sides"]))
