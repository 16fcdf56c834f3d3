"""Questions that the rules do not let anybody ask yet are refused with the clause, in every way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

import tapeline as tl
from support.scenes import toy_scene
from tapeline.engine.move_limits import MoveLimits, Toll
from tapeline.engine.state import State
from tapeline.engine.system import Question
from tapeline.engine.verdicts import Finding
from tapeline.errors import MeasuringError
from tapeline.geometry.discs.field import Field
from tapeline.play.battle import load
from tapeline.table.bodies import Body, Round

SHOVE = tl.Action("shove", "R1", target="B1")


def _leeway(state: State, body: Body) -> MoveLimits:
    assert isinstance(body.base, Round)
    field = Field.of(width=state.table.width, depth=state.table.depth)
    return MoveLimits(
        body.id, "move", body.centre, body.base.radius, 3.0, field, lambda p: Toll(0.0)
    )


def _battle(asked: list[Question], *, told: bool) -> tl.Battle:
    def may_measure(state: State, question: Question) -> list[Finding]:
        asked.append(question)
        return [] if told else [Finding("Nobody measures yet.", clause="TY-ACT-1")]

    toy = tl.load_system("toy")
    system = replace(toy, reaching={"move": _leeway}, may_measure=may_measure)
    return load(toy_scene(), system=system)


@pytest.mark.parametrize(
    ("ask", "question"),
    [
        (lambda b: b.reach("R1"), Question("reach", "R1", "move")),
        (lambda b: b.route("R1", (6.0, 6.0)), Question("reach", "R1", "move")),
        (lambda b: b.odds(SHOVE), "odds"),
    ],
)
def test_a_secret_question_is_refused_with_its_clause(
    ask: Callable[[tl.Battle], object], question: Question | str
) -> None:
    asked: list[Question] = []
    with pytest.raises(MeasuringError, match=r"Nobody measures yet\. \(TY-ACT-1\)") as caught:
        ask(_battle(asked, told=False))
    assert caught.value.clauses == ("TY-ACT-1",)
    if question == "odds":
        question = Question("odds", "R1", "", _battle([], told=True).action(SHOVE))
    assert asked == [question]


def test_what_may_be_told_is_told() -> None:
    asked: list[Question] = []
    battle = _battle(asked, told=True)
    assert battle.reach("R1").contains((battle.state.body("R1").x + 1.0, battle.state.body("R1").y))
    assert math.isclose(float(sum(o.chance for o in battle.odds(SHOVE).outcomes)), 1.0)
    assert [question.about for question in asked] == ["reach", "odds"]
