"""From the start page to a table."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from web.browser.hands import Hands

__all__ = ["MATCH", "start"]

#: The address of a match. The secret at its end may hold, and begin with, "-" or "_".
MATCH = re.compile(r"/t/\w+#[\w-]{20,}$")


def start(
    page: Page, system: str, example: str, *, two: bool = False, real_dice: bool = False
) -> Hands:
    """Choose a game and how it is played, press Play at an example, and sit down at the table."""
    page.goto("/")
    page.get_by_role("radio", name=system).check()
    if two:
        page.get_by_role("radio", name="Two people, by link").check()
    if real_dice:
        page.get_by_role("radio", name="Real dice").check()
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=example))
    card.get_by_role("button", name="Play").click()
    if two:
        return Hands(page)
    expect(page).to_have_url(MATCH)
    hands = Hands(page)
    hands.ready()
    return hands
