"""Terrain and what it means to bases: edges near one, where it lands off one, what it touches."""

from __future__ import annotations

import math
from collections.abc import Collection

from tapeline.engine.bases import base_overlap, base_shape
from tapeline.engine.limits import TOLERANCE, closer_than, more_than, overlaps, within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.engine.system import TerrainKind
from tapeline.geometry.plane.grid import box_about
from tapeline.geometry.rectangles.contact import border_of, overlap_part
from tapeline.geometry.rectangles.rectangle import region_of_segment, separation
from tapeline.rules.mordheim.figures import (
    BARRIER_IN,
    CONTACT_RISE_IN,
    DIFFICULT_FACTOR,
    EDGE_IN,
    EDGE_MIN_DROP_IN,
    VERY_DIFFICULT_FACTOR,
)
from tapeline.rules.mordheim.state import base_part, height, radius
from tapeline.table.bodies import Body, Round
from tapeline.table.sheer import Sheer
from tapeline.table.solids import ring_sides
from tapeline.table.storeys import SOLID, STANDABLE, UNCLIMBABLE, Surface
from tapeline.travel.edges import NearEdge, open_edges
from tapeline.travel.landing import Borders, Landing, landing, nearest_free
from tapeline.travel.terrain import SlowKind, Terrain, TerrainPolicy, sunk_into

__all__ = [
    "LOW",
    "TERRAIN_KINDS",
    "TRAITS",
    "depth_on",
    "edges_near",
    "fall_over",
    "free_at",
    "nearest_edges",
    "room_at",
    "stand_height",
    "terrain_of",
    "touching_features",
]


#: Ground that halves and quarters the rate, MH-TER-3 and -4.
DIFFICULT, VERY_DIFFICULT = "difficult", "very_difficult"
#: A barrier across which models fight whatever its height, 3.6.8.
LOW = "low"
#: Traits a scene may add.
TRAITS = frozenset({SOLID, STANDABLE, UNCLIMBABLE, DIFFICULT, VERY_DIFFICULT, LOW})


_BLOCK = frozenset({SOLID, STANDABLE})
_KINDS = (
    TerrainKind("open", frozenset(), 0.0, "plain", "marked"),
    TerrainKind("building", _BLOCK, 4.0, "bricks", "roof"),
    TerrainKind("block", _BLOCK, 2.0, "solid"),
    TerrainKind("crate", _BLOCK, 0.8, "cross-hatch"),
    TerrainKind("barrel", _BLOCK, 0.8, "rings", "bowl"),
    TerrainKind("column", frozenset({SOLID}), 3.0, "solid"),
    TerrainKind("fence", frozenset({SOLID}), 2.0, "hatch"),
    TerrainKind("hedge", frozenset({SOLID}), 0.75, "hatch"),
    TerrainKind("barrier", frozenset({SOLID}), 0.75, "hatch"),
    TerrainKind("rubble", frozenset({DIFFICULT}), 0.0, "stones"),
    TerrainKind("bushes", frozenset({DIFFICULT}), 0.0, "trees"),
    TerrainKind("slope", frozenset({DIFFICULT}), 0.0, "dashes"),
    TerrainKind("crawlhole", frozenset({VERY_DIFFICULT}), 0.0, "dots"),
)
#: The kinds a scene may use, by name.
TERRAIN_KINDS = {kind.name: kind for kind in _KINDS}


def terrain_of(state: State) -> Terrain:
    """The terrain of a state's table, prepared for the readings in force."""
    low_limit = state.option("low_limit")
    key = f"mordheim terrain {low_limit}"
    found = state.table.prepared.get(key)
    if not isinstance(found, Terrain):
        policy = TerrainPolicy(
            height=height,
            step=BARRIER_IN,
            step_included=low_limit == "le",
            stands_on_low=False,
            slow=(
                SlowKind(VERY_DIFFICULT, VERY_DIFFICULT_FACTOR, "MH-TER-4"),
                SlowKind(DIFFICULT, DIFFICULT_FACTOR, "MH-TER-3"),
            ),
        )
        found = state.table.prepared[key] = Terrain(state.table, policy)
    return found


# Edges (MH-EDGE).


def edges_near(state: State, body: Body, reach: float) -> list[NearEdge]:
    """Edges with a drop within reach of the base, the nearest first, each at its nearest point."""
    return open_edges(terrain_of(state), body, reach, EDGE_MIN_DROP_IN)


def nearest_edges(state: State, body: Body) -> list[tuple[float, Landing]]:
    """The nearest edges within 1 inch of a model put down, ties among them: the distance from its
    base, inches, and the fall. Who hangs on a ladder is at one."""
    near = edges_near(state, body, EDGE_IN)
    found: list[tuple[float, Landing]] = []
    if terrain_of(state).storeys.support(body.x, body.y, body.z, TOLERANCE) is None:
        # It hangs on a ladder, over what lies at its foot.
        fall = fall_over(state, body, body.centre, (0.0, 0.0), body.z)
        return [(0.0, fall)] if fall and not more_than(EDGE_MIN_DROP_IN, fall.drop) else found
    points: list[tuple[float, float]] = []
    for edge in near:
        if more_than(edge.distance, near[0].distance):
            break
        if any(math.dist(edge.point, point) <= TOLERANCE for point in points):
            continue  # the corner of two edges
        fall = fall_over(state, body, edge.point, edge.normal, body.z)
        if fall is not None:
            found.append((edge.distance, fall))
            points.append(edge.point)
    return found


def fall_over(
    state: State, body: Body, edge: tuple[float, float], normal: tuple[float, float], z: float
) -> Landing | None:
    """Where a model lands that goes over an edge at a height, and how far down; None off the table.

    One base radius beyond the edge; the nearest free place on the same surface if that is taken,
    or on the next one below if there is no room on it.
    """
    ground, r = terrain_of(state), radius(body)
    x, y = edge[0] + r * normal[0], edge[1] + r * normal[1]
    w, d = ground.table.width, ground.table.depth
    x, y = min(max(x, 0.0), w), min(max(y, 0.0), d)
    return landing(
        ground.storeys, x, y, z, lambda below: _free_place(state, ground, body, x, y, below)
    )


def free_at(
    state: State,
    ground: Terrain,
    body: Body,
    x: float,
    y: float,
    z: float,
    but: Collection[str] = (),
) -> bool:
    """Whether a model may stand there: clear of solids and of all other bases but for some."""
    moved = body.at(x, y, z)
    if ground.overlapped(moved) is not None:
        return False
    others = (other for other in state.others(body) if other.id not in but)
    return not any(overlaps(depth_on(moved, other)) for other in others)


def depth_on(body: Body, other: Body) -> float:
    """How deep a base stands on another at less than 1 inch of height; 0 or less if it does not."""
    far, dx = body.base.reach + other.base.reach, other.x - body.x
    if abs(dx) > far or math.hypot(dx, other.y - body.y) > far:
        return 0.0
    if not closer_than(abs(other.z - body.z), CONTACT_RISE_IN):
        return 0.0
    return base_overlap(body, other)


def stand_height(ground: Terrain, surface: Surface, x: float, y: float) -> float:
    """The height at which a base stands that comes to a place on a surface: on a level one
    that of the highest within a step."""
    z = surface.height(x, y)
    if surface.ramp is not None:
        return z
    tops = (s.z for s in ground.storeys.over(x, y, TOLERANCE) if s.ramp is None)
    return max((top for top in tops if top > z and ground.low(top - z)), default=z)


def _free_place(
    state: State, ground: Terrain, body: Body, x: float, y: float, surface: Surface
) -> Place | None:
    """The nearest place on a surface, or on what lies on it within a step, where the base fits."""
    r, tall, z = body.base.reach, height(body), surface.height(x, y)
    shape = base_part(body.at(0.0, 0.0))

    def able(px: float, py: float) -> bool:
        if surface.depth(px, py) < -TOLERANCE:
            return False
        return free_at(state, ground, body, px, py, stand_height(ground, surface, px, py))

    def borders(room: float) -> Borders:
        found = Borders(r)
        for other in state.others(body):
            away = math.hypot(other.x - x, other.y - y)
            near = closer_than(abs(other.z - z), CONTACT_RISE_IN + BARRIER_IN)
            if near and away <= room + r + other.base.reach:
                found.trace(border_of(overlap_part(base_part(other), shape)))
        box = (x - room - r, y - room - r, x + room + r, y + room + r)
        for solid in ground.with_plates(box):
            if ground.takes_room(solid, z, tall):
                for part in solid.ground.region.parts:
                    found.trace(border_of(overlap_part(part, shape)))
        for there in ground.storeys.near(box) if surface.ramp is None else ():
            upon = there.ramp is None and there.z > z and ground.low(there.z - z)
            if upon or there is surface:
                found.add_within(there, 0.0)
        return found

    farthest = 2.0 * max(ground.table.width, ground.table.depth)
    place = nearest_free(x, y, able, borders, farthest)
    return None if place is None else Place(*place, stand_height(ground, surface, *place))


def room_at(state: State, body: Body, place: Place) -> Place:
    """The nearest place to one that is landed on at which a rectangular base fits as it faces: in
    a jump it goes as narrow as its short side, after a fall it lies there."""
    ground = terrain_of(state)
    surface = ground.storeys.support(*place, TOLERANCE)
    if surface is None or isinstance(body.base, Round):
        return place
    return _free_place(state, ground, body, place.x, place.y, surface) or place


def touching_features(state: State, body: Body) -> tuple[str, ...]:
    """Ids of the climbable things a model touches where it stands, in its true shape, each once
    (MH-CLIMB-2): first what rises beside it, its foot within a step of the base; then what it
    touches or overhangs the top edge of, its top as high as the base."""
    ground, z = terrain_of(state), body.z
    near = ground.features(box_about(*body.centre, body.base.reach + TOLERANCE))
    rising = (
        feature.entry
        for feature in near
        if more_than(feature.top, z)
        and (feature.bottom <= z or ground.low(feature.bottom - z))
        and within(abs(_off(body, feature)), 0.0)
    )
    below = (
        feature.entry
        for feature in near
        if more_than(z, feature.bottom)
        and abs(feature.top - z) <= TOLERANCE
        and within(_off_border(body, feature), 0.0)
    )
    return tuple(dict.fromkeys([*rising, *below]))


def _off(body: Body, feature: Sheer) -> float:
    """How far a base is from a sheer thing; negative inside it."""
    if feature.plan is not None:
        return -sunk_into(body, feature.plan)
    assert feature.segment is not None
    return _off_line(body, *feature.segment)


def _off_border(body: Body, feature: Sheer) -> float:
    """How far a base is from the border of a sheer thing; negative, or 0, if it lies across it."""
    if isinstance(body.base, Round):
        return math.dist(feature.nearest(*body.centre), body.centre) - body.base.radius
    if feature.plan is None:
        return _off(body, feature)
    if feature.plan.circle is not None:
        *middle, far = feature.plan.circle
        corners = zip(base_part(body).loop[::2], base_part(body).loop[1::2], strict=True)
        inside = far - max(math.dist(middle, corner) for corner in corners)
        return max(inside, _off(body, feature))
    sides = ring_sides(feature.plan.ring or ())
    return min(_off_line(body, side.ax, side.ay, side.bx, side.by) for side in sides)


def _off_line(body: Body, ax: float, ay: float, bx: float, by: float) -> float:
    """How far a base is from a segment; negative if it lies across it."""
    found = separation(base_shape(body), region_of_segment((ax, ay), (bx, by)))
    return found.gap - found.depth
