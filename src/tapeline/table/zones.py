"""Zones of a table: where the models of a side are set up, or a place both should know of.

A zone has no effect on any rule. What stands outside the zones of its side is told, not forbidden:
games go on, and models leave where they began.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tapeline.errors import Fault
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.entries import outline, outline_document
from tapeline.table.terrain import Circle, Outline, Zone
from tapeline.table.terrain_documents import Id, NamedDoc, OutlineDoc, outline_faults

if TYPE_CHECKING:
    from shapely import Geometry

__all__ = [
    "ZoneDoc", "base_shape", "lies_in", "outline_shape", "outsiders", "zone_document",
    "zone_faults", "zones_from",
]  # fmt: skip

#: Length, table units: what reaches no farther beyond an edge is within.
_WITHIN = 1e-6
#: Chords in a quarter of a circle where zones are laid together; the circle lies inside them.
_CHORDS = 64


class ZoneDoc(NamedDoc):
    """A zone on the plan. side: whose models are set up in it; none: no side's."""

    side: Id | None = None
    shape: OutlineDoc


def zones_from(docs: Iterable[ZoneDoc]) -> tuple[Zone, ...]:
    """The zones of a scene."""
    return tuple(Zone(d.id, d.name or d.id, d.side or "", outline(d.shape)) for d in docs)


def zone_document(zone: Zone) -> dict[str, Any]:
    """A zone as a scene document holds it."""
    side = {"side": zone.side} if zone.side else {}
    return {"id": zone.id, "name": zone.name, **side, "shape": outline_document(zone.outline)}


def zone_faults(
    docs: Sequence[ZoneDoc], sides: Sequence[str], width: float, depth: float
) -> list[Fault]:
    """What is wrong with zones: outlines, sides that are not there, what lies off the table."""
    faults: list[Fault] = []
    for index, doc in enumerate(docs):
        where = f"zones[{index}]"
        if doc.side is not None and doc.side not in sides:
            message = f"no side {doc.side!r}; sides are {', '.join(sides)}"
            faults.append(Fault(f"{where}.side", message))
        found = outline_faults(doc.shape, f"{where}.shape")
        west, south, east, north = outline(doc.shape).box if not found else (0.0,) * 4
        if min(west, south) < -_WITHIN or east > width + _WITHIN or north > depth + _WITHIN:
            message = (
                f"must lie on the table, {width:g} x {depth:g}; it reaches from "
                f"({west:g}, {south:g}) to ({east:g}, {north:g})"
            )
            found.append(Fault(f"{where}.shape", message))
        faults += found
    return faults


def outsiders(zones: Sequence[Zone], bodies: Iterable[Body]) -> Iterator[Body]:
    """Bodies whose base is not wholly within the zones of their side; none of sides without one.

    Circles of zones are taken as polygons about them, too large by less than 1e-3 of the radius.
    """
    from shapely import unary_union

    grounds: dict[str, Geometry] = {}
    for side in {zone.side for zone in zones if zone.side}:
        shapes = [outline_shape(zone.outline) for zone in zones if zone.side == side]
        grounds[side] = unary_union(shapes).buffer(_WITHIN)
    for body in bodies:
        ground = grounds.get(body.side)
        if ground is not None and not ground.covers(base_shape(body)):
            yield body


def lies_in(zone: Zone, body: Body) -> bool:
    """Whether a base lies wholly within a zone, to the precision of `outsiders`."""
    return bool(outline_shape(zone.outline).buffer(_WITHIN).covers(base_shape(body)))


def outline_shape(ground: Outline) -> Geometry:
    """An outline for GEOS; a circle as a polygon about it, larger by less than 1e-3 of it."""
    from shapely import Point, Polygon

    if isinstance(ground, Circle):
        about = ground.radius / math.cos(math.pi / (4 * _CHORDS))
        return Point(ground.x, ground.y).buffer(about, quad_segs=_CHORDS)
    return Polygon(ground.corners)


def base_shape(body: Body) -> Geometry:
    """A base for GEOS; a round one as a polygon in it."""
    from shapely import Point, Polygon

    base = body.base
    if isinstance(base, Rectangle):
        rect = Rect.of_degrees(body.x, body.y, body.facing, base.width, base.depth)
        return Polygon(rect.corners)
    return Point(body.x, body.y).buffer(base.radius, quad_segs=_CHORDS)
