"""Colours and patterns. Text reaches 4.5:1 on every ground it can stand on; a test holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tapeline.errors import DocumentError, Fault
from tapeline.picture.svg import element

__all__ = [
    "DARK",
    "LIGHT",
    "PATTERNS",
    "RIMS",
    "THEMES",
    "SideLook",
    "Theme",
    "mixed",
    "side_looks",
    "side_words",
    "theme_of",
    "tile",
]


@dataclass(frozen=True, slots=True)
class SideLook:
    """How one side is told apart: a colour for rims and text, a fill, and a kind of rim."""

    colour: str
    fill: str
    rim: str | None


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours.

    terrain: fill and ink of each pattern. sides: colour and fill, by colour word.
    kinds: colour of each kind of verdict. tints: mixed in where two kinds of terrain share a
    pattern.
    """

    name: str
    paper: str
    ground: str
    grid: str
    ink: str
    muted: str
    line: str
    path: str
    wanted: str
    nearest: str
    fault: str
    on_fault: str
    terrain: Mapping[str, tuple[str, str]]
    sides: Mapping[str, tuple[str, str]]
    kinds: Mapping[str, str]
    on_kind: str
    tints: tuple[str, ...]


LIGHT = Theme(
    name="light",
    paper="#fbfaf7",
    ground="#e6e8e0",
    grid="#cfd3c8",
    ink="#1d2420",
    muted="#4d564f",
    line="#8a938b",
    path="#14532d",
    wanted="#8a1c1c",
    nearest="#14532d",
    fault="#a11212",
    on_fault="#ffffff",
    terrain={
        "plain": ("#d9d5c3", "#6e6a58"),
        "dots": ("#c7d8bb", "#577749"),
        "trees": ("#bcd2b3", "#47703f"),
        "reeds": ("#cfd9bd", "#66763b"),
        "rings": ("#d6cdb9", "#776b4d"),
        "stones": ("#d5d2cb", "#726d66"),
        "dashes": ("#cfbfa6", "#7b623b"),
        "hatch": ("#dcd0b8", "#7b6b49"),
        "cross-hatch": ("#d3c9c9", "#796766"),
        "waves": ("#c2d6e3", "#497590"),
        "solid": ("#8d8f8c", "#3f4143"),
        "bricks": ("#d8c2b4", "#89604e"),
        "spikes": ("#dcc6c6", "#93504e"),
    },
    sides={
        "red": ("#9c2a1b", "#f3d3cb"),
        "blue": ("#1b4f8f", "#cfe0f3"),
        "orange": ("#8a4b08", "#f6dfbd"),
        "purple": ("#65348c", "#e4d5f0"),
        "green": ("#1f5f38", "#cfe8d5"),
        "yellow": ("#6b5600", "#f3e6a8"),
        "white": ("#4a4f4b", "#ffffff"),
        "black": ("#1d1f1e", "#c9ccc9"),
    },
    kinds={
        "LEGAL": "#1f6b3a",
        "STOPPED": "#7a4b00",
        "ILLEGAL": "#a11212",
        "CHOICE": "#1b4f8f",
        "FORCED": "#65348c",
    },
    on_kind="#ffffff",
    tints=("#b4c0ee", "#e8c98f", "#a9d3d6"),
)

DARK = Theme(
    name="dark",
    paper="#161a1d",
    ground="#242a2e",
    grid="#353d42",
    ink="#eef1ee",
    muted="#b4bdb8",
    line="#6d7a80",
    path="#8fe0a8",
    wanted="#ff9d8f",
    nearest="#8fe0a8",
    fault="#ff8f80",
    on_fault="#1d0a08",
    terrain={
        "plain": ("#3b3a31", "#938d76"),
        "dots": ("#2d3d2b", "#7ea56c"),
        "trees": ("#26391f", "#82b073"),
        "reeds": ("#34391f", "#a3b16a"),
        "rings": ("#3c3628", "#a8986f"),
        "stones": ("#3a3a38", "#9d978c"),
        "dashes": ("#40341f", "#b0905a"),
        "hatch": ("#403726", "#ab9566"),
        "cross-hatch": ("#3a3234", "#9c8687"),
        "waves": ("#20384a", "#6ea6c9"),
        "solid": ("#4c5357", "#9ea5a9"),
        "bricks": ("#43312a", "#b17f6a"),
        "spikes": ("#452b2b", "#c27a77"),
    },
    sides={
        "red": ("#ff9d8a", "#5a241b"),
        "blue": ("#8fc1ff", "#1d3c63"),
        "orange": ("#f5b562", "#573409"),
        "purple": ("#d2a8f2", "#472a60"),
        "green": ("#86d8a0", "#1c4a2d"),
        "yellow": ("#ead45c", "#4b3f08"),
        "white": ("#e8ebe8", "#50565a"),
        "black": ("#c3c9c6", "#0e1112"),
    },
    kinds={
        "LEGAL": "#8fe0a8",
        "STOPPED": "#f5b562",
        "ILLEGAL": "#ff8f80",
        "CHOICE": "#8fc1ff",
        "FORCED": "#d2a8f2",
    },
    on_kind="#101416",
    tints=("#34386e", "#5c4415", "#184b52"),
)

THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK}


def theme_of(name: str) -> Theme:
    """The theme of that name. Raises DocumentError."""
    if name not in THEMES:
        fault = Fault("theme", f"must be one of {', '.join(THEMES)}; got {name!r}")
        raise DocumentError("picture", [fault])
    return THEMES[name]


#: Patterns that terrain kinds may name.
PATTERNS = tuple(LIGHT.terrain)
#: Dashes of the rims, in the order of the sides; None is a solid rim.
RIMS: tuple[str | None, ...] = (
    None,
    "5 2.5",
    "1.5 2.5",
    "8 2 1.5 2",
    "10 3",
    "3 1.5",
    "2 4",
    "6 2",
)


def mixed(one: str, other: str, share: float) -> str:
    """A colour `share` of the way from one to the other.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = []
    for at in (1, 3, 5):
        a, b = int(one[at : at + 2], 16), int(other[at : at + 2], 16)
        parts.append(f"{int(a + (b - a) * share + 0.5):02x}")
    return "#" + "".join(parts)


def side_words(sides: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The place of each side's colour (id, name) among those of a theme: of the colour it is called
    after if there is one, else the next that is free."""
    colours = list(LIGHT.sides)
    free = list(colours)
    named: dict[str, str] = {}
    for side_id, name in sides:
        words = f"{side_id} {name}".lower().replace("-", " ").split()
        colour = next((word for word in words if word in free), None)
        if colour is not None:
            named[side_id] = colour
            free.remove(colour)
    found: dict[str, int] = {}
    for index, (side_id, _) in enumerate(sides):
        word = named.get(side_id)
        if word is None:
            word = free.pop(0) if free else colours[index % len(colours)]
        found[side_id] = colours.index(word)
    return found


def side_looks(theme: Theme, sides: Sequence[tuple[str, str]]) -> dict[str, SideLook]:
    """A look for each side (id, name): its own colour if it is called after one, else the next."""
    looks: dict[str, SideLook] = {}
    shades = list(theme.sides.values())
    for index, (side_id, place) in enumerate(side_words(sides).items()):
        colour, fill = shades[place]
        looks[side_id] = SideLook(colour, fill, RIMS[index % len(RIMS)])
    return looks


def tile(pattern: str, name: str, fill: str, ink: str) -> str:
    """The `pattern` element for a kind of terrain, called `name`."""
    size, marks = _TILES[pattern]
    drawn = "".join(
        element("path", d=path, fill="none", edge=(ink, weight), stroke_linecap="round")
        if weight
        else element("path", d=path, fill=ink)
        for path, weight in marks
    )
    ground = element("rect", width=size, height=size, fill=fill)
    return element(
        "pattern", ground + drawn, id=name, width=size, height=size, patternUnits="userSpaceOnUse"
    )


def _dot(x: float, y: float, r: float) -> str:
    return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"


#: Size of the tile and its marks: a path and the weight of its stroke, 0 where it is filled.
_TILES: dict[str, tuple[float, list[tuple[str, float]]]] = {
    "plain": (16, []),
    "dots": (14, [(_dot(3.5, 3.5, 1.7) + _dot(10.5, 10.5, 1.7), 0)]),
    "trees": (18, [(_dot(5, 5, 3) + _dot(14, 14, 3), 1.1), (_dot(5, 5, 0.9), 0)]),
    "reeds": (14, [("M3 7V2.5M5 7V1.5M7 7V3M9 13.5V9M11 13.5V8M13 13.5V9.5", 1.0)]),
    "rings": (20, [(_dot(6, 6, 4) + _dot(16, 16, 2.5), 1.1)]),
    "stones": (16, [("M2 6l2-3.5 3.5 1 .5 3zM9.5 14l1-3 3.5-.5 1.5 3.5z", 1.0)]),
    "dashes": (16, [("M1.5 4h5M9.5 8h5M3.5 12.5h5", 1.2)]),
    "hatch": (9, [("M-2 2L2 -2M-1 10L10 -1M7 11L11 7", 1.1)]),
    "cross-hatch": (10, [("M0 0L10 10M0 10L10 0", 1.0)]),
    "waves": (20, [("M0 6q5 -5 10 0t10 0M-10 16q5 -5 10 0t10 0t10 0", 1.2)]),
    "solid": (12, [("M-2 2L2 -2M-1 13L13 -1M10 14L14 10", 0.7)]),
    "bricks": (16, [("M0 .5H16M0 8.5H16M4 .5V8.5M12 8.5V16", 1.0)]),
    "spikes": (14, [("M2 6L4.5 1L7 6M9 13L11.5 8L14 13", 1.1)]),
}
