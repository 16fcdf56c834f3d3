"""The lesson of a game: from the start page, a step by hand, one that is shown, and out of it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from web.browser.hands import Hands
from web.browser.starting import MATCH


def test_a_lesson_goes_on_as_its_steps_are_done(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="SOVL").check()
    page.locator("#lesson").get_by_role("button", name="Learn it").click()
    expect(page).to_have_url(MATCH)
    hands = Hands(page)
    hands.ready()
    page.evaluate("tapeline.opponent.pace = 10")
    told = page.get_by_role("region", name="Lesson")
    expect(told).to_contain_text("step 1 of 7")
    expect(page.locator('#board .figure[data-id="spears"]')).to_have_class(
        re.compile(r"\bmark-pointed\b")
    )
    hands.pick("spears")
    hands.do("activate")
    expect(told).to_contain_text("step 2 of 7")
    for step in range(3, 8):
        told.get_by_role("button", name="Show me").click()
        expect(told).to_contain_text(f"step {step} of 7")
        expect(told.get_by_role("button", name="Show me")).to_be_enabled()
    told.get_by_role("button", name="Show me").click()
    expect(told).to_contain_text("The lesson is over")
    told.get_by_role("link", name="Play a scene").click()
    expect(page.locator("#lesson")).to_contain_text("You have been through the lesson of")
