"""Hints: in a match by links only once all sides have agreed; any of them ends that at once."""

from __future__ import annotations

from dataclasses import replace

from tapeline.web.documents.match import AllowHints
from tapeline.web.hub.endings import Deeds
from tapeline.web.hub.links import new_id
from tapeline.web.hub.plans import Plan, others
from tapeline.web.hub.room import Room
from tapeline.web.store.store import Store
from tapeline.web.work.faults import ForbiddenError, stale
from tapeline.web.work.holder import Holder

__all__ = ["Advice"]

_SAYS = "that both may ask for hints"


class Advice:
    """Whether hints are given, and the hints. store: keeps what was agreed."""

    def __init__(self, hub: Deeds, store: Store) -> None:
        self._hub = hub
        self._store = store

    async def hints(self, room: Room, holder: Holder) -> bytes:
        """The best few actions now: JSON of a `documents.Hints`. Raises ForbiddenError."""
        if holder.role == "watch":
            raise ForbiddenError("This link is for looking on: hints are for those who play.")
        if room.kept.mode == "links":
            # Another server may have been told that a side will have no more of them.
            await self._read(room)
        if not room.hints:
            raise ForbiddenError("Hints are off in this match until all sides agree to them.")
        said = {"by": holder.said(), "mode": room.kept.mode, "seed": room.id}
        return await self._hub.ask(room, holder, "hints", said)

    async def allow(self, room: Room, holder: Holder, wanted: AllowHints) -> str:
        """Propose hints to the others, or end them. JSON of a `documents.Done`."""
        if holder.role == "watch":
            raise ForbiddenError("This link is for looking on: it changes nothing.")
        if room.kept.mode != "links":
            raise ForbiddenError("One page moves all sides here: hints are on already.")
        if not wanted.on:
            await self.keep(room, False)
            return await self._hub.done(room, holder, wanted.version)
        if wanted.version != room.version:
            raise stale(wanted.version, room.version)
        # A system that hides measures refuses, whatever is agreed.
        await self._hub.ask(room, holder, "may hint", {"mode": room.kept.mode})
        by = holder.sides[0]
        asked = others(room.sides, by)
        return await self._hub.propose(
            room, holder, Plan(new_id(), wanted.version, "hints", by, _SAYS, asked)
        )

    async def agreed(self, room: Room, plan: Plan) -> None:
        """All have agreed to a proposal of hints. Called while the room is locked."""
        await self._hub.run(self._store.decline, plan.id)
        room.plans = [other for other in room.plans if other.id != plan.id]
        await self.keep(room, True)

    async def keep(self, room: Room, on: bool) -> None:
        """Keep whether hints are allowed, and tell all pages."""
        await self._hub.run(self._store.allow_hints, room.id, on)
        room.kept = replace(room.kept, hints=on)
        room.wake()

    async def _read(self, room: Room) -> None:
        on = await self._hub.run(self._store.hints, room.id)
        if on != room.kept.hints:
            room.kept = replace(room.kept, hints=on)
            room.wake()
