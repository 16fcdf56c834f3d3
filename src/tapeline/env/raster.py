"""A position as a picture of numbers: planes of square cells over the table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from tapeline.engine.state import State
from tapeline.table.bodies import Body
from tapeline.table.goals import CarryDoc, HoldDoc, ReachDoc
from tapeline.table.terrain import Floor, Outline, Piece, Wall
from tapeline.table.zones import base_shape, outline_shape

__all__ = ["Raster"]

Floats: TypeAlias = NDArray[np.float32]


class Raster:
    """Planes of a scene, `names` by number; cells: how many along the longer edge of the table.

    A cell is what lies at its centre; a wall or a base that covers no centre marks the nearest, so
    that none is lost. Row 0 is at y = 0. top: the height of the highest ground, table units;
    walls: their top; one plane a kind of terrain, 1 where there is some; goals: the points of those
    that have a place; then one plane a side, its own first: 1 and the height of whom it carries.
    Source of cells within outlines: GEOS, by shapely.
    """

    def __init__(self, state: State, cells: int) -> None:
        if not 1 <= cells <= 1_024:
            raise ValueError(f"a raster has 1 to 1024 cells along the longer edge; got {cells}")
        width, depth = state.table.width, state.table.depth
        self.cell = max(width, depth) / cells
        self._columns, self._rows = (
            max(1, math.ceil(s / self.cell - 1e-9)) for s in (width, depth)
        )
        pieces = [entry for entry in state.table.entries if isinstance(entry, Piece)]
        kinds = sorted({piece.kind for piece in pieces})
        sides = [f"side {n}" for n in range(len(state.sides))]
        self.names = ("top", "walls", *(f"kind:{kind}" for kind in kinds), "goals", *sides)
        self._x, self._y = np.meshgrid(
            self.cell * (np.arange(self._columns) + 0.5), self.cell * (np.arange(self._rows) + 0.5)
        )
        covered = {piece.id: self._within(_area(piece.outlines)) for piece in pieces}
        by_kind = ([covered[p.id] for p in pieces if p.kind == kind] for kind in kinds)
        self._fixed = np.stack([
            self._tops(state, covered), self._walls(state),
            *(np.any(cells, axis=0) for cells in by_kind), self._goals(state),
        ])  # fmt: skip

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows, columns."""
        return len(self.names), self._rows, self._columns

    def planes(self, state: State, sides: Sequence[str]) -> Floats:
        """A position; sides: in the order of their planes."""
        found = np.zeros((len(sides), self._rows, self._columns), np.float32)
        for body in state.bodies.values():
            found[sides.index(body.side)][self._under(body)] = 1.0 + body.z
        return np.concatenate((self._fixed, found)).astype(np.float32)

    def _within(self, shape: Any) -> NDArray[np.bool_]:
        shapely.prepare(shape)
        inside: NDArray[np.bool_] = shapely.intersects_xy(shape, self._x, self._y)
        return inside

    def _nearest(self, x: float, y: float) -> tuple[int, int]:
        row, column = int(y / self.cell), int(x / self.cell)
        return min(max(row, 0), self._rows - 1), min(max(column, 0), self._columns - 1)

    def _under(self, body: Body) -> NDArray[np.bool_]:
        under = self._within(base_shape(body))
        under[self._nearest(body.x, body.y)] = True
        return under

    def _tops(self, state: State, covered: Mapping[str, NDArray[np.bool_]]) -> Floats:
        tops = np.zeros((self._rows, self._columns), np.float32)
        for entry in state.table.entries:
            if isinstance(entry, Piece):
                inside, top = covered[entry.id], entry.top
            elif isinstance(entry, Floor):
                inside, top = self._within(_area(entry.outlines)), entry.z
                if entry.holes:
                    inside &= ~self._within(_area(entry.holes))
            else:
                continue
            tops[inside] = np.maximum(tops[inside], top)
        return tops

    def _walls(self, state: State) -> Floats:
        tops = np.zeros((self._rows, self._columns), np.float32)
        for entry in state.table.entries:
            if isinstance(entry, Wall):
                for x, y in self._along(entry):
                    cell = self._nearest(x, y)
                    tops[cell] = max(float(tops[cell]), entry.top)
        return tops

    def _along(self, wall: Wall) -> Iterator[tuple[float, float]]:
        line = shapely.LineString([*wall.line, *(wall.line[:1] if wall.closed else ())])
        for far in np.arange(0.0, line.length + 0.5 * self.cell, 0.5 * self.cell):
            point = line.interpolate(min(far, line.length))
            yield point.x, point.y

    def _goals(self, state: State) -> Floats:
        points = np.zeros((self._rows, self._columns), np.float32)
        zones = {zone.id: zone.outline for zone in state.table.zones}
        for goal in state.game.goals if state.game else ():
            if isinstance(goal, CarryDoc):
                points[self._nearest(*goal.at)] += goal.points
            elif isinstance(goal, HoldDoc | ReachDoc):
                points[self._within(_area([zones[goal.zone]]))] += goal.points
        return points


def _area(outlines: Sequence[Outline]) -> Any:
    return shapely.union_all([outline_shape(one) for one in outlines])
