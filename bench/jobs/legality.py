"""Path legality: a disc on three straight legs, in batches, one by one, and with two threads."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from bench.harness import DisagreementError, Figure, Setting, compare, time_each, time_whole
from bench.peers.dwithin import Prepared
from bench.tables import Table, groups, paths_of
from tapeline.geometry.discs.field import Field

__all__ = ["legality", "throughput"]


def _flat(paths: npt.NDArray[np.float64]) -> tuple[Any, Any]:
    """Paths as `follows_many` takes them."""
    return paths.ravel(), np.arange(0, 4 * len(paths) + 1, 4, dtype=np.int64)


def _check(table: Table, field: Field, paths: npt.NDArray[np.float64], peer: Prepared) -> Any:
    """Ours in a batch and one by one, and the peer's answer; all must agree."""
    lines = shapely.linestrings(paths)
    ours = np.asarray(field.follows_many(*_flat(paths), r=table.radius))
    single = np.array([field.follows([tuple(c) for c in path], table.radius) for path in paths])
    if not np.array_equal(ours, single):
        raise DisagreementError(f"{table.name}: batch and single calls differ")
    theirs = peer.many(lines)
    for i in np.nonzero(ours != theirs)[0]:
        gap = min(
            float(shapely.distance(peer.terrain, lines[i])) - peer.near,
            float(shapely.distance(peer.models, lines[i])) - peer.apart,
        )
        raise DisagreementError(
            f"{table.name}: path {paths[i].tolist()}: ours {ours[i]}, shapely {theirs[i]}, "
            f"clearance {gap:.3g} in"
        )
    return lines


def legality(setting: Setting) -> list[Figure]:
    """Batch and single call against shapely's dwithin, vectorised and called once."""
    figures = []
    for group in groups(setting):
        count = setting.count(30_000, 6_000) // len(group.tables)
        ours = plain = theirs = 0.0
        single, single_peer, total, legal = [], [], 0, 0
        for table in group.tables:
            field, slow = table.field(True), table.field(False)
            paths, peer = paths_of(table, count), Prepared(table)
            lines = _check(table, field, paths, peer)
            few = paths[: max(20, 600 // len(group.tables))]
            if not np.array_equal(
                slow.follows_many(few.ravel().tolist(), _flat(few)[1].tolist(), table.radius),
                field.follows_many(*_flat(few), r=table.radius),
            ):
                raise DisagreementError(f"{table.name}: the two gears differ")
            corners, starts = _flat(paths)
            ours += time_whole(partial(field.follows_many, corners, starts, table.radius), 9).low
            theirs += time_whole(partial(peer.many, lines), 3).low
            rows = few.ravel().tolist(), _flat(few)[1].tolist()
            lap = time_whole(partial(slow.follows_many, *rows, table.radius), 3)
            plain += lap.low / len(few) * len(paths)
            total += len(paths)
            legal += int(np.sum(field.follows_many(corners, starts, table.radius)))
            for i in range(len(few)):
                way = [(float(x), float(y)) for x, y in paths[i]]
                single.append(partial(field.follows, way, table.radius))
                single_peer.append(partial(peer.one, lines[i]))
        goal = {60: 20.0, 200: 25.0}.get(group.pieces)
        name = "shapely dwithin, vectorised"
        note = f"{total} paths agree, {100 * legal / total:.0f} % legal"
        figures.append(
            compare("legality, batch", group.name, ours / total, theirs / total, name, goal, note)
        )
        figures.append(
            compare("legality, batch, plain gear", group.name, plain / total, theirs / total, name)
        )
        figures.append(
            compare(
                "legality, a call",
                group.name,
                time_each(single, 5).median,
                time_each(single_peer, 5).median,
                "shapely dwithin, a call",
                4.0,
            )
        )
    return figures


def _two_threads(pool: ThreadPoolExecutor, field: Field, halves: Any, r: float) -> list[Any]:
    return list(pool.map(lambda half: field.follows_many(half[0], half[1], r), halves))


def throughput(setting: Setting) -> list[Figure]:
    """Checks of three legs a second: one thread, then two on halves of the same batch."""
    figures = []
    for group in groups(setting, ((20, 40), (60, 40), (200, 40))):
        if len(group.tables) > 1:
            continue
        table = group.tables[0]
        field, r = table.field(True), table.radius
        paths = np.tile(paths_of(table, 4_000), (50, 1, 1))
        halves = [_flat(part) for part in np.array_split(paths, 2)]
        whole = _flat(paths)
        one = np.asarray(field.follows_many(*whole, r=r))
        with ThreadPoolExecutor(2) as pool:
            both = partial(_two_threads, pool, field, halves, r)
            if not np.array_equal(np.concatenate(both()), one):
                raise DisagreementError(f"{table.name}: one thread and two differ")
            alone, together = [], []
            for _ in range(7):  # by turns, so that a busy moment hurts both
                begun = time.perf_counter()
                field.follows_many(*whole, r=r)
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
