"""The state of a game: the battlefield, who stands where, and where the sequence is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

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

    def with_body(self, body: Body) -> State:
        """The state with a body as it is given, in place of the one with its id."""
        return replace(self, bodies={**self.bodies, body.id: body})

    def body(self, body_id: str) -> Body:
        """The body on the table with that id; UnknownIdError if there is none."""
        try:
            return self.bodies[body_id]
        except KeyError:
            gone = " (it has left the table)" if body_id in self.gone else ""
            fault = Fault("", f"nothing on the table has the id {body_id!r}{gone}")
            raise UnknownIdError("no such body", [fault]) from None

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
