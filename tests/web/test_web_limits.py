"""Sockets, heads, bodies, names, quotas: what a server takes, and what it says beyond that."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from support.scenes import toy_scene
from tapeline.play.match import Match
from tapeline.web.api.guard import known_host
from tapeline.web.settings import Settings
from tapeline.web.store.connection import StoreError
from tapeline.web.store.store import Store
from web.inside import PATIENCE_S, Inside
from web.test_web_api_live import closing
from web.test_web_api_matches import STEP

pytestmark = pytest.mark.waits

Start = Callable[..., Inside]


def line(server: Inside) -> socket.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=10)


def ended(raw: socket.socket) -> bool:
    """Whether the other side closes the connection before long."""
    raw.settimeout(PATIENCE_S)
    try:
        while raw.recv(4096):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"\x16\x03\x01"])
def test_a_head_must_come_in_time(start: Start, said: bytes) -> None:
    server = start(head_seconds=0.3)
    with line(server) as raw:
        raw.sendall(said)
        begun = time.monotonic()
        assert ended(raw)
        assert time.monotonic() - begun < 5.0


def test_a_head_that_trickles_is_not_given_more_time(start: Start) -> None:
    server = start(head_seconds=0.3)
    with line(server) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"200" in raw.recv(4096), "the first call is answered"
        begun = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() < begun + 5.0:
                raw.sendall(b"G")
                time.sleep(0.05)
        assert time.monotonic() < begun + 4.0


def test_a_live_connection_outlasts_the_time_for_heads(start: Start) -> None:
    server = start(head_seconds=0.2)
    red, *_ = server.begin(scene=toy_scene(), mode="links")
    with red.live() as live:
        live.hear("now")
        time.sleep(0.6)
        live.say(type="ping")
        assert live.hear()["type"] == "pong"


def test_a_body_must_come_in_time_and_counts_while_it_comes(start: Start) -> None:
    server = start(body_seconds=0.5)
    head = (
        b"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 20000\r\n\r\n"
    )
    with line(server) as raw:
        raw.sendall(head + b"[")
        assert b" 408 " in raw.recv(4096)
    server = start(bodies_bytes_an_address=30_000)
    with line(server) as one, line(server) as other:
        for raw in (one, other):
            raw.sendall(head + b"[" * 19_000)
        # Whichever is read last.
        answered, _, _ = select.select([one, other], [], [], PATIENCE_S)
        assert [b" 503 " in raw.recv(4096) for raw in answered] == [True]
    until = time.monotonic() + PATIENCE_S
    while server.client.post("/api/matches", json={"scene": toy_scene()}).status_code != 201:
        assert time.monotonic() < until, "what was held is let go of"


def test_sockets_have_a_number_by_address(start: Start) -> None:
    server = start(sockets_an_address=5)
    lines = [line(server) for _ in range(12)]
    left, until = [*lines], time.monotonic() + PATIENCE_S
    while len(left) > 5:
        closed, _, _ = select.select(left, [], [], until - time.monotonic())
        assert closed, "not as many are refused"
        for raw in closed:
            with contextlib.suppress(ConnectionResetError):
                assert raw.recv(1) == b""
            left.remove(raw)
    assert select.select(left, [], [], 0.2)[0] == []
    for raw in lines:
        raw.close()
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            assert server.client.get("/healthz").status_code == 200
            break
        except httpx.TransportError:
            assert time.monotonic() < until


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8023", True),
        ("[::1]:8023", True),
        ("localhost", True),
        ("192.168.1.7:80", True),
        ("Tables.Example.org:443", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("example.org", False),
    ],
)
def test_the_server_answers_to_its_own_names_only(host: str, known: bool) -> None:
    settings = Settings(host_names=("tables.example.org",))
    scope = {"headers": [(b"host", host.encode())]}
    assert known_host(scope, settings) is known
    assert known_host(scope, Settings(any_host=True))


def test_a_rebound_name_is_refused(inside: Inside) -> None:
    answer = inside.client.get("/api/systems", headers={"host": "evil.example"})
    assert answer.status_code == 421
    assert "--host-name" in answer.json()["detail"]
    with line(inside) as raw:
        raw.sendall(
            b"GET /api/matches/x/live HTTP/1.1\r\nHost: evil.example\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            b"Sec-WebSocket-Version: 13\r\n\r\n"
        )
        assert b" 403 " in raw.recv(4096)


def test_forwarded_addresses_are_believed_of_named_proxies_alone(start: Start) -> None:
    def codes(server: Inside) -> list[int]:
        return [
            server.client.get("/api/systems", headers={"x-forwarded-for": f"192.0.2.{n}"})
            for n in range(4)
        ]

    limits: dict[str, Any] = {"address_rate": 0.01, "address_burst": 2}
    alone = [answer.status_code for answer in codes(start(**limits))]
    assert alone == [200, 200, 429, 429], "nobody makes himself many"
    behind = [answer.status_code for answer in codes(start(proxies=("127.0.0.1",), **limits))]
    assert behind == [200] * 4


def test_live_connections_are_counted_by_address_behind_a_proxy_too(start: Start) -> None:
    """The proxy holds all sockets, so that those who hold many are known by its word alone."""
    server = start(proxies=("127.0.0.1",), connections_an_address=2)
    url = f"{server.url.replace('http', 'ws', 1)}/api/matches/none/live"

    def opened(address: str) -> ClientConnection:
        return connect(url, proxy=None, additional_headers={"x-forwarded-for": address})

    with opened("192.0.2.1") as one, opened("192.0.2.1") as two, opened("192.0.2.1") as more:
        assert "This address has as many" in str(more.recv(timeout=PATIENCE_S))
        with opened("192.0.2.2") as other, pytest.raises(TimeoutError):
            other.recv(timeout=0.3)
        one.close()
        begun = time.monotonic()
        while server.hub.connections["192.0.2.1"] > 1:
            assert time.monotonic() < begun + PATIENCE_S
            time.sleep(0.01)
        with opened("192.0.2.1") as again, pytest.raises(TimeoutError):
            again.recv(timeout=0.3)
        assert two.state.name == "OPEN"
    begun = time.monotonic()
    while server.hub.connections:
        assert time.monotonic() < begun + PATIENCE_S
        time.sleep(0.01)


def test_a_binary_frame_closes_quietly(inside: Inside, caplog: pytest.LogCaptureFixture) -> None:
    red, *_ = inside.begin(scene=toy_scene(), mode="links")
    with red.live() as live:
        live.hear("now")
        live.socket.send(b"\x00\x01")
        assert closing(live) == (4422, "messages are text")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_link_has_so_many_live_connections(start: Start) -> None:
    server = start(connections_a_link=1)
    red, blue, _ = server.begin(scene=toy_scene(), mode="links")
    with red.live() as one, red.live() as two, blue.live() as other:
        first = closing(two) if _open(one) else closing(one)
        assert first[0] == 4503
        assert other.hear("now")


def _open(live: Any) -> bool:
    try:
        live.hear("now")
    except ConnectionClosed:
        return False
    return True


def test_a_link_has_so_many_entries_and_proposals_a_minute(start: Start) -> None:
    server = start(entries_a_minute=3, proposals_a_minute=2)
    both, _ = server.begin(scene=toy_scene())
    for version in range(3):
        both.act("done", version=version)
    assert both.post("actions", version=3, action={"kind": "done"}).status_code == 429
    assert both.version == 3
    events = [{"event": "moved", "body": "B2", "x": 2.0, "y": 19.0, "z": 0.0, "facing": 0.0}]
    asked = [
        both.post("overrides", version=3, events=events, reason="so").status_code for _ in range(3)
    ]
    assert asked == [200, 200, 429]
    large = start(match_bytes=300)
    both, _ = large.begin(scene=toy_scene())
    codes = [
        both.post("actions", version=n, action={"kind": "move", "actor": "R1", "path": STEP})
        for n in range(1)
    ]
    assert codes[0].status_code == 403
    assert "bytes" in codes[0].json()["detail"]


def test_decided_proposals_are_forgotten(start: Start) -> None:
    server = start()
    red, blue, _ = server.begin(scene=toy_scene(), mode="links")
    red.act("move", actor="R1", path=STEP)
    for _ in range(3):
        plan = blue.done(blue.post("undo", version=1))["proposal"]
        red.done(red.post(f"proposals/{plan['id']}", version=1, accept=False))
    with server.hub.store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM proposals").scalar() == 0


def test_it_says_what_happened_and_whether_it_is_ready(start: Start) -> None:
    server = start(proxies=("127.0.0.1",))
    both, _ = server.begin(scene=toy_scene())
    both.act("done")
    told = server.client.get("/metrics").text
    assert 'tapeline_answers_total{kind="act"} 1' in told
    assert 'tapeline_wait_seconds_bucket{kind="act",le="+Inf"} 1' in told
    assert 'tapeline_requests_total{status="201"} 1' in told
    assert 'tapeline_workers{workers="quick"} 1' in told
    assert both.token not in told
    assert both.match_id not in told
    for row in told.splitlines():
        assert (
            row.startswith(("# HELP tapeline_", "# TYPE tapeline_")) or float(row.split()[-1]) >= 0
        )
    elsewhere = {"x-forwarded-for": "192.0.2.1"}
    assert server.client.get("/metrics", headers=elsewhere).status_code == 404
    assert server.client.get("/readyz").json()["up"]

    async def never() -> bool:
        return False

    server.hub.pool.answering = never  # type: ignore[method-assign]
    refused = server.client.get("/readyz")
    assert (refused.status_code, refused.json()["detail"]) == (503, "the workers do not answer")
    assert server.client.get("/healthz").json()["up"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="as Linux counts")
def test_hostile_work_beside_an_honest_match(tmp_path: Path) -> None:
    """`bench/hostile.py` in short. The times are those of a machine that runs tests besides."""
    root = Path(__file__).parents[2]
    words = ["-m", "bench.hostile", "--minutes", "0.05", "--undos", "300", "--slack", "12"]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=root,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_a_full_disk_is_said_for_every_call_that_writes(start: Start) -> None:
    server = start()
    red, _ = server.begin(scene=toy_scene())

    def full(connection: Any, *_: Any) -> None:
        # No page more than there are now.
        connection.execute("PRAGMA max_page_count=1")

    event.listen(server.hub.store.engine, "checkout", full)
    moved = {"event": "moved", "body": "B2", "x": 2.0, "y": 19.0, "z": 0.0, "facing": 0.0}
    calls = {
        "create": lambda: server.client.post("/api/matches", json={"scene": toy_scene()}),
        "act": lambda: red.post("actions", version=red.version, action={"kind": "done"}),
        "propose": lambda: red.post(
            "overrides", version=red.version, events=[moved] * 300, reason="x" * 400
        ),
    }
    for name, call in calls.items():
        answer = next((one for one in (call() for _ in range(60)) if one.status_code != 200), None)
        while answer is not None and answer.status_code == 201:
            answer = call()
        assert answer is not None, name
        assert (answer.status_code, "full" in answer.text) == (503, True), (name, answer.text)
    event.remove(server.hub.store.engine, "checkout", full)
    server.hub.store.engine.dispose()
    before = red.version
    assert red.act("done")["match"]["version"] == before + 1, "and it goes on"


@pytest.mark.parametrize("content", [b"not a database at all" * 400, None])
def test_a_database_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "table.db"
    if content is None:
        path = path / "deeper.db"
        path.parent.write_text("a file where a folder should be")
    else:
        path.write_bytes(content)
    with pytest.raises(StoreError) as error:
        Store(f"sqlite:///{path}")
    assert len(str(error.value).splitlines()) == 1
    assert ("damaged" if content else "--database") in str(error.value)


@pytest.mark.skipif(os.name == "nt", reason="rights are others there")
def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'table.db'}")
    store.length("")
    assert rights(tmp_path) == {f"table.db{end}": 0o600 for end in ("", "-wal", "-shm")}
    store.close()


def rights(folder: Path) -> dict[str, int]:
    return {one.name: one.stat().st_mode & 0o777 for one in folder.iterdir()}


@pytest.mark.skipif(os.name == "nt", reason="rights are others there")
def test_a_database_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'table.db'}"
    first = Store(url)
    first.length("")
    for one in tmp_path.iterdir():
        one.chmod(0o644)
    second = Store(url)
    second.length("")
    assert rights(tmp_path) == {f"table.db{end}": 0o600 for end in ("", "-wal", "-shm")}
    first.close()
    second.close()


def crafted(**entry: Any) -> str:
    """A log whose only entry is not as the server writes them."""
    match = Match.start(toy_scene())
    match.do({"kind": "done"})
    header, line = match.lines()
    return "\n".join([header, json.dumps({**json.loads(line), **entry})])


@pytest.mark.parametrize(
    "new",
    [
        {"scene": {**toy_scene(), "name": "\ud800"}},
        {"scene": {**toy_scene(), "name": "\x1b[2J\x07"}},
        {"scene": {**toy_scene(), "sides": [{"id": "\ud800"}]}},
        {"scene": {**toy_scene(), "terrain": [{"id": "l", "ladder": {"foot": [1, 1, 0]}}]}},
        {"log": "\ud800"},
        {"log": json.dumps({"format": "tapeline-log/1", "scene": {}, "hash": "\ud800"})},
    ],
)
def test_odd_text_is_a_fault_or_goes_through_whole(inside: Inside, new: dict[str, Any]) -> None:
    content = json.dumps(new)
    headers = {"content-type": "application/json"}
    made = inside.client.post("/api/matches", content=content, headers=headers)
    assert made.status_code in (201, 422), made.text
    if made.status_code == 201:
        page = inside.page(made.json()["id"], made.json()["links"][0])
        for path in ("", "log", "scene", "picture.svg"):
            assert page.get(path).status_code == 200, (path, page.get(path).text)
    if "scene" in new:
        content = json.dumps(new["scene"])
        checked = inside.client.post("/api/scenes/check", content=content, headers=headers)
        assert checked.status_code in (200, 422), checked.text


@pytest.mark.parametrize(
    "entry",
    [
        {"action": {}},
        {"action": None},
        {"action": {"kind": "done", "x": 1}},
        {"roll": [[1] * 100_000]},
        {"ask": {"ask": "roll", "count": 30_000_000, "sides": 0}},
        {"ask": {"ask": "roll", "count": 1, "sides": 2**65}},
        {"n": 2**65},
        {"hash": "0"},
    ],
)
def test_crafted_logs_begin_no_match_that_cannot_be_shown(
    inside: Inside, entry: dict[str, Any]
) -> None:
    made = inside.client.post("/api/matches", json={"log": crafted(**entry)})
    assert made.status_code in (201, 422), made.text
    if made.status_code == 201:
        page = inside.page(made.json()["id"], made.json()["links"][0])
        assert page.get().status_code == 200
        assert page.post("judge-again/1").status_code == 200
