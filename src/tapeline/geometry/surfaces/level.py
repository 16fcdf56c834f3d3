"""One level: its field, its height, and how a sloping one lies in plan."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tapeline.errors import ShapeError
from tapeline.geometry import backends
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.distance import Ring, ring_area

__all__ = ["Level", "Slope", "fence"]


@dataclass(frozen=True, slots=True)
class Slope:
    """A plane that rises along `angle` (radians): a plan length along it is `factor` as long.

    factor: 1 / cos of the steepness, 1 or more; a slope of 1:1 has sqrt(2). (x, y): a place whose
    coordinates stay. Raises ShapeError for numbers that will not do.
    """

    angle: float
    factor: float
    x: float = 0.0
    y: float = 0.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(v) for v in (self.angle, self.factor, self.x, self.y)):
            raise ShapeError("a slope needs finite numbers")
        if self.factor < 1.0:
            raise ShapeError(f"a slope's factor must be 1 or more, not {self.factor}")

    @classmethod
    def rising(cls, angle: float, rise: float, run: float, x: float = 0.0, y: float = 0.0) -> Slope:
        """A slope that rises by `rise` over a plan length `run` along `angle`."""
        if not (math.isfinite(rise) and math.isfinite(run) and run > 0.0):
            raise ShapeError("a slope needs a finite rise and a run above 0")
        return cls(angle, math.hypot(rise, run) / run, x, y)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the plan lies in the slope's own plane."""
        return self._stretched(x, y, self.factor)

    def plan(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the slope's own plane lies in plan."""
        return self._stretched(x, y, 1.0 / self.factor)

    def ring(self, ring: Ring) -> list[float]:
        """A ring, or segment ends, of the plan in the slope's own plane; flat x, y."""
        flat: list[float] = []
        for i in range(0, len(ring), 2):
            flat += self.point(ring[i], ring[i + 1])
        return flat

    def rise(self, x: float, y: float) -> float:
        """How much higher a place of the plan lies than (self.x, self.y)."""
        ux, uy = math.cos(self.angle), math.sin(self.angle)
        along = (x - self.x) * ux + (y - self.y) * uy
        return along * math.sqrt((self.factor - 1.0) * (self.factor + 1.0))

    def _stretched(self, x: float, y: float, factor: float) -> tuple[float, float]:
        ux, uy = math.cos(self.angle), math.sin(self.angle)
        more = ((x - self.x) * ux + (y - self.y) * uy) * (factor - 1.0)
        return x + more * ux, y + more * uy


class Level:
    """A level: its field (in its own plane), height, and slope if it has one. Never changes.

    height: of the whole level, or of (slope.x, slope.y). compiled: the backend of the field.
    """

    __slots__ = ("_field", "compiled", "height", "id", "slope")

    def __init__(
        self,
        id: str,
        field: Field | Callable[[bool], Field],
        height: float = 0.0,
        slope: Slope | None = None,
    ) -> None:
        """field: or what makes it, for a backend, when it is asked for first: few of many levels
        over gaps ever are."""
        self.id, self.height, self.slope = id, height, slope
        self._field = field
        self.compiled = field.compiled if isinstance(field, Field) else backends.chosen()

    @property
    def field(self) -> Field:
        """What stands on it."""
        if not isinstance(self._field, Field):
            self._field = self._field(self.compiled)
        return self._field

    def on_backend(self, compiled: bool) -> Level:
        """The same level in plain Python or compiled."""
        if compiled == self.compiled:
            return self
        return Level(self.id, self.field.on_backend(compiled), self.height, self.slope)

    def own(self, x: float, y: float) -> tuple[float, float]:
        """A place of the plan in the level's own plane."""
        return (x, y) if self.slope is None else self.slope.point(x, y)

    def plan(self, x: float, y: float) -> tuple[float, float]:
        """A place of the level's own plane in plan."""
        return (x, y) if self.slope is None else self.slope.plan(x, y)

    def height_at(self, x: float, y: float) -> float:
        """The height of a place of the plan."""
        return self.height + (0.0 if self.slope is None else self.slope.rise(x, y))


def fence(outline: Ring, beyond: float = 4.0) -> list[list[float]]:
    """Two rings that keep a centre within an outline; give them to a field as `grounds`.

    An outline may have nooks, and ways bend round their corners, so it is an obstacle like others.
    (The common part of discs is convex: `reach.reach` needs no obstacle for it.)

    The centre may go on the outline itself. beyond: how far they go on outside it; a field whose
    table is larger would leave room there. Raises ShapeError for an outline without area.
    """
    flat = [float(v) for v in outline]
    if len(flat) < 6 or len(flat) % 2 or not all(math.isfinite(v) for v in flat):
        raise ShapeError("an outline needs 3 corners or more, flat x, y, all finite")
    if not (math.isfinite(beyond) and beyond > 0.0):
        raise ShapeError(f"a fence goes beyond its outline by more than 0, not {beyond}")
    corners = list(zip(flat[0::2], flat[1::2], strict=True))
    area = ring_area(flat)
    if area == 0.0:
        raise ShapeError("the outline has no area")
    if area < 0.0:
        corners.reverse()
    x0, x1 = min(flat[0::2]) - beyond, max(flat[0::2]) + beyond
    y0, y1 = min(flat[1::2]) - beyond, max(flat[1::2]) + beyond
    n = len(corners)
    low = min(range(n), key=lambda i: (corners[i][1], corners[i][0]))
    high = max(range(n), key=lambda i: (corners[i][1], corners[i][0]))
    rings = []
    # Each ring goes all the way round, cut open below or above; the cuts cover each other.
    for at, edge, box in (
        (low, y0, [(x1, y0), (x1, y1), (x0, y1), (x0, y0)]),
        (high, y1, [(x0, y1), (x0, y0), (x1, y0), (x1, y1)]),
    ):
        cut = (corners[at][0], edge)
        inner = [corners[(at - k) % n] for k in range(n + 1)]
        ring = [cut, *box, cut, *inner]
        rings.append([v for corner in ring for v in corner])
    return rings
