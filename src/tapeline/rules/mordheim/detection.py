"""Where along a way hidden models are found: detected within Initiative, or come into view (3.8).

The gap to a fixed base is convex along a straight piece, so the first point within a distance is
found to 1e-12 of its length. For sight, a body on its way between two shares of a piece sweeps one
body; if that is not seen, none of the way is, and if it is, the way is halved until the place is
known to 1e-9 inches. The swept body is exact on the level and holds more than it should on slopes
and arcs, which costs further halving and misses nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tapeline.engine.limits import within
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.geometry.plane.sweeps import nearest_to_point, spans_near_point
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.sight.bodies import Solid, Solids, sight_between_bodies
from tapeline.rules.mordheim.contact import flat_gap, gap_of
from tapeline.rules.mordheim.figures import BOOK
from tapeline.rules.mordheim.sight import (
    body_of,
    bystanders,
    detects,
    sees,
    solids_of,
    tall,
    watches,
)
from tapeline.rules.mordheim.state import base_part, initiative, is_hidden
from tapeline.table.bodies import Body, Round
from tapeline.travel.route import Route, Stretch

__all__ = ["Exposure", "exposed_now", "exposures", "first_seen", "first_within"]

BOOK.resolves(
    "MH-HIDE-4",
    src="seed",
    says="Hiding lasts from turn to turn while what conceals the model still covers it.",
)
BOOK.resolves(
    "MH-HIDE-5",
    src="seed",
    says="A hidden model may move and stay hidden so long as it is concealed all the way.",
)
BOOK.resolves(
    "MH-HIDE-6",
    src="seed",
    says="An enemy that moves so that it sees a hidden model takes the counter off and goes on.",
)
BOOK.resolves(
    "MH-HIDE-9",
    src="seed",
    says="A hidden model that moves into view is no longer hidden from that point on.",
)
BOOK.resolves(
    "MH-HIDE-11",
    src="seed",
    says="Every enemy that is not stunned finds hidden models within its Initiative in inches.",
)

#: Length, inches: how closely the first point of a way in view is found.
_CLOSE_IN = 1e-9
#: Length, inches: what is farther by more than this is farther for certain.
_CLEAR_IN = 1e-3
#: Share of a piece: how closely the first point within a distance is found.
_SHARE = 1e-13
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True, slots=True)
class Exposure:
    """A hidden model that is found: by whom, where whoever moves is then, and how far it has come.

    clause: MH-HIDE-11 detected, MH-HIDE-6 an enemy moved to see it, MH-HIDE-9 it moved into view,
    MH-HIDE-4 it is seen where it is.
    """

    body: str
    by: str
    place: Place
    travelled: float
    clause: str
    text: str


def _body_at(body: Body, place: Place) -> Body:
    return replace(body, x=place.x, y=place.y, z=place.z, _digest=[])


# Detection: the first point within a distance.


def first_within(
    state: State, mover: Body, stretch: Stretch, other: Body, limit: float, begin: float = 0.0
) -> float | None:
    """The first share of a piece, from `begin`, at which the gap to another base is within a limit.

    None if it never is. Found to 1e-12 of the piece.
    """

    def measured(t: float) -> float:
        at = _body_at(mover, stretch.at(t))
        return gap_of(state, flat_gap(at, other), at.z - other.z)

    if _out_of_reach(mover, stretch, other, limit):
        return None
    if within(measured(begin), limit):
        return begin
    if stretch.arc is not None:
        return _first_on_arc(state, mover, stretch, other, limit, begin, measured)
    return _first_convex(measured, limit, begin, 1.0)


def _out_of_reach(mover: Body, stretch: Stretch, other: Body, limit: float) -> bool:
    """Whether discs about both bases never come within a limit on the plan."""
    near = nearest_to_point(stretch.leg, other.x, other.y)
    return near.distance - mover.base.reach - other.base.reach > limit + _CLEAR_IN


def _first_convex(
    measured: Callable[[float], float], limit: float, begin: float, end: float
) -> float | None:
    """The first share at which a convex measure comes within a limit that it begins beyond."""
    a, b = begin, end
    c, d = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
    fc, fd = measured(c), measured(d)
    low = b
    if within(measured(b), limit):
        low = b
    else:
        while b - a > _SHARE:
            if within(fc, limit) or within(fd, limit):
                break
            if fc <= fd:
                b, d, fd = d, c, fc
                c = b - _GOLDEN * (b - a)
                fc = measured(c)
            else:
                a, c, fc = c, d, fd
                d = a + _GOLDEN * (b - a)
                fd = measured(d)
        if within(fc, limit):
            low = c
        elif within(fd, limit):
            low = d
        else:
            return None
    # Falling until it is within: halve between the last point beyond and the first one within.
    least, most = begin, low
    mark = limit if measured(low) <= limit else measured(low)
    while most - least > _SHARE:
        middle = 0.5 * (least + most)
        if middle <= least or middle >= most:
            break
        if measured(middle) <= mark:
            most = middle
        else:
            least = middle
    return most


def _first_on_arc(
    state: State,
    mover: Body,
    stretch: Stretch,
    other: Body,
    limit: float,
    begin: float,
    measured: Callable[[float], float],
) -> float | None:
    """Along a level arc: closed form for discs, else steps no longer than what is still lacking."""
    leg = stretch.leg
    length = leg.length
    if isinstance(mover.base, Round) and isinstance(other.base, Round):
        rise = stretch.start.z - other.z
        flat = limit
        if state.option("distance_mode") != "plan2d":
            if abs(rise) > limit:
                return None
            flat = math.sqrt(limit * limit - rise * rise)
        room = mover.base.radius + other.base.radius + flat
        for low, high in spans_near_point(leg, *other.centre, room):
            if high >= begin * length:
                return max(begin, low / length)
        return None
    t = begin
    while t < 1.0:
        lacking = measured(t) - limit
        if within(lacking, 0.0):
            return t
        t += max(lacking, 1e-6) / length
    return 1.0 if within(measured(1.0), limit) else None


# Sight: the first point in view.


def _swept(body: Body, stretch: Stretch, begin: float, end: float, tall_in: float) -> Solid:
    """What a body fills between two shares of a piece, or a little more on slopes and arcs."""
    a, b = stretch.at(begin), stretch.at(end)
    ground = base_part(_body_at(body, a))
    dx, dy = b.x - a.x, b.y - a.y
    loop, radius = ground.loop, ground.radius
    if math.hypot(dx, dy) > 1e-12:
        loop = (a.x, a.y, b.x, b.y) if len(loop) == 2 else _slid(loop, dx, dy)
    if stretch.arc is not None:
        # The arc leaves its chord by no more than its height over it.
        turned = abs(stretch.arc[2]) * (end - begin)
        aside = 2.0 * math.hypot(a.x - stretch.arc[0], a.y - stretch.arc[1])
        if turned < math.pi:
            aside = 0.5 * aside * (1.0 - math.cos(0.5 * turned))
        if len(loop) == 2 or radius > 0.0:
            radius += aside
        else:
            loop = _widened(loop, aside)
    return Solid(Part(loop, radius), min(a.z, b.z), max(a.z, b.z) + tall_in)


def _slid(loop: tuple[float, ...], dx: float, dy: float) -> tuple[float, ...]:
    """The hull of a convex loop and itself moved."""
    n = len(loop) // 2
    corners: list[tuple[float, float]] = []
    for i in range(n):
        x, y = loop[2 * i], loop[2 * i + 1]
        # A corner stays, moves along or does both, by the sides before and after it.
        after = (loop[(2 * i + 2) % (2 * n)] - x, loop[(2 * i + 3) % (2 * n)] - y)
        before = (x - loop[2 * i - 2], y - loop[2 * i - 1])
        ahead = [e[1] * dx - e[0] * dy > 0.0 for e in (before, after)]
        near, far = (x, y), (x + dx, y + dy)
        if ahead[0] == ahead[1]:
            corners.append(far if ahead[0] else near)
        elif ahead[0]:
            corners += [far, near]
        else:
            corners += [near, far]
    return tuple(v for corner in corners for v in corner)


def _widened(loop: tuple[float, ...], by: float) -> tuple[float, ...]:
    """A loop with a rectangle's worth of room on every side: its box, grown, if that is no more."""
    xs, ys = loop[::2], loop[1::2]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    inner = min(
        abs((ys[i] - ys[i - 1]) * (mx - xs[i]) - (xs[i] - xs[i - 1]) * (my - ys[i]))
        / math.hypot(xs[i] - xs[i - 1], ys[i] - ys[i - 1])
        for i in range(len(xs))
    )
    scale = 1.0 + by / inner
    return tuple(
        v
        for x, y in zip(xs, ys, strict=True)
        for v in (mx + scale * (x - mx), my + scale * (y - my))
    )


def first_seen(
    stretch: Stretch,
    body: Body,
    tall_in: float,
    others: Sequence[Solid],
    solids: Solids,
    more: Sequence[Sequence[Solid]],
    begin: float = 0.0,
    end: float = 1.0,
) -> tuple[float, int] | None:
    """The first share of a piece, from begin to end, at which a body, so tall, and another see each
    other, and the number of that other; None if none do.

    more: what hides each of the others besides the solids. The place is found to 1e-9 inches.
    """
    length = max(stretch.leg.length, abs(stretch.end.z - stretch.start.z))
    upright = stretch.leg.length == 0.0
    exact = stretch.arc is None and (upright or stretch.start.z == stretch.end.z)

    def shown(low: float, high: float, among: Sequence[int]) -> list[int]:
        swept = _swept(body, stretch, low, high, tall_in)
        return [
            k for k in among if sight_between_bodies(swept, others[k], solids, more=more[k]).visible
        ]

    def halve(low: float, high: float, seen: Sequence[int]) -> tuple[float, int] | None:
        if (high - low) * length <= _CLOSE_IN:
            return low, seen[0]
        middle = 0.5 * (low + high)
        early = shown(low, middle, seen)
        found = halve(low, middle, early) if early else None
        if found is not None:
            return found
        # What is swept exactly and not seen in its first half is seen in its second.
        late = seen if exact and len(seen) == 1 else shown(middle, high, seen)
        return halve(middle, high, late) if late else None

    seen = shown(begin, end, range(len(others)))
    at_once = shown(begin, begin, seen)
    if at_once:
        return begin, at_once[0]
    return halve(begin, end, seen) if seen else None


# Who is found.


def exposed_now(state: State) -> list[Exposure]:
    """Hidden models that stand detected, or in view where cover must be whole (`hide_cover`)."""
    found = []
    for hider in state.bodies.values():
        if not is_hidden(hider):
            continue
        place = Place(hider.x, hider.y, hider.z)
        for enemy in state.enemies(hider):
            if detects(state, enemy, hider):
                text = f"{enemy.name} finds {hider.name}, who is within {initiative(enemy)} in"
                found.append(Exposure(hider.id, enemy.id, place, 0.0, "MH-HIDE-11", text))
                break
            if (
                state.option("hide_cover") == "unseen"
                and watches(enemy)
                and sees(state, enemy, hider)
            ):
                text = f"{enemy.name} sees {hider.name}, who is hidden no longer"
                found.append(Exposure(hider.id, enemy.id, place, 0.0, "MH-HIDE-4", text))
                break
    return found


def exposures(state: State, mover: Body, track: Route) -> list[Exposure]:
    """Every hidden model that is found while one goes along a way, the mover included, in order.

    mover: as it stood at the start. Whoever has been found stands up from there on.
    """
    state = state.with_body(mover)
    pieces = list(track.traced)
    found: list[Exposure] = []
    index, share = 0, 0.0
    while index < len(pieces):
        before, piece = pieces[index]
        mover = state.body(mover.id)
        event = _next_found(state, mover, piece, share)
        if event is None:
            index, share = index + 1, 0.0
            continue
        share, other, detected = event
        enemy = state.body(other)
        pairs = [(mover, enemy, "MH-HIDE-9"), (enemy, mover, "MH-HIDE-6")]
        for hider, watcher, clause in pairs:
            if not _may_be_found(hider, watcher):
                continue
            if detected and hider.id != detected:
                continue
            named = "MH-HIDE-11" if detected else clause
            text = _told(hider, watcher, named)
            place = piece.at(share)
            travelled = before + share * piece.length
            found.append(Exposure(hider.id, watcher.id, place, travelled, named, text))
            up = state.body(hider.id).marked(hidden=None)
            state = state.with_body(up)
    return found


def _may_be_found(hider: Body, watcher: Body) -> bool:
    return is_hidden(hider) and watches(watcher)


def _told(hider: Body, watcher: Body, clause: str) -> str:
    if clause == "MH-HIDE-11":
        return f"{watcher.name} finds {hider.name}, who is within {initiative(watcher)} in"
    if clause == "MH-HIDE-9":
        return f"{hider.name} moves into view of {watcher.name}"
    return f"{watcher.name} comes to see {hider.name}"


def _next_found(
    state: State, mover: Body, stretch: Stretch, begin: float
) -> tuple[float, str, str] | None:
    """Where on a piece somebody hidden is found next: the share, the enemy concerned, and who was
    detected ("" if seen)."""
    concerned = [
        enemy
        for enemy in state.enemies(mover)
        if _may_be_found(mover, enemy) or _may_be_found(enemy, mover)
    ]
    best: tuple[float, str, str] | None = None
    for enemy in concerned:
        for hider, watcher in ((mover, enemy), (enemy, mover)):
            if not _may_be_found(hider, watcher):
                continue
            limit = float(initiative(watcher))
            near = first_within(state, mover, stretch, enemy, limit, begin)
            if near is not None and (best is None or near < best[0]):
                best = (near, enemy.id, hider.id)
    end = 1.0 if best is None else best[0]
    if best is not None and end <= begin:
        return best
    others = [body_of(enemy) for enemy in concerned]
    more = [bystanders(state, mover.id, enemy.id) for enemy in concerned]
    solids = solids_of(state.table)
    seen = first_seen(stretch, mover, tall(mover), others, solids, more, begin, end)
    return best if seen is None else (seen[0], concerned[seen[1]].id, "")
