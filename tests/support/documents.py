"""Whole verdicts as hashes, pinned in a file for each system."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from support.scenarios import ROOT

#: Ten hexadecimal characters a verdict, or a case.
PINNED = ROOT / "tests" / "census" / "documents"


def _rounded(number: str) -> float:
    """Lengths to 9 decimals: sums may run in another order."""
    return round(float(number), 9) + 0.0


def fingerprint(*documents: Any) -> str:
    """Of JSON documents."""
    written = json.dumps(documents)
    rounded = json.loads(
        written, parse_float=_rounded, parse_constant=lambda name: str(float(name))
    )
    return sha256(json.dumps(rounded, sort_keys=True).encode()).hexdigest()[:10]


def pinned_documents(system: str) -> dict[str, Any]:
    """Pinned hashes of a system: "golden" by case, "played" by scene."""
    path = PINNED / f"{system}.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return found


def pin_documents(system: str, key: str, found: dict[str, Any]) -> None:
    """Write some of them anew; from one process only."""
    pinned = pinned_documents(system)
    pinned[key] = pinned.get(key, {}) | found
    PINNED.mkdir(exist_ok=True)
    text = json.dumps(pinned, indent=0, sort_keys=True)
    (PINNED / f"{system}.json").write_text(text + "\n")
