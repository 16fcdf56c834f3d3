"""Kernel: rings of corners from a mesh of squares whose corners are inside or outside of a region.

Sides of a square: 0 south, 1 east, 2 north, 3 west. For each case (bit 0 south-west, 1 south-east,
2 north-east, 3 north-west inside) the sides a border enters and leaves by, the inside on its left.
"""

from __future__ import annotations

from typing import NamedTuple

from tapeline.geometry.backends import entry
from tapeline.geometry.weighted.candidates import Mesh
from tapeline.geometry.weighted.contour import Front

__all__ = ["Rings", "trace_rings"]

#: Four a case: a side entered and the one it is left by, twice; -1 none.
_CASES = (
    -1, -1, -1, -1, 0, 3, -1, -1, 1, 0, -1, -1, 1, 3, -1, -1,
    2, 1, -1, -1, 0, 3, 2, 1, 2, 0, -1, -1, 2, 3, -1, -1,
    3, 2, -1, -1, 0, 2, -1, -1, 1, 0, 3, 2, 1, 2, -1, -1,
    3, 1, -1, -1, 0, 1, -1, -1, 3, 0, -1, -1, -1, -1, -1, -1,
)  # fmt: skip
#: The two saddles, 5 and 10, when the middle is inside: the two inside corners are joined.
_JOINED = (0, 1, 2, 3, 1, 2, 3, 0)


class Rings(NamedTuple):
    """Rings of corners: x and y each; where each ring begins and the end; areas, holes below 0.

    follow: scratch, for each side of the mesh which one the border goes on to.
    """

    corners: list[float]
    begins: list[int]
    areas: list[float]
    follow: list[int]


@entry()
def trace_rings(mesh: Mesh, front: Front, crossed: int, rings: Rings) -> int:
    """The border of what is inside, as rings with the inside on their left; how many there are.

    crossed: how many of the front's sides are crossed. Areas are square units.
    """
    x0, y0, step, columns = mesh.x0, mesh.y0, mesh.step, mesh.columns
    inside, place, joined, sides = front.inside, front.place, front.joined, front.sides
    out, begins, follow = rings.corners, rings.begins, rings.follow
    for k in range(crossed):
        follow[sides[k]] = -1
    for k in range(crossed):
        corner, up = sides[k] // 2, sides[k] % 2
        for other in range(2):
            s = corner
            if other == 1:
                s = corner - 1 if up == 1 else corner - columns
            if s < 0 or s % columns == columns - 1 or s // columns == columns - 1:
                continue
            case = inside[s] + 2 * inside[s + 1]
            case += 4 * inside[s + columns + 1] + 8 * inside[s + columns]
            for pair in range(2):
                enter, leave = _CASES[4 * case + 2 * pair], _CASES[4 * case + 2 * pair + 1]
                if (case == 5 or case == 10) and joined[s] % 2 == 1:
                    at = (0 if case == 5 else 4) + 2 * pair
                    enter, leave = _JOINED[at], _JOINED[at + 1]
                if enter >= 0:
                    a = (2 * s, 2 * (s + 1) + 1, 2 * (s + columns), 2 * s + 1)
                    follow[a[enter]] = a[leave]
    made = points = 0
    begins[0] = 0
    for k in range(crossed):
        side = sides[k]
        first = points
        while follow[side] >= 0:
            corner, up = side // 2, side % 2
            x, y = x0 + step * (corner % columns), y0 + step * (corner // columns)
            if up == 1:
                y += step * place[side]
            else:
                x += step * place[side]
            out[2 * points], out[2 * points + 1] = x, y
            points += 1
            onward = follow[side]
            follow[side] = -1
            side = onward
        if points - first > 2:
            total = 0.0
            x, y = out[2 * first], out[2 * first + 1]
            for p in range(2 * first + 2, 2 * points - 2, 2):
                ux, uy = out[p] - x, out[p + 1] - y
                vx, vy = out[p + 2] - x, out[p + 3] - y
                total += ux * vy - uy * vx
            rings.areas[made] = 0.5 * total
            made += 1
            begins[made] = points
        else:
            points = first
    return made
