"""Paths as lines to draw: where each leg begins and ends, and the pose at the end.

Nothing is judged here: what really moved comes from the verdict, what was wanted from the
action as it was written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.codec import parse_action
from tapeline.engine.events import Event, Moved, Resized, Returned
from tapeline.engine.paths import Leg, LegPath, legs_from_value
from tapeline.engine.referee import Session
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.engine.verdicts import Movement, Nearest
from tapeline.geometry.plane.legs import arc_from
from tapeline.table.bodies import Body

__all__ = ["DrawnLeg", "Trace", "movements", "movements_of", "nearest_traces", "trace", "wanted"]


@dataclass(frozen=True, slots=True)
class DrawnLeg:
    """One leg as drawn: from, to, and for an arc its centre and signed angle in degrees; a turn on
    the spot ends where it starts.

    heights: at its start and at its end, table units. how: the manner of the leg. turned: by how
    much the facing changes on it, degrees.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    centre: tuple[float, float] | None = None
    by: float = 0.0
    heights: tuple[float, float] = (0.0, 0.0)
    how: str = "walk"
    turned: float = 0.0

    @property
    def length(self) -> float:
        """Length in table units; a turn on the spot has none."""
        if self.centre is None:
            return math.dist(self.start, self.end)
        return math.dist(self.start, self.centre) * abs(math.radians(self.by))

    @property
    def is_turn(self) -> bool:
        """Whether it is a turn on the spot."""
        return self.turned != 0.0 and self.start == self.end and self.centre is None

    @property
    def middle(self) -> tuple[float, float]:
        """The point half-way."""
        if self.centre is None:
            return (0.5 * (self.start[0] + self.end[0]), 0.5 * (self.start[1] + self.end[1]))
        return arc_from(*self.start, *self.centre, math.radians(0.5 * self.by)).end


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of one body: its stretches, where it began and how it stands at the end."""

    body: str
    start: tuple[float, float]
    start_facing: float
    stretches: tuple[DrawnLeg, ...]
    end: tuple[float, float]
    facing: float
    z: float = 0.0
    end_z: float = 0.0

    @property
    def length(self) -> float:
        """Length of the whole way, table units."""
        return sum(stretch.length for stretch in self.stretches)


def trace(body: Body, path: LegPath) -> Trace:
    """The way along a path from where the body stands; a leg without z keeps its height."""
    at, facing, z = body.centre, body.facing, body.z
    stretches = []
    for leg in path:
        shape, turned = leg.shape(*at), leg.by or 0.0
        end, above = at if shape is None else shape.end, z if leg.z is None else leg.z
        by = turned if leg.to is None else 0.0
        stretches.append(DrawnLeg(at, end, leg.centre, by, (z, above), leg.how, turned))
        at, z, facing = end, above, facing + turned
    return Trace(body.id, body.centre, body.facing, tuple(stretches), at, facing, z=body.z, end_z=z)


def _trace_movement(body: Body, moved: Movement) -> Trace:
    """The way a body really went; without legs, straight to where it stands."""
    start = (moved.start[0], moved.start[1])
    end = (moved.end[0], moved.end[1])
    way = trace(body.at(*moved.start), moved.path)
    stretches = way.stretches
    heights = (moved.start[2], moved.end[2])
    if not stretches and math.dist(moved.start, moved.end) > 1e-9:
        stretches = (DrawnLeg(start, end, heights=heights),)
    return Trace(
        body.id, start, body.facing, stretches, end, moved.facing, z=heights[0], end_z=heights[1]
    )


def movements_of(before: State, events: Iterable[Event]) -> list[Movement]:
    """What moved in events, in order, from a state."""
    at = {**before.gone, **before.bodies}
    moved = []
    for event in events:
        if isinstance(event, Moved | Returned):
            body = at[event.body]
            end = (event.x, event.y, event.z)
            if isinstance(event, Moved):
                start = (body.x, body.y, body.z)
                moved.append(Movement(body.id, start, event.path, end, event.facing))
            at[body.id] = body.at(*end, event.facing)
        elif isinstance(event, Resized):
            at[event.body] = at[event.body].at(event.x, event.y).based(event.base)
    return moved


def movements(state: State, moved: tuple[Movement, ...]) -> list[Trace]:
    """The ways of everything that moved, each from where the one before left it."""
    bodies = {**state.gone, **state.bodies}
    found = []
    for movement in moved:
        body = bodies[movement.body]
        found.append(_trace_movement(body, movement))
        bodies[body.id] = body.at(*movement.end, movement.facing)
    return found


def wanted(state: State, action: Action) -> list[Trace]:
    """The ways an action asks for: those of the stands it lists, or that of the body that acts."""
    stands = getattr(action, "stands", None)
    if isinstance(stands, tuple):
        return [
            trace(state.bodies[stand.stand], stand.path)
            for stand in stands
            if stand.stand in state.bodies
        ]
    way = _wanted_by_one(state, action)
    return [] if way is None else [way]


def _wanted_by_one(state: State, action: Action) -> Trace | None:
    """The way an action asks for, as far as its own figures tell: a path, a point, a distance
    straight ahead, or an angle to turn by."""
    given: Any = action
    body = state.bodies.get(getattr(given, "actor", None) or "")
    if body is None:
        return None
    path = getattr(given, "path", None)
    if isinstance(path, tuple) and path and all(isinstance(leg, Leg) for leg in path):
        return trace(body, path)
    to = getattr(given, "to", None)
    if isinstance(to, tuple) and len(to) == 2:
        way = trace(body, (Leg(to=to),))
        facing = getattr(given, "facing", None)
        return way if facing is None else replace(way, facing=float(facing))
    distance = getattr(given, "distance", None)
    if isinstance(distance, int | float) and distance > 0:
        direction = getattr(given, "direction", None)
        turn = math.radians(body.facing if direction is None else direction)
        end = (body.x + distance * math.cos(turn), body.y + distance * math.sin(turn))
        return trace(body, (Leg(to=end),))
    turn_by = getattr(given, "by", None)
    if isinstance(turn_by, int | float) and turn_by:
        return trace(body, (Leg(by=float(turn_by)),))
    return None


def nearest_traces(
    system: System, state: State, nearest: Nearest, refused: Action | None
) -> list[Trace]:
    """The ways of the legal move that the verdict offers instead.

    Instead of a refused answer only the path is offered; `refused` says whose.
    """
    if "kind" not in nearest.action:
        body = state.bodies.get(getattr(refused, "actor", None) or "")
        path = legs_from_value(nearest.action.get("path", ()))
        return [] if body is None or not path else [trace(body, path)]
    action = parse_action(system, nearest.action)
    session = Session(system, state, action, nearest=False)
    if session.verdict.moved:
        return movements(state, session.verdict.moved)
    return wanted(state, action)
