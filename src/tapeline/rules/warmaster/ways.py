"""A clear way for one stand from where it is to a pose, round what stands in between.

The search knows obstacles only; what it finds is measured and looked at for narrow gaps like a way
that a player gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tapeline.engine.limits import TOLERANCE, affords, within
from tapeline.engine.paths import Leg, LegPath
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.corner_paths import Leg as Motion
from tapeline.geometry.rectangles.corner_paths import (
    SlideLeg,
    TurnLeg,
    after,
    travel_between,
    travel_of,
)
from tapeline.geometry.rectangles.gaps import narrow_zone
from tapeline.geometry.rectangles.motion_plan import FreeSpace, leg_is_clear, plan_stand
from tapeline.geometry.rectangles.rectangle import Part, Rect, Region, region_of_rect
from tapeline.rules.warmaster.gaps import Narrow, bars, beside_enemy, narrow_places
from tapeline.rules.warmaster.moving import Barrier, Moving, StandStudy, motions, reverses
from tapeline.rules.warmaster.stands import Point, apart, rect_of
from tapeline.table.bodies import Body

__all__ = ["Ways", "plain_ways", "turn_between"]

#: Legs that the search for a way round may try, and how often its bends may be moved.
_WORK, _TRIES = 120, 24
#: Poses beside obstacles that the search may use.
_MOST = 32
#: Grounds remembered, of the stands of a unit after others have been placed.
_GROUNDS = 64
#: Ways round looked for, each time with the narrow gaps that the last one went into shut.
_ROUNDS = 3
#: Digits kept of the places and angles of a way that was found.
_PLACES = 10


def turn_between(start: Rect, end: Rect) -> float:
    """The smaller angle from one facing to another, degrees."""
    cross = start.ux * end.uy - start.uy * end.ux
    dot = start.ux * end.ux + start.uy * end.uy
    return round(math.degrees(math.atan2(cross, dot)), _PLACES)


def plain_ways(start: Rect, end: Rect, pivot: Point | None) -> Iterator[LegPath]:
    """Simple ways from pose to pose, the plainest first. pivot: a point to turn about."""
    to = (end.x, end.y)
    by = turn_between(start, end)
    shifted = math.hypot(end.x - start.x, end.y - start.y) > TOLERANCE
    turned = abs(math.radians(by)) * start.reach > TOLERANCE
    if not shifted and not turned:
        yield ()
        return
    if not turned:
        yield (Leg(to=to),)
        return
    if not shifted:
        yield (Leg(by=by),)
        return
    if pivot is not None:
        yield (Leg(centre=pivot, by=by),)
    yield (Leg(to=to, by=by, how="free"),)
    yield (Leg(to=to), Leg(by=by))
    yield (Leg(by=by), Leg(to=to))
    half = (0.5 * (start.x + end.x), 0.5 * (start.y + end.y))
    yield (Leg(to=half, by=by, how="free"), Leg(to=to))
    yield (Leg(to=half), Leg(to=to, by=by, how="free"))


def _as_path(start: Rect, legs: Sequence[Motion]) -> LegPath:
    """Motions as the legs of an action."""
    pose, path = start, []
    for leg in legs:
        then = after(pose, leg)
        to = (round(then.x, _PLACES), round(then.y, _PLACES))
        if isinstance(leg, SlideLeg):
            path.append(Leg(to=to))
        elif isinstance(leg, TurnLeg):
            by = round(math.degrees(leg.angle), _PLACES)
            about = None if math.hypot(leg.x - pose.x, leg.y - pose.y) == 0.0 else (leg.x, leg.y)
            path.append(Leg(centre=about, by=by))
        else:
            path.append(Leg(to=to, by=round(math.degrees(leg.angle), _PLACES), how="free"))
        pose = then
    return tuple(path)


def _untouchable(rect: Rect) -> Region:
    """A stand with all that touches it."""
    reach = rect.reach + 2.0 * TOLERANCE
    bounds = (rect.x - reach, rect.y - reach, rect.x + reach, rect.y + reach)
    return Region((Part(rect.loop, 2.0 * TOLERANCE),), bounds)


class Ways:
    """Finds ways for the stands of a unit that is about to move."""

    def __init__(self, moving: Moving) -> None:
        self.moving = moving
        self.metric = moving.state.option("dist_metric")
        self._grounds: dict[tuple[str, tuple[Rect | Region, ...]], FreeSpace] = {}

    def way(
        self,
        body: Body,
        end: Rect,
        placed: Sequence[Barrier],
        pivot: Point | None = None,
        *,
        detours: bool = False,
    ) -> StandStudy | None:
        """The first clear way of a stand to a pose; None if none is found.

        placed: the stands of its unit that have moved. detours: whether to look for ways round.
        """
        start, spec = rect_of(body), self.moving.spec
        ground = self._ground(body, placed)
        if not (self.affords_end(body, end) and _has_room(start, end, ground)):
            return None
        shut: list[Region] = []
        for path in plain_ways(start, end, pivot):
            legs, poses = motions(body, path)
            if not self._affords(start, legs) or not self._is_clear(legs, poses, ground):
                continue
            study = self.moving.stand(body, path, placed)
            fault = self._fault(study)
            if fault is None:
                return study
            shut += fault
        if not detours or spec.allowance <= 0.0 or self.moving.flying:
            return None
        for _ in range(_ROUNDS):
            if shut:
                ground = FreeSpace(
                    (*ground.obstacles, *shut), ground.width, ground.depth, ground.slack
                )
            plan = plan_stand(
                start,
                end,
                ground,
                spec.allowance,
                followed=self.metric == "arc",
                work=_WORK,
                most=_MOST,
                tries=_TRIES,
            )
            if plan.legs is None:
                return None
            study = self.moving.stand(body, _as_path(start, plan.legs), placed)
            fault = self._fault(study)
            if fault is None:
                return study
            shut = fault
            if not shut:
                return None
        return None

    def finds(self, body: Body, end: Rect, placed: Sequence[Barrier] = ()) -> bool:
        """Whether a clear way of a stand to a pose is found, round what is in between or not."""
        return self.way(body, end, placed, detours=True) is not None

    def along(self, body: Body, path: LegPath, placed: Sequence[Barrier]) -> StandStudy | None:
        """A way given, if it is clear and not too long."""
        legs, poses = motions(body, path)
        ground = self._ground(body, placed)
        if not self._affords(poses[0], legs) or not self._is_clear(legs, poses, ground):
            return None
        study = self.moving.stand(body, path, placed)
        return study if self._fault(study) is None else None

    def may_end(self, body: Body, end: Rect) -> bool:
        """Whether any way could lead a stand to a pose: near enough, and with room there."""
        start = rect_of(body)
        return self.affords_end(body, end) and _has_room(start, end, self._ground(body, ()))

    def affords_end(self, body: Body, end: Rect) -> bool:
        """Whether no corner of a stand is to end farther away than the stand may go."""
        start = rect_of(body)
        turn = math.atan2(
            start.ux * end.uy - start.uy * end.ux, start.ux * end.ux + start.uy * end.uy
        )
        return affords(travel_between(start, end, turn)[0], self.moving.spec.allowance)

    def _affords(self, start: Rect, legs: Sequence[Motion]) -> bool:
        travel = travel_of(start, legs)
        far = travel.farthest_straight if self.metric == "straight" else travel.farthest_followed
        return affords(far, self.moving.spec.allowance)

    def _is_clear(self, legs: Sequence[Motion], poses: Sequence[Rect], ground: FreeSpace) -> bool:
        return all(
            reverses(pose, leg) or leg_is_clear(pose, leg, ground)
            for pose, leg in zip(poses, legs, strict=False)
        )

    def _ground(self, body: Body, placed: Sequence[Barrier]) -> FreeSpace:
        """What a stand must keep clear of wherever its move may take it."""
        key = (body.id, tuple(barrier.shape for barrier in placed))
        if key not in self._grounds:
            if len(self._grounds) >= _GROUNDS:
                self._grounds.clear()
            table, start = self.moving.state.table, rect_of(body)
            regions: list[Region] = []
            if not self.moving.flying:
                far = self.moving.spec.allowance + start.reach + TOLERANCE
                box = (start.x - far, start.y - far, start.x + far, start.y + far)
                regions = [
                    self._region(start, barrier)
                    for barrier in self.moving.heeded(body, placed, box)
                    if _meets(box, barrier.box)
                ]
            self._grounds[key] = FreeSpace(tuple(regions), table.width, table.depth, TOLERANCE)
        return self._grounds[key]

    def _region(self, start: Rect, barrier: Barrier) -> Region:
        shape = barrier.shape
        if isinstance(shape, Region):
            return shape
        shunned = barrier.sort == "foe" and not self.moving.spec.charges
        if shunned and not within(apart(start, shape).gap, 0.0):
            return _untouchable(shape)
        return region_of_rect(shape)

    def _fault(self, study: StandStudy) -> list[Region] | None:
        """What is wrong with a way: the ground of a gap that it goes into beside the enemy, nothing
        of the kind for anything else; None if it is clear."""
        spec = self.moving.spec
        if study.meetings or not affords(study.distance(self.metric), spec.allowance):
            return []
        if self.moving.flying:
            return None
        front = study.start.width
        if spec.charges:
            return None
        found = narrow_places(study, study.barriers, front, beside_enemy, strict=False)
        narrow = next((n for n in found if bars(self.moving.state, study, n)), None)
        return None if narrow is None else _zone(narrow, front)


def _has_room(start: Rect, end: Rect, ground: FreeSpace) -> bool:
    """Whether a pose is clear; where a stand only turns, the turn itself will tell."""
    stays = math.hypot(end.x - start.x, end.y - start.y) <= TOLERANCE
    return stays or ground.may_stand(end)


def _zone(narrow: Narrow, width: float) -> list[Region]:
    """The ground of a gap that is narrower than a width."""
    a, b = (
        region_of_rect(barrier.shape) if isinstance(barrier.shape, Rect) else barrier.shape
        for barrier in (narrow.a, narrow.b)
    )
    zone = narrow_zone(a, b, width + TOLERANCE)
    return [] if zone is None else [zone]


def _meets(a: Box, b: Box) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]
