"""Moments of dice: odds before, the dice and what they make after, a handful typed at once."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.hands import Hands
from web.browser.serving import Server


def test_odds_stand_beside_an_action_with_dice_and_the_throw_is_shown(
    page: Page, server: Server
) -> None:
    hands = Hands(page)
    hands.sit(begin(server.url, example="sovl-salt-pans")[0])
    hands.pick("S5")
    hands.begin("shoot")
    hands.order.get_by_role("button", name="Longship orcs").click()
    # The line to the target with its distance; whoever is out of question steps back.
    expect(page.locator("#board").get_by_text("18.57 in")).to_be_visible()
    expect(hands.body("S5")).to_have_css("opacity", "1")
    expect(page.locator("#board .mark-target")).to_have_css("opacity", "1")
    expect(
        page.locator("#board .figure:not(.mark-can, .mark-target, .selected)").first
    ).to_have_css("opacity", "0.45")
    expect(hands.order.locator(".odds .headline")).to_contain_text("at least 1 casualty")
    first = hands.order.locator(".odds, .ruling").first
    expect(first).to_have_class("odds")
    hands.confirm()
    while hands.card.locator('[data-keep="roll"]').is_visible():
        hands.roll()
    moment = page.locator("#moment")
    expect(moment.locator(".tray .die").first).to_be_visible()
    shown = moment.locator(".hit").count() + moment.locator(".miss").count()
    expect(moment.locator(".moment-word strong").first).to_have_text(re.compile("hits?$"))
    expect(moment.locator(".moment-word").first).to_contain_text("needs 5 or more")
    lines = [[one for one in line["happenings"] if one["faces"]] for line in hands.truth()["log"]]
    thrown = [line for line in lines if line][-1]
    assert shown == sum(len(one["faces"]) for one in thrown)
    assert moment.locator(".hit").count() == sum(sum(one["counts"]) for one in thrown)
    big = moment.locator(".moment-word strong").all_text_contents()
    said = moment.locator(".moment-said").all_text_contents()
    assert not any(line.startswith(f"{word}.") for line in said for word in big), "told once"
    moment.get_by_role("button", name="Go on").click()
    expect(moment).to_be_hidden()


def test_a_handful_is_typed_at_once(page: Page, server: Server) -> None:
    hands = Hands(page)
    hands.sit(begin(server.url, example="sovl-salt-pans", dice="typed")[0])
    hands.pick("S5")
    hands.begin("shoot")
    hands.order.get_by_role("button", name="Longship orcs").click()
    hands.confirm()
    count = hands.truth()["question"]["count"]
    before = hands.entries
    handful = hands.card.get_by_label("All dice, one digit each")
    handful.fill("0" * count)
    expect(hands.card.get_by_role("button", name="Take these")).to_be_disabled()
    handful.fill("654321"[:1] * count)
    expect(hands.card.get_by_role("button", name="Take these")).to_be_enabled()
    handful.press("Enter")
    expect(hands.line(before + 1)).to_be_visible()
    faces = [one["faces"] for line in hands.truth()["log"] for one in line["happenings"]]
    assert [6] * count in faces
