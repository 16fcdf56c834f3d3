"""The hub: opens matches, lets one deed at a time through, keeps it, then tells everybody.

All engine work and all of the store runs in worker threads; everything else on the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any, ParamSpec, TypeVar

import anyio
import anyio.to_thread

from tapeline.engine.system import System
from tapeline.errors import DocumentError, Fault, TapelineError
from tapeline.play.fairness import LONGEST, Chain
from tapeline.play.match import Match
from tapeline.web.documents import match as documents
from tapeline.web.hub import deeds
from tapeline.web.hub.deeds import Deed
from tapeline.web.hub.faults import (
    BusyError,
    ForbiddenError,
    MissingError,
    StaleVersionError,
)
from tapeline.web.hub.judges import Judges, Pick
from tapeline.web.hub.judging import Arguments
from tapeline.web.hub.links import Holder, find, make_links, new_id, new_token
from tapeline.web.hub.neighbours import changed
from tapeline.web.hub.rates import Hourly, Rate
from tapeline.web.hub.room import Plan, Room
from tapeline.web.settings import Settings
from tapeline.web.store.store import KeptMatch, News, StaleError, Store
from tapeline.web.views import catalogue
from tapeline.web.views.board import acting_of

__all__ = ["Hub"]

P = ParamSpec("P")
T = TypeVar("T")

#: How long copies are kept on which somebody tried things.
COPIES_KEPT = timedelta(days=14)

#: Seconds between two looks for matches that nobody asks about.
SWEEP_S = 20.0


class Hub:
    """The matches of a server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.rooms: dict[str, Room] = {}
        self.link_rate = Rate(settings.link_rate, settings.link_burst)
        self.address_rate = Rate(settings.address_rate, settings.address_burst)
        self.made = Hourly(settings.matches_an_hour)
        self.connections = 0
        self._opening: dict[str, asyncio.Lock] = {}
        self.judges = Judges(settings.judges, settings.patience_seconds, self.run)
        self._limiter = anyio.CapacityLimiter(settings.threads)
        self._under_way: set[asyncio.Future[Any]] = set()

    async def run(self, work: Callable[P, T], *args: P.args, **keywords: P.kwargs) -> T:
        """Do work in a worker thread, not more of it at a time than the settings say.

        Who waits for it may be cancelled; the work is not, and `close` waits for it.
        """
        task = asyncio.ensure_future(
            anyio.to_thread.run_sync(lambda: work(*args, **keywords), limiter=self._limiter)
        )
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """End the judges, wait for work under way, let go of the store."""
        await self.judges.close()
        while self._under_way:
            await asyncio.gather(*self._under_way, return_exceptions=True)
        self.store.close()

    # -- opening ---------------------------------------------------------------------------------

    async def create(self, new: documents.NewMatch, address: str) -> documents.Created:
        """Begin a match. Raises DocumentError, TooOftenError."""
        self.made.take(address)
        return await self.run(self._create, new)

    def _create(self, new: documents.NewMatch) -> documents.Created:
        given = [name for name in ("example", "scene", "log") if getattr(new, name) is not None]
        if len(given) != 1:
            message = "begin with one of example, scene or log"
            raise DocumentError("match", [Fault("", message)])
        if new.log is not None:
            match = Match.replay(new.log.splitlines())
            if len(match.entries) > self.settings.entries:
                message = f"has more than {self.settings.entries} entries"
                raise DocumentError("match", [Fault("log", message)])
        elif new.scene is not None:
            match = Match.start(new.scene)
        else:
            assert new.example is not None
            folder = self.settings.examples or catalogue.examples_folder()
            try:
                match = Match.start(catalogue.example(folder, new.example))
            except KeyError:
                message = f"there is no example {new.example!r}"
                raise DocumentError("match", [Fault("example", message)]) from None
        return self._keep(match, new.mode, new.dice, None)

    def _keep(self, match: Match, mode: str, dice: str, copy_of: str | None) -> documents.Created:
        match_id, seed = new_id(), new_token()
        told, links = make_links(match_id, match, mode)
        commitment = Chain(seed, match_id).commitment
        match.dice = {
            "commitment": commitment,
            "salt": match_id,
            "typed": mode == "hotseat" or dice == "typed",
            "after": len(match.entries),
        }
        lines = match.lines()
        kept = KeptMatch(match_id, next(lines), mode, dice, seed, copy_of)
        self.store.create(kept, lines, links)
        return documents.Created(id=match_id, links=told, commitment=commitment)

    async def enter(self, match_id: str, token: str) -> tuple[Room, Holder]:
        """The room of a match for whoever holds a link of it. Raises MissingError."""
        room = self.rooms.get(match_id)
        if room is None:
            room = await self._open(match_id)
        link = None if room is None else find(room.links, token)
        if room is None or link is None:
            raise MissingError("There is no such match, or the link is not one of its links.")
        room.used = time.monotonic()
        return room, room.holder(link)

    async def _open(self, match_id: str) -> Room | None:
        lock = self._opening.setdefault(match_id, asyncio.Lock())
        try:
            async with lock:
                if match_id in self.rooms:
                    return self.rooms[match_id]
                room = await self.run(self._load, match_id)
                if room is not None:
                    self._make_place()
                    self.rooms[match_id] = room
                return room
        finally:
            if not lock.locked():
                self._opening.pop(match_id, None)

    def _load(self, match_id: str) -> Room | None:
        kept = self.store.match(match_id)
        if kept is None:
            return None
        match = Match.replay([kept.header, *self.store.lines(match_id)])
        return Room(kept, self.store.links(match_id), match, self._plans(match_id, match))

    def _plans(self, match_id: str, match: Match) -> list[Plan]:
        return [Plan.of(kept) for kept in self.store.proposals(match_id, len(match.entries))]

    def _make_place(self) -> None:
        """Let matches go that nobody looks at, the one not asked about longest first."""
        while len(self.rooms) >= self.settings.matches_in_memory:
            free = [room for room in self.rooms.values() if not room.seats]
            if not free:
                raise BusyError("The server has as many matches open as it takes; try later.")
            del self.rooms[min(free, key=lambda room: room.used).id]

    async def sweep(self) -> None:
        """Let idle matches go, for ever; first of all forget old copies."""
        await self.run(self.store.prune, datetime.now(UTC) - COPIES_KEPT)
        while True:
            await asyncio.sleep(min(SWEEP_S, self.settings.idle_seconds))
            self.sweep_once()

    def sweep_once(self) -> None:
        """Let those matches go that nobody has asked about for long."""
        old = time.monotonic() - self.settings.idle_seconds
        for room in [*self.rooms.values()]:
            if not room.seats and room.used < old and not room.lock.locked():
                del self.rooms[room.id]

    async def _catch_up(self, room: Room) -> None:
        """Take in what another server has written to the same database."""
        lines = await self.run(self.store.lines, room.id, room.version)
        if lines:
            room.match = await self.run(self._followed, room.match, lines)
        plans = await self.run(self._plans, room.id, room.match)
        if lines or plans != room.plans:
            room.plans = plans
            self._tell(room)

    def _followed(self, match: Match, lines: list[str]) -> Match:
        after = deeds.fork(match)
        after.follow(lines)
        return after

    # -- looking ---------------------------------------------------------------------------------

    async def refresh(self, *rooms: Room) -> None:
        """See whether another server has written to these matches. Raises StoreError."""
        for room in await changed(rooms, self._news):
            async with room.lock:
                await self._catch_up(room)

    async def _news(self, match_ids: list[str]) -> dict[str, News]:
        return await self.run(self.store.news, match_ids)

    async def watch_others(self) -> None:
        """Look for what other servers write to the matches that pages watch, for ever."""
        while True:
            await asyncio.sleep(self.settings.look_seconds)
            with contextlib.suppress(TapelineError):
                await self.refresh(*(room for room in self.rooms.values() if room.seats))

    async def show(self, room: Room, holder: Holder, since: int = 0) -> documents.Match:
        """The match as a link sees it."""
        return await self.run(room.document, room.match, holder, since)

    async def ask(self, room: Room, what: str, said: Arguments) -> str:
        """What the referee answers, as JSON; `what` as in `judging.ASKED`."""
        return await self.judges.ask(room.id, room.match, what, said)

    async def ask_newest(self, room: Room, pick: Pick) -> str | None:
        """What the referee answers to what `pick` says when its turn has come."""
        return await self.judges.newest(room.id, pick)

    # -- doing -----------------------------------------------------------------------------------

    async def _write(
        self,
        room: Room,
        version: int,
        make: Callable[[Match], Deed],
        accepts: str | None = None,
    ) -> Deed:
        """Let a deed through: alone, on the version it is for, on disk before anybody hears."""
        async with room.lock:
            if version > room.version:
                await self._catch_up(room)
            if version != room.version:
                raise _stale(version, room.version)

            def work() -> Deed:
                deed = make(room.match)
                lines = deeds.lines_after(deed.match, version)
                if version + len(lines) > min(self.settings.entries, LONGEST):
                    message = f"This match has the most entries it may have ({version})."
                    raise ForbiddenError(message)
                if lines:
                    self.store.append(room.id, version, lines, accepts)
                return deed

            try:
                deed = await self.run(work)
            except StaleError:
                await self._catch_up(room)
                raise _stale(version, room.version) from None
            room.used = time.monotonic()
            if len(deed.match.entries) != version:
                room.match = deed.match
                room.plans = []
                self._tell(room)
            return deed

    def _tell(self, room: Room) -> None:
        for seat in room.seats:
            seat.wake()

    async def act(self, room: Room, holder: Holder, wanted: documents.Act) -> documents.Done:
        """Do an action."""
        deed = await self._write(
            room,
            wanted.version,
            lambda match: deeds.act(match, holder, wanted, room.kept.dice, room.kept.seed),
        )
        return await self._done(room, holder, wanted.version, deed)

    async def answer(self, room: Room, holder: Holder, given: documents.Answered) -> documents.Done:
        """Answer the open question."""
        deed = await self._write(
            room,
            given.version,
            lambda match: deeds.answer(match, holder, given, room.kept.dice, room.kept.seed),
        )
        return await self._done(room, holder, given.version, deed)

    async def _done(
        self,
        room: Room,
        holder: Holder,
        version: int,
        deed: Deed | None = None,
        plan: Plan | None = None,
    ) -> documents.Done:
        shown = await self.show(room, holder, version)
        return documents.Done(
            written=deed is not None and len(deed.match.entries) != version,
            verdict=None if deed is None else deed.verdict,
            proposal=None if plan is None else plan.document(),
            match=shown,
        )

    async def undo(self, room: Room, holder: Holder, wanted: documents.Undo) -> documents.Done:
        """Take entries back, or propose to."""
        _plays(holder)
        version, entries = wanted.version, wanted.entries
        offer = None
        if version == room.version:
            offer = await self.run(deeds.undo_offer, room.match, holder, entries)
        if offer is None or offer.free:
            # Without an offer the match itself says why: stale, or nothing to undo.
            deed = await self._write(
                room, version, lambda match: deeds.undo(match, entries, _by(holder, match))
            )
            return await self._done(room, holder, version, deed)
        match = room.match
        by = _by(holder, match)
        plan = Plan(
            new_id(), version, "undo", by, offer.says, _others(room, holder, by), entries=entries
        )
        return await self._propose(room, holder, plan)

    async def override(
        self, room: Room, holder: Holder, wanted: documents.Override
    ) -> documents.Done:
        """Propose a change of the table."""
        _plays(holder)
        match = room.match
        by = _by(holder, match)

        def look() -> None:
            deeds.override(match, deeds.events_from(wanted.events), by, wanted.reason)

        if wanted.version == room.version:
            await self.run(look)
        plan = Plan(
            new_id(),
            wanted.version,
            "override",
            by,
            f"Change the table: {wanted.reason}",
            _others(room, holder, by),
            events=tuple(wanted.events),
            reason=wanted.reason,
        )
        return await self._propose(room, holder, plan)

    async def _propose(self, room: Room, holder: Holder, plan: Plan) -> documents.Done:
        async with room.lock:
            if plan.version != room.version:
                raise _stale(plan.version, room.version)
            earlier = [other.id for other in room.plans if other.by == plan.by]
            await self.run(self.store.propose, room.id, plan.kept(), earlier)
            room.plans = [other for other in room.plans if other.id not in earlier] + [plan]
            self._tell(room)
        return await self._done(room, holder, plan.version, None, plan)

    async def reply(
        self, room: Room, holder: Holder, plan_id: str, reply: documents.Reply
    ) -> documents.Done:
        """Agree to a proposal or not; the last who must agree carries it out."""
        _plays(holder)
        if reply.version != room.version:
            raise _stale(reply.version, room.version)
        plan = next((plan for plan in room.plans if plan.id == plan_id), None)
        if plan is None:
            raise MissingError("That proposal is no longer open.")
        asked = [side for side in plan.waits_for if side in holder.sides]
        if not reply.accept:
            if not asked and plan.by not in holder.sides:
                raise ForbiddenError("Another side is asked.")
            async with room.lock:
                await self.run(self.store.decline, plan.id)
                room.plans = [other for other in room.plans if other.id != plan.id]
                self._tell(room)
            return await self._done(room, holder, reply.version)
        if not asked:
            raise ForbiddenError("The other side is asked, not the one that proposed it.")
        agreed = plan.agreed(asked)
        if agreed.waits_for:
            async with room.lock:
                await self.run(self.store.rewrite, plan.id, agreed.kept().body)
                room.plans = [agreed if other.id == plan.id else other for other in room.plans]
                self._tell(room)
            return await self._done(room, holder, reply.version, None, agreed)
        deed = await self._write(room, reply.version, _carried_out(room, plan), plan.id)
        return await self._done(room, holder, reply.version, deed)

    async def copy(self, room: Room, at: int, address: str) -> documents.Created:
        """A hot-seat match of its own, as this one was after entry `at`.

        Raises ForbiddenError where two play a game that hides measures: on a copy one could find
        out by trying what may not be measured.
        """
        match = room.match
        if not 0 <= at <= len(match.entries):
            message = f"must be from 0 to {len(match.entries)}"
            raise DocumentError("copy", [Fault("at", message)])
        if room.kept.mode == "links" and _hides(match.battle.system):
            raise ForbiddenError(
                f"{match.battle.system.title} forbids measuring ahead: a copy to try things on "
                "would tell what may not be measured."
            )
        self.made.take(address)
        past = await self.run(match.upto, at)
        return await self.run(self._keep, past, "hotseat", room.kept.dice, room.id)


def _hides(system: System) -> bool:
    """Whether a system has measures that it does not tell at all times."""
    never = next(field.default for field in fields(System) if field.name == "may_measure")
    return system.may_measure is not never


def _carried_out(room: Room, plan: Plan) -> Callable[[Match], Deed]:
    def make(match: Match) -> Deed:
        if plan not in room.plans:
            raise MissingError("That proposal is no longer open.")
        if plan.what == "undo":
            assert plan.entries is not None
            return deeds.undo(match, plan.entries, plan.by)
        return deeds.override(match, deeds.events_from(plan.events), plan.by, plan.reason)

    return make


def _plays(holder: Holder) -> None:
    if holder.role == "watch":
        raise ForbiddenError("This link is for looking on: it changes nothing.")


def _by(holder: Holder, match: Match) -> str:
    """The side in whose name something is done that is about no model."""
    if holder.role == "side":
        return holder.sides[0]
    acting = acting_of(match.battle)
    return acting[0] if acting else holder.sides[0]


def _others(room: Room, holder: Holder, by: str) -> tuple[str, ...]:
    sides = [side.id for side in room.match.battles[0].state.sides]
    return tuple(side for side in sides if side != by) or (by,)


def _stale(version: int, now: int) -> StaleVersionError:
    return StaleVersionError(
        f"The match has moved on: this was for version {version}, it is at {now}."
    )
