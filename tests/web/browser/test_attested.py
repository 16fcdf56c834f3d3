"""What one side tells of the real table: the other accepts it or objects, by keys too."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from clauses.mordheim.staging import blue, red
from web.browser.calling import begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server
from web.test_web_attested import Doc, aiming, shooting


def fighting() -> Doc:
    """Red may strike either of two in Mordheim."""
    models = [red(10, 10), blue(11, 10), blue(10, 11, body_id="E2")]
    return {**shooting(), "models": models, "turn": {"active": "red", "phase": "hand-to-hand"}}


def tell(hands: Hands) -> None:
    """Tell that a shot took an enemy out."""
    hands.pick("A")
    hands.panel.get_by_text("Tell what happened on the real table").click()
    hands.begin("shoot")
    hands.order.get_by_role("button", name="E", exact=True).click()
    hands.order.get_by_label("Result").select_option("out of action")
    hands.confirm_button.click()


def test_a_result_is_objected_to_and_then_accepted(opening: Opening, server: Server) -> None:
    red, blue, _ = begin(server.url, scene=shooting(), mode="links")
    one, other = Hands(opening()[0]), Hands(opening()[0])
    one.sit(red)
    other.sit(blue)
    asked = other.panel.get_by_role("group", name="Asked of you")

    tell(one)
    expect(one.order).to_be_hidden()
    expect(one.panel).to_contain_text(re.compile(r"Waiting for blue, who may object for \d+ s"))
    expect(one.panel.get_by_role("button", name="Go on")).to_be_hidden()
    expect(asked).to_contain_text("red tells: Shoot A on E, result: out of action.")
    expect(asked).to_contain_text(re.compile(r"If you say nothing for \d+ s, red may go on"))
    expect(other.page.locator("[aria-live=assertive]")).to_contain_text("out of action")
    asked.get_by_role("button", name="Object").click()
    expect(asked).to_have_count(0)
    expect(one.page.locator("#notice")).to_contain_text("The other side objects")
    expect(other.body("E")).to_be_visible()

    tell(one)
    accept = asked.get_by_role("button", name="Accept")
    accept.focus()
    other.page.keyboard.press("Enter")
    expect(one.line(1)).to_contain_text("Shoot A on E")
    expect(asked).to_have_count(0)
    assert [figure["id"] for figure in other.truth()["board"]["gone"]] == ["E"]


def firing() -> Doc:
    """Red may shoot at either of two in Trench Crusade."""
    scene = aiming()
    first = scene["models"][1]
    return {**scene, "models": [*scene["models"], {**first, "id": "E2", "position": [20, 14]}]}


@pytest.mark.parametrize(("scene", "kind"), [(firing(), "shoot"), (fighting(), "strike")])
def test_chance_decides_about_somebody(page: Page, server: Server, scene: Doc, kind: str) -> None:
    (seat, *_) = begin(server.url, scene=scene, mode="hotseat")
    hands = Hands(page)
    hands.sit(seat)
    fold = hands.panel.get_by_text("Tell what happened on the real table")
    if kind == "strike":
        hands.pick("A")
        expect(fold).to_be_visible()
        # Against the computer there is no real table.
        page.keyboard.press("Escape")
        page.evaluate("tapeline.opponent.pace = 1e6")
        page.evaluate("tapeline.opponent.give('blue', 'novice')")
        # Both act: their signs stay round beside words that take two lines.
        for mark in page.locator("#turn .turn-who .side-mark").all():
            box = mark.bounding_box()
            assert box
            assert box["width"] == pytest.approx(box["height"], abs=0.1)
    hands.pick("A")
    if kind == "shoot":
        hands.do("activate")
    expect(fold).to_have_count(0)
    hands.begin(kind)
    result = hands.order.get_by_label("Result")
    expect(result.locator("option:checked")).to_have_text("By chance")
    expect(hands.confirm_button).to_be_disabled()
    result.select_option(index=0)
    # Who aims at nobody misses, which may be told; a blow is always struck at somebody.
    expect(hands.confirm_button).to_be_enabled(enabled=kind == "shoot")
    result.select_option("By chance")
    expect(hands.confirm_button).to_be_disabled()
    hands.order.get_by_role("button", name="E", exact=True).click()
    hands.confirm()
    action = hands.truth()["log"][-1]["action"]
    assert (action["kind"], action["target"]) == (kind, "E")
    assert action.get("result") != "by chance"
    # What came of it stands in one big word.
    expect(page.locator("#moment .moment-word strong")).to_have_count(1)


def test_the_only_one_to_shoot_at_is_picked_and_seen_to_be(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, scene=aiming(), mode="hotseat")
    hands = Hands(page)
    hands.sit(seat)
    hands.pick("A")
    hands.do("activate")
    hands.begin("shoot")
    only = hands.order.get_by_role("button", name="E", exact=True)
    expect(only).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(hands.line(2)).to_contain_text("Shoot A on E")
