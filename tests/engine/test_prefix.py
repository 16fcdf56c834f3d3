"""The longest legal beginning of a path: as exact as said, in few questions."""

from __future__ import annotations

import pytest

from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.prefix import longest_prefix


def straight(legs: int) -> LegPath:
    return tuple(Leg(to=(k + 1.0, 0.0)) for k in range(legs))


@pytest.mark.parametrize("legs", [1, 5, 32, 33, 100, 2_000])
@pytest.mark.parametrize("share", [0.0, 0.31, 0.5, 0.999, 1.0])
def test_a_length_is_found_in_few_questions(legs: int, share: float) -> None:
    asked = 0
    far = share * legs

    def legal(path: LegPath) -> bool:
        nonlocal asked
        asked += 1
        return not path or path[-1].to[0] <= far  # type: ignore[index]

    found = longest_prefix((0.0, 0.0, 0.0), straight(legs), legal, lambda path, length: ())
    assert found is not None
    end = found[-1].to[0] if found else 0.0  # type: ignore[index]
    assert far - 2e-6 <= end <= far
    assert asked < 70
