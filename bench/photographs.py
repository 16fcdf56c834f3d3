"""Photographs of the browser table for README: `python -m bench.photographs [FOLDER]`.

Plays a few moves on a server of its own, as a hand would, and keeps what is seen: a refused drag,
all storeys at once by night, a phone.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench.frames import FLAGS, call, serving

__all__ = ["main"]

DESKTOP: ViewportSize = {"width": 1366, "height": 850}
PHONE: ViewportSize = {"width": 390, "height": 844}
#: The pixel of the window at a place and height of the table.
PIXEL = """([x, y, z]) => {
  const box = tapeline.board.frame.getBoundingClientRect();
  const [left, top] = tapeline.board.pixelOf([x, y], z);
  return [left + box.left, top + box.top];
}"""
#: Milliseconds until what was asked for is drawn, and whether nothing is worked out any longer.
SETTLED = 6000
DONE = "() => !document.querySelector('#turn.reaching, #turn .waits:not([hidden])')"


def _seated(page: Page, url: str, example: str, body: str) -> None:
    made = call(url, "matches", {"example": example, "mode": "hotseat"})
    page.goto(url + made["links"][0]["path"])
    page.locator("#board .figure[data-id]").first.wait_for()
    hints = page.get_by_role("button", name="Got it")
    if hints.is_visible():
        hints.click()
    page.evaluate("(id) => tapeline.selection.select(id)", body)
    page.wait_for_timeout(SETTLED)


def _drag(page: Page, start: tuple[float, ...], end: tuple[float, ...]) -> None:
    page.mouse.move(*page.evaluate(PIXEL, start))
    page.mouse.down()
    page.mouse.move(*page.evaluate(PIXEL, end), steps=8)
    page.wait_for_timeout(SETTLED)
    page.mouse.up()
    page.wait_for_function(DONE, timeout=120_000)
    notice = page.locator("#notice button").first
    if notice.is_visible():
        notice.click()
    page.wait_for_timeout(1000)


def _refused(browser: Browser, url: str, folder: Path) -> None:
    page = browser.new_context(viewport=DESKTOP, color_scheme="light").new_page()
    _seated(page, url, "trench-two-lines", "r-captain")
    _drag(page, (12.8, 8.6, 0.0), (10.6, 17.5, 0.0))
    page.screenshot(path=folder / "table-refused.png")


def _all_storeys(browser: Browser, url: str, folder: Path) -> None:
    page = browser.new_context(viewport=DESKTOP, color_scheme="dark").new_page()
    _seated(page, url, "trench-storeys", "r-knife")
    page.get_by_role("button", name="All storeys at once, cut away").click()
    page.wait_for_timeout(SETTLED)
    _drag(page, (13.0, 18.0, 3.0), (17.6, 17.7, 3.0))
    page.screenshot(path=folder / "table-storeys.png")


def _phone(browser: Browser, url: str, folder: Path) -> None:
    page = browser.new_context(
        viewport=PHONE,
        color_scheme="light",
        has_touch=True,
        is_mobile=True,
        device_scale_factor=1.5,
    ).new_page()
    _seated(page, url, "sovl-ford", "W1")
    page.screenshot(path=folder / "table-phone.png")


def main() -> None:
    """Keep the photographs in the folder that the command line names."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    found = os.environ.get("TAPELINE_BROWSER") or shutil.which("chromium-headless-shell")
    with serving(compiles=False) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        for photograph in (_refused, _all_storeys, _phone):
            photograph(browser, url, folder)
        browser.close()


if __name__ == "__main__":
    main()
