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
from collections.abc import Iterator, Sequence

from tapeline.geometry.surfaces.images import SEEN, Image
from tapeline.geometry.surfaces.links import Gate

__all__ = ["idle", "least", "on_line", "turn_to", "unfolded"]

_TAU = math.tau
#: Angle: a turn this much before an image's first is one of its own, but for rounding.
_SLIP = 1e-6
#: Length: a line this near to touching a circle is cut where it is nearest: turns run fast there.
_TOUCH = 1e-6
#: Length: a window's part no longer than this lies between ends of windows, where ways may turn.
_SLIVER = 4.0 * SEEN


def turn_to(image: Image, radius: float, place: complex) -> tuple[float, float]:
    """The turn at which the leg to a place leaves, from the image's first on, and its length.

    radius: of the image's source; the place is not inside it.
    """
    way = place - complex(image.x, image.y)
    far = abs(way)
    leave = cmath.phase(way)
    if radius > 0.0:
        leave -= image.sense * math.acos(min(1.0, radius / max(far, SEEN)))
    turned = image.sense * (leave - image.angle) - image.first
    length = math.sqrt(max(0.0, (far - radius) * (far + radius)))
    return image.first + (turned + _SLIP) % _TAU - _SLIP, length


def least(image: Image, radius: float, a: complex, b: complex) -> float:
    """What it costs at least to get to a segment all of which legs of an image lead to.

    The cost along it is least at an end, or where a leg meets it square.
    """
    places = [a, b]
    length = abs(b - a)
    if length > 0.0:
        u = (b - a) / length
        z = (complex(image.x, image.y) - a) / u
        for way in (1.0, -1.0):
            # A tangent square to the segment leaves the circle abreast of its centre.
            along = z.real + image.sense * way * radius
            if 0.0 < along < length:
                places.append(a + along * u)
    best = math.inf
    for place in places:
        turned, far = turn_to(image, radius, place)
        best = min(best, radius * max(0.0, turned) + far)
    return image.cost + best


def on_line(image: Image, radius: float, gate: Gate) -> complex | None:
    """Where a point that is its own image stands in a gate, between its ends: the place behind."""
    if radius > 0.0 or image.windows:
        return None
    along = (complex(image.x, image.y) - gate.a) / ((gate.b - gate.a) / gate.length)
    if abs(along.imag) <= SEEN and 0.0 < along.real < gate.length:
        return gate.c + along.real * ((gate.d - gate.c) / gate.length)
    return None


def idle(gates: Sequence[Gate], image: Image, gate: Gate) -> bool:
    """Whether a gate leads legs back to where they were, no way walked since: through portals
    along one line to the level and place they came from."""
    a, b = gate.a, gate.b
    at: Image | None = image
    while at is not None and at.gate >= 0:
        last = gates[at.gate]
        left, entered = (last.d - last.c) / last.length, (last.b - last.a) / last.length
        a, b = (a - last.c) / left, (b - last.c) / left
        if max(abs(a.imag), abs(b.imag)) > SEEN:
            return False
        a, b = last.a + a.real * entered, last.a + b.real * entered
        if last.start == gate.end and max(abs(a - gate.c), abs(b - gate.d)) <= SEEN:
            return True
        at = at.before
    return False


def unfolded(image: Image, number: int, gate: Gate, radius: float) -> Iterator[Image]:
    """The images of an image behind gate `number`, on either side, as far as any legs lead there.

    radius: of its source.
    """
    along, onward = (gate.b - gate.a) / gate.length, (gate.d - gate.c) / gate.length
    z = (complex(image.x, image.y) - gate.a) / along
    for first, last, low, high, up in _parts(image, gate, radius):
        for mirrored in (False, True):

            def through(w: complex, mirrored: bool = mirrored) -> complex:
                t = (w - gate.a) / along
                return gate.c + (t.conjugate() if mirrored else t) * onward

            at = gate.c + (z.conjugate() if mirrored else z) * onward
            turned = cmath.phase(onward * along if mirrored else onward / along)
            other = Image(
                image.source,
                gate.end,
                at.real,
                at.imag,
                -image.sense if mirrored else image.sense,
                (turned + (-image.angle if mirrored else image.angle)) % _TAU,
                image.cost + gate.link.cost,
                0.0,
                first,
                last,
                -up if mirrored else up,
                number,
                image,
                (*(through(w) for w in image.windows), gate.c, gate.d),
                low / gate.length,
                high / gate.length,
            )
            other.low = least(other, radius, *other.seen)
            yield other


def _parts(
    image: Image, gate: Gate, radius: float
) -> Iterator[tuple[float, float, float, float, int]]:
    """Parts of a gate that legs of an image meet: turns of the first and the last of them, from
    where to where along the gate, and to which side they go: 1 left, -1 right."""
    u = (gate.b - gate.a) / gate.length
    z = (complex(image.x, image.y) - gate.a) / u
    for low, high, up in _outside(image, gate, z, radius):
        if high - low <= _SLIVER:
            continue
        begin, _ = turn_to(image, radius, gate.a + low * u)
        end, _ = turn_to(image, radius, gate.a + high * u)
        end = begin + (end - begin + math.pi) % _TAU - math.pi
        # With the turn the place runs along the gate, or back.
        forward = begin <= end
        if not forward:
            begin, end = end, begin
        whole = radius == 0.0 and not image.windows
        for shift in (0.0,) if whole else (-_TAU, 0.0, _TAU):
            first, last = begin + shift, end + shift
            a, b = low, high
            if not whole and first < image.first:
                first = image.first
                cut = _place(image, radius, first, gate.a, u)
                if forward:
                    a = min(high, max(low, cut - SEEN))
                else:
                    b = max(low, min(high, cut + SEEN))
            if not whole and last > image.last:
                last = image.last
                cut = _place(image, radius, last, gate.a, u)
                if forward:
                    b = max(low, min(high, cut + SEEN))
                else:
                    a = min(high, max(low, cut - SEEN))
            if first < last and b - a > _SLIVER:
                yield first, last, a, b, up


def _outside(
    image: Image, gate: Gate, z: complex, radius: float
) -> Iterator[tuple[float, float, int]]:
    """Parts of a gate beyond the last window and outside the circle, along each of which the turn
    of a leg runs one way, and the side to which the legs go. z: the centre, along the gate."""
    low, high = 0.0, gate.length
    if image.windows:
        c, d = image.windows[-2:]
        w = (d - c).conjugate() / abs(d - c) * image.side
        p, q = (w * (gate.a - c)).imag, (w * (gate.b - c)).imag
        if max(p, q) < -SEEN:
            return
        if p < -SEEN:
            low = gate.length * p / (p - q)
        elif q < -SEEN:
            high = gate.length * p / (p - q)
    if radius > abs(z.imag):
        half = math.sqrt((radius - z.imag) * (radius + z.imag))
        yield low, min(high, z.real - half), -image.sense
        yield max(low, z.real + half), high, image.sense
        return
    side = -1 if z.imag > 0.0 else 1
    if radius > 0.0 and abs(z.imag) < radius + _TOUCH and low < z.real < high:
        yield low, z.real, side
        yield z.real, high, side
    elif radius > 0.0 or abs(z.imag) > SEEN:
        yield low, high, side


def _place(image: Image, radius: float, turned: float, a: complex, u: complex) -> float:
    """How far along the line from a, direction u, the leg that leaves at a turn meets it.

    Infinity where it runs along it.
    """
    out = cmath.rect(1.0, image.angle + image.sense * turned)
    z = (complex(image.x, image.y) + radius * out - a) / u
    way = (out * (1j * image.sense) if radius > 0.0 else out) / u
    return z.real - z.imag * way.real / way.imag if way.imag else math.inf
