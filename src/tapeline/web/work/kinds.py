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
    **dict.fromkeys(
        ("sides", "show", "acting", "controls", "opening", "try", "try answer", "demo try",
         "sight", "view", "flush", "at"),
        Kind(5.0, quick=True),
    ),
    "reach": Kind(8.0, quick=True),
    "tape": Kind(2.0, quick=True),
    # Deeds.
    **dict.fromkeys(("act", "answer", "draw"), Kind(8.0, quick=True)),
    **dict.fromkeys(("undo", "override", "end", "carry out"), Kind(5.0, quick=True)),
    "may hint": Kind(2.0, quick=True),
    # What may take long.
    **dict.fromkeys(("think", "hints"), Kind(30.0)),
    "program": Kind(30.0, waits=True),
    **dict.fromkeys(
        ("odds", "threat", "picture", "log", "copy", "rematch", "begin", "systems", "system",
         "clause", "examples", "demo"),
        Kind(10.0),
    ),
    **dict.fromkeys(("route", "again"), Kind(8.0)),
    **dict.fromkeys(("scene", "case", "check", "roster", "example"), Kind(5.0)),
    "solution": Kind(2.0),
}  # fmt: skip


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
