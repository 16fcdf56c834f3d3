"""Levels and links: several fields, one a level, and ways from one to another.

    levels = Levels(
        [Level("ground", ground), Level("floor", floor, height=3.0)],
        [Link("l1", "ladder", ("ground", 5, 5), ("floor", 5, 6), cost=3.0)],
        [Portal("p1", "door", ("ground", 0, 9, 4, 9), ("floor", 0, 9, 4, 9), cost=0.0)],
    )
    answer = levels.route(("ground", 1, 1), [("floor", PointGoal(8, 8))], r=0.5)

A link leads from a point to a point. A portal leads from anywhere on a segment to the corresponding
point of a segment as long. Each charges its cost besides the length walked on the levels.

A level may slope: a ramp, stairs. Its field then lies in the ramp's own plane, the plan stretched
along the slope, so that straight lines there are true straight lines; `Slope` stretches shapes.
Places given and taken are plan coordinates; legs of an answer, and circles of goals, lie in the
level's own plane (the same thing on a level that does not slope).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from tapeline.errors import ShapeError
from tapeline.geometry.discs.board import SLACK
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, Goal
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.surfaces.gates import Gates
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Gate, Link, Place, Portal, Side
from tapeline.geometry.surfaces.portal_gaps import Around, FreePiece, FreePieces, Known, Sides
from tapeline.geometry.surfaces.pruning import MANY, least_through
from tapeline.geometry.surfaces.results import reach, route
from tapeline.geometry.surfaces.way_boxes import WayBoxes, by_level

__all__ = ["Levels"]

#: Ways that are looked at first, and how many times as many each time after that; length: how much
#: more than a limit what those of it cost may seem.
_FEW, _MANY, _MORE = 48, 4, 1e-6
#: Of as many times as many what they cost is told at most.
_SPARED = 24
#: Length: how much more than the straight distance they are looked for within first, and last.
_NEARBY, _FAR = 2.0, 32.0

#: Length: how far the two sides of a portal may differ.
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class _Kept:
    """Gates by radius and slack, and radii for which all links were found to be usable."""

    gates: dict[tuple[float, float], Gates] = field(default_factory=dict)
    good: set[tuple[float, str]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Usable:
    """Which ways of some levels as they were made a disc can use, by radius and slack: by number as
    the boxes of these have them, -1 unknown."""

    levels: Levels
    known: dict[tuple[float, float], Any] = field(default_factory=dict)

    def of(self, r: float, slack: float) -> Any:
        """What is known for a radius and a slack, to be filled in. (n,)"""
        found = self.known.get((r, slack))
        if found is None:
            found = np.full(self.levels.boxes().named, -1, dtype=np.int8)
            self.known[r, slack] = found
        return found


@dataclass(slots=True)
class _Fixed:
    """What depends on links and portals alone, whoever stands on the levels: the boxes of their
    ends, worked out from those of the levels these were made from. more: ways that these have not,
    None if any may be new."""

    base: _Fixed | None = None
    boxes: WayBoxes | None = None
    more: Sequence[Link | Portal] | None = None


class _Free(NamedTuple):
    """What a disc can use of links, then portals: the levels that each leads from and to, (n, 2);
    whether it may stand at both ends of each link; the free pieces of each portal."""

    leads: Any
    stands: Any
    pieces: list[FreePieces]


class Levels:
    """Levels, links and portals. Never changes; `with_field` gives another one.

    Raises ShapeError, naming the link, for a level that is not there, numbers that are not finite,
    a cost below 0, a portal without length, or with sides of different lengths.
    """

    _known: Known
    _fixed: _Fixed
    __slots__ = (
        "_boxes", "_changed", "_fixed", "_kept", "_known", "_leading", "_number", "_numbers",
        "_told", "levels", "links", "portals",
    )  # fmt: skip

    def __init__(
        self,
        levels: Iterable[Level],
        links: Iterable[Link] = (),
        portals: Iterable[Portal] = (),
        like: Levels | None = None,
    ) -> None:
        """like: levels that have some of the same ways; what is known of these is known here."""
        self.levels = tuple(levels)
        self.links = tuple(links)
        self.portals = tuple(portals)
        self._number: dict[str, int] = {}
        self._kept = _Kept()
        self._known = Known() if like is None else like._known
        self._fixed = _Fixed(None if like is None else like._fixed)
        self._known.keep(self.portals)
        self._boxes: WayBoxes | None = None
        self._numbers: Any = None
        self._leading: tuple[WayBoxes, Any] | None = None
        # Levels with another field than those that what is known to be usable was found out of.
        self._changed: frozenset[str] = frozenset()
        self._told = _Usable(self)
        self._count()
        seen: set[str] = set()
        for link in self._ways():
            if link.id in seen:
                raise ShapeError(f"there are two links {link.id!r}")
            seen.add(link.id)
            if self._known.sides(link) is None:
                self._sound(link)

    def _count(self) -> None:
        for level in self.levels:
            if level.id in self._number:
                raise ShapeError(f"there are two levels {level.id!r}")
            if not math.isfinite(level.height):
                raise ShapeError(f"level {level.id!r}: the height must be finite")
            self._number[level.id] = len(self._number)
        self._of_one_backend(self.levels)

    def _of_one_backend(self, levels: Iterable[Level]) -> None:
        if len({level.compiled for level in levels}) > 1:
            raise ShapeError("the fields of all levels must run in one backend")

    def _derived(
        self,
        levels: tuple[Level, ...],
        links: tuple[Link, ...],
        portals: tuple[Portal, ...],
        more: Sequence[Link | Portal] = (),
    ) -> Levels:
        """Levels of which only some ways are new; what is known of the others goes along."""
        made = object.__new__(Levels)
        made.levels, made.links, made.portals = levels, links, portals
        made._kept, made._known = _Kept(), self._known
        made._told, made._changed = self._told, self._changed
        if levels is self.levels:
            made._number = self._number
        else:
            made._number = {}
            made._count()
        made._fixed, made._boxes, made._numbers = self._fixed, self._boxes, None
        made._leading = None if made._number is not self._number else self._leading
        if more:
            made._fixed, made._boxes = _Fixed(self._fixed, more=more), None
            had = {way.id for way in self._ways()}
            for way in more:
                if way.id in had:
                    raise ShapeError(f"there are two links {way.id!r}")
                had.add(way.id)
                if self._known.sides(way) is None:
                    made._sound(way)
        return made

    def _ways(self) -> tuple[Link | Portal, ...]:
        return (*self.links, *self.portals)

    def _sound(self, link: Link | Portal) -> None:
        """Raise ShapeError for a link that could never be used."""
        for name, *numbers in (link.start, link.end):
            if name not in self._number:
                raise ShapeError(f"link {link.id!r}: there is no level {name!r}")
            if not all(map(math.isfinite, numbers)):
                raise ShapeError(f"link {link.id!r}: coordinates must be finite")
        if not (math.isfinite(link.cost) and link.cost >= 0.0):
            raise ShapeError(f"link {link.id!r}: a cost must be 0 or more, not {link.cost}")
        sides = a, b, c, d = self._sides(link)
        if isinstance(link, Portal):
            first, second = abs(b - a), abs(d - c)
            if first == 0.0 or second == 0.0:
                raise ShapeError(f"link {link.id!r}: a portal needs length")
            if abs(first - second) > _SAME * max(1.0, first):
                raise ShapeError(
                    f"link {link.id!r}: the sides of a portal are {first} and {second} long"
                )
        self._known.keep_sides(link, sides)

    def _segment(self, side: Side) -> tuple[complex, complex]:
        name, ax, ay, bx, by = side
        return self._point((name, ax, ay)), self._point((name, bx, by))

    def _point(self, place: Place) -> complex:
        level = self.level(place[0])
        return complex(*(place[1:] if level.slope is None else level.own(*place[1:])))

    def number(self, name: str) -> int:
        """Index of a level. ShapeError if there is none of that id."""
        found = self._number.get(name)
        if found is None:
            raise ShapeError(f"there is no level {name!r}")
        return found

    def level(self, name: str) -> Level:
        """A level by id. ShapeError if there is none."""
        return self.levels[self.number(name)]

    def with_field(self, name: str, new: Field) -> Levels:
        """With another field on a level: bodies there came, went or moved."""
        at = self.number(name)
        old = self.levels[at]
        made = self._derived(self.levels, self.links, self.portals)
        made._numbers, made._changed = self._numbers, self._changed | {name}
        changed = Level(old.id, new, old.height, old.slope)
        self._of_one_backend((old, changed))
        made.levels = (*self.levels[:at], changed, *self.levels[at + 1 :])
        return made

    def with_more(
        self,
        levels: Iterable[Level] = (),
        links: Iterable[Link] = (),
        portals: Iterable[Portal] = (),
    ) -> Levels:
        """With more levels, in the backend of these, and ways. ShapeError as when they are given at
        first."""
        links, portals = tuple(links), tuple(portals)
        more = [level.on_backend(self.levels[0].compiled) for level in levels]
        return self._derived(
            (*self.levels, *more),
            (*self.links, *links),
            (*self.portals, *portals),
            (*links, *portals),
        )

    def keeping(self, stays: Callable[[Link | Portal], bool]) -> Levels:
        """With only some of the links and portals."""
        kept = [*map(stays, self._ways())]
        links, portals = compress(self.links, kept), compress(self.portals, kept[len(self.links) :])
        made = self._derived(self.levels, tuple(links), tuple(portals))
        if self._numbers is not None:
            made._numbers = self._numbers[np.array(kept, dtype=bool)]
        return made

    def boxes(self) -> WayBoxes:
        """Its links and portals, and those left out of it, by the boxes of their ends."""
        if self._boxes is None:
            self._boxes = self._boxed(self._fixed)
        return self._boxes

    def numbers(self) -> Any:
        """Its links, then its portals, by number, as `boxes` has them. An array."""
        if self._numbers is None:
            self._numbers = np.array([*map(self.boxes().number, self._ways())], dtype=np.int64)
        return self._numbers

    def _boxed(self, fixed: _Fixed) -> WayBoxes:
        known, more = fixed.boxes, self._ways()
        if known is None and fixed.base is not None:
            known = self._boxed_before(fixed.base)
            if fixed.more is not None and known is fixed.base.boxes is not None:
                more = (*fixed.more,)
        fresh = [way for way in more if known is None or known.number(way) < 0]
        if fresh or known is None:
            known = WayBoxes(fresh, [self.sides(way) for way in fresh], known)
        fixed.boxes = known
        return known

    def _boxed_before(self, fixed: _Fixed) -> WayBoxes | None:
        """What is known of the levels that these were made from."""
        if fixed.boxes is None and fixed.base is not None:
            return self._boxed_before(fixed.base)
        return fixed.boxes

    def sides(self, way: Link | Portal) -> Sides:
        """Where a way is entered, from and to, and left, in the levels' own planes, x + y i."""
        known = self._known.sides(way)
        if known is None:
            known = self._sides(way)
            self._known.keep_sides(way, known)
        return known

    def _sides(self, way: Link | Portal) -> Sides:
        if isinstance(way, Portal):
            return (*self._segment(way.start), *self._segment(way.end))
        a, c = self._point(way.start), self._point(way.end)
        return a, a, c, c

    def within(
        self,
        start: Place,
        goals: Sequence[tuple[str, Goal]],
        limit: float,
        spare: Mapping[str, float] | None = None,
    ) -> Levels:
        """Without the links, portals and levels that no route to the goals within a limit takes;
        without a limit, without those that lead from the start to no goal.

        spare: of links by id, how far off each may be entered and left, and how much less charged.
        Told by straight distances alone, so that the cheapest routes within the limit stay, their
        ties and their order too.
        """
        stay = least_through(self, start, goals, limit, spare) < math.inf
        return self._with_only(stay, start, goals)

    def nearest_first(
        self,
        start: Place,
        goals: Sequence[tuple[str, Goal]],
        limit: float,
        r: float,
        slack: float = SLACK,
    ) -> Iterator[tuple[Levels, float]]:
        """Ever more of the levels, each as `within` a limit, told by the same distances; at last
        within the whole limit. Ways that a disc of radius r cannot use are left out as far as they
        are come to.

        Of very many ways a route mostly takes some of the few by which it could be the shortest.
        Nothing is looked for within less than the straight distance on the plan: a way may lead a
        little aside for nothing, but hardly ever by that much.
        """
        ways = self.links, self.portals
        count, straight = sum(map(len, ways)), self._straight(start, goals)
        if count <= _FEW:
            if count or any(name == start[0] for name, _ in goals):
                levels = self._used(ways, start, goals)
                fewer = len(levels) < len(self.levels)
                yield self._derived(levels, *ways) if fewer else self, limit
            return
        few, whole = _FEW, False
        used, told, places, names = self._known_to_use(r, slack)
        far = straight + _NEARBY if count > MANY else limit
        may = anything = np.ones(count, dtype=bool)
        while not whole:
            # That there are enough ways for a stage, and which, is told within much less mostly.
            while True:
                far = min(far, limit)
                least = least_through(self, start, goals, far, open_=(used != 0) & may)
                if far == limit or np.count_nonzero(least <= far) >= _MANY * few:
                    break
                more, may = 2.0 * (far - straight), anything
                far = straight + more if more <= _FAR else limit
            order = np.sort(least[least < math.inf])
            whole = _MANY * few > len(order)
            if count > MANY and len(order) > _SPARED * few:
                far = min(far, max(float(order[_SPARED * few]), straight + _NEARBY))
            # When some turn out to be of no use none of those farther off comes nearer.
            may = (least <= far) & (least < math.inf)
            most = limit if whole else float(order[few])
            stay = least < math.inf if whole else least <= most + _MORE
            if whole or most > straight:
                any_shut = self._look_at(used, stay, start[0], r, slack)
                told[names] = used[places]
                if any_shut:
                    whole = False
                    continue
                if stay.any() or any(name == start[0] for name, _ in goals):
                    yield self._with_only(stay, start, goals), most
            few *= _MANY

    def _known_to_use(self, r: float, slack: float) -> tuple[Any, Any, Any, Any]:
        """Which of its links and portals a disc can use, as far as that is known, -1 unknown; where
        what is found out is kept, of which of them, and at which places there."""
        boxes, numbers, home = self.boxes(), self.numbers(), self._told.levels.boxes()
        used = np.full(len(numbers), -1, dtype=np.int8)
        told, names = self._told.of(r, slack), boxes.rows.names[numbers]
        same = (names < home.named) & boxes.comes_from(home)
        for name in self._changed & boxes.levels.keys():
            same &= (boxes.rows.leads[numbers] != boxes.levels[name]).all(axis=1)
        places = np.flatnonzero(same)
        used[places] = told[names[places]]
        return used, told, places, names[places]

    def _look_at(self, used: Any, stay: Any, start: str, r: float, slack: float) -> bool:
        """Find out which of some ways a disc can use, from level to level; whether there are some
        that it cannot.

        used: of each link and portal, -1 unknown, to be filled in. stay: those that are looked at.
        """
        boxes, numbers = self.boxes(), self.numbers()
        leads, both = boxes.rows.leads[numbers], boxes.rows.cost[numbers, 1] < math.inf
        reached = np.zeros(len(boxes.levels), dtype=bool)
        if start in boxes.levels:
            reached[boxes.levels[start]] = True
        any_shut = False
        while True:
            there = reached[leads]
            entered = stay & (there[:, 0] | both & there[:, 1])
            new = np.flatnonzero(entered & (used < 0))
            used[new] = self._usable(new, r, slack)
            any_shut = any_shut or not used[new].all()
            onward = leads[entered & (used > 0)]
            if reached[onward].all():
                return any_shut
            reached[onward] = True

    def _straight(self, start: Place, goals: Sequence[tuple[str, Goal]]) -> float:
        """How far the nearest of some goals is on the plan."""
        radii = (goal.radius if isinstance(goal, CircleGoal) else 0.0 for _, goal in goals)
        away = (math.dist(start[1:], (goal.x, goal.y)) for _, goal in goals)
        return min((abs(d - r) for d, r in zip(away, radii, strict=True)), default=0.0)

    def _with_only(self, stay: Any, start: Place, goals: Sequence[tuple[str, Goal]]) -> Levels:
        """With some of the links and portals, told by number, and the levels that these need."""
        kept = stay.tolist()
        links = tuple(compress(self.links, kept))
        portals = tuple(compress(self.portals, kept[len(self.links) :]))
        made = self._derived(self._used((links, portals), start, goals), links, portals)
        made._boxes = self.boxes().only(self.numbers()[stay].tolist())
        made._fixed, made._numbers = _Fixed(boxes=made._boxes), np.arange(len(links) + len(portals))
        return made

    def _used(
        self,
        some: Iterable[Iterable[Link | Portal]],
        start: Place,
        goals: Sequence[tuple[str, Goal]],
    ) -> tuple[Level, ...]:
        """The levels that some ways, a start and goals need."""
        used = {start[0], *(name for name, _ in goals)}
        used |= {end for ways in some for way in ways for end in (way.start[0], way.end[0])}
        return tuple(level for level in self.levels if level.id in used)

    def on_backend(self, compiled: bool) -> Levels:
        """The same levels in plain Python or compiled."""
        turned = [level.on_backend(compiled) for level in self.levels]
        return Levels(turned, self.links, self.portals)

    def check(self, r: float, forbid: Iterable[str] = (), slack: float = SLACK) -> None:
        """Raise ShapeError, naming the link, if a disc of radius r can never stand at its ends.

        Ends that only a body stands on are no fault: the link is closed while it stands there.
        """
        barred = frozenset(forbid)
        for link in self._ways():
            if link.kind in barred or (r, link.id) in self._kept.good:
                continue
            for name, *numbers in (link.start, link.end):
                level = self.level(name)
                ends = [level.own(*numbers[i : i + 2]) for i in range(0, len(numbers), 2)]
                for x, y in ends:
                    if level.field.standable(x, y, r, slack):
                        continue
                    bare = level.field.removed(*level.field.bodies)
                    if not bare.standable(x, y, r, slack):
                        raise ShapeError(
                            f"link {link.id!r}: a disc of radius {r} cannot stand at "
                            f"{level.plan(x, y)} on level {name!r}"
                        )
            self._kept.good.add((r, link.id))

    def gates(
        self,
        r: float,
        zones: Mapping[str, Sequence[Circle]] | None = None,
        slack: float = SLACK,
    ) -> tuple[Gate, ...]:
        """Links and free pieces of portals that a disc of radius r can use now."""
        return tuple(self.matrix(r, zones, slack))

    def matrix(
        self,
        r: float,
        zones: Mapping[str, Sequence[Circle]] | None = None,
        slack: float = SLACK,
    ) -> Gates:
        """The gates that a disc of radius r can use now, laid out flat."""
        if zones:
            return self._gates(r, zones, slack)
        found = self._kept.gates.get((r, slack))
        if found is None:
            found = self._kept.gates[r, slack] = self._gates(r, {}, slack)
        return found

    def _gates(self, r: float, zones: Mapping[str, Sequence[Circle]], slack: float) -> Gates:
        boxes, ways, first = self.boxes(), self._ways(), len(self.links)
        places = self.numbers()
        found = self._free(np.arange(len(ways)), r, zones, slack)
        # Where others meet either side of a portal, a way that goes through both has no leg between
        # them, and may turn.
        numbers: list[int] = []
        pieces: list[FreePiece] = []
        cuts = boxes.cuts(places[first:].tolist()) if self.portals else []
        for k, (free, shares) in enumerate(zip(found.pieces, cuts, strict=True), first):
            cut = free.cut(shares)
            numbers += [k] * len(cut)
            pieces += cut
        whole = np.flatnonzero(found.stands)
        those = np.concatenate((whole, np.array(numbers, dtype=np.int64)))
        both = boxes.rows.cost[places[those], 1] < math.inf
        points = boxes.rows.sides[places[whole]]
        return Gates(ways, those, found.leads[those], points, pieces, both)

    def _leads(self) -> Any:
        """The numbers of the levels that each way leads from and to, by number as `boxes` has them;
        -1 where it is none of these. An array."""
        boxes = self.boxes()
        if self._leading is None or self._leading[0] is not boxes:
            names = [self._number.get(name, -1) for name in boxes.levels]
            self._leading = boxes, np.array(names, dtype=np.int64)[boxes.rows.leads]
        return self._leading[1]

    def _usable(self, some: Any, r: float, slack: float) -> Any:
        """Whether a disc can use some links and portals, ascending by number. (n,)"""
        found = self._free(some, r, {}, slack)
        return [*found.stands.tolist(), *(bool(free.runs) for free in found.pieces)]

    def _free(
        self, some: Any, r: float, zones: Mapping[str, Sequence[Circle]], slack: float
    ) -> _Free:
        """What of some links and portals, ascending by number, a disc can use."""
        boxes, places = self.boxes(), self.numbers()[some]
        leads, sides = self._leads()[places], boxes.rows.sides[places]
        # Of those levels alone that a way leads to.
        used = np.unique(leads).tolist()
        around = {at: self.around(at, r, zones, slack) for at in used}
        first = int(np.searchsorted(some, len(self.links)))
        points, on = sides[:first, ::2].ravel(), leads[:first].ravel()
        stands = np.zeros(len(points), dtype=bool)
        for level, there in by_level(on, np.arange(len(on))).items():
            stands[there] = around[level].all_stand(points[there].tolist())
        portals = [self.portals[k] for k in (some[first:] - len(self.links)).tolist()]
        rows = zip(portals, leads[first:].tolist(), sides[first:].tolist(), strict=True)
        pieces = [
            self._known.pieces(portal, (around[i], a, b), (around[j], c, d))
            for portal, (i, j), (a, b, c, d) in rows
        ]
        return _Free(leads, stands.reshape(-1, 2).all(axis=1), pieces)

    def around(
        self, at: int, r: float, zones: Mapping[str, Sequence[Circle]], slack: float
    ) -> Around:
        """A level as a disc finds it."""
        level = self.levels[at]
        return self._known.around(level.field, r, slack, zones.get(level.id, ()))

    def room(
        self, gate: Gate, leaving: bool, side: int, r: float, zones: Sequence[Circle], slack: float
    ) -> bool:
        """Whether a disc may stand anywhere just beside where a gate is entered, or left: to its
        left for side 1, to its right for -1. zones: of that level."""
        at, a, b = (gate.end, gate.c, gate.d) if leaving else (gate.start, gate.a, gate.b)
        around = self.around(at, r, {self.levels[at].id: zones}, slack)
        boxes = self.boxes()
        p, q, s, t = boxes.rows.sides[boxes.number(gate.link)].tolist()
        # A gate leads on as its portal does, on whose first side it is a piece, or back.
        along = abs(gate.a - p) + abs(gate.b - gate.a) + abs(q - gate.b)
        same = gate.start == self._number[gate.link.start[0]]
        forward = same and along <= abs(q - p) * (1.0 + _SAME)
        whole = (s, t) if forward == leaving else (p, q)
        return self._known.room(gate.link, (around, *whole), (a, b), side)

    #: The cheapest route of a disc, and where one can get to: see `surfaces.results`.
    route = route
    reach = reach
