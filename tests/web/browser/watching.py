"""What a page must never do: say an error, break its own security policy, talk to strangers."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebSocket

__all__ = ["Watch"]

#: The browser itself calls every answer but 2xx an error.
REFUSED = re.compile(r"status of (409|422)")


class Watch:
    """Collects what goes wrong in the pages of a context. `faults` must be empty in the end.

    `expect` names, as a regular expression, an error that the test brings about itself. A query
    that is refused because the table changed while it was on its way is nobody's fault.
    """

    def __init__(self, context: BrowserContext, home: str) -> None:
        self._home = home
        self.forget()
        context.on("console", self._console)
        context.on("weberror", lambda error: self._note(f"error: {error.error}"))
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("page", self._page)

    def forget(self) -> None:
        """Begin anew, as if nothing had been seen and nothing were expected."""
        self._expected: list[str] = []
        self._faults: list[tuple[str, str]] = []
        #: Changes of the table seen so far, and writing calls under way.
        self._changes = 0
        self._writing = 0
        self._asked: dict[Request, int] = {}
        self._overtaken: set[str] = set()

    def expect(self, pattern: str) -> None:
        """Let pass what the test brings about on purpose."""
        self._expected.append(pattern)

    @property
    def faults(self) -> list[str]:
        """What was said and was not expected."""
        return [
            fault
            for fault, address in self._faults
            if not any(re.search(pattern, fault) for pattern in self._expected)
            and not (REFUSED.search(fault) and address in self._overtaken)
        ]

    def _note(self, fault: str, address: str = "") -> None:
        self._faults.append((fault, address))

    def _page(self, page: Page) -> None:
        page.on("crash", lambda _: self._note("the page crashed"))
        page.on("websocket", self._live)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            where = message.location.get("url", "")
            self._note(f"console {message.type}: {message.text} ({where})", where)

    def _live(self, live: WebSocket) -> None:
        self._address(live.url)
        live.on("framereceived", self._heard)

    def _heard(self, frame: str | bytes) -> None:
        if '"type":"now"' in str(frame)[:80]:
            self._changes += 1

    def _request(self, request: Request) -> None:
        self._address(request.url)
        self._asked[request] = self._changes
        if self._writes(request):
            self._writing += 1

    def _response(self, response: Response) -> None:
        before = self._asked.pop(response.request, self._changes)
        if self._writes(response.request):
            self._writing -= 1
            self._changes += 1
        elif response.status in (409, 422) and (before != self._changes or self._writing):
            self._overtaken.add(response.url)

    @staticmethod
    def _writes(request: Request) -> bool:
        path = request.url.partition("?")[0].rpartition("/")[2]
        return request.method == "POST" and path not in ("judge", "odds", "check")

    def _address(self, address: str) -> None:
        ours = (self._home, self._home.replace("http", "ws", 1), "data:", "blob:", "about:")
        if not address.startswith(ours):
            self._note(f"a request to a stranger: {address}")
