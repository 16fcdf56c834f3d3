"""The computer plays: from a button of the start page, visibly, to the end; held and handed over,
also by a program that fails."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from support.scenarios import EXAMPLES
from web.browser.calling import Seat, begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server
from web.browser.starting import MATCH


def _beside_it(page: Page, seat: Seat) -> Hands:
    """At the table of a seat, where it is said what the computer plays, quickly."""
    page.goto(seat.path)
    hands = Hands(page)
    hands.ready()
    page.evaluate("tapeline.opponent.pace = 10")
    page.locator(".opponent summary").click()
    return hands


def test_one_button_gives_a_game_in_which_the_table_answers(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Crasher").check()
    expect(page.get_by_role("button", name="SOVL against Crasher")).to_be_visible()
    page.get_by_role("radio", name="Computer, novice").check()
    page.get_by_role("button", name="SOVL against the computer").click()
    expect(page).to_have_url(MATCH)
    hands = Hands(page)
    hands.ready()
    page.evaluate("tapeline.opponent.pace = 10")
    expect(page.locator(".opponent summary")).to_have_text("The computer plays Easters")
    # What it plays is not moved by a person.
    hands.pick("east-1")
    expect(page.locator("#actions .controls")).to_contain_text("It is not yours to move.")
    hands.pick("west-1")
    hands.do("activate")
    hands.do("end_activation")
    head = page.locator("#turn .turn-who")
    expect(head).to_have_text("Westers to act you", timeout=20_000)
    expect(page.locator("#turn .parties")).to_contain_text("Easters 4, computer")
    answered = hands.entries
    assert answered > 2
    # One undo takes back the last deed of the person with all that was the answer to it; what the
    # person does next is answered again.
    page.keyboard.press("u")
    expect(hands.line(2)).to_contain_text("undone")
    expect(hands.line(1)).not_to_contain_text("undone")
    hands.do("end_activation")
    expect(hands.line(answered + 3)).to_be_visible()
    expect(head).to_have_text("Westers to act you", timeout=20_000)


def test_it_plays_itself_to_the_end_and_can_be_held(opening: Opening, server: Server) -> None:
    page, watch = opening()
    watch.expect(r"status of 502 .*/opponent")
    scene = json.loads((EXAMPLES / "sovl-mill.json").read_text(encoding="utf-8"))
    scene["game"]["rounds"] = 1
    scene["units"] = scene["units"][:4]
    (seat, *_) = begin(server.url, scene=scene)
    hands = _beside_it(page, seat)
    page.get_by_label("Westers:").select_option(label="Crasher")
    expect(page.locator(".opponent summary")).to_have_text("Crasher plays Westers")
    failed = "Crasher did not play for Westers: it ended"
    expect(page.locator("#notice")).to_contain_text(failed)
    page.get_by_role("button", name="Let the computer play Westers").click()
    expect(page.locator(".opponent summary")).to_have_text("The computer plays Westers")
    page.get_by_label("Westers:").select_option("novice")
    page.locator('[data-does="table-pause"]').click()
    expect(page.locator('[data-does="table-pause"]')).to_have_text("Let the computer go on")
    page.get_by_label("Easters:").select_option("novice")
    expect(page.locator("#turn .score")).to_contain_text("The game is over", timeout=30_000)
    expect(page.locator("#turn .turn-who")).to_have_text("The game is over")
    assert re.search("The game is over, (a draw|.* won)", page.locator("#log").inner_text())
    assert seat.now()["board"]["over"]
    # Nobody is asked to go on with it, but may; or plays the same again, against the same.
    steps = page.locator(".play-on [data-keep]")
    expect(steps.first).to_be_hidden()
    page.get_by_text("Play on all the same").click()
    expect(steps.first).to_be_visible()
    expect(page.locator(".opponent")).to_be_hidden()
    expect(page.get_by_role("button", name="Give up …")).to_have_count(0)
    before = page.url
    page.locator("#turn").get_by_role("button", name="Play the same again").click()
    expect(page).not_to_have_url(before)
    hands.ready()
    expect(page.locator(".opponent summary")).to_have_text("The computer plays Westers and Easters")


def test_it_leads_on_through_steps_in_which_a_person_can_do_nothing(
    opening: Opening, server: Server
) -> None:
    page, _ = opening()
    scene = json.loads((EXAMPLES / "mordheim-gates.json").read_text(encoding="utf-8"))
    scene["models"] = [m for m in scene["models"] if m["id"].endswith("-1")]
    scene.pop("game", None)
    (seat, *_) = begin(server.url, scene=scene)
    hands = _beside_it(page, seat)
    page.get_by_label("Lamplighters:").select_option("novice")
    page.locator('[data-does="table-pause"]').click()
    now = page.locator("#turn .turn-now")
    expect(now).to_contain_text("Declare charges")
    hands.do("close_declarations")
    hands.do("end_phase")
    hands.do("end_phase")
    # What is open to the computer is not asked of the person.
    expect(page.locator("#turn .turn-who")).to_have_text("Lamplighters to act computer")
    expect(now).to_have_text("The computer plays Lamplighters.")
    page.locator('[data-does="table-pause"]').click()
    expect(page.locator("#turn .turn-who")).to_have_text("Gatekeepers to act you", timeout=20_000)
    expect(hands.line(5)).to_be_visible(timeout=20_000)
    board = seat.now()["board"]
    assert (board["round"], board["phase"], board["acting"]) == (2, "movement", ["red"])
    # One undo takes back what the person did last with what was passed by the same press, not what
    # was passed for them since alone; after a reload too.
    page.reload()
    hands.ready()
    page.keyboard.press("u")
    for n in (4, 3):
        expect(hands.line(n)).to_contain_text("undone")
    expect(hands.line(2)).not_to_contain_text("undone")
