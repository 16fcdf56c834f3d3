"""The load on the browser table: many matches at once, everybody dragging.

    python -m bench.load --minutes 1

Starts `tapeline serve` as a process of its own, with its own database, and as many matches as
said: two players and two onlookers each, over all four systems. With several servers
(`--servers 2`) the people of each match are at different ones. Players drag all the time, 20 live
tries a second (`--turns`: only one of the two at a time), act and take back. Checked: every
confirmed event is in the log, and everybody was told of every event in order. Told: how long
verdicts took from the try they are on, how long who drags waited from one to the next, how many
tries newer ones overtook, memory over time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.processes import busy, descendants, memory

__all__ = ["main"]

#: Tries a second of one player.
RATE = 20.0
#: One try in so many asks for the nearest legal move too: the hand rests, about once a second.
RESTS = 20
#: Seconds between two deeds of a match, on average.
PAUSE_S = 3.0
#: Seconds after which what somebody has not heard counts as lost.
LATEST_S = 60.0
#: Seconds without measuring: caches fill, judges start.
SETTLING_S = 10.0

Board = dict[str, Any]
Values = dict[str, Any]


@dataclass(frozen=True)
class Script:
    """What is played in a match of an example.

    before: actions to begin with, and the dice typed for them. act: what is done, then taken back.
    drag: what is tried meanwhile.
    """

    example: str
    before: tuple[Values, list[list[int]]]
    act: Callable[[Board], Values]
    drag: Callable[[Board, random.Random], Values]


def _place(board: Board, body: str) -> tuple[float, float]:
    found = next(figure for figure in board["figures"] if figure["id"] == body)
    return found["x"], found["y"]


def _around(x: float, y: float, far: float, rng: random.Random) -> list[float]:
    angle, length = rng.uniform(0, 2 * math.pi), far * math.sqrt(rng.random())
    return [x + length * math.cos(angle), y + length * math.sin(angle)]


def _moved(body: str) -> Callable[[Board], Values]:
    def act(board: Board) -> Values:
        x, y = _place(board, body)
        return {"kind": "move", "actor": body, "path": [{"to": [x, y + 0.5]}]}

    return act


def _dragged(body: str, far: float) -> Callable[[Board, random.Random], Values]:
    """Drags of two legs, up to `far` away."""

    def drag(board: Board, rng: random.Random) -> Values:
        x, y = _place(board, body)
        end = _around(x, y, far, rng)
        mid = _around((x + end[0]) / 2, (y + end[1]) / 2, far / 8, rng)
        return {"kind": "move", "actor": body, "path": [{"to": mid}, {"to": end}]}

    return drag


def _block(unit: str, far: float) -> Callable[[Board, random.Random], Values]:
    def drag(board: Board, rng: random.Random) -> Values:
        group = next(group for group in board["groups"] if group["id"] == unit)
        places = [_place(board, member) for member in group["members"]]
        x = sum(place[0] for place in places) / len(places)
        y = sum(place[1] for place in places) / len(places)
        return {"kind": "block", "actor": unit, "to": _around(x, y, far, rng)}

    return drag


SCRIPTS = (
    Script(
        "trench-two-lines",
        ({"kind": "activate", "actor": "r-captain"}, []),
        _moved("r-captain"),
        _dragged("r-captain", 8.0),
    ),
    Script(
        "sovl-ford",
        ({"kind": "activate", "actor": "W1"}, []),
        lambda board: {"kind": "advance", "actor": "W1", "distance": 1},
        lambda board, rng: {"kind": "advance", "actor": "W1", "distance": rng.uniform(0, 10)},
    ),
    Script(
        "mordheim-market",
        ({"kind": "close_declarations"}, []),
        _moved("r-captain"),
        _dragged("r-captain", 6.0),
    ),
    Script(
        "warmaster-dale",
        ({"kind": "order", "actor": "rossi", "units": ["miragl"]}, [[1, 1]]),
        lambda board: {"kind": "about_face", "actor": "miragl"},
        _block("miragl", 22.0),
    ),
)


class Wrong(Exception):
    """The server has lost or reordered something, or refused what it should not."""


@dataclass
class Figures:
    """What is measured. Times in seconds."""

    begun: float = math.inf
    verdicts: dict[str, list[float]] = field(default_factory=dict)
    gaps: list[float] = field(default_factory=list)
    deeds: list[float] = field(default_factory=list)
    sent: int = 0
    answered: int = 0
    memory: list[tuple[float, int, int]] = field(default_factory=list)
    busy: tuple[float, float, float] = (0.0, 0.0, 0.0)
    #: Bytes of live messages sent and heard.
    bytes: tuple[int, int] = (0, 0)
    #: Of each kind of answer how many there were, and seconds of a processor for all of them.
    kinds: dict[str, tuple[int, float]] = field(default_factory=dict)

    @property
    def counting(self) -> bool:
        """Whether the settling is over."""
        return time.monotonic() >= self.begun

    def passed(self, sent: int, heard: int) -> None:
        """Count bytes of live messages."""
        if self.counting:
            self.bytes = self.bytes[0] + sent, self.bytes[1] + heard


class Seat:
    """Somebody connected: hears everything, and drags if a player."""

    def __init__(self, match: Played, link: Values, address: str, figures: Figures) -> None:
        self.match = match
        self.link = link
        self.address = address
        self.figures = figures
        self.told: list[int] = []
        self.version = 0
        self.board: Board | None = None
        self.dragging = asyncio.Event()
        self._sent: dict[int, float] = {}
        self._heard: float | None = None

    async def attend(self) -> None:
        """Connect, hear, drag, until cancelled."""
        url = f"{self.address.replace('http', 'ws', 1)}api/matches/{self.match.id}/live"
        async with connect(url, proxy=None, compression=None, max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "token": self.link["token"]}))
            hearing = [asyncio.create_task(self._hear(socket))]
            if self.link["role"] == "side":
                hearing.append(asyncio.create_task(self._drag(socket)))
            try:
                await asyncio.gather(*hearing)
            finally:
                for task in hearing:
                    task.cancel()

    async def _hear(self, socket: ClientConnection) -> None:
        async for text in socket:
            now = time.monotonic()
            message = json.loads(text)
            self.figures.passed(0, len(text))
            if message["type"] == "now":
                self._take(message["match"])
            elif message["type"] == "tried":
                self._count(message, now)
            elif message["type"] == "refused":
                raise Wrong(message["why"])

    def _take(self, match: Values) -> None:
        if match["version"] < self.version:
            raise Wrong(f"{self.match.id}: version {match['version']} after {self.version}")
        self.version, self.board = match["version"], match["board"]
        self.told += [line["n"] for line in match["log"]]
        if self.told != [*range(1, self.version + 1)]:
            raise Wrong(f"{self.match.id}: told of entries {self.told[-5:]} at {self.version}")

    def _count(self, message: Values, now: float) -> None:
        sent = self._sent.pop(message["seq"])
        self._sent = {seq: at for seq, at in self._sent.items() if seq > message["seq"]}
        if message["fault"]:
            raise Wrong(message["fault"])
        if self.figures.counting and not message["stale"]:
            self.figures.answered += 1
            if self._heard is not None:
                self.figures.gaps.append(now - self._heard)
            self._heard = now
            self.figures.verdicts.setdefault(self.match.script.example, []).append(now - sent)

    async def _drag(self, socket: ClientConnection) -> None:
        rng = random.Random(self.link["token"])
        seq = 0
        due = time.monotonic() + rng.random() / RATE
        while True:
            if not self.dragging.is_set():
                self._heard = None
                await self.dragging.wait()
            due = max(due + 1.0 / RATE, time.monotonic())
            await asyncio.sleep(due - time.monotonic())
            if self.board is None or self.version < 1:
                continue
            seq += 1
            trial = {
                "type": "try",
                "seq": seq,
                "version": self.version,
                "action": self.match.script.drag(self.board, rng),
                "nearest": seq % RESTS == 0,
            }
            self._sent[seq] = time.monotonic()
            self.figures.sent += self.figures.counting
            text = json.dumps(trial, separators=(",", ":"))
            self.figures.passed(len(text), 0)
            await socket.send(text)


class Played:
    """A match with its four people, at several servers if there are."""

    def __init__(
        self,
        script: Script,
        made: Values,
        addresses: Sequence[str],
        figures: Figures,
        turns: bool,
    ) -> None:
        self.script = script
        self.id: str = made["id"]
        self.figures = figures
        self.turns = turns
        links = made["links"]
        self.seats = [
            Seat(self, link, address, figures)
            for link, address in zip((*links, links[-1]), cycle(addresses), strict=False)
        ]
        self.confirmed = 0
        self.stopping = False
        self.waiting = False

    @property
    def behind(self) -> bool:
        """Whether somebody has yet to hear of something."""
        return any(seat.version < self.confirmed for seat in self.seats)

    async def play(self, client: httpx.AsyncClient) -> None:
        """Act and take back until cancelled."""
        rng = random.Random(self.id)
        first, second = self.seats[0], self.seats[1]
        mine: Seat | None = None
        for seat in (first, second):
            action, faces = self.script.before
            body = {"version": 0, "action": action, "faces": faces}
            if await self._post(client, seat, "actions", body, may_refuse=seat is first):
                mine = seat
                break
        if mine is None:
            raise Wrong(f"{self.script.example}: nobody can begin")
        drags = [first, second]
        taken_back = True
        while True:
            if self.stopping:
                pass
            elif self.turns:
                drags[0].dragging.set()
                drags[1].dragging.clear()
                drags.reverse()
            else:
                first.dragging.set()
                second.dragging.set()
            await asyncio.sleep(rng.uniform(0.5, 1.5) * PAUSE_S)
            board = mine.board
            if board is None or mine.version != self.confirmed or self.stopping:
                continue
            if taken_back:
                what, body = "actions", {"action": self.script.act(board)}
            else:
                what, body = "undo", {}
            await self._post(client, mine, what, {"version": self.confirmed, **body})
            taken_back = not taken_back

    async def _post(
        self,
        client: httpx.AsyncClient,
        seat: Seat,
        what: str,
        body: Values,
        may_refuse: bool = False,
    ) -> bool:
        headers = {"authorization": f"Bearer {seat.link['token']}"}
        begun = time.monotonic()
        self.waiting = True
        home = f"{seat.address}api/matches/{self.id}"
        answer = await client.post(f"{home}/{what}", json=body, headers=headers)
        self.waiting = False
        if answer.status_code == 403 and may_refuse:
            return False
        if answer.status_code == 200 and answer.json()["proposal"]:
            # Dice typed in: the other side accepts them.
            other = next(one for one in self.seats if one is not seat)
            reply = {"version": body["version"], "accept": True}
            return await self._post(
                client, other, f"proposals/{answer.json()['proposal']['id']}", reply
            )
        if answer.status_code != 200 or not answer.json()["written"]:
            raise Wrong(f"{self.script.example}, {what}: {answer.status_code} {answer.text[:400]}")
        if self.figures.counting:
            self.figures.deeds.append(time.monotonic() - begun)
        version = answer.json()["match"]["version"]
        if version <= self.confirmed:
            raise Wrong(f"{self.id}: version {version} after {self.confirmed}")
        self.confirmed = version
        return True

    async def check(self, client: httpx.AsyncClient) -> int:
        """Whether the log holds what was confirmed, and all were told. Gives its length."""
        headers = {"authorization": f"Bearer {self.seats[-1].link['token']}"}
        text = (await client.get(f"api/matches/{self.id}/log", headers=headers)).text
        entries = [json.loads(line) for line in text.splitlines()[1:]]
        if [entry["n"] for entry in entries] != [*range(1, len(entries) + 1)]:
            raise Wrong(f"{self.id}: entries are missing")
        if self.confirmed != len(entries):
            raise Wrong(f"{self.id}: {self.confirmed} confirmed, {len(entries)} in the log")
        for seat in self.seats:
            if seat.version < self.confirmed:
                raise Wrong(f"{self.id}: {seat.link['role']} was told {seat.version} events only")
        return len(entries)


async def _watch(pids: Sequence[int], figures: Figures, begun: float) -> None:
    while True:
        judges = sum(memory(child) for pid in pids for child in descendants(pid))
        figures.memory.append((time.monotonic() - begun, sum(map(memory, pids)), judges))
        await asyncio.sleep(5.0)


def _all_busy(pids: Sequence[int]) -> tuple[float, float, float]:
    """Seconds of processor of the servers, of their judges, and of this script."""
    judges = sum(busy(child) for pid in pids for child in descendants(pid))
    return sum(map(busy, pids)), judges, time.process_time()


async def _until(when: float, tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Wait; if one of the tasks fails, fail."""
    left = max(0.0, when - time.monotonic())
    done, _ = await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_EXCEPTION)
    for task in done:
        task.result()


async def _load(
    addresses: Sequence[str], pids: Sequence[int], words: argparse.Namespace
) -> tuple[Figures, int]:
    figures = Figures()
    limits = httpx.Limits(max_connections=64, keepalive_expiry=10.0)
    async with httpx.AsyncClient(
        base_url=addresses[0], timeout=60, limits=limits, trust_env=False
    ) as client:
        matches = []
        for n in range(words.matches):
            script = SCRIPTS[n % len(SCRIPTS)]
            new = {"example": script.example, "mode": "links", "dice": "typed"}
            made = (await client.post("api/matches", json=new)).json()
            matches.append(Played(script, made, addresses, figures, words.turns))
        begun = time.monotonic()
        figures.begun = begun + SETTLING_S
        tasks = [asyncio.create_task(_watch(pids, figures, begun))]
        try:
            for match in matches:
                tasks += [asyncio.create_task(seat.attend()) for seat in match.seats]
                tasks.append(asyncio.create_task(match.play(client)))
                await asyncio.sleep(0.02)
            await _until(figures.begun, tasks)
            before = _all_busy(pids)
            await _until(figures.begun + 60.0 * words.minutes, tasks)
            after = _all_busy(pids)
            figures.busy = (after[0] - before[0], after[1] - before[1], after[2] - before[2])
            # The players stop; what is under way is heard out before the ends are compared.
            for match in matches:
                match.stopping = True
                for seat in match.seats:
                    seat.dragging.clear()
            await _until(time.monotonic() + 1.5 * PAUSE_S, tasks)
            while any(match.waiting or match.behind for match in matches):
                await _until(time.monotonic() + 0.5, tasks)
                if time.monotonic() > begun + SETTLING_S + 60.0 * words.minutes + LATEST_S:
                    break
            entries = sum([await match.check(client) for match in matches])
            for address in addresses:
                _read_kinds((await client.get(f"{address}metrics")).text, figures.kinds)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return figures, entries


def _read_kinds(told: str, kinds: dict[str, tuple[int, float]]) -> None:
    """Add what a server says in its metrics of answers of each kind."""
    figure = re.compile(
        r'^tapeline_(answers|work_seconds)_total\{kind="(.*)"\} (.*)$', re.MULTILINE
    )
    for what, kind, value in figure.findall(told):
        count, seconds = kinds.get(kind, (0, 0.0))
        if what == "answers":
            kinds[kind] = count + int(float(value)), seconds
        else:
            kinds[kind] = count, seconds + float(value)


def _spread(times: Sequence[float]) -> str:
    """Median, 95th and 99th of a hundred, and the longest, in milliseconds."""
    if not times:
        return "none"
    order = sorted(times)
    at = [order[min(len(order) - 1, int(len(order) * part))] for part in (0.5, 0.95, 0.99)]
    words = zip(("median", "p95", "p99", "longest"), (*at, order[-1]), strict=True)
    return ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in words)


def _tell(figures: Figures, entries: int, words: argparse.Namespace) -> None:
    seconds = 60.0 * words.minutes
    everything = [value for times in figures.verdicts.values() for value in times]
    who = "one player of each" if words.turns else "both players of each"
    print(
        f"{words.matches} matches, {4 * words.matches} people at {words.servers} servers, ", end=""
    )
    print(f"{who} dragging, {seconds:.0f} s")
    print(f"tries: {figures.sent / seconds:.0f} a second sent, ", end="")
    print(f"{figures.answered / seconds:.0f} answered, the others overtaken")
    print(f"verdicts: {_spread(everything)}")
    for example, times in sorted(figures.verdicts.items()):
        print(f"  {example}: {len(times)}, {_spread(times)}")
    print(f"from one verdict to the next of who drags: {_spread(figures.gaps)}")
    print(f"deeds: {len(figures.deeds)} confirmed, {_spread(figures.deeds)}")
    print(f"events: {entries} in the logs; none lost, none out of order")
    shares = [100 * busy / seconds for busy in figures.busy]
    print("processor: server {:.0f} %, judges {:.0f} %, this script {:.0f} %".format(*shares))
    for kind, (count, spent) in sorted(figures.kinds.items()):
        print(
            f"  {kind}: {count} answers, {1000 * spent / max(1, count):.2f} ms of a processor each"
        )
    sent, heard = (part / seconds / words.matches for part in figures.bytes)
    print(f"live messages of a match: {sent:.0f} bytes a second sent, {heard:.0f} heard")
    step = max(1, len(figures.memory) // 6)
    for at, server, judges in figures.memory[::step]:
        print(f"memory after {at:.0f} s: server {server / 2**20:.0f} MB, ", end="")
        print(f"judges {judges / 2**20:.0f} MB")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the load and print its figures. Gives 1 if an event was lost or reordered."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument(
        "--turns", action="store_true", help="one player of a match drags at a time"
    )
    parser.add_argument("--judges", help="as of tapeline serve")
    parser.add_argument("--compile", action="store_true", help="let the server compile kernels")
    parser.add_argument("--database", metavar="URL", help="an empty one, instead of SQLite")
    parser.add_argument("--servers", type=int, default=1, help="as many on the same database")
    words = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        database = words.database or f"sqlite:///{folder}/load.db"
        command = [sys.executable, "-c", "from tapeline.cli import main; main()", "serve"]
        command += ["--port", "0", "--json", "--database", database]
        command += [] if words.compile else ["--no-compile"]
        command += ["--judges", words.judges] if words.judges else []
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        servers = [
            subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
            for _ in range(words.servers)
        ]
        try:
            told = [json.loads(server.stdout.readline()) for server in servers if server.stdout]
            addresses = [one["address"] for one in told]
            pids = [server.pid for server in servers]
            figures, entries = asyncio.run(_load(addresses, pids, words))
        except (Wrong, httpx.HTTPError, ConnectionClosed, OSError) as error:
            print(f"WRONG: {type(error).__name__}: {error}")
            return 1
        finally:
            for server in servers:
                server.terminate()
                server.wait()
    _tell(figures, entries, words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
