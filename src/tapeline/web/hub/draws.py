"""Rolls in which the sides have a share: who has committed to one, and the wait for their keys.

What was committed to and revealed is in the database, so that the pages of a match may be with
different servers on it. Whoever throws the dice first has thrown them; another server that wanted
to as well is told that its version is over.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from tapeline.web.documents.live import Reveal
from tapeline.web.hub.agreements import Deeds
from tapeline.web.hub.room import Room, Seat
from tapeline.web.store.store import KeptCommitment
from tapeline.web.work.faults import StaleVersionError
from tapeline.web.work.kinds import Holder

__all__ = ["Draws"]

Values: TypeAlias = dict[str, Any]

#: Seconds between two looks for keys that another server may have been given.
LOOK_S = 0.2


class Draws:
    """The rolls that wait."""

    def __init__(self, hub: Deeds) -> None:
        self._hub = hub
        self._store = hub.store
        self._run = hub.run
        self._waiting: dict[str, asyncio.Task[Values]] = {}
        self._closed = False

    def close(self) -> None:
        """Wait no longer: rolls stay open, for another server or the next start."""
        self._closed = True

    async def commitments(self, room: Room) -> dict[str, str]:
        """What each side has committed to that has a share in the next roll, by side."""
        if not room.shares_dice:
            return {}
        kept = await self._kept(room)
        return {one.side: one.commitment for one in kept}

    async def said(self, room: Room) -> Values:
        """What a deed is told of the dice of a match."""
        commitments = await self.commitments(room)
        return {"dice": room.kept.dice, "seed": room.kept.seed, "commitments": commitments}

    async def _kept(self, room: Room) -> list[KeptCommitment]:
        room.commitments = await self._run(self._store.commitments, room.id)
        return [*room.commitments]

    async def commit(self, room: Room, seat: Seat, commitment: str) -> None:
        """Take a commitment of a side's page, in the place of an earlier one of it.

        It counts in a match by links with dice of the server, and while the page is there.
        """
        if not room.shares_dice or seat.holder.role != "side":
            return
        before, seat.commitment = seat.commitment, commitment
        await self._forget(room, seat.holder.sides[0], before)
        await self._run(self._store.commit, room.id, seat.holder.sides[0], commitment)
        await self._kept(room)
        room.greet()

    async def leave(self, room: Room, seat: Seat) -> None:
        """A page is gone, and its commitment with it."""
        if seat.commitment:
            await self._forget(room, seat.holder.sides[0], seat.commitment)
            await self._kept(room)
            room.greet()

    async def _forget(self, room: Room, side: str, commitment: str) -> None:
        """A page of a side no longer stands for a commitment; another one here may."""
        if commitment and (side, commitment) not in room.pledged:
            await self._run(self._store.forget, room.id, side, commitment)

    async def reveal(self, room: Room, holder: Holder, said: Reveal) -> None:
        """Take the key of a side for the roll that is open; others are passed over."""
        bound = await self._bound(room)
        if holder.role == "side" and said.number == room.version + 1:
            (side,) = holder.sides
            if bound.get(side) == said.commitment:
                kept = (room.id, side, said.commitment, said.number, said.key)
                await self._run(self._store.reveal, *kept)
                self._wait(room, holder, bound)
                room.revealed.set()

    async def settle(self, room: Room, holder: Holder) -> Values | None:
        """Wait until the dice of an open roll are thrown, and throw them in the end with the keys
        that have come. Gives what was done, None if no such roll is open."""
        bound = await self._bound(room)
        return await asyncio.shield(self._wait(room, holder, bound)) if bound else None

    async def _bound(self, room: Room) -> Mapping[str, str]:
        """The commitments for whose keys the open roll waits."""
        if not room.version or not room.shares_dice:
            return {}
        (last,) = await self._run(self._store.lines, room.id, room.version - 1, 1)
        bound: dict[str, str] = json.loads(last).get("commitments", {})
        return bound

    def _wait(self, room: Room, holder: Holder, bound: Mapping[str, str]) -> asyncio.Task[Values]:
        waiting = self._waiting.get(room.id)
        if waiting is None:
            waiting = asyncio.create_task(self._waited(room, holder, bound))
            self._waiting[room.id] = waiting
            waiting.add_done_callback(lambda done: self._over(room, done))
        return waiting

    def _over(self, room: Room, waiting: asyncio.Task[Values]) -> None:
        del self._waiting[room.id]
        if not waiting.cancelled():
            # Told to whoever waits for it; if nobody does, the roll stays open.
            waiting.exception()

    async def _waited(self, room: Room, holder: Holder, bound: Mapping[str, str]) -> Values:
        version, until = room.version, time.monotonic() + self._hub.settings.reveal_seconds
        while room.version == version and not self._closed:
            room.revealed.clear()
            kept = await self._kept(room)
            keys = {(c.side, c.commitment): c.key for c in kept if c.number == version + 1}
            come = {side: keys[side, one] for side, one in bound.items() if (side, one) in keys}
            if len(come) == len(bound) or time.monotonic() > until:
                for side in bound.keys() - come.keys():
                    # It takes part again as soon as its page says so.
                    await self._run(self._store.forget, room.id, side, bound[side])
                return await self._draw(room, holder, version, come)
            with suppress(TimeoutError):
                await asyncio.wait_for(room.revealed.wait(), LOOK_S)
        return {}

    async def _draw(
        self, room: Room, holder: Holder, version: int, reveals: Mapping[str, str]
    ) -> Values:
        said = {**await self.said(room), "reveals": reveals}
        with suppress(StaleVersionError):
            return await self._hub.write(room, holder, version, "draw", lambda: said)
        return {}
