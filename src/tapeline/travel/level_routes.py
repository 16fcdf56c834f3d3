"""Shortest routes on one level among what stands in the way there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Place, legs_of
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, ShortestPath
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Arc, Line, Point
from tapeline.geometry.plane.sweeps import (
    spans_inside_ring,
    spans_near_point,
    spans_near_segment,
    without,
)
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import Solid
from tapeline.travel.route import Route
from tapeline.travel.table_edge import edges_of, ring_of
from tapeline.travel.terrain import Terrain

__all__ = ["Disc", "LevelRoutes", "shortest_to"]

_ALL: Box = (-math.inf, -math.inf, math.inf, math.inf)
#: How far beyond start and goal pieces are looked at before all of them are, table units.
_MARGINS = (3.0, 9.0)


class Disc(NamedTuple):
    """A circle on the plan, table units."""

    x: float
    y: float
    radius: float


def _meets(disc: Disc, box: Box) -> bool:
    x, y, r = disc
    return box[0] <= x + r and x - r <= box[2] and box[1] <= y + r and y - r <= box[3]


def _inside(inner: Box, outer: Box) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def _turned(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Angular intervals joined where they overlap or touch, across the zero angle too."""
    joined: list[tuple[float, float]] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1] + 1e-12:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    if len(joined) > 1 and joined[0][0] <= 1e-12 and joined[-1][1] >= math.tau - 1e-12:
        first = joined.pop(0)
        joined[-1] = (joined[-1][0], first[1] + math.tau)
    return joined


def shortest_to(
    field: Field, start: Point, goals: Sequence[CircleGoal], limit: float = math.inf
) -> ShortestPath | None:
    """The shortest route to the nearest of some circles, in a field that says of each thing how
    far the centre keeps off; None if there is none within a limit."""
    return field.route(start, goals, 0.0, limit=limit, slack=TOLERANCE).route


class LevelRoutes:
    """Shortest routes of round bases among what is impassable at their height, on one level.

    inset: how far in from the edge of the table the centre of a base stays; None if it may leave.
    bars: what stands in the way of a model at its height, near a box.
    """

    def __init__(
        self,
        terrain: Terrain,
        inset: Callable[[Body], float | None],
        bars: Callable[[Body, Box], Iterable[Solid]],
    ) -> None:
        self.terrain, self.table, self.inset, self.bars = terrain, terrain.table, inset, bars
        self._fields: dict[tuple[object, ...], Field] = {}

    def obstacles(self, body: Body, box: Box = _ALL) -> list[Plan]:
        """Outlines of what is in the way of a model, near a box."""
        return [solid.ground for solid in self.bars(body, box)]

    def _border(self, body: Body) -> tuple[float, float, float, float] | None:
        inset = self.inset(body)
        if inset is None:
            return None
        return inset, inset, self.table.width - inset, self.table.depth - inset

    def field(
        self,
        body: Body,
        *,
        discs: Sequence[Disc] = (),
        forbid: bool = False,
        beyond: bool = False,
        near: Box | None = None,
    ) -> Field:
        """What the centre of a model keeps out of: impassable pieces and further discs.

        forbid: whether Dangerous ground is gone round as well, but what it is in. beyond: but what
        touches that too. near: only pieces that meet the box count, for routes that cannot leave
        it.
        """
        r, border = body.base.reach, self._border(body)
        hazards = self.terrain.hazards_off(body, beyond) if forbid else frozenset[int]()
        key = (r, border, hazards, body.z, self.terrain.policy.height(body))
        if not discs and near is None and key in self._fields:
            return self._fields[key]
        plans = [(plan, r) for plan in self.obstacles(body, _ALL if near is None else near)]
        patches = self.terrain.hazards_near(_ALL if near is None else near, hazards)
        plans += [(patch.plan, 0.0) for patch in patches]
        solids = [(plan.ring, more) for plan, more in plans if plan.ring is not None and more]
        posts = [(*plan.circle[:2], plan.circle[2] + more) for plan, more in plans if plan.circle]
        found = Field.of(
            solids=[ring for ring, _ in solids],
            thickness=[more for _, more in solids],
            grounds=[plan.ring for plan, more in plans if plan.ring is not None and not more],
            posts=[*discs, *posts],
            box=border or _ALL,
        )
        if not discs and near is None:
            self._fields[key] = found
        return found

    def routes(self, field: Field, start: Point, goals: Sequence[CircleGoal]) -> list[Route]:
        """The shortest routes to the nearest of some circles: one, or all that tie."""
        found = shortest_to(field, start, goals)
        if found is None:
            return []
        return [
            Route.read(Place(*start, 0.0), legs_of(route.path.legs))
            for route in (found, *found.ties)
        ]

    def routes_to(
        self,
        body: Body,
        start: Point,
        goal: Disc,
        *,
        forbid: bool = False,
        beyond: bool = False,
        discs: Sequence[Disc] = (),
    ) -> list[Route]:
        """The shortest routes of a model to a circle: one, or all that tie.

        Sought first among the pieces near start and goal: fewer obstacles never make a route
        longer, so one that stays near them and is the shortest there is the shortest of all, and
        where not even they let one through there is none.
        """
        r, goals = body.base.reach, [CircleGoal(*goal)]
        for margin in _MARGINS:
            reach = goal.radius + r + margin
            near = (
                min(start[0] - r - margin, goal.x - reach),
                min(start[1] - r - margin, goal.y - reach),
                max(start[0] + r + margin, goal.x + reach),
                max(start[1] + r + margin, goal.y + reach),
            )
            meet = [disc for disc in discs if _meets(disc, near)]
            field = self.field(body, discs=meet, forbid=forbid, beyond=beyond, near=near)
            found = self.routes(field, start, goals)
            if not found or all(_inside(track.box(r), near) for track in found):
                return found
        whole = self.field(body, discs=discs, forbid=forbid, beyond=beyond)
        return self.routes(whole, start, goals)

    def straight(self, field: Field, start: Point, goal: Disc) -> Route | None:
        """The straight way to a circle from outside, if it is free."""
        d = math.dist(start, (goal.x, goal.y))
        if d <= goal.radius:
            return None
        k = (d - goal.radius) / d
        x, y = start[0] + k * (goal.x - start[0]), start[1] + k * (goal.y - start[1])
        free = field.standable(*start, 0.0, TOLERANCE)
        if free and field.straight(*start, x, y, 0.0, TOLERANCE):
            return Route.read(Place(*start, 0.0), legs_of([Line(*start, x, y)]))
        return None

    def shut(
        self, body: Body, circle: Disc, discs: Sequence[Disc], give: float = 0.0
    ) -> list[tuple[float, float]]:
        """Angles of a circle where the model's centre may not be: in discs, walls, off the table.

        From and to in radians; the whole circle is one interval of a full turn. give: how far the
        base may be in a wall, inches, so that it stands where it just fits.
        """
        leg = Arc(circle.x, circle.y, circle.radius, 0.0, math.tau)
        spans: list[tuple[float, float]] = []
        for disc in discs:
            spans += spans_near_point(leg, *disc)
        r = body.base.reach
        x, y, reach = circle.x, circle.y, circle.radius + r
        for plan in self.obstacles(body, (x - reach, y - reach, x + reach, y + reach)):
            spans += plan.spans_near(leg, r - give)
        border = self._border(body)
        if border is not None:
            inset = max(border[0], TOLERANCE)
            for edge in edges_of(self.table):
                spans += spans_near_segment(leg, *edge, inset)
            spans += without([(0.0, leg.length)], spans_inside_ring(leg, ring_of(self.table)))
        return _turned([(a / circle.radius, b / circle.radius) for a, b in spans])
