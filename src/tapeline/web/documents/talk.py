"""What people say to each other at the table, and where they point."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tapeline.web.documents.base import Document

__all__ = ["Draw", "Drawn", "Mark", "Point", "Pointed", "Remark", "Say"]

#: Far beyond any table, so that no figure overflows.
Coordinate = Annotated[float, Field(ge=-1e4, le=1e4, allow_inf_nan=False)]


class Say(Document):
    """Something to be said to all who are at the table: plain text, shown as such."""

    text: Annotated[str, Field(min_length=1, max_length=400)]


class Remark(Document):
    """What somebody has said. n: its number in the match, from 1. by: a side, "both" for who plays
    all of them, "watch" for an onlooker. at: seconds since 1970."""

    n: int
    by: str
    text: str
    at: float


class Point(Document):
    """Point at a place of the table: all who look see it for a moment."""

    x: Coordinate
    y: Coordinate
    z: Coordinate = 0.0


class Mark(Document):
    """An arrow or a ring that somebody has drawn on the board. to: where an arrow ends. look: which
    of three colours, each with a line of its own."""

    x: Coordinate
    y: Coordinate
    z: Coordinate = 0.0
    to: tuple[Coordinate, Coordinate] | None = None
    look: Annotated[int, Field(ge=0, le=2, strict=True)] = 0


class Draw(Document):
    """Show the others what one has drawn, in place of what they were shown before."""

    marks: Annotated[list[Mark], Field(max_length=40)]


class Drawn(Draw):
    """What somebody has drawn. by: as of `Remark`."""

    by: str


class Pointed(Point):
    """A place that somebody points at. by: as of `Remark`."""

    by: str
