"""A move of a unit, stand by stand, measured: distances, what is in the way, where it ends.

Clauses read what is worked out here; nothing is judged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from tapeline.engine.limits import TOLERANCE, affords, more_than, within
from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box, boxes_meet
from tapeline.geometry.rectangles.corner_paths import FreeLeg, SlideLeg, Travel, travel_of
from tapeline.geometry.rectangles.corner_paths import Leg as Motion
from tapeline.geometry.rectangles.motion_plan import FreeSpace, way_is_clear
from tapeline.geometry.rectangles.rectangle import Rect, Region, overlaps, overshoots
from tapeline.ranks.bases import (
    Point,
    angle_between,
    apart,
    box_about,
    grown,
    in_contact,
    rect_of,
    region_of,
    touch,
)
from tapeline.ranks.edges import in_touch
from tapeline.ranks.motions import (
    begun,
    box_of_leg,
    box_of_legs,
    edge_crossed,
    motions,
    numbers_of,
    passes,
    reverses,
    spans_of,
    touches_first,
)
from tapeline.rules.warmaster.actions import CHARGE_KINDS, StandMove
from tapeline.rules.warmaster.figures import EVADE_CLEAR_CM, flies, mask_of
from tapeline.rules.warmaster.formation import (
    Formation,
    engaged_stands,
    formation_now,
    formation_of,
    goes_by_road,
    pace_of,
)
from tapeline.rules.warmaster.state import (
    called,
    enemy_units,
    kept,
    kept_as_placed,
    kept_for,
    kept_while_placed,
    rects_of,
    remembered,
    stands_of,
    unit_of,
    units_on_table,
)
from tapeline.rules.warmaster.terrain import Feature, ground_of
from tapeline.table.bodies import Body, Unit

__all__ = [
    "Barrier",
    "Meeting",
    "MoveSpec",
    "MoveStudy",
    "Moving",
    "StandStudy",
    "after_move",
    "flies_over",
    "heeds_within",
    "kind_of",
    "moving_of",
    "near_box",
    "spec_of",
    "study_of",
    "terrain_of",
]


#: Moves of one state that are remembered, and ways of single stands.
_REMEMBERED, _STANDS_REMEMBERED = 32, 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSpec:
    """A move of a unit that is to be judged.

    kind: "order", "half" (after a failed order), "charge", "initiative_charge", "evade",
    "fall_back" or "advance". stands: in the order in which they move. allowance: cm.
    target: the enemy unit charged or evaded. burst: friendly units that an evade may go through.
    ends: where stands are to end, instead of their ways; then what follows from that alone is
    judged: how far it is at least, and what a stand would end on or against.
    """

    unit: str
    kind: str
    stands: tuple[StandMove, ...] = ()
    allowance: float
    target: str | None = None
    burst: tuple[str, ...] = ()
    ends: tuple[tuple[str, Rect], ...] = ()

    @property
    def charges(self) -> bool:
        """Whether the move may touch the enemy."""
        return self.kind in CHARGE_KINDS


def kind_of(unit: Unit) -> str:
    """The kind of move that a unit may make."""
    may = unit.marks.text("may_move")
    return may if may in ("half", "fall_back") else "order"


def spec_of(state: State, unit: Unit, kind: str = "", **more: Any) -> MoveSpec:
    """A move of a unit, by the kind that it may make unless one is named, with its allowance."""
    kind = kind or kind_of(unit)
    allowance = pace_of(state, unit, kind).allowance
    return MoveSpec(unit=unit.id, kind=kind, allowance=allowance, **more)


def heeds_within(state: State, spec: MoveSpec) -> float:
    """How far from its stands something may lie that bears on a move, cm: what a stand comes to,
    and beside it as far as a gap is narrow for it, or an evade is to end clear."""
    beside = [rect.width for rect in rects_of(state, unit_of(state, spec.unit))]
    clear = EVADE_CLEAR_CM if spec.kind == "evade" else 0.0
    return spec.allowance + max([clear, *beside]) + 1.0


@dataclass(frozen=True, slots=True)
class Barrier:
    """Something that a stand may run into. sort: "foe", "friend", "placed" (a stand of its own
    unit that has moved), "engaged" (one that fights) or "terrain"."""

    sort: str
    id: str
    name: str
    unit: str
    shape: Rect | Region
    feature: Feature | None = None
    box: Box = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "box", box_about(self.shape))

    @property
    def region(self) -> Region:
        """The shape as a region."""
        return region_of(self.shape) if isinstance(self.shape, Rect) else self.shape

    def met(self, leg: int, at: float, place: Point, sort: str = "") -> Meeting:
        """A meeting with it, of its sort unless another is named."""
        return Meeting(sort or self.sort, self.id, self.name, leg, at, place, self.feature)


def near_box(barriers: Iterable[Barrier], box: Box, far: float = 0.0) -> list[Barrier]:
    """The barriers whose boxes are no farther from a box than that along either axis, cm."""
    left, low, right, high = box[0] - far, box[1] - far, box[2] + far, box[3] + far
    return [
        barrier
        for barrier in barriers
        if left <= (at := barrier.box)[2] and at[0] <= right and low <= at[3] and at[1] <= high
    ]


def terrain_of(feature: Feature) -> Barrier:
    """A feature as something to run into; made once."""
    found = feature.known.get("barrier")
    if found is None:
        found = Barrier("terrain", feature.id, feature.name, "", feature.region, feature)
        feature.known["barrier"] = found
    barrier: Barrier = found
    return barrier


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where a stand first runs into something: on which leg, after how much of it, and where.

    leg: -1 where only the end is known. sort: as of the barrier; "contact" where an enemy stand is
    touched, "edge" for the table's.
    """

    sort: str
    id: str
    name: str
    leg: int
    at: float
    place: Point
    feature: Feature | None = None


@dataclass(frozen=True)
class StandStudy:
    """The way of one stand: poses before each leg and at the end, how far its corners travel, what
    it runs into (the first of each sort). name: what to call it; heeded: gives what it heeds."""

    body: Body
    name: str
    path: LegPath
    legs: tuple[Motion, ...]
    poses: tuple[Rect, ...]
    travel: Travel
    meetings: tuple[Meeting, ...]
    heeded: Callable[[], tuple[Barrier, ...]] = field(compare=False, repr=False)

    @cached_property
    def barriers(self) -> tuple[Barrier, ...]:
        """The barriers that it has to heed."""
        return self.heeded()

    @property
    def start(self) -> Rect:
        """The pose it leaves."""
        return self.poses[0]

    @property
    def end(self) -> Rect:
        """The pose it comes to."""
        return self.poses[-1]

    def distance(self, metric: str) -> float:
        """The distance of the move by the farthest corner; metric: "straight" or "arc"."""
        travel = self.travel
        return travel.farthest_straight if metric == "straight" else travel.farthest_followed

    def travelled(self, leg: int, share: float, metric: str) -> float | None:
        """How far its corners have gone, by the farthest, after a share of a leg; None where its
        way is not known."""
        if leg < 0:
            return None
        travel = travel_of(self.start, (*self.legs[:leg], begun(self.legs[leg], share)))
        return travel.farthest_straight if metric == "straight" else travel.farthest_followed

    def meetings_of(self, sort: str) -> list[Meeting]:
        """The meetings of a sort, the first with each thing met."""
        return [meeting for meeting in self.meetings if meeting.sort == sort]

    def goes_over(self, shape: Rect | Region) -> bool:
        """Whether it passes over a shape on its way."""
        about = box_about(shape)
        return any(
            span.stop > 0.0 and span.start < 1.0
            for pose, leg in zip(self.poses, self.legs, strict=False)
            if boxes_meet(box_of_leg(pose, leg), about)
            for span in spans_of(pose, leg, shape, TOLERANCE)[0]
        )


@dataclass(frozen=True)
class MoveStudy:
    """A whole move: its stands in order, the formations before and after."""

    state: State
    spec: MoveSpec
    unit: Unit
    stands: tuple[StandStudy, ...]
    start: Formation

    @cached_property
    def ends(self) -> tuple[Rect, ...]:
        """The poses at the end, in the order of the move."""
        return tuple(stand.end for stand in self.stands)

    @cached_property
    def end(self) -> Formation:
        """The formation that the unit comes to."""
        return formation_of(self.ends, self.state.option("column_joint"))

    def too_far(self) -> Iterator[tuple[StandStudy, float]]:
        """Stands that go farther than they may, with how far."""
        for stand in self.stands:
            distance = stand.distance(self.state.option("dist_metric"))
            if not affords(distance, self.spec.allowance):
                yield stand, distance

    @cached_property
    def contacted(self) -> frozenset[str]:
        """Ids of enemy units that the unit is in contact with at the end."""
        return frozenset(
            other.id
            for other in enemy_units(self.state, self.unit.side)
            if in_touch(rects_of(self.state, other), self.ends)
        )


#: Decimals of a share of a leg: what is met at once, but for rounding, is named in the order of the
#: barriers.
_AT_ONCE = 9


@kept_while_placed
def _stands_as_barriers(state: State, side: str) -> tuple[Barrier, ...]:
    """All stands of units, as one side meets them."""
    return tuple(
        Barrier(
            "friend" if unit.side == side else "foe",
            body.id,
            called(state, body.id),
            unit.id,
            rect_of(body),
        )
        for unit in units_on_table(state)
        for body in stands_of(state, unit)
    )


def _listed(unit: Unit, spec: MoveSpec) -> tuple[StandMove, ...]:
    """The stands of a unit that a move lists, in its order."""
    named: dict[str, StandMove] = {}
    for move in spec.stands:
        if move.stand in unit.members:
            named.setdefault(move.stand, move)
    return tuple(named.values())


def _joining(left: Sequence[Body], placed: Sequence[Barrier]) -> Body:
    """Which of the stands that stay where they are counts as placed next: the first that touches
    one placed already, if any does."""
    ends = [barrier.shape for barrier in placed if isinstance(barrier.shape, Rect)]
    joins = (body for body in left if any(touch(rect_of(body), end) for end in ends))
    return next(joins, left[0])


def flies_over(spec: MoveSpec, bodies: Iterable[Body]) -> bool:
    """Whether stands that make a move fly over everything, as flyers do in a Command phase
    (WM-FLY-4)."""
    return spec.kind in ("order", "half", "charge", "initiative_charge") and flies(bodies)


class Moving:
    """A unit about to move by a kind of move: what its stands must heed, worked out once.

    fights: whether a stand of it does: the others go round it until it has moved. flying: whether
    it goes over everything that stands in its way.
    """

    def __init__(self, state: State, spec: MoveSpec) -> None:
        unit = unit_of(state, spec.unit)
        self.state, self.spec, self.unit = state, spec, unit
        self.bodies = stands_of(state, unit)
        self.start = formation_now(state, unit)
        fighting = engaged_stands(state)
        self._fighting = [
            Barrier("engaged", b.id, called(state, b.id), unit.id, rect_of(b))
            for b in self.bodies
            if b.id in fighting
        ]
        self.fights = bool(self._fighting)
        passed = {unit.id, *spec.burst}
        stands = _stands_as_barriers(state, unit.side)
        self._others = tuple(barrier for barrier in stands if barrier.unit not in passed)
        self._terrain: dict[tuple[str, Box], tuple[Barrier, ...]] = {}
        self._ground = ground_of(state)
        self._known = kept_as_placed(state, "warmaster:stands")
        self._on_road = goes_by_road(state, unit)
        self.flying = bool(self.bodies) and flies_over(spec, self.bodies)

    def stand(
        self, body: Body, path: LegPath, placed: Sequence[Barrier], *, clear: bool = False
    ) -> StandStudy:
        """The way of one stand after others have been placed; measured once for a state, whether
        it is planned or judged. clear: it has been found to run into nothing."""
        at = tuple((barrier.id, barrier.shape) for barrier in placed)
        key = (self.unit.id, self.spec.kind, self.spec.burst, body.id, path, at)
        work = partial(self._measured, body, path, tuple(placed), clear)
        return remembered(self._known, key, work, _STANDS_REMEMBERED)

    def _measured(
        self, body: Body, path: LegPath, placed: tuple[Barrier, ...], clear: bool
    ) -> StandStudy:
        legs, poses, travel = motions(rect_of(body), path)

        def heeded() -> tuple[Barrier, ...]:
            # Gaps as wide as the front are looked at: what bounds them need not be in the way.
            return self.heeded(body, placed, box_of_legs(poses, legs, poses[0].width))

        name, meetings = called(self.state, body.id), tuple[Meeting, ...]()
        if not clear:
            barriers = heeded()
            if not self._meets_nothing(poses, legs, path, barriers):
                meetings = tuple(self._meetings(legs, poses, barriers))
        return StandStudy(body, name, path, legs, poses, travel, meetings, heeded)

    def _meetings(
        self, legs: Sequence[Motion], poses: Sequence[Rect], barriers: Sequence[Barrier]
    ) -> Iterator[Meeting]:
        """The first meeting of each sort with each stand, piece and edge, in the order of the
        legs."""
        table = self.state.table
        met: set[tuple[str, str]] = set()
        start = poses[0]
        for number, (pose, leg) in enumerate(zip(poses, legs, strict=False)):
            box = box_of_leg(pose, leg)
            found: list[Meeting] = []
            if reverses(pose, leg):
                continue
            edge = edge_crossed(pose, leg, table.width, table.depth)
            if edge is not None:
                found.append(Meeting("edge", edge[0], f"the {edge[0]} edge", number, *edge[1:]))
            for barrier in () if self.flying else near_box(barriers, box):
                shape = barrier.shape
                if passes(pose, leg, shape):
                    continue
                spans, place = spans_of(pose, leg, shape, TOLERANCE)
                first = next((s for s in spans if s.stop > 0.0 and s.start < 1.0), None)
                if first is not None and place is not None:
                    found.append(barrier.met(number, max(0.0, first.start), place))
                if barrier.sort == "foe" and not self.spec.charges and isinstance(shape, Rect):
                    touched = touches_first(start, pose, leg, shape)
                    if touched is not None:
                        found.append(barrier.met(number, *touched, sort="contact"))
            for meeting in sorted(found, key=lambda m: round(m.at, _AT_ONCE)):
                if (meeting.sort, meeting.id) not in met:
                    met.add((meeting.sort, meeting.id))
                    yield meeting

    def _meets_nothing(
        self,
        poses: Sequence[Rect],
        legs: Sequence[Motion],
        path: LegPath,
        barriers: Sequence[Barrier],
    ) -> bool:
        """Whether a way runs into nothing by the kernels, all barriers at once; what they hold to
        be met is looked at one by one."""
        whole, start, table = box_of_legs(poses, legs, 0.0), poses[0], self.state.table
        if whole is None or self.flying:
            return False
        near = [self.region(start, barrier) for barrier in near_box(barriers, whole)]
        ground = FreeSpace(tuple(near), table.width, table.depth, TOLERANCE)
        return bool(near) and way_is_clear(start, numbers_of(start, path), ground)

    def region(self, start: Rect, barrier: Barrier) -> Region:
        """The ground of a barrier that a stand keeps clear of; the enemy it may not even touch,
        unless it charges or began in contact."""
        shape = barrier.shape
        shunned = barrier.sort == "foe" and not self.spec.charges
        if shunned and isinstance(shape, Rect) and not within(apart(start, shape).gap, 0.0):
            return grown(shape, 2.0 * TOLERANCE)
        return barrier.region

    def landed(self, body: Body, end: Rect, placed: Sequence[Barrier]) -> StandStudy:
        """A stand at the end of whatever way leads there: the least that its corners travel, what
        it would be on or against."""
        start = rect_of(body)
        turned = angle_between(start, end)
        least = travel_of(start, (FreeLeg(end.x - start.x, end.y - start.y, turned),)).straight
        stays = (SlideLeg(0.0, 0.0),)
        box = box_of_legs((end, end), stays, end.width)
        # What lies where the others are to end hangs on their order.
        barriers = tuple(b for b in self.heeded(body, placed, box) if b.sort != "placed")
        found = []
        over = overshoots(end, self.state.table.width, self.state.table.depth)
        most = max(over, key=lambda corner: corner.amount)
        if more_than(most.amount, 0.0):
            name = f"the {most.side} edge"
            found.append(Meeting("edge", most.side, name, -1, 0.0, most.at))
        for barrier in () if self.flying else barriers:
            shape = barrier.shape
            if overlaps(end, shape, TOLERANCE):
                found.append(barrier.met(-1, 0.0, end.centre))
            if barrier.sort != "foe" or self.spec.charges or not isinstance(shape, Rect):
                continue
            if in_contact(end, shape) and not in_contact(start, shape):
                found.append(barrier.met(-1, 0.0, end.centre, "contact"))
        name, travel = called(self.state, body.id), Travel(least, (), end)
        return StandStudy(body, name, (), stays, (end, end), travel, tuple(found), lambda: barriers)

    def heeded(self, body: Body, placed: Sequence[Barrier], box: Box | None) -> tuple[Barrier, ...]:
        """What a stand must heed after others have been placed; terrain: of that box alone."""
        gone = {barrier.id for barrier in placed} | {body.id}
        still = [barrier for barrier in self._fighting if barrier.id not in gone]
        terrain: tuple[Barrier, ...] = ()
        if box is not None:
            key = (mask_of(body), box)
            if key not in self._terrain:
                found = self._ground.barred(*key, on_road=self._on_road)
                self._terrain[key] = tuple(terrain_of(feature) for feature in found)
            terrain = self._terrain[key]
        return (*self._others, *placed, *still, *terrain)

    def placed(self, study: StandStudy) -> Barrier:
        """A stand that has moved, as those that follow must heed it."""
        body = study.body
        return Barrier("placed", body.id, study.name, self.unit.id, study.end)


def moving_of(state: State, spec: MoveSpec) -> Moving:
    """A unit about to move; made once for a state, whatever ways of its stands are looked at."""
    return _moving(state, replace(spec, stands=(), ends=()))


@kept
def _moving(state: State, bare: MoveSpec) -> Moving:
    return Moving(state, bare)


def study_of(state: State, spec: MoveSpec) -> MoveStudy:
    """Everything that clauses ask of a move. Raises UnknownIdError.

    The last ones of the state looked at last are remembered.
    """
    known = kept_for(state, "warmaster:studies")
    return remembered(known, spec, lambda: _studied(state, spec), _REMEMBERED)


def _studied(state: State, spec: MoveSpec) -> MoveStudy:
    moving = moving_of(state, spec)
    by_id = {body.id: body for body in moving.bodies}
    placed: list[Barrier] = []
    studies: list[StandStudy] = []

    def place(body: Body, path: LegPath) -> None:
        study = moving.stand(body, path, placed)
        studies.append(study)
        placed.append(moving.placed(study))

    for name, end in spec.ends:
        landed = moving.landed(by_id.pop(name), end, placed)
        studies.append(landed)
        placed.append(moving.placed(landed))
    for move in _listed(moving.unit, spec):
        if move.stand in by_id:
            place(by_id.pop(move.stand), move.path)
    while by_id:
        body = _joining(tuple(by_id.values()), placed)
        place(by_id.pop(body.id), ())
    return MoveStudy(state, spec, moving.unit, tuple(studies), moving.start)


def after_move(state: State, spec: MoveSpec) -> State:
    """A state with a move of a unit made."""
    unit = state.units[spec.unit]
    made = {"may_move": None, "charged": spec.charges or None}
    bodies = {
        stand.body.id: stand.body.at(
            stand.end.x, stand.end.y, facing=math.degrees(stand.end.facing) % 360.0
        )
        for stand in study_of(state, spec).stands
    }
    return replace(
        state,
        units={**state.units, unit.id: replace(unit, marks=unit.marks.update(made))},
        bodies={**state.bodies, **bodies},
    )
