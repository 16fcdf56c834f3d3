"""Routes over a chart: what a search needs that is the same for all systems, and its legs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Leg
from tapeline.errors import WorkLimitError
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.plane.legs import Line, Point
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute, Step
from tapeline.work import making_what_stays

__all__ = ["CORNER", "SLACK", "Seeker", "legs_of_step", "pointed", "ways_of"]


#: How deep in an obstacle a way found by a search may be: less than the tolerance of the rules.
SLACK = 0.9 * TOLERANCE
#: Places of a portal that stand for it: inches between two, and how many at most.
_SPACED, _PLACES = 1.5, 6
#: Portals of which they are remembered.
_PORTALS = 8192
#: Length: shorter legs of a route lead nowhere. Radians of an arc of a slope given as one leg.
_SPECK, _CHORD = 1e-9, math.radians(1.0)
#: The kind of a climb over an outer corner, which is planned a little too short.
CORNER = "corner"
#: How a way over an edge is gone, by its kind; stairs and steps are none of their own.
_MANNERS = {
    "ladder": "walk", "hang": "walk", "climb": "climb", CORNER: "climb", "drop": "drop",
    "land": "jump", "leap": "jump",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seeker:
    """Who looks for a route: from a place of a level, for one radius, making so many legs."""

    start: tuple[str, float, float]
    radius: float
    work: int

    def stands(self, levels: Levels) -> bool:
        """Whether there is room at the start; without it there is no route."""
        at = levels.number(self.start[0])
        query = levels.around(at, self.radius, {}, SLACK).query
        return bool(query.standable(*levels.levels[at].own(*self.start[1:])))

    def route(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> LevelRoute | None:
        """The shortest route to one of the goals; None without any, or if work runs out."""
        stages = levels.nearest_first(self.start, goals, limit, self.radius, SLACK)
        return self._first_of(stages, goals, limit)

    def among_near(
        self, levels: Levels, goals: Sequence[tuple[str, Goal]], limit: float
    ) -> LevelRoute | None:
        """The same where hardly any way is farther off than others: those nearest are not first
        told from the rest, which takes longer than to search them all."""
        return self._first_of([(levels, limit)], goals, limit)

    def through_places(
        self,
        wider: Iterable[tuple[Levels, float]],
        goals: Sequence[tuple[str, Goal]],
        towards: Sequence[Point],
    ) -> LevelRoute | None:
        """The shortest route through single places of portals (`pointed`) within the first limit
        that there is one for; None without any, or if work runs out.

        wider: ever more levels, each with the limit that they are for.
        """
        beyond = -1.0
        for levels, limit in wider:
            if beyond < 0.0 and not self._may_end(levels, goals):
                return None
            # Places are put only on portals that a route so short may take.
            stages = (
                (pointed(some, towards), most)
                for some, most in levels.nearest_first(self.start, goals, limit, self.radius, SLACK)
                if most > beyond
            )
            route = self._first_of(stages, goals, limit)
            if route is not None:
                return route
            beyond = limit
        return None

    def _may_end(self, levels: Levels, goals: Sequence[tuple[str, Goal]]) -> bool:
        """Whether there is room at any of the goals, whatever leads there."""
        bare = levels.keeping(lambda way: False).within(self.start, goals, 0.0)
        # Room is looked for before the search, which need not go anywhere.
        answer = bare.route(
            self.start, list(goals), self.radius, slack=SLACK, strict=False, limit=0.0
        )
        return answer.route is not None or answer.reason not in ("start", "goal")

    def _first_of(
        self,
        stages: Iterable[tuple[Levels, float]],
        goals: Sequence[tuple[str, Goal]],
        limit: float,
    ) -> LevelRoute | None:
        """The shortest route on the first levels of some that have one within what they are for."""
        try:
            # What is found out of levels is kept for the next search.
            with making_what_stays():
                for near, most in stages:
                    route = near.route(
                        self.start,
                        list(goals),
                        self.radius,
                        slack=SLACK,
                        strict=False,
                        limit=most,
                        work=self.work,
                    ).route
                    # One that is as short as the limit may have a tie by other ways.
                    if route is not None and (most == limit or route.cost < most - TOLERANCE):
                        return route
        except WorkLimitError:
            pass
        return None


def ways_of(route: LevelRoute) -> set[str]:
    """The ids of the ways that a route leads over, wherever along them."""
    return {link.partition("@")[0] for link in route.links}


def legs_of_step(step: Step, level: Level, *, heights: bool) -> Iterator[Leg]:
    """The legs of an action for a step of a route that ends on a level.

    heights: whether what is walked says its height too. Arcs of a slope are given in chords.
    """

    def to(x: float, y: float, how: str = "") -> Leg:
        end = level.plan(x, y)
        z = level.height_at(*end) if heights or how else None
        return Leg(to=end, z=z, how=how or "walk")

    if step.link:
        if step.kind in _MANNERS:
            yield to(*step.at, _MANNERS[step.kind])
        return
    for leg in step.path.legs:
        if leg.length <= _SPECK:
            continue
        if isinstance(leg, Line):
            yield to(leg.bx, leg.by)
        elif level.slope is None:
            yield Leg.about(*leg.turn)
        else:
            count = max(1, math.ceil(abs(leg.sweep) / _CHORD))
            yield from (to(*leg.at(leg.length * k / count)) for k in range(1, count + 1))


def pointed(levels: Levels, towards: Iterable[Point], keep: str = "") -> Levels:
    """The levels with links at single places of each portal in its stead: quick to search, and no
    way found is shorter than the shortest.

    towards: places to which each portal has a link where it comes nearest, and where it is crossed
    straight from the first to the last. keep: a kind of portal that stays.
    """
    places = tuple(towards)
    links = [
        link
        for portal in levels.portals
        if portal.kind != keep
        for link in _towards(portal, places)
    ]
    kept = levels.keeping(lambda way: isinstance(way, Link) or way.kind == keep)
    return kept.with_more(links=links)


@lru_cache(maxsize=_PORTALS)
def _towards(portal: Portal, places: tuple[Point, ...]) -> tuple[Link, ...]:
    """Links at places of a portal that stand for it, and at those towards some places; kept, as
    searches one after another, within ever more, are for the same."""
    (px, py), (qx, qy) = places[0], places[-1]
    _, ax, ay, bx, by = portal.start
    ux, uy = bx - ax, by - ay
    length, known = math.hypot(ux, uy), _spread(portal)
    shares = {((x - ax) * ux + (y - ay) * uy) / (length * length) for x, y in places}
    down = ux * (qy - py) - uy * (qx - px)
    if down != 0.0:
        shares.add(((px - ax) * (qy - py) - (py - ay) * (qx - px)) / down)
    shares = {*known, *(min(1.0, max(0.0, t)) for t in shares)}
    return tuple(known.get(t) or _at(portal, t) for t in sorted(shares))


@lru_cache(maxsize=_PORTALS)
def _spread(portal: Portal) -> dict[float, Link]:
    """Links at places of a portal that stand for it, whoever goes whither, by share of it."""
    _, ax, ay, bx, by = portal.start
    count = min(_PLACES, max(1, math.ceil(math.hypot(bx - ax, by - ay) / _SPACED)))
    return {k / count: _at(portal, k / count) for k in range(count + 1)}


def _at(portal: Portal, t: float) -> Link:
    """The link at a share of a portal."""
    (here, ax, ay, bx, by), (there, cx, cy, dx, dy) = portal.start, portal.end
    return Link(
        f"{portal.id}@{t!r}",
        portal.kind,
        (here, ax + t * (bx - ax), ay + t * (by - ay)),
        (there, cx + t * (dx - cx), cy + t * (dy - cy)),
        portal.cost,
        portal.both,
    )
