"""Places of a path that slide along their curves until none makes it cheaper."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tapeline.geometry.plane.legs import Leg, Line
from tapeline.geometry.plane.searches import least_of_convex
from tapeline.geometry.weighted.leg_cost import ARC, POINT
from tapeline.geometry.weighted.snell import cheapest_crossing

__all__ = ["Spot", "place_on", "settle"]


@dataclass(slots=True)
class Spot:
    """A place of a path that may slide along its curve, from lo to hi; it is now at t.

    behind: it is the place before it, seen from behind a portal: both slide as one.
    """

    curve: int
    kind: int
    leg: Leg | None
    lo: float
    hi: float
    t: float
    x: float
    y: float
    number: int
    behind: bool = False

    def copy(self) -> Spot:
        """Another such place, which slides by itself."""
        return replace(self)


def place_on(leg: Leg, t: float) -> tuple[float, float]:
    """As leg.at, beyond the ends of an arc too."""
    if isinstance(leg, Line):
        return leg.at(t)
    angle = leg.begin + math.copysign(1.0, leg.sweep) * t / leg.radius
    return leg.cx + leg.radius * math.cos(angle), leg.cy + leg.radius * math.sin(angle)


def settle(
    line: list[Spot], factors: list[float], hops: list[tuple[Leg, ...]] | None = None
) -> None:
    """Slide the places of a path until none gains, taking hops as straight, or as they bend."""
    for _ in range(30 if hops is None else 1):
        moved = 0.0
        for k in range(1, len(line)):
            spot = line[k]
            if spot.leg is None or spot.behind or spot.kind in (POINT, ARC):
                continue
            px, py = line[k - 1].x, line[k - 1].y
            w1 = factors[k - 1]
            if hops is not None and hops[k - 1] and line[k - 1].curve != spot.curve:
                last = hops[k - 1][-1]
                if isinstance(last, Line):
                    px, py = last.start
            beyond = k + 1 < len(line) and line[k + 1].behind
            at = k + 1 if beyond else k
            away = line[at]
            if at + 1 < len(line):
                qx, qy, w2 = line[at + 1].x, line[at + 1].y, factors[at]
                if hops is not None and hops[at] and line[at + 1].curve != away.curve:
                    first = hops[at][0]
                    if isinstance(first, Line):
                        qx, qy = first.end
            else:
                qx, qy, w2 = (away.x, away.y, 0.0) if beyond else (px, py, 0.0)
            t = _least(spot, away, px, py, w1, qx, qy, w2)
            moved = max(moved, abs(t - spot.t))
            for one in (spot, away):
                assert one.leg is not None
                one.t = t
                one.x, one.y = place_on(one.leg, t)
        if moved < 1e-9:
            break


def _least(
    spot: Spot, away: Spot, px: float, py: float, w1: float, qx: float, qy: float, w2: float
) -> float:
    """Where on its curve a place is cheapest between two fixed points.

    away: the same place as it is left, elsewhere where it is on a portal.
    """
    leg, out = spot.leg, away.leg
    assert leg is not None
    assert out is not None
    lo, hi = spot.lo, spot.hi
    if isinstance(leg, Line):
        length = leg.length
        ux, uy = (leg.bx - leg.ax) / length, (leg.by - leg.ay) / length
        p = (px - leg.ax) * ux + (py - leg.ay) * uy
        a2 = ((px - leg.ax) * uy - (py - leg.ay) * ux) ** 2
        if out is not leg:
            assert isinstance(out, Line)
            ux, uy = (out.bx - out.ax) / length, (out.by - out.ay) / length
            qx, qy = qx - out.ax + leg.ax, qy - out.ay + leg.ay
        q = (qx - leg.ax) * ux + (qy - leg.ay) * uy
        b2 = ((qx - leg.ax) * uy - (qy - leg.ay) * ux) ** 2
        lo, hi = max(lo, min(p, q)), min(hi, max(p, q))
        if lo >= hi:
            return (
                min(max(lo, spot.lo), spot.hi) if lo > spot.hi else max(spot.lo, min(hi, spot.hi))
            )
        t = min(max(spot.t, lo), hi)
        return cheapest_crossing(p, a2, w1, q, b2, w2, t, lo, hi)

    def cost(t: float) -> float:
        x, y = place_on(leg, t)
        return w1 * math.hypot(x - px, y - py) + w2 * math.hypot(x - qx, y - qy)

    return least_of_convex(cost, lo, hi, 1e-9)
