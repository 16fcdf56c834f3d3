"""Path legality: a disc on three straight legs, in batches, one by one, and with two threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from bench.harness import (
    DisagreementError,
    Figure,
    Setting,
    compare,
    duration,
    time_each,
    time_whole,
)
from bench.peers.dwithin import Prepared
from bench.tables import Table, groups, paths_of
from tapeline.geometry.discs.field import Field

__all__ = ["legality", "throughput"]


def _flat(paths: npt.NDArray[np.float64]) -> tuple[Any, Any]:
    """Paths as `follows_many` takes them."""
    return paths.ravel(), np.arange(0, 4 * len(paths) + 1, 4, dtype=np.int64)


def _check(table: Table, board: Field, paths: npt.NDArray[np.float64], peer: Prepared) -> Any:
    """Ours asked in every way and the peer's answer; all must agree. Gives the peer's lines."""
    lines = shapely.linestrings(paths)
    bare = np.asarray(board.walked(*_flat(paths), table.radius))
    check = board.checker(table.radius)
    corners = [[(float(x), float(y)) for x, y in path] for path in paths]
    for name, answers in (
        ("a prepared batch", board.follows_many(*_flat(paths), r=table.radius)),
        ("single calls", [board.follows(path, table.radius) for path in corners]),
        ("a checker", [check.one(path) for path in corners]),
        ("a checker of arrays", [check.flat(path.ravel()) for path in paths]),
    ):
        if not np.array_equal(bare, np.asarray(answers)):
            raise DisagreementError(f"{table.name}: {name} and a batch unprepared differ")
    theirs = peer.many(lines)
    for i in np.nonzero(bare != theirs)[0]:
        gap = min(
            float(shapely.distance(peer.terrain, lines[i])) - peer.near,
            float(shapely.distance(peer.models, lines[i])) - peer.apart,
        )
        raise DisagreementError(
            f"{table.name}: path {paths[i].tolist()}: ours {bare[i]}, shapely {theirs[i]}, "
            f"clearance {gap:.3g} in"
        )
    return lines


#: Ways to ask, and the goal where there is one at every size.
_CALLS = (
    ("legality, a call: Field.follows", 4.0),
    ("legality, a call: a checker, corners", 4.0),
    ("legality, a call: a checker, flat array", None),
    ("legality, a call, nothing prepared", None),
)


@dataclass
class _Sums:
    """Seconds over the tables of a group, and single calls by way to ask."""

    batch: float = 0.0
    bare: float = 0.0
    plain: float = 0.0
    theirs: float = 0.0
    preparing: float = 0.0
    paths: int = 0
    legal: int = 0
    calls: list[list[Callable[[], object]]] = field(default_factory=lambda: [[] for _ in _CALLS])
    peer_calls: list[Callable[[], object]] = field(default_factory=list)


def _measure(sums: _Sums, table: Table, count: int, few: int) -> None:
    """Check and time one table."""
    board, slow, r = table.field(True), table.field(False), table.radius
    paths, peer = paths_of(table, count), Prepared(table)
    corners, starts = _flat(paths)
    begun = time.perf_counter()
    check = board.checker(r)
    sums.preparing += time.perf_counter() - begun
    lines = _check(table, board, paths, peer)
    some = paths[:few]
    rows = some.ravel().tolist(), _flat(some)[1].tolist()
    if not np.array_equal(
        slow.follows_many(*rows, table.radius), board.follows_many(*_flat(some), r=r)
    ):
        raise DisagreementError(f"{table.name}: the two backends differ")
    # By turns, as often each: a busy moment of the machine hurts both.
    whole = (
        partial(board.follows_many, corners, starts, r),
        partial(board.walked, corners, starts, r),
        partial(peer.many, lines),
    )
    lows = [min(laps) for laps in zip(*([_lap(call) for call in whole] for _ in range(7)))]  # noqa: B905
    sums.batch += lows[0]
    sums.bare += lows[1]
    sums.theirs += lows[2]
    lap = time_whole(partial(slow.follows_many, *rows, r), 3)
    sums.plain += lap.low / len(some) * len(paths)
    sums.paths += len(paths)
    sums.legal += int(np.sum(board.follows_many(corners, starts, r)))
    for i, path in enumerate(some):
        way = [(float(x), float(y)) for x, y in path]
        array = path.ravel().copy()
        sums.calls[0].append(partial(board.follows, way, r))
        sums.calls[1].append(partial(check.one, way))
        sums.calls[2].append(partial(check.flat, array))
        sums.calls[3].append(partial(board.walked, array, (0, 4), r))
        sums.peer_calls.append(partial(peer.one, lines[i]))


def _lap(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def legality(setting: Setting) -> list[Figure]:
    """Batch and single call against shapely's dwithin, vectorised and called once."""
    figures = []
    for group in groups(setting):
        count = setting.count(30_000, 6_000) // len(group.tables)
        sums = _Sums()
        for table in group.tables:
            _measure(sums, table, count, max(20, 600 // len(group.tables)))
        total, name = sums.paths, "shapely dwithin, vectorised"
        goal = {60: 20.0, 200: 25.0}.get(group.pieces)
        each = sums.theirs / total
        note = f"{total} paths agree, {100 * sums.legal / total:.0f} % legal"
        figures += [
            compare("legality, batch", group.name, sums.batch / total, each, name, goal, note),
            compare("legality, batch, nothing prepared", group.name, sums.bare / total, each, name),
            compare("legality, batch, plain backend", group.name, sums.plain / total, each, name),
            Figure(
                "legality, preparing a radius",
                group.name,
                duration(sums.preparing / len(group.tables)),
                note="once a table; later states by local update",
            ),
        ]
        peer = time_each(sums.peer_calls, 5).median
        for (job, wanted), calls in zip(_CALLS, sums.calls, strict=True):
            ours = time_each(calls, 5).median
            figures.append(compare(job, group.name, ours, peer, "shapely dwithin, a call", wanted))
    return figures


def _two_threads(pool: ThreadPoolExecutor, board: Field, halves: Any, r: float) -> list[Any]:
    return list(pool.map(lambda half: board.follows_many(half[0], half[1], r), halves))


def throughput(setting: Setting) -> list[Figure]:
    """Checks of three legs a second: one thread, then two on halves of the same batch."""
    figures = []
    for group in groups(setting, ((20, 40), (60, 40), (200, 40), (600, 40))):
        if len(group.tables) > 1:
            continue
        table = group.tables[0]
        board, r = table.field(True), table.radius
        paths = np.tile(paths_of(table, 4_000), (50, 1, 1))
        halves = [_flat(part) for part in np.array_split(paths, 2)]
        whole = _flat(paths)
        one = np.asarray(board.follows_many(*whole, r=r))
        with ThreadPoolExecutor(2) as pool:
            both = partial(_two_threads, pool, board, halves, r)
            if not np.array_equal(np.concatenate(both()), one):
                raise DisagreementError(f"{table.name}: one thread and two differ")
            alone, together = [], []
            for _ in range(7):  # by turns, so that a busy moment hurts both
                begun = time.perf_counter()
                board.follows_many(*whole, r=r)
                alone.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                both()
                together.append(time.perf_counter() - begun)
        rate, rate2 = len(paths) / min(alone), len(paths) / min(together)
        figures.append(
            Figure(
                "legality a second, one thread",
                group.name,
                f"{rate / 1e6:.2f} million",
                goal=">= 5 million",
                met=rate >= 5e6,
            )
        )
        figures.append(
            Figure(
                "legality a second, two threads",
                group.name,
                f"{rate2 / 1e6:.2f} million",
                ratio=f"{rate2 / rate:.2f}",
                goal=">= 1.4 times one",
                met=rate2 >= 1.4 * rate,
            )
        )
    return figures
