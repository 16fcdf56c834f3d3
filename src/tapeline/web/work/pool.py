"""All the workers: quick ones for what somebody waits for with a finger on the page, long ones.

A match keeps to one quick worker, which follows its log. An answer that takes longer than quick
ones may is given up by that worker, which then follows the match no more, and asked again of the
long ones, as are that match's questions of the kind from then on; a worker that does not give up
is ended, and a new one is there in a moment. So nobody waits behind more than one such answer,
whatever is asked elsewhere. Long workers have little priority and take what
comes by fair shares. Where programs play, workers of their own wait for them. Nothing of a match is
lost with a worker: the log is in the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias

from tapeline.errors import TapelineError
from tapeline.geometry.backends import in_cache
from tapeline.web.settings import Settings
from tapeline.web.work.faults import TooMuchWorkError
from tapeline.web.work.kernels import compile_aside
from tapeline.web.work.kinds import KINDS
from tapeline.web.work.lane import Costs, Lane, Shares, Waits
from tapeline.web.work.process import DiedError, Nursery, OverrunError, Worker

__all__ = ["Asked", "Pick", "Pool", "Subject", "Wanted"]

#: Characters and entries of a log that a worker is told at a time, so that others come in between.
STRETCH, STRETCH_ENTRIES = 64_000, 100

#: Seconds within which a stretch is told as by the way: the answer follows in the same turn.
LITTLE_S = 0.02

#: Matches that a new worker picks up before it takes the place of one that has grown.
PICKED_UP = 8

#: Seconds for which what was slow counts as slow.
SLOW_S = 600.0

#: Matches and kinds remembered.
KEYS = 20_000

#: What it costs counts so much against what is no try: a try is soon overtaken by the next, and
#: whoever acts waits for the answer. And so much against what a worker must be told much for first:
#: others wait for that.
DEED, MUCH_TO_TELL = 0.25, 4.0

#: Seconds within which quick workers answer, if the server is ready.
READY_S = 3.0

#: Longest waits that are counted together, seconds.
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

#: How often an address may overrun before what is new from it goes to the long workers.
OVERRUNS, OVERRUNS_S = 4, 120.0

#: What a worker is told of a match before everything else.
_OPEN = "follow"


class Subject(Protocol):
    """A match that is asked about. version: how many entries it has now."""

    @property
    def id(self) -> str:
        """The id of the match."""
        ...

    @property
    def version(self) -> int:
        """How many entries it has now."""
        ...


class Wanted(NamedTuple):
    """A question: its kind, as in `kinds`, and its arguments."""

    what: str
    said: Mapping[str, Any]


#: Says what is asked when its turn has come, so that it may be the newest; None: nothing any more.
Pick: TypeAlias = Callable[[], Wanted | None]

#: The lines of a log after an entry, its header first where that is below 0.
Fetch: TypeAlias = Callable[[str, int], Awaitable[list[str]]]


class Asked(NamedTuple):
    """Who asks about what, and whence."""

    what: str
    match: Subject | None
    address: str
    pick: Pick
    content: bytes = b""

    @property
    def match_id(self) -> str:
        """The match, or that there is none: questions of an address share one place then."""
        return f"none of {self.address}" if self.match is None else self.match.id


class _Held(NamedTuple):
    """Lines of a log from the database: those after an entry."""

    after: int
    lines: list[str]

    def beyond(self, known: int, match: Subject) -> list[str]:
        """Those that follow what a worker knows; none where others come between."""
        if known < self.after:
            return []
        return self.lines[known - self.after :][: match.version - known]


class Pool:
    """The workers of a server. fetch: lines of a log from the database."""

    def __init__(self, settings: Settings, fetch: Fetch) -> None:
        self._settings = settings
        self._fetch = fetch
        self._shares = Shares()
        self._costs = Costs()
        self._homes: OrderedDict[str, Worker] = OrderedDict()
        self._slow: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._overruns: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._under_way: set[asyncio.Future[Any]] = set()
        self._renewed: set[Worker] = set()
        self._ready = asyncio.Event()
        #: Answers by kind, seconds of processor by kind, and what ended otherwise, by kind and how.
        self.answers: Counter[str] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.ended: Counter[tuple[str, str]] = Counter()
        #: Answers by kind and bucket, as by the clock of whoever waits for them.
        self.waits: Counter[tuple[str, float]] = Counter()
        self.waited: defaultdict[str, float] = defaultdict(float)
        self._closed = False
        self._nursery = Nursery(compiled=False)
        memory = settings.worker_memory
        quick = [Worker(self._nursery, 0, memory) for _ in range(max(1, settings.judges))]
        long = [Worker(self._nursery, 10, memory) for _ in range(max(1, settings.long_judges))]
        self.quick = Lane(quick, self._shares, Waits(200, 1_000, 4_000), len(quick))
        # These wait for what operators have registered; none where there is no such program.
        apart = [
            Worker(self._nursery, 10, memory) for _ in range(max(1, settings.programs_at_once))
        ]
        self.programs = Lane(apart if settings.programs else [], self._shares, Waits(2, 10, 40), 1)
        self.long = Lane(long, self._shares, Waits(12, 40, 200), max(1, len(long) - 1))

    # -- asking ----------------------------------------------------------------------------------

    async def ask(
        self,
        what: str,
        said: Mapping[str, Any],
        match: Subject | None = None,
        address: str = "",
        content: bytes = b"",
    ) -> bytes:
        """The answer. Raises what the engine raises, and TooMuchWorkError."""
        wanted = Wanted(what, said)
        answer = await self._asked(Asked(what, match, address, lambda: wanted, content))
        assert answer is not None
        return answer

    async def newest(self, match: Subject, address: str, pick: Pick) -> bytes | None:
        """The answer to what is tried and is the newest when its turn comes, None if nothing is."""
        return await self._asked(Asked("try", match, address, pick))

    async def _asked(self, asked: Asked) -> bytes | None:
        pick, picked = asked.pick, list[Wanted | None]()

        def once() -> Wanted | None:
            # Asked again elsewhere, it is the same question.
            if not picked:
                picked.append(pick())
            return picked[0]

        asked, begun = asked._replace(pick=once), time.monotonic()
        await self._ready.wait()
        try:
            return await self._quick_or_long(asked)
        finally:
            waited = time.monotonic() - begun
            self.waited[asked.what] += waited
            bucket = next((one for one in BUCKETS if waited <= one), math.inf)
            self.waits[asked.what, bucket] += 1

    async def _quick_or_long(self, asked: Asked) -> bytes | None:
        if KINDS[asked.what].quick and not self._is_slow(asked):
            try:
                return await self._served(self.quick, asked)
            except (OverrunError, DiedError) as error:
                self._remember(asked, str(error))
        lane = self.programs if KINDS[asked.what].waits else self.long
        try:
            return await self._served(lane, asked)
        except OverrunError as error:
            self._count(asked, str(error), "too much work")
            raise TooMuchWorkError(
                f"too much work: this took more than {KINDS[str(error)].seconds:g} s of a "
                "processor and was given up"
            ) from None
        except DiedError as error:
            self._count(asked, asked.what, "died")
            raise TooMuchWorkError(f"the server could not work this out ({error})") from None

    async def _served(self, lane: Lane, asked: Asked) -> bytes | None:
        """The answer of a lane. A quick worker is not ended because nobody waits any more."""
        task = asyncio.ensure_future(self._serve(lane, asked))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if self._closed and task.done():
                raise TooMuchWorkError("the server is being ended") from None
            if lane is self.quick:
                task.add_done_callback(_heard)
            else:
                task.cancel()
            raise

    async def _serve(self, lane: Lane, asked: Asked) -> bytes | None:
        """Tell a worker what it lacks of the log, then ask, in one turn if that is little.

        What is long is told a stretch at a turn, so that others come in between.
        """
        held, died = _Held(-1, []), 0
        while not self._closed:
            home = self._home(asked.match_id) if lane is self.quick else None
            if home is not None and not held.lines and asked.match is not None:
                # Fetched before its turn, as nobody can use the worker meanwhile.
                known = home.follows.get(asked.match_id, -1)
                if known != asked.match.version:
                    held = _Held(known, await self._fetch(asked.match_id, known))
            weight = _weight(asked, held) * self._costs.of(asked.match_id, asked.what)
            async with lane.turn(asked.match_id, asked.address, home, weight) as worker:
                try:
                    if await self._caught_up(lane, worker, asked, held):
                        return await self._answer(lane, worker, asked)
                except DiedError:
                    died += 1
                    if died > 2:
                        raise
                    continue
                known = worker.follows.get(asked.match_id, -1)
            match = asked.match
            if match is not None and match.version != known and not held.beyond(known, match):
                held = _Held(known, await self._fetch(asked.match_id, known))
        raise TooMuchWorkError("the server is being ended")

    async def _caught_up(self, lane: Lane, worker: Worker, asked: Asked, held: _Held) -> bool:
        """Whether a worker knows all of the log; it is told what is held of it until one stretch
        takes long."""
        while asked.match is not None:
            known = worker.follows.get(asked.match_id, -1)
            if known == asked.match.version:
                break
            ready = held.beyond(known, asked.match)
            if not ready or await self._tell(lane, worker, asked, known, ready) > LITTLE_S:
                return False
        return True

    async def _answer(self, lane: Lane, worker: Worker, asked: Asked) -> bytes | None:
        wanted = asked.pick()
        if wanted is None:
            return None
        return await self._timed(lane, worker, asked, wanted, asked.content)

    async def _timed(
        self, lane: Lane, worker: Worker, asked: Asked, wanted: Wanted, content: bytes
    ) -> bytes:
        """The answer of a worker; what it took counts for whoever asked."""
        what, said = wanted
        seconds = self._settings.quick_seconds if lane is self.quick else KINDS[what].seconds
        begun = time.monotonic()
        used: float | None = None
        try:
            match = None if asked.match is None else asked.match_id
            answer, used = await worker.ask(what, said, seconds, match, content)
        finally:
            used = time.monotonic() - begun if used is None else used
            lane.used(asked.match_id, asked.address, used)
            self._costs.add(asked.match_id, what, used)
            self.seconds[what] += used
            if what != _OPEN:
                self._put_down(lane, worker)
        if match is not None and match in worker.follows:
            # Last is what was asked about last.
            worker.follows[match] = worker.follows.pop(match)
        self.answers[what] += 1
        return answer

    def _put_down(self, lane: Lane, worker: Worker) -> None:
        """End a worker that has grown: what it follows is picked up again when asked about.

        A quick one goes on until another has picked up what was asked about last, so that nobody
        with a finger on the page waits for that; unless it has grown far too much.
        """
        limit = self._settings.worker_state
        if worker.grown > (2 * limit if lane is self.quick else limit):
            worker.end()
        elif worker.grown > limit and worker not in self._renewed:
            self._renewed.add(worker)
            task = asyncio.ensure_future(self._renew(worker))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
            task.add_done_callback(lambda _: self._renewed.discard(worker))

    async def _renew(self, worker: Worker) -> None:
        """Have a new process do the work of a quick worker, once it knows the same matches."""
        heir = worker.another()
        try:
            for match_id in [*worker.follows][: -PICKED_UP - 1 : -1]:
                with contextlib.suppress(OverrunError, DiedError, TapelineError):
                    # The newest first, as far as there is room.
                    if heir.grown < self._settings.worker_state // 2:
                        await self._pick_up(heir, match_id)
            with contextlib.suppress(DiedError):
                await heir.start()
                async with self.quick.turn("", "", worker):
                    worker.become(heir)
        finally:
            heir.end()

    async def _pick_up(self, heir: Worker, match_id: str) -> None:
        """Tell a worker that nobody asks yet the whole log of a match."""
        lines = await self._fetch(match_id, -1)
        while lines:
            told, lines = _stretch(lines)
            said = {"anew": match_id not in heir.follows}
            content = "\n".join(told).encode()
            await heir.ask(_OPEN, said, self._settings.quick_seconds, match_id, content)
            heir.follows[match_id] = heir.follows.get(match_id, -1) + len(told)

    async def _tell(
        self, lane: Lane, worker: Worker, asked: Asked, known: int, lines: list[str]
    ) -> float:
        """Tell a worker the next stretch of a log; how many seconds by the clock that took."""
        told, _ = _stretch(lines)
        wanted, begun = Wanted(_OPEN, {"anew": known < 0}), time.monotonic()
        await self._timed(lane, worker, asked, wanted, "\n".join(told).encode())
        worker.follows[asked.match_id] = known + len(told)
        return time.monotonic() - begun

    def _home(self, match_id: str) -> Worker:
        """The quick worker that a match keeps to."""
        found = self._homes.pop(match_id, None)
        if found is None:
            held = Counter(map(id, self._homes.values()))
            found = min(self.quick.workers, key=lambda worker: held[id(worker)])
        self._homes[match_id] = found
        while len(self._homes) > KEYS:
            self._homes.popitem(last=False)
        return found

    # -- what was slow ---------------------------------------------------------------------------

    def _is_slow(self, asked: Asked) -> bool:
        now = time.monotonic()
        if any(self._slow.get((asked.match_id, w), 0.0) > now for w in (asked.what, _OPEN)):
            return True
        times, since = self._overruns.get(asked.address, (0, 0.0))
        new = asked.match_id not in self._homes
        return new and times >= OVERRUNS and since > now - OVERRUNS_S

    def _remember(self, asked: Asked, what: str) -> None:
        """It has taken more than quick answers may."""
        now = time.monotonic()
        what = what if what in KINDS else asked.what
        self._count(asked, what, "slow")
        self._slow[asked.match_id, "try" if what == "try answer" else what] = now + SLOW_S
        times, since = self._overruns.pop(asked.address, (0, now))
        self._overruns[asked.address] = (times + 1, since) if since > now - OVERRUNS_S else (1, now)
        for memory in (self._slow, self._overruns):
            while len(memory) > KEYS:
                memory.popitem(last=False)

    def _count(self, asked: Asked, what: str, how: str) -> None:
        self.ended[what if what in KINDS else asked.what, how] += 1

    # -- beginning and ending --------------------------------------------------------------------

    @property
    def workers(self) -> list[Worker]:
        """All of them."""
        return [*self.quick.workers, *self.long.workers, *self.programs.workers]

    async def begin(self) -> None:
        """Have all workers begun; with compiled kernels as soon as there are some."""
        compiled = self._settings.compile and in_cache()
        wanted = self._settings.compile and not compiled
        self._use(Nursery(compiled, spawned=wanted))
        self._ready.set()
        await asyncio.gather(*(worker.start() for worker in self.workers))
        if wanted and await compile_aside():
            self._use(Nursery(True))
            for lane in (self.quick, self.long, self.programs):
                for worker in lane.workers:
                    async with lane.turn("", "", worker):
                        worker.end()
                        await worker.start()

    def _use(self, nursery: Nursery) -> None:
        self._nursery = nursery
        for worker in self.workers:
            worker.nursery = nursery

    async def answering(self) -> bool:
        """Whether each quick worker answers soon."""

        async def one(worker: Worker) -> None:
            async with self.quick.turn("", "", worker):
                await worker.ask("ready", {}, READY_S)

        try:
            async with asyncio.timeout(READY_S):
                await self._ready.wait()
                await asyncio.gather(*(one(worker) for worker in self.quick.workers))
        except (TimeoutError, TooMuchWorkError, OverrunError, DiedError):
            return False
        return True

    async def close(self) -> None:
        """End all of them, whatever they do."""
        self._closed = True
        for task in [*self._under_way]:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        for worker in self.workers:
            worker.end()
        self._nursery.close()


def _weight(asked: Asked, held: _Held) -> float:
    """What an answer costs counts so much for whose turn it is."""
    if sum(map(len, held.lines)) > STRETCH:
        return MUCH_TO_TELL
    return 1.0 if asked.what == "try" else DEED


def _stretch(lines: list[str]) -> tuple[list[str], list[str]]:
    """What a worker is told next of a log, and what is left then."""
    size, count = 0, 0
    while count < len(lines) and count < STRETCH_ENTRIES and (not count or size < STRETCH):
        size += len(lines[count])
        count += 1
    return lines[:count], lines[count:]


def _heard(task: asyncio.Future[Any]) -> None:
    """Nobody waits for what came of it."""
    if not task.cancelled():
        task.exception()
