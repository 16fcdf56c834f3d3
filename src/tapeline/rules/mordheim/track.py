"""The way of a base in three dimensions, as walked: what the ground makes of a path.

`walking` lays a path of legs over the ground and gives a `Track`; the search for routes gives one
too. Clauses read its cost and its hits, procedures carry its parts out in order, sight follows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from tapeline.engine import walked
from tapeline.engine.limits import affords
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.walked import Hit, Place, leg_to
from tapeline.travel.landing import Landing

__all__ = ["Hit", "Hurdle", "Part", "Place", "Stretch", "Track"]

#: Inches: less of a way than this is none.
_SPECK = 1e-9

HurdleKind: TypeAlias = Literal["climb up", "climb down", "jump down", "gap"]


@dataclass(frozen=True, slots=True)
class Stretch(walked.Stretch):
    """A piece of the way on one sort of ground, inches; how is "walk" on ladders and stairs too.

    alone: factor and clause of its own ground, where worse ground slows the whole way.
    """

    what: str = "open ground"
    clause: str = "MH-TER-1"
    alone: tuple[float, str] | None = None

    @property
    def own(self) -> tuple[float, str]:
        """Factor and clause of its own ground."""
        return (self.factor, self.clause) if self.alone is None else self.alone


@dataclass(frozen=True, slots=True)
class Hurdle:
    """A climb, a jump down or a jump over a gap. Inches.

    start, end: where the base stands before and, when it passes, after. rise: height climbed or
    jumped down; of a gap, how far the other side lies lower (0 if at most 1 inch apart). width:
    of a gap. cost: paid when it passes. fall: what comes of a failure; None where the model only
    stays (climbing up). low: of a gap, what comes of failing the jump down on its far side.
    feature: id of what is climbed.
    """

    kind: HurdleKind
    start: Place
    end: Place
    rise: float
    cost: float
    width: float = 0.0
    fall: Landing | None = None
    low: Landing | None = None
    feature: str | None = None

    @property
    def length(self) -> float:
        """Length of the track that it makes up: what it costs."""
        return self.cost


Part: TypeAlias = Stretch | Hurdle

_HOW = {"climb up": "climb", "climb down": "climb", "jump down": "drop", "gap": "jump"}


def _leg(part: Part) -> Leg:
    return leg_to(part.end, _HOW[part.kind]) if isinstance(part, Hurdle) else part.taken


@dataclass(frozen=True)
class Track:
    """A way in parts, each beginning where the one before ended, and what is wrong with it.

    beside: whether it led past anything that could have been in the way (MH-MOVE-5).
    """

    start: Place
    parts: tuple[Part, ...] = ()
    hits: tuple[Hit, ...] = ()
    beside: bool = False

    @property
    def end(self) -> Place:
        """Where it ends if every hurdle is passed."""
        return self.parts[-1].end if self.parts else self.start

    @cached_property
    def length(self) -> float:
        """Length of all parts, inches."""
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
    def legs(self) -> LegPath:
        """The way as legs of an action, one for each part."""
        return tuple(_leg(part) for part in self.parts)

    def spending(self, allowance: float, *, hurdles: bool = False) -> Track:
        """The beginning that takes at most that of the allowance; it ends before the first hurdle
        unless they are taken too.

        Where the worst ground slows the whole way, only what of it is met on that beginning does.
        """
        if any(isinstance(part, Stretch) and part.alone is not None for part in self.parts):
            return self._spending_whole(allowance)
        kept: list[Part] = []
        left = allowance
        for part in self.parts:
            if isinstance(part, Hurdle):
                if not hurdles or not affords(part.cost, left):
                    break
            elif not affords(part.cost, left):
                share = left / part.cost
                if share * part.length > _SPECK:
                    kept.append(part.upto(share))
                break
            kept.append(part)
            left = max(0.0, left - part.cost)
        return Track(self.start, tuple(kept))

    def _spending_whole(self, allowance: float) -> Track:
        kept: list[Stretch] = []
        length, worst = 0.0, (1.0, "MH-TER-1")
        for part in self.parts:
            if isinstance(part, Hurdle):
                break
            own = part.own
            factor = max(worst[0], own[0])
            room = allowance / factor - length
            if part.length > 0.0 and not room > _SPECK:
                break
            worst = max(worst, own, key=lambda of: of[0])
            if not affords(part.length, room):
                kept.append(part.upto(room / part.length))
                break
            kept.append(part)
            length += part.length
        factor, clause = worst
        return Track(
            self.start,
            tuple(
                replace(part, factor=factor, clause=clause if factor > 1.0 else part.own[1])
                for part in kept
            ),
        )

    def upto_length(self, length: float) -> Track:
        """The beginning of that length; a hurdle is taken whole or not at all."""
        kept: list[Part] = []
        gone = 0.0
        for part in self.parts:
            if gone + part.length > length:
                if isinstance(part, Stretch) and length > gone:
                    kept.append(part.upto((length - gone) / part.length))
                break
            kept.append(part)
            gone += part.length
        return Track(self.start, tuple(kept))

    def place_at_length(self, length: float) -> Place:
        """Where that much of its length lies behind, inches; its end if it is shorter."""
        gone = 0.0
        for part in self.parts:
            if gone + part.length >= length:
                if isinstance(part, Hurdle) or part.length <= 0.0:
                    return part.start
                return part.at((length - gone) / part.length)
            gone += part.length
        return self.end

    def place_at_cost(self, cost: float) -> Place:
        """Where that much of the allowance is spent, inches."""
        spent = 0.0
        for part in self.parts:
            if spent + part.cost >= cost:
                if isinstance(part, Hurdle) or part.cost <= 0.0:
                    return part.start
                return part.at((cost - spent) / part.cost)
            spent += part.cost
        return self.end
