from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.installing import toy_installed


@pytest.fixture(autouse=True, scope="module")
def _toy() -> Iterator[None]:
    with toy_installed():
        yield
