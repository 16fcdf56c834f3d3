"""The ground of a table with storeys as levels, links and portals, for one size of base.

Surfaces are levels, stairs and ramps levels that slope, ladders and ropes links; a step leads over
an edge, a gap is crossed on a level of its own. `draft.py` draws it, `charts.py` keeps it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from tapeline.engine.kept import Kept
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.plane.distance import Ring
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line, Point
from tapeline.geometry.surfaces.level import fence
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.table.solids import Ground as Plan
from tapeline.table.storeys import Surface
from tapeline.travel.rim_search import Spot, Way
from tapeline.travel.terrain import Terrain

__all__ = ["Chart", "Corner", "Gap", "Point", "ring_of", "with_discs"]


#: What stands still on a level with discs in the way, by these: most of them stay where they are
#: from one search to the next, and what the one found out of the level serves the other.
_PEOPLED = Kept(512)


class Gap(NamedTuple):
    """A gap between two surfaces: their ids, the edges jumped from and landed on, and the unit
    normals that lead off these."""

    start: str
    end: str
    near: Line
    far: Line
    off: Point
    back: Point


class Corner(NamedTuple):
    """An inner corner, as a gap between the two edges that meet and begin there; and what a jump
    over it costs besides its width."""

    name: str
    gap: Gap
    cost: float


@dataclass(frozen=True)
class Chart:
    """Levels for one size of base. surfaces: those that are levels, by id; gaps: by the names of
    the levels over them; air: the names of all levels that are not stood on; spots: links over rims
    of round surfaces; corners: inner ones, each there and back."""

    terrain: Terrain
    levels: Levels
    surfaces: dict[str, Surface]
    gaps: dict[str, Gap]
    corners: tuple[Corner, ...]
    air: frozenset[str]
    spots: dict[str, Spot]

    @cached_property
    def portals_to(self) -> dict[str, list[Portal]]:
        """Its portals by the level that they lead to."""
        found: dict[str, list[Portal]] = {}
        for portal in self.levels.portals:
            found.setdefault(portal.end[0], []).append(portal)
        return found

    @cached_property
    def drops_to(self) -> dict[str, list[tuple[Line, Line, str, float]]]:
        """Its ways down off edges of surfaces by the level that they lead to: edge, line landed on,
        surface, and how far off one lies from the other."""
        found: dict[str, list[tuple[Line, Line, str, float]]] = {}
        for portal in self.levels.portals:
            if portal.kind == "drop" and portal.start[0] in self.surfaces:
                start, end = Line(*portal.start[1:]), Line(*portal.end[1:])
                way = start, end, portal.start[0], math.dist(start.start, end.start)
                found.setdefault(portal.end[0], []).append(way)
        return found

    def ways_at(self, level: str, box: Box) -> list[Link | Portal]:
        """Its links and portals that begin or end on a level surface in a box."""
        boxes, (x0, y0, x1, y1) = self.levels.boxes(), box
        least_x, least_y, most_x, most_y = np.moveaxis(boxes.rows.boxes, 2, 0)
        near = (boxes.rows.leads == boxes.levels.get(level, -1)) & (least_x <= x1) & (most_x >= x0)
        near &= (least_y <= y1) & (most_y >= y0)
        found = np.intersect1d(np.flatnonzero(near.any(axis=1)), self.levels.numbers())
        return [boxes.ways[number] for number in found.tolist()]

    @cached_property
    def over_rims(self) -> list[Way]:
        """The ways over rims that its spots are of."""
        return [*{id(spot.way): spot.way for spot in self.spots.values()}.values()]

    def corners_at(self, place: Point) -> list[Corner]:
        """The inner corners at a place."""
        return self._corners.get(_rounded(place), [])

    @cached_property
    def _corners(self) -> dict[Point, list[Corner]]:
        found: dict[Point, list[Corner]] = {}
        for corner in self.corners:
            found.setdefault(_rounded(corner.gap.near.start), []).append(corner)
        return found

    def own_field(self, surface: Surface, r: float) -> Field:
        """What stands in the way of the centre of a base on a surface, on the plan; of one that
        slopes only its outline binds."""
        level = self.levels.level(surface.id)
        if level.slope is None:
            return level.field
        x0, y0, x1, y1 = surface.outer.box
        grounds = fence(ring_of(surface.outer), 2.0 * r + 2.0)
        return Field.of(box=(x0 - r, y0 - r, x1 + r, y1 + r), grounds=grounds)


def _rounded(place: Point) -> Point:
    return round(place[0], 6), round(place[1], 6)


def with_discs(chart: Chart, discs: Iterable[tuple[str, str, float, float, float]]) -> Levels:
    """The levels of a chart with discs in the way: the level of each, its name there, x, y on the
    plan, radius in the level's own plane."""
    levels, there = chart.levels, dict[str, dict[str, Circle]]()
    for on, name, x, y, r in discs:
        there.setdefault(on, {})[name] = (*levels.level(on).own(x, y), r)
    for on, bodies in there.items():
        bare = levels.level(on).field
        work = partial(bare.with_bodies, bodies)
        levels = levels.with_field(on, _PEOPLED.once(bare, (*bodies.items(),), work))
    return levels


def ring_of(plan: Plan) -> Ring:
    """A plan as a ring; a circle by corners close round it."""
    return plan.ring if plan.ring is not None else plan.turned(0.0)
