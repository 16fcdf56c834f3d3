"""A hash of a state, alike on every machine, so that two tables can tell that they agree."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from hashlib import sha256

from tapeline.engine.deployment import deployment_document
from tapeline.engine.game import game_document
from tapeline.engine.state import State
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.marks import thaw
from tapeline.table.terrain import Battlefield, Circle, Entry

__all__ = ["digest"]

#: Decimals of a length or angle that take part: finer than any rule, coarser than libm.
_DECIMALS = 8


def _number(value: float) -> float:
    return round(float(value), _DECIMALS) + 0.0


def _rounded(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float | list | dict):
        return value
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return {key: _rounded(item) for key, item in value.items()}


def _text(value: object) -> str:
    return json.dumps(_rounded(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _body(body: Body) -> str:
    cached = body._digest
    if not cached:
        base = body.base
        size = [base.width, base.depth] if isinstance(base, Rectangle) else [base.radius]
        text = _text(
            [
                body.id,
                body.side,
                size,
                [body.x, body.y, body.z, body.facing],
                body.profile,
                thaw(body.stats),
                thaw(body.marks),
            ]
        )
        cached.append(sha256(text.encode()).hexdigest())
    return cached[0]


def _plain(value: object) -> object:
    """Records, sets and tuples as lists, names for people left out."""
    if is_dataclass(value):
        return [_plain(getattr(value, f.name)) for f in fields(value) if f.name != "name"]
    if isinstance(value, frozenset):
        return sorted(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _entry(entry: Entry) -> object:
    return [type(entry).__name__.lower(), _plain(entry)]


def _table(table: Battlefield) -> str:
    cached = table.prepared.get("digest")
    if not isinstance(cached, str):
        pieces = [
            [
                piece.id,
                piece.kind,
                [
                    [outline.x, outline.y, outline.radius]
                    if isinstance(outline, Circle)
                    else [list(corner) for corner in outline.corners]
                    for outline in piece.outlines
                ],
                [piece.bottom, piece.top],
                sorted(piece.traits),
            ]
            for piece in sorted(table.pieces, key=lambda piece: piece.id)
        ]
        parts: list[object] = [[table.width, table.depth], table.unit, pieces]
        if table.structures:
            parts.append([_entry(e) for e in sorted(table.structures, key=lambda e: e.id)])
        text = _text(parts)
        cached = table.prepared["digest"] = sha256(text.encode()).hexdigest()
    return cached


def digest(state: State) -> str:
    """32 hexadecimal characters over all that a ruling may depend on, in no particular order.

    Lengths and angles count to 8 decimals; 5 and 5.0 are the same; names for people do not count.
    """
    turn = state.turn
    rest = _text(
        [
            state.system,
            [turn.round, turn.phase, turn.active, turn.initiative],
            thaw(state.options),
            thaw(state.progress),
            [side.id for side in state.sides],
            [
                [unit.id, unit.side, list(unit.members), thaw(unit.stats), thaw(unit.marks)]
                for _, unit in sorted(state.units.items())
            ],
        ]
    )
    whole = sha256(rest.encode())
    if state.game is not None:
        whole.update(_text(game_document(state.game)).encode())
    if state.deployment is not None:
        setting_up = deployment_document(state.deployment, state.units, state.gone)
        setting_up["waiting"].sort()
        whole.update(_text(setting_up).encode())
    whole.update(_table(state.table).encode())
    for _, body in sorted(state.bodies.items()):
        whole.update(_body(body).encode())
    whole.update(b"|")
    for _, body in sorted(state.gone.items()):
        whole.update(_body(body).encode())
    return whole.hexdigest()[:32]
