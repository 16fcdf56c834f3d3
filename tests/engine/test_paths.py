"""The forms a leg of a path may have."""

from __future__ import annotations

from typing import Any

import pytest

from tapeline.engine.paths import Leg, legs_from_value
from tapeline.errors import AnswerError
from tapeline.table.marks import Marks


def test_a_free_leg_goes_straight_while_it_turns() -> None:
    leg = Leg(to=(3.0, 4.0), by=-90.0, how="free")
    assert leg.is_free
    assert not leg.is_turn
    assert not leg.is_arc


@pytest.mark.parametrize(
    "given",
    [
        {"to": (1.0, 2.0), "by": 90.0},
        {"to": (1.0, 2.0), "how": "free"},
        {"by": 90.0, "how": "free"},
        {"to": (1.0, 2.0), "by": 90.0, "centre": (0.0, 0.0), "how": "free"},
        {"centre": (0.0, 0.0)},
        {"by": 90.0, "z": 1.0},
        {},
    ],
)
def test_other_mixtures_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"leg|arc|z is"):
        Leg(**given)


def test_a_free_leg_as_an_answer() -> None:
    value = (Marks({"to": (1.0, 2.0), "by": 45.0, "how": "free"}),)
    assert legs_from_value(value) == (Leg(to=(1.0, 2.0), by=45.0, how="free"),)
    with pytest.raises(AnswerError, match=r"path\[0\]: a free leg needs to and by"):
        legs_from_value((Marks({"by": 45.0, "how": "free"}),))
