"""A match in memory, and what a link is shown of it."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tapeline.play.match import Match
from tapeline.web.documents import match as documents
from tapeline.web.documents.board import Board
from tapeline.web.documents.verdict import Control
from tapeline.web.hub.deeds import undo_offer
from tapeline.web.hub.links import Holder
from tapeline.web.store.store import KeptLink, KeptMatch, KeptProposal
from tapeline.web.views.board import acting_of, board_of
from tapeline.web.views.controls import controls_of
from tapeline.web.views.log import log_lines
from tapeline.web.views.verdicts import question_of

__all__ = ["Plan", "Room", "Seat", "Shown"]


class Seat(Protocol):
    """A live connection of a room."""

    holder: Holder

    def wake(self) -> None:
        """Say that the match has changed."""
        ...

    def greet(self) -> None:
        """Say that somebody came or went."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """A proposal: what, by whom, and who has yet to agree. events: documents, of an override."""

    id: str
    version: int
    what: str
    by: str
    text: str
    waits_for: tuple[str, ...]
    entries: int | None = None
    events: tuple[dict[str, Any], ...] = ()
    reason: str = ""

    def kept(self) -> KeptProposal:
        """The proposal as it is kept."""
        body = {
            "what": self.what,
            "by": self.by,
            "text": self.text,
            "waits_for": list(self.waits_for),
            "entries": self.entries,
            "events": list(self.events),
            "reason": self.reason,
        }
        return KeptProposal(self.id, self.version, json.dumps(body, allow_nan=False))

    @classmethod
    def of(cls, kept: KeptProposal) -> Plan:
        """A proposal that was kept."""
        body = json.loads(kept.body)
        return cls(
            kept.id,
            kept.version,
            body["what"],
            body["by"],
            body["text"],
            tuple(body["waits_for"]),
            body["entries"],
            tuple(body["events"]),
            body["reason"],
        )

    def agreed(self, sides: Iterable[str]) -> Plan:
        """The proposal once those sides have agreed."""
        return replace(self, waits_for=tuple(s for s in self.waits_for if s not in {*sides}))

    def document(self) -> documents.Proposal:
        """The proposal as pages see it."""
        return documents.Proposal(
            id=self.id,
            what="undo" if self.what == "undo" else "override",
            by=self.by,
            text=self.text,
            entries=self.entries,
            waits_for=list(self.waits_for),
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """What all links see alike of one version, made once. terrain: with all that stands there."""

    version: int
    board: Board
    controls: list[Control]
    acting: tuple[str, ...]


@dataclass
class Room:
    """A match that is being played. match: replaced by the next one, never changed in place."""

    kept: KeptMatch
    links: Sequence[KeptLink]
    match: Match
    plans: list[Plan] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seats: list[Seat] = field(default_factory=list)
    used: float = field(default_factory=time.monotonic)
    _shown: Shown | None = None
    _whole: Board | None = None
    _making: threading.Lock = field(default_factory=threading.Lock)

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.kept.id

    @property
    def version(self) -> int:
        """How many entries the match has."""
        return len(self.match.entries)

    @property
    def present(self) -> list[str]:
        """Sides that are connected, and "watch" once for each onlooker."""
        sides = {side for seat in self.seats for side in seat.holder.sides}
        order = [side.id for side in self.match.battles[0].state.sides if side.id in sides]
        return order + ["watch"] * sum(seat.holder.role == "watch" for seat in self.seats)

    def touch(self) -> None:
        """Somebody has asked about this match."""
        self.used = time.monotonic()

    def join(self, seat: Seat) -> None:
        """A page is connected; all others are told."""
        self.seats.append(seat)
        for other in self.seats:
            if other is not seat:
                other.greet()

    def leave(self, seat: Seat) -> None:
        """A page is gone; all others are told."""
        self.seats.remove(seat)
        self.touch()
        for other in self.seats:
            other.greet()

    def holder(self, link: KeptLink) -> Holder:
        """Who holds a link of this match."""
        key = link.digest.hex()
        if link.role == "side":
            return Holder("side", (str(link.side),), key)
        if link.role == "both":
            return Holder("both", tuple(s.id for s in self.match.battles[0].state.sides), key)
        return Holder("watch", (), key)

    def shown(self, match: Match) -> Shown:
        """What all see of a match of this room; made once for all of them."""
        with self._making:
            found, version = self._shown, len(match.entries)
            if found is None or found.version != version:
                battle = match.battle
                controls = [] if battle.pending is not None else controls_of(battle, None)
                board = board_of(battle, terrain=False)
                found = self._shown = Shown(version, board, controls, acting_of(battle))
            return found

    def whole(self, board: Board) -> Board:
        """A board with its terrain, which is the same for the whole match."""
        if self._whole is None:
            self._whole = board_of(self.match.battles[0], terrain=True)
        return board.model_copy(update={"terrain": self._whole.terrain})

    def document(self, match: Match, holder: Holder, since: int) -> documents.Match:
        """The match as a link sees it, with its log after entry `since`."""
        shown = self.shown(match)
        since = since if 0 <= since <= shown.version else 0
        acts = any(side in shown.acting for side in holder.sides)
        plans = [plan for plan in self.plans if plan.version == shown.version]
        return documents.Match(
            id=self.id,
            version=shown.version,
            you=holder.you,
            mode="links" if self.kept.mode == "links" else "hotseat",
            dice="typed" if self.kept.dice == "typed" else "server",
            board=shown.board if since else self.whole(shown.board),
            question=question_of(match.battle),
            log_from=since,
            log=log_lines(match, since),
            controls=shown.controls if acts else [],
            proposals=[plan.document() for plan in plans],
            undo=undo_offer(match, holder),
            copy_of=self.kept.copy_of,
            present=self.present,
            commitment=None if match.dice is None else match.dice["commitment"],
        )
