"""The scene editor: from a blank table to a match, by mouse, by keys, by finger."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from web.browser.conftest import PHONE, Opening
from web.browser.hands import tapping

#: The pixel of the window at a place of the table, on the first plate that is shown.
PIXEL = """([x, y]) => {
  const plate = document.querySelector("#board .layer-ground").parentNode;
  const depth = Number(plate.querySelector("rect.table").getAttribute("height"));
  const at = new DOMPoint(x, depth - y).matrixTransform(plate.getScreenCTM());
  return [at.x, at.y];
}"""


class Desk:
    """The editor as a page shows it. Places and lengths as of the scene."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.check = page.locator("#check")
        self.thing = page.locator("#thing")

    def blank(self, system: str, width: float, depth: float) -> None:
        self.page.goto(f"/edit?system={system}&width={width:g}&depth={depth:g}")
        self.sound()

    def sound(self) -> None:
        """Wait until the server has found the scene sound as it is now."""
        expect(self.check).to_have_attribute("data-state", "sound")
        expect(self.check).not_to_have_class(re.compile("busy"))

    def faulty(self, words: str) -> Locator:
        """Wait for a fault with these words."""
        expect(self.check).to_have_attribute("data-state", "faulty")
        fault = self.check.locator(".faults li", has_text=words)
        expect(fault).to_be_visible()
        return fault

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def add(self, does: str) -> None:
        """Press a button of what can be added."""
        self.tab("Add")
        self.page.locator(f'#add [data-does="{does}"]').click()

    def field(self, path: str) -> Locator:
        """The field of a path of the document."""
        return self.page.locator(f'.field[data-path="{path}"] :is(input, select)')

    def choose(self, thing: str) -> None:
        """Select by the list of all things."""
        self.tab("All things")
        self.page.locator(f'#contents [data-thing="{thing}"]').click()

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        px, py = self.page.evaluate(PIXEL, [x, y])
        return float(px), float(py)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag from a place of the table to another."""
        self.page.mouse.move(*self.pixel(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.pixel(*end), steps=6)
        self.page.mouse.up()

    def drag_handle(self, key: str, end: tuple[float, float]) -> None:
        knob = self.page.locator(f'#board [data-handle="{key}"] .knob')
        expect(knob).to_be_visible()
        # The handles are drawn anew whenever a check comes back.
        box = next(filter(None, (knob.bounding_box() for _ in range(50))))
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(*self.pixel(*end), steps=6)
        self.page.mouse.up()

    def saved(self, folder: Path) -> tuple[Path, dict[str, Any]]:
        """Save: the file and the scene in it."""
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Save").click()
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path, json.loads(path.read_text())

    def kept(self) -> dict[str, Any]:
        """The draft that this browser keeps: 300 ms after the last change."""
        # Timers of a page fire in order, however slow it is: a later and longer one comes after.
        self.page.evaluate("() => new Promise((after) => setTimeout(after, 301))")
        text = self.page.evaluate("localStorage.getItem('tapeline:editor-draft')")
        scene: dict[str, Any] = json.loads(text)["scene"]
        return scene


@pytest.fixture
def desk(page: Page) -> Desk:
    return Desk(page)


def test_from_a_blank_table_to_a_match(desk: Desk, tmp_path: Path) -> None:
    page = desk.page
    desk.blank("mordheim", 24, 24)
    expect(desk.check).to_contain_text("Red has nothing on the table yet")

    desk.add("add-floor")
    fault = desk.faulty("nobody can reach")
    expect(page.locator('#board [data-sketch="floor-1"]')).to_have_class(re.compile("faulty"))
    desk.add("add-ladder")
    desk.sound()
    expect(fault).to_be_hidden()
    desk.field("terrain[1].ladder.head[2]").fill("2")
    desk.faulty("in the air").get_by_role("button", name="Put it 3 in up").click()
    desk.sound()

    desk.add("add-walls")
    desk.thing.locator('[data-does="add-door"]').click()
    desk.sound()
    expect(page.locator('#board [data-terrain="wall-1"]').first).to_be_attached()
    desk.field("terrain[2].openings[0].to").fill("99")
    desk.faulty("beyond the wall").locator(".where").click()
    expect(desk.field("terrain[2].openings[0].to")).to_be_focused()
    expect(desk.field("terrain[2].openings[0].to")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name=re.compile("^Undo")).click()
    desk.sound()

    desk.tab("Add")
    page.get_by_label("How many", exact=True).fill("2")
    desk.add("add-bodies")
    desk.tab("Add")
    page.locator("#add-side").select_option("blue")
    page.locator("#add-profile").select_option("Ghoul")
    desk.add("add-bodies")
    desk.sound()
    expect(page.locator("#board .figure[data-id]")).to_have_count(4)
    expect(desk.check).not_to_contain_text("Note")

    desk.choose("blue-1")
    desk.field("models[2].z").fill("1")
    mend = desk.faulty("nothing to stand on")
    mend.get_by_role("button", name="Put it on the table").click()
    desk.sound()
    assert desk.kept()["models"][2]["z"] == 0

    desk.tab("Scene")
    desk.field("name").fill("The look-out")
    desk.field("name").press("Enter")
    expect(page.locator("#title")).to_have_text("The look-out")
    path, scene = desk.saved(tmp_path)
    assert path.name == "the-look-out.json"
    assert [len(scene[key]) for key in ("terrain", "models", "units")] == [3, 4, 0]
    assert scene["terrain"][2]["openings"][0]["kind"] == "door"

    page.get_by_role("button", name="Open, or start anew").click()
    page.get_by_role("button", name="Start blank").click()
    expect(page.locator("#board .figure[data-id]")).to_have_count(0)
    page.get_by_role("button", name="Open, or start anew").click()
    page.get_by_label("A file of yours").set_input_files(path)
    expect(page.locator("#title")).to_have_text("The look-out")
    desk.sound()
    assert desk.saved(tmp_path)[1] == scene

    page.get_by_role("button", name="Play", exact=True).click()
    page.locator('[data-does="hotseat"]').click()
    page.wait_for_url(re.compile(r"/t/[^#]+#.+"))
    expect(page.locator("#board .figure[data-id]").first).to_be_visible()

    match = page.url.partition("/t/")[2].replace("#", "%23")
    page.goto(f"/edit#/t/{match}")
    expect(page.locator("#title")).to_have_text("The look-out")
    assert "#" not in page.url, "the secret of the link stays in the address"
    page.goto("/edit?system=sovl")
    desk.sound()
    expect(page.locator("#title")).not_to_have_text("The look-out")
    page.get_by_role("button", name="Open, or start anew").click()
    page.locator(".source", has_text="The table of a match").get_by_role("button").first.click()
    expect(page.locator("#title")).to_have_text("The look-out")
    desk.sound()
    desk.choose("blue-1")
    desk.field("models[2].profile").select_option("Rat Ogre")
    desk.sound()
    assert "base" not in desk.kept()["models"][2]


def test_stretching_moving_and_turning_with_the_mouse(desk: Desk) -> None:
    page = desk.page
    desk.blank("trench-crusade", 24, 24)
    desk.add("add-rectangle")
    desk.sound()
    rectangle = "terrain[0].shape.rectangle"
    expect(desk.field(f"{rectangle}.width")).to_have_value("4")
    desk.drag((12, 12), (9.1, 8.9))
    expect(desk.field(f"{rectangle}.centre[0]")).to_have_value("9")
    expect(desk.field(f"{rectangle}.centre[1]")).to_have_value("9")
    # Corner 2 is the left front of a facing of 0: up and to the right.
    desk.drag_handle("shape.corner.1", (14.9, 13.1))
    expect(desk.field(f"{rectangle}.depth")).to_have_value("8")
    expect(desk.field(f"{rectangle}.width")).to_have_value("6")
    expect(desk.field(f"{rectangle}.centre[0]")).to_have_value("11")
    desk.drag_handle("turn", (1, 10))
    expect(desk.field(f"{rectangle}.facing")).to_have_value("90")
    desk.sound()
    ground = page.locator('#board [data-terrain="open-1"]')
    expect(ground).to_have_count(1)
    for _ in range(3):
        page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(desk.field(f"{rectangle}.centre[0]")).to_have_value("12")
    expect(desk.field(f"{rectangle}.width")).to_have_value("4")
    page.get_by_role("button", name=re.compile("^Redo")).click()
    expect(desk.field(f"{rectangle}.centre[0]")).to_have_value("9")


def test_several_things_at_once(desk: Desk) -> None:
    page = desk.page
    desk.blank("mordheim", 24, 24)
    page.get_by_label("How many", exact=True).fill("3")
    desk.add("add-bodies")
    desk.sound()
    before = [model["position"] for model in desk.kept()["models"]]
    page.keyboard.press("Escape")
    page.keyboard.down("Shift")
    desk.drag((1, 7), (23, 0.2))
    page.keyboard.up("Shift")
    expect(desk.thing.get_by_role("heading", name="3 things")).to_be_visible()
    x, y = before[0]
    desk.drag((x, y), (x + 2, y + 5))
    desk.sound()
    after = [model["position"] for model in desk.kept()["models"]]
    shifts = {
        (round(b[0] - a[0], 6), round(b[1] - a[1], 6)) for a, b in zip(before, after, strict=True)
    }
    assert len(shifts) == 1
    [(dx, dy)] = shifts
    assert (dx, dy) == pytest.approx((2, 5), abs=0.25)
    desk.thing.locator('[data-does="side-blue"]').click()
    desk.sound()
    assert {model["side"] for model in desk.kept()["models"]} == {"blue"}
    desk.thing.locator('[data-does="delete"]').click()
    expect(page.locator("#board .figure[data-id]")).to_have_count(0)


def test_drawing_corners_and_adding_and_removing_some(desk: Desk) -> None:
    page = desk.page
    desk.blank("mordheim", 24, 24)
    desk.add("draw-walls")
    for corner in ((4, 4), (12, 4.1), (12, 10), (4, 10)):
        page.mouse.click(*desk.pixel(*corner))
    page.mouse.click(*desk.pixel(4, 4))
    desk.sound()
    assert desk.kept()["terrain"][0]["wall"] == [[4, 4], [12, 4], [12, 10], [4, 10]]
    desk.drag_handle("wall.1+", (15, 7))
    assert desk.kept()["terrain"][0]["wall"][2] == [15, 7]
    page.locator('#board [data-handle="wall.2"]').focus()
    page.keyboard.press("Shift+ArrowRight")
    assert desk.kept()["terrain"][0]["wall"][2] == [16, 7]
    page.keyboard.press("Delete")
    assert len(desk.kept()["terrain"][0]["wall"]) == 4
    desk.sound()


def test_by_keys_alone(desk: Desk) -> None:
    page = desk.page
    desk.blank("sovl", 48, 40)
    page.keyboard.press("a")
    expect(page.locator("#add-side")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    desk.sound()
    expect(page.locator("#board .board")).to_be_focused()
    before = desk.kept()["units"][0]
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowUp", "Alt+ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.press("[")
    after = desk.kept()["units"][0]
    moved = [b - a for a, b in zip(before["position"], after["position"], strict=True)]
    assert moved == pytest.approx([0.99, 1.0])
    assert after["facing"] == before["facing"] + 5
    page.keyboard.press("d")
    desk.sound()
    assert [unit["id"] for unit in desk.kept()["units"]] == ["red-infantry-1", "red-infantry-2"]
    page.keyboard.press("b")
    page.keyboard.press("Delete")
    assert [unit["id"] for unit in desk.kept()["units"]] == ["red-infantry-1"]
    page.keyboard.press("Control+z")
    assert len(desk.kept()["units"]) == 2
    page.keyboard.press("Escape")
    expect(desk.thing).to_contain_text("Nothing is selected")
    page.keyboard.press("e")
    page.get_by_role("tab", name="Selected").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="All things")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#contents .row[aria-pressed=true]")).to_have_count(2)
    expect(page.locator("#contents .row").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Selected")).to_be_focused()
    expect(desk.thing.get_by_role("heading", name="Regiment")).to_be_visible()


def test_a_unit_of_stands_stays_together(desk: Desk) -> None:
    page = desk.page
    # A unit has as many as one of this game, not as one of the same name in another.
    desk.blank("sovl", 48, 36)
    page.get_by_role("button", name="Open, or start anew").click()
    page.get_by_role("dialog").get_by_label("System").select_option("warmaster")
    page.get_by_role("button", name="Start blank").click()
    expect(page.locator("#add-count")).to_have_value("3")
    page.locator("#add-profile").select_option("Halberdiers")
    desk.add("add-bodies")
    desk.sound()
    page.keyboard.press("b")
    for _ in range(5):
        page.keyboard.press("[")
    desk.sound()
    x, y = desk.kept()["models"][1]["position"]
    page.keyboard.press("Escape")
    desk.drag((x, y), (x + 10, y + 5))
    desk.sound()
    moved = desk.kept()
    assert moved["models"][1]["position"][0] == pytest.approx(x + 10, abs=0.5)
    assert {model["facing"] for model in moved["models"]} == {115}
    desk.thing.locator('[data-does="add-stand"]').click()
    desk.sound()
    desk.thing.locator('[data-does="column"]').click()
    desk.sound()
    assert len(desk.kept()["units"][0]["members"]) == 4
    desk.thing.locator('[data-does="copy"]').click()
    desk.sound()
    copied = desk.kept()
    members = [member for unit in copied["units"] for member in unit["members"]]
    assert len(set(members)) == len(copied["models"]) == 8


def test_a_reading_a_phase_and_a_renamed_side_are_in_the_scene(desk: Desk) -> None:
    page = desk.page
    desk.blank("sovl", 48, 40)
    desk.add("add-bodies")
    desk.tab("Scene")
    reading = page.get_by_label(
        "Does sliding along a side or clipping a corner point end an Advance?"
    )
    second = reading.locator("option").nth(1).get_attribute("value")
    reading.select_option(second)
    desk.field("sides[0].id").fill("green")
    desk.field("sides[0].id").press("Enter")
    desk.field("turn.phase").select_option("roll_off")
    desk.sound()
    scene = desk.kept()
    assert scene["options"] == {"contact.graze": second}
    assert scene["units"][0]["side"] == scene["turn"]["active"] == "green"
    assert scene["turn"]["phase"] == "roll_off"
    reading.select_option(index=0)
    assert desk.kept()["options"] == {}


def test_the_draft_outlives_the_page_and_a_file_that_is_no_scene_is_refused(
    desk: Desk, tmp_path: Path
) -> None:
    page = desk.page
    page.goto("/edit?example=mordheim-roofs")
    expect(page.locator("#title")).to_have_text("Roofs over the alley")
    desk.sound()
    figures = page.locator("#board .figure[data-id]").count()
    page.locator("#contents .row").last.click()
    page.keyboard.press("b")
    page.keyboard.press("Delete")
    desk.sound()
    page.goto("/edit")
    expect(page.locator("#notice")).to_contain_text("Your draft")
    desk.sound()
    expect(page.locator("#board .figure[data-id]")).to_have_count(figures - 1)
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "tapeline-log/1"}')
    page.get_by_role("button", name="Open, or start anew").click()
    page.get_by_label("A file of yours").set_input_files(bad)
    expect(page.get_by_role("alert").filter(has_text="no scene of Tapeline")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#title")).to_have_text("Roofs over the alley")


def test_examples_that_come_late_leave_the_form_as_it_is(desk: Desk) -> None:
    page = desk.page
    held: list[Route] = []
    page.route(re.compile(r"/examples$"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"/examples$")):
        page.goto("/edit")
    width = page.get_by_label("Width, in")
    width.fill("31")
    [route] = held
    route.continue_()
    expect(page.get_by_role("button", name="The market")).to_be_visible()
    expect(width).to_have_value("31")


def test_with_a_finger_on_a_phone(opening: Opening) -> None:
    page, _ = opening(viewport=PHONE, has_touch=True, is_mobile=True)
    desk = Desk(page)
    desk.blank("trench-crusade", 24, 24)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    terrain = desk.thing.get_by_role("heading", name="Terrain")
    tapping(
        page.locator('#add [data-does="add-circle"]').tap,
        lambda within: expect(terrain).to_be_visible(timeout=within),
    )
    desk.sound()
    page.locator("#board .board-tools").wait_for()
    tapping(
        lambda: page.touchscreen.tap(*desk.pixel(2, 2)),
        lambda within: expect(desk.thing).to_contain_text("Nothing is selected", timeout=within),
    )
    tapping(
        lambda: page.touchscreen.tap(*desk.pixel(12, 12)),
        lambda within: expect(terrain).to_be_visible(timeout=within),
    )
    tapping(
        desk.thing.locator('[data-does="delete"]').tap,
        lambda within: expect(terrain).to_be_hidden(timeout=within),
    )
    desk.sound()
    assert desk.kept()["terrain"] == []


def test_a_tab_can_be_pressed_once_there_is_something_to_show(page: Page) -> None:
    """Before that a press would be lost: what the editor begins with is shown then."""
    held: list[Route] = []
    page.route(re.compile(r"/systems$"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"/systems$")):
        page.goto("/edit?system=sovl&width=48&depth=36")
    tab = page.get_by_role("tab", name="Scene")
    expect(tab).to_be_disabled()
    expect(page.locator(".head-tools button:enabled")).to_have_count(1)
    [route] = held
    route.continue_()
    tab.click()
    expect(page.get_by_role("tabpanel", name="Scene")).to_be_visible()
    expect(page.locator(".head-tools button:disabled")).to_have_count(0)
