"""Setting up on the page: from the tray by mouse and keys, until the game begins."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from play.test_deployment import small
from web.browser.calling import begin
from web.browser.conftest import PHONE, Opening
from web.browser.hands import Hands
from web.browser.serving import Server
from web.browser.test_small import swipe


def figures(hands: Hands) -> dict[str, Any]:
    return {one["id"]: one for one in hands.truth()["board"]["figures"]}


def test_a_side_is_set_up_from_the_tray(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, scene=small(order="sides"))
    hands = Hands(page)
    page.goto(seat.path)
    items = page.locator(".tray-item")
    expect(items).to_have_count(2)
    expect(page.locator(".trays")).to_contain_text("Blue 2 left, not now")
    # Dragged out of the tray and let go in the zone.
    box = items.nth(1).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(*hands.pixel(8, 3), steps=6)
    expect(hands.order.locator(".ruling")).to_contain_text("Legal")
    page.mouse.up()
    expect(hands.line(1)).to_contain_text("Set up red-2")
    # By keys alone: where it waits is not in its zone, and Enter takes the nearest place.
    items.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board [data-ghost]")).to_have_count(1)
    expect(hands.order.locator(".ruling")).to_contain_text("Not allowed")
    expect(hands.order).to_contain_text("red-1 is not wholly in red-edge")
    page.keyboard.press("Shift+ArrowRight")
    expect(hands.order).to_contain_text("SET-4")
    page.keyboard.press("Enter")
    expect(hands.line(2)).to_contain_text("Set up red-1")
    found = figures(hands)
    assert (round(found["red-2"]["x"]), round(found["red-2"]["y"])) == (8, 3)
    assert (round(found["red-1"]["x"], 3), round(found["red-1"]["y"], 3)) == (5, 5)
    expect(page.locator(".trays")).to_contain_text("Red all set up")
    hands.do("ready")
    # The other side's tray is next, and is set up where the hand clicks.
    expect(items).to_have_count(2)
    items.first.click()
    expect(page.locator('[data-ghost="blue-1"]')).to_have_count(1)
    page.mouse.click(*hands.pixel(4, 21))
    expect(hands.order.locator(".ruling")).to_contain_text("Legal")
    hands.confirm()
    # The next one is in hand already.
    expect(page.locator('[data-ghost="blue-2"]')).to_have_count(1)
    hands.confirm()
    hands.do("ready")
    expect(page.locator(".trays")).to_be_hidden()
    expect(page.locator("#status")).not_to_contain_text(re.compile("set-up", re.IGNORECASE))
    hands.pick("red-1")
    hands.may("activate")


def test_a_finger_drags_out_of_the_strip_and_the_other_page_sees_nothing(
    opening: Opening, server: Server
) -> None:
    page, _ = opening(has_touch=True, is_mobile=True, viewport=PHONE)
    red, blue, _ = begin(server.url, scene=small(hidden=True), mode="links")
    page.goto(red.path)
    hands = Hands(page)
    item = page.locator(".tray-item").first
    expect(page.locator("#log")).not_to_be_empty()
    expect(item).to_be_visible()
    box = item.bounding_box()
    assert box is not None
    # The ghost stands above the finger.
    swipe(page, (box["x"] + 20, box["y"] + 20), hands.pixel(8, 0))
    expect(hands.line(1)).to_contain_text("Set up red-1")
    assert figures(hands)["red-1"]["y"] <= 5.001
    expect(page.locator(".tray-item")).to_have_count(1)
    assert blue.now()["board"]["figures"] == []


def test_the_device_is_handed_over_where_the_set_up_is_hidden(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, scene=small(hidden=True))
    hands = Hands(page)
    page.goto(seat.path)
    card = page.get_by_role("dialog", name="Pass the device to Red")
    expect(card).to_contain_text("Nobody sees what the others set up")
    page.keyboard.press("Escape")
    card.get_by_role("button", name="Red has it: show the board").click()
    expect(card).to_be_hidden()
    for _ in range(2):
        page.locator(".tray-item").first.click()
        expect(page.locator("[data-ghost]")).to_have_count(1)
        page.mouse.click(*hands.pixel(4, 3) if not hands.entries else hands.pixel(8, 3))
        expect(hands.order.locator(".ruling")).to_contain_text("Legal")
        hands.confirm()
    hands.do("ready")
    card = page.get_by_role("dialog", name="Pass the device to Blue")
    card.get_by_role("button", name="Blue has it: show the board").click()
    expect(card).to_be_hidden()
    expect(page.locator("#log")).to_contain_text("Set up, hidden as yet")
    expect(page.locator("#board .figure[data-id]")).to_have_count(0)
    expect(page.locator(".tray-item")).to_have_count(2)
