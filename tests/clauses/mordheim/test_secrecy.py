"""MH-CHG-2, MH-RUN-5, MH-GAP-3: nothing tells a distance before it may be measured."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from clauses.mordheim.staging import Doc, Table, block, blue, ids, red
from tapeline.cli.app import app
from tapeline.dice import Roll
from tapeline.engine.system import Question
from tapeline.engine.verdicts import Kind, Verdict
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


def roofs(wide: float) -> list[Doc]:
    """Two roofs with a gap between them."""
    return [block("R", 4, 10, 4, 16, 4), block("G", 10 + wide, 30, 4, 16, 4)]


def jump(x: float) -> Doc:
    """A jump over the gap that ends there."""
    return {"to": [x, 10], "z": 4, "how": "jump"}


def alike(verdict: Verdict) -> Verdict:
    """What a verdict tells, but for where models stand, which everybody sees."""
    findings = tuple(replace(finding, place=None) for finding in verdict.findings)
    return replace(verdict, findings=findings, checked=())


@pytest.mark.parametrize("run", [False, True])
@pytest.mark.parametrize("rest", [[], [[16, 10]], [[15.5, 10]], [[19.5, 10]], [[29, 10], [29, 50]]])
def test_mh_gap_3_no_trial_tells_how_wide_a_gap_is(rest: list[list[float]], run: bool) -> None:
    """Whatever the path does beyond a gap of any width: it is judged up to the jump."""
    told = []
    for wide in (1.0, 1.7, 2.4, 3.0, 3.4, 4.1):
        models = [red(9.5, 10, 4, state={"run_ok": True}), blue(18, 10, 4)]
        path = [jump(14.5), *({"to": to} for to in rest)]
        verdict = Battle(SYSTEM, Table(models, roofs(wide)).state).judge(
            {"kind": "move", "actor": "A", "path": path, "run": run}
        )
        assert [finding.clause for finding in verdict.findings] == ["MH-GAP-3"]
        assert (verdict.kind, verdict.ask, len(verdict.values)) == (Kind.STOPPED, None, 0)
        assert verdict.moved[-1].end == pytest.approx((10, 10, 4))
        told.append(alike(verdict))
    assert all(one == told[0] for one in told)


def test_mh_gap_3_what_lies_beyond_a_gap_is_judged_once_it_is_jumped() -> None:
    """It goes on as far as the allowance goes, or up to an enemy."""
    far = Table([red(9.5, 10, 4), blue(40, 40)], roofs(2.0))
    verdict = far.do("move", "A", [1], path=[jump(12.2), {"to": [20, 10]}])
    assert (verdict.kind, ids(verdict)) == (Kind.STOPPED, {"MH-MOVE-1"})
    assert far.body().x == pytest.approx(13.5, abs=1e-5)
    assert verdict.value("spent") == pytest.approx(4.0, abs=1e-5)

    met = Table([red(9.5, 10, 4), blue(14, 10, 4)], roofs(2.0))
    verdict = met.do("move", "A", [1], path=[jump(12.2), {"to": [13.4, 10]}])
    assert (verdict.kind, verdict.findings[0].about) == (Kind.STOPPED, "E")
    assert met.body().x == pytest.approx(13.0, abs=1e-5)
    assert not met.mark("engaged")

    tired = Table([red(9.5, 10, 4, state={"stood_up": True}), blue(40, 40)], roofs(1.0))
    verdict = tired.do("move", "A", [1], path=[jump(11.2), {"to": [12, 10]}])
    assert ids(verdict) == {"MH-KD-2"}
    assert tired.body().x == pytest.approx(11.5, abs=1e-5)


def test_mh_gap_3_a_charge_over_a_gap_tells_nothing_of_it() -> None:
    told: list[list[Verdict]] = []
    for wide in (2.0, 2.3):
        models = [red(9, 10, 4), blue(16, 10, 4)]
        table = Table(models, roofs(wide), step="declarations")
        assert table.do("declare_charge", targets=["E"]).legal
        assert table.do("close_declarations", None).legal
        battle, charge = Battle(SYSTEM, table.state), {"kind": "charge", "actor": "A"}
        told.append([alike(battle.judge(charge | more)) for more in ({}, {"path": [jump(15)]})])
    assert told[0] == told[1]
    assert [verdict.kind for verdict in told[0]] == [Kind.STOPPED, Kind.ILLEGAL]
    assert not told[0][0].moved


def test_mh_rec_2_who_is_nearest_shows_when_it_rallies() -> None:
    told = []
    for x in (14, 30):
        models = [red(10, 10, state={"fleeing": True}), red(18, 10, body_id="B"), blue(x, 10)]
        table = Table(models, phase="recovery")
        verdict = Battle(SYSTEM, table.state).judge({"kind": "rally", "actor": "A"})
        told.append((alike(verdict), [*SYSTEM.controls(table.state, "A")]))
        assert (ids(table.do("rally")) == {"MH-REC-2"}) is (x == 14)
    assert told[0] == told[1]


STAGES: list[tuple[Doc, str, Doc]] = [
    ({"phase": "recovery"}, "end_phase", {}),
    ({"phase": "recovery"}, "shoot", {"actor": "A", "target": "H"}),
    ({"step": "declarations"}, "rally", {"actor": "A"}),
    ({"step": "declarations"}, "close_declarations", {}),
    ({"step": "declarations"}, "declare_charge", {"actor": "A", "targets": ["E"]}),
    ({"step": "declarations"}, "declare_charge", {"actor": "A", "targets": ["H"]}),
]


@pytest.mark.parametrize(("stage", "kind", "more"), STAGES)
def test_mh_chg_2_no_trial_tells_who_is_near(stage: Doc, kind: str, more: Doc) -> None:
    """What ends recovery, opens or closes declarations is judged alike wherever the enemies are."""
    told = []
    for x in (12.2, 14, 19, 30):
        wild = {"like": "Mercenary Warrior", "frenzy": True, "stupid": True, "stupid_hero_in": 6}
        hero = {"like": "Mercenary Warrior", "hero": True}
        models = [
            red(10, 10, profile=wild),
            red(x, 8, body_id="B", profile=hero),
            blue(x, 10),
            blue(x, 12, body_id="H", state={"hidden": True}),
        ]
        battle = Battle(SYSTEM, Table(models, **stage).state)
        verdict = battle.judge({"kind": kind, **more})
        told.append((alike(verdict), [*SYSTEM.controls(battle.state, "A")]))
        with pytest.raises(MeasuringError):
            battle.odds({"kind": kind, **more})
    assert all(one == told[0] for one in told)


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
