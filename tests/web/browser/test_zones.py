"""Zones from the editor to the table: where a side sets up, seen by all and heeded by no rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import begin, call
from web.browser.hands import Hands
from web.browser.serving import Server
from web.browser.test_editor import Desk


def test_zones_are_made_moved_given_away_and_saved(page: Page, tmp_path: Path) -> None:
    desk = Desk(page)
    desk.blank("trench-crusade", 48, 48)
    desk.add("zone-red")
    desk.sound()
    zone = page.locator("#board [data-zone]")
    expect(zone).to_have_class("zone-area look-0")
    expect(page.locator("#board .label.zone-name")).to_have_text("Red sets up")
    # Its corners are dragged like those of any outline.
    desk.drag_handle("shape.polygon.2", (48, 9))
    desk.drag_handle("shape.polygon.3", (0, 9))
    desk.sound()
    kept = desk.kept()["zones"]
    (one,) = kept
    assert one["side"] == "red"
    assert sorted(map(tuple, one["shape"]["polygon"])) == [(0, 0), (0, 9), (48, 0), (48, 9)]
    desk.field("zones[0].side").select_option("blue")
    desk.sound()
    expect(zone).to_have_class("zone-area look-1")
    desk.field("zones[0].side").select_option("")
    desk.sound()
    expect(zone).to_have_class("zone-area")
    # Who is pressed inside of it is picked, not the zone; its edge takes it.
    page.mouse.click(*desk.pixel(24, 30))
    expect(page.locator("#board .sketch .chosen")).to_have_count(0)
    page.mouse.click(*desk.pixel(24, 4))
    expect(page.locator("#board .sketch .chosen")).to_have_count(0)
    page.mouse.click(*desk.pixel(24, 9))
    expect(page.locator("#board .sketch .chosen")).to_have_count(1)
    page.locator('#thing [data-does="shape-circle"]').click()
    desk.sound()
    (one,) = desk.kept()["zones"]
    assert one["shape"]["circle"] == {"centre": [24, 4.5], "radius": 4.5}
    saved, scene = desk.saved(tmp_path)
    assert json.loads(saved.read_text())["zones"] == scene["zones"] == [one]
    page.locator('#thing [data-does="delete"]').click()
    desk.sound()
    expect(zone).to_have_count(0)


def test_who_stands_outside_is_told(page: Page) -> None:
    desk = Desk(page)
    desk.blank("trench-crusade", 48, 48)
    desk.add("zone-red")
    desk.add("add-bodies")
    desk.sound()
    page.keyboard.press("Escape")
    desk.choose(desk.kept()["models"][0]["id"])
    desk.field("models[0].position[1]").fill("40")
    page.keyboard.press("Tab")
    expect(desk.check).to_contain_text("outside")
    # Who has a zone may be set up in it before the game.
    desk.tab("Scene")
    desk.field("deployment.order").select_option("together")
    desk.field("deployment.hidden").check()
    desk.sound()
    assert desk.kept()["deployment"] == {"order": "together", "hidden": True}
    expect(page.locator("#board .figure")).to_have_count(1)
    desk.field("deployment.order").select_option("")
    desk.sound()
    assert "deployment" not in desk.kept()


@pytest.mark.parametrize("shown", ["in", "cm"])
def test_zones_on_the_table(page: Page, server: Server, shown: str) -> None:
    document = call(server.url, "examples/trench-two-lines")
    document["zones"] = [
        {"id": "z", "name": "The line", "shape": {"polygon": [[0, 0], [48, 0], [48, 13], [0, 13]]}}
    ]
    (seat, *_) = begin(server.url, scene=document)
    hands = Hands(page)
    hands.sit(seat)
    if shown == "cm":
        page.get_by_role("radio", name="Centimetres").click()
    expect(page.locator("#board .label.zone-name")).to_have_text("The line")
    far = "48.0, 13.0" if shown == "in" else "121.9, 33"
    title = page.locator("#board [data-zone=z] title").text_content() or ""
    assert far.replace(".0", "") in title.replace(".0", "")
    # It is in nobody's way.
    hands.pick("r-captain")
    hands.do("activate")
    hands.drag("r-captain", 14, 13)
    hands.confirm()
    page.get_by_text("The board as a list").click()
    page.locator("#list summary").filter(has_text="Zones").click()
    expect(page.locator("#list li").filter(has_text="The line")).to_contain_text(shown)


def test_goals_are_set_in_the_editor_and_played_for(page: Page, tmp_path: Path) -> None:
    page.goto("/edit?example=trench-two-lines")
    desk = Desk(page)
    desk.sound()
    desk.add("zone-none")
    desk.tab("Scene")
    page.get_by_role("button", name="Set goals").click()
    desk.field("game.goals[0].name").fill("Hold the middle")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Add a goal", exact=True).click()
    desk.field("game.goals[1].kind").select_option("strike")
    whom = page.locator('details[data-path="game.goals[1].targets"]')
    whom.get_by_text("Whom").click()
    expect(whom.get_by_role("checkbox")).to_have_count(12)
    whom.get_by_label("Legate Morrow").check()
    desk.field("game.goals[1].points").fill("3")
    desk.field("sides[0].id").fill("ours")
    page.keyboard.press("Tab")
    desk.sound()
    path, scene = desk.saved(tmp_path)
    scene["game"]["goals"][1]["targets"] = ["b-captain", "nobody"]
    path.write_text(json.dumps(scene), encoding="utf-8")
    page.get_by_role("button", name="Open, or start anew").click()
    page.get_by_label("A file of yours").set_input_files(path)
    desk.faulty("no model or unit has the id 'nobody'")
    desk.tab("Scene")
    whom.get_by_label("nobody (unknown)").click()
    desk.sound()
    _, scene = desk.saved(tmp_path)
    zone = next(zone["id"] for zone in scene["zones"] if "side" not in zone)
    assert scene["game"] == {
        "rounds": 4,
        "goals": [
            {"id": "goal-1", "kind": "hold", "zone": zone, "name": "Hold the middle"},
            {
                "id": "goal-2",
                "kind": "strike",
                "side": "ours",
                "targets": ["b-captain"],
                "points": 3,
            },
        ],
    }
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Here").click()
    expect(page.get_by_role("region", name="Whose turn")).to_contain_text("round 1 of 4")


def test_every_kind_of_goal_is_set_saved_opened_again_and_told(page: Page, tmp_path: Path) -> None:
    page.goto("/edit?example=trench-well")
    desk = Desk(page)
    desk.sound()
    desk.tab("Scene")
    page.get_by_role("button", name="No goals").click()
    page.get_by_role("button", name="Set goals").click()
    kinds = ("reach", "leave", "strike", "last", "carry")
    for place, kind in enumerate(kinds, 1):
        page.get_by_role("button", name="Add a goal", exact=True).click()
        for passed in ("carry", kind):
            desk.field(f"game.goals[{place}].kind").select_option(passed)
    desk.sound()
    path, scene = desk.saved(tmp_path)
    goals = scene["game"]["goals"]
    assert [goal["kind"] for goal in goals] == ["hold", *kinds]
    assert [goal.get("name") for goal in goals] == [*[None] * 5, "The marker"]
    page.goto("/")
    expect(page.get_by_role("radio", name="SOVL")).to_be_visible()
    page.locator("#file").set_input_files(path)
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    turn = page.get_by_role("region", name="Whose turn")
    turn.get_by_text("Score:").click()
    for words in (
        "Either side: hold The well, 1 point at the end of each round",
        "Sultanate: reach The well, 1 point for each that does",
        "Sultanate: get to the north edge, 1 point for each that does",
        "Sultanate: strike down the enemy, 1 point for each that leaves the table",
        "Sultanate: last to the end of round 4, 1 point once",
        "Either side: have The marker, 1 point at the end of the game",
    ):
        expect(turn).to_contain_text(words, ignore_case=True)
