"""What the hub refuses, apart from what the referee and the documents refuse."""

from __future__ import annotations

from tapeline.errors import TapelineError

__all__ = ["BusyError", "ForbiddenError", "MissingError", "StaleVersionError", "TooOftenError"]


class MissingError(TapelineError):
    """No such match, or no link with that secret: nobody is told which."""


class StaleVersionError(TapelineError):
    """The match has moved on since the page decided."""


class ForbiddenError(TapelineError):
    """A link that may not do this."""


class TooOftenError(TapelineError):
    """Asked too often; `after` says in how many seconds it may be asked again."""

    def __init__(self, message: str, after: float) -> None:
        self.after = after
        super().__init__(message)


class BusyError(TapelineError):
    """The server has as many of something as it takes."""
