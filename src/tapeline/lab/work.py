"""Units of work on processes of this machine or of a Dask cluster, batched by what they cost."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from platform import python_version
from typing import Any

import numpy as np

import tapeline
from tapeline.errors import TapelineError, in_one_line
from tapeline.lab.experiment import Experiment
from tapeline.lab.journal import Journal, digest
from tapeline.lab.kind import Unit
from tapeline.lab.kinds import KINDS

__all__ = ["Batch", "do_batch", "do_units", "versions"]

#: What a batch should take, seconds: long beside sending it, short beside losing it.
_BATCH_S = 1.0
#: Units in a batch at most, and batches waiting for each worker.
_MOST, _AHEAD = 2_000, 2
#: How often a batch is begun anew when a worker has gone.
_TRIES = 4


def versions() -> str:
    """What results follow from beside the experiment: versions of what computes them."""
    return f"tapeline {tapeline.__version__}, Python {python_version()}, numpy {np.__version__}"


@dataclass
class Batch:
    """Units that are sent together, with the documents they are done on, by source."""

    kind: str
    units: list[Unit] = field(default_factory=list)
    documents: dict[str, Any] = field(default_factory=dict)
    tries: int = 0


def do_batch(kind: str, units: list[Unit], documents: dict[str, Any]) -> dict[str, Any]:
    """Do units, wherever this is run.

    Gives the versions, and of each unit its number, rows, class of cost and seconds: of the clock
    (`lasted`) and of the processor.
    """
    done = []
    digests = {source: digest(document) for source, document in documents.items()}
    said = versions()
    for unit in units:
        began, clock = time.process_time(), time.perf_counter()
        fault = ""
        try:
            rows = KINDS[kind].do(unit, documents[unit.source])
        except (TapelineError, OSError) as error:
            rows = [{}]
            fault = in_one_line(error) if isinstance(error, TapelineError) else str(error)
        hashed = digest(
            [unit.source, digests[unit.source], unit.seed, dict(unit.asked), rows, fault]
        )
        same = {"unit": unit.number, "source": unit.source, "seed": unit.seed}
        last = {"fault": fault, "document": digests[unit.source], "hash": hashed, "versions": said}
        done.append({
            "unit": unit.number,
            "rows": [{**same, **row, **last} for row in rows],
            "alike": unit.alike,
            "lasted": time.perf_counter() - clock,
            "seconds": time.process_time() - began,
        })  # fmt: skip
    return {"versions": said, "done": done}


class _Costs:
    """What units of a class take by the clock, as far as some have been done."""

    def __init__(self) -> None:
        self._seconds: Counter[str] = Counter()
        self._number: Counter[str] = Counter()

    def add(self, alike: str, seconds: float) -> None:
        self._seconds[alike] += seconds  # type: ignore[assignment]
        self._number[alike] += 1

    def of(self, alike: str) -> float | None:
        number = self._number[alike]
        return None if not number else self._seconds[alike] / number

    def usual(self) -> float | None:
        number = self._number.total()
        return None if not number else self._seconds.total() / number


class _Here(Executor):
    """This very process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it at once."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Workers:
    """Whoever does the work: `jobs` processes here, or those of a cluster."""

    def __init__(self, jobs: int, cluster: str | None) -> None:
        self._jobs = jobs
        self._client: Any = None
        self._executor: Executor
        if cluster is not None:
            self._client = _client(cluster)
        self.renew()

    @property
    def number(self) -> int:
        if self._client is None:
            return self._jobs
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def renew(self) -> None:
        """A pool of processes that has lost one is no good any more; a cluster mends itself."""
        if self._client is not None:
            self._executor = self._client.get_executor(pure=False)
        elif self._jobs == 1:
            self._executor = _Here()
        else:
            self._executor = ProcessPoolExecutor(self._jobs, get_context("spawn"))

    def submit(self, batch: Batch) -> Future[Any]:
        return self._executor.submit(do_batch, batch.kind, batch.units, batch.documents)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True) if self._client is None else None
        if self._client is not None:
            with suppress(Exception):
                self._client.close()


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise TapelineError(
            "a cluster wants the extra `lab`: pip install 'tapeline[lab]'"
        ) from None
    try:
        return Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise TapelineError(f"no cluster answers at {address}: {error}") from None


class _Queue:
    """Units yet to be done, in batches."""

    def __init__(self, experiment: Experiment, units: Iterable[Unit], left: int) -> None:
        self._experiment = experiment
        self._units = iter(units)
        self._next: Unit | None = None
        self._again: deque[Batch] = deque()
        self.left = left
        self.costs = _Costs()

    def again(self, batch: Batch) -> None:
        self._again.append(batch)

    def take(self, workers: int) -> Batch | None:
        """The next batch: of about `_BATCH_S`, less towards the end so that all end together."""
        if self._again:
            return self._again.popleft()
        usual = self.costs.usual()
        remaining = _BATCH_S if usual is None else usual * self.left / (2 * workers)
        target = min(_BATCH_S, max(0.05, remaining))
        batch, cost = Batch(self._experiment.kind.name), 0.0
        while len(batch.units) < _MOST:
            unit = self._next or next(self._units, None)
            self._next = None
            if unit is None:
                break
            expected = self.costs.of(unit.alike)
            if batch.units and (expected is None or cost + expected > target):
                self._next = unit
                break
            if unit.source not in batch.documents:
                batch.documents[unit.source] = self._experiment.document(unit.source)
            batch.units.append(unit)
            cost += target if expected is None else expected
        self.left -= len(batch.units)
        return batch if batch.units else None


def do_units(
    experiment: Experiment,
    units: Iterable[Unit],
    number: int,
    journal: Journal,
    *,
    jobs: int = 1,
    cluster: str | None = None,
) -> Iterator[tuple[int, float | None]]:
    """Do units, so many, and keep what comes of them; how many are done and seconds left, if known.

    A batch whose worker has gone is begun anew. Raises TapelineError where that happens to it
    again and again, or for a worker of another version, and what a fault of ours raises.
    """
    queue = _Queue(experiment, units, number)
    workers = _Workers(jobs, cluster)
    flying: dict[Future[Any], Batch] = {}
    started, done, own = time.monotonic(), 0, versions()
    try:
        while True:
            while len(flying) < _AHEAD * workers.number or not flying:
                batch = queue.take(workers.number)
                if batch is None:
                    break
                flying[workers.submit(batch)] = batch
                if jobs == 1 and cluster is None:
                    break
            if not flying:
                return
            ready, _ = wait(flying, timeout=5.0, return_when=FIRST_COMPLETED)
            lost = False
            for future in ready:
                batch = flying.pop(future)
                error = future.exception()
                if error is not None:
                    lost = isinstance(error, BrokenProcessPool) or lost
                    _begin_anew(queue, batch, error)
                    continue
                found = future.result()
                if found["versions"] != own:
                    raise TapelineError(
                        f"a worker has {found['versions']}, and this is {own}: install the same"
                    )
                for one in found["done"]:
                    queue.costs.add(one.pop("alike"), one.pop("lasted"))
                journal.keep(found["done"])
                done += len(found["done"])
            if lost:
                for future in list(flying):
                    _begin_anew(queue, flying.pop(future), BrokenProcessPool("a process has gone"))
                workers.renew()
            passed = time.monotonic() - started
            yield done, passed * (number - done) / done if done else None
    finally:
        workers.close()


def _begin_anew(queue: _Queue, batch: Batch, error: BaseException) -> None:
    """Put a batch back whose worker has gone; raise what is a fault of its own."""
    gone = isinstance(error, BrokenProcessPool) or type(error).__name__ in (
        "KilledWorker", "CancelledError", "FutureCancelledError", "FuturesCancelledError",
    )  # fmt: skip
    if not gone:
        raise error
    batch.tries += 1
    if batch.tries >= _TRIES:
        first = batch.units[0]
        raise TapelineError(
            f"a worker went {batch.tries} times at unit {first.number} ({first.source}): it may "
            "want more memory"
        )
    queue.again(batch)
