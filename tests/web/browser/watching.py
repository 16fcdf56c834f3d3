"""What a page must never do: say an error, break its own security policy, talk to strangers."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

__all__ = ["Watch"]


class Watch:
    """Collects what goes wrong in the pages of a context. `faults` must be empty in the end.

    `expect` names, as a regular expression, an error that the test brings about itself.
    """

    def __init__(self, context: BrowserContext, home: str) -> None:
        self._home = home
        self.forget()
        context.on("console", self._console)
        context.on("weberror", lambda error: self._note(f"error: {error.error}"))
        context.on("request", lambda request: self._address(request.url))
        context.on("page", self._page)

    def forget(self) -> None:
        """Begin anew, as if nothing had been seen and nothing were expected."""
        self._expected: list[str] = []
        self._faults: list[str] = []

    def expect(self, pattern: str) -> None:
        """Let pass what the test brings about on purpose."""
        self._expected.append(pattern)

    @property
    def faults(self) -> list[str]:
        """What was said and was not expected."""
        return [
            fault
            for fault in self._faults
            if not any(re.search(pattern, fault) for pattern in self._expected)
        ]

    def _note(self, fault: str) -> None:
        self._faults.append(fault)

    def _page(self, page: Page) -> None:
        page.on("crash", lambda _: self._note("the page crashed"))
        page.on("websocket", lambda live: self._address(live.url))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            where = message.location.get("url", "")
            self._note(f"console {message.type}: {message.text} ({where})")

    def _address(self, address: str) -> None:
        ours = (self._home, self._home.replace("http", "ws", 1), "data:", "blob:", "about:")
        if not address.startswith(ours):
            self._note(f"a request to a stranger: {address}")
