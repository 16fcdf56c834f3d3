"""Odds: exact against sums by hand, and sampling that owns up to its error."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import pytest

import tapeline as tl
from support import toy
from support.scenes import toy_scene
from tapeline.analysis.odds import Odds, ends_of, odds
from tapeline.dice import Roll
from tapeline.engine.asks import Choice
from tapeline.engine.events import Marked
from tapeline.engine.verdicts import Kind
from tapeline.errors import AnswerError, DeadlineError
from tapeline.table.marks import Marks

SHOVE = toy.Shove(actor="R1", target="B1")


def of(**more: Any) -> Odds:
    return odds(toy.SYSTEM, tl.load(toy_scene()).state, SHOVE, **more)


def exactly(found: Odds) -> dict[str, F | None]:
    return {outcome.label: outcome.exact for outcome in found.outcomes}


def test_a_shove_by_hand() -> None:
    found = of()
    assert found.exact
    assert exactly(found) == {"held": F(1, 2), "spun 1": F(1, 2)}
    assert found.branches == 2
    assert [o.error for o in found.outcomes] == [0.0, 0.0]


def test_an_option_changes_the_odds() -> None:
    state = tl.load(toy_scene(options={"shove.die": "5+"})).state
    assert exactly(odds(toy.SYSTEM, state, SHOVE)) == {"held": F(2, 3), "spun 1": F(1, 3)}


def push_out(choice: Choice) -> Any:
    from tapeline.table.marks import freeze

    if choice.form == "path":
        return freeze([{"to": [10.5, 5]}])
    return "push"


def test_a_chooser_decides() -> None:
    assert exactly(of(chooser=push_out)) == {"held": F(1, 2), "pushed": F(1, 2)}
    assert of(chooser=push_out).chance("push") == 0.5


def test_a_chooser_that_is_refused() -> None:
    with pytest.raises(AnswerError, match="chooser's answer is refused"):
        of(chooser=lambda choice: "jump")


def test_illegal_has_no_odds() -> None:
    found = odds(toy.SYSTEM, tl.load(toy_scene()).state, toy.Shove(actor="R1", target="B2"))
    assert found.verdict.kind is Kind.ILLEGAL
    assert found.outcomes == ()


def test_an_action_without_dice() -> None:
    found = odds(toy.SYSTEM, tl.load(toy_scene()).state, toy.Glide(actor="B1"))
    assert exactly(found) == {"done": F(1)}


# A procedure with many rolls, for sums by hand and for the guard.


def _three_rolls(run: Any, action: Any) -> Any:
    one = Roll(2, "two dice", "TY-SHV-3", "red", reads="sum")
    faces = yield from run.roll(one)
    if one.total(faces) >= 9:
        run.happened("high", "High.", "TY-SHV-3", outcome=True)
        return
    two = Roll(3, "three dice", "TY-SHV-3", "red", reads="successes", target=5)
    faces = yield from run.roll(two)
    hits = two.successes(faces)
    if hits == 0:
        run.happened("none", "None.", "TY-SHV-3", outcome=True)
        return
    three = Roll(hits, "saves", "TY-SHV-3", "blue", reads="faces")
    faces = yield from run.roll(three)
    left = sum(face < 4 for face in faces)
    run.happened("lost", "Lost.", "TY-SHV-3", outcome=True, count=left)


def with_procedure(procedure: Any) -> Any:
    return replace(toy.SYSTEM, procedures={**toy.SYSTEM.procedures, toy.Glide: procedure})


def three_rolls() -> Any:
    return with_procedure(_three_rolls)


def by_hand() -> dict[str, F]:
    high = F(10, 36)
    low = 1 - high
    found = {"high": high, "none": low * F(8, 27)}
    # each of three dice hits on 5+ (1/3), each hit is lost on less than 4 (1/2): 1/6 a die
    for lost in (0, 1, 2, 3):
        from math import comb

        chance = comb(3, lost) * F(1, 6) ** lost * F(5, 6) ** (3 - lost)
        if lost == 0:
            chance -= F(8, 27)
        found[f"lost {lost}"] = low * chance
    return found


def test_three_rolls_by_hand() -> None:
    found = odds(three_rolls(), tl.load(toy_scene()).state, toy.Glide(actor="B1"))
    assert found.exact
    assert exactly(found) == by_hand()
    assert sum(o.exact for o in found.outcomes) == 1  # type: ignore[misc]
    chances = [o.chance for o in found.outcomes]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize("seed", range(6))
def test_beyond_the_guard_sampling_covers_the_truth(seed: int) -> None:
    seen: list[int] = []
    found = odds(
        three_rolls(),
        tl.load(toy_scene()).state,
        toy.Glide(actor="B1"),
        guard=30,
        samples=1500,
        seed=seed,
        progress=seen.append,
    )
    assert not found.exact
    assert found.branches == 1500
    assert seen == [500, 1000, 1500]
    truth = by_hand()
    assert {o.label for o in found.outcomes} <= set(truth)
    assert sum(o.chance for o in found.outcomes) == pytest.approx(1.0)
    for outcome in found.outcomes:
        assert outcome.exact is None
        assert 0 < outcome.error < 0.03
        # 95 % intervals; twice as wide covers all of some forty of them
        assert abs(outcome.chance - float(truth[outcome.label])) <= 2 * outcome.error


def test_sampling_is_the_same_for_a_seed() -> None:
    def run(seed: int) -> Odds:
        state = tl.load(toy_scene()).state
        action = toy.Glide(actor="B1")
        return odds(three_rolls(), state, action, guard=5, samples=300, seed=seed)

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_the_guard_holds_where_it_stands() -> None:
    """Just enough branches is exact; one fewer is not."""
    state = tl.load(toy_scene()).state
    full = odds(three_rolls(), state, toy.Glide(actor="B1"))
    assert odds(three_rolls(), state, toy.Glide(actor="B1"), guard=20_000) == full
    exact_at = [
        g
        for g in range(1, 4000, 200)
        if odds(three_rolls(), state, toy.Glide(actor="B1"), guard=g, samples=1).exact
    ]
    assert exact_at == list(range(exact_at[0], 4000, 200)), "more guard never loses exactness"


def test_ties_rolled_again_for_ever_are_summed() -> None:
    battle = tl.load("examples/sovl-broad-field.json")
    found = odds(battle.system, battle.state, battle.action({"kind": "roll_off"}))
    assert found.exact
    assert exactly(found) == {"first initiative": F(1)}
    assert found.branches < 36


def _over_and_over(run: Any, action: Any) -> Any:
    """On 1 or 2 one; on 3 again; else a second die: on 1 two, on 2 or 3 that again, on 4 all again,
    else three."""
    while True:
        (face,) = yield from run.roll(Roll(1, "first", "TY-SHV-3", "red", reads="faces"), anew=True)
        result = "one" if face < 3 else ""
        while face > 3:
            die = Roll(1, "second", "TY-SHV-3", "red", reads="faces")
            (other,) = yield from run.roll(die, anew=True)
            if other not in (2, 3):
                result = {1: "two", 4: ""}.get(other, "three")
                break
        if result:
            run.happened(result, result, "TY-SHV-3", outcome=True)
            return


def test_rolls_that_lead_back_to_each_other_by_hand() -> None:
    """Of the second die 1/4, 1/4 and 1/2; so of the first 1/3, 1/8, 1/4, and 7/24 again."""
    state, action = tl.load(toy_scene()).state, toy.Glide(actor="B1")
    found = odds(with_procedure(_over_and_over), state, action)
    assert found.exact
    assert exactly(found) == {"one": F(8, 17), "two": F(3, 17), "three": F(6, 17)}
    ends = ends_of(with_procedure(_over_and_over), state, action)
    assert sum(chance for chance, _ in ends) == 1


def test_rolls_that_lead_back_are_bracketed_where_the_work_runs_out() -> None:
    state, action = tl.load(toy_scene()).state, toy.Glide(actor="B1")
    truth = {"one": 8 / 17, "two": 3 / 17, "three": 6 / 17}
    rests = set()
    for work in (*range(40, 1_000, 60), 5_000_000):
        try:
            found = odds(with_procedure(_over_and_over), state, action, work=work)
        except DeadlineError:
            continue
        rests.add(found.rest)
        for outcome in found.outcomes:
            assert abs(outcome.chance - truth[outcome.label]) <= outcome.error + 1e-12
    assert len(rests) > 2
    assert 0.0 in rests


def test_a_label_that_looks_at_every_roll_is_given_every_roll() -> None:
    state, action = tl.load(toy_scene()).state, toy.Glide(actor="B1")
    found = odds(
        with_procedure(_over_and_over), state, action, label=lambda events: f"{len(events)}"
    )
    assert not found.exact
    assert len(found.outcomes) > 5


def test_a_roll_asked_anew_in_another_state_is_another() -> None:
    """Three tries at a 6: what was tried is marked."""

    def tries(run: Any, action: Any) -> Any:
        for number in range(3):
            die = Roll(1, "a six", "TY-SHV-3", "red", reads="faces")
            (face,) = yield from run.roll(die, lambda faces: faces[0] == 6, anew=True)
            if face == 6:
                run.happened("six", "Six.", "TY-SHV-3", outcome=True)
                return
            run.emit(Marked("B1", Marks({"tries": number}), "TY-SHV-3"))
        run.happened("none", "None.", "TY-SHV-3", outcome=True)

    found = odds(with_procedure(tries), tl.load(toy_scene()).state, toy.Glide(actor="B1"))
    assert exactly(found) == {"none": F(125, 216), "six": F(91, 216)}


def _settling(run: Any, action: Any) -> Any:
    """Hurt on a 6, of one die or, after 1 to 3, of two; then a last die."""
    (face,) = yield from run.roll(Roll(1, "how many", "TY-SHV-3", "red", reads="faces"))
    faces = yield from run.roll(Roll(1 + (face < 4), "hurt", "TY-SHV-3", "red", reads="faces"))
    if 6 in faces:
        run.happened("hurt", "Hurt.", "TY-SHV-3", outcome=True)
    last = Roll(1, "last", "TY-SHV-3", "red", reads="faces")
    (face,) = yield from run.roll(last, lambda faces: faces[0] // 3, settled=True)
    name = ("held", "left", "lost")[face // 3]
    run.happened(name, name, "TY-SHV-3", outcome=True)


def test_branches_that_go_on_alike_are_followed_once() -> None:
    """A six among one die or two: (1/6 + 11/36) / 2; then 2/6, 3/6 and 1/6."""
    state, action = tl.load(toy_scene()).state, toy.Glide(actor="B1")
    found = odds(with_procedure(_settling), state, action)
    hurt = (F(1, 6) + F(11, 36)) / 2
    last = {"held": F(2, 6), "left": F(3, 6), "lost": F(1, 6)}
    by_hand = {f"hurt, {name}": hurt * chance for name, chance in last.items()}
    by_hand |= {name: (1 - hurt) * chance for name, chance in last.items()}
    assert found.exact
    assert exactly(found) == by_hand
    ends = ends_of(with_procedure(_settling), state, action)
    assert sum(chance for chance, _ in ends) == 1
    assert len(ends) == len(by_hand), "one end each"
    whole = odds(with_procedure(_settling), state, action, label=lambda events: f"{len(events)}")
    assert found.branches < whole.branches / 2


def test_when_the_work_runs_out_every_chance_is_bracketed() -> None:
    """Likely branches come first; what is left of them bounds how far each chance is off."""
    state, truth = tl.load(toy_scene()).state, by_hand()
    rests = []
    for work in (250, 400, 700, 1_000, 5_000_000):
        found = odds(three_rolls(), state, toy.Glide(actor="B1"), work=work)
        seen = sum(exact for label, exact in truth.items() if found.chance(label))
        assert 1 - seen <= found.rest + 1e-12, "what was not seen is no likelier than the rest"
        for outcome in found.outcomes:
            assert outcome.error == pytest.approx(found.rest / 2)
            assert abs(outcome.chance - float(truth[outcome.label])) <= outcome.error + 1e-12
        rests.append(found.rest)
        assert found.exact == (found.rest == 0.0)
    assert rests == sorted(rests, reverse=True)
    assert 0.0 < rests[0] < 1.0
    assert rests[-1] == 0.0


def test_sampling_stops_where_its_work_does() -> None:
    state = tl.load(toy_scene()).state
    found = odds(three_rolls(), state, toy.Glide(actor="B1"), guard=5, work=3_000)
    assert not found.exact
    assert 10 < found.branches < 500
    assert sum(o.chance for o in found.outcomes) == pytest.approx(1.0)


def test_a_limit_around_the_odds_is_no_bracket() -> None:
    state = tl.load(toy_scene()).state
    with tl.work_limit(400), pytest.raises(DeadlineError):
        odds(three_rolls(), state, toy.Glide(actor="B1"))


def test_results_that_count_alike_are_one_branch() -> None:
    """What the procedure says of the faces tells branches apart; another label sees all faces."""

    def procedure(run: Any, action: Any) -> Any:
        roll = Roll(2, "test", "TY-SHV-3", "blue", reads="sum")
        faces = yield from run.roll(roll, lambda faces: sum(faces) >= 9)
        name = "high" if sum(faces) >= 9 else "low"
        run.happened(name, name, "TY-SHV-3", outcome=True)

    system = with_procedure(procedure)
    state = tl.load(toy_scene()).state
    found = odds(system, state, toy.Glide(actor="B1"))
    assert found.branches == 2
    assert exactly(found) == {"high": F(10, 36), "low": F(26, 36)}
    every = odds(system, state, toy.Glide(actor="B1"), label=lambda events: str(events[0]))
    assert every.branches == len(every.outcomes) == 11


def test_what_dice_do_not_change_is_judged_once() -> None:
    """Ten branches of one action look at its clauses once, and fold its first event once."""
    looks: list[str] = []

    def procedure(run: Any, action: Any) -> Any:
        looks.append("begun")
        run.memo.setdefault("worked out", looks.append("worked out"))
        faces = yield from run.roll(Roll(1, "test", "TY-SHV-3", "blue"))
        run.happened(str(faces[0]), "", "TY-SHV-3", outcome=True)

    system = with_procedure(procedure)
    checks = system.book.check
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(system.book, "check", lambda *a: looks.append("checked") or checks(*a))
        found = odds(system, tl.load(toy_scene()).state, toy.Glide(actor="B1"))
    assert found.branches == 6
    assert looks.count("begun") == 7
    assert looks.count("checked") == 1
