"""Compiled kernels for a server that is already serving.

Compiling takes a minute or more of a core, and much of it the lock of the interpreter, so that
verdicts would wait. A child process of low priority compiles into the cache folder; once it is
done, this process loads what it made, which takes moments.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from importlib.util import find_spec

from tapeline.geometry import backends

__all__ = ["warm"]


async def warm(then: Callable[[], Awaitable[None]]) -> None:
    """Have the kernels compiled, then use them. Until then, and without Numba, plain Python.

    then: called when they can be loaded.
    """
    if find_spec("numba") is None or backends.ready():
        return
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        if await child.wait() == 0:
            backends.start()
            await then()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


def _compile_for(parent: int) -> None:
    """What the child does; it ends when its parent does."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(19)

    def look(_done: int = 0, _of: int = 0) -> None:
        if os.getppid() != parent:
            os._exit(1)

    with _alone(look):
        backends.warmup(look)


@contextlib.contextmanager
def _alone(look: Callable[[], None]) -> Iterator[None]:
    """One process at a time: those that wait find the work done. Where files cannot be locked,
    as on Windows, they all work."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = backends.cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "compiling").open("wb") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                look()
                time.sleep(0.5)
        yield


if __name__ == "__main__":
    _compile_for(os.getppid())
