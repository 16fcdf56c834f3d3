"""A worker: a process that follows the logs of matches and answers what it is asked.

A question is a head of JSON and bytes that belong to it; an answer is a letter, what the memory of
the worker has grown by, and bytes. Letters: A an answer, E an error, F the log cannot be followed,
O it took too long and was given up, M there was not enough memory, B a mistake of ours. Lengths go
before, four bytes each.
"""

from __future__ import annotations

import contextlib
import json
import logging
import signal
import socket
from typing import Any, BinaryIO

from pydantic import BaseModel

from tapeline.errors import TapelineError
from tapeline.play.match import Match
from tapeline.web.work.faults import error_said
from tapeline.web.work.followed import Answer, Followed
from tapeline.web.work.kinds import resident
from tapeline.web.work.no_match import OF_ITSELF
from tapeline.web.work.questions import ABOUT_A_MATCH

__all__ = ["Desk", "serve"]

#: Matches that a worker follows at most.
FOLLOWED = 200

#: Seconds of processor beyond what an answer may take after which a worker ends itself, should
#: nobody else be left to end it.
ALONE_S = 2.0

#: Seconds of processor after which it is tried again to give an answer up.
AGAIN_S = 0.05


class _GivenUpError(BaseException):
    """An answer has taken as long as it may. No Exception, as nobody on the way may take it."""


class Desk:
    """The matches that a worker follows, the one asked about last at the end."""

    def __init__(self) -> None:
        self._matches: dict[str, Followed] = {}

    def answer(self, asked: dict[str, Any], content: bytes) -> tuple[bytes, bytes]:
        """The letter and the bytes of the answer."""
        try:
            if "match" not in asked:
                return b"A", _bytes(OF_ITSELF[asked["what"]](asked["said"], content))
            if asked["what"] == "follow":
                return self._follow(asked["match"], asked["said"]["anew"], content)
            held = self._matches.pop(asked["match"], None)
            if held is None:
                # Put down for others meanwhile: it is told again.
                return b"F", b"unknown"
            self._matches[asked["match"]] = held
            return b"A", _bytes(ABOUT_A_MATCH[asked["what"]](held, asked["said"]))
        except TapelineError as error:
            return b"E", json.dumps(error_said(error)).encode()
        except (MemoryError, RecursionError) as error:
            self._matches.clear()
            return b"M", type(error).__name__.encode()

    def put_down(self, match_id: str | None) -> None:
        """Follow a match no more, as what was worked out about it may be half done."""
        self._matches.pop(match_id or "", None)

    def _follow(self, match_id: str, anew: bool, content: bytes) -> tuple[bytes, bytes]:
        lines = content.decode().split("\n")
        held = self._matches.pop(match_id, None)
        try:
            if anew:
                held = Followed(Match.replay(lines))
            elif held is not None:
                held.follow(lines)
            else:
                return b"F", b"unknown"
        except TapelineError as error:
            return b"F", str(error)[:2000].encode()
        self._matches[match_id] = held
        while len(self._matches) > FOLLOWED:
            del self._matches[next(iter(self._matches))]
        return b"A", b""


def _bytes(answer: Answer) -> bytes:
    if isinstance(answer, bytes):
        return answer
    if isinstance(answer, BaseModel):
        answer = answer.model_dump_json()
    return b"null" if answer is None else answer.encode("utf-8", "backslashreplace")


def serve(line: socket.socket) -> None:
    """Answer until nobody asks any more, also if a server that was killed is in mid-question."""
    with contextlib.suppress(ConnectionError, EOFError), line.makefile("rb") as asking:
        _serve(line, asking)


def _serve(line: socket.socket, asking: BinaryIO) -> None:
    desk, begun = Desk(), resident()
    if hasattr(signal, "SIGVTALRM"):
        signal.signal(signal.SIGVTALRM, _give_up)
    line.sendall(b"R")
    while True:
        sizes = _exactly(asking, 8)
        head = json.loads(_exactly(asking, int.from_bytes(sizes[:4], "big")))
        content = _exactly(asking, int.from_bytes(sizes[4:], "big"))
        try:
            _at_most(head["seconds"])
            letter, answer = desk.answer(head, content)
            _at_most(None)
        except _GivenUpError:
            _no_more()
            desk.put_down(head.get("match"))
            letter, answer = b"O", b""
        except Exception:
            _no_more()
            logging.getLogger("tapeline.web").exception("a question of kind %r", head["what"])
            letter, answer = b"B", b""
        grown = max(0, resident() - begun) >> 10
        line.sendall(letter + grown.to_bytes(4, "big") + len(answer).to_bytes(4, "big") + answer)


def _exactly(asking: BinaryIO, count: int) -> bytes:
    """So many bytes. Raises EOFError."""
    found = asking.read(count)
    if len(found) < count:
        raise EOFError
    return found


def _give_up(*_: object) -> None:
    raise _GivenUpError


def _no_more() -> None:
    """Stop the clock, also if it strikes once more meanwhile."""
    while True:
        try:
            _at_most(None)
            return
        except _GivenUpError:
            continue


def _at_most(seconds: float | None) -> None:
    """Raise _GivenUpError after so many seconds of processor, end the process if it goes on.

    None: no more.
    """
    if not hasattr(signal, "setitimer"):
        return
    if seconds is None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    else:
        signal.setitimer(signal.ITIMER_PROF, seconds + ALONE_S)
        signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, 1e-6), AGAIN_S)
