"""A game of each system, from the start page to the replay, two players at one device."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.browser.hands import Hands
from web.browser.starting import start


def replayed(hands: Hands, id: str, first: tuple[float, float]) -> None:
    """The replay shows a body where it stood at first, and then where it stands now."""
    now = hands.place(id)
    assert now != pytest.approx(first, abs=0.05)
    slider = hands.page.get_by_role("slider", name="Entry of the game")
    slider.fill("0")
    expect(hands.page.locator("#notice")).to_contain_text("The table as it was")
    assert hands.place(id) == pytest.approx(first, abs=0.01)
    expect(hands.control("end_activation")).to_be_hidden()
    hands.page.get_by_role("button", name="Back to now").first.click()
    assert hands.place(id) == pytest.approx(now, abs=0.01)


def test_sovl(page: Page) -> None:
    hands = start(page, "SOVL", "The fords of the Elder")
    first = hands.place("W1")
    hands.pick("W1")
    hands.do("activate")
    hands.begin("advance")
    hands.drag("W1", 12.5, 30)
    hands.confirm()
    hands.do("end_activation")
    expect(page.locator("#turn")).to_contain_text("The Redcap host to act")
    replayed(hands, "W1", first)


def test_trench(page: Page) -> None:
    hands = start(page, "Trench Crusade", "Two lines")
    first = hands.place("r-captain")
    hands.pick("r-captain")
    hands.do("activate")
    hands.drag("r-captain", 12.8, 12)
    hands.confirm()
    replayed(hands, "r-captain", first)
