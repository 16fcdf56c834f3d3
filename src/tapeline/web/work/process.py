"""The side of the server on a worker: a process begun, asked, timed by its processor, ended.

Python's own `multiprocessing` begins it: forked from a process that has loaded everything, where
there is fork, so that a new one is there in a moment and shares what all have loaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import BaseContext
from typing import Any, NamedTuple

from tapeline.web.work.faults import error_from

__all__ = ["DiedError", "Nursery", "OverrunError", "Reply", "Worker"]

#: An answer may take so many times as long by the clock as it may take of a processor, which a
#: machine that does other things gives to it in slices.
PATIENCE = 20.0

#: Seconds of processor that a worker gets beyond what an answer may take, to give it up by itself.
GIVING_UP_S = 0.25

#: Bytes that are read ahead of an answer.
_AHEAD = 1 << 20


class OverrunError(Exception):
    """It took more than it may; the worker gave it up, or has been ended."""


class DiedError(Exception):
    """The worker ended while it was asked, or cannot follow the log."""


class Reply(NamedTuple):
    """content: the answer. seconds: of a processor that it took."""

    content: bytes
    seconds: float


class Nursery:
    """Begins workers. compiled: with kernels that are in the cache; sharing them wants fork."""

    def __init__(self, compiled: bool, spawned: bool = False) -> None:
        self._module = "loaded_compiled" if compiled else "loaded"
        forks = "forkserver" in multiprocessing.get_all_start_methods() and not spawned
        self._context: BaseContext = multiprocessing.get_context("forkserver" if forks else "spawn")
        if forks:
            self._context.set_forkserver_preload([f"{__package__}.{self._module}"])
        # One after the other, and never on the event loop: the first waits for all that is loaded.
        self._starter = ThreadPoolExecutor(1, "tapeline-workers")

    async def begin(self, nice: int, memory: int) -> tuple[Any, socket.socket]:
        """A new process, and the line to it."""
        mine, theirs = socket.socketpair()
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_run, args=(theirs, self._module, nice, memory), daemon=True
        )
        try:
            await asyncio.get_running_loop().run_in_executor(self._starter, process.start)
        except BaseException:
            mine.close()
            raise
        finally:
            theirs.close()
        return process, mine

    def gone(self, process: Any) -> None:
        """See to a process that has been ended, without waiting for it here."""
        with contextlib.suppress(RuntimeError):
            self._starter.submit(process.join, 5.0)

    def close(self) -> None:
        """Begin no more."""
        self._starter.shutdown(wait=False, cancel_futures=True)


def _run(line: socket.socket, module: str, nice: int, memory: int) -> None:
    """What a worker does. Ctrl-C is for the server, which ends its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    importlib.import_module(f"tapeline.web.work.{module}")
    from tapeline.web.work.kinds import limit_memory
    from tapeline.web.work.worker import serve

    if nice and hasattr(os, "nice"):
        os.nice(nice)
    limit_memory(memory)
    serve(line)


def _busy(pid: int) -> float | None:
    """Seconds of processor that another process has used; None where that cannot be told."""
    with contextlib.suppress(OSError, ValueError, OverflowError):
        # Linux: the clock of the processor time of a process, as of clock_getcpuclockid(3).
        return time.clock_gettime((~pid << 3) | 2)
    return None


class Worker:
    """One process, begun when it is first asked. follows: how many entries it knows of each match.

    grown: bytes that its memory has grown by since it began, or took the place of another.
    """

    def __init__(self, nursery: Nursery, nice: int, memory: int) -> None:
        self.nursery = nursery
        self.follows: dict[str, int] = {}
        self.grown = 0
        self.begun = 0
        self._picked_up = 0
        self._nice = nice
        self._memory = memory
        self._process: Any = None
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The id of the process, None if there is none."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Begin the process, if there is none."""
        async with self._starting:
            if self._process is not None:
                return
            try:
                process, line = await self.nursery.begin(self._nice, self._memory)
            except OSError as error:
                raise DiedError(f"no worker can begin: {error.strerror}") from None
            reader, writer = await asyncio.open_connection(sock=line, limit=_AHEAD)
            try:
                # It says when it is ready; what comes before is no part of an answer.
                await reader.readexactly(1)
            except BaseException as error:
                writer.close()
                process.kill()
                if isinstance(error, EOFError | OSError):
                    raise DiedError("a worker that cannot begin") from None
                raise
            self._process, self._reader, self._writer = process, reader, writer
            self.begun += 1

    def end(self) -> None:
        """End the process, whatever it does; it begins anew when it is asked again."""
        process, self._process = self._process, None
        writer, self._writer, self._reader = self._writer, None, None
        self.follows.clear()
        self.grown = self._picked_up = 0
        if writer is not None:
            writer.close()
        if process is not None:
            process.kill()
            self.nursery.gone(process)

    def another(self) -> Worker:
        """One of the same kind that has not begun."""
        return Worker(self.nursery, self._nice, self._memory)

    def become(self, heir: Worker) -> None:
        """Take over the process of another and what it follows; what was has ended then."""
        self.end()
        self._process, heir._process = heir._process, None
        self._reader, heir._reader = heir._reader, None
        self._writer, heir._writer = heir._writer, None
        self.follows, heir.follows = heir.follows, {}
        self._picked_up = heir.grown
        self.begun += heir.begun

    async def ask(
        self, what: str, said: Any, seconds: float, match: str | None = None, content: bytes = b""
    ) -> Reply:
        """The answer, which may take so many seconds of a processor.

        Raises OverrunError, DiedError, and what the worker raises, as of `faults`.
        """
        await self.start()
        assert self._process is not None
        assert self._reader is not None
        assert self._writer is not None
        head: dict[str, Any] = {"what": what, "said": said, "seconds": seconds}
        if match is not None:
            head["match"] = match
        text = json.dumps(head, separators=(",", ":")).encode()
        sizes = len(text).to_bytes(4, "big") + len(content).to_bytes(4, "big")
        timed = _Timed(self._process, seconds + GIVING_UP_S)
        try:
            self._writer.write(sizes + text + content)
            told = await self._reader.readexactly(9)
            answer = await self._reader.readexactly(int.from_bytes(told[5:], "big"))
        except (OSError, EOFError):
            self.end()
            raise (OverrunError if timed.over else DiedError)(what) from None
        except BaseException:
            # Whoever asked is gone: the answer would be taken for that to the next question.
            self.end()
            raise
        finally:
            timed.stop()
        self.grown = (int.from_bytes(told[1:5], "big") << 10) - self._picked_up
        letter, took = told[:1], timed.used()
        if letter == b"A":
            return Reply(answer, took)
        if letter == b"E":
            raise error_from(json.loads(answer))
        if letter == b"M":
            self.end()
            raise OverrunError(what)
        if letter in (b"O", b"F"):
            self.follows.pop(match or "", None)
        if letter == b"O":
            raise OverrunError(what)
        if letter == b"F":
            raise DiedError(answer.decode())
        raise RuntimeError(f"a mistake in a worker, asked for {what!r}; it is in the log")


class _Timed:
    """Ends a process that uses more than so many seconds of a processor."""

    def __init__(self, process: Any, seconds: float) -> None:
        self.over = False
        self._process = process
        self._seconds = seconds
        self._clock = time.monotonic()
        self._before = _busy(process.pid)
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(seconds, self._look)

    def used(self) -> float:
        """Seconds of processor since it began, or by the clock where that cannot be told."""
        now = None if self._before is None else _busy(self._process.pid)
        if now is None or self._before is None:
            return time.monotonic() - self._clock
        return now - self._before

    def _look(self) -> None:
        left = self._seconds - self.used()
        if left > 0.001 and time.monotonic() - self._clock < PATIENCE * self._seconds:
            self._timer = self._loop.call_later(max(left, 0.01), self._look)
        else:
            self.over = True
            self._process.kill()

    def stop(self) -> None:
        """It has answered."""
        self._timer.cancel()
