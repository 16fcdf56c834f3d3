"""A long wait is told of: what is being worked out, how far that is, and for how long so far."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server

SAYS = "The reach is being worked out"


def test_a_reach_that_takes_long_says_how_far_it_is(opening: Opening, server: Server) -> None:
    page, _ = opening(server.url)
    held: list[Route] = []
    page.route(re.compile(r"/reach\?"), lambda route: held.append(route))
    one = Hands(page)
    one.sit(begin(server.url, example="trench-storeys", mode="hotseat")[0])
    waits = page.locator("#turn .waits")
    one.pick("r-captain")
    expect(waits).to_be_hidden()
    expect(waits).to_contain_text(SAYS, timeout=15_000)
    count = len(held)
    expect(waits).to_contain_text(re.compile(rf"{SAYS}: 0 of {count} done, \d+ s so far"))
    expect(page.locator("[aria-live=polite]")).to_contain_text(SAYS)
    held.pop(0).continue_()
    expect(waits).to_contain_text(f"1 of {count} done")
    while held:
        held.pop().continue_()
    expect(waits).to_be_hidden()
