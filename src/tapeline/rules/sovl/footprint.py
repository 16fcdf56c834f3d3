"""Footprints and ground: the bodies and pieces of a state as the shapes that geometry measures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, more_than, within
from tapeline.engine.state import State
from tapeline.geometry.epsilons import ROUNDING
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.overlap_centre import middle_near
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    overlaps,
    overshoots,
    parts_of,
    region_of_rect,
    separation,
    table_sides,
)
from tapeline.geometry.rectangles.slide import overlaps_along, slide
from tapeline.geometry.rectangles.slide_impact import box_ahead
from tapeline.geometry.rectangles.slide_spans import Span as Stretch
from tapeline.geometry.rectangles.slide_spans import join_overlaps, slide_span
from tapeline.geometry.rectangles.turn import turn
from tapeline.ranks.bases import ByPlace, Point, box_about, rect_of
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.solids import region_of
from tapeline.table.terrain import Battlefield, Piece

__all__ = [
    "Footprint",
    "Span",
    "Thing",
    "along_border",
    "beyond_border",
    "border_turning",
    "clash_turning",
    "contact_ahead",
    "difficult_ground",
    "faced",
    "facing_vector",
    "footprint_of",
    "ground_of",
    "impassable_ground",
    "is_over",
    "landing_reach",
    "overlap",
    "place_of_contact",
    "reach_of_border",
    "runs_to_borders",
    "spans_ahead",
    "spans_turning",
    "swing_over_border",
    "touches_ahead",
    "turned",
    "unit_thing",
    "units_near",
]

#: A part of an order on which something is overlapped: from, to; inches or degrees.
Span: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Footprint:
    """The footprint of a unit. facing: degrees, as the unit has it.

    course, hub: the direction it slides in, a unit vector, and the point it turns about, where an
    order gives others than straight forward and its centre.
    """

    rect: Rect
    facing: float
    course: Point | None = None
    hub: Point | None = None

    @property
    def way(self) -> Point:
        """The direction it slides in, a unit vector."""
        return self.course or (self.rect.ux, self.rect.uy)

    @property
    def pivot(self) -> Point:
        """The point it turns about."""
        return self.hub or self.centre

    @property
    def centre(self) -> Point:
        """The centre point."""
        return (self.rect.x, self.rect.y)

    def ahead(self, distance: float) -> Footprint:
        """The footprint after sliding on its way."""
        wx, wy = self.way
        return Footprint(self.rect.moved(distance * wx, distance * wy), self.facing)

    def centre_after(self, distance: float) -> Point:
        """The centre after sliding on its way."""
        wx, wy = self.way
        return (self.rect.x + distance * wx, self.rect.y + distance * wy)

    def front_after(self, distance: float) -> Point:
        """The front centre after sliding on its way."""
        x, y = self.rect.front
        wx, wy = self.way
        return (x + distance * wx, y + distance * wy)


@dataclass(frozen=True, slots=True)
class Thing:
    """A unit or a piece of terrain that may be met. x, y, reach: a circle round it, inches.

    cuts_sight: whether it does where it stands between; of a unit, where units do.
    """

    id: str
    name: str
    is_unit: bool
    shape: Rect | Region
    x: float
    y: float
    reach: float
    cuts_sight: bool = True

    @property
    def region(self) -> Region:
        """Its shape as a region."""
        return self.shape if isinstance(self.shape, Region) else region_of_rect(self.shape)


@dataclass(frozen=True, slots=True)
class TerrainPieces:
    """The terrain of a table, all of it and by what the rules ask of it; made once for a table."""

    pieces: ByPlace[Thing]
    difficult: ByPlace[Thing]
    impassable: ByPlace[Thing]


def facing_vector(degrees: float) -> tuple[float, float]:
    """The unit vector of a facing, exact at quarter turns."""
    rect = Rect.of_degrees(0.0, 0.0, degrees, 1.0, 1.0)
    return rect.ux, rect.uy


def footprint_of(body: Body) -> Footprint:
    """The footprint of a unit where it stands."""
    return Footprint(rect_of(body), body.facing)


def faced(block: Footprint, degrees: float) -> Footprint:
    """The same footprint with another facing about its centre."""
    degrees %= 360.0
    rect = block.rect
    return Footprint(Rect.of_degrees(rect.x, rect.y, degrees, rect.width, rect.depth), degrees)


def turned(block: Footprint, by: float) -> Footprint:
    """The footprint turned about its pivot, degrees."""
    facing = block.facing + by
    if block.hub is None:
        return faced(block, facing)
    rect = block.rect.turned(math.radians(by), block.hub)
    return Footprint(
        Rect.of_degrees(rect.x, rect.y, facing % 360.0, rect.width, rect.depth),
        facing % 360.0,
        hub=block.hub,
    )


def _piece(piece: Piece) -> Thing:
    region = region_of(piece)
    left, bottom, right, top = region.bounds
    reach = 0.5 * math.hypot(right - left, top - bottom)
    x, y = 0.5 * (left + right), 0.5 * (bottom + top)
    return Thing(piece.id, piece.name, False, region, x, y, reach, piece.has("opaque"))


def ground_of(table: Battlefield) -> TerrainPieces:
    """The terrain of a table, from its cache."""
    found = table.prepared.get("sovl")
    if not isinstance(found, TerrainPieces):
        things = [(piece, _piece(piece)) for piece in table.pieces]

        def placed(trait: str = "") -> ByPlace[Thing]:
            some = (thing for piece, thing in things if not trait or piece.has(trait))
            return ByPlace(some, lambda thing: box_about(thing.shape))

        found = TerrainPieces(placed(), placed("difficult"), placed("impassable"))
        table.prepared["sovl"] = found
    return found


def _room(block: Footprint, distance: float, all_round: bool) -> Box:
    """A box round all that may be met going forward, or turning on the spot."""
    rect = block.rect
    if all_round:
        x, y = block.pivot
        far = 0.5 * math.hypot(rect.width, rect.depth) + distance + TOLERANCE
        far += math.dist((x, y), block.centre)
        return (x - far, y - far, x + far, y + far)
    ux, uy = abs(rect.ux), abs(rect.uy)
    half_x = 0.5 * (rect.depth * ux + rect.width * uy) + TOLERANCE
    half_y = 0.5 * (rect.depth * uy + rect.width * ux) + TOLERANCE
    x, y = block.centre_after(distance)
    return (
        min(rect.x, x) - half_x,
        min(rect.y, y) - half_y,
        max(rect.x, x) + half_x,
        max(rect.y, y) + half_y,
    )


def _reach_on_table(table: Battlefield, distance: float) -> float:
    """A distance cut to what the table can hold, so that no box grows without bound."""
    return min(distance, 2.0 * (table.width + table.depth))


def difficult_ground(
    table: Battlefield, block: Footprint, distance: float, *, all_round: bool = False
) -> list[Thing]:
    """Difficult pieces that may be met within a distance ahead, or all round."""
    room = _room(block, _reach_on_table(table, distance), all_round)
    return ground_of(table).difficult.near(room)


def impassable_ground(
    table: Battlefield, block: Footprint, distance: float, *, all_round: bool = False
) -> list[Thing]:
    """Impassable pieces that may be met within a distance ahead, or all round."""
    room = _room(block, _reach_on_table(table, distance), all_round)
    return ground_of(table).impassable.near(room)


def unit_thing(body: Body) -> Thing:
    """A unit as something to be met."""
    return Thing(body.id, body.name, True, footprint_of(body).rect, body.x, body.y, body.base.reach)


def units_near(
    state: State, mover: str, block: Footprint, distance: float, *, all_round: bool = False
) -> list[Thing]:
    """Other units that may be met within a distance ahead, or all round."""
    left, low, right, high = _room(block, distance, all_round)
    found: list[Thing] = []
    for body in state.bodies.values():
        base = body.base
        assert isinstance(base, Rectangle)
        reach = 0.5 * (base.width + base.depth)
        if (
            left - reach <= body.x <= right + reach
            and low - reach <= body.y <= high + reach
            and body.id != mover
        ):
            found.append(unit_thing(body))
    return found


def overlap(block: Footprint, thing: Thing) -> tuple[float, Point] | None:
    """How deep and where the block overlaps something, None if it does not or only touches."""
    rect, shape = block.rect, thing.shape
    if not overlaps(rect, shape, TOLERANCE):
        return None
    found = separation(rect, shape)
    place = found.on_b
    ahead, left = rect.local(place)
    if not (within(abs(ahead), 0.5 * rect.depth) and within(abs(left), 0.5 * rect.width)):
        # The corner of it that lies deepest is not the block's: one of a long side, say.
        place = middle_near(region_of_rect(rect), thing.region, 0.0) or place
    return (found.depth, place)


def is_over(block: Footprint, thing: Thing) -> bool:
    """Whether the block overlaps something by more than a touch."""
    return overlaps(block.rect, thing.shape, TOLERANCE)


def contact_ahead(block: Footprint, thing: Thing, distance: float, graze: bool) -> float | None:
    """After how many inches the block, sliding on its way, meets something within a distance.

    graze: whether coming to touch it counts, or only going into it.
    """
    rect = block.rect
    if graze:
        found = slide(rect, thing.shape, block.way, distance + _BEYOND, TOLERANCE)
        at = math.inf if found.touch is None else found.touch.at
    else:
        spans = _overlaps_ahead(block, thing.shape, distance + _BEYOND)
        at = max(0.0, spans[0].start) if spans else math.inf
    return at if at <= distance + TOLERANCE else None


#: How far past the end of an order contact is looked for, inches: what is met at its very end is
#: met, though it is not gone into.
_BEYOND = 0.01


def touches_ahead(block: Footprint, thing: Thing, distance: float) -> bool:
    """Whether the block, going straight forward, comes to touch something or slides along it."""
    rect = block.rect
    out = [0.0, 0.0]
    return not _beside_lane(rect, thing.shape, distance) and any(
        slide_span(rect.loop, part.loop, part.radius, rect.ux, rect.uy, -TOLERANCE, out)
        and out[0] <= distance
        and more_than(out[1], TOLERANCE)
        for part in parts_of(thing.shape)
    )


def place_of_contact(block: Footprint, thing: Thing, at: float, graze: bool) -> Point:
    """Where the block touches something that it meets after so many inches."""
    found = slide(block.rect, thing.shape, block.way, at + _BEYOND, TOLERANCE)
    contact = found.touch if graze else found.contact
    return block.front_after(at) if contact is None else contact.point


def _beside_lane(rect: Rect, shape: Rect | Region, distance: float) -> bool:
    """Whether the box of a shape is clear of all that the way forward sweeps or touches."""
    if isinstance(shape, Region):
        left, bottom, right, top = shape.bounds
        x, y = 0.5 * (left + right) - rect.x, 0.5 * (bottom + top) - rect.y
        w, h = 0.5 * (right - left), 0.5 * (top - bottom)
        ax, ay = abs(rect.ux), abs(rect.uy)
    else:
        # The same in the frame of the other rectangle.
        x, y = shape.x - rect.x, shape.y - rect.y
        w, h = 0.5 * shape.depth, 0.5 * shape.width
        ax = abs(rect.ux * shape.ux + rect.uy * shape.uy)
        ay = abs(rect.uy * shape.ux - rect.ux * shape.uy)
    if abs(y * rect.ux - x * rect.uy) > 0.5 * rect.width + w * ay + h * ax + TOLERANCE:
        return True
    along = x * rect.ux + y * rect.uy
    half = 0.5 * rect.depth + w * ax + h * ay + TOLERANCE
    return along < -half or along > half + distance


def _overlaps_ahead(block: Footprint, shape: Rect | Region, distance: float) -> list[Stretch]:
    """Stretches of the way on which something is overlapped deeper than the tolerance.

    Where the rectangle is clear of all its parts for an instant one ends and another begins.
    """
    rect = block.rect
    if block.course is not None:
        met = overlaps_along(rect, shape, block.course, TOLERANCE)
        return join_overlaps([m for m in met if max(m[2], 0.0) < min(m[3], distance)])
    # Straight forward, as nearly all orders and offers are, by a kernel of its own.
    if _beside_lane(rect, shape, distance):
        return []
    out = [0.0] * 4
    frame = (rect.x, rect.y, rect.ux, rect.uy, 0.5 * rect.depth, 0.5 * rect.width)
    found = [
        (out[0], out[1], out[2], out[3])
        for part in parts_of(shape)
        if box_ahead(frame, part.loop, part.radius, TOLERANCE, out)
        and max(out[2], 0.0) < min(out[3], distance)
    ]
    return join_overlaps(found) if found else []


def spans_ahead(block: Footprint, thing: Thing, distance: float) -> tuple[Span, ...]:
    """On which parts of its way, inches, the block overlaps something.

    A part on which it stands at the start begins at -inf.
    """
    rect = block.rect
    return tuple(
        (
            -math.inf
            if span.start <= TOLERANCE and overlaps(rect, thing.shape, TOLERANCE)
            else span.start,
            span.stop,
        )
        for span in _overlaps_ahead(block, thing.shape, distance)
    )


def landing_reach(
    table: Battlefield, block: Footprint, reach: float
) -> tuple[float | None, Thing | None]:
    """How far forward within a reach a flyer comes down clear of impassable ground (SV-PROP-3).

    Inches, None if there is no such place; and the piece it comes down before, if any.
    """
    spans = [
        (begin, end, thing)
        for thing in impassable_ground(table, block, reach)
        for begin, end in spans_ahead(block, thing, reach + _BEYOND)
    ]
    before: Thing | None = None
    # The place before one piece may lie on another.
    while over := [s for s in spans if more_than(reach, s[0]) and more_than(s[1], reach)]:
        reach, _, before = min(over, key=lambda span: span[0])
    return (None if reach == -math.inf else max(0.0, reach)), before


def runs_to_borders(block: Footprint, table: Battlefield) -> list[tuple[str, float, Point]]:
    """The borders that the block would reach on its way, each after how much, and where."""
    rect, size, (wx, wy) = block.rect, (table.width, table.depth), block.way
    found: list[tuple[str, float, Point]] = []
    for over, (side, nx, ny, _) in zip(overshoots(rect, *size), table_sides(*size), strict=True):
        outward = nx * wx + ny * wy
        if outward > ROUNDING:
            at = max(0.0, -over.amount / outward)
            found.append((side, at, (over.at[0] + at * wx, over.at[1] + at * wy)))
    return found


def along_border(block: Footprint, table: Battlefield) -> bool:
    """Whether the block slides along a border that it touches."""
    size, (wx, wy) = (table.width, table.depth), block.way
    return min(abs(wx), abs(wy)) <= ROUNDING and any(
        within(-over.amount, 0.0) and abs(nx * wx + ny * wy) <= ROUNDING
        for over, (_, nx, ny, _) in zip(
            overshoots(block.rect, *size), table_sides(*size), strict=True
        )
    )


def reach_of_border(block: Footprint, table: Battlefield) -> float:
    """Inches forward until some corner reaches the border; 0 when one is over it already."""
    if any(over.amount > TOLERANCE for over in overshoots(block.rect, table.width, table.depth)):
        return 0.0
    return min((at for _, at, _ in runs_to_borders(block, table)), default=math.inf)


def beyond_border(block: Footprint, table: Battlefield) -> list[tuple[str, float, Point]]:
    """The borders that the block stands over: which, by how many inches, and where."""
    return [
        (over.side, over.amount, over.at)
        for over in overshoots(block.rect, table.width, table.depth)
        if over.amount > TOLERANCE
    ]


def spans_turning(block: Footprint, by: float, thing: Thing) -> tuple[Span, ...]:
    """Between which angles of a turn on the spot, degrees, the block overlaps something.

    A part in which it stands at the start begins at -inf.
    """
    rect = block.rect
    found = turn(rect, thing.shape, block.pivot, math.radians(by), TOLERANCE)
    if not found.spans:
        return ()
    inside = overlaps(rect, thing.shape, TOLERANCE)
    return tuple(
        (
            -math.inf if inside and span.start <= 0.0 else math.degrees(span.start),
            math.degrees(span.stop),
        )
        for span in found.spans
    )


def clash_turning(block: Footprint, by: float, thing: Thing) -> tuple[float, Point] | None:
    """After how many degrees, and where, a turn first comes over something."""
    found = turn(block.rect, thing.shape, block.pivot, math.radians(by), TOLERANCE)
    if found.contact is None:
        return None
    return (math.degrees(found.contact.at), found.contact.point)


def swing_over_border(
    block: Footprint, by: float, table: Battlefield
) -> list[tuple[str, float, Point]]:
    """The borders that a turn swings over, as `beyond_border` where it is farthest out.

    That is at the end of the turn, or where a corner points straight at a border.
    """
    sense, pivot = math.copysign(1.0, by), block.pivot
    straight_out = [
        sense * (sense * (out - math.degrees(math.atan2(y - pivot[1], x - pivot[0]))) % 360.0)
        for x, y in block.rect.corners
        for out in (0.0, 90.0, 180.0, 270.0)
    ]
    farthest: dict[str, tuple[str, float, Point]] = {}
    for angle in (by, *(angle for angle in straight_out if abs(angle) < abs(by))):
        for over in beyond_border(turned(block, angle), table):
            if over[0] not in farthest or over[1] > farthest[over[0]][1]:
                farthest[over[0]] = over
    return list(farthest.values())


def border_turning(block: Footprint, by: float, table: Battlefield) -> list[Span]:
    """Between which angles of a turn on the spot, degrees, the block stands over a border."""
    far = 2.0 * (table.width + table.depth)
    beyond = (
        Rect(-0.5 * far, 0.5 * table.depth, 0.0, far, far),
        Rect(table.width + 0.5 * far, 0.5 * table.depth, 0.0, far, far),
        Rect(0.5 * table.width, -0.5 * far, 0.0, far, far),
        Rect(0.5 * table.width, table.depth + 0.5 * far, 0.0, far, far),
    )
    spans: list[Span] = []
    for outside in beyond:
        found = turn(block.rect, outside, block.centre, math.radians(by), TOLERANCE)
        spans.extend((math.degrees(s.start), math.degrees(s.stop)) for s in found.spans)
    return spans
