"""The way of a base in three dimensions: what the ground, or the air, makes of a path.

`walker` and `flight` lay a path of legs and give a `Way`. Clauses read its cost and its hits,
procedures carry its parts out in order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from tapeline.engine import walked
from tapeline.engine.limits import affords
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.walked import Hit, Place, leg_to
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.rules.trench_crusade.track import Measured

__all__ = ["Hit", "Hurdle", "Part", "Place", "Stretch", "Way"]

Point: TypeAlias = tuple[float, float]
HurdleKind: TypeAlias = Literal["climb", "jump", "drop"]


@dataclass(frozen=True, slots=True)
class Stretch(walked.Stretch):
    """A piece of the way on one sort of ground, or through the air, inches.

    danger: the Dangerous piece it is in, by name. Of low obstacles only the plan is `counted`.
    """

    clause: str = "TC-MOVE-4"
    danger: str | None = None

    @property
    def trace(self) -> tuple[tuple[Place, Place], ...]:
        """Straight pieces in space that the centre goes along; of an arc none."""
        return ((self.start, self.end),) if self.arc is None else ()


@dataclass(frozen=True, slots=True)
class Hurdle:
    """A Climb, a Jump over a gap or a Jump Down. Inches.

    start, end: where the base stands before and, when it passes, after. peak: the greatest height
    on the way. cost: what it takes of the allowance. width: of a gap, lip to lip. drop: how far
    down it ends below its start, for a Jump or a Jump Down. lips: of a gap, the near and the far
    edge with the direction that leads off each, for falls. piece: id of what is climbed. danger:
    the Dangerous piece it ends in, by name.
    """

    kind: HurdleKind
    start: Place
    end: Place
    peak: float
    cost: float
    width: float = 0.0
    drop: float = 0.0
    lips: tuple[tuple[Point, Point], ...] = ()
    piece: str | None = None
    danger: str | None = None

    @property
    def length(self) -> float:
        """Length of the way that it makes up: what it costs."""
        return self.cost

    @property
    def clause(self) -> str:
        """The clause that sets its cost."""
        return {"climb": "TC-CLM-1", "jump": "TC-JMP-1", "drop": "TC-JMP-5"}[self.kind]

    @property
    def trace(self) -> tuple[tuple[Place, Place], ...]:
        """Straight pieces in space that the centre goes along: up, across, down."""
        a, b = self.start, self.end
        up, over = Place(a.x, a.y, self.peak), Place(b.x, b.y, self.peak)
        return tuple(pair for pair in ((a, up), (up, over), (over, b)) if pair[0] != pair[1])


Part: TypeAlias = Stretch | Hurdle


def _leg(part: Part) -> Leg:
    return leg_to(part.end, part.kind) if isinstance(part, Hurdle) else part.taken


@dataclass(frozen=True)
class Way:
    """A way in parts, each beginning where the one before ended, and what is wrong with it."""

    origin: Place
    parts: tuple[Part, ...] = ()
    hits: tuple[Hit, ...] = ()

    @property
    def goal(self) -> Place:
        """Where it ends if every hurdle is passed."""
        return self.parts[-1].end if self.parts else self.origin

    @property
    def start(self) -> Point:
        """Where it begins on the plan."""
        return self.origin.x, self.origin.y

    @property
    def end(self) -> Point:
        """Where it ends on the plan."""
        return self.goal.x, self.goal.y

    @cached_property
    def length(self) -> float:
        """Length of all parts, Difficult ground counted once, inches."""
        return sum(part.length for part in self.parts)

    @cached_property
    def cost(self) -> float:
        """What the whole way takes of the allowance, inches."""
        return sum(part.cost for part in self.parts)

    @property
    def hurdles(self) -> tuple[Hurdle, ...]:
        """Its climbs and jumps, in order."""
        return tuple(part for part in self.parts if isinstance(part, Hurdle))

    @property
    def path(self) -> LegPath:
        """The way as legs of an action, one for each part."""
        return tuple(_leg(part) for part in self.parts)

    def with_lengths(self) -> Iterator[tuple[float, Part]]:
        """Each part with the length before it."""
        gone = 0.0
        for part in self.parts:
            yield gone, part
            gone += part.length

    def place(self, s: float) -> Place:
        """Where that much of its length lies behind; before a hurdle until it is behind."""
        for before, part in self.with_lengths():
            if before + part.length > s:
                if isinstance(part, Hurdle) or part.length <= 0.0:
                    return part.start
                return part.at((s - before) / part.length)
        return self.goal

    def at(self, s: float) -> Point:
        """The same on the plan."""
        x, y, _ = self.place(s)
        return x, y

    def upto(self, s: float) -> Way:
        """The beginning of that length; a hurdle is taken whole or not at all."""
        kept: list[Part] = []
        for before, part in self.with_lengths():
            if before + part.length <= s:
                kept.append(part)
                continue
            if isinstance(part, Stretch) and s > before:
                kept.append(part.upto((s - before) / part.length))
            break
        return Way(self.origin, tuple(kept))

    def cut(self, s: float) -> LegPath:
        """The legs of the first s inches."""
        return self.upto(s).path

    def spending(self, allowance: float) -> Way:
        """The beginning that takes at most that of the allowance."""
        kept: list[Part] = []
        left = allowance
        for part in self.parts:
            if not affords(part.cost, left):
                if isinstance(part, Stretch) and left > 0.0:
                    kept.append(part.upto(left / part.cost))
                break
            kept.append(part)
            left = max(0.0, left - part.cost)
        return Way(self.origin, tuple(kept))

    def nearest(self, p: Point) -> Measured:
        """Where it comes nearest to a point on the plan; the first such place."""
        best = Measured(math.dist(self.start, p), 0.0, self.start)
        for before, part in self.with_lengths():
            if isinstance(part, Hurdle):
                end = (part.end.x, part.end.y)
                d, s, at = math.dist(end, p), before + part.length, end
            else:
                near, leg = nearest_to_point(part.leg, *p), part.leg
                share = near.travelled / leg.length if leg.length else 0.0
                d, s, at = near.distance, before + share * part.length, near.at
            if d < best.distance:
                best = Measured(d, s, at)
        return best
