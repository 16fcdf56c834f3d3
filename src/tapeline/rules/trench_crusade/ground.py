"""The terrain of a table as the movement rules see it, prepared once for each table; and the chart
that the charges and reach of one model are sought on (G-20 in three dimensions).

Ladders and ropes are charged their length; over a ledge leads a strip one base radius wide, over a
gap a level between its lips; a Climb is a portal charged its height.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise

from tapeline.engine.limits import TOLERANCE, more_than, same
from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line, Point
from tapeline.geometry.plane.sweeps import Span, without
from tapeline.rules.trench_crusade.book import (
    DIFFICULT_FACTOR,
    JUMP_SHARE,
    LOW_OBSTACLE_IN,
    TRENCH_WALL_IN,
)
from tapeline.rules.trench_crusade.state import flies, height, may_leave_table, movement, radius
from tapeline.table.bodies import Body
from tapeline.table.sheer import Sheer, run_over
from tapeline.table.solids import Solid, box_of, ground_of
from tapeline.table.storeys import SOLID, STANDABLE, TABLE, UNCLIMBABLE, Edge, Surface
from tapeline.table.terrain import Battlefield, Floor, Piece, Wall
from tapeline.travel.chart import Chart
from tapeline.travel.crossings import climbable_parts, faces_under
from tapeline.travel.draft import SPECK, Draft, inside
from tapeline.travel.level_routes import LevelRoutes
from tapeline.travel.ramp_sides import over_sides
from tapeline.travel.search import CORNER
from tapeline.travel.terrain import SlowKind, Terrain, TerrainPolicy

__all__ = [
    "BEYOND",
    "JUST_IN",
    "TRENCH",
    "beneath",
    "built",
    "chart_of",
    "in_space",
    "is_low",
    "level_routes",
    "on_table",
    "terrain_of",
]

#: Both a kind and a trait of what is Open for movement up to 3 inches, TC-TER-7.
TRENCH = "trench"
#: Beside the hazards that a charger will not go through: those that touch what it is in are none.
BEYOND = "beyond"
#: Kinds that carry a model on top though they are no storeys.
_LOW_KINDS = ("barricade", TRENCH)

#: Times how far off a ledge is landed, that its strip goes on past a corner.
_PAST = 0.7
#: Inches in from an edge at which a little more than half of any base is carried.
JUST_IN = 8.0 * TOLERANCE
#: Of the tangent to the arc about a corner as much as that it meets no other way.
_LESS = 0.95
#: Inches beyond an edge up to which is looked for what carries it; what goes on runs off it.
_BESIDE = 2.0
#: Inches that walls, one behind the other, are looked at as one.
_WIDE = 10.0


def is_low(piece: Piece) -> bool:
    """Whether a piece is a solid obstacle that is Open for movement, TC-TER-7, and can be stood on.

    A barricade or the wall of a trench: mud, wire or gas of whatever height is gone through.
    """
    hard = piece.has("impassable") or piece.has(SOLID)
    low = piece.kind in _LOW_KINDS or piece.has(TRENCH)
    return low and not hard and more_than(piece.top, piece.bottom)


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
        steep=True,
        walls_are_ground=True,
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


def beneath(table: Battlefield, surface: Surface, x: float, y: float) -> str:
    """The id of what lies beneath a point of the plan, of all that a surface is made of."""
    parts: list[Floor | Piece] = [*table.floors, *table.pieces]
    depths = [
        (max(ground_of(outline).depth(x, y) for outline in part.outlines), part.id)
        for part in parts
        if part.id in surface.entries
    ]
    return max(depths, key=lambda found: found[0], default=(0.0, surface.entries[0]))[1]


def level_routes(state: State, mover: Body, *, climbing: bool = False) -> LevelRoutes:
    """Routes on the level of a model, with what was searched there before. climbing: whether what
    can be climbed is no obstacle."""
    terrain, under_half = terrain_of(state), state.options.get("edge_overhang") == "under_half"
    key = ("level routes", under_half, flies(mover), climbing)
    found = terrain.kept.get(key)
    if not isinstance(found, LevelRoutes):

        def inset(body: Body) -> float | None:
            return None if may_leave_table(body) else 0.0 if under_half else radius(body)

        def bars(body: Body, box: Box) -> Iterator[Solid]:
            z, tall = body.z, height(body)
            for o in terrain.beside(box, z, tall, 0.0 if flies(body) else radius(body)):
                stops = terrain.stops(o, z, z, tall)
                if flies(body):  # nothing is stepped over in the air
                    stops = stops or (more_than(o.top, z) and more_than(z + tall, o.bottom))
                climbed = climbing and not terrain.is_barred(o) and UNCLIMBABLE not in o.traits
                if stops and not climbed:
                    yield o

        found = terrain.kept[key] = LevelRoutes(terrain, inset, bars)
    return found


def chart_of(state: State, body: Body, forbid: frozenset[str]) -> Chart:
    """The chart for a model that will not do some things: climb, jump, jump_down, dangerous, or
    beside: walk beside a ramp to spare the slope. With BEYOND what touches the Dangerous ground
    that it is in is none to it.
    """
    heights = terrain_of(state)
    widest = JUMP_SHARE * movement(state, body)
    off = partial(heights.hazards_off, body, BEYOND in forbid)
    avoids = off() if "dangerous" in forbid else frozenset[int]()
    hang = state.option("edge_overhang") == "under_half"
    overhang = math.inf if may_leave_table(body) else radius(body) if hang else 0.0
    like = (radius(body), height(body), overhang, avoids)
    key = ("chart", like, widest, forbid - {"dangerous", BEYOND})
    found = heights.kept.get(key)
    if not isinstance(found, Chart):
        draft = heights.kept.get(("draft", like))
        if not isinstance(draft, Draft):
            r, tall, far, hazards = like
            draft = Draft(
                heights,
                r,
                tall,
                overhang=far,
                under_floors=False,
                hazards=hazards,
                sides=True,
            )
            heights.kept["draft", like] = draft
        found = heights.kept[key] = draft.chart(partial(_draw, widest=widest, forbid=forbid))
    return found


def _draw(draft: Draft, widest: float, forbid: frozenset[str]) -> None:
    low = draft.terrain.low
    sort = " ".join(("edges", *sorted(forbid & {"climb", "jump_down"})))
    draft.over_edges(lambda draft, edge: _over_edge(draft, forbid, edge), sort)
    for ladder in draft.terrain.table.ladders:
        draft.ladder(ladder, math.dist(ladder.foot, ladder.head))
    if "climb" not in forbid:
        for wall in draft.terrain.table.walls:
            draft.over("wall", wall.id, partial(_over_wall, draft, wall))
    if "jump" not in forbid:
        jump = _jump_up if "jump_down" in forbid else _jump
        draft.over_gaps(widest, jump, draft.r)
        draft.over_round_gaps(widest, jump, draft.r)
    over_sides(draft, down="jump_down" not in forbid, dear="beside" in forbid)
    if "jump_down" not in forbid:
        draft.over_rims("drop", lambda drop: None if low(drop) else draft.r, aslant=True)
    if "climb" not in forbid:
        climbed = {p.id for p in draft.terrain.table.pieces if UNCLIMBABLE not in p.traits}
        draft.over_rims(
            "climb", lambda drop: None if low(drop) else drop, climbed, both=True, inset=draft.r
        )


def _jump(here: Surface, there: Surface) -> tuple[float, float]:
    """The height at which a gap is gone over, and what that costs besides its width."""
    return max(here.z, there.z), max(0.0, there.z - here.z)


def _jump_up(here: Surface, there: Surface) -> tuple[float, float] | None:
    """The same to a side that is no lower: to one that is, it is a Jump Down too (TC-JMP-4)."""
    return None if more_than(here.z, there.z) else _jump(here, there)


# Jumps down and climbs.


def _over_edge(draft: Draft, forbid: frozenset[str], edge: Edge) -> None:
    """Over each piece of an edge beyond which what carries it stands out equally far."""
    line = Line(*edge.at(0.0), *edge.at(1.0))
    near = [
        o for o in draft.terrain.near(box_of(line, TOLERANCE)) if _carries(draft.terrain, o, edge)
    ]
    spans = [span for o in near for span in o.ground.spans_near(line, TOLERANCE)]
    ends = [s for begin, end in spans for s in (begin + TOLERANCE, end - TOLERANCE)]
    marks = [s for s in sorted(ends) if JUST_IN < s < edge.length - JUST_IN]
    pieces: list[tuple[Edge, float]] = []
    for begin, end in pairwise([0.0, *marks, edge.length]):
        if end - begin <= SPECK:
            continue
        piece = Edge(edge.surface, *line.at(begin), *line.at(end), edge.nx, edge.ny, edge.beyond)
        far = _ledge_beyond(draft.terrain, piece)
        if pieces and same(pieces[-1][1], far):
            piece = replace(piece, ax=pieces[-1][0].ax, ay=pieces.pop()[0].ay)
        pieces.append((piece, far))
    for piece, far in pieces:
        if far < _BESIDE:
            _over_ledge(draft, forbid, piece, draft.r + far)


def _over_ledge(draft: Draft, forbid: frozenset[str], edge: Edge, off: float) -> None:
    """Down over an edge, past its ends too, where ways aslant lead, and up and down its face."""
    surface, a, b, far = edge.surface, edge.at(0.0), edge.at(1.0), edge.length
    onward = _onward(edge)
    before, after = (0.0 if normal is None else _PAST * off / far for normal in onward)
    longer = Edge(surface, *edge.at(-before), *edge.at(1.0 + after), edge.nx, edge.ny, None)
    line, parts = draft.strip(longer, off)
    ledge = ""
    for begin, end, below in parts:
        drop = surface.z - below.z
        if draft.terrain.low(drop, surface, below):
            continue
        if "jump_down" not in forbid:
            if not ledge:
                ledge = draft.in_the_air("ledge", (a, b, line.start, line.end), surface.z)
                draft.portal("ledge", (surface.id, a, b), (ledge, a, b))
            ends = line.at(begin), line.at(end)
            draft.portal("drop", (ledge, *ends), (below.id, *ends))
        t, u = max(0.0, begin / far - before), min(1.0, end / far - before)
        if "climb" in forbid or u <= t:
            continue
        for first, last in climbable_parts(draft.terrain, edge, (t, u), below.z):
            for v, w, depth in draft.room(edge, draft.r):
                v, w, depth = max(first, v), min(last, w), max(depth, JUST_IN)
                if v < w:
                    upper = surface.id, inside(edge, v, depth), inside(edge, w, depth)
                    lower = below.id, line.at((before + v) * far), line.at((before + w) * far)
                    draft.portal("climb", lower, upper, drop, both=True)
    if "climb" not in forbid and onward[1] not in (None, (edge.nx, edge.ny)):
        _over_corner(draft, edge, onward[1], off)


def _over_corner(draft: Draft, edge: Edge, beyond: Point, off: float) -> None:
    """Up the corner at the end of an edge, straight through it from a tangent to the arc about it,
    or down. beyond: the direction that leads off the border beyond."""
    surface, (x, y), normal = edge.surface, edge.at(1.0), (edge.nx, edge.ny)
    (hx, hy) = half = _between(normal, beyond)
    below = draft.terrain.storeys.below(x + off * hx, y + off * hy, surface.z, TOLERANCE)
    if below is None or below.id not in draft.surfaces or below.ramp is not None:
        return
    drop = surface.z - below.z
    low = draft.terrain.low(drop, surface, below)
    if low or not faces_under(draft.terrain, x, y, surface.z, below.z):
        return
    ends = (_between(normal, half, _LESS * off), _between(half, beyond, _LESS * off))
    one, two = ((dx + (1.0 - _LESS) * off * hx, dy + (1.0 - _LESS) * off * hy) for dx, dy in ends)
    lower, upper = ([(x + k * dx, y + k * dy) for dx, dy in (one, two)] for k in (1.0, -1.0))
    start, end = (below.id, lower[0], lower[1]), (surface.id, upper[0], upper[1])
    draft.portal(CORNER, start, end, drop, both=True)


def _onward(edge: Edge) -> list[Point | None]:
    """The directions that lead off the border of its surface on from either end of an edge, where
    it goes straight on or turns away; None where it turns in."""
    ux, uy = (edge.bx - edge.ax) / edge.length, (edge.by - edge.ay) / edge.length
    found: list[Point | None] = []
    for (x, y), sign in ((edge.at(0.0), -1.0), (edge.at(1.0), 1.0)):
        mx, my = edge.nx, edge.ny
        for ax, ay, bx, by, nx, ny in edge.surface.borders():
            at = min(abs(ax - x) + abs(ay - y), abs(bx - x) + abs(by - y)) <= SPECK
            if at and abs(nx - edge.nx) + abs(ny - edge.ny) > SPECK:
                mx, my = nx, ny
        found.append((mx, my) if sign * (mx * ux + my * uy) > -SPECK else None)
    return found


def _between(one: Point, other: Point, off: float = 0.0) -> Point:
    """The direction between two; off: the place where lines so far off along both meet."""
    x, y = one[0] + other[0], one[1] + other[1]
    far = off / (1.0 + one[0] * other[0] + one[1] * other[1]) if off else 1.0 / math.hypot(x, y)
    return far * x, far * y


def _carries(terrain: Terrain, solid: Solid, edge: Edge) -> bool:
    """Whether a solid may carry a floor at its edge: as high, else it is a step below."""
    low = not more_than(abs(solid.top - edge.surface.z), LOW_OBSTACLE_IN)
    return low and not terrain.is_barred(solid)


def _ledge_beyond(terrain: Terrain, edge: Edge) -> float:
    """How far what carries a floor stands out beyond the middle of its edge."""
    x, y = edge.at(0.5)
    far = 0.0
    ahead = Line(x, y, x + _BESIDE * edge.nx, y + _BESIDE * edge.ny)
    for o in terrain.near((x, y, x, y)):
        spans = o.ground.spans(ahead) if _carries(terrain, o, edge) else []
        if spans and spans[0][0] <= TOLERANCE:
            far = max(far, spans[0][1])
    return far


def _over_wall(draft: Draft, wall: Wall) -> None:
    """Climbs over a wall that stands free, at a door or gap as high as its sill, and over what
    stands flush with it: as high, and such as nobody stands on. Windows are climbed as the wall is.
    """
    if UNCLIMBABLE in wall.traits or "impassable" in wall.traits or "trench" in wall.traits:
        return
    half = 0.5 * wall.thickness
    passed = [opening for opening in wall.openings if opening.kind != "window"]
    for (ax, ay), (bx, by), gone, till in wall.straights():
        d = till - gone
        ux, uy = (bx - ax) / d, (by - ay) / d

        at = partial(_beside, (ax, ay), (ux, uy))
        flush = _flush_with(draft.terrain, wall, (at(0.0, 0.0), at(d, 0.0)))
        ends = [s - gone for o in passed for s in (o.start, o.end)]
        rings = [top.plan.ring for top in flush if top.plan is not None and top.plan.ring]
        corners = [c for ring in rings for c in zip(ring[::2], ring[1::2], strict=True)]
        ends += [(x - ax) * ux + (y - ay) * uy for x, y in corners]
        for begin, end in pairwise(sorted({0.0, d, *(min(d, max(0.0, s)) for s in ends)})):
            middle = 0.5 * (begin + end)
            there = [o.bottom for o in passed if o.start < gone + middle < o.end]
            rise = min(there, default=wall.top) - wall.bottom
            if there:  # what is crossed at its very post is the post
                begin, end = begin + 2.0 * TOLERANCE, end - 2.0 * TOLERANCE
            offs = []
            for sign in (1.0, -1.0):
                over = Line(*at(middle, sign * half), *at(middle, sign * (half + _WIDE)))
                beyond, tops = run_over(flush, over, TOLERANCE)
                if any(STANDABLE in draft.terrain.entries[top.entry].traits for top in tops):
                    break
                offs.append(sign * (half + beyond + draft.r))
            if len(offs) < 2 or end - begin <= SPECK:
                continue
            one, two = (Line(*at(begin, off), *at(end, off)) for off in offs)
            for t, u in _clear_across(draft, one, two, wall.bottom + rise):
                sides = []
                for off in offs:
                    here = draft.at_height(*at(begin + 0.5 * (t + u), off), wall.bottom)
                    if here and here[0].ramp is None and not draft.terrain.low(rise, here[0]):
                        sides.append((here[0].id, at(begin + t, off), at(begin + u, off)))
                if len(sides) == 2 and sides[0][0] == sides[1][0]:
                    draft.portal("climb", sides[0], sides[1], 2.0 * rise, both=True)


def _clear_across(draft: Draft, one: Line, two: Line, z: float) -> list[Span]:
    """Between which lengths of two parallel lines a base that goes straight from one to the other
    at a height meets nothing."""
    terrain, r = draft.terrain, draft.r
    wide = math.dist(one.start, two.start)
    ux, uy = (two.ax - one.ax) / wide, (two.ay - one.ay) / wide
    taken: list[Span] = []
    for o in terrain.near(box_of(Line(*one.start, *two.end), r + wide)):
        if not terrain.stops(o, z, z, draft.tall):
            continue
        # It is nearest to a way across from one of its corners, or where the way ends.
        ring, circle = o.ground.ring or (), o.ground.circle
        marks = [circle[:2]] if circle else zip(ring[::2], ring[1::2], strict=True)
        offs = ((x - one.ax) * ux + (y - one.ay) * uy for x, y in marks)
        for off in {0.0, wide, *(off for off in offs if 0.0 < off < wide)}:
            line = Line(
                *(p + off * u for p, u in zip((*one.start, *one.end), (ux, uy) * 2, strict=True))
            )
            taken += o.ground.spans_near(line, r - TOLERANCE)
    return [(t, u) for t, u in without([(0.0, one.length)], taken) if u - t > SPECK]


def _beside(start: Point, along: Point, s: float, off: float) -> Point:
    """A place so far along a line, and so far to its left."""
    return start[0] + s * along[0] - off * along[1], start[1] + s * along[1] + off * along[0]


def _flush_with(terrain: Terrain, wall: Wall, ends: tuple[Point, Point]) -> list[Sheer]:
    """Other things as high as a wall near a piece of it."""
    near = terrain.features(box_of(Line(*ends[0], *ends[1]), wall.thickness), climbable=False)
    return [
        face
        for face in near
        if face.plan is not None and face.entry != wall.id and same(face.top, wall.top)
    ]
