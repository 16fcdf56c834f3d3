"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.installing import toy_installed
from support.postgres import Cluster, program
from web.inside import Inside, generous


@pytest.fixture(scope="module")
def toy() -> Iterator[None]:
    """The toy system is installed."""
    with toy_installed():
        yield


@pytest.fixture(scope="module")
def inside(toy: None) -> Iterator[Inside]:
    """A server for the tests of a module, its matches in memory."""
    server = Inside(generous())
    yield server
    server.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL; skips where none is installed."""
    if program("initdb") is None:
        pytest.skip("PostgreSQL is not installed: no initdb")
    cluster = Cluster()
    yield cluster
    cluster.remove()


Start = Callable[..., Inside]


@pytest.fixture
def start(toy: None, tmp_path: Path) -> Iterator[Start]:
    """Starts servers of a test: on one database file, with other settings if given."""
    servers: list[Inside] = []

    def begun(database: str = f"sqlite:///{tmp_path / 'table.db'}", **settings: Any) -> Inside:
        servers.append(Inside(generous(database, **settings)))
        return servers[-1]

    yield begun
    for server in servers:
        server.stop()
