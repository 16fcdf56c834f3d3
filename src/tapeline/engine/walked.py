"""What a way in three dimensions is made of, as walked: places, stretches, and what is in the way.

Systems with storeys lay a path over their ground and get parts: stretches on one sort of ground,
which are the same for all, and hurdles of their own. Lengths in table units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from tapeline.engine.paths import Leg
from tapeline.geometry.plane.legs import Arc, Line

__all__ = ["Hit", "Place", "Stretch", "leg_to", "note"]


class Place(NamedTuple):
    """Centre of a base and the height of what it stands on."""

    x: float
    y: float
    z: float


class Hit(NamedTuple):
    """What a base may not do on its way: the clause broken, by how much, where.

    travelled: length of the way before.
    """

    clause: str
    text: str
    place: Place
    travelled: float
    about: str | None = None
    measured: float | None = None
    limit: float | None = None


def note(hits: list[Hit], hit: Hit) -> None:
    """Note a hit; of one clause and thing the one that comes first on the way is kept.

    A thing may be several solids, which are met in another order than they are looked at.
    """
    for index, known in enumerate(hits):
        if (known.clause, known.about) == (hit.clause, hit.about):
            if hit.travelled < known.travelled:
                hits[index] = hit
            return
    hits.append(hit)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of the way of the centre, on one sort of ground: straight, or an arc.

    factor: of cost to length. what: the ground in words. clause: what sets the factor. how: the
    manner of its leg. piece: id of the ground or link. arc: of an arc, its centre on the plan and
    the signed angle, radians; it lies level. counted: its length where that is not the way in
    space: the height of a ladder, 0 for a step.
    """

    start: Place
    end: Place
    factor: float = 1.0
    what: str = ""
    clause: str = ""
    how: str = "walk"
    piece: str | None = None
    arc: tuple[float, float, float] | None = None
    counted: float | None = None

    @property
    def length(self) -> float:
        """Length in space, or as counted."""
        if self.counted is not None:
            return self.counted
        if self.arc is not None:
            return self.leg.length
        return math.dist(self.start, self.end)

    @property
    def leg(self) -> Line | Arc:
        """The same piece on the plan."""
        if self.arc is None:
            return Line(self.start.x, self.start.y, self.end.x, self.end.y)
        cx, cy, sweep = self.arc
        dx, dy = self.start.x - cx, self.start.y - cy
        return Arc(cx, cy, math.hypot(dx, dy), math.atan2(dy, dx), sweep)

    @property
    def cost(self) -> float:
        """What it takes of the allowance."""
        return self.length * self.factor

    @property
    def taken(self) -> Leg:
        """The same piece as a leg of an action."""
        if self.arc is not None:
            cx, cy, sweep = self.arc
            return Leg(centre=(cx, cy), by=math.degrees(sweep))
        return leg_to(self.end, self.how)

    def at(self, t: float) -> Place:
        """The place at a share of its length."""
        a, b = self.start, self.end
        if self.arc is not None:
            leg = self.leg
            return Place(*leg.at(t * leg.length), a.z)
        return Place(*(p + t * (q - p) for p, q in zip(a, b, strict=True)))

    def upto(self, t: float) -> Self:
        """Its beginning, a share of its length."""
        if t >= 1.0:
            return self
        arc = None if self.arc is None else (*self.arc[:2], self.arc[2] * t)
        counted = None if self.counted is None else self.counted * t
        return replace(self, end=self.at(t), arc=arc, counted=counted)


def leg_to(end: Place, how: str) -> Leg:
    """A straight leg of an action that ends at a place, gone in some manner."""
    return Leg(to=(end.x, end.y), z=end.z, how=how)
