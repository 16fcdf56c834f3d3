"""Figures for Prometheus: in its text format to the letter, and true of what happened."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from support.scenes import toy_scene
from tapeline.web.api.watch import sample
from tapeline.web.store.connection import StoreError
from web.inside import PLAIN, Inside

Start = Callable[..., Inside]

#: What https://prometheus.io/docs/instrumenting/exposition_formats/ allows in a line.
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
VALUE = r"-?[0-9.]+(?:e[+-]?[0-9]+)?|\+Inf"
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? ({VALUE})")
SUFFIX = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("",), "gauge": ("",)}

#: Each figure that whoever runs a server is promised, and its kind.
PROMISED = {
    "requests_total": "counter",
    "refusals_total": "counter",
    "answers_total": "counter",
    "work_seconds_total": "counter",
    "ended_total": "counter",
    "wait_seconds": "histogram",
    "queue": "gauge",
    "workers": "gauge",
    "workers_begun_total": "counter",
    "state_bytes": "gauge",
    "worker_resident_bytes": "gauge",
    "matches": "gauge",
    "live": "gauge",
    "entries_total": "counter",
    "forgotten_total": "counter",
    "database_errors_total": "counter",
    "resident_bytes": "gauge",
}


def read(text: str) -> tuple[dict[str, str], dict[str, float]]:
    """The kinds of the families, and the samples by name with labels; a fault fails the test."""
    assert text.endswith("\n")
    kinds: dict[str, str] = {}
    found: dict[str, float] = {}
    family = told = ""
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            _, _, told, says = line.split(" ", 3)
            assert told not in kinds, "a family stands together"
            assert says
        elif line.startswith("# TYPE "):
            _, _, family, kind = line.split(" ")
            assert family == told, "help and type stand before the samples"
            kinds[family] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, line
            assert match[1] in {family + end for end in SUFFIX[kinds[family]]}, line
            key = line.rpartition(" ")[0].removeprefix("tapeline_")
            assert key not in found, "no sample twice"
            found[key] = float(match[3])
    return {name.removeprefix("tapeline_"): kind for name, kind in kinds.items()}, found


def figures(server: Inside) -> dict[str, float]:
    answer = server.client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return read(answer.text)[1]


def test_the_format_and_every_figure(start: Start) -> None:
    server = start()
    empty, _ = read(server.client.get("/metrics").text)
    assert empty == PROMISED, "also before anything has happened"
    both, _ = server.begin(scene=toy_scene())
    both.act("done")
    both.post("judge", action={"kind": "move", "actor": "R1", "path": []})
    kinds, now = read(server.client.get("/metrics").text)
    assert kinds == PROMISED
    assert now['requests_total{status="201"}'] == 1
    assert now["entries_total"] == 1
    assert now["matches"] == 1
    assert now['workers{workers="quick"}'] == 1
    assert now['worker_resident_bytes{workers="quick"}'] > 1e6
    assert now["resident_bytes"] > 1e6
    assert now['queue{workers="long"}'] == 0
    for kind in ("act", "begin"):
        buckets = [n for key, n in now.items() if f'bucket{{kind="{kind}"' in key]
        assert buckets == sorted(buckets), "cumulative"
        assert buckets[-1] == now[f'wait_seconds_count{{kind="{kind}"}}'] == 1
        assert 0 < now[f'wait_seconds_sum{{kind="{kind}"}}'] < 60


def test_labels_and_figures_in_full() -> None:
    assert sample("x", {"a": 'b"c\\d\ne'}, 1) == 'tapeline_x{a="b\\"c\\\\d\\ne"} 1\n'
    assert sample("x", {}, 1_234_567_891) == "tapeline_x 1234567891\n", "a rate is seen in it"
    assert sample("x", {}, 0.1 + 0.2) == "tapeline_x 0.30000000000000004\n"


def test_what_was_refused_is_told_with_its_status(start: Start) -> None:
    server = start(body_bytes=2_000, link_rate=0.01, link_burst=4, sockets_an_address=3)
    red, *_ = server.begin(scene=toy_scene(), mode="links")
    red.post("actions", version=0, action={"kind": "x" * 3_000})
    red.post("actions", version=7, action={"kind": "done"})
    red.post("actions", version=0, action={"kind": "none such"})
    for _ in range(3):
        red.get()
    server.client.get("/", headers={"host": "evil.example"})
    stranger = server.page(red.match_id, {"token": "wrong"})
    stranger.get()
    with stranger.live() as live, pytest.raises(ConnectionClosed):
        live.hear("now")
    host, port = server.url.removeprefix("http://").split(":")
    for _ in range(4):
        with socket.create_connection((host, int(port)), timeout=10) as one:
            with socket.create_connection((host, int(port)), timeout=10) as other:
                other.recv(1)
            one.close()
    now = figures(server)
    wanted = {("call", 413): 1, ("call", 409): 1, ("call", 422): 1, ("call", 421): 1}
    wanted |= {("call", 429): 1, ("call", 404): 1, ("live", 404): 1}
    for (at, status), times in wanted.items():
        key = f'refusals_total{{at="{at}",status="{status}"}}'
        assert now.get(key) == times, (key, now)
    assert now['refusals_total{at="socket",status="429"}'] == 4
    assert sum(n for key, n in now.items() if 'at="call"' in key) == sum(
        n for key, n in now.items() if re.match(r'requests_total\{status="[45]', key)
    )


def test_troubles_are_counted(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start()

    def fails(*_: Any) -> None:
        raise StoreError("no")

    with monkeypatch.context() as patch:
        patch.setattr(server.hub.store, "length", fails)
        assert server.client.get("/readyz").status_code == 503
    with monkeypatch.context() as patch:
        patch.setattr(server.hub, "ask_alone", None)
        # The connection ends with it.
        assert httpx.get(f"{server.url}/api/systems", **PLAIN).status_code == 500
    now = figures(server)
    assert now["database_errors_total"] == 1
    assert now['requests_total{status="500"}'] == 1
    assert now['refusals_total{at="call",status="500"}'] == 1
