"""Two hands at the table: what a player does on the page, with mouse, keys and buttons."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Locator, Page, expect

from web.browser.calling import Seat

__all__ = ["Hands", "seat_of", "tapping"]

#: The pixel of the window at a place of the first plate of the board.
PIXEL = """([x, y]) => {
  const table = document.querySelector("#board rect.table");
  const at = new DOMPoint(x, table.height.baseVal.value - y).matrixTransform(table.getScreenCTM());
  return [at.x, at.y];
}"""

#: Whether a body is drawn, and stands where it stood a moment ago.
STILL = """async () => {
  const where = () => {
    const body = document.querySelector("#board .figure[data-id]");
    const matrix = body?.getScreenCTM();
    return matrix ? [matrix.a, matrix.e, matrix.f].join() : "";
  };
  const first = where();
  await new Promise((after) => setTimeout(after, 60));
  return first !== "" && first === where();
}"""

#: The place of the table where the page draws the middle of a body.
PLACE = """(id) => {
  const body = document.querySelector(`#board .figure[data-id="${id}"]`);
  const tables = [...document.querySelectorAll("#board rect.table")];
  const table = tables.find((one) => one.parentNode.parentNode.contains(body)) ?? tables[0];
  const matrix = table.getScreenCTM().inverse().multiply(body.getScreenCTM());
  const at = new DOMPoint(0, 0).matrixTransform(matrix);
  return [at.x, table.height.baseVal.value - at.y];
}"""


def tapping(tap: Callable[[], None], seen: Callable[[float], None]) -> None:
    """Tap until something is seen: `seen` expects it within so many milliseconds.

    While other processes keep the browser from running for half a second it takes a tap for a
    long press, which does nothing; a person taps again.
    """
    for _ in range(3):
        tap()
        with suppress(AssertionError):
            return seen(4000)
    return seen(1000)


def seat_of(page: Page) -> Seat:
    """The link that a page was opened with."""
    found = re.fullmatch(r"(https?://[^/]+)(/t/([^#?]+)#(.+))", page.url)
    assert found, f"no page of a match: {page.url}"
    home, path, match, token = found.groups()
    return Seat(home, match, "", None, path, token)


class Hands:
    """A player at a table that a page shows. Ids, places and lengths as of the scene."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.locator("#panel")
        self.order = page.locator("#actions .order")
        self.card = page.locator("#card")
        self.confirm_button = self.order.locator('[data-keep="confirm"]')

    def sit(self, seat: Seat) -> None:
        """Open the page of a link and wait for the board."""
        self.page.goto(seat.path)
        self.ready()

    def ready(self) -> None:
        """Wait until the board is drawn and stays where it is."""
        expect(self.page.locator("#turn")).not_to_be_empty()
        self.page.wait_for_function(STILL)

    # What the page shows

    def truth(self) -> Any:
        """The match as the server tells it to the link of this page."""
        return seat_of(self.page).now()

    def body(self, id: str) -> Locator:
        return self.page.locator(f'#board .figure[data-id="{id}"]')

    def place(self, id: str) -> tuple[float, float]:
        """Where the page draws a body: from the drawing, not from what was sent."""
        x, y = self.page.evaluate(PLACE, id)
        return float(x), float(y)

    def name(self, id: str) -> str:
        """The name of a body, as the server tells it."""
        figures = self.truth()["board"]["figures"]
        return str(next(one["name"] for one in figures if one["id"] == id))

    def line(self, n: int) -> Locator:
        """Entry `n` of the log."""
        return self.page.locator(f'#log .log-line[data-n="{n}"]')

    @property
    def entries(self) -> int:
        return self.page.locator("#log .log-line").count()

    def control(self, kind: str) -> Locator:
        """The button that begins an action of a kind."""
        return self.panel.locator(f'button.control[data-kind="{kind}"]')

    def may(self, kind: str) -> None:
        """See that an action of a kind is offered and not barred."""
        expect(self.control(kind)).not_to_have_class(re.compile(r"\bbarred\b"))

    # What the hands do

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of the window at a place of the table."""
        px, py = self.page.evaluate(PIXEL, [x, y])
        return float(px), float(py)

    def pick(self, id: str) -> None:
        """Click a body."""
        self.page.mouse.click(*self.pixel(*self.place(id)))
        expect(self.body(id)).to_have_class(re.compile(r"\bselected\b"))

    def choose(self, id: str) -> None:
        """Choose a body or unit in the list beside the board."""
        rows = self.page.locator("#list")
        if not rows.get_by_role("button").first.is_visible():
            rows.get_by_text("The board as a list").click()
        rows.locator(f'[data-keep="list-{id}"]').click()
        expect(self.page.locator("#board .figure.selected").first).to_be_visible()

    def begin(self, kind: str) -> None:
        """Press the button of an action whose rest is still to be given."""
        self.control(kind).click()
        expect(self.order).to_be_visible()

    def do(self, kind: str) -> None:
        """Press the button of an action that is complete as it is, confirm it where it is looked at
        first, and see it in the log."""
        before = self.entries
        self.control(kind).click()
        done = self.line(before + 1)
        expect(done.or_(self.confirm_button).filter(visible=True).first).to_be_visible()
        if not done.is_visible():
            self.confirm_button.click()
        expect(done).to_be_visible()

    def drag(self, id: str, x: float, y: float) -> None:
        """Drag a body so that its middle would come to a place; let go there."""
        self.page.mouse.move(*self.pixel(*self.place(id)))
        self.page.mouse.down()
        self.page.mouse.move(*self.pixel(x, y), steps=6)
        self.page.mouse.up()
        expect(self.order.locator(".ruling")).to_be_visible()

    def confirm(self) -> None:
        """Do what is in hand, and see it in the log."""
        before = self.entries
        self.confirm_button.click()
        expect(self.line(before + 1)).to_be_visible()

    def roll(self) -> None:
        """Let the server roll what the open question asks for."""
        before = self.entries
        self.card.locator('[data-keep="roll"]').click()
        expect(self.line(before + 1)).to_be_visible()

    def type_dice(self, *faces: int, accepts: Hands | None = None) -> None:
        """Type in what real dice show, and take them. accepts: who plays the other side, if that
        is another page."""
        before = self.entries
        rows = self.card.get_by_role("radiogroup")
        expect(rows).to_have_count(len(faces))
        for row, face in enumerate(faces):
            rows.nth(row).get_by_role("radio", name=str(face), exact=True).click()
        self.card.get_by_role("button", name="Take these").click()
        if accepts is not None:
            accepts.panel.get_by_role("button", name="Accept").click()
        expect(self.line(before + 1)).to_be_visible()
