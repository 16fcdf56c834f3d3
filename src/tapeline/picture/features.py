"""What a piece of terrain shows inside its border: canopies, shores, slopes, roofs, stones.

The page draws the same (board/features.js); both sow it from the id of the piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tapeline.picture import svg
from tapeline.picture.look import Theme
from tapeline.picture.rings import (
    FLAT_IN,
    Point,
    Ring,
    closed,
    dot,
    lit_edges,
    scaled,
    scattered,
    shadow,
    shifted,
    side_of_square,
    sides,
    sown,
    towards_light,
)
from tapeline.picture.svg import element, number

__all__ = ["FILLED", "Border", "feature", "swatch"]

#: Forms with a colour of their own, which the look has by their name.
FILLED = ("pit", "track", "planks", "roofs")

#: Strokes of the shore: weight, and how strongly the ink shows; every other one covers the middle.
_SHORES = ((21.0, 0.3), (19.2, None), (12.5, 0.5), (11.0, None), (5.6, 0.8), (4.0, None))


@dataclass(frozen=True, slots=True)
class Border:
    """One border of a piece, pixels. high: how high it stands; inch: an inch in pixels; name: what
    its look is sown from; fill, ink: colours of its kind."""

    ring: Ring
    high: float
    inch: float
    name: str
    fill: str
    ink: str

    @property
    def size(self) -> float:
        """The side of a square of its area."""
        return side_of_square(self.ring)


_Feature = Callable[[Border, Theme, Callable[[], float]], list[str]]


def feature(border: Border, theme: Theme, form: str, pattern: str) -> list[str]:
    """What is drawn over the ground of a piece, by its form, else by its pattern; clipped to it."""
    found = _FEATURES.get(form) or _FEATURES.get(pattern)
    if found is not None:
        return found(border, theme, sown(border.name))
    if pattern == "hatch" and border.high >= 3 * border.inch:
        return _steep(border, theme, sown(border.name))
    return lit_edges(border.ring, theme) if border.high > FLAT_IN * border.inch else []


def swatch(corner: Point, kind: str, fill: str, ink: str, high_in: float) -> Border:
    """A small border to show a kind of terrain by: 19 by 13 pixels, six of them an inch."""
    x, y = corner
    ring = [(x, y), (x + 19, y), (x + 19, y + 13), (x, y + 13)]
    return Border(ring, 6 * high_in, 6.0, kind, fill, ink)


def _clipped(border: Border, parts: list[str]) -> list[str]:
    """Parts that never pass the border. Its name stands for its place in the picture."""
    x, y = border.ring[0]
    name = f"in-{border.name}-{number(x)}-{number(y)}".replace(".", "_")
    name = "".join(letter if letter.isalnum() else "-" for letter in name)
    clip = element("clipPath", svg.path(closed(border.ring), "black"), id=name)
    return [clip, element("g", "".join(parts), clip_path=f"url(#{name})")]


def _canopies(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    """Crowns of trees, each with its shade and a light arc."""
    step = min(border.size / 3.6, max(border.size / 8, 1.15 * border.inch))
    places = scattered(border.ring, step, 0.16 * step, random)
    crowns = [(x, y, step * (0.34 + 0.21 * random())) for x, y in places]
    off = 0.34 if border.high > 0.2 * border.inch else 0.2
    arcs = []
    for x, y, r in crowns:
        q = number(0.68 * r)
        arcs.append(f"M{number(x - 0.68 * r)} {number(y)}a{q} {q} 0 0 1 {q} -{q}")
    return _clipped(
        border,
        [
            svg.path(
                "".join(dot(x + off * r, y + off * r, r) for x, y, r in crowns),
                theme["shade"],
                opacity=0.28,
            ),
            svg.path(
                "".join(dot(*crown) for crown in crowns),
                theme["crown"],
                edge=(theme["crown-ink"], 0.9),
            ),
            svg.path(
                "".join(arcs),
                edge=(theme["crown-light"], 1.2),
                stroke_linecap="round",
                opacity=0.85,
            ),
        ],
    )


def _shores(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    """Three lines along the shore: broad strokes, each covered but for its rim."""
    d = closed(border.ring)
    strokes = [
        svg.path(d, edge=(border.ink if shows else border.fill, weight), opacity=shows)
        for weight, shows in _SHORES
    ]
    return _clipped(border, strokes)


def _hachures(border: Border, step: float, long: float, random: Callable[[], float]) -> str:
    """Short strokes inwards, as maps show that the ground falls."""
    parts = []
    for (ax, ay), (bx, by) in sides(border.ring):
        length = math.dist((ax, ay), (bx, by)) or 1.0
        ux, uy = (bx - ax) / length, (by - ay) / length
        at = step / 2
        while at < length:
            far = long * (0.55 + 0.75 * random())
            start = f"M{number(ax + ux * at)} {number(ay + uy * at)}"
            parts.append(f"{start}l{number(-uy * far)} {number(ux * far)}")
            at += step
    return svg.path("".join(parts), edge=(border.ink, 1), opacity=0.65)


def _raised(ring: Ring, theme: Theme) -> str:
    return svg.path(closed(ring), theme["lit"], opacity=0.22 if theme.name == "light" else 0.09)


def _bowl(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    inner = scaled(border.ring, 0.62)
    return [
        svg.path(closed(inner), theme["shade"], opacity=0.13),
        _hachures(border, border.size / 11, 0.13 * border.size, random),
        *lit_edges(inner, theme, sunk=True),
    ]


def _hill(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    """Hachures and inner contours, one for about each inch and a half."""
    count = max(1, min(3, math.floor(border.high / (1.5 * border.inch) + 0.5)))
    parts = [_hachures(border, border.size / 26, 0.085 * border.size, random)]
    for n in range(count):
        inner = scaled(border.ring, 1 - 0.21 * (n + 1))
        parts += [_raised(inner, theme), *lit_edges(inner, theme)]
    return parts


def _steep(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    strokes = _hachures(border, border.size / 22, 0.2 * border.size, random)
    return [strokes, *lit_edges(scaled(border.ring, 0.74), theme)]


def _pit(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    """A sunk floor with the shadow of its near wall."""
    off = 0.42 * border.inch
    floor = closed(shifted(border.ring, off, off))
    shade = svg.path(closed(border.ring) + floor, theme["shade"], fill_rule="evenodd", opacity=0.3)
    return [*_clipped(border, [shade]), *lit_edges(border.ring, theme, sunk=True)]


def _stones(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    step = max(border.size / 7, 0.55 * border.inch)
    parts = []
    for x, y in scattered(border.ring, step, 0.3 * step, random):
        r = step * (0.2 + 0.22 * random())
        turn = 6 * random()
        around = [a + turn for a in (0, 1.3, 2.6, 3.7, 5)]
        parts.append(closed((x + r * math.cos(a), y + r * math.sin(a)) for a in around))
    d, off = "".join(parts), number(0.09 * border.inch)
    shade = svg.path(d, theme["shade"], opacity=0.28, transform=f"translate({off} {off})")
    stone = svg.path(d, theme["stone"], edge=(theme["stones-ink"], 0.9))
    return _clipped(border, [shade, stone])


def _roof(box: Ring, theme: Theme) -> list[str]:
    """A hipped roof over four corners: each face as light as it looks towards the light."""
    long = [math.dist(a, b) for a, b in sides(box)]
    first = 0 if long[0] >= long[1] else 1
    a, b, c, d = (box[(n + first) % 4] for n in range(4))

    def between(p: Point, q: Point, t: float = 0.5) -> Point:
        return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t

    left, right = between(a, d), between(b, c)
    hip = min(0.36, 0.32 * min(long[:2]) / max(*long[:2], 1e-9))
    start, end = between(left, right, hip), between(left, right, 1 - hip)
    faces: list[Ring] = [[a, b, end, start], [b, c, end], [c, d, start, end], [d, a, start]]
    parts = []
    for face in faces:
        tone = math.floor((1 - towards_light((face[0], face[1]))) * 1.5 + 0.5)
        edge = (theme["bricks-ink"], 0.8)
        parts.append(
            svg.path(closed(face), theme[f"roof-{tone}"], edge=edge, stroke_linejoin="round")
        )
    return parts


def _house(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    if len(border.ring) == 4:
        return _roof(scaled(border.ring, 0.94), theme)
    return lit_edges(scaled(border.ring, 0.86), theme)


def _houses(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    """Little houses, here and there."""
    step = border.size / 4.2
    w, h = 0.4 * step, 0.25 * step
    parts = []
    for x, y in scattered(border.ring, step, 0.42 * step, random):
        turn = (0.0 if random() < 0.5 else math.pi / 2) + 0.16
        c, s = math.cos(turn), math.sin(turn)
        corners = ((-w, -h), (w, -h), (w, h), (-w, h))
        box = [(x + u * c - v * s, y + u * s + v * c) for u, v in corners]
        parts.append(svg.path(shadow(box, 1.6 * border.inch), theme["shade"], opacity=0.25))
        parts += _roof(box, theme)
    return parts


def _crate(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    """A frame and a diagonal."""
    inner = scaled(border.ring, 0.74)
    cross = closed([inner[0], inner[2]]) if len(border.ring) == 4 else ""
    frame = svg.path(closed(inner) + cross, edge=(border.ink, 1), opacity=0.65)
    return [frame, *lit_edges(border.ring, theme)]


def _slab(border: Border, theme: Theme, random: Callable[[], float]) -> list[str]:
    inner = scaled(border.ring, 0.78)
    return [_raised(inner, theme), *lit_edges(inner, theme), *lit_edges(border.ring, theme)]


_FEATURES: dict[str, _Feature] = {
    "bowl": _bowl,
    "pit": _pit,
    "roof": _house,
    "roofs": _houses,
    "trees": _canopies,
    "waves": _shores,
    "rings": _hill,
    "stones": _stones,
    "solid": _slab,
    "cross-hatch": _crate,
}
