"""State after one model moves: ours is a local change, the peer's an offset, union and mesh."""

from __future__ import annotations

import math
import random
from functools import partial

import shapely

from bench.harness import DisagreementError, Figure, Setting, compare, time_each
from bench.jobs.route import LIMIT, bracket, route_length
from bench.peers.offset import Offset
from bench.tables import Pair, Table, groups, pairs_of, places_of
from tapeline.geometry.discs.field import Field

__all__ = ["update"]


def _moves(table: Table, field: Field, count: int) -> list[tuple[int, float, float]]:
    """Models and places where they may stand."""
    rng, found = random.Random(f"update-{table.name}"), []
    for x, y in places_of(table, 20 * count, 11):
        k = rng.randrange(len(table.discs))
        if field.removed(f"m{k}").standable(x, y, table.discs[k][2]):
            found.append((k, x, y))
    return found[:count]


def _after(table: Table, move: tuple[int, float, float]) -> list[tuple[float, float, float]]:
    k, x, y = move
    return [*table.discs[:k], (x, y, table.discs[k][2]), *table.discs[k + 1 :]]


def _update_and_route(
    table: Table, field: Field, move: tuple[int, float, float], pair: Pair
) -> float:
    moved = field.moved(f"m{move[0]}", move[1], move[2])
    return route_length(table, moved, pair)


def update(setting: Setting) -> list[Figure]:
    """The change alone, and the change with the first route asked for beside the moved model."""
    figures = []
    for group in groups(setting):
        count = max(4, setting.count(60, 20) // len(group.tables))
        alone, routed, theirs = [], [], []
        for table in group.tables:
            field = table.field(True)
            pairs = pairs_of(table, 8 * count)
            for pair in pairs:  # a table in use: the arcs near the queries are known
                route_length(table, field, pair)
            moves = _moves(table, field, count)
            peer = Offset(table)
            for number, move in enumerate(moves):
                k, x, y = move
                after = Table(
                    f"{table.name} after move {number}",
                    table.width,
                    table.depth,
                    table.shapes,
                    tuple(_after(table, move)),
                )
                moved, anew = field.moved(f"m{k}", x, y), after.field(True)
                near = sorted(pairs, key=lambda pair: math.dist(pair[0], (x, y)))
                near = [p for p in near if all(moved.standable(*end, table.radius) for end in p)]
                lengths = [route_length(table, moved, pair) for pair in near[:6]]
                again = [route_length(table, anew, pair) for pair in near[:6]]
                if any(a != b and not abs(a - b) <= 1e-9 for a, b in zip(lengths, again)):  # noqa: B905
                    raise DisagreementError(f"{after.name}: the moved state routes differently")
                if number < 2:
                    bracket(after, near[:3], lengths[:3])
                    inside = shapely.union_all(shapely.get_parts(peer.mesh(_after(table, move))))
                    if abs(inside.area - peer.free(_after(table, move)).area) > 1e-6:
                        raise DisagreementError(f"{after.name}: the peer's mesh misses ground")
                alone.append(partial(field.moved, f"m{k}", x, y))
                routed.append(partial(_update_and_route, table, field, move, near[0]))
                theirs.append(partial(peer.mesh, _after(table, move)))
        name = "GEOS offset + union + triangles"
        peer_time = time_each(theirs[:: max(1, len(theirs) // 30)], 2).median
        figures.append(
            compare(
                "one model moves", group.name, time_each(alone, 3).median, peer_time, name, 100.0
            )
        )
        figures.append(
            compare(
                f"one model moves, and a first route <= {LIMIT:g} in beside it",
                group.name,
                time_each(routed, 3).median,
                peer_time,
                f"{name}, no route",
            )
        )
    return figures
