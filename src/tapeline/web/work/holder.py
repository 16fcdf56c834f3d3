"""Whoever asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Holder"]


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
