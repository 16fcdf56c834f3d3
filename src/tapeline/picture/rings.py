"""Rings of corners for decoration, in pixels: drawn inside a thing, never measured against.

What looks random is sown from a name by the numbers that the page uses too, so that both draw the
same trees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from tapeline.geometry.plane.legs import Point
from tapeline.picture import svg
from tapeline.picture.frame import Frame
from tapeline.picture.look import Theme
from tapeline.picture.svg import number, path_data
from tapeline.table.terrain import Circle, Outline

__all__ = [
    "FLAT_IN",
    "HIGHEST_IN",
    "Point",
    "Ring",
    "closed",
    "dot",
    "lit_edges",
    "ring_of",
    "scaled",
    "scattered",
    "shadow",
    "shadows",
    "shifted",
    "side_of_square",
    "sides",
    "sown",
    "towards_light",
    "turned",
]

Ring: TypeAlias = list[Point]

#: Corners that stand for a circle.
_ROUND = 48


def ring_of(outline: Outline, frame: Frame) -> Ring:
    """The border of an outline, turned as by `turned`."""
    if not isinstance(outline, Circle):
        return turned([frame.at(corner) for corner in outline.corners])
    x, y = frame.at((outline.x, outline.y))
    r = outline.radius * frame.scale
    turns = [2 * math.pi * n / _ROUND for n in range(_ROUND)]
    return [(x + r * math.cos(turn), y + r * math.sin(turn)) for turn in turns]


def sides(ring: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Its sides, from each corner to the next."""
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def _double_area(ring: Sequence[Point]) -> float:
    return sum(x * v - u * y for (x, y), (u, v) in sides(ring))


def turned(ring: Sequence[Point]) -> Ring:
    """The ring in the one sense that all others here have."""
    return list(reversed(ring)) if _double_area(ring) < 0 else list(ring)


def side_of_square(ring: Sequence[Point]) -> float:
    """How large it is: the side of a square of its area."""
    return math.sqrt(abs(_double_area(ring)) / 2)


def scaled(ring: Sequence[Point], factor: float) -> Ring:
    """Towards the mean of its corners, or away from it."""
    x = sum(corner[0] for corner in ring) / len(ring)
    y = sum(corner[1] for corner in ring) / len(ring)
    return [(x + (u - x) * factor, y + (v - y) * factor) for u, v in ring]


def shifted(ring: Iterable[Point], dx: float, dy: float) -> Ring:
    """The same elsewhere."""
    return [(x + dx, y + dy) for x, y in ring]


def closed(ring: Iterable[Point]) -> str:
    """The ring as path data."""
    return path_data(ring, "z")


def dot(x: float, y: float, r: float) -> str:
    """A full circle as path data."""
    n, d = number(r), number(2 * r)
    return f"M{number(x - r)} {number(y)}a{n} {n} 0 1 0 {d} 0a{n} {n} 0 1 0 -{d} 0z"


def towards_light(side: tuple[Point, Point]) -> float:
    """How far a side looks to the upper left, where the light comes from: 1 fully, -1 away."""
    (ax, ay), (bx, by) = side
    nx, ny = by - ay, ax - bx
    return -math.sqrt(0.5) * (nx + ny) / (math.hypot(nx, ny) or 1.0)


def sown(text: str) -> Callable[[], float]:
    """Numbers from 0 to 1 that look random and are the same for the same text.

    Source: xmur3 and mulberry32, in the public domain.
    """
    word = 0xFFFFFFFF
    seed = 1779033703 ^ len(text)
    for letter in text:
        seed = ((seed ^ ord(letter)) * 3432918353) & word
        seed = ((seed << 13) | (seed >> 19)) & word

    def following() -> float:
        nonlocal seed
        seed = (seed + 0x6D2B79F5) & word
        mixed = ((seed ^ (seed >> 15)) * (1 | seed)) & word
        mixed = ((mixed + ((mixed ^ (mixed >> 7)) * (61 | mixed))) ^ mixed) & word
        return ((mixed ^ (mixed >> 14)) & word) / 4294967296

    return following


def _well_inside(ring: Sequence[Point], place: Point, keep: float) -> bool:
    """Whether a place is inside a ring and at least so far from its border."""
    x, y = place
    inside = False
    for (ax, ay), (bx, by) in sides(ring):
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            inside = not inside
        ux, uy = bx - ax, by - ay
        along = ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy or 1.0)
        t = max(0.0, min(1.0, along))
        if math.hypot(x - ax - t * ux, y - ay - t * uy) < keep:
            return False
    return inside


def scattered(
    ring: Sequence[Point], step: float, keep: float, random: Callable[[], float]
) -> list[Point]:
    """Places spread over a ring, `step` apart and kept off its border."""
    left, right = min(x for x, _ in ring), max(x for x, _ in ring)
    y, low = min(y for _, y in ring), max(y for _, y in ring)
    found, odd = [], 0.0
    while y < low:
        x = left + odd * step
        while x < right:
            place = (x + (random() - 0.5) * 0.5 * step, y + (random() - 0.5) * 0.5 * step)
            if _well_inside(ring, place, keep):
                found.append(place)
            x += step
        y += 0.87 * step
        odd = 0.5 - odd
    return found


#: How far a shadow falls to the right and down, in heights of the thing: a quarter in all.
_FALL = (0.175, 0.178)
#: What is higher casts no longer shadow; what is lower lies flat and casts none.
HIGHEST_IN, FLAT_IN = 6.5, 0.05
_OPACITY = 0.27


def shadow(ring: Sequence[Point], high: float) -> str:
    """A ring swept along the light, as path data: its far end and what each side passes over, all
    turned one way, so that filling with the nonzero rule gives their exact union."""
    dx, dy = _FALL[0] * high, _FALL[1] * high
    passed = [[a, b, *shifted([b, a], dx, dy)] for a, b in sides(ring)]
    return "".join(closed(turned(part)) for part in [shifted(ring, dx, dy), *passed])


def shadows(theme: Theme, swept: Iterable[str]) -> str:
    """Shadows as one path: they do not add up where they meet."""
    d = "".join(swept)
    return svg.path(d, theme["shade"], opacity=_OPACITY, class_="shadows")


def lit_edges(ring: Sequence[Point], theme: Theme, sunk: bool = False) -> list[str]:
    """Edges towards the light and away from it; of something sunk the other way round.

    Source: Tanaka, The relief contour method (1950).
    """
    lines = {"lit": "", "shade": ""}
    for side in sides(ring):
        (ax, ay), (bx, by) = side
        kind = "lit" if (towards_light(side) > 0.05) != sunk else "shade"
        lines[kind] += f"M{number(ax)} {number(ay)}L{number(bx)} {number(by)}"
    shows = {"lit": 0.6, "shade": 0.5}
    return [
        svg.path(d, edge=(theme[kind], 1.8), stroke_linecap="square", opacity=shows[kind])
        for kind, d in lines.items()
        if d
    ]
