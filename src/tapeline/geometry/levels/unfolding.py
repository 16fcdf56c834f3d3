"""A level behind a portal unfolded into the plane before it, to either side."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator

from tapeline.geometry.levels.levels import Gate
from tapeline.geometry.levels.planes import SEEN, Image, apart, visible

__all__ = ["unfolded"]


def unfolded(image: Image, number: int, gate: Gate, radius: float) -> Iterator[Image]:
    """Both images of an image behind gate `number`, if any leg can lead there.

    radius: of its source.
    """
    z = complex(image.x, image.y)
    if radius == 0.0 and min(abs(z - gate.a), abs(z - gate.b)) <= SEEN:
        return  # it enters at the end, and may turn behind it
    low, high = 0.0, 1.0
    if image.windows:
        c, d = image.windows[-2:]
        first, last = c + image.begin * (d - c), c + image.end * (d - c)
        part = visible(z, radius, first, last, gate.a, gate.b)
        if part is None:
            return
        low, high = part
        if (high - low) * gate.length <= 4.0 * SEEN:
            return  # a sliver between ends of windows, where ways may turn
    a, b = gate.a + low * (gate.b - gate.a), gate.a + high * (gate.b - gate.a)
    far = max(0.0, apart(z, z, (a.real, a.imag, b.real, b.imag), 0) - radius)
    cost = image.cost + gate.link.cost
    for mirrored in (False, True):
        along, onward = (gate.b - gate.a) / gate.length, (gate.d - gate.c) / gate.length

        def through(
            w: complex, mirrored: bool = mirrored, along: complex = along, to: complex = onward
        ) -> complex:
            t = (w - gate.a) / along
            return gate.c + (t.conjugate() if mirrored else t) * to

        # The gate's own map is u1 z + v1 or u1 conj(z) + v1; after the image's map.
        u1 = onward * along if mirrored else onward / along
        v1 = through(0j)
        u = u1 * image.u.conjugate() if mirrored else u1 * image.u
        v = u1 * image.v.conjugate() + v1 if mirrored else u1 * image.v + v1
        flipped = image.mirrored != mirrored
        if _seen_before(image, gate.end, u, v, flipped):
            continue
        angle = cmath.phase(u1) + (-image.angle if mirrored else image.angle)
        at = through(z)
        windows = (*(through(w) for w in image.windows), gate.c, gate.d)
        yield Image(
            image.source,
            gate.end,
            at.real,
            at.imag,
            -image.sense if mirrored else image.sense,
            angle % math.tau,
            cost,
            cost + far,
            u,
            v,
            flipped,
            number,
            image,
            windows,
            low,
            high,
        )


def _seen_before(image: Image | None, level: int, u: complex, v: complex, mirrored: bool) -> bool:
    """Whether a chain of images comes back to where it was."""
    while image is not None:
        if (
            image.level == level
            and image.mirrored == mirrored
            and abs(image.u - u) < 1e-12
            and abs(image.v - v) < 1e-12
        ):
            return True
        image = image.before
    return False
