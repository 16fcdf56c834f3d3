"""Compiled kernels for tests: made once, however many workers ask for them."""

from __future__ import annotations

import contextlib
import gc
import tempfile
from pathlib import Path

import pytest

from tapeline.geometry import backends


def warm() -> None:
    """Have compiled kernels at hand, or skip the test where Numba is missing.

    Compiling takes minutes. One process does it; the others wait, and load what it wrote.
    """
    pytest.importorskip("numba")
    if not backends.ready():
        with _turn():
            backends.warmup()


def _turn() -> contextlib.AbstractContextManager[object]:
    """Held by one process at a time; by all at once where files cannot be locked."""
    try:
        import fcntl
    except ImportError:
        return contextlib.nullcontext()
    name = f"tapeline-{backends.cache_folder().name}.lock"
    file = (Path(tempfile.gettempdir()) / name).open("a")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


if __name__ == "__main__":
    gc.set_threshold(50_000, 20, 20)  # of what Numba makes, next to nothing is garbage so soon
    warm()
