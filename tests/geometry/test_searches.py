"""Searches along a line come to an end, however closely they are asked to look."""

from __future__ import annotations

import math

import pytest

from tapeline.geometry.plane.searches import least_of_convex


@pytest.mark.parametrize("least", [1e-300, 0.3, 3.0, 1e6])
@pytest.mark.parametrize("reach", [1e-9, 0.1])
def test_least_of_convex_ends_where_numbers_tell_no_more_apart(least: float, reach: float) -> None:
    low, high = least * (1.0 - reach), least * (1.0 + 0.4 * reach)
    found = least_of_convex(lambda x: abs(x - least), low, high, 0.0)
    assert math.isclose(found, least, rel_tol=1e-14)
