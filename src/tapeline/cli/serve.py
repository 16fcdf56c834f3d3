"""`tapeline serve`: the browser table as a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tapeline.errors import TapelineError

if TYPE_CHECKING:
    from tapeline.web.settings import Settings

__all__ = ["WEB_MISSING", "run_server", "serve", "web_works"]

WEB_MISSING = "the browser table needs more packages: pip install 'tapeline[web]'"


def web_works() -> bool:
    """Whether the extra `web` is installed."""
    from importlib.util import find_spec

    needed = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "websockets")
    return all(find_spec(name) is not None for name in needed)


def run_server(settings: Settings, host: str, port: int) -> None:
    """Serve until Ctrl-C. Never logs a call: links are nobody's business."""
    import uvicorn

    from tapeline.web.app import create_app

    uvicorn.run(
        create_app(settings),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=settings.message_bytes,
        h11_max_incomplete_event_size=64 * 1024,
        timeout_graceful_shutdown=3,
    )


@click.command(short_help="Serve the browser table.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8023, show_default=True, type=click.IntRange(0, 65535))
@click.option("--database", default=None, help="URL of the database of matches.")
@click.option("--examples", default=None, type=click.Path(file_okay=False, exists=True))
@click.option("--title", default="Tapeline", show_default=True, help="Name of this server.")
def serve(host: str, port: int, database: str | None, examples: str | None, title: str) -> None:
    """Serve the browser table.

    \b
    Examples:
      tapeline serve
    """
    if not web_works():
        raise TapelineError(WEB_MISSING)
    from tapeline.web.settings import Settings, default_database

    settings = Settings(
        database=database or default_database(),
        examples=Path(examples) if examples else None,
        title=title,
        compile=True,
    )
    click.echo(f"http://{host}:{port}/")
    run_server(settings, host, port)
