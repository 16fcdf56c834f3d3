"""A legal move near a refused one: the longest part of the path that is legal."""

from __future__ import annotations

import math

from tapeline.engine.codec import action_marks, plain
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.prefix import with_path
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.geometry.plane.legs import Line
from tapeline.rules.trench_crusade.actions import Charge, Dash, ForcedRetreat, Move, Retreat, Walk
from tapeline.rules.trench_crusade.book import NEAR_IN
from tapeline.rules.trench_crusade.context import findings_of, is_legal, walk_of
from tapeline.rules.trench_crusade.ground import in_space
from tapeline.rules.trench_crusade.measures import reach_of
from tapeline.rules.trench_crusade.walker import last_stop, lay
from tapeline.table.marks import Marks, freeze
from tapeline.travel.route import Route

__all__ = ["longest_prefix", "nearest", "refuse_path"]

#: How far before an offence a prefix stops, inches: clear of the tolerance of any limit.
_SHORT_IN = 4 * TOLERANCE
#: Cuts tried before giving up: each is at a further offence or off another friend.
_TRIES = 12


def longest_prefix(
    state: State, walk: Walk, findings: list[Finding] | None = None
) -> tuple[LegPath, float] | None:
    """The longest legal beginning of a path and its length; None if there is none but zero.

    findings: those of the whole path if known. A retreat that may not end where its path is
    cut has no such beginning.
    """
    body = state.body(walk.actor)
    track = _read(state, walk)
    found = findings_of(state, walk) if findings is None else findings
    length, back = track.length, 2 * _SHORT_IN
    for _ in range(_TRIES):
        if not found:
            return track.upto(length).legs, length
        if any(finding.travelled is None for finding in found):
            return None
        cuts = [f.travelled for f in found if f.travelled is not None]
        cut = min(cuts)
        if cut >= length - TOLERANCE:
            cut = last_stop(state, body, track.upto(length), length)
            if cut >= length - TOLERANCE:
                if walk.manner == "retreat":
                    return None
                cut, back = length - back, 8 * back
        length = cut - _SHORT_IN
        if length <= 0.0:
            return None
        shorter = Walk(walk.actor, track.upto(length).legs, walk.allowance, walk.manner, walk.held)
        found = findings_of(state, shorter)
    return None


def _read(state: State, walk: Walk) -> Route:
    """The route of a path, by which its findings are measured."""
    body = state.body(walk.actor)
    if in_space(state, body, walk.path):
        return lay(state, body, walk.path)
    return Route.read(body, walk.path)


def nearest(state: State, action: object, findings: list[Finding]) -> Nearest | None:
    """The nearest legal move in place of a refused action, if its path alone is at fault."""
    if isinstance(action, Charge):
        return _nearest_charge(state, action, findings)
    if not isinstance(action, Move | Dash | Retreat | ForcedRetreat) or not action.path:
        return None
    walk = walk_of(state, action)
    if walk is None:
        return None
    of_path = findings_of(state, walk)
    if {f.clause for f in findings} - {f.clause for f in of_path}:
        return None
    found = longest_prefix(state, walk, of_path)
    track = _read(state, walk)
    if found is not None:
        path, length = found
        return _prefix(with_path(action, path), track, length)
    longer = _clear_end(state, walk, track)
    if longer is None:
        return None
    short = math.dist(longer[-1].to or track.end.xy, track.end.xy)
    text = f"Going {short:.2f} in farther the same way ends clear of every enemy."
    return Nearest(with_path(action, longer), "end", text, short)


def _clear_end(state: State, walk: Walk, track: Route) -> LegPath | None:
    """A retreat that ends too near, gone on straight until it is clear; None if that is illegal."""
    if not track.level or walk.manner != "retreat" or track.length <= 0.0:
        return None
    last = track.stretches[-1][1].leg
    if not isinstance(last, Line) or last.length <= 0.0:
        return None
    body = state.body(walk.actor)
    ux, uy = (last.bx - last.ax) / last.length, (last.by - last.ay) / last.length
    out = 0.0
    for enemy in state.enemies(body):
        reach = reach_of(body, enemy, NEAR_IN)
        if reach is None:
            continue
        ex, ey = enemy.x - last.bx, enemy.y - last.by
        along = ex * ux + ey * uy
        room = (reach + _SHORT_IN) ** 2 - (ex * ex + ey * ey - along * along)
        if room > 0.0 and math.hypot(ex, ey) <= reach + _SHORT_IN:
            out = max(out, along + math.sqrt(room))
    path = (*walk.path[:-1], Leg(to=(last.bx + out * ux, last.by + out * uy)))
    longer = Walk(walk.actor, path, walk.allowance, walk.manner, walk.held)
    return path if out > 0.0 and is_legal(state, longer) else None


def _prefix(action: Marks, track: Route, length: float) -> Nearest:
    short = math.dist(track.place(length).xy, track.end.xy)
    text = f"The first {length:.2f} in of the path are legal."
    return Nearest(action, "prefix", text, short)


def _nearest_charge(state: State, action: Charge, findings: list[Finding]) -> Nearest | None:
    """The interposing enemy as target, or the way and the end that the rules lay down, where
    that is all that is wrong."""
    wrong = {f.clause for f in findings}
    target, text = state.body(action.target), ""
    if wrong <= {"TC-CHG-7", "TC-CHG-8"} and (action.path or action.stop):
        text = "The charge by the shortest route, as far as it goes."
    elif wrong == {"TC-CHG-3"} and findings[0].about is not None:
        target = state.body(findings[0].about)
        text = f"{target.name} stands in the way and may be charged."
    by_rule = Charge(actor=action.actor, target=target.id, forbid=action.forbid)
    if not text or not is_legal(state, by_rule):
        return None
    return Nearest(action_marks(by_rule), "end", text, 0.0)


def refuse_path(run: Run, walk: Walk) -> None:
    """Refuse a path given as an answer, with the longest legal beginning of it."""
    findings = run.check(walk)
    if not findings:
        return
    offer = None
    found = longest_prefix(run.state, walk, findings)
    if found is not None:
        path, length = found
        track = _read(run.state, walk)
        offer = _prefix(Marks({"path": freeze(plain(path))}), track, length)
    run.refuse(findings, offer)
