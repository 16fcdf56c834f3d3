"""Ways down over the outer corners of surfaces: to any place one base radius off a corner, between
the normals of the edges that meet there, since all of these are as near to it.

A way is no shorter from such a place than it is from the corner, less the radius, and just that
from where the corner sends its shortest way: the best landing lies straight ahead from the corner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from tapeline.geometry.plane.intersections import both_circles
from tapeline.geometry.plane.legs import Point
from tapeline.geometry.surfaces.links import Link
from tapeline.geometry.surfaces.model import Levels
from tapeline.travel.corners import OuterCorner
from tapeline.travel.rim_search import Spot, Spots, lengths_about, with_more

__all__ = ["CornerWay", "straight_off"]

#: Links at first.
_PLACES = 3


class CornerWay(NamedTuple):
    """A way over an outer corner of a level, down or both ways.

    r: of the base. lands: the level below that a place off the corner is on, and what it costs to
    get there; None where nobody lands. Places are told by their share of the turn.
    """

    kind: str
    upper: str
    corner: OuterCorner
    r: float
    lands: Callable[[Point], tuple[str, float] | None]
    both: bool = False

    def spots(self) -> dict[Link, Spot]:
        """Links all round it."""
        return self._links((k / (_PLACES - 1) for k in range(_PLACES)), self._apart)

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links about one, nearer each other."""
        lengths, apart = lengths_about(spot)
        shares = [spot.at[0] + length / self._long for length in lengths]
        return self._links(shares, apart, (shares[0], shares[-1]))

    def touching(self, levels: Levels, names: set[str]) -> dict[Link, Spot]:
        """Links where the base just touches one that stands on a level below."""
        discs = [
            disc
            for name in names - {self.upper}
            for disc in levels.level(name).field.bodies.values()
        ]
        ring = (*self.corner.at, self.r)
        found = [p for x, y, far in discs for p in both_circles(ring, (x, y, far + self.r))]
        return self._links(map(self._share, found), self._apart)

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """The link that is best with nothing else in between: towards where it leads."""
        shares = (min(max(self._share(place), 0.0), 1.0) for place in (start, end))
        return self._links(shares if self.both else [*shares][1:], self._apart)

    def beside(self, one: Spot, other: Spot) -> bool:
        """Whether two links are no farther from each other than they are at first."""
        return abs(one.at[0] - other.at[0]) * self._long <= 1.5 * self._apart

    def unsure(self, spot: Spot) -> float:
        """How much shorter a way may be that leads over it between a link and the next."""
        return 0.5 * spot.apart

    @property
    def _long(self) -> float:
        """How long the arc is on which it ends."""
        return abs(self.corner.turn) * self.r

    @property
    def _apart(self) -> float:
        return self._long / (_PLACES - 1)

    def _share(self, place: Point) -> float:
        """The share of the turn at which a place lies; of one that lies behind, beyond its ends."""
        (x, y), middle = self.corner.at, self.corner.angle + 0.5 * self.corner.turn
        angle = math.atan2(place[1] - y, place[0] - x)
        return 0.5 + math.remainder(angle - middle, math.tau) / self.corner.turn

    def _links(
        self, shares: Iterable[float], apart: float, last: tuple[float, ...] = ()
    ) -> dict[Link, Spot]:
        found: dict[Link, Spot] = {}
        (x, y), upper = self.corner.at, (self.upper, *self.corner.at)
        for share in shares:
            if not 0.0 <= share <= 1.0:
                continue
            angle = self.corner.angle + share * self.corner.turn
            place = x + self.r * math.cos(angle), y + self.r * math.sin(angle)
            onto = self.lands(place)
            if onto is not None:
                name = f"{self.kind} {self.upper} {self.corner.at} {onto[0]} {share!r}"
                link = Link(name, self.kind, upper, (onto[0], *place), onto[1], self.both)
                found[link] = Spot(self, (share,), apart, share in last)
        return found


def straight_off(
    levels: Levels, spots: Spots, start: Point, end: Point
) -> tuple[Levels, dict[str, Spot]]:
    """The levels with links over corners that lead straight ahead: to where a way is to end, and to
    the next corners of what is landed on.

    With the first places alone a way over a corner seems longer than it is, and one over the edge
    beside it is taken for the shortest.
    """
    lands = dict[int, tuple[CornerWay, set[str]]]()
    for link in levels.links:
        spot = spots.get(link.id)
        if spot is not None and isinstance(spot.way, CornerWay):
            lands.setdefault(id(spot.way), (spot.way, set()))[1].add(link.end[0])
    found = dict[Link, Spot]()
    for way, names in lands.values():
        found |= way.straight(start, end)
        for other, _ in lands.values():
            if other.upper in names and way.corner.is_off(other.corner.at):
                found |= way.straight(start, other.corner.at)
    return with_more(levels, spots, found)
