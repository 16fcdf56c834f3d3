"""Levels and the ways between them, as searches over them see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from tapeline.geometry.discs.board import SLACK
from tapeline.geometry.discs.obstacles import Circle
from tapeline.geometry.surfaces.gates import Gates
from tapeline.geometry.surfaces.level import Level
from tapeline.geometry.surfaces.links import Gate, Link, Portal
from tapeline.geometry.surfaces.portal_gaps import Around
from tapeline.geometry.surfaces.way_boxes import WayBoxes

__all__ = ["Network"]


class Network(Protocol):
    """Levels, links and portals. `Levels` is one; its methods say what each gives."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels, by number."""

    @property
    def links(self) -> tuple[Link, ...]:
        """The links."""

    @property
    def portals(self) -> tuple[Portal, ...]:
        """The portals."""

    def number(self, name: str) -> int:
        """The number of a level."""

    def level(self, name: str) -> Level:
        """A level by id."""

    def sides(self, way: Link | Portal) -> tuple[complex, complex, complex, complex]:
        """Where a way is entered, and left."""

    def boxes(self) -> WayBoxes:
        """Its links and portals, and more it may be, by the boxes of their ends."""

    def numbers(self) -> Any:
        """Its links, then its portals, by number there. An array."""

    def check(self, r: float, forbid: Iterable[str] = (), slack: float = SLACK) -> None:
        """Raise ShapeError for links that a disc cannot use."""

    def matrix(
        self, r: float, zones: Mapping[str, Sequence[Circle]] | None = None, slack: float = SLACK
    ) -> Gates:
        """The gates of a disc and how far apart they are."""

    def around(
        self, at: int, r: float, zones: Mapping[str, Sequence[Circle]], slack: float
    ) -> Around:
        """A level as a disc finds it, by number."""

    def room(
        self, gate: Gate, leaving: bool, side: int, r: float, zones: Sequence[Circle], slack: float
    ) -> bool:
        """Whether there is room beside a gate's piece."""
