"""What a reach comes to, storey by storey: the borders that pictures and pages shade."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tapeline.analysis.reach import Reach
from tapeline.analysis.storeys import EPS as MARCHED
from tapeline.analysis.storeys import StoreyReach
from tapeline.analysis.ways import Border
from tapeline.engine.state import State
from tapeline.picture.storeys import Storey, storey_of, storeys_of

__all__ = ["Reached", "others", "reached"]


@dataclass(frozen=True, slots=True)
class Reached:
    """What can be come to on one storey, None on a table without any.

    surfaces: for each surface a border for every cost asked for. own: whether the first of them is
    the one that the body stands on.
    """

    storey: Storey | None
    surfaces: tuple[tuple[Border, ...], ...]
    own: bool = False


def others(storeys: Sequence[Storey], over: StoreyReach) -> Iterator[tuple[str, int]]:
    """The surfaces it can come to besides the one it stands on, each with the index of its storey.

    A ramp counts to the storey of its foot.
    """
    standing = over.leeway.storeys.start if over.leeway.storeys is not None else ""
    for surface, (low, _) in over.surfaces.items():
        if surface != standing:
            yield surface, storey_of(storeys, max(low, 0.0)).index


def reached(
    state: State,
    reach: Reach,
    limits: Sequence[float],
    eps: float,
    *,
    resolution: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Reached]:
    """The borders of a reach at costs, the lowest storey first.

    Other surfaces than the one the body stands on have marched borders (`StoreyReach.bands`), and
    are left out where nothing of them is in reach.
    """
    lee = reach.leeway
    own = tuple(reach.bands(limits, eps, resolution=resolution, progress=progress))
    storeys = storeys_of(state.table, tuple(state.bodies.values()))
    if lee.storeys is None or len(storeys) == 1:
        return [Reached(None, (own,), own=True)]
    mine = storey_of(storeys, max(state.body(lee.body).z, 0.0)).index
    found = {mine: [own]}
    over = StoreyReach(lee)
    for surface, index in others(storeys, over):
        borders = over.bands(
            surface, limits, max(eps, MARCHED), resolution=resolution, progress=progress
        )
        if any(border.rings for border in borders):
            found.setdefault(index, []).append(tuple(borders))
    return [
        Reached(storeys[index], tuple(found[index]), own=index == mine) for index in sorted(found)
    ]
