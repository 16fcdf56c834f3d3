"""Height that is seen: shadows that things cast, and edges in light and in shade."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tapeline.picture import svg
from tapeline.picture.look import Theme
from tapeline.picture.rings import Point, closed, shifted, sides, towards_light, turned
from tapeline.picture.svg import number

__all__ = ["FLAT_IN", "HIGHEST_IN", "lit_edges", "shadow", "shadows"]

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
    return [
        svg.path(
            d,
            edge=(theme[kind], 1.8),
            stroke_linecap="square",
            opacity=0.6 if kind == "lit" else 0.5,
        )
        for kind, d in lines.items()
        if d
    ]
