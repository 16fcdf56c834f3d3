"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.installing import toy_installed
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


Start = Callable[..., Inside]


@pytest.fixture
def start(toy: None, tmp_path: Path) -> Iterator[Start]:
    """Starts servers of a test: on one database file, with other settings if given."""
    servers: list[Inside] = []

    def begun(**settings: Any) -> Inside:
        servers.append(Inside(generous(f"sqlite:///{tmp_path / 'table.db'}", **settings)))
        return servers[-1]

    yield begun
    for server in servers:
        server.stop()
