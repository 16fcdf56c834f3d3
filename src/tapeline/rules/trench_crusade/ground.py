"""The terrain of a table as the movement rules see it, prepared once for each table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.engine.paths import LegPath, Place, legs_of
from tapeline.engine.state import State
from tapeline.geometry.discs.route import CircleGoal, Router
from tapeline.geometry.plane.areas import disc_ring_area, spans_half_in_ring
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import spans_inside_ring, spans_near_point, spans_near_segment
from tapeline.rules.trench_crusade.book import DIFFICULT_FACTOR, LOW_OBSTACLE_IN, TRENCH_WALL_IN
from tapeline.rules.trench_crusade.state import flies, height, may_leave_table, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground as Plan
from tapeline.table.storeys import SOLID, STANDABLE, TABLE, Surface
from tapeline.table.terrain import Battlefield, Piece
from tapeline.travel.route import Measured, Route
from tapeline.travel.terrain import SlowKind, Terrain, TerrainPolicy

__all__ = [
    "TRENCH",
    "Disc",
    "LevelRoutes",
    "built",
    "in_space",
    "is_low",
    "leaves_table",
    "level_routes",
    "on_table",
    "past_half",
    "terrain_of",
]


Point: TypeAlias = tuple[float, float]
_FAR = 1e4
_ALL: Box = (-math.inf, -math.inf, math.inf, math.inf)
#: Both a kind and a trait of what is Open for movement up to 3 inches, TC-TER-7.
TRENCH = "trench"
#: Kinds that carry a model on top though they are no storeys.
_LOW_KINDS = ("barricade", TRENCH)
#: How far beyond start and goal pieces are looked at before all of them are, inches.
_MARGINS = (3.0, 9.0)


class Disc(NamedTuple):
    """A circle on the plan, inches."""

    x: float
    y: float
    radius: float


def _ring_of(table: Battlefield) -> tuple[float, ...]:
    return (0.0, 0.0, table.width, 0.0, table.width, table.depth, 0.0, table.depth)


def past_half(table: Battlefield, x: float, y: float, r: float) -> float:
    """How much more of a base than half is off the table: that share of its width, inches."""
    return 2.0 * r * (0.5 - disc_ring_area(x, y, r, _ring_of(table)) / (math.pi * r * r))


def is_low(piece: Piece) -> bool:
    """Whether a piece is a solid obstacle that is Open for movement, TC-TER-7, and can be stood on.

    A barricade or the wall of a trench: mud, wire or gas of whatever height is gone through.
    """
    hard = piece.has("impassable") or piece.has(SOLID)
    low = piece.kind in _LOW_KINDS or piece.has(TRENCH)
    return low and not hard and more_than(piece.top, piece.bottom)


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


def _policy(half_area: bool) -> TerrainPolicy:
    return TerrainPolicy(
        height=height,
        step=LOW_OBSTACLE_IN,
        step_included=True,
        steps=((TRENCH, TRENCH_WALL_IN),),
        stands_on_low=True,
        barred="impassable",
        low_piece=is_low,
        slow=(SlowKind("difficult", DIFFICULT_FACTOR, "TC-TER-2"),),
        hazard="dangerous",
        half_area=half_area,
        climbs_windows=True,
    )


def terrain_of(state: State) -> Terrain:
    """The prepared terrain of a state's table."""
    half = state.options.get("terrain_in") == "half_area"
    key = f"trench-crusade terrain {half}"
    found = state.table.prepared.get(key)
    if not isinstance(found, Terrain):
        found = state.table.prepared[key] = Terrain(state.table, _policy(half))
    return found


def built(table: Battlefield) -> bool:
    """Whether a table has storeys, walls or tops to stand on: whether heights matter on it."""
    found = table.prepared.get("trench-crusade built")
    if not isinstance(found, bool):
        found = bool(table.structures) or any(
            p.has(SOLID) or p.has(STANDABLE) for p in table.pieces
        )
        table.prepared["trench-crusade built"] = found
    return found


def in_space(state: State, body: Body, path: LegPath = ()) -> bool:
    """Whether a move is measured in three dimensions: on a built table, in the air, up or down."""
    return (
        built(state.table)
        or flies(body)
        or body.z != 0.0
        or any(leg.how != "walk" or leg.z is not None for leg in path)
    )


def on_table(surface: Surface | None) -> bool:
    """Whether a surface is the table itself."""
    return surface is not None and surface.id == TABLE


def leaves_table(table: Battlefield, track: Route, r: float, under_half: bool) -> Measured | None:
    """Where a base first leaves the table along a track; its distance is how far it gets off."""
    width, depth = table.width, table.depth
    x0, y0, x1, y1 = track.box(0.0)
    if r <= x0 and x1 <= width - r and r <= y0 and y1 <= depth - r:
        return None
    if under_half:
        return _half_off(table, track, r)
    worst: Measured | None = None
    normals = ((1.0, 0.0, 0.0), (-1.0, 0.0, -width), (0.0, 1.0, 0.0), (0.0, -1.0, -depth))
    for segment, (nx, ny, offset) in zip(_edges(table), normals, strict=True):
        out, first, place = 0.0, math.inf, track.start.xy
        for before, part in track.stretches:
            points = [0.0, part.length]
            if isinstance(part.leg, Arc):
                turn = part.leg.travelled_to(math.atan2(-ny, -nx))
                points += [turn] if turn is not None else []
            for s in points:
                p = part.leg.at(s)
                off = r - (nx * p[0] + ny * p[1] - offset)
                if off > out:
                    out, place = off, p
            at = part.leg.start
            deep = overlaps(r - (nx * at[0] + ny * at[1] - offset))
            spans = spans_near_segment(part.leg, *segment, r if deep else r - TOLERANCE)
            if spans:
                first = min(first, before + spans[0][0])
        if overlaps(out):
            first = 0.0 if first is math.inf else first
            if worst is None or first < worst.travelled:
                worst = Measured(out, first, place)
    return worst


def _half_off(table: Battlefield, track: Route, r: float) -> Measured | None:
    for before, part in track.stretches:
        done = 0.0
        spans = spans_half_in_ring(part.leg, r, _ring_of(table))
        for begin, end in [*spans, (part.length, part.length)]:
            if begin > done or not spans:
                marks = (done, 0.5 * (done + begin), begin)
                off = max(past_half(table, *part.leg.at(s), r) for s in marks)
                if overlaps(off):
                    return Measured(off, before + done, part.leg.at(done))
            done = end
    return None


def _edges(table: Battlefield) -> tuple[tuple[float, float, float, float], ...]:
    w, d = table.width, table.depth
    return (
        (0.0, -_FAR, 0.0, _FAR),
        (w, -_FAR, w, _FAR),
        (-_FAR, 0.0, _FAR, 0.0),
        (-_FAR, d, _FAR, d),
    )


class LevelRoutes:
    """Shortest routes among what is impassable at the height of a model, on one level."""

    def __init__(self, terrain: Terrain, under_half: bool) -> None:
        self.terrain, self.table, self.under_half = terrain, terrain.table, under_half
        self._routers: dict[tuple[object, ...], Router] = {}

    def obstacles(self, body: Body, box: Box = _ALL) -> list[Plan]:
        """Outlines of Impassable pieces at the height of a model, those near a box."""
        z, tall, terrain = body.z, height(body), self.terrain
        return [
            solid.ground
            for solid in terrain.near(box)
            if terrain.is_barred(solid)
            and terrain.stops(solid, z, z, tall)
            and isinstance(terrain.entries[solid.entry], Piece)
        ]

    def _border(self, body: Body) -> tuple[float, float, float, float] | None:
        if may_leave_table(body):
            return None
        inset = 0.0 if self.under_half else radius(body)
        return inset, inset, self.table.width - inset, self.table.depth - inset

    def router(
        self,
        body: Body,
        *,
        discs: Sequence[Disc] = (),
        forbid: bool = False,
        near: Box | None = None,
    ) -> Router:
        """Shortest routes for a model among impassable pieces and further discs.

        forbid: whether Dangerous ground is gone round as well. near: only pieces that meet the
        box count, for routes that cannot leave it.
        """
        r, border = radius(body), self._border(body)
        key = (r, border, forbid, body.z, height(body))
        if not discs and near is None and key in self._routers:
            return self._routers[key]
        plans = [(plan, r) for plan in self.obstacles(body, _ALL if near is None else near)]
        if forbid:
            patches = self.terrain.patches_near(_ALL if near is None else near)
            plans += [(patch.plan, 0.0) for patch in patches if patch.hazard]
        rings, circles = [], list(discs)
        for plan, more in plans:
            if plan.ring is not None:
                rings.append((plan.ring, more))
            elif plan.circle is not None:
                x, y, far = plan.circle
                circles.append(Disc(x, y, far + more))
        router = Router(rings, circles, (), border, TOLERANCE)
        if not discs and near is None:
            self._routers[key] = router
        return router

    def routes(self, router: Router, start: Point, goals: Sequence[CircleGoal]) -> list[Route]:
        """The shortest routes to the nearest of some circles: one, or all that tie."""
        found = router.shortest(start, goals)
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
        discs: Sequence[Disc] = (),
    ) -> list[Route]:
        """The shortest routes of a model to a circle: one, or all that tie.

        Sought first among the pieces near start and goal: fewer obstacles never make a route
        longer, so one that stays near them and is the shortest there is the shortest of all, and
        where not even they let one through there is none.
        """
        r, goals = radius(body), [CircleGoal(*goal)]
        for margin in _MARGINS:
            reach = goal.radius + r + margin
            near = (
                min(start[0] - r - margin, goal.x - reach),
                min(start[1] - r - margin, goal.y - reach),
                max(start[0] + r + margin, goal.x + reach),
                max(start[1] + r + margin, goal.y + reach),
            )
            meet = [disc for disc in discs if _meets(disc, near)]
            router = self.router(body, discs=meet, forbid=forbid, near=near)
            found = self.routes(router, start, goals)
            if not found or all(_inside(track.box(r), near) for track in found):
                return found
        return self.routes(self.router(body, discs=discs, forbid=forbid), start, goals)

    def straight(self, router: Router, start: Point, goal: Disc) -> Route | None:
        """The straight way to a circle from outside, if it is free."""
        d = math.dist(start, (goal.x, goal.y))
        if d <= goal.radius:
            return None
        k = (d - goal.radius) / d
        x, y = start[0] + k * (goal.x - start[0]), start[1] + k * (goal.y - start[1])
        if router.free(*start) and router.segment_free(*start, x, y):
            return Route.read(Place(*start, 0.0), legs_of([Line(*start, x, y)]))
        return None

    def shut(self, body: Body, circle: Disc, discs: Sequence[Disc]) -> list[tuple[float, float]]:
        """Angles of a circle where the model's centre may not be: in discs, walls, off the table.

        From and to in radians; the whole circle is one interval of a full turn.
        """
        leg = Arc(circle.x, circle.y, circle.radius, 0.0, math.tau)
        spans: list[tuple[float, float]] = []
        for disc in discs:
            spans += spans_near_point(leg, *disc)
        r = radius(body)
        x, y, reach = circle.x, circle.y, circle.radius + r
        for plan in self.obstacles(body, (x - reach, y - reach, x + reach, y + reach)):
            spans += plan.spans_near(leg, r)
        border = self._border(body)
        if border is not None:
            inset = max(border[0], TOLERANCE)
            for edge in _edges(self.table):
                spans += spans_near_segment(leg, *edge, inset)
            spans += self._outside(leg)
        return _turned([(a / circle.radius, b / circle.radius) for a, b in spans])

    def _outside(self, leg: Arc) -> list[tuple[float, float]]:
        """Where an arc is off the table."""
        inside = spans_inside_ring(leg, _ring_of(self.table))
        found, at = [], 0.0
        for begin, end in inside:
            if begin > at:
                found.append((at, begin))
            at = end
        if at < leg.length:
            found.append((at, leg.length))
        return found


def level_routes(state: State) -> LevelRoutes:
    """Routes on the level of a table, with what was searched there before."""
    terrain, under_half = terrain_of(state), state.options.get("edge_overhang") == "under_half"
    key = ("level routes", under_half)
    found = terrain.kept.get(key)
    if not isinstance(found, LevelRoutes):
        found = terrain.kept[key] = LevelRoutes(terrain, under_half)
    return found
