"""Set-up before a game, as a scene document states it; the same words for every system.

Zones of a side (`table.zones`) say where its models may be set up. A scene with a deployment begins
with models in trays, and the game with the last side that is ready: see `engine.deployment_system`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from tapeline.errors import Fault
from tapeline.geometry.rectangles.rectangle import overlaps
from tapeline.table.solids import ground_of
from tapeline.table.terrain_documents import Id, StrictDoc
from tapeline.table.zones import ZoneDoc, zones_from

__all__ = ["DeploymentDoc", "Order", "deployment_faults", "waiting_ids"]

Order: TypeAlias = Literal["together", "sides", "alternate"]

#: Length, table units: zones that share no more than this touch.
_TOUCH = 1e-6


class DeploymentDoc(StrictDoc):
    """How the sides set up before the game, each in its own zones.

    order: "together", all at once; "sides", one side after the other; "alternate", a model or unit
    at a time in turn. next: the side that begins, or whose turn it is; the first that has a zone
    unless said. hidden: whether nobody sees what the others set up until all are ready; only where
    all set up together. waiting: ids of the models and units in the trays; everybody of the sides
    that have a zone unless said. Where they stand in the scene says how a unit is formed when it is
    taken from its tray. ready: the sides that have done.
    """

    order: Order = "together"
    next: Id | None = None
    hidden: bool = False
    waiting: Annotated[list[Id], Field(max_length=2_500)] | None = None
    ready: Annotated[list[Id], Field(max_length=8)] = []


def waiting_ids(
    doc: DeploymentDoc,
    owners: Mapping[str, str],
    units: Mapping[str, Sequence[str]],
    zoned: Iterable[str],
) -> set[str]:
    """Ids of the bodies in the trays. owners: the side of each body and unit; units: the members of
    each; zoned: the sides that have a zone."""
    wait = doc.waiting
    if wait is None:
        sides = set(zoned)
        wait = [one for one, side in owners.items() if side in sides]
    return {name for one in wait for name in units.get(one, (one,))}


def deployment_faults(
    doc: DeploymentDoc,
    sides: Sequence[str],
    zones: Sequence[ZoneDoc],
    owners: Mapping[str, str],
    units: Mapping[str, Sequence[str]],
) -> Iterator[Fault]:
    """What is wrong with a deployment. owners, units: as of `waiting_ids`."""
    zoned = [side for side in sides if any(zone.side == side for zone in zones)]
    if not zoned:
        yield Fault("deployment", "needs zones that say whose models are set up in them")
    named = [("next", doc.next)] if doc.next is not None else []
    for path, side in [*named, *((f"ready[{i}]", side) for i, side in enumerate(doc.ready))]:
        if zoned and side not in zoned:
            text = f"must be a side with a zone, {', '.join(zoned)}; got {side!r}"
            yield Fault(f"deployment.{path}", text)
    if zoned and not {*zoned} - {*doc.ready}:
        yield Fault("deployment.ready", "all are ready: leave the deployment out")
    elif doc.next is not None and (doc.order == "together" or doc.next in doc.ready):
        why = "is ready" if doc.next in doc.ready else "sets up at any time with the others"
        yield Fault("deployment.next", f"{doc.next!r} {why}")
    if doc.hidden and doc.order != "together":
        yield Fault("deployment.hidden", "only sides that set up together hide what they do")
    of_unit = {name: unit for unit, members in units.items() for name in members}
    for index, one in enumerate(doc.waiting or ()):
        path = f"deployment.waiting[{index}]"
        if one not in owners:
            yield Fault(path, f"no model or unit has the id {one!r}")
        elif one in of_unit:
            yield Fault(path, f"{one!r} is set up with its unit, {of_unit[one]!r}")
        elif zoned and owners[one] not in zoned:
            yield Fault(path, f"side {owners[one]!r} has no zone to set {one!r} up in")
    if doc.hidden:
        yield from _shared(zones)


def _shared(zones: Sequence[ZoneDoc]) -> Iterator[Fault]:
    """Zones of two sides on the same ground: one would find out there what the other hides."""
    for one, other in combinations(zones_from(zone for zone in zones if zone.side), 2):
        if one.side != other.side and overlaps(
            ground_of(one.outline).region, ground_of(other.outline).region, _TOUCH
        ):
            text = f"the zones {one.id!r} and {other.id!r} share ground, so nothing is hidden there"
            yield Fault("deployment.hidden", text)
