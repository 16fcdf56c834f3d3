"""The longest legal beginning of a path: as exact as said, in few questions."""

from __future__ import annotations

import pytest

from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.prefix import longest_prefix


def straight(legs: int) -> LegPath:
    return tuple(Leg(to=(k + 1.0, 0.0)) for k in range(legs))


class UpTo:
    """Allows what ends no farther along the x axis, and counts how often it is asked."""

    def __init__(self, far: float) -> None:
        self.far, self.asked = far, 0

    def __call__(self, path: LegPath) -> bool:
        self.asked += 1
        return not path or path[-1].to[0] <= self.far  # type: ignore[index]


@pytest.mark.parametrize("legs", [1, 5, 32, 33, 100, 2_000])
@pytest.mark.parametrize("share", [0.0, 0.31, 0.5, 0.999, 1.0])
def test_a_length_is_found_in_few_questions(legs: int, share: float) -> None:
    far = share * legs
    legal = UpTo(far)
    found = longest_prefix((0.0, 0.0, 0.0), straight(legs), legal, lambda path, length: ())
    assert found is not None
    end = found[-1].to[0] if found else 0.0  # type: ignore[index]
    assert far - 2e-6 <= end <= far
    assert legal.asked < 70


@pytest.mark.parametrize("off", [0.0, 1e-6, 3e-6, 1e-5, 1e-4])
def test_a_bite_told_a_little_early_is_near_enough(off: float) -> None:
    far = 3.3
    legal = UpTo(far)

    def bites(path: LegPath, length: float) -> tuple[float]:
        return ((far - off) / 8.0,)

    path, start = (Leg(to=(8.0, 0.0)),), (0.0, 0.0, 0.0)
    found = longest_prefix(start, path, legal, bites, lasting=lambda: True)
    assert found is not None
    few = legal.asked
    assert found == longest_prefix(start, path, legal, bites), "only the questions are fewer"
    assert few < legal.asked - few or off == 0.0
    assert far - 2e-6 <= found[-1].to[0] <= far  # type: ignore[index]
    assert few <= 17


def test_no_beginning_is_legal_by_the_last_bits_of_the_tolerance_alone() -> None:
    """Turned about the table it would be refused; an exact limit is gone up to all the same."""
    ends = []
    for number in range(1, 200):
        far = 8.0 * number / 200.0 + 1e-3 / number
        for slack in (0.0, 1e-6):
            found = longest_prefix(
                (0.0, 0.0, 0.0),
                (Leg(to=(8.0, 0.0)),),
                UpTo(far + slack),
                lambda path, length, far=far: (far / length,),
            )
            assert found is not None
            end = found[-1].to[0]  # type: ignore[index]
            assert far - 1.1e-6 <= end <= far + slack - 1e-9
            ends.append(end - far)
    assert max(ends) > -1e-12


def test_where_nothing_is_legal_one_step_tells() -> None:
    legal = UpTo(0.0)
    start = (0.0, 0.0, 0.0)
    found = longest_prefix(start, straight(3), legal, lambda path, length: (), lasting=lambda: True)
    assert found == ()
    assert legal.asked <= 4


def test_what_is_refused_on_the_way_tells_where_it_bites() -> None:
    """The whole path tells only where something farther on bites."""
    far = 3.3
    legal = UpTo(far)

    def bites(path: LegPath, length: float) -> tuple[float]:
        return (0.9,) if length == 8.0 else (far / length,)

    path, start = (Leg(to=(8.0, 0.0)),), (0.0, 0.0, 0.0)
    found = longest_prefix(start, path, legal, bites, lasting=lambda: True, bars=bites)
    assert found is not None
    few = legal.asked
    assert far - 2e-6 <= found[-1].to[0] <= far  # type: ignore[index]
    assert found == longest_prefix(start, path, legal, bites), "only the questions are fewer"
    assert few <= 9 < legal.asked - few
