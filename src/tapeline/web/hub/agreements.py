"""What sides agree on about a match itself: how it ends, that it is played again, and hints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from tapeline.web.documents.match import AllowHints, Ending
from tapeline.web.hub.matches import keep_again, new_id, new_token
from tapeline.web.hub.rates import Hourly
from tapeline.web.hub.room import Plan, Room
from tapeline.web.settings import Settings
from tapeline.web.store.store import StaleError, Store
from tapeline.web.work.faults import ForbiddenError, StaleVersionError, stale
from tapeline.web.work.kinds import Holder

__all__ = ["Agreements", "Deeds"]


_SAYS = {
    "draw": "a draw",
    "rematch": "to play the same again, from the beginning",
    "hints": "that both may ask for hints",
}


class Deeds(Protocol):
    """What a hub does for its parts. made: counts new matches by address."""

    settings: Settings
    store: Store
    made: Hourly

    async def run(self, work: Callable[..., Any], *args: Any) -> Any:
        """Ask the store in a thread."""

    async def ask(self, room: Room, holder: Holder, what: str, said: Any) -> bytes:
        """What the engine answers about a match."""

    async def write(
        self, room: Room, holder: Holder, version: int, what: str, said: Callable[[], Any]
    ) -> dict[str, Any]:
        """Let a deed through."""

    async def propose(self, room: Room, holder: Holder, plan: Plan) -> str:
        """Propose something; JSON of a `documents.Done`."""

    async def done(self, room: Room, holder: Holder, version: int, deed: Any = None) -> str:
        """What came of a deed, as JSON of a `documents.Done`."""


class Agreements:
    """What sides ask each other to agree to, and what comes of it."""

    def __init__(self, hub: Deeds) -> None:
        self._hub = hub
        self._store = hub.store

    async def end(self, room: Room, holder: Holder, wanted: Ending) -> str:
        """Give up, or propose what all must agree to. JSON of a `documents.Done`."""
        if holder.role == "watch":
            raise ForbiddenError("This link is for looking on: it ends nothing.")
        if wanted.how == "rematch" and (room.kept.rematch or room.kept.copy_of):
            raise ForbiddenError("The same was begun again already, or this is a copy.")
        said = {"how": wanted.how, "side": wanted.side, "by": holder.said()}
        deed = await self._hub.write(room, holder, wanted.version, "end", lambda: said)
        if wanted.how == "resign":
            return await self._hub.done(room, holder, wanted.version, deed)
        plan = room.plan(wanted.version, wanted.how, deed["by"], _SAYS[wanted.how])
        return await self._hub.propose(room, holder, plan)

    async def again(self, room: Room, holder: Holder, plan: Plan) -> None:
        """Begin the same match again, which the same links open."""
        self._hub.made.take(holder.address)
        match_id, seed = new_id(), new_token()
        said = {"id": match_id, "seed": seed, "typed": room.types}
        begun = await self._hub.ask(room, holder, "rematch", said)
        try:
            links = room.links
            await self._hub.run(keep_again, self._store, begun, match_id, seed, room.kept, links)
        except StaleError:
            raise StaleVersionError("The same was begun again already.") from None
        await self._hub.run(self._store.decline, plan.id)
        room.kept = replace(room.kept, rematch=match_id)
        room.drop(plan)

    # Hints

    async def hints(self, room: Room, holder: Holder) -> bytes:
        """The best few actions now: JSON of a `documents.Hints`. Raises ForbiddenError."""
        if holder.role == "watch":
            raise ForbiddenError("This link is for looking on: hints are for those who play.")
        if room.kept.mode == "links":
            # Another server may have been told that a side will have no more of them.
            on = await self._hub.run(self._store.hints, room.id)
            if on != room.kept.hints:
                room.kept = replace(room.kept, hints=on)
                room.wake()
        if not room.hints:
            raise ForbiddenError("Hints are off in this match until all sides agree to them.")
        said = {"by": holder.said(), "mode": room.kept.mode, "seed": room.id}
        return await self._hub.ask(room, holder, "hints", said)

    async def allow_hints(self, room: Room, holder: Holder, wanted: AllowHints) -> str:
        """Propose hints to the others, or end them. JSON of a `documents.Done`."""
        if holder.role == "watch":
            raise ForbiddenError("This link is for looking on: it changes nothing.")
        if room.kept.mode != "links":
            raise ForbiddenError("One page moves all sides here: hints are on already.")
        if not wanted.on:
            await self._keep_hints(room, False)
            return await self._hub.done(room, holder, wanted.version)
        if wanted.version != room.version:
            raise stale(wanted.version, room.version)
        # A system that hides measures refuses, whatever is agreed.
        await self._hub.ask(room, holder, "may hint", {"mode": room.kept.mode})
        plan = room.plan(wanted.version, "hints", holder.sides[0], _SAYS["hints"])
        return await self._hub.propose(room, holder, plan)

    async def hints_agreed(self, room: Room, plan: Plan) -> None:
        """All have agreed to a proposal of hints. Called while the room is locked."""
        await self._hub.run(self._store.decline, plan.id)
        room.drop(plan)
        await self._keep_hints(room, True)

    async def _keep_hints(self, room: Room, on: bool) -> None:
        """Keep whether hints are allowed, and tell all pages."""
        await self._hub.run(self._store.allow_hints, room.id, on)
        room.kept = replace(room.kept, hints=on)
        room.wake()
