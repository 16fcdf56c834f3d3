"""A real server in a process of its own: started, killed without warning, started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

__all__ = ["Server"]

#: As `tapeline serve` does, without a compiler beside the tests.
SERVE = """
import sys
from tapeline.cli.serve import listening, run_server
from tapeline.web.settings import Settings
# A program that says nothing and ends.
programs = (f"Crasher={sys.executable} -c pass",)
settings = Settings(database=sys.argv[2], compile=False, programs=programs, programs_at_once=1)
run_server(settings, listening("127.0.0.1", int(sys.argv[1])), ready=lambda: None)
"""

#: Seconds until a server that does not answer counts as broken.
PATIENCE_S = 40.0


class Server:
    """The server on a port of its own, with a database file in `folder`."""

    def __init__(self, folder: Path) -> None:
        # Bound and not listening: nobody else is given the port, also while the server is dead.
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", 0))
        self.port = int(self._held.getsockname()[1])
        if not sys.platform.startswith("linux"):
            self._held.close()  # elsewhere no two sockets are bound to one port
        self.database = folder / "table.db"
        self.log = folder / "server.log"
        self._read = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers. Raises RuntimeError with its log if it does not."""
        command = [sys.executable, "-c", SERVE, str(self.port), f"sqlite:///{self.database}"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment()
            )
        until = time.monotonic() + PATIENCE_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise RuntimeError(f"the server does not answer:\n{self.log.read_text()[-4000:]}")
            time.sleep(0.05)

    def kill(self) -> None:
        """End it as a power cut would: nothing is written, nobody is told."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """End it for good."""
        self.kill()
        self._held.close()

    def complaints(self) -> str:
        """What is new in the log of the server: nothing, if all is well."""
        text = self.log.read_text(encoding="utf-8")
        fresh, self._read = text[self._read :], len(text)
        return fresh

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def _environment(self) -> dict[str, str]:
        """Ours, without proxies: everything stays on this machine."""
        return {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
