"""A position as arrays of fixed size, and back.

Everything that can change during a game has a row of its own from the start: bodies in the order
of the scene, on the table or off it; so the arrays of a game never change their shapes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tapeline.dice import Roll
from tapeline.engine.allowed import Mark
from tapeline.engine.score import points_of
from tapeline.engine.setup import BLOCK_MARKS, GONE_MARK
from tapeline.engine.state import State
from tapeline.env.raster import Raster
from tapeline.play.battle import Battle
from tapeline.table.bodies import Body, Round, Unit
from tapeline.table.goals import GOAL_KINDS, CarryDoc, HoldDoc, ReachDoc
from tapeline.table.marks import Value
from tapeline.table.terrain import Circle, Face, Floor, Ladder, Piece, Polygon, Ramp, Wall

__all__ = ["BOUND", "Encoding", "Observation"]

Floats: TypeAlias = NDArray[np.float32]
Observation: TypeAlias = dict[str, Any]

#: What every body has, before its marks and the figures of its profile.
PLACE = ("side", "round", "x", "y", "z", "cos", "sin", "width", "depth")
TERRAIN = (Piece, Floor, Wall, Ramp, Ladder, Face)
#: Beyond every figure of a game, either way.
BOUND = 1e6


class Encoding:
    """How positions of one scene are written as arrays.

    columns: of `bodies`, by name: `PLACE`, then "mark:..." as of the system, then "stat:...".
    A mark or figure that a unit has stands with each of its bodies. Of a text the number tells
    which it is, from 1, of the words or ids there may be; of a list how long it is; 0 where there
    is none. Lengths are table units, places as in the scene. Sides count from whoever looks on: 0
    is its own. raster: cells along the longer edge of the table, see `Raster`; 0: none.
    """

    def __init__(self, battle: Battle, raster: int = 0) -> None:
        state = battle.state
        self.system = battle.system
        self.sides = tuple(side.id for side in state.sides)
        self.bodies = tuple({**state.bodies, **state.gone})
        self.units = tuple(state.units)
        self.ids = (*self.bodies, *self.units, *self.sides, *(e.id for e in state.table.entries))
        self.stats = tuple(sorted(set(_stats(state))))
        self.marks = {**battle.system.marks, **GONE_MARK, **BLOCK_MARKS}
        self.progress = dict(battle.system.progress or {})
        self.columns = (
            *PLACE, *(f"mark:{m}" for m in self.marks), *(f"stat:{s}" for s in self.stats)
        )  # fmt: skip
        self._terrain = _terrain(state)
        self._goals = _goals(state)
        self.raster = Raster(state, raster) if raster else None

    def space(self) -> spaces.Dict:
        """The space of what `observe` gives."""
        shapes = {
            "turn": (5,),
            "score": (len(self.sides),),
            "progress": (max(1, len(self.progress)),),
            "bodies": (len(self.bodies), len(self.columns)),
            **{name: array.shape for name, array in {**self._terrain, **self._goals}.items()},
        }
        boxes: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(-BOUND, BOUND, shape, np.float32) for name, shape in shapes.items()
        }
        if self.raster is not None:
            boxes["raster"] = spaces.Box(-BOUND, BOUND, self.raster.shape, np.float32)
        boxes["on_table"] = spaces.MultiBinary(len(self.bodies))
        return spaces.Dict(boxes)

    def observe(self, battle: Battle, side: str) -> Observation:
        """A position as a side sees it.

        turn: round, last round (0: none), phase from 1 as the system lists them (0: none), whether
        it is for the side to act, whether a question is open. score: points by side, its own
        first. progress: what the system remembers of the sequence, as of its `progress`, read as
        marks are. bodies: a row each, `columns`. on_table: whether it is.

        Terrain and goals do not change. terrain: a row for each outline: kind as in `TERRAIN`,
        bottom, top, radius of a circle, how many corners; corners: these, padded with 0. goals:
        kind as in sorted `GOAL_KINDS`, x, y, points, whose from 1 (0: everybody's).
        raster: `Raster.planes`, if wanted.
        """
        state = battle.state
        turn, game, points = state.turn, state.game, points_of(state)
        sides = self._sides_from(side)
        phases = tuple(self.system.phases)
        phase = 1 + phases.index(turn.phase) if turn.phase in phases else 0
        rows = np.zeros((len(self.bodies), len(self.columns)), np.float32)
        everyone = {**state.gone, **state.bodies}
        holders: dict[str, Unit] = {b: u for u in state.units.values() for b in u.members}
        for row, name in zip(rows, self.bodies, strict=True):
            if name in everyone:
                row[:] = self._row(everyone[name], holders.get(name), sides)
        progress = [self._number(m, state.progress.get(name)) for name, m in self.progress.items()]
        told = [
            turn.round, game.rounds if game else 0, phase, side in battle.acting,
            battle.pending is not None and not isinstance(battle.pending.ask, Roll),
        ]  # fmt: skip
        drawn = {} if self.raster is None else {"raster": self.raster.planes(state, sides)}
        return {
            **drawn,
            "turn": np.array(told, np.float32),
            "score": np.array([points[one] for one in sides], np.float32),
            "progress": np.array(progress or [0.0], np.float32),
            "bodies": rows,
            "on_table": np.array([name in state.bodies for name in self.bodies], np.int8),
            **{name: array.copy() for name, array in {**self._terrain, **self._goals}.items()},
        }

    def read(self, observation: Observation, side: str) -> dict[str, dict[str, Any]]:
        """What an observation of a side says of each body on the table, by id.

        side, x, y, z, facing in degrees, width, depth, and of its marks those that are set: texts
        and ids as they are, of a list its length. Exact to what 32 bits hold.
        """
        sides = self._sides_from(side)
        found = {}
        for name, row, there in zip(
            self.bodies, observation["bodies"], observation["on_table"], strict=True
        ):
            if there:
                value = dict(zip(self.columns, map(float, row), strict=True))
                facing = math.degrees(math.atan2(value["sin"], value["cos"])) % 360.0
                found[name] = {
                    "side": sides[int(value["side"])],
                    "facing": facing,
                    **{key: value[key] for key in ("x", "y", "z", "width", "depth")},
                    "marks": dict(self._marks_of(value)),
                }
        return found

    def _sides_from(self, side: str) -> list[str]:
        first = self.sides.index(side)
        return [*self.sides[first:], *self.sides[:first]]

    def _row(self, body: Body, unit: Unit | None, sides: list[str]) -> list[float]:
        base, turned = body.base, math.radians(body.facing)
        is_round = isinstance(base, Round)
        width, depth = (
            (2 * base.radius, 2 * base.radius) if isinstance(base, Round)
            else (base.width, base.depth)
        )  # fmt: skip
        holders = (body, unit) if unit is not None else (body,)
        marks = [self._number(m, _first(name, "marks", holders)) for name, m in self.marks.items()]
        stats = [_plain(_first(s, "stats", holders)) for s in self.stats]
        place = [float(sides.index(body.side)), float(is_round), body.x, body.y, body.z]
        return [*place, math.cos(turned), math.sin(turned), width, depth, *marks, *stats]

    def _words(self, mark: Mark) -> tuple[str, ...]:
        return mark.words or (self.ids if mark.ids else ())

    def _number(self, mark: Mark, value: Value) -> float:
        words = self._words(mark)
        if isinstance(value, str):
            return float(1 + words.index(value)) if value in words else float(bool(value))
        return _plain(value)

    def _marks_of(self, values: Mapping[str, float]) -> Iterator[tuple[str, Value]]:
        for name, mark in self.marks.items():
            value = values[f"mark:{name}"]
            words = self._words(mark)
            if value and mark.kind is str and words:
                yield name, words[int(value) - 1]
            elif value:
                yield name, mark.kind(value) if mark.kind in (bool, float) else int(value)


def _first(name: str, of: str, holders: tuple[Body | Unit, ...]) -> Value:
    """What the first of them has that has it."""
    return next((getattr(h, of)[name] for h in holders if name in getattr(h, of)), None)


def _plain(value: Value) -> float:
    if isinstance(value, bool | int | float):
        return float(value)
    return float(len(value)) if isinstance(value, tuple) else 0.0


def _stats(state: State) -> Iterator[str]:
    holders: list[Body | Unit] = [*state.bodies.values(), *state.gone.values()]
    for one in (*holders, *state.units.values()):
        for name, value in one.stats.items():
            if isinstance(value, int | float):
                yield name


def _terrain(state: State) -> dict[str, Floats]:
    """Each outline of each entry, a row; at least one, so that no shape is empty."""
    rows = [row for entry in state.table.entries for row in _parts(entry)] or [([0.0] * 5, [])]
    most = max(1, *(len(corners) for _, corners in rows))
    corners = np.zeros((len(rows), most, 2), np.float32)
    for into, (_, line) in zip(corners, rows, strict=True):
        if line:
            into[: len(line)] = line
    return {"terrain": np.array([row for row, _ in rows], np.float32), "corners": corners}


def _parts(entry: Any) -> Iterator[tuple[list[float], list[tuple[float, float]]]]:
    """Its rows and their corners: of outlines, a wall's line, a slope from its foot to its head."""
    kind = float(TERRAIN.index(type(entry)))
    if isinstance(entry, Piece | Floor):
        bottom, top = (
            (entry.bottom, entry.top) if isinstance(entry, Piece)
            else (entry.z - entry.thickness, entry.z)
        )  # fmt: skip
        for part in entry.outlines:
            if isinstance(part, Circle):
                yield [kind, bottom, top, part.radius, 1.0], [(part.x, part.y)]
            elif isinstance(part, Polygon):
                corners = list(part.corners)
                yield [kind, bottom, top, 0.0, float(len(corners))], corners
        return
    if isinstance(entry, Ramp | Ladder):
        line = [entry.foot[:2], entry.head[:2]]
        bottom, top = entry.foot[2], entry.head[2]
    else:
        line = list(entry.line) if isinstance(entry, Wall) else [entry.start, entry.end]
        bottom, top = entry.bottom, entry.top
    yield [kind, bottom, top, 0.0, float(len(line))], line


def _goals(state: State) -> dict[str, Floats]:
    rows = []
    kinds = sorted(GOAL_KINDS)
    sides = [side.id for side in state.sides]
    zones = {zone.id: zone.outline for zone in state.table.zones}
    for goal in state.game.goals if state.game else ():
        x = y = 0.0
        if isinstance(goal, CarryDoc):
            x, y = goal.at
        elif isinstance(goal, HoldDoc | ReachDoc):
            x, y = _middle(zones[goal.zone])
        whose = 0.0 if goal.side is None else 1.0 + sides.index(goal.side)
        rows.append([float(kinds.index(goal.kind)), x, y, float(goal.points), whose])
    return {"goals": np.array(rows or [[0.0] * 5], np.float32)}


def _middle(outline: Circle | Polygon) -> tuple[float, float]:
    """The centre of a circle, the mean of the corners of a polygon."""
    if isinstance(outline, Circle):
        return outline.x, outline.y
    xs, ys = zip(*outline.corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
