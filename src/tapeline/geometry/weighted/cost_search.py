"""Costs from a start to everywhere within a limit, over ground with factors: one search.

Ways are ranked by the nodes of the borders, which err by the square of their distance; of every
kind that comes close the best is slid to where it is cheapest, or as far as it can be gone.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from tapeline.errors import ShapeError, WorkLimitError
from tapeline.geometry import backends
from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.weighted import contour, marching_squares  # noqa: F401 (register their kernels)
from tapeline.geometry.weighted.backtrack import ALONG, MARK, PLACE, STRAIGHT
from tapeline.geometry.weighted.dijkstra import NODE, STATE
from tapeline.geometry.weighted.graph import Net
from tapeline.geometry.weighted.prepared import Prepared

__all__ = ["RESOLUTION", "Search"]

#: Length: sides of the squares over which an outline is marched.
RESOLUTION = 0.2
#: States on arcs that there is room for at first.
_ROOM = 1024
#: Corners of a mesh of squares before the caller must ask for larger ones.
_CORNERS = 4_000_000


class Search:
    """Costs from a start to everywhere within a limit."""

    def __init__(
        self,
        slow: Prepared,
        start: tuple[float, float],
        limit: float,
        net: Net | None = None,
        wide: float | None = None,
    ) -> None:
        """net: instead of the router's own. wide: how far off the start coordinates may lie."""
        self.slow = slow
        query = slow.obstacles.query
        compiled = self.compiled = bool(query.compiled)
        self.kernels = backends.functions(compiled)
        self.limit = limit
        self.wide = limit if wide is None else wide
        if net is None:
            net = slow.known_net
            if net is None or not net.clear_of(*start):
                net = slow.net_from(start)
        self.net = net.arrays(start[0], start[1], self.wide, compiled)
        self.ground = (*self._near_ground(slow, start), query.r, query.slack, *query.board)
        ints = backends.ints
        self.count, arcs = len(self.net[1]), len(self.net[6]) // 3
        cost = self._floats(self.count)
        came = self._ints(self.count)
        slopes = self._floats(2 * self.count)
        told = ints([0, 0, 0], compiled)
        near = self._ints(self.count)
        around = ints([0] * max(1, arcs), compiled)
        head = ints([-1] * max(2, 2 * arcs), compiled)
        room = _ROOM
        while True:
            states = self._floats(STATE * room)
            kinds = self._ints(4 * room)
            kin = self._ints(self.count + room)
            made = self.kernels.spread(
                *start, limit, self.wide, *self.net, near, around, cost, came, slopes, states,
                kinds, head, kin, told, *self.ground,
            )  # fmt: skip
            if made >= 0:
                break
            room *= 4
            if room > 1 << 22:
                raise WorkLimitError("more than a million arcs were taken up; lower the budget")
        self.states, self.kinds = states, kinds
        reached, taken = self._by_cost(near[: int(told[0])], cost, made, states, kinds)
        self.found = (reached, cost, slopes, states, kinds, taken, kin)
        self.tried = self._floats(len(reached) + len(taken))
        self.last = ints([0], compiled)
        self.chain = ints([0, *came], compiled)
        self.places = self._floats(2 * PLACE * 1024)
        self.marks = self._ints(MARK * 1024)

    def _near_ground(self, slow: Prepared, start: tuple[float, float]) -> tuple[Any, ...]:
        """XL, AR, AQ, AF, AC, WT as `dijkstra` takes them, of what may lie within the limit."""
        factors, lines, _, _, _, _, rings, begins, ranks, circles = slow.world(False)
        far = self.wide + 1.0
        x0, y0, x1, y1 = start[0] - far, start[1] - far, start[0] + far, start[1] + far
        some: list[float] = []
        for k in range(0, len(lines), 5):
            ax, ay, bx, by, sag = lines[k : k + 5]
            if (
                (ax > x0 - sag or bx > x0 - sag)
                and (ax < x1 + sag or bx < x1 + sag)
                and (ay > y0 - sag or by > y0 - sag)
                and (ay < y1 + sag or by < y1 + sag)
            ):
                some += (ax, ay, bx, by, sag)
        corners: list[float] = []
        where, which = [0], []
        for k, rank in enumerate(ranks):
            ring = rings[begins[k] : begins[k + 1]]
            xs, ys = ring[0::2], ring[1::2]
            if min(xs) < x1 and max(xs) > x0 and min(ys) < y1 and max(ys) > y0:
                corners += ring
                where.append(len(corners))
                which.append(rank)
        round_them: list[float] = []
        for k in range(0, len(circles), 4):
            x, y, radius = circles[k : k + 3]
            if abs(x - start[0]) < far + radius and abs(y - start[1]) < far + radius:
                round_them += circles[k : k + 4]
        floats, ints = backends.floats, backends.ints
        return (
            floats(some, self.compiled), floats(corners, self.compiled),
            ints(where, self.compiled), ints(which, self.compiled),
            floats(round_them, self.compiled), floats(factors, self.compiled),
        )  # fmt: skip

    def _by_cost(self, near: Any, cost: Any, made: int, states: Any, kinds: Any) -> tuple[Any, Any]:
        """The nodes got to and the states taken up, each from the cheapest on."""
        if self.compiled:
            import numpy as np

            got = np.append(near[cost[near] <= self.limit], self.count - 1)
            wound = np.flatnonzero(kinds[3 : 4 * made : 4] != -2)
            return (
                got[np.argsort(cost[got], kind="stable")],
                wound[np.argsort(states[STATE * wound], kind="stable")],
            )
        reached = [*(k for k in near if cost[k] <= self.limit), self.count - 1]
        taken = [k for k in range(made) if kinds[4 * k + 3] != -2]
        return (
            sorted(reached, key=cost.__getitem__),
            sorted(taken, key=lambda k: float(states[STATE * k])),
        )

    def _floats(self, count: int, blank: bool = False) -> Any:
        """Room for numbers, all 0; anything where it is written before it is read."""
        if not self.compiled:
            return [0.0] * count
        import numpy as np

        return np.empty(count) if blank else np.zeros(count)

    def _ints(self, count: int, blank: bool = False) -> Any:
        """Room for whole numbers, likewise."""
        if not self.compiled:
            return [0] * count
        import numpy as np

        return np.empty(count, dtype=np.int64) if blank else np.zeros(count, dtype=np.int64)

    def cost(self, x: float, y: float) -> float:
        """What a way to a place costs, infinity if it is over the limit; it is kept in `places`."""
        return float(
            self.kernels.price_place(
                x, y, self.limit, len(self.found[0]), len(self.found[5]), *self.net, *self.found,
                self.tried, self.last, self.places, self.marks, self.chain, *self.ground,
            )
        )  # fmt: skip

    def known(self, x: float, y: float) -> tuple[float, Path] | None:
        """The way of `cost` and what the ledger has it cost; None if there is none."""
        if math.isinf(self.cost(x, y)):
            return None
        path = self.path()
        return None if path is None else (self.slow.ground.cost(path), path)

    def path(self) -> Path | None:
        """The way of the last cost; None if it was too long to keep."""
        legs: list[Leg] = []
        AP, NF, P = self.net[5], self.net[0], self.places
        for k in range(int(self.chain[0]) - 1):
            g = PLACE * k
            ax, ay, bx, by = (float(P[i]) for i in (g, g + 1, g + PLACE, g + PLACE + 1))
            kind = int(self.marks[MARK * k + 1])
            if kind == STRAIGHT:
                if math.hypot(bx - ax, by - ay) > 1e-11:
                    legs.append(Line(ax, ay, bx, by))
                continue
            if kind < 0:
                border = NODE * int(self.marks[MARK * k + 2])
                x, y, ux, uy = (float(v) for v in NF[border : border + 4])
                bend = float(NF[border + 8])
                cx, cy, radius = x - uy / bend, y + ux / bend, 1.0 / abs(bend)
                begin = math.atan2(ay - cy, ax - cx)
                sweep = float(P[g + 4]) * (bend if kind == ALONG else -bend)
            else:
                a, sense = int(self.kinds[4 * kind]), int(self.kinds[4 * kind + 1])
                cx, cy, radius = (float(v) for v in AP[6 * a : 6 * a + 3])
                begin = math.atan2(ay - cy, ax - cx)
                turned = (sense * (math.atan2(by - cy, bx - cx) - begin)) % math.tau
                sweep = 0.0 if turned > math.tau - 1e-6 else sense * turned
            if abs(sweep) * radius > 1e-11:
                legs.append(Arc(cx, cy, radius, begin, sweep))
        return Path(tuple(legs)) if self.chain[0] > 0 else None

    def border(
        self, middle: tuple[float, float], half: float, level: float, eps: float, step: float
    ) -> list[tuple[tuple[float, float], ...]]:
        """Rings round where the cost is at most `level`, in a square of half that side."""
        return self.traced(middle, half, level, eps, step)[0]

    def traced(
        self, middle: tuple[float, float], half: float, level: float, eps: float, step: float
    ) -> tuple[list[tuple[tuple[float, float], ...]], list[float]]:
        """The rings of `border` and their areas, those of holes below 0."""
        n = 16 * math.ceil((half + step) / (8.0 * step)) + 1
        if n * n > _CORNERS:
            raise ShapeError(f"squares of {step} are too small for a budget of {level:g}")
        x0, y0 = middle[0] - 0.5 * (n - 1) * step, middle[1] - 0.5 * (n - 1) * step
        inside, joined, up = self._ints(n * n), self._ints(n * n), self._floats(n * n)
        sides, place = self._ints(2 * n * n, True), self._floats(2 * n * n, True)
        room = self._floats(n * n, True)
        some = [self._ints(len(self.found[k])) for k in (0, 5, 0, 5)]
        seen, at = self._ints(len(self.tried)), self._ints(10)
        wait, barred = self._ints(n * n // 8), self._floats(64)
        crossed = self.kernels.march(
            x0, y0, step, n, self.limit, level, eps, inside, place, sides, joined, up, room, seen,
            *some, at, wait, barred, *self.net, *self.found, self.tried, self.last, self.places,
            self.marks, self.chain, *self.ground,
        )  # fmt: skip
        sides = sides[:crossed]
        sides.sort()
        out, begins = self._floats(2 * crossed), self._ints(crossed + 2)
        areas, follow = self._floats(crossed), self._ints(2 * n * n, True)
        rings = self.kernels.trace_rings(
            x0, y0, step, n, inside, place, joined, sides, crossed, follow, out, begins,
            areas,
        )  # fmt: skip
        if self.compiled:
            out, begins, areas = out.tolist(), begins[: rings + 1].tolist(), areas[:rings].tolist()
        return [
            tuple(zip(out[2 * a : 2 * b : 2], out[2 * a + 1 : 2 * b : 2], strict=True))
            for a, b in pairwise(begins[: rings + 1])
        ], areas[:rings]
