"""What the clauses of Mordheim are given: the state, what is judged, and lazy measures."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from tapeline.engine import context
from tapeline.engine.clauses import DECLARED, Moment
from tapeline.engine.limits import TOLERANCE, affords, more_than, within
from tapeline.engine.paths import Leg, LegPath, Place, Point
from tapeline.engine.prefix import beginning, end_of, longest_prefix
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.sweeps import nearest_to_point
from tapeline.rules.mordheim.actions import Crawl, Move
from tapeline.rules.mordheim.figures import BOOK
from tapeline.rules.mordheim.state import DECLARING, RECOVERY, REMAINING, allowance, step
from tapeline.rules.mordheim.walker import clear_beginning, hits_at, walk
from tapeline.table.bodies import Body
from tapeline.travel.route import Crossing, Hit, Route

__all__ = ["Context", "findings_of", "is_legal", "longest_beginning"]

SubjectT = TypeVar("SubjectT")

#: What is met no more than so much before the end of a path may be met only there, inches.
_AT_END_IN = 1e-7
#: How much farther than what halving found another beginning must lead, inches.
_MORE_IN = 1e-5


class Context(context.Context[SubjectT]):
    """One subject of the clauses in one state.

    mover: the model that acts. track: the way of a move to be judged, empty where there is none or
    where it may not be measured yet. left: what the mover may spend on the path, if that is not
    all it may in a turn.
    """

    def __init__(
        self, state: State, subject: SubjectT, run: Run | None, left: float | None = None
    ) -> None:
        super().__init__(state, subject, run)
        self.left = left

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
        return allowance(self.mover, run=self.manner == "run") if self.left is None else self.left

    @property
    def may_be_measured(self) -> bool:
        """Whether a path may be laid on the table now: in the remaining moves, by its owner."""
        mine = self.mover.side == self.state.turn.active
        return mine and step(self.state) == REMAINING

    @property
    def declarations_closed(self) -> bool:
        """Whether distances to enemies may be told: not from recovery until declarations close."""
        return self.state.turn.phase != RECOVERY and step(self.state) != DECLARING

    def may_be_told(self, phase: str) -> bool:
        """Whether a finding may depend on how far an enemy is: before declarations close only what
        is done, in the phase it belongs to, shows it (MH-CHG-2)."""
        in_place = not self.tried and self.state.turn.phase == phase
        return in_place or self.declarations_closed

    @cached_property
    def track(self) -> Route:
        """The way of the path over the ground."""
        if not self.path or not self.may_be_measured:
            return Route(Place(self.mover.x, self.mover.y, self.mover.z))
        return self.once(("track", self.mover, self.path), self._walked)

    def _walked(self) -> Route:
        turned = self.turned
        track = walk(self.state, turned, self.path)
        if turned is self.mover or track.parts or track.hits:
            return track
        where = hits_at(self.state, turned, track.start)
        return Route(track.start, (), where)

    @cached_property
    def gap(self) -> Crossing | None:
        """The first gap that the way leads over."""
        return next((hurdle for hurdle in self.track.crossings if hurdle.kind == "gap"), None)

    @cached_property
    def bound(self) -> Route:
        """The way as far as it is judged beforehand: up to the first gap, since what follows would
        tell how wide that is (MH-GAP-3). What is met where a jump ends is told at the take-off."""
        for index, (gone, part) in enumerate(self.track.marked):
            if part is self.gap:
                hits = [hit for hit in self.track.hits if hit.travelled <= gone]
                if self.ends_as_it_lands:
                    met = {(hit.clause, hit.about) for hit in hits}
                    hits += [
                        Hit(hit.clause, hit.text, part.start, gone, hit.about)
                        for hit in self.track.hits
                        if hit.travelled > gone and (hit.clause, hit.about) not in met
                    ]
                return Route(self.track.start, self.track.parts[:index], tuple(hits))
        return self.track

    @property
    def ends_as_it_lands(self) -> bool:
        """Whether the way ends where its first gap is landed beyond."""
        return self.gap is not None and self.track.parts[-1] is self.gap


def findings_of(
    state: State, subject: Any, at: frozenset[Moment] | None = None, left: float | None = None
) -> tuple[Finding, ...]:
    """What all clauses, or those that look then, have against an action or a part of one.

    left: as of `Context`.
    """
    return tuple(BOOK.check(type(subject), Context(state, subject, None, left), at)[0])


def is_legal(state: State, subject: Any) -> bool:
    """Whether no clause bars an action or a part of one."""
    return BOOK.allows(type(subject), Context(state, subject, None))


def longest_beginning(
    state: State,
    action: Move | Crawl,
    at: frozenset[Moment] | None = None,
    left: float | None = None,
) -> LegPath | None:
    """The longest legal beginning of a path; None if even staying is not allowed.

    at: the clauses that are asked; left: as of `Context`.
    """
    tried = _Beginnings(state, action, at, left)
    declared = DECLARED if at is None else DECLARED & at
    first = BOOK.check(type(action), tried.asked(action.path[:1]), declared)[0]
    if any(finding.travelled is None for finding in first):  # it may not even begin
        return () if tried.legal(()) else None
    asking = tried.legal, tried.bites, _parted, tried.lasting, tried.bars
    found = longest_prefix(tried.start, action.path, *asking)
    if found is not None and found != action.path:
        found = tried.farther(tried.as_it_goes(found))
    if found is None or found == action.path or found != action.path[: len(found)]:
        return found
    onward = action.path[len(found)]
    if onward.how != "walk":
        place = tried.foot(found, onward)
        if math.dist(place, end_of(tried.start, found)[:2]) <= TOLERANCE:
            return found
        walked = replace(action, path=(*found, Leg(to=place)))
        return longest_beginning(state, walked, at, left) or found
    if onward.z is None or onward.to != end_of(tried.start, found)[:2]:
        return found
    return tried.along_ladder(found, onward)


class _Beginnings:
    """Beginnings of a path, each judged once. `last` is the one that was asked about last, `barred`
    the least length of one that was refused for what bars all that go farther too."""

    def __init__(
        self,
        state: State,
        action: Move | Crawl,
        at: frozenset[Moment] | None,
        left: float | None,
    ) -> None:
        self.state, self.action, self.at, self.left = state, action, at, left
        body = state.body(action.actor)
        self.start = (body.x, body.y, body.z)
        self._asked: dict[LegPath, Context[Move | Crawl]] = {}
        self._allowed: dict[LegPath, bool] = {}
        self._marks: dict[LegPath, list[float]] = {}
        self.last, self.barred = self.asked(()), math.inf

    def asked(self, path: LegPath) -> Context[Move | Crawl]:
        """What the clauses look at."""
        if path not in self._asked:
            action = replace(self.action, path=path)
            self._asked[path] = Context(self.state, action, None, self.left)
        return self._asked[path]

    def legal(self, path: LegPath) -> bool:
        """Whether no clause bars it."""
        path = self.as_it_goes(path)
        self.last = self.asked(path)
        if path not in self._allowed:
            self._allowed[path] = BOOK.allows(type(self.action), self.last, self.at)
        return self._allowed[path]

    def marks(self) -> list[float]:
        """Lengths of the last one at which something bars it."""
        path = self.last.path
        if path not in self._marks:
            found = BOOK.check(type(self.action), self.last, self.at)[0]
            self._marks[path] = [it.travelled for it in found if it.travelled is not None]
        return self._marks[path]

    def as_it_goes(self, path: LegPath) -> LegPath:
        """A leg gone in part ends at the height that the whole leg has there."""
        whole = self.action.path[: len(path)]
        if path == whole or path[-1].to is None or path[-1].z is None:
            return path
        if path[-1].to == end_of(self.start, path[:-1])[:2]:
            return path  # up or down a ladder
        z = _height_at(self.asked(whole).track, path[-1].to)
        return path if z is None else (*path[:-1], replace(path[-1], z=z))

    def bites(self, refused: LegPath, length: float) -> list[float]:
        """Shares of its last leg at which something bars it; length: of that leg."""
        self._ask(refused)
        before = self.last.track.length - length
        return [(mark - before) / length for mark in self.marks()]

    def bars(self, refused: LegPath, length: float) -> list[float]:
        """The same where it goes aslant, or nothing carries it to its end."""
        self._ask(refused)
        track = self.last.track
        return [self._share(refused, track.place(mark).xy) for mark in self.marks()]

    def _share(self, path: LegPath, place: Point) -> float:
        """Of the last leg of a path, what it takes to a place."""
        shape = path[-1].shape(*end_of(self.start, path[:-1])[:2])
        if shape is None or shape.length <= 0.0:
            return 1.0
        return nearest_to_point(shape, *place).travelled / shape.length

    def _ask(self, path: LegPath) -> None:
        if self.last.path != path:
            self.legal(path)

    def lasting(self) -> bool:
        """Whether the last one meets something before its end, costs too much, or may not be
        begun."""
        last, track = self.last, self.last.track
        dear = not affords(last.bound.cost, last.allowance)
        cut_short = math.dist(track.end.xy, end_of(self.start, last.path)[:2]) > TOLERANCE
        lasts = dear or cut_short or any(it < track.length - _AT_END_IN for it in self.marks())
        self.barred = min(self.barred, track.length) if lasts else self.barred
        return lasts

    def farther(self, kept: LegPath) -> LegPath:
        """As far as the base stands clear again before what bars all that goes farther, if a
        beginning only ends where it does not."""
        reached, legs = self.asked(kept).track.length, self.action.path
        if self.barred <= reached + _MORE_IN:
            return kept
        self.legal(legs)
        whole, met = self.last, self.marks()
        most = min([whole.bound.spending(whole.allowance, crossings=True).length, *met])
        for far in (most, most - 2.0 * TOLERANCE):
            clear = clear_beginning(self.state, whole.turned, whole.bound.upto(far))
            if clear.length <= reached + _MORE_IN:
                break
            ends = (self.asked(legs[: k + 1]).track.length for k in range(len(legs)))
            done = next(k for k, end in enumerate(ends) if not more_than(clear.length, end))
            path, leg = legs[:done], legs[done]
            if _parted(path, leg):
                share = self._share((*path, leg), clear.end.xy)
                path = beginning(self.start, legs, done + share)
            if self.legal(path):
                return self.as_it_goes(path)
        return kept

    def foot(self, kept: LegPath, onward: Leg) -> Point:
        """Where a leg that climbs or jumps after those kept leaves the ground that is walked."""
        way = self.asked((*kept, onward)).track
        ahead = way.crossings[len(self.asked(kept).track.crossings) :]
        return (ahead[0].start if ahead else way.end).xy

    def along_ladder(self, kept: LegPath, onward: Leg) -> LegPath:
        """Up or down a ladder as far as the allowance goes and nobody is met."""
        self.legal((*kept, onward))
        track, allowance = self.last.track, self.last.allowance
        far = min([track.spending(allowance).length, *self.marks()])
        for length in (far, far - 2.0 * TOLERANCE):
            up = (*kept, replace(onward, z=track.place(length).z))
            if length > 0.0 and self.legal(up):
                return up
        return kept


def _height_at(track: Route, place: Point) -> float | None:
    """The height of a way where it last comes over a place; None if it does not."""
    for _, part in reversed(track.stretches):
        near = nearest_to_point(part.leg, *place)
        if within(near.distance, 0.0):
            return part.at(near.travelled / part.leg.length if part.leg.length > 0.0 else 1.0).z
    return None


def _parted(kept: LegPath, leg: Leg) -> bool:
    """Whether a leg may be gone in part."""
    return leg.how == "walk" and (leg.to is not None or leg.centre is not None)
