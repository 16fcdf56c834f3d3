"""Dice in which both sides have a share, given by their pages without a click."""

from __future__ import annotations

import urllib.request

from playwright.sync_api import expect

from tapeline.play.fairness import check
from tapeline.play.match import Match
from web.browser.calling import Seat, begin
from web.browser.conftest import Opening
from web.browser.hands import Hands
from web.browser.serving import Server

#: As on plain http in a house: the browser hashes nothing for the page.
NO_SUBTLE = "Object.defineProperty(Crypto.prototype, 'subtle', { get() {} })"


def log_of(seat: Seat) -> Match:
    """The log as it is saved."""
    request = urllib.request.Request(
        f"{seat.url}/api/matches/{seat.match}/log",
        headers={"Authorization": f"Bearer {seat.token}"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return Match.replay(answer.read().decode().splitlines())


def dash(hands: Hands, x: float) -> None:
    """Something that asks for dice."""
    hands.begin("dash")
    hands.drag("r-captain", x, 12)
    hands.confirm()


def test_dice_of_both_sides_without_a_click(opening: Opening, server: Server) -> None:
    red_seat, blue_seat, _ = begin(server.url, example="trench-two-lines", mode="links")
    red = Hands(opening()[0])
    # Options of its own, so that no other test is given this page.
    blue = Hands(opening(locale="en-GB")[0])
    blue.page.add_init_script(NO_SUBTLE)
    red.sit(red_seat)
    blue.sit(blue_seat)
    assert blue.page.evaluate("crypto.subtle === undefined")
    commitments = "() => tapeline.state.commitments.length === 2"
    red.page.wait_for_function(commitments)
    red.pick("r-captain")
    red.do("activate")
    red.drag("r-captain", 12.8, 12)
    red.confirm()
    dash(red, 14)
    for hands in (red, blue):
        expect(hands.line(4)).to_contain_text("needs 7 or more")
        expect(hands.line(4)).to_contain_text("Dice of the server with The Ninth Vigil and")
        expect(hands.card).to_be_hidden()
        expect(hands.page.get_by_role("alert")).to_have_count(0)
    match = log_of(blue_seat)
    assert match.dice is not None
    red.page.get_by_role("button", name="Share").click()
    red.page.get_by_text("Dice fixed beforehand").click()
    share = red.page.get_by_role("dialog")
    expect(share).to_contain_text("These links open on this computer alone.")
    expect(share).to_contain_text("The commitment is the one that this browser saw first.")
    command = share.locator("code").last.inner_text().split()
    checked = check(match.dice, match.entries, command[4::2])
    assert command[:2] == ["tapeline", "replay"]
    assert len(command[4::2]) == 3
    assert (checked.fixed, checked.shared, checked.lacking) == (1, 1, ())
    assert set(match.entries[3].reveals) == {red_seat.side, blue_seat.side}


def test_a_page_alone_says_whose_dice_they_are_and_keeps_its_secret(
    opening: Opening, server: Server
) -> None:
    red_seat, _, _ = begin(server.url, example="trench-two-lines", mode="links")
    red = Hands(opening()[0])
    red.sit(red_seat)
    mine = "tapeline.fair.chain.commitment"
    first = red.page.evaluate(mine)
    red.page.reload()
    red.ready()
    assert red.page.evaluate(mine) == first
    red.page.wait_for_function("() => tapeline.state.commitments.length === 1")
    red.pick("r-captain")
    red.do("activate")
    dash(red, 12)
    expect(red.line(3)).to_contain_text(
        "Dice of the server with The Ninth Vigil, without Saltmarsh Legion."
    )


def test_another_commitment_than_the_one_seen_first_is_told(
    opening: Opening, server: Server
) -> None:
    _, _, watch = begin(server.url, example="trench-two-lines", mode="links")
    hands = Hands(opening()[0])
    hands.sit(watch)
    alert = hands.page.get_by_role("alert")
    expect(alert).to_have_count(0)
    seen = watch.now()["commitment"]
    hands.page.evaluate(
        """(seen) => {
          const kept = localStorage.getItem("tapeline:matches");
          localStorage.setItem("tapeline:matches", kept.replace(seen, "ab".repeat(32)));
        }""",
        seen,
    )
    hands.page.reload()
    hands.ready()
    expect(alert).to_contain_text("not the one that this browser saw first")


def test_a_share_is_given_for_one_roll_alone(opening: Opening, server: Server) -> None:
    """A server that asks for a key again, for another roll, is refused and found out."""
    red_seat, _, _ = begin(server.url, example="trench-two-lines", mode="links")
    red = Hands(opening()[0])
    red.sit(red_seat)
    red.page.wait_for_function("() => tapeline.state.commitments.length === 1")
    told = red.page.evaluate(
        """() => {
          const { fair, state } = tapeline;
          const told = [];
          // What the server never said is not asked about.
          state.api.get = () => new Promise(() => {});
          state.live.tell = (message) => told.push(message);
          const ask = (title, version) => {
            const bound = { [state.now.you.sides[0]]: fair.chain.commitment };
            const line = { ...state.log[0], n: 1, what: "action", by: "", title, happenings: [],
              traces: [], clauses: [], commitments: bound, key: "", reveals: {}, counts: true };
            const { commitments } = state;
            state.take({ ...state.now, commitments, version, log: [line], log_from: 0 });
          };
          ask("Roll one", 1);
          ask("Roll one", 1);
          ask("Roll two", 1);
          const key = "a".repeat(64);
          const thrown = { ...state.log[0], n: 2, what: "answer", commitments: {}, key };
          for (const reveals of [{}, { [state.now.you.sides[0]]: "b".repeat(64) }]) {
            const log = [{ ...thrown, reveals }];
            state.log = state.log.slice(0, 1);
            const { commitments } = state;
            state.take({ ...state.now, commitments, version: 2, log, log_from: 1 });
          }
          // Nor are dice passed over in which this side, being here, has no share.
          const line = { ...state.log[0], n: 4, commitments: {}, key };
          const { commitments } = state;
          state.log = [line, line, line];
          state.take({ ...state.now, commitments, version: 4, log: [line], log_from: 3 });
          return told.map(({ type, number, key }) => [type, number, key === fair.chain.key(2)]);
        }"""
    )
    assert told == [["reveal", 2, True], ["reveal", 2, True]]
    alert = red.page.get_by_role("alert")
    expect(alert).to_contain_text("a second time, for another roll")
    expect(alert).to_contain_text("entry 2 do not come from what the server committed to")
    expect(alert).to_contain_text("entry 2 were thrown without the share of The Ninth Vigil")
    expect(alert).to_contain_text("in the dice of entry 2 is not what was committed to")
    expect(alert).to_contain_text("entry 4 were thrown without the share of this side")
