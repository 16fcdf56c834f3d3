"""What a worker can be asked, by whom, how much of a processor and of memory it may take, and what
input may cost: looked at before anything is worked out."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tapeline.errors import DocumentError, Fault

__all__ = [
    "KINDS",
    "Holder",
    "Kind",
    "check_action",
    "check_log",
    "check_scene",
    "limit_memory",
    "resident",
]


class Kind(NamedTuple):
    """seconds: of a processor, for one answer. quick: asked while somebody drags or waits for the
    page; tried first among the quick ones, where it may take no more than they do. waits: for a
    program of somebody else's; answered by workers of its own, so that nobody waits behind it."""

    seconds: float
    quick: bool = False
    waits: bool = False


#: By name, as in `questions.ABOUT_A_MATCH` and `questions.OF_ITSELF`.
KINDS: dict[str, Kind] = {
    # A stretch of a log that a worker does not know yet.
    "follow": Kind(10.0, quick=True),
    "ready": Kind(3.0, quick=True),
    # The page and what follows its pointer.
    **dict.fromkeys(
        ("sides", "show", "acting", "controls", "opening", "try", "try answer", "demo try",
         "sight", "view", "flush", "at"),
        Kind(5.0, quick=True),
    ),
    "reach": Kind(8.0, quick=True),
    "tape": Kind(2.0, quick=True),
    # Deeds.
    **dict.fromkeys(("act", "answer", "draw"), Kind(8.0, quick=True)),
    **dict.fromkeys(("undo", "override", "end", "carry out"), Kind(5.0, quick=True)),
    "may hint": Kind(2.0, quick=True),
    # What may take long.
    **dict.fromkeys(("think", "hints"), Kind(30.0)),
    "program": Kind(30.0, waits=True),
    **dict.fromkeys(
        ("odds", "threat", "picture", "log", "copy", "rematch", "begin", "systems", "system",
         "clause", "examples", "demo"),
        Kind(10.0),
    ),
    **dict.fromkeys(("route", "again"), Kind(8.0)),
    **dict.fromkeys(("scene", "case", "check", "roster", "example"), Kind(5.0)),
    "solution": Kind(2.0),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Holder:
    """The role of a link, the sides it moves, a key that is no secret, and who uses it whence."""

    role: str
    sides: tuple[str, ...]
    key: str = ""
    address: str = ""

    def said(self) -> dict[str, Any]:
        """What a question says of the holder."""
        return {"role": self.role, "sides": list(self.sides)}

    @classmethod
    def of(cls, said: dict[str, Any]) -> Holder:
        """The holder of whom a question speaks."""
        return cls(said["role"], tuple(said["sides"]))


#: Legs of a path, models and units named, and values of all kinds in one action or answer.
LEGS, NAMED, VALUES = 200, 200, 4_000

#: Models of a regiment, of which more are refused anyway.
_MODELS = 500


def check_scene(scene: Mapping[str, Any], most: Mapping[str, int]) -> None:
    """Whether a scene is within its budget, which counts what the time of the engine depends on,
    not bytes: a list of corners is short, and every pair of its edges is compared.

    most: `pieces` of terrain, with the parts and openings of each; `corners` in all of them;
    `bodies`. Raises DocumentError.
    """
    counts = {"pieces": 0, "corners": 0, "bodies": 0}
    for entry in _dicts(scene.get("terrain")):
        lists = [value for value in entry.values() if isinstance(value, list)]
        counts["pieces"] += 1 + sum(len([*_dicts(value)]) for value in lists)
        counts["corners"] += _corners(entry)
    for body in (*_dicts(scene.get("models")), *_dicts(scene.get("units"))):
        models = body.get("models")
        counts["bodies"] += models if isinstance(models, int) and 1 <= models <= _MODELS else 1
    faults = [
        Fault(
            "terrain" if name != "bodies" else "models",
            f"too much work: {count} {name}; a scene here may have {most[name]}",
        )
        for name, count in counts.items()
        if count > most[name]
    ]
    if faults:
        raise DocumentError("scene", faults)


def check_log(lines: Sequence[str], most: int) -> None:
    """Whether a log is within its budget of entries. Raises DocumentError."""
    entries = sum(not line.isspace() for line in lines if line) - 1
    if entries > most:
        message = f"too much work: {entries} entries; a log here may have {most}"
        raise DocumentError("match", [Fault("log", message)])


def check_action(document: Any) -> None:
    """Whether an action, or the path of an answer, is within its budget. Raises DocumentError."""
    faults = []
    if isinstance(document, dict):
        for name, value in document.items():
            limit = LEGS if name == "path" else NAMED
            if isinstance(value, list) and len(value) > limit:
                what = "legs" if name == "path" else "values"
                message = f"too much work: {len(value)} {what}; up to {limit}"
                faults.append(Fault(str(name)[:80], message))
    elif isinstance(document, list) and len(document) > LEGS:
        faults.append(Fault("", f"too much work: {len(document)} legs; up to {LEGS}"))
    if not faults and _values(document, VALUES) <= 0:
        faults.append(Fault("", f"too much work: more than {VALUES} values"))
    if faults:
        raise DocumentError("action", faults)


def _dicts(values: Any) -> Iterable[dict[str, Any]]:
    if isinstance(values, list):
        yield from (value for value in values if isinstance(value, dict))


def _corners(value: Any) -> int:
    """Lists of two or three numbers in a document, however deep."""
    found, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            if 2 <= len(one) <= 3 and all(isinstance(part, int | float) for part in one):
                found += 1
            else:
                waiting += one
    return found


def _values(document: Any, left: int) -> int:
    """How many values are left when all in a document are taken away."""
    waiting = [document]
    while waiting and left > 0:
        one = waiting.pop()
        left -= 1
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return left


def resident(pid: int | str = "self") -> int:
    """Bytes of memory that a process uses, 0 where that cannot be told."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm", "rb") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def limit_memory(more: int) -> None:
    """Let this process use so many bytes more than it does; beyond that it gets no memory."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", "rb") as told:
            pages = int(told.read().split()[5])
        limit = pages * os.sysconf("SC_PAGE_SIZE") + more
        # The hard limit stays: a program that it begins may be given a limit of its own.
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
