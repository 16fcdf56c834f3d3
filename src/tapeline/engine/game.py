"""The game of a state: what is played for, and how it stands. `score.py` folds the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tapeline.errors import Fault
from tapeline.table.goals import GameDoc, GoalDoc
from tapeline.table.marks import EMPTY, Marks, freeze, thaw

__all__ = ["Game", "game_document", "game_from"]


@dataclass(frozen=True, slots=True)
class Game:
    """What is played for and how it stands.

    idle: marks ("mark", or "mark=value") with which a body neither holds, reaches nor carries
    anything, as its system says. beaten: the entry of the progress that names a side whose army is
    beaten, as its system says; "" none. away: the mark of who has left the table and may come back,
    which is given after they left it; "" none.
    score: "points" by side, "counted" (goals and bodies done with), "markers" (by goal: place and
    carrier), "over".
    """

    rounds: int
    goals: tuple[GoalDoc, ...]
    idle: tuple[str, ...] = ()
    beaten: str = ""
    away: str = ""
    score: Marks = EMPTY

    @property
    def over(self) -> bool:
        """Whether the last round has been played, or one side alone is left or unbeaten."""
        return bool(self.score.get("over"))


def game_from(
    doc: GameDoc | None, idle: tuple[str, ...], beaten: str, away: str
) -> tuple[Game | None, list[Fault]]:
    """The game of a scene, and what is wrong with its score."""
    if doc is None:
        return None, []
    faults: list[Fault] = []
    shapes: dict[str, type | tuple[type, ...]] = {
        "points": dict,
        "counted": list,
        "markers": dict,
        "over": bool,
    }
    for name, value in doc.score.items():
        if not isinstance(value, shapes.get(name, ())):
            known = ", ".join(shapes)
            faults.append(Fault(f"game.score.{name}", f"a score has {known}; got {value!r}"[:120]))
    if not faults:
        markers = doc.score.get("markers", {})
        points = doc.score.get("points", {})
        if not all(type(n) is int for n in points.values()):
            faults.append(Fault("game.score.points", "must be whole numbers by side"))
        if not all(isinstance(m, dict) and set(m) == {"at", "by"} for m in markers.values()):
            faults.append(Fault("game.score.markers", "each must have a place and who has it"))
    score = Marks() if faults else freeze(doc.score)
    assert isinstance(score, Marks)
    return Game(doc.rounds, tuple(doc.goals), idle, beaten, away, score), faults


def game_document(game: Game) -> dict[str, Any]:
    """The game as a scene document holds it."""
    goals = [goal.model_dump(exclude_defaults=True) for goal in game.goals]
    score = {"score": thaw(game.score)} if game.score else {}
    return {"rounds": game.rounds, "goals": goals, **score}
