"""A match that a worker follows, and what all see of it alike, as text that travels."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from pydantic import BaseModel

from tapeline.play.battle import Battle
from tapeline.play.match import Match, hides_set_up, seen_by
from tapeline.web.views.board import board_of
from tapeline.web.views.verdicts import controls_of, question_of

__all__ = ["Answer", "Arguments", "Followed", "dumped", "list_of", "text_of"]


Arguments: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = BaseModel | str | bytes | None


class Followed:
    """A match that a worker follows. done: the last deed on it, which may come to be kept."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.done: tuple[list[str], Match] | None = None
        self._shown: _Shown | None = None
        self._terrain: Any = None
        self._seen: dict[frozenset[str], Followed] = {}

    @property
    def battle(self) -> Battle:
        """The battle as it stands now."""
        return self.match.battle

    def follow(self, lines: list[str]) -> None:
        """Go on by further lines of the log. Raises DocumentError, LogError."""
        done, self.done = self.done, None
        if done is not None and done[0] == lines:
            # Its own deed has been kept: what was worked out for it is still there.
            self.match = done[1]
        else:
            self.match.follow(lines)

    def seen_by(self, sides: Collection[str]) -> Followed:
        """What those who move these sides may know of it; kept until the match goes on."""
        if not hides_set_up(self.battle.state):
            self._seen.clear()
            return self
        known = self._seen.get(frozenset(sides))
        if known is None or len(known.match.entries) != len(self.match.entries):
            seen = seen_by(self.match, sides)
            known = self if seen is self.match else Followed(seen)
            self._seen[frozenset(sides)] = known
        return known

    @property
    def shown(self) -> _Shown:
        """What all see of it now; made once for all of them."""
        if self._shown is None or self._shown.version != len(self.match.entries):
            self._shown = _Shown(self.match)
        return self._shown

    @property
    def terrain(self) -> Any:
        """The terrain as boards show it, which is the same for the whole match."""
        if self._terrain is None:
            self._terrain = board_of(self.match.battles[0]).terrain
        return self._terrain


class _Shown:
    """What all links see alike of one version, as JSON."""

    def __init__(self, match: Match) -> None:
        battle = match.battle
        self.version = len(match.entries)
        self.acting = battle.acting
        self.board = board_of(battle, terrain=False)
        self.question = text_of(question_of(battle))
        self._battle = battle
        self._controls: dict[bool, str] = {}

    @cached_property
    def flat(self) -> str:
        """The board without terrain."""
        return self.board.model_dump_json()

    def controls(self, untold: bool) -> str:
        """The controls that are about no body. untold: as of `controls_of`."""
        if untold not in self._controls:
            self._controls[untold] = list_of(controls_of(self._battle, None, untold=untold))
        return self._controls[untold]


def text_of(document: Answer) -> str:
    """An answer as JSON; what is text already stays."""
    if isinstance(document, BaseModel):
        return document.model_dump_json()
    return "null" if document is None else str(document)


def list_of(documents: list[Any]) -> str:
    """Documents as a JSON list."""
    return f"[{','.join(document.model_dump_json() for document in documents)}]"


def dumped(values: Any) -> str:
    """Plain values as JSON."""
    return json.dumps(values, separators=(",", ":"), allow_nan=False)
