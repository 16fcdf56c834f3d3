"""The region seen from a point, terrain blocking; no peer in C++ can be installed, see the docs."""

from __future__ import annotations

from functools import partial

import numpy as np

from bench.harness import DisagreementError, Figure, Setting, compare, time_each, time_whole
from bench.peers.shadows import Shadows
from bench.tables import Point, groups, places_of
from tapeline.geometry import backends
from tapeline.geometry.rectangles.rectangle import region_of_polygon
from tapeline.geometry.sight.visible_region import Blockers

__all__ = ["batch_time", "sight"]


def batch_time(name: str, blockers: Blockers, eyes: list[Point]) -> float:
    """Seconds a view when all are asked in one call, the best of a hundred.

    DisagreementError unless its areas are those of single calls.
    """
    ask = partial(blockers.views, np.array(eyes))
    if ask().areas.tolist() != [blockers.seen_from(eye).area for eye in eyes]:
        raise DisagreementError(f"{name}: views in a batch differ from single ones")
    return time_whole(ask, 100).low / len(eyes)


def sight(setting: Setting) -> list[Figure]:
    """Ours against unions of shadows by shapely; areas agree first."""
    figures = []
    for group in groups(setting, ((20, 40), (60, 40), (200, 40), (600, 40))):
        count = max(4, setting.count(120, 40) // len(group.tables))
        calls, peer_calls, laps, worst, total = [], [], [], 0.0, 0
        for table in group.tables:
            regions = [region_of_polygon(list(s.exterior.coords)[:-1]) for s in table.shapes]
            blockers = Blockers(regions, table.width, table.depth)
            peer = Shadows(table.shapes, table.width, table.depth)
            eyes = places_of(table, count, 17)
            checked = eyes[: max(3, 30 // len(group.tables))]
            for eye in checked:
                area, theirs = blockers.seen_from(eye).area, float(peer.seen_from(eye).area)
                worst = max(worst, abs(area - theirs))
                if abs(area - theirs) > 1e-6:
                    raise DisagreementError(
                        f"{table.name}: from {eye} {area:.9f} sq in seen, shapely {theirs:.9f}"
                    )
            backends.use("plain")
            for eye in checked[:3]:
                before = blockers.seen_from(eye)
                backends.use("compiled")
                if abs(before.area - blockers.seen_from(eye).area) > 1e-9:
                    raise DisagreementError(f"{table.name}: from {eye} the two backends differ")
                backends.use("plain")
            backends.use("compiled")
            total += len(checked)
            calls += [partial(blockers.seen_from, eye) for eye in eyes]
            laps.append(batch_time(table.name, blockers, eyes))
            peer_calls += [partial(peer.seen_from, eye) for eye in checked[:20]]
        peer_time, name = time_each(peer_calls[:60], 1).median, "shapely, union of shadows"
        note = f"{total} areas agree, worst {worst:.1e} sq in; triangular expansion: import it"
        ours = time_each(calls, 5).median
        figures.append(compare("visible region", group.name, ours, peer_time, name, None, note))
        lap = float(np.mean(laps))
        figures.append(compare("visible region, batch", group.name, lap, peer_time, name))
        backends.use("plain")
        plain = time_each(calls[:40], 2).median
        backends.use("compiled")
        figures.append(compare("visible region, plain backend", group.name, plain, peer_time, name))
    return figures
