"""What a drag of a body does first: the fewest presses that open its moves."""

from __future__ import annotations

import pytest

from support.scenarios import ROOT, example_scenes
from tapeline.engine.events import Marked
from tapeline.errors import UnknownIdError
from tapeline.play.battle import Battle, load
from tapeline.play.opening import DRAGGED, onward_of, opening_of
from tapeline.table.marks import Marks

EXAMPLES = example_scenes()


def open_to_a_hand(battle: Battle, of: str) -> bool:
    controls = battle.system.controls(battle.state, of)
    return any(c.gesture in DRAGGED and c.group == "act" and not c.why_not for c in controls)


@pytest.mark.parametrize(
    ("example", "of", "kinds"),
    [
        ("trench-two-lines", "r-captain", ["activate"]),
        ("mordheim-market", "r-captain", ["close_declarations"]),
        # Who flees moves first.
        ("mordheim-roofs", "r-captain", []),
        ("sovl-ford", "W1", ["activate"]),
        # An order is rolled for, and a unit of the other side is not to be moved.
        ("warmaster-dale", "first", []),
        ("trench-two-lines", "b-captain", []),
        # Nor does a side pass for a drag of another.
        ("sovl-ford", "E1", []),
    ],
)
def test_what_comes_before_the_first_drag(example: str, of: str, kinds: list[str]) -> None:
    battle = load(EXAMPLES[example])
    assert [c.action["kind"] for c in opening_of(battle, of)] == kinds


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_steps_open_the_moves_and_nothing_is_done(example: str) -> None:
    battle = load(EXAMPLES[example])
    before = battle.hash
    acting = battle.system.acting(battle.state)
    ours = [body.id for body in battle.state.bodies.values() if body.side in acting]
    for of in ours[:6]:
        steps = opening_of(battle, of)
        after = battle
        for step in steps:
            assert not open_to_a_hand(after, of), "none too many"
            after, _ = after.play(dict(step.action))
        assert after.pending is None
        assert not steps or open_to_a_hand(after, of)
    assert battle.hash == before


def test_an_unknown_body_is_an_error() -> None:
    with pytest.raises(UnknownIdError, match="nobody"):
        opening_of(load(EXAMPLES["sovl-ford"]), "nobody")


def test_nothing_comes_before_a_drag_from_the_tray() -> None:
    battle = load(ROOT / "examples/set-ups/warmaster-three-oaks.json")
    assert len(battle.state.gone) > 20
    for of in battle.state.gone:
        assert opening_of(battle, of) == []


def led_on(battle: Battle, **how: bool) -> list[str]:
    (first,) = (c for c in battle.system.controls(battle.state, None) if not c.why_not)
    return [step.label for step, _, _ in onward_of(battle, first, **how)]


def test_steps_in_which_nobody_can_do_anything_are_passed() -> None:
    battle = load(EXAMPLES["mordheim-gates"])
    for kind in ("close_declarations", "end_phase"):
        assert led_on(battle) == [], "somebody can move, or says himself what he shoots"
        battle, _ = battle.play({"kind": kind})
    # Nobody fights, only measuring is left; nobody of the other side has to rally.
    assert led_on(battle) == ["End the turn", "End recovery"]
    assert led_on(battle, untold=False) == ["End the turn", "End recovery"]
    # What the rules let nobody know beforehand is not looked at: whether who hides is found.
    hidden = Marked(next(iter(battle.state.bodies)), Marks({"hidden": True}))
    battle = battle.override([hidden])
    assert led_on(battle, untold=False) == ["End the turn"]


def test_a_step_is_not_passed_in_which_something_is_settled_on_the_real_table() -> None:
    battle = load(EXAMPLES["sovl-ford"])
    while battle.state.turn.phase != "done":
        side = battle.state.turn.active
        battle, _ = battle.play({"kind": "pass", "side": side})
    assert [*onward_of(battle)] == []
