"""For whoever runs the server: whether it is up and ready, and figures for Prometheus."""

from __future__ import annotations

import contextlib
import ipaddress
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

import tapeline
from tapeline.web.api.calls import Address, TheHub
from tapeline.web.hub.hub import Hub
from tapeline.web.work.pool import BUCKETS

__all__ = ["router"]

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


def _family(name: str, kind: str, says: str, samples: _Samples) -> Iterator[str]:
    yield f"# HELP tapeline_{name} {says}\n# TYPE tapeline_{name} {kind}\n"
    for labels, value in samples:
        inside = ",".join(f'{label}="{text}"' for label, text in labels.items())
        yield (
            f"tapeline_{name}{{{inside}}} {value:g}\n"
            if inside
            else (f"tapeline_{name} {value:g}\n")
        )


def _told(hub: Hub) -> Iterator[str]:
    pool, lanes = hub.pool, {"quick": hub.pool.quick, "long": hub.pool.long}
    statuses = [({"status": s}, n) for s, n in sorted(hub.statuses.items())]
    yield from _family("requests_total", "counter", "Calls answered, by status.", statuses)
    answers = [({"kind": kind}, n) for kind, n in sorted(pool.answers.items())]
    yield from _family("answers_total", "counter", "Questions workers answered.", answers)
    seconds = [({"kind": kind}, n) for kind, n in sorted(pool.seconds.items())]
    yield from _family("work_seconds_total", "counter", "Seconds of a processor used.", seconds)
    ended = [({"kind": kind, "how": how}, n) for (kind, how), n in sorted(pool.ended.items())]
    yield from _family("ended_total", "counter", "Answers ended before they were there.", ended)
    yield from _family("wait_seconds", "histogram", "Seconds until an answer.", [])
    for kind in sorted(pool.waited):
        count = 0
        for bucket in (*BUCKETS, float("inf")):
            count += pool.waits[kind, bucket]
            limit = "+Inf" if bucket == float("inf") else f"{bucket:g}"
            yield f'tapeline_wait_seconds_bucket{{kind="{kind}",le="{limit}"}} {count}\n'
        yield f'tapeline_wait_seconds_sum{{kind="{kind}"}} {pool.waited[kind]:g}\n'
        yield f'tapeline_wait_seconds_count{{kind="{kind}"}} {count}\n'
    queue = [({"workers": name}, lane.length) for name, lane in lanes.items()]
    yield from _family("queue", "gauge", "Questions that wait for a worker.", queue)
    workers = [
        ({"workers": name}, sum(worker.pid is not None for worker in lane.workers))
        for name, lane in lanes.items()
    ]
    yield from _family("workers", "gauge", "Workers that are there.", workers)
    begun = [
        ({"workers": name}, sum(worker.begun for worker in lane.workers))
        for name, lane in lanes.items()
    ]
    yield from _family("workers_begun_total", "counter", "Workers begun.", begun)
    grown = [
        ({"workers": name}, sum(worker.grown for worker in lane.workers))
        for name, lane in lanes.items()
    ]
    yield from _family("state_bytes", "gauge", "Bytes that workers hold of matches.", grown)
    gone: _Samples = [({}, hub.forgotten)]
    yield from _family("forgotten_total", "counter", "Matches deleted of old age.", gone)
    yield from _family("matches", "gauge", "Matches in memory.", [({}, len(hub.rooms))])
    yield from _family("live", "gauge", "Live connections.", [({}, hub.connections.total())])
    yield from _family("resident_bytes", "gauge", "Memory of this process.", [({}, _resident())])


def _resident() -> int:
    with contextlib.suppress(OSError), open("/proc/self/statm", "rb") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
