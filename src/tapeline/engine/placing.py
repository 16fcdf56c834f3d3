"""Do two bases share ground, and by how much?"""

from __future__ import annotations

import math

from tapeline.table.bodies import Body, Rectangle, Round

__all__ = ["base_overlap"]


def base_overlap(a: Body, b: Body) -> float:
    """Depth by which two bases overlap, table units; zero or less when they do not."""
    if isinstance(a.base, Round) and isinstance(b.base, Round):
        return a.base.radius + b.base.radius - math.hypot(a.x - b.x, a.y - b.y)
    if isinstance(a.base, Rectangle) and isinstance(b.base, Rectangle):
        raise NotImplementedError
    raise NotImplementedError
