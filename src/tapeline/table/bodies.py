"""Bodies: everything that stands on the table on a base of its own and moves as one piece.

A single model, a stand and a ranked regiment are all bodies; a unit groups bodies that are
moved by one order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeAlias

from tapeline.table.marks import EMPTY, Marks, Value

__all__ = ["MM_PER_UNIT", "Base", "Body", "Rectangle", "Round", "Unit"]

#: How many millimetres one table unit holds. Bases are given in mm, tables in inches or cm.
MM_PER_UNIT = {"in": 25.4, "cm": 10.0}


@dataclass(frozen=True, slots=True)
class Round:
    """A round base; `radius` in table units."""

    radius: float

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}

    @property
    def reach(self) -> float:
        """Largest distance from the centre to a point of the base, table units."""
        return self.radius

    @property
    def inner(self) -> float:
        """Radius of the largest circle within the base, table units."""
        return self.radius


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangular base; `width` across the front, `depth` along the facing, table units."""

    width: float
    depth: float

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}

    @property
    def reach(self) -> float:
        """Largest distance from the centre to a point of the base, table units."""
        return 0.5 * math.hypot(self.width, self.depth)

    @property
    def inner(self) -> float:
        """Radius of the largest circle within the base, table units."""
        return 0.5 * min(self.width, self.depth)


Base: TypeAlias = Round | Rectangle


@dataclass(frozen=True, slots=True)
class Body:
    """One body on the table.

    x, y, z: centre of the base and the height it stands at, table units.
    facing: degrees, 0 = +x, counter-clockwise.
    stats: what its profile says; marks: what has happened to it.
    """

    id: str
    side: str
    name: str
    base: Base
    x: float
    y: float
    z: float = 0.0
    facing: float = 0.0
    profile: str = ""
    stats: Marks = EMPTY
    marks: Marks = EMPTY
    _digest: list[str] = field(default_factory=list, compare=False, repr=False)

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the base, table units."""
        return (self.x, self.y)

    def at(self, x: float, y: float, z: float | None = None, facing: float | None = None) -> Body:
        """The same body somewhere else; z and facing stay unless given."""
        return Body(
            self.id, self.side, self.name, self.base, x, y, self.z if z is None else z,
            self.facing if facing is None else facing, self.profile, self.stats, self.marks,
        )  # fmt: skip

    def marked(self, **changes: Value) -> Body:
        """The same body with marks changed; None takes a mark away."""
        return replace(self, marks=self.marks.update(changes), _digest=[])

    def based(self, base: Base) -> Body:
        """The same body on another base."""
        return Body(
            self.id, self.side, self.name, base, self.x, self.y, self.z, self.facing, self.profile,
            self.stats, self.marks,
        )  # fmt: skip

    def has(self, mark: str) -> bool:
        """Whether a mark is set and not false, zero or empty."""
        return bool(self.marks.get(mark))

    def stat(self, name: str, default: float = 0.0) -> float:
        """A number of the profile; `default` where the profile does not give it."""
        value = self.stats.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return default
        return float(value)

    def keyword(self, name: str) -> bool:
        """Whether the profile lists the keyword or property."""
        words = self.stats.get("keywords", ())
        return isinstance(words, tuple) and name in words


@dataclass(frozen=True, slots=True)
class Unit:
    """Bodies that are ordered together, in the order of their owner."""

    id: str
    side: str
    name: str
    members: tuple[str, ...]
    profile: str = ""
    stats: Marks = EMPTY
    marks: Marks = EMPTY

    def has(self, mark: str) -> bool:
        """Whether a mark is set and not false, zero or empty."""
        return bool(self.marks.get(mark))
