"""Ways from one level to another: links, portals, and the gates that they are to a disc."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

__all__ = ["Gate", "Link", "Place", "Portal", "Side"]

#: Level id, x, y in plan.
Place: TypeAlias = tuple[str, float, float]
#: Level id and a segment ax, ay, bx, by in plan.
Side: TypeAlias = tuple[str, float, float, float, float]


class Link(NamedTuple):
    """A way from a point to a point, charged `cost`; `both` ways or one. kind: any word."""

    id: str
    kind: str
    start: Place
    end: Place
    cost: float
    both: bool = True


class Portal(NamedTuple):
    """A way from anywhere on a segment to the same length along another, charged `cost`.

    The segments are as long as each other, in the own planes of their levels.
    """

    id: str
    kind: str
    start: Side
    end: Side
    cost: float = 0.0
    both: bool = True


class Gate(NamedTuple):
    """A link, or a free piece of a portal, in one direction, in the levels' own planes.

    a, b: where it is entered, c, d: the corresponding places where it is left, x + y i. A point has
    a = b. twin: index of the same gate the other way, or -1.
    """

    link: Link | Portal
    start: int
    end: int
    a: complex
    b: complex
    c: complex
    d: complex
    twin: int

    @property
    def length(self) -> float:
        """Length of the piece; 0 for a point."""
        return abs(self.b - self.a)
