"""Inches or centimetres: what is chosen reaches every figure of the page, sentences included."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.hands import Hands
from web.browser.serving import Server

#: Whether the last try is judged, and shown as it was judged.
SETTLED = """() => {
  const { draft } = tapeline.hand;
  return draft.verdict && !draft.late && !draft.rough && !tapeline.order.waiting;
}"""

INCHES = re.compile(r"\d (?:in|inches)\b(?! the)")


def test_centimetres_everywhere(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-two-lines")
    hands = Hands(page)
    hands.sit(seat)
    hands.pick("r-captain")
    hands.do("activate")
    hands.drag("r-captain", 14, 13)
    hands.confirm()
    hands.begin("dash")
    hands.drag("r-captain", 20, 24)
    page.wait_for_function(SETTLED)
    finding = hands.order.locator(".findings li").filter(has_text="long")
    (inches,) = re.findall(r"is ([\d.]+) in long", finding.inner_text())
    page.get_by_role("radio", name="Centimetres").click()
    (cm,) = re.findall(r"is ([\d.]+) cm long", finding.inner_text())
    assert float(cm) == pytest.approx(2.54 * float(inches), abs=0.02)
    # Findings, ledger, meter, what happened, legs, reach, heights on terrain, the scale.
    shown = page.locator("main").inner_text()
    assert "cm" in shown
    assert [line for line in shown.splitlines() if INCHES.search(line)] == []
    drawn = page.locator("#board .drawing").text_content() or ""
    assert INCHES.findall(drawn) == []
    assert "height 7.62" in drawn
    expect(hands.line(2)).to_contain_text("cm")
    page.get_by_role("radio", name="Inches").click()
    assert f"is {inches} in long" in finding.inner_text()


def test_the_tape_follows_the_switch(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="warmaster-ford")
    hands = Hands(page)
    hands.sit(seat)
    page.keyboard.press("r")
    page.mouse.click(*hands.pixel(10, 10))
    page.mouse.click(*hands.pixel(40, 50))
    said = page.locator(".tool-said")
    expect(said).to_contain_text("50 cm from (")
    page.get_by_role("radio", name="Inches").click()
    expect(said).to_contain_text("19.69 in from (3.9, 3.9) to (15.7, 19.7)")
    expect(page.locator("#board .tag-words")).to_have_text("19.69 in")
