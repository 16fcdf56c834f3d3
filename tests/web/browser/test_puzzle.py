"""A puzzle from the start page: a way that does not do, a hint, undo, a way that does, the next."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tapeline.play.puzzles import unsolved
from web.browser.calling import begin
from web.browser.hands import Hands
from web.browser.serving import Server
from web.browser.starting import MATCH
from web.browser.test_editor import Desk


def test_a_puzzle_is_found_tried_and_solved(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Mordheim").check()
    puzzles = page.locator("#puzzles")
    expect(puzzles).to_contain_text("0 of 6 solved")
    one = puzzles.get_by_role("listitem").filter(has_text="Two at a stroke")
    one.get_by_role("button", name="Solve").click()
    expect(page).to_have_url(MATCH)
    hands = Hands(page)
    hands.ready()
    page.evaluate("tapeline.opponent.pace = 10")
    told = page.get_by_role("region", name="Puzzle")
    expect(told).to_contain_text(
        "Otto: in contact with Gnaw and Squeal (Otto and Gnaw do not touch)"
    )
    told.get_by_role("button", name="Hint").click()
    expect(told).to_contain_text("one declaration may name several")
    told.get_by_role("button", name="Show the solution").click()
    expect(told).to_contain_text("That is how, with 1 move.")
    told.get_by_role("button", name="Start again").click()
    expect(told).to_contain_text("Moves: 0 so far")
    told.get_by_role("button", name="Show the solution").click()
    told.get_by_role("button", name="Next puzzle").click()
    expect(page.locator("#title")).not_to_have_text("Two at a stroke")


def test_a_move_too_many_is_told_and_taken_back(page: Page, server: Server) -> None:
    (seat, *_) = begin(server.url, example="trench-unseen")
    hands = Hands(page)
    hands.sit(seat)
    told = page.get_by_role("region", name="Puzzle")
    hands.pick("ash")
    hands.do("activate")
    hands.drag("ash", 5, 9)
    hands.confirm()
    expect(told).to_contain_text("Moves: 1 of 1")
    expect(told).not_to_contain_text("Solved")
    told.get_by_role("button", name="Start again").click()
    expect(told).to_contain_text("Moves: 0 of 1")
    hands.pick("ash")
    hands.do("activate")
    hands.drag("ash", 8.25, 9)
    hands.confirm()
    expect(told).to_contain_text("Solved with 1 move.")
    with page.expect_download() as download:
        told.get_by_role("button", name="Save with this solution").click()
    scene = json.loads(Path(download.value.path()).read_text())
    assert unsolved(scene) == []
    assert [step["action"]["kind"] for step in scene["puzzle"]["solution"]] == ["activate", "move"]
    page.goto("/")
    page.get_by_role("radio", name="Trench Crusade").check()
    expect(page.get_by_role("heading", name="Solved: Behind the long wall")).to_be_visible()


def test_a_puzzle_is_made_in_the_editor_and_played(page: Page, tmp_path: Path) -> None:
    page.goto("/edit?example=trench-two-lines")
    desk = Desk(page)
    desk.sound()
    desk.tab("Scene")
    page.get_by_role("button", name="Make it a puzzle").click()
    desk.field("puzzle.task").fill("Get out of their sight.")
    desk.field("puzzle.goals[0].kind").select_option("unseen")
    desk.field("puzzle.goals[0].who").fill("r-captain, nobody")
    desk.field("puzzle.goals[0].by").fill("b-captain")
    page.keyboard.press("Tab")
    desk.faulty("no model or unit has the id 'nobody'")
    desk.field("puzzle.goals[0].who").fill("r-captain")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Add a condition").click()
    desk.field("puzzle.goals[1].distance").fill("3")
    desk.sound()
    _, scene = desk.saved(tmp_path)
    assert [goal["kind"] for goal in scene["puzzle"]["goals"]] == ["unseen", "within"]
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Here").click()
    expect(page.get_by_role("region", name="Puzzle")).to_contain_text("Get out of their sight.")
