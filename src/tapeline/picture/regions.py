"""Regions of the table told apart by hatching as well as colour: threat in bands, what is seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.engine.badges import looks_of
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.engine.verdicts import Movement
from tapeline.picture import letters, svg
from tapeline.picture.board import BoardDrawing
from tapeline.picture.bodies import draw_bodies, label_bodies
from tapeline.picture.ground import draw_terrain, label_terrain
from tapeline.picture.keys import terrain_tiles
from tapeline.picture.labels import box
from tapeline.picture.look import Theme, side_looks, theme_of
from tapeline.picture.page import PANEL, frames_of, page
from tapeline.picture.panel import Panel
from tapeline.picture.svg import element, group, number
from tapeline.picture.traces import movements
from tapeline.picture.ways import draw_way

__all__ = ["Region", "draw_regions"]

Point: TypeAlias = tuple[float, float]
Ring: TypeAlias = tuple[Point, ...]

#: Colours by tone in a theme.
_COLOURS = {
    "light": {"threat": "#a35a00", "sight": "#1d6f8c"},
    "dark": {"threat": "#f0b04a", "sight": "#7cc7e0"},
}
#: By weight, the heaviest first: distance of the lines of the hatch, how much colour lies between
#: them, and the width and dashes of the edge; pixels.
_WEIGHTS = ((6.0, 0.20, 2.5, None), (9.0, 0.13, 1.8, "14 5"), (14.0, 0.07, 1.6, "2 4"))
_LABEL = 12.0


@dataclass(frozen=True, slots=True)
class Region:
    """Rings with the region on their left, what it is ("" where the one before says it), and how it
    looks: tone "threat" or "sight", weight 0 (the heaviest) to 2."""

    words: str
    rings: tuple[Ring, ...]
    tone: str
    weight: int = 0


def draw_regions(
    state: State,
    system: System,
    regions: Sequence[Region],
    *,
    heading: str,
    marks: Mapping[str, str] | None = None,
    moves: tuple[Movement, ...] = (),
    notes: Sequence[str] = (),
    theme: str = "light",
) -> str:
    """The table with regions on it, as an SVG document.

    marks: words beside bodies, by id. moves: ways to draw. notes: lines for the panel. Raises
    DocumentError for an unknown theme.
    """
    look = theme_of(theme, system.ground)
    looks = side_looks(look, [(side.id, side.name) for side in state.sides])
    tiles = terrain_tiles(state, system, look)
    frame = frames_of(state, 1)[0]
    board = BoardDrawing(state, system, look, frame, looks, tiles, looks_of(system, state), None)
    ticks = board.ground()
    draw_terrain(board)
    for index, region in reversed(list(enumerate(regions))):
        _shade(board, region, index, look)
    draw_bodies(board)
    for way in movements(state, moves):
        draw_way(board, way, look.path, "moved")
    for name, words in (marks or {}).items():
        _mark(board, name, words, look)
    label_bodies(board)
    label_terrain(board)
    _, top, right, _ = frame.area
    panel = Panel(look, right + 28, PANEL, top - 6)
    for index, region in enumerate(regions):
        colour = _COLOURS[look.name][region.tone]
        if region.words:
            panel.patch(f"url(#hatch-{index})", 1.0, colour, region.words)
    for note in notes:
        panel.text(note, 11.5, colour=look.muted)
    panel.heading("Sides")
    panel.legend_sides(state, board.looks)
    if tiles:
        panel.legend_terrain(system, tiles)
    line = " · ".join(part for part in (system.title, state.name) if part)
    return page([board], panel, heading, line, f"{heading}. {' '.join(notes)}", ticks)


def _shade(board: BoardDrawing, region: Region, index: int, look: Theme) -> None:
    apart, share, wide, dash = _WEIGHTS[region.weight]
    colour = _COLOURS[look.name][region.tone]
    lines = f"M0 0L{number(apart)} {number(apart)}"
    if region.weight == 0:
        lines += f"M0 {number(apart)}L{number(apart)} 0"
    tile = element("rect", width=apart, height=apart, fill=colour, fill_opacity=share)
    tile += element("path", d=lines, edge=(colour, 0.9), stroke_opacity=0.7)
    pattern = element(
        "pattern",
        tile,
        id=f"hatch-{index}",
        width=apart,
        height=apart,
        patternUnits="userSpaceOnUse",
    )
    data = "".join(
        "M" + "L".join("{} {}".format(*map(number, board.frame.at(p))) for p in ring) + "Z"
        for ring in region.rings
    )
    shape = element(
        "path",
        d=data,
        fill=f"url(#hatch-{index})",
        fill_rule="evenodd",
        edge=(colour, wide, dash) if dash else (colour, wide),
        class_="region",
    )
    board.under.append(group([element("defs", pattern), *([shape] if data else [])]))


def _mark(board: BoardDrawing, name: str, words: str, look: Theme) -> None:
    body = board.state.bodies[name]
    x, y = board.frame.at(body.centre)
    off = body.base.reach * board.frame.scale + 8.0
    wide = letters.width(words, _LABEL, True) + 4
    places = [
        box(x + dx * (off + wide / 2), y + dy * (off + 4), wide, _LABEL + 4)
        for dx, dy in ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
    ]
    chosen, _ = board.crowd.best(places, penalty=0.5)
    board.crowd.take(places[chosen], 4.0)
    label = board.label(
        places[chosen], 4.5, words, _LABEL, look.ink, bold=True, kind="chance", outline=4.5
    )
    board.over.append(svg.group([label], class_="chance"))
