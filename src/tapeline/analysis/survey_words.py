"""How a survey compares the two sides, and says what is not the same."""

from __future__ import annotations

from collections.abc import Sequence

from tapeline.analysis.survey_figures import Difference
from tapeline.analysis.symmetry import Symmetry

__all__ = ["KINDS", "because", "compared", "off_words"]


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
