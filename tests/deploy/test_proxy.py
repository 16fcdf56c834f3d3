"""The proxy's configuration as it is shipped, in front of servers: run for real with Caddy."""

from __future__ import annotations

import random
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from web.inside import PATIENCE_S, Live
from web.process import Process

pytestmark = pytest.mark.waits

CADDYFILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"
NAME = "tables.example.org"
EXAMPLE = "trench-two-lines"
ACT = {"kind": "activate", "actor": "r-captain"}

#: Seconds of the configuration, and those of a proxy that has less time.
TIMES = {"read_header": (10, 2), "read_body": (25, 3), "write": (120, 4), "idle": (60, 4)}


def free_port() -> int:
    """A port that is free, of those that outgoing connections are not given."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port


def configuration(ports: tuple[int, int], hasty: bool) -> str:
    """What is shipped on other ports, with certificates of its own; shorter times if hasty."""
    text = CADDYFILE.read_text()
    for name, (shipped, less) in TIMES.items():
        ours = less if hasty else shipped
        text, found = re.subn(rf"\b{name} {shipped}s\b", f"{name} {ours}s", text)
        assert found == 1, name
    mine = f"http_port {ports[0]}\n https_port {ports[1]}\n local_certs\n skip_install_trust\n"
    return text.replace("{\n", "{\n " + mine, 1)


class Proxy:
    """Caddy before some servers, and a client of it."""

    def __init__(self, folder: Path, servers: list[Process], hasty: bool = False) -> None:
        self.servers = servers
        self.ports = free_port(), free_port()
        file = folder / "Caddyfile"
        file.write_text(configuration(self.ports, hasty))
        where = " ".join(f"127.0.0.1:{server.client.base_url.port}" for server in servers)
        self.log = (folder / "log").open("w")
        self.child = subprocess.Popen(
            ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"],
            env={
                "HOME": str(folder),
                "XDG_DATA_HOME": str(folder),
                "PATH": "/usr/bin:/bin",
                "TAPELINE_HOST_NAME": NAME,
                "TAPELINE_SERVERS": where,
            },
            stdout=self.log,
            stderr=self.log,
        )
        self.root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        until = time.monotonic() + PATIENCE_S
        while not self.answers():
            assert time.monotonic() < until, (folder / "log").read_text()
            time.sleep(0.05)
        self.client = httpx.Client(
            base_url=f"https://127.0.0.1:{self.ports[1]}",
            headers={"host": NAME},
            verify=self.trust,
            trust_env=False,
            timeout=30,
        )

    def answers(self) -> bool:
        """Whether it has made its certificates, and speaks TLS."""
        try:
            self.trust = ssl.create_default_context(cafile=self.root)
            self.tls().close()
        except OSError:
            return False
        return True

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.client.request(method, path, extensions={"sni_hostname": NAME}, **more)

    def begin(self) -> tuple[str, dict[str, str]]:
        """A new match: its path, and what its first link says."""
        made = self.ask("POST", "/api/matches", json={"example": EXAMPLE}).json()
        return f"/api/matches/{made['id']}", {
            "authorization": f"Bearer {made['links'][0]['token']}"
        }

    @contextmanager
    def live(self, home: str, headers: dict[str, str]) -> Iterator[Live]:
        plain = socket.create_connection(("127.0.0.1", self.ports[1]))
        address = f"wss://{NAME}{home}/live"
        with connect(address, sock=plain, ssl=self.trust, proxy=None) as opened:
            live = Live(opened)
            token = headers["authorization"].removeprefix("Bearer ")
            live.say(type="hello", token=token, version=0)
            yield live

    def tls(self, name: str = NAME) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", self.ports[1]))
        plain.settimeout(PATIENCE_S)
        return self.trust.wrap_socket(plain, server_hostname=name)

    def end(self) -> None:
        self.client.close()
        self.child.terminate()
        self.child.wait(PATIENCE_S)
        self.log.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """Begins servers on one database, and a proxy before them."""
    if shutil.which("caddy") is None:
        pytest.skip("Caddy is not installed")
    ends: list[Callable[[], None]] = []

    def begin(servers: int = 1, *options: str) -> tuple[Proxy, list[Process]]:
        folder = tmp_path_factory.mktemp("proxy")
        words = ["--proxy", "127.0.0.1", "--host-name", NAME, *options]
        database = f"sqlite:///{folder / 'table.db'}"
        begun = [Process(database, *words) for _ in range(servers)]
        proxy = Proxy(folder, begun)
        ends.append(proxy.end)
        for server in begun:
            ends.extend((server.kill, server.forget))
        return proxy, begun

    yield begin
    for end in ends:
        end()


@pytest.fixture(scope="module")
def proxy(running: Callable[..., Any]) -> Proxy:
    # The server would take larger bodies: it is the proxy that refuses them.
    sizes = ("scene-bytes", "bodies-bytes", "bodies-bytes-an-address")
    large = [word for name in sizes for word in (f"--{name}", "1000000000")]
    found: Proxy = running(1, "--matches-an-hour", "8", *large)[0]
    return found


@pytest.fixture(scope="module")
def hasty(proxy: Proxy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Another before the same server, which waits for nobody."""
    found = Proxy(tmp_path_factory.mktemp("hasty"), proxy.servers, hasty=True)
    yield found
    found.end()


def seconds_until_closed(opened: ssl.SSLSocket) -> float:
    """How long until the other side closes; what it says is read."""
    begun = time.monotonic()
    with suppress(ConnectionError, ssl.SSLError):
        while opened.recv(65_536):
            pass
    return time.monotonic() - begun


def test_the_page_comes_by_tls_and_plain_calls_are_sent_there(proxy: Proxy) -> None:
    page = proxy.ask("GET", "/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["strict-transport-security"] == "max-age=31536000"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    plain = httpx.get(
        f"http://127.0.0.1:{proxy.ports[0]}/t/x", headers={"host": NAME}, trust_env=False
    )
    assert plain.status_code == 308
    assert plain.headers["location"] == f"https://{NAME}/t/x"


def test_a_match_is_played_and_heard_of_live_however_long_it_was_quiet(
    proxy: Proxy, hasty: Proxy
) -> None:
    home, link = proxy.begin()
    with hasty.live(home, link) as live:
        assert live.hear("now")["match"]["version"] == 0
        time.sleep(TIMES["write"][1] + 1.5)
        body = {"version": 0, "action": ACT}
        done = proxy.ask("POST", f"{home}/actions", json=body, headers=link).json()
        assert done["written"]
        assert live.hear("now")["match"]["version"] == 1


@pytest.mark.parametrize("path", ["/metrics", "/readyz"])
def test_what_is_for_the_operator_is_not_told_outside(proxy: Proxy, path: str) -> None:
    assert proxy.ask("GET", path).status_code == 404
    assert proxy.ask("GET", path).content == b""
    assert proxy.ask("GET", "/healthz").json()["up"]


def test_called_by_another_name_it_does_not_answer(proxy: Proxy) -> None:
    answer = proxy.ask("GET", "/", headers={"host": "elsewhere.example"})
    assert answer.status_code in (403, 421)
    with pytest.raises(ssl.SSLError):
        proxy.tls("elsewhere.example")
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(
            f"http://127.0.0.1:{proxy.ports[0]}/",
            headers={"host": "elsewhere.example"},
            trust_env=False,
        )


def test_a_body_that_is_too_large_is_refused(proxy: Proxy) -> None:
    small = proxy.ask("POST", "/api/scenes/check", content=b"{" + b" " * 7_900_000)
    assert small.status_code == 422, "the largest that a server takes passes"
    for large in (b" " * 9_000_000, (b" " * 1_000_000 for _ in range(200))):
        # Who still writes may be cut off before it hears why.
        with suppress(httpx.TransportError):
            answer = proxy.ask("POST", "/api/scenes/check", content=large)
            # An old Caddy notices only when it has passed so much on.
            assert answer.status_code in (413, 502)
        assert proxy.ask("GET", "/healthz").status_code == 200, "it is not thought to be gone"


def test_a_head_that_does_not_end_is_closed(hasty: Proxy) -> None:
    with closing(hasty.tls()) as opened:
        opened.sendall(b"GET / HTTP/1.1\r\nHost: " + NAME.encode())
        assert seconds_until_closed(opened) < TIMES["read_header"][0]


def test_a_body_that_does_not_end_is_closed(hasty: Proxy) -> None:
    with closing(hasty.tls()) as opened:
        head = f"POST /api/matches HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 1000\r\n\r\n{{"
        opened.sendall(head.encode())
        assert seconds_until_closed(opened) < TIMES["read_body"][0] / 2


def test_a_head_that_is_too_large_is_refused(proxy: Proxy) -> None:
    with closing(proxy.tls()) as opened:
        more = "X-More: " + "x" * 60_000
        opened.sendall(f"GET / HTTP/1.1\r\nHost: {NAME}\r\n{more}\r\n\r\n".encode())
        assert b" 431 " in opened.recv(1000).splitlines()[0]


def test_who_reads_an_answer_too_slowly_is_closed(hasty: Proxy) -> None:
    """Answers without end are asked for and not read until nothing more goes through."""
    with closing(hasty.tls()) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        call = f"GET /api/openapi.json HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode()
        until = time.monotonic() + PATIENCE_S
        with suppress(ConnectionError, ssl.SSLError):
            while True:
                assert time.monotonic() < until, "it is still open"
                opened.sendall(call * 100)
                time.sleep(0.1)


def test_a_forged_address_is_not_believed(proxy: Proxy) -> None:
    """New matches are counted by address: those that name others all count as one."""
    statuses = []
    for n in range(12):
        forged = {"x-forwarded-for": f"198.51.100.{n}", "forwarded": f"for=198.51.100.{n}"}
        new = {"example": EXAMPLE}
        statuses.append(proxy.ask("POST", "/api/matches", json=new, headers=forged).status_code)
    assert 429 in statuses
    assert statuses == sorted(statuses)


def live_on(server: Process) -> int:
    told = server.client.get("/metrics").text
    found = re.search(r"^tapeline_live (\d+)$", told, re.MULTILINE)
    assert found is not None
    return int(found[1])


def test_all_pages_of_a_match_are_with_one_server_and_go_on_with_another(
    running: Callable[..., Any],
) -> None:
    proxy, servers = running(2)
    used = set()
    for _ in range(12):
        home, link = proxy.begin()
        with proxy.live(home, link) as one, proxy.live(home, link) as two:
            for live in (one, two):
                live.hear("now")
            counts = [live_on(server) for server in servers]
            assert sorted(counts) == [0, 2]
            used.add(counts.index(2))
            until = time.monotonic() + PATIENCE_S
        while sum(map(live_on, servers)):
            assert time.monotonic() < until
            time.sleep(0.02)
        if used == {0, 1}:
            break
    assert used == {0, 1}, "the matches are spread"
    # The server of the last one is killed while a page is connected: it comes again, and goes on.
    with proxy.live(home, link) as live:
        live.hear("now")
        body = {"version": 0, "action": ACT}
        assert proxy.ask("POST", f"{home}/actions", json=body, headers=link).json()["written"]
        servers[counts.index(2)].kill()
        with suppress(ConnectionClosed):
            while True:
                live.hear()
    with proxy.live(home, link) as live:
        assert live.hear("now")["match"]["version"] == 1
    undone = proxy.ask("POST", f"{home}/undo", json={"version": 1}, headers=link).json()
    assert undone["match"]["version"] == 2
