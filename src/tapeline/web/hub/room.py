"""A match in memory, and what a link is shown of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tapeline.web.documents import match as documents
from tapeline.web.documents.talk import Drawn, Pointed
from tapeline.web.hub.clock import Clock
from tapeline.web.hub.plans import Plan
from tapeline.web.store.store import KeptCommitment, KeptLink, KeptMatch
from tapeline.web.work.faults import MissingError
from tapeline.web.work.holder import Holder

__all__ = ["Room", "Seat"]


class Seat(Protocol):
    """A live connection of a room. commitment: to its share in the dice, "" if it has none."""

    holder: Holder
    commitment: str

    def wake(self) -> None:
        """Say that the match has changed."""
        ...

    def greet(self) -> None:
        """Say that somebody came or went."""
        ...

    def hear(self) -> None:
        """Say that somebody has said something."""
        ...

    def look(self, pointed: Pointed) -> None:
        """Say that somebody points at a place."""
        ...

    def sketch(self, drawn: Drawn) -> None:
        """Show what somebody has drawn."""
        ...

    def dismiss(self) -> None:
        """Say that its link opens the match no longer, and close."""
        ...


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
            if not self.admits(seat.holder):
                seat.dismiss()

    def admits(self, holder: Holder) -> bool:
        """Whether the link of somebody opens the match still."""
        return any(link.digest.hex() == holder.key for link in self.links)

    def wake(self) -> None:
        """Say to all who are connected that the match has changed."""
        for seat in self.seats:
            seat.wake()

    def heard(self, remarks: int) -> None:
        """So many remarks were made by now; all pages are told of those they lack."""
        if remarks > self.remarks:
            self.remarks = remarks
            for seat in self.seats:
                seat.hear()

    def point(self, pointed: Pointed) -> None:
        """Somebody points at a place."""
        for seat in self.seats:
            seat.look(pointed)

    def sketch(self, drawn: Drawn) -> None:
        """Somebody shows what he has drawn."""
        for seat in self.seats:
            seat.sketch(drawn)

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
        for seat in self.seats:
            seat.greet()

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
