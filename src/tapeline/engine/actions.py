"""Actions: what a player or the rules ask for. Each system defines its own kinds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

__all__ = ["Action", "ActorAction", "Request"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A frozen intent; every field has a plain JSON form.

    kind: its name in documents; that of the class unless it says its own: EndPhase is "end_phase".
    """

    kind: ClassVar[str] = ""
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}

    def __init_subclass__(cls) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = re.sub(r"\B([A-Z])", r"_\1", cls.__name__).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorAction(Action):
    """An action of a body or unit. actor: its id."""

    actor: str


@dataclass(frozen=True, slots=True)
class Request:
    """An action not yet checked against a system: its kind and parameters as in a document.

    >>> Request("charge", {"actor": "red-1", "target": "blue-2"}).document()
    {'kind': 'charge', 'actor': 'red-1', 'target': 'blue-2'}
    """

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The action as it stands in a JSON document."""
        return {"kind": self.kind, **self.parameters}
