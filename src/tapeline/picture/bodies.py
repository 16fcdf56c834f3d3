"""Bodies on a board: bases, badges, counts and names."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.engine.badges import badges_of
from tapeline.engine.system import role_of
from tapeline.picture import bases, letters, svg
from tapeline.picture.board import NAME, SMALL, BoardDrawing, Line, halo_lines, halo_text
from tapeline.picture.labels import Box, around, box
from tapeline.picture.look import LOOK
from tapeline.picture.svg import group
from tapeline.table.bodies import Body, Rectangle, Round, Unit
from tapeline.wording import figure

__all__ = ["draw_bodies", "label_bodies"]


def draw_bodies(board: BoardDrawing) -> None:
    """Every base; those on other storeys as faint rings."""
    numbered = {
        name
        for unit in board.state.units.values()
        if len(unit.members) > 1
        for name in unit.members
    }
    for body in board.state.bodies.values():
        x, y = board.frame.at(body.centre)
        if not board.on(body.z):
            board.bases.append(bases.elsewhere(body, x, y, board.frame.scale, board.theme))
            continue
        half_w, half_h = bases.extent(body, board.frame.scale)
        board.crowd.take(box(x, y, 2 * half_w, 2 * half_h), 3.0)
        stands = body.id in numbered and isinstance(body.base, Rectangle)
        role = role_of(board.system.profiles, body.profile, body.stats)
        sign = "" if stands else LOOK.signs.get(role, "")
        look = board.looks[body.side]
        board.bases += bases.standing(body, x, y, board.frame.scale, look, board.theme, sign)


def label_bodies(board: BoardDrawing) -> None:
    """Badges and counts on the bases, names below or beside them.

    Units carry one name for all their bodies, which carry their number in the unit.
    """
    shown = [body for body in board.state.bodies.values() if board.on(body.z)]
    units = _units_shown(board, shown)
    inside = {name for _, members in units for name in (body.id for body in members)}
    for body in shown:
        _body_badges(board, body)
    for unit, members in units:
        _unit_labels(board, unit, members)
    for body in sorted(shown, key=lambda b: (-b.y, b.x)):
        if body.id not in inside:
            _body_name(board, body)


def _units_shown(board: BoardDrawing, shown: Sequence[Body]) -> list[tuple[Unit, list[Body]]]:
    """Units of rectangles with the bodies of theirs that are drawn in full."""
    here = {body.id: body for body in shown}
    found = []
    for unit in board.state.units.values():
        members = [here[name] for name in unit.members if name in here]
        if members and all(isinstance(body.base, Rectangle) for body in members):
            found.append((unit, members))
    return found


def _unit_labels(board: BoardDrawing, unit: Unit, members: Sequence[Body]) -> None:
    """The name of a unit beside it, and the number of each body on its base."""
    theme, look, scale = board.theme, board.looks[unit.side], board.frame.scale
    boxes = []
    for body in members:
        x, y = board.frame.at(body.centre)
        half_w, half_h = bases.extent(body, scale)
        boxes.append((x - half_w, y - half_h, x + half_w, y + half_h))
        number = str(unit.members.index(body.id) + 1)
        if len(unit.members) > 1 and bases.chord(body, scale) >= letters.width(number, SMALL) + 5:
            board.over.append(
                halo_text(x, y + 3, number, SMALL, look.mark, look.face, outline=1.5, bold=True)
            )
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    words = board.system.unit_words(board.state, unit)
    lines = [(unit.name, NAME, True, look.colour)]
    small = ", ".join(part for part in (unit.id if unit.id != unit.name else "", words) if part)
    if small:
        lines.append((small, SMALL, False, theme["ink"]))
    half = 0.5 * (right - left), 0.5 * (bottom - top)
    _, place = _beside(board, lines, (0.5 * (left + right), 0.5 * (top + bottom)), half)
    parts = halo_lines(place, lines, theme["table"], 1.0, kind="name")
    board.over.append(group(parts, data_label=unit.id))


def _beside(
    board: BoardDrawing, lines: Sequence[Line], at: tuple[float, float], half: tuple[float, float]
) -> tuple[int, Box]:
    """Which place about something a name takes, and the place."""
    wide = max(letters.width(text, size, bold) for text, size, bold, _ in lines)
    high = sum(size + 1 for _, size, _, _ in lines) + 1
    places = around(*at, half[0] + 1, half[1] + 1, wide, high)
    return board.crowd.put(places, 2.5, penalty=3.0)


def _body_badges(board: BoardDrawing, body: Body) -> None:
    texts = [badge.letter for badge in badges_of(body.marks, board.letters_of)]
    models = body.marks.get("models")
    x, y = board.frame.at(body.centre)
    half_w, half_h = bases.extent(body, board.frame.scale)
    look, theme = board.looks[body.side], board.theme
    sizes = [max(11.0, letters.width(text, SMALL, True) + 5) for text in texts]
    if isinstance(models, int):
        _count(board, body, models)
    if isinstance(body.base, Round):
        at, level = x + 0.5 * half_w - 3, y - 0.87 * half_h
    else:
        at, level = x + half_w - 8, y - half_h
    for text, size in zip(texts, sizes, strict=True):
        shape = svg.rect(
            at, level - 5.5, size, 11, rx=5.5, fill=theme["paper"], edge=(look.colour, 1.1)
        )
        letter = svg.text(
            text, at + size / 2, level + 3.1, SMALL, theme["ink"], bold=True, text_anchor="middle"
        )
        board.over.append(group([shape, letter], class_="badge", data_body=body.id))
        board.crowd.take((at, level - 5.5, at + size, level + 5.5), 3.0)
        at += size + 1


def _count(board: BoardDrawing, body: Body, models: int) -> None:
    """How many models stand on it, on a plate astride its rear edge."""
    assert isinstance(body.base, Rectangle)
    turn, back = math.radians(body.facing), 0.5 * body.base.depth
    x, y = board.frame.at((body.x - back * math.cos(turn), body.y - back * math.sin(turn)))
    wide = letters.width(str(models), NAME, True) + 8
    plate = box(x, y, wide, 14)
    style = {"rx": 3, "fill": board.theme["halo"], "edge": (board.theme["ink"], 0.9)}
    count = {"text_anchor": "middle", "class_": "count"}
    board.over.append(svg.rect(plate[0], plate[1], wide, 14, **style))
    board.over.append(
        svg.text(str(models), x, y + 3.8, NAME, board.theme["ink"], bold=True, **count)
    )
    board.crowd.take(plate, 3.0)


def _body_name(board: BoardDrawing, body: Body) -> None:
    theme, look = board.theme, board.looks[body.side]
    lines = [(body.name, NAME, True, look.colour)]
    if body.name != body.id:
        lines.append((body.id, SMALL, False, theme["ink"]))
    if abs(body.z) > 1e-6:
        lines[-1] = (f"{lines[-1][0]}, at {figure(body.z)} up", *lines[-1][1:])
    x, y = board.frame.at(body.centre)
    index, place = _beside(board, lines, (x, y), bases.extent(body, board.frame.scale))
    parts = halo_lines(place, lines, theme["table"], 1.0, kind="name")
    if index >= 8:
        edge = (min(max(x, place[0]), place[2]), min(max(y, place[1]), place[3]))
        parts.insert(0, svg.line((x, y), edge, look.colour, 0.8))
    board.over.append(group(parts, data_label=body.id))
