"""A game by keyboard alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from web.browser.calling import begin
from web.browser.hands import Hands
from web.browser.serving import Server
from web.browser.starting import MATCH

EXAMPLES = Path(__file__).parents[3] / "examples"

#: Whether what has the focus shows it: by an outline, or a figure of the board by its halo.
OUTLINED = """() => {
  const active = document.activeElement;
  const halo = active.querySelector(":scope .halo");
  if (halo) {
    const plain = halo.cloneNode();
    document.querySelector("#board svg").append(plain);
    const differs = getComputedStyle(halo).stroke !== getComputedStyle(plain).stroke;
    plain.remove();
    return differs;
  }
  const { outlineStyle, outlineWidth } = getComputedStyle(active);
  return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
}"""


#: Name and surroundings of what has the focus.
FOCUSED = """() => {
  const active = document.activeElement;
  const name = active.getAttribute("aria-label") || active.innerText || "";
  return [name, active.closest("article")?.innerText ?? ""];
}"""


def tab_to(page: Page, name: str, beside: str = "", most: int = 90) -> None:
    """Press Tab until what has the focus bears a name, on a card that says something beside it."""
    for _ in range(most):
        page.keyboard.press("Tab")
        found, card = page.evaluate(FOCUSED)
        if name in found and beside in card:
            assert page.evaluate(OUTLINED), f"{name} has the focus and does not show it"
            return
    raise AssertionError(f"no Tab leads to {name}")


def test_a_game_by_keyboard(page: Page) -> None:
    keys = page.keyboard
    page.goto("/")
    expect(page.get_by_role("radio", name="Mordheim")).to_be_visible()
    # What moves by itself is not read out.
    expect(page.locator("#demo-says")).to_have_attribute("aria-live", "off")
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids)), "a name that another bears is read out for the wrong one"
    # A group of radios is one stop; arrows choose in it.
    keys.press("Tab")
    while not page.evaluate("document.activeElement.type === 'radio'"):
        keys.press("Tab")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    expect(page.get_by_role("radio", name="Trench Crusade")).to_be_checked()
    expect(page.get_by_role("heading", name="Two lines at dawn")).to_be_visible()
    tab_to(page, "Play", beside="Two lines at dawn")
    keys.press("Enter")
    expect(page).to_have_url(MATCH)
    hands = Hands(page)
    hands.ready()

    tab_to(page, "Captain Oremund")
    keys.press("Enter")
    expect(hands.body("r-captain")).to_have_attribute("aria-pressed", "true")
    x, y = hands.place("r-captain")
    expect(hands.control("activate")).to_be_visible()
    keys.press("1")
    expect(hands.line(1)).to_contain_text("Activate")
    # What came of it is told, and what is open now, but not what is for the eye.
    told = page.locator(".unseen[aria-live=polite]")
    expect(told).to_contain_text("activated. The Ninth Vigil to act. Captain Oremund is active:")
    figures = page.locator("#board .drawing").aria_snapshot().splitlines()
    assert [line for line in figures if "- button" not in line] == ['- group "Figures":']
    hands.may("move")
    keys.press("Shift+ArrowUp")
    expect(hands.order.locator(".ruling")).to_contain_text("1 of 6 in")
    keys.press("Shift+ArrowUp")
    keys.press("ArrowRight")
    keys.press("Alt+ArrowRight")
    expect(hands.order.locator(".ruling")).to_contain_text("2 of 6 in")
    expect(
        page.locator("[role=status], [aria-live]").filter(has_text="legal").first
    ).to_be_attached()
    keys.press("Enter")
    expect(hands.line(2)).to_contain_text("Move")
    # No key has come to mean something else by that.
    for kind, number in (("move", "1"), ("dash", "2")):
        expect(hands.control(kind).locator("kbd")).to_have_text(number)
    assert hands.place("r-captain") == pytest.approx((x + 0.11, y + 2), abs=1e-3)
    keys.press("u")
    expect(hands.line(2)).to_contain_text("undone")
    assert hands.place("r-captain") == pytest.approx((x, y), abs=1e-3)

    # Too far: the words say so, and Enter takes what is legal.
    hands.may("move")
    for _ in range(9):
        keys.press("Shift+ArrowUp")
    expect(hands.order.locator(".ruling")).to_contain_text("Not allowed")
    # The way drawn stays in hand where it is to be gone in another action.
    keys.press("2")
    expect(hands.order.get_by_role("heading")).to_contain_text("Dash")
    expect(hands.order.locator(".ruling")).to_contain_text("Not allowed")
    keys.press("Escape")
    expect(hands.order).to_be_hidden()
    tab_to(page, "End activation")
    keys.press("Enter")
    expect(page.locator("#turn")).to_contain_text("Saltmarsh Legion to act")


def test_tools_and_lists_by_keyboard(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="sovl-ford")
    hands = Hands(page)
    hands.sit(seat)
    keys = page.keyboard
    keys.press("n")
    expect(page.locator("#board .figure.selected")).to_have_count(1)
    tape = page.get_by_role("button", name="Tape")
    keys.press("r")
    expect(tape).to_have_attribute("aria-pressed", "true")
    keys.press("Escape")
    expect(tape).to_have_attribute("aria-pressed", "false")
    keys.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Turn left by 5 degrees")
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    keys.press("b")
    rows = page.get_by_role("region", name="Models").get_by_role("button")
    expect(rows).to_have_count(14)
    assert "Lances of the ford" in page.evaluate(FOCUSED)[0]
    keys.press("Enter")
    expect(hands.body("W4")).to_have_attribute("aria-pressed", "true")
    hands.do("activate")
    # The button that was pressed is off the page meanwhile, and nothing can be taken back.
    hands.control("end_activation").focus()
    keys.press(",")
    expect(page.locator("#turn")).to_contain_text("Looking back")
    expect(page.locator(":focus")).to_have_text("Back to now")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    keys.press("u")
    expect(page.locator("#notice")).to_contain_text("come back to now before")
    keys.press("Escape")
    expect(page.locator("#turn")).not_to_contain_text("Looking back")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "What it can do")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    expect(hands.line(1)).not_to_contain_text("undone")


def test_an_arrow_does_what_must_come_before_the_move(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-two-lines")
    hands = Hands(page)
    hands.sit(seat)
    x, y = hands.place("r-captain")
    tab_to(page, "Captain Oremund")
    page.keyboard.press("Enter")
    expect(hands.control("activate")).to_be_visible()
    for _ in range(2):
        page.keyboard.press("Shift+ArrowUp")
    expect(hands.line(1)).to_contain_text("Activate")
    expect(hands.order.locator(".ruling")).to_contain_text("2 of 6 in")
    page.keyboard.press("Enter")
    expect(hands.line(2)).to_contain_text("Move")
    assert hands.place("r-captain") == pytest.approx((x, y + 2), abs=1e-3)
    page.keyboard.press("u")
    expect(hands.line(1)).to_contain_text("undone")
    # E and Enter wait for the answer to what was sent before them.
    page.keyboard.press("Shift+ArrowUp")
    expect(hands.order.locator(".ruling")).to_contain_text("1 of 6 in")
    for key in ("Enter", "e", "Enter"):
        page.keyboard.press(key)
    expect(hands.line(6)).to_contain_text("End activation")


def test_an_arrow_says_why_nothing_moves(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="warmaster-hill")
    hands = Hands(page)
    hands.sit(seat)
    tab_to(page, "Southern foot 1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Order from General of the South")).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#notice")).to_contain_text("has no order to move")
    # What would help is in hand. Enter does it, and goes on from its dice with the figure in hand,
    # also where they are heard of before the answer has come.
    answers: list[tuple[Route, APIResponse]] = []
    page.route("**/actions", lambda route: answers.append((route, route.fetch())))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#moment")).to_be_hidden()
    for route, answer in answers:
        route.fulfill(response=answer)
    page.unroute("**/actions")


def test_the_keyboard_is_not_lost_with_the_button_it_pressed(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-two-lines")
    hands = Hands(page)
    hands.sit(seat)
    keys = page.keyboard
    keys.press("n")
    focused = page.locator(":focus")
    for name, after in (("Activate", "Move"), ("End activation", "")):
        keys.press("p")
        expect(focused).to_have_attribute("aria-label", "What it can do")
        expect(hands.panel.get_by_role("button", name=name)).to_be_visible()
        tab_to(page, name, most=7)
        keys.press("Enter")
        expect(page.locator("#log")).to_contain_text(name)
        expect(focused).to_have_attribute("aria-label", "What it can do")
        assert page.evaluate(OUTLINED)
        if after:
            keys.press("Tab")
            expect(focused).to_contain_text(after)
            keys.press("e")
            expect(focused).to_contain_text("End activation")


def test_keys_lead_to_who_may_act_and_to_the_end(page: Page, server: Server) -> None:
    scene = json.loads((EXAMPLES / "sovl-mill.json").read_text(encoding="utf-8"))
    scene["game"]["rounds"] = 1
    del scene["units"][3:]
    (seat, *_) = begin(server.url, scene=scene)
    hands = Hands(page)
    hands.sit(seat)
    keys = page.keyboard
    keys.press("e")
    expect(page.locator(":focus")).to_have_text("Pass")
    waiting = set(seat.now()["board"]["waiting"])
    assert len(waiting) > 1
    met = set()
    for _ in waiting:
        keys.press("n")
        met.add(page.evaluate("document.activeElement.dataset.id"))
    assert met == waiting
    # A button tells its number, and the key of it presses it.
    expect(hands.control("activate").locator("kbd")).to_have_text("1")
    for n in range(len(scene["units"])):
        if n:
            keys.press("n")
        expect(hands.control("activate")).to_be_enabled()
        keys.press("1")
        for key in ("e", "Enter"):
            keys.press(key)
        expect(hands.line(2 * n + 2)).to_contain_text("End activation")
    for key in ("e", "Enter"):
        keys.press(key)
    expect(page.locator("#turn .turn-who")).to_have_text("The game is over")
    # Nobody is asked to go on with it, but may.
    keys.press("n")
    expect(page.locator("#board .figure.selected").first).to_be_visible()
    expect(hands.control("activate")).to_have_count(0)
    done = hands.entries
    keys.press("Shift+ArrowUp")
    box = page.locator("#board .figure.selected").first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 30, steps=3)
    page.mouse.up()
    expect(page.locator(".notice")).to_contain_text("The game is over.")
    assert hands.entries == done
    for key in ("e", "Enter"):
        keys.press(key)
    expect(hands.control("activate")).to_be_visible()
    # What was played for is named on the board, also where that is small.
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#board .zone-name")).to_have_count(len(scene["zones"]))


def test_notices_cover_nothing_of_the_board(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="warmaster-hill")
    hands = Hands(page)
    hands.sit(seat)
    for _ in range(2):
        page.keyboard.press("u")
    notices = page.locator(".notice")
    expect(notices).to_have_text("There is nothing to undo.×")
    page.keyboard.press("n")
    expect(page.locator("#board .figure.selected").first).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(notices).to_have_count(2)
    board = page.locator("#board").bounding_box()
    assert board
    for notice in notices.all():
        box = notice.bounding_box()
        assert box
        assert box["x"] >= board["x"] + board["width"]
        assert box["y"] >= board["y"] + board["height"] / 2, "at the foot of the panel"
        assert box["y"] + box["height"] <= board["y"] + board["height"]
    for away in (1, 0):
        page.get_by_role("button", name="Put away").first.click()
        expect(notices).to_have_count(away)
