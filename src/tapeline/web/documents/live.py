"""Messages of the live connection, each a JSON object with `type`.

The page sends `Hello` first, then any of the others; the server sends `Now` after hello and
whenever the match has changed, `Talk` and `LookHere` as people speak and point, and an answer to
each `Try` that was not overtaken by a newer one.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tapeline.web.documents.base import Coordinate, Document, Values
from tapeline.web.documents.match import Commitment, Match
from tapeline.web.documents.verdict import Verdict

__all__ = [
    "Commit",
    "Draw",
    "Drawn",
    "Hello",
    "LookHere",
    "Mark",
    "Now",
    "Ping",
    "Point",
    "Pointed",
    "Pong",
    "Present",
    "Refused",
    "Remark",
    "Reveal",
    "Say",
    "Sketch",
    "Talk",
    "Tried",
    "Try",
]


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


#: 32 bytes, hexadecimal.
Key = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Hello(Document):
    """First message: the secret of the link, and the version the page has (0 if none).

    side: with a link of all sides, the one that is at the device; as the header Tapeline-Side.
    """

    type: Literal["hello"] = "hello"
    token: str
    version: int = 0
    side: str = ""


class Try(Document):
    """Judge without doing. Of several waiting ones only the newest is answered.

    action: an action, or None to try an answer (`path`) to the open question. seq: given back.
    nearest: whether a refusal comes with the nearest legal move, which may take long to find.
    """

    type: Literal["try"] = "try"
    seq: int
    version: int
    action: Values | None = None
    path: list[Values] | None = None
    nearest: bool = True


class Commit(Document):
    """Take a share in the dice of a match by links, while this page is there. commitment: what
    comes before the first key of a chain (docs/decisions/0012-dice-fixed-beforehand.md)."""

    type: Literal["commit"] = "commit"
    commitment: Key


class Reveal(Document):
    """The key of the next entry, once the log says that a roll waits for it."""

    type: Literal["reveal"] = "reveal"
    commitment: Key
    number: Annotated[int, Field(ge=1, le=32_768, strict=True)]
    key: Key


class Ping(Document):
    """Are you there?"""

    type: Literal["ping"] = "ping"


class Pong(Document):
    """Yes."""

    type: Literal["pong"] = "pong"


class Now(Document):
    """The match as it stands: after hello, and whenever it changed."""

    type: Literal["now"] = "now"
    match: Match


class Present(Document):
    """Who is connected: ids of sides, "watch" once for each onlooker; and who has a share in the
    dice."""

    type: Literal["present"] = "present"
    present: list[str]
    commitments: list[Commitment] = []


class Talk(Document):
    """What was said since the page was told last; after hello the newest."""

    type: Literal["talk"] = "talk"
    remarks: list[Remark]


class LookHere(Document):
    """Somebody points at a place. Only the newest is told; it is kept nowhere."""

    type: Literal["look"] = "look"
    pointed: Pointed


class Sketch(Document):
    """Somebody shows what he has drawn on the board, in place of what he showed before. It is kept
    nowhere."""

    type: Literal["sketch"] = "sketch"
    drawn: Drawn


class Tried(Document):
    """The verdict on a try. stale: it was for another version and was not judged."""

    type: Literal["tried"] = "tried"
    seq: int
    version: int
    stale: bool = False
    verdict: Verdict | None = None
    fault: str = ""


class Refused(Document):
    """A message that cannot be used, or a connection that is closed, and why."""

    type: Literal["refused"] = "refused"
    why: str
