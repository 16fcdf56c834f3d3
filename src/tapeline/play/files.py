"""Files that appear whole or not at all; and where the example scenes are."""

from __future__ import annotations

from contextlib import suppress
from errno import ENOTDIR
from os import strerror
from pathlib import Path

__all__ = ["examples_folder", "write_whole"]


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file, and its folder if there is none; what was there stays until all is written.

    Raises OSError that names the file.
    """
    given, path = path, Path(path).resolve()
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            # A device, as /dev/stdout, or a pipe: it is not to be replaced.
            path.write_bytes(content)
            return
        try:
            part.write_bytes(content)
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()
            raise
    except FileExistsError:  # where a folder is wanted
        raise OSError(ENOTDIR, strerror(ENOTDIR), str(given)) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(given)) from None


def examples_folder() -> Path | None:
    """The folder of examples: in the installed package, else in the repository."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "examples", package.parents[1] / "examples"):
        if folder.is_dir() and any(folder.glob("*.json")):
            return folder
    return None
