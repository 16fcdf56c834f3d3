"""Whole verdicts as hashes, pinned in a file for each system."""

from __future__ import annotations

import json
import math
from hashlib import sha256
from typing import Any

from support.scenarios import ROOT

#: Ten hexadecimal characters a verdict, or a case.
PINNED = ROOT / "tests" / "census" / "documents"


def _rounded(value: Any) -> Any:
    """Lengths to 9 decimals: sums may run in another order."""
    if isinstance(value, float):
        return round(value, 9) + 0.0 if math.isfinite(value) else str(value)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return value


def fingerprint(*documents: Any) -> str:
    """Of JSON documents."""
    text = json.dumps(_rounded(json.loads(json.dumps(documents))), sort_keys=True)
    return sha256(text.encode()).hexdigest()[:10]


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
