"""Which stand of its target a charge goes at, and where the first stand may end (WM-CHG-3)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import affords, closer_than, more_than, within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.corner_paths import travel_between
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.charge import (
    Placement,
    attacked_edges,
    free_offsets,
    nearest_to_centre,
    offset_along,
    opposed,
    sided,
    visible_by_distance,
    who_sees,
)
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.figures import FIRST_CONTACT_CM
from tapeline.rules.warmaster.moving import MoveSpec, MoveStudy, Moving, study_of
from tapeline.rules.warmaster.stands import engaged_stands, rect_of
from tapeline.rules.warmaster.state import called, kept_for, unit_of
from tapeline.rules.warmaster.ways import Ways
from tapeline.table.bodies import Body

__all__ = ["aims", "first_poses", "least_travel", "placed_study"]


@BOOK.clause("WM-CHG-3", src="public", bars=Placement, at=Moment.END)
def the_first_stand_meets_the_edge(ask: Context[Placement]) -> Iterator[Finding]:
    """The first stand puts its front on the attacked edge of the closest visible stand that can be
    met, centre to centre or as near to that as room and pace allow, with at least 1 cm of it."""
    study = ask.measure(placed_study)
    action, first = ask.action, study.stands[0]
    body = ask.state.bodies[action.stand]
    target = rect_of(body)
    attacked = called(ask.state, body.id)
    if ask.state.bodies[first.body.id] not in who_sees(ask.state, study.unit, body):
        text = f"{first.name} goes first without seeing {attacked}."
        yield Finding(text, about=first.body.id)
    offset = offset_along(first.end, target, action.edge)
    place = (first.end.x, first.end.y)
    if offset is None:
        if engaged_stands(ask.state, study.unit):
            return
        text = f"The front of {first.name} is not on the {action.edge} edge of {attacked}."
        yield Finding(text, place=place, about=body.id)
        return
    contact = 0.5 * (sided(target, action.edge).width + first.start.width) - abs(offset)
    if closer_than(contact, FIRST_CONTACT_CM):
        text = f"{first.name} meets {contact:.4f} cm of the edge; 1 is needed."
        yield Finding(text, contact, FIRST_CONTACT_CM, place, body.id)
        return
    moving = Moving(ask.state, action.spec)
    room = free_offsets(ask.state, first.start, first.barriers, target, action.edge)
    for nearer in nearest_to_centre(room):
        pose = opposed(first.start, target, action.edge, nearer)
        if more_than(abs(offset), abs(nearer)) and Ways(moving).finds(first.body, pose):
            text = (
                f"{first.name} is {abs(offset):.4f} cm from centre to centre; "
                f"there is room at {abs(nearer):.4f}, and a way to it."
            )
            yield Finding(text, abs(offset), abs(nearer), place, body.id)
            return


def placed_study(state: State, placement: Placement) -> MoveStudy:
    """The move of a charge as measured."""
    return study_of(state, placement.spec)


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
                if ways.finds(first, pose):
                    return True
    return False


def first_poses(moving: Moving, first: Body, body: Body, edge: str) -> Iterator[Rect]:
    """Poses of a stand with its front on an edge of an enemy stand, centre to centre or as near to
    that as room and pace allow; then others that it may reach, should no way lead to those."""
    start, there = rect_of(first), rect_of(body)
    far = there.reach + 2.0 * start.reach
    box = (there.x - far, there.y - far, there.x + far, there.y + far)
    barriers = moving.heeded(first, (), box)
    within_reach = _affordable(start, there, edge, moving.spec.allowance)
    if within_reach is None:
        return
    low, high = within_reach
    room = free_offsets(moving.state, start, barriers, there, edge)
    free = [(max(low, a), min(high, b)) for a, b in room if within(max(low, a), min(high, b))]
    nearest = nearest_to_centre(free)
    others = sorted({end for stretch in free for end in stretch} - {*nearest}, key=abs)
    for offset in (*nearest, *others):
        yield opposed(start, there, edge, offset)


def _affordable(
    start: Rect, target: Rect, edge: str, allowance: float
) -> tuple[float, float] | None:
    """The offsets along an edge at which no corner of a stand ends farther away than it may go:
    each is in a circle about where it starts, so they are one stretch; None if there are none."""
    middle, side = opposed(start, target, edge), sided(target, edge)
    low, high = -math.inf, math.inf
    for (x0, y0), (x1, y1) in zip(start.corners, middle.corners, strict=True):
        dx, dy = x1 - x0, y1 - y0
        along = dy * side.ux - dx * side.uy
        across = dx * side.ux + dy * side.uy
        if not affords(abs(across), allowance):
            return None
        half = math.sqrt(max(0.0, allowance * allowance - across * across))
        low, high = max(low, -along - half), min(high, -along + half)
    if more_than(low, high):
        return None
    # At just the allowance the circles touch in one place, but for rounding.
    return min(low, high), max(low, high)


def least_travel(start: Rect, end: Rect) -> float:
    """The least that a corner travels from one pose to another, cm."""
    cross = start.ux * end.uy - start.uy * end.ux
    dot = start.ux * end.ux + start.uy * end.uy
    return travel_between(start, end, math.atan2(cross, dot))[0]
