"""The longest legal beginning of a path, and what is offered in place of a refused one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.codec import action_marks, plain
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.referee import Rules, judge
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest, Verdict
from tapeline.table.marks import Marks, freeze

__all__ = [
    "beginning",
    "end_of",
    "longest_prefix",
    "plain_nearest",
    "short_of",
    "shortened",
    "with_path",
]

#: Table units. How exactly the length of the longest legal beginning is found; what bites so little
#: farther on is legal by the last bits of the tolerance alone.
_FINE, _HAIR = 1e-6, 1e-9
#: How much farther on the next share is tried each time.
_ONWARD = 32.0
#: How many places that may bar it are tried, and how much farther than before them beyond: an edge
#: carries up to a tolerance more; how much farther before, where what is met at an angle is near.
_ROUNDS, _BEYOND, _BEFORE = 4, 3.0, 32.0
#: Legs of a path that are tried one after another.
_MANY = 32


def beginning(start: tuple[float, float, float], path: LegPath, legs: float) -> LegPath:
    """The first so many legs of a path from a place, the last one in part."""
    whole = int(legs)
    kept, share = path[:whole], legs - whole
    if share <= 0.0 or whole >= len(path):
        return kept
    return (*kept, _part(end_of(start, kept), path[whole], share))


def _part(start: tuple[float, float, float], leg: Leg, share: float) -> Leg:
    by = None if leg.by is None else share * leg.by
    if leg.to is None:
        return replace(leg, by=by)
    x, y, z = start
    to = (x + share * (leg.to[0] - x), y + share * (leg.to[1] - y))
    return replace(leg, to=to, z=None if leg.z is None else z + share * (leg.z - z), by=by)


def end_of(start: tuple[float, float, float], path: LegPath) -> tuple[float, float, float]:
    """Where a path from a place ends: x, y and the height that it says."""
    x, y, z = start
    for leg in path:
        shape = leg.shape(x, y)
        (x, y), z = (x, y) if shape is None else shape.end, z if leg.z is None else leg.z
    return x, y, z


def _always(kept: LegPath, leg: Leg) -> bool:
    return True


def _never() -> bool:
    return False


def _unmarked(refused: LegPath, length: float) -> Iterable[float]:
    return ()


def longest_prefix(
    start: tuple[float, float, float],
    path: LegPath,
    legal: Callable[[LegPath], bool],
    bites: Callable[[LegPath, float], Iterable[float]],
    parted: Callable[[LegPath, Leg], bool] = _always,
    lasting: Callable[[], bool] = _never,
    bars: Callable[[LegPath, float], Iterable[float]] = _unmarked,
) -> LegPath | None:
    """The longest legal beginning; None if even staying is not allowed.

    bites: given a refused path and the length of its last leg, shares of that leg at which
    something bites; the first two are tried before halving. parted: whether a leg may be gone in
    part after those that are kept. lasting: whether what the last path asked about was refused for
    bars all that go farther too; then none of those is asked about. bars: as bites, of any refused
    path; where halving would end is told by them in fewer questions. Of a path of very many legs
    one is given that no further leg keeps legal, though a longer one may be.
    """
    if not legal(()):
        return None
    done = _legs_kept(path, legal)
    kept = path[:done]
    if done == len(path) or not parted(kept, path[done]):
        return kept
    length = _length(end_of(start, kept), path[done])
    if length <= 0.0:
        return kept
    low, high, fine = 0.0, 1.0, _FINE / length
    guesses = sorted(set(bites(path[: done + 1], length)))[:2]
    shares = [share for guess in guesses for share in (guess - fine, guess + fine)]
    sure, barred = 0.0, math.inf  # up to the one all is allowed, from the other on all is refused

    def allowed(share: float) -> bool:
        return legal(beginning(start, path, done + share))

    def marked(share: float) -> list[float]:
        found = bars(beginning(start, path, done + share), share * length)
        return sorted(share * mark for mark in found)

    while high - low > 2.0 * fine:
        share = next((one for one in shares if low < one < high), 0.5 * (low + high))
        if barred == math.inf and share not in shares:
            sure, barred = _about_bar(allowed, marked, lasting, (low, high), fine)
            onward = fine
            while barred == math.inf and lasting is not _never and sure + onward < high:
                if not allowed(sure + onward) and lasting():
                    barred = sure + onward
                onward *= _ONWARD
            barred = min(barred, 1.0)
        if share <= sure or (share < barred and allowed(share)):
            low = share
        else:
            high = share
            if share in shares:
                lasting()  # it may note how far that bars
    if low < sure and not allowed(low):
        low = sure
    hair = _HAIR / length
    told = (abs(low - at) <= hair for guess in guesses for at in (guess, guess + fine))
    if any(told) and not allowed(low + hair) and allowed(low - fine):
        low -= fine
    # Where the last bits refuse all of the tolerance of a limit, up to the limit all the same.
    limit = next((at for at in guesses if abs(low + fine - at) <= hair), None)
    if limit is not None and allowed(limit + hair):
        low = limit
    return beginning(start, path, done + low) if low > 0.0 else kept


def _about_bar(
    allowed: Callable[[float], bool],
    marked: Callable[[float], list[float]],
    lasting: Callable[[], bool],
    between: tuple[float, float],
    fine: float,
) -> tuple[float, float]:
    """A share that is allowed and one just beyond from which on all is refused, by the marks of
    what was refused; infinity where they tell none."""
    low, high = between
    of, marks, beyond = -1.0, list[float](), _BEYOND * fine
    for _ in range(_ROUNDS):
        if of != high:
            of, marks = high, marked(high)
        mark = next((one for one in marks if low < one - fine and one + beyond < high), None)
        if mark is None:
            break
        before = (mark - near for near in (fine, _BEFORE * fine) if low < mark - near)
        sure = next(filter(allowed, before), None)
        if sure is None:
            high = mark - fine
            continue
        low = sure
        if allowed(mark + beyond):
            low = mark + beyond
        elif lasting():
            return low, mark + beyond
        else:
            break
    near = high - _BEFORE * fine
    if low < near and of == high and any(near < mark for mark in marks) and allowed(near):
        return near, high  # what is farther is refused already
    return low, math.inf


def _legs_kept(path: LegPath, legal: Callable[[LegPath], bool]) -> int:
    """How many whole legs of a path are legal: one after another, of very many by halving."""
    done, most = 0, len(path)
    if most > _MANY and legal(path):
        return most
    while most - done > _MANY:
        middle = (done + most) // 2
        if legal(path[:middle]):
            done = middle
        else:
            most = middle
    while done < most and legal(path[: done + 1]):
        done += 1
    return done


def short_of(start: tuple[float, float, float], kept: LegPath, path: LegPath) -> float:
    """How far a beginning of a path ends from where the path was to end, table units: on the plan,
    as steps and slopes are walked; through the air where a climb, a jump or a ladder is left."""
    end, goal = end_of(start, kept), end_of(start, path)
    first = max(0, len(kept) - 1)  # it may be gone in part
    place, across = end_of(start, path[:first]), False
    for number, leg in enumerate(path[first:], first + 1):
        there = end_of(place, (leg,))
        if number > len(kept):
            across = across or leg.how != "walk"
        upright = math.dist(there[:2], place[:2]) <= _HAIR and there[2] != place[2]
        across = across or (upright and there[2] != end[2])
        place = there
    return math.dist(end, goal) if across else math.dist(end[:2], goal[:2])


def _length(start: tuple[float, float, float], leg: Leg) -> float:
    """Length of a leg on the plan, table units; of a turn on the spot its angle, radians."""
    shape = leg.shape(*start[:2])
    return abs(math.radians(leg.by or 0.0)) if shape is None else shape.length


def with_path(action: Any, path: LegPath) -> Marks:
    """An action with another path as a document, which says the path also where it is empty."""
    return action_marks(replace(action, path=path)).set(path=freeze(plain(path)))


def shortened(system: Rules, state: State, action: Action) -> Action | None:
    """The same action with the longest legal beginning of its `path`; None if it has none."""
    subject: Any = action
    path, body = getattr(subject, "path", None), state.bodies.get(getattr(subject, "actor", ""))
    if not path or body is None:
        return None
    start = (body.x, body.y, body.z)

    def judged(shorter: LegPath) -> Verdict:
        return judge(system, state, replace(subject, path=shorter), nearest=False)

    def bites(refused: LegPath, length: float) -> list[float]:
        place, begins = start, 0.0
        for leg in refused[:-1]:
            begins += _length(place, leg)
            place = end_of(place, (leg,))
        found = judged(refused).findings
        return [(f.travelled - begins) / length for f in found if f.travelled is not None]

    found = longest_prefix(start, path, lambda shorter: judged(shorter).legal, bites)
    if found is None:
        return None
    shorter: Action = replace(subject, path=found)
    return shorter


def plain_nearest(
    system: Rules, state: State, action: Action, findings: list[Finding]
) -> Nearest | None:
    """What is offered in place of a refused action: the same one, `shortened`."""
    wanted: Any = action
    found: Any = shortened(system, state, action)
    if found is None:
        return None
    body = state.body(wanted.actor)
    start = (body.x, body.y, body.z)
    short = math.dist(end_of(start, found.path), end_of(start, wanted.path))
    text = "The longest legal beginning of the path." if found.path else "Staying is legal."
    return Nearest(with_path(found, found.path), "prefix", text, short)
