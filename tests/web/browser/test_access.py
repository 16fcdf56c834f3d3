"""Nothing that axe-core calls serious or critical: any page, by day and night, large and small."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.conftest import DESKTOP, PHONE, Opening
from web.browser.hands import Hands
from web.browser.serving import Server
from web.browser.test_screens import DRAWN

Found = Callable[[], list[str]]

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": DESKTOP},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
}


ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"]}
#: Those that colours decide.
OF_COLOURS = {
    **ALL_RULES,
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}


def grave(page: Page, options: dict[str, Any] = ALL_RULES) -> list[str]:
    """What axe-core finds serious or critical, with the element it is about."""
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node['html'][:120]}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


#: As the page is opened, and what it changes to.
THEMES = {"desktop": ("light", "dark"), "phone": ("dark", "light")}


def faults(page: Page, size: str) -> list[str]:
    """What is grave as the page is, and what only its other colours make so."""
    opened, other = THEMES[size]
    found = grave(page)
    page.emulate_media(color_scheme=other)
    page.evaluate(DRAWN)
    found += grave(page, OF_COLOURS)
    page.emulate_media(color_scheme=opened)
    page.evaluate(DRAWN)
    return found


@pytest.mark.parametrize("size", SIZES)
class TestAccess:
    """A desktop by day and a phone by night, both in both with --long. See also test_palette."""

    @pytest.fixture
    def page(self, opening: Opening, size: str) -> Page:
        return opening(color_scheme=THEMES[size][0], **SIZES[size])[0]

    @pytest.fixture
    def found(self, page: Page, size: str, budget: Callable[[int, int], int]) -> Found:
        return lambda: faults(page, size) if budget(False, True) else grave(page)

    def test_start(self, page: Page, found: Found) -> None:
        page.goto("/")
        expect(page.get_by_role("article").first).to_be_visible()
        assert found() == []

    def test_kept(self, page: Page, found: Found) -> None:
        page.goto("/kept")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert found() == []

    def test_table(self, page: Page, server: Server, found: Found) -> None:
        (seat, *_) = begin(server.url, example="trench-two-lines", dice="typed")
        hands = Hands(page)
        hands.sit(seat)
        assert found() == []
        page.keyboard.press("n")
        expect(page.locator("#board .figure.selected")).to_have_count(1)
        hands.do("activate")
        hands.may("move")
        page.keyboard.press("Shift+ArrowUp")
        expect(hands.order.locator(".ruling")).to_be_visible()
        assert found() == []
        page.keyboard.press("Escape")
        hands.begin("dash")
        page.keyboard.press("Shift+ArrowUp")
        hands.confirm()
        expect(hands.card).to_be_visible()
        assert found() == []

    def test_dialogs_and_the_cut_away(self, page: Page, server: Server, found: Found) -> None:
        hands = Hands(page)
        hands.sit(begin(server.url, example="trench-storeys", mode="hotseat")[0])
        page.get_by_role("button", name="All storeys at once, cut away").click()
        expect(page.locator("#board .slab-side").first).to_be_attached()
        assert found() == [], "all storeys at once"
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert found() == [], "the list of keys"
        page.keyboard.press("Escape")
        page.evaluate("tapeline.share.open()")
        expect(page.get_by_role("dialog")).to_be_visible()
        assert found() == [], "links"

    def test_editor(self, page: Page, found: Found) -> None:
        page.goto("/edit?example=mordheim-market")
        expect(page.locator("#board [data-id]").first).to_be_visible()
        assert found() == []


def test_a_fault_is_found(page: Page) -> None:
    page.goto("/")
    page.evaluate("document.querySelector('footer').append(document.createElement('button'))")
    assert [fault for fault in grave(page) if fault.startswith("button-name")]


#: Words that can be read by day only.
BLACK = """() => {
  const words = document.createElement("p");
  words.textContent = "black";
  words.style.color = "black";
  document.querySelector("main").append(words);
}"""


def test_a_fault_of_one_theme_is_found(page: Page) -> None:
    page.goto("/")
    page.evaluate(BLACK)
    assert grave(page) == []
    assert [fault for fault in faults(page, "desktop") if fault.startswith("color-contrast")]
