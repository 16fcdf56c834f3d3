"""Proposals: what one side asks another to agree to, or tells and lets it object to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from tapeline.web.documents import match as documents
from tapeline.web.store.store import KeptProposal
from tapeline.web.work.holder import Holder

__all__ = ["Plan", "in_the_name_of", "others"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A proposal: what, by whom, and who has yet to agree. events: documents, of an override.

    deed: the act or answer that attests something; until: others may object to it up to that time,
    seconds since 1970.
    """

    id: str
    version: int
    what: Literal["undo", "override", "attest", "draw", "rematch", "hints"]
    by: str
    text: str
    waits_for: tuple[str, ...]
    entries: int | None = None
    events: tuple[dict[str, Any], ...] = ()
    reason: str = ""
    deed: dict[str, Any] | None = None
    until: float = 0.0

    def kept(self) -> KeptProposal:
        """The proposal as it is kept."""
        body = asdict(self)
        return KeptProposal(body.pop("id"), body.pop("version"), json.dumps(body, allow_nan=False))

    @classmethod
    def of(cls, kept: KeptProposal) -> Plan:
        """A proposal that was kept."""
        body = json.loads(kept.body)
        body |= {name: tuple(body[name]) for name in ("waits_for", "events")}
        return cls(kept.id, kept.version, **body)

    def agreed(self, sides: Iterable[str]) -> Plan:
        """The proposal once those sides have agreed."""
        return replace(self, waits_for=tuple(s for s in self.waits_for if s not in {*sides}))

    @property
    def seconds(self) -> float:
        """For how long others may still object to what is attested."""
        return max(0.0, round(self.until - time.time(), 1))

    def document(self) -> documents.Proposal:
        """The proposal as pages see it."""
        return documents.Proposal.of(self, seconds=None if self.deed is None else self.seconds)


def in_the_name_of(holder: Holder, plan: Plan | None) -> dict[str, Any]:
    """Who does a deed, and whether what it attests has been agreed to, as by a plan."""
    by = holder if plan is None else Holder("side", (plan.by,))
    return {"by": by.said(), "agreed": plan is not None}


def others(sides: Iterable[str], by: str) -> tuple[str, ...]:
    """The sides that must agree; the one itself where there is no other."""
    return tuple(side for side in sides if side != by) or (by,)
