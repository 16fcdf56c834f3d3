"""Calls to the server beside the page: to begin matches, and to know what the page must show."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import dataclass
from typing import Any

__all__ = ["Seat", "begin", "call"]


def call(url: str, path: str, body: Any = None, token: str | None = None) -> Any:
    """The answer of the API. Raises urllib's HTTPError on a refusal."""
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}/api/{path}", data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


@dataclass(frozen=True)
class Seat:
    """A link to a match: who sits there, and the path of the page."""

    url: str
    match: str
    role: str
    side: str | None
    path: str
    token: str

    def now(self) -> Any:
        """The match as this seat sees it."""
        return call(self.url, f"matches/{self.match}", token=self.token)


def begin(url: str, **new: Any) -> list[Seat]:
    """Begin a match (keys as of `NewMatch`); its seats."""
    made = call(url, "matches", new)
    return [
        Seat(url, made["id"], link["role"], link["side"], link["path"], link["token"])
        for link in made["links"]
    ]
