"""The nearest legal move in place of a refused one: the longest legal beginning of its path."""

from __future__ import annotations

import math
from dataclasses import replace

from tapeline.engine.actions import Action
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.rules.mordheim.actions import Charge, Crawl, Move
from tapeline.rules.mordheim.book import BOOK
from tapeline.rules.mordheim.context import Context
from tapeline.table.marks import Marks, Value

__all__ = ["longest_prefix", "nearest"]

#: Inches. How exactly the length of the longest legal beginning is found.
_FINE_IN = 1e-6


def _findings(state: State, action: Action) -> list[Finding]:
    return BOOK.check(type(action), Context(state, action, None))[0]


def _cut(start: tuple[float, float, float], path: LegPath, legs: float) -> LegPath:
    """The first so many legs of a path, the last one in part if it is walked."""
    whole = int(legs)
    kept = list(path[:whole])
    share = legs - whole
    if share > 0.0 and whole < len(path):
        leg = path[whole]
        if leg.how != "walk" or leg.to is None:
            return tuple(kept)
        at: tuple[float, float] = (start[0], start[1])
        height = start[2]
        for before in kept:
            at = before.to or at
            height = height if before.z is None else before.z
        x, y = at[0] + share * (leg.to[0] - at[0]), at[1] + share * (leg.to[1] - at[1])
        z = None if leg.z is None else height + share * (leg.z - height)
        kept.append(Leg(to=(x, y), z=z))
    return tuple(kept)


def longest_prefix(state: State, action: Move | Crawl) -> LegPath | None:
    """The longest legal beginning of a path; None if even staying is not allowed."""
    body = state.body(action.actor)
    start = (body.x, body.y, body.z)

    def legal(path: LegPath) -> bool:
        return not _findings(state, replace(action, path=path))

    if not legal(()):
        return None
    count = len(action.path)
    done = 0
    while done < count and legal(action.path[: done + 1]):
        done += 1
    if done == count:
        return action.path
    best = action.path[:done]
    leg = action.path[done]
    if any(before.how == "jump" for before in best):
        return best  # how much farther would tell how wide the gap is (MH-GAP-3)
    if leg.how != "walk" or leg.to is None:
        return best
    before = best[-1].to if best and best[-1].to else body.centre
    length = math.dist(before, leg.to)
    if length <= 0.0:
        return best
    low, high, fine = 0.0, 1.0, _FINE_IN / length
    for guess in _guesses(state, replace(action, path=action.path[: done + 1]), length):
        for share in (guess - fine, guess + fine):
            if low < share < high:
                if legal(_cut(start, action.path, done + share)):
                    low = share
                else:
                    high = share
    while high - low > 2.0 * fine:
        middle = 0.5 * (low + high)
        if legal(_cut(start, action.path, done + middle)):
            low = middle
        else:
            high = middle
    return _cut(start, action.path, done + low) if low > 0.0 else best


def _guesses(state: State, action: Move | Crawl, length: float) -> list[float]:
    """Shares of the last leg at which the findings say that something bites, the first first."""
    track = Context(state, action, None).track
    begins = track.length - length
    marks = {f.travelled for f in _findings(state, action) if f.travelled is not None}
    return sorted({(mark - begins) / length for mark in marks})[:2]


def _legs(path: LegPath) -> tuple[Value, ...]:
    found = []
    for leg in path:
        fields: dict[str, Value] = {"to": leg.to, "z": leg.z, "by": leg.by}
        if leg.how != "walk":
            fields["how"] = leg.how
        found.append(Marks({name: value for name, value in fields.items() if value is not None}))
    return tuple(found)


def nearest(state: State, action: Action, findings: list[Finding]) -> Nearest | None:
    """A legal move near a refused one, or None."""
    if isinstance(action, Charge):
        direct = Charge(actor=action.actor)
        if action.path is None or _findings(state, direct):
            return None
        document = Marks({"kind": "charge", "actor": action.actor})
        return Nearest(document, "end", "The charge by the most direct route.", 0.0)
    if not isinstance(action, Move | Crawl) or not action.path:
        return None
    plain: Move | Crawl = replace(action, hide=False)
    path = longest_prefix(state, plain)
    if path is None and isinstance(plain, Move) and plain.run:
        plain = replace(plain, run=False)
        path = longest_prefix(state, plain)
    if path is None:
        return None
    document = Marks({"kind": plain.kind, "actor": plain.actor, "path": _legs(path)})
    text = "The longest legal beginning of the path." if path else "Staying is legal."
    if isinstance(plain, Move) and plain.run:
        document = document.set(run=True)
    elif isinstance(action, Move) and action.run:
        text = f"Without running: {text[0].lower()}{text[1:]}"
    body = state.body(action.actor)
    wanted = action.path[-1].to or body.centre
    end = (path[-1].to if path else None) or body.centre
    return Nearest(document, "prefix", text, math.dist(end, wanted))
