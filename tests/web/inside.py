"""A server inside the tests' own process, on a real port, and pages that talk to it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tapeline.web.app import create_app
from tapeline.web.hub.hub import Hub
from tapeline.web.server import Server, config_of
from tapeline.web.settings import Settings

__all__ = ["PATIENCE_S", "Inside", "Live", "Page", "generous"]

#: Seconds until something that should have come counts as missing.
PATIENCE_S = 20.0


def generous(database: str = "sqlite:///:memory:", **more: Any) -> Settings:
    """Settings under which no test meets a limit by chance."""
    plenty: dict[str, Any] = {
        "link_rate": 1e6,
        "link_burst": 10**6,
        "address_rate": 1e6,
        "address_burst": 10**6,
        # One is enough where nobody else waits.
        "long_judges": 1,
        "matches_an_hour": 10**6,
        "tries_rate": 1e6,
        "tries_burst": 10**6,
        "entries_a_minute": 10**6,
        "entry_bytes_a_minute": 10**9,
        "proposals_a_minute": 10**6,
        "reveal_seconds": PATIENCE_S,
    }
    return Settings(database=database, **{**plenty, **more})


#: No certificates to load, no proxies to heed: half of the time of a test otherwise.
PLAIN: dict[str, Any] = {"verify": False, "trust_env": False}


class Live:
    """A live connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message, separators=(",", ":")))

    def hear(self, kind: str | None = None, patience: float = PATIENCE_S) -> dict[str, Any]:
        """The next message, or the next of a kind."""
        until = time.monotonic() + patience
        while True:
            text = self.socket.recv(timeout=max(0.01, until - time.monotonic()))
            message: dict[str, Any] = json.loads(text)
            if kind is None or message["type"] == kind:
                return message

    def trial(self, seq: int, version: int, **what: Any) -> None:
        self.say(type="try", seq=seq, version=version, **what)


class Page:
    """Somebody with a link."""

    def __init__(self, server: Inside, match_id: str, link: dict[str, Any]) -> None:
        self.server = server
        self.match_id = match_id
        self.link = link
        self.token: str = link["token"]
        self.client = httpx.Client(
            headers={"authorization": f"Bearer {self.token}"},
            timeout=60,
            **PLAIN,
        )

    def at(self, path: str) -> str:
        home = f"{self.server.url}/api/matches/{self.match_id}"
        return f"{home}/{path}" if path else home

    def get(self, path: str = "", **query: Any) -> httpx.Response:
        return self.client.get(self.at(path), params=query)

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.client.post(self.at(path), json=body)

    @property
    def match(self) -> dict[str, Any]:
        answer = self.get()
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    @property
    def version(self) -> int:
        number: int = self.match["version"]
        return number

    def done(self, answer: httpx.Response) -> dict[str, Any]:
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def act(self, kind: str, version: int | None = None, **action: Any) -> dict[str, Any]:
        faces = action.pop("faces", [])
        version = self.version if version is None else version
        body = {"version": version, "action": {"kind": kind, **action}, "faces": faces}
        return self.done(self.post("actions", **body))

    def answer(self, **given: Any) -> dict[str, Any]:
        return self.done(self.post("answers", version=self.version, **given))

    def agree(self, done: dict[str, Any]) -> dict[str, Any]:
        """Agree to what has been proposed."""
        plan = f"proposals/{done['proposal']['id']}"
        return self.done(self.post(plan, version=self.version, accept=True))

    @contextmanager
    def live(self, version: int = 0) -> Iterator[Live]:
        address = self.server.url.replace("http", "ws", 1)
        with connect(f"{address}/api/matches/{self.match_id}/live", proxy=None) as socket:
            live = Live(socket)
            live.say(type="hello", token=self.token, version=version)
            yield live


class Inside:
    """The server."""

    def __init__(self, settings: Settings) -> None:
        self.app = create_app(settings)
        self.hub: Hub = self.app.state.hub
        config = config_of(self.app, port=0)
        self._server = Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        until = time.monotonic() + PATIENCE_S
        while not self._server.started:
            assert time.monotonic() < until, "the server does not start"
            assert self._thread.is_alive(), "the server has ended"
            time.sleep(0.005)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.client = httpx.Client(base_url=self.url, timeout=60, **PLAIN)
        self._pages: list[Page] = []

    def stop(self) -> None:
        """End it, as Ctrl-C does."""
        for page in self._pages:
            page.client.close()
        self.client.close()
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def page(self, match_id: str, link: dict[str, Any]) -> Page:
        """Somebody who opens a link."""
        self._pages.append(Page(self, match_id, link))
        return self._pages[-1]

    def begin(self, **new: Any) -> list[Page]:
        """A new match: a page for each of its links, the onlookers' last."""
        answer = self.client.post("/api/matches", json=new)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return [self.page(made["id"], link) for link in made["links"]]
