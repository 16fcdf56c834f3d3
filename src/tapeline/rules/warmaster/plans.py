"""A clear way for one stand to a pose, and an order of stands with a way for each.

The search knows obstacles only; what it finds is measured and judged by the same clauses as ways
that a player gives.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tapeline.engine.limits import TOLERANCE, affords, within
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box, boxes_meet
from tapeline.geometry.rectangles.corner_paths import (
    FreeLeg,
    SlideLeg,
    TurnLeg,
    after,
    travel_between,
)
from tapeline.geometry.rectangles.corner_paths import Leg as Motion
from tapeline.geometry.rectangles.gaps import narrow_zone
from tapeline.geometry.rectangles.motion_plan import (
    FreeSpace,
    first_clear_way,
    plan_stand,
    way_is_clear,
)
from tapeline.geometry.rectangles.rectangle import Rect, Region
from tapeline.ranks.bases import (
    Point,
    angle_between,
    box_about,
    in_contact,
    rect_of,
    touch,
)
from tapeline.ranks.motions import box_of_legs, motions, numbers_of
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.figures import TURN_MOST_DEG
from tapeline.rules.warmaster.gaps import (
    Narrow,
    bars,
    beside_enemy,
    narrow_places,
    reaching,
    sides_near,
)
from tapeline.rules.warmaster.measures import (
    Barrier,
    MoveSpec,
    Moving,
    StandStudy,
    moving_of,
    near_box,
)
from tapeline.rules.warmaster.state import kept
from tapeline.table.bodies import Body

__all__ = [
    "MovePlan",
    "Ways",
    "in_order",
    "least_travel",
    "plain_ways",
    "plan_move",
    "turn_between",
    "ways_of",
]


#: Legs that the search for a way round may try, and how often its bends may be moved.
_WORK, _TRIES = 1200, 24
#: Poses beside obstacles that the search may use.
_MOST = 160
#: Grounds remembered, of the stands of a unit after others have been placed.
_GROUNDS = 512
#: Ways remembered for a table.
_REMEMBERED = 1 << 14
#: Ways round looked for, each time with the narrow gaps that the last one went into shut.
_ROUNDS = 3
#: Digits kept of the places and angles of a way that was found.
_PLACES = 10


def turn_between(start: Rect, end: Rect) -> float:
    """The smaller angle from one facing to another, degrees."""
    return round(math.degrees(angle_between(start, end)), _PLACES)


def least_travel(start: Rect, end: Rect) -> float:
    """The least that a corner travels from one pose to another, cm."""
    return travel_between(start, end, angle_between(start, end))[0]


def free_travel(start: Rect, end: Rect) -> float:
    """How far the farthest corner goes, along its way, on one free leg from pose to pose, cm."""
    leg = Leg(to=(end.x, end.y), by=turn_between(start, end), how="free")
    return motions(start, (leg,))[2].farthest_followed


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


def _turning_less(leg: Motion) -> tuple[Motion, ...]:
    """A leg as two halves if it turns by more than a leg may (WM-STAND-1)."""
    if isinstance(leg, SlideLeg) or within(math.degrees(abs(leg.angle)), TURN_MOST_DEG):
        return (leg,)
    if isinstance(leg, TurnLeg):
        return (replace(leg, angle=leg.angle / 2),) * 2
    return (FreeLeg(leg.dx / 2, leg.dy / 2, leg.angle / 2),) * 2


def _as_path(start: Rect, legs: Sequence[Motion]) -> LegPath:
    """Motions as the legs of an action."""
    pose, path = start, []
    for leg in (part for whole in legs for part in _turning_less(whole)):
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


class _Thing(NamedTuple):
    """A barrier near a stand, its ground where the stand may come to it, and what it is known by:
    its sort, and its shape or the feature that it is."""

    barrier: Barrier
    region: Region | None
    known_by: tuple[str, str, Rect | Region | int]


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a stand must keep clear of, and a number for all that its ways follow from."""

    space: FreeSpace
    number: int


#: Numbers of grounds, never the same for two.
_NUMBERS = itertools.count()


class Ways:
    """Finds ways for the stands of a unit that is about to move."""

    def __init__(self, moving: Moving) -> None:
        self.moving = moving
        self.metric = moving.state.option("dist_metric")
        self._grounds: dict[tuple[str, tuple[Rect | Region, ...]], _Ground] = {}
        self._spaces: dict[tuple[str, frozenset[str]], FreeSpace] = {}
        self._known_around: dict[str, tuple[list[_Thing], list[_Thing], list[_Thing]]] = {}
        table = moving.state.table
        self._paths: Any = table.prepared.setdefault("warmaster:ways", {})
        self._numbers: Any = table.prepared.setdefault("warmaster:grounds", {})

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
        if not self.affords_end(body, end):
            return None
        moving, spec, ground = self.moving, self.moving.spec, self._ground(body, placed)
        # The way follows from these alone, and is asked for again as long as nothing near moves.
        key = (
            rect_of(body), end, ground.number, pivot, detours, spec.allowance, moving.flying,
            spec.charges and spec.target, self.metric, moving.state.option("gap_test"),
        )  # fmt: skip
        known = self._paths
        if key not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            study = self._found(body, end, placed, pivot, ground.space, detours=detours)
            known[key] = None if study is None else study.path
            return study
        path = known[key]
        return None if path is None else moving.stand(body, path, placed, clear=True)

    def _found(
        self,
        body: Body,
        end: Rect,
        placed: Sequence[Barrier],
        pivot: Point | None,
        ground: FreeSpace,
        *,
        detours: bool,
    ) -> StandStudy | None:
        start, spec = rect_of(body), self.moving.spec
        shut: list[Region] = []
        # The plainest way is tried first and, with it, whether there is room at all.
        paths, room = plain_ways(start, end, pivot), _room_at(start, end)
        some = [next(paths)]
        while some:
            clear = self._first_clear(start, room, some, ground)
            if clear < 0:
                return None
            if clear < len(some):
                study = self.moving.stand(body, some[clear], placed, clear=True)
                fault = self._fault(study)
                if fault is None:
                    return study
                shut += fault
            some, room = some[clear + 1 :] or list(paths), None
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
                spec.allowance + TOLERANCE,
                followed=self.metric == "arc",
                work=_WORK,
                most=_MOST,
                tries=_TRIES,
            )
            if plan.legs is None:
                return None
            path = _as_path(start, plan.legs)
            clear = way_is_clear(start, numbers_of(start, path), ground)
            study = self.moving.stand(body, path, placed, clear=clear)
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
        if self._first_clear(rect_of(body), None, (path,), self._ground(body, placed).space):
            return None
        study = self.moving.stand(body, path, placed, clear=True)
        return study if self._fault(study) is None else None

    def may_end(self, body: Body, end: Rect) -> bool:
        """Whether any way could lead a stand to a pose: near enough, and with room there."""
        start = rect_of(body)
        room, space = _room_at(start, end), self._ground(body, ()).space
        return self.affords_end(body, end) and (room is None or space.may_stand(room))

    def may_end_after(self, body: Body, end: Rect, leaving: frozenset[str]) -> bool:
        """Whether any way could lead a stand to a pose once some units have made way."""
        key = body.id, leaving
        if key not in self._spaces:
            others, fighting, terrain = self._around(body)
            near = (t for t in (*others, *fighting, *terrain) if t.barrier.unit not in leaving)
            regions = tuple([thing.region for thing in near if thing.region is not None])
            table = self.moving.state.table
            self._spaces[key] = FreeSpace(regions, table.width, table.depth, TOLERANCE)
        return self.affords_end(body, end) and self._spaces[key].may_stand(end)

    def affords_ends(self, ends: Mapping[str, Rect]) -> bool:
        """Whether no corner of any stand is to end farther away than the stands may go."""
        return all(self.affords_end(body, ends[body.id]) for body in self.moving.bodies)

    def affords_end(self, body: Body, end: Rect) -> bool:
        """Whether no corner of a stand is to end farther away than the stand may go."""
        return affords(least_travel(rect_of(body), end), self.moving.spec.allowance)

    def _first_clear(
        self, start: Rect, room: Rect | None, paths: Sequence[LegPath], ground: FreeSpace
    ) -> int:
        """Which way is the first that goes no farther than it may and runs into nothing; how many
        there are if none does, -1 where there is no room to end."""
        limit, followed = self.moving.spec.allowance + TOLERANCE, self.metric != "straight"
        ways = [numbers_of(start, path) for path in paths]
        return first_clear_way(start, room, ways, ground, limit, followed=followed)

    def _ground(self, body: Body, placed: Sequence[Barrier]) -> _Ground:
        """What a stand must keep clear of wherever its move may take it."""
        key = (body.id, tuple(barrier.shape for barrier in placed))
        if key not in self._grounds:
            if len(self._grounds) >= _GROUNDS:
                self._grounds.clear()
            table, start = self.moving.state.table, rect_of(body)
            others, fighting, terrain = self._around(body)
            gone = {barrier.id for barrier in placed}
            near = [
                *others,
                *self._seen(start, placed),
                *(thing for thing in fighting if thing.barrier.id not in gone),
                *terrain,
            ]
            regions = tuple([thing.region for thing in near if thing.region is not None])
            space = FreeSpace(regions, table.width, table.depth, TOLERANCE)
            known_by = tuple([thing.known_by for thing in near])
            if len(self._numbers) >= _REMEMBERED:
                self._numbers.clear()
            number = self._numbers.setdefault(known_by, next(_NUMBERS))
            self._grounds[key] = _Ground(space, number)
        return self._grounds[key]

    def _around(self, body: Body) -> tuple[list[_Thing], list[_Thing], list[_Thing]]:
        """What a stand must heed before others have been placed: stands of other units, those of
        its own that fight, terrain; worked out once."""
        if body.id not in self._known_around:
            start = rect_of(body)
            wide = self._box(start, start.width)
            found = self._seen(start, self.moving.heeded(body, (), wide))
            self._known_around[body.id] = (
                [thing for thing in found if thing.barrier.sort in ("foe", "friend")],
                [thing for thing in found if thing.barrier.sort == "engaged"],
                [thing for thing in found if thing.barrier.sort == "terrain"],
            )
        return self._known_around[body.id]

    def _box(self, start: Rect, more: float = 0.0) -> Box:
        return box_about(start, self.moving.spec.allowance + TOLERANCE + more)

    def _seen(self, start: Rect, barriers: Sequence[Barrier]) -> list[_Thing]:
        """Those that a stand may come to; gaps as wide as the front count as far as that beyond."""
        box, found = self._box(start), []
        for barrier in () if self.moving.flying else near_box(barriers, box, start.width):
            met = boxes_meet(box, barrier.box)
            shape = barrier.shape if barrier.feature is None else id(barrier.feature)
            region = self.moving.region(start, barrier) if met else None
            # A charge opens the gaps beside the units that it meets.
            of = barrier.unit if self.moving.spec.charges else ""
            found.append(_Thing(barrier, region, (barrier.sort, of, shape)))
        return found

    def _fault(self, study: StandStudy) -> list[Region] | None:
        """What is wrong with a way: the ground of a gap that it goes into beside the enemy, nothing
        of the kind for anything else; None if it is clear."""
        spec = self.moving.spec
        if study.meetings or not affords(study.distance(self.metric), spec.allowance):
            return []
        if self.moving.flying:
            return None
        front, whole = study.start.width, box_of_legs(study.poses, study.legs, 0.0)
        goal = spec.target if spec.charges else None
        foes = [b for b in study.barriers if b.sort == "foe" and b.unit != goal]
        near = [] if whole is None else near_box(foes, whole, front)
        if not near:
            return None
        met = self._met(study, foes, {b.unit for b in near})

        def counts(a: Barrier, b: Barrier) -> bool:
            return beside_enemy(a, b) and met.isdisjoint((a.unit, b.unit))

        sides = sides_near(self.moving.state, study)
        found = narrow_places(study, sides, front, counts, strict=False)
        narrow = next((n for n in found if bars(self.moving.state, study, n)), None)
        return None if narrow is None else _zone(narrow, front)

    def _met(self, study: StandStudy, foes: Sequence[Barrier], units: set[str]) -> set[str]:
        """The enemy units that a charge goes at or, of those given, has come into contact with once
        a stand is where it goes: their gaps are open to it (WM-GAP-3)."""
        if not self.moving.spec.charges:
            return set()
        own = [study.end, *(b.shape for b in study.barriers if b.sort == "placed")]
        met = {
            foe.unit
            for foe in foes
            if foe.unit in units
            and isinstance(foe.shape, Rect)
            and any(isinstance(end, Rect) and in_contact(end, foe.shape) for end in own)
        }
        return met | {self.moving.spec.target or ""}


def ways_of(state: State, spec: MoveSpec) -> Ways:
    """The finder of ways for a unit that moves so; made once for a state."""
    return _ways(state, moving_of(state, spec).spec)


@kept
def _ways(state: State, bare: MoveSpec) -> Ways:
    return Ways(moving_of(state, bare))


def _room_at(start: Rect, end: Rect) -> Rect | None:
    """Where there must be room; where a stand only turns, the turn itself will tell."""
    return None if math.hypot(end.x - start.x, end.y - start.y) <= TOLERANCE else end


def _zone(narrow: Narrow, width: float) -> list[Region]:
    """The ground of a gap that is narrower than a width."""
    zone = narrow_zone(narrow.a.region, narrow.b.region, reaching(narrow.width, width))
    return [] if zone is None else [zone]


#: Orders of stands tried, at most: all of those of four stands.
_ORDERS = 24
#: Orders in which ways round are looked for, those that got farthest without first.
_ROUND = 3


@dataclass(frozen=True, slots=True)
class MovePlan:
    """Stands in order with their paths. whole: whether every stand has a clear way. orders: of
    stands in which each could join those before it, so many were tried."""

    stands: tuple[StandMove, ...]
    whole: bool
    orders: int


def _orders(
    bodies: Sequence[Body], ends: Mapping[str, Rect], pivot: Point | None
) -> list[tuple[Body, ...]]:
    """Orders of stands, all others after the likely ones: farthest from the pivot first, or those
    ahead in the direction of the move."""
    dx = sum(ends[b.id].x - b.x for b in bodies)
    dy = sum(ends[b.id].y - b.y for b in bodies)
    ahead = sorted(bodies, key=lambda b: -(b.x * dx + b.y * dy))
    orders = [tuple(ahead), tuple(reversed(ahead))]
    if pivot is not None:
        orders.insert(0, tuple(sorted(bodies, key=lambda b: -math.dist(b.centre, pivot))))
    if len(bodies) <= 4:
        orders += list(itertools.permutations(ahead))
    return list(dict.fromkeys(orders))[:_ORDERS]


def _can_place(order: Sequence[Body], ends: Mapping[str, Rect]) -> bool:
    """Whether each stand touches one placed before it (WM-STAND-2)."""
    for index, body in enumerate(order[1:], 1):
        if not any(touch(ends[body.id], ends[other.id]) for other in order[:index]):
            return False
    return True


class _Planner:
    """Ways of stands to given places, each found once for what has been placed before it."""

    def __init__(self, ways: Ways, ends: Mapping[str, Rect], pivot: Point | None) -> None:
        self.moving = ways.moving
        self.ends, self.pivot = ends, pivot
        self._ways = ways
        self._found: dict[tuple[str, frozenset[str], bool], StandStudy | None] = {}

    def moves(self, order: Sequence[Body], *, detours: bool) -> list[StandMove]:
        """Clear ways for stands in an order, as far as there are any."""
        placed: list[Barrier] = []
        moves: list[StandMove] = []
        for body in order:
            study = self._way(body, placed, detours=False)
            if study is None and detours:
                study = self._way(body, placed, detours=True)
            if study is None:
                break
            moves.append(StandMove(stand=body.id, path=study.path))
            # Where the stand was asked to be: its legs may end a rounding beside that.
            placed.append(replace(self.moving.placed(study), shape=self.ends[body.id]))
        return moves

    def _way(self, body: Body, placed: Sequence[Barrier], *, detours: bool) -> StandStudy | None:
        key = (body.id, frozenset(barrier.id for barrier in placed), detours)
        if key not in self._found:
            if placed and detours and self._shut_in(body):
                self._found[key] = None
                return None
            self._found[key] = self._ways.way(
                body, self.ends[body.id], placed, self.pivot, detours=detours
            )
        return self._found[key]

    def is_barred(self, body: Body) -> bool:
        """Whether a stand has no plain way even before any other is placed: those placed only take
        away ground, unless they fight and leave some."""
        return not self.moving.fights and self._way(body, (), detours=False) is None

    def _shut_in(self, body: Body) -> bool:
        """Whether a stand for which no way round was found finds none with no stand placed either:
        those placed only take away ground."""
        failed = (
            found is None and name == body.id and round_it
            for (name, _, round_it), found in self._found.items()
        )
        return any(failed) and self._way(body, (), detours=True) is None


def in_order(
    bodies: Sequence[Body], ends: Mapping[str, Rect], pivot: Point | None
) -> tuple[tuple[str, Rect], ...]:
    """Places of stands in the likeliest order in which each touches one before it, if any does."""
    joining = (order for order in _orders(bodies, ends, pivot) if _can_place(order, ends))
    return tuple((body.id, ends[body.id]) for body in next(joining, ()))


def plan_move(
    state: State,
    spec: MoveSpec,
    ends: Mapping[str, Rect],
    pivot: Point | None = None,
    first: str = "",
    *,
    detours: bool = True,
    fits: Callable[[Sequence[Body]], bool] = lambda order: True,
) -> MovePlan:
    """An order of stands and a way for each to the places given.

    spec: the move without its stands. ends: a pose for every stand of the unit. pivot: a point
    about which all of them turn, tried first. first: the stand that must go first, if one must.
    detours: whether to look for ways round what is in the way; else a plan that is not whole has no
    stands. fits: which orders may be tried. Raises UnknownIdError.
    """
    planner = _Planner(ways_of(state, spec), ends, pivot)
    orders = [
        order
        for order in _orders(planner.moving.bodies, ends, pivot)
        if (not first or order[0].id == first) and _can_place(order, ends) and fits(order)
    ]
    plain: list[tuple[int, int, tuple[Body, ...]]] = []
    for number, order in enumerate(orders):
        moves = planner.moves(order, detours=False)
        if len(moves) == len(order):
            return MovePlan(tuple(moves), True, len(orders))
        if not detours and planner.is_barred(order[len(moves)]):
            break
        plain.append((-len(moves), number, order))
    if not detours:
        return MovePlan((), False, len(orders))
    best: tuple[tuple[Body, ...], list[StandMove]] = ((), [])
    # Ways round what is in the way, for the orders that came farthest without.
    for _, _, order in sorted(plain, key=lambda entry: entry[:2])[:_ROUND]:
        moves = planner.moves(order, detours=True)
        if len(moves) == len(order):
            return MovePlan(tuple(moves), True, len(orders))
        if not best[0] or len(moves) > len(best[1]):
            best = (order, moves)
    rest = [
        StandMove(stand=body.id, path=next(plain_ways(rect_of(body), ends[body.id], pivot)))
        for body in best[0][len(best[1]) :]
    ]
    return MovePlan((*best[1], *rest), False, len(orders))
