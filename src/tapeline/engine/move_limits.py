"""What a body may do in one move, as numbers: the question analysis puts to a rule system.

A system that moves bodies as discs fills in `System.reaching`: for each kind of move a function
that gives the `MoveLimits` of a body. Analysis turns them into reach, routes and pictures and
learns no rule on the way; the referee judges the same move by the same helpers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import LegPath
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.legs import Path
from tapeline.table.solids import Ground

if TYPE_CHECKING:
    from tapeline.geometry.discs.field import Field
    from tapeline.geometry.surfaces.model import Levels
    from tapeline.geometry.surfaces.steps import LevelRoute

__all__ = ["BodyCircle", "MoveLimits", "Slow", "SurfaceLimits", "Toll"]

#: Share of the tolerance that a way found by a search may use; the rest absorbs its rounding.
_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class BodyCircle:
    """A circle about a body that binds the mover's centre; table units.

    about: id of the body. limit: the distance between bases that the rule names, None where it is
    contact. clause: the rule it comes from.
    """

    x: float
    y: float
    radius: float
    about: str
    clause: str
    limit: float | None = None

    @property
    def circle(self) -> tuple[float, float, float]:
        """x, y, radius."""
        return self.x, self.y, self.radius

    def depth(self, x: float, y: float) -> float:
        """How deep a point is inside; negative outside."""
        return self.radius - math.hypot(x - self.x, y - self.y)


@dataclass(frozen=True, slots=True)
class Slow:
    """Ground whose length counts `factor` times for the mover's centre: a ring or a circle.

    It lies within the ground that the rules count; where both are the same, costs are exact.
    """

    piece: str
    factor: float
    clause: str
    ring: tuple[float, ...] | None = None
    circle: tuple[float, float, float] | None = None

    def within(self, x: float, y: float, far: float) -> bool:
        """Whether its box comes as near as that to a point."""
        if self.circle is not None:
            return math.hypot(self.circle[0] - x, self.circle[1] - y) <= self.circle[2] + far
        ring = self.ring or (math.inf, math.inf)
        dx = max(min(ring[0::2]) - x, x - max(ring[0::2]), 0.0)
        dy = max(min(ring[1::2]) - y, y - max(ring[1::2]), 0.0)
        return math.hypot(dx, dy) <= far


@dataclass(frozen=True, slots=True)
class Toll:
    """What the rules take for a path: its cost, and the names of hazards that it enters."""

    cost: float
    hazards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SurfaceLimits:
    """Where a body may go on all storeys in one move, by ways that need no roll.

    levels: surfaces with what is in the way on them, and the ways between them; start: the one it
    stands on. heights: of the surfaces, lowest and highest, by id. keep_out: by surface, circles
    that its centre may not enter. forbid: kinds of ways that it does not take.
    legs: a route as the legs of an action. toll: what the referee takes for legs; infinity for
    those that it refuses. grounds: by surface, ground that costs more, on the plan. partial:
    whether the toll knows more than the search, as of ramps got on from the side, so that ways
    found may be too dear and others missed. dearer: what the search may charge besides the toll.
    """

    levels: Levels
    start: str
    heights: Mapping[str, tuple[float, float]]
    keep_out: Mapping[str, tuple[tuple[float, float, float], ...]]
    forbid: tuple[str, ...]
    legs: Callable[[LevelRoute], LegPath]
    toll: Callable[[LegPath], float]
    grounds: Mapping[str, tuple[Slow, ...]] = field(default_factory=dict)
    partial: bool = False
    dearer: float = 0.0


@dataclass(frozen=True, slots=True)
class MoveLimits:
    """What a body may do in one move of a kind.

    body, kind, start (x, y), radius of its base, allowance: table units. obstacles: what it may
    not run into, without other bodies.
    keep_out: zones its centre may not enter; keep_in: zones it may not leave. no_end: zones it may
    cross but not stop in; crossed: ground that its base may cross but not stop on.
    no_return: zones it stands in and may not enter again once it is out.
    heading: the one direction it may go in, a unit vector, if there is only one.
    slow: ground that costs more. toll: what a path costs by the referee's own measure.
    clauses: the rules all this comes from. findings: why the move may not be made now, if so; what
    it could do if it might is given all the same.
    slack: how deep a path found by a search may be in an obstacle, and by how much it may pass the
    allowance: less than the tolerance of the rules.
    storeys: the same over all storeys, if there are any; the rest is about the one it stands on.
    height: what the last leg of a way says that it ends at, where surfaces lie one above another.
    uneven: whether the toll refuses, or charges for, more than all this tells, as at the edges of
    floors: borders are then marched.
    """

    body: str
    kind: str
    start: tuple[float, float]
    radius: float
    allowance: float
    obstacles: Field
    toll: Callable[[Path], Toll]
    keep_out: tuple[BodyCircle, ...] = ()
    keep_in: tuple[BodyCircle, ...] = ()
    no_end: tuple[BodyCircle, ...] = ()
    crossed: tuple[Ground, ...] = ()
    no_return: tuple[BodyCircle, ...] = ()
    heading: tuple[float, float] | None = None
    slow: tuple[Slow, ...] = ()
    clauses: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=())
    slack: float = _SHARE * TOLERANCE
    storeys: SurfaceLimits | None = None
    height: float | None = None
    uneven: bool = False
