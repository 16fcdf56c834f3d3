"""The server is killed in the middle of a question, and comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server

pytestmark = pytest.mark.waits


def test_a_question_outlives_the_server(opening: Opening, mortal: Server) -> None:
    salt, raid, _ = begin(mortal.url, example="sovl-salt-pans", mode="links", dice="typed")
    pages = [opening(mortal.url) for _ in range(2)]
    one, other = (Hands(page) for page, _ in pages)
    for _, watch in pages:
        # Also what is asked at that moment: it depends on how far the server has come with it.
        watch.expect(
            r"WebSocket connection to .* failed"
            r"|net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)"
        )
    one.sit(salt)
    other.sit(raid)
    one.pick("S5")
    one.begin("shoot")
    one.order.get_by_role("button", name="Longship orcs").click()
    one.confirm()
    expect(one.card).to_contain_text("your answer")
    expect(other.card).to_contain_text("must answer")
    asked = one.card.get_by_role("heading").inner_text()
    log = one.page.locator("#log .log-lines").inner_text()

    mortal.kill()
    for hands in (one, other):
        expect(hands.page.locator("#notice")).to_contain_text("Connection lost")
    mortal.start()
    for hands in (one, other):
        expect(hands.page.locator("#notice")).to_contain_text("Connected again", timeout=20_000)
        expect(hands.page.locator("#notice .link-state")).to_be_hidden()
    expect(one.card.get_by_role("heading")).to_have_text(asked)
    assert one.page.locator("#log .log-lines").inner_text() == log

    written = one.entries
    one.roll()
    expect(other.line(written + 1)).to_contain_text("needs ")
    # A page opened anew has the same story.
    third = Hands(opening(mortal.url)[0])
    third.sit(raid)
    expect(third.line(written + 1)).to_contain_text("needs ")
    assert third.entries == one.entries
