"""Stands drawn near each other lie flush as the server lays them; the referee has the last word."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.browser.hands import Hands
from web.browser.starting import start


@pytest.fixture
def ordered(page: Page) -> Hands:
    """A unit of three stands side by side, 4 by 2 cm each, that was ordered to move."""
    hands = start(page, "Warmaster", "The fords of the Lenn", real_dice=True)
    hands.do("end_step")
    hands.do("end_step")
    hands.pick("phoenix-1")
    hands.control("order").filter(has_text="Prince Aerin").click()
    hands.confirm()
    hands.type_dice(2, 2)
    hands.begin("move")
    return hands


def held(hands: Hands, id: str) -> tuple[float, float]:
    """Where the page would have a stand go."""
    x, y = hands.page.evaluate(
        "(id) => { const { x, y } = tapeline.hand.draft.fill.ways.get(id).end; return [x, y]; }", id
    )
    return float(x), float(y)


def lies(hands: Hands, id: str, x: float, y: float) -> None:
    """Wait until the page would have a stand go exactly there."""
    hands.page.wait_for_function(
        "([id, x, y]) => { const end = tapeline.hand.draft.fill.ways.get(id).end;"
        " return Math.hypot(end.x - x, end.y - y) < 1e-9; }",
        arg=[id, x, y],
    )


def test_a_stand_let_go_near_another_lies_flush(ordered: Hands) -> None:
    x, y = ordered.place("phoenix-3")
    ordered.drag("phoenix-3", x + 1.3, y + 5)
    x, y = held(ordered, "phoenix-3")
    ordered.drag("phoenix-2", x - 4.3, y + 0.2)
    lies(ordered, "phoenix-2", x - 4, y)
    # The last is drawn to the second; all of it is one legal move.
    ordered.drag("phoenix-1", x - 8.3, y - 0.2)
    lies(ordered, "phoenix-1", x - 8, y)
    expect(ordered.order.locator(".ruling-legal")).to_be_visible()
    ordered.confirm()
    figures = {figure["id"]: figure for figure in ordered.truth()["board"]["figures"]}
    for n in range(3):
        stand = figures[f"phoenix-{3 - n}"]
        assert (stand["x"], stand["y"]) == pytest.approx((x - 4 * n, y), abs=1e-6)


def test_flush_is_not_legal(ordered: Hands) -> None:
    """Laid flush with a stand that goes too far, the next one is refused all the same."""
    x, y = ordered.place("phoenix-1")
    ordered.drag("phoenix-1", x, y + 45)
    expect(ordered.order.locator(".ruling-illegal")).to_be_visible()
    ordered.drag("phoenix-2", x + 4.3, y + 45.2)
    one = held(ordered, "phoenix-1")
    lies(ordered, "phoenix-2", one[0] + 4, one[1])
    expect(ordered.order.locator(".ruling-illegal")).to_be_visible()
    expect(ordered.order.locator(".findings").first).to_contain_text("20 are allowed")
