"""How the stands of a charge are placed: what they go at, where each ends, by which ways.

What is planned is judged by the clauses like a charge given stand by stand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, affords, closer_than, more_than, within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.searches import least_of_convex
from tapeline.geometry.rectangles.rectangle import Rect, Region, overlaps
from tapeline.geometry.rectangles.slide import slide_into
from tapeline.ranks.bases import (
    Point,
    apart,
    box_about,
    box_about_all,
    in_contact,
    rect_of,
    shifts_within,
    unit_gap,
)
from tapeline.ranks.blocks import middle, shared_out
from tapeline.ranks.edges import (
    EDGES,
    behind,
    beside,
    free_offsets,
    front_contact,
    in_touch,
    nearest_to_centre,
    offset_along,
    opposed,
    sided,
    zones,
)
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.figures import BOOK, FIRST_CONTACT_CM, ZONE_DEG
from tapeline.rules.warmaster.formation import engaged_stands
from tapeline.rules.warmaster.measures import (
    Barrier,
    MoveSpec,
    MoveStudy,
    Moving,
    StandStudy,
    heeds_within,
    near_box,
    study_of,
)
from tapeline.rules.warmaster.plans import (
    MovePlan,
    Ways,
    free_travel,
    least_travel,
    plan_move,
    ways_of,
)
from tapeline.rules.warmaster.sight import sees_stand
from tapeline.rules.warmaster.state import (
    UnitContext,
    called,
    cm,
    kept_for,
    kept_of_places,
    kept_while_near,
    kept_while_placed,
    rects_of,
    remembered,
    stands_of,
    unit_of,
)
from tapeline.table.bodies import Body, Unit

__all__ = ["Placement", "aims", "attacked_edges", "line_up", "plan_charge", "who_sees"]


#: Decimals, cm and degrees, of the poses that charges are planned to; how many are remembered.
_PLACES, _REMEMBERED = 8, 1 << 12
#: How closely the ends of what a pace reaches along the way are found, cm.
_LEAST = 1e-8


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A charge with the stand and the edge of it that are attacked."""

    spec: MoveSpec
    stand: str
    edge: str

    @property
    def unit(self) -> str:
        """The unit that charges."""
        return self.spec.unit


@kept_of_places
def attacked_edges(state: State, unit: Unit, body: Body) -> list[str]:
    """The edge of a stand that a unit attacks; two or more where their zones hold as much of it."""
    areas = zones(rect_of(body), rects_of(state, unit), math.radians(ZONE_DEG))
    most = max(areas.values())
    return [edge for edge in EDGES if within(most, areas[edge])]


def visible_by_distance(state: State, unit: Unit, target: Unit) -> list[tuple[float, Body]]:
    """The stands of the target seen from front edges with their distances from the unit, cm, the
    closest first."""
    mine, theirs = stands_of(state, unit), stands_of(state, target)
    seen = [(unit_gap((body,), mine), body) for body in theirs if who_sees(state, unit, body)]
    return sorted(seen, key=lambda pair: round(pair[0], _AS_GOOD))


def who_sees(state: State, unit: Unit, target: Body) -> list[Body]:
    """The stands of a unit that see a stand from their fronts."""
    return [b for b in stands_of(state, unit) if sees_stand(state, b, target, every=False)]


def _room(
    moving: Moving, first: Body, barriers: Iterable[Barrier], target: Rect, edge: str
) -> list[tuple[float, float]]:
    """How far along an edge the first stand has room, with enough of the edge before its front."""
    start, table = rect_of(first), moving.state.table
    # Wherever along the edge it stands, it is in here.
    box = box_about(target, target.reach + 3.0 * start.reach)
    shapes = [barrier.shape for barrier in near_box(barriers, box)]
    if not moving.flying:
        # One that it ends on could not move out from under it any more (WM-STAND-9).
        shapes += [rect_of(body) for body in moving.bodies if body.id != first.id]
    size = (table.width, table.depth)
    return free_offsets(start, shapes, target, edge, FIRST_CONTACT_CM, size)


@BOOK.clause("WM-CHG-3", src="public", bars=Placement, at=Moment.END)
def the_first_stand_meets_the_edge(ask: UnitContext[Placement]) -> Iterator[Finding]:
    """The first stand puts its front on the attacked edge of the closest visible stand that can be
    met, centre to centre or as near to that as room and pace allow, with at least 1 cm of it."""
    study = ask.measure(placed_study)
    action, first = ask.subject, study.stands[0]
    body = ask.state.bodies[action.stand]
    target = rect_of(body)
    attacked = called(ask.state, body.id)
    if ask.state.bodies[first.body.id] not in who_sees(ask.state, study.unit, body):
        text = f"{first.name} goes first without seeing {attacked}."
        yield Finding(text, about=first.body.id)
    offset = offset_along(first.end, target, action.edge)
    place = first.end.centre
    if offset is None:
        if not engaged_stands(ask.state).isdisjoint(study.unit.members):
            return
        text = f"The front of {first.name} is not on the {action.edge} edge of {attacked}."
        yield Finding(text, place=place, about=body.id)
        return
    overlap = 0.5 * (sided(target, action.edge).width + first.start.width) - abs(offset)
    contact = max(0.0, overlap)
    if closer_than(contact, FIRST_CONTACT_CM):
        text = f"{first.name} meets {cm(contact, FIRST_CONTACT_CM)} of the edge; 1 is needed."
        yield Finding(text, contact, FIRST_CONTACT_CM, place, body.id)
        return
    ways = ways_of(ask.state, action.spec)
    room = _room(ways.moving, first.body, first.barriers, target, action.edge)
    for nearer in nearest_to_centre(room):
        pose = opposed(first.start, target, action.edge, nearer)
        if more_than(abs(offset), abs(nearer)) and ways.finds(first.body, pose):
            text = (
                f"{first.name} is {cm(abs(offset), abs(nearer))} from centre to centre; "
                f"there is room at {abs(nearer):.4f}, and a way to it."
            )
            yield Finding(text, abs(offset), abs(nearer), place, body.id)
            return


def placed_study(state: State, placement: Placement) -> MoveStudy:
    """The move of a charge as measured."""
    return study_of(state, placement.spec)


def aims(state: State, spec: MoveSpec) -> list[Body]:
    """The stands of the target that a charge may go at: the closest that is seen, ties all; if no
    stand of the unit that sees it can be placed at its edge, the next closest, and so on. Those of
    the closest where none can. Raises UnknownIdError."""
    return _aims(state, spec.unit, spec.kind, spec.target or "", spec.allowance)


@kept_while_placed
def _aims(state: State, name: str, kind: str, goal: str, allowance: float) -> list[Body]:
    unit, target = unit_of(state, name), unit_of(state, goal)
    spec = MoveSpec(unit=name, kind=kind, stands=(), allowance=allowance, target=goal)
    seen = visible_by_distance(state, unit, target)
    groups: list[list[Body]] = []
    least = -math.inf
    for gap, body in seen:
        if groups and within(gap, least):
            groups[-1].append(body)
        else:
            groups.append([body])
            least = gap
    if len(groups) < 2:
        return groups[0] if groups else []
    ways = ways_of(state, spec)
    # Edges of the zone that the unit is in: those of the closest stand.
    zone = {edge for body in groups[0] for edge in attacked_edges(state, unit, body)}
    for group in groups:
        there = [body for body in group if zone & set(attacked_edges(state, unit, body))]
        if any(_can_be_met(ways, body) for body in there):
            return there
    return groups[0]


def _can_be_met(ways: Ways, body: Body) -> bool:
    moving = ways.moving
    edges = [(body, edge) for edge in attacked_edges(moving.state, moving.unit, body)]
    return any(
        ways.finds(first, pose)
        for first, poses, _ in _first_stands(moving, edges)
        for pose in poses
    )


def first_poses(moving: Moving, first: Body, body: Body, edge: str) -> Iterator[Rect]:
    """Poses of a stand with its front on an edge of an enemy stand, centre to centre or as near to
    that as room and pace allow; then others that it may reach, should no way lead to those: where
    it has most to spare for a way round, and at the ends of the room. Of two as near to the centre
    first the one that the stand is nearer to."""
    start, there = rect_of(first), rect_of(body)
    side, allowance = sided(there, edge), moving.spec.allowance
    along = (-side.uy, side.ux)
    within_reach = shifts_within(start, opposed(start, there, edge), along, allowance)
    if within_reach is None:
        return
    low, high = within_reach

    def work() -> list[tuple[float, float]]:
        heeded = moving.heeded(first, (), box_about(there, 2.0 * start.reach))
        return _room(moving, first, heeded, there, edge)

    key = (moving.spec, first.id, body.id, edge)
    room = remembered(kept_for(moving.state, "warmaster:room"), key, work)
    free = [(max(low, a), min(high, b)) for a, b in room if within(max(low, a), min(high, b))]
    nearest = nearest_to_centre(free)
    at_once: list[float] = []
    if moving.state.option("dist_metric") == "arc":
        # Along their ways corners that turn go farther: the plain way leads less far.
        reached = _followed_within(
            start, partial(opposed, start, there, edge), (low, high), allowance
        )
        if reached is not None:
            stretches = ((max(a, reached[0]), min(b, reached[1])) for a, b in free)
            at_once = nearest_to_centre([(a, b) for a, b in stretches if a <= b])
    others = {at for a, b in free for at in (a, min(max(0.5 * (low + high), a), b), b)}
    tried: set[float] = set()
    for offsets in ({*nearest}, {*at_once}, others):
        offsets -= tried
        tried |= offsets
        poses = [(abs(offset), opposed(start, there, edge, offset)) for offset in offsets]
        poses.sort(
            key=lambda p: (round(p[0], _AS_GOOD), round(least_travel(start, p[1]), _AS_GOOD))
        )
        yield from (_to_the_grid(pose) for _, pose in poses)


def _followed_within(
    start: Rect, pose_at: Callable[[float], Rect], stretch: tuple[float, float], far: float
) -> tuple[float, float] | None:
    """The shifts of an end at which one free leg to it is no longer than that along the ways of the
    corners; these are convex in the shift, so they are one stretch. None if there are none."""

    def gone(shift: float) -> float:
        return free_travel(start, pose_at(shift))

    least = least_of_convex(gone, *stretch, _LEAST, far)
    if gone(least) > far:
        return None
    ends = []
    for end in stretch:
        inside, outside = least, end
        if gone(end) <= far:
            inside = end
        while abs(outside - inside) > _LEAST:
            middle = 0.5 * (inside + outside)
            inside, outside = (middle, outside) if gone(middle) <= far else (inside, middle)
        ends.append(inside)
    return ends[0], ends[1]


@lru_cache(maxsize=_REMEMBERED)
def _to_the_grid(pose: Rect) -> Rect:
    """A pose told by few enough digits that the ways to it, whatever they are, end at the same."""
    degrees = round(math.degrees(pose.facing), _PLACES) % 360.0
    x, y = round(pose.x, _PLACES), round(pose.y, _PLACES)
    return Rect.of_degrees(x, y, degrees, pose.width, pose.depth)


@dataclass(frozen=True, slots=True)
class LineUp:
    """A charge placed: stands in order with their ways, how many of them touch the target, how far
    the farthest goes at least and really, cm, and where they end."""

    stands: tuple[StandMove, ...]
    touching: int
    far: float
    gone: float
    ends: tuple[Rect, ...] = ()


def has_room(
    state: State, place: Rect, placed: Sequence[Rect], barriers: Sequence[Barrier]
) -> bool:
    """Whether a stand may end at a pose: on the table, on nothing that it has to heed."""
    width, depth = state.table.width, state.table.depth
    for x, y in place.corners:
        if more_than(-x, 0.0) or more_than(x, width) or more_than(-y, 0.0) or more_than(y, depth):
            return False
    if any(overlaps(place, rect, TOLERANCE) for rect in placed):
        return False
    return not any(
        overlaps(place, barrier.shape, TOLERANCE)
        for barrier in near_box(barriers, box_about(place))
        if barrier.sort in ("foe", "friend", "terrain")
    )


def _beside_unit(moving: Moving, first: Body, end: Rect) -> list[Barrier]:
    """The barriers near the stands of a unit, or near such as are placed side by side from where
    its first ends on."""
    barriers = moving.heeded(first, (), box_about(end, moving.spec.allowance))
    rects = [end, *(rect_of(body) for body in moving.bodies)]
    return near_box(barriers, box_about_all(rects, sum(3.0 * rect.reach for rect in rects)))


#: Decimals, cm, to which places are told apart when the best is taken: of those as good but for
#: rounding the first, so that a plan does not hang on how the table is turned.
_AS_GOOD = 6


def _far(point: Point, place: Rect) -> float:
    return round(math.dist(point, place.centre), _AS_GOOD)


def _touching(placed: Sequence[Rect], foes: Sequence[Rect]) -> Iterator[Rect]:
    """Poses beside placed stands that touch the target: in line, or as far forward or back of it
    as brings them into contact."""
    for pose in beside(placed, placed[0]):
        if in_touch([pose], foes) and not any(overlaps(pose, foe, TOLERANCE) for foe in foes):
            yield pose
            continue
        back = pose.moved(-pose.depth * pose.ux, -pose.depth * pose.uy)
        met = []
        for foe in foes:
            _, contact = slide_into(
                back, foe, (pose.ux, pose.uy), 2.0 * pose.depth, 0.5 * TOLERANCE
            )
            met += [] if contact is None else [contact.at]
        if met and min(met) > 0.0:
            yield back.moved(min(met) * pose.ux, min(met) * pose.uy)


#: Ways that are looked for while a line with so many stands in contact is sought; what takes more
#: counts as not found.
_LOOKED_FOR = 40
#: Stands after the first whose lines are soon tried.
_FEW = 2


def _placed(moving: Moving, studies: Iterable[StandStudy]) -> list[Barrier]:
    """Stands that have moved, as those that follow must heed them."""
    return [replace(moving.placed(s), shape=_to_the_grid(s.end)) for s in studies]


class _Lining:
    """The stands of one charge after the first, with what has been found out about their ways."""

    def __init__(self, ways: Ways, first: Body, end: Rect, foes: Sequence[Rect]) -> None:
        moving = ways.moving
        self.moving, self.ways, self.foes = moving, ways, foes
        self.others = [body for body in moving.bodies if body.id != first.id]
        self.barriers = _beside_unit(moving, first, end)
        self.looked_for = 0
        self._known: dict[tuple[str, Rect, tuple[Rect, ...]], StandStudy] = {}
        self._barred: dict[tuple[str, Rect], list[set[Rect]]] = {}
        self._dead: set[tuple[frozenset[tuple[str, Rect]], int]] = set()

    def way(self, body: Body, place: Rect, placed: Sequence[StandStudy]) -> StandStudy | None:
        """A way of a stand to a place after others have been placed, if one is found."""
        ends = tuple(_to_the_grid(study.end) for study in placed)
        key, barred = (body.id, place, ends), self._barred.setdefault((body.id, place), [])
        # Those placed only take away ground, unless they fight and leave some.
        fights, there = self.moving.fights, set(ends)
        known = any(some == there if fights else some <= there for some in barred)
        if known or key in self._known or self.looked_for >= _LOOKED_FOR:
            return self._known.get(key)
        found = None
        if self.ways.affords_end(body, place) and has_room(
            self.moving.state, place, ends, self.barriers
        ):
            self.looked_for += 1
            found = self.ways.way(body, place, _placed(self.moving, placed), detours=True)
        if found is None:
            barred.append(there)
        else:
            self._known[key] = found
        return found

    def most(self, first: StandStudy) -> int:
        """How many more there is room for in contact, at most: places that overlap one another
        count each; of many stands only places to which some of them has a way past the first."""
        taken = [_to_the_grid(first.end)]
        # Ways to look for cost more than they spare where few stands are to be placed.
        any_place = self.moving.fights or len(self.others) <= _FEW
        for rect in taken:
            for place in _touching([rect], self.foes) if len(taken) <= len(self.others) else ():
                if all(_far(place.centre, other) > TOLERANCE for other in taken) and (
                    any_place or self._is_reached(_to_the_grid(place), first)
                ):
                    taken.append(place)
        return min(len(taken) - 1, len(self.others))

    def _is_reached(self, place: Rect, first: StandStudy) -> bool:
        nearest = sorted(self.others, key=lambda body: _far(body.centre, place))
        return any(self.way(body, place, (first,)) is not None for body in nearest)

    def touching(
        self, placed: tuple[StandStudy, ...], left: tuple[Body, ...], more: int
    ) -> tuple[StandStudy, ...] | None:
        """All stands placed, so many more of those left in contact, the rest wherever there is room
        beside or behind; None if it is not found."""
        if not left:
            return placed
        ends = [_to_the_grid(study.end) for study in placed]
        state = frozenset((s.body.id, end) for s, end in zip(placed, ends, strict=True)), more
        if state in self._dead:
            return None
        self._dead.add(state)
        places = sorted(
            _touching(ends, self.foes) if more > 0 else (),
            key=lambda place: (
                -round(front_contact(place, self.foes), _AS_GOOD),
                min(_far(body.centre, place) for body in left),
            ),
        )
        for place in places:
            for body in sorted(left, key=lambda b: _far(b.centre, place)):
                found = self._after(placed, left, more - 1, body, place)
                if found is not None:
                    return found
        if len(left) == more:
            return None
        for body in left:
            # While others are to touch, only what stands on a place of theirs need make way first.
            if more > 0 and not any(overlaps(rect_of(body), p, TOLERANCE) for p in places):
                continue
            around = (rect_of(body), *beside(ends, ends[0]), *behind(ends, ends[0]))
            near = sorted(around, key=lambda place: _far(body.centre, place))
            for place in itertools.chain(near, self._staggered(body, ends, left)):
                if any(in_contact(place, end) for end in ends):
                    found = self._after(placed, left, more, body, place)
                    if found is not None:
                        return found
        return None

    def _staggered(
        self, body: Body, placed: Sequence[Rect], left: Iterable[Body]
    ) -> Iterator[Rect]:
        """Places of a stand staggered against placed ones, along their sides and rear: nearest to
        where it is and at the ends of the room there, then by the shortest way, as it faces."""
        start, table = rect_of(body), self.moving.state.table
        size = table.width, table.depth
        shapes: list[Rect | Region] = [barrier.shape for barrier in self.barriers]
        shapes += [*placed, *(rect_of(other) for other in left if other.id != body.id)]
        found = []
        for rect in placed:
            for edge in ("left", "rear", "right"):
                # Faced as those placed it lies along their sides with a side of its own.
                lying = start if edge == "rear" else sided(start, "left")
                to_side = sided(rect, edge).local(start.centre)[1]
                for low, high in free_offsets(lying, shapes, rect, edge, 0.0, size):
                    for offset in (low, min(max(to_side, low), high), high):
                        at = opposed(lying, rect, edge, offset)
                        found.append(replace(rect, x=at.x, y=at.y))
        yield from sorted(found, key=lambda place: _far(body.centre, place))
        lie = min((apart(start, rect) for rect in placed), key=lambda lie: lie.gap)
        yield start.moved(lie.on_b[0] - lie.on_a[0], lie.on_b[1] - lie.on_a[1])

    def _after(
        self,
        placed: tuple[StandStudy, ...],
        left: tuple[Body, ...],
        more: int,
        body: Body,
        place: Rect,
    ) -> tuple[StandStudy, ...] | None:
        """All stands placed, one of those left at a place before the others."""
        rest = tuple(other for other in left if other.id != body.id)
        on_some = any(overlaps(place, rect_of(other), TOLERANCE) for other in rest)
        # One that it ends on could not move out from under it any more (WM-STAND-9).
        barred = on_some and not self.moving.flying
        study = None if barred else self.way(body, _to_the_grid(place), placed)
        return None if study is None else self.touching((*placed, study), rest, more)


def line_up(
    ways: Ways, first: StandStudy, foes: Sequence[Rect], more_than_that: int = 0
) -> LineUp | None:
    """A charge whose first stand has its way, with as many stands in contact as one is found with;
    None if none is found with more than so many."""
    key = (ways.moving.spec, first.body.id, first.path, more_than_that)
    known = kept_for(ways.moving.state, "warmaster:lines")
    return remembered(known, key, lambda: _lined_up(ways, first, foes, more_than_that))


def _lined_up(
    ways: Ways, first: StandStudy, foes: Sequence[Rect], more_than_that: int
) -> LineUp | None:
    lining = _Lining(ways, first.body, _to_the_grid(first.end), foes)
    others = tuple(lining.others)
    for more in range(lining.most(first), -1, -1):
        lining.looked_for = 0
        if in_touch([first.end], foes) + more <= more_than_that:
            return None
        found = lining.touching((first,), others, more)
        if found is not None:
            moves = tuple(StandMove(stand=s.body.id, path=s.path) for s in found)
            far = max(_way_to(s.body, s.end) for s in found)
            ends = tuple(_to_the_grid(s.end) for s in found)
            return LineUp(
                moves, in_touch(ends, foes), far, _farthest(ways.moving.state, found), ends
            )
    return None


@BOOK.clause("WM-CHG-4", src="public", bars=Placement, at=Moment.END)
def the_others_beside_it(ask: UnitContext[Placement]) -> Iterator[Finding]:
    """The other stands line up beside the first, as many in contact as any way can bring, each
    with as much front in contact as it can."""
    study = ask.measure(placed_study)
    target = ask.state.units[ask.subject.spec.target or ""]
    foes = rects_of(ask.state, target)
    if not any(in_contact(study.stands[0].end, foe) for foe in foes):
        text = f"The charge does not bring {study.unit.name} into contact with {target.name}."
        yield Finding(text, about=target.id)
        return
    ways = ways_of(ask.state, ask.subject.spec)
    found = list(_more_front(ways, study, foes))
    yield from found
    got = in_touch(study.ends, foes)
    if got < len(study.stands) and not found:
        line = line_up(ways, study.stands[0], foes, got)
        if line is not None:
            text = f"{got} of its stands come into contact; {line.touching} can."
            yield Finding(text, got, line.touching, about=target.id)


def _more_front(ways: Ways, study: MoveStudy, foes: Sequence[Rect]) -> Iterator[Finding]:
    """Stands that could have had more of their front in contact beside those placed before them,
    where no other ends."""
    for index, stand in enumerate(study.stands[1:], 1):
        before = study.stands[:index]
        # Those placed only take away ground, unless they fight and leave some.
        fewer = [before] if ways.moving.fights else [before[:1], before]
        others = [s.end for s in study.stands if s is not stand]
        got = front_contact(stand.end, foes)
        poses = map(_to_the_grid, beside([s.end for s in before], stand.start))
        offers = [(front_contact(pose, foes), pose) for pose in poses]
        for could, pose in sorted(offers, key=lambda offer: -round(offer[0], _AS_GOOD)):
            if (
                more_than(could, got)
                and has_room(study.state, pose, others, stand.barriers)
                and all(ways.finds(stand.body, pose, _placed(ways.moving, few)) for few in fewer)
            ):
                text = (
                    f"{stand.name} has {cm(got, could)} of its front in contact; beside the "
                    f"others it could have {could:.4f}."
                )
                yield Finding(text, got, could, pose.centre, stand.body.id)
                break


def plan_charge(
    state: State, spec: MoveSpec, at: tuple[str, str] | None = None
) -> tuple[StandMove, ...]:
    """Stands in order with their ways into the target of a charge; the best found, which need not
    be legal. Empty where nothing of the target is seen. Raises UnknownIdError.

    at: the stand and the edge of it to go at, where that is settled (WM-CHG-2). It is the charge
    that brings most stands into contact, of those found, and of these the one whose farthest stand
    goes least far; else the best tried.
    """
    unit, target = unit_of(state, spec.unit), unit_of(state, spec.target or "")
    return kept_while_near(
        state,
        ("charge", spec, at),
        (unit, target),
        heeds_within(state, spec),
        lambda: _planned(state, spec, at),
    )


def _planned(state: State, spec: MoveSpec, at: tuple[str, str] | None) -> tuple[StandMove, ...]:
    ways = ways_of(state, spec)
    moving = ways.moving
    foes = rects_of(state, unit_of(state, spec.target or ""))
    tried: MovePlan | None = None
    best = LineUp((), 0, math.inf, math.inf)
    for first, poses, shortest in _first_stands(moving, _goals(state, spec, at)):
        # Where all touch already only a shorter way of the farthest is better.
        whole = best.touching == len(moving.bodies)
        if whole and shortest >= best.far:
            continue
        for pose in itertools.islice(poses, 1) if whole else poses:
            study = None if whole else ways.way(first, pose, (), detours=True)
            # A plan is whole only if the first stand has its way; else one shows what was tried.
            useful = whole or study is not None or not (best.stands or tried)
            for ends in _arranged(moving, first, pose, foes, best.ends) if useful else ():
                touching = in_touch(list(ends.values()), foes)
                far = max(_way_to(body, ends[body.id]) for body in moving.bodies)
                more = touching - best.touching
                if more > 0 or not best.stands or (more == 0 and far < best.far):
                    plan = plan_move(state, spec, ends, first=first.id)
                    tried = tried or plan
                    if plan.whole and touching > 0:
                        went = study_of(state, replace(spec, stands=plan.stands)).stands
                        gone = _farthest(state, went)
                        if more > 0 or gone < best.gone:
                            best = LineUp(plan.stands, touching, far, gone, tuple(ends.values()))
                        else:
                            best = replace(best, far=far)
            if study is not None:
                best = line_up(ways, study, foes, best.touching) or best
                # Farther from the centre it may not go, once there is a way to here.
                break
    return best.stands or (() if tried is None else tried.stands)


def _goals(state: State, spec: MoveSpec, at: tuple[str, str] | None) -> list[tuple[Body, str]]:
    """Stands of the target with the edges of them that may be attacked."""
    if at is not None:
        return [(state.bodies[at[0]], at[1])]
    unit = unit_of(state, spec.unit)
    return [(b, edge) for b in aims(state, spec) for edge in attacked_edges(state, unit, b)]


def _farthest(state: State, stands: Iterable[StandStudy]) -> float:
    """How far the farthest of some stands goes on its way, cm."""
    metric = state.option("dist_metric")
    return max(round(stand.distance(metric), _AS_GOOD) for stand in stands)


def _way_to(body: Body, pose: Rect) -> float:
    """How far the corners of a stand travel at least to a pose, cm."""
    return round(least_travel(rect_of(body), pose), _AS_GOOD)


def _first_stands(
    moving: Moving, goals: Iterable[tuple[Body, str]]
) -> Iterator[tuple[Body, Iterator[Rect], float]]:
    """Stands that may go first, with the poses on the attacked edge that they may go to and how far
    it is to centre to centre, cm."""
    for body, edge in goals:
        for first in who_sees(moving.state, moving.unit, body):
            start = rect_of(first)
            length = _way_to(first, opposed(start, rect_of(body), edge))
            yield first, first_poses(moving, first, body, edge), length


def _places(
    moving: Moving, first: Body, pose: Rect, foes: Sequence[Rect]
) -> dict[str, Rect] | None:
    """A place for every stand: the first at its pose; then, one by one, where most of a front is on
    the enemy, beside rather than behind, near to the unit. None if there is no room."""
    barriers = _beside_unit(moving, first, pose)
    others = [body for body in moving.bodies if body.id != first.id]
    rects = [rect_of(body) for body in others]
    x0, y0 = middle([rect_of(body) for body in moving.bodies])
    taken = [pose]
    worth: dict[tuple[int, Rect], tuple[float, int, float] | None] = {}

    def weighed(rank: int, place: Rect) -> tuple[float, int, float] | None:
        """How good a place is, the least the best; None if no stand gets there or has room."""
        near = (affords(least_travel(rect, place), moving.spec.allowance) for rect in rects)
        if not any(near) or not has_room(moving.state, place, (), barriers):
            return None
        away = math.hypot(place.x - x0, place.y - y0)
        return -round(front_contact(place, foes), _AS_GOOD), rank, round(away, _AS_GOOD)

    for _ in others:
        best: tuple[tuple[float, int, float], Rect] | None = None
        for offer in _offered(taken):
            if offer not in worth:
                worth[offer] = weighed(*offer)
            key = worth[offer]
            if key is None or (best is not None and key >= best[0]):
                continue
            if not any(overlaps(offer[1], rect, TOLERANCE) for rect in taken):
                best = (key, offer[1])
        if best is None:
            return None
        taken.append(_to_the_grid(best[1]))
    return _shared(moving, first, pose, taken[1:])


def _shared(moving: Moving, first: Body, pose: Rect, rest: Sequence[Rect]) -> dict[str, Rect]:
    """The first stand at its pose, the others where the farthest has least to go."""
    others = [body for body in moving.bodies if body.id != first.id]
    places = shared_out([rect_of(body) for body in others], rest)
    return {first.id: pose, **{b.id: place for b, place in zip(others, places, strict=True)}}


def _arranged(
    moving: Moving, first: Body, pose: Rect, foes: Sequence[Rect], known: Sequence[Rect]
) -> Iterator[dict[str, Rect]]:
    """Places for all stands, the first at its pose; then those of a charge that is known, if that
    pose is one of them, with the stands changed about."""
    placed = _places(moving, first, pose, foes)
    if placed is not None:
        yield placed
    rest = [place for place in known if _far(pose.centre, place) > TOLERANCE]
    if known and len(rest) == len(moving.bodies) - 1:
        yield _shared(moving, first, pose, rest)


def _offered(placed: Sequence[Rect]) -> Iterator[tuple[int, Rect]]:
    """Places beside those taken, then behind them."""
    yield from ((0, place) for place in beside(placed, placed[0]))
    yield from ((1, place) for place in behind(placed, placed[0]))
