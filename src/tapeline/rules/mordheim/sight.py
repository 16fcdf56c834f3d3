"""MH-LOS and 3.5: who sees whom, from body to body past everything solid, and where along a way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, more_than, overlaps, within
from tapeline.engine.sight import Look, Seen
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.grid import Grid
from tapeline.geometry.plane.sweeps import nearest_to_point, spans_near_point
from tapeline.geometry.rectangles.rectangle import Part
from tapeline.geometry.sight.bodies import BodySight, Solid, Solids, sight_between_bodies
from tapeline.rules.mordheim.actions import Shoot
from tapeline.rules.mordheim.contact import discs_of, flat_gap, gap, gap_of
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.figures import BOOK, CROUCH_FACTOR
from tapeline.rules.mordheim.state import (
    base_part,
    charging_allowance,
    condition,
    height,
    initiative,
    is_hidden,
    is_standing,
)
from tapeline.rules.mordheim.terrain import terrain_of
from tapeline.table.bodies import Body, Round
from tapeline.table.solids import Solid as Obstacle
from tapeline.table.solids import entries_between, ground_of
from tapeline.table.storeys import storeys_of
from tapeline.table.terrain import Battlefield, Circle, Place3
from tapeline.travel.nearness import first_convex
from tapeline.travel.route import Stretch

__all__ = [
    "below_its_floor",
    "body_of",
    "bystanders",
    "detects",
    "first_seen",
    "first_within",
    "found_by",
    "hides",
    "looks",
    "seen",
    "sees",
    "sees_upright",
    "sight_between",
    "solids_of",
    "tall",
    "watches",
]


#: Where with a table sight between places is remembered, and for how many pairs.
_KEPT = "mordheim sight between"
_REMEMBERED = 1 << 13


def tall(body: Body, *, crouched: bool | None = None) -> float:
    """What of its height a model shows, inches: half if it is hidden, or as said."""
    if crouched is None:
        crouched = is_hidden(body)
    return height(body) * (CROUCH_FACTOR if crouched else 1.0)


def body_of(body: Body, *, crouched: bool | None = None) -> Solid:
    """A model as sight takes it: its base times its height, cut down if it hides."""
    return Solid(base_part(body), body.z, body.z + tall(body, crouched=crouched))


def solids_of(table: Battlefield) -> Solids:
    """All that blocks sight on a table, worked out once: blocks, walls without their windows and
    open doors, shut doors, floors without their holes.

    Where one stands on another they are joined, so that nobody looks along the seam.
    """
    found = table.prepared.get("mordheim sight")
    if isinstance(found, Solids):
        return found
    opaque = storeys_of(table).opaque
    by_place = Grid([solid.ground.box for solid in opaque])
    solids: list[Solid] = []
    for over in opaque:
        near = by_place.near(over.ground.box)
        standing = any(abs(opaque[i].top - over.bottom) <= TOLERANCE for i in near)
        sunk = TOLERANCE if standing else 0.0
        parts = over.ground.region.parts
        solids.extend(Solid(part, over.bottom - sunk, over.top) for part in parts)
    found = table.prepared["mordheim sight"] = Solids(solids)
    return found


def bystanders(state: State, *others: str) -> list[Solid]:
    """Bodies of standing models, but for some, where models block sight (`models_block_sight`)."""
    if state.option("models_block_sight") == "no":
        return []
    standing = [body for body in state.bodies.values() if is_standing(body)]
    return [body_of(body) for body in standing if body.id not in others]


def sight_between(table: Battlefield, a: Solid, b: Solid, more: Sequence[Solid]) -> BodySight:
    """Sight between two bodies past what blocks it on a table, and past more solids.

    Without more of them, what was found is remembered with the table.
    """
    if more:
        return sight_between_bodies(a, b, solids_of(table), more=more)
    kept = table.prepared.get(_KEPT)
    if not isinstance(kept, dict) or len(kept) >= _REMEMBERED:
        kept = table.prepared[_KEPT] = {}
    known: dict[tuple[Solid, Solid], BodySight] = kept
    found = known.get((a, b))
    if found is None:
        found = known[a, b] = sight_between_bodies(a, b, solids_of(table))
    return found


def sight_line(state: State, a: Body, b: Body) -> BodySight:
    """Sight between two models, with the line. Hidden ones show half their height."""
    more = bystanders(state, a.id, b.id)
    return sight_between(state.table, body_of(a), body_of(b), more)


def sees(state: State, a: Body, b: Body) -> bool:
    """Whether some point of one model and some point of another are joined by a free segment."""
    return sight_line(state, a, b).visible


def sees_upright(state: State, a: Body, b: Body) -> bool:
    """Whether a model sees another for its own shot, spell or charge, for which one that hides
    rises to its full height (MH-HIDE-8), as does whoever is found (MH-HIDE-11)."""
    return sees(state, a.marked(hidden=None), b if hides(state, b) else b.marked(hidden=None))


def watches(body: Body) -> bool:
    """Whether a model finds and sees hidden enemies: all but stunned ones do."""
    return condition(body) != "stunned"


def detects(state: State, watcher: Body, hider: Body) -> bool:
    """Whether a hidden model is within the Initiative in inches of an enemy."""
    return watches(watcher) and within(gap(state, watcher, hider), float(initiative(watcher)))


def found_by(state: State, watcher: Body, hider: Body, mover: str = "") -> str:
    """The clause by which an enemy finds a hidden model where both stand: near enough, or in view
    where cover must be whole (`hide_cover`) or one of the two, `mover`, has just come there; "" if
    it does not."""
    if detects(state, watcher, hider):
        return "MH-HIDE-11"
    whole = "MH-HIDE-4" if state.option("hide_cover") == "unseen" else ""
    clause = {watcher.id: "MH-HIDE-6", hider.id: "MH-HIDE-9"}.get(mover, whole)
    return clause if clause and watches(watcher) and sees(state, watcher, hider) else ""


def hides(state: State, body: Body) -> bool:
    """Whether a model has its counter and is found by none of its enemies where it stands."""
    return is_hidden(body) and not any(found_by(state, e, body) for e in state.enemies(body))


@BOOK.clause("MH-LOS-1", src="public", bars=Shoot, at=Moment.DECLARE)
def shooter_sees_its_target(ask: Context[Shoot]) -> Iterator[Finding]:
    """Models see all round, from any point of the body; nobody shoots at what it does not see."""
    target_id = ask.subject.target
    if target_id is None:
        return
    target = ask.state.body(target_id)
    ask.cite("MH-LOS-1")
    if target.side != ask.mover.side and not sees_upright(ask.state, ask.mover, target):
        text = f"{ask.mover.name} cannot see {target.name}."
        yield Finding(text, place=target.centre, about=target_id)


# Told to whoever asks.


def seen(state: State, a: Body, b: Body) -> Seen:
    """Whether one model sees another to shoot or charge it (MH-LOS-1, MH-HIDE-8); each sees all
    round."""
    a = a.marked(hidden=None)
    found = sight_line(state, a, b)
    if not found.visible:
        words = f"{a.name} cannot see {b.name}."
        if not found.certain:
            words += " There is so much in the way that the search was given up."
        return Seen(False, words, "MH-LOS-1", (), tuple(_between(state, a, b)))
    words = f"{a.name} sees {b.name}."
    if is_hidden(b) and a.side != b.side:
        words = f"A line runs from {a.name} to {b.name}, who is hidden."
    lines = () if found.line is None else ((found.line[0][:2], found.line[1][:2]),)
    return Seen(True, words, "MH-LOS-1", lines)


def looks(state: State, body: Body) -> Look:
    """From the middle of the model past all that stands as high as its eyes."""
    others = state.bodies.values() if state.option("models_block_sight") != "no" else ()
    tops = ((other, other.z + tall(other)) for other in others)
    words = (
        "Drawn from its middle at the height of its eyes; from the rim of its base and lower down "
        "it may see more: a model that stands there is asked for itself."
    )
    return Look.past(body, body.z + height(body), storeys_of(state.table).opaque, tops, words)


def _middle(body: Body) -> Place3:
    return body.x, body.y, body.z + 0.5 * tall(body)


def _between(state: State, a: Body, b: Body) -> Iterator[str]:
    """What the line between the middles of two models runs into."""
    solids = [*storeys_of(state.table).opaque]
    if state.option("models_block_sight") != "no":
        for other in state.bodies.values():
            if other.id not in (a.id, b.id) and is_standing(other):
                top = other.z + tall(other)
                solids += [
                    Obstacle(other.id, ground_of(Circle(*disc)), other.z, top)
                    for disc in discs_of(other)
                ]
    yield from entries_between(solids, _middle(a), _middle(b))


# Along a way (3.8). The gap to a fixed base is convex along a straight piece, so the first point
# within a distance is found to 1e-12 of its length. For sight, a body on its way between two shares
# of a piece sweeps one body; if that is not seen, none of the way is, and if it is, the way is
# halved until the place is known to 1e-9 inches. The swept body is exact on the level and holds
# more than it should on slopes and arcs, which costs further halving and misses nothing.


#: Length, inches: how closely the first point of a way in view is found.
_CLOSE_IN = 1e-9
#: Length, inches: what is farther by more than this is farther for certain.
_CLEAR_IN = 1e-3


def below_its_floor(state: State, body: Body, target: Body) -> bool:
    """Whether an enemy is below the floor, balcony or overhang that a model stands on, within its
    charge, so that it need not see it (MH-DIVE-1)."""
    floor = terrain_of(state).storeys.support(body.x, body.y, body.z, TOLERANCE)
    if floor is None or not more_than(floor.z, target.z):
        return False
    under = overlaps(floor.depth(target.x, target.y))
    return under and within(gap(state, body, target), charging_allowance(body))


def first_within(
    state: State, mover: Body, stretch: Stretch, other: Body, limit: float, begin: float = 0.0
) -> float | None:
    """The first share of a piece, from `begin`, at which the gap to another base is within a limit.

    None if it never is. Found to 1e-12 of the piece.
    """

    def measured(t: float) -> float:
        at = mover.at(*stretch.at(t))
        return gap_of(state, flat_gap(at, other), at.z - other.z)

    near = nearest_to_point(stretch.leg, other.x, other.y)
    if near.distance - mover.base.reach - other.base.reach > limit + _CLEAR_IN:
        return None  # not even discs about both bases come so near on the plan
    if within(measured(begin), limit):
        return begin
    if stretch.arc is not None and stretch.grade is None:
        return _first_on_arc(state, mover, stretch, other, limit, begin, measured)
    return first_convex(measured, limit, begin)


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
    ground = base_part(body.at(*a))
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
