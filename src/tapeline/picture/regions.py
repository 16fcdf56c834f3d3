"""Regions of the table told apart by hatching as well as colour: threat in bands, what is seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tapeline.engine.actions import Action
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.engine.verdicts import Verdict
from tapeline.geometry.plane.legs import Point
from tapeline.picture import letters, svg
from tapeline.picture.board import BoardDrawing
from tapeline.picture.bodies import draw_bodies, label_bodies
from tapeline.picture.ground import draw_terrain, draw_zones, label_terrain, label_zones
from tapeline.picture.labels import box
from tapeline.picture.look import Theme, theme_of
from tapeline.picture.page import draw_ways, frames_of, page, panel_beside
from tapeline.picture.svg import element, group, number
from tapeline.picture.ways import draw_pins

__all__ = ["Plan", "Region", "draw_plans"]

Ring: TypeAlias = tuple[Point, ...]

#: Colours by tone in a theme.
_COLOURS = {
    "light": {"threat": "#a35a00", "sight": "#1d6f8c", "reach": "#3f6b1d"},
    "dark": {"threat": "#f0b04a", "sight": "#7cc7e0", "reach": "#a5d66f"},
}
#: By weight, the heaviest first: distance of the lines of the hatch, how much colour lies between
#: them, and the width and dashes of the edge; pixels.
_WEIGHTS = ((6.0, 0.20, 2.5, None), (9.0, 0.13, 1.8, "14 5"), (14.0, 0.07, 1.6, "2 4"))
_LABEL = 12.0
#: Radius of the ring about a place, pixels.
_RING = 7.0


@dataclass(frozen=True, slots=True)
class Region:
    """Rings with the region on their left, what it is ("" where the one before says it), and how it
    looks: tone "threat", "sight" or "reach", weight 0 (the heaviest) to 2."""

    words: str
    rings: tuple[Ring, ...]
    tone: str
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """One drawing of the whole table: its caption, regions, words beside bodies by id, and
    an action and its verdict. zones: whether those of the scene are drawn. places: words beside
    places, with a ring about them; lines: lines of places, dashed."""

    state: State
    regions: tuple[Region, ...] = ()
    caption: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    action: Action | None = None
    verdict: Verdict | None = None
    zones: bool = False
    places: tuple[tuple[Point, str], ...] = ()
    lines: tuple[tuple[Point, ...], ...] = ()


def draw_plans(
    plans: Sequence[Plan],
    system: System,
    *,
    heading: str,
    notes: Sequence[str] = (),
    theme: str = "light",
) -> str:
    """Drawings of one table side by side under their captions, as an SVG document.

    notes: lines for the panel. Raises DocumentError for an unknown theme.
    """
    boards = _boards(plans, system, theme)
    board, look = boards[0], boards[0].theme
    panel = panel_beside(boards)
    for index, region in enumerate(plans[0].regions):
        if region.words:
            colour = _COLOURS[look.name][region.tone]
            panel.patch(f"url(#{_hatch(0, index)})", 1.0, colour, region.words)
    for note in notes:
        panel.text(note, 11.5, colour=look["muted"])
    panel.legend_sides(board.state, board.looks)
    panel.legend_terrain(system, board.tiles)
    line = " · ".join(part for part in (system.title, board.state.name) if part)
    return page(boards, panel, heading, line, f"{heading}. {' '.join(notes)}")


def _boards(plans: Sequence[Plan], system: System, theme: str) -> list[BoardDrawing]:
    state = plans[0].state
    look = theme_of(theme, system.ground)
    boards = []
    for which, (plan, frame) in enumerate(zip(plans, frames_of(state, len(plans)), strict=True)):
        board = BoardDrawing(plan.state, system, look, frame, None, which, plan.caption)
        boards.append(board)
        board.ground()
        if plan.zones:
            draw_zones(board)
        draw_terrain(board)
        for index, region in reversed(list(enumerate(plan.regions))):
            _shade(board, region, _hatch(which, index), look)
        draw_bodies(board)
        if plan.verdict is not None:
            draw_ways(board, plan.action, plan.verdict, ())
            draw_pins(board, plan.verdict.findings, plan.action)
        for name, words in plan.marks.items():
            body = plan.state.bodies[name]
            _mark(board, body.centre, body.base.reach * board.frame.scale, words, look)
        for line in plan.lines:
            _line(board, line, look)
        for place, words in plan.places:
            x, y = board.frame.at(place)
            ring = svg.circle(x, y, _RING, fill="none", edge=(look["ink"], 2.5), class_="place")
            board.over.append(ring)
            _mark(board, place, _RING, words, look)
        label_bodies(board)
        label_terrain(board)
        if plan.zones:
            label_zones(board)
    return boards


def _hatch(board: int, index: int) -> str:
    return f"hatch-{board}-{index}" if board else f"hatch-{index}"


def _shade(board: BoardDrawing, region: Region, name: str, look: Theme) -> None:
    apart, share, wide, dash = _WEIGHTS[region.weight]
    colour = _COLOURS[look.name][region.tone]
    lines = f"M0 0L{number(apart)} {number(apart)}"
    if region.weight == 0:
        lines += f"M0 {number(apart)}L{number(apart)} 0"
    tile = element("rect", width=apart, height=apart, fill=colour, fill_opacity=share)
    tile += svg.path(lines, None, edge=(colour, 0.9), stroke_opacity=0.7)
    pattern = svg.pattern(name, apart, tile)
    data = "".join(svg.path_data(map(board.frame.at, ring), "Z") for ring in region.rings)
    style = {"edge": (colour, wide, dash) if dash else (colour, wide), "class_": "region"}
    shape = svg.path(data, f"url(#{name})", fill_rule="evenodd", **style)
    board.under.append(group([element("defs", pattern), *([shape] if data else [])]))


def _line(board: BoardDrawing, line: tuple[Point, ...], look: Theme) -> None:
    data = svg.path_data(map(board.frame.at, line))
    for edge in ((look["paper"], 5.0), (look["moved"], 2.2, "7 4")):
        board.over.append(svg.path(data, edge=edge, class_="line"))


def _mark(board: BoardDrawing, place: Point, reach: float, words: str, look: Theme) -> None:
    """Words beside a place, clear of what reaches so many pixels about it."""
    x, y = board.frame.at(place)
    off = reach + 8.0
    wide = letters.width(words, _LABEL, True) + 4
    places = [
        box(x + dx * (off + wide / 2), y + dy * (off + 4), wide, _LABEL + 4)
        for dx, dy in ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
    ]
    _, spot = board.crowd.put(places, 4.0, penalty=0.5)
    label = board.label(
        spot, 4.5, words, _LABEL, look["ink"], bold=True, kind="chance", outline=4.5
    )
    board.over.append(svg.group([label], class_="chance"))
