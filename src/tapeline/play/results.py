"""How a match has ended: by a side giving up, by agreement, or by the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tapeline.errors import DocumentError, Fault

__all__ = ["HOWS", "Result", "result_from"]

#: Ways of ending. draw: agreed on; time: the clock of a side ran out.
HOWS = ("resigned", "draw", "time")


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. winner: a side, "" for none. loser: who gave up or had no time left."""

    how: str
    winner: str = ""
    loser: str = ""

    def document(self) -> dict[str, str]:
        """The result as a log holds it."""
        sides = {"winner": self.winner, "loser": self.loser}
        return {"how": self.how} | {name: side for name, side in sides.items() if side}

    def words(self, name: Callable[[str], str] = str) -> str:
        """In a sentence. name: of a side.

        >>> Result("resigned", winner="red", loser="blue").words(str.title)
        'Blue gives up: Red wins.'
        """
        if self.how == "draw":
            return "A draw, as agreed."
        what = "gives up" if self.how == "resigned" else "has no time left"
        wins = f": {name(self.winner)} wins" if self.winner else ""
        return f"{name(self.loser)} {what}{wins}."


def result_from(data: Any) -> Result:
    """A result from its document. Raises DocumentError."""
    if not isinstance(data, dict) or data.get("how") not in HOWS:
        raise DocumentError("result", [Fault("how", f"must be one of {', '.join(HOWS)}")])
    faults = [
        Fault(key, "must be a text" if key in ("winner", "loser") else "is not a known key")
        for key, value in data.items()
        if key != "how" and not (key in ("winner", "loser") and isinstance(value, str))
    ]
    if faults:
        raise DocumentError("result", faults)
    return Result(data["how"], data.get("winner", ""), data.get("loser", ""))
