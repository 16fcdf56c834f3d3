"""The memory of a process: what it uses, and what it may use."""

from __future__ import annotations

import contextlib
import os

__all__ = ["limit_memory", "resident"]


def resident(pid: int | str = "self") -> int:
    """Bytes of memory that a process uses, 0 where that cannot be told."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm", "rb") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


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
