"""Two people talk, point, look from their own side, and end a match."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.conftest import PHONE, Opening
from web.browser.hands import Hands
from web.browser.serving import Server


def test_two_people_at_one_table(opening: Opening, server: Server) -> None:
    seats = begin(server.url, example="trench-two-lines", mode="links", clock={"minutes": 60})
    red, blue, watch = (
        Hands(opening(**how)[0]) for how in ({}, {"viewport": PHONE}, {"color_scheme": "dark"})
    )
    for hands, seat in zip((red, blue, watch), seats, strict=True):
        hands.sit(seat)

    expect(red.page.locator("#turn .clock")).to_have_text(["1:00:00", "1:00:00"])
    red.page.locator(".talk summary").click()
    red.page.get_by_role("button", name="Good luck.").click()
    red.page.get_by_label("Say something").fill("<i>This</i> is my side")
    red.page.keyboard.press("Enter")
    expect(red.page.locator(".talk-lines li")).to_have_count(2)
    expect(blue.page.locator("#notice")).to_contain_text("The Ninth Vigil: <i>This</i> is my side")
    expect(blue.page.locator(".unread")).to_have_text("2 new")
    blue.page.locator(".grip-bar").click()
    blue.page.locator(".talk summary").click()
    expect(blue.page.locator(".unread")).to_be_hidden()
    watch.page.locator(".talk summary").click()
    expect(watch.page.locator(".talk-lines li")).to_have_count(2)
    expect(watch.page.locator(".talk-form")).to_be_hidden()

    red.page.evaluate("tapeline.state.now.clock.left.blue = 0")
    expect(red.page.locator("#notice")).to_contain_text("Saltmarsh Legion ran out of time.")

    red.page.get_by_role("button", name="Look here").click()
    red.page.mouse.click(*red.pixel(20, 14))
    expect(watch.page.locator(".beacon")).to_contain_text("The Ninth Vigil: look here")
    expect(red.order).to_be_hidden()

    red.page.get_by_role("button", name="Give up …").click()
    expect(red.page.locator(":focus")).to_have_text("No, go on")
    red.page.get_by_role("button", name="Yes, The Ninth Vigil gives up").click()
    for hands in (red, blue, watch):
        expect(hands.page.locator("#turn")).to_contain_text("The match is over")
        expect(hands.line(1)).to_contain_text("The Ninth Vigil gave up: Saltmarsh Legion won.")
    red.page.get_by_role("button", name="Play the same again").click()
    blue.page.get_by_role("button", name="Agree").click()
    red.page.get_by_role("link", name="To the new match").click()
    expect(red.page).not_to_have_url(re.compile(seats[0].match))
    red.ready()
    assert red.truth()["version"] == 0
    assert red.truth()["you"]["sides"] == [seats[0].side]
    expect(red.page.locator("#turn .you")).to_be_visible()


def test_a_clock_is_chosen_where_a_match_begins(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("radio", name="60 min")).to_be_hidden()
    page.get_by_role("radio", name="Two people, by link").check()
    page.get_by_role("radio", name="60 min").check()
    page.get_by_role("checkbox", name="Who runs out loses").check()
    with page.expect_request("**/api/matches") as begun:
        page.get_by_role("button", name="Play by link").first.click()
    clock = begun.value.post_data_json["clock"]
    assert clock == {"minutes": 60, "increment": 15, "enforce": True}
    expect(page.get_by_role("dialog")).to_be_visible()


def test_the_board_from_the_other_side_and_a_card_under_the_mouse(
    opening: Opening, server: Server
) -> None:
    (seat, _) = begin(server.url, example="trench-two-lines")
    hands = Hands(opening()[0])
    hands.sit(seat)

    def middle(selector: str) -> tuple[float, float]:
        box = hands.page.locator(selector).bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    captain = '#board .figure[data-id="r-captain"]'
    x, y = middle(captain)
    hands.page.mouse.move(x, y)
    expect(hands.page.locator(".hover-card")).to_contain_text("Captain Oremund")
    expect(hands.page.locator(".hover-card")).to_contain_text("movement")
    hands.page.get_by_role("button", name="Turn the board round").click()
    hands.ready()
    right, up = middle(captain)
    assert up < y
    hands.page.mouse.move(right, up)
    hands.page.mouse.down()
    hands.page.mouse.move(right, up + 40, steps=4)
    hands.page.mouse.up()
    ghost = hands.page.locator('[data-ghost="r-captain"]')
    expect(ghost).to_be_visible()
    far = middle('[data-ghost="r-captain"]')[1]
    assert up + 20 < far
    hands.page.keyboard.press("Shift+ArrowUp")
    hands.page.wait_for_timeout(200)
    assert middle('[data-ghost="r-captain"]')[1] < far
    hands.page.keyboard.press("Escape")
    hands.page.keyboard.press("f")
    hands.ready()
    assert abs(middle(captain)[1] - y) < 10
