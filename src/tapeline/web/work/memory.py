"""The memory of a process: what it uses, what it may use, and what of it stays for good."""

from __future__ import annotations

import contextlib
import gc
import os

__all__ = ["limit_memory", "resident", "settle"]


def resident(pid: int | str = "self") -> int:
    """Bytes of memory that a process uses, 0 where that cannot be told."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm", "rb") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def settle() -> None:
    """What is loaded stays: it need not be looked through for garbage time and again, which would
    hold up an answer by a tenth of a second, and children go on sharing it."""
    gc.collect()
    gc.freeze()


def limit_memory(more: int) -> None:
    """Let this process use so many bytes more than it does; beyond that it gets no memory."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", "rb") as told:
            pages = int(told.read().split()[5])
        limit = pages * os.sysconf("SC_PAGE_SIZE") + more
        # The hard limit stays: a program that it begins may be given a limit of its own.
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
