"""Rosters: what a side brings, read from a list, CSV or JSON, in profiles that a system knows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from tapeline.engine.allowed import close_to
from tapeline.engine.system import System
from tapeline.errors import DocumentError, Fault
from tapeline.table.json_documents import parse_json, validate
from tapeline.table.terrain_documents import StrictDoc

__all__ = ["ROSTER_FORMAT", "RosterDoc", "RosterLineDoc", "read_roster"]

ROSTER_FORMAT = "tapeline-roster/1"
#: Lines of a list, and bodies that they may come to.
_MOST_LINES, _MOST_BODIES = 200, 500
#: "2x Spears: Infantry (20)": how many, the name, the profile, and how many are in each.
_LINE = re.compile(
    r"^(?:[-*•]\s*)?(?:(?P<count>\d{1,4})\s*[x×]?\s+)?(?P<name>.+?)"
    r"(?:\s*(?:[:;\t]|\s-\s)\s*(?P<profile>.+?))?\s*(?:\((?P<size>\d{1,4})\))?$"
)
_NUMBERS = ("count", "size")
Name = Annotated[str, Field(min_length=1, max_length=120)]
Count = Annotated[int, Field(ge=1, le=_MOST_BODIES)]


class RosterLineDoc(StrictDoc):
    """One line: `count` bodies or units of a profile. size: models or stands in each, for profiles
    that stand in regiments or units; as usual there, if left out."""

    profile: Name
    name: Annotated[str, Field(max_length=120)] = ""
    count: Count = 1
    size: Count | None = None


class RosterDoc(StrictDoc):
    """What a side brings in a game."""

    format: Literal["tapeline-roster/1"]
    system: Name
    name: Annotated[str, Field(max_length=120)] = ""
    lines: Annotated[list[RosterLineDoc], Field(min_length=1, max_length=_MOST_LINES)]


def read_roster(text: str, system: System, name: str = "") -> RosterDoc:
    """A roster of a system from text: JSON (a roster, or a list of lines), CSV with a header that
    has `profile`, or a list with a line each such as "3x Azeb" or "Spears: Infantry (20)".

    Profiles are found whatever their capitals, and in the plural. Raises DocumentError with every
    line that cannot be read, or whose profile the system does not know.
    """
    text = text.strip().removeprefix("\ufeff")
    if not text:
        raise DocumentError("roster", [Fault("", "is empty")])
    if text[0] in "{[":
        document = parse_json(text, "roster")
        if isinstance(document, list):
            document = {"lines": document}
        document = {"format": ROSTER_FORMAT, "system": system.name, "name": name, **document}
    else:
        rows = [*(_csv(text) or _listed(text))]
        document = {"format": ROSTER_FORMAT, "system": system.name, "name": name, "lines": rows}
    roster: RosterDoc = validate(RosterDoc, document, "roster")
    if roster.system != system.name:
        message = f"is a roster of {roster.system}, not of {system.name}"
        raise DocumentError("roster", [Fault("system", message)])
    return _known(roster, system)


def _csv(text: str) -> list[dict[str, Any]]:
    """Rows of CSV, none if the first line is no header of one."""
    first = text.splitlines()[0]
    mark = max(",;\t", key=first.count)
    header = [cell.strip().lower() for cell in next(csv.reader([first], delimiter=mark))]
    if "profile" not in header:
        return []
    rows, faults = [], []
    for number, cells in enumerate(csv.reader(io.StringIO(text), delimiter=mark), 1):
        if number == 1 or not any(cell.strip() for cell in cells):
            continue
        row: dict[str, Any] = {
            key: cell.strip() for key, cell in zip(header, cells, strict=False) if cell.strip()
        }
        for key in _NUMBERS:
            if key in row and not row[key].isdecimal():
                came = repr(row[key])[:40]
                faults.append(Fault(f"line {number}.{key}", f"must be a whole number; got {came}"))
            elif key in row:
                row[key] = int(row[key])
        rows.append(row)
    if faults:
        raise DocumentError("roster", faults)
    return rows


def _listed(text: str) -> Iterator[dict[str, Any]]:
    for line in filter(None, map(str.strip, text.splitlines())):
        found = _LINE.match(line)
        said: Mapping[str, str | None] = found.groupdict() if found else {"name": line}
        row: dict[str, Any] = {"profile": said.get("profile") or said["name"]}
        if said.get("profile"):
            row["name"] = said["name"]
        yield {**row, **{key: int(value) for key in _NUMBERS if (value := said.get(key))}}


def _known(roster: RosterDoc, system: System) -> RosterDoc:
    """The roster with profiles as the system writes them. Raises DocumentError."""
    names = {name.lower(): name for name in system.profiles}
    sized = {"files", "stands"}
    lines, faults = [], []
    for index, line in enumerate(roster.lines):
        word = line.profile.lower()
        found = next(
            (names[w] for w in (word, word.removesuffix("s"), f"{word}s") if w in names), ""
        )
        where = f"lines[{index}]"
        if not found:
            hint = close_to(line.profile.title(), system.profiles)
            message = f"{system.title} knows no profile {line.profile!r}{hint}"
            faults.append(Fault(f"{where}.profile", message))
        elif line.size is not None and not sized & {*system.profiles[found].stats}:
            faults.append(Fault(f"{where}.size", f"{found} is a single model: leave it out"))
        lines.append(line.model_copy(update={"profile": found, "name": line.name or found}))
    total = sum(line.count * (line.size or 1) for line in lines)
    if total > _MOST_BODIES:
        faults.append(Fault("lines", f"come to {total} models; {_MOST_BODIES} is the most"))
    if faults:
        raise DocumentError("roster", faults)
    return roster.model_copy(update={"lines": lines})
