"""`tapeline rules`: the clauses and options of a system."""

from __future__ import annotations

from typing import Any

import click

from tapeline.cli.output import json_option, print_json, say
from tapeline.engine.actions import Action
from tapeline.engine.clauses import Clause
from tapeline.engine.codec import plain
from tapeline.engine.deployment_system import deploying
from tapeline.engine.system import OptionSpec
from tapeline.play.systems import load_system, system_names
from tapeline.wording import counted

__all__ = ["rules"]

#: Kinds of action that are named on a line.
_MANY = 12


@click.command()
@click.argument("system", required=False)
@click.argument("words", nargs=-1, metavar="[WORD]...")
@json_option
@click.pass_context
def rules(ctx: click.Context, system: str | None, words: tuple[str, ...], as_json: bool) -> None:
    """Clauses and options of a SYSTEM; without one, the systems installed.

    Each WORD must be found in a clause (its id, what it says, what it bars, its file) or in an
    option. What the engine does about a clause: enforced (refuses), resolved (carried out) or
    registered (nothing to check; the reason is given).

    \b
    Exit codes: 0 something found, 1 nothing, 2 no such system.

    \b
    Examples:
      tapeline rules
      tapeline rules sovl advance
      tapeline rules trench-crusade TC-CHG-6
      tapeline rules warmaster SET-
    """
    if system is None:
        _systems(system_names(), as_json)
        return
    book = load_system(system)
    clauses = [clause for clause in book.book if _has(_clause_text(clause), words)]
    # Those of setting up are the same in every system: told where they are asked for.
    whole = [*deploying(book).book]
    set_up = [clause for clause in whole if clause.id not in book.book]
    clauses += [clause for clause in set_up if words and _has(_clause_text(clause), words)]
    # The chapter of that name first, then clauses that merely speak of it; else as in the book.
    clauses.sort(key=lambda clause: not _has(clause.where.rpartition(".")[2], words))
    options = [option for option in book.options if _has(_option_text(option), words)]
    if as_json:
        print_json(
            "rules",
            system=book.name,
            title=book.title,
            clauses=[_clause_document(clause) for clause in clauses],
            options=[{"clauses": [], **plain(o), "default": o.default} for o in options],
        )
    else:
        for clause in clauses:
            _print_clause(clause)
        for option in options:
            _print_option(option)
        if not words:
            say(f"Scenes with a set-up have {counted(len(set_up), 'clause')} more: see SET-")
        counts = f"{len(clauses)} of {counted(len(whole if words else book.book), 'clause')}"
        say(f"{counts}, {len(options)} of {counted(len(book.options), 'option')} of {book.title}")
    ctx.exit(0 if clauses or options else 1)


def _systems(names: tuple[str, ...], as_json: bool) -> None:
    if as_json:
        print_json("rules", systems=list(names))
        return
    for name in names:
        say(name)


def _has(text: str, words: tuple[str, ...]) -> bool:
    text = text.lower()
    return all(word.lower() in text for word in words)


def _clause_text(clause: Clause) -> str:
    barred = " ".join(_kinds(clause))
    return " ".join([clause.id, clause.says, clause.reason, clause.where, barred, *clause.lifts])


def _option_text(option: OptionSpec) -> str:
    meanings = [f"{value} {says}" for value, says in option.values.items()]
    return " ".join([option.name, option.question, *meanings, *option.clauses])


def _kinds(clause: Clause) -> list[str]:
    """What a clause bars: kinds of action, and parts of one by the name of their class."""
    return [(issubclass(kind, Action) and kind.kind) or kind.__name__ for kind in clause.bars]


def _clause_document(clause: Clause) -> dict[str, Any]:
    told = {
        "at": clause.at and str(clause.at),
        "bars": _kinds(clause),
        "lifts": list(clause.lifts),
        "reason": clause.reason,
    }
    return {
        "id": clause.id,
        "source": clause.src,
        "status": str(clause.status),
        "says": clause.says,
        "where": clause.where,
        **{name: value for name, value in told.items() if value},
    }


def _print_clause(clause: Clause) -> None:
    facts = [str(clause.status), clause.src]
    if clause.bars:
        kinds = _kinds(clause)
        facts.append(f"bars {', '.join(kinds[:_MANY])}{' ...' if len(kinds) > _MANY else ''}")
    if clause.lifts:
        facts.append("lifts " + ", ".join(clause.lifts))
    say(f"{clause.id}  [{'; '.join(facts)}]")
    _paragraph(clause.says, 4)
    if clause.reason:
        _paragraph(f"Registered only: {clause.reason}", 4)


def _print_option(option: OptionSpec) -> None:
    clauses = f"  [{', '.join(option.clauses)}]" if option.clauses else ""
    say(f"option {option.name}{clauses}")
    _paragraph(option.question, 4)
    for value, says in option.values.items():
        star = " (default)" if value == option.default else ""
        _paragraph(f"{value}{star}: {says}", 6)


def _paragraph(text: str, indent: int) -> None:
    margin = " " * indent
    wrapped = click.wrap_text(text, 96, initial_indent=margin, subsequent_indent=margin)
    say(*wrapped.split("\n"))
