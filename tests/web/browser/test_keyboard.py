"""A game by keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from web.browser.hands import Hands

#: Whether what has the focus shows it.
OUTLINED = """() => {
  const style = getComputedStyle(document.activeElement);
  return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
    || style.boxShadow !== "none";
}"""


def tab_to(page: Page, name: str, most: int = 60) -> None:
    """Press Tab until what has the focus bears a name."""
    said = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
    for _ in range(most):
        page.keyboard.press("Tab")
        if name in (page.evaluate(said) or ""):
            assert page.evaluate(OUTLINED), f"{name} has the focus and does not show it"
            return
    raise AssertionError(f"no Tab leads to {name}")


def test_a_game_by_keyboard(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("radio", name="Mordheim")).to_be_visible()
    # A group of radios is one stop; arrows choose in it.
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.type === 'radio'"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Trench Crusade")).to_be_checked()
    expect(page.get_by_role("heading", name="Hand to hand in the mire")).to_be_visible()
    tab_to(page, "Play")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/t/\w+#\w+"))
    hands = Hands(page)
    hands.ready()
    keys = page.keyboard

    # In the mire Private Dunnock is in the middle of his activation.
    tab_to(page, "Private Dunnock")
    keys.press("Enter")
    expect(page.locator("#board .figure.selected")).to_have_count(1)
    first = hands.place("r-2")
    tab_to(page, "Retreat")
    keys.press("Enter")
    expect(hands.order).to_be_visible()
    keys.press("Shift+ArrowDown")
    keys.press("ArrowLeft")
    expect(hands.order.locator(".ruling")).to_be_visible()
    keys.press("Escape")
    expect(hands.order).to_be_hidden()
    assert hands.place("r-2") == first
    tab_to(page, "End activation")
    keys.press("Enter")
    expect(hands.line(1)).to_be_visible()
    keys.press("u")
    expect(hands.line(1)).to_contain_text("undone")

    keys.press("n")
    expect(page.locator("#board .figure.selected")).to_have_count(1)
    keys.press("r")
    expect(page.get_by_role("button", name="Tape")).to_have_attribute("aria-pressed", "true")
    keys.press("Escape")
    expect(page.get_by_role("button", name="Tape")).to_have_attribute("aria-pressed", "false")
    keys.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Turn left by 5 degrees")
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    keys.press("b")
    expect(page.get_by_text("The board as a list")).to_be_visible()
    keys.press(",")
    expect(page.locator("#turn")).to_contain_text("Looking back")
    keys.press("Escape")
    expect(page.locator("#turn")).not_to_contain_text("Looking back")
