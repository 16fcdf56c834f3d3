"""Ways into a match from the start page: links for two, a file, a pasted link, what was opened."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.serving import Server
from web.browser.starting import MATCH, start

EXAMPLES = Path(__file__).parents[3] / "examples"


def file_of(page: Page, name: str, text: str) -> None:
    page.set_input_files(
        "#file", {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    )


def test_every_game_shows_its_scenes_with_pictures(page: Page) -> None:
    page.goto("/")
    for game in ("Mordheim", "SOVL", "Trench Crusade", "Warmaster"):
        page.get_by_role("radio", name=game).check()
        cards = page.get_by_role("article")
        expect(cards.last.get_by_role("link", name="New blank table")).to_be_visible()
        expect(cards.first.locator(".preview .figure").first).to_be_attached()
        count = cards.count()
        assert count >= 3
        plays = page.locator("#cards").get_by_role("button", name="Play", exact=True)
        assert plays.count() == count - 1
    best = page.locator("#cards .primary").first
    expect(best).to_have_text("Play against the computer")
    page.get_by_role("link", name="two people by link").click()
    expect(page.get_by_role("radio", name="Two people, by link")).to_be_checked()
    games = page.get_by_role("group", name="Two people, by link")
    expect(games.get_by_role("button", name="Play Mordheim")).to_be_focused()
    expect(best).to_have_text("Play by link")


def test_the_choice_of_a_game_is_kept(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Warmaster").check()
    page.reload()
    expect(page.get_by_role("radio", name="Warmaster")).to_be_checked()
    page.get_by_role("link", name="Scene editor").click()
    expect(page.get_by_label("System").locator("option:checked")).to_have_text("Warmaster")


def test_two_people_get_a_link_each_and_find_them_again(page: Page) -> None:
    start(page, "SOVL", "The fords of the Elder", two=True)
    box = page.get_by_role("dialog")
    rows = box.get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(box).to_contain_text("These links open on this computer alone.")
    paths = [link.get_attribute("href") for link in box.get_by_role("link", name="Open").all()]
    assert len(set(paths)) == 3
    assert all(MATCH.match(str(path)) for path in paths)
    box.get_by_role("button", name="Close").click()
    page.reload()
    recent = page.get_by_role("region", name="Recent matches")
    recent.get_by_text("Links of this match").click()
    again = [link.get_attribute("href") for link in recent.get_by_role("link", name="Open").all()]
    assert again == paths


def test_a_match_is_remembered_until_it_is_forgotten(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-mire")
    page.goto(seat.path)
    expect(page.locator("#board [data-id]").first).to_be_visible()
    page.goto("/")
    recent = page.get_by_role("region", name="Recent matches")
    expect(recent.get_by_role("link", name="Hand to hand in the mire")).to_have_attribute(
        "href", seat.path
    )
    recent.get_by_role("button", name="Forget Hand to hand in the mire").click()
    expect(recent).to_be_hidden()
    page.reload()
    expect(page.get_by_role("article").first).to_be_visible()
    expect(recent).to_be_hidden()


def test_a_scene_from_a_file_is_shown_and_played(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("article").first).to_be_visible()
    file_of(page, "mill.json", (EXAMPLES / "sovl-mill.json").read_text(encoding="utf-8"))
    box = page.get_by_role("dialog", name="The mill on the heath")
    expect(box.locator(".preview .figure").first).to_be_attached()
    expect(box.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    box.get_by_role("button", name="Play against the computer").click()
    expect(page).to_have_url(MATCH)
    expect(page.locator("#board [data-id]").first).to_be_visible()
    expect(page.locator("#turn .parties")).to_contain_text("Easters 4, computer")


def test_a_scene_from_a_file_is_changed_in_the_editor(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("article").first).to_be_visible()
    file_of(page, "ford.json", (EXAMPLES / "sovl-ford.json").read_text(encoding="utf-8"))
    page.get_by_role("dialog").get_by_role("button", name="Change it").click()
    expect(page).to_have_url(re.compile(r"/edit$"))
    expect(page.locator(".drawing .figure").first).to_be_attached()


def test_the_log_of_a_match_is_played_on(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-mire")
    log = page.request.get(
        f"{server.url}/api/matches/{seat.match}/log",
        headers={"Authorization": f"Bearer {seat.token}"},
    )
    page.goto("/")
    expect(page.get_by_role("article").first).to_be_visible()
    file_of(page, "mire.log", log.text())
    box = page.get_by_role("dialog", name="Hand to hand in the mire")
    expect(box).to_contain_text("The log of a match")
    expect(box).to_contain_text("actions are not judged again")
    box.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile(r"/t/(?!" + seat.match + r")\w+#[\w-]{20,}$"))


def test_a_file_that_cannot_be_used_says_why(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("article").first).to_be_visible()
    file_of(page, "notes.txt", "buy dice")
    expect(page.get_by_role("alert").first).to_contain_text("notes.txt is no scene")
    scene = json.loads((EXAMPLES / "sovl-ford.json").read_text(encoding="utf-8"))
    scene["table"]["width"] = -1
    file_of(page, "bad.json", json.dumps(scene))
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("table.width")
    expect(box.get_by_role("button", name="Play")).to_be_disabled()


def test_a_pasted_link_is_followed_or_told_what_is_wrong(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-mire")
    page.goto("/")
    field = page.get_by_label("The link you were sent")
    for text, fault in [
        ("hello", "That is no link to a match."),
        (f"{server.url}/t/{seat.match}", "The end of the link is missing"),
        (f"https://elsewhere.example/t/{seat.match}#{seat.token}", "on another server"),
    ]:
        field.fill(text)
        field.press("Enter")
        expect(page.locator("#join-fault")).to_contain_text(fault)
    field.fill(f" {server.url}{seat.path} ")
    field.press("Enter")
    expect(page.locator("#board [data-id]").first).to_be_visible()
    assert page.url == server.url + seat.path


def test_the_colours_are_chosen_and_kept(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/")
    paper = "getComputedStyle(document.body).backgroundColor"
    by_day = page.evaluate(paper)
    button = page.get_by_role("button", name="Colours")
    button.click()
    button.click()
    expect(button).to_have_accessible_name("Colours: dark")
    body = page.locator("body")
    expect(body).not_to_have_css("background-color", by_day)
    by_night = page.evaluate(paper)
    page.reload()
    expect(body).to_have_css("background-color", by_night)


def test_from_the_address_bar_to_a_match_by_keys_alone(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("article").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="To the scenes")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="Mordheim")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="SOVL")).to_be_checked()
    for _ in range(4):
        page.keyboard.press("Tab")
    first = page.get_by_role("article").first
    expect(first.get_by_role("button", name="Play against the computer")).to_be_focused()
    page.keyboard.press("Tab")
    expect(first.get_by_role("button", name="Play", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(MATCH)
