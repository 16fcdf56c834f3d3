"""What happens to a machine: a disk that is full or fails, a database that is damaged, a clock that
was set back, a program that sends bytes for text. Whoever asks is told in plain words, and nothing
is half-done."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from support.scenes import toy_scene
from tapeline.web.store.store import Store
from web.inside import Inside, Live, Page

Start = Callable[..., Inside]
MOVED = {"event": "moved", "body": "B2", "x": 2.0, "y": 19.0, "z": 0.0, "facing": 0.0}


@contextmanager
def no_file_may_grow(folder: Path) -> Iterator[None]:
    """Whatever is written beyond what is there fails, as on a disk that is full."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = max(one.stat().st_size for one in folder.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _propose(page: Page, version: int, words: str) -> Any:
    return page.post("overrides", version=version, events=[MOVED], reason=words)


def test_every_call_that_writes_says_that_the_disk_fails(start: Start, tmp_path: Path) -> None:
    server = start()
    red, blue, _ = server.begin(scene=toy_scene(), mode="links")
    version = red.version
    proposal = _propose(red, version, "x").json()["proposal"]["id"]
    calls: dict[str, Callable[[], Any]] = {
        "create": lambda: server.client.post("/api/matches", json={"scene": toy_scene()}),
        "act": lambda: red.post("actions", version=version, action={"kind": "done"}),
        "propose": lambda: _propose(red, version, "y" * 400),
        "agree": lambda: blue.post(f"proposals/{proposal}", version=version, accept=True),
        "decline": lambda: blue.post(f"proposals/{proposal}", version=version, accept=False),
        "copy": lambda: red.post("copy", at=0),
    }
    with no_file_may_grow(tmp_path):
        for name, call in calls.items():
            answer = call()
            assert answer.status_code == 503, (name, answer.text)
            said = answer.json()["detail"]
            assert "could not be kept" in said
            assert "disk" in said
            assert "\n" not in said
        assert red.get().status_code == 200, "what is there is shown"
    assert red.version == version, "nothing half-done"
    assert [one["id"] for one in red.match["proposals"]] == [proposal]
    assert calls["decline"]().status_code == 200, "and it goes on"
    assert red.act("done")["match"]["version"] == version + 1


def test_a_database_damaged_meanwhile_is_one_sentence(start: Start, tmp_path: Path) -> None:
    server = start()
    red, *_ = server.begin(scene=toy_scene())
    server.hub.store.engine.dispose()
    with sqlite3.connect(tmp_path / "table.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with (tmp_path / "table.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 65_536)
    answer = red.post("actions", version=0, action={"kind": "done"})
    assert answer.status_code == 503, answer.text
    assert "damaged" in answer.json()["detail"]
    assert "backup" in answer.json()["detail"]
    made = server.client.post("/api/matches", json={"scene": toy_scene()})
    assert (made.status_code, "damaged" in made.text) == (503, True)
    assert server.client.get("/readyz").status_code == 503
    assert server.client.get("/healthz").status_code == 200


def _hear_all(live: Live) -> None:
    while True:
        assert live.hear()["type"] in ("now", "present", "refused")


@pytest.mark.parametrize("late", [False, True])
def test_bytes_for_text_close_a_connection_quietly(
    inside: Inside, late: bool, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    red, *_ = inside.begin(scene=toy_scene(), mode="links")
    with caplog.at_level(logging.DEBUG, "tapeline"), red.live() as live:
        if late:
            live.hear("now")
        live.socket.send(b"\x00\xff" * 100)
        with pytest.raises(ConnectionClosed, match=r"4422.*messages are text"):
            _hear_all(live)
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
    assert red.get().status_code == 200


def test_a_clock_set_back_is_one_sentence(
    start: Start, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = start()
    first.begin(scene=toy_scene())
    first.stop()
    assert not caplog.records, "no word while it is right"
    store = Store(f"sqlite:///{tmp_path / 'table.db'}")
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%d %H:%M:%S.000000")
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE matches SET created = ?", (tomorrow,))
    store.close()
    server = start()
    [said] = [one.getMessage() for one in caplog.records if "clock" in one.getMessage()]
    assert tomorrow[:10] in said
    assert "\n" not in said
    server.begin(scene=toy_scene())[0].act("done")


def test_a_log_that_was_changed_in_the_database_is_said_so(start: Start, tmp_path: Path) -> None:
    server = start()
    red, *_ = server.begin(scene=toy_scene())
    red.act("done")
    server.stop()
    with sqlite3.connect(tmp_path / "table.db") as connection:
        (line,) = connection.execute("SELECT line FROM entries").fetchone()
        changed = json.dumps({**json.loads(line), "hash": "0"})
        connection.execute("UPDATE entries SET line = ?", (changed,))
    connection.close()
    again = start()
    answer = again.client.get(
        f"/api/matches/{red.match_id}", headers={"authorization": f"Bearer {red.token}"}
    )
    assert answer.status_code == 503
    assert "the state after it differs from the log" in answer.json()["detail"]
