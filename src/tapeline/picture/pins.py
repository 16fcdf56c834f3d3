"""Findings on a board: numbered pins where they bite."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.engine.verdicts import Finding
from tapeline.picture import svg
from tapeline.picture.board import BoardDrawing
from tapeline.picture.labels import box
from tapeline.picture.structures import middle, middle_of
from tapeline.picture.svg import group
from tapeline.table.bodies import Body
from tapeline.table.terrain import Piece

__all__ = ["draw_pins"]


def draw_pins(board: BoardDrawing, findings: Sequence[Finding], actor: Body | None = None) -> None:
    """A numbered pin for every finding that has a place or is about something.

    On the plan of a storey only those that are about something there, or about nothing if
    the actor stands there.
    """
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
