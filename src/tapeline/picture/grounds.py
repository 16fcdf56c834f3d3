"""The ground of a table: a quiet texture, sown from its name; and the tape that frames it."""

from __future__ import annotations

from collections.abc import Callable

from tapeline.picture import svg
from tapeline.picture.labels import Box
from tapeline.picture.look import Theme
from tapeline.picture.rings import dot, sown
from tapeline.picture.svg import number

__all__ = ["BAND", "tape", "texture"]

#: Side of a tile of the texture, inches.
_TILE_IN = 9
#: How wide the tape is, pixels.
BAND = 12.0

_Random = Callable[[], float]


def texture(ground: str, theme: Theme, inch: float, origin: tuple[float, float], name: str) -> str:
    """The `pattern` called `name` of a ground, with its corner at `origin`; inch in pixels."""
    tile = _TILE_IN * inch
    line, dots = _GROUNDS.get(ground, _paper)(sown(ground), tile, inch)
    faint = 0.17 if ground == "flagstones" else 0.3
    strokes = svg.path(
        line, edge=(theme["marks"], 0.035 * inch), stroke_linecap="round", opacity=faint
    )
    marks = strokes + (svg.path(dots, theme["marks"], opacity=0.42) if dots else "")
    return svg.pattern(name, tile, marks, x=origin[0], y=origin[1])


def tape(
    area: Box, ticks: tuple[list[tuple[float, str]], list[tuple[float, str]]], theme: Theme
) -> list[str]:
    """The tape along the left and the lower edge of an area. ticks: along x and along y, in pixels,
    each with its figure, "" for a short one."""
    left, top, right, bottom = map(number, area)
    band = number(BAND)
    around = f"M{left} {top}h-{band}V{number(area[3] + BAND)}H{right}V{bottom}H{left}z"
    marks = [
        f"M{number(x)} {bottom}v{number(0.75 * BAND if far else 0.38 * BAND)}"
        for x, far in ticks[0]
    ]
    marks += [
        f"M{left} {number(y)}h{number(-0.75 * BAND if far else -0.38 * BAND)}"
        for y, far in ticks[1]
    ]
    ink = theme["measure-ink"]
    return [
        svg.path(around, theme["measure"], edge=(ink, 0.8), class_="tape-measure"),
        svg.path("".join(marks), None, edge=(ink, 1), class_="tape-ticks"),
    ]


def _sprinkled(
    random: _Random, tile: float, count: int, mark: Callable[[float, float, float], str]
) -> str:
    """Marks put here and there on a tile; their size from 0 to 1."""
    places = [(random() * tile, random() * tile, random()) for _ in range(count)]
    return "".join(mark(*place) for place in places)


def _flagstones(random: _Random, tile: float, inch: float) -> tuple[str, str]:
    """Rows of flagstones."""
    row, parts = tile / 9, []
    for n in range(9):
        y = n * row
        parts.append(f"M0 {number(y)}H{number(tile)}")
        x = random() * row
        while x < tile:
            parts.append(f"M{number(x)} {number(y)}v{number(row)}")
            x += row * (0.8 + random())
    return "".join(parts), ""


def _clay(random: _Random, tile: float, inch: float) -> tuple[str, str]:
    """Pocks and scratches."""

    def pock(x: float, y: float, size: float) -> str:
        r = inch * (0.12 + 0.2 * size)
        bow = f"a{number(r)} {number(0.9 * r)} 0 0 1 {number(1.7 * r)} {number(-0.5 * r)}"
        return f"M{number(x - r)} {number(y)}{bow}"

    def scratch(x: float, y: float, size: float) -> str:
        rise = number(0.06 * inch * (size - 0.5))
        return f"M{number(x)} {number(y)}l{number(0.5 * inch)} {rise}"

    line = _sprinkled(random, tile, 9, pock) + _sprinkled(random, tile, 14, scratch)
    grains = _sprinkled(
        random, tile, 120, lambda x, y, size: dot(x, y, inch * (0.02 + 0.035 * size * size))
    )
    return line, grains


def _meadow(random: _Random, tile: float, inch: float) -> tuple[str, str]:
    """Tufts of grass."""

    def tuft(x: float, y: float, size: float) -> str:
        s = inch * (0.1 + 0.1 * size)
        root = f"M{number(x)} {number(y)}"
        up, side = number(-s), number(0.6 * s)
        return f"{root}l-{side} {up}{root}v{number(-1.35 * s)}{root}l{side} {up}"

    line = _sprinkled(random, tile, 34, tuft)
    return line, _sprinkled(random, tile, 26, lambda x, y, _: dot(x, y, 0.03 * inch))


def _paper(random: _Random, tile: float, inch: float) -> tuple[str, str]:
    """Strokes of laid paper."""

    def stroke(x: float, y: float, size: float) -> str:
        s = inch * (0.2 + 0.25 * size)
        return f"M{number(x)} {number(y)}q{number(s)} {number(-0.5 * s)} {number(2 * s)} 0"

    line = _sprinkled(random, tile, 22, stroke)
    return line, _sprinkled(random, tile, 60, lambda x, y, _: dot(x, y, 0.035 * inch))


_GROUNDS = {"flagstones": _flagstones, "clay": _clay, "meadow": _meadow, "paper": _paper}
