"""What a first visit weighs."""

from __future__ import annotations

from playwright.sync_api import expect

from web.browser.conftest import Opening

#: Bytes that the start page may take, all its pictures of scenes drawn.
MOST = 300_000

#: Of everything the page asked for: bytes that came over the line, headers and all.
WEIGHT = """() => [...performance.getEntriesByType("navigation"),
                   ...performance.getEntriesByType("resource")]
  .reduce((sum, one) => sum + one.transferSize, 0)"""


def test_the_start_page_is_light(opening: Opening) -> None:
    # Of options that no other test has, so that the browser keeps no file of an earlier visit.
    page, _ = opening(locale="en-NZ")
    page.goto("/")
    expect(page.locator("#cards article .figure").first).to_be_attached()
    weight = page.evaluate(WEIGHT)
    assert 50_000 < weight < MOST
