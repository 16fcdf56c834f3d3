"""The rule book: what is put together wrongly is found when it is closed, never in play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from support import toy
from tapeline.engine.actions import Action
from tapeline.engine.clauses import Moment, RuleBook, Status
from tapeline.engine.verdicts import Finding
from tapeline.errors import RuleBookError


class Walk:
    pass


class Run(Walk):
    pass


def book() -> RuleBook:
    found = RuleBook("X")

    @found.clause("X-1", src="seed", bars=Walk, at=Moment.DECLARE)
    def first(ask: Any) -> Iterator[Finding]:
        """Nobody walks.

        A second paragraph is not what the clause says.
        """
        yield Finding("one", 1.0)
        yield Finding("two", 2.0)

    @found.clause("X-2", src="seed", bars=(Walk, Run), at=Moment.END)
    def second(ask: Any) -> Iterator[Finding]:
        """Nobody arrives."""
        yield Finding("three")

    return found


def test_findings_are_stamped_and_all_come_back() -> None:
    b = book()
    b.seal()
    findings, looked = b.check(Walk, None)
    assert [(f.clause, f.text) for f in findings] == [
        ("X-1", "one"),
        ("X-1", "two"),
        ("X-2", "three"),
    ]
    assert looked == ["X-1", "X-2"]
    assert b.check(Run, None)[1] == ["X-2"], "a subclass is another kind of action"
    assert b.check(int, None) == ([], [])


@pytest.mark.parametrize("lifted", [(), ("one",), ("one", "two"), ("one", "two", "three")])
def test_allowed_is_what_no_finding_is_left_against(lifted: tuple[str, ...]) -> None:
    b = book()

    @b.exception("X-5", src="seed", lifts=("X-1", "X-2"))
    def except_some(ask: Any, finding: Finding) -> bool:
        """Some may."""
        return finding.text in lifted

    b.seal()
    for kind in (Walk, Run, int):
        assert b.allows(kind, None) == (not b.check(kind, None)[0])
    assert b.allows(Walk, None) == (len(lifted) == 3)


def test_only_clauses_of_the_moments_asked_look() -> None:
    b = book()
    b.seal()
    findings, looked = b.check(Walk, None, frozenset({Moment.END}))
    assert [f.clause for f in findings] == ["X-2"]
    assert looked == ["X-2"]


def test_a_clause_says_the_first_paragraph_on_one_line() -> None:
    assert book()["X-1"].says == "Nobody walks."


def test_lookup_and_counting() -> None:
    b = book()
    b.registers("X-3", src="public", says="A word.", reason="a definition")
    b.resolves("X-4", src="public", says="Carried out.")
    b.seal()
    assert len(b) == 4
    assert [c.id for c in b] == ["X-1", "X-2", "X-3", "X-4"]
    assert "X-3" in b
    assert "X-9" not in b
    assert [c.status for c in b] == [
        Status.ENFORCED,
        Status.ENFORCED,
        Status.REGISTERED,
        Status.RESOLVED,
    ]


def test_clauses_as_lines_of_text() -> None:
    b = book()
    b.resolves_each("""
    X-3 (seed) What is said goes on
        here.
    X-4 (pick) One line (of text).
    """)
    assert [(c.id, c.src, c.says, c.status) for c in b][2:] == [
        ("X-3", "seed", "What is said goes on here.", Status.RESOLVED),
        ("X-4", "pick", "One line (of text).", Status.RESOLVED),
    ]
    assert b["X-3"].where == b["X-4"].where == __name__


@pytest.mark.parametrize("line", ["X-3 What", "X-3 (hearsay) What", "X-3 (seed)", ""])
def test_a_line_that_is_no_clause(line: str) -> None:
    with pytest.raises(RuleBookError, match=r"give an id, \(a source\) and what it says"):
        book().resolves_each(line)


def test_a_lift_takes_away_only_the_findings_it_says() -> None:
    b = book()

    @b.exception("X-5", src="seed", lifts="X-1")
    def except_small(ask: Any, finding: Finding) -> bool:
        """A small one may."""
        return finding.measured == 1.0

    b.seal()
    findings, looked = b.check(Walk, None)
    assert [f.text for f in findings] == ["two", "three"]
    assert looked == ["X-1", "X-5", "X-2"]


def test_a_lifter_is_asked_with_the_clause_id_on_the_finding() -> None:
    b = book()
    seen = []

    @b.exception("X-5", src="seed", lifts=("X-1", "X-2"))
    def nothing(ask: Any, finding: Finding) -> bool:
        """Nothing is lifted."""
        seen.append((ask, finding.clause))
        return False

    b.seal()
    assert len(b.check(Walk, "context")[0]) == 3
    assert seen == [("context", "X-1"), ("context", "X-1"), ("context", "X-2")]


def test_written_down_twice() -> None:
    b = book()
    with pytest.raises(RuleBookError, match="X-1: written down twice"):
        b.resolves("X-1", src="seed", says="again")


def test_foreign_prefix() -> None:
    with pytest.raises(RuleBookError, match=r"Y-1: ids of this system begin with X-"):
        book().resolves("Y-1", src="seed", says="x")
    with pytest.raises(RuleBookError, match=r"XX-1"):
        book().resolves("XX-1", src="seed", says="x")


@pytest.mark.parametrize("says", ["", "  \n "])
def test_a_clause_without_words(says: str) -> None:
    with pytest.raises(RuleBookError, match="X-9: says nothing"):
        book().resolves("X-9", src="seed", says=says)


def test_a_check_without_docstring() -> None:
    def mute(ask: Any) -> Iterator[Finding]:
        yield Finding("x")

    with pytest.raises(RuleBookError, match="X-9: says nothing"):
        book().clause("X-9", src="seed", bars=Walk, at=Moment.END)(mute)


def test_registered_without_reason() -> None:
    with pytest.raises(RuleBookError, match="X-9: a registered clause needs its reason"):
        book().registers("X-9", src="seed", says="x", reason=" ")


def test_lift_of_an_unknown_clause() -> None:
    b = book()

    @b.exception("X-5", src="seed", lifts="X-77")
    def lifted(ask: Any, finding: Finding) -> bool:
        """It may."""
        return True

    with pytest.raises(RuleBookError, match="X-5 lifts X-77, which is not in the book"):
        b.seal()


def _lifting(b: RuleBook, clause: str, lifts: str) -> None:
    @b.exception(clause, src="seed", lifts=lifts)
    def lifted(ask: Any, finding: Finding) -> bool:
        """It may."""
        return True


def test_lifting_each_other() -> None:
    b = book()
    _lifting(b, "X-5", "X-6")
    _lifting(b, "X-6", "X-5")
    with pytest.raises(RuleBookError, match="X-5 and X-6 lift each other"):
        b.seal()


def test_lifting_itself() -> None:
    b = book()
    _lifting(b, "X-5", "X-5")
    with pytest.raises(RuleBookError, match="lift each other"):
        b.seal()


def test_lifting_in_a_ring() -> None:
    b = book()
    _lifting(b, "X-5", "X-6")
    _lifting(b, "X-6", "X-7")
    _lifting(b, "X-7", "X-5")
    with pytest.raises(RuleBookError, match="lift each other"):
        b.seal()


def test_two_exceptions_to_one_clause_are_both_asked() -> None:
    b = book()
    _lifting(b, "X-5", "X-1")
    _lifting(b, "X-6", "X-1")
    b.seal()
    findings, looked = b.check(Walk, None)
    assert [f.clause for f in findings] == ["X-2"]
    assert set(looked) == {"X-1", "X-2", "X-5", "X-6"}


def test_a_closed_book_takes_nothing_more() -> None:
    b = book()
    b.seal()
    b.seal()
    with pytest.raises(RuleBookError, match="X-9: the rule book is closed"):
        b.resolves("X-9", src="seed", says="late")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop(Action):
    kind: ClassVar[str] = "hop"


def test_a_system_that_nothing_carries_out() -> None:
    with pytest.raises(RuleBookError, match="nothing carries out 'hop'"):
        replace(toy.SYSTEM, actions={**toy.SYSTEM.actions, "hop": Hop})


def test_a_system_with_a_misnamed_action() -> None:
    with pytest.raises(RuleBookError, match="is not named 'jump'"):
        replace(toy.SYSTEM, actions={**toy.SYSTEM.actions, "jump": Hop})


def test_options_of_a_system() -> None:
    spec = toy.SYSTEM.option("shove.die")
    assert spec is not None
    assert spec.default == "4+"
    assert toy.SYSTEM.option("nope") is None
