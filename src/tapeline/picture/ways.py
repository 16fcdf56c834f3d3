"""Ways of bodies on a board: lines, the room they take, heights, lengths, aims; and pins where
findings bite."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.engine.actions import Action
from tapeline.engine.verdicts import Finding
from tapeline.picture import bases, letters, svg
from tapeline.picture.board import NAME, BoardDrawing
from tapeline.picture.labels import Box, around, box
from tapeline.picture.structures import middle, middle_of
from tapeline.picture.svg import group, number
from tapeline.picture.traces import DrawnLeg, Trace
from tapeline.table.bodies import Body, Round
from tapeline.table.terrain import Piece
from tapeline.wording import figure

__all__ = ["draw_aim", "draw_pins", "draw_way", "label_lengths"]


def draw_way(board: BoardDrawing, way: Trace, colour: str, kind: str) -> None:
    """The way of a body, the room it takes, its lengths, and the base at the end.

    kind: "moved", "wanted" (dashed) or "nearest" (dotted).
    """
    body = board.state.bodies.get(way.body) or board.state.gone.get(way.body)
    if body is None:
        return
    scale = board.frame.scale
    dash = {"moved": None, "wanted": "7 4", "nearest": "1.5 4"}[kind]
    here = [
        stretch
        for stretch in way.stretches
        if any(map(board.on, stretch.heights)) and not stretch.is_turn
    ]
    line = "".join(
        _stretch(board, stretch, index == 0 or here[index - 1].end != stretch.start)
        for index, stretch in enumerate(here)
    )
    parts = []
    if line and isinstance(body.base, Round) and kind != "nearest":
        wide = 2 * body.base.radius * scale
        stroke = {"stroke": colour, "stroke_opacity": 0.13, "stroke_width": wide}
        round_ = {"stroke_linecap": "round", "stroke_linejoin": "round"}
        parts.append(svg.path(line, "none", **stroke, **round_, class_="swath"))
    if line and kind == "nearest":
        parts.append(svg.path(line, edge=(board.theme["table"], 5)))
    if line:
        cap = "round" if kind == "nearest" else None
        parts.append(svg.path(line, edge=(colour, 2.2, dash), stroke_linecap=cap, class_="path"))
    ends = ((way.start, way.start_facing, way.z), (way.end, way.facing, way.end_z))
    for point, facing, z in ends:
        if not board.on(z):
            continue
        turned = abs((facing - body.facing + 180) % 360 - 180) > 1e-6
        if math.dist(point, body.centre) > 1e-6 or abs(z - body.z) > 1e-6 or turned:
            x, y = board.frame.at(point)
            parts.append(bases.ghost(body, x, y, facing, scale, colour, kind == "nearest"))
            moved = body.at(point[0], point[1], None, facing)
            half_w, half_h = bases.extent(moved, scale)
            board.crowd.take(box(x, y, 2 * half_w, 2 * half_h), 1.5)
    for stretch in here:
        _along(board, stretch)
    for stretch in here:
        _upright(board, stretch, colour)
    board.ways.append(group(parts, class_=f"way {kind}", data_body=way.body))


def _upright(board: BoardDrawing, stretch: DrawnLeg, colour: str) -> None:
    """Where a way changes height, or jumps: an arrow up or down and how far."""
    rise = stretch.heights[1] - stretch.heights[0]
    if stretch.how == "walk" and abs(rise) < 1e-6:
        return
    unit = board.state.table.unit
    word = {"walk": "", "climb": "climb ", "drop": "down ", "jump": "jump ", "fall": "fall "}
    if abs(rise) < 1e-6:
        text = f"{word.get(stretch.how, stretch.how + ' ')}{figure(stretch.length)} {unit}"
    else:
        arrow = "\u2191" if rise > 0 else "\u2193"
        text = f"{word.get(stretch.how, stretch.how + ' ')}{arrow} {figure(abs(rise))} {unit}"
    x, y = board.frame.at(stretch.middle)
    wide = letters.width(text, NAME, True) + 2
    places = around(x, y, 5, 5, wide, NAME + 3)
    _write(board, places, text, colour, "rise")
    board.ways.append(
        svg.circle(x, y, 4, fill=board.theme["table"], edge=(colour, 2), class_="rise")
    )


def _stretch(board: BoardDrawing, stretch: DrawnLeg, begins: bool) -> str:
    x, y = board.frame.at(stretch.end)
    head = ""
    if begins:
        x0, y0 = board.frame.at(stretch.start)
        head = f"M{number(x0)} {number(y0)}"
    if stretch.centre is None:
        return f"{head}L{number(x)} {number(y)}"
    radius = number(math.dist(stretch.start, stretch.centre) * board.frame.scale)
    sweep = 0 if stretch.by > 0 else 1
    middle = board.frame.at(stretch.middle)
    # Two halves, so that arcs of more than half a turn are drawn right.
    half = f"A{radius} {radius} 0 0 {sweep} {number(middle[0])} {number(middle[1])}"
    return f"{head}{half}A{radius} {radius} 0 0 {sweep} {number(x)} {number(y)}"


def _along(board: BoardDrawing, stretch: DrawnLeg) -> None:
    if stretch.centre is not None:
        middle = board.frame.at(stretch.middle)
        board.crowd.take(box(*middle, 10, 10), 0.8)
        return
    (x0, y0), (x1, y1) = board.frame.at(stretch.start), board.frame.at(stretch.end)
    steps = max(1, int(math.hypot(x1 - x0, y1 - y0) / 8))
    for step in range(steps + 1):
        share = step / steps
        board.crowd.take(box(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, 8, 8), 0.8)


def label_lengths(board: BoardDrawing, way: Trace, colour: str) -> None:
    """The length beside each leg that is long enough to carry it."""
    unit = board.state.table.unit
    legs = [
        stretch
        for stretch in way.stretches
        if stretch.length * board.frame.scale >= 26
        and stretch.how == "walk"
        and any(map(board.on, stretch.heights))
    ]
    for stretch in legs[:12]:
        text = f"{figure(stretch.length)} {unit}"
        x, y = board.frame.at(stretch.middle)
        wide = letters.width(text, NAME, True) + 2
        (x0, y0), (x1, y1) = board.frame.at(stretch.start), board.frame.at(stretch.end)
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        ax, ay = -(y1 - y0) / length, (x1 - x0) / length
        places = []
        for off in (11.0, -11.0, 18.0, -18.0, 26.0, -26.0):
            reach = off + math.copysign(abs(ax) * wide / 2, off)
            places.append(box(x + ax * reach, y + ay * reach, wide, NAME + 3))
        _write(board, places, text, colour, "length")


def draw_aim(board: BoardDrawing, actor: Body, target: Body) -> None:
    """A thin line from who acts to whom it is about."""
    if not (board.on(actor.z) or board.on(target.z)):
        return
    (x0, y0), (x1, y1) = board.frame.at(actor.centre), board.frame.at(target.centre)
    half_w, half_h = bases.extent(target, board.frame.scale)
    reach = max(half_w, half_h) + 5
    theme = board.theme
    line = svg.line((x0, y0), (x1, y1), theme["muted"], 1.2, "2 3")
    ring = svg.circle(x1, y1, reach, fill="none", edge=(theme["muted"], 1.6, "4 2"))
    board.ways.append(group([line, ring], class_="aim", data_target=target.id))


def _write(board: BoardDrawing, places: Sequence[Box], text: str, colour: str, kind: str) -> None:
    """A length or a height in that one of some places where it is least in the way."""
    _, place = board.crowd.put(places, 3.0, penalty=1.0)
    board.over.append(board.label(place, 3.5, text, NAME, colour, bold=True, kind=kind))


def draw_pins(
    board: BoardDrawing, findings: Sequence[Finding], action: Action | None = None
) -> None:
    """A numbered pin for every finding that has a place or is about something.

    On the plan of a storey only those that are about something there, or about nothing if
    the actor stands there.
    """
    actor = board.state.bodies.get(getattr(action, "actor", None) or "")
    for index, finding in enumerate(findings, 1):
        place = _place_of(board, finding)
        if place is None or not _concerns(board, finding, actor):
            continue
        x, y = board.frame.at(place)
        left, top, right, bottom = board.frame.area
        x, y = min(max(x, left), right), min(max(y, top), bottom)
        choices = [
            box(x + reach * math.cos(turn), y - reach * math.sin(turn), 19, 19)
            for reach in (22.0, 36.0)
            for turn in (math.radians(a) for a in (60, 120, 30, 150, 90, 300, 240, 0, 180, 270))
        ]
        _, spot = board.crowd.put(choices, 6.0, penalty=0.5)
        board.crowd.take(box(x, y, 8, 8), 2.0)
        _pin(board, x, y, 0.5 * (spot[0] + spot[2]), 0.5 * (spot[1] + spot[3]), str(index))


def _concerns(board: BoardDrawing, finding: Finding, actor: Body | None) -> bool:
    if board.storey is None:
        return True
    body = board.state.bodies.get(finding.about or "")
    if body is None:
        entry = next((e for e in board.state.table.entries if e.id == finding.about), None)
        if entry is not None:
            return board.storey.shows(entry)
        body = actor
    return board.storey.index == 0 if body is None else board.on(body.z)


def _place_of(board: BoardDrawing, finding: Finding) -> tuple[float, float] | None:
    """Where a finding is shown: where it bites, else what it is about."""
    if finding.place is not None:
        return finding.place
    if finding.about is not None:
        body = board.state.bodies.get(finding.about)
        if body is not None:
            return body.centre
        for entry in board.state.table.entries:
            if entry.id == finding.about:
                if isinstance(entry, Piece):
                    return middle(entry.outlines[0])
                return middle_of(entry)
    return None


def _pin(board: BoardDrawing, x: float, y: float, px: float, py: float, text: str) -> None:
    theme = board.theme
    parts = [
        svg.line((x, y), (px, py), theme["table"], 4),
        svg.line((x, y), (px, py), theme["fault"], 1.6),
        svg.circle(x, y, 3.4, fill=theme["fault"], edge=(theme["table"], 1.2)),
        svg.circle(px, py, 9, fill=theme["fault"], edge=(theme["table"], 1.5)),
        svg.text(text, px, py + 3.9, 11, theme["on-fault"], bold=True, text_anchor="middle"),
    ]
    board.pins.append(group(parts, class_="pin", data_number=text))
