"""Terrain: pieces with an outline, a height and traits. What a trait does is each system's rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["Battlefield", "Circle", "Outline", "Piece", "Polygon"]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A simple polygon, concave allowed; corners counter-clockwise, table units."""

    corners: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle, table units."""

    x: float
    y: float
    radius: float


Outline: TypeAlias = Polygon | Circle


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of terrain; its ground is the union of its outlines.

    bottom, top: heights above the table of its underside and its upper side, table units.
    traits: what the rules ask of it, such as "difficult", "impassable" or "opaque".
    """

    id: str
    kind: str
    name: str
    outlines: tuple[Outline, ...]
    bottom: float = 0.0
    top: float = 0.0
    traits: frozenset[str] = frozenset()

    def has(self, trait: str) -> bool:
        """Whether the piece has the trait."""
        return trait in self.traits


@dataclass(frozen=True, slots=True)
class Battlefield:
    """The table and its terrain; never changes during a game.

    width along x, depth along y, origin at a corner; unit "in" or "cm".
    `prepared` keeps what a system derives from the terrain once, such as its kernel arrays.
    """

    width: float
    depth: float
    unit: str
    pieces: tuple[Piece, ...] = ()
    prepared: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    def piece(self, piece_id: str) -> Piece:
        """The piece of that id; KeyError if there is none."""
        for piece in self.pieces:
            if piece.id == piece_id:
                return piece
        raise KeyError(piece_id)
