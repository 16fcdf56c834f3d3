"""The application put together."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from fastapi import FastAPI

import tapeline
from tapeline.errors import TapelineError
from tapeline.web.api import asked, catalogue, live, matches, pages, watch
from tapeline.web.api.access import AccessLog, lines_to
from tapeline.web.api.faults import handle_faults
from tapeline.web.api.guard import Compression, Guard
from tapeline.web.hub.hub import Hub
from tapeline.web.settings import Settings

__all__ = ["create_app"]

#: Servers on one database need not agree more closely on the time.
A_MOMENT = timedelta(minutes=5)


async def _look_at_clock(hub: Hub) -> None:
    """Say so where the clock was set back: what is told of times, and kept for one, goes by it."""
    with contextlib.suppress(TapelineError):
        newest, now = await hub.run(hub.store.newest), datetime.now(UTC)
        if newest is not None and newest > now + A_MOMENT:
            logging.getLogger("tapeline.web").warning(
                "the clock of this machine (%s) is behind the newest match (%s): set it",
                now.isoformat(timespec="minutes"),
                newest.isoformat(timespec="minutes"),
            )


def create_app(settings: Settings | None = None) -> FastAPI:
    """The server of the browser table.

    Raises StoreError for a database, TapelineError for an access log or a program that cannot be
    used.
    """
    settings = settings or Settings()
    hub = Hub(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        behind = [
            asyncio.create_task(hub.sweep()),
            asyncio.create_task(hub.pool.begin()),
            asyncio.create_task(hub.clocks.run()),
        ]
        await _look_at_clock(hub)
        if settings.look_seconds > 0.0:
            behind.append(asyncio.create_task(hub.notices.run()))
            behind.append(asyncio.create_task(hub.watch_others()))
        yield
        for task in behind:
            task.cancel()
        await asyncio.gather(*behind, return_exceptions=True)
        await hub.close()

    app = FastAPI(
        title=settings.title,
        version=tapeline.__version__,
        description="The referee with the tape measure: matches played, judged and measured.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.hub = hub
    app.state.settings = settings
    handle_faults(app)
    app.add_exception_handler(404, pages.not_there)
    app.mount("/static", pages.Files(directory=pages.STATIC), name="static")
    open_to_all = (live.router, watch.router, pages.router)
    of_matches = (matches.router, matches.talk, asked.router, asked.files)
    for router in (catalogue.router, *of_matches, *open_to_all):
        app.include_router(router)
    app.add_middleware(Compression)
    app.add_middleware(Guard, hub=hub)
    if settings.access_log:
        app.add_middleware(AccessLog, lines=lines_to(settings.access_log))
    return app
