"""The page on licences: of all that is installed with Tapeline, and of what it carries.

A package whose licence is not known here, and not told by the package, is an
error: whoever adds a dependency has looked at its licence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from tapeline.errors import TapelineError

__all__ = ["carried", "licence_of", "locked", "page"]

#: Licences of packages that say them in words, or not at all, or only where they are installed.
_LOOKED_UP = {
    "editables": "MIT",
    "h11": "MIT",
    "numba": "BSD-2-Clause",
    "pathspec": "MPL-2.0",
    "pluggy": "MIT",
    "resvg-py": "MIT",
    "trove-classifiers": "Apache-2.0",
    "tzdata": "Apache-2.0",
}

#: What packages bring along in their wheels, that their own licence does not say.
_WITHIN = {
    "numpy": "OpenBLAS: BSD-3-Clause; libgfortran: GPL-3.0 WITH GCC-exception-3.1; "
    "libquadmath: LGPL-2.1",
    "psycopg-binary": "libpq: PostgreSQL; OpenSSL: Apache-2.0; krb5: MIT; OpenLDAP: OLDAP-2.8; "
    "Cyrus SASL: BSD-Attribution-HPND-disclaimer; libxcrypt, keyutils: LGPL-2.1",
    "resvg-py": "resvg: Apache-2.0 OR MIT; tiny-skia: BSD-3-Clause",
    "shapely": "GEOS: LGPL-2.1",
}

#: Files that Tapeline carries and has not made, with their licence, below `src/tapeline`.
_CARRIED = {
    "picture/fonts/Roboto-Bold.ttf": "Apache-2.0",
    "picture/fonts/Roboto-Regular.ttf": "Apache-2.0",
}

#: What Tapeline itself is made of; any other kind of file is from elsewhere.
_OURS = frozenset({".css", ".html", ".js", ".json", ".mako", ".md", ".py", ".svg", ".toml", ".ts"})

_HEAD = """# Licences

Tapeline is under the Apache License 2.0 (`LICENSE`). This page is generated (`make docs`). It lists
what comes with it: packages of `requirements.lock`, which are installed beside it and keep their
own licences, and files that its own package carries. The tools for tests and benchmarks ship with
nothing. An image (`deploy/Dockerfile`) holds Debian and Python as well, with their licences in
`/usr/share/doc` and in Python's `LICENSE.txt`.

psycopg is under the LGPL: it is used as a library of its own, unchanged, and only where matches are
kept in PostgreSQL.
"""


def locked(lock: Path) -> list[str]:
    """The packages of a lock file, in order."""
    return sorted(set(re.findall(r"^([A-Za-z0-9._-]+)==", lock.read_text("utf-8"), re.MULTILINE)))


def licence_of(package: str) -> str:
    """The licence of a package, as an SPDX expression. Raises TapelineError if it is not known."""
    if package in _LOOKED_UP:
        return _LOOKED_UP[package]
    try:
        told: str | None = metadata(package)["License-Expression"]
    except (PackageNotFoundError, KeyError):
        told = None
    if not told:
        raise TapelineError(
            f"the licence of {package} is not known: look it up and add it to licences.py"
        )
    return told


def carried(source: Path) -> Iterator[tuple[str, str]]:
    """Files from elsewhere below a folder, with their licence. Raises TapelineError."""
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source).as_posix()
        if path.is_dir() or "__pycache__" in path.parts or path.name == "LICENSE":
            continue
        if path.suffix not in _OURS and path.name != "py.typed":
            if name not in _CARRIED:
                raise TapelineError(f"{name} is from elsewhere, and its licence is not known")
            yield name, _CARRIED[name]


def page(lock: Path, source: Path) -> str:
    """The page. source: the folder of the package."""
    packages = [(name, licence_of(name), _WITHIN.get(name, "")) for name in locked(lock)]
    files = [(f"`{name}`", licence) for name, licence in carried(source)]
    return "\n".join(
        [
            _HEAD,
            *_table(("package", "licence", "brings along"), packages),
            "",
            *_table(("file", "licence"), files),
            "",
        ]
    )


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    lines = [head, ("---",) * len(head), *rows]
    return [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines]
