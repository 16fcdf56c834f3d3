"""Edges of a rectangle: which is faced, fronts along it, and where along it there is room."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tapeline.engine.limits import TOLERANCE, same, within
from tapeline.geometry.plane.grid import boxes_meet
from tapeline.geometry.rectangles.clip import clip_to, front_arc, loop_area
from tapeline.geometry.rectangles.rectangle import Rect, Region
from tapeline.geometry.rectangles.slide import slide_into
from tapeline.geometry.rectangles.slide_spans import free_stretches
from tapeline.ranks.bases import Point, box_about, box_of_slide, in_contact

__all__ = [
    "EDGES",
    "behind",
    "beside",
    "free_offsets",
    "front_contact",
    "in_touch",
    "keeps_behind",
    "nearest_to_centre",
    "offset_along",
    "opposed",
    "sided",
    "zones",
]


#: Edges of a stand, by the quarter turns from its facing.
EDGES = ("front", "left", "rear", "right")
#: Sides of rectangles that are remembered.
_REMEMBERED = 1 << 12


@lru_cache(maxsize=_REMEMBERED)
def sided(rect: Rect, edge: str) -> Rect:
    """The same rectangle as if it faced to one of its edges."""
    turns = EDGES.index(edge)
    ux, uy = rect.ux, rect.uy
    width, depth = rect.width, rect.depth
    for _ in range(turns):
        ux, uy = -uy, ux
        width, depth = depth, width
    return Rect(rect.x, rect.y, rect.facing + turns * math.pi / 2, width, depth, ux, uy)


def zones(target: Rect, others: Sequence[Rect], angle: float) -> dict[str, float]:
    """How much of the area of others lies in the zone of each edge; angle: to which it opens."""
    found = {}
    for edge in EDGES:
        rect = sided(target, edge)
        planes = front_arc(rect, angle, 0.5 * rect.width)
        areas = (clip_to(other.loop, planes) for other in others)
        found[edge] = math.fsum(loop_area(loop) for loop in areas if len(loop) > 4)
    return found


def front_contact(stand: Rect, foes: Iterable[Rect]) -> float:
    """How much of a stand's front edge lies along the edges of others."""
    return min(stand.width, math.fsum(_front_on(stand, foe) for foe in foes))


def _front_on(stand: Rect, foe: Rect) -> float:
    best = 0.0
    front_right, front_left, _, _ = stand.corners
    fx, fy = front_left[0] - front_right[0], front_left[1] - front_right[1]
    length = math.hypot(fx, fy)
    fx, fy = fx / length, fy / length
    corners = foe.corners
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        # Both ends of the other's edge within a hair of the line of the front.
        offs = [(p[0] - front_right[0]) * fy - (p[1] - front_right[1]) * fx for p in (a, b)]
        if max(abs(offs[0]), abs(offs[1])) > TOLERANCE:
            continue
        along = sorted((p[0] - front_right[0]) * fx + (p[1] - front_right[1]) * fy for p in (a, b))
        best = max(best, min(length, along[1]) - max(0.0, along[0]))
    return best


def opposed(stand: Rect, target: Rect, edge: str, offset: float = 0.0) -> Rect:
    """A stand with its front on an edge of another, its centre `offset` along it."""
    side = sided(target, edge)
    x, y = side.world(0.5 * side.depth + 0.5 * stand.depth, offset)
    return Rect(x, y, side.facing + math.pi, stand.width, stand.depth, -side.ux, -side.uy)


def offset_along(stand: Rect, target: Rect, edge: str) -> float | None:
    """How far along an edge a stand is from centre to centre; None if its front does not
    lie on that edge."""
    side = sided(target, edge)
    ahead, left = side.local(stand.centre)
    if not same(ahead, 0.5 * side.depth + 0.5 * stand.depth):
        return None
    off = stand.ux * side.uy - stand.uy * side.ux
    turned = abs(math.atan2(off, -(stand.ux * side.ux + stand.uy * side.uy)))
    return None if turned * stand.reach > TOLERANCE else left


def free_offsets(
    start: Rect,
    shapes: Iterable[Rect | Region],
    target: Rect,
    edge: str,
    least: float,
    table: tuple[float, float],
) -> list[tuple[float, float]]:
    """How far along the edge from centre to centre the stand has room, with at least so much of the
    edge before its front: from and to, in order. table: width and depth."""
    side = sided(target, edge)
    reach = 0.5 * side.width + 0.5 * start.width - least
    if reach < 0.0:
        return []
    pose = opposed(start, target, edge, -reach)
    u = (-side.uy, side.ux)
    taken: list[tuple[float, float]] = []
    end = pose.moved(2.0 * reach * u[0], 2.0 * reach * u[1])
    room = box_of_slide(pose, end.x - pose.x, end.y - pose.y)
    for shape in shapes:
        if not boxes_meet(box_about(shape), room):
            continue
        # Between two parts of one shape, too, a stand may just fit.
        for part in _parts(shape):
            spans, _ = slide_into(pose, part, u, 2.0 * reach, TOLERANCE)
            taken += [(span.start, span.stop) for span in spans]
    for k, size in ((0, table[0]), (1, table[1])):
        for x in (0.0, size):
            taken += _over_edge(pose, u, k, x, size, 2.0 * reach)
    free = free_stretches(taken, 0.0, 2.0 * reach, 0.25 * TOLERANCE)
    return [(a - reach, b - reach) for a, b in free]


def _parts(shape: Rect | Region) -> Iterator[Rect | Region]:
    if isinstance(shape, Rect):
        yield shape
        return
    yield from (Region((part,), shape.bounds) for part in shape.parts)


def nearest_to_centre(free: Iterable[tuple[float, float]]) -> list[float]:
    """Where in some stretches the centres are nearest; two places where it is so on both sides."""
    places = [min(max(0.0, low), high) for low, high in free]
    least = min((abs(place) for place in places), default=0.0)
    return [place for place in places if within(abs(place), least)]


def _over_edge(
    pose: Rect, u: Point, axis: int, border: float, size: float, length: float
) -> list[tuple[float, float]]:
    """The part of a slide on which a stand is over one border of the table."""
    values = [corner[axis] for corner in pose.corners]
    speed = u[axis]
    low, high = min(values), max(values)
    if abs(speed) <= 1e-12:
        beyond = low < -TOLERANCE if border == 0.0 else high > size + TOLERANCE
        return [(0.0, length)] if beyond else []
    if border == 0.0:
        cut = (-TOLERANCE - low) / speed
        return [(-math.inf, cut)] if speed > 0.0 else [(cut, math.inf)]
    cut = (size + TOLERANCE - high) / speed
    return [(cut, math.inf)] if speed > 0.0 else [(-math.inf, cut)]


def beside(placed: Sequence[Rect], stand: Rect) -> Iterator[Rect]:
    """Poses in line with placed stands, on either side."""
    for rect in placed:
        for sign in (1.0, -1.0):
            x, y = rect.world(
                0.5 * rect.depth - 0.5 * stand.depth, sign * 0.5 * (rect.width + stand.width)
            )
            yield Rect(x, y, rect.facing, stand.width, stand.depth, rect.ux, rect.uy)


def in_touch(ends: Sequence[Rect], foes: Sequence[Rect]) -> int:
    """How many stands touch one of the others, if only at a corner."""
    return sum(any(in_contact(end, foe) for foe in foes) for end in ends)


def behind(placed: Sequence[Rect], stand: Rect) -> Iterator[Rect]:
    """Poses of a stand behind placed ones, one behind each."""
    for rect in placed:
        x, y = rect.world(-0.5 * (rect.depth + stand.depth), 0.0)
        yield Rect(x, y, rect.facing, stand.width, stand.depth, rect.ux, rect.uy)


def keeps_behind(end: Rect, own: Rect, foe: Rect) -> bool:
    """Whether a rectangle lies wholly on the own side of the line along which two are in contact:
    of one of the lines where they touch at corners alone."""
    for edge in EDGES:
        for near, far in ((own, foe), (foe, own)):
            side = sided(near, edge)
            if _ahead(side, far)[0] >= -TOLERANCE:
                least, most = _ahead(side, end)
                if most <= TOLERANCE if near is own else least >= -TOLERANCE:
                    return True
    return False


def _ahead(side: Rect, other: Rect) -> tuple[float, float]:
    """How far the corners of a rectangle lie beyond the front line of another: least and most."""
    ahead = [side.local(corner)[0] - 0.5 * side.depth for corner in other.corners]
    return min(ahead), max(ahead)
