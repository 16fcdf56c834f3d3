"""WM-GAP: how narrow a place a stand may go into, and between whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, closer_than, within
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.grid import boxes_meet
from tapeline.geometry.rectangles.gaps import narrow_zone
from tapeline.geometry.rectangles.overlap_centre import middle_near
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    overlaps,
    region_of_rect,
    separation,
)
from tapeline.ranks.bases import Point, apart, rect_of
from tapeline.ranks.motions import box_of_leg, box_of_legs, reverses, spans_of
from tapeline.rules.warmaster.figures import BOOK
from tapeline.rules.warmaster.measures import (
    Barrier,
    MoveSpec,
    MoveStudy,
    StandStudy,
    flies_over,
    near_box,
    study_of,
    terrain_of,
)
from tapeline.rules.warmaster.state import UnitContext, cm, remembered
from tapeline.rules.warmaster.terrain import ground_of, region_of_areas, rings_of
from tapeline.table.outlines import cut_out

__all__ = [
    "Narrow",
    "bars",
    "beside_enemy",
    "gap_between",
    "narrow_places",
    "reaching",
    "sides_near",
]

KeptT = TypeVar("KeptT")


#: Depth given to parts that have none, so that they have a middle, cm.
_DEPTH_CM = 1e-3


@dataclass(frozen=True, slots=True)
class Narrow:
    """A narrow place that a stand goes into: its width, between what, where it is entered, on which
    leg and after what share of it."""

    width: float
    a: Barrier
    b: Barrier
    place: Point
    leg: int
    at: float


#: Zones between stands that are remembered; those beside features are kept with these.
_REMEMBERED = 1 << 12


def gap_between(a: Barrier, b: Barrier) -> float:
    """The distance of two barriers, cm; of a feature with all that bars as one with it."""
    if isinstance(a.shape, Rect) and isinstance(b.shape, Rect):
        return apart(a.shape, b.shape).gap

    def least() -> float:
        return min(separation(one, other).gap for one in _whole(a) for other in _whole(b))

    return _kept(a, b, "gap", least)


def _whole(barrier: Barrier) -> list[Rect | Region]:
    feature = barrier.feature
    return [barrier.shape] if feature is None else [f.region for f in feature.whole]


def reaching(gap: float, width: float) -> float:
    """How far apart the sides of a narrow place may be: no more than they are where they are just
    a width apart, within the tolerance; a hair more would reach far beyond them."""
    return gap if gap > width - TOLERANCE else width


def _zone(a: Barrier, b: Barrier, width: float) -> Region | None:
    """The ground between two barriers where they are no farther apart than that."""
    if isinstance(a.shape, Rect) and isinstance(b.shape, Rect):
        return _zone_of_stands(a.shape, b.shape, width)
    return _kept(a, b, width, lambda: narrow_zone(a.region, b.region, width))


@lru_cache(maxsize=_REMEMBERED)
def _zone_of_stands(a: Rect, b: Rect, width: float) -> Region | None:
    return narrow_zone(region_of_rect(a), region_of_rect(b), width)


def _less_sides(zone: Region, *sides: Barrier) -> Region | None:
    """A zone less the parts of its sides that it reaches into, for who goes over one of them; None
    if nothing is left. Round sides are left out of account."""
    if not zone.outlines:
        return zone
    holes = [hole for side in sides for hole in rings_of(side.region)]
    return region_of_areas(cut_out(rings_of(zone), holes, TOLERANCE))


def _kept(a: Barrier, b: Barrier, what: float | str, work_out: Callable[[], KeptT]) -> KeptT:
    """Something about a feature and another barrier, worked out once and kept with the feature."""
    feature, other = (a.feature, b) if a.feature is not None else (b.feature, a)
    assert feature is not None
    # A feature less the bridges over it is kept apart from the whole of it.
    key = (what, a is other, other.shape if isinstance(other.shape, Rect) else id(other.shape))
    # The other shape is kept too, so that its id stays its own.
    return remembered(feature.known, key, lambda: (work_out(), other.shape), _REMEMBERED)[0]


def _first_entry(stand: StandStudy, zone: Region) -> tuple[Point, int, float] | None:
    """Where the stand first comes into a zone, on which leg, after what share of it; the zone it
    starts in does not count until it has left it once."""
    inside = overlaps(rect_of(stand.body), zone, TOLERANCE)
    for number, (pose, leg) in enumerate(zip(stand.poses, stand.legs, strict=False)):
        if reverses(pose, leg):
            # It sweeps its own base only.
            continue
        if not boxes_meet(box_of_leg(pose, leg), zone.bounds, 0.0):
            inside = False
            continue
        spans, place = spans_of(pose, leg, zone, TOLERANCE)
        spans = tuple(s for s in spans if s.stop > 0.0 and s.start < 1.0)
        if inside and spans and spans[0].start <= 0.0:
            spans = spans[1:]
            place = None
        if spans:
            return place or pose.centre, number, max(0.0, spans[0].start)
        if inside:
            inside = overlaps(stand.poses[number + 1], zone, TOLERANCE)
    return None


def narrow_places(
    stand: StandStudy,
    barriers: Sequence[Barrier],
    width: float,
    counts: Callable[[Barrier, Barrier], bool],
    *,
    strict: bool,
) -> Iterator[Narrow]:
    """Places of at most `width` (less, if strict) between two barriers that a stand goes into.

    counts: whether a place between two barriers is of interest.
    """
    whole = box_of_legs(stand.poses, stand.legs, 0.0)
    if whole is None:
        return
    near = near_box(barriers, whole, width)
    for j, b in enumerate(near):
        for a in near[:j]:
            if not boxes_meet(a.box, b.box, width) or not counts(a, b):
                continue
            gap = gap_between(a, b)
            if within(gap, 0.0):
                continue
            if closer_than(gap, width) if strict else within(gap, width):
                zone = _zone(a, b, reaching(gap, width))
                entry = None if zone is None else _first_entry(stand, zone)
                if zone is not None and entry is not None and _goes_over(stand, a, b):
                    between = _less_sides(zone, a, b)
                    entry = None if between is None else _first_entry(stand, between)
                if entry is not None:
                    yield Narrow(gap, a, b, *entry)


def _finding(
    study: MoveStudy, stand: StandStudy, narrow: Narrow, limit: float, why: str
) -> Finding:
    text = (
        f"{stand.name} goes into the gap between {narrow.a.name} and {narrow.b.name}, "
        f"{cm(narrow.width, limit)} wide; {why}."
    )
    gone = stand.travelled(narrow.leg, narrow.at, study.state.option("dist_metric"))
    return Finding(text, narrow.width, limit, narrow.place, narrow.b.id, travelled=gone)


@BOOK.clause("WM-GAP-1", src="seed", bars=MoveSpec, at=Moment.PATH)
def no_gap_narrower_than_the_stand(ask: UnitContext[MoveSpec]) -> Iterator[Finding]:
    """A stand goes through no gap narrower than its shortest edge, however it is turned.

    The bases see to it that it cannot; the gap is named where it tries, not where it stands beside.
    """
    study = ask.measure(study_of)
    if flies_over(study.spec, (stand.body for stand in study.stands)):
        return
    for stand in study.stands:
        if not stand.meetings and not any(map(reverses, stand.poses, stand.legs)):
            # It runs into nothing at all.
            continue
        edge = min(stand.start.width, stand.start.depth)
        found = narrow_places(
            stand, stand.barriers, edge, lambda a, b: not _charged(study, a, b), strict=True
        )
        for narrow in _each(n for n in found if _goes_over(stand, n.a, n.b)):
            yield _finding(study, stand, narrow, edge, f"its shortest edge is {edge:g}")


@BOOK.clause("WM-GAP-2", src="seed", bars=MoveSpec, at=Moment.PATH)
def gaps_beside_the_enemy_are_wider_than_the_front(ask: UnitContext[MoveSpec]) -> Iterator[Finding]:
    """A gap with an enemy stand on one side, and a stand or feature on the other, must be wider
    than the front of the stand, however it is turned."""
    study = ask.measure(study_of)
    if flies_over(study.spec, (stand.body for stand in study.stands)):
        return
    for stand in study.stands:
        front = stand.start.width
        found = narrow_places(
            stand,
            sides_near(study.state, stand),
            front,
            lambda a, b: beside_enemy(a, b) and not _charged(study, a, b),
            strict=False,
        )
        for narrow in _each(n for n in found if bars(study.state, stand, n)):
            yield _finding(study, stand, narrow, front, f"wider than {front:g} is needed")


#: Decimals of a width, cm: of places as narrow but for rounding the first is named.
_AS_NARROW = 6


def _each(found: Iterable[Narrow]) -> list[Narrow]:
    """The narrowest place between each two units or pieces, the narrowest of all first."""
    narrowest: dict[frozenset[str], Narrow] = {}
    for narrow in sorted(found, key=lambda narrow: round(narrow.width, _AS_NARROW)):
        narrowest.setdefault(frozenset((_of(narrow.a), _of(narrow.b))), narrow)
    return list(narrowest.values())


def _of(side: Barrier) -> str:
    return side.unit if side.feature is None else side.feature.whole[0].id


def bars(state: State, stand: StandStudy, narrow: Narrow) -> bool:
    """Whether a place beside an enemy bars the stand that goes into it. Beside stands of its own
    that have moved, as in all places by `gap_test`, only who goes through is barred: a unit that
    halts side by side before the enemy goes through nothing."""
    own = "placed" in (narrow.a.sort, narrow.b.sort)
    entering = state.option("gap_test") == "enter" and not own
    return entering or _crosses(stand, narrow, stand.start.width)


def beside_enemy(a: Barrier, b: Barrier) -> bool:
    """Whether a side of a gap is an enemy stand."""
    return "foe" in (a.sort, b.sort)


def _goes_over(stand: StandStudy, *sides: Barrier) -> bool:
    """Whether a way leads over one of some barriers."""
    return any(stand.goes_over(side.shape) for side in sides)


def _charged(study: MoveStudy, a: Barrier, b: Barrier) -> bool:
    """Whether a side of a gap is of an enemy unit that a charge ends in contact with (WM-GAP-3)."""
    return study.spec.charges and any(
        side.sort == "foe" and side.unit in study.contacted for side in (a, b)
    )


def sides_near(state: State, stand: StandStudy) -> Sequence[Barrier]:
    """What bounds gaps beside the enemy for a stand: its barriers first, then features near its way
    that may be entered, where those bound gaps too."""
    whole = box_of_legs(stand.poses, stand.legs, stand.start.width)
    if state.option("gap_feature") != "any" or whole is None:
        return stand.barriers
    known = {b.id for b in stand.barriers}
    others = [terrain_of(f) for f in ground_of(state).near(whole) if f.id not in known]
    return [*stand.barriers, *others]


def _crosses(stand: StandStudy, narrow: Narrow, width: float) -> bool:
    """Whether the stand ends with its centre on the other side of the line through the middles of
    the parts that bound the gap."""
    # Parts that are mere edges, at a gap of just that width, are given some depth.
    width = max(width, narrow.width + _DEPTH_CM)
    one = middle_near(narrow.a.region, narrow.b.region, width)
    other = middle_near(narrow.b.region, narrow.a.region, width)
    if one is None or other is None:
        return False

    def side(point: Point) -> float:
        dx, dy = other[0] - one[0], other[1] - one[1]
        return (dx * (point[1] - one[1]) - dy * (point[0] - one[0])) / math.hypot(dx, dy)

    before = side(stand.body.centre)
    after = side(stand.end.centre)
    return before * after < 0.0 and min(abs(before), abs(after)) > TOLERANCE


BOOK.resolves_each("""
WM-GAP-3 (seed) A charge may go in between the stands of units that it ends in contact with.
""")
