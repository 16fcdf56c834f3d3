"""The one tolerance for rule limits, applied here and nowhere else.

A measured value meets a limit when it does so within 1e-6 of the table's unit (of a degree
for angles). Kernels promise 1e-9, so the tolerance swallows their error and the rounding of
coordinates in documents, and no more: change it and scenes written with six decimals of
exact contact begin to fail.
"""

from __future__ import annotations

__all__ = ["TOLERANCE", "affords", "closer_than", "more_than", "overlaps", "same", "sunk", "within"]

#: Table units for lengths, degrees for angles.
TOLERANCE = 1e-6
#: Length: two measures of one overlap may differ by this much, ten times what kernels promise.
_ROUNDING = 1e-8


def within(gap: float, limit: float) -> bool:
    """Whether a gap counts as "within" a limit: at most the limit.

    >>> within(1.0000005, 1.0), within(1.00001, 1.0)
    (True, False)
    """
    return gap <= limit + TOLERANCE


def more_than(gap: float, limit: float) -> bool:
    """The complement of `within`."""
    return gap > limit + TOLERANCE


def closer_than(gap: float, limit: float) -> bool:
    """Whether a gap is less than a limit, the limit itself excluded."""
    return gap < limit - TOLERANCE


def affords(total: float, allowance: float) -> bool:
    """Whether a cost fits an allowance."""
    return total <= allowance + TOLERANCE


def overlaps(depth: float) -> bool:
    """Whether an overlap of that depth is more than a touch."""
    return depth > TOLERANCE


def sunk(depth: float) -> bool:
    """Whether an overlap in a scene is more than a move may leave behind, measured anew.

    >>> overlaps(1.000001e-6), sunk(1.000001e-6), sunk(1.1e-6)
    (True, False, True)
    """
    return depth > TOLERANCE + _ROUNDING


def same(a: float, b: float) -> bool:
    """Whether two measures are equal for the rules."""
    return abs(a - b) <= TOLERANCE
