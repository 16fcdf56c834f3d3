"""Charts of one table for one size of base, drawn as far as a question goes.

A city has thousands of ways over edges and gaps, and a move comes to few of them: a chart of the
part of the table about it, and about where it ends, is drawn first, the whole when a question goes
farther. Both are made of the same pieces of work, so nothing is worked out twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.surfaces.links import Place
from tapeline.geometry.surfaces.pruning import leads_aside
from tapeline.table.storeys import Surface
from tapeline.travel.chart import Chart
from tapeline.travel.draft import Draft

__all__ = ["Charts"]

#: How much a part of a table goes beyond what is asked for, at first and if that does not hold all
#: ways, table units; how many parts are kept.
_MORE, _PARTS = (1.5, 4.0), 64


class Charts:
    """Charts of what `ways` adds to a draft.

    shift: how far off on the plan a way leads at most besides what it charges, ladders apart, as
    from an edge to one base radius off it.
    """

    def __init__(self, draft: Draft, ways: Callable[[Draft], None], shift: float) -> None:
        self._draft, self._ways = draft, ways
        #: Charts by the surfaces that they are of, and those of them that ways lead aside of.
        self._parts: dict[tuple[frozenset[str], frozenset[str]], Chart] = {}
        ladders = draft.terrain.table.ladders
        aslant = (math.dist(ladder.foot[:2], ladder.head[:2]) for ladder in ladders)
        self._shift = max(shift, 2.0 * draft.r + max(aslant, default=-2.0 * draft.r))

    def about(
        self,
        start: Surface | None,
        x: float,
        y: float,
        far: float,
        to: Circle | None = None,
        sided: float = math.inf,
    ) -> Chart:
        """A chart of all the ways that can be come to from a place on a surface within a length,
        table units: of a part of the table if that is known to hold them. to: a circle in which
        they end, if only those are asked for: no half of them leads farther than half the length
        from where it begins, or ends. sided: how far off ways over the sides of ramps, and beside
        edges, are asked for: those of surfaces that do not come so near are left out."""
        for more in _MORE if far < math.inf else ():
            if to is None:
                found = self._part([(x, y, far + more)], (x, y, sided))
            else:
                half = 0.5 * far + more
                found = self._part([(x, y, half), (to[0], to[1], to[2] + half)], (x, y, sided))
            if start is None or self._holds(found, (start.id, x, y), far, to, more):
                return found
        return self._part([(x, y, math.inf)], (x, y, sided))

    def _near(self, x: float, y: float, off: float) -> dict[str, Surface]:
        """The surfaces, by id, that come so near to a place, as told by their boxes."""
        if off == math.inf:
            return self._draft.surfaces
        near = self._draft.terrain.storeys.near((x - off, y - off, x + off, y + off))
        return {surface.id: surface for surface in near}

    def _part(self, places: list[Circle], aside: Circle) -> Chart:
        """The chart of the surfaces that come so near to some places, with ways over the sides of
        those of them that come so near to another."""
        draft, here = self._draft, dict[str, Surface]()
        for x, y, far in places:
            here |= self._near(x, y, far + self._shift)
        if len(here) == len(draft.surfaces):
            here = draft.surfaces
        whole = frozenset(here)
        sided = {name: surface for name, surface in self._near(*aside).items() if name in here}
        key = whole, whole if (whole, whole) in self._parts else frozenset(sided)
        found = self._parts.pop(key, None) or draft.chart(self._ways, here, sided)
        if len(self._parts) >= _PARTS:
            del self._parts[next(iter(self._parts))]
        self._parts[key] = found
        return found

    def _holds(
        self, chart: Chart, start: Place, far: float, to: Circle | None, more: float
    ) -> bool:
        """Whether no way leads out of a part of the table within a length, whatever it is shifted
        for nothing, any number of times."""
        if chart.surfaces is self._draft.surfaces:
            return True
        aside, half = partial(leads_aside, chart.levels), 0.5 * far
        if to is None:
            return not aside([start], far, more)
        x, y, off = to
        ends = [(name, x, y) for name in self._near(x, y, off)]
        return not (aside([start], half, more) or aside(ends, half, more, off=off, back=True))
