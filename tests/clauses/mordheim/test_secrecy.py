"""MH-CHG-2, MH-RUN-5, MH-GAP-3: nothing tells a distance before it may be measured."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from clauses.mordheim.staging import Table, block, blue, ids, red
from tapeline.cli.app import app
from tapeline.dice import Roll
from tapeline.engine.system import Question
from tapeline.errors import MeasuringError
from tapeline.play.battle import Battle
from tapeline.rules.mordheim import SYSTEM
from tapeline.rules.mordheim.reach import may_measure


def test_mh_chg_2_no_distance_until_declarations_close() -> None:
    table = Table([red(10, 10), blue(17, 10)], phase="recovery")
    assert ids(table.do("measure", target="E")) == {"MH-CHG-2"}
    assert table.do("end_phase", None).legal
    assert ids(table.do("measure", target="E")) == {"MH-CHG-2"}
    assert ids(table.do("measure", what="run")) == {"MH-RUN-5"}
    assert table.do("close_declarations", None).legal
    assert table.do("measure", target="E").value("gap") == pytest.approx(6.0)
    assert table.do("measure", what="run").value("run_ok") is False


def test_mh_gap_3_never() -> None:
    table = Table([red(10, 10), blue(17, 10)])
    assert ids(table.do("measure", what="gap")) == {"MH-GAP-3"}


@pytest.mark.parametrize(
    ("step", "question", "clauses"),
    [
        ("declarations", Question("reach", "A", "move"), ["MH-CHG-2"]),
        ("declarations", Question("reach", "A", "run"), ["MH-RUN-5"]),
        ("declarations", Question("reach", "E", "move"), ["MH-CHG-2"]),
        ("remaining", Question("reach", "A", "run"), []),
    ],
)
def test_questions_are_refused_with_their_clause(
    step: str, question: Question, clauses: list[str]
) -> None:
    state = Table([red(10, 10), blue(17, 10)], step=step).state
    assert [finding.clause for finding in may_measure(state, question)] == clauses


def test_reach_and_routes_are_told_once_declarations_are_closed() -> None:
    table = Table([red(10, 10), blue(17, 10)], step="declarations")
    battle = Battle(SYSTEM, table.state)
    with pytest.raises(MeasuringError, match="MH-CHG-2"):
        battle.reach("A")
    with pytest.raises(MeasuringError, match="MH-CHG-2"):
        battle.route("A", "E")
    with pytest.raises(MeasuringError, match="MH-RUN-5"):
        battle.reach("A", "run")
    with pytest.raises(MeasuringError, match="MH-CHG-2"):
        battle.odds({"kind": "declare_charge", "actor": "A", "targets": ["E"]})
    table.do("close_declarations", None)
    assert Battle(SYSTEM, table.state).reach("A").contains((13.9, 10.0))


def test_the_command_line_tells_no_distance_either(tmp_path: Path) -> None:
    table = Table([red(10, 10), blue(17, 10)], step="declarations")
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(Battle(SYSTEM, table.state).scene()))
    picture = str(tmp_path / "reach.svg")
    for command in (
        ["reach", str(scene), "A"],
        ["reach", str(scene), "A", "-o", picture],
        ["route", str(scene), "A", "--to", "E"],
    ):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 2, command
        assert "MH-CHG-2" in result.output
    assert not (tmp_path / "reach.svg").exists()


def test_odds_of_a_jump_over_a_gap_are_secret() -> None:
    roofs = [block("R", 4, 10, 4, 16, 4), block("G", 13, 19, 4, 16, 4)]
    state = Table([red(9.5, 10, 4), blue(40, 40)], roofs).state
    jump = {"kind": "move", "actor": "A", "path": [{"to": [13.2, 10], "z": 4, "how": "jump"}]}
    battle = Battle(SYSTEM, state)
    with pytest.raises(MeasuringError, match="MH-GAP-3"):
        battle.odds(jump)
    walk = {"kind": "move", "actor": "A", "path": [{"to": [9.6, 10]}]}
    assert battle.odds(walk).exact


@pytest.mark.parametrize(("x", "told"), [(16, False), (7, True)])
def test_odds_of_a_charge_over_a_gap_are_secret(x: float, told: bool) -> None:
    roofs = [block("R", 4, 10, 4, 16, 4), block("G", 12, 19, 4, 16, 4)]
    table = Table([red(9, 10, 4), blue(x, 10, 4)], roofs, step="declarations")
    assert table.do("declare_charge", targets=["E"]).legal
    assert table.do("close_declarations", None).legal
    battle = Battle(SYSTEM, table.state)
    if told:
        assert battle.odds({"kind": "charge", "actor": "A"}).exact
    else:
        with pytest.raises(MeasuringError, match="MH-GAP-3"):
            battle.odds({"kind": "charge", "actor": "A"})


def test_no_refusal_before_declarations_close_gives_a_figure() -> None:
    """Whatever is proposed too early, the findings tell no distance to anybody."""
    rng = Random("secret")
    for _ in range(200):
        models = [red(10, 10), blue(10 + rng.uniform(1.5, 12), 10, state={"hidden": False})]
        table = Table(models, step="declarations")
        x = rng.uniform(8, 20)
        for verdict in (
            table.go((x, 10)),
            table.go((x, 10), run=True),
            table.do("declare_charge", "E", targets=["A"]),
            table.do("charge", path=[{"to": [x, 10]}]),
        ):
            assert not verdict.legal
            assert verdict.nearest is None
            assert all(finding.measured is None for finding in verdict.findings), verdict.findings
            assert ids(verdict) <= {"MH-PHASE-1", "MH-PHASE-5", "MH-CHG-6"}


def test_mh_gap_3_no_refusal_tells_how_wide_a_gap_is() -> None:
    """Paths over gaps of several widths that are too long: nothing tells them apart."""
    told = set()
    for wide in (1.0, 1.7, 2.4):
        for run, far in ((False, 15.6), (True, 19.0)):
            roofs = [block("R", 4, 10, 4, 16, 4), block("G", 10 + wide, 30, 4, 16, 4)]
            models = [red(9.5, 10, 4, state={"run_ok": True}), blue(16, 10, 4)]
            table = Table(models, roofs)
            jump = {"to": [14, 10], "z": 4, "how": "jump"}
            verdict = table.go(jump, (far, 10), run=run)
            assert not verdict.legal
            for finding in verdict.findings:
                told.add((run, finding.clause, finding.text, finding.measured, finding.travelled))
            assert verdict.nearest is None or len(verdict.nearest.action["path"]) < 2
    assert len(told) == len({key[:2] for key in told})


def test_mh_gap_3_the_test_of_a_jump_does_not_tell_its_width() -> None:
    roofs = [block("R", 4, 10, 4, 16, 4), block("G", 12.125, 19, 4, 16, 4)]
    table = Table([red(9.5, 10, 4), blue(40, 40)], roofs)
    jump = {"to": [12.2, 10], "z": 4, "how": "jump"}
    asked = table.go(jump)
    assert table.session is not None
    assert isinstance(table.session.ask, Roll)
    assert "2.125" not in table.session.ask.purpose
    assert "gap" not in asked.values
    jumped = table.do("move", "A", [1], path=[jump])
    assert jumped.value("gap") == pytest.approx(2.125)


def test_mh_chg_2_hiding_tells_no_distance_before_declarations_close() -> None:
    wall = {"id": "w", "wall": [[20.7, 8], [20.7, 12]], "thickness": 0.2, "height": 3}
    models = [red(20, 10), blue(22.7, 10)]
    for stage in ({"step": "declarations"}, {"phase": "recovery"}):
        verdict = Table(models, [wall], **stage).do("hide")
        assert not verdict.legal
        assert ids(verdict) <= {"MH-PHASE-1", "MH-PHASE-5"}
    assert ids(Table(models, [wall]).do("hide")) == {"MH-HIDE-10"}
