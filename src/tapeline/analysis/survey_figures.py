"""What a survey is asked and what it tells: figures of sides, goals, lanes, gaps and sight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tapeline.analysis.symmetry import Symmetry
from tapeline.geometry.plane.legs import Point

__all__ = [
    "KINDS",
    "LIMITS",
    "ROUNDED",
    "Array",
    "Choke",
    "Difference",
    "GoalFigures",
    "Lanes",
    "Lines",
    "SideFigures",
    "Survey",
    "SurveyOptions",
    "because",
    "compared",
    "off_words",
]

Array: TypeAlias = npt.NDArray[np.float64]
#: How much the sides may differ in a table called fair: shares in percent points, times in turns.
LIMITS = {"area": 2.0, "goal": 0.25, "sight": 5.0, "cover": 15.0}
#: Length: a table that is off by less may have had its corners rounded to hundredths.
ROUNDED = 0.02


@dataclass(frozen=True, slots=True)
class SurveyOptions:
    """base_mm: the base that goes and looks; move: how far in a turn, table units, as far as the
    system lets its body unless said. turns: how many are looked at. sizes_mm: bases for lanes and
    choke points. step: side of a square, inches. middle: radius of the middle, a sixth of the
    shorter edge unless said. tolerance: how nearly the same is the same, table units."""

    base_mm: float = 32.0
    move: float | None = None
    turns: int = 3
    sizes_mm: tuple[float, ...] = (25.0, 40.0, 60.0, 100.0)
    step: float = 1.0
    middle: float | None = None
    tolerance: float = 1e-6


@dataclass(frozen=True, slots=True)
class GoalFigures:
    """What a side has of a goal or the middle ("middle").

    way: length from its zone, table units, None if there is no way; turns: the same in moves.
    sees: share of it that somebody in the zone sees; seen_from: share of the zone from which any of
    it is seen. cover: share of that way that nobody in the other's zone sees.
    """

    id: str
    name: str
    way: float | None
    turns: float | None
    sees: float
    seen_from: float
    cover: float | None
    path: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class SideFigures:
    """One side: area: share of the table it gets to by turn 1, 2, ...; area_error: of each.
    room: share of the table where its base may be set up. sees: share of the table it sees from
    its zone. goals: the middle first."""

    side: str
    room: float
    area: tuple[float, ...]
    area_error: tuple[float, ...]
    sees: float
    goals: tuple[GoalFigures, ...]


@dataclass(frozen=True, slots=True)
class Lanes:
    """For one base: how many separate stretches of ground where both sides arrive together, how
    wide each is within a step, and the length of the way from zone to zone (None: shut)."""

    base_mm: float
    lanes: int
    widths: tuple[float, ...]
    places: tuple[Point, ...]
    across: float | None


@dataclass(frozen=True, slots=True)
class Choke:
    """A narrow gap: its width, exact, between what ("edge" is that of the table), its middle, and
    the widest of the bases that passes, None if none does."""

    width: float
    between: tuple[str, str]
    place: Point
    passes_mm: float | None


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of sight from zone to zone: share of pairs of eyes that see each other, and the length
    of the shortest and longest of them with their ends; None where there is none."""

    share: float
    shortest: float | None
    mean: float | None
    longest: float | None
    ends: tuple[tuple[Point, Point], ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of both sides: fair is whether they are within `limit` of each other."""

    what: str
    figures: tuple[float | None, float | None]
    unit: str
    limit: float
    fair: bool


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found. symmetry: as it is most nearly the same from both sides; symmetric: whether
    that holds within the tolerance. worst: the place where the sides differ most, how much further
    (table units) one has to it than the other to its counterpart, None where they do not. Ways are
    told apart up to a turn more than are looked at; blocked: whether the longer one at the worst
    place is none at all, or longer than that, so that the difference is a least one. off: what is
    not the same from both sides, in words.
    arrivals: length of the way of each side to the middle of each square, by row and column."""

    sides: tuple[SideFigures, SideFigures]
    symmetry: Symmetry
    symmetric: bool
    lanes: tuple[Lanes, ...]
    chokes: tuple[Choke, ...]
    sight: Lines
    differences: tuple[Difference, ...]
    fair: bool
    verdict: str
    worst: tuple[Point, float, str] | None
    move: float
    step: float
    notes: tuple[str, ...]
    options: SurveyOptions
    off: tuple[str, ...] = ()
    blocked: bool = False
    arrivals: tuple[Array, Array] = field(default=(np.empty(0),) * 2, repr=False, compare=False)

    @property
    def rounded(self) -> bool:
        """Whether it is off by so little that its corners may have been rounded."""
        return not self.symmetric and self.symmetry.apart < ROUNDED

    def document(self) -> dict[str, Any]:
        """As JSON, without the arrays."""
        whole = asdict(replace(self, arrivals=(np.empty(0),) * 2))
        del whole["arrivals"]
        told = {"apart": self.symmetry.apart, "rounded": self.rounded}
        return {"format": "tapeline-survey/1", **_plain({**whole, **told})}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


KINDS = {
    "point": "turned by half round its middle",
    "mirror-x": "mirrored west to east",
    "mirror-y": "mirrored south to north",
}


def off_words(symmetry: Symmetry, tolerance: float) -> tuple[str, ...]:
    """What is not the same from both sides, in words."""
    found = []
    for one in symmetry.off(tolerance):
        if one.other == one.id:
            found.append(
                f"{one.id} is {one.apart:.6g} off where it would be, {KINDS[symmetry.kind]}"
            )
        elif one.other:
            found.append(
                f"{one.id} and {one.other} are {one.apart:.6g} apart, {KINDS[symmetry.kind]}"
            )
        else:
            found.append(f"{one.id} has no counterpart, {KINDS[symmetry.kind]}")
    return tuple(found)


def because(unfair: Sequence[Difference]) -> str:
    """Unfair differences as a sentence tells them."""
    return "; ".join(
        f"{one.what} {_said(one.figures[0])} against {_said(one.figures[1])} {one.unit}"
        for one in unfair
    )


def _said(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def compared(
    what: str, one: float | None, other: float | None, unit: str, limit: float
) -> Difference:
    """A figure of both sides; fair where both have none, or they differ by no more than `limit`."""
    if one is None or other is None:
        return Difference(what, (one, other), unit, limit, one is other)
    return Difference(what, (one, other), unit, limit, abs(one - other) <= limit)
