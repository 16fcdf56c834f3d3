"""The state of a game: the battlefield, who stands where, and where the sequence is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from tapeline.engine.deployment import Deployment
from tapeline.engine.game import Game
from tapeline.errors import Fault, UnknownIdError
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import EMPTY, Marks
from tapeline.table.terrain import Battlefield

__all__ = ["Side", "State", "Turn"]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the players."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Where the game is: round from 1, phase as the system names it, sides by id."""

    round: int = 1
    phase: str = ""
    active: str = ""
    initiative: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that a ruling may depend on. Never changed; events make the next one.

    bodies: those on the table, by id, in scene order; gone: those that left it.
    progress: what the system remembers of the sequence. options: the readings in force.
    game: what is played for and the score, None where the scene states no goals. deployment: the
    set-up that goes on, None once the game has begun.
    """

    system: str
    name: str
    table: Battlefield
    sides: tuple[Side, ...]
    bodies: Mapping[str, Body]
    units: Mapping[str, Unit] = field(default_factory=dict)
    gone: Mapping[str, Body] = field(default_factory=dict)
    turn: Turn = Turn()
    options: Marks = EMPTY
    progress: Marks = EMPTY
    game: Game | None = None
    deployment: Deployment | None = None

    def with_body(self, body: Body) -> State:
        """The state with a body as it is given, in place of the one with its id."""
        return replace(self, bodies={**self.bodies, body.id: body})

    def body(self, body_id: str) -> Body:
        """The body on the table with that id; UnknownIdError if there is none."""
        try:
            return self.bodies[body_id]
        except KeyError:
            fault = Fault("", self._nothing_of(body_id))
            raise UnknownIdError("no such body", [fault], body_id) from None

    def side(self, side_id: str) -> Side:
        """The side with that id; UnknownIdError if there is none."""
        for side in self.sides:
            if side.id == side_id:
                return side
        allowed = ", ".join(side.id for side in self.sides)
        fault = Fault("", f"no side {side_id!r}; sides are {allowed}")
        raise UnknownIdError("no such side", [fault], side_id)

    def _nothing_of(self, body_id: str) -> str:
        """Why no body on the table has an id, and which do that may be meant."""
        text = f"nothing on the table has the id {body_id!r}"
        if body_id in self.gone:
            return f"{text} (it has left the table)"
        unit = self.units.get(body_id)
        if unit is not None:
            models = ", ".join(name for name in unit.members if name in self.bodies)
            where = f"its models are {models}" if models else "none of its models is on the table"
            return f"{body_id!r} is a unit, not one of its models; {where}"
        near = get_close_matches(body_id, self.bodies, 3)
        return f"{text}; did you mean {' or '.join(map(repr, near))}?" if near else text

    def unit_of(self, body_id: str) -> Unit | None:
        """The unit a body is of, on the table or gone; None if it is of none."""
        return next((unit for unit in self.units.values() if body_id in unit.members), None)

    def side_of(self, one: str) -> str | None:
        """The side of a body or unit, on the table or gone, by id; None if there is no such one."""
        for group in (self.bodies, self.units, self.gone):
            if one in group:
                return group[one].side
        return None

    def name_of(self, one: str) -> str:
        """The name of a body, on the table or gone, of a unit, a side or an entry of the terrain;
        the id of one that has none."""
        for group in (self.bodies, self.gone, self.units):
            if one in group:
                return group[one].name or one
        known = (*self.sides, *self.table.entries)
        return next((thing.name for thing in known if thing.id == one), "") or one

    def bodies_of(self, one: str) -> list[Body]:
        """Those on the table of a unit or of a body, by id; none if it has left."""
        names = self.units[one].members if one in self.units else (one,)
        return [self.bodies[name] for name in names if name in self.bodies]

    def combatants(self) -> Iterator[Body | Unit]:
        """Units, and bodies that are of none; those gone as well."""
        members = {name for unit in self.units.values() for name in unit.members}
        yield from self.units.values()
        for body in (*self.bodies.values(), *self.gone.values()):
            if body.id not in members:
                yield body

    def enemies(self, of: Body) -> Iterator[Body]:
        """Bodies of other sides, in scene order."""
        return (body for body in self.bodies.values() if body.side != of.side)

    def friends(self, of: Body) -> Iterator[Body]:
        """Other bodies of the same side, in scene order."""
        side, me = of.side, of.id
        return (b for b in self.bodies.values() if b.side == side and b.id != me)

    def others(self, of: Body) -> Iterator[Body]:
        """All other bodies, in scene order."""
        return (body for body in self.bodies.values() if body.id != of.id)

    def other_side(self, side: str) -> str:
        """The first side that is not `side`."""
        return next(s.id for s in self.sides if s.id != side)

    def option(self, name: str) -> str:
        """The reading in force for a contested point."""
        value = self.options[name]
        return value if isinstance(value, str) else str(value)
