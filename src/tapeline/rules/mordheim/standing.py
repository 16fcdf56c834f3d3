"""Where along a line a base could come to stand, in its true shape (3.3).

Between the places at which a line meets the border of a surface, or comes into or out of a solid or
another base, nothing changes: what holds in the middle holds all along.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, closer_than
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Arc, Line
from tapeline.geometry.rectangles.contact import overlap_part, spans_inside
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.rules.mordheim.edges import free_at
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.rules.mordheim.policy import terrain_of
from tapeline.rules.mordheim.state import base_part, height
from tapeline.table.bodies import Body
from tapeline.table.solids import Ground as Plan
from tapeline.table.solids import box_of
from tapeline.table.storeys import Surface
from tapeline.travel.terrain import Terrain

__all__ = ["about_centre", "clear_spans", "meeting_part", "spans_over", "stand_height", "without"]

Leg: TypeAlias = Line | Arc
Span: TypeAlias = tuple[float, float]

#: Length: shorter pieces of a line are roundings.
_SPECK = 1e-9


def about_centre(body: Body) -> Part:
    """The base of a model as it faces, about its centre."""
    return base_part(body.at(0.0, 0.0))


def meeting_part(body: Body, other: Body) -> Part:
    """Where the centre of a model is while its base, facing as it does, overlaps another; they
    touch on its border."""
    return overlap_part(base_part(other), about_centre(body))


def spans_over(body: Body, plan: Plan, leg: Leg, more: float = 0.0) -> Iterator[Span]:
    """Lengths of a leg between which a base is less than `more` from a plan, or overlaps it."""
    shape = about_centre(body)
    if shape.radius > 0.0:
        yield from plan.spans_near(leg, shape.radius + more)
        return
    for part in plan.region.parts:
        yield from spans_inside(overlap_part(part, shape), leg, more)


def stand_height(ground: Terrain, surface: Surface, x: float, y: float) -> float:
    """The height at which a base stands that comes to a place on a level surface: that of the
    highest level one within a step."""
    z = surface.z
    tops = (s.z for s in ground.storeys.over(x, y, TOLERANCE) if s.ramp is None)
    return max((top for top in tops if top > z and ground.low(top - z)), default=z)


def clear_spans(
    state: State, body: Body, leg: Leg, surface: Surface, but: Collection[str] = ()
) -> list[Span]:
    """Lengths of a leg over a level surface between which a base could come to stand, facing as
    given; the ends of each too.

    but: bodies that are not in its way.
    """
    ground, z, tall = terrain_of(state), surface.z, height(body)
    marks = {0.0, leg.length}
    for over in ground.storeys.near(box_of(leg, TOLERANCE)):
        if over.ramp is None and (over is surface or (over.z > z and ground.low(over.z - z))):
            marks |= set(over.marks(leg, TOLERANCE))
    for solid in ground.beside(box_of(leg, body.base.reach), z, tall):
        if ground.takes_room(solid, z, tall):
            marks |= {s for span in spans_over(body, solid.ground, leg) for s in span}
    for other in state.others(body):
        level = closer_than(abs(other.z - z), 2.0 * CONTACT_RISE_IN)
        if level and other.id not in but and _is_near(leg, body, other):
            marks |= {s for span in spans_inside(meeting_part(body, other), leg) for s in span}
    found: list[Span] = []
    for begin, end in pairwise(sorted(marks)):
        if end - begin <= _SPECK:
            continue
        x, y = leg.at(0.5 * (begin + end))
        if surface.depth(x, y) < -TOLERANCE:
            continue
        if not free_at(state, ground, body, x, y, stand_height(ground, surface, x, y), but):
            continue
        if found and begin - found[-1][1] <= _SPECK:
            found[-1] = (found[-1][0], end)
        else:
            found.append((begin, end))
    return found


def _is_near(leg: Leg, body: Body, other: Body) -> bool:
    far = body.base.reach + other.base.reach
    x0, y0, x1, y1 = box_of(leg, far)
    return x0 <= other.x <= x1 and y0 <= other.y <= y1


def without(spans: Iterable[Span], gone: Iterable[Span]) -> list[Span]:
    """What is left of some spans without others."""
    found: list[Span] = []
    for begin, end in spans:
        for a, b in sorted(gone):
            if a > begin and min(a, end) > begin:
                found.append((begin, min(a, end)))
            begin = max(begin, b)
        if end > begin:
            found.append((begin, end))
    return found
