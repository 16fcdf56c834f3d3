"""Sight as a system answers it when it is asked outside of any action."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tapeline.engine.bases import base_shape
from tapeline.geometry.plane.legs import Point
from tapeline.geometry.rectangles.clip import HalfPlane
from tapeline.geometry.rectangles.rectangle import Rect, Region, region_of_rect
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid

__all__ = ["Look", "Seen"]


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

    @classmethod
    def past(
        cls,
        body: Body,
        eyes: float,
        solids: Iterable[Solid],
        others: Iterable[tuple[Body, float]],
        words: str,
    ) -> Look:
        """From the middle of a body past all that stands as high as its eyes: of some solids, and
        of other bodies with their tops."""
        blocks = [(o.entry, o.ground.region) for o in solids if o.bottom <= eyes < o.top]
        for other, top in others:
            if other.id != body.id and other.z <= eyes < top:
                shape = base_shape(other)
                region = region_of_rect(shape) if isinstance(shape, Rect) else shape
                blocks.append((other.id, region))
        return cls(body.centre, tuple(blocks), words)
