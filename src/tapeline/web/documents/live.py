"""Messages of the live connection, each a JSON object with `type`.

The page sends `Hello` first, then any of the others; the server sends `Now` after hello, `Grown`
whenever the log grew, and an answer to each `Try` that was not overtaken by a newer one.
"""

from __future__ import annotations

from typing import Literal

from tapeline.web.documents.base import Document, Values
from tapeline.web.documents.match import Match
from tapeline.web.documents.verdict import Verdict

__all__ = ["Hello", "Now", "Ping", "Pong", "Present", "Refused", "Tried", "Try"]


class Hello(Document):
    """First message: the secret of the link, and the version the page has (0 if none)."""

    type: Literal["hello"] = "hello"
    token: str
    version: int = 0


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
    """Who is connected: ids of sides, "watch" once for each onlooker."""

    type: Literal["present"] = "present"
    present: list[str]


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
