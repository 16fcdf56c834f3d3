"""Where places of the table come to on a picture."""

from __future__ import annotations

from dataclasses import dataclass

from tapeline.picture import svg
from tapeline.picture.labels import Box
from tapeline.table.terrain import Circle, Outline

__all__ = ["Frame"]


@dataclass(frozen=True, slots=True)
class Frame:
    """From table units to pixels: y up becomes y down."""

    left: float
    top: float
    scale: float
    width: float
    depth: float

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        """Pixels of a point of the table."""
        return (self.left + point[0] * self.scale, self.top + (self.depth - point[1]) * self.scale)

    def outline(self, outline: Outline, **style: object) -> str:
        """An outline as an SVG element of that style."""
        if isinstance(outline, Circle):
            x, y = self.at((outline.x, outline.y))
            return svg.circle(x, y, outline.radius * self.scale, **style)
        return svg.polygon(map(self.at, outline.corners), **style)

    @property
    def area(self) -> Box:
        """The table in pixels."""
        return (
            self.left,
            self.top,
            self.left + self.width * self.scale,
            self.top + self.depth * self.scale,
        )

    @property
    def whole(self) -> bool:
        """Whether all of the table is shown, so that bases reach over nothing else."""
        return True

    @property
    def span(self) -> float:
        """The longer side of what is shown, table units."""
        left, top, right, bottom = self.area
        return max(right - left, bottom - top) / self.scale
