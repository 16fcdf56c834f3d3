"""Free pieces of portals: where along one a disc may stand on both sides.

What stands still decides most of it, and is worked out once for all tables that share it. A portal
near which no body has moved has the same pieces as before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.discs.shortest_path import Query
from tapeline.geometry.surfaces.portal_marks import CLEAR, moving, standing

__all__ = ["Around", "FreePiece", "FreePieces", "Known", "Sides", "just_beside"]

#: Length: just beside a portal, so far off that no slack reaches there.
_BESIDE, _SLACKS = 1e-7, 4.0
#: Constellations of bodies beside a portal that are remembered.
_CONSTELLATIONS = 64

#: Grounds of levels that are remembered, places on one, and portals to one by whither they lead.
_GROUNDS, _PLACES, _NEIGHBOURS = 2048, 4096, 512
#: Ways of which is remembered where they are entered and left.
_WAYS = 16_384

#: Length: shorter free pieces are points.
_POINT = 1e-11
#: Most marks on a window: places whose cost is noted so that dearer images are not taken up.
_MARKS = 32

#: Where a way is entered, from and to, and left, in the levels' own planes, x + y i.
Sides: TypeAlias = tuple[complex, complex, complex, complex]
#: Ends of free pieces, as fractions of a portal.
Runs: TypeAlias = list[tuple[float, float]]


class Around:
    """A level as a disc of radius r finds it in one search: its field and its zones."""

    __slots__ = ("_query", "_round", "_stood", "field", "pieces", "r", "slack", "zones")

    def __init__(self, field: Field, r: float, slack: float, zones: Sequence[Circle]) -> None:
        self.field, self.r, self.slack, self.zones = field, r, slack, tuple(zones)
        # What is not there for good: x, y, how near the centre may come.
        self._round = [(x, y, radius + r) for x, y, radius in field.bodies.values()]
        self._round += self.zones
        self._query: Query | None = None
        self._stood: dict[complex, bool] = {}
        #: Pieces of portals from here to others as they are found, by identity of both.
        self.pieces: dict[tuple[int, int], tuple[object, Around, FreePieces]] = {}

    @property
    def query(self) -> Query:
        """What searches take of it."""
        if self._query is None:
            self._query = Query(self.field, self.r, self.zones, self.slack)
        return self._query

    def free(self, places: Sequence[complex]) -> list[bool]:
        """Whether the disc may stand at each of some places of the level's own plane."""
        flat = [v for z in places for v in (z.real, z.imag)]
        found = self.field.walked(flat, range(len(places) + 1), self.r, self.slack)
        return [
            bool(v)
            and all(
                math.hypot(z.real - x, z.imag - y) >= reach - self.slack
                for x, y, reach in self.zones
            )
            for z, v in zip(places, found, strict=True)
        ]

    def all_stand(self, places: Sequence[complex]) -> list[bool]:
        """As `free`, remembered."""
        known = self._stood
        if len(known) > _PLACES:
            known.clear()
        fresh = [z for z in places if z not in known]
        if fresh:
            known.update(zip(fresh, self.free(fresh), strict=True))
        return [known[z] for z in places]

    def beside(self, p: complex, q: complex) -> tuple[Circle, ...]:
        """Circles of bodies and zones that may touch a segment."""
        if not self._round:
            return ()
        x0, x1 = (p.real, q.real) if p.real <= q.real else (q.real, p.real)
        y0, y1 = (p.imag, q.imag) if p.imag <= q.imag else (q.imag, p.imag)
        return tuple(
            (x, y, reach)
            for x, y, reach in self._round
            if x0 - reach - CLEAR < x < x1 + reach + CLEAR
            and y0 - reach - CLEAR < y < y1 + reach + CLEAR
        )


#: One side of a portal: what is around it, and the segment in the level's own plane.
End: TypeAlias = tuple[Around, complex, complex]


class FreePiece(NamedTuple):
    """A free piece of a portal, or a part of one, in its levels' own planes.

    sides: where it is entered, from and to, and left. lengths: of either; a point has none. marks:
    into how many parts marks divide it, taken there and back. room: whether there is room beside
    it, as it is entered right and left of it, and left so; -1 unknown, to be filled in.
    """

    sides: Sides
    lengths: tuple[float, float]
    marks: tuple[int, int]
    room: list[int]


def _marks(length: float, other: float) -> int:
    """Into how many parts marks divide a window with sides so long; 0 for a point."""
    return 0 if length == 0.0 else max(1, min(_MARKS, math.ceil(max(length, other))))


class FreePieces:
    """The free pieces of a portal, single free places among them."""

    __slots__ = ("_parts", "_pieces", "_sides", "runs")

    def __init__(self, runs: Runs, sides: Sides) -> None:
        self.runs, self._sides = runs, sides
        self._parts: dict[tuple[float, float], FreePiece] = {}
        self._pieces: dict[frozenset[float], list[FreePiece]] = {}

    def cut(self, shares: frozenset[float]) -> list[FreePiece]:
        """The pieces, cut where others meet the portal."""
        found = self._pieces.get(shares)
        if found is None:
            found = self._pieces[shares] = []
            for begin, end in self.runs:
                marks = [begin, *sorted(t for t in shares if begin < t < end), end]
                found += (self._part(low, high) for low, high in pairwise(marks))
        return found

    def _part(self, low: float, high: float) -> FreePiece:
        known = self._parts.get((low, high))
        if known is None:
            a, b, c, d = self._sides
            along, onward = b - a, d - c
            end = low if (high - low) * abs(along) <= _POINT else high
            sides = (a + low * along, a + end * along, c + low * onward, c + end * onward)
            here, there = abs(sides[1] - sides[0]), abs(sides[3] - sides[2])
            marks = (_marks(here, there), _marks(there, here))
            known = FreePiece(sides, (here, there), marks, [-1, -1, -1, -1])
            self._parts[low, high] = known
        return known


class _Portal:
    """What is known of a portal for a radius, a slack and two grounds."""

    __slots__ = ("grounds", "marks", "pieces")

    def __init__(self, grounds: tuple[object, object], marks: tuple[float, ...]) -> None:
        self.grounds, self.marks = grounds, marks
        self.pieces: dict[tuple[tuple[Circle, ...], ...], FreePieces] = {}


class _Beside:
    """What is known of a line just beside a portal, on a ground."""

    __slots__ = ("ground", "marks", "room")

    def __init__(self, ground: object, marks: Sequence[float]) -> None:
        self.ground, self.marks = ground, marks
        self.room: dict[tuple[float, float, tuple[Circle, ...]], bool] = {}


class Known:
    """What is known of the portals of a table, whatever stands beside them."""

    __slots__ = ("_around", "_beside", "_home", "_portals", "_sides")

    def __init__(self) -> None:
        # Portals by identity: others, made for one search, are not remembered.
        self._home: dict[int, object] = {}
        self._portals: dict[tuple[int, float, float], _Portal] = {}
        self._beside: dict[tuple[int, int, float, float, complex, complex], _Beside] = {}
        self._around: dict[tuple[int, float, float], Around] = {}
        self._sides: dict[int, tuple[object, Sides]] = {}

    def sides(self, way: object) -> Sides | None:
        """Where a way is entered and left, if it was found to be sound and is remembered."""
        known = self._sides.get(id(way))
        return None if known is None or known[0] is not way else known[1]

    def keep_sides(self, way: object, sides: Sides) -> None:
        """Remember where a sound way is entered and left."""
        if len(self._sides) >= _WAYS:
            self._sides.clear()
        self._sides[id(way)] = way, sides

    def keep(self, portals: Iterable[object]) -> None:
        """Remember what is found out of some more portals."""
        self._home.update((id(portal), portal) for portal in portals)

    def around(self, field: Field, r: float, slack: float, zones: Sequence[Circle]) -> Around:
        """A level as a disc finds it; kept for a field without zones."""
        if zones:
            return Around(field, r, slack, zones)
        key = (id(field), r, slack)
        known = self._around.get(key)
        if known is None:
            if len(self._around) >= _GROUNDS:
                self._around.clear()
            known = self._around[key] = Around(field, r, slack, ())
        return known

    def pieces(self, portal: object, one: End, two: End) -> FreePieces:
        """The free pieces of a portal."""
        here, there = one[0], two[0]
        known = here.pieces.get((id(portal), id(there)))
        if known is None or known[0] is not portal or known[1] is not there:
            if len(here.pieces) >= _NEIGHBOURS:
                here.pieces.clear()
            known = portal, there, self._pieces(portal, one, two)
            here.pieces[id(portal), id(there)] = known
        return known[2]

    def _pieces(self, portal: object, one: End, two: End) -> FreePieces:
        (here, a, b), (there, c, d) = one, two
        sides = (here.beside(a, b), there.beside(c, d))
        # The first of a board's arrays stays the same as long as only bodies come, go and move.
        grounds = (here.field.board[0], there.field.board[0])
        key = (id(portal), here.r, here.slack)
        known = self._portals.get(key)
        if known is None or any(g is not h for g, h in zip(known.grounds, grounds, strict=True)):
            marks = *standing(here.field, here.r, a, b), *standing(there.field, there.r, c, d)
            known = _Portal(grounds, marks)
            if id(portal) in self._home:
                self._portals[key] = known
        found = known.pieces.get(sides)
        if found is None:
            order = {0.0, 1.0, *known.marks, *moving(sides[0], a, b), *moving(sides[1], c, d)}

            def free(shares: Sequence[float]) -> list[bool]:
                one = here.free([a + t * (b - a) for t in shares])
                two = there.free([c + t * (d - c) for t in shares])
                return [v and w for v, w in zip(one, two, strict=True)]

            if len(known.pieces) >= _CONSTELLATIONS:
                known.pieces.clear()
            found = FreePieces(_runs(sorted(order), free), (a, b, c, d))
            known.pieces[sides] = found
        return found

    def room(self, portal: object, end: End, piece: tuple[complex, complex], side: int) -> bool:
        """Whether a disc may stand anywhere just beside a piece of a portal: to the left of it for
        side 1, to the right for -1. end: of the whole portal."""
        around, a, b = end
        off = side * just_beside(around.slack) * 1j * (b - a) / abs(b - a)
        p, q = a + off, b + off
        ground = around.field.board[0]
        key = (id(portal), id(ground), around.r, around.slack, p, q)
        known = self._beside.get(key)
        if known is None:
            known = _Beside(ground, standing(around.field, around.r, p, q))
            if id(portal) in self._home:
                if len(self._beside) >= _CONSTELLATIONS * len(self._home):
                    self._beside.clear()
                self._beside[key] = known
        circles = around.beside(*(z + off for z in piece))
        begin, stop = (((z - a) / (b - a)).real for z in piece)
        found = known.room.get((begin, stop, circles))
        if found is None:
            inner = (t for t in (*known.marks, *moving(circles, p, q)) if begin < t < stop)
            order = sorted({begin, stop, *inner})
            places = [0.5 * (t + u) for t, u in pairwise(order)] + order
            found = any(around.free([p + t * (q - p) for t in places]))
            if len(known.room) >= _CONSTELLATIONS:
                known.room.clear()
            known.room[begin, stop, circles] = found
        return found


def just_beside(slack: float) -> float:
    """How far off a portal is just beside it."""
    return _SLACKS * slack + _BESIDE


def _runs(order: Sequence[float], free: Callable[[Sequence[float]], Sequence[bool]]) -> Runs:
    """Free pieces between marks, single free marks among them."""
    runs: Runs = []
    open_at: float | None = None
    last = len(order) - 1
    known = free([*order, *(0.5 * (t + u) for t, u in pairwise(order))])
    for k, t in enumerate(order):
        here, onward = known[k], k < last and known[last + 1 + k]
        if open_at is not None and not here:
            runs.append((open_at, t))
            open_at = None
        if onward and open_at is None:
            open_at = t
        elif not onward:
            if open_at is not None:
                runs.append((open_at, t))
                open_at = None
            elif here and not (k > 0 and runs and runs[-1][1] == t):
                runs.append((t, t))
    return runs
