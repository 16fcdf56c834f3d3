"""A long wait is told of: what is being worked out, how far that is, and for how long so far."""

from __future__ import annotations

import re
from typing import TypeAlias

import pytest
from playwright.sync_api import APIResponse, Route, expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server

pytestmark = pytest.mark.waits

#: A request, and the answer that it is to get.
Held: TypeAlias = tuple[Route, APIResponse]

SAYS = "The reach is being worked out"

#: Keeps, as `shown`, when a wait was first told of, milliseconds of the page.
SHOWN = """() => {
  const { host } = tapeline.waits;
  new MutationObserver(() => { if (!host.hidden) window.shown ??= performance.now(); })
    .observe(host, { attributes: true });
  return performance.now();
}"""


def test_a_reach_that_takes_long_says_how_far_it_is(opening: Opening, server: Server) -> None:
    page, _ = opening(server.url)
    held: list[Route] = []
    page.route(re.compile(r"/reach\?"), lambda route: held.append(route))
    one = Hands(page)
    one.sit(begin(server.url, example="trench-storeys", mode="hotseat")[0])
    waits = page.locator("#turn .waits")
    expect(waits).to_be_hidden()
    begun = page.evaluate(SHOWN)
    one.pick("r-captain")
    expect(one.control("activate")).to_be_visible()
    before = one.control("activate").bounding_box()
    expect(waits).to_contain_text(re.compile(rf"{SAYS}: 0 of \d+ done, \d+ s so far"))
    assert one.control("activate").bounding_box() == before, "a button jumps from under the hand"
    assert page.evaluate("shown") - begun >= 2000, "what takes a moment is not told of"
    count = len(held)
    expect(waits).to_contain_text(f"{SAYS}: 0 of {count} done")
    expect(page.locator("[aria-live=polite]")).to_contain_text(SAYS)
    held.pop(0).continue_()
    expect(waits).to_contain_text(f"1 of {count} done")
    while held:
        held.pop().continue_()
    expect(waits).to_be_hidden()


def seated(opening: Opening, server: Server, example: str) -> tuple[Hands, list[Held]]:
    """Somebody at the table of an example, and the answers to what is sent, held back."""
    page, _ = opening(server.url)
    held: list[Held] = []
    page.route(re.compile(r"/actions$"), lambda route: held.append((route, route.fetch())))
    one = Hands(page)
    one.sit(begin(server.url, example=example, mode="hotseat")[0])
    return one, held


def test_a_key_struck_before_the_answer_is_in_is_not_lost(opening: Opening, server: Server) -> None:
    one, held = seated(opening, server, "trench-two-lines")
    one.pick("r-captain")
    one.do("activate")
    one.may("move")
    one.page.keyboard.press("Shift+ArrowUp")
    expect(one.order).to_be_hidden()
    [(route, response)] = held
    route.fulfill(response=response)
    expect(one.order.locator(".ruling")).to_be_visible()


def test_a_press_is_not_lost_before_an_answer_or_while_its_button_is_drawn_anew(
    opening: Opening, server: Server
) -> None:
    one, held = seated(opening, server, "warmaster-ford")
    one.do("end_step")
    expect(one.control("end_step")).to_be_disabled()
    route, response = held.pop()
    route.fulfill(response=response)
    expect(one.control("end_step")).to_be_enabled()
    one.control("end_step").hover()
    one.page.mouse.down()
    one.page.evaluate("() => tapeline.controls.steps()")
    one.page.mouse.up()
    expect(one.line(2)).to_be_visible()
    route, response = held.pop()
    route.fulfill(response=response)
