"""Nothing that axe-core calls serious or critical: any page, by day and night, large and small."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.conftest import DESKTOP, PHONE, Opening
from web.browser.hands import Hands
from web.browser.serving import Server

SIZES = {
    "desktop": {"viewport": DESKTOP},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
}


def grave(page: Page) -> list[str]:
    """What axe-core finds serious or critical, with the element it is about."""
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node['html'][:120]}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
class TestAccess:
    @pytest.fixture
    def page(self, opening: Opening, size: str, theme: str) -> Page:
        return opening(color_scheme=theme, **SIZES[size])[0]

    def test_start(self, page: Page) -> None:
        page.goto("/")
        expect(page.get_by_role("article").first).to_be_visible()
        assert grave(page) == []

    def test_table(self, page: Page, server: Server) -> None:
        (seat, *_) = begin(server.url, example="trench-two-lines", dice="typed")
        hands = Hands(page)
        hands.sit(seat)
        assert grave(page) == []
        page.keyboard.press("n")
        expect(page.locator("#board .figure.selected")).to_have_count(1)
        hands.do("activate")
        hands.may("move")
        page.keyboard.press("Shift+ArrowUp")
        expect(hands.order.locator(".ruling")).to_be_visible()
        assert grave(page) == []
        page.keyboard.press("Escape")
        hands.begin("dash")
        page.keyboard.press("Shift+ArrowUp")
        hands.confirm()
        expect(hands.card).to_be_visible()
        assert grave(page) == []

    def test_editor(self, page: Page) -> None:
        page.goto("/edit?example=mordheim-market")
        expect(page.locator("#board [data-id]").first).to_be_visible()
        assert grave(page) == []


def test_a_fault_is_found(page: Page) -> None:
    page.goto("/")
    page.evaluate("document.querySelector('footer').append(document.createElement('button'))")
    assert [fault for fault in grave(page) if fault.startswith("button-name")]
