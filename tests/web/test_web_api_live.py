"""The live connection: hello, tries, who is there, changes told to all, restarts."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from support.scenes import toy_scene
from web.inside import PATIENCE_S, Inside, Live
from web.test_web_api_matches import STEP, near

MOVE = {"kind": "move", "actor": "R1", "path": STEP}


def closing(live: Live) -> tuple[int, str]:
    """Hears until the connection is closed: the code, and the last words."""
    said = ""

    def hear() -> None:
        nonlocal said
        while True:
            said = live.hear().get("why", said)

    with pytest.raises(ConnectionClosed) as closed:
        hear()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, said


def test_hello_gives_the_match_and_everybody_hears_of_every_change(inside: Inside) -> None:
    red, blue, watch = inside.begin(scene=toy_scene(), mode="links")
    with red.live() as a, blue.live() as b, watch.live() as c:
        first = [live.hear("now")["match"] for live in (a, b, c)]
        assert [match["you"]["role"] for match in first] == ["side", "side", "watch"]
        assert all(match["version"] == 0 and match["board"]["terrain"] for match in first)
        red.act("move", actor="R1", path=STEP)
        for live in (a, b, c):
            told = live.hear("now")["match"]
            assert (told["version"], len(told["log"])) == (1, 1)
        red.act("done")
        for live in (a, b, c):
            told = live.hear("now")["match"]
            assert (told["log_from"], [line["n"] for line in told["log"]]) == (1, [2])
            assert told["board"]["terrain"] is None, "the page has it already"
        blue.post("undo", version=2)
        for live in (a, b, c):
            assert len(live.hear("now")["match"]["proposals"]) == 1


def test_a_page_that_comes_back_gets_what_it_missed(inside: Inside) -> None:
    red, *_ = inside.begin(scene=toy_scene(), mode="links")
    red.act("move", actor="R1", path=STEP)
    red.act("done")
    with red.live(version=1) as live:
        match = live.hear("now")["match"]
        assert (match["version"], match["log_from"], len(match["log"])) == (2, 1, 1)


def test_who_is_there_is_told(inside: Inside) -> None:
    red, blue, watch = inside.begin(scene=toy_scene(), mode="links")
    with red.live() as a:
        assert a.hear("now")["match"]["present"] == ["red"]
        with blue.live() as b, watch.live() as c:
            assert set(c.hear("now")["match"]["present"]) <= {"red", "blue", "watch"}
            b.hear("now")
            while a.hear("present")["present"] != ["red", "blue", "watch"]:
                pass
        while a.hear("present")["present"] != ["red"]:
            pass


def test_a_try_is_judged_and_changes_nothing(inside: Inside) -> None:
    red, *_ = inside.begin(scene=toy_scene(), mode="links")
    with red.live() as live:
        live.hear("now")
        live.trial(1, 0, action=MOVE)
        tried = live.hear("tried")
        assert (tried["seq"], tried["stale"], tried["fault"]) == (1, False, "")
        assert tried["verdict"]["legal"]
        live.trial(2, 0, action={**MOVE, "path": [{"to": [12, 12]}]})
        assert live.hear("tried")["verdict"]["nearest"]["how"] == "prefix"
        live.trial(3, 5, action=MOVE)
        stale = live.hear("tried")
        assert (stale["stale"], stale["verdict"], stale["version"]) == (True, None, 0)
        for bad in ({"kind": "fly"}, {"kind": "move", "actor": "X", "path": STEP}, {}):
            live.trial(4, 0, action=bad)
            faulty = live.hear("tried")
            assert faulty["fault"]
            assert faulty["verdict"] is None
    assert red.version == 0


def test_of_waiting_tries_only_the_newest_is_answered(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    red, *_ = inside.begin(scene=toy_scene(), mode="links")
    newest, heard = inside.hub.pool.newest, threading.Event()

    async def once_heard(*asked: Any) -> str | None:
        while not heard.is_set():
            await asyncio.sleep(0.001)
        return await newest(*asked)

    monkeypatch.setattr(inside.hub.pool, "newest", once_heard)
    with red.live() as live:
        live.hear("now")
        for seq in range(1, 201):
            live.trial(seq, 0, action={**MOVE, "path": [{"to": [5, 5 + seq / 100]}]})
        live.say(type="ping")
        assert live.hear()["type"] == "pong", "all of them have come, and none is answered yet"
        heard.set()
        assert live.hear("tried")["seq"] == 200
        # As they come, some are answered: in order, and the last of all.
        for seq in range(201, 401):
            live.trial(seq, 0, action={**MOVE, "path": [{"to": [5, 5 + seq / 100]}]})
        answered = []
        while not answered or answered[-1] < 400:
            answered.append(live.hear("tried")["seq"])
        assert answered == sorted(set(answered))
        assert answered[0] > 200


def test_an_answer_is_tried_by_who_is_asked(inside: Inside) -> None:
    red, blue, _ = inside.begin(scene=near(), mode="links", dice="typed")
    red.act("shove", actor="R1", target="B1")
    blue.agree(red.answer(faces=[6]))
    red.answer(value="push")
    with red.live() as a, blue.live() as b:
        a.trial(1, 3, path=[{"to": [10, 5]}])
        assert a.hear("tried")["verdict"]["legal"]
        a.trial(2, 3, path=[{"to": [17, 5]}])
        assert a.hear("tried")["verdict"]["findings"][0]["clause"] == "TY-SHV-5"
        a.trial(3, 3, action=MOVE)
        assert "must first give" in a.hear("tried")["fault"]
        b.trial(1, 3, path=[{"to": [10, 5]}])
        assert "red" in b.hear("tried")["fault"]
    assert red.match["question"]["form"] == "path"


def test_pings_are_answered_and_nonsense_is_refused_in_words(inside: Inside) -> None:
    red, *_ = inside.begin(scene=toy_scene(), mode="links")
    with red.live() as live:
        live.hear("now")
        live.say(type="ping")
        assert live.hear()["type"] == "pong"
        for bad in (
            *("", "{", "[]", '{"type":"sing"}', '{"type": "try"}', "NaN", "[" * 3000),
            *('{"type":"try"', '{"type":"try"}', '{"type":"try","type":"ping"}'),
            '{"type":"try","seq":NaN,"version":0}',
        ):
            live.socket.send(bad)
            assert live.hear()["type"] == "refused", bad
        live.say(type="hello", token=red.token)
        assert live.hear()["type"] == "refused"
        live.say(type="try", seq=1, version=0, action=MOVE, more=1)
        assert "more" in live.hear()["why"]
        live.trial(9, 0, action=MOVE)
        assert live.hear("tried")["seq"] == 9, "and it goes on"
        other = {"version": 0, "seq": 10, "action": MOVE, "type": "try"}
        live.socket.send(json.dumps(other, indent=1))
        assert live.hear("tried")["seq"] == 10, "however it is written"


@pytest.mark.parametrize("token", ["", "wrong", "x" * 3000])
def test_no_connection_without_the_secret(inside: Inside, token: str) -> None:
    red, *_ = inside.begin(scene=toy_scene(), mode="links")
    red.token = token
    with red.live() as live:
        assert closing(live)[0] == 4404
    red.match_id = "0000"
    with red.live() as live:
        assert closing(live)[0] == 4404


def test_hello_comes_first_and_soon(start: Callable[..., Inside]) -> None:
    server = start(hello_seconds=0.2)
    red, *_ = server.begin(scene=toy_scene(), mode="links")
    from websockets.sync.client import connect

    address = f"{server.url.replace('http', 'ws', 1)}/api/matches/{red.match_id}/live"
    for first in (None, '{"type":"ping"}', "{"):
        with connect(address, proxy=None) as socket:
            if first is not None:
                socket.send(first)
            assert closing(Live(socket))[0] == 4422
    with (
        pytest.raises(Exception, match="403"),
        connect(
            address,
            proxy=None,
            origin="https://evil.example",  # type: ignore[arg-type]
        ),
    ):
        pass


def test_connections_and_messages_have_limits(start: Callable[..., Inside]) -> None:
    server = start(connections_a_match=1, message_bytes=2000, tries_rate=1e-3, tries_burst=10)
    red, blue, _ = server.begin(scene=toy_scene(), mode="links")
    with red.live() as a:
        a.hear("now")
        with blue.live() as b:
            assert closing(b)[0] == 4503
        with suppress(ConnectionClosed):  # it may be so before the last is said
            for _ in range(12):
                a.say(type="ping")
        code, why = closing(a)
        assert (code, why) == (4429, "too many calls; wait a moment")
    with blue.live() as b:
        b.hear("now")
        b.say(type="try", seq=1, version=0, action={"kind": "x" * 3000})
        code, _ = closing(b)
        assert code in (1009, 4422)


def test_a_restart_in_the_middle_of_a_question_loses_nothing(start: Callable[..., Inside]) -> None:
    first = start()
    pages = first.begin(scene=near(), mode="links", dice="typed")
    red, blue, _ = pages
    red.act("shove", actor="R1", target="B1")
    blue.agree(red.answer(faces=[6]))
    plan = blue.done(blue.post("undo", version=2))["proposal"]
    before = red.match
    first.stop()
    second = start()
    red, blue, watch = (second.page(page.match_id, page.link) for page in pages)
    after = red.match
    assert after == {**before, "present": after["present"]}
    assert after["proposals"] == [plan]
    with watch.live(version=2) as live:
        assert live.hear("now")["match"]["question"]["form"] == "one"
        assert red.answer(value="spin")["written"]
        assert live.hear("now")["match"]["question"]["form"] == "number"
    assert red.answer(value=1)["match"]["question"] is None


def test_two_servers_on_one_database_do_not_overwrite_each_other(
    start: Callable[..., Inside],
) -> None:
    one, other = start(), start()
    pages = one.begin(scene=toy_scene(), mode="links")
    here, there = pages[0], other.page(pages[0].match_id, pages[0].link)
    assert there.version == 0
    with there.live() as live:
        live.hear("now")
        assert here.act("move", actor="R1", path=STEP)["written"]
        stale = there.post("actions", version=0, action={"kind": "done"})
        assert stale.status_code == 409
        assert live.hear("now")["match"]["version"] == 1, "told so, it has caught up"
    assert there.act("done", version=1)["written"]
    assert here.version == 2, "who looks sees what the other server has written"
    assert here.post("actions", version=1, action={"kind": "done"}).status_code == 409
    with here.live(version=1) as live:
        assert live.hear("now")["match"]["version"] == 2


def test_of_acts_at_the_same_time_one_is_done(inside: Inside) -> None:
    both, _ = inside.begin(scene=toy_scene())
    codes: list[int] = []

    def act(n: int) -> None:
        path = [{"to": [5, 5 + n / 10]}]
        page = inside.page(both.match_id, both.link)
        answer = page.post(
            "actions", version=0, action={"kind": "move", "actor": "R1", "path": path}
        )
        codes.append(answer.status_code)

    threads = [threading.Thread(target=act, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [200] + [409] * 7
    assert both.version == 1


def test_idle_matches_leave_memory_and_come_back(start: Callable[..., Inside]) -> None:
    server = start(idle_seconds=0.05, matches_in_memory=3)
    pages = [server.begin(scene=toy_scene()) for _ in range(5)]
    for both, _ in pages:
        both.act("done")
    assert len(server.hub.rooms) <= 3
    with pages[4][0].live() as live:
        live.hear("now")
        until = time.monotonic() + PATIENCE_S
        while len(server.hub.rooms) > 1:
            assert time.monotonic() < until
            time.sleep(0.02)
        assert [*server.hub.rooms] == [pages[4][0].match_id], "somebody looks at this one"
    assert [both.version for both, _ in pages] == [1] * 5


def test_when_all_places_are_looked_at_there_is_none(start: Callable[..., Inside]) -> None:
    server = start(matches_in_memory=1)
    first, second = server.begin(scene=toy_scene()), server.begin(scene=toy_scene())
    with first[0].live() as live:
        live.hear("now")
        full: Any = second[0].get()
        assert full.status_code == 503
    until = time.monotonic() + PATIENCE_S
    while second[0].get().status_code != 200:
        assert time.monotonic() < until


def test_a_match_that_leaves_memory_while_a_page_comes_is_the_one_it_hears_of(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    red, blue, _ = inside.begin(scene=toy_scene(), mode="links")
    assert red.version == 0
    hub = inside.hub
    refresh = hub.refresh

    async def slow(*rooms: Any) -> None:
        # The first look is the page's own; later ones come from the watch on other servers.
        monkeypatch.setattr(hub, "refresh", refresh)
        await refresh(*rooms)
        hub.rooms.pop(red.match_id, None)

    monkeypatch.setattr(hub, "refresh", slow)
    with blue.live() as live:
        live.hear("now")
        monkeypatch.undo()
        red.act("move", actor="R1", path=STEP)
        assert live.hear("now", 5.0)["match"]["version"] == 1
        assert len(hub.rooms[red.match_id].seats) == 1
