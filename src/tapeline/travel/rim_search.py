"""The shortest route where ways lead over rims at any of their places: which of them is best.

Links stand for such a way at first, some way apart. About those that the shortest route takes
others are set, closer and closer, all rims of a route by turns, the widest apart first: over such
ways alone as it takes, then once with all others. That finds the best near the best of the first.
It may lie elsewhere: as long as a route over other places is longer by no more than those that lie
between them could save, it is looked into as well (branch and bound: each of the legs at a link
changes by no more than its end is moved).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from tapeline.engine.limits import TOLERANCE
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.plane.legs import Point
from tapeline.geometry.surfaces.links import Link, Place, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute, Step
from tapeline.travel.search import Seeker, ways_of

__all__ = [
    "UNSURE",
    "Spot",
    "Spots",
    "Way",
    "lengths_about",
    "over_rims",
    "straight_over",
    "with_more",
    "within",
]


#: Inches: links are set no closer.
_CLOSEST = 2e-7
#: Links to either side of one on a way of one length; how many times as close the next ones are,
#: and those about one of the outermost.
_EACH_WAY, _CLOSER, _SHIFTED = 24, 22.0, 8.0
#: Inches: how much shorter a route over one rim twice must be to count as shorter: less is spared
#: by shifting aside as far as contact is told no closer than kernels promise. Places no farther
#: apart are one.
_SAME = 1e-9
#: Inches by which links could be farther round than the best place is, all of a route together;
#: how many other places are looked into.
UNSURE, _TRIES = 1.5, 4


class Spot(NamedTuple):
    """A link over a rim: of which way, where, and how far the next one is, inches.

    last: it is one of the outermost of those that were set about another.
    """

    way: Way
    at: tuple[float, ...]
    apart: float
    last: bool = False


def lengths_about(spot: Spot) -> tuple[list[float], float]:
    """How far off a spot on a way of one length closer ones are set to either side, in order, and
    how far they are apart; over a wider stretch if it was one of the outermost itself."""
    step = spot.apart / (_SHIFTED if spot.last else _CLOSER)
    return [k * step for k in range(-_EACH_WAY, _EACH_WAY + 1)], step


class Way(Protocol):
    """Over a rim, by links at any of its places."""

    def spots(self) -> dict[Link, Spot]:
        """Links all along it."""

    def about(self, spot: Spot) -> dict[Link, Spot]:
        """Links about a spot, closer."""

    def touching(self, levels: Levels, names: set[str]) -> dict[Link, Spot]:
        """Links that lead just past those who stand on some of the levels."""

    def straight(self, start: Point, end: Point) -> dict[Link, Spot]:
        """The best link for who comes from one place and goes to another with nothing in between,
        as far as that is told at once."""

    def beside(self, one: Spot, other: Spot) -> bool:
        """Whether two spots of it are found from each other."""

    def unsure(self, spot: Spot) -> float:
        """How much a place between a spot and the next could save, inches."""


#: Spots by the ids of their links.
Spots: TypeAlias = Mapping[str, Spot]


class _Found(NamedTuple):
    """The best route near some spots, and the spots that it takes: those it began with too."""

    route: LevelRoute
    taken: list[Spot]


def within(
    levels: Levels, start: Place, goals: Sequence[tuple[str, Goal]], limit: float, spots: Spots
) -> Levels:
    """The levels without what no route within a limit takes, at whatever places it leads over rims:
    each no farther from a spot than half of the way to the next."""
    known = ((link.id, spots.get(link.id)) for link in levels.links)
    spare = {
        name: spot.way.unsure(spot) - 0.5 * spot.apart for name, spot in known if spot is not None
    }
    return levels.within(start, goals, limit, spare)


def straight_over(
    levels: Levels, spots: Spots, start: Point, end: Point
) -> tuple[Levels, dict[str, Spot]]:
    """The levels with the best links over rims for who goes from one place to another straight.

    Else a way that comes to a rim between the places tried first would seem longer than it is, and
    one over another rim or edge be taken for the shortest.
    """
    ids = {link.id for link in levels.links}
    ways = {id(spot.way): spot.way for name, spot in spots.items() if name in ids}
    found = {k: v for way in ways.values() for k, v in way.straight(start, end).items()}
    return with_more(levels, spots, found)


def over_rims(
    levels: Levels,
    spots: Spots,
    seeker: Seeker,
    goals: Sequence[tuple[str, Goal]],
    limit: float,
    least: float = 0.0,
    known: list[Spot] | None = None,
) -> LevelRoute | None:
    """The shortest route within a limit. least: what none can be shorter than. known: spots about
    which all is known; more are put in."""
    known = [] if known is None else known
    ids = {link.id for link in levels.links} if spots else set[str]()
    spots = {name: spot for name, spot in spots.items() if name in ids}
    if spots:
        levels, spots = _beside_bodies(levels, spots)
    best: LevelRoute | None = None
    for _ in range(_TRIES if spots else 1):
        most = limit if best is None else min(limit, best.cost)
        found = _near_first(levels, spots, seeker, goals, most, least, known)
        if found is None:
            break
        if found.route.cost <= most and (best is None or found.route.cost < best.cost):
            best = found.route
        if best is not None and best.cost - least <= _CLOSEST:
            break
        if not found.taken and not found.route.links:
            break
        known += found.taken
        levels, spots = _elsewhere(levels, found, spots)
    return best


def _near_first(
    levels: Levels,
    spots: Spots,
    seeker: Seeker,
    goals: Sequence[tuple[str, Goal]],
    most: float,
    least: float,
    known: Sequence[Spot],
) -> _Found | None:
    """The best route near the best over the first links, if it may cost no more than `most`; known:
    spots about which all is known."""
    limit = most + (UNSURE if spots else 0.0)
    first, best, rest = list[Spot](), None, None
    seek = seeker.route
    while (route := seek(levels, goals, limit)) is not None:
        taken = _taken(levels, route, spots)
        first = first or taken
        twice = len({id(spot.way) for spot in taken}) < len(taken)
        if best is None or route.cost < best.route.cost - (_SAME if twice else 0.0):
            best, limit = _Found(route, [*first, *taken]), route.cost + TOLERANCE
        sure = taken and all(any(_beside(spot, one) for one in known) for spot in taken)
        if sure or route.cost - sum(spot.way.unsure(spot) for spot in taken) > most:
            break
        spot = max(taken, key=lambda one: one.apart, default=None)
        if spot is None or abs(route.cost - least) <= _SAME:
            break
        if spot.apart > _CLOSEST:
            if rest is None:  # over such ways alone as it takes
                rest = _with_none(levels, spots)
                levels, seek = _along(levels, route, spots), seeker.among_near
            levels, spots = _closer(levels, spots, spot, taken)
        elif rest is None:
            break
        else:  # then its very links with all others
            links, over = set(route.links), {id(one.way) for one in taken}
            spots = {k: v for k, v in spots.items() if k in links or id(v.way) not in over}
            levels, rest = rest.with_more(links=(it for it in levels.links if it.id in spots)), None
            seek = seeker.route
    return best


def _taken(levels: Levels, route: LevelRoute, spots: Spots) -> list[Spot]:
    """The spots that a route takes, also where it goes over the end of a portal that is one of
    them: a place beside that may be better."""
    over = [step for step in route.steps if step.link]
    each = (spots.get(step.link) or _spot_at(levels, step, spots) for step in over)
    return [spot for spot in each if spot is not None]


def _spot_at(levels: Levels, step: Step, spots: Spots) -> Spot | None:
    """The spot where a way of its kind, off stairs one over their side, ends at the same place as
    a step; None if there is none."""
    place = levels.level(step.level).plan(*step.at)
    kinds = (step.kind, "side") if step.kind == "stairs" else (step.kind,)
    ends = (
        link.id
        for link in levels.links
        if link.kind in kinds
        and link.end[0] == step.level
        and link.id in spots
        and math.dist(link.end[1:], place) <= _SAME
    )
    return next((spots[name] for name in ends), None)


def _with_none(levels: Levels, spots: Spots) -> Levels:
    """The levels without links over rims."""
    return levels.keeping(lambda way: way.id not in spots)


def _along(levels: Levels, route: LevelRoute, spots: Spots) -> Levels:
    """The levels with the ways that a route takes, those of their kind between the same levels,
    those to goals, and links over rims."""
    used = ways_of(route)
    ways: list[Link | Portal] = [*levels.links, *levels.portals]
    kinds = {_kind_of(way) for way in ways if way.id in used}
    return levels.keeping(
        lambda way: way.id in spots or way.kind == "goal" or _kind_of(way) in kinds
    )


def _kind_of(way: Link | Portal) -> tuple[str, str, str]:
    """The kind of a way, and the levels that it leads from and to."""
    return way.kind, way.start[0], way.end[0]


def _closer(
    levels: Levels, spots: Spots, spot: Spot, taken: Sequence[Spot]
) -> tuple[Levels, dict[str, Spot]]:
    """The levels with closer links about one that a route takes, in place of all others of that
    way, but for those about another at which the route goes over the same rim."""
    again = [one for one in taken if one is not spot and one.way is spot.way]
    kept = {
        name: other
        for name, other in spots.items()
        if other.way is not spot.way
        or (other is not spot and any(_beside(one, other) for one in again))
    }
    levels = levels.keeping(lambda link: link.id not in spots or link.id in kept)
    return with_more(levels, kept, spot.way.about(spot))


def _beside(one: Spot, other: Spot) -> bool:
    return one.way is other.way and one.way.beside(one, other)


def _beside_bodies(levels: Levels, spots: Spots) -> tuple[Levels, dict[str, Spot]]:
    """The levels with links just past who stands on them too."""
    ways: dict[int, tuple[Way, set[str]]] = {}
    for link in levels.links:
        if link.id in spots:
            way = spots[link.id].way
            names = ways.setdefault(id(way), (way, set()))[1]
            names |= {link.start[0], link.end[0]}
    each = ways.values()
    found = {k: v for way, names in each for k, v in way.touching(levels, names).items()}
    return with_more(levels, spots, found)


def with_more(
    levels: Levels, spots: Spots, found: Mapping[Link, Spot]
) -> tuple[Levels, dict[str, Spot]]:
    """The levels and their spots with those that are new among some."""
    on = {level.id for level in levels.levels}
    fresh = {
        link: spot
        for link, spot in found.items()
        if link.id not in spots and {link.start[0], link.end[0]} <= on
    }
    if fresh:
        had = {link.id for link in levels.links}  # as where they were put once before
        levels = levels.with_more(links=(link for link in fresh if link.id not in had))
    return levels, {**spots, **{link.id: spot for link, spot in fresh.items()}}


def _elsewhere(levels: Levels, found: _Found, spots: Spots) -> tuple[Levels, dict[str, Spot]]:
    """The levels without the links from which a route was found; without all of its ways, if it
    leads over no rim: such a one may be shorter than all first links, and longer than the best."""
    near = {name for one in found.taken for name, other in spots.items() if _beside(one, other)}
    gone = near or ways_of(found.route)
    return (
        levels.keeping(lambda way: way.id not in gone),
        {name: spot for name, spot in spots.items() if name not in gone},
    )
