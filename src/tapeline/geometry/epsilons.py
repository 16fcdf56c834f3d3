"""Numeric epsilons of the kernels, each with its dimension and the reason for its size.

No rule limit is among them: rules compare in `engine/limits.py`.
"""

from __future__ import annotations

__all__ = ["ANGLE", "AREA", "LENGTH", "RELATIVE"]

#: Length, table units. Coordinates go up to about 200, so a double holds them to 3e-14 and a
#: distance after a few operations to about 1e-12. Below this two points are one.
LENGTH = 1e-9

#: Angle, radians: LENGTH seen from 1 unit away.
ANGLE = 1e-9

#: Area, square units: a square of side LENGTH times the largest side of a table would be 2e-7;
#: outlines thinner than this have no inside that a base could tell.
AREA = 1e-12

#: No dimension: relative rounding of a handful of operations on doubles.
RELATIVE = 1e-12
