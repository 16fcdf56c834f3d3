"""Sight as a system answers it when it is asked outside of any action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tapeline.geometry.rectangles.clip import HalfPlane
from tapeline.geometry.rectangles.rectangle import Region

__all__ = ["Look", "Seen"]

#: x, y, table units.
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Seen:
    """Whether one body, or its unit, sees another.

    sees: None where the rules leave it to the players. words: one sentence. clause: the rule of
    sight. lines: free lines found, from, to. blocks: ids of bodies and terrain that are in the way
    where it does not see, as far as they are known. cover: a sentence where the one seen has cover
    from the other; "" where it has none or the rules of movement know none.
    """

    sees: bool | None
    words: str
    clause: str
    lines: tuple[tuple[Point, Point], ...] = ()
    blocks: tuple[str, ...] = ()
    cover: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """How a body looks over the table, on the plan.

    eye: where its sight is drawn from. blocks: ids and outlines of what is not seen past. before:
    half-planes that what it sees lies in. words: what such a region shows and what it does not.
    """

    eye: Point
    blocks: tuple[tuple[str, Region], ...]
    words: str
    before: tuple[HalfPlane, ...] = ()
