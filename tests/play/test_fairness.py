"""Dice fixed beforehand: past ones can be checked at any time, those to come cannot be known."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tapeline as tl
from support.scenes import toy_scene
from tapeline.cli.app import app
from tapeline.dice import Roll, SeededDice
from tapeline.errors import DocumentError, LogError
from tapeline.play.fairness import LONGEST, Chain, check
from tapeline.play.match import Match, read_log, rereferee

SHOVE = tl.Action("shove", "R1", target="B1")
ROLL = Roll(20, "luck", "TOY-1", "red")


def test_a_chain_is_what_it_says() -> None:
    """Worked out the slow way, from the words of the decision note alone."""
    key = sha256(b"tapeline-dice/1:" + b"match:secret").digest()
    keys = [key]
    for _ in range(LONGEST):
        keys.append(sha256(b"tapeline-dice/1:" + keys[-1]).digest())
    keys.reverse()
    chain = Chain("secret", "match")
    assert chain.commitment == keys[0].hex()
    for number in (0, 1, 2, 1023, 1024, 1025, 20_000, LONGEST - 1, LONGEST):
        assert chain.key(number) == keys[number].hex(), number
    for number in (-1, LONGEST + 1):
        with pytest.raises(DocumentError):
            chain.key(number)


def test_every_entry_has_dice_of_its_own_and_every_match() -> None:
    chain = Chain("secret", "match")
    faces = {chain.dice(number).roll(ROLL) for number in range(1, 200)}
    faces |= {
        Chain("secret", "other").dice(1).roll(ROLL),
        Chain("other", "match").dice(1).roll(ROLL),
    }
    assert len(faces) == 201
    assert chain.dice(7).roll(ROLL) == SeededDice(chain.key(7)).roll(ROLL)
    dice = chain.dice(7)
    assert dice.roll(ROLL) != dice.roll(ROLL)


def fixed(chain: Chain, typed: bool = False) -> tuple[Match, dict[str, Any]]:
    """A match with four rolls of the chain's dice; what its header then tells."""
    match = Match.start(toy_scene())
    match.dice = {"commitment": chain.commitment, "salt": "match", "typed": typed, "after": 0}
    for _ in range(2):
        match.do(SHOVE, dice=chain.dice(len(match.entries) + 1), chooser=tl.take_default)
        match.do(tl.Move("R1", path=[{"to": [5, 3]}]))
        match.undo(2)
    told = len(match.entries)
    match.dice |= {"key": chain.key(told), "told": told}
    return match, match.dice


def test_dice_of_a_log_are_checked_while_the_match_goes_on() -> None:
    chain = Chain("secret", "match")
    match, said = fixed(chain)
    checked = check(said, match.entries)
    assert checked.fixed >= 2
    assert (checked.others, checked.unchecked) == ((), ())
    # What was thrown after the key was told stays to be checked.
    match.do(SHOVE, dice=chain.dice(len(match.entries) + 1), chooser=tl.take_default)
    later = check(said, match.entries)
    assert (later.fixed, later.unchecked) == (checked.fixed, (len(match.entries),))
    again = Match.replay(match.lines())
    assert again.dice == said
    assert json.loads(next(iter(again.lines()))) == json.loads(next(iter(match.lines())))
    assert rereferee(match.lines())[0].dice == said


def test_other_dice_are_found_out() -> None:
    chain = Chain("secret", "match")
    match, said = fixed(chain)
    number = next(n for n, entry in enumerate(match.entries, 1) if entry.answers)
    other = Match.start(toy_scene())
    wrong = next(
        dice
        for seed in range(50)
        if (dice := SeededDice(seed)).roll(Roll(1, "", "", ""))
        != chain.dice(number).roll(Roll(1, "", "", ""))
    )
    other.do(SHOVE, dice=SeededDice(wrong.seed), chooser=tl.take_default)
    with pytest.raises(LogError, match="entry 1: its dice are not those") as error:
        check(said, other.entries)
    assert error.value.entry == 1
    loose = check({**said, "typed": True}, other.entries)
    assert (loose.fixed, loose.others) == (0, (1,))


def test_faces_typed_in_before_the_servers_are_told_apart() -> None:
    chain = Chain("secret", "match")
    match = Match.start(toy_scene())
    match.do(SHOVE)
    match.answer([6], by="red")
    said = {
        "commitment": chain.commitment,
        "salt": "",
        "typed": True,
        "key": chain.key(2),
        "told": 2,
    }
    assert check(said, match.entries).others == (2,)
    assert check({**said, "after": 2}, match.entries).unchecked == (2,)


def test_a_key_of_another_chain_is_found_out() -> None:
    match, said = fixed(Chain("secret", "match"))
    for key in (Chain("other", "match").key(said["told"]), Chain("secret", "match").key(1)):
        with pytest.raises(LogError, match="not lead to the commitment"):
            check({**said, "key": key}, match.entries)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"commitment": "ab"}, "line 1.dice.commitment"),
        ({"commitment": None}, "line 1.dice.commitment"),
        ({"key": "G" * 64}, "line 1.dice.key"),
        ({"salt": 3}, "line 1.dice.salt"),
        ({"typed": 1}, "line 1.dice.typed"),
        ({"told": -1}, "line 1.dice.told"),
        ({"told": LONGEST + 1}, "line 1.dice.told"),
        ({"told": True}, "line 1.dice.told"),
        ({"after": "1"}, "line 1.dice.after"),
        ({"seed": "x"}, "line 1.dice.seed"),
    ],
)
def test_a_header_that_cannot_be_read(change: dict[str, Any], path: str) -> None:
    match, said = fixed(Chain("secret", "match"))
    match.dice = {**said, **change}
    with pytest.raises(DocumentError) as error:
        read_log(match.lines())
    assert [fault.path for fault in error.value.faults] == [path]


def run(path: Path, *more: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["replay", str(path), *more])
    return result.exit_code, result.output


def test_replay_tells_of_the_dice(tmp_path: Path) -> None:
    chain = Chain("secret", "match")
    match, said = fixed(chain)
    path = tmp_path / "m.jsonl"
    match.save(path)
    code, text = run(path)
    assert code == 0
    rolls = check(said, match.entries).fixed
    assert f"commitment of the server: {chain.commitment}\n" in text
    last = f"{rolls} rolls of dice fixed at the start, 0 with a share of the sides\n"
    assert text.endswith(last)
    code, text = run(path, "--json", "--referee")
    assert code == 0
    told = json.loads(text)
    assert told["unproven"] == []
    assert told["dice"] == {
        "fixed": rolls,
        "shared": 0,
        "others": [],
        "unchecked": [],
        "stripped": [],
        "lacking": [],
        "commitment": chain.commitment,
        "commitments": {},
    }
    match.dice = {**said, "commitment": Chain("other", "match").commitment}
    match.save(path)
    code, text = run(path)
    assert (code, text.splitlines()[-1][:35]) == (1, "changed: the key does not lead to t")
    code, text = run(path, "--json")
    assert code == 1
    assert json.loads(text)["differs"]["entry"] is None
