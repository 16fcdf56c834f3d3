"""Colours, patterns and signs. Text reaches 4.5:1 on every ground it can stand on; a test holds it.

They come from look.toml, from which the page has its own (`make docs`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from tapeline.errors import DocumentError, Fault
from tapeline.picture import svg
from tapeline.picture.svg import element

__all__ = [
    "DARK",
    "LIGHT",
    "LOOK",
    "PATTERNS",
    "THEMES",
    "Look",
    "SideLook",
    "Theme",
    "Tile",
    "mixed",
    "side_looks",
    "side_words",
    "theme_of",
    "tile",
]

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Tile:
    """A texture: the side of a tile, path data of its marks, the weight of their line (0: filled);
    pixels."""

    size: float
    marks: str
    weight: float


@dataclass(frozen=True, slots=True)
class Look:
    """What look.toml says. Colours and those of a ground: by day and by night; signs: paths."""

    colours: dict[str, Pair]
    grounds: dict[str, dict[str, Pair]]
    signs: dict[str, str]
    tiles: dict[str, Tile]


def _look() -> Look:
    found = tomllib.loads(Path(__file__).with_name("look.toml").read_text("utf-8"))

    def pairs(table: Mapping[str, Sequence[str]]) -> dict[str, Pair]:
        return {name: (day, night) for name, (day, night) in table.items()}

    grounds = {name: pairs(own) for name, own in found["grounds"].items()}
    tiles = {name: Tile(**tile) for name, tile in found["tiles"].items()}
    return Look(pairs(found["colours"]), grounds, found["signs"], tiles)


LOOK = _look()


@dataclass(frozen=True, slots=True)
class SideLook:
    """How one side is told apart: a colour for rims and text, a pale one, and a kind of rim.

    rim: 0 a light face with a plain rim, 1 dark and milled, 2 light and double, 3 dark and milled.
    """

    colour: str
    pale: str
    rim: int

    @property
    def face(self) -> str:
        """What the base is filled with: sides differ in grey print too."""
        return self.colour if self.rim % 2 else self.pale

    @property
    def mark(self) -> str:
        """What stands on the face."""
        return self.pale if self.rim % 2 else self.colour


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours for one kind of ground; `colours` has all of them by name.

    terrain: fill and ink of each pattern. sides: colour and fill, by colour word.
    kinds: colour of each kind of verdict. tints: mixed in where two kinds of terrain share a
    pattern.
    """

    name: str
    colours: Mapping[str, str]
    terrain: Mapping[str, Pair]
    sides: Mapping[str, Pair]
    kinds: Mapping[str, str]
    on_kind: str
    tints: tuple[str, ...]
    base: str = "paper"

    def __getitem__(self, name: str) -> str:
        return self.colours[name]

    @property
    def faint(self) -> tuple[str, float, str]:
        """The line about what is there and not drawn in full: colour, weight, dashes."""
        return self["edge"], 1.0, "1.5 3"


#: Words of the colours of sides, in their order.
_WORDS = ("red", "blue", "orange", "purple", "green", "yellow", "white", "black")
#: Patterns that terrain kinds may name.
PATTERNS = tuple(name.removesuffix("-fill") for name in LOOK.colours if name.endswith("-fill"))
_TINTS = (("#b4c0ee", "#e8c98f", "#a9d3d6"), ("#34386e", "#5c4415", "#184b52"))
#: Colours of kinds of verdicts, by name.
_KINDS = {
    "LEGAL": "moved",
    "STOPPED": "warn",
    "ILLEGAL": "fault",
    "CHOICE": "side-1",
    "FORCED": "side-3",
}


@cache
def _theme(name: str, ground: str) -> Theme:
    at = ("light", "dark").index(name)
    found = {word: pair[at] for word, pair in LOOK.colours.items()}
    found |= {word: pair[at] for word, pair in LOOK.grounds.get(ground, {}).items()}
    return Theme(
        name=name,
        colours=found,
        terrain={each: (found[f"{each}-fill"], found[f"{each}-ink"]) for each in PATTERNS},
        sides={word: (found[f"side-{n}"], found[f"tint-{n}"]) for n, word in enumerate(_WORDS)},
        kinds={kind: found[word] for kind, word in _KINDS.items()},
        on_kind=("#ffffff", "#101416")[at],
        tints=_TINTS[at],
        base=ground if ground in LOOK.grounds else "paper",
    )


LIGHT, DARK = _theme("light", ""), _theme("dark", "")
THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK}


def theme_of(name: str, ground: str = "") -> Theme:
    """The theme of that name for a kind of ground, paper if it is none. Raises DocumentError."""
    if name not in THEMES:
        fault = Fault("theme", f"must be one of {', '.join(THEMES)}; got {name!r}")
        raise DocumentError("picture", [fault])
    return _theme(name, ground)


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
    shades = list(theme.sides.values())
    return {
        side_id: SideLook(*shades[place], index % 4)
        for index, (side_id, place) in enumerate(side_words(sides).items())
    }


def tile(pattern: str, name: str, fill: str, ink: str) -> str:
    """The `pattern` element, called `name`, of a pattern that is laid as tiles."""
    laid = LOOK.tiles[pattern]
    size = laid.size
    edge = {"fill": "none", "edge": (ink, laid.weight)} if laid.weight else {"fill": ink}
    parts = [
        element("rect", width=size, height=size, fill=fill),
        svg.path(laid.marks, stroke_linecap="round", **edge),
    ]
    return svg.pattern(name, size, "".join(parts))
