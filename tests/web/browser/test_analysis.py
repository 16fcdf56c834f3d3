"""Hints asked for and agreed on, arrows and rings that are shown, and the analysis board."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server


def _named(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def test_two_agree_to_hints_and_show_each_other_arrows(opening: Opening, server: Server) -> None:
    seats = begin(server.url, example="trench-two-lines", mode="links")
    red, blue = (Hands(opening()[0]) for _ in range(2))
    for hands, seat in zip((red, blue), seats[:2], strict=True):
        hands.sit(seat)

    red.page.keyboard.press("i")
    panel = red.page.locator(".hints")
    expect(panel).to_contain_text("off in a match by link until all sides agree")
    _named(red.page, "Ask the other side")
    expect(blue.page.locator(".proposals")).to_contain_text("both may ask for hints")
    _named(blue.page, "Agree")
    expect(red.page.locator(".proposals")).to_be_hidden()

    red.page.keyboard.press("i")
    expect(panel.locator(".hint-one.chosen")).to_have_count(1)
    expect(red.page.locator("#board .mark-hinted")).to_have_count(1)
    _named(red.page, "Do this")
    expect(red.line(1)).to_be_visible()
    expect(panel).to_be_hidden()

    red.page.keyboard.down("Control")
    red.page.mouse.move(*red.pixel(10, 30))
    red.page.mouse.down()
    red.page.mouse.move(*red.pixel(14, 28))
    red.page.mouse.move(*red.pixel(20, 24))
    red.page.mouse.up()
    red.page.keyboard.up("Control")
    red.page.keyboard.press("d")
    red.page.keyboard.press("c")
    red.page.locator('[data-id="r-captain"]').focus()
    red.page.keyboard.press("Enter")
    red.page.keyboard.press("Enter")
    expect(red.page.locator("#board .arrow-0 line.arrow-line")).to_have_count(1)
    expect(red.page.locator("#board .arrow-1 circle.arrow-line")).to_have_count(1)
    expect(red.order).to_be_hidden()
    expect(blue.page.locator("#board .arrow")).to_have_count(0)
    red.page.keyboard.press("s")
    expect(blue.page.locator("#board .arrow.theirs")).to_have_count(2)
    red.page.keyboard.press("x")
    for hands in (red, blue):
        expect(hands.page.locator("#board .arrow")).to_have_count(0)


def test_an_analysis_board_is_a_copy_with_a_way_back(opening: Opening, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-two-lines")
    page, _ = opening()
    hands = Hands(page)
    hands.sit(seat)
    home = page.url
    page.keyboard.press("a")
    expect(page.locator(".banner")).to_contain_text("Analysis board: a copy")
    page.keyboard.press("i")
    _named(page, "Do this")
    expect(hands.line(1)).to_be_visible()
    page.keyboard.press("u")
    expect(hands.line(2)).to_be_visible()
    _named(page, "Back to the match")
    expect(page.locator(".banner")).to_be_hidden()
    assert page.url == home
    expect(page.locator(".log-line")).to_have_count(0)

    (seat, *_) = begin(server.url, example="mordheim-market", mode="links")
    hands.sit(seat)
    tools = page.locator("#tools")
    expect(tools.get_by_role("button", name="Tape")).to_be_visible()
    expect(tools.get_by_role("button", name="Analysis")).to_be_hidden()
    page.keyboard.press("a")
    expect(page.locator("#notice")).to_contain_text("forbids measuring ahead")


def test_who_looks_back_plays_on_from_there_on_a_copy(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-two-lines")
    hands = Hands(page)
    hands.sit(seat)
    hands.pick("r-captain")
    hands.do("activate")
    hands.do("end_activation")
    page.keyboard.press(",")
    expect(page.locator(".banner")).to_contain_text("Analysis plays on from here")
    page.keyboard.press("a")
    expect(page.locator(".banner")).to_contain_text("Analysis board: a copy")
    hands.ready()
    expect(hands.line(1)).to_contain_text("Activate")
    expect(hands.line(2)).to_have_count(0)
    hands.pick("r-captain")
    hands.may("move")
