"""Hostile work beside an honest match: does the drag stay quick, and the server up?

    python -m bench.hostile --minutes 2

Starts `tapeline serve` as a process of its own. One honest match is played from 127.0.0.1: a player
drags (a try every 50 ms, a reach about each second), acts and takes back. Meanwhile, from other
addresses of the loopback and from another process, everything that once held a server up: floors of
hundreds of corners to be checked, paths of many legs, pictures of large scenes, logs of thousands
of undos, odds, heads and bodies that never end, sockets by the hundred, new matches without end,
proposals, binary frames.

Told: times of the honest player, memory of the server with all its processes (what they share is
counted once), what the server says in its metrics. Ends with 1 where p95 of the drag is above
100 ms, the longest above 500 ms, memory above 1 GB, an entry is lost, or the server is gone.
`--slack` widens the times on a machine that does other things.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.processes import descendants, memory

__all__ = ["main"]

Values = dict[str, Any]

EXAMPLES = Path(__file__).parents[1] / "examples"
#: Seconds until caches are filled and workers begun, after which it counts.
SETTLING_S = 2.0
#: Seconds after which an answer that has not come counts as lost.
PATIENCE_S = 30.0
#: Where the honest match is played, and how.
EXAMPLE, CAPTAIN = "trench-two-lines", "r-captain"


def _scene(name: str) -> Values:
    found: Values = json.loads((EXAMPLES / f"{name}.json").read_text())
    return found


# What hostile callers send


def star(corners: int, x: float, y: float, far: float) -> list[list[float]]:
    """The corners of a star, every second one further in."""
    angles = [2 * math.pi * n / corners for n in range(corners)]
    return [
        [x + r * math.cos(a), y + r * math.sin(a)]
        for a, r in ((a, far if n % 2 else 0.7 * far) for n, a in enumerate(angles))
    ]


def two_floors(corners: int = 450) -> Values:
    """Two floors of many corners one above the other: every pair of edges is compared."""
    terrain = [
        {"id": f"f{n}", "z": 3.0 + 3 * n, "floor": {"polygon": star(corners, 12 + n, 12, 9)}}
        for n in range(2)
    ]
    return {**_scene("mordheim-market"), "terrain": terrain, "models": []}


def square_floors(many: int) -> Values:
    """Square floors beside and above each other."""
    terrain = [
        {
            "id": f"f{n}",
            "z": 3.0 + n % 7,
            "floor": {
                "rectangle": {"centre": [n % 20 + 1, n // 20 % 20 + 1], "width": 2, "depth": 2}
            },
        }
        for n in range(many)
    ]
    return {**_scene("mordheim-market"), "terrain": terrain, "models": []}


def large_scene() -> Values:
    """As many pieces and corners as are let in."""
    scene = _scene(EXAMPLE)
    kind = next(entry["kind"] for entry in scene["terrain"] if "shape" in entry)
    width, depth = scene["table"]["width"], scene["table"]["depth"]
    pieces = [
        {
            "id": f"p{n}",
            "kind": kind,
            "shape": {"polygon": star(14, n % 23 * width / 23 + 1, n // 23 * depth / 24 + 1, 0.4)},
        }
        for n in range(500)
    ]
    return {**scene, "terrain": pieces}


def many_undos(many: int) -> str:
    """A log of that many undos: each looks through all before it."""
    from tapeline.play.match import Match

    match = Match.start(_scene(EXAMPLE))
    match.do({"kind": "activate", "actor": CAPTAIN})
    match.undo()
    header, done, undone = match.lines()
    pairs = [
        line
        for n in range(many)
        for line in (
            json.dumps({**json.loads(done), "n": 2 * n + 1}),
            json.dumps({**json.loads(undone), "n": 2 * n + 2}),
        )
    ]
    return "\n".join([header, *pairs])


@dataclass
class Figures:
    """What is measured. Times in seconds."""

    begun: float = math.inf
    tries: list[float] = field(default_factory=list)
    reaches: list[float] = field(default_factory=list)
    deeds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def took(self, times: list[float], since: float) -> None:
        """Something honest was answered."""
        if time.monotonic() >= self.begun:
            times.append(time.monotonic() - since)


class Place:
    """Where callers come from: an address of the loopback, with a client of its own."""

    def __init__(self, url: str, address: str, figures: Figures) -> None:
        self.url = url
        self.address = address
        self.figures = figures
        transport = httpx.AsyncHTTPTransport(local_address=address, verify=False, retries=0)
        self.client = httpx.AsyncClient(base_url=url, transport=transport, timeout=PATIENCE_S)

    async def post(self, what: str, path: str, body: Any, link: Values | None = None) -> Any:
        """Send something hostile; counts what came of it."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        if link is not None:
            headers["authorization"] = f"Bearer {link['token']}"
        with contextlib.suppress(httpx.HTTPError):
            answer = await self.client.post(path, content=content, headers=headers)
            self.figures.answers[f"{what}: {answer.status_code}"] += 1
            if answer.status_code == 500:
                self.figures.wrong.append(f"{what}: {answer.text[:200]}")
            if answer.status_code == 429:
                await asyncio.sleep(0.2)
            return answer.json() if answer.status_code < 300 else None
        self.figures.answers[f"{what}: nothing"] += 1
        await asyncio.sleep(0.1)
        return None

    async def get(self, what: str, path: str, link: Values) -> None:
        """Ask for something large."""
        headers = {"authorization": f"Bearer {link['token']}"}
        with contextlib.suppress(httpx.HTTPError):
            answer = await self.client.get(path, headers=headers)
            self.figures.answers[f"{what}: {answer.status_code}"] += 1

    async def raw(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A bare connection."""
        host, _, port = self.url.removeprefix("http://").strip("/").partition(":")
        return await asyncio.open_connection(host, int(port), local_addr=(self.address, 0))


async def checks(place: Place) -> None:
    """Scenes to be checked that take minutes."""
    for scene in (two_floors(), square_floors(400), square_floors(1000)):
        await place.post("check", "api/scenes/check", scene)


async def large_matches(place: Place) -> None:
    """Matches on scenes as large as may be, and pictures of them."""
    made = await place.post("large match", "api/matches", {"scene": large_scene()})
    if made:
        link = made["links"][0]
        for path in ("/picture.svg", "", "/log"):
            await place.get("large match", f"api/matches/{made['id']}{path}", link)


async def long_logs(place: Place, log: str) -> None:
    """Logs of undos."""
    await place.post("log", "api/matches", {"log": log})


async def long_questions(place: Place, example: str, body: str) -> None:
    """Paths of many legs, odds and reaches, over and over, on a match of its own."""
    made = await place.post("match", "api/matches", {"example": example})
    if not made:
        return
    link, home = made["links"][0], f"api/matches/{made['id']}"
    rng = random.Random(1)
    for _ in range(6):
        for legs in (180, 900):
            path = [{"to": [rng.uniform(2, 20), rng.uniform(2, 20)]} for _ in range(legs)]
            for kind in ("move", "hide", "sneak"):
                action = {"kind": kind, "actor": body, "path": path, "hide": True}
                await place.post("path", f"{home}/judge", {"action": action}, link)
                action.pop("hide")
                await place.post("path", f"{home}/odds", {"action": action}, link)
        await place.get("reach", f"{home}/reach?body={body}", link)


async def endless_bodies(place: Place) -> None:
    """Bodies that come a byte at a time, or not at all, a hundred at once."""

    async def one(size: int) -> None:
        _reader, writer = await place.raw()
        head = f"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {size}\r\n"
        writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode())
        with contextlib.suppress(OSError):
            writer.write(b"[" * (size // 2))
            for _ in range(60):
                writer.write(b"1")
                await writer.drain()
                await asyncio.sleep(0.5)
        writer.close()

    await asyncio.gather(*(one(4_000_000) for _ in range(40)), return_exceptions=True)


async def endless_heads(place: Place) -> None:
    """Connections by the hundred that never finish saying what they want."""
    lines = []
    for _ in range(600):
        with contextlib.suppress(OSError):
            lines.append(await place.raw())
    for _ in range(8):
        for _, writer in lines:
            with contextlib.suppress(OSError):
                writer.write(b"GET / HTTP/1.1\r\n" if random.random() < 0.5 else b"x")
        await asyncio.sleep(0.5)
    for _, writer in lines:
        writer.close()


async def live_abuse(place: Place, example: str, body: str) -> None:
    """Live connections that come and go in the middle of a question, and binary frames."""
    made = await place.post("match", "api/matches", {"example": example, "mode": "links"})
    if not made:
        return
    url = f"{place.url.replace('http', 'ws', 1)}api/matches/{made['id']}/live"
    link, seq = made["links"][0], 0
    for n in range(60):
        with contextlib.suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
            async with connect(
                url, proxy=None, compression=None, max_size=None, local_addr=(place.address, 0)
            ) as socket:
                await socket.send(json.dumps({"type": "hello", "token": link["token"]}))
                for _ in range(40):
                    seq += 1
                    path = [{"to": [seq % 20, n % 20]}] * 150
                    action = {"kind": "move", "actor": body, "path": path}
                    trial = {"type": "try", "seq": seq, "version": 0, "action": action}
                    await socket.send(json.dumps(trial))
                    await asyncio.sleep(0.01)
                if n % 3 == 0:
                    await socket.send(b"\x00\x01")
                    await socket.recv()
        place.figures.answers["live"] += 1


async def quotas(place: Place) -> None:
    """Entries and proposals without end on a match between two links of the same hand."""
    made = await place.post("match", "api/matches", {"example": EXAMPLE, "mode": "links"})
    if not made:
        return
    home, link, version = f"api/matches/{made['id']}", made["links"][0], 0
    for _ in range(400):
        action = {"kind": "activate", "actor": CAPTAIN}
        body = {"version": version, "action": action, "faces": []}
        done = await place.post("entry", f"{home}/actions", body, link)
        if done is None:
            break
        version = done["match"]["version"]
        done = await place.post("entry", f"{home}/undo", {"version": version}, link)
        if done is None:
            break
        version = done["match"]["version"]
    events = [{"event": "marked", "body": CAPTAIN, "changes": {}}]
    for _ in range(60):
        body = {"version": version, "events": events, "reason": "x" * 400}
        await place.post("proposal", f"{home}/overrides", body, link)


async def for_ever(work: Callable[[], Awaitable[None]], figures: Figures) -> None:
    """Over and over; a script that goes wrong is told, and no reason to stop."""
    while True:
        try:
            await work()
        except (OSError, httpx.HTTPError, KeyError, json.JSONDecodeError) as error:
            figures.answers[f"{type(error).__name__}"] += 1
        await asyncio.sleep(0.05)


def hostile(url: str, figures: Figures, log: str) -> list[Callable[[], Awaitable[None]]]:
    """All of them, from addresses of their own."""
    places = [Place(url, f"127.0.0.{n}", figures) for n in range(2, 10)]
    far = "mordheim-market"
    return [
        *(lambda: checks(places[0]) for _ in range(4)),
        lambda: large_matches(places[1]),
        lambda: long_logs(places[2], log),
        lambda: long_questions(places[3], far, CAPTAIN),
        lambda: long_questions(places[3], "warmaster-dale", "miragl"),
        lambda: long_questions(places[4], EXAMPLE, CAPTAIN),
        lambda: endless_bodies(places[5]),
        lambda: endless_heads(places[6]),
        lambda: live_abuse(places[7], far, CAPTAIN),
        lambda: quotas(places[7]),
    ]


# The honest match


class Honest:
    """A player who drags, acts and takes back."""

    def __init__(self, url: str, made: Values, figures: Figures) -> None:
        self.url = url
        self.figures = figures
        self.home = f"api/matches/{made['id']}"
        self.link = made["links"][0]
        self.client = httpx.AsyncClient(
            base_url=url,
            headers={"authorization": f"Bearer {self.link['token']}"},
            timeout=PATIENCE_S,
            trust_env=False,
        )
        self.version = 0
        self.confirmed = 0
        self.place = (0.0, 0.0)

    async def play(self) -> None:
        """Drag on a live connection, and act beside it."""
        address = f"{self.url.replace('http', 'ws', 1)}{self.home}/live"
        async with connect(address, proxy=None, compression=None, max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "token": self.link["token"]}))
            waiting: dict[int, float] = {}
            hearing = asyncio.create_task(self._hear(socket, waiting))
            acting = asyncio.create_task(self._act())
            reaching = asyncio.create_task(self._reach())
            rng, seq = random.Random(7), 0
            try:
                while not (hearing.done() or acting.done() or reaching.done()):
                    await asyncio.sleep(0.05)
                    if not self.version or waiting:
                        # A newer one would overtake it: each is heard out, and none is left out.
                        continue
                    seq += 1
                    x, y = self.place
                    end = [x + rng.uniform(-5, 5), y + rng.uniform(-5, 5)]
                    action = {"kind": "move", "actor": CAPTAIN, "path": [{"to": end}]}
                    waiting[seq] = time.monotonic()
                    trial = {"type": "try", "seq": seq, "version": self.version, "action": action}
                    await socket.send(json.dumps(trial))
                for task in (hearing, acting, reaching):
                    if task.done():
                        task.result()
            finally:
                for task in (hearing, acting, reaching):
                    task.cancel()

    async def _hear(self, socket: Any, waiting: dict[int, float]) -> None:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "now":
                match = message["match"]
                self.version = match["version"]
                found = next(f for f in match["board"]["figures"] if f["id"] == CAPTAIN)
                self.place = found["x"], found["y"]
            elif message["type"] == "tried":
                if message["fault"]:
                    raise RuntimeError(message["fault"])
                self.figures.took(self.figures.tries, waiting.pop(message["seq"]))

    async def _reach(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            since = time.monotonic()
            answer = await self.client.get(f"{self.home}/reach?body={CAPTAIN}&kind=move")
            if answer.status_code != 200:
                raise RuntimeError(f"reach: {answer.text[:200]}")
            self.figures.took(self.figures.reaches, since)

    async def _act(self) -> None:
        await self._post("actions", action={"kind": "activate", "actor": CAPTAIN})
        while True:
            await asyncio.sleep(1.5)
            x, y = self.place
            path = [{"to": [x, y + 0.5]}]
            await self._post("actions", action={"kind": "move", "actor": CAPTAIN, "path": path})
            await asyncio.sleep(1.5)
            await self._post("undo", entries=1)

    async def _post(self, what: str, **body: Any) -> None:
        since = time.monotonic()
        answer = await self.client.post(
            f"{self.home}/{what}", json={"version": self.confirmed, **body}
        )
        if answer.status_code != 200 or not answer.json()["written"]:
            raise RuntimeError(f"{what}: {answer.status_code} {answer.text[:300]}")
        self.figures.took(self.figures.deeds, since)
        self.confirmed = answer.json()["match"]["version"]

    async def check(self) -> None:
        """Whether all that was confirmed is in the log."""
        match = (await self.client.get(self.home)).json()
        if match["version"] < self.confirmed or len(match["log"]) != match["version"]:
            raise RuntimeError(f"{self.confirmed} confirmed, {match['version']} in the log")


# The server


def _megabytes(pid: int) -> float:
    """What a server and all its processes use, what they share counted once."""
    return sum(map(memory, (pid, *descendants(pid)))) / 2**20


async def _watch(pid: int, figures: Figures) -> None:
    while True:
        figures.memory.append(await asyncio.to_thread(_megabytes, pid))
        await asyncio.sleep(1.0)


async def _against(url: str, words: argparse.Namespace) -> None:
    """The hostile part, in a process of its own so that it does not hold up who measures."""
    figures, log = Figures(), many_undos(words.undos)
    print("begun", flush=True)
    works = [] if words.alone else hostile(url, figures, log)
    tasks = [asyncio.create_task(for_ever(w, figures)) for w in works]
    tasks.append(asyncio.create_task(asyncio.sleep(60 * words.minutes)))
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    for error in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(error, Exception):
            figures.wrong.append(f"{type(error).__name__}: {error}")
    print(json.dumps({"answers": figures.answers, "wrong": figures.wrong[:10]}), flush=True)


async def _run(url: str, pid: int, words: argparse.Namespace) -> Figures:
    figures = Figures()
    async with httpx.AsyncClient(base_url=url, timeout=120, trust_env=False) as client:
        new = {"example": EXAMPLE, "mode": "links"}
        honest = Honest(url, (await client.post("api/matches", json=new)).json(), figures)
        playing = asyncio.create_task(honest.play())
        while not honest.version and not playing.done():
            await asyncio.sleep(0.05)
        await asyncio.sleep(min(SETTLING_S, 20 * words.minutes))
        watching = asyncio.create_task(_watch(pid, figures))
        command = [sys.executable, "-m", "bench.hostile", "--against", url]
        command += ["--minutes", str(words.minutes), "--undos", str(words.undos)]
        command += ["--alone"] if words.alone else []
        others = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert others.stdout is not None
        await others.stdout.readline()
        figures.begun = time.monotonic()
        await asyncio.wait([playing], timeout=60 * words.minutes)
        figures.begun = math.inf
        for task in (playing, watching):
            task.cancel()
        for error in await asyncio.gather(playing, watching, return_exceptions=True):
            if isinstance(error, Exception):
                figures.wrong.append(f"{type(error).__name__}: {error}")
        told = json.loads(await others.stdout.readline())
        await others.wait()
        figures.answers.update(told["answers"])
        figures.wrong += told["wrong"]
        await honest.check()
        told = (await client.get("metrics")).text
        figures.answers.update(
            {
                f"metrics: {name}": int(float(value))
                for name, _, value in (line.rpartition(" ") for line in told.splitlines())
                if name.startswith("tapeline_") and "ended" in name
            }
        )
    return figures


def _spread(times: Sequence[float]) -> str:
    if not times:
        return "none"
    order = sorted(times)
    middle, late = order[len(order) // 2], order[min(len(order) - 1, int(len(order) * 0.95))]
    return (
        f"{len(order)}, median {1000 * middle:.0f} ms, p95 {1000 * late:.0f} ms, "
        f"longest {1000 * order[-1]:.0f} ms"
    )


def _judged(figures: Figures, slack: float) -> list[str]:
    """What was not as promised."""
    wrong = figures.wrong[:10]
    drags = sorted(figures.tries + figures.reaches)
    if len(drags) < 10:
        return [*wrong, f"only {len(drags)} drags were answered"]
    if drags[int(len(drags) * 0.95)] > 0.1 * slack:
        wrong.append(f"p95 of the drag is above {100 * slack:.0f} ms")
    if drags[-1] > 0.5 * slack:
        wrong.append(f"the longest drag is above {500 * slack:.0f} ms")
    if max(figures.memory) > 1024:
        wrong.append("more than 1 GB of memory")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it and print its figures. Gives 1 if something is not as promised."""
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--undos", type=int, default=8000)
    parser.add_argument("--slack", type=float, default=1.0)
    parser.add_argument("--alone", action="store_true", help="without hostile work, to compare")
    parser.add_argument("--against", metavar="URL", help="only the hostile part, on a server")
    parser.add_argument("--compile", action="store_true", help="let the server compile kernels")
    words = parser.parse_args(arguments)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    if words.against:
        os.nice(5)
        asyncio.run(_against(words.against, words))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from tapeline.cli import main; main()", "serve"]
        command += ["--port", "0", "--json", "--database", f"sqlite:///{folder}/hostile.db"]
        command += [] if words.compile else ["--no-compile"]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        with (Path(folder) / "said").open("w") as said:
            server = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=said, env=environment, text=True
            )
        try:
            assert server.stdout is not None
            url = json.loads(server.stdout.readline())["address"]
            figures = asyncio.run(_run(url, server.pid, words))
            up = server.poll() is None
            since = time.monotonic()
            server.send_signal(signal.SIGINT)
            server.wait(30)
            ended = time.monotonic() - since
        finally:
            server.kill()
            server.wait()
        log = (Path(folder) / "said").read_text()
    wrong = _judged(figures, words.slack)
    if not up:
        wrong.append("the server is gone")
    if ended > 2.0 * words.slack:
        wrong.append(f"Ctrl-C took {ended:.1f} s")
    if len(log.splitlines()) > 300:
        wrong.append(f"{len(log.splitlines())} lines in the log")
    print(f"tries: {_spread(figures.tries)}")
    print(f"reaches: {_spread(figures.reaches)}")
    print(f"deeds: {_spread(figures.deeds)}")
    print(f"memory: at most {max(figures.memory, default=0):.0f} MB; Ctrl-C took {ended:.1f} s")
    print("\n".join(f"  {what}: {count}" for what, count in sorted(figures.answers.items())))
    if log:
        print(f"the log, {len(log.splitlines())} lines:\n{log[-1500:]}")
    print("\n".join(f"WRONG: {one}" for one in wrong) or "as promised")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
