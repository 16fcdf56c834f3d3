"""A legal move near a refused one: the same ways, gone as far as is legal."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.codec import action_document
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.rules.warmaster.actions import Block, Evade, MoveCharacter, MoveUnit, Wheel
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.moving import MoveSpec
from tapeline.rules.warmaster.pace import pace_of
from tapeline.rules.warmaster.sequence import allowance_of, kind_of
from tapeline.rules.warmaster.shorter import shorter_block
from tapeline.rules.warmaster.state import unit_of
from tapeline.table.marks import Marks, freeze

__all__ = ["cut_path", "nearest"]

#: Halvings of the part of the way that is sought; it is found to a 4-millionth of the way.
_HALVINGS = 22
#: A part smaller than this is no offer.
_LEAST = 1e-4


def cut_path(start: tuple[float, float], path: LegPath, share: float) -> LegPath:
    """The first part of a path from a place: `share` of its legs, from 0 to 1."""
    left, at, found = share * len(path), start, []
    for leg in path:
        part = min(1.0, left)
        if part <= 0.0:
            break
        found.append(leg if part >= 1.0 else _part(at, leg, part))
        at = _after(at, leg)
        left -= 1.0
    return tuple(found)


def _part(at: tuple[float, float], leg: Leg, part: float) -> Leg:
    by = None if leg.by is None else part * leg.by
    if leg.to is None:
        return replace(leg, by=by)
    to = (at[0] + part * (leg.to[0] - at[0]), at[1] + part * (leg.to[1] - at[1]))
    return replace(leg, to=to, by=by)


def _after(at: tuple[float, float], leg: Leg) -> tuple[float, float]:
    if leg.to is not None:
        return leg.to
    if leg.centre is None or leg.by is None:
        return at
    turn, (cx, cy) = math.radians(leg.by), leg.centre
    dx, dy = at[0] - cx, at[1] - cy
    return (
        cx + dx * math.cos(turn) - dy * math.sin(turn),
        cy + dx * math.sin(turn) + dy * math.cos(turn),
    )


def _end(start: tuple[float, float], path: LegPath) -> tuple[float, float]:
    for leg in path:
        start = _after(start, leg)
    return start


def _is_clear(state: State, *subjects: Any) -> bool:
    return not any(
        BOOK.check(type(subject), Context(state, subject, None), None)[0] for subject in subjects
    )


def nearest(state: State, action: Action, findings: list[Finding]) -> Nearest | None:
    """The longest legal beginning of a refused move of a unit or a character, an evade included.

    None if it is refused for more than its ways, or if it has no such beginning.
    """
    if isinstance(action, MoveUnit | Evade):
        return _of_unit(state, action)
    if isinstance(action, Block | Wheel):
        return shorter_block(state, action)
    if isinstance(action, MoveCharacter):
        return _of_character(state, action)
    return None


def _of_unit(state: State, action: MoveUnit | Evade) -> Nearest | None:
    unit = unit_of(state, action.actor)
    if not _is_clear(state, action):
        return None
    known = [move for move in action.stands if move.stand in state.bodies]
    if len(known) < len(action.stands) or not any(move.path for move in known):
        return None
    evades = isinstance(action, Evade)
    kind = "evade" if evades else kind_of(unit)
    allowance = (
        pace_of(state, unit, "evade").allowance if evades else allowance_of(state, unit, kind)
    )
    spec = MoveSpec(unit=unit.id, kind=kind, stands=(), allowance=allowance)
    if isinstance(action, Evade):
        spec = replace(spec, target=action.target, burst=action.burst)

    def cut(share: float) -> MoveUnit | Evade:
        stands = tuple(
            replace(move, path=cut_path(state.bodies[move.stand].centre, move.path, share))
            for move in known
        )
        return replace(action, stands=stands)

    best = _longest(lambda share: _is_clear(state, replace(spec, stands=cut(share).stands)))
    if best is None:
        return None
    short = max(
        math.dist(
            _end(state.bodies[a.stand].centre, a.path), _end(state.bodies[b.stand].centre, b.path)
        )
        for a, b in zip(cut(best).stands, known, strict=True)
    )
    return _offer(cut(best), short)


def _of_character(state: State, action: MoveCharacter) -> Nearest | None:
    alone = replace(action, join=None)
    start = state.body(action.actor).centre
    if not action.path or not _is_clear(state, replace(alone, path=())):
        return None

    def cut(share: float) -> MoveCharacter:
        return replace(alone, path=cut_path(start, action.path, share))

    if action.join is not None and _is_clear(state, alone):
        return _offer(alone, 0.0, "The same way, without joining anyone.")
    best = _longest(lambda share: _is_clear(state, cut(share)))
    if best is None:
        return None
    return _offer(cut(best), math.dist(_end(start, cut(best).path), _end(start, action.path)))


def _longest(is_legal: Callable[[float], bool]) -> float | None:
    """The largest share found by halving, legal itself; None if there is none to speak of."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if is_legal(middle):
            low = middle
        else:
            high = middle
        if high <= _LEAST:
            return None
    return low


def _offer(action: Action, short: float, text: str = "") -> Nearest:
    document = freeze(action_document(action))
    assert isinstance(document, Marks)
    if not text:
        some = short >= 0.005
        text = f"The same ways, {short:.2f} cm shorter." if some else "The same ways, cut short."
    return Nearest(document, "prefix", text, short)
