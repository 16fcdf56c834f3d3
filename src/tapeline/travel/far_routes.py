"""The shortest way to a goal that is far off, through single places of edges and stairs.

Whoever asks need only know about how far it is and which way it leads: an exact search over all
places of the portals on the way would take long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeline.engine.paths import Point
from tapeline.errors import WorkLimitError
from tapeline.geometry.discs.goals import Goal
from tapeline.geometry.surfaces.links import Link, Portal
from tapeline.geometry.surfaces.model import Levels
from tapeline.geometry.surfaces.steps import LevelRoute
from tapeline.travel.gaps import Jumper, shortest
from tapeline.travel.search import SLACK, Seeker, pointed

__all__ = ["far_route"]

#: Length by which a way to a far target is sought to be longer than its distance at first, how
#: often farther it is sought, and how much farther each time.
_DETOUR, _LIMITS, _FARTHER = 6.0, 2, 2.0
#: Kinds of ways that lead from a level to a goal on it.
_LAST = ("goal", "hang")
#: Where a target's level is come to: places looked at; legs made from each; length beyond all.
_DOORS, _FEW, _ANYWHERE = 24, 4_000, 1e6


def far_route(
    jumper: Jumper,
    seeker: Seeker,
    levels: Levels,
    goals: Sequence[tuple[str, Goal]],
    target: Point,
) -> LevelRoute | None:
    """The shortest route through single places of edges and stairs, however far.

    Sought within a little more than the distance first: what a limit leaves out of account need
    not be looked at, and what is found within it is the shortest.
    """
    towards = [seeker.start[1:], target]
    limit = math.dist(*towards) + _DETOUR
    for number in range(_LIMITS + 1):
        if number == 1 and _cut_off(seeker, levels, goals):
            return None
        if number == _LIMITS:
            limit = math.inf
        coarse = pointed(levels.within(seeker.start, goals, limit), towards, "goal")
        found = shortest(jumper, seeker, coarse, goals, limit, rough=True)
        if found is not None:
            return found
        limit *= _FARTHER
    return None


def _cut_off(seeker: Seeker, levels: Levels, goals: Sequence[tuple[str, Goal]]) -> bool:
    """Whether nothing gets to a goal from where its own level is come to.

    Told only where that is quickly found out: a target that others stand around.
    """
    last = {name for name, _ in goals}
    ways: list[Link | Portal] = [*levels.links, *levels.portals]
    last |= {way.start[0] for way in ways if way.kind in _LAST}
    doors = [seeker.start] if seeker.start[0] in last else []
    leading = levels.keeping(lambda way: way.kind not in _LAST and not last.isdisjoint(_ends(way)))
    for gate in leading.gates(seeker.radius, slack=SLACK):
        level = levels.levels[gate.end]
        if level.id in last:
            doors.append((level.id, *level.plan(gate.c.real, gate.c.imag)))
    if len(doors) > _DOORS:
        return False
    inner = levels.keeping(lambda way: way.kind in _LAST)
    for door in doors:
        near = inner.within(door, goals, _ANYWHERE)
        try:
            answer = near.route(
                door, list(goals), seeker.radius, slack=SLACK, strict=False, work=_FEW
            )
        except WorkLimitError:
            return False
        if answer.route is not None:
            return False
    return True


def _ends(way: Link | Portal) -> tuple[str, ...]:
    """The levels that a way leads to."""
    return (way.start[0], way.end[0]) if way.both else (way.end[0],)
