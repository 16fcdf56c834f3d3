"""Verdicts: every finding of every golden case travels, ways are drawn as they were gone."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import chain

import pytest

import tapeline as tl
from support.scenarios import example_scenes, golden_cases
from tapeline.dice import Roll
from tapeline.engine.asks import Choice
from tapeline.engine.paths import Leg
from tapeline.engine.referee import Session
from tapeline.engine.verdicts import Verdict
from tapeline.play.battle import Battle, load
from tapeline.play.cases import CaseDoc, run_case
from tapeline.play.systems import system_names
from tapeline.table.json_documents import validate
from tapeline.table.marks import freeze
from tapeline.web.documents import verdict as documents
from tapeline.web.views.verdicts import legs_trace, question_of, verdict_of

EXAMPLES = example_scenes()
pytestmark = pytest.mark.compiled


#: A session that is over, its verdict, and the document of that.
Shown = tuple[Session, Verdict, documents.Verdict]


@pytest.fixture(scope="module")
def shown(budget: Callable[[int, int], int]) -> list[Shown]:
    """Steps of golden cases with their verdicts: of some 160 cases, or all; and of some 80 of those
    that tell which question is open."""
    found = []
    cases = [(path, case) for path, case in golden_cases() if path.parent.name != "golden"]
    asking = [one for one in cases if '"pending": "choice"' in json.dumps(one[1])]
    some = cases[:: budget(len(cases) // 160, 1)], asking[:: budget(len(asking) // 80, 1)]
    for path, case in chain(*some):
        sessions: list[Session] = []
        result = run_case(validate(CaseDoc, case, "case"), path, sessions.append)
        for session, step in zip(sessions, result.steps, strict=True):
            battle = Battle(session.system, session.start)
            document = verdict_of(battle, session.action, step.verdict)
            found.append((session, step.verdict, document))
    assert {session.system.name for session, _, _ in found} == set(system_names())
    return found


def test_every_finding_of_every_golden_case_is_in_its_document(shown: list[Shown]) -> None:
    findings = 0
    for _, verdict, document in shown:
        assert documents.Verdict.model_validate_json(document.model_dump_json()) == document
        assert document.kind == verdict.kind
        assert document.legal == verdict.legal
        for ours, theirs in zip(verdict.findings, document.findings, strict=True):
            assert (theirs.clause, theirs.text, theirs.place, theirs.about) == (
                ours.clause,
                ours.text,
                ours.place,
                ours.about,
            )
            assert theirs.measured == ours.measured
            assert theirs.limit == ours.limit
            findings += 1
        assert [line.cost for line in document.ledger] == [line.cost for line in verdict.ledger]
        assert document.cites == list(verdict.cites)
    assert findings > 100


def test_ways_end_where_the_bodies_stand(shown: list[Shown]) -> None:
    ways = 0
    for _, verdict, document in shown:
        for movement, trace in zip(verdict.moved, document.moved, strict=True):
            assert trace.body == movement.body
            assert trace.start == pytest.approx(movement.start)
            assert trace.end == pytest.approx(movement.end)
            assert trace.facing == pytest.approx(movement.facing % 360.0, abs=1e-9)
            at = trace.start[:2]
            for stretch in trace.stretches:
                assert stretch.line[0] == pytest.approx(at, abs=1e-9)
                at = stretch.line[-1]
            if trace.stretches:
                assert at == pytest.approx(movement.end[:2], abs=1e-6)
                assert trace.stretches[-1].facing == trace.facing
            ways += 1
    assert ways > 100


def test_the_costs_of_the_legs_add_up_to_the_cost_of_the_move(shown: list[Shown]) -> None:
    told = silent = 0
    for _, verdict, document in shown:
        costs = [s.cost for trace in document.moved for s in trace.stretches]
        if not costs or not verdict.ledger:
            assert not any(costs)
        elif any(cost is not None for cost in costs):
            assert sum(cost or 0.0 for cost in costs) == pytest.approx(verdict.cost, abs=1e-9)
            told += 1
        else:
            silent += 1
    assert told > 8 * silent


def test_slow_ground_shows_in_the_cost_of_its_leg(shown: list[Shown]) -> None:
    slow = 0
    for _, verdict, document in shown:
        stretches = [s for trace in document.moved for s in trace.stretches]
        factors = {line.factor for line in verdict.ledger if line.distance > 0.0}
        if factors != {1.0, 2.0} or any(s.cost is None or s.how != "walk" for s in stretches):
            continue
        if any(m.start[2] != m.end[2] for m in verdict.moved):
            continue  # what goes up or down costs its height
        assert all(s.length - 1e-6 <= s.cost <= 2.0 * s.length + 1e-6 for s in stretches if s.cost)
        slow += any(s.cost > s.length + 0.1 for s in stretches if s.cost)
    assert slow > 0


@pytest.mark.parametrize("by", [0.5, -7.0, 90.0, -200.0, 359.0])
@pytest.mark.parametrize("radius", [0.02, 0.6, 3.0, 40.0])
def test_arcs_are_flattened_within_the_promise(by: float, radius: float) -> None:
    battle = load(EXAMPLES["trench-two-lines"])
    body = next(iter(battle.state.bodies.values()))
    centre = (body.x - radius * 0.6, body.y + radius * 0.8)
    (stretch,) = legs_trace(body, (Leg(centre=centre, by=by),)).stretches
    assert stretch.length == pytest.approx(radius * abs(math.radians(by)))
    start = math.atan2(body.y - centre[1], body.x - centre[0])
    for (ax, ay), (bx, by_) in zip(stretch.line, stretch.line[1:], strict=False):
        for k in range(5):
            x, y = ax + (bx - ax) * k / 4, ay + (by_ - ay) * k / 4
            assert radius - math.dist((x, y), centre) <= 0.01 + 1e-9
    end = start + math.radians(by)
    wanted = (centre[0] + radius * math.cos(end), centre[1] + radius * math.sin(end))
    assert stretch.line[-1] == pytest.approx(wanted, abs=1e-9)
    for x, y in stretch.line:
        assert math.dist((x, y), centre) == pytest.approx(radius, abs=1e-9)


def test_turns_and_heights_are_told_leg_by_leg() -> None:
    battle = load(EXAMPLES["mordheim-market"])
    body = next(iter(battle.state.bodies.values()))
    path = (
        Leg(to=(body.x + 1.0, body.y)),
        Leg(by=90.0),
        Leg(to=(body.x + 1.0, body.y), z=3.0, how="climb"),
        Leg(to=(body.x + 2.0, body.y), by=-30.0, how="free"),
    )
    stretches = legs_trace(body, path).stretches
    assert [s.how for s in stretches] == ["walk", "walk", "climb", "free"]
    assert [s.z for s in stretches] == [0.0, 0.0, 3.0, 3.0]
    assert [s.facing for s in stretches] == [0.0, 90.0, 90.0, 60.0]
    assert [len(s.line) for s in stretches] == [2, 1, 1, 2]


def test_nearest_moves_are_drawn_and_can_be_done(shown: list[Shown]) -> None:
    drawn = 0
    for session, verdict, document in shown:
        if verdict.nearest is None:
            assert document.nearest is None
            continue
        assert document.nearest is not None
        assert document.nearest.how == verdict.nearest.how
        if "kind" not in document.nearest.action:
            continue
        battle = Battle(session.system, session.start)
        again = battle.judge(document.nearest.action, nearest=False)
        assert again.legal
        if again.moved:
            assert document.nearest.traces
            ends = {trace.body: trace.end[:2] for trace in document.nearest.traces}
            last = {moved.body: moved.end[:2] for moved in again.moved}
            if again.kind == "LEGAL" and again.ask is None:
                for body in ends.keys() & last.keys():
                    assert ends[body] == pytest.approx(last[body], abs=1e-6)
                drawn += 1
    assert drawn > 5


def test_questions_tell_what_is_asked_of_whom(shown: list[Shown]) -> None:
    forms = set()
    for session, verdict, document in shown:
        ask = verdict.ask
        if ask is None:
            assert document.question is None
            continue
        question = document.question
        assert question is not None
        assert (question.by, question.clause, question.purpose) == (ask.by, ask.clause, ask.purpose)
        forms.add(question.form)
        if isinstance(ask, Roll):
            assert (question.form, question.count, question.sides) == ("roll", ask.count, ask.sides)
            continue
        assert isinstance(ask, Choice)
        assert [option.text for option in question.options] == [o.text for o in ask.options]
        assert [freeze(option.value) for option in question.options] == [
            option.value for option in ask.options
        ]
        if ask.form == "path":
            assert question.body == ask.about
            assert question.body in session.state.bodies
    assert forms >= {"one", "path"}


def test_an_answer_is_drawn_from_where_its_body_stands() -> None:
    scene = EXAMPLES["trench-two-lines"]
    battle = load(scene)
    side = battle.state.turn.active
    body = next(b for b in battle.state.bodies.values() if b.side == side)
    battle, _ = battle.play(tl.Activate(body.id))
    for seed in range(60):
        after, _ = battle.play(tl.Dash(body.id), dice=tl.Dice(seed=seed))
        ask = None if after.pending is None else after.pending.ask
        if isinstance(ask, Choice) and ask.form == "path":
            break
    question = question_of(after)
    assert question is not None
    assert (question.form, question.body) == ("path", body.id)
    assert question.allowance == body.stat("movement")
    wanted = freeze([{"to": [body.x + 0.5, body.y]}])
    tried, _ = after.answer(wanted)
    assert tried.last is not None
    document = verdict_of(after, None, tried.last, answer=wanted)
    assert document.legal
    assert document.wanted[0].body == body.id
    assert document.wanted[0].end == pytest.approx((body.x + 0.5, body.y, body.z))
    assert document.moved[0].end == document.wanted[0].end
    far = freeze([{"to": [body.x + 5.0, body.y + 40.0]}])
    refused, _ = after.answer(far)
    assert refused.last is not None
    document = verdict_of(after, None, refused.last, answer=far)
    assert not document.legal
    assert document.findings
    assert document.nearest is None or document.nearest.traces[0].body == body.id


def test_a_roll_and_a_number_are_asked_for_in_full() -> None:
    fight = load(EXAMPLES["trench-mire"])
    fight, _ = fight.play(tl.Move("r-2", path=[{"by": 30}]))
    battle, _ = load(EXAMPLES["sovl-broad-field"]).play({"kind": "roll_off"})
    question = question_of(battle)
    assert question is not None
    assert (question.form, question.count, question.sides) == ("roll", 1, 6)
    assert question_of(load(EXAMPLES["sovl-broad-field"])) is None
    asked = next(
        after
        for enemy in ("b-1", "b-2", "b-3", "b-4")
        if enemy in fight.state.bodies
        for after, _ in [fight.play(tl.Fight("r-2", target=enemy))]
        if after.pending is not None and getattr(after.pending.ask, "form", "") == "number"
    )
    number = question_of(asked)
    assert number is not None
    assert number.form == "number"
    assert 0 <= number.low < number.high
    assert number.whole


def test_a_refusal_tells_no_length_before_it_may_be_measured() -> None:
    battle = load(EXAMPLES["mordheim-market"])
    body = battle.state.bodies["r-captain"]
    action = battle.action(tl.Move(body.id, path=[{"to": [body.x + 2.0, body.y]}]))
    early = verdict_of(battle, action, battle.judge(action))
    assert not early.legal
    assert (early.wanted, early.moved, early.nearest) == ([], [], None)
    after, _ = battle.play(
        {"kind": "close_declarations"}, dice=tl.Dice(seed=1), chooser=tl.take_default
    )
    late = verdict_of(after, action, after.judge(action))
    assert late.wanted[0].stretches[0].length == pytest.approx(2.0)


def test_whose_path_is_asked_for_may_be_another_body_than_the_one_that_acts() -> None:
    case = next(
        case
        for _, case in golden_cases()
        if case.get("title", "").startswith("A SKIRMISHER evades")
    )
    step = case["steps"][0]
    battle = load(case["scene"])
    after, _ = battle.play(step["action"], dice=tl.Dice(*step["dice"], [1], [1]))
    answers = list(step["answers"])
    while after.pending is not None and getattr(after.pending.ask, "form", "") != "path":
        after, _ = after.answer(answers.pop(0), dice=tl.Dice([4], [1], [1]))
    question = question_of(after)
    assert question is not None
    assert question.body == step["action"]["target"]
    assert question.by == after.state.bodies[question.body].side
    assert question.allowance is not None
    assert 1.0 <= question.allowance <= 3.0


def brigade_scene() -> Battle:
    """Infantry (20 cm) with a gun (10 cm) beside it, ordered together."""
    places = {"foot": [(56, 40), (60, 40), (64, 40)], "gun": [(67, 40), (69, 40)]}
    profiles = {"foot": "Infantry", "gun": "Cannon"}
    models = [
        {"id": f"{unit}-{k}", "side": "red", "profile": profiles[unit],
         "position": list(at), "facing": 90}
        for unit, spots in places.items()
        for k, at in enumerate(spots)
    ]  # fmt: skip
    units = [
        {"id": unit, "side": "red", "name": unit.title(), "profile": profiles[unit],
         "members": [f"{unit}-{k}" for k in range(len(spots))], "state": {"may_move": "order"}}
        for unit, spots in places.items()
    ]  # fmt: skip
    turn = {"phase": "orders", "active": "red", "progress": {"group": [*places]}}
    return load(
        {
            "format": "tapeline-scene/1",
            "system": "warmaster",
            "table": {"width": 180, "depth": 120, "unit": "cm"},
            "sides": [{"id": "red"}, {"id": "blue"}],
            "models": models,
            "units": units,
            "turn": turn,
        }
    )


def test_a_brigade_costs_a_unit_not_all_added_up() -> None:
    battle = brigade_scene()
    action = battle.action({"kind": "brigade", "units": ["foot", "gun"], "to": [64, 47], "by": 2})
    verdict = battle.judge(action)
    assert verdict.legal, verdict.findings
    document = verdict_of(battle, action, verdict)
    shares = {share.payer: share for share in document.shares}
    assert {share.payer: share.name for share in document.shares} == {"foot": "Foot", "gun": "Gun"}
    assert shares["foot"].allowance == 20.0
    assert shares["gun"].allowance == 10.0
    for line in verdict.ledger:
        assert line.payer is not None
        assert shares[line.payer].cost == line.cost > 6.5
    # Of the gun there is less left: what the page tells in one line is about it.
    assert (document.cost, document.allowance) == (shares["gun"].cost, 10.0)
    assert verdict.cost == sum(share.cost for share in document.shares) > document.cost


def test_one_unit_alone_has_no_shares() -> None:
    battle = brigade_scene()
    action = battle.action({"kind": "block", "actor": "foot", "to": [60, 45]})
    document = verdict_of(battle, action, battle.judge(action))
    assert document.shares == []
    assert (document.cost, document.allowance) == (5.0, 20.0)
