"""Two people with a link each, and somebody who looks on."""

from __future__ import annotations

import urllib.error

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import begin, call
from web.browser.conftest import Opening
from web.browser.hands import Hands, seat_of
from web.browser.serving import Server
from web.browser.starting import start


def links(page: Page) -> dict[str, str]:
    """Path of each link that the start page tells of, by whom it is for."""
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    rows = dialog.get_by_role("listitem").all()
    assert len(rows) == 3
    return {
        row.get_by_role("link").get_attribute("aria-label").partition("For ")[2]: row.get_by_role(
            "link"
        ).get_attribute("href")
        for row in rows
    }


def test_sovl_by_links(opening: Opening) -> None:
    page, _ = opening()
    start(page, "SOVL", "The fords of the Elder", two=True)
    found = links(page)
    assert set(found) == {"Town of Harrow", "The Redcap host", "onlookers"}
    west, east, watch = (Hands(opening()[0]) for _ in range(3))
    for hands, who in ((west, "Town of Harrow"), (east, "The Redcap host"), (watch, "onlookers")):
        hands.page.goto(found[who])
        hands.ready()
    expect(west.page.locator("#turn")).to_contain_text("Town of Harrow to act")
    expect(west.page.locator("#turn .you")).to_be_visible()
    expect(east.page.locator("#turn .you")).to_have_count(0)
    yours = "You play The Redcap host: wait for Town of Harrow to act."
    expect(east.page.locator("#turn .turn-yours")).to_have_text(yours)

    west.pick("W1")
    west.do("activate")
    west.begin("advance")
    west.drag("W1", 12.5, 30)
    west.confirm()
    for other in (east, watch):
        expect(other.line(2)).to_contain_text("Advance")
        assert other.place("W1") == pytest.approx(west.place("W1"), abs=0.01)
    west.do("end_activation")
    expect(east.page.locator("#turn .you")).to_be_visible()
    east.pick("E1")
    east.do("activate")
    expect(west.line(4)).to_contain_text("Activate")
    expect(west.page.locator("#turn .you")).to_have_count(0)


def test_trench_by_links_and_its_secrets(opening: Opening) -> None:
    page, _ = opening()
    start(page, "Trench Crusade", "Two lines", two=True)
    found = links(page)
    red = Hands(opening()[0])
    blue = Hands(opening()[0])
    red.page.goto(found["The Ninth Vigil"])
    blue.page.goto(found["Saltmarsh Legion"])
    red.ready()
    blue.ready()
    red.pick("r-captain")
    red.do("activate")
    red.drag("r-captain", 12.8, 12)
    red.confirm()
    red.do("end_activation")
    expect(blue.page.locator("#turn")).to_contain_text("Saltmarsh Legion to act")
    blue.pick("b-captain")
    blue.do("activate")
    expect(red.line(4)).to_contain_text("Activate")
    # What the page of one side holds tells no link of the other.
    others = {path.partition("#")[2] for path in found.values()} - {seat_of(red.page).token}
    held = red.page.evaluate("JSON.stringify([localStorage, sessionStorage])") + red.page.content()
    assert not [token for token in others if token in held]


def test_an_empty_step_of_the_other_side_is_passed(opening: Opening, server: Server) -> None:
    seats = begin(server.url, example="mordheim-gates", mode="links")
    red = Hands(opening()[0])
    blue = Hands(opening(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})[0])
    for hands, seat in ((red, seats[0]), (blue, seats[1])):
        hands.sit(seat)
    for kind in ("close_declarations", "end_phase"):
        red.do(kind)
    expect(red.control("end_phase")).to_have_text("End shooting, on to Lamplighters: movement")
    red.do("end_phase")
    for hands in (red, blue):
        expect(hands.line(5)).to_contain_text("End recovery")
        expect(hands.line(5).locator(".side-mark")).to_have_attribute("title", "Lamplighters")
    expect(blue.page.locator("#turn .turn-who")).to_have_text("Lamplighters to act you")
    told = blue.page.locator(".unseen[aria-live=polite]")
    expect(told).to_contain_text("Lamplighters to act. Declare charges, or close declarations")
    # What would help to move somebody stands whole beside a finger too.
    x, y = blue.pixel(*blue.place("blue-1"))
    finger = blue.page.context.new_cdp_session(blue.page)
    for kind, at in (("touchStart", y), ("touchMove", y + 40), ("touchMove", y + 80)):
        place = {"x": x, "y": at}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    notice = blue.page.locator(".notice.beside")
    expect(notice.locator(":scope > button").first).to_have_text("Close declarations")
    expect(notice.get_by_role("button", name="Declare charge", exact=True)).to_be_visible()
    # Nobody chose anything: one undo takes back all, without leave, also after a reload.
    red.page.reload()
    red.ready()
    red.page.keyboard.press("u")
    for n in (3, 4, 5):
        expect(blue.line(n)).to_contain_text("undone")
    expect(blue.line(2)).not_to_contain_text("undone")


def test_an_onlooker_cannot_act(opening: Opening, server: Server) -> None:
    seats = begin(server.url, example="sovl-ford", mode="links")
    watching = next(seat for seat in seats if seat.role == "watch")
    hands = Hands(opening()[0])
    hands.sit(watching)
    page = hands.page
    expect(page.locator("#notice")).to_contain_text("You are looking on")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    hands.pick("W1")
    expect(hands.panel.get_by_role("heading", name="Harrow longbows")).to_be_visible()
    assert hands.panel.locator("button.control:not(.barred)").count() == 0
    before = hands.place("W1")
    page.mouse.move(*hands.pixel(*before))
    page.mouse.down()
    page.mouse.move(*hands.pixel(before[0] + 3, before[1]), steps=4)
    page.mouse.up()
    page.keyboard.press("Enter")
    page.keyboard.press("u")
    expect(hands.order).to_be_hidden()
    action = {"version": 0, "action": {"kind": "activate", "actor": "W1"}}
    with pytest.raises(urllib.error.HTTPError) as refused:
        call(server.url, f"matches/{watching.match}/actions", action, watching.token)
    refused.value.close()
    assert refused.value.code == 403
    assert hands.truth()["version"] == 0
