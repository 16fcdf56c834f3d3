"""The set-up before a game as a part of the state: whose turn it is, who waits, who is ready."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tapeline.table.bodies import Body, Unit
from tapeline.table.deployment import DeploymentDoc, Order

__all__ = ["TRAY", "Deployment", "deployment_document", "deployment_from", "in_trays"]

#: Why a body is gone that has yet to be set up.
TRAY = "in the tray"


@dataclass(frozen=True, slots=True)
class Deployment:
    """A set-up that goes on. sides: those that set up, in order; next: whose turn it is, "" where
    all set up together; ready: those that have done. order, hidden: as of `DeploymentDoc`."""

    sides: tuple[str, ...]
    order: Order = "together"
    hidden: bool = False
    next: str = ""
    ready: tuple[str, ...] = ()

    @property
    def acting(self) -> tuple[str, ...]:
        """The sides that may set up now."""
        if self.next:
            return (self.next,)
        return tuple(side for side in self.sides if side not in self.ready)


def deployment_from(doc: DeploymentDoc, sides: tuple[str, ...]) -> Deployment:
    """The set-up of a scene. sides: those that have a zone, in order."""
    ready = tuple(doc.ready)
    if doc.order == "together":
        return Deployment(sides, doc.order, doc.hidden, "", ready)
    left = [side for side in sides if side not in ready]
    return Deployment(sides, doc.order, doc.hidden, doc.next or (left or [""])[0], ready)


def in_trays(bodies: Mapping[str, Body], side: str | None = None) -> Iterator[Body]:
    """The bodies among the gone that wait to be set up, of one side or of all."""
    for body in bodies.values():
        if body.marks.get("gone") == TRAY and side in (None, body.side):
            yield body


def deployment_document(
    now: Deployment, units: Mapping[str, Unit], gone: Mapping[str, Body]
) -> dict[str, Any]:
    """The set-up that goes on as a scene document holds it. gone: those in the trays among them."""
    unit_of = {name: unit.id for unit in units.values() for name in unit.members}
    waiting = dict.fromkeys(unit_of.get(body.id, body.id) for body in in_trays(gone))
    return {
        "order": now.order,
        **({"next": now.next} if now.next else {}),
        **({"hidden": True} if now.hidden else {}),
        "waiting": [*waiting],
        **({"ready": [*now.ready]} if now.ready else {}),
    }
