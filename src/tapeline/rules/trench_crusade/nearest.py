"""A legal move near a refused one: the longest part of the path that is legal."""

from __future__ import annotations

import math

from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import LegPath
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.rules.trench_crusade.actions import Charge, Dash, ForcedRetreat, Move, Retreat, Walk
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.context import Context, walk_of
from tapeline.rules.trench_crusade.state import radius
from tapeline.rules.trench_crusade.track import Track
from tapeline.table.marks import Marks, Value

__all__ = ["longest_prefix", "nearest", "refuse_path"]

#: How far before an offence a prefix stops, inches: clear of the tolerance of any limit.
_SHORT_IN = 4 * TOLERANCE
#: Cuts tried before giving up: each is at a further offence or off another friend.
_TRIES = 12


def _findings(state: State, walk: Walk) -> list[Finding]:
    return BOOK.check(Walk, Context(state, walk, None))[0]


def longest_prefix(
    state: State, walk: Walk, findings: list[Finding] | None = None
) -> tuple[LegPath, float] | None:
    """The longest legal beginning of a path and its length; None if there is none but zero.

    findings: those of the whole path if known. A retreat that may not end where its path is
    cut has no such beginning.
    """
    track = Track(state.body(walk.actor).centre, walk.path)
    found = _findings(state, walk) if findings is None else findings
    length, back = track.length, 2 * _SHORT_IN
    for _ in range(_TRIES):
        if not found:
            return track.cut(length), length
        if any(finding.travelled is None for finding in found):
            return None
        cuts = [f.travelled for f in found if f.travelled is not None]
        cut = min(cuts)
        if cut >= length - TOLERANCE:
            cut = _off_friends(state, walk, track, length)
            if cut >= length - TOLERANCE:
                if walk.manner == "retreat":
                    return None
                cut, back = length - back, 8 * back
        length = cut - _SHORT_IN
        if length <= 0.0:
            return None
        shorter = Walk(walk.actor, track.cut(length), walk.allowance, walk.manner, walk.held)
        found = _findings(state, shorter)
    return None


def _off_friends(state: State, walk: Walk, track: Track, s: float) -> float:
    """Where the track last entered the friends it overlaps at s."""
    body = state.body(walk.actor)
    x, y = track.at(s)
    for friend in state.friends(body):
        room = radius(body) + radius(friend)
        if math.hypot(friend.x - x, friend.y - y) < room - TOLERANCE / 2:
            s = min(s, track.last_entry(friend.centre, room, s))
    return s


def nearest(state: State, action: object, findings: list[Finding]) -> Nearest | None:
    """The nearest legal move in place of a refused action, if its path alone is at fault."""
    if isinstance(action, Charge):
        return _nearest_charge(state, action, findings)
    if not isinstance(action, Move | Dash | Retreat | ForcedRetreat) or not action.path:
        return None
    walk = walk_of(state, action)
    if walk is None:
        return None
    of_path = _findings(state, walk)
    if {f.clause for f in findings} - {f.clause for f in of_path}:
        return None
    found = longest_prefix(state, walk, of_path)
    if found is None:
        return None
    path, length = found
    return _prefix(
        Marks({"kind": action.kind, "actor": action.actor, "path": _legs(path)}),
        Track(state.body(walk.actor).centre, walk.path),
        length,
    )


def _legs(path: LegPath) -> tuple[Value, ...]:
    """Legs as an action in a document has them."""
    found = []
    for leg in path:
        fields: dict[str, Value] = {"to": leg.to, "centre": leg.centre, "by": leg.by}
        found.append(Marks({name: value for name, value in fields.items() if value is not None}))
    return tuple(found)


def _prefix(action: Marks, track: Track, length: float) -> Nearest:
    short = math.dist(track.at(length), track.end)
    text = f"The first {length:.2f} in of the path are legal."
    return Nearest(action, "prefix", text, short)


def _nearest_charge(state: State, action: Charge, findings: list[Finding]) -> Nearest | None:
    """The interposing enemy as target, where that is all that is wrong."""
    if {f.clause for f in findings} != {"TC-CHG-3"} or findings[0].about is None:
        return None
    other = state.body(findings[0].about)
    document = Marks({"kind": "charge", "actor": action.actor, "target": other.id})
    if action.forbid:
        document = document.set(forbid=tuple(action.forbid))
    text = f"{other.name} stands in the way and may be charged."
    return Nearest(document, "end", text, 0.0)


def refuse_path(run: Run, walk: Walk) -> None:
    """Refuse a path given as an answer, with the longest legal beginning of it."""
    findings = run.check(walk)
    if not findings:
        return
    offer = None
    found = longest_prefix(run.state, walk, findings)
    if found is not None:
        path, length = found
        track = Track(run.state.body(walk.actor).centre, walk.path)
        offer = _prefix(Marks({"path": _legs(path)}), track, length)
    run.refuse(findings, offer)
