"""Threat while T is held: marks on figures, bands for the one selected, the place pointed at."""

from __future__ import annotations

from playwright.sync_api import expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server


def test_threat_shows_while_t_is_held(opening: Opening, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-ruined-square")
    page, _ = opening()
    hands = Hands(page)
    hands.sit(seat)
    hands.pick("r-2")
    page.mouse.move(*hands.pixel(22.5, 30))
    page.keyboard.down("t")
    said = page.locator("#tools").get_by_role("status")
    expect(said).to_contain_text("Cur Three could strike")
    expect(page.locator("#board .chance")).to_have_count(1)
    expect(page.locator("#board .threat-possible")).to_be_visible(timeout=20_000)
    page.mouse.move(*hands.pixel(20.5, 28))
    expect(page.locator("#board .board-hint")).to_have_text("Cur Three 100 %, charge")
    page.keyboard.up("t")
    expect(page.locator("#board .chance, #board .threat")).to_have_count(0)
    expect(said).to_be_hidden()


def test_nothing_is_told_that_may_not_be_measured(opening: Opening, server: Server) -> None:
    (seat, *_) = begin(server.url, example="mordheim-street-block")
    page, watch = opening()
    hands = Hands(page)
    hands.sit(seat)
    watch.expect(r"status of 403 .*/threat\?")
    button = page.locator("#tools").get_by_role("button", name="Threat")
    button.click()
    said = page.locator("#tools").get_by_role("status")
    expect(said).to_contain_text("This may not be told now")
    expect(said).to_contain_text("MH-CHG-2")
    expect(page.locator("#board .chance")).to_have_count(0)


def test_the_sight_tool_shades_what_a_figure_sees(opening: Opening, server: Server) -> None:
    (seat, *_) = begin(server.url, example="sovl-ford")
    page, _ = opening()
    hands = Hands(page)
    hands.sit(seat)
    hands.pick("W6")
    page.keyboard.press("l")
    expect(page.locator("#board path.seen")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#board path.seen")).to_have_count(0)
