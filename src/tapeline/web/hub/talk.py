"""What is said at a table, and where people point: bounded, counted by link, told to all pages.

Remarks are kept with the match; a place that is pointed at goes to the pages of this server that
are there, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeline.errors import DocumentError, Fault, printable
from tapeline.web.documents.live import Draw, Drawn, Point, Pointed, Remark
from tapeline.web.hub.agreements import Deeds
from tapeline.web.hub.rates import Rate
from tapeline.web.hub.room import Room
from tapeline.web.store.store import KeptRemark, remark, remarks
from tapeline.web.work.faults import ForbiddenError
from tapeline.web.work.kinds import Holder

__all__ = ["Talk"]


class Talk:
    """The talk of all matches. tell: other servers that one has changed."""

    def __init__(self, hub: Deeds, tell: Callable[[str], None]) -> None:
        self._hub = hub
        self._settings = settings = hub.settings
        self._tell = tell
        self._said = Rate.a_minute(settings.remarks_a_minute)
        self._pointed = Rate.a_minute(settings.pointing_a_minute)

    async def say(self, room: Room, holder: Holder, text: str) -> Remark:
        """Say something. Raises ForbiddenError, TooOftenError, DocumentError for an empty text."""
        self._speaks(holder)
        words = " ".join(printable(line) for line in text.split())
        if not words:
            raise DocumentError("talk", [Fault("text", "must say something")])
        self._said.take(holder.key)
        async with room.talking:
            told = (room.id, _by(holder), words, self._settings.remarks)
            kept: KeptRemark = await self._hub.run(remark, self._hub.store, *told)
        room.heard(kept.n)
        self._tell(room.id)
        return _document(kept)

    async def since(self, room: Room, after: int) -> list[Remark]:
        """What was said after a remark, as far as it is kept."""
        most = self._settings.remarks
        kept = await self._hub.run(remarks, self._hub.store, room.id, after, most)
        return [_document(one) for one in kept]

    def point(self, room: Room, holder: Holder, at: Point) -> None:
        """Point at a place. Raises ForbiddenError, TooOftenError."""
        self._speaks(holder)
        self._pointed.take(holder.key)
        room.point(Pointed(**at.model_dump(), by=_by(holder)))

    def draw(self, room: Room, holder: Holder, drawn: Draw) -> None:
        """Show what one has drawn. Raises ForbiddenError, TooOftenError."""
        self._speaks(holder)
        self._pointed.take(holder.key)
        room.sketch(Drawn(**drawn.model_dump(), by=_by(holder)))

    def _speaks(self, holder: Holder) -> None:
        if holder.role == "watch" and not self._settings.onlookers_talk:
            raise ForbiddenError("This link is for looking on: here it does not speak.")


def _by(holder: Holder) -> str:
    return holder.sides[0] if holder.role == "side" else holder.role


def _document(kept: KeptRemark) -> Remark:
    return Remark.of(kept, by=kept.side)
