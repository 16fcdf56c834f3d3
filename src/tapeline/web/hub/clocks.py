"""Clocks: the time of a side runs while it must act and the page of another side is there.

So nobody's time runs before the first entry, while he is alone at the table, or while the server is
down. What is left is kept with the match at each entry and every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial

from tapeline.errors import TapelineError
from tapeline.web.hub.agreements import Deeds
from tapeline.web.hub.room import Clock, Room
from tapeline.web.work.kinds import Holder

__all__ = ["Clocks"]

_log = logging.getLogger(__name__)

#: Seconds between two looks at the clocks, and how many looks until they are kept.
LOOK_S = 1.0
KEPT_EVERY = 10


class Clocks:
    """The clocks of all matches that are open. rooms: these, by id."""

    def __init__(self, hub: Deeds, rooms: Mapping[str, Room]) -> None:
        self._hub = hub
        self._rooms = rooms

    async def keep(self, room: Room) -> None:
        """Keep the clock of a match, if it has one."""
        if room.clock is not None:
            await self._hub.run(self._hub.store.keep_clock, room.id, room.clock.kept())

    async def run(self) -> None:
        """Look at the clocks, for ever."""
        looks = 0
        while True:
            await asyncio.sleep(LOOK_S)
            looks += 1
            for room in [*self._rooms.values()]:
                if room.clock is None or not room.clock.running:
                    continue
                try:
                    await self._look(room, room.clock)
                    if looks % KEPT_EVERY == 0:
                        await self.keep(room)
                except TapelineError as error:
                    _log.warning("the clock of match %s is not kept: %s", room.id, error)

    async def _look(self, room: Room, clock: Clock) -> None:
        """Tell of who has no time left; end the match where that was chosen."""
        clock.settle()
        out = [side for side in clock.running if not clock.left[side] and side not in clock.told]
        for side in out:
            if clock.setting.enforce:
                holder = Holder("both", tuple(room.sides))
                said = {"how": "time", "side": side, "by": holder.said()}
                await self._hub.write(room, holder, room.version, "end", partial(dict, said))
            clock.told.add(side)
            room.wake()
