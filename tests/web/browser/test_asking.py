"""Questions go to whom they are for, and what the rules keep secret stays so."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server


def test_a_retreat_is_answered_by_the_other_side(opening: Opening, server: Server) -> None:
    red, blue, _ = begin(server.url, example="trench-mire", mode="links", dice="typed")
    one, other = Hands(opening()[0]), Hands(opening()[0])
    one.sit(red)
    other.sit(blue)
    one.pick("r-2")
    one.begin("retreat")
    one.drag("r-2", 17.5, 18)
    one.confirm()
    expect(one.card).to_contain_text("The Toll-takers must answer")
    expect(one.card.get_by_role("button", name="Bailiff")).to_have_count(0)
    expect(other.card).to_contain_text("your answer")
    other.card.get_by_role("button", name="attack with Bailiff").click()
    expect(other.card).to_contain_text("What your dice show")
    expect(one.card).to_contain_text("must answer")
    other.type_dice(1, 1, 1, accepts=one)
    # The attack missed, nobody else is near: he gets away.
    expect(one.card).to_be_hidden()
    assert one.place("r-2") == pytest.approx((17.5, 18), abs=0.2)
    assert other.place("r-2") == pytest.approx(one.place("r-2"), abs=1e-6)


def test_no_distance_is_told_before_charges_are_declared(opening: Opening, server: Server) -> None:
    (seat, *_) = begin(server.url, example="mordheim-street-block")
    page, _ = opening()
    hands = Hands(page)
    heard: list[str] = []
    page.on("response", lambda answer: heard.append(answer.url.partition("?")[0]))
    hands.sit(seat)
    hands.pick("r-runner")
    page.keyboard.press("r")
    page.mouse.click(*hands.pixel(10, 30))
    said = page.locator("#tools").get_by_role("status")
    expect(said).to_contain_text("This may not be measured now")
    expect(said).to_contain_text("MH-CHG-2")
    expect(page.locator("#board line.tape")).to_have_count(0)
    assert not [url for url in heard if url.endswith(("/reach", "/route"))]
    page.keyboard.press("Escape")

    hands.do("close_declarations")
    page.keyboard.press("r")
    page.mouse.click(*hands.pixel(10, 30))
    expect(said).not_to_contain_text("click the other end")
    expect(said).to_contain_text(" in")
    expect(page.locator("#board line.tape").first).to_be_attached()


def test_the_table_is_changed_by_agreement(opening: Opening, server: Server) -> None:
    west, east, _ = begin(server.url, example="sovl-ford", mode="links")
    one, other = Hands(opening()[0]), Hands(opening()[0])
    one.sit(west)
    other.sit(east)
    one.panel.locator("#log .menu summary").click()
    one.panel.get_by_role("button", name="Change the table by agreement").click()
    form = one.panel.get_by_role("form", name="Change the table by agreement")
    form.get_by_label("Figure").select_option(label="Town band")
    form.get_by_label("x", exact=True).fill("7")
    form.get_by_label("Why").fill("the cat was here")
    form.get_by_role("button", name="Put it to the table").click()
    assert one.place("W3") == pytest.approx((5, 16.5), abs=0.01)
    asked = other.panel.get_by_role("group", name="Asked of you")
    expect(asked).to_contain_text("Town of Harrow")
    asked.get_by_role("button", name="Agree").click()
    for hands in (one, other):
        expect(hands.line(1)).to_contain_text("by agreement")
        expect(hands.line(1)).to_contain_text("the cat was here")
        assert hands.place("W3") == pytest.approx((7, 16.5), abs=0.01)
