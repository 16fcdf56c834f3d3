"""Rings of corners from a mesh of squares whose corners are inside or outside of a region."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["rings_of"]

#: Sides of a square: 0 south, 1 east, 2 north, 3 west. For each case (bit 0 south-west, 1
#: south-east, 2 north-east, 3 north-west inside) the sides a border enters and leaves by, the
#: inside on its left.
_CASES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 3),),
    ((1, 0),),
    ((1, 3),),
    ((2, 1),),
    ((0, 3), (2, 1)),
    ((2, 0),),
    ((2, 3),),
    ((3, 2),),
    ((0, 2),),
    ((1, 0), (3, 2)),
    ((1, 2),),
    ((3, 1),),
    ((0, 1),),
    ((3, 0),),
    (),
)
#: The two saddles when the middle is inside: the two inside corners are joined.
_JOINED = {5: ((0, 1), (2, 3)), 10: ((1, 2), (3, 0))}


def rings_of(
    x0: float,
    y0: float,
    step: float,
    n: int,
    inside: Sequence[int],
    place: Sequence[float],
    crossed: Sequence[int],
    middle: Callable[[float, float], bool],
) -> list[tuple[tuple[float, float], ...]]:
    """The border of what is inside, as rings with the inside on their left.

    inside, place, crossed: as `march` fills them in for n by n corners. middle: whether a place is
    inside, asked where a square's corners leave it open how they are joined.
    """
    squares: set[int] = set()
    for k in map(int, crossed):
        corner, up = divmod(k, 2)
        for square in (corner, corner - 1 if up else corner - n):
            if square >= 0 and square % n < n - 1 and square // n < n - 1:
                squares.add(square)
    follow: dict[int, int] = {}
    for s in sorted(squares):
        case = int(inside[s] + 2 * inside[s + 1] + 4 * inside[s + n + 1] + 8 * inside[s + n])
        pairs = _CASES[case]
        if case in _JOINED and middle(x0 + step * (s % n + 0.5), y0 + step * (s // n + 0.5)):
            pairs = _JOINED[case]
        sides = (2 * s, 2 * (s + 1) + 1, 2 * (s + n), 2 * s + 1)
        for enter, leave in pairs:
            follow[sides[enter]] = sides[leave]

    def at(side: int) -> tuple[float, float]:
        corner, up = divmod(side, 2)
        x, y = x0 + step * (corner % n), y0 + step * (corner // n)
        t = step * float(place[side])
        return (x, y + t) if up else (x + t, y)

    rings = []
    while follow:
        side = next(iter(follow))
        ring = []
        while side in follow:
            ring.append(at(side))
            side = follow.pop(side)
        if len(ring) > 2:
            rings.append(tuple(ring))
    return rings
