"""The hub: opens matches, lets one deed at a time through, keeps it, then tells everybody.

What costs is asked of the workers (`work/pool.py`), the store is asked in threads; everything else
is done on the event loop.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ParamSpec, TypeVar

import anyio
import anyio.to_thread

from tapeline.errors import TapelineError
from tapeline.web.documents import match as documents
from tapeline.web.hub.agreements import Agreements
from tapeline.web.hub.clocks import Clocks
from tapeline.web.hub.creators import Creators
from tapeline.web.hub.draws import Draws
from tapeline.web.hub.matches import find, forget, keep, new_id, new_token
from tapeline.web.hub.notices import Notices, changed
from tapeline.web.hub.programs import Programs
from tapeline.web.hub.rates import Hourly, Rate
from tapeline.web.hub.room import Clock, Plan, Room, in_the_name_of
from tapeline.web.hub.talk import Talk
from tapeline.web.settings import Settings
from tapeline.web.store.connection import StoreError
from tapeline.web.store.store import KeptLink, StaleError, Store, UninvitedError
from tapeline.web.work.faults import BusyError, ForbiddenError, MissingError, stale
from tapeline.web.work.kinds import Holder
from tapeline.web.work.pool import Pool

__all__ = ["Hub"]

_log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
Values = dict[str, Any]

#: Seconds between two looks for matches that nobody asks about.
SWEEP_S = 20.0

#: Seconds for which it is believed that the links of a match are what they were.
LINKS_S = 1.0

#: Seconds between two looks for matches that are kept no longer.
DAY_S = 86_400.0

#: Entries read from the database at a time.
READ = 2_000


class Hub:
    """The matches of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # Before the store: opening it makes a database.
        self.programs = Programs(settings)
        self.store = Store(settings.database)
        self.notices = Notices(self.store.engine, settings.look_seconds)
        self.rooms: dict[str, Room] = {}
        self.link_rate = Rate(settings.link_rate, settings.link_burst)
        self.address_rate = Rate(settings.address_rate, settings.address_burst)
        self.made = Hourly(settings.matches_an_hour)
        self.entry_rate = Rate.a_minute(settings.entries_a_minute)
        self.byte_rate = Rate.a_minute(settings.entry_bytes_a_minute)
        self.proposal_rate = Rate.a_minute(settings.proposals_a_minute)
        self.creators = Creators(settings, lambda digest: self.run(self.store.invited, digest))
        #: Live connections, by address.
        self.connections: Counter[str] = Counter()
        #: Matches deleted because nothing was done on them for long.
        self.forgotten = 0
        #: Calls answered, by status, and what was refused, by where and status.
        self.statuses: Counter[int] = Counter()
        self.refusals: Counter[tuple[str, int]] = Counter()
        #: Entries written, and times that the database failed.
        self.written = self.troubles = 0
        #: What the engine says of itself, as JSON: systems, clauses, examples.
        self.told: dict[tuple[Any, ...], bytes] = {}
        self.pool = Pool(settings, self._log)
        self.draws = Draws(self)
        self.talk = Talk(self, self.notices.tell)
        self.agreements = Agreements(self)
        self.clocks = Clocks(self, self.rooms)
        self._opening: dict[str, asyncio.Lock] = {}
        self._limiter = anyio.CapacityLimiter(settings.threads)
        self._under_way: set[asyncio.Future[Any]] = set()

    def answered(self, live: bool, status: int) -> None:
        """A call was answered, or a live connection opened or closed, with a status."""
        if not live:
            self.statuses[status] += 1
        if status >= 400:
            self.refusals["live" if live else "call", status] += 1

    async def run(self, work: Callable[P, T], *args: P.args, **keywords: P.kwargs) -> T:
        """Ask the store in a thread, no more of them at a time than the settings say.

        Who waits for it may be cancelled; the work is not, and `close` waits for it.
        """
        task = asyncio.ensure_future(
            anyio.to_thread.run_sync(lambda: work(*args, **keywords), limiter=self._limiter)
        )
        self._under_way.add(task)
        task.add_done_callback(self._ran)
        return await asyncio.shield(task)

    def _ran(self, task: asyncio.Future[Any]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and isinstance(task.exception(), StoreError):
            self.troubles += 1

    async def close(self) -> None:
        """End the workers, wait for what is being kept, let go of the store."""
        await self.pool.close()
        while self._under_way:
            await asyncio.gather(*self._under_way, return_exceptions=True)
        self.store.close()

    async def _log(self, match_id: str, after: int) -> list[str]:
        room = self.rooms.get(match_id)
        if room is not None and room.last and after == room.version - len(room.last):
            # What was written last is what is asked for most: nobody waits for the database.
            return list(room.last)
        return await self.run(self.store.lines, match_id, after, READ)

    # -- opening ---------------------------------------------------------------------------------

    def _most(self) -> Mapping[str, int]:
        names = ("pieces", "corners", "bodies", "entries")
        return {name: getattr(self.settings, name) for name in names}

    async def create(self, body: bytes, address: str, key: str = "") -> documents.Created:
        """Begin a match from the body of a call. key: a password or invitation, where needed.

        Raises DocumentError, ForbiddenError, TooOftenError.
        """
        invitation = await self.creators.check(key, address)
        self.made.take(address)
        match_id, seed = new_id(), new_token()
        said = {"id": match_id, "seed": seed, "most": self._most(), "folder": self._folder()}
        begun = await self.pool.ask("begin", said, address=address, content=body)
        try:
            return await self.run(keep, self.store, begun, match_id, seed, invitation=invitation)
        except UninvitedError as error:
            raise ForbiddenError(f"No match was begun: {error}.") from None

    def _folder(self) -> str | None:
        folder = self.settings.examples
        return None if folder is None else str(folder)

    async def enter(
        self, match_id: str, token: str, address: str, side: str = ""
    ) -> tuple[Room, Holder]:
        """The room of a match for whoever holds a link of it. Raises MissingError.

        side: for which alone a link of all sides is used now.
        """
        room = self.rooms.get(match_id)
        links = [] if room is None else room.links
        if room is None or room.admitted < time.monotonic() - LINKS_S:
            links = await self.run(self.store.links, match_id)
            room = self._admit(match_id, links)
        link = find(links, token)
        if link is not None and room is None:
            room = await self._open(match_id, address)
        if room is None or link is None:
            raise MissingError("There is no such match, or the link is not one of its links.")
        room.touch()
        return room, room.holder(link, address, side)

    def _admit(self, match_id: str, links: Sequence[KeptLink]) -> Room | None:
        """The room of a match, if it is open; only these links open it from now on."""
        room = self.rooms.get(match_id)
        if room is not None:
            room.admit(links)
            if not links:
                del self.rooms[match_id]
        return room

    async def _open(self, match_id: str, address: str) -> Room | None:
        lock = self._opening.setdefault(match_id, asyncio.Lock())
        try:
            async with lock:
                if match_id in self.rooms:
                    return self.rooms[match_id]
                room = await self.run(self._load, match_id)
                if room is not None:
                    room.sides = json.loads(await self.pool.ask("sides", {}, room, address))
                    if room.kept.clock:
                        room.clock = Clock.of(room.kept.clock, room.sides)
                        await self._turned(room)
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
        version, size = self.store.length(match_id)
        plans = self._plans(match_id, version)
        links, commitments = self.store.links(match_id), self.store.commitments(match_id)
        return Room(kept, links, version, size, plans=plans, commitments=commitments)

    def _plans(self, match_id: str, version: int) -> list[Plan]:
        return [Plan.of(kept) for kept in self.store.proposals(match_id, version)]

    def _make_place(self) -> None:
        """Let matches go that nobody looks at, the one not asked about longest first."""
        while len(self.rooms) >= self.settings.matches_in_memory:
            free = [room for room in self.rooms.values() if not room.seats]
            if not free:
                raise BusyError("The server has as many matches open as it takes; try later.")
            del self.rooms[min(free, key=lambda room: room.used).id]

    async def sweep(self) -> None:
        """Let idle matches go, for ever; once a day delete what is kept no longer."""
        due = time.monotonic()
        while True:
            if time.monotonic() >= due:
                due += DAY_S
                try:
                    self.forgotten += await self.run(forget, self.store, self.settings.keep_days)
                except StoreError as error:
                    _log.warning("matches kept for long enough are not deleted: %s", error)
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
        version, room.size = await self.run(self.store.length, room.id)
        plans = await self.run(self._plans, room.id, version)
        await self.draws.commitments(room)
        rematch, remarks = await self.run(self.store.beside, room.id)
        hints = await self.run(self.store.hints, room.id)
        room.kept = replace(room.kept, rematch=rematch, hints=hints)
        room.heard(remarks)
        if version != room.version or plans != room.plans:
            room.version, room.last = version, ()
            room.plans = plans
            await self._turned(room)
            room.wake()

    # -- looking ---------------------------------------------------------------------------------

    async def refresh(self, *rooms: Room) -> None:
        """See whether another server has written to these matches, or somebody has taken links of
        them away. Raises StoreError."""
        if not rooms:
            return
        links = await self.run(self.store.links_of, [room.id for room in rooms])
        for match_id, left in links.items():
            self._admit(match_id, left)
        open_rooms = [room for room in rooms if room.links]
        for room in await changed(open_rooms, lambda ids: self.run(self.store.news, ids)):
            async with room.lock:
                await self._catch_up(room)

    async def renew(self, room: Room, holder: Holder) -> None:
        """The same for somebody who asks for the match now. Raises MissingError, StoreError."""
        await self.refresh(room)
        if not room.admits(holder):
            raise MissingError("This link does not open the match any longer.")

    async def watch_others(self) -> None:
        """Look for what other servers write to the matches that pages watch, for ever."""
        while True:
            told = await self.notices.changed()
            rooms = self.rooms.values()
            try:
                # Who is told of one that nobody watches may have a page coming in just now.
                await self.refresh(
                    *(r for r in rooms if (r.seats if told is None else r.id in told))
                )
            except TapelineError:
                self.notices.look_soon()

    async def show(self, room: Room, holder: Holder, since: int = 0) -> tuple[int, str]:
        """The version that is shown, and the match as a link sees it: JSON of a
        `documents.Match`."""
        said = {"since": since, "by": holder.said(), "mode": room.kept.mode}
        version, _, shown = (await self.ask(room, holder, "show", said)).partition(b" ")
        return int(version), room.document(holder, int(version), shown)

    async def ask(self, room: Room, holder: Holder, what: str, said: Mapping[str, Any]) -> bytes:
        """What the engine answers about a match; `what` as in `work.questions.ABOUT_A_MATCH`."""
        said = {**said, "seen_by": [*holder.sides]}
        return await self.pool.ask(what, said, room, holder.address)

    async def ask_alone(
        self, what: str, said: Mapping[str, Any], address: str, content: bytes = b""
    ) -> bytes:
        """What the engine answers about no match; `what` as in `work.no_match.OF_ITSELF`."""
        said = {**said, "most": self._most(), "folder": self._folder()}
        return await self.pool.ask(what, said, address=address, content=content)

    # -- doing -----------------------------------------------------------------------------------

    async def write(
        self,
        room: Room,
        holder: Holder,
        version: int,
        what: str,
        said: Callable[[], Mapping[str, Any]],
    ) -> Values:
        """Let a deed through: alone, on the version it is for, on disk before anybody hears.

        what, said: as the workers are asked; gives what they answer.
        """
        async with room.lock:
            if version > room.version:
                await self._catch_up(room)
            if version != room.version:
                raise stale(version, room.version)
            deed: Values = json.loads(await self.ask(room, holder, what, said()))
            lines = deed.get("lines", [])
            size = sum(len(line) for line in lines)
            if lines:
                self.entry_rate.take(holder.key, len(lines))
                self.byte_rate.take(holder.key, size)
            if room.size + size > self.settings.match_bytes:
                raise ForbiddenError(f"This match has the most bytes it may have ({room.size}).")
            if version + len(lines) > self.settings.entries:
                raise ForbiddenError(f"This match has the most entries it may have ({version}).")
            if lines:
                try:
                    await self.run(self.store.append, room.id, version, lines)
                except StaleError:
                    await self._catch_up(room)
                    raise stale(version, room.version) from None
                self.written += len(lines)
                room.version, room.last = version + len(lines), lines
                room.size += size
                room.plans = []
                await self._turned(room, deed["acting"])
                self._tell(room)
            room.touch()
            return deed

    async def _turned(self, room: Room, acting: list[str] | None = None) -> None:
        """Let the clock run for who must act now. acting: these, if it is known."""
        if room.clock is None:
            return
        if acting is None and room.version:
            acting = json.loads(await self.pool.ask("acting", {}, room))
        room.clock.turn(acting or ())
        room.clock.attend(room.present)
        await self.clocks.keep(room)

    def _tell(self, room: Room) -> None:
        room.wake()
        self.notices.tell(room.id)

    async def act(
        self, room: Room, holder: Holder, wanted: documents.Act, plan: Plan | None = None
    ) -> str:
        """Do an action. This and what follows give JSON of a `documents.Done`.

        What one side alone attests is proposed to the others instead. plan: such a proposal, which
        the holder agrees to.
        """
        dice = await self.draws.said(room)
        said = {"wanted": wanted.model_dump(), **dice, **in_the_name_of(holder, plan)}
        deed = await self.write(room, holder, wanted.version, "act", room.while_open(plan, said))
        return await self._thrown(room, holder, wanted, deed)

    async def answer(
        self, room: Room, holder: Holder, given: documents.Answered, plan: Plan | None = None
    ) -> str:
        """Answer the open question, waiting where its dice wait for the sides; plan as of `act`."""
        if given.roll and given.version == room.version:
            thrown = await self.draws.settle(room, holder)
            if thrown is not None:
                return await self.done(room, holder, given.version, thrown)
        # Whether a value was given at all counts, so that what was not said is left out.
        document = given.model_dump(exclude_unset=True)
        said = {"given": document, **await self.draws.said(room), **in_the_name_of(holder, plan)}
        asked = room.while_open(plan, said)
        deed = await self.write(room, holder, given.version, "answer", asked)
        return await self._thrown(room, holder, given, deed)

    async def think(self, room: Room, holder: Holder, wanted: documents.Think) -> str:
        """Have the computer opponent, or a program, do the next thing for a side that the holder
        moves. Raises ProgramError for a program that does nothing."""
        if wanted.side not in holder.sides:
            raise ForbiddenError("This link does not move that side.")
        if wanted.version != room.version:
            raise stale(wanted.version, room.version)
        if wanted.program is None:
            what, said = "think", {"side": wanted.side, "level": wanted.level, "seed": room.id}
        else:
            what, said = "program", {"side": wanted.side, **self.programs.said(wanted.program)}
        deed: Values = json.loads(await self.ask(room, holder, what, said))
        if "resigns" in deed:
            end = documents.Ending(version=wanted.version, how="resign", side=wanted.side)
            return await self.agreements.end(room, holder, end)
        if "action" in deed:
            # Whoever is next and can do nothing is not asked to say so, by another link neither.
            onward = [*(room.sides if holder.role == "side" else holder.sides)]
            action = documents.Act(version=wanted.version, action=deed["action"], onward=onward)
            return await self.act(room, holder, action)
        return await self.answer(room, holder, documents.Answered(version=wanted.version, **deed))

    async def _thrown(
        self, room: Room, holder: Holder, wanted: documents.Act | documents.Answered, deed: Values
    ) -> str:
        """What came of a deed: a proposal, or what was done, once its dice are thrown."""
        if "says" in deed:
            return await self._attest(room, holder, deed, wanted)
        thrown = await self.draws.settle(room, holder) if deed.get("lines") else None
        return await self.done(room, holder, wanted.version, {**deed, **(thrown or {})})

    async def _attest(
        self, room: Room, holder: Holder, deed: Values, wanted: documents.Act | documents.Answered
    ) -> str:
        """Propose what a side tells of the real table."""
        told = wanted.model_dump(exclude_unset=True)
        until = time.time() + self.settings.object_seconds
        by, says = deed["by"], deed["says"]
        plan = room.plan(wanted.version, "attest", by, says, deed=told, until=until)
        return await self.propose(room, holder, plan)

    async def done(
        self,
        room: Room,
        holder: Holder,
        version: int,
        deed: Values | None = None,
        plan: Plan | None = None,
    ) -> str:
        """What came of a deed, as JSON of a `documents.Done`."""
        _, shown = await self.show(room, holder, version)
        done = {
            "written": bool(deed and deed.get("lines")),
            "verdict": deed and deed.get("verdict"),
            "proposal": None if plan is None else plan.document().model_dump(mode="json"),
        }
        return f'{json.dumps(done, separators=(",", ":"))[:-1]},"match":{shown}}}'

    async def undo(self, room: Room, holder: Holder, wanted: documents.Undo) -> str:
        """Take entries back, or propose to."""
        _plays(holder)
        version, entries = wanted.version, wanted.entries
        said = {"entries": entries, "by": holder.said()}
        deed = await self.write(room, holder, version, "undo", lambda: said)
        if "says" not in deed:
            return await self.done(room, holder, version, deed)
        plan = room.plan(version, "undo", deed["by"], deed["says"], entries=deed["entries"])
        return await self.propose(room, holder, plan)

    async def override(self, room: Room, holder: Holder, wanted: documents.Override) -> str:
        """Propose a change of the table."""
        _plays(holder)
        said = {
            "looked": wanted.version == room.version,
            "events": wanted.events,
            "reason": wanted.reason,
            "by": holder.said(),
        }
        by = json.loads(await self.ask(room, holder, "override", said))["by"]
        told = {"events": tuple(wanted.events), "reason": wanted.reason}
        says = f"Change the table: {wanted.reason}"
        plan = room.plan(wanted.version, "override", by, says, **told)
        return await self.propose(room, holder, plan)

    async def propose(self, room: Room, holder: Holder, plan: Plan) -> str:
        """Ask the others to agree to something."""
        async with room.lock:
            if plan.version != room.version:
                raise stale(plan.version, room.version)
            self.proposal_rate.take(holder.key)
            asked = next((other for other in room.plans if other.asks_the_same(plan)), None)
            if asked is None:
                earlier = [other.id for other in room.plans if other.by == plan.by]
                await self.run(self.store.propose, room.id, plan.kept(), earlier)
                room.plans = [other for other in room.plans if other.id not in earlier] + [plan]
                self._tell(room)
        if asked is not None:
            agrees = documents.Reply(version=plan.version, accept=True)
            return await self.reply(room, holder, asked.id, agrees)
        return await self.done(room, holder, plan.version, None, plan)

    async def reply(self, room: Room, holder: Holder, plan_id: str, reply: documents.Reply) -> str:
        """Agree to a proposal or not; the last who must agree carries it out."""
        _plays(holder)
        if reply.version != room.version:
            raise stale(reply.version, room.version)
        plan = next((plan for plan in room.plans if plan.id == plan_id), None)
        if plan is None:
            raise MissingError("That proposal is no longer open.")
        asked = [side for side in plan.waits_for if side in holder.sides]
        if not reply.accept:
            if not asked and plan.by not in holder.sides:
                raise ForbiddenError("Another side is asked.")
            async with room.lock:
                await self.run(self.store.decline, plan.id)
                room.drop(plan)
                self._tell(room)
            return await self.done(room, holder, reply.version)
        if not asked and plan.deed is not None and plan.by in holder.sides:
            if plan.seconds:
                raise ForbiddenError(f"The other side may object for {plan.seconds:g} s more.")
            return await self._carry_out_attested(room, holder, plan)
        if not asked:
            raise ForbiddenError("The other side is asked, not the one that proposed it.")
        agreed = plan.agreed(asked)
        if agreed.waits_for:
            async with room.lock:
                await self.run(self.store.rewrite, plan.id, agreed.kept().body)
                room.plans = [agreed if other.id == plan.id else other for other in room.plans]
                self._tell(room)
            return await self.done(room, holder, reply.version, None, agreed)
        if plan.deed is not None:
            return await self._carry_out_attested(room, holder, plan)
        if plan.what in ("rematch", "hints"):
            async with room.lock:
                if plan.what == "hints":
                    await self.agreements.hints_agreed(room, plan)
                else:
                    await self.agreements.again(room, holder, plan)
                self._tell(room)
            return await self.done(room, holder, reply.version)
        asked_so = room.while_open(plan, asdict(plan))
        deed = await self.write(room, holder, reply.version, "carry out", asked_so)
        return await self.done(room, holder, reply.version, deed)

    async def _carry_out_attested(self, room: Room, holder: Holder, plan: Plan) -> str:
        assert plan.deed is not None
        if "action" in plan.deed:
            return await self.act(room, holder, documents.Act(**plan.deed), plan)
        return await self.answer(room, holder, documents.Answered(**plan.deed), plan)

    async def copy(self, room: Room, holder: Holder, at: int) -> documents.Created:
        """A hot-seat match of its own, as this one was after entry `at`.

        Raises ForbiddenError where two play a game that hides measures: on a copy one could find
        out by trying what may not be measured.
        """
        match_id, seed = new_id(), new_token()
        said = {"id": match_id, "seed": seed, "at": at, "mode": room.kept.mode}
        begun = await self.ask(room, holder, "copy", said)
        self.made.take(holder.address)
        told = {"mode": "hotseat", "dice": room.kept.dice}
        return await self.run(keep, self.store, begun, match_id, seed, told, room.id)


def _plays(holder: Holder) -> None:
    if holder.role == "watch":
        raise ForbiddenError("This link is for looking on: it changes nothing.")
