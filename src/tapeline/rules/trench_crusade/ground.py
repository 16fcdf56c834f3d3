"""The terrain of a table as the movement rules see it, prepared once for each table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.engine.paths import LegPath, Place, legs_of
from tapeline.engine.state import State
from tapeline.geometry.discs.route import CircleGoal, Router
from tapeline.geometry.plane.areas import (
    disc_ring_area,
    spans_half_in_ring,
)
from tapeline.geometry.plane.grid import Box, Grid
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.plane.sweeps import (
    spans_inside_ring,
    spans_near_point,
    spans_near_segment,
)
from tapeline.geometry.sight.volume import Prism
from tapeline.rules.trench_crusade.book import (
    DIFFICULT_FACTOR,
    LOW_OBSTACLE_IN,
    TRENCH_WALL_IN,
)
from tapeline.rules.trench_crusade.state import flies, height, may_leave_table, radius
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import ground_of as plan_of
from tapeline.table.storeys import SOLID, STANDABLE, TABLE, Surface
from tapeline.table.terrain import Battlefield, Piece
from tapeline.travel.route import Route
from tapeline.travel.terrain import SlowKind, Terrain, TerrainPolicy, spans_in

__all__ = [
    "TRENCH",
    "Disc",
    "FlatTerrain",
    "Hit",
    "Stretch",
    "built",
    "ground_of",
    "in_space",
    "is_low",
    "on_table",
    "past_half",
    "terrain_of",
]


Point: TypeAlias = tuple[float, float]
_FAR = 1e4
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


class Hit(NamedTuple):
    """Where a base runs into something: how deep at worst, where, after what length, into what."""

    depth: float
    place: Point
    travelled: float
    piece: str
    name: str


class Stretch(NamedTuple):
    """A part of a track in one sort of ground: from and to, lengths of the track."""

    start: float
    end: float
    piece: str
    name: str


class Shape(NamedTuple):
    """One outline of a piece."""

    piece: Piece
    plan: Plan


class _Layer:
    """The shapes with one trait, by place."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self.shapes = tuple(shapes)
        self.grid = Grid([shape.plan.box for shape in shapes])
        boxes = [shape.plan.box for shape in shapes] or [(0.0, 0.0, 0.0, 0.0)]
        self._bounds = (
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        )

    def indices(self, box: Box) -> list[int]:
        """Numbers of the shapes whose box meets a box, which may be of any size."""
        x0, y0, x1, y1 = self._bounds
        clipped = (max(box[0], x0), max(box[1], y0), min(box[2], x1), min(box[3], y1))
        if not self.shapes or clipped[0] > clipped[2] or clipped[1] > clipped[3]:
            return []
        return self.grid.near(clipped)

    def near(self, box: Box) -> list[Shape]:
        """The shapes whose box meets a box."""
        return [self.shapes[i] for i in self.indices(box)]


class FlatTerrain:
    """A battlefield prepared for a reading of `terrain_in` and of `edge_overhang`."""

    def __init__(self, table: Battlefield, half_area: bool, under_half: bool) -> None:
        self.table = table
        self.half_area = half_area
        self.under_half = under_half
        self._routers: dict[tuple[object, ...], Router] = {}
        self._prisms: dict[int, Prism] = {}
        shapes = [Shape(piece, plan_of(o)) for piece in table.pieces for o in piece.outlines]
        self._layers = {
            trait: _Layer([s for s in shapes if s.piece.has(trait)])
            for trait in ("difficult", "dangerous", "impassable", "opaque", "cover")
        }
        self._layers["low"] = _Layer([s for s in shapes if is_low(s.piece)])

    def layer(self, trait: str) -> tuple[Shape, ...]:
        """All shapes with a trait."""
        return self._layers[trait].shapes

    def near(self, trait: str, box: Box) -> list[Shape]:
        """The shapes with a trait, or "low" ones, whose box meets a box."""
        return self._layers[trait].near(box)

    def obstacles(self, body: Body, box: Box | None = None) -> list[Shape]:
        """Impassable shapes at the level of a model, those near a box if one is given."""
        layer = self._layers["impassable"]
        low, high = more_than(body.z, 0.0), body.z + height(body)
        return [
            shape
            for shape in (layer.shapes if box is None else layer.near(box))
            if shape.piece.bottom < high and (not low or more_than(shape.piece.top, body.z))
        ]

    # What a track runs into.

    def impassable_hits(self, track: Route, body: Body) -> list[Hit]:
        """Every impassable piece the base is driven into along a track, the first place each."""
        if not self._layers["impassable"].shapes or track.length <= 0.0:
            return []
        r = radius(body)
        hits: dict[str, Hit] = {}
        for shape in self.obstacles(body, track.box(r)):
            for before, part in track.stretches:
                near = shape.plan.nearest_to(part.leg)
                depth = r - near.distance
                if not overlaps(depth):
                    continue
                first = shape.plan.first_near(part.leg, r)
                if first == 0.0 and not overlaps(r + shape.plan.depth(*part.leg.start)):
                    first = shape.plan.first_near(part.leg, r - TOLERANCE)
                s = before + (near.travelled if first is None else first)
                old = hits.get(shape.piece.id)
                if old is None or depth > old.depth or s < old.travelled:
                    worst = max(depth, old.depth if old is not None else depth)
                    s = min(s, old.travelled if old is not None else s)
                    hits[shape.piece.id] = Hit(worst, near.to, s, shape.piece.id, shape.piece.name)
        return list(hits.values())

    def overlap(self, body: Body) -> Hit | None:
        """An impassable piece that a model's base overlaps where it stands."""
        r = radius(body)
        for shape in self.obstacles(body, (body.x - r, body.y - r, body.x + r, body.y + r)):
            depth = r + shape.plan.depth(body.x, body.y)
            if overlaps(depth):
                return Hit(depth, body.centre, 0.0, shape.piece.id, shape.piece.name)
        return None

    def leaves_table(self, track: Route, r: float, overhang: str) -> Hit | None:
        """Where a base first leaves the table along a track; depth is how far it gets off."""
        width, depth = self.table.width, self.table.depth
        x0, y0, x1, y1 = track.box(0.0)
        if r <= x0 and x1 <= width - r and r <= y0 and y1 <= depth - r:
            return None
        if overhang == "under_half":
            return self._half_off(track, r)
        worst: Hit | None = None
        normals = ((1.0, 0.0, 0.0), (-1.0, 0.0, -width), (0.0, 1.0, 0.0), (0.0, -1.0, -depth))
        for segment, (nx, ny, offset) in zip(self._edges(), normals, strict=True):
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
                    worst = Hit(out, place, first, "", "")
        return worst

    def _half_off(self, track: Route, r: float) -> Hit | None:
        for before, part in track.stretches:
            done = 0.0
            spans = spans_half_in_ring(part.leg, r, _ring_of(self.table))
            for begin, end in [*spans, (part.length, part.length)]:
                if begin > done or not spans:
                    marks = (done, 0.5 * (done + begin), begin)
                    off = max(past_half(self.table, *part.leg.at(s), r) for s in marks)
                    if overlaps(off):
                        return Hit(off, part.leg.at(done), before + done, "", "")
                done = end
        return None

    # What ground a track or a model is in.

    def stretches(self, track: Route, body: Body, trait: str) -> list[Stretch]:
        """The parts of a track in ground with a trait, apart and in order; TC-TER-6."""
        layer = self._layers[trait]
        if not layer.shapes:
            return []
        r = radius(body) if self.half_area else None
        found: list[Stretch] = []
        for shape in layer.near(track.box(r or 0.0)):
            for before, part in track.stretches:
                if part.length <= 0.0:
                    continue
                for begin, end in spans_in(shape.plan, part.leg, r):
                    start, stop = before + begin, before + end
                    found.append(Stretch(start, stop, shape.piece.id, shape.piece.name))
        found.sort()
        merged: list[Stretch] = []
        for stretch in found:
            if merged and stretch.start <= merged[-1].end + 1e-9:
                last = merged[-1]
                merged[-1] = last._replace(end=max(last.end, stretch.end))
            else:
                merged.append(stretch)
        return merged

    def difficult_stretches(self, track: Route, body: Body) -> list[Stretch]:
        """The parts of a track in Difficult ground that the model feels."""
        if body.keyword("NEGATE DIFFICULT TERRAIN"):
            return []
        return self.stretches(track, body, "difficult")

    def first_entry(self, track: Route, body: Body, trait: str) -> Stretch | None:
        """Where a track first goes into ground with a trait; standing in it already is no entry."""
        for stretch in self.stretches(track, body, trait):
            if stretch.start <= 1e-9 and self._stands_in(track.start.xy, body, trait):
                continue
            return stretch
        return None

    def _stands_in(self, at: Point, body: Body, trait: str) -> Piece | None:
        x, y = at
        r = radius(body)
        for shape in self._layers[trait].near((x - r, y - r, x + r, y + r)):
            if self.half_area:
                if shape.plan.share(x, y, r) > 0.5 + TOLERANCE:
                    return shape.piece
            elif overlaps(shape.plan.depth(x, y)):
                return shape.piece
        return None

    def standing_in(self, body: Body, trait: str) -> Piece | None:
        """The piece with a trait that a model is in, TC-TER-6."""
        return self._stands_in(body.centre, body, trait)

    # Routes.

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
        rings, circles = [], list(discs)
        for shape in self.obstacles(body, near):
            if shape.plan.ring is not None:
                rings.append((shape.plan.ring, r))
            elif shape.plan.circle is not None:
                x, y, far = shape.plan.circle
                circles.append(Disc(x, y, far + r))
        if forbid:
            layer = self._layers["dangerous"]
            for shape in layer.shapes if near is None else layer.near(near):
                if shape.plan.ring is not None:
                    rings.append((shape.plan.ring, 0.0))
                elif shape.plan.circle is not None:
                    circles.append(Disc(*shape.plan.circle))
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
        for shape in self.obstacles(body, (x - reach, y - reach, x + reach, y + reach)):
            spans += shape.plan.spans_near(leg, r)
        border = self._border(body)
        if border is not None:
            inset = max(border[0], TOLERANCE)
            for edge in self._edges():
                spans += spans_near_segment(leg, *edge, inset)
            spans += self._outside(leg)
        return _turned([(a / circle.radius, b / circle.radius) for a, b in spans])

    def _edges(self) -> tuple[tuple[float, float, float, float], ...]:
        w, d = self.table.width, self.table.depth
        return (
            (0.0, -_FAR, 0.0, _FAR),
            (w, -_FAR, w, _FAR),
            (-_FAR, 0.0, _FAR, 0.0),
            (-_FAR, d, _FAR, d),
        )

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

    def prisms(self, box: Box) -> list[Prism]:
        """The opaque pieces that meet a box, as upright solids."""
        layer = self._layers["opaque"]
        found = []
        for i in layer.indices(box):
            prism = self._prisms.get(i)
            if prism is None:
                shape = layer.shapes[i]
                prism = Prism(shape.plan.region, shape.piece.bottom, shape.piece.top)
                self._prisms[i] = prism
            found.append(prism)
        return found

    def crosses(self, one: Body, other: Body, trait: str) -> bool:
        """Whether the straight line between two models crosses ground with a trait, at the height
        of either, that the first is not in."""
        (ax, ay), (bx, by) = a, b = one.centre, other.centre
        line = Line(*a, *b)
        low = min(one.z, other.z) - TOLERANCE
        high = max(one.z + height(one), other.z + height(other))
        return any(
            shape.piece.top >= low
            and shape.piece.bottom < high
            and not overlaps(shape.plan.depth(*a))
            and shape.plan.spans(line)
            for shape in self._layers[trait].near(
                (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
            )
        )


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


def ground_of(state: State) -> FlatTerrain:
    """The prepared terrain of a state's table."""
    half = state.options.get("terrain_in") == "half_area"
    under = state.options.get("edge_overhang") == "under_half"
    key = f"trench-crusade ground {half} {under}"
    found = state.table.prepared.get(key)
    if not isinstance(found, FlatTerrain):
        found = FlatTerrain(state.table, half, under)
        state.table.prepared[key] = found
    return found


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
