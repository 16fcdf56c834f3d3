"""Where the example scenes are."""

from __future__ import annotations

from pathlib import Path

__all__ = ["examples_folder"]


def examples_folder() -> Path | None:
    """The folder of examples: in the installed package, else in the repository."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "examples", package.parents[1] / "examples"):
        if folder.is_dir() and any(folder.glob("*.json")):
            return folder
    return None
