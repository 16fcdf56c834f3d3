"""Setting up: near to what is played for, behind something that stands up, not in a heap.

Looks at the table, its zones and its own side alone, so that a set-up hidden from it stays so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from tapeline.engine.actions import Action
from tapeline.engine.deployment_actions import Ready, SetUp, wards_of
from tapeline.engine.deployment_system import set_up_by
from tapeline.engine.score import marker
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Point
from tapeline.play.battle import Battle
from tapeline.table.bodies import Body, Unit
from tapeline.table.goals import CarryDoc, HoldDoc, ReachDoc
from tapeline.table.terrain import Zone, box_about

__all__ = ["next_to_set_up"]

#: Places looked at across each zone, the longer way and the shorter.
_ACROSS, _DEEP = 24, 5
#: What counts for how much: nearness by the diagonal of the table, cover, room, and chance.
_NEAR, _COVER, _ROOM, _CHANCE = 1.0, 0.15, 0.1, 0.03
#: How near cover is heeded, as a share of the shorter side of the table.
_BESIDE = 0.12


def next_to_set_up(
    battle: Battle, side: str, seed: int | str
) -> tuple[Action, dict[str, float]] | None:
    """What a side does next in a set-up, with what speaks for it; None if it can do nothing."""
    state = battle.state
    waiting = set_up_by(state, side)
    if not waiting:
        done = Ready(side=side)
        return (done, {}) if battle.judge(done).legal else None
    for holder in waiting:
        rng = Random(f"{seed}:{holder.id}")
        tried = [
            (_parts(state, holder, action.at, rng), action) for action in _places(state, holder)
        ]
        tried.sort(key=lambda one: -sum(one[0].values()))
        for parts, action in tried:
            if battle.judge(action, nearest=False).legal:
                return action, parts
    nearest = battle.judge(SetUp(actor=waiting[0].id, at=_middle(_zones(state, side)[0]))).nearest
    return None if nearest is None else (battle.action(nearest.action), {})


def _zones(state: State, side: str) -> list[Zone]:
    return [zone for zone in state.table.zones if zone.side == side]


def _middle(zone: Zone) -> Point:
    west, south, east, north = zone.outline.box
    return 0.5 * (west + east), 0.5 * (south + north)


def _foes(state: State, side: str) -> Point:
    """The middle of the zones of the others, or of the table."""
    found = [_middle(zone) for zone in state.table.zones if zone.side not in ("", side)]
    if not found:
        return 0.5 * state.table.width, 0.5 * state.table.depth
    return sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)


def _places(state: State, holder: Body | Unit) -> Iterator[SetUp]:
    """Places over the zones of a side, looking at the others by quarters of a turn."""
    x, y = _foes(state, holder.side)
    for zone in _zones(state, holder.side):
        west, south, east, north = zone.outline.box
        u, v = _middle(zone)
        facing = 90.0 * round(math.degrees(math.atan2(y - v, x - u)) / 90.0) % 360.0
        wide = east - west >= north - south
        across, deep = (_ACROSS, _DEEP) if wide else (_DEEP, _ACROSS)
        for i in range(across):
            for j in range(deep):
                at = (
                    west + (i + 0.5) / across * (east - west),
                    south + (j + 0.5) / deep * (north - south),
                )
                yield SetUp(actor=holder.id, at=at, facing=facing)


def _parts(state: State, holder: Body | Unit, at: Point, rng: Random) -> dict[str, float]:
    table = state.table
    far = math.hypot(table.width, table.depth)
    least = min(math.dist(at, goal) for goal in _goals(state, holder.side))
    reach = max(body.base.reach for body in wards_of(state, holder.id))
    friends = (b for b in state.bodies.values() if b.side == holder.side)
    room = min((math.dist(at, b.centre) - b.base.reach for b in friends), default=far)
    return {
        "near to what is played for": -_NEAR * least / far,
        "behind cover": _COVER if _covered(state, holder.side, at) else 0.0,
        "room": -_ROOM if room < 3.0 * reach else 0.0,
        "chance": _CHANCE * rng.random(),
    }


def _goals(state: State, side: str) -> list[Point]:
    """What a side plays for, as places; where the others set up if there is no such thing."""
    zones = {zone.id: zone for zone in state.table.zones}
    found = []
    for goal in state.game.goals if state.game else ():
        if goal.side in (None, side) and isinstance(goal, HoldDoc | ReachDoc):
            found.append(_middle(zones[goal.zone]))
        elif goal.side in (None, side) and isinstance(goal, CarryDoc):
            found.append(marker(state, goal)[0])
    return found or [_foes(state, side)]


def _covered(state: State, side: str, at: Point) -> bool:
    """Whether something near stands up between a place and the others."""
    x, y = _foes(state, side)
    d = math.dist(at, (x, y))
    near = _BESIDE * min(state.table.width, state.table.depth)
    for piece in state.table.pieces:
        if piece.top <= piece.bottom or d <= 0.0:
            continue
        west, south, east, north = box_about(piece.outlines)
        u, v = 0.5 * (west + east) - at[0], 0.5 * (south + north) - at[1]
        along = (u * (x - at[0]) + v * (y - at[1])) / d
        beside = abs(u * (y - at[1]) - v * (x - at[0])) / d
        reach = 0.5 * max(east - west, north - south)
        if 0.0 < along < near + reach and beside < reach:
            return True
    return False
