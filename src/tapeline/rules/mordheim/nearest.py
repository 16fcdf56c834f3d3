"""The nearest legal move in place of a refused one: the longest legal beginning of its path."""

from __future__ import annotations

import math
from dataclasses import replace

from tapeline.engine.actions import Action
from tapeline.engine.codec import action_marks
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.prefix import longest_prefix, with_path
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.rules.mordheim.actions import Charge, Crawl, Move
from tapeline.rules.mordheim.context import Context, findings_of, is_legal

__all__ = ["longest_beginning", "nearest"]


def _parted(kept: LegPath, leg: Leg) -> bool:
    """Whether a leg may be gone in part: one that is walked, and not beyond a jump: how much
    farther would tell how wide the gap is (MH-GAP-3)."""
    return leg.how == "walk" and leg.to is not None and all(one.how != "jump" for one in kept)


def longest_beginning(state: State, action: Move | Crawl) -> LegPath | None:
    """The longest legal beginning of a path; None if even staying is not allowed."""
    body = state.body(action.actor)

    def bites(refused: LegPath, length: float) -> list[float]:
        shorter = replace(action, path=refused)
        begins = Context(state, shorter, None).track.length - length
        marks = [f.travelled for f in findings_of(state, shorter) if f.travelled is not None]
        return [(mark - begins) / length for mark in marks]

    def legal(path: LegPath) -> bool:
        return is_legal(state, replace(action, path=path))

    return longest_prefix((body.x, body.y, body.z), action.path, legal, bites, _parted)


def nearest(state: State, action: Action, findings: list[Finding]) -> Nearest | None:
    """A legal move near a refused one, or None."""
    if isinstance(action, Charge):
        direct = Charge(actor=action.actor)
        if action.path is None or not is_legal(state, direct):
            return None
        return Nearest(action_marks(direct), "end", "The charge by the most direct route.", 0.0)
    if not isinstance(action, Move | Crawl) or not action.path:
        return None
    plain: Move | Crawl = replace(action, hide=False)
    path = longest_beginning(state, plain)
    if path is None and isinstance(plain, Move) and plain.run:
        plain = replace(plain, run=False)
        path = longest_beginning(state, plain)
    if path is None:
        return None
    text = "The longest legal beginning of the path." if path else "Staying is legal."
    if isinstance(action, Move) and action.run and not (isinstance(plain, Move) and plain.run):
        text = f"Without running: {text[0].lower()}{text[1:]}"
    body = state.body(action.actor)
    wanted = action.path[-1].to or body.centre
    end = (path[-1].to if path else None) or body.centre
    short = math.dist(end, wanted)
    return Nearest(with_path(plain, path), "prefix", text, short)
