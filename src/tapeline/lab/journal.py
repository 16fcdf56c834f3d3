"""What has been done of an experiment, in a file that only grows: a unit of work a line.

A line that was torn when the machine stopped is left out, and so is a unit that is there twice.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self

from tapeline.errors import DocumentError, Fault
from tapeline.lab.experiment import Experiment
from tapeline.lab.kind import Row

__all__ = ["Journal", "canonical"]

_FORMAT = "tapeline-journal/1"


def canonical(value: Any) -> str:
    """Plain values as JSON of one form only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _faulty(folder: Path, message: str) -> DocumentError:
    return DocumentError(str(folder), [Fault("", message)])


class Journal:
    """The journal of an experiment in a folder. Use as a context: nobody else writes meanwhile.

    done: of each unit that is done, where its line begins. seconds: of processor time they took.
    Raises DocumentError for a folder with the results of another experiment or version, or that
    another run writes to.
    """

    def __init__(self, folder: Path, experiment: Experiment, versions: str) -> None:
        self.folder = folder
        self.path = folder / "journal.jsonl"
        self.done: dict[int, int] = {}
        self.seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] = self.path.open("a+b")
        try:
            self._lock()
            self._begin({
                "format": _FORMAT, "experiment": experiment.hash, "versions": versions,
            })  # fmt: skip
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _lock(self) -> None:
        """The system lets go of it when this process ends, however it ends."""
        with contextlib.suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise _faulty(self.folder, "another run is writing here") from None

    def _begin(self, header: dict[str, str]) -> None:
        self._file.seek(0)
        at = 0
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break
            try:
                read = json.loads(line)
            except ValueError:
                raise _faulty(
                    self.folder, f"journal.jsonl is broken at line {number + 1}"
                ) from None
            if number == 0:
                self._same(read, header)
            elif read["unit"] not in self.done:
                self.done[read["unit"]] = at
                self.seconds += read["seconds"]
            at += len(line)
        self._file.truncate(at)
        self._file.seek(at)
        if at == 0:
            self._write(header)

    def _same(self, read: dict[str, str], header: dict[str, str]) -> None:
        if read.get("format") != _FORMAT:
            raise _faulty(self.folder, "journal.jsonl is no journal of the lab")
        if read["experiment"] != header["experiment"]:
            message = "holds the results of another experiment; say another folder with --out"
            raise _faulty(self.folder, message)
        if read["versions"] != header["versions"]:
            message = (
                f"was begun with {read['versions']}, and this is {header['versions']}: go on with "
                "those, or say another folder with --out"
            )
            raise _faulty(self.folder, message)

    def _write(self, *lines: dict[str, Any]) -> list[int]:
        places, text = [], b""
        at = self._file.seek(0, os.SEEK_END)
        for line in lines:
            places.append(at + len(text))
            text += canonical(line).encode() + b"\n"
        self._file.write(text)
        self._file.flush()
        os.fsync(self._file.fileno())
        return places

    def keep(self, units: list[dict[str, Any]]) -> None:
        """Write units that are done: each with its number (unit), rows and seconds."""
        new = [one for one in units if one["unit"] not in self.done]
        for one, at in zip(new, self._write(*new), strict=True):
            self.done[one["unit"]] = at
            self.seconds += one["seconds"]

    def rows(self) -> Iterator[Row]:
        """All rows in the order of their units, whoever was first."""
        with self.path.open("rb") as file:
            for number in sorted(self.done):
                file.seek(self.done[number])
                yield from json.loads(file.readline())["rows"]


def digest(value: Any) -> str:
    """A short hash of plain values."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:16]
