"""Sight between two upright bodies: a free segment from any point of one to any of the other.

Bodies and solids are upright prisms over discs, convex polygons, or convex loops grown by a radius
(a disc on its way along a straight leg). Solids block with their inside; running along a face or
touching an edge is free, but for the seam between two solids that touch.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tapeline.errors import ShapeError
from tapeline.geometry.backends import chosen, floats, functions, ints
from tapeline.geometry.epsilons import LENGTH
from tapeline.geometry.plane.checks import checked
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.sight.line_space import BodyLoop, SolidLoops, chord_of_body
from tapeline.geometry.sight.line_space_search import SearchRoom, search_room
from tapeline.geometry.sight.transversals import FLUSH
from tapeline.work import count_work

__all__ = ["BodySight", "Solid", "Solids", "sight_between_bodies"]

Point3: TypeAlias = tuple[float, float, float]
_Box: TypeAlias = tuple[float, float, float, float]

#: Length: how much bodies are made larger, so that a line that only touches counts as free.
_GROWN = 1e-8
#: Slope of the outermost lines of a narrow frame; beyond it the plan is looked at in four frames.
_NARROW = 1.2


@dataclass(frozen=True, slots=True)
class Solid:
    """An upright prism: a convex loop grown by a radius, times heights bottom..top."""

    ground: Part
    bottom: float
    top: float


@dataclass(frozen=True, slots=True)
class BodySight:
    """Whether there is a free segment; the segment, from a to b. certain: false if the search was
    given up among too many solids, and hidden is the answer."""

    visible: bool
    line: tuple[Point3, Point3] | None = None
    certain: bool = True


def _box(part: Part) -> _Box:
    xs, ys, r = part.loop[::2], part.loop[1::2], part.radius
    return min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r


class Solids:
    """Solids ready to be looked past, kept with their boxes.

    Raises ShapeError on a solid that is neither round nor a polygon, or not finite.
    """

    __slots__ = ("_corners", "_heights", "_plan", "_radii", "boxes", "solids")

    def __init__(self, solids: Sequence[Solid]) -> None:
        for solid in solids:
            loop, radius = solid.ground.loop, solid.ground.radius
            sound = (len(loop) == 2) == (radius > 0.0) and len(loop) not in (0, 4)
            if not sound:
                raise ShapeError(f"{solid!r} must be a disc or a polygon")
            checked((*loop, radius, solid.bottom, solid.top), "solid")
        self.solids = tuple(solids)
        self.boxes = [_box(solid.ground) for solid in solids]
        self._plan: Any = np.array(self.boxes).reshape(-1, 4)
        self._heights: Any = np.array([(s.bottom, s.top) for s in solids]).reshape(-1, 2)
        self._radii: Any = np.array([solid.ground.radius for solid in solids])
        # Corners (n, most, 2), the first of each again where others have more.
        loops = [solid.ground.loop for solid in solids]
        most = max(map(len, loops), default=0)
        full = [(*loop, *loop[:2] * ((most - len(loop)) // 2)) for loop in loops]
        self._corners: Any = np.array(full).reshape(len(full), most // 2, 2)

    def between(self, a: Solid, b: Solid) -> list[int]:
        """Indices of solids that come into the hull of two bodies, made larger as for the search.

        What only touches the hull is among them: it may shut the seam to one that reaches in.
        """
        al, ab, ar, at = _box(a.ground)
        bl, bb, br, bt = _box(b.ground)
        left, bottom = min(al, bl) - _GROWN, min(ab, bb) - _GROWN
        right, top = max(ar, br) + _GROWN, max(at, bt) + _GROWN
        low, high = min(a.bottom, b.bottom) - _GROWN, max(a.top, b.top) + _GROWN
        x0, y0, x1, y1 = self._plan.T
        z0, z1 = self._heights.T
        meets = (x0 < right) & (x1 > left) & (y0 < top) & (y1 > bottom) & (z0 < high) & (z1 > low)
        found = np.flatnonzero(meets)
        # And into the strip between them, looked at across the line of their middles.
        dx, dy = 0.5 * (bl + br - al - ar), 0.5 * (bb + bt - ab - at)
        length = math.hypot(dx, dy)
        if length > LENGTH and len(found):
            nx, ny = -dy / length, dx / length
            spans = [_across(part, nx, ny) for part in (a.ground, b.ground)]
            low, high = min(s[0] for s in spans) - _GROWN, max(s[1] for s in spans) + _GROWN
            corners, radii = self._corners[found], self._radii[found]
            marks = nx * corners[..., 0] + ny * corners[..., 1]
            near, far = marks.min(axis=1) - radii, marks.max(axis=1) + radii
            found = found[(near < high) & (far > low)]
        indices: list[int] = found.tolist()
        return indices


def _across(part: Part, nx: float, ny: float) -> tuple[float, float]:
    loop = part.loop
    marks = [nx * loop[k] + ny * loop[k + 1] for k in range(0, len(loop), 2)]
    return min(marks) - part.radius, max(marks) + part.radius


def _cut(solid: Solid, box: _Box, body: Solid, about: _Box) -> list[Solid]:
    """A solid in parts below, beside and above a body that it reaches into on the plan: only what
    is beside the body can be within it. The parts overlap by less than `FLUSH`.

    box, about: of both.
    """
    (al, ab, ar, at), (bl, bb, br, bt) = box, about
    if al >= br or ar <= bl or ab >= bt or at <= bb:
        return [solid]
    parts = []
    bottom, top, hair = solid.bottom, solid.top, 0.5 * FLUSH
    if bottom < body.bottom - FLUSH and top > body.bottom + FLUSH:
        parts.append(Solid(solid.ground, bottom, body.bottom + hair))
        bottom = body.bottom
    if bottom < body.top - FLUSH and top > body.top + FLUSH:
        parts.append(Solid(solid.ground, body.top - hair, top))
        top = body.top
    return [*parts, Solid(solid.ground, bottom, top)]


def _meet(a: Solid, b: Solid) -> Point3 | None:
    """A point that two bodies share; found along their common heights."""
    low, high = max(a.bottom, b.bottom), min(a.top, b.top)
    if low > high:
        return None
    from tapeline.geometry.rectangles.rectangle import Region, separation

    apart = separation(Region((a.ground,), _box(a.ground)), Region((b.ground,), _box(b.ground)))
    if apart.gap > 0.0:
        return None
    return (*apart.on_a, low)


def sight_between_bodies(
    a: Solid, b: Solid, solids: Solids, *, more: Sequence[Solid] = ()
) -> BodySight:
    """Whether some point of body a and some point of body b are joined by a segment past solids.

    more: further solids, such as bodies of others. Bodies count as larger by 1e-8, so that a line
    that only touches a solid is free; a slit between solids narrower than `LENGTH` is shut. What a
    solid takes of a body itself hides nothing. A body may be an upright axis: a point, not grown.
    Raises ShapeError on heights upside down and numbers that are not finite.

    >>> wall = Solid(Part((4.0, -9.0, 5.0, -9.0, 5.0, 9.0, 4.0, 9.0)), 0.0, 3.0)
    >>> low, high = Solid(Part((0.0, 0.0), 0.5), 0.0, 2.0), Solid(Part((9.0, 0.0), 0.5), 0.0, 5.0)
    >>> sight_between_bodies(low, high, Solids([wall])).visible
    True
    >>> sight_between_bodies(low, low, Solids([wall])).visible
    True
    >>> far = Solid(Part((9.0, 0.0), 0.5), 0.0, 3.5)
    >>> sight_between_bodies(low, far, Solids([wall])).visible
    False
    """
    checked((*a.ground.loop, a.bottom, a.top, *b.ground.loop, b.bottom, b.top), "sight")
    if a.bottom > a.top or b.bottom > b.top:
        raise ShapeError(f"heights upside down in {a!r} or {b!r}")
    shared = _meet(a, b)
    if shared is not None:
        return BodySight(True, (shared, shared))
    boxed = [(solids.solids[i], solids.boxes[i]) for i in solids.between(a, b)]
    if more:
        rest = Solids(more)
        boxed += [(rest.solids[i], rest.boxes[i]) for i in rest.between(a, b)]
    for body in (a, b):
        about = _box(body.ground)
        boxed = [(part, box) for solid, box in boxed for part in _cut(solid, box, body, about)]
    chosen_ones = [solid for solid, _ in boxed]
    ax, ay = _middle(a.ground)
    bx, by = _middle(b.ground)
    dx, dy = bx - ax, by - ay
    distance = math.hypot(dx, dy)
    spread = _reach(a.ground) + _reach(b.ground)
    angle = math.atan2(dy, dx) if distance > 0.0 else 0.0
    origin = (0.5 * (ax + bx), 0.5 * (ay + by))
    frames = [(angle + 0.5 * math.pi * k, 1.0) for k in range(4)]
    if distance > spread:
        slope = spread / math.sqrt(distance * distance - spread * spread)
        if slope <= _NARROW:
            frames = [(angle, slope * 1.000001 + 1e-9)]
    certain = True
    for turn, slope in frames:
        found = _look(a, b, chosen_ones, origin, turn, slope)
        if found.visible:
            return found
        certain = certain and found.certain
    return BodySight(False, None, certain)


class _Kept(threading.local):
    """Scratch of the search of one thread, by backend, kept for the next one."""

    def __init__(self) -> None:
        self.rooms: dict[bool, SearchRoom] = {}


_KEPT = _Kept()


def _middle(part: Part) -> tuple[float, float]:
    x0, y0, x1, y1 = _box(part)
    return 0.5 * (x0 + x1), 0.5 * (y0 + y1)


def _reach(part: Part) -> float:
    x, y = _middle(part)
    loop = part.loop
    far = max(math.hypot(loop[k] - x, loop[k + 1] - y) for k in range(0, len(loop), 2))
    return far + part.radius + 2.0 * _GROWN


def _framed(part: Part, origin: tuple[float, float], ux: float, uy: float) -> list[float]:
    """A loop in the frame whose y axis is (ux, uy)."""
    flat: list[float] = []
    for k in range(0, len(part.loop), 2):
        x, y = part.loop[k] - origin[0], part.loop[k + 1] - origin[1]
        flat.append(x * uy - y * ux)
        flat.append(x * ux + y * uy)
    return flat


def _look(
    a: Solid,
    b: Solid,
    between: Sequence[Solid],
    origin: tuple[float, float],
    turn: float,
    slope: float,
) -> BodySight:
    """Sight along directions about one of them, falling or rising."""
    count_work(50 * (1 + len(between)), "sight")
    ux, uy = math.cos(turn), math.sin(turn)
    compiled = chosen()
    search = functions(compiled).find_beam
    if compiled not in _KEPT.rooms:
        _KEPT.rooms[compiled] = search_room(compiled)
    room = _KEPT.rooms[compiled]
    xs: list[float] = []
    ys: list[float] = []
    starts = [0]
    for solid in between:
        loop = _framed(solid.ground, origin, ux, uy)
        xs.extend(loop[::2])
        ys.extend(loop[1::2])
        starts.append(len(xs))
    fa, fb = (_framed(body.ground, origin, ux, uy) for body in (a, b))
    pa, pb = floats(fa, compiled), floats(fb, compiled)
    ra, rb = a.ground.radius + _GROWN, b.ground.radius + _GROWN
    plan = (
        floats(xs, compiled),
        floats(ys, compiled),
        ints(starts, compiled),
        floats([solid.ground.radius for solid in between], compiled),
    )
    certain = True
    for sign in (1.0, -1.0):
        # Rising lines are falling ones with the heights turned over.
        if sign > 0.0:
            body_a = BodyLoop(pa, ra, float(a.bottom), a.top + _GROWN)
            body_b = BodyLoop(pb, rb, float(b.bottom), b.top + _GROWN)
            bottoms = [solid.bottom for solid in between]
            tops = [solid.top for solid in between]
        else:
            body_a = BodyLoop(pa, ra, -a.top - _GROWN, -float(a.bottom))
            body_b = BodyLoop(pb, rb, -b.top - _GROWN, -float(b.bottom))
            bottoms = [-solid.top for solid in between]
            tops = [-solid.bottom for solid in between]
        solids = SolidLoops(*plan, floats(bottoms, compiled), floats(tops, compiled))
        result = search(body_a, body_b, solids, -slope, slope, LENGTH, room)
        if result == 1:
            ends = _ends(room.found, body_a._replace(loop=fa), body_b._replace(loop=fb))
            (x0, y0, z0), (x1, y1, z1) = (
                (origin[0] + x * uy + y * ux, origin[1] - x * ux + y * uy, sign * z)
                for x, y, z in ends
            )
            return BodySight(True, ((x0, y0, z0), (x1, y1, z1)))
        certain = certain and result == 0
    return BodySight(False, None, certain)


def _ends(found: Sequence[float], a: BodyLoop, b: BodyLoop) -> tuple[Point3, Point3]:
    """The ends of the piece of a free line between the bodies, in the frame."""
    p, q, height, slope = (float(found[k]) for k in range(4))
    chord = [0.0] * 8
    chord_of_body(a, p, q, chord)
    begin = chord[4]
    if height + slope * begin < a.low and slope < 0.0:
        begin = max(chord[0], (a.low - height) / slope)
    chord_of_body(b, p, q, chord)
    end = chord[0]
    if height + slope * end > b.high and slope < 0.0:
        end = min(chord[4], (b.high - height) / slope)
    return (p + q * begin, begin, height + slope * begin), (p + q * end, end, height + slope * end)
