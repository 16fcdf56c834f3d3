"""The start page."""

from __future__ import annotations

from playwright.sync_api import Page


def test_the_start_page_has_its_name(page: Page) -> None:
    page.goto("/")
    assert "Tapeline" in page.title()
