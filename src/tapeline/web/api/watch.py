"""For whoever runs the server: whether it is up and ready, and figures for Prometheus."""

from __future__ import annotations

import contextlib
import ipaddress
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

import tapeline
from tapeline.web.api.calls import Address, TheHub
from tapeline.web.hub.hub import Hub
from tapeline.web.work.kinds import resident
from tapeline.web.work.pool import BUCKETS, Pool
from tapeline.web.work.process import Worker

__all__ = ["router", "sample"]

router = APIRouter(include_in_schema=False)


class Health(BaseModel):
    """That the server is up, and which version it is."""

    up: bool
    version: str


@router.get("/healthz")
async def health() -> Health:
    """Whether the server is up."""
    return Health(up=True, version=tapeline.__version__)


@router.get("/readyz")
async def ready(hub: TheHub) -> Health:
    """Whether its workers and its database answer; 503 if they do not."""
    try:
        await hub.run(hub.store.length, "")
    except Exception:
        raise HTTPException(503, "the database does not answer") from None
    if not await hub.pool.answering():
        raise HTTPException(503, "the workers do not answer")
    return Health(up=True, version=tapeline.__version__)


@router.get("/metrics")
async def metrics(hub: TheHub, address: Address) -> PlainTextResponse:
    """Figures as Prometheus reads them, for this machine and those named by the operator."""
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(address).is_loopback or address in hub.settings.watchers:
            text = "".join(_told(hub))
            return PlainTextResponse(text, media_type="text/plain; version=0.0.4")
    raise HTTPException(404, "Not Found")


_Samples = Iterable[tuple[Mapping[str, Any], float]]

#: What the text format wants written otherwise within a label.
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def sample(name: str, labels: Mapping[str, Any], value: float) -> str:
    """A line of the text format, its value in full.

    >>> sample("wait_seconds_bucket", {"kind": "act", "le": "+Inf"}, 12345678)
    'tapeline_wait_seconds_bucket{kind="act",le="+Inf"} 12345678\\n'
    """
    inside = ",".join(f'{key}="{str(text).translate(_ESCAPED)}"' for key, text in labels.items())
    return f"tapeline_{name}{{{inside}}} {value!r}\n" if inside else f"tapeline_{name} {value!r}\n"


def _family(name: str, kind: str, says: str, samples: _Samples) -> Iterator[str]:
    yield f"# HELP tapeline_{name} {says}\n# TYPE tapeline_{name} {kind}\n"
    for labels, value in samples:
        yield sample(name, labels, value)


def _one(value: float) -> _Samples:
    return [({}, value)]


def _told(hub: Hub) -> Iterator[str]:
    statuses = [({"status": s}, n) for s, n in sorted(hub.statuses.items())]
    yield from _family("requests_total", "counter", "Calls answered, by status.", statuses)
    refused = [({"at": at, "status": s}, n) for (at, s), n in sorted(hub.refusals.items())]
    says = "Calls, live connections and sockets refused, by status."
    yield from _family("refusals_total", "counter", says, refused)
    yield from _of_work(hub.pool)
    yield from _of_workers(hub.pool)
    yield from _family("matches", "gauge", "Matches in memory.", _one(len(hub.rooms)))
    yield from _family("live", "gauge", "Live connections.", _one(hub.connections.total()))
    yield from _family("entries_total", "counter", "Entries written.", _one(hub.written))
    yield from _family(
        "forgotten_total", "counter", "Matches deleted of old age.", _one(hub.forgotten)
    )
    yield from _family(
        "database_errors_total", "counter", "Times the database failed.", _one(hub.troubles)
    )
    yield from _family("resident_bytes", "gauge", "Memory of this process.", _one(resident()))


def _of_work(pool: Pool) -> Iterator[str]:
    answers = [({"kind": kind}, n) for kind, n in sorted(pool.answers.items())]
    yield from _family("answers_total", "counter", "Questions workers answered.", answers)
    seconds = [({"kind": kind}, n) for kind, n in sorted(pool.seconds.items())]
    yield from _family("work_seconds_total", "counter", "Seconds of a processor used.", seconds)
    ended = [({"kind": kind, "how": how}, n) for (kind, how), n in sorted(pool.ended.items())]
    yield from _family("ended_total", "counter", "Answers ended before they were there.", ended)
    yield from _family("wait_seconds", "histogram", "Seconds until an answer.", [])
    for kind in sorted(pool.waited):
        count = 0
        for bucket in (*BUCKETS, math.inf):
            count += pool.waits[kind, bucket]
            limit = "+Inf" if bucket == math.inf else f"{bucket:g}"
            yield sample("wait_seconds_bucket", {"kind": kind, "le": limit}, count)
        yield sample("wait_seconds_sum", {"kind": kind}, pool.waited[kind])
        yield sample("wait_seconds_count", {"kind": kind}, count)


def _of_workers(pool: Pool) -> Iterator[str]:
    lanes = {"quick": pool.quick, "long": pool.long}
    if pool.programs.workers:
        lanes["programs"] = pool.programs

    def each(of: Callable[[Worker], int]) -> _Samples:
        return [({"workers": name}, sum(map(of, lane.workers))) for name, lane in lanes.items()]

    queue = [({"workers": name}, lane.length) for name, lane in lanes.items()]
    yield from _family("queue", "gauge", "Questions that wait for a worker.", queue)
    there = each(lambda worker: worker.pid is not None)
    yield from _family("workers", "gauge", "Workers that are there.", there)
    begun = each(lambda worker: worker.begun)
    yield from _family("workers_begun_total", "counter", "Workers begun.", begun)
    grown = each(lambda worker: worker.grown)
    yield from _family("state_bytes", "gauge", "Bytes that workers hold of matches.", grown)
    memory = each(lambda worker: resident(worker.pid) if worker.pid is not None else 0)
    says = "Memory of workers, which share much of it."
    yield from _family("worker_resident_bytes", "gauge", says, memory)
