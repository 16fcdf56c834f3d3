"""How much work something is, whatever the machine and whatever else it does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

__all__ = ["calls"]


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
