"""Paths as documents give them: legs, straight unless said otherwise, rotations explicit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, TypeAlias

from tapeline.errors import AnswerError
from tapeline.geometry.plane.legs import Arc, Line, Point, arc_from
from tapeline.table.marks import Marks, Value

__all__ = ["Leg", "LegPath", "Place", "Point", "legs_from_value", "legs_of"]


class Place(NamedTuple):
    """Centre of a base and the height of what it stands on."""

    x: float
    y: float
    z: float

    @property
    def xy(self) -> Point:
        """The same on the plan."""
        return self.x, self.y


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg of a path; exactly one of four forms.

    Straight: `to` (and `z`, the height at its end, if it changes). Arc: `centre` and `by`, the
    signed angle in degrees about it. Turn on the spot: `by` alone, degrees. Free: `to` and `by`
    with how "free": straight to the point while turning evenly by the angle.
    how: the manner of a straight leg where a system knows several; "walk" is the plain one.
    """

    to: Point | None = None
    z: float | None = None
    centre: Point | None = None
    by: float | None = None
    how: str = "walk"

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}

    def __post_init__(self) -> None:
        if self.is_free:
            if self.to is None or self.by is None or self.centre is not None:
                raise ValueError("a free leg needs to and by, and no centre")
        elif (self.to is None) == (self.by is None):
            raise ValueError("a leg is straight (to) or turns (by), not both and not neither")
        if self.centre is not None and self.by is None:
            raise ValueError("an arc needs by, the angle in degrees")
        if self.z is not None and self.to is None:
            raise ValueError("z is the height at the end of a straight leg")

    @classmethod
    def about(cls, cx: float, cy: float, sweep: float) -> Leg:
        """An arc about a centre by a signed angle, radians."""
        return cls(centre=(cx, cy), by=math.degrees(sweep))

    @property
    def is_arc(self) -> bool:
        """Whether the leg is an arc about a centre."""
        return self.centre is not None

    @property
    def is_free(self) -> bool:
        """Whether the leg goes straight while it turns evenly."""
        return self.how == "free"

    @property
    def is_turn(self) -> bool:
        """Whether the leg is a turn on the spot."""
        return self.by is not None and self.centre is None and self.to is None

    def shape(self, x: float, y: float) -> Line | Arc | None:
        """What the centre of a base goes along from a place of the plan; None if it only turns.

        >>> Leg(centre=(0.0, 0.0), by=180.0).shape(2.0, 0.0).length / math.pi
        2.0
        """
        if self.to is not None:
            return Line(x, y, *self.to)
        if self.centre is None or self.by is None:
            return None
        return arc_from(x, y, *self.centre, math.radians(self.by))


#: A whole path, in order; it begins where the body stands.
LegPath: TypeAlias = tuple[Leg, ...]


def legs_of(shapes: Iterable[Line | Arc], height: float | None = None) -> LegPath:
    """Lines and arcs on the plan as legs; a straight last one says its height, if given.

    >>> legs_of([Line(0.0, 0.0, 3.0, 4.0)])[0].to
    (3.0, 4.0)
    """
    legs = [
        Leg(to=(shape.bx, shape.by)) if isinstance(shape, Line) else Leg.about(*shape.turn)
        for shape in shapes
    ]
    if legs and height is not None and not legs[-1].is_arc:
        legs[-1] = replace(legs[-1], z=height)
    return tuple(legs)


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e6:
        raise AnswerError(f"{what} must be a number; got {value!r}")
    return float(value)


def _point(value: Any, what: str) -> Point:
    if not isinstance(value, tuple) or len(value) != 2:
        raise AnswerError(f"{what} must be a point [x, y]; got {value!r}")
    return _number(value[0], what), _number(value[1], what)


def legs_from_value(value: Value) -> LegPath:
    """Legs given as the answer to a question. Raises AnswerError with the place of the fault."""
    if not isinstance(value, tuple):
        raise AnswerError("a path is a list of legs")
    legs = []
    for index, item in enumerate(value):
        where = f"path[{index}]"
        if not isinstance(item, Marks):
            raise AnswerError(
                f"{where} must be an object with to, or centre and by, or by, or to and by"
            )
        unknown = set(item) - {"to", "z", "centre", "by", "how"}
        if unknown:
            raise AnswerError(f"{where} has unknown keys {', '.join(sorted(unknown))}")
        how = item.get("how", "walk")
        if not isinstance(how, str):
            raise AnswerError(f"{where}.how must be a text; got {how!r}")
        try:
            legs.append(
                Leg(
                    _point(item["to"], f"{where}.to") if "to" in item else None,
                    _number(item["z"], f"{where}.z") if "z" in item else None,
                    _point(item["centre"], f"{where}.centre") if "centre" in item else None,
                    _number(item["by"], f"{where}.by") if "by" in item else None,
                    how,
                )
            )
        except AnswerError:
            raise
        except ValueError as error:
            raise AnswerError(f"{where}: {error}") from None
    return tuple(legs)
