"""Workers: the same answers as in one process, an end for what takes too much, fair shares."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from support.scenarios import example_scenes
from tapeline.errors import (
    AnswerError,
    DocumentError,
    Fault,
    MeasuringError,
    TapelineError,
    UnknownSystemError,
    WorkLimitError,
)
from tapeline.play.match import Match
from tapeline.web.documents.live import Tried
from tapeline.web.settings import Settings
from tapeline.web.work import pool as pools
from tapeline.web.work import process
from tapeline.web.work import worker as workers
from tapeline.web.work.faults import ForbiddenError, TooMuchWorkError, error_from, error_said
from tapeline.web.work.followed import Followed
from tapeline.web.work.kinds import KINDS, Kind, check_action, check_log, check_scene
from tapeline.web.work.lane import Costs, Lane, Shares, Waits
from tapeline.web.work.no_match import OF_ITSELF
from tapeline.web.work.pool import Pool, Wanted
from tapeline.web.work.process import Nursery, OverrunError, Worker
from tapeline.web.work.questions import ABOUT_A_MATCH
from tapeline.web.work.worker import Desk, serve
from web.inside import Inside, Page, generous

CAPTAIN = "r-captain"
TWO_LINES = example_scenes()["trench-two-lines"]
ACTIVATE = {"action": {"kind": "activate", "actor": CAPTAIN}, "nearest": True}


@pytest.fixture(scope="module")
def worked() -> Iterator[Inside]:
    server = Inside(generous())
    yield server
    server.stop()


@pytest.fixture
def pages(worked: Inside) -> list[Page]:
    return worked.begin(example="trench-two-lines", mode="links")


class Kept:
    """A match whose log is in memory."""

    def __init__(self, match_id: str = "m") -> None:
        self.id = match_id
        self.match = Match.start(TWO_LINES)

    @property
    def version(self) -> int:
        return len(self.match.entries)

    async def fetch(self, match_id: str, after: int) -> list[str]:
        return [*self.match.lines()][after + 1 :]


def pooled(work: Callable[[Pool, Kept], Awaitable[None]], **settings: Any) -> None:
    """Do something with a pool of its own and a match."""

    async def go() -> None:
        kept = Kept()
        pool = Pool(Settings(**settings), kept.fetch)
        try:
            await pool.begin()
            await work(pool, kept)
        finally:
            await pool.close()

    asyncio.run(go())


def captain(page: Page) -> tuple[float, float]:
    found = next(f for f in page.match["board"]["figures"] if f["id"] == CAPTAIN)
    return found["x"], found["y"]


def test_a_worker_answers_as_one_process_does(worked: Inside, pages: list[Page]) -> None:
    red = pages[0]
    x, y = captain(red)
    red.act("activate", actor=CAPTAIN)
    here = Followed(Match.replay(red.get("log").text.splitlines()))
    move = {"kind": "move", "actor": CAPTAIN, "path": [{"to": [x + 1, y]}]}
    far = {"kind": "move", "actor": CAPTAIN, "path": [{"to": [x + 30, y]}]}
    for asked, what, said in (
        (red.post("judge", action=move), "try", {"action": move, "nearest": True}),
        (red.post("judge", action=far), "try", {"action": far, "nearest": True}),
        (red.post("odds", action=move), "odds", {"action": move}),
        (
            red.get("route", body=CAPTAIN, kind="move", x=x + 1, y=y),
            "route",
            {"body": CAPTAIN, "kind": "move", "to": [x + 1, y, None]},
        ),
        (red.post("judge-again/1"), "again", {"n": 1}),
    ):
        assert asked.headers["content-type"] == "application/json"
        answer: Any = ABOUT_A_MATCH[what](here, said)
        assert red.done(asked) == json.loads(answer.model_dump_json())
    nowhere = red.get("route", body=CAPTAIN, kind="move", x=1000, y=1000)
    assert nowhere.status_code == 422 or nowhere.json() is None


def test_every_kind_of_question_has_a_budget() -> None:
    assert set(KINDS) == {*ABOUT_A_MATCH, *OF_ITSELF, "follow"}
    assert all(kind.seconds > 0 for kind in KINDS.values())


def test_workers_follow_as_the_match_goes_on_and_back(pages: list[Page]) -> None:
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


def test_what_is_refused_is_refused_alike(worked: Inside, pages: list[Page]) -> None:
    red = pages[0]
    bad = red.post("judge", action={"kind": "move", "actor": CAPTAIN, "path": [{"at": 1}]})
    assert bad.status_code == 422
    assert bad.json()["detail"][0]["path"].startswith("path[0]")
    assert red.get("reach", body="nobody").status_code == 422
    mordheim = worked.begin(example="mordheim-street-block")[0]
    body = mordheim.match["board"]["figures"][0]["id"]
    secret = mordheim.get("reach", body=body, kind="move")
    assert secret.status_code == 403
    assert secret.json()["findings"]


def test_a_worker_that_dies_is_replaced(worked: Inside, pages: list[Page]) -> None:
    red = pages[0]
    x, y = captain(red)
    red.act("activate", actor=CAPTAIN)
    move = {"kind": "move", "actor": CAPTAIN, "path": [{"to": [x + 1, y]}]}
    for worker in worked.hub.pool.workers:
        if worker._process is not None:
            worker._process.kill()
    assert red.done(red.post("judge", action=move))["legal"]
    assert red.done(red.post("odds", action=move))["outcomes"]


def test_a_long_log_is_told_in_stretches_and_a_restart_picks_it_up() -> None:
    async def work(pool: Pool, kept: Kept) -> None:
        for n in range(60):
            kept.match.do(ACTIVATE["action"])
            kept.match.undo()
            if n == 1:
                assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        assert kept.version == 120
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        pool.quick.workers[0].end()
        follows = pool.answers["follow"]
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        assert pool.answers["follow"] - follows == 2, "the header and 99 entries, then the rest"

    pooled(work)


def test_a_slow_answer_goes_to_the_long_workers_and_too_slow_a_one_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    far = {"body": CAPTAIN, "kind": None, "storey": None}

    async def work(pool: Pool, kept: Kept) -> None:
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        first, generous_ = pool.quick.workers[0].begun, pool._settings
        pool._settings = replace(generous_, quick_seconds=0.0)
        for _ in range(100):  # time is looked at by the tick: one answer may slip through
            assert json.loads(await pool.ask("reach", far, kept))["bands"]
            if pool.ended["reach", "slow"]:
                break
        assert pool.ended["reach", "slow"] == 1
        assert json.loads(await pool.ask("reach", far, kept))["bands"]
        assert pool.ended["reach", "slow"] == 1, "it is known to be slow"
        pool._settings = generous_
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"], "not slow"
        assert pool.quick.workers[0].begun == first, "it gave that up and goes on"
        monkeypatch.setitem(KINDS, "picture", Kind(0.0))
        with pytest.raises(TooMuchWorkError, match="more than 0 s"):
            await pool.ask("picture", {"n": 0, "form": "svg"}, kept)
        assert pool.ended["picture", "too much work"] == 1

    pooled(work, quick_seconds=5.0)


def test_ending_does_not_wait_for_what_is_worked_out() -> None:
    """A path of 45 kB with `hide` took minutes of a thread that nothing could end."""

    async def work(pool: Pool, kept: Kept) -> None:
        asked = asyncio.create_task(pool.ask("clause", {"name": "sovl", "clause": "x"}))
        for worker in pool.workers:
            await worker.start()
        begun = time.monotonic()
        sleeping = [asyncio.create_task(_busy(worker)) for worker in pool.workers]
        await asyncio.sleep(0.05)
        await pool.close()
        assert time.monotonic() - begun < 1.5
        for task in (asked, *sleeping):
            task.cancel()
        await asyncio.gather(asked, *sleeping, return_exceptions=True)

    pooled(work)


async def _busy(worker: Worker) -> None:
    """Square floors, so many that it takes a worker long to check them."""
    await worker.ask("check", {"most": MOST}, 60.0, content=json.dumps(floors(400)).encode())


MOST = {"pieces": 1_000, "corners": 100_000, "bodies": 1_000, "entries": 10}


def floors(many: int) -> dict[str, Any]:
    terrain = [
        {
            "id": f"f{n}",
            "floor": {"rectangle": {"centre": [n % 20 + 1, n // 20 + 1], "width": 2, "depth": 2}},
            "z": 3 + n % 7,
        }
        for n in range(many)
    ]
    mordheim = example_scenes()["mordheim-market"]
    return {**mordheim, "terrain": terrain, "models": []}


def test_an_answer_is_ended_by_the_processor_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        worker = Worker(Nursery(False), 10, 10**9)
        try:
            await worker.start()
            begun, pid = time.monotonic(), worker.pid
            said = {"most": MOST}
            with pytest.raises(OverrunError):
                await worker.ask("check", said, 0.05, content=json.dumps(floors(400)).encode())
            assert time.monotonic() - begun < 10.0
            assert worker.pid == pid, "it gave that up by itself"
            monkeypatch.setattr(process, "GIVING_UP_S", -0.04)
            with pytest.raises(OverrunError):
                await worker.ask("check", said, 0.05, content=json.dumps(floors(400)).encode())
            assert worker.pid is None, "one that does not is ended"
            told = await worker.ask("clause", {"name": "sovl", "clause": "SV-MOVE-1"}, 5.0)
            assert told.content
        except TapelineError:
            # No such clause, but the new process has answered.
            assert worker.pid is not None
        finally:
            worker.end()
            worker.nursery.close()

    asyncio.run(go())


def test_a_worker_that_gets_no_memory_says_so_and_another_takes_its_place() -> None:
    async def work(pool: Pool, kept: Kept) -> None:
        scene = {**floors(0), "name": ["x" * 10] * 900_000}
        said = {"most": MOST, "folder": None}
        with pytest.raises(TooMuchWorkError):
            await pool.ask("check", said, content=json.dumps(scene).encode())
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]

    pooled(work, worker_memory=24 * 1024 * 1024)


def test_matches_are_put_down_by_the_bytes_they_take_and_picked_up() -> None:
    async def work(pool: Pool, kept: Kept) -> None:
        for _ in range(3):
            assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        assert pool.quick.workers[0].begun >= 2, "it was put down after each answer"

    pooled(work, worker_state=1)


def test_a_worker_that_has_grown_goes_on_until_another_knows_the_match() -> None:
    async def work(pool: Pool, kept: Kept) -> None:
        worker = pool.quick.workers[0]
        kept.match.do({"kind": "activate", "actor": CAPTAIN})
        kept.match.undo()
        expected = await pool.ask("try", ACTIVATE, kept)
        before, told = worker.pid, pool.answers["follow"]
        pool._settings = replace(pool._settings, worker_state=worker.grown * 3 // 4)
        assert await pool.ask("try", ACTIVATE, kept) == expected
        assert worker.pid == before, "nobody waits for another"
        await asyncio.gather(*pool._under_way)
        assert worker.pid != before
        assert worker.follows == {"m": kept.version}
        assert worker.grown < pool._settings.worker_state // 2, "counted from there"
        assert await pool.ask("try", ACTIVATE, kept) == expected
        assert pool.answers["follow"] == told, "it had been told before"

    pooled(work)


def test_who_asks_and_goes_leaves_no_answer_for_the_next() -> None:
    async def work(pool: Pool, kept: Kept) -> None:
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        for what in ("try", "again"):
            gone = asyncio.create_task(pool.ask(what, {**ACTIVATE, "n": 1}, kept))
            for _ in range(3):
                await asyncio.sleep(0)
            gone.cancel()
            with pytest.raises(asyncio.CancelledError):
                await gone
            unknown = {"action": {"kind": "fly"}, "nearest": True}
            with pytest.raises(DocumentError, match="fly"):
                await pool.ask("try", unknown, kept)

    pooled(work)


def test_a_match_that_a_worker_has_put_down_is_told_again() -> None:
    async def work(pool: Pool, kept: Kept) -> None:
        await pool.quick.workers[0].start()
        pool.quick.workers[0].follows["m"] = 0
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        assert pool.answers["follow"] == 1
        assert not pool.ended

    pooled(work)


def test_what_a_worker_lacks_is_told_and_answered_in_one_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pools, "LITTLE_S", 60.0)
    turns: list[str] = []

    async def work(pool: Pool, kept: Kept) -> None:
        await pool.ask("sides", {}, kept)
        kept.match.do(ACTIVATE["action"])
        turn = Lane.turn

        def counted(lane: Lane, match: str, *more: Any) -> Any:
            turns.append(match)
            return turn(lane, match, *more)

        with monkeypatch.context() as patch:
            patch.setattr(Lane, "turn", counted)
            await pool.ask("try", ACTIVATE, kept)

    pooled(work)
    assert turns == ["m"], "nobody comes in between where there is little to tell"


def test_what_waits_is_picked_when_its_turn_comes() -> None:
    """Of several tries while a worker is busy the last alone is judged, though the first waited."""

    async def work(pool: Pool, kept: Kept) -> None:
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        newest, picks = {"kind": "fly"}, 0

        def pick() -> Wanted | None:
            nonlocal picks
            picks += 1
            return Wanted("try", {"action": newest, "nearest": True})

        worker = pool.quick.workers[0]
        async with pool.quick.turn("other", "", worker):
            waiting = asyncio.create_task(pool.newest(kept, "a", pick))
            gone = asyncio.create_task(pool.newest(kept, "a", lambda: None))
            while pool.quick.length < 2:
                await asyncio.sleep(0)
            assert picks == 0, "not yet its turn"
            newest = {"kind": "activate", "actor": CAPTAIN}
        answer = await waiting
        assert answer is not None
        assert json.loads(answer)["legal"]
        assert picks == 1
        assert await gone is None
        # A worker that dies while asked: another is asked the same, not the next.
        worker._process.kill()
        assert await pool.newest(kept, "a", pick) is not None
        assert picks == 2

    pooled(work)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Nobody:
    """A worker that is never asked."""

    follows = frozenset[str]()


def test_next_is_who_has_used_least_and_none_has_all_workers() -> None:
    async def go() -> None:
        shares = Shares(Clock())
        workers: Any = [Nobody(), Nobody()]
        lane = Lane(workers, shares, Waits(2, 6, 8), at_once=1)
        lane.used("greedy", "a", 5.0)
        served: list[str] = []

        async def ask(match: str, address: str) -> None:
            async with lane.turn(match, address):
                served.append(match)
                await asyncio.sleep(0.01)

        async with lane.turn("x", "a"):
            asked = [asyncio.create_task(ask("greedy", "b")) for _ in range(3)]
            await asyncio.sleep(0)
            assert served == ["greedy"], "the other worker is free"
            with pytest.raises(TooMuchWorkError, match="too much work"):
                async with lane.turn("greedy", "b"):
                    pass
            asked += [asyncio.create_task(ask("modest", "c")), asyncio.create_task(ask("x", "a"))]
            while len(served) < 2:
                await asyncio.sleep(0.001)
            assert served[:2] == ["greedy", "modest"], "x has one at this time, a may have no more"
        await asyncio.gather(*asked)
        assert sorted(served) == ["greedy"] * 3 + ["modest", "x"]
        assert lane.length == 0
        assert not lane._waits
        assert not lane._served

    asyncio.run(go())


def test_a_drag_does_not_wait_for_everybody_who_is_new() -> None:
    async def go() -> None:
        shares, costs = Shares(Clock()), Costs()
        lane = Lane([Nobody()], shares, Waits(9, 9, 9), at_once=1)  # type: ignore[list-item]
        for _ in range(400):
            lane.used("dragged", "a", 0.005)
            costs.add("dragged", "try", 0.005)
        costs.add("heavy", "reach", 0.2)
        served: list[str] = []

        async def ask(match: str, what: str) -> None:
            async with lane.turn(match, match, weight=costs.of(match, what)):
                served.append(match)

        async with lane.turn("x", "x"):
            kinds = {"heavy": "reach", "new": "show", "newer": "show", "dragged": "try"}
            asked = [asyncio.create_task(ask(*one)) for one in kinds.items()]
            await asyncio.sleep(0)
        await asyncio.gather(*asked)
        assert served == ["dragged", "new", "newer", "heavy"]

    asyncio.run(go())


def test_what_is_long_past_counts_for_little() -> None:
    clock = Clock()
    shares = Shares(clock)
    shares.add(["a"], 8.0)
    assert shares.of("a") == 8.0
    clock.now += 60.0
    assert shares.of("a") == pytest.approx(1.0)
    shares.add(["a"], 1.0)
    assert shares.of("a") == pytest.approx(2.0)
    assert shares.of("b") == 0.0


@pytest.mark.parametrize(
    "error",
    [
        DocumentError("x", [Fault("a.b", "no"), Fault("", "never")]),
        MeasuringError([("MH-1", "hidden"), ("MH-2", "too")]),
        AnswerError("who asked?"),
        ForbiddenError("not you"),
        UnknownSystemError("chess"),
        TooMuchWorkError("too long"),
        TapelineError("oh"),
    ],
)
def test_errors_come_over_whole(error: TapelineError) -> None:
    again = error_from(json.loads(json.dumps(error_said(error))))
    assert str(again) == str(error)
    assert type(again) is type(error)


def test_a_work_limit_of_the_library_is_too_much_work() -> None:
    again = error_from(error_said(WorkLimitError("10 steps")))
    assert isinstance(again, TooMuchWorkError)
    assert str(again) == "too much work: 10 steps"


def test_the_tried_message_is_what_the_documents_say() -> None:
    with pytest.raises(ValidationError):
        Tried.model_validate_json('{"type":"tried","seq":1,"version":1,"verdict":{}}')


def test_a_worker_that_cannot_follow_says_so() -> None:
    desk = Desk()
    lines = [*Match.start(TWO_LINES).lines()]
    follow = {"match": "m", "what": "follow", "said": {"anew": False}}
    assert desk.answer(follow, b"{}")[0] == b"F"
    ask = {"match": "m", "what": "try", "said": ACTIVATE}
    assert desk.answer(ask, b"")[0] == b"F", "it is not known, or no more"
    anew = {"match": "m", "what": "follow", "said": {"anew": True}}
    assert desk.answer(anew, lines[0].encode())[0] == b"A"
    assert desk.answer(follow, b'{"n":7}')[0] == b"F"


# Budgets on input


@pytest.mark.parametrize("when", ["before it is ready", "in mid-question", "before it answers"])
def test_a_worker_whose_server_was_killed_ends_without_a_word(
    when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = socket.socketpair()

    def late(self: Desk, asked: dict[str, Any], content: bytes) -> tuple[bytes, bytes]:
        mine.close()
        return b"A", content

    monkeypatch.setattr(Desk, "answer", late)
    head = json.dumps({"what": "systems", "said": {}, "seconds": 60.0}).encode()
    sizes = len(head).to_bytes(4, "big") + (0).to_bytes(4, "big")
    if when == "in mid-question":
        mine.sendall(sizes + head[:10])
        mine.shutdown(socket.SHUT_WR)
    elif when == "before it answers":
        mine.sendall(sizes + head)
    else:
        mine.close()
    with theirs:
        serve(theirs)
    mine.close()


def test_scenes_are_counted_before_they_are_looked_at() -> None:
    most = {"pieces": 2, "corners": 8, "bodies": 11}
    square = {"shape": {"polygon": [[0, 0], [1, 0], [1, 1], [0, 1]]}}
    regiment = {"id": "u", "models": 10}
    check_scene({"terrain": [square, square], "models": [{"id": "a"}], "units": [regiment]}, most)
    for scene, path, count in (
        ({"terrain": [square] * 3}, "terrain", "3 pieces"),
        ({"terrain": [square, {"polygon": [[0, 0]] * 5}]}, "terrain", "9 corners"),
        ({"models": [{}, {}], "units": [regiment]}, "models", "12 bodies"),
        ({"terrain": [{"openings": [{}, {}]}]}, "terrain", "3 pieces"),
    ):
        with pytest.raises(DocumentError) as error:
            check_scene(scene, most)
        assert error.value.faults[0].path == path
        assert f"too much work: {count}" in error.value.faults[0].message
    for odd in ({}, {"terrain": 1, "models": "x", "units": [1, {"models": True}]}):
        check_scene(odd, most)


def test_actions_and_logs_are_counted_too() -> None:
    check_action({"kind": "move", "path": [{"to": [1, 2]}] * 200})
    check_action(None)
    for document in (
        {"kind": "move", "path": [{"to": [1, 2]}] * 201},
        {"kind": "order", "units": ["a"] * 201},
        {"kind": "x", "a": {"b": [[0] * 100] * 50}},
        [{"to": [1, 2]}] * 201,
    ):
        with pytest.raises(DocumentError, match="too much work"):
            check_action(document)
    check_log(["{}", "", "{}", " "], 1)
    with pytest.raises(DocumentError, match="2 entries"):
        check_log(["{}", "{}", "{}"], 1)


def test_too_much_work_is_an_error_document(worked: Inside, pages: list[Page]) -> None:
    red = pages[0]
    legs = [{"to": [1, n / 100]} for n in range(300)]
    refused = red.post("judge", action={"kind": "move", "actor": CAPTAIN, "path": legs})
    assert refused.status_code == 422
    assert refused.json()["detail"] == [
        {"path": "path", "message": "too much work: 300 legs; up to 200"}
    ]
    many = worked.client.post("/api/scenes/check", json=floors(1_000))
    assert many.status_code == 422
    assert "1000 pieces" in many.json()["detail"][0]["message"]


def test_the_process_of_the_server_loads_no_engine() -> None:
    """What it does not hold cannot hold it up, and every worker shares it with the others."""
    says = "import sys, tapeline.web.app, tapeline.web.server; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", says], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "tapeline.web.work.pool" in loaded
    for name in ("play.match", "play.battle", "web.views", "web.work.questions", "rules", "travel"):
        assert f"tapeline.{name}" not in loaded
    assert not {"numba", "numpy", "shapely"} & loaded


def test_without_fork_a_worker_is_begun_from_nothing() -> None:
    async def go() -> None:
        worker = Worker(Nursery(False, spawned=True), 0, 10**9)
        try:
            told = await worker.ask("ready", {}, 5.0)
            assert told.content == b"true"
        finally:
            worker.end()
            worker.nursery.close()

    asyncio.run(go())


def test_once_kernels_are_compiled_other_workers_take_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[bool, bool]] = []

    async def answer(said: bool) -> bool:
        return said

    def nursery(compiled: bool, spawned: bool = False) -> Nursery:
        made.append((compiled, spawned))
        return Nursery(False)

    monkeypatch.setattr(pools, "in_cache", lambda: False)
    monkeypatch.setattr(pools, "compile_aside", lambda: answer(True))
    monkeypatch.setattr(pools, "Nursery", nursery)

    async def work(pool: Pool, kept: Kept) -> None:
        assert made == [(False, False), (False, True), (True, False)]
        assert [worker.begun for worker in pool.workers] == [2, 2, 2]
        assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]

    pooled(work, compile=True)


def test_a_worker_that_has_not_grown_goes_on() -> None:
    """Each new one would cost whoever asks next a moment, and without fork a second."""

    async def work(pool: Pool, kept: Kept) -> None:
        for _ in range(3):
            await pool.ask("systems", {})
            assert json.loads(await pool.ask("try", ACTIVATE, kept))["legal"]
        assert [worker.begun for worker in pool.workers] == [1, 1, 1]

    pooled(work)


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_ctrl_c_ends_a_server_at_work_in_moments() -> None:
    words = "from tapeline.cli import main; main()"
    command = [sys.executable, "-c", words, "serve", "--port", "0", "--json", "--no-compile"]
    child = subprocess.Popen(
        [*command, "--database", "sqlite:///:memory:"], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    address = json.loads(child.stdout.readline())["address"]
    with ThreadPoolExecutor(5) as callers:
        asked = [
            callers.submit(httpx.post, f"{address}api/scenes/check", json=floors(500), timeout=60)
            for _ in range(4)
        ]
        while not callers.submit(httpx.get, f"{address}readyz", timeout=60).result().is_success:
            time.sleep(0.1)
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.wait(30) == 0
        # On a machine that runs other tests besides; alone it takes some tenths of a second.
        assert time.monotonic() - begun < 8.0
        for one in asked:
            assert one.exception() is not None or one.result().status_code in (200, 422, 503)
    child.stdout.close()


def test_the_clock_stops_though_it_strikes_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    strikes = [workers._GivenUpError(), None]

    def clock(_: float | None) -> None:
        strike = strikes.pop(0)
        if strike is not None:
            raise strike

    monkeypatch.setattr(workers, "_at_most", clock)
    workers._no_more()
    assert strikes == []
