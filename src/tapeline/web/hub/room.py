"""A match in memory: its proposals, its clock, and what a link is shown of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeAlias

from tapeline.web.documents import match as documents
from tapeline.web.documents.live import Drawn, Pointed
from tapeline.web.documents.match import ClockNow, ClockSetting
from tapeline.web.hub.matches import new_id
from tapeline.web.store.store import KeptCommitment, KeptLink, KeptMatch, KeptProposal
from tapeline.web.work.faults import MissingError
from tapeline.web.work.kinds import Holder

__all__ = ["Clock", "Plan", "Room", "Seat", "in_the_name_of", "others"]


#: What may be proposed.
Proposed: TypeAlias = Literal["undo", "override", "attest", "draw", "rematch", "hints"]


class Seat:
    """A live connection of a room, and what it has yet to be told: not a queue, but the newest of
    everything. commitment: to its share in the dice, "" if it has none."""

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        self.commitment = ""
        #: Set while there is news.
        self.news = asyncio.Event()
        self.now = self.to_hear = True
        self.to_greet = self.dismissed = False
        self.pointed: Pointed | None = None
        self.drawn: dict[str, Drawn] = {}


@dataclass
class Room:
    """A match that is being played. The log is in the database, what it comes to in the workers.

    sides: their ids. version: how many entries it has, `size` how many bytes these have; last: the
    lines of those that were written last.
    commitments: of the sides that have a share in the dice; revealed: a key of theirs has come.
    admitted: when its links were read last. remarks: the number of the last one.
    """

    kept: KeptMatch
    links: Sequence[KeptLink]
    version: int
    size: int = 0
    last: Sequence[str] = ()
    sides: Sequence[str] = ()
    plans: list[Plan] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    talking: asyncio.Lock = field(default_factory=asyncio.Lock)
    remarks: int = 0
    clock: Clock | None = None
    seats: list[Seat] = field(default_factory=list)
    commitments: Sequence[KeptCommitment] = ()
    revealed: asyncio.Event = field(default_factory=asyncio.Event)
    used: float = field(default_factory=time.monotonic)
    admitted: float = field(default_factory=time.monotonic)

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.kept.id

    @property
    def shares_dice(self) -> bool:
        """Whether sides may have a share in the dice."""
        return self.kept.mode == "links" and self.kept.dice == "server"

    @property
    def hints(self) -> bool:
        """Whether hints may be asked for: where one page moves all sides, or all have agreed."""
        return self.kept.mode == "hotseat" or self.kept.hints

    @property
    def types(self) -> bool:
        """Whether faces of real dice may be typed in."""
        return self.kept.mode == "hotseat" or self.kept.dice == "typed"

    @property
    def pledged(self) -> set[tuple[str, str]]:
        """Sides and commitments that pages here stand for."""
        return {(seat.holder.sides[0], seat.commitment) for seat in self.seats if seat.commitment}

    @property
    def committed(self) -> list[documents.Commitment]:
        """What the sides have committed to, as pages see it."""
        return [
            documents.Commitment(side=c.side, commitment=c.commitment) for c in self.commitments
        ]

    @property
    def present(self) -> list[str]:
        """Sides that are connected, and "watch" once for each onlooker."""
        sides = {side for seat in self.seats for side in seat.holder.sides}
        order = [side for side in self.sides if side in sides]
        return order + ["watch"] * sum(seat.holder.role == "watch" for seat in self.seats)

    def touch(self) -> None:
        """Somebody has asked about this match."""
        self.used = time.monotonic()

    def admit(self, links: Sequence[KeptLink]) -> None:
        """These links open the match from now on; pages with any other are sent away."""
        self.links, self.admitted = links, time.monotonic()
        for seat in self.seats:
            # At every look at the database: nobody is woken for nothing.
            if not self.admits(seat.holder):
                seat.dismissed = True
                seat.news.set()

    def admits(self, holder: Holder) -> bool:
        """Whether the link of somebody opens the match still."""
        return any(link.digest.hex() == holder.key for link in self.links)

    def waking(self) -> Iterator[Seat]:
        """All who are connected: each is awake once what it has yet to be told is noted."""
        for seat in self.seats:
            yield seat
            seat.news.set()

    def wake(self) -> None:
        """Say to all who are connected that the match has changed."""
        for seat in self.waking():
            seat.now = True

    def heard(self, remarks: int) -> None:
        """So many remarks were made by now; all pages are told of those they lack."""
        if remarks > self.remarks:
            self.remarks = remarks
            for seat in self.waking():
                seat.to_hear = True

    def point(self, pointed: Pointed) -> None:
        """Somebody points at a place."""
        for seat in self.waking():
            seat.pointed = pointed

    def sketch(self, drawn: Drawn) -> None:
        """Somebody shows what he has drawn; of each only the newest is told."""
        for seat in self.waking():
            seat.drawn[drawn.by] = drawn

    def join(self, seat: Seat) -> None:
        """A page is connected; all others are told."""
        self.greet()
        self.seats.append(seat)
        self.attend()

    def leave(self, seat: Seat) -> None:
        """A page is gone; all others are told."""
        self.seats.remove(seat)
        self.touch()
        self.greet()
        self.attend()

    def attend(self) -> None:
        """Let the clock run, or stand still, for those who are here."""
        if self.clock is not None and self.clock.attend(self.present):
            self.wake()

    def greet(self) -> None:
        """All pages are told who is here."""
        for seat in self.waking():
            seat.to_greet = True

    def plan(self, version: int, what: Proposed, by: str, text: str, **more: Any) -> Plan:
        """Something that a side asks the others to agree to; more: as of `Plan`."""
        return Plan(new_id(), version, what, by, text, others(self.sides, by), **more)

    def drop(self, plan: Plan) -> None:
        """A proposal is no longer open."""
        self.plans = [other for other in self.plans if other.id != plan.id]

    def while_open(self, plan: Plan | None, said: dict[str, Any]) -> Callable[[], dict[str, Any]]:
        """What a worker is asked, if the proposal that it comes from is still open then."""

        def asked() -> dict[str, Any]:
            if plan is not None and plan not in self.plans:
                raise MissingError("That proposal is no longer open.")
            return said

        return asked

    def holder(self, link: KeptLink, address: str, side: str = "") -> Holder:
        """Who holds a link of this match; of all sides' link, maybe one side alone."""
        key = link.digest.hex()
        if link.role == "both" and side in self.sides:
            return Holder("side", (side,), key, address)
        if link.role == "side":
            return Holder("side", (str(link.side),), key, address)
        if link.role == "both":
            return Holder("both", tuple(self.sides), key, address)
        return Holder("watch", (), key, address)

    def document(self, holder: Holder, version: int, shown: bytes) -> str:
        """The match as a link sees it, as JSON of a `documents.Match`.

        shown: the members that the engine knows of that version, as a worker says them.
        """
        mine = {
            "id": self.id,
            "version": version,
            "you": {"role": holder.role, "sides": list(holder.sides)},
            "mode": self.kept.mode,
            "dice": self.kept.dice,
            "proposals": [
                plan.document().model_dump(mode="json")
                for plan in self.plans
                if plan.version == version
            ],
            "copy_of": self.kept.copy_of,
            "rematch": self.kept.rematch,
            "hints": self.hints,
            "clock": self.clock and self.clock.document().model_dump(),
            "present": self.present,
            "commitments": [one.model_dump() for one in self.committed],
        }
        return f"{json.dumps(mine, separators=(',', ':'))[:-1]},{shown.decode()}}}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A proposal: what, by whom, and who has yet to agree. events: documents, of an override.

    deed: the act or answer that attests something; until: others may object to it up to that time,
    seconds since 1970.
    """

    id: str
    version: int
    what: Proposed
    by: str
    text: str
    waits_for: tuple[str, ...]
    entries: int | None = None
    events: tuple[dict[str, Any], ...] = ()
    reason: str = ""
    deed: dict[str, Any] | None = None
    until: float = 0.0

    def kept(self) -> KeptProposal:
        """The proposal as it is kept."""
        body = asdict(self)
        return KeptProposal(body.pop("id"), body.pop("version"), json.dumps(body, allow_nan=False))

    @classmethod
    def of(cls, kept: KeptProposal) -> Plan:
        """A proposal that was kept."""
        body = json.loads(kept.body)
        body |= {name: tuple(body[name]) for name in ("waits_for", "events")}
        return cls(kept.id, kept.version, **body)

    def agreed(self, sides: Iterable[str]) -> Plan:
        """The proposal once those sides have agreed."""
        return replace(self, waits_for=tuple(s for s in self.waits_for if s not in {*sides}))

    def asks_the_same(self, other: Plan) -> bool:
        """Whether another proposal comes to agreeing to this one."""
        alike = (self.what, self.entries) == (other.what, other.entries)
        return alike and self.what not in ("override", "attest") and other.by in self.waits_for

    @property
    def seconds(self) -> float:
        """For how long others may still object to what is attested."""
        return max(0.0, round(self.until - time.time(), 1))

    def document(self) -> documents.Proposal:
        """The proposal as pages see it."""
        return documents.Proposal.of(self, seconds=None if self.deed is None else self.seconds)


def in_the_name_of(holder: Holder, plan: Plan | None) -> dict[str, Any]:
    """Who does a deed, and whether what it attests has been agreed to, as by a plan."""
    by = holder if plan is None else Holder("side", (plan.by,))
    return {"by": by.said(), "agreed": plan is not None}


def others(sides: Iterable[str], by: str) -> tuple[str, ...]:
    """The sides that must agree; the one itself where there is no other."""
    return tuple(side for side in sides if side != by) or (by,)


@dataclass
class Clock:
    """The clock of a match. left: seconds, by side. running: the sides whose time runs, since when
    by the clock of this process. told: of whom it was told that he has none left."""

    setting: ClockSetting
    left: dict[str, float]
    acting: Sequence[str] = ()
    running: Sequence[str] = ()
    since: float = field(default_factory=time.monotonic)
    told: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, kept: str, sides: Iterable[str]) -> Clock:
        """A clock as it was kept, or as it was set."""
        body = json.loads(kept)
        setting = ClockSetting.model_validate(body["setting"])
        left = body.get("left", {})
        return cls(setting, {side: left.get(side, 60.0 * setting.minutes) for side in sides})

    def kept(self) -> str:
        """The clock as it is kept."""
        self.settle()
        return json.dumps({"setting": self.setting.model_dump(), "left": self.left})

    def settle(self) -> None:
        """Take off the time that has run."""
        now = time.monotonic()
        for side in self.running:
            self.left[side] = max(0.0, self.left[side] - (now - self.since))
        self.since = now

    def turn(self, acting: Sequence[str]) -> None:
        """These sides must act from now on; who has done so gets the increment."""
        self.settle()
        for side in self.running:
            if side not in acting and self.left[side]:
                self.left[side] += self.setting.increment
        self.acting = acting

    def attend(self, present: Sequence[str]) -> bool:
        """Run for who must act while others are there. Gives whether that is a change."""
        self.settle()
        there = {*present} & {*self.left}
        running = tuple(side for side in self.acting if side in self.left and there - {side})
        changed, self.running = running != tuple(self.running), running
        return changed

    def document(self) -> ClockNow:
        """The clock as pages see it."""
        self.settle()
        left = {side: round(seconds, 1) for side, seconds in self.left.items()}
        enforce = self.setting.enforce
        return ClockNow(left=left, running=list(self.running), enforce=enforce)
