"""Charts of one table for one size of base, drawn as far as a question goes.

A city has thousands of ways over edges and gaps, and a move comes to few of them: a chart of the
part of the table about it is drawn first, the whole when a question goes farther. Both are made of
the same pieces of work, so nothing is worked out twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeline.geometry.plane.grid import Box
from tapeline.geometry.surfaces.links import Place
from tapeline.table.storeys import Surface
from tapeline.travel.chart import Chart
from tapeline.travel.draft import Draft

__all__ = ["Charts"]

#: Side of the squares that a part of a table is made of, how much it goes beyond what is asked
#: for, table units; how many parts are kept, and questions to these.
_SQUARE, _MORE, _PARTS, _ASKED = 4.0, 3.0, 32, 4096


class Charts:
    """Charts of what `ways` adds to a draft.

    shift: how far off on the plan a way leads at most besides what it charges, ladders apart, as
    from an edge to one base radius off it.
    """

    def __init__(self, draft: Draft, ways: Callable[[Draft], None], shift: float) -> None:
        self._draft, self._ways = draft, ways
        self._whole: Chart | None = None
        self._parts: dict[Box, Chart] = {}
        self._held: dict[tuple[Box, Place, float], bool] = {}
        ladders = draft.terrain.table.ladders
        aslant = (math.dist(ladder.foot[:2], ladder.head[:2]) for ladder in ladders)
        self._shift = max(shift, 2.0 * draft.r + max(aslant, default=-2.0 * draft.r))

    def whole(self) -> Chart:
        """The chart of the whole table."""
        if self._whole is None:
            self._whole, self._parts = self._draft.chart(self._ways), {}
        return self._whole

    def about(self, start: Surface | None, x: float, y: float, far: float) -> Chart:
        """A chart of all the ways that can be come to from a place on a surface within a length,
        table units: of a part of the table if that is known to hold them."""
        if self._whole is not None or far == math.inf:
            return self.whole()
        table = self._draft.terrain.table
        margin = far + self._shift + _MORE
        low, high = (
            [_SQUARE * turn(v / _SQUARE) for v in place]
            for turn, place in (
                (math.floor, (x - margin, y - margin)),
                (math.ceil, (x + margin, y + margin)),
            )
        )
        box = (low[0], low[1], high[0], high[1])
        wide = low[0] <= 0.0 and low[1] <= 0.0
        if wide and high[0] >= table.width and high[1] >= table.depth:
            return self.whole()
        found = self._parts.get(box)
        if found is None:
            if len(self._parts) >= _PARTS:
                return self.whole()
            found = self._parts[box] = self._draft.chart(self._ways, box)
        if start is None or self._holds(found, (start.id, x, y), far):
            return found
        return self.whole()

    def _holds(self, chart: Chart, start: Place, far: float) -> bool:
        """Whether no way leads out of a part of the table within a length, whatever it is shifted
        for nothing, any number of times."""
        assert chart.box is not None
        known = self._held.get((chart.box, start, far))
        if known is None:
            if len(self._held) >= _ASKED:
                self._held.clear()
            known = not chart.levels.leads_aside(start, far, _MORE)
            self._held[chart.box, start, far] = known
        return known
