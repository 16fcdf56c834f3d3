"""Places worth going to: not a grid, but where something changes.

Contact with an enemy, zones and markers, edges of the table that are played for, just beyond what
an enemy can come to, and behind terrain as an enemy sees it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import islice

from tapeline.engine.score import marker
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Point
from tapeline.table.bodies import Body
from tapeline.table.goals import CarryDoc, HoldDoc, LeaveDoc, ReachDoc
from tapeline.table.solids import ground_of
from tapeline.table.terrain import Outline, box_about

__all__ = ["free", "places"]

#: Enemies and pieces of terrain that are heeded, the nearest ones.
_HEEDED = 2
#: Moves by which a zone counts as farther off in which one body more changes little.
_SETTLED = 2.0
#: Places tried within a zone in which others stand in the way.
_ROOM = 3


def places(state: State, body: Body, far: Mapping[str, float], most: int) -> list[Point]:
    """Places on the table for a body to go to, the most promising kinds first, at most `most`."""
    table, seen = state.table, list[Point]()
    goals = _goals(state, body, far)
    sources = [goals, _contacts(state, body), goals, _safe(state, body, far), goals]
    sources.append(_covers(state, body))
    while sources and len(seen) < most:
        for source in list(sources):
            found = next(source, None)
            if found is None:
                sources.remove(source)
                continue
            x = min(max(found[0], body.base.reach), table.width - body.base.reach)
            y = min(max(found[1], body.base.reach), table.depth - body.base.reach)
            if all(math.dist((x, y), other) > 0.5 * body.base.reach for other in seen):
                seen.append((x, y))
    return seen[:most]


def _nearest_enemies(state: State, body: Body) -> list[Body]:
    enemies = sorted(state.enemies(body), key=lambda e: math.dist(e.centre, body.centre))
    return enemies[:_HEEDED]


def _goals(state: State, body: Body, far: Mapping[str, float]) -> Iterator[Point]:
    """Where goals are met: just within a zone, a marker, an edge; then the middles of zones. Nearer
    ones first; a zone in which one more changes little counts as so much farther off."""
    zones = {zone.id: zone.outline for zone in state.table.zones}
    table = state.table
    found: list[Point] = []
    ranked: list[tuple[float, Point]] = []
    middles: list[tuple[float, Point]] = []
    for goal in state.game.goals if state.game else ():
        if goal.side not in (None, body.side):
            continue
        if isinstance(goal, HoldDoc | ReachDoc):
            first, *rest = _into(zones[goal.zone], body)
            off, later = math.dist(first, body.centre), 0.0
            if isinstance(goal, HoldDoc) and not _matters(state, body, zones[goal.zone]):
                later = _SETTLED * far.get(body.id, 0.0)
            if free(state, body, first):
                ranked.append((off + later, first))
                middles += [(off + later, middle) for middle in rest]
            if not free(state, body, first, ample=True):
                room = _room(state, body, zones[goal.zone])
                ranked += [(math.dist(point, body.centre) + later, point) for point in room]
        elif isinstance(goal, CarryDoc):
            at, by = marker(state, goal)
            if by != body.id:
                found.append(at)
            elif goal.zone is not None:
                found += _into(zones[goal.zone], body)
        elif isinstance(goal, LeaveDoc):
            ends = {
                "north": (body.x, table.depth),
                "south": (body.x, 0.0),
                "east": (table.width, body.y),
                "west": (0.0, body.y),
            }
            found.append(ends[goal.edge])
    ranked += [(math.dist(point, body.centre), point) for point in found]
    yield from (point for _, point in (*sorted(ranked), *sorted(middles)))


def _matters(state: State, body: Body, ground: Outline) -> bool:
    """Whether it may decide whose a zone is that a body is there: neither side has much more."""
    shape = ground_of(ground)
    more = 0
    for one in state.bodies.values():
        if one.id != body.id and shape.depth(one.x, one.y) >= 0.0:
            more += 1 if one.side == body.side else -1
    return -1 <= more <= 0


def _into(ground: Outline, body: Body) -> list[Point]:
    """Just within a zone on the near side, and its middle; nothing but the middle from inside."""
    west, south, east, north = ground.box
    middle = (0.5 * (west + east), 0.5 * (south + north))
    shape = ground_of(ground)
    if shape.depth(body.x, body.y) >= 0.0:
        return [middle]
    x, y = shape.nearest(body.x, body.y)
    d = math.dist((x, y), middle)
    k = min(1.0, 0.3 * body.base.reach / d) if d > 0.0 else 0.0
    return [(x + k * (middle[0] - x), y + k * (middle[1] - y)), middle]


def free(
    state: State, body: Body, place: Point, *, ample: bool = False, enemies: float = 0.0
) -> bool:
    """Whether nobody certainly stands where a body would stand at a place; with ample room, most
    likely not even where it would stand askew. enemies: the share of the reach of both bases at
    which one is in the way at least."""
    return all(
        math.dist(place, other.centre)
        >= max(
            body.base.inner + (other.base.reach if ample else other.base.inner),
            (other.side != body.side) * enemies * (body.base.reach + other.base.reach),
        )
        for other in _others(state, body)
    )


def _room(state: State, body: Body, ground: Outline) -> list[Point]:
    """The nearest few places within a zone at which there is room for a body, ample first."""
    west, south, east, north = ground.box
    shape, step = ground_of(ground), body.base.inner
    across, along = (max(1, math.ceil((b - a) / step)) for a, b in ((west, east), (south, north)))
    grid = [
        (west + (east - west) * (i + 0.5) / across, south + (north - south) * (j + 0.5) / along)
        for i in range(across)
        for j in range(along)
    ]
    within = [point for point in grid if shape.depth(*point) >= 0.0]
    within.sort(key=lambda one: math.dist(one, body.centre))
    found = list[Point]()
    for ample in (True, False):
        for point in within:
            apart = all(math.dist(point, other) > 1.5 * step for other in found)
            if len(found) < _ROOM and apart and free(state, body, point, ample=ample):
                found.append(point)
    return found


def _others(state: State, body: Body) -> Iterator[Body]:
    """Everybody but a body and those of its unit."""
    unit = state.unit_of(body.id)
    own = {body.id} if unit is None else {*unit.members}
    return (other for other in state.bodies.values() if other.id not in own)


def _contacts(state: State, body: Body) -> Iterator[Point]:
    yield from (enemy.centre for enemy in _nearest_enemies(state, body))


def _safe(state: State, body: Body, far: Mapping[str, float]) -> Iterator[Point]:
    """Just farther from each near enemy than it can come, straight away from it or towards it."""
    for enemy in _nearest_enemies(state, body):
        d = math.dist(enemy.centre, body.centre)
        if d <= 0.0:
            continue
        span = far.get(enemy.id, 0.0) + enemy.base.reach + body.base.reach
        k = (span * 1.01) / d
        yield enemy.x + k * (body.x - enemy.x), enemy.y + k * (body.y - enemy.y)


def _covers(state: State, body: Body) -> Iterator[Point]:
    """Behind the nearest pieces that stand up, as the nearest enemy sees them."""
    enemies = _nearest_enemies(state, body)
    if not enemies:
        return
    enemy = enemies[0]
    pieces = []
    for piece in state.table.pieces:
        if piece.top <= piece.bottom:
            continue
        west, south, east, north = box_about(piece.outlines)
        middle = (0.5 * (west + east), 0.5 * (south + north))
        reach = 0.5 * math.hypot(east - west, north - south)
        pieces.append((math.dist(middle, body.centre), middle, reach))
    for _, (x, y), reach in islice(sorted(pieces), _HEEDED):
        d = math.dist((x, y), enemy.centre)
        if d > 0.0:
            k = (d + reach + body.base.reach) / d
            yield enemy.x + k * (x - enemy.x), enemy.y + k * (y - enemy.y)
