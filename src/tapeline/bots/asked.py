"""What a program may ask of the referee between two moves. No question changes the position."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

from tapeline.bots import protocol
from tapeline.engine.codec import action_document, ask_document, plain, verdict_document
from tapeline.engine.system import Question
from tapeline.engine.verdicts import Finding
from tapeline.errors import TapelineError
from tapeline.play.battle import Battle
from tapeline.work import work_limit

__all__ = ["QUESTIONS", "STEPS", "answers_to", "position"]

#: Steps of work, as of `tapeline.work`, that one question may take.
STEPS = 20_000_000

#: Offers among which one is drawn.
_DRAWN = 40


def answers_to(
    battle: Battle, ask: protocol.AskLine, steps: float = STEPS, until: float = math.inf
) -> dict[str, Any]:
    """The reply to an `ask`: an answer or an error for each of its questions. until: when time is
    over, by the monotonic clock; questions after that are not looked at."""
    answers: list[dict[str, Any]] = []
    for question in ask.questions:
        if time.monotonic() >= until:
            answers.append({"error": "the time of this turn is over"})
            continue
        try:
            with work_limit(steps):
                answers.append({"answer": QUESTIONS[question.what](battle, question)})
        except TapelineError as error:
            answers.append({"error": str(error)})
    return {"say": "reply", "id": ask.id, "answers": answers}


def position(battle: Battle) -> dict[str, Any]:
    """Scene and hash; who acts; the question that is open, null if none. While one is open the
    scene is that before the action it belongs to."""
    pending = battle.pending
    before = battle if pending is None else Battle(battle.system, pending.start)
    return {
        "scene": before.scene(),
        "hash": battle.hash,
        "acting": list(battle.acting),
        "action": None if pending is None else action_document(pending.action),
        "open": None if pending is None else ask_document(pending.ask),
    }


def _offers(battle: Battle, question: protocol.OffersQuestion) -> Any:
    found = (action_document(action) for action in battle.offers(question.seed))
    wanted = (one for one in found if question.kind in (None, one["kind"]))
    return list(islice(wanted, question.number))


def _sample(battle: Battle, question: protocol.SampleQuestion) -> Any:
    rng = Random(question.seed)
    offers = list(islice(battle.offers(rng), _DRAWN))
    return action_document(rng.choice(offers)) if offers else None


def _judge(battle: Battle, question: protocol.JudgeQuestion) -> Any:
    return verdict_document(battle.judge(question.action, nearest=question.nearest))


def _project(battle: Battle, question: protocol.ProjectQuestion) -> Any:
    verdict = battle.judge(question.action, nearest=True)
    if verdict.legal:
        return {"action": action_document(battle.action(question.action)), "short_by": 0.0}
    if verdict.nearest is None or "kind" not in verdict.nearest.action:
        return None
    return {"action": plain(verdict.nearest.action), "short_by": verdict.nearest.short_by}


def _illegality(battle: Battle, question: protocol.IllegalityQuestion) -> Any:
    verdict = battle.judge(question.action, nearest=False)
    broken = [] if verdict.legal else [_excess(finding) for finding in verdict.findings]
    return {"legal": verdict.legal, "sum": sum(one["share"] for one in broken), "broken": broken}


def _excess(finding: Finding) -> dict[str, Any]:
    """How far beyond its limit a finding is; what is not measured counts as wholly beyond."""
    over, share = None, 1.0
    if finding.measured is not None and finding.limit is not None:
        over = abs(finding.measured - finding.limit)
        share = min(over / max(abs(finding.limit), 1e-9), 1.0) if finding.limit else 1.0
    return {"clause": finding.clause, "over": over, "share": share, "text": finding.text}


def _odds(battle: Battle, question: protocol.OddsQuestion) -> Any:
    return battle.odds(question.action).document()


def _reach(battle: Battle, question: protocol.ReachQuestion) -> Any:
    reach = battle.reach(question.body, question.kind)
    kind = reach.leeway.kind
    battle.system.permit(battle.state, Question("reach", question.body, kind))
    places = [reach.route(place) for place in question.to]
    return {
        "kind": kind,
        "allowance": reach.allowance,
        "findings": plain(reach.findings),
        "places": [None if way is None else way.document() for way in places],
    }


def _route(battle: Battle, question: protocol.RouteQuestion) -> Any:
    reach = battle.reach(question.body, question.kind)
    battle.system.permit(battle.state, Question("reach", question.body, reach.leeway.kind))
    way = battle.route(question.body, question.to, question.kind)
    return None if way is None else way.document()


def _threat(battle: Battle, question: protocol.ThreatQuestion) -> Any:
    state = battle.state
    if question.by is None:
        target = state.units.get(question.on) or state.body(question.on)
        by = [side.id for side in state.sides if side.id != target.side]
    else:
        by = [question.by]
    threats = [battle.threat(one, question.on) for one in by]
    return {
        "terms": list(dict.fromkeys(term for found in threats for term in found.terms)),
        "by": [
            {
                "by": one,
                "here": found.here().document(),
                "at": [found.at(place).document() for place in question.at],
            }
            for one, found in zip(by, threats, strict=True)
        ],
    }


def _sight(battle: Battle, question: protocol.SightQuestion) -> Any:
    state, sees = battle.state, battle.system.sees
    viewer = state.body(question.body)
    if sees is None:
        return {}
    others = (body for body in state.bodies.values() if body.side != viewer.side)
    return {body.id: plain(sees(state, viewer, body)) for body in others}


#: Answers by the name of the question.
QUESTIONS: dict[str, Callable[[Battle, Any], Any]] = {
    "position": lambda battle, _question: position(battle),
    "offers": _offers,
    "sample": _sample,
    "judge": _judge,
    "project": _project,
    "illegality": _illegality,
    "odds": _odds,
    "reach": _reach,
    "route": _route,
    "threat": _threat,
    "sight": _sight,
}
