"""Options and fixtures for the whole suite."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "tapeline", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tapeline")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the heavy searches in full")
    parser.addoption("--census-write", action="store_true", help="pin the verdict counts anew")


@pytest.fixture(scope="session")
def budget(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """How many cases to try: `budget(short, long)`."""
    long = bool(request.config.getoption("--long"))
    return lambda short, full: full if long else short


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="a long search; run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)
