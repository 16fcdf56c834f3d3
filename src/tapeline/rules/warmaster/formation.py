"""WM-FORM, WM-SIZE: contact, column, line and what is neither."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from tapeline.engine.limits import TOLERANCE, overlaps, within
from tapeline.engine.state import State
from tapeline.geometry.rectangles.rectangle import Rect, separation
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.figures import COLUMN_BEND_DEG
from tapeline.rules.warmaster.stands import Point, alike, rect_of, touch
from tapeline.rules.warmaster.state import stands_of
from tapeline.table.bodies import Unit

__all__ = [
    "Formation",
    "formation_of",
    "goes_by_road",
    "hangs_together",
    "is_column",
    "is_line",
    "islands",
]

#: Arrangements of stands whose formation is remembered.
_REMEMBERED = 1 << 12


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


def _joined(lead: Rect, follower: Rect, joint: str) -> bool:
    cross = lead.ux * follower.uy - lead.uy * follower.ux
    dot = lead.ux * follower.ux + lead.uy * follower.uy
    bend = abs(math.atan2(cross, dot))
    # The bend is within its limit if what is over moves no corner by more than the tolerance.
    if (bend - math.radians(COLUMN_BEND_DEG)) * max(lead.reach, follower.reach) > TOLERANCE:
        return False
    if lead.local((follower.x, follower.y))[0] >= -0.5 * lead.depth + TOLERANCE:
        return False
    if follower.local((lead.x, lead.y))[0] <= 0.5 * follower.depth - TOLERANCE:
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
    return within(_edge_gap((rear_left, rear_right), (front_left, front_right)), 0.0)


def _edge_gap(one: tuple[Point, Point], other: tuple[Point, Point]) -> float:
    """The distance of two segments that do not cross."""

    def apart(p: Point, a: Point, b: Point) -> float:
        dx, dy = b[0] - a[0], b[1] - a[1]
        t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)
        t = min(1.0, max(0.0, t))
        return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)

    return min(
        *(apart(p, *other) for p in one),
        *(apart(p, *one) for p in other),
    )


def formation_of(rects: Sequence[Rect], joint: str) -> Formation:
    """The formation of stands (3.4 of the notes); one stand alone is a line."""
    return _formation(tuple(rects), joint)


@lru_cache(maxsize=_REMEMBERED)
def _formation(rects: tuple[Rect, ...], joint: str) -> Formation:
    if not hangs_together(rects):
        return Formation.BROKEN
    if is_line(rects):
        return Formation.LINE
    return Formation.COLUMN if is_column(rects, joint) else Formation.IRREGULAR


def goes_by_road(state: State, unit: Unit) -> bool:
    """Whether roads carry a unit through ground that is barred to it (WM-TER-14): one in column,
    or one of a single stand, which is a line and a column at once."""
    rects = [rect_of(body) for body in stands_of(state, unit)]
    return len(rects) == 1 or formation_of(rects, state.option("column_joint")) is Formation.COLUMN


BOOK.resolves(
    "WM-FORM-2",
    "seed",
    "Stands touch along an edge or at a point; any arrangement that does is a formation.",
)
BOOK.resolves(
    "WM-FORM-3",
    "seed",
    "A column has its stands one behind another, joined along an edge or corner to corner.",
)
BOOK.resolves(
    "WM-FORM-4",
    "seed",
    "A line has its stands side by side, facing one way, whole side edges shared.",
)
BOOK.resolves("WM-FORM-5", "seed", "Any other arrangement that hangs together is irregular.")
BOOK.resolves(
    "WM-SIZE-1",
    "public",
    "A stand is 4 x 2 cm; infantry fronts the long edge, all others the short one.",
)
