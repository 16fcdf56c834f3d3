"""Judges in processes of their own: the same answers, also after one has died."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from support.scenarios import example_scenes
from tapeline.errors import (
    AnswerError,
    DocumentError,
    Fault,
    MeasuringError,
    TapelineError,
    WorkLimitError,
)
from tapeline.play.match import Match
from tapeline.web.documents.live import Tried
from tapeline.web.hub.judges import Judges, Wanted, error_from, error_said
from tapeline.web.hub.judging import ASKED
from web.inside import Inside, Page, generous

CAPTAIN = "r-captain"
TWO_LINES = example_scenes()["trench-two-lines"]


@pytest.fixture(scope="module")
def judged() -> Iterator[Inside]:
    """A server with a judge for tries and one for long questions."""
    server = Inside(generous(judges=1))
    yield server
    server.stop()


@pytest.fixture
def pages(judged: Inside) -> list[Page]:
    return judged.begin(example="trench-two-lines", mode="links")


def captain(page: Page) -> tuple[float, float]:
    found = next(f for f in page.match["board"]["figures"] if f["id"] == CAPTAIN)
    return found["x"], found["y"]


def test_processes_and_threads_answer_alike(judged: Inside, pages: list[Page]) -> None:
    red = pages[0]
    x, y = captain(red)
    red.act("activate", actor=CAPTAIN)
    log = red.get("log").text
    here = Match.replay(log.splitlines())
    move = {"kind": "move", "actor": CAPTAIN, "path": [{"to": [x + 1, y]}]}
    far = {"kind": "move", "actor": CAPTAIN, "path": [{"to": [x + 30, y]}]}
    for asked, said in (
        (red.post("judge", action=move), ("try", {"action": move, "nearest": True})),
        (red.post("judge", action=far), ("try", {"action": far, "nearest": True})),
        (red.post("odds", action=move), ("odds", {"action": move})),
        (
            red.get("route", body=CAPTAIN, kind="move", x=x + 1, y=y),
            ("route", {"body": CAPTAIN, "kind": "move", "to": [x + 1, y, None]}),
        ),
        (red.post("judge-again/1"), ("again", {"n": 1})),
    ):
        assert asked.headers["content-type"] == "application/json"
        answer = ASKED[said[0]](here, said[1])
        assert answer is not None
        assert red.done(asked) == json.loads(answer.model_dump_json())
    nowhere = red.get("route", body=CAPTAIN, kind="move", x=1000, y=1000)
    assert nowhere.status_code == 422 or nowhere.json() is None


def test_a_judge_follows_as_the_match_goes_on_and_back(judged: Inside, pages: list[Page]) -> None:
    red = pages[0]
    x, y = captain(red)
    move = {"kind": "move", "actor": CAPTAIN, "path": [{"to": [x + 1, y]}]}
    with red.live() as live:
        version = live.hear("now")["match"]["version"]
        for round_ in range(3):
            live.trial(1, version, action=move)
            tried = live.hear("tried")
            assert not tried["verdict"]["legal"], "not yet active"
            Tried.model_validate_json(json.dumps(tried))
            red.act("activate", actor=CAPTAIN)
            version = live.hear("now")["match"]["version"]
            live.trial(2, version, action=move)
            assert live.hear("tried")["verdict"]["legal"], round_
            red.done(red.post("undo", version=version))
            version = live.hear("now")["match"]["version"]
        live.trial(3, version, action={"kind": "fly", 'quo"ted': "\u2028"})
        tried = live.hear("tried")
        assert "fly" in tried["fault"]
        live.trial(4, version, path=[])
        assert "no question is open" in live.hear("tried")["fault"]


def test_what_is_refused_is_refused_alike(judged: Inside, pages: list[Page]) -> None:
    red = pages[0]
    bad = red.post("judge", action={"kind": "move", "actor": CAPTAIN, "path": [{"at": 1}]})
    assert bad.status_code == 422
    assert bad.json()["detail"][0]["path"].startswith("path[0]")
    assert red.get("reach", body="nobody").status_code == 422
    mordheim = judged.begin(example="mordheim-street-block")[0]
    body = mordheim.match["board"]["figures"][0]["id"]
    secret = mordheim.get("reach", body=body, kind="move")
    assert secret.status_code == 403
    assert secret.json()["findings"]


def test_a_judge_that_dies_is_replaced(judged: Inside, pages: list[Page]) -> None:
    red = pages[0]
    x, y = captain(red)
    red.act("activate", actor=CAPTAIN)
    move = {"kind": "move", "actor": CAPTAIN, "path": [{"to": [x + 1, y]}]}
    for judge in (*judged.hub.judges._quick, *judged.hub.judges._slow):
        if judge._child is not None:
            judge._child.kill()
    assert red.done(red.post("judge", action=move))["legal"]
    assert red.done(red.post("odds", action=move))["outcomes"]


def test_a_judge_that_takes_too_long_is_given_up(judged: Inside) -> None:
    match = Match.start(TWO_LINES)

    async def never(*_: Any) -> str:
        raise AssertionError

    async def go() -> None:
        judges = Judges(1, 0.001, never)
        try:
            with pytest.raises(WorkLimitError, match=r"0\.001 s"):
                await judges.ask("m", match, "again", {"n": 1})
            judges.patience = 60.0
            with pytest.raises(DocumentError):
                await judges.ask("m", match, "again", {"n": 1})
        finally:
            await judges.close()

    asyncio.run(go())


def test_who_asks_and_goes_leaves_no_answer_for_the_next(judged: Inside) -> None:
    match = Match.start(TWO_LINES)
    activate = {"action": {"kind": "activate", "actor": CAPTAIN}, "nearest": True}

    async def never(*_: Any) -> str:
        raise AssertionError

    async def go() -> None:
        judges = Judges(1, 60.0, never)
        try:
            await judges.ask("m", match, "try", activate)
            gone = asyncio.create_task(judges.ask("m", match, "try", activate))
            await asyncio.sleep(0)
            gone.cancel()
            with pytest.raises(asyncio.CancelledError):
                await gone
            unknown = {"action": {"kind": "fly"}, "nearest": True}
            with pytest.raises(DocumentError, match="fly"):
                await judges.ask("m", match, "try", unknown)
            judges._quick[0].follows["m"] = 5
            assert await judges.ask("m", match, "try", activate)
        finally:
            await judges.close()

    asyncio.run(go())


@pytest.mark.parametrize(
    "error",
    [
        DocumentError("x", [Fault("a.b", "no"), Fault("", "never")]),
        MeasuringError([("MH-1", "hidden"), ("MH-2", "too")]),
        AnswerError("who asked?"),
        WorkLimitError("too long"),
    ],
)
def test_errors_come_over_whole(error: TapelineError) -> None:
    again = error_from(json.loads(json.dumps(error_said(error))))
    assert str(again) == str(error)
    if not isinstance(error, WorkLimitError):
        assert type(again) is type(error)


def test_the_tried_message_is_what_the_documents_say() -> None:
    with pytest.raises(ValidationError):
        Tried.model_validate_json('{"type":"tried","seq":1,"version":1,"verdict":{}}')


def test_what_waits_is_picked_when_its_turn_comes(judged: Inside) -> None:
    """Of several tries while a judge is busy the last alone is judged, though the first waited."""
    match = Match.start(TWO_LINES)
    busy = {"action": {"kind": "activate", "actor": CAPTAIN}, "nearest": True}

    async def never(*_: Any) -> str:
        raise AssertionError

    async def go() -> None:
        judges = Judges(1, 60.0, never)
        try:
            assert json.loads(await judges.ask("m", match, "try", busy))["legal"]
            newest, picks = {"kind": "fly"}, 0

            def pick() -> Wanted | None:
                nonlocal picks
                picks += 1
                return Wanted(match, "try", {"action": newest, "nearest": True})

            async with judges._quick[0].turns.turn(1.0):
                waiting = asyncio.create_task(judges.newest("m", pick))
                gone = asyncio.create_task(judges.newest("m", lambda: None))
                while judges._quick[0].turns.length < 3:
                    await asyncio.sleep(0)
                assert picks == 0, "not yet its turn"
                newest = {"kind": "activate", "actor": CAPTAIN}
            answer = await waiting
            assert answer is not None
            assert json.loads(answer)["legal"]
            assert picks == 1
            assert await gone is None
            # A judge that dies while asked is asked the same again, not the next.
            child = judges._quick[0]._child
            assert child is not None
            child.kill()
            await child.wait()
            assert await judges.newest("m", pick) is not None
            assert picks == 2
        finally:
            await judges.close()

    asyncio.run(go())


def test_without_judges_the_newest_is_judged_in_a_thread() -> None:
    match = Match.start(TWO_LINES)
    asked: list[Any] = []

    async def otherwise(*words: Any) -> str:
        asked.append(words[2:])
        return "{}"

    judges = Judges(0, 60.0, otherwise)
    wanted = Wanted(match, "try", {"action": {}, "nearest": False})
    assert asyncio.run(judges.newest("m", lambda: wanted)) == "{}"
    assert asyncio.run(judges.newest("m", lambda: None)) is None
    assert asked == [("try", wanted.said)]
