"""Distances between models: gaps by the reading in force, and contact (3.1)."""

from __future__ import annotations

import math

from tapeline.engine.bases import base_overlap
from tapeline.engine.limits import closer_than, within
from tapeline.engine.state import State
from tapeline.rules.mordheim.figures import CONTACT_RISE_IN
from tapeline.table.bodies import Body, Round

__all__ = ["flat_gap", "gap", "gap_of", "touching"]


def flat_gap(a: Body, b: Body) -> float:
    """Distance of two bases on the plan, inches: 0 where they overlap."""
    if isinstance(a.base, Round) and isinstance(b.base, Round):
        return max(0.0, math.hypot(a.x - b.x, a.y - b.y) - a.base.radius - b.base.radius)
    return max(0.0, -base_overlap(a, b))


def gap_of(state: State, flat: float, rise: float) -> float:
    """The gap for a distance on the plan and a difference of base heights, inches."""
    if rise == 0.0 or state.option("distance_mode") == "plan2d":
        return flat
    return math.hypot(flat, rise)


def gap(state: State, a: Body, b: Body) -> float:
    """Distance from base to base by the reading in force (`distance_mode`), inches."""
    return gap_of(state, flat_gap(a, b), a.z - b.z)


def touching(a: Body, b: Body) -> bool:
    """Whether two bases are in contact: no gap on the plan, less than 1 inch of height between."""
    if not closer_than(abs(a.z - b.z), CONTACT_RISE_IN):
        return False
    return within(flat_gap(a, b), 0.0)
