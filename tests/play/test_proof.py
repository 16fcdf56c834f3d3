"""Proof that bites: what is not verified has a word of its own, and an exit that is no success."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tapeline as tl
from support.installing import toy_installed
from support.scenes import toy_scene
from tapeline.cli.app import app
from tapeline.dice import Roll
from tapeline.errors import DocumentError, LogError
from tapeline.play.fairness import Chain, check, leads, shared_key
from tapeline.play.match import Match, read_log

HOST, RED, BLUE = (Chain("secret", name) for name in ("host", "red", "blue"))
SIDES = {"red": RED.commitment, "blue": BLUE.commitment}
SHOVE = tl.Action("shove", "R1", target="B1")
SEEN = (HOST.commitment, *SIDES.values())


@pytest.fixture(autouse=True, scope="module")
def _toy() -> Iterator[None]:
    with toy_installed():
        yield


def sign(match: Match, **what: Any) -> None:
    match.entries[-1] = replace(match.entries[-1], **what)


def asked(match: Match) -> int:
    """A roll that is left open for the sides; the number of the entry that throws it."""
    match.do(SHOVE, by="red")
    sign(match, commitments=SIDES)
    return len(match.entries) + 1


def thrown(match: Match, number: int, **keys: str) -> None:
    match.answer(dice=HOST.dice(number, keys), by="red")
    sign(match, key=HOST.key(number), reveals=keys)


def played(typed: bool = False, after: int = 0) -> Match:
    """A match of two with a roll of both sides and one of the server alone."""
    match = Match.start(toy_scene())
    match.dice = {"commitment": HOST.commitment, "salt": "host", "typed": typed, "after": after}
    number = asked(match)
    thrown(match, number, red=RED.key(number), blue=BLUE.key(number))
    match.undo(2)
    match.do(SHOVE, dice=HOST.dice(4), chooser=tl.take_default)
    sign(match, key=HOST.key(4))
    return match


Tell = Callable[..., tuple[int, str, dict[str, Any]]]


@pytest.fixture
def tell(tmp_path: Path) -> Tell:
    """What `tapeline replay` says of a match, or of the lines of its log."""

    def told(match: Match | list[dict[str, Any]], *more: str) -> tuple[int, str, dict[str, Any]]:
        path = tmp_path / "game.log"
        if isinstance(match, Match):
            match.save(path)
        else:
            path.write_text("".join(json.dumps(line) + "\n" for line in match))
        text = CliRunner().invoke(app, ["replay", str(path), *more])
        data = CliRunner().invoke(app, ["replay", str(path), *more, "--json"])
        assert text.exit_code == data.exit_code
        return text.exit_code, text.output, json.loads(data.stdout) if data.stdout else {}

    return told


def lines(match: Match) -> list[dict[str, Any]]:
    return [json.loads(line) for line in match.lines()]


def seen(*commitments: str) -> list[str]:
    return [word for one in commitments for word in ("--commitment", one)]


def test_the_commitments_are_told_and_compared(tell: Tell) -> None:
    for more in ([], seen(*SEEN), seen(HOST.commitment.upper()), ["--referee"]):
        code, text, data = tell(played(), *more)
        assert code == 0, text
        assert data["unproven"] == []
        assert (data["dice"]["fixed"], data["dice"]["shared"]) == (2, 1)
    assert f"commitment of the server: {HOST.commitment}" in text
    for side, commitment in SIDES.items():
        assert f"commitment of {side}: {commitment}" in text
        assert data["dice"]["commitments"][side] == [commitment]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("a" * 64,), "which is none of those given"),
        ((RED.commitment,), "which is none of those given"),
        ((HOST.commitment, "a" * 64), "nobody made the commitment"),
    ],
)
def test_changed_where_the_commitment_is_another(
    tell: Tell, given: tuple[str, ...], says: str
) -> None:
    code, text, data = tell(played(), *seen(*given))
    assert code == 1
    assert text.splitlines()[-1].startswith("changed: ")
    assert says in text
    assert data["unproven"] == ["changed"]


def test_a_commitment_that_is_none(tell: Tell) -> None:
    assert tell(played(), "--commitment", "ab")[0] == 2


def other(number: int, key: str, match: Match) -> list[dict[str, Any]]:
    rows = lines(match)
    rows[number][key] = {"red": "c" * 64} if isinstance(rows[number][key], dict) else "c" * 64
    return rows


@pytest.mark.parametrize(
    ("number", "key", "says"),
    [
        (2, "key", "entry 2: the key of the server does not lead"),
        (4, "key", "entry 4: the key of the server does not lead"),
        (2, "reveals", "entry 2: the key of red does not lead"),
        (1, "commitments", "entry 2: the key of red does not lead"),
    ],
)
def test_changed_where_a_key_does_not_fit(tell: Tell, number: int, key: str, says: str) -> None:
    code, text, data = tell(other(number, key, played()))
    assert (code, data["unproven"]) == (1, ["changed"])
    assert f"changed: {says}" in text
    assert data["differs"]["entry"] == 2 or number == 4


def test_changed_where_dice_are_not_those_of_the_keys() -> None:
    """A share that was left out, or other faces than follow from all of them."""
    match, other = Match.start(toy_scene()), Match.start(toy_scene())
    match.dice = {"commitment": HOST.commitment, "salt": "host", "typed": False}
    number = asked(match)
    keys = {"red": RED.key(number), "blue": BLUE.key(number)}
    asked(other)
    roll = Roll(1, "", "", "")
    right = HOST.dice(number, keys).roll(roll)
    wrong = next(n for n in range(9, 99) if HOST.dice(n, keys).roll(roll) != right)
    other.answer(dice=HOST.dice(wrong, keys), by="red")
    sign(other, key=HOST.key(number), reveals=keys)
    with pytest.raises(LogError, match="entry 2: its dice are not those fixed"):
        check(match.dice, other.entries)
    assert check({**match.dice, "typed": True}, other.entries).unproven == ("typed",)
    thrown(match, number, **keys)
    sign(match, reveals={**keys, "green": RED.key(number)})
    with pytest.raises(LogError, match="green reveals a key, but made no commitment"):
        check(match.dice, match.entries)


def test_changed_where_a_state_is_another(tell: Tell) -> None:
    rows = lines(played())
    rows[2]["hash"] = "0" + rows[2]["hash"][1:] if rows[2]["hash"][0] != "0" else "1"
    code, text, data = tell(rows)
    assert (code, data["unproven"]) == (1, ["changed"])
    assert text.splitlines()[-1].startswith("changed: entry 2")


def test_stripped_of_the_commitment(tell: Tell) -> None:
    rows = lines(played())
    del rows[0]["dice"]
    code, text, data = tell(rows)
    assert (code, data["unproven"]) == (3, ["stripped"])
    assert "stripped: what would prove the dice was taken out of the log: entries 2, 4" in text
    for row in rows[1:]:
        for key in ("key", "commitments", "reveals"):
            row.pop(key, None)
    # Without a trace it is like a log that never had any: only who saw the commitment knows.
    code, text, data = tell(rows)
    assert (code, data["unproven"]) == (0, [])
    assert "2 rolls of dice to which nobody committed" in text
    code, _, data = tell(rows, *seen(HOST.commitment))
    assert (code, data["unproven"]) == (3, ["stripped"])


def test_stripped_of_a_key(tell: Tell) -> None:
    rows = lines(played())
    del rows[4]["key"]
    code, text, data = tell(rows)
    assert (code, data["unproven"]) == (3, ["stripped"])
    assert "entries 4" in text


def test_a_log_with_chains_without_end(tell: Tell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapeline.play.fairness.MOST_STEPS", 8)
    assert tell(played())[0] == 0
    monkeypatch.setattr("tapeline.play.fairness.MOST_STEPS", 7)
    code, text, _ = tell(played())
    assert code == 1
    assert "entry 4: more chains of keys than can be followed" in text


def test_typed(tell: Tell) -> None:
    match = played(typed=True)
    match.undo(1)
    match.do(SHOVE)
    match.answer([next(f for f in range(1, 7) if (f,) != HOST.dice(7).roll(Roll(1, "", "", "")))])
    sign(match, key=HOST.key(7))
    code, text, data = tell(match)
    assert (code, data["unproven"]) == (3, ["typed"])
    assert "typed: faces that were typed in, or thrown elsewhere: entries 7" in text


def test_typed_in_without_any_of_the_servers(tell: Tell) -> None:
    """Where nothing of an entry came from the server, it tells no key."""
    match = played(typed=True)
    match.undo(1)
    match.do(SHOVE)
    match.answer([6])
    match.dice = {**(match.dice or {}), "key": HOST.key(7), "told": 7}
    thrown = HOST.dice(7).roll(Roll(1, "", "", ""))
    expected = [] if thrown == (6,) else ["typed"]
    assert tell(match)[2]["unproven"] == expected


def test_partial_where_a_share_is_lacking(tell: Tell) -> None:
    match = played()
    match.undo(1)
    number = asked(match)
    thrown(match, number, red=RED.key(number))
    code, text, data = tell(match)
    assert (code, data["unproven"]) == (3, ["partial"])
    assert f"partial: dice without the share of a side that was there: entries {number}" in text


def test_partial_where_dice_are_older_than_the_match(tell: Tell) -> None:
    code, text, data = tell(played(after=2))
    assert (code, data["unproven"]) == (3, ["partial"])
    assert "partial: dice from before the match began here: entries 2" in text


def test_a_log_without_dice_needs_no_proof(tell: Tell) -> None:
    match = Match.start(toy_scene())
    match.do(tl.Action("done"))
    code, text, data = tell(match)
    assert (code, data["unproven"]) == (0, [])
    assert "commit" not in text


def test_dice_change_with_every_share() -> None:
    roll = Roll(20, "luck", "TOY-1", "red")
    keys = {"red": RED.key(5), "blue": BLUE.key(5)}
    streams = [{}, {"red": keys["red"]}, {"blue": keys["blue"]}, keys, {**keys, "red": BLUE.key(4)}]
    assert len({HOST.dice(5, given).roll(roll) for given in streams}) == len(streams)
    assert shared_key(HOST.key(5), {}) == HOST.key(5)
    assert leads(RED.key(5), 5, RED.commitment)
    assert not leads(RED.key(5), 4, RED.commitment)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"key": "x"}, "line 2.key"),
        ({"key": 3}, "line 2.key"),
        ({"reveals": []}, "line 2.reveals"),
        ({"reveals": {"red": "A" * 64}}, "line 2.reveals.red"),
        ({"commitments": {"red": None}}, "line 2.commitments.red"),
    ],
)
def test_an_entry_that_cannot_be_read(change: dict[str, Any], path: str) -> None:
    rows = lines(played())
    rows[1] |= change
    with pytest.raises(DocumentError) as error:
        read_log([json.dumps(row) for row in rows])
    assert [fault.path for fault in error.value.faults] == [path]
