"""Compiled kernels for a server that is already serving.

Compiling takes a minute or more of a core, and much of it the lock of the interpreter. A child
process of low priority compiles into the cache folder; once it is done, workers are begun that load
what it made, which takes moments.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec

from tapeline.geometry import backends

__all__ = ["compile_aside"]


async def compile_aside() -> bool:
    """Have the kernels compiled. False without Numba, or where that failed.

    Importing Numba alone would cost this process a second and much memory.
    """
    if find_spec("numba") is None:
        return False
    none = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, stdin=none, stdout=none, stderr=none
    )
    try:
        done = await child.wait() == 0
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if not done:
        logging.getLogger("tapeline.web").warning(
            "the kernels could not be compiled, and measuring takes longer: "
            "tapeline warmup says why"
        )
    return done


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
