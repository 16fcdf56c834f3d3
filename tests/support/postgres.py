"""A PostgreSQL of the tests' own: no port, in a folder that goes with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import mkdtemp

__all__ = ["Cluster", "program"]


def program(name: str) -> str | None:
    """A program of PostgreSQL: on the path, or where Debian keeps those of the server."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


class Cluster:
    """A server that listens in its folder alone, and does not wait for the disk."""

    def __init__(self) -> None:
        # A path of a socket may have no more than 107 bytes, so not below the tests' own folder.
        self.folder = Path(mkdtemp(prefix="tapeline-pg-"))
        #: It does not run as root.
        self._user = "postgres" if os.getuid() == 0 else None
        self._made = 0
        if self._user:
            shutil.chown(self.folder, self._user)
        data = str(self.folder / "data")
        self._run("initdb", "-D", data, "-A", "trust", "-U", "tapeline", "--no-sync")
        self.start()

    def start(self) -> None:
        """Begin to serve."""
        words = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-o", words, "-l", log, "-w", "start")

    def stop(self) -> None:
        """End it, whoever is connected."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        """End it and forget all of it."""
        self.stop()
        shutil.rmtree(self.folder)

    def database(self) -> str:
        """The URL of a new, empty database."""
        self._made += 1
        name = f"t{self._made}"
        self._run("createdb", "-h", str(self.folder), "-U", "tapeline", name)
        return f"postgresql+psycopg://tapeline@/{name}?host={self.folder}"

    def _run(self, name: str, *words: str) -> None:
        # What it begins keeps its output open: no pipe of which somebody would wait for the end.
        subprocess.run(
            [program(name) or name, *words],
            check=True,
            stdout=subprocess.DEVNULL,
            user=self._user,
            cwd=self.folder,
            timeout=60,
        )
