"""The first drag works: what must come before a move is done with it, and ways bend round."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.hands import Hands
from web.browser.serving import Server


def sat(page: Page, server: Server, example: str) -> Hands:
    hands = Hands(page)
    hands.sit(begin(server.url, example=example)[0])
    return hands


def test_a_drag_activates_and_one_undo_takes_both_back(page: Page, server: Server) -> None:
    hands = sat(page, server, "trench-two-lines")
    first = hands.place("r-captain")
    hands.drag("r-captain", 12.8, 12)
    expect(hands.line(1)).to_be_visible()
    expect(hands.order).to_contain_text("Undo takes it back")
    hands.confirm()
    assert hands.place("r-captain") == pytest.approx((12.8, 12), abs=0.1)
    page.keyboard.press("u")
    expect(hands.line(1)).to_contain_text("undone")
    expect(hands.line(2)).to_contain_text("undone")
    assert hands.place("r-captain") == pytest.approx(first, abs=0.01)


def test_a_drag_closes_the_declarations(page: Page, server: Server) -> None:
    hands = sat(page, server, "mordheim-market")
    x, y = hands.place("r-captain")
    hands.drag("r-captain", x + 1, y)
    hands.confirm()
    assert hands.place("r-captain") == pytest.approx((x + 1, y), abs=0.05)


def test_what_cannot_be_moved_says_what_would_help(page: Page, server: Server) -> None:
    hands = sat(page, server, "warmaster-dale")
    stand = page.locator('#board .figure[data-id^="first"]').first.get_attribute("data-id")
    assert stand is not None
    x, y = hands.place(stand)
    page.mouse.move(*hands.pixel(x, y))
    page.mouse.down()
    page.mouse.move(*hands.pixel(x + 9, y), steps=6)
    page.mouse.up()
    notice = page.locator(".notice.beside")
    expect(notice).to_contain_text("First Company has no order to move")
    box = notice.bounding_box()
    px, py = hands.pixel(x + 9, y)
    assert box is not None
    assert box["x"] - px < 40
    assert abs(box["y"] - py) < 200
    # It lies over the board no longer than it is about something.
    expect(notice.get_by_role("button", name="Order").first).to_be_visible()
    expect(hands.order.get_by_role("heading")).to_contain_text("Order")
    page.keyboard.press("Escape")
    expect(notice).to_be_hidden()


@pytest.mark.parametrize(
    ("example", "body", "step"),
    [
        ("sovl-broad-field", "A1", "Roll off"),
        ("mordheim-roofs", "r-coward", "Close declarations"),
        ("sovl-salt-pans", "S3", "End activation"),
    ],
)
def test_the_step_that_leads_on_is_offered_and_waits(
    page: Page, server: Server, example: str, body: str, step: str
) -> None:
    hands = sat(page, server, example)
    x, y = hands.place(body)
    page.mouse.move(*hands.pixel(x, y))
    page.mouse.down()
    page.mouse.move(*hands.pixel(x + 1, y + 1), steps=4)
    page.mouse.up()
    expect(page.locator(".notice.beside").get_by_role("button", name=step)).to_be_visible()
    expect(hands.order.get_by_role("heading")).to_contain_text(step)
    assert hands.entries == 0


def test_a_drag_behind_a_wall_bends_round_it_unless_shift_keeps_it_straight(
    page: Page, server: Server
) -> None:
    hands = sat(page, server, "trench-ruined-square")
    hands.drag("b-1", 13.54, 36.5)
    ruling = hands.order.locator(".ruling")
    expect(ruling).to_contain_text("Legal")
    legs = page.locator('#board .way-moved .leg, #board [data-way="b-1"] .leg')
    expect(legs.nth(1)).to_be_attached()
    page.keyboard.press("Escape")
    page.keyboard.down("Shift")
    hands.drag("b-1", 13.54, 36.5)
    expect(ruling).to_contain_text("Not allowed")
    page.wait_for_timeout(400)
    expect(ruling).to_contain_text("Not allowed")
    page.keyboard.up("Shift")


def test_the_first_page_lets_a_figure_be_dragged(page: Page) -> None:
    page.goto("/")
    board = page.locator("#demo-board")
    # It has shown a refusal by itself.
    expect(page.locator("#demo-says")).to_have_class("refused")
    expect(board.locator("[data-ghost]")).to_have_count(1)
    figure = board.locator('.figure[data-id="b-1"]')
    expect(figure).to_be_visible()
    page.wait_for_load_state("networkidle")  # The page below no longer shifts what is above.
    x, y = figure.evaluate("(f) => [f.getScreenCTM().e, f.getScreenCTM().f]")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=4)
    expect(page.locator("#demo-says")).to_contain_text("Legal")
    page.mouse.move(x + 300, y, steps=4)
    page.mouse.up()
    expect(page.locator("#demo-says")).to_have_class("refused")
    expect(board.locator(".pin").first).to_be_visible()


def test_the_tape_and_a_line_of_sight_are_drawn_by_a_drag(page: Page, server: Server) -> None:
    hands = sat(page, server, "trench-two-lines")

    def drawn(one: str, other: str) -> None:
        page.mouse.move(*hands.pixel(*hands.place(one)))
        page.mouse.down()
        page.mouse.move(*hands.pixel(*hands.place(other)), steps=5)
        page.mouse.up()

    page.keyboard.press("r")
    drawn("r-captain", "b-captain")
    said = page.locator(".tool-said")
    (ax, ay), (bx, by) = hands.place("r-captain"), hands.place("b-captain")
    expect(said).to_contain_text(f"{((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5:.2f}")
    page.keyboard.press("l")
    drawn("r-captain", "b-captain")
    expect(said).to_contain_text("see")
    assert page.locator("#board .ray").count() >= 1
