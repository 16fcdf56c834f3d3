"""The board by itself: looked at, moved about and picked from, whatever game is on it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from web.browser.conftest import PHONE, Opening

#: Puts a board over the whole page and keeps what it tells in `heard`.
BOARD = """async ([doc, options]) => {
  const { BoardView } = await import("/static/board/board.js");
  const host = document.createElement("div");
  document.body.replaceChildren(host);
  for (const [name, value] of Object.entries(
    { position: "fixed", inset: "0" })) host.style.setProperty(name, value);
  window.heard = [];
  for (const name of ["pick", "point", "letgo", "storey"]) {
    host.addEventListener(name, (event) => {
      const { originalEvent, ...detail } = event.detail;
      window.heard.push([name, detail]);
      if (name === "pick" && detail.id === window.claims) event.preventDefault();
    });
  }
  window.board = new BoardView(host, options);
  window.board.show(doc);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def figure(name: str, x: float, y: float, z: float = 0.0, **more: Any) -> dict[str, Any]:
    storey = 1 if z >= 3 else 0
    base = {"radius": 0.5, "width": None, "depth": None}
    rest: dict[str, Any] = {
        "unit": None,
        "badges": [],
        "profile": "",
        "role": "",
        "stats": {},
        "says": name,
        "storey": storey,
    }
    where = {"x": x, "y": y, "z": z, "facing": 90.0}
    return {"id": name, "name": name.title(), "side": "red", **where, **base, **rest, **more}


def house() -> dict[str, Any]:
    """A table of two storeys with a floor on the upper one and two bodies below, one above."""
    floor = {
        "id": "attic",
        "type": "floor",
        "kind": "floor",
        "name": "Attic",
        "label": "Attic: 3 up",
        "shapes": [{"part": "floor", "corners": [[10, 10], [16, 10], [16, 16], [10, 16]]}],
        "bottom": 3.0,
        "top": 3.0,
        "traits": [],
        "pattern": "plain",
        "form": "",
        "storeys": [1],
        "says": "Attic, 3 up",
    }
    storeys = [
        {"index": 0, "bottom": 0.0, "top": 3.0, "caption": "On the table, below 3"},
        {"index": 1, "bottom": 3.0, "top": None, "caption": "From 3 and above"},
    ]
    party = {"id": "red", "name": "Red", "look": 0, "bodies": 3, "gone": 0}
    figures = [
        figure("ann", 4, 5),
        figure("bob", 20, 15, radius=None, width=2.0, depth=1.0),
        figure("cat", 12, 12, 3.0),
    ]
    return {
        "system": "x",
        "ground": "paper",
        "title": "X",
        "name": "House",
        "unit": "in",
        "width": 24,
        "depth": 20,
        "round": 1,
        "phase": "move",
        "status": [],
        "acting": ["red"],
        "parties": [party],
        "storeys": storeys,
        "terrain": [floor],
        "figures": figures,
        "groups": [],
        "gone": [],
        "hash": "",
    }


def shown(page: Page, **options: Any) -> Page:
    page.goto("/healthz")
    # The styles of the board belong to it.
    page.evaluate(
        """async (names) => {
          document.documentElement.innerHTML = "<head></head><body></body>";
          await Promise.all(names.map((name) => new Promise((done) => {
            const link = document.createElement("link");
            link.rel = "stylesheet";
            link.href = `/static/style/${name}.css`;
            link.onload = done;
            document.head.append(link);
          })));
        }""",
        ["base", "terrain", "board", "figures"],
    )
    page.evaluate(BOARD, [house(), {"label": "Board", "tabs": True, **options}])
    return page


@pytest.fixture
def board(page: Page) -> Page:
    return shown(page)


def pixel(page: Page, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
    left, top = page.evaluate("([x, y, z]) => board.pixelOf([x, y], z)", [x, y, z])
    return left, top


def heard(page: Page, name: str) -> list[dict[str, Any]]:
    return [detail for each, detail in page.evaluate("heard") if each == name]


def settled(page: Page) -> None:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")


def place_under(page: Page, left: float, top: float) -> list[float]:
    found: list[float] = page.evaluate(
        "([clientX, clientY]) => board.at({ clientX, clientY })", [left, top]
    )
    return found


def test_bases_are_drawn_in_their_true_size(board: Page) -> None:
    scale = board.evaluate("board.scale")
    for name, wide, high in [("ann", 1.0, 1.0), ("bob", 2.0, 1.0)]:
        box = board.locator(f'[data-id="{name}"] .fill').bounding_box()
        assert box is not None
        assert box["width"] == pytest.approx(wide * scale, abs=1.5)
        assert box["height"] == pytest.approx(high * scale, abs=1.5)


def test_the_wheel_zooms_about_the_pointer(board: Page) -> None:
    scale = board.evaluate("board.scale")
    left, top = map(round, pixel(board, 4, 5))
    before = place_under(board, left, top)
    board.mouse.move(left, top)
    board.mouse.wheel(0, -300)
    board.wait_for_function("(scale) => board.scale > 1.1 * scale", arg=scale)
    settled(board)
    assert place_under(board, left, top) == pytest.approx(before, abs=1e-6)


def test_a_drag_of_the_ground_shifts_the_board(board: Page) -> None:
    left, top = pixel(board, 14, 3)
    board.mouse.move(left, top)
    board.mouse.down()
    board.mouse.move(left + 80, top - 40, steps=4)
    board.mouse.up()
    settled(board)
    assert pixel(board, 14, 3) == pytest.approx((left + 80, top - 40), abs=0.5)
    assert heard(board, "point") == [], "a drag is no tap"


def test_a_claimed_drag_does_not_shift_the_board(board: Page) -> None:
    board.evaluate("() => { window.claims = 'ann'; }")
    left, top = pixel(board, 4, 5)
    board.mouse.move(left, top)
    board.mouse.down()
    board.mouse.move(left + 80, top, steps=4)
    board.mouse.up()
    settled(board)
    assert pixel(board, 4, 5) == pytest.approx((left, top))
    (pick,) = heard(board, "pick")
    assert (pick["id"], pick["part"]) == ("ann", "figure")
    assert pick["point"] == pytest.approx([4, 5], abs=0.05)


def test_a_tap_tells_the_place(board: Page) -> None:
    board.mouse.click(*pixel(board, 7.25, 9.5))
    (point,) = heard(board, "point")
    assert point["id"] is None
    assert point["part"] == "ground"
    assert point["point"] == pytest.approx([7.25, 9.5], abs=0.1)


def test_two_fingers_zoom_and_take_back_a_claimed_drag(opening: Opening) -> None:
    page = shown(opening(viewport=PHONE, has_touch=True, is_mobile=True)[0])
    page.evaluate("() => { window.claims = 'ann'; }")
    hand = page.context.new_cdp_session(page)
    left, top = pixel(page, 4, 5)
    scale = page.evaluate("board.scale")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", (left, top))
    touch("touchStart", (left, top), (left + 60, top))
    for far in (80, 100, 120):
        touch("touchMove", (left, top), (left + far, top))
    touch("touchEnd")
    settled(page)
    assert page.evaluate("board.scale") == pytest.approx(2 * scale, rel=0.05)
    assert len(heard(page, "letgo")) == 1


def test_keys_move_the_board_when_it_has_the_keyboard(board: Page) -> None:
    board.evaluate("board.focus()")
    whole = board.evaluate("board.scale")
    before = pixel(board, 4, 5)
    board.keyboard.press("ArrowRight")
    settled(board)
    assert pixel(board, 4, 5)[0] == pytest.approx(before[0] - 60, abs=0.5)
    board.keyboard.press("+")
    settled(board)
    assert board.evaluate("board.scale") > whole
    board.keyboard.press("0")
    settled(board)
    assert pixel(board, 4, 5) == pytest.approx(before, abs=0.5)


def test_figures_are_tab_stops_in_reading_order_and_enter_picks(board: Page) -> None:
    board.evaluate("board.focus()")
    names = []
    for _ in range(2):
        board.keyboard.press("Tab")
        names.append(board.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert names == ["bob", "ann"], "the far edge first"
    board.keyboard.press("Enter")
    assert [pick["id"] for pick in heard(board, "pick")] == ["ann"]


def test_a_figure_that_gets_the_keyboard_comes_into_sight(board: Page) -> None:
    board.evaluate("board.zoomTo('ann')")
    settled(board)
    left, top = pixel(board, 20, 15)
    assert left > 1366 or top < 0
    board.evaluate("board.focus()")
    board.keyboard.press("Tab")
    settled(board)
    left, top = pixel(board, 20, 15)
    assert 0 < left < 1366
    assert 0 < top < 850


def test_a_storey_shows_its_own_and_ghosts_the_rest(board: Page) -> None:
    names = "[...document.querySelectorAll('[data-id]')].map((g) => g.dataset.id)"
    assert board.evaluate(names) == ["bob", "ann"]
    assert board.locator(".figure.elsewhere").count() == 1
    assert board.locator(".terrain.faint").count() == 1
    board.get_by_role("button", name="From 3 and above").click()
    assert board.evaluate(names) == ["cat"]
    assert heard(board, "storey") == [{"storey": 1}]
    board.mouse.click(*pixel(board, 4, 5))
    assert heard(board, "point")[-1]["id"] is None, "who is on another storey cannot be picked"


def test_the_cut_away_shows_all_storeys_at_once_and_turns(board: Page) -> None:
    board.get_by_role("button", name="All storeys at once, cut away").click()
    at = "([clientX, clientY]) => board.storeyAt({ clientX, clientY })"
    for turn in range(4):
        settled(board)
        assert board.locator(".figure[data-id]").count() == 3
        for place, storey in [((4, 5, 0), 0), ((12, 12, 3), 1), ((2, 18, 0), 0)]:
            left, top = pixel(board, *place)
            assert place_under(board, left, top) == pytest.approx(place[:2], abs=1e-6)
            assert board.evaluate(at, [left, top]) == storey
        board.mouse.click(*pixel(board, 12, 12, 3))
        assert heard(board, "point")[-1]["id"] == "cat", turn
        board.get_by_role("button", name="Turn the table to the left").click()
    board.get_by_role("button", name="From 3 and above").click()
    assert board.get_by_role("button", name="Turn the table to the left").is_hidden()


def test_who_stands_below_a_storey_is_seen_and_taken_hold_of(board: Page) -> None:
    board.evaluate("() => { board.storey = 'all'; }")
    settled(board)
    spot = board.evaluate("""() => {
      const above = board.pixelOf([13, 13], 3);
      const [x, y] = board.at({ clientX: above[0], clientY: above[1] });
      const [low, high] = board.drawing.sheets.map((sheet) => sheet.plate);
      return low.from(...high.at(x, y));
    }""")
    doc = house()
    doc["figures"][0] |= {"x": spot[0], "y": spot[1]}
    board.evaluate("(doc) => board.show({ ...doc, terrain: null })", doc)
    assert board.locator("[data-covered]").get_attribute("data-covered") == "ann"
    board.mouse.click(*pixel(board, *spot, 0))
    told = heard(board, "point")[-1]
    assert (told["id"], told["storey"]) == ("ann", 0)
    assert told["point"] == pytest.approx(spot, abs=0.05)


def test_zones_show_as_a_ghost_comes_near(board: Page) -> None:
    board.evaluate(
        """() => board.rings(["ann", "bob"].map((about) => (
          { about, distance: 1, label: "zone", clause: "" })))"""
    )
    for x, near in [(7.0, ["ann"]), (18.0, ["bob"])]:
        ghost = {"body": "ann", "x": x, "y": 5.0 if x < 10 else 15.0, "facing": 0}
        board.evaluate("(ghost) => board.ghosts([ghost])", ghost)
        found = "[...document.querySelectorAll('.zone.near')].map((g) => g.dataset.ring)"
        assert board.evaluate(found) == near
    board.evaluate("board.clear('ghosts')")
    assert board.locator(".zone.near, .zone.far").count() == 0


def test_who_moves_stays_visible_where_it_began_until_the_ghost_is_gone(board: Page) -> None:
    left = "[...document.querySelectorAll('.figure.left')].map((g) => g.dataset.id)"
    for x in (5, 6):
        ghost = {"body": "ann", "x": x, "y": 5, "facing": 0}
        board.evaluate("(ghost) => board.ghosts([ghost])", ghost)
        assert board.evaluate(left) == ["ann"]
    board.evaluate("(doc) => board.show({ ...doc, terrain: null })", house())
    assert board.evaluate(left) == ["ann"], "a new document does not end a drag"
    board.evaluate("board.ghosts([])")
    assert board.evaluate(left) == []
    assert board.locator(".ghost").count() == 0


def test_pins_have_the_numbers_of_the_list(board: Page) -> None:
    findings = [
        {"clause": "A", "text": "Far off.", "place": None},
        {"clause": "B", "text": "Here.", "place": [3, 3]},
        {"clause": "C", "text": "Here too.", "place": [3, 3]},
    ]
    board.evaluate("(findings) => board.pins(findings)", findings)
    assert board.locator(".pin").count() == 1
    assert board.evaluate("document.querySelector('.pin g text').textContent") == "2 3"


def test_reach_is_drawn_on_its_storey_alone(board: Page) -> None:
    ring = [[2, 2], [8, 2], [8, 8], [2, 8]]
    band = {"limit": 4, "label": "move 4", "rings": [ring], "eps": 0.001}
    reach = {"body": "ann", "kind": "", "label": "", "storey": 0, "allowance": 4, "bands": [band]}
    board.evaluate("(reach) => board.reach(reach)", {**reach, "rings": [], "findings": []})
    assert board.locator("path.band").count() == 1
    assert board.locator(".band-label").text_content() == "move 4"
    board.evaluate("() => { board.storey = 1; }")
    assert board.locator("path.band").count() == 0


def test_the_reach_of_several_surfaces_is_one_band(board: Page) -> None:
    rings = [[[2, 2], [6, 2], [6, 6], [2, 6]], [[10, 10], [12, 10], [12, 12], [10, 12]]]
    bands = [{"limit": 4, "label": "move 4", "rings": [ring], "eps": 0.001} for ring in rings]
    wide = {"limit": 8, "label": "run 8", "eps": 0.001}
    wide["rings"] = [[[1, 1], [14, 1], [14, 14], [1, 14]]]
    reach = {"body": "ann", "kind": "", "label": "", "storey": 0, "allowance": 4}
    reach |= {"bands": [wide, *bands], "rings": [], "findings": []}
    board.evaluate("(reach) => board.reach(reach)", reach)
    assert board.locator("path.band").count() == 2
    assert sorted(board.locator(".band-label").all_text_contents()) == ["move 4", "run 8"]
    tones = "[...document.querySelectorAll('path.band')].map((p) => p.getAttribute('class'))"
    assert board.evaluate(tones) == ["band tone-0", "band tone-4"]


def test_ghosts_lie_on_their_own_plate_where_all_are_shown(board: Page) -> None:
    under_way = "() => { board.storey = 'all'; return document.getAnimations().length; }"
    assert board.evaluate(under_way) == 0, "who wants no motion sees at once what is"
    ghost = {"body": "cat", "x": 14, "y": 14, "z": 3, "facing": 0}
    board.evaluate("(ghost) => board.ghosts([ghost])", ghost)
    settled(board)
    (box,) = [ghost.bounding_box() for ghost in board.locator(".ghost:visible .fill").all()]
    assert box is not None
    left, top = pixel(board, 14, 14, 3)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert middle == pytest.approx((left, top), abs=1)


def test_a_regiment_shows_its_ranks_and_how_many_it_is(page: Page) -> None:
    shown(page)
    doc = house()
    doc["figures"][1] |= {"width": 5.0, "depth": 3.0, "models": 13, "files": 5}
    page.evaluate("(doc) => board.show(doc)", doc)
    models = page.locator('[data-id="bob"] .model')
    assert models.count() == 13
    assert page.locator('[data-id="bob"] .model.first').count() == 5, "the front rank"
    across = models.evaluate_all("(all) => all.map((each) => +each.getAttribute('y'))")
    middle = sum(across[10:]) / 3
    assert middle == pytest.approx(sum(across[:5]) / 5, abs=1e-3), "the last three in the middle"
    assert page.locator(".label.number").all_text_contents() == ["13"]


def test_a_new_document_keeps_the_view_the_keyboard_and_the_choice(board: Page) -> None:
    board.evaluate("board.select(['ann']); board.zoomTo('ann'); board.focus('ann');")
    settled(board)
    scale = board.evaluate("board.scale")
    moved = house()
    moved["figures"][0]["x"] = 6.0
    board.evaluate("(doc) => board.show({ ...doc, terrain: null })", json.loads(json.dumps(moved)))
    settled(board)
    assert board.evaluate("board.scale") == scale
    assert board.evaluate("document.activeElement.dataset.id") == "ann"
    assert board.locator(".figure.selected").count() == 1
    assert board.locator(".terrain.faint").count() == 1, "terrain stays"
