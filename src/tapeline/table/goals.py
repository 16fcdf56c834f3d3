"""Goals: what a game is played for, as a scene document states it; the same words for every system.

A goal knows no rule: it speaks of zones, edges, places, figures and rounds. Points are folded from
events by `engine.score`. A body counts by the centre of its base. An id of a unit stands for its
models.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field

from tapeline.errors import Fault
from tapeline.table.terrain_documents import Id, Length, NamedDoc, Point, StrictDoc, kinds_of

__all__ = [
    "GOAL_KINDS",
    "CarryDoc",
    "GameDoc",
    "GoalDoc",
    "HoldDoc",
    "LastDoc",
    "LeaveDoc",
    "ReachDoc",
    "StrikeDoc",
    "game_faults",
]

Points = Annotated[int, Field(ge=1, le=1_000)]
Round = Annotated[int, Field(ge=1, le=1_000)]
Ids = Annotated[list[Id], Field(max_length=2_000)]


class _Goal(NamedDoc):
    """What all goals have. side: whose goal it is; where it may be left out, every side's."""

    points: Points = 1
    side: Id | None = None


class HoldDoc(_Goal):
    """Have more bodies in a zone than any other side, at the end of each round or of the game."""

    kind: Literal["hold"]
    zone: Id
    each: Literal["round", "end"] = "round"


class ReachDoc(_Goal):
    """Get to a zone: points at once for each body that does, once. who: only these."""

    kind: Literal["reach"]
    side: Id
    zone: Id
    who: Ids = []


class LeaveDoc(_Goal):
    """Get to an edge of the table: points at once for each body whose centre is within so much of
    it, once. Whether it is taken off is for the rules and the players."""

    kind: Literal["leave"]
    side: Id
    edge: Literal["north", "east", "south", "west"]
    within: Length = 2.0
    who: Ids = []


class CarryDoc(_Goal):
    """A marker: the first body that ends a move with its base on it has it, and drops it where it
    can no longer act.

    zone: where to bring it, for points at once, once; without one the points are for whoever has
    it at the end of each round or of the game.
    """

    kind: Literal["carry"]
    at: Point
    zone: Id | None = None
    each: Literal["round", "end"] = "end"


class StrikeDoc(_Goal):
    """Points at once for each of the enemy's that leaves the table, however it does; a unit when
    its last model does. targets: only these, for these each."""

    kind: Literal["strike"]
    side: Id
    targets: Ids = []


class LastDoc(_Goal):
    """Points if at the end of a round there are still so many able bodies. who: of these."""

    kind: Literal["last"]
    side: Id
    round: Round
    least: Annotated[int, Field(ge=1, le=2_000)] = 1
    who: Ids = []


GoalDoc: TypeAlias = Annotated[
    HoldDoc | ReachDoc | LeaveDoc | CarryDoc | StrikeDoc | LastDoc, Discriminator("kind")
]
GOAL_KINDS = kinds_of(GoalDoc)


class GameDoc(StrictDoc):
    """What is played for. rounds: after the last of them the game is over. score: how it stands,
    as `engine.score` keeps it; empty at the start."""

    rounds: Round
    goals: Annotated[list[GoalDoc], Field(min_length=1, max_length=100)]
    score: dict[str, Any] = {}


def game_faults(
    game: GameDoc, sides: Sequence[str], zones: Sequence[str], owners: dict[str, str]
) -> Iterator[Fault]:
    """What is wrong with a game. owners: the side of each body and unit by its id."""
    seen: dict[str, int] = {}
    for index, goal in enumerate(game.goals):
        where = f"game.goals[{index}]"
        if goal.id in seen:
            text = f"{goal.id!r} is already the id at game.goals[{seen[goal.id]}]"
            yield Fault(f"{where}.id", text)
        elif goal.id in zones:
            yield Fault(f"{where}.id", f"{goal.id!r} is already the id of a zone")
        seen.setdefault(goal.id, index)
        if goal.side is not None and goal.side not in sides:
            text = f"no side {goal.side!r}; sides are {', '.join(sides)}"
            yield Fault(f"{where}.side", text)
        zone = getattr(goal, "zone", None)
        if zone is not None and zone not in zones:
            text = f"no zone {zone!r}; zones are {', '.join(zones) or 'none'}"
            yield Fault(f"{where}.zone", text)
        if isinstance(goal, LastDoc) and goal.round > game.rounds:
            yield Fault(f"{where}.round", f"the game is over after {game.rounds} rounds")
        name = "targets" if isinstance(goal, StrikeDoc) else "who"
        for place, one in enumerate(getattr(goal, name, ())):
            path = f"{where}.{name}[{place}]"
            if one not in owners:
                yield Fault(path, f"no model or unit has the id {one!r}")
            elif (owners[one] == goal.side) == isinstance(goal, StrikeDoc):
                yield Fault(path, f"{one!r} belongs to side {owners[one]!r}")
