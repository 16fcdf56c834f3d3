"""`tapeline warmup`: compile the measuring kernels ahead, into the cache folder."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile

import click

from tapeline.cli.output import Progress, json_option, print_json, say
from tapeline.errors import BackendError, TapelineError
from tapeline.geometry import backends

__all__ = ["warmup"]


def _writable(folder: Path) -> None:
    """Raises TapelineError where what is compiled could not be kept."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise TapelineError(
            f"the cache folder {folder} cannot be written ({error.strerror}); give another with "
            "TAPELINE_CACHE"
        ) from None


@click.command()
@json_option
def warmup(as_json: bool) -> None:
    """Compile the measuring kernels into the cache folder, so that nothing waits for it later.

    Takes a minute or so the first time and moments after that. The browser table uses them,
    surveys, whole games of the opponent, and over storeys suggest, threat and compare. The folder
    is the one that TAPELINE_CACHE names, or the user's cache folder. Needs the extra: pip install
    'tapeline[fast]'. Everything works without, more slowly.

    \b
    Examples:
      tapeline warmup
      TAPELINE_CACHE=/var/cache/tapeline tapeline warmup --json
    """
    if find_spec("numba") is None:
        raise BackendError("compiled kernels need Numba: pip install 'tapeline[fast]'")
    begun = time.monotonic()
    folder, ready = backends.cache_folder(), backends.in_cache()
    if not as_json:
        doing = "loading compiled kernels from" if ready else "compiling kernels into"
        say(f"{doing} {folder}", err=True)
    entries = 0
    shown = Progress("kernels")

    def progress(done: int, of: int) -> None:
        nonlocal entries
        entries, shown.total = done, of
        shown(done)

    _writable(folder)
    backends.warmup(progress)
    shown.done()
    seconds = time.monotonic() - begun
    if as_json:
        took = {"seconds": round(seconds, 3), "from_cache": ready}
        print_json("warmup", folder=str(folder), kernels=entries, **took)
    else:
        say(f"kernels ready in {seconds:.1f} s")
