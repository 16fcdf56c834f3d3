"""`tapeline serve` as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import httpx

from web.inside import PLAIN

__all__ = ["Process"]


class Process:
    """A server on a port of its own, with options if given."""

    def __init__(self, database: str, *options: str) -> None:
        command = [sys.executable, "-c", "from tapeline.cli import main; main()", "serve"]
        command += ["--port", "0", "--json", "--no-compile", "--judges", "1"]
        command += ["--database", database, *options]
        self.child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            text=True,
        )
        assert self.child.stdout is not None
        told = json.loads(self.child.stdout.readline())
        assert told["exposed"] is False
        self.client = httpx.Client(base_url=told["address"], timeout=30, **PLAIN)

    def kill(self) -> None:
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()
        assert self.child.stdout is not None
        self.child.stdout.close()

    def forget(self) -> None:
        """When nobody writes to it any more."""
        self.client.close()
