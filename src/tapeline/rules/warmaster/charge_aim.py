"""Which stand of its target a charge goes at, and where the first stand may end (WM-CHG-3)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.limits import affords, within
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.geometry.rectangles.travel import travel_between
from tapeline.rules.warmaster.charge import (
    attacked_edges,
    nearest_free_offsets,
    opposed,
    visible_by_distance,
    who_sees,
)
from tapeline.rules.warmaster.moving import MoveSpec, Moving
from tapeline.rules.warmaster.stands import rect_of
from tapeline.rules.warmaster.state import kept_for, unit_of
from tapeline.rules.warmaster.ways import Ways
from tapeline.table.bodies import Body

__all__ = ["aims", "first_poses", "least_travel"]


def aims(state: State, spec: MoveSpec) -> list[Body]:
    """The stands of the target that a charge may go at: the closest that is seen, ties all; if no
    stand of the unit that sees it can be placed at its edge, the next closest, and so on. Those of
    the closest where none can. Raises UnknownIdError."""
    known: dict[tuple[str, str, str], list[Body]] = kept_for(state, "warmaster:aims")
    key = (spec.unit, spec.kind, spec.target or "")
    if key not in known:
        known[key] = _aims(state, spec)
    return known[key]


def _aims(state: State, spec: MoveSpec) -> list[Body]:
    unit, target = unit_of(state, spec.unit), unit_of(state, spec.target or "")
    seen = visible_by_distance(state, unit, target)
    groups: list[list[Body]] = []
    least = -math.inf
    for gap, body in seen:
        if groups and within(gap, least):
            groups[-1].append(body)
        else:
            groups.append([body])
            least = gap
    if len(groups) < 2:
        return groups[0] if groups else []
    moving = Moving(state, spec)
    ways = Ways(moving)
    # Edges of the zone that the unit is in: those of the closest stand.
    zone = {edge for body in groups[0] for edge in attacked_edges(state, unit, body)}
    for group in groups:
        there = [body for body in group if zone & set(attacked_edges(state, unit, body))]
        if any(_can_be_met(ways, body) for body in there):
            return there
    return groups[0]


def _can_be_met(ways: Ways, body: Body) -> bool:
    moving = ways.moving
    for edge in attacked_edges(moving.state, moving.unit, body):
        for first in who_sees(moving.state, moving.unit, body):
            for pose in first_poses(moving, first, body, edge):
                if ways.way(first, pose, (), detours=True) is not None:
                    return True
    return False


def first_poses(moving: Moving, first: Body, body: Body, edge: str) -> Iterator[Rect]:
    """Poses of a stand with its front on an edge of an enemy stand, centre to centre or as near to
    that as there is room, that it may reach."""
    start, there = rect_of(first), rect_of(body)
    far = there.reach + 2.0 * start.reach
    box = (there.x - far, there.y - far, there.x + far, there.y + far)
    barriers = moving.heeded(first, (), box)
    for offset in nearest_free_offsets(moving.state, start, barriers, there, edge):
        pose = opposed(start, there, edge, offset)
        if affords(least_travel(start, pose), moving.spec.allowance):
            yield pose


def least_travel(start: Rect, end: Rect) -> float:
    """The least that a corner travels from one pose to another, cm."""
    cross = start.ux * end.uy - start.uy * end.ux
    dot = start.ux * end.ux + start.uy * end.uy
    return travel_between(start, end, math.atan2(cross, dot))[0]
