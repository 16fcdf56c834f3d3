"""What the referee says as documents: findings, ways to draw, costs, questions. What a body may be
asked to do, as the page offers it: the system's own controls.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from tapeline.dice import Reading, Roll
from tapeline.engine import verdicts as engine
from tapeline.engine.actions import Action
from tapeline.engine.asks import Answer, Ask, AttestedChoice
from tapeline.engine.attested import Chances
from tapeline.engine.codec import parse_action
from tapeline.engine.controls import Control, Extra
from tapeline.engine.limits import TOLERANCE, same
from tapeline.engine.paths import LegPath, legs_from_value
from tapeline.engine.referee import judge
from tapeline.engine.state import State
from tapeline.engine.system import Question, System
from tapeline.errors import AnswerError
from tapeline.picture import traces
from tapeline.play.battle import Battle, resume
from tapeline.play.opening import onward_of
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks, Value, thaw
from tapeline.web.documents import verdict as documents
from tapeline.web.documents.base import Point
from tapeline.web.documents.verdict import Option

__all__ = [
    "BY_CHANCE",
    "action_with",
    "answer_with",
    "control_document",
    "controls_of",
    "finding_document",
    "left_to_chance",
    "legs_trace",
    "movement_traces",
    "question_of",
    "verdict_of",
]

#: How far a flattened arc may be from the true one, table units.
FLAT = 0.01


def verdict_of(
    battle: Battle, action: Action | None, verdict: engine.Verdict, *, answer: Value = None
) -> documents.Verdict:
    """The verdict on an action, or, without one, on an answer to the question open in `battle`.

    battle: as before the action or the answer. answer: the answer tried, if it is a path.
    """
    pending = battle.pending
    state = battle.state if pending is None else pending.start
    refused = action if action is not None else None if pending is None else pending.action
    ask = verdict.ask
    asks = verdict.legal and ask is not None
    ways = [] if action is None else traces.wanted(battle.state, action)
    # Nothing is shown that the rules keep secret until it is done.
    told = (
        action is not None
        and bool(ways or asks)
        and not battle.system.may_measure(battle.state, Question.odds(action))
    )
    if action is None:
        wanted = _wanted_answer(battle, answer)
    else:
        wanted = [_document(way) for way in ways] if told else []
    shares = _shares(state, verdict.ledger)
    tight = min(shares, key=_left, default=None)
    return documents.Verdict(
        kind=verdict.kind.value,
        legal=verdict.legal,
        odds=asks and told,
        findings=[finding_document(finding) for finding in verdict.findings],
        wanted=wanted,
        moved=movement_traces(state, verdict.moved, verdict.ledger),
        ledger=[documents.LedgerLine.of(line) for line in verdict.ledger],
        cost=verdict.cost if tight is None else tight.cost,
        allowance=_allowance(verdict) if tight is None else tight.allowance,
        shares=shares,
        nearest=_nearest(battle, verdict.nearest, refused),
        question=None if ask is None else _question(ask, battle.system, state, refused),
        values=thaw(verdict.values),
        cites=list(verdict.cites),
    )


def finding_document(finding: engine.Finding) -> documents.Finding:
    """A finding as the page shows it."""
    figures = ("measured", "limit", "travelled")
    return documents.Finding.of(finding, **{f: _finite(getattr(finding, f)) for f in figures})


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _shares(state: State, ledger: Iterable[engine.LedgerLine]) -> list[documents.Share]:
    """What each payer pays, in the order of the ledger; none where there are not several."""
    found: dict[str, documents.Share] = {}
    for line in ledger:
        if line.payer is None:
            continue
        earlier = found.get(line.payer)
        found[line.payer] = documents.Share(
            payer=line.payer,
            name=state.name_of(line.payer),
            cost=line.cost + (0.0 if earlier is None else earlier.cost),
            allowance=_finite(line.allowance),
        )
    return [*found.values()] if len(found) > 1 else []


def _left(share: documents.Share) -> tuple[float, float]:
    """For sorting: who has the least left comes first, without an allowance who pays most."""
    known = math.inf if share.allowance is None else share.allowance
    return (known - share.cost, -share.cost)


def _allowance(verdict: engine.Verdict) -> float | None:
    """What might be spent in all, where the verdict has figures for it."""
    values = verdict.values
    known = values.get("allowance")
    if isinstance(known, int | float) and not isinstance(known, bool):
        return float(known)
    left = values.get("allowance_left")
    if isinstance(left, int | float) and not isinstance(left, bool) and verdict.legal:
        return verdict.cost + left
    return None


# Ways


def movement_traces(
    state: State, moved: Iterable[engine.Movement], ledger: Sequence[engine.LedgerLine] = ()
) -> list[documents.Trace]:
    """The ways of everything that moved, each from where the one before left it.

    ledger: its lines go to the legs that they are about, if they follow the ways leg by leg.
    """
    ways = traces.movements(state, tuple(moved))
    costs = _leg_costs([stretch for way in ways for stretch in way.stretches], ledger)
    found, at = [], 0
    for way in ways:
        found.append(_document(way, costs[at : at + len(way.stretches)]))
        at += len(way.stretches)
    return found


def _leg_costs(
    stretches: Sequence[traces.DrawnLeg], ledger: Sequence[engine.LedgerLine]
) -> list[float | None]:
    """What the ledger takes for each leg; None for all where it does not go leg by leg.

    It does if the distances of its lines, in order, add up to the legs one after another. Lines
    without a distance, such as the price of entering a wood, go with the leg they follow.
    """
    unknown: list[float | None] = [None] * len(stretches)
    if not ledger or not stretches:
        return unknown
    if len(stretches) == 1:
        return [sum(line.cost for line in ledger)]
    costs: list[float | None] = []
    left = list(reversed(ledger))
    for stretch in stretches:
        if not left:
            costs.append(0.0 if stretch.is_turn else None)
            continue
        cost = _leg_cost(stretch, left)
        if cost is None:
            return unknown
        while left and left[-1].distance == 0.0:
            cost += left.pop().cost
        costs.append(cost)
    return unknown if left else costs


def _leg_cost(stretch: traces.DrawnLeg, left: list[engine.LedgerLine]) -> float | None:
    """Take the lines of a leg off the end of what is left; None if they do not add up to it."""
    rise = stretch.heights[1] - stretch.heights[0]
    lengths = (stretch.length, math.hypot(stretch.length, rise), abs(rise))
    if stretch.is_turn or (
        same(stretch.length, 0.0) and not any(same(left[-1].distance, r) for r in lengths)
    ):
        # Turns, and steps up that are free.
        return 0.0
    if stretch.how not in ("walk", "free"):
        # Jumps and climbs are charged by their own measure, in one line.
        return left.pop().cost
    distance, cost = 0.0, 0.0
    while left and distance < max(lengths) - TOLERANCE:
        line = left.pop()
        distance, cost = distance + line.distance, cost + line.cost
        if line.distance > 0.0 and any(same(distance, length) for length in lengths):
            return cost
    return None


def legs_trace(body: Body, path: LegPath) -> documents.Trace:
    """The way along legs from where a body stands."""
    return _document(traces.trace(body, path))


def _document(way: traces.Trace, costs: Sequence[float | None] = ()) -> documents.Trace:
    """A way, its arcs flattened. costs: of its stretches, if they are known."""
    facing = way.start_facing
    stretches = []
    last = len(way.stretches) - 1
    for index, stretch in enumerate(way.stretches):
        facing += stretch.turned
        end_facing = way.facing if index == last else facing
        line, z, cost = _line(stretch), stretch.heights[1], costs[index] if costs else None
        end = {"z": z, "facing": end_facing % 360.0, "cost": cost}
        stretches.append(documents.Stretch.of(stretch, line=line, **end))
    ends = {"start": (*way.start, way.z), "end": (*way.end, way.end_z)}
    facing = way.facing % 360.0
    return documents.Trace(body=way.body, stretches=stretches, facing=facing, **ends)


def _line(stretch: traces.DrawnLeg) -> list[Point]:
    if stretch.centre is None:
        return [stretch.start] if stretch.start == stretch.end else [stretch.start, stretch.end]
    radius = math.dist(stretch.start, stretch.centre)
    turn = math.radians(stretch.by)
    if radius <= FLAT:
        return [stretch.start, stretch.end]
    # The sagitta of a chord over an angle a is r (1 - cos a/2).
    step = 2.0 * math.acos(1.0 - FLAT / radius)
    count = max(1, math.ceil(abs(turn) / step))
    cx, cy = stretch.centre
    at = math.atan2(stretch.start[1] - cy, stretch.start[0] - cx)
    inner = [
        (
            cx + radius * math.cos(at + turn * k / count),
            cy + radius * math.sin(at + turn * k / count),
        )
        for k in range(1, count)
    ]
    return [stretch.start, *inner, stretch.end]


def _wanted_answer(battle: Battle, answer: Value) -> list[documents.Trace]:
    pending = battle.pending
    if pending is None or answer is None:
        return []
    body = _mover(pending.ask, battle.state, pending.action)
    try:
        path = legs_from_value(answer)
    except AnswerError:
        return []
    return [legs_trace(body, path)] if body is not None and path else []


def _nearest(
    battle: Battle, nearest: engine.Nearest | None, refused: Action | None
) -> documents.Nearest | None:
    if nearest is None:
        return None
    return documents.Nearest.of(
        nearest,
        action=thaw(nearest.action),
        short_by=_finite(nearest.short_by) or 0.0,
        traces=_nearest_ways(battle, nearest.action, refused),
    )


def _nearest_ways(battle: Battle, offered: Marks, refused: Action | None) -> list[documents.Trace]:
    """The ways of the legal move offered: as it says them, else as the referee carries it out."""
    state, system = battle.state, battle.system
    if "kind" not in offered:
        body = None
        if battle.pending is not None:
            body = _mover(battle.pending.ask, state, refused)
        elif refused is not None:
            body = state.bodies.get(getattr(refused, "actor", None) or "")
        path = legs_from_value(offered.get("path", ()))
        return [legs_trace(body, path)] if body is not None and path else []
    action = parse_action(system, offered)
    ways = traces.wanted(state, action)
    if ways:
        return [_document(way) for way in ways]
    return movement_traces(state, judge(system, state, action, nearest=False).moved)


# Questions


def question_of(battle: Battle) -> documents.Question | None:
    """The open question, None if there is none."""
    pending = battle.pending
    if pending is None:
        return None
    question = _question(pending.ask, battle.system, battle.state, pending.action)
    if question.body is None:
        return question
    known = {"manners": _manners(battle, question.body), "allowance": _path_allowance(battle)}
    return question.model_copy(update=known)


def _path_allowance(battle: Battle) -> float | None:
    """How far the path asked for may go: what is left, says the referee, when nobody goes."""
    assert battle.pending is not None
    session = resume(battle.system, battle.pending)
    before = session.verdict.cost
    if not session.send(Answer(value=())) or session.verdict.cost != before:
        return None
    left = session.verdict.values.get("allowance_left")
    return float(left) if isinstance(left, int | float) and not isinstance(left, bool) else None


def _manners(battle: Battle, body: str) -> list[documents.Manner]:
    """The manners in which a body may go, as its controls name them."""
    for control in battle.system.controls(battle.state, body):
        if control.gesture == "path" and control.manners:
            return [*map(documents.Manner.of, control.manners)]
    return []


def _mover(ask: Ask, state: State, action: Action | None) -> Body | None:
    """Whose path is asked for: whom the question is about, else who acts."""
    for name in (ask.about, getattr(action, "actor", None)):
        if name is not None and name in state.bodies:
            return state.bodies[name]
    return None


def _question(ask: Ask, system: System, state: State, action: Action | None) -> documents.Question:
    if isinstance(ask, Roll):
        notes = []
        if ask.keep:
            kind = "highest" if ask.keep > 0 else "lowest"
            notes.append(f"the {abs(ask.keep)} {kind} count")
        reading = system.reading(state, ask)
        needs = (reading or Reading()).needs(ask)
        return documents.Question.of(ask, form="roll", notes=notes, needs=needs)
    mover = _mover(ask, state, action) if ask.form == "path" else None
    known = ((option.value, option.text) for option in ask.options)
    options = _options_of(known, _chances_of_answer(system, ask))
    body = None if mover is None else mover.id
    return documents.Question.of(ask, options=options, default=thaw(ask.default), body=body)


def controls_of(battle: Battle, of: str | None, *, untold: bool = True) -> list[documents.Control]:
    """What a body or unit may do, or with None what is about nobody; none while a question is open.

    untold: as of `play.opening.onward_of`. Raises UnknownIdError for an id that nothing on the
    table has.
    """
    system = battle.system
    if battle.pending is not None:
        return []
    if of is not None:
        return [control_document(control, system) for control in system.controls(battle.state, of)]
    return [
        control_document(control, system).model_copy(
            update={"onward": [*_onward(battle, control, untold=untold)]}
        )
        for control in system.controls(battle.state, None)
    ]


def _onward(battle: Battle, control: Control, *, untold: bool) -> Iterator[documents.Onward]:
    for _, sides, after in onward_of(battle, control, untold=untold):
        turn = after.state.turn
        step = battle.system.steps.get(turn.phase, turn.phase)
        yield documents.Onward(sides=[*sides], to=f"{battle.side_name(turn.active)}: {step}")


def _extra(extra: Extra, chances: Chances | None) -> documents.Extra:
    return documents.Extra.of(
        extra,
        options=_options_of(extra.options, chances),
        default=thaw(extra.default),
        chance=None if chances is None else BY_CHANCE,
    )


def control_document(control: Control, system: System) -> documents.Control:
    """A control as it travels."""
    return documents.Control.of(
        control,
        action=thaw(control.action),
        extras=[
            _extra(extra, _chances_of(system, control.action["kind"], extra.name))
            for extra in control.extras
        ],
        manners=[*map(documents.Manner.of, control.manners)],
        rings=[*map(documents.Ring.of, control.rings)],
        why_not=[*map(finding_document, control.why_not)],
    )


#: What is given in place of a result.
BY_CHANCE = "by chance"


def _chances_of(system: System, kind: Any, slot: str) -> Chances | None:
    """The chances of what goes into a field of a kind of action, where somebody chooses that."""
    chances = system.attested.get(kind) if slot and isinstance(kind, str) else None
    return chances if chances and chances.slot == slot and chances.befalls is None else None


def _chances_of_answer(system: System, ask: Ask) -> Chances | None:
    """The chances of the answers to a question."""
    return system.attested.get(ask.clause) if isinstance(ask, AttestedChoice) else None


def answer_with(system: System, ask: Ask, value: Any, rng: Random | None) -> Any:
    """The answer to a question, drawn if it is left to chance; its default, which tells nothing, if
    there is nothing to draw with."""
    chances = _chances_of_answer(system, ask)
    if chances is None or value != BY_CHANCE or isinstance(ask, Roll):
        return value
    return thaw(ask.default if rng is None else chances.draw(rng))


def _options_of(known: Iterable[tuple[Value, str]], chances: Chances | None) -> list[Option]:
    """What may be chosen, as it travels: with chances, to let these decide, too."""
    options = [Option(value=thaw(value), text=text) for value, text in known]
    return options if chances is None else [*options, Option(value=BY_CHANCE, text="By chance")]


def left_to_chance(system: System, document: Mapping[str, Any]) -> tuple[str, Chances] | None:
    """The field of an action that is left to chance, with its chances; None if none is."""
    for slot, value in document.items():
        chances = _chances_of(system, document.get("kind"), slot)
        if value == BY_CHANCE and chances is not None:
            return slot, chances
    return None


def action_with(
    system: System, document: Mapping[str, Any], rng: Random | None = None
) -> Mapping[str, Any]:
    """The document of an action with its result drawn, if that is left to chance; without it, as
    where nothing is told, if there is nothing to draw with."""
    left = left_to_chance(system, document)
    if left is None:
        return document
    slot, chances = left
    rest = {name: value for name, value in document.items() if name != slot}
    return rest if rng is None else {**rest, slot: chances.draw(rng)}
