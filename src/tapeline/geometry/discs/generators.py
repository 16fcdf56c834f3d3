"""Kernel: everywhere a disc can get to, as the sources of straight last legs."""

from __future__ import annotations

from tapeline.geometry.backends import entry
from tapeline.geometry.discs.board import Circles, FreeSpace
from tapeline.geometry.discs.clearance_grid import leg_clear, outside_solids
from tapeline.geometry.discs.dominance import gather
from tapeline.geometry.discs.tangent_graph import Goals, SearchSpace, search

__all__ = ["NOWHERE", "sources"]

#: Given where the disc may not stand at the start.
NOWHERE = 10


@entry()
def sources(
    sx: float,
    sy: float,
    limit: float,
    free: FreeSpace,
    circles: Circles,
    goals: Goals,
    arrays: SearchSpace,
    V: list[float],
) -> int:
    """All states of a disc within a limit, written to V as generators.

    goals: none. V: GENERATOR floats for each that `found` has room for. Gives as `search`; 4 when
    `found` is full, NOWHERE if the disc may not stand at the start.
    """
    if not leg_clear(sx, sy, sx, sy, 0.0, free) or not outside_solids(sx, sy, free):
        return NOWHERE
    code = search(sx, sy, limit, free, circles, goals, arrays)
    if code != 0:
        return code
    if arrays.told[0] == len(arrays.found):
        return 4
    gather(arrays, circles, V)
    return 0
