"""Damaged scenes and actions: a clear error or a table that judges, quickly, and nothing else."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest

import tapeline as tl
from documents.mutating import JUNK, damaged, scrambled
from support.counting import slowness
from support.scenarios import golden_scenes, scenes_of, systems
from tapeline.dice import Roll, SeededDice
from tapeline.engine.asks import Answer
from tapeline.engine.codec import action_document
from tapeline.engine.referee import Session, judge
from tapeline.errors import AnswerError, DocumentError, UnknownSystemError
from tapeline.play.systems import load_system
from tapeline.table.json_documents import parse_json
from tapeline.table.marks import freeze

pytestmark = pytest.mark.compiled

ALLOWED = (DocumentError, AnswerError, UnknownSystemError)
#: Seconds that one document may take at most.
PATIENCE = 2.0


def _scenes(name: str) -> list[dict[str, Any]]:
    return [*scenes_of(name).values(), *golden_scenes(name)[::5]]


def _loaded(document: Any) -> tl.Battle | None:
    if isinstance(document, bytes):
        document = parse_json(document, "fuzz")
    if not isinstance(document, dict):
        raise DocumentError("fuzz", [])
    return tl.load(document)


def _judged(battle: tl.Battle, document: Any) -> None:
    verdict = battle.judge(document)
    assert verdict.kind
    for finding in verdict.findings:
        assert finding.clause in battle.system.book
        assert finding.text
    if not verdict.legal:
        assert verdict.findings


class _Clock:
    def __init__(self) -> None:
        self.slowest: tuple[float, Any] = (0.0, None)

    def run(self, what: Any, call: Callable[[], Any]) -> Any:
        start = time.process_time()
        try:
            return call()
        except ALLOWED as error:
            assert str(error).encode("utf-8"), "can be printed"  # noqa: PT017
            return None
        except Exception as error:
            text = what if isinstance(what, bytes) else json.dumps(what)
            raise AssertionError(f"{type(error).__name__}: {error}\nfor {text!r}") from error
        finally:
            took = time.process_time() - start
            if took > self.slowest[0]:
                self.slowest = (took, what)


def _actions(battle: tl.Battle, rng: Random) -> list[dict[str, Any]]:
    found = []
    for index, action in enumerate(battle.offers(rng)):
        found.append(action_document(action))
        if index >= 12:
            break
    return found


@pytest.mark.parametrize("name", systems())
def test_damaged_scenes_and_actions(name: str, budget: Callable[[int, int], int]) -> None:
    scenes = _scenes(name)
    if not scenes:
        pytest.skip(f"no scene of {name} yet")
    load_system(name)
    rng, clock, count = Random(f"fuzz {name}"), _Clock(), Counter[str]()

    @cache
    def whole(which: int) -> tuple[tl.Battle, list[dict[str, Any]]]:
        """A scene loaded, and what is offered there: many scenes are never drawn."""
        battle = tl.load(scenes[which])
        return battle, _actions(battle, Random(f"offers {name} {which}"))

    parts = [part for scene in scenes for part in (scene.get("models") or [])[:3]]
    for _ in range(budget(180, 34_000)):
        which = rng.randrange(len(scenes))
        scene, (untouched, actions) = scenes[which], whole(which)
        pick = rng.random()
        if pick < 0.35:
            document: Any = damaged(scene, rng, parts)
        elif pick < 0.5:
            document = scrambled(scene, rng)
        else:
            action = damaged(rng.choice(actions), rng, [a.get("actor") for a in actions])
            clock.run(action, lambda a=action, b=untouched: _judged(b, a))
            count["actions"] += 1
            continue
        battle = clock.run(document, lambda d=document: _loaded(d))
        count["loaded" if battle else "refused"] += 1
        if battle is None:
            continue
        again = clock.run(document, lambda b=battle: tl.load(b.scene()))
        assert again is not None, f"what was loaded can be saved and loaded: {document!r}"
        assert again.hash == battle.hash
        for action in rng.sample(actions, min(2, len(actions))):
            clock.run(document, lambda a=action, b=battle: _judged(b, a))
    assert clock.slowest[0] < PATIENCE * slowness(), clock.slowest
    assert min(count.values()) > 0, count


def _send_junk(session: Session, junk: Any) -> None:
    """Refused or misread, it leaves the question open and nothing changed."""
    before = (session.state, session.ask, session.events, len(session.answers))
    answers = [Answer(faces=(junk,))]
    with suppress(TypeError):
        answers.append(Answer(value=freeze(junk)))
    for answer in answers:
        try:
            if session.send(answer):
                return
            assert not session.verdict.legal
        except AnswerError as error:
            misread = str(error)
            assert misread
        assert (session.state, session.ask, session.events, len(session.answers)) == before


@pytest.mark.parametrize("name", systems())
def test_damaged_answers(name: str, budget: Callable[[int, int], int]) -> None:
    """Values of every make sent to open questions: accepted, refused, or AnswerError."""
    from tapeline.engine.asks import Answer
    from tapeline.engine.referee import Session

    scenes = _scenes(name)
    if not scenes:
        pytest.skip(f"no scene of {name} yet")
    rng = Random(f"answers {name}")
    asked = 0
    for _ in range(budget(25, 3_000)):
        battle = tl.load(rng.choice(scenes))
        actions = list(battle.offers(rng))
        rng.shuffle(actions)
        dice = SeededDice(rng.randrange(10**6))
        for action in actions[:4]:
            session = Session(battle.system, battle.state, action, nearest=False)
            for _ in range(12):
                if session.ask is None:
                    break
                asked += 1
                before = session.ask
                for junk in rng.sample(JUNK, 3):
                    if session.ask is before:
                        _send_junk(session, junk)
                if session.ask is None or session.ask is not before:
                    continue
                ask = session.ask
                if isinstance(ask, Roll):
                    assert session.send(Answer(faces=dice.roll(ask)))
                    continue
                try:
                    if not session.send(Answer(value=tl.take_default(ask))):
                        break
                except AnswerError:
                    break
    if name != "toy":
        return
    assert asked > 20


def test_judge_is_what_battle_judge_calls() -> None:
    battle = tl.load(scenes_of("toy")["toy"])
    action = next(iter(battle.offers(1)))
    assert judge(battle.system, battle.state, action) == battle.judge(action)
