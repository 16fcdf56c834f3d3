"""Who answers what is asked of the referee: worker threads, or processes of their own.

A thread shares one interpreter with the server, which a long search holds up. Judges are child
processes that follow the logs of matches line by line; a match keeps to one of them. Long searches
have a judge to themselves, so that no drag waits for them. A judge that takes too long or dies is
replaced; nothing of a match is lost with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import BaseModel

from tapeline.errors import (
    AnswerError,
    DocumentError,
    Fault,
    MeasuringError,
    TapelineError,
    WorkLimitError,
)
from tapeline.play.match import Match
from tapeline.web.hub.deeds import lines_after
from tapeline.web.hub.judging import ASKED, Arguments
from tapeline.web.hub.turns import Turns

__all__ = ["Judges", "Pick", "Wanted", "answer_text", "error_from", "error_said"]

#: What is quick, and asked with every move of a pointer.
QUICK = ("try", "try answer")

#: Matches that a judge follows at most.
FOLLOWED = 200

#: What an answer about a match is taken to take that was not asked about yet, seconds.
USUAL_S = 0.005
SHORTEST_S = 0.0002

#: Bytes of an answer at most.
LARGEST = 64 * 1024 * 1024


def answer_text(document: BaseModel | None) -> str:
    """A document as it travels."""
    return "null" if document is None else document.model_dump_json()


def error_said(error: TapelineError) -> dict[str, Any]:
    """An error as JSON values."""
    if isinstance(error, DocumentError):
        faults = [[fault.path, fault.message] for fault in error.faults]
        return {"error": "document", "what": error.what, "faults": faults}
    if isinstance(error, MeasuringError):
        return {"error": "measuring", "reasons": [list(reason) for reason in error.reasons]}
    kind = "answer" if isinstance(error, AnswerError) else "other"
    return {"error": kind, "message": str(error)}


def error_from(said: dict[str, Any]) -> TapelineError:
    """The error that `error_said` has told."""
    if said["error"] == "document":
        return DocumentError(said["what"], [Fault(path, words) for path, words in said["faults"]])
    if said["error"] == "measuring":
        return MeasuringError([(clause, text) for clause, text in said["reasons"]])
    if said["error"] == "answer":
        return AnswerError(said["message"])
    return TapelineError(said["message"])


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a match: `what` as in `judging.ASKED`, with its arguments."""

    match: Match
    what: str
    said: Arguments


#: Says what is asked when its turn has come, so that it may be the newest; None: nothing any more.
Pick: TypeAlias = Callable[[], Wanted | None]


class _Judge:
    """One process. `follows`: how many entries it knows of each match, the last asked last;
    `_takes`: about how many seconds an answer takes."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.follows: OrderedDict[str, int] = OrderedDict()
        self._child: asyncio.subprocess.Process | None = None
        self._takes: OrderedDict[str, float] = OrderedDict()
        self._ending: set[asyncio.Task[None]] = set()
        self._warm = False

    async def begin(self) -> None:
        """Have it started before it is asked."""
        async with self.turns.turn(1.0):
            if self._child is None:
                await self._begin()

    async def ask(self, match_id: str, pick: Pick, patience: float) -> str | None:
        """The answer as JSON, None if nothing is asked any more when the turn has come.

        Raises TapelineError, TimeoutError, and OSError if the process has died.
        """
        takes = self._takes.pop(match_id, USUAL_S)
        self._takes[match_id] = takes
        async with self.turns.turn(takes):
            wanted = pick()
            if wanted is None:
                return None
            begun = time.monotonic()
            try:
                async with asyncio.timeout(patience):
                    return await self._ask(match_id, wanted.match, wanted.what, wanted.said)
            except TapelineError:
                raise
            except BaseException:
                # Also when whoever asked is gone: the answer would be taken for the next one.
                self.kill()
                raise
            finally:
                took = time.monotonic() - begun
                self._takes[match_id] = 0.7 * takes + 0.3 * max(took, SHORTEST_S)
                while len(self._takes) > FOLLOWED:
                    self._takes.popitem(last=False)

    async def _ask(self, match_id: str, match: Match, what: str, said: Arguments) -> str:
        if self._child is not None and self._child.returncode is not None:
            self.kill()
        if self._child is None:
            await self._begin()
        known = self.follows.pop(match_id, -1)
        version = len(match.entries)
        if known > version:
            known = -1
        message: dict[str, Any] = {"id": match_id, "what": what, "said": dict(said)}
        if known < version:
            message["lines"] = [*match.lines()] if known < 0 else lines_after(match, known)
            message["anew"] = known < 0
        if len(self.follows) >= FOLLOWED:
            message["forget"], _ = self.follows.popitem(last=False)
        child = self._child
        assert child is not None
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        await child.stdin.drain()
        head = await child.stdout.readexactly(5)
        text = (await child.stdout.readexactly(int.from_bytes(head[1:], "big"))).decode()
        if head[:1] == b"F":
            # It could not follow the log; what it knows of the match is not to be relied on.
            raise OSError(text)
        self.follows[match_id] = version
        if head[:1] == b"E":
            raise error_from(json.loads(text))
        return text

    async def _begin(self) -> None:
        self.follows.clear()
        self._child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tapeline.web.hub.judge",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LARGEST,
        )
        self._tell_warm()

    def kill(self) -> None:
        """End it; it begins anew when it is asked again."""
        child, self._child = self._child, None
        self.follows.clear()
        if child is not None:
            task = asyncio.create_task(_ended(child))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End it for good."""
        self.kill()
        await asyncio.gather(*self._ending)

    async def warm(self) -> None:
        """Let it use compiled kernels, which are in the cache."""
        async with self.turns.turn(SHORTEST_S):
            self._warm = True
            self._tell_warm()

    def _tell_warm(self) -> None:
        child = self._child
        if self._warm and child is not None and child.stdin is not None:
            child.stdin.write(b'{"what":"warm"}\n')


async def _ended(child: asyncio.subprocess.Process) -> None:
    """End a process and see it gone."""
    with contextlib.suppress(ProcessLookupError):
        child.kill()
    assert child.stdin is not None
    child.stdin.close()
    await child.wait()


class Judges:
    """All of them; with none, the threads of the server judge (`otherwise`)."""

    def __init__(
        self,
        count: int,
        patience: float,
        otherwise: Callable[..., Awaitable[str]],
    ) -> None:
        self.patience = patience
        self._quick = [_Judge() for _ in range(count)]
        self._slow = [_Judge()] if count else []
        self._of: OrderedDict[str, _Judge] = OrderedDict()
        self._otherwise = otherwise

    async def ask(self, match_id: str, match: Match, what: str, said: Arguments) -> str:
        """The answer to what is asked, as JSON. Raises what the referee raises."""
        wanted = Wanted(match, what, said)
        answer = await self._asked(match_id, lambda: wanted, what in QUICK)
        assert answer is not None
        return answer

    async def newest(self, match_id: str, pick: Pick) -> str | None:
        """The answer to what is quick and asked when its turn has come; None if nothing is."""
        return await self._asked(match_id, pick, True)

    async def _asked(self, match_id: str, pick: Pick, quick: bool) -> str | None:
        picked: list[Wanted | None] = []

        def once() -> Wanted | None:
            # Asked again of another judge, it is the same question.
            if not picked:
                picked.append(pick())
            return picked[0]

        for _ in range(2 if self._quick else 0):
            judge = self._judge(match_id) if quick else self._slow[0]
            try:
                return await judge.ask(match_id, once, self.patience)
            except TimeoutError:
                message = f"this took more than {self.patience:g} s and was given up"
                raise WorkLimitError(message) from None
            except (OSError, EOFError):
                continue
        wanted = once()
        if wanted is None:
            return None
        return await self._otherwise(_in_thread, wanted.match, wanted.what, wanted.said)

    def _judge(self, match_id: str) -> _Judge:
        found = self._of.pop(match_id, None)
        if found is None:
            held = [*self._of.values()]
            found = min(self._quick, key=lambda judge: (held.count(judge), judge.turns.length))
        self._of[match_id] = found
        while len(self._of) > FOLLOWED * len(self._quick):
            self._of.popitem(last=False)
        return found

    async def begin(self) -> None:
        """Have all of them started."""
        for judge in (*self._quick, *self._slow):
            await judge.begin()

    async def warm(self) -> None:
        """Let all of them use compiled kernels."""
        for judge in (*self._quick, *self._slow):
            await judge.warm()

    async def close(self) -> None:
        """End all of them."""
        for judge in (*self._quick, *self._slow):
            await judge.close()


def _in_thread(match: Match, what: str, said: Arguments) -> str:
    return answer_text(ASKED[what](match, said))
