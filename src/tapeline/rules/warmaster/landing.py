"""Where along a straight flight a flyer finds room to land."""

from __future__ import annotations

from tapeline.engine.limits import TOLERANCE
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Part, Rect, Region
from tapeline.geometry.rectangles.slide import free_stretches, slide_into, slide_to_border
from tapeline.rules.warmaster.stands import Point, rect_of
from tapeline.rules.warmaster.state import stands_of, units_on_table
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Unit

__all__ = ["room_to_land"]


def room_to_land(state: State, unit: Unit, v: Point, distance: float) -> float:
    """The longest slide of at most that distance at whose end a flyer may land, cm; 0 if none."""
    rects = [rect_of(body) for body in stands_of(state, unit)]
    table = (0.0, 0.0, state.table.width, state.table.depth)
    shapes: list[Region] = [f.region for f in ground_of(state).no_landing(table)]
    for other in units_on_table(state):
        if other.id == unit.id:
            continue
        # Enemies may not even be touched.
        more = 2.0 * TOLERANCE if other.side != unit.side else 0.0
        shapes += [_grown(rect_of(body), more) for body in stands_of(state, other)]
    spans = []
    for rect in rects:
        for shape in shapes:
            met, _ = slide_into(rect, shape, v, distance, TOLERANCE)
            spans += [(span.start, span.stop) for span in met]
    edge = slide_to_border(rects, v, state.table.width, state.table.depth)
    if edge is not None and edge.at < distance:
        spans.append((edge.at, distance + 1.0))
    free = free_stretches(spans, 0.0, distance, 0.25 * TOLERANCE)
    return max((stop for _, stop in free), default=0.0)


def _grown(rect: Rect, more: float) -> Region:
    reach = rect.reach + more
    bounds = (rect.x - reach, rect.y - reach, rect.x + reach, rect.y + reach)
    return Region((Part(rect.loop, more),), bounds)
