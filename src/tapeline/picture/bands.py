"""Where a body can get to: cost bands on the board, zones as thin rings, ways with their costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tapeline.engine.move_limits import BodyCircle, MoveLimits
from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.geometry.plane.legs import Point
from tapeline.picture import letters, svg
from tapeline.picture.board import BoardDrawing
from tapeline.picture.bodies import draw_bodies, label_bodies
from tapeline.picture.frame import Frame
from tapeline.picture.ground import draw_terrain, label_terrain
from tapeline.picture.labels import Box, box
from tapeline.picture.look import Theme, mixed, theme_of
from tapeline.picture.page import HEAD, MARGIN, page, panel_beside
from tapeline.picture.storeys import Storey
from tapeline.picture.svg import group
from tapeline.picture.traces import trace
from tapeline.picture.ways import draw_way
from tapeline.table.terrain import box_about
from tapeline.wording import figure

__all__ = ["ColouredBand", "DrawnRoute", "StoreyBands", "draw_reach", "levels_of"]

Ring: TypeAlias = tuple[Point, ...]

#: The table is drawn no wider and no higher than this, pixels.
_WIDEST, _HIGHEST = 900.0, 900.0
#: Plans of several storeys together, between two of them, and above each for its caption, pixels.
_TOGETHER, _BETWEEN, _CAPTION = 1500.0, 46.0, 24.0
#: Table units shown about a reach, as a share of the allowance, and at least.
_ABOUT, _ABOUT_LEAST = 0.28, 1.5
_SHADE = 0.62
_LABEL = 12.0


@dataclass(frozen=True, slots=True)
class ColouredBand:
    """A region and the most it costs to be there; rings with the region on their left."""

    cost: float
    rings: tuple[Ring, ...]


@dataclass(frozen=True, slots=True)
class DrawnRoute:
    """A way to draw: legs from where the body stands, and the words that go with it."""

    legs: LegPath
    cost: float
    words: str


@dataclass(frozen=True, slots=True)
class StoreyBands:
    """What can be come to on one storey, None on a table without any.

    layers: the bands of each surface there, from the cheapest; the ground first.
    """

    storey: Storey | None
    layers: tuple[tuple[ColouredBand, ...], ...]


@dataclass(frozen=True, slots=True)
class _Window(Frame):
    """A part of the table; left and top are those of the whole table."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def area(self) -> Box:
        """What is shown, in pixels."""
        left, top = self.at((self.x0, self.y1))
        right, bottom = self.at((self.x1, self.y0))
        return left, top, right, bottom

    @property
    def whole(self) -> bool:
        """A part, over whose border bases would reach into title and neighbour."""
        return False


def levels_of(allowance: float) -> tuple[float, ...]:
    """Round costs up to an allowance, three to six of them, the allowance last.

    >>> levels_of(6.0), levels_of(5.0), levels_of(20.0)
    ((2.0, 4.0, 6.0), (1.0, 2.0, 3.0, 4.0, 5.0), (5.0, 10.0, 15.0, 20.0))
    """
    if allowance <= 0.0:
        return (allowance,)
    size = 10.0 ** math.floor(math.log10(allowance / 3.0))
    step = next(k * size for k in (5.0, 2.0, 1.0) if allowance / (k * size) >= 3.0 - 1e-9)
    count = math.ceil(allowance / step - 1e-9)
    return (*(step * k for k in range(1, count)), allowance)


def draw_reach(
    state: State,
    system: System,
    leeway: MoveLimits,
    plans: Sequence[StoreyBands],
    routes: Sequence[DrawnRoute] = (),
    *,
    notes: Sequence[str] = (),
    title: str = "",
    theme: str = "light",
) -> str:
    """The part of the table about a body with what it can reach, as an SVG document.

    plans: one a storey, drawn side by side, each with as many bands. notes: lines for the panel,
    such as how exact the borders are. Raises DocumentError for an unknown theme.
    """
    look = theme_of(theme, system.ground)
    body = state.body(leeway.body)
    ways = [trace(body, route.legs) for route in routes]
    head = HEAD if plans[0].storey is None else HEAD + _CAPTION
    windows = _windows(state, leeway, [way.end for way in ways], len(plans), head)
    shown = _shown(state, windows[0], leeway.body)
    boards: list[BoardDrawing] = []
    kinds: dict[str, tuple[str, str | None, str]] = {}
    for plan, window in zip(plans, windows, strict=True):
        board = BoardDrawing(shown, system, look, window, plan.storey)
        boards.append(board)
        board.ground()
        draw_terrain(board)
        for bands in plan.layers:
            _bands(board, bands, look)
        if board.on(body.z):
            kinds |= {kind[2]: kind for kind in _zones(board, leeway, look)}
        draw_bodies(board)
        for way in ways:
            draw_way(board, way, look["moved"], "moved")
        for index, (way, route) in enumerate(zip(ways, routes, strict=True), 1):
            if board.on(way.end_z):
                _mark(board, way.end, f"{index}", f"{figure(route.cost)} {state.table.unit}", look)
        for bands in plan.layers:
            _band_labels(board, leeway, bands, look)
        label_bodies(board)
        label_terrain(board)
    board = boards[0]
    bands = plans[0].layers[0] if plans[0].layers else ()

    panel = panel_beside(boards)
    heading = title or f"{body.name}: {leeway.kind}"
    unit = state.table.unit
    panel.text(f"{body.name}: {leeway.kind} up to {figure(leeway.allowance)} {unit}", 15, bold=True)
    if bands:
        words = "Shaded is where the centre of the base may stop."
        panel.text(words, 11.5, colour=look["muted"])
    for note in notes:
        panel.text(note, 11.5, colour=look["muted"])
    if leeway.findings:
        panel.heading("Not now")
        for finding in leeway.findings:
            panel.text(f"{finding.text} ({finding.clause})", 11.5)
    if bands:
        panel.heading("Cost")
        for index, band in enumerate(bands):
            words = f"up to {figure(band.cost)} {unit}"
            fill = _shade(look, index, len(bands))
            panel.patch(fill, _SHADE, look["reach-edge"], words)
    if routes:
        panel.heading("Ways")
        for index, route in enumerate(routes, 1):
            panel.badge(str(index), route.words)
    if kinds:
        panel.heading("Rings, for the centre of the base")
        for colour, dash, words in kinds.values():
            panel.stroke(colour, dash, words)
    panel.legend_sides(shown, board.looks, "Sides, as far as shown")
    panel.legend_terrain(system, board.tiles)
    line = f"{system.title} · {state.name}" if state.name else system.title
    described = f"{heading}. {' '.join(route.words for route in routes)}"
    return page(boards, panel, heading, line, described)


def _windows(
    state: State, leeway: MoveLimits, ends: Sequence[Point], count: int, head: float
) -> list[_Window]:
    """What is shown, so many times side by side: the reach with some room about it, and the ends
    of ways beyond it. head: the room above, pixels."""
    about = max(_ABOUT_LEAST, _ABOUT * leeway.allowance) + leeway.radius
    xs = [leeway.start[0], *(x for x, _ in ends)]
    ys = [leeway.start[1], *(y for _, y in ends)]
    far = leeway.allowance
    table = state.table
    x0 = min(leeway.start[0] - far, *xs) - about
    x1 = max(leeway.start[0] + far, *xs) + about
    y0 = min(leeway.start[1] - far, *ys) - about
    y1 = max(leeway.start[1] + far, *ys) + about
    x0, x1 = max(0.0, x0), min(table.width, x1)
    y0, y1 = max(0.0, y0), min(table.depth, y1)
    widest = _WIDEST if count == 1 else _TOGETHER / count
    scale = min(widest / (x1 - x0), _HIGHEST / (y1 - y0))
    left, top = MARGIN - x0 * scale, head - (table.depth - y1) * scale
    apart = (x1 - x0) * scale + _BETWEEN
    return [
        _Window(left + k * apart, top, scale, table.width, table.depth, x0, y0, x1, y1)
        for k in range(count)
    ]


def _shown(state: State, window: _Window, mover: str) -> State:
    """The state with only what is in the window."""

    def meets(x0: float, y0: float, x1: float, y1: float) -> bool:
        return x0 < window.x1 and window.x0 < x1 and y0 < window.y1 and window.y0 < y1

    bodies = {
        body.id: body
        for body in state.bodies.values()
        if body.id == mover
        or (window.x0 <= body.x <= window.x1 and window.y0 <= body.y <= window.y1)
    }
    pieces = tuple(piece for piece in state.table.pieces if meets(*box_about(piece.outlines)))
    return replace(state, bodies=bodies, table=replace(state.table, pieces=pieces))


def _shade(theme: Theme, index: int, count: int) -> str:
    return mixed(theme["reach-1"], theme["reach-4"], (index + 0.5) / count)


def _data(board: BoardDrawing, rings: Sequence[Ring]) -> str:
    return "".join(svg.path_data(map(board.frame.at, ring), "Z") for ring in rings)


def _bands(board: BoardDrawing, bands: Sequence[ColouredBand], look: Theme) -> None:
    """Every band without the ones below it, and the outlines of all."""
    drawn = []
    edge = look["reach-edge"]
    before: tuple[Ring, ...] = ()
    for index, band in enumerate(bands):
        data, fill = _data(board, (*band.rings, *before)), _shade(look, index, len(bands))
        style = {"fill_opacity": _SHADE, "fill_rule": "evenodd", "class_": "band"}
        drawn.append(svg.path(data, fill, **style, data_cost=figure(band.cost)))
        before = band.rings
    for index, band in enumerate(bands):
        line = (edge, 2.4 if index == len(bands) - 1 else 1.1)
        data = _data(board, band.rings)
        drawn.append(svg.path(data, edge=line, stroke_linejoin="round", class_="outline"))
    board.under.append(group(drawn, class_="reach"))


def _zones(
    board: BoardDrawing, leeway: MoveLimits, look: Theme
) -> list[tuple[str, str | None, str]]:
    """Zones as thin rings; gives the kinds of line that were used."""
    unit = board.state.table.unit
    kinds: list[tuple[str, str | None, str]] = []
    sorts: tuple[tuple[Sequence[BodyCircle], str, str | None, str], ...] = (
        (leeway.keep_out, look["fault"], "5 3", "may not be entered"),
        (leeway.keep_in, look.kinds["FORCED"], None, "may not be left"),
        (leeway.no_end, look["muted"], "1.5 4", "may be crossed, not stopped in"),
    )
    drawn = []
    scale = board.frame.scale
    for zones, colour, dash, words in sorts:
        near = [zone for zone in zones if _touches(board, zone)]
        if not near:
            continue
        limits = sorted({figure(zone.limit) for zone in near if zone.limit is not None})
        more = f" ({', '.join(limits)} {unit} from the base)" if limits else ""
        kinds.append((colour, dash, words + more))
        style = {"fill": "none", "edge": (colour, 1.2, dash), "class_": "zone"}
        for zone in near:
            x, y = board.frame.at((zone.x, zone.y))
            drawn.append(svg.circle(x, y, zone.radius * scale, **style, data_about=zone.about))
    board.under.append(group(drawn, class_="zones"))
    return kinds


def _touches(board: BoardDrawing, zone: BodyCircle) -> bool:
    left, top, right, bottom = board.frame.area
    x, y = board.frame.at((zone.x, zone.y))
    r = zone.radius * board.frame.scale
    return left - r < x < right + r and top - r < y < bottom + r


def _band_labels(
    board: BoardDrawing, leeway: MoveLimits, bands: Sequence[ColouredBand], look: Theme
) -> None:
    """What each outline stands for, at its edge, where it covers nothing."""
    edge = look["reach-edge"]
    unit = board.state.table.unit
    for index, band in reversed(list(enumerate(bands))):
        if not band.rings:
            continue
        last = index == len(bands) - 1
        text = f"{leeway.kind} {figure(band.cost)} {unit}" if last else figure(band.cost)
        wide = letters.width(text, _LABEL, True) + 6
        ring = max(band.rings, key=len)
        every = max(1, len(ring) // 160)
        places = [box(*board.frame.at(corner), wide, _LABEL + 4) for corner in ring[::every]]
        # Free edges first: a label belongs where the allowance ends, not where a wall does.
        far = [math.dist(corner, leeway.start) for corner in ring[::every]]
        order = sorted(range(len(places)), key=lambda k: -far[k])
        _, place = board.crowd.put([places[k] for k in order], 4.0, penalty=0.4)
        shade = mixed(look["table"], _shade(look, index, len(bands)), _SHADE)
        style = {"halo": look["table"] if last else shade, "kind": "band-label", "outline": 4.5}
        board.over.append(board.label(place, 5.0, text, _LABEL, edge, bold=True, **style))


def _mark(board: BoardDrawing, end: Point, name: str, words: str, look: Theme) -> None:
    """The number of a way at its end, with its cost."""
    x, y = board.frame.at(end)
    wide = letters.width(words, _LABEL, True) + 4
    badge = [
        svg.circle(x, y, 9.5, fill=look["moved"], edge=(look["table"], 1.5)),
        svg.text(name, x, y + 4, 11.5, look["table"], bold=True, text_anchor="middle"),
    ]
    board.crowd.take(box(x, y, 20, 20), 6.0)
    places = [
        box(x + dx * (13 + wide / 2), y + dy * 19, wide, _LABEL + 4)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
    ]
    _, place = board.crowd.put(places, 4.0, penalty=0.5)
    text = board.label(
        place, 4.5, words, _LABEL, look["moved"], bold=True, kind="length", outline=4.5
    )
    board.over.append(group([*badge, text], class_="way-end", data_number=name))
