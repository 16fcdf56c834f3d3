"""The board: layers to draw on, the ground with its grid, text that stands out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tapeline.engine.badges import looks_of
from tapeline.engine.state import State
from tapeline.engine.system import Looks, System
from tapeline.picture import grounds, svg
from tapeline.picture.frame import Frame
from tapeline.picture.labels import Box, Crowd
from tapeline.picture.look import SideLook, Theme, mixed, side_looks
from tapeline.picture.storeys import Storey
from tapeline.picture.svg import element, group, number
from tapeline.wording import figure

__all__ = ["NAME", "SMALL", "BoardDrawing", "Line", "halo_lines", "halo_text", "tick_step"]

#: Of a label: the text, its size, whether it is bold, its colour.
Line: TypeAlias = tuple[str, float, bool, str]

#: Sizes of text: names and lengths, and what goes below them.
NAME = 10.5
SMALL = 8.5
_TICK = 9.5


def halo_text(
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str,
    halo: str,
    *,
    anchor: str = "middle",
    bold: bool = False,
    kind: str | None = None,
    outline: float = 3.2,
) -> str:
    """Text with an outline of the ground about it, so that it can be read on any pattern."""
    style: dict[str, Any] = {"edge": (halo, outline), "stroke_linejoin": "round"}
    style |= {"paint_order": "stroke", "text_anchor": anchor}
    weight = "bold" if bold else None
    return svg.text(text, x, y, size, colour, **style, font_weight=weight, class_=kind)


def halo_lines(place: Box, lines: Iterable[Line], halo: str, gap: float, **more: Any) -> list[str]:
    """Lines of `halo_text` one below another in a place. more: as of `halo_text`."""
    x, y = 0.5 * (place[0] + place[2]), place[1] - gap
    parts = []
    for text, size, bold, colour in lines:
        y += size + gap
        parts.append(halo_text(x, y, text, size, colour, halo, bold=bold, **more))
    return parts


@dataclass
class BoardDrawing:
    """The drawing of a table, layer by layer; labels are placed once all bases are known.

    storey: the part of the table drawn in full, as a plan; None is the whole table from above.
    number, caption: of one of several drawings of the whole table, told apart by words above them.
    """

    state: State
    system: System
    theme: Theme
    frame: Frame
    storey: Storey | None = None
    number: int = 0
    caption: str = ""
    looks: dict[str, SideLook] = field(init=False)
    tiles: dict[str, tuple[str, str, str]] = field(init=False)
    letters_of: Looks = field(init=False)
    crowd: Crowd = field(init=False)
    under: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    bases: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    pins: list[str] = field(default_factory=list)
    ticks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        sides = [(side.id, side.name) for side in self.state.sides]
        self.looks = side_looks(self.theme, sides)
        self.tiles = _terrain_tiles(self.state, self.system, self.theme)
        self.letters_of = looks_of(self.system, self.state)
        self.crowd = Crowd(self.frame.area)

    @property
    def inch(self) -> float:
        """An inch in pixels."""
        return self.frame.scale * (1.0 if self.state.table.unit == "in" else 2.54)

    def on(self, z: float) -> bool:
        """Whether what is at a height is drawn in full here."""
        return self.storey is None or self.storey.holds(max(z, 0.0))

    def _name(self, of: str) -> str:
        """The id of something that each board of a picture has."""
        index = self.number if self.storey is None else self.storey.index
        return of if self.storey is None and not index else f"{of}-{index}"

    def markup(self) -> str:
        """The whole board."""
        name = self._name("table")
        within = {"clip_path": f"url(#{name})"}
        inside = group([*self.under, *self.ways], **within, class_="ground-and-ways")
        bases = group(self.bases, **({} if self.frame.whole else within), class_="bodies")
        border = svg.over(self.frame.area, fill="none", edge=(self.theme["edge"], 1.5))
        clip = element("defs", element("clipPath", svg.over(self.frame.area), id=name))
        labels, pins = group(self.over, class_="labels"), group(self.pins, class_="findings")
        return "\n".join([clip, inside, border, bases, labels, pins])

    def label(
        self, place: Box, lift: float, text: str, size: float, colour: str, **more: Any
    ) -> str:
        """Text in the middle of a place, its base line so far above the lower edge; more: as of
        `halo_text`, the halo that of the ground unless given."""
        x, y = 0.5 * (place[0] + place[2]), place[3] - lift
        return halo_text(x, y, text, size, colour, more.pop("halo", self.theme["table"]), **more)

    # Ground and ticks

    def ground(self) -> None:
        """The ground with a faint grid, and the tape along two edges, outside the table."""
        left, top, right, bottom = area = self.frame.area
        theme = self.theme
        fill = theme["table"] if self.on(0.0) else mixed(theme["table"], theme["grid"], 0.75)
        name = self._name("ground")
        texture = grounds.texture(theme.base, theme, self.inch, area[:2], name)
        self.under += [
            svg.over(area, fill=fill, class_="ground"),
            element("defs", texture),
            svg.over(area, fill=f"url(#{name})", class_="texture"),
        ]
        step = tick_step(self.state.table.unit, self.frame.span)
        across = _marks(self.frame.width, step, left, right, lambda v: self.frame.at((v, 0.0))[0])
        along = _marks(self.frame.depth, step, top, bottom, lambda v: self.frame.at((0.0, v))[1])
        lines, labels = [], []
        for x, words in across:
            if words:
                lines.append(f"M{number(x)} {number(top)}V{number(bottom)}")
                labels.append(self._tick(x, bottom + grounds.BAND + 12, words, "middle"))
        for y, words in along:
            if words:
                lines.append(f"M{number(left)} {number(y)}H{number(right)}")
                labels.append(self._tick(left - grounds.BAND - 3, y + 3.3, words, "end"))
        self.under.append(svg.path("".join(lines), None, edge=(theme["grid"], 1), class_="grid"))
        self.ticks = [*grounds.tape(area, (across, along), theme), *labels]

    def _tick(self, x: float, y: float, text: str, anchor: str) -> str:
        return svg.text(text, x, y, _TICK, self.theme["muted"], text_anchor=anchor, class_="tick")


def _marks(
    length: float, step: float, low: float, high: float, pixel: Callable[[float], float]
) -> list[tuple[float, str]]:
    """Marks of the tape along one edge, round lengths apart; the figure at each long one."""
    parts = 6 if step % 3 == 0 else 5
    fine = step / parts
    marks = [
        (pixel(n * fine), "" if n % parts else figure(n // parts * step))
        for n in range(int(length / fine + 1e-9) + 1)
    ]
    return [(at, words) for at, words in marks if low - 1e-6 <= at <= high + 1e-6]


def tick_step(unit: str, longest: float) -> float:
    """Distance of the ticks: 6 in or 10 cm, wider on very large tables, closer on small ones."""
    step = 6.0 if unit == "in" else 10.0
    while longest / step > 30:
        step *= 2
    while longest / step < 3:
        step /= 2
    return step


def _terrain_tiles(state: State, system: System, theme: Theme) -> dict[str, tuple[str, str, str]]:
    """For each kind of terrain on the table: name of its tile, fill and ink.

    Kinds with the same pattern differ in tint.
    """
    used = {piece.kind for piece in state.table.pieces}
    turns: dict[str, int] = {}
    tiles: dict[str, tuple[str, str, str]] = {}
    for kind in system.terrain_kinds.values():
        pattern = kind.pattern if kind.pattern in theme.terrain else "plain"
        turn = turns.get(pattern, 0)
        turns[pattern] = turn + 1
        if kind.name in used:
            fill, ink = theme.terrain[pattern]
            if turn:
                fill = mixed(fill, theme.tints[(turn - 1) % len(theme.tints)], 0.35)
            tiles[kind.name] = (f"tile-{len(tiles)}", fill, ink)
    return tiles
