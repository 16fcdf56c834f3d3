"""Each page as a picture, large and small, kept in out/screens, and what a ruler tells of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.conftest import DESKTOP, PHONE, Opening
from web.browser.hands import Hands
from web.browser.serving import Server

SCREENS = Path(__file__).parents[3] / "out" / "screens"

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": DESKTOP, "device_scale_factor": 1},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2},
}

TURNED = {"width": PHONE["height"], "height": PHONE["width"]}

GROUND = "(one) => getComputedStyle(one).backgroundColor"

#: Until the page has drawn itself anew.
DRAWN = "() => new Promise((after) => requestAnimationFrame(() => requestAnimationFrame(after)))"

#: Example, what is done first, who is chosen, what is done with it, and where it is dragged.
TABLES: dict[str, tuple[str, list[str], str, list[str], str, tuple[float, float]]] = {
    "sovl": ("sovl-ford", [], "W1", ["activate"], "advance", (13.0, 30.0)),
    "trench-crusade": ("trench-two-lines", [], "r-captain", ["activate"], "move", (16.0, 18.0)),
    "mordheim": ("mordheim-market", ["close_declarations"], "r-1", [], "", (0.0, 0.0)),
    "warmaster": ("warmaster-dale", [], "gules", [], "", (0.0, 0.0)),
}

#: What a finger must be able to hit and is smaller than 44 pixels. Words in a line are exempt.
SMALL = """() => [...document.querySelectorAll("button, select, input, summary, a[href]")]
  .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((one) => !one.closest("p, h2, li.quiet, .happenings, .findings, .ledger"))
  .filter((one) => !one.closest("svg, .unseen, .skip"))
  .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && box.height > 1)
  .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
  .map(([one, box]) => `${one.outerHTML.slice(0, 90)} is ${box.width} by ${box.height}`)"""

#: What reaches beyond the window to the right or left.
WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((one) => !one.closest("svg svg, .board svg, .board svg *, .unseen, .skip"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.right > innerWidth + 1 || box.left < -1))
  .map(([one, box]) => `${one.outerHTML.slice(0, 90)} from ${box.left} to ${box.right}`)"""


def kept(page: Page, name: str, size: str) -> None:
    """Keep a picture, and see that all is in sight and large enough for a finger.

    A phone is first looked at turned, then upright again.
    """
    if size == "phone":
        page.set_viewport_size(TURNED)
        page.evaluate(DRAWN)
        kept(page, name, "phone-turned")
        page.set_viewport_size(PHONE)
        page.evaluate(DRAWN)
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / f"{name}-{size}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    faults = page.evaluate(WIDE)
    if size != "desktop":
        faults += page.evaluate(SMALL)
    assert "\n".join(faults) == ""


@pytest.mark.parametrize(
    ("system", "size"),
    [
        pytest.param(system, size, marks=[] if (size == "phone") == odd else [pytest.mark.long])
        for system, odd in zip(TABLES, (True, False) * len(TABLES), strict=False)
        for size in SIZES
    ],
)
def test_table(opening: Opening, server: Server, system: str, size: str) -> None:
    """Each game on one of the screens; on all of them with --long."""
    page = opening(**SIZES[size])[0]
    example, first, body, actions, control, place = TABLES[system]
    (seat, *_) = begin(server.url, example=example)
    hands = Hands(page)
    hands.sit(seat)
    kept(page, f"{system}-open", size)
    for action in first:
        hands.do(action)
    hands.choose(body)
    for action in actions:
        hands.do(action)
    if control:
        hands.begin(control)
        hands.drag(body, *place)
    page.wait_for_load_state("networkidle")
    expect(page.locator("#turn.reaching")).to_have_count(0)
    kept(page, system, size)
    if size == "desktop":
        page.emulate_media(color_scheme="dark")
        page.wait_for_timeout(200)
        page.screenshot(path=SCREENS / f"{system}-night.png")
        page.emulate_media(forced_colors="active")
        chosen, other = (page.get_by_role("button", name=name) for name in ("Reach", "Tape"))
        assert chosen.evaluate(GROUND) != other.evaluate(GROUND), "colours alone tell them apart"
        page.emulate_media(forced_colors="none")
        # A page drawn twice as large: its tools beside the panel.
        page.set_viewport_size({"width": DESKTOP["width"] // 2, "height": DESKTOP["height"] // 2})
        page.evaluate(DRAWN)
        assert page.evaluate(WIDE) == []
        tools, panel = (page.locator(one).bounding_box() for one in ("#tools", "#panel"))
        assert tools
        assert panel
        assert tools["x"] + tools["width"] <= panel["x"] + 1


@pytest.mark.parametrize("size", SIZES)
class TestScreens:
    @pytest.fixture
    def page(self, opening: Opening, size: str) -> Page:
        return opening(**SIZES[size])[0]

    def test_start(self, page: Page, size: str) -> None:
        page.goto("/")
        expect(page.get_by_role("link", name="New blank table")).to_be_visible()
        page.wait_for_load_state("networkidle")
        kept(page, "start", size)

    def test_editor(self, page: Page, size: str) -> None:
        page.goto("/edit?example=mordheim-market")
        expect(page.locator("#board [data-id]").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        kept(page, "editor", size)
