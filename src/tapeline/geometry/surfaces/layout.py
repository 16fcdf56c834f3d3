"""Levels laid out in one plane, so that a search over slow ground goes over all of them at once.

Each level that can be come to within a limit gets a place of its own, farther from the others than
any way goes; what can be come to of it is laid there, with its obstacles and its ground. A portal
is then two segments, a link two points, each place of one belonging to one of the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.plane.distance import segment_segment
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.plane.legs import Line
from tapeline.geometry.plane.sweeps import Approach, nearest_to_point
from tapeline.geometry.surfaces.level import fence
from tapeline.geometry.surfaces.links import Gate
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.weighted.curves import Curve, cut_at
from tapeline.geometry.weighted.graph import STEP, Net, closer
from tapeline.geometry.weighted.prepared import Prepared
from tapeline.geometry.weighted.regions import (
    WeightedArea,
    WeightedDisc,
    WeightedGround,
    WeightedRing,
)

__all__ = ["Atlas", "Crossing", "Sheet"]

#: Length: what is farther than this beyond all that can be come to is left out.
_SPARE = 1.0
#: Length: how far apart levels lie besides.
_APART = 10.0
#: Length: shorter parts of portals are none.
_SHORT = 1e-9


@dataclass(frozen=True, slots=True)
class Sheet:
    """A level in the atlas: middle and half the side of its square, in the level's own plane.

    shift: added to a place of the level's own plane, x + y i, it gives that of the atlas.
    """

    level: int
    middle: complex
    half: float
    shift: complex


@dataclass(frozen=True, slots=True)
class Crossing:
    """A part of a gate on either side of which the ground is even, here and there, in the atlas.

    here, there: segments of the same length, or points. ways: gates that lead from here to there,
    and back; None for no way. begin: how far along the gate's side it begins.
    """

    here: Curve
    there: Curve
    ways: tuple[Gate | None, Gate | None]
    begin: float

    @property
    def costs(self) -> tuple[float, float]:
        """What it charges from here to there and back; infinity for no way."""
        there, back = (math.inf if gate is None else gate.link.cost for gate in self.ways)
        return there, back


class Atlas:
    """The levels within a limit of a start, laid out.

    start: in its level's own plane. limit: cost, finite. grounds: slow areas by number of the
    level, in its own plane; zones likewise.
    """

    def __init__(
        self,
        levels: Levels,
        first: int,
        start: complex,
        r: float,
        limit: float,
        grounds: Mapping[int, Sequence[WeightedArea]],
        zones: Mapping[int, Sequence[Circle]],
        forbid: Iterable[str],
        slack: float,
    ) -> None:
        self.levels, self.first, self.r = levels, first, r
        self.start, self.limit = start, limit
        barred = frozenset(forbid)
        named = {levels.levels[i].id: discs for i, discs in zones.items()}
        every = levels.gates(r, named, slack)
        self._gates = every
        self._leaving: dict[int, list[int]] = {}
        for k, gate in enumerate(every):
            if gate.link.kind not in barred:
                self._leaving.setdefault(gate.start, []).append(k)
        # Where gates are left, for what at least.
        self.begun = self._spread()
        self.sheets = self._lay(grounds)
        self.prepared = Prepared(
            self._field(), r, self._ground(grounds), list(self._zones(zones)), slack
        )
        self.crossings = [c for k in self.begun for c in self._crossings(k)]

    # What can be come to.

    def _spread(self) -> dict[int, float]:
        """What it costs at least to have taken each gate, as far as the limit."""
        found: dict[int, float] = {}
        heap: list[tuple[float, int]] = []

        def onward(cost: float, level: int, a: complex, b: complex) -> None:
            for k in self._leaving.get(level, ()):
                gate = self._gates[k]
                if k in found:
                    continue
                apart = segment_segment(*_flat(a, b), *_flat(gate.a, gate.b))
                least = cost + apart[0] + gate.link.cost
                if least <= self.limit:
                    heappush(heap, (least, k))

        onward(0.0, self.first, self.start, self.start)
        while heap:
            cost, k = heappop(heap)
            if k not in found:
                found[k] = cost
                gate = self._gates[k]
                onward(cost, gate.end, gate.c, gate.d)
        return found

    def _lay(self, areas: Mapping[int, Sequence[WeightedArea]]) -> dict[int, Sheet]:
        boxes: dict[int, list[float]] = {}

        def take(level: int, a: complex, b: complex, far: float) -> None:
            box = boxes.setdefault(level, [math.inf, math.inf, -math.inf, -math.inf])
            for z in (a, b):
                box[:2] = min(box[0], z.real - far), min(box[1], z.imag - far)
                box[2:] = max(box[2], z.real + far), max(box[3], z.imag + far)

        take(self.first, self.start, self.start, self.limit)
        for k, cost in self.begun.items():
            gate = self._gates[k]
            take(gate.end, gate.c, gate.d, self.limit - cost)
            take(gate.start, gate.a, gate.b, 0.0)
        halves = {
            level: 0.5 * max(box[2] - box[0], box[3] - box[1]) + _SPARE
            for level, box in boxes.items()
        }
        middles = {
            level: 0.5 * complex(box[0] + box[2], box[1] + box[3]) for level, box in boxes.items()
        }
        # What is laid of one level stays clear of all that is laid of others.
        far = max(
            self._far(level, middles[level], halves[level], areas.get(level, ())) for level in boxes
        )
        self._pitch = 2.0 * far + self.limit + _APART
        columns = math.ceil(math.sqrt(len(boxes)))
        found = {}
        for place, (level, middle) in enumerate(middles.items()):
            at = complex(place % columns, place // columns) * self._pitch
            found[level] = Sheet(level, middle, halves[level], at - middle)
        self._columns = columns
        self._order = list(found)
        return found

    def _far(
        self, level: int, middle: complex, half: float, areas: Sequence[WeightedArea]
    ) -> float:
        """How far what is laid of a level goes from its middle, in x or in y."""
        sheet = Sheet(level, middle, half, 0j)
        far = half + 2.0 * _SPARE
        boxes = [(box, 0.0) for box in WeightedGround(areas).boxes]
        boxes += [
            (_box(kind, figures), max(0.0, self.r + thickness))
            for kind, _, figures, thickness in self.levels.levels[level].field.things
        ]
        for box, more in boxes:
            if self._near(sheet, box, more):
                x0, y0, x1, y1 = box
                far = max(far, middle.real - x0, middle.imag - y0)
                far = max(far, x1 - middle.real, y1 - middle.imag)
        return far

    def level_at(self, x: float, y: float) -> int:
        """The level that lies at a place of the atlas."""
        return self._order[round(y / self._pitch) * self._columns + round(x / self._pitch)]

    # What lies there.

    @staticmethod
    def _near(sheet: Sheet, box: Box, more: float) -> bool:
        far = sheet.half + more
        x, y = sheet.middle.real, sheet.middle.imag
        return box[0] < x + far and box[2] > x - far and box[1] < y + far and box[3] > y - far

    def _field(self) -> Field:
        solids, thick, walls, posts, grounds = [], [], [], [], []
        compiled = self.levels.levels[0].compiled
        for sheet in self.sheets.values():
            field = self.levels.levels[sheet.level].field
            for kind, _, figures, thickness in field.things:
                more = max(0.0, self.r + thickness)
                if not self._near(sheet, _box(kind, figures), more):
                    continue
                if kind in ("post", "body"):
                    z = complex(*figures[:2]) + sheet.shift
                    posts.append((z.real, z.imag, figures[2]))
                    continue
                ring = _shifted(figures, sheet.shift)
                if kind == "solid":
                    solids.append(ring)
                    thick.append(thickness)
                elif kind == "wall":
                    walls.append((*ring, thickness))
                else:
                    grounds.append(ring)
            grounds += self._edges(sheet, field)
        return Field.of(
            solids=solids,
            thickness=thick,
            walls=walls,
            posts=posts,
            grounds=grounds,
            compiled=compiled,
        )

    def _edges(self, sheet: Sheet, field: Field) -> list[list[float]]:
        """Rings in place of the edges of a level's table, where they are near."""
        table, r = field.table, self.r
        far, z = sheet.half + _SPARE, sheet.middle
        most = (z.real - far, z.imag - far, z.real + far, z.imag + far)
        inner = (table[0] + r, table[1] + r, table[2] - r, table[3] - r)
        x0, y0 = max(inner[0], most[0]), max(inner[1], most[1])
        x1, y1 = min(inner[2], most[2]), min(inner[3], most[3])
        if (x0, y0, x1, y1) == most:
            return []
        x1, y1 = max(x1, x0 + _SHORT), max(y1, y0 + _SHORT)
        ring = (x0, y0, x1, y0, x1, y1, x0, y1)
        return fence(_shifted(ring, sheet.shift), _SPARE)

    def _zones(self, zones: Mapping[int, Sequence[Circle]]) -> Iterator[Circle]:
        for sheet in self.sheets.values():
            for x, y, radius in zones.get(sheet.level, ()):
                if self._near(sheet, (x - radius, y - radius, x + radius, y + radius), 0.0):
                    z = complex(x, y) + sheet.shift
                    yield z.real, z.imag, radius

    def _ground(self, grounds: Mapping[int, Sequence[WeightedArea]]) -> WeightedGround:
        areas: list[WeightedArea] = []
        for sheet in self.sheets.values():
            # Factors and boxes checked, factors of 1 left out.
            ground = WeightedGround(grounds.get(sheet.level, ()))
            for area, box in zip(ground.areas, ground.boxes, strict=True):
                if not self._near(sheet, box, 0.0):
                    continue
                if isinstance(area, WeightedDisc):
                    z = complex(area.x, area.y) + sheet.shift
                    areas.append(WeightedDisc(z.real, z.imag, area.radius, area.factor))
                else:
                    areas.append(WeightedRing(tuple(_shifted(area.ring, sheet.shift)), area.factor))
        return WeightedGround(areas)

    # Ways from level to level.

    def gates(self) -> Iterator[tuple[Gate, float]]:
        """The gates that can be taken within the limit, and what it costs at least to have."""
        for k, cost in self.begun.items():
            yield self._gates[k], cost

    def _crossings(self, k: int) -> Iterator[Crossing]:
        gate = self._gates[k]
        back = None
        if gate.twin in self.begun:
            if gate.twin < k:
                return
            back = self._gates[gate.twin]
        here, there = self.sheets[gate.start].shift, self.sheets[gate.end].shift
        sides = (_line(gate.a + here, gate.b + here), _line(gate.c + there, gate.d + there))
        if gate.length == 0.0:
            yield Crossing(Curve(sides[0], 1.0, 1.0), Curve(sides[1], 1.0, 1.0), (gate, back), 0.0)
            return
        changes = self.prepared.changes
        cuts = sorted({*cut_at(sides[0], changes), *cut_at(sides[1], changes)})
        cuts = [s for s in cuts if s < gate.length - _SHORT] + [gate.length]
        for begin, end in pairwise(cuts):
            if end - begin <= _SHORT:
                continue
            one, two = (self._even(side.part(begin, min(end, side.length))) for side in sides)
            yield Crossing(one, two, (gate, back), begin)

    def _even(self, leg: Line) -> Curve:
        x, y = leg.at(0.5 * leg.length)
        angle = math.atan2(leg.by - leg.ay, leg.bx - leg.ax)
        return Curve(leg, *self.prepared.ground.beside(x, y, angle))

    @cached_property
    def net(self) -> Net:
        """The nodes on borders and on portals."""
        prepared = self.prepared
        z = self.start + self.sheets[self.first].shift
        start = (z.real, z.imag)
        net = prepared.own_net(start)
        for crossing in self.crossings:
            legs = (crossing.here.leg, crossing.there.leg)
            length = legs[0].length
            near = [nearest_to_point(leg, *start) for leg in legs] if length > _SHORT else []
            sides = [
                (complex(*legs[0].at(s)), complex(*legs[1].at(s))) for s in _marks(near, length)
            ]
            factors = [(c.left, c.right) for c in (crossing.here, crossing.there)]
            net.join(sides, factors, crossing.costs, start)
        return net


def _marks(near: Sequence[Approach], length: float) -> list[float]:
    """Places along a portal: close together, and closer near the start."""
    if length <= _SHORT:
        return [0.0]
    n = math.ceil(length / STEP)
    marks = {length * k / n for k in range(n + 1)}
    for place in near:
        if place.distance < STEP:
            marks |= closer(place)
    kept: list[float] = []
    for s in sorted(s for s in marks if 0.0 <= s <= length):
        if not kept or s - kept[-1] > 1e-6:
            kept.append(s)
    kept[-1] = length
    return kept


def _box(kind: str, figures: Sequence[float]) -> Box:
    """The box of something that stands on a field."""
    if kind in ("post", "body"):
        x, y, radius = figures
        return x - radius, y - radius, x + radius, y + radius
    xs, ys = figures[0::2], figures[1::2]
    return min(xs), min(ys), max(xs), max(ys)


def _line(a: complex, b: complex) -> Line:
    return Line(a.real, a.imag, b.real, b.imag)


def _flat(a: complex, b: complex) -> tuple[float, float, float, float]:
    return a.real, a.imag, b.real, b.imag


def _shifted(flat: Sequence[float], by: complex) -> list[float]:
    return [v + (by.imag if i % 2 else by.real) for i, v in enumerate(flat)]
