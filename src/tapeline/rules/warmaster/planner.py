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
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.gaps import narrow_places
from tapeline.rules.warmaster.moving import Barrier, MoveSpec, Moving, StandStudy
from tapeline.rules.warmaster.stands import Point, rect_of, touch
from tapeline.table.bodies import Body

__all__ = ["Plan", "plan_move"]

#: Orders of stands tried, at most: all of those of four stands.
_ORDERS = 24
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
    for point in points[:24]:
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
    metric = state.option("dist_metric")
    best: tuple[int, tuple[StandMove, ...]] = (-1, ())
    for order in _orders(moving.bodies, ends, pivot):
        if (first and order[0].id != first) or not _can_place(order, ends):
            continue
        placed: list[Barrier] = []
        moves: list[StandMove] = []
        found = 0
        for body in order:
            study = _way(moving, body, ends[body.id], placed, metric, pivot)
            clear = _clear(study, spec, metric)
            found += clear
            moves.append(StandMove(stand=body.id, path=study.path))
            placed.append(moving.placed(study))
            if not clear:
                break
        if found == len(order):
            return Plan(tuple(moves), True)
        if found > best[0]:
            rest = [
                StandMove(stand=body.id, path=next(_ways(rect_of(body), ends[body.id], pivot)))
                for body in order[len(moves) :]
            ]
            best = (found, (*moves, *rest))
    return Plan(best[1], False)


def _way(
    moving: Moving,
    body: Body,
    end: Rect,
    placed: Sequence[Barrier],
    metric: str,
    pivot: Point | None,
) -> StandStudy:
    """The first clear way of a stand to a pose; if there is none, the plainest."""
    start = rect_of(body)
    plain: StandStudy | None = None
    hit: set[str] = set()
    for path in _ways(start, end, pivot):
        study = moving.stand(body, path, placed)
        if _clear(study, moving.spec, metric):
            return study
        hit |= {meeting.id for meeting in study.meetings}
        plain = plain or study
    assert plain is not None
    if not hit:
        return plain
    in_the_way = [b for b in plain.barriers if b.id in hit]
    # What stands on the end leaves no way at all.
    if any(separation(end, b.shape).depth > TOLERANCE for b in plain.barriers if b.sort != "foe"):
        return plain
    for path in _round(start, end, in_the_way):
        study = moving.stand(body, path, placed)
        if _clear(study, moving.spec, metric):
            return study
    return plain
