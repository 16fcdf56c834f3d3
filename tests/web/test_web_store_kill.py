"""Killed while it writes: every event that was confirmed is there after the restart."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tapeline.play.match import rereferee
from web.process import Process

pytestmark = pytest.mark.waits


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Callable[[], Process]]:
    begun: list[Process] = []

    def begin() -> Process:
        begun.append(Process(f"sqlite:///{tmp_path / 'table.db'}"))
        return begun[-1]

    yield begin
    for process in begun:
        if process.child.poll() is None:
            process.kill()
        process.forget()


class Writer(threading.Thread):
    """Does and undoes the same action for ever, and keeps what it was told was done."""

    def __init__(self, client: httpx.Client, made: dict[str, Any], version: int) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.home = f"/api/matches/{made['id']}"
        self.headers = {"authorization": f"Bearer {made['links'][0]['token']}"}
        self.version = version
        self.confirmed: dict[int, str] = {}
        self.some = threading.Event()

    def run(self) -> None:
        act = {"action": {"kind": "activate", "actor": "r-captain"}}
        try:
            while True:
                what, body = ("undo", {}) if self.version % 2 else ("actions", act)
                answer = self.client.post(
                    f"{self.home}/{what}",
                    json={"version": self.version, **body},
                    headers=self.headers,
                )
                if answer.status_code == 429:
                    time.sleep(0.05)
                    continue
                done = answer.json()
                assert done["written"], done
                self.version += 1
                line = done["match"]["log"][-1]
                assert line["n"] == self.version
                self.confirmed[self.version] = line["what"]
                self.some.set()
        except httpx.HTTPError:
            return


def test_no_confirmed_event_is_lost_when_the_server_is_killed(
    processes: Callable[[], Process], budget: Callable[[int, int], int]
) -> None:
    rng = random.Random(6)
    server = processes()
    new = {"example": "trench-two-lines"}
    made = [server.client.post("/api/matches", json=new).json() for _ in range(2)]
    confirmed: list[dict[int, str]] = [{}, {}]
    for _ in range(budget(1, 200)):
        writers = []
        for one, known in zip(made, confirmed, strict=True):
            headers = {"authorization": f"Bearer {one['links'][0]['token']}"}
            match = server.client.get(f"/api/matches/{one['id']}", headers=headers).json()
            last = max(known, default=0)
            assert last <= match["version"] <= last + 1, "at most the one not yet confirmed is more"
            assert [line["n"] for line in match["log"]] == [*range(1, match["version"] + 1)]
            for n, what in known.items():
                assert match["log"][n - 1]["what"] == what
            # What a page has been told is confirmed too.
            known.update({line["n"]: line["what"] for line in match["log"]})
            writers.append(Writer(server.client, one, match["version"]))
        for writer in writers:
            writer.start()
        assert all(writer.some.wait(30) for writer in writers)
        writers[0].join(rng.uniform(0.0, 0.5))
        server.kill()
        for writer, known in zip(writers, confirmed, strict=True):
            writer.join(30)
            assert not writer.is_alive()
            known.update(writer.confirmed)
        server.forget()
        server = processes()
    assert all(known for known in confirmed)
    for one in made:
        headers = {"authorization": f"Bearer {one['links'][0]['token']}"}
        log = server.client.get(f"/api/matches/{one['id']}/log", headers=headers).text
        _, differs = rereferee(log.splitlines())
        assert differs is None
