"""What a match keeps of its past is bounded, and what it lets go comes back exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import tapeline as tl
from support.installing import toy_installed
from support.playing import RandomChooser, one_step, varied
from support.scenes import toy_scene
from tapeline.dice import SeededDice
from tapeline.errors import AnswerError, DocumentError
from tapeline.play.match import Match, judged_again, rereferee
from tapeline.play.past import RECENT, SPREAD
from tapeline.web.views.log import log_lines

pytestmark = pytest.mark.compiled

#: All that is kept at most: the start, the recent ones, those spread over the rest.
BOUND = 1 + RECENT + SPREAD


@pytest.fixture(autouse=True, scope="module")
def _toy() -> Iterator[None]:
    with toy_installed():
        yield


class Diary:
    """Everything that a match was at each entry, written down while it is played."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.battles = [match.battle]

    def note(self) -> None:
        assert len(self.match.battles) <= len(self.battles) + 1
        if len(self.match.battles) > len(self.battles):
            self.battles.append(self.match.battle)


def long_match(steps: int, seed: int = 3) -> Diary:
    """Moves back and forth, shoves answered piece by piece, and undos of all lengths."""
    rng = Random(seed)
    diary = Diary(Match.start(toy_scene()))
    match = diary.match
    while len(match.entries) < steps:
        drawn = rng.random()
        counted = len(match._counted())
        if match.battle.pending is not None:
            _answer(match, rng)
        elif drawn < 0.2 and counted:
            match.undo(rng.randint(1, min(counted, rng.choice((1, 2, 3, 40)))))
        else:
            offers = list(match.battle.offers(rng))
            dice = SeededDice(seed) if rng.random() < 0.5 else None
            match.do(varied(offers, rng), dice=dice)
        diary.note()
    return diary


def _answer(match: Match, rng: Random) -> None:
    chooser = RandomChooser(rng)
    chooser.state = match.battle.state
    before = len(match.entries)
    match.answer(dice=SeededDice(rng.randrange(1 << 30)), chooser=chooser)
    if len(match.entries) == before:
        match.answer(dice=SeededDice(rng.randrange(1 << 30)), chooser=tl.take_default)


@pytest.fixture(scope="module")
def diary() -> Diary:
    with toy_installed():
        return long_match(700)


def test_the_match_has_what_makes_this_hard(diary: Diary) -> None:
    kinds = [entry.what for entry in diary.match.entries]
    assert kinds.count("undo") > 60
    assert kinds.count("answer") > 30
    open_ones = [battle for battle in diary.battles if battle.pending is not None]
    assert sum(len(b.pending.answers) > 0 for b in open_ones if b.pending is not None) > 5


def test_what_is_kept_is_bounded_whatever_the_length(diary: Diary) -> None:
    match = Match.start(toy_scene())
    most = 0
    lines = [*diary.match.lines()][1:]
    for line in lines:
        match.follow([line])
        most = max(most, len(match.battles.kept))
    assert most <= BOUND
    kept = match.battles.kept
    assert kept[0] == 0
    assert kept[-RECENT:] == [*range(len(lines) + 1 - RECENT, len(lines) + 1)]
    gaps = [b - a for a, b in pairwise(kept)]
    assert max(gaps) <= 2 * len(lines) / SPREAD


def test_every_battle_comes_back_as_it_was(diary: Diary) -> None:
    battles = diary.match.battles
    assert len(battles) == len(diary.battles) == len(diary.match.entries) + 1
    for number, was in enumerate(diary.battles):
        assert battles[number] == was, number
        assert battles[number].hash == was.hash
    assert [*battles] == diary.battles
    assert [*battles.states(0)] == [battle.state for battle in diary.battles]
    assert [*battles.states(333)] == [battle.state for battle in diary.battles[333:]]
    assert battles[-1] == diary.battles[-1]
    assert battles[-3:] == diary.battles[-3:]
    assert battles[10:600:97] == diary.battles[10:600:97]
    assert len(battles.kept) <= BOUND
    for number in (len(battles), -len(battles) - 1):
        with pytest.raises(IndexError):
            battles[number]


def test_undo_far_beyond_what_is_kept(diary: Diary) -> None:
    match = diary.match.upto(len(diary.match.entries))
    counted = match._counted()
    for entries in (len(counted), len(counted) - 1, len(counted) // 2, 1):
        again = match.upto(len(match.entries))
        after = again.undo(entries, by="red")
        left = len(counted) - entries
        was = diary.battles[0 if left == 0 else counted[left - 1] + 1]
        assert after == was
        assert Match.replay(again.lines()).battle == was
    assert len(diary.match.entries) == len(match.entries)


def test_replay_and_a_second_referee_agree_to_the_end(diary: Diary) -> None:
    lines = [*diary.match.lines()]
    assert Match.replay(lines).battle == diary.battles[-1]
    again, mismatch = rereferee(lines)
    assert mismatch is None
    assert again.battle == diary.battles[-1]


def test_every_entry_is_judged_again_as_it_was(diary: Diary) -> None:
    match = diary.match
    for number in [*range(1, 60), *range(60, len(match.entries) + 1, 13)]:
        assert judged_again(match, number) is None, number


def test_a_match_cut_anywhere_goes_its_own_way(diary: Diary) -> None:
    for cut in (0, 1, 57, 333, 699, 700):
        match = diary.match.upto(cut)
        assert match.battle == diary.battles[cut]
        assert [*match.battles] == diary.battles[: cut + 1]
        with pytest.raises(AnswerError) if match.battle.pending else nullcontext():
            match.do(tl.Action("glide", "R1"))
            assert len(match.entries) == cut + 1
        assert len(diary.match.entries) == 700


def test_the_log_in_words_is_the_same_from_anywhere(diary: Diary) -> None:
    whole = log_lines(diary.match)
    assert [line.n for line in whole] == [*range(1, 701)]
    assert log_lines(diary.match, 500) == whole[500:]
    assert log_lines(diary.match, 700) == []


def test_nothing_is_folded_beyond_a_part_of_the_log(
    diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tapeline.engine import fold

    folded = 0
    fold_all: Callable[..., Any] = fold.fold_all

    def counting(*args: Any) -> Any:
        nonlocal folded
        folded += 1
        return fold_all(*args)

    monkeypatch.setattr("tapeline.play.past.fold_all", counting)
    [*diary.match.battles.states(0)]
    # Each state is folded from the one before it; only undos may reach further back.
    undone = sum(entry.what == "undo" for entry in diary.match.entries)
    assert folded <= 700 + undone * 2 * 700 / SPREAD


def test_an_undo_of_more_than_there_is(diary: Diary) -> None:
    with pytest.raises(DocumentError, match="entries"):
        diary.match.undo(10_000)


def test_a_battle_right_after_cutting_continues_as_played() -> None:
    match, rng = Match.start(toy_scene()), Random(1)
    chooser = RandomChooser(rng)
    for _ in range(5):
        one_step(match, varied(list(match.battle.offers(rng)), rng), SeededDice(1), chooser)
    assert match.upto(len(match.entries)).battle == match.battle
