"""A board to try on the start page: a body of an example, how far it may go, what a drag gives.

Nothing is kept: every drag is judged from the same start.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tapeline.engine.controls import Control
from tapeline.play.battle import Battle, load
from tapeline.play.opening import opening_of
from tapeline.web.documents.catalogue import Demo
from tapeline.web.documents.verdict import Verdict
from tapeline.web.views.asked import reach_view, route_view
from tapeline.web.views.board import board_of
from tapeline.web.views.catalogue import example
from tapeline.web.views.verdicts import verdict_of

__all__ = ["demo", "demo_try"]

#: The scene and the body: walls on two sides, and nothing said of it that a stranger need know.
SCENE, BODY = "trench-ruined-square", "b-1"


def demo(folder: Path | None) -> Demo:
    """The board at the start. Raises KeyError where the folder has no such scene."""
    battle, control = _begun(folder)
    board = board_of(battle, terrain=True)
    reach = reach_view(battle, BODY, control.reach)
    return Demo(example=SCENE, body=BODY, board=board, reach=reach)


def demo_try(folder: Path | None, to: tuple[float, float]) -> Verdict:
    """The verdict on a move to a place: straight, else by the true way if there is one."""
    battle, control = _begun(folder)
    action = battle.action({**control.action, control.slot: [{"to": list(to)}]})
    verdict = battle.judge(action)
    way = None if verdict.legal else route_view(battle, BODY, control.reach, to)
    if way is not None:
        action = battle.action({**control.action, control.slot: way.path})
        verdict = battle.judge(action)
    return verdict_of(battle, action, verdict)


@cache
def _begun(folder: Path | None) -> tuple[Battle, Control]:
    battle = load(example(folder, SCENE))
    for step in opening_of(battle, BODY):
        battle, _ = battle.play(dict(step.action))
    controls = battle.system.controls(battle.state, BODY)
    return battle, next(c for c in controls if c.reach and not c.why_not)
