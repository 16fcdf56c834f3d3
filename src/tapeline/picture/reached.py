"""What a reach comes to, storey by storey: the borders that pictures and pages shade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tapeline.analysis.reach import Border, Reach
from tapeline.analysis.storeys import EPS as MARCHED
from tapeline.analysis.storeys import StoreyReach
from tapeline.engine.state import State
from tapeline.picture.storeys import Storey, storey_of, storeys_of

__all__ = ["Reached", "reached"]


@dataclass(frozen=True, slots=True)
class Reached:
    """What can be come to on one storey, None on a table without any.

    surfaces: for each surface, the ground first, a border for every cost asked for.
    """

    storey: Storey | None
    surfaces: tuple[tuple[Border, ...], ...]


def reached(
    state: State,
    reach: Reach,
    limits: Sequence[float],
    eps: float,
    *,
    resolution: float | None = None,
    only: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Reached]:
    """The borders of a reach at costs, the lowest storey first; those with nothing are left out.

    only: the index of the one storey wanted. Surfaces other than the one the body stands on have
    marched borders (`StoreyReach.bands`); a ramp counts to the storey of its foot.
    """
    lee = reach.leeway
    storeys = storeys_of(state.table, tuple(state.bodies.values()))
    if lee.storeys is None or len(storeys) == 1:
        own = reach.bands(limits, eps, resolution=resolution, progress=progress)
        return [Reached(None, (tuple(own),))] if only in (None, 0) else []
    over = StoreyReach(lee)
    heights = {lee.storeys.start: state.body(lee.body).z}
    heights |= {name: low for name, (low, _) in over.surfaces.items() if name not in heights}
    found: dict[int, list[tuple[Border, ...]]] = {}
    for surface, height in heights.items():
        index = storey_of(storeys, max(height, 0.0)).index
        if only not in (None, index):
            continue
        if surface == lee.storeys.start:
            borders = reach.bands(limits, eps, resolution=resolution, progress=progress)
        else:
            borders = over.bands(
                surface, limits, max(eps, MARCHED), resolution=resolution, progress=progress
            )
        if any(border.rings for border in borders):
            found.setdefault(index, []).append(tuple(borders))
    return [Reached(storeys[index], tuple(found[index])) for index in sorted(found)]
