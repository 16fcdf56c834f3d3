"""What the clauses of Mordheim are given: the state, what is judged, and lazy measures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal, TypeVar

from tapeline.engine import context
from tapeline.engine.clauses import Moment
from tapeline.engine.limits import affords
from tapeline.engine.paths import LegPath, Place
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Crawl, Hide, Move
from tapeline.rules.mordheim.figures import BOOK
from tapeline.rules.mordheim.state import DECLARING, RECOVERY, REMAINING, allowance, step
from tapeline.rules.mordheim.walker import hits_at, walk
from tapeline.table.bodies import Body
from tapeline.travel.route import Crossing, Route

__all__ = ["Context", "findings_of", "is_legal"]

SubjectT = TypeVar("SubjectT")


class Context(context.Context[SubjectT]):
    """One subject of the clauses in one state.

    mover: the model that acts. track: the way of a move to be judged, empty where there is none or
    where it may not be measured yet.
    """

    @property
    def path(self) -> LegPath:
        """The path of a move or crawl; empty for anything else."""
        return self.subject.path if isinstance(self.subject, Move | Crawl) else ()

    @property
    def turned(self) -> Body:
        """The mover as it faces once it has turned as its path says; pivoting is free (3.2)."""
        turn = sum(leg.by or 0.0 for leg in self.path if leg.is_turn)
        mover = self.mover
        return mover.at(mover.x, mover.y, facing=mover.facing + turn) if turn else mover

    @property
    def manner(self) -> Literal["move", "run", "crawl"]:
        """How the mover goes along the path."""
        if isinstance(self.subject, Crawl):
            return "crawl"
        return "run" if isinstance(self.subject, Move) and self.subject.run else "move"

    @cached_property
    def allowance(self) -> float:
        """What the mover may spend on the path, inches (3.2)."""
        return allowance(self.mover, run=self.manner == "run")

    @property
    def may_be_measured(self) -> bool:
        """Whether a path may be laid on the table now: in the remaining moves, by its owner."""
        mine = self.mover.side == self.state.turn.active
        return mine and step(self.state) == REMAINING

    @property
    def declarations_closed(self) -> bool:
        """Whether distances to enemies may be told: not from recovery until declarations close."""
        return self.state.turn.phase != RECOVERY and step(self.state) != DECLARING

    @cached_property
    def track(self) -> Route:
        """The way of the path over the ground."""
        if not self.may_be_measured or not isinstance(self.subject, Move | Crawl | Hide):
            return Route(Place(self.mover.x, self.mover.y, self.mover.z))
        return self.once(("track", self.mover, self.path, self.manner), self._walked)

    def _walked(self) -> Route:
        turned = self.turned
        track = walk(self.state, turned, self.path, manner=self.manner)
        if turned is self.mover or track.parts or track.hits:
            return track
        where = hits_at(self.state, turned, track.start)
        return Route(track.start, (), where)

    @cached_property
    def bound(self) -> Route:
        """The way as far as it is certain: up to the first gap that is wider than what is left of
        the allowance, where the mover falls (MH-GAP-4)."""
        spent = 0.0
        for index, part in enumerate(self.track.parts):
            wide = isinstance(part, Crossing) and part.kind == "gap"
            if wide and not affords(spent + part.cost, self.allowance):
                hits = tuple(hit for hit in self.track.hits if hit.travelled <= spent)
                return Route(self.track.start, self.track.parts[:index], hits)
            spent += part.cost
        return self.track

    @property
    def far(self) -> float:
        """How far the way could have led, inches: its length, or what the mover may spend where
        that would tell how wide a gap is (MH-GAP-3)."""
        return self.allowance if self.over_a_gap else self.bound.length

    @property
    def over_a_gap(self) -> bool:
        """Whether the way leads over a gap, so that its length would tell how wide that is."""
        return any(isinstance(p, Crossing) and p.kind == "gap" for p in self.bound.parts)

    def too_long_over_it(self) -> Finding:
        """The finding for a way over a gap that is too long, without a figure that tells how wide
        the gap is (MH-GAP-3)."""
        name = self.mover.name
        text = f"The path over the gap is longer than {name} may go, {self.allowance:g} in."
        return Finding(text, None, self.allowance, about=self.mover.id)

    def told(self, travelled: float) -> float | None:
        """A length of the way as far as it may be told: not beyond a gap (MH-GAP-3)."""
        for gone, part in self.bound.marked:
            if isinstance(part, Crossing) and part.kind == "gap":
                return travelled if affords(travelled, gone) else None
        return travelled

    def hits(self, clause: str) -> Iterator[Finding]:
        """What breaks a clause along the way, as findings."""
        for hit in self.bound.hits:
            if hit.clause == clause:
                yield Finding(
                    hit.text,
                    hit.measured,
                    hit.limit,
                    hit.place.xy,
                    hit.about,
                    self.told(hit.travelled),
                )


def findings_of(
    state: State, subject: Any, at: frozenset[Moment] | None = None
) -> tuple[Finding, ...]:
    """What all clauses, or those that look then, have against an action or a part of one."""
    return tuple(BOOK.check(type(subject), Context(state, subject, None), at)[0])


def is_legal(state: State, subject: Any) -> bool:
    """Whether no clause bars an action or a part of one."""
    return BOOK.allows(type(subject), Context(state, subject, None))
