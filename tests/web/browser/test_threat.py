"""Threat while T is held: marks on figures, bands for the one selected, the place pointed at."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_threat_shows_while_t_is_held(opening: Opening, server: Server) -> None:
    scene = json.loads((EXAMPLES / "lessons" / "trench-lesson.json").read_text())
    (seat, *_) = begin(server.url, scene=scene)
    page, _ = opening()
    hands = Hands(page)
    hands.sit(seat)
    hands.pick("cedar")
    page.mouse.move(*hands.pixel(20.5, 13.5))
    page.keyboard.down("t")
    said = page.locator("#tools").get_by_role("status")
    expect(said).to_contain_text("Crow could strike")
    expect(page.locator("#board .chance")).to_have_count(3)
    expect(page.locator("#board .threat-possible")).to_be_visible(timeout=60_000)
    page.mouse.move(*hands.pixel(20, 6))
    expect(page.locator("#board .board-hint")).to_have_text("Crow 100 %, charge")
    page.keyboard.up("t")
    expect(page.locator("#board .chance, #board .threat")).to_have_count(0)
    expect(said).to_be_hidden()


def test_nothing_is_told_that_may_not_be_measured(opening: Opening, server: Server) -> None:
    (seat, *_) = begin(server.url, example="mordheim-street-block")
    page, _ = opening()
    hands = Hands(page)
    hands.sit(seat)
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
    expect(page.locator("#board path.hidden-from")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#board path.seen")).to_have_count(0)
