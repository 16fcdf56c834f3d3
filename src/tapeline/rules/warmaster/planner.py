"""From the places where stands are to end to an order of stands and a path for each.

The plan is judged by the same clauses as one that a player gives; where none is found, the reasons
are those against the best one tried.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.moving import Barrier, MoveSpec, Moving, StandStudy
from tapeline.rules.warmaster.stands import Point, rect_of, touch
from tapeline.rules.warmaster.ways import Ways, plain_ways
from tapeline.table.bodies import Body

__all__ = ["Plan", "plan_move"]

#: Orders of stands tried, at most: all of those of four stands.
_ORDERS = 24
#: Orders in which ways round are looked for, those that got farthest without first.
_ROUND = 3


@dataclass(frozen=True, slots=True)
class Plan:
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

    def _shut_in(self, body: Body) -> bool:
        """Whether a stand for which no way round was found finds none with no stand placed either:
        those placed only take away ground."""
        failed = (
            found is None and name == body.id and round_it
            for (name, _, round_it), found in self._found.items()
        )
        return any(failed) and self._way(body, (), detours=True) is None


def plan_move(
    state: State,
    spec: MoveSpec,
    ends: Mapping[str, Rect],
    pivot: Point | None = None,
    first: str = "",
    *,
    detours: bool = True,
    ways: Ways | None = None,
) -> Plan:
    """An order of stands and a way for each to the places given.

    spec: the move without its stands. ends: a pose for every stand of the unit. pivot: a point
    about which all of them turn, tried first. first: the stand that must go first, if one must.
    detours: whether to look for ways round what is in the way. ways: of the same unit and kind of
    move in the same state, if moves of it are planned again and again. Raises UnknownIdError.
    """
    planner = _Planner(Ways(Moving(state, spec)) if ways is None else ways, ends, pivot)
    orders = [
        order
        for order in _orders(planner.moving.bodies, ends, pivot)
        if (not first or order[0].id == first) and _can_place(order, ends)
    ]
    plain: list[tuple[int, int, tuple[Body, ...]]] = []
    for number, order in enumerate(orders):
        moves = planner.moves(order, detours=False)
        if len(moves) == len(order):
            return Plan(tuple(moves), True, len(orders))
        plain.append((-len(moves), number, order))
    best: tuple[tuple[Body, ...], list[StandMove]] = ((), [])
    # Ways round what is in the way, for the orders that came farthest without.
    for _, _, order in sorted(plain, key=lambda entry: entry[:2])[:_ROUND]:
        moves = planner.moves(order, detours=detours)
        if len(moves) == len(order):
            return Plan(tuple(moves), True, len(orders))
        if not best[0] or len(moves) > len(best[1]):
            best = (order, moves)
    rest = [
        StandMove(stand=body.id, path=next(plain_ways(rect_of(body), ends[body.id], pivot)))
        for body in best[0][len(best[1]) :]
    ]
    return Plan((*best[1], *rest), False, len(orders))
