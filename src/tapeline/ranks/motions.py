"""A rectangle that goes along a path of legs: its motions, what they sweep, meet and cross."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from tapeline.engine.limits import TOLERANCE, within
from tapeline.engine.paths import Leg, LegPath
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.corner_paths import (
    FreeLeg,
    SlideLeg,
    Travel,
    TurnLeg,
    after,
    travel_of,
)
from tapeline.geometry.rectangles.corner_paths import Leg as Motion
from tapeline.geometry.rectangles.free_leg import free_leg, free_leg_to_border
from tapeline.geometry.rectangles.motion_legs import FREE, SLIDE, TURN, UNSEEN
from tapeline.geometry.rectangles.rectangle import Rect, Region, overlaps
from tapeline.geometry.rectangles.slide import slide_into, slide_to_border
from tapeline.geometry.rectangles.slide_spans import Span
from tapeline.geometry.rectangles.turn import turn, turn_to_border
from tapeline.ranks.bases import Point, apart, box_of_slide, grown

__all__ = [
    "begun",
    "box_of_leg",
    "box_of_legs",
    "edge_crossed",
    "motions",
    "numbers_of",
    "passes",
    "reverses",
    "spans_of",
    "touches_first",
]


#: Degrees.
_ONCE_ROUND = 360.0
#: Paths from a pose whose motions are remembered.
_MOTIONS = 1 << 13


@lru_cache(maxsize=_MOTIONS)
def motions(pose: Rect, path: LegPath) -> tuple[tuple[Motion, ...], tuple[Rect, ...], Travel]:
    """The legs of a path as motions of a rectangle, its poses before each and at the end, and how
    far its corners travel."""
    legs: list[Motion] = []
    poses = [pose]
    for leg in path:
        motion = _motion(pose, leg)
        pose = after(pose, motion)
        legs.append(motion)
        poses.append(pose)
    return tuple(legs), tuple(poses), travel_of(poses[0], legs)


def _angle(by: float | None) -> float:
    """The angle of a leg, radians; of one that goes more than once round, which is refused wherever
    rectangles move, what is over: kernels have room for so much."""
    turned = by or 0.0
    return math.radians(turned if abs(turned) <= _ONCE_ROUND else math.fmod(turned, _ONCE_ROUND))


def _motion(pose: Rect, leg: Leg) -> Motion:
    if leg.to is not None:
        dx, dy = leg.to[0] - pose.x, leg.to[1] - pose.y
        angle = _angle(leg.by) if leg.is_free else 0.0
        return FreeLeg(dx, dy, angle) if angle != 0.0 else SlideLeg(dx, dy)
    assert leg.by is not None
    x, y = leg.centre if leg.centre is not None else (pose.x, pose.y)
    return TurnLeg(x, y, _angle(leg.by))


def begun(leg: Motion, share: float) -> Motion:
    """The beginning of a leg, as a share of it.

    >>> begun(SlideLeg(3.0, 4.0), 0.5)
    SlideLeg(dx=1.5, dy=2.0)
    """
    if isinstance(leg, SlideLeg):
        return SlideLeg(leg.dx * share, leg.dy * share)
    if isinstance(leg, TurnLeg):
        return TurnLeg(leg.x, leg.y, leg.angle * share)
    return FreeLeg(leg.dx * share, leg.dy * share, leg.angle * share)


def box_of_leg(pose: Rect, leg: Motion) -> Box:
    """A box about everything that a leg sweeps."""
    if isinstance(leg, TurnLeg):
        far = math.hypot(pose.x - leg.x, pose.y - leg.y) + pose.reach
        return leg.x - far, leg.y - far, leg.x + far, leg.y + far
    return box_of_slide(pose, leg.dx, leg.dy)


Spans: TypeAlias = tuple[Span, ...]


def spans_of(
    pose: Rect, leg: Motion, shape: Rect | Region, depth: float
) -> tuple[Spans, Point | None]:
    """Parts of a leg, as shares of it, on which a rectangle overlaps a shape deeper than that.

    With the place of the first contact, if there is one.
    """
    if isinstance(leg, SlideLeg):
        length = math.hypot(leg.dx, leg.dy)
        if length == 0.0:
            return _standing(pose, shape, depth)
        slid, contact = slide_into(pose, shape, (leg.dx, leg.dy), length, depth)
        place = contact.point if contact else None
        return tuple(Span(s.start / length, s.stop / length) for s in slid), place
    if isinstance(leg, TurnLeg):
        angle = abs(leg.angle)
        if angle == 0.0:
            return _standing(pose, shape, depth)
        turned = turn(pose, shape, (leg.x, leg.y), leg.angle, depth)
        place = turned.contact.point if turned.contact else None
        return tuple(Span(s.start / angle, s.stop / angle) for s in turned.spans), place
    freed = free_leg(pose, shape, (pose.x, pose.y), (leg.dx, leg.dy), leg.angle, depth)
    return freed.spans, freed.contact.point if freed.contact else None


def _standing(pose: Rect, shape: Rect | Region, depth: float) -> tuple[Spans, Point | None]:
    if overlaps(pose, shape, depth):
        return (Span(0.0, 1.0),), (pose.x, pose.y)
    return (), None


def passes(pose: Rect, leg: Motion, shape: Rect | Region) -> bool:
    """Whether a rectangle plainly passes another: its centre comes nowhere near enough."""
    if isinstance(shape, Region):
        return False
    reach = pose.reach + shape.reach + TOLERANCE
    if isinstance(leg, TurnLeg):
        radius = math.hypot(pose.x - leg.x, pose.y - leg.y)
        return abs(math.hypot(shape.x - leg.x, shape.y - leg.y) - radius) > reach
    x, y = shape.x - pose.x, shape.y - pose.y
    length = leg.dx * leg.dx + leg.dy * leg.dy
    at = min(1.0, max(0.0, (x * leg.dx + y * leg.dy) / length)) if length else 0.0
    return math.hypot(x - at * leg.dx, y - at * leg.dy) > reach


def _by_half(pose: Rect, angle: float) -> bool:
    """Whether an angle turns a rectangle front for rear, within the tolerance at its corners."""
    return abs(abs(angle) - math.pi) * pose.reach <= TOLERANCE


def reverses(pose: Rect, leg: Motion) -> bool:
    """Whether a leg turns it about on the spot, front for rear."""
    return (
        isinstance(leg, TurnLeg)
        and math.hypot(leg.x - pose.x, leg.y - pose.y) <= TOLERANCE
        and _by_half(pose, leg.angle)
    )


@lru_cache(maxsize=_MOTIONS)
def numbers_of(start: Rect, path: LegPath) -> tuple[float, ...]:
    """A way as `first_clear_way` takes it: one that turns about on the spot sweeps nothing."""
    x, y = start.x, start.y
    found: list[float] = []
    for leg in path:
        by = _angle(leg.by)
        if leg.to is not None:
            kind = FREE if leg.is_free and leg.by is not None else SLIDE
            found += (kind, leg.to[0] - x, leg.to[1] - y, by)
            x, y = leg.to
            continue
        cx, cy = leg.centre or (x, y)
        # Few turns are by half a turn: a pose is made for those alone.
        about = _by_half(start, by) and reverses(
            start.moved(x - start.x, y - start.y), TurnLeg(cx, cy, by)
        )
        found += (UNSEEN if about else TURN, cx, cy, by)
        c, s = math.cos(by), math.sin(by)
        x, y = cx + c * (x - cx) - s * (y - cy), cy + s * (x - cx) + c * (y - cy)
    return tuple(found)


def touches_first(start: Rect, pose: Rect, leg: Motion, other: Rect) -> tuple[float, Point] | None:
    """Where a rectangle that started clear of another first touches it."""
    if within(apart(start, other).gap, 0.0):
        return None
    spans, place = spans_of(pose, leg, grown(other, TOLERANCE), 0.5e-3 * TOLERANCE)
    first = next((s for s in spans if s.stop > 0.0 and s.start < 1.0), None)
    if first is None or place is None:
        return None
    return max(0.0, first.start), place


def edge_crossed(
    pose: Rect, leg: Motion, width: float, depth: float
) -> tuple[str, float, Point] | None:
    """Which edge of the table a leg crosses first, after what share of it, and where."""
    if isinstance(leg, SlideLeg):
        length = math.hypot(leg.dx, leg.dy)
        if length == 0.0:
            return None
        edge = slide_to_border(pose, (leg.dx, leg.dy), width, depth)
        if edge is None or edge.at >= length:
            return None
        # Beyond by no more than the tolerance is still on the table.
        end = pose.moved(leg.dx, leg.dy)
        if all(
            -TOLERANCE <= x <= width + TOLERANCE and -TOLERANCE <= y <= depth + TOLERANCE
            for x, y in end.corners
        ):
            return None
        return edge.side, edge.at / length, edge.point
    if isinstance(leg, TurnLeg):
        edge = turn_to_border(pose, (leg.x, leg.y), leg.angle, width, depth, TOLERANCE)
        share = abs(leg.angle) or 1.0
        return None if edge is None else (edge.side, edge.at / share, edge.point)
    shift = (leg.dx, leg.dy)
    edge = free_leg_to_border(pose, (pose.x, pose.y), shift, leg.angle, width, depth, TOLERANCE)
    return None if edge is None else (edge.side, edge.at, edge.point)


def box_of_legs(poses: Sequence[Rect], legs: Sequence[Motion], more: float) -> Box | None:
    """A box about everything that legs sweep, and so much more around it; None without any."""
    boxes = [box_of_leg(pose, leg) for pose, leg in zip(poses, legs, strict=False)]
    if not boxes:
        return None
    left, low, right, high = zip(*boxes, strict=True)
    return min(left) - more, min(low) - more, max(right) + more, max(high) + more
