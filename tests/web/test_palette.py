"""The colours of the page, computed: contrast by WCAG 2, sides apart for every kind of sight."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from support.colours import Linear, contrast, linear, luminance

STYLE = Path(__file__).parents[2] / "src/tapeline/web/static/style"
THEMES = ("light", "dark")
GROUNDS = ("paper", "clay", "flagstones", "meadow")
TEXTURES = (
    "plain",
    "dots",
    "trees",
    "reeds",
    "rings",
    "stones",
    "dashes",
    "hatch",
    "cross-hatch",
    "waves",
    "solid",
    "bricks",
    "spikes",
)
LOOKS = range(8)
#: Contrast that text needs, and that graphics need which carry meaning.
TEXT, GRAPHIC = 4.5, 3.0

#: How protanopes, deuteranopes and tritanopes see linear RGB. Source: Machado, Oliveira and
#: Fernandes, A physiologically-based model for simulation of color vision deficiency (2009), at
#: severity 1.
SIGHTS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def colours(theme: str, ground: str = "paper") -> dict[str, str]:
    """Every custom colour of the style sheets in a theme, as #rrggbb by its name.

    ground: what the board lies on.
    """
    found: dict[str, str] = {}
    for path in STYLE.glob("*.css"):
        for selector, block in re.findall(r"([^{}]+){([^{}]*)}", path.read_text("utf-8")):
            wanted = re.search(r'\[data-ground="([\w-]+)"\]\s*$', selector)
            if wanted and wanted[1] != ground:
                continue
            pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", block)
            found |= {name: (day, night)[THEMES.index(theme)] for name, day, night in pairs}
    return found


def seen(colour: str, sight: str) -> Linear:
    """Linear RGB as somebody of that sight sees it."""
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(k * part for k, part in zip(row, light, strict=True))))
        for row in SIGHTS[sight]
    )
    return red, green, blue


def lab(light: Linear) -> tuple[float, float, float]:
    """CIE L*a*b*, daylight white."""
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = luminance(light)
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089

    def bent(value: float) -> float:
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

    return 116 * bent(y) - 16, 500 * (bent(x) - bent(y)), 200 * (bent(y) - bent(z))


def difference(one: Linear, other: Linear) -> float:
    """Distance in L*a*b*; about 2.3 is just noticed."""
    return float(sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)) ** 0.5)


def texts() -> list[tuple[str, str]]:
    """Names of colours of text and of what they stand on."""
    plain = [
        (text, ground)
        for text in ("ink", "muted", "fault")
        for ground in ("paper", "sheet", "sunken")
    ]
    buttons = [("on-accent", "accent"), ("on-fault", "fault"), ("accent", "paper")]
    soft = [("ink", ground) for ground in ("accent-soft", "fault-soft", "warn-soft", "line")]
    soft += [("accent", "accent-soft"), ("warn", "paper"), ("muted", "accent-soft")]
    board = [(text, "halo") for text in ("ink", "reach-edge", "zone", "moved", "wanted", "past")]
    board += [("muted", "board-around"), ("ink", "board-around")]
    sides = [(f"side-{n}", ground) for n in LOOKS for ground in ("halo", "table", f"tint-{n}")]
    names = [("ink", f"{texture}-fill") for texture in TEXTURES]
    names += [("measure-ink", "measure")]
    return [*plain, *buttons, *soft, *board, *sides, *names]


def graphics() -> list[tuple[str, str]]:
    """Names of colours that carry meaning and of what they stand out from."""
    edges = [("edge", "paper"), ("edge", "sheet"), ("focus", "paper"), ("edge", "table")]
    rims = [(f"side-{n}", ground) for n in LOOKS for ground in ("table", "floor", "air")]
    marks = [(f"{each}-ink", ground) for each in TEXTURES for ground in ("table", f"{each}-fill")]
    moves = [(name, "table") for name in ("moved", "wanted", "past", "tape", "zone", "fault")]
    reach = [("reach-edge", ground) for ground in ("table", "reach-0", "reach-2")]
    return [*edges, *rims, *marks, *moves, *reach, ("wall", "table"), ("wall", "floor")]


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("pairs", "least"), [(texts(), TEXT), (graphics(), GRAPHIC)])
def test_contrast(pairs: list[tuple[str, str]], least: float, theme: str, ground: str) -> None:
    known = colours(theme, ground)
    poor = {
        f"{one} on {other}": round(contrast(known[one], known[other]), 2)
        for one, other in pairs
        if contrast(known[one], known[other]) < least
    }
    assert poor == {}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_the_first_sides_are_apart_in_every_sight(sight: str, theme: str) -> None:
    """The sides a scene gets by default. All others differ by rim, name and letter as well."""
    known = colours(theme)
    for one, other in itertools.combinations(range(2), 2):
        for kind in ("side", "tint"):
            a, b = known[f"{kind}-{one}"], known[f"{kind}-{other}"]
            assert difference(seen(a, sight), seen(b, sight)) >= (20 if kind == "side" else 8)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_done_and_refused_are_apart_in_every_sight(sight: str, theme: str) -> None:
    """Ways differ by their dashes too."""
    known = colours(theme)
    assert difference(seen(known["moved"], sight), seen(known["wanted"], sight)) >= 10


@pytest.mark.parametrize("theme", THEMES)
def test_reach_goes_in_one_sense(theme: str) -> None:
    """Bands are told apart by lightness alone, whatever colours somebody sees."""
    known = colours(theme)
    steps = [luminance(linear(known[f"reach-{n}"])) for n in range(5)]
    assert steps == sorted(steps, reverse=theme == "light")
    for sight in SIGHTS:
        light = [lab(seen(known[f"reach-{n}"], sight))[0] for n in range(5)]
        assert all(abs(a - b) >= 5 for a, b in itertools.pairwise(light)), (sight, light)
