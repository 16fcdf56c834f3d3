"""Do two bases share ground, and by how much? Does one lie on the table?"""

from __future__ import annotations

import math

from tapeline.engine.limits import sunk
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect, Region, region_of_circle, separation
from tapeline.table.bodies import Body, Round
from tapeline.table.terrain import Battlefield

__all__ = [
    "base_extent",
    "base_gap",
    "base_overlap",
    "base_shape",
    "centre_on_table",
    "on_plan",
    "over_edge",
    "whole_on_table",
]


def base_shape(body: Body) -> Rect | Region:
    """The plan of a base: a disc or a rectangle."""
    base = body.base
    if isinstance(base, Round):
        return region_of_circle(body.x, body.y, base.radius)
    return Rect.of_degrees(body.x, body.y, body.facing, base.width, base.depth)


def base_extent(body: Body) -> tuple[float, float, float, float]:
    """West, south, east and north end of a base, table units."""
    shape = base_shape(body)
    if isinstance(shape, Rect):
        xs, ys = shape.loop[0::2], shape.loop[1::2]
        return min(xs), min(ys), max(xs), max(ys)
    r = body.base.reach
    return body.x - r, body.y - r, body.x + r, body.y + r


def base_overlap(a: Body, b: Body) -> float:
    """Depth by which two bases overlap, table units; zero or less when they do not.

    The depth is the least shift that parts them. Bases that are apart give minus their gap.
    """
    found = separation(base_shape(a), base_shape(b))
    return found.depth - found.gap


def base_gap(a: Body, b: Body) -> float:
    """How far two bases are apart from edge to edge, their difference in height counted, table
    units."""
    return math.hypot(separation(base_shape(a), base_shape(b)).gap, a.z - b.z)


def on_plan(table: Battlefield, x: float, y: float) -> bool:
    """Whether a point is on the table or on its very edge."""
    return 0.0 <= x <= table.width and 0.0 <= y <= table.depth


def centre_on_table(state: State, body: Body) -> str:
    """What is wrong with a body whose centre is off the table; "" of one that is on it."""
    table = state.table
    if not sunk(max(-body.x, -body.y, body.x - table.width, body.y - table.depth)):
        return ""
    size = f"{table.width:g} x {table.depth:g}"
    return f"({body.x:g}, {body.y:g}) is not on the table, which is {size}"


def over_edge(table: Battlefield, body: Body) -> float:
    """How far a base reaches over the edge of the table; zero or less where it does not."""
    west, south, east, north = base_extent(body)
    return max(-west, -south, east - table.width, north - table.depth)


def whole_on_table(state: State, body: Body) -> str:
    """What is wrong with a body some of which is off the table; "" of one that is wholly on it."""
    found = centre_on_table(state, body)
    if found:
        return found
    table = state.table
    over = over_edge(table, body)
    if not sunk(over):
        return ""
    return (
        f"the base of {body.id!r} at ({body.x:g}, {body.y:g}) reaches {over:.4g} over the edge "
        f"of the table, which is {table.width:g} x {table.depth:g}"
    )
