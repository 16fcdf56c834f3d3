"""Options and fixtures for the whole suite."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from support.ahead import one_ahead
from support.kernels import warm
from tapeline.geometry import backends

# Nothing that is read and rewritten before the first test is garbage: see the end of collecting.
gc.disable()

settings.register_profile(
    "tapeline", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tapeline")


#: The process that compiles kernels while workers run tests that need none yet.
_COMPILING = pytest.StashKey[subprocess.Popen[bytes]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the heavy searches in full")
    parser.addoption("--census-write", action="store_true", help="pin the verdict counts anew")


@pytest.fixture(scope="session")
def budget(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """How many cases to try: `budget(short, long)`."""
    long = bool(request.config.getoption("--long"))
    return lambda short, full: full if long else short


def _compares(item: pytest.Item) -> bool:
    """Whether its module is one of those that compare compiled kernels with plain ones."""
    return hasattr(getattr(item, "module", None), "warm")


def _compiles(item: pytest.Item) -> bool:
    return _compares(item) or item.get_closest_marker("compiled") is not None


def _turn(item: pytest.Item) -> tuple[bool, bool, bool, bool]:
    sleeps = item.get_closest_marker("waits") is not None
    reads = item.get_closest_marker("after") is not None
    return reads, _compiles(item), not sleeps, "browser" not in item.path.parts


def _pays(config: pytest.Config) -> bool:
    """Whether so much is run that compiling, which takes minutes, is worth it."""
    much = hasattr(config, "workerinput") or bool(config.getoption("--long"))
    return much and find_spec("numba") is not None


@pytest.fixture(autouse=True)
def _gear(request: pytest.FixtureRequest) -> Iterator[None]:
    """Plain kernels, also where compiled ones were loaded before; or those that are marked for."""
    if _compares(request.node):
        yield
        return
    if request.node.get_closest_marker("compiled") and _pays(request.config):
        warm()
        backends.use("compiled")
    else:
        backends.use("plain")
    yield
    backends.use("auto")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """In a fresh clone one worker alone compiles the test files, and the others load what it wrote:
    the cores have kernels to compile meanwhile."""
    fresh = not (Path(__file__).parent / "geometry" / "__pycache__").exists()
    if fresh and hasattr(session.config, "workerinput") and not sys.dont_write_bytecode:
        with one_ahead(Path(__file__)):
            return (yield)
    return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # First what sleeps, then what waits for a browser, while kernels are compiled; then what needs
    # these kernels, and last what reads the answers of others.
    items.sort(key=_turn)
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="a long search; run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


def pytest_collection_finish() -> None:
    """What is there now stays: the collector need not go through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_sessionstart(session: pytest.Session) -> None:
    """With workers (`-n`): begin at once to compile what several of them are going to need."""
    config = session.config
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        return
    if find_spec("numba") is not None:
        tests = Path(__file__).parent
        command = [sys.executable, "-m", "support.kernels"]
        config.stash[_COMPILING] = subprocess.Popen(command, cwd=tests, stderr=subprocess.DEVNULL)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Compiling ends with the tests, done or not."""
    process = session.config.stash.get(_COMPILING, None)
    if process is not None:
        process.kill()
        process.wait()
