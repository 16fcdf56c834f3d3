"""What tests of geometry share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.kernels import warm
from tapeline.geometry import backends


@pytest.fixture(scope="module")
def compiled() -> Iterator[None]:
    """Compiled kernels are at hand; plain ones are used where nothing else is said."""
    warm()
    backends.use("plain")
    yield
    backends.use("auto")
