"""Programs that players may choose as the opponent: named by whoever runs the server alone."""

from __future__ import annotations

import shlex
from typing import Any

from tapeline.errors import TapelineError
from tapeline.web.settings import Settings
from tapeline.web.work.faults import MissingError

__all__ = ["Programs"]


class Programs:
    """The programs of the settings. Raises TapelineError for one that is not NAME=COMMAND."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._commands: dict[str, list[str]] = {}
        for text in settings.programs:
            name, _, command = text.partition("=")
            name = name.strip()
            try:
                words = shlex.split(command)
            except ValueError as error:
                raise TapelineError(f"program {name}: {error}: {command}") from None
            if not words or not 1 <= len(name) <= _LONGEST or not name.isprintable():
                raise TapelineError(f"program: write NAME=COMMAND, as club=python bot.py: {text!r}")
            if name in self._commands:
                raise TapelineError(f"program {name}: there are two of that name")
            self._commands[name] = words

    @property
    def names(self) -> list[str]:
        """What players choose among."""
        return [*self._commands]

    def said(self, name: str) -> dict[str, Any]:
        """What a worker is told to run it. Raises MissingError."""
        if name not in self._commands:
            raise MissingError(f"This server has no program {name!r}.")
        settings = self._settings
        return {
            "name": name,
            "command": self._commands[name],
            "seconds": settings.program_seconds,
            "limits": [settings.program_processor, settings.program_memory],
        }


#: Characters of a name.
_LONGEST = 60
