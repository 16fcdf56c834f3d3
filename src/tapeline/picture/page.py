"""The whole picture: title, table, scale bar, panel."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.engine.actions import Action
from tapeline.engine.badges import badges_of
from tapeline.engine.state import State
from tapeline.engine.system import Looks, System
from tapeline.engine.verdicts import Movement, Verdict
from tapeline.errors import DocumentError, Fault
from tapeline.picture import letters, svg
from tapeline.picture.board import BoardDrawing, tick_step
from tapeline.picture.bodies import draw_bodies, label_bodies
from tapeline.picture.frame import Frame
from tapeline.picture.ground import draw_terrain, draw_zones, label_terrain, label_zones
from tapeline.picture.look import LOOK, theme_of, tile
from tapeline.picture.panel import Panel
from tapeline.picture.storeys import Storey, storeys_of
from tapeline.picture.svg import element, group, number, text_content
from tapeline.picture.traces import movements, movements_of, nearest_traces, wanted
from tapeline.picture.ways import draw_aim, draw_pins, draw_way, label_lengths
from tapeline.picture.words import status_lines
from tapeline.play.match import Match
from tapeline.table.bodies import Body
from tapeline.wording import counted, figure

__all__ = [
    "HEAD", "MARGIN", "draw", "draw_entry", "draw_ways", "frames_of", "page", "panel_beside",
]  # fmt: skip

MARGIN = 40.0
HEAD = 74.0
_FOOT = 66.0
_PANEL = 320.0
#: Between plans of several storeys, and above each for its caption, pixels.
_BETWEEN, _CAPTION = 46.0, 24.0
#: The table is drawn no wider and no higher than this, pixels.
_WIDEST, _HIGHEST = 1180.0, 960.0


def draw(
    state: State,
    system: System,
    *,
    action: Action | None = None,
    verdict: Verdict | None = None,
    moved: Sequence[Movement] = (),
    title: str = "",
    note: str = "",
    theme: str = "light",
    floor: str = "",
) -> str:
    """A state, and what an action on it came to, as an SVG document.

    state: the table to draw; with a verdict, usually the state before the action.
    action, verdict: drawn as the way wanted or really gone, the findings where they bite, the
    nearest legal move. moved: ways to draw without a verdict, as from a log; the bodies may
    stand at their end already. title: instead of the name of the scene. note: a line below it.
    theme: "light" or "dark". floor: "all" for a plan of every storey side by side (the usual
    picture of a table with floors), "top" for the table from above, or the height of one storey.
    Raises DocumentError for another theme or floor.
    """
    look = theme_of(theme, system.ground)
    storeys = _chosen(state, floor)
    boards = [
        BoardDrawing(state, system, look, frame, storey)
        for frame, storey in zip(frames_of(state, len(storeys)), storeys, strict=True)
    ]
    strokes: set[str] = set()
    for board in boards:
        board.ground()
        draw_zones(board)
        draw_terrain(board)
        draw_bodies(board)
        strokes |= draw_ways(board, action, verdict, moved)
        if verdict is not None:
            draw_pins(board, verdict.findings, action)
        label_bodies(board)
        label_terrain(board)
        label_zones(board)

    heading = title or state.name or "Table"
    panel = panel_beside(boards)
    status = status_lines(state, system)
    for line in status[1:]:
        panel.text(line, 12.0, colour=look["ink"], kind="status")
    if verdict is not None:
        panel.gap(6)
        panel.verdict(action, verdict)
    _legend(panel, boards[0], strokes)
    now = status[0].rstrip(".")
    line = " · ".join(part for part in (system.title, now, note) if part)
    return page(boards, panel, heading, line, _described(state, line, verdict))


def draw_entry(
    match: Match, at: int, theme: str = "light", title: str = "", floor: str = ""
) -> str:
    """A match after so many entries, with the ways that were gone in the last of them; see `draw`.

    at: 0 is the table as it began.
    """
    events = match.entries[at - 1].events if at else ()
    moved = movements_of(match.battles[max(at - 1, 0)].state, events)
    note = f"after entry {at} of {len(match.entries)}" if match.entries else ""
    state, system = match.battles[at].state, match.battle.system
    return draw(state, system, moved=moved, title=title, note=note, theme=theme, floor=floor)


def _chosen(state: State, floor: str) -> list[Storey | None]:
    """The storeys to draw; None is the table from above."""
    storeys = storeys_of(state.table, tuple(state.bodies.values()))
    if floor == "top" or (floor in ("", "all") and len(storeys) == 1):
        return [None]
    if floor in ("", "all"):
        return list(storeys)
    try:
        height = float(floor)
    except ValueError:
        height = math.nan
    found = [storey for storey in storeys if storey.holds(height)]
    if not found:
        heights = ", ".join(figure(storey.bottom) for storey in storeys)
        message = f"must be all, top or the height of a floor ({heights}); got {floor!r}"
        raise DocumentError("picture", [Fault("floor", message)])
    return [found[0]]


def frames_of(state: State, count: int) -> list[Frame]:
    """Room for so many plans of the table, as large as they can be in rows."""
    table = state.table
    if count == 1:
        scale = min(_WIDEST / table.width, _HIGHEST / table.depth)
        return [Frame(MARGIN, HEAD, scale, table.width, table.depth)]
    best, columns = 0.0, 1
    for across in range(1, count + 1):
        down = math.ceil(count / across)
        wide = (_WIDEST * 1.2 - (across - 1) * _BETWEEN) / across
        high = (_HIGHEST * 1.2 - (down - 1) * (_BETWEEN + _CAPTION)) / down
        scale = min(wide / table.width, high / table.depth)
        if scale > best + 1e-9:
            best, columns = scale, across
    wide, deep = table.width * best + _BETWEEN, table.depth * best + _BETWEEN + _CAPTION
    places = [divmod(index, columns) for index in range(count)]
    top = HEAD + _CAPTION
    return [
        Frame(MARGIN + column * wide, top + row * deep, best, table.width, table.depth)
        for row, column in places
    ]


def _caption(board: BoardDrawing) -> str:
    """What a plan is of, above it."""
    words = board.caption
    if board.storey is not None:
        words = board.storey.caption(board.state.table.unit)
    if not words:
        return ""
    left, top, _, _ = board.frame.area
    return svg.text(words, left, top - 8, 13, board.theme["ink"], bold=True, class_="storey")


def panel_beside(boards: Sequence[BoardDrawing]) -> Panel:
    """An empty panel, right of all boards."""
    right = max(board.frame.area[2] for board in boards)
    return Panel(boards[0].theme, right + 28, _PANEL, boards[0].frame.area[1] - 6)


def page(
    boards: Sequence[BoardDrawing], panel: Panel, heading: str, line: str, description: str
) -> str:
    """The SVG document of boards and their panel under a heading and a line."""
    board = boards[0]
    look = board.theme
    bottom = max(shown.frame.area[3] for shown in boards)
    tiles = _tile_definitions(board.system, board.tiles)
    width = panel.left + _PANEL + 24
    height = max(bottom + _FOOT, panel.y + 24)
    title_size = 22.0
    while letters.width(heading, title_size, True) > width - 2 * MARGIN and title_size > 11:
        title_size -= 1
    parts = [
        svg.title(heading),
        element("desc", text_content(description)),
        element("defs", "".join(tiles)),
        element("rect", width=width, height=height, fill=look["paper"]),
        svg.text(heading, MARGIN, 36, title_size, look["ink"], bold=True, class_="title"),
        svg.text(line, MARGIN, 57, 13, look["muted"], class_="turn"),
        *(caption for shown in boards if (caption := _caption(shown))),
        *(shown.markup() for shown in boards),
        group([tick for shown in boards for tick in shown.ticks], class_="ticks"),
        _scale_bar(board, bottom),
        group(panel.parts, class_="panel"),
    ]
    body = group(parts, font_family=letters.FAMILY)
    size = {"width": width, "height": height, "viewBox": f"0 0 {number(width)} {number(height)}"}
    space = "http://www.w3.org/2000/svg"
    return element("svg", f"\n{body}\n", xmlns=space, **size, role="img") + "\n"


def _described(state: State, line: str, verdict: Verdict | None) -> str:
    bodies = counted(len(state.bodies), "body", "bodies")
    words = f"{line}. {bodies}, {state.table.inventory}."
    if verdict is None:
        return words
    reasons = " ".join(f"{finding.text} ({finding.clause})" for finding in verdict.findings)
    return f"{words} Verdict: {verdict.kind}. {reasons}".strip()


def draw_ways(
    board: BoardDrawing, action: Action | None, verdict: Verdict | None, moved: Sequence[Movement]
) -> set[str]:
    """Draw every way; gives the kinds of line that were used."""
    state, theme = board.state, board.theme
    used: set[str] = set()
    gone = list(moved) or (list(verdict.moved) if verdict is not None else [])
    aimed = _aim(state, action)
    if aimed is not None:
        draw_aim(board, *aimed)
        used.add("aim")
    drawn = []
    refused = verdict is not None and not verdict.legal
    for way in movements(state, tuple(gone)):
        draw_way(board, way, theme["moved"], "moved")
        drawn.append((way, theme["moved"]))
        used.add("moved")
    if action is not None and not gone:
        for way_wanted in wanted(state, action):
            colour = theme["wanted"] if refused else theme["moved"]
            draw_way(board, way_wanted, colour, "wanted")
            drawn.append((way_wanted, colour))
            used.add("refused" if refused else "wanted")
    if verdict is not None and verdict.nearest is not None:
        for way in nearest_traces(board.system, state, verdict.nearest, action):
            draw_way(board, way, theme["moved"], "nearest")
            if not drawn:
                drawn.append((way, theme["moved"]))
            used.add("nearest")
    for way, colour in drawn:
        label_lengths(board, way, colour)
    return used


def _aim(state: State, action: Action | None) -> tuple[Body, Body] | None:
    actor = state.bodies.get(getattr(action, "actor", None) or "")
    target = getattr(action, "target", None)
    if actor is None or not isinstance(target, str) or target not in state.bodies:
        return None
    return actor, state.bodies[target]


def _legend(panel: Panel, board: BoardDrawing, strokes: set[str]) -> None:
    state, theme, system = board.state, board.theme, board.system
    panel.legend_sides(state, board.looks)
    lines = [
        ("moved", theme["moved"], None, "the way really gone"),
        ("wanted", theme["moved"], "7 4", "the way asked for"),
        ("refused", theme["wanted"], "7 4", "the way asked for, refused"),
        ("nearest", theme["moved"], "1.5 4", "the nearest legal move"),
        ("aim", theme["muted"], "2 3", "whom it is about"),
    ]
    shown = [line for line in lines if line[0] in strokes]
    if shown:
        panel.heading("Lines")
        for _, colour, dash, words in shown:
            panel.stroke(colour, dash, words)
    if state.table.structures:
        panel.heading("Plans")
        if board.storey is not None:
            panel.stroke(theme["edge"], "1.5 3", "what is on another storey")
        panel.text("Arrows on ramps and stairs point up; heights are from the table.", 11)
    marks = _shown_marks(state, board.letters_of)
    if marks:
        panel.heading("Badges")
        for name, letter in marks.items():
            panel.badge(letter, name)
    panel.legend_terrain(system, board.tiles)


def _shown_marks(state: State, looks: Looks) -> dict[str, str]:
    """What badges of bodies stand for, in words, with their letters."""
    shown: dict[str, str] = {}
    for body in state.bodies.values():
        for badge in badges_of(body.marks, looks):
            shown[badge.what] = badge.letter.rstrip("0123456789.")
    order = {
        words.replace(" {}", "").replace("{}", ""): i for i, (_, words) in enumerate(looks.values())
    }
    return dict(sorted(shown.items(), key=lambda item: order.get(item[0], 0)))


def _tile_definitions(system: System, tiles: dict[str, tuple[str, str, str]]) -> list[str]:
    """The pattern elements for the kinds that are laid as tiles."""
    made = []
    for kind, (name, fill, ink) in tiles.items():
        pattern = system.terrain_kinds[kind].pattern
        if pattern in LOOK.tiles:
            made.append(tile(pattern, name, fill, ink))
    return made


def _scale_bar(board: BoardDrawing, bottom: float) -> str:
    left = board.frame.area[0]
    theme, unit = board.theme, board.state.table.unit
    step = tick_step(unit, board.frame.span)
    y = bottom + 40
    half = 0.5 * step * board.frame.scale
    fills, edge = (theme["ink"], theme["paper"]), (theme["ink"], 1)
    bar = [
        svg.rect(left + index * half, y, half, 5, fill=fills[index % 2], edge=edge)
        for index in range(4)
    ]
    for index in (0, 2, 4):
        words = figure(0.5 * index * step) + (f" {unit}" if index == 4 else "")
        x, anchor = left + index * half, "middle" if index else "start"
        bar.append(svg.text(words, x, y + 17, 10, theme["muted"], text_anchor=anchor))
    return group(bar, class_="scale-bar")
