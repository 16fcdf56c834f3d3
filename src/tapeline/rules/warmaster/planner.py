"""From the places where stands are to end to an order of stands and a path for each.

The plan is judged by the same clauses as one that a player gives; where none is found, the reasons
are those against the best one tried.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tapeline.engine.limits import TOLERANCE, affords
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect, separation
from tapeline.geometry.rectangles.travel import travel_of
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.gaps import narrow_places
from tapeline.rules.warmaster.moving import Barrier, MoveSpec, Moving, StandStudy, motions
from tapeline.rules.warmaster.stands import Point, rect_of, touch
from tapeline.table.bodies import Body

__all__ = ["Plan", "plan_move"]

#: Orders of stands tried, at most: all of those of four stands.
_ORDERS = 24
#: Points tried for a detour, the shortest first.
_DETOURS = 10
#: How far round the corners of what is in the way a detour goes, cm.
_CLEAR = 1e-4


@dataclass(frozen=True, slots=True)
class Plan:
    """Stands in order with their paths. whole: whether every stand has a clear way."""

    stands: tuple[StandMove, ...]
    whole: bool


def _turn(start: Rect, end: Rect) -> float:
    """The smaller angle from one facing to another, degrees."""
    cross = start.ux * end.uy - start.uy * end.ux
    dot = start.ux * end.ux + start.uy * end.uy
    return math.degrees(math.atan2(cross, dot))


def _ways(start: Rect, end: Rect, pivot: Point | None) -> Iterator[LegPath]:
    """Simple ways from pose to pose, the plainest first."""
    to = (end.x, end.y)
    by = _turn(start, end)
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


def _round(start: Rect, end: Rect, barriers: Sequence[Barrier]) -> Iterator[LegPath]:
    """Ways by one point: level with the end, or past a corner of what is in the way."""
    to = (end.x, end.y)
    by = _turn(start, end)
    turned = abs(math.radians(by)) * start.reach > TOLERANCE
    # Square to the end's facing: beside it, before it, behind it, then straight in.
    points = []
    for reach in (0.5 * end.depth, end.depth, 2.0 * end.depth):
        points += [end.world(reach, 0.0), end.world(-reach, 0.0)]
    forward, left = end.local((start.x, start.y))
    points += [end.world(forward, 0.0), end.world(0.0, left)]
    for barrier in barriers:
        if not isinstance(barrier.shape, Rect):
            continue
        shape = barrier.shape
        for a in (0.5 * (shape.depth + start.depth), 0.5 * (shape.depth + start.width)):
            for b in (0.5 * (shape.width + start.width), 0.5 * (shape.width + start.depth)):
                for sa, sb in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                    points.append(shape.world(sa * (a + _CLEAR), sb * (b + _CLEAR)))
    points.sort(key=lambda p: math.dist((start.x, start.y), p) + math.dist(p, to))
    for point in points[:_DETOURS]:
        if turned:
            yield (Leg(to=point, by=by, how="free"), Leg(to=to))
            yield (Leg(to=point), Leg(to=to, by=by, how="free"))
        else:
            yield (Leg(to=point), Leg(to=to))


def _clear(study: StandStudy, spec: MoveSpec, metric: str) -> bool:
    """Whether nothing is in the way, no gap is too narrow and the distance is within bounds."""
    if study.meetings or not affords(study.distance(metric), spec.allowance):
        return False
    edge = min(study.start.width, study.start.depth)
    if next(narrow_places(study, study.barriers, edge, strict=True), None) is not None:
        return False
    if spec.charges:
        return True
    return not any(
        "foe" in (narrow.a.sort, narrow.b.sort)
        for narrow in narrow_places(study, study.barriers, study.start.width, strict=False)
    )


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


def plan_move(
    state: State,
    spec: MoveSpec,
    ends: Mapping[str, Rect],
    pivot: Point | None = None,
    first: str = "",
) -> Plan:
    """An order of stands and a way for each to the places given.

    spec: the move without its stands. ends: a pose for every stand of the unit. pivot: a point
    about which all of them turn, tried first. first: the stand that must go first, if one must.
    Raises UnknownIdError.
    """
    moving = Moving(state, spec)
    orders = [
        order
        for order in _orders(moving.bodies, ends, pivot)
        if (not first or order[0].id == first) and _can_place(order, ends)
    ]
    best: tuple[int, tuple[Body, ...], tuple[StandMove, ...]] = (-1, (), ())
    for order in orders:
        moves = _moves(moving, order, ends, pivot, detours=False)
        if len(moves) == len(order):
            return Plan(tuple(moves), True)
        if len(moves) > best[0]:
            best = (len(moves), order, tuple(moves))
    if not best[1]:
        return Plan((), False)
    # Ways round what is in the way, for the order that came farthest without.
    moves = _moves(moving, best[1], ends, pivot, detours=True)
    if len(moves) == len(best[1]):
        return Plan(tuple(moves), True)
    rest = [
        StandMove(stand=body.id, path=next(_ways(rect_of(body), ends[body.id], pivot)))
        for body in best[1][len(moves) :]
    ]
    return Plan((*moves, *rest), False)


def _moves(
    moving: Moving,
    order: Sequence[Body],
    ends: Mapping[str, Rect],
    pivot: Point | None,
    *,
    detours: bool,
) -> list[StandMove]:
    """Clear ways for stands in an order, as far as there are any."""
    placed: list[Barrier] = []
    moves: list[StandMove] = []
    for body in order:
        study = _way(moving, body, ends[body.id], placed, pivot, detours=detours)
        if study is None:
            break
        moves.append(StandMove(stand=body.id, path=study.path))
        placed.append(moving.placed(study))
    return moves


def _way(
    moving: Moving,
    body: Body,
    end: Rect,
    placed: Sequence[Barrier],
    pivot: Point | None,
    *,
    detours: bool,
) -> StandStudy | None:
    """The first clear way of a stand to a pose; None if none is found."""
    metric = moving.state.option("dist_metric")
    start = rect_of(body)
    hit: dict[str, Barrier] = {}
    for path in _ways(start, end, pivot):
        study = _tried(moving, body, path, placed, metric)
        if study is None:
            continue
        if _clear(study, moving.spec, metric):
            return study
        met = {meeting.id for meeting in study.meetings}
        hit |= {barrier.id: barrier for barrier in study.barriers if barrier.id in met}
    if not detours or not hit:
        return None
    # What stands on the end leaves no way at all.
    if any(separation(end, barrier.shape).depth > TOLERANCE for barrier in hit.values()):
        return None
    for path in _round(start, end, list(hit.values())):
        study = _tried(moving, body, path, placed, metric)
        if study is not None and _clear(study, moving.spec, metric):
            return study
    return None


def _tried(
    moving: Moving, body: Body, path: LegPath, placed: Sequence[Barrier], metric: str
) -> StandStudy | None:
    """A way looked at, unless it is longer than the move."""
    legs, poses = motions(body, path)
    travel = travel_of(poses[0], legs)
    distance = travel.farthest_straight if metric == "straight" else travel.farthest_followed
    if not affords(distance, moving.spec.allowance):
        return None
    return moving.stand(body, path, placed)
