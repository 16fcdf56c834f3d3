"""Undo: free before dice, by consent after."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server


def test_a_move_is_taken_back_freely(opening: Opening, server: Server) -> None:
    (seat, *_) = begin(server.url, example="sovl-ford", mode="links")
    hands = Hands(opening()[0])
    hands.sit(seat)
    first = hands.place("W1")
    hands.pick("W1")
    hands.do("activate")
    hands.begin("advance")
    hands.drag("W1", 12.5, 30)
    hands.confirm()
    hands.panel.get_by_role("button", name="Undo", exact=False).click()
    expect(hands.line(2)).to_contain_text("undone")
    assert hands.place("W1") == pytest.approx(first, abs=0.01)


def test_dice_are_taken_back_by_consent(opening: Opening, server: Server) -> None:
    salt, raid, _ = begin(server.url, example="sovl-salt-pans", mode="links")
    one, other = Hands(opening()[0]), Hands(opening()[0])
    one.sit(salt)
    other.sit(raid)
    one.pick("S5")
    one.begin("shoot")
    one.order.get_by_role("button", name="Longship orcs").click()
    one.confirm()
    assert one.entries >= 1
    while one.truth()["question"]:  # The pages give their shares in the dice by themselves.
        one.page.wait_for_timeout(50)
    before = one.truth()["board"]["hash"]

    one.panel.get_by_role("button", name="Ask to undo").click()
    expect(one.panel).to_contain_text("Waiting for The longship raid")
    asked = other.panel.get_by_role("group", name="Asked of you")
    asked.get_by_role("button", name="Do not").click()
    expect(asked).to_have_count(0)
    assert one.truth()["board"]["hash"] == before

    # It is seen where the panel is read farther down.
    other.page.locator(".panel-body").evaluate("(body) => body.scrollTo(0, body.scrollHeight)")
    one.panel.get_by_role("button", name="Ask to undo").click()
    expect(asked).to_be_in_viewport(ratio=1)
    asked.get_by_role("button", name="Agree").click()
    expect(one.line(1)).to_contain_text("undone")
    expect(other.line(1)).to_contain_text("undone")
    assert one.truth()["board"]["hash"] != before
