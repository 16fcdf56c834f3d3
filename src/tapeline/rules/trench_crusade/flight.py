"""TC-FLY: a path through the air, measured in space.

A model with FLYING flies every leg of its path; a leg without z keeps its height. It may go over
IMPASSABLE ground and whatever lies lower than its base, and ends on the table or on terrain.
"""

from __future__ import annotations

import math
from dataclasses import replace

from tapeline.engine.limits import TOLERANCE, more_than, overlaps
from tapeline.engine.paths import LegPath, Place
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Leg, Line, arc_from
from tapeline.rules.trench_crusade.state import height, radius
from tapeline.rules.trench_crusade.walker import route_of, settle, walker_of
from tapeline.table.bodies import Body
from tapeline.table.solids import Solid, box_of
from tapeline.table.storeys import TABLE
from tapeline.travel.route import Route, Stretch
from tapeline.travel.walker import Walker

__all__ = ["fly"]


def fly(state: State, body: Body, path: LegPath) -> Route:
    """The way of a flyer along a path."""
    walker = walker_of(state, body)
    for leg in path:
        if leg.is_turn:
            continue
        if leg.how not in ("walk", "fly"):
            text = f"{body.name} flies; it does not {leg.how}: give its legs heights."
            walker.refuse("TC-FLY-1", text)
            break
        at = walker.place
        end_z = at.z if leg.z is None else leg.z
        shape: Leg
        arc = None
        if leg.to is not None:
            shape = Line(at.x, at.y, *leg.to)
        else:
            assert leg.centre is not None
            assert leg.by is not None
            arc = (*leg.centre, math.radians(leg.by))
            shape = arc_from(at.x, at.y, *arc)
        if end_z < -TOLERANCE:
            walker.refuse("TC-FLY-1", f"{body.name} cannot fly below the table.")
            break
        end = Place(*shape.end, end_z)
        part = Stretch(at, end, 1.0, "flight", "TC-FLY-1", "fly", arc=arc)
        _obstacles(walker, shape, part)
        walker.add(part)
    _ends(walker)
    return route_of(walker)


def _obstacles(walker: Walker, shape: Leg, part: Stretch) -> None:
    """Solids, floors and impassable pieces that the base would pass through."""
    heights, r, tall = walker.terrain, walker.radius, height(walker.body)
    box = box_of(shape, r)
    low, high = min(part.start.z, part.end.z), max(part.start.z, part.end.z)
    for o in heights.beside(box, low, tall):
        if not more_than(o.top, low) or not more_than(high + tall, o.bottom):
            continue
        span = _beside(o, part.start.z, part.end.z, tall)
        if span is None:
            continue
        length = shape.length
        if length <= 0.0:
            depth, place, along = r + o.ground.depth(*shape.start), shape.start, 0.0
        else:
            sub = shape.part(span[0] * length, span[1] * length)
            near = o.ground.nearest_to(sub)
            depth, place = r - near.distance, near.to
            along = span[0] + (o.ground.first_near(sub, r) or 0.0) / length
        if not overlaps(depth):
            continue
        text = f"The base flies {depth:.2f} in into {heights.name(o.entry)}, {o.top:.4g} in high."
        clause = "TC-TER-5" if heights.is_barred(o) else "TC-FLY-1"
        walker.hit(
            clause,
            text,
            Place(*place, part.at(along).z),
            about=o.entry,
            measured=depth,
            limit=0.0,
            travelled=walker.length + along * part.length,
        )


def _beside(o: Solid, start_z: float, end_z: float, tall: float) -> tuple[float, float] | None:
    """Shares of a leg between which an obstacle is at the height of the body."""
    low, high = o.bottom - tall + TOLERANCE, o.top - TOLERANCE
    if abs(start_z - end_z) <= TOLERANCE:
        return (0.0, 1.0) if low < start_z < high else None
    marks = sorted((z - start_z) / (end_z - start_z) for z in (low, high))
    begin, end = max(0.0, marks[0]), min(1.0, marks[1])
    return (begin, end) if begin < end else None


def _ends(walker: Walker) -> None:
    """It ends on the table or on terrain, and not on what is impassable."""
    if not walker.parts or walker.lost:
        return
    x, y, z = walker.place
    body, r = walker.body, radius(walker.body)
    for o in walker.terrain.near((x - r, y - r, x + r, y + r)):
        depth = r + o.ground.depth(x, y)
        if walker.terrain.is_barred(o) and overlaps(depth) and abs(z - o.top) <= TOLERANCE:
            text = f"{body.name} would end on {walker.terrain.name(o.entry)}, which is impassable."
            walker.hit("TC-FLY-1", text, about=o.entry, measured=depth, limit=0.0)
            return
    surface = walker.storeys.support(x, y, z, TOLERANCE)
    if surface is None:
        w, d = walker.terrain.table.width, walker.terrain.table.depth
        if not (0.0 <= x <= w and 0.0 <= y <= d) and not more_than(z, 0.0):
            return  # on level ground; TC-MOVE-6 says whether it may be there
        below = walker.storeys.below(x, y, z)
        over = z - (below.height(x, y) if below is not None else 0.0)
        text = f"{body.name} would end {over:.4g} in up in the air."
        walker.hit("TC-FLY-1", text, about=body.id, measured=over, limit=0.0)
        return
    walker.surface = surface
    inside = walker.terrain.overlapped(body.at(x, y, z), on_ramp=surface.ramp is not None)
    if inside is not None:
        depth, o = inside
        text = f"{body.name} would end {depth:.4g} in inside {walker.terrain.name(o.entry)}."
        walker.hit("TC-FLY-1", text, about=o.entry, measured=depth, limit=0.0)
        return
    if surface.id != TABLE:
        settle(walker)
    last = walker.parts[-1]
    if isinstance(last, Stretch):
        danger = walker.terrain.danger_at(surface, x, y, z, r)
        if danger:
            walker.parts[-1] = replace(last, danger=danger)
