"""Dice in which both sides have a share: committed to beforehand, revealed when a roll is open."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tapeline.dice import SeededDice
from tapeline.engine.events import Rolled
from tapeline.errors import AnswerError
from tapeline.play.entries import Entry
from tapeline.play.fairness import Chain, Checked, check, leads, shared_key
from tapeline.play.match import Match, rereferee
from tapeline.web.documents.match import Act, Answered
from tapeline.web.work import deeds
from tapeline.web.work.kinds import Holder
from web.conftest import Start
from web.inside import PATIENCE_S, Inside, Live, Page
from web.test_web_api_matches import STEP, near

SHOVE = {"kind": "shove", "actor": "R1", "target": "B1"}


class Sharer:
    """A page of a side that takes part in the dice, as the one in the browser does."""

    def __init__(self, page: Page, live: Live, secret: str = "secret") -> None:
        self.side: str = page.link["side"]
        self.chain = Chain(secret, self.side)
        self.live = live
        live.say(type="commit", commitment=self.chain.commitment)
        while not any(c["commitment"] == self.chain.commitment for c in self.told()):
            pass

    def told(self) -> list[dict[str, Any]]:
        """What sides have committed to, as of the next message that says so."""
        message = self.live.hear()
        found: list[dict[str, Any]] = message.get("match", message).get("commitments", [])
        return found

    def asked(self) -> dict[str, Any]:
        """The next entry that waits for the key of this side."""
        while True:
            match = self.live.hear("now")["match"]
            line = match["log"][-1] if match["log"] else {"commitments": {}}
            if line["commitments"].get(self.side) == self.chain.commitment:
                return dict(line)

    def reveal(self, number: int, key: str = "") -> None:
        key = key or self.chain.key(number)
        commitment = self.chain.commitment
        self.live.say(type="reveal", commitment=commitment, number=number, key=key)


@contextmanager
def sharing(page: Page, secret: str = "secret") -> Iterator[Sharer]:
    with page.live() as live:
        yield Sharer(page, live, secret)


@contextmanager
def both(red: Page, blue: Page) -> Iterator[tuple[Sharer, Sharer]]:
    with sharing(red) as one, sharing(blue) as other:
        yield one, other


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    """For a call that waits until dice are thrown."""
    with ThreadPoolExecutor(2) as pool:
        yield pool


Done = dict[str, Any]


def shove(aside: ThreadPoolExecutor, page: Page) -> Future[Done]:
    return aside.submit(page.act, **{**SHOVE, "version": page.version})


def proven(page: Page, *given: str) -> tuple[list[Entry], Checked]:
    """The entries of the log as it is saved, and what a check makes of them."""
    lines = page.get("log").text.splitlines()
    match = Match.replay(lines)
    assert rereferee(lines)[1] is None
    return match.entries, check(match.dice, match.entries, given)


def rolls(entry: Entry) -> list[Rolled]:
    return [event for event in entry.events if isinstance(event, Rolled)]


def test_dice_come_from_the_server_and_both_sides(
    inside: Inside, aside: ThreadPoolExecutor
) -> None:
    red, blue, watch = inside.begin(scene=near(), mode="links")
    with both(red, blue) as (one, other):
        told = {c["side"]: c["commitment"] for c in watch.match["commitments"]}
        assert told == {"red": one.chain.commitment, "blue": other.chain.commitment}
        done = shove(aside, red)
        for sharer in (one, other):
            line = sharer.asked()
            assert (line["n"], line["commitments"]) == (1, told)
            assert (line["key"], line["reveals"]) == ("", {})
            sharer.reveal(2)
        answer = done.result(PATIENCE_S)
    assert answer["written"]
    assert answer["match"]["version"] == 2
    assert (answer["match"]["question"] or {"form": ""})["form"] != "roll"
    host = blue.match["commitment"]
    entries, checked = proven(watch, host, *told.values())
    assert (checked.fixed, checked.shared) == (1, 1)
    assert (checked.others, checked.unchecked, checked.lacking) == ((), (), ())
    assert checked.commitments == {side: (commitment,) for side, commitment in told.items()}
    asked, thrown = entries
    assert asked.commitments == told
    assert (asked.key, rolls(asked)) == ("", [])
    assert thrown.reveals == {"red": one.chain.key(2), "blue": other.chain.key(2)}
    assert leads(thrown.key, 2, host)
    (roll,) = rolls(thrown)
    seed = shared_key(thrown.key, thrown.reveals)
    assert roll.faces == SeededDice(seed).roll(roll.roll)


def test_no_key_is_told_before_the_dice_are_thrown(
    inside: Inside, aside: ThreadPoolExecutor
) -> None:
    red, blue, watch = inside.begin(scene=near(), mode="links")
    with both(red, blue) as (one, other):
        done = shove(aside, red)
        one.asked()
        one.reveal(2)
        other.asked()
        for page in (red, blue, watch):
            for path in ("", "log", "at/1"):
                assert one.chain.key(2) not in page.get(path).text
        assert not done.done()
        other.reveal(2)
        done.result(PATIENCE_S)


def test_nobody_rolls_without_a_side_that_is_there(
    inside: Inside, aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is impatient waits with all others; nor can the deed be taken back meanwhile."""
    waits, wait = threading.Semaphore(0), inside.hub.draws._wait

    def waiting(*given: Any) -> Any:
        waits.release()
        return wait(*given)

    monkeypatch.setattr(inside.hub.draws, "_wait", waiting)
    red, blue, _ = inside.begin(scene=near(), mode="links")
    with both(red, blue) as (one, other):
        done = shove(aside, red)
        one.asked()
        one.reveal(2)
        rolled = aside.submit(red.answer, roll=True)
        for _ in ("the deed", "the key of red", "the roll"):
            assert waits.acquire(timeout=PATIENCE_S)
        offer = red.match["undo"]
        assert (offer["entries"], offer["free"]) == (1, False)
        assert not rolled.done()
        other.reveal(2)
        assert done.result(PATIENCE_S)["match"]["version"] == 2
        assert rolled.result(PATIENCE_S)["match"]["version"] == 2
        entries, _ = proven(red)
        assert set(entries[1].reveals) == {"red", "blue"}
        offer = red.match["undo"]
        assert (offer["entries"], offer["free"]) == (2, False)
        plan = red.done(red.post("undo", version=2, entries=1))["proposal"]
        assert plan["entries"] == 2
        blue.done(blue.post(f"proposals/{plan['id']}", version=2, accept=True))
        assert red.match["question"] is None


def test_a_copy_of_a_roll_that_waits_is_rolled_at_once(
    inside: Inside, aside: ThreadPoolExecutor
) -> None:
    red, blue, _ = inside.begin(scene=near(), mode="links")
    with sharing(blue) as other:
        done = shove(aside, red)
        other.asked()
        log = red.get("log").text
        made = [red.post("copy", at=1), inside.client.post("/api/matches", json={"log": log})]
        for answer in made:
            copy = inside.page(answer.json()["id"], answer.json()["links"][0])
            assert copy.answer(roll=True)["match"]["version"] == 2
            entries, checked = proven(copy)
            assert (entries[1].reveals, checked.lacking, checked.fixed) == ({}, (), 1)
        other.reveal(2)
        done.result(PATIENCE_S)


def test_a_roll_that_waits_is_not_answered_otherwise(toy: None) -> None:
    """Nor by a server that has not heard yet that it waits."""
    match, holder = Match.start(near()), Holder("side", ("red",))
    match.dice = {"commitment": "a" * 64, "salt": "m", "typed": False, "after": 0}
    shared = deeds.Rolling("server", "seed", {"blue": "b" * 64})
    after = deeds.act(match, holder, Act(version=0, action=SHOVE), shared).match
    assert after.entries[0].commitments == {"blue": "b" * 64}
    alone = deeds.Rolling("server", "seed")
    with pytest.raises(AnswerError, match="as soon as the sides have given their share"):
        deeds.answer(after, holder, Answered(version=1, roll=True), alone)


def test_where_nobody_takes_part_the_dice_are_the_servers_alone(inside: Inside) -> None:
    red, blue, _ = inside.begin(scene=near(), mode="links")
    with both(red, blue):
        pass
    until = time.monotonic() + PATIENCE_S
    while red.match["commitments"]:
        assert time.monotonic() < until, "who is gone still counts"
    done = red.act(**SHOVE)
    assert done["match"]["version"] == 1
    entries, checked = proven(blue)
    assert (checked.fixed, checked.shared, checked.lacking) == (1, 0, ())
    assert entries[0].key
    assert not entries[0].reveals
    assert done["match"]["log"][0]["key"] == entries[0].key


def test_a_side_alone_has_its_share(inside: Inside, aside: ThreadPoolExecutor) -> None:
    red, blue, _ = inside.begin(scene=near(), mode="links")
    with sharing(blue) as other:
        done = shove(aside, red)
        assert set(other.asked()["commitments"]) == {"blue"}
        other.reveal(2)
        done.result(PATIENCE_S)
    _, checked = proven(red)
    assert (checked.shared, checked.lacking) == (1, ())


@pytest.mark.parametrize("junk", ["", "f" * 64])
def test_a_side_that_keeps_its_key_to_itself(
    start: Start, aside: ThreadPoolExecutor, junk: str
) -> None:
    red, blue, _ = start(reveal_seconds=1.0).begin(scene=near(), mode="links")
    with both(red, blue) as (one, other):
        done = shove(aside, red)
        one.asked()
        one.reveal(2)
        if junk:
            other.reveal(2, junk)
            # Nor does it help to speak for the other side.
            commitment = one.chain.commitment
            other.live.say(type="reveal", commitment=commitment, number=2, key=junk)
        match = done.result(PATIENCE_S)["match"]
        assert match["version"] == 2
        entries, checked = proven(red)
        assert set(entries[1].reveals) == {"red"}
        assert (checked.shared, checked.lacking) == (1, (2,))
        if not junk:
            # It is waited for no more, until it says that it is there.
            assert [c["side"] for c in match["commitments"]] == ["red"]
            other.live.say(type="commit", commitment=other.chain.commitment)
            while not any(c["side"] == "blue" for c in other.told()):
                pass


def test_every_roll_has_keys_of_its_own(inside: Inside, aside: ThreadPoolExecutor) -> None:
    """Roll after roll, each taken back by agreement; one that is taken back gives none away."""
    red, blue, _ = inside.begin(scene=near(), mode="links")
    with both(red, blue) as (one, other):
        for _ in range(4):
            done = shove(aside, red)
            number = one.asked()["n"] + 1
            other.asked()
            one.reveal(number)
            other.reveal(number)
            match = done.result(PATIENCE_S)["match"]
            red.done(red.post("undo", version=match["version"], entries=1))
            plan = blue.match["proposals"][0]["id"]
            blue.done(blue.post(f"proposals/{plan}", version=match["version"], accept=True))
    entries, checked = proven(red)
    assert [entry.what for entry in entries] == ["action", "answer", "undo"] * 4
    assert [number for number, entry in enumerate(entries, 1) if entry.reveals] == [2, 5, 8, 11]
    assert checked.fixed == checked.shared == 4


def test_two_pages_of_a_browser_are_one_commitment(
    inside: Inside, aside: ThreadPoolExecutor
) -> None:
    red, blue, _ = inside.begin(scene=near(), mode="links")
    with sharing(blue) as other:
        with sharing(blue):
            assert len(red.match["commitments"]) == 1
        # The first one is told that the second has gone.
        while other.live.hear("present")["present"] != ["blue"]:
            pass
        done = shove(aside, red)
        other.asked()
        other.reveal(2)
        assert set(done.result(PATIENCE_S)["match"]["log"][-1]["reveals"]) == {"blue"}


def test_another_device_of_a_side_takes_its_place(
    inside: Inside, aside: ThreadPoolExecutor
) -> None:
    red, blue, _ = inside.begin(scene=near(), mode="links")
    with sharing(blue, "desk"), sharing(blue, "phone") as other:
        done = shove(aside, red)
        other.asked()
        other.reveal(2)
        done.result(PATIENCE_S)
    _, checked = proven(red)
    assert checked.commitments == {"blue": (Chain("phone", "blue").commitment,)}


def test_pages_of_two_servers_have_their_share(start: Start, aside: ThreadPoolExecutor) -> None:
    here, there = start(look_seconds=0.05), start(look_seconds=0.05)
    red, blue, _ = here.begin(scene=near(), mode="links")
    far = there.page(blue.match_id, blue.link)
    with both(red, far) as (one, other):
        done = shove(aside, red)
        for sharer in (one, other):
            sharer.asked()
            sharer.reveal(2)
        assert done.result(PATIENCE_S)["match"]["version"] == 2
    entries, checked = proven(far)
    assert set(entries[1].reveals) == {"red", "blue"}
    assert checked.lacking == ()


def test_a_server_that_dies_meanwhile_leaves_a_roll_that_is_thrown(
    start: Start, aside: ThreadPoolExecutor
) -> None:
    here = start(reveal_seconds=30.0)
    red, blue, _ = here.begin(scene=near(), mode="links")
    stopped = threading.Event()
    with both(red, blue) as (one, _):
        aside.submit(lambda: red.post("actions", version=0, action=SHOVE) and stopped.set())
        one.asked()
        # The other server knows only what is in the database.
        again = start(reveal_seconds=0.2).page(red.match_id, red.link)
        assert again.match["question"] is not None
        assert again.post("answers", version=1, faces=[6]).status_code == 403
        done = again.answer(roll=True)
        assert done["match"]["version"] == 2
        assert stopped.wait(PATIENCE_S), "who waits on the other server hears of it"
    _, checked = proven(again)
    assert checked.lacking == (2,)


def test_a_server_that_is_ended_does_not_wait(
    start: Start, aside: ThreadPoolExecutor, capfd: pytest.CaptureFixture[str]
) -> None:
    here = start()
    red, blue, _ = here.begin(scene=near(), mode="links")
    with sharing(blue) as other:
        # Not by the page's client, which ends with the server.
        link, body = {"authorization": f"Bearer {red.token}"}, {"version": 0, "action": SHOVE}
        done = aside.submit(httpx.post, red.at("actions"), headers=link, json=body, timeout=60)
        other.asked()
        here.stop()
        assert done.result(PATIENCE_S).status_code == 503
    assert "Traceback" not in capfd.readouterr().err
    again = start(reveal_seconds=0.2).page(red.match_id, red.link)
    assert again.answer(roll=True)["match"]["version"] == 2


@pytest.mark.parametrize("new", [{"mode": "hotseat"}, {"mode": "links", "dice": "typed"}])
def test_elsewhere_a_commitment_counts_for_nothing(inside: Inside, new: dict[str, Any]) -> None:
    first, *_ = inside.begin(scene=near(), **new)
    with first.live() as live:
        live.say(type="commit", commitment="a" * 64)
        live.say(type="ping")
        live.hear("pong")
        assert first.match["commitments"] == []
        first.act("move", actor="R1", path=STEP)
        assert first.act(**SHOVE)["match"]["log"][-1]["commitments"] == {}


@pytest.mark.parametrize(
    "message",
    [
        {"type": "commit", "commitment": "a" * 63},
        {"type": "commit", "commitment": "A" * 64},
        {"type": "reveal", "commitment": "a" * 64, "number": 0, "key": "b" * 64},
        {"type": "reveal", "commitment": "a" * 64, "number": 40_000, "key": "b" * 64},
        {"type": "reveal", "commitment": "a" * 64, "number": 1},
    ],
)
def test_a_message_that_cannot_be_read(inside: Inside, message: dict[str, Any]) -> None:
    red, *_ = inside.begin(scene=near(), mode="links")
    with red.live() as live:
        live.say(**message)
        assert live.hear("refused")["why"]


def test_an_onlooker_and_a_key_out_of_turn_change_nothing(inside: Inside) -> None:
    red, _, watch = inside.begin(scene=near(), mode="links")
    with watch.live() as live, sharing(red) as one:
        live.say(type="commit", commitment="a" * 64)
        live.say(type="reveal", commitment=one.chain.commitment, number=1, key="b" * 64)
        one.reveal(1)
        one.reveal(7)
        for other in (live, one.live):
            other.say(type="ping")
            other.hear("pong")
        assert [c["side"] for c in red.match["commitments"]] == ["red"]
        assert red.match["version"] == 0
