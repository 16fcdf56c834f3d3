"""Images of a source behind portals: windows as intervals of the turns at which its legs leave.

A level behind a portal is unfolded into the plane before it, to either side. Of all legs of a
source those that cross the same portals in order, and meet the last from the same side, leave it in
one interval of turns: a leg turns one way only while its end runs along a segment, unless that runs
into the circle of the source. So a window is cut where the circle crosses its line, and each part
narrows the interval of the image before. That is exact for arcs as for points.

Source: windows and unfolding as Mitchell, Mount and Papadimitriou, "The discrete geodesic problem"
(1987), and Chen and Han, "Shortest paths on a polyhedron" (1990), have them for points; here legs
leave arcs as tangents, and levels meet in portals like pages of a book, not in a surface.
"""

from __future__ import annotations

import cmath
import math

from tapeline.geometry.backends import Floats, kernel
from tapeline.geometry.surfaces.search_arrays import (
    BEFORE,
    BEGIN,
    COST,
    DEEPEST,
    DEPTH,
    END,
    ENDS,
    FIRST,
    GATE,
    GATE_OF,
    IMAGE,
    IMAGE_INTS,
    IMAGES,
    LAST,
    LENGTH,
    LOW,
    SEEN_FLOATS,
    SENSE,
    SIDE,
    START,
    STOP,
    WINDOWS,
    FlatLevels,
    Image,
    SearchMemory,
    image_at,
)

__all__ = ["CUTS", "SEEN", "cut_window", "idle", "least", "on_line", "turn_to", "unfold"]

_TAU = 2.0 * math.pi
#: Length: rounding of places on windows, and between places that are one.
SEEN = 1e-9
#: Angle: a turn this much before an image's first is one of its own, but for rounding.
_SLIP = 1e-6
#: Length: a line this near to touching a circle is cut where it is nearest: turns run fast there.
_TOUCH = 1e-6
#: Length: a window's part no longer than this lies between ends of windows, where ways may turn.
_SLIVER = 4.0 * SEEN
#: Floats of a part of a window: first and last turn, from, to, side; and how many parts at most.
CUT, CUTS = 5, 8


@kernel
def turn_to(image: Image, place: complex) -> tuple[float, float]:
    """The turn at which the leg to a place leaves, from the image's first on, and its length.

    The place is not inside the circle of the image's source.
    """
    way = place - complex(image.x, image.y)
    far = abs(way)
    radius = image.radius
    leave = cmath.phase(way)
    if radius > 0.0:
        leave -= image.sense * math.acos(min(1.0, radius / max(far, SEEN)))
    turned = image.sense * (leave - image.angle) - image.first
    length = math.sqrt(max(0.0, (far - radius) * (far + radius)))
    return image.first + (turned + _SLIP) % _TAU - _SLIP, length


@kernel
def _cost_to(image: Image, place: complex) -> float:
    # A turn before the first by rounding counts as it is: beside the circle its error and the
    # length's cancel out.
    turned, far = turn_to(image, place)
    return image.radius * turned + far


@kernel
def least(image: Image, a: complex, b: complex) -> float:
    """What it costs at least to get to a segment all of which legs of an image lead to.

    The cost along it is least at an end, or where a leg meets it square.
    """
    best = min(_cost_to(image, a), _cost_to(image, b))
    length = abs(b - a)
    if length > 0.0:
        u = (b - a) / length
        z = (complex(image.x, image.y) - a) / u
        for k in range(2):
            # A tangent square to the segment leaves the circle abreast of its centre.
            along = z.real + image.sense * (1.0 - 2.0 * k) * image.radius
            if 0.0 < along < length:
                best = min(best, _cost_to(image, a + along * u))
    return image.cost + best


@kernel
def _end(plan: FlatLevels, gate: int, k: int) -> complex:
    """Where a gate is entered, from and to (0, 1), and left (2, 3)."""
    at = ENDS * gate + 2 * k
    return complex(plan.ends[at], plan.ends[at + 1])


@kernel
def on_line(plan: FlatLevels, image: Image, gate: int) -> tuple[bool, complex]:
    """Whether a point that is its own image stands in a gate, between its ends; the place behind.

    image: without windows.
    """
    a, b, c, d = _end(plan, gate, 0), _end(plan, gate, 1), _end(plan, gate, 2), _end(plan, gate, 3)
    length = plan.ends[ENDS * gate + LENGTH]
    if image.radius > 0.0:
        return False, c
    along = (complex(image.x, image.y) - a) / ((b - a) / length)
    if abs(along.imag) <= SEEN and 0.0 < along.real < length:
        return True, c + along.real * ((d - c) / length)
    return False, c


@kernel
def idle(plan: FlatLevels, taken: SearchMemory, image: int, gate: int) -> bool:
    """Whether a gate leads legs back to where they were, no way walked since: through portals
    along one line to the level and place they came from."""
    a, b, c, d = _end(plan, gate, 0), _end(plan, gate, 1), _end(plan, gate, 2), _end(plan, gate, 3)
    there = plan.gates[GATE * gate + END]
    at = image
    while at >= 0 and taken.image_ints[IMAGE_INTS * at + GATE_OF] >= 0:
        last = taken.image_ints[IMAGE_INTS * at + GATE_OF]
        length = plan.ends[ENDS * last + LENGTH]
        first, out = _end(plan, last, 0), _end(plan, last, 2)
        left, entered = (_end(plan, last, 3) - out) / length, (_end(plan, last, 1) - first) / length
        a, b = (a - out) / left, (b - out) / left
        if max(abs(a.imag), abs(b.imag)) > SEEN:
            return False
        a, b = first + a.real * entered, first + b.real * entered
        if plan.gates[GATE * last + START] == there and max(abs(a - c), abs(b - d)) <= SEEN:
            return True
        at = taken.image_ints[IMAGE_INTS * at + BEFORE]
    return False


@kernel
def _outside(
    image: Image,
    windows: Floats,
    a: complex,
    b: complex,
    length: float,
    out: list[float],
    at: int,
) -> int:
    """Parts of a gate beyond the last window and outside the circle, along each of which the turn
    of a leg runs one way, and the side to which the legs go: from, to, side; to out[at:]. How
    many."""
    low, high = 0.0, length
    z = (complex(image.x, image.y) - a) / ((b - a) / length)
    radius = image.radius
    k = len(windows) - 4
    if k >= 0:
        c = complex(windows[k], windows[k + 1])
        along = complex(windows[k + 2], windows[k + 3]) - c
        w = along.conjugate() / abs(along) * image.side
        p, q = (w * (a - c)).imag, (w * (b - c)).imag
        if max(p, q) < -SEEN:
            return 0
        if p < -SEEN:
            low = length * p / (p - q)
        elif q < -SEEN:
            high = length * p / (p - q)
    if radius > abs(z.imag):
        half = math.sqrt((radius - z.imag) * (radius + z.imag))
        out[at], out[at + 1], out[at + 2] = low, min(high, z.real - half), -image.sense
        out[at + 3], out[at + 4], out[at + 5] = max(low, z.real + half), high, image.sense
        return 2
    side = -1.0 if z.imag > 0.0 else 1.0
    if radius > 0.0 and abs(z.imag) < radius + _TOUCH and low < z.real < high:
        out[at], out[at + 1], out[at + 2] = low, z.real, side
        out[at + 3], out[at + 4], out[at + 5] = z.real, high, side
        return 2
    if radius > 0.0 or abs(z.imag) > SEEN:
        out[at], out[at + 1], out[at + 2] = low, high, side
        return 1
    return 0


@kernel
def _place(image: Image, turned: float, a: complex, u: complex) -> float:
    """How far along the line from a, direction u, the leg that leaves at a turn meets it.

    Infinity where it runs along it.
    """
    out = cmath.rect(1.0, image.angle + image.sense * turned)
    z = (complex(image.x, image.y) + image.radius * out - a) / u
    way = (out * complex(0.0, image.sense) if image.radius > 0.0 else out) / u
    if way.imag == 0.0:
        return math.inf
    return z.real - z.imag * way.real / way.imag


@kernel
def cut_window(
    image: Image, windows: Floats, a: complex, b: complex, length: float, out: list[float]
) -> int:
    """Parts of a gate from a to b that legs of an image meet: turns of the first and the last of
    them, from where to where along the gate, and to which side they go: 1 left, -1 right.

    Written to `out`, CUT floats each; how many. out: room for CUTS of them, and 6 floats more.
    """
    u = (b - a) / length
    spare = CUT * CUTS
    whole = image.radius == 0.0 and len(windows) == 0
    made = 0
    for i in range(_outside(image, windows, a, b, length, out, spare)):
        low, high = out[spare + 3 * i], out[spare + 3 * i + 1]
        if high - low <= _SLIVER:
            continue
        begin = turn_to(image, a + low * u)[0]
        end = turn_to(image, a + high * u)[0]
        end = begin + (end - begin + math.pi) % _TAU - math.pi
        # With the turn the place runs along the gate, or back.
        forward = begin <= end
        if not forward:
            begin, end = end, begin
        for k in range(-1, 2):
            if whole and k != 0:
                continue
            first, last = begin + k * _TAU, end + k * _TAU
            p, q = low, high
            if not whole and first < image.first:
                first = image.first
                cut = _place(image, first, a, u)
                if forward:
                    p = min(high, max(low, cut - SEEN))
                else:
                    q = max(low, min(high, cut + SEEN))
            if not whole and last > image.last:
                last = image.last
                cut = _place(image, last, a, u)
                if forward:
                    q = max(low, min(high, cut + SEEN))
                else:
                    p = min(high, max(low, cut - SEEN))
            if first < last and q - p > _SLIVER:
                o = CUT * made
                out[o], out[o + 1], out[o + 2], out[o + 3] = first, last, p, q
                out[o + 4] = out[spare + 3 * i + 2]
                made += 1
    return made


@kernel
def unfold(
    plan: FlatLevels, taken: SearchMemory, image: int, gate: int, cut: int, mirrored: bool
) -> int:
    """Write down the image of an image behind a gate, to one side or mirrored, for a part of the
    gate that `cut_window` found. Gives its number; it counts only once the caller says so."""
    made = taken.told[IMAGES]
    images, ints, windows = taken.images, taken.image_ints, taken.windows
    a, b, c, d = _end(plan, gate, 0), _end(plan, gate, 1), _end(plan, gate, 2), _end(plan, gate, 3)
    length = plan.ends[ENDS * gate + LENGTH]
    along, onward = (b - a) / length, (d - c) / length
    i, k = IMAGE * image, IMAGE_INTS * image
    f, n = IMAGE * made, IMAGE_INTS * made
    t = (complex(images[i], images[i + 1]) - a) / along
    at = c + (t.conjugate() if mirrored else t) * onward
    turned = cmath.phase(onward * along if mirrored else onward / along)
    o = CUT * cut
    up = int(taken.cuts[o + 4])
    images[f], images[f + 1] = at.real, at.imag
    images[f + 2] = (turned + (-images[i + 2] if mirrored else images[i + 2])) % _TAU
    images[f + 3] = images[i + 3] + plan.ends[ENDS * gate + COST]
    images[f + FIRST], images[f + LAST] = taken.cuts[o], taken.cuts[o + 1]
    images[f + BEGIN], images[f + STOP] = taken.cuts[o + 2] / length, taken.cuts[o + 3] / length
    ints[n], ints[n + 1] = ints[k], plan.gates[GATE * gate + END]
    ints[n + SENSE] = -ints[k + SENSE] if mirrored else ints[k + SENSE]
    ints[n + SIDE] = -up if mirrored else up
    ints[n + GATE_OF], ints[n + BEFORE] = gate, image
    # Its windows: those of the image before, as they lie behind the gate, and the gate.
    had, depth, w = ints[k + WINDOWS], ints[k + DEPTH], taken.told[SEEN_FLOATS]
    ints[n + WINDOWS], ints[n + DEPTH] = w, depth + 1
    for v in range(2 * depth):
        t = (complex(windows[had + 2 * v], windows[had + 2 * v + 1]) - a) / along
        z = c + (t.conjugate() if mirrored else t) * onward
        windows[w + 2 * v], windows[w + 2 * v + 1] = z.real, z.imag
    w += 4 * depth
    windows[w], windows[w + 1], windows[w + 2], windows[w + 3] = c.real, c.imag, d.real, d.imag
    taken.told[DEEPEST] = max(taken.told[DEEPEST], depth + 1)
    p, q = c + images[f + BEGIN] * (d - c), c + images[f + STOP] * (d - c)
    images[f + LOW] = least(image_at(taken, made), p, q)
    return made
