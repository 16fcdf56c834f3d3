"""Small screens: nothing lies over the table, pins leave the ghost free, the page stays put."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.conftest import PHONE, Opening
from web.browser.hands import Hands, tapping
from web.browser.serving import Server

SIZES = {"upright": (390, 844), "turned": (844, 390), "narrow": (320, 640)}

#: What lies over the table of the board: buttons, also over a ghost; numbers of pins over one.
OVER = """(what) => {
  const box = (one) => one.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const shown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const table = box(document.querySelector("#board rect.table"));
  const ghosts = () => [...document.querySelectorAll("#board .ghost .base")];
  const bars = [...document.querySelectorAll(".zooms, .storeys, .board-bar, .pad")].filter(shown);
  const over = {
    ghosts: () => bars.filter((bar) => ghosts().some((one) => meet(box(bar), box(one)))).length,
    buttons: () => bars.filter((one) => meet(box(one), table)).map((one) => one.className),
    pins: () => [...document.querySelectorAll("#board .pin-head")].filter((pin) =>
      ghosts().some((ghost) => meet(box(pin), box(ghost)))).length,
  };
  return over[what]();
}"""

#: Pixels in a unit of the table.
SCALE = 'document.querySelector("#board rect.table").getScreenCTM().a'


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, opening: Opening) -> Page:
    width, height = SIZES[request.param]
    options: dict[str, Any] = {"viewport": {"width": width, "height": height}}
    return opening(has_touch=True, is_mobile=True, **options)[0]


def finger(hands: Hands, id: str, x: float, y: float) -> None:
    """Drag a body with a finger, and let go."""
    swipe(hands.page, hands.pixel(*hands.place(id)), hands.pixel(x, y))
    expect(hands.order.locator(".ruling")).to_be_visible()


def swipe(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a finger from pixel to pixel."""
    touch = page.context.new_cdp_session(page)
    (x0, y0), (x1, y1) = start, end

    def send(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x0, "y": y0})
    for n in range(1, 7):
        send("touchMove", {"x": x0 + (x1 - x0) * n / 6, "y": y0 + (y1 - y0) * n / 6})
        page.wait_for_timeout(30)
    send("touchEnd")


@pytest.mark.parametrize(
    "example",
    [
        "mordheim-market",
        *(pytest.param(e, marks=pytest.mark.long) for e in ("sovl-ford", "warmaster-dale")),
    ],
)
def test_tools_lie_beside_the_table(page: Page, server: Server, example: str) -> None:
    (seat, *_) = begin(server.url, example=example)
    Hands(page).sit(seat)
    assert page.evaluate(OVER, "buttons") == []


def test_a_move_by_finger(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-two-lines")
    hands = Hands(page)
    hands.sit(seat)
    tapping(
        lambda: page.touchscreen.tap(*hands.pixel(*hands.place("r-captain"))),
        lambda within: expect(hands.control("activate")).to_be_visible(timeout=within),
    )
    hands.do("activate")
    hands.begin("move")
    how = hands.order.get_by_text("Drag the figure, or tap where it goes.")
    expect(how).to_be_in_viewport(ratio=1)
    finger(hands, "r-captain", 20, 30)
    expect(how).to_be_hidden()
    expect(hands.order.locator(".ruling-illegal")).to_be_visible()
    expect(page.locator("#board .pin-head").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(OVER, "pins") == 0
    assert page.evaluate(OVER, "ghosts") == 0
    # The board has at least half of the height, and the way out of the refusal is in sight.
    room = page.evaluate("document.querySelector('#board').clientHeight / innerHeight")
    assert room >= 0.5
    assert page.evaluate("document.querySelector('.bar').clientHeight") <= 48
    expect(hands.confirm_button).to_be_in_viewport(ratio=1)
    # Showing the action scrolls the panel, not the page.
    assert page.evaluate("document.scrollingElement.scrollTop + document.body.scrollTop") == 0
    pad, ghost = page.get_by_role("group", name="Fine steps"), page.locator("#board [data-ghost]")
    before = ghost.get_attribute("transform") or ""
    tapping(
        pad.get_by_role("button", name="Left", exact=True).tap,
        lambda within: expect(ghost).not_to_have_attribute("transform", before, timeout=within),
    )
    hands.confirm()
    expect(pad).to_be_hidden()
    # It is taken back where the panel stands as it is.
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_in_viewport(ratio=1)
    undo.tap()
    expect(hands.line(2)).to_contain_text("undone")


def test_a_phone_leads_on_and_shows_what_others_do(opening: Opening, server: Server) -> None:
    (seat, *_) = begin(server.url, example="sovl-mill", mode="links")
    hands = Hands(opening(has_touch=True, is_mobile=True, viewport=PHONE)[0])
    hands.sit(seat)
    page = hands.page
    whole = page.evaluate(SCALE)
    tapping(
        lambda: page.touchscreen.tap(*hands.pixel(*hands.place("west-4"))),
        lambda within: expect(hands.control("activate")).to_be_visible(timeout=within),
    )
    page.wait_for_function(f"() => {SCALE} > {1.2 * whole}")
    # Before it acts nothing is told of what it has used.
    expect(page.locator("#panel .meter")).to_have_count(0)
    hands.do("activate")
    expect(page.locator("#panel .meter")).to_be_visible()
    hands.begin("pivot")
    expect(hands.order.get_by_text("Drag the round handle.")).to_be_in_viewport(ratio=1)
    hands.order.get_by_role("button", name="Cancel").click()
    finger(hands, "west-4", 40, 18)
    hands.confirm()
    # What is left to be done is in sight and stands out, and then the whole board.
    expect(hands.control("end_activation")).to_be_in_viewport(ratio=1)
    expect(hands.control("end_activation")).to_contain_class("primary")
    hands.do("end_activation")
    expect(page.locator("#turn .turn-yours")).to_be_visible()
    # What the other side should do is not told to who waits.
    expect(page.locator("#turn .turn-now")).to_have_count(0)
    page.wait_for_function(f"() => Math.abs({SCALE} / {whole} - 1) < 0.05")


def test_one_notice_at_a_time(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="warmaster-hill")
    hands = Hands(page)
    hands.sit(seat)
    page.keyboard.press("u")
    notices = page.locator(".notice")
    expect(notices).to_contain_text("There is nothing to undo.")
    expect(notices).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator("#board .figure.selected").first).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(notices).to_have_count(2)
    shown = notices.filter(visible=True)
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("has no order to move")
    panel, box = page.locator(".panel").bounding_box(), shown.bounding_box()
    assert panel
    assert box
    beside, above = box["x"] + box["width"] <= panel["x"], box["y"] + box["height"] <= panel["y"]
    assert beside or above, "what can be done lies free"
    shown.get_by_role("button", name="Put away").click()
    expect(shown).to_contain_text("There is nothing to undo.")
