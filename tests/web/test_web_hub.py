"""Parts of the hub that are plain functions: rates, links, dice, proposals."""

from __future__ import annotations

import pytest

from tapeline.play.match import Match
from tapeline.web.hub.matches import digest, find, make_links, new_token
from tapeline.web.hub.rates import KEYS, Hourly, Rate, grouped
from tapeline.web.hub.room import Plan, Room, Seat
from tapeline.web.store.store import KeptLink, KeptMatch
from tapeline.web.work import deeds
from tapeline.web.work.faults import TooOftenError
from tapeline.web.work.kinds import Holder


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_rate_gives_a_burst_and_fills_again() -> None:
    clock = Clock()
    rate = Rate(2.0, 3, clock)
    for _ in range(3):
        rate.take("a")
    with pytest.raises(TooOftenError) as error:
        rate.take("a")
    assert error.value.after == pytest.approx(0.5)
    rate.take("b")
    clock.now += 0.5
    rate.take("a")
    with pytest.raises(TooOftenError):
        rate.take("a")
    clock.now += 1000.0
    for _ in range(3):
        rate.take("a")
    with pytest.raises(TooOftenError):
        rate.take("a")


def test_an_hour_is_the_last_hour() -> None:
    clock = Clock()
    hourly = Hourly(2, clock)
    hourly.take("a")
    clock.now += 1800
    hourly.take("a")
    with pytest.raises(TooOftenError) as error:
        hourly.take("a")
    assert error.value.after == pytest.approx(1800)
    clock.now += 1801
    hourly.take("a")
    with pytest.raises(TooOftenError):
        hourly.take("a")


def test_what_is_remembered_of_addresses_does_not_grow() -> None:
    rate, hourly = Rate(1.0, 1), Hourly(1)
    for n in range(KEYS + 100):
        rate.take(str(n))
        hourly.take(str(n))
    assert len(rate._left) == len(hourly._times) == KEYS


def test_links_are_found_by_their_secret_alone() -> None:
    tokens = [new_token() for _ in range(3)]
    assert len(set(tokens)) == 3
    links = [KeptLink("side", str(n), digest(token)) for n, token in enumerate(tokens)]
    assert [find(links, token) for token in tokens] == links
    assert find(links, "") is None
    assert find(links, tokens[0] + "x") is None
    assert find([], tokens[0]) is None


def test_no_link_keeps_its_secret() -> None:
    told, kept = make_links("m", [("red", "Red"), ("blue", "Blue")], "links")
    for link, row in zip(told, kept, strict=True):
        assert link.token.encode() not in row.digest
        assert find(kept, link.token) is row


def test_links_read_again_wake_only_who_is_sent_away() -> None:
    links = [KeptLink("side", side, side.encode()) for side in ("red", "blue")]
    room = Room(KeptMatch("m", "links", "server", ""), links, 0)
    red, blue = (Seat(Holder("side", (str(one.side),), one.digest.hex())) for one in links)
    room.seats = [red, blue]
    room.admit(links)
    assert not red.news.is_set()
    assert not blue.news.is_set()
    room.admit(links[:1])
    assert (red.dismissed, red.news.is_set()) == (False, False)
    assert (blue.dismissed, blue.news.is_set()) == (True, True)


def test_dice_hang_on_seed_and_entry_and_nothing_else(toy: None) -> None:
    from web.test_web_api_matches import near

    def rolled(seed: str, before: int) -> list[str]:
        match = Match.start(near())
        for _ in range(before):
            match.do({"kind": "done"})
            match.do({"kind": "done"})
        both = Holder("both", ("red", "blue"))
        act = deeds.Act(version=2 * before, action={"kind": "shove", "actor": "R1", "target": "B1"})
        after = deeds.act(match, both, act, deeds.Rolling("server", seed)).match
        assert len(match.entries) == 2 * before, "the match before is as it was"
        return deeds.lines_after(after, 2 * before)

    assert rolled("s", 0) == rolled("s", 0)
    faces = {rolled("s", n)[0].split('"roll":[')[1][0] for n in range(12)}
    others = {rolled(f"s{n}", 0)[0].split('"roll":[')[1][0] for n in range(12)}
    assert len(faces) > 1
    assert len(others) > 1


def test_a_proposal_comes_back_as_it_was_kept() -> None:
    event = {"event": "marked", "body": "a", "changes": {"x": 1}}
    plan = Plan("p", 3, "override", "red", "words", ("blue", "green"), None, (event,), "why")
    assert Plan.of(plan.kept()) == plan
    assert plan.agreed(["blue"]).waits_for == ("green",)
    assert plan.document().waits_for == ["blue", "green"]


def test_a_subscriber_is_one_address() -> None:
    assert grouped("192.0.2.7") == "192.0.2.7"
    assert grouped("::ffff:192.0.2.7") == "192.0.2.7"
    assert grouped("::1") == "::1"
    one, other = grouped("2001:db8:1:2:3:4:5:6"), grouped("2001:db8:1:2::ffff")
    assert one == other == "2001:db8:1:2::/64"
    assert grouped("2001:db8:1:3::1") != one
    assert grouped("fe80::1%eth0") == "fe80::/64"
    assert grouped("no:address") == "no:address"
