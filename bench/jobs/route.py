"""Shortest routes of at most 12 in, against visibility graphs on polygonised offsets."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np

from bench.harness import (
    DisagreementError,
    Figure,
    Setting,
    compare,
    duration,
    say,
    time_each,
    time_whole,
)
from bench.peers.visibility import VisibilityGraph, free_space, lazy_length
from bench.tables import Pair, Table, groups, pairs_of, random_table
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal

__all__ = ["LIMIT", "batch_time", "bracket", "extremity", "route", "route_length"]

Call: TypeAlias = Callable[[], float]

#: Longest route asked for, in.
LIMIT = 12.0
#: Tables with more pieces get no visibility graph: building it takes minutes.
_MOST_PIECES = 200


def route_length(table: Table, field: Field, pair: Pair, limit: float = LIMIT) -> float:
    """Our length of a route, inf if it is longer than the limit."""
    found = field.route(pair[0], [PointGoal(*pair[1])], table.radius, limit=limit).route
    return math.inf if found is None else found.length


def batch_time(table: Table, field: Field, pairs: list[Pair], limit: float = LIMIT) -> float:
    """Seconds a route when all are asked in one call, the best of a hundred, on a prepared field.

    DisagreementError unless its lengths are those of single calls.
    """
    field.checker(table.radius)
    starts, goals = (np.array([pair[k] for pair in pairs]) for k in (0, 1))
    ask = partial(field.routes, starts, goals, table.radius, limit=limit)
    if ask().lengths.tolist() != [route_length(table, field, pair, limit) for pair in pairs]:
        raise DisagreementError(f"{table.name}: routes in a batch differ from single ones")
    return time_whole(ask, 100).low / len(pairs)


def bracket(table: Table, pairs: list[Pair], ours: list[float], limit: float = LIMIT) -> int:
    """Hold lengths between two polygonised free spaces, one too large, one too small.

    Gives how many were found. DisagreementError if one lies outside.
    """
    spaces = [
        free_space(
            table.shapes, table.discs, table.radius, table.width, table.depth, 16, outside=outside
        )
        for outside in (False, True)
    ]
    for (a, b), length in zip(pairs, ours, strict=True):
        low = lazy_length(spaces[0], a, b, limit)
        if length < low - 1e-6:
            raise DisagreementError(
                f"{table.name}: route {a} to {b} is {length:.9f}, below {low:.9f} in free space "
                "a hair too large"
            )
        high = lazy_length(spaces[1], a, b, limit)
        if length > high + 1e-6:
            raise DisagreementError(
                f"{table.name}: route {a} to {b} is {length:.9f}, above {high:.9f} in free space "
                "a hair too small"
            )
    return sum(math.isfinite(length) for length in ours)


def _lengths(table: Table, field: Field, pairs: list[Pair]) -> list[float]:
    return [route_length(table, field, pair) for pair in pairs]


def _graph(table: Table) -> tuple[VisibilityGraph, float]:
    begun = time.perf_counter()
    free = free_space(table.shapes, table.discs, table.radius, table.width, table.depth)
    graph = VisibilityGraph(free)
    return graph, time.perf_counter() - begun


def _bent(pair: Pair, length: float) -> bool:
    return math.dist(*pair) + 1e-9 < length <= LIMIT


def route(setting: Setting) -> list[Figure]:
    """A query on ready tables: ours on true arcs, the peer on its ready graph of chords."""
    figures = []
    for group in groups(setting):
        say(f"    {group.name}")
        count = max(20, setting.count(400, 80) // len(group.tables))
        checked = max(4, setting.count(60, 20) // len(group.tables))
        timed = max(3, 60 // len(group.tables))
        calls: dict[bool, list[Call]] = {True: [], False: []}
        laps: dict[bool, list[float]] = {True: [], False: []}
        peer_calls: dict[bool, list[Call]] = {True: [], False: []}
        plain_calls, near_calls, built, worst = [], [], [], 0.0
        for table in group.tables:
            field, slow = table.field(True), table.field(False)
            pairs = pairs_of(table, count)
            ours = _lengths(table, field, pairs)
            bracket(table, pairs[:checked], ours[:checked])
            few = pairs[: max(3, 30 // len(group.tables))]
            if not np.allclose(_lengths(table, slow, few), ours[: len(few)], rtol=0, atol=1e-9):
                raise DisagreementError(f"{table.name}: the two backends differ")
            use = {
                bent: [
                    pair
                    for pair, length in zip(pairs, ours, strict=True)
                    if length <= LIMIT and _bent(pair, length) == bent
                ]
                for bent in (True, False)
            }
            plain_calls += [partial(route_length, table, slow, p) for p in use[True][:timed]]
            for bent in (True, False):
                calls[bent] += [partial(route_length, table, field, pair) for pair in use[bent]]
                if use[bent]:
                    laps[bent].append(batch_time(table, field, use[bent]))
            if group.pieces > _MOST_PIECES:
                continue
            graph, spent = _graph(table)
            built.append(spent)
            for pair, length in zip(pairs, ours, strict=True):
                theirs = graph.length(*pair)
                if length < theirs - 1e-6:
                    raise DisagreementError(
                        f"{table.name}: route {pair} is {length:.9f}, the graph's, which may cut "
                        f"arcs, {theirs:.9f}"
                    )
                if math.isfinite(length):
                    worst = max(worst, length - theirs)
            for bent in (True, False):
                peer_calls[bent] += [partial(graph.length, *pair) for pair in use[bent][:timed]]
            near_calls += [partial(graph.length, *pair, LIMIT) for pair in use[True][:timed]]
        name = "shapely + rustworkx"
        for bent, job, goal in (
            (True, "route <= 12 in, round corners", 200.0),
            (False, "route <= 12 in, straight way free", None),
        ):
            timing = time_each(calls[bent], 5)
            lap = float(np.mean(laps[bent]))
            note = f"{timing.calls} routes, 95 %: {duration(timing.high)}"
            if not peer_calls[bent]:
                figures.append(Figure(job, group.name, duration(timing.median), note=note))
                figures.append(Figure(f"{job}, batch", group.name, duration(lap)))
                continue
            peer = time_each(peer_calls[bent], 2).median
            if bent:
                note += (
                    f"; peer's graph takes {duration(float(np.median(built)))} to build, "
                    f"its paths up to {worst:.3f} in too short"
                )
            figures.append(compare(job, group.name, timing.median, peer, name, goal, note))
            figures.append(compare(f"{job}, batch", group.name, lap, peer, name, goal))
            if bent:
                near = time_each(near_calls, 2).median
                figures.append(
                    compare(job, group.name, timing.median, near, f"{name}, near corners only")
                )
                slow_time = time_each(plain_calls, 2).median
                figures.append(compare(f"{job}, plain backend", group.name, slow_time, peer, name))
    return figures


def extremity(setting: Setting) -> list[Figure]:
    """The same against extremitypathfinder on a table with 20 pieces."""
    from bench.peers.extremity import Extremities

    table = random_table(20)
    field, pairs = table.field(True), pairs_of(table, setting.count(120, 40))
    ours = _lengths(table, field, pairs)
    bracket(table, pairs[:20], ours[:20])
    use = [pair for pair, length in zip(pairs, ours, strict=True) if _bent(pair, length)]
    begun = time.perf_counter()
    peer = Extremities(table)
    spent = time.perf_counter() - begun
    pairs = [pair for pair in use if peer.holds(pair)]
    worst = 0.0
    for pair in pairs:
        mine, theirs = route_length(table, field, pair), peer.length(*pair)
        if mine < theirs - 1e-6 or mine > theirs + 0.2:
            raise DisagreementError(f"{table.name}: {pair}: ours {mine:.9f}, peer {theirs:.9f}")
        worst = max(worst, mine - theirs)
    return [
        compare(
            "route <= 12 in, round corners",
            "20 pieces, 40 models",
            time_each([partial(route_length, table, field, pair) for pair in pairs], 5).median,
            time_each([partial(peer.length, *pair) for pair in pairs], 1).median,
            "extremitypathfinder",
            2000.0,
            f"{len(pairs)} routes; peer prepares {duration(spent)}, its paths up to {worst:.3f} in "
            "too short",
        )
    ]
