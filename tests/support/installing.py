"""The toy system as an installed package: found by entry point like any other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tapeline.play import systems

INSTALLED = str(Path(__file__).parent / "installed")


@contextmanager
def toy_installed() -> Iterator[None]:
    """While it lasts, the system "toy" is installed."""
    sys.path.insert(0, INSTALLED)
    systems.look_again()
    try:
        yield
    finally:
        sys.path.remove(INSTALLED)
        systems.look_again()
