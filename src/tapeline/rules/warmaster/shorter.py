"""A block move or a wheel that is refused, cut to the largest share of it found to be legal."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from tapeline.engine.codec import action_document
from tapeline.engine.state import State
from tapeline.engine.verdicts import Nearest
from tapeline.rules.warmaster.actions import Block, MoveUnit, Wheel
from tapeline.rules.warmaster.moving import MoveSpec
from tapeline.rules.warmaster.offers import is_legal
from tapeline.rules.warmaster.planner import plan_move
from tapeline.rules.warmaster.sequence import allowance_of, kind_of
from tapeline.rules.warmaster.stands import rect_of
from tapeline.rules.warmaster.state import stands_of, unit_of
from tapeline.rules.warmaster.wanted import as_block, middle, pivot_of, wheeled
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks, freeze

__all__ = ["shorter_block"]

#: Shares of a move that are tried, the longest first; then the longest legal one is drawn out.
_SHARES, _HALVINGS = 12, 10

#: A move cut to a share of it.
_Shortened = Callable[[float], Block | Wheel]


def shorter_block(state: State, action: Block | Wheel) -> Nearest | None:
    """The move asked for, cut to the largest share of it that is found to be legal.

    None where the unit may not move at all, or no share is legal.
    """
    unit = unit_of(state, action.actor)
    stands = stands_of(state, unit)
    if not stands or not is_legal(state, MoveUnit(actor=unit.id)):
        return None
    shortened, length, text = _asked(stands, action)
    best, low, high = None, 0.0, 1.0
    for k in range(_SHARES - 1, 0, -1):
        if _holds(state, unit, shortened(k / _SHARES)):
            best = low = k / _SHARES
            high = (k + 1) / _SHARES
            break
    if best is None:
        return None
    for _ in range(_HALVINGS):
        share = 0.5 * (low + high)
        if _holds(state, unit, shortened(share)):
            best = low = share
        else:
            high = share
    document = freeze(action_document(shortened(best)))
    assert isinstance(document, Marks)
    return Nearest(document, "prefix", text, (1.0 - best) * length)


def _asked(stands: tuple[Body, ...], action: Block | Wheel) -> tuple[_Shortened, float, str]:
    """How a move is shortened, how long it is as asked, and what is said of it."""
    rects = [rect_of(body) for body in stands]
    if isinstance(action, Block):
        block, from_ = action, middle(rects)
        to = block.to or from_

        def less(share: float) -> Block:
            there = (
                from_[0] + share * (to[0] - from_[0]),
                from_[1] + share * (to[1] - from_[1]),
            )
            return replace(block, to=there, by=share * block.by)

        return less, math.dist(from_, to), "The block as far as it can go that way."
    wheel = action
    pivot = pivot_of(rects, wheel.about)
    far = max(math.dist(pivot, corner) for rect in rects for corner in rect.corners)
    return (
        lambda share: replace(wheel, by=share * wheel.by),
        far * math.radians(abs(wheel.by)),
        "The wheel as far round as it can go.",
    )


def _holds(state: State, unit: Unit, action: Block | Wheel) -> bool:
    """Whether a move is legal, planned as it is when it is carried out."""
    if not is_legal(state, action):
        return False
    kind = kind_of(unit)
    spec = MoveSpec(unit=unit.id, kind=kind, stands=(), allowance=allowance_of(state, unit, kind))
    bodies = stands_of(state, unit)
    rects = [rect_of(body) for body in bodies]
    pivot = None
    if isinstance(action, Wheel):
        pivot = pivot_of(rects, action.about)
        poses = wheeled(rects, pivot, action.by)
    else:
        poses = as_block(rects, action.to or middle(rects), action.by)
    ends = {body.id: pose for body, pose in zip(bodies, poses, strict=True)}
    plan = plan_move(state, spec, ends, pivot, detours=False)
    if not plan.whole:
        return False
    planned = MoveUnit(actor=unit.id, stands=plan.stands)
    return is_legal(state, planned) and is_legal(state, replace(spec, stands=plan.stands))
