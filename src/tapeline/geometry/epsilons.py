"""Numeric epsilons of the kernels, each with its dimension and the reason for its size.

No rule limit is among them: rules compare in `engine/limits.py`.
"""

from __future__ import annotations

__all__ = [
    "ANGLE",
    "AREA",
    "BESIDE",
    "LENGTH",
    "NARROW_LEG",
    "PARALLEL",
    "RELATIVE",
    "ROUNDING",
    "SAME_DIRECTION",
    "STRETCH",
]

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

# Rectangles and sight.

#: Length or angle, absolute: what a few operations on table coordinates round by, with room. Ties
#: of nearest pairs, facings that are quarter turns (1e-12 rad moves nothing on a table of 1000 by
#: more than 1e-9), crossings at the end of a piece, ranges of directions not worth halving.
ROUNDING = 1e-12

#: Length, or measure along a motion: stretches shorter than this are rounding between two critical
#: places that are one, and sides meant to be parallel differ by as much.
STRETCH = 1e-13

#: Length: a corner so little beyond the end of a side, or so little behind the outermost, is still
#: looked at on a free leg; what is looked at needlessly costs time only.
BESIDE = 1e-5

#: Cosine between a direction and a normal below which the direction runs along the side; over a
#: slide of 1000 the gap then changes by less than 1e-11.
PARALLEL = 1e-14

#: Angle between directions that are one in double precision, rad.
SAME_DIRECTION = 1e-15

#: Fraction of a free leg below which halving stops: a root that no interval test tells from a
#: double one, where the shapes overlap by less than the square of it.
NARROW_LEG = 1e-8
