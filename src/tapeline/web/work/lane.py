"""Whose turn it is: workers of one kind, and those who wait for one, served by fair shares."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tapeline.web.work.faults import TooMuchWorkError
from tapeline.web.work.process import Worker

__all__ = ["Costs", "Lane", "Shares", "Waits"]

#: Seconds in which half of what somebody has used is forgotten.
HALF_S = 20.0

#: Matches and addresses remembered at most.
KEYS = 20_000

#: Seconds that everybody counts as having used before: who is new does not overtake all others.
NEW_S = 0.5

#: Seconds that a question is taken to cost of which nothing is known yet.
UNKNOWN_S = 0.1


class Shares:
    """Seconds of processor that each match and each address has used lately."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def of(self, key: str) -> float:
        """What it has used; what is long past counts for little."""
        used, when = self._used.get(key, (0.0, 0.0))
        return used * math.exp2((when - self._clock()) / HALF_S)

    def add(self, keys: Sequence[str], seconds: float) -> None:
        """Each of them has used so many more."""
        for key in keys:
            used = self.of(key) + seconds
            self._used.pop(key, None)
            self._used[key] = (used, self._clock())
        while len(self._used) > KEYS:
            self._used.popitem(last=False)


class Costs:
    """Seconds of processor that an answer is expected to take: as those to its like did lately."""

    def __init__(self) -> None:
        self._taken: OrderedDict[tuple[str, str], float] = OrderedDict()

    def of(self, match: str, what: str) -> float:
        """What one of a kind about a match is expected to take."""
        return self._taken.get((match, what), UNKNOWN_S)

    def add(self, match: str, what: str, seconds: float) -> None:
        """One has taken so many; half of what is expected next is by the last."""
        key = match, what
        self._taken[key] = (self._taken.pop(key, seconds) + seconds) / 2
        while len(self._taken) > KEYS:
            self._taken.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Waits:
    """How many may wait: of a match, of an address, in all."""

    match: int
    address: int
    all: int


@dataclass(eq=False, slots=True)
class _Turn:
    match: str
    address: str
    home: Worker | None
    weight: float
    called: asyncio.Future[Worker]


class Lane:
    """Workers that serve one question at a time each.

    Next is what costs least, the more so the less its match and address have used: so a drag waits
    for one answer of somebody else's, and not for one of everybody's. at_once: how many workers a
    match or an address may have at the same time, so that one alone cannot have all.
    """

    def __init__(
        self, workers: Sequence[Worker], shares: Shares, waits: Waits, at_once: int
    ) -> None:
        self.workers = list(workers)
        self.waits = waits
        self._shares = shares
        self._at_once = at_once
        self._free = list(workers)
        self._waiting: list[_Turn] = []
        self._waits: Counter[str] = Counter()
        self._served: Counter[str] = Counter()

    @property
    def length(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(
        self, match: str, address: str, home: Worker | None = None, weight: float = 1.0
    ) -> AsyncIterator[Worker]:
        """A worker, or that of the match's own. Raises TooMuchWorkError where too many wait.

        weight: what the answer is expected to cost; with less it is served sooner.
        """
        keys = (f"m {match}", f"a {address}")
        turn = _Turn(*keys, home, weight, asyncio.get_running_loop().create_future())
        self._enter(turn)
        try:
            worker = await turn.called
        except asyncio.CancelledError:
            if turn in self._waiting:
                self._leave(turn)
            elif not turn.called.cancelled():
                # Called already, at the same moment.
                self._give_back(turn, turn.called.result())
            raise
        try:
            yield worker
        finally:
            self._give_back(turn, worker)

    def used(self, match: str, address: str, seconds: float) -> None:
        """An answer to them has taken so many seconds of a processor."""
        self._shares.add((f"m {match}", f"a {address}"), seconds)

    def _enter(self, turn: _Turn) -> None:
        full = (
            len(self._waiting) >= self.waits.all
            or self._waits[turn.match] >= self.waits.match
            or self._waits[turn.address] >= self.waits.address
        )
        if full:
            raise TooMuchWorkError("too much work: as much waits already as may; try again later")
        self._waiting.append(turn)
        self._waits.update((turn.match, turn.address))
        self._call()

    def _leave(self, turn: _Turn) -> None:
        self._waiting.remove(turn)
        _less(self._waits, turn)

    def _give_back(self, turn: _Turn, worker: Worker) -> None:
        _less(self._served, turn)
        self._free.append(worker)
        self._call()

    def _call(self) -> None:
        """Give free workers to those who wait."""
        waiting = sorted(
            self._waiting,
            key=lambda t: (
                t.weight * (NEW_S + self._shares.of(t.match) + self._shares.of(t.address))
            ),
        )
        for turn in waiting:
            if not self._free:
                return
            busy = max(self._served[turn.match], self._served[turn.address])
            if turn.called.done() or (turn.home is None and busy >= self._at_once):
                continue
            worker = self._suited(turn)
            if worker is not None:
                self._leave(turn)
                self._free.remove(worker)
                self._served.update((turn.match, turn.address))
                turn.called.set_result(worker)

    def _suited(self, turn: _Turn) -> Worker | None:
        if turn.home is not None:
            return turn.home if turn.home in self._free else None
        knows = (worker for worker in self._free if turn.match[2:] in worker.follows)
        return next(knows, self._free[0])


def _less(counted: Counter[str], turn: _Turn) -> None:
    for key in (turn.match, turn.address):
        counted[key] -= 1
        if counted[key] <= 0:
            del counted[key]
