"""How few presses a first turn takes, played by somebody who reads only the page.

A click, a key and a drag are one press each. Three lead from the start page to the first legal
action, two to each further one; a charge with its dice takes four at most.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.browser.calling import begin
from web.browser.hands import Hands
from web.browser.serving import Server
from web.browser.starting import MATCH

EXAMPLES = Path(__file__).parents[3] / "examples"

#: Figures of the side that is to act, as the head of the panel and the board show them.
OURS = """() => {
  const mark = document.querySelector("#turn .turn-who .side-mark");
  const look = [...mark.classList].find((one) => one.startsWith("look-"));
  const found = document.querySelectorAll(`#board .figure.${look}[data-id]`);
  return [...found].map((one) => one.dataset.id);
}"""

#: Whether what is in hand is judged as it is now.
JUDGED = """() => {
  const { draft } = tapeline.hand;
  return draft && !draft.late && !draft.rough && !tapeline.order.waiting;
}"""

#: The middle of the table.
MIDDLE = """() => {
  const table = document.querySelector("#board rect.table");
  return [table.width.baseVal.value / 2, table.height.baseVal.value / 2];
}"""


class Player(Hands):
    """Counts presses."""

    presses = 0

    def play(self, system: str) -> None:
        """From the start page to the table of a game's first scene."""
        self.page.goto("/")
        self.page.get_by_role("button", name=f"Play {system}").click()
        self.presses += 1
        expect(self.page).to_have_url(MATCH)
        self.ready()

    def moves(self, id: str, to: tuple[float, float], says: str = "") -> None:
        """Drag a figure and press Enter: something has come of it. says: the words beside the hand
        before it lets go."""
        last = self.entries
        self.page.wait_for_function("() => !tapeline.hand.sending && !tapeline.hand.draft")
        self.page.mouse.move(*self.pixel(*self.place(id)))
        self.page.mouse.down()
        self.page.mouse.move(*self.pixel(*to), steps=6)
        if says:
            expect(self.page.locator(".board-hint")).to_have_text(says)
        self.page.mouse.up()
        expect(self.confirm_button).to_be_enabled()
        self.page.wait_for_function(JUDGED)
        opened = self.entries
        self.page.keyboard.press("Enter")
        self.presses += 2
        expect(self.line(opened + 1)).to_be_visible()
        assert self.entries > last

    def ours(self) -> list[str]:
        return [str(id) for id in self.page.evaluate(OURS)]

    def towards_middle(self, id: str) -> tuple[float, float]:
        """A tenth of the way to the middle."""
        (x, y), (u, v) = self.place(id), self.page.evaluate(MIDDLE)
        return x + (u - x) / 10, y + (v - y) / 10


@pytest.mark.parametrize("system", ["Trench Crusade", "Mordheim", "Warmaster", "SOVL"])
def test_a_first_turn(page: Page, system: str) -> None:
    player = Player(page)
    asked: list[tuple[str | None, str]] = []
    page.on("request", lambda one: asked.append((one.headers.get("tapeline-version"), one.url)))
    player.play(system)
    first = player.ours()[0]
    player.moves(first, player.towards_middle(first))
    assert player.presses <= 3
    page.wait_for_load_state("networkidle")
    reaches = [one for one in asked if "/reach?" in one[1]]
    assert len(set(reaches)) == len(reaches), "of one state nothing is asked twice"
    if any(one["faces"] for one in player.truth()["log"][-1]["happenings"]):
        expect(page.locator("#moment .moment-word").first).to_be_visible()
        if page.locator("#moment .moment-word.bad").count():
            return  # The dice have ended it.
    # What dice came to is shown until somebody goes on, or does something else.
    before = player.presses
    again = player.ours()[-1] if system == "Mordheim" else first
    player.moves(again, player.towards_middle(again))
    assert player.presses - before <= 2


def near(example: str, one: str, other: str) -> dict[str, Any]:
    """The scene of an example with one model four inches before another."""
    scene: dict[str, Any] = json.loads((EXAMPLES / f"{example}.json").read_text())
    at = {model["id"]: model for model in scene["models"]}
    x, y = at[one]["position"]
    at[other]["position"] = [x, y + 4.0]
    return scene


def test_a_charge_with_its_dice(page: Page, server: Server) -> None:
    player = Player(page)
    player.sit(begin(server.url, scene=near("trench-two-lines", "r-bull", "b-captain"))[0])
    player.moves("r-bull", player.place("b-captain"), says="Let go: Charge on Legate Morrow")
    expect(page.locator("#moment .tray .die").first).to_be_visible()
    expect(page.locator("#moment .moment-word strong")).to_have_text("Charge succeeded")
    expect(page.locator("#moment")).to_be_in_viewport()
    assert player.presses <= 4
    kinds = [(line["action"] or {}).get("kind") for line in player.truth()["log"]]
    assert kinds[:2] == ["activate", "charge"]


def test_a_charge_is_declared_by_a_drag_though_a_drag_would_close_the_declarations(
    page: Page, server: Server
) -> None:
    player = Player(page)
    player.sit(begin(server.url, example="mordheim-market")[0])
    player.moves("r-1", player.place("b-1"))
    expect(page.locator(".notice")).to_have_count(0)
    assert player.presses <= 4
    actions = [
        line["action"] for line in player.truth()["log"] if line["counts"] and line["action"]
    ]
    assert [(one["kind"], one["targets"]) for one in actions] == [("declare_charge", ["b-1"])]
    # Whom it is on is seen until it has gone.
    aim = page.locator("#board .aim")
    expect(aim).to_have_attribute("data-aims", "r-1 b-1")
    against = re.compile(f"charge declared, against {player.name('b-1')}")
    expect(player.body("r-1")).to_have_attribute("aria-label", against)
    # The same drag again is the charge: it closes the declarations first.
    player.moves("r-1", player.place("b-1"), says=f"Let go: Charge on {player.name('b-1')}")
    assert player.presses <= 4
    done = [line["action"]["kind"] for line in player.truth()["log"][-2:]]
    assert done == ["close_declarations", "charge"]
    expect(aim).to_have_count(0)
