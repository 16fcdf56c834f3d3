"""What a server and all its processes use, as Linux tells it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

__all__ = ["busy", "descendants", "memory"]


def descendants(pid: int) -> list[int]:
    """The processes that a process has begun, and those that they have."""
    found = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *descendants(child)]
    return found


def memory(pid: int) -> int:
    """Bytes that a process uses, of what it shares with others its part; 0 if it is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def busy(pid: int) -> float:
    """Seconds of processor that a process has used, 0 if it is gone."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
