"""The access log: every call once, and never a secret."""

from __future__ import annotations

import re
import stat
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from support.scenes import toy_scene
from tapeline.errors import TapelineError
from tapeline.web.api.access import lines_to, shown_path
from tapeline.web.app import create_app
from web.inside import PATIENCE_S, PLAIN, Inside, generous

Start = Callable[..., Inside]

LINE = re.compile(
    r"127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "
    r'"([A-Z-]+) (\S+) HTTP/1\.1" (\d{3}) (\d+) \d+\.\d{3}'
)


def _calls(log: Path) -> list[tuple[str, str, int, int]]:
    found = []
    for line in log.read_text().splitlines():
        match = LINE.fullmatch(line)
        assert match, line
        found.append((match[1], match[2], int(match[3]), int(match[4])))
    return found


def test_every_call_is_a_line(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    server = start(access_log=str(log), body_bytes=2_000)
    red, *_ = server.begin(scene=toy_scene(), mode="links")
    home = f"/api/matches/{red.match_id}"
    shown = red.get()
    red.act("done")
    red.post("actions", version=0, action={"kind": "x" * 3_000})
    with red.live() as live:
        live.hear("now")
    red.token = "wrong"
    with red.live() as live:
        live.hear("refused")
        with pytest.raises(ConnectionClosed, match="4404"):
            live.hear()
    server.client.get("/nothing/there")
    server.client.get("/", headers={"host": "evil.example"})
    server.client.request("BREW", "/")
    server.stop()
    calls = _calls(log)
    assert ("GET", home, 200, len(shown.content)) in calls
    for call, status in (
        (("POST", "/api/matches"), 201),
        (("POST", f"{home}/actions"), 200),
        (("POST", f"{home}/actions"), 413),
        (("LIVE", f"{home}/live"), 101),
        (("LIVE", f"{home}/live"), 404),
        (("GET", "/nothing/there"), 404),
        (("GET", "/"), 421),
        (("-", "/"), 405),
    ):
        assert [one for one in calls if one[:3] == (*call, status)], (call, status, calls)
    assert len(calls) == 10, "and the version is asked for before the deed"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_no_line_holds_a_secret(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    server = start(access_log=str(log), proxies=("127.0.0.1",))
    page, *_ = server.begin(scene=toy_scene(), mode="links")
    token, match = page.token, page.match_id
    page.get("log")
    with page.live() as live:
        live.hear("now")
    for path in (
        f"/t/{match}?{token}",
        f"/t/{match}%23{token}",
        f"/t/{match}/{token}",
        f"/t/{token}",
        f"/api/matches/{token}",
        f"/api/matches/{match}/proposals/{token}",
        f"/{token.lower()}",
        f"/api/matches/{match}?token={token}",
        "/evil%0a127.0.0.1%20-%20-",
        "/a%22%20200%1b[2J",
    ):
        server.client.get(path)
    server.client.get("/healthz", headers={"x-forwarded-for": f'{token} "\x1b[2J'})
    server.stop()
    text = log.read_text()
    assert token.lower() not in text.lower()
    assert len(text.splitlines()) == 14
    assert not re.search(r"[^\n -~]", text)
    assert f'"GET /t/{match} HTTP/1.1" 200' in text
    assert f'"GET /api/matches/{match}/proposals/* HTTP/1.1"' in text
    assert "\n- - - [" in text, "what a proxy says need not be an address"


@pytest.mark.parametrize("part", ["A", "a_b", "0123456789abcde", "é", "..", "x" * 21, "a b", '"'])
def test_what_no_path_here_is_made_of_is_left_out(part: str) -> None:
    assert shown_path(f"/api/{part}/log") == "/api/*/log"
    assert shown_path(f"/{part}" * 1_000).count("*") == 11


def test_a_log_that_was_moved_away_is_begun_anew(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    server = start(access_log=str(log))
    server.client.get("/healthz")
    until = time.monotonic() + PATIENCE_S
    while not log.read_text() and time.monotonic() < until:
        time.sleep(0.01)
    log.rename(tmp_path / "access.log.1")
    server.client.get("/readyz")
    server.stop()
    assert [call[1] for call in _calls(log)] == ["/readyz"]
    assert [call[1] for call in _calls(tmp_path / "access.log.1")] == ["/healthz"]


def test_a_mistake_of_the_server_is_a_line_too(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "access.log"
    server = start(access_log=str(log))
    monkeypatch.setattr(server.hub, "ask_alone", None)
    answer = httpx.get(f"{server.url}/api/systems", **PLAIN)
    server.stop()
    assert answer.status_code == 500
    assert [call[1:3] for call in _calls(log)] == [("/api/systems", 500)]


def test_a_log_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TapelineError, match=r"access log .* cannot be written: Is a directory"):
        create_app(generous(access_log=str(tmp_path)))


def test_standard_error_takes_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    handler = lines_to("-")
    handler.handle(logging.LogRecord("", logging.INFO, "", 0, "a line with % in it", None, None))
    assert capsys.readouterr().err == "a line with % in it\n"


def test_without_the_setting_nothing_is_written(start: Start, tmp_path: Path) -> None:
    server = start()
    server.client.get("/healthz")
    server.stop()
    assert {one.name.partition(".")[0] for one in tmp_path.iterdir()} == {"table"}
