"""Two servers on one database: pages of one hear live of what the other writes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from support.postgres import Cluster
from support.scenes import toy_scene
from tapeline.web.hub.notices import LOOK_S, differs
from tapeline.web.store.connection import StoreError
from tapeline.web.store.store import CHANNEL, News
from web.conftest import Start
from web.inside import PATIENCE_S, Inside, Live, Page
from web.test_web_api_matches import STEP

MOVE = {"kind": "move", "actor": "R1", "path": STEP}


#: So seldom that nothing is heard of in a test but by notices.
SELDOM = 60.0

assert min(SELDOM, LOOK_S) > PATIENCE_S


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Settings of servers that share a database: SQLite is looked at, PostgreSQL tells."""
    if request.param == "sqlite":
        return {"look_seconds": 0.05}
    url = request.getfixturevalue("postgres").database()
    return {"database": url, "look_seconds": SELDOM}


def two(start: Start, **settings: Any) -> tuple[Inside, Inside, list[Page], list[Page]]:
    """Two servers, and the links of one match opened on each of them."""
    settings = {"look_seconds": 0.05, **settings}
    here, there = start(**settings), start(**settings)
    mine = here.begin(scene=toy_scene(), mode="links")
    theirs = [there.page(page.match_id, page.link) for page in mine]
    return here, there, mine, theirs


def until(live: Live, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next state of the match that is as wanted."""
    while True:
        match: dict[str, Any] = live.hear("now")["match"]
        if wanted(match):
            return match


def test_pages_hear_of_what_another_server_writes_in_order(
    start: Start, shared: dict[str, Any]
) -> None:
    _, _, (red, *_), (_, blue, watch) = two(start, **shared)
    with blue.live() as live, watch.live() as onlooker:
        told: dict[Live, list[int]] = {live: [], onlooker: []}
        for page in told:
            page.hear("now")
        red.act("move", version=0, actor="R1", path=STEP)
        red.act("done", version=1)
        for page, numbers in told.items():
            while len(numbers) < 2:
                numbers += [line["n"] for line in page.hear("now")["match"]["log"]]
            assert numbers == [1, 2]
        # Its own pages act on it at once, and the other server hears of that.
        with red.live(version=2) as back:
            assert back.hear("now")["match"]["version"] == 2
            assert blue.post("undo", version=2).status_code == 200
            found = until(back, lambda match: bool(match["proposals"]))
            assert found["proposals"][0]["by"] == "blue"


def test_a_proposal_is_heard_of_agreed_to_and_carried_out_across(
    start: Start, shared: dict[str, Any]
) -> None:
    _, _, (red, *_), (_, blue, _) = two(start, **shared)
    red.act("move", version=0, actor="R1", path=STEP)
    with red.live() as here, blue.live() as there:
        until(there, lambda match: match["version"] == 1)
        events = [{"event": "moved", "body": "B2", "x": 2.0, "y": 19.0, "z": 0.0, "facing": 0.0}]
        asked = red.post("overrides", version=1, events=events, reason="bumped")
        assert asked.status_code == 200, asked.text
        plan = until(there, lambda match: bool(match["proposals"]))["proposals"][0]
        done = blue.done(blue.post(f"proposals/{plan['id']}", version=1, accept=True))
        assert done["written"]
        match = until(here, lambda match: match["version"] == 2)
        assert match["proposals"] == []
        assert match["log"][-1]["what"] == "override"


def test_a_proposal_declined_on_the_other_server_is_gone_here(
    start: Start, shared: dict[str, Any]
) -> None:
    _, _, (red, *_), (_, blue, _) = two(start, **shared)
    red.act("move", version=0, actor="R1", path=STEP)
    red.act("done", version=1)
    with red.live() as here, blue.live() as there:
        # Not its own last deed, so the other side must agree.
        until(there, lambda match: match["version"] == 2)
        assert not blue.done(blue.post("undo", version=2))["written"]
        plan = until(here, lambda match: bool(match["proposals"]))["proposals"][0]
        red.done(red.post(f"proposals/{plan['id']}", version=2, accept=False))
        assert until(there, lambda match: not match["proposals"])["version"] == 2


def test_both_write_at_once_and_one_is_told_that_it_is_stale(start: Start) -> None:
    here, there = start(look_seconds=0.0), start(look_seconds=0.0)
    (red, *_) = here.begin(scene=toy_scene(), mode="hotseat")
    again = there.page(red.match_id, red.link)
    assert again.version == 0
    red.act("move", version=0, actor="R1", path=STEP)
    late = again.post("actions", version=0, action=MOVE)
    assert late.status_code == 409
    assert again.version == 1


def test_a_server_that_does_not_look_is_not_told(start: Start) -> None:
    """What the look is for: without it a page hears nothing until it asks."""
    here, there = start(look_seconds=0.05), start(look_seconds=0.0)
    red, blue, _ = here.begin(scene=toy_scene(), mode="links")
    far = there.page(blue.match_id, blue.link)
    with far.live() as live, blue.live() as near:
        live.hear("now")
        red.act("move", version=0, actor="R1", path=STEP)
        until(near, lambda match: match["version"] == 1)
        live.say(type="ping")
        assert live.hear()["type"] in ("pong", "present")
        assert far.version == 1


def test_a_database_that_does_not_answer_is_asked_again(start: Start) -> None:
    _, there, (red, *_), (_, blue, _) = two(start)
    with blue.live() as live:
        live.hear("now")
        news, failed = there.hub.store.news, []

        def broken(match_ids: Any) -> Any:
            failed.append(match_ids)
            if len(failed) <= 2:
                raise StoreError("the database does not answer")
            return news(match_ids)

        there.hub.store.news = broken  # type: ignore[method-assign]
        red.act("move", version=0, actor="R1", path=STEP)
        assert until(live, lambda match: match["version"] == 1)
        assert len(failed) > 2


def test_nothing_is_asked_while_nobody_watches(start: Start) -> None:
    server = start(look_seconds=0.02)
    (red, *_) = server.begin(scene=toy_scene(), mode="hotseat")
    assert red.version == 0
    asked: list[Any] = []
    server.hub.store.news = lambda ids: asked.append(ids) or {}  # type: ignore[method-assign,func-returns-value]
    time.sleep(0.2)
    assert asked == []
    with red.live() as live:
        live.hear("now")
        begun = time.monotonic()
        while not asked:
            assert time.monotonic() < begun + PATIENCE_S
            time.sleep(0.01)
    assert asked[0] == [red.match_id]


def test_what_was_written_here_after_the_look_is_no_news(start: Start) -> None:
    server = start()
    (red, *_) = server.begin(scene=toy_scene(), mode="hotseat")
    red.act("move", version=0, actor="R1", path=STEP)
    room = server.hub.rooms[red.match_id]
    assert not differs(room, News(0))
    assert not differs(room, News(1))
    assert differs(room, News(2))


def test_a_server_hears_of_others_but_not_of_itself(start: Start, postgres: Cluster) -> None:
    here, there, (red, *_), (_, blue, _) = two(
        start, database=postgres.database(), look_seconds=SELDOM
    )
    asked: dict[str, list[Any]] = {"here": [], "there": []}
    for server, ids in ((here, asked["here"]), (there, asked["there"])):
        news = server.hub.store.news
        server.hub.store.news = lambda some, news=news, ids=ids: ids.append(some) or news(some)  # type: ignore[method-assign,misc]
    with red.live() as near, blue.live() as far:
        for live in (near, far):
            live.hear("now")
        for ids in asked.values():
            ids.clear()
        red.act("move", version=0, actor="R1", path=STEP)
        until(far, lambda match: match["version"] == 1)
    assert asked["there"] == [[red.match_id]]
    assert asked["here"] == []


def test_what_is_said_is_heard_by_pages_of_another_server(start: Start) -> None:
    _, _, (red, *_), (_, blue, _) = two(start)
    with blue.live() as far:
        far.hear("now")
        red.post("talk", text="hello over there")
        assert far.hear("talk")["remarks"][0]["text"] == "hello over there"


def test_a_page_that_comes_while_another_server_writes_hears_of_it(
    start: Start, postgres: Cluster
) -> None:
    """Told between the look of a page that comes and its coming in."""
    _, there, (red, *_), (_, blue, _) = two(
        start, database=postgres.database(), look_seconds=SELDOM
    )
    assert blue.version == 0
    news = there.hub.store.news

    def late(match_ids: Any) -> Any:
        found = news(match_ids)
        there.hub.store.news = news  # type: ignore[method-assign]
        red.act("move", version=0, actor="R1", path=STEP)
        time.sleep(0.5)
        return found

    there.hub.store.news = late  # type: ignore[method-assign]
    with blue.live() as live:
        assert until(live, lambda match: match["version"] == 1)


def test_notices_come_again_after_the_database_was_gone(start: Start, postgres: Cluster) -> None:
    url = postgres.database()
    _, _, (red, *_), (_, blue, _) = two(start, database=url, look_seconds=0.2)
    engine = create_engine(url)
    listening = text("SELECT count(*) FROM pg_stat_activity WHERE query = :q")
    with blue.live() as live:
        live.hear("now")
        postgres.stop()
        assert red.post("actions", version=0, action=MOVE).status_code == 503
        postgres.start()
        red.act("move", version=0, actor="R1", path=STEP)
        assert until(live, lambda match: match["version"] == 1)
        begun = time.monotonic()
        with engine.connect() as connection:
            while connection.scalar(listening, {"q": f"LISTEN {CHANNEL}"}) < 2:
                assert time.monotonic() < begun + PATIENCE_S
                time.sleep(0.05)
    engine.dispose()


def test_what_is_owed_is_told_when_the_line_is_there_again(start: Start, postgres: Cluster) -> None:
    url = postgres.database()
    here = start(database=url, look_seconds=0.2)
    engine = create_engine(url)
    senders = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SET synchronous_commit%'"
    with engine.connect() as connection:
        begun = time.monotonic()
        while not (pids := list(connection.scalars(text(senders)))):
            assert time.monotonic() < begun + PATIENCE_S
            connection.rollback()
        there = start(database=url, look_seconds=SELDOM)
        red, blue, _ = here.begin(scene=toy_scene(), mode="links")
        with there.page(blue.match_id, blue.link).live() as live:
            live.hear("now")
            connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pids[0]})
            red.act("move", version=0, actor="R1", path=STEP)
            assert until(live, lambda match: match["version"] == 1)
    engine.dispose()


def test_a_notice_that_is_lost_is_made_up_for(
    start: Start, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapeline.web.hub.notices.LOOK_S", 0.3)
    url = postgres.database()
    here, _, (red, *_), (_, blue, _) = two(start, database=url, look_seconds=SELDOM)
    here.hub.notices.tell = lambda match_id: None  # type: ignore[method-assign]
    with blue.live() as live:
        live.hear("now")
        red.act("move", version=0, actor="R1", path=STEP)
        assert until(live, lambda match: match["version"] == 1)


def test_notices_that_are_none_of_ours_are_no_harm(start: Start, postgres: Cluster) -> None:
    url = postgres.database()
    _, _, (red, *_), (_, blue, _) = two(start, database=url, look_seconds=SELDOM)
    engine = create_engine(url)
    with blue.live() as live, engine.begin() as connection:
        live.hear("now")
        for payload in ("", "x", "x y z", f"x {blue.match_id}", "\u2028"):
            connection.execute(text("SELECT pg_notify(:c, :p)"), {"c": CHANNEL, "p": payload})
        connection.commit()
        red.act("move", version=0, actor="R1", path=STEP)
        assert until(live, lambda match: match["version"] == 1)
    engine.dispose()
