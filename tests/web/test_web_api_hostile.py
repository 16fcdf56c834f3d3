"""What comes from people who mean harm, or from programs gone wrong: refused in plain words."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from typing import Any

import pytest

from support.scenes import toy_scene
from tapeline.web.api.guard import HEADERS
from web.inside import Inside, Page

#: Bodies that are no document of any call.
NONSENSE: dict[str, bytes] = {
    "nothing": b"",
    "no json": b"{",
    "no object": b"[1, 2]",
    "null": b"null",
    "nan": b'{"version": NaN, "action": {"kind": "done"}}',
    "infinity": b'{"version": 0, "action": {"kind": "move", "path": [{"to": [Infinity, 0]}]}}',
    "too large a number": b'{"version": 0, "action": {"kind": "move", "x": 1e999}}',
    "a very long number": b'{"version": ' + b"9" * 5000 + b"}",
    "deep": b'{"version": 0, "action": ' + b'{"a":' * 9000 + b"1" + b"}" * 9001,
    "deep list": b"[" * 50000,
    "a key twice": b'{"version": 0, "version": 1, "action": {"kind": "done"}}',
    "no utf-8": b'{"version": 0, "action": {"kind": "\xff"}}',
    "a lone surrogate": b'{"version": 0, "action": {"kind": "\\ud800"}}',
    "wrong types": b'{"version": "0", "action": "done"}',
    "true for a number": b'{"version": true, "action": {"kind": "done"}}',
    "negative": b'{"version": -1, "action": {"kind": "done"}}',
    "unknown key": b'{"version": 0, "action": {"kind": "done"}, "sudo": true}',
    "no kind": b'{"version": 0, "action": {}}',
    "kind of a wrong type": b'{"version": 0, "action": {"kind": {"kind": 1}}}',
    "many keys": b'{"version": 0, "action": {"kind": "done",'
    + b",".join(b'"k%d": 0' % n for n in range(5000))
    + b"}}",
}


@pytest.fixture(scope="module")
def both(inside: Inside) -> Page:
    """A match in which nothing must happen."""
    return inside.begin(scene=toy_scene())[0]


@pytest.mark.parametrize("name", NONSENSE)
@pytest.mark.parametrize("path", ["actions", "answers", "undo", "overrides", "judge", "copy"])
def test_nonsense_is_refused_and_nothing_is_done(both: Page, name: str, path: str) -> None:
    answer = both.client.post(
        both.at(path), content=NONSENSE[name], headers={"content-type": "application/json"}
    )
    assert answer.status_code in (400, 422), (answer.status_code, answer.text[:300])
    assert len(answer.content) < 20_000
    for fault in answer.json()["detail"]:
        assert set(fault) == {"path", "message"}
    assert both.version == 0


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_begins_no_match_and_is_no_scene(inside: Inside, name: str) -> None:
    headers = {"content-type": "application/json"}
    for path in ("/api/matches", "/api/scenes/check"):
        answer = inside.client.post(path, content=NONSENSE[name], headers=headers)
        fine = path.endswith("check") and answer.status_code == 200
        assert fine or answer.status_code in (400, 422), (path, answer.status_code, answer.text)
        if fine:
            assert answer.json()["faults"]


@pytest.mark.parametrize(
    "action",
    [
        {"kind": "move", "actor": "R1", "path": [{"to": [1e308, -1e308]}]},
        {"kind": "move", "actor": "R1", "path": [{"to": ["5", "6"]}]},
        {"kind": "move", "actor": "R1", "path": [{"to": [5, 6]}] * 9000},
        {"kind": "move", "actor": ["R1"], "path": []},
        {"kind": "move", "actor": "R1" * 10_000, "path": []},
        {"kind": "move", "actor": None, "path": None},
        {"kind": "move", "actor": "__class__", "path": [{"__proto__": 1}]},
        {"kind": "shove", "actor": "R1", "target": "R1"},
        {"kind": "glide", "actor": "U1"},
    ],
)
def test_odd_actions_are_faults_or_illegal(inside: Inside, action: dict[str, Any]) -> None:
    both, _ = inside.begin(scene=toy_scene())
    for path, body in (
        ("actions", {"version": 0, "action": action}),
        ("judge", {"action": action}),
        ("odds", {"action": action}),
    ):
        answer = both.post(path, **body)
        assert answer.status_code in (200, 413, 422), (path, answer.text[:300])
    assert both.version == 0


def test_bodies_have_a_size(start: Callable[..., Inside]) -> None:
    server = start(body_bytes=2000, scene_bytes=20_000)
    both, _ = server.begin(scene=toy_scene())
    long = "x" * 3000
    answer = both.post("actions", version=0, action={"kind": long})
    assert answer.status_code == 413
    assert "2000 bytes" in answer.json()["detail"]

    def pieces() -> Any:
        yield b'{"version": 0, "action": {"kind": "'
        for _ in range(100):
            yield b"x" * 100
        yield b'"}}'

    headers = {"content-type": "application/json"}
    chunked = both.client.post(both.at("actions"), content=pieces(), headers=headers)
    assert chunked.status_code == 413, "also when no length is said"
    scene = {**toy_scene(), "name": "y" * 3000}
    assert server.client.post("/api/scenes/check", json=scene).status_code == 200
    for path in ("/api/matches", "/api/scenes/check"):
        huge = server.client.post(path, json={"scene": "z" * 30_000})
        assert huge.status_code == 413


def test_a_lying_length_is_no_way_round(start: Callable[..., Inside]) -> None:
    server = start(body_bytes=2000)
    both, _ = server.begin(scene=toy_scene())
    host, port = server.url.removeprefix("http://").split(":")
    for length in ("99999999999999999999999", "-5", "12abc"):
        with socket.create_connection((host, int(port)), timeout=10) as raw:
            raw.sendall(
                f"POST /api/matches/{both.match_id}/actions HTTP/1.1\r\nHost: x\r\n"
                f"Authorization: Bearer {both.token}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {length}\r\n\r\n".encode()
            )
            answer = raw.recv(4000)
        assert answer.split(b" ")[1] in (b"400", b"413"), answer


def test_calls_have_a_rate_by_link_and_by_address(start: Callable[..., Inside]) -> None:
    server = start(link_rate=0.01, link_burst=5)
    both, watch = server.begin(scene=toy_scene())
    codes = [both.get().status_code for _ in range(7)]
    assert codes == [200] * 5 + [429] * 2
    slow = both.get()
    assert 50 <= int(slow.headers["retry-after"]) <= 100
    assert watch.get().status_code == 200, "each link has its own"
    crowded = start(address_rate=0.01, address_burst=5)
    codes = [crowded.client.get("/api/systems").status_code for _ in range(7)]
    assert codes == [200] * 5 + [429] * 2
    assert crowded.client.get("/healthz").status_code == 200


def test_matches_have_a_number_an_hour(start: Callable[..., Inside]) -> None:
    server = start(matches_an_hour=2)
    both, _ = server.begin(scene=toy_scene())
    assert both.post("copy", at=0).status_code == 201
    refused = server.client.post("/api/matches", json={"scene": toy_scene()})
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 3000
    assert both.post("copy", at=0).status_code == 429


def test_a_match_has_a_last_entry(start: Callable[..., Inside]) -> None:
    server = start(entries=2)
    both, _ = server.begin(scene=toy_scene())
    both.act("done")
    both.act("done")
    assert both.post("actions", version=2, action={"kind": "done"}).status_code == 403
    assert both.version == 2
    log = both.get("log").text
    assert server.client.post("/api/matches", json={"log": log}).status_code == 201
    other = start(entries=1)
    assert other.client.post("/api/matches", json={"log": log}).status_code == 422


def test_every_answer_has_the_headers(inside: Inside) -> None:
    both, _ = inside.begin(scene=toy_scene())
    for path in (
        "/",
        "/edit",
        f"/t/{both.match_id}",
        "/static/lib/dom.js",
        "/static/nothing",
        "/static/../app.py",
        "/api/systems",
        "/api/nothing",
        "/healthz",
        f"/api/matches/{both.match_id}",
        "/api/openapi.json",
    ):
        answer = inside.client.get(path)
        assert answer.status_code < 500
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (path, name)
        wanted = "no-store" if path.startswith("/api") else "no-cache"
        assert answer.headers["cache-control"] == wanted
        assert "server" not in answer.headers or "uvicorn" in answer.headers["server"]
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy


def test_pages_of_other_sites_get_nothing(inside: Inside) -> None:
    asked = inside.client.options(
        "/api/matches",
        headers={"origin": "https://evil.example", "access-control-request-method": "POST"},
    )
    assert "access-control-allow-origin" not in asked.headers
    form = inside.client.post(
        "/api/matches",
        content=json.dumps({"scene": toy_scene()}),
        headers={"content-type": "text/plain", "origin": "https://evil.example"},
    )
    assert form.status_code == 422, "what a form of another site can send begins no match"


def test_files_outside_the_pages_are_not_served(inside: Inside) -> None:
    for path in ("/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"):
        assert inside.client.get(path).status_code == 404


def test_files_under_the_stamp_of_their_content_are_kept(inside: Inside) -> None:
    (stamp,) = set(re.findall(r'"/static/([0-9a-f]{12})/', inside.client.get("/").text))
    kept = inside.client.get(f"/static/{stamp}/lib/dom.js")
    plain = inside.client.get("/static/lib/dom.js")
    assert kept.content == plain.content
    assert "immutable" in kept.headers["cache-control"]
    earlier = inside.client.get("/static/0123456789ab/lib/dom.js")
    assert earlier.content == plain.content, "a page of an earlier version goes on working"
    assert earlier.headers["cache-control"] == "no-cache"
    for path in ("lib/nothing.js", "%2e%2e/app.py", "/etc/passwd"):
        assert inside.client.get(f"/static/{stamp}/{path}").status_code == 404


@pytest.mark.parametrize("path", ["/api/matches", "/api/systems", "/healthz", "/"])
def test_wrong_methods_are_told_so(inside: Inside, path: str) -> None:
    answer = inside.client.delete(path)
    assert answer.status_code == 405
    assert "detail" in answer.json()


def test_what_holds_a_secret_is_never_packed(inside: Inside) -> None:
    """Lengths of packed answers tell of the secrets in them."""
    page, *_ = inside.begin(example="trench-two-lines")
    assert len(page.get().content) > 600
    assert "content-encoding" not in page.get().headers
    same_for_all = page.client.get(f"{inside.url}/api/systems")
    assert same_for_all.headers["content-encoding"] == "gzip"
    file = page.client.get(f"{inside.url}/static/board/board.js")
    assert file.headers["content-encoding"] == "gzip"
    assert file.headers["vary"].lower() == "accept-encoding"
