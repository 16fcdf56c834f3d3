"""What input may cost, looked at before anything is worked out: pieces, corners, bodies, entries,
legs.

A budget counts what the time of the engine depends on, not bytes: a list of corners is short, and
every pair of its edges is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tapeline.errors import DocumentError, Fault

__all__ = ["check_action", "check_log", "check_scene"]

#: Legs of a path, models and units named, and values of all kinds in one action or answer.
LEGS, NAMED, VALUES = 200, 200, 4_000

#: Models of a regiment, of which more are refused anyway.
_MODELS = 500


def check_scene(scene: Mapping[str, Any], most: Mapping[str, int]) -> None:
    """Whether a scene is within its budget.

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
