"""A refused move: its reasons are read from the page, and the nearest legal one is taken."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import begin, call
from web.browser.hands import Hands, seat_of
from web.browser.serving import Server


@pytest.fixture
def hands(page: Page, server: Server) -> Hands:
    (seat, *_) = begin(server.url, example="trench-two-lines")
    hands = Hands(page)
    hands.sit(seat)
    hands.pick("r-captain")
    hands.do("activate")
    return hands


def test_the_reasons_are_those_of_the_referee(hands: Hands) -> None:
    hands.drag("r-captain", 12.8, 25)
    expect(hands.order.locator(".ruling")).to_contain_text("Not allowed")
    seat = seat_of(hands.page)
    body = {"action": {"kind": "move", "actor": "r-captain", "path": [{"to": [12.8, 25]}]}}
    verdict = call(seat.url, f"matches/{seat.match}/judge", body, seat.token)
    said = hands.order.locator(".findings li")
    expect(said).to_have_count(len(verdict["findings"]))
    # First what bites where the ghost stops.
    end = verdict["nearest"]["traces"][0]["end"]
    binding = sorted(verdict["findings"], key=lambda one: math.dist(one["place"], end[:2]))
    for row, finding in zip(said.all(), binding, strict=True):
        expect(row).to_contain_text(finding["clause"])
        words = re.split(r"[\d.,]+", finding["text"])
        assert words[0].strip() in row.inner_text()
    expect(hands.page.locator("#board [data-pin]").first).to_be_visible()
    assert hands.entries == 1, "a refused move is not written"


def test_the_rule_behind_a_reason_is_one_click_away(hands: Hands) -> None:
    hands.drag("r-captain", 12.8, 25)
    links = hands.order.locator(".findings button.clause")
    # Too long, and into the mill: of the way as it ends, not as it was on the way there.
    expect(links).to_have_count(2)
    link = links.last
    clause = link.inner_text()
    link.click()
    seat = seat_of(hands.page)
    says = call(seat.url, f"systems/trench-crusade/clauses/{clause}")["says"]
    expect(hands.page.get_by_text(says)).to_be_visible()


def test_a_legal_move_says_by_which_rules(hands: Hands) -> None:
    hands.drag("r-captain", 12.8, 5)
    expect(hands.order.locator(".ruling")).to_contain_text("Legal")
    seat = seat_of(hands.page)
    body = {"action": {"kind": "move", "actor": "r-captain", "path": [{"to": [12.8, 5]}]}}
    cites = call(seat.url, f"matches/{seat.match}/judge", body, seat.token)["cites"]
    why = hands.order.locator(".why")
    expect(why.locator("summary")).to_have_text(f"By {len(cites)} rules")
    expect(why.locator("li")).to_have_count(0)
    why.locator("summary").click()
    expect(why.locator("li")).to_have_count(len(cites))
    for row, clause in zip(why.locator("li").all(), cites, strict=True):
        says = call(seat.url, f"systems/trench-crusade/clauses/{clause}")["says"]
        expect(row).to_contain_text(clause)
        expect(row).to_contain_text(says)
    hands.drag("r-captain", 12.8, 4)
    expect(why.locator("li").first, "it stays open for the next way").to_be_visible()


def test_the_nearest_legal_move_is_taken(hands: Hands) -> None:
    hands.drag("r-captain", 12.8, 1)  # away from the wire, where dice would stop him
    take = hands.order.get_by_role("button", name="Take the nearest legal move")
    take.click()
    expect(hands.line(2)).to_contain_text("Move")
    _, y = hands.place("r-captain")
    assert y == pytest.approx(8.6 - 6, abs=1e-3), "6 in, to the very limit"
