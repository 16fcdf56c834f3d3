"""Searches along one number: binary search, golden-section search (Kiefer 1953)."""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeline.geometry.backends import Floats, kernel

__all__ = ["first_from", "least_of_convex"]

_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


@kernel
def first_from(rows: Floats, size: int, at: int, lo: int, hi: int, x: float) -> int:
    """The first of the rows lo to hi - 1 whose number `at` is x or more; they are in its order."""
    while lo < hi:
        m = (lo + hi) // 2
        if rows[size * m + at] < x:
            lo = m + 1
        else:
            hi = m
    return lo


def least_of_convex(
    f: Callable[[float], float], low: float, high: float, width: float, enough: float = -math.inf
) -> float:
    """Where between low and high a convex function is least, to half the width or as closely as
    numbers tell; or the first place come to at which it is no more than `enough`.

    >>> round(least_of_convex(lambda t: (t - 0.25) ** 2, 0.0, 1.0, 1e-12), 6)
    0.25
    """
    a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    fa, fb = f(a), f(b)
    while high - low > width and a < b and fa > enough and fb > enough:
        if fa <= fb:
            high, b, fb = b, a, fa
            a = high - _GOLDEN * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + _GOLDEN * (high - low)
            fb = f(b)
    if fa <= enough:
        return a
    return b if fb <= enough else 0.5 * (low + high)
