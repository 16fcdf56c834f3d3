"""Random damage to documents: to their structure, and to their bytes."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

JUNK: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 7, 0.5, -0.0, 1e-9, 1e9, -1e9, 1e300, 10**15, 10**400,
    float("nan"), float("inf"), "", "x", "red", "R1", "\ud800", "\x00", "a" * 200, [], {}, [[]],
    [None], {"": 1}, {"to": [1, 1]}, [1, 2], [1, 2, 3], {"like": "disc"}, "1", "true", [0, 0],
]  # fmt: skip


def _places(node: Any, into: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, child in items:
        into.append((node, key))
        if isinstance(child, dict | list):
            _places(child, into)
    return into


def _number(rng: Random, value: float) -> Any:
    if not abs(value) < 1e15:
        return 0
    return rng.choice(
        [
            -value, value + 1, value - 1, value * 1000, value / 1000, value + 1e-7, str(value),
            int(value) if abs(value) < 1e9 else 0, float(value), [value], value * 2, 0,
            rng.uniform(-50, 80),
        ]
    )  # fmt: skip


def damaged(document: Any, rng: Random, others: list[Any] | None = None) -> Any:
    """A copy with one to four random changes of structure."""
    document = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        if not isinstance(document, dict | list) or not document:
            return document
        places = _places(document, [])
        node, key = rng.choice(places)
        value, how = node[key], rng.randrange(11)
        if how == 0:
            del node[key]
        elif how == 1:
            node[key] = copy.deepcopy(rng.choice(JUNK))
        elif how <= 4 and isinstance(value, int | float) and not isinstance(value, bool):
            node[key] = _number(rng, value)
        elif how == 5 and isinstance(node, list):
            node.insert(rng.randrange(len(node) + 1), copy.deepcopy(value))
        elif how == 6 and isinstance(node, dict):
            node[rng.choice(("x", "id", "z", "state", "", key + "s"))] = copy.deepcopy(
                rng.choice(JUNK)
            )
        elif how == 7:
            other, place = rng.choice(places)
            if isinstance(other, dict) or (isinstance(place, int) and place < len(other)):
                node[key] = copy.deepcopy(
                    other.get(place) if isinstance(other, dict) else other[place]
                )
        elif how == 8 and others:
            node[key] = copy.deepcopy(rng.choice(others))
        elif how == 9 and isinstance(value, str):
            node[key] = rng.choice((value.upper(), value + " ", value[:-1], value * 2, "R2", "B1"))
        elif how == 10 and isinstance(value, list):
            rng.shuffle(value)
        else:
            node[key] = copy.deepcopy(rng.choice(JUNK))
    return document


def scrambled(document: Any, rng: Random) -> bytes:
    """The document's bytes with one to six random changes."""
    data = bytearray(json.dumps(document).encode())
    for _ in range(rng.randrange(1, 7)):
        if not data:
            break
        at, how = rng.randrange(len(data)), rng.randrange(6)
        if how == 0:
            data[at] = rng.randrange(256)
        elif how == 1:
            del data[at : at + rng.randrange(1, 20)]
        elif how == 2:
            data[at:at] = bytes(rng.choices(b'{}[]",:0123456789.eE-tfn\\ ', k=rng.randrange(1, 5)))
        elif how == 3:
            del data[at:]
        elif how == 4:
            piece = data[at : at + rng.randrange(1, 40)]
            data[at:at] = piece
        else:
            data[at] = rng.choice(b'0123456789"{}[],:.-')
    return bytes(data)
