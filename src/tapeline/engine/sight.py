"""Sight as a system answers it when it is asked outside of any action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Seen"]

#: x, y, table units.
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Seen:
    """Whether one body, or its unit, sees another.

    sees: None where the rules leave it to the players. words: one sentence. clause: the rule of
    sight. lines: free lines found, from, to. blocks: ids of bodies and terrain that are in the way
    where it does not see, as far as they are known.
    """

    sees: bool | None
    words: str
    clause: str
    lines: tuple[tuple[Point, Point], ...] = ()
    blocks: tuple[str, ...] = ()
