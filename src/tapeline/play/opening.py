"""What must be done before a body can be dragged: the presses that open its moves."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.controls import Control
from tapeline.engine.system import Question
from tapeline.play.battle import Battle

__all__ = ["DRAGGED", "opening_of"]

#: Gestures of a hand that drags the body itself.
DRAGGED = frozenset({"path", "pose", "turn", "distance", "stands"})

#: Presses in a row that are looked for.
_MOST = 2


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
        if control.gesture != "press" or control.why_not or control.extras:
            continue
        if control.group == "attest":
            continue
        action = battle.action(dict(control.action))
        if battle.side_of(action) not in (None, side):
            continue
        asked = Question("odds", getattr(action, "actor", None), "", action)
        if not untold and system.may_measure(state, asked):
            continue
        after, _ = battle.play(action)
        stands = of in after.state.bodies or of in after.state.units
        if after.pending is None and after.last is not None and after.last.legal and stands:
            yield control, after
