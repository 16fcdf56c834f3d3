"""What every rule system must keep, tried in random legal play from its example scenes."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import tapeline as tl
from documents.mutating import damaged
from support.installing import toy_installed
from support.playing import RandomChooser, one_step, random_match, varied
from support.scenarios import scenes_of, systems
from tapeline.dice import SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.codec import action_document
from tapeline.engine.digest import digest
from tapeline.engine.events import Answered, Rolled, TurnChanged
from tapeline.engine.fold import fold_all
from tapeline.engine.referee import judge
from tapeline.engine.system import Question
from tapeline.engine.verdicts import Verdict
from tapeline.errors import DocumentError
from tapeline.play.entries import Entry
from tapeline.play.match import Match, rereferee

pytestmark = pytest.mark.compiled

#: The sketch of regiments too, though most that is asked of it is legal.
SYSTEMS = (*systems(), "blocks")


@pytest.fixture(autouse=True, scope="module")
def _toy() -> Iterator[None]:
    with toy_installed():
        yield


def _scenes(name: str) -> list[dict[str, Any]]:
    found = list(scenes_of(name).values())
    if not found:
        pytest.skip(f"{name} has no example scene")
    return found


def _essence(verdict: Verdict) -> Any:
    """What must be the same in two verdicts of the same move."""
    return (
        verdict.kind,
        [(f.clause, f.about) for f in verdict.findings],
        round(verdict.cost, 6),
        verdict.cites,
        None if verdict.ask is None else verdict.ask.purpose,
    )


def _sound(battle: tl.Battle, verdict: Verdict) -> None:
    book = battle.system.book
    for finding in verdict.findings:
        assert finding.clause in book
        assert finding.text.strip()
    for clause in (*verdict.cites, *verdict.checked):
        assert clause in book, clause
    for line in verdict.ledger:
        assert line.clause in book
    assert set(verdict.values) <= set(battle.system.names.values)
    assert verdict.legal or verdict.findings, "a refusal says why"
    if verdict.ask is not None:
        assert verdict.ask.clause in book
        assert verdict.ask.by in [side.id for side in battle.state.sides]


def _saved_is_same(battle: tl.Battle, offers: list[Action], rng: Random) -> None:
    again = tl.load(json.loads(json.dumps(battle.scene())))
    assert again.hash == battle.hash
    for action in rng.sample(offers, min(2, len(offers))):
        assert _essence(again.judge(action)) == _essence(battle.judge(action))


def _refusals_are_sound(battle: tl.Battle, offers: list[Action], rng: Random) -> int:
    """Damaged actions: refused with clauses or not at all; the nearest legal move is legal."""
    refused = 0
    for _ in range(3):
        document = damaged(action_document(rng.choice(offers)), rng, list(battle.state.bodies))
        try:
            verdict = battle.judge(document)
        except DocumentError:
            continue
        _sound(battle, verdict)
        refused += not verdict.legal
        if verdict.nearest is not None:
            nearest = battle.judge(verdict.nearest.action)
            assert nearest.legal, (document, verdict.nearest, nearest.findings)
            assert verdict.nearest.short_by >= -1e-9
    return refused


#: What there is once an activation, or once a turn where sides move whole.
_COUNTED = {"activate", "done", "close_declarations", "end_turn"}
#: Activations or turns to play, short and long; in each the example scenes are all played. A turn
#: of Mordheim moves a whole warband, a Command phase of Warmaster an army.
_WANTED = {
    "toy": (80, 20_000),
    "blocks": (20, 2_000),
    "mordheim": (2, 2_000),
    "trench-crusade": (20, 20_000),
    "warmaster": (1, 2_000),
}
_USUAL = (120, 20_000)
#: Actions of a match where not all of 80 are needed.
_LENGTH = {"warmaster": 35, "mordheim": 50}

#: Actions of a short match, fewer where choosing one takes long.
_STEPS, _FEW = 25, {"mordheim": 15, "warmaster": 6}


def _counts(entry: Entry) -> bool:
    """Whether an activation, a turn or a Command phase is over."""
    ends = any(isinstance(event, TurnChanged) and event.phase == "end" for event in entry.events)
    return ends or (entry.action is not None and entry.action["kind"] in _COUNTED)


def _activations(match: Match) -> int:
    return sum(1 for entry in match.entries if _counts(entry))


@pytest.mark.parametrize("name", SYSTEMS)
def test_random_legal_play(name: str, budget: Callable[[int, int], int]) -> None:
    scenes = _scenes(name)
    wanted, done, seed = budget(*_WANTED.get(name, _USUAL)), 0, 0
    refused = 0
    kinds: Counter[str] = Counter()
    while done < wanted or seed < len(scenes):
        match = Match.start(scenes[seed % len(scenes)])
        rng, dice = Random(f"{name} {seed}"), SeededDice(seed)
        chooser = RandomChooser(rng)
        for number in range(budget(_LENGTH.get(name, 80), 200)):
            battle = match.battle
            before = battle.hash
            offers = list(battle.offers(rng))
            if not offers:
                break
            assert battle.hash == before, "offering changes nothing"
            if number % 8 == seed % 8:
                for action in offers:
                    verdict = judge(battle.system, battle.state, action, nearest=False)
                    assert verdict.legal, (action, verdict.findings)
                    _sound(battle, verdict)
                assert digest(battle.state) == before, "judging changes nothing"
            if number % 17 == seed % 17:
                _saved_is_same(battle, offers, rng)
            if number % 5 == seed % 5:
                refused += _refusals_are_sound(battle, offers, rng)
            action = varied(offers, rng)
            entries = len(match.entries)
            after = one_step(match, action, dice, chooser)
            assert after.last is not None
            if len(match.entries) == entries:
                # What nobody may know before, no offer tells either.
                asked = Question("odds", getattr(action, "actor", None), "", action)
                secret = battle.system.may_measure(battle.state, asked)
                assert secret, (action, after.last.findings)
                continue
            kinds[action.kind] += 1
            events = [event for entry in match.entries[entries:] for event in entry.events]
            assert all(not e.clause or e.clause in battle.system.book for e in events)
            assert all(
                e.clause in battle.system.book for e in events if isinstance(e, Rolled | Answered)
            )
            folded = fold_all(battle.state, events)
            assert digest(folded) == match.battle.hash
            if match.battle.last is not None:
                _sound(match.battle, match.battle.last)
        done += _activations(match)
        everything = fold_all(match.battles[0].state, (e for n in match.entries for e in n.events))
        assert digest(everything) == match.battle.hash
        lines = list(match.lines())
        if seed % 4 == 0:
            assert Match.replay(lines).battle.hash == match.battle.hash
            second, mismatch = rereferee(lines)
            assert mismatch is None, mismatch
            assert second.battle.hash == match.battle.hash
        seed += 1
        assert seed < len(scenes) + 4 * wanted, "there is play to be had"
    if name != "blocks":  # in its one match few damaged actions can be read
        assert refused > min(10, wanted // 20)
    if name != "toy":
        assert len(kinds) >= 5, kinds


@functools.cache
def _played(name: str, index: int, seed: int) -> Match:
    """A short random match in an example scene, played once for all tests: not to be changed."""
    return random_match(_scenes(name)[index], seed, _FEW.get(name, _STEPS))


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_same_seed_gives_the_same_log(name: str, budget: Callable[[int, int], int]) -> None:
    for index, scene in enumerate(_scenes(name)):
        for seed in range(budget(1, 10)):
            again = random_match(scene, seed, _FEW.get(name, _STEPS))
            assert list(_played(name, index, seed).lines()) == list(again.lines())
    other = list(random_match(_scenes(name)[0], 1, 5).lines())
    assert list(_played(name, 0, 0).lines())[: len(other)] != other


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_match_can_be_broken_off_at_any_entry(name: str) -> None:
    for index in range(min(2, len(_scenes(name)))):
        match = _played(name, index, 0)
        rows = list(match.lines())
        for cut in range(0, len(rows), 3):
            again = Match.replay(rows[: cut + 1])
            assert again.battle.hash == match.battles[cut].hash
            assert again.battle.pending == match.battles[cut].pending


@pytest.mark.parametrize("name", SYSTEMS)
def test_undo_is_exact(name: str) -> None:
    hashes = [battle.hash for battle in _played(name, 0, 0).battles]
    match = Match.replay(_played(name, 0, 0).lines())
    for left in range(len(match.entries) - 1, -1, -1):
        assert match.undo().hash == hashes[left]
    assert rereferee(match.lines())[1] is None
