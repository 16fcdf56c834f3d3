"""A game of each system, from the start page to the replay, two players at one device."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from web.browser.calling import call
from web.browser.hands import Hands, seat_of
from web.browser.starting import start


def replayed(hands: Hands, id: str, first: tuple[float, float]) -> None:
    """The replay shows a body where it stood at first, and then where it stands now."""
    page = hands.page
    now = hands.place(id)
    assert now != pytest.approx(first, abs=0.05)
    page.get_by_role("slider", name="Entry of the game").fill("0")
    expect(page.locator("#notice")).to_contain_text("The table as it was")
    expect(page.locator("#actions")).to_be_hidden()
    assert hands.place(id) == pytest.approx(first, abs=0.01)
    page.get_by_role("button", name="One entry on").click()
    expect(page.locator("#turn")).to_contain_text("Looking back at entry 1")
    page.get_by_role("button", name="Back to now").first.click()
    expect(page.locator("#actions")).to_be_visible()
    assert hands.place(id) == pytest.approx(now, abs=0.01)


def test_sovl(page: Page) -> None:
    hands = start(page, "SOVL", "The fords of the Elder")
    first = hands.place("W1")
    hands.pick("W1")
    hands.do("activate")
    hands.begin("advance")
    hands.drag("W1", 12.5, 30)
    hands.confirm()
    hands.do("end_activation")
    expect(page.locator("#turn")).to_contain_text("The Redcap host to act")
    hands.pick("E1")
    hands.do("activate")
    hands.begin("pivot")
    hands.page.get_by_label("Turn by").fill("20")
    hands.page.keyboard.press("Enter")
    expect(hands.line(5)).to_contain_text("20")
    replayed(hands, "W1", first)


def test_trench(page: Page) -> None:
    hands = start(page, "Trench Crusade", "Two lines")
    first = hands.place("r-captain")
    hands.pick("r-captain")
    hands.do("activate")
    expect(hands.body("r-captain")).to_have_class(re.compile(r"\bmark-active\b"))
    hands.drag("r-captain", 12.8, 12)
    hands.confirm()
    assert hands.place("r-captain") == pytest.approx((12.8, 12), abs=0.1)
    hands.begin("dash")
    hands.drag("r-captain", 14, 12)
    hands.confirm()
    expect(hands.line(3)).to_contain_text("needs 7 or more")
    replayed(hands, "r-captain", first)


def test_mordheim(page: Page) -> None:
    hands = start(page, "Mordheim", "The street block", real_dice=True)
    first = hands.place("r-runner")
    hands.do("close_declarations")
    hands.pick("r-coward")
    hands.do("compulsory")
    hands.type_dice(3, 3)
    expect(hands.line(3)).to_contain_text("Coward leaves the table")
    expect(hands.body("r-coward")).to_have_count(0)
    hands.pick("r-runner")
    hands.drag("r-runner", 3, 11)
    hands.confirm()
    still = [hands.name(id) for id in hands.truth()["board"]["waiting"]]
    assert "Runner" not in still
    hands.begin("end_phase")
    expect(hands.order.locator(".idle")).to_contain_text(f"{len(still)} have not moved")
    expect(hands.order.locator(".idle")).to_contain_text(still[0])
    # The button that was pressed is no more what Enter presses.
    before = hands.entries
    page.keyboard.press("Enter")
    expect(hands.line(before + 1)).to_be_visible()
    # Where nobody can do anything one press leads on, and one undo back.
    other = next(one["name"] for one in hands.truth()["board"]["parties"] if one["id"] == "blue")
    end = f"End shooting, on to {other}: movement"
    expect(hands.control("end_phase")).to_have_text(end)
    # Also where the entries are heard of before the answer has come.
    answers: list[tuple[Route, APIResponse]] = []
    page.route("**/actions", lambda route: answers.append((route, route.fetch())))
    for key in ("e", "Enter"):
        page.keyboard.press(key)
    expect(hands.line(before + 4)).to_contain_text("End recovery")
    page.keyboard.press("u")
    for route, answer in answers:
        route.fulfill(response=answer)
    page.unroute("**/actions")
    expect(hands.line(before + 5)).to_be_visible()
    expect(hands.control("end_phase")).to_have_text(end)
    # Who hands the device on leaves the other side's steps to it.
    page.locator("#log").get_by_text("More", exact=True).click()
    page.get_by_role("button", name="A card when the device changes hands").click()
    expect(hands.control("end_phase")).to_have_text(f"End shooting, on to {other}: recovery")
    page.get_by_role("button", name="A card when the device changes hands").click()
    expect(hands.control("end_phase")).to_have_text(end)
    # A step in hand that is ended elsewhere is put down.
    page.keyboard.press("u")
    expect(hands.line(before + 6)).to_be_visible()
    hands.begin("end_phase")
    seat, version = seat_of(page), hands.truth()["version"]
    ended = {"version": version, "action": {"kind": "end_phase"}}
    call(seat.url, f"matches/{seat.match}/actions", ended, seat.token)
    expect(hands.line(before + 7)).to_be_visible()
    expect(hands.order).to_be_hidden()
    replayed(hands, "r-runner", first)


def test_warmaster(page: Page) -> None:
    hands = start(page, "Warmaster", "The fords of the Lenn", real_dice=True)
    first = hands.place("phoenix-1")
    hands.do("end_step")
    hands.do("end_step")
    hands.pick("phoenix-1")
    hands.control("order").filter(has_text="Prince Aerin").click()
    expect(hands.order.locator(".odds .headline")).to_contain_text("%")
    assert hands.entries == 2  # Nothing has been done yet.
    hands.confirm()
    hands.type_dice(2, 2)
    expect(hands.line(4)).to_contain_text("the order is given")
    x, y = first
    hands.drag("phoenix-1", x + 8, y)
    hands.confirm()
    assert hands.place("phoenix-1") == pytest.approx((x + 8, y), abs=0.3)
    hands.do("end_step")
    replayed(hands, "phoenix-1", first)
