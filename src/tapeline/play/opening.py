"""Presses that are done by the way: those that open the moves of a body that is to be dragged, and
those that lead on through steps in which nobody can do anything."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.controls import Control
from tapeline.engine.system import Question
from tapeline.play.battle import Battle

__all__ = ["DRAGGED", "onward_of", "opening_of"]

#: Gestures of a hand that drags the body itself.
DRAGGED = frozenset({"path", "pose", "turn", "distance", "stands"})

#: Presses in a row that are looked for.
_MOST = 2
#: Steps in a row that are passed: a turn of each side, where one has nobody left.
_ROUND = 12


def opening_of(battle: Battle, of: str, *, untold: bool = True) -> list[Control]:
    """The fewest presses after which the body or unit can be dragged; none if it can be, or if
    no such presses without dice or choices are known.

    Only what is open to be done counts, and nothing is done. untold: whether a press counts of
    which the rules let nobody know beforehand what comes. Raises UnknownIdError for an id that
    nothing on the table has.
    """
    if battle.pending is not None or _dragged(battle, of):
        return []
    reached: list[tuple[Battle, list[Control]]] = [(battle, [])]
    for _ in range(_MOST):
        further = [
            (after, [*before, control])
            for now, before in reached
            for control, after in _pressed(now, of, untold)
        ]
        found = next((steps for after, steps in further if _dragged(after, of)), None)
        if found is not None:
            return found
        reached = further
    return []


def _dragged(battle: Battle, of: str) -> bool:
    controls = battle.system.controls(battle.state, of)
    return any(c.gesture in DRAGGED and c.group == "act" and not c.why_not for c in controls)


def _pressed(battle: Battle, of: str, untold: bool) -> Iterator[tuple[Control, Battle]]:
    """Presses that are open and end without a question, with the battle after each."""
    system, state = battle.system, battle.state
    # Nothing is done for another side.
    side = state.side_of(of)
    if side not in battle.acting:
        return
    # Who acts now may have to end that before another can begin.
    acting = (name for name in system.activity(state).active if name != of)
    ending = (c for name in acting for c in system.controls(state, name) if c.group == "step")
    for control in (*system.controls(state, of), *system.controls(state, None), *ending):
        after = _after(battle, control, side, untold=untold)
        if after is not None and (of in after.state.bodies or of in after.state.units):
            yield control, after


def _after(battle: Battle, control: Control, side: str | None, *, untold: bool) -> Battle | None:
    """The battle after a press that is open to a side and ends without a question, else None."""
    if control.gesture != "press" or control.why_not or control.extras or control.group == "attest":
        return None
    action = battle.action(dict(control.action))
    if battle.side_of(action) not in (None, side):
        return None
    if not untold and battle.system.may_measure(battle.state, Question.odds(action)):
        return None
    after, _ = battle.play(action)
    done = after.pending is None and after.last is not None and after.last.legal
    return after if done else None


def onward_of(
    battle: Battle, first: Control | None = None, *, untold: bool = True
) -> Iterator[tuple[Control, tuple[str, ...], Battle]]:
    """The presses that lead on through steps in which nobody of the sides to act can do anything
    else but measure, up to one in which somebody can, dice fall, or something is asked.

    Of each press the sides that may act before it, and the battle after. first: a press that is
    done before them, whatever else could be. untold: as of `opening_of`. Nothing is done.
    """
    if first is not None:
        after = None if battle.pending else _after(battle, first, None, untold=untold)
        if after is None:
            return
        battle = after
    for _ in range(_ROUND):
        step = _only_step(battle)
        after = None if step is None else _after(battle, step, None, untold=untold)
        if step is None or after is None:
            return
        yield step, battle.acting, after
        battle = after


def _only_step(battle: Battle) -> Control | None:
    """What leads on from a step in which there is nothing else to be done, if it is one."""
    system, state = battle.system, battle.state
    game = state.game
    if battle.pending is not None or state.deployment is not None or (game and game.over):
        return None
    steps = [control for control in system.controls(state, None) if not control.why_not]
    if len(steps) != 1 or steps[0].group != "step" or steps[0].settles:
        return None
    able = any(
        not control.why_not and not system.actions[str(control.action["kind"])].measures
        for one in state.combatants()
        if one.side in battle.acting and one.id not in state.gone
        for control in system.controls(state, one.id)
    )
    return None if able else steps[0]
