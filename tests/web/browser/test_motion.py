"""Moves that walk along their way, the film of the game, and sounds."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import Seat, begin, call
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server

#: Writes down where the page draws a body, each time it puts it somewhere.
WATCH = """(id) => {
  window.seen = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target.getAttribute("data-id") === id) window.seen.push(target.getAttribute("transform"));
    }
  }).observe(document.querySelector("#board"), {subtree: true, attributeFilter: ["transform"]});
  const made = AudioContext.prototype.createOscillator;
  window.tones = 0;
  AudioContext.prototype.createOscillator = function () {
    window.tones += 1;
    return made.call(this);
  };
}"""


def seen(page: Page) -> list[tuple[float, float]]:
    found = page.evaluate("window.seen")
    return [tuple(map(float, re.findall(r"-?[\d.]+", one))) for one in found]  # type: ignore[misc]


def act(seat: Seat, **action: Any) -> None:
    call(seat.url, f"matches/{seat.match}/actions", action, seat.token)


@pytest.fixture
def moving(opening: Opening) -> Page:
    page, _ = opening()
    page.emulate_media(reduced_motion="no-preference")
    return page


def test_the_other_side_walks_its_way_and_the_film_too(moving: Page, server: Server) -> None:
    red, blue, _ = begin(server.url, example="trench-two-lines", mode="links")
    hands = Hands(moving)
    hands.sit(blue)
    x, y = hands.place("r-captain")
    moving.evaluate(WATCH, "r-captain")
    act(red, version=0, action={"kind": "activate", "actor": "r-captain"})
    # Round a corner, so that the way is not the straight line from end to end.
    path = [{"to": [x + 3, y]}, {"to": [x + 3, y - 1.5]}]
    act(red, version=1, action={"kind": "move", "actor": "r-captain", "path": path})
    expect(hands.line(2)).to_contain_text("Move")
    moving.wait_for_function("() => window.seen.length > 3 && !document.querySelector('.walking')")
    depth = red.now()["board"]["depth"]
    far = [(px, depth - py) for px, py in seen(moving)]
    assert all(abs(py - y) < 0.01 or abs(px - x - 3) < 0.01 for px, py in far)
    assert any(x + 0.2 < px < x + 2.8 for px, _ in far)
    assert hands.place("r-captain") == pytest.approx((x + 3, y - 1.5), abs=0.01)
    assert moving.evaluate("window.tones") == 0, "sounds are off until somebody wants them"

    moving.locator("#log summary").click()
    moving.get_by_role("button", name="Sounds of wood and dice").click()
    tones = moving.evaluate("window.tones")
    assert tones > 0
    moving.evaluate("window.seen = []")
    moving.get_by_role("button", name="Speed of the film: 1 times").click()
    moving.get_by_role("button", name="Play the game so far").click()
    expect(moving.locator("#replay .replay-now")).to_be_visible()
    expect(moving.locator("#replay .replay-now")).to_be_hidden()
    assert seen(moving)
    assert moving.evaluate("window.tones") > tones
    moving.emulate_media(reduced_motion="reduce")


def test_without_motion_it_stands_there_at_once(page: Page, server: Server) -> None:
    (seat, _) = begin(server.url, example="sovl-ford")
    hands = Hands(page)
    hands.sit(seat)
    x, y = hands.place("W1")
    page.evaluate(WATCH, "W1")
    act(seat, version=0, action={"kind": "activate", "actor": "W1"})
    act(seat, version=1, action={"kind": "advance", "actor": "W1", "distance": 2})
    expect(hands.line(2)).to_be_visible()
    assert hands.place("W1") != pytest.approx((x, y), abs=0.5)
    assert seen(page) == []
