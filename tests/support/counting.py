"""How much work something is, whatever the machine and whatever else it does."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

__all__ = ["calls", "slowness"]


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, of Python or built in, in doing it."""
    count = 0

    def heed(_frame: FrameType, event: str, _about: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(heed)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


#: Processor seconds of a hundred thousand rounds of an empty loop on a usual machine.
_USUAL_S = 0.005


def slowness() -> float:
    """How many times slower this processor is now than a usual one; 1 where it is not.

    A limit on processor time, multiplied by this, is about the work and not about the machine.
    """
    took = []
    for _ in range(5):
        begun = time.process_time()
        for _ in range(100_000):
            pass
        took.append(time.process_time() - begun)
    return max(1.0, min(took) / _USUAL_S)
