"""One turn of a program in a match that goes on elsewhere: begun, told of it, asked, ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeline.bots.process import GoneError, Limits
from tapeline.bots.program import Program
from tapeline.engine.actions import Action
from tapeline.opponent.games import ResignsError
from tapeline.play.match import Match
from tapeline.table.marks import Value

__all__ = ["Played", "turn_of"]


@dataclass(frozen=True, slots=True)
class Played:
    """What a program does: an action, an answer to the open question, giving up; or `failed`, why
    it does nothing, in words."""

    action: Action | None = None
    value: Value = None
    resigns: bool = False
    failed: str = ""


def turn_of(
    match: Match, side: str, command: Sequence[str], seconds: float, limits: Limits
) -> Played:
    """What a program does next for a side, which is to act or to answer what is open.

    match: as far as the side may know it; the program is told all of its log. seconds: for the
    turn. The program is held to `limits`, and has ended when this returns, whatever it did.
    """
    try:
        with Program(command, seconds, limits=limits) as program:
            program.begin(match, [side])
            battle = match.battle
            if battle.pending is None:
                done, action = program.play(battle, side)
                return Played(action=action) if done else Played(failed=program.failed)
            done, value = program.answer(battle)
            return Played(value=value) if done else Played(failed=program.failed)
    except ResignsError:
        return Played(resigns=True)
    except GoneError as error:
        return Played(failed=error.why)
