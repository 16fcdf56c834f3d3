"""Actions: what a player or the rules ask for. Each system defines its own kinds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar

from tapeline.wording import spaced

__all__ = ["Action", "ActorAction", "Request"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A frozen intent; every field has a plain JSON form.

    kind: its name in documents; that of the class unless it says its own: EndPhase is "end_phase".
    title: what players call it; its kind in words unless it says its own.
    attests: fields that tell what was settled on the real table, on the word of one side; "kind"
    where doing it at all tells it. measures: whether it only has something told.
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""
    attests: ClassVar[tuple[str, ...]] = ()
    measures: ClassVar[bool] = False
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}

    def __init_subclass__(cls) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = re.sub(r"\B([A-Z])", r"_\1", cls.__name__).lower()
        if "title" not in cls.__dict__:
            cls.title = spaced(cls.kind).capitalize()

    @property
    def claims(self) -> dict[str, Any]:
        """What it attests: each field that is not as it is where nothing is told."""
        usual = {one.name: one.default for one in fields(self)}
        told = {name: getattr(self, name) for name in self.attests}
        return {n: value for n, value in told.items() if value != usual.get(n, MISSING)}


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
