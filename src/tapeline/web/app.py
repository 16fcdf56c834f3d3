"""The application put together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fastapi import FastAPI

import tapeline
from tapeline.web.api import asked, catalogue, files, live, matches, pages, watch
from tapeline.web.api.faults import handle_faults
from tapeline.web.api.guard import Guard
from tapeline.web.hub.hub import Hub
from tapeline.web.settings import Settings
from tapeline.web.store.store import Store

__all__ = ["create_app"]


def create_app(settings: Settings | None = None) -> FastAPI:
    """The server of the browser table. Raises StoreError for a database that cannot be used."""
    settings = settings or Settings()
    hub = Hub(settings, Store(settings.database))

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        behind = [asyncio.create_task(hub.sweep()), asyncio.create_task(hub.pool.begin())]
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
    for part in (catalogue, matches, asked, files, live, watch, pages):
        app.include_router(part.router)
    app.mount("/static", pages.Files(directory=pages.STATIC), name="static")
    app.add_middleware(Guard, hub=hub)
    return app
