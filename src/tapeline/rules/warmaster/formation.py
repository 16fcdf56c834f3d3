"""WM-FORM, WM-SIZE, WM-PACE: stands in contact, column and line; how far a unit may go."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tapeline.engine.limits import TOLERANCE, overlaps, within
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect, region_of_segment, separation
from tapeline.ranks.bases import Point, alike, angle_between, in_contact, rect_of, touch
from tapeline.rules.warmaster.actions import CHARGE_KINDS
from tapeline.rules.warmaster.figures import (
    ADVANCE_CM,
    BOOK,
    COLUMN_BEND_DEG,
    FLYER_CHARGE_CM,
    flies,
    full_pace,
)
from tapeline.rules.warmaster.state import kept_while_placed, rects_of, stands_of, units_on_table
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit

__all__ = [
    "Formation",
    "engaged_stands",
    "engaged_units",
    "formation_now",
    "formation_of",
    "fortified_stands",
    "goes_by_road",
    "in_dense",
    "is_column",
    "is_engaged",
    "islands",
    "pace_of",
    "shunned",
    "turns_beyond",
]


@kept_while_placed
def _fights(state: State) -> tuple[frozenset[str], frozenset[str]]:
    """Ids of the stands that touch an enemy stand, and of the units that fight."""
    stands = [
        (rect_of(body), body.id, unit)
        for unit in units_on_table(state)
        for body in stands_of(state, unit)
    ]
    stands.sort(key=lambda stand: stand[0].x - stand[0].reach)
    fighting: set[str] = set()
    found: set[str] = set()
    friends: list[tuple[str, str, str, str]] = []
    for index, (a, stand, unit) in enumerate(stands):
        far = a.x + a.reach + TOLERANCE
        for b, other, its in stands[index + 1 :]:
            if b.x - b.reach > far:
                break
            if its.id == unit.id or not in_contact(a, b):
                continue
            if its.side != unit.side:
                fighting.update((stand, other))
                found.update((unit.id, its.id))
            else:
                friends.append((stand, unit.id, other, its.id))
    for stand, unit_id, other, its_id in friends:
        if other in fighting:
            found.add(unit_id)
        if stand in fighting:
            found.add(its_id)
    return frozenset(fighting), frozenset(found)


def engaged_stands(state: State) -> frozenset[str]:
    """Ids of all stands that touch an enemy stand."""
    return _fights(state)[0]


def engaged_units(state: State) -> frozenset[str]:
    """Ids of all units that fight."""
    return _fights(state)[1]


def is_engaged(state: State, unit: Unit) -> bool:
    """Whether a unit fights: a stand of it touches an enemy stand, or it supports one that does.

    A unit supports a friendly unit when a stand of it touches one that is itself in a fight.
    """
    return unit.id in engaged_units(state)


def shunned(state: State, unit: Unit) -> Iterator[Unit]:
    """The units that an evade ends clear of: enemies, and whoever fights."""
    for other in units_on_table(state):
        if other.id != unit.id and (other.side != unit.side or is_engaged(state, other)):
            yield other


#: Arrangements of stands whose formation is remembered.
_FORMATIONS = 1 << 12


class Formation(StrEnum):
    """How the stands of a unit lie to each other."""

    LINE = "line"
    COLUMN = "column"
    IRREGULAR = "irregular"
    BROKEN = "broken"

    @property
    def regular(self) -> bool:
        """Whether the unit moves at full pace (WM-PACE-4)."""
        return self in (Formation.LINE, Formation.COLUMN)


def _meet(a: Point, b: Point) -> bool:
    return math.dist(a, b) <= TOLERANCE


def islands(rects: Sequence[Rect]) -> list[list[int]]:
    """The parts of a unit that hang together by contact, as indices."""
    left = list(range(len(rects)))
    found = []
    while left:
        group, edge = [left[0]], [left.pop(0)]
        while edge:
            at = edge.pop()
            for other in [i for i in left if touch(rects[at], rects[i])]:
                left.remove(other)
                group.append(other)
                edge.append(other)
        found.append(sorted(group))
    return found


def hangs_together(rects: Sequence[Rect]) -> bool:
    """Whether every stand is joined to the others by contact, and none overlap (WM-FORM-1)."""
    if len(islands(rects)) > 1:
        return False
    return not any(overlaps(separation(a, b).depth) for i, a in enumerate(rects) for b in rects[:i])


def is_line(rects: Sequence[Rect]) -> bool:
    """Whether stands form a line: one facing, whole side edges shared (WM-FORM-4)."""
    first = rects[0]
    if any(not alike(first, rect) for rect in rects[1:]):
        return False
    # From left to right as the unit faces.
    row = sorted(rects, key=lambda r: r.x * first.uy - r.y * first.ux)
    for a, b in itertools.pairwise(row):
        front_right, _, _, rear_right = a.corners
        _, front_left, rear_left, _ = b.corners
        if not (_meet(front_right, front_left) and _meet(rear_right, rear_left)):
            return False
    return True


def is_column(rects: Sequence[Rect], joint: str) -> bool:
    """Whether stands follow one another, each joined to the one ahead (WM-FORM-3).

    joint: "strict" or "any_point".
    """
    count = len(rects)
    follows = [
        [i != j and _joined(rects[i], rects[j], joint) for j in range(count)] for i in range(count)
    ]

    def goes_on(order: list[int]) -> bool:
        if len(order) == count:
            return True
        return any(
            follows[order[-1]][j] and goes_on([*order, j]) for j in range(count) if j not in order
        )

    return any(goes_on([head]) for head in range(count))


def turns_beyond(angle: float, most: float, arm: float) -> bool:
    """Whether an angle, radians, is more than `most` degrees: what is over moves a corner, so far
    from what it turns about, by more than the tolerance."""
    return (angle - math.radians(most)) * arm > TOLERANCE


def _joined(lead: Rect, follower: Rect, joint: str) -> bool:
    bend = abs(angle_between(lead, follower))
    if turns_beyond(bend, COLUMN_BEND_DEG, max(lead.reach, follower.reach)):
        return False
    if lead.local(follower.centre)[0] >= -0.5 * lead.depth + TOLERANCE:
        return False
    if follower.local(lead.centre)[0] <= 0.5 * follower.depth - TOLERANCE:
        return False
    if overlaps(separation(lead, follower).depth):
        return False
    _, _, rear_left, rear_right = lead.corners
    front_right, front_left, _, _ = follower.corners
    left, right = _meet(rear_left, front_left), _meet(rear_right, front_right)
    if left or right:
        return True
    if joint == "strict":
        return False
    rear = region_of_segment(rear_left, rear_right)
    return within(separation(rear, region_of_segment(front_left, front_right)).gap, 0.0)


def formation_of(rects: Sequence[Rect], joint: str) -> Formation:
    """The formation of stands (3.4 of the notes); one stand alone is a line."""
    return _formation(tuple(rects), joint)


def formation_now(state: State, unit: Unit) -> Formation:
    """The formation that a unit stands in."""
    return formation_of(rects_of(state, unit), state.option("column_joint"))


@lru_cache(maxsize=_FORMATIONS)
def _formation(rects: tuple[Rect, ...], joint: str) -> Formation:
    if not hangs_together(rects):
        return Formation.BROKEN
    if is_line(rects):
        return Formation.LINE
    return Formation.COLUMN if is_column(rects, joint) else Formation.IRREGULAR


def goes_by_road(state: State, unit: Unit) -> bool:
    """Whether roads carry a unit through ground that is barred to it (WM-TER-14): one in column,
    or one of a single stand, which is a line and a column at once."""
    several = len(stands_of(state, unit)) != 1
    return not several or formation_now(state, unit) is Formation.COLUMN


BOOK.resolves_each("""
WM-FORM-2 (seed) Stands touch along an edge or at a point; any arrangement that does is a formation.
WM-FORM-3 (seed) A column has its stands one behind another, joined along an edge or corner to
    corner.
WM-FORM-4 (seed) A line has its stands side by side, facing one way, whole side edges shared.
WM-FORM-5 (seed) Any other arrangement that hangs together is irregular.
WM-SIZE-1 (public) A stand is 4 x 2 cm; infantry fronts the long edge, all others the short one.
WM-PACE-1 (seed) The allowance of a move follows from type, formation at the start and kind of move.
WM-PACE-2 (seed) Each troop type has a full and a half pace.
WM-PACE-3 (seed) Any shorter move is allowed, none included.
WM-PACE-4 (seed) Formation is told before the move begins.
WM-PACE-5 (seed) A charge or an evade is made at full pace.
WM-PACE-7 (seed) A column moves at full pace.
WM-PACE-8 (seed) A line moves at full pace.
WM-PACE-10 (seed) A distance that comes from dice or from combat takes no account of formation.
""")


@dataclass(frozen=True, slots=True)
class Pace:
    """An allowance, cm, and the clause that it comes from. also: others that say as much."""

    allowance: float
    clause: str
    also: tuple[str, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """All clauses that the allowance comes from."""
        return (self.clause, *self.also)


@kept_while_placed
def fortified_stands(state: State, unit: Unit) -> list[Body]:
    """The stands of a unit in fortified positions, even in part, or so by their marks."""
    ground, stands = ground_of(state), stands_of(state, unit)
    if unit.has("fortified"):
        return list(stands)
    return [
        s
        for s in stands
        if s.has("fortified") or ground.stands_in(rect_of(s), "fortified") is not None
    ]


def in_dense(state: State, unit: Unit) -> bool:
    """Whether a stand of a unit is in dense terrain, even in part."""
    return any(ground_of(state).stands_in(rect, "dense") for rect in rects_of(state, unit))


def pace_of(state: State, unit: Unit, kind: str) -> Pace:
    """How far a unit may move by a kind of move, and by which clauses."""
    bodies = stands_of(state, unit)
    full = min((full_pace(body) for body in bodies), default=0.0)
    half = min((body.stat("half") for body in bodies), default=0.0)
    formation = formation_now(state, unit)
    if kind == "advance":
        return Pace(ADVANCE_CM, "WM-ADV-1", ("WM-PACE-10",))
    if kind == "fall_back":
        return Pace(float(unit.marks.whole("allowance")), "WM-PACE-10", ("WM-FB-1",))
    if kind in CHARGE_KINDS:
        if flies(bodies):
            if formation.regular:
                return Pace(FLYER_CHARGE_CM, "WM-FLY-3")
            return Pace(half, "WM-FLY-5")
        return Pace(full, "WM-PACE-5")
    if kind in ("evade", "blunder"):
        return Pace(full, "WM-PACE-5")
    halved = {
        "WM-PACE-11": kind == "half",
        "WM-PACE-6": bool(fortified_stands(state, unit)),
        "WM-PACE-9": not formation.regular,
    }
    causes = [clause for clause, bears in halved.items() if bears]
    if causes:
        return Pace(half, causes[0], tuple(causes[1:]))
    clause = "WM-PACE-7" if formation is Formation.COLUMN else "WM-PACE-8"
    return Pace(full, clause, ("WM-FLY-3",) if flies(bodies) else ())
