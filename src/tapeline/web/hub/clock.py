"""The clock of a match: what each side has left, and whose time runs."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tapeline.web.documents.match import ClockNow, ClockSetting

__all__ = ["Clock"]


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
