"""A block move or a wheel that is refused, cut to the largest share of it found to be legal.

How far a block that only slides may go is told by the first thing that any of its stands meets; of
one that turns as well, shares are tried, those left out that no way could lead to.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from tapeline.engine.codec import action_document
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.engine.verdicts import Nearest
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.rules.warmaster.actions import Block, MoveUnit, Wheel
from tapeline.rules.warmaster.moving import MoveSpec, Moving
from tapeline.rules.warmaster.offers import is_legal
from tapeline.rules.warmaster.planner import plan_move
from tapeline.rules.warmaster.sequence import allowance_of, kind_of
from tapeline.rules.warmaster.stands import Point, rect_of
from tapeline.rules.warmaster.state import stands_of, unit_of
from tapeline.rules.warmaster.wanted import as_block, middle, pivot_of, wheeled
from tapeline.rules.warmaster.ways import Ways
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks, freeze

__all__ = ["shorter_block"]

#: Shares of a move that are tried, the longest first; then the longest legal one is drawn out.
_SHARES, _HALVINGS = 12, 14
#: Halvings of the share up to which every stand can afford its end; those cost next to nothing.
_FAR_HALVINGS = 40

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
    kind = kind_of(unit)
    spec = MoveSpec(unit=unit.id, kind=kind, stands=(), allowance=allowance_of(state, unit, kind))
    best = _Shares(state, spec, stands, shortened, Ways(Moving(state, spec))).longest(length)
    if best is None:
        return None
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


@dataclass(frozen=True)
class _Shares:
    """The shares of a move of a unit, each judged as it would be if it were carried out."""

    state: State
    spec: MoveSpec
    bodies: tuple[Body, ...]
    shortened: _Shortened
    ways: Ways

    def longest(self, length: float) -> float | None:
        """The largest share found to be legal; length: of the whole move, cm."""
        far = self._affordable()
        for share in self._limits(far, length):
            if share > 0.0 and self._holds(share):
                return share
        best, low, high = None, 0.0, far
        for k in range(_SHARES - 1, 0, -1):
            if k / _SHARES < far and self._holds(k / _SHARES):
                best = low = k / _SHARES
                high = min(far, (k + 1) / _SHARES)
                break
        if best is None:
            return None
        for _ in range(_HALVINGS):
            share = 0.5 * (low + high)
            if self._holds(share):
                best = low = share
            else:
                high = share
        return best

    def _affordable(self) -> float:
        """The share up to which no corner is to end farther away than the stands may go."""

        def near(share: float) -> bool:
            _, ends, _ = self._ends(share)
            return all(self.ways.affords_end(body, ends[body.id]) for body in self.bodies)

        if near(1.0):
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(_FAR_HALVINGS):
            share = 0.5 * (low + high)
            low, high = (share, high) if near(share) else (low, share)
        return low

    def _limits(self, far: float, length: float) -> list[float]:
        """Shares beyond which the move cannot be legal, tried first: where the allowance ends and,
        for stands that slide, just where the first of them meets something, or short of a touch."""
        action, ends, _ = self._ends(far)
        found = [far] if far < 1.0 else []
        if isinstance(action, Block) and action.by == 0.0 and not self.ways.moving.flying:
            met = 1.0
            for body in self.bodies:
                path = (Leg(to=(ends[body.id].x, ends[body.id].y)),)
                study = self.ways.moving.stand(body, path, ())
                met = min([met, *(meeting.at for meeting in study.meetings)])
            if met < 1.0:
                found = [far * met, far * met - 3.0 * TOLERANCE / length]
        return found

    def _ends(self, share: float) -> tuple[Block | Wheel, dict[str, Rect], Point | None]:
        """The move cut to a share, where its stands end, and the point they turn about if any."""
        action = self.shortened(share)
        rects = [rect_of(body) for body in self.bodies]
        pivot = None
        if isinstance(action, Wheel):
            pivot = pivot_of(rects, action.about)
            poses = wheeled(rects, pivot, action.by)
        else:
            poses = as_block(rects, action.to or middle(rects), action.by)
        return action, {b.id: pose for b, pose in zip(self.bodies, poses, strict=True)}, pivot

    def _holds(self, share: float) -> bool:
        """Whether a share is legal, planned as it is when it is carried out."""
        action, ends, pivot = self._ends(share)
        if not all(self.ways.may_end(body, ends[body.id]) for body in self.bodies):
            return False
        if not is_legal(self.state, action):
            return False
        plan = plan_move(self.state, self.spec, ends, pivot, detours=False, ways=self.ways)
        if not plan.whole:
            return False
        planned = MoveUnit(actor=self.spec.unit, stands=plan.stands)
        return is_legal(self.state, planned) and is_legal(
            self.state, replace(self.spec, stands=plan.stands)
        )
