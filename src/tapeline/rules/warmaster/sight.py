"""WM-VIS: which enemy units a unit sees."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tapeline.engine.limits import TOLERANCE, within
from tapeline.engine.sight import Look, Seen
from tapeline.engine.state import State
from tapeline.geometry.plane.grid import boxes_meet
from tapeline.geometry.rectangles.gaps import convex_hull
from tapeline.geometry.rectangles.rectangle import (
    Part,
    Rect,
    Region,
    nearest_point,
    overlaps,
    region_of_rect,
)
from tapeline.geometry.sight.from_edge import Deep, sight_from_edge
from tapeline.ranks.bases import (
    NearestPair,
    Point,
    box_about,
    box_about_all,
    nearest_pairs,
    rect_of,
    region_of,
    shape_of,
)
from tapeline.rules.warmaster.figures import BLIND_CM, BOOK
from tapeline.rules.warmaster.state import (
    UnitContext,
    characters,
    enemy_units,
    kept_while_near,
    kept_while_placed,
    rects_of,
    remembered,
    stands_of,
    stands_on_table,
)
from tapeline.rules.warmaster.terrain import Feature, ground_of
from tapeline.table import solids
from tapeline.table.bodies import Body, Unit
from tapeline.table.solids import entries_between
from tapeline.table.terrain import Polygon

__all__ = [
    "all_round",
    "cite_unseen",
    "closest_seen",
    "line_of_sight",
    "looks",
    "seen",
    "seen_by",
    "sees_stand",
    "sight_clauses",
]


#: Decimals, cm, to which distances of enemies are told apart.
_AS_CLOSE = 6
#: Lines of sight remembered for a table.
_REMEMBERED = 1 << 13

BOOK.resolves_each("""
WM-VIS-1 (seed) A unit sees another if a free line joins a front edge of it to a stand of the other.
WM-VIS-2 (seed) Stands of units block sight, whose ever they are.
WM-VIS-3 (seed) Terrain blocks sight unless it is low.
WM-VIS-4 (seed) Characters never block sight.
WM-VIS-5 (seed) Troops that see to every side use all edges of their stands that are not covered.
WM-VIS-7 (public) A line of sight goes strictly forward of the edge that it leaves.
WM-VIS-8 (public) Sight goes 2 cm into and out of woods and villages; hills block where they stand.
""")


def all_round(stands: Sequence[Body]) -> bool:
    """Whether a unit sees to every side."""
    return all(body.keyword("all_round") for body in stands)


def _edges(rect: Rect, every: bool) -> Iterator[tuple[Point, Point]]:
    """The edges that a stand sees from, each with what is before it on its right."""
    front_right, front_left, rear_left, rear_right = rect.corners
    yield front_right, front_left
    if every:
        yield front_left, rear_left
        yield rear_left, rear_right
        yield rear_right, front_right


def _stands_on(feature: Feature, rect: Rect) -> bool:
    """Whether the centre of a stand is on a feature, or on one that it goes on in; a corner on it
    is not enough (WM-VIS-3)."""
    place = rect.centre
    return any(within(nearest_point(f.region, place)[0], 0.0) for f in feature.whole)


@kept_while_placed
def sees_stand(
    state: State, viewer: Body, target: Body, *, every: bool
) -> tuple[Point, Point] | None:
    """A free line from an edge of one stand to another stand, or None.

    every: whether all edges see, not the front alone.
    """
    start, end = rect_of(viewer), rect_of(target)
    if not every and _behind(start, end):
        return None
    box = box_about_all((start, end))
    hiding = [
        rect
        for name, rect in stands_on_table(state)
        if box[0] - rect.reach <= rect.x <= box[2] + rect.reach
        and box[1] - rect.reach <= rect.y <= box[3] + rect.reach
        and name not in (viewer.id, target.id)
    ]
    ground = ground_of(state)
    hidden = [f for f in ground.near(box, "deep") if not f.piece.has("low")]
    # Who stands on a hill sees out of it, and is seen there.
    features = [
        f
        for f in ground.blocking(box)
        if not f.piece.has("deep") and not _stands_on(f, start) and not _stands_on(f, end)
    ]
    # What is seen follows from these alone, and most of it is asked for again and again.
    known = state.table.prepared.setdefault("warmaster:sight", {})
    assert isinstance(known, dict)
    key = (
        start, end, every, tuple(hiding),
        tuple(f.id for f in features), tuple(f.id for f in hidden),
    )  # fmt: skip

    def line() -> tuple[Point, Point] | None:
        blocking = [*(region_of(rect) for rect in hiding), *(f.region for f in features)]
        deep, edges = [Deep(f.region, BLIND_CM) for f in hidden], _edges(start, every)
        lines = (sight_from_edge(a, b, end.loop, blocking, deep, TOLERANCE) for a, b in edges)
        return next((line for line in lines if line is not None), None)

    return remembered(known, key, line, _REMEMBERED)


def _behind(start: Rect, end: Rect) -> bool:
    """Whether no part of a stand is before the front of another."""
    front = 0.5 * start.depth + TOLERANCE
    return all(start.local(corner)[0] <= front for corner in end.corners)


@kept_while_placed
def line_of_sight(
    state: State, unit: Unit, other: Unit, *, front_only: bool = False
) -> tuple[Point, Point] | None:
    """A line by which a unit sees another, or None; front_only: from front edges alone."""
    key = ("sight", unit.id, other.id, front_only)
    work = partial(_line_between, state, unit, other, front_only)
    return kept_while_near(state, key, (unit, other), 0.0, work)


def _line_between(
    state: State, unit: Unit, other: Unit, front_only: bool
) -> tuple[Point, Point] | None:
    viewers, targets = stands_of(state, unit), stands_of(state, other)
    every = all_round(viewers) and not front_only
    # The nearest pairs first: most units that are seen are seen there.
    pairs = sorted(
        itertools.product(viewers, targets),
        key=lambda pair: (pair[0].x - pair[1].x) ** 2 + (pair[0].y - pair[1].y) ** 2,
    )
    lines = (sees_stand(state, viewer, target, every=every) for viewer, target in pairs)
    return next((line for line in lines if line is not None), None)


def sight_clauses(state: State, unit: Unit, other: Unit) -> Iterator[str]:
    """Clauses that the sight from one unit to another turned on: what lines from the edges that see
    to stands of the other may run into."""
    yield from ("WM-VIS-1", "WM-VIS-7")
    viewers, targets = stands_of(state, unit), stands_of(state, other)
    rects = [rect_of(body) for body in (*viewers, *targets)]
    edges = [e for body in viewers for e in _edges(rect_of(body), all_round(viewers))]
    loops = [convex_hull([*e, *rect_of(target).corners]) for e in edges for target in targets]
    xs, ys = [x for loop in loops for x in loop[::2]], [y for loop in loops for y in loop[1::2]]
    box = (min(xs), min(ys), max(xs), max(ys))
    between = Region(tuple(Part(loop) for loop in loops), box, ())

    def crossed(shape: Rect | Region) -> bool:
        return boxes_meet(box_about(shape), box) and overlaps(shape, between, TOLERANCE)

    ids = {*unit.members, *other.members}
    for name, rect in stands_on_table(state):
        if name not in ids and crossed(rect):
            yield "WM-VIS-2"
    for body in characters(state):
        if crossed(shape_of(body)):
            yield from ("WM-VIS-4", "WM-CHAR-9")
    for feature in ground_of(state).near(box):
        if not crossed(feature.region):
            continue
        deep = feature.piece.has("deep") and not feature.piece.has("low")
        special = deep or feature.piece.kind == "hill"
        yield from ("WM-VIS-8",) if special else ()
        # Who stands on a piece sees, and is seen, past it.
        if not special or (not deep and any(_stands_on(feature, rect) for rect in rects)):
            yield "WM-VIS-3"


def cite_unseen(ask: UnitContext[Any], other: Unit) -> None:
    """Cite what the sight of a unit turns on to another that it does not see."""
    there = ask.run is not None and ask.stands and stands_of(ask.state, other)
    if there and line_of_sight(ask.state, ask.unit, other) is None:
        ask.cite(*sight_clauses(ask.state, ask.unit, other))


def seen(state: State, a: Body, b: Body) -> Seen:
    """Whether the unit of one stand sees the unit of another (WM-VIS-1)."""
    unit, other = state.unit_of(a.id), state.unit_of(b.id)
    if unit is None or other is None:
        who = a.name if unit is None else b.name
        words = f"{who} is a character: sight is a matter of units, and characters block none."
        return Seen(None, words, "WM-VIS-4")
    if unit.id == other.id:
        return Seen(None, f"Both are stands of {unit.name}.", "WM-VIS-1")
    line = line_of_sight(state, unit, other)
    if line is not None:
        return Seen(True, f"{unit.name} sees {other.name}.", "WM-VIS-1", (line,))
    blocks = tuple(_between(state, unit, other))
    return Seen(False, f"{unit.name} cannot see {other.name}.", "WM-VIS-1", (), blocks)


def looks(state: State, body: Body) -> Look | None:
    """From the middle of the front of a stand, forward, past stands of units and terrain; None of
    a character, and of a stand whose front is in woods or a village, out of which it sees 2 cm."""
    unit = state.unit_of(body.id)
    if unit is None:
        return None
    rect, mine = rect_of(body), {*unit.members}
    blocks = [
        (name, region_of_rect(other)) for name, other in stands_on_table(state) if name not in mine
    ]
    ground = ground_of(state)
    deep = [f for f in ground.near(trait="deep") if not f.piece.has("low")]
    if any(within(nearest_point(f.region, rect.front)[0], 0.0) for f in deep):
        return None
    opaque = [f for f in ground.blocking() if not f.piece.has("deep") and not _stands_on(f, rect)]
    blocks += [(f.id, f.region) for f in (*opaque, *deep)]
    words = "Drawn from the middle of its front; the rims of woods, 2 cm deep, are seen too."
    every = body.keyword("all_round")
    front = rect.x * rect.ux + rect.y * rect.uy + 0.5 * rect.depth
    before = () if every else ((-rect.ux, -rect.uy, -front),)
    return Look(rect.front, tuple(blocks), words, before)


def _between(state: State, unit: Unit, other: Unit) -> Iterator[str]:
    """Stands and terrain that the line between the two nearest stands runs into."""
    pairs = itertools.product(rects_of(state, unit), rects_of(state, other))
    start, end = min(pairs, key=lambda pair: math.dist(_spot(pair[0]), _spot(pair[1])))
    mine = {*unit.members, *other.members}
    between = [
        solids.Solid(name, solids.ground_of(Polygon(rect.corners)), 0.0, 1.0)
        for name, rect in stands_on_table(state)
        if name not in mine
    ]
    between += [
        solids.Solid(piece.id, solids.ground_of(outline), 0.0, 1.0)
        for piece in state.table.pieces
        if not piece.has("low") and (piece.has("opaque") or piece.has("deep"))
        for outline in piece.outlines
    ]
    yield from entries_between(between, (*_spot(start), 0.5), (*_spot(end), 0.5))


def _spot(rect: Rect) -> tuple[float, float]:
    return rect.x, rect.y


def seen_by(
    state: State, unit: Unit, *, front_only: bool = False
) -> Iterator[tuple[Unit, NearestPair]]:
    """The enemy units that a unit sees, each with a nearest pair of stands, the closest first;
    front_only: from front edges alone."""
    mine = stands_of(state, unit)
    found: list[tuple[float, Unit, NearestPair]] = []
    for enemy in enemy_units(state, unit.side):
        pairs = nearest_pairs(mine, stands_of(state, enemy))
        if pairs:
            found.append((pairs[0].gap, enemy, pairs[0]))
    # Those as close but for rounding come in the order of the scene.
    for _, enemy, pair in sorted(found, key=lambda item: round(item[0], _AS_CLOSE)):
        if line_of_sight(state, unit, enemy, front_only=front_only) is not None:
            yield enemy, pair


def closest_seen(state: State, unit: Unit, *, front_only: bool = False) -> list[Unit]:
    """The enemy units that a unit sees closest, several where they are as close; front_only: from
    front edges alone."""
    seen = list(seen_by(state, unit, front_only=front_only))
    return [enemy for enemy, pair in seen if within(pair.gap, seen[0][1].gap)]
