"""All storeys at once: figures are moved there like on the plan, by the same referee."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server

#: The pixel of the window at a place and height of the table.
PIXEL = """([x, y, z]) => {
  const box = tapeline.board.frame.getBoundingClientRect();
  const [left, top] = tapeline.board.pixelOf([x, y], z);
  return [left + box.left, top + box.top];
}"""

#: Where the leg in hand ends; its height is that of where it began unless it says another.
END = """() => {
  const { loose, base } = tapeline.hand.draft.fill;
  return [...loose.to, loose.z ?? base.z];
}"""


def test_a_drag_ends_on_the_floor_under_the_pointer(opening: Opening, server: Server) -> None:
    page, _ = opening(server.url)
    one = Hands(page)
    one.sit(begin(server.url, example="trench-storeys", mode="hotseat")[0])
    one.choose("r-knife")
    one.do("activate")
    one.may("move")
    page.get_by_role("button", name="All storeys at once, cut away").click()
    page.get_by_role("button", name="Turn the table to the left").click()
    one.ready()
    page.mouse.move(*page.evaluate(PIXEL, [13.0, 18.0, 3.0]))
    page.mouse.down()
    for place in ([14.0, 17.8, 3.0], [3.0, 25.0, 0.0], [12.0, 17.5, 3.0]):
        page.mouse.move(*page.evaluate(PIXEL, place), steps=3)
        assert page.evaluate(END) == pytest.approx(place, abs=0.1)
    page.mouse.up()
    expect(one.order.locator(".ruling-legal")).to_be_visible()
