"""WM-CHG: charges, from the sight of the target to the contact of front and edge."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import (
    TOLERANCE,
    same,
    within,
)
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.clip import clip_to, front_arc, loop_area
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.geometry.rectangles.slide import free_stretches, slide_into
from tapeline.rules.warmaster.actions import Advance, Charge, InitiativeCharge
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.figures import FIRST_CONTACT_CM, ZONE_DEG
from tapeline.rules.warmaster.moving import (
    Barrier,
    MoveSpec,
)
from tapeline.rules.warmaster.sight import all_round, line_of_sight, sees_stand
from tapeline.rules.warmaster.stands import Point, apart, rect_of
from tapeline.rules.warmaster.state import called, stands_of
from tapeline.table.bodies import Body, Unit

__all__ = [
    "EDGES",
    "AnyCharge",
    "Placement",
    "attacked_edges",
    "beside",
    "free_offsets",
    "front_contact",
    "nearest_to_centre",
    "offset_along",
    "opposed",
    "sided",
    "visible_by_distance",
    "who_sees",
    "zones",
]

AnyCharge = Charge | InitiativeCharge | Advance
CHARGES = (Charge, InitiativeCharge, Advance)
#: Edges of a stand, by the quarter turns from its facing.
EDGES = ("front", "left", "rear", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A charge with the stand and the edge of it that are attacked."""

    spec: MoveSpec
    stand: str
    edge: str

    @property
    def unit(self) -> str:
        """The unit that charges."""
        return self.spec.unit


def sided(rect: Rect, edge: str) -> Rect:
    """The same rectangle as if it faced to one of its edges."""
    turns = EDGES.index(edge)
    ux, uy = rect.ux, rect.uy
    width, depth = rect.width, rect.depth
    for _ in range(turns):
        ux, uy = -uy, ux
        width, depth = depth, width
    return Rect(rect.x, rect.y, rect.facing + turns * math.pi / 2, width, depth, ux, uy)


def zones(target: Rect, chargers: Sequence[Rect]) -> dict[str, float]:
    """How much of the charging stands' area lies in the zone of each edge (WM-CHG-2)."""
    found = {}
    for edge in EDGES:
        rect = sided(target, edge)
        planes = front_arc(rect, math.radians(ZONE_DEG), 0.5 * rect.width)
        areas = (clip_to(charger.loop, planes) for charger in chargers)
        found[edge] = math.fsum(loop_area(loop) for loop in areas if len(loop) > 4)
    return found


def attacked_edges(state: State, unit: Unit, body: Body) -> list[str]:
    """The edge of a stand that a unit attacks; two or more where their zones hold as much of it."""
    areas = zones(rect_of(body), [rect_of(stand) for stand in stands_of(state, unit)])
    most = max(areas.values())
    return [edge for edge in EDGES if within(most, areas[edge])]


def visible_by_distance(state: State, unit: Unit, target: Unit) -> list[tuple[float, Body]]:
    """The stands of the target seen from front edges with their distances from the unit, cm, the
    closest first."""
    mine = stands_of(state, unit)
    seen = [
        (min(apart(rect_of(body), rect_of(m)).gap for m in mine), body)
        for body in stands_of(state, target)
        if any(sees_stand(state, viewer, body, every=False) for viewer in mine)
    ]
    return sorted(seen, key=lambda pair: pair[0])


# Declaring


@BOOK.clause("WM-CHG-1", src="public", bars=CHARGES, at=Moment.DECLARE)
def the_target_is_seen(ask: Context[AnyCharge]) -> Iterator[Finding]:
    """A charge is declared at an enemy unit that a stand sees from its front as the move starts."""
    target = ask.state.units.get(ask.action.target)
    if target is None or target.side == ask.unit.side or not stands_of(ask.state, target):
        yield Finding(f"{called(ask.state, ask.action.target)} is no enemy unit on the table.")
        return
    if line_of_sight(ask.state, ask.unit, target, front_only=True) is None and not (
        all_round(ask.stands) and line_of_sight(ask.state, ask.unit, target)
    ):
        yield Finding(f"{ask.unit.name} does not see {target.name}.", about=target.id)


@BOOK.clause("WM-VIS-6", src="seed", bars=CHARGES, at=Moment.DECLARE)
def charges_need_the_front(ask: Context[AnyCharge]) -> Iterator[Finding]:
    """Troops that see to every side still charge only what they see from a front edge."""
    target = ask.state.units.get(ask.action.target)
    if target is None or not all_round(ask.stands):
        return
    if line_of_sight(ask.state, ask.unit, target, front_only=True) is None and line_of_sight(
        ask.state, ask.unit, target
    ):
        text = f"{ask.unit.name} sees {target.name} from its sides or rear only."
        yield Finding(text, about=target.id)


BOOK.resolves(
    "WM-INIT-9",
    "seed",
    "Sight to every side lets a unit evade an enemy at its side or rear, never charge it.",
)


# Placing the stands


def front_contact(stand: Rect, foes: Iterable[Rect]) -> float:
    """How much of a stand's front edge lies along the edges of enemy stands, cm."""
    return min(stand.width, math.fsum(_front_on(stand, foe) for foe in foes))


def _front_on(stand: Rect, foe: Rect) -> float:
    best = 0.0
    front_right, front_left, _, _ = stand.corners
    fx, fy = front_left[0] - front_right[0], front_left[1] - front_right[1]
    length = math.hypot(fx, fy)
    fx, fy = fx / length, fy / length
    corners = foe.corners
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        # Both ends of the enemy edge within a hair of the line of the front.
        offs = [(p[0] - front_right[0]) * fy - (p[1] - front_right[1]) * fx for p in (a, b)]
        if max(abs(offs[0]), abs(offs[1])) > TOLERANCE:
            continue
        along = sorted((p[0] - front_right[0]) * fx + (p[1] - front_right[1]) * fy for p in (a, b))
        best = max(best, min(length, along[1]) - max(0.0, along[0]))
    return best


def opposed(stand: Rect, target: Rect, edge: str, offset: float = 0.0) -> Rect:
    """A stand with its front on an edge of an enemy stand, its centre `offset` along it."""
    side = sided(target, edge)
    x, y = side.world(0.5 * side.depth + 0.5 * stand.depth, offset)
    return Rect(x, y, side.facing + math.pi, stand.width, stand.depth, -side.ux, -side.uy)


def offset_along(stand: Rect, target: Rect, edge: str) -> float | None:
    """How far along an attacked edge a stand is from centre to centre; None if its front does not
    lie on that edge."""
    side = sided(target, edge)
    ahead, left = side.local((stand.x, stand.y))
    if not same(ahead, 0.5 * side.depth + 0.5 * stand.depth):
        return None
    turned = abs(
        math.atan2(
            stand.ux * side.uy - stand.uy * side.ux, -(stand.ux * side.ux + stand.uy * side.uy)
        )
    )
    if turned * stand.reach > TOLERANCE:
        return None
    return left


def free_offsets(
    state: State, start: Rect, barriers: Sequence[Barrier], target: Rect, edge: str
) -> list[tuple[float, float]]:
    """How far along the edge from centre to centre the stand has room, with enough of the edge
    before its front: from and to, in order."""
    side = sided(target, edge)
    reach = 0.5 * side.width + 0.5 * start.width - FIRST_CONTACT_CM
    if reach < 0.0:
        return []
    pose = opposed(start, target, edge, -reach)
    u = (-side.uy, side.ux)
    taken: list[tuple[float, float]] = []
    end = pose.moved(2.0 * reach * u[0], 2.0 * reach * u[1])
    far = pose.reach
    for barrier in barriers:
        x0, y0, x1, y1 = barrier.box
        if (
            max(pose.x, end.x) + far < x0
            or min(pose.x, end.x) - far > x1
            or max(pose.y, end.y) + far < y0
            or min(pose.y, end.y) - far > y1
        ):
            continue
        spans, _ = slide_into(pose, barrier.shape, u, 2.0 * reach, TOLERANCE)
        taken += [(span.start, span.stop) for span in spans]
    for k, size in ((0, state.table.width), (1, state.table.depth)):
        for x in (0.0, size):
            taken += _over_edge(pose, u, k, x, size, 2.0 * reach)
    free = free_stretches(taken, 0.0, 2.0 * reach, 0.25 * TOLERANCE)
    return [(a - reach, b - reach) for a, b in free]


def nearest_to_centre(free: Iterable[tuple[float, float]]) -> list[float]:
    """Where in some stretches the centres are nearest; two places where it is so on both sides."""
    places = [min(max(0.0, low), high) for low, high in free]
    least = min((abs(place) for place in places), default=0.0)
    return [place for place in places if within(abs(place), least)]


def _over_edge(
    pose: Rect, u: Point, axis: int, border: float, size: float, length: float
) -> list[tuple[float, float]]:
    """The part of a slide on which a stand is over one border of the table."""
    values = [corner[axis] for corner in pose.corners]
    speed = u[axis]
    low, high = min(values), max(values)
    if abs(speed) <= 1e-12:
        beyond = low < -TOLERANCE if border == 0.0 else high > size + TOLERANCE
        return [(0.0, length)] if beyond else []
    if border == 0.0:
        cut = (-TOLERANCE - low) / speed
        return [(-math.inf, cut)] if speed > 0.0 else [(cut, math.inf)]
    cut = (size + TOLERANCE - high) / speed
    return [(cut, math.inf)] if speed > 0.0 else [(-math.inf, cut)]


def who_sees(state: State, unit: Unit, target: Body) -> list[Body]:
    """The stands of a unit that see a stand from their fronts."""
    return [
        body
        for body in stands_of(state, unit)
        if sees_stand(state, body, target, every=False) is not None
    ]


def beside(placed: Sequence[Rect], stand: Rect) -> Iterator[Rect]:
    """Poses in line with placed stands, on either side."""
    for rect in placed:
        for sign in (1.0, -1.0):
            x, y = rect.world(
                0.5 * rect.depth - 0.5 * stand.depth, sign * 0.5 * (rect.width + stand.width)
            )
            yield Rect(x, y, rect.facing, stand.width, stand.depth, rect.ux, rect.uy)


BOOK.resolves(
    "WM-CHG-2",
    "public",
    "The edge attacked is that of the zone which holds most of the charging unit.",
)
