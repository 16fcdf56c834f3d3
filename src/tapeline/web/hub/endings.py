"""How matches end: a side gives up, all agree on a draw; and the same match again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from tapeline.web.documents.match import Ending
from tapeline.web.hub.links import new_id, new_token
from tapeline.web.hub.matches import keep_again
from tapeline.web.hub.plans import Plan, others
from tapeline.web.hub.rates import Hourly
from tapeline.web.hub.room import Room
from tapeline.web.store.store import StaleError, Store
from tapeline.web.work.faults import ForbiddenError, StaleVersionError
from tapeline.web.work.holder import Holder

__all__ = ["Deeds", "Endings"]

_SAYS = {"draw": "a draw", "rematch": "to play the same again, from the beginning"}


class Deeds(Protocol):
    """What a hub does for an ending."""

    async def run(self, work: Callable[..., Any], *args: Any) -> Any:
        """Ask the store in a thread."""
        ...

    async def ask(self, room: Room, holder: Holder, what: str, said: Any) -> bytes:
        """What the engine answers about a match."""
        ...

    async def write(
        self, room: Room, holder: Holder, version: int, what: str, said: Callable[[], Any]
    ) -> dict[str, Any]:
        """Let a deed through."""
        ...

    async def propose(self, room: Room, holder: Holder, plan: Plan) -> str:
        """Propose something; JSON of a `documents.Done`."""
        ...

    async def done(self, room: Room, holder: Holder, version: int, deed: Any = None) -> str:
        """What came of a deed, as JSON of a `documents.Done`."""
        ...


class Endings:
    """Ends matches. made: counts new ones by address."""

    def __init__(self, hub: Deeds, store: Store, made: Hourly) -> None:
        self._hub = hub
        self._store = store
        self._made = made

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
        by = deed["by"]
        asked = others(room.sides, by)
        plan = Plan(new_id(), wanted.version, wanted.how, by, _SAYS[wanted.how], asked)
        return await self._hub.propose(room, holder, plan)

    async def again(self, room: Room, holder: Holder, plan: Plan) -> None:
        """Begin the same match again, which the same links open."""
        self._made.take(holder.address)
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
        room.plans = [other for other in room.plans if other.id != plan.id]
